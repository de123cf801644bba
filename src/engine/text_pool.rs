//! The texts that are kept under one name.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{SeatId, TextId};

/// The texts under one name, by the groups in which they were written, 0 outside groups, and by their letters.
#[derive(Debug, Clone, Default)]
pub(super) struct TextPool {
    groups: BTreeMap<u32, Vec<TextState>>,
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
    /// All texts of a group with their letters, withdrawn ones, too.
    pub fn list_group(&self, group: u32) -> impl Iterator<Item = (TextId, &TextState)> {
        let texts = self.groups.get(&group).into_iter().flatten();
        (0..).zip(texts).map(move |(number, state)| (TextId { group, number }, state))
    }

    /// The texts that are not withdrawn: within a group its own, outside groups all, group by group.
    pub fn list_live(&self, group: Option<u32>) -> Vec<(TextId, &TextState)> {
        let groups: Vec<u32> = group.map_or_else(|| self.groups.keys().copied().collect(), |group| vec![group]);
        let all = groups.into_iter().flat_map(|group| self.list_group(group));
        all.filter(|(_, state)| state.text.is_some()).collect()
    }

    /// A text.
    pub fn find_text(&self, id: TextId) -> Option<&TextState> {
        self.groups.get(&id.group)?.get(id.number as usize)
    }

    /// Sets a text that appeared before, or the next one of its group.
    pub fn set_text(&mut self, id: TextId, state: TextState) {
        let texts = self.groups.entry(id.group).or_default();
        match texts.get_mut(id.number as usize) {
            Some(old) => *old = state,
            None => texts.push(state),
        }
    }

    /// The live texts that an author has in a group, in their places.
    pub fn list_live_of(&self, author: SeatId, group: u32) -> Vec<String> {
        let mut own: Vec<&TextState> =
            self.list_group(group).map(|(_, state)| state).filter(|state| state.author == author).collect();
        own.sort_by_key(|state| state.place);
        own.into_iter().filter_map(|state| state.text.as_deref()).map(str::to_owned).collect()
    }
}
