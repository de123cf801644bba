//! Replies that were cut by their length: asked for once more with more room, never repaired, and the same whatever way a session
//! is conducted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{assert_same, calls, ekklesia, json_lines, text};
use crate::fixtures::played::{self, ballot, completion, live, plan, serve, vote};
use ekklesia::domain::{Fault, Query, Room};
use ekklesia::plan::{OpenAiModel, Plan};
use ekklesia::session::QuestionWording;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// Tokens of a reply by the config.
const PLANNED: u64 = 60;

/// A server that cuts some replies whatever room they have, and others only in the room of the config. A cut reply uses all its
/// room.
fn cutting(request: &Request) -> ResponseTemplate {
    let body: Value = request.body_json().expect("a request is JSON");
    let room = body["max_tokens"].as_u64().expect("a limit");
    let [first, second, ..] = *blake3::hash(body["messages"].to_string().as_bytes()).as_bytes();
    let is_cut = match first % 4 {
        0 => room == PLANNED,
        1 => second % 2 == 0,
        _ => false,
    };
    let chosen = ["for", "against"][usize::from(second % 2)];
    let choice = json!({ "choice": chosen }).to_string();
    let said = json!({ "statement": "I have thought about it.", "stance": "for" }).to_string();
    let form = &body["response_format"]["json_schema"]["schema"]["properties"];
    let content = if form.get("choice").is_some() { choice } else { said };
    let (content, finish, used) = if is_cut { (&content[..7], "length", room) } else { (&content[..], "stop", 9) };
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "finish_reason": finish, "message": { "role": "assistant", "content": content } }],
        "usage": { "prompt_tokens": 90, "completion_tokens": used },
    }))
}

fn config(base_url: &str) -> String {
    format!(
        "
experiment: trial
scenario: {}/scenarios/motion
seed: 7
replicates: 4
models:
  small: {{ openai: {{ base_url: \"{base_url}\", model: played, max_tokens: {PLANNED}, context_window: 9000, concurrency: 3 }} }}
seat_defaults: {{ model: small }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 3, order: random, vote: at_end }}
decision: {{ invalid: abstain }}
",
        env!("CARGO_MANIFEST_DIR")
    )
}

fn sessions(out: &Path) -> Vec<std::path::PathBuf> {
    (1..=4).map(|n| out.join(format!("sessions/baseline-r{n:06}"))).filter(|folder| folder.exists()).collect()
}

/// Completion tokens that the recorded calls of a folder used, and all tokens.
fn used(out: &Path) -> (u64, u64) {
    let files = sessions(out).into_iter().map(|folder| folder.join("calls.jsonl")).filter(|file| file.exists());
    let usages = files.flat_map(|file| calls(&file)).map(|line| line["usage"].clone());
    usages.fold((0, 0), |(completion, all), usage| {
        let tokens = |key: &str| usage[key].as_u64().expect("tokens");
        (completion + tokens("completion_tokens"), all + tokens("prompt_tokens") + tokens("completion_tokens"))
    })
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_cut_reply_has_twice_the_room_once_however_often_the_run_is_stopped() {
    let (runtime, place) = (Runtime::new().unwrap(), tempfile::tempdir().unwrap());
    let server = runtime.block_on(MockServer::start());
    runtime.block_on(Mock::given(method("POST")).respond_with(cutting).mount(&server));
    let file = place.path().join("config.yaml");
    fs::write(&file, config(&format!("{}/v1", server.uri()))).unwrap();
    let (whole, parts) = (place.path().join("whole"), place.path().join("parts"));
    ekklesia(&["run", text(&file), "--out", text(&whole)]).says(0, &[]);

    // What each question had is a function of the faults before it in the minutes.
    let mut rooms: BTreeMap<u64, usize> = BTreeMap::new();
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    for folder in sessions(&whole) {
        let mut cuts: BTreeMap<String, u32> = BTreeMap::new();
        for record in json_lines(&folder.join("minutes.jsonl")) {
            let Some(seat) = record.get("seat") else { continue };
            let cuts = cuts.entry(format!("{} {seat}", record["at"])).or_default();
            *rooms.entry(if *cuts == 1 { 2 * PLANNED } else { PLANNED }).or_default() += 1;
            let fault = record["event"]["Faulted"]["fault"].as_str();
            *cuts += u32::from(fault == Some("cut_by_length"));
            *faults.entry(fault.map_or(String::new(), str::to_owned)).or_default() += 1;
            assert!(fault.is_some() || record["event"].get("Faulted").is_none());
        }
    }
    let requests = runtime.block_on(server.received_requests()).unwrap();
    let mut asked: BTreeMap<u64, usize> = BTreeMap::new();
    for request in &requests {
        let body: Value = request.body_json().unwrap();
        *asked.entry(body["max_tokens"].as_u64().unwrap()).or_default() += 1;
        let is_told =
            body["messages"].to_string().contains("Your last reply was too long and was cut off. Be much shorter.");
        assert!(is_told || body["max_tokens"] == PLANNED, "who has more room is told to use less");
    }
    assert_eq!(asked, rooms);
    assert!(asked[&(2 * PLANNED)] > 3 && faults["cut_by_length"] > asked[&(2 * PLANNED)], "{asked:?} {faults:?}");

    let checked: Value = serde_json::from_str(&ekklesia(&["check", text(&file), "--json"]).stdout).unwrap();
    let most = checked["forecast"]["models"]["completion_tokens_at_most"].as_u64();
    let most = most.unwrap_or_else(|| panic!("{checked:#}"));
    assert!(used(&whole).0 <= most, "{} of {most}", used(&whole).0);

    let all = used(&whole).1;
    for budget in [all / 3, all * 2 / 3] {
        let budget_words = budget.to_string();
        ekklesia(&["run", text(&file), "--out", text(&parts), "--budget-tokens", &budget_words]).says(4, &[]);
        assert!(used(&parts).1 <= budget, "what was set aside has the room of each");
    }
    ekklesia(&["run", text(&file), "--out", text(&parts)]).says(0, &[]);
    assert_same(&whole, &parts);
    assert_eq!(runtime.block_on(server.received_requests()).unwrap().len(), 2 * requests.len());
    let copy = place.path().join("copy");
    for folder in sessions(&whole) {
        let to = copy.join("sessions").join(folder.file_name().unwrap());
        fs::create_dir_all(&to).unwrap();
        fs::copy(folder.join("calls.jsonl"), to.join("calls.jsonl")).unwrap();
    }
    ekklesia(&["run", text(&file), "--offline", "--out", text(&copy)]).says(0, &[]);
    assert_same(&whole, &copy);
    ekklesia(&["replay", text(&whole)]).says(0, &["no divergence"]);
}

fn cut(attempt: u8) -> Query<'static> {
    Query { room: Room::Doubled, retry: Some(Fault::CutByLength), ..ballot(attempt) }
}

#[test]
fn more_room_is_what_the_window_has_beside_the_prompt_and_never_less_than_planned() {
    let words = |plan: &Plan, query: &Query<'_>, model: &OpenAiModel| {
        let agents = plan.agents(1);
        QuestionWording::for_model(plan, &agents, query, model).unwrap()
    };
    let plan = plan("http://127.0.0.1:9/v1", played::MOTION);
    let model = |window: Option<u32>| OpenAiModel {
        context_window: window,
        context_margin_ppm: 1_000_000,
        ..plan.models[0].clone()
    };
    let (planned, free) = (u64::from(plan.models[0].max_tokens), words(&plan, &cut(1), &model(None)));
    assert_eq!(u64::from(free.reply_tokens_max), 2 * planned);
    assert_eq!(words(&plan, &ballot(1), &model(None)).reply_tokens_max, plan.models[0].max_tokens);
    let prompt = free.tokens_at_most();
    for spare in 0..=2 * planned + 9 {
        let model = model(Some(u32::try_from(prompt + spare).unwrap()));
        let wording = words(&plan, &cut(1), &model);
        assert_eq!(u64::from(wording.reply_tokens_max), spare.clamp(planned, 2 * planned));
        assert_eq!(wording.is_too_long(&model), spare < planned, "what fits does so with more room, too");
        assert_eq!(wording.schema, words(&plan, &ballot(1), &model).schema, "no longer reply is asked for");
    }
}

#[tokio::test]
async fn a_server_that_gives_no_more_room_is_asked_as_planned_again() {
    let refusals = [
        json!({ "error": { "message": "max_tokens is too large: 80. This model supports at most 40 completion tokens, whereas \
                           you provided 80.", "type": "invalid_request_error", "param": "max_tokens", "code": null } }),
        json!({ "type": "error", "error": { "type": "invalid_request_error",
                "message": "max_tokens: 80 > 40, which is the maximum allowed number of output tokens for the model" } }),
    ];
    for refusal in refusals {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls.jsonl");
        let server = serve(vec![ResponseTemplate::new(400).set_body_json(&refusal)]).await;
        let seats = live(&server, &file);
        let answer = ekklesia::ports::Backend::answer(&seats, &cut(1)).await.unwrap();
        assert_eq!(answer.parsed, Err(Fault::CutByLength), "the reply stays cut");
        assert!(answer.raw.contains("tokens"), "in the server's words");
        assert_eq!(answer.usage.map(|usage| usage.completion_tokens), Some(0), "nothing was charged");
        let planned = Query { room: Room::Planned, ..cut(2) };
        assert!(
            ekklesia::ports::Backend::answer(&seats, &planned).await.is_err(),
            "of the config's own that is a mistake"
        );
        let rooms: Vec<Value> = server
            .received_requests()
            .await
            .unwrap()
            .iter()
            .map(|request| request.body_json::<Value>().unwrap()["max_tokens"].clone())
            .collect();
        assert_eq!(rooms, [80, 40]);
    }
    let server = serve(vec![
        completion(json!({ "role": "assistant", "content": "{\"choice\": \"for\"}" }), "length"),
        vote("for"),
    ])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let seats = live(&server, &folder.path().join("calls.jsonl"));
    let answer = ekklesia::ports::Backend::answer(&seats, &ballot(0)).await.unwrap();
    assert_eq!(answer.parsed, Err(Fault::CutByLength), "a vote that can be read in a cut reply is none");
}
