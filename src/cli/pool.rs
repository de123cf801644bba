//! Works on many sessions at once and hands their outcomes over as they come.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long nothing may come before `idle` is called.
const IDLE: Duration = Duration::from_millis(100);

/// Does `work` for each of `items` on `jobs` threads; `done` sees each outcome, in the order of completion, with the
/// position of its item. No further item is begun once `stop` is set. While nothing comes, `idle` is called ten times a
/// second.
pub fn each<I: Sync, O: Send>(
    items: &[I],
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(&I) -> O + Sync,
    mut done: impl FnMut(usize, O),
    idle: impl Fn(),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::sync_channel(1024);
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(place) else { break };
                    if sender.send((place, work(item))).is_err() {
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
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
