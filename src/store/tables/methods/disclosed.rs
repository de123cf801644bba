//! Says in sentences what an agenda shows seats beyond what they say and hear.

use minijinja::Value;

use super::{code_span, describe_selection, list_words};
use crate::plan::{DisclosedBy, DisclosedValue, ITSELF, PhaseDisclosure, Plan, Thing};

/// A sentence about what one part of a phase or block shows.
pub(super) fn describe_disclosure(disclosure: &PhaseDisclosure, plan: &Plan) -> String {
    let PhaseDisclosure { phase, by, field, to, values } = disclosure;
    let part = describe_part(plan, phase, *by, field.as_deref());
    let values = list_words(values.iter().map(|value| describe_value(value, *by)));
    let hint = if is_exact(*by) { "" } else { "something about " };
    format!("{part} showed {hint}{values} to {}.", describe_readers(to, plan))
}

/// Whether seats read the values themselves there; elsewhere they can only infer something about them.
fn is_exact(by: DisclosedBy) -> bool {
    match by {
        DisclosedBy::Text | DisclosedBy::Question | DisclosedBy::Ballots | DisclosedBy::Pay => true,
        DisclosedBy::Options
        | DisclosedBy::Bounds
        | DisclosedBy::Opinion
        | DisclosedBy::Assign
        | DisclosedBy::When
        | DisclosedBy::Until
        | DisclosedBy::Repeat
        | DisclosedBy::Who
        | DisclosedBy::HeardBy => false,
    }
}

/// The part of a phase or block as the subject of a sentence.
fn describe_part(plan: &Plan, phase: &str, by: DisclosedBy, field: Option<&str>) -> String {
    let is_form = plan.sources.is_form(phase);
    let code = |name: &str| code_span(&Value::from(name));
    let within = field.map_or_else(|| code(phase), |field| format!("{} in {}", code(field), code(phase)));
    match by {
        DisclosedBy::Text => format!("The text of {within}"),
        DisclosedBy::Question => format!("The words of the question {within}"),
        DisclosedBy::Options if is_form && field.is_none() => format!("The choice of the seats that {within} is about"),
        DisclosedBy::Options => format!("The options of {within}"),
        DisclosedBy::Bounds => format!("The bounds of {within}"),
        DisclosedBy::Ballots => format!("The open ballots of {within}"),
        DisclosedBy::Pay => format!("The payment in {within}"),
        DisclosedBy::Opinion => format!("The opinion that {within} announced"),
        DisclosedBy::Assign => format!("The groups or roles of {within}"),
        DisclosedBy::When => format!("Whether {within} took place"),
        DisclosedBy::Until => format!("The end of {within}"),
        DisclosedBy::Repeat => format!("The passes of {within}"),
        DisclosedBy::Who => format!("Who took part in {within}"),
        DisclosedBy::HeardBy => format!("Who heard {within}"),
    }
}

/// The seats that are shown something, as the object of a sentence.
fn describe_readers(to: &str, plan: &Plan) -> String {
    let mut groups = plan.agenda.iter().filter_map(|phase| phase.group.as_ref()).map(|group| &group.assignment);
    let in_group = to.rsplit_once(" of a ").filter(|(_, assignment)| groups.any(|own| own == assignment));
    let (seats, group) = in_group.map_or((to, String::new()), |(seats, assignment)| {
        (seats, format!(" of a {}", code_span(&Value::from(assignment))))
    });
    let readers = match (seats, find_seat_of_pass(seats, plan)) {
        ("nobody" | "every seat", _) => seats.to_owned(),
        ("group", _) => "its group".to_owned(),
        (_, Some(name)) => format!("{} alone", code_span(&Value::from(name))),
        (_, None) => describe_selection(seats, "each seat in turn"),
    };
    readers + &group
}

/// The name of the seat for which a pass takes place, if this selects it alone.
pub(super) fn find_seat_of_pass<'t>(seats: &'t str, plan: &Plan) -> Option<&'t str> {
    let name = seats.strip_prefix("seat ==").or_else(|| seats.strip_suffix("== seat"))?.trim();
    let mut things = plan.agenda.iter().flat_map(|phase| &phase.passes).filter_map(|pass| pass.thing.as_ref());
    things.any(|thing| matches!(thing, Thing::Seat { name: own, .. } if own == name)).then_some(name)
}

/// A value that is shown, as the object of a sentence.
fn describe_value(value: &DisclosedValue, by: DisclosedBy) -> String {
    let DisclosedValue { name, of, computed_from, beyond } = value;
    // Names in expressions are one word; whatever is said in words is more than one.
    let code = |name: &str| if name.contains(' ') { name.to_owned() } else { code_span(&Value::from(name)) };
    let (noun, is_name) = match name.strip_prefix("ballot in ") {
        Some(vote) => (format!("ballot in {}", code_span(&Value::from(vote))), false),
        None if matches!(by, DisclosedBy::Ballots | DisclosedBy::Pay) => (name.clone(), false),
        None => (code_span(&Value::from(name.as_str())), true),
    };
    let article = if is_name { "" } else { "the " };
    let shown = match of.as_deref() {
        None => format!("{article}{noun}"),
        Some(ITSELF) => format!("its own {noun}"),
        Some(of) => format!("{article}{noun} of {}", code(of)),
    };
    let from = match computed_from.as_slice() {
        [] => String::new(),
        grounds => format!(" (computed from {})", list_words(grounds.iter().map(|ground| code(ground)))),
    };
    let beyond = beyond.as_ref().map_or(String::new(), |beyond| format!(" ({beyond})"));
    format!("{shown}{from}{beyond}")
}
