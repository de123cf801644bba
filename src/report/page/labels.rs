//! The words and colours of arms and options: what figures, tables and headings call them.

use indexmap::IndexMap;

use crate::figure::{Colour, PALETTE_SIZE};
use crate::plan::Experiment;
use crate::report::arm_label;
use crate::report::told::{fit_into_sentences, shorten_labels};

/// The words and colours of an experiment's arms and options.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    arms: IndexMap<String, String>,
    options: IndexMap<String, String>,
}

/// The name of the cells and lines of groups and seats that hold nothing.
pub const NO_DECISION: &str = "no decision";

impl Labels {
    /// The labels of an experiment; an unreadable one has none, and names stand for themselves.
    pub fn new(experiment: Option<&Experiment>) -> Self {
        let Some(experiment) = experiment else { return Self::default() };
        let arms = experiment.arms.iter().map(|plan| (plan.arm.clone(), arm_label(plan)));
        let mut options: IndexMap<String, String> = IndexMap::new();
        for alternative in experiment.arms.iter().flat_map(|plan| &plan.motion.alternatives) {
            options.entry(alternative.name.to_string()).or_insert_with(|| alternative.label.clone());
        }
        // The options of items share names and nothing else, so that a label of one would be wrong for another.
        let have_own_options = experiment.items.values().any(|item| !item.options.is_empty());
        let short = shorten_labels(options.values().map(String::as_str));
        for ((name, label), short) in options.iter_mut().zip(short) {
            *label = if have_own_options { name.clone() } else { short };
        }
        Self { arms: arms.collect(), options }
    }

    /// An arm in words.
    pub fn arm<'l>(&'l self, name: &'l str) -> &'l str {
        self.arms.get(name).map_or(name, String::as_str)
    }

    /// An option in words.
    pub fn option(&self, name: &str) -> String {
        self.options.get(name).cloned().unwrap_or_else(|| name.replace('_', " "))
    }

    /// An option as a sentence calls it: in words, or by its name if a label is too long for a sentence.
    pub fn option_in_text(&self, name: &str) -> String {
        let are_short = fit_into_sentences(self.options.values().map(String::as_str));
        if are_short { self.option(name) } else { name.to_owned() }
    }

    /// An option's letter, for cells with little room.
    pub fn letter(&self, name: &str) -> String {
        let letter =
            self.options.get_index_of(name).and_then(|place| u8::try_from(place).ok()).filter(|place| *place < 26);
        letter.map_or_else(|| name.chars().take(2).collect(), |place| char::from(b'A' + place).to_string())
    }

    /// The names of all options, in the scenario's order.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        self.options.keys().map(String::as_str)
    }

    /// The colour of an arm.
    pub fn arm_colour(&self, name: &str) -> Colour {
        Colour::Arm(self.arms.get_index_of(name).unwrap_or(0))
    }

    /// The style class of an option's cells and chips.
    pub fn option_class(&self, name: &str) -> String {
        match self.option_colour(name) {
            Colour::Choice(place) => format!("choice{}", place % PALETTE_SIZE),
            Colour::Arm(_) | Colour::Nothing => "plain".to_owned(),
        }
    }

    /// The colour of an option. Holding no option has the colour of nothing.
    pub fn option_colour(&self, name: &str) -> Colour {
        self.options.get_index_of(name).map_or(Colour::Nothing, Colour::Choice)
    }
}
