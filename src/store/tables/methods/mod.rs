//! Renders `methods.md`: the design and the recorded numbers, in sentences for a paper.
//!
//! The sentences are templates over the serialised plan. A setting without wording in a template is an error. The page contains
//! no date, path or duration, so that equal runs write equal pages.

mod disclosed;
mod recorded;

pub(super) use recorded::Methods;

use indexmap::IndexMap;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Rest, Serde, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, UndefinedBehavior, Value, escape_formatter};
use serde::Serialize;

use disclosed::{describe_disclosure, find_seat_of_pass};

use super::facts::mind_word;
use crate::domain::{Decimal, Digest, FORMAT_VERSION, FieldValue, Holder, Language, Motion};
use crate::mechanism::amount_unit;
use crate::memory::Strategy;
use crate::minds::{Mind, Script, TraitValue};
use crate::plan::{
    ArmPlan, BlockSpan, COUNTDOWN, Condition, Experiment, GroupPlace, Item, Pass, Phase, PhaseKind, Plan, Reach, Seat,
    SeatRule, Sitter, Thing, Variable, selects_all_there,
};

const TEMPLATES: [(&str, &str); 6] = [
    ("design.md.j2", include_str!("design.md.j2")),
    ("scenario.md.j2", include_str!("scenario.md.j2")),
    ("seats.md.j2", include_str!("seats.md.j2")),
    ("procedure.md.j2", include_str!("procedure.md.j2")),
    ("memory.md.j2", include_str!("memory.md.j2")),
    ("recorded.md.j2", include_str!("recorded.md.j2")),
];

/// The scope of a results folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ResultsScope {
    /// The experiment as designed.
    Whole,
    /// The first replicates of an experiment.
    Pilot {
        /// The replicates of each arm in the full design.
        whole: u64,
    },
    /// One session that branched off another, or several.
    Fork {
        /// The parent's name, which a single fork shares.
        session: String,
        /// How often it was forked, if more than once.
        replicates: Option<u32>,
        /// The change, as it was written.
        change: String,
    },
}

/// A phase of the agenda for the templates.
#[derive(Serialize)]
struct AgendaEntry<'e> {
    /// Its name as it is written.
    written: &'e str,
    kind: &'e PhaseKind,
    passes: Vec<AgendaPasses<'e>>,
    /// Its position in the agenda.
    place: usize,
    /// Whether it is a later pass of a phase listed before.
    later: bool,
    /// Whether it may take place in a session of this arm.
    may_open: bool,
    /// Whether any of its passes may.
    takes_place: bool,
    when: Option<&'e Condition>,
    who: Option<String>,
    /// The seat of the pass that alone takes part, by its name in expressions.
    alone: Option<String>,
    /// The first group in which it takes place.
    group: Option<&'e GroupPlace>,
    /// Who hears it, in words.
    heard_by: Option<&'e str>,
    /// The seats that hear it, as the object of a sentence.
    hearers: Option<String>,
    /// How memories take what it brings.
    remember: Option<Strategy>,
    /// Whether it may take place less often than once in each pass, or there may be fewer passes.
    is_bounded: bool,
    /// Whether only some seats take part.
    is_limited: bool,
    /// The blocks that begin with it.
    blocks: Vec<&'e BlockSpan>,
    /// The fields of its form that have options of their own in each pass: those of the item.
    item_fields: Vec<usize>,
}

/// The passes of a block around a phase for the templates.
#[derive(Serialize)]
struct AgendaPasses<'e> {
    block: &'e str,
    /// The number of passes; the most if there may be fewer.
    of: u32,
    thing: Option<&'e Thing>,
    /// Whether the phase may take place in fewer passes.
    is_bounded: bool,
}

impl<'e> AgendaPasses<'e> {
    /// The passes of the blocks around a phase, of the outermost first, as if the phase took place in each.
    fn list_around(plan: &'e Plan, phase: &'e Phase) -> Vec<Self> {
        let ends_early = |pass: &Pass| {
            let mut blocks = phase.within.iter().map(|block| &plan.blocks[*block]);
            blocks.any(|block| block.name == pass.block && has_bound(block)) || !has_known_number(plan, pass)
        };
        let describe = |pass: &'e Pass| Self {
            block: &pass.block,
            of: pass.of,
            thing: pass.thing.as_ref(),
            is_bounded: ends_early(pass),
        };
        phase.passes.iter().map(describe).collect()
    }
}

/// Whether a condition may fail.
fn may_fail(condition: &Condition) -> bool {
    condition.formula.text != "true"
}

/// Whether a condition may leave a block out or end it.
fn has_bound(block: &BlockSpan) -> bool {
    block.when.as_ref().is_some_and(may_fail) || block.until.is_some()
}

/// Whether a block has as many passes in every session: also one for all seats or for a declared role, if no seat can be lost.
fn has_known_number(plan: &Plan, pass: &Pass) -> bool {
    let Some(Thing::Seat { seats, .. }) = &pass.thing else {
        return !pass.thing.as_ref().is_some_and(Thing::is_found_at_beginning);
    };
    let is_role = plan.roles.iter().any(|role| role.name == seats.text && role.seats == pass.of);
    let are_all = selects_all_there(&seats.text) && plan.seats.len() == pass.of as usize;
    (is_role || are_all) && !plan.may_lose_seats()
}

impl<'e> AgendaEntry<'e> {
    fn from_phase(plan: &'e Plan, reach: &Reach, place: usize) -> Self {
        let phase = &plan.agenda[place];
        let takes_place = plan.sources.places_of(phase.name.written()).iter().any(|place| reach.may_open[*place]);
        let (written, later, when) = (phase.name.written(), !phase.is_first_pass(), phase.when.as_ref());
        let blocks = phase.within.iter().map(|block| &plan.blocks[*block]).filter(|block| block.start == place);
        let mut held = phase.within.iter().map(|block| &plan.blocks[*block]);
        let is_repeated = |block: &BlockSpan| phase.passes.iter().any(|pass| pass.block == block.name);
        let is_conditional = when.is_some_and(may_fail)
            || held.any(|block| has_bound(block) && !is_repeated(block))
            || plan.who(place).any(|set| !set.is_fixed());
        let mut passes = AgendaPasses::list_around(plan, phase);
        passes.iter_mut().for_each(|pass| pass.is_bounded |= is_conditional);
        let is_bounded = is_conditional || passes.iter().any(|pass| pass.is_bounded);
        let (blocks, who) = (blocks.collect(), plan.describe_participants(place));
        let alone = who.as_deref().and_then(|who| find_seat_of_pass(who, plan)).map(str::to_owned);
        let is_limited = !plan.takes_all(place);
        Self {
            written,
            kind: &phase.kind,
            passes,
            place,
            later,
            may_open: reach.may_open[place],
            takes_place,
            when,
            who,
            alone,
            group: phase.group.as_ref(),
            heard_by: phase.heard_by.as_ref().map(|set| set.text.as_str()),
            hearers: phase.heard_by.as_ref().map(|set| match set.rule {
                SeatRule::Named(_) => format!("these: {}", code_span(&Value::from(set.text.as_str()))),
                SeatRule::Where { .. } => describe_selection(&set.text, "each seat in turn"),
            }),
            remember: phase.remember,
            is_bounded,
            is_limited,
            blocks,
            item_fields: find_item_fields(plan, phase),
        }
    }
}

/// The positions of the fields of a phase's form that are not the same in all passes.
fn find_item_fields(plan: &Plan, phase: &Phase) -> Vec<usize> {
    let PhaseKind::Form(form) = &phase.kind else { return Vec::new() };
    let passes = plan.agenda.iter().filter(|other| other.name.written() == phase.name.written());
    let differs = |place: &usize| {
        passes.clone().any(|other| match &other.kind {
            PhaseKind::Form(own) => own.asked.form.fields[*place].kind != form.asked.form.fields[*place].kind,
            _ => false,
        })
    };
    (0..form.asked.form.fields.len()).filter(differs).collect()
}

/// An experiment, with facts that its serialised form lacks.
#[derive(Serialize)]
struct MethodsDesign<'e> {
    experiment: &'e Experiment,
    held: &'e ResultsScope,
    items: Vec<&'e Item>,
    /// The number of items that name a wrong option for scripts.
    critical: usize,
    /// The number of sessions per arm.
    sessions: u64,
    /// Whether each seat has the same drawn persona in every arm.
    shares_personas: bool,
    arms: Vec<MethodsArm<'e>>,
}

/// An arm, with facts that its serialised form lacks.
#[derive(Serialize)]
struct MethodsArm<'e> {
    plan: &'e ArmPlan,
    motion: &'e Motion,
    agenda: Vec<AgendaEntry<'e>>,
    /// What the agenda tells seats beyond what they say and hear, in sentences.
    disclosures: Vec<String>,
    digest: &'e Digest,
    prompts: &'e Digest,
    seats: Vec<MethodsSeat<'e>>,
    /// The pools that seats draw from: name, number of personas, number of strata.
    pools: Vec<(&'e str, usize, usize)>,
    unit: Option<&'e str>,
    votes: usize,
    /// Whether a vote is counted by the decision rule of the config.
    has_common_rule: bool,
    /// Whether a vote gives the result of a session.
    decides: bool,
    imposed: Option<String>,
    /// The session's language, if no native speaker has proofread its words.
    unread: Option<&'static str>,
    /// The arm to which votes are matched.
    matched: Option<&'e str>,
    /// The variables that have a value before the agenda computes any.
    starts: Vec<StartValue>,
    policy: &'static str,
    keeps_nothing: bool,
    is_limited: bool,
    rewrites: bool,
}

/// A seat, with facts that its serialised form lacks.
#[derive(Serialize)]
struct MethodsSeat<'e> {
    seat: &'e Seat,
    pool: Option<&'e str>,
    chooses_name: bool,
    mind: Option<&'static str>,
    /// The traits of its mind. A trait without a value is drawn from its full range.
    traits: Vec<(&'static str, Option<TraitValue>)>,
    /// Its script: `list` or `table`, and the number of lines.
    script: Option<(&'static str, usize)>,
    /// Whether its script contains a pass.
    passes: bool,
}

/// Renders the part of the page that needs no sessions.
///
/// # Panics
/// When a template has no wording for a setting.
pub fn render_design(experiment: &Experiment, held: &ResultsScope) -> String {
    let design = MethodsDesign {
        experiment,
        held,
        items: experiment.items.values().map(|item| &**item).collect(),
        critical: experiment.items.values().filter(|item| !item.misleading_options().is_empty()).count(),
        sessions: experiment.sessions_an_arm(),
        shares_personas: (experiment.arms.iter().enumerate())
            .all(|(place, arm)| experiment.arms[..place].iter().all(|other| shares_personas(other, arm))),
        arms: experiment.arms.iter().map(|plan| MethodsArm::new(plan)).collect(),
    };
    render_template("design.md.j2", &std::collections::BTreeMap::from([("design", design)]))
}

/// Whether the seats that two arms have in common draw the same personas: from the same pools, which only without strata may have
/// further seats.
fn shares_personas(one: &Plan, other: &Plan) -> bool {
    let pools = |plan: &Plan| -> Vec<Option<usize>> { plan.seats.iter().map(|seat| seat.pool).collect() };
    let (of_one, of_other) = (pools(one), pools(other));
    let has_strata = one.pools.iter().any(|pool| !pool.strata.is_empty());
    of_one == of_other || !has_strata && of_one.iter().zip(&of_other).all(|(one, other)| one == other)
}

impl<'e> MethodsArm<'e> {
    fn new(plan: &'e Plan) -> Self {
        let (terms, mut reach) = (plan.memory.policy.terms(), plan.find_reach());
        if let Some((after, _)) = plan.plan_after() {
            reach.may_open.iter_mut().zip(after.find_reach().may_open).for_each(|(may_open, later)| *may_open |= later);
        }
        let pools =
            plan.pools.iter().enumerate().filter(|(place, _)| plan.seats.iter().any(|seat| seat.pool == Some(*place)));
        Self {
            plan: &plan.shared,
            motion: &plan.motion,
            agenda: (0..plan.agenda.len()).map(|place| AgendaEntry::from_phase(plan, &reach, place)).collect(),
            disclosures: plan
                .list_disclosures()
                .iter()
                .map(|disclosure| describe_disclosure(disclosure, plan))
                .collect(),
            digest: &plan.digest,
            prompts: plan.prompts.digest(),
            seats: plan.seats.iter().map(|seat| MethodsSeat::new(seat, plan)).collect(),
            pools: pools
                .map(|(_, pool)| {
                    (pool.name.as_str(), pool.personas.len(), pool.strata.iter().max().map_or(0, |last| last + 1))
                })
                .collect(),
            unit: amount_unit(plan.motion.unit.as_deref(), plan.income_principles().map(|income| &**income)),
            votes: plan.agenda.iter().filter(|phase| phase.kind.holds_votes()).count(),
            decides: plan.all_vote_terms().any(|terms| terms.decides),
            has_common_rule: plan.all_vote_terms().any(|terms| *terms.decision == plan.decision),
            imposed: plan.imposed.map(|choice| plan.motion.named(choice).to_string()),
            unread: (!plan.motion.language.is_proofread()).then(|| plan.motion.language.name()),
            matched: plan.matched.as_ref().map(|matched| matched.plan.arm.as_str()),
            starts: plan.variables.iter().filter_map(StartValue::of_variable).collect(),
            policy: terms.word,
            keeps_nothing: terms.keeps_nothing(),
            is_limited: terms.is_limited(),
            rewrites: plan.memory.policy.has_rewrites(),
        }
    }
}

/// The value of a variable before the agenda computes it.
#[derive(Serialize)]
struct StartValue {
    /// The variable, as the agenda writes it.
    name: String,
    /// What has a value of it, in words.
    of: &'static str,
    /// The value; of seats that begin with different values one for each seat, in order.
    values: Vec<String>,
}

impl StartValue {
    /// What `methods.md` says of a variable; `None` if it has no value at the start.
    fn of_variable(variable: &Variable) -> Option<Self> {
        variable.start.iter().any(Option::is_some).then(|| {
            let (prefix, of) = match variable.of {
                Holder::Session => ("", "of the session"),
                Holder::Seat => ("seat.", "of every seat"),
                Holder::Group => ("group.", "of every group"),
            };
            let told = |value: &Option<FieldValue>| {
                value.as_ref().map_or("nothing".to_owned(), |value| value.told(Language::En))
            };
            let mut values: Vec<String> = variable.start.iter().map(told).collect();
            if values.iter().all(|value| *value == values[0]) {
                values.truncate(1);
            }
            Self { name: format!("{prefix}{}", variable.name), of, values }
        })
    }
}

impl<'e> MethodsSeat<'e> {
    fn new(seat: &'e Seat, plan: &'e Plan) -> Self {
        let mind = if let Sitter::Mind(mind) = &seat.sitter { Some(mind) } else { None };
        let script = if let Some(Mind::Scripted(script)) = mind { Some(script) } else { None };
        Self {
            seat,
            pool: seat.pool.map(|pool| plan.pools[pool].name.as_str()),
            chooses_name: seat.chooses_name(),
            mind: mind.map(mind_word),
            traits: mind.map(list_traits).unwrap_or_default(),
            script: script.map(|script| match script {
                Script::List(lines) => ("list", lines.len()),
                Script::Table(lines) => ("table", lines.len()),
            }),
            passes: script.is_some_and(Script::contains_pass),
        }
    }
}

fn list_traits(mind: &Mind) -> Vec<(&'static str, Option<TraitValue>)> {
    match mind {
        Mind::Justice(mind) => mind.named_traits().into_iter().map(|(name, value)| (name, Some(value))).collect(),
        Mind::Opinionated(mind) => {
            let first = mind.rule.has_opinion().then_some(("opinion", mind.opinion));
            let own = mind.rule.named_traits().into_iter().map(|(name, value)| (name, Some(value)));
            let indifference = mind.indifference.map(|value| ("indifference", Some(value)));
            first.into_iter().chain(own).chain(indifference).collect()
        }
        Mind::Random { .. }
        | Mind::Voter { .. }
        | Mind::Scripted(_)
        | Mind::Tallying { .. }
        | Mind::Rule(_)
        | Mind::Silent => Vec::new(),
    }
}

fn render_template(name: &str, facts: &impl Serialize) -> String {
    let filled = build_environment().get_template(name).and_then(|template| template.render(Serde(facts)));
    filled.unwrap_or_else(|error| panic!("invariant: {name} words every setting: {error:#}"))
}

fn build_environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let blocks = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(blocks.expect("invariant: the usual delimiters are valid"));
    environment.set_formatter(|out, state, value| match value.kind() {
        ValueKind::None => Err(Error::new(ErrorKind::InvalidOperation, "nothing is no text")),
        _ => escape_formatter(out, state, &spell_value(value)),
    });
    for (name, source) in TEMPLATES {
        environment.add_template(name, source).expect("invariant: the templates of this program are templates");
    }
    let globals = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("authors", env!("CARGO_PKG_AUTHORS")),
        ("repository", env!("CARGO_PKG_REPOSITORY")),
    ];
    globals.into_iter().for_each(|(name, value)| environment.add_global(name, value));
    environment.add_global("record_format", FORMAT_VERSION);
    environment.add_global("countdown", COUNTDOWN);
    environment.add_function("alike", group_alike);
    environment.add_function("unworded", |value: Value| -> Result<Value, Error> {
        Err(Error::new(ErrorKind::InvalidOperation, format!("no words for {value}")))
    });
    environment.add_filter("code", |name: Value| code_span(&name));
    environment.add_filter("cell", |name: Value| code_span(&name).replace('|', "\\|"));
    environment.add_filter("selection", describe_selection);
    environment.add_filter("inert", |text: &str| make_inert(text));
    environment.add_filter("block", |text: &str| {
        text.trim_end().lines().map(|line| format!("    {}", make_inert(line))).collect::<Vec<_>>().join("\n")
    });
    environment.add_filter("joint", list_joint);
    environment.add_filter("listed", |words: Value| {
        Ok::<_, Error>(list_words(words.try_iter()?.map(|word| word.to_string())))
    });
    environment
        .add_filter("codes", |names: Value| Ok::<_, Error>(list_words(names.try_iter()?.map(|name| code_span(&name)))));
    environment.add_filter("counted", |number: u64, noun: &str| match number {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    });
    environment.add_filter("units", |units: i64, places: u8| Decimal::new(units, places).to_string());
    environment.add_filter("decimal", |value: f64| value.to_string());
    environment.add_filter("thousandths", |value: f64| (value / 1e3).to_string());
    environment.add_filter("ppm", |value: f64| (value / 1e6).to_string());
    environment.add_filter("json", |value: Value| serde_json::to_string(&value).expect("invariant: it was JSON"));
    environment.add_filter("tag", |value: Value| match value.as_str() {
        Some(_) => Ok(value),
        None => {
            value.try_iter()?.next().ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "a value without a variant"))
        }
    });
    environment
}

/// Groups items for which a macro writes equal text. Returns each text with its items, in the order of first appearance.
fn group_alike(
    state: &mut State<'_, '_>,
    items: Value,
    wording: Value,
    rest: Rest<Value>,
) -> Result<Vec<Value>, Error> {
    let mut groups: IndexMap<String, Vec<Value>> = IndexMap::new();
    for item in items.try_iter()? {
        let arguments: Vec<Value> = std::iter::once(item.clone()).chain(rest.iter().cloned()).collect();
        groups.entry(wording.call(state, &arguments)?.to_string()).or_default().push(item);
    }
    Ok(groups.into_iter().map(|(text, items)| Value::from(vec![Value::from(text), Value::from(items)])).collect())
}

/// The seats that an expression selects, as the object of a sentence, with what `me` stands for where the expression reads it.
fn describe_selection(seats: &str, me: &str) -> String {
    if seats == "everyone" {
        return "all seats".to_owned();
    }
    let mut words = seats.split(|c: char| !c.is_alphanumeric() && c != '_');
    let of_me = if words.any(|word| word == "me") { format!(", where `me` is {me}") } else { String::new() };
    format!("the seats selected by {}{of_me}", code_span(&Value::from(seats)))
}

/// Formats a name as a code span.
fn code_span(name: &Value) -> String {
    format!("`{}`", make_inert(&spell_value(name).to_string()).replace('`', "'"))
}

/// Spells a value as a config does: `true`, not `True`.
fn spell_value(value: &Value) -> Value {
    match value.kind() {
        ValueKind::Bool => Value::from(value.is_true().to_string()),
        _ => value.clone(),
    }
}

/// Replaces control characters, which could affect a page or a terminal.
fn make_inert(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Joins words in a sentence: `a`, `a and b`, `a, b and c`.
fn list_words(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    let joined = words.iter().zip((0..words.len()).rev());
    joined.map(|(word, left)| word.to_owned() + list_joint(left)).collect()
}

/// The text after a word that is followed by `left` more.
fn list_joint(left: usize) -> &'static str {
    match left {
        0 => "",
        1 => " and ",
        _ => ", ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_written_without_needless_zeros_and_names_stay_in_their_span() {
        let filled = |expression: &str| build_environment().render_str(expression, ()).expect("a template");
        let written =
            "{{ 800|thousandths }} {{ 1000|thousandths }} {{ 2005|thousandths }} {{ -1500000|ppm }} {{ 400000|ppm }}";
        assert_eq!(filled(written), "0.8 1 2.005 -1.5 0.4");
        assert_eq!(filled("{{ 'a`b\\nc'|code }} {{ 'a|b'|cell }}"), "`a'b c` `a\\|b`");
        let lists = "{{ ['a']|listed }}; {{ ['a', 'b']|listed }}; {{ ['a', 'b', 'c']|listed }}";
        assert_eq!(filled(lists), "a; a and b; a, b and c");
    }
}
