//! The HTML page of an experiment: the finding on the first screen, figures with their numbers, and every session.
//!
//! Pure functions of rows, records and comparisons. The same rows give the same bytes.

mod blocks;
mod cells;
mod course;
mod ending;
mod figures;
mod gathered;
mod integrity;
mod labels;
mod other_rules;
mod parts;
mod provenance;
mod sections;
mod session_table;
mod talk;
mod tally;
mod templates;
mod view;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::figure::page_colours;

pub use blocks::{Block, PLAIN_BYTES_MAX};
pub use cells::Tables;
pub use course::{
    Case, Earshot, Forked, HearingRules, Move, Notice, PositionSource, Sampled, SeatShown, SessionCourse, Settled,
    VoteResult,
};
pub use figures::draw_figures;
pub use gathered::{Gathered, Sitting, sitting};
pub use labels::Labels;
pub use other_rules::RuleResult;
pub use provenance::{ModelAnswered, Provenance};
pub use sections::{Lead, lead, sections};
pub use session_table::{INFORMATIVE_MAX, ROWS_MAX, WHOLE_MAX, rank_sessions};
pub use talk::{Beside, CallShown, Talk, TryShown, beside, talk};
pub use templates::{Templates, marked};
pub use view::view;

/// The style. Its first rule holds the colours for light ground, which the script reads when it saves a figure.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    let (light, dark) = page_colours();
    format!(
        ":root {{ color-scheme: light dark; {LIGHT} {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{}{}",
        include_str!("page.css"),
        include_str!("talk/talk.css")
    )
});
const LIGHT: &str = "--page: #ffffff; --raised: #f5f6f8; --ink: #1b1f24; --soft: #545b66; --line: #d4d8de; --link: #0b57a8; --note: #fff4d6; \
    --note-ink: #4a3600; --bad: #a3180f; --good: #1a6b34; --grid: #dde1e6; --mark: #5b2a86; --edge: rgb(27 31 36 / .4);";
/// What opens sessions comes last: transcripts wait for it.
const SCRIPT: &str = concat!(include_str!("talk/talk.js"), include_str!("page.js"));

/// A part of the page with a heading of its own.
#[derive(Debug, Clone, Serialize)]
pub struct Section {
    /// Its address.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What stands in it.
    pub html: minijinja::Value,
}

/// All that a page tells.
#[derive(Debug)]
pub struct Page {
    /// The experiment's name.
    pub name: String,
    /// What is decided; empty where sessions differ in it.
    pub question: String,
    /// Who sits at the table: people, models, or simulated agents.
    pub sitting: Sitting,
    /// What is missing of the folder, or does not count, a line each.
    pub missing: Vec<String>,
    /// The first screen.
    pub lead: Lead,
    /// The sections below it, in order.
    pub sections: Vec<Section>,
    /// The transcripts, by session.
    pub sessions: Vec<(String, Block)>,
    /// The session that the page is about; `None` for a whole experiment.
    pub only: Option<String>,
    /// The number of sessions, in words.
    pub counted: String,
    /// The names of the sessions whose transcripts the page can open.
    pub held: BTreeSet<String>,
}

/// Where a page is read from, and so how its sessions come to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// A file: every session stands in it.
    File,
    /// A server: the page asks it for one session after another, and leads to its live view.
    Served,
}

impl Delivery {
    /// What the page may do, as a content security policy: its own style and script, and of a server the very same one.
    pub fn policy(self) -> String {
        let (style, script) = (digest(&STYLE), digest(SCRIPT));
        let connect = match self {
            Delivery::File => "",
            Delivery::Served => " connect-src 'self';",
        };
        format!(
            "default-src 'none'; style-src '{style}'; script-src '{script}';{connect} img-src data:; base-uri 'none'; form-action 'none'"
        )
    }
}

#[derive(Serialize)]
struct PageContext<'p> {
    name: &'p str,
    question: &'p str,
    banner: &'p str,
    sitting: &'static str,
    missing: &'p [String],
    lead: &'p Lead,
    sections: &'p [Section],
    views: Vec<minijinja::Value>,
    blocks: Vec<PackedSession<'p>>,
    version: &'static str,
    style: minijinja::Value,
    script: minijinja::Value,
    policy: minijinja::Value,
    is_served: bool,
    only: &'p str,
}

#[derive(Serialize)]
struct PackedSession<'p> {
    name: &'p str,
    letters: String,
}

impl Page {
    /// The page as HTML.
    pub fn html(&self, templates: &Templates, delivery: Delivery) -> String {
        let is_file = delivery == Delivery::File;
        let bytes: usize = self.sessions.iter().map(|(_, block)| block.bytes()).sum();
        let is_plain = bytes <= PLAIN_BYTES_MAX;
        let safe = minijinja::Value::from_safe_string;
        let views = self.sessions.iter().filter(|_| is_file && is_plain).map(|(_, block)| safe(block.open()));
        let blocks = self.sessions.iter().filter(|_| is_file && !is_plain);
        templates.fill(
            "page.html",
            PageContext {
                name: &self.name,
                question: &self.question,
                banner: self.sitting.words,
                sitting: self.sitting.class,
                missing: &self.missing,
                lead: &self.lead,
                sections: &self.sections,
                views: views.collect(),
                blocks: blocks.map(|(name, block)| PackedSession { name, letters: block.letters() }).collect(),
                version: env!("CARGO_PKG_VERSION"),
                style: safe(STYLE.clone()),
                script: safe(SCRIPT.to_owned()),
                policy: safe(delivery.policy()),
                is_served: !is_file,
                only: self.only.as_deref().unwrap_or_default(),
            },
        )
    }
}

/// A text's digest as a content security policy names it.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
