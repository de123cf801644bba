//! Lowers a config and a scenario to the plan of one arm, and checks references. Constant ranges are already checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::choice::DecisionRule;
use crate::config::check::decode::decode_node;
use crate::config::check::literal;
use crate::config::draft::{ArmDraft, Files};
use crate::config::identity::session_identity;
use crate::config::lower::agenda::AgendaContext;
use crate::config::lower::interventions::InterventionContext;
use crate::config::lower::mechanism::{IncomeMechanism, ParameterValues};
use crate::config::lower::mind_reader::MindReader;
use crate::config::lower::seats::SeatContext;
use crate::config::lower::votes::VoteContext;
use crate::config::lower::{
    agenda, conditions, controls, decision, electorate, evidence, exhibits, forms, interventions, items, languages,
    mechanism, memory, network, opinion_minds, panel, prompt_fit, respondent, roles, sampling, seats, starts, votes,
    weighed,
};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::wording::Templates;
use crate::config::written::config::{Config, ItemsConfig, ModelConfig, NamingWord};
use crate::config::written::openai::{OpenAiConfig, is_variable, mistake_of_address};
use crate::config::{parameters, personas};
use crate::domain::{Choice, Language, Motion, OpenBallots};
use crate::plan::{
    ArmPlan, BlockSpan, Electorate, Intervention, Network, NullArm, NullStart, OpenAiModel, Origin, Phase, Plan,
    Sampling, Scalar, Seat, SeatRole, SourceIndex, SpeakingOrder, VotePhase, Voting, apply_items_to_motion, as_word,
    check_apart, check_folder_name, check_name, digest_of, parts_per_million,
};
use crate::prompt::{Pack, Parameter, Setting};
use crate::text::{Tokenizer, nearest_word};

/// The maximum number of tries for a question.
const TRIES_MAX: u8 = 3;

/// The plan of one arm and its identity as dotted keys and values; `None` after any error, which is reported. Parts that depend
/// on an invalid part are skipped, to avoid follow-up errors.
pub fn lower_arm(draft: &ArmDraft<'_>, problems: &mut Problems) -> Option<(Plan, BTreeMap<String, String>)> {
    let (before, ArmDraft { tree, arm, scenario, files, .. }) = (problems.len(), *draft);
    let config: Config = problems.ok_or_report(decode_node(tree))?;
    check_config(&config, tree, problems);
    let (values, broken) = scenario.parameter_values(&config.parameters, tree, problems);
    problems.ok_or_report(check_pack(&config.language, "language", &files.wording.templates, tree));
    let language = languages::language_of(tree);
    let mut motion = Motion { language, ..scenario.fill_motion(&values, tree, problems) };
    apply_items_to_motion(files.items, &mut motion);
    let knobs = ParameterValues { values: &values, broken: &broken };
    let (lowered, soundness) = mechanism::lower_mechanism(&knobs, &mut motion, (scenario, tree), problems);
    let mechanism = lowered.as_ref().map(|lowered| &lowered.income);
    let models = lower_models(&config, tree, problems);
    let asked = (config.items.as_ref().map_or(&[][..], ItemsConfig::script_columns), files.items);
    let VotingRules { decision, voting, imposed, electorate, round_votes, votes } =
        lower_voting_rules((&config, &values), &motion, draft, problems);
    let held = votes.as_ref();
    let reader = MindReader { asked, motion: &motion, scenario, mechanism, soundness, voting, votes: held, tree };
    let (kept, notes) = (
        memory::lower_memory_with_model(&config, &models, tree, problems),
        panel::lower_notes(&config, draft, problems),
    );
    if let Some((memory, _)) = kept.as_ref().filter(|_| scenario.agenda == Soundness::Sound) {
        agenda::check_remembering(memory, scenario, problems);
    }
    let roles = roles::lower_roles(scenario, &values, problems);
    let table = SeatContext { models: &models, reader: &reader, roles: &roles, memory: kept.map(|(memory, _)| memory) };
    let seats = seats::lower_seats(&config, &table, problems);
    let (seats, network) = lower_table((&config, seats), draft, problems);
    let parameters = parameters::order_parameters(&scenario.written.parameters, &values);
    let threshold = decision.as_ref().and_then(|rule| rule.threshold);
    let basis = ProcedureInputs {
        motion: &motion,
        values: &values,
        parameters: &parameters,
        lowered: lowered.as_ref(),
        soundness,
        threshold,
        votes: round_votes.and(held),
    };
    let ArmProcedure { pack, agenda, interventions } = basis.lower_procedure(draft, &config, problems);
    let exhibits = exhibits::lower_exhibits(&config, files.exhibits, (draft.seats, language), tree, problems);
    let shown = exhibits::lower_shown_columns(&config, files.items, language, tree, problems);
    let evidence = evidence::lower_evidence(draft, (&config, &values), problems);
    opinion_minds::check_signals(seats.as_deref().zip(evidence.as_ref()), scenario, tree, problems);
    (problems.len() == before).then_some(())?;
    let shared = Arc::new(ArmPlan {
        experiment: config.experiment.clone(),
        arm: arm.name.clone(),
        null: arm.null.as_ref().map(|null| NullArm { of: null.of.clone(), word: null.word, begins: NullStart::Anew }),
        levels: arm.levels.clone(),
        seed: config.seed,
        pairing: config.design.pairing,
        language: config.language.clone(),
        questions: None,
        seats: seats?,
        roles,
        network: network?,
        decision: decision?,
        voting: voting?,
        electorate: electorate?,
        roll_call: config.decision.roll_call.unwrap_or(false) && !network::is_alone(&config),
        asks_opinion: config.discussion.opinion == Some(true),
        imposed: imposed?,
        controls: controls::lower_controls(&config),
        memory: kept?.0,
        summary_model: kept?.1,
        lender: None,
        matched: None,
        notes: notes?,
        memory_focus: config.memory.policy.focus(),
        interventions: interventions?,
        exhibits: exhibits?.into_iter().chain(shown).collect(),
        evidence: evidence?.map(Arc::new),
        correct_within_ppm: parts_per_million(config.correct_within).ok()?,
        mechanism: mechanism.cloned(),
        pools: files.pools?.to_vec(),
        tries_max: TRIES_MAX,
        wording: files.wording.id.clone(),
        prompts: pack?,
        parameters,
        models,
    });
    let mut plan = join_plan(motion, agenda?, scenario, shared);
    starts::lower_starts(&mut plan, scenario, problems);
    check_told_keys(&plan, scenario, problems);
    forms::check_missing_bounds(&plan, scenario, problems);
    complete_plan(plan, draft, (&config, &values), problems)
}

/// Reports questions that show what is right.
fn check_told_keys(plan: &Plan, scenario: &Scenario, problems: &mut Problems) {
    for (part, name) in plan.find_told_keys() {
        let path = format!("agenda.{}.ask", part.phase);
        let field = part.field.map_or(String::new(), |field| format!(" of {field}"));
        let message =
            format!("the {}{field} would show what is right: `{name}` may be the key of the item", part.by.as_str());
        let hint = Some("print it in a brief after the question".to_owned());
        problems.push(scenario.tree.problem(&path, message).with_hint(hint));
    }
}

/// The plan of an arm, without what items, languages and its digest add.
fn join_plan(motion: Motion, agenda: (Vec<Phase>, Vec<BlockSpan>), scenario: &Scenario, shared: Arc<ArmPlan>) -> Plan {
    let (agenda, blocks) = agenda;
    let variables = conditions::lower_variables(scenario);
    let sources = Arc::new(SourceIndex::of_agenda(&agenda, &variables));
    Plan {
        item: None,
        digest: digest_of::<String, String>(&BTreeMap::new()),
        motion: Arc::new(motion),
        agenda,
        blocks,
        variables: variables.into(),
        sources,
        wave: None,
        fork: None,
        translations: Vec::new(),
        shared,
    }
}

/// Adds the questions, translations and digest to a plan; `None` if one of them has an error.
fn complete_plan(
    mut plan: Plan,
    draft: &ArmDraft<'_>,
    (config, values): (&Config, &IndexMap<String, Scalar>),
    problems: &mut Problems,
) -> Option<(Plan, BTreeMap<String, String>)> {
    let ArmDraft { tree, scenario, files, .. } = *draft;
    let generic = problems.ok_or_report(add_questions(&mut plan, (config, values), scenario, files, tree))?;
    let mut identity = session_identity(tree, &generic, scenario, files.wording.digests.get(&config.language)?, &files);
    plan.translations = lower_translations(draft, &plan.seats, &mut identity, problems)?;
    plan.digest = digest_of(&identity);
    Some((plan, identity))
}

/// The plan in each other language of a seat; `None` after an error. Differences are added to the identity.
fn lower_translations(
    draft: &ArmDraft<'_>,
    seats: &[Seat],
    identity: &mut BTreeMap<String, String>,
    problems: &mut Problems,
) -> Option<Vec<Arc<Plan>>> {
    let before = problems.len();
    let mut plans: Vec<Arc<Plan>> = Vec::new();
    for seat in seats {
        let Some(language) = seat.language.as_deref() else { continue };
        if plans.iter().any(|plan| plan.language == language) {
            continue;
        }
        let path = format!("seats.{}.language", seat.name);
        if let Err(problem) = check_pack(language, &path, &draft.files.wording.templates, draft.tree) {
            problems.push(problem);
            continue;
        }
        let mut tree = draft.tree.clone();
        let written = Node::from_text(language, draft.tree.place_of(&path).clone());
        problems.ok_or_report(tree.set("language", written));
        for seat in tree.find_mut("seats").map(Node::items_mut).unwrap_or_default() {
            seat.remove_key("language");
        }
        let scenario = &draft.spoken[&languages::language_of(&tree)];
        languages::lay_language_texts(&mut tree, Some(scenario), problems);
        let (plan, own) = lower_arm(&ArmDraft { tree: &tree, scenario, ..*draft }, problems)?;
        let differs = |(key, value): &(String, String)| identity.get(key) != Some(value);
        let own: Vec<_> = own.into_iter().filter(differs).collect();
        identity.extend(own.into_iter().map(|(key, value)| (format!("languages.{language}.{key}"), value)));
        plans.push(Arc::new(plan));
    }
    (problems.len() == before).then_some(plans)
}

/// How an arm decides; each part is `None` if it or a part it depends on has an error.
struct VotingRules {
    decision: Option<DecisionRule>,
    voting: Option<Voting>,
    imposed: Option<Option<Choice>>,
    electorate: Option<Electorate>,
    /// Whether votes in rounds are possible as the config wants them.
    round_votes: Option<()>,
    votes: Option<BTreeMap<String, Arc<VotePhase>>>,
}

fn lower_voting_rules(
    (config, values): (&Config, &IndexMap<String, Scalar>),
    motion: &Motion,
    draft: &ArmDraft<'_>,
    problems: &mut Problems,
) -> VotingRules {
    let ArmDraft { tree, scenario, seats, .. } = *draft;
    let (decision, voting, imposed) = decision::lower_decision(config, motion, tree, problems);
    let electorate = electorate::lower_electorate(config, seats, (motion, tree), problems);
    let round_votes = agenda::check_round_votes(config, scenario, tree, problems);
    let is_sound = scenario.agenda == Soundness::Sound;
    let usual = decision.zip(voting).zip(electorate.as_ref()).zip(round_votes).filter(|_| is_sound);
    let votes = usual.and_then(|(((rule, voting), electorate), ())| {
        let is_open = config.decision.roll_call.unwrap_or(false);
        let open = if is_open { OpenBallots::Announced } else { OpenBallots::Never };
        let usual = (rule, voting, electorate);
        let context = VoteContext { config, scenario, motion, values, usual, open, seats, tree };
        votes::lower_votes(&context, problems)
    });
    VotingRules { decision, voting, imposed, electorate, round_votes, votes }
}

/// The seats with their mutual weights, and the network; checks roles and the sizes of persona pools.
fn lower_table(
    (config, seats): (&Config, Option<Vec<Seat>>),
    draft: &ArmDraft<'_>,
    problems: &mut Problems,
) -> (Option<Vec<Seat>>, Option<Network>) {
    if draft.scenario.agenda == Soundness::Sound {
        seats::check_roles(config, draft.scenario, draft.tree, problems);
    }
    personas::check_enough(config, draft.files.personas, draft.tree, problems);
    let network = network::lower_network(config, draft.files.networks, draft.seats, draft.tree, problems);
    let seats = weighed::assign_edge_weights(seats, network.as_ref(), draft.tree, problems);
    (seats, network)
}

struct ProcedureInputs<'a> {
    motion: &'a Motion,
    values: &'a IndexMap<String, Scalar>,
    parameters: &'a [(String, Parameter)],
    lowered: Option<&'a IncomeMechanism>,
    soundness: Soundness,
    threshold: Option<(u32, u32)>,
    /// The votes of the agenda; `None` if one of them, or a vote in rounds, has an error.
    votes: Option<&'a BTreeMap<String, Arc<VotePhase>>>,
}

/// The procedure of an arm; each part is `None` if it or a part it depends on has an error.
struct ArmProcedure {
    pack: Option<Pack>,
    agenda: Option<(Vec<Phase>, Vec<BlockSpan>)>,
    interventions: Option<Vec<Intervention>>,
}

impl ProcedureInputs<'_> {
    /// Lowers the prompts, the phases and the interventions.
    fn lower_procedure(&self, draft: &ArmDraft<'_>, config: &Config, problems: &mut Problems) -> ArmProcedure {
        let ArmDraft { tree, scenario, files, .. } = *draft;
        let templates = files.wording.templates.get(&config.language);
        let income = self.lowered.map(|lowered| &lowered.income);
        agenda::check_talk(config, scenario, tree, problems);
        if self.motion.alternatives.is_empty() {
            agenda::check_choices(config, scenario, tree, problems);
        }
        // With votes in rounds, prompts describe these.
        let in_rounds = scenario.written.agenda.iter().any(|phase| config.votes_in_rounds(phase));
        let votes = || self.votes.filter(|_| !in_rounds).into_iter().flatten();
        let giving_result = votes().find(|(_, vote)| vote.decides);
        let described =
            giving_result.or_else(|| votes().rfind(|(_, vote)| vote.is_binding)).or_else(|| votes().next_back());
        let described = described.map(|(name, vote)| (name.as_str(), &**vote));
        let setting = Setting {
            motion: self.motion,
            parameters: self.parameters,
            procedure: agenda::lower_procedure(config, scenario, self.threshold, described),
            decided: described.and_then(|(_, vote)| vote.motion.as_deref()).unwrap_or(self.motion),
            mechanism: income.map(AsRef::as_ref),
            needs: &needed_templates(scenario, self.motion, config),
        };
        let is_ready = scenario.agenda == Soundness::Sound && self.soundness == Soundness::Sound;
        let ready = if is_ready { Soundness::Sound } else { Soundness::Broken };
        let pack = templates.and_then(|templates| compile_pack(config, templates, &setting, (files, ready), problems));
        let ground = pack.as_ref().zip(self.votes).filter(|_| scenario.agenda == Soundness::Sound);
        if ground.is_none() {
            // Without prompts there are no phases, but the briefs can be checked.
            for phase in scenario.phase_names() {
                problems.ok_or_report(agenda::brief_text(scenario, phase, self.values, self.motion.language));
            }
        }
        let agenda = ground.and_then(|(pack, held)| {
            let (words, mechanism, parameters) = ((pack, self.motion), self.lowered, self.values);
            let seats = draft.seats;
            let context = AgendaContext { config, scenario, mechanism, words, parameters, held, seats, tree };
            agenda::lower_agenda(&context, problems)
        });
        let practice_rounds = income.map_or(0, |income| income.applications.len() as u32);
        let moments = InterventionContext {
            scenario,
            agenda: agenda.as_ref().map(|(phases, _)| phases.as_slice()),
            practice_rounds,
            table: config.seats.len(),
            seats: draft.seats,
        };
        let interventions = interventions::lower_interventions(config, &moments, tree, problems);
        ArmProcedure { pack, agenda, interventions }
    }
}

/// Adds an item's question to the texts that print it, and checks that the pinned parts fit. Returns the plan without the parts
/// that items change.
fn add_questions(
    plan: &mut Plan,
    (config, values): (&Config, &IndexMap<String, Scalar>),
    scenario: &Scenario,
    files: Files<'_>,
    tree: &Node,
) -> Result<Plan, Problem> {
    // Invalid items count as no items.
    if !files.items.is_empty()
        && let Some(prompts) = files.wording.templates.get(&config.language)
        && let Some(questions) = items::lower_questions(plan, values, scenario, prompts, tree)?
    {
        plan.shared = Arc::new(ArmPlan { questions: Some(questions), ..(*plan.shared).clone() });
    }
    match files.items.values().max_by_key(|item| item.text.len()) {
        Some(longest) => prompt_fit::check_room(&plan.of_item(longest), tree)?,
        None => prompt_fit::check_room(plan, tree)?,
    }
    Ok(plan.of_no_item(files.items))
}

/// Checks the settings that need no scenario: names, models, the supermajority, shares of memory.
pub fn check_alone(tree: &Node, problems: &mut Problems) {
    let Some(config) = problems.ok_or_report(decode_node::<Config>(tree)) else { return };
    check_config(&config, tree, problems);
    let models = lower_models(&config, tree, problems);
    respondent::summary_model(&config, &models, tree, problems);
    decision::lower_threshold(&config, tree, problems);
    memory::lower_memory(&config, tree, problems);
}

fn check_config(config: &Config, tree: &Node, problems: &mut Problems) {
    problems.ok_or_report(check_folder_name(&config.experiment).map_err(|message| {
        tree.problem("experiment", message).with_hint(as_word(&config.experiment).map(|word| format!("write {word}")))
    }));
    panel::check_panel(config, tree, problems);
    problems.ok_or_report_at(tree, "correct_within", parts_per_million(config.correct_within));
    literal::check_literal_values(tree, problems);
}

/// Compiles the templates. They are only tried if the scenario is `ready`, because its phases and mechanism determine the
/// required templates and their variables.
fn compile_pack(
    config: &Config,
    templates: &BTreeMap<String, String>,
    setting: &Setting<'_>,
    (files, ready): (Files<'_>, Soundness),
    problems: &mut Problems,
) -> Option<Pack> {
    let folder = files.scenario_folder;
    let errors = match files.packs.get_or_compile(&files.wording.pack_name(&config.language), templates, setting, ready)
    {
        Ok(pack) => return Some(pack).filter(|_| ready == Soundness::Sound),
        Err(errors) => errors,
    };
    for error in errors {
        let file = files.wording.template_path(folder, &config.language, &error.template);
        problems.push(Problem {
            line: (error.line > 0).then_some(u32::try_from(error.line).unwrap_or(u32::MAX)),
            column: (error.line > 0).then_some(u32::try_from(error.column).unwrap_or(u32::MAX)),
            hint: error.hint,
            ..Problem::of_file(&file, error.reason)
        });
    }
    None
}

/// The templates that a scenario needs besides those of every pack.
fn needed_templates<'a>(scenario: &'a Scenario, motion: &Motion, config: &Config) -> Vec<&'a str> {
    let mut needs: Vec<&str> = Vec::new();
    for phase in &scenario.written.agenda {
        needs.extend(phase.brief.as_ref().and_then(|brief| brief.template.as_deref()));
        if let Some(ask) = phase.built_in_ask() {
            needs.extend(ask.ranking.iter().map(|_| "ranking"));
            needs.extend(ask.comprehension.iter().flat_map(|_| ["comprehension", "test_result"]));
            needs.extend(ask.application.iter().flat_map(|_| ["application", "payment"]));
        }
        needs.extend(phase.pays_decision().then_some("settlement"));
    }
    let mut role_of = config.seats.iter().map(|seat| roles::seat_role(seat, &scenario.written.roles));
    let talks = || agenda::list_talks(config, scenario);
    let others = [
        ("amount", motion.alternatives.iter().any(|alternative| alternative.takes_amount)),
        ("manipulation", role_of.any(|role| role == SeatRole::Manipulator)),
        ("proposals", talks().any(|talk| talk.proposals == Some(true))),
        ("volunteer", talks().any(|talk| talk.order == SpeakingOrder::Volunteer)),
        ("naming", config.seats.iter().any(|seat| seat.naming == Some(NamingWord::SelfChosen))),
        ("notes", config.memory.notes.is_some() && config.panel.is_some()),
        ("recognition", config.controls.recognition_probe == Some(true)),
    ];
    needs.extend(others.into_iter().filter(|(_, is_needed)| *is_needed).map(|(name, _)| name));
    needs.sort_unstable();
    needs.dedup();
    needs
}

/// The models behind servers, without invalid ones.
fn lower_models(config: &Config, tree: &Node, problems: &mut Problems) -> Vec<OpenAiModel> {
    let mut models = Vec::new();
    let margin = parts_per_million(config.memory.context_margin);
    let margin = problems.ok_or_report_at(tree, "memory.context_margin", margin).unwrap_or_default();
    let is_margin_written = tree.find("memory.context_margin").is_some_and(|node| node.place.origin != Origin::Default);
    let mut names: Vec<&str> = Vec::new();
    for (name, model) in &config.models {
        let path = format!("models.{name}");
        problems.note_key(tree, "models", name, check_name(name));
        problems.note_key(tree, "models", name, check_apart(name, &names));
        names.push(name);
        let openai = match model {
            ModelConfig::Openai(openai) => openai,
            ModelConfig::Human(human) => {
                respondent::check_pseudonym(human.id.as_deref(), &path, tree, problems);
                continue;
            }
            ModelConfig::Simulated(_) => continue,
        };
        let before = problems.len();
        check_openai(openai, &format!("{path}.openai"), tree, problems);
        if problems.len() > before {
            continue;
        }
        let model = OpenAiModel {
            name: name.clone(),
            server: openai.server.unwrap_or_default(),
            base_url: openai.base_url.clone().unwrap_or_default(),
            model: openai.model.clone(),
            temperature: openai.temperature,
            sampling: Sampling::from_config(openai),
            max_tokens: openai.max_tokens,
            answers: openai.answers,
            api_key_env: openai.api_key_env.clone(),
            timeout_s: openai.timeout_s.into(),
            retry_for_s: openai.retry_for_s.into(),
            requests_per_minute: openai.requests_per_minute,
            tokens_per_minute: openai.tokens_per_minute,
            concurrency: usize::try_from(openai.concurrency).unwrap_or(usize::MAX),
            context_window: openai.context_window,
            // A counted prompt needs no margin, unless the author wants one.
            context_margin_ppm: if openai.tokenizer.is_some() && !is_margin_written { 1_000_000 } else { margin },
            tokenizer: openai.tokenizer,
            is_stateful: openai.stateful == Some(true),
            price: openai.price,
            price_from: tree.place_of(&format!("{path}.openai.price")).origin,
        };
        if let Err(problem) = check_reply(&model, &path, tree) {
            problems.push(problem);
            continue;
        }
        models.push(model);
    }
    models
}

/// Checks that the longest reply leaves room for a prompt in the model's window.
fn check_reply(model: &OpenAiModel, path: &str, tree: &Node) -> Result<(), Problem> {
    let most = u64::from(model.max_tokens);
    match model.usable_window() {
        Some(usable) if most >= usable => {
            let message =
                format!("max_tokens {most} leaves no room for a prompt: of the window {usable} tokens are used");
            let hint = format!("write max_tokens: {} or less, or a greater window", usable / 4);
            Err(tree.problem(&format!("{path}.openai.context_window"), message).with_advice(hint))
        }
        _ => Ok(()),
    }
}

fn check_openai(openai: &OpenAiConfig, path: &str, tree: &Node, problems: &mut Problems) {
    let Some(base_url) = &openai.base_url else {
        let message = "the key \"base_url\" is missing: of a server of this kind no address is known";
        return problems.push(tree.problem(&format!("{path}.server"), message));
    };
    if let Some((what, hint)) = mistake_of_address(base_url) {
        problems.push(tree.problem(&format!("{path}.base_url"), what).with_hint(hint.map(str::to_owned)));
    }
    let mut problem = |key: &str, message: &str| problems.push(tree.problem(&format!("{path}.{key}"), message));
    if openai.api_key_env.as_ref().is_some_and(|name| !is_variable(name)) {
        problem("api_key_env", "this is the name of an environment variable, never the key itself");
    }
    if let Some(tokenizer) = openai.tokenizer.filter(|_| !Tokenizer::ARE_BUILT_IN) {
        let how = "cargo build --release --features tokenizers";
        problem("tokenizer", &format!("this program was built without {}; build it with: {how}", tokenizer.as_str()));
    }
    if openai.model.is_empty() {
        problem("model", "the model's name is empty");
    }
    let most = openai.server.unwrap_or_default().facts().temperature_max;
    if openai.temperature.is_some_and(|temperature| temperature > most) {
        problem("temperature", &format!("this server cuts every temperature above {most} down to {most}"));
    }
    sampling::check_sampling(openai, path, tree, problems);
}

/// Checks that the scenario has prompts in a language, and that the program has words in it.
///
/// # Errors
/// A problem at the path.
fn check_pack(pack: &str, path: &str, prompts: &Templates, tree: &Node) -> Result<(), Problem> {
    if !prompts.contains_key(pack) {
        let known: Vec<&str> = prompts.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        let message = format!("the scenario has no prompts in \"{pack}\" (it has: {known})");
        // If the author set no language, the scenario is to blame.
        let place = match tree.place_of(path).origin {
            Origin::Default => tree.place_of("scenario"),
            _ => tree.place_of(path),
        };
        let meant = nearest_word(pack, prompts.keys().map(String::as_str));
        let hint = meant.or(prompts.keys().next().map(String::as_str)).map(|pack| format!("write language: {pack}"));
        return Err(Problem::at_place(place, path, message).with_hint(hint));
    }
    if Language::of_pack(pack).is_none() {
        let known: Vec<&str> = Language::ALL.map(Language::code).to_vec();
        let message = format!("the program has no words of its own in \"{pack}\" (it has: {})", known.join(", "));
        let hint = "a folder of prompts is called by one of them, alone or with a word behind `_`, as in es_formal";
        return Err(tree.problem(path, message).with_advice(hint));
    }
    Ok(())
}
