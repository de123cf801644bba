//! Collects a session's straw polls, rankings and votes from its records, as ballots that can be counted again.
//!
//! A practice choice belongs to one seat and is not an election. Nothing is counted here.

use std::collections::BTreeMap;

use crate::analysis::facts::SessionFacts;
use crate::analysis::purpose::ChoicePurpose;
use crate::choice::ranked::Ranking;
use crate::choice::{Ballots, Bundle, TallyBallot, TallyForm, bundle_ballot, form_of, place_ballots};
use crate::domain::{
    self, AlternativeId, AlternativeName, Base, Choice, NamedChoice, PhaseName, Record, Reply, SeatName, Step,
    TallyReport, Verdict, list_reading_places,
};

/// One straw poll, ranking or vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Election {
    /// Its purpose.
    pub purpose: ChoicePurpose,
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds. For a vote in several samples, the last one's round.
    pub round: u32,
    /// The number of the vote in the session, from 1; `None` for polls and rankings.
    pub vote: Option<u32>,
    /// The options: the alternatives, with one option per named amount if an alternative takes an amount.
    pub names: Vec<String>,
    /// The valid ballots in the order of the questions, one bundle per ballot.
    pub ballots: Ballots,
    /// The seats that cast the ballots.
    pub voters: Vec<SeatName>,
    /// The weight of the invalid ballots.
    pub invalid: u32,
    /// The tally report; `None` for polls and rankings, and for a vote that was not tallied.
    pub told: Option<TallyReport>,
}

/// The elections and the result of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionElections {
    /// The elections in order.
    pub elections: Vec<Election>,
    /// The verdict; `None` if the session has not ended.
    pub verdict: Option<Verdict>,
    /// The decision.
    pub decided: Option<NamedChoice>,
}

/// The plan's terms of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountingTerms {
    /// The base of shares.
    pub base: Base,
    /// The greatest difference between amounts that count as one.
    pub amount_tolerance: u32,
}

/// One seat's answer in an election.
enum ElectionBallot {
    Choice(Choice),
    Order(Vec<usize>),
    Over(domain::Ballot<AlternativeId>),
    Abstention,
    Nothing,
}

/// An election in progress.
struct OpenElection {
    purpose: ChoicePurpose,
    phase: PhaseName,
    round: u32,
    given: Vec<(SeatName, ElectionBallot)>,
    /// Index in `given` of a seat's ballot of a round. A vote in samples takes one round per sample.
    places: BTreeMap<(SeatName, u32), usize>,
}

/// Collects the elections of a session from its records in order, those of groups group by group. It does not check that they belong to
/// the session.
pub fn collect_elections<'r>(
    records: impl IntoIterator<Item = &'r Record>,
    facts: &SessionFacts,
    roll: &CountingTerms,
) -> SessionElections {
    let mut held = ElectionReader { facts, roll, open: None, votes: 0, voted: SessionElections::default() };
    let records: Vec<&Record> = records.into_iter().collect();
    for place in list_reading_places(&records) {
        held.read_record(records[place]);
    }
    held.close_election(None);
    held.voted
}

struct ElectionReader<'f> {
    facts: &'f SessionFacts,
    roll: &'f CountingTerms,
    open: Option<OpenElection>,
    votes: u32,
    voted: SessionElections,
}

impl ElectionReader<'_> {
    fn read_record(&mut self, record: &Record) {
        if let Some(report) = record.event.tallied() {
            self.votes += 1;
            self.close_election(Some(report));
        } else if let Some(adjourned) = record.event.adjourned() {
            (self.voted.verdict, self.voted.decided) = (Some(adjourned.verdict), adjourned.decided.clone());
        } else {
            self.read_reply(record);
        }
    }

    fn read_reply(&mut self, record: &Record) {
        let step = record.at.step;
        if !matches!(step, Step::StrawPoll | Step::Ballot | Step::Amount | Step::Ranking) {
            return;
        }
        let id = |name: &AlternativeName| self.option_place(record, name).map(|place| AlternativeId(place as u32));
        let given = match record.reply() {
            Some(Reply::Choice(choice) | Reply::Opined(choice, _)) => choice.find(id).map(ElectionBallot::Choice),
            Some(Reply::Ballot(ballot)) => ballot.find(id).map(ElectionBallot::Over),
            Some(Reply::Abstention) => Some(ElectionBallot::Abstention),
            Some(Reply::Ranking { order, .. }) => {
                let places = order.iter().filter_map(|name| self.option_place(record, name));
                Some(ElectionBallot::Order(places.collect()))
            }
            Some(Reply::Amount(amount)) => {
                if let Some(ElectionBallot::Choice(choice)) = self.find_ballot(record) {
                    choice.amount = Some(amount);
                }
                return;
            }
            None if record.final_fault().is_some() => None,
            _ => return,
        };
        self.enter_ballot(record, given.unwrap_or(ElectionBallot::Nothing));
    }

    /// The place of a name among the options of the record's question.
    fn option_place(&self, record: &Record, name: &AlternativeName) -> Option<usize> {
        let phase = self.facts.arm.find_phase(&record.at.phase);
        let vote = phase.and_then(|phase| phase.vote.as_ref()).filter(|_| record.at.step == Step::Ballot);
        let options = vote.and_then(|vote| vote.options.as_ref()).unwrap_or(&self.facts.arm.alternatives);
        options.iter().position(|known| known == name)
    }

    /// The ballot of the record's seat in the current election.
    fn find_ballot(&mut self, record: &Record) -> Option<&mut ElectionBallot> {
        let open = self.open.as_mut()?;
        let place = *open.places.get(&(record.seat.clone()?, record.at.round))?;
        Some(&mut open.given[place].1)
    }

    /// Enters a ballot, in place of an earlier one of the seat in this election and round.
    fn enter_ballot(&mut self, record: &Record, given: ElectionBallot) {
        let Some(seat) = record.seat.clone() else { return };
        let (phase, round) = (&record.at.phase, record.at.round);
        let poll = self.facts.arm.find_phase(phase).and_then(|known| known.poll);
        let purpose = ChoicePurpose::of_step(record.at.step, poll);
        // A vote continues until it is tallied.
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

    /// Closes the current election. A vote closes when it is tallied.
    fn close_election(&mut self, report: Option<&TallyReport>) {
        let Some(open) = self.open.take() else { return };
        let phase = self.facts.arm.phases.iter().position(|phase| phase.name == open.phase);
        let vote = phase.and_then(|place| self.facts.arm.phases[place].vote.as_ref());
        let vote = vote.filter(|_| open.purpose == ChoicePurpose::Vote);
        let seats = &self.facts.arm.seats;
        let own = vote.and_then(|vote| vote.options.as_ref());
        let held = own.map(|own| list_held(own, report));
        let terms =
            vote.map_or(*self.roll, |vote| CountingTerms { base: vote.base, amount_tolerance: vote.amount_tolerance });
        let all = own.unwrap_or(&self.facts.arm.alternatives);
        let options: Vec<&AlternativeName> = match &held {
            Some(held) => held.iter().map(|place| &all[*place]).collect(),
            None => all.iter().collect(),
        };
        let form = match open.purpose {
            ChoicePurpose::Ranking => TallyForm::Ranking,
            ChoicePurpose::Vote => vote.and_then(|vote| form_of(vote.ballot)).unwrap_or(TallyForm::Choice),
            _ => TallyForm::Choice,
        };
        let weight = |seat: &SeatName| {
            let place = seats.iter().position(|facts| facts.name == *seat);
            vote.zip(place).map_or(1, |(vote, place)| vote.weight(place))
        };
        // Ballots of weight 0 are left out.
        let given: Vec<(SeatName, ElectionBallot, u32)> = open
            .given
            .into_iter()
            .map(|(seat, given)| (weight(&seat), seat, given.among(held.as_deref())))
            .filter(|(weight, ..)| *weight > 0)
            .map(|(weight, seat, given)| (seat, given, weight))
            .collect();
        let choices: Vec<(Choice, u32)> =
            given.iter().filter_map(|(_, given, weight)| Some((given.choice()?, *weight))).collect();
        let (named, mut places) = match form {
            TallyForm::Choice => {
                let takes_amount = match own {
                    Some(_) => vec![false; options.len()],
                    None => self.facts.arm.takes_amount.clone(),
                };
                let (named, places) = place_ballots(&takes_amount, &choices, terms.amount_tolerance);
                (named, places.into_iter())
            }
            _ => ((0..options.len()).map(|place| (place, None)).collect(), Vec::new().into_iter()),
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
        let absent = match terms.base {
            Base::Members => eligible.saturating_sub(valid),
            Base::Valid => 0,
        };
        let name = |(place, amount): (usize, Option<u32>)| {
            NamedChoice { alternative: options[place].clone(), amount }.to_string()
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

/// The places of the options that there were when a vote of its own options was held; all if it was not counted.
fn list_held(own: &[AlternativeName], report: Option<&TallyReport>) -> Vec<usize> {
    let is_held = |name: &AlternativeName| {
        report.is_none_or(|report| report.counts.iter().any(|count| count.alternative == *name))
    };
    (0..own.len()).filter(|place| is_held(&own[*place])).collect()
}

impl ElectionBallot {
    /// The same ballot among some of the options, by their places; `None` are all.
    fn among(self, places: Option<&[usize]>) -> Self {
        let Some(places) = places else { return self };
        let find = |old: usize| places.iter().position(|place| *place == old);
        let find_id = |old: &AlternativeId| Some(AlternativeId(find(old.index())? as u32));
        let found = match self {
            ElectionBallot::Choice(choice) => find_id(&choice.alternative)
                .map(|alternative| ElectionBallot::Choice(Choice { alternative, amount: choice.amount })),
            ElectionBallot::Order(order) => {
                order.iter().map(|place| find(*place)).collect::<Option<_>>().map(ElectionBallot::Order)
            }
            ElectionBallot::Over(ballot) => ballot.find(find_id).map(ElectionBallot::Over),
            ElectionBallot::Abstention => Some(ElectionBallot::Abstention),
            ElectionBallot::Nothing => Some(ElectionBallot::Nothing),
        };
        found.unwrap_or(ElectionBallot::Nothing)
    }

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
