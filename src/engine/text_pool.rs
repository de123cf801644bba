//! The texts that are kept under one name.

use std::sync::Arc;

use crate::domain::SeatId;

/// The texts under one name, by their letters.
#[derive(Debug, Clone, Default)]
pub(super) struct TextPool {
    pub all: Vec<TextState>,
}

/// A text that appeared.
#[derive(Debug, Clone)]
pub(super) struct TextState {
    pub author: SeatId,
    /// Its place among the texts of its author, from 1.
    pub place: u32,
    pub version: u32,
    /// Its words; `None` if it is withdrawn.
    pub text: Option<Arc<str>>,
}

impl TextPool {
    /// The texts that are not withdrawn, by the numbers of their letters.
    pub fn list_live(&self) -> impl Iterator<Item = (u32, &TextState)> {
        (0..).zip(&self.all).filter(|(_, state)| state.text.is_some())
    }

    /// The text of a letter's number.
    pub fn find_text(&self, number: u32) -> Option<&TextState> {
        self.all.get(number as usize)
    }

    /// A text of an author, with the number of its letter.
    pub fn find_own(&self, author: SeatId, place: u32) -> Option<(u32, &TextState)> {
        (0..).zip(&self.all).find(|(_, state)| state.author == author && state.place == place)
    }

    /// The live texts of an author, in their places.
    pub fn list_live_of(&self, author: SeatId) -> Vec<String> {
        let mut own: Vec<&TextState> =
            self.list_live().map(|(_, state)| state).filter(|state| state.author == author).collect();
        own.sort_by_key(|state| state.place);
        own.into_iter().filter_map(|state| state.text.as_deref()).map(str::to_owned).collect()
    }
}
