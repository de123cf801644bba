//! Exhibits: evidence documents are inputs, every seat has its own before it at every question, and what is too long for that
//! is shown by its first and last lines.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::desk::copy::copy;
use crate::fixtures::trial::{self, POLICIES, folded, list_problems, repository, whole};
use ekklesia::domain::{Briefing, Matter, OwnEntry, Query, Record};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;
use ekklesia::store::inputs::{Inputs, Overrides};

const SEATS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.1 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
discussion: { rounds: 3, order: random, vote: every_round, private_reasoning: true }
decision: { rule: unanimity }
";

/// A folder with a copy of the shipped motion, whose scenario has an exhibit, and a config beside it.
fn table(body: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    copy(&repository().join("scenarios/motion"), &place.path().join("motion"));
    let scenario = place.path().join("motion/scenario.yaml");
    let written = fs::read_to_string(&scenario).unwrap();
    fs::create_dir(place.path().join("motion/exhibits")).unwrap();
    fs::write(place.path().join("motion/exhibits/report.txt"), "It costs 9 a head.\r\nIt always did.\n").unwrap();
    fs::write(&scenario, format!("{written}\nexhibits: {{ report: {{ file: exhibits/report.txt }} }}\n")).unwrap();
    fs::write(place.path().join("letter.txt"), "Dear Alice, it costs 11.\n").unwrap();
    let config = place.path().join("config.yaml");
    fs::write(&config, format!("experiment: trial\nscenario: motion\nseed: 42\n{SEATS}{body}")).unwrap();
    (place, config)
}

fn planned(config: &Path) -> Arc<Plan> {
    Arc::clone(&trial::read(config).arms[0])
}

const LETTER: &str = "exhibits: { letter: { file: letter.txt, to: [Alice] } }\n";

fn exhibits_of(query: &Query<'_>) -> Vec<String> {
    let is_exhibit = |text: &&str| text.starts_with("[EXHIBIT ");
    let of_all = query.brief.remarks.iter().map(|remark| &*remark.text);
    let own = query.brief.pinned.iter().map(|entry| entry.text.as_str());
    of_all.chain(own).filter(is_exhibit).map(str::to_owned).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_seat_has_its_exhibits_before_it_at_every_question_whatever_it_remembers() {
    for memory in POLICIES {
        let (_place, config) = table(&format!("{LETTER}memory: {memory}\n"));
        let plan = planned(&config);
        let records = whole(&plan, 1);
        let mut account = Visibility::new(&plan);
        let mut deliberation = Deliberation::convene(&plan, 1);
        let mut asked = 0;
        for record in &records {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    let mut expected =
                        vec!["[EXHIBIT report]\nIt costs 9 a head.\nIt always did.\n[END OF EXHIBIT report]"];
                    expected.extend(
                        (query.id.seat.as_str() == "Alice")
                            .then_some("[EXHIBIT letter]\nDear Alice, it costs 11.\n[END OF EXHIBIT letter]"),
                    );
                    assert_eq!(exhibits_of(query), expected, "{memory}, {}", query.id);
                    assert_eq!(account.check_query(query).map_err(|leak| leak.to_string()), Ok(()), "{memory}");
                    asked += 1;
                }
            }
            account.witness_record(record);
            deliberation.evolve(record);
        }
        assert!(asked > 20, "{memory}");
        assert!(
            matches!(records[1].event.briefed(), Some(Briefing { what: Matter::Exhibit { name, pages: 0, .. }, to, .. }) if name == "report" && to.is_empty())
        );
        assert!(
            matches!(records[2].event.briefed(), Some(Briefing { what: Matter::Exhibit { name, .. }, to, .. }) if name == "letter" && to.len() == 1)
        );
    }
}

#[test]
fn an_exhibit_of_another_seat_or_of_other_words_is_caught() {
    let (_place, config) = table(LETTER);
    let plan = planned(&config);
    let records = whole(&plan, 1);
    for seat in ["Alice", "Bob", "Carol"] {
        let is_its = |record: &Record| record.seat.as_ref().is_some_and(|name| name.as_str() == seat);
        let first = records.iter().position(is_its).unwrap();
        let mut account = Visibility::new(&plan);
        records[..first].iter().for_each(|record| account.witness_record(record));
        let deliberation = folded(&plan, 1, &records[..first]);
        let Next::Ask(queries) = deliberation.next() else { panic!("a question stands here") };
        let query = queries.iter().find(|query| query.id.seat.as_str() == seat).unwrap();
        let verdict = |query: &Query<'_>| account.clone().check_query(query).map_err(|leak| leak.to_string());
        let letter = |text: &str| {
            let mut leaked = query.brief.pinned.to_vec();
            let (phase, kind) = (query.id.at.phase.clone(), ekklesia::domain::EntryKind::Exhibit);
            leaked.retain(|entry| entry.kind != kind);
            leaked.insert(0, OwnEntry { seq: records[2].seq, phase, round: 0, kind, text: text.to_owned() });
            leaked
        };
        for (text, is_so) in [
            ("[EXHIBIT letter]\nDear Alice, it costs 11.\n[END OF EXHIBIT letter]", true),
            ("[EXHIBIT letter]\nDear Alice, it costs 12.\n[END OF EXHIBIT letter]", false),
        ] {
            let leaked = letter(text);
            let mut forged = query.clone();
            (forged.brief.pinned, forged.shown.pinned) = (&leaked, leaked.len() as u32);
            if seat == "Alice" && is_so {
                assert_eq!(verdict(&forged), Ok(()));
                continue;
            }
            let reason = if seat == "Alice" { "which is not what was handed out" } else { "which is not its own" };
            let caught = verdict(&forged).unwrap_err();
            assert!(caught.contains("record 2") && caught.contains(reason), "{caught}");
        }
        // What lies on the table for all is compared word by word.
        let mut floor = query.brief.remarks.to_vec();
        floor[0].text = format!("{}!", floor[0].text).into();
        let mut forged = query.clone();
        forged.brief.remarks.floor = &floor;
        let caught = verdict(&forged).unwrap_err();
        assert!(caught.contains("record 1") && caught.contains("not said so"), "{caught}");
    }
}

#[test]
fn a_long_exhibit_is_shown_by_its_ends_and_its_pages_are_in_the_record() {
    let (place, config) = table("memory: { exhibit_token_limit: 100 }\n");
    let lines: Vec<String> = (1..=90).map(|line| format!("This is line {line}.")).collect();
    fs::write(place.path().join("motion/exhibits/report.txt"), lines.join("\n")).unwrap();
    let plan = planned(&config);
    let records = whole(&plan, 1);
    let Some(Briefing { what: Matter::Exhibit { pages, .. }, .. }) = records[1].event.briefed() else {
        panic!("the exhibit comes first")
    };
    assert!(*pages > 3);
    let first = records.iter().position(|record| record.seat.is_some()).unwrap();
    let deliberation = folded(&plan, 1, &records[..first]);
    let Next::Ask(queries) = deliberation.next() else { panic!("a question stands here") };
    let shown = exhibits_of(&queries[0]).concat();
    assert!(shown.contains("line 5.") && shown.contains("line 86.") && !shown.contains("line 6."), "{shown}");
    assert!(shown.contains(&format!("\"report {pages}\"")), "{shown}");
}

#[test]
fn what_is_kept_of_a_run_is_enough_to_make_the_same_plan_and_a_word_changed_makes_another() {
    let (place, config) = table(LETTER);
    let inputs = Inputs::read_config(&config, Overrides::default()).unwrap();
    let resolved = inputs.resolve().unwrap();
    let out = place.path().join("out");
    inputs.write(&out).unwrap();
    let again = Inputs::read_results(&out).unwrap().resolve().unwrap();
    assert_eq!(again.plan_yaml, resolved.plan_yaml);
    assert!(resolved.plan_yaml.contains("exhibits/letter.txt") && !resolved.plan_yaml.contains("file: letter.txt"));
    let kept = |path: &str| fs::read(out.join("inputs").join(path)).unwrap();
    assert_eq!(kept("exhibits/letter.txt"), b"Dear Alice, it costs 11.\n");
    assert_eq!(kept("scenario/exhibits/report.txt"), b"It costs 9 a head.\r\nIt always did.\n", "byte for byte");
    let digest = |config: &Path| planned(config).digest.clone();
    let before = digest(&config);
    for (file, text) in
        [("letter.txt", "Dear Alice, it costs 12.\n"), ("motion/exhibits/report.txt", "It costs 8 a head.\n")]
    {
        let old = fs::read(place.path().join(file)).unwrap();
        fs::write(place.path().join(file), text).unwrap();
        assert_ne!(digest(&config), before, "{file}");
        fs::write(place.path().join(file), old).unwrap();
    }
    assert_eq!(digest(&config), before);
    let moved = fs::read_to_string(&config).unwrap().replace("letter.txt", "./motion/../letter.txt");
    fs::write(&config, moved).unwrap();
    assert_eq!(digest(&config), before, "where the file lies says nothing of what it holds");
}

#[test]
fn who_is_shown_what_may_be_a_factor() {
    let (_place, config) = table(
        "design: { factors: { evidence: { key: exhibits.report.to, levels: { all: [Alice, Bob, Carol], hidden: [Bob], none: [] } } } }\n",
    );
    let experiment = trial::read(&config);
    let shown = experiment.arms.iter().map(|plan| plan.exhibits.iter().map(|handed| handed.to.len()).sum::<usize>());
    assert_eq!(shown.collect::<Vec<_>>(), [3, 1, 0]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_mistake_in_exhibits_is_told_where_it_was_made() {
    let big = vec![b'x'; 1_000_001];
    let binary: Vec<u8> = (0..=255).collect();
    type Lay<'a> = &'a dyn Fn(&Path);
    let nothing: Lay<'_> = &|_| {};
    let cases: [(&str, Lay<'_>, &[&str]); 15] = [
        (
            LETTER,
            &|at| fs::remove_file(at.join("letter.txt")).unwrap(),
            &["config.yaml:10:29", "letter.txt: no such file"],
        ),
        ("exhibits: { letter: { file: motion } }\n", nothing, &["config.yaml:10:", "motion: this is a folder"]),
        (LETTER, &|at| fs::write(at.join("letter.txt"), &binary).unwrap(), &["config.yaml:10:", "not a text file"]),
        (LETTER, &|at| fs::write(at.join("letter.txt"), b"a\0b").unwrap(), &["config.yaml:10:", "zero byte"]),
        (LETTER, &|at| fs::write(at.join("letter.txt"), " \n").unwrap(), &["config.yaml:10:", "the file is empty"]),
        (
            LETTER,
            &|at| fs::write(at.join("letter.txt"), &big).unwrap(),
            &["config.yaml:10:", "larger than 1000000 bytes"],
        ),
        (
            "",
            &|at| fs::write(at.join("motion/exhibits/report.txt"), &big).unwrap(),
            &["scenario.yaml:", "exhibits.report.file", "larger than 1000000 bytes"],
        ),
        (
            "",
            &|at| fs::remove_file(at.join("motion/exhibits/report.txt")).unwrap(),
            &["scenario.yaml:", "report.txt: no such file"],
        ),
        (
            "exhibits: { letter: { file: letter.txt, to: [Alicia] } }\n",
            nothing,
            &["no seat is named \"Alicia\"", "did you mean \"Alice\""],
        ),
        (
            "exhibits: { letter: { to: [Alice] } }\n",
            nothing,
            &["exhibits.letter", "neither scenario nor config names a file"],
        ),
        ("exhibits: { NA: { file: letter.txt } }\n", nothing, &["exhibits.NA"]),
        ("exhibits: { letter: { file: letter.txt, too: [Alice] } }\n", nothing, &["did you mean \"to\""]),
        ("memory: { exhibit_token_limit: 3 }\n", nothing, &["exhibit_token_limit", "100"]),
        (
            "memory: { memory_character_limit: 300 }\n",
            &|at| fs::write(at.join("motion/exhibits/report.txt"), "word ".repeat(100)).unwrap(),
            &["exhibits.report", "need 540 characters", "(300)", "write memory_character_limit: 900"],
        ),
        (
            "memory: { policy: { window: { tokens: 50 } } }\n",
            &|at| fs::write(at.join("motion/exhibits/report.txt"), "word ".repeat(100)).unwrap(),
            &["exhibits.report", "need 116 tokens", "(50)"],
        ),
    ];
    for (body, lay, expected) in cases {
        let (place, config) = table(body);
        lay(place.path());
        let told = list_problems(&config);
        for part in expected {
            assert!(told.contains(part), "{body}\n{part}\n{told}");
        }
        assert_eq!(told.lines().count(), 1, "one mistake, one problem: {told}");
    }
}

#[test]
fn exhibits_that_do_not_fit_a_models_window_are_refused_with_the_numbers() {
    let model = "models: { sim: { simulated: {} }, small: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: m, max_tokens: 100, \
                 context_window: 512 } } }";
    let (place, config) = table("");
    fs::write(place.path().join("motion/exhibits/report.txt"), "word ".repeat(400)).unwrap();
    let body = fs::read_to_string(&config).unwrap().replace("models: { sim: { simulated: {} } }", model);
    fs::write(&config, body.replace("{ name: Bob }", "{ name: Bob, model: small }")).unwrap();
    let told = list_problems(&config);
    for part in ["exhibits.report", "Bob", "416 tokens", "409 are used", "100 of them for the reply"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}
