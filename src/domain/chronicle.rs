//! The order in which a seat reads the entries of a brief.

use super::{Brief, OwnEntry, Remark, Seq};

/// An entry of a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held<'a> {
    /// A text that replaces older entries.
    Past(&'a OwnEntry),
    /// The state of the talk, in words.
    Standing(&'a str),
    /// A statement or announcement that may be dropped later.
    Heard(&'a Remark),
    /// An older statement, shown because it is relevant to the talk now.
    Recalled(&'a Remark),
    /// An announcement that is never dropped.
    Posted(&'a Remark),
    /// An own entry that is never dropped.
    Pinned(&'a OwnEntry),
    /// Another own entry.
    Own(&'a OwnEntry),
}

impl Held<'_> {
    /// The record it comes from; `None` for the state of the talk.
    pub fn seq(&self) -> Option<Seq> {
        match self {
            Held::Past(entry) | Held::Pinned(entry) | Held::Own(entry) => Some(entry.seq),
            Held::Heard(remark) | Held::Recalled(remark) | Held::Posted(remark) => Some(remark.seq),
            Held::Standing(_) => None,
        }
    }
}

impl Brief<'_> {
    /// Its entries in the order in which the seat reads them, without those that the seat looked up: by the record with which the seat
    /// first knew them. A text that replaces statements takes the place of the first of them, followed by the announcements that were put
    /// back then. The state of the talk comes right before the first statement after these texts; without such a statement it comes before
    /// everything that is not pinned.
    pub fn in_order(&self) -> Vec<Held<'_>> {
        let floor = self.remarks.floor;
        let at = |place: &u32| &floor[*place as usize];
        let heard = |places: super::Stretch<'_, u32>| places.iter().map(at).collect::<Vec<&Remark>>();
        let (statements, notices) = (heard(self.remarks.statements), heard(self.remarks.notices));
        let (mut held, mut past) = (Vec::new(), None);
        for (entry, since) in self.summaries.iter().zip(&self.since) {
            past = past.max(Some(*since));
            held.push((past.unwrap_or(*since), Rank::Past, Held::Past(entry)));
        }
        if let Some(told) = &self.standing {
            let first = statements.first().map(|remark| remark.seq);
            let loose = notices.iter().map(|remark| remark.seq).chain(self.own.iter().map(|entry| entry.seq)).min();
            let place = past.max(first).or(loose).unwrap_or(Seq(u64::MAX));
            held.push((place, Rank::Standing, Held::Standing(&told.words)));
        }
        let rest = statements.into_iter().chain(notices).map(Held::Heard);
        let rest = rest.chain(self.recalled.iter().map(at).map(Held::Recalled));
        let rest = rest.chain(self.remarks.pinned.iter().map(at).map(Held::Posted));
        let rest = rest.chain(self.pinned.iter().map(Held::Pinned)).chain(self.own.iter().map(Held::Own));
        held.extend(rest.map(|thing| (thing.seq().unwrap_or(Seq(0)), Rank::Rest, thing)));
        held.sort_by_key(|(seq, rank, _)| (*seq, *rank));
        held.into_iter().map(|(.., thing)| thing).collect()
    }
}

/// Which of several entries at the same place comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Past,
    Standing,
    Rest,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{EntryKind, Extent, GuidanceStyle, PhaseName, Places, SeatId, Stretch, Told};

    fn remark(seq: u64, speaker: Option<u32>) -> Remark {
        let speaker = speaker.map(SeatId);
        Remark {
            seq: Seq(seq),
            round: 1,
            turn: 1,
            speaker,
            text: "".into(),
            kept_bytes: 0,
            stance: None,
            opinion: None,
        }
    }

    fn own(seq: u64, kind: EntryKind) -> OwnEntry {
        OwnEntry { seq: Seq(seq), phase: PhaseName::new("talk"), round: 1, kind, text: String::new() }
    }

    /// The records of a brief in order, 0 being where the talk stands: an exhibit 1, a welcome 2, results 4 and 14, statements from
    /// 10 on, a notice 20; texts written in 13 and 17, of which the first stands for what began with 10, and the second for what
    /// began with 14 or 15.
    fn order(statements: &'static [u32], summaries: usize, told: Option<Extent>) -> Vec<u64> {
        let speakers = [(1, None), (2, None), (10, Some(0)), (11, Some(1)), (15, Some(0)), (18, Some(1)), (20, None)];
        let floor: Vec<Remark> = speakers.iter().map(|(seq, speaker)| remark(*seq, *speaker)).collect();
        let pinned = [own(4, EntryKind::Results), own(14, EntryKind::Results)];
        let texts = [own(13, EntryKind::Rewritten), own(17, EntryKind::Rewritten), own(3, EntryKind::PutBack)];
        let entries = [own(19, EntryKind::OwnReasoning)];
        let places = Places { statements: statements.to_vec(), notices: vec![6], pinned: vec![0, 1] };
        let standing = told.map(|extent| Told { extent, words: "".into() });
        let brief = Brief {
            seat: SeatId(0),
            style: GuidanceStyle::Narrative,
            remarks: places.over(&floor),
            summaries: Stretch::from(&texts[..summaries]),
            since: [10, 15, 2][..summaries].iter().copied().map(Seq).collect(),
            standing,
            pinned: &pinned,
            own: entries.as_slice().into(),
            heard: super::super::Heard::default(),
            recalled: Vec::new(),
            found: None,
            signal: None,
            facts: &[],
            case: &[],
            is_cut: false,
            full_from: None,
        };
        brief.in_order().iter().map(|held| held.seq().map_or(0, |seq| seq.0)).collect()
    }

    #[test]
    fn everything_stands_where_it_was_first_known_and_the_past_where_its_first_statement_was() {
        let talk: &[u32] = &[5];
        assert_eq!(order(talk, 0, None), [1, 2, 4, 14, 18, 19, 20]);
        assert_eq!(
            order(talk, 1, None),
            [1, 2, 4, 13, 14, 18, 19, 20],
            "what was known before the talk stands before it"
        );
        assert_eq!(
            order(talk, 2, None),
            [1, 2, 4, 13, 14, 17, 18, 19, 20],
            "texts of the past are in time like all else"
        );
        assert_eq!(
            order(talk, 3, None),
            [1, 2, 4, 13, 14, 17, 3, 18, 19, 20],
            "what was put back stands behind the text"
        );
        assert_eq!(
            order(&[2, 3, 5], 1, None),
            [1, 2, 4, 13, 10, 11, 14, 18, 19, 20],
            "a text stands before what it is of"
        );
    }

    #[test]
    fn where_the_talk_stands_is_told_after_the_past_and_right_before_the_talk() {
        let told = Some(Extent::Whole);
        assert_eq!(order(&[5], 2, told), [1, 2, 4, 13, 14, 17, 0, 18, 19, 20]);
        assert_eq!(order(&[2, 3, 5], 2, told), [1, 2, 4, 13, 10, 11, 14, 17, 0, 18, 19, 20]);
        assert_eq!(order(&[5], 0, told), [1, 2, 4, 14, 0, 18, 19, 20]);
        assert_eq!(order(&[], 0, told), [1, 2, 4, 14, 0, 19, 20], "where nothing was said, after what is pinned");
    }
}
