//! The rules of simulated seats: which questions they answer, and with values of which type.

use crate::config::lower::conditions::{is_own_answer, list_own_answers, scope_in_phase};
use crate::config::lower::each::{WrittenThings, read_things, things_around};
use crate::config::lower::mind_reader::MindReader;
use crate::config::lower::scope::{About, Drawing, ExpressionScope, holds_votes, is_option, type_of_field};
use crate::config::scenario::Scenario;
use crate::config::written::each::ForConfig;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{FieldConfig, PhaseConfig, fields_of};
use crate::domain::BallotForm;
use crate::expression::{Lookup, Scope, Type, list_written_texts, parse_expression};
use crate::plan::Voting;
use crate::text::nearest_word;

/// What a rule answers to abstain from a vote.
const ABSTAIN: &str = "abstain";
/// What a rule gives scores or points by.
const NUMBERS: &str = "a list of numbers, one for each option in the order in which they are written";

/// The names of all questions that rules may answer: ids of fields, and phases of votes.
pub fn list_ruled(scenario: &Scenario) -> Vec<&str> {
    let agenda = &scenario.written.agenda;
    let votes = agenda.iter().filter(|phase| holds_votes(phase)).map(|phase| phase.name.as_str());
    fields_of(agenda).map(|(_, field)| field.id.as_str()).chain(votes).collect()
}

/// The mistakes of a rule that answers the fields of an id, or votes in the phase of this name.
pub fn find_rule_mistakes(reader: &MindReader<'_>, id: &str, text: &str) -> Vec<String> {
    let agenda = &reader.scenario.written.agenda;
    let fields: Vec<_> = fields_of(agenda).filter(|(_, field)| field.id == id).collect();
    let vote = agenda.iter().find(|phase| phase.name == id && holds_votes(phase));
    let mut mistakes: Vec<String> = Vec::new();
    for (phase, field) in &fields {
        let scope = scope_in(reader.scenario, phase);
        let options = field.written_options().filter(|_| field.seat_options().is_none());
        if let Some(SeatsConfig::Names(options)) = options {
            mistakes.extend(find_strange_texts(text, options, None));
        }
        mistakes.extend(match (type_of_field(field), scope.type_of(text)) {
            (_, Err(mistakes)) => mistakes,
            (Lookup::Found(Type::Points(_)), Ok(kind)) if is_list(&kind, &is_number) => Vec::new(),
            (Lookup::Found(Type::Points(_)), Ok(kind)) => vec![format!("the answer is {NUMBERS}, and this is {kind}")],
            (Lookup::Found(wanted), Ok(_)) => scope.find_mistakes(text, (&wanted, "the answer")),
            (Lookup::Unknown | Lookup::Refused(_), Ok(_)) => Vec::new(),
        });
    }
    // What a rule answers in several phases, it may read of another one.
    let places = || fields.iter().filter_map(|(phase, _)| scope_in(reader.scenario, phase).ruled);
    let is_own = |name: &String| places().all(|place| is_own_answer(reader.scenario, place, name));
    let own = places().next().map(|place| list_own_answers(reader.scenario, place, text)).unwrap_or_default();
    let turn = fields.iter().find_map(|(phase, _)| find_turn(reader.scenario, phase));
    mistakes.extend(own.into_iter().filter(is_own).map(|name| missing_answer(&name, turn)));
    match vote {
        Some(_) if !fields.is_empty() => mistakes.push(format!("a field and a vote are called \"{id}\": rename one")),
        Some(phase) => mistakes.extend(find_ballot_mistakes(reader, phase, text)),
        None if fields.is_empty() => {
            mistakes.push(format!("no form asks for \"{id}\", and no vote is called that"));
        }
        None => {}
    }
    mistakes.dedup();
    mistakes
}

/// What a block around a phase calls the seat whose turn it is, if the block takes place for each of several seats.
fn find_turn<'a>(scenario: &'a Scenario, phase: &PhaseConfig) -> Option<&'a str> {
    let mut around = things_around(scenario, phase.within.last().copied());
    let of_seats = around.find(|each| matches!(read_things(each, scenario), WrittenThings::Seats(_)));
    of_seats.map(ForConfig::name)
}

/// What is wrong with a rule that reads answers to its own question, and what to write instead: of a question that seats answer in turn a
/// value that adds their answers up.
fn missing_answer(name: &str, turn: Option<&str>) -> String {
    let remedy = match turn {
        Some(seat) => format!(
            "earlier seats answered in passes of their own: count their answers in a phase after the question, as in compute: {{ seen: \"seen + (1 if {seat}.{name} == … else 0)\" }} with a start in `variables`, and read seen"
        ),
        None => format!(
            "write previous({name}) for the seat's answer of the pass before, or compute a value after each pass"
        ),
    };
    format!("`{name}` is answered only here, so it would always be missing; {remedy}")
}

/// How to write a rule that answers a text, if it is a word that names nothing.
pub fn suggest_quotes(reader: &MindReader<'_>, id: &str, text: &str) -> Option<String> {
    let answers = |phase: &&PhaseConfig| {
        let mut fields = phase.fields().iter();
        let is_text = |field: &FieldConfig| matches!(type_of_field(field), Lookup::Found(Type::Text | Type::List(_)));
        phase.name == id && holds_votes(phase) || fields.any(|field| field.id == id && is_text(field))
    };
    let phase = reader.scenario.written.agenda.iter().find(answers)?;
    scope_in(reader.scenario, phase).suggest_quotes(text)
}

/// What a rule reads: what a question of the phase may print, and what the seat heard. It may draw.
fn scope_in<'a>(scenario: &'a Scenario, phase: &PhaseConfig) -> ExpressionScope<'a> {
    let about = if phase.asks_about_seats() { About::RuleOfTarget } else { About::Rule };
    let ruled = scenario.written.agenda.iter().position(|other| other.name == phase.name);
    ExpressionScope { ruled, ..scope_in_phase(scenario, phase, about, Drawing::Allowed) }
}

/// The mistakes of a rule that votes in a phase. What a ballot is the decision of the arm may say.
fn find_ballot_mistakes(reader: &MindReader<'_>, phase: &PhaseConfig, text: &str) -> Vec<String> {
    let kind = match scope_in(reader.scenario, phase).type_of(text) {
        Ok(kind) => kind,
        Err(mistakes) => return mistakes,
    };
    let voting = match &phase.vote {
        Some(_) => reader.votes.and_then(|votes| votes.get(&phase.name)).map(|vote| vote.voting),
        None => reader.voting,
    };
    let Some(Voting { form, may_abstain, .. }) = voting else { return Vec::new() };
    let (is_fit, wanted) = match form {
        BallotForm::Choice => (is_option(&kind), "one option: its name in quotes, a seat or a text"),
        BallotForm::Amount => (is_number(&kind), "a number"),
        BallotForm::Approval => (is_list(&kind, &is_option), "a list of options"),
        BallotForm::Ranking { .. } => (is_list(&kind, &is_option), "a list of options, the best first"),
        BallotForm::Score { .. } | BallotForm::Allocation { .. } => (is_list(&kind, &is_number), NUMBERS),
    };
    let strange = match scope_in(reader.scenario, phase).list_option_words(&phase.name, "name") {
        Some(names) => find_strange_texts(text, &names, may_abstain.then_some(ABSTAIN)),
        // Texts and seats are not called that; items may have such an option.
        None if !may_abstain && reader.asked.1.is_empty() && writes_abstention(text) => {
            vec![format!("\"{ABSTAIN}\" is no option: seats may not abstain in this vote")]
        }
        None => Vec::new(),
    };
    if !strange.is_empty() {
        return strange;
    }
    if is_fit { Vec::new() } else { vec![format!("the ballot is {wanted}, and this is {kind}")] }
}

/// Whether a rule may answer that it abstains.
fn writes_abstention(text: &str) -> bool {
    parse_expression(text).is_ok_and(|expression| list_written_texts(&expression).contains(&ABSTAIN))
}

/// The texts in quotes that a rule may answer and that are no option, nor the word for an abstention where seats may abstain.
fn find_strange_texts(text: &str, options: &[String], abstention: Option<&str>) -> Vec<String> {
    let Ok(expression) = parse_expression(text) else { return Vec::new() };
    let is_option = |said: &str| abstention == Some(said) || options.iter().any(|option| option == said);
    let strange = list_written_texts(&expression).into_iter().filter(|said| !is_option(said));
    let tell = |said: &str| {
        let hint = nearest_word(said, options.iter().map(String::as_str));
        let hint = hint.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        format!("\"{said}\" is no option, only: {}{hint}", options.join(", "))
    };
    strange.map(tell).collect()
}

fn is_number(kind: &Type) -> bool {
    matches!(kind, Type::Number | Type::Unknown)
}

/// Whether a type is a list of elements of a type.
fn is_list(kind: &Type, is_element: &dyn Fn(&Type) -> bool) -> bool {
    match kind {
        Type::List(element) => **element == Type::Unknown || is_element(element),
        other => *other == Type::Unknown,
    }
}
