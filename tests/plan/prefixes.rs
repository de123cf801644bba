//! How much of a seat's prompt the next one begins with: what a server need not read again.

use std::collections::BTreeMap;

use ekklesia::domain::Language;

use super::languages::{plan, prompts};

/// The share of the characters of each prompt with which the seat's next prompt begins, on the average over all pairs.
fn share_kept(config: &str, set: &[&str]) -> f64 {
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    let mut shares = Vec::new();
    // Each question is put in two forms, of which one is looked at.
    for (question, words) in prompts(&plan(config, set, Language::En)).into_iter().step_by(2) {
        let of = question.rsplit(" of ").next().expect("a question names its seat");
        let seat = of.split(" (attempt").next().unwrap_or(of).to_owned();
        if let Some(before) = last.insert(seat, words.clone()) {
            let same = before.chars().zip(words.chars()).take_while(|(before, now)| before == now).count();
            shares.push(same as f64 / before.chars().count() as f64);
        }
    }
    shares.iter().sum::<f64>() / shares.len() as f64
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn successive_prompts_of_a_seat_begin_alike() {
    // Statements as long as models make them, so that the question at the end, which is another each time, weighs as it does there.
    for (config, set, least) in [
        ("configs/motion-languages.yaml", &["discussion.rounds=4", "discussion.statement_min_length=600"][..], 0.9),
        (
            "configs/justice.yaml",
            &["discussion.rounds=4", "discussion.statement_min_length=600", "controls.option_order=fixed"],
            0.75,
        ),
    ] {
        let share = share_kept(config, set);
        assert!(share >= least, "{config}: {share}");
        println!("{config}: {share}");
    }
}
