//! The design in words: factors and what their levels set, arms, baseline, pairing, replicates, the announced comparison.

use std::fmt::Write as _;

use super::Held;
use super::words::{WROTE, code, count, list};
use crate::chance::Pairing;
use crate::domain::FORMAT_VERSION;
use crate::plan::{Correction, Experiment, Level};
use crate::statistics::Unit;

/// The design of an experiment.
pub(super) fn design(experiment: &Experiment, held: &Held) -> String {
    let arms = experiment.arms.len() as u64;
    let sessions = experiment.sessions_an_arm();
    let items = experiment.items.len() as u64;
    let replicates = count(experiment.replicates.into(), "replicate");
    let waves = experiment.waves.map(|waves| count(waves.into(), "wave"));
    let what = match (items, &waves) {
        (0, None) => "the replicates of the arm".to_owned(),
        (0, Some(waves)) => format!("{replicates} of {waves}"),
        (_, None) => format!("{replicates} of each of {}", count(items, "item")),
        (_, Some(waves)) => format!("{replicates} of {waves} of each of {}", count(items, "item")),
    };
    let was_run = match held {
        Held::Whole => "was run",
        Held::Pilot { .. } => "was piloted",
        Held::Fork { .. } => "was forked",
    };
    let subject = held.subject();
    let mut out = format!(
        "The experiment {} {was_run} with ekklesia {} (record format {FORMAT_VERSION}).",
        code(&experiment.name),
        env!("CARGO_PKG_VERSION")
    );
    match (experiment.factors.len() as u64, arms) {
        (0, _) => write!(
            out,
            " {subject} varied no factor and had one arm of {}{}.",
            count(sessions, "session"),
            if items == 0 && waves.is_none() { String::new() } else { format!(": {what}") }
        ),
        (factors, _) => write!(
            out,
            " {subject} varied {} in {}, with {} each ({what}) and {} in all.",
            count(factors, "factor"),
            count(arms, "arm"),
            count(sessions, "session"),
            count(arms * sessions, "session")
        ),
    }
    .expect(WROTE);
    if let Some(first) = experiment.arms.first() {
        write!(out, " Every random draw follows from the seed {}.", first.seed).expect(WROTE);
        let paired = match first.pairing {
            _ if arms == 1 => "",
            Pairing::CommonRandomNumbers => {
                " The same replicate shares its draws in every arm (common random numbers): who sits there, lots, orders and the \
                 noise of simulated minds. Arms are therefore compared within replicates."
            }
            Pairing::Independent => " Every arm drew its own random numbers.",
        };
        out.push_str(paired);
    }
    if let Some(waves) = experiment.waves {
        put_panels(&mut out, waves, experiment);
    }
    out.push('\n');
    if !experiment.factors.is_empty() {
        put_factors(&mut out, experiment);
        put_comparison(&mut out, experiment);
    }
    put_arms(&mut out, experiment);
    out
}

/// Who meets again, and what that means for what is independent.
fn put_panels(out: &mut String, waves: u32, experiment: &Experiment) {
    let remember = match experiment.arms.iter().filter(|plan| plan.notes.is_some()).count() {
        0 => "; of what was said before they remembered nothing",
        some if some == experiment.arms.len() => "; from one meeting to the next they kept notes",
        _ => "; in some arms they kept notes from one meeting to the next",
    };
    write!(
        out,
        " The sessions of {of} in an arm are one panel: the same agents met in {}, each on the seat and by the name it had at \
         the first{remember}. Sessions of one panel are not independent.",
        count(waves.into(), "session"),
        of = if experiment.items.is_empty() { "a replicate" } else { "a replicate and an item" },
    )
    .expect(WROTE);
}

/// The factors, each with its levels in the order in which arms first have them.
fn put_factors(out: &mut String, experiment: &Experiment) {
    out.push('\n');
    for factor in &experiment.factors {
        let mut levels: Vec<&Level> = Vec::new();
        for level in experiment.arms.iter().flat_map(|plan| &plan.levels).filter(|level| level.factor == *factor) {
            if !levels.iter().any(|other| other.label == level.label) {
                levels.push(level);
            }
        }
        writeln!(out, "- Factor {}, {}:", code(factor), count(levels.len() as u64, "level")).expect(WROTE);
        for level in levels {
            let sets: Vec<String> =
                level.sets.iter().map(|(key, value)| format!("{} to {}", code(key), code(value))).collect();
            let sets = if sets.is_empty() { "changes nothing".to_owned() } else { format!("sets {}", list(&sets)) };
            writeln!(out, "  - {} {sets}.", label_of(level, code)).expect(WROTE);
        }
    }
}

/// A level's label; that of an arm which is no null is empty.
fn label_of(level: &Level, written: fn(&str) -> String) -> String {
    if level.label.is_empty() { "none".to_owned() } else { written(&level.label) }
}

fn put_comparison(out: &mut String, experiment: &Experiment) {
    let baseline = match &experiment.baseline {
        Some(arm) => format!("The baseline, with which other arms are compared, was {}.", code(arm)),
        None => "No arm was named as the baseline; `ekklesia compare` then takes the first.".to_owned(),
    };
    let primary = match &experiment.primary {
        None => "The config announces no comparison, so every comparison is exploratory.".to_owned(),
        Some(primary) => {
            let contrast = match &primary.contrast {
                Some(factors) if factors.contains(':') => format!("by the interaction {}", code(factors)),
                Some(factor) => format!("between the levels of {} and the baseline's", code(factor)),
                None => "between every arm and the baseline".to_owned(),
            };
            let correction = match primary.correction {
                Correction::Holm => {
                    "Several tests are corrected for by Holm's step-down procedure, over metrics and contrasts"
                }
                Correction::None => "Several tests are not corrected for",
            };
            let unit = match primary.unit {
                Unit::Session => "",
                Unit::Replicate => ", with the replicate, averaged over its items, as the unit that is independent",
                Unit::Panel => ", with the panel, averaged over its waves, as the unit that is independent",
                Unit::Item => ", with the item, averaged over its replicates, as the unit that is independent",
            };
            let replicates = primary.replicates.map_or(String::new(), |replicates| {
                format!(" It announces {} of each arm.", count(replicates.into(), "replicate"))
            });
            let metrics: Vec<String> = primary.metrics.iter().map(|metric| code(metric)).collect();
            format!(
                "The config announces the comparison of {} {contrast}{unit}.{replicates} {correction}. Every other comparison is exploratory. `experiment.json` \
                 tells under `deviations` whether this, or anything else of the design, was changed after the first session.",
                list(&metrics)
            )
        }
    };
    writeln!(out, "\n{baseline} {primary}").expect(WROTE);
}

/// The arms as a table, with the digests that identify what they did and what their seats read.
fn put_arms(out: &mut String, experiment: &Experiment) {
    let factors: String = experiment.factors.iter().map(|factor| format!(" {} |", cell(factor))).collect();
    let lines = " --- |".repeat(experiment.factors.len() + 1);
    writeln!(out, "\n| arm |{factors} sessions planned | digest of the plan | digest of the prompts |").expect(WROTE);
    writeln!(out, "|{lines} ---: | --- | --- |").expect(WROTE);
    for plan in &experiment.arms {
        let label = |factor: &String| {
            let level = plan.levels.iter().find(|level| level.factor == *factor);
            format!(" {} |", level.map_or(String::new(), |level| label_of(level, cell)))
        };
        let levels: String = experiment.factors.iter().map(label).collect();
        writeln!(
            out,
            "| {} |{levels} {} | {} | {} |",
            cell(&plan.arm),
            experiment.sessions_an_arm(),
            cell(plan.digest.as_str()),
            cell(plan.prompts.digest().as_str())
        )
        .expect(WROTE);
    }
    out.push_str(
        "\nA plan's digest stands for every setting that bears on its sessions, the scenario, its prompts and personas included; digests are BLAKE3.\n",
    );
}

/// A name as a cell of a table.
pub(super) fn cell(name: &str) -> String {
    code(name).replace('|', "\\|")
}
