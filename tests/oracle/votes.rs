//! Cells about votes: who called them, who agreed, what was counted, what was decided.

use ekklesia::analysis::{CountingTerms, collect_elections};
use ekklesia::choice::ranked::RunoffTies;
use ekklesia::choice::{CountTerms, recount_ballots};
use ekklesia::domain::{Event, NamedChoice, Record, Reply, Step, TallyCount, TallyReport};

use super::positions::list_positions;
use super::{Cell, flag, is_by, list, real, share, show};

/// The count of a vote in a record.
fn read_tally(record: &Record) -> Option<&TallyReport> {
    match &record.event {
        Event::Tallied(report) => Some(report),
        _ => None,
    }
}

impl<'c> Cell<'c> {
    fn tallies(&self) -> Vec<&'c TallyReport> {
        self.records.iter().filter_map(|record| read_tally(record)).collect()
    }

    pub(super) fn sum_tallies(&self, number: fn(&TallyReport) -> u32) -> Option<String> {
        let tallies = self.tallies();
        if tallies.is_empty() { None } else { show(tallies.into_iter().map(number).sum::<u32>()) }
    }

    /// The names of the seats that called for a vote, in the order of their answers.
    pub(super) fn callers(&self) -> Vec<String> {
        let calls = |record: &&&Record| record.at.step == Step::VoteCall && record.reply() == Some(Reply::Assent(true));
        self.records.iter().filter(calls).filter_map(|record| Some(record.seat.as_ref()?.to_string())).collect()
    }
}

pub fn is_called(cell: &Cell<'_>) -> Option<String> {
    cell.last()?;
    flag(!cell.callers().is_empty())
}

fn agrees(record: &Record) -> bool {
    record.at.step == Step::Confirmation && record.reply() == Some(Reply::Assent(true))
}

/// The seats that did not agree to vote.
pub fn list_decliners(cell: &Cell<'_>) -> Option<String> {
    let declined = |name: &&str| {
        let answer = cell.records.iter().rfind(|record| is_by(record, name));
        answer.is_some_and(|answer| !agrees(answer))
    };
    list(cell.seat_names().into_iter().filter(declined))
}

/// Whether the row's seat agreed to vote; empty if it called for the vote itself.
pub fn has_seconded(cell: &Cell<'_>) -> Option<String> {
    let answer = cell.records.iter().rfind(|record| record.at.step == Step::Confirmation)?;
    if cell.callers().is_empty() { flag(agrees(answer)) } else { None }
}

pub fn has_decided(cell: &Cell<'_>) -> Option<String> {
    flag(read_tally(cell.last()?)?.decided.is_some())
}

pub fn find_number(cell: &Cell<'_>) -> Option<String> {
    let (last, counted) = (cell.last()?, cell.tallies().len());
    match last.at.step {
        _ if read_tally(last).is_some() => show(counted),
        Step::Ballot | Step::Amount => show(counted + 1),
        _ => None,
    }
}

/// The ballots for an alternative, whatever the amount.
fn count_for(report: &TallyReport, name: &str) -> u32 {
    report.counts.iter().filter(|count| count.alternative.as_str() == name).map(|count| count.count).sum()
}

/// The share of the ballots of the last vote for the alternative that the column names.
pub fn share_of_column(cell: &Cell<'_>) -> Option<String> {
    let report = read_tally(cell.last()?)?;
    cell.choices()?;
    cell.arm().alternatives.iter().find(|name| name.as_str() == cell.name)?;
    share(count_for(report, cell.name) as usize, report.valid as usize)
}

/// The only alternative with more than half of the ballots of the first vote.
pub fn find_first_majority(cell: &Cell<'_>) -> Option<String> {
    let (report, _) = (*cell.tallies().first()?, cell.choices()?);
    let is_majority = |name: &&str| 2 * count_for(report, name) > report.valid;
    let names: Vec<&str> = cell.arm().alternatives.iter().map(|name| name.as_str()).filter(is_majority).collect();
    if let [name] = names.as_slice() { show(name) } else { None }
}

/// Whether the majority of the first vote was what the session decided for.
pub fn is_first_majority_final(cell: &Cell<'_>) -> Option<String> {
    let first = find_first_majority(cell)?;
    flag(cell.decided().is_some_and(|decided| decided.alternative.as_str() == first))
}

/// Alternatives with their amounts and how often each was chosen.
pub struct Count<'c> {
    choices: Vec<(NamedChoice, u32)>,
    pub invalid: u32,
    /// The record of a vote; a straw poll has none.
    report: Option<&'c TallyReport>,
}

/// Counts a straw poll, alternative by alternative; an alternative that nobody chose has a row of its own.
fn count_poll(cell: &Cell<'_>) -> (Vec<(NamedChoice, u32)>, u32) {
    let positions = list_positions(&cell.records, cell.arm());
    let mut choices = Vec::new();
    for name in &cell.arm().alternatives {
        let own = positions.valid.iter().filter(|position| position.alternative == *name);
        let mut amounts: Vec<Option<u32>> = own.map(|position| position.amount).collect();
        amounts.sort_unstable();
        if amounts.is_empty() {
            choices.push((NamedChoice { alternative: name.clone(), amount: None }, 0));
        }
        for chunk in amounts.chunk_by(|one, other| one == other) {
            choices.push((NamedChoice { alternative: name.clone(), amount: chunk[0] }, chunk.len() as u32));
        }
    }
    (choices, positions.invalid as u32)
}

impl<'c> Cell<'c> {
    pub(super) fn counted(&self) -> Count<'c> {
        let Some(report) = self.tally() else {
            let (choices, invalid) = count_poll(self);
            return Count { choices, invalid, report: None };
        };
        let choice = |count: &TallyCount| NamedChoice { alternative: count.alternative.clone(), amount: count.amount };
        let choices = report.counts.iter().map(|count| (choice(count), count.count)).collect();
        Count { choices, invalid: report.invalid, report: Some(report) }
    }

    /// The choice that the row is about, and how often it was made.
    pub(super) fn row_choice(&self) -> Option<(NamedChoice, u32)> {
        let row = self.row;
        let is_row = |choice: &NamedChoice| {
            row.cell_text("alternative") == Some(choice.alternative.as_str())
                && row.cell_number("amount") == choice.amount
        };
        self.counted().choices.into_iter().find(|(choice, _)| is_row(choice))
    }

    /// The count of the row's vote; `None` for a straw poll.
    pub(super) fn tally(&self) -> Option<&'c TallyReport> {
        self.tallies().first().copied()
    }

    /// Reads a number or a name of the count of the row's vote.
    pub(super) fn of_vote<T: ToString>(&self, read: impl Fn(&TallyReport) -> Option<T>) -> Option<String> {
        read(self.tally()?).and_then(show)
    }
}

/// The greatest count less the second greatest.
pub fn find_margin(cell: &Cell<'_>) -> Option<String> {
    let mut counts: Vec<u32> = cell.counted().choices.into_iter().map(|(_, count)| count).collect();
    counts.sort_unstable();
    match counts.as_slice() {
        [.., second, first] => show(first - second),
        _ => None,
    }
}

pub fn count_valid(cell: &Cell<'_>) -> Option<String> {
    let counted = cell.counted();
    let sum = || counted.choices.iter().map(|(_, count)| count).sum();
    show(counted.report.map_or_else(sum, |report| report.valid))
}

pub fn count_eligible(cell: &Cell<'_>) -> Option<String> {
    let counted = cell.counted();
    let sum = || counted.choices.iter().map(|(_, count)| count).sum::<u32>() + counted.invalid;
    show(counted.report.map_or_else(sum, |report| report.eligible))
}

pub fn tied_winners(cell: &Cell<'_>) -> Option<String> {
    let winners = &cell.tally()?.winners;
    if winners.len() > 1 { list(winners) } else { None }
}

/// Whether it was decided for, alone or joined with the other winners by `+`.
pub fn is_decided_for(cell: &Cell<'_>) -> Option<String> {
    let (report, choice) = (cell.tally()?, cell.row_choice()?.0);
    let decided = report.decided.as_ref().map(ToString::to_string).unwrap_or_default();
    // In the order of the options.
    let options = report.counts.iter().map(|count| count.alternative.to_string());
    let winners: Vec<String> =
        options.filter(|option| report.winners.iter().any(|own| own.to_string() == *option)).collect();
    let choice = choice.to_string();
    flag(decided == choice || decided == winners.join("+") && winners.contains(&choice))
}

/// Whether an invalid ballot voided the vote: then it is among the eligible and is no abstention.
pub fn is_void(cell: &Cell<'_>) -> Option<String> {
    let report = cell.tally()?;
    let cast = report.valid + report.by_choice + report.invalid;
    flag(report.invalid > 0 && report.abstained == report.by_choice && report.eligible == cast)
}

/// What the rule gives the row's alternative, counted again from the ballots.
pub fn recount_points(cell: &Cell<'_>) -> Option<String> {
    let (report, choice) = (cell.tally()?, cell.row_choice()?.0);
    let is_row = |count: &&TallyCount| count.alternative == choice.alternative && count.amount == choice.amount;
    report.counts.iter().find(is_row)?.points?;
    let roll = CountingTerms { base: report.base, amount_tolerance: 0 };
    let voted = collect_elections(cell.records.iter().copied(), cell.facts, &roll);
    let election = voted.elections.iter().find(|election| election.told.as_ref() == Some(report))?;
    let terms =
        CountTerms { strength: cell.arm().strength, runoff_ties: RunoffTies::Together, ..CountTerms::default() };
    let counted = recount_ballots(&election.ballots, &[report.rule], &terms).pop()?.ok()?.count.points?;
    let place = election.names.iter().position(|name| *name == choice.to_string())?;
    real(counted.of[place] as f64 / counted.unit as f64)
}
