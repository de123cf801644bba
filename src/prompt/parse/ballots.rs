//! Ballots that say more than one choice.

use super::Reading;
use super::anchors::Anchored;
use crate::domain::{Fault, Reply};
use crate::prompt::ballot_form::{build_ballot_form, cast_ballot};
use crate::question::{read_json, read_lines};

impl Reading<'_> {
    /// Reads a ballot in JSON; `None` where an alternative or an amount is voted for, or something else is asked.
    pub(super) fn ballot_in_json(&self, raw: &str) -> Option<Result<Reply, Fault>> {
        if self.abstains_in_json(raw) {
            return Some(Ok(Reply::Abstention));
        }
        let form = build_ballot_form(self.ask, self.motion)?;
        Some(cast_ballot(self.ask, self.motion, read_json(&form, raw)))
    }

    /// The same of anchored lines: `APPROVES: a, b`, `RANKING: a > b = c`, `SCORES: a = 5, b = 0`.
    pub(super) fn ballot_in_lines(&self, said: &Anchored<'_>) -> Option<Result<Reply, Fault>> {
        if self.abstains_in_lines(said) {
            return Some(Ok(Reply::Abstention));
        }
        let form = build_ballot_form(self.ask, self.motion)?;
        Some(cast_ballot(self.ask, self.motion, read_lines(&form, said.raw)))
    }
}
