//! Reads and writes PrefLib files: orders in `.soc`, `.soi`, `.toc` and `.toi`, approvals and scores in `.cat`.
//!
//! PrefLib counts alternatives from 1, this program from 0. Source: Mattei and Walsh 2013, "PrefLib: a library for preferences",
//! and the format of preflib.org since 2022. Two header lines are ours, and other readers skip them: `BALLOT FORM: choice` if
//! only first places were asked for, and `NUMBER ABSENT` for the weight of eligible voters who did not vote. A ballot with a
//! weight of 3 is written as three ballots.

mod header;

use crate::choice::ranked::Ranking;
use crate::choice::{Ballots, Bundle, TallyBallot, TallyForm};
use crate::text::{join_lines, put_line};
use header::{Header, PrefLibCategories};

/// The file extensions.
pub const EXTENSIONS: [&str; 5] = ["soc", "soi", "toc", "toi", "cat"];

/// Ballots with the names of the alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefLibElection {
    /// The file's title; empty if there is none.
    pub title: String,
    /// The file's description; empty if there is none.
    pub description: String,
    /// The names of the alternatives, in the file's order.
    pub names: Vec<String>,
    /// The ballots.
    pub ballots: Ballots,
}

/// An error in a file, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefLibError {
    /// The line number, from 1; 0 for the file in general.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

/// A file must have fewer ballots than this.
const BALLOTS_MAX: u64 = 1 << 40;

const NO_HEADER: &str = "there is no line `# NUMBER ALTERNATIVES: …` before the ballots; it is no PrefLib file, or one of before 2022, which preflib.org has in the new form";

/// Parses a file. If its header names no data type, the extension says whether orders must be complete and strict.
///
/// # Errors
/// [`PrefLibError`] if a line violates the format, or the header's numbers do not match the ballots.
pub fn parse_election(text: &str, extension: &str) -> Result<PrefLibElection, PrefLibError> {
    let mut header = Header::default();
    let mut form = None;
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut voters = 0_u64;
    for (at, line) in text.lines().enumerate() {
        let wrong = |reason: String| PrefLibError { line: at + 1, reason };
        let line = line.trim().trim_start_matches('\u{feff}');
        match line.strip_prefix('#') {
            _ if line.is_empty() => {}
            Some(said) => header.add_line(said).map_err(wrong)?,
            None => {
                let (_, kind) = match &form {
                    Some(known) => known,
                    None => form.insert(header.ballot_form().map_err(wrong)?),
                };
                let alternatives = header.alternatives.ok_or_else(|| wrong(NO_HEADER.to_owned()))?;
                let (levels, count) = parse_levels(line, alternatives).map_err(wrong)?;
                header.check_order(&levels, extension).map_err(wrong)?;
                voters = voters
                    .checked_add(count)
                    .filter(|voters| *voters < BALLOTS_MAX)
                    .ok_or_else(|| wrong(format!("these are {BALLOTS_MAX} ballots or more, which is too many")))?;
                let ballot = kind.to_ballot(&levels, (alternatives, &header)).map_err(wrong)?;
                bundles.push(Bundle { ballot, weight: 1, count });
            }
        }
    }
    let whole = |reason: String| PrefLibError { line: 0, reason };
    let alternatives = header.alternatives.ok_or_else(|| whole(NO_HEADER.to_owned()))?;
    let (form, _) = form.map_or_else(|| header.ballot_form().map_err(whole), Ok)?;
    if let Some(said) = header.voters.filter(|said| *said != voters) {
        return Err(whole(format!("the header says {said} voters, the ballots are of {voters}")));
    }
    let ballots = Ballots::new(form, alternatives, bundles, header.absent).merge_equal();
    let names = header.alternative_names().map_err(whole)?;
    Ok(PrefLibElection { names, title: header.title, description: header.description, ballots })
}

/// How to read a ballot's line: as an order, a single choice, or categories.
enum PrefLibKind {
    Order,
    First,
    Categories(PrefLibCategories),
}

impl PrefLibKind {
    fn to_ballot(
        &self,
        levels: &[Vec<usize>],
        (alternatives, header): (usize, &Header),
    ) -> Result<TallyBallot, String> {
        match self {
            PrefLibKind::Order => Ok(TallyBallot::Ranking(Ranking::of_levels(alternatives, levels))),
            PrefLibKind::First => match levels {
                [only] if only.len() == 1 => Ok(TallyBallot::Choice(only[0])),
                _ => Err("the header says BALLOT FORM: choice, so a ballot names one alternative".to_owned()),
            },
            PrefLibKind::Categories(categories) => categories.to_ballot(levels, (alternatives, header)),
        }
    }
}

/// Parses the levels and the count of a line such as `3: 4,{1,3},2`.
fn parse_levels(line: &str, alternatives: usize) -> Result<(Vec<Vec<usize>>, u64), String> {
    let shape = || format!("a ballot is a count, a colon and an order, as in `3: 1,{{2,3}}`; found {line:?}");
    let (count, order) = line.split_once(':').ok_or_else(shape)?;
    let count: u64 = count.trim().parse().map_err(|_| shape())?;
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let mut is_open = false;
    let mut named = vec![false; alternatives];
    let gap = || format!("the ballot {line:?} has a gap: a comma stands between two alternatives");
    let mut before = "";
    for word in split_tokens(order) {
        if let ("" | "," | "{", ",") | (",", "}") = (before, word) {
            return Err(gap());
        }
        before = word;
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
    match before {
        "," => Err(gap()),
        _ if is_open => Err(shape()),
        _ => Ok((levels, count)),
    }
}

/// Splits an order into braces, commas and the numbers between them.
fn split_tokens(order: &str) -> impl Iterator<Item = &str> {
    let cut = order.split_inclusive(['{', '}', ',']).flat_map(|piece| {
        let end = piece.len() - usize::from(piece.ends_with(['{', '}', ',']));
        [&piece[..end], &piece[end..]]
    });
    cut.map(str::trim).filter(|word| !word.is_empty())
}

/// Renders a file: most frequent ballots first, then by order. Equal elections give equal bytes.
pub fn render_election(election: &PrefLibElection, file_name: &str) -> String {
    let ballots = election.ballots.merge_equal();
    let mut lines: Vec<(&TallyBallot, u64)> =
        ballots.bundles().iter().map(|bundle| (&bundle.ballot, bundle.weight * bundle.count)).collect();
    lines.dedup_by(|next, kept| {
        kept.1 += if next.0 == kept.0 { next.1 } else { 0 };
        next.0 == kept.0
    });
    lines.sort_by(|(one, weight), (other, heavier)| heavier.cmp(weight).then_with(|| one.cmp(other)));
    let categories = PrefLibCategories::for_form(ballots.form());
    let mut text = String::new();
    let mut say = |key: &str, value: &str| {
        put_line!(text, "# {key}: {}", join_lines(value));
    };
    say("FILE NAME", file_name);
    say("TITLE", &election.title);
    say("DESCRIPTION", &election.description);
    say("DATA TYPE", file_extension(&ballots));
    say("MODIFICATION TYPE", "original");
    if ballots.form() == TallyForm::Choice {
        say("BALLOT FORM", ballots.form().as_str());
    }
    say("NUMBER ALTERNATIVES", &ballots.alternative_count().to_string());
    say("NUMBER VOTERS", &ballots.weight().to_string());
    if ballots.absent_weight() > 0 {
        say("NUMBER ABSENT", &ballots.absent_weight().to_string());
    }
    let unique = if categories.is_some() { "NUMBER UNIQUE PREFERENCES" } else { "NUMBER UNIQUE ORDERS" };
    say(unique, &lines.len().to_string());
    for (place, name) in categories.iter().flat_map(|categories| &categories.names).enumerate() {
        if place == 0 {
            say("NUMBER CATEGORIES", &categories.as_ref().map_or(0, |all| all.names.len()).to_string());
        }
        say(&format!("CATEGORY NAME {}", place + 1), name);
    }
    for (place, name) in election.names.iter().enumerate() {
        say(&format!("ALTERNATIVE NAME {}", place + 1), name);
    }
    for (ballot, weight) in lines {
        let levels: Vec<String> = levels_of(ballots.form(), ballot).iter().map(|level| render_level(level)).collect();
        put_line!(text, "{weight}: {}", levels.join(","));
    }
    text
}

/// The file extension: `soc` for complete strict orders, `soi` for incomplete ones, `toc` and `toi` for orders with ties, and
/// `cat` for approvals and scores.
pub fn file_extension(ballots: &Ballots) -> &'static str {
    if PrefLibCategories::for_form(ballots.form()).is_some() {
        return "cat";
    }
    let all = || ballots.bundles().iter().map(|bundle| levels_of(ballots.form(), &bundle.ballot));
    let is_tied = all().any(|levels| levels.iter().any(|level| level.len() > 1));
    let is_complete = all().all(|levels| levels.iter().map(Vec::len).sum::<usize>() == ballots.alternative_count());
    match (is_tied, is_complete) {
        (false, true) => "soc",
        (false, false) => "soi",
        (true, true) => "toc",
        (true, false) => "toi",
    }
}

/// The levels or categories of a ballot's line.
fn levels_of(form: TallyForm, ballot: &TallyBallot) -> Vec<Vec<usize>> {
    match ballot {
        TallyBallot::Choice(one) => vec![vec![*one]],
        TallyBallot::Ranking(ranking) => ranking.levels(),
        TallyBallot::Approval(approved) => {
            let those = |is: bool| (0..approved.len()).filter(|one| approved[*one] == is).collect();
            vec![those(true), those(false)]
        }
        TallyBallot::Score(scores) => {
            let TallyForm::Score(most) = form else { return Vec::new() };
            (0..=most).rev().map(|score| (0..scores.len()).filter(|one| scores[*one] == score).collect()).collect()
        }
    }
}

fn render_level(level: &[usize]) -> String {
    let numbers: Vec<String> = level.iter().map(|one| (one + 1).to_string()).collect();
    if numbers.len() == 1 { numbers.concat() } else { format!("{{{}}}", numbers.join(",")) }
}

#[cfg(test)]
mod tests;
