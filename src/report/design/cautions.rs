//! What an author may want to know of a design before it is run. None of it is a mistake.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::binding::binding_shares;
use super::inert::inert;
use super::overruled::{effective, unused};
use super::people;
use super::same_nulls::same_nulls;
use super::speaking::{broken_squares, first_opinions_anew, own_counts};
use super::unscripted::unscripted;
use super::unweighed::unweighed;
use crate::domain::{Digest, MemoryAct, PhaseName, PollTime, ReplyForm, RuleKind, SeatName, Step, TieBreak};
use crate::memory::HistoryInBrief;
use crate::minds::{Mind, Rule};
use crate::plan::{
    Answers, Deed, Evidence, Experiment, NULL_FACTOR, OpenAiModel, Persona, PhaseKind, Plan, Resolved, SchemaUse,
    Sitter, TABLE_OF, UNITLESS, digest_of, few, known_window, letter_of_many, units_of_many,
};
use crate::prompt::Parameter;
use crate::report::grouped;
use crate::session::{Forecast, StatementsShown};
use crate::text::template_tag;

/// A constraint that excludes a table in a smaller share of draws hardly binds.
const BINDING_MIN: f64 = 0.1;
/// Characters that a token of a reply holds at the most, on average.
const CHARS_PER_TOKEN: u64 = 5;

/// Everything worth a warning, each said once. `unset` are the environment variables that hold keys and are not set.
pub fn cautions(resolved: &Resolved, forecasts: &BTreeMap<Digest, Forecast>, unset: &BTreeSet<String>) -> Vec<String> {
    let experiment = &resolved.experiment;
    let (mut found, mut said) = (Vec::new(), BTreeSet::new());
    let mut say = |words: String| {
        if said.insert(words.clone()) {
            found.push(words);
        }
    };
    if experiment.replicates == 1 {
        say("replicates: 1; with one session an arm there is no interval and no test".to_owned());
    }
    let varies = experiment.factors.iter().any(|factor| factor != NULL_FACTOR);
    if varies && experiment.baseline.is_none() {
        say("design.baseline is not given; say with which arm the others are compared".to_owned());
    }
    of_keys(experiment).into_iter().for_each(&mut say);
    for plan in experiment.arms.iter().filter(|plan| plan.memory.history != HistoryInBrief::None) {
        let forgets = |deed: &Deed| matches!(deed, Deed::Reminded(MemoryAct::Forget { .. }));
        if plan.interventions.iter().any(|intervention| forgets(&intervention.deed)) {
            say(format!(
                "what seats of the arm {} forget stays in the public history, which memory.history_in_brief shows them",
                plan.arm
            ));
        }
    }
    experiment.arms.iter().flat_map(|plan| unread(plan)).for_each(&mut say);
    of_announced_replicates(experiment).into_iter().chain(of_items(experiment)).for_each(&mut say);
    experiment.arms.iter().flat_map(|plan| forgotten_before_it_began(plan)).for_each(&mut say);
    experiment.arms.iter().flat_map(|plan| marked_before_it_was_made(plan)).for_each(&mut say);
    of_panels(experiment).into_iter().for_each(&mut say);
    of_lenders(&experiment.arms).into_iter().for_each(&mut say);
    of_factors(resolved).into_iter().chain(of_order(experiment)).for_each(&mut say);
    unused(resolved).into_iter().for_each(&mut say);
    unscripted(resolved).into_iter().for_each(&mut say);
    unweighed(resolved).into_iter().for_each(&mut say);
    inert(resolved).into_iter().for_each(&mut say);
    unpolled_nulls(&experiment.arms).into_iter().for_each(&mut say);
    same_nulls(resolved).into_iter().for_each(&mut say);
    first_opinions_anew(&experiment.arms).into_iter().for_each(&mut say);
    own_counts(&experiment.arms).into_iter().for_each(&mut say);
    broken_squares(&experiment.arms).into_iter().for_each(&mut say);
    if ignores_memory(resolved) {
        say("memory differs between arms, and every seat is a script or a random mind, which hears nothing".to_owned());
    }
    unfelt_length(resolved, forecasts).into_iter().chain(people::asked_much(resolved, forecasts)).for_each(&mut say);
    let mut seen = BTreeSet::new();
    let mut weighed: Vec<&Plan> = Vec::new();
    for plan in experiment.arms.iter().filter(|plan| seen.insert(plan.digest.clone())) {
        of_models(plan, experiment.replicates, unset).into_iter().for_each(&mut say);
        of_pools(plan).into_iter().for_each(&mut say);
        of_braces(plan).into_iter().for_each(&mut say);
        // Arms that pay alike are weighed once: thousands of settlements are looked at for each.
        let pays_alike = |other: &&Plan| other.mechanism == plan.mechanism && other.imposed == plan.imposed;
        if !weighed.iter().rev().take(16).any(pays_alike) {
            weighed.push(plan);
            of_binding(plan).into_iter().for_each(&mut say);
        }
        if let Some(forecast) = forecasts.get(&plan.digest) {
            of_forecast(plan, forecast).into_iter().for_each(&mut say);
        }
    }
    found
}

/// Items without a key, and a metric that counts a letter over items.
fn of_keys(experiment: &Experiment) -> Vec<String> {
    let mut found = Vec::new();
    let (items, keyed) = (&experiment.items, experiment.items.values().filter(|item| item.key.is_some()).count());
    if experiment.items_file.as_ref().is_some_and(|file| file.key.is_some()) && keyed < items.len() {
        let (keyed, items) = (grouped(keyed as u64), grouped(items.len() as u64));
        let is_chosen = experiment.items.values().any(|item| item.right().is_some());
        let empty = if is_chosen { "correct is" } else { "correct and errors are" };
        found.push(format!("items: {keyed} of {items} have a key; {empty} empty in the sessions of the others"));
    }
    for metric in experiment.primary.iter().flat_map(|primary| &primary.metrics) {
        if let Some(letter) = letter_of_many(metric, items) {
            found.push(format!(
                "primary.metric: {metric} counts the letter {letter}, which is another option in another item"
            ));
        }
        if let Some(units) = units_of_many(metric, items) {
            let units = few(&units);
            found.push(format!(
                "primary.metric: items are counted in {units}, and a mean of {metric} over them is in no unit; {UNITLESS} has none"
            ));
        }
    }
    found
}

/// Nulls of which nothing could be told: how near one comes to its arm is read off the private polls before and after the talk.
fn unpolled_nulls(arms: &[Arc<Plan>]) -> Option<String> {
    let polled = |plan: &Plan, when: PollTime| {
        plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Ask { time } if time == when))
    };
    let is_told = |plan: &Plan| polled(plan, PollTime::Before) && polled(plan, PollTime::After);
    let nulls = || arms.iter().filter(|plan| plan.null.is_some());
    let is_lacking = nulls().next().is_some() && !nulls().any(|plan| is_told(plan));
    is_lacking.then(|| {
        "design.nulls: compare reads off the private polls before and after the talk how much of the convergence each null \
         explains; write straw_polls: [before, after]"
            .to_owned()
    })
}

/// What is to be known of seats that meet again.
fn of_panels(experiment: &Experiment) -> Vec<String> {
    if experiment.waves.is_none() {
        return Vec::new();
    }
    let forgetful = experiment.arms.iter().all(|plan| plan.notes.is_none());
    let forgetful = forgetful.then(|| {
        "panel: seats meet again and remember nothing of it; memory.notes would let them take notes".to_owned()
    });
    let dependent = "panel: sessions of one panel are not independent; compare counts panels, and the intervals that run \
                     prints count sessions";
    forgetful.into_iter().chain([dependent.to_owned()]).collect()
}

/// Arms that are shown the talk of an arm that differs from them in more than the policy, by what it differs in.
fn of_lenders(arms: &[Arc<Plan>]) -> Vec<String> {
    let mut apart: BTreeMap<(&str, &[String]), Vec<&str>> = BTreeMap::new();
    for plan in arms {
        if let Some(lender) = plan.lender.as_ref().filter(|lender| !lender.apart_in.is_empty()) {
            apart.entry((&lender.name, &lender.apart_in)).or_default().push(&plan.arm);
        }
    }
    let told = apart.iter().map(|((lender, factors), arms)| {
        let shown = match arms[..] {
            [arm] => format!("{arm} is"),
            [first, ref others @ ..] => format!("{first} and {} more are", others.len()),
            [] => String::new(),
        };
        format!(
            "{shown} shown the talk of the baseline {lender}, at another level of {}: a difference from other arms may come of \
             that and not of the policy shuffled",
            factors.join(", ")
        )
    });
    told.collect()
}

/// The models that a plan asks.
fn used(plan: &Plan) -> impl Iterator<Item = (usize, &OpenAiModel)> {
    let asked: BTreeSet<usize> = plan.models_asked().collect();
    plan.models.iter().enumerate().filter(move |(place, _)| asked.contains(place))
}

fn of_models(plan: &Plan, replicates: u32, unset: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (_, model) in used(plan) {
        let name = &model.name;
        if model.temperature == Some(0.0) && replicates > 1 {
            found.push(format!(
                "models.{name}: temperature 0 with {} replicates; sessions of one arm may be copies of each other",
                grouped(replicates.into())
            ));
        }
        if model.answers == Answers::JsonSchema && model.server.facts().schema == SchemaUse::Ignored {
            found.push(format!(
                "models.{name}: answers: json_schema, but this server takes a schema and does not look at it; answers: anchored \
                 asks for the same in words"
            ));
        }
        found.extend((model.answers == Answers::Auto).then(|| of_form(model)));
        if let Some(variable) = model.api_key_env.as_ref().filter(|variable| unset.contains(*variable)) {
            found.push(format!("models.{name}: the environment variable {variable} is not set; it holds the key"));
        }
        if let (None, Some(tokens)) = (model.context_window, known_window(&model.model)) {
            found.push(format!(
                "models.{name}: no context_window is given; its server is asked for it when a session begins, and if it does \
                 not tell, {} tokens are taken, as known in {TABLE_OF}",
                grouped(tokens.into())
            ));
        }
        if model.usable_window().is_some_and(|usable| u64::from(model.max_tokens) >= usable) {
            found.push(format!(
                "models.{name}: max_tokens {} leaves no room for a prompt in the window",
                model.max_tokens
            ));
        }
        let least = plan.agenda.iter().filter_map(|phase| match &phase.kind {
            crate::plan::PhaseKind::Discussion(discussion) => Some(discussion.statement_min_length),
            _ => None,
        });
        let least = least.max().unwrap_or(0);
        if u64::from(least) > u64::from(model.max_tokens) * CHARS_PER_TOKEN {
            found.push(format!(
                "models.{name}: a statement of at least {least} characters cannot fit max_tokens {}",
                model.max_tokens
            ));
        }
    }
    found
}

/// In what form replies are asked for where the config leaves that open.
fn of_form(model: &OpenAiModel) -> String {
    let why = match model.form_of_server() {
        Some(ReplyForm::JsonSchema) => "this kind of server enforces schemas, and replies are asked for as JSON",
        Some(ReplyForm::Anchored) => {
            "this kind of server enforces no schema, and replies are asked for as anchored lines"
        }
        None => {
            "one question when sessions begin shows whether its server enforces schemas; what is foreseen here is for JSON, without that question"
        }
    };
    format!("models.{}: answers: auto; {why}", model.name)
}

fn of_pools(plan: &Plan) -> Vec<String> {
    let drawing = |place: usize| plan.seats.iter().filter(|seat| seat.pool == Some(place)).count();
    let pools = plan.pools.iter().enumerate().map(|(place, pool)| (pool, drawing(place)));
    let few = pools.filter(|(pool, seats)| *seats > 0 && pool.personas.len() == *seats);
    few.map(|(pool, seats)| {
        format!("personas.{}: {seats} personas for {seats} seats; every replicate seats the same people", pool.name)
    })
    .collect()
}

/// That nobody who speaks the language natively has read what the program says in it.
fn unread(plan: &Plan) -> Vec<String> {
    let spoken = std::iter::once(plan).chain(plan.translations.iter().map(|other| &**other));
    let unread = spoken.filter(|plan| !plan.motion.language.is_proofread()).map(|plan| {
        let language = plan.motion.language;
        format!(
            "language: {}; no native speaker of {} has read the program's words and prompts in it: have one read them before you rely on them",
            plan.language,
            language.name()
        )
    });
    unread.collect()
}

/// Texts of the author that look like a template and are printed as they stand, the first of a kind.
fn of_braces(plan: &Plan) -> Vec<String> {
    let parameters = plan.parameters.iter().filter_map(|(name, value)| match value {
        Parameter::Text(text) => Some((format!("parameters.{name}"), text.as_str())),
        Parameter::Bool(_) | Parameter::Int(_) | Parameter::Decimal(_) => None,
    });
    let interventions = plan.interventions.iter().enumerate();
    let told =
        interventions.filter_map(|(place, told)| Some((format!("interventions.{place}.text"), told.text()?.as_str())));
    let seats = plan.seats.iter();
    let seats = seats.filter_map(|seat| Some((format!("seats.{}.persona", seat.name), seat.agent.persona.as_deref()?)));
    let pools = plan.pools.iter().filter_map(|pool| {
        let is_one = |persona: &&Persona| template_tag(&persona.text).is_some();
        pool.personas.iter().find(is_one).map(|persona| (format!("personas.{}", pool.name), persona.text.as_str()))
    });
    let texts = parameters.chain(told).chain(seats).chain(pools);
    let found = texts.filter_map(|(path, text)| Some((path, template_tag(text)?.0)));
    found.map(|(path, tag)| format!("{path} holds {tag}, which seats read as it stands: it is no template")).collect()
}

fn of_binding(plan: &Plan) -> Vec<String> {
    let rare = binding_shares(plan).into_iter().filter(|(_, share)| *share < BINDING_MIN);
    rare.map(|(place, share)| {
        format!(
            "{} hardly binds: amounts that matter in practice exclude a table in {:.0} % of the settlements that may be drawn",
            plan.motion.alternatives[place].name,
            100.0 * share
        )
    })
    .collect()
}

fn of_forecast(plan: &Plan, forecast: &Forecast) -> Vec<String> {
    let mut found = Vec::new();
    for (place, seat) in plan.seats.iter().enumerate() {
        let takes_part = forecast.steps.iter().any(|asked| {
            asked.seat.index() == place
                && matches!(asked.step, Step::Statement | Step::Ballot | Step::Harvest)
                && asked.questions.high > 0
        });
        if !takes_part {
            found.push(format!("{} neither speaks nor votes in the arm {}", seat.name, plan.arm));
        }
    }
    let over = forecast.tightest.iter().flatten().filter(|tightest| tightest.is_too_long);
    for tightest in over {
        let model = &plan.models[tightest.model];
        found.push(format!(
            "models.{}: the prompt of {} may reach {} tokens; with max_tokens {} that is more than the {} used of \
             context_window {}, so the seat is shown less",
            model.name,
            tightest.question,
            grouped(tightest.prompt_tokens),
            model.max_tokens,
            grouped(tightest.usable.unwrap_or(0)),
            model.context_window.unwrap_or(0),
        ));
    }
    found.extend(of_statements(plan, &forecast.statements));
    found
}

/// Statements that prompts leave out, or show shortened without anything that shows them in full.
fn of_statements(plan: &Plan, shown: &StatementsShown) -> Vec<String> {
    let memory_of =
        |name: &SeatName| plan.seats.iter().find(|seat| seat.name == *name).map_or(&plan.memory, |seat| &seat.memory);
    let left_out = shown.left_out.as_ref().map(|question| {
        format!(
            "from {question} on, prompts may leave out the oldest statements: the public history holds {} characters \
             (memory.public_history_max_length), or the model's window is full",
            grouped(memory_of(&question.seat).public_history_max_length)
        )
    });
    let is_unshown = plan.memory.history != HistoryInBrief::Full;
    let shortened = shown.shortened.as_ref().filter(|_| is_unshown).map(|question| {
        format!(
            "from {question} on, prompts may show statements cut to {} characters (memory.statement_max_length), and no public history \
             shows them in full; write memory.history_in_brief: full, or memory.enable_truncation: false",
            grouped(memory_of(&question.seat).statement_max_length.into())
        )
    });
    left_out.into_iter().chain(shortened).collect()
}

/// That the design does not have as many replicates as are announced.
fn of_announced_replicates(experiment: &Experiment) -> Option<String> {
    let announced = experiment.primary.as_ref()?.replicates?;
    (announced != experiment.replicates).then(|| {
        format!(
            "primary.replicates announces {announced} replicates and the design has {}: until they agree, compare calls its results \
             exploratory",
            experiment.replicates
        )
    })
}

/// The first item whose question or options look like a template.
fn of_items(experiment: &Experiment) -> Option<String> {
    let texts = experiment.items.values().flat_map(|item| {
        let texts = std::iter::once(&item.text).chain(&item.options);
        texts.map(move |text| (item, text))
    });
    let (item, tag) = texts.into_iter().find_map(|(item, text)| Some((item, template_tag(text)?.0)))?;
    Some(format!("the item {} holds {tag}, which seats read as it stands: it is no template", item.id))
}

/// A factor on the kept length of statements that no prompt shows.
fn unfelt_length(resolved: &Resolved, forecasts: &BTreeMap<Digest, Forecast>) -> Option<String> {
    const KEY: &str = "memory.statement_max_length";
    let of_arm = |identity: &BTreeMap<String, String>| -> Vec<(String, String)> {
        let lengths = identity.iter().filter(|(key, _)| key.ends_with(KEY));
        lengths.map(|(key, length)| (key.clone(), length.clone())).collect()
    };
    let lengths: BTreeSet<_> = resolved.identities.iter().map(|(_, identity)| of_arm(identity)).collect();
    let differs = lengths.len() > 1;
    let is_unfelt = !forecasts.is_empty()
        && forecasts.values().all(|forecast| !forecast.is_cut && !forecast.statements.is_limit_felt);
    (differs && is_unfelt).then(|| {
        format!("{KEY} differs between arms and reaches no prompt: the public history shows every statement in full")
    })
}

/// Statements that are to be kept before anybody can have made them.
fn marked_before_it_was_made(plan: &Plan) -> Vec<String> {
    let place = |name: &PhaseName| plan.agenda.iter().position(|phase| phase.name == *name);
    let to_come = plan.interventions.iter().filter_map(|told| match &told.deed {
        Deed::Marked { phase, statement } => {
            let (said, then) = (place(phase)?, place(&told.phase)?);
            let is_to_come = said > then || said == then && statement.round >= told.round;
            let words = format!(
                "interventions: {statement} of {phase} is marked at round {} of {}, before anybody can have made it, so that nothing is marked",
                told.round, told.phase
            );
            is_to_come.then_some(words)
        }
        _ => None,
    });
    to_come.collect()
}

/// Interventions that have seats forget a phase that has brought nothing yet.
fn forgotten_before_it_began(plan: &Plan) -> Vec<String> {
    let place = |name: &PhaseName| plan.agenda.iter().position(|phase| phase.name == *name);
    let early = plan.interventions.iter().filter_map(|intervention| match &intervention.deed {
        Deed::Reminded(MemoryAct::Forget { phase: Some(phase) }) => {
            (place(&intervention.phase) < place(phase)).then_some((&intervention.phase, phase))
        }
        _ => None,
    });
    let words = early.map(|(at, phase)| {
        format!("an intervention in {} has seats forget {}, which has not begun then: nothing is forgotten", at, phase)
    });
    words.collect()
}

/// Something that seats hear: where it comes from, and what it is.
type Source = (String, String);

/// What comes too early or too late in the order of phases: a treatment before the poll before the talk, and a vote after a vote.
fn of_order(experiment: &Experiment) -> Vec<String> {
    let votes = experiment.arms.iter().flat_map(|plan| votes_after_a_vote(plan));
    treatments_before_the_poll(experiment).into_iter().chain(votes).collect()
}

/// Factors that change what seats hear before the poll `straw_before`, which is then no measurement before the treatment.
fn treatments_before_the_poll(experiment: &Experiment) -> Vec<String> {
    let polled: Vec<(&Plan, Vec<Source>)> = experiment
        .arms
        .iter()
        .filter(|plan| plan.null.is_none())
        .filter_map(|plan| Some((&**plan, heard_before_the_poll(plan)?)))
        .collect();
    let mut found = Vec::new();
    for (place, factor) in experiment.factors.iter().enumerate().filter(|(_, factor)| *factor != NULL_FACTOR) {
        // Arms that differ in this factor alone and speak one language, by their other levels.
        let mut groups: BTreeMap<(&str, Vec<&str>), &[Source]> = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for (plan, heard) in &polled {
            let labels = plan.levels.iter().map(|level| level.label.as_str());
            let others = labels.enumerate().filter(|(other, _)| *other != place).map(|(_, label)| label).collect();
            let first = groups.entry((&plan.language, others)).or_insert(heard);
            let unlike = |one: &[Source], other: &[Source]| {
                let lacks = one.iter().filter(|entry| !other.contains(entry));
                lacks.map(|(source, _)| source.clone()).collect::<Vec<_>>()
            };
            changed.extend(unlike(first, heard).into_iter().chain(unlike(heard, first)));
        }
        if !changed.is_empty() {
            let sources: Vec<String> = changed.into_iter().collect();
            found.push(format!(
                "the factor {factor} changes what seats hear before the poll straw_before ({}): the poll follows the treatment, so a \
                 change since the poll misses its earlier effect; to poll first, put the treatment into an intervention in a later phase",
                sources.join(", ")
            ));
        }
    }
    found
}

/// What seats hear before the poll `straw_before`, each with where it comes from; `None` without that poll.
fn heard_before_the_poll(plan: &Plan) -> Option<Vec<Source>> {
    let poll = plan.agenda.iter().position(|phase| matches!(phase.kind, PhaseKind::Ask { time: PollTime::Before }))?;
    let options = plan.motion.alternatives.iter().map(|alternative| (&alternative.name, &alternative.label));
    let question = (&plan.motion.text, options.collect::<Vec<_>>(), plan.motion.amount_min, plan.motion.amount_max);
    let mut heard = vec![("the question".to_owned(), format!("{question:?}"))];
    for phase in &plan.agenda[..poll] {
        heard.push((format!("the phase {}", phase.name), format!("{:?}", phase.kind)));
        if matches!(phase.kind, PhaseKind::Applications) {
            let practice = plan.income().map(|income| &income.applications);
            heard.push((format!("the phase {}", phase.name), format!("{practice:?}")));
        }
    }
    heard.push(("the prompts".to_owned(), format!("{} {}", plan.prompts.digest().as_str(), plan.language)));
    for seat in &plan.seats {
        let of_seat = (&seat.agent.persona, seat.pool.map(|pool| &plan.pools[pool].personas), &seat.language);
        heard.push((format!("the persona of {}", seat.name), format!("{of_seat:?}")));
    }
    if let Some(imported) = plan.notes.as_ref().and_then(|notes| notes.imported.as_ref()) {
        heard.push(("notes of another experiment".to_owned(), format!("{:?}", imported.notes)));
    }
    for told in &plan.interventions {
        let at = plan.agenda.iter().position(|phase| phase.name == told.phase);
        if at.is_some_and(|at| at < poll || at == poll && told.round == 0) {
            heard.push((format!("an intervention in {}", told.phase), format!("{told:?}")));
        }
    }
    for shown in &plan.exhibits {
        heard.push((format!("the exhibit {}", shown.exhibit.name()), format!("{} {:?}", shown.digest, shown.to)));
    }
    if let Some(evidence) = &plan.evidence {
        let Evidence { truth: _, signals, facts, shared, held_by, intro, withheld } = &**evidence;
        let told = (signals, facts, shared, held_by, intro, withheld);
        heard.push(("what seats are told of the case".to_owned(), format!("{told:?}")));
    }
    Some(heard)
}

/// Phases that vote after another one has voted: once the group has decided, the engine leaves them out.
fn votes_after_a_vote(plan: &Plan) -> Vec<String> {
    let votes = |kind: &PhaseKind| match kind {
        PhaseKind::Ballot => true,
        PhaseKind::Discussion(discussion) => discussion.votes_in_rounds(),
        _ => false,
    };
    let mut voting = plan.agenda.iter().filter(|phase| votes(&phase.kind)).map(|phase| &phase.name);
    let Some(first) = voting.next() else { return Vec::new() };
    let always_decides = always_decides(plan);
    let told = voting.map(|later| {
        if always_decides {
            format!(
                "the phase {later} can never run: the vote in {first} decides as soon as one ballot counts, and a group that has decided does \
                 not vote again"
            )
        } else {
            format!(
                "the phase {later} runs only in sessions in which the vote in {first} decides nothing: a group that has decided does not vote \
                 again"
            )
        }
    });
    told.collect()
}

/// Whether every vote comes to a decision in which one ballot counts.
fn always_decides(plan: &Plan) -> bool {
    let is_whole = plan.electorate.quorum.is_none();
    let settles_ties = !matches!(plan.decision.tie_break, TieBreak::NoDecision | TieBreak::StatusQuo);
    is_whole
        && match plan.decision.rule {
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

/// Levels of one factor between which no arm differs in anything that has an effect.
fn factors_without_effect(resolved: &Resolved) -> Vec<String> {
    let arms = &resolved.experiment.arms;
    let identities = resolved.identities.iter().map(|(_, identity)| identity);
    // A null that is like its arm is a finding, and no slip.
    let own = arms.iter().zip(identities).filter(|(plan, _)| plan.null.is_none());
    let effects: Vec<(&Plan, Digest)> =
        own.map(|(plan, identity)| (&**plan, digest_of(&effective(plan, identity)))).collect();
    let mut found = Vec::new();
    for (place, factor) in resolved.experiment.factors.iter().enumerate().filter(|(_, factor)| *factor != NULL_FACTOR) {
        // Arms that differ in this factor alone, by their other levels.
        let mut alike: BTreeMap<Vec<&str>, Vec<(&str, &Digest)>> = BTreeMap::new();
        for (plan, effect) in &effects {
            let labels = plan.levels.iter().map(|level| level.label.as_str());
            let others = labels.enumerate().filter(|(other, _)| *other != place).map(|(_, label)| label).collect();
            if let Some(level) = plan.levels.get(place) {
                alike.entry(others).or_default().push((&level.label, effect));
            }
        }
        let is_same = |group: &Vec<(&str, &Digest)>| group.len() > 1 && group.iter().all(|(_, e)| *e == group[0].1);
        let same = alike.values().filter(|group| is_same(group)).count();
        let compared = alike.values().filter(|group| group.len() > 1).count();
        if same > 0 && same == compared {
            found.push(format!("the factor {factor} has no effect: its levels give the same sessions in every arm"));
        } else if same > 0 {
            let others = alike.iter().find(|(_, group)| is_same(group)).map(|(others, _)| others.join("-"));
            let others = others.unwrap_or_default();
            found.push(format!(
                "the factor {factor} has no effect in {same} of {compared} combinations of the others (such as {others}): \
                 another setting overrules it there"
            ));
        }
    }
    found
}

/// Factors that do nothing, or nothing to those who sit there.
fn of_factors(resolved: &Resolved) -> Vec<String> {
    factors_without_effect(resolved).into_iter().chain(unread_texts(resolved)).collect()
}

/// Factors whose levels differ in texts alone where every seat is simulated. A simulated seat reads none.
fn unread_texts(resolved: &Resolved) -> Vec<String> {
    let experiment = &resolved.experiment;
    let is_simulated = |plan: &Plan| {
        let minds = plan.seats.iter().all(|seat| matches!(seat.sitter, Sitter::Mind(_)));
        minds && plan.models_asked().next().is_none()
    };
    let told = |plan: &Plan| plan.interventions.iter().all(|one| matches!(one.deed, Deed::Told(_)));
    if !experiment.arms.iter().all(|plan| is_simulated(plan) && told(plan)) {
        return Vec::new();
    }
    let is_text = |key: &str, value: &str| {
        let (section, last) = (key.split('.').next(), key.rsplit('.').next());
        matches!(section, Some("interventions" | "prompts" | "motion"))
            || matches!(last, Some("label" | "persona"))
            || (section == Some("agenda") && value.starts_with("brief "))
    };
    let identities = resolved.identities.iter().map(|(_, identity)| identity);
    let own: Vec<(&Plan, BTreeMap<Cow<'_, str>, &String>)> = experiment
        .arms
        .iter()
        .zip(identities)
        .filter(|(plan, _)| plan.null.is_none())
        .map(|(plan, identity)| (&**plan, effective(plan, identity)))
        .collect();
    let mut found = Vec::new();
    for (place, factor) in experiment.factors.iter().enumerate().filter(|(_, factor)| *factor != NULL_FACTOR) {
        // Arms that differ in this factor alone are held against the first of them.
        let mut first: BTreeMap<Vec<&str>, &BTreeMap<Cow<'_, str>, &String>> = BTreeMap::new();
        let mut differing: BTreeSet<&str> = BTreeSet::new();
        for (plan, identity) in &own {
            let labels = plan.levels.iter().map(|level| level.label.as_str()).enumerate();
            let others = labels.filter(|(other, _)| *other != place).map(|(_, label)| label).collect();
            let one = *first.entry(others).or_insert(identity);
            let keys = one.keys().chain(identity.keys());
            differing.extend(keys.filter(|key| one.get(*key) != identity.get(*key)).map(AsRef::as_ref));
        }
        let value =
            |key: &str| own.iter().find_map(|(_, identity)| identity.get(key)).map_or("", |value| value.as_str());
        if !differing.is_empty() && differing.iter().all(|key| is_text(key, value(key))) {
            let sections: BTreeSet<&str> = differing.iter().filter_map(|key| key.split('.').next()).collect();
            found.push(format!(
                "the levels of the factor {factor} differ only in texts ({}), and every seat is simulated: simulated seats do \
                 not read texts, so the factor cannot change what they do",
                sections.into_iter().collect::<Vec<_>>().join(", ")
            ));
        }
    }
    found
}

/// Whether memory differs between arms though no seat hears anything.
fn ignores_memory(resolved: &Resolved) -> bool {
    let of_memory = |identity: &BTreeMap<String, String>| {
        let kept = identity.iter().filter(|(key, _)| key.starts_with("memory."));
        kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>()
    };
    let mut memories = resolved.identities.iter().map(|(_, identity)| of_memory(identity));
    let first = memories.next();
    let is_deaf = |plan: &Plan| {
        let is_deaf = |mind: &Mind| match mind {
            Mind::Random { .. } | Mind::Harvester(_) | Mind::Scripted(_) | Mind::Silent => true,
            Mind::Opinionated(mind) => matches!(mind.rule, Rule::QuantalResponse { .. } | Rule::Juror),
            Mind::Voter { .. } | Mind::Justice(_) | Mind::Tallying { .. } => false,
        };
        plan.seats.iter().all(|seat| matches!(&seat.sitter, Sitter::Mind(mind) if is_deaf(mind)))
    };
    resolved.experiment.arms.iter().all(|plan| is_deaf(plan)) && memories.any(|memory| Some(memory) != first)
}
