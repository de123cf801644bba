//! The schemas of configs and scenarios: what is shipped is what the program prints, and what they do not allow is told,
//! every mistake at once.

use std::fs;

use crate::fixtures::desk::{BASE, Desk};
use crate::fixtures::sample::law_cases;
use ekklesia::config::{config_schema, scenario_schema};
use ekklesia::store::inputs::Overrides;

#[test]
fn the_shipped_schemas_are_what_the_program_prints() {
    let shipped = [
        ("configs/config.schema.json", "config", config_schema()),
        ("scenarios/scenario.schema.json", "scenario", scenario_schema()),
    ];
    for (file, of, schema) in shipped {
        let found = fs::read_to_string(file).unwrap_or_default();
        assert!(found == format!("{schema:#}\n"), "refresh it: ekklesia schema {of} > {file}");
    }
}

/// A config without a mistake, each line with ways to break it; every way is one mistake, told in that line.
const LINES: [(&str, &[&str]); 31] = [
    ("experiment: base", &["experiment: 7", "experiment: [base]"]),
    ("scenario: scenario", &["scenaro: scenario"]),
    ("seed: 7", &["seed: seven", "seed: -1", "sed: 7", "seed: 1.5"]),
    ("replicates: 2", &["replicates: 0", "replicates: '2'", "replicate: 2", "replicates:"]),
    ("models:", &[]),
    ("  sim: { simulated: {} }", &["  sim: simulated", "  sim: { simulate: {} }", "  sim: 3", "  sim: {}"]),
    (
        "  far: { openai: { base_url: 'http://x', model: m } }",
        &[
            "  far: { openai: { base_url: 'http://x', model: 7 } }",
            "  far: { openai: { base_url: 'http://x', model: m, temperature: 3 } }",
            "  far: { openai: { base_url: 'http://x' } }",
            "  far: { openai: { base_url: 'http://x' }, model: m }",
            "  far: [openai]",
        ],
    ),
    (
        "seat_defaults: { model: sim }",
        &["seat_defaults: { modl: sim }", "seat_defaults: sim", "seat_defaults: { model: 1 }"],
    ),
    ("seats:", &[]),
    (
        "  - { name: Alice, persona: A baker }",
        &["  - { name: Alice, persona: 7 }", "  - { nam: Alice }", "  - Alice", "  - { name: 7 }", "  - {}"],
    ),
    (
        "  - { name: Bob, mind: { voter: { copy: 0.5 } } }",
        &[
            "  - { name: Bob, mind: { voter: { copy: 1.5 } } }",
            "  - { name: Bob, mind: { votr: { copy: 0.5 } } }",
            "  - { name: Bob, mind: voter }",
            "  - { name: Bob, mind: { voter: { copy: 0.5 }, random: {} } }",
            "  - { name: Bob, mind: { voter: {} } }",
        ],
    ),
    (
        "  - { name: Carol, mind: { random: { malformed: 0.1 } } }",
        &[
            "  - { name: Carol, mind: { random: [0.1] } }",
            "  - { name: Carol, mind: { random: { malformed: x } } }",
            "  - { name: Carol, mind: 7 }",
        ],
    ),
    (
        "  - { count: 2, name: 'Member {n}' }",
        &["  - { count: 0, name: 'Member {n}' }", "  - { cuont: 2, name: 'Member {n}' }", "  - { count: two }"],
    ),
    ("discussion:", &[]),
    ("  rounds: 3", &["  rounds: -1", "  rouds: 3", "  rounds: three", "  rounds: 1000001"]),
    ("  order: random", &["  order: debate", "  order: [random]", "  order: { random: {} }"]),
    ("  vote: at_end", &["  vote: never", "  vot: at_end"]),
    ("decision:", &[]),
    ("  rule: supermajority", &["  rule: supermajorty", "  rul: supermajority", "  rule: 2/3"]),
    ("  threshold: 2/3", &["  threshold: true", "  treshold: 2/3", "  threshold: [2, 3]"]),
    ("straw_polls: [before]", &["straw_polls: before", "straw_polls: [befor]", "straw_polls: { before: true }"]),
    ("controls: { anonymous: true }", &["controls: { anonymous: yes }", "controls: [true]", "controls:"]),
    ("interventions:", &[]),
    (
        "  - { at: { phase: vote }, to: [Alice], text: Hear. }",
        &[
            "  - { at: vote, text: Hear. }",
            "  - { at: { phase: vote }, as: moderator, text: Hear. }",
            "  - { at: { phase: vote }, text: 5 }",
            "  - { at: { phase: vote }, to: Alice, text: Hear. }",
            "  - Hear.",
        ],
    ),
    ("memory:", &[]),
    ("  policy: selective", &["  policy: window", "  polcy: selective", "  policy: false"]),
    (
        "  memory_compression_threshold: 0.9",
        &["  memory_compression_threshold: 9", "  memory_compression_threshold: 0"],
    ),
    ("design:", &[]),
    ("  factors:", &[]),
    (
        "    base: { key: decision.of, levels: [members, valid] }",
        &[
            "    base: { key: decision.of, levels: [membrs, valid] }",
            "    base: { key: decision.off, levels: [members, valid] }",
            "    base: [members, valid]",
            "    base: { key: decision.of, levels: members }",
        ],
    ),
    ("  pairing: independent", &["  pairing: crn", "  paring: independent"]),
];

thread_local! {
    /// One folder for all configs of a test: to copy the scenario for each would take longer than to check it.
    static DESK: Desk = Desk::new();
}

/// The lines that a config's problems of structure are told in; `None` for one without a line.
fn lines_told(config: &str) -> (Vec<Option<u32>>, String) {
    match DESK.with(|desk| desk.resolve(config)) {
        Ok(_) => (Vec::new(), String::new()),
        Err(problems) => {
            let of_structure = problems.iter().filter(|problem| !problem.may_follow);
            let mut lines: Vec<Option<u32>> = of_structure.map(|problem| problem.line).collect();
            lines.sort_unstable();
            (lines, problems.to_string())
        }
    }
}

/// The config with some of its lines broken: the place of each, and of the way to break it.
fn broken(ways: &[(usize, usize)]) -> String {
    let line = |(place, (line, broken)): (usize, &(&str, &[&str]))| {
        let way = ways.iter().find(|(broken, _)| *broken == place);
        format!("{}\n", way.map_or(*line, |(_, way)| broken[*way]))
    };
    LINES.iter().enumerate().map(line).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn each_mistake_of_structure_is_told_once_in_its_line() {
    assert_eq!(lines_told(&broken(&[])), (Vec::new(), String::new()));
    let mut wrong = Vec::new();
    for (place, (_, ways)) in LINES.iter().enumerate() {
        for way in 0..ways.len() {
            let (lines, told) = lines_told(&broken(&[(place, way)]));
            if lines != [Some(place as u32 + 1)] {
                wrong.push(format!("{}\n{told}", ways[way]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_wrong_value_of_the_command_line_is_told() {
    let set = ["decision.rule=majorty", "discusion.rounds=2", "seats.Bob.model=7", "memory={ policy: all }"];
    let overrides = Overrides { set: set.map(str::to_string).to_vec(), ..Overrides::default() };
    let problems = Desk::new().read(BASE, overrides).and_then(|inputs| inputs.resolve()).expect_err("a refusal");
    let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["decision.rule", "discusion", "memory.policy", "seats.Bob.model"], "{problems}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..law_cases(64) })]

    #[test]
    #[ignore = "slowest: `.ci/full` runs it"]
    fn as_many_mistakes_as_were_made_are_told(picks in proptest::collection::vec(0usize..1_000, LINES.len()), share in 1usize..10) {
        let ways: Vec<(usize, usize)> = LINES
            .iter()
            .enumerate()
            .filter(|(place, (_, ways))| !ways.is_empty() && picks[*place] % 10 < share)
            .map(|(place, (_, ways))| (place, picks[place] / 10 % ways.len()))
            .collect();
        let config = broken(&ways);
        let (lines, told) = lines_told(&config);
        let made: Vec<Option<u32>> = ways.iter().map(|(place, _)| Some(*place as u32 + 1)).collect();
        proptest::prop_assert_eq!(lines, made, "{}\n{}", config, told);
    }
}
