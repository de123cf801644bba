//! The mind of the distributive-justice experiment: it weighs the risk of each class, the worst off and what it hears.
//!
//! A table is worth (1 − f)·CE + f·low: its certainty equivalent under constant relative risk aversion ρ, and the low class's
//! income with the fairness weight f. A principle is worth the mean of the tables that it picks in the practised situations (the
//! sample if none is practised), with the best amount in each; values are rescaled over the principles to 0 … 1. Declarations of
//! others move them: with H stances heard, u' = (1 − w)·u + w·(share heard), w = persuasion · H / (H + 4). A choice is a quantal
//! response with precision λ; a ranking repeats it over the remaining options. A choice in a practice round uses the values in
//! its own situation, and ignores the talk.
//!
//! The group's amount is the one last heard with the alternative, else the standing one, else the best on average over the
//! practised situations. A choice declared in a statement stands until the next statement; polls and ballots repeat it. The seat
//! calls a vote if the others declared its choice most often and at least half the time. It agrees to a vote if they declared its
//! choice most often, else in one case of four.

mod state;
mod worth;

use std::sync::Arc;

pub use worth::{certainty_equivalent, principle_shares, quantal_response, quantal_shares, rescale_values};

use crate::chance::{DrawPurpose, Draws, SessionSeed};
use crate::domain::{
    AlternativeId, Answer, Ask, Certainty, Choice, Motion, Query, QuestionId, Reply, SeatName, Situation, Trait,
};
use crate::mechanism::IncomePrinciples;
use crate::minds::coordinates::{PROBABILITY_STEPS, convening_question, noise_at, sort_options};
use crate::minds::{TraitValue, marks, reply, words};
use state::JusticeState;
use worth::{Taste, valued_situations};

/// How many heard stances give half of the greatest persuasion.
const HALF_PERSUADED: f64 = 4.0;

/// The probability that a seat agrees to a vote although others do not declare its choice most often, in parts per million.
const CONCEDES_PPM: u32 = 250_000;

/// The least probability of a first choice for each certainty but the lowest.
const CERTAINTIES: [(f64, Certainty); 4] =
    [(0.8, Certainty::VerySure), (0.6, Certainty::Sure), (0.45, Certainty::NoOpinion), (0.3, Certainty::Unsure)];

/// What a mind that values principles considers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum JusticeScope {
    /// Risk, the worst off and the talk: the mind `justice`.
    Everything,
    /// A principle's mean pay alone: the mind `quantal_response` on pay, which is `justice` with all traits 0 but the precision.
    PayAlone,
}

/// The parameters of a `justice` mind.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Justice {
    /// Constant relative risk aversion ρ, at least 0.
    pub risk_aversion: TraitValue,
    /// The weight of the low class's income, 0 … 1.
    pub fairness: TraitValue,
    /// The precision λ of choices, at least 0: 0 chooses blindly, 4 chooses the best principle 55 times as often as the worst.
    pub precision: TraitValue,
    /// The limit of the weight of heard stances as more are heard, 0 … 1.
    pub persuasion: TraitValue,
    /// Determines the mind's name and the traits that it reports.
    pub counts: JusticeScope,
    /// The principles, and the situations that give them their values.
    #[serde(skip)]
    pub practised: Arc<IncomePrinciples>,
}

impl Justice {
    /// A mind that considers pay alone.
    pub fn of_pay(precision: TraitValue, practised: Arc<IncomePrinciples>) -> Self {
        let none = TraitValue::Fixed(0);
        let counts = JusticeScope::PayAlone;
        Self { risk_aversion: none, fairness: none, precision, persuasion: none, counts, practised }
    }

    /// The spelling used in configs and tables.
    pub fn name(&self) -> &'static str {
        match self.counts {
            JusticeScope::Everything => "justice",
            JusticeScope::PayAlone => "quantal_response",
        }
    }

    /// Its traits by name.
    pub fn named_traits(&self) -> Vec<(&'static str, TraitValue)> {
        self.trait_items().into_iter().map(|(_, name, value)| (name, value)).collect()
    }

    /// The traits of the agent on a seat, in drawing order.
    pub(super) fn draw_traits(&self, seed: &SessionSeed, seat: &SeatName) -> Vec<Trait> {
        let drawn = |(item, name, value): (u32, &str, TraitValue)| Trait {
            name: name.to_owned(),
            millionths: value.millionths_on(seed, seat, item),
        };
        self.trait_items().into_iter().map(drawn).collect()
    }

    /// The traits with their items in the stream of draws.
    fn trait_items(&self) -> Vec<(u32, &'static str, TraitValue)> {
        let precision = (2, "precision", self.precision);
        match self.counts {
            JusticeScope::PayAlone => vec![precision],
            JusticeScope::Everything => vec![
                (0, "risk_aversion", self.risk_aversion),
                (1, "fairness", self.fairness),
                precision,
                (3, "persuasion", self.persuasion),
            ],
        }
    }

    /// Answers a query. The state is a `JusticeState`.
    pub(super) fn answer(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
        let mut seat = JusticeSeat { motion, seed, query, held: self.held_state(seed, query) };
        let reply = match &query.ask {
            Ask::Statement { options, .. } => seat.make_statement(options),
            Ask::Ballot { options, form, .. } if form.says_more() => {
                let first = query.pushes.or_else(|| seat.held.standing_choice().map(|standing| standing.alternative));
                let (mut order, _) = seat.draw_order(options);
                if let Some(first) = first {
                    order.retain(|other| *other != first);
                    order.insert(0, first);
                }
                reply::build_ballot_by_order(query, &order)
            }
            Ask::StrawPoll { options, .. } | Ask::Ballot { options, .. } => {
                let alternative = query.pushes.unwrap_or_else(|| match seat.held.standing_choice() {
                    Some(standing) => standing.alternative,
                    None => seat.draw_option(options),
                });
                reply::build_choice(query, seat.with_amount(alternative))
            }
            Ask::Amount { alternative, .. } => {
                let amount = seat.with_amount(*alternative).amount;
                Reply::Amount(amount.expect("invariant: an amount is asked of what takes one"))
            }
            Ask::Ranking { options } => {
                let (order, first) = seat.draw_order(options);
                Reply::Ranking { order, certainty: choice_certainty(first) }
            }
            Ask::Comprehension { situation, questions } => {
                let table =
                    |alternative, amount| self.practised.pick_table(Choice { alternative, amount }, situation).table;
                Reply::Test(questions.iter().map(|one| table(one.alternative, one.amount) as u32 + 1).collect())
            }
            Ask::Application { options, situation } => self.apply_principle(&seat, options, situation),
            Ask::Volunteer => Reply::Urgency(marks::speaking_urgency(motion, query, seat.favoured_alternative())),
            Ask::Reasoning => Reply::Note(seat.compose_thought().into()),
            Ask::VoteCall => {
                let heard = seat.heard_stances();
                let calls = heard.mode.is_some_and(|mode| 2 * heard.counts[mode.index()] >= heard.total);
                Reply::Assent(calls && heard.mode == seat.favoured_alternative())
            }
            Ask::Confirmation { .. } => {
                let favoured = seat.favoured_alternative();
                let is_ours = favoured.is_some() && favoured == seat.heard_stances().mode;
                Reply::Assent(is_ours || seat.noise_draws().draw_event(CONCEDES_PPM))
            }
            other => unreachable!("invariant: {other:?} is answered by a common rule, or by scripts alone"),
        };
        reply::answer_with(motion, reply, seat.held.into_state())
    }

    /// The state with which it answers a query.
    pub(super) fn held_state(&self, seed: &SessionSeed, query: &Query<'_>) -> JusticeState {
        let held = JusticeState::from_state(query.state, self.practised.principles.len());
        held.unwrap_or_else(|| self.initial_state(seed, &query.id.seat))
    }

    /// The state before the first question.
    fn initial_state(&self, seed: &SessionSeed, seat: &SeatName) -> JusticeState {
        let (values, amounts) =
            self.draw_taste(seed, seat).of_principles(&self.practised, valued_situations(&self.practised));
        let firmness = (self.precision.millionths_on(seed, seat, 2), self.persuasion.millionths_on(seed, seat, 3));
        let amounts = by_lot(&amounts, seed, &convening_question(seat));
        JusticeState::new(firmness, &rescale_values(&values), &amounts)
    }

    fn draw_taste(&self, seed: &SessionSeed, seat: &SeatName) -> Taste {
        Taste {
            risk_aversion: self.risk_aversion.number_on(seed, seat, 0),
            fairness: self.fairness.number_on(seed, seat, 1),
        }
    }

    /// Chooses a principle for a situation.
    fn apply_principle(&self, seat: &JusticeSeat<'_, '_>, options: &[AlternativeId], situation: &Situation) -> Reply {
        let taste = self.draw_taste(seat.seed, &seat.query.id.seat);
        let (values, amounts) = taste.of_principles(&self.practised, [situation].into_iter());
        let amounts = by_lot(&amounts, seat.seed, &noise_at(seat.query));
        let offered = sort_options(options);
        let values: Vec<f64> = offered.iter().map(|id| values[id.index()]).collect();
        let shares = quantal_shares(&rescale_values(&values), seat.held.precision());
        let place = draw_place(&mut seat.noise_draws(), &shares);
        let alternative = offered[place];
        let choice = Choice { alternative, amount: amounts[alternative.index()] };
        let table = self.practised.pick_table(choice, situation).table + 1;
        let reasoning = if values.iter().all(|value| *value <= values[place]) {
            format!(
                "It picks table {table}. Nothing else on offer gives me a better one, as I weigh risk and the worst off."
            )
        } else {
            format!("It picks table {table}. I was not certain: something else may give me a better one.")
        };
        Reply::Application { choice, certainty: choice_certainty(shares[place]), reasoning: reasoning.into() }
    }
}

/// A seat and its question.
struct JusticeSeat<'a, 'q> {
    motion: &'a Motion,
    seed: &'a SessionSeed,
    query: &'a Query<'q>,
    held: JusticeState,
}

/// The declarations of others that the seat is shown.
struct HeardStances {
    /// By alternative.
    counts: Vec<u32>,
    total: u32,
    /// The alternative declared most often; `None` for ties and if nothing was declared.
    mode: Option<AlternativeId>,
}

impl JusticeSeat<'_, '_> {
    fn noise_draws(&self) -> Draws {
        self.seed.at_question(DrawPurpose::Choice, &noise_at(self.query), 0)
    }

    fn heard_stances(&self) -> HeardStances {
        let heard = &self.query.brief.heard;
        let counts: Vec<u32> = self.motion.alternative_ids().map(|id| heard.count(id)).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut modes = (0..).zip(&counts).filter(|(_, count)| most > 0 && **count == most);
        let mode = modes.next().map(|(place, _)| AlternativeId(place)).filter(|_| modes.next().is_none());
        HeardStances { total: counts.iter().sum(), mode, counts }
    }

    /// The seat's vote as far as it is known: what it was instructed to push, else its standing choice.
    fn favoured_alternative(&self) -> Option<AlternativeId> {
        self.query.pushes.or(self.held.standing_choice().map(|standing| standing.alternative))
    }

    /// The values of some alternatives after persuasion.
    fn persuaded_values(&self, offered: &[AlternativeId]) -> Vec<f64> {
        let heard = self.heard_stances();
        let total = f64::from(heard.total);
        let weight = self.held.persuasion() * total / (total + HALF_PERSUADED);
        let moved = |id: &AlternativeId| match heard.total {
            0 => self.held.value(*id),
            _ => (1.0 - weight) * self.held.value(*id) + weight * f64::from(heard.counts[id.index()]) / total,
        };
        offered.iter().map(moved).collect()
    }

    /// Draws an option by quantal response to the persuaded values.
    fn draw_option(&self, options: &[AlternativeId]) -> AlternativeId {
        let offered = sort_options(options);
        let shares = quantal_shares(&self.persuaded_values(&offered), self.held.precision());
        offered[draw_place(&mut self.noise_draws(), &shares)]
    }

    /// The alternative with the amount last heard with it, else the standing amount, else the best one.
    fn with_amount(&self, alternative: AlternativeId) -> Choice {
        if !self.motion.alternatives[alternative.index()].takes_amount {
            return alternative.into();
        }
        let standing = self.held.standing_choice().filter(|standing| standing.alternative == alternative);
        // The best amount in practice may exceed the greatest that the group can agree on.
        let best = || self.held.best_amount(alternative).map(|amount| amount.min(reply::amount_max(self.motion)));
        let own = || standing.and_then(|standing| standing.amount).or_else(best);
        Choice { alternative, amount: self.query.brief.heard.amount(alternative).or_else(own) }
    }

    fn make_statement(&mut self, options: &[AlternativeId]) -> Reply {
        let all: Vec<AlternativeId> = self.motion.alternative_ids().collect();
        let standing = self.with_amount(self.draw_option(if options.is_empty() { &all } else { options }));
        self.held.set_standing_choice(standing);
        let (stance, reason) = match self.query.pushes {
            Some(pushed) => (self.with_amount(pushed), ""),
            None => (standing, self.choice_reason(standing.alternative)),
        };
        let text = words::favour_sentence(self.motion, stance) + reason;
        let text = words::at_length(text, self.query.ask.chars_min(), self.motion.language);
        let text = if self.query.ask.reads_marks() {
            marks::mark_statement(self.motion, self.query, stance, text)
        } else {
            text
        };
        reply::build_statement(self.motion, self.query, text, (Some(stance), None))
    }

    /// A true reason for a choice.
    fn choice_reason(&self, chosen: AlternativeId) -> &'static str {
        let is_best =
            self.motion.alternative_ids().all(|id| self.held.value_units(id) <= self.held.value_units(chosen));
        let reason = if is_best {
            words::Reason::WorthMost
        } else if self.query.brief.heard.count(chosen) > 0 {
            words::Reason::Heard
        } else {
            words::Reason::Unsure
        };
        words::reason_sentence(reason, self.motion.language)
    }

    /// The thought before speaking: the alternative worth most now. Nothing is drawn, because the statement makes the choice.
    fn compose_thought(&self) -> String {
        let all: Vec<AlternativeId> = self.motion.alternative_ids().collect();
        let values = self.persuaded_values(&all);
        let better = |best: usize, place: usize| if values[place] > values[best] { place } else { best };
        let best = all[(1..all.len()).fold(0, better)];
        let heard = self.heard_stances();
        words::thought_sentence(self.motion, best, (heard.counts[best.index()], heard.total))
    }

    /// The options, best first, each drawn by quantal response among those left; and the probability of the first.
    fn draw_order(&self, options: &[AlternativeId]) -> (Vec<AlternativeId>, f64) {
        let mut left = sort_options(options);
        let mut values = self.persuaded_values(&left);
        let mut noise = self.noise_draws();
        let mut order = Vec::with_capacity(left.len());
        let mut first = None;
        while !left.is_empty() {
            let shares = quantal_shares(&values, self.held.precision());
            let place = draw_place(&mut noise, &shares);
            first = first.or(Some(shares[place]));
            order.push(left.remove(place));
            values.remove(place);
        }
        (order, first.unwrap_or(1.0))
    }
}

/// Draws a position with these probabilities.
fn draw_place(draws: &mut Draws, shares: &[f64]) -> usize {
    let weights: Vec<u64> = shares.iter().map(|share| (share * PROBABILITY_STEPS).round() as u64).collect();
    draws.draw_weighted(&weights)
}

/// The certainty for the probability of a first choice.
fn choice_certainty(probability: f64) -> Certainty {
    let reached = CERTAINTIES.iter().find(|(least, _)| probability >= *least);
    reached.map_or(Certainty::VeryUnsure, |(_, certainty)| *certainty)
}

/// A best amount for each principle, drawn among equally good ones; `None` if the principle takes none.
fn by_lot(best: &[Vec<u32>], seed: &SessionSeed, at: &QuestionId) -> Vec<Option<u32>> {
    let lot = |(place, amounts): (usize, &Vec<u32>)| match amounts[..] {
        [] => None,
        [one] => Some(one),
        _ => {
            let drawn = seed.at_question(DrawPurpose::Opinion, at, place as u32).draw_below(amounts.len() as u64);
            Some(amounts[drawn as usize])
        }
    };
    best.iter().enumerate().map(lot).collect()
}

#[cfg(test)]
mod tests;
