//! The relations of a plan to other arms: lender, matched arm and null.

use super::{NullStart, Phase, PhaseKind, Plan, session_name};
use crate::domain::{PhaseName, PollTime};

impl Plan {
    /// The name of the session that lends its statements: in the lending arm, with the same item and wave, and the other
    /// replicate of the pair. `None` if seats hear their own group.
    pub fn lender_of(&self, replicate: u32) -> Option<String> {
        let replicate = self.drawn_replicate(replicate);
        let partner = if replicate % 2 == 1 { replicate + 1 } else { replicate - 1 };
        Some(self.session_of_arm(&self.lender.as_ref()?.name, partner))
    }

    /// The name of a session of another arm, with the same item and wave.
    fn session_of_arm(&self, arm: &str, replicate: u32) -> String {
        session_name(arm, self.item.as_deref(), replicate, self.wave.as_ref().map(|wave| wave.number))
    }

    /// Whether a replay recomputes the session and everything that it shows.
    pub fn is_recomputed(&self) -> bool {
        let other = self.matched.as_ref().map(|matched| matched.plan.is_recomputed());
        let begins = self.null.as_ref().is_none_or(|null| null.begins != NullStart::AsRecorded);
        let is_shown = self.lender.as_ref().is_none_or(|lender| lender.is_simulated);
        self.is_simulated() && is_shown && begins && other != Some(false)
    }

    /// The name of the session to which votes are matched, with the same item, wave and replicate; `None` if votes are held once.
    pub fn matched_to(&self, replicate: u32) -> Option<String> {
        Some(self.session_of_arm(&self.matched.as_ref()?.plan.arm, self.drawn_replicate(replicate)))
    }

    /// The phases of private polls before the talk.
    pub fn polls_before(&self) -> Vec<PhaseName> {
        let before_talk = self.agenda.iter().take_while(|phase| !matches!(phase.kind, PhaseKind::Discussion(_)));
        let polls = before_talk.filter(|phase| matches!(phase.kind, PhaseKind::Ask { time: PollTime::Before }));
        polls.map(|phase| phase.name.clone()).collect()
    }

    /// The phases of private polls after the talk.
    pub fn polls_after(&self) -> Vec<PhaseName> {
        let polls = self.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Ask { time: PollTime::After }));
        polls.map(|phase| phase.name.clone()).collect()
    }

    /// When the form at a place counts like a straw poll: before the first talk, or after the last one. Without a talk, the first form that
    /// measures something counts as before, and the last as after. `None` of other forms, and in groups.
    pub fn find_measuring_time(&self, place: usize) -> Option<PollTime> {
        let measures = |phase: &Phase| {
            phase.group.is_none() && matches!(&phase.kind, PhaseKind::Form(form) if !form.measures.is_empty())
        };
        if !measures(&self.agenda[place]) {
            return None;
        }
        let places = |is_it: &dyn Fn(&Phase) -> bool| -> Option<(usize, usize)> {
            let mut all = (0..self.agenda.len()).filter(|place| is_it(&self.agenda[*place]));
            let first = all.next()?;
            Some((first, all.last().unwrap_or(first)))
        };
        match places(&|phase| matches!(phase.kind, PhaseKind::Discussion(_))) {
            Some((first, _)) if place < first => Some(PollTime::Before),
            Some((_, last)) if place > last => Some(PollTime::After),
            Some(_) => None,
            None => match places(&measures) {
                Some((first, _)) if place == first => Some(PollTime::Before),
                Some((_, last)) if place == last => Some(PollTime::After),
                _ => None,
            },
        }
    }

    /// Whether its seats start without answers from another session.
    pub fn begins_anew(&self) -> bool {
        self.null.as_ref().is_none_or(|null| null.begins == NullStart::Anew)
    }

    /// The name of the session whose answers its seats start from, with the same item, wave and replicate; `None` without one.
    pub fn begins_with(&self, replicate: u32) -> Option<String> {
        let null = self.null.as_ref().filter(|_| !self.begins_anew())?;
        Some(self.session_of_arm(&null.of, self.drawn_replicate(replicate)))
    }
}
