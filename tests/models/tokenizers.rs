//! Models' own tokenizers: what is counted by them and what is not, and what the estimate beside them is worth.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::fixtures::cli::{Server, ekklesia, text};
use crate::fixtures::trial::write_config;

/// A table of two models and a mind that talk for a while, in so small a window.
fn body(base_url: &str, model: &str, more: &str) -> String {
    format!(
        "
models:
  small: {{ openai: {{ base_url: \"{base_url}\", model: played, max_tokens: 60, timeout_s: 20{model} }} }}
  sim: {{ simulated: {{}} }}
seat_defaults: {{ model: small }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}]
discussion: {{ rounds: 8, order: fixed, vote: at_end }}
{more}"
    )
}

#[cfg(not(feature = "tokenizers"))]
#[test]
fn a_program_without_tokenizers_says_how_to_build_one_with_them() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body("http://127.0.0.1:1/v1", ", tokenizer: o200k_base", ""));
    let told = ekklesia(&["check", text(&config)]);
    told.says(2, &["built without o200k_base", "cargo build --release --features tokenizers", "config.yaml:"]);
    // What is no tokenizer is none in any program, and without the key nothing is refused.
    let config = write_config(place.path(), &body("http://127.0.0.1:1/v1", ", tokenizer: o300k", ""));
    ekklesia(&["check", text(&config)]).says(2, &["o200k_base"]);
    let config = write_config(place.path(), &body("http://127.0.0.1:1/v1", ", context_window: 8192", ""));
    ekklesia(&["check", text(&config)]).says(0, &[]);
    assert_eq!(Server::start().requests(), 0);
}

#[cfg(feature = "tokenizers")]
mod built_in {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use ekklesia::domain::{Digest, Query};
    use ekklesia::engine::{Deliberation, Next};
    use ekklesia::plan::{OpenAiModel, Plan};
    use ekklesia::session::QuestionWording;
    use ekklesia::text::{Tokenizer, tokens_at_most};
    use proptest::prelude::*;
    use serde_json::Value;

    use crate::fixtures::{cli, trial};

    use super::*;

    const OWN: &str = ", tokenizer: o200k_base, context_window: 450";

    #[test]
    fn texts_have_the_tokens_that_the_reference_counts() {
        // Source: OpenAI Cookbook, "How to count tokens with tiktoken": o200k, cl100k, p50k, r50k.
        for (text, expected) in [
            ("antidisestablishmentarianism", [6, 6, 5, 5]),
            ("2 + 2 = 4", [7, 7, 5, 5]),
            ("お誕生日おめでとう", [8, 9, 14, 14]),
            ("tiktoken is great!", [6, 6, 6, 6]),
            ("", [0, 0, 0, 0]),
        ] {
            assert_eq!(Tokenizer::ALL.map(|tokenizer| tokenizer.count_tokens(text)), expected, "{text}");
        }
        let special = Tokenizer::ALL.map(|tokenizer| tokenizer.count_tokens("<|endoftext|>"));
        assert!(special.iter().all(|tokens| *tokens > 1), "a seat may write the words of a special token: {special:?}");
    }

    #[test]
    fn the_estimate_errs_high_in_prose_but_for_languages_that_are_named() {
        let table = fs::read_to_string(trial::repository().join("tests/data/prose/declaration.tsv")).unwrap();
        let prose: Vec<(&str, &str)> = table.lines().skip(1).map(|line| line.split_once('\t').unwrap()).collect();
        assert!(prose.len() > 20);
        let of_old = "Czech Dutch Finnish German Hungarian Indonesian Italian Polish Spanish Swahili Swedish Turkish";
        for (tokenizer, lower, least) in [
            (Tokenizer::O200kBase, "Swahili", 0.95),
            (Tokenizer::Cl100kBase, "Dutch Finnish Indonesian Swahili", 0.7),
            (Tokenizer::P50kBase, of_old, 0.7),
            (Tokenizer::R50kBase, of_old, 0.7),
        ] {
            let ratio = |text: &str| tokens_at_most(text) as f64 / tokenizer.count_tokens(text) as f64;
            let mut found: Vec<&str> =
                prose.iter().filter(|(_, text)| ratio(text) < 1.0).map(|(name, _)| *name).collect();
            found.sort_unstable();
            assert_eq!(found.join(" "), lower, "{}", tokenizer.as_str());
            assert!(prose.iter().all(|(_, text)| ratio(text) >= least), "{}", tokenizer.as_str());
        }
        // What this project says of itself in English, with its tables and code.
        for path in ["README.md", "ARCHITECTURE.md", "GLOSSARY.md", "docs/src/reference/memory.md"] {
            let text = fs::read_to_string(trial::repository().join(path)).unwrap();
            for tokenizer in Tokenizer::ALL {
                assert!(tokens_at_most(&text) > tokenizer.count_tokens(&text), "{path} by {}", tokenizer.as_str());
            }
        }
    }

    #[test]
    fn no_text_is_too_long_or_too_strange_to_be_counted() {
        for (text, least) in [
            (" ".repeat(1_500_000), 1),
            (format!("{}a", " ".repeat(1_100_000)), 1),
            ("\n ".repeat(100_000), 1),
            ("x".repeat(300_000), 1_000),
            ("🙂".repeat(50_000), 10_000),
            ("\u{600}".repeat(50_000), 10_000),
        ] {
            let tokens = Tokenizer::O200kBase.count_tokens(&text);
            assert!((least..=text.len() as u64).contains(&tokens), "{tokens}");
        }
    }

    proptest! {
        #[test]
        fn a_token_has_a_byte_at_least(text in "\\PC{0,200}", which in 0..4usize) {
            let tokens = Tokenizer::ALL[which].count_tokens(&text);
            prop_assert!(tokens <= text.len() as u64);
            prop_assert_eq!(tokens, Tokenizer::ALL[which].count_tokens(&text));
        }
    }

    /// The first question to a model, and the plan's own words for it.
    fn wording(plan: &Plan, model: &OpenAiModel) -> QuestionWording {
        let mut deliberation = Deliberation::convene(plan, 1);
        loop {
            let draft = match deliberation.next() {
                Next::Declare(draft) => *draft,
                Next::Ask(queries) => {
                    let query: &Query<'_> = &queries[0];
                    return QuestionWording::for_model(plan, &plan.agents(1), query, model).unwrap();
                }
                Next::Adjourned(_) | Next::Undefined { .. } => panic!("a model is asked"),
            };
            let record = deliberation.minute(draft);
            deliberation.evolve(&record);
        }
    }

    #[test]
    fn what_is_counted_may_fill_the_whole_window_to_the_last_token() {
        let plan = trial::plan(&body("http://127.0.0.1:1/v1", OWN, ""));
        let own = &plan.models[0];
        let tokens = wording(&plan, own).tokens_at_most();
        let counted: u64 = wording(&plan, own)
            .messages
            .iter()
            .map(|message| 8 + Tokenizer::O200kBase.count_tokens(&message.content()))
            .sum();
        assert_eq!(tokens, counted, "with what a chat template puts around a message");
        let estimated = OpenAiModel { tokenizer: None, ..own.clone() };
        assert!(wording(&plan, &estimated).tokens_at_most() > tokens);
        assert_eq!(wording(&plan, &estimated).tokens_at_most(), wording(&plan, own).tokens_estimated());
        for (room, is_too_long) in [(tokens, false), (tokens - 1, true), (0, true), (100_000, false)] {
            let window = Some((room + u64::from(own.max_tokens)) as u32);
            let model = OpenAiModel { context_window: window, ..own.clone() };
            assert_eq!(wording(&plan, &model).is_too_long(&model), is_too_long, "{room}");
        }
    }

    #[test]
    fn the_margin_is_for_estimates_and_for_whoever_writes_one() {
        let usable = |model: &str, more: &str| {
            let plan = trial::plan(&body("http://127.0.0.1:1/v1", model, more));
            (plan.models[0].usable_window().unwrap(), plan.digest.clone())
        };
        let of = [
            usable(", context_window: 1000", ""),
            usable(", context_window: 1000", "memory: { context_margin: 0.9 }\n"),
            usable(", context_window: 1000, tokenizer: o200k_base", ""),
            usable(", context_window: 1000, tokenizer: o200k_base", "memory: { context_margin: 0.8 }\n"),
            usable(", context_window: 1000, tokenizer: o200k_base", "memory: { context_margin: 0.9 }\n"),
            usable(", context_window: 1000, tokenizer: cl100k_base", ""),
        ];
        assert_eq!(of.clone().map(|(usable, _)| usable), [800, 900, 1000, 800, 900, 1000]);
        let digests: BTreeMap<String, Digest> =
            of.into_iter().map(|(_, digest)| (digest.to_string(), digest)).collect();
        assert_eq!(digests.len(), 6, "each is a session of its own");
        let written = usable(", context_window: 1000", "memory: { context_margin: 0.8 }\n");
        assert_eq!(written, usable(", context_window: 1000", ""), "without a tokenizer nothing else changes");
    }

    /// How many questions of a folder's only session were too long, and the greatest prompt that was sent, as it is counted.
    fn asked(server: &Server, results: &Path) -> (usize, u64) {
        let minutes = cli::json_lines(&results.join("sessions/baseline-r000001/minutes.jsonl"));
        let too_long =
            minutes.iter().filter(|record| record["event"]["Faulted"]["fault"] == "context_too_long").count();
        let tokens = |body: &Value| -> u64 {
            let messages = body["messages"].as_array().unwrap().iter();
            messages.map(|message| 8 + Tokenizer::O200kBase.count_tokens(message["content"].as_str().unwrap())).sum()
        };
        (too_long, server.bodies().iter().map(tokens).max().unwrap())
    }

    #[test]
    fn more_is_shown_where_prompts_are_counted_and_the_session_is_made_again_offline() {
        let (place, server) = (tempfile::tempdir().unwrap(), Server::start());
        let folder = place.path();
        let estimated = write_config(folder, &body(&server.base_url(), ", context_window: 450", ""));
        let first = folder.join("estimated");
        ekklesia(&["run", text(&estimated), "--out", text(&first)]).says(0, &[]);
        let (refused, largest) = asked(&server, &first);
        assert!(refused > 3 && largest + 60 <= 360, "{refused} {largest}");
        let server = Server::start();
        let counted = write_config(folder, &body(&server.base_url(), OWN, ""));
        let second = folder.join("counted");
        ekklesia(&["run", text(&counted), "--out", text(&second)]).says(0, &[]);
        let (fewer, more) = asked(&server, &second);
        assert!(fewer < refused && more > largest && more + 60 <= 450, "{fewer} {more}, {refused} {largest}");
        let calls = server.requests();
        let again = folder.join("again");
        ekklesia(&["replay", text(&second)]).says(0, &["no divergence"]);
        cli::copy_recorded(&second, &again);
        ekklesia(&["run", text(&counted), "--offline", "--out", text(&again)]).says(0, &[]);
        cli::assert_same(&second, &again);
        assert_eq!(server.requests(), calls);
        let session = second.join("sessions/baseline-r000001");
        ekklesia(&["context", text(&session), "--seat", "Alice"])
            .says(0, &["counted as o200k_base does", "window 450"]);
        let session = first.join("sessions/baseline-r000001");
        ekklesia(&["context", text(&session), "--seat", "Alice"]).says(0, &["an estimate that errs high"]);
    }

    #[test]
    fn what_memories_hold_is_estimated_whatever_the_tokenizer() {
        let (place, server) = (tempfile::tempdir().unwrap(), Server::start());
        let memory = "memory: { policy: { window: { tokens: 120 } } }\n";
        let told = |model: &str, name: &str| {
            let config = write_config(place.path(), &body(&server.base_url(), model, memory));
            let results = place.path().join(name);
            ekklesia(&["run", text(&config), "--out", text(&results)]).says(0, &[]);
            let minutes = cli::json_lines(&results.join("sessions/baseline-r000001/minutes.jsonl"));
            assert!(
                minutes
                    .iter()
                    .filter(|record| cli::statement_of(record).is_some())
                    .any(|record| record["event"]["Answered"]["given"]["shown"]["omitted"].as_u64() > Some(3))
            );
            // The first record tells which plan it is.
            minutes[1..].to_vec()
        };
        let estimated = told(", context_window: 8192", "estimated");
        assert_eq!(told(", context_window: 8192, tokenizer: r50k_base", "counted"), estimated);
    }
}
