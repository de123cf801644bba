//! Sessions packed into one compressed block each, for pages too large for plain HTML. The page's script unpacks them.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// The most bytes of HTML that all sessions of a page may take together to be included unpacked and readable without script.
pub const PLAIN_BYTES_MAX: usize = 3_000_000;

/// The compression level. A higher level makes a page of a thousand sessions a quarter smaller but takes twice the time.
const LEVEL: u32 = 2;

/// A session's HTML as gzip without a timestamp.
#[derive(Debug, Clone)]
pub struct Block {
    packed: Vec<u8>,
    bytes: usize,
}

impl Block {
    /// Packs HTML.
    ///
    /// # Panics
    /// Never: writing to memory does not fail.
    pub fn pack(html: &str) -> Self {
        let mut packer = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
        let packed = packer.write_all(html.as_bytes()).and_then(|()| packer.finish());
        Self { packed: packed.expect("invariant: writing to memory does not fail"), bytes: html.len() }
    }

    /// The length of the block in a page, in bytes.
    pub fn packed_bytes(&self) -> usize {
        self.packed.len().div_ceil(3) * 4
    }

    /// The length of the HTML in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Unpacks the HTML.
    ///
    /// # Panics
    /// Never: a packed block can be unpacked.
    pub fn open(&self) -> String {
        let mut html = String::with_capacity(self.bytes);
        GzDecoder::new(self.packed.as_slice())
            .read_to_string(&mut html)
            .expect("invariant: a packed block can be unpacked");
        html
    }

    /// The block as Base64, which needs no escaping in HTML.
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
        fn unpacking_a_block_gives_the_packed_html(html in ".*") {
            let block = Block::pack(&html);
            prop_assert_eq!(block.bytes(), html.len());
            prop_assert_eq!(&block.packed, &Block::pack(&html).packed);
            prop_assert_eq!(block.open(), html);
            prop_assert!(block.letters().chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c)));
        }
    }
}
