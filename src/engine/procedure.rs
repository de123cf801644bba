//! Where the session goes next: through the agenda, through a phase, through a round.

use std::ops::Range;

use super::asking::Asked;
use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{SeatId, Step};
use crate::memory::Strategy;
use crate::plan::{
    COUNTDOWN, Comprehension, Intervention, Phase, PhaseKind, RoundVotes, SpeakingOrder, TEST_TRIES, TestFailurePolicy,
    VoteCall, VoteEnds, find_regions,
};

impl<'p> Deliberation<'p> {
    /// Goes to a phase, or to the end. Once a discussion has decided, others that vote are left out; before anything is settled, a
    /// decision that is to be imposed is.
    pub(super) fn enter(&mut self, mut place: usize) {
        if let Some((done, way)) = self.course.remembering.take() {
            self.memory.remember_as(None);
            if way == Strategy::Skip {
                self.course.stage = Stage::Forgetting(done, place);
                return;
            }
        }
        loop {
            self.depart_at(place, 0);
            if self.is_over_for_group(place) {
                self.course.stage = Stage::GroupDone;
                return;
            }
            match self.fix_things(place).and_then(|()| self.check_gates(place)) {
                Ok(Some(stage)) => self.course.stage = stage,
                Ok(None) if let Some(region) = self.region_at(place) => self.begin_groups(region),
                Ok(None) if self.enter_phase(place) => {}
                Ok(None) => {
                    // The phase is left out, and the next one may have a condition of its own.
                    self.mark_visited(place);
                    place += 1;
                    continue;
                }
                Err(reason) => self.stop_undefined(place.min(self.plan.agenda.len().saturating_sub(1)), reason),
            }
            return;
        }
    }

    /// The session cannot go on, because an expression that the phase of this place needs has no value.
    pub(super) fn stop_undefined(&mut self, place: usize, reason: String) {
        self.undefined = reason;
        self.course.stage = Stage::Undefined(place);
    }

    /// The same of a phase whose conditions hold, or of the end; `false` if the phase is left out because a discussion has decided,
    /// and the agenda has conditions.
    fn enter_phase(&mut self, place: usize) -> bool {
        let agenda = &self.plan.agenda;
        let is_gated = |phase: &Phase| {
            phase.when.is_some() || phase.who.is_some() || phase.group.is_some() || !phase.within.is_empty()
        };
        let has_gates = agenda.iter().any(is_gated);
        if has_gates && place < agenda.len() && self.is_left_out(place) {
            return false;
        }
        let next = (place..agenda.len()).find(|next| !self.is_left_out(*next));
        let is_settled_next = next.is_none_or(|next| matches!(self.phase(next).kind, PhaseKind::Settle));
        match next {
            _ if is_settled_next && self.plan.imposed.is_some() && self.decided.is_none() => {
                self.course.stage = Stage::Imposing(next.unwrap_or(self.plan.agenda.len()));
            }
            Some(next) => {
                self.depart_at(next, 0);
                self.course.stage = Stage::Opening(next);
            }
            None => self.take_notes(),
        }
        true
    }

    /// Whether a discussion is left out: another one of this pass has decided and it would vote again.
    fn is_left_out(&self, place: usize) -> bool {
        self.phase(place).kind.votes_in_rounds() && self.has_decided_talk(place)
    }

    /// Whether a discussion of the same pass as this phase has decided.
    fn has_decided_talk(&self, place: usize) -> bool {
        self.decided_talk.is_some_and(|talk| self.phase(talk).passes == self.phase(place).passes)
    }

    /// A phase or round has begun: what the author planned for it from this position on is told, then it takes its course.
    pub(super) fn intervene(&mut self, place: usize, round: u32, from: usize) {
        let phase = self.phase(place);
        let planned = self.plan.interventions.iter().skip(from);
        let is_due =
            |told: &Intervention| told.round == round && told.is_in(phase) && self.is_for_somebody(place, told);
        let due = planned.enumerate().find(|(_, told)| is_due(told));
        match due {
            Some((ahead, _)) => self.course.stage = Stage::Intervening(place, round, from + ahead),
            None if round == 0 => self.begin(place),
            None => self.begin_round(place, round),
        }
    }

    /// Whether somebody in the group of a place is concerned by an intervention; true outside groups.
    fn is_for_somebody(&self, place: usize, told: &Intervention) -> bool {
        let is_for = |seat: &SeatId| told.is_for(self.seat_name(*seat));
        self.phase(place).group.is_none() || self.gathered_at(place).iter().any(is_for)
    }

    fn begin(&mut self, place: usize) {
        match &self.phase(place).kind {
            PhaseKind::Brief { live: Some(live), .. } if live.is_personal => self.brief_from(place, 0),
            PhaseKind::Brief { .. } => self.course.stage = Stage::Briefing(place),
            PhaseKind::Ask { .. } => self.ask_participants(place, 0, Step::StrawPoll),
            PhaseKind::Form(form) if form.may_be_empty() => self.ask_about_seats(place, form),
            PhaseKind::Form(_) => self.ask_participants(place, 0, Step::Ask),
            PhaseKind::Ranking => self.ask_participants(place, 0, Step::Ranking),
            PhaseKind::Comprehension(_) => self.ask_participants(place, 1, Step::Comprehension),
            PhaseKind::Applications => self.practise(place, 1),
            PhaseKind::Discussion(_) => self.manipulate(place, 0),
            PhaseKind::Vote(_) => self.begin_ballot(place, self.first_sample()),
            PhaseKind::Settle | PhaseKind::Pay(_) => self.course.stage = Stage::Paying(place, 0),
            PhaseKind::Compute(_) => self.compute_from(place, 0),
            PhaseKind::Assign(_) => self.assign_from(place, 0),
        }
    }

    /// Tells the next manipulator what to push, or opens the first round.
    pub(super) fn manipulate(&mut self, place: usize, from: usize) {
        self.course.stage = match self.next_manipulator(from) {
            Some(seat) => Stage::Manipulating(place, seat),
            None => return self.begin_order(place, 1),
        };
    }

    /// Begins a phase (round 0) or a round by the plan of a fork, if it departs from its parent there.
    fn depart_at(&mut self, place: usize, round: u32) {
        let agenda = &self.plan.agenda;
        let departed = self.departure.as_mut().and_then(|departure| departure.depart_at(agenda, place, round));
        if let Some(after) = departed {
            self.plan = after;
            self.regions = find_regions(&after.agenda);
        }
    }

    /// Draws the speaking order of a round; where seats volunteer, they are asked first.
    fn begin_order(&mut self, place: usize, round: u32) {
        self.depart_at(place, round);
        self.course.stage = Stage::Ordering(place, round);
        if self.discussion(place).order == SpeakingOrder::Volunteer {
            for seat in self.gathered_at(place) {
                self.standing[seat.index()].urgency = None;
            }
            self.ask_participants(place, round, Step::Volunteer);
        }
    }

    fn practise(&mut self, place: usize, round: u32) {
        self.depart_at(place, round);
        if (round as usize) <= self.mechanism().applications.len() {
            self.course.stage = Stage::Situating(place, round);
        } else {
            self.enter(place + 1);
        }
    }

    fn begin_round(&mut self, place: usize, round: u32) {
        match self.phase(place).kind {
            PhaseKind::Applications => self.ask_participants(place, round, Step::Application),
            _ if self.discussion(place).announce_end && self.rounds_left(place, round) == COUNTDOWN => {
                self.course.stage = Stage::CountingDown(place, round);
            }
            _ => self.next_turn(place, round, 0),
        }
    }

    /// The rounds of a discussion that are left, with the one that opens.
    pub(super) fn rounds_left(&self, place: usize, round: u32) -> u32 {
        self.discussion(place).rounds.get() - round + 1
    }

    /// Asks the next to think or speak, after this many have spoken; or goes on to what closes the round.
    pub(super) fn next_turn(&mut self, place: usize, round: u32, spoken: usize) {
        let discussion = self.discussion(place);
        if spoken < self.course.order.len() {
            let thinks = |seat: &SeatId| self.plan.seats[seat.index()].thinks_before(discussion);
            let is_thought = self.whose_turn(place, spoken).iter().any(thinks);
            let step = if is_thought { Step::Reasoning } else { Step::Statement };
            self.ask_to_speak(place, round, spoken, step);
        } else if discussion.poll_each_round {
            self.ask_participants(place, round, Step::StrawPoll);
        } else {
            self.vote_or_finish(place, round);
        }
    }

    /// Asks those whose turn it is to speak, or of these all who think privately before they speak.
    fn ask_to_speak(&mut self, phase: usize, round: u32, spoken: usize, step: Step) {
        let asked = Asked { phase, round, turn: spoken as u32 + 1, step };
        let now = self.whose_turn(phase, spoken).to_vec();
        let (talk, seats) = (self.discussion(phase), &self.plan.seats);
        let is_asked = |seat: SeatId| step == Step::Statement || seats[seat.index()].thinks_before(talk);
        self.course.asking.begin_if(asked, now, is_asked);
        self.course.stage = Stage::Asking;
    }

    /// Whose turn it is to speak after this many have spoken: one seat, or all of them at once.
    fn whose_turn(&self, phase: usize, spoken: usize) -> &[SeatId] {
        match self.discussion(phase).order {
            SpeakingOrder::Simultaneous => self.course.order.as_slice(),
            _ => &self.course.order[spoken..=spoken],
        }
    }

    /// Asks every seat that takes part.
    pub(super) fn ask_participants(&mut self, phase: usize, round: u32, step: Step) {
        let members: Vec<SeatId> = self.asked_at(step).collect();
        self.ask_some(phase, round, step, members);
    }

    pub(super) fn ask_some(&mut self, phase: usize, round: u32, step: Step, members: Vec<SeatId>) {
        let asked = Asked { phase, round, turn: 0, step };
        if members.is_empty() {
            // Everyone was excluded: what is asked of nobody is done.
            self.course.asking.what = Some(asked);
            return self.proceed();
        }
        self.course.asking.begin(asked, members);
        self.course.stage = Stage::Asking;
    }

    fn vote_or_finish(&mut self, place: usize, round: u32) {
        match self.discussion(place).votes {
            RoundVotes::EveryRound => self.begin_ballot(place, round),
            RoundVotes::OnCall { rounds_min, call } if round >= rounds_min => {
                self.begin_call(place, round);
                match call {
                    VoteCall::Simultaneous => self.ask_participants(place, round, Step::VoteCall),
                    VoteCall::Sequential => self.ask_next_caller(place, round),
                }
            }
            RoundVotes::OnCall { .. } | RoundVotes::Never => self.finish(place, round),
        }
    }

    fn ask_next_caller(&mut self, place: usize, round: u32) {
        match self.course.vote.uncalled.pop() {
            Some(seat) => self.ask_some(place, round, Step::VoteCall, vec![seat]),
            None => self.finish(place, round),
        }
    }

    fn begin_ballot(&mut self, place: usize, round: u32) {
        match self.open_vote(place) {
            Ok(vote) => self.course.vote = vote,
            Err(reason) => return self.stop_undefined(place, reason),
        }
        let terms = self.vote_terms(place);
        let is_binding = terms.is_binding || self.plan.reads_value(self.phase(place).name.written());
        (self.course.vote.electorate, self.course.vote.is_binding) = (self.count_electorate(&terms), is_binding);
        if !self.begin_unopposed(place, round) {
            self.begin_sample(place, round);
        }
    }

    /// Goes on after an ask.
    pub(super) fn proceed(&mut self) {
        let Asked { phase, round, turn, step } = self.asked();
        match step {
            Step::Ranking => self.finish(phase, 0),
            Step::Ask => self.keep_from(phase, 0),
            Step::Comprehension => self.after_test(phase, round),
            Step::Application => self.course.stage = Stage::Paying(phase, round),
            Step::Volunteer => self.course.stage = Stage::Ordering(phase, round),
            Step::Reasoning => self.ask_to_speak(phase, round, turn as usize - 1, Step::Statement),
            Step::Statement => {
                let spoken = (turn as usize).max(self.course.asking.members.len());
                self.next_turn(phase, round, spoken);
            }
            Step::StrawPoll if round == 0 => self.finish(phase, 0),
            Step::StrawPoll => self.vote_or_finish(phase, round),
            Step::VoteCall => self.after_call(phase, round),
            Step::Confirmation if self.course.vote.is_declined => self.finish(phase, round),
            Step::Confirmation => self.begin_ballot(phase, round),
            Step::Ballot => match self.without_amount() {
                lacking if lacking.is_empty() => self.after_ballots(phase, round),
                lacking => self.ask_some(phase, round, Step::Amount, lacking),
            },
            Step::Amount => self.after_ballots(phase, round),
            Step::Naming => self.after_naming(turn),
            Step::Notes => self.probe(),
            Step::Recognition => self.course.stage = Stage::Adjourning,
            Step::Integration => self.compress(phase, round),
            Step::Compression => match self.reminding {
                Some(position) => self.shorten(phase, round, position),
                None => self.compress(phase, round),
            },
            other => unreachable!("invariant: seats are never asked at the step {other:?}"),
        }
    }

    fn after_test(&mut self, place: usize, round: u32) {
        let failed: Vec<SeatId> =
            self.participants().filter(|seat| self.standing[seat.index()].passed == Some(false)).collect();
        if round < TEST_TRIES && !failed.is_empty() {
            self.ask_some(place, round + 1, Step::Comprehension, failed);
            return;
        }
        if self.comprehension_test(place).failing == TestFailurePolicy::Excludes {
            for seat in failed {
                self.standing[seat.index()].is_excluded = true;
                self.taking_part -= 1;
            }
        }
        if self.present().next().is_none() {
            self.course.stage = Stage::Adjourning;
            return;
        }
        self.finish(place, 0);
    }

    fn after_call(&mut self, place: usize, round: u32) {
        if self.course.vote.caller.is_none() {
            let RoundVotes::OnCall { call: VoteCall::Sequential, .. } = self.discussion(place).votes else {
                return self.finish(place, round);
            };
            return self.ask_next_caller(place, round);
        }
        // Whoever called a vote has agreed to it.
        let others: Vec<SeatId> =
            self.asked_at(Step::Confirmation).filter(|seat| !self.course.vote.callers[seat.index()]).collect();
        self.ask_some(place, round, Step::Confirmation, others);
    }

    /// Ends a round, or a phase's part outside rounds: first the memories are put in order.
    pub(super) fn finish(&mut self, place: usize, round: u32) {
        if self.questions_follow(place, round) {
            let mut due = self.gathered_at(place);
            due.retain(|seat| self.memory.integration_due(*seat).is_some());
            if !due.is_empty() {
                return self.ask_some(place, round, Step::Integration, due);
            }
        }
        self.compress(place, round);
    }

    /// Has memories made shorter, part by part as far as they do not fit as wholes.
    fn compress(&mut self, place: usize, round: u32) {
        let mut due = self.gathered_at(place);
        due.retain(|seat| self.memory.compression_due(*seat).is_some());
        match self.questions_follow(place, round) && !due.is_empty() {
            true => self.ask_to_shorten(place, round, due),
            false => self.close(place, round),
        }
    }

    /// The same at the beginning of a phase or round, because an intervention demands it; then it goes on.
    pub(super) fn shorten(&mut self, place: usize, round: u32, position: usize) {
        let mut due = self.gathered_at(place);
        due.retain(|seat| self.memory.is_demanded(*seat));
        if due.is_empty() {
            self.reminding = None;
            return self.intervene(place, round, position + 1);
        }
        self.reminding = Some(position);
        self.ask_to_shorten(place, round, due);
    }

    /// Asks for one part; the parts of a phase and round are numbered.
    fn ask_to_shorten(&mut self, phase: usize, round: u32, seats: Vec<SeatId>) {
        let turn = match self.course.shortened {
            (in_phase, in_round, parts) if (in_phase, in_round) == (phase, round) => parts,
            _ => 0,
        };
        self.course.shortened = (phase, round, turn + 1);
        self.course.asking.begin(Asked { phase, round, turn, step: Step::Compression }, seats);
        self.course.stage = Stage::Asking;
    }

    fn close(&mut self, place: usize, round: u32) {
        match self.phase(place).kind {
            PhaseKind::Discussion(_) => self.course.stage = Stage::Closing(place, round),
            PhaseKind::Applications => self.practise(place, round + 1),
            PhaseKind::Vote(_) => self.leave_vote(place),
            _ => self.enter(place + 1),
        }
    }

    /// Leaves a vote, and what its decision ends.
    fn leave_vote(&mut self, place: usize) {
        match (self.ends_here(place), self.phase(place).within.last()) {
            (VoteEnds::Block, Some(block)) => self.course.stage = Stage::EndingLoop(place, *block),
            _ => self.enter(self.place_after(place)),
        }
    }

    /// What has ended because a vote decided.
    fn ends_here(&self, place: usize) -> VoteEnds {
        let has_decided = self.held_votes.get(&place).is_some_and(|vote| vote.report.decided.is_some());
        let vote = self.phase(place).kind.as_vote().filter(|_| has_decided);
        vote.map_or(VoteEnds::Nothing, |vote| vote.ends)
    }

    /// The position that follows a phase, if nothing after it is left out.
    fn place_after(&self, place: usize) -> usize {
        match (self.ends_here(place), self.phase(place).within.last()) {
            (VoteEnds::Block, Some(block)) => self.plan.blocks[*block].end,
            (VoteEnds::Session, _) => self.plan.agenda.len(),
            _ => place + 1,
        }
    }

    /// # Panics
    /// When the phase is no comprehension test.
    pub(super) fn comprehension_test(&self, place: usize) -> &'p Comprehension {
        match &self.phase(place).kind {
            PhaseKind::Comprehension(test) => test,
            _ => unreachable!("invariant: tests belong to their phase"),
        }
    }

    /// A discussion's round has closed, with statements that are so much alike.
    pub(super) fn after_round(&mut self, place: usize, round: u32, convergence: Option<u32>) {
        let is_open = !self.is_left_out(place) && round < self.discussion(place).rounds.get();
        let is_alike = self.discussion(place).convergence.is_some_and(|asked| asked.ends_talk(convergence));
        match self.ends_after(place, round) {
            Err(reason) => self.stop_undefined(place, reason),
            Ok(is_over) if is_open && !is_alike && !is_over => self.begin_order(place, round + 1),
            Ok(_) => {
                self.course.converging.ended_talk |= is_open && is_alike;
                if !self.is_left_out(place) && self.discussion(place).votes_in_rounds() {
                    self.undecided_talk = Some(place);
                    self.decide_by_default(place);
                }
                self.enter(place + 1);
            }
        }
    }

    /// Discussions of these positions are left out. If the last of a pass is among them, an earlier one that did not decide has the last
    /// word, and its default holds.
    pub(super) fn default_where_left_out(&mut self, places: Range<usize>) {
        for place in places {
            let is_next = |talk: usize| self.plan.votes_in_same_pass(talk, place) && !self.has_decided_talk(place);
            if self.undecided_talk.is_some_and(is_next) {
                self.decide_by_default(place);
            }
        }
    }

    /// Decides by default where a discussion was the last to vote.
    fn decide_by_default(&mut self, place: usize) {
        if let Some(default) = self.default_after(place) {
            (self.decided, self.is_by_default) = (Some(default), true);
        }
    }

    /// How alike the round's statements are, in millionths; `None` where the plan does not ask, or fewer than two seats spoke.
    pub(super) fn convergence(&self, place: usize) -> Option<u32> {
        self.course.converging.measure(self.discussion(place).convergence?.profile)
    }

    /// Whether the talk ends because its statements have become alike, seen from within the round that would be its last.
    pub(super) fn stops_here(&self, place: usize) -> bool {
        let asked = self.discussion(place).convergence;
        asked.is_some_and(|asked| asked.ends_talk(self.convergence(place)))
    }

    /// Whether any seat will be asked anything after this part. A memory that nobody will read again is left as it is.
    fn questions_follow(&self, place: usize, round: u32) -> bool {
        let continues = match &self.phase(place).kind {
            PhaseKind::Discussion(discussion) => {
                let is_over = self.stops_here(place) || self.ends_after(place, round) == Ok(true);
                !self.is_left_out(place) && round < discussion.rounds.get() && !is_over
            }
            PhaseKind::Applications => (round as usize) < self.mechanism().applications.len(),
            _ => false,
        };
        let asks = |place: usize| match &self.phase(place).kind {
            PhaseKind::Brief { .. }
            | PhaseKind::Settle
            | PhaseKind::Compute(_)
            | PhaseKind::Pay(_)
            | PhaseKind::Assign(_) => false,
            PhaseKind::Applications => !self.mechanism().applications.is_empty(),
            PhaseKind::Discussion(discussion) => !discussion.votes_in_rounds() || !self.has_decided_talk(place),
            PhaseKind::Vote(_)
            | PhaseKind::Ask { .. }
            | PhaseKind::Form(_)
            | PhaseKind::Ranking
            | PhaseKind::Comprehension(_) => true,
        };
        // A seat of one group is asked nothing in the others beside it.
        let own = self.phase(place).group.as_ref();
        let is_elsewhere = |next: usize| {
            let group = self.phase(next).group.as_ref();
            own.zip(group).is_some_and(|(own, group)| own.region == group.region && own.number != group.number)
        };
        let mut next = self.place_after(place)..self.plan.agenda.len();
        continues || self.plan.takes_notes() || next.any(|next| !is_elsewhere(next) && asks(next))
    }
}
