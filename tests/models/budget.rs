//! Budgets: a run stops before it may have spent more, says so, and goes on with more as if it had never stopped.

use std::path::Path;

use crate::fixtures::cli::{Server, assert_same, calls, ekklesia, text};
use crate::fixtures::trial::write_config;

/// What each call of the played server takes.
const A_CALL: u64 = 98;

fn body(base_url: &str, price: &str, limits: &str) -> String {
    format!(
        "
replicates: 4
models:
  small: {{ openai: {{ base_url: \"{base_url}\", model: played, max_tokens: 60, concurrency: 3, timeout_s: 20{price} }} }}
seat_defaults: {{ model: small }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 3, order: random, vote: at_end }}
decision: {{ invalid: abstain }}
{limits}
"
    )
}

fn recorded(out: &Path) -> u64 {
    (1..=4)
        .map(|n| out.join(format!("sessions/baseline-r{n:06}/calls.jsonl")))
        .filter(|file| file.exists())
        .map(|file| calls(&file).len() as u64)
        .sum()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_stops_within_its_budget_and_goes_on_as_if_it_had_not() {
    let place = tempfile::tempdir().unwrap();
    let (whole, server) = (Server::start(), Server::start());
    let free = write_config(place.path(), &body(&whole.base_url(), "", ""));
    let out = place.path().join("whole");
    ekklesia(&["run", text(&free), "--out", text(&out)]).says(0, &[]);
    let all = whole.requests() as u64;

    let config = write_config(place.path(), &body(&server.base_url(), "", "limits: { tokens: 1000000 }"));
    let kept = place.path().join("kept");
    let mut before = 0;
    for budget in [A_CALL * all / 4, A_CALL * all / 2, A_CALL * all * 3 / 4] {
        let run = ekklesia(&["run", text(&config), "--out", text(&kept), "--budget-tokens", &budget.to_string()]);
        run.says(
            4,
            &[
                "the budget of",
                "are spent and the next call may take",
                "limits.tokens or --budget-tokens",
                "the same command again",
            ],
        );
        let spent = recorded(&kept) * A_CALL;
        assert!(spent <= budget, "{spent} of {budget}");
        assert!(spent > before, "{run:#?}");
        before = spent;
    }
    ekklesia(&["run", text(&config), "--out", text(&kept)]).says(0, &[]);
    assert_eq!(server.requests() as u64, all, "nothing is paid twice");
    assert_same_but_for_the_address(&out, &kept);
}

#[test]
fn a_small_budget_completes_the_sessions_that_were_begun_first_and_is_told_once() {
    let place = tempfile::tempdir().unwrap();
    let (whole, server) = (Server::start(), Server::start());
    let free = write_config(place.path(), &body(&whole.base_url(), "", ""));
    ekklesia(&["run", text(&free), "--out", text(&place.path().join("whole"))]).says(0, &[]);
    let a_session = A_CALL * whole.requests() as u64 / 4;
    let config = write_config(place.path(), &body(&server.base_url(), "", ""));
    let out = place.path().join("out");
    // Enough for two, with room for what calls under way at once may take at the most.
    let budget = (a_session * 14 / 5).to_string();
    let run = ekklesia(&["run", text(&config), "--out", text(&out), "--jobs", "4", "--budget-tokens", &budget]);
    run.says(4, &["raise it to go on"]);
    assert_eq!(run.stderr.matches("the budget of").count(), 1, "{run:#?}");
    let sessions = std::fs::read_to_string(out.join("sessions.csv")).unwrap();
    let status = |n: u32| {
        let row = sessions.lines().find(|line| line.contains(&format!("baseline-r{n:06},")))?;
        ["completed", "incomplete"].into_iter().find(|status| row.contains(&format!(",{status},")))
    };
    let (done, not) = (Some("completed"), Some("incomplete"));
    assert_eq!([1, 2, 3, 4].map(status), [done, done, not, not], "in the order of the plan: {sessions}");
    let is_begun = |n: u32| out.join(format!("sessions/baseline-r{n:06}/minutes.jsonl")).exists();
    assert_eq!([1, 2, 3, 4].map(is_begun), [true, true, true, false], "and none after the one that was stopped");
}

/// The two configs differ in the server's address and the limits, which stand in the kept inputs and the plan.
fn assert_same_but_for_the_address(one: &Path, other: &Path) {
    for folder in [one, other] {
        std::fs::remove_dir_all(folder.join("inputs")).expect("kept inputs");
        std::fs::remove_file(folder.join("plan.yaml")).expect("a plan");
    }
    assert_same(one, other);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn dollars_are_counted_at_the_prices_of_the_config() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start();
    // A call of 90 and 8 tokens costs 90 + 80 millionths of a dollar.
    let price = ", price: { input_per_mtok: 1, output_per_mtok: 10 }";
    let config = write_config(place.path(), &body(&server.base_url(), price, "limits: { usd: 0.004 }"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)])
        .says(4, &["the budget of $0.0040 (limits.usd or --budget-usd): $0.00", "the next call may cost $0.00"]);
    let (first, dollars) = (recorded(&out), |calls: u64| calls as f64 * 170e-6);
    assert!(first > 0 && dollars(first) <= 0.004);
    // What was spent counts when the run goes on; a shorter question than the one that was refused may still have room.
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(4, &["the budget of $0.0040"]);
    assert!(recorded(&out) >= first && dollars(recorded(&out)) <= 0.004);
    ekklesia(&["run", text(&config), "--out", text(&out), "--budget-usd", "1000"]).says(0, &[]);
}

#[test]
fn dollars_need_the_price_of_every_model_that_is_called() {
    let place = tempfile::tempdir().unwrap();
    let config =
        write_config(place.path(), &body("http://127.0.0.1:9/v1", ", context_window: 9000", "limits: { usd: 1 }"));
    let why = "a limit in dollars needs the price of every model that is called, and small has none";
    ekklesia(&["check", text(&config)]).says(2, &["limits.usd", why, "price: {"]);
    let free = write_config(place.path(), &body("http://127.0.0.1:9/v1", ", context_window: 9000", ""));
    ekklesia(&["run", text(&free), "--budget-usd", "1"])
        .says(2, &["--budget-usd needs the price", "models.small.openai"]);
    ekklesia(&["run", text(&free), "--budget-usd", "-1"]).says(2, &["an amount of dollars"]);
    ekklesia(&["run", text(&free), "--budget-tokens", "0"]).says(2, &["0"]);
}

#[test]
fn a_model_that_changed_stops_the_sessions_that_ask_it_and_no_other() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start();
    let openai = |concurrency| {
        let url = server.base_url();
        format!("{{ openai: {{ base_url: \"{url}\", model: played, max_tokens: 60, concurrency: {concurrency} }} }}")
    };
    let body = format!(
        "
replicates: 1
models: {{ one: {}, two: {} }}
seat_defaults: {{ model: one }}
seats: [{{ name: Alice }}, {{ name: Bob }}]
discussion: {{ rounds: 1, order: fixed, vote: at_end }}
decision: {{ invalid: abstain }}
design: {{ factors: {{ who: {{ key: seat_defaults.model, levels: [one, two] }} }} }}
",
        openai(1),
        openai(2)
    );
    let config = write_config(place.path(), &body);
    let out = place.path().join("out");
    let run = |more: &[&str]| ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat());
    run(&[]).says(0, &[]);
    // Whoever answered last for the one model was another.
    let file = out.join("sessions/one-r000001/calls.jsonl");
    let mut lines = calls(&file);
    assert!(lines.len() > 1, "{lines:?}");
    let (first, last) = (lines.first().unwrap()["model"].clone(), lines.last_mut().unwrap());
    assert!(first.is_string(), "the server says who answers");
    last["model"] = "another".into();
    let written: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, written).unwrap();
    let stopped = run(&["--replicates", "3", "--on-model-change", "stop"]);
    stopped.says(4, &["2 sessions not begun", "--on-model-change warn goes on with it"]);
    assert_eq!(stopped.stderr.matches("answered before").count(), 1, "{stopped:#?}");
    let sessions = std::fs::read_to_string(out.join("sessions.csv")).unwrap();
    assert!(["two-r000002", "two-r000003"].iter().all(|name| sessions.contains(name)), "{sessions}");
    let is_begun = out.join("sessions/one-r000002").exists();
    assert!(!is_begun && !stopped.stderr.contains("the same command again"), "{stopped:#?}");
    run(&["--replicates", "3", "--on-model-change", "warn"]).says(0, &[]);
}
