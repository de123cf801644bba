//! Which session starts next, and how many run at once, so that every model server has as many calls as it may take.
//!
//! A session waits for its model far more than it computes, and puts some of its questions one by one. So more sessions run than
//! a server takes calls; the others are between two calls. Sessions that call the same models wait in one line, and the line with
//! the least under way for its share sends the next session. So a slow server's sessions do not take the places of a fast
//! server's. Nothing runs here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pool;
use crate::plan::{Experiment, Plan, PlannedSession};

/// No more sessions are worked on at once: each has a thread and two files.
const JOBS_MAX: usize = 1024;

/// Sessions at once, for `--jobs` left out: for each line as many as its share.
pub fn jobs_for(experiment: &Experiment) -> usize {
    let shares: BTreeMap<Vec<&str>, usize> =
        experiment.arms.iter().map(|plan| (models_of(plan), queue_share(plan))).collect();
    shares.values().sum::<usize>().clamp(1, JOBS_MAX)
}

/// The models that a session calls, by their names in the config.
fn models_of(plan: &Plan) -> Vec<&str> {
    let mut models: Vec<&str> = plan.models_asked().map(|place| plan.models[place].name.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    models
}

/// How many sessions like this keep its busiest model's calls under way, some of them being between two calls; of simulated
/// ones, a core each.
fn queue_share(plan: &Plan) -> usize {
    let calls = plan.models_asked().map(|place| plan.models[place].concurrency).max();
    calls.map_or_else(pool::core_count, |calls| calls + calls.div_ceil(4))
}

/// Items that wait in lines. The line that has the least under way, for its share, sends the next; so that what waits for one
/// service does not take the places of what another could do meanwhile.
pub struct WorkQueues {
    queue: Mutex<WorkQueuesState>,
}

struct WorkQueuesState {
    lines: Vec<WorkQueue>,
    /// How many items were sent.
    sent: usize,
}

struct WorkQueue {
    /// The positions of its items that are not begun.
    waiting: VecDeque<usize>,
    under_way: usize,
    share: usize,
}

/// An item's turn; over when it is dropped.
pub struct WorkTurn<'l> {
    lines: &'l WorkQueues,
    line: usize,
    place: usize,
    number: usize,
}

impl WorkQueues {
    /// One line, in order.
    pub fn single_queue(items: usize) -> Self {
        Self::new(std::iter::repeat_n(0, items), &[1])
    }

    /// Sessions that call the same models wait in one line.
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

    /// The line of each item, and the share of each line.
    ///
    /// # Panics
    /// When an item stands in a line without a share.
    fn new(line_of: impl Iterator<Item = usize>, shares: &[usize]) -> Self {
        let line = |share: &usize| WorkQueue { waiting: VecDeque::new(), under_way: 0, share: (*share).max(1) };
        let mut lines: Vec<WorkQueue> = shares.iter().map(line).collect();
        for (place, line) in line_of.enumerate() {
            lines.get_mut(line).expect("invariant: a line has a share").waiting.push_back(place);
        }
        Self { queue: Mutex::new(WorkQueuesState { lines, sent: 0 }) }
    }

    /// The next turn; of lines that have as much under way, that of the item that comes first.
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

impl WorkTurn<'_> {
    /// The item's position.
    pub fn place(&self) -> usize {
        self.place
    }

    /// How many items were sent before it.
    pub fn number(&self) -> usize {
        self.number
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
