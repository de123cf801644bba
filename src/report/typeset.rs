//! Our own Markdown on a terminal: within its columns, headings and names set off, and words as they were before they were escaped. A
//! table that is wider than the terminal is told row by row, each cell behind the head of its column.
//!
//! It reads what [`Transcript`](super::Transcript) writes and no Markdown of others: what seats wrote stands in it as escapes.

use std::iter::Peekable;
use std::str::Chars;

use unicode_width::UnicodeWidthStr;

use super::diagnostic::Style;
use super::follow::Sheet;
use super::lines::{Shown, lay};

/// Before each line that somebody wrote.
const QUOTE: &str = "> ";

/// How a part is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Plain,
    Strong,
    Faint,
}

impl Tone {
    fn signs(self, style: Style) -> (&'static str, &'static str) {
        match (style, self) {
            (Style::Plain, _) | (_, Tone::Plain) => ("", ""),
            (Style::Coloured, Tone::Strong) => ("\u{1b}[1m", "\u{1b}[0m"),
            (Style::Coloured, Tone::Faint) => ("\u{1b}[2m", "\u{1b}[0m"),
        }
    }
}

/// Whole lines of a transcript for a terminal.
pub fn typeset(markdown: &str, sheet: Sheet) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('|') {
            let mut rows = vec![line];
            rows.extend(std::iter::from_fn(|| lines.next_if(|line| line.starts_with('|'))));
            table(&mut out, &rows, sheet);
            continue;
        }
        let (indent, words) = match line.strip_prefix(QUOTE) {
            Some(words) => (QUOTE, words),
            None => ("", line),
        };
        let shown = parts(words, if line.starts_with('#') { Tone::Strong } else { Tone::Plain });
        if shown.iter().all(|(c, _)| *c == ' ') {
            out.push_str(indent.trim_end());
            out.push('\n');
        } else {
            lay(&mut out, indent, &shown, sheet.columns, |tone| tone.signs(sheet.style));
        }
    }
    out
}

/// The characters of a line with how they are set off: between two pairs of asterisks strong, between two single ones faint. In a line
/// of one tone all are of that.
fn parts(line: &str, of_line: Tone) -> Vec<Shown<Tone>> {
    let mut tone = of_line;
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => out.push((escaped(&mut rest).unwrap_or('\\'), tone)),
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

/// The sign that a backslash was put before; `None` where the backslash begins the number of a character.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    rest.next_if(char::is_ascii_punctuation)
}

/// The lines of a table: as they are where they fit, else a line for every cell and a blank one between two rows.
fn table(out: &mut String, rows: &[&str], sheet: Sheet) {
    let laid: Vec<String> = rows.iter().map(|line| row(line)).collect();
    if laid.iter().all(|line| line.trim_end().width() <= sheet.columns) {
        for line in laid {
            out.push_str(&line);
            out.push('\n');
        }
        return;
    }
    // The second line parts the head from the rows; a head alone is told as a row.
    let (heads, records) = match rows {
        [head, rule, records @ ..] if is_rule(rule) && !records.is_empty() => (cells(head), records),
        rows => (Vec::new(), rows),
    };
    for (number, record) in records.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        for (place, cell) in cells(record).into_iter().enumerate() {
            let head =
                heads.get(place).filter(|head| !head.is_empty()).map_or(String::new(), |head| format!("{head}: "));
            let shown: Vec<Shown<Tone>> =
                head.chars().map(|c| (c, Tone::Faint)).chain(cell.chars().map(|c| (c, Tone::Plain))).collect();
            lay(out, "", &shown, sheet.columns, |tone| tone.signs(sheet.style));
        }
    }
}

/// Whether a line of a table only parts its head from its rows.
fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ')) && line.contains('-')
}

/// The words of each cell of a row.
fn cells(line: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut rest = line.strip_prefix('|').unwrap_or(line).chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => cell.push(escaped(&mut rest).unwrap_or('\\')),
            '|' => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            c => cell.push(c),
        }
    }
    cells
}

/// A row of a table, whose columns stay where they are.
fn row(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut missing = 0;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                let sign = escaped(&mut rest);
                missing += usize::from(sign.is_some());
                out.push(sign.unwrap_or('\\'));
            }
            '|' => {
                out.extend(std::iter::repeat_n(' ', std::mem::take(&mut missing)));
                out.push('|');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{block, inline, visible};
    use proptest::prelude::*;

    const PLAIN: Sheet = Sheet { columns: 40, style: Style::Plain };

    #[test]
    fn what_was_escaped_stands_as_it_was_and_what_is_ours_is_set_off() {
        let markdown = format!(
            "## {} [3]\n\n*private* **{}** ballot: for [4]\n\n{}\n| a\\_b | 1 |\n",
            inline("straw_before"),
            inline("**田中**"),
            block("# *not* ours\n1. \\ and \u{1b}[2J\n\nend")
        );
        let expected = "## straw_before [3]\n\nprivate **田中** ballot: for [4]\n\n> # *not* ours\n> 1. \\ and \\u{1b}[2J\n>\n> end\n\n| a_b  | 1 |\n";
        assert_eq!(typeset(&markdown, PLAIN), expected);
        let coloured = typeset(&markdown, Sheet { style: Style::Coloured, ..PLAIN });
        assert!(coloured.contains("\u{1b}[1m## straw_before [3]\u{1b}[0m\n"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[2mprivate\u{1b}[0m \u{1b}[1m**田中**\u{1b}[0m ballot"), "{coloured:?}");
    }

    #[test]
    fn a_table_wider_than_the_sheet_is_told_row_by_row() {
        let markdown = "Paid:\n\n| seat  | choice | paid, dollars | balance |\n| ----- | --- | ---: | --- |\n| Alice | average\\_floor 6 | 3.00 | 3.00 |\n| Bob   | - | | 1.00 |\n\nend\n";
        let told = "Paid:\n\nseat: Alice\nchoice: average_floor 6\npaid, dollars: 3.00\nbalance: 3.00\n\n\
            seat: Bob\nchoice: -\npaid, dollars:\nbalance: 1.00\n\nend\n";
        assert_eq!(typeset(markdown, PLAIN), told);
        let coloured = typeset(markdown, Sheet { style: Style::Coloured, ..PLAIN });
        assert!(coloured.contains("\u{1b}[2mchoice: \u{1b}[0maverage_floor 6\n"), "{coloured:?}");
        let wide = typeset(markdown, Sheet { columns: 80, ..PLAIN });
        assert!(wide.contains("| Alice | average_floor 6  | 3.00 | 3.00 |\n"), "{wide}");
    }

    proptest! {
        #[test]
        fn a_table_stays_within_the_columns_and_none_of_its_words_are_lost(
            (heads, rows) in (1_usize..6).prop_flat_map(|count| {
                let cells = || proptest::collection::vec("([a-z]|[一-龠]|[*_#|\\\\<-]| |\u{301}){0,30}", count);
                (cells(), proptest::collection::vec(cells(), 1..4))
            }),
            columns in 24_usize..120,
        ) {
            let line = |cells: &[String]| cells.iter().fold(String::from("|"), |line, cell| line + " " + &inline(cell) + " |");
            let rule = "|".to_owned() + &" --- |".repeat(heads.len());
            let lines: Vec<String> = [line(&heads), rule].into_iter().chain(rows.iter().map(|row| line(row))).collect();
            let set = typeset(&lines.join("\n"), Sheet { columns, ..PLAIN });
            prop_assert!(set.lines().all(|line| line.trim_end().width() <= columns), "{}", set);
            let words = |text: &str| text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '|' | ':')).collect::<String>();
            let read = words(&set);
            for row in &rows {
                for cell in row {
                    prop_assert!(read.contains(&words(cell)), "{} in {}", cell, set);
                }
            }
        }

        #[test]
        fn words_stay_the_same_within_the_columns_and_act_on_nothing(text in "(.|[一-龠]|\u{301}|[*_#|\\\\>\u{1b}\u{202e}-]|\n| ){0,200}", columns in 24_usize..120) {
            let set = typeset(&block(&text), Sheet { columns, ..PLAIN });
            prop_assert!(set.lines().all(|line| line.width() <= columns && line.starts_with('>')), "{}", set);
            prop_assert!(!set.chars().any(|c| c.is_control() && c != '\n'));
            let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let read: String = set.lines().map(|line| words(&line[1..])).collect();
            prop_assert_eq!(read, words(&visible(&text.replace('\t', " "))));
        }

        #[test]
        fn columns_of_a_table_stay_where_they_are(cell in "([a-z]|[*_#\\\\<-]){0,12}") {
            let line = format!("| {} | 1 |", inline(&cell));
            let set = typeset(&line, PLAIN);
            prop_assert_eq!(set.trim_end().width(), line.width());
            prop_assert!(set.contains(&cell));
        }
    }
}
