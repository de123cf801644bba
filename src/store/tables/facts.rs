//! Converts a plan to the facts that the fold of a session needs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analysis::{
    AnswerColumn, AnswersBy, ArmFacts, ColumnLayout, ConvergenceEffect, ConvergenceFacts, Determinism, FormAbout,
    ItemFacts, LaterSeats, MarksRead, MemoryFacts, MemoryIntake, OnFailing, PassNumbers, PhaseFacts, PhaseVotes,
    PoolFacts, SeatFacts, SessionFacts, VariableColumn, VoteFacts, VoteForce, VoteHeard, VoteResults,
    name_variable_column,
};
use crate::domain::{Decimal, Field, FieldKind, Measure, SeatId, Step, Tariff};
use crate::memory::EventRetention;
use crate::minds::Mind;
use crate::plan::{
    ConvergenceAction, Experiment, FormPlan, Pass, PersonaPool, Phase, PhaseKind, Plan, Price, RoundVotes, Seat,
    SeatRole, Sitter, SummaryModel, TestFailurePolicy, Thing, Variable, VariableKind, VoteOver,
};

/// The facts of every arm, in the order of the design, and their common open columns.
pub fn experiment_facts(experiment: &Experiment) -> (Arc<ColumnLayout>, Vec<Arc<ArmFacts>>) {
    let mut layout = ColumnLayout { factors: experiment.factors.clone(), ..ColumnLayout::default() };
    experiment.arms.iter().for_each(|plan| layout.merge(&plan_layout(plan)));
    if let Some(widest) = experiment.items.values().max_by_key(|item| item.options.len()) {
        experiment.arms.iter().for_each(|plan| layout.merge(&plan_layout(&plan.of_item(widest))));
    }
    let layout = Arc::new(layout);
    let arms = experiment.arms.iter().map(|plan| Arc::new(build_arm_facts(plan, Arc::clone(&layout)))).collect();
    (layout, arms)
}

/// The facts of arms by the arm's name.
pub type ArmsByName<'a> = BTreeMap<&'a str, Arc<ArmFacts>>;

/// The facts of every arm by its name, and their common open columns.
pub fn arms_by_name(experiment: &Experiment) -> (Arc<ColumnLayout>, ArmsByName<'_>) {
    let (layout, arms) = experiment_facts(experiment);
    (layout, experiment.arms.iter().map(|plan| plan.arm.as_str()).zip(arms).collect())
}

/// The facts of all sessions of a plan, with the open columns of this plan only. Build them once per arm.
pub fn arm_facts(plan: &Plan) -> ArmFacts {
    build_arm_facts(plan, Arc::new(plan_layout(plan)))
}

/// The facts of one session.
pub fn session_facts(arm: &Arc<ArmFacts>, plan: &Plan, replicate: u32) -> SessionFacts {
    let drawn_replicate = plan.drawn_replicate(replicate);
    let plan = plan.whole_plan();
    let arm = match &plan.item {
        None => Arc::clone(arm),
        Some(_) => Arc::new(ArmFacts {
            alternatives: plan.motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect(),
            labels: plan.motion.alternatives.iter().map(|alternative| alternative.label.clone()).collect(),
            takes_amount: plan.motion.alternatives.iter().map(|alternative| alternative.takes_amount).collect(),
            unit: plan.motion.unit.clone(),
            amounts: amount_range(plan),
            ..(**arm).clone()
        }),
    };
    let arm = match arm.plan_digest == plan.digest {
        true => arm,
        false => Arc::new(ArmFacts { plan_digest: plan.digest.clone(), ..(*arm).clone() }),
    };
    let item = plan.item.as_ref().map(|item| ItemFacts {
        id: item.id.clone(),
        text: item.text.clone(),
        key: item.key.clone(),
        misleading: item.misleading_options().into_iter().cloned().collect(),
        has_options: !item.options.is_empty(),
        has_amounts: item.amount.is_some(),
    });
    let panel = plan.panel_name(replicate).zip(plan.wave.as_ref().map(|wave| wave.number));
    SessionFacts { arm, replicate, drawn_replicate, session: plan.session_name(replicate), item, panel }
}

/// The open columns of one plan.
fn plan_layout(plan: &Plan) -> ColumnLayout {
    let plan = plan.whole_plan();
    // The names of a mind's traits do not depend on the replicate; only the values do.
    let seated = plan.seat_assignments(1, None);
    let traits = seated.iter().map(|seat| seat.traits.iter().map(|drawn| drawn.name.clone()).collect());
    let attributes = plan.pools.iter().map(|pool| pool.attributes.clone());
    let ranks = plan.agenda.iter().any(|phase| match &phase.kind {
        PhaseKind::Ranking => true,
        PhaseKind::Form(form) => form.find_measure(Measure::Ranking).is_some(),
        _ => false,
    });
    let alternatives: Vec<String> = plan.motion.alternatives.iter().map(|other| other.name.to_string()).collect();
    let mut layout = ColumnLayout {
        factors: plan.levels.iter().map(|level| level.factor.clone()).collect(),
        ranked: if ranks { alternatives.clone() } else { Vec::new() },
        alternatives,
        answers: plan.agenda.iter().filter(|phase| phase.is_first_pass()).flat_map(answer_columns).collect(),
        keyed: plan.agenda.iter().filter(|phase| phase.is_first_pass()).flat_map(keyed_columns).collect(),
        variables: plan.variables.iter().map(variable_column).collect(),
        ..ColumnLayout::default()
    };
    traits.for_each(|traits: Vec<String>| layout.merge(&ColumnLayout { traits, ..ColumnLayout::default() }));
    attributes.for_each(|attributes| layout.merge(&ColumnLayout { attributes, ..ColumnLayout::default() }));
    layout
}

fn variable_column(variable: &Variable) -> VariableColumn {
    let is_number = matches!(variable.kind, VariableKind::Number | VariableKind::YesNo);
    VariableColumn { name: variable.name.clone(), of: variable.of, is_number }
}

/// The columns of a phase's form.
fn answer_columns(phase: &Phase) -> Vec<AnswerColumn> {
    let PhaseKind::Form(asked) = &phase.kind else { return Vec::new() };
    if asked.per.is_some() {
        return Vec::new();
    }
    let column = |field: &Field| AnswerColumn {
        phase: phase.name.written().to_owned(),
        field: field.id.clone(),
        is_number: matches!(field.kind, FieldKind::Number { .. } | FieldKind::YesNo),
    };
    asked.form.fields.iter().map(column).collect()
}

/// The columns of a phase's form whose fields have a right answer.
fn keyed_columns(phase: &Phase) -> Vec<AnswerColumn> {
    let PhaseKind::Form(asked) = &phase.kind else { return Vec::new() };
    let has_key = |column: &AnswerColumn| asked.keys.iter().any(|(field, _)| *field == column.field);
    answer_columns(phase).into_iter().filter(has_key).collect()
}

/// The smallest and largest amount that a ballot may name; `None` if it names none.
fn amount_range(plan: &Plan) -> Option<[u32; 2]> {
    plan.motion.amount_max.map(|greatest| [plan.motion.amount_min, greatest])
}

fn build_arm_facts(plan: &Plan, layout: Arc<ColumnLayout>) -> ArmFacts {
    let determinism = if plan.is_recomputed() { Determinism::Recomputed } else { Determinism::Recorded };
    let (own, plan) = (plan, plan.whole_plan());
    ArmFacts {
        experiment: plan.experiment.clone(),
        arm: plan.arm.clone(),
        levels: plan.levels.iter().map(|level| (level.factor.clone(), level.label.clone())).collect(),
        plan_digest: plan.digest.clone(),
        determinism,
        language: plan.language.clone(),
        wording: plan.wording.clone(),
        prompts_digest: plan.prompts.digest().clone(),
        seats: own.seats.iter().enumerate().map(|seat| seat_facts(own, seat)).collect(),
        pools: plan.pools.iter().map(pool_facts).collect(),
        alternatives: plan.motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect(),
        labels: plan.motion.alternatives.iter().map(|alternative| alternative.label.clone()).collect(),
        takes_amount: plan.motion.alternatives.iter().map(|alternative| alternative.takes_amount).collect(),
        strength: plan.voting.strength,
        unit: plan.motion.unit.clone(),
        amounts: amount_range(plan),
        correct_within_ppm: plan.correct_within_ppm,
        phases: phase_facts(plan),
        regions: plan
            .agenda
            .iter()
            .filter_map(|phase| Some((phase.name.clone(), phase.group.as_ref()?.region)))
            .collect(),
        memory: memory_facts(own),
        later: later_seats(own).map(Box::new),
        convergence: convergence_facts(plan),
        mechanism: plan.income_principles().cloned(),
        starts: plan.variables.iter().map(|variable| (variable.name.clone(), variable.start.clone())).collect(),
        layout,
        repeated_columns: find_repeated_columns(plan),
    }
}

/// The columns of answers and variables that hold the numbers last answered or last set in a repeated block: those of repeated forms, and
/// of variables that a repeated phase is the last in the agenda to set. A block for seats counts as one pass.
pub fn find_repeated_columns(plan: &Plan) -> BTreeSet<String> {
    let is_again = |pass: &Pass| pass.number > 1 && !matches!(pass.thing, Some(Thing::Seat { .. }));
    let mut columns = BTreeSet::new();
    for phase in &plan.agenda {
        let is_repeated = phase.passes.iter().any(is_again);
        if let PhaseKind::Compute(set) = &phase.kind {
            for column in set.iter().map(|set| name_variable_column(set.bare_name())) {
                if is_repeated {
                    columns.insert(column)
                } else {
                    columns.remove(&column)
                };
            }
        } else if is_repeated {
            let fields = answer_columns(phase).into_iter();
            columns.extend(fields.flat_map(|field| [field.name(), field.correct_name()]));
        }
    }
    columns
}

/// How convergence is measured, and its effect, according to the first discussion that asks for it; otherwise the default.
fn convergence_facts(plan: &Plan) -> ConvergenceFacts {
    let asked = plan.agenda.iter().find_map(|phase| match &phase.kind {
        PhaseKind::Discussion(talk) => talk.convergence,
        _ => None,
    });
    let Some(asked) = asked else { return ConvergenceFacts::default() };
    let following = match asked.action {
        ConvergenceAction::Stop => ConvergenceEffect::Ends,
        ConvergenceAction::Warn => ConvergenceEffect::Told,
        ConvergenceAction::Continue => ConvergenceEffect::Nothing,
    };
    ConvergenceFacts { profile: asked.profile, asked: Some((asked.threshold, following)) }
}

/// The price of a model's tokens, if it is known.
fn model_tariff(plan: &Plan, place: usize) -> Option<Tariff> {
    plan.models[place].price.map(Price::to_tariff)
}

fn memory_facts(plan: &Plan) -> MemoryFacts {
    MemoryFacts {
        policy: plan.memory.policy.config_name().to_owned(),
        kept: match plan.memory.policy.terms().keeps {
            EventRetention::Routed => MemoryIntake::Routed(plan.memory.routing),
            EventRetention::Nothing => MemoryIntake::Nothing,
            EventRetention::AsItComes => MemoryIntake::AsItComes(plan.memory.routing),
        },
        written_by: match plan.summary_model {
            SummaryModel::Seat => None,
            SummaryModel::Rule => Some(AnswersBy::Mind),
            SummaryModel::Model(_) => Some(AnswersBy::Model),
        },
        tariff: match plan.summary_model {
            SummaryModel::Model(place) => model_tariff(plan, place),
            SummaryModel::Seat | SummaryModel::Rule => None,
        },
    }
}

/// The seats since a fork changed who answers; `None` if it did not.
fn later_seats(own: &Plan) -> Option<LaterSeats> {
    let (after, named) = own.plan_after()?;
    let point = own.fork.as_ref()?.point.as_ref()?;
    let is_there = |phase: &Phase| phase.name.occurrence() == point.phase.occurrence();
    Some(LaterSeats {
        seat: named.and_then(|named| own.seats.iter().position(|seat| seat.name == *named)),
        place: match own.agenda.iter().position(is_there) {
            Some(place) => place + 1,
            None if point.step == Some(Step::Naming) => 0,
            None => own.agenda.len() + 1,
        },
        round: point.round,
        step: point.step,
        seats: after.seats.iter().enumerate().map(|seat| seat_facts(after, seat)).collect(),
        memory: memory_facts(after),
    })
}

fn seat_facts(plan: &Plan, (place, seat): (usize, &Seat)) -> SeatFacts {
    let (answers_by, mind) = match &seat.sitter {
        Sitter::Mind(mind) => (AnswersBy::Mind, Some(mind_word(mind).to_owned())),
        Sitter::Model(_) => (AnswersBy::Model, None),
        Sitter::Person(_) => (AnswersBy::Person, None),
    };
    SeatFacts {
        name: seat.name.clone(),
        answers_by,
        role: seat.part.as_ref().map_or_else(|| role_word(seat.role).to_owned(), |role| role.name.clone()),
        speaks: seat.speaks(),
        model: seat.model.clone(),
        mind,
        tariff: match seat.sitter {
            Sitter::Model(place) => model_tariff(plan, place),
            Sitter::Mind(_) | Sitter::Person(_) => None,
        },
        pool: seat.pool,
        weight: plan.electorate.weight(SeatId(place as u32)),
        language: seat.language.as_ref().unwrap_or(&plan.language).clone(),
    }
}

fn pool_facts(pool: &PersonaPool) -> PoolFacts {
    PoolFacts {
        attributes: pool.attributes.clone(),
        personas: pool.personas.iter().map(|persona| (persona.id.clone(), persona.attributes.clone())).collect(),
    }
}

/// A mind's name in configs.
pub(super) fn mind_word(mind: &Mind) -> &'static str {
    match mind {
        Mind::Random { .. } => "random",
        Mind::Voter { .. } => "voter",
        Mind::Justice(mind) => mind.name(),
        Mind::Opinionated(mind) => mind.rule.name(),
        Mind::Scripted(_) => "scripted",
        Mind::Tallying { .. } => "tallying",
        Mind::Rule(_) => "rule",
        Mind::Silent => "silent",
    }
}

pub(super) fn role_word(role: SeatRole) -> &'static str {
    match role {
        SeatRole::Member => "member",
        SeatRole::Manipulator => "manipulator",
    }
}

/// The facts of every phase. One that certainly never takes place has no rounds.
fn phase_facts(plan: &Plan) -> Vec<PhaseFacts> {
    let mut phases: Vec<PhaseFacts> = (0..plan.agenda.len()).map(|place| facts_of_phase(plan, place)).collect();
    for (phase, _) in phases.iter_mut().zip(plan.find_reach().may_open).filter(|(_, may_open)| !may_open) {
        phase.rounds_max = 0;
    }
    phases
}

fn facts_of_phase(plan: &Plan, place: usize) -> PhaseFacts {
    let Phase { name, kind, remember, .. } = &plan.agenda[place];
    let (form, talk) = match kind {
        PhaseKind::Form(form) => (Some(form), None),
        PhaseKind::Discussion(talk) => (None, Some(talk)),
        _ => (None, None),
    };
    PhaseFacts {
        name: name.clone(),
        kind: kind.name(),
        poll: match kind {
            PhaseKind::Ask { time } => Some(*time),
            PhaseKind::Form(_) => plan.find_measuring_time(place),
            _ => None,
        },
        rounds_max: talk.map_or(0, |talk| talk.rounds.get()),
        passes: pass_numbers(plan, place),
        votes: match talk.map(|talk| &talk.votes) {
            Some(RoundVotes::EveryRound) => PhaseVotes::EachRound,
            Some(RoundVotes::OnCall { .. }) => PhaseVotes::OnCall,
            None if matches!(kind, PhaseKind::Vote(_)) => PhaseVotes::Once,
            Some(RoundVotes::Never) | None => PhaseVotes::None,
        },
        on_failing: match kind {
            PhaseKind::Comprehension(test) if test.failing == TestFailurePolicy::Excludes => OnFailing::IsExcluded,
            _ => OnFailing::Stays,
        },
        marks: if talk.is_some_and(|talk| talk.proposals) { MarksRead::Yes } else { MarksRead::No },
        fields: form.iter().flat_map(|form| &form.form.fields).map(|field| field.id.clone()).collect(),
        keys: form.iter().flat_map(|form| form.keys.iter().chain(&form.item_keys)).cloned().collect(),
        measures: form.map_or_else(Vec::new, |form| measure_facts(form)),
        about: if form.is_some_and(|form| form.per.is_some()) { FormAbout::Seats } else { FormAbout::Oneself },
        vote: kind.holds_votes().then(|| vote_facts(plan, place)),
        remember: *remember,
    }
}

fn pass_numbers(plan: &Plan, place: usize) -> PassNumbers {
    let Phase { passes, within, .. } = &plan.agenda[place];
    let grouped = within.iter().map(|block| &plan.blocks[*block]).find(|block| block.group.is_some());
    let (outside, within) = passes.split_at(grouped.map_or(passes.len(), |block| block.around));
    let count = |passes: &[Pass]| {
        let counted = passes.iter().filter(|pass| !matches!(pass.thing, Some(Thing::Seat { .. })));
        counted.map(|pass| pass.number).collect()
    };
    PassNumbers { outside: count(outside), within: count(within) }
}

/// What the fields of a form measure, with their bounds; those of a field without bounds are 0.
fn measure_facts(form: &FormPlan) -> Vec<(String, Measure, [Decimal; 2])> {
    let of_field = |(id, measure): &(String, Measure)| {
        let field = form.form.fields.iter().find(|field| field.id == *id);
        let bounds = match field.map(|field| &field.kind) {
            Some(FieldKind::Number { min, max, decimals }) => [*min, *max].map(|units| Decimal::new(units, *decimals)),
            _ => [0, 0].map(|units| Decimal::new(units, 0)),
        };
        (id.clone(), *measure, bounds)
    };
    form.measures.iter().map(of_field).collect()
}

fn vote_facts(plan: &Plan, place: usize) -> VoteFacts {
    let terms = plan.vote_terms(place);
    let names = || terms.motion.alternatives.iter().map(|option| option.name.clone()).collect();
    let own = match &plan.agenda[place].kind {
        PhaseKind::Vote(vote) => Some(vote),
        _ => None,
    };
    let results = match own {
        Some(vote) if vote.over.texts().is_some() => VoteResults::Texts,
        Some(vote) if vote.over.is_found_at_opening() || vote.winners.is_some() => VoteResults::Open,
        _ => VoteResults::Options,
    };
    VoteFacts {
        options: own.filter(|vote| vote.over != VoteOver::Alternatives).map(|_| names()),
        results,
        ballot: terms.voting.form,
        base: terms.decision.base,
        amount_tolerance: terms.decision.amount_tolerance,
        weights: terms.electorate.weights.clone(),
        force: match (terms.is_binding, terms.decides) {
            (false, _) => VoteForce::NonBinding,
            (true, false) => VoteForce::Binding,
            (true, true) => VoteForce::Deciding,
        },
        heard: VoteHeard { result: terms.is_announced, ballots: terms.heard_ballots() },
    }
}
