//! What a problem looks like: its line, the caret under it, and what no escape code changes.

use super::*;
use crate::config::SourcePlace;
use crate::plan::Origin;

fn told(line: &str, column: u32, hint: Option<&str>, style: Style) -> String {
    let place = SourcePlace { origin: Origin::Config, file: "x.yaml".into(), line: 1, column };
    let problem = Problem::at_place(&place, "decision.rul", "unknown key").with_hint(hint.map(str::to_owned));
    render_problems(&diagnose(&problem.into(), |_| Some(line.to_owned())), style)
}

/// The shown line and the part of it above the carets.
fn pointed(line: &str, column: u32) -> (String, String) {
    let told = told(line, column, None, Style::Plain);
    let lines: Vec<&str> = told.lines().collect();
    let (shown, carets) = (&lines[1][8..], &lines[2][8..]);
    let (before, run) = (carets.find('^').unwrap(), carets.matches('^').count());
    let (mut cells, mut part) = (0, String::new());
    for character in shown.chars() {
        if (before..before + run).contains(&cells) {
            part.push(character);
        }
        cells += character.width().unwrap_or(0);
    }
    (shown.to_owned(), part)
}

#[test]
fn a_problem_is_told_with_its_line_and_a_way_out() {
    let text = told("  rul: majority", 3, Some("did you mean \"rule\"?"), Style::Plain);
    let expected = "x.yaml:1:3: decision.rul: unknown key
    1 |   rul: majority
      |   ^^^
      = did you mean \"rule\"?
1 problem in x.yaml";
    assert_eq!(text, expected);
}

#[test]
fn colour_changes_no_letter() {
    let coloured = told("  rul: majority", 3, Some("why"), Style::Coloured);
    let without = coloured.replace("\u{1b}[1;31m", "").replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    assert_ne!(coloured, without);
    assert_eq!(without, told("  rul: majority", 3, Some("why"), Style::Plain));
}

#[test]
fn carets_stand_under_the_whole_key_or_value() {
    for (line, column, part) in [
        ("  rul: majority", 3, "rul"),
        ("  rule: majority of all # why", 9, "majority of all"),
        ("  rule: \"a: b, c\" # why", 9, "\"a: b, c\""),
        ("  name: 'Al'", 9, "'Al'"),
        ("{ a: b c, d: [1, 2] }", 6, "b c"),
        ("{ a: b c, d: [1, 2] }", 14, "["),
        ("{ a: b", 1, "{"),
        ("url: http://x", 6, "http://x"),
        ("größe: ja", 8, "ja"),
        ("名前: 何か", 5, "何か"),
        ("a:\tb", 4, "b"),
        ("\tb: 1", 2, "b"),
        ("- a: 1", 3, "a"),
    ] {
        assert_eq!(pointed(line, column).1, part, "{line}");
    }
    let end = told("seed:", 6, None, Style::Plain);
    assert!(end.contains("\n    1 | seed:\n      |      ^\n"), "{end}");
}

#[test]
fn a_long_line_is_abridged_around_the_carets() {
    let line = format!("{}: wrong {}", "k".repeat(300), "v".repeat(300));
    let (shown, part) = pointed(&line, 303);
    assert!(shown.starts_with('…') && shown.ends_with('…') && shown.chars().count() < 110, "{shown}");
    assert!(part.starts_with("wrong vvv"), "{part}");
}

#[test]
fn each_of_the_mistakes_of_one_line_is_shown_with_its_own_part_of_it() {
    let words: Vec<String> = (0..3_000).map(|number| format!("k{number}: wrong{number}")).collect();
    let line = format!("seats: {{ {} }}", words.join(", "));
    let mut problems = Problems::default();
    let mut columns = Vec::new();
    for number in 0..3_000 {
        let column = line.find(&format!(" wrong{number} ")).or_else(|| line.find(&format!(" wrong{number},")));
        let column = u32::try_from(column.unwrap() + 2).unwrap();
        let place = SourcePlace { origin: Origin::Config, file: "x.yaml".into(), line: 1, column };
        problems.push(Problem::at_place(&place, format!("seats.k{number}"), "unknown value"));
        columns.push(column);
    }
    let mut read = 0;
    let diagnoses = diagnose(&problems, |_| {
        read += 1;
        Some(line.clone())
    });
    assert_eq!(read, 1);
    for (number, (diagnosis, column)) in diagnoses.iter().zip(&columns).enumerate() {
        let snippet = diagnosis.snippet.as_ref().unwrap();
        let word = format!("wrong{number}");
        assert_eq!(diagnosis.end_column, Some(column + word.len() as u32));
        assert!(snippet.text.chars().count() <= 2 * CELLS + 2, "{}", snippet.text);
        let shown: String = snippet.text.chars().skip(snippet.before).take(snippet.cells).collect();
        assert_eq!(shown, word);
    }
    let text = render_problems(&diagnoses, Style::Plain);
    assert!(text.ends_with("\nand 2900 more\n3000 problems in x.yaml"), "{}", &text[text.len() - 200..]);
    assert_eq!(diagnoses_json(&diagnoses).as_array().map(Vec::len), Some(3_000));
}

#[test]
fn marks_that_take_no_cell_make_no_snippet_long() {
    let line = format!("a: {}b{}", "\u{301}".repeat(5_000), "\u{301}".repeat(5_000));
    let (shown, _) = pointed(&line, 5_004);
    assert!(shown.chars().count() <= 8 * CELLS, "{}", shown.chars().count());
}

#[test]
fn control_characters_and_hidden_directions_are_visible() {
    let (shown, _) = pointed("a: \u{1b}[31mred \u{202e}x", 4);
    assert!(!shown.contains('\u{1b}') && shown.contains("\\u{1b}") && shown.contains("\\u{202e}"), "{shown}");
}

#[test]
fn the_command_line_is_its_own_line() {
    let place = |column| SourcePlace {
        origin: Origin::CommandLine,
        file: "--set decision.rul=majority".into(),
        line: 0,
        column,
    };
    let mut problems = Problems::default();
    problems.push(Problem::at_place(&place(10), "decision.rul", "unknown key"));
    problems.push(Problem::at_place(&place(14), "decision.rul", "unknown value"));
    let expected = "--set: decision.rul: unknown key
      | --set decision.rul=majority
      |                ^^^
--set: decision.rul: unknown value
      | --set decision.rul=majority
      |                    ^^^^^^^^
2 problems in --set";
    assert_eq!(render_problems(&diagnose(&problems, |_| None), Style::Plain), expected);
}

#[test]
fn a_hundred_are_told_and_the_rest_counted() {
    let mut problems = Problems::default();
    for number in 1..=250 {
        problems.push(Problem::of_file("x.yaml", format!("mistake {number}")));
    }
    let text = render_problems(&diagnose(&problems, |_| None), Style::Plain);
    assert!(text.ends_with("x.yaml: mistake 100\nand 150 more\n250 problems in x.yaml"), "{text}");
}

#[test]
fn what_may_follow_from_other_mistakes_is_told_once_behind_them() {
    let mut problems = Problems::default();
    problems.push(Problem::of_file("x.yaml", "of structure"));
    for number in 1..=2 {
        problems.push(Problem { may_follow: true, ..Problem::of_file("x.yaml", format!("of meaning {number}")) });
    }
    let expected =
        format!("x.yaml: of structure\n{MAY_FOLLOW}\nx.yaml: of meaning 1\nx.yaml: of meaning 2\n3 problems in x.yaml");
    assert_eq!(render_problems(&diagnose(&problems, |_| None), Style::Plain), expected);
}

#[test]
fn editors_get_every_part_as_a_field() {
    let place = SourcePlace { origin: Origin::Config, file: "x.yaml".into(), line: 1, column: 3 };
    let problem = Problem::at_place(&place, "rul", "unknown key");
    let json = diagnoses_json(&diagnose(&problem.into(), |_| Some("  rul: x".to_owned())));
    assert_eq!((&json[0]["line"], &json[0]["column"], &json[0]["end_column"]), (&1.into(), &3.into(), &6.into()));
    assert_eq!((&json[0]["file"], &json[0]["message"]), (&"x.yaml".into(), &"unknown key".into()));
}

proptest::proptest! {
    #[test]
    fn any_line_and_column_can_be_shown(line in "\\PC{0,80}|[\\x00-\\x7f]{0,200}", column in 1u32..400) {
        let line = line.replace(['\n', '\r'], " ");
        let text = told(&line, column, None, Style::Plain);
        proptest::prop_assert_eq!(text.lines().count(), 4);
        proptest::prop_assert!(text.contains('^'));
    }
}
