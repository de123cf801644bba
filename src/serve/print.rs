//! The report's page as it is served: made anew when the folder changed, and not more often than its making allows.
//!
//! What stands on it is made elsewhere.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::room::WatchedExperiment;
use crate::report::page::Block;

/// A page is not made again sooner.
const PAUSE: Duration = Duration::from_secs(1);
/// Nor sooner than after so many times what its making took: a run beside it has the machine for the rest.
const SHARE: u32 = 10;
/// Why there is no page when its making panicked.
const PANICKED: &str = "this program broke while it made the page; its own messages say where";

/// A page, and the sessions that it asks for one by one.
#[derive(Debug)]
pub struct PrintedPage {
    /// The page.
    pub html: String,
    /// What the page may do, as a content security policy.
    pub policy: String,
    /// The sessions' pieces by name.
    pub sessions: BTreeMap<String, Block>,
}

/// Makes the page of an experiment's folder, or says why it cannot.
pub type PagePrinter = Arc<dyn Fn(&Path) -> Result<PrintedPage, String> + Send + Sync>;

/// The page of one experiment as it was made last.
#[derive(Debug, Default)]
pub struct PageCache(Mutex<Option<CachedPage>>);

#[derive(Debug)]
struct CachedPage {
    /// Of the folder as it was at this look.
    look: u64,
    /// Not made again before.
    until: Instant,
    printed: Result<Arc<ServedPage>, String>,
}

/// A page that was made, with what tells it from others.
#[derive(Debug)]
pub struct ServedPage {
    /// The page.
    pub printed: PrintedPage,
    /// Its digest, as an entity tag.
    pub tag: String,
}

impl PageCache {
    /// The page of an experiment: the one that was made last, or a new one. It may take a while, and so belongs on a thread that may wait.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn current_page(&self, room: &WatchedExperiment, press: &PagePrinter) -> Result<Arc<ServedPage>, String> {
        // Who comes while a page is made waits for it and has it, too.
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let look = room.refresh_state().look;
        if let Some(made) = made.as_ref().filter(|made| made.look == look || Instant::now() < made.until) {
            return made.printed.clone();
        }
        let begun = Instant::now();
        // What is half made when the press panics is dropped with it; that it did is kept, so that it is not tried at every request.
        let pressed = catch_unwind(AssertUnwindSafe(|| press(&room.folder)));
        let printed = pressed.unwrap_or_else(|_| Err(PANICKED.to_owned())).map(|printed| {
            let tag = format!("\"{}\"", blake3::hash(printed.html.as_bytes()).to_hex());
            Arc::new(ServedPage { printed, tag })
        });
        let ended = Instant::now();
        let until = ended + PAUSE.max((ended - begun) * SHARE);
        *made = Some(CachedPage { look, until, printed: printed.clone() });
        printed
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_page_whose_making_panics_is_not_tried_at_every_request() {
        let place = tempfile::tempdir().unwrap();
        let room = WatchedExperiment::new(place.path().to_owned());
        let tries = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&tries);
        let press: PagePrinter = Arc::new(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            panic!("no page")
        });
        for _ in 0..3 {
            assert_eq!(room.print.current_page(&room, &press).unwrap_err(), PANICKED);
        }
        assert_eq!(tries.load(Ordering::SeqCst), 1);
    }
}
