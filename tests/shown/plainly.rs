//! Plain words on the page: votes, facts and payoffs are described without the words of the tables, and numbers have one form.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use crate::fixtures::cli::{ekklesia, text};
use crate::shown::happened::{
    cells, find_figure, find_session_row, has, list_session_rows, of_scenario, read, read_caption, read_numbers,
    session, shipped,
};

#[test]
fn votes_that_were_taken_several_times_are_told_as_such_and_not_as_rounds() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "debate_qa");
    let ballots = cells(&out, "ballots", &["session", "seat", "round", "seq", "alternative", "purpose"]);
    let mut seen = 0;
    for row in cells(&out, "sessions", &["session", "arm", "result"]).iter().filter(|row| row[1] == "votes") {
        let name = &row[0];
        let told = session(&page, name);
        let own: Vec<_> = ballots.iter().filter(|ballot| ballot[0] == *name && ballot[5] == "vote").collect();
        let samples: u64 = own.iter().map(|ballot| ballot[2].parse().unwrap()).max().unwrap();
        assert_eq!(own.len() as u64, 3 * samples, "of every seat as many");
        let of = name.replace("votes-", "debate-");
        has(
            &told,
            &format!(
                "Every seat voted repeatedly, each time as if it were the first, until the session had used as much as {of}: "
            ),
        );
        has(&told, &format!("Votes per seat: {samples}; the session had used "));
        has(&told, &format!("“{}” by plurality over {samples} votes per seat (", row[2]));
        let step = told.split(&format!(" {samples} votes per seat, counted together by plurality: ")).nth(1).unwrap();
        let step = step.split("; decided for ").next().unwrap();
        for name in ["a", "b", "c", "d"] {
            let those: Vec<_> = own.iter().filter(|ballot| ballot[4] == name).collect();
            assert_eq!(step.contains(&format!("{name}: {} (", those.len())), !those.is_empty(), "{step}");
        }
        assert!(told.contains(&format!("[{}]", own[0][3])), "the first ballot of them");
        assert!(told.contains("Vote 1 of every seat") && !told.contains("Round 1"), "{name}");
        assert!(!told.contains("ound 3"), "there are no rounds in {name}");
        seen += 1;
    }
    assert!(seen > 3, "{seen}");
}

#[test]
fn figures_have_plain_words_and_numbers_of_one_form() {
    let place = tempfile::tempdir().unwrap();
    let minds =
        "replicates: 2\nseats: [ { count: 5, mind: { degroot: { opinion: 0.5 } } } ]\ndiscussion: { rounds: 12 }\n";
    let (_, page) = of_scenario(place.path(), "estimation", minds);
    let told = read(&page);
    let agreed = read_numbers(&page, "agreement");
    assert_eq!((agreed.len(), agreed[11]["at"].as_str(), agreed[11]["value"].as_str()), (12, "12", "100 %"));
    has(&read_caption(&page, "agreement"), "The median from the first to the last round: 100 % to 100 %.");
    has(
        &read_caption(&page, "agreement"),
        "the share of pairs of seats whose statements in a round name the same amount",
    );
    assert!(!page.contains("id=\"figure-flow") && !page.contains("id=\"figure-stances\""), "there is one option");
    assert!(!told.contains("not applicable"), "raw words of a table");
    let drawn = tempfile::tempdir().unwrap();
    let minds = "replicates: 3\nseats: [ { count: 4, mind: { friedkin_johnsen: {} } } ]\ndiscussion: { rounds: 4 }\n";
    let (_, page) = of_scenario(drawn.path(), "motion", minds);
    has(&read_caption(&page, "opinions"), "The value is the standard deviation of the opinions given in a round");
    let rows = read_numbers(&page, "opinions");
    assert_eq!(rows.len(), 4);
    for row in &rows {
        for column in ["value", "low", "high"] {
            let (whole, decimals) = row[column].split_once('.').unwrap();
            let is_digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
            assert!(is_digits(whole) && is_digits(decimals) && decimals.len() == 3, "{row:?}");
        }
    }
    assert!(find_figure(&page, "opinions").contains(">0.1</text>"), "ticks are decimals");
    for of in [&page, &told] {
        assert!(!of.contains(">5e-") && !of.contains(">1e-") && !of.contains(">2e-"), "a tick in powers of ten");
    }
}

#[test]
fn the_filter_and_its_count_stand_above_the_table_of_sessions_and_the_keyboard_reaches_what_scrolls() {
    let place = tempfile::tempdir().unwrap();
    let minds =
        "replicates: 2\nseats: [ { count: 3, mind: { voter: { copy: 0.5 } } } ]\nstraw_polls: [before, after]\n";
    let (_, page) = of_scenario(place.path(), "motion", minds);
    let (before, behind) = page.split_once("<p id=\"found\" class=\"only-scripted\" role=\"status\"></p>").unwrap();
    assert!(before.contains("id=\"overview-view\"") && before.rfind("id=\"filter\"") > before.rfind("<section"));
    assert!(behind.trim_start().starts_with("<div class=\"scroll\""), "the count stands above what it counts");
    let (_, table) = behind.split_once("<table").unwrap();
    assert!(table.starts_with(" class=\"sessions\">"), "the count stands above what it counts");
    for region in page.split("<div class=\"scroll\"").skip(1) {
        let tag = region.split('>').next().unwrap();
        assert!(
            tag.contains(" tabindex=\"0\"") && tag.contains(" role=\"group\"") && tag.contains(" aria-label=\""),
            "{tag}"
        );
    }
    let files: Vec<&str> = page.split("<details class=\"file\">").skip(1).collect();
    assert!(!files.is_empty());
    for file in files {
        let (_, text) = file.split_once("<pre ").unwrap();
        assert!(text.split('>').next().unwrap().contains(" tabindex=\"0\""), "a long file scrolls");
    }
    // Without sight, a figure is its title and its finding.
    for drawing in find_figure(&page, "flow").split("<svg ").skip(1) {
        let (tag, rest) = drawing.split_once('>').unwrap();
        assert!(tag.contains(" role=\"img\" aria-label=\"From first to last position\""), "{tag}");
        let (described, _) = rest.split_once("</desc>").unwrap();
        let (_, described) = described.split_once("<desc>").unwrap();
        assert!(read_caption(&page, "flow").starts_with(described), "{described}");
    }
}

#[test]
fn show_quotes_the_names_of_alternatives_as_the_page_does() {
    let place = tempfile::tempdir().unwrap();
    let minds =
        "replicates: 1\nseats: [ { count: 3, mind: { voter: { copy: 0.5 } } } ]\nstraw_polls: [before, after]\n";
    let (out, page) = of_scenario(place.path(), "motion", minds);
    let shown = ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]);
    let told = session(&page, "baseline-r000001");
    let mut seen = 0;
    for words in ["favours ", "chooses ", "votes for ", "decided for "] {
        for name in ["For the motion", "Against the motion"] {
            let quoted = format!("“{name}”");
            assert!(!shown.stdout.contains(&format!("{words}{name} ")), "{words}{name}");
            let is_shown = shown.stdout.contains(&format!("{words}{quoted}"));
            assert_eq!(is_shown, told.contains(&format!("{words}{quoted}")), "{words}{name}");
            seen += u32::from(is_shown);
        }
    }
    assert!(seen > 4, "{seen}");
}

#[test]
fn how_many_facts_speak_for_what_is_told_of_each_seat_of_the_case_and_of_what_was_said() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "hidden_profile");
    // The scenario's facts for adler begin with A, those for brandt with B, those for clausen with C.
    let weighed = |ids: &BTreeSet<&str>| {
        let of = |letter: char| ids.iter().filter(|id| id.starts_with(letter)).count();
        format!("Candidate Adler {}, Candidate Brandt {}, Candidate Clausen {}", of('A'), of('B'), of('C'))
    };
    let seats = cells(&out, "seats", &["session", "seat", "facts"]);
    let said = cells(&out, "statements", &["session", "facts"]);
    let mut hidden = 0;
    for row in cells(&out, "sessions", &["session"]) {
        let told = session(&page, &row[0]);
        has(&told, "seat facts it was given, by the option they support of these, not given to every seat poll before");
        let of = |seat: &'_ [String]| seat[2].split('|').map(str::to_owned).collect::<BTreeSet<String>>();
        let group: Vec<BTreeSet<String>> = seats.iter().filter(|seat| seat[0] == row[0]).map(|seat| of(seat)).collect();
        let shared: BTreeSet<String> =
            group[0].iter().filter(|id| group.iter().all(|one| one.contains(*id))).cloned().collect();
        let is_hidden = shared.len() < 15;
        let all = if is_hidden { [0, 4, 2] } else { [8, 4, 3] };
        let all = format!("Candidate Adler {}, Candidate Brandt {}, Candidate Clausen {}", all[0], all[1], all[2]);
        assert_eq!(weighed(&shared.iter().map(String::as_str).collect()), all);
        hidden += usize::from(is_hidden);
        for seat in seats.iter().filter(|seat| seat[0] == row[0]) {
            let facts = of(seat);
            let unshared = weighed(&facts.difference(&shared).map(String::as_str).collect());
            let unshared = if is_hidden { unshared } else { "none".to_owned() };
            let facts = weighed(&facts.iter().map(String::as_str).collect());
            has(&told, &format!("{} {facts} {unshared} ", seat[1]));
        }
        let cited = said.iter().filter(|one| one[0] == row[0]).flat_map(|one| one[1].split('|'));
        let cited = weighed(&cited.filter(|id| !id.is_empty()).collect());
        let words = "Facts of the case, by the option they support: Candidate Adler 8, Candidate Brandt 4, Candidate Clausen 3. Cited in statements: ";
        has(&told, &format!("{words}{cited}."));
    }
    assert_eq!(hidden, 3, "of six arms");
    let other = tempfile::tempdir().unwrap();
    let (_, page) = of_scenario(other.path(), "motion", "replicates: 1\nseats: [ { count: 3 } ]\n");
    assert!(!page.contains("Facts of the case") && !page.contains("facts it was given"));
}

#[test]
fn the_figure_of_facts_has_the_share_of_sessions_that_said_each_and_the_moves_after_it() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "hidden_profile");
    let shown = read_numbers(&page, "facts");
    let seats = cells(&out, "seats", &["session", "seat", "facts", "straw_before"]);
    let turns = cells(&out, "statements", &["session", "seat", "facts", "stance", "arm"]);
    let (mut all_moves, mut all_said) = (0, 0);
    let mut by_fact: BTreeMap<String, u64> = BTreeMap::new();
    let arms = ["hidden-short", "hidden-long", "shared-short", "shared-long"];
    assert_eq!(shown.len(), 15 * arms.len(), "15 facts for each arm with talk");
    for (arm, panel) in arms.into_iter().zip(shown.chunks(15)) {
        let (deal, talk) = arm.split_once('-').unwrap();
        let facts = [("A", "adler", 8), ("B", "brandt", 4), ("C", "clausen", 3)];
        let facts =
            facts.into_iter().flat_map(|(letter, side, most)| (1..=most).map(move |n| (format!("{letter}{n}"), side)));
        for ((fact, side), row) in facts.zip(panel) {
            let (mut said, mut moves, mut towards) = (0, 0, 0);
            let sessions: BTreeSet<_> = turns.iter().filter(|turn| turn[4] == arm).map(|turn| &turn[0]).collect();
            for session in &sessions {
                let turns: Vec<_> = turns.iter().filter(|turn| turn[0] == **session).collect();
                let first = turns.iter().position(|turn| turn[2].split('|').any(|id| id == fact));
                said += u64::from(first.is_some());
                for seat in seats.iter().filter(|seat| seat[0] == **session && !seat[2].split('|').any(|id| id == fact))
                {
                    let (mut stood, mut spoke) = (seat[3].as_str(), 0);
                    for (place, turn) in turns.iter().enumerate().filter(|(_, turn)| turn[1] == seat[1]) {
                        let is_after = first.is_some_and(|first| (spoke..place).contains(&first)) && turn[3] != stood;
                        moves += u64::from(is_after);
                        towards += u64::from(is_after && turn[3] == side);
                        (stood, spoke) = (&turn[3], place);
                    }
                }
            }
            let candidate = format!("Candidate {}{}", side[..1].to_uppercase(), &side[1..]);
            let after = match moves {
                1 => format!("1 move after it, {towards} to its side"),
                _ => format!("{moves} moves after it, {towards} to its side"),
            };
            let share = format!("{:.0} %", 100.0 * said as f64 / sessions.len() as f64);
            let expected = [
                ("panel", format!("deal: {deal}, talk: {talk}")),
                ("series", format!("{fact}, for {candidate}")),
                ("value", share),
                ("n", sessions.len().to_string()),
                ("text", after),
            ];
            for (column, expected) in expected {
                assert_eq!(row[column], expected, "{arm} {fact}, {column}");
            }
            all_moves += moves;
            all_said += said;
            *by_fact.entry(fact.to_string()).or_default() += said;
        }
    }
    let never = by_fact.values().filter(|said| **said == 0).count();
    has(&read_caption(&page, "facts"), &format!("{never} of 15 facts were said in no session."));
    assert!(all_moves > 0 && all_said > 2, "{all_moves} {all_said}");
}

#[test]
fn what_seats_were_paid_and_by_what_in_the_end_is_told_with_the_record() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "justice");
    let name = "baseline-r000001";
    let told = session(&page, name);
    let columns = ["session", "seat", "payoff_applications_cents", "payoff_settlement_cents", "payoff_total_cents"];
    let dollars = |cents: &str| format!("{:.2}", cents.parse::<f64>().unwrap() / 100.0);
    has(&told, " paid in practice rounds (dollars) paid in the settlement (dollars) total paid (dollars) ");
    for seat in cells(&out, "seats", &columns).iter().filter(|seat| seat[0] == name) {
        has(&told, &format!(" justice {} {} {} ", dollars(&seat[2]), dollars(&seat[3]), dollars(&seat[4])));
    }
    let minutes = std::fs::read_to_string(out.join(format!("sessions/{name}/minutes.jsonl"))).unwrap();
    let records = minutes.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let paid = records.into_iter().find(|record| record["event"]["Paid"]["tables"]["stage"] == "settlement").unwrap();
    let result = cells(&out, "sessions", &["session", "result", "amount"]).swap_remove(0);
    let by = match result[1].as_str() {
        "" => "without a group decision, each by a randomly drawn table".to_owned(),
        name => format!("by “{name}"),
    };
    let step = told.split("Settlement: seats were paid ").nth(1).unwrap();
    assert!(step.starts_with(&by), "{step:.200}");
    assert!(step.split(" (situation ").nth(1).unwrap().contains(&format!(") [{}]", paid["seq"])), "{step:.200}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn who_speaks_against_its_own_evidence_is_told_with_those_who_had_spoken_so_before() {
    let place = tempfile::tempdir().unwrap();
    let (out, page) = shipped(place.path(), "conformity");
    let seats = cells(&out, "seats", &["session", "seat", "signal", "mind"]);
    let said = cells(&out, "statements", &["session", "seat", "stance", "seq", "round"]);
    let (mut against, mut along) = (0, 0);
    for seat in seats.iter().filter(|seat| seat[3] == "voter") {
        let Some(first) = said.iter().position(|one| one[0] == seat[0] && one[1] == seat[1]) else { continue };
        let [name, who, stance, seq, round] = said[first].as_slice() else { panic!("five cells") };
        let told = session(&page, name);
        let begins = format!("{who} was told privately that its evidence points to “{}” and declared “", seat[2]);
        let is_against = *stance != seat[2];
        assert_eq!(told.contains(&begins), is_against, "{name}");
        let listed = find_session_row(&page, name);
        assert_eq!(listed["movers"].split(", ").any(|mover| mover == who), is_against, "{name}: {listed:?}");
        against += u32::from(is_against);
        along += u32::from(!is_against);
        let before = said[..first].iter().rfind(|one| one[0] == *name && one[2] == *stance);
        if let (true, Some(before)) = (is_against, before) {
            let rest = told.split(&format!("{begins}{stance}” in round {round} [{seq}], after ")).nth(1).unwrap();
            let voices = rest.split(" had spoken for ").next().unwrap();
            assert!(voices.contains(&format!("{} [{}]", before[1], before[3])), "{voices}");
        }
        assert!(!told.contains("Ada was told privately that its evidence"), "she reads from a script");
    }
    assert!(against > 0 && along > 0, "{against} against, {along} along");
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_page_of_more_than_200_sessions_holds_50_transcripts_of_every_outcome_and_stays_below_5_megabytes() {
    let place = tempfile::tempdir().unwrap();
    let body = "replicates: 260\nseats: [ { count: 12, mind: { random: { malformed: 0.35 } } } ]\n\
        discussion: { rounds: 3, vote: at_end }\ndecision: { rule: majority, invalid: abstain }\n";
    let (_, page) = of_scenario(place.path(), "motion", body);
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    let rows = list_session_rows(&page);
    assert_eq!(rows.len(), 260, "every session has a row");
    let mut kinds = BTreeMap::<&str, (Vec<(bool, u64)>, Vec<(bool, u64)>)>::new();
    for row in &rows {
        let (held, others) = kinds.entry(&row["outcome"]).or_default();
        let informs = (row["invalid answers"] != "0", row["moves"].parse().unwrap());
        let is_held = page.contains(&format!(" id=\"block/{}\">", row["session"]));
        if is_held { held.push(informs) } else { others.push(informs) }
    }
    assert_eq!(kinds.values().map(|(held, _)| held.len()).sum::<usize>(), 50);
    let most = kinds.values().map(|(held, _)| held.len()).max().unwrap();
    assert!(kinds.len() > 2, "{kinds:?}");
    for (outcome, (held, others)) in &kinds {
        // In turn from every outcome, and of each the most informative.
        assert!(others.is_empty() || held.len() + 1 >= most, "{outcome}: {} of {most}", held.len());
        assert!(others.iter().max() <= held.iter().min(), "{outcome}: {others:?} {held:?}");
    }
}
