//! Numbers of phases that are written as expressions: they are computed when the plan of an arm is made.

use indexmap::IndexMap;

use crate::config::agenda_settings::AGENDA;
use crate::config::check::declared::SchemaPart;
use crate::config::check::decode::decode_node;
use crate::config::check::hints::check_bounds;
use crate::config::lower::formula::lower_formula;
use crate::config::lower::scope::evaluate_fixed;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::shapes::SHARE_TYPES;
use crate::expression::{Value as Found, list_names, parse_expression};
use crate::plan::Scalar;

/// The whole numbers of forms that may depend on the session.
const LIVE_NUMBERS: [&str; 2] = [".score.max", ".allocation.points"];

/// The values that parameters have when no config sets them.
pub fn default_parameters(tree: &Node) -> IndexMap<String, Scalar> {
    let declared = tree.entries_at("parameters");
    let default = |entry: &MapEntry| Some((entry.key.clone(), decode_node(entry.node.get("default")?).ok()?));
    declared.iter().filter_map(default).collect()
}

/// Whether some number of a phase is an expression.
pub fn has_expressions(tree: &Node) -> bool {
    fill_numbers(&mut tree.clone(), &IndexMap::new(), &mut Problems::default()) > 0
}

/// Puts the values of expressions in their places, which read only parameters; `repeat.times` with a `max` is computed when the
/// block begins. Mistakes are reported, and the number is then the least. Returns how many expressions there are.
pub fn fill_numbers(tree: &mut Node, parameters: &IndexMap<String, Scalar>, problems: &mut Problems) -> u32 {
    let mut filler = Filler { parameters, problems, found: 0 };
    let declared = SchemaPart::of_scenario().property(AGENDA);
    if let Some((declared, agenda)) = declared.zip(tree.child_mut(AGENDA)) {
        filler.fill(declared, agenda, AGENDA);
    }
    filler.found
}

struct Filler<'a> {
    parameters: &'a IndexMap<String, Scalar>,
    problems: &'a mut Problems,
    found: u32,
}

impl Filler<'_> {
    fn fill(&mut self, declared: SchemaPart, node: &mut Node, path: &str) {
        let forms = declared.forms();
        let declared = forms.iter().find(|form| form.accepts_value(&node.value)).copied().unwrap_or(declared);
        let has_max = node.get("max").is_some();
        match &mut node.value {
            Value::Map(entries) => {
                for entry in entries {
                    let path = format!("{path}.{}", entry.key);
                    let is_live = entry.key == "times" && has_max || is_live_number(&path, &entry.node);
                    if let Some(part) = declared.part_of_key(&entry.key).filter(|_| !is_live) {
                        self.fill(part, &mut entry.node, &path);
                    }
                }
            }
            Value::List(items) => {
                for (position, item) in items.iter_mut().enumerate() {
                    let segment = item.segment(position);
                    if let Some(part) = declared.item(position) {
                        self.fill(part, item, &format!("{path}.{segment}"));
                    }
                }
            }
            Value::Text(text) if declared.types().eq(["integer", "string"]) && text.trim() != "rest" => {
                let computed = compute_number(declared, text, self.parameters);
                self.put_value(computed, node, path, declared.placeholder("", &node.place).value);
            }
            Value::Text(text) if declared.types().eq(SHARE_TYPES) => {
                let computed = compute_share(text, self.parameters);
                self.put_value(computed, node, path, Value::Text("1/1".to_owned()));
            }
            _ => {}
        }
    }

    /// Puts the value of an expression in its place; after a mistake, the `least` value.
    fn put_value(&mut self, computed: Result<Value, Mistake>, node: &mut Node, path: &str, least: Value) {
        self.found += 1;
        let text = node.to_text();
        node.value = computed.unwrap_or_else(|(message, hint)| {
            let problem = Problem::at_place(&node.place, path, format!("`{text}`: {message}"));
            self.problems.push(problem.with_hint(hint.or_else(|| suggest_session_number(path))));
            least
        });
    }
}

/// How a number can depend on the session.
fn suggest_session_number(path: &str) -> Option<String> {
    match path.rsplit('.').next() {
        Some("times") => Some("with max: N beside it, it may read values of the session".to_owned()),
        Some("rounds") => Some("write the most rounds, and until: round >= EXPRESSION".to_owned()),
        _ => None,
    }
}

/// Whether a number of a form reads more than parameters: it is computed when the form is asked.
fn is_live_number(path: &str, node: &Node) -> bool {
    let reads = node.as_text().and_then(|text| parse_expression(text).ok()).map(|expression| list_names(&expression));
    let is_of_form = LIVE_NUMBERS.iter().any(|key| path.ends_with(key));
    is_of_form && reads.is_some_and(|reads| reads.iter().any(|read| read.name.as_deref() != Some("parameters")))
}

/// What is wrong with an expression, and a hint if there is one.
type Mistake = (String, Option<String>);

/// The whole number, within the declared bounds, that an expression over parameters has.
fn compute_number(declared: SchemaPart, text: &str, parameters: &IndexMap<String, Scalar>) -> Result<Value, Mistake> {
    let Found::Number(number) = compute_value(text, parameters)? else {
        return Err(("expected a whole number, or an expression that has one".to_owned(), None));
    };
    let whole = number.to_integer().and_then(|whole| i64::try_from(whole).ok());
    let value = Value::Int(whole.ok_or_else(|| (format!("{number} is no whole number"), None))?);
    check_bounds(declared, &value).map_or(Ok(value), |message| Err((message, None)))
}

/// The share that an expression over parameters has, as a ratio.
fn compute_share(text: &str, parameters: &IndexMap<String, Scalar>) -> Result<Value, Mistake> {
    match compute_value(text, parameters)? {
        Found::Number(number) => Ok(Value::Text(format!("{}/{}", number.numerator(), number.denominator()))),
        Found::Text(ratio) => Ok(Value::Text(ratio.to_string())),
        _ => Err(("expected a ratio as in 2/3, a decimal as in 0.75, or an expression that has one".to_owned(), None)),
    }
}

/// The value of an expression that reads only parameters.
fn compute_value(text: &str, parameters: &IndexMap<String, Scalar>) -> Result<Found, Mistake> {
    let plain = |message: &str| (message.to_owned(), None);
    let expression = parse_expression(text).map_err(|problems| {
        let first = problems.into_iter().next().map(|problem| problem.message).unwrap_or_default();
        (first, None)
    })?;
    for read in list_names(&expression) {
        match (read.name.as_deref(), read.attributes.first()) {
            (Some("parameters"), Some(name)) if parameters.contains_key(name) => {}
            (Some("parameters"), Some(name)) => {
                let hint = suggest_word(name, parameters.keys().map(String::as_str));
                return Err((format!("the scenario declares no parameter \"{name}\""), hint));
            }
            _ => return Err(plain("this number is needed when the plan is made, so it may read only parameters")),
        }
    }
    evaluate_fixed(&lower_formula(&Scalar::Text(text.to_owned())), parameters).ok_or_else(|| plain("it has no value"))
}
