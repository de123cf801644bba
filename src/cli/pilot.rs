//! `run --pilot`: what the whole experiment would take, judged by its first replicates.

use std::collections::BTreeMap;

use serde::Serialize;

use super::arguments::RunArguments;
use super::typed;
use crate::adapters::results::{ResultsFolder, RunFile};
use crate::domain::Dollars;
use crate::plan::{Experiment, OpenAiModel, Planned};
use crate::report::{Report, counted, grouped};

/// What the whole would take, extrapolated from a pilot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// Replicates of each arm in the pilot.
    pub replicates: u32,
    /// Replicates of each arm in the whole.
    pub replicates_whole: u32,
    /// Completed sessions that were measured.
    pub measured: u64,
    /// Sessions of the whole.
    pub sessions: u64,
    /// Model calls: of the whole, and the least and most of a session.
    pub calls: (u64, u64, u64),
    /// Tokens of prompts of the whole.
    pub prompt_tokens: u64,
    /// Tokens of replies of the whole.
    pub completion_tokens: u64,
    /// Dollars for the whole; `None` where a price is not known.
    pub cost_usd: Option<f64>,
    /// Milliseconds of all sessions, one after the other, and the least and most of a session.
    pub wall_ms: (u64, u64, u64),
    /// Milliseconds that the whole takes at the least, by how many calls and tokens a minute the models may have; 0 where one may have
    /// any number.
    pub by_rates_ms: u64,
    /// The share of questions that were not validly answered in the end; `None` without questions.
    pub invalid_share: Option<f64>,
}

impl Outlook {
    /// Judges the whole by a pilot; `None` when no session of the pilot completed.
    pub fn of(folder: &ResultsFolder, experiment: &Experiment, report: &Report, replicates_whole: u32) -> Option<Self> {
        let runs: Vec<RunFile> = Planned::all(experiment)
            .filter(|session| folder.is_complete(&session.name(), &session.plan().digest))
            .filter_map(|session| folder.run_file(&session.name()))
            .collect();
        if runs.is_empty() {
            return None;
        }
        let measured = runs.len() as u64;
        let planned = experiment.arms.len() as u64 * experiment.sessions_an_arm();
        let sessions = planned / u64::from(experiment.replicates) * u64::from(replicates_whole);
        let whole = |sum: u64| {
            let scaled = u128::from(sum) * u128::from(sessions) / u128::from(measured);
            u64::try_from(scaled).unwrap_or(u64::MAX)
        };
        let range = |of: fn(&RunFile) -> u64| {
            let numbers = || runs.iter().map(of);
            (whole(numbers().sum()), numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
        };
        let sum = |of: fn(&crate::report::ArmReport) -> u64| report.arms.iter().map(of).sum::<u64>();
        let answers = sum(|arm| arm.integrity.answers);
        let invalid = sum(|arm| arm.integrity.invalid + arm.integrity.refused);
        let dollars = cost(report);
        let calls = range(|run| run.calls_recorded);
        let prompt_tokens = whole(sum(|arm| arm.prompt_tokens));
        let completion_tokens = whole(sum(|arm| arm.completion_tokens));
        Some(Self {
            replicates: experiment.replicates,
            replicates_whole,
            measured,
            sessions,
            calls,
            prompt_tokens,
            completion_tokens,
            by_rates_ms: by_rates(experiment, calls.0, prompt_tokens.saturating_add(completion_tokens)),
            cost_usd: dollars.map(|dollars| dollars * sessions as f64 / measured as f64),
            wall_ms: range(|run| run.wall_ms),
            invalid_share: (answers > 0).then(|| invalid as f64 / answers as f64),
        })
    }

    /// The outlook as text, with the command that runs the whole.
    pub fn render(&self, arguments: &RunArguments, jobs: usize) -> String {
        let per = u64::from(self.replicates_whole);
        let mut out = format!(
            "\n pilot   {} of {per} replicates an arm, in a folder of its own:\n         pilot data never enter the analysis\n         \
             the whole draws the same lots for these replicates;\n         models are asked anew\n",
            self.replicates
        );
        let mut line = |name: &str, words: String| out.push_str(&format!(" {name:<22}{words}\n"));
        line(
            "the whole would take",
            format!("{}, judged by {}", counted(self.sessions, "session"), grouped(self.measured)),
        );
        let (calls, least, most) = self.calls;
        line("  model calls", format!("about {} ({} – {} a session)", grouped(calls), grouped(least), grouped(most)));
        if calls > 0 {
            let (prompts, replies) = (grouped(self.prompt_tokens), grouped(self.completion_tokens));
            line("  tokens", format!("about {prompts} of prompts, {replies} of replies"));
            let cost = self
                .cost_usd
                .map_or("not known: a model has no price, or a server did not say what it used".to_owned(), |cost| {
                    format!("about ${cost:.2}")
                });
            line("  cost", cost);
        }
        let (wall, least, most) = self.wall_ms;
        let parallel = (wall / jobs.max(1) as u64).max(self.by_rates_ms);
        line("  time", format!("about {} at {jobs} jobs ({} – {} a session)", time(parallel), time(least), time(most)));
        if let Some(share) = self.invalid_share {
            line("  not validly answered ", format!("{:.1} % of questions", 100.0 * share));
        }
        out.push_str(&format!(" run it all  {}", typed::run(arguments)));
        out
    }
}

/// The least time, in milliseconds, that the rates of the models that are called leave for so many calls and tokens.
fn by_rates(experiment: &Experiment, calls: u64, tokens: u64) -> u64 {
    let called = experiment.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
    let each: BTreeMap<_, _> =
        called.map(|model| ((&model.base_url, &model.model, &model.api_key_env), model)).collect();
    let least = |amount: u64, rate: fn(&OpenAiModel) -> Option<u64>| {
        let together: Option<u64> = each.values().map(|model| rate(model)).sum();
        together.filter(|rate| *rate > 0).map_or(0, |rate| amount.saturating_mul(60_000) / rate)
    };
    let by_calls = least(calls, |model| model.requests_per_minute.map(u64::from));
    by_calls.max(least(tokens, |model| model.tokens_per_minute))
}

/// What the answers of a pilot cost; `None` where that is not known.
fn cost(report: &Report) -> Option<f64> {
    let cost = report.arms.iter().try_fold(Dollars::NONE, |sum, arm| Some(sum.plus(arm.cost_usd?)));
    cost.map(Dollars::value)
}

fn time(ms: u64) -> String {
    match ms {
        0..10_000 => format!("{:.1} s", ms as f64 / 1e3),
        10_000..120_000 => format!("{} s", ms / 1_000),
        120_000..7_200_000 => format!("{} min", ms / 60_000),
        _ => format!("{:.1} h", ms as f64 / 3.6e6),
    }
}
