//! What a config of ours does not hold of another one.

use std::fmt;

use super::writing::one_line;

/// A value that could not be carried over as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutValue {
    /// What became of it.
    pub fate: ValueFate,
    /// Its dotted path; for [`ValueFate::OursByDefault`] the path of our key.
    pub path: String,
    /// The value as JSON on one line; `None` when the file has none.
    pub value: Option<String>,
    /// Why.
    pub reason: String,
}

/// What became of a value that could not be carried over as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueFate {
    /// The config holds nothing of it.
    NotCarriedOver,
    /// The config holds something near it.
    CarriedInPart,
    /// The file does not say, and our default holds.
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
