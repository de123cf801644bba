//! Finds template syntax in a text that is not a template.

/// The first `{{ name … }}` or `{% word … %}` of a text, with its leading name or word. Formulas such as `{{1, 2}}` do not match.
///
/// ```
/// use ekklesia::text::template_tag;
///
/// assert_eq!(template_tag("Do {{ item.text | lower }}?"), Some(("{{ item.text | lower }}", "item.text")));
/// assert_eq!(template_tag("The set {{1, 2}, {3}}, and }} a {{ brace."), None);
/// ```
pub fn template_tag(text: &str) -> Option<(&str, &str)> {
    let open = |rest: &str| rest.find("{{").into_iter().chain(rest.find("{%")).min();
    let mut from = 0;
    while let Some(at) = open(&text[from..]).map(|at| from + at) {
        let close = if text[at..].starts_with("{{") { "}}" } else { "%}" };
        let end = text[at..].find(close).map(|end| at + end + close.len());
        let inside = text[at + 2..].trim_start_matches(['-', '+']).trim_start();
        let length = inside.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(inside.len());
        let is_name = inside.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if let Some(end) = end.filter(|_| is_name) {
            return Some((&text[at..end], &inside[..length]));
        }
        from = at + 2;
    }
    None
}
