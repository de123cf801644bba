//! Works on many sessions at once and hands their outcomes over as they come.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::lines::WorkQueues;

/// How long nothing may come before `idle` is called.
const IDLE: Duration = Duration::from_millis(100);

/// Does `work` for each of `items` on `jobs` threads; `done` sees each outcome, in the order of completion, with the
/// position of its item. No further item is begun once `stop` is set. While nothing comes, `idle` is called ten times a
/// second.
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

/// The same, in the order in which their lines send them; `work` is told how many were sent before.
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
                    let outcome = (turn.place(), work(&items[turn.place()], turn.number()));
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
                Ok((place, outcome)) => done(place, outcome),
                Err(RecvTimeoutError::Timeout) => idle(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
}

/// The number of cores, for `--jobs` left out.
pub fn core_count() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
