//! What a forecast says, and what then happens.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::sync::Arc;

use crate::fixtures::sample::{law_cases, sample_cases};
use crate::fixtures::trial::{self, read, repository, write_config, write_justice};
use ekklesia::domain::{
    Answer, Ask, Before, Consequence, Digest, Donor, Event, Fault, Faulted, FieldValue, Inquiry, Needed, Query, Record,
    Reply,
};
use ekklesia::engine::{Deliberation, Next, handed_on};
use ekklesia::minds::{Mind, rewrite_memory};
use ekklesia::plan::{Experiment, Plan, Respondent};
use ekklesia::session::{Forecast, QuestionWording, forecast_session};
use proptest::prelude::*;

/// What was asked in one session.
#[derive(Debug, Default)]
struct Asked {
    questions: u64,
    /// For each model of the plan: questions, calls, and the tokens of first tries and of all calls.
    models: Vec<[u64; 4]>,
    /// Whether a seat used up its tries, and so is no seat of a forecast.
    has_forfeits: bool,
}

/// A session in which other minds sit where models would.
fn held(plan: &Plan, replicate: u32, stand_in: &Mind) -> Asked {
    held_to_the_end(Deliberation::convene(plan, replicate), stand_in).0
}

/// The same of a session that has just begun, with its records.
fn held_to_the_end(mut deliberation: Deliberation<'_>, stand_in: &Mind) -> (Asked, Vec<Record>) {
    let (plan, replicate, mut records) = (deliberation.plan(), deliberation.replicate(), Vec::new());
    let (seed, agents) = (*deliberation.seed(), plan.agents(replicate));
    let mut asked = Asked { models: vec![[0; 4]; plan.models.len()], ..Asked::default() };
    loop {
        let drafts = match deliberation.next() {
            Next::Adjourned(_) => return (asked, records),
            Next::Undefined { reason, .. } => panic!("{reason}"),
            Next::Declare(draft) => vec![*draft],
            Next::Ask(queries) => {
                let answer = |query: &Query<'_>| {
                    // A question that is put again with what the seat asked to see is the same question.
                    let is_first = matches!(query.retry, None | Some(Fault::ContextTooLong)) && !query.shown.inquired;
                    let first = u64::from(is_first);
                    asked.questions += first;
                    let mind = match plan.respondent(query.seat, query.id.at.step) {
                        Respondent::Mind(mind) => mind,
                        Respondent::Rule => return deliberation.admit(query, rewrite_memory(&plan.motion, query)),
                        Respondent::Person(_) => stand_in,
                        Respondent::Model(place) => {
                            let tokens = QuestionWording::for_model(plan, &agents, query, &plan.models[place]).unwrap();
                            let tokens = tokens.tokens_at_most();
                            let sums = [first, 1, tokens * first, tokens];
                            asked.models[place].iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
                            if let Some(answer) = beyond_minds(query) {
                                return deliberation.admit(query, answer);
                            }
                            stand_in
                        }
                    };
                    let (written, motion) = (plan.motion_at(query.seat, &query.id.at), plan.motion_asked(query));
                    let answer = match plan.votes_on_own_options(&query.id.at) {
                        true => mind.answer_own_vote((written, motion), &seed, query),
                        false => mind.answer(motion, &seed, query),
                    };
                    deliberation.admit(query, said_in_few_words(answer.unwrap()))
                };
                queries.iter().map(answer).collect()
            }
        };
        for draft in drafts {
            asked.has_forfeits |=
                matches!(&draft.event, Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }));
            let record = deliberation.minute(draft);
            deliberation.evolve(&record);
            records.push(record);
        }
    }
}

/// The answer, with texts that no limit of a model's replies cuts; in forms they have as many lines as they can.
fn said_in_few_words(mut answer: Answer) -> Answer {
    let few = "So be it. ".repeat(4).trim().to_owned();
    let lines = "a\n".repeat(few.len() / 2) + "a";
    match &mut answer.parsed {
        Ok(Reply::Statement { text, .. }) => *text = few.as_str().into(),
        Ok(Reply::Form(values)) => {
            for value in values.iter_mut().flatten() {
                if let FieldValue::Words(words) = value
                    && words.len() > lines.len()
                {
                    *words = lines.as_str().into();
                }
            }
        }
        _ => {}
    }
    answer
}

/// What models answer and no mind does: a name for themselves, and what they want to see, which they ask for wherever they may.
fn beyond_minds(query: &Query<'_>) -> Option<Answer> {
    let reply = match &query.ask {
        Ask::Naming { taken } => Reply::Name(format!("Robin the {}th of the table", taken.len() + 1).into()),
        _ if query.offer.page => Reply::Inquiry(Inquiry::Page("report 2".to_owned())),
        _ if query.offer.look_up => Reply::Inquiry(Inquiry::LookUp("cars in the main street on Sundays".to_owned())),
        _ => return None,
    };
    Some(Answer {
        raw: String::new(),
        parsed: Ok(reply),
        field: None,
        usage: None,
        model_served: None,
        state: query.state.clone(),
    })
}

/// Says what of a session was not foreseen.
fn unforeseen(forecast: &Forecast, asked: &Asked) -> Option<String> {
    let mut found = Vec::new();
    if !forecast.questions.contains(asked.questions) {
        found.push(format!("{} questions, {:?}", asked.questions, forecast.questions));
    }
    for (load, [questions, calls, first_tokens, tokens]) in forecast.models.iter().zip(&asked.models) {
        if !load.questions.contains(*questions) || *calls > load.calls_at_most {
            found.push(format!("{questions} questions and {calls} calls to a model, {load:?}"));
        }
        if !load.prompt_tokens.contains(*first_tokens) || *tokens > load.prompt_tokens_at_most {
            found.push(format!("{first_tokens} and {tokens} tokens, {load:?}"));
        }
    }
    (!found.is_empty()).then(|| found.join("; "))
}

#[track_caller]
pub fn assert_foreseen(plan: &Plan, replicates: u32, stand_in: &Mind) {
    let forecast = forecast_session(plan).unwrap();
    for replicate in sample_cases(1..=replicates, 6) {
        let asked = held(plan, replicate, stand_in);
        if !asked.has_forfeits {
            let unforeseen = unforeseen(&forecast, &asked);
            assert_eq!(unforeseen, None, "{} {}, replicate {replicate}", plan.experiment, plan.arm);
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_happens_under_every_shipped_config_was_foreseen() {
    let entries = fs::read_dir(repository().join("configs")).unwrap().map(|entry| entry.unwrap().path());
    let is_config = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "yaml");
    let mut configs: Vec<std::path::PathBuf> = entries.filter(is_config).collect();
    configs.sort();
    for path in sample_cases(configs, 3) {
        for plan in &read(&path).arms {
            let stand_in = match plan.motion.alternatives.is_empty() {
                true => Mind::Random { malformed_ppm: 0, abstain_ppm: 0 },
                false => Mind::Voter { copy_ppm: 300_000 },
            };
            assert_foreseen(plan, 10, &stand_in);
        }
    }
}

#[test]
fn a_fixed_procedure_is_foreseen_exactly() {
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                seats: [{ count: 4, name: \"Member {n}\" }]\nstraw_polls: [before, after]\n\
                discussion: { rounds: 3, vote: at_end }\n";
    let experiment = trial::experiment(body);
    let forecast = forecast_session(&experiment.arms[0]).unwrap();
    // Two polls, three rounds of statements and one ballot, of four seats each.
    assert_eq!((forecast.questions.low, forecast.questions.high), (24, 24));
}

/// An arm of four seats with an agenda of its own.
fn arm_of_four(agenda: &str) -> Arc<Plan> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let parameters = "parameters: { on: { type: bool, default: false } }\n";
    trial::write_file(folder.path(), "scenario.yaml", format!("scenario: own\n{parameters}agenda:\n{agenda}"));
    let body = "experiment: t\nscenario: .\nseed: 1\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 4 } ]\n";
    let config = trial::write_file(folder.path(), "config.yaml", body);
    Arc::clone(&read(&config).arms[0])
}

/// The bounds of the phase `asked`, worked out by hand, and sessions that lie within all bounds.
#[test]
fn phases_that_never_take_place_and_loops_that_end_early_are_bounded() {
    let number = |more: &str| {
        format!("{{ name: asked, {more}ask: [ {{ id: x, number: {{ min: 0, max: 2 }}, question: Some? }} ] }}")
    };
    let staged = |when: &str| {
        let phase = number(&format!("when: {when}, "));
        format!(
            "  - name: loop\n    repeat: {{ times: 10 }}\n    phases:\n      - {{ name: stage, compute: {{ part: 1 if pass.number <= 5 else 2 }} }}\n      - {phase}\n"
        )
    };
    let lot = "assign: { table: { groups: { size: 2 }, by: lot } }";
    let split = format!("  - {{ name: split, {lot} }}\n");
    let seek = |groups: &str, until: &str, more: &str| {
        let phase = number(more);
        format!(
            "{{ name: seek, {groups}repeat: {{ until: {until}, max: 3 }}, phases: [ {{ name: talk, discussion: {{ rounds: 1 }} }}, {phase} ] }}\n"
        )
    };
    let twice = |phases: &str| format!("  - name: twice\n    repeat: {{ times: 2 }}\n    phases:\n{phases}");
    let (in_group, all) = ("min(group.x) == max(group.x)", "min(everyone.x) == max(everyone.x)");
    let first = "  - { name: before, ask: [ { id: y, number: { min: 0, max: 2 }, question: Some? } ] }\n";
    let joined = "  - { name: split, assign: { table: { groups: { joined: 2 }, by: 1 if seat.y > 1 else 2 } } }\n";
    let cases = [
        (staged("part == 2 and parameters.on"), (0, 0)),
        (staged("part == 2 and pass.number > 6"), (0, 16)),
        (staged("part == 2"), (0, 40)),
        (format!("  - {}", seek("", all, "")), (4, 12)),
        (format!("{split}  - {}", seek("groups: table, ", in_group, "")), (4, 12)),
        (format!("{split}  - {}", seek("groups: table, ", in_group, "heard_by: group, ")), (4, 12)),
        (twice(&format!("      - {}", seek("", all, ""))), (8, 24)),
        (format!("{split}{}", twice(&format!("      - {}", seek("groups: table, ", in_group, "")))), (8, 24)),
        (
            twice(&format!("      - {{ name: split, {lot} }}\n      - {}", seek("groups: table, ", in_group, ""))),
            (8, 24),
        ),
        // The loop may end before, or the phase may be left out.
        (format!("{first}{split}  - {}", seek("groups: table, ", "min(group.y) == max(group.y)", "")), (0, 12)),
        (format!("{first}{split}  - {}", seek("groups: table, ", in_group, "when: mean(group.y) > 1, ")), (0, 12)),
        (format!("{first}{split}  - {}", seek("groups: table, ", in_group, "who: seat.y > 1, ")), (0, 12)),
        (format!("{first}{joined}  - {}", seek("groups: table, ", in_group, "")), (0, 12)),
    ];
    for (agenda, (low, high)) in cases {
        let plan = arm_of_four(&agenda);
        let forecast = forecast_session(&plan).unwrap();
        let found = forecast.phases.get("asked").copied().unwrap_or_default();
        assert_eq!((found.low, found.high), (low, high), "{agenda}");
        assert_foreseen(&plan, 6, &Mind::Random { malformed_ppm: 0, abstain_ppm: 0 });
    }
}

/// The bounds of a talk in which only some seats speak in each round, worked out by hand.
#[test]
fn as_many_turns_are_foreseen_as_a_talk_has_speakers() {
    let number = "  - { name: before, ask: [ { id: y, number: { min: 0, max: 2 }, question: Some? } ] }\n";
    let tables = "  - { name: split, assign: { table: { groups: { size: 2 }, by: lot } } }\n";
    let talk = |settings: &str| format!("  - {{ name: talk, discussion: {{ {settings} }} }}\n");
    let within = |more: &str, settings: &str| format!("  - {{ name: talk, {more}, discussion: {{ {settings} }} }}\n");
    let cases = [
        (talk("rounds: 4, speakers: 3, order: fixed"), (12, 12)),
        (talk("rounds: 4, speakers: 3, order: random"), (12, 12)),
        (talk("rounds: 4, speakers: 3, order: williams"), (12, 12)),
        (talk("rounds: 2, speakers: 9, order: random"), (8, 8)),
        (format!("{number}{}", talk("rounds: 3, speakers: 2, order: random, until: max(everyone.y) > 1")), (2, 6)),
        (within("who: seat.index > 1", "rounds: 3, speakers: 2, order: random"), (6, 6)),
        (format!("{number}{}", within("who: seat.y > 1", "rounds: 3, speakers: 2, order: random")), (0, 6)),
        (format!("{tables}{}", within("groups: table", "rounds: 3, speakers: 1, order: random")), (0, 6)),
    ];
    for (agenda, (low, high)) in cases {
        let plan = arm_of_four(&agenda);
        let forecast = forecast_session(&plan).unwrap();
        let found = forecast.phases.get("talk").copied().unwrap_or_default();
        assert_eq!((found.low, found.high), (low, high), "{agenda}");
        let asked_before = if agenda.contains("before") { 4 } else { 0 };
        let all = (forecast.questions.low, forecast.questions.high);
        assert_eq!(all, (low + asked_before, high + asked_before), "{agenda}");
        assert_foreseen(&plan, 6, &Mind::Random { malformed_ppm: 0, abstain_ppm: 0 });
    }
}

#[test]
fn what_is_looked_up_once_a_turn_is_foreseen_exactly() {
    // Three seats in two rounds, who think and speak in one turn, and a ballot, which is a turn of its own; with pages to be read
    // something may be seen at each of the fifteen questions.
    for (exhibits, inquiries) in [("", 9), ("exhibits: { report: { file: report.txt } }\n", 15)] {
        let body = format!(
            "models:\n  small: {{ openai: {{ base_url: \"http://127.0.0.1:1/v1\", model: m, max_tokens: 200 }} }}\n\
             seat_defaults: {{ model: small }}\nseats: [{{ count: 3 }}]\n\
             discussion: {{ rounds: 2, order: fixed, private_reasoning: true, vote: at_end }}\n\
             memory: {{ look_up: true, exhibit_token_limit: 100 }}\n{exhibits}"
        );
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report.txt"), REPORT.repeat(12)).unwrap();
        let plan = &read(&write_config(folder.path(), &body)).arms[0];
        let load = forecast_session(plan).unwrap().models[0];
        let asked = held(plan, 1, &Mind::Voter { copy_ppm: 300_000 });
        let [questions, calls, ..] = asked.models[0];
        assert_eq!((load.questions.high, questions), (15, 15));
        assert_eq!(calls - questions, inquiries);
        assert_eq!(load.calls_at_most, 15 * u64::from(plan.tries_max) + inquiries);
        // All but the first call of each question may have twice the room, after a reply that was cut.
        assert_eq!(load.completion_tokens_at_most, 200 * (2 * load.calls_at_most - 15));
    }
}

#[test]
fn prompts_with_another_groups_words_are_foreseen() {
    let body = "replicates: 20\nmodels:\n  sim: { simulated: {} }\n  small: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: m, \
                max_tokens: 200 } }\nseat_defaults: { model: sim }\n\
                seats: [{ name: Rand, mind: { random: {} } }, { name: Ann, model: small }, { name: Bob, mind: { voter: { copy: 0.5 } } }]\n\
                discussion: { rounds: 4, order: random, vote: at_end }\n\
                design:\n  factors: { memory: { key: memory.policy, levels: [full, shuffled] } }\n  baseline: { memory: full }\n";
    let experiment = trial::experiment(body);
    let (lending, plan) = (&experiment.arms[0], &experiment.arms[1]);
    let (forecast, stand_in) = (forecast_session(plan).unwrap(), Mind::Voter { copy_ppm: 300_000 });
    for replicate in 1..=20 {
        let partner = ((replicate - 1) ^ 1) + 1;
        let (_, records) = held_to_the_end(Deliberation::convene(lending, partner), &stand_in);
        let lender = Needed { session: plan.lender_of(replicate).unwrap(), minutes: Digest::of(b"minutes") };
        let begun = Deliberation::convene(plan, replicate).borrowing(Donor::of(lender, &records));
        assert_eq!(unforeseen(&forecast, &held_to_the_end(begun, &stand_in).0), None, "replicate {replicate}");
    }
}

#[test]
fn prompts_with_a_seats_own_estimates_are_foreseen() {
    let body = "models:\n  sim: { simulated: {} }\n  small: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: m, max_tokens: 20 } }\n\
                seat_defaults: { model: sim }\nseats: [{ name: Ann, model: small }, { count: 3, name: \"Member {n}\" }]\n\
                discussion: { rounds: 0 }\nparameters: { feedback: 20 }\n";
    let folder = tempfile::tempdir().unwrap();
    let config = trial::write_estimation(folder.path(), body);
    assert_foreseen(&read(&config).arms[0], 20, &Mind::Random { malformed_ppm: 0, abstain_ppm: 0 });
}

#[test]
fn a_vote_that_all_call_at_once_asks_nobody_to_agree() {
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                seats: [{ count: 4, name: \"Member {n}\" }]\n\
                discussion: { rounds: 3, rounds_min: 2, vote: on_call, vote_call: simultaneous }\n\
                decision: { rule: unanimity }\n";
    let experiment = trial::experiment(body);
    let forecast = forecast_session(&experiment.arms[0]).unwrap();
    // Two rounds of statements, four calls and four ballots.
    assert_eq!(forecast.questions.low, 16);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn prompts_that_tell_where_the_talk_stands_are_foreseen() {
    for order in ["random", "volunteer", "simultaneous"] {
        for keep in [1, 6] {
            let body = format!(
                "models:\n  sim: {{ simulated: {{}} }}\n  small: {{ openai: {{ base_url: \"http://127.0.0.1:1/v1\", model: m, \
                 max_tokens: 200 }} }}\nseat_defaults: {{ model: sim }}\n\
                 seats: [{{ name: Rand, mind: {{ random: {{}} }} }}, {{ name: Ann, model: small }}, {{ name: Eve, model: small }}, \
                 {{ count: 3, name: \"Voter {{n}}\", mind: {{ voter: {{ copy: 0.5 }} }} }}]\n\
                 discussion: {{ rounds: 5, order: {order}, vote: on_call, proposals: true }}\ndecision: {{ rule: unanimity }}\n\
                 memory: {{ policy: {{ digest: {{ every: 3, words: 40, keep: {keep} }} }} }}\n"
            );
            let experiment = trial::experiment(&body);
            for stand_in in [Mind::Voter { copy_ppm: 300_000 }, Mind::Voter { copy_ppm: 0 }] {
                assert_foreseen(&experiment.arms[0], 12, &stand_in);
            }
        }
    }
}

/// Settings that a config may combine freely.
fn body() -> impl Strategy<Value = (bool, String)> {
    let vote = prop::sample::select(vec!["at_end", "every_round", "on_call"]);
    let call = prop::sample::select(vec!["sequential", "simultaneous"]);
    let order = prop::sample::select(vec!["random", "fixed", "simultaneous", "volunteer"]);
    let rule = prop::sample::select(vec!["unanimity", "majority", "plurality"]);
    let invalid = prop::sample::select(vec!["void_round", "abstain", "exclude"]);
    let tie = prop::sample::select(vec!["lot", "no_decision", "agenda_order"]);
    let polls = prop::sample::select(vec!["[]", "[before]", "[before, after]", "[each_round, after]"]);
    let policy = prop::sample::select(vec![
        "selective",
        "selective, summary_model: small",
        "selective, summary_model: sim",
        "full",
        "none",
        "{ window: { statements: 3 } }",
        "{ window: { tokens: 1600 } }",
        "{ digest: { every: 2, keep: 1 } }",
        "{ digest: { every: 2, keep: 1 } }, summary_model: small",
        "{ compact: {} }, memory_character_limit: 9000, history_in_brief: full",
    ]);
    let roll_call = prop::sample::select(vec!["", ", roll_call: true"]);
    let mark = prop::sample::select(vec![
        "",
        "interventions: [{ at: { phase: PHASE, round: 1 }, mark: \"#1.1\" }]\n",
        "interventions: [{ at: { phase: PHASE, round: LAST }, to: [Rand], mark: \"#1.1\" }, { at: { phase: PHASE, round: LAST }, mark: \"#1.1\" }]\n",
    ]);
    let test = prop::sample::select(vec!["none", "recorded", "excludes"]);
    let answers = prop::sample::select(vec!["json_schema", "anchored"]);
    let talk = (1u32..4, vote, call, order, any::<[bool; 2]>());
    let votes = (rule, invalid, tie, polls, policy, (roll_call, mark));
    (any::<bool>(), talk, votes, 0usize..3, 0usize..3, test, answers).prop_map(
        |(is_justice, (rounds, vote, call, order, [reasons, proposals]), (rule, invalid, tie, polls, policy, (roll_call, mark)), voters, models, test, answers)| {
            let mut seats = vec!["{ name: Rand, mind: { random: { malformed: 0.02 } } }".to_owned()];
            seats.extend((0..voters).map(|n| format!("{{ name: Voter {n}, mind: {{ voter: {{ copy: 0.5 }} }} }}")));
            seats.extend((0..models).map(|n| format!("{{ name: Model {n}, model: small }}")));
            let on_call = if vote == "on_call" { format!(", vote_call: {call}, rounds_min: {}", rounds.min(2)) } else { String::new() };
            // Results are always in the window, and notes may fill half of it.
            let policy = if is_justice { policy.replace("1600", "5000") } else { policy.to_owned() };
            let parameters = match is_justice {
                true => format!("parameters: {{ comprehension: {test}, applications_count: 1 }}\n"),
                false => String::new(),
            };
            let mark = if policy == "none" || policy.contains("tokens") { String::new() } else { mark.replace("PHASE", "discussion").replace("LAST", &rounds.to_string()) };
            let body = format!(
                "{parameters}{mark}models:\n  sim: {{ simulated: {{}} }}\n  small: {{ openai: {{ base_url: \"http://127.0.0.1:1/v1\", model: m, \
                 max_tokens: 200, answers: {answers} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{}]\nstraw_polls: {polls}\n\
                 discussion: {{ rounds: {rounds}, order: {order}, vote: {vote}, private_reasoning: {reasons}, proposals: {proposals}{on_call} }}\n\
                 decision: {{ rule: {rule}, invalid: {invalid}, tie_break: {tie}{roll_call} }}\nmemory: {{ policy: {policy} }}\n",
                seats.join(", ")
            );
            (is_justice, body)
        },
    )
}

proptest! {
    #![proptest_config(law_cases(16))]
    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn what_happens_under_any_config_was_foreseen((is_justice, body) in body()) {
        let folder = tempfile::tempdir().unwrap();
        let config = match is_justice {
            true => write_justice(folder.path(), &body),
            false => write_config(folder.path(), &body),
        };
        for plan in &read(&config).arms {
            let forecast = forecast_session(plan).unwrap();
            for replicate in 1..=3 {
                let asked = held(plan, replicate, &Mind::Voter { copy_ppm: 500_000 });
                if !asked.has_forfeits {
                    prop_assert_eq!(unforeseen(&forecast, &asked), None, "replicate {}\n{}", replicate, body);
                }
            }
        }
    }
}

/// A document of several pages, where no more than a hundred tokens are shown whole.
const REPORT: &str =
    "What the closing of the street cost in other towns, year by year, and who paid for it in the end.\n";

/// What every session of one replicate of an arm asked: of a panel one after the other.
fn held_through(experiment: &Experiment, arm: &Plan, replicate: u32, stand_in: &Mind) -> Vec<Asked> {
    let Some(waves) = experiment.waves else { return vec![held(arm, replicate, stand_in)] };
    let (mut all, mut before) = (Vec::new(), None);
    for number in 1..=waves {
        let wave = arm.of_wave(number);
        let plan = match before.take() {
            Some((names, notes)) => {
                let needed = Needed { session: String::new(), minutes: Digest::of(b"minutes") };
                wave.with_previous_outcome(Before { needed, names, notes })
            }
            None => wave,
        };
        let (asked, records) = held_to_the_end(Deliberation::convene(&plan, replicate), stand_in);
        before = Some(handed_on(&plan, &records));
        all.push(asked);
    }
    all
}

/// The same with what a seat may see besides, names of its own, and meetings that follow each other.
fn richer() -> impl Strategy<Value = (bool, String)> {
    let finds = [
        "",
        ", look_up: true",
        ", recall: { search: { top_k: 2 } }",
        ", look_up: true, recall: { search: { top_k: 4 } }",
    ];
    let panel = ["", "panel: { waves: 2 }\n", "panel: { waves: 3 }\n"];
    let notes = ["", ", notes: {}", ", notes: { max_lines: 2 }"];
    let (finds, panel, notes) = (
        prop::sample::select(finds.to_vec()),
        prop::sample::select(panel.to_vec()),
        prop::sample::select(notes.to_vec()),
    );
    (body(), finds, panel, notes, any::<[bool; 4]>()).prop_map(
        |((is_justice, body), finds, panel, notes, [exhibits, long, named, probed])| {
            let notes = if panel.is_empty() || is_justice { "" } else { notes };
            let limit = if exhibits && long { ", exhibit_token_limit: 100" } else { "" };
            let memory = format!("{finds}{notes}{limit} }}\n");
            let body = body.replace("tokens: 1600", "tokens: 2400");
            let mut body = body.trim_end().trim_end_matches('}').trim_end().to_owned() + &memory + panel;
            if exhibits {
                body.push_str("exhibits: { report: { file: report.txt } }\n");
            }
            if probed {
                body.push_str("controls: { recognition_probe: true }\n");
            }
            if named {
                body = body.replace(", model: small }", ", naming: self_chosen, model: small }");
            }
            (is_justice, body)
        },
    )
}

proptest! {
    #![proptest_config(law_cases(16))]
    #[test]
    #[ignore = "slowest: `.ci/full` runs it"]
    fn panels_names_notes_pages_and_finds_were_foreseen((is_justice, body) in richer()) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report.txt"), REPORT.repeat(12)).unwrap();
        let config = match is_justice {
            true => write_justice(folder.path(), &body),
            false => write_config(folder.path(), &body),
        };
        let experiment = read(&config);
        for plan in &experiment.arms {
            let extremes = experiment.extremes_of(plan);
            let foreseen = extremes.iter().map(|plan| forecast_session(plan).unwrap()).reduce(Forecast::merge_bounds).unwrap();
            for replicate in 1..=2 {
                for (asked, wave) in held_through(&experiment, plan, replicate, &Mind::Voter { copy_ppm: 500_000 }).iter().zip(1..) {
                    if !asked.has_forfeits {
                        prop_assert_eq!(unforeseen(&foreseen, asked), None, "replicate {}, wave {}\n{}", replicate, wave, body);
                    }
                }
            }
        }
    }
}
