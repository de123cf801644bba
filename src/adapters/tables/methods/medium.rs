//! What the seats saw, in words: the motion with its alternatives and parameters, what memories held, how questions were put.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use indexmap::IndexMap;

use super::seats;
use super::words::{WROTE, block, code, count, list, millionths};
use crate::memory::{HistoryInBrief, MemoryPolicy, Window};
use crate::plan::{Experiment, Item, ItemsFile, OptionOrder, Plan, SummaryModel};
use crate::prompt::Parameter;

/// What was decided, among what, under which parameters.
pub(super) fn scenario(plan: &Plan, experiment: &Experiment) -> String {
    if !experiment.items.is_empty() {
        return asked(plan, experiment);
    }
    let mut out =
        format!("Every group decided on this motion:\n\n{}\nThe alternatives were:\n\n", block(&plan.motion.text));
    for alternative in &plan.motion.alternatives {
        let amount = if alternative.takes_amount { ", chosen with an amount" } else { "" };
        let status_quo = if alternative.status_quo { ", the status quo" } else { "" };
        let name = alternative.name.as_str();
        writeln!(out, "- {}{amount}{status_quo}, put to the seats as {}", code(name), code(&alternative.label))
            .expect(WROTE);
    }
    if let Some(most) = plan.motion.amount_max {
        writeln!(out, "\nAn amount is a whole number from 1 to {most}.").expect(WROTE);
    }
    put_parameters(&mut out, plan);
    out
}

/// What was decided where each session has a question of its own.
fn asked(plan: &Plan, experiment: &Experiment) -> String {
    let items = &experiment.items;
    let mut out = format!(
        "Each session decided on one of {}, which the tables name in the column `item`: {}. ",
        count(items.len() as u64, "question"),
        ids(items)
    );
    if let Some(file) = &experiment.items_file {
        put_file(&mut out, file, items.len() as u64);
    }
    if items.values().any(|item| !item.options.is_empty()) {
        out.push_str("Its alternatives were the options of its row, called a, b and so on in their order there");
        let column = experiment.items_file.as_ref().and_then(|file| file.options.as_ref());
        let column = column.map_or(String::new(), |column| format!(" (column {})", code(column)));
        write!(out, "{column}: the same letter is another alternative in another question. ").expect(WROTE);
    } else {
        let names: Vec<String> = plan.motion.alternatives.iter().map(|other| code(other.name.as_str())).collect();
        write!(out, "The alternatives were {}. ", list(&names)).expect(WROTE);
    }
    let column = experiment.items_file.as_ref().and_then(|file| file.key.as_ref());
    let column = column.map_or(String::new(), |column| format!(" (column {})", code(column)));
    match items.values().filter(|item| item.key.is_some()).count() as u64 {
        0 => out.push_str("No question had a key.\n"),
        with_key => writeln!(
            out,
            "{} had a key, the right alternative{column}, which no seat was shown; `correct` compares the decision with it and is \
             empty without a decision or a key. Which answer is right changes no session; `experiment.json` tells under `deviations` \
             whether a key was changed after the first session.",
            count(with_key, "question")
        )
        .expect(WROTE),
    }
    put_parameters(&mut out, plan);
    out
}

/// Ids in a sentence: all of a few, the first and the last of many.
fn ids(items: &IndexMap<String, Arc<Item>>) -> String {
    const FEW: usize = 30;
    const FIRST: usize = 10;
    let code = |id: &String| code(id);
    if items.len() <= FEW {
        return list(&items.keys().map(code).collect::<Vec<_>>());
    }
    let first: Vec<String> = items.keys().take(FIRST).map(code).collect();
    let last = items.keys().last().map(code).unwrap_or_default();
    format!("{} and so on to {last}", first.join(", "))
}

/// Where the questions come from, and which of them were asked.
fn put_file(out: &mut String, file: &ItemsFile, asked: u64) {
    let (rows, digest) = (count(file.rows, "question"), code(file.digest.as_str()));
    let (id, text) = (code(&file.id), code(&file.text));
    write!(out, "`inputs/items.csv` (columns {id} and {text}, digest {digest}) holds {rows}").expect(WROTE);
    match asked == file.rows {
        true => out.push_str(", and all were asked. "),
        false => write!(out, ", of which {asked} were drawn by a lot that follows from the seed (`items.sample`). ")
            .expect(WROTE),
    }
}

fn put_parameters(out: &mut String, plan: &Plan) {
    // A parameter in whose place every session had a question of its own was put to nobody.
    let is_replaced = |name: &str| plan.questions.as_ref().is_some_and(|questions| questions.replace(name));
    let told: Vec<_> = plan.parameters.iter().filter(|(name, _)| !is_replaced(name)).collect();
    if !told.is_empty() {
        out.push_str("\nThe parameters of the scenario were:\n\n");
    }
    for (name, value) in told {
        let value = match value {
            Parameter::Bool(value) => value.to_string(),
            Parameter::Int(value) => value.to_string(),
            Parameter::Decimal(value) | Parameter::Text(value) => value.clone(),
        };
        writeln!(out, "- {}: {}", code(name), code(&value)).expect(WROTE);
    }
}

/// What memories held, and how.
pub(super) fn memory(plan: &Plan) -> String {
    format!("{}{}", held(plan), writer(plan))
}

/// Who wrote the texts that took the place of memories, where seats did not.
fn writer(plan: &Plan) -> String {
    let by = match plan.summary_model {
        SummaryModel::Seat => return String::new(),
        SummaryModel::Rule => {
            "the rule by which simulated seats do: the newest lines that fit, in their own words".to_owned()
        }
        SummaryModel::Model(place) => seats::model(&plan.models[place]),
    };
    format!("\nSeats did not rewrite their memories themselves; for all of them that was done by {by}.\n")
}

fn held(plan: &Plan) -> String {
    let memory = &plan.memory;
    let policy = code(memory.policy.word());
    let limits = format!(
        "A prompt showed a seat {} at the most of what it remembers, and the history common to all held {}; what was left out is \
         told in the record of each answer.",
        count(memory.memory_character_limit, "character"),
        count(memory.public_history_max_length, "character")
    );
    let cut = if memory.enable_truncation {
        format!(
            "A remembered statement was cut to {} and a seat's own reasoning to {}",
            count(u64::from(memory.statement_max_length), "character"),
            count(u64::from(memory.reasoning_max_length), "character")
        )
    } else {
        "Statements and a seat's own reasoning were remembered in full".to_owned()
    };
    let history = match memory.history {
        HistoryInBrief::Full => "Beside it stood the history common to all.",
        HistoryInBrief::CurrentRound => "Beside it stood the statements of the round under way.",
        HistoryInBrief::None => "Nothing of the history common to all stood beside it.",
    };
    match memory.policy {
        MemoryPolicy::None if memory.history != HistoryInBrief::None => format!(
            "The memory policy was {policy}: a seat remembered nothing of what happened before. {limits} {history}\n"
        ),
        MemoryPolicy::None => format!(
            "The memory policy was {policy}: a seat was shown who it is and the question, and nothing of what happened before.\n"
        ),
        MemoryPolicy::Full => format!("The memory policy was {policy}: seats remembered everything, uncut. {limits}\n"),
        MemoryPolicy::Window(window) => {
            let newest = match window {
                Window::Statements(most) => count(u64::from(most), "statement"),
                Window::Tokens(most) => format!("statements of {} together", count(most, "token")),
            };
            format!(
                "The memory policy was {policy}: seats remembered the newest {newest}, and what happened since the first of \
                 them. {cut}; the record keeps both in full. {limits} {history}\n"
            )
        }
        MemoryPolicy::Compact(compact) => format!(
            "The memory policy was {policy}. {cut}; the record keeps both in full. {limits} From {} of its limit on, a seat wrote one \
             text of at most {} of it in the place of all but {} and what happened since. {history}\n",
            millionths(i64::from(compact.threshold_ppm)),
            millionths(i64::from(memory.compression_target_ppm)),
            count(u64::from(compact.keep), "newest statement"),
        ),
        MemoryPolicy::Digest(digest) => format!(
            "The memory policy was {policy}. {cut}; the record keeps both in full. {limits} Whenever {} beside the newest {} were \
             neither, seats wrote a digest of them of at most {}, which took their place. {history}\n",
            count(u64::from(digest.every), "statement"),
            digest.keep,
            count(u64::from(digest.words), "word"),
        ),
        MemoryPolicy::Shuffled => format!(
            "The memory policy was {policy}: {}. {cut}; the record keeps both in full. {limits} {history}\n",
            lent(plan)
        ),
        MemoryPolicy::Selective => format!(
            "The memory policy was {policy}. {cut}; the record keeps both in full. {limits} From {} of its limit on a memory was rewritten \
             by its seat to {} of it; the events that a seat works into its memory itself, and those appended as they are, are told by \
             `memory.routing` in `plan.yaml`.\n",
            millionths(i64::from(memory.compression_threshold_ppm)),
            millionths(i64::from(memory.compression_target_ppm))
        ),
    }
}

/// What a group was shown in the place of its own statements.
fn lent(plan: &Plan) -> String {
    format!(
        "in the place of its own group's statements a seat was shown those of another group, the session of the arm {} of the \
         partner replicate (1 and 2, 3 and 4, …), each at the same round and turn, under the name of who spoke here, and cut or \
         repeated to the length of what was said here",
        code(plan.lender.as_ref().map_or("", |lender| &lender.name))
    )
}

/// How questions were put, and what became of replies that could not be read.
pub(super) fn questions(plan: &Plan) -> String {
    let names = if plan.controls.anonymous {
        "Seats saw each other as `Participant 1`, `Participant 2` and so on"
    } else {
        "Seats saw each other's names"
    };
    let order = match plan.controls.option_order {
        OptionOrder::Fixed => "in the scenario's order",
        OptionOrder::Seeded => "in an order drawn for each question",
        OptionOrder::Latin => "rotated by one from seat to seat, from a drawn start",
    };
    let models: BTreeSet<String> = plan.models.iter().map(|model| code(&model.model)).collect();
    let asked = if models.is_empty() {
        "No language model was asked.".to_owned()
    } else {
        format!("The language models asked were {}.", list(&models.into_iter().collect::<Vec<_>>()))
    };
    format!(
        "{names}. Options were shown {order}. Prompts were in the language {}; the digest of their templates is {}. A question was put {} at \
         the most: a reply that could not be read strictly as what was asked for was asked for again with the reason. {asked}\n",
        code(&plan.language),
        code(plan.prompts.digest().as_str()),
        count(u64::from(plan.tries_max), "time")
    )
}
