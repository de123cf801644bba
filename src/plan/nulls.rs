//! Null arms: beside each arm of the design others that share its draws and lack something of what its talk brings.
//!
//! What a null changes is values for keys of the config, as the levels of a factor have them. How near it comes to its arm is
//! read off the sessions, and not here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::json;

use super::design::{ARMS_MAX, Arm, Design};
use super::identity::digest_of;
use super::minds::{self, TraitConfig, bound};
use super::names::check_apart;
use super::opinion_minds::{FRIEDKIN_JOHNSEN, POLYA};
use super::pay::MechanismConfig;
use super::planned::session_name;
use super::scenario::Scenario;
use super::tree::{Entry, Node, Value};
use super::{ArmPlan, Level, Origin, PhaseKind, Place, Plan, Problem, Problems, SpeakingOrder, seats};
use crate::domain::{PhaseName, PollTime, spelled};
use crate::mechanism::Mechanism;

/// The factor of which each null is a level; an arm that is none has the empty one.
pub const FACTOR: &str = "null";
/// Where the author writes them.
const KEY: &str = "design.nulls";
/// The model of seats that nulls simulate, where the config has none; underscores are added until no other is so called.
const SIMULATED: &str = "simulated";

/// What a null arm lacks, or what sits on its seats.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = also_words)]
pub enum NullConfig {
    /// Nobody talks; the group votes once, where its agenda has a vote. A common stock is harvested all the same, as often as in the arm.
    NoTalk,
    /// Everybody talks, and is shown statements of another group of the same arm in the place of its own: those at the same round and
    /// turn of the partner replicate (1 and 2, 3 and 4, …), as under the memory policy `shuffled`.
    ShuffledSpeech,
    /// Everybody talks, and hears nobody but itself.
    SelfRevision,
    /// Every seat is simulated, begins with what the same seat of its arm said alone before the talk, and takes weighted means of
    /// what it hears, holding on to where it began.
    FriedkinJohnsen(Option<FriedkinJohnsenNull>),
    /// Every seat is simulated, begins with what the same seat of its arm said alone before the talk, counts the answers that it
    /// hears, and answers as often as it believes.
    Polya(Option<PolyaNull>),
    /// Every seat is simulated, and chooses by lot from its second private answer on.
    Random,
}

/// How the seats of the null take means; the words are those of the mind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_friedkin_johnsen)]
pub struct FriedkinJohnsenNull {
    /// How far it holds on to its anchor: 0 goes with the mean, 1 stays where it is.
    #[serde(rename = "stubbornness")]
    _stubbornness: TraitConfig,
    /// The weight of the own opinion in the mean.
    #[serde(rename = "self_weight")]
    _self_weight: TraitConfig,
    /// What it is drawn to whatever is said; with two alternatives 1 is the first.
    #[serde(rename = "attractor")]
    _attractor: TraitConfig,
    /// How much of the anchor that is: at 0 the anchor is where it stood at first.
    #[serde(rename = "pull")]
    _pull: TraitConfig,
}

/// How the seats of the null count.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_polya)]
pub struct PolyaNull {
    /// How many answers its first belief counts for.
    #[serde(rename = "concentration")]
    _concentration: TraitConfig,
}

fn bound_friedkin_johnsen(schema: &mut Schema) {
    bound(schema, FRIEDKIN_JOHNSEN);
}

fn bound_polya(schema: &mut Schema) {
    bound(schema, POLYA);
}

/// Nulls whose settings may be left out are words, too.
fn also_words(schema: &mut Schema) {
    let kinds = schema.get_mut("oneOf").and_then(serde_json::Value::as_array_mut);
    let kinds = kinds.expect("invariant: a null is one of several");
    for word in ["friedkin_johnsen", "polya"] {
        let has_it = |kind: &serde_json::Value| kind["properties"].get(word).is_some();
        let place = kinds.iter().position(has_it).expect("invariant: a null that is a mind has settings");
        let settings = &mut kinds[place]["properties"][word];
        *settings = settings["anyOf"][0].take();
        let alone = json!({ "type": "string", "const": word, "description": kinds[place]["description"] });
        kinds.insert(place, alone);
    }
}

/// Fills in what an author may leave out of nulls.
pub fn fill(design: &mut Node) {
    let Some(Value::List(nulls)) = design.child_mut("nulls").map(|nulls| &mut nulls.value) else { return };
    nulls.iter_mut().for_each(minds::fill_mind);
}

/// A kind of null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NullWord {
    /// Nobody talks.
    NoTalk,
    /// Everybody hears another group.
    ShuffledSpeech,
    /// Everybody hears itself alone.
    SelfRevision,
    /// Everybody takes means.
    FriedkinJohnsen,
    /// Everybody counts answers.
    Polya,
    /// Everybody chooses by lot.
    Random,
}

/// What makes an arm a null.
#[derive(Debug, Clone, PartialEq)]
pub struct Null {
    /// The arm that it stands beside, by name.
    pub of: String,
    /// Its kind.
    pub word: NullWord,
    /// Dotted keys and the values it gives them, over those of its arm's levels.
    pub values: Vec<Entry>,
    /// Where the author names it.
    pub place: Place,
}

/// The same in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NullArm {
    /// The arm that it stands beside, by name: it shares its draws.
    pub of: String,
    /// Its kind.
    pub word: NullWord,
    /// Whether its seats begin with what those of the other arm said alone before the talk.
    pub begins: Begins,
}

/// Where the seats of a null begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    /// Each where its own mind has it, or its own model.
    Anew,
    /// Where the same seats of its arm stood, whose sessions are recomputed.
    AsRecomputed,
    /// Where the same seats of its arm stood, whose sessions are recorded.
    AsRecorded,
}

impl NullWord {
    const ALL: [NullWord; 6] = [
        NullWord::NoTalk,
        NullWord::ShuffledSpeech,
        NullWord::SelfRevision,
        NullWord::FriedkinJohnsen,
        NullWord::Polya,
        NullWord::Random,
    ];

    /// Whether minds sit on its seats, whatever sits on those of its arm.
    fn is_simulated(self) -> bool {
        matches!(self, NullWord::FriedkinJohnsen | NullWord::Polya | NullWord::Random)
    }

    /// The null of this spelling.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|null| null.as_str() == word)
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            NullWord::NoTalk => "nobody talks",
            NullWord::ShuffledSpeech => "everybody hears another group of the same arm",
            NullWord::SelfRevision => "everybody hears itself alone",
            NullWord::FriedkinJohnsen => {
                "everybody takes weighted means of what it hears, and holds on to where it began"
            }
            NullWord::Polya => "everybody counts answers, and answers as often as it believes",
            NullWord::Random => "everybody chooses by lot",
        }
    }
}

/// A null as it is written, with its settings where it has some.
struct Written<'a> {
    word: NullWord,
    node: &'a Node,
}

impl<'a> Written<'a> {
    /// `None` where the structure is broken, which was told.
    fn read(node: &'a Node) -> Option<Self> {
        let word = node.as_text().or_else(|| node.entries().first().map(|entry| entry.key.as_str()))?;
        Some(Self { word: NullWord::named(word)?, node })
    }
}

/// Puts behind each arm its nulls.
pub fn add(design: &mut Design, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    let items = tree.find(KEY).map(Node::items).unwrap_or_default();
    let written: Vec<Written<'_>> = items.iter().filter_map(Written::read).collect();
    if written.is_empty() {
        return;
    }
    let before = problems.len();
    for (place, null) in written.iter().enumerate() {
        if written[..place].iter().any(|other| other.word == null.word) {
            let message = format!("{} is listed twice", null.word.as_str());
            problems.push(Problem::at(&null.node.place, format!("{KEY}.{place}"), message));
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
        let nulls: Vec<Arm> = written.iter().map(|null| beside(&arm, null, scenario, tree)).collect();
        arm.levels.push(level("", Vec::new()));
        design.arms.push(arm);
        design.arms.extend(nulls);
    }
}

/// Checks that no factor of the author's becomes the column of the nulls.
fn check_factors(tree: &Node, problems: &mut Problems) {
    for factor in tree.find("design.factors").map(Node::entries).unwrap_or_default() {
        if check_apart(&factor.key, &[FACTOR]).is_err() || factor.key == FACTOR {
            let message = "the nulls of a design are the levels of a factor of this name; choose another one";
            problems.push(Problem::at(&factor.place, format!("design.factors.{}", factor.key), message));
        }
    }
}

fn level(label: &str, sets: Vec<(String, String)>) -> Level {
    Level { factor: FACTOR.to_string(), label: label.to_string(), sets }
}

/// A null of an arm.
fn beside(arm: &Arm, written: &Written<'_>, scenario: &Scenario, tree: &Node) -> Arm {
    let word = written.word.as_str();
    let mut null = arm.clone();
    null.name = format!("{}-{FACTOR}_{word}", arm.name);
    let place = &written.node.place;
    let text = |key: &str, text: &str| entry(key, place, Node::text(text, place.clone()));
    let is_harvested = matches!(scenario.written.mechanism, Some(MechanismConfig::Commons(_)));
    let values = match written.word {
        // What is taken in the rounds is no talk.
        NullWord::NoTalk if is_harvested => vec![text("discussion.order", "nobody")],
        NullWord::NoTalk => {
            let none = Node { value: Value::Int(0), place: place.clone() };
            vec![entry("discussion.rounds", place, none), text("discussion.vote", "at_end")]
        }
        NullWord::ShuffledSpeech => vec![text("memory.policy", "shuffled")],
        NullWord::SelfRevision => vec![text("discussion.network", "self")],
        NullWord::FriedkinJohnsen | NullWord::Polya | NullWord::Random => simulated(arm, written, tree),
    };
    let told = values.iter().filter(|value| value.key != "seats");
    let mut sets: Vec<(String, String)> = told.map(|value| (value.key.clone(), value.node.to_text())).collect();
    if values.iter().any(|value| value.key == "seats") {
        sets.push(("seats.*.mind".to_string(), mind_of(written).to_text()));
    }
    null.levels.push(level(word, sets));
    null.null = Some(Null { of: arm.name.clone(), word: written.word, values, place: place.clone() });
    null
}

fn entry(key: &str, place: &Place, node: Node) -> Entry {
    Entry { key: key.to_string(), place: place.clone(), node: node.attributed(Origin::Arm) }
}

fn map_of(key: &str, place: &Place, node: Node) -> Node {
    let entry = Entry { key: key.to_string(), place: place.clone(), node };
    Node { value: Value::Map(vec![entry]), place: place.clone() }
}

/// The mind that sits on every seat of a null.
fn mind_of(null: &Written<'_>) -> Node {
    match null.node.as_text() {
        Some(word) => map_of(word, &null.node.place, Node::empty_map(null.node.place.clone())),
        None => null.node.clone(),
    }
}

/// Every seat of an arm with another mind, and no language model to write its memory.
fn simulated(arm: &Arm, null: &Written<'_>, tree: &Node) -> Vec<Entry> {
    let place = &null.node.place;
    let mut tree = tree.clone();
    for value in &arm.values {
        // What cannot be set was told of the arm itself.
        _ = tree.set_at(&value.key, value.node.clone(), &value.place);
    }
    let _ = seats::write_out(&mut tree, &mut Problems::default());
    let models = tree.get("models").map(Node::entries).unwrap_or_default();
    let there = models.iter().find(|model| model.node.get(SIMULATED).is_some()).map(|model| model.key.clone());
    let mut values = Vec::new();
    let model = there.unwrap_or_else(|| {
        let mut name = SIMULATED.to_string();
        while models.iter().any(|model| model.key.eq_ignore_ascii_case(&name)) {
            name.push('_');
        }
        let simulated = map_of(SIMULATED, place, Node::empty_map(place.clone()));
        values.push(entry(&format!("models.{name}"), place, simulated));
        name
    });
    if tree.find("memory.summary_model").and_then(Node::as_text).is_some_and(|writes| writes != "seat") {
        values.push(entry("memory.summary_model", place, Node::text("seat", place.clone())));
    }
    let Some(mut seats) = tree.take("seats") else { return values };
    if let Value::List(seats) = &mut seats.node.value {
        for seat in seats {
            seat.put(entry("model", place, Node::text(&model, place.clone())));
            seat.put(entry("mind", place, mind_of(null)));
        }
    }
    values.push(Entry { key: "seats".to_string(), ..seats });
    values
}

/// The same in a plan.
pub fn in_plan(null: &Null) -> NullArm {
    NullArm { of: null.of.clone(), word: null.word, begins: Begins::Anew }
}

/// The plans of all arms, and their identities by the arms' names.
type Arms = (Vec<(Arm, Arc<Plan>)>, Vec<(String, BTreeMap<String, String>)>);

/// Lets the seats of simulated nulls begin with what the same seats of their arms said alone before the talk. The plan of the arm
/// becomes part of what their sessions are.
pub fn begin(arms: Arms, tree: &Node, problems: &mut Problems) -> Option<Arms> {
    let before = problems.len();
    let (mut plans, mut identities) = arms;
    let all = plans.clone();
    let mut told = BTreeSet::new();
    for (place, (arm, plan)) in plans.iter_mut().enumerate() {
        let Some(null) = plan.null.as_ref().filter(|null| null.word.is_simulated()) else { continue };
        let (_, of) = all.iter().find(|(other, _)| other.name == null.of).expect("invariant: a null has an arm");
        if of.polls_before().is_empty() {
            // By lot one may begin as well.
            if null.word != NullWord::Random && told.insert(null.word.as_str()) {
                problems.push(without_poll(null, arm, tree));
            }
            continue;
        }
        let begins = if of.is_recomputed() { Begins::AsRecomputed } else { Begins::AsRecorded };
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
    let hint = "ask them: straw_polls: [before, after]".to_string();
    Problem::at(place, KEY, message).with_hint(Some(hint))
}

/// Whether a null of an arm has anything to lack: there are rounds in it, and for nulls that take words away somebody speaks in them, whom
/// the own group hears.
pub fn applies(null: NullWord, of: &Plan) -> bool {
    let talks = of.agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Discussion(talk) => Some(talk.order != SpeakingOrder::Nobody),
        _ => None,
    });
    let speaks: Vec<bool> = talks.collect();
    let (has_rounds, speaks) = (!speaks.is_empty(), speaks.contains(&true));
    match null {
        NullWord::ShuffledSpeech => speaks && !of.memory.policy.terms().is_lent(),
        NullWord::NoTalk if matches!(of.mechanism, Some(Mechanism::Commons(_))) => speaks,
        NullWord::NoTalk | NullWord::SelfRevision | NullWord::FriedkinJohnsen | NullWord::Polya | NullWord::Random => {
            has_rounds
        }
    }
}

/// What is wrong with an arm, where it is a null as what is wrong with asking for it: its author wrote neither its keys nor its seats.
pub fn told_of(arm: &Arm, problems: Problems) -> Problems {
    let Some(null) = &arm.null else { return problems };
    let mut told = Problems::default();
    for problem in problems.iter() {
        told.push(match problem.is_at(&null.place) && !problem.path.starts_with(KEY) {
            true => {
                let hint = format!("leave {} out: here there is no such null", null.word.as_str());
                Problem { path: KEY.to_string(), ..problem.clone() }.with_hint(Some(hint))
            }
            false => problem.clone(),
        });
    }
    told
}

/// Checks that of the nulls that are written one was made.
pub fn check_made(written: &[Arm], made: &[(Arm, Arc<Plan>)], tree: &Node, problems: &mut Problems) -> Option<()> {
    let is_made = made.iter().any(|(arm, _)| arm.null.is_some());
    if !is_made && written.iter().any(|arm| arm.null.is_some()) {
        let message = "nobody talks in any arm, so there is nothing that a null could lack";
        problems.push(tree.problem(KEY, message));
        return None;
    }
    Some(())
}

impl Plan {
    /// The name of the arm whose draws its sessions have: a null has those of the arm that it stands beside.
    pub fn drawn_as(&self) -> &str {
        self.null.as_ref().map_or(&self.arm, |null| &null.of)
    }

    /// The private polls before the talk, by the names of their phases.
    pub fn polls_before(&self) -> Vec<PhaseName> {
        let before_talk = self.agenda.iter().take_while(|phase| !matches!(phase.kind, PhaseKind::Discussion(_)));
        let polls = before_talk.filter(|phase| matches!(phase.kind, PhaseKind::Ask { time: PollTime::Before }));
        polls.map(|phase| phase.name.clone()).collect()
    }

    /// The private polls after the talk, likewise.
    pub fn polls_after(&self) -> Vec<PhaseName> {
        let polls = self.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Ask { time: PollTime::After }));
        polls.map(|phase| phase.name.clone()).collect()
    }

    /// Whether its seats begin with no words of another session's.
    pub fn begins_anew(&self) -> bool {
        self.null.as_ref().is_none_or(|null| null.begins == Begins::Anew)
    }

    /// The name of the session with whose seats' words those of one of this plan begin: of the arm that it stands beside, with the
    /// same item, wave and replicate; `None` where they begin anew.
    pub fn begins_with(&self, replicate: u32) -> Option<String> {
        let null = self.null.as_ref().filter(|_| !self.begins_anew())?;
        let wave = self.wave.as_ref().map(|wave| wave.number);
        Some(session_name(&null.of, self.item.as_deref(), replicate, wave))
    }
}

spelled!(NullWord);
