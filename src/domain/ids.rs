//! Identifiers. Each is a type of its own, so that a seat is never taken for an alternative.
//!
//! A *name* is what people and files see and is stable when others are added; an *id* is a place in the plan's list.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The position of a seat in the plan, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SeatId(pub u32);

/// The position of an alternative in the motion, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct AlternativeId(pub u32);

/// The number of a record in its session's minutes, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl SeatId {
    /// The seat's place as an index into a list that has one entry a seat.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl AlternativeId {
    /// The alternative's place as an index into a list that has one entry an alternative.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps a text that the plan has checked.
            pub fn new(text: &str) -> Self {
                Self(Arc::from(text))
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<Arc<str>> for $name {
            fn from(text: Arc<str>) -> Self {
                Self(text)
            }
        }

        impl From<$name> for Arc<str> {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// The name of a seat, unique in a plan.
    SeatName
);
name!(
    /// The name of a phase, unique in an agenda: as it is written there, and in a block with the numbers of the passes, `talk@2`.
    PhaseName
);
impl PhaseName {
    /// The name of a phase in these passes of the blocks that hold it: `talk@2`, within another block `talk@2.1`.
    pub fn in_passes(written: &str, passes: impl Iterator<Item = String>) -> Self {
        let passes: Vec<String> = passes.collect();
        if passes.is_empty() { Self::new(written) } else { Self::new(&format!("{written}@{}", passes.join("."))) }
    }

    /// The name of the phase in one group: `talk@2#1`.
    #[must_use]
    pub fn in_group(&self, number: u32) -> Self {
        Self::new(&format!("{}#{number}", self.0))
    }

    /// The name without the group.
    pub fn occurrence(&self) -> &str {
        self.0.split_once('#').map_or(&*self.0, |(occurrence, _)| occurrence)
    }

    /// The name as it is written in the agenda, without the passes and the group.
    pub fn written(&self) -> &str {
        let occurrence = self.occurrence();
        occurrence.split_once('@').map_or(occurrence, |(written, _)| written)
    }

    /// Whether another moment is one of this name: itself, and of a name without a pass and a group every pass and group.
    pub fn covers_moment(&self, other: &PhaseName) -> bool {
        self == other || *self.0 == *other.written()
    }

    /// Whether another moment is the same phase in another pass.
    pub fn is_other_pass_of(&self, other: &PhaseName) -> bool {
        self.occurrence() != other.occurrence() && self.written() == other.written()
    }

    /// The numbers of the passes with points between them; `None` outside blocks.
    pub fn pass(&self) -> Option<&str> {
        self.occurrence().split_once('@').map(|(_, passes)| passes)
    }

    /// The number of the group that the phase takes place in; `None` outside groups.
    pub fn group(&self) -> Option<&str> {
        self.0.split_once('#').map(|(_, number)| number)
    }
}

name!(
    /// The name of an alternative (`for`, `against`, …), unique in a motion.
    AlternativeName
);
name!(
    /// The id of a fact of the case (`F3`), unique in a scenario.
    FactId
);
