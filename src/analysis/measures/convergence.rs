//! Convergence: the similarity of seats' statements in content and form.
//!
//! It compares words and forms, not meaning or agreement, and needs no model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation as _;

use super::bags::{Bag, similarity_pair};
use crate::domain::spelled;
use crate::text::PlacedWord;

/// How much each component weighs.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConvergenceProfile {
    /// Content .40, structure .15, sentences .20, length .15, punctuation .10.
    #[default]
    Balanced,
    /// Content .25, structure .35, sentences .20, length .10, punctuation .10.
    Structural,
    /// Content .60, structure .10, sentences .15, length .10, punctuation .05.
    Semantic,
    /// Content .50, structure .25, sentences .15, length .05, punctuation .05.
    Strict,
}

impl ConvergenceProfile {
    /// Weights of content, structure, sentences, length and punctuation, in hundredths; they sum to 100.
    pub fn weights(self) -> [u32; 5] {
        match self {
            ConvergenceProfile::Balanced => [40, 15, 20, 15, 10],
            ConvergenceProfile::Structural => [25, 35, 20, 10, 10],
            ConvergenceProfile::Semantic => [60, 10, 15, 10, 5],
            ConvergenceProfile::Strict => [50, 25, 15, 5, 5],
        }
    }
}

/// The features of one seat's statements.
#[derive(Debug, Clone, Default)]
pub struct SeatSpeech {
    words: Vec<u32>,
    sentences: u64,
    /// Paragraphs, list items, questions.
    forms: [u64; 3],
    /// Counts of characters outside words.
    marks: BTreeMap<char, u64>,
}

impl SeatSpeech {
    /// Adds a statement with its words.
    pub fn add_statement(&mut self, text: &str, words: &[PlacedWord]) {
        self.words.extend(words.iter().map(|word| word.number));
        for sentence in text.unicode_sentences() {
            self.sentences += 1;
            let end = sentence.trim_end_matches(|c: char| c.is_whitespace() || "\"'”’»)]".contains(c));
            self.forms[2] += u64::from(end.ends_with(['?', '？', '؟']));
        }
        let mut is_blank = true;
        for line in text.lines().map(str::trim) {
            self.forms[0] += u64::from(is_blank && !line.is_empty());
            self.forms[1] += u64::from(is_item(line));
            is_blank = line.is_empty();
        }
        let mut end = 0;
        for word in words {
            self.count_marks(&text[end..word.place.start]);
            end = word.place.end;
        }
        self.count_marks(&text[end..]);
    }

    /// The bag of its words.
    pub fn to_bag(&self) -> Bag {
        Bag::from_words(self.words.clone())
    }

    /// Counts the marks between two words.
    fn count_marks(&mut self, between: &str) {
        for mark in between.chars().filter(|mark| !mark.is_whitespace()) {
            *self.marks.entry(mark).or_default() += 1;
        }
    }
}

/// Whether a line is a list item: it starts with -, *, • or a number with . or ), followed by a blank.
fn is_item(line: &str) -> bool {
    let (begins, rest) = match line.strip_prefix(['-', '*', '•']) {
        Some(rest) => (true, rest),
        None => {
            let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let rest = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < line.len());
            (rest.is_some(), rest.unwrap_or_default())
        }
    };
    begins && rest.starts_with(char::is_whitespace)
}

/// The mean of each component over pairs of seats that said a word, from 0 (nothing in common) to 1 (equal).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Components {
    /// The cosine of the word counts.
    pub content: f64,
    /// The mean ratio of paragraphs, list items and questions.
    pub structure: f64,
    /// The ratio of words per sentence.
    pub sentences: f64,
    /// The ratio of word counts.
    pub length: f64,
    /// The overlap of the distributions of marks outside words: Σ min(p, q).
    pub punctuation: f64,
}

impl Components {
    /// The sum weighted by a profile, in millionths, from 0 to 1 000 000.
    pub fn weighted_millionths(&self, profile: ConvergenceProfile) -> u32 {
        let parts = [self.content, self.structure, self.sentences, self.length, self.punctuation];
        let weighted =
            profile.weights().iter().zip(parts).fold(0.0, |sum, (weight, part)| sum + f64::from(*weight) * part);
        libm::round(weighted * 10_000.0).clamp(0.0, 1e6) as u32
    }
}

/// Measures the similarity of seats' statements. A ratio is the smaller number over the greater, and 1 if both are 0.
///
/// The time depends on sorting seats and words, not on the number of pairs. `None` for fewer than two seats with a word.
///
/// ```
/// use ekklesia::analysis::measures::{ConvergenceProfile, SeatSpeech, measure_convergence};
/// let mut vocabulary = ekklesia::text::Vocabulary::default();
/// let said = ["I favour the dam.", "I favour the dam."].map(|text| {
///     let mut said = SeatSpeech::default();
///     said.add_statement(text, &vocabulary.place_words(text));
///     said
/// });
/// assert_eq!(measure_convergence(&said).unwrap().weighted_millionths(ConvergenceProfile::Balanced), 1_000_000);
/// ```
pub fn measure_convergence(said: &[SeatSpeech]) -> Option<Components> {
    let said: Vec<&SeatSpeech> = said.iter().filter(|seat| !seat.words.is_empty()).collect();
    let bags: Vec<Bag> = said.iter().map(|seat| seat.to_bag()).collect();
    let ratio = |number: &dyn Fn(&SeatSpeech) -> f64| mean_pair_ratio(said.iter().map(|seat| number(seat)).collect());
    let [paragraphs, items, questions] = [0, 1, 2].map(|form| ratio(&|seat| seat.forms[form] as f64));
    Some(Components {
        content: similarity_pair(&bags)?,
        structure: (paragraphs + items + questions) / 3.0,
        sentences: ratio(&|seat| seat.words.len() as f64 / seat.sentences.max(1) as f64),
        length: ratio(&|seat| seat.words.len() as f64),
        punctuation: marks_in_common(&said),
    })
}

/// The mean over pairs of the smaller number over the greater; 1 for two zeros.
fn mean_pair_ratio(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let (mut smaller, mut zeros, mut sum) = (0.0, 0.0, 0.0);
    for number in &numbers {
        if *number > 0.0 {
            sum += smaller / number;
            smaller += number;
        } else {
            sum += zeros;
            zeros += 1.0;
        }
    }
    let n = numbers.len() as f64;
    2.0 * sum / (n * (n - 1.0))
}

/// The mean over pairs of Σ min(p, q) over marks; 1 for two seats without marks, 0 if only one has marks.
fn marks_in_common(said: &[&SeatSpeech]) -> f64 {
    let mut shares: BTreeMap<char, Vec<f64>> = BTreeMap::new();
    let mut without: f64 = 0.0;
    for seat in said {
        let all: u64 = seat.marks.values().sum();
        if all == 0 {
            without += 1.0;
        }
        for (mark, count) in &seat.marks {
            shares.entry(*mark).or_default().push(*count as f64 / all as f64);
        }
    }
    let mut sum = without * (without - 1.0) / 2.0;
    for mut of_mark in shares.into_values() {
        of_mark.sort_by(f64::total_cmp);
        let n = of_mark.len();
        // In ascending order, each share is the minimum in as many pairs as shares follow it.
        sum += of_mark.iter().enumerate().fold(0.0, |sum, (place, share)| sum + share * (n - 1 - place) as f64);
    }
    let n = said.len() as f64;
    2.0 * sum / (n * (n - 1.0))
}

spelled!(ConvergenceProfile);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Vocabulary;
    use proptest::prelude::*;

    const PROFILES: [ConvergenceProfile; 4] = [
        ConvergenceProfile::Balanced,
        ConvergenceProfile::Structural,
        ConvergenceProfile::Semantic,
        ConvergenceProfile::Strict,
    ];

    fn said(texts: &[&str]) -> Vec<SeatSpeech> {
        let mut vocabulary = Vocabulary::default();
        let one = |text: &&str| {
            let mut said = SeatSpeech::default();
            said.add_statement(text, &vocabulary.place_words(text));
            said
        };
        texts.iter().map(one).collect()
    }

    #[test]
    fn weights_sum_to_one_in_every_profile() {
        for profile in PROFILES {
            assert_eq!(profile.weights().iter().sum::<u32>(), 100, "{profile:?}");
        }
    }

    #[test]
    fn components_of_two_statements_are_those_computed_by_hand() {
        let found = measure_convergence(&said(&["Yes? We build.\n\n- one\n- two", "We build! Build!"])).unwrap();
        // Words yes we build one two against we build build: (1 + 2) / (√5 √5).
        assert!((found.content - 3.0 / 5.0).abs() < 1e-12, "{found:?}");
        // Two paragraphs against one, two items against none, one question against none.
        assert!((found.structure - 0.5 / 3.0).abs() < 1e-12, "{found:?}");
        assert!((found.length - 3.0 / 5.0).abs() < 1e-12, "{found:?}");
        // ? . - - against ! !: nothing in common.
        assert_eq!(found.punctuation, 0.0);
        assert_eq!(measure_convergence(&said(&["one", "", "…"])), None);
    }

    #[test]
    fn chinese_is_read_word_by_word_and_a_full_width_question_is_one() {
        let found = measure_convergence(&said(&["我们建坝？", "我们建坝？"])).unwrap();
        assert_eq!(PROFILES.map(|profile| found.weighted_millionths(profile)), [1_000_000; 4]);
        assert_eq!(said(&["我们建坝？"])[0].forms[2], 1);
    }

    proptest! {
        /// Against the mean over all pairs, each worked out alone.
        #[test]
        fn of_many_it_is_the_mean_over_pairs_and_knows_no_order(texts in prop::collection::vec("[ab?.!\n -]{1,20}", 2..6)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).filter(|text| text.contains(['a', 'b'])).collect();
            let mut pairs = Vec::new();
            for (place, one) in texts.iter().enumerate() {
                pairs.extend(texts[place + 1..].iter().map(|other| measure_convergence(&said(&[one, other])).unwrap()));
            }
            let Some(found) = measure_convergence(&said(&texts)) else { return Ok(()) };
            let mirrored: Vec<&str> = texts.iter().rev().copied().collect();
            let other = measure_convergence(&said(&mirrored)).unwrap();
            let parts: [fn(&Components) -> f64; 5] =
                [|c| c.content, |c| c.structure, |c| c.sentences, |c| c.length, |c| c.punctuation];
            for part in parts {
                let expected = pairs.iter().map(part).sum::<f64>() / pairs.len() as f64;
                prop_assert!((part(&found) - expected).abs() < 1e-9, "{found:?} {pairs:?}");
                prop_assert!((-1e-12..=1.0 + 1e-12).contains(&part(&found)));
                prop_assert!((part(&found) - part(&other)).abs() < 1e-12);
            }
        }
    }
}
