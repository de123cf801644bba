//! Macros that append formatted text to a string.

/// Appends formatted text to a `String`.
macro_rules! put {
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        write!($out, $($text)+).expect("invariant: a string takes every character")
    }};
}

/// Appends formatted text and a line end to a `String`.
macro_rules! put_line {
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        writeln!($out, $($text)+).expect("invariant: a string takes every character")
    }};
}

pub(crate) use {put, put_line};
