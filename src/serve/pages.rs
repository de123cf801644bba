//! The pages of the live view. What is put into them is escaped by the templates, all of it.

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Value, json};

use super::index::Row;
use super::stream::state_json;
use super::survey::State;
use crate::text::visible;

const READS: &str = "invariant: the templates of the live view are sound";

/// The list of experiments, and what is not on it.
pub fn index(folder: &str, rows: &[Row], left_out: &[String]) -> String {
    let left_out: Vec<String> = left_out.iter().map(|line| visible(line)).collect();
    render("index.html", json!({ "folder": visible(folder), "rows": rows, "left_out": left_out }))
}

/// Whether an experiment is all that is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// It is.
    Alone,
    /// There is a list of others.
    AmongOthers,
}

/// The live view of an experiment.
pub fn watch(folder: &str, state: &State, served: Served) -> String {
    let page = json!({
        "name": visible(state.design.name.as_deref().unwrap_or(folder)),
        "is_alone": served == Served::Alone,
        "is_fork": state.design.is_fork,
        "state": state_json(state, Some(state.look)),
    });
    render("watch.html", page)
}

/// A page that says what is not there.
pub fn missing(what: &str) -> String {
    render("missing.html", json!({ "what": visible(what) }))
}

/// A page that says why there is no report; the live view shows what there is.
pub fn unmade(why: &str) -> String {
    render("unmade.html", json!({ "why": visible(why) }))
}

fn render(name: &str, mut page: Value) -> String {
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
