//! The proposals and the summary of a talk: one version for everyone who remembers all of it, and one for each set of forgotten
//! statements.
//!
//! Each mark refers to a proposal that was found when the mark was made, from everything heard. A mark has no effect in a version
//! that forgot its proposal.

use std::collections::BTreeMap;

use super::floor::Floor;
use super::{MarkedStatement, MemoryPlan, Proposals, RemarkHeader, TalkStanding};
use crate::domain::{Choice, Marked, Motion, Number, Ranges};

/// A talk as some seats remember it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardTalk {
    /// The proposals and their state.
    pub proposals: Proposals,
    /// The summary in words; `None` if the policy does not show it.
    pub standing: Option<TalkStanding>,
}

/// All versions of a session's talk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkVersions {
    /// The version that forgot nothing.
    pub whole: HeardTalk,
    /// The marks of statements by position on the floor, and the number of participating seats less one.
    marks: BTreeMap<usize, (Vec<Marked>, u32)>,
    /// The versions without these positions on the floor.
    without: Vec<(Ranges, HeardTalk)>,
}

impl HeardTalk {
    /// A talk without statements.
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        Self { proposals: Proposals::default(), standing: TalkStanding::new(plan, motion) }
    }

    /// Adds a statement at a position on the floor. An announcement changes nothing.
    pub fn add_statement(&mut self, said: RemarkHeader, place: usize, public_name: &str, stance: Option<Choice>) {
        if let Some(standing) = &mut self.standing {
            standing.add_statement(said, place, public_name, stance);
        }
    }

    /// Adds the marks of a statement; `others` is the number of participating seats less one.
    pub fn add_marks(&mut self, stated: MarkedStatement, text: &str, marks: &[Marked], others: u32) {
        self.proposals.apply_marks(stated, marks, others);
        if let Some(standing) = &mut self.standing {
            standing.add_marks(stated, text, marks);
        }
    }

    /// Updates the wording of the summary.
    pub fn update_words(&mut self) {
        if let Some(standing) = &mut self.standing {
            standing.update_words(&self.proposals);
        }
    }

    /// An empty talk with these settings.
    #[must_use]
    pub fn empty_copy(&self) -> Self {
        Self { proposals: Proposals::default(), standing: self.standing.as_ref().map(TalkStanding::empty_copy) }
    }
}

impl TalkVersions {
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        Self { whole: HeardTalk::new(plan, motion), marks: BTreeMap::new(), without: Vec::new() }
    }

    /// The version without these positions on the floor.
    pub fn talk_without(&self, forgotten: &Ranges) -> &HeardTalk {
        let found = self.without.iter().find(|(other, _)| other == forgotten);
        found.map_or(&self.whole, |(_, talk)| talk)
    }

    /// Adds a statement to all versions; nobody has forgotten it yet.
    pub fn add_statement(&mut self, said: RemarkHeader, place: usize, public_name: &str, stance: Option<Choice>) {
        if said.speaker.is_none() {
            return;
        }
        for talk in self.all_talks() {
            talk.add_statement(said, place, public_name, stance);
            talk.update_words();
        }
    }

    /// Adds marks to all versions.
    pub fn add_marks(&mut self, stated: MarkedStatement, text: &str, marks: &[Marked], others: u32) {
        self.marks.insert(stated.place, (marks.to_vec(), others));
        for talk in self.all_talks() {
            talk.add_marks(stated, text, marks, others);
            talk.update_words();
        }
    }

    fn all_talks(&mut self) -> impl Iterator<Item = &mut HeardTalk> {
        std::iter::once(&mut self.whole).chain(self.without.iter_mut().map(|(_, talk)| talk))
    }

    /// Adds a version without these positions on the floor, unless it exists. Costs O(remarks).
    pub fn add_version(&mut self, floor: &Floor, forgotten: &Ranges) {
        if self.without.iter().any(|(other, _)| other == forgotten) {
            return;
        }
        let mut talk = self.whole.empty_copy();
        for (place, remark) in floor.remarks.iter().enumerate().filter(|(place, _)| !forgotten.holds(*place)) {
            let Some(seat) = remark.speaker else { continue };
            let (seq, round, turn, stance) = (remark.seq, remark.round, remark.turn, remark.stance);
            let name = self.whole.standing.as_ref().map_or("", |standing| standing.public_name(seat));
            talk.add_statement(RemarkHeader { seq, round, turn, speaker: Some(seat) }, place, name, stance);
            if let Some((marks, others)) = self.marks.get(&place) {
                let stated = MarkedStatement { seq, number: Number { round, turn }, seat, place, stance };
                talk.add_marks(stated, &remark.text, marks, *others);
            }
        }
        talk.update_words();
        self.without.push((forgotten.clone(), talk));
    }
}
