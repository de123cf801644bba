//! The transcript of a fork beside its parent's: identical records appear once, different ones side by side.
//!
//! Records are paired by their coordinates, not by their numbers.

use std::collections::BTreeMap;

use super::markup::Markup;
use super::prompts::PackedPrompts;
use super::sight::Numbers;
use super::turn::Turns;
use super::{Talk, put_intro, put_record, put_records};
use crate::domain::{Moment, Record, SeatName};
use crate::report::numbers::{counted, grouped};
use crate::report::told::{Reader, RecordForm, RecordWording};

/// The number of differences that are listed above the transcript.
const NAMED_MAX: usize = 12;

/// A fork and its parent.
#[derive(Debug)]
pub struct Beside<'t> {
    /// The fork.
    pub fork: &'t Talk<'t>,
    /// The session that it branched off.
    pub parent: &'t Talk<'t>,
    /// The change, as the author wrote it.
    pub change: &'t str,
}

/// A record of one session, in words.
struct WordedRecord<'r> {
    record: &'r Record,
    told: RecordWording,
}

/// The records of both sessions at one place; at least one of them exists.
struct RecordPair<'r> {
    parent: Option<WordedRecord<'r>>,
    fork: Option<WordedRecord<'r>>,
}

/// The place of a record, valid in both sessions: coordinate, seat, attempt, and how many earlier records share these three.
type RecordPlace<'r> = (&'r Moment, Option<&'r SeatName>, Option<u8>, usize);

/// How alike the two records of a pair are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// The events are equal.
    Same,
    /// The words are equal, but not what was shown, what a mind kept or what a memory held.
    SameWords,
    /// The words differ, or one record is missing.
    Other,
}

/// The transcript of a fork beside its parent's, as HTML.
pub fn beside(both: &Beside<'_>) -> String {
    let (fork, parent) = (both.fork, both.parent);
    let common = fork.records.iter().zip(parent.records).take_while(|(one, other)| one == other).count();
    let (mut of_fork, mut of_parent) = (Reader::of(fork.plan.clone()), Reader::of(parent.plan.clone()));
    fork.records[..common].iter().for_each(|record| drop(of_fork.take(record)));
    parent.records[..common].iter().for_each(|record| drop(of_parent.take(record)));
    let said = |reader: &mut Reader, records: &[Record]| records.iter().map(|record| reader.take(record)).collect();
    let told = (said(&mut of_parent, &parent.records[common..]), said(&mut of_fork, &fork.records[common..]));
    let pairs = pair_records((&parent.records[common..], told.0), (&fork.records[common..], told.1));
    let mut out = Markup::default();
    out.own("<div class=\"talk beside\" data-name=\"")
        .attribute(fork.name)
        .own("\">\n<h3>Transcript of fork and parent</h3>\n");
    put_differences(&mut out, both, common, &pairs);
    put_intro(&mut out, fork);
    let prompts = PackedPrompts::pack(fork);
    let turns = (Turns::new(parent, &prompts, Numbers::Plain), Turns::new(fork, &prompts, Numbers::Linked));
    put_records(&mut out, &turns.1, &fork.records[..common], &mut Reader::of(fork.plan.clone()));
    if !pairs.is_empty() {
        out.own("<section class=\"phase\" aria-label=\"From the first difference on\">\n<div class=\"pair column\"><div>Parent</div><div>Fork</div></div>\n");
        pairs.iter().for_each(|pair| put_pair(&mut out, &turns, pair));
        out.own("</section>\n");
    }
    prompts.put(&mut out);
    out.own("</div>\n");
    out.html()
}

/// Writes the change and the list of differences.
fn put_differences(out: &mut Markup, both: &Beside<'_>, common: usize, pairs: &[RecordPair<'_>]) {
    out.own("<p class=\"banner\">This is a fork, not a session that happened. It differs from its parent by this change:</p>\n<pre class=\"text\" dir=\"auto\" tabindex=\"0\">")
        .text(both.change.trim_end())
        .own("</pre>\n");
    if pairs.is_empty() {
        out.own("<p>All ")
            .number(common as u64)
            .own(" records are equal to the parent’s: the change has no effect.</p>\n");
        return;
    }
    let count = |likeness: Likeness| pairs.iter().filter(|pair| pair.likeness() == likeness).count() as u64;
    let alone = |is: fn(&RecordPair<'_>) -> bool| pairs.iter().filter(|pair| is(pair)).count() as u64;
    let (in_parent, in_fork) = (alone(|pair| pair.fork.is_none()), alone(|pair| pair.parent.is_none()));
    let differ = count(Likeness::Other) - in_parent - in_fork;
    let same = count(Likeness::Same) + count(Likeness::SameWords);
    out.own("<p>")
        .text(&counted(common as u64, "record"))
        .own(" before the first difference, equal in both sessions and shown once. After it: ");
    out.text(&grouped(differ))
        .own(" with different words, ")
        .text(&grouped(in_parent))
        .own(" only in the parent, ")
        .text(&grouped(in_fork));
    out.own(" only in the fork, ")
        .text(&grouped(same))
        .own(" with the same words. Where words differ, each side shows what its seat was shown. A difference after the change is not necessarily an effect of the change.</p>\n");
    let parts = pairs.iter().filter(|pair| pair.likeness() == Likeness::Other && pair.is_worth_naming());
    out.own("<ul class=\"differences\">\n");
    for pair in parts.clone().take(NAMED_MAX) {
        pair.put_difference(out, both.fork.name);
    }
    let more = parts.count().saturating_sub(NAMED_MAX);
    if more > 0 {
        out.own("<li>").number(more as u64).own(" more below</li>\n");
    }
    out.own("</ul>\n");
}

fn put_pair(out: &mut Markup, (of_parent, of_fork): &(Turns<'_>, Turns<'_>), pair: &RecordPair<'_>) {
    let likeness = pair.likeness();
    if let (Likeness::Same | Likeness::SameWords, Some(fork)) = (likeness, &pair.fork) {
        put_record(out, of_fork, fork.record, &fork.told);
        if likeness == Likeness::SameWords && fork.record.seat.is_some() {
            out.own(
                "<p class=\"soft same-words\">The words are the same in both, but what was shown or kept differs.</p>\n",
            );
        }
        return;
    }
    out.own("<div class=\"pair differs\">\n");
    for (name, turns, said) in [("Parent", of_parent, &pair.parent), ("Fork", of_fork, &pair.fork)] {
        out.own("<div><span class=\"side\">").own(name).own("</span>\n");
        match said {
            Some(said) => put_record(out, turns, said.record, &said.told),
            None => drop(out.own("<p class=\"absent\">no record</p>\n")),
        }
        out.own("</div>\n");
    }
    out.own("</div>\n");
}

impl RecordPair<'_> {
    fn likeness(&self) -> Likeness {
        match (&self.parent, &self.fork) {
            (Some(one), Some(other)) if one.record.event == other.record.event => Likeness::Same,
            (Some(one), Some(other)) if one.told == other.told => Likeness::SameWords,
            _ => Likeness::Other,
        }
    }

    fn either(&self) -> &WordedRecord<'_> {
        self.fork.as_ref().or(self.parent.as_ref()).expect("invariant: a pair has at least one record")
    }

    /// Whether the record is more than the beginning or end of a phase or round.
    fn is_worth_naming(&self) -> bool {
        !matches!(self.either().told.form, RecordForm::Opening | RecordForm::Closing)
    }

    /// Writes the difference in one line.
    fn put_difference(&self, out: &mut Markup, session: &str) {
        let WordedRecord { record, told } = self.either();
        out.own("<li>");
        if let Some(fork) = &self.fork {
            out.own("<a href=\"#").address(session, fork.record.seq).own("\">");
            out.number(fork.record.seq.0).own("</a> ");
        }
        if record.at.round > 0 {
            out.own("round ").number(record.at.round).own(", ");
        }
        if let Some(who) = &told.who {
            out.isolated(who).own(": ");
        }
        let what = |out: &mut Markup, side: &Option<WordedRecord<'_>>| match side {
            Some(said) => drop(out.isolated(&said.told.what)),
            None => drop(out.own("nothing")),
        };
        let is_alike =
            self.parent.as_ref().zip(self.fork.as_ref()).is_some_and(|(one, other)| one.told.what == other.told.what);
        if is_alike {
            what(out, &self.fork);
            let is_worded = record.seat.is_some() || record.event.briefed().is_some();
            out.own(if is_worded { ", in different words" } else { ", with different details" });
        } else {
            out.own("in the parent ");
            what(out, &self.parent);
            out.own(", in the fork ");
            what(out, &self.fork);
        }
        out.own("</li>\n");
    }
}

/// Pairs the records of both sessions. Each session keeps its order.
fn pair_records<'r>(
    parent: (&'r [Record], Vec<RecordWording>),
    fork: (&'r [Record], Vec<RecordWording>),
) -> Vec<RecordPair<'r>> {
    let (of_parent, of_fork) = (record_places(parent.0), record_places(fork.0));
    let there: BTreeMap<&RecordPlace<'r>, usize> = of_fork.iter().zip(0..).collect();
    let mut ahead =
        fork.0.iter().zip(fork.1).map(|(record, told)| WordedRecord { record, told }).enumerate().peekable();
    let mut all = Vec::with_capacity(parent.0.len().max(fork.0.len()));
    let mut taken = 0;
    for ((record, told), place) in parent.0.iter().zip(parent.1).zip(&of_parent) {
        let mut pair = RecordPair { parent: Some(WordedRecord { record, told }), fork: None };
        // A record whose partner is already behind us stays unpaired, so that neither order changes.
        if let Some(at) = there.get(place).filter(|at| **at >= taken) {
            while let Some((_, said)) = ahead.next_if(|(other, _)| other < at) {
                all.push(RecordPair { parent: None, fork: Some(said) });
            }
            pair.fork = ahead.next().map(|(_, said)| said);
            taken = at + 1;
        }
        all.push(pair);
    }
    all.extend(ahead.map(|(_, said)| RecordPair { parent: None, fork: Some(said) }));
    all
}

fn record_places(records: &[Record]) -> Vec<RecordPlace<'_>> {
    let mut seen: BTreeMap<(&Moment, Option<&SeatName>, Option<u8>), usize> = BTreeMap::new();
    let mut all = Vec::with_capacity(records.len());
    for record in records {
        let (at, seat, attempt) = (&record.at, record.seat.as_ref(), record.attempt);
        let count = seen.entry((at, seat, attempt)).or_insert(0);
        all.push((at, seat, attempt, *count));
        *count += 1;
    }
    all
}
