//! `check`, and what `run` tells before or after a part of a design: nothing is run that was not asked for.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{self, Server, assert_same, contents, ekklesia, mixed, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{repository, write_agenda, write_config, write_file, write_justice, write_motion_agenda};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

const MODEL: &str = "models: { small: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: m, max_tokens: 100, ";
const SIMULATED: &str = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n";
const TWO: &str = "seats: [{ name: Alice }, { name: Bob }]\n";

fn json(arguments: &[&str]) -> Value {
    let told = ekklesia(&[&["check", "--json"], arguments].concat());
    serde_json::from_str(&told.stdout).unwrap_or_else(|error| panic!("{error}: {told:#?}"))
}

fn checked(body: &str) -> cli::Told {
    let place = tempfile::tempdir().unwrap();
    ekklesia(&["check", text(&write_config(place.path(), body))])
}

/// A config of one model, with settings that end its `openai` section. Its window is given, so that no server is asked.
fn with_model(settings: &str, rest: &str) -> String {
    let window = if settings.contains("context_window") { "" } else { "context_window: 1000000, " };
    let settings = format!("{window}{settings}");
    format!("{MODEL}{settings} }} }} }}\nseat_defaults: {{ model: small }}\n{TWO}{rest}")
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_shipped_config_is_checked_within_eighty_columns_and_writes_nothing() {
    let files = fs::read_dir(repository().join("configs")).unwrap().map(|entry| entry.unwrap().path());
    let mut configs: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end == "yaml")).collect();
    configs.sort();
    assert!(configs.len() > 20, "{configs:?}");
    for config in sample_cases(configs, 5) {
        let told = ekklesia(&["check", text(&config)]);
        let told = told.says(0, &["nothing is run and no model is asked", "agenda", "forecast"]);
        for line in told.stdout.lines() {
            assert!(line.width() <= 80, "{line}");
        }
        assert!(told.stderr.is_empty(), "{told:#?}");
        let design = json(&[text(&config)]);
        let arms = design["arms"].as_array().unwrap();
        let sum: u64 = arms.iter().map(|arm| arm["sessions"].as_u64().unwrap()).sum();
        assert_eq!(design["sessions"], sum);
        assert_eq!(design["warnings"].as_array().unwrap().len(), told.stdout.matches("\n ! ").count());
    }
}

#[test]
fn simulated_seats_cost_nothing_and_a_price_makes_a_cost() {
    let place = tempfile::tempdir().unwrap();
    let config = |body: &str| write_config(place.path(), body);
    let free = json(&[text(&config(&format!("{SIMULATED}{TWO}")))]);
    assert_eq!(free["forecast"]["cost_usd"]["at_most"], 0.0);
    assert_eq!(free["forecast"]["models"]["calls_at_most"], 0);
    let body =
        with_model("price: { input_per_mtok: 1, output_per_mtok: 10 }", "replicates: 3\ndiscussion: { rounds: 2 }\n");
    let paid = json(&[text(&config(&body))]);
    // Two rounds of statements and a ballot, of two seats, in three sessions; each question may be put three times.
    let models = &paid["forecast"]["models"];
    assert_eq!((&models["questions"]["low"], &models["questions"]["high"]), (&18.into(), &18.into()));
    assert_eq!((&models["completion_tokens"]["high"], &models["calls_at_most"]), (&1_800.into(), &54.into()));
    let tokens = models["prompt_tokens"]["high"].as_f64().unwrap();
    let cost = paid["forecast"]["cost_usd"]["high"].as_f64().unwrap();
    assert!((cost - (tokens + 18_000.0) / 1e6).abs() < 1e-9, "{cost}");
    let unpriced = json(&[text(&config(&with_model("answers: anchored", "")))]);
    assert_eq!(unpriced["forecast"]["cost_usd"], Value::Null);
    assert_eq!(unpriced["forecast"]["unpriced"][0], "small");
    checked(&with_model("answers: anchored", "")).says(0, &["cost not known: models.small has no price"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_never_cut_and_fits_no_window_of_the_model_is_a_mistake_and_what_can_be_shortened_is_none() {
    let place = tempfile::tempdir().unwrap();
    for (window, code, said) in
        [(3_000, 2, "models.small: what Alice is always shown and the reply need up to"), (8_000, 0, "the prompt of")]
    {
        let body = with_model(&format!("context_window: {window}"), "discussion: { rounds: 12 }\n");
        let told = ekklesia(&["check", text(&write_justice(place.path(), &body))]);
        told.says(code, &[said]);
    }
}

/// What `check` warns about a config on the shipped motion with another agenda, from the scenario's own folder.
fn warnings_with_agenda(agenda: &str, body: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let first = "experiment: trial\nscenario: own\nseed: 42\nreplicates: 2\n";
    let body = format!("{first}{SIMULATED}{TWO}{body}");
    let config = write_motion_agenda(place.path(), &format!("agenda:\n{agenda}"), &body);
    let design = json(&[text(&config)]);
    let told = design["warnings"].as_array().unwrap_or_else(|| panic!("{design}"));
    told.iter().map(|warning| warning["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_treatment_that_seats_hear_before_the_poll_before_the_talk_is_told_and_no_later_one() {
    let factor = |factor: &str| format!("design: {{ factors: {{ dose: {factor} }}, baseline: {{ dose: low }} }}\n");
    let agenda = "  - { name: opening, brief: { text: \"{{ parameters.motion }}\" } }\n  - { name: discussion, discussion: {} }\n  \
                  - { name: vote, vote: {} }\n";
    let told = |phase: &str, round: u32| {
        format!("interventions: [{{ at: {{ phase: {phase}, round: {round} }}, text: \"Act {{level}}.\" }}]\n")
    };
    let by_text = |phase: &str, round: u32| {
        let levels = ["low", "high"].map(|level| {
            let words = told(phase, round).replace("{level}", level);
            format!("{level}: {{ {} }}", words.trim_end())
        });
        factor(&format!("{{ set: {{ {} }} }}", levels.join(", ")))
    };
    let polled = "straw_polls: [before, after]\n";
    let variant =
        format!("{polled}prompts: {{ both_sides: {} }}\n", text(&repository().join("configs/motion-both-sides")));
    let cases: [(String, &str, Option<&str>); 13] = [
        (
            factor("{ key: parameters.motion, levels: { low: \"Do it.\", high: \"Do it, says an expert.\" } }"),
            polled,
            Some("(the phase opening, the question)"),
        ),
        (
            factor("{ key: seats.Bob.persona, levels: { low: You doubt., high: You trust. } }"),
            polled,
            Some("(the persona of Bob)"),
        ),
        (
            factor("{ key: controls.prompts, levels: { low: scenario, high: both_sides } }"),
            &variant,
            Some("(the prompts)"),
        ),
        (
            factor("{ key: seats.Bob.persona, levels: { low: You doubt., high: You trust. } }"),
            "straw_polls: [after]\n",
            None,
        ),
        (by_text("opening", 0), polled, Some("(an intervention in opening)")),
        (by_text("straw_before", 0), polled, Some("(an intervention in straw_before)")),
        (by_text("discussion", 0), polled, None),
        (by_text("discussion", 2), polled, None),
        (by_text("straw_after", 0), polled, None),
        (by_text("opening", 0), "straw_polls: [after]\n", None),
        (factor("{ key: discussion.rounds, levels: { low: 1, high: 3 } }"), polled, None),
        (factor("{ key: decision.rule, levels: { low: majority, high: unanimity } }"), polled, None),
        (factor("{ key: memory.policy, levels: { low: none, high: full } }"), polled, None),
    ];
    for (design, rest, sources) in cases {
        let told = warnings_with_agenda(agenda, &format!("{rest}{design}"));
        let found: Vec<&String> =
            told.iter().filter(|warning| warning.contains("before the poll straw_before")).collect();
        match sources {
            Some(sources) => {
                let begins =
                    format!("the factor dose changes what seats hear before the poll straw_before {sources}: ");
                assert!(found.len() == 1 && found[0].starts_with(&begins), "{design}{rest}{told:#?}");
            }
            None => assert!(found.is_empty(), "{design}{rest}{told:#?}"),
        }
    }
    // What other arms hear is no matter: only arms that differ in the factor alone are compared.
    let both = "design: { factors: { rounds: { key: discussion.rounds, levels: [1, 2] }, motion: { key: parameters.motion, levels: \
                { a: One., b: Two. } } }, baseline: { rounds: 1, motion: a } }\n";
    let told = warnings_with_agenda(agenda, &format!("{polled}{both}"));
    let found: Vec<&String> = told.iter().filter(|warning| warning.contains("before the poll straw_before")).collect();
    assert!(found.len() == 1 && found[0].starts_with("the factor motion changes"), "{told:#?}");
}

/// The warnings of `check` about treatments that come too early, for an agenda of four simulated seats and a factor.
fn early_treatments(agenda: &str, factor: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let parameters =
        "{ dose: { type: text, default: Do. }, on: { type: bool, default: true }, n: { type: int, default: 2 } }";
    fs::write(
        place.path().join("scenario.yaml"),
        format!("scenario: own\nparameters: {parameters}\nagenda:\n{agenda}"),
    )
    .unwrap();
    let body = format!(
        "experiment: t\nscenario: .\nseed: 1\nreplicates: 2\n{SIMULATED}seats: [ {{ count: 4 }} ]\ndesign: {{ factors: {{ f: {factor} }}, \
         baseline: {{ f: low }} }}\n"
    );
    let config = write_file(place.path(), "config.yaml", body);
    let design = json(&[text(&config)]);
    let warnings = design["warnings"].as_array().unwrap_or_else(|| panic!("{design}")).iter();
    let early = warnings.filter(|warning| warning["lint"] == "treatment-before-poll");
    early.map(|warning| warning["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_treatment_before_a_question_that_is_asked_again_after_the_talk_is_told() {
    let ask = |name: &str, field: &str| {
        format!(
            "  - {{ name: {name}, ask: [ {{ id: {field}, number: {{ min: 0, max: 9 }}, question: How much? }} ] }}\n"
        )
    };
    let brief = |more: &str, words: &str| format!("  - {{ name: hear, {more}brief: {{ text: \"{words}\" }} }}\n");
    let talk = "  - { name: talk, discussion: { rounds: 1 } }\n";
    let rest = format!("{talk}{}", ask("last", "y"));
    let (first, dose) = (ask("first", "x"), "{ key: parameters.dose, levels: { low: Do it., high: Do it now. } }");
    let (on, n) = (
        "{ key: parameters.on, levels: { low: false, high: true } }",
        "{ key: parameters.n, levels: { low: 2, high: 3 } }",
    );
    let computed = "  - { name: sum, compute: { m: parameters.n * 2 } }\n";
    let of_first = |source: &str| {
        vec![format!(
            "the factor f changes what seats meet before they answer first (the phase {source}): these answers follow the treatment, so a change \
             from first to last misses its earlier effect; ask first first, or move the treatment behind it"
        )]
    };
    let asks_dose = first.replace("How much?", "\"How much? {{ parameters.dose }}\"");
    let cases: [(String, &str, Vec<String>); 14] = [
        (brief("", "{{ parameters.dose }}") + &first + &rest, dose, of_first("hear")),
        (brief("", "{{ seat.name }}: {{ parameters.dose }}") + &first + &rest, dose, of_first("hear")),
        (brief("when: parameters.on, ", "Hear.") + &first + &rest, on, of_first("hear")),
        (brief("who: seat.index <= parameters.n, ", "Hear.") + &first + &rest, n, of_first("hear")),
        (computed.to_owned() + &brief("", "{{ m }}") + &first + &rest, n, of_first("sum")),
        (computed.to_owned() + &brief("", "Hear.") + &first + &rest, n, vec![]),
        (brief("when: parameters.n > 1, ", "Hear.") + &first + &rest, n, vec![]),
        (brief("", "Hear.") + &first + &rest, dose, vec![]),
        (first.clone() + &brief("", "{{ parameters.dose }}") + &rest, dose, vec![]),
        (first.clone() + &rest, "{ key: discussion.rounds, levels: { low: 1, high: 3 } }", vec![]),
        (brief("", "{{ parameters.dose }}") + &first + talk, dose, vec![]),
        (brief("", "{{ parameters.dose }}") + talk + &first + &ask("last", "y"), dose, vec![]),
        (brief("", "{{ parameters.dose }}") + &ask("first", "x").replace("How", "And how") + &rest, dose, vec![]),
        (
            asks_dose.clone() + talk + &asks_dose.replace("first", "last").replace("id: x", "id: y"),
            dose,
            of_first("first"),
        ),
    ];
    for (agenda, factor, expected) in cases {
        assert_eq!(early_treatments(&agenda, factor), expected, "{agenda}{factor}");
    }
    let named = early_treatments(&(brief("", "{{ parameters.dose }}") + &ask("before", "x") + talk), dose);
    assert!(named.len() == 1 && named[0].contains("so a change since then misses"), "{named:?}");
}

#[test]
fn a_talk_that_votes_after_another_is_told_to_run_never_or_only_without_a_decision() {
    let vote = |name: &str| format!("  - {{ name: {name}, vote: {{}} }}\n");
    let talk = |name: &str| format!("  - {{ name: {name}, discussion: {{}} }}\n");
    let never = |later: &str, first: &str| {
        format!(
            "the phase {later} can never run: the vote in {first} decides as soon as one ballot counts, and a group that has decided does \
             not vote again"
        )
    };
    let seldom = |later: &str, first: &str| {
        format!(
            "the phase {later} runs only in sessions in which the vote in {first} decides nothing: a group that has decided does not vote \
             again"
        )
    };
    let twice = vote("first") + &talk("talk") + &vote("second");
    let talks = talk("one") + &talk("two");
    let in_rounds = |decision: &str| format!("discussion: {{ vote: every_round }}\ndecision: {{ {decision} }}\n");
    let (never, seldom) = (vec![never("two", "one")], vec![seldom("two", "one")]);
    let cases = [
        (&twice, "decision: { rule: plurality, tie_break: lot }\n".to_owned(), Vec::new()),
        (&talks, in_rounds("rule: plurality, tie_break: lot"), never.clone()),
        (&talks, in_rounds("rule: borda, tie_break: agenda_order"), never),
        (&talks, in_rounds("rule: plurality, tie_break: no_decision"), seldom.clone()),
        (&talks, in_rounds("rule: plurality, tie_break: lot, quorum: 1/2"), seldom.clone()),
        (&talks, in_rounds("rule: unanimity"), seldom.clone()),
        (&talks, in_rounds("rule: majority"), seldom),
        (
            &(talk("one") + &talk("two") + &vote("vote")),
            "decision: { rule: plurality, tie_break: lot }\n".to_owned(),
            Vec::new(),
        ),
        (&(talk("one") + &vote("vote")), "discussion: { vote: on_call }\n".to_owned(), Vec::new()),
    ];
    for (agenda, body, expected) in cases {
        let told = warnings_with_agenda(agenda, &body);
        let found: Vec<String> = told.into_iter().filter(|warning| warning.starts_with("the phase ")).collect();
        assert_eq!(found, expected, "{agenda}{body}");
    }
}

#[test]
fn the_question_is_shown_as_it_was_read() {
    let long = format!("parameters: {{ motion: \"{}\" }}\n", "word ".repeat(60));
    let told = checked(&format!("{SIMULATED}{TWO}{long}"));
    let told = told.says(0, &["\n question: word word"]);
    assert!(told.stdout.lines().all(|line| line.width() <= 80), "{told:#?}");
    checked(&format!("{SIMULATED}{TWO}parameters:\n  motion: Is a # b\n")).says(0, &["\n question: Is a\n"]);
}

#[test]
fn what_is_voted_on_and_by_which_rule_is_told() {
    let seats = "seats: [{ count: 5 }]\n";
    let told = checked(&format!("{SIMULATED}{seats}"));
    told.says(0, &["\n alternatives\n   for      For the motion\n   against  Against", "(status quo)"]);
    for (decision, words) in [
        ("rule: unanimity", "decision: unanimity, 5 of 5 members; an invalid ballot voids the vote"),
        ("rule: majority, invalid: abstain", "majority, 3 of 5 members; an invalid ballot is an abstention"),
        (
            "rule: majority, of: valid, invalid: exclude",
            "majority of the valid ballots, 3 of 5 if all are valid; a seat",
        ),
        ("rule: supermajority, threshold: 2/3", "supermajority of 2/3, 4 of 5 members"),
        (
            "rule: plurality, tie_break: status_quo",
            "plurality, the most ballots; an invalid ballot voids the vote; a tie leaves",
        ),
        ("rule: imposed, imposed: { alternative: against }", "decision: imposed, against; nobody votes"),
    ] {
        let told = checked(&format!("{SIMULATED}{seats}decision: {{ {decision} }}\n"));
        assert!(told.stdout.replace("\n ", " ").contains(words), "{decision}: {told:#?}");
    }
    let factor = "design: { factors: { rule: { key: decision.rule, levels: [majority, unanimity] } } }\n";
    let told = checked(&format!("{SIMULATED}{seats}{factor}"));
    told.says(0, &["decision of majority: majority, 3 of 5", "decision of unanimity: unanimity, 5 of 5"]);
}

#[test]
fn the_prompt_shown_is_the_prompt_sent() {
    let (place, server) = (tempfile::tempdir().unwrap(), Server::start());
    let config = write_config(place.path(), &mixed(&server.base_url(), "fixed"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let bodies = server.bodies();
    // Nobody has spoken before the poll, and Alice is the first to speak.
    for (seat, step) in [("Alice", "straw_poll"), ("Dora", "straw_before"), ("Alice", "statement")] {
        let shown = json(&[text(&config), "--show", &format!("{seat}:{step}")]);
        let is_sent = |body: &&Value| {
            body["messages"] == shown["messages"]
                && body["max_tokens"] == shown["max_tokens"]
                && body["response_format"]["json_schema"]["schema"] == shown["schema"]
        };
        assert_eq!(bodies.iter().filter(is_sent).count(), 1, "{seat} {step}: {shown:#}");
    }
    assert_eq!(server.bodies().len(), bodies.len(), "to show a prompt asks nobody");
}

#[test]
fn a_prompt_is_shown_for_any_seat_and_step_and_what_there_is_not_is_told() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &mixed("http://127.0.0.1:1/v1", "fixed"));
    let show = |what: &str| ekklesia(&["check", text(&config), "--show", what]);
    show("Bob:ballot")
        .says(0, &["this seat is simulated", "--- system", "--- the reply's JSON schema", "as in replicate 1"]);
    let (first, second) = (show("Dora:statement").stdout, show("Dora:statement@2").stdout);
    assert!(first.starts_with("discussion round 1") && second.starts_with("discussion round 2"), "{first}\n{second}");
    show("Dorra:ballot").says(2, &["no seat \"Dorra\"", "did you mean \"Dora\"?"]);
    show("Dora:balot").says(2, &["never asked there", "did you mean \"ballot\"?", "statement"]);
    show("Dora:statement@3").says(2, &["never asked there", "discussion:1:statement, discussion:2:statement"]);
    assert_eq!(show("Dora:statement#2").stdout, second);
    assert_eq!(show("Dora:statement@2#1").stdout, second);
    show("Dora:statement#3").says(2, &["Dora is asked there 2 times, not 3"]);
    show("Dora:statement#0").says(2, &["\"0\" is not the number of a question"]);
    show("Dora").says(2, &["expected SEAT:PHASE@PASS:ROUND:STEP"]);
    let long = mixed("http://127.0.0.1:1/v1", "fixed").replace("rounds: 2", "rounds: 11");
    let config = write_config(place.path(), &long);
    let told = ekklesia(&["check", text(&config), "--show", "Dora:statement@99"]);
    told.says(2, &["discussion:1:statement, discussion:2:statement,", "discussion:11:statement"]);
    let told = ekklesia(&["check", text(&config), "--show", "Dora:ballot", "--arm", "base"]);
    told.says(2, &["--arm base: no such arm", "baseline"]);
}

const LOOPS: &str = "scenario: loops
agenda:
  - name: outer
    repeat: { times: 2 }
    phases:
      - { name: talk, discussion: { rounds: 2 } }
      - { name: probe, vote: { over: [buses, bikes], question: Which?, binding: false } }
      - { name: inner, repeat: { times: 2 }, phases: [ { name: deep, discussion: { rounds: 1 } } ] }
  - name: topics
    for: { each: [tax, rent], as: topic }
    phases: [ { name: survey, ask: [ { id: w, scale: { from: 1, to: 7 }, question: \"{{ topic }}?\" } ] } ]
  - name: drawn
    for: { each: [tax, rent], as: topic, order: lot }
    phases: [ { name: quiz, ask: [ { id: v, scale: { from: 1, to: 7 }, question: \"{{ topic }}?\" } ] } ]
  - name: mates
    for: { each: everyone, as: mate, order: fixed }
    phases: [ { name: liking, ask: [ { id: u, scale: { from: 1, to: 7 }, question: \"{{ mate.name }}?\" } ] } ]
";

#[test]
fn a_prompt_is_found_by_any_part_of_its_place_in_any_pass() {
    let place = tempfile::tempdir().unwrap();
    write_file(place.path(), "own/scenario.yaml", LOOPS);
    let seats = "models: { sim: { simulated: {} } }\nseats: [ { name: P, model: sim }, { name: Q, model: sim } ]\n";
    let config = write_file(place.path(), "config.yaml", format!("experiment: loops\nscenario: own\nseed: 5\n{seats}"));
    let show = |what: &str| ekklesia(&["check", text(&config), "--show", what]);
    for (at, expected) in [
        ("P:talk@2:2:statement", "talk@2 round 2"),
        ("P:talk@2:2", "talk@2 round 2"),
        ("P:talk@2:statement", "talk@2 round 1"),
        ("P:talk@2#2", "talk@2 round 2"),
        ("P:talk:2:statement", "talk@1 round 2"),
        ("P:2:statement", "talk@1 round 2"),
        ("P:probe@2:ballot", "probe@2 round 0"),
        ("P:deep@2.1:1:statement", "deep@2.1 round 1"),
        ("P:survey@rent:0:ask", "survey@rent round 0"),
    ] {
        let shown = show(at);
        assert!(shown.stdout.starts_with(expected), "{at}: {shown:#?}");
    }
    let there = "it is asked at talk@2:1:statement, talk@2:2:statement";
    show("P:talk@2:3:statement").says(2, &["never asked there; it", there]);
    show("P:talk@2:ballot").says(2, &["never asked there; it", there]);
    let numbered =
        "never asked there, because passes have numbers unless their order is fixed, as in quiz@1; it is asked at";
    show("P:quiz@rent").says(2, &[numbered]);
    show("P:liking@Q").says(2, &["because passes for seats have numbers, as in liking@1; it is asked at"]);
    show("P:talk@3").says(2, &["it is asked at talk@1:1:statement, talk@1:2:statement, talk@2:1:statement"]);
    show("P:talkk@2:2:statement").says(2, &["did you mean \"talk@2\"?"]);
    show("P:talk:2:statement:1").says(2, &["expected SEAT:PHASE@PASS:ROUND:STEP"]);
}

#[test]
fn a_seat_that_an_arm_asks_nothing_is_told_to_be_asked_nothing() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("own")).unwrap();
    let scenario = "scenario: own\nparameters: { helped: { type: bool, default: false } }\nagenda:\n  \
                    - { name: talk, who: [P], discussion: { rounds: 1 } }\n  \
                    - { name: help, who: [Q], when: parameters.helped, discussion: { rounds: 1 } }\n";
    std::fs::write(place.path().join("own/scenario.yaml"), scenario).unwrap();
    let seats = "models: { sim: { simulated: {} } }\nseats: [ { name: P, model: sim }, { name: Q, model: sim } ]\n";
    let arms = "design: { factors: { helped: { key: parameters.helped, levels: { without: false, with: true } } } }\n";
    let config =
        write_file(place.path(), "config.yaml", format!("experiment: asked\nscenario: own\nseed: 5\n{seats}{arms}"));
    let show = |arm: &str| ekklesia(&["check", text(&config), "--show", "Q:statement", "--arm", arm]);
    show("without").says(2, &["--show Q:statement: Q is asked nothing in the arm without"]);
    show("with").says(0, &["help round 1"]);
}

#[test]
fn a_mistake_is_told_as_json_to_those_who_ask() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &format!("{SIMULATED}{TWO}sead: 3\n"));
    let told = ekklesia(&["check", "--json", text(&config)]);
    let problems: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(told.code, Some(2));
    let run = ekklesia(&["run", "--json", text(&config), "--out", text(&place.path().join("out"))]);
    assert_eq!((run.code, run.stdout), (told.code, told.stdout));
    assert_eq!((&problems["problems"][0]["line"], &problems["problems"][0]["path"]), (&7.into(), &"sead".into()));
}

#[test]
fn a_pilot_has_a_folder_of_its_own_and_tells_what_the_whole_takes() {
    let (place, server) = (tempfile::tempdir().unwrap(), Server::start());
    let body = mixed(&server.base_url(), "fixed")
        .replace("timeout_s: 20", "timeout_s: 20, price: { input_per_mtok: 1, output_per_mtok: 2 }");
    let config = write_config(place.path(), &format!("{body}replicates: 5\n"));
    let (out, pilot) = (place.path().join("out"), place.path().join("out-pilot"));
    let run = |more: &[&str]| ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat());
    let told = run(&["--pilot", "2", "--progress", "60"]);
    let last = told.stderr.lines().rfind(|line| line.starts_with("run ")).unwrap();
    assert!(last.starts_with("run 2 of 2 sessions · ") && last.contains(" calls · "), "{last}");
    let whole = format!("run it all  ekklesia run {} --out {}", config.display(), out.display());
    told.tells(&[
        "2 of 5 replicates an arm",
        "5 sessions, judged by 2",
        "model calls",
        "about $0.0",
        "calls a second",
        "at once on average",
        &whole,
    ]);
    assert!(!out.exists() && pilot.join("sessions/baseline-r000002").is_dir());
    let calls = server.requests();
    run(&["--pilot", "3"]).says(0, &["judged by 3"]);
    assert!(pilot.join("sessions/baseline-r000003").is_dir() && server.requests() > calls);
    run(&["--pilot", "5"]).says(2, &["--pilot 5 is no pilot: an arm has 5 replicates in all"]);
    let told = run(&["--pilot", "3", "--json"]);
    let outlook: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(outlook["pilot"]["folder"], text(&pilot));
    let pace = &outlook["whole"]["pace"];
    assert!(pace["calls_per_second"].as_f64().unwrap() > 0.0 && pace["sessions_at_once"].as_f64().unwrap() >= 1.0);
    assert_eq!((&outlook["whole"]["measured"], &outlook["whole"]["sessions"]), (&3.into(), &5.into()));
}

#[test]
fn simulated_sessions_of_a_pilot_are_those_of_the_whole() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &format!("{SIMULATED}{TWO}replicates: 3\n"));
    let out = place.path().join("out");
    let run =
        |more: &[&str]| ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat()).says(0, &[]).code;
    run(&["--pilot", "1"]);
    run(&[]);
    let session = |root: &Path| root.join("sessions/baseline-r000001");
    assert_same(&session(&out), &session(&place.path().join("out-pilot")));
    assert!(!contents(&session(&out)).is_empty());
}

#[test]
fn a_giant_design_is_foreseen_and_not_begun_unasked() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let config = write_config(place.path(), &format!("{SIMULATED}{TWO}replicates: 1000000\n"));
    ekklesia(&["check", text(&config)]).says(0, &["1 000 000 sessions"]);
    let told = ekklesia(&["run", text(&config), "--out", text(&out)]);
    told.says(2, &["1 000 000 sessions, no model calls", "--yes", "forecast"]);
    assert!(!out.exists());
    let config =
        write_config(place.path(), &with_model("answers: anchored", "replicates: 99999\ndiscussion: { rounds: 9 }\n"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(2, &["up to 1 999 980 model calls", "--yes"]);
    assert!(!out.exists());
}

#[test]
fn arms_that_differ_in_the_number_of_questions_have_one_agenda_with_bounds_around_both() {
    let sizes = "{ set: { small: { seats: [ { count: 3 } ] }, large: { seats: [ { count: 5 } ] } } }";
    let told =
        checked(&format!("{SIMULATED}{TWO}discussion: {{ rounds: 2 }}\ndesign: {{ factors: {{ size: {sizes} }} }}\n"));
    let line =
        |phase: &str, does: &str, questions: &str| format!("\n{:<68}{questions:>12}\n", format!("   {phase}: {does}"));
    told.says(0, &[&line("discussion", "talk, 2 rounds", "6 – 10"), &line("vote", "vote", "3 – 5")]);
    assert_eq!(told.stdout.matches("\n agenda").count(), 1, "{told:#?}");
}

#[test]
fn a_talk_of_one_drawn_seat_asks_as_often_as_it_does_whomever_each_item_draws() {
    let place = tempfile::tempdir().unwrap();
    let rows: String = (1..=6).map(|n| format!("q{n},Question {n}?\n")).collect();
    fs::write(place.path().join("questions.csv"), format!("qid,question\n{rows}")).unwrap();
    let agenda = "agenda:
  - { name: sides, assign: { side: { roles: { pro: 1, contra: 1 }, by: lot } } }
  - { name: case, who: pro, discussion: { rounds: 3 } }
  - { name: vote, vote: {} }
";
    let more = format!("{SIMULATED}{TWO}items: {{ file: questions.csv, id: qid, text: question }}\n");
    let more = more.replace("seat_defaults: { model: sim }\n", "");
    let config = write_agenda(place.path(), agenda, &more);
    let line = |does: &str, questions: &str| format!("\n{:<68}{questions:>12}\n", format!("   {does}"));
    let told = ekklesia(&["check", text(&config)]);
    told.says(
        0,
        &[&line("case: talk, 3 rounds · who pro", "3"), &line("vote: vote", "2"), "asked of simulated seats: 60"],
    );
}

#[test]
fn texts_are_read_where_a_block_goes_through_them_and_where_one_is_printed() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: write, ask: [ { id: query, text: { chars: [1, 80] }, keep_as: query, question: Your question? } ] }
  - name: plenary
    for: { each: query, as: this }
    phases:
      - { name: read_out, brief: { text: \"{{ this.letter }}: {{ this.text }}\" } }
      - { name: pause, brief: { text: Think. } }";
    let config = write_agenda(place.path(), agenda, "");
    ekklesia(&["check", text(&config)]).says(0, &["\n   query                 write → plenary, read_out"]);
}

#[test]
fn a_role_that_takes_part_is_named_alone_where_all_its_seats_have_a_part() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "roles: { citizen: { seats: 1 }, moderator: { seats: 1 }, expert: { seats: 1, speaks: false } }
agenda:
  - { name: opening, who: moderator, discussion: { rounds: 1 } }
  - { name: plenary, who: seat.index > 1, discussion: { rounds: 1 } }";
    let seats = "models: { sim: { simulated: {} } }
seats: [ { name: Ann, role: citizen }, { name: Bob, role: moderator }, { name: Cleo, role: expert } ]
";
    let config = write_agenda(place.path(), agenda, seats);
    let lines = ["who moderator  ", "who seat.index > 1, of the"];
    ekklesia(&["check", text(&config)]).says(0, &lines);
}

#[test]
fn a_scenario_in_the_folder_of_the_config_is_found_from_within() {
    let place = tempfile::tempdir().unwrap();
    fs::write(
        place.path().join("scenario.yaml"),
        "scenario: own\nagenda: [ { name: talk, discussion: { rounds: 1 } } ]\n",
    )
    .unwrap();
    let config = format!("experiment: t\nscenario: .\nseed: 1\n{SIMULATED}{TWO}");
    fs::write(place.path().join("config.yaml"), config).unwrap();
    let mut program = std::process::Command::new(crate::fixtures::sample::program());
    let told = program.current_dir(place.path()).args(["check", "config.yaml"]).output().unwrap();
    assert!(told.status.success(), "{told:?}");
}

#[test]
fn of_many_arms_the_first_and_the_last_are_shown() {
    let levels = (10..50).map(|length| length.to_string()).collect::<Vec<_>>().join(", ");
    let factors = format!(
        "design: {{ factors: {{ cut: {{ key: memory.statement_max_length, levels: [{levels}] }}, rule: {{ key: decision.rule, levels: [majority, unanimity] }} }} }}\n"
    );
    let told = checked(&format!("{SIMULATED}{TWO}replicates: 2\n{factors}"));
    told.says(
        0,
        &["80 arms", "160 sessions", "… 68 more arms …", "10-majority", "49-unanimity", "16 of 80 different plans"],
    );
    assert!(!told.stdout.contains("25-majority"));
}

#[test]
fn check_prints_what_each_factor_sets_and_warns_about_texts_that_nobody_reads() {
    let place = tempfile::tempdir().unwrap();
    let config = |factors: &str, model: &str| {
        let body = format!(
            "replicates: 2\nmodels: {{ m: {model} }}\nseat_defaults: {{ model: m }}\n\
             seats: [{{ count: 3, name: \"M {{n}}\" }}]\ndesign:\n  factors:\n{factors}"
        );
        write_config(place.path(), &body)
    };
    let said = "interventions: [ { at: { phase: discussion, round: 2 }, text: It is safe. } ]";
    let expert = format!("    expert: {{ set: {{ none: {{ interventions: [] }}, told: {{ {said} }} }} }}\n");
    let talk = "    talk: { key: discussion.rounds, levels: { short: 2, long: 4 } }\n";
    let simulated = "{ simulated: {} }";
    let unread = "the levels of the factor expert differ only in texts (interventions)";
    let told = ekklesia(&["check", text(&config(&format!("{expert}{talk}"), simulated))]);
    told.says(0, &["interventions: [] (none), ", "(told)", "discussion.rounds: 2 (short), 4 (long)", unread]);
    assert_eq!(told.stdout.matches("differ only in texts").count(), 1, "{told:?}");
    assert!(told.stdout.lines().all(|line| line.chars().count() <= 80), "{told:?}");
    // A language model reads, and a factor that also sets something else acts through that.
    let model = "{ openai: { base_url: \"http://127.0.0.1:9/v1\", model: gpt-4o } }";
    let both = expert.replace("told: {", "told: { discussion.rounds: 4,");
    for (factors, model) in [(&expert, model), (&both, simulated)] {
        let told = ekklesia(&["check", text(&config(factors, model))]);
        assert!(!told.says(0, &["interventions: "]).stdout.contains("differ only in texts"), "{told:?}");
    }
    let metric = format!("{}primary: {{ metric: happiness }}\n", talk);
    let told = ekklesia(&["check", text(&config(&metric, simulated))]);
    let told = told.says(2, &["sessions.csv has no column \"happiness\"", "the nearest of its columns are "]);
    assert!(!told.stderr.contains("plan_digest") && told.stderr.lines().all(|line| line.len() < 200), "{told:?}");
    let named = "{ anthropic: { model: claude-opus-4-6 } }";
    ekklesia(&["check", text(&config(talk, named))]).says(2, &["write { openai: { server: anthropic, model: … } }"]);
}

/// Worked out by hand: contributions are missing where an answer stays invalid, and what is computed puts a number in their place or adds up.
#[test]
fn values_are_told_with_where_they_are_set_and_read_and_whether_they_may_be_missing() {
    let config = repository().join("configs/public_goods.yaml");
    let told = ekklesia(&["check", text(&config), "--json"]);
    let design: Value = serde_json::from_str(&told.says(0, &[]).stdout).unwrap();
    let values = design["arms"][0]["values"].as_array().unwrap();
    let told = |value: &Value| {
        let list = |key: &str| {
            let names = value[key].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            names.collect::<Vec<_>>().join(" ")
        };
        let missing = value["may_be_missing"].as_bool().unwrap();
        (value["name"].as_str().unwrap().to_owned(), list("set_in"), list("read_in"), missing)
    };
    let expected = [
        ("c", "contribute", "gross shown", true),
        ("gross", "gross", "shown net", false),
        ("p", "punish", "net", true),
        ("net", "net", "payment", false),
    ];
    let expected =
        expected.map(|(name, set, read, missing)| (name.to_owned(), set.to_owned(), read.to_owned(), missing));
    assert_eq!(values.iter().map(told).collect::<Vec<_>>(), expected);
}

/// A table's scribe writes its draft, and the rules of seats read a hunch and, in a vote, an answer.
#[test]
fn a_value_is_read_by_whoever_reads_a_part_of_it_and_by_the_rules_of_seats() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: guess, compute: { seat.hunch: seat.index * 10, unread: 1 } }
  - { name: match, assign: { table: { groups: { count: 1 }, by: lot } } }
  - name: tables
    groups: table
    phases:
      - { name: pen, assign: { part: { roles: { scribe: 1, drafter: rest }, by: lot } } }
      - { name: write, who: scribe, ask: [ { id: words, text: { chars: [1, 80] }, question: Your draft? } ] }
      - { name: hand_over, compute: { group.new: scribe.words } }
  - { name: first, ask: [ { id: p, number: { min: 0, max: 100 }, question: How sure? } ] }
  - { name: final, vote: {} }";
    let seats = "models: { sim: { simulated: {} } }
seats: [ { count: 3, mind: { rule: { words: seat.name, p: seat.hunch, final: '\"for\" if seat.p > 20 else \"against\"' } } } ]
";
    let config = write_agenda(place.path(), agenda, seats);
    let told = ekklesia(&["check", text(&config)]);
    let lines = [
        "\n   hunch                 guess → first\n",
        "\n   unread                guess → read nowhere\n",
        "\n   scribe                pen → write, hand_over\n",
        "\n   drafter               pen → read nowhere\n",
        "\n   words                 write → hand_over; may be missing\n",
        "\n   p                     first → final; may be missing\n",
    ];
    told.says(0, &lines);
}
