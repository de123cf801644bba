//! `run --pilot`: extrapolates the cost and time of the complete design from its first replicates.

use std::collections::BTreeMap;

use serde::Serialize;

use super::arguments::RunArguments;
use super::shell_command;
use crate::domain::Dollars;
use crate::plan::{Experiment, OpenAiModel, PlannedSession};
use crate::report::{Report, counted, grouped};
use crate::store::calls::CallRecord;
use crate::store::results::{ResultsFolder, RunFile};

/// The forecast for the complete design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// Replicates of each arm in the pilot.
    pub replicates: u32,
    /// Replicates of each arm in the complete design.
    pub replicates_whole: u32,
    /// Sessions measured.
    pub measured: u64,
    /// Sessions in the complete design.
    pub sessions: u64,
    /// Model calls: in all, and the least and most in one session.
    pub calls: (u64, u64, u64),
    /// Prompt tokens in all.
    pub prompt_tokens: u64,
    /// Reply tokens in all.
    pub completion_tokens: u64,
    /// Cost in dollars; `None` if a price is not known.
    pub cost_usd: Option<f64>,
    /// Milliseconds: of all sessions in sequence, and the least and most of one session.
    pub wall_ms: (u64, u64, u64),
    /// The most sessions at once.
    pub jobs: usize,
    /// The pace of the pilot.
    pub pace: Pace,
    /// Milliseconds for the complete design at the pilot's pace, scaled up to the allowed concurrency.
    pub time_ms: u64,
    /// The least milliseconds that the models' rate limits allow; 0 if a model has no limit.
    pub by_rates_ms: u64,
    /// The share of questions without a valid answer; `None` without questions.
    pub invalid_share: Option<f64>,
}

/// How fast sessions ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Pace {
    /// Milliseconds in which at least one session ran.
    pub wall_ms: u64,
    /// Sessions at once, averaged over that time.
    pub sessions_at_once: f64,
    /// Model calls at once, averaged over that time.
    pub calls_at_once: f64,
    /// Model calls per second of that time.
    pub calls_per_second: f64,
}

/// The allowed concurrency.
#[derive(Debug, Clone, Copy)]
struct ConcurrencyLimit {
    sessions: u64,
    calls: u64,
}

impl Pace {
    /// The pace of sessions from their start and end times, their calls, and the total time of all attempts, in milliseconds.
    fn from_spans(mut spans: Vec<(u64, u64)>, calls: u64, attempts_ms: u64) -> Self {
        spans.sort_unstable();
        let sessions_ms: u64 = spans.iter().map(|(from, to)| to - from).sum();
        let (mut wall_ms, mut end) = (0, 0);
        for (from, to) in spans {
            wall_ms += to.saturating_sub(from.max(end));
            end = end.max(to);
        }
        let each = |sum: u64| if wall_ms == 0 { 0.0 } else { sum as f64 / wall_ms as f64 };
        Self {
            wall_ms,
            sessions_at_once: each(sessions_ms),
            calls_at_once: each(attempts_ms),
            calls_per_second: 1e3 * each(calls),
        }
    }

    /// The milliseconds for `times` as much work. Time falls in proportion to concurrency, within the limits for sessions and
    /// calls.
    fn time_of(self, times: f64, most: ConcurrencyLimit) -> u64 {
        let more_sessions = most.sessions as f64 / self.sessions_at_once.max(f64::MIN_POSITIVE);
        let more_calls = if self.calls_at_once > 0.0 { most.calls as f64 / self.calls_at_once } else { f64::INFINITY };
        let faster = more_sessions.min(more_calls).max(1.0);
        // The conversion saturates at both ends.
        (self.wall_ms as f64 * times / faster).round() as u64
    }
}

impl Outlook {
    /// Extrapolates from a pilot; `None` if no session completed.
    pub fn from_pilot(
        folder: &ResultsFolder,
        experiment: &Experiment,
        report: &Report,
        replicates_whole: u32,
        jobs: usize,
    ) -> Option<Self> {
        let names: Vec<String> = PlannedSession::for_experiment(experiment)
            .filter(|session| folder.is_complete(&session.name(), &session.plan().digest))
            .map(|session| session.name())
            .collect();
        let runs: Vec<RunFile> = names.iter().filter_map(|name| folder.run_file(name)).collect();
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
        let dollars = pilot_cost(report);
        let calls = range(|run| run.calls_recorded);
        let prompt_tokens = whole(sum(|arm| arm.prompt_tokens));
        let completion_tokens = whole(sum(|arm| arm.completion_tokens));
        let pace = pace_of(folder, &names, &runs);
        let most = ConcurrencyLimit { sessions: sessions.min(jobs.max(1) as u64), calls: calls_at_once(experiment) };
        Some(Self {
            jobs,
            pace,
            time_ms: pace.time_of(sessions as f64 / measured as f64, most),
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

    /// The forecast as text, with the command for the complete design.
    pub fn render(&self, arguments: &RunArguments) -> String {
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
        let ((_, least, most), jobs) = (self.wall_ms, self.jobs);
        let whole = format_duration(self.time_ms.max(self.by_rates_ms));
        line(
            "  time",
            format!("about {whole} at {jobs} jobs ({} – {} a session)", format_duration(least), format_duration(most)),
        );
        if calls > 0 {
            let Pace { calls_per_second, calls_at_once, .. } = self.pace;
            line("  measured", format!("{calls_per_second:.1} calls a second, {calls_at_once:.1} at once on average"));
        }
        if let Some(share) = self.invalid_share {
            line("  not validly answered ", format!("{:.1} % of questions", 100.0 * share));
        }
        out.push_str(&format!(" run it all  {}", shell_command::run_command(arguments)));
        out
    }
}

/// The pace of complete sessions. Skips unreadable call records, which are reported elsewhere.
fn pace_of(folder: &ResultsFolder, names: &[String], runs: &[RunFile]) -> Pace {
    let spans = runs.iter().map(|run| (run.started_unix_ms, run.started_unix_ms.saturating_add(run.wall_ms))).collect();
    let records = names.iter().filter_map(|name| CallRecord::read(folder.calls(name)).ok());
    let attempts_ms = records.map(|(record, _)| record.attempts_ms()).sum();
    Pace::from_spans(spans, runs.iter().map(|run| run.calls_made).sum(), attempts_ms)
}

/// The sum of the models' concurrency limits.
fn calls_at_once(experiment: &Experiment) -> u64 {
    models_called(experiment).values().map(|model| model.concurrency as u64).sum()
}

/// The called models, without duplicates under other names or in other arms.
fn models_called(experiment: &Experiment) -> BTreeMap<(&String, &String, &Option<String>), &OpenAiModel> {
    let called = experiment.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
    called.map(|model| ((&model.base_url, &model.model, &model.api_key_env), model)).collect()
}

/// The least milliseconds that the models' rate limits allow for these calls and tokens.
fn by_rates(experiment: &Experiment, calls: u64, tokens: u64) -> u64 {
    let each = models_called(experiment);
    let least = |amount: u64, rate: fn(&OpenAiModel) -> Option<u64>| {
        let together: Option<u64> = each.values().map(|model| rate(model)).sum();
        together.filter(|rate| *rate > 0).map_or(0, |rate| amount.saturating_mul(60_000) / rate)
    };
    let by_calls = least(calls, |model| model.requests_per_minute.map(u64::from));
    by_calls.max(least(tokens, |model| model.tokens_per_minute))
}

/// The cost of a pilot; `None` if it is not known.
fn pilot_cost(report: &Report) -> Option<f64> {
    let cost = report.arms.iter().try_fold(Dollars::NONE, |sum, arm| Some(sum.plus(arm.cost_usd?)));
    cost.map(Dollars::to_f64)
}

fn format_duration(ms: u64) -> String {
    match ms {
        0..10_000 => format!("{:.1} s", ms as f64 / 1e3),
        10_000..120_000 => format!("{} s", ms / 1_000),
        120_000..7_200_000 => format!("{} min", ms / 60_000),
        _ => format!("{:.1} h", ms as f64 / 3.6e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_sessions_are_no_longer_than_the_time_they_took_together() {
        // Two at once for 10 s, a pause, and one alone for 10 s; 60 calls of 500 ms.
        let pace = Pace::from_spans(vec![(100_000, 110_000), (0, 10_000), (0, 10_000)], 60, 30_000);
        assert_eq!((pace.wall_ms, pace.sessions_at_once, pace.calls_at_once), (20_000, 1.5, 1.5));
        assert_eq!(pace.calls_per_second, 3.0);
    }

    #[test]
    fn a_busy_server_is_no_faster_for_more_sessions() {
        // Four sessions at once for 60 s kept four calls under way, which is all that the model may have.
        let pace = Pace::from_spans(vec![(0, 60_000); 4], 240, 240_000);
        let whole = |sessions, calls| pace.time_of(10.0, ConcurrencyLimit { sessions, calls });
        assert_eq!(whole(8, 4), 600_000, "ten times as much takes ten times as long, whatever the jobs");
        assert_eq!(whole(8, 6), 400_000, "half as many calls more");
        assert_eq!(whole(8, 100), 300_000, "twice as many sessions");
        assert_eq!(whole(1, 1), 600_000, "the whole has no less than the pilot had");
    }

    #[test]
    fn one_session_after_the_other_is_spread_over_the_jobs() {
        let pace = Pace::from_spans(vec![(0, 1_000), (1_000, 2_000)], 0, 0);
        assert_eq!(pace.time_of(5.0, ConcurrencyLimit { sessions: 4, calls: 0 }), 2_500);
        assert_eq!(
            Pace::from_spans(vec![(5, 5)], 0, 0).time_of(5.0, ConcurrencyLimit { sessions: 4, calls: 0 }),
            0,
            "too short to measure"
        );
    }
}
