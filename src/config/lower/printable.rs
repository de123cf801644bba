//! What the texts of a phase may print of a session, and examples of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::lower::conditions::{is_own_answer, is_set_only_later, missing_own_answer, scope_in_phase};
use crate::config::lower::each::{self, WrittenThings};
use crate::config::lower::scope::{About, Drawing, PassKnown};
use crate::config::lower::texts;
use crate::config::scenario::Scenario;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{AskConfig, PhaseConfig};
use crate::domain::{Holder, Language, SeatId};
use crate::expression::{Fraction, Lookup, PointsOptions, Scope, Type, Value};
use crate::plan::{LoopColumn, Scalar};
use crate::prompt::{Attribute, LiveText, PUBLIC, Scene};

/// The seats of the example.
pub const EXAMPLE_SEATS: [SeatId; 3] = [SeatId(0), SeatId(1), SeatId(2)];
/// Lists of seats, and what a text says of its phase and its reader.
const LISTS: [&str; 5] = ["seats", "everyone", "group", "others", "nobody"];
const OF_READER: [&str; 2] = ["seat", "me"];

/// A phase in which votes may be held.
struct PrintableVote {
    name: String,
    /// The parts of its votes with their types.
    parts: Vec<(&'static str, Type)>,
    /// How many options it has at least.
    options: usize,
}

/// The names that a text of one phase may print.
pub struct PrintableNames {
    /// The position of the phase, as written.
    place: usize,
    pass: PassKnown,
    in_groups: bool,
    /// The attributes of seats with their types.
    attributes: Vec<(String, Type)>,
    /// The fields of each phase that asks a form.
    forms: IndexMap<String, Vec<(String, Type)>>,
    /// The votes whose ballots a text may print, with the types of a ballot.
    ballots: Vec<(String, Type)>,
    /// The variables of the session, and roles, with their types.
    variables: Vec<(String, Type)>,
    /// The values of groups with their types.
    group_values: Vec<(String, Type)>,
    /// The phases in which votes may be held.
    votes: Vec<PrintableVote>,
    /// The names of kept texts.
    texts: Vec<String>,
    /// The names of the things of passes, and what of each may be printed.
    things: Vec<(String, PrintableThing)>,
    /// Whether a question is about each of several seats: `target`.
    is_about_seats: bool,
}

/// What a text may print of the thing of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PrintableThing {
    /// The word.
    Word,
    /// The parts of a text.
    Text,
    /// The parts of an item, with these further columns.
    Item(Vec<String>),
}

impl PrintableThing {
    /// Its parts; none of a word.
    fn parts(&self) -> Vec<&str> {
        match self {
            PrintableThing::Word => Vec::new(),
            PrintableThing::Text => vec!["letter", "name", "text", "lines", "author", "version"],
            PrintableThing::Item(columns) => {
                ["id", "text"].into_iter().chain(columns.iter().map(String::as_str)).collect()
            }
        }
    }
}

impl PrintableNames {
    /// The names that a text of a phase may print.
    pub fn of_phase(scenario: &Scenario, phase: &PhaseConfig) -> Self {
        let scope = scope_in_phase(scenario, phase, About::Seat, Drawing::Refused("a text"));
        let block = scope.block;
        let mut attributes = Vec::new();
        let mut forms: IndexMap<String, Vec<(String, Type)>> = IndexMap::new();
        let is_vote =
            |name: &str| scenario.written.agenda.iter().any(|phase| phase.name == name && phase.vote.is_some());
        let mut ballots = Vec::new();
        for name in scope.list_attributes(None, &Type::Seat) {
            match scope.find_attribute(&Type::Seat, &name) {
                Lookup::Found(kind) if is_vote(&name) => ballots.push((name, kind)),
                Lookup::Found(form @ Type::Record(_)) => {
                    let fields = scope.list_attributes(None, &form).into_iter();
                    let typed = fields.filter_map(|field| match scope.find_attribute(&form, &field) {
                        Lookup::Found(kind) => Some((field, kind)),
                        _ => None,
                    });
                    forms.insert(name, typed.collect());
                }
                Lookup::Found(kind) => attributes.push((name, kind)),
                Lookup::Unknown | Lookup::Refused(_) => {}
            }
        }
        let found = |(name, lookup): (String, Lookup)| match lookup {
            Lookup::Found(kind) if !matches!(kind, Type::Record(_)) => Some((name, kind)),
            _ => None,
        };
        let is_own = |name: &String| LISTS.contains(&name.as_str()) || OF_READER.contains(&name.as_str());
        let find_thing = |name: &str| each::find_thing(scenario, block, name);
        let is_text = |name: &String| {
            let is_kept = texts::find_texts(&scenario.written.agenda, name).is_some();
            is_kept || find_thing(name).is_some_and(|things| !matches!(things, WrittenThings::Seats(_)))
        };
        let names = scope.list_names().into_iter().filter(|name| !is_own(name) && !is_text(name));
        let variables = names.map(|name| (name.clone(), scope.find_name(&name))).filter_map(found).collect();
        let of_groups = scenario.variables.iter().filter(|(_, variable)| variable.of == Holder::Group);
        let of_groups = of_groups.map(|(name, _)| name.as_str()).chain(["number"]);
        let group_values =
            of_groups.map(|name| (name.to_owned(), scope.find_member("group", name))).filter_map(found).collect();
        let describe_vote = |name: &str| PrintableVote {
            name: name.to_owned(),
            parts: scope.list_vote_parts(name),
            options: scope.count_vote_options(name),
        };
        let votes = scope.votes().map(describe_vote).collect();
        let texts: Vec<String> = texts::list_texts(&scenario.written.agenda).into_iter().map(str::to_owned).collect();
        let things = each::list_things(scenario, block).into_iter();
        let things = things.filter_map(|name| match find_thing(name)? {
            WrittenThings::Words(_) => Some((name.to_owned(), PrintableThing::Word)),
            WrittenThings::Items => Some((name.to_owned(), PrintableThing::Item(list_item_columns(scenario, phase)))),
            WrittenThings::Texts(..) => Some((name.to_owned(), PrintableThing::Text)),
            WrittenThings::Seats(_) => None,
        });
        let things: Vec<(String, PrintableThing)> = things.collect();
        let place = scenario.written.agenda.iter().position(|other| other.name == phase.name);
        Self {
            place: place.expect("invariant: a phase is in its agenda"),
            pass: scope.pass,
            in_groups: scope.in_groups,
            attributes,
            forms,
            ballots,
            variables,
            group_values,
            votes,
            texts,
            things,
            is_about_seats: false,
        }
    }

    /// The names that a question of a form may print, and the key of the form's fields below its phase.
    pub fn of_form(scenario: &Scenario, phase: &PhaseConfig, ask: &AskConfig) -> (Self, &'static str) {
        let is_about_seats = ask.per().is_some();
        let key = if is_about_seats { "ask.form" } else { "ask" };
        (Self { is_about_seats, ..Self::of_phase(scenario, phase) }, key)
    }

    /// Every name, with the attributes of the reader.
    pub fn list_names(&self) -> impl Iterator<Item = String> {
        let passes: &[&str] = match self.pass {
            PassKnown::Nowhere => &[],
            PassKnown::Whole => &["pass.number", "pass.first", "pass.last"],
            PassKnown::UntilEnd => &["pass.number", "pass.first"],
        };
        let is_read = |name: &&&str| !self.in_groups || !matches!(**name, "seats" | "everyone");
        let plain = LISTS.iter().filter(is_read).chain(&["phase"]).chain(passes).map(|name| (*name).to_owned());
        let attributes = self.attributes.iter().chain(&self.ballots).map(|(name, _)| name).chain(self.forms.keys());
        let seats = self.variables.iter().filter(|(_, kind)| *kind == Type::Seat).map(|(name, _)| name.as_str());
        let seats: Vec<&str> = seats.chain(OF_READER).collect();
        let own =
            attributes.flat_map(move |name| seats.iter().map(|seat| format!("{seat}.{name}")).collect::<Vec<_>>());
        let targets = PUBLIC.map(|name| format!("target.{name}")).into_iter();
        let targets = targets.filter(|_| self.is_about_seats);
        let parts = |vote: &PrintableVote| {
            vote.parts.iter().map(|(part, _)| format!("{}.{part}", vote.name)).collect::<Vec<_>>()
        };
        let votes = self.votes.iter().flat_map(parts);
        let things = self.things.iter().flat_map(|(name, thing)| match thing.parts().as_slice() {
            [] => vec![name.clone()],
            parts => parts.iter().map(|part| format!("{name}.{part}")).collect(),
        });
        let texts = self.texts.iter().cloned().chain(things);
        let variables = self.variables.iter().map(|(name, _)| name.clone());
        let group_values = self.group_values.iter().map(|(name, _)| format!("group.{name}"));
        plain.chain(own).chain(targets).chain(votes).chain(texts).chain(variables).chain(group_values)
    }

    /// Whether a text prints values of the session.
    pub fn is_read_by(&self, text: &LiveText) -> bool {
        let is_live = |root: &str| {
            let own = LISTS.contains(&root) || OF_READER.contains(&root) || ["phase", "pass", "target"].contains(&root);
            own || self.variables.iter().any(|(name, _)| name == root)
                || self.votes.iter().any(|vote| vote.name == root)
                || self.texts.iter().any(|name| name == root)
                || self.things.iter().any(|(name, _)| name == root)
        };
        text.read_names().iter().any(|name| is_live(name.split('.').next().unwrap_or(name)))
    }

    /// The values that a text prints and that are only set later: they would be missing in every session. A text that says what to print
    /// for a missing value has none.
    pub fn find_set_later(&self, scenario: &Scenario, text: &LiveText) -> Vec<(String, String)> {
        let words = text.list_code_words();
        if words.contains("missing") || words.contains("default") {
            return Vec::new();
        }
        let has_values = |root: &String| LISTS.contains(&root.as_str()) || OF_READER.contains(&root.as_str());
        let reads = text.list_reads().into_iter().filter_map(|read| {
            let root = read.name?;
            if has_values(&root) || root == "target" { read.attributes.into_iter().next() } else { Some(root) }
        });
        let is_value = |name: &String| !["parameters", "item", "pass"].contains(&name.as_str());
        let find_mistake = |name: String| {
            let message = if is_own_answer(scenario, self.place, &name) {
                missing_own_answer(&name)
            } else if is_set_only_later(scenario, self.place, &name) {
                format!("`{name}` is set only later, so it would always be missing here")
            } else {
                return None;
            };
            Some((name, message))
        };
        reads.filter(is_value).filter_map(find_mistake).collect()
    }

    /// Limits what is looked up for a text to what it names.
    pub fn narrow(&self, text: &mut LiveText) {
        let attributes = self.attributes.iter().chain(&self.ballots).map(|(name, _)| name).chain(self.forms.keys());
        let variables = self
            .variables
            .iter()
            .map(|(name, _)| name)
            .chain(self.votes.iter().map(|vote| &vote.name))
            .chain(&self.texts)
            .chain(self.things.iter().map(|(name, _)| name));
        let words = text.list_code_words();
        let is_named = |name: &&String| words.contains(name.as_str());
        text.attributes = attributes.filter(is_named).cloned().collect();
        text.names = variables.filter(is_named).cloned().collect();
        let columns = self.things.iter().flat_map(|(_, thing)| match thing {
            PrintableThing::Item(columns) => columns.as_slice(),
            PrintableThing::Word | PrintableThing::Text => &[],
        });
        text.columns = columns.filter(is_named).cloned().collect();
        text.group_values = self.group_values.iter().map(|(name, _)| name).filter(is_named).cloned().collect();
    }

    /// Scenes in which everybody gave every value, and in which nobody gave any.
    pub fn example_scenes(
        &self,
        scenario: &Scenario,
        parameters: &IndexMap<String, Scalar>,
        language: Language,
    ) -> [Arc<Scene>; 2] {
        let missing = |_: &Type| Value::Missing;
        let examples: [&dyn Fn(&Type) -> Value; 2] = [&example_value, &missing];
        examples.map(|example| {
            let named = |values: &[(String, Type)]| -> BTreeMap<String, Attribute> {
                values.iter().map(|(name, kind)| (name.clone(), Attribute::Value(example(kind)))).collect()
            };
            let votes = self.votes.iter().map(|vote| (vote.name.clone(), example_vote(vote, example)));
            let texts = self.texts.iter().map(|name| (name.clone(), Attribute::List(vec![example_text()])));
            let things = self.things.iter().map(|(name, thing)| {
                let word = || Attribute::Value(Value::Text("word".into()));
                let example = match thing {
                    PrintableThing::Word => word(),
                    PrintableThing::Text => example_text(),
                    PrintableThing::Item(_) => {
                        Attribute::from_parts(thing.parts().iter().map(|part| ((*part).to_owned(), word())))
                    }
                };
                (name.clone(), example)
            });
            let seat = |seat: u32| {
                let attributes = named(&self.attributes).into_iter().map(|(name, value)| match &*name {
                    "name" => (name, Attribute::Value(Value::Text(format!("Seat {}", seat + 1).into()))),
                    "index" => (name, Attribute::Value(Value::Number(Fraction::from(seat + 1)))),
                    "present" => (name, Attribute::Value(Value::YesNo(true))),
                    _ => (name, value),
                });
                let forms = self.forms.iter();
                let forms = forms.map(|(phase, fields)| (phase.clone(), Attribute::from_parts(named(fields))));
                let ballots = self.ballots.iter().map(|(vote, kind)| (vote.clone(), example_ballot(kind, example)));
                attributes.chain(forms).chain(ballots).collect()
            };
            Arc::new(Scene {
                phase: "phase".to_owned(),
                parameters: parameters.iter().map(|(name, value)| (name.clone(), value.parameter_value())).collect(),
                item: scenario.items.text.clone(),
                pass: (self.pass != PassKnown::Nowhere).then_some((2, 3)),
                present: EXAMPLE_SEATS.to_vec(),
                seats: EXAMPLE_SEATS.iter().map(|own| seat(own.0)).collect(),
                group_values: named(&self.group_values),
                values: named(&self.variables).into_iter().chain(votes).chain(texts).chain(things).collect(),
                missing: language.no_answer().into(),
            })
        })
    }
}

/// The further columns of items that texts of a phase may print: those for everyone, and those for a role that alone takes part in it.
fn list_item_columns(scenario: &Scenario, phase: &PhaseConfig) -> Vec<String> {
    let around = scenario.blocks_around(phase).filter_map(|block| block.who.as_ref());
    let is_of = |role: &String| {
        let is_role =
            |who: &SeatsConfig| matches!(who, SeatsConfig::Expression(Scalar::Text(text)) if text.trim() == role);
        around.clone().chain(&phase.who).any(is_role)
    };
    let columns = scenario.items.columns.iter();
    let may_print = |column: &&LoopColumn| column.roles.is_empty() || column.roles.iter().any(is_of);
    columns.filter(may_print).map(|column| column.name.clone()).collect()
}

/// An example of a kept text.
fn example_text() -> Attribute {
    let part = |name: &str, value: Value| (name.to_owned(), Attribute::Value(value));
    let words = [("letter", "A"), ("name", "A"), ("text", "words"), ("lines", "words")];
    let words = words.map(|(name, words)| part(name, Value::Text(words.into())));
    let (name, author) = part("author", Value::Seat(1));
    let rest = [part("version", Value::Number(Fraction::ONE)), (name, Attribute::Disclosed(Box::new(author)))];
    Attribute::from_parts(words.into_iter().chain(rest))
}

/// An example of a ballot that a seat cast, or of one that it did not.
fn example_ballot(kind: &Type, example: &dyn Fn(&Type) -> Value) -> Attribute {
    match kind {
        _ if example(&Type::YesNo) == Value::Missing => Attribute::Value(Value::Missing),
        Type::Record(_) => example_option(example),
        Type::List(element) if matches!(**element, Type::Record(_)) => Attribute::List(vec![example_option(example)]),
        kind => Attribute::Value(example(kind)),
    }
}

/// An example of an option of a vote.
fn example_option(example: &dyn Fn(&Type) -> Value) -> Attribute {
    let value = |kind: &Type| Attribute::Value(example(kind));
    let texts = ["name", "label", "letter", "text"].map(|part| (part.to_owned(), value(&Type::Text)));
    let numbers = ["amount", "count", "score"].map(|part| (part.to_owned(), value(&Type::Number)));
    let author = ("author".to_owned(), Attribute::Disclosed(Box::new(value(&Type::Seat))));
    let voters = ("voters".to_owned(), Attribute::Disclosed(Box::new(value(&Type::list_of(Type::Seat)))));
    let seat = ("seat".to_owned(), value(&Type::Seat));
    Attribute::from_parts(texts.into_iter().chain(numbers).chain([author, seat, voters]))
}

/// An example of a vote that was held, or of one that was not.
fn example_vote(vote: &PrintableVote, example: &dyn Fn(&Type) -> Value) -> Attribute {
    let value = |kind: &Type| Attribute::Value(example(kind));
    let is_held = example(&Type::YesNo) == Value::YesNo(true);
    let part = |name: &str, kind: &Type| match kind {
        _ if !is_held => value(kind),
        Type::Record(_) => example_option(example),
        Type::List(element) if matches!(**element, Type::Record(_)) => {
            let count = if name == "options" { vote.options } else { 1 };
            Attribute::List(vec![example_option(example); count])
        }
        kind => value(kind),
    };
    Attribute::from_parts(vote.parts.iter().map(|(name, kind)| ((*name).to_owned(), part(name, kind))))
}

/// An example of a type.
fn example_value(kind: &Type) -> Value {
    match kind {
        Type::Number => Value::Number(Fraction::ONE),
        Type::YesNo => Value::YesNo(true),
        Type::Text => Value::Text("words".into()),
        Type::Seat => Value::Seat(1),
        Type::List(element) => Value::List([example_value(element)].into()),
        Type::Points(PointsOptions::Words(words)) => {
            Value::Points(words.iter().map(|word| (Value::Text(word.as_str().into()), Fraction::ONE)).collect())
        }
        Type::Points(PointsOptions::Seats) => {
            Value::Points(EXAMPLE_SEATS.map(|seat| (Value::Seat(seat.0), Fraction::ONE)).into_iter().collect())
        }
        Type::Option(_) | Type::Record(_) | Type::Unknown => Value::Missing,
    }
}
