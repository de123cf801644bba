//! Formatted text at the end of a string.

/// Appends formatted text to a `String`, which takes every character.
macro_rules! put {
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        write!($out, $($text)+).expect("invariant: a string takes every character")
    }};
}

/// The same with a line end behind it.
macro_rules! put_line {
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        writeln!($out, $($text)+).expect("invariant: a string takes every character")
    }};
}

pub(crate) use {put, put_line};
