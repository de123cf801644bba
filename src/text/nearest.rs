//! Finds the known word nearest to a misspelt one.

/// The nearest known word by edits and transpositions, ignoring case. `None` if every word is more than one edit, plus one for
/// every four characters, away.
pub fn nearest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, known) = known.into_iter().map(|known| (count_edits(word, known), known)).min()?;
    let length = known.chars().count();
    // At least half of a short word must agree: `age` is not `name`.
    (distance <= 1 + length / 4 && 2 * distance <= length.min(word.chars().count())).then_some(known)
}

/// A number of known words in the order of their distance from a word, the nearest first.
pub fn nearest_words<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, number: usize) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = known.into_iter().map(|known| (count_edits(word, known), known)).collect();
    near.sort_unstable();
    near.into_iter().map(|(_, known)| known).take(number).collect()
}

/// The edits and transpositions from one word to another, ignoring case.
fn count_edits(word: &str, known: &str) -> usize {
    strsim::damerau_levenshtein(&word.to_lowercase(), &known.to_lowercase())
}
