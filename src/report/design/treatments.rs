//! Factors whose treatment comes too early to be measured, or reaches nobody.

use std::collections::BTreeMap;

use crate::config::ResolvedExperiment;
use crate::domain::PollTime;
use crate::plan::{Deed, Evidence, NULL_FACTOR, PhaseKind, Plan, Sitter};

/// SourceTexts of an arm by what they are about.
type SourceTexts = BTreeMap<String, String>;

/// Factors that change what seats hear before the poll `straw_before`, which is then no measurement before the treatment.
pub(super) fn find_early_treatments(resolved: &ResolvedExperiment) -> Vec<String> {
    let changed = list_differences(resolved, |plan, _| heard_before_the_poll(plan));
    let words = changed.into_iter().map(|(factor, sources)| {
        format!(
            "the factor {factor} changes what seats hear before the poll straw_before ({}): the poll follows the treatment, so a \
             change since the poll misses its earlier effect; to poll first, put the treatment into an intervention in a later phase",
            sources.into_keys().collect::<Vec<_>>().join(", ")
        )
    });
    words.collect()
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

/// What seats hear before the poll `straw_before`, by where it comes from; `None` without that poll.
fn heard_before_the_poll(plan: &Plan) -> Option<SourceTexts> {
    let poll = plan.agenda.iter().position(|phase| matches!(phase.kind, PhaseKind::Ask { time: PollTime::Before }))?;
    let options = plan.motion.alternatives.iter().map(|alternative| (&alternative.name, &alternative.label));
    let question = (&plan.motion.text, options.collect::<Vec<_>>(), plan.motion.amount_min, plan.motion.amount_max);
    let mut heard = SourceTexts::from([
        ("the question".to_owned(), format!("{question:?}")),
        ("the prompts".to_owned(), plan.prompts.digest().to_string()),
    ]);
    let mut hear = |source: String, words: String| heard.entry(source).or_default().push_str(&words);
    for phase in &plan.agenda[..poll] {
        hear(format!("the phase {}", phase.name), format!("{:?}", phase.kind));
        if matches!(phase.kind, PhaseKind::Applications) {
            let practice = plan.income_principles().map(|income| &income.applications);
            hear(format!("the phase {}", phase.name), format!("{practice:?}"));
        }
    }
    for seat in &plan.seats {
        let of_seat = (&seat.agent.persona, seat.pool.map(|pool| &plan.pools[pool].personas), &seat.language);
        hear(format!("the persona of {}", seat.name), format!("{of_seat:?}"));
    }
    if let Some(imported) = plan.notes.as_ref().and_then(|notes| notes.imported.as_ref()) {
        hear("notes of another experiment".to_owned(), format!("{:?}", imported.notes));
    }
    for told in &plan.interventions {
        let at = plan.agenda.iter().position(|phase| told.is_in(phase));
        if at.is_some_and(|at| at < poll || at == poll && told.round == 0) {
            hear(format!("an intervention in {}", told.phase), format!("{told:?}"));
        }
    }
    for shown in &plan.exhibits {
        hear(format!("the exhibit {}", shown.exhibit.name()), format!("{} {:?}", shown.digest, shown.to));
    }
    if let Some(evidence) = &plan.evidence {
        let Evidence { truth: _, signals, facts, shared, held_by, intro, withheld } = &**evidence;
        let told = (signals, facts, shared, held_by, intro, withheld);
        hear("what seats are told of the case".to_owned(), format!("{told:?}"));
    }
    Some(heard)
}
