//! A record in words: its role in the session, its audience, and what is told of it.

use crate::domain::OpenBallots;

/// The role of a record in a session, which decides its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordForm {
    /// The beginning of a session, a phase or a round.
    Opening,
    /// A statement or a pass.
    Speech,
    /// A private answer.
    Aside,
    /// An announcement, a draw or a count.
    Procedure,
    /// An answer that does not count.
    Fault,
    /// The end of a round.
    Closing,
    /// The end of the session.
    Outcome,
}

/// The audience of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordAudience {
    /// Every seat.
    Everyone,
    /// The seats that hear the speaker in the network.
    Listeners,
    /// No seat, because another group's words replace it.
    Replaced,
    /// These seats.
    Only(Vec<String>),
    /// These seats once the ballots are counted; `None` for every seat.
    WithCount(Option<Vec<String>>),
    /// Each seat its own part.
    Each,
    /// Only its own seat, which may remember it.
    Itself,
    /// No seat, and no memory keeps it.
    Nobody,
}

impl RecordAudience {
    /// The audience in words.
    pub fn words(&self) -> String {
        match self {
            Self::Everyone => "heard by all".to_owned(),
            Self::Listeners => "heard by those whom the network lets hear it".to_owned(),
            Self::Replaced => "heard by nobody: another group's words stand in its place".to_owned(),
            Self::Only(seats) => format!("to {} only", seats.join(", ")),
            Self::WithCount(None) => "private until the count, then heard by all".to_owned(),
            Self::WithCount(Some(seats)) => {
                format!("private until the count, then to {} only", seats.join(", "))
            }
            Self::Each => "to each seat what concerns it".to_owned(),
            Self::Itself => "private".to_owned(),
            Self::Nobody => "only recorded".to_owned(),
        }
    }

    /// Whether it was not said to everyone. Statements in a network count as public.
    pub fn is_private(&self) -> bool {
        matches!(self, Self::Only(_) | Self::WithCount(_) | Self::Each | Self::Itself | Self::Nobody)
    }
}

/// A record in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordWording {
    /// Its role in the session.
    pub form: RecordForm,
    /// Its audience.
    pub heard: RecordAudience,
    /// The seat, or the voice of the procedure.
    pub who: Option<String>,
    /// What happened; continues the name, if there is one.
    pub what: String,
    /// Short remarks.
    pub notes: Vec<String>,
    /// One line per seat or alternative.
    pub lines: Vec<String>,
    /// A quotation: a statement, a thought or a raw reply.
    pub words: Option<String>,
}

impl RecordWording {
    pub(super) fn new(form: RecordForm, heard: RecordAudience, what: impl Into<String>) -> Self {
        Self { form, heard, who: None, what: what.into(), notes: Vec::new(), lines: Vec::new(), words: None }
    }

    pub(super) fn by(mut self, who: impl Into<String>) -> Self {
        self.who = Some(who.into());
        self
    }

    pub(super) fn noting(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    pub(super) fn listing(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// Has a ballot be heard by all, with the count or when it is cast, or leaves it private.
    pub(super) fn heard_as_ballot(self, open: OpenBallots) -> Self {
        let heard = match open {
            OpenBallots::Never => self.heard.clone(),
            OpenBallots::Announced => RecordAudience::WithCount(None),
            OpenBallots::InTurn => RecordAudience::Everyone,
        };
        Self { heard, ..self }
    }

    pub(super) fn saying(mut self, words: &str) -> Self {
        self.words = (!words.is_empty()).then(|| words.to_owned());
        self
    }
}
