//! PrefLib's files of ranked ballots, read and written: `.soc`, `.soi`, `.toc`, `.toi`, with header lines that begin with `#`.
//!
//! Alternatives are numbered from 1 there and from 0 here. Source: Mattei and Walsh 2013, "PrefLib: a library for preferences", and
//! the format of preflib.org since 2022. Nothing is counted here.

use std::fmt::Write;

use crate::choice::ranked::{Preferences, Ranking};

/// Ranked ballots with the names of what they rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Election {
    /// What the file calls itself; empty where it does not.
    pub title: String,
    /// The alternatives' names, in the file's order.
    pub names: Vec<String>,
    /// The ballots.
    pub preferences: Preferences,
}

/// What is wrong with a file, and in which line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line; 0 where it is the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// How many alternatives a file may have.
const ALTERNATIVES_MAX: usize = 10_000;

/// Reads a file.
///
/// # Errors
/// [`Malformed`] where a line is not what the format says, or numbers of the header do not agree with the ballots.
pub fn parse(text: &str) -> Result<Election, Malformed> {
    let mut header = Header::default();
    let mut ballots = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let wrong = |reason: String| Malformed { line: at + 1, reason };
        let line = line.trim().trim_start_matches('\u{feff}');
        match line.strip_prefix('#') {
            _ if line.is_empty() => {}
            Some(said) => header.take(said).map_err(wrong)?,
            None => {
                let alternatives = header.alternatives.ok_or_else(|| wrong(NO_HEADER.to_owned()))?;
                ballots.push(ballot(line, alternatives).map_err(wrong)?);
            }
        }
    }
    let whole = |reason: String| Malformed { line: 0, reason };
    let alternatives = header.alternatives.ok_or_else(|| whole(NO_HEADER.to_owned()))?;
    let names = header.names.into_iter().enumerate();
    let names = names.map(|(place, name)| name.unwrap_or_else(|| (place + 1).to_string())).collect();
    let voters: u64 = ballots.iter().map(|(_, weight)| *weight).sum();
    if let Some(said) = header.voters.filter(|said| *said != voters) {
        return Err(whole(format!("the header says {said} voters, the ballots are of {voters}")));
    }
    Ok(Election { title: header.title, names, preferences: Preferences::new(alternatives, ballots) })
}

const NO_HEADER: &str = "there is no line `# NUMBER ALTERNATIVES: …` before the ballots; it is no PrefLib file, or one of before 2022, which preflib.org has in the new form";

#[derive(Default)]
struct Header {
    title: String,
    alternatives: Option<usize>,
    voters: Option<u64>,
    names: Vec<Option<String>>,
}

impl Header {
    fn take(&mut self, said: &str) -> Result<(), String> {
        let Some((key, value)) = said.split_once(':') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        let number = || value.parse::<u64>().map_err(|_| format!("`{key}` is to be a whole number, found {value:?}"));
        match key {
            "TITLE" => self.title = value.to_owned(),
            "NUMBER ALTERNATIVES" => {
                let number = usize::try_from(number()?).unwrap_or(usize::MAX);
                if !(1..=ALTERNATIVES_MAX).contains(&number) {
                    return Err(format!("{number} alternatives are outside 1 … {ALTERNATIVES_MAX}"));
                }
                self.alternatives = Some(number);
                self.names = vec![None; number];
            }
            "NUMBER VOTERS" => self.voters = Some(number()?),
            _ => {
                let Some(place) = key.strip_prefix("ALTERNATIVE NAME") else { return Ok(()) };
                let place = place.trim().parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                let most = self.names.len();
                let name = place.and_then(|place| self.names.get_mut(place));
                *name.ok_or_else(|| format!("`{key}` names no alternative from 1 to {most}"))? = Some(value.to_owned());
            }
        }
        Ok(())
    }
}

/// A line `3: 4,{1,3},2`.
fn ballot(line: &str, alternatives: usize) -> Result<(Ranking, u64), String> {
    let shape = || format!("a ballot is a count, a colon and an order, as in `3: 1,{{2,3}}`; found {line:?}");
    let (weight, order) = line.split_once(':').ok_or_else(shape)?;
    let weight: u64 = weight.trim().parse().map_err(|_| shape())?;
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let mut is_open = false;
    let mut named = vec![false; alternatives];
    for word in tokens(order) {
        match word {
            "{" if !is_open => {
                levels.push(Vec::new());
                is_open = true;
            }
            "}" if is_open => is_open = false,
            "," => {}
            number => {
                let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).ok_or_else(shape)?;
                match named.get_mut(place) {
                    None => return Err(format!("{number} is no alternative; there are {alternatives}")),
                    Some(true) => return Err(format!("{number} stands on the ballot twice")),
                    Some(named) => *named = true,
                }
                match levels.last_mut().filter(|_| is_open) {
                    Some(level) => level.push(place),
                    None => levels.push(vec![place]),
                }
            }
        }
    }
    if is_open {
        return Err(shape());
    }
    Ok((Ranking::of_levels(alternatives, &levels), weight))
}

/// Braces, commas and what stands between.
fn tokens(order: &str) -> impl Iterator<Item = &str> {
    let cut = order.split_inclusive(['{', '}', ',']).flat_map(|piece| {
        let end = piece.len() - usize::from(piece.ends_with(['{', '}', ',']));
        [&piece[..end], &piece[end..]]
    });
    cut.map(str::trim).filter(|word| !word.is_empty())
}

/// Writes a file whose bytes follow from its content alone: most frequent orders first, then by order.
pub fn print(election: &Election, file_name: &str) -> String {
    let preferences = &election.preferences;
    let mut text = String::new();
    let mut say = |key: &str, value: &str| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(text, "# {key}: {value}").expect("invariant: a string takes every line");
    };
    say("FILE NAME", file_name);
    say("TITLE", &election.title);
    say("DATA TYPE", extension(preferences));
    say("MODIFICATION TYPE", "original");
    say("NUMBER ALTERNATIVES", &preferences.alternatives().to_string());
    say("NUMBER VOTERS", &preferences.weight().to_string());
    say("NUMBER UNIQUE ORDERS", &preferences.ballots().len().to_string());
    for (place, name) in election.names.iter().enumerate() {
        say(&format!("ALTERNATIVE NAME {}", place + 1), name);
    }
    let mut ballots: Vec<&(Ranking, u64)> = preferences.ballots().iter().collect();
    ballots.sort_by(|(one, weight), (other, heavier)| heavier.cmp(weight).then_with(|| one.cmp(other)));
    for (ballot, weight) in ballots {
        let levels: Vec<String> = ballot.levels().iter().map(|level| written(level)).collect();
        writeln!(text, "{weight}: {}", levels.join(",")).expect("invariant: a string takes every line");
    }
    text
}

/// The kind of data, which is also the ending of a file's name: `soc` where every ballot ranks everything strictly, `soi` where some
/// leave something out, `toc` and `toi` the same with ties.
pub fn extension(preferences: &Preferences) -> &'static str {
    let is_tied = preferences.ballots().iter().any(|(ballot, _)| ballot.levels().iter().any(|level| level.len() > 1));
    let named = |ballot: &Ranking| ballot.levels().iter().map(Vec::len).sum::<usize>();
    let is_complete = preferences.ballots().iter().all(|(ballot, _)| named(ballot) == preferences.alternatives());
    match (is_tied, is_complete) {
        (false, true) => "soc",
        (false, false) => "soi",
        (true, true) => "toc",
        (true, false) => "toi",
    }
}

fn written(level: &[usize]) -> String {
    let numbers: Vec<String> = level.iter().map(|one| (one + 1).to_string()).collect();
    if numbers.len() == 1 { numbers.concat() } else { format!("{{{}}}", numbers.join(",")) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// In the form of preflib.org; the orders are those of Tennessee.
    const TENNESSEE: &str = "# FILE NAME: tennessee.soc\n# TITLE: Capital: of Tennessee\n# DATA TYPE: soc\n\
        # NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 100\n# NUMBER UNIQUE ORDERS: 4\n# ALTERNATIVE NAME 1: Memphis\n\
        # ALTERNATIVE NAME 2: Nashville\n# ALTERNATIVE NAME 3: Chattanooga\n# ALTERNATIVE NAME 4: Knoxville\n\
        42: 1,2,3,4\n26: 2,3,4,1\n15: 3,4,2,1\n17: 4,3,2,1\n";

    #[test]
    fn a_file_is_read_with_its_names_and_weights() {
        let election = parse(TENNESSEE).unwrap();
        assert_eq!(election.title, "Capital: of Tennessee");
        assert_eq!(election.names, ["Memphis", "Nashville", "Chattanooga", "Knoxville"]);
        assert_eq!((election.preferences.weight(), election.preferences.ballots().len()), (100, 4));
        assert_eq!(extension(&election.preferences), "soc");
    }

    #[test]
    fn what_is_no_such_file_is_told_with_its_line() {
        for (text, line, words) in [
            ("4\n1, A\n", 1, "no line `# NUMBER ALTERNATIVES"),
            ("", 0, "no line `# NUMBER ALTERNATIVES"),
            ("# NUMBER ALTERNATIVES: 0\n", 1, "0 alternatives are outside"),
            ("# NUMBER ALTERNATIVES: many\n", 1, "whole number"),
            ("# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 3: C\n", 2, "no alternative from 1 to 2"),
            ("# NUMBER ALTERNATIVES: 2\n1: 1,3\n", 2, "3 is no alternative; there are 2"),
            ("# NUMBER ALTERNATIVES: 2\n1: 0\n", 2, "a ballot is a count"),
            ("# NUMBER ALTERNATIVES: 2\n1: 1,1\n", 2, "1 stands on the ballot twice"),
            ("# NUMBER ALTERNATIVES: 2\n1: {1,2\n", 2, "a ballot is a count"),
            ("# NUMBER ALTERNATIVES: 2\n-1: 1\n", 2, "a ballot is a count"),
            ("# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 3\n2: 1\n", 0, "says 3 voters, the ballots are of 2"),
        ] {
            let malformed = parse(text).unwrap_err();
            assert!(malformed.line == line && malformed.reason.contains(words), "{text:?}: {malformed:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            ballots in prop::collection::vec((prop::collection::vec(0_usize..5, 4), 1_u64..9), 1..9), title in "[a-z:#]{0,9}",
        ) {
            let ballots = ballots.into_iter().map(|(levels, weight)| {
                let level = |level: usize| (0..4).filter(|one| levels[*one] == level).collect::<Vec<_>>();
                (Ranking::of_levels(4, &(0..4).map(level).collect::<Vec<_>>()), weight)
            });
            let preferences = Preferences::new(4, ballots.collect::<Vec<_>>());
            let names = ["a", "b: c", "# d", "{e}"].map(str::to_owned).to_vec();
            let election = Election { title, names, preferences };
            let text = print(&election, "any.toi");
            prop_assert_eq!(parse(&text).unwrap(), election, "{}", text);
        }
    }
}
