//! Cells about words: how varied and how alike they are, computed from their text, pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use ekklesia::analysis::measures::{PHRASE, SeatSpeech, WINDOW, measure_convergence};
use ekklesia::domain::{Event, Record, Reply, RoundClosed};
use ekklesia::text::{Vocabulary, split_terms};

use super::{Cell, is_by, real, share, show};

/// How often each word was said.
type Counts = BTreeMap<String, usize>;

fn list_words(record: &Record) -> Vec<String> {
    match record.reply() {
        Some(Reply::Statement { text, .. }) => split_terms(&text).map(|term| term.word.into_owned()).collect(),
        _ => Vec::new(),
    }
}

/// The words of each seat that said any.
fn words_by_speaker(cell: &Cell<'_>) -> Vec<Counts> {
    let of = |name| {
        let mut counts = Counts::new();
        let words = cell.records.iter().filter(|record| is_by(record, name)).flat_map(|record| list_words(record));
        words.for_each(|word| *counts.entry(word).or_default() += 1);
        counts
    };
    cell.seat_names().into_iter().map(of).filter(|counts| !counts.is_empty()).collect()
}

pub fn count_speakers(cell: &Cell<'_>) -> Option<String> {
    show(words_by_speaker(cell).len())
}

/// The mean of a measure over pairs of speakers.
fn mean_over_pairs<T>(speakers: &[T], measure: impl Fn(&T, &T) -> Option<f64>) -> Option<String> {
    let others = |place: usize| speakers[place + 1..].iter();
    let pairs = speakers.iter().enumerate().flat_map(|(place, one)| others(place).map(move |other| (one, other)));
    let values: Vec<f64> = pairs.filter_map(|(one, other)| measure(one, other)).collect();
    if values.is_empty() { None } else { real(values.iter().sum::<f64>() / values.len() as f64) }
}

pub fn mean_similarity(cell: &Cell<'_>) -> Option<String> {
    let length = |counts: &Counts| libm::sqrt(counts.values().map(|count| (count * count) as f64).sum());
    mean_over_pairs(&words_by_speaker(cell), |one, other| {
        let product: usize = one.iter().filter_map(|(word, count)| Some(count * other.get(word)?)).sum();
        Some(product as f64 / (length(one) * length(other)))
    })
}

pub fn mean_jaccard(cell: &Cell<'_>) -> Option<String> {
    mean_over_pairs(&words_by_speaker(cell), |one, other| {
        let common = one.keys().filter(|word| other.contains_key(*word)).count();
        Some(common as f64 / (one.len() + other.len() - common) as f64)
    })
}

/// Jensen and Shannon's divergence between the speakers' distributions over words, over its maximum.
pub fn speaker_divergence(cell: &Cell<'_>) -> Option<String> {
    let speakers = words_by_speaker(cell);
    let n = speakers.len() as f64;
    if speakers.len() < 2 {
        return None;
    }
    let entropy = |shares: &BTreeMap<&str, f64>| shares.values().map(|share| -share * libm::log(*share)).sum::<f64>();
    let (mut mean, mut own): (BTreeMap<&str, f64>, f64) = (BTreeMap::new(), 0.0);
    for counts in &speakers {
        let all = counts.values().sum::<usize>() as f64;
        let shares = counts.iter().map(|(word, count)| (word.as_str(), *count as f64 / all)).collect();
        own += entropy(&shares) / n;
        shares.iter().for_each(|(word, share)| *mean.entry(word).or_default() += share / n);
    }
    real(((entropy(&mean) - own) / libm::log(n)).clamp(0.0, 1.0))
}

/// The mean share of different words over all windows of words.
pub fn mattr(cell: &Cell<'_>) -> Option<String> {
    let words: Vec<String> = cell.records.iter().flat_map(|record| list_words(record)).collect();
    let windows: Vec<usize> =
        words.windows(WINDOW).map(|window| window.iter().collect::<BTreeSet<_>>().len()).collect();
    share(windows.iter().sum(), windows.len() * WINDOW)
}

/// Counts the phrases of the row's round: all, and those that had been said before.
pub fn count_phrases(cell: &Cell<'_>) -> (usize, usize) {
    let (mut said, mut n, mut repeated) = (BTreeSet::new(), 0, 0);
    for record in &cell.records {
        for phrase in list_words(record).windows(PHRASE) {
            let is_new = said.insert(phrase.to_vec());
            n += usize::from(cell.is_here(record));
            repeated += usize::from(cell.is_here(record) && !is_new);
        }
    }
    (n, repeated)
}

pub fn repetition_rate(cell: &Cell<'_>) -> Option<String> {
    let (n, repeated) = count_phrases(cell);
    share(repeated, n)
}

/// How alike pairs of speakers are, each component by its weight.
pub fn mean_convergence(cell: &Cell<'_>) -> Option<String> {
    let mut vocabulary = Vocabulary::default();
    let mut of = |name| {
        let mut said = SeatSpeech::default();
        for record in cell.records.iter().filter(|record| is_by(record, name)) {
            if let Some(Reply::Statement { text, .. }) = record.reply() {
                said.add_statement(&text, &vocabulary.place_words(&text));
            }
        }
        said
    };
    let speakers: Vec<SeatSpeech> = cell.seat_names().into_iter().map(&mut of).collect();
    let weights = cell.arm().convergence.profile.weights();
    mean_over_pairs(&speakers, |one, other| {
        let found = measure_convergence(&[one.clone(), other.clone()])?;
        let parts = [found.content, found.structure, found.sentences, found.length, found.punctuation];
        Some(weights.iter().zip(parts).map(|(weight, part)| f64::from(*weight) * part / 100.0).sum())
    })
}

/// The first round whose convergence reaches the threshold.
pub fn find_converged_round(cell: &Cell<'_>) -> Option<String> {
    let (threshold, _) = cell.arm().convergence.asked?;
    let is_reached = |event: &Event| matches!(event, Event::RoundClosed(RoundClosed { convergence: Some(millionths), .. }) if *millionths >= threshold);
    show(cell.records.iter().find(|record| is_reached(&record.event))?.at.round)
}
