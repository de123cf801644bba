//! Hints are ways out: what a hint says to write is written in the place of what was wrong, and nothing is wrong any more.

use crate::fixtures::desk::{BASE, Desk};
use crate::fixtures::sample::sample_cases;

/// Where something stands (`@`), what is wrong there, and what the hint says to write instead.
type Slip = (&'static str, &'static str, &'static str);

const SLIPS: [Slip; 22] = [
    // A key in another place.
    ("memory: { @ }", "top_k: 3", "recall: { search: { top_k: … } }"),
    ("@", "top_k: 3", "memory: { recall: { search: { top_k: … } } }"),
    ("@", "rounds: 2", "discussion: { rounds: … }"),
    ("@", "discussion.rounds: 2", "discussion: { rounds: … }"),
    ("@", "max_rounds: 2", "discussion: { rounds: … }"),
    // A number beside its least or greatest.
    ("memory: { exhibit_token_limit: @ }\nexhibits: { long: { file: long.txt } }", "50", "100"),
    ("memory: { exhibit_token_limit: @ }\nexhibits: { long: { file: long.txt } }", "0", "100"),
    ("memory: { memory_character_limit: @ }", "4", "300"),
    ("memory: { statement_max_length: @ }", "1", "4"),
    ("discussion: { vote: on_call, rounds_min: @ }", "0", "1"),
    // What has no room.
    (
        "exhibits: { long: { file: long.txt } }\nmemory: { @ }",
        "memory_character_limit: 2000",
        "memory_character_limit: 2000, exhibit_token_limit: 1252",
    ),
    (
        "exhibits: { short: { file: short.txt } }\nmemory: { @ }",
        "memory_character_limit: 300",
        "memory_character_limit: 900",
    ),
    (
        "exhibits: { short: { file: short.txt } }\nmemory: { exhibit_token_limit: 100, @ }",
        "memory_character_limit: 300",
        "memory_character_limit: 1000",
    ),
    ("exhibits: { short: { file: short.txt } }\nmemory: { policy: { window: { @ } } }", "tokens: 90", "tokens: 500"),
    // What goes not together.
    ("decision: { rule: plurality, @ }\nitems: ITEMS", "tie_break: status_quo", "tie_break: lot"),
    ("decision: { @ }\nitems: ITEMS", "tie_break: status_quo", "tie_break: no_decision"),
    ("items: ITEMS\n@", "", "decision: { tie_break: no_decision }"),
    (
        "decision: { tie_break: no_decision }\nitems: { file: q.csv, id: id, text: text, @ }",
        "choices: options",
        "options",
    ),
    // Names that are nearly right.
    (
        "exhibits: { report: { file: short.txt } }\ndesign: { factors: { shown: { key: exhibits.@.to, levels: { one: [Bob] } } } }",
        "reprot",
        "report",
    ),
    (
        "design: { factors: { heat: { key: models.@.openai.temperature, levels: { low: 0.1, high: 0.9 } } } }",
        "qwn",
        "qwen",
    ),
    (
        "decision: { tie_break: no_decision }\nitems: { file: @, id: id, text: text, options: options, key: key }",
        "w.csv",
        "Volga",
    ),
    ("interventions: [{ at: { phase: discussion }, to: [@], text: Hello }]", "Alcie", "Alice"),
];

#[test]
fn what_a_hint_says_to_write_is_right() {
    let desk = Desk::new();
    let write = |name: &str, text: String| std::fs::write(desk.path(name), text).expect("a file");
    write("long.txt", format!("{}\n", "word ".repeat(30)).repeat(40));
    write("short.txt", format!("{}\n", "word ".repeat(12)).repeat(8));
    write("q.csv", "id,text,options,key\n1,Longest?,Volga|Danube,Volga\n".to_owned());
    write("w.csv", "id,text,options,key\n1,Longest?,Volga|Danube,Vogla\n".to_owned());
    let items = "{ file: q.csv, id: id, text: text, options: options }";
    let mut wrong = Vec::new();
    for (place, slip, meant) in sample_cases(SLIPS, 3) {
        let config = |words: &str| format!("{BASE}{}\n", place.replace("ITEMS", items).replace('@', words));
        let Err(problems) = desk.resolve(&config(slip)) else {
            wrong.push(format!("{slip}: nothing is told"));
            continue;
        };
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        // What is changed is all that the hint names beside what stood there.
        let named = meant.strip_prefix(&format!("{slip}, ")).unwrap_or(meant);
        if told.len() != 1 || !told[0].contains(named) {
            wrong.push(format!("{place} {slip}: expected {named} in\n  {}", told.join("\n  ")));
        }
        let mended = if meant == "options" { "options: options" } else { meant };
        let mended = if meant == "Volga" { "q.csv" } else { mended };
        let mended = &mended.replace('…', slip.rsplit(' ').next().unwrap_or_default());
        if let Err(problems) = desk.resolve(&config(mended)) {
            wrong.push(format!("{place} {mended}: {problems}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
