//! What the seats saw, in words: the motion with its alternatives and parameters, what memories held, how questions were put.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use indexmap::IndexMap;

use super::evidence::correct_amounts;
use super::words::{WROTE, block, code, count, inert, list};
use crate::mechanism::amount_unit;
use crate::plan::{Experiment, Item, ItemsFile, OptionOrder, Plan};
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
        let unit = amount_unit(plan.motion.unit.as_deref(), plan.income().map(|income| &**income));
        let unit = unit.map_or(String::new(), |unit| format!(" {}", code(unit)));
        writeln!(out, "\nAn amount is a whole number from {} to {most}{unit}.", plan.motion.amount_min).expect(WROTE);
    }
    put_parameters(&mut out, plan);
    put_exhibits(&mut out, plan);
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
    } else if let Some(only) = plan.motion.only() {
        let only = &plan.motion.alternatives[only.index()];
        let (name, label) = (code(only.name.as_str()), code(&only.label));
        write!(out, "Nothing was chosen: {name}, put to the seats as {label}, is an amount. ").expect(WROTE);
    } else {
        let names: Vec<String> = plan.motion.alternatives.iter().map(|other| code(other.name.as_str())).collect();
        write!(out, "The alternatives were {}. ", list(&names)).expect(WROTE);
    }
    put_amounts(&mut out, plan, experiment);
    let column = experiment.items_file.as_ref().and_then(|file| file.key.as_ref());
    let column = column.map_or(String::new(), |column| format!(" (column {})", code(column)));
    match items.values().filter(|item| item.key.is_some()).count() as u64 {
        0 => out.push_str("No question had a key.\n"),
        with_key if items.values().all(|item| item.right().is_none()) => writeln!(
            out,
            "{} had a key, the right amount{column}, which no seat was shown; errors are differences from it, and empty without it; \
             `correct` is 1 for an amount {}. Which amount is right changes no session; `experiment.json` tells under `deviations` whether a key was changed after \
             the first session.",
            count(with_key, "question"),
            correct_amounts(plan)
        )
        .expect(WROTE),
        with_key => writeln!(
            out,
            "{} had a key, the right alternative{column}, which no seat was shown; `correct` compares the decision with it and is \
             empty without a decision or a key. Which answer is right changes no session; `experiment.json` tells under `deviations` \
             whether a key was changed after the first session.",
            count(with_key, "question")
        )
        .expect(WROTE),
    }
    match items.values().filter(|item| !item.misleading().is_empty()).count() as u64 {
        0 => {}
        critical => writeln!(
            out,
            "{} named a wrong option for scripts (`items.columns`): the critical trials. `conformed` is 1 where that was decided \
             for, whether or not scripts speak in the arm, and empty in all others.",
            count(critical, "question")
        )
        .expect(WROTE),
    }
    put_parameters(&mut out, plan);
    put_exhibits(&mut out, plan);
    out
}

/// Which amounts could be named, where an amount alone was decided.
fn put_amounts(out: &mut String, plan: &Plan, experiment: &Experiment) {
    let columns = experiment.items_file.as_ref().and_then(|file| file.amount.as_ref());
    match (columns, plan.motion.amount_max) {
        (Some([unit, min, max]), _) => write!(
            out,
            "An amount is a whole number; what it counts, the least and the greatest are those of its row (columns {}, {} and {}). ",
            code(unit),
            code(min),
            code(max)
        )
        .expect(WROTE),
        (None, Some(most)) if plan.motion.only().is_some() => {
            let unit = plan.motion.unit.as_deref().map_or(String::new(), |unit| format!(" {}", code(unit)));
            write!(out, "An amount is a whole number from {} to {most}{unit}. ", plan.motion.amount_min).expect(WROTE);
        }
        _ => {}
    }
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

/// The seats that are asked for a name of their own.
fn choosers(plan: &Plan) -> Vec<String> {
    plan.seats.iter().filter(|seat| seat.chooses_name()).map(|seat| code(seat.name.as_str())).collect()
}

/// The evidence documents, and who was shown how much of each.
fn put_exhibits(out: &mut String, plan: &Plan) {
    if !plan.exhibits.is_empty() {
        out.push_str("\nExhibits stood in every prompt of the seats that were shown them:\n\n");
    }
    for handed in &plan.exhibits {
        let to: Vec<String> = handed.to.iter().map(|seat| code(seat.as_str())).collect();
        let to = if to.is_empty() { "every seat".to_owned() } else { list(&to) };
        let how = match handed.exhibit.pages() {
            0 => "whole".to_owned(),
            pages => format!(
                "by its first and last lines, with {} that a seat could ask for, one a question",
                count(pages.into(), "page")
            ),
        };
        let (name, digest) = (code(handed.exhibit.name()), code(handed.digest.as_str()));
        writeln!(out, "- {name}, digest {digest}, shown to {to} {how}").expect(WROTE);
    }
}

/// How questions were put, and what became of replies that could not be read.
pub(super) fn questions(plan: &Plan) -> String {
    let names = match (plan.controls.anonymous, choosers(plan)) {
        (true, _) => {
            let names = plan.seats.iter().take(2).map(|seat| code(&seat.agent.public_name));
            format!("Seats saw each other as {} and so on", names.collect::<Vec<_>>().join(", "))
        }
        (false, names) if names.is_empty() => "Seats saw each other's names".to_owned(),
        (false, names) => format!(
            "Seats saw each other's names; {} chose the one that it went by, before anything else, and the name of another was \
             refused",
            list(&names)
        ),
    };
    let read = match plan.motion.language.is_proofread() {
        true => String::new(),
        false => format!(
            " No native speaker of {} had read the program's words and the prompts that come with it.",
            plan.motion.language.name()
        ),
    };
    let order = match plan.controls.option_order {
        OptionOrder::Fixed => "in the scenario's order",
        OptionOrder::Seeded => "in an order drawn for each question",
        OptionOrder::Latin => "rotated by one from seat to seat, from a drawn start",
    };
    let probe = match plan.controls.recognition_probe {
        true => {
            " After everything else each seat was asked in private whether it recognised what it had taken part in as a known study, \
             experiment, benchmark or game; nothing depended on what it said, and it is in no count of answers below."
        }
        false => "",
    };
    let models: BTreeSet<String> = plan.models.iter().map(|model| code(&model.model)).collect();
    let asked = if models.is_empty() {
        "No language model was asked.".to_owned()
    } else {
        format!("The language models asked were {}.", list(&models.into_iter().collect::<Vec<_>>()))
    };
    let own = plan.seats.iter().filter_map(|seat| Some((inert(seat.name.as_str()), code(seat.language.as_deref()?))));
    let own: Vec<String> = own.map(|(seat, language)| format!("{seat} in {language}")).collect();
    let own = match own.is_empty() {
        true => String::new(),
        false => format!(
            " Questions were put, and answered, in other languages by these seats: {}. What all heard was in the language of the session.",
            list(&own)
        ),
    };
    format!(
        "{names}. Options were shown {order}. Prompts were in the language {}; the digest of their templates is {}.{own}{read} A question was put {} at \
         the most: a reply that could not be read strictly as what was asked for was asked for again with the reason.{probe} {asked}\n",
        code(&plan.language),
        code(plan.prompts.digest().as_str()),
        count(u64::from(plan.tries_max), "time")
    )
}
