//! Reads and checks the rows of an item file.
//!
//! Other modules combine items with plans.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::config::personas::{PersonaFile, report_rows};
use crate::config::problem::{Problem, Problems, did_you_mean};
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::config::ItemsConfig;
use crate::config::written::scenario::AMOUNT_MAX;
use crate::domain::{AlternativeName, Truth};
use crate::plan::{Item, ItemAmount, LETTERS, check_item_id, option_letter};

const SEPARATOR: char = '|';
/// The limit on items: a larger number is probably a mistake.
const ITEMS_MAX: usize = 1_000_000;
/// The BLAKE3 context of the draws that sample items.
const SAMPLE_CONTEXT: &str = "ekklesia sample of items v1";

/// The positions of the columns that the config names.
#[derive(Debug, Clone)]
pub struct ItemColumns {
    id: usize,
    text: usize,
    options: Option<usize>,
    key: Option<usize>,
    /// Unit, least and greatest amount.
    amount: Option<[usize; 3]>,
    /// Columns whose values scripts use.
    said: Vec<(String, usize)>,
    /// Columns whose texts seats are shown.
    shown: Vec<(String, usize)>,
}

pub fn find_item_columns(
    written: &ItemsConfig,
    file: &PersonaFile,
    tree: &Node,
    problems: &mut Problems,
) -> Option<ItemColumns> {
    let mut column =
        |key: &str, column: &String| problems.ok_or_report(file.find_column(column, &format!("items.{key}"), tree));
    let (id, text) = (column("id", &written.id), column("text", &written.text));
    let options = written.options.as_ref().map(|name| column("options", name));
    let key = written.key.as_ref().map(|name| column("key", name));
    let amount = written.amount.as_ref().map(|amount| {
        let of = [("unit", &amount.unit), ("min", &amount.min), ("max", &amount.max)];
        let [unit, min, max] = of.map(|(key, name)| column(&format!("amount.{key}"), name));
        Some([unit?, min?, max?])
    });
    let names: IndexSet<&String> = written.shown_to.iter().flatten().flat_map(|(_, columns)| columns).collect();
    // Every column is looked for, so that all that are missing are reported.
    let shown = names.into_iter().map(|name| Some((name.clone(), column("shown_to", name)?)));
    let shown: Vec<Option<(String, usize)>> = shown.collect();
    let optional = |found: Option<Option<usize>>| found.map_or(Some(None), |column| column.map(Some));
    let said = written.script_columns().iter().enumerate().map(|(position, name)| {
        let place = column(&format!("columns.{position}"), name);
        place.map(|place| (name.clone(), place))
    });
    let said: Vec<Option<(String, usize)>> = said.collect();
    let amount = amount.map_or(Some(None), |columns| columns.map(Some))?;
    Some(ItemColumns {
        id: id?,
        text: text?,
        options: optional(options)?,
        key: optional(key)?,
        amount,
        said: said.into_iter().collect::<Option<Vec<_>>>()?,
        shown: shown.into_iter().collect::<Option<Vec<_>>>()?,
    })
}

pub fn read_item_rows(
    file: &PersonaFile,
    columns: &ItemColumns,
    scenario: &Scenario,
    problems: &mut Problems,
) -> IndexMap<String, Arc<Item>> {
    let mut wrong = Vec::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let mut items = IndexMap::new();
    for row in &file.rows {
        let (cells, line) = (&row.cells, row.line());
        let id = cells[columns.id].as_str();
        let told = |message: String| row.cell_problem(file, columns.id, message);
        if let Err(message) = check_item_id(id) {
            wrong.push(told(message));
        } else if let Some(earlier) = lines.insert(id.to_ascii_lowercase(), line) {
            // Compared in lower case: on some systems folder names that differ only in case are one folder.
            wrong.push(told(format!("the id \"{id}\" stands in line {earlier}, too")));
        }
        match read_item(cells, columns, scenario, line) {
            Ok(item) => drop(items.insert(id.to_string(), Arc::new(item))),
            Err(cells) => {
                wrong.extend(cells.into_iter().map(|(column, message, hint)| {
                    row.cell_problem(file, column, format!("the item \"{id}\" {message}")).with_hint(hint)
                }));
            }
        }
    }
    if items.len() > ITEMS_MAX {
        problems.push(Problem::of_file(&file.shown, format!("more than {ITEMS_MAX} items")));
    }
    report_rows(file, wrong, problems);
    items
}

/// An error in a row: the column of the cell, the message, and a hint.
type CellMistake = (usize, String, Option<String>);

/// Reads a row, or returns all its errors.
pub fn read_item(
    cells: &[String],
    columns: &ItemColumns,
    scenario: &Scenario,
    line: u64,
) -> Result<Item, Vec<CellMistake>> {
    let mut wrong = Vec::new();
    let text = cells[columns.text].trim().replace("\r\n", "\n");
    if text.is_empty() {
        wrong.push((columns.text, "has no text".to_string(), None));
    }
    let options = match columns.options {
        None => Some(Vec::new()),
        Some(column) => {
            let read = read_options(&cells[column]);
            read.map_err(|messages| wrong.extend(messages.into_iter().map(|message| (column, message, None)))).ok()
        }
    };
    let before = wrong.len();
    let amount = columns.amount.and_then(|columns| {
        read_amount(columns.map(|column| (column, cells[column].trim()))).map_err(|message| wrong.extend(message)).ok()
    });
    let key = columns.key.map(|column| cells[column].trim()).filter(|key| !key.is_empty());
    // If the options or amounts are wrong, the key cannot be checked.
    let key = options.as_ref().filter(|_| wrong.len() == before).zip(key).and_then(|(options, key)| {
        read_key(key, options, amount.as_ref(), scenario)
            .map_err(|(message, hint)| {
                wrong.push((columns.key.unwrap_or(columns.id), format!("has the key \"{key}\", {message}"), hint));
            })
            .ok()
    });
    let mut names = BTreeMap::new();
    for (column, place) in options.iter().flat_map(|_| &columns.said) {
        match find_alternative(cells[*place].trim(), options.as_deref().unwrap_or_default(), scenario) {
            Ok(name) => drop(names.insert(column.clone(), name)),
            Err((message, hint)) => {
                wrong.push((*place, format!("has the {column} \"{}\", {message}", cells[*place].trim()), hint));
            }
        }
    }
    match options {
        Some(options) if wrong.is_empty() => {
            let shown =
                columns.shown.iter().map(|(name, place)| (name.clone(), cells[*place].trim().replace("\r\n", "\n")));
            let shown = shown.collect();
            Ok(Item { id: cells[columns.id].clone(), text, options, key, amount, named: names, shown, line })
        }
        _ => Err(wrong),
    }
}

/// The range of amounts, or all errors in its cells.
fn read_amount([unit, min, max]: [(usize, &str); 3]) -> Result<ItemAmount, Vec<CellMistake>> {
    let mut wrong = Vec::new();
    if unit.1.is_empty() {
        wrong.push((unit.0, "has no unit".to_string(), None));
    }
    let mut whole = |(column, cell): (usize, &str), which: &str| {
        let number = cell.parse().ok().filter(|number| *number <= AMOUNT_MAX);
        let message = || format!("has the {which} amount \"{cell}\", which is no whole number from 0 to {AMOUNT_MAX}");
        number.ok_or_else(|| wrong.push((column, message(), None))).ok()
    };
    let range = whole(min, "least").zip(whole(max, "greatest"));
    if let Some((least, greatest)) = range.filter(|(least, greatest)| least >= greatest) {
        wrong.push((min.0, format!("has the least amount {least}, which is not below the greatest {greatest}"), None));
    }
    match range {
        Some((min, max)) if wrong.is_empty() => Ok(ItemAmount { unit: unit.1.to_string(), min, max }),
        _ => Err(wrong),
    }
}

/// The right answer of a key: an alternative, or an amount if only an amount is decided.
fn read_key(
    key: &str,
    options: &[String],
    amount: Option<&ItemAmount>,
    scenario: &Scenario,
) -> Result<Truth, (String, Option<String>)> {
    let written = &scenario.written;
    if !options.is_empty() || written.alternatives.len() != 1 {
        return find_alternative(key, options, scenario).map(Truth::Alternative);
    }
    let range = amount.map(|amount| (amount.min, amount.max));
    let range = range.or_else(|| written.amount.as_ref().map(|amount| (amount.min, amount.max)));
    let (least, greatest) = range.unwrap_or((0, AMOUNT_MAX));
    let number = key.parse().ok().filter(|number| (least..=greatest).contains(number));
    number.map(Truth::Amount).ok_or_else(|| (format!("which is no whole number from {least} to {greatest}"), None))
}

/// The alternative that a key names: an option, or without options one of the scenario's. The error is a message and a hint.
pub fn find_alternative(
    key: &str,
    options: &[String],
    scenario: &Scenario,
) -> Result<AlternativeName, (String, Option<String>)> {
    if !options.is_empty() {
        let meant = || did_you_mean(key, options.iter().map(String::as_str));
        let place = options.iter().position(|option| option == key);
        return place.map(option_letter).ok_or_else(|| ("which is none of its options".to_string(), meant()));
    }
    let known: Vec<&str> = scenario.written.alternatives.iter().map(|other| other.name.as_str()).collect();
    let name = known.iter().find(|name| **name == key).map(|name| AlternativeName::new(name));
    name.ok_or_else(|| (format!("which is none of {}", known.join(", ")), did_you_mean(key, known.iter().copied())))
}

/// The options of a cell, or all errors in them.
fn read_options(cell: &str) -> Result<Vec<String>, Vec<String>> {
    let mut wrong = Vec::new();
    let options: Vec<String> = cell.split(SEPARATOR).map(|option| option.trim().replace("\r\n", "\n")).collect();
    if options.iter().any(String::is_empty) {
        wrong.push("has an empty option".to_string());
    }
    let is_second = |place: &usize| options[..*place].iter().filter(|other| **other == options[*place]).count() == 1;
    let twice = (1..options.len()).filter(is_second).filter(|place| !options[*place].is_empty());
    wrong.extend(twice.map(|place| format!("has the option \"{}\" twice", options[place])));
    match options.len() {
        1 if wrong.is_empty() => wrong.push(format!("has one option only; {SEPARATOR} stands between two")),
        count if count > LETTERS.len() => {
            wrong.push(format!("has {count} options, more than {}", LETTERS.len()));
        }
        _ => {}
    }
    if wrong.is_empty() { Ok(options) } else { Err(wrong) }
}

/// Samples the items with the lowest draws. A draw depends only on seed and id, so a larger sample contains a smaller one.
pub fn sample_items(
    mut items: IndexMap<String, Arc<Item>>,
    sample: Option<u32>,
    seed: u64,
    tree: &Node,
) -> Result<IndexMap<String, Arc<Item>>, Problem> {
    let Some(sample) = sample.map(|sample| sample as usize) else { return Ok(items) };
    if sample > items.len() {
        let message = format!("{sample} is outside 1 … {}, the items of the file", items.len());
        return Err(tree.problem("items.sample", message));
    }
    let lot = |id: &String| blake3::derive_key(SAMPLE_CONTEXT, &[&seed.to_le_bytes(), id.as_bytes()].concat());
    let mut lots: Vec<[u8; 32]> = items.keys().map(lot).collect();
    lots.sort_unstable();
    let last = lots[sample - 1];
    items.retain(|id, _| lot(id) <= last);
    Ok(items)
}
