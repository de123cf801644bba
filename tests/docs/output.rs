//! Whether what a program printed is what a page shows.
//!
//! The rule: runs of blanks are one blank; a number before `s`, `ms`, `kB`, `MB` or `GB` is any number; `b3:…` is any
//! digest; the version of the program is any version. A line of `…` alone stands for any lines, also none, and a line that
//! ends in `…` for any line that begins so.

/// Why a page's text is not what was printed; `None` when it is.
pub fn difference(shown: &str, printed: &str) -> Option<String> {
    let shown: Vec<String> = lines(shown);
    let printed: Vec<String> = lines(printed);
    if matches(&shown, &printed) {
        return None;
    }
    let pairs = shown.iter().zip(&printed).position(|(one, other)| !line_matches(one, other));
    let first = pairs.unwrap_or(shown.len().min(printed.len()));
    let at = |lines: &[String]| lines.get(first).cloned().unwrap_or_else(|| "(nothing more)".to_owned());
    Some(format!("shown:   {}\n    printed: {}", at(&shown), at(&printed)))
}

fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(line, after)| line_matches(first, line) && matches(rest, after))
        }
    }
}

fn line_matches(shown: &str, printed: &str) -> bool {
    shown == printed || shown.strip_suffix('…').is_some_and(|begin| printed.starts_with(begin.trim_end()))
}

/// The lines without what may differ between two equal runs; blank ones at the end are dropped.
fn lines(text: &str) -> Vec<String> {
    text.trim_end().lines().map(plain).collect()
}

fn plain(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let plain = words.iter().enumerate().map(|(place, word)| {
        let next = words.get(place + 1).map_or("", |next| next.trim_end_matches([',', ';', '.', ':', ')']));
        let is_number = word.trim_start_matches('(').parse::<f64>().is_ok();
        match *word {
            word if word.starts_with("b3:") => "b3:…",
            _ if is_number && ["s", "ms", "kB", "MB", "GB"].contains(&next) => "0",
            env!("CARGO_PKG_VERSION") => "0.0.0",
            word => word,
        }
    });
    plain.collect::<Vec<_>>().join(" ")
}
