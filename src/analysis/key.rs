//! The key block: the columns with which every table begins. `session` and `seat` are the only join ever needed.

use crate::analysis::column::{ColumnSpec, Kind, put_count, put_text};
use crate::analysis::facts::SessionFacts;
use crate::analysis::why::{Setting, Why};

/// One column of the key block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Experiment,
    Arm,
    Level(usize),
    Replicate,
    Panel,
    Wave,
    Item,
    Session,
}

/// The declarations of the key block for these factors.
pub fn key_specs(factors: &[String]) -> Vec<ColumnSpec> {
    keys(factors.len()).map(|key| key.spec(factors)).collect()
}

/// A session's key block as CSV, without a comma at its end.
pub fn key_cells(facts: &SessionFacts) -> Vec<u8> {
    let mut out = Vec::with_capacity(96);
    for (place, key) in keys(facts.arm.levels.len()).enumerate() {
        if place > 0 {
            out.push(b',');
        }
        key.put(facts, &mut out);
    }
    out
}

fn keys(factors: usize) -> impl Iterator<Item = Key> {
    let levels = (0..factors).map(Key::Level);
    let rest = [Key::Replicate, Key::Panel, Key::Wave, Key::Item, Key::Session];
    [Key::Experiment, Key::Arm].into_iter().chain(levels).chain(rest)
}

impl Key {
    fn put(self, facts: &SessionFacts, out: &mut Vec<u8>) {
        match self {
            Key::Experiment => put_text(&facts.arm.experiment, out),
            Key::Arm => put_text(&facts.arm.arm, out),
            Key::Level(place) => put_text(&facts.arm.levels[place].1, out),
            Key::Replicate => put_count(Some(u64::from(facts.replicate)), out),
            Key::Panel => put_text(facts.panel.as_ref().map_or("", |(panel, _)| panel), out),
            Key::Wave => put_count(facts.panel.as_ref().map(|(_, wave)| u64::from(*wave)), out),
            Key::Item => put_text(facts.item.as_ref().map_or("", |item| &item.id), out),
            Key::Session => put_text(&facts.session, out),
        }
    }

    fn spec(self, factors: &[String]) -> ColumnSpec {
        let (name, kind, help) = match self {
            Key::Experiment => ("experiment".to_owned(), Kind::Text, "name of the experiment".to_owned()),
            Key::Arm => ("arm".to_owned(), Kind::Text, "name of the arm: its level labels joined by -".to_owned()),
            Key::Level(place) => {
                let factor = &factors[place];
                (format!("arm_{factor}"), Kind::Text, format!("level of the factor {factor} in this arm"))
            }
            Key::Replicate => (
                "replicate".to_owned(),
                Kind::Count,
                "replicate, from 1; with common random numbers the same replicate pairs the arms".to_owned(),
            ),
            Key::Panel => (
                "panel".to_owned(),
                Kind::Text,
                "panel: sessions in which the same agents meet again share it; empty in experiments without panels"
                    .to_owned(),
            ),
            Key::Wave => (
                "wave".to_owned(),
                Kind::Count,
                "the session's place in its panel, from 1; empty in experiments without panels".to_owned(),
            ),
            Key::Item => ("item".to_owned(), Kind::Text, "item; empty in experiments without items".to_owned()),
            Key::Session => {
                ("session".to_owned(), Kind::Text, "name of the session's folder; unique in the experiment".to_owned())
            }
        };
        ColumnSpec {
            name,
            kind,
            unit: String::new(),
            help,
            formula: String::new(),
            source: "plan".to_owned(),
            why: Why::plan(self.setting()),
        }
    }

    /// The setting it is.
    fn setting(self) -> Setting {
        match self {
            Key::Experiment => Setting::Experiment,
            Key::Arm => Setting::Arm,
            Key::Level(_) => Setting::Level,
            Key::Replicate => Setting::Replicate,
            Key::Panel => Setting::Panel,
            Key::Wave => Setting::Wave,
            Key::Item => Setting::Item,
            Key::Session => Setting::Session,
        }
    }
}
