//! Simulated agents. A mind is pure: parameters, query, own state and draws in; reply and own state out.
//!
//! Minds are rules, not people and not language models. They read counts of declarations, not texts, and only what their brief
//! holds.

mod coordinates;
mod favour;
mod form;
mod influence_source;
mod justice;
mod marks;
mod note;
mod opinion;
mod random;
mod reply;
mod script;
mod silent;
mod tallying;
mod traits;
mod voter;
mod words;

pub use influence_source::InfluenceSource;
pub use justice::{
    Justice, JusticeScope, certainty_equivalent, principle_shares, quantal_response, quantal_shares, rescale_values,
};
pub use note::rewrite_memory;
pub use opinion::{
    ArgumentSource, EdgeWeights, InfluenceWeights, OpinionRule, Opinionated, Scheme, add_answers, adopt_argument,
    anchored_opinion, averaged_opinion, balance_arguments, converged_opinion, find_partner, group_of, is_nearer,
    is_within, local_majority, mean_belief, near_mean, opinion_anchor, partner_attraction, q_voter_choice,
    right_at_least,
};
pub use script::{NamedByItem, Said, Script, ScriptLine, TableLine};
pub use traits::TraitValue;

use crate::chance::SessionSeed;
use crate::domain::{Answer, MindState, Motion, NoteTaken, Outage, Query, Reply, SeatName, Step, Trait};
use crate::expression::Formula;
use favour::Favour;

/// The rule by which a simulated agent answers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum Mind {
    /// Uniform random choices and texts.
    Random {
        /// The probability of an unreadable reply, in parts per million.
        malformed_ppm: u32,
        /// The probability of an abstention where the seat may abstain, in parts per million.
        abstain_ppm: u32,
    },
    /// Holds one alternative, and may copy a heard stance before each statement.
    Voter {
        /// The probability of copying, in parts per million.
        copy_ppm: u32,
    },
    /// Weighs risk, the worst off and heard stances, and draws its choice by quantal response.
    Justice(Justice),
    /// Holds an opinion that changes by a published model.
    Opinionated(Opinionated),
    /// Follows a script.
    Scripted(#[serde(skip)] Script),
    /// Holds the alternative that most of the known facts support, and cites facts in each statement.
    Tallying {
        /// The number of facts cited in a statement.
        cites: u32,
    },
    /// Answers fields of forms and votes by expressions, and everything else at random.
    Rule(Vec<QuestionRule>),
    /// Never speaks and never chooses.
    Silent,
}

/// How a seat answers a field, or votes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct QuestionRule {
    /// The field's id, or the name of the phase of a vote.
    #[serde(rename = "field")]
    pub answers: String,
    /// Its value, about the seat.
    pub formula: Formula,
}

impl Mind {
    /// Answers a query. A seat that was instructed to push an alternative declares, polls and votes for it, but ranks and applies
    /// its own choice. `random`, `silent` and scripts ignore the instruction. A mind without a rule for forms answers them as `random`
    /// does, except for fields that measure what it favours. Only a script can recognise a study.
    ///
    /// # Errors
    /// [`Outage::ScriptEnded`] if a script has no line for the question.
    pub fn answer(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Result<Answer, Outage> {
        if let Mind::Random { malformed_ppm, .. } = self
            && let Some(malformed) = random::draw_malformed_reply(*malformed_ppm, motion, seed, query)
        {
            return Ok(malformed);
        }
        if let Some(answer) = self.answer_by_common_rule(motion, seed, query) {
            return Ok(answer);
        }
        let has_own = matches!(self, Mind::Random { .. } | Mind::Scripted(_) | Mind::Rule(_) | Mind::Silent);
        let favours = matches!(self, Mind::Opinionated(_) | Mind::Voter { .. });
        if let Some(asked) = query.ask.form_asked().filter(|asked| !has_own && (asked.measures.is_empty() || !favours))
        {
            return Ok(form::answer_at_random(&asked.form, seed, query));
        }
        if let Some((favour, state)) = self.form_favour(motion, seed, query) {
            return Ok(favour::answer_from_favour(&favour, motion, seed, query, state));
        }
        Ok(match self {
            Mind::Random { abstain_ppm, .. } => random::answer_query(*abstain_ppm, motion, seed, query),
            Mind::Justice(justice) => justice.answer(motion, seed, query),
            Mind::Scripted(script) => return script.answer(motion, query),
            Mind::Rule(_) => match query.ask.form_asked() {
                Some(asked) => form::answer_by_rule(&asked.form, seed, query),
                None if query.ruled.iter().len() > 0 => {
                    form::answer_by_fields(&query.ask, motion, &query.ruled, query.state.clone())
                }
                None => random::answer_query(0, motion, seed, query),
            },
            // A mind without a favourite has nothing to say.
            Mind::Silent | Mind::Voter { .. } | Mind::Opinionated(_) | Mind::Tallying { .. } => {
                silent::answer_query(motion, query)
            }
        })
    }

    /// Answers the questions for which all minds have one rule, unless the table of a script has a line for the question: the mind
    /// rewrites its memory, takes notes and recognises nothing.
    fn answer_by_common_rule(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Option<Answer> {
        if matches!(self, Mind::Scripted(script) if script.has_line_at(&query.id)) {
            return None;
        }
        match query.ask.step() {
            step if step.rewrites_memory() => Some(rewrite_memory(motion, query)),
            Step::Notes if *self == Mind::Silent => {
                Some(reply::answer_with(motion, Reply::Notes(NoteTaken::default()), query.state.clone()))
            }
            Step::Notes => Some(note::take_notes(motion, query)),
            Step::Recognition => {
                let state = match self {
                    Mind::Justice(justice) => justice.held_state(seed, query).into_state(),
                    _ => self.form_favour(motion, seed, query).map_or_else(|| query.state.clone(), |(_, state)| state),
                };
                let reply = Reply::Recognition { recognised: false, recognised_as: None };
                Some(reply::answer_with(motion, reply, state))
            }
            _ => None,
        }
    }

    /// What a mind favours after what it heard, and its new state; `None` for a mind that favours nothing, or nothing yet.
    fn form_favour(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Option<(Favour, MindState)> {
        match self {
            Mind::Voter { copy_ppm } => Some(voter::form_favour(*copy_ppm, motion, seed, query)),
            Mind::Tallying { cites } => Some(tallying::form_favour(*cites, motion, seed, query)),
            Mind::Opinionated(mind) => mind.form_favour(motion, seed, query),
            Mind::Random { .. } | Mind::Justice(_) | Mind::Scripted(_) | Mind::Rule(_) | Mind::Silent => None,
        }
    }

    /// Answers a ballot over options that are no alternatives of the motion. To most rules they mean nothing, so the ballot is drawn like
    /// the answers to a form. `written` has all options that the vote may have, in the order by which a script refers to them.
    pub fn answer_own_vote(
        &self,
        (written, motion): (&Motion, &Motion),
        seed: &SessionSeed,
        query: &Query<'_>,
    ) -> Result<Answer, Outage> {
        match self {
            Mind::Scripted(script) => script.answer_among((written, motion), query),
            Mind::Random { .. } | Mind::Rule(_) | Mind::Silent => self.answer(motion, seed, query),
            _ => Ok(random::answer_query(0, motion, seed, query)),
        }
    }

    /// Whether its answers depend on which alternative is right.
    pub fn needs_truth(&self) -> bool {
        matches!(self, Mind::Opinionated(Opinionated { rule: OpinionRule::SocialDecisionScheme(scheme), .. }) if scheme.needs_truth())
    }

    /// The traits of the agent on a seat in a session, drawn or fixed.
    pub fn draw_traits(&self, seed: &SessionSeed, seat: &SeatName) -> Vec<Trait> {
        match self {
            Mind::Justice(justice) => justice.draw_traits(seed, seat),
            Mind::Opinionated(mind) => mind.draw_traits(seed, seat),
            Mind::Random { .. }
            | Mind::Voter { .. }
            | Mind::Scripted(_)
            | Mind::Tallying { .. }
            | Mind::Rule(_)
            | Mind::Silent => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
