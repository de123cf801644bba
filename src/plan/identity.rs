//! Compares designs, and describes changes made after sessions were run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::Digest;

/// Sections of a design that change no answer.
pub const AROUND: [&str; 3] = ["about", "limits", "models"];

/// A key in which two identities differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DesignDifference {
    /// The dotted key.
    pub key: String,
    /// The old value as text; `None` if the key is new.
    pub old: Option<String>,
    /// The new value as text; `None` if the key was removed.
    pub new: Option<String>,
}

impl DesignDifference {
    /// Whether the identity records only digests of the differing texts.
    pub fn is_of_a_text(&self) -> bool {
        let is_digest = |value: &String| value.trim_start_matches("brief ").starts_with("b3:");
        self.old.iter().chain(&self.new).all(is_digest)
    }

    /// Whether it changes no answer, and so is not part of the design's digest.
    pub fn is_around(&self) -> bool {
        is_around(&self.key)
    }

    /// Whether a model's server only moved between addresses of this machine, which does not change what answers.
    pub fn is_move_on_this_machine(&self) -> bool {
        let is_address = self.key.starts_with(&format!("{}.", AROUND[2])) && self.key.ends_with(".base_url");
        let is_here = |address: &Option<String>| address.as_deref().is_some_and(is_on_this_machine);
        is_address && is_here(&self.old) && is_here(&self.new)
    }
}

/// Whether the host of an address is this machine.
pub fn is_on_this_machine(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or(rest);
    let port = |end: &str| end.is_empty() || end.starts_with(':');
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|host| authority.strip_prefix(host).is_some_and(port))
}

impl fmt::Display for DesignDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, old, new } = self;
        match (old, new) {
            (Some(old), Some(new)) => write!(f, "{key} was {old} and is now {new}"),
            (Some(old), None) => write!(f, "{key} was {old} and is now left out"),
            (None, Some(new)) => write!(f, "{key} was left out and is now {new}"),
            (None, None) => write!(f, "{key}"),
        }
    }
}

/// The key of the number of replicates per arm.
pub const REPLICATES: &str = "replicates";
/// The key of the relative error within which an amount is correct.
pub const CORRECT_WITHIN: &str = "correct_within";

/// A change to a design after some of its sessions were run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// The changed key.
    pub what: String,
    /// The old value; `None` if the key was not set.
    pub from: Option<String>,
    /// The new value; `None` if the key is not set.
    pub to: Option<String>,
    /// The number of complete sessions at the time of the change.
    pub sessions_done: u64,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = DesignDifference { key: self.what.clone(), old: self.from.clone(), new: self.to.clone() };
        let sessions = if self.sessions_done == 1 { "session" } else { "sessions" };
        write!(f, "{difference}, with {} {sessions} done", self.sessions_done)
    }
}

/// The first difference between two identities by key; `None` if they are equal.
pub fn first_difference(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Option<DesignDifference> {
    find_differences(old, new).into_iter().next()
}

/// Every difference between two designs, in the order of the keys.
pub fn find_differences(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<DesignDifference> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = keys.into_iter().filter(|key| old.get(*key) != new.get(*key));
    differing
        .map(|key| DesignDifference { key: key.clone(), old: old.get(key).cloned(), new: new.get(key).cloned() })
        .collect()
}

/// Whether a key of a design changes no answer.
pub fn is_around(key: &str) -> bool {
    AROUND.contains(&key.split('.').next().unwrap_or_default())
}

/// The digest of an identity or a part of one: of its JSON with sorted keys.
pub fn digest_of<K: Ord + Serialize, V: Serialize>(identity: &BTreeMap<K, V>) -> Digest {
    let json = serde_json::to_vec(identity).expect("invariant: texts by texts can be written as JSON");
    Digest::of(&json)
}
