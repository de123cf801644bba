//! A language pack: the compiled templates of one scenario in one language.

use std::collections::BTreeMap;

use crate::domain::{Agent, Motion, Query};
use crate::prompt::AnswerForm;

/// The templates of one scenario in one language, compiled.
#[derive(Debug, Clone)]
pub struct Pack {
    _templates: BTreeMap<String, String>,
}

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{template}:{line}: {reason}")]
pub struct PromptError {
    /// The template's name.
    pub template: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// Who speaks in a message to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The frame.
    System,
    /// Everyone else.
    User,
    /// The seat itself.
    Assistant,
}

/// One message to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The words.
    pub content: String,
}

impl Pack {
    /// Compiles templates by name.
    ///
    /// # Errors
    /// When a template is missing, superfluous or does not compile.
    pub fn compile(templates: &BTreeMap<String, String>) -> Result<Self, PromptError> {
        Ok(Self {
            _templates: templates.clone(),
        })
    }

    /// The messages that put a query to a model.
    pub fn messages(
        &self,
        _motion: &Motion,
        _agents: &[&Agent],
        _query: &Query<'_>,
        _form: AnswerForm,
    ) -> Vec<Message> {
        Vec::new()
    }
}
