//! What can go wrong outside: every time the path and the reason are told, nothing is lost, and nothing panics.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use crate::fixtures::cli::{self, Server, assert_same, contents, ekklesia, ended, everything, mixed, program, text};
use crate::fixtures::trial::write_config;

const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
  - { name: Rand, mind: { random: { malformed: 0.3 } } }
discussion: { rounds: 2, order: random }
";

fn desk() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    (place, config, out)
}

fn run(config: &Path, out: &Path) -> cli::Told {
    ekklesia(&["run", text(config), "--out", text(out)])
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_server_that_is_not_there_is_told_with_what_to_start_or_set() {
    let place = tempfile::tempdir().unwrap();
    // Nobody may listen on port 1 but the machine's administrator.
    let config = write_config(place.path(), &mixed("http://127.0.0.1:1/v1", "fixed"));
    let told = run(&config, &place.path().join("out"));
    told.says(1, &["http://127.0.0.1:1/v1: no connection (Connection refused", "start the model server, or set"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_config_that_is_none_is_refused_with_its_path_and_the_reason() {
    let (place, good, out) = desk();
    let good = fs::read_to_string(good).unwrap();
    let bomb: String = (1..12)
        .map(|n| format!("x{n}: &x{n} [{}]\n", vec![format!("*x{}", n - 1); 9].join(", ")))
        .fold("x0: &x0 [1, 1, 1]\n".to_owned(), |bomb, line| bomb + &line);
    let cases: [(&str, Vec<u8>, &[&str]); 12] = [
        ("empty.yaml", Vec::new(), &["empty.yaml: the file is empty"]),
        ("blank.yaml", b"\n\n# nothing\n".to_vec(), &["blank.yaml"]),
        ("binary.yaml", (0..=255).collect(), &["binary.yaml: not a text file"]),
        ("nul.yaml", b"experiment: a\0b\n".to_vec(), &["nul.yaml"]),
        ("scalar.yaml", b"hello".to_vec(), &["scalar.yaml:1"]),
        ("list.yaml", b"- a\n- b\n".to_vec(), &["list.yaml:1"]),
        ("bomb.yaml", bomb.into_bytes(), &["bomb.yaml", "limit"]),
        ("deep.yaml", format!("a: {}", "[".repeat(10_000)).into_bytes(), &["deep.yaml:1", "32 levels"]),
        ("long.yaml", vec![b'a'; 2_000_000], &["long.yaml: larger than"]),
        ("twice.yaml", format!("{good}seed: 3\n").into_bytes(), &["twice.yaml", "seed", "twice"]),
        ("unknown.yaml", format!("{good}sead: 3\n").into_bytes(), &["unknown.yaml", "sead"]),
        ("mistyped.yaml", good.replace("seed: 42", "seed: many").into_bytes(), &["mistyped.yaml:3", "seed"]),
    ];
    for (name, bytes, words) in cases {
        let path = place.path().join(name);
        fs::write(&path, bytes).unwrap();
        run(&path, &out).says(2, words);
    }
    run(&place.path().join("missing.yaml"), &out).says(2, &["missing.yaml: no such file"]);
    run(place.path(), &out).says(2, &[text(place.path()), "folder"]);
    assert!(!out.exists(), "nothing is made of a wrong config");
}

#[test]
fn a_folder_that_cannot_be_made_or_written_is_named() {
    let (place, config, out) = desk();
    fs::write(&out, "a file").unwrap();
    run(&config, &out).says(1, &[text(&out)]);
    run(&config, &out.join("within")).says(1, &[text(&out.join("within"))]);
    // A file stands where a session's folder must be, then a folder where its minutes must be.
    let out = place.path().join("other");
    let session = out.join("sessions/baseline-r000002");
    fs::create_dir_all(out.join("sessions")).unwrap();
    fs::write(&session, "a file").unwrap();
    run(&config, &out).says(1, &[text(&session)]);
    fs::remove_file(&session).unwrap();
    fs::create_dir_all(session.join("minutes.jsonl")).unwrap();
    run(&config, &out).says(1, &[text(&session.join("minutes.jsonl")), "baseline-r000002"]);
    fs::remove_dir(session.join("minutes.jsonl")).unwrap();
    run(&config, &out).says(0, &[]);
    let whole = place.path().join("whole");
    run(&config, &whole).says(0, &[]);
    assert_same(&whole, &out);
    // A folder where a table must be.
    fs::remove_file(out.join("rounds.csv")).unwrap();
    fs::create_dir(out.join("rounds.csv")).unwrap();
    run(&config, &out).says(1, &["rounds.csv"]);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let (place, config, out) = desk();
    run(&config, &out).says(0, &[]);
    let before = everything(&out);
    let mode = |bits| fs::set_permissions(&out, fs::Permissions::from_mode(bits)).unwrap();
    mode(0o555);
    // Whoever may write everywhere, such as root, meets no refusal and cannot try this.
    let may_write_anyway = fs::write(out.join("probe"), "").is_ok();
    if !may_write_anyway {
        fs::write(place.path().join("config.yaml"), format!("# longer\n{}", fs::read_to_string(&config).unwrap()))
            .unwrap();
        run(&config, &out).says(1, &[text(&out)]);
    }
    mode(0o755);
    let _ = fs::remove_file(out.join("probe"));
    assert_eq!(everything(&out), before);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_path_is_named_and_all_other_minutes_are_kept() {
    let (place, config, out) = desk();
    run(&config, &out).says(0, &[]);
    let whole = contents(&out);
    // What takes no byte stands where the second session's minutes belong.
    let minutes = out.join("sessions/baseline-r000002/minutes.jsonl");
    fs::remove_file(&minutes).unwrap();
    fs::create_dir(&minutes).unwrap();
    run(&config, &out).says(1, &[text(&minutes), "again goes on"]);
    for other in ["baseline-r000001", "baseline-r000003"] {
        let kept = PathBuf::from("sessions").join(other).join("minutes.jsonl");
        assert!(fs::read(out.join(&kept)).unwrap() == whole[&kept]);
    }
    fs::remove_dir(&minutes).unwrap();
    run(&config, &out).says(0, &[]);
    assert_eq!(contents(&out), whole);
    // The disk is full from the start, or somewhere on the way: no file may grow beyond so many blocks.
    for blocks in ["0", "1", "4", "16"] {
        let full = place.path().join(format!("full-{blocks}"));
        let mut limited = std::process::Command::new("sh");
        let shell = "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"";
        let program = crate::fixtures::sample::program();
        limited.args(["-c", shell, blocks, text(&program), "run", text(&config), "--out", text(&full)]);
        ended(&mut limited).says(1, &[text(&full)]);
        run(&config, &full).says(0, &[]);
        assert_same(&full, &out);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_server_that_is_down_is_named_and_the_run_goes_on_when_it_is_up() {
    let place = tempfile::tempdir().unwrap();
    // Held without anybody listening, so that no other server is given it meanwhile.
    let held = TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = held.local_addr().unwrap();
    let url = format!("http://{address}/v1");
    let config = write_config(place.path(), &mixed(&url, "fixed"));
    let (out, whole) = (place.path().join("out"), place.path().join("whole"));
    run(&config, &out).says(1, &[&url, "baseline-r000001", "again goes on"]);
    let tables = fs::read_to_string(out.join("sessions.csv")).unwrap();
    assert!(tables.contains("incomplete"), "a partial table says so: {tables}");
    let listener = Runtime::new().unwrap().block_on(async { held.listen(1024)?.into_std() }).unwrap();
    let _server = Server::listen_on(listener);
    run(&config, &out).says(0, &[]);
    run(&config, &whole).says(0, &[]);
    assert_same(&whole, &out);
}

#[test]
fn a_missing_key_is_named_by_its_variable() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start();
    let body =
        mixed(&server.base_url(), "fixed").replace("model: played", "model: played, api_key_env: EKKLESIA_TRIAL_KEY");
    let config = write_config(place.path(), &body);
    let out = place.path().join("out");
    let arguments = ["run", text(&config), "--out", text(&out)];
    for key in [None, Some(""), Some("  "), Some("a\nb")] {
        let mut command = program(&arguments);
        match key {
            None => command.env_remove("EKKLESIA_TRIAL_KEY"),
            Some(key) => command.env("EKKLESIA_TRIAL_KEY", key),
        };
        match key {
            Some("a\nb") => {
                ended(&mut command).says(1, &["key", "again goes on"]);
            }
            _ => {
                let words = "api_key_env: the environment variable EKKLESIA_TRIAL_KEY, which holds the key, is not set";
                ended(&mut command).says(2, &[words, "--offline"]);
                assert!(!out.exists(), "nothing is planned or run");
                ended(command.arg("--set").arg("replicates=0")).says(2, &[words, "--set: replicates", "2 problems"]);
            }
        }
    }
    assert_eq!(server.requests(), 0);
    ended(program(&arguments).env("EKKLESIA_TRIAL_KEY", "sk-secret")).says(0, &[]);
    for (path, bytes) in everything(&out) {
        assert!(!String::from_utf8_lossy(&bytes).contains("sk-secret"), "{} holds the key", path.display());
    }
}

#[test]
fn torn_lines_are_said_and_made_again() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start();
    let config = write_config(place.path(), &mixed(&server.base_url(), "fixed"));
    let out = place.path().join("out");
    run(&config, &out).says(0, &[]);
    let whole = contents(&out);
    let session = out.join("sessions/baseline-r000001");
    for name in ["minutes.jsonl", "calls.jsonl"] {
        let bytes = fs::read(session.join(name)).unwrap();
        fs::write(session.join(name), &bytes[..bytes.len() - 7]).unwrap();
        let _ = fs::remove_file(session.join("run.json"));
        if name == "calls.jsonl" {
            // The minutes hold the answer: asking the model again would give other words.
            let requests = server.requests();
            run(&config, &out).says(4, &["baseline-r000001", name, "last line", "recorded call is gone"]);
            assert_eq!(server.requests(), requests);
            fs::write(session.join(name), &bytes).unwrap();
            run(&config, &out).says(0, &[]);
        } else {
            run(&config, &out).says(0, &["baseline-r000001", name, "last line"]);
        }
        assert_eq!(contents(&out), whole);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn minutes_that_are_none_are_refused_and_kept() {
    let (_place, config, out) = desk();
    run(&config, &out).says(0, &[]);
    let whole = everything(&out);
    let session = out.join("sessions/baseline-r000002");
    let minutes = fs::read(session.join("minutes.jsonl")).unwrap();
    let last = String::from_utf8_lossy(&minutes).lines().last().unwrap().to_owned();
    let mut surplus = minutes.clone();
    surplus.extend(format!("{last}\n").as_bytes());
    let mut binary = minutes.clone();
    binary[100..140].fill(0xff);
    let record = |number: usize| format!("record {number}");
    let lines = minutes.iter().filter(|byte| **byte == b'\n').count();
    let cases: [(&str, Vec<u8>, String); 4] = [
        ("no JSON", b"hello\n".to_vec(), record(0)),
        ("another JSON", b"{\"seq\":0}\n".to_vec(), record(0)),
        ("no text", binary, record(0)),
        ("a record too many", surplus, record(lines)),
    ];
    for (name, bytes, named) in cases {
        for run_file in ["kept", "lost"] {
            fs::write(session.join("minutes.jsonl"), &bytes).unwrap();
            if run_file == "lost" {
                let _ = fs::remove_file(session.join("run.json"));
            }
            // A session that was completed and has its length is folded and not conducted: then the line is named.
            let is_folded = run_file == "kept" && bytes.len() == minutes.len();
            let named_by_run = if is_folded { "minutes.jsonl:1".to_owned() } else { named.clone() };
            run(&config, &out).says(3, &["baseline-r000002", &named_by_run]);
            assert_eq!(fs::read(session.join("minutes.jsonl")).unwrap(), bytes, "{name}");
            ekklesia(&["replay", text(&out)]).says(3, &["baseline-r000002", &named]);
            let tables = fs::read_to_string(out.join("sessions.csv")).unwrap();
            assert!(tables.contains("incomplete"), "{name}: a partial table says so");
        }
        fs::write(session.join("minutes.jsonl"), &minutes).unwrap();
        run(&config, &out).says(0, &[]);
    }
    ekklesia(&["replay", text(&out)]).says(0, &[]);
    assert_eq!(everything(&out).keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
}

#[test]
fn replay_says_what_a_folder_lacks() {
    let (place, config, out) = desk();
    let empty = place.path().join("empty");
    fs::create_dir(&empty).unwrap();
    ekklesia(&["replay", text(&empty)]).says(2, &[text(&empty)]);
    ekklesia(&["replay", text(&place.path().join("nowhere"))]).says(2, &["nowhere"]);
    ekklesia(&["replay", text(&config)]).says(2, &["config.yaml"]);
    run(&config, &out).says(0, &[]);
    let lose = |name: &str, code: i32, words: &[&str]| {
        let (path, aside) = (out.join(name), place.path().join("aside"));
        fs::rename(&path, &aside).unwrap();
        ekklesia(&["replay", text(&out)]).says(code, words);
        fs::rename(&aside, &path).unwrap();
    };
    lose("inputs", 2, &["neither the folder of an experiment"]);
    lose("inputs/config.yaml", 2, &["config.yaml"]);
    lose("inputs/scenario", 2, &["scenario"]);
    lose("inputs/scenario/scenario.yaml", 2, &["scenario.yaml"]);
    lose("inputs/scenario/prompts", 2, &["prompts"]);
    lose("sessions", 2, &["no session"]);
    lose("sessions/baseline-r000003/minutes.jsonl", 4, &["baseline-r000003", "minutes.jsonl"]);
    lose("tallies.csv", 3, &["tallies.csv is missing"]);
    fs::create_dir(out.join("sessions/stranger")).unwrap();
    ekklesia(&["replay", text(&out)]).says(2, &["stranger"]);
    fs::remove_dir(out.join("sessions/stranger")).unwrap();
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn a_session_that_is_none_several_or_incomplete_is_told() {
    let (place, config, out) = desk();
    for name in ["one", "two"] {
        run(&config, &place.path().join("results").join(name)).says(0, &[]);
    }
    let within = |arguments: &[&str]| ended(program(arguments).current_dir(place.path()));
    within(&["show", "baseline-r000009"]).says(2, &["baseline-r000009", "no such session"]);
    within(&["show", "baseline-r000001"]).says(2, &["several sessions", "results/one", "results/two"]);
    within(&["show", "results/one/sessions/baseline-r000001"]).says(0, &["Member 1"]);
    within(&["show", "results/one/sessions/baseline-r000001", "--seat", "Rend"]).says(2, &["Rend", "Rand"]);
    within(&["show", "results/one/sessions/baseline-r000001", "--phase", "votes"]).says(2, &["votes", "vote"]);
    run(&config, &out).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    let change = place.path().join("change.yaml");
    fs::write(&change, "set: { decision.rule: plurality }\n").unwrap();
    let run_file = fs::read_to_string(session.join("run.json")).unwrap();
    fs::write(session.join("run.json"), run_file.replace("\"completed\"", "\"incomplete\"")).unwrap();
    let refused = ekklesia(&["fork", text(&session), "--change", text(&change)]);
    refused.says(2, &["baseline-r000001", "not completed"]);
    fs::write(session.join("run.json"), "{").unwrap();
    ekklesia(&["fork", text(&session), "--change", text(&change)]).says(2, &["not completed"]);
    let minutes = fs::read(session.join("minutes.jsonl")).unwrap();
    fs::write(session.join("minutes.jsonl"), &minutes[..minutes.len() / 2]).unwrap();
    ekklesia(&["show", text(&session)]).says(0, &["was cut off in writing"]);
    let records: Vec<&[u8]> = minutes.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(session.join("minutes.jsonl"), records[..records.len() - 1].concat()).unwrap();
    ekklesia(&["show", text(&session)]).says(0, &["the record ends here: the session has not ended"]);
    fs::write(session.join("minutes.jsonl"), &minutes).unwrap();
    let whole = ekklesia(&["show", text(&session)]);
    assert!(!whole.says(0, &["Member 1"]).stdout.contains("the record ends here"));
    fs::write(session.join("minutes.jsonl"), "hello\n").unwrap();
    ekklesia(&["show", text(&session)]).says(1, &["minutes.jsonl:1"]);
    fs::remove_file(session.join("minutes.jsonl")).unwrap();
    ekklesia(&["show", text(&session)]).says(1, &["minutes.jsonl"]);
}

#[test]
fn a_number_of_the_command_line_that_is_none_is_refused_with_its_range() {
    let (_place, config, out) = desk();
    let cases = [
        ("--seed", "-1", "9007199254740991"),
        ("--seed", "99999999999999999999", "9007199254740991"),
        ("--seed", "seven", "9007199254740991"),
        ("--replicates", "-1", "1000000"),
        ("--replicates", "1.5", "1000000"),
    ];
    for (option, value, greatest) in cases {
        let told = ekklesia(&["run", text(&config), "--out", text(&out), option, value]);
        told.says(2, &[option, value, "expected a whole number", greatest]);
    }
    assert!(!out.exists(), "nothing is made of a wrong number");
}

#[test]
fn what_is_no_regular_file_is_no_input_wherever_it_is_named() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = text(&pipe).to_owned();
    let said = "this is a pipe or a device, not a file";
    let named = |more: &str| write_config(place.path(), &format!("{BODY}{more}"));
    for more in [
        format!("exhibits: {{ table: {{ file: {pipe} }} }}\n"),
        "exhibits: { table: { file: /dev/full } }\n".to_owned(),
        format!("personas: {{ people: {{ file: {pipe}, id: pid, text: persona }} }}\n"),
        format!("items: {{ file: {pipe}, id: id, text: text }}\n"),
    ] {
        ekklesia(&["check", text(&named(&more))]).says(2, &[said]);
    }
    ekklesia(&["check", &pipe]).says(2, &[said]);
    ekklesia(&["run", "/dev/full"]).says(2, &[said]);
    ekklesia(&["import", "rawls", &pipe]).says(2, &[said]);
}

/// Checks that a command refuses its input with these words, and says a secret nowhere.
#[track_caller]
fn assert_untold(arguments: &[&str], secret: &str, words: &str) {
    let told = ekklesia(arguments);
    assert!(!format!("{told:#?}").contains(secret), "{told:#?}");
    told.refuses(&[words]);
}

#[test]
fn a_key_where_its_variable_belongs_is_never_told() {
    let key = "sk-proj-Zx81kQw0aPmN4LrT7uVb";
    let (bare, place) = (key.replace('-', "_"), tempfile::tempdir().unwrap());
    let model = |keys: &str| {
        let body = BODY.replace(
            "{ sim: {",
            &format!(
                "{{ far: {{ openai: {{ base_url: \"https://me:{key}@example.org\", model: m, {keys} }} }}, sim: {{"
            ),
        );
        write_config(place.path(), &body)
    };
    for keys in [
        format!("api_key_env: {key}"),
        format!("api_key_env: {bare}"),
        format!("api_key_env: [{key}]"),
        format!("api_key: \"{key}\""),
        format!("api_key_env: {key}, modle: n"),
    ] {
        let config = model(&keys);
        assert_untold(&["check", text(&config)], "Zx81kQw0", "openai.api_key");
        assert_untold(&["check", text(&config), "--json"], "Zx81kQw0", "openai.api_key");
        assert_untold(&["run", text(&config)], "Zx81kQw0", "openai.api_key");
    }
    let config = write_config(place.path(), BODY);
    for set in [
        format!("models.sim.openai.api_key={key}"),
        format!("models.sim.openai={{base_url: 'me:{key}@host', model: m}}"),
        format!("models.sim.openai.base_url=me:{key}@host"),
    ] {
        assert_untold(&["check", text(&config), "--set", &set], "Zx81kQw0", "models.sim");
    }
}

#[test]
fn a_password_in_an_address_is_never_told_however_the_address_is_written() {
    let place = tempfile::tempdir().unwrap();
    let says = |address: &str| {
        let model = "models:\n  sim: { simulated: {} }\n  far:\n    openai:\n      model: m\n      base_url: ";
        let body = BODY.replace("models: { sim: { simulated: {} } }", &format!("{model}{address}"));
        assert!(body.contains(address));
        let config = write_config(place.path(), &body);
        assert_untold(&["check", text(&config)], "heim", "config.yaml");
        assert_untold(&["check", text(&config), "--json"], "heim", "config.yaml");
    };
    for address in [
        "\"me:geheim@host/v1\"",
        "\"https:/me:geheim@host/v1\"",
        "\"host/v1?key=geheim\"",
        "\"https://me:ge\\\"heim@host/v1\"",
        "'https://me:ge''heim@host/v1'",
        "'https://me:geheim@host/v1'",
        "me:geheim@host/v1",
        ">-\n        me:geheim@host/v1",
        "\n        \"me:geheim@host/v1\"",
        "\"me:\n        geheim@host/v1\"",
    ] {
        says(address);
    }
}

#[test]
fn keys_of_any_signs_are_never_told_and_what_the_program_says_stays() {
    let place = tempfile::tempdir().unwrap();
    let openai = |settings: &str| {
        let models = format!("models: {{ far: {{ openai: {{ model: m, {settings} }} }}, sim: {{");
        let body = BODY.replace("models: { sim: {", &models).replace("model: sim", "model: far");
        write_config(place.path(), &body)
    };
    let address = "base_url: \"https://example.org/v1\"";
    for (settings, secret) in [
        (format!("{address}, api_key_env: \"p4$x9!zq\""), "p4$x9!zq"),
        (format!("{address}, api_key_env: ab-cd-ef-12"), "ab-cd"),
        ("base_url: { a: \"p4!x9$z\" }".to_owned(), "p4!x9"),
        ("base_url: \"https://host/v1?key=abc\", api_key_env: sk-abcdefgh".to_owned(), "defgh"),
        (format!("{address}, api_key: correct horse battery"), "horse"),
        (format!("{address}, api_key: AIzaSyA1b2C3d4E5f6"), "A1b2C3"),
    ] {
        let config = openai(&settings);
        assert_untold(&["check", text(&config)], secret, "models.far.openai.");
        assert_untold(&["check", text(&config), "--json"], secret, "models.far.openai.");
    }
    let config = openai("base_url: \"https://host/v1?key=abc\", api_key: sk-the-api, max_token: 3, modle: n");
    let own = ["write api_key_env: NAME, the environment variable", "unknown key", "\"max_tokens\"", "\"model\""];
    ekklesia(&["check", text(&config)]).says(2, &own);
}
