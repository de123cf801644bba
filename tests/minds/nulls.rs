//! Null arms: they share what is drawn with the arm that they stand beside, and lack what they are named after.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{
    Server, assert_same, contents, copy_recorded, ekklesia, is_pass, json_lines, run, statement_of, text, values_at,
};
use crate::fixtures::desk::copy::copy;
use crate::fixtures::trial::{self, write_config};
use ekklesia::domain::Digest;
use serde_json::{Value, json};

const TWO: &str = "models: { sim: { simulated: {} } }\nseats: [{ count: 2, model: sim }]\nreplicates: 2\n";
const WORDS: [&str; 6] = ["no_talk", "shuffled_speech", "self_revision", "friedkin_johnsen", "polya", "random"];
/// Those of them that are minds.
const MINDS: [&str; 3] = ["friedkin_johnsen", "polya", "random"];
const NULLS: &str =
    "no_talk, shuffled_speech, self_revision, { friedkin_johnsen: { stubbornness: 0.4 } }, polya, random";

/// Five seats with drawn personas that take over each other's stances, before, in and after talk.
fn body(nulls: &str, pairing: &str) -> String {
    format!(
        "
replicates: 6
personas: {{ citizens: {{ file: personas.csv, id: pid, text: persona }} }}
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.4 }} }} }}
seats:
  - {{ count: 4, name: \"Member {{n}}\", personas: citizens, draw: per_replicate }}
  - {{ name: Erin, mind: {{ degroot: {{ self_weight: {{ uniform: [0.2, 0.8] }} }} }} }}
discussion: {{ rounds: 3, order: random, vote: every_round }}
decision: {{ rule: unanimity }}
straw_polls: [before, after]
controls: {{ option_order: seeded }}
design:
  factors: {{ talk: {{ key: discussion.private_reasoning, levels: {{ plain: false, thought: true }} }} }}
  baseline: {{ talk: plain }}
  pairing: {pairing}
  nulls: [{nulls}]
"
    )
}

fn config(place: &Path, body: &str) -> PathBuf {
    let rows: String = (1..=9).map(|id| format!("p{id},Persona number {id}.\n")).collect();
    fs::write(place.join("personas.csv"), format!("pid,persona\n{rows}")).unwrap();
    write_config(place, body)
}

fn minutes(out: &Path, session: &str) -> PathBuf {
    out.join("sessions").join(session).join("minutes.jsonl")
}

fn records(out: &Path, arm: &str, replicate: u32) -> Vec<Value> {
    json_lines(&minutes(out, &format!("{arm}-r{replicate:06}")))
}

/// The bodies of all events of a kind.
fn all<'r>(records: &'r [Value], kind: &str) -> Vec<&'r Value> {
    records.iter().filter_map(|record| record["event"].get(kind)).collect()
}

/// The answers to a poll by seat, each as it was given.
fn polled(records: &[Value], phase: &str) -> BTreeMap<String, (Value, Value)> {
    let of_phase = records.iter().filter(|record| record["at"]["phase"] == phase);
    let answer = |record: &Value| {
        let polled = values_at(record, "straw_poll")?;
        Some((record["seat"].as_str()?.to_owned(), (polled["choice"].clone(), polled["opinion"].clone())))
    };
    of_phase.filter_map(answer).collect()
}

fn orders(records: &[Value]) -> BTreeMap<u64, Value> {
    let opened = records.iter().filter_map(|record| {
        Some((record["at"]["round"].as_u64()?, record["event"].get("RoundOpened")?["order"].clone()))
    });
    opened.collect()
}

/// What seats said in the poll before the talk, as the first record of a null must have it.
fn first(out: &Path, arm: &str, replicate: u32) -> Value {
    let session = format!("{arm}-r{replicate:06}");
    let bytes = fs::read(minutes(out, &session)).unwrap();
    let records = records(out, arm, replicate);
    let told = records.iter().filter(|record| record["at"]["phase"] == "straw_before").filter_map(|record| {
        let polled = values_at(record, "straw_poll")?;
        let mut told = json!({ "seat": record["seat"], "seq": record["seq"], "alternative": polled["choice"] });
        if let Some(opinion) = polled.get("opinion") {
            told["opinion"] = opinion.clone();
        }
        Some(told)
    });
    json!({ "of": { "session": session, "minutes": Digest::of(&bytes).to_string() }, "seats": told.collect::<Vec<_>>() })
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_null_shares_with_its_arm_all_that_is_drawn_before_somebody_is_heard() {
    let place = tempfile::tempdir().unwrap();
    for pairing in ["common_random_numbers", "independent"] {
        let out = place.path().join(pairing);
        run(&config(place.path(), &body(NULLS, pairing)), &out, &[]).says(0, &["84 of 84 sessions completed"]);
        let mut differ = false;
        for replicate in 1..=6 {
            let plain = records(&out, "plain", replicate);
            differ |= orders(&plain)[&1] != orders(&records(&out, "thought", replicate))[&1];
            for (arm, null) in ["plain", "thought"].iter().flat_map(|arm| WORDS.map(move |null| (arm, null))) {
                let (own, beside) =
                    (records(&out, arm, replicate), records(&out, &format!("{arm}-null_{null}"), replicate));
                let persona = |records: &[Value]| {
                    let seats = all(records, "Seated")[0]["seats"].as_array().unwrap().clone();
                    seats.into_iter().filter_map(|seat| seat.get("persona").cloned()).collect::<Vec<_>>()
                };
                assert_eq!(persona(&own), persona(&beside), "{arm} {null} {replicate}");
                for (round, order) in orders(&beside) {
                    let same = orders(&own).get(&round).is_none_or(|own| *own == order);
                    assert!(same, "{arm} {null} {replicate}: round {round}");
                }
                let [told, telling] = [&own, &beside].map(|records| polled(records, "straw_before"));
                assert!(!told.is_empty());
                if MINDS.contains(&null) {
                    let choices = |told: &BTreeMap<String, (Value, Value)>| {
                        told.iter().map(|(seat, (choice, _))| (seat.clone(), choice.clone())).collect::<Vec<_>>()
                    };
                    assert_eq!(choices(&told), choices(&telling), "{arm} {null} {replicate}");
                    assert_eq!(all(&beside, "Convened")[0]["first"], first(&out, arm, replicate));
                } else {
                    let drawn = |records: &[Value]| {
                        let mut seats = all(records, "Seated")[0]["seats"].as_array().unwrap().clone();
                        seats.iter_mut().for_each(|seat| _ = seat.as_object_mut().unwrap().remove("hears"));
                        seats
                    };
                    assert_eq!(drawn(&own), drawn(&beside), "{arm} {null} {replicate}");
                    assert_eq!(told, telling, "{arm} {null} {replicate}");
                }
                if null == "friedkin_johnsen" {
                    assert_eq!(told["Erin"], telling["Erin"], "an opinion that was told is taken over as it was");
                }
            }
        }
        assert_eq!(differ, pairing == "independent", "arms that are no nulls draw apart only where the design says so");
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn each_null_lacks_what_it_is_named_after() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    run(&config(place.path(), &body(NULLS, "common_random_numbers")), &out, &["--jobs", "1"]).says(0, &[]);
    for replicate in 1..=6 {
        let silent = records(&out, "plain-null_no_talk", replicate);
        assert!(!silent.iter().any(|record| statement_of(record).is_some()) && all(&silent, "RoundOpened").is_empty());
        assert_eq!(all(&silent, "Tallied").len(), 1, "a group that does not talk votes once");
        let alone = records(&out, "plain-null_self_revision", replicate);
        assert!(alone.iter().any(|record| statement_of(record).is_some()));
        let hears = all(&alone, "Seated")[0]["seats"].as_array().unwrap();
        assert!(hears.iter().all(|of| of["hears"] == Value::Array(Vec::new())), "{hears:?}");
        let partner = if replicate % 2 == 1 { replicate + 1 } else { replicate - 1 };
        for arm in ["plain", "thought"] {
            let other = records(&out, &format!("{arm}-null_shuffled_speech"), replicate);
            let lender = &all(&other, "Convened")[0]["lender"]["session"];
            assert_eq!(*lender, format!("{arm}-r{partner:06}"), "the other group is of the same arm");
        }
    }
    let table = fs::read_to_string(out.join("seats.csv")).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let place_of = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (null, seat, mind) = (place_of("arm_null"), place_of("seat"), place_of("mind"));
    for cells in lines {
        let own = if cells[seat] == "Erin" { "degroot" } else { "voter" };
        let expected = if MINDS.contains(&cells[null]) { cells[null] } else { own };
        assert_eq!(cells[mind], expected, "{cells:?}");
    }
    let other = place.path().join("other");
    let again = config(place.path(), &body("random, self_revision", "common_random_numbers"));
    run(&again, &other, &["--jobs", "2"]).says(0, &[]);
    for session in ["plain-r000003", "plain-null_random-r000003", "thought-null_self_revision-r000006"] {
        let [one, two] = [&out, &other].map(|out| fs::read(minutes(out, session)).unwrap());
        assert!(one == two, "{session} does not depend on which other nulls there are");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_that_was_killed_goes_on_to_the_same_folder_whichever_sessions_were_cut() {
    let place = tempfile::tempdir().unwrap();
    let config = config(place.path(), &body(NULLS, "common_random_numbers"));
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    run(&config, &whole, &[]).says(0, &[]);
    copy(&whole, &cut);
    let sessions = [
        ("plain-r000002", 2),
        ("plain-null_shuffled_speech-r000001", 3),
        ("thought-null_shuffled_speech-r000004", 5),
        ("thought-null_no_talk-r000001", 2),
        ("plain-null_self_revision-r000006", 4),
        ("plain-null_random-r000005", 3),
        ("thought-null_friedkin_johnsen-r000002", 2),
        ("thought-r000005", 3),
        ("thought-null_polya-r000005", 9),
    ];
    for (session, share) in sessions {
        let file = minutes(&cut, session);
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - bytes.len() / share]).unwrap();
        fs::remove_file(file.with_file_name("run.json")).unwrap();
    }
    fs::remove_dir_all(cut.join("sessions/thought-r000003")).unwrap();
    run(&config, &cut, &[]).says(0, &[]);
    assert_same(&whole, &cut);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn arms_are_compared_without_nulls_unless_they_are_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    run(&config(place.path(), &body("no_talk, random", "common_random_numbers")), &out, &[]).says(0, &[]);
    let contrasts = |more: &[&str]| {
        let mut arguments = vec!["compare", text(&out), "--metric", "statements", "--json", "--resamples", "200"];
        arguments.extend(more);
        let told = ekklesia(&arguments);
        let told: Value = serde_json::from_str(&told.says(0, &[]).stdout).unwrap();
        let contrasts = told["compared"]["contrasts"].as_array().unwrap().clone();
        let sides =
            |contrast: &Value| [&contrast["first"], &contrast["second"]].map(|side| side.as_str().unwrap().to_owned());
        contrasts.iter().map(sides).collect::<Vec<_>>()
    };
    let pair = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    assert_eq!(contrasts(&[]), [pair("thought", "plain")]);
    assert_eq!(contrasts(&["--by", "talk"]), [pair("thought", "plain")]);
    let beside = ["no_talk", "random"].map(|null| pair(null, "the arm itself"));
    assert_eq!(contrasts(&["--by", "null"]), beside);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_no_null_can_be_made_of_is_told_before_anything_is_run() {
    let place = tempfile::tempdir().unwrap();
    let told = |body: &str, words: &[&str]| {
        ekklesia(&["check", text(&config(place.path(), body))]).says(2, words);
    };
    let plain = |nulls: &str| body(nulls, "common_random_numbers");
    told(&plain("no_talk, random, no_talk"), &["design.nulls.2", "listed twice"]);
    told(&plain("silence"), &["design.nulls.0", "unknown value \"silence\""]);
    told(&plain("shuffled_speech").replace("replicates: 6", "replicates: 5"), &["5 is odd", "write replicates: 6"]);
    told(
        &plain("no_talk").replace("talk: {", "\"null\": {").replace("talk: plain", "\"null\": plain"),
        &["choose another one"],
    );
    told(
        &plain("no_talk").replace("rounds: 3", "rounds: 0").replace("every_round", "at_end"),
        &["nobody talks in any arm"],
    );
    let without = plain("no_talk, friedkin_johnsen, polya").replace("[before, after]", "[after]");
    told(&without, &["friedkin_johnsen begin with", "polya begin with", "straw_polls: [before, after]"]);
    let by_lot = plain("random").replace("[before, after]", "[after]");
    ekklesia(&["check", text(&config(place.path(), &by_lot))]).says(0, &[]);
    told(&plain("{ friedkin_johnsen: { opinion: 0.5 } }"), &["design.nulls.0.friedkin_johnsen.opinion", "unknown key"]);
    told(&plain("{ polya: { concentration: 0 } }"), &["counts for nothing"]);
    told(
        &plain("shuffled_speech").replace("vote: every_round", "vote: every_round, proposals: true"),
        &["discussion.proposals", "null shuffled_speech"],
    );
}

#[test]
fn an_arm_without_talk_has_no_nulls_and_one_that_hears_another_group_is_not_shuffled_again() {
    let place = tempfile::tempdir().unwrap();
    let with = |design: &str| {
        let text = body("no_talk, shuffled_speech", "common_random_numbers");
        let from = text.find("design:").unwrap();
        trial::read(&config(place.path(), &format!("{}{design}", &text[..from])))
    };
    let names = |design: &str| with(design).arms.iter().map(|plan| plan.arm.clone()).collect::<Vec<_>>();
    let silent = "design:
  factors: { talk: { set: { none: { discussion.rounds: 0, discussion.vote: at_end }, some: {} } } }
  nulls: [no_talk, shuffled_speech]
";
    assert_eq!(names(silent), ["none", "some", "some-null_no_talk", "some-null_shuffled_speech"]);
    let shuffled = "design:
  factors: { memory: { key: memory.policy, levels: [full, shuffled] } }
  baseline: { memory: full }
  nulls: [no_talk, shuffled_speech]
";
    let expected = ["full", "full-null_no_talk", "full-null_shuffled_speech", "shuffled", "shuffled-null_no_talk"];
    assert_eq!(names(shuffled), expected);
    let experiment = with(shuffled);
    let lenders: Vec<Option<String>> = experiment.arms.iter().map(|plan| plan.lender_of(1)).collect();
    let full = Some("full-r000002".to_owned());
    assert_eq!(lenders, [None, None, full.clone(), full.clone(), full]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn words_that_were_taken_over_are_those_that_were_minuted_and_a_seat_that_said_none_says_nothing() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let mute = body("friedkin_johnsen, polya", "common_random_numbers")
        .replace("degroot: { self_weight: { uniform: [0.2, 0.8] } }", "random: { malformed: 1 }")
        .replace("decision: { rule: unanimity }", "decision: { rule: unanimity, invalid: abstain }");
    run(&config(place.path(), &mute), &out, &[]).says(0, &["36 of 36 sessions completed"]);
    for (null, replicate) in ["friedkin_johnsen", "polya"].iter().flat_map(|null| (1..=6).map(move |r| (null, r))) {
        let records = records(&out, &format!("plain-null_{null}"), replicate);
        let told = all(&records, "Convened")[0]["first"]["seats"].as_array().unwrap();
        assert_eq!(told.len(), 4, "{told:?}");
        let by_erin = || records.iter().filter(|record| record["seat"] == "Erin");
        let says = |record: &Value| {
            statement_of(record).is_some()
                || ["straw_poll", "ballot"].iter().any(|step| values_at(record, step).is_some())
        };
        assert!(!by_erin().any(says), "nobody makes up where it stands");
        assert!(by_erin().any(is_pass));
    }
    let null = "plain-null_polya-r000002";
    let (own, of) = (minutes(&out, null), minutes(&out, "plain-r000002"));
    let written = fs::read_to_string(&own).unwrap();
    let first = json_lines(&own)[0]["event"]["Convened"]["first"]["seats"][0]["alternative"].clone();
    let (is, other) = if first == "for" { ("for", "against") } else { ("against", "for") };
    let [is, other] = [is, other].map(|name| format!("\"alternative\":\"{name}\""));
    fs::write(&own, written.replacen(&is, &other, 1)).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &[null]);
    fs::write(&own, written).unwrap();
    let written = fs::read_to_string(&of).unwrap();
    fs::write(&of, written.replacen("discussion", "discussiom", 1)).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &[null, "plain-r000002"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn nulls_of_groups_of_models_ask_a_model_only_where_models_sit_and_are_made_again_offline() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start();
    let (out, offline) = (place.path().join("out"), place.path().join("offline"));
    let body = format!(
        "
replicates: 2
models: {{ small: {{ openai: {{ base_url: \"{}\", model: played, max_tokens: 60, timeout_s: 20 }} }} }}
seat_defaults: {{ model: small }}
seats: [ {{ count: 3, name: \"Member {{n}}\" }} ]
discussion: {{ rounds: 2 }}
straw_polls: [before, after]
memory: {{ summary_model: small }}
design: {{ nulls: [{NULLS}] }}
",
        server.base_url()
    );
    let config = write_config(place.path(), &body);
    run(&config, &out, &[]).says(0, &["14 of 14 sessions completed"]);
    for null in WORDS {
        let calls = out.join(format!("sessions/baseline-null_{null}-r000001/calls.jsonl"));
        assert_eq!(calls.exists(), !MINDS.contains(&null), "{null}");
    }
    copy_recorded(&out, &offline);
    let asked = server.requests();
    run(&config, &offline, &["--offline"]).says(0, &[]);
    assert_eq!(contents(&out), contents(&offline));
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    assert_eq!(server.requests(), asked);
    let table = fs::read_to_string(out.join("sessions.csv")).unwrap();
    let recorded = table.lines().filter(|line| line.contains(",recorded,")).count();
    assert_eq!(recorded, 14, "minds that begin where models stood are recomputed from what was recorded");
}

#[test]
fn a_null_whose_arm_failed_waits_for_it_with_its_reason_and_begins_with_nothing_made_up() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let script = "mind: { scripted: { list: [ { choice: for } ] } }";
    let failing = body("no_talk, friedkin_johnsen, random", "common_random_numbers")
        .replace("mind: { degroot: { self_weight: { uniform: [0.2, 0.8] } } }", script);
    let config = config(place.path(), &failing);
    let told = run(&config, &out, &[]);
    told.says(1, &["it needs the minutes of plain-r000001, which is not complete"]);
    for null in ["friedkin_johnsen", "random"] {
        assert!(!minutes(&out, &format!("plain-null_{null}-r000001")).exists(), "{null}");
    }
    run(&config, &out, &["--retry-failed"]).says(2, &["24 sessions failed and would fail again"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_of_a_null_begins_with_the_same_words_and_replays_alone() {
    let place = tempfile::tempdir().unwrap();
    let (out, forked, elsewhere) = (place.path().join("out"), place.path().join("forked"), place.path().join("away"));
    run(&config(place.path(), &body(NULLS, "common_random_numbers")), &out, &[]).says(0, &[]);
    let change = place.path().join("change.yaml");
    fs::write(&change, "set: { discussion.vote: at_end, discussion.rounds: 1 }\n").unwrap();
    for null in ["no_talk", "friedkin_johnsen"] {
        let session = format!("plain-null_{null}-r000003");
        let folder = out.join("sessions").join(&session);
        let fork = forked.join(null);
        ekklesia(&["fork", text(&folder), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
        let (own, parents) = (json_lines(&minutes(&fork, &session)), json_lines(&folder.join("minutes.jsonl")));
        assert_eq!(all(&own, "Convened")[0].get("first"), all(&parents, "Convened")[0].get("first"));
        assert_eq!(all(&own, "RoundOpened").len(), 1, "what a fork says of a key outdoes the null");
        fs::rename(&out, &elsewhere).unwrap();
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
        fs::rename(&elsewhere, &out).unwrap();
    }
}

fn compared(out: &Path, more: &[&str]) -> Value {
    let mut arguments = vec!["compare", text(out), "--json", "--resamples", "300"];
    arguments.extend(more);
    serde_json::from_str(&ekklesia(&arguments).says(0, &[]).stdout).unwrap()
}

/// The change of the share of pairs that choose alike from the poll before the talk to that after it, from the records alone.
fn change(out: &Path, arm: &str, replicate: u32) -> f64 {
    let records = records(out, arm, replicate);
    let agreement = |phase: &str| {
        let told: Vec<Value> = polled(&records, phase).into_values().map(|(choice, _)| choice).collect();
        let n = told.len();
        let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
        let alike: Vec<bool> = pairs.map(|(one, other)| told[one] == told[other]).collect();
        alike.iter().filter(|alike| **alike).count() as f64 / alike.len() as f64
    };
    agreement("straw_after") - agreement("straw_before")
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_a_null_reaches_is_the_ratio_of_the_mean_changes_that_the_records_tell() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    run(&config(place.path(), &body(NULLS, "common_random_numbers")), &out, &[]).says(0, &[]);
    let told = compared(&out, &[]);
    let agreement = &told["nulls"][0];
    assert_eq!((&agreement["name"], &agreement["column"]), (&"agreement".into(), &"straw_pair_agreement".into()));
    let mean = |arm: &str| (1..=6).map(|replicate| change(&out, arm, replicate)).sum::<f64>() / 6.0;
    let near = |found: &Value, expected: f64| found.as_f64().is_some_and(|found| (found - expected).abs() < 1e-5);
    let rows = agreement["nulls"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let (arm, null) = (row["arm"].as_str().unwrap(), row["null"].as_str().unwrap());
        let (of_arm, of_null) = (mean(arm), mean(null));
        assert!(near(&row["of_arm"], of_arm) && near(&row["of_null"], of_null), "{row}");
        assert!(near(&row["left"], of_arm - of_null), "{row}");
        assert_eq!((&row["blocks"], &row["blocks_planned"]), (&6.into(), &6.into()));
        match row["undefined"].as_str() {
            None => assert!((row["share"].as_f64().unwrap() - of_null / of_arm).abs() < 1e-4, "{row}"),
            Some(why) => {
                assert!(why == "arm_near_zero" || why == "arm_below_zero" && of_arm < 0.0, "{row}");
                assert_eq!(row["share"], Value::Null, "{row}");
            }
        }
    }
    ekklesia(&["compare", text(&out)]).says(0, &[" nulls: ", "straw_pair_agreement", "friedkin_johnsen", " share: "]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_null_that_is_like_its_arm_explains_all_of_it_and_without_polls_nothing_is_said_of_any() {
    let place = tempfile::tempdir().unwrap();
    let (out, unasked) = (place.path().join("out"), place.path().join("unasked"));
    // Seats that hear nobody but themselves, and by lot change their minds: the null is the same group.
    let alike = body("self_revision", "common_random_numbers")
        .replace("vote: every_round }", "vote: every_round, network: self }")
        .replace("voter: { copy: 0.4 }", "random: {}")
        .replace("replicates: 6", "replicates: 12");
    run(&config(place.path(), &alike), &out, &[]).says(0, &[]);
    for row in compared(&out, &[])["nulls"].as_array().unwrap().iter().flat_map(|m| m["nulls"].as_array().unwrap()) {
        assert_eq!(row["left"], 0.0, "{row}");
        assert!(row["share"] == 1.0 || row["undefined"].as_str().is_some_and(|why| why.starts_with("arm_")), "{row}");
    }
    let without = body("self_revision", "common_random_numbers").replace("[before, after]", "[before]");
    run(&config(place.path(), &without), &unasked, &[]).says(0, &[]);
    assert_eq!(compared(&unasked, &["--metric", "statements"])["nulls"], Value::Array(Vec::new()));
    ekklesia(&["compare", text(&unasked), "--metric", "statements"]).says(0, &["no session has both private polls"]);
}

#[test]
fn a_design_of_nulls_alone_needs_no_baseline_and_random_takes_no_settings() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &format!("{TWO}design: {{ nulls: [no_talk, random] }}\n"));
    assert!(!ekklesia(&["check", text(&config)]).says(0, &[]).stdout.contains("[no-baseline]"));
    let config = write_config(place.path(), &format!("{TWO}design: {{ nulls: [{{ random: {{}} }}] }}\n"));
    ekklesia(&["check", text(&config)]).says(2, &["\"random\" takes no settings", "write random alone"]);
}
