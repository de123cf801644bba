//! Models of opinions: a published rule determines how a seat's position reacts to what it hears.
//!
//! A model makes one step for each round of talk in which the seat heard something. The step precedes the seat's next question
//! after the round, and uses the last declaration of each other seat by the end of the round. Statements of the current round
//! wait for the next step, so that the speaking order does not affect who has heard whom. Small questions (whether to speak, to
//! vote) make no step.
//!
//! A numeric opinion is one number for two alternatives or an amount, and weights for more (see `position`). Each rule is a pure
//! function in its own file; `favour` answers the questions that a rule leaves open.

mod argument_exchange;
mod deffuant;
mod degroot;
mod friedkin_johnsen;
mod heard;
mod hegselmann_krause;
mod juror;
mod majority;
mod polya;
mod position;
mod q_voter;
mod quantal_response;
mod social_decision_scheme;
mod state;

pub use argument_exchange::{adopt_argument, balance_arguments, partner_attraction};
pub use deffuant::{converged_opinion, find_partner};
pub use degroot::{EdgeWeights, InfluenceWeights, averaged_opinion};
pub use friedkin_johnsen::{anchored_opinion, opinion_anchor};
pub use hegselmann_krause::{is_nearer, is_within, near_mean};
pub use juror::right_at_least;
pub use majority::{group_of, local_majority};
pub use polya::{add_answers, mean_belief};
pub use q_voter::q_voter_choice;
pub use social_decision_scheme::Scheme;

use hegselmann_krause::mean_with;

use super::TraitValue;
use super::favour::Favour;
use super::justice::quantal_response;
use crate::chance::{DrawPurpose, Draws, SessionSeed};
use crate::domain::{AlternativeId, First, MindState, Motion, Opinion, Query, SeatName, Seq, Step, Trait};
use crate::minds::coordinates::{by_lot, noise_at};
use position::rank_alternatives;
use state::OpinionState;

/// A mind with an opinion, and the model by which it changes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Opinionated {
    /// The first opinion, for two alternatives or an amount; `None` draws it from all.
    pub opinion: Option<TraitValue>,
    /// If the two greatest weights are nearer than this, the seat abstains where it may; `None` always votes.
    pub indifference: Option<TraitValue>,
    /// The model.
    pub rule: OpinionRule,
}

/// The source of a seat's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum ArgumentSource {
    /// A pool with as many arguments for each alternative, from which a seat draws its own.
    Pool {
        /// Arguments per alternative, at least 1.
        each: u32,
    },
    /// The facts of the case; a seat has those that it was given.
    Facts,
}

/// A model of opinions. Numbers are traits unless they are counts.
#[derive(Debug, Clone, PartialEq, serde::Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OpinionRule {
    /// Weighted means.
    Degroot {
        /// The weight of the own opinion, 0 … 1.
        self_weight: TraitValue,
        /// The weights of the others.
        weights: InfluenceWeights,
    },
    /// Weighted means with an anchor.
    FriedkinJohnsen {
        /// 1 − λ, 0 … 1.
        stubbornness: TraitValue,
        /// The weight of the own opinion in the mean, 0 … 1.
        self_weight: TraitValue,
        /// The weights of the others.
        weights: InfluenceWeights,
        /// The attractor b, 0 … 1; for two alternatives 1 is the first.
        attractor: TraitValue,
        /// κ, the attractor's part of the anchor, 0 … 1.
        pull: TraitValue,
    },
    /// The mean of near opinions.
    HegselmannKrause {
        /// ε, 0 … 1.
        confidence: TraitValue,
    },
    /// Meetings of two whose opinions are near.
    Deffuant {
        /// ε, 0 … 1.
        confidence: TraitValue,
        /// μ, 0 … 0.5.
        convergence: TraitValue,
    },
    /// Gives in to q others that agree.
    QVoter {
        /// How many others are looked at, at least 1.
        q: u32,
        /// The probability of a change of mind if they disagree, 0 … 1.
        noise: TraitValue,
    },
    /// Takes the majority of a small group.
    Majority {
        /// The size of a group, at least 1.
        group: u32,
    },
    /// Exchange of arguments.
    ArgumentExchange {
        /// S, the number of arguments in mind, at least 1; an upper limit if they are facts.
        arguments: u32,
        /// The source of the arguments.
        source: ArgumentSource,
        /// h, 0 … 100.
        homophily: TraitValue,
    },
    /// Votes by a scheme over the first positions.
    SocialDecisionScheme(Scheme),
    /// Draws its choice by quantal response to utilities.
    QuantalResponse {
        /// λ, 0 … 1000.
        precision: TraitValue,
        /// The utility of each alternative, in millionths.
        utilities: Vec<i64>,
    },
    /// Counts answers.
    Polya {
        /// The weight of the first belief as a number of answers, above 0.
        concentration: TraitValue,
    },
    /// Holds the alternative of its signal.
    Juror,
}

impl OpinionRule {
    /// The spelling used in configs and tables.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// The traits that count, by name. A weight on itself in a file of edges replaces `self_weight`.
    pub fn named_traits(&self) -> Vec<(&'static str, TraitValue)> {
        self.trait_items().into_iter().map(|(_, named)| named).collect()
    }

    /// The traits that count, with their items in the stream of draws. Item 0 is the first opinion.
    fn trait_items(&self) -> Vec<(u32, (&'static str, TraitValue))> {
        let is_weighed = matches!(
            self,
            OpinionRule::Degroot { weights: InfluenceWeights::Edges(EdgeWeights { own: Some(_), .. }), .. }
                | OpinionRule::FriedkinJohnsen {
                    weights: InfluenceWeights::Edges(EdgeWeights { own: Some(_), .. }),
                    ..
                }
        );
        (1..).zip(self.parameters()).filter(|(_, (name, _))| !(is_weighed && *name == "self_weight")).collect()
    }

    /// All traits, whether or not they count, in drawing order.
    fn parameters(&self) -> Vec<(&'static str, TraitValue)> {
        match self {
            OpinionRule::Degroot { self_weight, .. } => vec![("self_weight", *self_weight)],
            OpinionRule::FriedkinJohnsen { stubbornness, self_weight, attractor, pull, .. } => vec![
                ("stubbornness", *stubbornness),
                ("self_weight", *self_weight),
                ("attractor", *attractor),
                ("pull", *pull),
            ],
            OpinionRule::HegselmannKrause { confidence } => vec![("confidence", *confidence)],
            OpinionRule::Deffuant { confidence, convergence } => {
                vec![("confidence", *confidence), ("convergence", *convergence)]
            }
            OpinionRule::ArgumentExchange { homophily, .. } => vec![("homophily", *homophily)],
            OpinionRule::QuantalResponse { precision, .. } => vec![("precision", *precision)],
            OpinionRule::Polya { concentration } => vec![("concentration", *concentration)],
            OpinionRule::QVoter { noise, .. } => vec![("noise", *noise)],
            OpinionRule::Majority { .. } | OpinionRule::SocialDecisionScheme(_) | OpinionRule::Juror => Vec::new(),
        }
    }

    /// Whether a seat holds one alternative and nothing in between.
    fn is_discrete(&self) -> bool {
        matches!(
            self,
            OpinionRule::QVoter { .. }
                | OpinionRule::Majority { .. }
                | OpinionRule::SocialDecisionScheme(_)
                | OpinionRule::Juror
        )
    }

    /// Whether a group's announced position makes a step, without the declarations of its members.
    fn hears_groups(&self) -> bool {
        matches!(
            self,
            OpinionRule::Degroot { .. } | OpinionRule::FriedkinJohnsen { .. } | OpinionRule::HegselmannKrause { .. }
        )
    }

    /// Whether a written first opinion applies to it.
    pub fn has_opinion(&self) -> bool {
        !matches!(self, OpinionRule::QuantalResponse { .. } | OpinionRule::Juror)
            && !matches!(self, OpinionRule::ArgumentExchange { source: ArgumentSource::Facts, .. })
    }

    /// Whether its weights measure worth, and not only the probability of a choice.
    fn has_worth_weights(&self) -> bool {
        !self.is_discrete() && !matches!(self, OpinionRule::QuantalResponse { .. } | OpinionRule::Polya { .. })
    }
}

/// The item of the trait `indifference`, behind all items of every rule.
const INDIFFERENCE: u32 = 1_000;

/// A seat and its question.
struct OpinionSeat<'a, 'q> {
    rule: &'a OpinionRule,
    indifference: Option<TraitValue>,
    motion: &'a Motion,
    seed: &'a SessionSeed,
    query: &'a Query<'q>,
    /// The first opinion as written in the config.
    written: Option<TraitValue>,
}

impl Opinionated {
    /// The traits of the agent on a seat: the written first opinion and the rule's traits.
    pub(super) fn draw_traits(&self, seed: &SessionSeed, seat: &SeatName) -> Vec<Trait> {
        let opinion = self.opinion.map(|value| (0, ("opinion", value)));
        let indifference = self.indifference.map(|value| (INDIFFERENCE, ("indifference", value)));
        let all = opinion.into_iter().chain(self.rule.trait_items()).chain(indifference);
        all.map(|(item, (name, value))| Trait {
            name: name.to_owned(),
            millionths: value.millionths_on(seed, seat, item),
        })
        .collect()
    }

    /// What the seat favours; `None` if it stands nowhere. The state is an `OpinionState`.
    pub(super) fn form_favour(
        &self,
        motion: &Motion,
        seed: &SessionSeed,
        query: &Query<'_>,
    ) -> Option<(Favour, MindState)> {
        if query.first == First::Untold {
            return None;
        }
        let (rule, indifference) = (&self.rule, self.indifference);
        let seat = OpinionSeat { rule, indifference, motion, seed, query, written: self.opinion };
        let mut held = OpinionState::from_state(query.state, motion).unwrap_or_else(|| seat.initial_state());
        let rounds = seat.heard_positions(held.heard);
        // A small question may show less of the talk than other questions do.
        if !query.id.at.step.is_small() {
            rounds.iter().for_each(|said| seat.advance_step(&mut held, said));
        }
        let favour = seat.current_favour(&held, rounds.last().map_or(&[], Vec::as_slice));
        Some((favour, held.into_state()))
    }
}

impl OpinionSeat<'_, '_> {
    /// The last declaration of each other seat at the end of each round that brought one since a record; on a turn, only declarations
    /// before the current round.
    fn heard_positions(&self, since: i64) -> Vec<Vec<heard::DeclaredPosition>> {
        let (brief, at) = (&self.query.brief, &self.query.id.at);
        let round_from = brief.remarks.floor.get(brief.heard.round_from as usize);
        let before = round_from.filter(|_| at.step.is_of_a_turn()).map_or(Seq(u64::MAX), |remark| remark.seq);
        heard::declared_positions(self.motion, brief, (since, before))
    }

    /// A trait of the rule on this seat.
    fn trait_number(&self, place: usize) -> f64 {
        self.trait_millionths(place) as f64 * 1e-6
    }

    /// A trait of the rule on this seat, in millionths.
    fn trait_millionths(&self, place: usize) -> i64 {
        let (_, value) = self.rule.parameters()[place];
        value.millionths_on(self.seed, &self.query.id.seat, place as u32 + 1)
    }

    /// This seat's draws at a step of its model, independent of the speaking order and of which question comes first.
    fn own_draws(&self, step: i64, item: u32) -> Draws {
        self.seed.at_question(DrawPurpose::Choice, &state::step_of(self.query.id.seat.clone(), step), item)
    }

    /// The seats in a random order that all seats share at a step.
    fn in_one_order(&self, step: i64, seats: impl Iterator<Item = u32>) -> Vec<u32> {
        let at = state::step_of(self.query.id.seat.clone(), step).at;
        let lot = |seat: u32| (self.seed.at_moment(DrawPurpose::Choice, &at, seat).next_bits(), seat);
        let mut lots: Vec<(u64, u32)> = seats.map(lot).collect();
        lots.sort_unstable();
        lots.into_iter().map(|(_, seat)| seat).collect()
    }

    /// The alternatives in the order by which this seat breaks ties.
    fn tie_order(&self) -> Vec<AlternativeId> {
        by_lot(self.motion, self.seed, &self.query.id.seat)
    }

    fn current_favour(&self, held: &OpinionState, said: &[heard::DeclaredPosition]) -> Favour {
        let weights = self.alternative_weights(held);
        let mut order = rank_alternatives(&weights, &self.tie_order());
        let told = self.told_first(held);
        if let Some(first) = told.map(|told| told.alternative).or_else(|| self.draw_favoured(held, &weights)) {
            order.sort_by_key(|id| *id != first);
        }
        if let OpinionRule::QuantalResponse { utilities, .. } = self.rule {
            let at = |place| self.seed.at_question(DrawPurpose::Choice, &noise_at(self.query), place);
            quantal_response::draw_later_places(&mut order, utilities, self.trait_number(0), at);
        }
        let favoured = self.query.pushes.unwrap_or(order[0]);
        let agrees = |said: &heard::DeclaredPosition| said.stance.is_some_and(|stance| stance.alternative == favoured);
        let is_amount = self.motion.alternatives.len() == 1;
        Favour {
            is_ready: !said.is_empty() && said.iter().all(agrees),
            abstains: self.abstains(&weights),
            worth: (self.rule.has_worth_weights() && weights.len() > 1).then(|| weights.clone()),
            opinion: (!self.rule.is_discrete()).then(|| self.declared_opinion(&weights, order[0])),
            amount: told.and_then(|told| told.amount).or_else(|| is_amount.then(|| held.position.amount(self.motion))),
            order,
            preface: self.argument_preface(held),
            citations: String::new(),
        }
    }

    /// Whether the two greatest weights are nearer than its indifference, in whole billionths. An amount alone has only one weight,
    /// so the seat votes.
    fn abstains(&self, weights: &[f64]) -> bool {
        let Some(bound) = self.indifference else { return false };
        let mut sorted = weights.to_vec();
        sorted.sort_by(|one, other| other.total_cmp(one));
        let bound = bound.number_on(self.seed, &self.query.id.seat, INDIFFERENCE);
        matches!(sorted[..], [first, second, ..] if is_nearer(first - second, bound))
    }

    fn alternative_weights(&self, held: &OpinionState) -> Vec<f64> {
        match self.rule {
            OpinionRule::QuantalResponse { utilities, .. } => {
                let mut options: Vec<f64> = utilities.iter().map(|millionths| *millionths as f64 * 1e-6).collect();
                quantal_response(&mut options, self.trait_number(0));
                options
            }
            OpinionRule::Polya { .. } => mean_belief(&held.belief()),
            _ => held.position.weights(self.motion),
        }
    }

    /// The declared weight: for two alternatives the first's, for more the favourite's.
    fn declared_opinion(&self, weights: &[f64], favoured: AlternativeId) -> Opinion {
        let number = if weights.len() <= 2 { weights[0] } else { weights[favoured.index()] };
        position::to_opinion(number)
    }

    /// The favourite if the rule draws it; `None` if the greatest weight decides.
    fn draw_favoured(&self, held: &OpinionState, weights: &[f64]) -> Option<AlternativeId> {
        let draw = |draws: Draws| AlternativeId(quantal_response::draw_place(weights, draws) as u32);
        match self.rule {
            OpinionRule::QuantalResponse { .. } => {
                Some(draw(self.seed.at_question(DrawPurpose::Choice, &noise_at(self.query), 0)))
            }
            OpinionRule::Polya { .. } => {
                let told = self.told_first(held).map(|told| told.alternative);
                // Each repetition of a vote is a new draw.
                told.or_else(|| Some(draw(self.own_draws(held.steps, self.query.sample))))
            }
            OpinionRule::SocialDecisionScheme(scheme)
                if matches!(self.query.ask.step(), Step::Ballot | Step::Amount) =>
            {
                let mut counts = held.first_position_counts();
                counts[rank_alternatives(weights, &self.tie_order())[0].index()] += 1;
                scheme.decide(&mut counts, self.query.truth.map(AlternativeId::index));
                let mut draws = self.seed.at_moment(DrawPurpose::Choice, &state::whole_session(), 0);
                (counts.iter().sum::<u64>() > 0).then(|| AlternativeId(draws.draw_weighted(&counts) as u32))
            }
            _ => None,
        }
    }

    /// The citation that precedes a statement.
    fn argument_preface(&self, held: &OpinionState) -> String {
        match (self.rule, self.query.ask.step()) {
            (OpinionRule::ArgumentExchange { .. }, Step::Statement) => {
                let arguments = held.arguments();
                let draw = |count| self.own_draws(held.steps, 0).draw_below(count) as usize;
                let used = (!arguments.is_empty()).then(|| arguments[draw(arguments.len() as u64)]);
                used.map_or_else(String::new, |used| format!("{} ", self.cite_argument(used)))
            }
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests;
