//! The file of a session's notes is made from its minutes and never read in their place, whatever became of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::meeting::{noting, run, session};
use crate::fixtures::sample::sample_cases;

/// What becomes of a file.
type Spoil = Box<dyn Fn(&Path)>;

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn notes_that_are_missing_are_made_again_and_others_are_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let (out, told) = run(place.path(), &noting(2), "out", &[]);
    told.says(0, &[]);
    let config = place.path().join("config.yaml");
    let file = session(&out, 1).join("notes.json");
    let sound = fs::read(&file).unwrap();
    let again = |out: &Path| ekklesia(&["run", text(&config), "--out", text(out)]);
    let begin_again = || fs::remove_dir_all(session(&out, 2)).unwrap();
    begin_again();
    fs::remove_file(&file).unwrap();
    again(&out).says(0, &["2 of 2 sessions"]);
    assert_eq!(fs::read(&file).unwrap(), sound);
    let other = String::from_utf8(sound.clone()).unwrap().replace("Bob yields", "Bob wields");
    let binary: Vec<u8> = (0..sound.len()).map(|place| (place * 37) as u8).collect();
    let mut no_text = sound.clone();
    *no_text.iter_mut().find(|byte| byte.is_ascii_alphabetic()).unwrap() = 0xff;
    let written = |bytes: Vec<u8>| move |file: &Path| fs::write(file, &bytes).unwrap();
    let bad: [(&str, Spoil); 7] = [
        ("changed by somebody", Box::new(written(other.into_bytes()))),
        ("longer", Box::new(written(vec![b' '; 3 << 20]))),
        ("binary", Box::new(written(binary))),
        ("no text", Box::new(written(no_text))),
        ("nothing", Box::new(written(Vec::new()))),
        ("huge", Box::new(|file| fs::File::create(file).unwrap().set_len(100 << 20).unwrap())),
        ("a folder", Box::new(|file| fs::create_dir(file).unwrap())),
    ];
    for (what, spoil) in sample_cases(bad, 3) {
        begin_again();
        fs::remove_file(&file).unwrap();
        spoil(&file);
        let told = again(&out);
        told.says(3, &["notes.json: not the notes that the minutes hold", "baseline-r000001-w02"]);
        assert!(
            !told.stderr.contains("minuted by"),
            "{what}: nothing was minuted by it, so nothing can be moved away: {told:#?}"
        );
        assert!(
            !session(&out, 2).join("minutes.jsonl").exists(),
            "{what}: nothing is begun on notes that are in doubt"
        );
        ekklesia(&["replay", text(&out)]).says(3, &["notes.json: not the notes that the minutes hold"]);
        if file.is_dir() {
            fs::remove_dir(&file).unwrap()
        } else {
            fs::remove_file(&file).unwrap()
        }
        fs::write(&file, &sound).unwrap();
        again(&out).says(0, &["2 of 2 sessions"]);
    }
}

#[test]
fn notes_that_change_while_the_next_session_is_held_change_nothing_in_it() {
    let place = tempfile::tempdir().unwrap();
    let (out, told) = run(place.path(), &noting(2), "out", &[]);
    told.says(0, &[]);
    let config = place.path().join("config.yaml");
    let (file, minutes) = (session(&out, 1).join("notes.json"), session(&out, 2).join("minutes.jsonl"));
    let (sound, whole) = (fs::read(&file).unwrap(), fs::read_to_string(&minutes).unwrap());
    let brought = whole.lines().position(|line| line.contains("\"notes\":{")).unwrap();
    for kept in [brought, brought + 1, brought + 4] {
        for end in ["run.json", "notes.json"] {
            fs::remove_file(session(&out, 2).join(end)).unwrap();
        }
        fs::write(&minutes, whole.split_inclusive('\n').take(kept).collect::<String>()).unwrap();
        fs::write(&file, String::from_utf8(sound.clone()).unwrap().replace("Bob yields", "Bob wields")).unwrap();
        let again = || ekklesia(&["run", text(&config), "--out", text(&out)]);
        again().says(3, &["notes.json: not the notes that the minutes hold"]);
        fs::remove_file(&file).unwrap();
        again().says(0, &["2 of 2 sessions"]);
        assert_eq!(fs::read_to_string(&minutes).unwrap(), whole, "{kept} records were kept");
        assert_eq!(fs::read(&file).unwrap(), sound);
    }
}
