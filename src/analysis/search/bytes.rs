//! Reads and writes the bytes of an index: little-endian numbers, variable-length numbers, and texts with their length.
//! Unreadable bytes give `None`, since an index file may be damaged.

/// A reader that takes values from the front of bytes.
#[derive(Debug, Clone)]
pub struct Bytes<'b>(pub &'b [u8]);

impl<'b> Bytes<'b> {
    pub fn take_bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn read_u32(&mut self) -> Option<u32> {
        self.take_bytes(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    pub fn read_u64(&mut self) -> Option<u64> {
        self.take_bytes(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// Reads a variable-length number: seven bits per byte, lowest first.
    pub fn read_short(&mut self) -> Option<u32> {
        let mut number = 0;
        for place in 0..5 {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Skips `count` variable-length numbers.
    pub fn skip_short(&mut self, mut count: u32) -> Option<()> {
        let mut read = 0;
        while count > 0 {
            count -= u32::from(self.0.get(read)? & 0x80 == 0);
            read += 1;
        }
        self.take_bytes(read).map(drop)
    }

    pub fn read_text(&mut self) -> Option<&'b str> {
        let length = self.read_u32()? as usize;
        std::str::from_utf8(self.take_bytes(length)?).ok()
    }

    pub fn read_texts(&mut self) -> Option<Vec<String>> {
        let count = self.read_u32()?;
        (0..count).map(|_| self.read_text().map(str::to_owned)).collect()
    }
}

/// Writes a number for `Bytes::read_short`.
pub fn put_short(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes a text for `Bytes::read_text`.
pub fn put_text(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(numbers in prop::collection::vec(any::<u32>(), 0..20), text in "\\PC{0,20}") {
            let mut out = Vec::new();
            numbers.iter().for_each(|number| put_short(*number, &mut out));
            put_text(&text, &mut out);
            let mut bytes = Bytes(&out);
            let mut over = bytes.clone();
            let back: Option<Vec<u32>> = numbers.iter().map(|_| bytes.read_short()).collect();
            prop_assert_eq!(back, Some(numbers.clone()));
            prop_assert_eq!(over.skip_short(numbers.len() as u32), Some(()));
            prop_assert_eq!(over.0, bytes.0);
            prop_assert_eq!(bytes.read_text(), Some(text.as_str()));
            prop_assert!(bytes.0.is_empty());
        }

        #[test]
        fn no_bytes_are_read_that_are_not_there(any in prop::collection::vec(any::<u8>(), 0..12)) {
            let mut bytes = Bytes(&any);
            let _ = (bytes.read_short(), bytes.skip_short(3), bytes.read_texts());
            prop_assert!(bytes.0.len() <= any.len());
        }
    }
}
