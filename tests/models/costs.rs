//! What calls cost: the same in every table and grouping, as the budget counts it, and known before.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::fixtures::cli::{self, ekklesia, json_lines, text};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// What a model thinks, and nobody else is to read.
const THOUGHT: &str = "THOUGHT-BY-ITSELF";

/// A server that thinks, charges by the length of prompts, and now and then answers with a page instead, once for a request.
#[derive(Default)]
struct Thinking(Mutex<Vec<Vec<u8>>>);

impl Respond for Thinking {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let body: Value = request.body_json().expect("a request is JSON");
        let [first, second, third, ..] = *blake3::hash(body["messages"].to_string().as_bytes()).as_bytes();
        let mut seen = self.0.lock().expect("no test has panicked");
        if first % 8 == 0 && !seen.contains(&request.body) {
            seen.push(request.body.clone());
            return ResponseTemplate::new(200).set_body_string("<html>");
        }
        let form = &body["response_format"]["json_schema"]["schema"]["properties"];
        let stance = ["for", "against"][usize::from(second % 2)];
        let reply = match form.get("choice") {
            _ if third % 7 == 0 => "I cannot say.".to_owned(),
            Some(_) => json!({ "choice": stance }).to_string(),
            None => json!({ "statement": "I have thought about it.", "stance": stance }).to_string(),
        };
        let (aloud, kept) = match third % 2 {
            0 => (format!("<think>{THOUGHT}</think>{reply}"), None),
            _ => (reply, Some(THOUGHT)),
        };
        let tokens = body["messages"].to_string().len() / 4;
        let details = if third % 3 == 0 { Value::Null } else { json!({ "reasoning_tokens": 5 }) };
        let cached = if second % 3 == 0 { Value::Null } else { json!({ "cached_tokens": tokens / 2 }) };
        ResponseTemplate::new(200).set_body_json(json!({
            "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": aloud, "reasoning_content": kept } }],
            "usage": {
                "prompt_tokens": tokens, "completion_tokens": 20, "completion_tokens_details": details,
                "prompt_tokens_details": cached,
            },
        }))
    }
}

struct Place {
    runtime: Runtime,
    server: MockServer,
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let server = runtime.block_on(MockServer::start());
        runtime.block_on(Mock::given(method("POST")).respond_with(Thinking::default()).mount(&server));
        Self { runtime, server, folder: tempfile::tempdir().expect("a folder") }
    }

    fn config(&self, limits: &str) -> PathBuf {
        let file = self.folder.path().join("config.yaml");
        let text = format!(
            "
experiment: trial
scenario: {}/scenarios/motion
seed: 5
replicates: 2
models:
  sim: {{ simulated: {{}} }}
  cheap: {{ openai: {{ base_url: \"{url}\", model: one, context_window: 9000, price: {{ input_per_mtok: 0.15, cached_input_per_mtok: 0.05, output_per_mtok: 0.6 }} }} }}
  dear: {{ openai: {{ base_url: \"{url}\", model: two, context_window: 9000, price: {{ input_per_mtok: 3, output_per_mtok: 15.000001 }} }} }}
seats: [{{ name: Alice, model: cheap }}, {{ name: Bob, model: dear }}, {{ name: Carol, model: sim }}]
discussion: {{ rounds: 3, order: random, vote: at_end }}
decision: {{ rule: majority, invalid: abstain }}
design: {{ factors: {{ rule: {{ key: decision.rule, levels: [majority, unanimity] }} }} }}
{limits}
",
            env!("CARGO_MANIFEST_DIR"),
            url = format_args!("{}/v1", self.server.uri()),
        );
        fs::write(&file, text).expect("a config");
        file
    }

    fn asked(&self) -> Vec<Request> {
        self.runtime.block_on(self.server.received_requests()).expect("requests are kept")
    }
}

/// An exact amount in 10⁻¹⁵ dollars.
fn femto(text: &str) -> u128 {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{decimals:0<15}").parse().unwrap_or_else(|_| panic!("{text:?} is no amount"))
}

fn usd(value: &Value) -> u128 {
    (value.as_f64().unwrap_or_else(|| panic!("{value} is no amount")) * 1e15).round() as u128
}

fn table(out: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(out.join(name)).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// What tokens cost at the prices of the config.
fn price(model: &str, usage: &Value) -> u128 {
    let tokens = |key: &str| u128::from(usage[key].as_u64().expect("tokens"));
    // Of one model the tokens that a server had kept cost less, of the other nothing else is said.
    let [input, kept, output] = match model {
        "cheap" => [150_000_000, 50_000_000, 600_000_000],
        _ => [3_000_000_000, 3_000_000_000, 15_000_001_000],
    };
    let cached = u128::from(usage["cached_prompt_tokens"].as_u64().unwrap_or(0));
    (tokens("prompt_tokens") - cached) * input + cached * kept + tokens("completion_tokens") * output
}

fn experiment(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("experiment.json")).expect("totals")).expect("JSON")
}

/// The tables, which hold answers alone, agree with the account, and cells are explained.
fn assert_tables_agree(out: &Path, account: &Value, told: u128) {
    let (answers, sessions) = (table(out, "answers.csv"), table(out, "sessions.csv"));
    let mut by_step: BTreeMap<&str, u128> = BTreeMap::new();
    let (mut thought, mut kept) = (0, 0);
    for row in &answers {
        *by_step.entry(&row["step"]).or_default() += femto(&row["cost_usd"]);
        assert_eq!(row["seat"] == "Carol", row["cost_usd"] == "0.000000", "a mind costs nothing: {row:?}");
        thought += row["thinking_tokens"].parse::<u64>().unwrap_or(0);
        kept += row["cached_prompt_tokens"].parse::<u64>().unwrap_or(0);
    }
    for (step, cost) in &by_step {
        assert_eq!(account["by_step"].get(*step).map_or(0, |sum| usd(&sum["cost_usd"])), *cost, "{step}");
    }
    assert_eq!(by_step.values().sum::<u128>(), told);
    assert_eq!(sessions.iter().map(|row| femto(&row["cost_usd"])).sum::<u128>(), told);
    assert_eq!(sessions.iter().map(|row| row["thinking_tokens"].parse::<u64>().expect("tokens")).sum::<u64>(), thought);
    assert!(thought > 0 && answers.iter().any(|row| row["thinking_tokens"].is_empty()), "what is not told is empty");
    assert_eq!(
        sessions.iter().map(|row| row["cached_prompt_tokens"].parse::<u64>().expect("tokens")).sum::<u64>(),
        kept
    );
    assert_eq!(
        table(out, "rounds.csv").iter().filter_map(|row| row["cached_prompt_tokens"].parse::<u64>().ok()).sum::<u64>(),
        kept
    );
    assert_eq!(account["all"]["cached_prompt_tokens"], json!(kept));
    assert!(kept > 0 && answers.iter().any(|row| row["cached_prompt_tokens"].is_empty()), "what is not told is empty");
    for cell in [
        "answers.csv:2:cached_prompt_tokens",
        "sessions.csv:2:cached_prompt_tokens",
        "sessions.csv:1:cost_usd",
        "answers.csv:2:cost_usd",
        "sessions.csv:2:thinking_tokens",
    ] {
        ekklesia(&["why", &format!("{}/{cell}", out.display())]).says(0, &[]);
    }
}

#[test]
fn sums_by_any_grouping_equal_the_whole_and_the_whole_is_what_the_records_say() {
    let place = Place::new();
    let (config, out) = (place.config(""), place.folder.path().join("out"));
    let run = ekklesia(&["run", text(&config), "--out", text(&out)]);
    run.says(0, &["model calls", "with no answer"]);

    // The records themselves.
    let (mut told, mut untold, mut attempts, mut calls) = (0, 0, 0, 0);
    for session in fs::read_dir(out.join("sessions")).unwrap() {
        for line in json_lines(&session.unwrap().path().join("calls.jsonl")) {
            let Some(asked) = line["asked"].as_str().filter(|_| line.get("begun").is_none()) else { continue };
            calls += 1;
            told += price(asked, &line["usage"]);
            for at_most in line["attempts"].as_array().unwrap().iter().filter_map(|attempt| attempt.get("at_most")) {
                attempts += 1;
                untold += price(asked, at_most);
            }
        }
    }
    assert!(attempts > 0 && told > 0);
    let totals = experiment(&out);
    let account = &totals["account"];
    assert_eq!(usd(&totals["cost_usd"]), told + untold, "what the budget counts");
    assert_eq!((usd(&account["all"]["cost_usd"]), usd(&account["all"]["cost_untold_usd_at_most"])), (told, untold));
    assert_eq!((&account["all"]["calls"], &account["all"]["attempts_untold"]), (&json!(calls), &json!(attempts)));
    for by in ["by_arm", "by_seat", "by_phase", "by_step", "by_model"] {
        let groups = account[by].as_object().unwrap();
        assert!(groups.len() > 1, "{by}");
        for (key, whole) in account["all"].as_object().unwrap() {
            let sum = |of: &dyn Fn(&Value) -> u128| groups.values().map(|group| of(&group[key])).sum::<u128>();
            let of: &dyn Fn(&Value) -> u128 =
                if key.contains("usd") { &usd } else { &|value| value.as_u64().unwrap().into() };
            assert_eq!(sum(of), of(whole), "{key} {by}");
        }
    }
    assert_tables_agree(&out, account, told);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);

    // What a model thought is in its call and nowhere else.
    let asked = place.asked();
    assert!(asked.iter().all(|request| !String::from_utf8_lossy(&request.body).contains(THOUGHT)));
    for (file, bytes) in cli::everything(&out) {
        let holds = String::from_utf8_lossy(&bytes).contains(THOUGHT);
        assert_eq!(holds, file.ends_with("calls.jsonl"), "{}", file.display());
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_has_its_parents_limits_for_its_own_calls_and_pays_for_no_answer_of_its_parent() {
    let place = Place::new();
    let (config, out) = (place.config("limits: { tokens: 2500 }"), place.folder.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--budget-tokens", "9000000"]).says(0, &[]);
    let change = place.folder.path().join("change.yaml");
    fs::write(&change, "at: { seat: Alice, phase: discussion, round: 2 }\nsilent: true\n").unwrap();
    let session = out.join("sessions/majority-r000001");
    let (fork, before) = (place.folder.path().join("fork"), place.asked().len());
    let arguments = ["fork", text(&session), "--change", text(&change), "--out", text(&fork)];
    ekklesia(&[&arguments[..], &["--budget-tokens", "1"]].concat()).says(4, &["the budget of 1 tokens"]);
    assert_eq!(place.asked().len(), before, "nothing was left for a call");
    ekklesia(&arguments).says(4, &["the budget of 2500 tokens (limits.tokens or --budget-tokens)"]);
    let spent = |lines: &[Value]| {
        let own = lines.iter().filter(|line| line.get("taken_over").is_none() && line.get("usage").is_some());
        own.map(|line| {
            ["prompt_tokens", "completion_tokens"].map(|key| line["usage"][key].as_u64().unwrap()).iter().sum::<u64>()
        })
        .sum::<u64>()
    };
    let record = fork.join("sessions/majority-r000001/calls.jsonl");
    assert!((1..=2500).contains(&spent(&json_lines(&record))));
    ekklesia(&[&arguments[..], &["--budget-tokens", "9000000"]].concat()).says(0, &[]);
    let lines = json_lines(&record);
    assert!(lines.iter().any(|line| line["taken_over"] == true));
    let all = &experiment(&fork)["account"]["all"];
    let told = all["prompt_tokens"].as_u64().unwrap() + all["completion_tokens"].as_u64().unwrap();
    assert_eq!(told, spent(&lines), "what the parent paid for is not the fork's");
}

#[test]
fn what_the_limits_do_not_allow_is_told_before_anything_is_spent() {
    let place = Place::new();
    let enough = place.config("limits: { usd: 500, tokens: 90000000 }");
    let told = ekklesia(&["check", text(&enough)]);
    assert!(!told.stdout.contains("limits."), "{told:#?}");
    let little = place.config("limits: { usd: 0.01, tokens: 30000 }");
    ekklesia(&["check", text(&little)]).says(0, &["limits.usd", "of 4 sessions", "limits.tokens"]);
    let out = place.folder.path().join("out");
    ekklesia(&["run", text(&little), "--out", text(&out)]).says(4, &["forecast", "of 4 sessions"]);
    let nothing = place.config("limits: { usd: 0 }");
    ekklesia(&["check", text(&nothing)]).says(2, &["limits.usd", "leaves nothing for calls"]);
}
