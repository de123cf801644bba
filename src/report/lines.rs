//! Wraps and cuts untrusted text to a given width, with marked parts.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::plain::escape_unseen;
use super::sheet::{Sheet, Style};
use crate::text::is_digit_group;

/// The width of a terminal, in columns.
pub(super) const WIDTH: usize = 80;
/// The minimum number of columns for words, whatever precedes them.
const WORDS_MIN: usize = 20;
/// The escape sequences around a mark.
const MARK: (&str, &str) = ("\u{1b}[1;33m", "\u{1b}[0m");

/// A character to show, and its style: by default, whether it is marked.
pub(super) type StyledChar<T = bool> = (char, T);

/// Puts a text on one line: control characters become visible, white space becomes single blanks.
fn flatten(text: &str, marks: &[Range<usize>]) -> Vec<StyledChar> {
    let mut out: Vec<StyledChar> = Vec::with_capacity(text.len());
    let mut add = |part: &str, is_marked: bool| {
        for line in part.split_inclusive(char::is_whitespace) {
            let words = line.trim_end_matches(char::is_whitespace);
            out.extend(escape_unseen(words).chars().map(|c| (c, is_marked)));
            if words.len() < line.len() && out.last().is_some_and(|(c, _)| *c != ' ') {
                out.push((' ', is_marked));
            }
        }
    };
    let mut at = 0;
    for mark in marks {
        add(&text[at..mark.start], false);
        add(&text[mark.clone()], true);
        at = mark.end;
    }
    add(&text[at..], false);
    if out.last().is_some_and(|(c, _)| *c == ' ') {
        out.pop();
    }
    out
}

/// Appends a text with an indent, wrapped to the width of the sheet. A text longer than `columns` is cut to the part around its
/// first mark, with `…` at the cuts.
pub(super) fn wrapped_on(
    out: &mut String,
    indent: &str,
    (text, marks): (&str, &[Range<usize>]),
    columns: usize,
    sheet: Sheet,
) {
    put_marked(out, indent, &excerpt(flatten(text, marks), columns), sheet.columns, sheet.style);
}

/// Appends a text with a hanging indent. `lead` is not escaped and appears on the first line only.
pub(super) fn hanging(out: &mut String, lead: &str, text: &str, columns: usize) {
    let blank = " ".repeat(lead.width());
    let mut lines = String::new();
    wrapped_within(&mut lines, &blank, text, columns.max(blank.len() + WORDS_MIN));
    let words = lines.strip_prefix(blank.as_str()).unwrap_or("\n");
    out.push_str(if words == "\n" { lead.trim_end() } else { lead });
    out.push_str(words);
}

/// Appends a text with an indent, wrapped to so many columns.
pub(super) fn wrapped_within(out: &mut String, indent: &str, text: &str, columns: usize) {
    put_marked(out, indent, &flatten(text, &[]), columns, Style::Plain);
}

fn put_marked(out: &mut String, indent: &str, shown: &[StyledChar], columns: usize, style: Style) {
    let painted = |is_marked: bool| if is_marked && style == Style::Coloured { MARK } else { ("", "") };
    lay(out, indent, shown, columns, painted);
}

/// Appends characters with an indent, wrapped to so many columns. Styles are switched on and off in each line.
pub(super) fn lay<T: Copy + PartialEq>(
    out: &mut String,
    indent: &str,
    shown: &[StyledChar<T>],
    columns: usize,
    painted: impl Fn(T) -> (&'static str, &'static str),
) {
    let room = columns.saturating_sub(indent.width());
    let mut rest = shown;
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(line_end(rest, room));
        out.push_str(indent);
        for same in trimmed(line).chunk_by(|a, b| a.1 == b.1) {
            let (on, off) = painted(same[0].1);
            out.push_str(on);
            out.extend(same.iter().map(|(c, _)| *c));
            out.push_str(off);
        }
        out.push('\n');
        rest = &behind[behind.iter().take_while(|(c, _)| *c == ' ').count()..];
    }
}

/// Cuts or pads a text to exactly so many columns.
pub(super) fn padded(text: &str, columns: usize) -> String {
    let fitted = fitted(text, columns);
    let blank = " ".repeat(columns.saturating_sub(fitted.as_str().width()));
    fitted + &blank
}

/// Cuts a text to one line of at most so many columns, with `…` at the cut.
pub(super) fn fitted(text: &str, columns: usize) -> String {
    let shown = flatten(text, &[]);
    let end = line_end_anywhere(&shown, columns);
    if end == shown.len() {
        return shown.into_iter().map(|(c, _)| c).collect();
    }
    let end = line_end_anywhere(&shown, columns.saturating_sub(1));
    trimmed(&shown[..end]).iter().map(|(c, _)| *c).chain(['…']).collect()
}

/// Cuts a text to the part around its first mark.
fn excerpt(shown: Vec<StyledChar>, columns: usize) -> Vec<StyledChar> {
    if line_end_anywhere(&shown, columns) == shown.len() {
        return shown;
    }
    let first = shown.iter().position(|(_, is_marked)| *is_marked).unwrap_or(0);
    let mut start = first.saturating_sub(columns / 3);
    if start > 0 {
        start += shown[start..first].iter().position(|(c, _)| *c == ' ').map_or(0, |blank| blank + 1);
    }
    let end = start + line_end(&shown[start..], columns);
    let lead = if start > 0 { "… " } else { "" };
    let tail = if end < shown.len() { " …" } else { "" };
    let plain = |text: &'static str| text.chars().map(|c| (c, false));
    plain(lead).chain(trimmed(&shown[start..end]).iter().copied()).chain(plain(tail)).collect()
}

/// The end of a line of at most so many columns, after a complete word or number if possible.
fn line_end<T>(shown: &[StyledChar<T>], columns: usize) -> usize {
    let end = line_end_anywhere(shown, columns);
    let is_break = |at: usize| {
        shown[at].0 == ' '
            && !is_digit_group(shown[..at].iter().map(|(c, _)| *c), shown[at + 1..].iter().map(|(c, _)| *c))
    };
    if end == shown.len() || is_break(end) {
        return end;
    }
    (0..end).rev().find(|at| is_break(*at)).map_or(end, |blank| blank + 1)
}

/// Like [`line_end`], but also within words. At least one character, and no break inside a composed sign unless it is too wide.
fn line_end_anywhere<T>(shown: &[StyledChar<T>], columns: usize) -> usize {
    let (mut room, mut last) = (columns, 0);
    let fits = |(c, _): &&StyledChar<T>| {
        // The emoji selector makes a narrow character wide.
        let wide = if *c == '\u{fe0f}' { usize::from(last == 1) } else { c.width().unwrap_or(0) };
        last = wide;
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    let end = shown.iter().take_while(fits).count().max(1).min(shown.len());
    let is_within = |end: &usize| *end < shown.len() && is_joined(shown[end - 1].0, shown[*end].0);
    (1..=end).rev().find(|end| !is_within(end)).unwrap_or(end)
}

/// Whether two characters belong to one sign: joined by U+200D, or followed by a skin tone.
fn is_joined(before: char, next: char) -> bool {
    before == '\u{200d}' || next == '\u{200d}' || matches!(next, '\u{1f3fb}'..='\u{1f3ff}')
}

fn trimmed<T>(line: &[StyledChar<T>]) -> &[StyledChar<T>] {
    let end = line.iter().rposition(|(c, _)| *c != ' ').map_or(0, |last| last + 1);
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str, marks: &[Range<usize>], columns: usize, style: Style) -> String {
        let mut out = String::new();
        wrapped_on(&mut out, "  ", (text, marks), columns, Sheet { columns: WIDTH, style });
        out
    }

    #[test]
    fn a_mark_is_painted_and_what_would_act_on_a_terminal_is_not() {
        assert_eq!(
            lines("a\nbad \u{1b}[2J word", std::slice::from_ref(&(2..5)), 400, Style::Coloured),
            "  a \u{1b}[1;33mbad\u{1b}[0m \\u{1b}[2J word\n"
        );
        assert_eq!(lines("a\nbad word", std::slice::from_ref(&(2..5)), 400, Style::Plain), "  a bad word\n");
    }

    #[test]
    fn a_long_text_is_cut_to_the_part_around_the_first_mark() {
        let text = format!("{}needle {}", "hay ".repeat(200), "hay ".repeat(200));
        let shown = lines(&text, std::slice::from_ref(&(800..806)), 120, Style::Plain);
        assert!(shown.starts_with("  … hay") && shown.contains("needle") && shown.ends_with("hay …\n"), "{shown}");
    }

    #[test]
    fn a_line_does_not_break_inside_a_number() {
        for (text, columns, expected) in [
            ("range 10 692 – 26 900", 10, "  range\n  10 692 –\n  26 900\n"),
            ("1 234 567 in all", 9, "  1 234 567\n  in all\n"),
            ("in 3 rounds", 6, "  in 3\n  rounds\n"),
            ("the 2 1234 more", 8, "  the 2\n  1234\n  more\n"),
        ] {
            let mut out = String::new();
            wrapped_within(&mut out, "  ", text, columns + 2);
            assert_eq!(out, expected, "{text}");
        }
        let narrow = lines("a\u{202f}b 10\u{202f}692", &[], 400, Style::Plain);
        assert_eq!(narrow, "  a b 10 692\n");
    }

    #[test]
    fn a_hanging_indent_keeps_the_column_and_loses_no_word() {
        let hung = |lead: &str, text: &str, columns| {
            let mut out = String::new();
            hanging(&mut out, lead, text, columns);
            out
        };
        assert_eq!(
            hung("memory  [#.] ", "one two\nthree 漢字漢字漢字 four", 33),
            "memory  [#.] one two three\n             漢字漢字漢字 four\n"
        );
        assert_eq!(hung("memory  ", "", 33), "memory\n");
        assert_eq!(
            hung("memory  [##########] ", "one two three four five six", 10).lines().count(),
            2,
            "words have some room"
        );
    }

    #[test]
    fn a_sign_of_several_characters_stands_on_one_line() {
        for (text, columns, expected) in [
            ("aaaa👩‍👩‍👧 b", 12, "  aaaa👩‍👩‍👧\n  b\n"),
            ("aaaa👩‍👩‍👧", 8, "  aaaa\n  👩‍👩‍👧\n"),
            ("aaa👍🏽", 8, "  aaa\n  👍🏽\n"),
            ("ae\u{301}e\u{301}", 4, "  ae\u{301}\n  e\u{301}\n"),
        ] {
            let mut out = String::new();
            wrapped_within(&mut out, "  ", text, columns);
            assert_eq!(out, expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_line_is_wider_and_nothing_controls_the_terminal(text in ".{0,300}", columns in 20usize..400) {
            for line in lines(&text, &[], columns, Style::Plain).lines() {
                prop_assert!(line.width() <= WIDTH);
                prop_assert!(!line.chars().any(char::is_control));
            }
            prop_assert!(fitted(&text, columns).width() <= columns);
        }
    }
}
