//! A group that is shown another's talk: every word of it is accounted for, and nobody is shown its own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{Server, assert_same, contents, copy_recorded, ekklesia, everything, json_lines, text};
use crate::fixtures::trial::{go_on, read, whole, write_config};
use ekklesia::domain::{Brief, Digest, Donor, Needed, Places, Query, Record, Remark, Reply};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;
use ekklesia::store::needed::{self, Trust};
use ekklesia::store::results::ResultsFolder;
use unicode_segmentation::UnicodeSegmentation;

/// Groups that vote in every round, so that they end at different times; some seats lose their turns. The arm that borrows
/// stands before the one that lends.
fn body(replicates: u32, more: &str) -> String {
    format!(
        "
replicates: {replicates}
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.4 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ voter: {{ copy: 0.6 }} }} }}]
discussion: {{ rounds: 5, order: random, vote: every_round, private_reasoning: true }}
decision: {{ rule: unanimity, invalid: void_round }}
design:
  factors: {{ memory: {{ key: memory.policy, levels: [shuffled, selective, none] }} }}
  baseline: {{ memory: selective }}
{more}"
    )
}

fn run(config: &Path, out: &Path, more: &[&str]) {
    let mut arguments = vec!["run", text(config), "--out", text(out)];
    arguments.extend(more);
    ekklesia(&arguments).says(0, &[]);
}

fn minutes(out: &Path, session: &str) -> PathBuf {
    out.join("sessions").join(session).join("minutes.jsonl")
}

fn records(path: &Path) -> Vec<Record> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What stands in the place of each statement of a session, found in the other's records by looking through all of them.
fn naive(own: &[Record], other: &[Record]) -> Vec<(u64, String, Option<String>)> {
    let spoken = |records: &[Record]| -> Vec<Record> {
        records.iter().filter(|record| matches!(record.reply(), Some(Reply::Statement { .. }))).cloned().collect()
    };
    let said = |record: &Record| match record.reply() {
        Some(Reply::Statement { text, stance, .. }) => (text, stance.map(|choice| choice.alternative.to_string())),
        _ => panic!("no statement"),
    };
    let (lent, mut again) = (spoken(other), 0);
    let mut heard = Vec::new();
    for record in spoken(own) {
        let same = lent.iter().find(|lent| {
            (&lent.at.phase, lent.at.round, lent.at.turn) == (&record.at.phase, record.at.round, record.at.turn)
        });
        let found = same.or_else(|| {
            again += 1;
            lent.get((again - 1) % lent.len().max(1))
        });
        let Some(found) = found else { continue };
        let ((words, stance), length) = (said(found), said(&record).0.chars().count());
        let endless = vec![words; length + 1].join(" ");
        let mut fitted = String::new();
        for cluster in endless.graphemes(true) {
            if fitted.chars().count() + cluster.chars().count() > length {
                break;
            }
            fitted.push_str(cluster);
        }
        heard.push((record.seq.0, fitted, stance));
    }
    heard
}

/// The plan of an arm of a config, and a session of it before its first record.
fn arm(config: &Path, name: &str) -> Arc<Plan> {
    Arc::clone(read(config).arms.iter().find(|plan| plan.arm == name).unwrap())
}

/// The sessions of the arm that lends, as the minutes of each.
fn donor_of(plan: &Plan, baseline: &Arc<Plan>, replicate: u32) -> Donor {
    let name = plan.lender_of(replicate).unwrap();
    let partner: u32 = name.rsplit('r').next().unwrap().parse().unwrap();
    let records = whole(baseline, partner);
    Donor::of(Needed { session: name, minutes: Digest::of(b"its minutes") }, &records)
}

#[test]
fn replicates_lend_to_each_other_in_pairs() {
    let place = tempfile::tempdir().unwrap();
    let plan = arm(&write_config(place.path(), &body(4, "")), "shuffled");
    let lenders: Vec<String> = (1..=4).map(|replicate| plan.lender_of(replicate).unwrap()).collect();
    let named = [2, 1, 4, 3].map(|replicate| format!("selective-r00000{replicate}"));
    assert_eq!(lenders, named);
    assert_eq!(arm(&write_config(place.path(), &body(4, "")), "none").lender_of(1), None);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_word_that_is_shown_stands_in_the_other_groups_record() {
    let place = tempfile::tempdir().unwrap();
    for more in ["", "memory: { history_in_brief: full, guidance_style: structured, statement_max_length: 20 }\n"] {
        let config = write_config(place.path(), &body(20, more));
        let (plan, baseline) = (arm(&config, "shuffled"), arm(&config, "selective"));
        let (mut at_its_place, mut from_the_first) = (0, 0);
        for replicate in 1..=20 {
            let donor = donor_of(&plan, &baseline, replicate);
            let partner = if replicate % 2 == 1 { replicate + 1 } else { replicate - 1 };
            let mut deliberation = Deliberation::convene(&plan, replicate).borrowing(donor.clone());
            let mut kept = Vec::new();
            go_on(&mut deliberation, &plan, &mut kept).unwrap();
            let expected = naive(&kept, &whole(&baseline, partner));
            let mut again = Deliberation::convene(&plan, replicate).borrowing(donor);
            for record in &kept {
                if let Next::Ask(queries) = again.next() {
                    for query in &queries {
                        let shown = query.brief.remarks.iter().filter(|remark| remark.speaker.is_some());
                        for remark in shown {
                            let found = expected.iter().find(|(seq, ..)| *seq == remark.seq.0).unwrap();
                            let stance = remark.stance.map(|choice| plan.motion.named(choice).to_string());
                            assert_eq!((&*remark.text, &stance), (found.1.as_str(), &found.2));
                        }
                    }
                }
                again.evolve(record);
            }
            let heard: Vec<&Remark> =
                again.memory().remarks(ekklesia::domain::SeatId(0)).iter().filter(|r| r.speaker.is_some()).collect();
            assert_eq!(heard.len(), expected.len(), "one thing is heard for each that is said");
            let lent = whole(&baseline, partner);
            let is_lent = |record: &Record| {
                lent.iter().any(|l| matches!(l.reply(), Some(Reply::Statement { .. })) && l.at == record.at)
            };
            let spoke = kept.iter().filter(|record| matches!(record.reply(), Some(Reply::Statement { .. })));
            for record in spoke {
                *(if is_lent(record) { &mut at_its_place } else { &mut from_the_first }) += 1;
            }
        }
        assert!(at_its_place > 50 && from_the_first > 20, "{at_its_place} {from_the_first}");
    }
}

/// The same question with other remarks, which its record owns up to.
fn showing<'q>(query: &Query<'q>, remarks: &'q [Remark], places: &'q Places) -> Query<'q> {
    let mut query = query.clone();
    query.shown.floor = 0..remarks.len() as u32;
    query.shown.notices = None;
    query.brief = Brief { remarks: places.over(remarks), ..query.brief };
    query
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_made_up_leak_is_caught() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body(2, ""));
    let (plan, baseline) = (arm(&config, "shuffled"), arm(&config, "selective"));
    let donor = donor_of(&plan, &baseline, 1);
    let mut deliberation = Deliberation::convene(&plan, 1).borrowing(donor.clone());
    let mut kept = Vec::new();
    go_on(&mut deliberation, &plan, &mut kept).unwrap();
    let (mut begun, mut tried) = (Deliberation::convene(&plan, 1).borrowing(donor.clone()), 0);
    for (number, record) in kept.iter().enumerate() {
        if let Next::Ask(queries) = begun.next() {
            let query = &queries[0];
            let honest = query.brief.remarks.to_vec();
            let spoken: Vec<usize> = (0..honest.len()).filter(|place| honest[*place].speaker.is_some()).collect();
            let account = |donor: Option<&Donor>| {
                let account = Visibility::new(&plan);
                let mut account = donor.map_or(account.clone(), |donor| account.with_donor(donor));
                kept[..number].iter().for_each(|record| account.witness_record(record));
                account
            };
            let said = |remark: &Remark| match kept[remark.seq.0 as usize].reply() {
                Some(Reply::Statement { text, .. }) => text,
                other => panic!("{other:?}"),
            };
            let places = Places::of(&honest);
            let caught = |remarks: &[Remark], donor: Option<&Donor>| {
                account(donor).check_query(&showing(query, remarks, &places)).expect_err("a leak").to_string()
            };
            assert!(account(Some(&donor)).check_query(&showing(query, &honest, &places)).is_ok());
            for place in &spoken {
                let mut own_words = honest.clone();
                own_words[*place].text = said(&honest[*place]);
                if own_words != honest {
                    assert!(caught(&own_words, Some(&donor)).contains("was not said so"));
                }
                let mut longer = honest.clone();
                longer[*place].text = format!("{}!", longer[*place].text).into();
                assert!(caught(&longer, Some(&donor)).contains("was not said so"));
                let mut turned = honest.clone();
                turned[*place].stance = match turned[*place].stance {
                    Some(_) => None,
                    None => Some(ekklesia::domain::AlternativeId(0).into()),
                };
                assert!(caught(&turned, Some(&donor)).contains("was not said so"));
                let mut other_turn = honest.clone();
                other_turn[*place].text = honest[spoken[0]].text.clone();
                if other_turn != honest {
                    assert!(caught(&other_turn, Some(&donor)).contains("was not said so"));
                }
                // Without the other session nothing that was said may be shown.
                caught(&honest, None);
                tried += 1;
            }
        }
        begun.evolve(record);
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn a_session_cut_after_any_record_goes_on_to_the_same_minutes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body(2, ""));
    let (plan, baseline) = (arm(&config, "shuffled"), arm(&config, "selective"));
    let donor = donor_of(&plan, &baseline, 1);
    let begun = || Deliberation::convene(&plan, 1).borrowing(donor.clone());
    let mut kept = Vec::new();
    go_on(&mut begun(), &plan, &mut kept).unwrap();
    for cut in 0..=kept.len() {
        let mut deliberation = begun();
        kept[..cut].iter().for_each(|record| deliberation.evolve(record));
        let mut again = kept[..cut].to_vec();
        go_on(&mut deliberation, &plan, &mut again).unwrap();
        assert!(again == kept, "cut after {cut}");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn one_job_and_four_leave_the_same_folder_and_so_does_an_extended_one() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body(4, ""));
    let [one, four, extended] = ["one", "four", "extended"].map(|name| place.path().join(name));
    run(&config, &one, &["--jobs", "1"]);
    run(&config, &four, &["--jobs", "4"]);
    assert_same(&one, &four);
    run(&config, &extended, &["--replicates", "2"]);
    run(&config, &extended, &["--replicates", "4", "--jobs", "3"]);
    assert_eq!(contents(&one.join("sessions")), contents(&extended.join("sessions")));
    ekklesia(&["replay", text(&four)]).says(0, &["no divergence", "no seat was shown anything"]);
    let first = &json_lines(&minutes(&four, "shuffled-r000003"))[0]["event"]["Convened"];
    let lent = fs::read(minutes(&four, "selective-r000004")).unwrap();
    assert_eq!(first["lender"]["session"], "selective-r000004");
    assert_eq!(first["lender"]["minutes"], Digest::of(&lent).to_string());
    assert!(fs::read_to_string(four.join("methods.md")).unwrap().contains("session of the arm `selective`"));
    let own = text(&four.join("sessions/shuffled-r000003")).to_owned();
    ekklesia(&["context", &own, "--seat", "Alice"]).says(0, &["said"]);
}

#[test]
fn odd_replicates_are_refused_wherever_they_are_said() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), &body(4, "")), place.path().join("out"));
    for more in [["--replicates", "3"], ["--pilot", "1"]] {
        ekklesia(&["run", text(&config), "--out", text(&out), more[0], more[1]]).says(2, &["is odd", "replicates: "]);
    }
    assert!(!out.exists());
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn another_session_in_the_lenders_place_is_refused_everywhere() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), &body(4, "")), place.path().join("out"));
    run(&config, &out, &[]);
    let (own, lent) = (out.join("sessions/shuffled-r000001"), minutes(&out, "selective-r000002"));
    let whole = fs::read(&lent).unwrap();
    // Sound minutes, but of another session; its own proof is another matter.
    fs::copy(minutes(&out, "selective-r000004"), &lent).unwrap();
    let named = ["selective-r000002", "had the digest"];
    ekklesia(&["replay", text(&own)]).says(3, &named);
    ekklesia(&["context", text(&own), "--seat", "Alice"]).says(3, &named);
    let change = place.path().join("change.yaml");
    fs::write(&change, "set: { decision.rule: majority }\n").unwrap();
    let fork = place.path().join("fork");
    ekklesia(&["fork", text(&own), "--change", text(&change), "--out", text(&fork)]).says(3, &named);
    let cut = fs::read_to_string(own.join("minutes.jsonl")).unwrap();
    let some: String = cut.split_inclusive('\n').take(9).collect();
    fs::write(own.join("minutes.jsonl"), &some).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(3, &named);
    assert_eq!(fs::read_to_string(own.join("minutes.jsonl")).unwrap(), some, "what is there stays");
    // Without the lender there is nothing to go on with, and nothing is made up.
    fs::remove_dir_all(out.join("sessions/selective-r000002")).unwrap();
    ekklesia(&["replay", text(&own)]).says(4, &["selective-r000002, which is not complete"]);
    fs::create_dir_all(lent.parent().unwrap()).unwrap();
    fs::write(&lent, &whole).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    assert_eq!(fs::read_to_string(own.join("minutes.jsonl")).unwrap(), cut);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_keeps_what_its_parent_was_shown() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), &body(2, "")), place.path().join("out"));
    run(&config, &out, &[]);
    let own = out.join("sessions/shuffled-r000001");
    let before = fs::read(own.join("minutes.jsonl")).unwrap();
    let fork = |name: &str, change: &str| {
        let file = place.path().join(format!("{name}.yaml"));
        fs::write(&file, change).unwrap();
        let fork = place.path().join(name);
        ekklesia(&["fork", text(&own), "--change", text(&file), "--out", text(&fork)]).says(0, &[]);
        fork
    };
    let same = fork("same", "set: { decision.rule: unanimity }\n");
    assert_eq!(fs::read(minutes(&same, "shuffled-r000001")).unwrap(), before);
    let other = fork("other", "set: { discussion.rounds: 2 }\n");
    fs::remove_dir_all(&out).unwrap();
    for fork in [&same, &other] {
        ekklesia(&["replay", text(fork)]).says(0, &["no divergence", "no seat was shown anything"]);
        // It is resumed from what lies beside it.
        let whole = everything(fork);
        fs::remove_dir_all(fork.join("sessions/shuffled-r000001")).unwrap();
        ekklesia(&["replay", text(fork)]).says(2, &["no session to replay"]);
        for (path, bytes) in whole {
            fs::create_dir_all(fork.join(&path).parent().unwrap()).unwrap();
            fs::write(fork.join(path), bytes).unwrap();
        }
        let archive = place.path().join("fork.tar.gz");
        ekklesia(&["export", text(fork), "--format", "bundle", "--without-program", "--out", text(&archive)])
            .says(0, &[]);
        let elsewhere = place.path().join("elsewhere");
        let open = fs::File::open(&archive).unwrap();
        tar::Archive::new(flate2::read::GzDecoder::new(open)).unpack(&elsewhere).unwrap();
        ekklesia(&["replay", text(&elsewhere.join(fork.file_name().unwrap()).join("results"))])
            .says(0, &["no divergence"]);
        fs::remove_file(&archive).unwrap();
        fs::remove_dir_all(&elsewhere).unwrap();
    }
}

#[test]
fn a_bundle_holds_what_its_sessions_show() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), &body(2, "")), place.path().join("out"));
    run(&config, &out, &[]);
    let archive = place.path().join("bundle.tar.gz");
    ekklesia(&["export", text(&out), "--format", "bundle", "--without-program", "--out", text(&archive)]).says(0, &[]);
    fs::remove_dir_all(&out).unwrap();
    let open = fs::File::open(&archive).unwrap();
    tar::Archive::new(flate2::read::GzDecoder::new(open)).unpack(place.path().join("elsewhere")).unwrap();
    ekklesia(&["replay", text(&place.path().join("elsewhere/out/results"))]).says(0, &["no divergence"]);
}

#[test]
fn another_baseline_makes_other_sessions() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    run(&write_config(place.path(), &body(2, "")), &out, &[]);
    let other = body(2, "").replace("baseline: { memory: selective }", "baseline: { memory: none }");
    ekklesia(&["run", text(&write_config(place.path(), &other)), "--out", text(&out)])
        .says(2, &["in the arm shuffled, lender was b3:"]);
}

#[test]
fn what_models_said_is_lent_offline_too() {
    let (place, server) = (tempfile::tempdir().unwrap(), Server::start());
    let body = format!(
        "
replicates: 2
models:
  sim: {{ simulated: {{}} }}
  small: {{ openai: {{ base_url: \"{}\", model: played, max_tokens: 60, concurrency: 3, timeout_s: 20 }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}
seats: [{{ name: Alice, model: small }}, {{ name: Bob }}, {{ name: Dora, model: small }}]
discussion: {{ rounds: 2 }}
design:
  factors: {{ memory: {{ key: memory.policy, levels: [shuffled, full] }} }}
  baseline: {{ memory: full }}
",
        server.base_url()
    );
    let (config, live, copy) =
        (write_config(place.path(), &body), place.path().join("live"), place.path().join("copy"));
    run(&config, &live, &[]);
    copy_recorded(&live, &copy);
    let asked = server.requests();
    run(&config, &copy, &["--offline"]);
    assert_same(&live, &copy);
    assert_eq!(server.requests(), asked);
    // What was sent holds no statement of the group itself.
    let plan = arm(&config, "shuffled");
    let folder = ResultsFolder::open_unchecked(&live);
    assert!(needed::read_needed_inputs(&folder, (&plan, 1), Trust::LastRun).unwrap().0.is_some());
    let said = records(&minutes(&live, "shuffled-r000001"));
    let lent = records(&minutes(&live, "full-r000002"));
    let heard = naive(&said, &lent);
    assert!(!heard.is_empty());
    let sent: Vec<String> = server.bodies().iter().map(ToString::to_string).collect();
    // Arms that have heard nothing yet say the same; what an arm says later is its own.
    let others: Vec<Record> =
        ["full-r000001", "full-r000002"].iter().flat_map(|name| records(&minutes(&live, name))).collect();
    let words = |record: &Record| match record.reply() {
        Some(Reply::Statement { text, .. }) if text.contains("I have read") => Some(text.to_string()),
        _ => None,
    };
    let elsewhere: Vec<String> = others.iter().filter_map(words).collect();
    let own: Vec<String> = said.iter().filter_map(words).filter(|words| !elsewhere.contains(words)).collect();
    assert!(!own.is_empty());
    assert!(own.iter().all(|words| !sent.iter().any(|body| body.contains(words))));
    ekklesia(&["replay", text(&live)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_panel_that_meets_again_is_shown_the_same_meeting_of_the_other_replicate() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body(2, "panel: { waves: 3 }\nmemory: { notes: {} }"));
    let [one, four] = ["one", "four"].map(|name| place.path().join(name));
    run(&config, &one, &["--jobs", "1"]);
    run(&config, &four, &["--jobs", "4"]);
    assert_same(&one, &four);
    for (wave, replicate, partner) in [(1, 1, 2), (2, 2, 1), (3, 1, 2)] {
        let [own, lender] =
            [("shuffled", replicate), ("selective", partner)].map(|(arm, of)| format!("{arm}-r00000{of}-w0{wave}"));
        let first = &json_lines(&minutes(&one, &own))[0]["event"]["Convened"];
        assert_eq!(first["lender"]["session"], lender.as_str());
        assert_eq!(first["lender"]["minutes"], Digest::of(&fs::read(minutes(&one, &lender)).unwrap()).to_string());
        let before = (wave > 1).then(|| format!("shuffled-r00000{replicate}-w0{}", wave - 1));
        assert_eq!(first["before"]["session"].as_str(), before.as_deref());
    }
    ekklesia(&["replay", text(&four)]).says(0, &["no divergence", "no seat was shown anything"]);
    let own = text(&four.join("sessions/shuffled-r000002-w02")).to_owned();
    ekklesia(&["context", &own, "--seat", "Alice"]).says(0, &["said"]);
}
