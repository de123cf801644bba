//! The pages of the live view. The templates escape all values.

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Value, json};

use super::folder_watcher::ExperimentState;
use super::index::IndexRow;
use super::stream::state_json;
use crate::text::escape_unseen;

const READS: &str = "invariant: the templates of the live view are sound";

/// The list of experiments, and the links that were left out.
pub fn render_index(folder: &str, rows: &[IndexRow], left_out: &[String]) -> String {
    let left_out: Vec<String> = left_out.iter().map(|line| escape_unseen(line)).collect();
    render_template("index.html", json!({ "folder": escape_unseen(folder), "rows": rows, "left_out": left_out }))
}

/// What else is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServedScope {
    /// Nothing.
    Alone,
    /// A folder of experiments.
    AmongOthers,
}

/// The live view of an experiment.
pub fn render_watch(folder: &str, state: &ExperimentState, served: ServedScope) -> String {
    let page = json!({
        "name": escape_unseen(state.design.name.as_deref().unwrap_or(folder)),
        "is_alone": served == ServedScope::Alone,
        "is_fork": state.design.is_fork,
        "state": state_json(state, Some(state.look)),
    });
    render_template("watch.html", page)
}

/// The page for an unknown address.
pub fn render_missing(what: &str) -> String {
    render_template("missing.html", json!({ "what": escape_unseen(what) }))
}

/// The page that explains why there is no report.
pub fn render_unmade(why: &str) -> String {
    render_template("unmade.html", json!({ "why": escape_unseen(why) }))
}

fn render_template(name: &str, mut page: Value) -> String {
    page["version"] = env!("CARGO_PKG_VERSION").into();
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let templates = [
        ("frame.html", include_str!("frame.html")),
        ("index.html", include_str!("index.html")),
        ("watch.html", include_str!("watch.html")),
        ("missing.html", include_str!("missing.html")),
        ("unmade.html", include_str!("unmade.html")),
    ];
    for (name, text) in templates {
        environment.add_template(name, text).expect(READS);
    }
    environment.get_template(name).and_then(|template| template.render(Serde(page))).expect(READS)
}
