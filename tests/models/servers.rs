//! What servers of many kinds say, and what is made of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::fixtures::desk::Desk;
use crate::fixtures::played::*;
use ekklesia::config::ResolvedExperiment;
use ekklesia::domain::*;
use ekklesia::plan::{Answers, Origin, ReasoningEffort, SERVERS, Sampling, Server, TABLE_OF};
use ekklesia::ports::Backend;
use ekklesia::service::openai::{Clients, OnModelChange, ServedModels};
use ekklesia::store::calls::CallRecord;
use ekklesia::store::calls::ServedModel;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

fn cases(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{}/tests/data/servers/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!cases.is_empty());
    cases
}

fn word<'c>(case: &'c Value, key: &str) -> Option<&'c str> {
    case[key].as_str()
}

#[tokio::test]
async fn an_error_of_any_shape_keeps_its_status_and_its_words() {
    for case in cases("errors.json") {
        let name = word(&case, "name").unwrap();
        let status = case["status"].as_u64().unwrap();
        let response = ResponseTemplate::new(status as u16).set_body_string(word(&case, "body").unwrap());
        let (answer, requests, lines) = ask(vec![response, vote("for")], &ballot(0)).await;
        let words = word(&case, "words").unwrap();
        let attempts = lines[0]["attempts"].as_array().unwrap();
        assert_eq!(attempts[0]["status"], status, "{name}: the status is kept");
        let told = format!("HTTP {status}: {}", attempts[0]["failure"].as_str().unwrap());
        let expected = words.replace("error 502: ", "").replace("error 402: ", "").replace("error 429: ", "");
        match word(&case, "then").unwrap() {
            "passes" => {
                assert_eq!(answer.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())), "{name}");
                assert_eq!((requests.len(), attempts.len()), (2, 2), "{name}");
                assert_eq!(told, expected, "{name}");
            }
            "stops" => {
                let outage = answer.expect_err(name).to_string();
                assert!(outage.contains(words), "{name}: {outage}");
                assert_eq!((requests.len(), attempts.len()), (1, 1), "{name}: nothing is asked again");
            }
            "too_long" => {
                let answer = answer.expect(name);
                assert_eq!(answer.parsed, Err(Fault::ContextTooLong), "{name}");
                assert!(answer.raw.starts_with(words), "{name}: {}", answer.raw);
                assert_eq!(requests.len(), 1, "{name}");
            }
            then => panic!("{name}: {then}"),
        }
    }
}

#[tokio::test]
async fn a_server_that_fails_in_another_way_each_time_is_there() {
    let page = || ResponseTemplate::new(200).set_body_string("<html>");
    let of = |status: u16| ResponseTemplate::new(status).set_body_string("oh");
    // One that fails four times in the same way before it ever answered is given up.
    let failures =
        vec![of(500), page(), of(502), of(503), of(500), page(), page(), page(), of(529), of(500), vote("for")];
    let (answer, requests, lines) = ask(failures, &ballot(0)).await;
    assert_eq!(answer.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())));
    assert_eq!((requests.len(), lines[0]["attempts"].as_array().unwrap().len()), (11, 11));
}

/// A server whose body has no end, of a length that is told or not; who asks and leaves ends it.
fn endless(head: &'static str, chunk: &'static str) -> String {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _asked = stream.read(&mut [0; 65_536]).unwrap();
            let more = format!("{chunk}{}\r\n", " ".repeat(0x10_0000));
            let mut sent = stream.write_all(head.as_bytes());
            while sent.is_ok() {
                sent = stream.write_all(more.as_bytes());
            }
        }
    });
    format!("http://{address}/v1")
}

#[tokio::test]
async fn a_body_without_an_end_is_not_read_to_the_end() {
    for (head, chunk, status) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n", "", 200),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "100000\r\n", 200),
        ("HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n", "100000\r\n", 500),
    ] {
        let mut plan = plan(&endless(head, chunk), MOTION);
        Arc::make_mut(&mut plan.shared).models[0].retry_for_s = 0;
        let folder = tempfile::tempdir().unwrap();
        let outage = live_on(plan, &folder.path().join("calls.jsonl")).answer(&ballot(0)).await.unwrap_err();
        let told = format!("HTTP {status}: its body has more than 64 MB");
        assert!(outage.to_string().contains(&told), "{outage}");
    }
}

#[tokio::test]
async fn a_reply_is_read_whatever_stands_around_it() {
    for case in cases("replies.json") {
        let name = word(&case, "name").unwrap();
        let response = ResponseTemplate::new(200).set_body_json(&case["body"]);
        let (answer, requests, lines) = ask(vec![response], &ballot(0)).await;
        let answer = answer.expect(name);
        let fault = answer.parsed.err().map(Fault::as_str);
        assert_eq!((fault, answer.raw.as_str()), (word(&case, "fault"), word(&case, "raw").unwrap()), "{name}");
        assert_eq!(requests.len(), 1, "{name}: what was made is paid for, and asked for again by the engine alone");
        for (key, of) in [("finish_reason", "finish_reason"), ("model", "model"), ("fingerprint", "fingerprint")] {
            assert_eq!(word(&lines[0], of), word(&case, key), "{name}: {key}");
        }
        assert_eq!(lines[0]["usage"], case["usage"], "{name}: usage");
    }
}

#[tokio::test]
async fn a_key_by_which_a_library_knows_json_within_json_is_a_key_like_any_other() {
    // Were it read as that, a text would become a number, a choice or a whole completion that nobody sent.
    for key in
        ["$serde_json::private::RawValue", "\\u0024serde_json::private::RawValue", "$serde_json::private::Number"]
    {
        let within = |json: &str| format!("{{\"{key}\":{}}}", Value::from(json));
        let completion = |message: &str| format!(r#"{{"choices":[{{"message":{message},"finish_reason":"stop"}}]}}"#);
        let answered = async |body: &str| {
            let server = serve(vec![ResponseTemplate::new(200).set_body_string(body)]).await;
            let folder = tempfile::tempdir().unwrap();
            live(&server, &folder.path().join("calls.jsonl")).answer(&ballot(0)).await
        };
        let whole = completion(r#"{"content":"{\"choice\":\"for\"}"}"#);
        assert_eq!(answered(&whole).await.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())));
        let outage = answered(&within(&whole)).await.unwrap_err().to_string();
        assert!(outage.contains("not a chat completion: it has no choices"), "{outage}");
        let content = completion(&format!("{{\"content\":{}}}", within(r#""{\"choice\":\"for\"}""#)));
        let answer = answered(&content).await.unwrap();
        assert_eq!((answer.parsed, answer.raw.as_str()), (Err(Fault::Empty), ""), "an object is no text");
        let reply = within(r#"{"choice":"for"}"#);
        let answer = answered(&completion(&format!("{{\"content\":{}}}", Value::from(reply.as_str())))).await.unwrap();
        assert_eq!((answer.parsed, answer.raw), (Err(Fault::Unreadable), reply), "nor a choice");
    }
}

fn config(openai: &str) -> String {
    format!(
        "experiment: served\nscenario: scenario\nseed: 7\nmodels:\n  m: {{ openai: {{ {openai} }} }}\n\
         seat_defaults: {{ model: m }}\nseats: [{{ name: Alice }}, {{ name: Bob }}]\n"
    )
}

fn resolved(openai: &str) -> ResolvedExperiment {
    Desk::new().resolve(&config(openai)).unwrap_or_else(|problems| panic!("{openai}: {problems}"))
}

#[test]
fn a_kind_of_server_takes_the_place_of_what_is_left_out_and_of_nothing_else() {
    let of = |openai: &str| resolved(openai).experiment.arms[0].models[0].clone();
    let model = of("server: openai, model: gpt-4o-2024-08-06");
    assert_eq!((model.server, model.base_url.as_str()), (Server::Openai, "https://api.openai.com/v1"));
    assert_eq!(model.api_key_env.as_deref(), Some("OPENAI_API_KEY"));
    assert_eq!((model.answers, model.price.unwrap().output_per_mtok), (Answers::JsonSchema, 10.0));
    assert_eq!(model.price_from, Origin::Table);
    let model = of("server: anthropic, model: claude-haiku-4-5");
    assert_eq!(model.answers, Answers::Anchored, "it looks at no schema");
    assert_eq!(of("server: anthropic, model: x, answers: json_schema").answers, Answers::JsonSchema);
    let model = of("server: openai, model: gpt-4o, base_url: \"http://127.0.0.1:9/v1\"");
    assert_eq!((model.base_url.as_str(), model.api_key_env), ("http://127.0.0.1:9/v1", None), "no key goes elsewhere");
    assert_eq!(model.price, None, "nor does a price");
    let model = of(
        "model: gpt-4o-mini, base_url: \"https://api.openai.com/v1/\", price: { input_per_mtok: 7, output_per_mtok: 8 }",
    );
    assert_eq!((model.price.unwrap().input_per_mtok, model.price_from), (7.0, Origin::Config), "the config wins");
    assert_eq!(of("model: gpt-4o-nano, base_url: \"https://api.openai.com/v1\"").price, None, "no other name");
    let served: Vec<String> =
        ["vllm", "llama_cpp", "ollama"].map(|kind| of(&format!("server: {kind}, model: m")).base_url).into();
    assert_eq!(served, ["http://127.0.0.1:8000/v1", "http://127.0.0.1:8080/v1", "http://127.0.0.1:11434/v1"]);
}

#[test]
fn the_plan_says_what_is_of_the_table_and_of_which_month() {
    let plan = resolved("server: openai, model: gpt-4o").plan_yaml;
    let line = |key: &str| plan.lines().find(|line| line.trim_start().starts_with(key)).unwrap().to_owned();
    for key in ["base_url", "api_key_env", "input_per_mtok"] {
        assert!(line(key).ends_with(&format!("# default, {TABLE_OF}")), "{}", line(key));
    }
    assert!(line("server").ends_with("# config"));
    assert!(SERVERS.contains(&format!("Looked up in {TABLE_OF}")));
}

#[test]
fn what_is_sent_is_identity_and_where_it_goes_is_not() {
    let digest = |openai: &str| resolved(openai).experiment.arms[0].digest.clone();
    let plain = digest("model: m, base_url: \"http://127.0.0.1:9/v1\"");
    for same in [
        "server: vllm, model: m",
        "server: other, model: m, base_url: \"http://127.0.0.1:8/v1\"",
        "server: gemini, model: m",
    ] {
        assert_eq!(digest(same), plain, "{same}");
    }
    for other in ["server: openai, model: m", "server: anthropic, model: m"] {
        assert_ne!(digest(other), plain, "{other}");
    }
}

#[test]
fn what_a_server_cannot_do_is_a_mistake_in_its_line() {
    for (openai, words) in [
        ("model: m", "the key \"base_url\" is missing"),
        ("server: other, model: m", "of a server of this kind no address is known"),
        ("server: anthropic, model: m, temperature: 1.5", "cuts every temperature above 1 down to 1"),
        ("server: open_ai, model: m", "open_ai"),
        (
            "server: openai, model: gpt-5-mini, temperature: 0.7",
            "the server refuses temperature for the model gpt-5-mini",
        ),
        ("server: openai, model: gpt-5, top_p: 0.9", "refuses top_p for the model gpt-5"),
        ("server: openai, model: o4-mini-2025-04-16, top_p: 0.9", "refuses top_p"),
        ("base_url: \"https://api.openai.com/v1/\", model: o3, temperature: 1", "refuses temperature"),
        (
            "server: openai, model: gpt-5.1, temperature: 1, reasoning_effort: low",
            "refuses temperature for the model gpt-5.1 beside reasoning_effort",
        ),
        ("server: openai, model: gpt-4o, reasoning_effort: low", "refuses reasoning_effort for the model gpt-4o"),
        ("server: openai, model: gpt-5, thinking_budget: 100", "takes no thinking_budget"),
        ("server: ollama, model: m, thinking_budget: 100", "takes no thinking_budget"),
        ("server: anthropic, model: m, seed: true", "takes no seed"),
        ("server: anthropic, model: m, reasoning_effort: low", "takes no reasoning_effort"),
        ("server: anthropic, model: m, max_tokens: 4000, thinking_budget: 500", "no thinking_budget below 1024"),
        ("server: anthropic, model: m, max_tokens: 1024, thinking_budget: 1024", "leaves no tokens for a reply"),
        (
            "server: anthropic, model: m, max_tokens: 4000, thinking_budget: 1024, temperature: 1",
            "refuses temperature for the model m beside thinking_budget",
        ),
        (
            "server: anthropic, model: claude-opus-5-5, max_tokens: 4000, thinking_budget: 1024",
            "refuses thinking_budget",
        ),
        ("server: openrouter, model: m, thinking_budget: 100, reasoning_effort: low", "exclude each other"),
        ("server: vllm, model: m, top_p: 0", "leaves no words"),
        ("server: vllm, model: m, top_p: 1.5", "1.5 is outside 0 … 1"),
        ("server: vllm, model: m, seed: 7", "expected true or false"),
        ("server: vllm, model: m, reasoning_effort: hard", "unknown value \"hard\""),
        ("server: vllm, model: m, extra: 7", "expected a mapping"),
        ("server: vllm, model: m, extra: { temperature: 0.5 }", "the program writes temperature itself"),
        ("server: vllm, model: m, extra: { stream: true }", "the program writes stream itself"),
        (
            "server: openrouter, model: m, reasoning_effort: low, extra: { reasoning: { exclude: true } }",
            "the program writes reasoning itself",
        ),
        ("server: vllm, model: m, extra: { api_key: x }", "the field api_key looks like a key or password"),
        ("server: vllm, model: m, extra: { user: \"sk-proj-Zx81kQw0aPmN4LrT\" }", "the value of user looks like a key"),
        (
            "server: vllm, model: m, extra: { a: [{ b: \"Zx81kQw0aPmN4LrT7uVbZx81kQw0aPmN4LrT7uVb\" }] }",
            "the value of b looks like a key",
        ),
    ] {
        let problems = Desk::new().resolve(&config(openai)).expect_err(openai);
        let told: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
        assert_eq!(told.len(), 1, "{openai}: {told:?}");
        assert!(told[0].contains(words), "{openai}: {told:?}");
        assert_eq!(problems.iter().next().unwrap().line, Some(5), "{openai}");
    }
}

#[test]
fn what_a_server_takes_is_no_mistake() {
    for openai in [
        "server: openai, model: gpt-4o, temperature: 0.7, top_p: 0.9, seed: true",
        "server: openai, model: gpt-5-mini, seed: true, reasoning_effort: minimal",
        "server: openai, model: gpt-5-chat-latest, temperature: 0.7",
        "server: openai, model: gpt-5.1, temperature: 0.7",
        "server: openai, model: gpt-5.1, temperature: 0.7, reasoning_effort: none",
        "server: openai, model: gpt-4o, reasoning_effort: none",
        "base_url: \"http://127.0.0.1:9/v1\", model: gpt-5-mini, temperature: 0.7",
        "server: anthropic, model: claude-haiku-4-5, max_tokens: 4000, thinking_budget: 1024",
        "server: gemini, model: gemini-2.5-flash, thinking_budget: 0, top_p: 1",
        "server: vllm, model: m, extra: { top_k: 20, min_p: 0.05, stop: [\"END\"], provider: { order: [a, b] } }",
    ] {
        resolved(openai);
    }
}

#[test]
fn every_sampling_setting_is_part_of_identity_and_the_order_of_extra_fields_is_not() {
    let of = |settings: &str| {
        let model = format!("server: openrouter, model: m, max_tokens: 900{settings}");
        resolved(&model).experiment.arms[0].digest.clone()
    };
    let mut digests: Vec<_> = [
        "",
        ", seed: true",
        ", top_p: 0.9",
        ", top_p: 0.8",
        ", reasoning_effort: low",
        ", reasoning_effort: high",
        ", thinking_budget: 500",
        ", extra: { top_k: 20 }",
        ", extra: { top_k: 30 }",
        ", extra: { top_k: 20, min_p: 0.1 }",
    ]
    .iter()
    .map(|settings| of(settings).to_string())
    .collect();
    assert_eq!(of(", extra: { min_p: 0.1, top_k: 20 }").to_string(), *digests.last().unwrap());
    let count = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

/// The bodies that questions make to a model of these settings, in the first replicate.
async fn bodies(kind: Server, sampling: &Sampling, questions: &[Query<'static>]) -> Vec<Value> {
    let server = serve(vec![vote("for")]).await;
    let mut plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let model = &mut Arc::make_mut(&mut plan.shared).models[0];
    (model.server, model.sampling) = (kind, sampling.clone());
    let folder = tempfile::tempdir().unwrap();
    let seats = live_on(plan, &folder.path().join("calls.jsonl"));
    for question in questions {
        // What is sent is all that counts.
        seats.answer(question).await.unwrap();
    }
    let requests = server.received_requests().await.unwrap();
    requests.iter().map(|request| request.body_json().unwrap()).collect()
}

#[tokio::test]
async fn sampling_settings_are_sent_where_the_kind_of_server_takes_them() {
    let effort = Sampling { reasoning_effort: Some(ReasoningEffort::Low), ..Sampling::default() };
    let budget = Sampling { thinking_budget: Some(2000), ..Sampling::default() };
    let Value::Object(extra) = json!({ "top_k": 20, "provider": { "order": ["a"] } }) else { unreachable!() };
    for (kind, sampling, sent) in [
        (Server::Other, Sampling { top_p: Some(0.9), ..Sampling::default() }, json!({ "top_p": 0.9 })),
        (Server::Other, Sampling { extra: extra.clone(), ..Sampling::default() }, Value::Object(extra)),
        (Server::Openai, effort.clone(), json!({ "reasoning_effort": "low" })),
        (Server::Openrouter, effort.clone(), json!({ "reasoning": { "effort": "low" } })),
        (Server::LlamaCpp, effort, json!({ "chat_template_kwargs": { "reasoning_effort": "low" } })),
        (Server::Anthropic, budget.clone(), json!({ "thinking": { "type": "enabled", "budget_tokens": 2000 } })),
        (Server::Openrouter, budget.clone(), json!({ "reasoning": { "max_tokens": 2000 } })),
        (Server::Vllm, budget.clone(), json!({ "thinking_token_budget": 2000 })),
        (
            Server::Gemini,
            budget,
            json!({ "extra_body": { "google": { "thinking_config": { "thinking_budget": 2000 } } } }),
        ),
    ] {
        let plain = bodies(kind, &Sampling::default(), &[ballot(0)]).await.remove(0);
        let mut with = bodies(kind, &sampling, &[ballot(0)]).await.remove(0);
        for (key, value) in sent.as_object().unwrap() {
            assert_eq!(with.as_object_mut().unwrap().shift_remove(key).as_ref(), Some(value), "{kind:?}");
        }
        assert_eq!(with, plain, "{kind:?}: nothing else changed");
    }
}

#[tokio::test]
async fn a_seed_is_the_questions_own_whatever_else_is_sent() {
    let seeded = Sampling { seed: true, ..Sampling::default() };
    let other_arm = Sampling { top_p: Some(0.5), ..seeded.clone() };
    let seeds = |bodies: Vec<Value>| bodies.iter().map(|body| body["seed"].as_u64().unwrap()).collect::<Vec<_>>();
    let one = seeds(bodies(Server::Other, &seeded, &[ballot(0), ballot(1), statement()]).await);
    let other = seeds(bodies(Server::Other, &other_arm, &[statement(), ballot(0), ballot(1)]).await);
    assert_eq!([one[0], one[1], one[2]], [other[1], other[2], other[0]], "arms share them, in whatever order they ask");
    assert!(one[0] != one[1] && one[0] != one[2] && one.iter().all(|seed| *seed < 1 << 31), "{one:?}");
    assert!(bodies(Server::Other, &Sampling::default(), &[ballot(0)]).await[0].get("seed").is_none());
}

#[tokio::test]
async fn cached_tokens_are_read_in_every_spelling() {
    for (usage, cached) in [
        (json!({ "prompt_tokens_details": { "cached_tokens": 64 } }), Some(64)),
        (json!({ "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 26 }), Some(64)),
        (json!({ "cached_tokens": 64 }), Some(64)),
        (json!({ "cache_read_input_tokens": 64 }), Some(64)),
        (json!({ "prompt_tokens_details": { "cached_tokens": 0 } }), Some(0)),
        (json!({ "prompt_tokens_details": { "cached_tokens": 1000 } }), Some(90)),
        (json!({ "prompt_tokens_details": null }), None),
        (json!({ "prompt_tokens_details": { "cached_tokens": "64" } }), None),
    ] {
        let mut whole = json!({ "prompt_tokens": 90, "completion_tokens": 8 });
        whole.as_object_mut().unwrap().extend(usage.as_object().unwrap().clone());
        let response = ResponseTemplate::new(200).set_body_json(json!({
            "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": "{\"choice\": \"for\"}" } }],
            "usage": whole,
        }));
        let (answer, ..) = ask(vec![response], &ballot(0)).await;
        let found = answer.unwrap().usage.unwrap();
        assert_eq!((found.cached_prompt_tokens, found.prompt_tokens), (cached, 90), "{usage}");
    }
}

#[tokio::test]
async fn a_length_is_limited_under_the_name_that_the_server_takes() {
    for (kind, sent, not_sent) in [
        (Server::Openai, "max_completion_tokens", "max_tokens"),
        (Server::Other, "max_tokens", "max_completion_tokens"),
    ] {
        let server = serve(vec![vote("for")]).await;
        let mut plan = plan(&format!("{}/v1", server.uri()), MOTION);
        Arc::make_mut(&mut plan.shared).models[0].server = kind;
        let folder = tempfile::tempdir().unwrap();
        live_on(plan, &folder.path().join("calls.jsonl")).answer(&ballot(0)).await.unwrap();
        let body: Value = server.received_requests().await.unwrap()[0].body_json().unwrap();
        assert_eq!(body[sent], 40);
        assert!(body.get(not_sent).is_none());
        let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["model", "messages", sent, "temperature", "response_format"], "the bytes that are digested");
    }
}

#[tokio::test]
async fn a_refused_part_of_the_request_is_told_with_what_to_write() {
    for (message, hint) in [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "server: openai",
        ),
        (
            "Unsupported value: 'temperature' does not support 0.16 with this model. Only the default (1) value is supported.",
            "leave temperature out",
        ),
        (
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            "answers: anchored",
        ),
    ] {
        let body = serde_json::json!({ "error": { "message": message, "type": "invalid_request_error" } });
        let (answer, requests, _) = ask(vec![ResponseTemplate::new(400).set_body_json(body)], &ballot(0)).await;
        let outage = answer.unwrap_err().to_string();
        assert!(outage.contains(message) && outage.contains(hint), "{outage}");
        assert_eq!(requests.len(), 1);
    }
}

/// A completion by another model, or another of its settings.
fn served(model: &str, fingerprint: Option<&str>) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(serde_json::json!({
        "choices": [{ "finish_reason": "stop", "message": { "content": "{\"choice\": \"for\"}" } }],
        "model": model,
        "system_fingerprint": fingerprint,
    }))
}

#[tokio::test]
async fn a_change_of_model_stops_before_its_reply_is_used_and_after_it_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(vec![served("a", None), served("a", Some("x")), served("a", Some("y"))]).await;
    let plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let clients = Clients::with_retries(QUICK).with_served_models(Arc::new(ServedModels::new(OnModelChange::Stop, [])));
    let asked = seats(plan.clone(), Some(&clients), CallRecord::open(&file).unwrap().0);
    asked.answer(&ballot(0)).await.unwrap();
    asked.answer(&ballot(1)).await.expect("what was not said before is no change");
    let (own, other) = (|| plan.models.iter(), ["another"].into_iter());
    clients.check_model_changes(own()).unwrap();
    let outage = asked.answer(&ballot(2)).await.unwrap_err();
    assert_eq!(outage.to_string(), "models.small: a (fingerprint x) answered before, and now a (fingerprint y)");
    assert_eq!(clients.check_model_changes(own()).unwrap_err(), outage, "nothing else of it is begun");
    let (record, _) = CallRecord::read(&file).unwrap();
    assert_eq!(record.calls_of_models(), 3, "what was paid for is recorded");
    let earlier: Vec<(String, ServedModel)> =
        record.served_models().map(|(_, asked, served)| (asked, served)).collect();
    let again = ServedModels::new(OnModelChange::Stop, earlier.clone());
    assert!(again.check_model_changes(["small"].into_iter()).is_err(), "nor in another run");
    again.check_model_changes(other).expect("another model is the one it was");
    let warned =
        Clients::with_retries(QUICK).with_served_models(Arc::new(ServedModels::new(OnModelChange::Warn, earlier)));
    warned.check_model_changes(own()).unwrap();
    seats(plan, Some(&warned), record).answer(&ballot(2)).await.expect("it is used when the author says so");
    assert_eq!(
        (server.received_requests().await.unwrap().len(), warned.take_news().len()),
        (3, 0),
        "and not asked for again"
    );
}

#[tokio::test]
async fn a_change_of_model_is_told_once_for_each_that_answers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(["a", "b", "a", "b", "c"].map(|model| served(model, None)).to_vec()).await;
    let plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let clients = Clients::with_retries(QUICK).with_served_models(Arc::new(ServedModels::new(OnModelChange::Warn, [])));
    let asked = seats(plan, Some(&clients), CallRecord::open(&file).unwrap().0);
    let mut news = Vec::new();
    for attempt in 0..5 {
        asked.answer(&ballot(attempt)).await.unwrap();
        news.extend(clients.take_news());
    }
    assert_eq!(news.len(), 2, "{news:?}");
    assert!(news[0].starts_with("models.small: a answered before, and now b") && news[1].contains("now c"), "{news:?}");
}

#[tokio::test]
async fn a_server_is_asked_once_for_its_version_where_its_kind_tells_one() {
    let server = MockServer::start().await;
    let told = ResponseTemplate::new(200).set_body_json(json!({ "version": "0.12.3" }));
    Mock::given(method("GET")).and(path("/api/version")).respond_with(told).expect(1).mount(&server).await;
    let plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let stop = AtomicBool::new(false);
    let version =
        async |kind: Server, clients: &Clients| clients.client_for(&plan.models[0]).server_version(kind, &stop).await;
    let clients = Clients::with_retries(QUICK);
    for _ in 0..2 {
        assert_eq!(version(Server::Ollama, &clients).await.as_deref(), Some("0.12.3"));
    }
    // Neither one that does not tell it, nor one that is not there, is a failure.
    assert_eq!(version(Server::Vllm, &Clients::with_retries(QUICK)).await, None);
    assert_eq!(version(Server::Openai, &Clients::with_retries(QUICK)).await, None);
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}
