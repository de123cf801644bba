//! What makes the sessions of a folder forks of another session.

use std::sync::Arc;

use super::{ForkedSession, Inputs, SettingsTime};
use crate::config::{Problems, ResolvedExperiment, WrittenChange, join_plans, resolve_sources};
use crate::plan::{Fork, Plan, PlannedSession};

impl Inputs {
    /// The session that is forked more than once; `None` for other experiments and for a single fork.
    pub fn fork_of(&self) -> Option<&ForkedSession> {
        self.overrides.fork_of.as_ref()
    }

    /// Forks a session more than once; `None` forks it once.
    #[must_use]
    pub fn with_fork_of(mut self, forked: Option<ForkedSession>) -> Self {
        self.overrides.fork_of = forked;
        self
    }

    /// Lets the plans say from where on their sessions are forks of another one, and numbers the forks.
    pub(super) fn join_fork(&self, mut resolved: ResolvedExperiment) -> Result<ResolvedExperiment, Problems> {
        let Some(written) = self.written_change()? else { return Ok(resolved) };
        if self.fork_of().is_none() && !written.sets_later() {
            return Ok(resolved);
        }
        let changed = self.resolve_later(&written)?;
        let parent = self.fork_of().and_then(|forked| {
            PlannedSession::parse_name(&resolved.experiment, &forked.name).map(|parent| parent.replicate)
        });
        for arm in &mut resolved.experiment.arms {
            let after = changed.as_ref().and_then(|changed| join_arm(arm, changed, &written)?.ok());
            let fork = Fork { parent_replicate: parent, point: written.fork_point(), after: after.map(Arc::new) };
            *arm = Arc::new(Plan { fork: Some(Arc::new(fork)), ..(**arm).clone() });
        }
        if let Some(forked) = self.fork_of() {
            resolved.experiment.replicates = forked.replicates;
        }
        Ok(resolved)
    }

    /// Reports why settings cannot change in the course of a session of this arm.
    ///
    /// # Errors
    /// The problem, at the change.
    pub fn check_later_settings(&self, arm: &Plan) -> Result<(), Problems> {
        let Some(written) = self.written_change()? else { return Ok(()) };
        let Some(changed) = self.resolve_later(&written)? else { return Ok(()) };
        match join_arm(arm, &changed, &written) {
            Some(Err(why)) => Err(written.settings_problem(why).into()),
            None => Err(written.settings_problem(format!("the arm {} would not be in the design", arm.arm)).into()),
            Some(Ok(_)) => Ok(()),
        }
    }

    /// The experiment with settings that a change makes in the course of a session; `None` if it makes none.
    fn resolve_later(&self, written: &WrittenChange) -> Result<Option<ResolvedExperiment>, Problems> {
        if !written.sets_later() {
            return Ok(None);
        }
        let resolved = resolve_sources(self.list_sources(SettingsTime::Later));
        resolved.map(Some).map_err(|problems| self.in_order(self.move_to_change(problems)))
    }
}

/// The plan of an arm from the point of a change on, or why there is none; `None` if the arm is not in the changed design.
fn join_arm(arm: &Plan, changed: &ResolvedExperiment, written: &WrittenChange) -> Option<Result<Plan, String>> {
    let changed = changed.experiment.arms.iter().find(|other| other.arm == arm.arm)?;
    Some(join_plans(arm, changed, &written.fork_point()?))
}
