//! Whole lines alone, each once, wherever the file is cut, and whatever is put in its place.

use std::fs;

use proptest::prelude::*;

use super::*;

/// Minutes in a folder.
fn there(root: &Path) -> (Arc<ResultsFolder>, String) {
    (Arc::new(ResultsFolder::open_unchecked(root)), "minutes.jsonl".to_owned())
}

fn texts(look: TailLook) -> Vec<String> {
    match look {
        TailLook::Lines(lines) => lines.into_iter().map(|line| String::from_utf8(line.bytes).unwrap()).collect(),
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
                let found = texts(tail.read_lines(bytes_max).unwrap());
                if found.is_empty() { break; }
                read.extend(found);
            }
            let complete = whole[..stop].matches('\n').count();
            prop_assert_eq!(&read, &lines[..complete]);
            let again = Tail::resume_after(there(place.path()), (tail.lines, tail.check()), |_| ()).unwrap().unwrap();
            prop_assert_eq!((again.lines, again.bytes_read(), again.check()), (tail.lines, tail.bytes_read(), tail.check()));
        }
    }
}

#[test]
fn other_minutes_in_the_same_place_are_noticed() {
    let place = tempfile::tempdir().unwrap();
    let (path, other) = (place.path().join("minutes.jsonl"), place.path().join("other"));
    fs::write(&path, "one\ntwo\n").unwrap();
    let mut tail = Tail::new(there(place.path()));
    assert_eq!(texts(tail.read_lines(100).unwrap()), ["one", "two"]);
    let (lines, check) = (tail.lines, tail.check());
    fs::write(&other, "uno\ntwo\nthree\n").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(tail.read_lines(100).unwrap(), TailLook::Others);
    assert_eq!(texts(tail.read_lines(100).unwrap()), ["uno", "two", "three"]);
    assert!(
        Tail::resume_after(there(place.path()), (lines, check), |_| ()).unwrap().is_none(),
        "the second line is the same, the first is not"
    );
    fs::write(&path, "uno\n").unwrap();
    assert_eq!(tail.read_lines(100).unwrap(), TailLook::Others, "it became shorter");
    fs::remove_file(&path).unwrap();
    assert_eq!(texts(tail.read_lines(100).unwrap()), Vec::<String>::new(), "of these minutes nothing was read yet");
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
    assert_eq!(texts(Tail::new(there(&root)).read_lines(100).unwrap()), ["own"]);
    for away in ["../secret", "/dev/zero", "nowhere"] {
        fs::remove_file(root.join("minutes.jsonl")).unwrap();
        symlink(away, root.join("minutes.jsonl")).unwrap();
        assert!(Tail::new(there(&root)).read_lines(100).is_err(), "{away}");
    }
}

#[test]
fn minutes_that_are_packed_meanwhile_are_read_on() {
    let place = tempfile::tempdir().unwrap();
    let (folder, name, text) =
        (ResultsFolder::open_for_writing(place.path()).unwrap(), "talk-r000001", "one\ntwo\nthree\n");
    folder.make_session(name).unwrap();
    let minutes = folder.minutes(name).path().to_owned();
    fs::write(&minutes, &text[..8]).unwrap();
    let there = || (Arc::new(ResultsFolder::open_unchecked(place.path())), format!("sessions/{name}/minutes.jsonl"));
    let (mut tail, mut other) = (Tail::new(there()), Tail::new(there()));
    assert_eq!(texts(tail.read_lines(100).unwrap()), ["one", "two"]);
    assert_eq!(texts(other.read_lines(100).unwrap()), ["one", "two"]);
    fs::write(&minutes, text).unwrap();
    crate::store::packs::tests::pack(&folder, name);
    assert!(!minutes.exists());
    assert_eq!(texts(tail.read_lines(100).unwrap()), ["three"]);
    assert_eq!(texts(tail.read_lines(100).unwrap()), [""; 0]);
    let (lines, check) = (tail.lines, tail.check());
    assert!(Tail::resume_after(there(), (lines, check), |_| ()).unwrap().is_some(), "a reader that comes back goes on");
    // What was read is not what was packed.
    other.hasher.update(b"else");
    assert_eq!(other.read_lines(100).unwrap(), TailLook::Others);
}
