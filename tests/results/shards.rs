//! Shards: whatever their number, together they are the run in one place.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{Told, assert_same, ekklesia, everything, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;
use ekklesia::domain::Digest;

const PLAIN: &str = "
replicates: 7
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ name: Ann }, { name: Bob }, { name: Cid }]
straw_polls: [before, after]
discussion: { rounds: 2, vote: at_end }
design: { factors: { rule: { key: decision.rule, levels: [majority, unanimity] } } }
";

/// Runs each shard of a config, and collects them.
fn sharded(config: &Path, place: &Path, of: u32) -> (Vec<PathBuf>, PathBuf) {
    let shards: Vec<PathBuf> = (1..=of).map(|number| place.join(format!("{of}.shards/{number}-of-{of}"))).collect();
    for (number, out) in (1..).zip(&shards) {
        let shard = format!("{number}/{of}");
        ekklesia(&["run", text(config), "--shard", &shard, "--out", text(out)])
            .says(0, &[&format!("shard {shard} of ")]);
        assert!(!out.join("sessions.csv").exists(), "a shard has no tables");
        ekklesia(&["replay", text(out)]).says(0, &["no divergence"]);
    }
    let all = place.join(format!("all-{of}"));
    collect(&shards, &all).says(0, &[]);
    (shards, all)
}

fn collect(shards: &[PathBuf], out: &Path) -> Told {
    let shards = shards.iter().map(|shard| text(shard));
    ekklesia(&["collect"].into_iter().chain(shards).chain(["--out", text(out)]).collect::<Vec<_>>())
}

#[test]
fn the_shards_of_any_design_are_together_the_run_in_one_place() {
    let shipped = [
        ("configs/panel.yaml", "3"),
        ("configs/hidden_profile.yaml", "3"),
        ("configs/conformity.yaml", "2"),
        ("configs/motion-nulls.yaml", "4"),
        ("configs/memory-ablation.yaml", "4"),
    ];
    for (config, replicates) in shipped {
        let place = tempfile::tempdir().unwrap();
        let whole = place.path().join("whole");
        let run = ["run", config, "--replicates", replicates, "--out", text(&whole)];
        ekklesia(&run).says(0, &[]);
        for of in sample_cases(vec![1, 2, 3, 7], 4) {
            let shards: Vec<PathBuf> =
                (1..=of).map(|number| place.path().join(format!("{of}/{number}-of-{of}"))).collect();
            for (number, out) in (1..).zip(&shards) {
                let shard = format!("{number}/{of}");
                let run = ["run", config, "--replicates", replicates, "--shard", &shard, "--out", text(out)];
                ekklesia(&run).says(0, &[]);
            }
            let all = place.path().join(format!("all-{of}"));
            collect(&shards, &all).says(0, &[]);
            assert_same(&whole, &all);
        }
    }
}

#[test]
fn equal_shards_are_taken_twice_and_unequal_ones_are_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let whole = place.path().join("whole");
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    let (shards, all) = sharded(&config, place.path(), 3);
    assert_same(&whole, &all);
    // Collected again, and with a shard given twice, nothing changes.
    let before = everything(&all);
    collect(&[&shards[..], &shards[..1]].concat(), &all).says(0, &[]);
    let after = everything(&all);
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    let fork = place.path().join("fork.yaml");
    fs::write(&fork, "at: { seat: Bob, phase: discussion, round: 2 }\nsilent: true\n").unwrap();
    for (folder, out) in [(&whole, "fork-whole"), (&all, "fork-all")] {
        let session = folder.join("sessions/majority-r000002");
        let out = place.path().join(out);
        ekklesia(&["fork", text(&session), "--change", text(&fork), "--out", text(&out)]).says(0, &[]);
    }
    assert_same(&place.path().join("fork-whole"), &place.path().join("fork-all"));
    let minutes = shards[0].join("sessions/majority-r000001/minutes.jsonl");
    let other = place.path().join("3.shards/other");
    ekklesia(&["run", text(&config), "--shard", "1/3", "--out", text(&other)]).says(0, &[]);
    let changed = fs::read_to_string(&minutes).unwrap().replacen("Ann", "Ann ", 1);
    let fresh = place.path().join("fresh");
    fs::write(&minutes, &changed).unwrap();
    collect(&shards, &fresh).says(3, &["1-of-3/sessions/majority-r000001/minutes.jsonl: not what its run wrote"]);
    let run = minutes.with_file_name("run.json");
    let mut kept: serde_json::Value = serde_json::from_slice(&fs::read(&run).unwrap()).unwrap();
    kept["minutes_digest"] = Digest::of_text(&changed).to_string().into();
    fs::write(&run, kept.to_string()).unwrap();
    collect(&[shards.clone(), vec![other]].concat(), &fresh)
        .says(3, &["hold different minutes of one session", "1-of-3/sessions/majority-r000001"]);
    assert!(!fresh.exists(), "nothing was written");
}

#[test]
fn shards_with_more_replicates_extend_what_was_collected() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let (whole, kept) = (place.path().join("whole"), place.path().join("kept"));
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    let (shards, all) = sharded(&config, place.path(), 2);
    let more = |shard: &str, out: &Path| {
        ekklesia(&["run", text(&config), "--shard", shard, "--out", text(out), "--replicates", "10"]).says(0, &[]);
    };
    more("2/2", &shards[1]);
    // The other one has not been continued yet.
    collect(&shards, &all).says(4, &["shard 1/2: 2 sessions not complete, the first is majority-r000009"]);
    more("1/2", &shards[0]);
    collect(&shards, &all).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole), "--replicates", "10"]).says(0, &[]);
    assert_same(&whole, &all);
    collect(&shards, &kept).says(0, &[]);
    for folder in [&whole, &all, &kept] {
        let frozen: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join("experiment.json")).unwrap()).unwrap();
        assert_eq!(frozen["deviations"][0]["what"], "replicates", "{folder:?}");
        assert_eq!(frozen["deviations"][0]["sessions_done"], 14, "{folder:?}");
    }
    ekklesia(&["run", text(&config), "--shard", "1/3", "--out", text(&place.path().join("2.shards/1-of-3"))])
        .says(2, &["holds shards of 2, not 3: every session would be run again"]);
    collect(&[place.path().join("2.shards")], &kept).says(2, &["it holds shards: collect", "/*-of-2"]);
    collect(&[place.path().join("nowhere")], &kept).says(2, &["no such folder"]);
}

#[test]
fn a_failed_session_that_was_run_again_takes_the_place_of_the_first_attempt() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let (shards, all) = sharded(&config, place.path(), 2);
    let name = "majority-r000002";
    let before = fs::read(all.join("sessions").join(name).join("minutes.jsonl")).unwrap();
    // As after a session that failed was collected, and run again in its shard.
    let session = all.join("sessions").join(name);
    let minutes = before.split_inclusive(|byte| *byte == b'\n').take(3).flatten().copied().collect::<Vec<_>>();
    let mut run: serde_json::Value = serde_json::from_slice(&fs::read(session.join("run.json")).unwrap()).unwrap();
    run["status"] = "failed".into();
    run["minutes_digest"] = Digest::of(&minutes).to_string().into();
    run["minutes_bytes"] = minutes.len().into();
    let attempt = shards[1].join("failed").join(format!("{name}.1"));
    fs::create_dir_all(&attempt).unwrap();
    for folder in [&session, &attempt] {
        fs::write(folder.join("minutes.jsonl"), &minutes).unwrap();
        fs::write(folder.join("run.json"), run.to_string()).unwrap();
    }
    collect(&shards, &all).says(0, &[]);
    assert_eq!(fs::read(session.join("minutes.jsonl")).unwrap(), before);
    assert!(all.join("failed").join(format!("{name}.1/run.json")).exists());
}

#[test]
fn a_session_that_was_begun_elsewhere_with_other_answers_is_not_replaced() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let (shards, all) = sharded(&config, place.path(), 2);
    let session = all.join("sessions/majority-r000002");
    fs::remove_file(session.join("run.json")).unwrap();
    fs::write(session.join("calls.jsonl"), "paid\n").unwrap();
    let before = everything(&all);
    for pack in [&[][..], &["--pack"]] {
        let arguments = [&["collect", text(&shards[0]), text(&shards[1]), "--out", text(&all)], pack].concat();
        ekklesia(&arguments).says(3, &["majority-r000002: begun with other answers; move it away"]);
        assert_eq!(everything(&all), before);
    }
}

#[test]
fn what_is_missing_is_named_and_collected_later() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let whole = place.path().join("whole");
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    let (shards, _) = sharded(&config, place.path(), 3);
    let gone = shards[2].join("sessions/unanimity-r000003/run.json");
    fs::remove_file(&gone).unwrap();
    let out = place.path().join("out");
    collect(&[shards[0].clone(), shards[2].clone()], &out).says(
        4,
        &[
            "shard 2/3: 4 sessions not complete, the first is majority-r000002",
            "shard 3/3: 1 session not complete, the first is unanimity-r000003",
            "collect once more",
        ],
    );
    ekklesia(&["run", text(&shards[2])]).says(0, &["shard 3/3 of"]);
    collect(&shards, &out).says(0, &[]);
    assert_same(&whole, &out);
}

#[test]
fn shards_that_reached_their_servers_at_other_addresses_are_of_one_run() {
    let place = tempfile::tempdir().unwrap();
    let served = PLAIN.replace("sim: {", "far: { openai: { base_url: 'http://127.0.0.1:9/v1', model: m } }, sim: {");
    let config = write_config(place.path(), &served);
    let run = |shard: &str, out: &Path, address: &str| {
        let set = format!("models.far.openai.base_url={address}");
        ekklesia(&["run", text(&config), "--shard", shard, "--out", text(out), "--set", &set]).says(0, &[]);
    };
    let shards = ["1", "2"].map(|number| place.path().join(format!("{number}-of-2")));
    run("1/2", &shards[0], "http://127.0.0.1:7/v1");
    run("2/2", &shards[1], "http://127.0.0.1:8/v1");
    run("2/2", &shards[1], "http://localhost/v1");
    let kept = fs::read_to_string(shards[1].join("experiment.json")).unwrap();
    assert!(!kept.contains("base_url"), "{kept}");
    let out = place.path().join("out");
    collect(&[shards[1].clone(), shards[0].clone()], &out).says(0, &[]);
    let inputs = fs::read_to_string(out.join("inputs/overrides.yaml")).unwrap();
    assert!(inputs.contains("127.0.0.1:7"), "those of the first shard: {inputs}");
    // Neither does another address: where a server stands changes no answer. But that is told.
    run("2/2", &shards[1], "https://127.0.0.1.example.org/v1");
    let kept = fs::read_to_string(shards[1].join("experiment.json")).unwrap();
    assert!(kept.contains("base_url"), "{kept}");
    collect(&shards, &out).says(0, &[]);
}

#[test]
fn a_shard_that_was_killed_before_its_first_session_is_missing() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let (shards, _) = sharded(&config, place.path(), 2);
    let begun = place.path().join("begun/2-of-2");
    fs::create_dir_all(begun.join("sessions")).unwrap();
    fs::write(begun.join(".lock"), "").unwrap();
    let out = place.path().join("out");
    let words = ["nothing was run in this shard yet", "shard 2/2: 6 sessions not complete"];
    collect(&[shards[0].clone(), begun.clone()], &out).says(4, &words);
    collect(std::slice::from_ref(&begun), &place.path().join("none"))
        .says(4, &["none of these shards holds anything yet"]);
    fs::write(begun.join("thesis.txt"), "").unwrap();
    collect(&[shards[0].clone(), begun], &out).says(2, &["is no folder of `ekklesia run --shard`"]);
}

#[test]
fn shards_of_other_plans_and_folders_of_other_kinds_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let path = |name: &str| place.path().join(name);
    let run = |out: &Path, more: &[&str]| ekklesia(&[&["run", text(&config), "--out", text(out)], more].concat());
    run(&path("one"), &["--shard", "1/2"]).says(0, &[]);
    run(&path("two"), &["--shard", "2/2"]).says(0, &[]);
    run(&path("seed"), &["--shard", "2/2", "--seed", "9"]).says(0, &[]);
    run(&path("rounds"), &["--shard", "2/2", "--set", "discussion.rounds=3"]).says(0, &[]);
    run(&path("three"), &["--shard", "2/3"]).says(0, &[]);
    run(&path("whole"), &[]).says(0, &[]);
    for (other, words) in [
        ("seed", "are shards of different plans: in the arm majority, seed differs: 42 and 9"),
        ("rounds", "discussion.rounds"),
        ("three", "not of one run"),
        ("whole", "is no folder of `ekklesia run --shard`"),
        ("nowhere", "no such folder"),
    ] {
        let told = collect(&[path("one"), path(other)], &path("out"));
        assert_eq!(told.code, Some(2), "{other}: {told:#?}");
        assert!(told.stderr.contains(words), "{other}: {told:#?}");
        assert!(!path("out").exists());
    }
    run(&path("one"), &["--shard", "2/2"]).says(2, &["holds shard 1/2, not shard 2/2"]);
    run(&path("whole"), &["--shard", "2/2"]).says(2, &["holds a whole experiment, not shard 2/2"]);
    run(&path("one"), &[]).says(0, &["shard 1/2 of"]);
    collect(&[path("two")], &path("one")).says(2, &["holds shard 1/2; give --out another folder"]);
    for (shard, words) in [("0/2", "write I/N"), ("3/2", "write I/N"), ("1", "write I/N"), ("1/x", "write I/N")] {
        run(&path("bad"), &["--shard", shard]).says(2, &[words]);
    }
    let limited = ["--shard", "1/8", "--budget-tokens", "7"];
    run(&path("bad"), &limited).says(2, &["the limit of 7 tokens cannot be divided by 8 shards"]);
}

#[test]
fn more_replicates_move_no_session_to_another_shard() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let out = place.path().join("shard");
    let sessions = || {
        let mut names: Vec<_> =
            fs::read_dir(out.join("sessions")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    ekklesia(&["run", text(&config), "--shard", "2/3", "--out", text(&out)]).says(0, &[]);
    let before = sessions();
    assert_eq!(before.len(), 2 * 2, "replicates 2 and 5 of two arms");
    ekklesia(&["run", text(&config), "--shard", "2/3", "--replicates", "9", "--out", text(&out)]).says(0, &[]);
    let after = sessions();
    assert_eq!(after.len(), 2 * 3);
    assert!(before.iter().all(|name| after.contains(name)));
}

const ITEMS: &str = "
replicates: 2
items: { file: items.csv, id: id, text: text }
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Ann }, { name: Bob }, { name: Cid }]
discussion: { rounds: 1, vote: at_end }
";

#[test]
fn sessions_that_more_items_move_to_another_shard_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let items = |count: usize| (1..=count).map(|item| format!("q{item},Question {item}?\n")).collect::<String>();
    let write = |count| fs::write(place.path().join("items.csv"), format!("id,text\n{}", items(count))).unwrap();
    write(3);
    let config = write_config(place.path(), ITEMS);
    let (shards, _) = sharded(&config, place.path(), 2);
    write(4);
    ekklesia(&["run", text(&config), "--shard", "1/2", "--out", text(&shards[0])])
        .says(2, &["is shard 1/2 and holds the session", "belongs to shard 2/2", "more items"]);
    // A session that was put into another shard by hand is refused, too.
    write(3);
    let [own, other] = [0, 1].map(|shard: usize| {
        let names = fs::read_dir(shards[shard].join("sessions")).unwrap();
        names.map(|entry| entry.unwrap().path()).min().unwrap()
    });
    fs::rename(&own, shards[1].join("sessions").join(own.file_name().unwrap())).unwrap();
    collect(&shards, &place.path().join("moved"))
        .says(2, &["is shard 2/2 and holds the session", "belongs to shard 1/2"]);
    assert!(other.exists());
}

#[test]
fn a_session_of_another_replicate_and_changed_minutes_are_named() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PLAIN);
    let (shards, _) = sharded(&config, place.path(), 2);
    let session = |name: &str| shards[0].join("sessions").join(name);
    let kept = place.path().join("kept");
    fs::rename(session("majority-r000001"), &kept).unwrap();
    fs::create_dir(session("majority-r000001")).unwrap();
    for file in ["minutes.jsonl", "run.json"] {
        fs::copy(session("majority-r000003").join(file), session("majority-r000001").join(file)).unwrap();
    }
    collect(&shards, &place.path().join("swapped")).says(3, &["majority-r000001", "replicate 3 is not in the plan"]);
    fs::remove_dir_all(session("majority-r000001")).unwrap();
    fs::rename(&kept, session("majority-r000001")).unwrap();
    let minutes = session("majority-r000001").join("minutes.jsonl");
    let changed = fs::read_to_string(&minutes).unwrap().replacen("for", "f0r", 1);
    fs::write(&minutes, changed).unwrap();
    ekklesia(&["run", text(&shards[0])]).says(3, &["majority-r000001", "changed since they were written"]);
    fs::remove_dir_all(session("majority-r000001")).unwrap();
    ekklesia(&["run", text(&shards[0])]).says(0, &[]);
    collect(&shards, &place.path().join("mended")).says(0, &[]);
    fs::remove_file(shards[0].join("experiment.json")).unwrap();
    ekklesia(&["run", text(&shards[0])]).says(2, &["has lost its experiment.json", "--shard 1/2"]);
    ekklesia(&["run", text(&shards[0]), "--shard", "1/2"]).says(0, &["shard 1/2 of "]);
}
