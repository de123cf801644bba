//! The known word that a misspelt one is nearest to.

/// The nearest known word by edits and swaps, upper and lower case apart; `None` when none comes near: one edit, and one more
/// for every four characters, is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let near = known.into_iter().map(|known| (strsim::damerau_levenshtein(&word, &known.to_lowercase()), known)).min();
    near.filter(|(distance, known)| *distance <= 1 + known.chars().count() / 4).map(|(_, known)| known)
}
