//! What the expressions of a scenario may read, and the words for their mistakes.

use indexmap::IndexMap;

use crate::config::lower::chosen_seats::{WrittenOver, read_over};
use crate::config::lower::each::WrittenThings;
use crate::config::lower::grouping::{find_groups, find_holders, list_roles, makes_groups};
use crate::config::lower::known_of_others::{RULE_READS, explain_unknown, is_heard_by_all, is_known_of_others};
use crate::config::lower::voting::usual_ballot;
use crate::config::lower::{each, texts};
use crate::config::scenario::Scenario;
use crate::config::tree::{Node, Value};
use crate::config::written::decision::BallotWord;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{FieldConfig, ParameterConfig, ParameterKind, PhaseConfig, fields_of};
use crate::domain::Holder;
use crate::expression::{
    Expr, ExprKind, ExpressionProblem, Function, Lookup, PointsOptions, RecordId, Scope, Series, Type, Value as Found,
    World, check_types, evaluate, evaluate_constant, find_certain_failures, parse_expression, show_expression,
};
use crate::plan::{Formula, Holders, Scalar, store_number};

/// The records that expressions read: the parameters, the pass, the item of the pass, and from [`FORMS`] on the form of each phase.
const PARAMETERS: u32 = 0;
const PASS: u32 = 1;
const ITEM: u32 = 2;
const FORMS: u32 = 3;
/// From here on a vote, by the place of its phase, and an option of a vote.
const VOTES: u32 = 1 << 30;
const OPTION: u32 = 1 << 31;
/// From here on a text, by the position of the name under which it is kept.
const TEXTS: u32 = 3 << 30;
/// What an item has, with its type. The key of one may be a number, and of another yes or no, or words.
const OF_ITEMS: [(&str, &dyn Fn() -> Type); 3] =
    [("id", &|| Type::Text), ("text", &|| Type::Text), ("key", &|| Type::Unknown)];
/// What a text has, with its type.
const OF_TEXTS: [(&str, &dyn Fn() -> Type); 6] = [
    ("letter", &|| Type::Text),
    ("name", &|| Type::Text),
    ("text", &|| Type::Text),
    ("lines", &|| Type::Text),
    ("author", &|| Type::Seat),
    ("version", &|| Type::Number),
];
/// What a vote has, with its type.
const OF_VOTES: [(&str, &dyn Fn() -> Type); 4] = [
    ("decided", &|| Type::YesNo),
    ("winner", &|| Type::Record(OPTION)),
    ("winners", &|| Type::list_of(Type::Record(OPTION))),
    ("options", &|| Type::list_of(Type::Record(OPTION))),
];
/// What an option of a vote has, with its type.
const OF_OPTIONS: [(&str, &dyn Fn() -> Type); 10] = [
    ("name", &|| Type::Text),
    ("label", &|| Type::Text),
    ("amount", &|| Type::Number),
    ("count", &|| Type::Number),
    ("score", &|| Type::Number),
    ("letter", &|| Type::Text),
    ("text", &|| Type::Text),
    ("author", &|| Type::Seat),
    ("seat", &|| Type::Seat),
    ("voters", &|| Type::list_of(Type::Seat)),
];

/// The names that expressions have for something else than variables.
pub const RESERVED: [&str; 14] = [
    "parameters",
    "item",
    "phase",
    "round",
    "wave",
    "pass",
    "seat",
    "me",
    "target",
    "seats",
    "everyone",
    "group",
    "others",
    "nobody",
];
/// What a question may print of other seats.
const NOTHING_OF_OTHERS: &str =
    "a question may not depend on what other seats said; compute a value of the session before, in groups group.NAME";
const NOTHING_OF_TRUTH: &str = "a question may not depend on what is right";
/// What every seat has.
pub const OF_SEATS: [&str; 4] = ["name", "role", "index", "present"];

/// Whether a word may be the name of a value.
pub fn is_value_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// What is known of the pass of the innermost repeated block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassKnown {
    /// There is no repeated block around.
    Nowhere,
    /// It is repeated a number of times.
    Whole,
    /// It is repeated until something holds, so that its last pass is not known before.
    UntilEnd,
}

/// Whether an expression is about the session or about one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// About the session.
    Session,
    /// About the session after a round of a discussion.
    Round,
    /// About one seat.
    Seat,
    /// Part of a question to one seat, which may not disclose what others said.
    Question,
    /// What a seat's rule answers, which depends on what a question to the seat may print, and on what it was told and heard of others.
    Rule,
    /// The same about another seat, the target.
    RuleOfTarget,
    /// About each seat that might take part.
    Candidate,
    /// About each seat that another seat might be asked about.
    Target,
}

/// Whether an expression may draw at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawing {
    /// It computes a value, and may draw.
    Allowed,
    /// It may not, being this.
    Refused(&'static str),
}

impl About {
    /// Whether it is a question to one seat or its answer, which private values of others may not reach.
    fn is_private(self) -> bool {
        self.is_rule() || self == About::Question
    }

    /// Whether it is what a rule answers.
    fn is_rule(self) -> bool {
        matches!(self, About::Rule | About::RuleOfTarget)
    }
}

/// The names of an expression at one place of a scenario.
#[derive(Clone, Copy)]
pub struct ExpressionScope<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The pass around the place.
    pub pass: PassKnown,
    /// What the expression is about.
    pub about: About,
    /// Whether it may draw.
    pub drawing: Drawing,
    /// Whether the place is within groups that are side by side, where nothing is read of other groups.
    pub in_groups: bool,
    /// The innermost block around the place, by its position.
    pub block: Option<usize>,
    /// The place of the phase in which a rule reads it; `None` elsewhere.
    pub ruled: Option<usize>,
}

/// A single value as an expression; empty for anything else.
pub fn write_node(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Null | Value::List(_) | Value::Map(_) => String::new(),
    }
}

/// The value of an expression that reads only parameters; `None` if it reads anything else, or has no value.
pub fn evaluate_fixed(formula: &Formula, parameters: &IndexMap<String, Scalar>) -> Option<Found> {
    evaluate(&formula.expression, &mut ParameterWorld(parameters)).ok()
}

/// What is known before a session: the parameters.
struct ParameterWorld<'a>(&'a IndexMap<String, Scalar>);

impl World for ParameterWorld<'_> {
    fn read_name(&self, name: &str) -> Option<Found> {
        (name == "parameters").then_some(Found::Record(RecordId(u64::from(PARAMETERS))))
    }

    fn read_attribute(&self, _: &Found, attribute: &str) -> Option<Found> {
        self.0.get(attribute)?.parameter_value().expression_value()
    }
}

impl ExpressionScope<'_> {
    /// The type of an expression.
    ///
    /// # Errors
    /// Its mistakes.
    pub fn type_of(&self, text: &str) -> Result<Type, Vec<String>> {
        let word = |problem: ExpressionProblem| match &text[problem.span.start..problem.span.end] {
            "" => format!("at the end of `{}`: {}", show_expression(text), problem.message),
            part => format!("in `{}`: {}", show_expression(part), problem.message),
        };
        let found = parse_expression(text).and_then(|expression| {
            let found = check_types(&expression, self)?;
            let failures = find_certain_failures(&expression).into_iter();
            let mut mistakes: Vec<ExpressionProblem> = failures
                .map(|failure| ExpressionProblem { span: failure.span, message: failure.to_string() })
                .collect();
            if let Some(Found::Number(number)) = evaluate_constant(&expression)
                && store_number(number).is_none()
            {
                let message = "this number has more than 15 digits".to_owned();
                mistakes.push(ExpressionProblem { span: expression.span, message });
            }
            if mistakes.is_empty() { Ok(found) } else { Err(mistakes) }
        });
        found.map_err(|problems| problems.into_iter().map(word).collect())
    }

    /// Whether a text is a single word that names nothing here.
    pub fn is_unknown_word(&self, text: &str) -> bool {
        let is_name = |expression: &Expr| matches!(expression.kind, ExprKind::Name(_));
        let is_known = |word: &str| Function::find_by_name(word).is_some() || self.find_name(word) != Lookup::Unknown;
        parse_expression(text).is_ok_and(|expression| is_name(&expression)) && !is_known(text.trim())
    }

    /// How to write a text as an expression, if what is written is a word that names nothing here.
    pub fn suggest_quotes(&self, text: &str) -> Option<String> {
        let word = text.trim();
        self.is_unknown_word(word).then(|| format!("a text has quotes of its own within the expression: \"'{word}'\""))
    }

    /// The mistakes of an expression that must have a type, which `wanted` says with what it is for.
    pub fn find_mistakes(&self, text: &str, (wanted, what): (&Type, &str)) -> Vec<String> {
        match self.type_of(text) {
            Ok(found) if found == *wanted || found == Type::Unknown => Vec::new(),
            Ok(other) => vec![format!("{what} is {wanted}, and this is {other}")],
            Err(mistakes) => mistakes,
        }
    }

    /// The record of the votes of a phase; `None` if none are held in it.
    fn vote_of(&self, name: &str) -> Option<u32> {
        let phases = &self.scenario.written.agenda;
        let place = phases.iter().position(|phase| phase.name == name && holds_votes(phase))?;
        Some(VOTES + u32::try_from(place).unwrap_or(u32::MAX - OPTION))
    }

    /// The type of a part of the votes of the phase at a place. The winners of a vote over seats are seats, and outside groups a vote in
    /// groups has a list.
    fn find_in_vote(&self, place: u32, attribute: &str) -> Lookup {
        let Some(phase) = self.scenario.written.agenda.get(place as usize) else { return Lookup::Unknown };
        let is_over_seats = phase.vote.as_ref().is_some_and(|vote| {
            matches!(read_over(vote, self.scenario), WrittenOver::Seats(_) | WrittenOver::Nothing(_))
        });
        let is_listed = !self.in_groups && find_groups(self.scenario, phase).is_some();
        match (find_part(&OF_VOTES, attribute), attribute) {
            (_, "winners" | "options") if is_listed => {
                Lookup::Refused(format!("each group has a list of {attribute}: read it within the groups"))
            }
            (Lookup::Found(_), "winners") if is_over_seats => Lookup::Found(Type::list_of(Type::Seat)),
            (Lookup::Found(kind), _) => {
                let kind = if is_over_seats && attribute == "winner" { Type::Seat } else { kind };
                Lookup::Found(if is_listed { Type::list_of(kind) } else { kind })
            }
            (other, _) => other,
        }
    }

    /// The parts of the votes of a phase with their types.
    pub fn list_vote_parts(&self, name: &str) -> Vec<(&'static str, Type)> {
        let place = self.vote_of(name).map_or(u32::MAX, |vote| vote - VOTES);
        let found = OF_VOTES.iter().filter_map(|(part, _)| match self.find_in_vote(place, part) {
            Lookup::Found(kind) => Some((*part, kind)),
            _ => None,
        });
        found.collect()
    }

    /// How many options a vote of a phase has at least: those that are written, or one where texts or seats are voted on.
    pub fn count_vote_options(&self, name: &str) -> usize {
        let phase = self.scenario.find_phase(name);
        let alternatives = self.scenario.written.alternatives.len();
        match phase.and_then(|phase| phase.vote.as_ref()).map(|vote| read_over(vote, self.scenario)) {
            Some(WrittenOver::Options(options)) => options.len(),
            Some(WrittenOver::Alternatives) | None => alternatives,
            Some(_) => 1,
        }
    }

    /// The names of the phases in which votes may be held.
    pub fn votes(&self) -> impl Iterator<Item = &str> {
        self.scenario.written.agenda.iter().filter(|phase| holds_votes(phase)).map(|phase| phase.name.as_str())
    }

    /// The fields that are asked about nobody else, with the names of their phases.
    fn fields(&self) -> impl Iterator<Item = (&str, &FieldConfig)> {
        let own = fields_of(&self.scenario.written.agenda).filter(|(phase, _)| !phase.asks_about_seats());
        own.map(|(phase, field)| (phase.name.as_str(), field))
    }

    /// The fields that are asked about each of several seats.
    fn fields_about(&self) -> impl Iterator<Item = &FieldConfig> {
        let all = fields_of(&self.scenario.written.agenda);
        all.filter(|(phase, _)| phase.asks_about_seats()).map(|(_, field)| field)
    }

    /// Why an expression about all seats, or about all of a group, may not read values of one seat.
    fn refuse_one_seat(&self) -> Lookup {
        let whole = if self.in_groups { "group" } else { "session" };
        Lookup::Refused(format!("this is about the {whole}, and not about one seat"))
    }

    /// The type of a field for `received` and `given`.
    fn find_about(&self, name: &str) -> Lookup {
        if matches!(self.about, About::Session | About::Round) {
            return self.refuse_one_seat();
        }
        let mut own =
            self.fields().filter(|(_, field)| field.id == name).map(|(_, field)| type_of_field(field)).peekable();
        match self.fields_about().find(|field| field.id == name) {
            Some(field) => type_of_field(field),
            None if own.peek().is_none() => Lookup::Unknown,
            None if own.any(|kind| kind == Lookup::Found(Type::Points(PointsOptions::Seats))) => {
                Lookup::Found(Type::Number)
            }
            None => Lookup::Refused(format!(
                "`{name}` is not asked about other seats: write ask: {{ per: others, form: […] }}, or give points to seats"
            )),
        }
    }

    /// The record of a phase's form; `None` if the phase asks none.
    fn form_of(&self, name: &str) -> Option<u32> {
        let phases = &self.scenario.written.agenda;
        let place = phases.iter().position(|phase| phase.name == name)?;
        let asks = self.fields().any(|(phase, _)| phase == name);
        asks.then(|| FORMS + u32::try_from(place).unwrap_or(u32::MAX - FORMS))
    }

    /// Whether a question to one seat, or its rule, may read this of other seats.
    fn is_public(&self, attribute: &str) -> bool {
        OF_SEATS.contains(&attribute)
            || self.list_role_assignments().any(|name| name == attribute)
            || self.about.is_rule() && is_known_of_others(self.scenario, self.ruled.unwrap_or(0), attribute)
    }

    /// Why a question to one seat, or its rule, may not read this of other seats.
    fn refuse_others(&self, attribute: &str) -> String {
        match self.about.is_rule() {
            true => explain_unknown(self.scenario, self.ruled.unwrap_or(0), attribute),
            false => NOTHING_OF_OTHERS.to_owned(),
        }
    }

    fn find_in_seat(&self, attribute: &str) -> Lookup {
        match attribute {
            "name" => return Lookup::Found(Type::Text),
            "index" => return Lookup::Found(Type::Number),
            "role" if !self.scenario.written.roles.is_empty() => return Lookup::Found(Type::Text),
            "role" => return Lookup::Refused("the scenario declares no roles".to_owned()),
            "present" => return Lookup::Found(Type::YesNo),
            _ if self.list_role_assignments().any(|name| name == attribute) => return Lookup::Found(Type::Text),
            _ => {}
        }
        if let Some(variable) = self.scenario.variables.get(attribute) {
            return match variable.of {
                Holder::Seat => Lookup::Found(variable.kind.clone()),
                Holder::Session => {
                    Lookup::Refused(format!("`{attribute}` is a value of the session: write it without a seat"))
                }
                Holder::Group => {
                    Lookup::Refused(format!("`{attribute}` is a value of groups: write group.{attribute}"))
                }
            };
        }
        let fields: Vec<_> = self.fields().filter(|(_, field)| field.id == attribute).collect();
        match (fields.as_slice(), self.form_of(attribute)) {
            ([], None) if self.is_signal(attribute) => Lookup::Found(Type::Text),
            ([], None) if let Some(ballot) = self.find_ballot(attribute) => ballot,
            ([], Some(form)) => Lookup::Found(Type::Record(form)),
            ([], None) if self.fields_about().any(|field| field.id == attribute) => Lookup::Refused(format!(
                "`{attribute}` is asked about each of several seats: write received({attribute}) or given({attribute})"
            )),
            ([], None) if makes_groups(self.scenario, attribute) => Lookup::Refused(format!(
                "`{attribute}` makes groups: within them read group.number; for other phases, compute it within them, as in compute: {{ seat.team: group.number }}"
            )),
            ([], None) => Lookup::Unknown,
            // Phases with one name are reported where the name is given twice.
            ([(phase, field), others @ ..], None) if others.iter().all(|(other, _)| other == phase) => {
                type_of_field(field)
            }
            ([(phase, _), ..], _) => {
                Lookup::Refused(format!("more than one thing is called that: write .{phase}.{attribute}"))
            }
        }
    }

    /// Whether an attribute of a seat is the signal that the scenario gives it.
    fn is_signal(&self, attribute: &str) -> bool {
        attribute == "signal" && self.scenario.written.signals.is_some()
    }

    fn list_alternatives(&self) -> Vec<String> {
        self.scenario.written.alternatives.iter().map(|alternative| alternative.name.clone()).collect()
    }

    /// Every text that an attribute of a seat can be: a role, or an option of a form.
    fn list_words_of_seat(&self, attribute: &str) -> Option<Vec<String>> {
        let dealt = list_roles(self.scenario).into_iter().filter(|(_, assignment, ..)| *assignment == attribute);
        let dealt: Vec<String> = dealt.map(|(_, _, role, _)| role.to_owned()).collect();
        match attribute {
            "role" => return Some(self.scenario.written.roles.keys().cloned().collect()),
            _ if !dealt.is_empty() => return Some(dealt),
            _ if self.scenario.variables.contains_key(attribute) => return None,
            _ if self.is_signal(attribute) => return Some(self.list_alternatives()),
            _ => {}
        }
        let mut fields = self.fields().filter(|(_, field)| field.id == attribute);
        let (Some((_, field)), None) = (fields.next(), fields.next()) else { return None };
        match field.written_options() {
            Some(SeatsConfig::Names(words)) if field.seat_options().is_none() => Some(words.clone()),
            _ => None,
        }
    }

    /// The type of a seat's own ballot in a vote: the option that it chose, or a list of those that it approved or ranked.
    fn find_ballot(&self, name: &str) -> Option<Lookup> {
        let place = self.scenario.written.agenda.iter().position(|phase| phase.name == name && phase.vote.is_some())?;
        let vote = self.scenario.written.agenda[place].vote.as_ref()?;
        let is_over_seats = matches!(read_over(vote, self.scenario), WrittenOver::Seats(_) | WrittenOver::Nothing(_));
        let option = if is_over_seats { Type::Seat } else { Type::Record(OPTION) };
        Some(match vote.ballot.or_else(|| vote.rule.map(usual_ballot)) {
            Some(BallotWord::Choice) => Lookup::Found(option),
            Some(BallotWord::Approval | BallotWord::Ranking) => Lookup::Found(Type::list_of(option)),
            Some(BallotWord::Score | BallotWord::Allocation) => {
                Lookup::Refused("expressions cannot read scores and points".to_owned())
            }
            None => Lookup::Refused(format!(
                "what a seat votes by in {name} is for a config to say: write ballot: choice on the vote, or another"
            )),
        })
    }

    /// The names of the votes of which expressions read a seat's own ballot.
    fn ballots(&self) -> impl Iterator<Item = String> + '_ {
        let votes = self.scenario.written.agenda.iter().filter(|phase| phase.vote.is_some());
        let names = votes.map(|phase| phase.name.clone());
        names.filter(|name| matches!(self.find_ballot(name), Some(Lookup::Found(_))))
    }

    /// The assignments of roles.
    fn list_role_assignments(&self) -> impl Iterator<Item = &str> {
        list_roles(self.scenario).into_iter().map(|(_, assignment, ..)| assignment)
    }

    fn variables_of(&self, holder: Holder) -> impl Iterator<Item = String> + '_ {
        let own = self.scenario.variables.iter().filter(move |(_, variable)| variable.of == holder);
        own.map(|(name, _)| name.clone())
    }
}

/// The type of a part of a vote or an option.
fn find_part(parts: &[(&str, &dyn Fn() -> Type)], attribute: &str) -> Lookup {
    let part = parts.iter().find(|(name, _)| *name == attribute);
    part.map_or(Lookup::Unknown, |(_, kind)| Lookup::Found(kind()))
}

/// Whether a value of this type names an option of a vote.
pub fn is_option(kind: &Type) -> bool {
    matches!(kind, Type::Text | Type::Seat | Type::Unknown | Type::Record(OPTION..))
}

/// Whether votes may be held in a phase.
pub fn holds_votes(phase: &PhaseConfig) -> bool {
    phase.vote.is_some() || phase.discussion.is_some()
}

/// The type of an answer as expressions read it.
pub fn type_of_field(field: &FieldConfig) -> Lookup {
    if field.number.is_some() || field.scale.is_some() {
        Lookup::Found(Type::Number)
    } else if field.yes_no.is_some() {
        Lookup::Found(Type::YesNo)
    } else if field.text.as_ref().is_some_and(|text| text.count.is_some()) {
        Lookup::Found(Type::list_of(Type::Text))
    } else if field.choice.is_some() || field.text.is_some() {
        Lookup::Found(if field.seat_options().is_some() { Type::Seat } else { Type::Text })
    } else if field.approval.is_some() || field.ranking.is_some() {
        Lookup::Found(Type::list_of(if field.seat_options().is_some() { Type::Seat } else { Type::Text }))
    } else {
        Lookup::Found(Type::Points(match field.written_options() {
            Some(SeatsConfig::Names(words)) => PointsOptions::Words(words.as_slice().into()),
            _ => PointsOptions::Seats,
        }))
    }
}

fn type_of_parameter(parameter: &ParameterConfig) -> Type {
    match parameter.kind {
        ParameterKind::Text | ParameterKind::Choice => Type::Text,
        ParameterKind::Int | ParameterKind::Number => Type::Number,
        ParameterKind::Bool => Type::YesNo,
    }
}

impl Scope for ExpressionScope<'_> {
    fn find_name(&self, name: &str) -> Lookup {
        match (name, self.about) {
            ("parameters", _) => Lookup::Found(Type::Record(PARAMETERS)),
            ("pass", _) if self.pass == PassKnown::Nowhere => {
                Lookup::Refused("there is no pass outside a repeated block".to_owned())
            }
            ("pass", _) => Lookup::Found(Type::Record(PASS)),
            ("seats" | "everyone", _) if self.in_groups => {
                Lookup::Refused(format!("`{name}` would be read of other groups while these go on: write group"))
            }
            ("seat" | "me", About::Seat | About::Question | About::Rule | About::RuleOfTarget | About::Target)
            | ("seat", About::Candidate) => Lookup::Found(Type::Seat),
            ("me" | "others", About::Candidate) => {
                Lookup::Refused("in `who`, write seat: it is each seat that might take part".to_owned())
            }
            ("others", About::Seat | About::Question | About::Rule | About::RuleOfTarget | About::Target)
            | ("seats" | "everyone" | "group" | "nobody", _) => Lookup::Found(Type::list_of(Type::Seat)),
            ("target", About::RuleOfTarget) => Lookup::Found(Type::Seat),
            ("round", About::Round) => Lookup::Found(Type::Number),
            ("truth", _) if let Some(truth) = &self.scenario.written.truth => match self.about.is_private() {
                true => Lookup::Refused(NOTHING_OF_TRUTH.to_owned()),
                false => Lookup::Found(if truth.amount.is_some() { Type::Number } else { Type::Text }),
            },
            ("round", _) => Lookup::Refused("only the `until` of a discussion has a round".to_owned()),
            ("seat" | "me" | "others", About::Session | About::Round) => self.refuse_one_seat(),
            _ if self.scenario.written.roles.contains_key(name) => {
                Lookup::Found(match self.scenario.written.roles[name].seats {
                    1 => Type::Seat,
                    _ => Type::list_of(Type::Seat),
                })
            }
            _ => match self.scenario.variables.get(name) {
                Some(variable) if variable.of == Holder::Session => Lookup::Found(variable.kind.clone()),
                Some(variable) if variable.of == Holder::Group => {
                    Lookup::Refused(format!("each group has a `{name}`: write group.{name}"))
                }
                Some(_) => Lookup::Refused(format!("each seat has a `{name}`: write seat.{name}, or everyone.{name}")),
                None if let Some(things) = each::find_thing(self.scenario, self.block, name) => {
                    Lookup::Found(match things {
                        WrittenThings::Words(_) => Type::Text,
                        WrittenThings::Items => Type::Record(ITEM),
                        WrittenThings::Texts(position, _) => Type::Record(TEXTS + position as u32),
                        WrittenThings::Seats(_) => Type::Seat,
                    })
                }
                None if name == "item" => match &self.scenario.items {
                    items if items.text.is_some() || !items.are_known => Lookup::Found(Type::Record(ITEM)),
                    items if items.of_loops.is_empty() => {
                        Lookup::Refused("there is no item: give the config `items`".to_owned())
                    }
                    _ => Lookup::Refused(
                        "there is an item only in a block with for: { each: items }, or with items of sessions"
                            .to_owned(),
                    ),
                },
                None if let Some(position) = texts::find_texts(&self.scenario.written.agenda, name) => {
                    Lookup::Found(Type::list_of(Type::Record(TEXTS + position as u32)))
                }
                None => match (find_holders(self.scenario, name), self.vote_of(name)) {
                    (Some(Holders::OneAGroup), _) if self.in_groups => Lookup::Found(Type::Seat),
                    (Some(Holders::Many | Holders::OneAGroup), _) => Lookup::Found(Type::list_of(Type::Seat)),
                    (Some(Holders::One), _) => Lookup::Found(Type::Seat),
                    (None, Some(vote)) => Lookup::Found(Type::Record(vote)),
                    (None, None) => Lookup::Unknown,
                },
            },
        }
    }

    fn find_member(&self, name: &str, attribute: &str) -> Lookup {
        let variable = self.scenario.variables.get(attribute).filter(|variable| variable.of == Holder::Group);
        match (name, self.about) {
            ("group", _) if let Some(variable) = variable => Lookup::Found(match self.in_groups {
                true => variable.kind.clone(),
                false => Type::list_of(variable.kind.clone()),
            }),
            ("seat" | "me", About::Question | About::Rule | About::RuleOfTarget) => self.find_in_seat(attribute),
            ("group", _) if attribute == "number" => match self.in_groups {
                true => Lookup::Found(Type::Number),
                false => Lookup::Refused("only within groups a group has a number".to_owned()),
            },
            _ => Lookup::Unknown,
        }
    }

    fn find_attribute(&self, holder: &Type, attribute: &str) -> Lookup {
        match (holder, attribute) {
            (Type::Seat, _) => match self.find_in_seat(attribute) {
                Lookup::Found(_) if self.about.is_private() && !self.is_public(attribute) => {
                    Lookup::Refused(self.refuse_others(attribute))
                }
                found => found,
            },
            (Type::Record(PARAMETERS), _) => {
                let parameter = self.scenario.written.parameters.get(attribute);
                parameter.map_or(Lookup::Unknown, |parameter| Lookup::Found(type_of_parameter(parameter)))
            }
            (Type::Record(PASS), "number") => Lookup::Found(Type::Number),
            (Type::Record(PASS), "first") => Lookup::Found(Type::YesNo),
            (Type::Record(PASS), "last") if self.pass == PassKnown::UntilEnd => Lookup::Refused(
                "the last pass of a block that is repeated until something holds is not known before".to_owned(),
            ),
            (Type::Record(PASS), "last") => Lookup::Found(Type::YesNo),
            (Type::Record(ITEM), "key") if self.about.is_private() => Lookup::Refused(NOTHING_OF_TRUTH.to_owned()),
            (Type::Record(ITEM), _) => {
                match self.scenario.items.columns.iter().find(|column| column.name == attribute) {
                    Some(column) if column.roles.is_empty() => Lookup::Found(Type::Text),
                    Some(column) => Lookup::Refused(format!(
                        "only texts for {} print this column, and no expression reads it",
                        column.roles.join(" or ")
                    )),
                    None => match find_part(&OF_ITEMS, attribute) {
                        // The config may have such a column, which is a text.
                        Lookup::Unknown if !self.scenario.items.are_known => Lookup::Found(Type::Text),
                        found => found,
                    },
                }
            }
            (Type::Record(OPTION..), "author") if self.about.is_private() => {
                Lookup::Refused("a question may not depend on who wrote a text".to_owned())
            }
            (Type::Record(OPTION..), "voters") if self.about.is_private() => {
                Lookup::Refused("a question may not depend on who voted for what".to_owned())
            }
            (Type::Record(TEXTS..), _) => find_part(&OF_TEXTS, attribute),
            (Type::Record(OPTION..), _) => find_part(&OF_OPTIONS, attribute),
            (Type::Record(vote @ VOTES..), _) => self.find_in_vote(vote - VOTES, attribute),
            (Type::Record(form), _) => {
                let mut fields = self.fields();
                let field = fields.find(|(phase, field)| field.id == attribute && self.form_of(phase) == Some(*form));
                field.map_or(Lookup::Unknown, |(_, field)| type_of_field(field))
            }
            _ => Lookup::Unknown,
        }
    }

    fn list_words(&self, holder: Option<&Type>, name: &str) -> Option<Vec<String>> {
        match holder {
            None if name == "truth" && self.scenario.written.truth.is_some() => Some(self.list_alternatives()),
            None if self.scenario.variables.contains_key(name) => None,
            None => match each::find_thing(self.scenario, self.block, name)? {
                WrittenThings::Words(words) => Some(words.to_vec()),
                WrittenThings::Texts(..) | WrittenThings::Items | WrittenThings::Seats(_) => None,
            },
            Some(Type::Record(PARAMETERS)) => self.scenario.written.parameters.get(name)?.choices.clone(),
            Some(Type::Seat) => self.list_words_of_seat(name),
            Some(_) => None,
        }
    }

    fn list_option_words(&self, vote: &str, attribute: &str) -> Option<Vec<String>> {
        let place = self.vote_of(vote).filter(|_| attribute == "name")? - VOTES;
        match self.scenario.written.agenda[place as usize].vote.as_ref().map(|vote| read_over(vote, self.scenario)) {
            Some(WrittenOver::Options(options)) => {
                Some(options.iter().map(|option| option.name().to_owned()).collect())
            }
            // Items bring options of their own.
            Some(WrittenOver::Alternatives) | None if self.scenario.items.text.is_none() => {
                Some(self.list_alternatives())
            }
            _ => None,
        }
    }

    fn find_series(&self, series: Series, name: &str) -> Lookup {
        match series {
            Series::Received | Series::Given => {
                let is_unheard =
                    series == Series::Received && self.about.is_rule() && !is_heard_by_all(self.scenario, name);
                return match self.find_about(name) {
                    Lookup::Found(_) if is_unheard => Lookup::Refused(format!(
                        "{RULE_READS}; write heard_by: everyone on the question, or compute for each seat what its rule reads, as in compute: {{ seat.NAME: EXPRESSION }}"
                    )),
                    found => found,
                };
            }
            Series::Past if self.pass == PassKnown::Nowhere => {
                return Lookup::Refused("there are no earlier passes outside a repeated block".to_owned());
            }
            Series::Past | Series::AllPasses => {}
        }
        match (self.scenario.variables.get(name), self.about) {
            (Some(variable), _) if variable.of == Holder::Group && !self.in_groups => {
                Lookup::Refused(format!("each group has a `{name}`: read group.{name} outside groups"))
            }
            (Some(variable), about)
                if variable.of != Holder::Seat || !matches!(about, About::Session | About::Round) =>
            {
                Lookup::Found(variable.kind.clone())
            }
            (
                None,
                About::Seat | About::Question | About::Rule | About::RuleOfTarget | About::Candidate | About::Target,
            ) if self.fields().any(|(_, field)| field.id == name) => self.find_in_seat(name),
            (None, _) if !self.fields().any(|(_, field)| field.id == name) => Lookup::Unknown,
            _ => {
                let whole = if self.in_groups { "group" } else { "session" };
                Lookup::Refused(format!("each seat has a `{name}`, and this is about the {whole}"))
            }
        }
    }

    fn refuse_function(&self, function: Function) -> Option<String> {
        match self.drawing {
            Drawing::Refused(what) if function.is_draw() => {
                Some(format!("nothing is drawn in {what}: draw in a phase that computes, and read the value here"))
            }
            Drawing::Refused(_) | Drawing::Allowed => None,
        }
    }

    fn list_names(&self) -> Vec<String> {
        let of_seat: &[&str] = match self.about {
            About::Seat | About::Question | About::Rule | About::Target => &["seat", "me", "others"],
            About::RuleOfTarget => &["seat", "me", "others", "target"],
            About::Candidate => &["seat"],
            About::Session => &[],
            About::Round => &["round"],
        };
        let own = ["parameters", "pass", "seats", "everyone", "group", "nobody"].iter().chain(of_seat);
        let assigned = list_roles(self.scenario).into_iter().map(|(_, _, role, _)| role.to_owned());
        let roles = self.scenario.written.roles.keys().cloned().chain(assigned);
        own.map(|name| (*name).to_owned())
            .chain(roles)
            .chain(self.variables_of(Holder::Session))
            .chain(self.votes().map(str::to_owned))
            .chain(each::list_things(self.scenario, self.block).into_iter().map(str::to_owned))
            .chain(texts::list_texts(&self.scenario.written.agenda).into_iter().map(str::to_owned))
            .collect()
    }

    fn list_attributes(&self, _: Option<&str>, holder: &Type) -> Vec<String> {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        match holder {
            Type::Seat => {
                let fields = self.fields().flat_map(|(phase, field)| [phase.to_owned(), field.id.clone()]);
                let signal = self.is_signal("signal").then_some("signal");
                let role = (!self.scenario.written.roles.is_empty()).then_some("role");
                let plain = ["name", "index", "present"].into_iter().chain(signal).chain(role);
                plain
                    .chain(self.list_role_assignments())
                    .map(str::to_owned)
                    .chain(fields)
                    .chain(self.ballots())
                    .chain(self.variables_of(Holder::Seat))
                    .collect()
            }
            Type::Record(PARAMETERS) => self.scenario.written.parameters.keys().cloned().collect(),
            Type::Record(PASS) => own(&["number", "first", "last"]),
            Type::Record(ITEM) => {
                let columns = self.scenario.items.columns.iter().filter(|column| column.roles.is_empty());
                let columns = columns.map(|column| column.name.clone());
                OF_ITEMS.iter().map(|(name, _)| (*name).to_owned()).chain(columns).collect()
            }
            Type::Record(TEXTS..) => OF_TEXTS.map(|(name, _)| name.to_owned()).to_vec(),
            Type::Record(OPTION..) => OF_OPTIONS.map(|(name, _)| name.to_owned()).to_vec(),
            Type::Record(VOTES..) => OF_VOTES.map(|(name, _)| name.to_owned()).to_vec(),
            Type::Record(form) => {
                let fields = self.fields().filter(|(phase, _)| self.form_of(phase) == Some(*form));
                fields.map(|(_, field)| field.id.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn list_series(&self, series: Series) -> Vec<String> {
        if matches!(series, Series::Received | Series::Given) {
            return self.fields_about().map(|field| field.id.clone()).collect();
        }
        let fields = self.fields().map(|(_, field)| field.id.clone());
        fields.chain(self.scenario.variables.keys().cloned()).collect()
    }
}
