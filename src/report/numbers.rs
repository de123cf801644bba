//! Numbers in words: counts of things, thousands set apart, and sizes of files.

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
