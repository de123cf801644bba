//! What lies outside of a results folder is on no page, by whatever link it is reached.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::write_config;

/// Two arms of three groups.
const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
discussion: { rounds: 1, vote: every_round }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

#[test]
fn what_lies_behind_a_link_that_leads_out_of_the_folder_is_shown_to_nobody() {
    use std::os::unix::fs::symlink;
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("results");
    ekklesia(&["run", text(&write_config(place.path(), BODY)), "--out", text(&out)]).says(0, &[]);
    let page = || {
        let page = place.path().join("page.html");
        ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &["page.html"]);
        fs::read_to_string(page).unwrap()
    };
    let away = place.path().join("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("secret"), "password: hunter2\n").unwrap();
    let replaced = |name: &str, by: &Path| {
        let there = out.join(name);
        fs::rename(&there, away.join(name.replace('/', "-"))).unwrap();
        symlink(by, there).unwrap();
    };
    replaced("plan.yaml", &away.join("secret"));
    replaced("sessions/majority-r000001", &away.join("sessions-majority-r000001"));
    let minutes = "sessions/majority-r000002/minutes.jsonl";
    replaced(minutes, &away.join(minutes.replace('/', "-")));
    let told = page();
    for line in [
        "plan.yaml: this is a link that leads out of the folder; it is not followed",
        "sessions/majority-r000001: incomplete: counted nowhere: sessions/majority-r000001: this is a link",
        "sessions/majority-r000002: incomplete: counted nowhere: sessions/majority-r000002/minutes.jsonl: this is a link",
        "4 of 6 planned sessions complete; 2 incomplete, 0 failed.",
    ] {
        assert!(told.contains(line), "{line:?} is not told");
    }
    assert!(!told.contains("hunter2"));
    replaced("inputs/config.yaml", &away.join("secret"));
    let told = page();
    assert!(
        told.contains("inputs/config.yaml: this is a link that leads out of the folder") && !told.contains("password")
    );
    assert!(told.contains("<a href=\"#unanimity-r000001\">"));
    fs::remove_dir_all(out.join("sessions")).unwrap();
    fs::write(out.join("sessions"), "").unwrap();
    assert!(page().contains("sessions: "));
}
