//! Factors whose treatment comes too early to be measured, or reaches nobody.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::ResolvedExperiment;
use crate::domain::{PollTime, RuleKind};
use crate::expression::{NameRead, list_names};
use crate::plan::{
    Deed, Evidence, FormPlan, NULL_FACTOR, Phase, PhaseKind, Plan, Reach, Seat, SeatRule, Sitter, VoteTerms,
};

/// Texts of an arm by what they are about.
type SourceTexts = BTreeMap<String, String>;

/// Factors that change what seats meet before a question that is asked before the talk: its answers are then no measurement before the
/// treatment.
pub(super) fn find_early_treatments(resolved: &ResolvedExperiment) -> Vec<String> {
    let mut baselines: Vec<Baseline> = Vec::new();
    for baseline in resolved.experiment.arms.iter().flat_map(|plan| list_baselines(plan)) {
        if !baselines.iter().any(|known| known.phase == baseline.phase) {
            baselines.push(baseline);
        }
    }
    let words = baselines.into_iter().flat_map(|Baseline { phase, later }| {
        let before = |plan: &Plan, _: &SourceTexts| find_baseline(plan, &phase).map(|place| met_before(plan, place));
        let changed = list_differences(resolved, before).into_iter().map(|(factor, sources)| {
            let sources = sources.into_keys().collect::<Vec<_>>().join(", ");
            match &later {
                None if phase == STRAW_BEFORE => format!(
                    "the factor {factor} changes what seats hear before the poll {phase} ({sources}): the poll follows the treatment, so a \
                     change since the poll misses its earlier effect; to poll first, put the treatment into an intervention in a later phase"
                ),
                _ => {
                    let since = later.as_ref().map_or("since then".to_owned(), |later| format!("from {phase} to {later}"));
                    format!(
                        "the factor {factor} changes what seats meet before they answer {phase} ({sources}): these answers follow the \
                         treatment, so a change {since} misses its earlier effect; ask {phase} first, or move the treatment behind it"
                    )
                }
            }
        });
        changed.collect::<Vec<String>>()
    });
    words.collect()
}

/// The phase of the poll before the talk.
const STRAW_BEFORE: &str = "straw_before";

/// A question that is asked before the talk, to be compared with answers after it.
struct Baseline {
    /// Its phase.
    phase: String,
    /// A later phase that asks the same; `None` if its name alone says that it comes before.
    later: Option<String>,
}

/// The questions of a plan that are asked before the first talk: the straw poll, and forms that are named `before` or asked again later.
fn list_baselines(plan: &Plan) -> Vec<Baseline> {
    let talk = plan.agenda.iter().position(|phase| matches!(phase.kind, PhaseKind::Discussion(_)));
    let first = &plan.agenda[..talk.unwrap_or(plan.agenda.len())];
    let asked_first =
        first.iter().enumerate().filter(|(_, phase)| phase.passes.is_empty() && phase.is_in_first_group());
    let baselines = asked_first.filter_map(|(place, phase)| match &phase.kind {
        PhaseKind::Ask { time: PollTime::Before } => {
            Some(Baseline { phase: phase.name.written().to_owned(), later: None })
        }
        PhaseKind::Form(form) => {
            let asks_same =
                |later: &&Phase| matches!(&later.kind, PhaseKind::Form(other) if asks_the_same(form, other));
            let later = plan.agenda.get(talk.unwrap_or(place)..).unwrap_or_default().iter().filter(asks_same);
            let name = phase.name.written();
            let later = later.map(|later| later.name.written()).find(|later| *later != name).map(str::to_owned);
            (later.is_some() || name == "before").then(|| Baseline { phase: name.to_owned(), later })
        }
        _ => None,
    });
    baselines.collect()
}

/// Whether two forms ask the same: questions in the same words with the same kinds of answers.
fn asks_the_same(one: &FormPlan, other: &FormPlan) -> bool {
    let kinds = |form: &FormPlan| form.asked.form.fields.iter().map(|field| field.kind.clone()).collect::<Vec<_>>();
    one.asked.questions == other.asked.questions && kinds(one) == kinds(other)
}

/// The place of a baseline's phase.
fn find_baseline(plan: &Plan, phase: &str) -> Option<usize> {
    plan.agenda.iter().position(|own| own.name.written() == phase)
}

/// Factors whose levels differ in texts alone where every seat is simulated. A simulated seat reads none.
pub(super) fn find_unread_texts(resolved: &ResolvedExperiment) -> Vec<String> {
    let is_simulated = |plan: &Plan| {
        let minds = plan.seats.iter().all(|seat| matches!(seat.sitter, Sitter::Mind(_)));
        minds && plan.models_asked().next().is_none()
    };
    let tells_alone = |plan: &Plan| plan.interventions.iter().all(|one| matches!(one.deed, Deed::Told(_)));
    if !resolved.experiment.arms.iter().all(|plan| is_simulated(plan) && tells_alone(plan)) {
        return Vec::new();
    }
    let is_text = |(key, value): (&String, &String)| {
        let (section, last) = (key.split('.').next(), key.rsplit('.').next());
        matches!(section, Some("interventions" | "prompts" | "motion"))
            || matches!(last, Some("label" | "persona"))
            || (section == Some("agenda") && value.starts_with("brief "))
    };
    let changed = list_differences(resolved, |_, identity| Some(identity.clone()));
    let texts = changed.into_iter().filter(|(_, keys)| keys.iter().all(is_text)).map(|(factor, keys)| {
        let mut sections: Vec<&str> = keys.keys().filter_map(|key| key.split('.').next()).collect();
        sections.dedup();
        format!(
            "the levels of the factor {factor} differ only in texts ({}), and every seat is simulated: simulated seats do not read \
             texts, so the factor cannot change what they do",
            sections.join(", ")
        )
    });
    texts.collect()
}

/// Variables of templates that state the terms of a vote, whatever its rule is.
const TERM_VARIABLES: [&str; 2] = ["vote.needed", "vote.otherwise"];
/// The settings of a vote that they state.
const STATED_SETTINGS: [&str; 3] = ["rule", "threshold", "otherwise"];

/// Whether some template of a plan states the rule of a vote, whatever it is.
fn states_every_rule(plan: &Plan) -> bool {
    TERM_VARIABLES.iter().any(|variable| plan.prompts.reads_anywhere(variable, &plan.motion))
        || plan.prompts.has_words_for_rule(None, &plan.motion)
}

/// Whether some template of a plan states this rule.
fn states_rule(plan: &Plan, rule: RuleKind) -> bool {
    states_every_rule(plan) || plan.prompts.has_words_for_rule(Some(rule), &plan.motion)
}

/// The rules of the votes of some plans: those that a template of the plan states, and the others.
fn split_stated_rules<'r>(plans: &[&'r Plan]) -> [BTreeSet<&'r str>; 2] {
    let votes = plans.iter().flat_map(|plan| plan.all_vote_terms().map(move |terms| (*plan, terms.decision.rule)));
    let (stated, unstated): (Vec<_>, Vec<_>) = votes.partition(|(plan, rule)| states_rule(plan, *rule));
    [stated, unstated].map(|rules| rules.into_iter().map(|(_, rule)| rule.as_str()).collect())
}

/// Who reads the terms of a vote: voters that are no simulated seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct VoteReaders {
    models: usize,
    people: usize,
}

impl VoteReaders {
    /// Counts those that may vote in the phase at a place, also after the point of a fork.
    fn count(plan: &Plan, reach: &Reach, place: usize) -> Self {
        let voters = plan.find_possible_participants(reach, place);
        let voters = plan.seats.iter().zip(voters).filter(|(seat, may_take_part)| *may_take_part && seat.votes());
        let after = |seat: &Seat| {
            let (after, only) = plan.plan_after()?;
            let own = after.seats.iter().find(|own| own.name == seat.name)?;
            only.is_none_or(|only| *only == seat.name).then_some(&own.sitter)
        };
        let sitters = voters.flat_map(|(seat, _)| [Some(&seat.sitter), after(seat)].into_iter().flatten());
        sitters.fold(Self::default(), |readers, sitter| match sitter {
            Sitter::Model(_) => Self { models: readers.models + 1, ..readers },
            Sitter::Person(_) => Self { people: readers.people + 1, ..readers },
            Sitter::Mind(_) => readers,
        })
    }

    fn join(self, other: Self) -> Self {
        Self { models: self.models + other.models, people: self.people + other.people }
    }

    /// A noun; `None` if all voters are simulated.
    fn as_noun(self) -> Option<&'static str> {
        match (self.models, self.people) {
            (0, 0) => None,
            (_, 0) => Some("models"),
            (0, _) => Some("people"),
            _ => Some("models and people"),
        }
    }
}

/// The readers of each vote of a plan, with the place of its phase.
fn list_vote_readers(plan: &Plan) -> Vec<(usize, VoteReaders)> {
    let reach = plan.find_reach();
    let votes = plan.agenda.iter().enumerate().filter(|(_, phase)| phase.kind.holds_votes());
    votes.map(|(place, _)| (place, VoteReaders::count(plan, &reach, place))).collect()
}

/// The setting of a vote that a key of the identity is: of the section `decision`, or of a vote of the agenda.
fn find_vote_setting(key: &str) -> Option<&str> {
    let of_phase = || key.strip_prefix("agenda.")?.split_once(".vote.").map(|(_, setting)| setting);
    key.strip_prefix("decision.").or_else(of_phase)
}

/// Who reads the terms of the votes that have a setting of the identity: a vote of the agenda, or all for the section `decision`.
fn find_setting_readers(plans: &[&Plan], key: &str) -> VoteReaders {
    let named = key.strip_prefix("agenda.").and_then(|rest| rest.split_once(".vote."));
    let readers = plans.iter().flat_map(|plan| {
        let has_setting = |place: usize| named.is_none_or(|(name, _)| plan.agenda[place].name.written() == name);
        list_vote_readers(plan).into_iter().filter(move |(place, _)| has_setting(*place))
    });
    readers.fold(VoteReaders::default(), |all, (_, readers)| all.join(readers))
}

/// Factors that change only how votes are counted, where models or people vote and no template states each rule.
pub(super) fn find_untold_rules(resolved: &ResolvedExperiment) -> Vec<String> {
    let is_untold = |plan: &Plan| !plan.is_simulated() && !states_every_rule(plan);
    let plans = resolved.experiment.arms.iter().map(|plan| &**plan).filter(|plan| is_untold(plan));
    let plans: Vec<&Plan> = plans.collect();
    let [stated, unstated] = split_stated_rules(&plans);
    if unstated.is_empty() {
        return Vec::new();
    }
    let lack = |readers: &str| match stated.is_empty() {
        true => format!("no template states the rule, so {readers} cannot respond to it"),
        false => {
            let unstated = list_names_in_words(&unstated.iter().copied().collect::<Vec<&str>>());
            format!("no template states the rule {unstated}, so {readers} may not know it")
        }
    };
    let overridden = list_overridden_decisions(resolved);
    let changed = list_differences(resolved, |plan, identity| is_untold(plan).then(|| identity.clone()));
    let words = changed.into_iter().filter_map(|(factor, keys)| {
        let settings: Vec<(&str, &str)> =
            keys.keys().map(|key| Some((key.as_str(), find_vote_setting(key)?))).collect::<Option<_>>()?;
        let stated = settings.iter().filter(|(_, setting)| STATED_SETTINGS.contains(setting));
        let readers = stated.map(|(key, _)| find_setting_readers(&plans, key));
        let readers = readers.fold(VoteReaders::default(), VoteReaders::join).as_noun()?;
        overridden.iter().all(|(other, _)| *other != factor).then(|| {
            format!(
                "the levels of the factor {factor} differ only in how votes are counted, and {}; state it in a template with vote.rule \
                 and vote.needed, or allow this if another text says it",
                lack(readers)
            )
        })
    });
    words.collect()
}

/// Names as a list in a sentence: `a, b and c`.
fn list_names_in_words(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        names => names.concat(),
    }
}

/// Binding votes that need more than a majority or have a default, where models or people vote and no template states the rule.
pub(super) fn find_untold_terms(plan: &Plan) -> Vec<String> {
    if plan.is_simulated() {
        return Vec::new();
    }
    let mut told: Vec<String> = Vec::new();
    for (place, readers) in list_vote_readers(plan) {
        let phase = &plan.agenda[place];
        let Some(readers) = readers.as_noun().filter(|_| phase.is_first_pass()) else { continue };
        let VoteTerms { decision, electorate, motion, is_binding, .. } = plan.vote_terms(place);
        let rule = matches!(decision.rule, RuleKind::Unanimity | RuleKind::Supermajority)
            .then(|| (format!("needs {}", decision.rule.as_str()), vec!["vote.rule", "vote.needed"]));
        let default = electorate
            .otherwise
            .map(|default| (format!("decides for {} by default", motion.name(default)), vec!["vote.otherwise"]));
        let (terms, variables): (Vec<String>, Vec<Vec<&str>>) = rule.into_iter().chain(default).unzip();
        if is_binding && !terms.is_empty() && !states_rule(plan, decision.rule) {
            let message = format!(
                "{} {}, and no template states it, so {readers} may not know it; state it in a template with {}, or allow this if another \
                 text says it",
                phase.name.written(),
                terms.join(" and "),
                list_names_in_words(&variables.concat())
            );
            if !told.contains(&message) {
                told.push(message);
            }
        }
    }
    told
}

/// Factors that change settings of the section `decision` and thereby no vote, with these settings.
fn list_overridden_decisions(resolved: &ResolvedExperiment) -> Vec<(&String, SourceTexts)> {
    let of_section = |_: &Plan, identity: &SourceTexts| {
        let own = identity.iter().filter(|(key, _)| key.starts_with("decision."));
        Some(own.map(|(key, value)| (key.clone(), value.clone())).collect())
    };
    let votes = |plan: &Plan, _: &SourceTexts| {
        let terms = plan.all_vote_terms().map(|VoteTerms { decision, voting, electorate, open, .. }| {
            format!("{decision:?}{voting:?}{electorate:?}{open:?}")
        });
        Some(SourceTexts::from([("votes".to_owned(), format!("{:?}{:?}", plan.imposed, terms.collect::<Vec<_>>()))]))
    };
    let holds_votes = resolved.experiment.arms.iter().any(|plan| plan.vote_phases().next().is_some());
    let changing_votes: Vec<&String> =
        list_differences(resolved, votes).into_iter().map(|(factor, _)| factor).collect();
    let overridden = list_differences(resolved, of_section).into_iter();
    overridden.filter(|(factor, _)| holds_votes && !changing_votes.contains(factor)).collect()
}

/// Factors that change settings of the section `decision` and thereby no vote, as every vote has settings of its own.
pub(super) fn find_overridden_decisions(resolved: &ResolvedExperiment) -> Vec<String> {
    let names: BTreeSet<&str> = resolved
        .experiment
        .arms
        .iter()
        .flat_map(|plan| plan.vote_phases().map(|(place, _)| plan.agenda[place].name.written()))
        .collect();
    let words = list_overridden_decisions(resolved).into_iter().map(|(factor, keys)| {
        let keys: Vec<&str> = keys.keys().map(String::as_str).collect();
        let names: Vec<&str> = names.iter().copied().collect();
        let (verb, whose) = if names.len() == 1 { ("has", "its") } else { ("have", "their") };
        format!(
            "the factor {factor} changes {}, and no vote follows it: {} {verb} settings of {whose} own; use a key of a vote, as {}",
            keys.join(", "),
            names.join(", "),
            format_args!("agenda.{}.{}", names[0], keys[0].trim_start_matches("decision.")),
        )
    });
    words.collect()
}

/// The author's factors that change facts, each with the facts that differ between arms which differ in this factor alone and speak one
/// language. Such arms are compared with the first of them.
fn list_differences(
    resolved: &ResolvedExperiment,
    facts_of: impl Fn(&Plan, &SourceTexts) -> Option<SourceTexts>,
) -> Vec<(&String, SourceTexts)> {
    let arms = resolved.experiment.arms.iter().zip(&resolved.identities).filter(|(plan, _)| plan.null.is_none());
    let arms: Vec<(&Plan, SourceTexts)> =
        arms.filter_map(|(plan, (_, identity))| Some((&**plan, facts_of(plan, identity)?))).collect();
    let factors = resolved.experiment.factors.iter().filter(|factor| *factor != NULL_FACTOR);
    let differences = factors.map(|factor| {
        let mut firsts: BTreeMap<(&str, Vec<&str>), &SourceTexts> = BTreeMap::new();
        let mut changed = SourceTexts::new();
        for (plan, facts) in &arms {
            let others = plan.levels.iter().filter(|level| level.factor != *factor);
            let group = (plan.language.as_str(), others.map(|level| level.label.as_str()).collect());
            let first = *firsts.entry(group).or_insert(facts);
            let own = facts.iter().filter(|(key, value)| *key != "arm" && first.get(*key) != Some(*value));
            let gone = first.iter().filter(|(key, _)| *key != "arm" && !facts.contains_key(*key));
            changed.extend(own.chain(gone).map(|(key, value)| (key.clone(), value.clone())));
        }
        (factor, changed)
    });
    differences.filter(|(_, changed)| !changed.is_empty()).collect()
}

/// What seats meet before they answer the phase at a place, and the question itself, by where it comes from.
fn met_before(plan: &Plan, place: usize) -> SourceTexts {
    let mut met = SourceTexts::from([("the prompts".to_owned(), plan.prompts.digest().to_string())]);
    let options = plan.motion.alternatives.iter().map(|alternative| (&alternative.name, &alternative.label));
    let question = (&plan.motion.text, options.collect::<Vec<_>>(), plan.motion.amount_min, plan.motion.amount_max);
    let mut meet = |source: String, words: String| met.entry(source).or_default().push_str(&words);
    let asking = &plan.agenda[place];
    match &asking.kind {
        // The motion is part of every prompt of a session that has one.
        PhaseKind::Form(form) => {
            meet("the question".to_owned(), plan.motion.text.clone());
            let words = format!("{:?}{:?}", form.asked.questions, form.asked.form.fields);
            meet(format!("the phase {}", asking.name), words + &list_parameters(plan, &list_reads(asking)));
        }
        _ => meet("the question".to_owned(), format!("{question:?}")),
    }
    let reach = plan.find_reach();
    let printed: Vec<NameRead> =
        plan.agenda[..place].iter().filter(|phase| tells(&phase.kind)).flat_map(list_reads).collect();
    for (at, phase) in plan.agenda[..place].iter().enumerate() {
        let is_met = tells(&phase.kind) || computes_printed(&phase.kind, plan, &printed);
        if !is_met || !reach.may_open[at] {
            continue;
        }
        let source = format!("the phase {}", phase.name);
        let parameters = list_parameters(plan, &list_reads(phase));
        meet(source.clone(), format!("{:?}{}{parameters}", phase.kind, describe_gates(plan, at)));
        if matches!(phase.kind, PhaseKind::Applications) {
            let practice = plan.income_principles().map(|income| &income.applications);
            meet(source, format!("{practice:?}"));
        }
    }
    for seat in &plan.seats {
        let of_seat = (&seat.agent.persona, seat.pool.map(|pool| &plan.pools[pool].personas), &seat.language);
        meet(format!("the persona of {}", seat.name), format!("{of_seat:?}"));
    }
    if let Some(imported) = plan.notes.as_ref().and_then(|notes| notes.imported.as_ref()) {
        meet("notes of another experiment".to_owned(), format!("{:?}", imported.notes));
    }
    for told in &plan.interventions {
        let at = plan.agenda.iter().position(|phase| told.is_in(phase));
        if at.is_some_and(|at| at < place || at == place && told.round == 0) {
            meet(format!("an intervention in {}", told.phase), format!("{told:?}"));
        }
    }
    for shown in &plan.exhibits {
        meet(format!("the exhibit {}", shown.exhibit.name()), format!("{} {:?}", shown.digest, shown.to));
    }
    if let Some(evidence) = &plan.evidence {
        let Evidence { truth: _, signals, facts, shared, held_by, intro, withheld } = &**evidence;
        let told = (signals, facts, shared, held_by, intro, withheld);
        meet("what seats are told of the case".to_owned(), format!("{told:?}"));
    }
    met
}

/// Whether seats meet something in a phase of this kind.
fn tells(kind: &PhaseKind) -> bool {
    !matches!(kind, PhaseKind::Compute(_) | PhaseKind::Assign(_))
}

/// Whether a phase computes a value that texts print.
fn computes_printed(kind: &PhaseKind, plan: &Plan, printed: &[NameRead]) -> bool {
    let PhaseKind::Compute(assignments) = kind else { return false };
    assignments.iter().any(|assignment| {
        let name = &plan.variables[assignment.variable].name;
        printed.iter().any(|read| read.name.as_ref() == Some(name) || read.attributes.contains(name))
    })
}

/// What the texts of a phase read.
fn list_reads(phase: &Phase) -> Vec<NameRead> {
    match &phase.kind {
        PhaseKind::Brief { live: Some(live), .. } => live.list_reads(),
        PhaseKind::Form(form) => form.live.iter().flat_map(|(_, text)| text.list_reads()).collect(),
        PhaseKind::Compute(assignments) => {
            assignments.iter().flat_map(|assignment| list_names(&assignment.formula.expression)).collect()
        }
        _ => Vec::new(),
    }
}

/// What decides in a session whether a phase takes place, and for whom, with the parameters that it reads. Which phases parameters alone
/// leave out is known before.
fn describe_gates(plan: &Plan, place: usize) -> String {
    let phase = &plan.agenda[place];
    let of_blocks = phase.within.iter().filter_map(|block| plan.blocks[*block].when.as_ref());
    let conditions = phase.when.iter().chain(of_blocks).map(|when| &when.formula).filter(|formula| !formula.is_fixed());
    let sets = plan.who(place).filter_map(|set| match &set.rule {
        SeatRule::Where { formula, .. } => Some(formula),
        SeatRule::Named(_) => None,
    });
    let named = plan.who(place).filter(|set| matches!(set.rule, SeatRule::Named(_))).map(|set| set.text.clone());
    let formulas = conditions
        .chain(sets)
        .map(|formula| format!("{}{}", formula.text, list_parameters(plan, &list_names(&formula.expression))));
    formulas.chain(named).collect()
}

/// The values of the parameters among some reads.
fn list_parameters(plan: &Plan, reads: &[NameRead]) -> String {
    let read = reads
        .iter()
        .filter(|read| read.name.as_deref() == Some("parameters"))
        .filter_map(|read| read.attributes.first());
    let values = read.filter_map(|name| plan.parameters.iter().find(|(own, _)| own == name));
    values.map(|value| format!("{value:?}")).collect()
}
