//! A BLAKE3 digest as it is written everywhere: `b3:` and 64 hexadecimal digits.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A digest in its printed form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// Digests bytes as they are.
    pub fn of(bytes: &[u8]) -> Self {
        Self::from(blake3::hash(bytes))
    }

    /// Digests a text after its line endings are made LF.
    pub fn of_text(text: &str) -> Self {
        if text.contains('\r') { Self::of(text.replace("\r\n", "\n").as_bytes()) } else { Self::of(text.as_bytes()) }
    }

    /// The printed form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        Self(format!("b3:{}", hash.to_hex()))
    }
}
