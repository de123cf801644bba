//! Processes many sessions in parallel and reports outcomes as they arrive.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::scheduler::WorkQueues;

/// The time without outcomes after which `idle` is called.
const IDLE: Duration = Duration::from_millis(100);

/// The pause after outcomes, in which others gather: to wake this thread for each costs as much as a tenth of a short session.
const GATHERING: Duration = Duration::from_millis(2);

/// Runs `work` for each item on `jobs` threads. Calls `done` with each outcome and its item's position, in order of completion.
/// Starts no item once `stop` is set. Calls `idle` ten times a second while no outcome arrives.
pub fn process_items<I: Sync, O: Send>(
    items: &[I],
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(&I) -> O + Sync,
    done: impl FnMut(usize, O),
    idle: impl Fn(),
) {
    process_queues((items, &WorkQueues::single_queue(items.len())), jobs, stop, |item, _| work(item), done, idle);
}

/// Runs `work` for each item on `jobs` threads and returns the outcomes in the order of the items.
pub fn map_items<I: Sync, O: Send>(items: &[I], jobs: usize, work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let mut outcomes: Vec<Option<O>> = items.iter().map(|_| None).collect();
    let never = AtomicBool::new(false);
    process_items(items, jobs, &never, work, |place, outcome| outcomes[place] = Some(outcome), || ());
    outcomes.into_iter().map(|outcome| outcome.expect("invariant: every item is processed")).collect()
}

/// Like `process_items`, in the order of the queues. `work` also gets the number of items started before.
pub fn process_queues<I: Sync, O: Send>(
    (items, lines): (&[I], &WorkQueues),
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(&I, usize) -> O + Sync,
    mut done: impl FnMut(usize, O),
    idle: impl Fn(),
) {
    let (sender, receiver) = mpsc::sync_channel(1024);
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(turn) = lines.next_turn() else { break };
                    let outcome = (turn.place, work(&items[turn.place], turn.number));
                    drop(turn);
                    if sender.send(outcome).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(IDLE) {
                Ok((place, outcome)) => {
                    done(place, outcome);
                    receiver.try_iter().for_each(|(place, outcome)| done(place, outcome));
                    let_gather(GATHERING);
                }
                Err(RecvTimeoutError::Timeout) => idle(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "no outcome depends on how long this thread waits")]
fn let_gather(time: Duration) {
    thread::sleep(time);
}

/// The number of cores, the default for `--jobs`.
pub fn core_count() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
