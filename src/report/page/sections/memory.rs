//! What memories kept, what was left out and rewritten, and what answers cost.

use super::{Absent, Gathered, first_arms, outcome};
use crate::analysis::statistics::mean;
use crate::plot::{self, Chart, Curve, Scale};
use crate::report::ArmReport;
use crate::report::page::course::{Course, RoundShown};
use crate::report::page::parts::{Cell, Part, Table};

/// Arms that have a curve: more are not told apart.
const ARMS: usize = plot::COLOURS;

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let report = gathered.report.ok_or(Absent("the plan cannot be read"))?;
    if gathered.complete().next().is_none() {
        return Err(Absent("no session is complete"));
    }
    let mut parts = Vec::new();
    let closed = |round: &RoundShown| round.memory_chars.is_some();
    if gathered.complete().any(|course| course.rounds.iter().any(closed)) {
        parts.extend([
            kept(
                gathered,
                "What memories hold",
                "The characters that a seat's memory held when a round closed",
                "They count what it would be shown, without the public history beside it; more is not better remembered.",
                |round| round.memory_chars,
            ),
            kept(
                gathered,
                "What is left out",
                "The characters of public statements that a seat's last prompt of a round left out",
                "What a seat wrote itself when it rewrote its memory may stand for some of that. Statements that were shortened are in cut_chars of seat_rounds.csv.",
                |round| round.dropped_chars,
            ),
        ]);
    }
    parts.extend(most_left_out(gathered).map(Part::table));
    parts.push(Part::table(rewritten(gathered)));
    parts.push(Part::table(cost(gathered, &report.arms)));
    parts.push(Part::words(
        "Tokens and costs are those that servers told for answers that came. Attempts that brought none, and what they may have cost at \
         the most, stand in experiment.json.",
    ));
    Ok(parts)
}

/// A quantity of memories by round: the mean over seats, then over sessions, a curve an arm.
fn kept(gathered: &Gathered<'_>, title: &str, what: &str, not: &str, value: fn(&RoundShown) -> Option<f64>) -> Part {
    let mut table = Table::new(
        format!("{title}, mean over seats and sessions"),
        &["arm", "round of talk#", "sessions#", "characters#"],
    );
    let (mut curves, mut counts) = (Vec::new(), Vec::new());
    let arms = gathered.arms();
    for (place, arm) in arms.iter().take(ARMS).enumerate() {
        let courses: Vec<&Course> = gathered.complete().filter(|course| course.arm == *arm).collect();
        let of = |course: &Course| -> Vec<Option<f64>> {
            let talk = course.rounds.iter().filter(|round| round.kind == "discussion" && round.round > 0);
            talk.map(value).collect()
        };
        // A session that has ended keeps its last value, so that a curve does not show the sessions that go on alone.
        let series: Vec<Vec<Option<f64>>> = courses.iter().map(|course| of(course)).collect();
        let rounds = series.iter().map(Vec::len).max().unwrap_or(0);
        let mut points = Vec::new();
        for round in 0..rounds {
            let values: Vec<f64> = series.iter().filter_map(|one| *one.get(round).or(one.last())?).collect();
            let Some(mean) = mean(&values) else { continue };
            points.push((round as f64 + 1.0, mean));
            counts.resize(counts.len().max(round + 1), 0);
            counts[round] += values.len() as u64;
            table.row(vec![
                Cell::text(*arm),
                Cell::count(round as u64 + 1),
                Cell::count(values.len() as u64),
                Cell::number(Some(format!("{mean:.0}"))),
            ]);
        }
        if !points.is_empty() {
            curves.push(Curve { colour: place, points, band: Vec::new() });
        }
    }
    let last = curves.iter().flat_map(|curve: &Curve| &curve.points).map(|point| point.0).fold(0.0, f64::max);
    let chart = Chart {
        title: format!("{title}, by round"),
        about: format!("{what}, mean over seats and sessions"),
        across: "round of talk",
        upwards: "characters",
        scale: Scale::FromZero,
        last,
        counts,
        curves,
    };
    let cut = first_arms(ARMS, arms.len(), "seat_rounds.csv").map_or(String::new(), |told| format!(" {told}"));
    let caption = format!("{title}. {what}: the mean over seats and sessions. {not}{cut}");
    let legend = arms.iter().take(ARMS).enumerate().map(|(place, arm)| (place, (*arm).to_owned())).collect::<Vec<_>>();
    Part::figure(plot::curves(&chart), "small", caption, table.shortened("seat_rounds.csv")).legend(legend)
}

/// The session of each arm in which most was left out when a round closed; `None` where nothing ever was.
fn most_left_out(gathered: &Gathered<'_>) -> Option<Table> {
    let mut table = Table::new(
        "Where most was left out: a session of each arm, and the round in which it was most",
        &["arm", "session", "round of talk#", "characters left out, mean over seats#"],
    );
    for arm in gathered.arms() {
        let rounds = gathered.complete().filter(|course| course.arm == arm).flat_map(|course| {
            let talk = course.rounds.iter().filter(|round| round.kind == "discussion" && round.round > 0);
            talk.filter_map(move |round| Some((course, round.round, round.dropped_chars.filter(|chars| *chars > 0.0)?)))
        });
        // Of equals the first.
        let most = rounds.reduce(|most, next| if next.2 > most.2 { next } else { most });
        if let Some((course, round, chars)) = most {
            table.row(vec![
                Cell::text(outcome::named(gathered, arm)),
                Cell::text(&course.name).to(&course.name),
                Cell::count(round),
                Cell::number(Some(format!("{chars:.0}"))),
            ]);
        }
    }
    (!table.is_empty()).then_some(table)
}

fn rewritten(gathered: &Gathered<'_>) -> Table {
    let mut table = Table::new(
        "Memories rewritten, and what prompts left out of statements, by arm",
        &[
            "arm",
            "policy",
            "sessions#",
            "rewritten#",
            "rewritings that failed#",
            "characters left out, mean a session#",
        ],
    );
    for arm in gathered.arms() {
        let courses: Vec<&Course> = gathered.complete().filter(|course| course.arm == arm).collect();
        let dropped: Vec<f64> = courses.iter().map(|course| course.dropped_chars as f64).collect();
        let failed = |course: &&Course| course.rounds.iter().any(|round| round.rewrites_failed > 0);
        let failures = courses.iter().flat_map(|course| &course.rounds).map(|round| round.rewrites_failed).sum();
        let policy = gathered.experiment.and_then(|all| all.arms.iter().find(|plan| plan.arm == arm));
        table.row(vec![
            Cell::text(outcome::named(gathered, arm)),
            Cell::text(policy.map_or("", |plan| plan.memory.policy.config_name())),
            Cell::count(courses.len() as u64),
            Cell::count(courses.iter().map(|course| course.rewrites).sum()),
            Cell::count(failures).of(courses.iter().copied().filter(failed).map(|course| course.name.as_str())),
            Cell::number(mean(&dropped).map(|mean| format!("{mean:.0}"))),
        ]);
    }
    table
}

fn cost(gathered: &Gathered<'_>, arms: &[ArmReport]) -> Table {
    let mut table =
        Table::new("What answers took, by arm", &["arm", "model calls#", "prompt tokens#", "reply tokens#", "cost#"]);
    for arm in arms {
        let cost = match arm.calls {
            0 => "$0.00".to_owned(),
            _ => arm.cost_usd.map_or("not known".to_owned(), |cost| cost.to_string()),
        };
        table.row(vec![
            Cell::text(outcome::named(gathered, &arm.arm)),
            Cell::count(arm.calls),
            Cell::count(arm.prompt_tokens),
            Cell::count(arm.completion_tokens),
            Cell::number(Some(cost)),
        ]);
    }
    table
}
