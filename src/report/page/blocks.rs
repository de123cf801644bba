//! What is too large to stand in a page as it is: one block a session, packed, that the page's script opens.
//!
//! Nothing here decides what a session tells.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// Pages whose sessions together take no more bytes of HTML hold them as they are, so that they can be read without script.
pub const PLAIN_BYTES_MAX: usize = 3_000_000;

/// How hard packing tries: more makes a page of a thousand sessions a quarter smaller and takes twice the time.
const LEVEL: u32 = 2;

/// A session's HTML, packed as gzip, which holds no time.
#[derive(Debug, Clone)]
pub struct Block {
    packed: Vec<u8>,
    bytes: usize,
}

impl Block {
    /// Packs HTML.
    ///
    /// # Panics
    /// Never: memory takes what is written.
    pub fn pack(html: &str) -> Self {
        let mut packer = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
        let packed = packer.write_all(html.as_bytes()).and_then(|()| packer.finish());
        Self { packed: packed.expect("invariant: memory takes what is written"), bytes: html.len() }
    }

    /// The length of the HTML in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The HTML.
    ///
    /// # Panics
    /// Never: what was packed opens.
    pub fn open(&self) -> String {
        let mut html = String::with_capacity(self.bytes);
        GzDecoder::new(self.packed.as_slice()).read_to_string(&mut html).expect("invariant: what was packed opens");
        html
    }

    /// The block as letters that mean nothing in HTML.
    pub fn letters(&self) -> String {
        STANDARD.encode(&self.packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_block_opens_to_what_was_packed(html in ".*") {
            let block = Block::pack(&html);
            prop_assert_eq!(block.bytes(), html.len());
            prop_assert_eq!(&block.packed, &Block::pack(&html).packed);
            prop_assert_eq!(block.open(), html);
            prop_assert!(block.letters().chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c)));
        }
    }
}
