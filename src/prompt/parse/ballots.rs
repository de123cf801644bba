//! Ballots that say more than one choice: approvals, rankings and scores. Nothing is repaired: a name that is unknown or stands
//! twice, and a score that is missing or out of range, make the ballot inadmissible.

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

use super::anchors::{Anchored, Extent};
use super::objects::read_object;
use super::{Reading, table_number};
use crate::domain::{AlternativeId, Ask, Ballot, BallotForm, Fault, Reply, Scored, check_ballot};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Approved {
    approves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ranked {
    ranking: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoresGiven {
    scores: Pairs,
}

/// The keys and values of an object as they stand, one that stands twice included.
pub(super) struct Pairs(pub Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Pairs;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Pairs, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

impl Reading<'_> {
    /// Reads a ballot in JSON; `None` where an alternative or an amount is voted for, or something else is asked.
    pub(super) fn ballot_in_json(&self, raw: &str) -> Option<Result<Reply, Fault>> {
        let Ask::Ballot { form, .. } = self.ask else { return None };
        if self.abstains_in_json(raw) {
            return Some(Ok(Reply::Abstention));
        }
        let ballot = match form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => read_object(raw).and_then(|said: Approved| {
                let names = said.approves.iter().map(|name| self.option(name));
                names.collect::<Result<_, _>>().map(Ballot::Approval)
            }),
            BallotForm::Ranking { .. } => read_object(raw).and_then(|said: Ranked| {
                let levels = said.ranking.iter().map(|level| self.level(level));
                levels.collect::<Result<_, _>>().map(Ballot::Ranking)
            }),
            BallotForm::Score { .. } => read_object(raw).and_then(|said: ScoresGiven| {
                let scored = said.scores.0.iter().map(|(name, score)| {
                    let alternative = self.option(name)?;
                    let score = score.as_u64().ok_or(Fault::Unreadable)?;
                    Ok(Scored { alternative, score: u32::try_from(score).map_err(|_| Fault::ScoreOutOfRange)? })
                });
                scored.collect::<Result<_, _>>().map(Ballot::Score)
            }),
        };
        Some(ballot.and_then(|ballot| self.ballot(ballot)))
    }

    /// The same of anchored lines: `APPROVES: a, b`, `RANKING: a > b = c`, `SCORES: a = 5, b = 0`.
    pub(super) fn ballot_in_lines(&self, said: &Anchored<'_>) -> Option<Result<Reply, Fault>> {
        let Ask::Ballot { form, .. } = self.ask else { return None };
        if self.abstains_in_lines(said) {
            return Some(Ok(Reply::Abstention));
        }
        let line = |anchor: &str| said.one(anchor, Extent::Line);
        let ballot = match form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => line("APPROVES:").and_then(|words| {
                if words == self.motion.language.none() && self.option(&words).is_err() {
                    return Ok(Ballot::Approval(Vec::new()));
                }
                words.split([',', '，']).map(|name| self.option(name)).collect::<Result<_, _>>().map(Ballot::Approval)
            }),
            BallotForm::Ranking { .. } => line("RANKING:").and_then(|words| {
                let level = |level: &str| level.split('=').map(|name| self.option(name)).collect::<Result<_, _>>();
                words.split(['>', '＞']).map(level).collect::<Result<_, _>>().map(Ballot::Ranking)
            }),
            BallotForm::Score { .. } => line("SCORES:").and_then(|words| {
                let scored = words.split([',', '，']).map(|pair| {
                    let (name, score) = pair.rsplit_once(['=', '＝']).ok_or(Fault::Unreadable)?;
                    Ok(Scored { alternative: self.option(name)?, score: table_number(score)? })
                });
                scored.collect::<Result<_, _>>().map(Ballot::Score)
            }),
        };
        Some(ballot.and_then(|ballot| self.ballot(ballot)))
    }

    fn level(&self, level: &Value) -> Result<Vec<AlternativeId>, Fault> {
        match level {
            Value::String(name) => self.option(name).map(|one| vec![one]),
            Value::Array(names) => names
                .iter()
                .map(|name| name.as_str().ok_or(Fault::Unreadable).and_then(|name| self.option(name)))
                .collect(),
            _ => Err(Fault::Unreadable),
        }
    }

    fn ballot(&self, ballot: Ballot<AlternativeId>) -> Result<Reply, Fault> {
        check_ballot(self.ask, ballot).map(Reply::Ballot)
    }
}
