//! The known word that a misspelt one is nearest to.

/// The known word that is surely meant, by edits and swaps, upper and lower case apart; `None` when none comes near: one edit,
/// and one more for every four characters, is near. Words that share nothing are not near, however short they are.
pub fn nearest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&word, &known.to_lowercase());
    let (distance, known) = known.into_iter().map(|known| (distance(known), known)).min()?;
    let length = known.chars().count();
    // Of short words more than half must be the same: `age` is not `name`.
    (distance <= 1 + length / 4 && 2 * distance <= length.min(word.chars().count())).then_some(known)
}
