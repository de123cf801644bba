//! Finds the known word nearest to a misspelt one.

/// The nearest known word by edits and transpositions, ignoring case. `None` if every word is more than one edit, plus one for
/// every four characters, away.
pub fn nearest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&word, &known.to_lowercase());
    let (distance, known) = known.into_iter().map(|known| (distance(known), known)).min()?;
    let length = known.chars().count();
    // At least half of a short word must agree: `age` is not `name`.
    (distance <= 1 + length / 4 && 2 * distance <= length.min(word.chars().count())).then_some(known)
}
