//! The line that is written before a call: it tells readers of a running session who is being asked, and a later run which calls
//! never returned.

use serde::{Deserialize, Serialize};

use super::{CallRecord, Durability, UnansweredLine};
use crate::domain::{Digest, Outage, QuestionId, Usage};
use crate::store::calls::Attempt;

/// How the line of a begun call begins.
pub(super) const OF_BEGUN: &[u8] = b"{\"begun\":";

/// A call that begins, written before the call. A later line reports the outcome, unless the program ended first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BegunLine {
    /// The question.
    pub begun: QuestionId,
    /// The model or person that is asked, under its name in the config.
    pub asked: String,
    /// The digest of the request.
    pub request: Digest,
    /// The start, in milliseconds since 1970 (UTC).
    pub started_unix_ms: u64,
    /// The most that one attempt may use; absent where a person is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Usage>,
}

impl BegunLine {
    /// Converts the line to a failed attempt, if no later line reports the outcome.
    pub(super) fn into_unanswered(self) -> UnansweredLine {
        let attempt = Attempt {
            started_unix_ms: self.started_unix_ms,
            wall_ms: 0,
            status: None,
            failure: Some("the program ended before it came back".to_owned()),
            at_most: self.at_most,
        };
        UnansweredLine { unanswered: self.begun, asked: self.asked, request: self.request, attempts: vec![attempt] }
    }
}

impl CallRecord {
    /// Appends that a call begins, so that the budget counts its possible cost even if the program ends before the reply. A failure
    /// of power may lose the line, and with it the cost of calls in flight.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`].
    pub fn append_begun(&mut self, line: &BegunLine) -> Result<(), Outage> {
        self.append_line(line, Durability::Program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Moment, PhaseName, SeatName, Step};

    /// Tokens that a record of these lines counts as spent.
    fn spent(lines: &[String]) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls.jsonl");
        std::fs::write(&file, lines.concat()).unwrap();
        let (record, _) = CallRecord::read(&file).unwrap();
        record.charges().map(|charge| charge.usage.at_most().prompt_tokens).sum()
    }

    #[test]
    fn a_call_of_which_nothing_more_is_told_counts_at_the_most_that_it_may_have_been() {
        let at = Moment { phase: PhaseName::new("talk"), round: 1, turn: 0, step: Step::Ballot };
        let begun = QuestionId { at, seat: SeatName::new("Alice"), attempt: 0 };
        let usage = |tokens| Usage {
            prompt_tokens: tokens,
            completion_tokens: 0,
            thinking_tokens: None,
            cached_prompt_tokens: None,
        };
        let (asked, request) = ("m".to_owned(), Digest::of(b"request"));
        let line = BegunLine { begun, asked, request, started_unix_ms: 1, at_most: Some(usage(100)) };
        let begins = serde_json::to_string(&line).unwrap() + "\n";
        let question = serde_json::to_value(&line.begun).unwrap();
        let answered = serde_json::json!({
            "question": question, "asked": "m", "request": line.request, "raw": "for", "usage": usage(7), "attempts": [],
        });
        let unanswered =
            serde_json::json!({ "unanswered": question, "asked": "m", "request": line.request, "attempts": [] });
        // Keys are written in the order of a line, by which it is known.
        let [answered, unanswered] = [answered, unanswered].map(|line| line.to_string() + "\n");
        for (lines, tokens) in [
            (vec![begins.clone()], 100),
            (vec![begins.clone(), answered.clone()], 7),
            (vec![begins.clone(), unanswered.clone()], 0),
            (vec![begins.clone(), begins.clone(), answered], 107),
            (vec![begins.clone(), begins.clone(), unanswered], 100),
            (vec![begins.clone(), begins[..9].to_owned()], 100),
        ] {
            assert_eq!(spent(&lines), tokens, "{lines:?}");
        }
    }
}
