//! The change that a fork makes: parses and checks the file that describes it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::check::declared::SchemaPart;
use crate::config::check::decode::decode_node;
use crate::config::check::structure::StructureCheck;
use crate::config::later_settings;
use crate::config::lower::voting;
use crate::config::problem::{Problem, Problems, did_you_mean};
use crate::config::schema;
use crate::config::tree::{MapEntry, Node, Value};
use crate::domain::{Choice, Motion, OUTSIDE_PHASES, PhaseName, Reply, SeatName, Step};
use crate::plan::{Change, ChangedAnswer, ForkCause, ForkPoint, Phase, PhaseKind, Plan, Scalar, Seat, VoteTerms};
use crate::text;

/// A change as written: either one answer at a coordinate, or keys of the config.
#[derive(Debug, Clone)]
pub struct WrittenChange {
    tree: Node,
    written: ChangeConfig,
}

static DECLARED: LazyLock<serde_json::Value> =
    LazyLock::new(|| schema::root_schema::<ChangeConfig>("Change of a fork"));

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangeConfig {
    at: Option<ChangeCoordinate>,
    statement: Option<String>,
    stance: Option<Scalar>,
    silent: Option<bool>,
    ballot: Option<Scalar>,
    /// What the seat answers, field by field.
    answer: Option<indexmap::IndexMap<String, serde_json::Value>>,
    #[serde(rename = "withhold", default)]
    #[schemars(with = "WithheldFacts")]
    _withhold: Option<serde::de::IgnoredAny>,
    #[serde(rename = "set", default)]
    #[schemars(with = "indexmap::IndexMap<String, serde_json::Value>")]
    _set: Option<indexmap::IndexMap<String, serde::de::IgnoredAny>>,
}

/// Which facts are told to nobody: the id of one, or a list.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum WithheldFacts {
    #[expect(dead_code, reason = "only its schema is used")]
    One(String),
    #[expect(dead_code, reason = "only its schema is used")]
    Several(Vec<String>),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangeCoordinate {
    /// Only settings may change for all seats.
    seat: Option<String>,
    phase: String,
    #[serde(default)]
    round: u32,
    step: Option<Step>,
}

/// Whether a fork keeps its parent's value of a key.
pub fn is_fixed(key: &str) -> bool {
    FIXED_IN_A_FORK.contains(&key.split('.').next().unwrap_or_default())
}

impl WrittenChange {
    /// Reads a change.
    ///
    /// # Errors
    /// Unknown or mistyped keys, and a file that does not contain exactly one change.
    pub fn from_tree(tree: Node) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let read = Self::gather_tree(tree, &mut problems);
        problems.into_result()?;
        Ok(read.expect("invariant: a change without a mistake is read"))
    }

    /// Reads as much of a change as possible and reports every error that can be found without a plan.
    pub fn gather_tree(tree: Node, problems: &mut Problems) -> Option<Self> {
        let mut of_meaning = Problems::default();
        let (change, check) = Self::check_structure(tree, &mut of_meaning);
        problems.extend(check.with_meaning(&of_meaning));
        change
    }

    /// Every error in a change to a session of a plan.
    pub fn find_mistakes(tree: Node, plan: &Plan) -> Problems {
        let mut of_meaning = Problems::default();
        let (change, check) = Self::check_structure(tree, &mut of_meaning);
        change.and_then(|change| change.lower_answer(plan, &mut of_meaning));
        check.with_meaning(&of_meaning)
    }

    /// Checks the structure of a change, and the part of its meaning that needs no plan.
    fn check_structure(mut tree: Node, problems: &mut Problems) -> (Option<Self>, StructureCheck) {
        let mut check = StructureCheck::default();
        check.check_tree(SchemaPart::from_root(&DECLARED), &mut tree, "");
        let Some(written) = problems.ok_or_report(decode_node::<ChangeConfig>(&tree)) else { return (None, check) };
        let named: Vec<&str> = KINDS.into_iter().filter(|key| tree.get(key).is_some()).collect();
        if named.len() != 1 && check.problems.is_empty() {
            let message = "expected exactly one of answer, statement, silent, ballot, withhold, set";
            problems.push(tree.problem(named.get(1).copied().unwrap_or(""), message));
        }
        let of_all = named.iter().find(|key| ["set", "withhold"].contains(key));
        if let (["withhold"], true) = (named.as_slice(), written.at.is_some()) {
            problems.push(tree.problem("at", "withhold changes the whole session and has no coordinate"));
        }
        if of_all.is_none() && written.at.as_ref().is_none_or(|at| at.seat.is_none()) {
            let (path, key) = if written.at.is_some() { ("at", "seat") } else { ("", "at") };
            problems.push(tree.problem(path, format!("the key \"{key}\" is missing")).with_advice(EXAMPLE));
        }
        if !named.is_empty() && !named.contains(&"statement") && written.stance.is_some() {
            problems.push(tree.problem("stance", "only a statement declares a stance"));
        }
        for entry in tree.entries_at("set") {
            if is_fixed(&entry.key) {
                let message = format!("a fork keeps the {} of its parent: it shares its draws", entry.key);
                problems.push(Problem::at_place(&entry.place, "set", message));
            }
            if let Some(policy) = borrowing_policy(entry) {
                let message = "a fork cannot borrow: whose statements are shown is settled by the design, before a session begins";
                problems.push(Problem::at_place(&policy.place, "memory.policy", message).with_advice(BORROWING));
            }
        }
        if let (Some(at), Some(set)) = (&written.at, tree.get("set")) {
            later_settings::check_keys(set, at.seat.as_deref(), problems);
        }
        if written.silent == Some(false) {
            problems.push(tree.problem("silent", "expected true"));
        }
        (Some(Self { tree, written }), check)
    }

    /// The keys of the config that the change sets, without those that no fork may set; `null` removes a key.
    pub fn changed_keys(&self) -> Vec<(String, Node)> {
        let entries = self.tree.entries_at("set");
        let mut changes = Vec::new();
        if let Some(id) = self.tree.get("withhold") {
            let ids = match id.value {
                Value::List(_) => id.clone(),
                _ => Node { value: Value::List(vec![id.clone()]), place: id.place.clone() },
            };
            changes.push(("withhold".to_owned(), ids));
        }
        for entry in entries.iter().filter(|entry| !is_fixed(&entry.key)) {
            let (mut node, mut taken) = (entry.node.clone(), Vec::new());
            // A section is merged over the parent's, so keys it does not name remain. Any other value replaces the parent's.
            if !entry.key.contains('.') {
                take_nulls(&mut node, &entry.key, &mut taken);
            }
            if borrowing_policy(entry).is_some() && node.remove_key("policy").is_none() {
                continue;
            }
            let is_gone = !entry.node.entries().is_empty() && node.entries().is_empty();
            changes.extend((!is_gone).then(|| (entry.key.clone(), node)));
            changes.extend(taken);
        }
        changes
    }

    /// Where a fork with this change departs from its parent; `None` for at its beginning.
    pub fn fork_point(&self) -> Option<ForkPoint> {
        let at = self.written.at.as_ref()?;
        let cause = if self.sets_later() { ForkCause::Settings } else { ForkCause::Answer };
        Some(ForkPoint {
            seat: at.seat.as_deref().map(SeatName::new),
            phase: PhaseName::new(&at.phase),
            round: at.round,
            step: at.step,
            cause,
        })
    }

    /// Whether it sets keys from a point of the session on.
    pub fn sets_later(&self) -> bool {
        self.written.at.is_some() && self.tree.get("set").is_some()
    }

    /// A problem with what it sets.
    pub fn settings_problem(&self, message: String) -> Problem {
        self.tree.problem("set", message)
    }

    /// A problem with where it changes something.
    pub fn point_problem(&self, key: &str, message: String) -> Problem {
        self.tree.problem(&format!("at.{key}"), message)
    }

    /// The answer that the change replaces in a session of a plan; `None` if it sets keys.
    ///
    /// # Errors
    /// Seats, phases, rounds or alternatives that the plan does not have, and inadmissible replies.
    pub fn lower_change(&self, plan: &Plan) -> Result<Option<Change>, Problems> {
        let mut problems = Problems::default();
        let change = self.lower_answer(plan, &mut problems);
        problems.into_result()?;
        Ok(change)
    }

    /// The answer that the change replaces; `None` if it sets keys, or after an error, which is reported.
    fn lower_answer(&self, plan: &Plan, problems: &mut Problems) -> Option<Change> {
        let at = self.written.at.as_ref()?;
        if self.sets_later() {
            self.check_point(plan, at, problems);
            return None;
        }
        let seat = problems.ok_or_report(self.find_seat(plan, at));
        if let Some(fields) = &self.written.answer {
            let phase = problems.ok_or_report(self.find_answered_phase(plan, at));
            let answer = ChangedAnswer::Fields(fields.clone().into_iter().collect());
            let step = at.step.unwrap_or_else(|| default_step(phase.flatten().map(|phase| &phase.kind)));
            let name = phase?.map_or_else(|| PhaseName::new(OUTSIDE_PHASES), |phase| phase.name.clone());
            return Some(Change { seat: seat?.name.clone(), phase: name, round: at.round, step, answer });
        }
        let phase = problems.ok_or_report(self.find_phase(plan, at));
        if let Some(phase) = phase {
            problems.ok_or_report(self.check_round(plan, &phase.kind, at));
        }
        let kind = phase.map(|phase| &phase.kind);
        let step = problems.ok_or_report(self.find_step(kind, at));
        let place = phase.and_then(|phase| plan.agenda.iter().position(|other| other.name == phase.name));
        let terms = place.map_or_else(|| plan.talk_terms(), |place| plan.vote_terms(place));
        let answer = self.read_reply(&terms, kind, problems).map(ChangedAnswer::Reply);
        Some(Change {
            seat: seat?.name.clone(),
            phase: phase?.name.clone(),
            round: at.round,
            step: step?,
            answer: answer?,
        })
    }

    /// A problem with the answer by fields: with one of them, or with the whole.
    pub fn answer_problem(&self, field: Option<&str>, message: String) -> Problem {
        self.tree.problem(&field.map_or("answer".to_owned(), |field| format!("answer.{field}")), message)
    }

    fn find_seat<'p>(&self, plan: &'p Plan, at: &ChangeCoordinate) -> Result<&'p Seat, Problem> {
        let named = at.seat.as_deref().unwrap_or_default();
        let seat = plan.seats.iter().find(|seat| seat.name.as_str() == named);
        seat.ok_or_else(|| self.unknown_name("at.seat", named, plan.seats.iter().map(|s| s.name.as_str())))
    }

    /// Checks where settings change: at a question to a seat, or for all seats at the beginning of a phase or round.
    fn check_point(&self, plan: &Plan, at: &ChangeCoordinate, problems: &mut Problems) {
        if at.seat.is_some() {
            problems.ok_or_report(self.find_seat(plan, at));
            problems.ok_or_report(self.find_answered_phase(plan, at));
            return;
        }
        if at.step.is_some() {
            let message =
                "for all seats settings change at the beginning of a phase or round; leave step out, or name a seat";
            problems.push(self.tree.problem("at.step", message));
        }
        let phase = problems.ok_or_report(self.find_named_phase(plan, at));
        if let Some(phase) = phase.filter(|_| at.round > 0) {
            problems.ok_or_report(self.check_round(plan, &phase.kind, at));
        }
    }

    fn find_named_phase<'p>(&self, plan: &'p Plan, at: &ChangeCoordinate) -> Result<&'p Phase, Problem> {
        let phase = plan.agenda.iter().find(|phase| phase.name.occurrence() == at.phase);
        phase.ok_or_else(|| self.unknown_name("at.phase", &at.phase, plan.agenda.iter().map(|p| p.name.occurrence())))
    }

    /// The phase of an answer by fields; `None` outside every phase.
    fn find_answered_phase<'p>(&self, plan: &'p Plan, at: &ChangeCoordinate) -> Result<Option<&'p Phase>, Problem> {
        match self.find_named_phase(plan, at) {
            Err(_) if at.phase == OUTSIDE_PHASES => Ok(None),
            found => found.map(Some),
        }
    }

    fn find_phase<'p>(&self, plan: &'p Plan, at: &ChangeCoordinate) -> Result<&'p Phase, Problem> {
        let phase = self.find_named_phase(plan, at)?;
        match phase.kind {
            PhaseKind::Settle | PhaseKind::Brief { .. } => {
                Err(self.tree.problem("at.phase", "nobody is asked in this phase"))
            }
            _ => Ok(phase),
        }
    }

    fn check_round(&self, plan: &Plan, kind: &PhaseKind, at: &ChangeCoordinate) -> Result<(), Problem> {
        let rounds = match kind {
            PhaseKind::Discussion(discussion) => 1..=discussion.rounds.get(),
            PhaseKind::Applications => {
                let practised = plan.income_principles().map_or(0, |income| income.applications.len());
                1..=u32::try_from(practised).unwrap_or(u32::MAX)
            }
            _ => 0..=0,
        };
        if rounds.contains(&at.round) {
            return Ok(());
        }
        let message = format!("{} has the rounds {} to {}", at.phase, rounds.start(), rounds.end());
        Err(self.tree.problem("at.round", message))
    }

    /// The step of the answer; `kind` is `None` if the phase is unknown.
    fn find_step(&self, kind: Option<&PhaseKind>, at: &ChangeCoordinate) -> Result<Step, Problem> {
        let is_ballot = self.written.ballot.is_some();
        let default = match kind {
            _ if !is_ballot => Step::Statement,
            Some(PhaseKind::Ask { .. }) => Step::StrawPoll,
            _ => Step::Ballot,
        };
        let step = at.step.unwrap_or(default);
        if is_ballot && step == Step::Statement {
            return Err(self.tree.problem("at.step", "a ballot is cast at the step ballot or straw_poll"));
        }
        if !is_ballot && step != Step::Statement {
            return Err(self.tree.problem("at.step", "a seat speaks or is silent at the step statement"));
        }
        match kind {
            Some(kind) if !has_step(kind, step) => {
                Err(self.tree.problem("at.step", format!("{} has no {}", at.phase, step.as_str())))
            }
            _ => Ok(step),
        }
    }

    /// `terms` are those of a vote in the phase.
    fn read_reply(&self, terms: &VoteTerms<'_>, kind: Option<&PhaseKind>, problems: &mut Problems) -> Option<Reply> {
        let written = &self.written;
        let is_vote = written.at.as_ref().is_none_or(|at| at.step.is_none_or(|step| step == Step::Ballot))
            && !matches!(kind, Some(PhaseKind::Ask { .. }));
        if let Some(Scalar::Text(word)) = &written.ballot
            && (terms.voting.may_abstain && is_vote && word.trim() == terms.motion.language.abstain())
        {
            return Some(Reply::Abstention);
        }
        let mut find = |path: &str, name: &Scalar| problems.ok_or_report(self.find_choice(path, name, terms.motion));
        let asks_more = terms.voting.form.says_more() && is_vote;
        if let (Some(ballot), true) = (&written.ballot, asks_more) {
            return problems.ok_or_report(self.read_ballot(ballot, terms));
        }
        if let Some(choice) = &written.ballot {
            return find("ballot", choice).map(Reply::Choice);
        }
        let stance = written.stance.as_ref().map(|name| find("stance", name));
        let Some(text) = written.statement.as_deref().map(str::trim) else { return Some(Reply::Pass) };
        let least = match kind {
            Some(PhaseKind::Discussion(discussion)) => discussion.statement_min_length.max(1),
            _ => 1,
        };
        if text::char_count(text) < u64::from(least) {
            let message = format!("shorter than statement_min_length ({least} characters)");
            problems.push(self.tree.problem("statement", message));
            return None;
        }
        // A wrong stance has been reported.
        let stance = stance.map_or(Some(None), |stance| stance.map(Some))?;
        Some(Reply::Statement { text: text.into(), stance, opinion: None })
    }

    /// Reads a ballot that contains more than one choice, as a person would type it.
    fn read_ballot(&self, written: &Scalar, terms: &VoteTerms<'_>) -> Result<Reply, Problem> {
        let (form, motion) = (terms.voting.form, terms.motion);
        let text = if let Scalar::Text(text) = written { text.as_str() } else { "?" };
        let told = |(message, hint): (String, String)| self.tree.problem("ballot", message).with_advice(hint);
        voting::parse_typed_ballot(text, form, motion).map(Reply::Ballot).map_err(told)
    }

    /// Finds an alternative by name, or an amount of the only alternative.
    fn find_choice(&self, path: &str, written: &Scalar, motion: &Motion) -> Result<Choice, Problem> {
        match (motion.only(), written) {
            (Some(only), Scalar::Int(amount)) => {
                let amounts = motion.amounts();
                let named = u32::try_from(*amount).ok().filter(|amount| amounts.contains(amount));
                let message = || format!("{amount} is outside {} … {}", amounts.start(), amounts.end());
                let named = named.ok_or_else(|| self.tree.problem(path, message()))?;
                Ok(Choice { alternative: only, amount: Some(named) })
            }
            (Some(_), _) => Err(self.tree.problem(path, "expected a whole number: an amount is decided")),
            (None, Scalar::Text(name)) => {
                let known = motion.alternatives.iter().map(|a| a.name.as_str());
                motion.find(name).map(Choice::from).ok_or_else(|| self.unknown_name(path, name, known))
            }
            (None, _) => {
                let known: Vec<&str> = motion.alternatives.iter().map(|a| a.name.as_str()).collect();
                let message = format!("expected the name of an alternative: one of {}", known.join(", "));
                Err(self.tree.problem(path, message))
            }
        }
    }

    fn unknown_name<'a>(&self, path: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Problem {
        let mut known: Vec<&str> = known.collect();
        // A phase in groups is listed for each of them.
        let mut listed = BTreeSet::new();
        known.retain(|known| listed.insert(*known));
        let message = format!("{name:?} is not in the plan; there are {}", known.join(", "));
        self.tree.problem(path, message).with_hint(did_you_mean(name, known))
    }
}

/// Removes every `null` from a mapping and lists its dotted key. Mappings that become empty are removed, too.
fn take_nulls(node: &mut Node, path: &str, taken: &mut Vec<(String, Node)>) {
    let Value::Map(entries) = &mut node.value else { return };
    entries.retain_mut(|entry| {
        let path = format!("{path}.{}", entry.key);
        if entry.node.is_taking_away() {
            taken.push((path, entry.node.clone()));
            return false;
        }
        let is_single = entry.node.entries().is_empty();
        take_nulls(&mut entry.node, &path, taken);
        is_single || !entry.node.entries().is_empty()
    });
}

/// The policy that an entry sets, if it is `shuffled`, which shows another session's statements.
fn borrowing_policy(entry: &MapEntry) -> Option<&Node> {
    let policy = match entry.key.as_str() {
        "memory.policy" => Some(&entry.node),
        "memory" => entry.node.get("policy"),
        _ => None,
    };
    policy.filter(|policy| policy.as_text() == Some("shuffled"))
}

/// Sections of the config that a fork shares with its parent.
const FIXED_IN_A_FORK: [&str; 6] = ["seed", "replicates", "experiment", "design", "panel", "scenario"];
const BORROWING: &str = "make memory.policy a factor whose baseline lends, as in levels: [shuffled, selective], and run that; a \
                        fork of a session that borrows keeps what that was shown without saying so";
/// The kinds of change; a file has exactly one.
const KINDS: [&str; 6] = ["answer", "statement", "silent", "ballot", "withhold", "set"];
const EXAMPLE: &str = "at: { seat: Bob, phase: discussion, round: 2 }";

/// The phase's own question.
fn default_step(kind: Option<&PhaseKind>) -> Step {
    match kind {
        Some(PhaseKind::Ask { .. }) => Step::StrawPoll,
        Some(PhaseKind::Vote(_)) => Step::Ballot,
        Some(PhaseKind::Form(_)) => Step::Ask,
        Some(PhaseKind::Ranking) => Step::Ranking,
        Some(PhaseKind::Comprehension(_)) => Step::Comprehension,
        Some(PhaseKind::Applications) => Step::Application,
        _ => Step::Statement,
    }
}

/// Whether the seats are asked at this step of a phase.
fn has_step(kind: &PhaseKind, step: Step) -> bool {
    match (kind, step) {
        (PhaseKind::Discussion(_), Step::Statement)
        | (PhaseKind::Ask { .. }, Step::StrawPoll)
        | (PhaseKind::Vote(_), Step::Ballot) => true,
        (PhaseKind::Discussion(discussion), Step::StrawPoll) => discussion.poll_each_round,
        (PhaseKind::Discussion(discussion), Step::Ballot) => discussion.votes_in_rounds(),
        _ => false,
    }
}
