//! How votes went, and what other rules would have made of the same ballots.

use super::{Absent, Gathered, outcome};
use crate::plot;
use crate::report::ArmRecount;
use crate::report::page::course::Course;
use crate::report::page::parts::{Cell, Part, Table};
use crate::report::page::tally::{counts, spelled};

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let held = gathered.complete().any(|course| !course.votes.is_empty());
    if !held && gathered.recounts.is_empty() {
        return Err(Absent("no complete session holds a vote, a straw poll or a ranking"));
    }
    let mut parts = vec![last_votes(gathered)];
    // Where no vote was held there is no decision to stand beside.
    let recounts: Vec<&ArmRecount> = gathered.recounts.iter().filter(|recount| recount.of_votes() > 0).collect();
    if !recounts.is_empty() {
        parts.push(Part::words(
            "What other rules would have decided: the last vote, poll or ranking of each session that held a vote, counted again, beside what the session decided in the \
             end, as ekklesia retally tells it: nobody is told where the session decided and the rule has no winner, somebody where it decided \
             nothing and the rule has one, or a tie. Ballots were cast under the rule that was told: under another one seats might have voted \
             otherwise.",
        ));
        let mut arms: Vec<&str> = Vec::new();
        recounts.iter().for_each(|recount| {
            if arms.last() != Some(&recount.arm.as_str()) {
                arms.push(&recount.arm);
            }
        });
        for arm in arms {
            let own: Vec<&ArmRecount> = recounts.iter().copied().filter(|recount| recount.arm == arm).collect();
            parts.push(Part::heading(outcome::named(gathered, arm)));
            parts.extend(of_arm(arm, &own));
        }
    }
    Ok(parts)
}

/// What every rule makes of the elections of an arm: votes at once, or what comes nearest to them, and the others folded up.
fn of_arm(arm: &str, recounts: &[&ArmRecount]) -> Vec<Part> {
    let mut kinds: Vec<(&str, &str)> = Vec::new();
    for recount in recounts {
        if !kinds.contains(&(recount.purpose, recount.phase.as_str())) {
            kinds.push((recount.purpose, &recount.phase));
        }
    }
    let rank = |purpose: &str| ["vote", "straw_after", "ranking"].iter().position(|one| *one == purpose).unwrap_or(3);
    kinds.sort_by_key(|(purpose, _)| rank(purpose));
    let tables = kinds.iter().map(|(purpose, phase)| {
        let own = recounts.iter().filter(|recount| (recount.purpose, recount.phase.as_str()) == (*purpose, *phase));
        recounted(&format!("{arm}: {} in {phase}", spelled(purpose)), own.copied())
    });
    tables.enumerate().map(|(place, table)| if place == 0 { Part::table(table) } else { Part::folded(table) }).collect()
}

fn recounted<'r>(caption: &str, recounts: impl Iterator<Item = &'r ArmRecount>) -> Table {
    let mut table = Table::new(
        caption,
        &[
            "rule",
            "sessions#",
            "the same#",
            "0 to 100 %",
            "tied with it#",
            "another#",
            "nobody#",
            "somebody#",
            "cannot count#",
        ],
    );
    for recount in recounts {
        let counted = recount.of_votes() - recount.refused;
        let count = |many: u64, sessions: &[String]| Cell::count(many).of(sessions.iter().map(String::as_str));
        let share = if counted > 0 { recount.same as f64 / counted as f64 } else { 0.0 };
        table.row(vec![
            Cell::text(spelled(recount.rule)),
            Cell::count(recount.of_votes()),
            count(recount.same, &recount.stood.same),
            Cell::picture(plot::share(share, None, 2)),
            count(recount.tied, &recount.stood.tied),
            count(recount.other, &recount.stood.other),
            count(recount.nobody, &recount.stood.nobody),
            count(recount.somebody, &recount.stood.somebody),
            count(recount.refused, &recount.stood.refused),
        ]);
    }
    table
}

/// Each session's last vote, or its last poll where none was held.
fn last_votes(gathered: &Gathered<'_>) -> Part {
    let mut table = Table::new(
        "The last vote of each session, or its last private poll where it held none",
        &["session", "what", "rule", "ballots or points", "decided for"],
    );
    for course in gathered.complete() {
        let vote = course.votes.iter().rev().find(|vote| vote.purpose == "vote").or(course.votes.last());
        let Some(vote) = vote else { continue };
        let what = match (&course.sampled, vote.round) {
            (Some(sampled), _) if vote.purpose == "vote" => sampled.words(),
            (_, 0) => spelled(&vote.purpose),
            (_, round) => format!("{}, round {round}", spelled(&vote.purpose)),
        };
        let ballots = Cell::text(counts(vote));
        table.row(vec![
            Cell::text(&course.name).to(&course.name),
            Cell::text(what),
            Cell::text(spelled(&vote.rule)),
            vote.seq.map_or(ballots.clone(), |seq| ballots.at(&course.name, seq)),
            Cell::text(decided(course, &vote.decided)),
        ]);
    }
    Part::table(table.shortened("tallies.csv"))
}

fn decided(course: &Course, decided: &str) -> String {
    if decided.is_empty() { outcome::ended(course) } else { decided.to_owned() }
}
