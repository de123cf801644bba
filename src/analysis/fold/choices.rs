//! Folds straw polls, rankings, practice choices and ballots.

use crate::analysis::column::{join_names, put_row};
use crate::analysis::counts::ChoiceCounts;
use crate::analysis::effort::AnswerStatus;
use crate::analysis::facts::VoteForce;
use crate::analysis::fold::opinion::OpinionPlace;
use crate::analysis::fold::state::{AnswerCoordinates, ForeignRecord, SessionFold, foreign_record};
use crate::analysis::part::{PendingBallot, PhasePart};
use crate::analysis::purpose::ChoicePurpose;
use crate::analysis::tables::{BallotRow, RankingGiven};
use crate::domain::{
    AlternativeName, Ballot, Certainty, Choice, Fault, NamedChoice, OpenBallots, Opinion, Record, Step,
};

/// A choice, or the fault by which its question was lost.
#[derive(Clone)]
pub(super) struct ChoiceAnswer<'a> {
    pub chosen: Option<NamedChoice>,
    pub certainty: Option<Certainty>,
    pub reasoning: Option<String>,
    pub options: &'a [AlternativeName],
    pub raw: &'a str,
    pub fault: Option<Fault>,
}

impl<'a> ChoiceAnswer<'a> {
    /// An answer that chooses nothing.
    pub fn of_record(record: &'a Record) -> Self {
        let (options, raw) = (record.event.options(), record.event.raw());
        let reasoning = record.ballot_reasoning().map(str::to_owned);
        Self { chosen: None, certainty: None, reasoning, options, raw, fault: record.final_fault() }
    }

    /// The same answer with a choice.
    pub fn choosing(self, choice: NamedChoice) -> Self {
        Self { chosen: Some(choice), ..self }
    }
}

impl SessionFold {
    /// Folds a valid answer to a straw poll.
    pub(super) fn fold_poll(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        cast: ChoiceAnswer<'_>,
        opinion: Option<Opinion>,
    ) -> Result<(), ForeignRecord> {
        self.change_part(|part| part.seats[answered.seat].straw_opinion = opinion);
        let choice = cast.chosen.as_ref().map(|choice| self.find_choice(record, choice)).transpose()?;
        self.fold_opinion(answered.seat, opinion, choice, OpinionPlace::Poll);
        self.fold_choice(record, answered, cast)
    }

    /// Folds an opinion that is asked for without a choice.
    pub(super) fn fold_poll_opinion(&mut self, seat: usize, opinion: Option<Opinion>) {
        self.change_part(|part| part.seats[seat].straw_opinion = opinion);
        self.fold_opinion(seat, opinion, None, OpinionPlace::Poll);
    }

    /// Folds a choice of a straw poll, a practice round or a vote, or the fault by which its question was lost.
    pub(super) fn fold_choice(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        cast: ChoiceAnswer<'_>,
    ) -> Result<(), ForeignRecord> {
        let Some(part) = &self.part else { return Ok(()) };
        let purpose = self.choice_purpose(part, answered.at.step);
        if let (ChoicePurpose::Vote, Some(own)) = (purpose, self.own_options()) {
            if let Some(choice) = cast.chosen.as_ref().filter(|choice| !own.contains(&choice.alternative)) {
                return Err(foreign_record(record, "option", choice.alternative.as_str()));
            }
            let row = self.ballot_row(answered, purpose, &cast);
            self.settle_ballot(answered.seat, cast.fault);
            put_row(&self.key, &row, &mut self.rows.ballots);
            return Ok(());
        }
        let choice = cast.chosen.as_ref().map(|choice| self.find_choice(record, choice)).transpose()?;
        let mut row = self.ballot_row(answered, purpose, &cast);
        let seat = &mut self.seats[answered.seat];
        let stance = seat.stance.filter(|_| self.facts.arm.offers_choice());
        let matches = choice.zip(stance).map(|(choice, stance)| choice.alternative == stance.alternative);
        match purpose {
            ChoicePurpose::Vote => row.matches_stance = matches,
            ChoicePurpose::StrawBefore | ChoicePurpose::StrawRound | ChoicePurpose::StrawAfter => {
                row.matches_stance = matches;
                seat.differs = matches.map(|matches| !matches).or(seat.differs);
                match purpose {
                    ChoicePurpose::StrawBefore => seat.straws[0] = choice.or(seat.straws[0]),
                    ChoicePurpose::StrawAfter => seat.straws[1] = choice.or(seat.straws[1]),
                    _ => {}
                }
            }
            ChoicePurpose::Ranking | ChoicePurpose::Application => {}
        }
        let takes_amount = choice.is_some_and(|choice| self.facts.arm.takes_amount[choice.alternative.index()]);
        if let (ChoicePurpose::Vote, true, Some(choice @ Choice { amount: None, .. })) = (purpose, takes_amount, choice)
        {
            if let Some(part) = &mut self.part {
                part.pending += u32::from(part.seats[answered.seat].pending.is_none());
                part.seats[answered.seat].pending = Some(PendingBallot { choice, row });
            }
            return Ok(());
        }
        self.count_choice(answered.seat, purpose, choice);
        put_row(&self.key, &row, &mut self.rows.ballots);
        Ok(())
    }

    /// Folds the amount that completes a ballot, or the fault that makes the ballot invalid.
    pub(super) fn fold_amount(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        amount: Result<u32, Fault>,
    ) -> Result<(), ForeignRecord> {
        let Some(part) = &mut self.part else { return Ok(()) };
        let Some(PendingBallot { choice, mut row }) = part.seats[answered.seat].pending.take() else {
            return Err(foreign_record(record, "an amount of", answered.name.as_str()));
        };
        part.pending -= 1;
        row.seq = answered.seq;
        row.tries += u32::from(answered.attempt);
        row.amount_raw = Some(record.event.raw().to_owned());
        match amount {
            Ok(amount) => {
                row.amount = Some(amount);
                self.count_choice(answered.seat, ChoicePurpose::Vote, Some(Choice { amount: Some(amount), ..choice }));
            }
            Err(fault) => {
                row.status = AnswerStatus::from_fault(Some(fault));
                (row.alternative, row.shown_position, row.matches_stance) = (None, None, None);
                self.count_choice(answered.seat, ChoicePurpose::Vote, None);
            }
        }
        put_row(&self.key, &row, &mut self.rows.ballots);
        Ok(())
    }

    /// Counts a ranking and its certainty, whatever asked for it: one row per alternative, best first.
    pub(super) fn count_ranking(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        order: &[AlternativeName],
        cast: ChoiceAnswer<'_>,
    ) -> Result<(), ForeignRecord> {
        let mut ranks = vec![0; self.facts.arm.alternatives.len()];
        for (name, rank) in order.iter().zip(1..) {
            ranks[self.find_alternative(record, name)?] = rank;
        }
        if ranks.contains(&0) || order.len() != ranks.len() {
            return Err(foreign_record(record, "an incomplete ranking of", answered.name.as_str()));
        }
        for (name, rank) in order.iter().zip(1..) {
            let cast = cast.clone().choosing(name.clone().into());
            let mut row = self.ballot_row(answered, ChoicePurpose::Ranking, &cast);
            row.rank = Some(rank);
            put_row(&self.key, &row, &mut self.rows.ballots);
        }
        self.change_part(|part| part.rankings.push(ranks.clone()));
        let ranking = RankingGiven { ranks, certainty: cast.certainty };
        let seat = &mut self.seats[answered.seat];
        seat.ranked += 1;
        seat.first_ranking.get_or_insert_with(|| ranking.clone());
        seat.last_ranking = Some(ranking);
        Ok(())
    }

    /// Folds a ballot that holds more than one choice: one row per alternative, in the scenario's order.
    pub(super) fn fold_ballot(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        ballot: &Ballot<AlternativeName>,
    ) -> Result<(), ForeignRecord> {
        let own = self.own_options().map(<[AlternativeName]>::to_vec);
        let is_own = own.is_some();
        // A vote over texts counts with more letters than there are texts.
        let cast = ChoiceAnswer::of_record(record);
        let offered = |own: Vec<AlternativeName>| own.into_iter().filter(|name| cast.options.contains(name)).collect();
        let all = own.map_or_else(|| self.facts.arm.alternatives.clone(), offered);
        if ballot.find(|name| all.contains(name).then_some(())).is_none() {
            return Err(foreign_record(record, "a ballot over other alternatives of", answered.name.as_str()));
        }
        for name in &all {
            let cast = cast.clone().choosing(name.clone().into());
            let mut row = self.ballot_row(answered, ChoicePurpose::Vote, &cast);
            (row.rank, row.score, row.chosen) = (ballot.rank(name), ballot.score(name), ballot.approves(name));
            put_row(&self.key, &row, &mut self.rows.ballots);
        }
        if is_own {
            self.settle_ballot(answered.seat, None);
            return Ok(());
        }
        let first = ballot.first().map(|name| self.find_choice(record, &name.clone().into())).transpose()?;
        let ranks: Option<Vec<u32>> = all.iter().map(|name| ballot.rank(name)).collect();
        if let (Some(ranks), Some(part)) = (ranks.filter(|ranks| is_strict(ranks)), &mut self.part) {
            part.rankings.push(ranks);
        }
        if first.is_none() {
            self.own_direct(answered.seat, |routing| routing.own_ballot);
        }
        self.count_choice(answered.seat, ChoicePurpose::Vote, first);
        Ok(())
    }

    /// Counts a settled ballot over options of the vote's own, for what memories take in. It is in no count of alternatives.
    fn settle_ballot(&mut self, seat: usize, fault: Option<Fault>) {
        if fault.is_none() {
            self.own_direct(seat, |routing| routing.own_ballot);
        }
        self.hear_ballot(seat);
    }

    /// All other seats hear a ballot when it is cast, where they vote in turn.
    fn hear_ballot(&mut self, voter: usize) {
        if self.vote_facts().is_some_and(|vote| vote.heard.ballots == OpenBallots::InTurn) {
            for seat in (0..self.seats.len()).filter(|seat| *seat != voter) {
                self.own_direct(seat, |routing| routing.vote_answered);
            }
        }
    }

    /// Folds an abstention: one row without an alternative.
    pub(super) fn fold_abstention(&mut self, record: &Record, answered: AnswerCoordinates<'_>) {
        let cast = ChoiceAnswer::of_record(record);
        let row =
            BallotRow { status: AnswerStatus::Abstained, ..self.ballot_row(answered, ChoicePurpose::Vote, &cast) };
        put_row(&self.key, &row, &mut self.rows.ballots);
        if self.own_options().is_some() {
            return self.settle_ballot(answered.seat, None);
        }
        self.own_direct(answered.seat, |routing| routing.own_ballot);
        self.count_choice(answered.seat, ChoicePurpose::Vote, None);
    }

    /// Counts a settled question of a poll or a vote. Practice choices and rankings are not counted.
    fn count_choice(&mut self, place: usize, purpose: ChoicePurpose, choice: Option<Choice>) {
        match purpose {
            ChoicePurpose::Vote if choice.is_some() => self.own_direct(place, |routing| routing.own_ballot),
            ChoicePurpose::Application if choice.is_some() => self.own_direct(place, |routing| routing.own_application),
            _ => {}
        }
        if purpose == ChoicePurpose::Vote {
            self.hear_ballot(place);
        }
        let alternatives = self.facts.arm.alternatives.len();
        let decides = self.vote_facts().is_some_and(|vote| vote.force == VoteForce::Deciding);
        if purpose == ChoicePurpose::Vote && decides {
            self.forget_other_passes();
        }
        let Some(part) = &mut self.part else { return };
        let count = match purpose {
            ChoicePurpose::Vote => &mut part.ballot,
            ChoicePurpose::StrawBefore | ChoicePurpose::StrawRound | ChoicePurpose::StrawAfter => &mut part.straw,
            ChoicePurpose::Ranking | ChoicePurpose::Application => return,
        };
        count.get_or_insert_with(|| ChoiceCounts::for_alternatives(alternatives)).count_choice(choice);
        if purpose == ChoicePurpose::Vote {
            part.seats[place].ballot = choice;
            let seat = &mut self.seats[place];
            seat.ballot = choice.filter(|_| decides).or(seat.ballot);
        } else {
            part.seats[place].straw = choice;
        }
    }

    /// Forgets the ballots of other phases and passes once the vote of the current one is under way: its result may be the session's.
    fn forget_other_passes(&mut self) {
        let Some(part) = self.part.as_ref().filter(|part| self.voted_in.as_ref() != Some(&part.phase)) else { return };
        self.voted_in = Some(part.phase.clone());
        self.seats.iter_mut().for_each(|seat| seat.ballot = None);
    }

    fn ballot_row(
        &self,
        answered: AnswerCoordinates<'_>,
        purpose: ChoicePurpose,
        cast: &ChoiceAnswer<'_>,
    ) -> BallotRow {
        let vote = self.vote_facts().filter(|_| purpose == ChoicePurpose::Vote);
        let chosen = cast.chosen.as_ref();
        let shown = chosen.and_then(|chosen| cast.options.iter().position(|option| *option == chosen.alternative));
        BallotRow {
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            seq: answered.seq,
            vote: (purpose == ChoicePurpose::Vote).then_some(self.votes_held + 1),
            purpose,
            form: self.facts.arm.form_name(purpose, vote),
            is_binding: match purpose {
                ChoicePurpose::Vote => vote.is_none_or(|vote| vote.force != VoteForce::NonBinding),
                ChoicePurpose::Application => true,
                _ => false,
            },
            seat: answered.name.clone(),
            status: AnswerStatus::from_fault(cast.fault),
            tries: u32::from(answered.attempt) + 1,
            alternative: chosen.map(|chosen| chosen.alternative.clone()),
            amount: chosen.and_then(|chosen| chosen.amount),
            weight: vote.map(|vote| vote.weight(answered.seat)),
            rank: None,
            score: None,
            chosen: None,
            shown_position: shown.map(|place| place as u32 + 1),
            options_shown: join_names(cast.options.iter().map(AlternativeName::as_str)).unwrap_or_default(),
            certainty: cast.certainty,
            matches_stance: None,
            raw: cast.raw.to_owned(),
            amount_raw: None,
            reasoning: cast.reasoning.clone(),
            right: self.right_answer().filter(|_| vote.is_none_or(|vote| vote.options.is_none())),
        }
    }

    pub(super) fn choice_purpose(&self, part: &PhasePart, step: Step) -> ChoicePurpose {
        ChoicePurpose::of_step(step, self.facts.arm.phases[part.place].poll)
    }
}

/// Whether the ranks are a permutation of 1 to n.
fn is_strict(ranks: &[u32]) -> bool {
    (1..=ranks.len() as u32).all(|rank| ranks.contains(&rank))
}
