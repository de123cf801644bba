//! Counts what the sessions of a run recorded, for the last part of `methods.md`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::render_template;
use crate::analysis::{AnswersBy, Determinism, Effort, FoldedSession, Status};
use crate::domain::{ContextWindow, Digest, LearntForm, Verdict};
use crate::plan::Deviation;
use crate::store::calls::FailedAttempt;

/// The page, to which sessions are added.
#[derive(Default, Serialize)]
pub struct Methods {
    #[serde(skip)]
    design: String,
    /// The digest of the scenario file.
    pub(in crate::store::tables) scenario: Option<Digest>,
    arms: Vec<ArmCounts>,
    /// Sessions that were run again, with how their earlier attempts ended.
    pub(in crate::store::tables) retried: Vec<(String, Vec<FailedAttempt>)>,
    /// Changes to the design after its first session.
    pub(in crate::store::tables) deviations: Vec<Deviation>,
    /// The number of failed sessions, by reason.
    faults: BTreeMap<String, u64>,
    /// Whether a seat of any arm is simulated.
    simulated: bool,
    has_test: bool,
    seats_excluded: u64,
    cut_chars: u64,
    dropped_chars: u64,
    rewrites: u64,
    models: BTreeSet<String>,
    windows: BTreeSet<ContextWindow>,
    forms: BTreeSet<LearntForm>,
}

/// The counts of one arm.
#[derive(Default, Serialize)]
struct ArmCounts {
    arm: String,
    recorded: bool,
    completed: u64,
    incomplete: u64,
    failed: u64,
    /// Completed sessions with an answer that remained invalid or refused.
    with_invalid: u64,
    verdicts: BTreeMap<Verdict, u64>,
    forfeits: u64,
    effort: Effort,
}

impl Methods {
    /// A page whose first part, which needs no sessions, is `design`.
    pub(in crate::store::tables) fn with_design(design: String) -> Self {
        Self { design, ..Self::default() }
    }

    pub(in crate::store::tables) fn add_session(&mut self, folded: &FoldedSession) {
        let facts = &folded.facts.arm;
        let place = self.arms.iter().position(|arm| arm.arm == facts.arm).unwrap_or_else(|| {
            let recorded = facts.determinism == Determinism::Recorded;
            self.simulated |= facts.seats.iter().any(|seat| seat.answers_by == AnswersBy::Mind);
            self.has_test |= facts.has_test();
            self.arms.push(ArmCounts { arm: facts.arm.clone(), recorded, ..ArmCounts::default() });
            self.arms.len() - 1
        });
        let arm = &mut self.arms[place];
        match &folded.session.status {
            Status::Completed => arm.completed += 1,
            Status::Incomplete => arm.incomplete += 1,
            Status::Failed(fault) => {
                arm.failed += 1;
                *self.faults.entry(fault.clone()).or_default() += 1;
            }
        }
        if let Some(totals) = &folded.session.totals {
            *arm.verdicts.entry(totals.verdict).or_default() += 1;
            arm.with_invalid += u64::from(totals.effort.invalid + totals.effort.refused > 0);
            arm.forfeits += totals.forfeits;
            arm.effort.add_effort(&totals.effort);
            self.seats_excluded += totals.seats_excluded;
            self.cut_chars += totals.cut_chars;
            self.dropped_chars += totals.dropped_chars;
            self.rewrites += totals.rewrites;
            self.models.extend(totals.models_served.iter().cloned());
            self.windows.extend(totals.windows.iter().cloned());
            self.forms.extend(totals.forms.iter().cloned());
        }
    }

    pub(in crate::store::tables) fn render_page(&self) -> String {
        self.design.clone() + &render_template("recorded.md.j2", self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{FormSource, ReplyForm, WindowSource};

    #[test]
    fn every_way_in_which_a_form_or_a_window_was_learnt_has_words() {
        let (json, anchored) = (ReplyForm::JsonSchema, ReplyForm::Anchored);
        let forms = [json, anchored].map(|form| match form {
            ReplyForm::JsonSchema => [FormSource::ServerKind, FormSource::Probe].to_vec(),
            ReplyForm::Anchored => [FormSource::ServerKind, FormSource::Probe, FormSource::UnclearProbe].to_vec(),
        });
        let learnt = |form, source| LearntForm { model: "m".to_owned(), form, source };
        let forms = [json, anchored].into_iter().zip(forms);
        let forms =
            forms.flat_map(|(form, sources)| sources.into_iter().map(move |source| learnt(form, source))).collect();
        let windows = [WindowSource::Server, WindowSource::Table].map(|source| match source {
            WindowSource::Server | WindowSource::Table => ContextWindow { model: "m".to_owned(), tokens: 9, source },
        });
        let page = Methods { forms, windows: windows.into(), ..Methods::default() }.render_page();
        assert_eq!(
            (page.matches("Replies of `m` were").count(), page.matches("Prompts to `m` were").count()),
            (5, 2),
            "{page}"
        );
    }
}
