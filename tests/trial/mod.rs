//! What the tests of sessions share: plans from a few lines of YAML, minutes in memory, a session on minds.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::adapters::seating::Seating;
use ekklesia::domain::{Record, Verdict};
use ekklesia::engine::Deliberation;
use ekklesia::plan::{Answers, Experiment, OpenAiModel, Origin, Plan, Server};
use ekklesia::ports::{Backend, Minutes};
use ekklesia::session::{Halt, Visibility, conduct};
use futures::executor::block_on;

/// A model in a simulated seat's place.
pub fn any_model() -> OpenAiModel {
    OpenAiModel {
        name: "any".to_owned(),
        server: Server::Other,
        base_url: String::new(),
        model: String::new(),
        temperature: None,
        max_tokens: 400,
        answers: Answers::JsonSchema,
        api_key_env: None,
        timeout_s: 60,
        retry_for_s: 0,
        requests_per_minute: None,
        tokens_per_minute: None,
        concurrency: 1,
        context_window: None,
        context_margin_ppm: 800_000,
        tokenizer: None,
        price: None,
        price_from: Origin::Default,
    }
}

/// The folder of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Writes a config into a folder, on the shipped motion, and returns its path.
pub fn write_config(folder: &Path, body: &str) -> PathBuf {
    let scenario = repository().join("scenarios/motion");
    let text = format!("experiment: trial\nscenario: {}\nseed: 42\n{body}", scenario.display());
    let path = folder.join("config.yaml");
    fs::write(&path, text).unwrap();
    path
}

/// Words, as YAML has them in quotes, that would end their element, clear a terminal and turn the text round, and that are wide.
const HOSTILE: &str = "</script><img src=x onerror=alert(1)> \\u001b[2J \\u001b]0;title\\u0007 \\u202e dlog \\u2066 &amp; <!-- \\u200b \
                       ]]> 漢字 e\\u0301 👩‍👩‍👧";

/// A talk of Alice, a seat of this line and Carol, who says hostile words first and these then.
pub fn hostile(seat: &str, again: &str, replicates: u32) -> String {
    format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats:
  - {{ name: Alice, mind: {{ voter: {{ copy: 0.9 }} }} }}
  - {seat}
  - name: Carol
    mind: {{ scripted: {{ table: [
      {{ phase: straw_before, round: 0, step: straw_poll, choice: for }},
      {{ phase: discussion, round: 1, step: statement, statement: \"{HOSTILE}\", stance: for }},
      {{ phase: discussion, round: 2, step: statement, statement: \"{again}\", stance: for }},
      {{ phase: discussion, round: 3, step: statement, pass: true }},
      {{ phase: straw_after, round: 0, step: straw_poll, choice: for }},
      {{ phase: vote, round: 0, step: ballot, choice: for }} ] }} }}
straw_polls: [before, after]
discussion: {{ rounds: 3, order: random, vote: at_end }}
decision: {{ rule: majority }}
replicates: {replicates}
"
    )
}

/// The same on the shipped scenario of justice.
pub fn write_justice(folder: &Path, body: &str) -> PathBuf {
    let scenario = repository().join("scenarios/justice");
    let path = folder.join("config.yaml");
    fs::write(&path, format!("experiment: trial\nscenario: {}\nseed: 42\n{body}", scenario.display())).unwrap();
    path
}

/// The only arm of an experiment on the shipped scenario of justice.
pub fn justice(body: &str) -> Arc<Plan> {
    let folder = tempfile::tempdir().unwrap();
    Arc::clone(&read(&write_justice(folder.path(), body)).arms[0])
}

/// The memory section of every policy, with limits so small that it has something to do.
pub const POLICIES: [&str; 9] = [
    "{ memory_character_limit: 700, public_history_max_length: 900, statement_max_length: 80, history_in_brief: none, \
     memory_compression_threshold: 0.5, memory_compression_target: 0.4 }",
    "{ policy: full }",
    "{ policy: none, history_in_brief: current_round, public_history_max_length: 400 }",
    "{ policy: { window: { statements: 3 } }, pin: [tally_open, own_ballot], history_in_brief: current_round }",
    "{ policy: { window: { tokens: 150 } }, routing: { tally_open: skip, own_ballot: skip } }",
    "{ policy: { compact: { threshold: 0.5, keep: 2, focus: who favours what } }, memory_character_limit: 700, \
     memory_compression_target: 0.45, reinject: [tally_open, own_ballot, instruction] }",
    "{ policy: { compact: { threshold: 0.5 } }, memory_character_limit: 1000, memory_compression_target: 0.4, \
     pin: [tally_open], statement_max_length: 300 }",
    "{ policy: { digest: { every: 3, words: 20, keep: 2 } }, memory_character_limit: 500 }",
    "{ policy: { digest: { every: 3, words: 20, keep: 2 } }, memory_character_limit: 4000, statement_max_length: 80 }",
];

/// The experiment that a few lines of YAML describe, on the shipped motion.
pub fn experiment(body: &str) -> Arc<Experiment> {
    let folder = tempfile::tempdir().unwrap();
    read(&write_config(folder.path(), body))
}

/// The experiment of a config.
pub fn read(config: &Path) -> Arc<Experiment> {
    let inputs = Inputs::read(config, Overrides::default()).unwrap_or_else(|problem| panic!("{problem}"));
    let resolved = inputs.resolve().unwrap_or_else(|problem| panic!("{problem}"));
    Arc::new(resolved.experiment)
}

/// The only arm of an experiment.
pub fn plan(body: &str) -> Arc<Plan> {
    Arc::clone(&experiment(body).arms[0])
}

/// Minutes in memory.
#[derive(Debug, Default)]
pub struct Kept(pub Vec<Record>);

impl Minutes for Kept {
    type Error = Infallible;

    fn append(&mut self, record: &Record) -> Result<(), Infallible> {
        self.0.push(record.clone());
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A session of minds and scripts, from where its state and the minutes kept stand to its end.
pub fn go_on(
    deliberation: &mut Deliberation<'_>,
    plan: &Arc<Plan>,
    kept: &mut Kept,
) -> Result<Verdict, Halt<Infallible>> {
    let seating = Seating::new(Arc::clone(plan), *deliberation.seed(), None);
    go_on_with(deliberation, &seating, kept)
}

/// The same with any backend.
pub fn go_on_with(
    deliberation: &mut Deliberation<'_>,
    backend: &dyn Backend,
    kept: &mut Kept,
) -> Result<Verdict, Halt<Infallible>> {
    let mut visibility = Visibility::new(deliberation.plan());
    if let Some(donor) = deliberation.donor() {
        visibility = visibility.borrowing(donor);
    }
    kept.0.iter().for_each(|record| visibility.witness(record));
    block_on(conduct((deliberation, &mut visibility), backend, kept, &AtomicBool::new(false)))
}

/// The name of an event's kind, as minutes write it.
pub fn kind(record: &Record) -> String {
    let value = serde_json::to_value(&record.event).unwrap();
    value.as_object().unwrap().keys().next().unwrap().clone()
}

/// A whole session of minds and scripts.
pub fn whole(plan: &Arc<Plan>, replicate: u32) -> Vec<Record> {
    let mut kept = Kept::default();
    go_on(&mut Deliberation::convene(plan, replicate), plan, &mut kept).unwrap();
    kept.0
}

/// The state after some records, folded and not conducted.
pub fn folded<'p>(plan: &'p Plan, replicate: u32, records: &[Record]) -> Deliberation<'p> {
    let mut deliberation = Deliberation::convene(plan, replicate);
    for record in records {
        deliberation.evolve(record);
    }
    deliberation
}
