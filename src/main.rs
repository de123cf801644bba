//! The program: nothing but the way into the library.

fn main() {}
