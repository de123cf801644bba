//! The values of the framework's config that the converted config lacks.

use std::fmt;

use super::writing::one_line;

/// A value that was not fully carried over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutValue {
    /// What happened to it.
    pub fate: ValueFate,
    /// Its dotted path; for [`ValueFate::OursByDefault`], the path of our key.
    pub path: String,
    /// The value as JSON on one line; `None` if the file has none.
    pub value: Option<String>,
    /// The reason.
    pub reason: String,
}

/// What happened to a value that was not fully carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueFate {
    /// The config has no counterpart.
    NotCarriedOver,
    /// The config has an approximation.
    CarriedInPart,
    /// The file has no value, and our default applies.
    OursByDefault,
}

impl fmt::Display for LeftOutValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fate = match self.fate {
            ValueFate::NotCarriedOver => "not carried over",
            ValueFate::CarriedInPart => "carried over in part",
            ValueFate::OursByDefault => "left to ekklesia's default",
        };
        write!(f, "{fate}: {}", one_line(&self.path))?;
        if let Some(value) = &self.value {
            write!(f, ": {}", one_line(value))?;
        }
        write!(f, " — {}", one_line(&self.reason))
    }
}
