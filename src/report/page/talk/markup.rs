//! HTML that is written piece by piece: our own pieces stand in the program, and every other text is escaped on its way in.
//!
//! A transcript has thousands of small pieces; filling a template for each would take longer than reading the record.

use crate::report::page::marked;
use crate::report::plain::inert_json;
use crate::text::{escape_html, put};

/// A page's HTML under way.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// A piece of our own, as it stands in the program.
    pub(super) fn own(&mut self, piece: &'static str) -> &mut Self {
        self.0.push_str(piece);
        self
    }

    /// A text between tags.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&marked(text));
        self
    }

    /// A text in an attribute within quotes.
    pub(super) fn attribute(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escape_html(text));
        self
    }

    /// A text of unknown direction in an element of its own.
    pub(super) fn isolated(&mut self, text: &str) -> &mut Self {
        self.own("<span class=\"text\" dir=\"auto\">").text(text).own("</span>")
    }

    /// A number.
    pub(super) fn number(&mut self, number: impl Into<u64>) -> &mut Self {
        put!(self.0, "{}", number.into());
        self
    }

    /// JSON within a script element: no character of it ends the element or acts unseen.
    pub(super) fn data(&mut self, json: &str) -> &mut Self {
        for c in inert_json(json).chars() {
            match c {
                '<' | '>' | '&' => put!(self.0, "\\u{:04x}", u32::from(c)),
                c => self.0.push(c),
            }
        }
        self
    }

    /// All of it.
    pub(super) fn html(self) -> String {
        self.0
    }
}
