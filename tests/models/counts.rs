//! What prompts are counted by: every text of a talk is written and counted once, and the counts are those of the whole prompt.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use crate::fixtures::trial;
use ekklesia::engine::Supposed;
use ekklesia::plan::Plan;
use ekklesia::session::{QuestionWording, RehearsalCourse, RehearsedQuestion, rehearse_session};
use ekklesia::text::{CountedText, tokens_at_most, word_count};

/// A talk of three seats that think before they speak, under a memory.
fn talk(rounds: u32, memory: &str) -> String {
    format!(
        "
models:
  small: {{ openai: {{ base_url: \"http://127.0.0.1:1/v1\", model: played, max_tokens: 60, context_window: 100000 }} }}
seat_defaults: {{ model: small }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, persona: \"You said: “No — never.”\" }}]
discussion: {{ rounds: {rounds}, order: fixed, vote: at_end, private_reasoning: true }}
straw_polls: [before]
memory: {memory}
"
    )
}

/// Sees every question of the longest session.
fn see_all(plan: &Plan, mut see: impl FnMut(&RehearsedQuestion<'_>)) {
    let mut witness = |put: &RehearsedQuestion<'_>| {
        see(put);
        ControlFlow::Continue(())
    };
    rehearse_session(plan, &plan.longest_agents(), (RehearsalCourse::LONGEST, Supposed::Long), &mut witness).unwrap();
}

#[test]
fn counts_are_those_of_the_whole_prompt_counted_anew_under_every_memory() {
    for memory in trial::POLICIES {
        let plan = trial::plan(&talk(5, memory));
        let agents = plan.longest_agents();
        let mut prompts = 0;
        see_all(&plan, |put| {
            let wording = put.wording.unwrap();
            let anew = QuestionWording::for_model(&plan, &agents, put.query, &plan.models[0]).unwrap();
            assert_eq!(*wording, anew, "{memory}: {}", put.query.id);
            let contents: Vec<String> = wording.messages.iter().map(|message| message.content()).collect();
            let of_all = |count: fn(&str) -> u64| contents.iter().map(|content| count(content)).sum::<u64>();
            // What a chat template puts around each message is counted with the tokens.
            let frames = 8 * contents.len() as u64;
            assert_eq!(wording.tokens_at_least(), of_all(word_count), "{memory}: {}", put.query.id);
            assert_eq!(wording.tokens_at_most(), frames + of_all(tokens_at_most), "{memory}: {}", put.query.id);
            prompts += 1;
        });
        assert!(prompts > 30, "{memory}: {prompts}");
    }
}

/// For each question how many texts no earlier prompt showed, and how many it shows in all.
fn new_texts(rounds: u32) -> Vec<(usize, usize)> {
    let plan =
        trial::plan(&talk(rounds, "{ policy: full, history_in_brief: full, public_history_max_length: 10000000 }"));
    let (mut known, mut counts): (Vec<CountedText>, _) = (Vec::new(), Vec::new());
    see_all(&plan, |put| {
        let texts: Vec<CountedText> =
            put.wording.unwrap().messages.iter().flat_map(|message| message.texts()).cloned().collect();
        let new: Vec<CountedText> =
            texts.iter().filter(|text| !known.iter().any(|other| other.is_same_copy(text))).cloned().collect();
        counts.push((new.len(), texts.len()));
        known.extend(new);
    });
    counts
}

#[test]
fn a_question_writes_and_counts_no_more_texts_after_a_long_talk_than_after_a_short_one() {
    let most = |counts: &[(usize, usize)]| counts.iter().map(|(new, _)| *new).max().unwrap();
    let (short, long) = (new_texts(4), new_texts(20));
    let shown = |counts: &[(usize, usize)]| counts.iter().map(|(_, all)| *all).max().unwrap();
    assert!(shown(&long) > 2 * shown(&short), "{} and {} texts", shown(&long), shown(&short));
    assert_eq!(most(&long), most(&short));
}
