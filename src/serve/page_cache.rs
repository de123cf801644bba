//! A cache of the report page, remade when the folder changes, at a limited rate.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::watched_experiment::WatchedExperiment;
use crate::report::page::Block;

const PAUSE: Duration = Duration::from_secs(1);
/// The minimum pause as a multiple of the time that the page took, so that a run on this machine is not slowed down.
const SHARE: u32 = 10;
const PANICKED: &str = "this program broke while it made the page; its own messages say where";

/// A page, and the sessions that it loads on demand.
#[derive(Debug)]
pub struct PrintedPage {
    /// The page.
    pub html: String,
    /// The content security policy.
    pub policy: String,
    /// The sessions' blocks, by name.
    pub sessions: BTreeMap<String, Block>,
}

/// Makes the page of an experiment's folder; an error says why it cannot.
pub type PagePrinter = Arc<dyn Fn(&Path) -> Result<PrintedPage, String> + Send + Sync>;

/// The latest page of one experiment.
#[derive(Debug, Default)]
pub struct PageCache(Mutex<Option<CachedPage>>);

#[derive(Debug)]
struct CachedPage {
    /// The look whose state the page shows.
    look: u64,
    /// The earliest time of the next page.
    until: Instant,
    printed: Result<Arc<ServedPage>, String>,
}

/// A page with its entity tag.
#[derive(Debug)]
pub struct ServedPage {
    /// The page.
    pub printed: PrintedPage,
    /// The entity tag, a digest of the page.
    pub tag: String,
}

impl PageCache {
    /// The cached page of an experiment, or a new one. This call blocks.
    ///
    /// # Errors
    /// Why there is no page.
    pub fn current_page(&self, room: &WatchedExperiment, press: &PagePrinter) -> Result<Arc<ServedPage>, String> {
        // Requests that arrive while a page is made wait for it and share it.
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let look = room.refresh_state().look;
        if let Some(made) = made.as_ref().filter(|made| made.look == look || Instant::now() < made.until) {
            return made.printed.clone();
        }
        let begun = Instant::now();
        // A panic counts as a failed page, so that not every request tries again. The unfinished page is dropped.
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
