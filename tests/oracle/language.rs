//! Cells about words: how varied and how alike they are. Words are read anew here, as text and pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use ekklesia::domain::{Event, Record};
use ekklesia::metrics::measures::{PHRASE, Said, WINDOW, convergence};
use super::talk::or_none;
use super::{Picked, Worked, absent, real, worked};
use ekklesia::text::{Vocabulary, terms};

/// A cell about words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Seats that said a word.
    Speakers,
    /// How varied the words are.
    Mattr,
    /// The mean cosine over pairs of speakers.
    Similarity,
    /// The mean of Jaccard's coefficient over them.
    Jaccard,
    /// How far their distributions over words are apart.
    Divergence,
    /// Phrases of four words.
    Phrases,
    /// The share of them that had been said before.
    Repetition,
    /// How alike pairs of speakers are in words and form.
    Convergence,
    /// The first round in which that reaches the threshold.
    ConvergedRound,
}

/// The words of a statement.
fn words(record: &Record) -> Vec<String> {
    match &record.event {
        Event::Spoke { text, .. } => terms(text).map(|term| term.word.into_owned()).collect(),
        _ => Vec::new(),
    }
}

/// How often each speaker said each word, in the order of seats; seats without a word are not among them.
fn speakers<'p>(picked: &'p Picked<'_>) -> Vec<(&'p str, BTreeMap<String, f64>)> {
    let of = |name: &'p str| {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        let own = picked.records.iter().filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == name));
        own.flat_map(|record| words(record)).for_each(|word| *counts.entry(word).or_default() += 1.0);
        (name, counts)
    };
    picked.seat_names().into_iter().map(of).filter(|(_, counts)| !counts.is_empty()).collect()
}

impl Language {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Language::Mattr => mattr(picked),
            Language::Phrases | Language::Repetition => self.phrases(picked),
            Language::Convergence => converged(picked),
            Language::ConvergedRound => converged_round(picked),
            Language::Speakers | Language::Similarity | Language::Jaccard | Language::Divergence => self.alike(picked),
        }
    }

    fn alike(self, picked: &Picked<'_>) -> Worked {
        let speakers = speakers(picked);
        let listed: Vec<String> = speakers
            .iter()
            .map(|(name, counts)| format!("{name} {} words, {} different", counts.values().sum::<f64>(), counts.len()))
            .collect();
        let n = speakers.len();
        if self == Language::Speakers {
            return worked(n);
        }
        if n < 2 {
            return Err("fewer than two seats said a word, so there is no pair".to_owned());
        }
        if self == Language::Divergence {
            return divergence(&speakers);
        }
        let mut all = Vec::new();
        for (place, (name, a)) in speakers.iter().enumerate() {
            for (other, b) in &speakers[place + 1..] {
                let value = if self == Language::Similarity { cosine(a, b) } else { jaccard(a, b) };
                all.push(value);
            }
        }
        real(Some(all.iter().sum::<f64>() / all.len() as f64), "")
    }

    fn phrases(self, picked: &Picked<'_>) -> Worked {
        let scope = picked.case.scope;
        let is_here =
            |record: &Record| scope.phase() == Some(record.at.phase.as_str()) && scope.round() == Some(record.at.round);
        let mut said: BTreeSet<Vec<String>> = BTreeSet::new();
        let (mut n, mut repeated) = (0, 0);
        for record in &picked.records {
            for phrase in words(record).windows(PHRASE) {
                let is_new = said.insert(phrase.to_vec());
                n += usize::from(is_here(record));
                repeated += usize::from(is_here(record) && !is_new);
            }
        }
        match self {
            Language::Phrases => worked(n),
            _ if n == 0 => absent("no statement here has four words"),
            _ => real(Some(repeated as f64 / n as f64),
                "",
            ),
        }
    }
}

fn cosine(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> f64 {
    let length = |counts: &BTreeMap<String, f64>| libm::sqrt(counts.values().map(|count| count * count).sum());
    let dot: f64 = a.iter().filter_map(|(word, count)| Some(count * b.get(word)?)).sum();
    dot / (length(a) * length(b))
}

fn jaccard(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> f64 {
    let common = a.keys().filter(|word| b.contains_key(*word)).count();
    common as f64 / (a.len() + b.len() - common) as f64
}

fn divergence(speakers: &[(&str, BTreeMap<String, f64>)]) -> Worked {
    let n = speakers.len() as f64;
    let entropy = |shares: &BTreeMap<&str, f64>| shares.values().map(|share| -share * libm::log(*share)).sum::<f64>();
    let (mut mean, mut own): (BTreeMap<&str, f64>, f64) = (BTreeMap::new(), 0.0);
    for (_, counts) in speakers {
        let all: f64 = counts.values().sum();
        let shares: BTreeMap<&str, f64> = counts.iter().map(|(word, count)| (word.as_str(), count / all)).collect();
        own += entropy(&shares) / n;
        shares.iter().for_each(|(word, share)| *mean.entry(word).or_default() += share / n);
    }
    let value = ((entropy(&mean) - own) / libm::log(n)).clamp(0.0, 1.0);
    real(Some(value), "")
}

/// The words of all records in a row, window by window.
fn mattr(picked: &Picked<'_>) -> Worked {
    let all: Vec<String> = picked.records.iter().flat_map(|record| words(record)).collect();
    let different = |window: &[String]| window.iter().collect::<BTreeSet<&String>>().len();
    let windows: Vec<usize> = all.windows(WINDOW).map(different).collect();
    if windows.is_empty() {
        return Err("there are fewer than 50 words".to_owned());
    }
    let sum: usize = windows.iter().sum();
    real(Some(sum as f64 / (windows.len() * WINDOW) as f64), "")
}

/// The first round whose convergence, as minuted, reaches the threshold.
fn converged_round(picked: &Picked<'_>) -> Worked {
    let Some((threshold, _)) = picked.arm().convergence.asked else {
        return absent("discussion.convergence is not set");
    };
    for record in &picked.records {
        if let Event::RoundClosed { convergence: Some(millionths), .. } = record.event {
            if millionths >= threshold {
                return worked(record.at.round);
            }
        }
    }
    Err("no round reached the threshold".to_owned())
}

/// Pair by pair, each component by its weight.
fn converged(picked: &Picked<'_>) -> Worked {
    let mut vocabulary = Vocabulary::default();
    let mut of = |name: &str| {
        let mut said = Said::default();
        for record in &picked.records {
            if let Event::Spoke { text, .. } = &record.event
                && record.seat.as_ref().is_some_and(|seat| seat.as_str() == name)
            {
                said.take(text, &vocabulary.placed(text));
            }
        }
        said
    };
    let seats: Vec<(&str, Said)> = picked.seat_names().into_iter().map(|name| (name, of(name))).collect();
    let profile = picked.arm().convergence.profile;
    let weights = profile.weights();
    let (mut steps, mut sum, mut n) =
        (vec![format!("weights of {}: {weights:?} hundredths", profile.as_str())], 0.0, 0);
    for (place, (name, one)) in seats.iter().enumerate() {
        for (other, another) in &seats[place + 1..] {
            let Some(found) = convergence(&[one.clone(), another.clone()]) else { continue };
            let parts = [found.content, found.structure, found.sentences, found.length, found.punctuation];
            let value = weights.iter().zip(parts).map(|(weight, part)| f64::from(*weight) * part / 100.0).sum::<f64>();
            let [content, structure, sentences, length, punctuation] = parts;
            (sum, n) = (sum + value, n + 1);
        }
    }
    if n == 0 {
        return absent("fewer than two seats said a word, so there is no pair");
    }
    real(Some(sum / f64::from(n)), "")
}
