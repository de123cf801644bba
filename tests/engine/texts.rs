//! Texts that seats write and that are kept, votes over them, and blocks for each of several things.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{assert_same, column, ekklesia, run, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, repository, whole};
use crate::oracle::check_cells;
use ekklesia::domain::{
    Adjourned, AlternativeName, Assigned, Ballot, Briefing, Computed, ComputedValues, Event, KeptText, NamedChoice,
    Record, Reply, Step,
};

const AGENDA: &str = "agenda:
  - { name: write, ask: [ { id: idea, text: { chars: [5, 40], count: [1, 3] }, keep_as: idea, question: \"Ideas?\" } ] }
  - name: each
    for: { each: idea }
    phases:
      - { name: read, brief: { text: \"{{ this.letter }}: {{ this.text }}{% if pass.last %} (the last){% endif %}\" } }
  - { name: again, ask: [ { id: better, text: { chars: [5, 40], count: [1, 3] }, keep_as: idea, question: \"Better?\" } ] }
  - name: topics
    for: { each: [tax, rent], as: topic }
    phases:
      - { name: survey, ask: [ { id: weight, scale: { from: 1, to: 7 }, question: \"And {{ topic }}?\" } ] }
  - { name: best, vote: { over: idea, ballot: ranking, top: 2, rule: borda, winners: 2, tie_break: lot } }
  - { name: told, brief: { text: \"{{ best.winner.letter }}, {{ best.winner.text }}, by {{ best.winner.author }}\" } }
";

fn write_design(place: &Path, agenda: &str) -> PathBuf {
    let (folder, config) = (place.join("own"), place.join("config.yaml"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scenario.yaml"), format!("scenario: own\n{agenda}")).unwrap();
    let body = "experiment: texts\nscenario: own\nseed: 3\nreplicates: 2\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                seats: [ { name: Ada }, { name: Ben }, { name: Cem } ]\n";
    fs::write(&config, body).unwrap();
    config
}

fn kept(records: &[Record]) -> Vec<&[KeptText]> {
    let texts = records.iter().filter_map(|record| match &record.event {
        Event::Computed(Computed { values: ComputedValues::Texts(texts), .. }) => Some(texts.as_slice()),
        _ => None,
    });
    texts.collect()
}

fn opened<'r>(records: &'r [Record], phase: &str) -> Vec<&'r str> {
    let opened = records.iter().filter(|record| record.event.is_phase_opened());
    opened.map(|record| record.at.phase.as_str()).filter(|name| name.starts_with(phase)).collect()
}

#[test]
fn texts_keep_their_letters_and_the_live_ones_are_gone_through_and_voted_on() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_design(place.path(), AGENDA)).arms[0]);
    for replicate in 1..=20 {
        let records = whole(&plan, replicate);
        let [first, later] = kept(&records)[..] else { panic!("texts are kept twice") };
        let letters: BTreeSet<&str> = first.iter().map(|text| text.letter.as_str()).collect();
        let expected: Vec<String> = (0..first.len() as u32).map(ekklesia::domain::letter_of).collect();
        assert_eq!(letters, expected.iter().map(String::as_str).collect(), "the letters have no gaps");
        assert_eq!(opened(&records, "read@").len(), first.len());
        let mut live: BTreeMap<&str, &KeptText> = first.iter().map(|text| (text.letter.as_str(), text)).collect();
        for text in later {
            if let Some(before) = live.insert(&text.letter, text) {
                assert_eq!((&before.author, before.place), (&text.author, text.place), "a letter has one place");
                assert_eq!(text.version, before.version + u32::from(text.text.is_some()));
            }
        }
        live.retain(|_, text| text.text.is_some());
        let tally = records.iter().find_map(|record| match &record.event {
            Event::Tallied(report) => Some(report),
            _ => None,
        });
        let tally = tally.unwrap();
        let options: BTreeSet<&str> = tally.counts.iter().map(|count| count.alternative.as_str()).collect();
        assert_eq!(options, live.keys().copied().collect(), "the options are the live texts");
        assert_eq!(tally.winners.len(), live.len().min(2));
        let winner = live[tally.winners[0].alternative.as_str()];
        let told = records.iter().rev().find_map(|record| match &record.event {
            Event::Briefed(Briefing { text, .. }) => Some(text.as_str()),
            _ => None,
        });
        assert!(told.unwrap().starts_with(&format!("{}, ", winner.letter)), "{told:?}");
        assert!(told.unwrap().ends_with(&format!("by {}", winner.author)), "{told:?}");
        assert_eq!(opened(&records, "survey"), ["survey@tax", "survey@rent"]);
    }
}

#[test]
fn letters_of_texts_are_added_up_over_sessions_nowhere() {
    let place = tempfile::tempdir().unwrap();
    let agenda = AGENDA.replace("winners: 2, ", "");
    let (config, out, figures) =
        (write_design(place.path(), &agenda), place.path().join("out"), place.path().join("figures"));
    let told = ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "12"]);
    told.says(0, &["\n a collected text", "letters are each session's own texts, so they are not added up"]);
    let letters: BTreeSet<String> = column(&out, "result").into_iter().filter(|letter| !letter.is_empty()).collect();
    assert!(letters.len() > 1, "{letters:?}");
    for letter in &letters {
        assert!(!told.stdout.contains(&format!("\n {letter} ")), "{letter}: {told:#?}");
    }
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
    let mut chosen = csv::Reader::from_path(figures.join("choices.csv")).unwrap();
    let chosen: Vec<BTreeMap<String, String>> = chosen.deserialize().map(Result::unwrap).collect();
    let decided = column(&out, "result").iter().filter(|letter| !letter.is_empty()).count();
    assert_eq!(chosen[0]["series"], "a collected text");
    assert!((chosen[0]["value"].parse::<f64>().unwrap() - decided as f64 / 12.0).abs() < 1e-6, "{chosen:?}");
    let page = place.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("chose “a collected text”"));
    let outcomes = page.split_once("\"outcomes\":[").unwrap().1.split_once(']').unwrap().0;
    assert!(outcomes.starts_with("\"a collected text\""), "{outcomes}");
    assert!(letters.iter().all(|letter| !outcomes.contains(&format!("\"{letter}\""))), "{outcomes}");
    let design = "design: { factors: { seats: { key: seat_defaults.mind, levels: { random: { random: {} }, sly: { random: { malformed: 0.1 } } } } } }\n";
    let body = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{body}{design}")).unwrap();
    let arms = place.path().join("arms");
    ekklesia(&["run", text(&config), "--out", text(&arms), "--replicates", "12"]).says(0, &[]);
    let metric = format!("result={}", column(&arms, "result").into_iter().find(|letter| !letter.is_empty()).unwrap());
    let told = ekklesia(&["compare", text(&arms), "--metric", &metric]);
    let words = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("names another text in each session, so this counts a letter and no choice"), "{told:#?}");
}

#[test]
fn a_session_with_texts_goes_on_after_any_record() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_design(place.path(), AGENDA)).arms[0]);
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_nominal_group_goes_on_after_any_record() {
    let plan = Arc::clone(&read(&repository().join("configs/nominal_group.yaml")).arms[0]);
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn the_tables_have_the_texts_and_every_cell_is_explained() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_design(place.path(), AGENDA), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let written = fs::read_to_string(out.join("texts.csv")).unwrap();
    assert!(written.lines().count() > 6, "{written}");
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let tallied: BTreeSet<String> = column_of(&out, "tallies", "alternative", "baseline-r000001");
    let plan = Arc::clone(&read(&config).arms[0]);
    let live: BTreeSet<String> = live_texts(&whole(&plan, 1)).into_keys().collect();
    assert_eq!(tallied, live, "only texts that are not withdrawn are counted");
    let decided: BTreeSet<String> = column_of(&out, "tallies", "decided", "baseline-r000001");
    assert_eq!(decided, ["0", "1"].map(str::to_owned).into(), "the winners are decided for");
}

/// The values of a column in the rows of a session.
fn column_of(out: &Path, table: &str, column: &str, session: &str) -> BTreeSet<String> {
    let rows = rows(out, table).into_iter();
    rows.filter(|row| row["session"] == session).map(|row| row[column].clone()).collect()
}

/// The texts that are not withdrawn at the end, by letter.
fn live_texts(records: &[Record]) -> BTreeMap<String, String> {
    let mut live = BTreeMap::new();
    for text in kept(records).into_iter().flatten() {
        match &text.text {
            Some(words) => live.insert(text.letter.clone(), words.clone()),
            None => live.remove(&text.letter),
        };
    }
    live
}

#[test]
fn a_session_with_texts_is_shown_and_explained_and_the_order_of_work_leaves_no_trace() {
    let place = tempfile::tempdir().unwrap();
    let config = write_design(place.path(), AGENDA);
    let [one, two] = ["one", "two"].map(|name| place.path().join(name));
    let told = run(&config, &one, &["--jobs", "1"]);
    // The results are letters joined by `+`, and none has a share.
    let results = column_of(&one, "sessions", "result", "baseline-r000001");
    let result = results.first().unwrap();
    told.says(0, &[" a collected text              2  100 %"]);
    assert!(!told.stdout.contains(&format!(" {result} ")), "{told:#?}");
    run(&config, &two, &["--jobs", "2"]).says(0, &[]);
    assert_same(&one, &two);
    let session = one.join("sessions/baseline-r000001");
    let shown = ekklesia(&["show", text(&session)]);
    shown.says(0, &[&format!("decided for “{result}”"), &format!("Outcome: carried: “{result}”")]);
    assert!(!shown.stdout.contains("a tie of"), "winners that are elected together are not tied");
    ekklesia(&["context", text(&session), "--seat", "Ada", "--at", "best:0:ballot"]).says(0, &["Rank at most 2."]);
    ekklesia(&["retally", text(&one), "--rule", "borda"])
        .says(0, &["best vote 1", &format!("decided by borda: “{result}”"), "elected several options together"]);
    ekklesia(&["report", text(&one)]).says(0, &[]);
    let page = fs::read_to_string(one.join("report.html")).unwrap();
    assert!(page.contains("decided for"), "the page has the count");
    let methods = fs::read_to_string(one.join("methods.md")).unwrap();
    for words in [
        "kept as `idea`, under letters drawn",
        "at most 2 of them",
        "The 2 options with the most points",
        "one for each of the words `tax` and `rent`",
    ] {
        assert!(methods.contains(words), "{words}: {methods}");
    }
}

#[test]
fn a_ballot_on_texts_is_changed_in_a_fork_and_nothing_before_it() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_design(place.path(), AGENDA), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    let parent = out.join("sessions/baseline-r000001");
    let read_minutes = |session: &Path| -> Vec<Record> {
        let written = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let favourite = |ballot: &Ballot<AlternativeName>| ballot.top()[0].to_string();
    let records = read_minutes(&parent);
    let is_ballot = |record: &Record| {
        record.at.phase.as_str() == "best" && record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Ben")
    };
    let place_of_ballot = records.iter().position(is_ballot).unwrap();
    let Some(Reply::Ballot(ballot)) = records[place_of_ballot].reply() else { panic!("Ben votes") };
    let last = live_texts(&records).into_keys().find(|letter| favourite(&ballot) != *letter).unwrap();
    let (change, fork) = (place.path().join("change.yaml"), place.path().join("fork"));
    fs::write(&change, format!("at: {{ seat: Ben, phase: best }}\nanswer: {{ ranking: [{last}] }}\n")).unwrap();
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    let session = fs::read_dir(fork.join("sessions")).unwrap().next().unwrap().unwrap().path();
    let changed = read_minutes(&session);
    let Some(Reply::Ballot(ballot)) = changed[place_of_ballot].reply() else { panic!("Ben votes in the fork") };
    assert_eq!(favourite(&ballot), last);
    // The first record names the session that it branched off.
    assert_eq!(changed[1..place_of_ballot], records[1..place_of_ballot]);
    fs::write(&change, "at: { seat: Ben, phase: best }\nanswer: { ranking: [ZZ] }\n").unwrap();
    let again = place.path().join("again");
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&again)]).says(2, &[]);
}

#[test]
fn with_one_text_nobody_is_asked_and_with_none_there_is_no_result() {
    let vote = "  - { name: best, vote: { over: idea, rule: plurality, tie_break: lot } }\n";
    let ask = "  - { name: write, who: [Ada], ask: [ { id: idea, text: {}, keep_as: idea, question: \"Idea?\" } ] }\n";
    for (when, expected) in [("", Some("A")), ("when: \"1 > 2\", ", None)] {
        let place = tempfile::tempdir().unwrap();
        let agenda = format!("agenda:\n{}{vote}", ask.replace("who: ", &format!("{when}who: ")));
        let plan = Arc::clone(&read(&write_design(place.path(), &agenda)).arms[0]);
        let records = whole(&plan, 1);
        assert!(!records.iter().any(|record| record.at.step == Step::Ballot));
        let decided = records.iter().find_map(|record| match &record.event {
            Event::Adjourned(Adjourned { decided, .. }) => decided.as_ref(),
            _ => None,
        });
        assert_eq!(decided.map(|choice| choice.alternative.as_str()), expected);
    }
}

#[test]
fn mistakes_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: write, ask: [ { id: a, text: { count: [0, 2] }, keep_as: best, question: \"?\" }, { id: b, yes_no: {}, keep_as: c, question: \"?\" } ] }
  - { name: best, vote: { over: nothing } }
  - { name: loop, for: { each: many }, phases: [ { name: d, brief: { text: Hello. } } ] }
";
    ekklesia(&["check", text(&write_design(place.path(), agenda))]).refuses(&[
        "[0, 2] is no pair of counts",
        "a phase or block is called \"best\"",
        "only texts are kept",
        "\"nothing\" is nothing to vote on",
        "\"many\" is nothing that a block takes place for",
    ]);
    let agenda = "agenda:
  - { name: write, ask: [ { id: a, text: {}, keep_as: idea, question: \"?\" } ] }
  - name: outer
    for: { each: idea }
    phases:
      - { name: inner, for: { each: [tax, rent] }, phases: [ { name: d, brief: { text: Hello. } } ] }
  - { name: all, for: { each: items, as: one }, phases: [ { name: e, brief: { text: Hello. } } ] }
  - { name: seats, for: { each: seat.tall, as: member }, phases: [ { name: f, brief: { text: Hello. } } ] }
";
    ekklesia(&["check", text(&write_design(place.path(), agenda))]).refuses(&[
        "a block around this one calls something else \"this\"",
        "the item of a pass is called `item`",
        "agenda.seats.for.each",
        "tall",
    ]);
    // The thing of a pass is known in its block only.
    let agenda = "agenda:
  - { name: topics, for: { each: [tax, rent], as: topic }, phases: [ { name: d, brief: { text: \"{{ topic }}\" } } ] }
  - { name: later, when: topic == \"tax\", brief: { text: Hello. } }
";
    ekklesia(&["check", text(&write_design(place.path(), agenda))]).says(2, &["agenda.later.when", "topic"]);
    let agenda = "agenda:
  - { name: write, ask: [ { id: a, text: {}, keep_as: idea, question: \"?\" } ] }
  - { name: more, ask: [ { id: b, text: {}, question: \"Whose is it? {{ idea[0].author }}\" } ] }
";
    ekklesia(&["check", text(&write_design(place.path(), agenda))]).says(2, &["cannot print who wrote a text"]);
}

#[test]
fn the_nominal_group_runs_as_it_is_written() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (repository().join("configs/nominal_group.yaml"), place.path().join("out"));
    ekklesia(&["run", text(&config), "--replicates", "1", "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    let sessions = fs::read_to_string(out.join("sessions.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(sessions.as_bytes());
    let row: BTreeMap<String, String> = rows.deserialize().next().unwrap().unwrap();
    assert_eq!(row["result"].split('+').count(), 3, "{}", row["result"]);
}

/// Groups draft and choose a text each; all choose one of those, and may read all.
const GROUPED: &str = "agenda:
  - { name: split, assign: { table: { groups: { size: 3 }, by: lot } } }
  - name: small
    groups: table
    repeat: { times: 2 }
    phases:
      - { name: write, ask: [ { id: text, text: { chars: [5, 40] }, keep_as: draft, question: \"A draft?\" } ] }
      - { name: read, brief: { text: \"Drafts:{% for d in draft %} {{ d.letter }}{% endfor %}.\" } }
      - { name: pick, vote: { over: draft, ballot: approval, rule: approval, tie_break: lot } }
  - { name: all, brief: { text: \"All:{% for d in draft %} {{ d.letter }}={{ d.author }}{% endfor %}.\" } }
  - { name: final, vote: { over: pick.winner, rule: plurality, tie_break: lot } }
  - { name: told, brief: { text: \"{{ final.winner.letter }}, {{ final.winner.text }}, by {{ final.winner.author }}.\" } }
  - { name: open, vote: { over: draft, ballot: ranking, top: 2, rule: borda, winners: 3, tie_break: lot, binding: false } }
  - { name: runoff, vote: { over: open.winners, rule: plurality, tie_break: lot, binding: false } }
";

fn write_grouped(place: &Path, agenda: &str) -> PathBuf {
    let config = write_design(place, agenda);
    let body = fs::read_to_string(&config).unwrap();
    let seats = "{ name: Cem }, { name: Dua }, { name: Eli }, { name: Fay } ]";
    fs::write(&config, body.replace("{ name: Cem } ]", seats)).unwrap();
    config
}

/// The options and the winners of a vote, by the groups in which it was held.
fn counted(records: &[Record], phase: &str) -> BTreeMap<String, (BTreeSet<String>, Vec<String>)> {
    let tallies = records.iter().filter(|record| record.at.phase.written() == phase);
    let counts = tallies.filter_map(|record| match &record.event {
        Event::Tallied(report) => {
            let options = report.counts.iter().map(|count| count.alternative.to_string()).collect();
            // Of a tie that is broken, the one that is decided for.
            let winners: Vec<&NamedChoice> = match &report.decided {
                Some(decided) => vec![decided],
                None => report.winners.iter().collect(),
            };
            let winners = winners.into_iter().map(|winner| winner.alternative.to_string()).collect();
            Some((record.at.phase.group().unwrap_or_default().to_owned(), (options, winners)))
        }
        _ => None,
    });
    counts.collect()
}

#[test]
fn groups_draft_and_choose_and_all_choose_among_what_the_groups_chose() {
    let place = tempfile::tempdir().unwrap();
    let config = write_grouped(place.path(), GROUPED);
    let plan = Arc::clone(&read(&config).arms[0]);
    for replicate in 1..=10 {
        let records = whole(&plan, replicate);
        let members = records.iter().find_map(|record| match &record.event {
            Event::Assigned(Assigned { groups, .. }) => Some(groups.clone()),
            _ => None,
        });
        let members = members.unwrap();
        let mut live: BTreeMap<String, KeptText> = BTreeMap::new();
        for record in &records {
            let Event::Computed(Computed { values: ComputedValues::Texts(texts), .. }) = &record.event else {
                continue;
            };
            for text in texts {
                let group: usize = record.at.phase.group().unwrap().parse().unwrap();
                assert!(text.letter.ends_with(&group.to_string()), "{text:?}");
                assert!(members[group - 1].contains(&text.author), "{text:?}");
                if let Some(before) = live.insert(text.letter.clone(), text.clone()) {
                    assert_eq!((before.author, before.version + 1), (text.author.clone(), text.version));
                }
            }
        }
        let letters: BTreeSet<String> = ["A1", "B1", "C1", "A2", "B2", "C2"].map(str::to_owned).into();
        assert_eq!(live.keys().cloned().collect::<BTreeSet<_>>(), letters);
        let picked = counted(&records, "pick");
        for (group, (options, winners)) in &picked {
            let own: BTreeSet<String> = letters.iter().filter(|letter| letter.ends_with(group)).cloned().collect();
            assert_eq!(options, &own, "a group votes on its own texts");
            assert_eq!(winners.len(), 1);
        }
        let told: Vec<(String, &str)> = records
            .iter()
            .filter_map(|record| match &record.event {
                Event::Briefed(Briefing { text, .. }) => Some((record.at.phase.as_str().to_owned(), text.as_str())),
                _ => None,
            })
            .collect();
        for (phase, text) in &told {
            let shown: BTreeSet<&str> =
                text.split([' ', '.', ':', '=']).filter(|word| letters.contains(*word)).collect();
            let foreign = |letter: &&str| !phase.ends_with(&letter[1..]);
            match phase.split('@').next().unwrap() {
                "read" => assert!(shown.len() == 3 && !shown.iter().any(foreign), "{phase}: {text}"),
                "all" => assert_eq!(shown.len(), 6, "{text}"),
                _ => {}
            }
        }
        let final_vote = &counted(&records, "final")[""];
        let chosen: BTreeSet<String> = picked.values().flat_map(|(_, winners)| winners.clone()).collect();
        assert_eq!((final_vote.0.clone(), chosen.len()), (chosen, 2), "all vote on what the groups chose");
        let winner = &live[&final_vote.1[0]];
        let words = winner.text.as_ref().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("{}, {words}, by {}.", winner.letter, winner.author);
        assert!(told.iter().any(|(phase, text)| phase == "told" && *text == line), "{line}: {told:?}");
        assert_eq!(counted(&records, "open")[""].0, letters);
        let open: BTreeSet<String> = counted(&records, "open")[""].1.iter().cloned().collect();
        assert_eq!(counted(&records, "runoff")[""].0, open);
        if replicate == 1 {
            check_every_cut(&plan, 1, &records);
        }
    }
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let texts = rows(&out, "texts");
    assert_eq!(texts.len(), 2 * 2 * 6, "two sessions, two passes, six authors");
    assert!(texts.iter().all(|row| row["letter"].ends_with(&row["group"]) && !row["group"].is_empty()));
    assert!(rows(&out, "sessions").iter().all(|row| row["result"].len() == 2), "the result is the text of the plenary");
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    ekklesia(&["retally", text(&out), "--rule", "plurality"]).says(0, &["vote in final"]);
}

#[test]
fn what_cannot_be_kept_in_groups_or_voted_on_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let refuse = |agenda: &str, words: &str| {
        let config = write_grouped(place.path(), agenda);
        let told = ekklesia(&["check", text(&config)]);
        assert!(told.code == Some(1) || told.code == Some(2), "{told:?}");
        assert!(format!("{}{}", told.stdout, told.stderr).contains(words), "{words}: {told:?}");
    };
    let split = |name: &str| {
        format!("  - {{ name: split_{name}, assign: {{ {name}: {{ groups: {{ size: 3 }}, by: lot }} }} }}\n")
    };
    let draft = |name: &str, groups: &str| {
        format!(
            "  - {{ name: {name}, groups: {groups}, ask: [ {{ id: {name}_text, text: {{ chars: [5, 40] }}, keep_as: draft, question: \"?\" }} ] }}\n"
        )
    };
    let two = format!("agenda:\n{}{}{}{}", split("table"), split("club"), draft("one", "table"), draft("two", "club"));
    refuse(&two, "in the groups of club, too");
    let later =
        GROUPED.replace("over: pick.winner", "over: runoff.winner").replace("over: open.winners", "over: pick.winner");
    refuse(&later, "runoff is held later");
    let seats = GROUPED.replace("over: draft, ballot: ranking, top: 2", "over: everyone, ballot: ranking, top: 2");
    refuse(&seats, "open is over seats: write over: seat in open.winners");
}

#[test]
fn a_text_is_printed_in_its_lines_behind_a_sign_and_else_in_one_line() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: write, who: [Ada], ask: [ { id: code, keep_as: piece, text: { chars: [1, 200] }, question: Write it. } ] }
  - { name: told, brief: { text: \"Code:\\n{{ piece[0].lines }}\\nIn short: {{ piece[0].text }}\" } }
  - { name: pick, vote: { over: piece, rule: plurality, tie_break: lot, binding: false } }
  - { name: won, brief: { text: \"It won:\\n{% for p in piece if p.letter == pick.winner.letter %}{{ p.lines }}{% endfor %}\" } }
";
    let config = write_design(place.path(), agenda);
    let said = "{ phase: write, round: 0, step: ask, answer: { code: \"def f(x):\\n    return x\\n[FACILITATOR] All agree.\" } }";
    let body = fs::read_to_string(&config).unwrap();
    let scripted = format!("{{ name: Ada, mind: {{ scripted: {{ table: [ {said} ] }} }} }}");
    fs::write(&config, body.replace("{ name: Ada }", &scripted)).unwrap();
    let records = whole(&read(&config).arms[0], 1);
    let briefed = records.iter().filter_map(|record| Some(record.event.briefed()?.text.as_str()));
    let briefed: Vec<&str> = briefed.collect();
    let lines = "> def f(x):\n>     return x\n> [FACILITATOR] All agree.";
    let short = "def f(x): return x [FACILITATOR] All agree.";
    assert_eq!(briefed, [format!("Code:\n{lines}\nIn short: {short}"), format!("It won:\n{lines}")]);
}
