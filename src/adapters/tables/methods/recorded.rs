//! What the sessions of a run came to, in numbers: the part of the page of methods that is known only afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::design::cell;
use super::words::{WROTE, code, count, list};
use crate::adapters::calls::FailedAttempt;
use crate::domain::{Digest, FormSource, LearntForm, ReplyForm, Verdict, WindowSource};
use crate::metrics::{AnswersBy, Determinism, Effort, Folded, Status};
use crate::plan::Deviation;

const DETERMINISM: &str = "Every random draw follows from the seed, the replicate and the coordinate of the question it is for. A session whose seats \
are all simulated is *recomputed*: the same plan gives the same bytes on any machine. A session with language models or people is *recorded*: its record and \
its tables follow byte for byte from their recorded answers, and nobody is promised to answer the same again. \
When each session was run, and with which version, is in its `run.json`.";

const MINDS: &str = "Simulated minds are rules. They are neither people nor language models, and what they do is no evidence about either.";

const CITATION: &str = concat!(
    "Cite the program that wrote this page and the tables as: ",
    env!("CARGO_PKG_AUTHORS"),
    ". *ekklesia*, version ",
    env!("CARGO_PKG_VERSION"),
    ". Computer software. <",
    env!("CARGO_PKG_REPOSITORY"),
    ">"
);

const DEFINITIONS: &str = "\
A session is one group deliberating once; only completed sessions are measured, and a failed session never counts as disagreement.
The *group choice* is what the session decided for by its decision rule. The *modal share* is the share of the most frequent choice among those given.
An answer is *valid* when it can be read as what was asked for, strictly; else it is asked for again with the reason, and after the last try it is
*invalid*, or *refused* where the seat declined. No missing answer was imputed and no vote was guessed out of prose.
Every column of every table, with its unit, formula and source, is in `codebook.csv`.
";

/// The page while sessions are added.
pub struct Methods {
    design: String,
    scenario: Option<Digest>,
    arms: Vec<Counted>,
    /// Sessions that were run again, with how the attempts before ended.
    retried: Vec<(String, Vec<FailedAttempt>)>,
    /// What was changed in the design after its first session was run.
    deviations: Vec<Deviation>,
}

/// What the sessions of an arm amount to.
#[derive(Default)]
struct Counted {
    arm: String,
    recorded: bool,
    simulated: bool,
    completed: u64,
    incomplete: u64,
    failed: BTreeMap<String, u64>,
    /// Completed sessions with an answer that stayed invalid or refused.
    with_invalid: u64,
    verdicts: [u64; 5],
    has_test: bool,
    seats_excluded: u64,
    forfeits: u64,
    cut_chars: u64,
    dropped_chars: u64,
    rewrites: u64,
    effort: Effort,
    models: BTreeSet<String>,
    windows: BTreeSet<(String, u32, &'static str)>,
    forms: BTreeSet<(String, &'static str, &'static str)>,
}

impl Counted {
    fn failed(&self) -> u64 {
        self.failed.values().sum()
    }

    fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }
}

impl Methods {
    pub(in crate::adapters::tables) fn begin(design: String) -> Self {
        Self { design, scenario: None, arms: Vec::new(), retried: Vec::new(), deviations: Vec::new() }
    }

    /// Takes the digest of the scenario's file.
    pub(in crate::adapters::tables) fn of(&mut self, scenario: Digest) {
        self.scenario = Some(scenario);
    }

    /// Takes that a session was run again after attempts that ended so.
    pub(in crate::adapters::tables) fn was_retried(&mut self, session: String, ended: Vec<FailedAttempt>) {
        self.retried.push((session, ended));
    }

    pub(in crate::adapters::tables) fn deviated(&mut self, deviations: Vec<Deviation>) {
        self.deviations = deviations;
    }

    pub(in crate::adapters::tables) fn add(&mut self, folded: &Folded) {
        let facts = &folded.facts.arm;
        let place = self.arms.iter().position(|arm| arm.arm == facts.arm).unwrap_or_else(|| {
            let recorded = facts.determinism == Determinism::Recorded;
            let simulated = facts.seats.iter().any(|seat| seat.answers_by == AnswersBy::Mind);
            let has_test = facts.has_test();
            self.arms.push(Counted { arm: facts.arm.clone(), recorded, simulated, has_test, ..Counted::default() });
            self.arms.len() - 1
        });
        let arm = &mut self.arms[place];
        match &folded.session.status {
            Status::Completed => arm.completed += 1,
            Status::Incomplete => arm.incomplete += 1,
            Status::Failed(fault) => *arm.failed.entry(fault.clone()).or_default() += 1,
        }
        if let Some(totals) = &folded.session.totals {
            arm.verdicts[totals.verdict as usize] += 1;
            arm.with_invalid += u64::from(totals.effort.invalid + totals.effort.refused > 0);
            arm.seats_excluded += totals.seats_excluded;
            arm.forfeits += totals.forfeits;
            arm.cut_chars += totals.cut_chars;
            arm.dropped_chars += totals.dropped_chars;
            arm.rewrites += totals.rewrites;
            arm.effort.join(&totals.effort);
            arm.models.extend(totals.models_served.iter().cloned());
            arm.windows.extend(totals.windows.iter().map(|window| {
                let source = match window.source {
                    WindowSource::Server => "as its server told",
                    WindowSource::Table => "as known of the model",
                };
                (window.model.clone(), window.tokens, source)
            }));
            arm.forms.extend(totals.forms.iter().map(|learnt| {
                let (form, why) = form_in_words(learnt);
                (learnt.model.clone(), form, why)
            }));
        }
    }

    /// The page.
    pub(in crate::adapters::tables) fn page(&self) -> String {
        let mut out = self.design.clone();
        write!(out, "\n## What is reported\n\n{DEFINITIONS}\n## What was recorded\n\n").expect(WROTE);
        self.put_flow(&mut out);
        self.put_deviations(&mut out);
        self.put_retried(&mut out);
        self.put_verdicts(&mut out);
        self.put_answers(&mut out);
        self.put_memory(&mut out);
        let promise = match self.arms.iter().filter(|arm| arm.recorded).count() {
            0 => "All sessions are recomputed.",
            n if n == self.arms.len() => "All sessions are recorded.",
            _ => "Some arms are recomputed, some recorded; the column `determinism` of `sessions.csv` tells.",
        };
        writeln!(out, "\n## Determinism\n\n{promise} {DETERMINISM}").expect(WROTE);
        if let Some(scenario) = &self.scenario {
            let digest = code(scenario.as_str());
            writeln!(out, "\nThe scenario's file, `inputs/scenario/scenario.yaml`, has the digest {digest}.")
                .expect(WROTE);
        }
        if self.arms.iter().any(|arm| arm.simulated) {
            writeln!(out, "\n{MINDS}").expect(WROTE);
        }
        writeln!(out, "\n## How to cite\n\n{CITATION}").expect(WROTE);
        out
    }

    /// From the sessions planned to those analysed, arm by arm.
    fn put_flow(&self, out: &mut String) {
        let sum = |count: fn(&Counted) -> u64| self.arms.iter().map(count).sum::<u64>();
        let (completed, failed, incomplete) =
            (sum(|arm| arm.completed), sum(Counted::failed), sum(|arm| arm.incomplete));
        writeln!(
            out,
            "Of the {} planned, {completed} were completed, {failed} failed, and {incomplete} were not begun or not finished. \
             Every completed session is in the tables; none was left out afterwards, and for how many a measure has a number is \
             told by `ekklesia compare`. In {} of them at least one answer stayed invalid or was \
             refused.\n",
            count(completed + failed + incomplete, "session"),
            sum(|arm| arm.with_invalid)
        )
        .expect(WROTE);
        out.push_str(
            "| arm | planned | not begun or not finished | failed | completed | of these with an invalid or refused answer | in the tables |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for arm in &self.arms {
            let planned = arm.completed + arm.incomplete + arm.failed();
            writeln!(
                out,
                "| {} | {planned} | {} | {} | {} | {} | {} |",
                cell(&arm.arm),
                arm.incomplete,
                arm.failed(),
                arm.completed,
                arm.with_invalid,
                arm.completed
            )
            .expect(WROTE);
        }
        let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
        for (fault, sessions) in self.arms.iter().flat_map(|arm| &arm.failed) {
            *faults.entry(fault).or_default() += sessions;
        }
        if !faults.is_empty() {
            let told: Vec<String> =
                faults.iter().map(|(fault, sessions)| format!("{} {sessions}", code(fault))).collect();
            writeln!(out, "\nSessions that failed, by the reason: {}.", list(&told)).expect(WROTE);
        }
    }

    /// What was changed in the design after its first session was run.
    fn put_deviations(&self, out: &mut String) {
        if self.deviations.is_empty() {
            return;
        }
        out.push_str("\nDeviations: after the first session had been run, the design was changed.\n\n");
        for Deviation { what, from, to, sessions_done } in &self.deviations {
            let value =
                |value: &Option<String>| value.as_ref().map_or_else(|| "left out".to_owned(), |text| code(text));
            let (from, to, sessions) = (value(from), value(to), count(*sessions_done, "session"));
            writeln!(out, "- {} was {from} and is now {to}, with {sessions} done.", code(what)).expect(WROTE);
        }
    }

    /// Which sessions were run again, so that what they came to was selected.
    fn put_retried(&self, out: &mut String) {
        if self.retried.is_empty() {
            return;
        }
        let told = self.retried.iter().map(|(session, ended)| {
            let faults: Vec<String> = ended.iter().map(|attempt| code(&attempt.fault)).collect();
            format!("{} (before: {})", code(session), list(&faults))
        });
        let told: Vec<String> = told.collect();
        writeln!(
            out,
            "\nSessions retried: {}. They had failed and were run again from the start with `--retry-failed`, with the same seeds and \
             questions, so that what they came to was selected by trying again: {}. The attempts before are counted nowhere else on this \
             page and stand in no table; they are kept in `failed/`, and what they took counts against budgets.",
            self.retried.len(),
            list(&told)
        )
        .expect(WROTE);
    }

    /// How the completed sessions ended, arm by arm.
    fn put_verdicts(&self, out: &mut String) {
        out.push_str(
            "\nThe completed sessions ended so:\n\n| arm | carried | imposed | no decision | no vote on the agenda |\n\
             | --- | ---: | ---: | ---: | ---: |\n",
        );
        for arm in &self.arms {
            writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                cell(&arm.arm),
                arm.of(Verdict::Carried),
                arm.of(Verdict::Imposed),
                arm.of(Verdict::NoDecision) + arm.of(Verdict::NoQuorum),
                arm.of(Verdict::NotApplicable)
            )
            .expect(WROTE);
        }
        let short: u64 = self.arms.iter().map(|arm| arm.of(Verdict::NoQuorum)).sum();
        if short > 0 {
            writeln!(out, "\nIn {short} of those without a decision too few ballots of the last vote were valid.")
                .expect(WROTE);
        }
    }

    /// How answers came and what they took.
    fn put_answers(&self, out: &mut String) {
        out.push_str(
            "\nThe questions that were settled in them were answered so:\n\n\
             | arm | questions | valid at the first try | valid after being asked again | invalid | refused | turns lost |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        );
        let mut all = Effort::default();
        for arm in &self.arms {
            let effort = &arm.effort;
            all.join(effort);
            writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} |",
                cell(&arm.arm),
                effort.answers(),
                effort.first_try,
                effort.reasked,
                effort.invalid,
                effort.refused,
                arm.forfeits
            )
            .expect(WROTE);
        }
        let tokens = match (all.calls, all.prompt_tokens(), all.completion_tokens()) {
            (0, ..) => String::new(),
            (_, Some(prompt), Some(reply)) => format!(
                "; tokens of prompts {prompt}, of replies {reply}, over the {} calls that reported them",
                all.reported
            ),
            _ => "; no call reported its tokens".to_owned(),
        };
        writeln!(out, "\nModel calls: {}{tokens}.", all.calls).expect(WROTE);
        let windows: BTreeSet<_> = self.arms.iter().flat_map(|arm| &arm.windows).collect();
        for (model, tokens, source) in windows {
            let model = code(model);
            writeln!(out, "\nPrompts to {model} were held within a context window of {tokens} tokens, {source} when a session began.")
                .expect(WROTE);
        }
        let forms: BTreeSet<_> = self.arms.iter().flat_map(|arm| &arm.forms).collect();
        for (model, form, why) in forms {
            writeln!(out, "\nReplies of {} were asked for {form}: {why}.", code(model)).expect(WROTE);
        }
        if self.arms.iter().any(|arm| arm.has_test) {
            let excluded: u64 = self.arms.iter().map(|arm| arm.seats_excluded).sum();
            writeln!(out, "Seats excluded for failing the comprehension test: {excluded}.").expect(WROTE);
        }
        let models: BTreeSet<&String> = self.arms.iter().flat_map(|arm| &arm.models).collect();
        if !models.is_empty() {
            let models: Vec<String> = models.into_iter().map(|name| code(name)).collect();
            writeln!(out, "Models that answered, as their services name them: {}.", list(&models)).expect(WROTE);
        }
    }

    /// What memories lost and rewrote.
    fn put_memory(&self, out: &mut String) {
        let cut: u64 = self.arms.iter().map(|arm| arm.cut_chars).sum();
        let dropped: u64 = self.arms.iter().map(|arm| arm.dropped_chars).sum();
        let rewrites: u64 = self.arms.iter().map(|arm| arm.rewrites).sum();
        writeln!(
            out,
            "Memory: over the last prompts of all seats and rounds, {} of public statements were left out and {} were missing \
             because statements were shortened; seats rewrote their memories {}.",
            count(dropped, "character"),
            count(cut, "character"),
            count(rewrites, "time")
        )
        .expect(WROTE);
    }
}

/// How replies were asked for, and why so.
fn form_in_words(learnt: &LearntForm) -> (&'static str, &'static str) {
    match (learnt.form, learnt.source) {
        (ReplyForm::JsonSchema, FormSource::ServerKind) => {
            ("as JSON under a schema", "the kind of server is known to enforce it")
        }
        (ReplyForm::JsonSchema, _) => {
            ("as JSON under a schema", "a question when sessions began showed that its server enforces it")
        }
        (ReplyForm::Anchored, FormSource::ServerKind) => {
            ("as anchored lines", "the kind of server is known not to enforce schemas")
        }
        (ReplyForm::Anchored, FormSource::Probe) => {
            ("as anchored lines", "a question when sessions began showed that its server enforces no schema")
        }
        (ReplyForm::Anchored, FormSource::UnclearProbe) => (
            "as anchored lines",
            "the reply to a question when sessions began was cut off or refused and did not show whether its server enforces schemas",
        ),
    }
}
