//! The state of a session's fold, and its result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::analysis::column::join_names;
use crate::analysis::counts::{MarkCounts, Stances};
use crate::analysis::effort::Effort;
use crate::analysis::facts::{PassNumbers, RightAnswer, SessionFacts};
use crate::analysis::fold::influence::{Credit, Influence};
use crate::analysis::key::key_cells;
use crate::analysis::measures::{Mattr, Phrases};
use crate::analysis::part::PhasePart;
use crate::analysis::tables::{Estimates, OptionCounts, RankingGiven, Recognition, SeatRow, SessionRow, VoteMatching};
use crate::domain::{
    AlternativeId, AlternativeName, Choice, ContextWindow, FactId, FieldValue, LearntForm, Moment, NamedChoice,
    Opinion, PhaseName, Record, SeatName, Seated, Seq, StopReason, TieBreak, Verdict,
};
use crate::memory::Proposals;
use crate::text::Vocabulary;

/// A record that does not match the session's plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {}: {what} is not in the plan", seq.0)]
pub struct ForeignRecord {
    /// Its sequence number.
    pub seq: Seq,
    /// The unknown thing, such as `seat Bob`, `phase talk` or `alternative maybe`.
    pub what: String,
}

/// A session's rows as CSV, one buffer per table; all empty unless the session is completed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Rounds.
    pub rounds: Vec<u8>,
    /// Seats.
    pub seats: Vec<u8>,
    /// Seats per round.
    pub seat_rounds: Vec<u8>,
    /// Turns on the floor.
    pub statements: Vec<u8>,
    /// Straw polls, rankings, practice choices and votes, per seat.
    pub ballots: Vec<u8>,
    /// Straw polls and votes, per alternative.
    pub tallies: Vec<u8>,
    /// Questions.
    pub answers: Vec<u8>,
    /// Payments.
    pub payoffs: Vec<u8>,
    /// Payoffs that other choices would have given.
    pub counterfactuals: Vec<u8>,
    /// Proposals.
    pub proposals: Vec<u8>,
    /// Marks of statements.
    pub marks: Vec<u8>,
    /// Fields of forms.
    pub values: Vec<u8>,
    /// Computed values.
    pub variables: Vec<u8>,
    /// Texts that are kept.
    pub texts: Vec<u8>,
    /// Seats in groups.
    pub assignments: Vec<u8>,
}

impl Rows {
    /// All buffers in the order of [`table_specs`](crate::analysis::table_specs), without the table of sessions.
    pub fn table_buffers(&self) -> [&[u8]; 15] {
        [
            &self.rounds,
            &self.seats,
            &self.seat_rounds,
            &self.statements,
            &self.ballots,
            &self.tallies,
            &self.answers,
            &self.payoffs,
            &self.counterfactuals,
            &self.proposals,
            &self.marks,
            &self.values,
            &self.variables,
            &self.texts,
            &self.assignments,
        ]
    }
}

/// A folded session.
#[derive(Debug, Clone, PartialEq)]
pub struct FoldedSession {
    /// The session's facts.
    pub facts: SessionFacts,
    /// Its row in the table of sessions.
    pub session: SessionRow,
    /// Its rows in all other tables.
    pub rows: Rows,
}

/// The coordinates of an answer.
#[derive(Clone, Copy)]
pub(super) struct AnswerCoordinates<'a> {
    pub(super) seq: Seq,
    pub(super) at: &'a Moment,
    pub(super) name: &'a SeatName,
    pub(super) seat: usize,
    /// How often the question had been put before.
    pub(super) put_before: u8,
    /// `put_before` without the times when the seat asked to see something.
    pub(super) attempt: u8,
}

/// The state of the fold of one session.
pub struct SessionFold {
    pub(super) facts: SessionFacts,
    pub(super) key: Vec<u8>,
    pub(super) seat_names: IndexSet<SeatName>,
    pub(super) seats: Vec<SeatState>,
    pub(super) held: Vec<u32>,
    pub(super) part: Option<PhasePart>,
    /// The records of groups that go on side by side: they are folded group by group once the last group is done.
    pub(super) side_by_side: GroupRecords,
    pub(super) rows: Rows,
    pub(super) proposed: ProposalLog,
    pub(super) language: LanguageState,
    pub(super) influence: Influence,
    pub(super) case: SessionCase,
    /// Who answered each field of a form in its last pass, in the order of the columns.
    pub(super) last_passes: Vec<LastPass>,
    /// What the passes of phases take place for, where their names do not say it.
    pub(super) things: BTreeMap<PhaseName, String>,
    /// The values of variables of the session, in the order of their columns.
    pub(super) variables: Vec<Option<FieldValue>>,
    pub(super) effort: Effort,
    pub(super) forfeits: u64,
    pub(super) cut_chars: u64,
    pub(super) dropped_chars: u64,
    pub(super) rewrites: u64,
    pub(super) windows: Vec<ContextWindow>,
    pub(super) forms: Vec<LearntForm>,
    pub(super) matched: VoteMatching,
    pub(super) rounds_used: u64,
    /// The rounds that groups hold side by side, by the phase without the group.
    pub(super) group_rounds: BTreeSet<(String, u32)>,
    pub(super) votes_called: u64,
    pub(super) votes_held: u32,
    /// The phase and pass of the last ballot in a vote from which the result may come.
    pub(super) voted_in: Option<PhaseName>,
    /// The phase and pass of the last count of such a vote.
    pub(super) decided_in: Option<PhaseName>,
    /// The passes of that phase in which a vote was counted, up to that one.
    pub(super) deciding_passes: u32,
    /// Whether invalid ballots voided the last count that could decide.
    pub(super) is_last_count_void: bool,
    /// Valid ballots and abstentions over all votes.
    pub(super) ballots: [u64; 2],
    pub(super) switches: Stances,
    pub(super) converged_round: Option<u32>,
    pub(super) trivial: Option<bool>,
    pub(super) before: Option<f64>,
    pub(super) option_counts: [OptionCounts; 3],
    pub(super) after: Option<f64>,
    pub(super) estimates: [Option<Estimates>; 2],
    pub(super) poll_opinions: Polls,
    /// The seats that alone hear what is said in the phase under way.
    pub(super) hearers: Option<Vec<SeatName>>,
    /// The seats that hear each seat in the network; `None` where everyone hears everyone.
    pub(super) listeners: Option<Vec<Vec<SeatName>>>,
    /// For each seat the others that it hears in the phase under way; `None` if it hears those that it hears in the session.
    pub(super) linked: Option<IndexMap<SeatName, Vec<SeatName>>>,
    pub(super) first_majority: Option<usize>,
    pub(super) tie_break: Option<TieBreak>,
    pub(super) settlement: Option<(Option<bool>, bool)>,
    pub(super) end: Option<(Verdict, StopReason, Option<NamedChoice>)>,
    pub(super) transcript: blake3::Hasher,
}

/// The records of groups that go on side by side, until the part of the agenda that they are of is over.
#[derive(Debug, Default)]
pub(super) struct GroupRecords {
    /// The part, by its position; `None` outside groups.
    pub(super) region: Option<usize>,
    pub(super) records: Vec<Record>,
}

/// Who answered a field in the last pass that asked it; of each group in its own last pass.
#[derive(Debug, Clone, Default)]
pub struct LastPass {
    outside: Vec<u32>,
    of_groups: BTreeMap<Option<u32>, (Vec<u32>, BTreeSet<usize>)>,
}

impl LastPass {
    /// Adds a seat that answered in this pass, and drops those of earlier passes.
    pub fn add_seat(&mut self, passes: &PassNumbers, group: Option<u32>, seat: usize) {
        if self.outside != passes.outside {
            self.outside.clone_from(&passes.outside);
            self.of_groups.clear();
        }
        let (within, seats) = self.of_groups.entry(group).or_default();
        if *within != passes.within {
            within.clone_from(&passes.within);
            seats.clear();
        }
        seats.insert(seat);
    }

    /// The seats, each once.
    pub fn seats(&self) -> BTreeSet<usize> {
        self.of_groups.values().flat_map(|(_, seats)| seats).copied().collect()
    }
}

impl SessionFold {
    /// Starts the fold of a session.
    pub fn new(facts: SessionFacts) -> Self {
        let arm = &facts.arm;
        let started = |position: usize| -> Vec<Option<FieldValue>> {
            let start = |name: &String| arm.starts.get(name)?.get(position)?.clone();
            arm.layout.variables.iter().map(|column| start(&column.name)).collect()
        };
        let seat = |position| SeatState {
            variables: started(position),
            takes_part: true,
            speaks: true,
            ..SeatState::default()
        };
        Self {
            key: key_cells(&facts),
            seat_names: arm.seats.iter().map(|seat| seat.name.clone()).collect(),
            seats: (0..arm.seats.len()).map(seat).collect(),
            held: vec![0; arm.alternatives.len()],
            language: LanguageState::for_seats(arm.seats.len()),
            influence: Influence::for_alternatives(arm.alternatives.len()),
            part: None,
            side_by_side: GroupRecords::default(),
            rows: Rows::default(),
            proposed: ProposalLog::default(),
            case: SessionCase::default(),
            last_passes: vec![LastPass::default(); arm.layout.answers.len()],
            things: BTreeMap::new(),
            variables: started(0),
            effort: Effort::default(),
            forfeits: 0,
            cut_chars: 0,
            dropped_chars: 0,
            rewrites: 0,
            windows: Vec::new(),
            forms: Vec::new(),
            matched: VoteMatching::default(),
            rounds_used: 0,
            group_rounds: BTreeSet::new(),
            votes_called: 0,
            votes_held: 0,
            voted_in: None,
            decided_in: None,
            deciding_passes: 0,
            is_last_count_void: false,
            ballots: [0; 2],
            switches: Stances::default(),
            converged_round: None,
            trivial: None,
            before: None,
            option_counts: Default::default(),
            after: None,
            estimates: [None; 2],
            poll_opinions: Polls::default(),
            hearers: None,
            listeners: None,
            linked: None,
            first_majority: None,
            tie_break: None,
            settlement: None,
            end: None,
            transcript: blake3::Hasher::new(),
            facts,
        }
    }

    pub(super) fn find_seat(&self, record: &Record, name: &SeatName) -> Result<usize, ForeignRecord> {
        self.seat_names.get_index_of(name).ok_or_else(|| foreign_record(record, "seat", name.as_str()))
    }

    pub(super) fn find_alternative(&self, record: &Record, name: &AlternativeName) -> Result<usize, ForeignRecord> {
        let place = self.facts.arm.alternatives.iter().position(|alternative| alternative == name);
        place.ok_or_else(|| foreign_record(record, "alternative", name.as_str()))
    }

    pub(super) fn find_choice(&self, record: &Record, choice: &NamedChoice) -> Result<Choice, ForeignRecord> {
        let place = self.find_alternative(record, &choice.alternative)?;
        Ok(Choice { alternative: AlternativeId(place as u32), amount: choice.amount })
    }
}

pub(super) fn foreign_record(record: &Record, what: &str, name: &str) -> ForeignRecord {
    ForeignRecord { seq: record.seq, what: format!("{what} {name}") }
}

/// The proposals of a session.
#[derive(Debug, Default)]
pub(super) struct ProposalLog {
    pub(super) all: Proposals,
    /// Phase, text and repeated tries of each proposal.
    pub(super) said: Vec<(PhaseName, String, u8)>,
}

impl ProposalLog {
    /// Counts proposals made, proposals still active, and decisions.
    pub fn mark_counts(&self) -> MarkCounts {
        MarkCounts {
            made: self.all.all.len() as u64,
            open: self.all.active.len() as u64,
            decisions: self.all.decisions.len() as u64,
        }
    }
}

/// Counters of words. Memory grows with distinct words and phrases; a word takes constant time.
#[derive(Debug, Default)]
pub(super) struct LanguageState {
    pub(super) vocabulary: Vocabulary,
    pub(super) phrases: Phrases,
    /// The lexical variety of each seat's words.
    pub(super) varied: Vec<Mattr>,
}

impl LanguageState {
    pub fn for_seats(seats: usize) -> Self {
        Self { varied: vec![Mattr::default(); seats], ..Self::default() }
    }
}

/// The case that the session's records give.
#[derive(Debug, Clone, Default)]
pub(super) struct SessionCase {
    pub(super) truth: Option<AlternativeName>,
    pub(super) amount: Option<u32>,
    /// The facts dealt to any seat, in the order of the hands.
    pub(super) facts: Vec<TrackedFact>,
    /// The places of facts among them.
    pub(super) places: BTreeMap<FactId, usize>,
}

#[derive(Debug, Clone)]
pub(super) struct TrackedFact {
    pub(super) id: FactId,
    pub(super) held_by: usize,
    pub(super) cited: u64,
}

/// Opinions in the polls before and after the talk, per seat, in billionths. A seat's last answer counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Polls([Vec<Option<u32>>; 2]);

impl Polls {
    /// Adds a poll before (0) or after (1) the talk, seat by seat.
    pub fn add_poll(&mut self, place: usize, told: impl Iterator<Item = Option<u32>>) {
        for (seat, told) in told.enumerate() {
            let all = &mut self.0[place];
            all.resize(all.len().max(seat + 1), None);
            all[seat] = told.or(all[seat]);
        }
    }

    /// The move of each seat that answered both polls, from −1 to 1.
    pub fn opinion_shifts(&self) -> Vec<f64> {
        let both = self.0[0].iter().zip(&self.0[1]).filter_map(|(before, after)| (*before).zip(*after));
        both.map(|(before, after)| (f64::from(after) - f64::from(before)) / f64::from(Opinion::ONE)).collect()
    }
}

/// The state of one seat.
#[derive(Debug, Clone, Default)]
pub(super) struct SeatState {
    /// The alternative of its first declared stance.
    pub first_stance: Option<usize>,
    /// Its last declared stance.
    pub stance: Option<Choice>,
    /// Its last opinions in a statement and in a poll, in billionths.
    pub opinions: [Option<u32>; 2],
    pub credit: Credit,
    pub statements: u64,
    pub words: u64,
    /// Whether its last poll answer differed from its stance at that time.
    pub differs: Option<bool>,
    /// Last valid choices in the polls before and after the talk.
    pub straws: [Option<Choice>; 2],
    /// Last valid ballot in the last phase and pass from which the result may come.
    pub ballot: Option<Choice>,
    pub first_ranking: Option<RankingGiven>,
    pub last_ranking: Option<RankingGiven>,
    pub ranked: u32,
    /// Class and income in the settlement.
    pub settled: Option<(u8, u32)>,
    /// Cents paid for practice rounds and in the settlement; `None` if not paid.
    pub paid_cents: [Option<u64>; 2],
    /// Cents paid in all; `None` if no money was paid.
    pub paid_total_cents: Option<i64>,
    /// Right answers at its last try of the test.
    pub test_correct: Option<u32>,
    /// Whether it failed a test that excludes failing seats.
    pub is_excluded: bool,
    /// Whether it takes part in the phase under way, unless it is excluded.
    pub takes_part: bool,
    /// Whether it speaks in the phase under way, unless it is excluded.
    pub speaks: bool,
    pub votes_called: u64,
    pub effort: Effort,
    pub models: BTreeSet<String>,
    pub persona: Option<String>,
    pub chosen_name: Option<String>,
    pub recognised: Option<Recognition>,
    pub degrees: Option<[u64; 2]>,
    pub traits: Vec<Option<f64>>,
    /// Its private signal about the case.
    pub signal: Option<AlternativeName>,
    pub facts: Vec<FactId>,
    /// Tries before its last settled question.
    pub tries_before: u8,
    /// Its answers to forms, in the order of their columns; empty before the first.
    pub answers: Vec<Option<FieldValue>>,
    /// Its values of variables, in the order of their columns.
    pub variables: Vec<Option<FieldValue>>,
}

impl SeatState {
    /// Sets the name that it chose, or persona and traits. The error is the name of a trait without a column.
    pub fn set_draws(&mut self, seated: &Seated, columns: &[String]) -> Result<(), String> {
        if seated.name.is_some() {
            self.chosen_name.clone_from(&seated.name);
            return Ok(());
        }
        self.persona.clone_from(&seated.persona);
        self.traits = vec![None; columns.len()];
        for drawn in &seated.traits {
            let place = columns.iter().position(|name| *name == drawn.name).ok_or_else(|| drawn.name.clone())?;
            self.traits[place] = Some(drawn.millionths as f64 / 1e6);
        }
        Ok(())
    }

    /// Makes the seat's row; `words` is the total of all seats, `right` the right answer.
    pub fn into_row(self, facts: &SessionFacts, place: usize, (words, right): (u64, Option<RightAnswer>)) -> SeatRow {
        let arm = &facts.arm;
        let name = |choice: Choice| arm.alternatives[choice.alternative.index()].clone();
        SeatRow {
            place,
            model_served: join_names(self.models.iter().map(String::as_str)),
            traits: self.traits,
            persona_id: self.persona,
            chosen_name: self.chosen_name,
            recognised: self.recognised,
            degrees: self.degrees,
            straws: self.straws.map(|choice| choice.map(|choice| (name(choice), choice.amount))),
            ballot: self.ballot.map(|choice| (name(choice), choice.amount)),
            rankings: self.first_ranking.zip(self.last_ranking).map(|(first, last)| [first, last]),
            ranked: self.ranked,
            switched: self
                .first_stance
                .zip(self.stance)
                .filter(|_| arm.offers_choice())
                .map(|(first, last)| first != last.alternative.index()),
            settled: self.settled,
            paid_cents: self.paid_cents,
            paid_total_cents: self.paid_total_cents,
            statements: self.statements,
            words: self.words,
            speaking_share: (words > 0).then(|| self.words as f64 / words as f64),
            votes_called: self.votes_called,
            effort: self.effort,
            test_correct: self.test_correct,
            excluded: self.is_excluded,
            mattr_50: None,
            influence: [0; 2],
            signal: self.signal,
            answers: self.answers,
            variables: self.variables,
            facts: join_names(self.facts.iter().map(FactId::as_str)),
            right,
            arm: Arc::clone(arm),
        }
    }
}
