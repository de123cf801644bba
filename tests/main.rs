//! All tests of the whole program and of the library from outside, as one program: it is linked once, and its tests share the
//! processors to the last.

mod fixtures;

#[cfg(unix)]
mod docs;
mod engine;
mod memory;
mod minds;
mod models;
mod plan;
mod results;
mod shown;
