//! The call behind an answer: who was asked, how often, and what came back.

use crate::report::numbers::counted;

/// A call, as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallShown {
    /// The model's name in the config, or the person's pseudonym; empty if not recorded.
    pub asked: String,
    /// Whether a person typed the answer.
    pub is_typed: bool,
    /// The model that the server reported; `None` if it reported none.
    pub served: Option<String>,
    /// Tokens of prompt and reply; `None` if the server reported none.
    pub tokens: Option<(u64, u64)>,
    /// Why the model stopped, in the server's spelling.
    pub finish: Option<String>,
    /// Whether a fork copied the answer from its parent.
    pub is_taken_over: bool,
    /// All attempts; the last one brought the answer.
    pub tries: Vec<TryShown>,
    /// The raw reply.
    pub raw: String,
    /// The thinking of a reasoning model, if the server returned it.
    pub thinking: Option<String>,
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TryShown {
    /// The HTTP status; `None` without a response.
    pub status: Option<u16>,
    /// The failure; `None` if it succeeded.
    pub failure: Option<String>,
    /// The duration, in milliseconds.
    pub wall_ms: u64,
}

impl CallShown {
    /// One line of words.
    pub(super) fn words(&self) -> String {
        let who = match (self.is_typed, self.asked.as_str()) {
            (true, "") => "typed by a person".to_owned(),
            (true, name) => format!("typed by {name}"),
            (false, "") => "answered by a model".to_owned(),
            (false, name) => format!("answered by models.{name}"),
        };
        let served = self.served.as_ref().map(|model| format!("served as {model}"));
        let tokens =
            self.tokens.map(|(prompt, reply)| format!("{} of prompt, {reply} of reply", counted(prompt, "token")));
        let finish = self.finish.as_ref().map(|finish| format!("finish reason {finish}"));
        let taken_over = self.is_taken_over.then(|| "copied from the parent's record".to_owned());
        let failed = self.tries.iter().filter_map(|one| {
            let failure = one.failure.as_ref()?;
            let status = one.status.map_or(String::new(), |status| format!("HTTP {status}, "));
            Some(format!("an attempt failed after {} ms: {status}{failure}", one.wall_ms))
        });
        let took = self.tries.last().filter(|one| one.failure.is_none()).map(|one| format!("{} ms", one.wall_ms));
        let more = [served, tokens, finish, taken_over, took].into_iter().flatten().chain(failed);
        std::iter::once(who).chain(more).collect::<Vec<_>>().join(" · ")
    }
}
