//! Evidence documents and their pages.

use std::ops::Range;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

use super::notice;
use crate::domain::Language;
use crate::text;

/// The limit of a page in tokens, by the fixed estimate; a single grapheme cluster may exceed it.
const PAGE_TOKENS: u64 = 2_000;
/// Number of first and of last lines in the outline of a long exhibit.
const LINES: usize = 5;
/// The limit of an outline's line in characters.
const LINE_CHARS: u32 = 200;

/// An evidence document.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Exhibit {
    name: String,
    #[serde(skip)]
    text: Arc<str>,
    #[serde(skip)]
    shown: Arc<str>,
    /// The pages as byte ranges of the text; none if the exhibit is shown in full.
    pages: Vec<Range<usize>>,
    #[serde(skip)]
    token_limit: u64,
    #[serde(skip)]
    language: Language,
}

impl Exhibit {
    /// Creates an exhibit that is shown in full up to `token_limit` tokens, by the fixed estimate.
    ///
    /// ```
    /// use ekklesia::domain::Language;
    /// use ekklesia::memory::Exhibit;
    ///
    /// let report = Exhibit::new("report", "It cost 9 a head.\n", 20_000, Language::En);
    /// assert_eq!(report.shown_text(), "[EXHIBIT report]\nIt cost 9 a head.\n[END OF EXHIBIT report]");
    /// assert_eq!(report.page_count(), 0);
    /// ```
    pub fn new(name: &str, text: &str, token_limit: u64, language: Language) -> Self {
        let whole = notice::exhibit_text(name, text.trim_end(), language);
        if text::tokens_at_most(&whole) <= token_limit {
            let (text, shown) = (text.into(), whole.into());
            return Self { name: name.to_owned(), text, shown, pages: Vec::new(), token_limit, language };
        }
        let pages = split_into_pages(text, PAGE_TOKENS.min(token_limit).max(1));
        let shown = notice::exhibit_text(name, &render_outline(name, text, pages.len(), language), language);
        Self { name: name.to_owned(), text: text.into(), shown: shown.into(), pages, token_limit, language }
    }

    /// The exhibit with another token limit.
    #[must_use]
    pub fn with_token_limit(&self, token_limit: u64) -> Self {
        Self::new(&self.name, &self.text, token_limit, self.language)
    }

    /// The exhibit with another text.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        Self::new(&self.name, text, self.token_limit, self.language)
    }

    /// Its name, unique in a plan.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The complete text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text in each prompt: in full, or the first and last lines and the names of the pages.
    pub fn shown_text(&self) -> &str {
        &self.shown
    }

    /// The number of pages; 0 if the exhibit is shown in full.
    pub fn page_count(&self) -> u32 {
        self.pages.len() as u32
    }

    /// The text of a page, from 1; `None` if it does not exist.
    pub fn page(&self, number: u32) -> Option<&str> {
        let place = (number as usize).checked_sub(1)?;
        Some(&self.text[self.pages.get(place)?.clone()])
    }

    /// The number of the page with this name: the exhibit's name and a number, as in `report 3`.
    pub fn page_called(&self, name: &str) -> Option<u32> {
        let (exhibit, number) = name.trim().rsplit_once(' ')?;
        let number = text::parse_digits(number).filter(|number| (1..=self.page_count()).contains(number))?;
        (exhibit.trim_end() == self.name).then_some(number)
    }
}

/// The size, the first and last lines, and the names of the pages.
fn render_outline(name: &str, text: &str, pages: usize, language: Language) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let cut = |line: &&str| {
        let mut kept = (*line).to_owned();
        text::truncate_text(line, LINE_CHARS).apply(&mut kept);
        kept
    };
    let first: Vec<String> = lines.iter().take(LINES).map(cut).collect();
    let last: Vec<String> =
        lines[lines.len().saturating_sub(LINES).max(LINES).min(lines.len())..].iter().map(cut).collect();
    notice::exhibit_outline(name, (text::word_count(text), pages), (&first.join("\n"), &last.join("\n")), language)
}

/// Splits a text into pages at line ends; splits a line longer than a page between grapheme clusters.
fn split_into_pages(text: &str, tokens_max: u64) -> Vec<Range<usize>> {
    let mut pages: Vec<Range<usize>> = Vec::new();
    let (mut start, mut end, mut tokens) = (0, 0, 0);
    for line in text.split_inclusive('\n') {
        let more = text::tokens_at_most(line);
        if tokens + more > tokens_max && end > start {
            pages.push(start..end);
            (start, tokens) = (end, 0);
        }
        if more <= tokens_max {
            (end, tokens) = (end + line.len(), tokens + more);
            continue;
        }
        // A text has at most as many tokens as bytes.
        for (place, cluster) in line.grapheme_indices(true) {
            let at = start_of(line, text) + place;
            if at > start && (at + cluster.len() - start) as u64 > tokens_max {
                pages.push(start..at);
                start = at;
            }
            end = at + cluster.len();
        }
        pages.push(start..end);
        start = end;
    }
    if end > start {
        pages.push(start..end);
    }
    pages
}

/// The byte offset of a part within its text.
fn start_of(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_long_exhibit_is_shown_by_its_first_and_last_lines_and_the_names_of_its_pages() {
        let lines: Vec<String> = (1..=20).map(|number| format!("Line {number} of the report.")).collect();
        let report = Exhibit::new("report", &lines.join("\n"), 60, Language::En);
        assert_eq!(report.page_count(), 4);
        let shown = report.shown_text();
        for there in ["100 words", "4 pages", "Line 1 of", "Line 5 of", "Line 16 of", "Line 20 of", "\"report 4\""] {
            assert!(shown.contains(there), "{there}: {shown}");
        }
        assert!(!shown.contains("Line 6 of") && !shown.contains("Line 15 of"), "{shown}");
        assert!(
            report.page(1).unwrap().starts_with("Line 1 of")
                && report.page(4).unwrap().ends_with("Line 20 of the report.")
        );
    }

    #[test]
    fn a_page_is_called_by_the_name_of_its_exhibit_and_its_number() {
        let report = Exhibit::new("report", &"one two three four\n".repeat(20), 30, Language::En);
        assert!(report.page_count() > 2);
        for (name, page) in [
            ("report 2", Some(2)),
            ("  report  2 ", Some(2)),
            ("report 0", None),
            ("report +1", None),
            ("report 99", None),
            ("Report 2", None),
            ("report", None),
            ("", None),
        ] {
            assert_eq!(report.page_called(name), page, "{name}");
        }
        assert_eq!(report.page(0), None);
    }

    proptest! {
        #[test]
        fn the_pages_are_the_text_and_none_is_too_long(
            text in "(👨‍👩‍👧|é|漢字|[a-z ]{1,30}|\n){0,60}", limit in 1u64..80
        ) {
            let exhibit = Exhibit::new("report", &text, limit, Language::En);
            let pages: Vec<&str> = (1..=exhibit.page_count()).filter_map(|number| exhibit.page(number)).collect();
            if pages.is_empty() {
                prop_assert!(text::tokens_at_most(exhibit.shown_text()) <= limit || text.is_empty());
                return Ok(());
            }
            prop_assert_eq!(pages.concat(), text.clone());
            let ends: Vec<usize> = text.grapheme_indices(true).map(|(start, cluster)| start + cluster.len()).collect();
            let mut end = 0;
            for page in pages {
                end += page.len();
                prop_assert!(ends.contains(&end), "no cluster is split");
                prop_assert!(text::tokens_at_most(page) <= limit || page.graphemes(true).count() == 1, "{page:?}");
            }
        }
    }
}
