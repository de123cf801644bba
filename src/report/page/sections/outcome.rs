//! What groups chose in each arm, with intervals, nulls beside their arms, and what `compare` makes of the difference.

use super::{Absent, Gathered, items};
use crate::analysis::statistics::{Interval, Undefined};
use crate::plot;
use crate::report::page::course::Course;
use crate::report::page::parts::{Cell, Part, Table};
use crate::report::page::tally::spelled;
use crate::report::{Amounts, ArmReport, Comparison, NullMeasure, counted, grouped};

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let report = gathered.report.ok_or(Absent("the plan cannot be read"))?;
    if report.completed == 0 {
        return Err(Absent("no session is complete"));
    }
    let mut parts = vec![Part::words(
        "Shares are of the groups that ran to their end and voted; intervals are Wilson's, at 95 %. They say how far \
         chance alone may have moved a share of so many groups, not how far another model, scenario or wording would. Each number is \
         rounded by itself: shares may not add up to 100 %, nor two of them differ by just the difference beside them.",
    )];
    for arm in &report.arms {
        if report.arms.len() > 1 {
            parts.push(Part::heading(named(gathered, &arm.arm)));
        }
        let courses: Vec<&Course> = gathered.complete().filter(|course| course.arm == arm.arm).collect();
        parts.extend(of_arm(arm, &courses));
    }
    parts.extend(gathered.comparison.as_ref().map(compared).unwrap_or_default());
    if let Err(why) = &gathered.comparison
        && report.arms.len() > 1
    {
        parts.push(Part::words(format!("The arms are not compared here: {why}")));
    }
    Ok(parts)
}

/// An arm's name, and of which arm it is a null.
pub(super) fn named(gathered: &Gathered<'_>, arm: &str) -> String {
    match gathered.null_of(arm) {
        Some(of) => format!("{arm} (a null of {of})"),
        None => arm.to_owned(),
    }
}

fn of_arm(arm: &ArmReport, courses: &[&Course]) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(imposed) = &arm.imposed {
        parts.push(Part::words(format!("{imposed} was imposed: no choice of the groups.")));
    }
    if !arm.choices.is_empty() {
        parts.push(Part::table(choices(arm, courses)));
    }
    if let Some(of) = &arm.items {
        parts.extend(items::parts(of, courses));
    }
    if let Some(right) = &arm.right {
        let of = if right.correct.is_some() { "Correct" } else { "The amount" };
        parts.push(Part::words(format!("{of}: {}.", right.words())));
    }
    let mut told = Vec::new();
    if let Some(straw) = &arm.straw {
        let interval = straw.interval.map_or(String::new(), |Interval { low, high }| {
            format!(" (95 % {:+.0} to {:+.0} points)", 100.0 * low, 100.0 * high)
        });
        told.push(format!(
            "Private polls: the most frequent choice had {:.0} % of the seats before the talk and {:.0} % after it, {:+.0} points{interval}, \
             over {}.",
            100.0 * straw.before,
            100.0 * straw.after,
            (100.0 * straw.change).round() + 0.0,
            counted(straw.n, "session")
        ));
    }
    if let Some(time) = &arm.time_to_decision {
        let most = time.rounds_max;
        let median = time.median.map_or(format!("above {most}"), |median| format!("{median} of {most}"));
        let censored = match time.censored {
            0 => String::new(),
            many => format!("; {} without one counted as longer than any", counted(many, "session")),
        };
        told.push(format!("Rounds to a decision: median {median}{censored}."));
    }
    if let Some(of) = &arm.converged {
        told.push(format!(
            "Statements became alike (convergence at {} by the profile {}) in {}.",
            of.threshold,
            of.profile,
            counted(of.sessions, "session")
        ));
    }
    if arm.choices.is_empty() && arm.items.is_none() && arm.imposed.is_none() {
        told.push(format!("{} complete; nothing was voted on.", counted(arm.completed, "session")));
    }
    parts.extend(told.into_iter().map(Part::words));
    parts
}

fn choices(arm: &ArmReport, courses: &[&Course]) -> Table {
    let mut table = Table::new(
        format!("What the groups of {} chose", arm.arm),
        &["group choice", "sessions#", "share#", "95 % interval#", "0 to 100 %", "amount#"],
    );
    for (place, choice) in arm.choices.iter().enumerate() {
        let Interval { low, high } = choice.interval;
        let is_this = |course: &&&Course| match &choice.alternative {
            Some(name) => course.alternative == *name,
            None => ["no_decision", "no_quorum"].contains(&course.outcome.as_str()),
        };
        let amount = choice.amounts.as_ref().map_or(String::new(), in_words);
        table.row(vec![
            Cell::text(choice.alternative.as_deref().unwrap_or("no decision")),
            Cell::count(choice.sessions).of(courses.iter().filter(is_this).map(|course| course.name.as_str())),
            Cell::percent(Some(choice.share)),
            Cell::number(Some(format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high))),
            Cell::picture(plot::share(choice.share, Some((low, high)), place)),
            Cell::number(Some(amount)),
        ]);
    }
    table
}

/// The median of amounts and their range.
pub(super) fn in_words(amounts: &Amounts) -> String {
    let whole = |value: u32| grouped(u64::from(value));
    let half = if amounts.median.fract() > 0.0 { ".5" } else { "" };
    format!("median {}{half} ({} to {})", grouped(amounts.median as u64), whole(amounts.least), whole(amounts.greatest))
}

/// What `compare` tells without arguments.
fn compared(comparison: &Comparison) -> Vec<Part> {
    let names: Vec<&str> = comparison.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let mut parts = vec![Part::heading(format!("The arms compared by {}", names.join(", ")))];
    parts.extend(
        comparison.metrics.iter().map(|metric| Part::words(format!("{}: {}.", metric.name, metric.definition))),
    );
    if !comparison.exploratory_because.is_empty() {
        parts.push(Part::words(format!("Exploratory: {}.", comparison.exploratory_because.join("; "))));
    }
    let mut table = Table::new(
        format!("Differences of {}, as printed by ekklesia compare", names.join(", ")),
        &["contrast", "difference#", "95 % interval#", "p#", "p adjusted#", "blocks#"],
    );
    for contrast in &comparison.compared.contrasts {
        let (main, signed) = (&contrast.main, |value: f64| format!("{:+.3}", value + 0.0));
        let p = |p: f64| if p < 0.000_05 { "<0.0001".to_owned() } else { format!("{p:.4}") };
        let metric = if names.len() > 1 { format!("{}, ", contrast.metric) } else { String::new() };
        let factor = contrast.factor.as_ref().map_or(String::new(), |factor| format!("{factor}: "));
        table.row(vec![
            Cell::text(format!("{metric}{factor}{} − {}", contrast.first, contrast.second)),
            Cell::number(main.difference.map(signed)),
            Cell::number(main.interval.map(|Interval { low, high }| format!("{} to {}", signed(low), signed(high)))),
            Cell::number(main.test.map(|test| p(test.p))),
            Cell::number(contrast.p_adjusted.map(p)),
            Cell::count(main.blocks),
        ]);
    }
    parts.push(Part::table(table));
    parts.extend(comparison.sentences.iter().map(Part::words));
    parts.extend(comparison.nulls.iter().flatten().map(of_nulls));
    parts.push(Part::text("Everything that ekklesia compare prints", comparison.text()));
    parts
}

/// What nulls reach of an arm's convergence.
fn of_nulls(measure: &NullMeasure) -> Part {
    let interval =
        |of: Option<Interval>| Cell::number(of.map(|Interval { low, high }| format!("{low:+.3} to {high:+.3}")));
    let mut table = Table::new(
        format!(
            "How much of the convergence ({}: {}) comes without what each null lacks",
            measure.name, measure.definition
        ),
        &["null", "arm's change#", "95 %#", "null's change#", "95 %#", "reached#", "95 %#"],
    );
    for null in &measure.nulls {
        table.row(vec![
            Cell::text(&null.null),
            Cell::number(null.of_arm.map(|value| format!("{value:+.3}"))),
            interval(null.of_arm_interval),
            Cell::number(null.of_null.map(|value| format!("{value:+.3}"))),
            interval(null.of_null_interval),
            match null.undefined {
                Some(Undefined::ArmBelowZero) => Cell::number(Some("none: the arm grew apart".to_owned())),
                Some(Undefined::ArmNearZero) => Cell::number(Some("none: the arm's change may be 0".to_owned())),
                Some(Undefined::OtherScale) => Cell::number(Some("none: on another scale".to_owned())),
                Some(Undefined::NoBlock) | None => Cell::percent(null.share),
            },
            interval(null.share_interval),
        ]);
    }
    Part::table(table)
}

/// How a session ended, in words for a cell; empty where nothing was voted on.
pub(super) fn ended(course: &Course) -> String {
    match course.outcome.as_str() {
        "imposed" => format!("{} was imposed", course.result),
        "not_applicable" if course.stop == "nobody_left" => "every seat was excluded".to_owned(),
        "not_applicable" => String::new(),
        _ if course.result.is_empty() => spelled(&course.outcome),
        _ => course.result.clone(),
    }
}
