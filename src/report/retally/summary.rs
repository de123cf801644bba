//! What each rule would have made of an experiment's elections, arm by arm. Differences between arms are `compare`'s affair.

use serde::Serialize;

use super::{HangsOn, Held, Recounted, RuleCount};
use crate::domain::Verdict;

/// One arm's last elections of a kind under one rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmRecount {
    /// The arm.
    pub arm: String,
    /// `straw_before`, `straw_round`, `straw_after`, `ranking` or `vote`: of several in a session the last.
    pub purpose: &'static str,
    /// The phase.
    pub phase: String,
    /// The rule.
    pub rule: &'static str,
    /// Sessions with such an election.
    pub sessions: u64,
    /// Where it gives what the session decided: the same winner alone, or nobody where nothing was decided.
    pub same: u64,
    /// Where what was decided is among those it ties.
    pub tied: u64,
    /// Where it gives another winner than what was decided for, or a tie of others.
    pub other: u64,
    /// Where it gives nobody, and something was decided.
    pub nobody: u64,
    /// Where it gives a winner or a tie, and nothing was decided.
    pub somebody: u64,
    /// Where it cannot be counted.
    pub refused: u64,
    /// Where it can, and the session held no vote: there is no decision to stand beside.
    pub without_vote: u64,
    /// The sessions by how they stand; those without a vote are left out.
    #[serde(skip)]
    pub stood: Stood,
    /// What these results hang on; absent where that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hangs_on: Option<HangsOn>,
}

/// The sessions by how a rule's result stands to what each decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stood {
    /// Where it gives the same.
    pub same: Vec<String>,
    /// Where it ties what was decided with others.
    pub tied: Vec<String>,
    /// Where it gives another winner than what was decided for, or a tie of others.
    pub other: Vec<String>,
    /// Where it gives nobody, and something was decided.
    pub nobody: Vec<String>,
    /// Where it gives a winner or a tie, and nothing was decided.
    pub somebody: Vec<String>,
    /// Where it cannot be counted.
    pub refused: Vec<String>,
}

/// How a rule's result stands to what the session decided.
enum Stands {
    Same,
    Tied,
    Other,
    Nobody,
    Somebody,
    Refused,
    WithoutVote,
}

impl ArmRecount {
    /// The summary of elections of one experiment, of which ballots were drawn again so often. A rule that draws a lot is left out.
    pub fn of(elections: &[Recounted], resamples: u32) -> Vec<Self> {
        let (mut arms, mut counts) = (Vec::<Self>::new(), Vec::<Vec<(&Recounted, &RuleCount)>>::new());
        let helds: Vec<Option<&Held>> = elections.iter().map(|election| election.held.as_ref()).collect();
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
                    arms.push(Self::none(held, count.rule));
                    counts.push(Vec::new());
                    arms.len() - 1
                });
                arms[at].add(stands(count, held), &held.session);
                counts[at].push((election, count));
            }
        }
        for (arm, counts) in arms.iter_mut().zip(&counts) {
            arm.hangs_on = HangsOn::over(counts, resamples);
        }
        // Arms in the order of sessions, kinds in the order of the agenda, rules in that of rules.
        arms.retain(|arm| arm.refused < arm.sessions);
        arms
    }

    fn none(held: &Held, rule: &'static str) -> Self {
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
            stood: Stood::default(),
            hangs_on: None,
        }
    }

    /// Sessions that held a vote, beside whose decision a rule's result can stand.
    pub fn of_votes(&self) -> u64 {
        self.sessions - self.without_vote
    }

    fn add(&mut self, stands: Stands, session: &str) {
        self.sessions += 1;
        let (of, names) = match stands {
            Stands::Same => (&mut self.same, &mut self.stood.same),
            Stands::Tied => (&mut self.tied, &mut self.stood.tied),
            Stands::Other => (&mut self.other, &mut self.stood.other),
            Stands::Nobody => (&mut self.nobody, &mut self.stood.nobody),
            Stands::Somebody => (&mut self.somebody, &mut self.stood.somebody),
            Stands::Refused => (&mut self.refused, &mut self.stood.refused),
            Stands::WithoutVote => {
                self.without_vote += 1;
                return;
            }
        };
        *of += 1;
        names.push(session.to_owned());
    }
}

/// For each election whether it is the last of its purpose and phase in its session; `false` for one of a file. Elections of a
/// session stand together.
pub fn last_of_their_kind(elections: &[Option<&Held>]) -> Vec<bool> {
    let is_last = |(place, held): (usize, &Option<&Held>)| {
        held.is_some_and(|held| {
            let of_session =
                elections[place + 1..].iter().map_while(|next| next.filter(|next| next.session == held.session));
            !of_session.into_iter().any(|next| next.purpose == held.purpose && next.phase == held.phase)
        })
    };
    elections.iter().enumerate().map(is_last).collect()
}

fn stands(count: &RuleCount, held: &Held) -> Stands {
    let decided = held.session_decided.as_deref();
    let is_decided = |winner: &String| Some(winner.as_str()) == decided;
    match count.winners.as_slice() {
        _ if count.refused.is_some() => Stands::Refused,
        _ if held.session_verdict == Some(Verdict::NotApplicable) => Stands::WithoutVote,
        [] if decided.is_none() => Stands::Same,
        [] => Stands::Nobody,
        _ if decided.is_none() => Stands::Somebody,
        [winner] if is_decided(winner) => Stands::Same,
        winners if winners.iter().any(is_decided) => Stands::Tied,
        _ => Stands::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_winner_is_told_of_what_was_decided_and_somebody_where_nothing_was() {
        let count = |winners: &[&str], refused: Option<&str>| RuleCount {
            rule: "plurality",
            winners: winners.iter().map(|name| (*name).to_owned()).collect(),
            refused: refused.map(str::to_owned),
            committees: None,
            points: None,
            points_unit: None,
            margin: None,
            fewest: None,
            pivotal_ballots: None,
            pivotal_seats: None,
            bootstrap: None,
        };
        let held = |session_verdict: Verdict, decided: Option<&str>| Held {
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
        let mut arm = ArmRecount::none(&held(Verdict::Carried, None), "plurality");
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
            arm.add(stands(&count(winners, None), &held(verdict, decided)), session);
        }
        let refused = count(&["a"], Some("needs rankings"));
        arm.add(stands(&refused, &held(Verdict::Carried, Some("a"))), "refused");
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
