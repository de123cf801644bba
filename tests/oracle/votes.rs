//! Cells about votes: who called them, who agreed, what was counted, what was decided.

use ekklesia::domain::{Event, NamedChoice, Record, TallyCount, TallyReport};
use ekklesia::metrics::option_of_share;
use super::points;
use super::spread::{abstained, positions};
use super::talk::or_none;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vote {
    /// Whether a seat called for a vote.
    IsCalled,
    /// The seats that did.
    CalledBy,
    /// The seats that did not agree.
    DeclinedBy,
    /// Whether the row's seat called for a vote.
    Calls,
    /// Whether the row's seat agreed to vote.
    Seconds,
    /// Whether the vote decided.
    Decides,
    /// The number of the vote in the session.
    Number,
    /// The only alternative that more than half of the first vote counts for.
    FirstMajority,
    /// Whether that was decided for in the end.
    FirstMatches,
    /// The share of the ballots of the last vote that count for the alternative that the column names.
    OptionShare,
    /// The share of last stances that are what was decided.
    FinalStance,
    /// Valid ballots, over all votes.
    Ballots,
    /// Abstentions, over all votes.
    Abstentions,
    /// What is counted, of a row of counts.
    Tally(Tally),
}

/// A cell of a row of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tally {
    /// The rule.
    Rule,
    /// The rule's base.
    Base,
    /// Seats that could vote.
    Eligible,
    /// Valid ballots.
    Valid,
    /// Invalid ballots.
    Invalid,
    /// Abstentions.
    Abstained,
    /// Those by choice.
    ByChoice,
    /// The least count that wins.
    Threshold,
    /// The alternative.
    Alternative,
    /// Its amount.
    Amount,
    /// Its ballots.
    Count,
    /// What the rule gives it.
    Points,
    /// The alternative that beats every other.
    Condorcet,
    /// Whether it wins by the rule alone.
    IsWinner,
    /// All winners, where they are several.
    TiedWinners,
    /// The tie-break that decided.
    TieBreak,
    /// Whose ballots broke the tie.
    TieBallots,
    /// Whether enough ballots were valid.
    Quorum,
    /// Whether it was decided for.
    Decided,
    /// The greatest count less the second greatest.
    Margin,
    /// Whether an invalid ballot voided it.
    Void,
    /// What was decided for.
    DecidedFor,
}

/// Sums the ballots that count for an alternative, whatever the amount.
fn option_share(picked: &Picked<'_>) -> Worked {
    let Some((record, Event::Tallied(report))) = picked.last().map(|record| (record, &record.event)) else {
        return absent("no vote was counted in this session");
    };
    let name = option_of_share(picked.case.column).unwrap_or_default();
    let own = report.counts.iter().filter(|count| count.alternative.as_str() == name);
    let counts: Vec<u32> = own.map(|count| count.count).collect();
    if !picked.arm().alternatives.iter().any(|other| other.as_str() == name) {
        return absent(format!("{name} is not offered here"));
    }
    let (sum, valid) = (counts.iter().sum::<u32>(), report.valid);
    real((valid > 0).then(|| f64::from(sum) / f64::from(valid)), "no ballot of the last vote was valid")
}

impl Vote {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Vote::IsCalled | Vote::Calls => {
                if picked.records.is_empty() {
                    return absent("nobody was asked whether to vote");
                }
                let calls = callers(picked);
                let flag = u8::from(!calls.is_empty());
                worked(flag,
                )
            }
            Vote::CalledBy => {
                let calls = callers(picked);
                if calls.is_empty() {
                    return Err("no seat called for a vote here".to_owned());
                }
                worked(calls.join("|"))
            }
            Vote::DeclinedBy => declined(picked),
            Vote::OptionShare => option_share(picked),
            Vote::Seconds => seconds(picked),
            Vote::Decides => match picked.last().map(|record| &record.event) {
                Some(Event::Tallied(report)) => {
                    let flag = u8::from(report.decided.is_some());
                    let what = report.decided.as_ref().map_or("nothing".to_owned(), NamedChoice::to_string);
                    worked(flag)
                }
                _ => absent("no vote was counted here"),
            },
            Vote::Number => number(picked),
            Vote::FirstMajority | Vote::FirstMatches => self.first(picked),
            Vote::FinalStance => final_stance(picked),
            Vote::Ballots => summed(picked, |report| report.valid),
            Vote::Abstentions => summed(picked, |report| report.abstained),
            Vote::Tally(tally) => tally.work(picked),
        }
    }

    /// The first vote's absolute majority, and whether it was the end's.
    fn first(self, picked: &Picked<'_>) -> Worked {
        let tallies = |record: &&Record| match &record.event {
            Event::Tallied(report) => Some(report.clone()),
            _ => None,
        };
        let Some(report) = picked.records.iter().find_map(tallies) else { return absent("no vote was counted") };
        let of = |name: &str| -> u64 {
            let own = report.counts.iter().filter(|count| count.alternative.as_str() == name);
            own.map(|count| u64::from(count.count)).sum()
        };
        let counts: Vec<(&str, u64)> =
            picked.arm().alternatives.iter().map(|name| (name.as_str(), of(name.as_str()))).collect();
        let n = u64::from(report.valid);
        let words: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let mut steps =
            vec![format!("ballots of the first vote: {}; n {n}, half of it {}", words.join(", "), n as f64 / 2.0)];
        let mut more = counts.iter().filter(|(_, count)| 2 * count > n);
        let (Some((first, _)), None) = (more.next(), more.next()) else {
            let value = Err("no alternative, or more than one, has more than half of the first vote".to_owned());
            return Worked { steps, value };
        };
        if self == Vote::FirstMajority {
            return worked(first);
        }
        let Some(Event::Adjourned { decided, .. }) = picked.last().map(|record| &record.event) else {
            return absent("the session was not adjourned");
        };
        let flag = u8::from(decided.as_ref().is_some_and(|decided| decided.alternative.as_str() == *first));
        let end = decided.as_ref().map_or("nothing".to_owned(), NamedChoice::to_string);
        worked(flag)
    }
}

/// The seats that called for a vote, in the order of their answers.
fn callers<'p>(picked: &'p Picked<'_>) -> Vec<&'p str> {
    let calls = picked.records.iter().filter(|record| matches!(record.event, Event::CallAnswered { calls: true, .. }));
    calls.filter_map(|record| record.seat.as_ref()).map(|seat| seat.as_str()).collect()
}

fn declined(picked: &Picked<'_>) -> Worked {
    let agrees = |record: &Record| matches!(record.event, Event::Confirmed { agrees: true, .. });
    let said_no = |name: &&str| {
        let own = |record: &&&Record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == *name);
        picked.records.iter().rfind(own).is_some_and(|record| !agrees(record))
    };
    let names: Vec<&str> = picked.seat_names().into_iter().filter(said_no).collect();
    match (picked.records.is_empty(), names.is_empty()) {
        (true, _) => absent("nobody was asked to agree to a vote"),
        (_, true) => Err("every seat that was asked agreed".to_owned()),
        _ => worked(names.join("|")),
    }
}

fn seconds(picked: &Picked<'_>) -> Worked {
    if !callers(picked).is_empty() {
        return absent("the seat called for the vote itself");
    }
    let asked = picked.records.iter().rfind(|record| {
        !matches!(record.event, Event::CallAnswered { .. }) && record.at.step.as_str() == "confirmation"
    });
    let Some(record) = asked else { return absent("the seat was not asked to agree to a vote") };
    let flag = u8::from(matches!(record.event, Event::Confirmed { agrees: true, .. }));
    worked(flag)
}

fn number(picked: &Picked<'_>) -> Worked {
    let Some(last) = picked.last() else { return absent("no vote was counted here") };
    let before = picked.records.iter().filter(|record| matches!(record.event, Event::Tallied(_)));
    match (&last.event, last.at.step.as_str()) {
        (Event::Tallied(_), _) => {
            let n = before.count();
            worked(n)
        }
        (_, "ballot" | "amount") => {
            let n = before.count();
            worked(n + 1)
        }
        _ => absent("this row is no ballot of a vote"),
    }
}

/// A number of every count, summed.
fn summed(picked: &Picked<'_>, number: impl Fn(&TallyReport) -> u32) -> Worked {
    let numbers: Vec<u32> = picked
        .records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Tallied(report) => Some(number(report)),
            _ => None,
        })
        .collect();
    if numbers.is_empty() {
        return absent("no vote was counted");
    }
    let total: u64 = numbers.iter().copied().map(u64::from).sum();
    let terms: Vec<String> = numbers.iter().map(u32::to_string).collect();
    worked(total)
}

fn final_stance(picked: &Picked<'_>) -> Worked {
    let Some(Event::Adjourned { decided: Some(decided), .. }) = picked.last().map(|record| &record.event) else {
        return absent("nothing was decided");
    };
    let (held, _) = positions(&picked.records, picked.arm());
    let last = |name: &str| held.iter().rfind(|held| held.seat.as_str() == name).map(|held| held.alternative.as_str());
    let stances: Vec<(&str, &str)> =
        picked.seat_names().into_iter().filter_map(|name| Some((name, last(name)?))).collect();
    let words: Vec<String> = stances.iter().map(|(seat, stance)| format!("{seat} {stance}")).collect();
    if stances.is_empty() {
        return Err("no seat declared a stance".to_owned());
    }
    let favouring = stances.iter().filter(|(_, stance)| *stance == decided.alternative.as_str()).count();
    let share = favouring as f64 / stances.len() as f64;
    real(Some(share), "")
}

/// Alternatives with their amounts and how often each was chosen, in the order of the rows.
type Counts = Vec<(NamedChoice, u32)>;

/// What a straw poll comes to: the minutes leave it to be counted.
fn polled(picked: &Picked<'_>) -> (Counts, u32) {
    let (held, invalid) = positions(&picked.records, picked.arm());
    let mut counts = Counts::new();
    for name in &picked.arm().alternatives {
        let mut amounts: Vec<Option<u32>> =
            held.iter().filter(|held| held.alternative == name).map(|held| held.amount).collect();
        amounts.sort_unstable();
        let all = amounts.clone();
        amounts.dedup();
        if amounts.is_empty() {
            counts.push((NamedChoice { alternative: name.clone(), amount: None }, 0));
        }
        for amount in amounts {
            let count = all.iter().filter(|other| **other == amount).count() as u32;
            counts.push((NamedChoice { alternative: name.clone(), amount }, count));
        }
    }
    (counts, invalid.len() as u32)
}

/// Which ballots count more or less often than once.
fn weighed(picked: &Picked<'_>) -> Option<String> {
    let seats = picked.arm().seats.iter().filter(|seat| seat.weight != 1);
    let seats: Vec<String> = seats.map(|seat| format!("{} {}", seat.name, seat.weight)).collect();
    (!seats.is_empty()).then(|| format!("each once there; ballots count more or less often of {}", seats.join(", ")))
}

/// Ballots that are for nothing: those that do not count, and those by which seats abstained, where there are any.
fn blank(invalid: u32, picked: &Picked<'_>) -> String {
    match abstained(&picked.records).len() {
        0 => format!("invalid {invalid}"),
        seats => format!("invalid {invalid}; abstained {seats}"),
    }
}

impl Tally {
    fn work(self, picked: &Picked<'_>) -> Worked {
        let report = picked.records.iter().find_map(|record| match &record.event {
            Event::Tallied(report) => Some(report),
            _ => None,
        });
        let (ballots, invalid) = polled(picked);
        let counts: Counts = match report {
            Some(report) => report
                .counts
                .iter()
                .map(|count| {
                    (NamedChoice { alternative: count.alternative.clone(), amount: count.amount }, count.count)
                })
                .collect(),
            None => ballots.clone(),
        };
        let words = |counts: &Counts| {
            counts.iter().map(|(choice, n)| format!("{choice} {n}")).collect::<Vec<String>>().join(", ")
        };
        let blank = blank(invalid, picked);
        if report.is_some() {
        }
        let scope = picked.case.scope;
        let is_row = |choice: &NamedChoice| {
            scope.text("alternative") == Some(choice.alternative.as_str()) && scope.number("amount") == choice.amount
        };
        let Some((choice, n)) = counts.iter().find(|(choice, _)| is_row(choice)) else {
            return absent("the count has no such alternative");
        };
        let valid: u32 = counts.iter().map(|(_, n)| n).sum();
        match self {
            Tally::Alternative => worked(&choice.alternative),
            Tally::Amount => match choice.amount {
                Some(amount) => worked(amount),
                None => {
                    Err(format!("{} takes no amount, or nobody chose it", choice.alternative))
                }
            },
            Tally::Count => {
                worked(n)
            }
            Tally::Margin => margin(&counts),
            Tally::Valid => {
                let valid = report.map_or(valid, |report| report.valid);
                worked(valid)
            }
            Tally::Invalid => {
                let invalid = report.map_or(invalid, |report| report.invalid);
                worked(invalid)
            }
            Tally::Eligible => {
                let eligible = report.map_or(valid + invalid, |report| report.eligible);
                worked(eligible)
            }
            _ => match report {
                Some(report) => self.ruled(picked, (report, choice)),
                None => Err("a straw poll has no rule and decides nothing".to_owned()),
            },
        }
    }

    /// What the rule makes of a vote.
    fn ruled(
        self,
            picked: &Picked<'_>,
        (report, choice): (&TallyReport, &NamedChoice),
    ) -> Worked {
        let winners: Vec<String> = report.winners.iter().map(NamedChoice::to_string).collect();
        let least = report.threshold.map_or("none".to_owned(), |least| least.to_string());
        let missing = |why: &str| Err(why.to_owned());
        match self {
            Tally::Rule => worked(report.rule.as_str()),
            Tally::Base => worked(report.base.as_str()),
            Tally::Abstained => {
                let (all, by_choice) = (report.abstained, report.by_choice);
                let invalid = all.saturating_sub(by_choice);
                worked(all)
            }
            Tally::ByChoice => by_choice(picked, report),
            Tally::Threshold => match report.threshold {
                Some(least) => worked(least),
                None => missing("this rule has no least count"),
            },
            Tally::Points => {
                let is_row =
                    |count: &&TallyCount| count.alternative == choice.alternative && count.amount == choice.amount;
                match report.counts.iter().find(is_row).and_then(|count| count.points) {
                    Some(points) => points::work(picked, (report, choice, points)),
                    None => missing("the rule gives nothing beside the ballots"),
                }
            }
            Tally::Condorcet => match &report.condorcet_winner {
                Some(winner) => worked(winner),
                None => missing("no alternative beats every other, or ballots are no rankings"),
            },
            Tally::IsWinner => worked(u8::from(report.winners.contains(choice))),
            Tally::TiedWinners if winners.len() > 1 => worked(winners.join("|")),
            Tally::TiedWinners => missing("there are not several winners"),
            Tally::TieBreak => match report.tie_break {
                Some(tie) => worked(tie.as_str()),
                None => missing("no tie-break was needed"),
            },
            Tally::TieBallots => {
                let seats: Vec<&str> = report.tie_ballots.iter().map(|seat| seat.as_str()).collect();
                match seats.is_empty() {
                    true => missing("no single ballot was looked at to break a tie"),
                    false => worked(seats.join("|")),
                }
            }
            Tally::Void => void(report),
            Tally::DecidedFor => match &report.decided {
                Some(decided) => worked(decided),
                None => missing("nothing was decided"),
            },
            Tally::Quorum => quorum(report),
            _ => {
                let decided = report.decided.as_ref();
                worked(u8::from(decided == Some(choice)))
            }
        }
    }
}

/// Ballots for nothing by choice, with whose they are.
fn by_choice(picked: &Picked<'_>, report: &TallyReport) -> Worked {
    let seats: Vec<String> = abstained(&picked.records).into_iter().map(ToString::to_string).collect();
    worked(report.by_choice)
}

/// Whether enough ballots were valid.
fn quorum(report: &TallyReport) -> Worked {
    let Some(is_met) = report.quorum_met else {
        return Err("no quorum is asked for".to_owned());
    };
    let members = report.valid + report.invalid + report.by_choice;
    worked(u8::from(is_met))
}

/// Whether an invalid ballot voids the vote, by where the counts put invalid ballots.
fn void(report: &TallyReport) -> Worked {
    let TallyReport { eligible, valid, invalid, abstained, by_choice, .. } = report;
    worked(u8::from(report.is_void()))
}

fn margin(counts: &Counts) -> Worked {
    let mut sorted: Vec<u32> = counts.iter().map(|(_, n)| *n).collect();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let [first, second, ..] = sorted.as_slice() else {
        return Err("there are fewer than two counts".to_owned());
    };
    worked(first - second)
}
