//! How robust the results of an arm's elections are under one rule, over its sessions.

use serde::Serialize;

use super::{FewestShown, Recounted, RuleCount};
use crate::choice::ranked::Points;

/// The robustness of results, over the sessions of an arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HangsOn {
    /// The lower median of the margins, in points; absent for rules that points alone do not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_median: Option<f64>,
    /// The lower median of the fewest ballots that change a result; absent if no session has this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest_median: Option<FewestShown>,
    /// Sessions for which it is known whether one ballot changes the result.
    pub of_sessions: u64,
    /// Those in which one ballot does.
    pub by_one_ballot: u64,
    /// The mean number of pivotal seats in these sessions; absent without sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivotal_seats_mean: Option<f64>,
    /// The mean share of resamples with the same single winner (or again no winner), over sessions without a tie; from 0 to 1.
    /// Absent without such sessions or without resamples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_again_mean: Option<f64>,
}

impl HangsOn {
    /// Summarises counts under one rule, each with its election; `None` if robustness was not computed.
    pub fn over(counts: &[(&Recounted, &RuleCount)], resamples: u32) -> Option<Self> {
        let fewest: Vec<FewestShown> = counts.iter().filter_map(|(_, count)| count.fewest).collect();
        if fewest.is_empty() {
            return None;
        }
        let known = |fewest: &&FewestShown| **fewest != FewestShown::MoreThan(0);
        let mut worked_out: Vec<FewestShown> = fewest.iter().filter(known).copied().collect();
        worked_out.sort_by_key(|fewest| sort_key(*fewest));
        let mut margins: Vec<f64> = counts.iter().filter_map(|(_, count)| count.margin).collect();
        margins.sort_by(f64::total_cmp);
        let pivotal = counts.iter().filter_map(|(_, count)| count.pivotal_ballots).map(|ballots| ballots as f64);
        let again = counts.iter().filter_map(|(election, count)| count.same_again(election, resamples));
        Some(Self {
            margin_median: lower_median(&margins),
            fewest_median: lower_median(&worked_out),
            of_sessions: worked_out.len() as u64,
            by_one_ballot: worked_out.iter().filter(|fewest| **fewest == FewestShown::Exactly(1)).count() as u64,
            pivotal_seats_mean: mean(&pivotal.collect::<Vec<_>>()),
            same_again_mean: mean(&again.collect::<Vec<_>>()),
        })
    }
}

impl RuleCount {
    /// The share of resamples with the same single winner, or again without one; `None` for a tie and without resamples.
    fn same_again(&self, election: &Recounted, resamples: u32) -> Option<f64> {
        let shares = self.bootstrap.as_ref().filter(|_| resamples > 0)?;
        let times = match self.winners.as_slice() {
            [] => shares.nobody,
            [winner] => {
                let place = election.alternatives.iter().position(|name| name == winner);
                shares.alone[place.expect("invariant: a winner is one of the alternatives")]
            }
            _ => return None,
        };
        Some(f64::from(times) / f64::from(resamples))
    }
}

/// The difference between the two greatest scores, in points. `None` if points do not decide: without points or a second
/// alternative, for runoffs, and for rules that draw a lot.
pub(super) fn margin(rule: &str, points: Option<&Points>) -> Option<f64> {
    if matches!(rule, "instant_runoff" | "two_round" | "random_ballot") {
        return None;
    }
    let Points { of, unit } = points?;
    let mut of = of.clone();
    of.sort_unstable_by(|one, other| other.cmp(one));
    let [first, second, ..] = of[..] else { return None };
    Some((first - second) as f64 / *unit as f64)
}

/// Sorts by number; "more than n" follows "exactly n", and "never" is last.
fn sort_key(fewest: FewestShown) -> (u64, bool) {
    match fewest {
        FewestShown::Exactly(ballots) => (ballots, false),
        FewestShown::MoreThan(ballots) => (ballots, true),
        FewestShown::Never => (u64::MAX, true),
    }
}

/// The median of sorted values; for an even number, the lower of the two.
fn lower_median<T: Copy>(sorted: &[T]) -> Option<T> {
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

fn mean(all: &[f64]) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::SharesShown;

    fn election(names: &[&str]) -> Recounted {
        Recounted {
            form: "ranking",
            alternatives: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Recounted::default()
        }
    }

    fn count(winners: &[&str], points: &[i128], fewest: FewestShown, (pivotal, alone): (u64, [u32; 2])) -> RuleCount {
        RuleCount {
            rule: "borda",
            winners: winners.iter().map(|name| (*name).to_owned()).collect(),
            points: Some(points.to_vec()),
            points_unit: Some(2),
            margin: margin("borda", Some(&Points { of: points.to_vec(), unit: 2 })),
            fewest: Some(fewest),
            pivotal_ballots: Some(pivotal),
            bootstrap: Some(SharesShown { alone: alone.to_vec(), tied: vec![0, 0], nobody: 10 }),
            ..RuleCount::default()
        }
    }

    #[test]
    fn medians_and_means_over_sessions_leave_out_what_was_not_worked_out_and_ties() {
        let of = election(&["a", "b"]);
        let counts = [
            count(&["a"], &[9, 6], FewestShown::Exactly(1), (2, [60, 30])),
            count(&["b"], &[3, 10], FewestShown::MoreThan(1), (0, [10, 80])),
            count(&["a", "b"], &[4, 4], FewestShown::Exactly(1), (5, [50, 40])),
            count(&[], &[8, 0], FewestShown::Never, (0, [90, 0])),
            count(&["a"], &[8, 6], FewestShown::MoreThan(0), (0, [90, 0])),
        ];
        let all: Vec<(&Recounted, &RuleCount)> = counts.iter().map(|count| (&of, count)).collect();
        let told = HangsOn::over(&all, 100).unwrap();
        // Margins 0, 1, 1.5, 3.5 and 4. Equal resamples without the tie: .60, .80, .10 (nobody) and .90.
        assert_eq!(told.margin_median, Some(1.5));
        assert_eq!(told.fewest_median, Some(FewestShown::Exactly(1)));
        assert_eq!((told.of_sessions, told.by_one_ballot), (4, 2));
        assert_eq!(told.pivotal_seats_mean, Some(1.4));
        assert!((told.same_again_mean.unwrap() - 0.6).abs() < 1e-12);
        assert_eq!(HangsOn::over(&all[1..2], 0).unwrap().same_again_mean, None);
        assert_eq!(HangsOn::over(&[], 100), None);
    }
}
