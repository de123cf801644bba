//! What a mind with an opinion keeps from question to question, as integers, and the steps by which it changes.

use std::collections::BTreeSet;

use super::argument_exchange::shared_out;
use super::heard::{GROUP, Said};
use super::position::{self, Position, ranked};
use super::{
    Rule, Seat, Source, adopt, anchor, anchored, attraction, averaged, convinced, counted, group_of, is_within,
    mean_with, met, of_group, paired,
};
use crate::chance::Purpose;
use crate::domain::{
    AlternativeId, Choice, FactId, First, MindState, Moment, Motion, PhaseName, QuestionId, SeatName, Step,
};
use crate::memory::guidance::shown_text;
use crate::minds::coordinates::convening;
use crate::text::names_word;

/// How many numbers precede the position: the steps made, and the newest record that was heard in them.
const HEAD: usize = 2;

/// What probabilities are whole multiples of when they are drawn from: 2⁻⁴⁰.
pub(in crate::minds) const PROBABILITY_STEPS: f64 = (1u64 << 40) as f64;

/// How the number of an argument begins where it is cited, so that no other number is taken for one.
const CITED: &str = "[A";

/// Steps made, the newest record heard in them, where the seat stands, and what its model keeps beside that: arguments, the newest
/// first; first positions heard, one count an alternative and then the seats that they came from; or a belief in millionths.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    pub steps: i64,
    heard: i64,
    pub position: Position,
    kept: Vec<i64>,
}

impl Held {
    /// What a state holds; `None` before the first question.
    pub fn read(state: &MindState, motion: &Motion) -> Option<Self> {
        let width = position::width(motion);
        let (head, rest) = state.0.split_at_checked(HEAD)?;
        let (position, kept) = rest.split_at_checked(width)?;
        Some(Self { steps: head[0], heard: head[1], position: Position::kept(position), kept: kept.to_vec() })
    }

    pub fn into_state(self) -> MindState {
        let mut numbers = vec![self.steps, self.heard];
        numbers.extend(self.position.quantised());
        numbers.extend(self.kept);
        MindState(numbers)
    }

    /// The arguments in mind, the newest first.
    pub fn arguments(&self) -> Vec<u32> {
        self.kept.iter().map(|number| *number as u32).collect()
    }

    /// The belief as counts.
    pub fn belief(&self) -> Vec<f64> {
        self.kept.iter().map(|millionths| *millionths as f64 * 1e-6).collect()
    }

    /// First positions heard, one count an alternative.
    pub fn counts(&self) -> Vec<u64> {
        let count = self.kept.first().map_or(0, |count| *count as usize);
        self.kept.iter().skip(1).take(count).map(|number| *number as u64).collect()
    }
}

/// The coordinate of a seat's draws at a step of its model.
pub(super) fn step_of(seat: SeatName, step: i64) -> QuestionId {
    let round = u32::try_from(step).unwrap_or(u32::MAX);
    QuestionId { at: Moment { round, ..whole_session() }, seat, attempt: 0 }
}

/// The coordinate of what is drawn once for all.
pub(super) fn whole_session() -> Moment {
    Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Statement }
}

/// The first argument that is cited in a text; `None` where none is.
fn cites(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once(CITED)?;
    let (number, _) = rest.split_once(']')?;
    number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Seat<'_, '_> {
    /// What the seat comes with.
    pub(super) fn first(&self) -> Held {
        let mut position = self.begun_at();
        let alternatives = self.motion.alternatives.len();
        let kept = match self.rule {
            Rule::ArgumentExchange { arguments, source, .. } => {
                let held = self.first_arguments(*arguments as usize, *source);
                position = self.balanced(&held);
                held.into_iter().map(i64::from).collect()
            }
            Rule::SocialDecisionScheme(_) => {
                let mut kept = vec![0; alternatives + 1];
                kept[0] = alternatives as i64;
                kept
            }
            Rule::Polya { .. } => {
                let weights = position.weights(self.motion);
                let millionths = |weight: &f64| (weight * self.number(0) * 1e6 + 0.5) as i64;
                // No answer is impossible, and somebody believes something.
                weights.iter().map(|weight| millionths(weight).max(1)).collect()
            }
            _ => Vec::new(),
        };
        if self.rule.is_discrete() {
            position = self.wholly(&position);
        }
        if let (Rule::Juror, Some(signal)) = (self.rule, self.query.brief.signal) {
            position = Position::wholly(self.motion, signal);
        }
        Held { steps: 0, heard: -1, position: position.rounded(), kept }
    }

    /// The arguments with which a seat begins, the newest first: drawn by lot, so many for the first side as its written opinion says;
    /// or the facts that it was told, as places in the case.
    fn first_arguments(&self, count: usize, source: Source) -> Vec<u32> {
        let name = &self.query.id.seat;
        let mut draws = self.seed.at(Purpose::Opinion, &convening(name), 0);
        // An amount alone has two ends to speak for.
        let sides = self.motion.alternatives.len().max(2) as u32;
        match source {
            Source::Facts => {
                let (case, told) = (self.query.brief.case, self.query.brief.facts);
                let told: BTreeSet<&FactId> = told.iter().map(|fact| &fact.id).collect();
                let is_told = |place: &u32| told.contains(&case[*place as usize].id);
                draws.lots(case.len() as u32).into_iter().filter(is_told).take(count).collect()
            }
            Source::Pool { each } => {
                let all = draws.lots(each * sides).into_iter();
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

    /// The alternative that an argument speaks for, as a place; `None` where it speaks for none.
    fn side(&self, argument: u32, source: Source) -> Option<u32> {
        match source {
            Source::Facts => Some(self.query.brief.case.get(argument as usize)?.favours?.0),
            Source::Pool { .. } => Some(argument % self.motion.alternatives.len().max(2) as u32),
        }
    }

    fn source(&self) -> Source {
        match self.rule {
            Rule::ArgumentExchange { source, .. } => *source,
            _ => unreachable!("invariant: only who exchanges arguments has any"),
        }
    }

    /// An argument as it is cited in a statement: a fact by its id.
    pub(super) fn cited(&self, argument: u32) -> String {
        match self.source() {
            Source::Facts => format!("({})", self.query.brief.case[argument as usize].id),
            Source::Pool { .. } => format!("{CITED}{argument}]"),
        }
    }

    /// The argument that a statement uses; `None` where it uses none. Of several facts it is the first of the case.
    fn used(&self, text: &str) -> Option<u32> {
        match self.source() {
            Source::Facts => {
                let case = self.query.brief.case.iter();
                (0..).zip(case).find(|(_, fact)| names_word(text, fact.id.as_str())).map(|(place, _)| place)
            }
            Source::Pool { .. } => cites(text),
        }
    }

    /// The position of these arguments.
    fn balanced(&self, held: &[u32]) -> Position {
        let source = self.source();
        let sides = held.iter().filter_map(|argument| self.side(*argument, source));
        let mut shares = vec![0.0; self.motion.alternatives.len().max(2)];
        shared_out(sides, &mut shares);
        Position(if position::width(self.motion) == 1 { vec![shares[0]] } else { shares })
    }

    /// All weight on what has most of it.
    fn wholly(&self, position: &Position) -> Position {
        Position::wholly(self.motion, ranked(&position.weights(self.motion), &self.ties())[0])
    }

    /// Makes a step of the model where a round was heard since the last.
    pub(super) fn step(&self, held: &mut Held, said: &[Said]) {
        let said = if self.rule.hears_groups() || said.iter().all(|said| said.seat != GROUP) { said } else { &[] };
        let Some(newest) = said.iter().map(|said| said.seq).max().filter(|newest| newest.0 as i64 > held.heard) else {
            return;
        };
        let is_new = |said: &&Said| said.seq.0 as i64 > held.heard;
        let new: Vec<&Said> = said.iter().filter(is_new).collect();
        let own = &held.position;
        let position = match self.rule {
            Rule::Degroot { weights, .. } => self.mean(own, &weights.of(self.number(0), said), said),
            Rule::FriedkinJohnsen { weights, .. } => {
                let mean = self.mean(own, &weights.of(self.number(1), said), said);
                self.held_back(&mean)
            }
            Rule::HegselmannKrause { .. } => self.near(own, said),
            Rule::Deffuant { .. } => self.meet(held, &new),
            Rule::QVoter { q, .. } => self.look_around(held, said, *q),
            Rule::Majority { group } => self.in_group(held, &new, *group as usize),
            Rule::ArgumentExchange { .. } => {
                let arguments = self.listen(held, &new);
                held.kept = arguments.iter().map(|number| i64::from(*number)).collect();
                self.balanced(&arguments)
            }
            Rule::Polya { .. } => {
                let mut belief = held.belief();
                let mut answers: Vec<u32> = new.iter().filter_map(|said| Some(said.stance?.alternative.0)).collect();
                answers.extend(self.drawn(held, &super::mean(&belief)).map(|own| own.0));
                counted(&mut belief, &answers);
                held.kept = belief.iter().map(|count| (count * 1e6 + 0.5) as i64).collect();
                own.clone()
            }
            Rule::SocialDecisionScheme(_) => {
                self.note_first(held, &new);
                held.position.clone()
            }
            Rule::QuantalResponse { .. } | Rule::Juror => own.clone(),
        };
        held.position = position.rounded();
        held.steps += 1;
        held.heard = newest.0 as i64;
    }

    /// The weighted mean, number by number.
    fn mean(&self, own: &Position, weights: &[f64], said: &[Said]) -> Position {
        let of = |place: usize| {
            let others: Vec<(f64, f64)> =
                weights.iter().zip(said).map(|(weight, said)| (*weight, said.position.0[place])).collect();
            averaged(own.0[place], &others)
        };
        Position((0..own.0.len()).map(of).collect())
    }

    /// The way back towards the anchor.
    fn held_back(&self, mean: &Position) -> Position {
        let (stubbornness, attractor, pull) = (self.number(0), self.number(2), self.number(3));
        let first = self.first_position();
        let of = |place: usize| anchored(mean.0[place], anchor(first.0[place], attractor, pull), stubbornness);
        Position((0..mean.0.len()).map(of).collect())
    }

    /// Where the seat stood at first, which is found again from its traits, or from what it begins with.
    fn first_position(&self) -> Position {
        Position::kept(&self.begun_at().quantised())
    }

    fn begun_at(&self) -> Position {
        let name = &self.query.id.seat;
        let told = match self.query.first {
            First::Told { choice, opinion } => Position::declared(self.motion, Some(choice), opinion),
            First::Own | First::Untold => None,
        };
        let draws = || self.seed.at(Purpose::Opinion, &convening(name), 0);
        told.unwrap_or_else(|| Position::first(self.motion, self.written, self.seed, name, draws()))
    }

    /// What the seat was told to begin with, as long as it has heard nothing.
    pub(super) fn told_first(&self, held: &Held) -> Option<Choice> {
        match self.query.first {
            First::Told { choice, .. } if held.steps == 0 => Some(choice),
            _ => None,
        }
    }

    /// The mean of those within the bound, number by number.
    fn near(&self, own: &Position, said: &[Said]) -> Position {
        let bound = self.number(0);
        let near: Vec<&Said> = said.iter().filter(|said| is_within(own.distance(&said.position), bound)).collect();
        let of = |place: usize| mean_with(own.0[place], near.iter().map(|said| said.position.0[place]));
        Position((0..own.0.len()).map(of).collect())
    }

    /// A meeting with whom the lot says.
    fn meet(&self, held: &Held, new: &[&Said]) -> Position {
        let (own, seat) = (&held.position, self.query.seat.0);
        let order = self.in_one_order(held.steps, new.iter().map(|said| said.seat.0).chain([seat]));
        let other = paired(seat, &order).and_then(|other| new.iter().find(|said| said.seat.0 == other));
        let Some(other) = other else { return own.clone() };
        let (distance, bound, convergence) = (own.distance(&other.position), self.number(0), self.number(1));
        let of = |(own, other): (&f64, &f64)| met(*own, *other, (distance, bound), convergence);
        Position(own.0.iter().zip(&other.position.0).map(of).collect())
    }

    /// What is held, as a place.
    fn holds(&self, held: &Held) -> u32 {
        ranked(&held.position.weights(self.motion), &self.ties())[0].0
    }

    /// What somebody holds, as a place.
    fn of_other(&self, said: &Said) -> u32 {
        said.stance.map_or_else(
            || ranked(&said.position.weights(self.motion), &self.ties())[0].0,
            |stance| stance.alternative.0,
        )
    }

    /// Looks at some others, and gives in where they agree.
    fn look_around(&self, held: &Held, said: &[Said], q: u32) -> Position {
        let mut draws = self.own_draws(held.steps, 1);
        let looked_at: Vec<u32> =
            (0..q).map(|_| self.of_other(&said[draws.below(said.len() as u64) as usize])).collect();
        let own = self.holds(held);
        let count = self.motion.alternatives.len() as u32;
        let changed = if draws.happens(self.millionths(0)) && count > 1 {
            (own + 1 + draws.below(u64::from(count) - 1) as u32) % count
        } else {
            own
        };
        Position::wholly(self.motion, AlternativeId(convinced(&looked_at, changed)))
    }

    /// What most of the own group hold.
    fn in_group(&self, held: &Held, new: &[&Said], size: usize) -> Position {
        let seat = self.query.seat.0;
        let order = self.in_one_order(held.steps, new.iter().map(|said| said.seat.0).chain([seat]));
        let own = self.holds(held);
        let of = |member: &u32| match new.iter().find(|said| said.seat.0 == *member) {
            Some(said) => self.of_other(said),
            None => own,
        };
        let group: Vec<u32> = group_of(seat, &order, size).iter().map(of).collect();
        Position::wholly(self.motion, AlternativeId(of_group(own, &group)))
    }

    /// Picks a partner by likeness, and takes over the argument that it used.
    fn listen(&self, held: &Held, new: &[&Said]) -> Vec<u32> {
        let mut draws = self.own_draws(held.steps, 1);
        let mut arguments = held.arguments();
        let floor = self.query.brief.remarks.floor;
        let used = |said: &Said| self.used(&shown_text(&floor[said.place], &self.query.brief));
        let using: Vec<(&&Said, u32)> = new.iter().filter_map(|said| Some((said, used(said)?))).collect();
        let homophily = self.number(0);
        let weight = |(said, _): &(&&Said, u32)| {
            (attraction(held.position.distance(&said.position), homophily) * PROBABILITY_STEPS) as u64
        };
        let weights: Vec<u64> = using.iter().map(weight).collect();
        // Where nobody is anything like the seat it listens to nobody.
        if weights.iter().all(|weight| *weight == 0) {
            return arguments;
        }
        let Rule::ArgumentExchange { arguments: most, source, .. } = self.rule else {
            unreachable!("invariant: only who exchanges arguments listens for one")
        };
        let most = if *source == Source::Facts { *most as usize } else { arguments.len() };
        adopt(&mut arguments, using[draws.weighted(&weights)].1, most);
        arguments
    }

    /// Takes down the first position of everybody whose first it is.
    fn note_first(&self, held: &mut Held, new: &[&Said]) {
        let count = held.kept[0] as usize;
        for said in new {
            let seat = i64::from(said.seat.0);
            if !held.kept[1 + count..].contains(&seat) {
                held.kept[1 + self.of_other(said) as usize] += 1;
                held.kept.push(seat);
            }
        }
    }
}
