//! Ctrl-C: the first stops a run so that it can resume, the second exits at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::exit::Refusal;

/// Installs the handler and returns the flag that it sets.
pub fn watch_ctrl_c() -> Result<Arc<AtomicBool>, Refusal> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            #[expect(
                clippy::exit,
                reason = "a second Ctrl-C leaves at once; minutes and calls are made to be cut anywhere"
            )]
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Refusal::machine_failure(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Sets the flag when stdin ends. Ignores all input.
pub fn watch_stdin(stop: Arc<AtomicBool>) {
    thread::spawn(move || {
        // A read error also ends the input.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        stop.store(true, Ordering::SeqCst);
    });
}
