//! HTML written piece by piece. Only literals of the program are written unescaped.
//!
//! A transcript has thousands of small pieces, for which templates would be too slow.

use crate::domain::Seq;
use crate::report::page::marked;
use crate::report::plain::inert_json;
use crate::text::{escape_html, put};

/// Unfinished HTML.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Appends a literal unescaped.
    pub(super) fn own(&mut self, piece: &'static str) -> &mut Self {
        self.0.push_str(piece);
        self
    }

    /// Appends a text, escaped, with invisible characters marked.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&marked(text));
        self
    }

    /// Appends the text of a quoted attribute, escaped.
    pub(super) fn attribute(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escape_html(text));
        self
    }

    /// Appends a text of unknown direction in its own element.
    pub(super) fn isolated(&mut self, text: &str) -> &mut Self {
        self.own("<span class=\"text\" dir=\"auto\">").text(text).own("</span>")
    }

    /// Appends the address of a record on the page, in a quoted attribute.
    pub(super) fn address(&mut self, session: &str, record: Seq) -> &mut Self {
        self.attribute(session).own("/").number(record.0)
    }

    /// Appends a number.
    pub(super) fn number(&mut self, number: impl Into<u64>) -> &mut Self {
        put!(self.0, "{}", number.into());
        self
    }

    /// Appends JSON for a script element, escaped so that it cannot end the element.
    pub(super) fn data(&mut self, json: &str) -> &mut Self {
        for c in inert_json(json).chars() {
            match c {
                '<' | '>' | '&' => put!(self.0, "\\u{:04x}", u32::from(c)),
                c => self.0.push(c),
            }
        }
        self
    }

    /// The finished HTML.
    pub(super) fn html(self) -> String {
        self.0
    }
}
