//! What was voted on in a session: every straw poll, ranking and vote, as ballots that can be counted again.
//!
//! They come from the records alone. A practice choice is a seat's own and is no election. Nothing is counted here.

use std::collections::BTreeMap;

use crate::analysis::facts::SessionFacts;
use crate::analysis::purpose::ChoicePurpose;
use crate::choice::ranked::Ranking;
use crate::choice::{Ballots, Bundle, TallyBallot, TallyForm, bundle_ballot, form_of, place_ballots};
use crate::domain::{
    self, AlternativeId, AlternativeName, Base, Choice, Consequence, Event, NamedChoice, PhaseName, PollTime, Record,
    SeatName, Step, TallyReport, Verdict,
};

/// One straw poll, ranking or vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Election {
    /// What it is for.
    pub purpose: ChoicePurpose,
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
pub struct SessionElections {
    /// Its elections, in the order in which they were held.
    pub elections: Vec<Election>,
    /// How it ended; `None` where it has not.
    pub verdict: Option<Verdict>,
    /// What was decided for.
    pub decided: Option<NamedChoice>,
}

/// What the plan says on counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountingTerms {
    /// What shares are shares of.
    pub base: Base,
    /// By how much amounts may differ and count as the same.
    pub amount_tolerance: u32,
}

/// What one seat gave.
enum ElectionBallot {
    Choice(Choice),
    Order(Vec<usize>),
    Over(domain::Ballot<AlternativeId>),
    Abstention,
    Nothing,
}

/// An election that is under way.
struct OpenElection {
    purpose: ChoicePurpose,
    phase: PhaseName,
    round: u32,
    given: Vec<(SeatName, ElectionBallot)>,
    /// Where in this list stands what a seat gave in a round: in a vote that is taken in samples, one is a round.
    places: BTreeMap<(SeatName, u32), usize>,
}

/// The elections of a session, from its records in order. Records of other sessions are for a fold to refuse.
pub fn collect_elections<'r>(
    records: impl IntoIterator<Item = &'r Record>,
    facts: &SessionFacts,
    roll: &CountingTerms,
) -> SessionElections {
    let weights = facts.arm.seats.iter().map(|seat| (&seat.name, seat.weight)).collect();
    let mut held = ElectionReader { facts, weights, roll, open: None, votes: 0, voted: SessionElections::default() };
    for record in records {
        held.read_record(record);
    }
    held.close_election(None);
    held.voted
}

struct ElectionReader<'f> {
    facts: &'f SessionFacts,
    /// What each seat's ballot counts for.
    weights: BTreeMap<&'f SeatName, u32>,
    roll: &'f CountingTerms,
    open: Option<OpenElection>,
    votes: u32,
    voted: SessionElections,
}

impl ElectionReader<'_> {
    fn read_record(&mut self, record: &Record) {
        match &record.event {
            Event::Polled { alternative, amount, .. } => self.read_choice(record, alternative, *amount),
            Event::Balloted { alternative, amount, .. } => self.read_choice(record, alternative, *amount),
            Event::Voted { ballot, .. } => {
                let ids = ballot.find(|name| self.alternative_place(name).map(|place| AlternativeId(place as u32)));
                self.enter_ballot(record, ids.map_or(ElectionBallot::Nothing, ElectionBallot::Over));
            }
            Event::Abstained { .. } => self.enter_ballot(record, ElectionBallot::Abstention),
            Event::AmountNamed { amount, .. } => {
                if let Some(ElectionBallot::Choice(choice)) = self.find_ballot(record) {
                    choice.amount = Some(*amount);
                }
            }
            Event::Ranked { order, .. } => {
                let places = order.iter().filter_map(|name| self.alternative_place(name)).collect();
                self.enter_ballot(record, ElectionBallot::Order(places));
            }
            Event::Faulted { then: Consequence::TriesUsedUp, .. } => match record.at.step {
                Step::StrawPoll | Step::Ballot | Step::Ranking | Step::Amount => {
                    self.enter_ballot(record, ElectionBallot::Nothing)
                }
                _ => {}
            },
            Event::Tallied(report) => {
                self.votes += 1;
                self.close_election(Some(report));
            }
            Event::Adjourned { verdict, decided, .. } => {
                (self.voted.verdict, self.voted.decided) = (Some(*verdict), decided.clone());
            }
            _ => {}
        }
    }

    fn read_choice(&mut self, record: &Record, alternative: &AlternativeName, amount: Option<u32>) {
        let given = self.alternative_place(alternative).map(|place| {
            let alternative = AlternativeId(place as u32);
            ElectionBallot::Choice(Choice { alternative, amount })
        });
        self.enter_ballot(record, given.unwrap_or(ElectionBallot::Nothing));
    }

    fn alternative_place(&self, name: &AlternativeName) -> Option<usize> {
        self.facts.arm.alternatives.iter().position(|known| known == name)
    }

    /// What the seat of a record gave in the election that is under way.
    fn find_ballot(&mut self, record: &Record) -> Option<&mut ElectionBallot> {
        let open = self.open.as_mut()?;
        let place = *open.places.get(&(record.seat.clone()?, record.at.round))?;
        Some(&mut open.given[place].1)
    }

    /// Takes what a seat gave; what it gave before in the same election counts no more.
    fn enter_ballot(&mut self, record: &Record, given: ElectionBallot) {
        let Some(seat) = record.seat.clone() else { return };
        let (purpose, phase, round) = (self.purpose_of(record), &record.at.phase, record.at.round);
        // A vote goes on until it is counted.
        let is_this = |open: &OpenElection| {
            open.purpose == purpose && open.phase == *phase && (open.round == round || purpose == ChoicePurpose::Vote)
        };
        if !self.open.as_ref().is_some_and(is_this) {
            self.close_election(None);
            self.open =
                Some(OpenElection { purpose, phase: phase.clone(), round, given: Vec::new(), places: BTreeMap::new() });
        }
        if let Some(before) = self.find_ballot(record) {
            *before = given;
            return;
        }
        let open = self.open.as_mut().expect("invariant: an election is under way");
        open.round = round;
        open.places.insert((seat.clone(), round), open.given.len());
        open.given.push((seat, given));
    }

    fn purpose_of(&self, record: &Record) -> ChoicePurpose {
        let phase = self.facts.arm.phases.iter().find(|phase| phase.name == record.at.phase);
        match (record.at.step, phase.and_then(|phase| phase.poll)) {
            (Step::Ballot | Step::Amount, _) => ChoicePurpose::Vote,
            (Step::Ranking, _) => ChoicePurpose::Ranking,
            (_, Some(PollTime::Before)) => ChoicePurpose::StrawBefore,
            (_, Some(PollTime::After)) => ChoicePurpose::StrawAfter,
            (_, Some(PollTime::EachRound) | None) => ChoicePurpose::StrawRound,
        }
    }

    /// Ends the election that is under way; a vote ends when it is counted.
    fn close_election(&mut self, report: Option<&TallyReport>) {
        let Some(open) = self.open.take() else { return };
        let form = match open.purpose {
            ChoicePurpose::Ranking => TallyForm::Ranking,
            ChoicePurpose::Vote => form_of(self.facts.arm.ballot).unwrap_or(TallyForm::Choice),
            _ => TallyForm::Choice,
        };
        let weight = |seat: &SeatName| match open.purpose {
            ChoicePurpose::Vote => self.weights.get(seat).copied().unwrap_or(1),
            _ => 1,
        };
        // A ballot that counts for nothing is none.
        let given: Vec<(SeatName, ElectionBallot, u32)> = open
            .given
            .into_iter()
            .map(|(seat, given)| (weight(&seat), seat, given))
            .filter(|(weight, ..)| *weight > 0)
            .map(|(weight, seat, given)| (seat, given, weight))
            .collect();
        let choices: Vec<(Choice, u32)> =
            given.iter().filter_map(|(_, given, weight)| Some((given.choice()?, *weight))).collect();
        let (named, mut places) = match form {
            TallyForm::Choice => {
                let (named, places) = place_ballots(&self.facts.arm.takes_amount, &choices, self.roll.amount_tolerance);
                (named, places.into_iter())
            }
            _ => ((0..self.facts.arm.alternatives.len()).map(|place| (place, None)).collect(), Vec::new().into_iter()),
        };
        let (mut bundles, mut voters, mut valid, mut invalid) = (Vec::new(), Vec::new(), 0, 0);
        for (seat, given, weight) in given {
            let ballot = match given {
                ElectionBallot::Choice(_) => places.next().map(TallyBallot::Choice),
                ElectionBallot::Order(order) => {
                    let levels: Vec<[usize; 1]> = order.into_iter().map(|one| [one]).collect();
                    Some(TallyBallot::Ranking(Ranking::of_levels(named.len(), &levels)))
                }
                ElectionBallot::Over(ballot) => Some(bundle_ballot(named.len(), &ballot, weight).ballot),
                ElectionBallot::Abstention => continue,
                ElectionBallot::Nothing => None,
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
            vote: (open.purpose == ChoicePurpose::Vote).then_some(self.votes),
            ballots: Ballots::new(form, names.len(), bundles, absent),
            names,
            voters,
            invalid,
            told: report.cloned(),
        });
    }
}

impl ElectionBallot {
    fn choice(&self) -> Option<Choice> {
        match self {
            ElectionBallot::Choice(choice) => Some(*choice),
            ElectionBallot::Order(_)
            | ElectionBallot::Over(_)
            | ElectionBallot::Abstention
            | ElectionBallot::Nothing => None,
        }
    }
}
