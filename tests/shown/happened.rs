//! What the page says about single sessions: where a reader finds each, how its common stock fared, which facts were new to whom, and
//! what preceded a move. The figures and tables of other test files are read with the helpers here.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{self, write_config};

/// A run of a shipped scenario, and its page.
pub fn of_scenario(place: &Path, scenario: &str, body: &str) -> (PathBuf, String) {
    let config = place.join("config.yaml");
    let scenario = trial::repository().join("scenarios").join(scenario);
    fs::write(&config, format!("experiment: t\nscenario: {}\nseed: 9\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n{body}", scenario.display())).unwrap();
    ran(place, &config)
}

/// A run of a config, and its page.
pub fn ran(place: &Path, config: &Path) -> (PathBuf, String) {
    let out = place.join("results");
    ekklesia(&["run", text(config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    (out, page)
}

/// What a page shows: without style, script and elements, and with blanks of any kind as one.
pub fn read(page: &str) -> String {
    let (_, main) = page.split_once("<main ").unwrap();
    let (main, _) = main.split_once("</main>").unwrap();
    // Figures carry their data in script elements, which nobody reads.
    let mut parts = main.split("<script ");
    let first = parts.next().unwrap().to_owned();
    words_of(&parts.fold(first, |shown, part| shown + part.split_once("</script>").unwrap().1))
}

/// The heading of the page: the finding in a sentence.
pub fn read_finding(page: &str) -> String {
    let (_, heading) = page.split_once("<h2 id=\"overview-title\"").unwrap();
    words_of(heading.split_once('>').unwrap().1.split_once("</h2>").unwrap().0)
}

/// A figure as HTML, the first with this name.
#[track_caller]
pub fn find_figure<'p>(page: &'p str, name: &str) -> &'p str {
    let Some((_, figure)) = page.split_once(&format!("<figure id=\"figure-{name}\"")) else {
        panic!("no figure {name}")
    };
    figure.split_once("</figure>").unwrap().0
}

/// The caption of a figure: the finding, then how to read the figure.
#[track_caller]
pub fn read_caption(page: &str, name: &str) -> String {
    let (_, caption) = find_figure(page, name).split_once("<figcaption").unwrap();
    words_of(caption.split_once('>').unwrap().1.split_once("</figcaption>").unwrap().0)
}

/// A row of a table by the names of its columns.
pub type Row = BTreeMap<String, String>;

/// The numbers of a figure, a row for each mark.
#[track_caller]
pub fn read_numbers(page: &str, name: &str) -> Vec<Row> {
    parse_rows(find_figure(page, name).split_once("<summary>The numbers</summary>").unwrap().1)
}

#[track_caller]
pub fn find_session_row(page: &str, name: &str) -> Row {
    let mut found = list_session_rows(page).into_iter().filter(|row| row["session"] == name);
    let Some(row) = found.next() else { panic!("{name} is not listed") };
    assert!(found.next().is_none(), "{name} is listed twice");
    row
}

pub fn list_session_rows(page: &str) -> Vec<Row> {
    parse_rows(page.split_once("<table class=\"sessions\">").unwrap().1)
}

/// The rows of the first table of a piece of HTML.
fn parse_rows(html: &str) -> Vec<Row> {
    let cells = |row: &str| -> Vec<String> {
        let ends = row.replace("</th>", "</td>");
        ends.split("</td>").filter(|cell| !cell.trim().is_empty()).map(words_of).collect()
    };
    let (head, body) = html.split_once("<thead>").unwrap().1.split_once("</thead>").unwrap();
    let names = cells(head.trim_start_matches("<tr>").trim_end_matches("</tr>"));
    let (body, _) = body.split_once("</tbody>").unwrap();
    let rows =
        body.split("<tr").skip(1).map(|row| cells(row.split_once('>').unwrap().1.split_once("</tr>").unwrap().0));
    rows.map(|row| {
        assert_eq!(row.len(), names.len(), "{names:?} {row:?}");
        names.iter().cloned().zip(row).collect()
    })
    .collect()
}

/// What the page shows of one session.
pub fn session(page: &str, name: &str) -> String {
    let (_, own) = page.split_once(&format!("<article class=\"session\" id=\"{name}\"")).unwrap();
    words_of(own.split_once("</article>").unwrap().0)
}

fn words_of(mut rest: &str) -> String {
    let mut words = String::new();
    while let Some((before, after)) = rest.split_once('<') {
        words.push_str(before);
        let (element, behind) = after.split_once('>').unwrap();
        let is_apart = ["/td", "/th", "/tr", "/li", "/p", "br"].contains(&element);
        words.push_str(if is_apart { " " } else { "" });
        rest = behind;
    }
    words.push_str(rest);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
pub fn has(told: &str, words: &str) {
    assert!(told.contains(words), "not told: {words}");
}

/// The columns of a table as they stand in the folder.
pub fn cells(out: &Path, table: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut table = csv::Reader::from_path(out.join(format!("{table}.csv"))).unwrap();
    let head = table.headers().unwrap().clone();
    let places: Vec<usize> = columns.iter().map(|name| head.iter().position(|one| one == *name).unwrap()).collect();
    table.records().map(|row| places.iter().map(|place| row.as_ref().unwrap()[*place].to_owned()).collect()).collect()
}

#[test]
fn which_facts_were_new_to_whom_is_told_where_they_were_said_and_where_a_seat_moved() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = of_scenario(
        place.path(),
        "hidden_profile",
        "replicates: 3\nseats: [ { count: 4, name: \"M{n}\" } ]\ndiscussion: { rounds: 8 }\nstraw_polls: [before, after]\n",
    );
    let told = read(&page);
    let held = cells(&out, "seats", &["session", "seat", "facts"]);
    let mut known: Vec<(String, String, Vec<String>)> = held
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone(), row[2].split('|').map(str::to_owned).collect()))
        .collect();
    let own: BTreeMap<String, String> = known.iter().map(|(name, ..)| (name.clone(), session(&page, name))).collect();
    let mut found = 0;
    for row in cells(&out, "statements", &["session", "seat", "seq", "round", "facts", "kind"]) {
        let [of, seat, seq, round, fact, kind] = row.as_slice() else { panic!("{row:?}") };
        if kind != "statement" {
            continue;
        }
        let others = || known.iter().filter(|(name, who, _)| name == of && who != seat);
        let new: Vec<&str> =
            others().filter(|(_, _, facts)| !facts.contains(fact)).map(|(_, who, _)| who.as_str()).collect();
        let words = format!("First mentioned by {seat} in round {round} [{seq}]: {fact} (");
        let own = &own[of];
        assert_eq!(own.contains(&words), !new.is_empty(), "{of}: {words}");
        if !new.is_empty() {
            let to = if new.len() == 3 { "all others".to_owned() } else { new.join(", ") };
            let rest = own.split(&words).nth(1).unwrap();
            assert!(rest.split_once("), ").unwrap().1.starts_with(&format!("new to {to}")), "{words}{rest:.200}");
            found += 1;
        }
        for one in known.iter_mut().filter(|(name, ..)| name == of) {
            one.2.push(fact.clone());
        }
    }
    assert!(found > 5, "{found}");
    assert!(told.contains("Adler got the library to open on Sundays.), new to "), "what the fact says");
    let moved = told.split(" moved from “Candidate Brandt” to “Candidate Adler” in round ").nth(1).unwrap();
    let (before, _) = moved.split_once(" It said:").unwrap();
    assert!(
        before.contains(
            "; the rule of its mind weighs facts and ignores who favours what; new facts heard since it last spoke: "
        ),
        "{before}"
    );
}

#[test]
fn a_first_stance_that_differs_from_the_poll_is_a_move_and_names_of_options_are_quoted() {
    let place = tempfile::tempdir().unwrap();
    let seat = |name: &str, mind: &str| format!("  - {{ name: {name}, mind: {{ {mind} }} }}\n");
    let scripted = |polled: &str, stance: &str| {
        format!(
            "scripted: {{ list: [ {{ choice: {polled} }}, {{ statement: \"So I say, and mean it.\", stance: {stance} }}, {{ choice: {stance} }} ] }}"
        )
    };
    let body = format!(
        "replicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}{}{}discussion: {{ rounds: 1, order: fixed, vote: at_end }}\nstraw_polls: [before]\ndecision: {{ rule: majority }}\n",
        seat("Ann", &scripted("for", "for")),
        seat("Ben", &scripted("against", "for")),
        seat("Cem", &scripted("against", "against")),
    );
    let (_, page) = ran(place.path(), &write_config(place.path(), &body));
    let told = read(&page);
    has(
        &told,
        "Ben had chosen “Against the motion” in the private poll before the talk and declared “For the motion” in round 1 [",
    );
    has(&told, "]; the rule of its mind ignores what others say It said: So I say, and mean it.");
    assert!(!told.contains("No seat changed its stance."));
    has(
        &told,
        "The group decided for “For the motion” after 1 of 1 round by majority (For the motion: 2, Against the motion: 1).",
    );
    let listed = find_session_row(&page, "baseline-r000001");
    assert_eq!(
        ["outcome", "movers", "moves", "rounds"].map(|column| listed[column].as_str()),
        ["For the motion", "Ben", "1", "1"]
    );
    assert_eq!(read_finding(&page), "1 of 1 session chose “For the motion”: 100 % (95 % interval 21 to 100 %).");
    has(&read_caption(&page, "flow"), "1 of 3 seats ended elsewhere than they began (poll before to last ballot).");
    assert!(
        ["votes for “For the motion”", "favours “For the motion”", "; decided for “For the motion”"]
            .iter()
            .all(|one| told.contains(one))
    );
    assert!(
        !told.contains("votes for For")
            && !told.contains("decided for For")
            && !told.contains("had spoken for “For the motion” since its last words")
    );
    has(&told, "rule majority of members 2 of 3 needed 3 eligible");
}

#[test]
fn how_strong_a_win_is_stands_with_the_rule_that_weighs_it() {
    let place = tempfile::tempdir().unwrap();
    let seat = |name: &str, ballot: &str| {
        format!("  - {{ name: {name}, mind: {{ scripted: {{ list: [ {{ ballot: \"{ballot}\" }} ] }} }} }}\n")
    };
    let body = format!(
        "replicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}{}discussion: {{ rounds: 0, vote: at_end }}\ndecision: {{ rule: ranked_pairs, strength: winning_votes }}\n",
        seat("Ann", "for > against"),
        seat("Ben", "for > against"),
    );
    let (_, page) = ran(place.path(), &write_config(place.path(), &body));
    let told = read(&page);
    has(&told, "rule ranked pairs of members strength winning votes");
    has(&told, "How the group decides: ranked pairs, strength winning votes;");
}

#[test]
fn a_kept_config_that_a_hand_gave_a_password_is_shown_without_it() {
    let place = tempfile::tempdir().unwrap();
    let body = "replicates: 1\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 3, mind: { random: {} } } ]\n";
    let (out, _) = ran(place.path(), &write_config(place.path(), body));
    let config = out.join("inputs/config.yaml");
    let own = "# base_url: https://me:geheim@host/v1\n# base_ulr: me:geheim@host/v1\n# api_key: sk-geheim\n";
    fs::write(&config, fs::read_to_string(&config).unwrap() + own).unwrap();
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("base_ulr: *********@host/v1") && page.contains("base_url: *************************\n"));
    assert!(!page.contains("geheim"));
}

#[test]
fn figures_with_a_panel_for_each_arm_show_the_first_eight_of_thirteen_arms_and_say_so() {
    let place = tempfile::tempdir().unwrap();
    let levels: Vec<String> = (1..=13).map(|rounds| rounds.to_string()).collect();
    let body = format!(
        "replicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [ {{ count: 3, name: \"M{{n}}\", mind: {{ voter: {{ copy: 0.5 }} }} }} ]\nstraw_polls: [before, after]\ndesign: {{ factors: {{ rounds: {{ key: discussion.rounds, levels: [{}] }} }} }}\n",
        levels.join(", ")
    );
    let (_, page) = ran(place.path(), &write_config(place.path(), &body));
    assert_eq!(page.matches("<figure id=\"figure-flow-").count(), 8);
    assert!(
        page.contains("aria-label=\"From first to last position, rounds: 8\"")
            && !page.contains("aria-label=\"From first to last position, rounds: 9\"")
    );
    let arms = |count: u64| (1..=count).map(|arm| format!("rounds: {arm}")).collect::<Vec<_>>();
    let distinct = |name: &str, column: &str| {
        let mut seen: Vec<String> = Vec::new();
        for row in read_numbers(&page, name) {
            if !seen.contains(&row[column]) {
                seen.push(row[column].clone());
            }
        }
        seen
    };
    for name in ["stances", "speaking"] {
        has(&read_caption(&page, name), " The first 8 of 13 arms are shown; the tables have all.");
        assert_eq!(distinct(name, "panel"), arms(8), "{name}");
    }
    // Figures that need no panel for each arm have them all.
    for name in ["choices", "polls", "agreement", "opinions"] {
        assert!(!read_caption(&page, name).contains("The first 8"), "{name}");
        assert_eq!(distinct(name, "series"), arms(13), "{name}");
    }
    assert!(page.contains("<a href=\"#13-r000002\">"), "its sessions are listed all the same");
    assert_eq!(find_session_row(&page, "13-r000002")["arm"], "rounds: 13");
    // Whatever the seats of an arm hold, a colour stands for the same option in every figure.
    let names = ["For the motion", "Against the motion"];
    let colours = names.map(|option| {
        let mut seen = Vec::new();
        for name in (1..=8).map(|arm| format!("flow-{arm}")).chain(["stances".to_owned()]) {
            let own = list_colours(&page, &name, option);
            assert!(!own.is_empty(), "{name}: {option}");
            seen.extend(own);
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 1, "{option}: {seen:?}");
        seen.swap_remove(0)
    });
    assert_ne!(colours[0], colours[1]);
    for (place, option) in names.into_iter().enumerate() {
        for name in (1..=8).map(|arm| format!("flow-{arm}")) {
            let drawn = list_ribbon_fills(&page, &name, option);
            assert!(!drawn.is_empty() && drawn.iter().all(|fill| *fill == format!("var(--choice{place})")), "{name}");
        }
    }
}

/// The fills of the ribbons that begin at an option.
fn list_ribbon_fills<'p>(page: &'p str, name: &str, option: &str) -> Vec<&'p str> {
    let title = format!("<title>{option} to ");
    let figure = find_figure(page, name);
    let ribbons = figure.match_indices(&title).map(|(place, _)| figure[..place].rsplit_once(" fill=\"").unwrap().1);
    ribbons.map(|fill| fill.split_once('"').unwrap().0).collect()
}

/// The colours of an option in the data of a figure, without ways that begin at another one.
fn list_colours(page: &str, name: &str, option: &str) -> Vec<String> {
    let (_, data) = find_figure(page, name).split_once("<script type=\"text/plain\" class=\"csv\">").unwrap();
    let data = STANDARD.decode(data.split_once("</script>").unwrap().0.trim()).unwrap();
    let marks: Vec<Row> = csv::Reader::from_reader(data.as_slice()).deserialize().map(Result::unwrap).collect();
    marks.iter().filter(|mark| mark["series"] == option).map(|mark| mark["colour"].clone()).collect()
}

/// A shipped config with one replicate, and its page.
pub fn shipped(place: &Path, name: &str) -> (PathBuf, String) {
    let (config, out) = (trial::repository().join(format!("configs/{name}.yaml")), place.join(name));
    ekklesia(&["run", text(&config), "--replicates", "1", "--out", text(&out)]).says(0, &[]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    (out, page)
}

#[test]
fn a_session_of_an_item_tells_its_question_what_is_right_and_who_voted_otherwise_than_declared() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "debate_qa");
    let questions = trial::repository().join("configs/debate_qa-questions.csv");
    let questions: Vec<BTreeMap<String, String>> =
        csv::Reader::from_path(questions).unwrap().deserialize().map(Result::unwrap).collect();
    let mut differed = 0;
    for row in cells(&out, "sessions", &["session", "item", "correct"]).iter().step_by(7) {
        let [name, item, correct] = row.as_slice() else { panic!("{row:?}") };
        let told = unescaped(&session(&page, name));
        let question = questions.iter().find(|question| question["id"] == *item).unwrap();
        has(&told, &format!("Question: {}", question["question"]));
        has(&told, "The right answer is “");
        let words = match correct.as_str() {
            "1" => "; that is right.",
            "0" => "; that is not right.",
            _ => "No decision",
        };
        has(&told, words);
        differed += tells_who_voted_otherwise(&out, name, &told).len();
    }
    assert!(differed > 0, "somebody votes otherwise than declared");
}

/// The label of an option in the shipped scenarios that these tests use.
fn label(name: &str) -> &str {
    match name {
        "for" => "For the motion",
        "against" => "Against the motion",
        "guilty" => "Guilty",
        "not_guilty" => "Not guilty",
        "adler" => "Candidate Adler",
        "brandt" => "Candidate Brandt",
        "clausen" => "Candidate Clausen",
        other => other,
    }
}

/// Checks what a session's part of the page tells of ballots that are not as declared, by the tables alone; whose these are.
fn tells_who_voted_otherwise(out: &Path, name: &str, told: &str) -> Vec<String> {
    let ballots =
        cells(out, "ballots", &["session", "purpose", "vote", "seat", "alternative", "matches_stance", "seq"]);
    let ballots: Vec<_> = ballots.into_iter().filter(|row| row[0] == name && row[1] == "vote").collect();
    let said = cells(out, "statements", &["session", "seat", "stance", "seq"]);
    let number = |cell: &str| cell.parse::<u64>().unwrap();
    let last = ballots.iter().map(|row| number(&row[2])).max();
    let those = ballots.iter().filter(|row| Some(number(&row[2])) == last && row[5] == "0");
    let otherwise = those.map(|row| {
        let before = |turn: &&Vec<String>| {
            turn[0] == name && turn[1] == row[3] && !turn[2].is_empty() && number(&turn[3]) < number(&row[6])
        };
        let declared = said.iter().rfind(before).unwrap();
        (row[3].clone(), format!("{} (declared “{}”, voted for “{}”)", row[3], label(&declared[2]), label(&row[4])))
    });
    let (seats, otherwise): (Vec<String>, Vec<String>) = otherwise.unzip();
    let line = format!("Ballots in the last vote that differ from the stance last declared: {}", otherwise.join("; "));
    match otherwise.is_empty() {
        true => assert!(!told.contains("differ from the stance last declared"), "{name}"),
        false => has(told, &line),
    }
    seats
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn who_voted_otherwise_is_told_by_what_was_declared_before_the_vote_and_of_ballots_of_one_choice_alone() {
    let place = tempfile::tempdir().unwrap();
    let talk =
        "replicates: 30\nseats: [ { count: 3, mind: { random: {} } } ]\ndiscussion: { rounds: 4, vote: on_call }\n";
    let (out, page) = of_scenario(place.path(), "motion", &format!("{talk}decision: {{ rule: unanimity }}\n"));
    let seats = cells(&out, "seats", &["session", "seat", "final_ballot"]);
    let said = cells(&out, "statements", &["session", "seat", "stance"]);
    let mut changed_later = 0;
    for row in cells(&out, "sessions", &["session"]) {
        let name = &row[0];
        let told = tells_who_voted_otherwise(&out, name, &unescaped(&session(&page, name)));
        changed_later += seats
            .iter()
            .filter(|seat| seat[0] == *name && !seat[2].is_empty() && !told.contains(&seat[1]))
            .filter(|seat| {
                let last = said.iter().rfind(|turn| turn[0] == *name && turn[1] == seat[1] && !turn[2].is_empty());
                last.is_some_and(|turn| turn[2] != seat[2])
            })
            .count();
    }
    assert!(changed_later > 0, "somebody declares something else after the last vote");
    let approval = tempfile::tempdir().unwrap();
    let rule = "replicates: 10\nseats: [ { count: 3, mind: { random: {} } } ]\ndecision: { rule: approval }\n";
    let (_, page) = of_scenario(approval.path(), "motion", rule);
    assert!(
        !page.contains("differ from the stance last declared"),
        "an approval of several is no vote for one of them"
    );
}

pub fn unescaped(text: &str) -> String {
    [("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_each_seats_own_evidence_points_to_is_told_and_of_a_count_those_alone_who_are_weighed() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "jury");
    for row in cells(&out, "seats", &["session", "seat", "signal", "final_ballot"]) {
        let [name, seat, signal, ballot] = row.as_slice() else { panic!("{row:?}") };
        has(&session(&page, name), &format!("{seat} {} {} juror", label(signal), label(ballot)));
    }
    let (_, page) = shipped(place.path(), "conformity");
    let told = read(&page);
    assert!(
        told.contains(": 1 (Naive); decided for “") && !told.contains("Naive, Gus)") && !told.contains("(Ada, Ben")
    );
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn who_had_spoken_for_a_new_position_is_listed_only_if_the_mover_was_shown_statements() {
    // Whether a seat moved, and whether the page lists who had spoken for its new position.
    let moves = |memory: &str| {
        let place = tempfile::tempdir().unwrap();
        let body = format!(
            "replicates: 6\nseats: [ {{ count: 3, mind: {{ voter: {{ copy: 0.5 }} }} }} ]\ndiscussion: {{ rounds: 4 }}\nmemory: {{ {memory} }}\n"
        );
        let (_, page) = of_scenario(place.path(), "motion", &body);
        let told = read(&page);
        (told.contains(" moved from “"), told.contains(" had spoken for "))
    };
    assert_eq!(moves("policy: full"), (true, true));
    assert_eq!(moves("policy: selective"), (true, true));
    assert_eq!(moves("policy: { window: { statements: 1 } }"), (true, false));
    // A voter that is shown nothing has nobody to copy.
    assert_eq!(moves("policy: none"), (false, false));
}
