//! What a session's plan adds to the wording of its records.

use std::collections::{BTreeMap, BTreeSet};

use crate::choice::ranked::DefeatStrength;
use crate::domain::{AlternativeName, NamedChoice, OpenBallots, PhaseName, SeatName};
use crate::plan::Plan;
use crate::report::numbers::grouped;

/// If a label is longer, sentences use the names of all options instead.
const LABEL_CHARS_MAX: usize = 40;

/// The seats of a session, the labels of its options, and its measure of defeat strength; empty if the plan cannot be read.
#[derive(Debug, Clone, Default)]
pub struct PlanWords {
    seats: Vec<SeatName>,
    labels: BTreeMap<AlternativeName, String>,
    /// When seats hear each other's ballots, by the phases in which they do.
    ballots: BTreeMap<PhaseName, OpenBallots>,
    pub(super) strength: Option<DefeatStrength>,
}

impl PlanWords {
    /// From the seats, names and labels, when seats hear each other's ballots in each phase, and the measure of defeat strength.
    pub fn new<'o>(
        seats: impl Iterator<Item = SeatName>,
        options: impl Iterator<Item = (&'o AlternativeName, &'o String)> + Clone,
        ballots: impl Iterator<Item = (PhaseName, OpenBallots)>,
        strength: DefeatStrength,
    ) -> Self {
        let short = shorten_labels(options.clone().map(|(_, label)| label.as_str()));
        let are_short = fit_into_sentences(short.iter().map(String::as_str));
        let labels = options.map(|(name, _)| name.clone()).zip(short).filter(|_| are_short);
        Self { seats: seats.collect(), labels: labels.collect(), ballots: ballots.collect(), strength: Some(strength) }
    }

    /// Whether these are all seats of the session.
    pub(super) fn are_all_seats(&self, names: &[String]) -> bool {
        if self.seats.is_empty() || names.len() < self.seats.len() {
            return false;
        }
        let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        self.seats.iter().all(|seat| names.contains(seat.as_str()))
    }

    /// When seats hear each other's ballots in a phase.
    pub(super) fn open_ballots(&self, phase: &PhaseName) -> OpenBallots {
        self.ballots.get(phase).copied().unwrap_or(OpenBallots::Never)
    }

    /// From the plan of a session.
    pub fn of_plan(plan: &Plan) -> Self {
        let options = plan.motion.alternatives.iter().map(|option| (&option.name, &option.label));
        let agenda = plan.agenda.iter().enumerate().filter(|(_, phase)| phase.kind.holds_votes());
        let ballots = agenda.map(|(place, phase)| (phase.name.clone(), plan.vote_terms(place).heard_ballots()));
        let seats = plan.seats.iter().map(|seat| seat.name.clone());
        Self::new(seats, options, ballots, plan.voting.strength)
    }

    /// An option by its short label, or by its name if a label of the session is long or unknown.
    pub fn word_option(&self, name: &AlternativeName) -> String {
        self.labels.get(name).cloned().unwrap_or_else(|| name.to_string())
    }

    /// An option with its amount, if it has one.
    pub fn word_choice(&self, name: &AlternativeName, amount: Option<u32>) -> String {
        let amount = amount.map_or(String::new(), |amount| format!(" {}", grouped(u64::from(amount))));
        self.word_option(name) + &amount
    }

    /// An option with its amount, if it has one.
    pub fn word_named_choice(&self, choice: &NamedChoice) -> String {
        self.word_choice(&choice.alternative, choice.amount)
    }
}

/// Whether all labels are short enough to stand in a sentence.
pub(in crate::report) fn fit_into_sentences<'l>(mut labels: impl Iterator<Item = &'l str>) -> bool {
    labels.all(|label| label.chars().count() <= LABEL_CHARS_MAX)
}

/// Cuts labels at their first colon or semicolon. A label stays whole if its short form is also that of another label.
pub(in crate::report) fn shorten_labels<'l>(labels: impl Iterator<Item = &'l str>) -> Vec<String> {
    let labels: Vec<&str> = labels.collect();
    let short: Vec<&str> = labels.iter().map(|label| label.split([';', ':']).next().unwrap_or(label).trim()).collect();
    let is_unique = |place: usize| short.iter().filter(|other| **other == short[place]).count() == 1;
    let chosen = labels.iter().enumerate().map(|(place, label)| if is_unique(place) { short[place] } else { label });
    chosen.map(str::to_owned).collect()
}
