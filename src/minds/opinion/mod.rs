//! Models of opinions: what a seat hears moves where it stands, or does not, by a published rule.
//!
//! One step of a model is made for each round of talk in which something was heard: before the next question of its own that follows
//! the round, whichever that is, from what each of the others declared last by the end of it. What is said in the round under way is
//! left for the next step, so that the order of speaking makes no difference to who has heard whom. A round in which nothing is heard
//! makes no step. Answers to small questions (whether to speak, to vote) are given from where the seat stands.
//!
//! Models whose opinions are numbers hold one for two alternatives or an amount, and weights for more (see `position`). The rule itself
//! is a pure function in a file of its own; what it leaves open of a deliberation is answered by one rule for all (`favour`).

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
pub(super) use state::PROBABILITY_STEPS;

use hegselmann_krause::mean_with;

use super::favour::{self, Favour, Turnout, VoteReadiness};
use super::justice::quantal_response;
use super::{TraitValue, note, silent};
use crate::chance::{DrawPurpose, Draws, SessionSeed};
use crate::domain::{AlternativeId, Answer, Ask, First, Motion, Opinion, Query, SeatName, Seq, Trait};
use crate::minds::coordinates::{by_lot, noise_at};
use position::rank_alternatives;
use state::OpinionState;

/// A mind that stands somewhere, and the model by which that changes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Opinionated {
    /// Where it stands at first, for two alternatives or an amount; `None` where that is drawn from everywhere.
    pub opinion: Option<TraitValue>,
    /// How near to each other the two that it favours most may be for it to abstain, where it may; `None` where it always votes.
    pub indifference: Option<TraitValue>,
    /// The model.
    pub rule: OpinionRule,
}

/// Where the arguments of a seat come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum ArgumentSource {
    /// There are so many for each alternative, of which a seat draws its own.
    Pool {
        /// How many, at least 1.
        each: u32,
    },
    /// They are the facts of the case, of which a seat has those that it was told.
    Facts,
}

/// A model of opinions. Numbers are traits unless they are counts.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum OpinionRule {
    /// Weighted means.
    Degroot {
        /// The weight of the own opinion, 0 … 1.
        self_weight: TraitValue,
        /// Those of the others.
        weights: InfluenceWeights,
    },
    /// Weighted means with an anchor.
    FriedkinJohnsen {
        /// 1 − λ, 0 … 1.
        stubbornness: TraitValue,
        /// The weight of the own opinion in the mean, 0 … 1.
        self_weight: TraitValue,
        /// Those of the others.
        weights: InfluenceWeights,
        /// What it is drawn to, 0 … 1: of two alternatives 1 is the first.
        attractor: TraitValue,
        /// κ, how much of the anchor that is, 0 … 1.
        pull: TraitValue,
    },
    /// The mean of those near enough.
    HegselmannKrause {
        /// ε, 0 … 1.
        confidence: TraitValue,
    },
    /// Meetings of two that are near enough.
    Deffuant {
        /// ε, 0 … 1.
        confidence: TraitValue,
        /// μ, 0 … 0.5.
        convergence: TraitValue,
    },
    /// Gives in to so many that agree.
    QVoter {
        /// How many are looked at, at least 1.
        q: u32,
        /// The probability of a change of mind where they disagree, 0 … 1.
        noise: TraitValue,
    },
    /// Takes what most of a small group hold.
    Majority {
        /// The size of a group, at least 1.
        group: u32,
    },
    /// Exchange of arguments.
    ArgumentExchange {
        /// S, how many arguments a seat has in mind, at least 1; of facts at the most.
        arguments: u32,
        /// Where they come from.
        source: ArgumentSource,
        /// h, 0 … 100.
        homophily: TraitValue,
    },
    /// Votes for what becomes of the first positions.
    SocialDecisionScheme(Scheme),
    /// Chooses the better the likelier.
    QuantalResponse {
        /// λ, 0 … 1000.
        precision: TraitValue,
        /// The utility of each alternative, in millionths.
        utilities: Vec<i64>,
    },
    /// Counts answers.
    Polya {
        /// How many answers the first belief counts for, above 0.
        concentration: TraitValue,
    },
    /// Holds what its signal points to.
    Juror,
}

impl OpinionRule {
    /// The spelling used in configs and tables.
    pub fn name(&self) -> &'static str {
        match self {
            OpinionRule::Degroot { .. } => "degroot",
            OpinionRule::FriedkinJohnsen { .. } => "friedkin_johnsen",
            OpinionRule::HegselmannKrause { .. } => "hegselmann_krause",
            OpinionRule::Deffuant { .. } => "deffuant",
            OpinionRule::QVoter { .. } => "q_voter",
            OpinionRule::Majority { .. } => "majority",
            OpinionRule::ArgumentExchange { .. } => "argument_exchange",
            OpinionRule::SocialDecisionScheme(_) => "social_decision_scheme",
            OpinionRule::QuantalResponse { .. } => "quantal_response",
            OpinionRule::Polya { .. } => "polya",
            OpinionRule::Juror => "juror",
        }
    }

    /// Its traits by name, those that count: a weight on itself that a file of edges gives takes the place of `self_weight`.
    pub fn named_traits(&self) -> Vec<(&'static str, TraitValue)> {
        self.trait_items().into_iter().map(|(_, named)| named).collect()
    }

    /// The same with which item of what is drawn each is. The first opinion is item 0, these follow.
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

    /// All of them, whether or not they count, in the order in which they are drawn.
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

    /// Whether a seat holds an alternative and nothing between.
    fn is_discrete(&self) -> bool {
        matches!(
            self,
            OpinionRule::QVoter { .. }
                | OpinionRule::Majority { .. }
                | OpinionRule::SocialDecisionScheme(_)
                | OpinionRule::Juror
        )
    }

    /// Whether it makes a step from where a group stands as a whole, and not from what each of its members says.
    fn hears_groups(&self) -> bool {
        matches!(
            self,
            OpinionRule::Degroot { .. } | OpinionRule::FriedkinJohnsen { .. } | OpinionRule::HegselmannKrause { .. }
        )
    }

    /// Whether a written first opinion means something to it.
    pub fn has_opinion(&self) -> bool {
        !matches!(self, OpinionRule::QuantalResponse { .. } | OpinionRule::Juror)
            && !matches!(self, OpinionRule::ArgumentExchange { source: ArgumentSource::Facts, .. })
    }

    /// Whether its weights say how much each alternative is worth to it, and not only how probable its choice is.
    fn has_worth_weights(&self) -> bool {
        !self.is_discrete() && !matches!(self, OpinionRule::QuantalResponse { .. } | OpinionRule::Polya { .. })
    }
}

/// The place of the trait `indifference` among what is drawn, behind all of every rule.
const INDIFFERENCE: u32 = 1_000;

/// A mind on a seat with a question before it.
struct OpinionSeat<'a, 'q> {
    rule: &'a OpinionRule,
    indifference: Option<TraitValue>,
    motion: &'a Motion,
    seed: &'a SessionSeed,
    query: &'a Query<'q>,
    /// Where it stands at first, as it was written.
    written: Option<TraitValue>,
}

impl Opinionated {
    /// The traits of the agent on a seat: where it stands at first, where that is written, and the rule's.
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

    /// Answers a query. The state is what [`Held`] says.
    pub(super) fn answer(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
        match query.ask {
            Ask::Notes { .. } => return note::take_notes(motion, query),
            Ask::Integration { .. } | Ask::Compression { .. } => return note::rewrite_memory(motion, query),
            _ if query.first == First::Untold => return silent::answer_query(motion, query),
            _ => {}
        }
        let (rule, indifference) = (&self.rule, self.indifference);
        let seat = OpinionSeat { rule, indifference, motion, seed, query, written: self.opinion };
        let mut held = OpinionState::from_state(query.state, motion).unwrap_or_else(|| seat.initial_state());
        let said = seat.heard_positions();
        // A small question may show less of the talk than the others do.
        if !query.id.at.step.is_small() {
            seat.advance_step(&mut held, &said);
        }
        let favour = seat.current_favour(&held, &said);
        favour::answer_from_favour(&favour, motion, seed, query, held.into_state())
    }
}

impl OpinionSeat<'_, '_> {
    /// What each of the others declared last, by the beginning of the round under way where a turn in it is taken.
    fn heard_positions(&self) -> Vec<heard::DeclaredPosition> {
        let (brief, at) = (&self.query.brief, &self.query.id.at);
        let round_from = brief.remarks.floor.get(brief.heard.round_from as usize);
        let before = round_from.filter(|_| at.step.is_of_a_turn()).map_or(Seq(u64::MAX), |remark| remark.seq);
        heard::declared_positions(self.motion, brief, before)
    }

    /// A trait's number on this seat, by its place among the rule's.
    fn trait_number(&self, place: usize) -> f64 {
        let (_, value) = self.rule.parameters()[place];
        value.number_on(self.seed, &self.query.id.seat, place as u32 + 1)
    }

    /// The same of a trait that is a probability, in parts per million.
    fn trait_millionths(&self, place: usize) -> u32 {
        let (_, value) = self.rule.parameters()[place];
        let millionths = value.millionths_on(self.seed, &self.query.id.seat, place as u32 + 1);
        u32::try_from(millionths).expect("invariant: a probability is a part of one")
    }

    /// Draws of this seat at a step of its model; the order of speaking and the question that comes first move none.
    fn own_draws(&self, step: i64, item: u32) -> Draws {
        self.seed.at_question(DrawPurpose::Choice, &state::step_of(self.query.id.seat.clone(), step), item)
    }

    /// The seats in an order by lot that is the same for all at a step.
    fn in_one_order(&self, step: i64, seats: impl Iterator<Item = u32>) -> Vec<u32> {
        let at = state::step_of(self.query.id.seat.clone(), step).at;
        let lot = |seat: u32| (self.seed.at_moment(DrawPurpose::Choice, &at, seat).next_bits(), seat);
        let mut lots: Vec<(u64, u32)> = seats.map(lot).collect();
        lots.sort_unstable();
        lots.into_iter().map(|(_, seat)| seat).collect()
    }

    /// The alternatives in the order by which this seat settles what is equal to it.
    fn tie_order(&self) -> Vec<AlternativeId> {
        by_lot(self.motion, self.seed, &self.query.id.seat)
    }

    /// What the mind favours.
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
        let is_ready = if !said.is_empty() && said.iter().all(agrees) { VoteReadiness::Yes } else { VoteReadiness::No };
        let is_amount = self.motion.alternatives.len() == 1;
        Favour {
            turnout: self.turnout(&weights),
            worth: (self.rule.has_worth_weights() && weights.len() > 1).then(|| weights.clone()),
            opinion: (!self.rule.is_discrete()).then(|| self.declared_opinion(&weights, order[0])),
            amount: told.and_then(|told| told.amount).or_else(|| is_amount.then(|| held.position.amount(self.motion))),
            order,
            is_ready,
            preface: self.argument_preface(held),
        }
    }

    /// Whether it votes: not where the two greatest weights are nearer to each other than its indifference, in whole billionths. Of an
    /// amount alone it always does.
    fn turnout(&self, weights: &[f64]) -> Turnout {
        let Some(bound) = self.indifference else { return Turnout::Votes };
        let mut sorted = weights.to_vec();
        sorted.sort_by(|one, other| other.total_cmp(one));
        let bound = bound.number_on(self.seed, &self.query.id.seat, INDIFFERENCE);
        match sorted[..] {
            [first, second, ..] if is_nearer(first - second, bound) => Turnout::Abstains,
            _ => Turnout::Votes,
        }
    }

    /// How far each alternative is favoured.
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

    /// What is told of these weights: of two alternatives the first's, of more the favoured one's.
    fn declared_opinion(&self, weights: &[f64], favoured: AlternativeId) -> Opinion {
        let number = if weights.len() <= 2 { weights[0] } else { weights[favoured.index()] };
        position::to_opinion(number)
    }

    /// What is favoured where that is drawn from the weights; `None` where it is what has the greatest.
    fn draw_favoured(&self, held: &OpinionState, weights: &[f64]) -> Option<AlternativeId> {
        let draw = |draws: Draws| AlternativeId(quantal_response::draw_place(weights, draws) as u32);
        match self.rule {
            OpinionRule::QuantalResponse { .. } => {
                Some(draw(self.seed.at_question(DrawPurpose::Choice, &noise_at(self.query), 0)))
            }
            OpinionRule::Polya { .. } => {
                let told = self.told_first(held).map(|told| told.alternative);
                // Votes that are taken again and again are drawn anew each time.
                told.or_else(|| Some(draw(self.own_draws(held.steps, self.query.sample))))
            }
            OpinionRule::SocialDecisionScheme(scheme)
                if matches!(self.query.ask, Ask::Ballot { .. } | Ask::Amount { .. }) =>
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

    /// The argument that is used in a statement, in brackets.
    fn argument_preface(&self, held: &OpinionState) -> String {
        match (self.rule, &self.query.ask) {
            (OpinionRule::ArgumentExchange { .. }, Ask::Statement { .. }) => {
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
