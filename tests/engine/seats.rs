//! Votes over seats, fields whose options are seats, and blocks for each of several seats.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{assert_same, ekklesia, run, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, repository, whole};
use crate::oracle::check_cells;
use ekklesia::domain::{Adjourned, Answered, Assigned, Briefing, Event, FieldValue, Payment, Record, Step};

/// A game in which seats are voted out until two are left.
const AGENDA: &str = "variables: { alive: { of: seat, start: true } }
agenda:
  - name: rounds
    repeat: { until: count(1 for s in everyone if s.alive) <= 2, max: 4 }
    phases:
      - { name: out, who: seat.alive, vote: { over: seat.alive and seat != me, rule: plurality, tie_break: lot, question: \"Who leaves?\" } }
      - { name: gone, compute: { seat.alive: \"seat.alive and not default(seat == out.winner, false)\" } }
  - name: told
    brief: { text: \"{{ out.winner.name }} left:{% for o in out.options %} {{ o.name }} {{ o.count }}{% if o.seat.alive %} stays{% endif %}{% endfor %}.\" }
  - { name: best, vote: { over: everyone, ballot: ranking, rule: borda, winners: 2, tie_break: lot } }
";
const SEATS: [&str; 5] = ["Ada", "Ben", "Cem", "Dora", "Eli"];

fn write_design(place: &Path, agenda: &str, settings: &str) -> PathBuf {
    let (folder, config) = (place.join("own"), place.join("config.yaml"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scenario.yaml"), format!("scenario: own\n{agenda}")).unwrap();
    let seats: Vec<String> = SEATS.iter().map(|name| format!("{{ name: {name} }}")).collect();
    let body = format!(
        "experiment: seats\nscenario: own\nseed: 3\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats: [ {} ]\n{settings}",
        seats.join(", ")
    );
    fs::write(&config, body).unwrap();
    config
}

/// A voter, the option voted for, and all that the voter could vote for.
type Ballot<'r> = (&'r str, &'r str, BTreeSet<&'r str>);

/// The ballots for one option in each phase that begins like this: who voted for whom, and among which options.
fn ballots<'r>(records: &'r [Record], phase: &str) -> BTreeMap<&'r str, Vec<Ballot<'r>>> {
    let mut cast: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.at.phase.written() == phase) {
        if let (Step::Ballot, Event::Answered(Answered { values, options, .. })) = (record.at.step, &record.event)
            && let Some(Some(FieldValue::Words(choice))) = values.find("choice")
        {
            let options = options.iter().map(|name| name.as_str()).collect();
            let ballot = (record.seat.as_ref().unwrap().as_str(), &**choice, options);
            cast.entry(record.at.phase.as_str()).or_default().push(ballot);
        }
    }
    cast
}

#[test]
fn each_seat_votes_over_the_others_that_are_left_until_two_are() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_design(place.path(), AGENDA, "")).arms[0]);
    for replicate in 1..=10 {
        let records = whole(&plan, replicate);
        let mut alive: BTreeSet<&str> = SEATS.into();
        for (phase, cast) in ballots(&records, "out") {
            assert_eq!(cast.iter().map(|(voter, ..)| *voter).collect::<BTreeSet<_>>(), alive, "{phase}");
            for (voter, _, options) in &cast {
                let mut others = alive.clone();
                others.remove(voter);
                assert_eq!(*options, others, "{phase}: the options of {voter}");
            }
            let report = records.iter().find_map(|record| match &record.event {
                Event::Tallied(report) if record.at.phase.as_str() == phase => Some(report),
                _ => None,
            });
            let report = report.unwrap();
            let counted: BTreeSet<&str> = report.counts.iter().map(|count| count.alternative.as_str()).collect();
            assert_eq!(counted, alive, "the count is over all options");
            let most = report.counts.iter().map(|count| count.count).max().unwrap();
            let decided = report.decided.as_ref().unwrap().alternative.as_str();
            let votes = cast.iter().filter(|(_, option, _)| *option == decided).count();
            assert_eq!(votes, most as usize, "{phase}: who leaves has the most ballots");
            assert!(alive.remove(decided));
        }
        assert_eq!(alive.len(), 2);
        let told = records.iter().rev().find_map(|record| match &record.event {
            Event::Briefed(Briefing { text, .. }) => Some(text.as_str()),
            _ => None,
        });
        let told = told.unwrap();
        for name in &alive {
            assert!(told.contains(&format!(" {name} ")) && told.contains(" stays"), "{told}");
        }
        assert_eq!(told.matches(" stays").count(), 2, "{told}");
        let Some(Event::Adjourned(Adjourned { decided: Some(decided), .. })) =
            records.last().map(|record| &record.event)
        else {
            panic!("the session has a result")
        };
        assert_eq!(decided.alternative.as_str().split('+').count(), 2);
    }
}

#[test]
fn a_session_with_votes_over_seats_goes_on_after_any_record() {
    let place = tempfile::tempdir().unwrap();
    for settings in ["", "controls: { anonymous: true, option_order: seeded }\ndecision: { roll_call: true }\n"] {
        let plan = Arc::clone(&read(&write_design(place.path(), AGENDA, settings)).arms[0]);
        check_every_cut(&plan, 1, &whole(&plan, 1));
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_werewolves_go_on_after_any_record() {
    let plan = Arc::clone(&read(&repository().join("configs/werewolf.yaml")).arms[1]);
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn seats_that_are_anonymous_are_voted_on_by_their_public_names_and_recorded_by_their_own() {
    let place = tempfile::tempdir().unwrap();
    let settings = "controls: { anonymous: true }\ndecision: { roll_call: true }\n";
    let (config, out) = (write_design(place.path(), AGENDA, settings), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    let asked = ekklesia(&["context", text(&session), "--seat", "Ben", "--at", "out@1:0:ballot"]);
    asked.says(0, &["Who leaves?", "Participant 1", "Participant 5"]);
    assert!(!asked.stdout.contains("- Participant 2"), "{}", asked.stdout);
    // The name of a phase without a pass is its last pass.
    for bare in ["out", "out:0:ballot"] {
        let last = ekklesia(&["context", text(&session), "--seat", "Ben", "--at", bare]);
        assert!(last.says(0, &["Who leaves?"]).stdout.contains("out@"), "{}", last.stdout);
    }
    let heard = ekklesia(&["context", text(&session), "--seat", "Ben", "--at", "best:0:ballot"]);
    heard.says(0, &["Participant"]);
    let (_, prompt) = heard.stdout.split_once("--- system").unwrap();
    assert!(!prompt.contains("Dora"), "{prompt}");
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let tallied: BTreeSet<String> = rows(&out, "tallies").into_iter().map(|row| row["alternative"].clone()).collect();
    assert_eq!(tallied, SEATS.map(str::to_owned).into());
}

#[test]
fn a_seat_that_chose_a_name_is_voted_for_by_it() {
    let place = tempfile::tempdir().unwrap();
    let config = write_design(place.path(), AGENDA, "decision: { roll_call: true }\n");
    let script = "scripted: { table: [ { phase: session, round: 0, step: naming, called: Zoe }, { phase: out, round: 0, step: ballot, choice: Ben }, \
                  { phase: best, round: 0, step: ballot, ballot: \"Ada > Ben > Cem > Dora > Seat 5\" } ] }";
    let written = fs::read_to_string(&config).unwrap();
    let written = written.replace("{ name: Eli }", &format!("{{ name: self_chosen, mind: {{ {script} }} }}"));
    fs::write(&config, written).unwrap();
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    assert!(ballots(&records, "out").values().flatten().any(|(_, option, _)| *option == "Seat 5"));
    let out = place.path().join("out");
    run(&config, &out, &[]).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    let asked = ekklesia(&["context", text(&session), "--seat", "Ben", "--at", "out@1:0:ballot"]);
    let (_, prompt) = asked.stdout.split_once("--- system").unwrap();
    assert!(prompt.contains("Zoe") && !prompt.contains("Seat 5"), "{prompt}");
}

#[test]
fn votes_over_seats_are_shown_explained_and_counted_again_and_the_order_of_work_leaves_no_trace() {
    let place = tempfile::tempdir().unwrap();
    let config = write_design(place.path(), AGENDA, "");
    let [one, two] = ["one", "two"].map(|name| place.path().join(name));
    run(&config, &one, &["--jobs", "1"]).says(0, &[]);
    run(&config, &two, &["--jobs", "2"]).says(0, &[]);
    assert_same(&one, &two);
    check_cells(&one, 1);
    ekklesia(&["replay", text(&one)]).says(0, &["no divergence"]);
    let session = one.join("sessions/baseline-r000001");
    ekklesia(&["show", text(&session)]).says(0, &["decided for “"]);
    ekklesia(&["retally", text(&one), "--rule", "plurality"]).says(0, &["vote in out@1", "vote in best"]);
    ekklesia(&["report", text(&one)]).says(0, &[]);
    let methods = fs::read_to_string(one.join("methods.md")).unwrap();
    assert!(
        methods.contains("The options were, when it was held, the seats selected by `seat.alive and seat != me`"),
        "{methods}"
    );
    let results: BTreeSet<String> = rows(&one, "sessions").into_iter().map(|row| row["result"].clone()).collect();
    assert!(results.iter().all(|result| result.split('+').all(|name| SEATS.contains(&name))), "{results:?}");
}

#[test]
fn a_ballot_over_seats_is_changed_in_a_fork_and_scripted() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_design(place.path(), AGENDA, ""), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    let parent = out.join("sessions/baseline-r000001");
    for (position, option) in ["Ada", "Eli"].into_iter().enumerate() {
        let (change, fork) = (place.path().join("change.yaml"), place.path().join(format!("fork{position}")));
        fs::write(&change, format!("at: {{ seat: Cem, phase: out@1 }}\nballot: {option}\n")).unwrap();
        ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
        let changed = rows(&fork, "ballots").into_iter();
        let mut of_cem = changed.filter(|row| row["phase"] == "out" && row["pass"] == "1" && row["seat"] == "Cem");
        assert_eq!(of_cem.next().unwrap()["alternative"], option);
    }
    let script = "      scripted:\n        table:\n          - { phase: out, round: 0, step: ballot, choice: Eli }\n          \
                  - { phase: best, round: 0, step: ballot, ballot: \"Eli > Dora > Cem > Ben > Ada\" }\n";
    let all: Vec<String> = SEATS.iter().map(|name| format!("  - name: {name}\n    mind:\n{script}")).collect();
    let written = fs::read_to_string(&config).unwrap();
    let (before, _) = written.split_once("seats: [").unwrap();
    fs::write(&config, format!("{before}seats:\n{}", all.concat())).unwrap();
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let first = &ballots(&records, "out")["out@1"];
    let chosen: Vec<(&str, &str)> = first.iter().map(|(voter, option, _)| (*voter, *option)).collect();
    assert_eq!(chosen, ["Ada", "Ben", "Cem", "Dora"].map(|voter| (voter, "Eli")), "Eli cannot vote for herself");
}

/// Seats name seats: in every kind of field that has options, for themselves, and about each other.
const NAMED: &str = "variables: { best: { of: seat, start: 0 } }
agenda:
  - name: pick
    ask:
      - { id: friend, choice: { options: others }, question: \"Your friend?\" }
      - { id: fair, approval: { options: seat.index <= 3 }, question: \"Who is fair?\" }
      - { id: order, ranking: { options: everyone }, question: \"Rank all.\" }
      - { id: share, allocation: { options: seat != me, points: 10 }, question: \"Share ten points.\" }
      - { id: mark, score: { options: everyone, max: 5 }, question: \"Give marks.\" }
  - { name: about, ask: { per: others, form: [ { id: foe, choice: { options: seat != me }, question: \"Whom does {{ target.name }} trust least?\" } ] } }
  - name: count
    compute:
      seat.best: count(1 for s in everyone if s.order[0] == seat)
      seat.liked: count(1 for s in everyone if seat in s.fair)
      seat.mutual: default(seat.friend.friend == seat, false)
  - name: each
    for: { each: seat.best > 0, as: chair, order: lot }
    phases:
      - { name: speak, who: seat == chair, discussion: { rounds: 1 } }
      - { name: ballots, brief: { text: \"{{ chair.name }} is first for {{ chair.best }}, likes {{ chair.friend.name }}.\" } }
  - name: all
    for: { each: everyone }
    phases:
      - { name: hail, brief: { text: \"{{ this.name }}{% if pass.last %} (the last){% endif %}\" } }
";

#[test]
fn seats_name_seats_in_forms_and_blocks_take_place_for_each_of_them() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_design(place.path(), NAMED, ""), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let plan = Arc::clone(&read(&config).arms[0]);
    for (session, replicate) in [("baseline-r000001", 1), ("baseline-r000002", 2)] {
        let values: Vec<_> = rows(&out, "values").into_iter().filter(|row| row["session"] == session).collect();
        let answered = |field: &str| values.iter().filter(|row| row["field"] == field).collect::<Vec<_>>();
        let friends: BTreeMap<&str, &str> =
            answered("friend").iter().map(|row| (row["seat"].as_str(), row["value"].as_str())).collect();
        assert_eq!(friends.len(), SEATS.len());
        assert!(friends.iter().all(|(seat, friend)| seat != friend && SEATS.contains(friend)), "{friends:?}");
        assert_eq!(answered("foe").len(), SEATS.len() * (SEATS.len() - 1));
        let computed = rows(&out, "variables").into_iter().filter(|row| row["session"] == session);
        let set: BTreeMap<(String, String), String> =
            computed.map(|row| ((row["seat"].clone(), row["name"].clone()), row["value"].clone())).collect();
        let mut firsts: BTreeMap<&str, u32> = BTreeMap::new();
        for row in answered("order") {
            let first = row["value"].split(" > ").next().unwrap();
            *firsts.entry(SEATS[SEATS.iter().position(|name| *name == first).unwrap()]).or_default() += 1;
        }
        for seat in SEATS {
            let of_seat = |name: &str| set[&(seat.to_owned(), name.to_owned())].clone();
            assert_eq!(of_seat("best"), firsts.get(seat).copied().unwrap_or(0).to_string(), "{session} {seat}");
            let mutual = if friends[friends[seat]] == seat { "yes" } else { "no" };
            assert_eq!(of_seat("mutual"), mutual, "{session} {seat}");
            let liked = answered("fair").iter().filter(|row| row["value"].split(", ").any(|name| name == seat)).count();
            assert_eq!(of_seat("liked"), liked.to_string(), "{session} {seat}");
        }
        let records = whole(&plan, replicate);
        let opened = |phase: &str| {
            let opened = records.iter().filter(|record| record.event.is_phase_opened());
            opened.filter(|record| record.at.phase.written() == phase).count()
        };
        assert_eq!((opened("speak"), opened("hail")), (firsts.len(), SEATS.len()));
    }
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("one for each seat selected by `seat.best > 0` when they began, in an order by lot"));
}

#[test]
fn a_session_with_seats_that_name_seats_goes_on_after_any_record() {
    let place = tempfile::tempdir().unwrap();
    for settings in ["", "controls: { anonymous: true }\n"] {
        let plan = Arc::clone(&read(&write_design(place.path(), NAMED, settings)).arms[0]);
        check_every_cut(&plan, 1, &whole(&plan, 1));
    }
}

#[test]
fn what_is_selected_is_part_of_the_identity() {
    let place = tempfile::tempdir().unwrap();
    let digest = |from: &str, to: &str| {
        let agenda =
            format!("{NAMED}{}", "  - { name: v, vote: { over: others, rule: plurality } }\n").replace(from, to);
        read(&write_design(place.path(), &agenda, "")).arms[0].digest.to_string()
    };
    let all = [("", ""), ("each: seat.best > 0", "each: seat.best > 1"), ("order: lot", "order: fixed")];
    let more = [("options: others", "options: everyone"), ("over: others", "over: everyone")];
    let digests: BTreeSet<String> = all.into_iter().chain(more).map(|(from, to)| digest(from, to)).collect();
    assert_eq!(digests.len(), 5);
}

#[test]
fn a_rule_names_seats() {
    let place = tempfile::tempdir().unwrap();
    let agenda =
        "agenda:\n  - { name: pick, ask: [ { id: next, choice: { options: others }, question: \"Next?\" } ] }\n";
    let config = write_design(place.path(), agenda, "controls: { anonymous: true }\n");
    let written = fs::read_to_string(&config).unwrap();
    let rule = "seat_defaults: { model: sim, mind: { rule: { next: \"others[0]\" } } }";
    fs::write(&config, written.replace("seat_defaults: { model: sim }", rule)).unwrap();
    let records = whole(&Arc::clone(&read(&config).arms[0]), 1);
    let answers: Vec<String> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Answered(Answered { raw, .. }) => Some(raw.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(answers.len(), SEATS.len());
    assert!(answers[0].contains("Participant 2") && answers[4].contains("Participant 1"), "{answers:?}");
}

#[test]
fn mistakes_in_votes_over_seats_are_told() {
    let place = tempfile::tempdir().unwrap();
    let told = |agenda: &str, expected: &[&str]| {
        ekklesia(&["check", text(&write_design(place.path(), agenda, ""))]).says(2, expected);
    };
    told("agenda:\n  - { name: v, vote: { over: seat.alife, rule: plurality } }\n", &["agenda.v.vote.over", "alife"]);
    told("agenda:\n  - { name: v, vote: { over: seat.index + 1, rule: plurality } }\n", &["`over` is a condition"]);
    told("agenda:\n  - { name: v, vote: { over: wolf, rule: plurality } }\n", &["\"wolf\" is nothing to vote on"]);
    told("agenda:\n  - { name: v, vote: { over: others, rule: unanimity } }\n", &["nobody votes for herself"]);
    told(
        "agenda:\n  - { name: v, vote: { over: others, rule: plurality } }\n  - { name: b, when: v.winner.count > 2, brief: { text: Hello. } }\n",
        &["agenda.b.when", "count"],
    );
    told(
        "agenda:\n  - { name: p, ask: [ { id: f, choice: { options: seat.index + 1 }, question: \"?\" }, { id: g, approval: { options: wolf }, question: \"?\" } ] }\n",
        &["agenda.p.ask.0.choice.options", "agenda.p.ask.1.approval.options", "wolf"],
    );
    told(
        "agenda:\n  - { name: b, for: { each: others }, phases: [ { name: c, brief: { text: Hello. } } ] }\n",
        &["agenda.b.for.each"],
    );
}

/// Two groups elect a chair each, side by side; the chairs are paid in their groups and vote together afterwards.
const GROUPS: &str = "agenda:
  - { name: match, assign: { team: { groups: { count: 2 }, by: lot, uneven: true } } }
  - name: inside
    groups: team
    phases:
      - name: rounds
        repeat: { times: 2 }
        phases:
          - { name: chair, vote: { over: others, rule: plurality, tie_break: lot, open: OPEN, ends: block } }
          - { name: again, when: not pass.last, brief: { text: \"Nobody was chosen.\" } }
      - { name: told, brief: { text: \"Your chair is {{ chair.winner.name }}.{% if seat == chair.winner %} That is you.{% endif %}\" } }
      - { name: paid, pay: { seat: \"2 if seat == chair.winner else 1\", unit: tokens } }
      - { name: opinion, ask: [ { id: like, yes_no: {}, question: \"Do you like {{ chair.winner.name }}?\" } ] }
  - { name: both, brief: { text: \"The chairs are {% for c in chair.winner %}{{ c.name }};{% endfor %}\" } }
  - { name: best, who: seat in chair.winner, vote: { over: seat in chair.winner, rule: majority, binding: true } }
";

/// The groups of the first assignment.
fn groups_of(records: &[Record]) -> Vec<BTreeSet<String>> {
    let assigned = records.iter().find_map(|record| match &record.event {
        Event::Assigned(Assigned { groups, .. }) => Some(groups),
        _ => None,
    });
    assigned.unwrap().iter().map(|group| group.iter().map(ToString::to_string).collect()).collect()
}

#[test]
fn each_group_has_a_vote_and_a_payment_of_its_own() {
    for open in ["never", "announced", "in_turn"] {
        let place = tempfile::tempdir().unwrap();
        let (config, out) = (write_design(place.path(), &GROUPS.replace("OPEN", open), ""), place.path().join("out"));
        run(&config, &out, &[]).says(0, &[]);
        check_cells(&out, 1);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
        ekklesia(&["retally", text(&out), "--rule", "plurality"]).says(0, &["vote in chair@1#1", "vote in best"]);
        ekklesia(&["report", text(&out)]).says(0, &[]);
        let plan = Arc::clone(&read(&config).arms[0]);
        for replicate in 1..=2 {
            let records = whole(&plan, replicate);
            check_every_cut(&plan, replicate, &records);
            let groups = groups_of(&records);
            let mut chairs = Vec::new();
            for (number, group) in (1..).zip(&groups) {
                let phase = format!("chair@1#{number}");
                let of_group = &ballots(&records, "chair")[phase.as_str()];
                let voters: BTreeSet<String> = of_group.iter().map(|(voter, ..)| (*voter).to_owned()).collect();
                assert_eq!(voters, *group);
                for (voter, _, options) in of_group {
                    let others: BTreeSet<&str> =
                        group.iter().map(String::as_str).filter(|name| name != voter).collect();
                    assert_eq!(*options, others);
                }
                let decided = records.iter().find_map(|record| match &record.event {
                    Event::Tallied(report) if record.at.phase.as_str() == phase => report.decided.clone(),
                    _ => None,
                });
                chairs.push(decided.unwrap().alternative.to_string());
                assert!(!records.iter().any(|record| record.at.phase.as_str() == format!("chair@2#{number}")));
            }
            for record in &records {
                if let Event::Paid(Payment { payoffs, .. }) = &record.event {
                    let number: usize = record.at.phase.group().unwrap().parse().unwrap();
                    for paid in payoffs {
                        assert!(groups[number - 1].contains(paid.seat.as_str()));
                        let expected = if *paid.seat.as_str() == *chairs[number - 1] { "2" } else { "1" };
                        assert_eq!(paid.payoff.unwrap().to_string(), expected);
                    }
                }
            }
            let both = records.iter().rev().find_map(|record| match &record.event {
                Event::Briefed(Briefing { text, .. }) => Some(text.clone()),
                _ => None,
            });
            assert_eq!(both.unwrap(), format!("The chairs are {};{};", chairs[0], chairs[1]));
        }
    }
}

#[test]
fn what_a_vote_in_groups_cannot_do_is_told() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: match, assign: { team: { groups: { count: 2 }, by: lot, uneven: true } } }
  - name: loop
    repeat: { times: 2 }
    phases:
      - { name: a, groups: team, vote: { over: others, rule: plurality, decides: true, ends: block } }
      - { name: b, groups: team, vote: { over: others, rule: plurality, ends: session } }
  - { name: c, when: count(a.winners) > 1, brief: { text: Hello. } }
";
    ekklesia(&["check", text(&write_design(place.path(), agenda, ""))]).refuses(&[
        "each group has a result of its own",
        "the block is not within the groups",
        "the other groups go on",
        "each group has a list of winners",
    ]);
}

/// Computed values and briefs read who voted for what, and questions do not.
#[test]
fn an_option_has_the_seats_that_approved_of_it() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: pick, vote: { over: [red, blue], ballot: approval, rule: approval, tie_break: lot } }
  - { name: kept, compute: { seat.likes: \"count(1 for o in pick.options if seat in o.voters)\" } }
  - { name: told, brief: { text: \"{% for o in pick.options %}{{ o.name }}:{% for v in o.voters %} {{ v.name }}{% endfor %}. {% endfor %}\" } }
";
    let config = write_design(place.path(), agenda, "");
    let out = place.path().join("out");
    run(&config, &out, &[]).says(0, &[]);
    let plan = Arc::clone(&read(&config).arms[0]);
    check_every_cut(&plan, 1, &whole(&plan, 1));
    let approved = |session: &str, option: &str| -> Vec<String> {
        let is_it = |row: &&BTreeMap<String, String>| {
            row["session"] == session && row["alternative"] == option && row["chosen"] == "1"
        };
        rows(&out, "ballots").iter().filter(is_it).map(|row| row["seat"].clone()).collect()
    };
    for session in ["baseline-r000001", "baseline-r000002"] {
        let [red, blue] = ["red", "blue"].map(|option| approved(session, option));
        let told = format!("red:{}. blue:{}.", list(&red), list(&blue));
        let minutes = fs::read_to_string(out.join(format!("sessions/{session}/minutes.jsonl"))).unwrap();
        assert!(minutes.contains(&told), "{told}");
        for row in rows(&out, "variables").iter().filter(|row| row["session"] == session) {
            let likes = [&red, &blue].iter().filter(|seats| seats.contains(&row["seat"])).count();
            assert_eq!(row["value"], likes.to_string());
        }
    }
    let asked = "  - { name: after, ask: [ { id: n, number: { min: 0, max: \"count(pick.options[0].voters)\" }, question: \"{% for v in pick.options[1].voters %}{{ v.name }}{% endfor %}\" } ] }\n";
    let config = write_design(place.path(), &format!("{agenda}{asked}"), "");
    ekklesia(&["check", text(&config)]).says(2, &["may not depend on who voted for what"]);
    let printed = "  - { name: after, ask: [ { id: n, yes_no: {}, question: \"{% for v in pick.options[1].voters %}{{ v.name }}{% endfor %}\" } ] }\n";
    let config = write_design(place.path(), &format!("{agenda}{printed}"), "");
    ekklesia(&["check", text(&config)]).says(2, &["cannot print who wrote a text or voted for what"]);
}

fn list(seats: &[String]) -> String {
    seats.iter().map(|seat| format!(" {seat}")).collect()
}

#[test]
fn the_table_of_values_says_what_a_pass_of_a_number_takes_place_for() {
    let block = |name: &str, each: &str, words: &str| {
        format!(
            "  - name: {name}
    for: {{ {each} }}
    phases:
      - {{ name: now_{name}, brief: {{ text: \"{name} {{{{ {words} }}}}\" }} }}
      - {{ name: rate_{name}, ask: [ {{ id: {name}, scale: {{ from: 1, to: 7 }}, question: \"How good?\" }} ] }}
"
        )
    };
    let agenda = "agenda:
  - { name: write, ask: [ { id: idea, text: { chars: [1, 40] }, keep_as: ideas, question: An idea? } ] }
"
    .to_owned()
        + &block("words", "each: [park, '1', '2'], order: lot", "this")
        + &block("named", "each: [park, bus]", "this")
        + &block("texts", "each: ideas", "this.letter")
        + &block("people", "each: seat.index <= 3, order: latin", "this.name");
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_design(place.path(), &agenda, ""), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let plan = Arc::clone(&read(&config).arms[0]);
    let mut told = BTreeMap::new();
    for Record { at, event, .. } in whole(&plan, 1) {
        if let Event::Briefed(Briefing { text, .. }) = event {
            let (block, thing) = text.split_once(' ').unwrap();
            told.insert((block.to_owned(), at.phase.pass().unwrap().to_owned()), thing.to_owned());
        }
    }
    let rows =
        rows(&out, "values").into_iter().filter(|row| row["session"] == "baseline-r000001" && row["field"] != "idea");
    let mut seen = 0;
    for row in rows {
        let thing = &told[&(row["field"].clone(), row["pass"].clone())];
        let expected = if row["field"] == "named" { "" } else { thing };
        assert_eq!(row["thing"], *expected, "{row:?}");
        assert!(row["field"] != "named" || row["pass"] == *thing);
        seen += 1;
    }
    assert_eq!(seen, SEATS.len() * (3 + 2 + SEATS.len() + 3));
}
