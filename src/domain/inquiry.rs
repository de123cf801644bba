//! What a seat may ask to see before it answers, and what it is then shown.

use serde::{Deserialize, Serialize};

/// What a seat asks to see before it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inquiry {
    /// Statements that it has heard and that answer these words.
    LookUp(String),
    /// A page of one of its exhibits, by the page's name.
    Page(String),
}

/// What a seat may ask to see before it answers a question: once, one of these.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offer {
    /// Statements that it has heard.
    pub look_up: bool,
    /// A page of one of its exhibits.
    pub page: bool,
}

impl Offer {
    /// Nothing.
    pub const NONE: Offer = Offer { look_up: false, page: false };

    /// Whether it may ask to see this.
    // Not a match that takes one field or the other: of that, optimised, Rust 1.95 makes one read at a distance that the inquiry's kind
    // gives, before it is known that there is an inquiry, and the program can end there. It is, by all that is seen in the machine's
    // code, the fault of rust-lang/rust issue 159035, which Rust 1.97.1 mends.
    pub fn allows(self, inquiry: &Inquiry) -> bool {
        (self.look_up && matches!(inquiry, Inquiry::LookUp(_))) || (self.page && matches!(inquiry, Inquiry::Page(_)))
    }
}

/// What a seat is shown because it asked to see it.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// What it asked to see.
    pub inquiry: &'a Inquiry,
    /// The positions on the floor of the statements found, the best first.
    pub remarks: &'a [u32],
    /// The words of the page.
    pub page: Option<&'a str>,
}

/// A page that was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageShown {
    /// The exhibit's name.
    pub exhibit: String,
    /// The page's number, from 1.
    pub page: u32,
}
