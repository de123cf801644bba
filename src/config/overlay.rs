//! Merges one tree over another.

use crate::config::agenda_settings::drop_replaced_at;
use crate::config::check::declared::SchemaPart;
use crate::config::problem::{Problem, SourcePlace, suggest_word};
use crate::config::tree::{MapEntry, Node, Value, key_place};

impl Node {
    /// Merges `upper` over this tree key by key. Values that are no mappings, and tagged values with another tag, are replaced.
    pub fn overlay(&mut self, upper: Node, declared: Option<SchemaPart>) {
        let is_other_kind = declared.is_some_and(SchemaPart::is_choice)
            && self.entries().iter().any(|entry| upper.get(&entry.key).is_none());
        match (&mut self.value, upper.value) {
            (Value::Map(_), Value::Map(entries)) if !is_other_kind => {
                self.place = upper.place;
                for entry in entries {
                    let below = declared.and_then(|declared| declared.part_of_key(&entry.key));
                    self.overlay_entry(entry, below);
                }
            }
            (_, value) => {
                self.value = value;
                self.place = upper.place;
            }
        }
    }

    /// Adds the keys of `lower` that this tree does not have, at every level.
    pub fn underlay(&mut self, lower: &Node) {
        for below in lower.entries() {
            match self.child_mut(&below.key) {
                Some(node) => node.underlay(&below.node),
                None => self.insert_entry(below.clone()),
            }
        }
    }

    /// Sets the value at a dotted path; seats are found by name, and missing mappings are created. A mapping set at a section is
    /// merged into the section, so other keys are kept.
    ///
    /// # Errors
    /// If the path leads through a value that is neither a mapping nor a list with the named item.
    pub fn set(&mut self, path: &str, value: Node) -> Result<(), Problem> {
        let place = value.place.clone();
        self.set_at(path, value, &place)
    }

    /// Like [`Node::set`], for a path written in another place than the value.
    ///
    /// # Errors
    /// As for [`Node::set`].
    pub fn set_at(&mut self, path: &str, value: Node, place_of_path: &SourcePlace) -> Result<(), Problem> {
        let mut node = self;
        let segments: Vec<&str> = path.split('.').collect();
        if let Some(empty) = segments.iter().position(|segment| segment.is_empty()) {
            let place = key_place(place_of_path, &segments[..empty]);
            return Err(Problem::at_place(&place, path, "a dotted path has no empty parts"));
        }
        for (depth, segment) in segments.iter().enumerate() {
            let place = key_place(place_of_path, &segments[..depth]);
            if depth + 1 == segments.len() {
                drop_replaced_at(node, &segments, &value);
            }
            if matches!(node.value, Value::Null) {
                node.value = Value::Map(Vec::new());
                node.place = place.clone();
            }
            if matches!(node.value, Value::Map(_)) && node.get(segment).is_none() {
                node.insert_entry(MapEntry::new(*segment, Node::empty_map(place.clone())));
            }
            if node.child(segment).is_none() {
                return Err(node.no_way(&segments[..depth], segment, path, &place));
            }
            node = node.child_mut(segment).expect("invariant: the child was there a moment ago");
        }
        match segments.len() {
            1 => node.overlay(value, SchemaPart::of_config().part_of_key(path)),
            _ => *node = value,
        }
        Ok(())
    }

    /// Replaces the value at a dotted path by `below`, or removes it. A missing value stays missing.
    ///
    /// # Errors
    /// If the path leads to an item of a list, or through a missing item.
    pub fn unset(&mut self, path: &str, below: Option<&Node>, place_of_path: &SourcePlace) -> Result<(), Problem> {
        let mut node = self;
        let segments: Vec<&str> = path.split('.').collect();
        for (depth, segment) in segments.iter().enumerate() {
            let is_last = depth + 1 == segments.len();
            match (&node.value, node.child(segment)) {
                (Value::List(_), Some(_)) if is_last => {
                    let message = "an item of a list is not taken away by itself; write the whole list without it";
                    return Err(Problem::at_place(place_of_path, path, message));
                }
                (Value::List(_), None) => return Err(node.no_way(&segments[..depth], segment, path, place_of_path)),
                (_, None) => return Ok(()),
                (_, Some(_)) if is_last && below.is_none() => {
                    node.remove_key(segment);
                    return Ok(());
                }
                _ => node = node.child_mut(segment).expect("invariant: the child was there a moment ago"),
            }
        }
        below.into_iter().for_each(|below| *node = below.clone());
        Ok(())
    }

    fn overlay_entry(&mut self, entry: MapEntry, declared: Option<SchemaPart>) {
        let Value::Map(entries) = &mut self.value else { return };
        match entries.iter_mut().find(|old| old.key == entry.key) {
            Some(old) => {
                old.place = entry.place;
                old.node.overlay(entry.node, declared);
            }
            None => entries.push(entry),
        }
    }

    fn no_way(&self, before: &[&str], segment: &str, path: &str, place: &SourcePlace) -> Problem {
        let before = before.join(".");
        match &self.value {
            Value::List(items) => {
                let names: Vec<String> = items.iter().enumerate().map(|(i, item)| item.segment(i)).collect();
                Problem::at_place(place, path, format!("{before} has no item \"{segment}\""))
                    .with_hint(suggest_word(segment, names.iter().map(String::as_str)))
            }
            _ => Problem::at_place(place, path, format!("{before} is not a mapping, so it has no \"{segment}\"")),
        }
    }
}
