//! Lines at 80 columns: words that go on below their first, a title that breaks between its parts.

use crate::report::lines::WIDTH;
use crate::report::plain::on_line;
use crate::text::wrap_words;

pub fn line(out: &mut String, name: &str, text: &str) {
    wrapped(out, &format!("   {name:<13}"), text);
}

pub fn cut(name: &str, width: usize) -> String {
    let name = on_line(name);
    if name.chars().count() <= width { name } else { name.chars().take(width - 1).chain(['…']).collect() }
}

/// The parts of a title on as many lines as they need; no part is torn where it fits on a line.
pub fn put_title(out: &mut String, parts: &[String]) {
    let (mut head, mut line) = ("", String::new());
    for part in parts {
        let longer = if line.is_empty() { part.clone() } else { format!("{line} · {part}") };
        if line.is_empty() || head.len() + longer.chars().count() <= WIDTH {
            line = longer;
        } else {
            wrapped(out, head, &line);
            (head, line) = ("  ", part.clone());
        }
    }
    wrapped(out, head, &line);
}

/// Words after a head, on as many lines as they need; later lines begin below the first word.
pub fn wrapped(out: &mut String, head: &str, words: &str) {
    out.push_str(&wrap_words(words, WIDTH, head, &" ".repeat(head.chars().count().min(16))));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_below_the_first() {
        let mut out = String::new();
        wrapped(&mut out, " note: ", "word ".repeat(20).trim_end());
        assert_eq!(out.lines().map(|line| line.chars().count()).max(), Some(76));
        assert!(out.lines().nth(1).unwrap().starts_with("       word"));
    }

    #[test]
    fn a_title_breaks_between_its_parts() {
        let parts =
            ["an-experiment-with-a-name", "first_ballot_majority=average_floor", "48 sessions", "paired by session"];
        let mut out = String::new();
        put_title(&mut out, &parts.map(str::to_owned));
        let [one, two, three, four] = parts;
        assert_eq!(out, format!("{one} · {two} · {three}\n  {four}\n"));
    }
}
