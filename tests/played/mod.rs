//! A plan with one model, questions to its seats, and a server that plays prepared responses.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its own part of this")]

#[path = "../shipped/mod.rs"]
mod shipped;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ekklesia::adapters::calls::CallRecord;
use ekklesia::adapters::models::{ModelSeats, Reuse};
use ekklesia::adapters::openai::{Clients, Retries};
use ekklesia::chance::Pairing;
use ekklesia::choice::DecisionRule;
use ekklesia::domain::*;
use ekklesia::plan::*;
use ekklesia::ports::Backend;
use ekklesia::prompt::{Pack, Procedure, Setting, TEMPLATES, Votes};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

fn pack(motion: &Motion) -> Pack {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/motion/prompts/en");
    let templates: BTreeMap<String, String> = TEMPLATES
        .iter()
        .map(|name| {
            let source = std::fs::read_to_string(format!("{folder}/{name}.j2")).unwrap();
            ((*name).to_owned(), source)
        })
        .collect();
    let setting = Setting {
        motion,
        parameters: &[],
        procedure: Procedure {
            seats: 3,
            ballots: 3,
            rounds: 3,
            votes: Votes::AtEnd,
            rule: RuleKind::Majority,
            ballots_needed: Some(2),
            tolerance: 0,
            roll_call: false,
        },
        mechanism: None,
        needs: &[],
    };
    Pack::compile(&templates, &setting).unwrap()
}

fn agent(name: &str) -> Agent {
    let persona = Some("A retired teacher.".to_owned());
    Agent { name: name.to_owned(), public_name: name.to_owned(), persona }
}

fn small(base_url: &str) -> OpenAiModel {
    OpenAiModel {
        name: "small".to_owned(),
        server: Server::Other,
        base_url: base_url.to_owned(),
        model: "smollm2-135m".to_owned(),
        temperature: Some(0.7),
        max_tokens: 40,
        answers: Answers::JsonSchema,
        api_key_env: None,
        timeout_s: 10,
        retry_for_s: 600,
        requests_per_minute: None,
        tokens_per_minute: None,
        concurrency: 2,
        context_window: None,
        context_margin_ppm: 800_000,
        tokenizer: None,
        price: None,
        price_from: Origin::Default,
    }
}

/// A motion of two alternatives.
fn question(motion: &str) -> Motion {
    let alternative = |name: &str, label: &str| Alternative {
        name: AlternativeName::new(name),
        label: label.to_owned(),
        status_quo: name == "against",
        takes_amount: false,
        said: None,
    };
    Motion {
        text: motion.to_owned(),
        alternatives: [("for", "build the bike lane"), ("against", "leave the street as it is")]
            .map(|(name, label)| alternative(name, label))
            .to_vec(),
        amount_max: None,
        amount_min: 1,
        unit: None,
        language: Default::default(),
    }
}

pub fn plan(base_url: &str, motion: &str) -> Plan {
    let seat = |name: &str| Seat {
        name: SeatName::new(name),
        agent: agent(name),
        is_self_named: false,
        pool: None,
        role: SeatRole::Member,
        model: "small".to_owned(),
        sitter: Sitter::Model(0),
    };
    let motion = question(motion);
    let shared = ArmPlan {
        null: None,
        network: Network::Complete,
        wording: "scenario".to_owned(),
        questions: None,
        roll_call: false,
        asks_opinion: false,
        imposed: None,
        experiment: "test".to_owned(),
        arm: "baseline".to_owned(),
        levels: Vec::new(),
        seed: 1,
        pairing: Pairing::CommonRandomNumbers,
        language: "en".to_owned(),
        prompts: pack(&motion),
        seats: ["Alice", "Bob", "Carol"].map(seat).to_vec(),
        decision: decision(),
        voting: Default::default(),
        electorate: Default::default(),
        controls: Controls { anonymous: false, recognition_probe: false, option_order: OptionOrder::Fixed },
        memory: shipped::shipped(),
        summary_model: SummaryModel::Seat,
        lender: None,
        matched: None,
        notes_lines: None,
        memory_focus: None,
        interventions: Vec::new(),
        exhibits: Vec::new(),
        evidence: None,
        mechanism: None,
        pools: Vec::new(),
        parameters: Vec::new(),
        tries_max: 3,
        models: vec![small(base_url)],
    };
    Plan {
        item: None,
        digest: Digest::of(b"plan"),
        motion: Arc::new(motion),
        agenda: Vec::new(),
        wave: None,
        shared: Arc::new(shared),
    }
}

pub const MOTION: &str = "Should the city build a bike lane on Main Street?";
/// The usual patience, but for the time it takes.
pub const QUICK: Retries =
    Retries { first: Duration::from_millis(1), longest: Duration::from_millis(1), tries_unproven: 4 };

pub fn seats(plan: Plan, clients: Option<&Clients>, record: CallRecord) -> ModelSeats {
    ModelSeats::new(Arc::new(plan), 1, clients, record, Reuse::Own, Arc::new(AtomicBool::new(false)))
}

pub fn live(server: &MockServer, file: &Path) -> ModelSeats {
    let plan = plan(&format!("{}/v1", server.uri()), MOTION);
    seats(plan, Some(&Clients::retrying(QUICK)), CallRecord::open(file).unwrap().0)
}

pub fn options() -> Vec<AlternativeId> {
    vec![AlternativeId(1), AlternativeId(0)]
}

pub fn ballot(attempt: u8) -> Query<'static> {
    query(Ask::Ballot { options: options(), form: BallotForm::Choice, may_abstain: false }, Step::Ballot, attempt)
}

pub fn statement() -> Query<'static> {
    let ask = Ask::Statement { options: options(), chars_min: 0, marks: false, opinion: false };
    query(ask, Step::Statement, 0)
}

pub fn query(ask: Ask, step: Step, attempt: u8) -> Query<'static> {
    static STATE: MindState = MindState(Vec::new());
    Query {
        id: QuestionId {
            at: Moment { phase: PhaseName::new("vote"), round: 0, turn: 0, step },
            seat: SeatName::new("Bob"),
            attempt,
        },
        seat: SeatId(1),
        ask,
        offer: ekklesia::domain::Offer::NONE,
        retry: None,
        room: Room::Planned,
        brief: Brief {
            style: GuidanceStyle::Narrative,
            seat: SeatId(1),
            remarks: Remarks::default(),
            summaries: Stretch::default(),
            since: Vec::new(),
            standing: None,
            pinned: &[],
            own: Stretch::default(),
            heard: Heard {
                all: (&[], &[]),
                own: (&[], &[]),
                amounts: [].as_slice().into(),
                from: 0,
                ..Heard::default()
            },
            recalled: Vec::new(),
            found: None,
            signal: None,
            facts: &[],
            case: &[],
            is_cut: false,
        },
        shown: Shown::default(),
        pushes: None,
        first: ekklesia::domain::First::Own,
        truth: None,
        state: &STATE,
        chosen: &[],
    }
}

/// A response of a real server.
pub fn real(sample: &str) -> ResponseTemplate {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/llm");
    let text = std::fs::read_to_string(format!("{folder}/smollm2_{sample}.json")).unwrap();
    let sample: Value = serde_json::from_str(&text).unwrap();
    let status = sample["status"].as_u64().unwrap() as u16;
    ResponseTemplate::new(status).set_body_json(&sample["response"])
}

pub fn completion(message: Value, finish_reason: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "index": 0, "finish_reason": finish_reason, "message": message }],
        "model": "smollm2-135m",
        "system_fingerprint": "b0-unknown",
        "usage": { "prompt_tokens": 90, "completion_tokens": 8, "total_tokens": 98 },
    }))
}

pub fn vote(name: &str) -> ResponseTemplate {
    let content = format!("{{\"choice\": \"{name}\"}}");
    completion(json!({ "role": "assistant", "content": content }), "stop")
}

pub async fn serve(responses: Vec<ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let last = responses.len() - 1;
    for (place, response) in responses.into_iter().enumerate() {
        let mock = Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(response);
        let mock = if place < last { mock.up_to_n_times(1) } else { mock };
        mock.with_priority(place as u8 + 1).mount(&server).await;
    }
    server
}

pub async fn ask(
    responses: Vec<ResponseTemplate>,
    query: &Query<'_>,
) -> (Result<Answer, Outage>, Vec<Value>, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(responses).await;
    let answer = live(&server, &file).answer(query).await;
    let requests = server.received_requests().await.unwrap();
    let bodies = requests.iter().map(|request| request.body_json().unwrap()).collect();
    let lines = std::fs::read_to_string(&file).unwrap_or_default();
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (answer, bodies, lines)
}

fn decision() -> DecisionRule {
    DecisionRule {
        rule: RuleKind::Majority,
        base: Base::Members,
        invalid: InvalidBallots::Abstain,
        tie_break: TieBreak::Lot,
        threshold: None,
        amount_tolerance: 0,
    }
}
