//! What is named in or of templates and nothing has: variables, their fields, filters, and the templates themselves, each with
//! what was probably meant.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{Environment, ErrorKind};

use crate::prompt::templates::{OPTIONAL, PART, PromptError, TEMPLATES};
use crate::text::nearest_word;

/// The filters that prompts may want; the template language has more.
const FILTERS: [&str; 24] = [
    "abs",
    "batch",
    "capitalize",
    "default",
    "first",
    "float",
    "format",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "replace",
    "reverse",
    "round",
    "sort",
    "sum",
    "title",
    "trim",
    "upper",
];

/// The hint for a name that is not known: the nearest, and what there is.
pub(super) fn hint(name: &str, known: &[&str]) -> String {
    let all = format!("available here: {}", known.join(", "));
    match nearest_word(name, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"? {all}"),
        None => all,
    }
}

/// Every filter that a template names and that does not exist, once for each, with its line; also in branches that no
/// rehearsal reaches.
pub(super) fn unknown_filters(environment: &Environment<'_>, template: &str, source: &str) -> Vec<PromptError> {
    let mut state = environment.empty_state();
    let mut is_unknown =
        |name: &str| state.apply_filter(name, &[]).is_err_and(|error| error.kind() == ErrorKind::UnknownFilter);
    let mut told = BTreeSet::new();
    let named = filters(source).into_iter().filter(|(_, _, name)| is_unknown(name) && told.insert(*name));
    let error = |(line, column, name): (usize, usize, &str)| PromptError {
        template: template.to_owned(),
        line,
        column,
        reason: format!("unknown filter {name}"),
        hint: Some(hint(name, &FILTERS)),
    };
    named.map(error).collect()
}

/// The filters that a text applies, with their lines and columns from 1: what follows `|` within a tag and outside quotes.
fn filters(source: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    let mut is_tag = false;
    let mut quote = None;
    let mut before = ' ';
    let mut line = 1;
    for (place, character) in source.char_indices() {
        match (character, quote) {
            ('\n', _) => line += 1,
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => {}
            ('{' | '%', None) if before == '{' => is_tag = true,
            ('}', None) if before == '}' || before == '%' => is_tag = false,
            ('"' | '\'', None) if is_tag => quote = Some(character),
            ('|', None) if is_tag => {
                let rest = source[place + 1..].trim_start();
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                if end > 0 {
                    let begun = &source[..source.len() - rest.len()];
                    let column = begun.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                    found.push((line, column, &rest[..end]));
                }
            }
            _ => {}
        }
        before = character;
    }
    found
}

/// The templates that are missing, and those that nothing asks for.
pub(super) fn misnamed_templates(templates: &BTreeMap<String, String>, needs: &[&str]) -> Vec<PromptError> {
    let mut errors = Vec::new();
    for name in TEMPLATES.iter().chain(needs).filter(|name| !templates.contains_key(**name)) {
        errors.push(PromptError { line: 0, ..PromptError::whole(name, "this template is missing".to_owned()) });
    }
    for superfluous in templates.keys().filter(|name| !is_template(name, needs)) {
        let mut known: Vec<&str> = known_templates(needs).collect();
        known.sort_unstable();
        known.dedup();
        let reason = "no template has this name".to_owned();
        let hint = Some(hint(superfluous, &known));
        errors.push(PromptError { hint, ..PromptError::whole(superfluous, reason) });
    }
    errors
}

/// The names that templates may have, where these are needed besides.
fn known_templates<'a>(needs: &[&'a str]) -> impl Iterator<Item = &'a str> {
    TEMPLATES.iter().chain(&OPTIONAL).chain(needs).copied()
}

/// Whether a template may have this name, or is there for others to include.
pub(super) fn is_template(name: &str, needs: &[&str]) -> bool {
    name.starts_with(PART) || known_templates(needs).any(|other| other == name)
}

/// The template that is surely meant by a name that none has: the nearest of those that are not there.
pub(super) fn meant_template<'a>(name: &str, needs: &[&'a str], is_there: impl Fn(&str) -> bool) -> Option<&'a str> {
    nearest_word(name, known_templates(needs).filter(|other| !is_there(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_found_in_tags_and_nowhere_else() {
        let text = "a | b {{ name | uper }}\n{% if x|length > '|no' %}|{% endif %} {{ y|default(\"a|b\")|last }}";
        assert_eq!(filters(text), [(1, 17, "uper"), (2, 9, "length"), (2, 44, "default"), (2, 59, "last")]);
    }

    #[test]
    fn every_filter_that_is_offered_exists() {
        let environment = Environment::new();
        for filter in FILTERS {
            assert_eq!(unknown_filters(&environment, "t", &format!("{{{{ x | {filter} }}}}")), [], "{filter}");
        }
        let told = unknown_filters(&environment, "t", "{{ x | uper }}");
        assert!(told[0].hint.as_deref().is_some_and(|hint| hint.starts_with("did you mean \"upper\"?")));
    }
}
