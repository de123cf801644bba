//! How a session ended, in a sentence: what was decided and by which votes, how far that is from what is right, or why nothing was.

use std::cmp::Ordering;

use super::course::{Course, Vote};
use super::tally::{counts, needed, spelled, tie};
use crate::report::{counted, grouped, quoted};

/// How a complete session ended, in a sentence.
pub fn ended(course: &Course) -> String {
    let rounds = match (course.rounds_used, course.rounds_max) {
        (_, 0) => String::new(),
        (used, most) => format!(" after {used} of {}", counted(most, "round")),
    };
    let last = course.votes.iter().rev().find(|vote| vote.purpose == "vote");
    let right = match (off(course), course.correct) {
        (Some(off), _) => format!("; that is {off}"),
        (None, Some(true)) => "; that is right".to_owned(),
        (None, Some(false)) => "; that is not right".to_owned(),
        (None, None) => String::new(),
    };
    let over = course.sampled.as_ref().map_or(String::new(), |sampled| format!(" over {}", sampled.words()));
    match course.outcome.as_str() {
        "carried" => {
            let how = |vote: &Vote| format!(" by {}{over} ({}){}", spelled(&vote.rule), counts(vote), tie(vote));
            let how = last.map_or(String::new(), how);
            format!("The group decided for {}{rounds}{how}{right}.", quoted(&course.result))
        }
        "imposed" => format!("{} was imposed; the group did not vote on it.", quoted(&course.result)),
        "no_quorum" => format!("No decision{rounds}: too few ballots of the last vote were valid."),
        "no_decision" => {
            let why = match course.stop.as_str() {
                "rounds_used_up" => ": the rounds were used up",
                "converged" => ": statements had become alike, which ended the talk",
                "collapsed" => ": the common stock was gone",
                _ => "",
            };
            let votes = last
                .map_or_else(|| unheld(course), |vote| format!("; the last vote was {}{}", counts(vote), needed(vote)));
            format!("No decision{rounds}{why}{votes}.")
        }
        _ => {
            let why = match (course.stop.as_str(), last) {
                ("nobody_left", None) => "every seat was excluded, so that no vote was held".to_owned(),
                ("nobody_left", Some(vote)) => format!("every seat was excluded; the last vote was {}", counts(vote)),
                ("collapsed", _) => return format!("It ended{rounds}, when the common stock was gone."),
                _ => return format!("It ran to its end{rounds}; its agenda holds no vote."),
            };
            format!("It ended{rounds}: {why}.")
        }
    }
}

/// Why no vote was held, where that can be told.
fn unheld(course: &Course) -> String {
    let calls = course.rounds.iter().filter(|round| !round.called_by.is_empty()).count();
    match calls {
        0 => "; no vote was held, for nobody called one, and one is held only when a seat calls it and all agree"
            .to_owned(),
        calls => format!(
            "; no vote was held: in {} one was called, and not all agreed to it",
            counted(calls as u64, "round")
        ),
    }
}

/// How far the amount decided for is from the right one: `132 pounds (11.0 %) above what is right`; `None` where that cannot be told.
pub fn off(course: &Course) -> Option<String> {
    let (share, decided, right) = (course.relative_error?, course.amount?, course.case.right_amount?);
    let where_to = match decided.cmp(&right) {
        Ordering::Equal => return Some("exactly what is right".to_owned()),
        Ordering::Greater => "above",
        Ordering::Less => "below",
    };
    let (far, unit) = (grouped(decided.abs_diff(right)), &course.case.unit);
    Some(format!("{far}{unit} ({:.1} %) {where_to} what is right", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::super::course::{Case, Count, RoundShown, Sampled};
    use super::*;

    fn round(round: u64, called_by: &[&str], declined_by: &[&str]) -> RoundShown {
        let names = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect();
        RoundShown { round, called_by: names(called_by), declined_by: names(declined_by), ..RoundShown::default() }
    }

    fn undecided(stop: &str, rounds: Vec<RoundShown>) -> Course {
        let [outcome, stop] = ["no_decision", stop].map(str::to_owned);
        Course { outcome, stop, rounds_used: 2, rounds_max: 4, rounds, ..Course::default() }
    }

    #[test]
    fn why_no_vote_was_held_is_told_as_far_as_calls_tell_it() {
        let nobody = vec![round(1, &[], &[]), round(2, &[], &[])];
        let once = vec![round(1, &["Ann"], &["Ben"]), round(2, &[], &[])];
        let twice = vec![round(1, &["Ann"], &["Ben", "Cem"]), round(2, &["Ben", "Cem"], &["Ann"])];
        let uncalled = "nobody called one, and one is held only when a seat calls it and all agree";
        for (stop, rounds, why) in [
            ("rounds_used_up", nobody.clone(), format!("the rounds were used up; no vote was held, for {uncalled}")),
            (
                "converged",
                nobody,
                format!("statements had become alike, which ended the talk; no vote was held, for {uncalled}"),
            ),
            (
                "rounds_used_up",
                once,
                "the rounds were used up; no vote was held: in 1 round one was called, and not all agreed to it"
                    .to_owned(),
            ),
            (
                "rounds_used_up",
                twice,
                "the rounds were used up; no vote was held: in 2 rounds one was called, and not all agreed to it"
                    .to_owned(),
            ),
        ] {
            assert_eq!(ended(&undecided(stop, rounds)), format!("No decision after 2 of 4 rounds: {why}."));
        }
    }

    #[test]
    fn votes_that_were_held_before_the_stock_or_the_last_seat_was_gone_are_told() {
        let vote = Vote {
            purpose: "vote".to_owned(),
            counts: vec![Count { name: "for".to_owned(), count: 3, ..Count::default() }],
            ..Vote::default()
        };
        let gone = Course { votes: vec![vote.clone()], ..undecided("collapsed", Vec::new()) };
        assert_eq!(
            ended(&gone),
            "No decision after 2 of 4 rounds: the common stock was gone; the last vote was for: 3."
        );
        let left = Course { outcome: "not_applicable".to_owned(), ..undecided("nobody_left", Vec::new()) };
        assert_eq!(ended(&left), "It ended after 2 of 4 rounds: every seat was excluded, so that no vote was held.");
        let voted = Course { votes: vec![vote], ..left };
        assert_eq!(ended(&voted), "It ended after 2 of 4 rounds: every seat was excluded; the last vote was for: 3.");
    }

    #[test]
    fn how_far_an_amount_is_from_the_right_one_is_told_in_its_unit_and_as_a_share() {
        let decided = |amount: u64, relative_error: Option<f64>| {
            let case = Case { right_amount: Some(1198), unit: " pounds".to_owned(), ..Case::default() };
            let [outcome, result] = ["carried", "estimate"].map(str::to_owned);
            ended(&Course { outcome, result, amount: Some(amount), relative_error, case, ..Course::default() })
        };
        let above = decided(1330, Some(132.0 / 1198.0));
        assert_eq!(above, "The group decided for “estimate”; that is 132 pounds (11.0 %) above what is right.");
        let below = decided(0, Some(1.0));
        assert_eq!(below, "The group decided for “estimate”; that is 1 198 pounds (100.0 %) below what is right.");
        assert_eq!(decided(1198, Some(0.0)), "The group decided for “estimate”; that is exactly what is right.");
        assert_eq!(decided(1330, None), "The group decided for “estimate”.");
    }

    #[test]
    fn votes_that_were_taken_again_and_again_are_told_as_counted_together() {
        let sampled = Some(Sampled { samples: 3, ..Sampled::default() });
        let count = Count { name: "c".to_owned(), count: 4, ..Count::default() };
        let [purpose, rule] = ["vote", "plurality"].map(str::to_owned);
        let votes = vec![Vote { purpose, rule, counts: vec![count], ..Vote::default() }];
        let [outcome, result] = ["carried", "c"].map(str::to_owned);
        let course = Course { outcome, result, sampled, votes, ..Course::default() };
        assert_eq!(ended(&course), "The group decided for “c” by plurality over 3 votes of every seat (c: 4).");
    }
}
