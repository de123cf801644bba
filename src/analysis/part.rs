//! The state of the current part: a round, or the part of a phase outside rounds.

use crate::analysis::column::join_names;
use crate::analysis::counts::{ChoiceCounts, MarkCounts, SeatOpinion, Stances};
use crate::analysis::effort::Effort;
use crate::analysis::facts::{ArmFacts, MarksRead, PhaseFacts};
use crate::analysis::measures;
use crate::analysis::spoken::RoundSpeech;
use crate::analysis::tables::{BallotRow, Estimates, Opinions, Rankings, RoundRow, SeatRoundRow, Spread, Switches};
use crate::domain::{Choice, MemoryReport, Opinion, PhaseKindName, PhaseName};

/// A ballot whose amount is still missing.
#[derive(Debug)]
pub(super) struct PendingBallot {
    pub choice: Choice,
    /// Its row, without the amount.
    pub row: BallotRow,
}

/// One seat's state within a part.
#[derive(Debug, Default)]
pub(super) struct PartSeat {
    /// Whether it takes part in the phase; in a round of talk, whether it may speak.
    pub is_there: bool,
    /// Its position in the speaking order, from 1.
    pub position: Option<u32>,
    /// Whether it answered anything or was paid.
    pub took_part: bool,
    /// Statements, words and characters on the floor.
    pub talk: [u64; 3],
    /// The turn and the text of its last thought.
    pub thought: Option<(u32, String)>,
    /// The declared stance.
    pub stance: Option<Choice>,
    /// The declared opinion.
    pub opinion: Option<Opinion>,
    /// Whether the declared stance differs from the previous one.
    pub switched: Option<bool>,
    /// Its opinion: from a statement in a round of talk, otherwise from a straw poll.
    pub held: Option<SeatOpinion>,
    /// The choice in the straw poll.
    pub straw: Option<Choice>,
    /// The opinion given with that choice.
    pub straw_opinion: Option<Opinion>,
    /// The valid ballot.
    pub ballot: Option<Choice>,
    /// The ballot whose amount is still missing.
    pub pending: Option<PendingBallot>,
    /// Its answer on volunteering to speak, with the urgency if it volunteered.
    pub volunteered: Option<Option<u32>>,
    /// Whether it called a vote.
    pub called: Option<bool>,
    /// Whether it agreed to vote.
    pub agreed: Option<bool>,
    /// The memory report at the close of the round.
    pub memory: Option<MemoryReport>,
    /// Compressions, integrations, and failed ones of either kind.
    pub rewrites: [u64; 3],
    /// The number of its inquiries.
    pub inquiries: u64,
    /// Its own events that its memory took in without a call.
    pub direct: u64,
    pub effort: Effort,
}

/// The state of the current part.
#[derive(Debug)]
pub(super) struct PhasePart {
    /// The phase.
    pub phase: PhaseName,
    /// The phase's index in the agenda.
    pub place: usize,
    /// Its kind.
    pub kind: PhaseKindName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// One entry per seat.
    pub seats: Vec<PartSeat>,
    /// Whether the part gets a row: it had an answer, an opened round or situation, a tally or a payment.
    pub worth_a_row: bool,
    /// Statements, passes and forfeits.
    pub turns: [u64; 3],
    /// The declared stances.
    pub stances: ChoiceCounts,
    /// The straw poll, if it has started.
    pub straw: Option<ChoiceCounts>,
    /// The vote, if it has started.
    pub ballot: Option<ChoiceCounts>,
    /// The number of ballots whose amount is still missing.
    pub pending: u32,
    /// Events that every seat's memory took in without a call.
    pub direct: u64,
    /// The seats that called a vote, in order.
    pub callers: Vec<usize>,
    /// The ranks of each alternative, per ranking.
    pub rankings: Vec<Vec<u32>>,
    pub spoken: RoundSpeech,
    /// The index of the right alternative.
    pub key: Option<usize>,
    /// The right amount.
    pub right: Option<u32>,
    /// The counts of marks at the start.
    pub marks_before: MarkCounts,
    pub majority: Option<usize>,
    pub stances_changed: Stances,
    pub to_majority: u64,
    pub from_majority: u64,
    /// Whether the tally of a vote decided, and its abstentions.
    pub tally: Option<(bool, u32)>,
    pub effort: Effort,
}

impl PhasePart {
    /// Opens a part. `held` counts the seats' last declared stances at its start, and `seats` says of each whether it takes part in
    /// the phase and whether it speaks in it.
    pub fn open(
        (phase, place): (&PhaseFacts, usize),
        round: u32,
        held: &[u32],
        seats: impl Iterator<Item = (bool, bool)>,
    ) -> Self {
        let is_talk = round > 0 && phase.kind == PhaseKindName::Discussion;
        let seat = |(takes_part, speaks)| PartSeat {
            is_there: if is_talk { speaks } else { takes_part },
            ..PartSeat::default()
        };
        let seats: Vec<PartSeat> = seats.map(seat).collect();
        Self {
            phase: phase.name.clone(),
            place,
            kind: phase.kind,
            round,
            spoken: if is_talk { RoundSpeech::for_seats(seats.len()) } else { RoundSpeech::default() },
            seats,
            worth_a_row: false,
            turns: [0; 3],
            stances: ChoiceCounts::for_alternatives(held.len()),
            straw: None,
            ballot: None,
            pending: 0,
            direct: 0,
            callers: Vec::new(),
            rankings: Vec::new(),
            key: None,
            right: None,
            marks_before: MarkCounts::default(),
            majority: measures::single_mode(held),
            stances_changed: Stances::default(),
            to_majority: 0,
            from_majority: 0,
            tally: None,
            effort: Effort::default(),
        }
    }

    pub fn is_talk(&self) -> bool {
        self.round > 0 && self.kind == PhaseKindName::Discussion
    }

    /// Each seat's opinion in billionths; `None` if it gave none.
    pub fn seat_opinions(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.seats.iter().map(|seat| seat.held.as_ref().map(|held| held.billionths))
    }

    /// Counts a statement.
    pub fn add_statement(&mut self, seat: usize, words: u64, chars: u64) {
        self.turns[0] += 1;
        let talk = &mut self.seats[seat].talk;
        *talk = [talk[0] + 1, talk[1] + words, talk[2] + chars];
    }

    /// Counts a declared stance; `before` is the seat's previous alternative.
    pub fn add_stance(&mut self, seat: usize, stance: Choice, before: Option<usize>) {
        self.stances.count_choice(Some(stance));
        self.seats[seat].stance = Some(stance);
        let Some(before) = before else { return };
        let now = stance.alternative.index();
        self.seats[seat].switched = Some(before != now);
        self.stances_changed.count_stance(before, now, self.key);
        if before != now {
            self.to_majority += u64::from(self.majority == Some(now));
            self.from_majority += u64::from(self.majority == Some(before));
        }
    }

    /// Whether a seat called a vote; `None` if no seat was asked.
    pub fn vote_called(&self) -> Option<bool> {
        let mut answers = self.seats.iter().filter_map(|seat| seat.called).peekable();
        answers.peek()?;
        Some(answers.any(|calls| calls))
    }

    /// The counts of marks at the end; `None` if marks are not read.
    fn mark_counts(&self, arm: &ArmFacts, counts: MarkCounts) -> Option<MarkCounts> {
        (self.is_talk() && arm.phases[self.place].marks == MarksRead::Yes).then_some(counts)
    }

    /// The part's row; `counts` are the marks at its end.
    pub fn round_row(&self, arm: &ArmFacts, counts: MarkCounts) -> RoundRow {
        let talk = self.is_talk();
        let there: Vec<&PartSeat> = self.seats.iter().filter(|seat| seat.is_there).collect();
        let words: Vec<u64> = there.iter().map(|seat| seat.talk[1]).collect();
        let statements: Vec<u32> = there.iter().map(|seat| seat.talk[0] as u32).collect();
        let alternatives = &arm.alternatives;
        let declined = self.seats.iter().zip(&arm.seats).filter(|(seat, _)| seat.agreed == Some(false));
        RoundRow {
            phase: self.phase.clone(),
            phase_kind: self.kind,
            round: self.round,
            seats: there.len() as u64,
            turns: talk.then_some(self.turns),
            words: talk.then(|| words.iter().sum()),
            stance: talk.then(|| Spread::from_count(&self.stances, alternatives, self.key)),
            straw: self.straw.as_ref().map(|poll| Spread::from_count(poll, alternatives, self.key)),
            ballot: self.ballot.as_ref().map(|vote| Spread::from_count(vote, alternatives, self.key)),
            switches: (talk && arm.offers_choice()).then(|| Switches {
                stances: self.stances_changed,
                has_key: self.key.is_some(),
                majority: self.majority.map(|_| (self.to_majority, self.from_majority)),
            }),
            vote_called: self.vote_called(),
            called_by: join_names(self.callers.iter().map(|seat| arm.seats[*seat].name.as_str())),
            declined_by: join_names(declined.map(|(_, facts)| facts.name.as_str())),
            vote_held: self.tally.is_some(),
            decided: self.tally.map(|(decided, _)| decided),
            speaking_gini: measures::gini(&words),
            turn_entropy_norm: measures::entropy_norm(&statements),
            n_abstain: self.tally.map(|(_, abstained)| u64::from(abstained)),
            proposals_open: self.mark_counts(arm, counts).map(|counts| counts.open),
            effort: self.effort,
            spoke: talk.then(|| self.seats.iter().filter(|seat| seat.talk[0] > 0).count() as u64),
            language: talk.then(|| self.spoken.measure_language(arm.convergence.profile)),
            proposed: self
                .mark_counts(arm, counts)
                .map(|counts| [counts.made - self.marks_before.made, counts.decisions - self.marks_before.decisions]),
            rankings: Rankings::from_rankings(&self.rankings),
            opinions: Opinions::from_opinions(self.seats.iter().filter_map(|seat| seat.held)),
            estimates: [talk.then_some(&self.stances), self.straw.as_ref(), self.ballot.as_ref()]
                .map(|count| Estimates::from_count(count?, self.right)),
        }
    }

    /// The rows of its seats: in a round all seats, otherwise those that answered or were paid.
    pub fn seat_rows<'a>(&'a self, arm: &'a ArmFacts, counts: MarkCounts) -> impl Iterator<Item = SeatRoundRow> + 'a {
        let (talk, marked) = (self.is_talk(), self.mark_counts(arm, counts));
        let words: u64 = self.seats.iter().map(|seat| seat.talk[1]).sum();
        let name = |choice: Choice| arm.alternatives[choice.alternative.index()].clone();
        let worth = move |seat: &PartSeat| self.round > 0 || seat.took_part;
        self.seats.iter().zip(&arm.seats).filter(move |(seat, _)| worth(seat)).map(move |(seat, facts)| SeatRoundRow {
            phase: self.phase.clone(),
            round: self.round,
            seat: facts.name.clone(),
            position: seat.position,
            talk: talk.then_some(seat.talk),
            speaking_share: (talk && words > 0).then(|| seat.talk[1] as f64 / words as f64),
            stance: seat.stance.map(name),
            stance_amount: seat.stance.and_then(|stance| stance.amount),
            opinion: seat.opinion,
            straw_opinion: seat.straw_opinion,
            straw: seat.straw.map(name),
            switched: seat.switched,
            volunteered: seat.volunteered,
            called_vote: seat.called,
            seconded: seat.agreed.filter(|_| seat.called != Some(true)),
            ballot: seat.ballot.map(name),
            ballot_amount: seat.ballot.and_then(|ballot| ballot.amount),
            memory_policy: arm.memory.policy.clone(),
            memory: seat.memory,
            compressions: seat.rewrites[0],
            integrations: seat.rewrites[1],
            integrations_failed: seat.rewrites[2],
            model_calls_saved: self.direct + seat.direct,
            look_ups: seat.inquiries,
            effort: seat.effort,
            marked,
        })
    }
}
