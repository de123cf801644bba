//! How a session ended, in one sentence: the decision, its votes and its distance from the right answer, or why there was none.

use std::cmp::Ordering;

use super::course::{SessionCourse, VoteResult};
use super::tally::{describe_counts, describe_obstacle, tie};
use crate::report::told::spell_out;
use crate::report::{counted, grouped, quoted};

/// How a complete session ended, in one sentence.
pub fn describe_ending(course: &SessionCourse) -> String {
    let rounds = match (course.rounds_used, course.rounds_max) {
        (_, 0) => String::new(),
        (used, most) => format!(" after {used} of {}", counted(most, "round")),
    };
    let last = course.votes.iter().rev().find(|vote| vote.purpose == "vote");
    let right = judge_result(course).map_or(String::new(), |is| format!("; that is {is}"));
    let vote_words = course.last_of_votes().unwrap_or_else(|| "the last vote".to_owned());
    let in_last = course.last_of_votes().map_or(String::new(), |last| format!(" in {last}"));
    let over = course.sampled.as_ref().map_or(String::new(), |sampled| format!(" over {}", sampled.words()));
    match course.outcome.as_str() {
        "carried" => {
            let how = |vote: &VoteResult| {
                format!(" by {}{over} ({}){}", spell_out(&vote.rule), describe_counts(vote), tie(vote))
            };
            let how = last.map_or(String::new(), how);
            format!("The group decided for {}{rounds}{in_last}{how}{right}.", quoted(&course.result))
        }
        "by_default" => {
            let votes = match last {
                Some(vote) => format!("{vote_words} was {}{over}{}", describe_counts(vote), describe_obstacle(vote)),
                None => explain_missing_vote(course).trim_start_matches("; ").to_owned(),
            };
            format!("No vote decided{rounds}, so that it is {} by default; {votes}{right}.", quoted(&course.result))
        }
        "imposed" => format!("{} was imposed; the group did not vote on it.", quoted(&course.result)),
        "no_quorum" => format!("No decision{rounds}: {vote_words} had too few valid ballots."),
        "no_decision" => {
            let why = match course.stop.as_str() {
                "rounds_used_up" => ": the rounds were used up",
                "converged" => ": statements had become alike, which ended the talk",
                _ => "",
            };
            let votes = match last {
                Some(vote) => format!("; {vote_words} was {}{}", describe_counts(vote), describe_obstacle(vote)),
                None => explain_missing_vote(course),
            };
            format!("No decision{rounds}{why}{votes}.")
        }
        _ => {
            let why = match (course.stop.as_str(), last) {
                ("nobody_left", None) => "every seat was excluded, so no vote was held".to_owned(),
                ("nobody_left", Some(vote)) => {
                    format!("every seat was excluded; the last vote was {}", describe_counts(vote))
                }
                (_, None) => return format!("The session ran to its end{rounds}; its agenda has no vote."),
                // Votes of groups, and votes that are not binding.
                (_, Some(_)) => {
                    return format!("The session ran to its end{rounds}; none of its votes was to decide the session.");
                }
            };
            format!("The session ended{rounds}: {why}.")
        }
    }
}

/// Why no vote was held, from the calls for one.
fn explain_missing_vote(course: &SessionCourse) -> String {
    let calls = course.rounds.iter().filter(|round| !round.called_by.is_empty()).count();
    match calls {
        0 => {
            "; no vote was held: nobody called one, and a vote is held only when a seat calls one and all others agree"
                .to_owned()
        }
        calls => {
            format!("; no vote was held: one was called in {}, but not all agreed", counted(calls as u64, "round"))
        }
    }
}

/// Whether the decision is right, or its distance from what is; `None` if unknown.
pub fn judge_result(course: &SessionCourse) -> Option<String> {
    let right = || course.correct.map(|is_right| if is_right { "right" } else { "not right" }.to_owned());
    off(course).or_else(right)
}

/// The distance of the amount decided for from the right one: `132 pounds (11.0 %) above the right amount`; `None` if unknown.
fn off(course: &SessionCourse) -> Option<String> {
    let (share, decided, right) = (course.relative_error?, course.amount?, course.case.right_amount?);
    let where_to = match decided.cmp(&right) {
        Ordering::Equal => return Some("exactly the right amount".to_owned()),
        Ordering::Greater => "above",
        Ordering::Less => "below",
    };
    let (far, unit) = (grouped(decided.abs_diff(right)), &course.case.unit);
    Some(format!("{far}{unit} ({:.1} %) {where_to} the right amount", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::super::course::{Case, Count, RoundShown, Sampled};
    use super::*;

    fn round(round: u64, called_by: &[&str], declined_by: &[&str]) -> RoundShown {
        let names = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect();
        RoundShown { round, called_by: names(called_by), declined_by: names(declined_by), ..RoundShown::default() }
    }

    fn undecided(stop: &str, rounds: Vec<RoundShown>) -> SessionCourse {
        let [outcome, stop] = ["no_decision", stop].map(str::to_owned);
        SessionCourse { outcome, stop, rounds_used: 2, rounds_max: 4, rounds, ..SessionCourse::default() }
    }

    #[test]
    fn an_ending_without_a_vote_says_whether_one_was_called() {
        let nobody = vec![round(1, &[], &[]), round(2, &[], &[])];
        let once = vec![round(1, &["Ann"], &["Ben"]), round(2, &[], &[])];
        let twice = vec![round(1, &["Ann"], &["Ben", "Cem"]), round(2, &["Ben", "Cem"], &["Ann"])];
        let uncalled = "nobody called one, and a vote is held only when a seat calls one and all others agree";
        for (stop, rounds, why) in [
            ("rounds_used_up", nobody.clone(), format!("the rounds were used up; no vote was held: {uncalled}")),
            (
                "converged",
                nobody,
                format!("statements had become alike, which ended the talk; no vote was held: {uncalled}"),
            ),
            (
                "rounds_used_up",
                once,
                "the rounds were used up; no vote was held: one was called in 1 round, but not all agreed".to_owned(),
            ),
            (
                "rounds_used_up",
                twice,
                "the rounds were used up; no vote was held: one was called in 2 rounds, but not all agreed".to_owned(),
            ),
        ] {
            assert_eq!(describe_ending(&undecided(stop, rounds)), format!("No decision after 2 of 4 rounds: {why}."));
        }
    }

    #[test]
    fn an_early_ending_lists_the_last_vote() {
        let vote = VoteResult {
            purpose: "vote".to_owned(),
            counts: vec![Count { name: "for".to_owned(), count: 3, ..Count::default() }],
            ..VoteResult::default()
        };
        let gone = SessionCourse { votes: vec![vote.clone()], ..undecided("converged", Vec::new()) };
        assert_eq!(
            describe_ending(&gone),
            "No decision after 2 of 4 rounds: statements had become alike, which ended the talk; the last vote was for: 3."
        );
        let left = SessionCourse { outcome: "not_applicable".to_owned(), ..undecided("nobody_left", Vec::new()) };
        assert_eq!(
            describe_ending(&left),
            "The session ended after 2 of 4 rounds: every seat was excluded, so no vote was held."
        );
        let voted = SessionCourse { votes: vec![vote], ..left };
        assert_eq!(
            describe_ending(&voted),
            "The session ended after 2 of 4 rounds: every seat was excluded; the last vote was for: 3."
        );
        let in_groups = SessionCourse { stop: "agenda_done".to_owned(), ..voted };
        assert_eq!(
            describe_ending(&in_groups),
            "The session ran to its end after 2 of 4 rounds; none of its votes was to decide the session."
        );
    }

    #[test]
    fn the_distance_from_the_right_amount_has_its_unit_and_a_share() {
        let decided = |amount: u64, relative_error: Option<f64>| {
            let case = Case { right_amount: Some(1198), unit: " pounds".to_owned(), ..Case::default() };
            let [outcome, result] = ["carried", "estimate"].map(str::to_owned);
            describe_ending(&SessionCourse {
                outcome,
                result,
                amount: Some(amount),
                relative_error,
                case,
                ..SessionCourse::default()
            })
        };
        let above = decided(1330, Some(132.0 / 1198.0));
        assert_eq!(above, "The group decided for “estimate”; that is 132 pounds (11.0 %) above the right amount.");
        let below = decided(0, Some(1.0));
        assert_eq!(below, "The group decided for “estimate”; that is 1 198 pounds (100.0 %) below the right amount.");
        assert_eq!(decided(1198, Some(0.0)), "The group decided for “estimate”; that is exactly the right amount.");
        assert_eq!(decided(1330, None), "The group decided for “estimate”.");
    }

    #[test]
    fn repeated_votes_are_counted_together() {
        let sampled = Some(Sampled { samples: 3, ..Sampled::default() });
        let count = Count { name: "c".to_owned(), count: 4, ..Count::default() };
        let [purpose, rule] = ["vote", "plurality"].map(str::to_owned);
        let votes = vec![VoteResult { purpose, rule, counts: vec![count], ..VoteResult::default() }];
        let [outcome, result] = ["carried", "c"].map(str::to_owned);
        let course = SessionCourse { outcome, result, sampled, votes, ..SessionCourse::default() };
        assert_eq!(describe_ending(&course), "The group decided for “c” by plurality over 3 votes per seat (c: 4).");
    }
}
