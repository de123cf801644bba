//! What procedure calls for next: a pure function of the state.

use super::asking::Asked;
use super::deliberation::{Deliberation, Stage, session_moment};
use crate::chance::Purpose;
use crate::choice::{self, Profile};
use crate::domain::{
    AlternativeId, Ask, Draft, Event, FORMAT_VERSION, Moment, Query, QuestionId, SeatId, SeatName, Step, StopReason,
    TallyCount, TallyReport, Verdict, Voice,
};
use crate::plan::{Discussion, OptionOrder, PhaseKind, SpeakingOrder};

/// What a driver has to do.
#[derive(Debug)]
pub enum Next<'a> {
    /// Minute this.
    Declare(Draft),
    /// Put these questions, all at once, and admit their answers in this order.
    Ask(Vec<Query<'a>>),
    /// Nothing: the session has ended.
    Adjourned(Verdict),
}

impl Deliberation<'_> {
    /// What procedure calls for next.
    pub fn next(&self) -> Next<'_> {
        match self.stage {
            Stage::Convening => declare(
                session_moment(Step::Convening),
                Event::SessionConvened {
                    format: FORMAT_VERSION,
                    plan: self.plan.digest.clone(),
                    arm: self.plan.arm.clone(),
                    replicate: self.replicate,
                },
            ),
            Stage::Opening(place) => declare(
                self.moment(place, 0, Step::Opening),
                Event::PhaseOpened { kind: self.phase(place).kind.name() },
            ),
            Stage::Briefing(place) => {
                let PhaseKind::Brief { text } = &self.phase(place).kind else {
                    unreachable!("invariant: only a brief phase is briefed")
                };
                declare(
                    self.moment(place, 0, Step::Brief),
                    Event::Instructed { text: text.clone(), to: Vec::new(), by: Voice::Facilitator, pushes: None },
                )
            }
            Stage::Ordering(place, round) => {
                let order = self.speaking_order(place, round);
                declare(self.moment(place, round, Step::Order), Event::RoundOpened { order })
            }
            Stage::Asking => Next::Ask(self.queries()),
            Stage::Counting(place, round) => {
                let at = self.moment(place, round, Step::Tally);
                let report = self.count(&at);
                declare(at, Event::Tallied(report))
            }
            Stage::Closing(place, round) => {
                let (dropped_remarks, dropped_chars) = self.memory.dropped();
                let event = Event::RoundClosed { dropped_remarks, dropped_chars, memory: Vec::new() };
                declare(self.moment(place, round, Step::Closing), event)
            }
            Stage::Adjourning => declare(session_moment(Step::Adjournment), self.adjournment()),
            Stage::Adjourned(verdict) => Next::Adjourned(verdict),
        }
    }

    fn moment(&self, place: usize, round: u32, step: Step) -> Moment {
        Moment { phase: self.phase(place).name.clone(), round, turn: 0, step }
    }

    /// The order of a round. Each seat has a lot of its own, so adding a seat moves no other's lot.
    fn speaking_order(&self, place: usize, round: u32) -> Vec<SeatName> {
        let names = self.plan.seats.iter().map(|seat| seat.name.clone());
        if self.discussion(place).order != SpeakingOrder::Random {
            return names.collect();
        }
        let mut question =
            QuestionId { at: self.moment(place, round, Step::Order), seat: SeatName::new(""), attempt: 0 };
        let mut lots: Vec<(u64, SeatName)> = names
            .map(|name| {
                question.seat = name.clone();
                (self.seed.lot(Purpose::SpeakingOrder, &question), name)
            })
            .collect();
        lots.sort_by_key(|(lot, _)| *lot);
        lots.into_iter().map(|(_, name)| name).collect()
    }

    /// # Panics
    /// When the phase is no discussion.
    pub(super) fn discussion(&self, place: usize) -> &Discussion {
        match &self.phase(place).kind {
            PhaseKind::Discussion(discussion) => discussion,
            _ => unreachable!("invariant: rounds belong to discussions"),
        }
    }

    /// The questions to put now.
    fn queries(&self) -> Vec<Query<'_>> {
        let asked = self.asking.what.expect("invariant: an ask says what it asks");
        let phase = &self.phase(asked.phase).name;
        let due = self.asking.due();
        due.map(|(member, seat, attempt, retry)| {
            let turn = if asked.turn == 0 { 0 } else { asked.turn + member as u32 };
            let at = Moment { phase: phase.clone(), round: asked.round, turn, step: asked.step };
            let id = QuestionId { at, seat: self.plan.seats[seat.index()].name.clone(), attempt };
            let ask = self.ask(asked, seat, &id);
            let (brief, shown) = self.memory.recall(seat);
            Query { id, seat, ask, retry, brief, shown, pushes: None, state: &self.states[seat.index()] }
        })
        .collect()
    }

    fn ask(&self, asked: Asked, seat: SeatId, id: &QuestionId) -> Ask {
        let options = self.options(seat, id);
        match asked.step {
            Step::Statement => {
                let chars_min = self.discussion(asked.phase).statement_min_length;
                Ask::Statement { options, chars_min }
            }
            Step::StrawPoll => Ask::StrawPoll { options },
            Step::Ballot => Ask::Ballot { options },
            other => unreachable!("invariant: seats are never asked at the step {other:?}"),
        }
    }

    /// The options in the order in which a seat is shown them; the same on every attempt and at every turn.
    fn options(&self, seat: SeatId, id: &QuestionId) -> Vec<AlternativeId> {
        let count = self.plan.motion.alternatives.len() as u32;
        match self.plan.controls.option_order {
            OptionOrder::Fixed => (0..count).map(AlternativeId).collect(),
            OptionOrder::Latin => {
                let start = u64::from(self.latin_start) + u64::from(seat.0);
                (0..count).map(|k| AlternativeId(((start + u64::from(k)) % u64::from(count)) as u32)).collect()
            }
            OptionOrder::Seeded => {
                let mut question = id.clone();
                question.at.turn = 0;
                question.attempt = 0;
                let lots = self.seed.at(Purpose::OptionOrder, &question, 0).lots(count);
                lots.into_iter().map(AlternativeId).collect()
            }
        }
    }

    /// Counts the ballots of the vote under way.
    fn count(&self, at: &Moment) -> TallyReport {
        let (motion, rule) = (&self.plan.motion, &self.plan.decision);
        let (counts, invalid) = &self.cast;
        let tally = choice::tally(rule, &Profile { counts: counts.clone(), invalid: *invalid });
        let lot = |n| self.seed.at_moment(Purpose::TieBreak, at, 0).below(n);
        let decided = choice::break_tie(rule.tie_break, &tally.winners, motion, lot);
        let name = |id: &AlternativeId| motion.named((*id).into());
        TallyReport {
            rule: rule.rule,
            base: rule.base,
            eligible: tally.eligible,
            valid: tally.valid,
            invalid: *invalid,
            abstained: tally.abstained,
            threshold: tally.threshold,
            counts: counts
                .iter()
                .zip(&motion.alternatives)
                .map(|(count, alternative)| TallyCount {
                    alternative: alternative.name.clone(),
                    amount: None,
                    count: *count,
                })
                .collect(),
            winners: tally.winners.iter().map(name).collect(),
            tie_break: (tally.winners.len() > 1).then_some(rule.tie_break),
            decided: decided.as_ref().map(name),
        }
    }

    fn adjournment(&self) -> Event {
        let decided = self.decided.map(|id| self.plan.motion.named(id.into()));
        let rounds_vote =
            self.plan.agenda.iter().any(|p| matches!(&p.kind, PhaseKind::Discussion(d) if d.votes_in_rounds()));
        let (verdict, stop) = match (&decided, self.votes_held) {
            (Some(_), _) => (Verdict::Carried, StopReason::Decided),
            (None, 0) => (Verdict::NotApplicable, StopReason::AgendaDone),
            (None, _) if rounds_vote => (Verdict::NoDecision, StopReason::RoundsUsedUp),
            (None, _) => (Verdict::NoDecision, StopReason::Undecided),
        };
        Event::Adjourned { verdict, stop, decided }
    }
}

fn declare(at: Moment, event: Event) -> Next<'static> {
    Next::Declare(Draft { at, answered: None, event })
}
