//! The results of each rule by arm, set against the decisions of the sessions. `compare` compares arms.

use serde::Serialize;

use super::{HangsOn, Recounted, RuleCount, SessionElection};
use crate::domain::Verdict;

/// The results of one rule for the last election of each kind in an arm's sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmRecount {
    /// The arm.
    pub arm: String,
    /// `straw_before`, `straw_round`, `straw_after`, `ranking` or `vote`; the last one of a session counts.
    pub purpose: &'static str,
    /// The phase.
    pub phase: String,
    /// The rule.
    pub rule: &'static str,
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
    /// The names of the sessions in each group; those without a vote are left out.
    #[serde(skip)]
    pub stood: AgreementSessions,
    /// The robustness of the results; absent if not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hangs_on: Option<HangsOn>,
}

/// The sessions, grouped by comparison of a rule's result with the decision. The fields are those of [`ArmRecount`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgreementSessions {
    /// The same result.
    pub same: Vec<String>,
    /// The decision is tied with others.
    pub tied: Vec<String>,
    /// Another winner, or a tie of others.
    pub other: Vec<String>,
    /// No winner, but a decision.
    pub nobody: Vec<String>,
    /// A winner or a tie, but no decision.
    pub somebody: Vec<String>,
    /// Not countable.
    pub refused: Vec<String>,
}

/// A rule's result compared with the decision of the session.
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
        let (mut arms, mut counts) = (Vec::<Self>::new(), Vec::<Vec<(&Recounted, &RuleCount)>>::new());
        let helds: Vec<Option<&SessionElection>> = elections.iter().map(|election| election.held.as_ref()).collect();
        for (election, is_last) in elections.iter().zip(last_of_their_kind(&helds)) {
            let Some(held) = &election.held else { continue };
            for count in election.rules.iter().filter(|count| is_last && count.rule != "random_ballot") {
                let is_this = |arm: &Self| {
                    arm.arm == held.arm
                        && arm.purpose == held.purpose
                        && arm.phase == held.phase
                        && arm.rule == count.rule
                };
                let at = arms.iter().position(is_this).unwrap_or_else(|| {
                    arms.push(Self::empty(held, count.rule));
                    counts.push(Vec::new());
                    arms.len() - 1
                });
                arms[at].add(compare_with_decision(count, held), &held.session);
                counts[at].push((election, count));
            }
        }
        for (arm, counts) in arms.iter_mut().zip(&counts) {
            arm.hangs_on = HangsOn::over(counts, resamples);
        }
        // Drops rules that can be counted in no session. The order is that of sessions, agenda and rules.
        arms.retain(|arm| arm.refused < arm.sessions);
        arms
    }

    fn empty(held: &SessionElection, rule: &'static str) -> Self {
        Self {
            arm: held.arm.clone(),
            purpose: held.purpose,
            phase: held.phase.clone(),
            rule,
            sessions: 0,
            same: 0,
            tied: 0,
            other: 0,
            nobody: 0,
            somebody: 0,
            refused: 0,
            without_vote: 0,
            stood: AgreementSessions::default(),
            hangs_on: None,
        }
    }

    /// The number of sessions that held a vote, with whose decision a rule can be compared.
    pub fn of_votes(&self) -> u64 {
        self.sessions - self.without_vote
    }

    fn add(&mut self, agreement: Agreement, session: &str) {
        self.sessions += 1;
        let (of, names) = match agreement {
            Agreement::Same => (&mut self.same, &mut self.stood.same),
            Agreement::Tied => (&mut self.tied, &mut self.stood.tied),
            Agreement::Other => (&mut self.other, &mut self.stood.other),
            Agreement::Nobody => (&mut self.nobody, &mut self.stood.nobody),
            Agreement::Somebody => (&mut self.somebody, &mut self.stood.somebody),
            Agreement::Refused => (&mut self.refused, &mut self.stood.refused),
            Agreement::WithoutVote => {
                self.without_vote += 1;
                return;
            }
        };
        *of += 1;
        names.push(session.to_owned());
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
            committees: None,
            by_default: false,
            points: None,
            points_unit: None,
            margin: None,
            fewest: None,
            pivotal_ballots: None,
            pivotal_seats: None,
            bootstrap: None,
        };
        let held = |session_verdict: Verdict, decided: Option<&str>| SessionElection {
            session: String::new(),
            arm: String::new(),
            purpose: "straw_after",
            phase: String::new(),
            round: 0,
            vote: None,
            invalid: 0,
            rule: None,
            decided: None,
            session_verdict: Some(session_verdict),
            session_decided: decided.map(str::to_owned),
        };
        let mut arm = ArmRecount::empty(&held(Verdict::Carried, None), "plurality");
        for (session, winners, verdict, decided) in [
            ("same", &["a"][..], Verdict::Carried, Some("a")),
            ("tied", &["a", "b"], Verdict::Carried, Some("b")),
            ("other", &["a"], Verdict::Imposed, Some("b")),
            ("other too", &["a", "b"], Verdict::Carried, Some("c")),
            ("nobody", &[], Verdict::Carried, Some("a")),
            ("hung, as decided", &[], Verdict::NoQuorum, None),
            ("hung", &["a"], Verdict::NoDecision, None),
            ("hung, a tie", &["a", "b"], Verdict::NoDecision, None),
            ("no vote", &["a"], Verdict::NotApplicable, None),
        ] {
            arm.add(compare_with_decision(&count(winners, None), &held(verdict, decided)), session);
        }
        let refused = count(&["a"], Some("needs rankings"));
        arm.add(compare_with_decision(&refused, &held(Verdict::Carried, Some("a"))), "refused");
        assert_eq!((arm.without_vote, arm.of_votes()), (1, 9));
        let stood = &arm.stood;
        assert_eq!(stood.same, ["same", "hung, as decided"]);
        assert_eq!(
            (stood.tied.as_slice(), stood.nobody.as_slice()),
            (&["tied".to_owned()][..], &["nobody".to_owned()][..])
        );
        assert_eq!(stood.other, ["other", "other too"]);
        assert_eq!((arm.somebody, stood.somebody.as_slice()), (2, &["hung".to_owned(), "hung, a tie".to_owned()][..]));
        let told = [arm.same, arm.tied, arm.other, arm.nobody, arm.somebody, arm.refused];
        assert_eq!((told, told.iter().sum::<u64>()), ([2, 1, 2, 1, 2, 1], arm.of_votes()));
    }
}
