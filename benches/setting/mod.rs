//! What the benches measure: one session with its minutes in a real file, of voters on the shipped motion, of minds on the
//! shipped scenario of justice, or of a public-goods game with punishment.
//!
//! Two seats never change their minds and hold different opinions, so that no vote is unanimous and every round is held.
#![allow(dead_code, reason = "each bench uses its own part of this")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ekklesia::analysis::SessionFold;
use ekklesia::domain::{Digest, Record};
use ekklesia::engine::Deliberation;
use ekklesia::plan::{PhaseKind, Plan};
use ekklesia::service::seating::Seating;
use ekklesia::session::{Visibility, conduct_deliberation};
use ekklesia::store::inputs::{Inputs, Overrides};
use ekklesia::store::minutes::MinutesFile;
use ekklesia::store::tables::{arm_facts, session_facts};
use futures::executor::block_on;
use tempfile::TempDir;

const GAME: &str = r#"scenario: goods
parameters: { endowment: { type: int, default: 20 }, mpcr: { type: number, default: 0.4 } }
agenda:
  - name: period
    repeat: { times: PERIODS }
    phases:
      - { name: contribute, ask: [ { id: c, number: { min: 0, max: parameters.endowment }, question: "How many tokens?" } ] }
      - { name: gross, compute: { seat.gross: "parameters.endowment - default(seat.c, 0) + parameters.mpcr * sum(group.c)" } }
      - { name: shown, brief: { text: "{% for s in group %}{{ s.name }}: {{ s.c }}. {% endfor %}You earn {{ seat.gross }}." } }
      - name: punish
        ask: { per: others, form: [ { id: p, number: { min: 0, max: 10 }, question: "How many points for {{ target.name }}?" } ] }
      - { name: net, compute: { seat.net: "max(0, seat.gross - 3 * received(p)) - given(p)" } }
  - { name: payment, pay: { seat: total(net), unit: tokens } }
"#;

/// A session's plan, and a folder for its minutes that goes away with it.
pub struct Setting {
    plan: Arc<Plan>,
    folder: TempDir,
}

impl Setting {
    /// A talk of this many seats and rounds with a ballot at the end of each round and the shipped limits of memory.
    pub fn new(seats: u32, rounds: u32) -> Self {
        Self::of(
            "motion",
            &format!(
                "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.3 }} }} }}
seats:
  - {{ count: 2, name: \"Stubborn {{n}}\", mind: {{ voter: {{ copy: 0 }} }} }}
  - {{ count: {}, name: \"Member {{n}}\" }}
discussion: {{ rounds: {rounds}, order: random, vote: every_round }}
decision: {{ rule: unanimity, of: members, tie_break: no_decision }}
controls: {{ option_order: seeded }}
",
                seats - 2
            ),
        )
    }

    /// The whole justice experiment of this many seats and rounds, with private reasoning. The vote is at the end, so
    /// that every round is held whatever the seats agree on.
    pub fn justice(seats: u32, rounds: u32) -> Self {
        Self::of(
            "justice",
            &format!(
                "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ justice: {{}} }} }}
seats:
  - {{ name: Bold, mind: {{ justice: {{ risk_aversion: 0, precision: 1000, persuasion: 0 }} }} }}
  - {{ name: Shy, mind: {{ justice: {{ risk_aversion: 20, fairness: 1, precision: 1000, persuasion: 0 }} }} }}
  - {{ count: {}, name: \"Member {{n}}\" }}
discussion: {{ rounds: {rounds}, vote: at_end }}
controls: {{ option_order: seeded }}
",
                seats - 2
            ),
        )
    }

    /// A public-goods game with punishment of one group of this many seats over this many periods, played by lot.
    pub fn game(seats: u32, periods: u32) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        fs::create_dir(folder.path().join("goods")).expect("a temporary folder can be written to");
        let game = GAME.replace("PERIODS", &periods.to_string());
        fs::write(folder.path().join("goods/scenario.yaml"), game).expect("a temporary folder can be written to");
        let body = format!(
            "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats: [ {{ count: {seats} }} ]
"
        );
        let scenario = folder.path().join("goods");
        Self::in_folder(folder, &scenario, &body)
    }

    fn of(scenario: &str, body: &str) -> Self {
        let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(scenario);
        Self::in_folder(tempfile::tempdir().expect("a temporary folder can be made"), &scenario, body)
    }

    fn in_folder(folder: TempDir, scenario: &Path, body: &str) -> Self {
        let text = format!("experiment: bench\nscenario: {}\nseed: 42\n{body}", scenario.display());
        let config = folder.path().join("config.yaml");
        fs::write(&config, text).expect("a temporary folder can be written to");
        let inputs = Inputs::read_config(&config, Overrides::default()).unwrap_or_else(|problem| panic!("{problem}"));
        let resolved = inputs.resolve().unwrap_or_else(|problem| panic!("{problem}"));
        Self { plan: Arc::clone(&resolved.experiment.arms[0]), folder }
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Where the minutes are.
    pub fn minutes(&self) -> PathBuf {
        self.folder.path().join("minutes.jsonl")
    }

    /// Conducts the session and writes its minutes; returns the number of records.
    pub fn run(&self) -> u64 {
        let path = self.minutes();
        if path.exists() {
            fs::remove_file(&path).expect("minutes of before can be removed");
        }
        self.conduct(MinutesFile::open_to_resume(&path).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Conducts the session again and compares its minutes with those written; returns the number of records.
    pub fn replay(&self) -> u64 {
        self.conduct(MinutesFile::open_to_replay(self.minutes()).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Reads the minutes and folds them into the rows of the tables; returns the number of answers.
    pub fn fold_tables(&self) -> usize {
        let facts = session_facts(&Arc::new(arm_facts(self.plan())), self.plan(), 1);
        let mut fold = SessionFold::new(facts);
        let minutes = fs::read(self.minutes()).expect("the minutes were written");
        for line in minutes.split_inclusive(|byte| *byte == b'\n') {
            let record: Record = serde_json::from_slice(line).expect("a line of the minutes is a record");
            fold.fold_record(&record).unwrap_or_else(|misfit| panic!("{misfit}"));
        }
        let folded = fold.finish_completed(Digest::of(&minutes)).expect("the session was completed");
        folded.rows.answers.len()
    }

    fn conduct(&self, mut minutes: MinutesFile) -> u64 {
        let mut deliberation = Deliberation::convene(&self.plan, 1);
        let seating = Seating::new(Arc::clone(&self.plan), *deliberation.seed(), None);
        let mut visibility = Visibility::new(&self.plan);
        let stop = AtomicBool::new(false);
        let conducting = conduct_deliberation((&mut deliberation, &mut visibility), &seating, &mut minutes, &stop);
        let verdict = block_on(conducting).unwrap_or_else(|halt| panic!("{halt}"));
        let has_votes = self.plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Vote(_)));
        let was_held = matches!(verdict, ekklesia::domain::Verdict::NoDecision | ekklesia::domain::Verdict::Carried);
        assert!(was_held || !has_votes, "the session came to its vote");
        minutes.check_end().unwrap_or_else(|error| panic!("{error}"));
        minutes.totals().records
    }
}
