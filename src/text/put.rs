//! Formatted text at the end of a string.

use crate::text::{put, put_line};

/// Appends formatted text to a `String`, which takes every character.
macro_rules! put {
    ($out:expr, $($text:tt)+) => {{
                put!($out, $($text)+)
    }};
}

/// The same with a line end behind it.
macro_rules! put_line {
    ($out:expr) => { $crate::text::put!($out, "\n") };
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        put_line!($out, $($text)+)
    }};
}

pub(crate) use {put, put_line};
