//! What was voted on in a session: every straw poll, ranking and vote, as ballots that can be counted again.
//!
//! They come from the records alone. A practice choice is a seat's own and is no election. Nothing is counted here.

use std::collections::BTreeMap;

use crate::analysis::facts::SessionFacts;
use crate::analysis::purpose::Purpose;
use crate::choice::ranked::Ranking;
use crate::choice::{Ballot, Ballots, Bundle, Form, bundle, form_of, placed};
use crate::domain::{
    self, AlternativeId, AlternativeName, Base, Choice, Consequence, Event, NamedChoice, PhaseName, PollTime, Record,
    SeatName, Step, TallyReport, Verdict,
};

/// One straw poll, ranking or vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Election {
    /// What it is for.
    pub purpose: Purpose,
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds. Of a vote that is taken in several samples that of the last.
    pub round: u32,
    /// The number of the vote in the session, from 1; `None` for what is no vote.
    pub vote: Option<u32>,
    /// What is chosen among: the alternatives, one that takes an amount once for each amount that ballots name.
    pub names: Vec<String>,
    /// The ballots, a bundle for each that a seat cast, in the order in which they were asked for.
    pub ballots: Ballots,
    /// Who cast each.
    pub voters: Vec<SeatName>,
    /// What the invalid ballots weigh.
    pub invalid: u32,
    /// How it was counted; `None` for what is no vote.
    pub told: Option<TallyReport>,
}

/// What a session came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Voted {
    /// Its elections, in the order in which they were held.
    pub elections: Vec<Election>,
    /// How it ended; `None` where it has not.
    pub verdict: Option<Verdict>,
    /// What was decided for.
    pub decided: Option<NamedChoice>,
}

/// What the plan says on counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roll {
    /// What shares are shares of.
    pub base: Base,
    /// By how much amounts may differ and count as the same.
    pub amount_tolerance: u32,
}

/// What one seat gave.
enum Given {
    Choice(Choice),
    Order(Vec<usize>),
    Over(domain::Ballot<AlternativeId>),
    Abstention,
    Nothing,
}

/// An election that is under way.
struct Open {
    purpose: Purpose,
    phase: PhaseName,
    round: u32,
    given: Vec<(SeatName, Given)>,
    /// Where in this list stands what a seat gave in a round: in a vote that is taken in samples, one is a round.
    places: BTreeMap<(SeatName, u32), usize>,
}

/// The elections of a session, from its records in order. Records of other sessions are for a fold to refuse.
pub fn elections<'r>(records: impl IntoIterator<Item = &'r Record>, facts: &SessionFacts, roll: &Roll) -> Voted {
    let weights = facts.arm.seats.iter().map(|seat| (&seat.name, seat.weight)).collect();
    let mut held = Held { facts, weights, roll, open: None, votes: 0, voted: Voted::default() };
    for record in records {
        held.take(record);
    }
    held.close(None);
    held.voted
}

struct Held<'f> {
    facts: &'f SessionFacts,
    /// What each seat's ballot counts for.
    weights: BTreeMap<&'f SeatName, u32>,
    roll: &'f Roll,
    open: Option<Open>,
    votes: u32,
    voted: Voted,
}

impl Held<'_> {
    fn take(&mut self, record: &Record) {
        match &record.event {
            Event::Polled { alternative, amount, .. } => self.choice(record, alternative, *amount),
            Event::Balloted { alternative, amount, .. } => self.choice(record, alternative, *amount),
            Event::Voted { ballot, .. } => {
                let ids = ballot.find(|name| self.place(name).map(|place| AlternativeId(place as u32)));
                self.give(record, ids.map_or(Given::Nothing, Given::Over));
            }
            Event::Abstained { .. } => self.give(record, Given::Abstention),
            Event::AmountNamed { amount, .. } => {
                if let Some(Given::Choice(choice)) = self.given(record) {
                    choice.amount = Some(*amount);
                }
            }
            Event::Ranked { order, .. } => {
                let places = order.iter().filter_map(|name| self.place(name)).collect();
                self.give(record, Given::Order(places));
            }
            Event::Faulted { then: Consequence::TriesUsedUp, .. } => match record.at.step {
                Step::StrawPoll | Step::Ballot | Step::Ranking | Step::Amount => self.give(record, Given::Nothing),
                _ => {}
            },
            Event::Tallied(report) => {
                self.votes += 1;
                self.close(Some(report));
            }
            Event::Adjourned { verdict, decided, .. } => {
                (self.voted.verdict, self.voted.decided) = (Some(*verdict), decided.clone());
            }
            _ => {}
        }
    }

    fn choice(&mut self, record: &Record, alternative: &AlternativeName, amount: Option<u32>) {
        let given = self.place(alternative).map(|place| {
            let alternative = AlternativeId(place as u32);
            Given::Choice(Choice { alternative, amount })
        });
        self.give(record, given.unwrap_or(Given::Nothing));
    }

    fn place(&self, name: &AlternativeName) -> Option<usize> {
        self.facts.arm.alternatives.iter().position(|known| known == name)
    }

    /// What the seat of a record gave in the election that is under way.
    fn given(&mut self, record: &Record) -> Option<&mut Given> {
        let open = self.open.as_mut()?;
        let place = *open.places.get(&(record.seat.clone()?, record.at.round))?;
        Some(&mut open.given[place].1)
    }

    /// Takes what a seat gave; what it gave before in the same election counts no more.
    fn give(&mut self, record: &Record, given: Given) {
        let Some(seat) = record.seat.clone() else { return };
        let (purpose, phase, round) = (self.purpose(record), &record.at.phase, record.at.round);
        // A vote goes on until it is counted.
        let is_this = |open: &Open| {
            open.purpose == purpose && open.phase == *phase && (open.round == round || purpose == Purpose::Vote)
        };
        if !self.open.as_ref().is_some_and(is_this) {
            self.close(None);
            self.open = Some(Open { purpose, phase: phase.clone(), round, given: Vec::new(), places: BTreeMap::new() });
        }
        if let Some(before) = self.given(record) {
            *before = given;
            return;
        }
        let open = self.open.as_mut().expect("invariant: an election is under way");
        open.round = round;
        open.places.insert((seat.clone(), round), open.given.len());
        open.given.push((seat, given));
    }

    fn purpose(&self, record: &Record) -> Purpose {
        let phase = self.facts.arm.phases.iter().find(|phase| phase.name == record.at.phase);
        match (record.at.step, phase.and_then(|phase| phase.poll)) {
            (Step::Ballot | Step::Amount, _) => Purpose::Vote,
            (Step::Ranking, _) => Purpose::Ranking,
            (_, Some(PollTime::Before)) => Purpose::StrawBefore,
            (_, Some(PollTime::After)) => Purpose::StrawAfter,
            (_, Some(PollTime::EachRound) | None) => Purpose::StrawRound,
        }
    }

    /// Ends the election that is under way; a vote ends when it is counted.
    fn close(&mut self, report: Option<&TallyReport>) {
        let Some(open) = self.open.take() else { return };
        let form = match open.purpose {
            Purpose::Ranking => Form::Ranking,
            Purpose::Vote => form_of(self.facts.arm.ballot).unwrap_or(Form::Choice),
            _ => Form::Choice,
        };
        let weight = |seat: &SeatName| match open.purpose {
            Purpose::Vote => self.weights.get(seat).copied().unwrap_or(1),
            _ => 1,
        };
        // A ballot that counts for nothing is none.
        let given: Vec<(SeatName, Given, u32)> = open
            .given
            .into_iter()
            .map(|(seat, given)| (weight(&seat), seat, given))
            .filter(|(weight, ..)| *weight > 0)
            .map(|(weight, seat, given)| (seat, given, weight))
            .collect();
        let choices: Vec<(Choice, u32)> =
            given.iter().filter_map(|(_, given, weight)| Some((given.choice()?, *weight))).collect();
        let (named, mut places) = match form {
            Form::Choice => {
                let (named, places) = placed(&self.facts.arm.takes_amount, &choices, self.roll.amount_tolerance);
                (named, places.into_iter())
            }
            _ => ((0..self.facts.arm.alternatives.len()).map(|place| (place, None)).collect(), Vec::new().into_iter()),
        };
        let (mut bundles, mut voters, mut valid, mut invalid) = (Vec::new(), Vec::new(), 0, 0);
        for (seat, given, weight) in given {
            let ballot = match given {
                Given::Choice(_) => places.next().map(Ballot::Choice),
                Given::Order(order) => {
                    let levels: Vec<[usize; 1]> = order.into_iter().map(|one| [one]).collect();
                    Some(Ballot::Ranking(Ranking::of_levels(named.len(), &levels)))
                }
                Given::Over(ballot) => Some(bundle(named.len(), &ballot, weight).ballot),
                Given::Abstention => continue,
                Given::Nothing => None,
            };
            match ballot {
                Some(ballot) => {
                    valid += u64::from(weight);
                    bundles.push(Bundle { ballot, weight: weight.into(), count: 1 });
                    voters.push(seat);
                }
                None => invalid += weight,
            }
        }
        let eligible = report.map_or(u64::from(invalid) + valid, |report| u64::from(report.eligible));
        let absent = match self.roll.base {
            Base::Members => eligible.saturating_sub(valid),
            Base::Valid => 0,
        };
        let name = |(place, amount): (usize, Option<u32>)| {
            NamedChoice { alternative: self.facts.arm.alternatives[place].clone(), amount }.to_string()
        };
        let names: Vec<String> = named.into_iter().map(name).collect();
        self.voted.elections.push(Election {
            purpose: open.purpose,
            phase: open.phase,
            round: open.round,
            vote: (open.purpose == Purpose::Vote).then_some(self.votes),
            ballots: Ballots::new(form, names.len(), bundles, absent),
            names,
            voters,
            invalid,
            told: report.cloned(),
        });
    }
}

impl Given {
    fn choice(&self) -> Option<Choice> {
        match self {
            Given::Choice(choice) => Some(*choice),
            Given::Order(_) | Given::Over(_) | Given::Abstention | Given::Nothing => None,
        }
    }
}
