//! One HTML page on an experiment: what happened, figures with their numbers, and every session to be opened.
//!
//! Pure: rows, records and comparisons in, text out. Everything that a page needs stands in it; it asks no model, no network
//! and no clock, and the same rows give the same bytes. No number is worked out here by a formula of its own.

mod blocks;
mod cells;
mod course;
mod ending;
mod parts;
mod provenance;
mod sections;
mod stock;
mod talk;
mod tally;
mod templates;
mod view;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub use blocks::{Block, PLAIN_BYTES_MAX};
pub use cells::Tables;
pub use course::{Case, Course, Floor, Forked, Hearing, Move, Notice, Sampled, SeatShown, Settled, Stood, Vote};
pub use provenance::{ModelAnswered, Provenance};
pub use sections::{Gathered, Sitting, sections, sitting};
pub use talk::{Beside, CallShown, Talk, TryShown, beside, talk};
pub use templates::{Templates, marked};
pub use view::view;

const STYLE: &str = concat!(include_str!("page.css"), include_str!("talk/talk.css"));
/// What opens sessions comes last: transcripts wait for it.
const SCRIPT: &str = concat!(include_str!("talk/talk.js"), include_str!("page.js"));

/// A part of the page with a heading of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its address.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What stands in it.
    #[serde(serialize_with = "as_html")]
    pub html: String,
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
    /// What is shown, in order.
    pub sections: Vec<Section>,
    /// The sessions, by name.
    pub sessions: Vec<(String, Block)>,
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
        let (style, script) = (digest(STYLE), digest(SCRIPT));
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
struct Facts<'p> {
    name: &'p str,
    question: &'p str,
    banner: &'p str,
    sitting: &'static str,
    missing: &'p [String],
    sections: &'p [Section],
    views: Vec<minijinja::Value>,
    blocks: Vec<Packed<'p>>,
    version: &'static str,
    style: minijinja::Value,
    script: minijinja::Value,
    policy: minijinja::Value,
    is_served: bool,
}

#[derive(Serialize)]
struct Packed<'p> {
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
            Facts {
                name: &self.name,
                question: &self.question,
                banner: self.sitting.words,
                sitting: self.sitting.class,
                missing: &self.missing,
                sections: &self.sections,
                views: views.collect(),
                blocks: blocks.map(|(name, block)| Packed { name, letters: block.letters() }).collect(),
                version: env!("CARGO_PKG_VERSION"),
                style: safe(STYLE.to_owned()),
                script: safe(SCRIPT.to_owned()),
                policy: safe(delivery.policy()),
                is_served: !is_file,
            },
        )
    }
}

/// A text's digest as a content security policy names it.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

fn as_html<S: serde::Serializer>(html: &str, serializer: S) -> Result<S::Ok, S::Error> {
    minijinja::Value::from_safe_string(html.to_owned()).serialize(serializer)
}
