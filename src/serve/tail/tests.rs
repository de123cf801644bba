//! Whole lines alone, each once, wherever the file is cut, and whatever is put in its place.

use std::fs;

use proptest::prelude::*;

use super::*;

/// Minutes in a folder.
fn there(root: &Path) -> (Arc<ResultsFolder>, String) {
    (Arc::new(ResultsFolder::read_only(root)), "minutes.jsonl".to_owned())
}

fn texts(look: Look) -> Vec<String> {
    match look {
        Look::Lines(lines) => lines.into_iter().map(|line| String::from_utf8(line.bytes).unwrap()).collect(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn every_line_is_read_once_wherever_the_writer_stops(
        lines in prop::collection::vec("[a-z]{0,30}", 1..12),
        stops in prop::collection::vec(0_usize..200, 0..12),
        bytes_max in 1_usize..40,
    ) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("minutes.jsonl");
        let whole: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut stops: Vec<usize> = stops.into_iter().map(|stop| stop.min(whole.len())).chain([whole.len()]).collect();
        stops.sort_unstable();
        let (mut tail, mut read) = (Tail::new(there(place.path())), Vec::new());
        for stop in stops {
            fs::write(&path, &whole[..stop]).unwrap();
            loop {
                let found = texts(tail.read(bytes_max).unwrap());
                if found.is_empty() { break; }
                read.extend(found);
            }
            let complete = whole[..stop].matches('\n').count();
            prop_assert_eq!(&read, &lines[..complete]);
            let again = Tail::behind(there(place.path()), (tail.lines, tail.check()), |_| ()).unwrap().unwrap();
            prop_assert_eq!((again.lines, again.bytes(), again.check()), (tail.lines, tail.bytes(), tail.check()));
        }
    }
}

#[test]
fn other_minutes_in_the_same_place_are_noticed() {
    let place = tempfile::tempdir().unwrap();
    let (path, other) = (place.path().join("minutes.jsonl"), place.path().join("other"));
    fs::write(&path, "one\ntwo\n").unwrap();
    let mut tail = Tail::new(there(place.path()));
    assert_eq!(texts(tail.read(100).unwrap()), ["one", "two"]);
    let (lines, check) = (tail.lines, tail.check());
    fs::write(&other, "uno\ntwo\nthree\n").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(tail.read(100).unwrap(), Look::Others);
    assert_eq!(texts(tail.read(100).unwrap()), ["uno", "two", "three"]);
    assert!(
        Tail::behind(there(place.path()), (lines, check), |_| ()).unwrap().is_none(),
        "the second line is the same, the first is not"
    );
    fs::write(&path, "uno\n").unwrap();
    assert_eq!(tail.read(100).unwrap(), Look::Others, "it became shorter");
    fs::remove_file(&path).unwrap();
    assert_eq!(texts(tail.read(100).unwrap()), Vec::<String>::new(), "of these minutes nothing was read yet");
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_within_the_folder_and_no_other_is() {
    use std::os::unix::fs::symlink;
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(place.path().join("secret"), "secret\n").unwrap();
    fs::write(root.join("kept"), "own\n").unwrap();
    symlink("kept", root.join("minutes.jsonl")).unwrap();
    assert_eq!(texts(Tail::new(there(&root)).read(100).unwrap()), ["own"]);
    for away in ["../secret", "/dev/zero", "nowhere"] {
        fs::remove_file(root.join("minutes.jsonl")).unwrap();
        symlink(away, root.join("minutes.jsonl")).unwrap();
        assert!(Tail::new(there(&root)).read(100).is_err(), "{away}");
    }
}
