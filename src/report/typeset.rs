//! Our own Markdown on a terminal: within its columns, headings and names set off, and words as they were before they were escaped.
//!
//! It reads what [`Transcript`](super::Transcript) writes and no Markdown of others: what seats wrote stands in it as escapes.

use super::lines::{StyledChar, lay};
use super::sheet::{Sheet, Tone};

/// Before each line that somebody wrote.
const QUOTE: &str = "> ";

/// Whole lines of a transcript for a terminal.
pub fn typeset(markdown: &str, sheet: Sheet) -> String {
    let mut out = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let (indent, words) = match line.strip_prefix(QUOTE) {
            Some(words) => (QUOTE, words),
            None => ("", line),
        };
        let shown = parts(words, if line.starts_with('#') { Tone::Strong } else { Tone::Plain });
        if shown.iter().all(|(c, _)| *c == ' ') {
            out.push_str(indent.trim_end());
            out.push('\n');
        } else {
            lay(&mut out, indent, &shown, sheet.columns, |tone| sheet.style.tone_codes(tone));
        }
    }
    out
}

/// The characters of a line with how they are set off: between two pairs of asterisks strong, between two single ones faint. In a line
/// of one tone all are of that.
fn parts(line: &str, of_line: Tone) -> Vec<StyledChar<Tone>> {
    let mut tone = of_line;
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // Before other signs a backslash begins the number of a character.
            '\\' => out.push((rest.next_if(char::is_ascii_punctuation).unwrap_or('\\'), tone)),
            '*' => {
                let own = if rest.next_if_eq(&'*').is_some() { Tone::Strong } else { Tone::Faint };
                tone = if tone == of_line { own } else { of_line };
            }
            '\t' => out.push((' ', tone)),
            c => out.push((c, tone)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sheet::Style;
    use crate::report::{block, escape_unseen, inline};
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    const PLAIN: Sheet = Sheet { columns: 40, style: Style::Plain };

    #[test]
    fn what_was_escaped_stands_as_it_was_and_what_is_ours_is_set_off() {
        let markdown = format!(
            "## {} [3]\n\n*private* **{}** ballot: for [4]\n\n{}\n",
            inline("straw_before"),
            inline("**田中**"),
            block("# *not* ours\n1. \\ and \u{1b}[2J\n\nend")
        );
        let expected = "## straw_before [3]\n\nprivate **田中** ballot: for [4]\n\n> # *not* ours\n> 1. \\ and \\u{1b}[2J\n>\n> end\n\n";
        assert_eq!(typeset(&markdown, PLAIN), expected);
        let coloured = typeset(&markdown, Sheet { style: Style::Coloured, ..PLAIN });
        assert!(coloured.contains("\u{1b}[1m## straw_before [3]\u{1b}[0m\n"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[2mprivate\u{1b}[0m \u{1b}[1m**田中**\u{1b}[0m ballot"), "{coloured:?}");
    }

    proptest! {
        #[test]
        fn words_stay_the_same_within_the_columns_and_act_on_nothing(text in "(.|[一-龠]|\u{301}|[*_#|\\\\>\u{1b}\u{202e}-]|\n| ){0,200}", columns in 24_usize..120) {
            let set = typeset(&block(&text), Sheet { columns, ..PLAIN });
            prop_assert!(set.lines().all(|line| line.width() <= columns && line.starts_with('>')), "{}", set);
            prop_assert!(!set.chars().any(|c| c.is_control() && c != '\n'));
            let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let read: String = set.lines().map(|line| words(&line[1..])).collect();
            prop_assert_eq!(read, words(&escape_unseen(&text.replace('\t', " "))));
        }
    }
}
