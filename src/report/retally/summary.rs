//! The results of each rule by arm, set against the decisions of the sessions. `compare` compares arms.

use indexmap::IndexMap;
use serde::Serialize;

use super::{HangsOn, Recounted, RuleCount, SessionElection};
use crate::domain::Verdict;

/// The results of one rule for the last election of each kind in an arm's sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ArmRecount {
    /// The arm.
    pub arm: String,
    /// `straw_before`, `straw_round`, `straw_after`, `ranking` or `vote`; the last one of a session counts.
    pub purpose: &'static str,
    /// The phase.
    pub phase: String,
    /// The rule.
    pub rule: &'static str,
    /// The threshold of a supermajority, such as `2/3`; `None` of other rules.
    #[serde(skip)]
    pub threshold: Option<String>,
    /// Sessions with such an election.
    pub sessions: u64,
    /// Sessions with the same result: the same single winner, or no winner and no decision.
    pub same: u64,
    /// Sessions in which the rule ties the decision with others.
    pub tied: u64,
    /// Sessions in which the rule gives another winner, or a tie of others.
    pub other: u64,
    /// Sessions with a decision for which the rule gives no winner.
    pub nobody: u64,
    /// Sessions without a decision for which the rule gives a winner or a tie.
    pub somebody: u64,
    /// Sessions in which the rule cannot be counted.
    pub refused: u64,
    /// Sessions in which the rule can be counted, but that held no vote to compare with.
    pub without_vote: u64,
    /// The robustness of the results; absent if not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hangs_on: Option<HangsOn>,
}

/// A rule's result compared with the decision of the session.
#[derive(Debug, PartialEq)]
enum Agreement {
    Same,
    Tied,
    Other,
    Nobody,
    Somebody,
    Refused,
    WithoutVote,
}

impl ArmRecount {
    /// Summarises the elections of one experiment. Rules that draw a lot are left out.
    pub fn of(elections: &[Recounted], resamples: u32) -> Vec<Self> {
        let mut arms: IndexMap<_, (Self, Vec<(&Recounted, &RuleCount)>)> = IndexMap::new();
        let helds: Vec<Option<&SessionElection>> = elections.iter().map(|election| election.held.as_ref()).collect();
        for (election, is_last) in elections.iter().zip(last_of_their_kind(&helds)) {
            let Some(held) = &election.held else { continue };
            for count in election.rules.iter().filter(|count| is_last && count.rule != "random_ballot") {
                let (arm, counts) =
                    arms.entry((&held.arm, held.purpose, &held.phase, count.rule)).or_insert_with(|| {
                        let (arm, phase) = (held.arm.clone(), held.phase.clone());
                        let threshold = (count.rule == "supermajority").then(|| election.threshold.clone());
                        let own =
                            Self { arm, purpose: held.purpose, phase, rule: count.rule, threshold, ..Self::default() };
                        (own, Vec::new())
                    });
                arm.add(compare_with_decision(count, held));
                counts.push((election, count));
            }
        }
        let arms = arms.into_values().map(|(arm, counts)| Self { hangs_on: HangsOn::over(&counts, resamples), ..arm });
        // Drops rules that can be counted in no session. The order is that of sessions, agenda and rules.
        arms.filter(|arm| arm.refused < arm.sessions).collect()
    }

    /// The number of sessions that held a vote, with whose decision a rule can be compared.
    pub fn of_votes(&self) -> u64 {
        self.sessions - self.without_vote
    }

    fn add(&mut self, agreement: Agreement) {
        self.sessions += 1;
        *match agreement {
            Agreement::Same => &mut self.same,
            Agreement::Tied => &mut self.tied,
            Agreement::Other => &mut self.other,
            Agreement::Nobody => &mut self.nobody,
            Agreement::Somebody => &mut self.somebody,
            Agreement::Refused => &mut self.refused,
            Agreement::WithoutVote => &mut self.without_vote,
        } += 1;
    }
}

/// For each election, whether it is the last of its purpose and phase in its session; `false` for files. The elections of a
/// session must be adjacent.
pub fn last_of_their_kind(elections: &[Option<&SessionElection>]) -> Vec<bool> {
    let is_last = |(place, held): (usize, &Option<&SessionElection>)| {
        held.is_some_and(|held| {
            let of_session =
                elections[place + 1..].iter().map_while(|next| next.filter(|next| next.session == held.session));
            !of_session.into_iter().any(|next| next.purpose == held.purpose && next.phase == held.phase)
        })
    };
    elections.iter().enumerate().map(is_last).collect()
}

/// Compares the winners of a rule with what the vote decided; of a poll or ranking, with what the session decided.
fn compare_with_decision(count: &RuleCount, held: &SessionElection) -> Agreement {
    let is_vote = held.rule.is_some();
    let decided = if is_vote { &held.decided } else { &held.session_decided }.as_deref();
    // Several winners are decided for together, joined by `+`.
    let is_decided = |winner: &String| decided.is_some_and(|decided| decided.split('+').any(|one| one == winner));
    match count.winners.as_slice() {
        _ if count.refused.is_some() => Agreement::Refused,
        _ if !is_vote && held.session_verdict == Some(Verdict::NotApplicable) => Agreement::WithoutVote,
        [] if decided.is_none() => Agreement::Same,
        [] => Agreement::Nobody,
        _ if decided.is_none() => Agreement::Somebody,
        [winner] if is_decided(winner) => Agreement::Same,
        winners if winners.iter().any(is_decided) => Agreement::Tied,
        _ => Agreement::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_winner_differs_from_a_decision_and_somebody_from_no_decision() {
        let count = |winners: &[&str], refused: Option<&str>| RuleCount {
            rule: "plurality",
            winners: winners.iter().map(|name| (*name).to_owned()).collect(),
            refused: refused.map(str::to_owned),
            ..RuleCount::default()
        };
        let held = |session_verdict: Verdict, decided: Option<&str>| SessionElection {
            purpose: "straw_after",
            session_verdict: Some(session_verdict),
            session_decided: decided.map(str::to_owned),
            ..SessionElection::default()
        };
        for (agreement, winners, verdict, decided) in [
            (Agreement::Same, &["a"][..], Verdict::Carried, Some("a")),
            (Agreement::Tied, &["a", "b"], Verdict::Carried, Some("b")),
            (Agreement::Other, &["a"], Verdict::Imposed, Some("b")),
            (Agreement::Other, &["a", "b"], Verdict::Carried, Some("c")),
            (Agreement::Nobody, &[], Verdict::Carried, Some("a")),
            (Agreement::Same, &[], Verdict::NoQuorum, None),
            (Agreement::Somebody, &["a"], Verdict::NoDecision, None),
            (Agreement::Somebody, &["a", "b"], Verdict::NoDecision, None),
            (Agreement::WithoutVote, &["a"], Verdict::NotApplicable, None),
        ] {
            assert_eq!(compare_with_decision(&count(winners, None), &held(verdict, decided)), agreement, "{winners:?}");
        }
        let refused = count(&["a"], Some("needs rankings"));
        assert_eq!(compare_with_decision(&refused, &held(Verdict::Carried, Some("a"))), Agreement::Refused);
        let mut arm = ArmRecount::default();
        for agreement in [Agreement::Same, Agreement::Other, Agreement::Other, Agreement::WithoutVote] {
            arm.add(agreement);
        }
        assert_eq!((arm.same, arm.other, arm.without_vote, arm.of_votes()), (1, 2, 1, 3));
    }
}
