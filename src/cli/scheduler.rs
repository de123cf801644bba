//! Decides which session starts next and how many run at once, to keep every model server busy.
//!
//! Sessions wait for their model most of the time, so more sessions run than a server takes calls. Sessions that call the same
//! models share a queue. The queue with the least work under way, relative to its share, starts the next session. So a slow
//! server does not hold up a fast one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pool;
use crate::plan::{Experiment, Plan, PlannedSession};

/// The most sessions at once: each needs a thread and two files.
const JOBS_MAX: usize = 1024;

/// The default for `--jobs`: the sum of the queues' shares.
pub fn jobs_for(experiment: &Experiment) -> usize {
    let shares: BTreeMap<Vec<&str>, usize> =
        experiment.arms.iter().map(|plan| (models_of(plan), queue_share(plan))).collect();
    shares.values().sum::<usize>().clamp(1, JOBS_MAX)
}

/// The names of the models that a session calls, sorted.
fn models_of(plan: &Plan) -> Vec<&str> {
    let mut models: Vec<&str> = plan.models_asked().map(|place| plan.models[place].name.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    models
}

/// The number of sessions that keep a plan's busiest model busy, with a quarter more for pauses between calls. Simulated plans
/// get one per core.
fn queue_share(plan: &Plan) -> usize {
    let calls = plan.models_asked().map(|place| plan.models[place].concurrency).max();
    calls.map_or_else(pool::core_count, |calls| calls + calls.div_ceil(4))
}

/// Queues of work items. The queue with the least work under way, relative to its share, goes next.
pub struct WorkQueues {
    queue: Mutex<WorkQueuesState>,
}

struct WorkQueuesState {
    lines: Vec<WorkQueue>,
    sent: usize,
}

struct WorkQueue {
    /// The positions of items that have not started.
    waiting: VecDeque<usize>,
    under_way: usize,
    share: usize,
}

/// An item's turn, which ends on drop.
pub struct WorkTurn<'l> {
    lines: &'l WorkQueues,
    line: usize,
    /// The item's position.
    pub place: usize,
    /// The number of items started before it.
    pub number: usize,
}

impl WorkQueues {
    /// One queue that keeps the order of its items.
    pub fn single_queue(items: usize) -> Self {
        Self::new(std::iter::repeat_n(0, items), &[1])
    }

    /// One queue for each set of models.
    pub fn for_sessions(sessions: &[PlannedSession]) -> Self {
        let mut known: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut shares = Vec::new();
        let lines: Vec<usize> = sessions
            .iter()
            .map(|session| {
                *known.entry(models_of(&session.arm)).or_insert_with(|| {
                    shares.push(queue_share(&session.arm));
                    shares.len() - 1
                })
            })
            .collect();
        Self::new(lines.into_iter(), &shares)
    }

    /// Builds queues from each item's queue and each queue's share.
    ///
    /// # Panics
    /// When an item's queue has no share.
    fn new(line_of: impl Iterator<Item = usize>, shares: &[usize]) -> Self {
        let line = |share: &usize| WorkQueue { waiting: VecDeque::new(), under_way: 0, share: (*share).max(1) };
        let mut lines: Vec<WorkQueue> = shares.iter().map(line).collect();
        for (place, line) in line_of.enumerate() {
            lines.get_mut(line).expect("invariant: a line has a share").waiting.push_back(place);
        }
        Self { queue: Mutex::new(WorkQueuesState { lines, sent: 0 }) }
    }

    /// The next turn. If queues are equally busy, the earliest item goes first.
    pub fn next_turn(&self) -> Option<WorkTurn<'_>> {
        let WorkQueuesState { lines, sent } = &mut *self.lock_queues();
        let waiting = lines.iter().enumerate().filter_map(|(at, line)| Some((at, line, *line.waiting.front()?)));
        let least = waiting.min_by(|(_, one, first), (_, other, second)| {
            (one.under_way * other.share).cmp(&(other.under_way * one.share)).then(first.cmp(second))
        });
        let (at, _, place) = least?;
        lines[at].waiting.pop_front();
        lines[at].under_way += 1;
        *sent += 1;
        Some(WorkTurn { lines: self, line: at, place, number: *sent - 1 })
    }

    fn lock_queues(&self) -> MutexGuard<'_, WorkQueuesState> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WorkTurn<'_> {
    fn drop(&mut self) {
        self.lines.lock_queues().lines[self.line].under_way -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_slow_leaves_the_places_of_another_to_it() {
        // Items of two services by turns; those of the first never end.
        let lines = WorkQueues::new((0..12).map(|place| place % 2), &[2, 2]);
        let mut kept: Vec<WorkTurn<'_>> = Vec::new();
        let mut begun = Vec::new();
        for _ in 0..10 {
            let turn = lines.next_turn().expect("items wait");
            begun.push(turn.place);
            if turn.line == 0 {
                kept.push(turn);
            }
        }
        // The second line's are all done while no more than two of the first are begun before it is empty.
        assert_eq!(begun, [0, 1, 3, 5, 7, 9, 11, 2, 4, 6]);
    }

    #[test]
    fn lines_send_by_their_shares_and_one_line_in_order() {
        let lines = WorkQueues::new((0..12).map(|place| usize::from(place >= 6)), &[1, 2]);
        let turns: Vec<WorkTurn<'_>> = std::iter::from_fn(|| lines.next_turn()).collect();
        let places: Vec<usize> = turns.iter().map(|turn| turn.place).collect();
        assert_eq!(places, [0, 6, 7, 1, 8, 9, 2, 10, 11, 3, 4, 5]);
        let one = WorkQueues::single_queue(3);
        let turns: Vec<WorkTurn<'_>> = std::iter::from_fn(|| one.next_turn()).collect();
        assert_eq!(turns.iter().map(|turn| turn.place).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
