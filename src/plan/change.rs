//! What a fork changes: a file of one change, from text to meaning.

use serde::Deserialize;

use super::decode::decode;
use super::{Node, PhaseKind, Plan, Problem, nearest};
use crate::domain::{Motion, PhaseName, Reply, SeatName, Step};
use crate::text;

/// What a seat says or does instead of its own answer, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Who.
    pub seat: SeatName,
    /// In which phase.
    pub phase: PhaseName,
    /// In which round; 0 outside rounds.
    pub round: u32,
    /// At which step.
    pub step: Step,
    /// What instead.
    pub reply: Reply,
}

/// A change as it was written: either one answer at a coordinate, or keys of the config.
#[derive(Debug, Clone)]
pub struct WrittenChange {
    tree: Node,
    written: Written,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    at: Option<At>,
    statement: Option<String>,
    stance: Option<String>,
    silent: Option<bool>,
    ballot: Option<String>,
    #[serde(rename = "set")]
    _set: Option<indexmap::IndexMap<String, serde::de::IgnoredAny>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    seat: String,
    phase: String,
    #[serde(default)]
    round: u32,
    step: Option<Step>,
}

impl WrittenChange {
    /// Reads a change.
    ///
    /// # Errors
    /// When a key is unknown or mistyped, or the file does not hold exactly one change.
    pub fn read(tree: Node) -> Result<Self, Problem> {
        let written: Written = decode(&tree, "")?;
        let named = ["statement", "silent", "ballot", "set"].into_iter().filter(|key| tree.get(key).is_some());
        let named: Vec<&str> = named.collect();
        let [change] = named[..] else {
            let message = "expected exactly one of statement, silent, ballot, set";
            return Err(tree.problem(named.get(1).copied().unwrap_or(""), message));
        };
        if change == "set" && written.at.is_some() {
            return Err(tree.problem("at", "set changes the whole session and has no coordinate"));
        }
        if change != "set" && written.at.is_none() {
            return Err(tree.problem("", "the key \"at\" is missing").with_hint(Some(EXAMPLE.to_owned())));
        }
        if change != "statement" && written.stance.is_some() {
            return Err(tree.problem("stance", "only a statement declares a stance"));
        }
        let fixed = tree.get("set").map(Node::entries).unwrap_or_default().iter().find(|entry| {
            let root = entry.key.split('.').next().unwrap_or_default();
            FIXED_IN_A_FORK.contains(&root)
        });
        if let Some(entry) = fixed {
            let message = format!("a fork keeps the {} of its parent: it shares its draws", entry.key);
            return Err(Problem::at(&entry.place, "set", message));
        }
        if written.silent == Some(false) {
            return Err(tree.problem("silent", "expected true"));
        }
        Ok(Self { tree, written })
    }

    /// The keys of the config that it sets, with their values.
    pub fn set(&self) -> Vec<(String, Node)> {
        let entries = self.tree.get("set").map(Node::entries).unwrap_or_default();
        entries.iter().map(|entry| (entry.key.clone(), entry.node.clone())).collect()
    }

    /// The answer that it changes in a session of a plan; `None` when it sets keys.
    ///
    /// # Errors
    /// When the plan has no such seat, phase, round or alternative, or the reply would not be admissible.
    pub fn lower(&self, plan: &Plan) -> Result<Option<Change>, Problem> {
        let Some(at) = &self.written.at else { return Ok(None) };
        let seat = plan.seats.iter().find(|seat| seat.name.as_str() == at.seat);
        let seat = seat.ok_or_else(|| self.unknown("at.seat", &at.seat, plan.seats.iter().map(|s| s.name.as_str())))?;
        let phase = plan.agenda.iter().find(|phase| phase.name.as_str() == at.phase);
        let phase =
            phase.ok_or_else(|| self.unknown("at.phase", &at.phase, plan.agenda.iter().map(|p| p.name.as_str())))?;
        let rounds = match &phase.kind {
            PhaseKind::Discussion(discussion) => 1..=discussion.rounds.get(),
            PhaseKind::Applications => {
                let practised = plan.mechanism.as_ref().map_or(0, |income| income.applications.len());
                1..=u32::try_from(practised).unwrap_or(u32::MAX)
            }
            PhaseKind::Settle => return Err(self.tree.problem("at.phase", "nobody is asked in this phase")),
            PhaseKind::Brief { .. } => return Err(self.tree.problem("at.phase", "nobody is asked in this phase")),
            _ => 0..=0,
        };
        if !rounds.contains(&at.round) {
            let message = format!("{} has the rounds {} to {}", at.phase, rounds.start(), rounds.end());
            return Err(self.tree.problem("at.round", message));
        }
        let (reply, step) = self.reply(plan, &phase.kind, at)?;
        if !asks(&phase.kind, step) {
            return Err(self.tree.problem("at.step", format!("{} has no {}", at.phase, step.as_str())));
        }
        let (seat, phase) = (seat.name.clone(), phase.name.clone());
        Ok(Some(Change { seat, phase, round: at.round, step, reply }))
    }

    fn reply(&self, plan: &Plan, kind: &PhaseKind, at: &At) -> Result<(Reply, Step), Problem> {
        let written = &self.written;
        if let Some(choice) = &written.ballot {
            let default = if matches!(kind, PhaseKind::Ask { .. }) { Step::StrawPoll } else { Step::Ballot };
            let step = at.step.unwrap_or(default);
            if step == Step::Statement {
                return Err(self.tree.problem("at.step", "a ballot is cast at the step ballot or straw_poll"));
            }
            let choice = plan.motion.find(choice).ok_or_else(|| self.no_alternative("ballot", choice, &plan.motion))?;
            return Ok((Reply::Choice(choice.into()), step));
        }
        let step = at.step.unwrap_or(Step::Statement);
        if step != Step::Statement {
            return Err(self.tree.problem("at.step", "a seat speaks or is silent at the step statement"));
        }
        let Some(text) = written.statement.as_deref().map(str::trim) else { return Ok((Reply::Pass, step)) };
        let least = match kind {
            PhaseKind::Discussion(discussion) => discussion.statement_min_length.max(1),
            _ => 1,
        };
        if text::chars(text) < u64::from(least) {
            return Err(self
                .tree
                .problem("statement", format!("shorter than statement_min_length ({least} characters)")));
        }
        let stance = match &written.stance {
            Some(name) => {
                Some(plan.motion.find(name).ok_or_else(|| self.no_alternative("stance", name, &plan.motion))?)
            }
            None => None,
        };
        Ok((Reply::Statement { text: text.to_owned(), stance: stance.map(Into::into) }, step))
    }

    fn no_alternative(&self, path: &str, name: &str, motion: &Motion) -> Problem {
        self.unknown(path, name, motion.alternatives.iter().map(|a| a.name.as_str()))
    }

    fn unknown<'a>(&self, path: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Problem {
        let known: Vec<&str> = known.collect();
        let message = format!("{name:?} is not in the plan; there are {}", known.join(", "));
        self.tree.problem(path, message).with_hint(nearest(name, known))
    }
}

/// What a fork shares with its parent.
const FIXED_IN_A_FORK: [&str; 5] = ["seed", "replicates", "experiment", "design", "scenario"];
const EXAMPLE: &str = "at: { seat: Bob, phase: discussion, round: 2 }";

/// Whether seats are asked at this step in a phase.
fn asks(kind: &PhaseKind, step: Step) -> bool {
    match (kind, step) {
        (PhaseKind::Discussion(_), Step::Statement)
        | (PhaseKind::Ask { .. }, Step::StrawPoll)
        | (PhaseKind::Ballot, Step::Ballot) => true,
        (PhaseKind::Discussion(discussion), Step::StrawPoll) => discussion.poll_each_round,
        (PhaseKind::Discussion(discussion), Step::Ballot) => discussion.votes_in_rounds(),
        _ => false,
    }
}
