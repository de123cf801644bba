//! A scripted session of four seats of which every number was worked out by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::write_config;

type Row = BTreeMap<String, String>;

/// What each seat is asked in turn: the poll before, two rounds, the vote, the poll after.
const SEATS: [(&str, [&str; 5]); 4] = [
    ("Ann", ["for", "one two three four five; for", "one two; against", "against", "against"]),
    ("Bob", ["for", "one two three four; for", "eight; for", "for", "for"]),
    ("Cy", ["against", "six seven; against", "nine ten six seven; for", "for", "for"]),
    ("Dee", ["for", "pass", "one two three four five; against", "for", "against"]),
];

fn config(folder: &Path) -> String {
    let line = |place: &str, said: &str| {
        let what = match said.split_once("; ") {
            Some((words, stance)) => format!("statement: {words}, stance: {stance}"),
            None if said == "pass" => "pass: true".to_owned(),
            None => format!("choice: {said}"),
        };
        format!("        - {{ {place}, {what} }}\n")
    };
    let seat = |(name, [before, first, second, vote, after]): &(&str, [&str; 5])| {
        let lines = [
            line("phase: straw_before, round: 0, step: straw_poll", before),
            line("phase: discussion, round: 1, step: statement", first),
            line("phase: discussion, round: 2, step: statement", second),
            line("phase: vote, round: 0, step: ballot", vote),
            line("phase: straw_after, round: 0, step: straw_poll", after),
        ];
        format!("  - name: {name}\n    mind:\n      scripted:\n        table:\n{}", lines.concat())
    };
    fs::write(folder.join("items.csv"), "id,text,right\nq1,Shall we?,for\n").unwrap();
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}\
         discussion: {{ rounds: 2, order: fixed, vote: at_end, statement_min_length: 1 }}\n\
         straw_polls: [before, after]\ndecision: {{ rule: majority, of: members }}\n\
         items: {{ file: items.csv, id: id, text: text, key: right }}\n",
        SEATS.iter().map(seat).collect::<String>()
    )
}

fn rows(out: &Path, table: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(out.join(format!("{table}.csv"))).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| header.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// Compares cells, written `column=value`; an empty value is an empty cell.
fn expect(row: &Row, cells: &str) {
    for cell in cells.split_whitespace() {
        let (column, value) = cell.split_once('=').unwrap();
        let found = row.get(column).unwrap_or_else(|| panic!("no column {column}"));
        assert_eq!(found, value, "{column} of {row:#?}");
    }
}

#[test]
fn every_number_of_a_scripted_session_is_what_was_worked_out_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let config = write_config(folder.path(), &config(folder.path()));
    let out = folder.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions completed"]);
    let rounds = rows(&out, "rounds");
    let of = |phase: &str, round: &str| {
        rounds.iter().find(|row| row["phase"] == phase && row["round"] == round).unwrap_or_else(|| panic!("{phase}"))
    };
    // Words 5, 4, 2, 0; stances for, for, against. Bob's one phrase of four words was said before.
    expect(
        of("discussion", "1"),
        "seats=4 statements=3 passes=1 words=11 stance_n=3 stance_modal=for stance_modal_share=0.666667 \
         stance_entropy_norm=0.918296 stance_effective_options=1.800000 stance_pair_agreement=0.333333 \
         stance_correct_share=0.666667 stance_group_correct=1 n_switch=0 switch_n=0 switch_rate= flip_cw=0 flip_cw_n=0 \
         flip_wc=0 flip_wc_n=0 participation_rate=0.750000 speakers=3 speaking_gini=0.386364 turn_entropy_norm=0.792481 \
         phrases=3 repetition_rate=0.333333 jaccard_pair=0.266667 similarity_pair=0.298142 jsd_speakers=0.624820 mattr_50= \
         opinion_n=3 opinion_source=stance opinion_mean=0.666667 opinion_sd=0.471405 opinion_var=0.222222 opinion_shift_n=0 \
         opinion_shift_abs= opinion_shift_net= vdeijk_a=-0.333333 esteban_ray=0.184456 esteban_ray_1=0.222222",
    );
    // Before it for leads 2 : 1. Ann leaves it, Cy joins it, Dee tells her first stance.
    expect(
        of("discussion", "2"),
        "statements=4 passes=0 words=12 stance_n=4 stance_modal=for|against stance_modal_share=0.500000 \
         stance_entropy_norm=1.000000 stance_effective_options=2.000000 stance_pair_agreement=0.333333 \
         stance_correct_share=0.500000 stance_group_correct=0 n_switch=2 switch_n=3 switch_rate=0.666667 \
         to_majority_switches=1 from_majority_switches=1 flip_cw=1 flip_cw_n=2 flip_wc=1 flip_wc_n=1 \
         participation_rate=1.000000 speakers=4 speaking_gini=0.291667 turn_entropy_norm=1.000000 phrases=3 \
         repetition_rate=0.666667 jaccard_pair=0.066667 similarity_pair=0.105409 jsd_speakers=0.848954 opinion_n=4 \
         opinion_mean=0.500000 opinion_sd=0.500000 opinion_var=0.250000 opinion_shift_n=3 opinion_shift_abs=0.666667 \
         opinion_shift_net=0.000000 vdeijk_a=-1.000000 esteban_ray=0.203063 esteban_ray_1=0.250000",
    );
    let polls: Vec<&Row> = rounds.iter().filter(|row| !row["straw_n"].is_empty()).collect();
    expect(
        polls[0],
        "straw_n=4 straw_modal=for straw_modal_share=0.750000 straw_entropy_norm=0.811278 straw_effective_options=1.600000 \
         straw_pair_agreement=0.500000 straw_correct_share=0.750000 opinion_mean=0.750000 opinion_sd=0.433013 \
         vdeijk_a=0.000000 esteban_ray=0.159923",
    );
    expect(polls[1], "straw_n=4 straw_modal=for|against straw_entropy_norm=1.000000 straw_group_correct=0");
    expect(of("vote", "0"), "ballot_n=4 ballot_modal=for ballot_modal_share=0.750000 n_abstain=0 decided=1");
    expect(
        &rows(&out, "sessions")[0],
        "outcome=carried result=for correct=1 trivial_consensus=0 first_ballot_majority=for fbm_matches_final=1 \
         public_private_gap=0.000000 public_private_n=4 n_switch=2 switch_n=3 switch_rate=0.666667 flip_cw=2 flip_cw_n=3 \
         flip_wc=1 flip_wc_n=1 participation_rate=1.000000 n_ballots=4 n_abstain=0 n_invalid=0 n_refused=0 n_reasked=0 \
         final_stance_share=0.500000 straw_shift_n=4 straw_shift_net=-0.250000 straw_before_modal_share=0.750000 \
         straw_after_modal_share=0.500000",
    );
    // Who holds the stance that another switches to: Ann's goes to Cy's, then Cy's to Bob's.
    let seats = rows(&out, "seats");
    for (seat, influence) in seats.iter().zip([("0.000000", "1"), ("0.500000", "2"), ("1.000000", "1"), ("", "0")]) {
        assert_eq!((seat["influence_in"].as_str(), seat["influence_n"].as_str()), influence, "{}", seat["seat"]);
    }
}

#[test]
fn two_majorities_of_approvals_are_no_first_majority_and_one_is_of_ballots_not_of_approvals() {
    let run = |ballots: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let seat = |(place, ballot): (usize, &&str)| {
            let line = format!("{{ phase: vote, round: 0, step: ballot, ballot: \"{ballot}\" }}");
            format!("  - {{ name: Seat {place}, mind: {{ scripted: {{ table: [{line}] }} }} }}\n")
        };
        let seats: String = ballots.iter().enumerate().map(seat).collect();
        let config = format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}\
             discussion: {{ rounds: 0, vote: at_end }}\ndecision: {{ rule: approval, tie_break: agenda_order }}\n"
        );
        let config = write_config(folder.path(), &config);
        let out = folder.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions completed"]);
        let rows = rows(&out, "sessions");
        (rows[0]["first_ballot_majority"].clone(), rows[0]["fbm_matches_final"].clone())
    };
    let found = |majority: &str, matches: &str| (majority.to_owned(), matches.to_owned());
    // Approved of by 4 and by 3 of 5: both by more than half.
    assert_eq!(run(&["for", "for, against", "none", "for, against", "for, against"]), found("", ""));
    // By 3 and by 2 of 6: most approvals, of which they are 3 of 5, but of half the ballots only.
    assert_eq!(run(&["for", "for, against", "none", "for", "against", "none"]), found("", ""));
    // By 4 and by 2 of 6.
    assert_eq!(run(&["for", "for, against", "for", "for", "against", "none"]), found("for", "1"));
}

#[test]
fn opinions_that_a_script_tells_have_the_moments_of_numpy_and_van_der_eijks_published_agreement() {
    let folder = tempfile::tempdir().unwrap();
    // His example, (30, 40, 210, 130, 530, 50, 10), in hundredths of its seats: one opinion in each bin.
    let bins = [(3, 0.0), (4, 0.25), (21, 0.4), (13, 0.5), (53, 0.7), (5, 0.8), (1, 1.0)];
    let seats = |(place, (count, opinion)): (usize, &(u32, f64))| {
        let back = 1000 - (opinion * 1000.0) as u32;
        format!(
            "  - count: {count}\n    name: \"Bin{place} {{n}}\"\n    mind:\n      scripted:\n        table:\n\
             \x20         - {{ phase: straw_before, round: 0, step: straw_poll, choice: for, opinion: {opinion} }}\n\
             \x20         - {{ phase: discussion, round: 1, step: statement, statement: so, opinion: {opinion} }}\n\
             \x20         - {{ phase: discussion, round: 2, step: statement, statement: so, stance: for, opinion: {} }}\n\
             \x20         - {{ phase: vote, round: 0, step: ballot, choice: for }}\n",
            f64::from(back) / 1000.0
        )
    };
    let seats: String = bins.iter().enumerate().map(seats).collect();
    let config = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}\
         discussion: {{ rounds: 2, order: fixed, vote: at_end, statement_min_length: 1 }}\nstraw_polls: [before]\n"
    );
    let config = write_config(folder.path(), &config);
    let out = folder.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions completed"]);
    let rounds = rows(&out, "rounds");
    let of = |phase: &str, round: &str| {
        rounds.iter().find(|row| row["phase"] == phase && row["round"] == round).unwrap_or_else(|| panic!("{phase}"))
    };
    let moments = "opinion_n=100 opinion_source=opinion opinion_mean=0.580000 opinion_sd=0.184120 opinion_var=0.033900 vdeijk_a=0.611333 \
                   esteban_ray=0.039749 esteban_ray_1=0.052311";
    expect(of("straw_before", "0"), moments);
    expect(of("discussion", "1"), moments);
    expect(
        of("discussion", "2"),
        "stance_n=100 opinion_mean=0.420000 opinion_shift_n=100 opinion_shift_abs=0.344000 opinion_shift_net=-0.160000 vdeijk_a=0.611333",
    );
}
