//! The tables of a session written by hand, against values computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::fixtures::minuted::{Minutes, arm, expect, name, phase, rows, tally, written};
use ekklesia::analysis::*;
use ekklesia::domain::*;
use ekklesia::report::{Filter, Sheet, Summary, Transcript, render};
use ekklesia::store::places::file_names;
use ekklesia::store::tables::{TableSet, render_dictionary};

const NASTY: &str = "He said \"no\",\r\nthen\nleft; \u{0} NA 🦀 e\u{301} \u{202e}";

fn facts(replicate: u32) -> SessionFacts {
    let phases = vec![
        phase("before", PhaseKindName::Ask, Some(PollTime::Before), 0, PhaseVotes::None),
        phase("talk", PhaseKindName::Discussion, None, 2, PhaseVotes::EachRound),
        phase("after", PhaseKindName::Ask, Some(PollTime::After), 0, PhaseVotes::None),
    ];
    let mut arm = arm(&["Ann", "Bob", "Cy"], phases);
    arm.seats[2].answers_by = AnswersBy::Model;
    SessionFacts {
        arm: Arc::new(arm),
        replicate,
        drawn_replicate: 1,
        session: format!("short-r{replicate:06}"),
        item: None,
        panel: None,
    }
}

/// Round 1: Ann for, Bob against, Cy forfeits; vote 1–1, Cy's ballot invalid. Round 2: Bob moves to for, Ann passes; vote 3–0.
fn minutes() -> Vec<Record> {
    let mut m = Minutes::default();
    m.convene();
    m.open("before", PhaseKindName::Ask);
    m.poll("before", ["for", "against", "against"]);
    m.open("talk", PhaseKindName::Discussion);
    m.order(1, ["Bob", "Ann", "Cy"]);
    m.say(1, 1, "Bob", NASTY, Some("against"));
    m.say(1, 2, "Ann", "one two", Some("for"));
    let statement = ("talk", 1, 3, Step::Statement);
    m.fault(statement, ("Cy", 0), Fault::Unreadable, Consequence::AskedAgain);
    m.fault(statement, ("Cy", 1), Fault::Refused, Consequence::TriesUsedUp);
    vote(&mut m, 1, [Some("for"), Some("against"), None]);
    let closed = || {
        Event::RoundClosed(RoundClosed {
            dropped_remarks: 0,
            dropped_chars: 0,
            memory: vec![MemoryReport::default(); 3],
            convergence: None,
        })
    };
    m.put(("talk", 1, 0, Step::Closing), None, closed());
    m.order(2, ["Cy", "Bob", "Ann"]);
    m.say(2, 1, "Cy", "", Some("for"));
    m.say(2, 2, "Bob", "three", Some("for"));
    m.answer(("talk", 2, 3, Step::Statement), ("Ann", 0), (Reply::Pass, ""), &[]);
    vote(&mut m, 2, [Some("for"); 3]);
    m.put(("talk", 2, 0, Step::Closing), None, closed());
    m.poll("after", ["for", "against", "for"]);
    let adjourned = Event::Adjourned(Adjourned {
        verdict: Verdict::Carried,
        stop: StopReason::Decided,
        decided: Some(name("for").into()),
    });
    m.put(("session", 0, 0, Step::Adjournment), None, adjourned);
    m.0
}

fn vote(m: &mut Minutes, round: u32, choices: [Option<&str>; 3]) {
    let at = ("talk", round, 0, Step::Ballot);
    for (seat, choice) in ["Ann", "Bob", "Cy"].into_iter().zip(choices) {
        match choice {
            Some(choice) => {
                let reply = Reply::Choice(name(choice).into());
                m.answer(at, (seat, 0), (reply, NASTY), &["for", "against"]);
            }
            None => m.fault(at, (seat, 0), Fault::Empty, Consequence::TriesUsedUp),
        }
    }
    let of = |wanted: &str| choices.iter().filter(|choice| **choice == Some(wanted)).count() as u32;
    let (yes, no) = (of("for"), of("against"));
    let count = |alternative, count| TallyCount { alternative: name(alternative), amount: None, count, points: None };
    let counts = vec![count("for", yes), count("against", no)];
    let winners = if yes >= 2 { vec![name("for").into()] } else { Vec::new() };
    let invalid = 3 - yes - no;
    let report =
        TallyReport { valid: yes + no, invalid, abstained: invalid, ..tally(RuleKind::Majority, 2, counts, winners) };
    m.put(("talk", round, 0, Step::Tally), None, Event::Tallied(report));
}

fn folded(replicate: u32) -> FoldedSession {
    let mut fold = SessionFold::new(facts(replicate));
    for record in minutes() {
        fold.fold_record(&record).unwrap();
    }
    fold.finish_completed(Digest::of(b"minutes")).unwrap()
}

#[test]
fn a_session_has_the_numbers_computed_by_hand() {
    let folder = written(vec![folded(1)]);
    let sessions = rows(folder.path(), "sessions");
    assert_eq!(sessions.len(), 1);
    // Words: Bob 8 and 1, Ann 2, Cy 0. Sorted 0, 2, w: gini = (−2·0 + 0·2 + 2·w) / (3 · (2 + w)).
    expect(
        &sessions[0],
        "arm=short arm_talk=short replicate=1 panel= wave= item= session=short-r000001 status=completed fault= outcome=carried \
         result=for carried=1 trivial_consensus=0 rounds_max=2 rounds_used=2 censored=0 time_to_decision=2 votes_held=2 \
         stop_reason=decided straw_before_modal_share=0.666667 straw_after_modal_share=0.666667 first_ballot_majority= \
         fbm_matches_final= public_private_gap=0.333333 public_private_n=3 seats=3 statements=4 answers=18 n_first_try=16 \
         n_reasked=0 n_invalid=1 n_refused=1 n_forfeit=1 distinct_transcript=1 calls=7 prompt_tokens=300 completion_tokens=21 \
         thinking_tokens=9 cached_prompt_tokens=120 cost_usd= determinism=recorded",
    );
    assert_eq!(sessions[0]["experiment"], "first, \"second\"");
}

#[test]
fn rounds_have_the_numbers_computed_by_hand() {
    let folder = written(vec![folded(1)]);
    let rounds = rows(folder.path(), "rounds");
    assert_eq!(rounds.len(), 4);
    expect(
        &rounds[0],
        "phase=before phase_kind=ask round=0 seats=3 statements= words= stance_n= straw_n=3 straw_modal=against \
         straw_modal_share=0.666667 straw_entropy_norm=0.918296 straw_pair_agreement=0.333333 ballot_n= n_switch= vote_held=0 \
         decided= speaking_gini= turn_entropy_norm= n_abstain= calls=1 prompt_tokens=",
    );
    expect(
        &rounds[1],
        "phase=talk round=1 statements=2 passes=0 forfeits=1 stance_n=2 stance_modal=for|against stance_modal_share=0.500000 \
         stance_entropy_norm=1.000000 stance_pair_agreement=0.000000 straw_n= ballot_n=2 n_switch=0 switch_n=0 \
         to_majority_switches= vote_held=1 decided=0 turn_entropy_norm=0.630930 n_reasked=0 n_invalid=1 n_refused=1 n_abstain=1 \
         calls=3 prompt_tokens=300 cached_prompt_tokens=120",
    );
    expect(
        &rounds[2],
        "round=2 statements=2 passes=1 forfeits=0 words=1 stance_n=2 stance_modal=for stance_entropy_norm=0.000000 n_switch=1 \
         switch_n=1 to_majority_switches= from_majority_switches= decided=1 ballot_n=3 ballot_pair_agreement=1.000000 \
         speaking_gini=0.666667",
    );
    expect(&rounds[3], "phase=after round=0 straw_modal=for");
}

#[test]
fn the_rounds_of_a_session_sum_to_the_session() {
    let folder = written(vec![folded(1)]);
    let (sessions, rounds) = (rows(folder.path(), "sessions"), rows(folder.path(), "rounds"));
    for column in ["statements", "words", "n_reasked", "n_invalid", "n_refused", "calls", "prompt_tokens"] {
        let sum: u64 = rounds.iter().filter_map(|row| row[column].parse::<u64>().ok()).sum();
        assert_eq!(sum.to_string(), sessions[0][column], "{column}");
    }
}

#[test]
fn turns_ballots_tallies_and_answers_have_a_row_each() {
    let folder = written(vec![folded(1)]);
    let statements = rows(folder.path(), "statements");
    let kinds: Vec<&str> = statements.iter().map(|row| row["kind"].as_str()).collect();
    assert_eq!(kinds, ["statement", "statement", "forfeit", "statement", "statement", "pass"]);
    expect(&statements[1], "seat=Ann turn=2 position=2 stance=for words=2 chars=7 origin=first_try tries=1");
    expect(&statements[2], "seat=Cy position=3 words= chars= text= origin=reasked tries=2 seq=10");
    let ballots = rows(folder.path(), "ballots");
    assert_eq!(ballots.len(), 12);
    expect(
        &ballots[0],
        "purpose=straw_before vote= binding=0 seat=Ann form=choice status=valid alternative=for shown_position=2 \
         options_shown=against|for matches_stance=",
    );
    expect(&ballots[5], "purpose=vote vote=1 binding=1 seat=Cy status=invalid alternative= shown_position= raw=?");
    expect(&ballots[10], "purpose=straw_after seat=Bob alternative=against matches_stance=0");
    let tallies = rows(folder.path(), "tallies");
    assert_eq!(tallies.len(), 8);
    expect(
        &tallies[0],
        "purpose=straw_before rule= eligible=3 valid=3 invalid=0 abstained= alternative=for count=1 margin=1",
    );
    expect(
        &tallies[4],
        "vote=2 rule=majority base=members threshold=2 count=3 is_winner=1 tied_winners= decided=1 margin=3",
    );
    let answers = rows(folder.path(), "answers");
    assert_eq!(answers.len(), 19);
    expect(
        &answers[5],
        "step=statement attempt=0 seat=Cy status=invalid fault=unreadable value= prompt_tokens=100 thinking_tokens=3 \
         cached_prompt_tokens=40 cost_usd=0.000084 model_served=m",
    );
    expect(&answers[6], "attempt=1 status=refused fault=refused origin=reasked tries=2");
}

#[test]
fn final_stances_are_held_against_what_was_decided() {
    let share = |round_two: Option<&str>, decision: Option<&str>| {
        let mut records = minutes();
        for record in &mut records {
            match &mut record.event {
                Event::Answered(Answered { values, .. })
                    if record.at.round == 2
                        && record.at.step == Step::Statement
                        && values.find("statement").flatten().is_some() =>
                {
                    let stance = round_two.map(|stance| FieldValue::Words(stance.into()));
                    let others = std::mem::take(values).into_iter().filter(|(name, _)| name != "stance");
                    values.extend(others);
                    values.extend(stance.map(|stance| ("stance".into(), Some(stance))));
                }
                Event::Adjourned(Adjourned { decided, .. }) => *decided = decision.map(|decided| name(decided).into()),
                _ => {}
            }
        }
        let mut fold = SessionFold::new(facts(1));
        records.iter().for_each(|record| fold.fold_record(record).unwrap());
        let folder = written(vec![fold.finish_completed(Digest::of(b"minutes")).unwrap()]);
        rows(folder.path(), "sessions")[0]["final_stance_share"].clone()
    };
    assert_eq!(share(Some("for"), Some("for")), "1.000000");
    // Ann declared for in round 1 and nothing since; Bob and Cy now declare against.
    assert_eq!(share(Some("against"), Some("for")), "0.333333");
    // Cy never declares a stance: Ann's and Bob's of round 1 are their last.
    assert_eq!(share(None, Some("for")), "0.500000");
    assert_eq!(share(Some("for"), None), "");
}

#[test]
fn text_comes_back_as_it_was_said() {
    let folder = written(vec![folded(1)]);
    assert_eq!(rows(folder.path(), "statements")[0]["text"], NASTY);
    assert_eq!(rows(folder.path(), "ballots")[3]["raw"], NASTY);
}

#[test]
fn equal_statements_are_no_distinct_transcripts() {
    let folder = written(vec![folded(1), folded(2)]);
    assert!(rows(folder.path(), "sessions").iter().all(|row| row["distinct_transcript"] == "0"));
}

#[test]
fn a_session_that_did_not_end_has_a_status_and_nothing_else() {
    let mut fold = SessionFold::new(facts(1));
    for record in minutes().iter().take(12) {
        fold.fold_record(record).unwrap();
    }
    let failed = SessionFold::new(facts(2)).finish_stopped(Status::Failed("script_ended".to_owned()));
    let folder = written(vec![fold.finish_stopped(Status::Incomplete), failed]);
    let sessions = rows(folder.path(), "sessions");
    expect(&sessions[0], "status=incomplete fault= outcome= carried= result= answers= calls= minutes_digest= seats=3");
    expect(&sessions[1], "status=failed fault=script_ended outcome= distinct_transcript=");
    for table in [
        "rounds",
        "seats",
        "seat_rounds",
        "statements",
        "ballots",
        "tallies",
        "answers",
        "payoffs",
        "counterfactuals",
        "proposals",
        "marks",
    ] {
        assert!(rows(folder.path(), table).is_empty());
    }
}

#[test]
fn minutes_without_an_adjournment_are_never_complete() {
    let fold = SessionFold::new(facts(1));
    assert_eq!(fold.finish_completed(Digest::of(b"")).unwrap_err().session.status, Status::Incomplete);
}

#[test]
fn a_record_of_another_session_is_refused_by_name() {
    let mut fold = SessionFold::new(facts(1));
    let mut m = Minutes::default();
    m.answer(("talk", 1, 1, Step::Statement), ("Zoe", 0), (Reply::Pass, ""), &[]);
    assert_eq!(fold.fold_record(&m.0[0]).unwrap_err().to_string(), "record 0: seat Zoe is not in the plan");
}

#[test]
fn headers_codebook_and_package_name_the_same_columns() {
    let folder = written(vec![folded(1)]);
    let codebook = rows(folder.path(), "codebook");
    let package: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("datapackage.json")).unwrap()).unwrap();
    let load_py = fs::read_to_string(folder.path().join("load.py")).unwrap();
    let load_r = fs::read_to_string(folder.path().join("load.R")).unwrap();
    for resource in package["resources"].as_array().unwrap() {
        let table = resource["name"].as_str().unwrap();
        let mut reader = csv::Reader::from_path(folder.path().join(resource["path"].as_str().unwrap())).unwrap();
        let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let fields = resource["schema"]["fields"].as_array().unwrap();
        assert!(fields.iter().map(|field| field["name"].as_str().unwrap()).eq(header.iter().map(String::as_str)));
        if table != "codebook" {
            let described = codebook.iter().filter(|row| row["table"] == table).map(|row| &row["column"]);
            assert!(described.eq(header.iter()), "{table}");
            assert!(load_py.contains(&format!("\"{table}\": {{")) && load_r.contains(&format!("{table} <- ")));
        }
    }
    assert!(codebook.iter().all(|row| !row["description"].is_empty() && !row["source"].is_empty()));
    let mut present: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut promised = file_names();
    present.sort();
    promised.sort();
    assert_eq!(present, promised);
}

#[test]
fn a_set_that_is_dropped_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut set = TableSet::create(folder.path(), &ColumnLayout::default(), String::new()).unwrap();
    set.add_session(folded(1)).unwrap();
    drop(set);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let Err(error) = TableSet::create(Path::new("not/there"), &ColumnLayout::default(), String::new()) else {
        panic!("there is no such folder")
    };
    assert!(error.to_string().starts_with("not/there/sessions.csv: "), "{error}");
}

#[test]
fn the_results_readme_is_the_dictionary() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md");
    let shipped = fs::read_to_string(path).unwrap_or_default();
    assert!(shipped == render_dictionary(), "results/README.md should read:\n{}", render_dictionary());
}

#[test]
fn the_summary_counts_choices_and_names_simulated_minds() {
    let mut summary = Summary::new("first", 42);
    summary.add(&folded(1));
    summary.add(&SessionFold::new(facts(2)).finish_stopped(Status::Failed("unreachable".to_owned())));
    let report = summary.report();
    assert_eq!((report.sessions, report.completed, report.failed), (2, 1, 1));
    assert_eq!(report.arms[0].choices.iter().map(|choice| choice.sessions).collect::<Vec<_>>(), [1, 0, 0]);
    let text = render(&report, Duration::from_millis(1300), None, Sheet::PAGE);
    assert_eq!(text.lines().nth(1), Some("some seats are simulated minds: rules, not people and not language models"));
    assert!(text.starts_with("first · 1 of 2 sessions completed · 3 seats · seed 42\n"));
    assert!(text.contains("\nrecorded: same bytes from the recorded model calls · 1.3 s\n"));
    assert!(text.lines().skip(1).all(|line| line.chars().count() <= 80), "{text}");
    assert!(serde_json::to_string(&report).unwrap().contains("\"first_try\":16"));
}

#[test]
fn a_transcript_shows_every_statement_inert_and_filters_by_seat() {
    let mut all = Transcript::new(facts(1), Filter::default());
    let text: String = std::iter::once(all.header()).chain(minutes().iter().map(|record| all.take(record))).collect();
    assert!(text.contains("**Bob** #1.1 · favours “against” [7]"));
    assert!(text.contains("*private* **Cy** ballot, try 1: empty · tries used up, the ballot is invalid"));
    assert!(text.contains("\\u{0}") && text.contains("\\u{202e}") && text.contains("\\u{d}"));
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    let mut one = Transcript::new(facts(1), Filter { seat: Some(SeatName::new("Ann")), phases: None });
    let text: String = minutes().iter().map(|record| one.take(record)).collect();
    assert!(text.contains("**Ann**") && !text.contains("**Bob**"));
}
