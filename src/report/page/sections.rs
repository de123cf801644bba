//! The sections of a page: the first screen, then figures, integrity and methods, and the sessions last.

use indexmap::IndexMap;
use minijinja::Value;
use serde::Serialize;

use super::figures::{VALUES, describe_finding, draw_groups, lead_figures};
use super::gathered::Gathered;
use super::other_rules::OtherRules;
use super::parts::{Part, render_parts};
use super::session_table::render_session_table;
use super::templates::Templates;
use super::{Section, integrity};
use crate::report::{ArmReport, Comparison, Report, capitalise, counted};

/// The cautions about contrasts on the first screen. The output of `compare` has all of them.
const CAUTIONS_MAX: usize = 4;
/// The caption of the output of `compare`, under the methods.
const COMPARE_OUTPUT: &str = "The complete output of ekklesia compare";

/// The figures of answers and values that stand open; more are folded.
const VALUES_OPEN: usize = 12;

/// The first screen of a page.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Lead {
    /// The finding in a sentence.
    pub finding: String,
    /// The design in a sentence.
    pub design: String,
    /// What the comparison is: announced or exploratory, and why.
    pub comparison: String,
    /// Reasons for caution.
    pub warnings: Vec<String>,
    /// The first figures, as HTML.
    pub figure: Value,
}

/// The first screen.
pub fn lead(gathered: &Gathered<'_>, templates: &Templates) -> Lead {
    let finding = describe_finding(gathered);
    let figures = lead_figures(gathered).into_iter().map(|mut figure| {
        // The heading of the page says it.
        if finding.ends_with(&figure.finding) {
            figure.finding.clear();
        }
        Part::figure(&figure)
    });
    let figure = render_parts(&figures.collect::<Vec<_>>(), &gathered.held, templates);
    Lead {
        finding,
        design: gathered.report.map_or_else(
            || format!("{} in this folder.", counted(gathered.courses.len() as u64, "session")),
            |report| describe_design(gathered, report),
        ),
        comparison: describe_comparison(gathered),
        warnings: gathered.report.map(warnings).unwrap_or_default().into_iter().chain(cautions(gathered)).collect(),
        figure: Value::from_safe_string(figure),
    }
}

/// The sections below the first screen. A section without anything about these sessions is absent.
pub fn sections(gathered: &Gathered<'_>, templates: &Templates) -> Vec<Section> {
    let figures = draw_groups(gathered).into_iter().map(|group| {
        let mut parts: Vec<Part> = group.figures.iter().map(Part::figure).collect();
        if group.id == "rounds" {
            parts.extend(
                gathered
                    .report
                    .map(|report| describe_time(gathered, report))
                    .filter(|words| !words.is_empty())
                    .map(Part::words),
            );
        }
        if group.id == "rules" {
            parts.extend(OtherRules::count(gathered.rule_results, gathered).as_ref().map(Part::rules));
        }
        let folded = if group.id == VALUES { parts.split_off(parts.len().min(VALUES_OPEN)) } else { Vec::new() };
        let figures = |parts: &[Part]| {
            format!("<div class=\"figures\">\n{}</div>\n", render_parts(parts, &gathered.held, templates))
        };
        let mut html = if parts.is_empty() { String::new() } else { figures(&parts) };
        if !folded.is_empty() {
            let more = counted(folded.len() as u64, "more figure");
            html += &format!("<details class=\"more\">\n<summary>{more}</summary>\n{}</details>\n", figures(&folded));
        }
        if !group.note.is_empty() {
            html += &render_parts(&[Part::words(group.note)], &gathered.held, templates);
        }
        Section { id: group.id, title: group.title, html: Value::from_safe_string(html) }
    });
    let mut sections: Vec<Section> = figures.collect();
    let rest = [("integrity", "Integrity", integrity::parts(gathered)), ("methods", "Methods", methods(gathered))];
    for (id, title, parts) in rest {
        if !parts.is_empty() {
            let html = Value::from_safe_string(render_parts(&parts, &gathered.held, templates));
            sections.push(Section { id, title, html });
        }
    }
    let html = Value::from_safe_string(render_session_table(gathered, templates));
    sections.push(Section { id: "sessions", title: "Sessions", html });
    sections
}

fn describe_design(gathered: &Gathered<'_>, report: &Report) -> String {
    let seats = report.count_seats();
    let factors = gathered.experiment.map_or(&[][..], |experiment| experiment.factors.as_slice());
    let factors =
        if factors.is_empty() { String::new() } else { format!(" ({})", factors.join(" by ").replace('_', " ")) };
    let unread = gathered.unread().count() as u64;
    let incomplete = (report.sessions - report.completed - report.failed).saturating_sub(unread);
    let others = match (report.sessions - report.completed, unread) {
        (0, _) => String::new(),
        (_, 0) => format!("; {incomplete} incomplete, {} failed", report.failed),
        (_, unread) => format!("; {incomplete} incomplete, {} failed, {unread} not read", report.failed),
    };
    format!(
        "{}{factors}, {seats} in each session, seed {}. {} of {} complete{others}.",
        counted(report.arms.len() as u64, "arm"),
        report.seed,
        report.completed,
        counted(report.sessions, "planned session"),
    )
}

/// Whether the comparison was announced, or why there is none; empty for a single arm.
fn describe_comparison(gathered: &Gathered<'_>) -> String {
    let arms = gathered.report.map_or(0, |report| report.arms.len());
    match &gathered.comparison {
        Ok(comparison) if comparison.exploratory_because.is_empty() => {
            "The comparison was announced before the run.".to_owned()
        }
        Ok(comparison) => format!("The comparison is exploratory: {}.", comparison.exploratory_because.join("; ")),
        Err(why) if arms > 1 => format!("The arms are not compared here: {why}."),
        Err(_) => String::new(),
    }
}

/// How long groups took to decide, and in how many sessions statements became alike, arm by arm.
fn describe_time(gathered: &Gathered<'_>, report: &Report) -> String {
    let mut sentences = Vec::new();
    for arm in &report.arms {
        let whose = if report.arms.len() > 1 { format!("{}: ", gathered.labels.arm(&arm.arm)) } else { String::new() };
        if let Some(time) = &arm.time_to_decision {
            let most = time.rounds_max;
            let median = time.median.map_or(format!("above {most}"), |median| format!("{median} of {most}"));
            let censored = counted(time.censored, "session");
            sentences.push(format!(
                "{whose}median round of the decision {median}; {censored} without a decision count as longer than any."
            ));
        }
        if let Some(of) = &arm.converged {
            let sessions = counted(of.sessions, "session");
            sentences.push(format!(
                "{whose}statements became alike in {sessions} (convergence at {} by the profile {}).",
                of.threshold, of.profile
            ));
        }
    }
    sentences.join(" ")
}

/// The reasons for caution with the contrasts: the first ones, and how many more there are.
fn cautions(gathered: &Gathered<'_>) -> Vec<String> {
    let Ok(comparison) = &gathered.comparison else { return Vec::new() };
    let mut found = list_contrast_cautions(gathered, comparison);
    let more = found.len().saturating_sub(CAUTIONS_MAX);
    found.truncate(CAUTIONS_MAX);
    if more > 0 {
        found.push(format!("{}: see “{COMPARE_OUTPUT}” under Methods.", counted(more as u64, "more caution")));
    }
    if gathered.experiment.is_some_and(|experiment| experiment.waves.is_some()) {
        found.push("Groups of a panel meet several times, so sessions are not independent and intervals of shares are too narrow.".to_owned());
    }
    found
}

/// Each reason for caution with a contrast once. It names the metrics that it is about, unless it is about all of them.
fn list_contrast_cautions(gathered: &Gathered<'_>, comparison: &Comparison) -> Vec<String> {
    let mut found: IndexMap<(String, String), Vec<&str>> = IndexMap::new();
    for contrast in &comparison.compared.contrasts {
        let (one, other) = comparison.sides_in_words(contrast, &|arm| gathered.labels.arm(arm).to_owned());
        let metric = comparison.metric_of(contrast).map_or(contrast.metric.as_str(), |metric| metric.label.as_str());
        for caution in comparison.cautions(contrast) {
            found.entry((format!("{one} against {other}"), caution)).or_default().push(metric);
        }
    }
    let write = |((sides, caution), metrics): ((String, String), Vec<&str>)| match metrics.len() {
        about if about == comparison.metrics.len() => format!("{sides}: {caution}."),
        _ => format!("{}, {sides}: {caution}.", capitalise(&metrics.join(" and "))),
    };
    found.into_iter().map(write).collect()
}

/// What a reader must know before reading on.
fn warnings(report: &Report) -> Vec<String> {
    let sum = |of: fn(&ArmReport) -> u64| report.arms.iter().map(of).sum::<u64>();
    let mut found = Vec::new();
    if report.completed > 0 && report.completed < report.sessions {
        found.push(format!(
            "{} are not complete and are in no share, mean or interval. The complete ones may differ from them.",
            counted(report.sessions - report.completed, "session")
        ));
    }
    let lost = sum(|arm| arm.integrity.invalid + arm.integrity.refused);
    if lost > 0 {
        found.push(format!(
            "{} of {} had no valid answer after the last try.",
            counted(lost, "question"),
            counted(sum(|arm| arm.integrity.answers), "question")
        ));
    }
    let trivial = sum(|arm| arm.integrity.trivial_consensus);
    if trivial > 0 {
        found.push(format!(
            "In {} all seats gave the same answer to the poll before the talk.",
            counted(trivial, "session")
        ));
    }
    found
}

/// The versions, and the files that say how the experiment was done.
fn methods(gathered: &Gathered<'_>) -> Vec<Part> {
    let known = gathered.provenance;
    let mut parts = Vec::new();
    if !known.versions.is_empty() {
        let versions =
            known.versions.iter().map(|(version, sessions)| format!("{version} ({})", counted(*sessions, "session")));
        parts
            .push(Part::words(format!("Sessions were run with ekklesia {}.", versions.collect::<Vec<_>>().join(", "))));
    }
    if let Ok(comparison) = &gathered.comparison {
        parts.extend(comparison.sentences.iter().map(Part::words));
        parts.push(Part::file(COMPARE_OUTPUT, comparison.text()));
    }
    if !known.files.is_empty() {
        parts.push(Part::words(
            "These files are in the results folder. plan.yaml gives every value with its origin: default, scenario, config, command line or arm.",
        ));
    }
    parts.extend(known.files.iter().map(|(name, text)| Part::file(name, text)));
    parts
}
