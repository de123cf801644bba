//! Who hears whom: nobody is shown what it does not hear, whatever the network, the order and the memory; and everything else
//! follows from what is heard.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::{law_cases, sample_cases};
use crate::fixtures::trial::{self, check_cuts, folded, read, whole, write_config};
use ekklesia::domain::{Query, Record, Reply, Seq};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::{Plan, digest_of};
use ekklesia::session::Visibility;
use ekklesia::store::inputs::{Inputs, Overrides};
use proptest::prelude::*;

const NAMES: [&str; 5] = ["Alice", "Bob", "Carol", "Dave", "Erin"];

/// Five seats that talk, react to each other's proposals and vote, in a network, an order and a memory.
fn body(network: &str, order: &str, memory: &str) -> String {
    let seats: Vec<String> = NAMES.iter().map(|name| format!("{{ name: {name} }}")).collect();
    format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.1 }} }} }}
seats: [{}]
straw_polls: [before, after]
discussion: {{ rounds: 3, order: {order}, vote: on_call, private_reasoning: true, proposals: true, network: {network} }}
decision: {{ rule: unanimity }}
interventions:
  - {{ at: {{ phase: discussion, round: 2 }}, text: Stay calm. }}
  - {{ at: {{ phase: discussion, round: 3 }}, to: [Bob], forget: discussion }}
memory: {memory}
",
        seats.join(", ")
    )
}

fn plan_of(body: &str, edges: &str) -> Arc<Plan> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("edges.csv"), edges).unwrap();
    Arc::clone(&read(&write_config(folder.path(), body)).arms[0])
}

/// Whom a seat hears, itself included, by what the record says.
fn heard_by(records: &[Record], seat: &str) -> BTreeSet<String> {
    let mut seated = records.iter().flat_map(|record| record.event.seated());
    let own = seated.find(|of| of.seat.as_str() == seat && of.hears.is_some()).expect("the record says who hears whom");
    own.hears.iter().flatten().map(ToString::to_string).chain([seat.to_owned()]).collect()
}

/// The statements that a question may show: those of seats that are heard, from the records alone.
fn audible(records: &[Record], seat: &str) -> BTreeSet<Seq> {
    let heard = heard_by(records, seat);
    let is_heard = |record: &&Record| {
        let speaker = record.seat.as_ref().map(ToString::to_string).unwrap_or_default();
        matches!(record.reply(), Some(Reply::Statement { .. })) && heard.contains(&speaker)
    };
    records.iter().filter(is_heard).map(|record| record.seq).collect()
}

fn assert_heard(records: &[Record], query: &Query<'_>) {
    let seat = query.id.seat.as_str();
    let audible = audible(records, seat);
    let spoken = query.brief.all_remarks().filter(|remark| remark.speaker.is_some());
    let shown: BTreeSet<Seq> = spoken.map(|remark| remark.seq).collect();
    assert!(shown.is_subset(&audible), "{}: {shown:?} of {audible:?}", query.id);
    let floor = query.brief.remarks.floor.iter().filter(|remark| remark.speaker.is_some());
    assert!(floor.map(|remark| remark.seq).collect::<BTreeSet<_>>().is_subset(&audible), "{}", query.id);
    let heard = heard_by(records, seat);
    if let Some(told) = &query.brief.standing {
        for name in NAMES.iter().filter(|name| !heard.contains(**name)) {
            assert!(!told.words.contains(name), "{} is told of {name}: {}", query.id, told.words);
        }
    }
    if let Some(proposal) = query.brief.heard.proposal {
        assert!(audible.contains(&proposal.seq), "{} is to answer what it has not heard", query.id);
    }
}

/// Goes through a session and checks every question, by the records and by the account.
fn assert_sound(plan: &Arc<Plan>, replicate: u32) -> usize {
    let records = whole(plan, replicate);
    let mut deliberation = Deliberation::convene(plan, replicate);
    let mut account = Visibility::new(plan);
    let mut asked = 0;
    for (number, record) in records.iter().enumerate() {
        if let Next::Ask(queries) = deliberation.next() {
            let mut fresh = Visibility::new(plan);
            records[..number].iter().for_each(|record| fresh.witness_record(record));
            for query in &queries {
                assert_heard(&records[..number], query);
                assert_eq!(account.check_query(query).map_err(|leak| leak.to_string()), Ok(()));
                assert_eq!(fresh.clone().check_query(query).map_err(|leak| leak.to_string()), Ok(()));
                asked += 1;
            }
        }
        account.witness_record(record);
        deliberation.evolve(record);
    }
    asked
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn nobody_is_shown_what_it_does_not_hear_under_any_memory_and_network() {
    let networks =
        ["ring", "star", "{ star: { hub: Dave } }", "self", "{ small_world: { neighbours: 2, rewired: 0.5 } }"];
    let cases = trial::POLICIES.iter().flat_map(|memory| ["random", "simultaneous"].map(|order| (memory, order)));
    for (place, (memory, order)) in sample_cases(cases.enumerate(), 3) {
        let network = networks[place % networks.len()];
        let roomy = if memory.contains("policy: none") || memory.contains("window") || memory.contains("full") {
            (*memory).to_owned()
        } else {
            memory.replace("memory_character_limit: 500", "memory_character_limit: 900")
        };
        let asked = assert_sound(&plan_of(&body(network, order, &roomy), ""), 1);
        assert!(asked > 60, "{network} {order} {memory}");
    }
}

proptest! {
    #![proptest_config(law_cases(8))]
    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn nobody_is_shown_what_it_does_not_hear_whoever_hears_whom(
        edges in proptest::collection::btree_set((0usize..5, 0usize..5), 0..20),
        policy in 0usize..9,
        replicate in 1u32..50,
        finds: bool,
    ) {
        let rows: String = edges.iter().filter(|(from, to)| from != to).map(|(from, to)| format!("{},{}\n", NAMES[*from], NAMES[*to])).collect();
        let mut memory = trial::POLICIES[policy].to_owned();
        if finds && !memory.contains("policy: none") {
            memory = memory.replacen('{', "{ recall: { search: { top_k: 2 } }, look_up: true,", 1);
        }
        let plan = plan_of(&body("{ file: edges.csv }", "random", &memory), &format!("from,to\n{rows}"));
        assert_sound(&plan, replicate);
        let records = whole(&plan, replicate);
        for (from, to) in edges.iter().filter(|(from, to)| from != to) {
            prop_assert!(heard_by(&records, NAMES[*to]).contains(NAMES[*from]));
        }
        let links: usize = NAMES.iter().map(|name| heard_by(&records, name).len() - 1).sum();
        prop_assert_eq!(links, edges.iter().filter(|(from, to)| from != to).count());
    }
}

#[test]
fn all_that_is_heard_is_shown_where_memory_keeps_everything() {
    let plan = plan_of(&body("ring", "random", "{ policy: full }"), "");
    let records = whole(&plan, 1);
    let mut deliberation = Deliberation::convene(&plan, 1);
    let mut compared = 0;
    for (number, record) in records.iter().enumerate() {
        if let Next::Ask(queries) = deliberation.next() {
            for query in queries.iter().filter(|query| query.id.seat.as_str() != "Bob") {
                let shown: BTreeSet<Seq> =
                    query.brief.remarks.iter().filter(|r| r.speaker.is_some()).map(|r| r.seq).collect();
                assert_eq!(shown, audible(&records[..number], query.id.seat.as_str()), "{}", query.id);
                let told = query.brief.remarks.iter().any(|r| r.speaker.is_none() && r.text.contains("Stay calm."));
                assert_eq!(told, query.id.at.round >= 2 || query.id.at.phase.as_str() != "discussion" && number > 60);
                compared += 1;
            }
        }
        deliberation.evolve(record);
    }
    assert!(compared > 60);
}

#[test]
fn everyone_hears_everyone_where_nothing_is_said_and_where_that_is_said() {
    let memory = trial::POLICIES[8];
    let said = whole(&plan_of(&body("complete", "random", memory), ""), 3);
    let unsaid = whole(&plan_of(&body("complete", "random", memory).replace(", network: complete", ""), ""), 3);
    assert_eq!(said[1..], unsaid[1..], "only the digest of the plan differs");
    assert!(!said.iter().any(|record| record.event.seated().iter().any(|of| of.hears.is_some())));
}

#[test]
fn what_another_hears_is_caught_where_it_is_shown_all_the_same() {
    let plan = plan_of(&body("ring", "random", "{ policy: full }").replace("vote: on_call", "vote: at_end"), "");
    let records = whole(&plan, 1);
    let polled = records.iter().position(|r| r.at.phase.as_str() == "straw_after" && r.seat.is_some()).unwrap();
    let deliberation = folded(&plan, 1, &records[..polled]);
    let mut account = Visibility::new(&plan);
    records[..polled].iter().for_each(|record| account.witness_record(record));
    let Next::Ask(queries) = deliberation.next() else { panic!("a poll") };
    let mut caught = 0;
    for own in &queries {
        assert!(account.clone().check_query(own).is_ok());
        for other in queries.iter().filter(|other| other.seat != own.seat) {
            // The floor of another seat, which the record owns up to.
            let mut forged = own.clone();
            forged.brief.remarks = other.brief.remarks;
            forged.shown.floor = other.shown.floor.clone();
            forged.shown.notices = other.shown.notices.clone();
            forged.shown.forgotten = other.shown.forgotten.clone();
            caught += usize::from(account.clone().check_query(&forged).is_err());
        }
    }
    assert_eq!(caught, 20, "in a ring of five no two seats hear the same");
}

#[test]
fn a_session_with_a_network_is_cut_anywhere_and_goes_on_as_if_nothing_had_happened() {
    let plan = plan_of(&body("{ small_world: { neighbours: 2, rewired: 0.3 } }", "random", trial::POLICIES[5]), "");
    let records = whole(&plan, 2);
    check_cuts(&plan, 2, &records, (0..records.len()).step_by(7));
}

#[test]
fn arms_share_the_links_that_are_drawn_and_replicates_do_not() {
    let place = tempfile::tempdir().unwrap();
    let network = "{ small_world: { neighbours: 2, rewired: 0.5 } }";
    for pairing in ["common_random_numbers", "independent"] {
        let more = format!(
            "design: {{ factors: {{ rule: {{ key: decision.rule, levels: [majority, plurality] }} }}, pairing: {pairing} }}\n"
        );
        let experiment = read(&write_config(place.path(), &(body(network, "random", "{}") + &more)));
        let [one, other] = [0, 1].map(|arm| (1..30).map(|r| experiment.arms[arm].links(r)).collect::<Vec<_>>());
        assert_eq!(one, other);
        assert!((1..29).any(|replicate| one[replicate] != one[0]));
    }
}

/// Opinions that a table of three that takes means declares in the first rounds, where a file says who hears whom and how much.
fn averaged(mind: &str, edges: &str) -> Vec<[f64; 3]> {
    let seats = [("Alice", 0.0), ("Bob", 1.0), ("Carol", 0.5)].map(|(name, opinion)| {
        let mind = mind.replacen('{', &format!("{{ opinion: {opinion},"), 1);
        format!("{{ name: {name}, mind: {{ degroot: {mind} }} }}")
    });
    let body = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{}]\ndiscussion: {{ rounds: 3, vote: at_end, \
         network: {{ file: edges.csv }} }}\nmemory: {{ policy: full }}\n",
        seats.join(", ")
    );
    let records = whole(&plan_of(&body, edges), 1);
    let mut rounds = vec![[f64::NAN; 3]; 3];
    for record in &records {
        let Some(Reply::Statement { opinion: Some(opinion), .. }) = record.reply() else { continue };
        let seat =
            NAMES.iter().position(|name| record.seat.as_ref().is_some_and(|seat| seat.as_str() == *name)).unwrap();
        rounds[record.at.round as usize - 1][seat] = f64::from(opinion.billionths()) / 1e9;
    }
    rounds
}

#[test]
fn minds_that_take_means_go_by_the_weights_of_a_file_and_by_their_own_where_they_have_any() {
    // Alice shares her half three to one between Bob and Carol; Bob weighs himself three times as much as Alice; Carol's is worth nothing.
    let edges = "from,to,weight\nBob,Alice,3\nCarol,Alice,1\nAlice,Bob,0.5\nBob,Bob,1.5\nAlice,Carol,0\n";
    let near = |found: [f64; 3], expected: [f64; 3]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8);
    let rounds = averaged("{ }", edges);
    assert_eq!(rounds[0], [0.0, 1.0, 0.5]);
    assert!(near(rounds[1], [0.5 * (0.75 + 0.25 * 0.5), 0.75, 0.5]), "{rounds:?}");
    let first = rounds[1];
    let second = [0.5 * first[0] + 0.5 * (0.75 * first[1] + 0.25 * 0.5), 0.75 * first[1] + 0.25 * first[0], 0.5];
    assert!(near(rounds[2], second), "{rounds:?} {second:?}");
    // All alike is no weight at all.
    let (alike, none) =
        (edges.replace(",3", ",1").replace(",0.5", ",1"), "from,to\nBob,Alice\nCarol,Alice\nAlice,Bob\nAlice,Carol\n");
    assert_eq!(averaged("{ }", &alike)[1][0], averaged("{ }", none)[1][0]);
    // What a mind says itself counts.
    let named = averaged("{ self_weight: 1, weights: {} }", edges);
    assert_eq!(named[2], [0.0, 1.0, 0.5]);
    // Two weights on oneself are one too many.
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("edges.csv"), edges).unwrap();
    let body = body("{ file: edges.csv }", "random", "{}");
    let minds = |mind: &str| body.replace("random: { malformed: 0.1 }", mind);
    let config = write_config(place.path(), &minds("degroot: { self_weight: 0.5 }"));
    ekklesia(&["check", text(&config)])
        .says(2, &["the file of the network says, too, how much Bob weighs itself", "the row from Bob to Bob"]);
}

fn run(place: &Path, body: &str) -> std::path::PathBuf {
    let (config, out) = (write_config(place, body), place.join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    out
}

#[test]
fn a_file_of_edges_is_kept_and_counts_and_its_folder_is_replayed_and_explained() {
    let place = tempfile::tempdir().unwrap();
    let edges = "from,to,weight\r\nAlice,Bob,0.25\r\nBob,Bob,0.75\r\nErin,Alice,1\r\n";
    fs::write(place.path().join("my edges.csv"), edges).unwrap();
    let body = body("{ file: my edges.csv }", "random", "{}");
    let out = run(place.path(), &body);
    assert_eq!(fs::read_to_string(out.join("inputs/networks/my_edges.csv")).unwrap(), edges);
    let plan = fs::read_to_string(out.join("plan.yaml")).unwrap();
    assert!(plan.contains("networks/my_edges.csv") && !plan.contains(text(place.path())), "{plan}");
    ekklesia(&["replay", text(&out)]).says(0, &["in 1 session, no divergence"]);
    let seats = fs::read_to_string(out.join("seats.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(seats.as_bytes());
    let headers = rows.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let degrees: Vec<(String, String)> = rows
        .records()
        .map(Result::unwrap)
        .map(|row| (row[at("degree_in")].to_owned(), row[at("degree_out")].to_owned()))
        .collect();
    let of = |pairs: [(u32, u32); 5]| pairs.map(|(i, o)| (i.to_string(), o.to_string()));
    assert_eq!(degrees, of([(1, 1), (1, 0), (0, 0), (0, 0), (0, 1)]));
    ekklesia(&["why", &format!("{}:1:degree_in", text(&out.join("seats.csv")))]).says(0, &["Erin"]);
    ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))])
        .says(0, &["seats, as drawn", "Alice: hears Erin"]);
    // Another file is another experiment.
    fs::write(place.path().join("my edges.csv"), "from,to\nAlice,Bob\n").unwrap();
    let config = place.path().join("config.yaml");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(2, &["discussion.network.file"]);
}

#[test]
fn a_record_that_says_that_others_are_heard_is_no_record() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), &body("ring", "random", "{}"));
    let minutes = out.join("sessions/baseline-r000001/minutes.jsonl");
    let said = fs::read_to_string(&minutes).unwrap();
    let forged = said.replacen("\"hears\":[\"Bob\",\"Erin\"]", "\"hears\":[\"Dave\",\"Erin\"]", 1);
    assert_ne!(said, forged);
    fs::write(&minutes, &forged).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &["record 1"]);
    fs::write(&minutes, said).unwrap();
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn what_is_wrong_with_a_network_is_told_where_it_is_written() {
    let place = tempfile::tempdir().unwrap();
    let told = |network: &str, edges: &str, needles: &[&str]| {
        fs::write(place.path().join("edges.csv"), edges).unwrap();
        let config = write_config(place.path(), &body(network, "random", "{}"));
        ekklesia(&["check", text(&config)]).says(2, needles);
    };
    told("{ file: edges.csv }", "from,to\nAlice,Bbo\n", &["edges.csv:2:7", "no seat is named \"Bbo\"", "Bob"]);
    told("{ file: edges.csv }", "from,to\nAlice,Bob\nAlice,Bob\n", &["edges.csv:3", "listed twice"]);
    told("{ file: edges.csv }", "from,to\nAlice,Alice\n", &["hears itself anyway"]);
    told("{ file: edges.csv }", "from,to,weight\nAlice,Bob,-1\n", &["less than 0"]);
    told("{ file: edges.csv }", "source,to\nAlice,Bob\n", &["no column \"from\""]);
    told("{ file: edgse.csv }", "from,to\n", &["no such file"]);
    told("{ star: { hub: Zoe } }", "", &["discussion.network.star.hub", "no seat is named \"Zoe\""]);
    told("{ small_world: { neighbours: 3, rewired: 0.1 } }", "", &["even number"]);
    told("{ small_world: { neighbours: 6, rewired: 0.1 } }", "", &["there are 5 seats"]);
    told("{ small_world: { neighbours: 2, rewired: 1.5 } }", "", &["discussion.network.small_world.rewired"]);
    told("rign", "", &["discussion.network", "ring"]);
    let config = write_config(place.path(), &body("ring", "random", "{}"));
    let set = "discussion.network.file=edges.csv";
    ekklesia(&["check", text(&config), "--set", set]).says(2, &["only the config itself"]);
}

#[test]
fn arms_have_networks_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("edges.csv"), "from,to\nAlice,Bob\n").unwrap();
    let more = "design:\n  factors:\n    talk: { key: discussion.network, levels: { ring: ring, all: complete, line: { file: edges.csv } } }\n";
    let out = run(place.path(), &(body("complete", "random", "{}").replace(", network: complete", "") + more));
    for arm in ["ring", "all", "line"] {
        let minutes = fs::read_to_string(out.join(format!("sessions/{arm}-r000001/minutes.jsonl"))).unwrap();
        assert_eq!(minutes.contains("\"hears\""), arm != "all", "{arm}");
    }
    // The kept inputs alone make the same folder again.
    fs::rename(place.path().join("edges.csv"), place.path().join("gone.csv")).unwrap();
    ekklesia(&["replay", text(&out)]).says(0, &["in 3 sessions, no divergence"]);
}

#[test]
fn a_weight_on_itself_in_a_file_is_told_in_the_place_of_the_minds_own() {
    let place = tempfile::tempdir().unwrap();
    fs::write(
        place.path().join("edges.csv"),
        "from,to,weight\nBob,Alice,3\nAlice,Bob,0.5\nBob,Bob,1.5\nAlice,Carol,1\n",
    )
    .unwrap();
    let body = body("{ file: edges.csv }", "random", "{}").replace("random: { malformed: 0.1 }", "degroot: {}");
    let out = run(place.path(), &body);
    let mut seats = csv::Reader::from_path(out.join("seats.csv")).unwrap();
    let header = seats.headers().unwrap().clone();
    let [seat, weight] =
        ["seat", "trait_self_weight"].map(|name| header.iter().position(|column| column == name).unwrap());
    for row in seats.records() {
        let row = row.unwrap();
        assert_eq!(&row[weight], if &row[seat] == "Bob" { "" } else { "0.500000" }, "{}", &row[seat]);
    }
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    let of = |seat: &str| methods.lines().find(|line| line.starts_with("- ") && line.contains(seat)).unwrap();
    assert!(
        of("`Alice`").contains("`self_weight` 0.5, weights of the network's file") && !of("`Alice`").contains("`Bob`"),
        "{methods}"
    );
    assert!(
        of("`Bob`").contains("weights of the network's file, that on itself, too")
            && !of("`Bob`").contains("self_weight"),
        "{methods}"
    );
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn where_the_weights_of_a_file_weigh_the_digest_says_so_and_nowhere_else() {
    let weighed = "from,to,weight\nBob,Alice,3\nAlice,Bob,1\n";
    let weigh = |mind: &str, edges: &str| {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("edges.csv"), edges).unwrap();
        let body = body("{ file: edges.csv }", "random", "{}").replace("random: { malformed: 0.1 }", mind);
        let config = write_config(place.path(), &body);
        let resolved = Inputs::read_config(&config, Overrides::default()).unwrap().resolve().unwrap();
        let (_, identity) = &resolved.identities[0];
        let mut without = identity.clone();
        let says = without.remove("discussion.network.weights");
        assert_eq!(resolved.experiment.arms[0].digest == digest_of(&without), says.is_none(), "{mind}");
        says
    };
    for mind in ["degroot: {}", "friedkin_johnsen: {}"] {
        assert_eq!(weigh(mind, weighed).as_deref(), Some("weigh"), "{mind}");
        assert_eq!(weigh(mind, "from,to\nBob,Alice\nAlice,Bob\n"), None, "{mind} without weights");
    }
    let named = "degroot: { self_weight: 1, weights: {} }";
    for mind in [named, "hegselmann_krause: {}", "voter: { copy: 0.5 }", "random: {}"] {
        assert_eq!(weigh(mind, weighed), None, "{mind}");
    }
}

/// Three talks: one with links of its own, one with those of the session, and one that all hear.
const TALKS: &str = "agenda:\n  - { name: apart, discussion: { rounds: 2, network: { star: { hub: Bob } } } }\n  \
     - { name: usual, discussion: { rounds: 2 } }\n  - { name: open, discussion: { rounds: 1, network: complete } }\n  \
     - { name: last, vote: { over: [a, b], rule: plurality, tie_break: lot } }\n";
const FOUR: &str = "models: { sim: { simulated: {} } }\nseats: [ { name: Ann }, { name: Bob }, { name: Cleo }, { name: Dan } ]\n\
     discussion: { network: ring }\nmemory: { memory_character_limit: 100000 }\n";

/// Whether one seat hears another's statements in a talk of `TALKS`.
fn is_linked(phase: &str, listener: &str, speaker: &str) -> bool {
    let place = |name: &str| ["Ann", "Bob", "Cleo", "Dan"].iter().position(|own| *own == name).unwrap();
    match phase {
        "apart" => listener == "Bob" || speaker == "Bob",
        "usual" => place(listener).abs_diff(place(speaker)) % 2 == 1,
        _ => true,
    }
}

#[test]
fn a_talk_has_a_network_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let config = trial::write_agenda(place.path(), TALKS, FOUR);
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let spoken: Vec<(Seq, String, String)> = records
        .iter()
        .filter(|record| matches!(record.reply(), Some(Reply::Statement { .. })))
        .map(|record| (record.seq, record.at.phase.to_string(), record.seat.as_ref().unwrap().to_string()))
        .collect();
    assert_eq!(spoken.len(), 20, "four seats speak in five rounds");
    let mut deliberation = Deliberation::convene(&plan, 1);
    let mut account = Visibility::new(&plan);
    for (number, record) in records.iter().enumerate() {
        if let Next::Ask(queries) = deliberation.next() {
            for query in &queries {
                assert_eq!(account.check_query(query).map_err(|leak| leak.to_string()), Ok(()));
                let seat = query.id.seat.as_str();
                let heard: BTreeSet<Seq> = spoken
                    .iter()
                    .filter(|(seq, phase, speaker)| {
                        seq.0 < number as u64 && (speaker == seat || is_linked(phase, seat, speaker))
                    })
                    .map(|(seq, ..)| *seq)
                    .collect();
                let shown = query.brief.all_remarks().filter(|remark| remark.speaker.is_some());
                assert_eq!(shown.map(|remark| remark.seq).collect::<BTreeSet<_>>(), heard, "{}", query.id);
            }
        }
        account.witness_record(record);
        deliberation.evolve(record);
    }
    check_cuts(&plan, 1, &records, [3, 9, 14, 20, 27]);
}

#[test]
fn tables_methods_and_nulls_follow_the_network_of_a_talk() {
    let place = tempfile::tempdir().unwrap();
    let more = format!("{FOUR}straw_polls: [before, after]\ndesign: {{ nulls: [self_revision] }}\n");
    let config = trial::write_agenda(place.path(), TALKS, &more);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["4 of 4"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let names = ["Ann", "Bob", "Cleo", "Dan"];
    for row in crate::fixtures::minuted::rows(&out, "statements").into_iter().filter(|row| row["kind"] == "statement") {
        let is_null = row["session"].contains("null");
        let hearing = names.iter().filter(|name| **name != row["seat"] && is_linked(&row["phase"], name, &row["seat"]));
        let expected = match (is_null, hearing.copied().collect::<Vec<_>>()) {
            (true, _) => "nobody".to_owned(),
            (false, all) if all.len() == 3 => String::new(),
            (false, some) => some.join("|"),
        };
        assert_eq!(row["to"], expected, "{row:?}");
    }
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("beside its own those of Bob, who heard all"), "{methods}");
    assert!(methods.contains("beside its own those of its two neighbours in a ring"), "{methods}");
    let session = "baseline-r000001";
    ekklesia(&["show", text(&out.join("sessions").join(session))])
        .says(0, &["Cleo hears Bob", "Bob hears Ann, Cleo, Dan"]);
}

#[test]
fn the_network_of_a_talk_is_a_factor_and_what_it_cannot_be_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let factor = "design:\n  factors:\n    links: { key: agenda.usual.network, levels: { ring: ring, all: complete, star: { star: { hub: Dan } } } }\n";
    let config = trial::write_agenda(place.path(), TALKS, &format!("{FOUR}{factor}"));
    let arms = read(&config).arms.clone();
    let own = |arm: usize| {
        let usual = arms[arm].agenda.iter().find(|phase| phase.name.as_str() == "usual").unwrap();
        usual.kind.own_network().map(ekklesia::plan::Network::as_str)
    };
    assert_eq!([own(0), own(1), own(2)], [None, Some("complete"), Some("star")]);
    let told = |from: &str, to: &str, more: &str, needles: &[&str]| {
        let config = trial::write_agenda(place.path(), &TALKS.replace(from, to), more);
        ekklesia(&["check", text(&config)]).says(2, needles);
    };
    let star = "{ star: { hub: Bob } }";
    told(star, "{ file: edges.csv }", FOUR, &["agenda.apart.discussion.network.file", "whole session"]);
    told(
        star,
        "{ star: { hub: Zoe } }",
        FOUR,
        &["agenda.apart.discussion.network.star.hub", "no seat is named \"Zoe\""],
    );
    told(star, "rign", FOUR, &["agenda.apart.discussion.network", "ring"]);
    let alone = FOUR.replace("ring", "self");
    told(
        star,
        "ring",
        &alone,
        &["agenda.apart.discussion.network", "with discussion.network: self no seat hears another"],
    );
}
