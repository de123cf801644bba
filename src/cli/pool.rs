//! Works on many sessions at once and hands their outcomes over as they come.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does `work` for each of `items` on `jobs` threads; `done` sees each outcome, in the order of completion, with the
/// position of its item. No further item is begun once `stop` is set.
pub fn each<I: Sync, O: Send>(
    items: &[I],
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(&I) -> O + Sync,
    mut done: impl FnMut(usize, O),
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
        for (place, outcome) in receiver {
            done(place, outcome);
        }
    });
}

/// The number of cores, for `--jobs` left out.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
