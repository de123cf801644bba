//! An arm in words.

use crate::plan::{NULL_FACTOR, NullWord, Plan};

/// The level of each factor of an arm, and what its null lacks; empty for an arm without levels.
pub fn levels_in_words(levels: &[(String, String)]) -> String {
    let words = levels.iter().filter_map(|(factor, label)| match factor.as_str() {
        NULL_FACTOR if label.is_empty() => None,
        NULL_FACTOR => {
            let lacks = NullWord::from_word(label).map_or_else(|| label.clone(), |null| null.description().to_owned());
            Some(format!("null: {lacks}"))
        }
        _ => Some(format!("{factor} = {label}")),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The same of an arm's plan.
pub fn plan_in_words(plan: &Plan) -> String {
    let levels = plan.levels.iter().map(|level| (level.factor.clone(), level.label.clone()));
    levels_in_words(&levels.collect::<Vec<_>>())
}

/// An arm as figures and headings call it: its levels as `factor: level`, or its name without the punctuation of names.
pub fn arm_label(plan: &Plan) -> String {
    let words = plan.levels.iter().filter(|level| level.factor != NULL_FACTOR || !level.label.is_empty());
    let words: Vec<String> = words
        .map(|level| match NullWord::from_word(&level.label).filter(|_| level.factor == NULL_FACTOR) {
            Some(null) => format!("null: {}", null.description()),
            None => format!("{}: {}", level.factor.replace('_', " "), level.label.replace('_', " ")),
        })
        .collect();
    if words.is_empty() { plan.arm.replace('_', " ") } else { words.join(", ") }
}

/// The levels in words, unless the arm's name says as much: it does where there is one factor alone.
pub fn words_beside_name<'w>(words: &'w str, name: &str) -> Option<&'w str> {
    Some(words).filter(|words| !words.is_empty() && !words.ends_with(&format!("= {name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_is_named_by_what_it_lacks_and_an_arm_without_levels_by_nothing() {
        for (levels, words) in [
            (&[][..], ""),
            (&[("null", "")], ""),
            (&[("memory", "none"), ("rule", "majority")], "memory = none, rule = majority"),
            (&[("talk", "long"), ("null", "no_talk")], "talk = long, null: nobody talks"),
        ] {
            let levels: Vec<_> = levels.iter().map(|(factor, label)| (factor.to_string(), label.to_string())).collect();
            assert_eq!(levels_in_words(&levels), words);
        }
    }

    #[test]
    fn an_arm_that_is_named_by_its_only_level_needs_no_words() {
        assert_eq!(words_beside_name("talk = long", "long"), None);
        assert_eq!(words_beside_name("", "baseline"), None);
        assert_eq!(words_beside_name("a = b, c = d", "b-d"), Some("a = b, c = d"));
    }
}
