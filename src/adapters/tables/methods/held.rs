//! What a folder holds, where that is not a whole experiment: a pilot or a fork. In sentences that stand before the design.

use super::words::{code, count};

/// What a folder of results holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// An experiment as it was designed.
    Whole,
    /// The first replicates of one.
    Pilot {
        /// The replicates of each arm in the whole design.
        whole: u64,
    },
    /// One session that branched off a session of one.
    Fork {
        /// The name that it has in common with its parent.
        session: String,
        /// What was changed, as it was written.
        change: String,
    },
}

impl Held {
    /// The sentences; empty of a whole experiment. `replicates` is how many each arm has in this folder.
    pub(super) fn words(&self, replicates: u32) -> String {
        match self {
            Held::Whole => String::new(),
            Held::Pilot { whole } => format!(
                "**This is a pilot.** Of {} of each arm that the experiment is designed with, the first {replicates} were run here, to see \
                 whether the procedure works. What is told below as run is the pilot; its sessions are not data of the experiment.\n\n",
                count(*whole, "replicate")
            ),
            Held::Fork { session, change } => {
                // Lines that begin with four blanks are shown as they are, whatever stands in them.
                let change: Vec<String> = change.trim_end().lines().map(|line| format!("    {line}")).collect();
                format!(
                    "**This is a fork, not a session that happened.** This folder holds one session. It branched off the session {} of the \
                     experiment below, with this change and what followed from it:\n\n{}\n\nWhat is told below of the design is that of \
                     the experiment which the parent belongs to. Nothing else of it was run here.\n\n",
                    code(session),
                    change.join("\n")
                )
            }
        }
    }

    /// How the sentence goes on that tells what was varied.
    pub(super) fn subject(&self) -> &'static str {
        match self {
            Held::Whole => "It",
            Held::Pilot { .. } => "The pilot",
            Held::Fork { .. } => "The design that the parent belongs to",
        }
    }
}
