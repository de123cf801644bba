//! The proposals of a talk and where it stands: as everyone has heard it, and as those remember it who were made to forget some of
//! it. Who forgot the same shares one account, which is folded once from what is left and then goes on like any other.
//!
//! What a mark means was found when it was made, by what everyone had heard; a mark whose proposal is forgotten counts for nothing.

use std::collections::BTreeMap;

use super::floor::Floor;
use super::{Memory, MemoryPlan, Proposals, Said, Standing, Stated};
use crate::domain::{Choice, Marked, Motion, Number, Ranges, SeatId};

/// A talk, as far as it was heard and is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Talk {
    proposals: Proposals,
    /// In words, under a policy that tells it.
    standing: Option<Standing>,
}

/// The talk of one session as some have heard it, for whoever has forgotten nothing and for all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Talks {
    whole: Talk,
    /// The marks of statements by their positions on the floor, and how many seats took part then beside any one.
    marks: BTreeMap<usize, (Vec<Marked>, u32)>,
    /// What is left to seats that were made to forget these positions.
    without: Vec<(Ranges, Talk)>,
}

impl Talk {
    /// Nothing was said.
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        Self { proposals: Proposals::default(), standing: Standing::new(plan, motion) }
    }

    /// A statement is heard that stands at this position on the floor. An announcement changes nothing.
    pub fn hear(&mut self, said: Said, place: usize, public_name: &str, stance: Option<Choice>) {
        if let Some(standing) = &mut self.standing {
            standing.hear(said, place, public_name, stance);
        }
    }

    /// A statement that was heard carries these marks; `others` are the seats that take part beside any one.
    pub fn mark(&mut self, stated: Stated, text: &str, marks: &[Marked], others: u32) {
        self.proposals.take(stated, marks, others);
        if let Some(standing) = &mut self.standing {
            standing.mark(stated, text, marks);
        }
    }

    /// Puts what was heard and marked since into words.
    pub fn tell(&mut self) {
        if let Some(standing) = &mut self.standing {
            standing.tell(&self.proposals);
        }
    }

    /// The proposals, and how they stand.
    pub fn proposals(&self) -> &Proposals {
        &self.proposals
    }

    /// Where it stands; `None` under a policy that does not tell it.
    pub fn standing(&self) -> Option<&Standing> {
        self.standing.as_ref()
    }

    /// The same of which nothing was heard yet.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self { proposals: Proposals::default(), standing: self.standing.as_ref().map(Standing::anew) }
    }
}

impl Talks {
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        Self { whole: Talk::new(plan, motion), marks: BTreeMap::new(), without: Vec::new() }
    }

    /// As everyone has heard it.
    pub fn whole(&self) -> &Talk {
        &self.whole
    }

    /// What is left of it without these positions on the floor.
    pub fn without(&self, forgotten: &Ranges) -> &Talk {
        let found = self.without.iter().find(|(other, _)| other == forgotten);
        found.map_or(&self.whole, |(_, talk)| talk)
    }

    /// See [`Talk::hear`]: everyone hears it, and nobody was made to forget it yet.
    pub fn hear(&mut self, said: Said, place: usize, public_name: &str, stance: Option<Choice>) {
        if said.speaker.is_none() {
            return;
        }
        for talk in self.all() {
            talk.hear(said, place, public_name, stance);
            talk.tell();
        }
    }

    /// See [`Talk::mark`].
    pub fn mark(&mut self, stated: Stated, text: &str, marks: &[Marked], others: u32) {
        self.marks.insert(stated.place, (marks.to_vec(), others));
        for talk in self.all() {
            talk.mark(stated, text, marks, others);
            talk.tell();
        }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Talk> {
        std::iter::once(&mut self.whole).chain(self.without.iter_mut().map(|(_, talk)| talk))
    }

    /// Some seat remembers the talk without these positions on the floor. Costs what was said so far, once for all such seats.
    pub fn forget(&mut self, floor: &Floor, forgotten: &Ranges) {
        if self.without.iter().any(|(other, _)| other == forgotten) {
            return;
        }
        let mut talk = self.whole.anew();
        for (place, remark) in floor.remarks().iter().enumerate().filter(|(place, _)| !forgotten.holds(*place)) {
            let Some(seat) = remark.speaker else { continue };
            let (seq, round, turn, stance) = (remark.seq, remark.round, remark.turn, remark.stance);
            let name = self.whole.standing().map_or("", |standing| standing.name(seat));
            talk.hear(Said { seq, round, turn, speaker: Some(seat) }, place, name, stance);
            if let Some((marks, others)) = self.marks.get(&place) {
                let stated = Stated { seq, number: Number { round, turn }, seat, place, stance };
                talk.mark(stated, &remark.text, marks, *others);
            }
        }
        talk.tell();
        self.without.push((forgotten.clone(), talk));
    }
}

impl Memory {
    /// The talk as a seat remembers it.
    pub(super) fn talk(&self, seat: SeatId) -> &Talk {
        match self.forgotten(seat) {
            Some(forgotten) => self.talks(seat).without(&forgotten),
            None => self.talks(seat).whole(),
        }
    }

    /// The positions on the floor that a seat was made to forget; `None` where it forgot nothing.
    pub(super) fn forgotten(&self, seat: SeatId) -> Option<Ranges> {
        let own = &self.seats[seat.index()];
        let lapses = &own.lapses().floor;
        (own.forgotten() > 0 || lapses.count() > 0).then(|| {
            let mut forgotten = lapses.clone();
            forgotten.add(0..own.forgotten());
            forgotten
        })
    }
}
