//! All tests of the whole program and of the library from outside, as one program, which is linked once and whose
//! tests run in parallel until the end.

mod fixtures;

#[cfg(unix)]
mod docs;
mod engine;
mod memory;
mod minds;
mod models;
mod oracle;
mod plan;
mod results;
mod shown;
