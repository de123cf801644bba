//! The proof for marked statements: each stands in the memories of the seats for which it was marked, in the words in which they
//! heard it, and goes with what they forget.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::own::PINNED;
use super::{Leak, Visibility};
use crate::domain::{EntryKind, Event, MemoryAct, Motion, PhaseName, Query, Record, SeatName, Seq, Voice};
use crate::memory::{MemoryPlan, guidance, notice};
use crate::plan::Plan;

/// What was marked for whom, from the records alone.
#[derive(Debug, Clone)]
pub(super) struct Marks {
    motion: Arc<Motion>,
    memory: MemoryPlan,
    /// By seat what it was not made to forget since, by the record that marked it.
    kept: Vec<BTreeMap<Seq, MarkAccount>>,
    /// By seat the records that marked what it was made to forget.
    forgotten: Vec<BTreeSet<Seq>>,
}

/// One marked statement.
#[derive(Debug, Clone)]
struct MarkAccount {
    /// The statement's record.
    of: Seq,
    phase: PhaseName,
    by: Voice,
}

impl Marks {
    /// Nothing was marked yet.
    pub fn new(plan: &Plan) -> Self {
        let (kept, forgotten) = (vec![BTreeMap::new(); plan.seats.len()], vec![BTreeSet::new(); plan.seats.len()]);
        Self { motion: Arc::clone(&plan.motion), memory: plan.memory, kept, forgotten }
    }

    /// What the group decides.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }
}

impl Visibility {
    /// Takes down what is marked, and what of it is to be forgotten.
    pub(super) fn witness_mark(&mut self, record: &Record) {
        match &record.event {
            Event::Marked { to, by, phase, of: Some(of), .. } => {
                let mark = MarkAccount { of: *of, phase: phase.clone(), by: *by };
                for seat in
                    self.places_of(to).into_iter().filter(|seat| self.has_heard(*seat, mark.of)).collect::<Vec<_>>()
                {
                    self.marks.kept[seat].insert(record.seq, mark.clone());
                }
            }
            Event::Reminded { to, act: MemoryAct::Forget { phase }, .. } => {
                for seat in self.places_of(to) {
                    let is_lost = |mark: &MarkAccount| phase.as_ref().is_none_or(|phase| mark.phase == *phase);
                    let kept = std::mem::take(&mut self.marks.kept[seat]);
                    let (lost, kept) = kept.into_iter().partition::<BTreeMap<_, _>, _>(|(_, mark)| is_lost(mark));
                    self.marks.kept[seat] = kept;
                    if !lost.is_empty() {
                        // What stands behind a mark that goes moves up.
                        self.own[seat][PINNED].retain(|owned| !lost.contains_key(&owned.seq()));
                        self.checked_own[seat][PINNED] = Default::default();
                        self.marks.forgotten[seat].extend(lost.into_keys());
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn places_of(&self, to: &[SeatName]) -> Vec<usize> {
        match to {
            [] => (0..self.seats.len()).collect(),
            to => to.iter().filter_map(|name| self.seats.get_index_of(name)).collect(),
        }
    }

    /// Whether what a seat says is pinned by its own marks.
    pub(super) fn pins_statement(&self, record: &Record) -> bool {
        matches!(&record.event, Event::Spoke { marks, .. } if self.marks.memory.pins_statement(marks))
    }

    /// Whether the remark of a place on the floor is among the pinned ones that a question shows.
    pub(super) fn shows_pinned(&self, query: &Query<'_>, place: usize) -> bool {
        let number = self.heard.group_of(query.seat.index()).places[2].binary_search(&(place as u32));
        number.is_ok_and(|number| number < query.shown.pinned_remarks as usize)
    }

    /// Checks what is shown as marked.
    ///
    /// # Errors
    /// [`Leak`] where it was not marked for the seat, was to be forgotten, or was not said so.
    pub(super) fn check_marked(&self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let seat = query.seat.index();
        for entry in query.brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Marked) {
            let Some(mark) = self.marks.kept[seat].get(&entry.seq) else {
                let was_marked = self.marks.forgotten[seat].contains(&entry.seq);
                return leak(entry.seq, if was_marked { "which it was to forget" } else { "which is not its own" });
            };
            if self.quote_statement(query, mark).as_ref() != Some(&entry.text) {
                return leak(entry.seq, "which was not said so");
            }
        }
        Ok(())
    }

    /// A marked statement as its seats are to read it; `None` where nobody has heard it so.
    fn quote_statement(&self, query: &Query<'_>, mark: &MarkAccount) -> Option<String> {
        let floor = &self.heard.group_of(query.seat.index()).floor;
        let place = floor.binary_search_by_key(&mark.of, |said| said.seq).ok()?;
        let (said, remark) = (&floor[place], query.brief.remarks.floor.get(place)?);
        let speaker = said.speaker.filter(|speaker| remark.speaker.is_some_and(|seat| seat.index() == *speaker))?;
        let is_so = said.text == blake3::hash(remark.text.as_bytes())
            && (said.stance, said.opinion) == (remark.stance, remark.opinion);
        let line = is_so.then(|| {
            guidance::remark_line(
                (remark, &guidance::kept_text(remark)),
                &self.public_names[speaker],
                self.marks.memory.guidance_style,
                &self.marks.motion,
            )
        });
        line.map(|line| notice::marked_line(&line, mark.by, self.marks.motion.language))
    }
}
