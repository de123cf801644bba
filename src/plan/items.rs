//! Items: a file of questions of which each session has one, and what a plan becomes with one of them.
//!
//! An arm is lowered once, for all its items; an item puts its question into the arm's texts, and its options in the place
//! of the alternatives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::agenda::brief_text;
use super::config::{Config, ItemsConfig};
use super::identity::{Difference, digest_of};
use super::item_rows::{columns, letter, rows, sampled};
use super::parameters::Scalar;
use super::personas::PersonaFile;
use super::scenario::Scenario;
use super::texts::Texts;
use super::tree::{Node, Value};
use super::{ArmPlan, PhaseKind, Plan, Problem, Problems, Seat, Sitter, schemes};
use crate::domain::{Alternative, AlternativeName, Digest, Motion, Truth};
use crate::minds::Mind;

/// Where the file is kept, beside the config.
pub const KEPT: &str = "items.csv";
/// Stands in texts where an item's question belongs; of the private use area, so that no author writes it.
const MARK: &str = "\u{e000}item\u{e001}";

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Item {
    /// Its id, unique; part of the names of its sessions.
    pub id: String,
    /// The question.
    pub text: String,
    /// What may be chosen, in the file's order; empty where the scenario's alternatives are.
    pub options: Vec<String>,
    /// The right alternative, or the right amount where an amount alone is decided; `None` where nobody knows.
    pub key: Option<Truth>,
    /// Which amounts may be named; `None` where the scenario says it.
    pub amount: Option<ItemAmount>,
    /// What the columns that scripts say name, by column.
    pub named: BTreeMap<String, AlternativeName>,
    /// The line of the file in which its row begins, from 1; the first is the header's.
    pub line: u64,
}

/// Which amounts may be named in the sessions of an item.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ItemAmount {
    /// What is counted.
    pub unit: String,
    /// The least amount.
    pub min: u32,
    /// The greatest, above the least.
    pub max: u32,
}

impl ItemAmount {
    /// Puts it into a motion.
    fn offer(&self, motion: &mut Motion) {
        (motion.unit, motion.amount_min, motion.amount_max) = (Some(self.unit.clone()), self.min, Some(self.max));
    }

    fn words(&self) -> String {
        format!("{} to {} {}", self.min, self.max, self.unit)
    }
}

impl Item {
    /// Its options as alternatives, called by letters.
    pub fn alternatives(&self) -> Vec<Alternative> {
        let named = self.options.iter().enumerate();
        let alternative = |(place, label): (usize, &String)| Alternative {
            name: letter(place),
            label: label.clone(),
            status_quo: false,
            takes_amount: false,
            said: None,
        };
        named.map(alternative).collect()
    }
}

impl Item {
    /// What of it that belongs to its sessions is not what it was, both shortened to where they part; the key is no part of a
    /// session.
    pub fn difference_from(&self, old: &Item) -> Option<Difference> {
        let named =
            |item: &Item| item.named.iter().map(|(column, name)| format!("{column} {name}")).collect::<Vec<_>>();
        let parts = [
            ("text", old.text.clone(), self.text.clone()),
            ("options", old.options.join("|"), self.options.join("|")),
            ("amount", old.amounts(), self.amounts()),
            ("columns", named(old).join("|"), named(self).join("|")),
        ];
        let (what, old, new) = parts.into_iter().find(|(_, old, new)| old != new)?;
        let common = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
        let key = format!("items.{}.{what}", self.id);
        Some(Difference { key, old: Some(around(&old, common)), new: Some(around(&new, common)) })
    }
}

impl Item {
    /// Which amounts may be named, in words; empty where the scenario says it.
    fn amounts(&self) -> String {
        self.amount.as_ref().map_or(String::new(), ItemAmount::words)
    }

    /// The right alternative; `None` where nobody knows, or an amount is right.
    pub fn right(&self) -> Option<&AlternativeName> {
        self.key.as_ref().and_then(Truth::alternative)
    }

    /// The wrong options that its columns name for scripts to say, each once: where there is one, the item is a critical trial. None
    /// where nobody knows what is right.
    pub fn misleading(&self) -> BTreeSet<&AlternativeName> {
        let Some(right) = self.right() else { return BTreeSet::new() };
        self.named.values().filter(|named| *named != right).collect()
    }
}

/// A text in quotes, cut so that it shows the character at a place.
fn around(text: &str, place: usize) -> String {
    const WIDTH: usize = 60;
    const BEFORE: usize = 20;
    let length = text.chars().count();
    let start = if length <= WIDTH || place <= WIDTH - BEFORE { 0 } else { (place - BEFORE).min(length - WIDTH) };
    let before = if start > 0 { "…" } else { "" };
    let after = if start + WIDTH < length { "…" } else { "" };
    let part: String = text.chars().skip(start).take(WIDTH).collect();
    format!("\"{before}{}{after}\"", part.replace('\n', " "))
}

/// The file that items come from.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ItemsFile {
    /// Its digest; line ends are LF.
    pub digest: Digest,
    /// The questions it holds; more than are asked about where a sample was drawn.
    pub rows: u64,
    /// The column of ids.
    pub id: String,
    /// The column of questions.
    pub text: String,
    /// The column of options; `None` where the scenario's alternatives are.
    pub options: Option<String>,
    /// The column of right answers; `None` where there is none.
    pub key: Option<String>,
    /// The columns of unit, least and greatest amount; `None` where the scenario says them.
    pub amount: Option<[String; 3]>,
}

/// The file that the items of a config come from; `None` where it names none, or it was not read.
pub fn file(config: &Config, file: Option<&PersonaFile>) -> Option<ItemsFile> {
    let (written, file) = config.items.as_ref().zip(file)?;
    let ItemsConfig { id, text, options, key, amount, .. } = written.clone();
    let amount = amount.map(|amount| [amount.unit, amount.min, amount.max]);
    Some(ItemsFile { digest: file.digest.clone(), rows: file.rows.len() as u64, id, text, options, key, amount })
}

/// The texts of an arm that an item's question is put into.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Questions {
    /// The motion, as the parts between which the question stands.
    motion: Vec<String>,
    /// Briefs by their place in the agenda, as such parts.
    briefs: Vec<(usize, Vec<String>)>,
    /// The parameters that these texts would read without items, and no text or prompt reads with them.
    replaced: Vec<String>,
}

impl Questions {
    /// Whether the items' questions stand where this parameter of the scenario would.
    pub fn replace(&self, parameter: &str) -> bool {
        self.replaced.iter().any(|name| name == parameter)
    }

    /// Whether the question stands in the brief at this place of the agenda.
    pub fn are_in_brief(&self, place: usize) -> bool {
        self.briefs.iter().any(|(other, _)| *other == place)
    }
}

/// Names the file by where it is kept: `plan.yaml` holds no path of the author's machine.
pub fn fill(items: &mut Node) {
    if let Some(file) = items.child_mut("file").filter(|file| matches!(file.value, Value::Text(_))) {
        file.value = Value::Text(KEPT.to_string());
    }
}

/// Reads the items that are asked about, by id in the file's order.
///
/// # Errors
/// Every mistake in `items` and its file.
pub fn items(
    config: &Config,
    file: Option<&PersonaFile>,
    scenario: &Scenario,
    tree: &Node,
) -> Result<IndexMap<String, Arc<Item>>, Problems> {
    let Some(written) = &config.items else { return Ok(IndexMap::new()) };
    let file = file.ok_or_else(|| tree.problem("items", "its file was not read"))?;
    let mut problems = Problems::default();
    let by_template =
        |phase: &&super::scenario::PhaseConfig| phase.brief.as_ref().is_some_and(|brief| brief.template.is_some());
    if let Some(phase) = scenario.written.agenda.iter().find(by_template) {
        let message = format!("this scenario takes no items: its brief {} is a template, which knows none", phase.name);
        problems.push(tree.problem("items", message));
    }
    if scenario.written.mechanism.is_some() && written.options.is_some() {
        let message = "the mechanism pays for the scenario's own alternatives, so that items bring no options";
        problems.push(tree.problem("items.options", message));
    }
    if written.amount.is_some() && (scenario.written.amount.is_none() || written.options.is_some()) {
        let message =
            "items say which amounts may be named where the scenario has an `amount` and items have no options";
        problems.push(tree.problem("items.amount", message));
    }
    let columns = columns(written, file, tree, &mut problems);
    let mut items = IndexMap::new();
    if let Some(columns) = columns {
        items = rows(file, &columns, scenario, &mut problems);
    }
    if problems.is_empty() && items.is_empty() {
        problems.push(Problem::of_file(&file.shown, "the file has no items"));
    }
    problems.none()?;
    Ok(sampled(items, written.sample, config.seed, tree)?)
}

/// The item that an arm is lowered with: of those with the fewest options the first, so that what it allows all allow.
pub fn narrowest(items: &IndexMap<String, Arc<Item>>) -> Option<&Arc<Item>> {
    items.values().min_by_key(|item| item.options.len())
}

/// The items of which each offers another number of options, the first of each number; none where the scenario's alternatives are
/// offered.
pub fn offers(items: &IndexMap<String, Arc<Item>>) -> impl Iterator<Item = &Arc<Item>> {
    let mut seen = BTreeSet::new();
    items.values().filter(move |item| !item.options.is_empty() && seen.insert(item.options.len()))
}

/// Puts the options of the narrowest item in the place of the alternatives, where items have options, and in the place of the
/// scenario's amounts all that may be named with any of them, where they say it.
pub fn offer(items: &IndexMap<String, Arc<Item>>, motion: &mut Motion) {
    if let Some(item) = narrowest(items).filter(|item| !item.options.is_empty()) {
        motion.alternatives = item.alternatives();
    }
    let amounts = || items.values().filter_map(|item| item.amount.as_ref());
    let longest = amounts().max_by_key(|amount| amount.unit.len());
    if let Some(((unit, min), max)) =
        longest.zip(amounts().map(|amount| amount.min).min()).zip(amounts().map(|amount| amount.max).max())
    {
        ItemAmount { unit: unit.unit.clone(), min, max }.offer(motion);
    }
}

/// The item with the longest question.
pub fn longest(items: &IndexMap<String, Arc<Item>>) -> Option<&Arc<Item>> {
    items.values().max_by_key(|item| item.text.len())
}

/// The texts of an arm that an item's question is put into.
///
/// # Errors
/// When no text prints the question, or one does anything else with it.
pub fn questions(
    plan: &Plan,
    values: &IndexMap<String, Scalar>,
    scenario: &Scenario,
    prompts: &BTreeMap<String, String>,
    tree: &Node,
) -> Result<Option<Questions>, Problem> {
    let Some(text) = &scenario.item else { return Ok(None) };
    let marked = Scenario { item: Some(MARK.to_string()), texts: Texts::default(), ..scenario.clone() };
    let parts = |filled: String| -> Vec<String> { filled.split(MARK).map(str::to_string).collect() };
    let as_it_is = "a text prints the question of an item as it is, and does nothing else with it";
    let motion = parts(marked.fill(&scenario.written.motion.text, "motion.text", values)?);
    if motion.join(text) != plan.motion.text {
        return Err(scenario.tree.problem("motion.text", as_it_is));
    }
    let mut briefs = Vec::new();
    for (place, phase) in plan.agenda.iter().enumerate() {
        let PhaseKind::Brief { text: filled } = &phase.kind else { continue };
        let Some(brief) = brief_text(&marked, phase.name.as_str(), values)? else { continue };
        let brief = parts(brief);
        if brief.join(text) != *filled {
            return Err(scenario.tree.problem(&format!("agenda.{}.brief.text", phase.name), as_it_is));
        }
        if brief.len() > 1 {
            briefs.push((place, brief));
        }
    }
    if motion.len() == 1 && briefs.is_empty() {
        let problem = tree.problem("items", "the scenario nowhere asks about the item");
        return Err(problem.with_hint(Some("its motion or a brief prints {{ item.text }}".to_string())));
    }
    let by_prompt = |name: &str| prompts.values().any(|text| text.contains(&format!("parameters.{name}")));
    let without = Scenario { item: None, texts: Texts::default(), ..scenario.clone() };
    let is_replaced = |name: &&String| {
        is_read(name, plan, values, &without) && !is_read(name, plan, values, &marked) && !by_prompt(name)
    };
    let replaced = values.keys().filter(is_replaced).cloned().collect();
    Ok(Some(Questions { motion, briefs, replaced }))
}

/// Whether the motion or a brief would be another with another value of a text parameter.
fn is_read(name: &str, plan: &Plan, values: &IndexMap<String, Scalar>, scenario: &Scenario) -> bool {
    let Some(Scalar::Text(_)) = values.get(name) else { return false };
    let mut others = values.clone();
    others.insert(name.to_string(), Scalar::Text(MARK.chars().rev().collect()));
    let texts = |values: &IndexMap<String, Scalar>| -> Vec<Option<String>> {
        let motion = scenario.fill(&scenario.written.motion.text, "motion.text", values).ok();
        let briefs = plan.agenda.iter().map(|phase| brief_text(scenario, phase.name.as_str(), values).ok().flatten());
        std::iter::once(motion).chain(briefs).collect()
    };
    texts(values) != texts(&others)
}

impl Plan {
    /// The plan of an item's sessions. It shares all that items leave as it is.
    pub fn of_item(&self, item: &Arc<Item>) -> Plan {
        let mut plan = self.asking(&item.text);
        if !item.options.is_empty() {
            Arc::make_mut(&mut plan.motion).alternatives = item.alternatives();
        }
        if let Some(amount) = &item.amount {
            amount.offer(Arc::make_mut(&mut plan.motion));
        }
        // The key is no part of it: which answer is right changes no session, only what is said of it. But where seats are told
        // of it, or minds decide by it, it is.
        let signals = self.evidence.as_deref().and_then(|evidence| evidence.signals.as_ref());
        let told = item.key.as_ref().filter(|_| signals.is_some() || schemes::needing(self).next().is_some());
        let own = [
            ("arm", self.digest.to_string()),
            ("item", item.id.clone()),
            ("item.text", item.text.clone()),
            ("item.options", item.options.join("|")),
        ];
        let own = own.into_iter().chain(told.map(|key| ("item.key", key.to_string())));
        let named = item.named.iter().map(|(column, name)| format!("{column} {name}")).collect::<Vec<_>>().join("|");
        let own = own.chain((!named.is_empty()).then_some(("item.columns", named)));
        let own = own.chain(item.amount.as_ref().map(|amount| ("item.amount", amount.words())));
        plan.digest = digest_of(&own.collect::<BTreeMap<_, _>>());
        plan.item = Some(Arc::clone(item));
        plan.say(item);
        plan.translations = self.translations.iter().map(|other| Arc::new(other.of_item(item))).collect();
        plan
    }

    /// Puts into scripts what the item names.
    fn say(&mut self, item: &Item) {
        let reads = |seat: &Seat| matches!(&seat.sitter, Sitter::Mind(Mind::Scripted(script)) if script.reads_items());
        if !self.seats.iter().any(reads) {
            return;
        }
        let named = |column: &str| {
            let id = self.motion.find(item.named.get(column)?.as_str())?;
            Some((id, self.motion.alternatives[id.index()].label.clone()))
        };
        let mut seats = self.seats.clone();
        for seat in &mut seats {
            if let Sitter::Mind(Mind::Scripted(script)) = &mut seat.sitter {
                *script = script.of_item(&named);
            }
        }
        self.shared = Arc::new(ArmPlan { seats, ..(*self.shared).clone() });
    }

    /// The same plan with another question in its texts.
    fn asking(&self, text: &str) -> Plan {
        let mut plan = self.clone();
        if let Some(questions) = &self.shared.questions {
            Arc::make_mut(&mut plan.motion).text = questions.motion.join(text);
            for (place, parts) in &questions.briefs {
                plan.agenda[*place].kind = PhaseKind::Brief { text: parts.join(text) };
            }
        }
        plan
    }

    /// What of this plan no item changes, for its identity.
    pub(super) fn of_no_item(&self, items: &IndexMap<String, Arc<Item>>) -> Plan {
        if items.is_empty() {
            return self.clone();
        }
        let mut plan = self.asking("{{ item.text }}");
        if items.values().any(|item| !item.options.is_empty()) {
            Arc::make_mut(&mut plan.motion).alternatives.clear();
        }
        if items.values().any(|item| item.amount.is_some()) {
            ItemAmount { unit: "{{ item.unit }}".to_string(), min: 0, max: 0 }.offer(Arc::make_mut(&mut plan.motion));
        }
        plan
    }
}

/// What of each item belongs to its sessions, and its key, for the record of deviations.
pub fn describe(items: &IndexMap<String, Arc<Item>>, design: &mut BTreeMap<String, String>) {
    if items.is_empty() {
        return;
    }
    design.insert("items".to_string(), items.len().to_string());
    for (id, item) in items {
        let mut asked = format!("{}\n{}", item.text, item.options.join("|"));
        item.named.iter().for_each(|(column, name)| asked.push_str(&format!("\n{column} {name}")));
        item.amount.iter().for_each(|amount| asked.push_str(&format!("\n{}", amount.words())));
        design.insert(format!("items.{id}"), Digest::of_text(&asked).to_string());
        let key = item.key.iter().map(|key| (format!("items.{id}.key"), key.to_string()));
        design.extend(key);
    }
}

/// The id of the item whose key is recorded under this name of a design; `None` for any other name.
pub fn item_of_key(name: &str) -> Option<&str> {
    name.strip_prefix("items.")?.strip_suffix(".key")
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
