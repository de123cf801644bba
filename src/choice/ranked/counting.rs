//! The ballots of a count, with what several rules need of them.

use std::cell::OnceCell;

use super::{CountRefusal, Pairwise, Preferences};

/// The most alternatives that are compared pair by pair.
pub const PAIRED_ALTERNATIVES_MAX: usize = 500;

/// The ballots of a count under several rules, with shared work done once.
#[derive(Debug)]
pub struct Counting<'p> {
    preferences: &'p Preferences,
    pairwise: OnceCell<Pairwise>,
}

impl<'p> Counting<'p> {
    /// Prepares the count of these ballots.
    pub fn new(preferences: &'p Preferences) -> Self {
        Self { preferences, pairwise: OnceCell::new() }
    }

    /// The ballots.
    pub fn preferences(&self) -> &'p Preferences {
        self.preferences
    }

    /// The pairwise comparisons.
    ///
    /// # Errors
    /// [`CountRefusal::TooManyAlternatives`] above [`PAIRED_ALTERNATIVES_MAX`].
    pub fn pairwise(&self) -> Result<&Pairwise, CountRefusal> {
        let alternatives = self.preferences.alternative_count();
        if alternatives > PAIRED_ALTERNATIVES_MAX {
            return Err(CountRefusal::TooManyAlternatives { alternatives, most: PAIRED_ALTERNATIVES_MAX });
        }
        Ok(self.pairwise.get_or_init(|| Pairwise::from_preferences(self.preferences)))
    }
}
