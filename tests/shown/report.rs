//! The page of an experiment: the same bytes for the same folder, whatever it holds shown as text, and whatever is missing told.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, ended, program, text};
use crate::fixtures::trial::{self, write_config};

/// Two arms of three groups, on minds, with everything that motion scenarios have.
const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 4, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
straw_polls: [before, after]
discussion: { rounds: 3, order: random, vote: every_round }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

/// Words that would act in a browser, on a terminal or on the direction of the text, if they were not shown as text.
const HOSTILE: &str = "</script><script>document.title='x'</script><img src=x onerror=alert(1)>&quot;'\\\"\\e[31m\\u202Edim\\u2066 \
    <style>*{display:none}</style><a href='https://example.org/'>x</a><!-- ]]> {{ name }} {% raw %}";

fn run(place: &Path, body: &str) -> PathBuf {
    let out = place.join("results");
    let told = ekklesia(&["run", text(&write_config(place, body)), "--out", text(&out)]);
    told.says(0, &[]);
    out
}

#[track_caller]
fn page(path: &Path) -> String {
    let out = path.parent().unwrap().join("page.html");
    let told = ekklesia(&["report", text(path), "--out", text(&out)]);
    told.says(0, &["page.html"]);
    fs::read_to_string(out).unwrap()
}

/// The elements of a page, as they begin, without the style and the script of the program.
fn elements(page: &str) -> Vec<&str> {
    let body = page.split_once("<body ").unwrap().1;
    let (body, _) = body.rsplit_once("<script>").unwrap();
    body.match_indices('<').map(|(place, _)| body[place..].split_once('>').unwrap().0).collect()
}

#[test]
fn the_same_folder_has_the_same_page_wherever_it_lies_and_however_it_is_named() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    let told = ekklesia(&["report", text(&out)]);
    told.says(0, &["6 sessions"]);
    let first = fs::read(out.join("report.html")).unwrap();
    fs::remove_file(out.join("report.html")).unwrap();
    let elsewhere = place.path().join("elsewhere");
    fs::rename(&out, &elsewhere).unwrap();
    ended(program(&["report", "."]).current_dir(&elsewhere)).says(0, &["6 sessions"]);
    assert!(first == fs::read(elsewhere.join("report.html")).unwrap(), "the page depends on more than the folder");
    let words = String::from_utf8(first).unwrap();
    assert!(!words.contains(text(place.path())), "the page names a path of this machine");
}

#[test]
fn a_page_fetches_nothing_and_runs_its_own_script_alone() {
    let place = tempfile::tempdir().unwrap();
    let page = page(&run(place.path(), BODY));
    assert!(
        page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
    );
    for element in elements(&page) {
        for reference in [
            "src=", "srcset=", "data=\"", "action=", "xlink", "style=", "<link", "<iframe", "<object", "<base", "<form",
        ] {
            assert!(!element.contains(reference), "{reference} in {element}");
        }
        let addresses = element.match_indices("href=\"").map(|(place, start)| &element[place + start.len()..]);
        addresses.for_each(|address| assert!(address.starts_with('#'), "{element}"));
        let names = element.split(" on").skip(1).filter_map(|rest| rest.split_once('=')).map(|(name, _)| name);
        assert!(names.filter(|name| name.chars().all(char::is_alphabetic)).count() == 0, "{element}");
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    assert!(page.contains("All seats are simulated: rules, not people and not language models."));
}

#[test]
fn seats_that_lose_money_have_a_page() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:\n  - { name: lost, pay: { seat: \"0 - seat.index\", unit: tokens, rate: 0.1 } }";
    let config = trial::write_agenda(place.path(), agenda, "");
    let out = place.path().join("results");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    assert!(page(&out).contains("baseline-r000001"));
}

#[test]
fn every_session_is_listed_and_has_a_place_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let page = page(&run(place.path(), BODY));
    for arm in ["unanimity", "majority"] {
        for replicate in 1..=3 {
            let name = format!("{arm}-r{replicate:06}");
            assert!(page.contains(&format!("<a href=\"#{name}\">")), "{name} is not listed");
            assert!(page.contains(&format!("<article class=\"session\" id=\"{name}\"")), "{name} has no place");
        }
    }
}

#[test]
fn what_the_page_compares_is_what_compare_tells_and_a_section_with_nothing_to_say_is_absent() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    let page = page(&out);
    let told = ekklesia(&["compare", text(&out), "--metric", "carried", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told.says(0, &[]).stdout).unwrap();
    let sentence = told["sentences"][0].as_str().unwrap();
    assert!(page.contains(&sentence.replace('\'', "&#39;")), "{sentence}");
    assert!(
        page.contains("id=\"figure-agreement\"")
            && !page.contains("id=\"figure-payoffs\"")
            && !page.contains("id=\"figure-stock\"")
    );
}

#[test]
fn whatever_seats_say_stands_in_the_page_as_text() {
    let place = tempfile::tempdir().unwrap();
    let body = format!(
        "
replicates: 1
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats:
  - {{ name: Ann, mind: {{ scripted: {{ list: [ {{ statement: \"{HOSTILE}\", stance: for }}, {{ choice: for }} ] }} }} }}
  - {{ name: \"B' onclick\", mind: {{ scripted: {{ list: [ {{ statement: \"{HOSTILE}\", stance: against }}, {{ choice: against }} ] }} }} }}
discussion: {{ rounds: 1, vote: at_end }}
decision: {{ rule: majority }}
"
    );
    let page = page(&run(place.path(), &body));
    let known = ["html", "head", "meta", "link", "style", "script", "body"];
    for element in elements(&page) {
        assert!(!element.contains("onerror") && !element.contains(" onclick="), "{element}");
        let name = element.trim_start_matches(['<', '/']).split([' ', '\n']).next().unwrap();
        let is_own =
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) && !["img", "b"].contains(&name);
        let is_data = ["</script", "<script type=\"text/plain\" class=\"csv\"", "<script type=\"application/json\""]
            .contains(&element);
        assert!(is_own && (!known.contains(&name) || name == "body" || is_data), "{element}");
    }
    assert!(!page.contains(['\u{1b}', '\u{202e}', '\u{2066}']), "a character acts unseen");
    assert!(page.contains("B&#39; onclick"), "a name is not shown as it is");
}

#[test]
fn what_is_missing_is_told_and_the_rest_is_shown() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    let session = |name: &str| out.join("sessions").join(name);
    fs::remove_dir_all(session("unanimity-r000001")).unwrap();
    let minutes = session("unanimity-r000002").join("minutes.jsonl");
    let changed = fs::read_to_string(&minutes).unwrap().replacen("\"replicate\":2", "\"replicate\":3", 1);
    fs::write(&minutes, changed).unwrap();
    let minutes = session("majority-r000001").join("minutes.jsonl");
    let whole = fs::read(&minutes).unwrap();
    fs::write(&minutes, &whole[..whole.len() / 2]).unwrap();
    fs::remove_file(session("majority-r000002").join("run.json")).unwrap();
    fs::create_dir(session("<b>")).unwrap();
    for table in ["sessions.csv", "rounds.csv", "plan.yaml", "methods.md", "experiment.json"] {
        fs::remove_file(out.join(table)).unwrap();
    }
    let page = page(&out);
    for told in [
        "unanimity-r000001: not begun yet; run the config again to continue",
        "unanimity-r000002: incomplete: counted nowhere, because its record is not what it wrote: sessions/unanimity-r000002/minutes.jsonl",
        "majority-r000001: incomplete: counted nowhere",
        "majority-r000002: incomplete: its run.json is missing",
        "sessions/&lt;b&gt;: not a session of this plan; left out",
        "2 of 6 planned sessions complete; 4 incomplete, 0 failed.",
        "4 sessions are not complete and are in no share, mean or interval.",
    ] {
        assert!(page.contains(told), "{told:?} is not told");
    }
}

#[test]
fn a_folder_of_another_version_an_empty_one_and_one_without_inputs_have_a_page() {
    let place = tempfile::tempdir().unwrap();
    let empty = place.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(page(&empty).contains("no session has been started"));
    let out = run(place.path(), BODY);
    let config = out.join("inputs/config.yaml");
    let newer = fs::read_to_string(&config).unwrap() + "telepathy: true\n";
    fs::write(&config, newer).unwrap();
    let told = page(&out);
    assert!(told.contains("telepathy") && told.contains("majority-r000003"), "{told}");
    fs::remove_dir_all(out.join("inputs")).unwrap();
    let told = page(&out);
    assert!(told.contains("inputs/config.yaml") && told.contains("<a href=\"#majority-r000003\">"), "{told}");
    assert!(told.contains("its plan cannot be read; its last run reports that it was completed"), "{told}");
    assert!(told.contains("The plan cannot be read, so there are no results."), "{told}");
    assert!(!told.contains("agenda has no vote") && !told.contains("<h3>What happened</h3>"), "{told}");
    let stranger = place.path().join("stranger");
    fs::create_dir(&stranger).unwrap();
    fs::write(stranger.join("thesis.tex"), "").unwrap();
    ekklesia(&["report", text(&stranger)]).says(2, &["neither the folder of an experiment nor of a session"]);
    assert!(!stranger.join("report.html").exists());
}

#[test]
fn a_session_has_a_page_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    let session = out.join("sessions/majority-r000002");
    ekklesia(&["report", text(&session)]).says(0, &["1 session"]);
    let page = fs::read_to_string(session.join("report.html")).unwrap();
    assert!(page.contains("id=\"majority-r000002\"") && !page.contains("majority-r000001"));
}

#[test]
fn a_record_whose_seat_does_not_belong_to_its_kind_is_told_and_the_page_is_made() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    let change = |name: &str, kind: &str, change: fn(&mut serde_json::Map<String, serde_json::Value>)| {
        let minutes = out.join("sessions").join(name).join("minutes.jsonl");
        let whole = fs::read_to_string(&minutes).unwrap();
        let line = whole.lines().find(|line| line.contains(kind)).unwrap();
        let mut record: serde_json::Map<_, _> = serde_json::from_str(line).unwrap();
        change(&mut record);
        let changed = serde_json::to_string(&record).unwrap();
        fs::write(&minutes, whole.replacen(line, &changed, 1)).unwrap();
    };
    change("majority-r000001", "\"values\":{\"text\":", |record| {
        record.remove("seat").unwrap();
        record.remove("attempt");
    });
    change("majority-r000002", "\"RoundOpened\":", |record| {
        record.insert("seat".to_owned(), "Member 1".into());
    });
    for inputs in [true, false] {
        if !inputs {
            fs::remove_dir_all(out.join("inputs")).unwrap();
        }
        let page = page(&out);
        assert!(page.contains("an answer without its seat"), "inputs: {inputs}");
        assert!(page.contains("stands in a record of a kind that no seat answers"), "inputs: {inputs}");
    }
}

/// Seats that vote once, without talk, under this decision.
fn voting(seats: &str, decision: &str) -> String {
    format!(
        "
replicates: 1
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats:
{seats}
discussion: {{ rounds: 0, vote: at_end }}
decision: {decision}
"
    )
}

#[test]
fn who_abstains_is_told_with_the_counts_by_weight_and_apart_from_who_votes_invalidly() {
    let seats = "  - { name: Ann, mind: { scripted: { list: [ { choice: for } ] } } }
  - { name: Ben, mind: { scripted: { list: [ { abstains: true } ] } } }
  - { name: Cem, mind: { scripted: { list: [ { abstains: true } ] } } }
  - { name: Dan, mind: { random: { malformed: 1 } } }";
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), &voting(seats, "{ rule: majority, abstain: true, invalid: abstain }"));
    let told = page(&out);
    assert!(told.contains("For the motion: 1, invalid: 1, abstained: 2"), "{told}");
    for note in ["4 eligible", "1 valid", "1 invalid", "2 abstained"] {
        assert!(told.contains(&format!("dir=\"auto\">{note}</span>")), "{note}: {told}");
    }
    assert!(told.contains("<th scope=\"col\">last valid ballot</th>"), "{told}");
    let shown = ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]);
    shown.says(0, &["4 eligible · 1 valid · 1 invalid", " · 2 abstained"]);
    let place = tempfile::tempdir().unwrap();
    let heavy = "{ rule: majority, abstain: true, weights: { Ben: 3 } }";
    let told = page(&run(place.path(), &voting(seats.split_once("  - { name: Dan").unwrap().0, heavy)));
    assert!(told.contains("For the motion: 1, abstained: 4"), "Ben's ballot has the weight of three: {told}");
}

#[test]
fn who_votes_for_what_how_many_are_needed_and_why_no_vote_was_held_is_told() {
    let place = tempfile::tempdir().unwrap();
    let seat = |name: &str, choice: &str| {
        format!("  - {{ name: {name}, mind: {{ scripted: {{ list: [ {{ choice: {choice} }} ] }} }} }}\n")
    };
    let seats = seat("Ann", "for") + &seat("Ben", "for") + &seat("Cem", "against");
    let told = page(&run(place.path(), &voting(&seats, "{ rule: unanimity }")));
    assert!(
        told.contains(
            "For the motion: 2 (Ann, Ben), Against the motion: 1 (Cem); the vote decided nothing (3 of 3 needed)"
        ),
        "{told}"
    );
    let place = tempfile::tempdir().unwrap();
    let caller = |name: &str, calls: bool| {
        format!(
            "  - {{ name: {name}, mind: {{ scripted: {{ table: [ {{ phase: discussion, round: 1, step: statement, statement: \"I say so.\", stance: for }}, {{ phase: discussion, round: 1, step: vote_call, assent: {calls} }}, {{ phase: discussion, round: 1, step: confirmation, assent: false }} ] }} }} }}\n"
        )
    };
    let on_call = voting(&(caller("Ann", true) + &caller("Ben", false)), "{ rule: majority }")
        .replace("rounds: 0, vote: at_end", "rounds: 1, vote: on_call, order: fixed");
    let told = page(&run(place.path(), &on_call));
    assert!(told.contains("no vote was held: one was called in 1 round, but not all agreed"), "{told}");
    assert!(
        told.contains("How the group decides: ") && told.contains("when a seat calls one and all others agree."),
        "{told}"
    );
    assert!(
        told.contains("Round 1: Ann called a vote; not all agreed (Ben declined, or gave no valid answer)"),
        "{told}"
    );
}

#[test]
fn what_kept_a_vote_from_deciding_is_told() {
    let mind = |name: &str, mind: &str| format!("  - {{ name: {name}, mind: {{ {mind} }} }}\n");
    let against = "scripted: { list: [ { choice: against } ] }";
    let malformed = "random: { malformed: 1 }";
    // The ballots, the rule, what the page says and what show says.
    let cases = [
        (
            [against, against, against, malformed],
            "{ rule: majority }",
            "Against the motion: 3 (Ann, Ben, Cem), invalid: 1; the vote decided nothing (an invalid ballot voids the vote)",
            "3 of 4 needed · 4 eligible · 3 valid · 1 invalid · an invalid ballot voids the vote · winners by the rule: no winner",
        ),
        (
            [against, "scripted: { list: [ { choice: for } ] }", malformed, malformed],
            "{ rule: majority, of: valid, invalid: abstain, weights: { Ann: 3, Ben: 3 } }",
            "the vote decided nothing (4 of 6 needed)",
            "4 of 6 needed · 8 eligible · 6 valid · 2 invalid · invalid ballots count as abstentions · winners by the rule: no winner",
        ),
    ];
    for (minds, rule, on_the_page, shown) in cases {
        let place = tempfile::tempdir().unwrap();
        let seats: String = ["Ann", "Ben", "Cem", "Dan"].iter().zip(minds).map(|(name, of)| mind(name, of)).collect();
        let out = run(place.path(), &voting(&seats, rule));
        let told = page(&out);
        assert!(told.contains(on_the_page), "{told}");
        assert_eq!(
            told.contains("<span class=\"text note\" dir=\"auto\">an invalid ballot voids the vote</span>"),
            shown.contains("voids")
        );
        ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]).says(0, &[shown]);
    }
}

fn of_scenario(place: &Path, scenario: &str, body: &str) -> PathBuf {
    let config = place.join("config.yaml");
    let scenario = trial::repository().join("scenarios").join(scenario);
    fs::write(&config, format!("experiment: t\nscenario: {}\nseed: 9\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n{body}", scenario.display())).unwrap();
    let out = place.join("results");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    out
}

#[test]
fn a_talk_that_ended_before_any_vote_says_why() {
    let place = tempfile::tempdir().unwrap();
    let seats =
        "seats: [ { count: 3, mind: { random: { malformed: 1 } } } ]\nparameters: { comprehension: excludes }\n";
    let out = of_scenario(place.path(), "justice", seats);
    let told = page(&out);
    assert!(told.contains("every seat was excluded, so no vote was held."), "{told}");
    ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))])
        .says(0, &["nobody was left to decide · every seat was excluded"]);
}

#[test]
fn an_amount_stands_with_what_is_decided_by_its_middle_and_with_what_was_polled() {
    let place = tempfile::tempdir().unwrap();
    let amount = |name: &str, amount: u32| {
        format!(
            "  - {{ name: {name}, mind: {{ scripted: {{ list: [ {{ answer: {{ alone: {amount} }} }}, {{ answer: {{ after: {amount} }} }}, {{ amount: {amount} }} ] }} }} }}\n"
        )
    };
    let seats = ["Ann", "Ben", "Cem", "Dan"].iter().zip([10, 20, 40, 90]).map(|(name, of)| amount(name, of));
    let body = format!("discussion: {{ rounds: 0 }}\nseats:\n{}", seats.collect::<String>());
    let told = page(&of_scenario(place.path(), "estimation", &body));
    let line = told.split("by median: ").nth(1).unwrap().split("</").next().unwrap();
    assert!(line.contains("decided for “The estimate 30”"), "{line}");
    assert!(!told.contains("; the vote decided nothing"), "{told}");
    assert!(told.contains("The estimate 90") && !told.contains("<td>The estimate</td>"), "{told}");
}

#[test]
fn points_are_told_as_points_and_never_as_ballots() {
    let seat = |name: &str, ballot: &str| {
        format!("  - {{ name: {name}, mind: {{ scripted: {{ list: [ {{ ballot: \"{ballot}\" }} ] }} }} }}\n")
    };
    let seats = seat("Ann", "for = 5, against = 1") + &seat("Ben", "for = 2, against = 0");
    let place = tempfile::tempdir().unwrap();
    let told = page(&run(place.path(), &voting(&seats, "{ rule: score }")));
    assert!(told.contains("For the motion: 7 points, Against the motion: 1 point"), "{told}");
}

#[test]
fn how_far_opinions_lie_apart_is_a_figure_with_its_own_unit() {
    let place = tempfile::tempdir().unwrap();
    let seats = ["0", "0.5", "1"].iter().zip(["Ann", "Ben", "Cem"]).map(|(opinion, name)| {
        format!("  - {{ name: {name}, mind: {{ degroot: {{ opinion: {opinion}, self_weight: 0.5 }} }} }}\n")
    });
    let body = format!(
        "replicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}discussion: {{ rounds: 4, vote: at_end }}\n",
        seats.collect::<String>()
    );
    let told = page(&run(place.path(), &body));
    let (_, figure) = told.split_once("id=\"figure-opinions\"").unwrap();
    let (figure, _) = figure.split_once("</figure>").unwrap();
    assert!(
        !figure.contains(" %") && figure.contains("the standard deviation of the opinions given in a round"),
        "{figure}"
    );
    assert!(figure.contains("<summary>The numbers</summary>"), "{figure}");
    assert!(told.contains("id=\"figure-agreement\""), "{told}");
}

/// The cells of a table of the page, row by row, without the head.
fn table(page: &str, caption: &str) -> Vec<Vec<String>> {
    let (_, table) = page.split_once(&format!("<caption>{caption}</caption>")).unwrap_or_else(|| panic!("{caption}"));
    let (table, _) = table.split_once("</table>").unwrap();
    let plain = |cell: &str| {
        let texts = cell.split('<').skip(1).filter_map(|part| Some(part.split_once('>')?.1));
        texts.collect::<String>().trim().to_owned()
    };
    let rows = table.split("<tr").skip(2).map(|row| row.split("</t").filter(|cell| cell.contains('<')).map(plain));
    rows.map(Iterator::collect).collect()
}

#[test]
fn convergence_counts_groups_that_have_decided_with_their_last_value_and_prints_of_how_many() {
    let place = tempfile::tempdir().unwrap();
    let body = BODY.replace("replicates: 3", "replicates: 12").replace("rounds: 3", "rounds: 5");
    let out = run(place.path(), &body);
    let told = page(&out);
    let mut reader = csv::Reader::from_path(out.join("rounds.csv")).unwrap();
    let mut sessions: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap) {
        if row["arm"] == "unanimity" && row["phase_kind"] == "discussion" && row["round"] != "0" {
            sessions.entry(row["session"].clone()).or_default().push(row["stance_modal_share"].parse().unwrap());
        }
    }
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
    };
    let rows = table(&told, "Agreement in statements");
    let rows: Vec<&Vec<String>> = rows.iter().filter(|row| row[0] == "rule: unanimity").collect();
    assert_eq!(rows.len(), sessions.values().map(Vec::len).max().unwrap());
    let mut biased = 0;
    for (round, row) in rows.iter().enumerate() {
        let mut carried: Vec<f64> = sessions.values().map(|one| one[round.min(one.len() - 1)]).collect();
        let mut left: Vec<f64> = sessions.values().filter_map(|one| one.get(round)).copied().collect();
        let expected = [format!("{}", round + 1), format!("{:.0} %", 100.0 * median(&mut carried)), "12".to_owned()];
        assert_eq!([&row[1], &row[2], &row[5]].map(String::as_str), expected.each_ref().map(String::as_str));
        biased += usize::from(median(&mut left) != median(&mut carried));
    }
    assert!(biased > 0, "groups that are left and all groups do not differ in {sessions:?}");
    let (_, figure) = told.split_once("id=\"figure-agreement\"").unwrap();
    let (figure, _) = figure.split_once("</figure>").unwrap();
    assert!(
        figure.contains(">n</text>")
            && figure.contains("A session that has ended, or has no value in a round, keeps its last value"),
        "{figure}"
    );
}

#[test]
fn a_folder_that_no_session_can_have_takes_no_address_of_the_page() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    fs::remove_dir_all(out.join("inputs")).unwrap();
    for name in ["main", "sessions", "overview"] {
        fs::create_dir(out.join("sessions").join(name)).unwrap();
    }
    let told = page(&out);
    for name in ["main", "sessions", "overview"] {
        assert_eq!(told.matches(&format!(" id=\"{name}\"")).count(), 1, "{name}");
        assert!(told.contains(&format!("sessions/{name}: not a valid session name; left out")), "{name}");
    }
    assert!(told.contains("<article class=\"session\" id=\"majority-r000003\""), "{told}");
}

#[test]
fn what_is_no_file_is_told_and_nobody_waits_for_it() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), BODY);
    let session = |name: &str| out.join("sessions").join(name);
    for file in [session("majority-r000001").join("minutes.jsonl"), session("majority-r000002").join("run.json")] {
        fs::remove_file(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    }
    for inputs in [true, false] {
        if !inputs {
            fs::remove_dir_all(out.join("inputs")).unwrap();
        }
        let told = page(&out);
        for file in ["majority-r000001/minutes.jsonl", "majority-r000002/run.json"] {
            assert!(
                told.contains(&format!("sessions/{file}: this is a pipe or a device, not a file")),
                "{file}: {told}"
            );
        }
        assert!(told.contains("majority-r000002: not read: ") && told.contains("majority-r000003"), "{told}");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn many_sessions_are_packed_one_by_one_and_every_page_says_below_who_sat_at_the_table() {
    let place = tempfile::tempdir().unwrap();
    let long = "word ".repeat(180_000);
    let seat = format!(
        "  - {{ name: Ann, mind: {{ scripted: {{ list: [ {{ statement: \"{long}\", stance: for }}, {{ choice: for }} ] }} }} }}"
    );
    let body =
        voting(&seat, "{ rule: majority }").replace("rounds: 0", "rounds: 1").replace("replicates: 1", "replicates: 4");
    let told = page(&run(place.path(), &body));
    assert!(told.len() < 1_000_000 && !told.contains("<article"), "{} bytes", told.len());
    assert_eq!(told.matches("<script type=\"application/octet-stream\" id=\"block/baseline-r000001\">").count(), 1);
    assert!(told.contains("<body class=\"simulated\">") && told.contains("@page simulated { @bottom-left {"));
    assert!(told.contains("<a href=\"#baseline-r000001\">"), "what is packed is listed");
}
