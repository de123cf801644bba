//! The call that brought an answer: who was asked, how often, and what came.
//!
//! When calls were made is not told here: only how long they took.

use crate::report::render::counted;

/// A call, as far as a page tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallShown {
    /// The model's name in the config, or the person's pseudonym; empty where it is not recorded.
    pub asked: String,
    /// Whether a person typed the answer.
    pub is_typed: bool,
    /// The model that the server says it used; `None` where it did not say.
    pub served: Option<String>,
    /// Tokens of prompt and reply; `None` where the server did not say.
    pub tokens: Option<(u64, u64)>,
    /// Why the model stopped, in the server's spelling.
    pub finish: Option<String>,
    /// Whether a fork took the answer over from its parent.
    pub is_taken_over: bool,
    /// Every attempt, the last of which brought the answer.
    pub tries: Vec<TryShown>,
    /// The reply as it came.
    pub raw: String,
    /// What a reasoning model thought before, where the server told.
    pub thinking: Option<String>,
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TryShown {
    /// The HTTP status; `None` where no response came.
    pub status: Option<u16>,
    /// What failed; `None` where nothing did.
    pub failure: Option<String>,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
}

impl CallShown {
    /// In words.
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
        let taken_over = self.is_taken_over.then(|| "taken over from the parent's record".to_owned());
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
