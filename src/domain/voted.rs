//! Ballots that say more than one choice, and ballots of every form as they are told. How they are counted is `choice`'s affair.

use serde::{Deserialize, Serialize};

use super::{Language, NamedChoice, Tongue};

/// A ballot over alternatives, by ids or by names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ballot<A> {
    /// Those approved of, in the scenario's order; it may be none.
    Approval(Vec<A>),
    /// The alternatives level by level, the best first; those of one level are tied, and what no level holds is unranked.
    Ranking(Vec<Vec<A>>),
    /// The score of every alternative, in the scenario's order.
    Score(Vec<Scored<A>>),
}

/// An alternative and its score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored<A> {
    /// The alternative.
    pub alternative: A,
    /// Its score, from 0.
    pub score: u32,
}

/// A complete ballot of any form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Voted {
    /// For one alternative, with its amount where it takes one.
    For(NamedChoice),
    /// A ballot that says more.
    Over(Ballot<super::AlternativeName>),
    /// For nothing, by choice.
    Abstained,
}

impl<A> Ballot<A> {
    /// The same ballot by other names.
    pub fn map<B>(&self, mut name: impl FnMut(&A) -> B) -> Ballot<B> {
        self.find(|one| Some(name(one))).expect("invariant: every alternative has its other name")
    }

    /// The same ballot by other names; `None` where one is not found.
    pub fn find<B>(&self, mut name: impl FnMut(&A) -> Option<B>) -> Option<Ballot<B>> {
        Some(match self {
            Ballot::Approval(approved) => Ballot::Approval(approved.iter().map(name).collect::<Option<_>>()?),
            Ballot::Ranking(levels) => {
                let mut level = |level: &Vec<A>| level.iter().map(&mut name).collect::<Option<Vec<B>>>();
                Ballot::Ranking(levels.iter().map(&mut level).collect::<Option<_>>()?)
            }
            Ballot::Score(scores) => {
                let mut scored =
                    |one: &Scored<A>| Some(Scored { alternative: name(&one.alternative)?, score: one.score });
                Ballot::Score(scores.iter().map(&mut scored).collect::<Option<_>>()?)
            }
        })
    }

    /// What stands at the top: all that are approved of, the first level, or those with the greatest score.
    pub fn top(&self) -> Vec<&A> {
        match self {
            Ballot::Approval(approved) => approved.iter().collect(),
            Ballot::Ranking(levels) => levels.first().map(|level| level.iter().collect()).unwrap_or_default(),
            Ballot::Score(scores) => {
                let most = scores.iter().map(|one| one.score).max();
                scores.iter().filter(|one| Some(one.score) == most).map(|one| &one.alternative).collect()
            }
        }
    }

    /// What stands at the top alone, if anything does.
    pub fn first(&self) -> Option<&A> {
        match self.top()[..] {
            [first] => Some(first),
            _ => None,
        }
    }
}

impl<A: PartialEq> Ballot<A> {
    /// The rank of an alternative in a ranking: one more than stand above it; `None` where it is not ranked, or nothing is.
    pub fn rank(&self, alternative: &A) -> Option<u32> {
        let Ballot::Ranking(levels) = self else { return None };
        let mut above = 0;
        for level in levels {
            if level.contains(alternative) {
                return Some(above + 1);
            }
            above += level.len() as u32;
        }
        None
    }

    /// The score of an alternative; `None` where nothing is scored.
    pub fn score(&self, alternative: &A) -> Option<u32> {
        let Ballot::Score(scores) = self else { return None };
        scores.iter().find(|one| one.alternative == *alternative).map(|one| one.score)
    }

    /// Whether an alternative is approved of; `None` where nobody was asked that.
    pub fn approves(&self, alternative: &A) -> Option<bool> {
        let Ballot::Approval(approved) = self else { return None };
        Some(approved.contains(alternative))
    }
}

impl<A: std::fmt::Display> Ballot<A> {
    /// In the words of its language, as in `a > b = c`, `a, b` and `a = 5, b = 0`.
    pub fn told(&self, language: Language) -> String {
        let join = |words: Vec<String>, between: &str| words.join(between);
        match self {
            Ballot::Approval(approved) if approved.is_empty() => language.none().to_owned(),
            Ballot::Approval(approved) => join(approved.iter().map(A::to_string).collect(), ", "),
            Ballot::Ranking(levels) => {
                let level = |level: &Vec<A>| join(level.iter().map(A::to_string).collect(), " = ");
                join(levels.iter().map(level).collect(), " > ")
            }
            Ballot::Score(scores) => {
                join(scores.iter().map(|one| format!("{} = {}", one.alternative, one.score)).collect(), ", ")
            }
        }
    }
}

impl Voted {
    /// In the words of a session.
    pub fn told(&self, tongue: Tongue<'_>) -> String {
        match self {
            Voted::For(choice) => tongue.choice(choice).to_string(),
            Voted::Over(ballot) => ballot.map(|name| tongue.alternative(name).clone()).told(tongue.language),
            Voted::Abstained => tongue.language.abstain().to_owned(),
        }
    }
}
