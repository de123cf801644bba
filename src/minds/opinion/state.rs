//! The state that a mind with an opinion keeps between questions, as integers, and the steps that change it.

use std::collections::BTreeSet;

use super::argument_exchange::shared_out;
use super::heard::{DeclaredPosition, GROUP};
use super::position::{self, Position, rank_alternatives};
use super::{
    ArgumentSource, OpinionRule, OpinionSeat, add_answers, adopt_argument, anchored_opinion, averaged_opinion,
    converged_opinion, find_partner, group_of, is_within, local_majority, mean_with, opinion_anchor,
    partner_attraction, q_voter_choice,
};
use crate::chance::DrawPurpose;
use crate::domain::{
    AlternativeId, Choice, FactId, First, MindState, Moment, Motion, PhaseName, QuestionId, SeatName, Step,
};
use crate::memory::guidance::shown_text;
use crate::minds::coordinates::{PROBABILITY_STEPS, convening_question};
use crate::text::{names_word, parse_digits};

/// How many numbers precede the position: the steps made, and the newest record heard in them.
const HEAD: usize = 2;

/// The start of a cited argument's number, which no other number has.
const CITED: &str = "[A";

/// Steps made, the newest record heard in them, the position, and the data of the model: arguments, newest first; or the number
/// of alternatives, the first positions heard by alternative, and the seats that declared them; or a belief in millionths.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpinionState {
    pub steps: i64,
    pub(super) heard: i64,
    pub position: Position,
    kept: Vec<i64>,
}

impl OpinionState {
    /// Parses a state; `None` before the first question.
    pub fn from_state(state: &MindState, motion: &Motion) -> Option<Self> {
        let width = position::position_width(motion);
        let (head, rest) = state.0.split_at_checked(HEAD)?;
        let (position, kept) = rest.split_at_checked(width)?;
        Some(Self { steps: head[0], heard: head[1], position: Position::from_integers(position), kept: kept.to_vec() })
    }

    pub fn into_state(self) -> MindState {
        let mut numbers = vec![self.steps, self.heard];
        numbers.extend(self.position.to_integers());
        numbers.extend(self.kept);
        MindState(numbers)
    }

    /// The arguments in mind, newest first.
    pub fn arguments(&self) -> Vec<u32> {
        self.kept.iter().map(|number| *number as u32).collect()
    }

    /// The belief as counts.
    pub fn belief(&self) -> Vec<f64> {
        self.kept.iter().map(|millionths| *millionths as f64 * 1e-6).collect()
    }

    /// First positions heard, by alternative.
    pub fn first_position_counts(&self) -> Vec<u64> {
        let count = self.kept.first().map_or(0, |count| *count as usize);
        self.kept.iter().skip(1).take(count).map(|number| *number as u64).collect()
    }
}

/// The coordinate of a seat's draws at a step of its model.
pub(super) fn step_of(seat: SeatName, step: i64) -> QuestionId {
    let round = u32::try_from(step).unwrap_or(u32::MAX);
    QuestionId { at: Moment { round, ..whole_session() }, seat, attempt: 0 }
}

/// The coordinate of draws that all seats share for the session.
pub(super) fn whole_session() -> Moment {
    Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Statement }
}

/// The first argument cited in a text.
fn parse_citation(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once(CITED)?;
    let (number, _) = rest.split_once(']')?;
    parse_digits(number)
}

impl OpinionSeat<'_, '_> {
    /// The state before the first question.
    pub(super) fn initial_state(&self) -> OpinionState {
        let mut position = self.initial_position();
        let alternatives = self.motion.alternatives.len();
        let kept = match self.rule {
            OpinionRule::ArgumentExchange { arguments, source, .. } => {
                let held = self.first_arguments(*arguments as usize, *source);
                position = self.argued_position(&held);
                held.into_iter().map(i64::from).collect()
            }
            OpinionRule::SocialDecisionScheme(_) => {
                let mut kept = vec![0; alternatives + 1];
                kept[0] = alternatives as i64;
                kept
            }
            OpinionRule::Polya { .. } => {
                let weights = position.weights(self.motion);
                let millionths = |weight: &f64| (weight * self.trait_number(0) * 1e6 + 0.5) as i64;
                // Every answer stays possible, and the belief has weight.
                weights.iter().map(|weight| millionths(weight).max(1)).collect()
            }
            _ => Vec::new(),
        };
        if self.rule.is_discrete() {
            position = Position::from_alternative(self.motion, self.find_favourite(&position));
        }
        if let (OpinionRule::Juror, Some(signal)) = (self.rule, self.query.brief.signal) {
            position = Position::from_alternative(self.motion, signal);
        }
        OpinionState { steps: 0, heard: -1, position: position.to_rounded(), kept }
    }

    /// The first arguments, newest first: drawn from the pool, as many for the first side as the written opinion requires; or the
    /// facts that the seat was given, as places in the case.
    fn first_arguments(&self, count: usize, source: ArgumentSource) -> Vec<u32> {
        let name = &self.query.id.seat;
        let mut draws = self.seed.at_question(DrawPurpose::Opinion, &convening_question(name), 0);
        // An amount alone has two ends to support.
        let sides = self.motion.alternatives.len().max(2) as u32;
        match source {
            ArgumentSource::Facts => {
                let (case, told) = (self.query.brief.case, self.query.brief.facts);
                let told: BTreeSet<&FactId> = told.iter().map(|fact| &fact.id).collect();
                let is_told = |place: &u32| told.contains(&case[*place as usize].id);
                draws.draw_order(case.len() as u32).into_iter().filter(is_told).take(count).collect()
            }
            ArgumentSource::Pool { each } => {
                let all = draws.draw_order(each * sides).into_iter();
                let Some(opinion) = self.written else { return all.take(count).collect() };
                let mut of_first = (opinion.number_on(self.seed, name, 0) * count as f64 + 0.5) as usize;
                let mut of_second = count - of_first;
                let is_wanted = |argument: &u32| {
                    let left = if argument.is_multiple_of(2) { &mut of_first } else { &mut of_second };
                    let is_wanted = *left > 0;
                    *left -= usize::from(is_wanted);
                    is_wanted
                };
                all.filter(is_wanted).collect()
            }
        }
    }

    /// The place of the alternative that an argument supports; `None` if it supports none.
    fn argument_side(&self, argument: u32, source: ArgumentSource) -> Option<u32> {
        match source {
            ArgumentSource::Facts => Some(self.query.brief.case.get(argument as usize)?.favours?.0),
            ArgumentSource::Pool { .. } => Some(argument % self.motion.alternatives.len().max(2) as u32),
        }
    }

    fn argument_source(&self) -> ArgumentSource {
        match self.rule {
            OpinionRule::ArgumentExchange { source, .. } => *source,
            _ => unreachable!("invariant: only who exchanges arguments has any"),
        }
    }

    /// An argument as a statement cites it: a fact by its id.
    pub(super) fn cite_argument(&self, argument: u32) -> String {
        match self.argument_source() {
            ArgumentSource::Facts => format!("({})", self.query.brief.case[argument as usize].id),
            ArgumentSource::Pool { .. } => format!("{CITED}{argument}]"),
        }
    }

    /// The argument that a statement uses, if any; among several facts the first of the case.
    fn used_argument(&self, text: &str) -> Option<u32> {
        match self.argument_source() {
            ArgumentSource::Facts => {
                let case = self.query.brief.case.iter();
                (0..).zip(case).find(|(_, fact)| names_word(text, fact.id.as_str())).map(|(place, _)| place)
            }
            ArgumentSource::Pool { .. } => parse_citation(text),
        }
    }

    fn argued_position(&self, held: &[u32]) -> Position {
        let source = self.argument_source();
        let sides = held.iter().filter_map(|argument| self.argument_side(*argument, source));
        let mut shares = vec![0.0; self.motion.alternatives.len().max(2)];
        shared_out(sides, &mut shares);
        Position(if position::position_width(self.motion) == 1 { vec![shares[0]] } else { shares })
    }

    /// The alternative with the greatest weight.
    fn find_favourite(&self, position: &Position) -> AlternativeId {
        rank_alternatives(&position.weights(self.motion), &self.tie_order())[0]
    }

    /// Makes a step of the model if a round was heard since the last one.
    pub(super) fn advance_step(&self, held: &mut OpinionState, said: &[DeclaredPosition]) {
        let said = if self.rule.hears_groups() || said.iter().all(|said| said.seat != GROUP) { said } else { &[] };
        let Some(newest) = said.iter().map(|said| said.seq).max().filter(|newest| newest.0 as i64 > held.heard) else {
            return;
        };
        let is_new = |said: &&DeclaredPosition| said.seq.0 as i64 > held.heard;
        let new: Vec<&DeclaredPosition> = said.iter().filter(is_new).collect();
        let own = &held.position;
        let position = match self.rule {
            OpinionRule::Degroot { weights, .. } => {
                self.mean_position(own, &weights.heard_weights(self.trait_number(0), said), said)
            }
            OpinionRule::FriedkinJohnsen { weights, .. } => {
                let mean = self.mean_position(own, &weights.heard_weights(self.trait_number(1), said), said);
                self.anchored_position(&mean)
            }
            OpinionRule::HegselmannKrause { .. } => self.near_mean_position(own, said),
            OpinionRule::Deffuant { .. } => self.meeting_position(held, &new),
            OpinionRule::QVoter { q, .. } => self.q_voter_position(held, said, *q),
            OpinionRule::Majority { group } => self.majority_position(held, &new, *group as usize),
            OpinionRule::ArgumentExchange { .. } => {
                let arguments = self.listen_to_partner(held, &new);
                held.kept = arguments.iter().map(|number| i64::from(*number)).collect();
                self.argued_position(&arguments)
            }
            OpinionRule::Polya { .. } => {
                let mut belief = held.belief();
                let mut answers: Vec<u32> = new.iter().filter_map(|said| Some(said.stance?.alternative.0)).collect();
                answers.extend(self.draw_favoured(held, &super::mean_belief(&belief)).map(|own| own.0));
                add_answers(&mut belief, &answers);
                held.kept = belief.iter().map(|count| (count * 1e6 + 0.5) as i64).collect();
                own.clone()
            }
            OpinionRule::SocialDecisionScheme(_) => {
                self.note_first(held, &new);
                held.position.clone()
            }
            OpinionRule::QuantalResponse { .. } | OpinionRule::Juror => own.clone(),
        };
        held.position = position.to_rounded();
        held.steps += 1;
        held.heard = newest.0 as i64;
    }

    /// The weighted mean, number by number.
    fn mean_position(&self, own: &Position, weights: &[f64], said: &[DeclaredPosition]) -> Position {
        let of = |place: usize| {
            let others: Vec<(f64, f64)> =
                weights.iter().zip(said).map(|(weight, said)| (*weight, said.position.0[place])).collect();
            averaged_opinion(own.0[place], &others)
        };
        Position((0..own.0.len()).map(of).collect())
    }

    /// The mean after the pull of the anchor.
    fn anchored_position(&self, mean: &Position) -> Position {
        let (stubbornness, attractor, pull) = (self.trait_number(0), self.trait_number(2), self.trait_number(3));
        // The first position is computed again from the traits or the given choice.
        let first = self.initial_position().to_rounded();
        let of = |place: usize| {
            anchored_opinion(mean.0[place], opinion_anchor(first.0[place], attractor, pull), stubbornness)
        };
        Position((0..mean.0.len()).map(of).collect())
    }

    fn initial_position(&self) -> Position {
        let name = &self.query.id.seat;
        let told = match self.query.first {
            First::Told { choice, opinion } => Position::from_declaration(self.motion, Some(choice), opinion),
            First::Own | First::Untold => None,
        };
        let draws = || self.seed.at_question(DrawPurpose::Opinion, &convening_question(name), 0);
        told.unwrap_or_else(|| Position::draw_initial(self.motion, self.written, self.seed, name, draws()))
    }

    /// The choice that the seat was given to begin with, until it has heard something.
    pub(super) fn told_first(&self, held: &OpinionState) -> Option<Choice> {
        match self.query.first {
            First::Told { choice, .. } if held.steps == 0 => Some(choice),
            _ => None,
        }
    }

    /// The mean of the positions within the bound, number by number.
    fn near_mean_position(&self, own: &Position, said: &[DeclaredPosition]) -> Position {
        let bound = self.trait_number(0);
        let near: Vec<&DeclaredPosition> =
            said.iter().filter(|said| is_within(own.distance(&said.position), bound)).collect();
        let of = |place: usize| mean_with(own.0[place], near.iter().map(|said| said.position.0[place]));
        Position((0..own.0.len()).map(of).collect())
    }

    /// The position after a meeting with a random partner.
    fn meeting_position(&self, held: &OpinionState, new: &[&DeclaredPosition]) -> Position {
        let (own, seat) = (&held.position, self.query.seat.0);
        let order = self.in_one_order(held.steps, new.iter().map(|said| said.seat.0).chain([seat]));
        let other = find_partner(seat, &order).and_then(|other| new.iter().find(|said| said.seat.0 == other));
        let Some(other) = other else { return own.clone() };
        let (distance, bound, convergence) =
            (own.distance(&other.position), self.trait_number(0), self.trait_number(1));
        let of = |(own, other): (&f64, &f64)| converged_opinion(*own, *other, (distance, bound), convergence);
        Position(own.0.iter().zip(&other.position.0).map(of).collect())
    }

    /// Another seat's favourite, as a place.
    fn heard_favourite(&self, said: &DeclaredPosition) -> u32 {
        said.stance.map_or_else(|| self.find_favourite(&said.position), |stance| stance.alternative).0
    }

    fn q_voter_position(&self, held: &OpinionState, said: &[DeclaredPosition], q: u32) -> Position {
        let mut draws = self.own_draws(held.steps, 1);
        let looked_at: Vec<u32> =
            (0..q).map(|_| self.heard_favourite(&said[draws.draw_below(said.len() as u64) as usize])).collect();
        let own = self.find_favourite(&held.position).0;
        let count = self.motion.alternatives.len() as u32;
        let noise = u32::try_from(self.trait_millionths(0)).expect("invariant: a probability is a part of one");
        let changed = if draws.draw_event(noise) && count > 1 {
            (own + 1 + draws.draw_below(u64::from(count) - 1) as u32) % count
        } else {
            own
        };
        Position::from_alternative(self.motion, AlternativeId(q_voter_choice(&looked_at, changed)))
    }

    fn majority_position(&self, held: &OpinionState, new: &[&DeclaredPosition], size: usize) -> Position {
        let seat = self.query.seat.0;
        let order = self.in_one_order(held.steps, new.iter().map(|said| said.seat.0).chain([seat]));
        let own = self.find_favourite(&held.position).0;
        let of = |member: &u32| match new.iter().find(|said| said.seat.0 == *member) {
            Some(said) => self.heard_favourite(said),
            None => own,
        };
        let group: Vec<u32> = group_of(seat, &order, size).iter().map(of).collect();
        Position::from_alternative(self.motion, AlternativeId(local_majority(own, &group)))
    }

    /// Picks a partner by similarity, and adopts the argument that it used.
    fn listen_to_partner(&self, held: &OpinionState, new: &[&DeclaredPosition]) -> Vec<u32> {
        let mut draws = self.own_draws(held.steps, 1);
        let mut arguments = held.arguments();
        let floor = self.query.brief.remarks.floor;
        let used = |said: &DeclaredPosition| self.used_argument(&shown_text(&floor[said.place], &self.query.brief));
        let using: Vec<(&&DeclaredPosition, u32)> = new.iter().filter_map(|said| Some((said, used(said)?))).collect();
        let homophily = self.trait_number(0);
        let weight = |(said, _): &(&&DeclaredPosition, u32)| {
            (partner_attraction(held.position.distance(&said.position), homophily) * PROBABILITY_STEPS) as u64
        };
        let weights: Vec<u64> = using.iter().map(weight).collect();
        // If nobody is similar at all, the seat listens to nobody.
        if weights.iter().all(|weight| *weight == 0) {
            return arguments;
        }
        let OpinionRule::ArgumentExchange { arguments: most, source, .. } = self.rule else {
            unreachable!("invariant: only who exchanges arguments listens for one")
        };
        let most = if *source == ArgumentSource::Facts { *most as usize } else { arguments.len() };
        adopt_argument(&mut arguments, using[draws.draw_weighted(&weights)].1, most);
        arguments
    }

    /// Counts the first position of each seat not yet heard.
    fn note_first(&self, held: &mut OpinionState, new: &[&DeclaredPosition]) {
        let count = held.kept[0] as usize;
        for said in new {
            let seat = i64::from(said.seat.0);
            if !held.kept[1 + count..].contains(&seat) {
                held.kept[1 + self.heard_favourite(said) as usize] += 1;
                held.kept.push(seat);
            }
        }
    }
}
