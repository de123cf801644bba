//! A walk through a tree beside what is declared of it: every mistake is told, and mended in the tree.
//!
//! It knows types, keys, words and constant ranges; references between keys are lowering's affair.

use super::declared::{Declared, Kind};
use super::hints::{self, Misread};
use super::meant;
use super::tree::{Entry, Node, Value};
use super::{Place, Problem, Problems, foreign};
use crate::text::nearest;

/// A walk through one tree.
#[derive(Debug)]
pub struct Walker {
    whole: Declared,
    /// What is wrong.
    pub problems: Problems,
    /// The dotted paths whose values were mended.
    pub mended: Vec<String>,
}

impl Walker {
    /// Of a tree that is part of `whole`.
    pub fn new(whole: Declared) -> Self {
        Self { whole, problems: Problems::default(), mended: Vec::new() }
    }

    /// Checks a value, and mends it.
    pub fn whole(&mut self, declared: Declared, node: &mut Node, path: &str) {
        if !self.walk(declared, node, path) {
            *node = declared.sample("", &node.place);
            self.mended.push(path.to_string());
        }
    }

    /// The problem that nothing is declared at `segments[depth]` of a dotted path.
    pub fn unknown(&self, segments: &[&str], depth: usize, place: &Place) -> Problem {
        let holder = segments[..depth].join(".");
        let declared = self.whole.find(&segments[..depth]).ok().flatten().unwrap_or(self.whole);
        let hint = hints::unknown_part(self.whole, declared, segments, depth);
        Problem::at(place, join(&holder, segments[depth]), "unknown key").with_hint(hint)
    }

    fn say(&mut self, place: &Place, path: &str, message: String, hint: Option<String>) {
        self.problems.push(Problem::at(place, path, message).with_hint(hint));
    }

    /// Checks a value and mends what it holds; `false` when it is no use as a whole.
    fn walk(&mut self, declared: Declared, node: &mut Node, path: &str) -> bool {
        let kinds = declared.kinds();
        if !kinds.is_empty() {
            return self.choice((declared, &kinds), node, path);
        }
        let forms = declared.forms();
        if !forms.is_empty() {
            let is_form = |form: &&Declared| form.types().any(|kind| is_of(kind, &node.value));
            return match forms.iter().find(is_form) {
                Some(form) => self.walk(*form, node, path),
                None => {
                    let words: Vec<String> = forms.iter().map(|form| hints::form(*form)).collect();
                    let message = format!("expected {}, found {}", words.join(" or "), hints::found(&node.value));
                    self.say(&node.place, path, message, meant::wrong_form(&forms, node));
                    false
                }
            };
        }
        let types: Vec<&str> = declared.types().collect();
        if let Some(message) = hints::too_large(&types, declared, &node.value) {
            self.say(&node.place, path, message, None);
            return false;
        }
        if !types.is_empty() && !types.iter().any(|kind| is_of(kind, &node.value)) {
            let message = format!("expected {}, found {}", hints::expected(&types), hints::found(&node.value));
            let hint = meant::wrong_type(&types, declared, node, path);
            self.say(&node.place, path, message, hint);
            return false;
        }
        match &mut node.value {
            Value::Map(_) => {
                self.mapping(declared, node, path);
                true
            }
            Value::List(_) => self.list(declared, node, path),
            Value::Int(number) => {
                let (number, written) = (*number as f64, number.to_string());
                self.number(declared, (number, &written), node, path)
            }
            Value::Real(number) => {
                let (number, written) = (*number, number.to_string());
                self.number(declared, (number, &written), node, path)
            }
            Value::Inexact(words) => {
                let words = std::mem::take(words);
                self.inexact(declared, &words, node, path)
            }
            Value::Null | Value::Bool(_) | Value::Text(_) => true,
        }
    }

    fn number(&mut self, declared: Declared, (number, written): (f64, &str), node: &Node, path: &str) -> bool {
        let message = hints::outside(declared, number, written);
        let is_within = message.is_none();
        if let Some(message) = message {
            self.say(&node.place, path, message, meant::share(declared, number));
        }
        is_within
    }

    /// A number that cannot be held as it was written: it is outside its range, or what it would become is told.
    fn inexact(&mut self, declared: Declared, words: &str, node: &Node, path: &str) -> bool {
        let number = words.parse::<f64>().ok().filter(|number| number.is_finite());
        if number.is_none_or(|number| self.number(declared, (number, words), node, path)) {
            let hint = number.is_none().then(|| "write a number".to_string());
            self.say(&node.place, path, hints::inexact(words), hint);
        }
        false
    }

    fn list(&mut self, declared: Declared, node: &mut Node, path: &str) -> bool {
        let Value::List(items) = &mut node.value else { return true };
        if let Some(length) = declared.length().filter(|length| *length != items.len()) {
            let message = format!("expected a list of {length}, found {}", items.len());
            self.say(&node.place, path, message, None);
            return false;
        }
        for (position, item) in items.iter_mut().enumerate() {
            let Some(declared) = declared.item(position) else { continue };
            let segment = item.segment(position);
            let path_of_item = join(path, &segment);
            if !self.walk(declared, item, &path_of_item) {
                // What a list of single values says depends on each of them.
                let is_single = !declared.types().any(|kind| kind == "object");
                *item = declared.sample(&segment, &item.place);
                self.mended.push(if is_single { path.to_string() } else { path_of_item });
            }
        }
        true
    }

    /// A value that is a word, or a mapping of one word to its settings.
    fn choice(&mut self, (declared, kinds): (Declared, &[Kind]), node: &mut Node, path: &str) -> bool {
        let words: Vec<&str> = kinds.iter().map(|kind| kind.word).collect();
        let place = node.place.clone();
        match &mut node.value {
            Value::Text(text) => {
                let known = kinds.iter().find(|kind| kind.word == text);
                let (message, hint) = match known {
                    Some(Kind { is_word: true, .. } | Kind { settings: None, .. }) => return true,
                    Some(Kind { settings: Some(settings), word, .. }) => (
                        format!("\"{word}\" needs its settings: write {}", hints::with_settings(word, *settings)),
                        None,
                    ),
                    None => (format!("unknown value \"{text}\""), hints::unknown_word(kinds, text)),
                };
                self.say(&place, path, message, hint);
                false
            }
            Value::Map(entries) => {
                let is_known = |entry: &Entry| words.contains(&entry.key.as_str());
                match entries.iter().filter(|entry| is_known(entry)).count() {
                    1 => self.rehome(kinds, entries, path),
                    0 if entries.len() == 1 => {
                        let entry = &mut entries[0];
                        let hint = hints::unknown_kind(kinds, entry);
                        let nearest = nearest(&entry.key, words.iter().copied());
                        self.say(&entry.place, path, format!("unknown value \"{}\"", entry.key), hint);
                        self.mended.push(path.to_string());
                        let Some(nearest) = nearest else { return false };
                        entry.key = nearest.to_string();
                    }
                    _ => {
                        let one = if kinds.iter().all(|kind| kind.settings.is_none()) { "one" } else { "exactly one" };
                        let message = format!("expected {one} of {}", words.join(", "));
                        let strays = entries.iter().filter(|entry| !is_known(entry));
                        let hint = strays.filter_map(|entry| hints::setting_of(kinds, entry)).next();
                        self.say(&place, path, message, hint);
                        self.mended.push(path.to_string());
                        entries.retain(is_known);
                    }
                }
                self.settings(kinds, entries, path)
            }
            other => {
                let message = format!("expected one of {}, found {}", words.join(", "), hints::found(other));
                let is_word = |item: &Node| item.as_text().is_some_and(|text| words.contains(&text));
                let are_words = matches!(other, Value::List(items) if !items.is_empty() && items.iter().all(is_word));
                let hint = if are_words { meant::several(path) } else { meant::choice(kinds, declared, node) };
                self.say(&place, path, message, hint);
                false
            }
        }
    }

    /// Puts keys that stand beside the one known word, and are its settings, where they belong.
    fn rehome(&mut self, kinds: &[Kind], entries: &mut Vec<Entry>, path: &str) {
        let is_known = |entry: &Entry| kinds.iter().any(|kind| kind.word == entry.key);
        let (mut known, strays): (Vec<Entry>, Vec<Entry>) = entries.drain(..).partition(is_known);
        let holder = &mut known[0];
        let settings = kinds.iter().find(|kind| kind.word == holder.key).and_then(|kind| kind.settings);
        for stray in strays {
            let belongs = settings.is_some_and(|settings| settings.property(&stray.key).is_some());
            let hint = match belongs {
                true => Some(format!("indent it under \"{}\"", holder.key)),
                false => Some(format!("only \"{}\" stands here", holder.key)),
            };
            self.say(&stray.place, &join(path, &stray.key), "unknown key".to_string(), hint);
            if belongs {
                move_into(&mut holder.node, stray);
            }
        }
        *entries = known;
    }

    /// Checks the settings of each known word of a choice, and leaves the first.
    fn settings(&mut self, kinds: &[Kind], entries: &mut Vec<Entry>, path: &str) -> bool {
        for entry in entries.iter_mut() {
            let Some(kind) = kinds.iter().find(|kind| kind.word == entry.key) else { continue };
            let path = join(path, &entry.key);
            match kind.settings {
                Some(settings) => {
                    if !self.walk(settings, &mut entry.node, &path) {
                        entry.node = settings.sample("", &entry.node.place);
                        self.mended.push(path);
                    }
                }
                None => {
                    let message = format!("\"{}\" takes no settings", kind.word);
                    let (holder, key) = path
                        .rsplit_once('.')
                        .map_or(("", ""), |(holder, _)| (holder, holder.rsplit('.').next().unwrap_or_default()));
                    let hint = Some(hints::without_settings(key, kind.word, &entry.node));
                    self.say(&entry.place, holder, message, hint);
                    return false;
                }
            }
        }
        entries.truncate(1);
        !entries.is_empty()
    }

    fn mapping(&mut self, declared: Declared, node: &mut Node, path: &str) {
        let place = node.place.clone();
        let Value::Map(entries) = &mut node.value else { return };
        self.torn_numbers(entries, path);
        match declared.is_open() {
            true => self.keys_of_the_top(declared, entries, path),
            false => self.unknown_keys(declared, entries, path),
        }
        let given: Vec<String> = entries.iter().map(|entry| entry.key.clone()).collect();
        let (required, either) = (declared.required(), declared.required_one_of());
        entries.retain_mut(|entry| {
            let part = declared.property(&entry.key).or_else(|| declared.of_any_key());
            let Some(part) = part else { return true };
            let path = join(path, &entry.key);
            if self.walk(part, &mut entry.node, &path) {
                return true;
            }
            self.mended.push(path);
            // A seat that is counted stays counted: its name is a pattern.
            let stays = required.contains(&entry.key.as_str())
                || either.iter().skip(1).any(|key| *key == entry.key)
                || !part.kinds().is_empty() && !declared.keys().contains(&entry.key.as_str());
            if stays {
                entry.node = part.sample(&entry.key, &entry.node.place);
            }
            stays
        });
        let is_missing = |key: &&str| !given.iter().any(|given| given == key);
        let mut missing: Vec<&str> = required.into_iter().filter(is_missing).collect();
        if either.iter().all(is_missing) {
            missing.extend(either.first());
        }
        for key in missing {
            // One that stands in another place was told there.
            if !self.mended.contains(&join(path, key)) {
                let hint = hints::missing(path, key);
                self.say(&place, path, format!("the key \"{key}\" is missing"), hint);
                self.mended.push(join(path, key));
            }
            self.supply(declared, entries, key, path, &place);
        }
        let stands = |key: &&str| entries.iter().any(|entry| entry.key == **key);
        if let Some(first) = either.first().filter(|_| !either.iter().any(stands)) {
            self.mended.push(join(path, first));
            self.supply(declared, entries, first, path, &place);
        }
    }

    /// Puts numbers together that a comma divides within brackets, as in `{ limit: 50,000 }`.
    fn torn_numbers(&mut self, entries: &mut Vec<Entry>, path: &str) {
        let mut place = 1;
        while place < entries.len() {
            let pieces = hints::pieces(&entries[place - 1..]);
            if pieces > 0 {
                let rest: Vec<Entry> = entries.drain(place..place + pieces).collect();
                let whole = &mut entries[place - 1];
                let (message, hint, number) = hints::torn(whole, &rest);
                whole.node.value = number;
                self.say(&rest[0].place, &join(path, &rest[0].key), message, Some(hint));
                self.mended.push(join(path, &entries[place - 1].key));
            }
            place += 1;
        }
    }

    /// Tells the keys of the top level that stand in a section whose names the author chooses.
    fn keys_of_the_top(&mut self, declared: Declared, entries: &mut Vec<Entry>, path: &str) {
        if path.is_empty() || path.contains('.') {
            return;
        }
        let whole = self.whole;
        entries.retain(|entry| {
            let fits = |part: Option<Declared>| part.is_some_and(|part| fits(part, &entry.node.value));
            let is_of_the_top = fits(whole.property(&entry.key)) && !fits(declared.of_any_key());
            if is_of_the_top {
                let hint = "it belongs at the top level: begin it at the left edge".to_string();
                self.say(&entry.place, &join(path, &entry.key), "unknown key".to_string(), Some(hint));
                self.mended.push(entry.key.clone());
            }
            !is_of_the_top
        });
    }

    fn supply(&self, declared: Declared, entries: &mut Vec<Entry>, key: &str, path: &str, place: &Place) {
        let Some(part) = declared.property(key) else { return };
        let segment = path.rsplit('.').next().unwrap_or_default();
        entries.push(Entry { key: key.to_string(), place: place.clone(), node: part.sample(segment, place) });
    }

    /// Tells the unknown keys of a mapping. One that is nearly a known key is taken for it, one that belongs into its
    /// neighbour is moved there, every other is left out.
    fn unknown_keys(&mut self, declared: Declared, entries: &mut Vec<Entry>, path: &str) {
        let keys = declared.keys();
        let strays: Vec<usize> =
            (0..entries.len()).filter(|place| !keys.contains(&entries[*place].key.as_str())).collect();
        let empty: Vec<String> = (0..entries.len())
            .filter(|place| matches!(entries[*place].node.value, Value::Null))
            .map(|place| entries[place].key.clone())
            .collect();
        let mut taken: Vec<(Entry, Option<Misread>, Option<String>)> = Vec::new();
        for place in strays.into_iter().rev() {
            let before = place.checked_sub(1).and_then(|before| entries.get(before));
            let misread = hints::misread(self.whole, declared, path, &entries[place], before);
            let above = entries[..place].iter().rev().find(|above| keys.contains(&above.key.as_str()));
            let above = above.map(|above| above.key.clone()).filter(|above| empty.contains(above));
            taken.push((entries.remove(place), misread, above));
        }
        if let ([], [.., (stray, ..)], false) = (&entries[..], &taken[..], path.is_empty()) {
            // What is left of the mapping says nothing, and what it lacks is told by its unknown keys.
            self.mended.push(join(path, &stray.key));
        }
        for (stray, misread, above) in taken.into_iter().rev() {
            if let Some(misread) = misread {
                self.say(&stray.place, &join(path, &stray.key), misread.message, misread.hint);
                self.mended.push(misread.meant);
                continue;
            }
            let written = join(path, &stray.key);
            let is_like_another = nearest(&stray.key, keys.iter().copied()).is_some();
            let nest = entries.iter_mut().find(|entry| {
                let any = declared.property(&entry.key).and_then(Declared::of_any_key);
                if above.as_ref() == Some(&entry.key)
                    && !is_like_another
                    && any.is_some_and(|any| fits(any, &stray.node.value))
                {
                    return true;
                }
                let holds = declared.property(&entry.key).is_some_and(|part| part.property(&stray.key).is_some());
                holds && matches!(entry.node.value, Value::Null)
                    || holds && matches!(entry.node.value, Value::Map(_)) && entry.node.get(&stray.key).is_none()
            });
            if let Some(older) = foreign::older(self.whole, &stray, &written) {
                self.mended.push("memory".to_string());
                self.problems.extend(older);
            } else if let Some(nest) = nest {
                let hint = format!("indent it under \"{}\"", nest.key);
                let target = join(&join(path, &nest.key), &stray.key);
                let place = stray.place.clone();
                move_into(&mut nest.node, stray);
                self.say(&place, &written, "unknown key".to_string(), Some(hint));
                self.mended.push(target);
            } else if let Some((section, hint)) = hints::section_of(declared, &stray).filter(|_| !is_like_another) {
                self.say(&stray.place, &written, "unknown key".to_string(), Some(hint));
                self.mended.push(join(path, section));
            } else {
                self.unknown_key(declared, entries, stray, path);
            }
        }
    }

    /// Tells an unknown key, and takes it for the nearest known one that is free.
    fn unknown_key(&mut self, declared: Declared, entries: &mut Vec<Entry>, mut stray: Entry, path: &str) {
        let keys = declared.keys();
        let free = keys.iter().copied().filter(|key| !entries.iter().any(|entry| entry.key == *key));
        let free: Vec<&str> = free.collect();
        let hint = hints::unknown_key(self.whole, declared, path, &stray);
        self.say(&stray.place, &join(path, &stray.key), "unknown key".to_string(), hint);
        let known = foreign::renamed(path, &stray.key).filter(|known| free.contains(known));
        match known.or_else(|| nearest(&stray.key, free.iter().copied())) {
            Some(nearest) => {
                self.mended.push(join(path, nearest));
                stray.key = nearest.to_string();
                entries.push(stray);
            }
            None => {
                // What lacks it is told by this, too.
                let homes = self.whole.homes(&stray.key).into_iter().filter(|home| !home.contains('*'));
                let within = declared.homes(&stray.key).into_iter().filter(|_| !path.is_empty());
                let holders = within.filter_map(|home| Some(join(path, home.split_once('.')?.0)));
                self.mended.extend(homes.chain(holders));
            }
        }
    }
}

fn move_into(holder: &mut Node, entry: Entry) {
    if matches!(holder.value, Value::Null) {
        *holder = Node::empty_map(entry.place.clone());
    }
    holder.put(entry);
}

/// A path with one more segment.
pub fn join(path: &str, segment: &str) -> String {
    if path.is_empty() { segment.to_string() } else { format!("{path}.{segment}") }
}

/// Whether a value is of a JSON type.
fn is_of(kind: &str, value: &Value) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Int(_) => kind == "integer" || kind == "number",
        Value::Real(_) => kind == "number",
        // Nobody who writes such a number means another type.
        Value::Inexact(_) => kind == "number" || kind == "integer",
        Value::Text(_) => kind == "string",
        Value::List(_) => kind == "array",
        Value::Map(_) => kind == "object",
    }
}

/// Whether a value is of a type that is declared, or may be one of the declared words or kinds.
fn fits(declared: Declared, value: &Value) -> bool {
    let kinds = declared.kinds();
    match value {
        Value::Map(entries) if !kinds.is_empty() => {
            entries.iter().any(|entry| kinds.iter().any(|kind| kind.word == entry.key))
        }
        Value::Text(text) if !kinds.is_empty() => kinds.iter().any(|kind| kind.word == text),
        _ => declared.types().any(|kind| is_of(kind, value)),
    }
}
