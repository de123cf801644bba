//! Every kind of warning of `check` has a config that it is printed for, one that it is not, and can be allowed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{repository, write_config, write_file, write_justice, write_motion_agenda};
use ekklesia::report::LINTS;
use serde_json::Value;

const SIMULATED: &str =
    "models: { m: { simulated: {} } }\nseat_defaults: { model: m }\nseats: [{ name: Al }, { name: Bo }]\n";
const MODEL: &str = "model: m, context_window: 1000000";
const TALK: &str = "discussion: { rounds: 4, vote: at_end }\n";
const RULES: &str = "rule: { key: decision.rule, levels: [majority, unanimity] }";

/// A config on the shipped motion with seats that a language model answers for.
fn asked(model: &str, rest: &str) -> String {
    format!(
        "models: {{ m: {{ openai: {{ base_url: \"http://127.0.0.1:1/v1\", max_tokens: 400, {model} }} }} }}\nseat_defaults: {{ model: m }}\n\
         seats: [{{ name: Al }}, {{ name: Bo }}, {{ name: Cy }}]\n{rest}"
    )
}

/// Two configs for a kind of warning: one that it is printed for, and one that it is not.
struct Case {
    lint: &'static str,
    warned: String,
    quiet: String,
}

impl Case {
    /// Two bodies that differ in one passage.
    fn new(lint: &'static str, body: &str, (warned, quiet): (&str, &str)) -> Self {
        Self { lint, warned: body.replace("VARIED", warned), quiet: body.replace("VARIED", quiet) }
    }

    fn simulated(lint: &'static str, rest: &str, varied: (&str, &str)) -> Self {
        Self::new(lint, &format!("{SIMULATED}{rest}\n"), varied)
    }
}

/// Those on designs.
fn design_cases() -> Vec<Case> {
    let shuffled = |rest: &str| {
        format!(
            "replicates: 2\ndesign: {{ factors: {{ memory: {{ key: memory.policy, levels: [full, shuffled] }}{rest} }}, baseline: {{ memory: full"
        )
    };
    let persona = "design: { factors: { who: { key: seats.Bo.persona, levels: { low: You doubt., high: You trust. } } }, baseline: { who: low } }\n";
    let rules = format!("design: {{ factors: {{ {RULES} }}, baseline: {{ rule: majority }} }}\n");
    vec![
        Case::simulated("one-replicate", "replicates: VARIED", ("1", "2")),
        Case::simulated(
            "no-baseline",
            &format!("design: {{ factors: {{ {RULES} }}VARIED }}"),
            ("", ", baseline: { rule: majority }"),
        ),
        Case::simulated(
            "announced-replicates",
            &format!(
                "replicates: 4\ndesign: {{ factors: {{ {RULES} }}, baseline: {{ rule: majority }} }}\nprimary: {{ metric: carried, replicates: VARIED }}"
            ),
            ("9", "4"),
        ),
        Case::simulated(
            "metric-over-items",
            &format!(
                "items: {{ file: items.csv, id: id, text: text, options: options, key: key }}\ndecision: {{ tie_break: lot }}\ndesign: {{ factors: {{ {RULES} }}, baseline: {{ rule: majority }} }}\nprimary: {{ metric: VARIED }}"
            ),
            ("result=a", "correct"),
        ),
        Case::simulated(
            "vote-after-vote",
            "discussion: { vote: every_round }\n# agenda: VARIED",
            ("talk again", "talk"),
        ),
        Case::simulated("conditional-result", "# VARIED", ("decided by default", "decides")),
        Case::simulated("unreachable-phase", "# when VARIED", ("1 > 2", "1 < 2")),
        Case::simulated("last-pass-only", "# reads VARIED", ("seat.share", "total(share)")),
        Case::simulated(
            "treatment-before-poll",
            "design: { factors: { dose: { key: parameters.motion, levels: { low: Do it., high: Do it now. } } }, baseline: { dose: low } }\nstraw_polls: [VARIED]",
            ("before, after", "after"),
        ),
        Case {
            lint: "unread-texts",
            warned: format!("{SIMULATED}{persona}"),
            quiet: asked(MODEL, &format!("{TALK}{persona}")),
        },
        Case {
            lint: "rule-untold",
            warned: asked(MODEL, &format!("{TALK}{rules}")),
            quiet: format!("{SIMULATED}{rules}"),
        },
        Case::simulated(
            "decision-overridden",
            &format!("replicates: 2\ndesign: {{ factors: {{ {RULES} }}, baseline: {{ rule: majority }} }}\n# VARIED"),
            ("its own rule", "the rule of the section"),
        ),
        Case::simulated("constraint-hardly-binds", "parameters: { protocol: VARIED }", ("rawls_v3", "fo1992")),
        Case::simulated("language-not-proofread", "language: VARIED", ("es", "en")),
        Case::simulated("broken-square", "discussion: { order: williams, rounds: VARIED }", ("3", "4")),
        Case::simulated(
            "lent-across-levels",
            &format!(
                "{}, talk: long }}VARIED }}",
                shuffled(", talk: { key: discussion.rounds, levels: { short: 1, long: 3 } }")
            ),
            ("", ", exclude: [{ memory: shuffled, talk: short }]"),
        ),
        Case::simulated(
            "own-counts-told",
            &format!("{} }} }}\ndiscussion: {{ vote: VARIED }}", shuffled("")),
            ("every_round", "at_end"),
        ),
    ]
}

/// Those on language models.
fn model_cases() -> Vec<Case> {
    vec![
        Case::new(
            "statements-cut",
            &asked(MODEL, &format!("{TALK}memory: {{ policy: VARIED }}\n")),
            ("{ digest: {} }", "full"),
        ),
        Case::new(
            "statements-left-out",
            &asked(MODEL, &format!("{TALK}memory: {{ public_history_max_length: VARIED }}\n")),
            ("3000", "100000"),
        ),
        Case {
            lint: "texts-held-short",
            warned: asked(MODEL, "# chars: 1500\n"),
            quiet: asked(MODEL, "# chars: 90\n"),
        },
        Case::new(
            "prompt-over-window",
            &asked("model: m, context_window: VARIED", "discussion: { rounds: 9 }\n"),
            ("1100", "1000000"),
        ),
        Case::new("window-not-given", &asked("model: gpt-4oVARIED", ""), ("", ", context_window: 100000")),
        Case::new("key-not-set", &asked(&format!("{MODEL}VARIED"), ""), (", api_key_env: EKKLESIA_NO_SUCH_KEY", "")),
        Case::new("temperature-zero", &asked(&format!("{MODEL}, temperature: VARIED"), "replicates: 4\n"), ("0", "1")),
        Case::new("limits-too-low", &asked(MODEL, "limits: { tokens: VARIED }\n"), ("10", "100000000")),
    ]
}

fn write_scenario(place: &Path, scenario: String, body: &str) -> PathBuf {
    write_file(place, "scenario.yaml", scenario);
    write_file(place, "config.yaml", format!("experiment: trial\nscenario: .\nseed: 42\n{body}"))
}

/// Writes a config on the scenario that its lint needs.
fn write_case(place: &Path, lint: &str, body: &str) -> PathBuf {
    fs::write(place.join("items.csv"), "id,text,options,key\n1,One?,Yes|No,No\n2,Two?,No|Yes,No\n").unwrap();
    match lint {
        "constraint-hardly-binds" => write_justice(place, body),
        "last-pass-only" => {
            let read = if body.contains("total") { "total(share)" } else { "seat.share" };
            let agenda = format!(
                "scenario: own\nagenda:\n  - name: turns\n    for: {{ each: everyone, as: this }}\n    phases:\n      - {{ name: guess, who: seat == \
                 this, ask: [ {{ id: share, number: {{ min: 0, max: 9 }}, question: How much? }} ] }}\n  - {{ name: sums, compute: {{ seat.kept: \
                 {read} }} }}\n"
            );
            write_scenario(place, agenda, body)
        }
        "texts-held-short" => {
            let most = if body.contains("1500") { 1500 } else { 90 };
            let agenda = format!(
                "scenario: own\nagenda:\n  - {{ name: write, ask: [ {{ id: note, text: {{ chars: [5, {most}] }}, question: Why? }} ] }}\n"
            );
            write_scenario(place, agenda, body)
        }
        "conditional-result" => {
            let decides = if body.contains("by default") { "" } else { ", decides: true" };
            let agenda = format!(
                "scenario: own\nmotion: {{ text: Yes? }}\nalternatives: [ {{ name: a, label: A }}, {{ name: b, label: B }} ]\nagenda:\n  - {{ name: first, vote: \
                 {{ rule: majority{decides} }} }}\n  - {{ name: casting, when: not first.decided, who: [Al], vote: {{ rule: majority }} }}\n"
            );
            write_scenario(place, agenda, body)
        }
        "decision-overridden" => {
            let rule = if body.contains("its own rule") { "rule: majority" } else { "open: never" };
            let agenda = format!(
                "scenario: own\nagenda:\n  - {{ name: verdict, vote: {{ over: [accept, reject], question: Which?, {rule} }} }}\n"
            );
            write_scenario(place, agenda, body)
        }
        "unreachable-phase" => {
            let condition = if body.contains("1 > 2") { "1 > 2" } else { "1 < 2" };
            let agenda = format!(
                "scenario: own\nagenda:\n  - {{ name: hear, when: {condition}, brief: {{ text: Hear. }} }}\n  - {{ name: talk, discussion: \
                 {{ rounds: 1 }} }}\n"
            );
            write_scenario(place, agenda, body)
        }
        "vote-after-vote" => {
            let again = if body.contains("talk again") { "  - { name: again, discussion: {} }\n" } else { "" };
            let agenda =
                format!("agenda:\n  - {{ name: talk, discussion: {{}} }}\n{again}  - {{ name: vote, vote: {{}} }}\n");
            write_motion_agenda(place, &agenda, &format!("experiment: trial\nscenario: own\nseed: 42\n{body}"))
        }
        _ => write_config(place, body),
    }
}

/// The kinds of warnings of a config.
fn warned(lint: &str, body: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let told = ekklesia(&["check", "--json", text(&write_case(place.path(), lint, body))]);
    let design: Value = serde_json::from_str(&told.stdout).unwrap();
    let warnings = design["warnings"].as_array().unwrap_or_else(|| panic!("{lint}: {told:#?}\n{body}"));
    warnings.iter().map(|warning| warning["lint"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_lint_has_a_config_that_it_warns_about_and_one_that_it_does_not() {
    let cases: Vec<Case> = design_cases().into_iter().chain(model_cases()).collect();
    let lints = LINTS.map(|rule| rule.lint.to_string());
    assert_eq!(cases.iter().map(|case| case.lint).collect::<Vec<_>>(), lints);
    for Case { lint, warned: body, quiet } in &cases {
        let found = |body: &str| warned(lint, body).iter().any(|found| found == lint);
        assert!(found(body), "{lint}: {body}");
        assert!(!found(quiet), "{lint}: {quiet}");
        assert!(!found(&format!("{body}allow: [{lint}]\n")), "{lint} is allowed");
    }
}

#[test]
fn a_lint_has_a_page_and_its_id_stands_behind_the_warning() {
    assert!(LINTS.is_sorted_by_key(|rule| rule.lint), "the page lists them in the order of their declaration");
    for rule in LINTS {
        assert!(repository().join("docs/src").join(rule.page).exists(), "{}: {}", rule.lint, rule.page);
    }
    let place = tempfile::tempdir().unwrap();
    let check = |allow: &str| ekklesia(&["check", text(&write_config(place.path(), &format!("{SIMULATED}{allow}")))]);
    check("").says(
        0,
        &["1 warning\n ! replicates: 1; with one session an arm there is no interval and no test", "[one-replicate]"],
    );
    assert!(!check("allow: [one-replicate]\n").says(0, &[]).stdout.contains("warning"));
    check("allow: [one-replicat]\n").says(2, &["one-replicat", "did you mean \"one-replicate\"?"]);
}

#[test]
fn what_is_allowed_is_no_part_of_what_sessions_are() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let run = |allow: &str| {
        let config = write_config(place.path(), &format!("{SIMULATED}{allow}"));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        let experiment: Value =
            serde_json::from_str(&fs::read_to_string(out.join("experiment.json")).unwrap()).unwrap();
        (fs::read_to_string(out.join("sessions.csv")).unwrap(), experiment["deviations"].clone())
    };
    let first = run("");
    assert_eq!(run("allow: [one-replicate]\n"), first);
}

/// The warnings of this kind about three models that vote on something of their own.
fn untold(agenda: &str, rest: &str) -> Vec<String> {
    untold_to(agenda, &asked(MODEL, rest))
}

/// The warnings of this kind about these seats.
fn untold_to(agenda: &str, seats: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    if agenda.contains("law") {
        let law = "{{ vote.needed }} of {{ vote.ballots }} must agree.";
        write_file(place.path(), "prompts/en/law.j2", law);
    }
    list_untold(place.path(), format!("scenario: own\nagenda:\n{agenda}"), seats)
}

/// The warnings of this kind about these seats in a scenario.
fn list_untold(place: &Path, scenario: String, seats: &str) -> Vec<String> {
    let config = write_scenario(place, scenario, &format!("replicates: 2\n{seats}"));
    let told = ekklesia(&["check", "--json", text(&config)]);
    let design: Value = serde_json::from_str(&told.stdout).unwrap();
    let warnings = design["warnings"].as_array().unwrap_or_else(|| panic!("{told:#?}"));
    let of_kind = warnings.iter().filter(|warning| warning["lint"] == "rule-untold");
    of_kind.map(|warning| warning["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_rule_that_no_template_states_is_reported_for_any_vote_and_without_a_factor() {
    let vote = |terms: &str| {
        format!("  - {{ name: verdict, vote: {{ over: [accept, reject], question: Which?, {terms} }} }}\n")
    };
    let brief = "  - { name: told, brief: { template: law } }\n";
    let factor = "design: { factors: { rule: { key: agenda.verdict.rule, levels: [majority, unanimity] } }, baseline: { rule: majority } }\n";
    for (agenda, rest, expected) in [
        (vote("rule: majority"), "", None),
        (vote("rule: majority"), factor, Some("the factor rule differ only in how votes are counted")),
        (brief.to_owned() + &vote("rule: majority"), factor, None),
        (vote("rule: unanimity"), "", Some("verdict needs unanimity, and")),
        (vote("rule: majority, otherwise: reject"), "", Some("verdict decides for reject by default, and")),
        (brief.to_owned() + &vote("rule: unanimity, otherwise: reject"), "", None),
        (vote("rule: unanimity, binding: false"), "", None),
    ] {
        let found = untold(&agenda, rest);
        match expected {
            Some(words) => assert!(found.len() == 1 && found[0].contains(words), "{agenda}{rest}: {found:?}"),
            None => assert_eq!(found, Vec::<String>::new(), "{agenda}{rest}"),
        }
    }
}

/// The built-in words about amounts say that all must name the same, and nothing about other rules.
#[test]
fn words_about_unanimity_state_no_other_rule_about_amounts() {
    let scenario = "scenario: own\nmotion: { text: How much? }\nalternatives: [ { name: floor, label: A floor, takes_amount: true } ]\n\
                    amount: { unit: euros, min: 0, max: 100 }\nagenda:\n  - { name: verdict, vote: {} }\n";
    let rules = |one: &str, other: &str| {
        format!(
            "design: {{ factors: {{ rule: {{ key: decision.rule, levels: [{one}, {other}] }} }}, baseline: {{ rule: {one} }} }}\n"
        )
    };
    for (rest, expected) in [
        (rules("unanimity", "majority"), Some("no template states the rule majority, so models may not know it")),
        (rules("median", "majority"), Some("no template states the rule, so models cannot respond to it")),
        ("decision: { rule: unanimity }\n".to_owned(), None),
        ("decision: { rule: majority }\n".to_owned(), None),
        ("decision: { rule: supermajority, threshold: 2/3 }\n".to_owned(), Some("verdict needs supermajority, and")),
    ] {
        let place = tempfile::tempdir().unwrap();
        let found = list_untold(place.path(), scenario.to_owned(), &asked(MODEL, &rest));
        match expected {
            Some(words) => assert!(found.len() == 1 && found[0].contains(words), "{rest}: {found:?}"),
            None => assert_eq!(found, Vec::<String>::new(), "{rest}"),
        }
    }
}

#[test]
fn a_rule_is_reported_as_untold_only_to_voters_who_read() {
    let seats = |seats: &str| {
        let models = "m: { openai: { base_url: \"http://127.0.0.1:1/v1\", max_tokens: 400, model: m, context_window: 1000000 } }";
        format!("models: {{ {models}, me: {{ human: {{}} }}, sim: {{ simulated: {{}} }} }}\nseats: [ {seats} ]\n")
    };
    let by_ada = "  - { name: verdict, who: seat.name == \"Ada\", vote: { over: [accept, reject], question: Which?, rule: unanimity } }\n";
    let model_apart = seats("{ name: Ada, model: sim }, { name: Ben, model: m }");
    let person = seats("{ name: Ada, model: me }, { name: Ben, model: sim }");
    let both = seats("{ name: Ada, model: me }, { name: Ben, model: m }");
    let by_all = by_ada.replace(" who: seat.name == \"Ada\",", "");
    let factor = "design: { factors: { rule: { key: agenda.verdict.rule, levels: [majority, unanimity] } }, baseline: { rule: majority } }\n";
    let section = factor.replace("agenda.verdict.rule", "decision.rule");
    let remedy = "state it in a template with vote.rule and vote.needed, or allow this if another text says it";
    for (agenda, seats, expected) in [
        (by_ada, model_apart.clone(), None),
        (by_ada, person, Some("verdict needs unanimity, and no template states it, so people may not know it")),
        (&by_all, both, Some("so models and people may not know it")),
        (&by_all, model_apart.clone(), Some("so models may not know it")),
        (by_ada, format!("{model_apart}{factor}"), None),
        (
            &by_all,
            format!("{model_apart}{factor}"),
            Some("no template states the rule, so models cannot respond to it"),
        ),
        (&by_all, format!("{model_apart}{section}"), Some("verdict needs unanimity")),
    ] {
        let found = untold_to(agenda, &seats);
        match expected {
            Some(words) => {
                let message = found.first().unwrap_or_else(|| panic!("{agenda}{seats}"));
                assert!(found.len() == 1 && message.contains(words) && message.contains(remedy), "{message}");
            }
            None => assert_eq!(found, Vec::<String>::new(), "{agenda}{seats}"),
        }
    }
}
