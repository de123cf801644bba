//! Straw polls around talks in groups, and in their rounds.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, whole, write_motion_agenda};
use crate::oracle::check_cells;

/// Talks in groups, in passes of a block.
const IN_GROUPS: &str = "agenda:
  - { name: split, assign: { table: { groups: { size: 3 }, by: lot } } }
  - name: small
    groups: table
    repeat: { times: 2 }
    phases:
      - { name: talk, discussion: { rounds: 2 } }
  - { name: final, vote: {} }
";

#[test]
fn groups_are_polled_in_their_rounds_and_all_are_polled_around_them() {
    let place = tempfile::tempdir().expect("a folder");
    let seats: String = (1..=6).map(|n| format!("  - {{ name: Seat {n} }}\n")).collect();
    let body = format!(
        "experiment: polled\nscenario: own\nseed: 5\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.4 }} }} }}\nseats:\n{seats}\
         straw_polls: [before, each_round, after]\ndecision: {{ invalid: abstain }}\n"
    );
    let config = write_motion_agenda(place.path(), IN_GROUPS, &body);
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    check_cells(&out, 1);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let (ballots, assignments) = (rows(&out, "ballots"), rows(&out, "assignments"));
    for session in ["baseline-r000001", "baseline-r000002"] {
        let own = |purpose: &str| -> Vec<&BTreeMap<String, String>> {
            ballots.iter().filter(|row| row["session"] == session && row["purpose"] == purpose).collect()
        };
        for purpose in ["straw_before", "straw_after"] {
            let seats: Vec<&String> = own(purpose).iter().map(|row| &row["seat"]).collect();
            assert_eq!(seats.len(), 6, "{purpose}: each seat once, whatever the groups and passes");
            assert!(own(purpose).iter().all(|row| row["phase"] == purpose && row["group"].is_empty()));
        }
        assert_eq!(own("straw_round").len(), 2 * 2 * 6, "passes, rounds and seats");
        for group in ["1", "2"] {
            let of_group = |row: &&BTreeMap<String, String>| row["session"] == session && row["group"] == group;
            let members: Vec<&String> = assignments.iter().filter(of_group).map(|row| &row["seat"]).collect();
            for (pass, round) in [("1", 1), ("1", 2), ("2", 1), ("2", 2)] {
                let polled = own("straw_round")
                    .into_iter()
                    .filter(|row| row["group"] == group && row["pass"] == pass && row["round"] == round.to_string());
                let polled: Vec<&BTreeMap<String, String>> = polled.collect();
                let mut seats: Vec<&String> = polled.iter().map(|row| &row["seat"]).collect();
                seats.sort();
                assert_eq!(seats, members);
            }
        }
    }
    let order: Vec<&str> = plan.agenda.iter().map(|phase| phase.name.written()).collect();
    let of = |name: &str| order.iter().position(|own| *own == name).expect("a phase");
    assert!(of("split") < of("straw_before") && of("straw_before") + 1 == of("talk"));
    assert_eq!(of("straw_after") + 1, of("final"));
}
