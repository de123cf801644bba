//! The job script of `slurm`: what it submits, and that its tasks and the collection are the run in one place. Real Slurm is in
//! `.ci/slurm.sh`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::fixtures::cli::{assert_same, ekklesia, text};
use crate::fixtures::sample::program;
use crate::fixtures::trial::write_config;

const STUDY: &str = "
replicates: 5
models: { sim: { simulated: {} }, big: { openai: { base_url: 'http://127.0.0.1:9/v1', model: org/big, context_window: 4096 } }, small: { openai: { base_url: 'http://127.0.0.1:9/v1', model: it's } } }
seat_defaults: { model: sim }
seats: [{ name: Ann }, { name: Bob }]
discussion: { rounds: 1, vote: at_end }
";

/// A script in a shell, in this folder, with `sbatch` as the folder's own `bin` has it.
fn bash(place: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", r#"PATH="$PWD/bin:$PATH" exec bash "$@""#, "-"]).args(arguments);
    command.current_dir(place).env("EKKLESIA", program());
    command.env_remove("SLURM_ARRAY_TASK_ID").envs(variables.iter().copied()).output().unwrap()
}

/// Writes the script of some arguments beside the config.
fn write_script(place: &Path, config: &Path, more: &[&str]) -> String {
    let told = ekklesia(&[&["slurm", text(config)], more].concat());
    assert_eq!(told.code, Some(0), "{told:#?}");
    fs::write(place.join("study.sh"), &told.stdout).unwrap();
    assert!(bash(place, &["-n", "study.sh"], &[]).status.success(), "{}", told.stdout);
    told.stdout
}

#[test]
fn the_tasks_of_the_script_and_its_collection_are_the_run_in_one_place() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let config = write_config(place, STUDY);
    let out = "it's here/all";
    let run = ["--replicates", "7", "--seed", "9"];
    ekklesia(&[&["run", text(&config), "--out", text(&place.join("one"))], &run[..]].concat()).says(0, &[]);
    write_script(place, &config, &[&["--shards", "3", "--mem", "2G", "--out", out, "--"], &run[..]].concat());
    fs::create_dir(place.join("bin")).unwrap();
    let sbatch = place.join("bin/sbatch");
    fs::write(
        &sbatch,
        "#!/bin/sh\necho \"$@\" >> submitted\ncase $* in *after*) cat > collect.sh;; esac\necho '7;here'\n",
    )
    .unwrap();
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).unwrap();
    let submitted = bash(place, &["study.sh"], &[]);
    assert!(submitted.status.success(), "{submitted:?}");
    let told = String::from_utf8(submitted.stdout).unwrap();
    assert_eq!(told, "job 7 runs the shards\njob 7 then collects them into it's here/all\n");
    let lines = fs::read_to_string(place.join("submitted")).unwrap();
    assert!(lines.starts_with("--parsable study.sh\n--parsable --dependency=afterany:7 --job-name="), "{lines}");
    assert!(lines.ends_with(" --mem=2G\n"), "{lines}");
    for shard in ["1", "2", "3"] {
        let task = [("SLURM_ARRAY_TASK_ID", shard), ("SLURM_CPUS_PER_TASK", "2")];
        let ended = bash(place, &["study.sh"], &task);
        assert!(ended.status.success(), "{ended:?}");
    }
    let collected = bash(place, &["collect.sh"], &[]);
    assert!(collected.status.success(), "{collected:?}");
    assert_same(&place.join("one"), &place.join(out));
    fs::remove_file(&config).unwrap();
    let refused = bash(place, &["study.sh"], &[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(String::from_utf8(refused.stderr).unwrap().contains("submit from the folder in which"));
}

#[test]
fn a_task_ends_with_the_code_of_its_run() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), STUDY);
    write_script(place.path(), &config, &["--shards", "1"]);
    let task = |program: &str| {
        let variables = [("SLURM_ARRAY_TASK_ID", "1"), ("EKKLESIA", program)];
        bash(place.path(), &["study.sh"], &variables).status.code()
    };
    assert_eq!(task("false"), Some(1));
    assert_eq!(task("true"), Some(0));
}

#[test]
fn a_server_is_started_for_one_model_with_its_words_quoted() {
    let place = tempfile::tempdir().unwrap();
    let seats = |model: &str| STUDY.replace("model: sim }", &format!("model: {model} }}"));
    let config = write_config(place.path(), &seats("big"));
    let script = write_script(place.path(), &config, &["--shards", "2", "--model-server", "vllm", "--gpus", "2"]);
    for line in [
        "#SBATCH --gpus=2",
        "vllm serve org/big --served-model-name org/big --host 127.0.0.1 --port \"$port\" \\",
        "--tensor-parallel-size 2 --max-model-len 4096",
        "/health",
        "--set models.big.openai.base_url=\"http://127.0.0.1:$port/v1\"",
    ] {
        assert!(script.contains(line), "{line}: {script}");
    }
    assert!(!script.contains("--jobs"), "the model's own concurrency counts");
    let config = write_config(place.path(), &seats("small"));
    let script = write_script(place.path(), &config, &["--shards", "2", "--model-server", "llama", "--cpus", "4"]);
    assert!(script.contains(r"--alias 'it'\''s'"), "{script}");
    assert!(script.contains("#SBATCH --cpus-per-task=4"), "{script}");
    let two = seats("big").replace("{ name: Bob }", "{ name: Bob, model: small }");
    let config = write_config(place.path(), &two);
    let slurm = |more: &[&str]| ekklesia(&[&["slurm", text(&config), "--shards", "2"], more].concat());
    slurm(&["--model-server", "vllm"]).says(2, &["the experiment asks big, small: name it with --model"]);
    slurm(&["--model-server", "vllm", "--model", "sim"])
        .says(2, &["no such model is asked; those that are: big, small"]);
    slurm(&["--model-server", "vllm", "--model", "small"]).says(0, &["2 shards"]);
}

#[test]
fn what_no_task_could_run_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), STUDY);
    let slurm = |more: &[&str]| ekklesia(&[&["slurm", text(&config)], more].concat());
    for (more, words) in [
        (
            &["--shards", "6"][..],
            "has at most 5 shards, because all arms of a replicate and an item stay together; use --shards 5",
        ),
        (&["--shards", "0"], "--shards"),
        (&["--shards", "2", "--time", "4h"], "expected MINUTES"),
        (&["--shards", "2", "--partition", "a b"], "expected a word"),
        (&["--shards", "2", "--mem", "lots"], "expected a whole number"),
        (&["--shards", "2", "--model", "big"], "--model-server"),
        (&["--shards", "2", "--model-server", "vllm"], "no seat of this experiment asks a language model"),
        (&["--shards", "2", "--", "--shard", "1/2"], "cannot be used multiple times"),
        (&["--shards", "2", "--", "--out", "here"], "cannot be used multiple times"),
        (&["--shards", "2", "--", "--pilot", "1"], "cannot be used with"),
        (&["--shards", "2", "--", "--set", "discussion.rounds=none"], "discussion.rounds"),
        (&["--shards", "2", "--", "--budget-tokens", "1"], "cannot be divided by 2 shards"),
    ] {
        let told = slurm(more);
        assert_eq!(told.code, Some(2), "{more:?}: {told:#?}");
        assert!(told.stderr.contains(words), "{more:?}: {told:#?}");
        assert_eq!(told.stdout, "", "{more:?}");
    }
}

#[test]
fn what_would_run_everything_again_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), STUDY);
    let out = place.path().join("all");
    let slurm = |shards: &str, out: &str| ekklesia(&["slurm", text(&config), "--shards", shards, "--out", out]);
    let shards = place.path().join("all.shards");
    let shard = shards.join("1-of-2");
    ekklesia(&["run", text(&config), "--shard", "1/2", "--out", text(&shard)]).says(0, &["collect ", "/*-of-2 --out "]);
    let slashed = format!("{}/", text(&out));
    slurm("2", &slashed).says(0, &["all.shards/*-of-2 --out"]);
    slurm("3", &slashed).says(2, &["all.shards holds shards of 2, not 3"]);
    ekklesia(&["collect", text(&shard), "--out", text(&out)]).says(4, &[]);
    fs::remove_dir_all(&shards).unwrap();
    slurm("2", &slashed).says(2, &["all.shards, the folder of its shards, is gone"]);
}

#[test]
fn a_snakefile_has_a_rule_for_shards_and_one_that_collects_them() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), STUDY);
    let flags = ["--shards", "2", "--time", "1-2", "--mem", "500", "--partition", "gpu", "--out", "a b", "--snakemake"];
    let told = ekklesia(&[&["slurm", text(&config)], &flags[..]].concat());
    for line in [
        r#"expand("a b.shards/{shard}-of-2/plan.yaml", shard=range(1, 2 + 1))"#,
        r#"runtime=1560,"#,
        r#"mem="500M","#,
        r#"slurm_partition="gpu","#,
        r#""${{EKKLESIA:-ekklesia}}" collect 'a b.shards'/*-of-2 --out 'a b'"#,
    ] {
        assert!(told.stdout.contains(line), "{line}: {}", told.stdout);
    }
    let braces = ["slurm", text(&config), "--shards", "2", "--out", "a{b}", "--snakemake"];
    ekklesia(&braces).says(2, &["a{b}: Snakemake takes braces in a path for a pattern"]);
}
