//! The proposals of a talk and where it stands: as everyone has heard it, and as those remember it who were made to forget some of
//! it. Who forgot the same shares one account, which is folded once from what is left and then goes on like any other.
//!
//! What a mark means was found when it was made, by what everyone had heard; a mark whose proposal is forgotten counts for nothing.

use std::collections::BTreeMap;

use super::floor::Floor;
use super::{MarkedStatement, Memory, MemoryPlan, Proposals, RemarkHeader, TalkStanding};
use crate::domain::{Choice, Marked, Motion, Number, Ranges, SeatId};

/// A talk, as far as it was heard and is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardTalk {
    proposals: Proposals,
    /// In words, under a policy that tells it.
    standing: Option<TalkStanding>,
}

/// The talk of one session as some have heard it, for whoever has forgotten nothing and for all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkVersions {
    whole: HeardTalk,
    /// The marks of statements by their positions on the floor, and how many seats took part then beside any one.
    marks: BTreeMap<usize, (Vec<Marked>, u32)>,
    /// What is left to seats that were made to forget these positions.
    without: Vec<(Ranges, HeardTalk)>,
}

impl HeardTalk {
    /// Nothing was said.
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        Self { proposals: Proposals::default(), standing: TalkStanding::new(plan, motion) }
    }

    /// A statement is heard that stands at this position on the floor. An announcement changes nothing.
    pub fn add_statement(&mut self, said: RemarkHeader, place: usize, public_name: &str, stance: Option<Choice>) {
        if let Some(standing) = &mut self.standing {
            standing.add_statement(said, place, public_name, stance);
        }
    }

    /// A statement that was heard carries these marks; `others` are the seats that take part beside any one.
    pub fn add_marks(&mut self, stated: MarkedStatement, text: &str, marks: &[Marked], others: u32) {
        self.proposals.apply_marks(stated, marks, others);
        if let Some(standing) = &mut self.standing {
            standing.add_marks(stated, text, marks);
        }
    }

    /// Puts what was heard and marked since into words.
    pub fn update_words(&mut self) {
        if let Some(standing) = &mut self.standing {
            standing.update_words(&self.proposals);
        }
    }

    /// The proposals, and how they stand.
    pub fn proposals(&self) -> &Proposals {
        &self.proposals
    }

    /// Where it stands; `None` under a policy that does not tell it.
    pub fn standing(&self) -> Option<&TalkStanding> {
        self.standing.as_ref()
    }

    /// The same of which nothing was heard yet.
    #[must_use]
    pub fn empty_copy(&self) -> Self {
        Self { proposals: Proposals::default(), standing: self.standing.as_ref().map(TalkStanding::empty_copy) }
    }
}

impl TalkVersions {
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        Self { whole: HeardTalk::new(plan, motion), marks: BTreeMap::new(), without: Vec::new() }
    }

    /// As everyone has heard it.
    pub fn full_talk(&self) -> &HeardTalk {
        &self.whole
    }

    /// What is left of it without these positions on the floor.
    pub fn talk_without(&self, forgotten: &Ranges) -> &HeardTalk {
        let found = self.without.iter().find(|(other, _)| other == forgotten);
        found.map_or(&self.whole, |(_, talk)| talk)
    }

    /// See [`Talk::hear`]: everyone hears it, and nobody was made to forget it yet.
    pub fn add_statement(&mut self, said: RemarkHeader, place: usize, public_name: &str, stance: Option<Choice>) {
        if said.speaker.is_none() {
            return;
        }
        for talk in self.all_talks() {
            talk.add_statement(said, place, public_name, stance);
            talk.update_words();
        }
    }

    /// See [`Talk::mark`].
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

    /// Some seat remembers the talk without these positions on the floor. Costs what was said so far, once for all such seats.
    pub fn add_version(&mut self, floor: &Floor, forgotten: &Ranges) {
        if self.without.iter().any(|(other, _)| other == forgotten) {
            return;
        }
        let mut talk = self.whole.empty_copy();
        for (place, remark) in floor.remarks().iter().enumerate().filter(|(place, _)| !forgotten.holds(*place)) {
            let Some(seat) = remark.speaker else { continue };
            let (seq, round, turn, stance) = (remark.seq, remark.round, remark.turn, remark.stance);
            let name = self.whole.standing().map_or("", |standing| standing.public_name(seat));
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

impl Memory {
    /// The talk as a seat remembers it.
    pub(super) fn talk(&self, seat: SeatId) -> &HeardTalk {
        match self.forgotten_places(seat) {
            Some(forgotten) => self.talk_versions(seat).talk_without(&forgotten),
            None => self.talk_versions(seat).full_talk(),
        }
    }

    /// The positions on the floor that a seat was made to forget; `None` where it forgot nothing.
    pub(super) fn forgotten_places(&self, seat: SeatId) -> Option<Ranges> {
        let own = &self.seats[seat.index()];
        let lapses = &own.lapses().floor;
        (own.forgotten_until() > 0 || lapses.count() > 0).then(|| {
            let mut forgotten = lapses.clone();
            forgotten.add(0..own.forgotten_until());
            forgotten
        })
    }
}
