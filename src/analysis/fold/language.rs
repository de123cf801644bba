//! Folds words: lexical variety, repeated phrases and convergence.

use crate::analysis::fold::state::{LanguageState, SessionFold};
use crate::domain::Record;

impl SessionFold {
    /// Records the first round whose convergence reaches the plan's threshold.
    pub(super) fn fold_convergence(&mut self, record: &Record, convergence: Option<u32>) {
        let threshold = self.facts.arm.convergence.asked.map(|(threshold, _)| threshold);
        if self.converged_round.is_none() && convergence.zip(threshold).is_some_and(|(found, least)| found >= least) {
            self.converged_round = Some(record.at.round);
        }
    }

    /// Adds the words of a statement and returns their number.
    pub(super) fn read_words(&mut self, seat: usize, text: &str) -> u64 {
        let LanguageState { vocabulary, phrases, varied } = &mut self.language;
        let words = vocabulary.place_words(text);
        words.iter().for_each(|word| varied[seat].add_word(word.number));
        let numbers: Vec<u32> = words.iter().map(|word| word.number).collect();
        let phrases = phrases.count_phrases(&numbers);
        if let Some(part) = &mut self.part {
            part.spoken.add_statement(seat, text, &words, phrases);
        }
        words.len() as u64
    }
}
