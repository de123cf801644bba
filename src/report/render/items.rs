//! The outcomes of an arm question by question, as text.

use super::columns::{NAME, in_words, line, named};
use crate::report::items::{CorrectShare, ItemReport, ItemsReport, are_voted_on};
use crate::report::lines::fitted;
use crate::report::numbers::{counted, grouped, share_of_decisions};
use crate::report::plain::on_line;
use crate::text::put_line;

/// Items of an arm that are shown; the table of sessions has them all.
const ITEMS: usize = 10;
/// Columns of what was decided for.
const DECIDED: usize = 38;

/// What a column of the items tells of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemColumn {
    /// How many decided for the key.
    Correct,
    /// How many decided for a wrong option that the item names for scripts.
    Conformed,
    /// The right amount.
    Right,
}

/// The main outcome over all items, then item by item what was decided for.
pub(super) fn put(out: &mut String, of: &ItemsReport) {
    if !are_voted_on(&of.items) {
        return;
    }
    match (&of.conformed, &of.correct) {
        (Some(conformed), _) => {
            line(out, "conformed", &conformed.words());
            line(out, "", &format!("in {},", conformed.critical()));
            line(out, "", "for a wrong option that the item names for scripts");
            line(out, "correct", &conformed.right_words());
        }
        (None, Some(correct)) => put_correct(out, correct),
        (None, None) => {}
    }
    if let Some(error) = &of.error {
        let mean =
            format!("{:.1} % of what is right, the mean over {}", 100.0 * error.mean, counted(error.items, "item"));
        line(out, "error", &mean);
        line(out, "", &format!("and {}", counted(error.sessions, "decision")));
    }
    let shown = match (&of.conformed, &of.error) {
        (Some(_), _) => ItemColumn::Conformed,
        (None, Some(_)) => ItemColumn::Right,
        (None, None) => ItemColumn::Correct,
    };
    let columns = shown.name().len().max("12 of 20".len());
    put_line!(out, " {:<NAME$}sessions {:>columns$}  decided for", "item", shown.name());
    let many = if of.items.len() > ITEMS + 2 { ITEMS } else { of.items.len() };
    of.items[..many].iter().for_each(|item| item_row(out, item, (shown, columns)));
    if many < of.items.len() {
        let (more, all) = (grouped((of.items.len() - many) as u64), "sessions.csv and --json tell all");
        put_line!(out, " … {more} more items; {all}");
    }
    legend(out, of, shown);
    out.push('\n');
}

/// How many were right, beside what a lot would give.
fn put_correct(out: &mut String, correct: &CorrectShare) {
    line(out, "correct", &share_of_decisions(correct.correct, correct.sessions));
    let chance = &correct.chance;
    let (level, items) = (100.0 * chance.level, counted(chance.items, "item"));
    line(out, "", &format!("by lot {level:.0} %: the mean over {items} of 1 / options"));
    let left_out = [(correct.undecided, "without a decision"), (correct.without_key, "on an item without a key")];
    let told: Vec<String> = left_out
        .iter()
        .filter(|(sessions, _)| *sessions > 0)
        .map(|(sessions, why)| format!("{} {why}", grouped(*sessions)))
        .collect();
    if !told.is_empty() {
        line(out, "", &format!("not counted: {}", told.join(", ")));
    }
}

fn legend(out: &mut String, of: &ItemsReport, shown: ItemColumn) {
    match shown {
        ItemColumn::Conformed => out.push_str(" –: the item is no critical one; the key is marked *\n"),
        ItemColumn::Correct if of.correct.is_some() => {
            out.push_str(" correct: of the decisions, those for the item's key, which is marked *\n");
        }
        ItemColumn::Correct | ItemColumn::Right => {}
    }
    if of.own_options {
        out.push_str(" letters are each item's own options, in the order of its row\n");
    }
}

impl ItemColumn {
    const fn name(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Conformed => "conformed",
            Self::Right => "right",
        }
    }
}

fn item_row(out: &mut String, item: &ItemReport, (shown, columns): (ItemColumn, usize)) {
    let share = |many: u64| format!("{} of {}", grouped(many), grouped(item.with_decision()));
    let own = match (shown, item.conformed, item.correct) {
        (ItemColumn::Conformed, Some(many), _) | (ItemColumn::Correct, _, Some(many)) => share(many),
        (ItemColumn::Conformed, None, _) => "–".to_owned(),
        _ => item.key.as_deref().map_or("no key".to_owned(), on_line),
    };
    let mark = |name: &str| if item.key.as_deref() == Some(name) { "*" } else { "" };
    let decided =
        item.decided.iter().map(|(name, count)| format!("{}{} {}", on_line(name), mark(name), grouped(*count)));
    let none = (item.no_decision > 0).then(|| format!("no decision {}", grouped(item.no_decision)));
    let decided: Vec<String> = match &item.amounts {
        Some(amounts) => std::iter::once(in_words(amounts)).chain(none).collect(),
        None => decided.chain(none).collect(),
    };
    let (name, decided) = (named(&item.item), fitted(&decided.join(", "), DECIDED + "12 of 20".len() - columns));
    put_line!(out, " {name}{:>8} {own:>columns$}  {decided}", grouped(item.sessions));
}
