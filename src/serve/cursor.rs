//! A stream position: how far each session was sent. It is the id of an event, from which a reader resumes after a lost
//! connection.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::folder_watcher::is_session_name;
use super::tail::Check;

const BYTES_MAX: usize = 1 << 20;
/// The maximum number of trailing digits that form a number.
const DIGITS_MAX: usize = 18;

/// How far one session was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorPosition {
    /// To its last record.
    Whole,
    /// The number of records, and their check.
    Some(u64, Check),
}

/// How far each session was sent. Nothing was sent of sessions without an entry.
///
/// As text, names are grouped by their part before the trailing digits, each group with a list of digits. A run of complete
/// sessions is `000001-000040`; an incomplete one is `000041=57.0a1b2c3d`: the number of records and their check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor(BTreeMap<String, CursorPosition>);

/// The text is not a cursor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this stream: {0}")]
pub struct CursorError(&'static str);

const TOO_MANY: CursorError = CursorError("it names more sessions than can have been told");

impl Cursor {
    /// How far a session was sent; `None` if nothing was.
    pub fn get(&self, session: &str) -> Option<CursorPosition> {
        self.0.get(session).copied()
    }

    /// Records how far a session was sent.
    pub fn set(&mut self, session: &str, told: CursorPosition) {
        self.0.insert(session.to_owned(), told);
    }

    /// Removes a session.
    pub fn forget(&mut self, session: &str) {
        self.0.remove(session);
    }

    /// The sessions that were sent at least in part.
    pub fn sessions(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Parses a cursor of at most `sessions_max` sessions. Without the limit, a short text could expand to runs of any length.
    ///
    /// # Errors
    /// [`CursorError`] if the text is too long, has another form, or names more sessions.
    pub fn parse(text: &str, sessions_max: usize) -> Result<Self, CursorError> {
        let mut cursor = Self::default();
        if text.len() > BYTES_MAX {
            return Err(CursorError("too long"));
        }
        let mut left = sessions_max as u64;
        for group in text.split(';').filter(|group| !group.is_empty()) {
            let (head, entries) = group.rsplit_once(':').ok_or(CursorError("a group has no colon"))?;
            for entry in entries.split(',') {
                let added = match entry.split_once('=') {
                    Some((digits, told)) => {
                        let (records, check) = told.split_once('.').ok_or(CursorError("records without a check"))?;
                        let records = records.parse().map_err(|_| CursorError("records that are no number"))?;
                        let check = u32::from_str_radix(check, 16).map_err(|_| CursorError("a check that is none"))?;
                        cursor.add_session(format!("{head}{digits}"), CursorPosition::Some(records, Check(check)))?;
                        1
                    }
                    None => {
                        let (first, last) = entry.split_once('-').unwrap_or((entry, entry));
                        cursor.add_run(head, (first, last), left)?
                    }
                };
                left = left.checked_sub(added).ok_or(TOO_MANY)?;
            }
        }
        Ok(cursor)
    }

    /// Adds a run of at most `most` complete sessions; returns how many.
    fn add_run(&mut self, head: &str, (first, last): (&str, &str), most: u64) -> Result<u64, CursorError> {
        if first.is_empty() && last.is_empty() {
            self.add_session(head.to_owned(), CursorPosition::Whole)?;
            return Ok(1);
        }
        let number = |digits: &str| digits.parse::<u64>().map_err(|_| CursorError("a run that is none"));
        let (from, to, width) = (number(first)?, number(last)?, first.len());
        if width > DIGITS_MAX || last.len() != width || from > to {
            return Err(CursorError("a run that is none"));
        }
        if to - from >= most {
            return Err(TOO_MANY);
        }
        for number in from..=to {
            self.add_session(format!("{head}{number:0width$}"), CursorPosition::Whole)?;
        }
        Ok(to - from + 1)
    }

    /// Adds a session if its name is valid. The check keeps line breaks out of event ids, since anybody can write a cursor.
    fn add_session(&mut self, name: String, told: CursorPosition) -> Result<(), CursorError> {
        if !is_session_name(&name) {
            return Err(CursorError("a name that no session has"));
        }
        self.0.insert(name, told);
        Ok(())
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut head: Option<&str> = None;
        // The first and last number of the current run of complete sessions.
        let mut run: Option<(&str, &str)> = None;
        for (name, told) in &self.0 {
            let (own, digits) = split_digits(name);
            let follows = |last: &str| {
                let next = last.parse::<u64>().ok().zip(digits.parse::<u64>().ok());
                last.len() == digits.len() && next.is_some_and(|(last, next)| last + 1 == next)
            };
            let goes_on =
                head == Some(own) && *told == CursorPosition::Whole && run.is_some_and(|(_, last)| follows(last));
            if goes_on {
                run = run.map(|(first, _)| (first, digits));
                continue;
            }
            write_run(f, run.take())?;
            match head {
                Some(before) if before == own => f.write_char(',')?,
                _ => write!(f, "{}{own}:", if head.is_some() { ";" } else { "" })?,
            }
            head = Some(own);
            match told {
                CursorPosition::Whole => run = Some((digits, digits)),
                CursorPosition::Some(records, check) => write!(f, "{digits}={records}.{:08x}", check.0)?,
            }
        }
        write_run(f, run)
    }
}

fn write_run(f: &mut fmt::Formatter<'_>, run: Option<(&str, &str)>) -> fmt::Result {
    match run {
        Some((first, last)) if first != last => write!(f, "{first}-{last}"),
        Some((first, _)) => f.write_str(first),
        None => Ok(()),
    }
}

/// Splits a name before its trailing digits, of which it takes at most `DIGITS_MAX`.
fn split_digits(name: &str) -> (&str, &str) {
    let digits = name.bytes().rev().take(DIGITS_MAX).take_while(u8::is_ascii_digit).count();
    name.split_at(name.len() - digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_sessions_are_told_as_runs() {
        let mut cursor = Cursor::default();
        for replicate in 1..=40 {
            cursor.set(&format!("talk-r{replicate:06}"), CursorPosition::Whole);
        }
        cursor.set("talk-r000042", CursorPosition::Some(57, Check(0x0a1b)));
        cursor.set("silent-r000003", CursorPosition::Whole);
        assert_eq!(cursor.to_string(), "silent-r:000003;talk-r:000001-000040,000042=57.00000a1b");
    }

    #[test]
    fn names_that_no_session_has_are_refused() {
        for text in ["a\n:1,2", "a\r:", "a\0:1=1.00000001", "../a:", ":", "..:", "a b:1"] {
            assert_eq!(Cursor::parse(text, 9), Err(CursorError("a name that no session has")), "{text:?}");
        }
        let long = format!("a:{}1", "0".repeat(70_000));
        assert_eq!(Cursor::parse(&long, 9), Err(CursorError("a run that is none")));
    }

    #[test]
    fn a_short_text_stands_for_no_more_sessions_than_there_can_be() {
        assert_eq!(Cursor::parse("a:1-9", 9).unwrap().sessions().count(), 9);
        for text in ["a:01-10", "a:1-5;b:1-5", "a:1-9,0=1.00000001", "a:000000000000000000-999999999999999999"] {
            assert_eq!(Cursor::parse(text, 9), Err(TOO_MANY), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back_as_it_was_written(
            sessions in prop::collection::btree_map("[a-c]{0,2}-?r?[0-9]{0,20}(-w[0-9]{2})?", prop::option::of((0_u64..1000, any::<u32>())), 0..40)
        ) {
            let mut cursor = Cursor::default();
            for (name, told) in &sessions {
                let told = told.map_or(CursorPosition::Whole, |(records, check)| CursorPosition::Some(records, Check(check)));
                if !name.is_empty() { cursor.set(name, told); }
            }
            let most = cursor.sessions().count();
            prop_assert_eq!(Cursor::parse(&cursor.to_string(), most), Ok(cursor.clone()));
            if most > 0 { prop_assert_eq!(Cursor::parse(&cursor.to_string(), most - 1), Err(TOO_MANY)); }
        }

        #[test]
        fn what_is_no_cursor_is_refused_or_read_without_harm(text in "[a-z0-9:;,=.-]{0,60}|(?s:.*)|[a-c\n\r\0 .]{0,3}:[0-3,-]{0,6}") {
            if let Ok(cursor) = Cursor::parse(&text, 40) {
                prop_assert!(cursor.sessions().count() <= 40);
                prop_assert!(cursor.sessions().all(is_session_name), "{cursor:?}");
                // An id with an end of a line or a zero in it cannot be sent.
                let _ = axum::response::sse::Event::default().id(cursor.to_string());
            }
        }
    }
}
