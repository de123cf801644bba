//! Lowers items, and checks that the scenario asks about each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::filling::FilledText;
use crate::config::lower::agenda::brief_text;
use crate::config::lower::forms;
use crate::config::lower::item_rows::{ItemColumns, find_item_columns, read_item_rows, sample_items};
use crate::config::lower::printable::PrintableNames;
use crate::config::personas::PersonaFile;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{ItemsGiven, Scenario};
use crate::config::texts::Texts;
use crate::config::tree::Node;
use crate::config::written::config::{Config, ItemsConfig};
use crate::config::written::each::ForConfig;
use crate::config::written::scenario::PhaseConfig;
use crate::domain::{Digest, Language};
use crate::plan::{
    FormPlan, Item, ItemsFile, LoopColumn, LoopItem, MARK, Phase, PhaseKind, Plan, QuestionTemplates, Scalar,
    check_name,
};
use crate::prompt::Disclosure;

/// The stored path of the item file, beside the config.
pub const KEPT: &str = "items.csv";

/// The source of a config's items; `None` if the config has none or the file was not read.
pub fn items_file(config: &Config, file: Option<&PersonaFile>) -> Option<ItemsFile> {
    let (written, file) = config.items.as_ref().zip(file)?;
    let ItemsConfig { id, text, options, key, amount, .. } = written.clone();
    let amount = amount.map(|amount| [amount.unit, amount.min, amount.max]);
    Some(ItemsFile { digest: file.digest.clone(), rows: file.rows.len() as u64, id, text, options, key, amount })
}

/// Reads the sampled items by id, in the file's order.
///
/// # Errors
/// Every error in `items` and its file.
pub fn lower_items(
    config: &Config,
    file: Option<&PersonaFile>,
    scenario: &Scenario,
    tree: &Node,
) -> Result<IndexMap<String, Arc<Item>>, Problems> {
    let Some(written) = &config.items else { return Ok(IndexMap::new()) };
    let file = file.ok_or_else(|| tree.problem("items", "its file was not read"))?;
    let mut problems = Problems::default();
    let by_template = |phase: &&PhaseConfig| phase.brief.as_ref().is_some_and(|brief| brief.template.is_some());
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
    check_shown_columns(written, scenario, tree, &mut problems);
    let columns = find_item_columns(written, file, tree, &mut problems);
    let items = read_rows(file, columns.as_ref(), scenario, problems)?;
    Ok(sample_items(items, written.sample, config.seed, tree)?)
}

/// The rows of a file of items, of which there is at least one.
fn read_rows(
    file: &PersonaFile,
    columns: Option<&ItemColumns>,
    scenario: &Scenario,
    mut problems: Problems,
) -> Result<IndexMap<String, Arc<Item>>, Problems> {
    let items = columns.map(|columns| read_item_rows(file, columns, scenario, &mut problems)).unwrap_or_default();
    if problems.is_empty() && items.is_empty() {
        problems.push(Problem::of_file(&file.shown, "the file has no items"));
    }
    problems.into_result()?;
    Ok(items)
}

/// Reads the sampled items that blocks of a session take place for, in the file's order.
///
/// # Errors
/// Every error in `items` and its file, and settings of items that belong to sessions about one item.
pub fn lower_loop_items(
    config: &Config,
    file: Option<&PersonaFile>,
    scenario: &Scenario,
    tree: &Node,
) -> Result<Arc<[LoopItem]>, Problems> {
    let Some(written) = &config.items else { return Ok(Arc::new([])) };
    let mut problems = Problems::default();
    let is_asked = scenario.blocks.iter().any(|block| block.each.as_ref().is_some_and(ForConfig::is_for_items));
    if !is_asked {
        let message = "no block of the agenda goes through the items: write for: { each: items } on one";
        problems.push(tree.problem("items.per", message));
    }
    if written.amount.is_some() {
        let message = "amount belongs to sessions about one item each: leave it out, or write per: session";
        problems.push(tree.problem("items.amount", message));
    }
    check_loop_columns(written, scenario, tree, &mut problems);
    problems.into_result()?;
    let file = file.ok_or_else(|| tree.problem("items", "its file was not read"))?;
    let mut problems = Problems::default();
    // What is right is read as the field has it that asks for it.
    let unkeyed = ItemsConfig { key: None, columns: None, ..written.clone() };
    let columns = find_item_columns(&unkeyed, file, tree, &mut problems);
    let mut places = Vec::new();
    for (position, name) in written.script_columns().iter().enumerate() {
        let place = problems.ok_or_report(file.find_column(name, &format!("items.columns.{position}"), tree));
        places.extend(place.map(|place| (name.clone(), place)));
    }
    let key = written.key.as_ref().map(|name| problems.ok_or_report(file.find_column(name, "items.key", tree)));
    let items = read_rows(file, columns.as_ref(), scenario, problems)?;
    let items = sample_items(items, written.sample, config.seed, tree)?;
    let cell = |item: &Item, place: usize| {
        let row = file.rows.iter().find(|row| row.line() == item.line);
        row.map(|row| row.cells[place].trim().replace("\r\n", "\n")).unwrap_or_default()
    };
    let item = |item: &Arc<Item>| LoopItem {
        id: item.id.clone(),
        text: item.text.clone(),
        key: key.flatten().map(|place| cell(item, place)).filter(|key| !key.is_empty()),
        options: item.options.clone(),
        columns: places
            .iter()
            .map(|(name, place)| (name.clone(), cell(item, *place)))
            .chain(item.shown.clone())
            .collect(),
    };
    Ok(items.values().map(item).collect())
}

/// The further columns of the items that blocks of a session take place for.
pub fn list_loop_columns(config: &Config) -> Arc<[LoopColumn]> {
    let Some(written) = &config.items else { return Arc::new([]) };
    let mut columns: IndexMap<&str, Vec<String>> = IndexMap::new();
    for (role, shown) in written.shown_to.iter().flatten() {
        shown.iter().for_each(|column| columns.entry(column).or_default().push(role.clone()));
    }
    let public = written.script_columns().iter().map(|name| LoopColumn { name: name.clone(), roles: Vec::new() });
    public.chain(columns.into_iter().map(|(name, roles)| LoopColumn { name: name.to_owned(), roles })).collect()
}

/// Checks the further columns of items that blocks take place for.
fn check_loop_columns(written: &ItemsConfig, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    check_shown_columns(written, scenario, tree, problems);
    let mut tell = |path: String, message: &str| problems.push(tree.problem(&path, message));
    for (position, column) in written.script_columns().iter().enumerate() {
        let path = format!("items.columns.{position}");
        if written.key.as_ref() == Some(column) {
            tell(path, "the column of right answers is shown to no seat");
        } else if written.shown_to.iter().flatten().any(|(_, shown)| shown.contains(column)) {
            tell(path, "the column is shown to some roles alone: leave it out here");
        } else if let Err(message) = check_name(column) {
            tell(path, &message);
        }
    }
    let shown = written.shown_to.iter().flatten().flat_map(|(role, columns)| {
        columns.iter().enumerate().map(move |(position, column)| (format!("items.shown_to.{role}.{position}"), column))
    });
    let public = written.script_columns().iter().enumerate();
    let public = public.map(|(position, column)| (format!("items.columns.{position}"), column));
    for (path, column) in public.chain(shown) {
        if ["id", "text", "key", "options"].contains(&column.as_str()) {
            tell(path, "an item has something else of this name; rename the column");
        }
    }
}

/// Checks the columns that seats of some roles are shown.
fn check_shown_columns(written: &ItemsConfig, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    for (role, columns) in written.shown_to.iter().flatten() {
        let path = format!("items.shown_to.{role}");
        if !scenario.written.roles.contains_key(role) {
            problems.push(tree.unknown_name(&path, ("role", role), scenario.written.roles.keys().map(String::as_str)));
        }
        for (position, column) in columns.iter().enumerate() {
            let path = format!("{path}.{position}");
            if written.key.as_ref() == Some(column) {
                problems.push(tree.problem(&path, "the column of right answers is shown to no seat"));
            } else if let Err(message) = check_name(column) {
                problems.push(tree.problem(&path, message));
            } else if columns[..position].contains(column) {
                problems.push(tree.problem(&path, format!("{column} is there twice")));
            }
        }
    }
}

/// The first item for each number of options; empty if items have no options of their own.
pub fn distinct_offers(items: &IndexMap<String, Arc<Item>>) -> impl Iterator<Item = &Arc<Item>> {
    let mut seen = BTreeSet::new();
    items.values().filter(move |item| !item.options.is_empty() && seen.insert(item.options.len()))
}

/// What a text may do with the question of an item.
const AS_IT_IS: &str = "a text prints the question of an item as it is, and does nothing else with it";

/// The parts of a text between the marks that stand for the question of the item, which is `question` where it is printed.
fn split_text(
    marked: &str,
    (question, printed): (&str, &str),
    scenario: &Scenario,
    path: &str,
) -> Result<Vec<String>, Problem> {
    let parts: Vec<String> = marked.split(MARK).map(str::to_string).collect();
    if parts.join(question) == printed { Ok(parts) } else { Err(scenario.tree.problem(path, AS_IT_IS)) }
}

/// The questions of a form that print an item's question, split at it, with the positions of their fields.
fn split_questions(
    phase: &Phase,
    (form, language): (&FormPlan, Language),
    (marked, text): (&Scenario, &str),
    values: &IndexMap<String, Scalar>,
) -> Result<Vec<(usize, Vec<String>)>, Problem> {
    let name = phase.name.written();
    let Some(written) = marked.find_phase(name) else {
        return Ok(Vec::new());
    };
    let Some(ask) = &written.ask else { return Ok(Vec::new()) };
    let (printable, key) = PrintableNames::of_form(marked, written, ask);
    let fill = |text: &str, field: &str| {
        let place = format!("agenda.{name}.{key}.{field}");
        marked.lower_text((text, &place), values, (&printable, Disclosure::OwnOnly), language)
    };
    let questions = forms::lower_form(ask.fields(), (language, values), &fill)?.asked.questions.clone();
    let mut split = Vec::new();
    for (field, question) in questions.into_iter().enumerate() {
        let path = format!("agenda.{name}.{key}.{field}.question");
        let parts = split_text(&question, (text, &form.questions[field]), marked, &path)?;
        if parts.len() > 1 {
            split.push((field, parts));
        }
    }
    Ok(split)
}

/// The texts of an arm that print an item's question.
///
/// # Errors
/// If no text prints the question, or a text does anything else with it.
pub fn lower_questions(
    plan: &Plan,
    values: &IndexMap<String, Scalar>,
    scenario: &Scenario,
    prompts: &BTreeMap<String, String>,
    tree: &Node,
) -> Result<Option<QuestionTemplates>, Problem> {
    let Some(text) = &scenario.items.text else { return Ok(None) };
    let items = ItemsGiven { text: Some(MARK.to_string()), ..scenario.items.clone() };
    let marked = Scenario { items, texts: Texts::default(), ..scenario.clone() };
    let filled = marked.fill_text(&scenario.written.motion.text, "motion.text", values)?;
    let motion = split_text(&filled, (text, &plan.motion.text), scenario, "motion.text")?;
    let (mut briefs, mut asking, mut votes) = (Vec::new(), Vec::new(), Vec::new());
    for (place, phase) in plan.agenda.iter().enumerate() {
        if let PhaseKind::Form(form) = &phase.kind {
            let filled = split_questions(phase, (form, plan.motion.language), (&marked, text), values)?;
            asking.extend(filled.into_iter().map(|(field, question)| (place, field, question)));
        }
        if let PhaseKind::Vote(vote) = &phase.kind
            && let Some(own) = &vote.motion
        {
            let name = phase.name.written();
            let written = scenario.find_phase(name);
            let words = written.and_then(|written| written.vote.as_ref()?.question.as_ref());
            let path = format!("agenda.{name}.vote.question");
            let filled = words.map_or_else(|| Ok(motion.join(MARK)), |words| marked.fill_text(words, &path, values))?;
            let question = split_text(&filled, (text, &own.text), scenario, &path)?;
            if question.len() > 1 {
                votes.push((place, question));
            }
        }
        let PhaseKind::Brief { text: filled, live: None, .. } = &phase.kind else { continue };
        let filling = brief_text(&marked, phase.name.written(), values, plan.motion.language)?;
        let Some(FilledText::Fixed(brief)) = filling else { continue };
        let path = format!("agenda.{}.brief.text", phase.name);
        let brief = split_text(&brief, (text, filled), scenario, &path)?;
        if brief.len() > 1 {
            briefs.push((place, brief));
        }
    }
    let is_printed_live = |phase: &Phase| match &phase.kind {
        PhaseKind::Brief { live: Some(live), .. } => live.source.contains("item."),
        PhaseKind::Form(form) => form.live.iter().any(|(_, live)| live.source.contains("item.")),
        _ => false,
    };
    if motion.len() == 1
        && briefs.is_empty()
        && asking.is_empty()
        && votes.is_empty()
        && !plan.agenda.iter().any(is_printed_live)
    {
        let problem = tree.problem("items", "the scenario nowhere asks about the item");
        return Err(problem.with_advice("its motion, a brief or a form prints {{ item.text }}"));
    }
    let by_prompt = |name: &str| prompts.values().any(|text| text.contains(&format!("parameters.{name}")));
    let items = ItemsGiven { text: None, ..scenario.items.clone() };
    let without = Scenario { items, texts: Texts::default(), ..scenario.clone() };
    let is_replaced = |name: &&String| {
        is_parameter_read(name, plan, values, &without)
            && !is_parameter_read(name, plan, values, &marked)
            && !by_prompt(name)
    };
    let replaced = values.keys().filter(is_replaced).cloned().collect();
    Ok(Some(QuestionTemplates { motion, briefs, forms: asking, votes, replaced }))
}

/// Whether a text parameter affects the motion or a brief.
fn is_parameter_read(name: &str, plan: &Plan, values: &IndexMap<String, Scalar>, scenario: &Scenario) -> bool {
    let Some(Scalar::Text(_)) = values.get(name) else { return false };
    let mut others = values.clone();
    others.insert(name.to_string(), Scalar::Text(MARK.chars().rev().collect()));
    let texts = |values: &IndexMap<String, Scalar>| -> Vec<Option<String>> {
        let motion = scenario.fill_text(&scenario.written.motion.text, "motion.text", values).ok();
        let fixed = |phase: &Phase| match brief_text(scenario, phase.name.written(), values, plan.motion.language) {
            Ok(Some(FilledText::Fixed(text))) => Some(text),
            _ => None,
        };
        let briefs = plan.agenda.iter().map(fixed);
        std::iter::once(motion).chain(briefs).collect()
    };
    texts(values) != texts(&others)
}

/// Adds digests of what sessions see of each item, and the items' keys, to the description of the design.
pub fn describe_items(items: &IndexMap<String, Arc<Item>>, design: &mut BTreeMap<String, String>) {
    if items.is_empty() {
        return;
    }
    design.insert("items".to_string(), items.len().to_string());
    for (id, item) in items {
        let mut asked = format!("{}\n{}", item.text, item.options.join("|"));
        item.named.iter().for_each(|(column, name)| asked.push_str(&format!("\n{column} {name}")));
        item.shown.iter().for_each(|(column, text)| asked.push_str(&format!("\n{column} {text}")));
        item.amount.iter().for_each(|amount| asked.push_str(&format!("\n{}", amount.range_text())));
        design.insert(format!("items.{id}"), Digest::of_text(&asked).to_string());
        let key = item.key.iter().map(|key| (format!("items.{id}.key"), key.to_string()));
        design.extend(key);
    }
}
