//! Items: questions from a file, one for each session.
//!
//! An arm is lowered once for all items. An item adds its question to the arm's texts and may replace the alternatives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::DesignDifference;
use crate::domain::{Alternative, AlternativeName, Digest, Motion, Truth};

/// The names of options, in order.
pub const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// The name of the option at a position below 26.
pub fn option_letter(place: usize) -> AlternativeName {
    AlternativeName::new(&LETTERS[place..=place])
}

/// The placeholder for an item's question in texts. It contains private-use characters, so that no author writes it.
pub const MARK: &str = "\u{e000}item\u{e001}";

/// A question with its options and key.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Item {
    /// Its unique id, which is part of the names of its sessions.
    pub id: String,
    /// The question.
    pub text: String,
    /// The options in the file's order; empty if the scenario's alternatives apply.
    pub options: Vec<String>,
    /// The right alternative, or the right amount if only an amount is decided; `None` if it is unknown.
    pub key: Option<Truth>,
    /// The range of amounts; `None` if the scenario's range applies.
    pub amount: Option<ItemAmount>,
    /// The alternatives that scripts may choose, by column.
    pub named: BTreeMap<String, AlternativeName>,
    /// The texts of the columns that seats of some roles are shown, by column; an empty one is not shown.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shown: BTreeMap<String, String>,
    /// The first line of its row in the file; the header is line 1.
    pub line: u64,
}

/// The range of amounts for an item.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ItemAmount {
    /// The unit of amounts.
    pub unit: String,
    /// The least amount.
    pub min: u32,
    /// The greatest amount, above the least.
    pub max: u32,
}

impl ItemAmount {
    /// Sets the unit and the range of a motion.
    pub fn apply_to_motion(&self, motion: &mut Motion) {
        (motion.unit, motion.amount_min, motion.amount_max) = (Some(self.unit.clone()), self.min, Some(self.max));
    }

    /// The range in words.
    pub fn range_text(&self) -> String {
        format!("{} to {} {}", self.min, self.max, self.unit)
    }
}

impl Item {
    /// Its options as alternatives, named by letters.
    pub fn alternatives(&self) -> Vec<Alternative> {
        let named = self.options.iter().enumerate();
        let alternative = |(place, label): (usize, &String)| Alternative {
            name: option_letter(place),
            label: label.clone(),
            status_quo: false,
            takes_amount: false,
            said: None,
        };
        named.map(alternative).collect()
    }

    /// The first difference from an old version that affects sessions, with excerpts. It ignores the key.
    pub fn difference_from(&self, old: &Item) -> Option<DesignDifference> {
        let parts = [
            ("text", old.text.clone(), self.text.clone()),
            ("options", old.options.join("|"), self.options.join("|")),
            ("amount", old.amount_text(), self.amount_text()),
            ("columns", old.named_text(), self.named_text()),
            ("shown", old.shown_text(), self.shown_text()),
        ];
        let (what, old, new) = parts.into_iter().find(|(_, old, new)| old != new)?;
        let common = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
        let key = format!("items.{}.{what}", self.id);
        Some(DesignDifference { key, old: Some(quote_excerpt(&old, common)), new: Some(quote_excerpt(&new, common)) })
    }

    /// The alternatives that scripts may choose, with their columns.
    pub(super) fn named_text(&self) -> String {
        self.named.iter().map(|(column, name)| format!("{column} {name}")).collect::<Vec<_>>().join("|")
    }

    /// The range of amounts in words; empty if the scenario's range applies.
    fn amount_text(&self) -> String {
        self.amount.as_ref().map_or(String::new(), ItemAmount::range_text)
    }

    /// The columns that some seats are shown, with their texts.
    pub(super) fn shown_text(&self) -> String {
        self.shown.iter().map(|(column, text)| format!("{column} {text}")).collect::<Vec<_>>().join("\n")
    }

    /// The right alternative; `None` if it is unknown, or if an amount is right.
    pub fn right_alternative(&self) -> Option<&AlternativeName> {
        self.key.as_ref().and_then(Truth::alternative)
    }

    /// The wrong options that its columns name for scripts; an item with any is a critical trial. Empty without a right option.
    pub fn misleading_options(&self) -> BTreeSet<&AlternativeName> {
        let Some(right) = self.right_alternative() else { return BTreeSet::new() };
        self.named.values().filter(|named| *named != right).collect()
    }
}

/// A quoted excerpt of a text around the character at a position.
fn quote_excerpt(text: &str, place: usize) -> String {
    const WIDTH: usize = 60;
    const BEFORE: usize = 20;
    let length = text.chars().count();
    let start = if length <= WIDTH || place <= WIDTH - BEFORE { 0 } else { (place - BEFORE).min(length - WIDTH) };
    let before = if start > 0 { "…" } else { "" };
    let after = if start + WIDTH < length { "…" } else { "" };
    let part: String = text.chars().skip(start).take(WIDTH).collect();
    format!("\"{before}{}{after}\"", part.replace('\n', " "))
}

/// An item that passes of a block take place for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LoopItem {
    /// Its unique id.
    pub id: String,
    /// The question.
    pub text: String,
    /// The right answer as it is written; `None` if nobody knows.
    pub key: Option<String>,
    /// The options of fields that have those of the item; empty if the file has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The texts of its further columns, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
}

/// A further column of the items that passes of a block take place for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopColumn {
    /// Its name.
    pub name: String,
    /// The roles whose texts alone may print it; empty if all texts may.
    pub roles: Vec<String>,
}

impl LoopItem {
    /// Writes the digest of items: each pass has all of them, so a plan does not write them out.
    pub(super) fn write_digest<S: serde::Serializer>(
        items: &Arc<[LoopItem]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let all = serde_json::to_vec(&**items).map_err(serde::ser::Error::custom)?;
        serde::Serialize::serialize(&Digest::of(&all), serializer)
    }
}

/// The file of items.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ItemsFile {
    /// Its digest, with LF line ends.
    pub digest: Digest,
    /// The number of its questions; a sample may use fewer.
    pub rows: u64,
    /// The column of ids.
    pub id: String,
    /// The column of questions.
    pub text: String,
    /// The column of options; `None` if the scenario's alternatives apply.
    pub options: Option<String>,
    /// The column of right answers, if there is one.
    pub key: Option<String>,
    /// The columns of unit, least and greatest amount; `None` if the scenario's range applies.
    pub amount: Option<[String; 3]>,
}

/// The texts of an arm that print an item's question.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct QuestionTemplates {
    /// The motion, split at the question.
    pub motion: Vec<String>,
    /// Briefs split at the question, with their positions in the agenda.
    pub briefs: Vec<(usize, Vec<String>)>,
    /// Questions of forms split at the question, with the positions of their phases and fields.
    pub forms: Vec<(usize, usize, Vec<String>)>,
    /// The words of votes split at the question, with their positions in the agenda.
    pub votes: Vec<(usize, Vec<String>)>,
    /// The parameters that only texts without items would print.
    pub replaced: Vec<String>,
}

/// Sets the options of the narrowest item and a range that covers all items' amounts, if items have their own.
pub fn apply_items_to_motion(items: &IndexMap<String, Arc<Item>>, motion: &mut Motion) {
    if let Some(item) = narrowest_item(items).filter(|item| !item.options.is_empty()) {
        motion.alternatives = item.alternatives();
    }
    let amounts = || items.values().filter_map(|item| item.amount.as_ref());
    let longest = amounts().max_by_key(|amount| amount.unit.len());
    if let Some(((unit, min), max)) =
        longest.zip(amounts().map(|amount| amount.min).min()).zip(amounts().map(|amount| amount.max).max())
    {
        ItemAmount { unit: unit.unit.clone(), min, max }.apply_to_motion(motion);
    }
}

/// The id of the item whose key has this name in a design.
pub fn item_of_key(name: &str) -> Option<&str> {
    name.strip_prefix("items.")?.strip_suffix(".key")
}

/// The item with which an arm is lowered: the first with the fewest options, so that all items allow what it allows.
pub fn narrowest_item(items: &IndexMap<String, Arc<Item>>) -> Option<&Arc<Item>> {
    items.values().min_by_key(|item| item.options.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str, options: &[&str], key: Option<&str>) -> Item {
        let options = options.iter().map(|option| (*option).to_string()).collect();
        let key = key.map(|key| Truth::Alternative(AlternativeName::new(key)));
        Item {
            id: "q1".to_string(),
            text: text.to_string(),
            options,
            key,
            amount: None,
            named: BTreeMap::new(),
            shown: BTreeMap::new(),
            line: 2,
        }
    }

    #[test]
    fn a_changed_range_of_amounts_is_another_item() {
        let of = |max| Item {
            amount: Some(ItemAmount { unit: "m".to_string(), min: 0, max }),
            ..item("How high?", &[], None)
        };
        let told = of(900).difference_from(&of(400)).map(|difference| difference.to_string());
        assert_eq!(told.as_deref(), Some("items.q1.amount was \"0 to 400 m\" and is now \"0 to 900 m\""));
    }

    #[test]
    fn a_changed_item_is_told_with_what_it_was_and_what_it_is_where_they_part() {
        let old = item("Is it so?", &["Yes", "No"], Some("a"));
        assert_eq!(item("Is it so?", &["Yes", "No"], Some("b")).difference_from(&old), None);
        let told = |new: &Item, old: &Item| new.difference_from(old).map(|difference| difference.to_string());
        assert_eq!(
            told(&item("Is it\nnot so?", &["Yes"], None), &old).as_deref(),
            Some("items.q1.text was \"Is it so?\" and is now \"Is it not so?\"")
        );
        assert_eq!(
            told(&item("Is it so?", &["No", "Yes"], None), &old).as_deref(),
            Some("items.q1.options was \"Yes|No\" and is now \"No|Yes\"")
        );
        let long = |end: &str| item(&format!("{}{end}", "Which of these jars is it? ".repeat(9)), &[], None);
        let told = told(&long("Tell."), &long("Guess.")).expect("a difference");
        assert!(told.contains("Guess.\" and is now \"…") && told.ends_with("Tell.\""), "{told}");
        assert!(told.chars().count() < 180, "{told}");
    }
}
