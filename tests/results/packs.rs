//! Packs: few files in place of many, and nothing else that differs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{
    self, Server, Told, assert_same, contents, ekklesia, ended, everything, mixed, program, text,
};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;

/// Of two arms, the first pack holds 32 replicates and the second 64.
const BODY: &str = "
replicates: 40
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ name: Ann }, { name: Bob }, { name: Cid }]
straw_polls: [before, after]
discussion: { rounds: 1, vote: at_end }
design: { factors: { rule: { key: decision.rule, levels: [majority, unanimity] } } }
";

const FIRST: &str = "packs/minutes-000001.zst";
const SECOND: &str = "packs/minutes-000002.zst";

fn run(config: &Path, out: &Path, more: &[&str]) -> Told {
    cli::run(config, out, more)
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in everything(from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::create_dir_all(to.join("sessions")).unwrap();
}

/// What `zstd -dc` prints.
fn plain(pack: &Path) -> Vec<u8> {
    zstd::stream::decode_all(fs::File::open(pack).unwrap()).unwrap()
}

/// The loose sessions of a folder, by name.
fn loose(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join("sessions")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn planned(replicates: std::ops::RangeInclusive<u32>) -> Vec<String> {
    let arms = ["majority", "unanimity"];
    let of = |arm: &str| replicates.clone().map(|number| format!("{arm}-r{number:06}")).collect::<Vec<_>>();
    arms.into_iter().flat_map(of).collect()
}

/// A loose folder and a packed one with the same sessions, whose accounts of their runs are the same, too.
fn both(config: &Path, place: &Path) -> (PathBuf, PathBuf) {
    let (loose, packed) = (place.join("loose/trial"), place.join("packed/trial"));
    run(config, &loose, &[]).says(0, &[]);
    copy(&loose, &packed);
    ekklesia(&["run", text(&packed), "--pack"]).says(0, &[]);
    (loose, packed)
}

#[test]
fn a_packed_folder_holds_what_a_loose_one_does_in_plan_order_and_makes_the_same_tables() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (one, packed) = both(&config, place.path());
    assert!(loose(&packed).is_empty(), "every session is packed");
    for (pack, sessions) in [(FIRST, planned(1..=32)), (SECOND, planned(33..=40))] {
        for (kind, file) in [("minutes", "minutes.jsonl"), ("run", "run.json")] {
            let all: Vec<u8> = sessions
                .iter()
                .flat_map(|name| fs::read(one.join("sessions").join(name).join(file)).unwrap())
                .collect();
            assert!(plain(&packed.join(pack.replace("minutes", kind))) == all, "{pack}: {kind}");
        }
    }
    assert_eq!(fs::read_dir(packed.join("packs")).unwrap().count(), 4, "nobody was called or took notes");
    let (one, packed) = (contents(&one), contents(&packed));
    let tables: Vec<_> = one.keys().filter(|path| !path.starts_with("sessions")).collect();
    assert!(tables.len() > 15);
    tables.iter().for_each(|path| assert!(one[*path] == packed[*path], "{}", path.display()));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn packed_folders_are_equal_for_any_number_of_jobs_and_of_shards() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let config = write_config(place.path(), BODY);
    run(&config, &path("one"), &["--pack", "--jobs", "1"]).says(0, &[]);
    run(&config, &path("four"), &["--pack", "--jobs", "4"]).says(0, &[]);
    assert_same(&path("one"), &path("four"));
    for of in sample_cases([2, 1, 3], 2) {
        let shards: Vec<PathBuf> = (1..=of).map(|number| path(&format!("{of}/{number}-of-{of}"))).collect();
        for (number, out) in (1..).zip(&shards) {
            run(&config, out, &["--pack", "--shard", &format!("{number}/{of}")]).says(0, &[]);
            assert!(out.join(FIRST).is_file() && loose(out).is_empty());
        }
        let all = path(&format!("all-{of}"));
        let collect = |from: &[PathBuf]| {
            let from = from.iter().map(|shard| text(shard));
            ekklesia(&["collect"].into_iter().chain(from).chain(["--out", text(&all)]).collect::<Vec<_>>())
        };
        if of > 1 {
            collect(&shards[1..]).says(4, &["shard 1/"]);
        }
        collect(&shards).says(0, &[]);
        assert_same(&path("one"), &all);
        collect(&shards).says(0, &[]);
        assert_same(&path("one"), &all);
    }
    // A loose shard is collected into packs where that is asked for.
    run(&config, &path("loose-shard"), &["--shard", "1/1"]).says(0, &[]);
    let collect = ["collect", text(&path("loose-shard")), "--pack", "--out", text(&path("packed"))].map(str::to_owned);
    ekklesia(&collect.each_ref().map(String::as_str)).says(0, &[]);
    assert_same(&path("one"), &path("packed"));
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn more_replicates_are_what_they_are_all_at_once_and_move_no_session() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, grown) = (place.path().join("whole"), place.path().join("grown"));
    run(&config, &whole, &["--pack"]).says(0, &[]);
    run(&config, &grown, &["--pack", "--replicates", "7"]).says(0, &[]);
    run(&config, &grown, &["--replicates", "33"]).says(0, &["14 sessions complete already"]);
    let first = fs::read(grown.join(FIRST)).unwrap();
    run(&config, &grown, &[]).says(0, &["66 sessions complete already"]);
    assert!(first == fs::read(grown.join(FIRST)).unwrap(), "a full pack stays as it is");
    assert_same(&whole, &grown);
    // Another arm halves the packs: what lies elsewhere now is moved.
    let more = ["--set", "design.factors.rule.levels=[majority, unanimity, plurality]"];
    run(&config, &grown, &more).says(0, &["120 of 120 sessions"]);
    let all = place.path().join("all");
    run(&config, &all, &[&more[..], &["--pack"]].concat()).says(0, &[]);
    assert_same(&all, &grown);
}

/// A folder in which a kill left something between the writing of the packs and the removal of the loose folders.
fn cut_short(config: &Path, place: &Path, cut: impl FnOnce(&Path, &Path)) {
    let (loose, packed) = both(config, place);
    let out = place.join("cut");
    copy(&packed, &out);
    cut(&out, &loose);
    ekklesia(&["run", text(&out)]).says(0, &[]);
    assert_same(&packed, &out);
    assert!(self::loose(&out).is_empty());
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_that_was_killed_while_it_packed_goes_on_to_the_same_folder() {
    let lay_loose = |out: &Path, loose: &Path, names: &[String], files: &[&str]| {
        for name in names {
            for file in files {
                let to = out.join("sessions").join(name);
                fs::create_dir_all(&to).unwrap();
                fs::copy(loose.join("sessions").join(name).join(file), to.join(file)).unwrap();
            }
        }
    };
    type Cut<'c> = (&'c str, Box<dyn FnOnce(&Path, &Path) + 'c>);
    let staged = |length: usize| -> Cut<'_> {
        let cut = move |out: &Path, loose: &Path| {
            let bytes = fs::read(out.join(FIRST)).unwrap();
            fs::write(out.join("packs/.ekklesia-x"), &bytes[..length.min(bytes.len())]).unwrap();
            fs::remove_file(out.join(FIRST)).unwrap();
            lay_loose(out, loose, &planned(1..=32), &["minutes.jsonl", "run.json"]);
        };
        ("a pack that was not put in place", Box::new(cut))
    };
    let removing = |removed: usize, files: &'static [&'static str]| -> Cut<'_> {
        let cut = move |out: &Path, loose: &Path| {
            lay_loose(out, loose, &planned(1..=32)[removed..], &["minutes.jsonl", "run.json"]);
            lay_loose(out, loose, &planned(33..=33), files);
        };
        ("loose folders that were not removed", Box::new(cut))
    };
    let no_minutes: Cut<'_> = (
        "accounts of runs without their minutes",
        Box::new(|out: &Path, loose: &Path| {
            fs::remove_file(out.join(FIRST)).unwrap();
            fs::remove_file(out.join(SECOND)).unwrap();
            lay_loose(out, loose, &planned(1..=40), &["minutes.jsonl", "run.json"]);
        }),
    );
    let nothing: Cut<'_> = (
        "nothing packed and nothing loose",
        Box::new(|out: &Path, _: &Path| {
            fs::remove_dir_all(out.join("packs")).and_then(|()| fs::create_dir(out.join("packs"))).unwrap()
        }),
    );
    let cuts = vec![
        no_minutes,
        removing(0, &["minutes.jsonl", "run.json"]),
        removing(5, &["run.json"]),
        removing(63, &["minutes.jsonl"]),
        staged(0),
        staged(1_000),
        staged(usize::MAX),
        nothing,
    ];
    for (what, cut) in sample_cases(cuts, 3) {
        let place = tempfile::tempdir().unwrap();
        let config = write_config(place.path(), BODY);
        eprintln!("{what}");
        cut_short(&config, place.path(), cut);
    }
}

#[test]
fn a_loose_session_that_is_not_the_packed_one_is_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    run(&config, &out, &["--pack", "--replicates", "3"]).says(0, &[]);
    let loose = out.join("sessions/majority-r000002");
    fs::create_dir(&loose).unwrap();
    fs::write(loose.join("minutes.jsonl"), "{}\n").unwrap();
    let words =
        ["sessions/majority-r000002/minutes.jsonl", "minutes-000001.zst#majority-r000002", "move one of them away"];
    ekklesia(&["run", text(&out)]).says(1, &words);
    fs::remove_dir_all(&loose).unwrap();
    ekklesia(&["run", text(&out)]).says(0, &[]);
}

/// One arm comes to its end; the other's script is too short.
const FAILING: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Ann, mind: { voter: { copy: 0.4 } } }
  - name: Bob
    mind: { scripted: { table: [
      { phase: discussion, round: 1, step: statement, statement: Hm., stance: for },
      { phase: vote, round: 0, step: ballot, choice: for } ] } }
discussion: { rounds: 1, vote: at_end }
design: { factors: { length: { key: discussion.rounds, levels: [1, 2] } } }
";

#[test]
fn sessions_that_failed_stay_loose() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), FAILING);
    let (one, packed) = (place.path().join("loose"), place.path().join("packed"));
    let told = run(&config, &one, &[]);
    assert_eq!(told.code, Some(1), "{told:#?}");
    run(&config, &packed, &["--pack"]).says(1, &["3 failed sessions"]);
    assert_eq!(loose(&packed).len(), 3, "the others are packed");
    let (one, packed) = (contents(&one), contents(&packed));
    let table = Path::new("sessions.csv");
    assert!(one[table] == packed[table]);
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn every_command_says_of_a_packed_folder_what_it_says_of_a_loose_one() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (loose, packed) = both(&config, place.path());
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let session = "trial/sessions/unanimity-r000033";
    let commands: Vec<Vec<&str>> = vec![
        vec!["replay", "trial"],
        vec!["replay", session],
        vec!["show", session],
        vec!["show", "trial/unanimity-r000002"],
        vec!["context", session, "--seat", "Bob"],
        vec!["compare", "trial"],
        vec!["retally", "trial"],
        vec!["retally", session, "--json"],
        vec!["search", "trial", "Sundays"],
        vec!["search", session, "against"],
        vec!["report", "trial", "--out", "report.html"],
        vec!["report", session, "--out", "session.html"],
        vec!["export", "trial", "--format", "preflib", "--out", "preflib"],
        vec!["export", "trial", "--format", "csv-safe", "--out", "safe"],
        vec!["export", "trial", "--format", "bundle", "--out", "bundle.tar.gz"],
        vec!["fork", session, "--change", text(&change), "--out", "fork"],
        vec!["run", "trial"],
    ];
    for command in commands {
        let there = |results: &Path| ended(program(&command).current_dir(results.parent().unwrap()));
        let (one, other) = (there(&loose), there(&packed));
        assert_eq!(one.code, Some(0), "{command:?}: {one:#?}");
        assert_eq!((one.code, without_times(&one.stdout)), (other.code, without_times(&other.stdout)), "{command:?}");
    }
    for written in ["report.html", "session.html", "preflib", "safe", "fork"] {
        let of = |results: &Path| {
            let path = results.with_file_name(written);
            if path.is_dir() { contents(&path) } else { [(path.clone(), fs::read(&path).unwrap())].into() }
        };
        let (one, other): (Vec<_>, Vec<_>) = (of(&loose).into_values().collect(), of(&packed).into_values().collect());
        assert!(one == other, "{written}");
    }
    assert!(self::loose(&packed).is_empty(), "no command unpacked anything");
    let bundle = |results: &Path| {
        let archive = fs::File::open(results.with_file_name("bundle.tar.gz")).unwrap();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
        let paths = archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().into_owned());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(bundle(&loose), bundle(&packed), "a bundle is loose");
    let why = |results: &Path| {
        let told = ended(program(&["why", "trial/sessions.csv:2:statements"]).current_dir(results.parent().unwrap()));
        told.says(0, &[]).stdout.replace("packs/minutes-000001.zst#majority-r000002", "MINUTES")
    };
    assert_eq!(why(&packed), why(&loose).replace("sessions/majority-r000002/minutes.jsonl", "MINUTES"));
}

/// What was said, without how long it took.
fn without_times(words: &str) -> String {
    words.lines().filter(|line| !line.ends_with(" s")).collect::<Vec<_>>().join("\n")
}

#[test]
fn calls_are_packed_too_and_make_the_session_again_offline() {
    let (place, server) = (tempfile::tempdir().unwrap(), Server::start());
    let config = write_config(place.path(), &(mixed(&server.base_url(), "fixed") + "replicates: 3\n"));
    let out = place.path().join("out");
    run(&config, &out, &["--pack"]).says(0, &["3 of 3 sessions"]);
    assert!(out.join("packs/calls-000001.zst").is_file() && loose(&out).is_empty());
    let asked = server.requests();
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    ekklesia(&["run", text(&out), "--offline"]).says(0, &[]);
    let before = plain(&out.join("packs/calls-000001.zst"));
    run(&config, &out, &["--replicates", "4"]).says(0, &["4 of 4 sessions"]);
    let calls = plain(&out.join("packs/calls-000001.zst"));
    assert!(calls.starts_with(&before) && server.requests() < asked * 2, "what is packed is not asked again");
    fs::remove_file(out.join("packs/calls-000001.zst")).unwrap();
    let told = ekklesia(&["replay", text(&out)]);
    assert_ne!(told.code, Some(0), "{told:#?}");
    assert!(String::from_utf8(calls).unwrap().lines().count() >= server.requests());
}

#[test]
fn sessions_of_a_panel_are_packed_with_their_notes_and_those_they_need() {
    let place = tempfile::tempdir().unwrap();
    let (one, packed) = (place.path().join("loose"), place.path().join("packed"));
    for (out, more) in [(&one, &[][..]), (&packed, &["--pack"])] {
        let run = ["run", "configs/panel.yaml", "--replicates", "2", "--out", text(out)];
        ekklesia(&[&run[..], more].concat()).says(0, &[]);
    }
    assert!(loose(&packed).is_empty());
    let table = Path::new("sessions.csv");
    assert!(contents(&one)[table] == contents(&packed)[table]);
    ekklesia(&["replay", text(&packed)]).says(0, &["no divergence"]);
    let grown = ["run", "configs/panel.yaml", "--replicates", "3", "--out", text(&packed)];
    ekklesia(&grown).says(0, &[]);
    ekklesia(&["replay", text(&packed)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_changed_byte_is_found_wherever_it_is_and_the_pack_is_named() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    run(&config, &out, &["--pack", "--replicates", "4"]).says(0, &[]);
    for name in ["minutes", "run"] {
        let path = out.join(format!("packs/{name}-000001.zst"));
        let whole = fs::read(&path).unwrap();
        for place in sample_cases(0..whole.len(), 1 + whole.len() / 7) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            let told = ekklesia(&["replay", text(&out)]);
            assert!(matches!(told.code, Some(1..=4)), "{name}, byte {place}: {told:#?}");
            let said = format!("{}{}", told.stdout, told.stderr);
            assert!(said.contains(&format!("packs/{name}-000001.zst")), "{name}, byte {place}: {told:#?}");
        }
        for length in sample_cases(0..whole.len(), 1 + whole.len() / 5) {
            fs::write(&path, &whole[..length]).unwrap();
            for command in [&["replay", text(&out)][..], &["run", text(&out)]] {
                let told = ekklesia(command);
                assert!(matches!(told.code, Some(1..=4)), "{name}, {length} bytes: {told:#?}");
                let said = format!("{}{}", told.stdout, told.stderr);
                assert!(said.contains(&format!("{name}-000001.zst")), "{name}, {length} bytes: {told:#?}");
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    // A pack that holds together, with minutes of another seed.
    let other = place.path().join("other");
    run(&config, &other, &["--pack", "--replicates", "4", "--seed", "5"]).says(0, &[]);
    fs::copy(other.join(FIRST), out.join(FIRST)).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &["majority-r000001: record"]);
    ekklesia(&["show", text(&out.join("sessions/majority-r000001"))]).says(3, &["changed since they were written"]);
}
