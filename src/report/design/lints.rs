//! The warnings of `check`: what each looks at, what it says, and the page that explains it. None of them is a mistake.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::binding::binding_shares;
use super::treatments::{
    find_early_treatments, find_overridden_decisions, find_unread_texts, find_untold_rules, find_untold_terms,
};
use super::{ArmDesign, Design};
use crate::choice::DecisionRule;
use crate::config::ResolvedExperiment;
use crate::domain::{Digest, RuleKind, SeatName, TieBreak};
use crate::engine::williams_rows;
use crate::expression::list_names;
use crate::memory::HistoryInBrief;
use crate::plan::{
    Electorate, Experiment, Formula, Lint, NULL_FACTOR, OpenAiModel, PhaseKind, Plan, RoundVotes, Sitter,
    SpeakingOrder, TABLE_OF, UNITLESS, UnreachablePart, VoteEnds, known_window, letter_of_many, list_units,
    units_of_many,
};
use crate::prompt::{AnswerForm, find_held_text};
use crate::report::grouped;
use crate::session::Forecast;

/// A constraint that excludes a table in a smaller share of draws hardly binds.
const BINDING_MIN: f64 = 0.1;

/// A warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Caution {
    /// Its kind, as `allow` takes it.
    pub lint: Lint,
    /// What it says.
    pub message: String,
    /// The page that explains it, in the documentation.
    pub page: &'static str,
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.lint)
    }
}

/// What warnings are found in.
pub struct LintContext<'c> {
    /// What was resolved.
    pub resolved: &'c ResolvedExperiment,
    /// What one session of each rehearsed plan may ask, by its digest.
    pub forecasts: &'c BTreeMap<Digest, Forecast>,
    /// The environment variables that hold keys and are not set.
    pub unset: &'c BTreeSet<String>,
    /// What servers said when they were asked for the windows that the config does not give.
    pub windows: &'c [String],
}

/// A kind of warning.
pub struct LintRule {
    /// Which.
    pub lint: Lint,
    /// The page that explains it.
    pub page: &'static str,
    /// Finds what there is to say.
    when: fn(&LintContext<'_>, &Design) -> Vec<String>,
}

/// All kinds of warnings, in the order in which they are printed.
pub const LINTS: [LintRule; 25] = [
    rule(Lint::OneReplicate, "howto/two-factors-and-a-pilot.md", find_one_replicate),
    rule(Lint::NoBaseline, "reference/design.md", find_no_baseline),
    rule(Lint::AnnouncedReplicates, "reference/design.md", find_announced_replicates),
    rule(Lint::MetricOverItems, "howto/items.md", find_metrics_over_items),
    rule(Lint::VoteAfterVote, "reference/scenario.md", |context, _| each_plan(context, find_votes_after_a_vote)),
    rule(Lint::ConditionalResult, "reference/scenario.md", |context, _| each_plan(context, find_conditional_result)),
    rule(Lint::UnreachablePhase, "reference/scenario.md", |context, design| {
        [find_unreachable(design), each_plan(context, find_phases_after_an_end)].concat()
    }),
    rule(Lint::LastPassOnly, "reference/scenario.md", |context, _| each_plan(context, find_last_pass_reads)),
    rule(Lint::TreatmentBeforePoll, "reference/talk-and-votes.md", |context, _| {
        find_early_treatments(context.resolved)
    }),
    rule(Lint::UnreadTexts, "explanation/not-people.md", |context, _| find_unread_texts(context.resolved)),
    rule(Lint::RuleUntold, "howto/other-rules.md", |context, _| {
        let of_factors = find_untold_rules(context.resolved);
        if of_factors.is_empty() { each_plan(context, find_untold_terms) } else { of_factors }
    }),
    rule(Lint::DecisionOverridden, "reference/scenario.md", |context, _| find_overridden_decisions(context.resolved)),
    rule(Lint::ConstraintHardlyBinds, "reference/scenarios.md", find_loose_constraints),
    rule(Lint::LanguageNotProofread, "howto/other-languages.md", |context, _| {
        each_plan(context, find_unread_languages)
    }),
    rule(Lint::BrokenSquare, "howto/controls.md", |context, _| each_plan(context, find_broken_squares)),
    rule(Lint::LentAcrossLevels, "howto/memory-as-a-treatment.md", |context, _| {
        each_plan(context, find_distant_lender)
    }),
    rule(Lint::OwnCountsTold, "howto/null-models.md", |context, _| each_plan(context, find_own_counts)),
    rule(Lint::StatementsCut, "reference/memory.md", |context, _| each_forecast(context, find_cut_statements)),
    rule(Lint::StatementsLeftOut, "reference/memory.md", |context, _| each_forecast(context, find_statements_left_out)),
    rule(Lint::TextsHeldShort, "reference/models.md", |context, _| each_plan(context, find_held_texts)),
    rule(Lint::PromptOverWindow, "reference/models.md", |context, _| each_forecast(context, find_long_prompts)),
    rule(Lint::WindowNotGiven, "reference/models.md", find_unknown_windows),
    rule(Lint::KeyNotSet, "reference/models.md", find_unset_keys),
    rule(Lint::TemperatureZero, "explanation/language-models.md", find_temperature_zero),
    rule(Lint::LimitsTooLow, "reference/models.md", |context, design| {
        design.short_of(context.resolved.experiment.limits)
    }),
];

const fn rule(lint: Lint, page: &'static str, when: fn(&LintContext<'_>, &Design) -> Vec<String>) -> LintRule {
    LintRule { lint, page, when }
}

impl Design {
    /// The same with the warnings that the config does not allow.
    #[must_use]
    pub fn warned(self, context: &LintContext<'_>) -> Self {
        Self { warnings: find_cautions(context, &self), ..self }
    }
}

/// Everything worth a warning that the config does not allow, each said once.
fn find_cautions(context: &LintContext<'_>, design: &Design) -> Vec<Caution> {
    let allowed = &context.resolved.experiment.allow;
    let mut found: Vec<Caution> = Vec::new();
    for LintRule { lint, page, when } in LINTS.into_iter().filter(|rule| !allowed.contains(&rule.lint)) {
        let messages = when(context, design).into_iter();
        for caution in messages.map(|message| Caution { lint, message, page }) {
            if !found.contains(&caution) {
                found.push(caution);
            }
        }
    }
    found
}

/// What is found in plans, with the arms that it is about unless it is about all.
fn each_plan(context: &LintContext<'_>, find: fn(&Plan) -> Vec<String>) -> Vec<String> {
    let arms = &context.resolved.experiment.arms;
    let mut found: IndexMap<String, Vec<&str>> = IndexMap::new();
    for plan in arms {
        for message in find(plan) {
            found.entry(message).or_default().push(&plan.arm);
        }
    }
    let words = found.into_iter().map(|(message, of)| match of[..] {
        _ if of.len() == arms.len() => message,
        [arm] => format!("in the arm {arm}: {message}"),
        _ => format!("in the arm {} and {} more: {message}", of[0], of.len() - 1),
    });
    words.collect()
}

/// What is found in the plans that were rehearsed.
fn each_forecast(context: &LintContext<'_>, find: fn(&Plan, &Forecast) -> Option<String>) -> Vec<String> {
    let arms = context.resolved.experiment.arms.iter();
    arms.filter_map(|plan| find(plan, context.forecasts.get(&plan.digest)?)).collect()
}

/// What is found in the models that are asked.
fn each_model(context: &LintContext<'_>, find: impl Fn(&OpenAiModel) -> Option<String>) -> Vec<String> {
    let arms = context.resolved.experiment.arms.iter();
    arms.flat_map(|plan| plan.models_asked().map(|place| &plan.models[place])).filter_map(find).collect()
}

fn find_one_replicate(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    let is_one = context.resolved.experiment.replicates == 1;
    is_one
        .then(|| "replicates: 1; with one session an arm there is no interval and no test".to_owned())
        .into_iter()
        .collect()
}

fn find_no_baseline(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    let Experiment { factors, baseline, .. } = &context.resolved.experiment;
    let lacks_one = baseline.is_none() && factors.iter().any(|factor| factor != NULL_FACTOR);
    let words = "design.baseline is not given; say with which arm the others are compared";
    lacks_one.then(|| words.to_owned()).into_iter().collect()
}

fn find_announced_replicates(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    let Experiment { replicates, primary, .. } = &context.resolved.experiment;
    let announced = primary.iter().filter_map(|primary| primary.replicates).filter(|announced| announced != replicates);
    let words = announced.map(|announced| {
        format!(
            "primary.replicates announces {announced} replicates and the design has {replicates}: until they agree, compare calls its \
             results exploratory"
        )
    });
    words.collect()
}

fn find_metrics_over_items(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    let Experiment { items, primary, .. } = &context.resolved.experiment;
    let mut found = Vec::new();
    for metric in primary.iter().flat_map(|primary| &primary.metrics) {
        found.extend(letter_of_many(metric, items).map(|letter| {
            format!("primary.metric: {metric} counts the letter {letter}, which is another option in another item")
        }));
        found.extend(units_of_many(metric, items).map(|units| {
            format!(
                "primary.metric: items are counted in {}, and a mean of {metric} over them is in no unit; {UNITLESS} has none",
                list_units(&units)
            )
        }));
    }
    found
}

/// Discussions that vote after another one of their pass has voted: once that has decided, the engine leaves them out.
fn find_votes_after_a_vote(plan: &Plan) -> Vec<String> {
    let votes = |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(talk) if talk.votes_in_rounds());
    let voting: Vec<&crate::plan::Phase> = plan.agenda.iter().filter(|phase| votes(&phase.kind)).collect();
    let later = voting.iter().enumerate().filter_map(|(place, later)| {
        let first = voting[..place].iter().find(|first| first.passes == later.passes)?;
        Some((&first.name, &later.name))
    });
    let always_decides = always_decides(&plan.decision, &plan.electorate);
    let told = later.map(|(first, later)| match always_decides {
        true => format!(
            "the phase {later} can never run: the vote in {first} decides as soon as one ballot counts, and a group that has decided does \
             not vote again"
        ),
        false => format!(
            "the phase {later} runs only in sessions in which the vote in {first} decides nothing: a group that has decided does not vote \
             again"
        ),
    });
    told.collect()
}

/// A vote that gives the result and may be left out, after another one that is binding.
fn find_conditional_result(plan: &Plan) -> Vec<String> {
    let votes = || plan.vote_phases().map(|(place, vote)| (&plan.agenda[place], vote));
    let Some((deciding, _)) = votes().find(|(_, vote)| vote.decides) else { return Vec::new() };
    let blocks = deciding.within.iter().map(|block| &plan.blocks[*block].when);
    let mut conditions = blocks.chain([&deciding.when]).flatten().filter(|when| !when.formula.is_fixed());
    let Some(when) = conditions.next() else { return Vec::new() };
    let before = votes().take_while(|(_, vote)| !vote.decides);
    let binding = before.filter(|(phase, vote)| vote.is_binding && phase.group.is_none());
    let others: IndexSet<&str> = binding.map(|(phase, _)| phase.name.written()).collect();
    let Some(other) = others.last() else { return Vec::new() };
    vec![format!(
        "the result comes from {}, which takes place only when {}: other sessions have no result; with decides: true on {other} it comes \
         from there",
        deciding.name.written(),
        when.formula.text,
    )]
}

/// Phases that no arm comes to with any parameters, and loops and talks that end at once in every arm. What some arms leave out is what a
/// factor does.
fn find_unreachable(design: &Design) -> Vec<String> {
    let has_phase = |arm: &ArmDesign, phase: &str| arm.agenda.iter().any(|line| line.name == phase);
    // A switch of the scenario that this config leaves off is no mistake.
    let leaves_out =
        |part: &UnreachablePart, phase: &str| !part.by_parameters && part.phases.iter().any(|own| own == phase);
    let is_left_out = |arm: &ArmDesign, phase: &str| arm.unreachable.iter().any(|part| leaves_out(part, phase));
    let is_nowhere = |phase: &str| design.arms.iter().all(|arm| !has_phase(arm, phase) || is_left_out(arm, phase));
    let is_everywhere = |part: &UnreachablePart| design.arms.iter().all(|arm| arm.unreachable.contains(part));
    let unreachable = design.arms.iter().flat_map(|arm| &arm.unreachable).filter(|part| !part.by_parameters);
    let parts = unreachable.filter_map(|part| {
        let part = part.only_phases(is_nowhere)?;
        (!part.phases.is_empty() || is_everywhere(&part)).then_some(part)
    });
    let mut told: Vec<UnreachablePart> = Vec::new();
    for part in parts {
        if !told.iter().any(|other| *other == part || !part.phases.is_empty() && other.phases == part.phases) {
            told.push(part);
        }
    }
    told.into_iter().map(|part| part.message).collect()
}

/// Phases behind a vote that is always held and ends its block or the session once it decides, where one ballot that counts decides.
fn find_phases_after_an_end(plan: &Plan) -> Vec<String> {
    let mut told = Vec::new();
    for (place, phase) in plan.agenda.iter().enumerate().filter(|(_, phase)| phase.is_first_pass()) {
        let PhaseKind::Vote(vote) = &phase.kind else { continue };
        let is_always_held = phase.when.is_none() && plan.who(place).next().is_none();
        if !is_always_held || !vote.is_binding || !always_decides(&vote.decision, &vote.electorate) {
            continue;
        }
        let (end, ended) = match (vote.ends, phase.within.last()) {
            (VoteEnds::Block, Some(block)) => {
                (plan.blocks[*block].end, format!("the block {}", plan.blocks[*block].name))
            }
            (VoteEnds::Session, None) => (plan.agenda.len(), "the session".to_owned()),
            _ => continue,
        };
        let after = place + 1..end;
        let is_after = |name: &str| plan.sources.places_of(name).iter().all(|place| after.contains(place));
        let firsts = plan.agenda[after.clone()].iter().filter(|phase| phase.is_first_pass());
        let names: Vec<&str> = firsts.map(|phase| phase.name.written()).filter(|name| is_after(name)).collect();
        if !names.is_empty() {
            let (names, verb, vote) =
                (names.join(", "), if names.len() == 1 { "takes" } else { "take" }, phase.name.written());
            told.push(format!(
                "{names} {verb} place only in sessions in which the vote {vote} decides nothing: it ends {ended} as soon as one ballot counts"
            ));
        }
    }
    told
}

fn find_held_texts(plan: &Plan) -> Vec<String> {
    let limits: BTreeSet<u32> = plan
        .seats
        .iter()
        .filter_map(|seat| match seat.sitter {
            Sitter::Model(place) => Some(&plan.models[place]),
            _ => None,
        })
        .filter(|model| model.answer_form() == AnswerForm::JsonSchema)
        .map(|model| model.max_tokens)
        .collect();
    let Some(max_tokens) = limits.first() else { return Vec::new() };
    let forms = plan.agenda.iter().filter(|phase| phase.is_first_pass()).filter_map(|phase| match &phase.kind {
        PhaseKind::Form(form) => Some((phase.name.written(), form)),
        _ => None,
    });
    let held = forms.filter_map(|(phase, form)| Some((phase, find_held_text(&form.asked.form, *max_tokens)?)));
    let words = held.map(|(phase, (field, longest, room, needed))| {
        format!(
            "{phase} asks for a {field} of up to {} characters, but max_tokens: {max_tokens} leaves room for {}, and prompts ask for no more; \
             write max_tokens: {needed}",
            grouped(longest.into()),
            grouped(room)
        )
    });
    words.collect()
}

/// Expressions after a repeated block that read what not all seats are asked in each pass of it.
fn find_last_pass_reads(plan: &Plan) -> Vec<String> {
    let mut found = Vec::new();
    for phase in plan.agenda.iter().filter(|phase| phase.is_first_pass()) {
        for field in read_fields(phase) {
            let asked_in =
                plan.sources.phase_of_field(&field).and_then(|asking| plan.sources.places_of(asking).first());
            let Some(asking) = asked_in.map(|place| &plan.agenda[*place]) else { continue };
            let around = |block: &str| phase.passes.iter().any(|pass| pass.block == block);
            let Some(block) = asking.passes.iter().map(|pass| &pass.block).find(|block| !around(block)) else {
                continue;
            };
            if asking.who.is_some() || asking.within.iter().any(|block| plan.blocks[*block].who.is_some()) {
                found.push(format!(
                    "{} reads {field} after the block {block}: it has the answers of the last pass alone, and not all seats are asked in \
                     each pass; compute a value of each seat within the block, which keeps it",
                    phase.name.written()
                ));
            }
        }
    }
    found
}

/// The attributes of seats in general, and not of the holder of a role, that the expressions of a phase read; without those that go
/// through passes.
fn read_fields(phase: &crate::plan::Phase) -> BTreeSet<String> {
    let formulas: Vec<&Formula> = match &phase.kind {
        PhaseKind::Compute(assignments) => assignments.iter().map(|assignment| &assignment.formula).collect(),
        PhaseKind::Pay(pay) => [Some(&pay.payoff), pay.rate.as_ref(), pay.fee.as_ref()].into_iter().flatten().collect(),
        _ => Vec::new(),
    };
    let conditions = phase.when.iter().map(|when| &when.formula);
    let reads = formulas.into_iter().chain(conditions).flat_map(|formula| list_names(&formula.expression));
    let of_all = reads.filter(|read| {
        let is_general = |name: &str| ["seat", "me", "everyone", "seats", "group", "others"].contains(&name);
        read.series.is_none() && read.name.as_deref().is_some_and(is_general)
    });
    of_all.flat_map(|read| read.attributes).collect()
}

/// Whether every vote comes to a decision in which one ballot counts.
fn always_decides(decision: &DecisionRule, electorate: &Electorate) -> bool {
    let settles_ties = !matches!(decision.tie_break, TieBreak::NoDecision | TieBreak::StatusQuo);
    electorate.quorum.is_none()
        && match decision.rule {
            RuleKind::Unanimity
            | RuleKind::Majority
            | RuleKind::Supermajority
            | RuleKind::AmendmentAgenda
            | RuleKind::Imposed => false,
            RuleKind::RandomBallot | RuleKind::Mean | RuleKind::Median => true,
            RuleKind::Plurality
            | RuleKind::Approval
            | RuleKind::Score
            | RuleKind::Borda
            | RuleKind::Copeland
            | RuleKind::Minimax
            | RuleKind::Schulze
            | RuleKind::RankedPairs
            | RuleKind::KemenyYoung
            | RuleKind::InstantRunoff
            | RuleKind::TwoRound
            | RuleKind::Stv => settles_ties,
        }
}

fn find_loose_constraints(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    // Thousands of settlements are looked at for each plan: arms that pay alike are weighed once.
    let mut weighed: Vec<&Plan> = Vec::new();
    for plan in &context.resolved.experiment.arms {
        let pays_alike = |other: &&Plan| other.mechanism == plan.mechanism && other.imposed == plan.imposed;
        if !weighed.iter().any(pays_alike) {
            weighed.push(plan);
        }
    }
    let shares = weighed.into_iter().flat_map(|plan| binding_shares(plan).into_iter().map(move |share| (plan, share)));
    let loose = shares.filter(|(_, (_, share))| *share < BINDING_MIN).map(|(plan, (place, share))| {
        format!(
            "{} hardly binds: amounts that matter in practice exclude a table in {:.0} % of the settlements that may be drawn",
            plan.motion.alternatives[place].name,
            100.0 * share
        )
    });
    loose.collect()
}

fn find_unread_languages(plan: &Plan) -> Vec<String> {
    let spoken = std::iter::once(plan).chain(plan.translations.iter().map(|other| &**other));
    let unread = spoken.filter(|plan| !plan.motion.language.is_proofread()).map(|plan| {
        format!(
            "language: {}; no native speaker of {} has read the program's words and prompts in it: have one read them before you rely on them",
            plan.language,
            plan.motion.language.name()
        )
    });
    unread.collect()
}

fn find_broken_squares(plan: &Plan) -> Vec<String> {
    let seats = plan.seats.len();
    let rows = williams_rows(seats);
    let ordered = plan.discussions().filter(|talk| talk.order == SpeakingOrder::Williams).map(|talk| talk.rounds.get());
    let broken = ordered.filter(|rounds| !rounds.is_multiple_of(rows as u32)).map(|rounds| {
        format!(
            "discussion.order: a Williams square of {seats} seats has {rows} rows and the talk {rounds} rounds: who speaks where, and \
             after whom, is balanced over {rows} rounds, or a multiple of them, alone"
        )
    });
    broken.collect()
}

/// Whether seats are shown the talk of an arm that differs from theirs in more than the policy.
fn find_distant_lender(plan: &Plan) -> Vec<String> {
    let distant = plan.lender.iter().filter(|lender| !lender.apart_in.is_empty()).map(|lender| {
        format!(
            "seats are shown the talk of the baseline {}, at another level of {}: a difference from other arms may come of that and not \
             of the policy shuffled",
            lender.name,
            lender.apart_in.join(", ")
        )
    });
    distant.collect()
}

/// What seats that hear another group are told of their own.
fn find_own_counts(plan: &Plan) -> Vec<String> {
    let hears_both = plan.lender.is_some() && plan.discussions().any(|talk| talk.votes != RoundVotes::Never);
    let words =
        "seats hear the statements of another group and the votes of their own, which is no other group's doing";
    hears_both.then(|| words.to_owned()).into_iter().collect()
}

/// A limit of the memory of a seat.
fn limit_of<T>(plan: &Plan, name: &SeatName, limit: fn(&crate::memory::MemoryPlan) -> T) -> T {
    limit(plan.seats.iter().find(|seat| seat.name == *name).map_or(&plan.memory, |seat| &seat.memory))
}

fn find_cut_statements(plan: &Plan, forecast: &Forecast) -> Option<String> {
    let question = forecast.statements.shortened.as_ref().filter(|_| plan.memory.history != HistoryInBrief::Full)?;
    Some(format!(
        "from {question} on, prompts may show statements cut to {} characters (memory.statement_max_length), and no public history \
         shows them in full; write memory.history_in_brief: full, or memory.enable_truncation: false",
        grouped(limit_of(plan, &question.seat, |memory| memory.statement_max_length).into())
    ))
}

fn find_statements_left_out(plan: &Plan, forecast: &Forecast) -> Option<String> {
    let question = forecast.statements.left_out.as_ref()?;
    Some(format!(
        "from {question} on, prompts may leave out the oldest statements: the public history holds {} characters \
         (memory.public_history_max_length), or the model's window is full",
        grouped(limit_of(plan, &question.seat, |memory| memory.public_history_max_length))
    ))
}

fn find_long_prompts(plan: &Plan, forecast: &Forecast) -> Option<String> {
    let tightest = forecast.tightest.iter().flatten().find(|tightest| tightest.is_too_long)?;
    let model = &plan.models[tightest.model];
    Some(format!(
        "models.{}: the prompt of {} may reach {} tokens; with max_tokens {} that is more than the {} used of context_window {}, so the \
         seat is shown less",
        model.name,
        tightest.question,
        grouped(tightest.prompt_tokens),
        model.max_tokens,
        grouped(tightest.usable.unwrap_or(0)),
        model.context_window.unwrap_or(0),
    ))
}

fn find_unknown_windows(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    let known = each_model(context, |model| {
        let tokens = known_window(&model.model).filter(|_| model.context_window.is_none())?;
        Some(format!(
            "models.{}: no context_window is given; its server is asked for it when a session begins, and if it does not tell, {} \
             tokens are taken, as known in {TABLE_OF}",
            model.name,
            grouped(tokens.into())
        ))
    });
    known.into_iter().chain(context.windows.iter().cloned()).collect()
}

fn find_unset_keys(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    each_model(context, |model| {
        let variable = model.api_key_env.as_ref().filter(|variable| context.unset.contains(*variable))?;
        Some(format!("models.{}: the environment variable {variable} is not set; it holds the key", model.name))
    })
}

fn find_temperature_zero(context: &LintContext<'_>, _: &Design) -> Vec<String> {
    let replicates = context.resolved.experiment.replicates;
    each_model(context, |model| {
        (model.temperature == Some(0.0) && replicates > 1).then(|| {
            format!(
                "models.{}: temperature 0 with {} replicates; sessions of one arm may be copies of each other",
                model.name,
                grouped(replicates.into())
            )
        })
    })
}
