//! The lines of what prompts show again and again. Each is written and counted once for a session; later prompts only collect it.
//!
//! The counts of lines add up to the count of their message, because no word and no token of the estimate spans a line feed. A
//! model's own tokenizer may join text across a line feed, so it counts the complete message.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::domain::{Brief, GuidanceStyle, Language, Motion, OwnEntry, Remark, Seq};
use crate::memory::guidance::{announcement_text, kept_text, remark_line};
use crate::text::CountedText;

/// The lines of one session of one plan. A line is found by all that it is made of, so seats that hear or call others differently may share them.
#[derive(Debug, Default)]
pub struct LineCache {
    /// By the number of the record that a line comes from.
    lines: RefCell<Vec<Vec<CachedLine>>>,
}

#[derive(Debug)]
struct CachedLine {
    /// The remark that the line shows; `None` for an entry of a seat's own, which is shown unchanged.
    remark: Option<RemarkShown>,
    text: CountedText,
}

/// All that the line of a remark is made of.
#[derive(Debug)]
struct RemarkShown {
    remark: Remark,
    extent: TextShown,
    /// How its speaker is called; `None` where the speaker reads its own words, and of announcements.
    speaker: Option<String>,
    style: GuidanceStyle,
    language: Language,
}

/// How much of a remark's text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextShown {
    /// All of it, as in the public history.
    Full,
    /// What memories keep.
    Kept,
}

impl TextShown {
    /// How much of a remark's text a brief shows.
    pub fn of(remark: &Remark, brief: &Brief<'_>) -> Self {
        if brief.shows_in_full(remark) { TextShown::Full } else { TextShown::Kept }
    }
}

impl LineCache {
    /// A remark as a seat reads it: another's statement with its speaker's name, an own one without, or an announcement.
    pub fn write_remark(
        &self,
        (remark, extent): (&Remark, TextShown),
        speaker: Option<&str>,
        style: GuidanceStyle,
        motion: &Motion,
    ) -> CountedText {
        let is_it = |line: &CachedLine| {
            line.remark.as_ref().is_some_and(|known| {
                known.extent == extent
                    && known.style == style
                    && known.language == motion.language
                    && known.speaker.as_deref() == speaker
                    && known.remark == *remark
            })
        };
        self.find_or_write(remark.seq, is_it, || {
            let text = match extent {
                TextShown::Full => Cow::Borrowed(&*remark.text),
                TextShown::Kept => kept_text(remark),
            };
            let text = match (remark.speaker, speaker) {
                (None, _) => announcement_text(remark, motion.language).into_owned(),
                (Some(_), None) => text.into_owned(),
                (Some(_), Some(name)) => remark_line((remark, &text), name, style, motion),
            };
            let (remark, speaker, language) = (remark.clone(), speaker.map(str::to_owned), motion.language);
            let remark = Some(RemarkShown { remark, extent, speaker, style, language });
            CachedLine { remark, text: text.into() }
        })
    }

    /// The line of an entry of a seat's own.
    pub(super) fn write_entry(&self, entry: &OwnEntry) -> CountedText {
        let is_it = |line: &CachedLine| line.remark.is_none() && line.text.as_str() == entry.text;
        self.find_or_write(entry.seq, is_it, || CachedLine { remark: None, text: entry.text.clone().into() })
    }

    fn find_or_write(
        &self,
        seq: Seq,
        is_it: impl Fn(&CachedLine) -> bool,
        write: impl FnOnce() -> CachedLine,
    ) -> CountedText {
        let mut lines = self.lines.borrow_mut();
        let place = usize::try_from(seq.0).expect("invariant: records fit in memory");
        if lines.len() <= place {
            lines.resize_with(place + 1, Vec::new);
        }
        let known = &mut lines[place];
        if let Some(line) = known.iter().find(|line| is_it(line)) {
            return line.text.clone();
        }
        let line = write();
        let text = line.text.clone();
        known.push(line);
        text
    }
}
