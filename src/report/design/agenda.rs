//! An agenda as a tree: what each phase does, with whom, how much it may ask, and where its values are set and read.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::domain::OpenBallots;
use crate::memory::Strategy;
use crate::plan::{
    BlockSpan, Discussion, Phase, PhaseKind, Plan, RoundVotes, Thing, VoteOver, VotePhase, list_read_by,
};
use crate::report::counted;
use crate::session::{CountBounds, Forecast};

/// What is said of values and payments that may be missing.
pub(super) const MAY_BE_MISSING: &str = "; may be missing";
/// What is said of those that an `if` may choose whose condition is missing.
pub(super) const CHOSEN_BY_MISSING: &str = "; a missing condition of `if` counts as false";

/// A block or a phase of an agenda.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AgendaLine {
    /// Its name as it is written; `each TEAM` of what takes place in each group of an assignment.
    pub name: String,
    /// How many blocks hold it.
    pub depth: usize,
    /// What happens, in a few words; of a block how often.
    pub does: String,
    /// The seats that take part; absent for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The condition without which it is left out; absent if it always takes place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The seats that hear it; absent as the kind of phase has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heard_by: Option<String>,
    /// The questions of one session, in all its passes and groups; absent of blocks, and where nothing was rehearsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<CountBounds>,
    /// The values that it sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<String>,
    /// The values of the session that it reads, in its conditions and messages too, and those that the rules of simulated seats read to
    /// answer it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
}

/// A value that phases set.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ValueLine {
    /// Its name.
    pub name: String,
    /// The phases that set it.
    pub set_in: Vec<String>,
    /// The phases that read it.
    pub read_in: Vec<String>,
    /// Whether nobody may have given it: an answer that stays invalid, a phase that is left out, or an expression that reads such a value
    /// and says nothing for its place.
    pub may_be_missing: bool,
    /// Whether an `if` may choose it by a condition that is missing, which counts as false.
    pub may_be_chosen_by_missing: bool,
}

/// The blocks and phases of a plan, in their order.
pub fn describe_agenda(plan: &Plan, forecast: Option<&Forecast>) -> Vec<AgendaLine> {
    let known = plan.list_values();
    let missing = plan.find_missing_places();
    let describe_missing = |phase: &str| {
        let notes =
            [(missing.payments.contains(phase), MAY_BE_MISSING), (missing.chosen.contains(phase), CHOSEN_BY_MISSING)];
        notes.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words).collect::<String>()
    };
    let phases: Vec<(usize, &Phase)> =
        plan.agenda.iter().enumerate().filter(|(_, phase)| phase.is_first_pass()).collect();
    let (mut lines, mut open): (Vec<AgendaLine>, Vec<String>) = (Vec::new(), Vec::new());
    for (place, phase) in phases {
        let holders: Vec<AgendaLine> = list_holders(plan, phase, &known);
        let shared = holders.iter().zip(&open).take_while(|(holder, open)| holder.name == **open).count();
        open = holders.iter().map(|holder| holder.name.clone()).collect();
        lines.extend(holders.into_iter().skip(shared));
        let asked = forecast.map(|forecast| forecast.phases.get(phase.name.written()).copied().unwrap_or_default());
        lines.push(AgendaLine {
            name: phase.name.written().to_owned(),
            depth: open.len(),
            does: describe_phase(phase, plan) + &describe_missing(phase.name.written()),
            who: plan.describe_participants(place),
            when: phase.when.as_ref().map(|when| when.formula.text.clone()),
            heard_by: phase.heard_by.as_ref().map(|set| set.text.clone()),
            questions: asked,
            sets: phase.list_set_values(),
            reads: list_reads(plan, phase, &known),
        });
    }
    lines.extend(forecast.and_then(describe_rewriting));
    lines
}

fn list_reads(plan: &Plan, phase: &Phase, known: &BTreeSet<String>) -> Vec<String> {
    let by_phase = phase.list_read_values(&plan.sources, known);
    by_phase.union(&plan.list_rule_reads(phase, known)).cloned().collect()
}

/// How often seats rewrite their memories, in whichever phase; `None` if none ever does.
fn describe_rewriting(forecast: &Forecast) -> Option<AgendaLine> {
    let rewritings = forecast.steps.iter().filter(|asked| asked.step.rewrites_memory());
    let questions = rewritings.map(|asked| asked.questions).fold(CountBounds::from_number(0), CountBounds::plus);
    let (name, does) = ("memory".to_owned(), "seats rewrite their memories".to_owned());
    (questions.high > 0).then(|| AgendaLine { name, does, questions: Some(questions), ..AgendaLine::default() })
}

/// The values that the phases of a plan set, in the order in which they are first set.
pub fn describe_values(plan: &Plan, agenda: &[AgendaLine]) -> Vec<ValueLine> {
    let missing = plan.find_missing_places();
    let mut lines: Vec<ValueLine> = Vec::new();
    for name in agenda.iter().flat_map(|line| &line.sets) {
        let is_told = lines.iter().any(|line| line.name == *name);
        let is_read = agenda.iter().any(|line| line.reads.contains(name));
        // A vote and an assignment that nothing reads have lines of their own.
        if is_told || !is_read && is_phase_or_groups(plan, name) {
            continue;
        }
        let named = |list: fn(&AgendaLine) -> &Vec<String>| {
            let own = agenda.iter().filter(|line| list(line).contains(name));
            own.map(|line| line.name.clone()).collect::<Vec<String>>()
        };
        let (set_in, read_in) = (named(|line| &line.sets), named(|line| &line.reads));
        lines.push(ValueLine {
            name: name.clone(),
            set_in,
            read_in,
            may_be_missing: missing.values.contains(name.as_str()),
            may_be_chosen_by_missing: missing.chosen.contains(name.as_str()),
        });
    }
    lines
}

fn is_phase_or_groups(plan: &Plan, name: &str) -> bool {
    let is_group = |phase: &Phase| phase.group.as_ref().is_some_and(|group| *group.assignment == *name);
    !plan.sources.places_of(name).is_empty() || plan.agenda.iter().any(is_group)
}

/// The blocks that hold a phase, the outermost first, and the groups in which it takes place.
fn list_holders(plan: &Plan, phase: &Phase, known: &BTreeSet<String>) -> Vec<AgendaLine> {
    let mut holders: Vec<AgendaLine> = Vec::new();
    for block in phase.within.iter().map(|block| &plan.blocks[*block]) {
        let pass = phase.passes.iter().find(|pass| pass.block == block.name);
        let does = pass.map_or_else(String::new, |pass| describe_passes(block, pass.of, pass.thing.as_ref()));
        let formulas = phase.list_block_formulas(block).into_iter().flat_map(|formula| list_read_by(formula, known));
        let texts = phase.find_texts_of_block(block, &plan.sources).filter(|name| known.contains(*name));
        let read: BTreeSet<String> = formulas.chain(texts.map(str::to_owned)).collect();
        holders.push(AgendaLine {
            reads: read.into_iter().collect(),
            name: block.name.clone(),
            does,
            who: block.who.as_ref().map(|set| set.text.clone()),
            when: block.when.as_ref().map(|when| when.formula.text.clone()),
            ..AgendaLine::default()
        });
    }
    if let Some(group) = &phase.group {
        let (name, does) = (format!("each {}", group.assignment), "side by side".to_owned());
        // A block in groups has a number of its own in each.
        let around = phase.within.iter().take_while(|block| plan.blocks[**block].group.is_none()).count();
        holders.insert(around, AgendaLine { name, does, ..AgendaLine::default() });
    }
    let numbered = holders.into_iter().enumerate();
    numbered.map(|(depth, line)| AgendaLine { depth, ..line }).collect()
}

fn describe_passes(block: &BlockSpan, most: u32, thing: Option<&Thing>) -> String {
    let times = if most == 1 { "1 pass".to_owned() } else { format!("{most} passes") };
    let each = match thing {
        Some(Thing::Word { name, words, .. }) => Some(format!("for each {name} of {}", words.join(", "))),
        Some(Thing::Item { .. }) => Some(format!("for each of {most} items")),
        Some(Thing::Text { name, .. }) => Some(format!("for each text {name}, at most {most}")),
        Some(Thing::Seat { name, seats, .. }) => {
            Some(format!("for each seat {name} of {}, at most {most}", seats.text))
        }
        Some(Thing::Times { times, .. }) => Some(format!("{} times, at most {most}", times.text)),
        None => None,
    };
    match (&block.until, each) {
        (Some(until), _) => format!("at most {times}, until {}", until.formula.text),
        (None, Some(each)) => each,
        (None, None) => times,
    }
}

/// What a phase does, in a few words.
fn describe_phase(phase: &Phase, plan: &Plan) -> String {
    let kept = match phase.remember {
        Some(Strategy::Skip) => " (not remembered)",
        Some(Strategy::Direct | Strategy::Integrated) | None => "",
    };
    let practice = plan.income_principles().map_or(0, |mechanism| mechanism.applications.len());
    let list = |names: Vec<&str>| names.join(", ");
    let does = match &phase.kind {
        PhaseKind::Brief { live: Some(live), .. } if live.is_personal => "tells each seat its own words".to_owned(),
        PhaseKind::Brief { .. } => "tells".to_owned(),
        PhaseKind::Ask { .. } => "asks a straw poll".to_owned(),
        PhaseKind::Form(form) => {
            let about = form.per.as_ref().map_or(String::new(), |per| format!(" about each of {}", per.text));
            let kept = form.kept.iter().map(|kept| kept.name.as_str()).collect::<Vec<&str>>();
            let kept = if kept.is_empty() { String::new() } else { format!(", kept as {}", kept.join(", ")) };
            format!(
                "asks {}{about}{kept}",
                list(form.asked.form.fields.iter().map(|field| field.id.as_str()).collect())
            )
        }
        PhaseKind::Ranking => "asks for a ranking".to_owned(),
        PhaseKind::Comprehension(test) => {
            format!("tests with {}, 1–2 tries", counted(test.questions.len() as u64, "question"))
        }
        PhaseKind::Applications => counted(practice as u64, "practice round"),
        PhaseKind::Discussion(discussion) => format!("talk, {}", describe_talk(discussion)),
        PhaseKind::Vote(vote) => match &plan.matched {
            Some(matched) => format!("votes until {} of {} are reached", matched.unit.as_str(), matched.plan.arm),
            None => describe_vote(vote),
        },
        PhaseKind::Settle | PhaseKind::Pay(_) => "pays".to_owned(),
        PhaseKind::Compute(set) => format!("computes {}", list(set.iter().map(|set| set.written.as_str()).collect())),
        PhaseKind::Assign(rules) => format!("assigns {}", list(rules.iter().map(|rule| rule.name.as_str()).collect())),
    };
    does + kept
}

fn describe_vote(vote: &VotePhase) -> String {
    let votes = match &vote.over {
        VoteOver::Seats(set) => format!("vote on {}", set.text),
        VoteOver::Texts(_) => "vote on texts".to_owned(),
        VoteOver::Winners(won) => format!("vote on {}.{}", won.vote, won.part.attribute()),
        VoteOver::Alternatives | VoteOver::OwnOptions => "vote".to_owned(),
    };
    match vote.open {
        OpenBallots::InTurn => votes + ", in turn",
        OpenBallots::Never | OpenBallots::Announced => votes,
    }
}

fn describe_talk(discussion: &Discussion) -> String {
    let rounds = u64::from(discussion.rounds.get());
    let least = |first: u32| match u64::from(first) {
        first if first < rounds => format!("{first}–{rounds} rounds"),
        _ => counted(rounds, "round"),
    };
    let at_most = counted(rounds, "vote");
    let talk = match discussion.votes {
        RoundVotes::Never if discussion.until.is_some() => least(1),
        RoundVotes::Never => counted(rounds, "round"),
        RoundVotes::EveryRound => format!("{}, 1–{at_most}", least(1)),
        RoundVotes::OnCall { rounds_min, .. } => {
            let votes = rounds.saturating_sub(u64::from(rounds_min)) + 1;
            format!("{}, 0–{} on call", least(rounds_min), counted(votes, "vote"))
        }
    };
    match discussion.speakers {
        Some(speakers) => format!("{talk}, {} in each", counted(speakers.into(), "speaker")),
        None => talk,
    }
}
