//! `run --draws FILE`: lists the random streams of a run, to compare two versions of the program draw by draw.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use crate::chance::{OpenedStream, observe_streams};
use crate::store::files::{FileError, write_whole};

/// First eight bytes of the seed (hex), purpose, phase, round, turn, step, seat, attempt, item, first 64 bits (hex).
type DrawRow = (String, &'static str, String, u32, u32, &'static str, String, u8, u32, String);

const HEADER: [&str; 10] = ["seed", "purpose", "phase", "round", "turn", "step", "seat", "attempt", "item", "bits"];

/// The streams opened so far, without duplicates and independent of thread order.
static OPENED: Mutex<BTreeSet<DrawRow>> = Mutex::new(BTreeSet::new());

/// Starts to collect streams.
pub(super) fn collect_streams() {
    observe_streams(add_stream);
}

fn add_stream(stream: &OpenedStream<'_>) {
    let seed = stream.seed[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let at = stream.at;
    let row = (
        seed,
        stream.purpose.as_str(),
        at.phase.as_str().to_owned(),
        at.round,
        at.turn,
        at.step.as_str(),
        stream.seat.to_owned(),
        stream.attempt,
        stream.item,
        format!("{:016x}", stream.first),
    );
    OPENED.lock().expect("invariant: no thread panics while it adds a stream").insert(row);
}

/// Writes the collected streams to a CSV file, sorted.
pub(super) fn write_streams(path: &Path) -> Result<(), FileError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEADER).expect("invariant: memory can be written to");
    for row in OPENED.lock().expect("invariant: no thread panics while it adds a stream").iter() {
        table.serialize(row).expect("invariant: memory can be written to");
    }
    write_whole(path, &table.into_inner().expect("invariant: memory can be written to"))
}
