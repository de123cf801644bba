//! Numbers in words: counts of things, thousands set apart, and sizes of files.

use crate::analysis::statistics::{Interval, Resampling, StreamKey, mean_interval, wilson_interval};

/// The number of random sign patterns of an interval, if there are too many to enumerate; the same number as in `compare`.
const FLIPS: u32 = 10_000;

/// The 95 % interval of a mean over sessions, by inversion of the sign-flip test. The experiment's seed determines the sign flips.
pub(super) fn sign_flip_interval(values: &[f64], seed: u64) -> Option<Interval> {
    mean_interval(values, &StreamKey::of_design(seed), FLIPS, Resampling::all_ranges)
}

/// A number of things: `1 session`, `2 000 sessions`.
pub fn counted(value: u64, thing: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(value))
}

/// A whole number with a space between thousands.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// How many decisions were of a kind, as a share with Wilson's interval: `3 of 4 decisions: 75 % (95 % 30 – 95)`.
pub(super) fn share_of_decisions(part: u64, decisions: u64) -> String {
    let share = wilson_interval(part, decisions).map_or(String::new(), |Interval { low, high }| {
        let share = part as f64 / decisions as f64;
        format!(": {:.0} % (95 % {:.0} – {:.0})", 100.0 * share, 100.0 * low, 100.0 * high)
    });
    format!("{} of {}{share}", grouped(part), counted(decisions, "decision"))
}

/// A number without the zeros at the end of its decimals.
pub(super) fn trim_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// A size of files, in the largest unit of which it has one or more; of less than ten of them to a tenth.
pub fn size(bytes: u64) -> String {
    let Some((unit, name)) = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        .into_iter()
        .find(|(unit, _)| bytes >= *unit)
    else {
        return counted(bytes, "byte");
    };
    // Rounded down to tenths, so that no size reads as more than there is.
    match (bytes / unit, bytes % unit * 10 / unit) {
        (whole, 1..) if whole < 10 => format!("{whole}.{} {name}", bytes % unit * 10 / unit),
        (whole, _) => format!("{} {name}", grouped(whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_told_in_the_unit_it_fills() {
        for (bytes, words) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1 kB"),
            (23_000, "23 kB"),
            (999_999, "999 kB"),
            (2_450_000, "2.4 MB"),
            (25_252_000, "25 MB"),
            (7_000_000_000, "7 GB"),
            (3_000_000_000_000_000, "3 000 TB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(["0", "999", "1 840", "1 000 000"].map(str::to_owned), [0, 999, 1840, 1_000_000].map(grouped));
    }
}
