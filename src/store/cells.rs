//! Finds the places of cells in a CSV text, and quotation marks that do not close at the end of their cell.
//!
//! The CSV library reads the values; the places serve error messages.

/// A line and a column in characters, both from 1.
pub type CellPlace = (u32, u32);

/// A quotation mark that closes before the end of its cell, or never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnclosedQuote {
    /// The start of the cell.
    pub open: CellPlace,
    /// Where it closes too early; `None` if it never closes.
    pub closed: Option<CellPlace>,
}

/// Returns the places of the cells of each record, in order. Empty lines are skipped, as the CSV library does.
///
/// # Errors
/// The first quotation mark that does not close at the end of its cell.
pub fn cell_places(text: &str) -> Result<Vec<Vec<CellPlace>>, UnclosedQuote> {
    let mut records = Vec::new();
    let mut cells = Vec::new();
    let mut walk = CellScanner { rest: text, at: (1, 1) };
    while let Some(first) = walk.peek() {
        if cells.is_empty() && matches!(first, '\n' | '\r') {
            walk.step();
            continue;
        }
        cells.push(walk.at);
        walk.skip_cell()?;
        let is_cell_behind = walk.peek() == Some(',');
        walk.step();
        if is_cell_behind && walk.peek().is_none() {
            cells.push(walk.at);
        }
        if !is_cell_behind || walk.peek().is_none() {
            records.push(std::mem::take(&mut cells));
        }
    }
    Ok(records)
}

struct CellScanner<'t> {
    rest: &'t str,
    at: CellPlace,
}

impl CellScanner<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn step(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.rest = &self.rest[character.len_utf8()..];
        let is_end_of_line = character == '\n' || character == '\r' && self.peek() != Some('\n');
        self.at = match is_end_of_line {
            true => (self.at.0.saturating_add(1), 1),
            false => (self.at.0, self.at.1.saturating_add(1)),
        };
        Some(character)
    }

    /// Advances to the end of a cell: a comma, the end of the line or of the text.
    fn skip_cell(&mut self) -> Result<(), UnclosedQuote> {
        let open = self.at;
        if self.peek() != Some('"') {
            while self.peek().is_some_and(|character| !matches!(character, ',' | '\n' | '\r')) {
                self.step();
            }
            return Ok(());
        }
        self.step();
        loop {
            let closed = self.at;
            match (self.step(), self.peek()) {
                (None, _) => return Err(UnclosedQuote { open, closed: None }),
                (Some('"'), Some('"')) => drop(self.step()),
                (Some('"'), None | Some(',' | '\n' | '\r')) => return Ok(()),
                (Some('"'), Some(_)) => return Err(UnclosedQuote { open, closed: Some(closed) }),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_the_place_where_it_begins() {
        let text = "id,text\r\n1,\"a \"\"b\"\", c\nd\",x\n\n2,\n";
        let expected = vec![vec![(1, 1), (1, 4)], vec![(2, 1), (2, 3), (3, 4)], vec![(5, 1), (5, 3)]];
        assert_eq!(cell_places(text), Ok(expected));
        assert_eq!(cell_places("a,"), Ok(vec![vec![(1, 1), (1, 3)]]));
        assert_eq!(cell_places(""), Ok(vec![]));
    }

    #[test]
    fn a_quotation_mark_that_closes_no_cell_is_found() {
        assert_eq!(cell_places("a\n\"b,c\n"), Err(UnclosedQuote { open: (2, 1), closed: None }));
        assert_eq!(cell_places("a\n\"b\" c\n"), Err(UnclosedQuote { open: (2, 1), closed: Some((2, 3)) }));
    }

    proptest::proptest! {
        #[test]
        fn there_is_a_place_for_every_cell_that_the_library_reads(text in "[a,\"\n\r ]{0,24}") {
            let Ok(places) = cell_places(&text) else { return Ok(()) };
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let read: Vec<usize> = reader.records().map(|record| record.expect("a record").len()).collect();
            let placed: Vec<usize> = places.iter().map(Vec::len).collect();
            proptest::prop_assert_eq!(placed, read);
        }
    }
}
