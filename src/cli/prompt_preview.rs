//! `check --show`: prints the exact prompt of a seat at a step, from a rehearsal without models.

use crate::text::{escape_but_tabs, put_line};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::json;

use super::arguments::CheckArguments;
use super::exit::{Ending, Refusal};
use super::output::print_result;
use super::question_place::QuestionPlace;
use crate::config::suggest_word;
use crate::domain::{Agent, Moment, Query, QuestionId, SeatId, Step};
use crate::engine::Supposed;
use crate::plan::{
    Answers, Experiment, Item, OpenAiModel, Origin, Pass, PhaseKind, Plan, Respondent, Sampling, Server, Thing,
};
use crate::report::{counted, escape_unseen, grouped};
use crate::session::{QuestionWording, RehearsalCourse, RehearsedQuestion, play_session, rehearse_session};

struct FoundPrompt {
    question: QuestionId,
    wording: QuestionWording,
    model: OpenAiModel,
    reader: PromptReader,
    /// The replicate of the simulated session in which the seat is asked; `None` in a rehearsal.
    replicate: Option<u32>,
}

/// How many replicates are simulated to find a question.
const SIMULATED_MAX: u32 = 20;

/// Who answers a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptReader {
    /// A language model.
    Model,
    /// A person.
    Person,
    /// Nobody: the seat is simulated, and a model in its place would get the prompt.
    Nobody,
}

/// Prints the prompt of a seat at a step, by default the first.
///
/// # Errors
/// A [`Refusal`] when the arm, item or seat does not exist, or the seat is never asked at the step.
pub fn show_prompt(experiment: &Experiment, wanted: &str, arguments: &CheckArguments) -> Result<Ending, Refusal> {
    let arm = arm_of(experiment, arguments.arm.as_deref())?;
    let item = item_of(experiment, arguments.item.as_deref())?;
    let plan = item.map_or_else(|| arm.clone(), |item| arm.of_item(item));
    let plan = &if experiment.waves.is_some() { plan.of_wave(1) } else { plan };
    let wanted = QuestionPlace::parse(plan, wanted)?;
    let found = find_prompt(plan, &wanted, experiment.replicates)?;
    print_result(arguments.json.then(|| found.json(plan)), || {
        let others = experiment.items.len().saturating_sub(1) as u64;
        found.text(plan, if arguments.item.is_none() { others } else { 0 })
    })?;
    Ok(Ending::Done)
}

fn arm_of<'e>(experiment: &'e Experiment, arm: Option<&str>) -> Result<&'e Plan, Refusal> {
    let named = arm.or(experiment.baseline.as_deref());
    let first = experiment.arms.first().expect("invariant: a design has an arm");
    let Some(name) = named else { return Ok(first) };
    let names = || experiment.arms.iter().map(|plan| plan.arm.as_str());
    experiment.arms.iter().find(|plan| plan.arm == name).map(AsRef::as_ref).ok_or_else(|| {
        let hint = suggest_word(name, names()).unwrap_or_else(|| {
            let few: Vec<&str> = names().take(10).collect();
            let more = if experiment.arms.len() > few.len() { ", …" } else { "" };
            format!("the arms are {}{more}", few.join(", "))
        });
        Refusal::wrong_input(format!("--arm {name}: no such arm; {hint}"))
    })
}

/// The named item, else the first; `None` without items.
fn item_of<'e>(experiment: &'e Experiment, item: Option<&str>) -> Result<Option<&'e Arc<Item>>, Refusal> {
    let Some(id) = item else { return Ok(experiment.items.values().next()) };
    if experiment.items.is_empty() {
        let is_item = |pass: &Pass| matches!(pass.thing, Some(Thing::Item { .. }));
        let mut phases = experiment.arms.iter().flat_map(|plan| &plan.agenda);
        let why = match phases.find(|phase| phase.passes.iter().any(is_item)) {
            Some(phase) => {
                format!("each session goes through all items; name a pass, as in --show SEAT:{}", phase.name)
            }
            None => "the experiment has no items; leave --item out".to_owned(),
        };
        return Err(Refusal::wrong_input(format!("--item {id}: {why}")));
    }
    let ids = || experiment.items.keys().map(String::as_str);
    experiment.items.get(id).map(Some).ok_or_else(|| {
        let few: Vec<&str> = ids().take(10).collect();
        let more = if experiment.items.len() > few.len() { ", …" } else { "" };
        let hint =
            suggest_word(id, ids()).filter(|hint| hint.starts_with("did")).map_or(String::new(), |hint| hint + "; ");
        Refusal::wrong_input(format!("--item {id}: no such item; {hint}the items are {}{more}", few.join(", ")))
    })
}

/// Searches simulated sessions of one replicate after another; `None` if the seat is asked in none of them, or if they need
/// other sessions.
fn find_in_simulated(
    plan: &Arc<Plan>,
    wanted: &QuestionPlace,
    replicates: u32,
) -> Option<Result<FoundPrompt, Refusal>> {
    for replicate in 1..=replicates.min(SIMULATED_MAX) {
        if !plan.needed_sessions(replicate).is_empty() {
            return None;
        }
        let (agents, mut found, mut fitting) = (plan.agents(replicate), None, 0);
        let mut look = |query: &Query<'_>| {
            if query.seat == wanted.seat && wanted.matches_moment(&query.id.at) {
                fitting += 1;
            }
            if fitting < wanted.number {
                return ControlFlow::Continue(());
            }
            found = Some(word_prompt(plan, &agents, (query, Some(replicate))));
            ControlFlow::Break(())
        };
        // A script that ends is reported by the run.
        let _ = play_session(plan, replicate, &mut look);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Searches simulated sessions, then one rehearsal course after another, the longest first.
fn find_prompt(plan: &Plan, wanted: &QuestionPlace, replicates: u32) -> Result<FoundPrompt, Refusal> {
    if let Some(found) = find_in_simulated(&Arc::new(plan.clone()), wanted, replicates) {
        return found;
    }
    let agents = plan.agents(1);
    let mut asked: Vec<Moment> = Vec::new();
    let mut most = 0;
    for course in RehearsalCourse::ALL {
        let (mut found, mut fitting) = (None, 0);
        let mut look = |put: &RehearsedQuestion<'_>| {
            if put.query.seat != wanted.seat || put.is_too_long {
                return ControlFlow::Continue(());
            }
            let at = &put.query.id.at;
            if !wanted.matches_moment(at) {
                asked.push(at.clone());
                return ControlFlow::Continue(());
            }
            fitting += 1;
            most = most.max(fitting);
            if fitting < wanted.number {
                return ControlFlow::Continue(());
            }
            found = Some(word_prompt(plan, &agents, (put.query, None)));
            ControlFlow::Break(())
        };
        rehearse_session(plan, &agents, (course, Supposed::AsComputed), &mut look).map_err(Refusal::wrong_input)?;
        if let Some(found) = found {
            return found;
        }
    }
    let (seat, written) = (&plan.seats[wanted.seat.index()].name, &wanted.written);
    let arm = &plan.arm;
    if most > 0 {
        let (times, number) = (counted(most.into(), "time"), wanted.number);
        return Err(Refusal::wrong_input(format!(
            "--show {written}: in the arm {arm}, {seat} is asked there {times}, not {number}"
        )));
    }
    let why = explain_absence(plan, wanted).map_or(String::new(), |why| format!(", {why}"));
    if asked.is_empty() {
        return Err(Refusal::wrong_input(format!("--show {written}: {seat} is asked nothing in the arm {arm}{why}")));
    }
    let hint = wanted.suggest_name(&asked).map_or(String::new(), |hint| hint + " ");
    Err(Refusal::wrong_input(format!(
        "--show {written}: in the arm {arm}, {seat} is never asked there{why}; {hint}it is asked at {}",
        wanted.list_questions(&asked)
    )))
}

/// Why a seat is asked nothing at a place, if the plan explains it.
fn explain_absence(plan: &Plan, wanted: &QuestionPlace) -> Option<String> {
    let deals = plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Assign(_)));
    match plan.agenda.iter().find(|phase| wanted.names_other_pass_of(&phase.name)) {
        Some(phase) => {
            let things = phase.passes.iter().filter_map(|pass| pass.thing.as_ref());
            let things: Vec<&Thing> = things.filter(|thing| !matches!(thing, Thing::Times { .. })).collect();
            let why = match things.iter().find(|thing| matches!(thing, Thing::Seat { .. } | Thing::Text { .. })) {
                Some(Thing::Seat { .. }) => "because passes for seats have numbers",
                Some(_) => "because passes for texts have numbers",
                None => "because passes have numbers unless their order is fixed",
            };
            (!things.is_empty()).then(|| format!("{why}, as in {}", phase.name))
        }
        None => deals.then(|| "with the groups and roles that lots give it in replicate 1".to_owned()),
    }
}

fn word_prompt(
    plan: &Plan,
    agents: &[Agent],
    (query, replicate): (&Query<'_>, Option<u32>),
) -> Result<FoundPrompt, Refusal> {
    let (model, reader) = reader_at_step(plan, query.seat, query.id.at.step);
    let wording = match reader {
        PromptReader::Person => QuestionWording::for_person(plan, agents, query),
        PromptReader::Model | PromptReader::Nobody => QuestionWording::for_model(plan, agents, query, &model),
    };
    let wording = wording.map_err(Refusal::wrong_input)?;
    Ok(FoundPrompt { question: query.id.clone(), wording, model, reader, replicate })
}

/// The model that answers at a step, or a placeholder for a person or a simulated seat.
pub fn reader_at_step(plan: &Plan, seat: SeatId, step: Step) -> (OpenAiModel, PromptReader) {
    match plan.respondent(seat, step) {
        Respondent::Model(place) => (plan.models[place].clone(), PromptReader::Model),
        Respondent::Person(person) => {
            (OpenAiModel { name: person.name.clone(), answers: Answers::Anchored, ..any_model() }, PromptReader::Person)
        }
        Respondent::Mind(_) | Respondent::Rule => {
            (plan.models.first().cloned().unwrap_or_else(any_model), PromptReader::Nobody)
        }
    }
}

/// A placeholder for showing a prompt.
fn any_model() -> OpenAiModel {
    OpenAiModel {
        name: "a model".to_owned(),
        server: Server::Other,
        base_url: String::new(),
        model: String::new(),
        temperature: None,
        sampling: Sampling::default(),
        max_tokens: 400,
        answers: Answers::JsonSchema,
        api_key_env: None,
        timeout_s: 60,
        retry_for_s: 0,
        requests_per_minute: None,
        tokens_per_minute: None,
        concurrency: 1,
        context_window: None,
        context_margin_ppm: 800_000,
        tokenizer: None,
        is_stateful: false,
        price: None,
        price_from: Origin::Default,
    }
}

impl FoundPrompt {
    fn json(&self, plan: &Plan) -> serde_json::Value {
        let message =
            |message: &crate::prompt::Message| json!({ "role": message.role.as_str(), "content": message.content() });
        json!({
            "arm": plan.arm,
            "item": plan.item.as_ref().map(|item| &item.id),
            "question": self.question,
            "model": self.model.name,
            "simulated": self.reader == PromptReader::Nobody,
            "human": self.reader == PromptReader::Person,
            "max_tokens": (self.reader != PromptReader::Person).then_some(self.wording.reply_tokens_max),
            "prompt_tokens_at_most": self.wording.tokens_at_most(),
            "messages": self.wording.messages.iter().map(message).collect::<Vec<_>>(),
            "replicate": self.replicate,
            "schema": self.wording.schema,
            "answers": self.model.answers,
        })
    }

    /// The prompt as text. `others` is the number of items not shown.
    fn text(&self, plan: &Plan, others: u64) -> String {
        let mut out = String::new();
        let tokens = grouped(self.wording.tokens_at_most());
        let most = self.wording.reply_tokens_max;
        let model = match self.reader {
            PromptReader::Nobody => format!("simulated · max_tokens {most}"),
            PromptReader::Model => format!("models.{} · max_tokens {most}", self.model.name),
            PromptReader::Person => format!("models.{} · a person", self.model.name),
        };
        let arm = escape_unseen(&plan.arm);
        let item = plan.item.as_ref().map_or(String::new(), |item| format!(" · item {}", escape_unseen(&item.id)));
        put_line!(out, "{} · arm {arm}{item}", escape_unseen(&self.question.to_string()));
        if others > 0 {
            put_line!(out, "this is the first item; --item ID shows another of {}", counted(others + 1, "item"));
        }
        put_line!(out, "{model} · at most {tokens} tokens of prompt");
        if self.reader == PromptReader::Nobody {
            out.push_str("this seat is simulated and reads no prompt; a model in its place would get this\n");
        }
        if self.model.answers == Answers::Auto && self.model.form_of_server().is_none() {
            out.push_str("answers: auto; shown is json_schema, and one question when a session begins shows whether it is that or anchored\n");
        }
        match self.replicate {
            Some(replicate) => put_line!(
                out,
                "as in replicate {replicate}, with its draws, groups and roles;\nwhat models and people say and choose there is made up at random"
            ),
            None => out.push_str(
                "what seats have yet to be dealt, say, choose or be paid is filled in;\nall else is as it will be sent\n",
            ),
        }
        out.push_str(&render_messages(&self.wording));
        out
    }
}

/// The messages of a question and the schema of its reply.
pub fn render_messages(wording: &QuestionWording) -> String {
    let mut out = String::new();
    for message in &wording.messages {
        put_line!(out, "\n--- {}\n{}", message.role.as_str(), escape_but_tabs(&message.content()));
    }
    match &wording.schema {
        Some(schema) => {
            let schema = serde_json::to_string_pretty(schema).expect("invariant: a schema is JSON");
            put_line!(out, "\n--- the reply's JSON schema\n{}", escape_unseen(&schema));
        }
        None => out.push_str("\n--- the reply is free text with the lines asked for above\n"),
    }
    out
}
