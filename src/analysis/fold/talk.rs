//! Folds talk: rounds, statements, thoughts and interventions.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::analysis::column::{join_names, put_row};
use crate::analysis::fold::marks::format_target;
use crate::analysis::fold::opinion::OpinionPlace;
use crate::analysis::fold::state::{AnswerCoordinates, ForeignRecord, SessionFold};
use crate::analysis::tables::StatementRow;
use crate::domain::{Briefing, Choice, Marked, Matter, Moment, NamedChoice, Opinion, PhaseKindName, Record, SeatName};

/// A turn on the floor.
pub(super) enum FloorTurn<'a> {
    /// The text and its number of words, the declared stance and opinion, and the marks.
    Statement((&'a str, u64), (Option<Choice>, Option<Opinion>), &'a [Marked]),
    /// The seat passed.
    Pass,
    /// The seat used up its tries.
    Forfeit,
}

/// The targets of a statement's marks; `None` if no mark names one.
fn join_targets(marks: &[Marked]) -> Option<String> {
    let targets: Vec<String> = marks.iter().map(|mark| format_target(mark.names).unwrap_or_default()).collect();
    targets.iter().any(|target| !target.is_empty()).then(|| targets.join("|"))
}

impl SessionFold {
    /// The seats that alone hear a seat now, beside itself; `None` if all do.
    fn join_hearers(&self, speaker: usize) -> Option<String> {
        let is_in_phase = |name: &SeatName| self.hearers.as_ref().is_none_or(|hearers| hearers.contains(name));
        let own = &self.seat_names[speaker];
        let is_linked = |name: &SeatName| match &self.linked {
            Some(linked) => linked.get(name).is_some_and(|hears| hears.contains(own)),
            None => self.listeners.as_ref().is_none_or(|all| all[speaker].contains(name)),
        };
        let others = self.seat_names.iter().enumerate().filter(|(seat, _)| *seat != speaker).map(|(_, name)| name);
        let hearing: Vec<&str> =
            others.filter(|name| is_in_phase(name) && is_linked(name)).map(SeatName::as_str).collect();
        let is_limited = hearing.len() + 1 < self.seat_names.len();
        is_limited.then(|| join_names(hearing.into_iter()).unwrap_or_else(|| "nobody".to_owned()))
    }

    pub(super) fn open_round(&mut self, record: &Record, order: &[SeatName]) -> Result<(), ForeignRecord> {
        let Moment { phase, round, .. } = &record.at;
        if phase.group().is_none() || self.group_rounds.insert((phase.occurrence().to_owned(), *round)) {
            self.rounds_used += 1;
        }
        for (name, position) in order.iter().zip(1..) {
            let seat = self.find_seat(record, name)?;
            self.change_part(|part| part.seats[seat].position = Some(position));
        }
        self.needs_row();
        Ok(())
    }

    /// Keeps a thought for the turn that follows it.
    pub(super) fn fold_thought(&mut self, answered: AnswerCoordinates<'_>, text: &str) {
        self.own_direct(answered.seat, |routing| routing.own_reasoning);
        self.change_part(|part| part.seats[answered.seat].thought = Some((answered.at.turn, text.to_owned())));
    }

    pub(super) fn fold_statement(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        (text, marks): (&str, &[Marked]),
        (stance, opinion): (Option<NamedChoice>, Option<Opinion>),
    ) -> Result<(), ForeignRecord> {
        let words = self.read_words(answered.seat, text);
        let stance = stance.map(|choice| self.find_choice(record, &choice)).transpose()?;
        self.write_turn(answered, FloorTurn::Statement((text, words), (stance, opinion), marks));
        self.fold_marks(answered, text, stance, marks);
        for field in [answered.name.as_str(), text] {
            self.transcript.update(&(field.len() as u64).to_le_bytes());
            self.transcript.update(field.as_bytes());
        }
        self.floor_direct(|routing| routing.statement);
        self.fold_opinion(answered.seat, opinion, stance, OpinionPlace::Statement);
        let seat = &mut self.seats[answered.seat];
        seat.statements += 1;
        seat.words += words;
        if let Some(stance) = stance {
            let now = stance.alternative.index();
            let before = seat.stance.replace(stance).map(|stance| stance.alternative.index());
            seat.first_stance.get_or_insert(now);
            self.influence.count_stance(&mut seat.credit, now, before);
            self.held[now] += 1;
            if let Some(before) = before {
                self.held[before] -= 1;
            }
            let before = before.filter(|_| self.facts.arm.offers_choice());
            self.change_part(|part| part.add_stance(answered.seat, stance, before));
        }
        Ok(())
    }

    pub(super) fn fold_volunteer(&mut self, seat: usize, urgency: Option<u32>) {
        self.change_part(|part| part.seats[seat].volunteered = Some(urgency));
    }

    /// Writes the row of a turn and counts it in the part.
    pub(super) fn write_turn(&mut self, answered: AnswerCoordinates<'_>, turn: FloorTurn<'_>) {
        let cited = if let FloorTurn::Statement((text, _), ..) = &turn { self.cite_facts(text) } else { None };
        let Some(part) = &mut self.part else { return };
        let (kind, said) = match &turn {
            FloorTurn::Statement(said, ..) => ("statement", Some(*said)),
            FloorTurn::Pass => ("pass", None),
            FloorTurn::Forfeit => ("forfeit", None),
        };
        let ((stance, opinion), marks) = match &turn {
            FloorTurn::Statement(_, declared, marks) => (*declared, *marks),
            FloorTurn::Pass | FloorTurn::Forfeit => ((None, None), &[] as &[Marked]),
        };
        match (&turn, said) {
            (FloorTurn::Pass, _) => part.turns[1] += 1,
            (FloorTurn::Forfeit, _) => part.turns[2] += 1,
            (FloorTurn::Statement((text, words), ..), _) => {
                part.add_statement(answered.seat, *words, text.chars().count() as u64);
            }
        }
        let seat = &mut part.seats[answered.seat];
        seat.opinion = opinion.or(seat.opinion);
        let thought = seat.thought.take_if(|(turn, _)| *turn == answered.at.turn);
        let row = StatementRow {
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            turn: answered.at.turn,
            seat: Some(answered.name.clone()),
            seq: answered.seq,
            position: seat.position,
            kind,
            stance: stance.map(|stance| self.facts.arm.alternatives[stance.alternative.index()].clone()),
            stance_amount: stance.and_then(|stance| stance.amount),
            opinion,
            words: said.map(|(_, words)| words),
            attempt: Some(answered.attempt),
            text: said.map(|(text, _)| text.to_owned()),
            reasoning: thought.map(|(_, text)| text),
            by: None,
            to: said.and_then(|_| self.join_hearers(answered.seat)),
            facts: cited,
            mark: join_names(marks.iter().map(|mark| mark.sign.as_str())),
            target: join_targets(marks),
        };
        put_row(&self.key, &row, &mut self.rows.statements);
    }

    /// Folds an instruction to all seats or to some.
    pub(super) fn fold_briefing(&mut self, record: &Record, briefing: &Briefing) -> Result<(), ForeignRecord> {
        let Briefing { what, text, to, by } = briefing;
        match what {
            Matter::Instruction { .. } => {}
            Matter::Case { signal, facts } => return self.fold_hand(record, to, signal.as_ref(), facts),
            Matter::Exhibit { .. } | Matter::Notes { .. } | Matter::Decision { .. } => return Ok(()),
        }
        for name in to {
            let seat = self.find_seat(record, name)?;
            self.own_direct(seat, |routing| routing.instruction);
        }
        if to.is_empty() {
            self.floor_direct(|routing| routing.instruction);
        }
        let is_talk = self.part.as_ref().is_some_and(|part| part.kind == PhaseKindName::Discussion);
        if to.is_empty() && !is_talk {
            return Ok(());
        }
        let row = StatementRow {
            phase: record.at.phase.clone(),
            round: record.at.round,
            turn: record.at.turn,
            seat: None,
            seq: record.seq,
            position: None,
            kind: "intervention",
            stance: None,
            stance_amount: None,
            opinion: None,
            words: Some(text.unicode_words().count() as u64),
            attempt: None,
            text: Some(text.clone()),
            reasoning: None,
            by: Some(*by),
            to: join_names(to.iter().map(SeatName::as_str)),
            facts: None,
            mark: None,
            target: None,
        };
        put_row(&self.key, &row, &mut self.rows.statements);
        Ok(())
    }
}
