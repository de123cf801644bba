//! The templates of the page, and the one way by which text of unknown origin reaches HTML.
//!
//! Every text is escaped; characters that act unseen are written as marks that can be read. Nothing here knows what a page tells.

use crate::text::{escape_html, escape_html_with, put};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value};
use serde::Serialize;

/// The templates of the page, compiled.
pub struct Templates(Environment<'static>);

/// Characters of one text that have an element each.
const ELEMENTS_MAX: usize = 200;

/// The page's own templates by their names.
const OWN: [(&str, &str); 5] = [
    ("page.html", include_str!("page.html")),
    ("course.html", include_str!("course.html")),
    ("parts.html", include_str!("parts.html")),
    ("overview.html", include_str!("sections/overview.html")),
    ("sessions.html", include_str!("sections/sessions.html")),
];

impl Templates {
    /// Compiles them.
    ///
    /// # Panics
    /// When a template of this program is none.
    pub fn new() -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        let blocks = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(blocks.expect("invariant: the usual delimiters are valid"));
        environment.set_formatter(put);
        environment.add_filter("marked", |text: &str| Value::from_safe_string(marked(text)));
        environment.add_filter("address", address);
        for (name, source) in OWN {
            environment.add_template(name, source).expect("invariant: the templates of this program are templates");
        }
        Self(environment)
    }

    /// Fills a template.
    ///
    /// # Panics
    /// When there is no such template, or it asks for something that these facts do not have.
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

/// Puts a value where text stands or an attribute: escaped, and what would act unseen as plain marks.
fn put(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let wrote = |written: std::fmt::Result| written.map_err(|_| Error::from(ErrorKind::WriteFailure));
    match value.kind() {
        ValueKind::String if value.is_safe() => wrote(out.write_str(value.as_str().unwrap_or_default())),
        ValueKind::String => wrote(out.write_str(&escape_html(value.as_str().unwrap_or_default()))),
        ValueKind::Number => wrote(write!(out, "{value}")),
        kind => Err(Error::new(ErrorKind::InvalidOperation, format!("a {kind} is no text"))),
    }
}

/// A text as HTML text, with what would act unseen in elements that say what it is; of a great many the first, and the others as they
/// are written in them, for a browser takes long over thousands of elements.
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

/// An address within the page, `#NAME` or `#NAME/RECORD`, as an attribute holds it.
fn address(name: &str) -> String {
    let mut out = String::from("#");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => out.push(char::from(byte)),
            byte => put!(out, "%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::acts_unseen;
    use proptest::prelude::*;

    #[test]
    fn what_would_act_is_told() {
        assert_eq!(marked("a\u{202e}b"), "a<span class=\"mark\" title=\"U+202E\">\\u{202e}</span>b");
        let many = marked(&"\u{202e}".repeat(1_000));
        assert_eq!((many.matches("<span").count(), many.matches("\\u{202e}").count()), (200, 1_000));
        assert_eq!(address("talk-r1/7 \"<"), "#talk-r1/7%20%22%3C");
    }

    proptest! {
        #[test]
        fn what_is_marked_opens_no_element_of_its_own_and_acts_unseen_nowhere(text in "(.|[\u{0}-\u{9f}\u{200b}-\u{2069}<>&\"'])*") {
            let html = marked(&text);
            let own = html.matches("<span class=\"mark\" title=\"U+").count();
            prop_assert_eq!(html.matches('<').count(), 2 * own);
            prop_assert!(!html.chars().any(|c| c != '\n' && c != '\t' && acts_unseen(c)));
        }
    }
}
