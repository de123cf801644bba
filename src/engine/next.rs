//! What procedure calls for next: a pure function of the state.

use std::collections::BTreeSet;

use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{
    Adjourned, Briefing, Convened, Draft, Event, FORMAT_VERSION, LoopEnded, Matter, MemoryAct, MemoryReport, Moment,
    PhaseName, PhaseSkipped, Query, Reminded, RoundClosed, RoundOpened, SeatId, Step, StopReason, TallyReport, Verdict,
};
use crate::memory::notice;
use crate::plan::{Deed, Intervention, PhaseKind};

/// What a driver has to do.
#[derive(Debug)]
pub enum Next<'a> {
    /// Minute this.
    Declare(Box<Draft>),
    /// Put these questions, all at once, and admit their answers in this order.
    Ask(Vec<Query<'a>>),
    /// Nothing: the session has ended.
    Adjourned(Verdict),
    /// Nothing: an expression has no value, so that the session cannot go on.
    Undefined {
        /// The phase that needs it.
        phase: PhaseName,
        /// What is wrong with it, in words.
        reason: String,
    },
}

impl Deliberation<'_> {
    /// What procedure calls for next.
    pub fn next(&self) -> Next<'_> {
        self.find_next()
            .unwrap_or_else(|(place, reason)| Next::Undefined { phase: self.phase(place).name.clone(), reason })
    }

    /// An intervention; in a group it concerns its members.
    fn make_intervention(&self, place: usize, intervention: &Intervention) -> Event {
        let by = intervention.by;
        let to = match (&self.course.limited_to, &self.phase(place).group) {
            (Some(seats), _) if intervention.is_for_participants => {
                seats.iter().map(|seat| self.seat_name(*seat).clone()).collect()
            }
            (_, Some(_)) => {
                let members = self.gathered_at(place).into_iter().map(|seat| self.seat_name(seat));
                members.filter(|seat| intervention.is_for(seat)).cloned().collect()
            }
            _ => intervention.to.clone(),
        };
        match &intervention.deed {
            Deed::Told(text) => Event::Briefed(Briefing { by, ..Briefing::new(text.clone(), to) }),
            Deed::Reminded(act) => {
                let spared = self.spared(&to, act);
                Event::Reminded(Reminded { to, act: act.clone(), spared })
            }
            Deed::Marked { phase, statement } => {
                let of = self.memory.statement(phase, *statement).map(|remark| remark.seq);
                Event::Marked { to, by, phase: phase.clone(), statement: *statement, of }
            }
        }
    }

    /// The same; or the place of the phase that needs a value which an expression does not have, and why.
    fn find_next(&self) -> Result<Next<'_>, (usize, String)> {
        let moment = |place, round, step| self.moment(place, round, step);
        let (at, event) = match self.course.stage {
            Stage::Asking => return self.queries().map(Next::Ask),
            Stage::Adjourned(verdict) => return Ok(Next::Adjourned(verdict)),
            Stage::Undefined(place) => return Err((place, self.undefined.clone())),
            Stage::Computing(place, position) => {
                let event = self.compute_value(place, position).map_err(|reason| (place, reason))?;
                (moment(place, 0, Step::Compute), event)
            }
            Stage::Keeping(place, position) => self.keep_texts(place, position),
            Stage::Assigning(place, position) => {
                self.assign_groups(place, position).map_err(|reason| (place, reason))?
            }
            Stage::GroupDone => unreachable!("invariant: a group that is done declares nothing"),
            Stage::Convening => (Moment::outside_phases(Step::Convening), self.convening()),
            Stage::Seating => (Moment::outside_phases(Step::Convening), Event::Seated { seats: self.seated.clone() }),
            Stage::Preparing(position) => {
                let told = self.first_told.iter().flatten().nth(position).expect("invariant: there is one to be told");
                (Moment::outside_phases(Step::Convening), Event::Briefed(told.clone()))
            }
            Stage::Naming => (Moment::outside_phases(Step::Naming), Event::Seated { seats: self.names_to_give() }),
            Stage::Opening(place) => {
                let event = self.open_phase(place).map_err(|reason| (place, reason))?;
                (moment(place, 0, Step::Opening), event)
            }
            Stage::Skipping(place, _, block) => {
                let block = block.map(|block| self.plan.blocks[block].name.clone());
                (moment(place, 0, Step::Opening), Event::PhaseSkipped(PhaseSkipped { block, nobody: false }))
            }
            Stage::SkippingForNobody(place) => {
                (moment(place, 0, Step::Opening), Event::PhaseSkipped(PhaseSkipped { block: None, nobody: true }))
            }
            Stage::EndingLoop(place, block) => (
                moment(place, 0, Step::Closing),
                Event::LoopEnded(LoopEnded { block: self.plan.blocks[block].name.clone() }),
            ),
            Stage::Intervening(place, round, position) => {
                (moment(place, round, Step::Brief), self.make_intervention(place, &self.plan.interventions[position]))
            }
            Stage::Forgetting(place, _) => (moment(place, 0, Step::Brief), self.forget_phase(place)),
            Stage::Briefing(place) => {
                (moment(place, 0, Step::Brief), self.brief(place, None).map_err(|reason| (place, reason))?)
            }
            Stage::BriefingSeat(place, seat) => {
                (moment(place, 0, Step::Brief), self.brief(place, Some(seat)).map_err(|reason| (place, reason))?)
            }
            Stage::Manipulating(place, seat) => (moment(place, 0, Step::Brief), self.manipulation(SeatId(seat as u32))),
            Stage::Ordering(place, round) => {
                let order = self.speaking_order(place, round);
                let order = order.into_iter().map(|seat| self.seat_name(seat).clone()).collect();
                (
                    moment(place, round, Step::Order),
                    Event::RoundOpened(RoundOpened { order, situation: None, multiplier: None }),
                )
            }
            Stage::CountingDown(place, round) => (moment(place, round, Step::Brief), self.countdown(place, round)),
            Stage::Situating(place, round) => {
                (moment(place, round, Step::Situation), self.situation_opened(place, round))
            }
            Stage::Paying(place, round) => {
                let event = match &self.phase(place).kind {
                    PhaseKind::Pay(rule) => self.pay_out(place, rule).map_err(|reason| (place, reason))?,
                    _ => self.payment(place, round),
                };
                (moment(place, round, Step::Payment), event)
            }
            Stage::Counting(place, round) => {
                let at = moment(place, round, Step::Tally);
                let sampled = self.plan.matched.is_some().then(|| self.count_samples(round));
                let report = TallyReport { sampled, ..self.count_vote(&at, place) };
                (at, Event::Tallied(report))
            }
            Stage::Imposing(_) => (Moment::outside_phases(Step::Imposition), self.imposition()),
            Stage::Closing(place, round) => (moment(place, round, Step::Closing), self.closing(place)),
            Stage::Adjourning => (Moment::outside_phases(Step::Adjournment), self.adjournment()),
        };
        Ok(declare(at, event))
    }

    /// All forget what a phase brought, or in a group its members.
    fn forget_phase(&self, place: usize) -> Event {
        let to = match &self.phase(place).group {
            Some(group) => self.gathered(Some(group)).map(|seat| self.seat_name(seat).clone()).collect(),
            None => Vec::new(),
        };
        let act = MemoryAct::Forget { phase: Some(self.phase(place).name.clone()) };
        Event::Reminded(Reminded { to, act, spared: Vec::new() })
    }

    /// It is announced that two rounds remain: to all, or if not all hear the talk, to those who hear it or take part.
    fn countdown(&self, place: usize, round: u32) -> Event {
        let text = self.plan.prompts.notice("countdown", self.rounds_left(place, round));
        let text = text.expect("invariant: templates were rehearsed");
        let to = match &self.course.hearers {
            Some(hearers) => {
                let there: BTreeSet<SeatId> = hearers.iter().copied().chain(self.participants()).collect();
                there.into_iter().map(|seat| self.seat_name(seat).clone()).collect()
            }
            None => Vec::new(),
        };
        Event::Briefed(Briefing::new(text, to))
    }

    fn convening(&self) -> Event {
        Event::Convened(Convened {
            format: FORMAT_VERSION,
            plan: self.plan.digest.clone(),
            arm: self.plan.arm.clone(),
            replicate: self.replicate,
            lender: self.lending.as_ref().map(|lending| lending.lender().clone()),
            windows: self.windows.clone(),
            forms: self.forms.clone(),
            before: self.plan.previous_outcome().map(|before| before.needed.clone()),
            target: self.target.clone(),
            first: self.first.clone(),
            truth: self.dealt.truth.clone(),
        })
    }

    fn closing(&self, place: usize) -> Event {
        let (dropped_remarks, dropped_chars) = self.memory.dropped_statements();
        let reports = (0..).map(SeatId).zip(&self.standing);
        let memory = reports
            .map(|(seat, standing)| {
                let statements = standing.statements.filter(|_| self.is_gathered_at(place, seat));
                MemoryReport { statements, ..self.memory.report(seat) }
            })
            .collect();
        Event::RoundClosed(RoundClosed { dropped_remarks, dropped_chars, memory, convergence: self.convergence(place) })
    }

    fn imposition(&self) -> Event {
        let imposed = self.plan.imposed.expect("invariant: only a plan that says what is imposed imposes it");
        let choice = self.plan.motion.named(imposed);
        let text = notice::imposed_line(&choice, self.plan.motion.tongue());
        let what = Matter::Decision { alternative: choice.alternative, amount: choice.amount };
        Event::Briefed(Briefing { what, ..Briefing::new(text, Vec::new()) })
    }

    fn adjournment(&self) -> Event {
        let decided = self.decided.clone();
        let by_vote = decided.as_ref().filter(|_| !self.is_by_default);
        let rounds_vote =
            self.plan.talk_terms().decides && self.plan.agenda.iter().any(|phase| phase.kind.votes_in_rounds());
        let none = match self.is_short {
            _ if self.is_by_default => Verdict::ByDefault,
            true => Verdict::NoQuorum,
            false => Verdict::NoDecision,
        };
        let (verdict, stop) = match (by_vote, self.votes_held) {
            _ if self.present().next().is_none() => (Verdict::NotApplicable, StopReason::NobodyLeft),
            (Some(_), 0) => (Verdict::Imposed, StopReason::Imposed),
            (Some(_), _) => (Verdict::Carried, StopReason::Decided),
            (None, _) if rounds_vote && self.course.converging.ended_talk => (none, StopReason::Converged),
            (None, _) if rounds_vote => (none, StopReason::RoundsUsedUp),
            (None, 0) if self.course.converging.ended_talk => (Verdict::NotApplicable, StopReason::Converged),
            (None, 0) => (Verdict::NotApplicable, StopReason::AgendaDone),
            (None, _) => (none, StopReason::Undecided),
        };
        Event::Adjourned(Adjourned { verdict, stop, decided })
    }
}

fn declare(at: Moment, event: Event) -> Next<'static> {
    Next::Declare(Box::new(Draft { at, answered: None, event }))
}
