//! Texts that print values of a session: answers, variables and passes.
//!
//! A text is a template that is filled in when it is read. What it may print is checked before; the values come from the session.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use minijinja::value::{DynObject, Enumerator, Kwargs, Object, ObjectRepr, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Output, State, UndefinedBehavior};

use crate::domain::{Language, SeatId};
use crate::expression::{Fraction, Value};
use crate::prompt::Parameter;
use crate::prompt::numbers::render_number;
use crate::text::{join_lines, quote_lines};

/// The limit on template steps: enough for any text, too few to hang.
const TEMPLATE_FUEL: u64 = 100_000;
/// What stands in a text for a value that is not printed.
pub const GAP: &str = "…";
/// What a seat shows to everyone.
pub const PUBLIC: [&str; 4] = ["name", "role", "index", "present"];

/// A text that prints values of a session.
#[derive(Clone)]
pub struct LiveText {
    /// The template as it is written.
    pub source: String,
    /// Whether it prints something about its reader, so that each seat reads words of its own.
    pub is_personal: bool,
    /// The attributes of seats that it may print.
    pub attributes: Vec<String>,
    /// The names that it may print beside seats and parameters.
    pub names: Vec<String>,
    /// The values of groups that it may print.
    pub group_values: Vec<String>,
    /// The further columns of items that it may print.
    pub columns: Vec<String>,
    compiled: Arc<Environment<'static>>,
}

impl fmt::Debug for LiveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LiveText").field(&self.source).finish()
    }
}

impl PartialEq for LiveText {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for LiveText {}

impl serde::Serialize for LiveText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.source.serialize(serializer)
    }
}

/// Whose values a text may print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disclosure {
    /// Everyone's: the author discloses them.
    Everyones,
    /// The reader's own, and of others what all know of them.
    OwnOnly,
}

/// The values that a text prints at one moment.
#[derive(Debug, Default)]
pub struct Scene {
    /// The name of the phase as it is written.
    pub phase: String,
    /// The parameters.
    pub parameters: Vec<(String, Parameter)>,
    /// The question of the item; `None` without items.
    pub item: Option<String>,
    /// The pass of the innermost repeated block: its number, and how many there are at most; `None` outside repeated blocks.
    pub pass: Option<(u32, u32)>,
    /// The seats that take part.
    pub present: Vec<SeatId>,
    /// The attributes of each seat, in the plan's order.
    pub seats: Vec<BTreeMap<String, Attribute>>,
    /// Values of the group; outside groups, of each group.
    pub group_values: BTreeMap<String, Attribute>,
    /// Values of the session, roles and votes.
    pub values: BTreeMap<String, Attribute>,
    /// What is printed for a value that nobody gave.
    pub missing: Arc<str>,
}

/// Something that a text prints.
#[derive(Debug, Clone)]
pub enum Attribute {
    /// A value.
    Value(Value),
    /// Something with parts of its own: the answers to a form, a vote, an option.
    Parts(Arc<BTreeMap<String, Attribute>>),
    /// A text that is printed in its lines, each quoted.
    Lines(Arc<str>),
    /// Several things.
    List(Vec<Attribute>),
    /// Something that only a brief prints, because it says who did what.
    Disclosed(Box<Attribute>),
}

impl Attribute {
    /// Something with these parts.
    pub fn from_parts(parts: impl IntoIterator<Item = (String, Self)>) -> Self {
        Attribute::Parts(Arc::new(parts.into_iter().collect()))
    }
}

impl LiveText {
    /// Compiles a text.
    pub fn compile(source: &str, language: Language) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(TEMPLATE_FUEL));
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_formatter(move |out, state, value| write_value(out, state, value, language));
        environment.remove_global("debug");
        environment.add_test("missing", |value: &minijinja::Value| value.downcast_object_ref::<Missing>().is_some());
        // Of a missing number the words for it are printed, as without the filter.
        environment.add_filter(
            "round",
            |value: minijinja::Value, decimals: Option<i32>, method: Option<&str>, more: Kwargs| match value
                .downcast_object_ref::<Missing>()
            {
                Some(_) => Ok(value),
                None => minijinja::filters::round(value, decimals, method, more),
            },
        );
        environment.add_template_owned("text", source.trim_end().to_owned())?;
        let is_personal = {
            let names = environment.get_template("text")?.undeclared_variables(false);
            ["seat", "me", "others", "target"].iter().any(|name| names.contains(*name))
        };
        Ok(Self {
            source: source.to_owned(),
            is_personal,
            attributes: Vec::new(),
            names: Vec::new(),
            group_values: Vec::new(),
            columns: Vec::new(),
            compiled: Arc::new(environment),
        })
    }

    /// The text with a gap for every value that it prints. It ends where what it says depends on values.
    pub fn write_with_gaps(&self) -> String {
        let mut words = String::new();
        let mut rest = self.source.as_str();
        while let Some(start) = rest.find('{') {
            words.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = match rest.as_bytes().get(1) {
                Some(b'{') => "}}",
                Some(b'#') => "#}",
                Some(b'%') => return words + GAP,
                _ => {
                    words.push('{');
                    rest = &rest[1..];
                    continue;
                }
            };
            if end == "}}" {
                words.push_str(GAP);
            }
            rest = rest.find(end).map_or("", |place| &rest[place + 2..]);
        }
        words + rest
    }

    /// Whether it prints nothing but the name of the seat that a question is about.
    pub fn prints_only_target(&self) -> bool {
        let printed = self.source.split("{{").skip(1).map(|part| part.split_once("}}").map_or(part, |(name, _)| name));
        let is_target = |name: &str| ["target", "target.name"].contains(&name.trim().trim_matches('-').trim());
        !self.source.contains("{%") && printed.into_iter().all(is_target)
    }

    /// The names that the text prints, with the attribute that follows a name directly.
    pub fn read_names(&self) -> Vec<String> {
        let template = self.compiled.get_template("text").expect("invariant: a live text was compiled");
        template.undeclared_variables(true).into_iter().collect()
    }

    /// Whether the template language has a name of its own.
    pub fn is_global(&self, name: &str) -> bool {
        self.compiled.globals().any(|(global, _)| global == name)
    }

    /// The text in a scene, as a seat reads it, or as all do; and of a question about a seat, with that.
    ///
    /// # Errors
    /// If it prints what there is not, or what may not be disclosed.
    pub fn fill(
        &self,
        scene: &Arc<Scene>,
        (reader, target): (Option<SeatId>, Option<SeatId>),
        disclosure: Disclosure,
    ) -> Result<String, Error> {
        let template = self.compiled.get_template("text")?;
        let denied = Arc::new(OnceLock::new());
        let view = PrintedScene { scene: Arc::clone(scene), reader, target, disclosure, denied: Arc::clone(&denied) };
        let filled = template.render(minijinja::Value::from_object(view));
        match denied.get() {
            Some(message) => Err(Error::new(ErrorKind::InvalidOperation, message.clone())),
            None => filled,
        }
    }
}

/// Writes a value: numbers with the decimal point of the language, words of seats on one line.
fn write_value(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &minijinja::Value,
    language: Language,
) -> Result<(), Error> {
    let words = match value.kind() {
        ValueKind::Number => {
            let number = render_number(value).unwrap_or_else(|| value.to_string());
            if language == Language::Es { number.replace('.', ",") } else { number }
        }
        ValueKind::Bool if value.is_true() => language.yes().to_owned(),
        ValueKind::Bool => language.no().to_owned(),
        ValueKind::Seq => return write_list(out, state, value, language),
        _ => return minijinja::escape_formatter(out, state, value),
    };
    Ok(out.write_str(&words)?)
}

/// Writes the items of a list one after the other, and the word for nothing where there are none.
fn write_list(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    list: &minijinja::Value,
    language: Language,
) -> Result<(), Error> {
    let between = if language == Language::Zh { "、" } else { ", " };
    let mut is_first = true;
    for item in list.try_iter()? {
        if !is_first {
            out.write_str(between)?;
        }
        is_first = false;
        write_value(out, state, &item, language)?;
    }
    if is_first {
        out.write_str(language.none())?;
    }
    Ok(())
}

/// What a text reads: the scene for one reader.
#[derive(Debug, Clone)]
struct PrintedScene {
    scene: Arc<Scene>,
    reader: Option<SeatId>,
    /// The seat that a question is about.
    target: Option<SeatId>,
    disclosure: Disclosure,
    /// Why the text may not be filled: it read what it may not disclose, perhaps in a filter that hides an error.
    denied: Arc<OnceLock<String>>,
}

/// A seat as a text reads it.
#[derive(Debug)]
struct PrintedSeat {
    view: PrintedScene,
    seat: SeatId,
}

/// The seats of a group, with its values.
#[derive(Debug)]
struct GroupView(PrintedScene);

/// Something with parts, which are read one by one: some may not be printed.
#[derive(Debug)]
struct PartsView {
    view: PrintedScene,
    parts: Arc<BTreeMap<String, Attribute>>,
}

/// Scores or points of options, each under its name or seat.
#[derive(Debug)]
struct PointsView {
    view: PrintedScene,
    points: Arc<[(Value, Fraction)]>,
}

/// A value that nobody gave.
#[derive(Debug)]
struct Missing(Arc<str>);

impl PrintedScene {
    /// Makes the text fail, and stands for a value that it may not print.
    fn deny(&self, message: &str) -> minijinja::Value {
        self.denied.get_or_init(|| message.to_owned());
        minijinja::Value::UNDEFINED
    }

    fn seat(&self, seat: SeatId) -> minijinja::Value {
        minijinja::Value::from_object(PrintedSeat { view: self.clone(), seat })
    }

    fn seats(&self, seats: impl Iterator<Item = SeatId>) -> minijinja::Value {
        seats.map(|seat| self.seat(seat)).collect()
    }

    fn value(&self, value: &Value) -> minijinja::Value {
        match value {
            Value::Missing => minijinja::Value::from_object(Missing(Arc::clone(&self.scene.missing))),
            Value::YesNo(yes) => minijinja::Value::from(*yes),
            Value::Text(text) => minijinja::Value::from(join_lines(text)),
            Value::Seat(seat) => self.seat(SeatId(*seat)),
            Value::List(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Number(number) => match number.to_integer().map(i64::try_from) {
                Some(Ok(integer)) => minijinja::Value::from(integer),
                _ => number.to_string().parse::<f64>().map_or_else(|_| number.to_string().into(), Into::into),
            },
            Value::Points(points) => {
                minijinja::Value::from_object(PointsView { view: self.clone(), points: points.clone() })
            }
            Value::Option(_) | Value::Record(_) => minijinja::Value::UNDEFINED,
        }
    }

    fn attribute(&self, attribute: &Attribute) -> minijinja::Value {
        match attribute {
            Attribute::Value(value) => self.value(value),
            Attribute::Parts(parts) => {
                minijinja::Value::from_object(PartsView { view: self.clone(), parts: Arc::clone(parts) })
            }
            Attribute::Lines(text) => minijinja::Value::from(quote_lines(text)),
            Attribute::List(items) => items.iter().map(|item| self.attribute(item)).collect(),
            Attribute::Disclosed(_) if self.disclosure == Disclosure::OwnOnly => self
                .deny("the words of a question cannot print who wrote a text or voted for what: print it in a brief"),
            Attribute::Disclosed(value) => self.attribute(value),
        }
    }

    fn fields<N: Into<String>>(&self, fields: impl IntoIterator<Item = (N, minijinja::Value)>) -> minijinja::Value {
        let fields = fields.into_iter().map(|(name, value)| (name.into(), value));
        minijinja::Value::from_object(fields.collect::<BTreeMap<String, minijinja::Value>>())
    }

    fn find(&self, name: &str) -> Option<minijinja::Value> {
        let scene = &self.scene;
        let others = || scene.present.iter().copied().filter(|seat| Some(*seat) != self.reader);
        Some(match name {
            "parameters" => self.fields(scene.parameters.iter().map(|(name, value)| (name, value.template_value()))),
            "item" if !scene.values.contains_key("item") => {
                self.fields(scene.item.iter().map(|text| ("text", text.as_str().into())))
            }
            "phase" => scene.phase.as_str().into(),
            "pass" => {
                let (number, of) = scene.pass?;
                self.fields([
                    ("number", number.into()),
                    ("first", (number == 1).into()),
                    ("last", (number == of).into()),
                ])
            }
            "seat" | "me" => self.seat(self.reader?),
            "target" => self.seat(self.target?),
            "group" => minijinja::Value::from_object(GroupView(self.clone())),
            "everyone" => self.seats(scene.present.iter().copied()),
            "others" => self.seats(others()),
            "seats" => self.seats((0..scene.seats.len() as u32).map(SeatId)),
            "nobody" => self.seats(std::iter::empty()),
            _ => self.attribute(scene.values.get(name)?),
        })
    }
}

impl Object for PrintedScene {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &minijinja::Value) -> Option<minijinja::Value> {
        self.find(key.as_str()?)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::NonEnumerable
    }
}

impl Object for PrintedSeat {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &minijinja::Value) -> Option<minijinja::Value> {
        let (key, view) = (key.as_str()?, &self.view);
        let attribute = view.scene.seats[self.seat.index()].get(key)?;
        if view.disclosure == Disclosure::OwnOnly && Some(self.seat) != view.reader && !PUBLIC.contains(&key) {
            let message = format!("the words of a question cannot print another seat's {key}: print it in a brief");
            return Some(view.deny(&message));
        }
        Some(view.attribute(attribute))
    }

    fn custom_cmp(self: &Arc<Self>, other: &DynObject) -> Option<std::cmp::Ordering> {
        Some(self.seat.cmp(&other.downcast_ref::<Self>()?.seat))
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view.scene.seats[self.seat.index()].get("name") {
            Some(Attribute::Value(Value::Text(name))) => f.write_str(name),
            _ => Err(fmt::Error),
        }
    }
}

impl Object for GroupView {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &minijinja::Value) -> Option<minijinja::Value> {
        let Self(view) = &**self;
        match key.as_str() {
            Some(name) => Some(view.attribute(view.scene.group_values.get(name)?)),
            None => Some(view.seat(*view.scene.present.get(key.as_usize()?)?)),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.scene.present.len())
    }
}

impl Object for PartsView {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &minijinja::Value) -> Option<minijinja::Value> {
        Some(self.view.attribute(self.parts.get(key.as_str()?)?))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.parts.keys().map(|name| name.as_str().into()).collect())
    }
}

impl Object for PointsView {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    // A seat that was no option has no points; a word that is none is a mistake.
    fn get_value(self: &Arc<Self>, key: &minijinja::Value) -> Option<minijinja::Value> {
        let (option, otherwise) = match key.downcast_object_ref::<PrintedSeat>() {
            Some(view) => (Value::Seat(view.seat.0), Some(self.view.value(&Value::Missing))),
            None => (Value::Text(key.as_str()?.into()), None),
        };
        match Value::find_points(&self.points, &option) {
            Value::Missing => otherwise,
            number => Some(self.view.value(&number)),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let option = |(option, _): &(Value, Fraction)| self.view.value(option);
        Enumerator::Values(self.points.iter().map(option).collect())
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (option, number)) in self.points.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{} = {}", self.view.value(option), self.view.value(&Value::Number(*number)))?;
        }
        Ok(())
    }
}

impl Object for Missing {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Iterable
    }

    // An attribute of a missing value is missing, and a missing list is gone through as one of nothing.
    fn get_value(self: &Arc<Self>, _: &minijinja::Value) -> Option<minijinja::Value> {
        Some(minijinja::Value::from_object(Missing(Arc::clone(&self.0))))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Empty
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
