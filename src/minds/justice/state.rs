//! The state that a `justice` mind keeps between questions, as integers.

use crate::domain::{AlternativeId, Choice, MindState};

/// How many numbers precede the values.
const HEAD: usize = 4;

/// The unit in which values are stored.
const VALUE_UNIT: f64 = 1e-9;

/// Traits, standing choice, values and amounts.
///
/// In order: precision and persuasion in millionths; the standing choice as a position, −1 for none, and its amount, 0 for none;
/// for each alternative its rescaled value in units of 10⁻⁹; for each alternative its best amount, 0 for none.
#[derive(Debug, Clone)]
pub(in crate::minds) struct JusticeState {
    numbers: Vec<i64>,
    alternatives: usize,
}

impl JusticeState {
    /// Parses a state; `None` before the first question.
    pub fn from_state(state: &MindState, alternatives: usize) -> Option<Self> {
        (state.0.len() == HEAD + 2 * alternatives).then(|| Self { numbers: state.0.clone(), alternatives })
    }

    /// The state before the first question.
    pub fn new((precision, persuasion): (i64, i64), values: &[f64], amounts: &[Option<u32>]) -> Self {
        let mut numbers = vec![precision, persuasion, -1, 0];
        numbers.extend(values.iter().map(|value| (value / VALUE_UNIT).round() as i64));
        numbers.extend(amounts.iter().map(|amount| i64::from(amount.unwrap_or(0))));
        Self { numbers, alternatives: values.len() }
    }

    pub fn precision(&self) -> f64 {
        self.numbers[0] as f64 * 1e-6
    }

    /// The greatest weight of heard stances, 0 … 1.
    pub fn persuasion(&self) -> f64 {
        self.numbers[1] as f64 * 1e-6
    }

    /// The last choice that the seat declared of its own accord.
    pub fn standing_choice(&self) -> Option<Choice> {
        let alternative = AlternativeId(u32::try_from(self.numbers[2]).ok()?);
        Some(Choice { alternative, amount: u32::try_from(self.numbers[3]).ok().filter(|amount| *amount > 0) })
    }

    pub fn set_standing_choice(&mut self, choice: Choice) {
        self.numbers[2] = i64::from(choice.alternative.0);
        self.numbers[3] = i64::from(choice.amount.unwrap_or(0));
    }

    /// The seat's own value of an alternative, in units of 10⁻⁹.
    pub fn value_units(&self, alternative: AlternativeId) -> i64 {
        self.numbers[HEAD + alternative.index()]
    }

    /// The seat's own value of an alternative, 0 … 1.
    pub fn value(&self, alternative: AlternativeId) -> f64 {
        self.value_units(alternative) as f64 * VALUE_UNIT
    }

    /// The amount that the seat finds best with an alternative; `None` if it takes none.
    pub fn best_amount(&self, alternative: AlternativeId) -> Option<u32> {
        let amount = self.numbers[HEAD + self.alternatives + alternative.index()];
        u32::try_from(amount).ok().filter(|amount| *amount > 0)
    }

    pub fn into_state(self) -> MindState {
        MindState(self.numbers)
    }
}
