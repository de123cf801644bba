//! Another group's words in the place of this one's: which statement stands where, and how long it is.
//!
//! Who speaks, and when, is this group's; what is heard of it is the other's.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::asking::Declared;
use crate::domain::{Donor, Motion, Needed, PhaseName};
use crate::text;

/// The statements of another session, as they are shown in this one.
#[derive(Debug, Clone)]
pub struct Lending {
    donor: Arc<Donor>,
    /// Where the statement of a coordinate stands.
    places: Arc<BTreeMap<(PhaseName, u32, u32), usize>>,
    /// How many statements stood so far where the other session has none.
    unmatched: usize,
}

impl Lending {
    pub fn of(donor: Donor) -> Self {
        let coordinates = donor.statements.iter().map(|lent| (lent.phase.clone(), lent.round, lent.turn));
        let places = Arc::new(coordinates.zip(0..).collect());
        Self { donor: Arc::new(donor), places, unmatched: 0 }
    }

    pub fn lender(&self) -> &Needed {
        &self.donor.lender
    }

    pub fn donor(&self) -> &Donor {
        &self.donor
    }

    /// What is heard in the place of a statement: the words at the same coordinate, else the other session's statements from
    /// its first on, one after the other and over again; cut or repeated to the length of what was really said. `None` where the
    /// other session has no statement at all.
    pub fn heard(
        &mut self,
        (phase, round, turn): (&PhaseName, u32, u32),
        said: &str,
        motion: &Motion,
    ) -> Option<(Arc<str>, Declared)> {
        let statements = &self.donor.statements;
        let place = match self.places.get(&(phase.clone(), round, turn)) {
            Some(place) => *place,
            None => {
                self.unmatched += 1;
                (self.unmatched - 1) % statements.len().max(1)
            }
        };
        let lent = statements.get(place)?;
        let stance = lent.stance.as_ref().and_then(|choice| choice.find(|name| motion.find(name.as_str())));
        Some((text::repeat_to(&lent.text, said.chars().count()).into(), (stance, lent.opinion)))
    }
}
