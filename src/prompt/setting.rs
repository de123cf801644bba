//! What a pack is compiled for: everything that templates may tell and that no question changes.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use crate::domain::{AlternativeId, Language, Motion, OpenBallots, PaymentStage, RuleTold};
use crate::expression::{self, Fraction};
use crate::mechanism::{Average, IncomePrinciples, pay_cents};
use crate::prompt::numbers::dollars_and_cents;

/// What a pack is compiled for; the same in all sessions of an arm.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// What is decided; templates are rehearsed on it.
    pub motion: &'a Motion,
    /// The scenario's parameters, as templates read them under `parameters`.
    pub parameters: &'a [(String, Parameter)],
    /// How the group talks and decides.
    pub procedure: Procedure,
    /// What the vote of the procedure is about: the motion, or options of the vote's own.
    pub decided: &'a Motion,
    /// What decisions pay; `None` where nothing is paid.
    pub mechanism: Option<&'a IncomePrinciples>,
    /// The templates that the scenario needs beside those of every pack: some of [`OPTIONAL`](super::OPTIONAL), and those
    /// that its agenda names as a brief, whether or not this arm has that phase.
    pub needs: &'a [&'a str],
}

impl Setting<'_> {
    /// The dotted paths at which templates may read other values than in the setting `before`; `None` where the two differ in
    /// more than that.
    pub(super) fn changes_since(&self, before: &Setting<'_>) -> Option<Vec<String>> {
        let words = |motion: &Motion| Motion { text: String::new(), ..motion.clone() };
        let names = |setting: &Setting<'_>| setting.parameters.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let is_alike = words(self.motion) == words(before.motion)
            && self.mechanism == before.mechanism
            && self.needs == before.needs
            && names(self) == names(before);
        if !is_alike {
            return None;
        }
        let of_vote = |procedure: Procedure| Procedure { rounds: 0, ..procedure };
        let default =
            |setting: &Setting<'_>| name_default(setting.procedure.vote.otherwise, setting.decided).map(str::to_owned);
        let vote = of_vote(self.procedure) != of_vote(before.procedure) || default(self) != default(before);
        let rounds = self.procedure.rounds != before.procedure.rounds;
        let facts = [("motion", self.motion.text != before.motion.text), ("vote", vote), ("rounds", rounds)];
        // How many rounds remain is told as often as there are rounds.
        let told = rounds.then(|| "rounds_left".to_owned());
        let parameters = self.parameters.iter().zip(before.parameters).filter(|(new, old)| new.1 != old.1);
        let facts = facts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned());
        Some(facts.chain(told).chain(parameters.map(|((name, _), _)| format!("parameters.{name}"))).collect())
    }
}

/// The value of a scenario's parameter.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Parameter {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction, in its shortest decimal writing.
    Decimal(String),
    /// A text.
    Text(String),
}

impl Parameter {
    /// The value for expressions; `None` for a number that is too large or too fine for them.
    pub fn expression_value(&self) -> Option<expression::Value> {
        Some(match self {
            Parameter::Bool(yes) => expression::Value::YesNo(*yes),
            Parameter::Int(number) => expression::Value::Number(Fraction::from(*number)),
            Parameter::Decimal(text) => expression::Value::Number(Fraction::parse(text).ok()?),
            Parameter::Text(text) => expression::Value::Text(text.as_str().into()),
        })
    }

    /// The value for templates.
    pub fn template_value(&self) -> minijinja::Value {
        match self {
            Parameter::Bool(truth) => minijinja::Value::from(*truth),
            Parameter::Int(number) => minijinja::Value::from(*number),
            Parameter::Decimal(text) => text.parse::<f64>().map_or_else(|_| text.as_str().into(), Into::into),
            Parameter::Text(text) => minijinja::Value::from(text.as_str()),
        }
    }
}

/// How the group talks and decides, as far as templates tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Procedure {
    /// Rounds of talk at the most; 0 without talk.
    pub rounds: u32,
    /// Whether the group decides something: there is a vote that is binding.
    pub decides: bool,
    /// When the group votes.
    pub votes: Votes,
    /// The vote that decides.
    pub vote: RuleTold,
    /// When seats hear each other's ballots.
    pub open: OpenBallots,
}

/// When the group votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Votes {
    /// Never.
    Never,
    /// Once, in a phase of its own.
    AtEnd,
    /// At the end of each round.
    EveryRound,
    /// In a round in which a seat calls for it and all others agree.
    OnCall {
        /// The first round in which a vote may be called.
        rounds_min: u32,
    },
}

/// The same as templates read it.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) parameters: Value,
    pub(super) rounds: u32,
    pub(super) vote: Value,
    pub(super) pay: Value,
    pub(super) average: Average,
    pub(super) language: Language,
    cents: (u32, u32),
}

impl Known {
    pub(super) fn new(setting: &Setting<'_>) -> Self {
        let parameters: BTreeMap<String, Value> =
            setting.parameters.iter().map(|(name, value)| (name.clone(), value.template_value())).collect();
        let cents = setting.mechanism.map_or((0, 0), |paid| (paid.application_cents, paid.settlement_cents));
        let average = setting.mechanism.map_or(Average::Weighted, |paid| paid.average);
        let language = setting.motion.language;
        Self {
            parameters: Value::from_object(parameters),
            rounds: setting.procedure.rounds,
            vote: setting.procedure.value(setting.decided),
            pay: match setting.mechanism {
                None => Value::from(()),
                Some(_) => context! {
                    application => dollars_and_cents(cents.0.into(), language),
                    settlement => dollars_and_cents(cents.1.into(), language),
                    average => match average {
                        Average::Weighted => "weighted",
                        Average::Unweighted => "unweighted",
                    },
                },
            },
            average,
            language,
            cents,
        }
    }

    /// What an income is paid at a stage, in cents: rounded half up.
    pub(super) fn cents(&self, stage: PaymentStage, income: u32) -> u64 {
        let per_10_000 = match stage {
            PaymentStage::Application => self.cents.0,
            PaymentStage::Settlement => self.cents.1,
        };
        pay_cents(income, per_10_000)
    }
}

/// What is decided by default, as seats call it; `None` if nothing is.
fn name_default(otherwise: Option<AlternativeId>, motion: &Motion) -> Option<&str> {
    otherwise.filter(|id| id.index() < motion.alternatives.len()).map(|id| motion.said(id).as_str())
}

/// A vote about this motion, for templates.
pub(super) fn vote_value(vote: &RuleTold, motion: &Motion) -> Value {
    context! {
        binding => vote.is_binding,
        seats => vote.seats,
        ballots => vote.ballots,
        needed => vote.needed,
        rule => vote.rule.as_str(),
        tolerance => vote.tolerance,
        otherwise => name_default(vote.otherwise, motion),
    }
}

impl Votes {
    /// When the group votes, for templates.
    pub(super) fn value(self) -> Value {
        let (when, rounds_min) = match self {
            Votes::Never => ("never", 0),
            Votes::AtEnd => ("at_end", 0),
            Votes::EveryRound => ("every_round", 0),
            Votes::OnCall { rounds_min } => ("on_call", rounds_min),
        };
        context! { when => when, rounds_min => rounds_min }
    }
}

impl Procedure {
    fn value(&self, decided: &Motion) -> Value {
        let roll_call = self.open == OpenBallots::Announced;
        let own = context! { decides => self.decides, roll_call => roll_call, open => <&str>::from(self.open) };
        context! { ..own, ..context! { ..self.votes.value(), ..vote_value(&self.vote, decided) } }
    }
}
