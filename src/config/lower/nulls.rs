//! Null arms: copies of an arm of the design that share its draws and lack part of what its discussion contributes.
//!
//! A null overrides keys of the config, as a level does. The analysis compares its sessions with those of its arm.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::config::arms::{ARMS_MAX, Arm, ArmPlans, Null};
use crate::config::lower::design::DesignDraft;
use crate::config::lower::{minds, seats};
use crate::config::problem::{Problem, Problems, SourcePlace};
use crate::config::scenario::Scenario;
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::scenario::TalkConfig;
use crate::plan::{ArmPlan, FACTOR, Level, NullArm, NullStart, NullWord, Origin, Plan, check_apart, digest_of};

/// The dotted key of the nulls.
const KEY: &str = "design.nulls";
/// The model of simulated seats, if the config has none; underscores make the name unique.
const SIMULATED: &str = "simulated";

/// Fills in the defaults of nulls.
pub fn fill_null_defaults(design: &mut Node) {
    design.find_mut("nulls").map(Node::items_mut).unwrap_or_default().iter_mut().for_each(minds::fill_mind);
}

struct WrittenNull<'a> {
    word: NullWord,
    node: &'a Node,
}

impl<'a> WrittenNull<'a> {
    /// `None` if the structure has a reported error.
    fn from_node(node: &'a Node) -> Option<Self> {
        let word = node.as_text().or_else(|| node.entries().first().map(|entry| entry.key.as_str()))?;
        Some(Self { word: NullWord::from_word(word)?, node })
    }
}

/// Inserts the nulls of each arm after it.
pub fn add_nulls(design: &mut DesignDraft, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    let items = tree.items_at(KEY);
    let written: Vec<WrittenNull<'_>> = items.iter().filter_map(WrittenNull::from_node).collect();
    if written.is_empty() {
        return;
    }
    let before = problems.len();
    for (place, null) in written.iter().enumerate() {
        if written[..place].iter().any(|other| other.word == null.word) {
            let message = format!("{} is listed twice", null.word.as_str());
            problems.push(Problem::at_place(&null.node.place, format!("{KEY}.{place}"), message));
        }
    }
    check_factors(tree, problems);
    if design.arms.len().saturating_mul(written.len() + 1) > ARMS_MAX {
        problems.push(tree.problem(KEY, format!("with its nulls the design has more than {ARMS_MAX} arms")));
    }
    if problems.len() > before {
        return;
    }
    for mut arm in std::mem::take(&mut design.arms) {
        let nulls: Vec<Arm> = written.iter().map(|null| make_null_arm(&arm, null, (scenario, tree))).collect();
        arm.levels.push(null_level("", Vec::new()));
        design.arms.push(arm);
        design.arms.extend(nulls);
    }
}

/// Checks that no factor has the name of the nulls' column.
fn check_factors(tree: &Node, problems: &mut Problems) {
    for factor in tree.entries_at("design.factors") {
        if check_apart(&factor.key, &[FACTOR]).is_err() || factor.key == FACTOR {
            let message = "the nulls of a design are the levels of a factor of this name; choose another one";
            problems.push(Problem::at_place(&factor.place, format!("design.factors.{}", factor.key), message));
        }
    }
}

fn null_level(label: &str, sets: Vec<(String, String)>) -> Level {
    Level { factor: FACTOR.to_string(), label: label.to_string(), sets }
}

fn make_null_arm(arm: &Arm, written: &WrittenNull<'_>, (scenario, tree): (&Scenario, &Node)) -> Arm {
    let word = written.word.as_str();
    let mut null = arm.clone();
    null.name = format!("{}-{FACTOR}_{word}", arm.name);
    let place = &written.node.place;
    let text = |key: &str, text: &str| arm_entry(key, place, Node::from_text(text, place.clone()));
    // The keys of a setting in the talks that have their own.
    let keys_of_talks = |setting: &str, is_written: fn(&TalkConfig) -> bool| -> Vec<String> {
        let talks = scenario.written.agenda.iter().filter_map(|phase| Some((&phase.name, phase.discussion.as_ref()?)));
        let keys = talks.map(|(name, talk)| (format!("agenda.{name}.{setting}"), talk));
        let is_set = |key: &str| tree.find(key).is_some() || arm.values.iter().any(|value| value.key == key);
        keys.filter(|(key, talk)| is_set(key) || is_written(talk)).map(|(key, _)| key).collect()
    };
    let values = match written.word {
        NullWord::NoTalk => {
            let none = |key: &str| arm_entry(key, place, Node { value: Value::Int(0), place: place.clone() });
            let mut values = vec![none("discussion.rounds"), text("discussion.vote", "at_end")];
            values.extend(keys_of_talks("rounds", |talk| talk.rounds.is_some()).iter().map(|key| none(key)));
            values
        }
        NullWord::ShuffledSpeech => vec![text("memory.policy", "shuffled")],
        NullWord::SelfRevision => {
            let own = keys_of_talks("network", |talk| talk.network.is_some());
            let own = own.iter().map(|key| text(key, "self"));
            std::iter::once(text("discussion.network", "self")).chain(own).collect()
        }
        NullWord::FriedkinJohnsen | NullWord::Polya | NullWord::Random => simulate_seats(arm, written, tree),
    };
    let told = values.iter().filter(|value| value.key != "seats");
    let mut sets: Vec<(String, String)> = told.map(|value| (value.key.clone(), value.node.to_text())).collect();
    if values.iter().any(|value| value.key == "seats") {
        sets.push(("seats.*.mind".to_string(), mind_of(written).to_text()));
    }
    null.levels.push(null_level(word, sets));
    null.null = Some(Null { of: arm.name.clone(), word: written.word, values, place: place.clone() });
    null
}

fn arm_entry(key: &str, place: &SourcePlace, node: Node) -> MapEntry {
    MapEntry { key: key.to_string(), place: place.clone(), node: node.with_origin(Origin::Arm) }
}

/// A mapping with one key, which has no settings.
fn map_of(key: &str, place: &SourcePlace) -> Node {
    let entry = MapEntry::new(key, Node::empty_map(place.clone()));
    Node { value: Value::Map(vec![entry]), place: place.clone() }
}

/// The mind of every seat in a null.
fn mind_of(null: &WrittenNull<'_>) -> Node {
    null.node.as_text().map_or_else(|| null.node.clone(), |word| map_of(word, &null.node.place))
}

/// The seats of an arm with another mind, and without a language model to write summaries.
fn simulate_seats(arm: &Arm, null: &WrittenNull<'_>, tree: &Node) -> Vec<MapEntry> {
    let place = &null.node.place;
    let mut tree = tree.clone();
    for value in &arm.values {
        // Errors of the arm itself have been reported.
        _ = tree.set_at(&value.key, value.node.clone(), &value.place);
    }
    let _ = seats::write_out(&mut tree, &mut Problems::default());
    let models = tree.entries_at("models");
    let there = models.iter().find(|model| model.node.get(SIMULATED).is_some()).map(|model| model.key.clone());
    let mut values = Vec::new();
    let model = there.unwrap_or_else(|| {
        let mut name = SIMULATED.to_string();
        while models.iter().any(|model| model.key.eq_ignore_ascii_case(&name)) {
            name.push('_');
        }
        let simulated = map_of(SIMULATED, place);
        values.push(arm_entry(&format!("models.{name}"), place, simulated));
        name
    });
    if tree.text_at("memory.summary_model").is_some_and(|writes| writes != "seat") {
        values.push(arm_entry("memory.summary_model", place, Node::from_text("seat", place.clone())));
    }
    let Some(mut seats) = tree.remove_key("seats") else { return values };
    for seat in seats.node.items_mut() {
        seat.insert_entry(arm_entry("model", place, Node::from_text(&model, place.clone())));
        seat.insert_entry(arm_entry("mind", place, mind_of(null)));
    }
    values.push(MapEntry { key: "seats".to_string(), ..seats });
    values
}

/// Starts simulated seats from the private answers of the same seats of their arm. The digest of that arm becomes part of the
/// null's identity.
pub fn assign_null_starts(arms: ArmPlans, tree: &Node, problems: &mut Problems) -> Option<ArmPlans> {
    let before = problems.len();
    let (mut plans, mut identities) = arms;
    let all = plans.clone();
    let mut told = BTreeSet::new();
    for (place, (arm, plan)) in plans.iter_mut().enumerate() {
        let Some(null) = plan.null.as_ref().filter(|null| null.word.is_simulated()) else { continue };
        let (_, of) = all.iter().find(|(other, _)| other.name == null.of).expect("invariant: a null has an arm");
        if of.polls_before().is_empty() {
            // Random minds need no initial answers.
            if null.word != NullWord::Random && told.insert(null.word.as_str()) {
                problems.push(without_poll(null, arm, tree));
            }
            continue;
        }
        let begins = if of.is_recomputed() { NullStart::AsRecomputed } else { NullStart::AsRecorded };
        let identity = &mut identities[place].1;
        identity.insert("null.begins".to_string(), of.digest.to_string());
        let null = Some(NullArm { begins, ..null.clone() });
        let shared = Arc::new(ArmPlan { null, ..(*plan.shared).clone() });
        *plan = Arc::new(Plan { digest: digest_of(identity), shared, ..(**plan).clone() });
    }
    (problems.len() == before).then_some((plans, identities))
}

fn without_poll(null: &NullArm, arm: &Arm, tree: &Node) -> Problem {
    let message = format!(
        "the seats of {} begin with what the same seats said alone before the talk, and in {} they are not asked",
        null.word.as_str(),
        null.of
    );
    let place = arm.null.as_ref().map_or(&tree.place, |null| &null.place);
    Problem::at_place(place, KEY, message).with_advice("ask them: straw_polls: [before, after]")
}

/// Whether a null can differ from its arm: it has a talk, which is its own if the null only removes talk.
pub fn is_null_applicable(null: NullWord, of: &Plan) -> bool {
    of.discussions().next().is_some() && !(null == NullWord::ShuffledSpeech && of.memory.policy.terms().is_lent)
}

/// Moves problems of a null arm to `design.nulls`: the author wrote neither its keys nor its seats.
pub fn attribute_to_null(arm: &Arm, problems: Problems) -> Problems {
    let Some(null) = &arm.null else { return problems };
    let mut told = Problems::default();
    for problem in problems.iter() {
        told.push(match problem.is_at_place(&null.place) && !problem.path.starts_with(KEY) {
            true => {
                let hint = format!("leave {} out: here there is no such null", null.word.as_str());
                Problem { path: KEY.to_string(), ..problem.clone() }.with_hint(Some(hint))
            }
            false => problem.clone(),
        });
    }
    told
}

/// Checks that at least one null applies, if any are written.
pub fn check_made(written: &[Arm], made: &[(Arm, Arc<Plan>)], tree: &Node, problems: &mut Problems) -> Option<()> {
    let is_made = made.iter().any(|(arm, _)| arm.null.is_some());
    if !is_made && written.iter().any(|arm| arm.null.is_some()) {
        problems.push(tree.problem(KEY, "nobody talks in any arm, so there is nothing that a null could lack"));
        return None;
    }
    let plan_of = |name: &String| made.iter().find(|(arm, _)| arm.name == *name).map(|(_, plan)| plan);
    let of_nulls = made.iter().filter_map(|(arm, _)| plan_of(&arm.null.as_ref()?.of)?.find_other_words());
    if let Some((phase, how)) = of_nulls.into_iter().next() {
        let message = format!(
            "a null needs an agenda in which seats hear of each other by statements alone, and in the phase {phase} {how}"
        );
        problems.push(tree.problem(KEY, message));
        return None;
    }
    Some(())
}
