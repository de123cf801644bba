//! The transcript of a session on the page: every record at its address, what each seat was shown, and a fork beside its parent.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, Server, ekklesia, json_lines, mixed, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, any_model, hostile, write_config, write_justice};
use ekklesia::domain::{Record, Seq};
use ekklesia::engine::Deliberation;
use ekklesia::session::{Prompts, build_seat_view, collect_sights};
use serde_json::Value;

fn talking(replicates: u32) -> String {
    hostile("{ name: \"O'Brien\", mind: { random: { malformed: 0.3 } } }", "And again.", replicates)
}

/// Runs a config and writes its page; returns its folder and the page.
fn page(dir: &Path, config: &Path, name: &str) -> (PathBuf, String) {
    let out = dir.join(name);
    ekklesia(&["run", text(config), "--out", text(&out)]).says(0, &[]);
    (out.clone(), report(&out))
}

fn report(folder: &Path) -> String {
    ekklesia(&["report", text(folder)]).says(0, &["report.html"]);
    fs::read_to_string(folder.join("report.html")).unwrap()
}

/// What stands between two pieces, each time the first one does.
fn between<'p>(page: &'p str, open: &str, close: &str) -> Vec<&'p str> {
    page.split(open).skip(1).map(|rest| rest.split(close).next().unwrap()).collect()
}

#[test]
fn every_record_stands_at_its_address_once_and_no_word_of_a_seat_is_markup() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, page) = page(dir.path(), &write_config(dir.path(), &talking(2)), "out");
    for replicate in 1..=2 {
        let name = format!("baseline-r00000{replicate}");
        for record in json_lines(&folder.join("sessions").join(&name).join("minutes.jsonl")) {
            let id = format!(" id=\"{name}/{}\"", record["seq"]);
            assert_eq!(page.matches(&id).count(), 1, "{id}");
        }
    }
    let shown =
        "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; <span class=\"mark\" title=\"U+001B\">\\u{1b}</span>[2J";
    assert_eq!(page.matches(shown).count(), 2, "as text, once in each session");
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    assert!(
        !page.contains("<img")
            && !page.contains("onerror=alert(1)>")
            && !page.contains("<b>\"")
            && !page.contains("<!-- ")
    );
    let acts = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!page.chars().any(acts));
    for id in between(&page, " href=\"#baseline-r000001/", "\"") {
        assert!(page.contains(&format!(" id=\"baseline-r000001/{id}\"")), "a link to record {id} leads nowhere");
    }
}

/// Configs whose memories drop, replace and forget.
fn configs(dir: &Path) -> Vec<(&'static str, PathBuf)> {
    let write = |name: &'static str, body: String| {
        let folder = dir.join(name);
        fs::create_dir(&folder).unwrap();
        (name, write_config(&folder, &body))
    };
    let rewriting = "seats:
  - { count: 5, name: \"Member {n}\", mind: { justice: { risk_aversion: 1, precision: 4 } } }
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
discussion: { rounds: 4, private_reasoning: true }
memory: { memory_character_limit: 8800, routing: { own_reasoning: integrated } }
";
    let justice = dir.join("justice");
    fs::create_dir(&justice).unwrap();
    vec![
        write("full", talking(1)),
        write("window", talking(1) + "memory: { policy: { window: { statements: 2 } } }\n"),
        write("none", talking(1) + "memory: { policy: none }\n"),
        write(
            "small",
            talking(1)
                + "memory: { memory_character_limit: 300, public_history_max_length: 300, statement_max_length: 40 }\n",
        ),
        write(
            "forgets",
            talking(1)
                + "interventions: [{ at: { phase: discussion, round: 3 }, to: [Alice], as: facilitator, forget: discussion }]\n",
        ),
        ("justice", write_justice(&justice, rewriting)),
    ]
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_all_seats_were_shown_in_one_pass_is_what_each_answer_is_found_to_have_been_shown_alone() {
    let dir = tempfile::tempdir().unwrap();
    for (name, config) in configs(dir.path()) {
        let resolved = trial::read(&config);
        let plan = &resolved.arms[0];
        let out = dir.path().join("results").join(name);
        ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &[]);
        let minutes = fs::read_to_string(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
        let records: Vec<Record> = minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seen = collect_sights(Deliberation::convene(plan, 1), &records, Prompts::LeftOut);
        assert_eq!(seen.stopped, None, "{name}");
        let answers: Vec<Seq> =
            records.iter().filter(|record| record.seat.is_some()).map(|record| record.seq).collect();
        assert_eq!(seen.sights.iter().map(|sight| sight.seq).collect::<Vec<_>>(), answers, "{name}");
        for sight in sample_cases(&seen.sights, 7) {
            let alone = build_seat_view(Deliberation::convene(plan, 1), &records, sight.seq, &any_model()).unwrap();
            let entries: Vec<Seq> = alone.entries.iter().map(|entry| entry.seq).collect();
            assert_eq!((&sight.shown, &sight.omitted), (&entries, &alone.omitted), "{name}, record {}", sight.seq.0);
            if let Some(rewritten) = alone.rewritten {
                let before: BTreeSet<Seq> = rewritten.before.iter().map(|entry| entry.seq).collect();
                assert_eq!(
                    sight.replaced.iter().copied().collect::<BTreeSet<_>>(),
                    before,
                    "{name}, record {}",
                    sight.seq.0
                );
            }
        }
    }
}

#[test]
fn what_a_seat_may_remember_is_private_and_what_no_memory_keeps_is_only_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let (_, page) = page(dir.path(), &write_config(dir.path(), &talking(1)), "out");
    let tagged = |what: &str| {
        let head = between(&page, "<p class=\"head\">", "</p>").into_iter().find(|head| head.contains(what));
        between(head.unwrap_or_else(|| panic!("{what}")), "<span class=\"tag\">", "</span>").join(", ")
    };
    assert_eq!(tagged(">chooses “For the motion” in the straw poll<"), "only recorded");
    assert_eq!(tagged(">votes for “For the motion”<"), "private");
    assert_eq!(tagged(">favours “For the motion”<"), "", "all hear it");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn show_and_the_page_say_alike_who_may_know_of_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    let configs = fixtures_of_answers(dir.path());
    let mut labels: BTreeSet<(String, String)> = BTreeSet::new();
    for (name, config) in configs {
        let out = dir.path().join("results").join(name);
        ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &[]);
        let page = report(&out);
        for session in fs::read_dir(out.join("sessions")).unwrap() {
            let session = session.unwrap().path();
            let place = session.file_name().unwrap().to_str().unwrap();
            let shown = ekklesia(&["show", text(&session)]).says(0, &[]).stdout.clone();
            for record in json_lines(&session.join("minutes.jsonl")) {
                let number = format!(" [{}]", record["seq"]);
                let line = shown.lines().find(|line| line.starts_with('*') && line.ends_with(&number));
                let (Some(line), true) = (line, record["seat"].is_string()) else { continue };
                let Some((label, _)) = line[1..].split_once("* **") else { continue };
                let head = format!("<p class=\"head\"><a class=\"seq\" href=\"#{place}/{}\">", record["seq"]);
                let tags = between(between(&page, &head, "</p>")[0], "<span class=\"tag\">", "</span>").join(", ");
                assert_eq!(tags, label, "{place}: {line}");
                labels.insert((label.to_owned(), record["at"]["step"].as_str().unwrap_or_default().to_owned()));
            }
        }
    }
    for (label, step) in
        [("only recorded", "straw_poll"), ("private", "ballot"), ("private", "ask"), ("private", "reasoning")]
    {
        assert!(labels.contains(&(label.to_owned(), step.to_owned())), "{label}, {step}: {labels:?}");
    }
}

/// Configs that ask seats in many steps: talk, forms, ranks and memories.
fn fixtures_of_answers(dir: &Path) -> Vec<(&'static str, PathBuf)> {
    let mut all = configs(dir);
    all.retain(|(name, _)| ["small", "justice"].contains(name));
    all.push(("commons", trial::repository().join("configs/commons.yaml")));
    all
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_models_prompt_on_the_page_is_the_one_that_context_prints_and_its_reply_is_the_recorded_one() {
    let (server, dir) = (Server::start(), tempfile::tempdir().unwrap());
    let config = write_config(dir.path(), &mixed(&server.base_url(), "random"));
    let (folder, page) = page(dir.path(), &config, "out");
    let session = folder.join("sessions/baseline-r000001");
    let packed = between(&page, "<script type=\"application/json\" class=\"prompts\">", "</script>");
    assert_eq!(packed.len(), 1);
    let data: Value = serde_json::from_str(packed[0]).unwrap();
    let lines: Vec<&str> = data["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let answers = data["answers"].as_object().unwrap();
    assert_eq!(answers.len(), cli::calls(&session.join("calls.jsonl")).len());
    for (seq, answer) in answers {
        let record = &json_lines(&session.join("minutes.jsonl"))[seq.parse::<usize>().unwrap()];
        let told =
            ekklesia(&["context", text(&session), "--seat", record["seat"].as_str().unwrap(), "--at", seq, "--json"]);
        let told: Value = serde_json::from_str(&told.stdout).unwrap();
        let messages: Vec<Value> = answer["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| {
                let runs = message[1].as_array().unwrap().iter().flat_map(|run| {
                    let (first, count) = (run[0].as_u64().unwrap() as usize, run[1].as_u64().unwrap() as usize);
                    lines[first..first + count].iter().copied()
                });
                serde_json::json!({ "role": message[0], "content": runs.collect::<Vec<_>>().join("\n") })
            })
            .collect();
        assert_eq!(&Value::from(messages), &told["messages"], "record {seq}");
    }
    fs::write(session.join("calls.jsonl"), "{\"question\":1}\n{}\n").unwrap();
    assert!(report(&folder).contains("The recorded model calls cannot be read: "));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_stands_beside_its_parent_where_that_is_there_and_says_so_where_it_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, _) = page(dir.path(), &write_config(dir.path(), &talking(1)), "out");
    let change = dir.path().join("silent.yaml");
    fs::write(&change, "at: { seat: Carol, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let session = folder.join("sessions/baseline-r000001");
    let fork = dir.path().join("fork");
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)])
        .says(0, &["first that differs"]);
    let unprinted = report(&folder);
    assert!(unprinted.contains("<h3>What if</h3>") && unprinted.contains("fork</span> (<code>ekklesia report</code>"));
    let beside = report(&fork);
    let printed = report(&folder);
    assert_eq!(printed, unprinted, "whether the fork has a page");
    let other = dir.path().join("other.html");
    ekklesia(&["report", text(&folder), "--out", text(&other)]).says(0, &["other.html"]);
    assert_eq!(printed, fs::read_to_string(other).unwrap(), "wherever the page lies");
    assert!(
        printed.contains("seat: Carol, phase: discussion, round: 1 } · silent: true</span>")
            && printed.contains(", 1 fork</td>")
    );
    let pipe = dir.path().join("pipe/sessions/baseline-r000001");
    fs::create_dir_all(&pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(pipe.join("minutes.jsonl")).status().unwrap().success());
    assert_eq!(report(&fork), beside, "nobody waits for a pipe");
    let (parents, forks) =
        (json_lines(&session.join("minutes.jsonl")), json_lines(&fork.join("sessions/baseline-r000001/minutes.jsonl")));
    let first = parents.iter().zip(&forks).position(|(one, other)| one != other).unwrap();
    for (place, record) in forks.iter().enumerate() {
        assert_eq!(beside.matches(&format!(" id=\"baseline-r000001/{place}\"")).count(), 1, "{record}");
    }
    assert!(
        beside.contains(&format!(
            "<p>{first} records before the first difference, equal in both sessions and shown once"
        )),
        "{first}"
    );
    let pairs = between(&beside, "<div class=\"pair differs\">", "<span class=\"side\">Fork</span>");
    assert!(pairs[0].contains("&lt;/script&gt;&lt;img"), "the parent's words: {}", pairs[0]);
    // What the parent's seats were shown is what the parent's own page tells; its numbers are no links of this page.
    let mut compared = 0;
    for part in pairs.iter().filter(|part| part.contains("<summary>What ")) {
        let number = between(part, "<span class=\"seq\">", "</span>")[0];
        let (_, shown) = part.split_once("<p class=\"soft\">The numbers refer to the parent’s records.</p>\n").unwrap();
        let own = between(&printed, &format!("data-of=\"{number}\">"), "</details>")[0];
        let own = own.split_once("</summary>\n").unwrap().1.replace("<span class=\"refs\">", "<span>");
        assert_eq!(shown.split_once("</details>").unwrap().0, own, "record {number}");
        assert!(
            part.contains("<details class=\"sight\"><summary>What ")
                && part.contains(" was shown in the parent</summary>")
        );
        compared += 1;
    }
    assert!(compared > 0, "nothing was compared");
    let said = between(&beside, "<span class=\"side\">Fork</span>", "</details>");
    assert!(said[0].contains("passes") && said[0].contains(&format!("id=\"baseline-r000001/{first}\"")), "{}", said[0]);
    assert!(beside.contains("silent: true"));
    fs::rename(&folder, dir.path().join("elsewhere")).unwrap();
    assert_eq!(report(&fork), beside, "whatever the parent's folder is called");
    fs::remove_dir_all(dir.path().join("elsewhere")).unwrap();
    let alone = report(&fork);
    assert!(
        alone.contains("is in no folder beside this one") && !alone.contains("class=\"pair"),
        "no parent is made up"
    );
    let run = fork.join("sessions/baseline-r000001/run.json");
    let elsewhere =
        fs::read_to_string(&run).unwrap().replace("\"session\": \"baseline-r000001\"", "\"session\": \"../../x\"");
    fs::write(&run, elsewhere).unwrap();
    assert!(report(&fork).contains("has an invalid session name"));
}
