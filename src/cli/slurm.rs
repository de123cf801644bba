//! `slurm`: prints a job script or a Snakefile that runs an experiment's shards and collects them. It submits nothing.

pub mod arguments;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Value, json};

use super::arguments::{Arguments, RunArguments, Verb};
use super::exit::{Ending, Refusal};
use super::output::{note, print_text};
use super::{budget, run, shard, shell_command, size};
use crate::plan::{Experiment, Limits, OpenAiModel, PlannedSession, Shard};
use crate::report::{counted, escape_unseen};
use crate::store::inputs::Inputs;
use arguments::{ModelServer, SlurmArguments, minutes_of};

/// Slurm's default limit on tasks in an array.
const TASKS_USUAL: u32 = 1000;
/// The default cores of a task with a model server.
const CPUS_WITH_SERVER: u32 = 4;
/// Seconds between progress lines in a log.
const PROGRESS_EVERY: u32 = 60;

impl ModelServer {
    /// The name of the server program; `None` without a server.
    fn program(self) -> Option<&'static str> {
        match self {
            ModelServer::Vllm => Some("vllm"),
            ModelServer::Llama => Some("llama"),
            ModelServer::None => None,
        }
    }
}

/// Prints the script.
///
/// # Errors
/// A [`Refusal`] when the config or an option is invalid, some shards would be empty, or several models could be served.
pub fn run_slurm(arguments: &SlurmArguments) -> Result<Ending, Refusal> {
    if Inputs::are_kept(&arguments.config) {
        let message = format!("{} is a results folder; name the config", arguments.config.display());
        return Err(Refusal::wrong_input(message));
    }
    let of_shard = run_arguments(arguments, Path::new("-"));
    let resolved = run::resolve_experiment(&of_shard)?;
    size::refuse_giants(&of_shard, &resolved)?;
    let experiment = &resolved.experiment;
    refuse_idle_shards(arguments.shards, experiment)?;
    let given = Limits { usd: of_shard.budget_usd, tokens: of_shard.budget_tokens };
    shard::divide_limits(budget::effective_limits(given, experiment), of_shard.shard, experiment)?;
    let model = served_model(arguments, experiment)?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&experiment.name));
    // Drops a slash at the end.
    let out: PathBuf = out.components().collect();
    refuse_second_run(arguments.shards, &out)?;
    refuse_braces(arguments, &out)?;
    let text = match arguments.snakemake {
        true => render_snakefile(arguments, (&of_shard, experiment), model, &out),
        false => render_job_script(arguments, (&of_shard, experiment), model, &out),
    };
    print_text(text.trim_end())?;
    print_next_step(arguments, experiment);
    Ok(Ending::Done)
}

/// The arguments of the first shard's run. Exits the program if the options are invalid.
fn run_arguments(arguments: &SlurmArguments, out: &Path) -> RunArguments {
    let shard = format!("1/{}", arguments.shards);
    let line = ["ekklesia".as_ref(), "run".as_ref(), arguments.config.as_os_str(), "--shard".as_ref()];
    let line = line.into_iter().chain([shard.as_ref(), "--out".as_ref(), out.as_os_str()]);
    let line = line.chain(arguments.of_run.iter().map(AsRef::as_ref));
    match Arguments::try_parse_from(line) {
        Ok(Arguments { verb: Verb::Run(run) }) => run,
        Ok(_) => unreachable!("invariant: the line begins with `run`"),
        Err(error) => error.exit(),
    }
}

/// Refuses more shards than blocks: some would be empty.
fn refuse_idle_shards(shards: u32, experiment: &Experiment) -> Result<(), Refusal> {
    let blocks =
        PlannedSession::for_experiment(experiment).map(|session| experiment.block_of(&session) + 1).max().unwrap_or(0);
    if u64::from(shards) <= blocks {
        return Ok(());
    }
    let message = format!(
        "--shards {shards}: {} has at most {}, because all arms of a replicate and an item stay together; use --shards {blocks}",
        experiment.name,
        counted(blocks, "shard")
    );
    Err(Refusal::wrong_input(message))
}

/// Refuses to run every session again: with another number of shards, or after the shards' folder is gone.
fn refuse_second_run(shards: u32, out: &Path) -> Result<(), Refusal> {
    let beside = shards_of(out);
    shard::refuse_other_number(shards, Path::new(&beside))?;
    if Inputs::are_kept(out) && !Path::new(&beside).is_dir() {
        let message = format!(
            "{} holds results and {beside}, the folder of its shards, is gone: every session would be run again; give --out another folder",
            out.display()
        );
        return Err(Refusal::wrong_input(message));
    }
    Ok(())
}

/// The model to serve; `None` without a server.
fn served_model<'e>(
    arguments: &SlurmArguments,
    experiment: &'e Experiment,
) -> Result<Option<&'e OpenAiModel>, Refusal> {
    if arguments.model_server == ModelServer::None {
        return Ok(None);
    }
    let asked = experiment.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
    let asked: BTreeMap<&str, &OpenAiModel> = asked.map(|model| (model.name.as_str(), model)).collect();
    let names = || asked.keys().copied().collect::<Vec<_>>().join(", ");
    match (&arguments.model, asked.len()) {
        (_, 0) => Err(Refusal::wrong_input("--model-server: no seat of this experiment asks a language model")),
        (Some(name), _) => asked.get(name.as_str()).map(|model| Some(*model)).ok_or_else(|| {
            Refusal::wrong_input(format!("--model {name}: no such model is asked; those that are: {}", names()))
        }),
        (None, 1) => Ok(asked.into_values().next()),
        (None, _) => Err(Refusal::wrong_input(format!(
            "--model-server serves one model and the experiment asks {}: name it with --model",
            names()
        ))),
    }
}

/// The shell code of a task. It needs `shard` and `threads`.
fn render_task(
    arguments: &SlurmArguments,
    (of_shard, experiment): (&RunArguments, &Experiment),
    model: Option<&OpenAiModel>,
    out: &Path,
) -> String {
    let config = shell_command::shell_word(&arguments.config.display().to_string());
    let shard_folder = format!("{}/\"$shard-of-{}\"", shell_command::shell_word(&shards_of(out)), arguments.shards);
    let mut run = format!("run {config} --shard \"$shard/{}\" --out {shard_folder}", arguments.shards);
    for option in &arguments.of_run {
        run.push_str(&format!(" {}", shell_command::shell_word(option)));
    }
    // Offline, use an address on this machine too: a change of port alone does not change the plan.
    let mut run_offline = format!("{run} --offline");
    if let Some(model) = model {
        let set = format!(" --set models.{}.openai.base_url=", model.name);
        run_offline.push_str(&format!("{set}http://127.0.0.1:9/v1"));
        run.push_str(&format!("{set}\"http://127.0.0.1:$port/v1\""));
    }
    if experiment.arms.iter().all(|plan| plan.is_simulated()) && of_shard.jobs.is_none() {
        run.push_str(" --jobs \"$threads\"");
    }
    if of_shard.progress.is_none() {
        run.push_str(&format!(" --progress {PROGRESS_EVERY}"));
    }
    render_template(
        "task.sh",
        include_str!("slurm/task.sh"),
        &json!({
            "server": arguments.model_server.program(),
            "shard_folder": shard_folder,
            "run_offline": run_offline,
            "snakemake": arguments.snakemake,
            "model": model.map(|model| shell_command::shell_word(&model.model)),
            "window": model.and_then(|model| model.context_window),
            "concurrency": model.map(|model| model.concurrency),
            "gpus": arguments.gpus,
            "run": run,
        }),
    )
}

/// The job script. As a job it runs the shards; in a shell it submits them and the collecting job.
fn render_job_script(
    arguments: &SlurmArguments,
    run: (&RunArguments, &Experiment),
    model: Option<&OpenAiModel>,
    out: &Path,
) -> String {
    // The collecting job uses no GPU, so it stays out of a partition for GPUs.
    let partition = arguments.partition.clone().filter(|_| arguments.gpus.is_none());
    let flags = [("partition", &partition), ("time", &arguments.time), ("mem", &arguments.mem)];
    let flags = flags.iter().filter_map(|(flag, value)| Some(format!("--{flag}={} ", value.as_ref()?)));
    let mut values = script_values(arguments, run.1, out);
    values["time"] = json!(arguments.time);
    values["mem"] = json!(arguments.mem);
    values["partition"] = json!(arguments.partition);
    values["gpus"] = json!(arguments.gpus);
    values["collect_flags"] = json!(flags.collect::<String>());
    values["task"] = json!(render_task(arguments, run, model, out).trim_end());
    render_template("job.sh", include_str!("slurm/job.sh"), &values)
}

/// Refuses paths that Snakemake would take for patterns.
fn refuse_braces(arguments: &SlurmArguments, out: &Path) -> Result<(), Refusal> {
    let mut paths = [arguments.config.as_path(), out].into_iter().filter(|_| arguments.snakemake);
    match paths.find(|path| path.to_string_lossy().contains(['{', '}'])) {
        None => Ok(()),
        Some(path) => Err(Refusal::wrong_input(format!(
            "{}: Snakemake takes braces in a path for a pattern; rename it, or print a script without --snakemake",
            path.display()
        ))),
    }
}

/// The Snakefile, with a rule for the shards and one that collects them.
fn render_snakefile(
    arguments: &SlurmArguments,
    run: (&RunArguments, &Experiment),
    model: Option<&OpenAiModel>,
    out: &Path,
) -> String {
    // Snakemake expands single braces in a rule's text.
    let doubled = |text: &str| text.replace('{', "{{").replace('}', "}}");
    let path = |path: &str| json!(path).to_string();
    let resources = [
        arguments.time.as_deref().and_then(minutes_of).map(|minutes| format!("runtime={minutes}")),
        arguments.mem.as_ref().map(|mem| format!("mem={}", json!(with_unit(mem)))),
        arguments.partition.as_ref().map(|partition| format!("slurm_partition={}", json!(partition))),
        arguments.gpus.map(|gpus| format!("gpus={gpus}")),
    ];
    let shards = path(&format!("{}/", shards_of(out)));
    let shards = shards.trim_end_matches('"');
    let mut values = script_values(arguments, run.1, out);
    values["table"] = json!(path(&format!("{}/sessions.csv", out.display())));
    // A shard's `plan.yaml` marks it as done, so Snakemake reruns a shard that was removed.
    values["done"] = json!(format!("{shards}{{shard}}-of-{}/plan.yaml\"", arguments.shards));
    values["config_text"] = json!(path(&arguments.config.display().to_string()));
    values["resources"] = json!(resources.into_iter().flatten().collect::<Vec<_>>());
    values["collect_escaped"] = json!(doubled(values["collect"].as_str().unwrap_or_default()));
    values["task"] = json!(doubled(render_task(arguments, run, model, out).trim_end()));
    render_template("Snakefile", include_str!("slurm/Snakefile"), &values)
}

/// The values that both kinds of script need.
fn script_values(arguments: &SlurmArguments, experiment: &Experiment, out: &Path) -> Value {
    let shown = |path: &Path| on_line(&path.display().to_string());
    let cpus = if arguments.model_server == ModelServer::None { 1 } else { CPUS_WITH_SERVER };
    let out_word = shell_command::shell_word(&out.display().to_string());
    let collect =
        format!("collect {}/*-of-{} --out {out_word}", shell_command::shell_word(&shards_of(out)), arguments.shards);
    json!({
        "shards": arguments.shards,
        "cpus": arguments.cpus.unwrap_or(cpus),
        "server": arguments.model_server.program(),
        "config_word": shell_command::shell_word(&arguments.config.display().to_string()),
        "name": experiment.name,
        "config": shown(&arguments.config),
        "out": shown(out),
        "out_word": out_word,
        "collect": collect,
        "made_by": render_command_line(),
    })
}

/// The command line that printed the script, ready to type again.
fn render_command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell_command::shell_word(&word.to_string_lossy()));
    on_line(&format!("ekklesia {} (version {})", words.collect::<Vec<_>>().join(" "), env!("CARGO_PKG_VERSION")))
}

/// The folder of the shards, beside the results folder.
fn shards_of(out: &Path) -> String {
    format!("{}.shards", out.display())
}

fn render_template(name: &str, template: &str, values: &Value) -> String {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let blocks = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(blocks.expect("invariant: the usual delimiters are valid"));
    environment.render_named_str(name, template, Serde(values)).expect("invariant: the templates of scripts are sound")
}

/// Prints the next step on stderr, because stdout goes to a file.
fn print_next_step(arguments: &SlurmArguments, experiment: &Experiment) {
    let shards = u64::from(arguments.shards);
    let of = |shard: &Shard| {
        PlannedSession::for_experiment(experiment).filter(|session| shard.holds_session(experiment, session)).count()
            as u64
    };
    let first = of(&Shard { number: 1, of: arguments.shards });
    let all = counted(PlannedSession::for_experiment(experiment).count() as u64, "session");
    let submit = if arguments.snakemake { "snakemake --snakefile FILE" } else { "bash FILE" };
    note!("ekklesia: {all} in {}, up to {first} in one; submit with: {submit}", counted(shards, "shard"));
    if arguments.shards > TASKS_USUAL && !arguments.snakemake {
        note!("ekklesia: Slurm takes {TASKS_USUAL} tasks in an array unless the cluster sets MaxArraySize higher");
    }
}

/// Makes a text fit on one line of a comment.
fn on_line(text: &str) -> String {
    escape_unseen(text).replace('\n', "\\u{a}")
}

/// A size with its unit: Slurm takes a bare number as megabytes.
fn with_unit(size: &str) -> String {
    if size.chars().all(|c| c.is_ascii_digit()) { format!("{size}M") } else { size.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_read_as_sbatch_reads_it() {
        let cases = [
            ("90", Some(90)),
            ("90:30", Some(91)),
            ("04:00:00", Some(240)),
            ("1-12", Some(36 * 60)),
            ("1-12:30", Some(36 * 60 + 30)),
            ("1-12:30:01", Some(36 * 60 + 31)),
            ("", None),
            ("4h", None),
            ("1:2:3:4", None),
            ("1-", None),
            ("99999999999999999999", None),
        ];
        cases.into_iter().for_each(|(text, minutes)| assert_eq!(minutes_of(text), minutes, "{text}"));
    }
}
