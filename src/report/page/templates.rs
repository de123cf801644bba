//! The templates of the page. Every text that they print is escaped, and invisible characters become visible marks.

use crate::text::{escape_html, escape_html_with, page_address};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value};
use serde::Serialize;

/// The compiled templates of the page.
pub struct Templates(Environment<'static>);

/// The most invisible characters per text that get an element of their own.
const ELEMENTS_MAX: usize = 200;

/// The templates by name.
const OWN: [(&str, &str); 4] = [
    ("page.html", include_str!("page.html")),
    ("course.html", include_str!("course.html")),
    ("parts.html", include_str!("parts.html")),
    ("sessions.html", include_str!("sessions.html")),
];

impl Templates {
    /// Compiles the templates.
    ///
    /// # Panics
    /// When a template is invalid.
    pub fn new() -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        let blocks = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(blocks.expect("invariant: the usual delimiters are valid"));
        environment.set_formatter(write_value);
        environment.add_filter("marked", |text: &str| Value::from_safe_string(marked(text)));
        environment.add_filter("address", page_address);
        for (name, source) in OWN {
            environment.add_template(name, source).expect("invariant: the templates of this program are templates");
        }
        Self(environment)
    }

    /// Fills a template.
    ///
    /// # Panics
    /// When there is no such template, or `facts` lacks a value that it uses.
    pub fn fill(&self, name: &str, facts: impl Serialize) -> String {
        let template = self.0.get_template(name).expect("invariant: a template of this program");
        let filled = template.render(Serde(facts));
        filled.unwrap_or_else(|error| panic!("invariant: template {name} is given what it asks for: {error:#}"))
    }
}

impl Default for Templates {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes a value into text or an attribute, escaped and without invisible characters.
fn write_value(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let wrote = |written: std::fmt::Result| written.map_err(|_| Error::from(ErrorKind::WriteFailure));
    match value.kind() {
        ValueKind::String if value.is_safe() => wrote(out.write_str(value.as_str().unwrap_or_default())),
        ValueKind::String => wrote(out.write_str(&escape_html(value.as_str().unwrap_or_default()))),
        ValueKind::Number => wrote(write!(out, "{value}")),
        kind => Err(Error::new(ErrorKind::InvalidOperation, format!("a {kind} is no text"))),
    }
}

/// Escapes a text for HTML and wraps each invisible character in an element that names it. Beyond a limit, characters get no
/// element, because thousands of elements slow a browser down.
pub fn marked(text: &str) -> String {
    let mut elements = 0;
    escape_html_with(text, |c| {
        let code = u32::from(c);
        elements += 1;
        if elements > ELEMENTS_MAX {
            return format!("\\u{{{code:x}}}");
        }
        format!("<span class=\"mark\" title=\"U+{code:04X}\">\\u{{{code:x}}}</span>")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::acts_unseen;
    use proptest::prelude::*;

    #[test]
    fn invisible_characters_become_visible() {
        assert_eq!(marked("a\u{202e}b"), "a<span class=\"mark\" title=\"U+202E\">\\u{202e}</span>b");
        let many = marked(&"\u{202e}".repeat(1_000));
        assert_eq!((many.matches("<span").count(), many.matches("\\u{202e}").count()), (200, 1_000));
    }

    proptest! {
        #[test]
        fn marked_text_opens_no_elements_and_hides_no_characters(text in "(.|[\u{0}-\u{9f}\u{200b}-\u{2069}<>&\"'])*") {
            let html = marked(&text);
            let own = html.matches("<span class=\"mark\" title=\"U+").count();
            prop_assert_eq!(html.matches('<').count(), 2 * own);
            prop_assert!(!html.chars().any(|c| c != '\n' && c != '\t' && acts_unseen(c)));
        }
    }
}
