//! Cells that are read off a record, or that count records.

use std::collections::BTreeSet;

use serde_json::Value;

use ekklesia::domain::{AlternativeName, Event, Record, Verdict};
use ekklesia::metrics::measures;
use ekklesia::metrics::Status;
use super::estimates::right_amount;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell that is read or counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// A field of the last record; the path begins at the record, `event.` at the inside of its event.
    Field(&'static str),
    /// The same, where the field left out means this.
    FieldOr(&'static str, &'static str),
    /// The same of a field in billionths, as a number from 0 to 1.
    Billionths(&'static str),
    /// The names of a list, joined.
    Joined(&'static str),
    /// How many records there are.
    Count,
    /// Whether there is a record: 1 or 0.
    Any,
    /// In how many rounds there is one.
    Rounds,
    /// What `run.json` says of how far the session got.
    Status,
    /// Why it failed.
    Fault,
    /// The digest of the minutes.
    MinutesDigest,
    /// 1 for a decision by vote, 0 for none.
    Carried,
    /// 1 if what was decided for is the item's key, 0 if it is another.
    Correct,
    /// 1 if what was decided for is a wrong alternative that the item names for scripts, 0 if it is another.
    Conformed,
    /// The number decided for, where it has a unit.
    ResultValue,
    /// Its unit.
    ResultUnit,
    /// Whether no decision was reached though votes are held in rounds.
    Censored,
    /// Rounds until the decision.
    TimeToDecision,
    /// Whether a seat recognised something: yes or no.
    Recognised,
    /// What votes took, as a share of what they are matched to.
    MatchRatio,
}

/// The value of a field of a record.
pub(super) fn field(record: &Record, path: &str) -> Option<Value> {
    let mut value = serde_json::to_value(record).expect("invariant: a record has a JSON form");
    if let Some(event) = value.get_mut("event") {
        *event = event.as_object().and_then(|kinds| kinds.values().next().cloned()).unwrap_or(Value::Null);
    }
    path.split('.').try_fold(value, |value, key| value.get(key).cloned()).filter(|value| !value.is_null())
}

/// A field's value as a cell shows it.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(flag) => u8::from(*flag).to_string(),
        other => other.to_string(),
    }
}

impl Plain {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Plain::Field(path) => read(picked, path, None),
            Plain::FieldOr(path, otherwise) => read(picked, path, Some(otherwise)),
            Plain::Billionths(path) => billionths(picked, path),
            Plain::Joined(path) => joined(picked, path),
            Plain::Count => {
                let n = picked.records.len();
                worked(n)
            }
            Plain::Any => {
                let n = picked.records.len();
                worked(u8::from(n > 0),
                )
            }
            Plain::Rounds => rounds(picked),
            Plain::Status => {
                let status = match picked.case.status {
                    Status::Completed => "completed",
                    Status::Incomplete => "incomplete",
                    Status::Failed(_) => "failed",
                };
                worked(status)
            }
            Plain::Fault => match picked.case.status {
                Status::Failed(fault) => worked(fault),
                Status::Completed | Status::Incomplete => absent("the session did not fail"),
            },
            Plain::MinutesDigest => {
                let digest = picked.case.minutes_digest;
                worked(digest,
                )
            }
            Plain::Correct => correct(picked),
            Plain::Conformed => conformed(picked),
            Plain::Recognised => match picked.last().map(|record| &record.event) {
                Some(Event::Recognised { recognised, .. }) => {
                    let word = if *recognised { "yes" } else { "no" };
                    worked(word)
                }
                _ => absent("the seat was not asked, or gave no valid answer"),
            },
            Plain::MatchRatio => match_ratio(picked),
            Plain::ResultValue | Plain::ResultUnit => self.result(picked),
            Plain::Carried | Plain::Censored | Plain::TimeToDecision => self.end(picked),
        }
    }

    /// The amount decided for and its unit, where the scenario says one.
    fn result(self, picked: &Picked<'_>) -> Worked {
        let Some(unit) = &picked.arm().unit else { return absent("the scenario names no unit of amounts") };
        let Some(Event::Adjourned { decided, .. }) = picked.last().map(|record| &record.event) else {
            return absent("the session was not adjourned");
        };
        let Some(amount) = decided.as_ref().and_then(|decided| decided.amount) else {
            return absent("no amount was decided for");
        };
        if self == Plain::ResultUnit { worked(unit) } else { worked(amount) }
    }

    /// What follows from how the session ended.
    fn end(self, picked: &Picked<'_>) -> Worked {
        let Some(Event::Adjourned { verdict, .. }) = picked.last().map(|record| &record.event) else {
            return absent("the session was not adjourned");
        };
        let word =
            picked.last().and_then(|record| field(record, "event.verdict")).map_or(String::new(), |word| cell(&word));
        let said = format!("verdict of the adjournment: {word}");
        if self == Plain::Carried {
            return match verdict {
                Verdict::Carried => worked(1),
                Verdict::NoDecision | Verdict::NoQuorum => worked(0),
                Verdict::Imposed | Verdict::NotApplicable => {
                    absent(format!("{said}: the group did not decide by vote"))
                }
            };
        }
        if !picked.arm().decides_in_rounds() {
            return absent("no phase of this arm holds votes in its rounds");
        }
        let carried = match verdict {
            Verdict::Carried => true,
            Verdict::NoDecision | Verdict::NoQuorum => false,
            Verdict::Imposed | Verdict::NotApplicable => return absent(said),
        };
        if self == Plain::Censored {
            return worked(u8::from(!carried),
            );
        }
        if !carried {
            return absent(format!("{said}: there was no decision, the session is censored"));
        }
        let rounds = picked.records.iter().filter(|record| matches!(record.event, Event::RoundOpened { .. })).count();
        worked(rounds)
    }
}

/// Whether what was decided for is the item's key.
fn correct(picked: &Picked<'_>) -> Worked {
    let decided = picked.last().and_then(|record| match &record.event {
        Event::Adjourned { decided: Some(decided), .. } => Some(decided),
        _ => None,
    });
    match decided {
        Some(decided) => {
            let amount = decided.amount.map(u64::from);
            compared_with_key(picked, vec![format!("decided for {decided}")], decided.alternative.as_str(), amount)
        }
        None => compared_with_key(picked, Vec::new(), "", None),
    }
}

/// Whether what was decided for is a wrong alternative that the item names for scripts.
fn conformed(picked: &Picked<'_>) -> Worked {
    let Some(item) = &picked.case.facts.item else {
        return absent("there are no items, so none names a wrong option for scripts");
    };
    if item.misleading.is_empty() {
        return absent(format!("the item {} names no wrong option for scripts: it is no critical trial", item.id));
    }
    let decided = picked.last().and_then(|record| field(record, "event.decided.alternative")).map(|name| cell(&name));
    let Some(decided) = decided else { return absent("nothing was decided for") };
    let said: Vec<&str> = item.misleading.iter().map(AlternativeName::as_str).collect();
    let value = u8::from(said.contains(&decided.as_str()));
    let said = format!("the item {} names {} for scripts, which is wrong: {value}", item.id, said.join(", "));
    worked(value)
}

/// What votes took, as a share of what they are matched to.
fn match_ratio(picked: &Picked<'_>) -> Worked {
    let target = picked.records.iter().find_map(|record| match &record.event {
        Event::SessionConvened { target, .. } => target.as_ref(),
        _ => None,
    });
    let sampled = picked.records.iter().find_map(|record| match &record.event {
        Event::Sampled { taken, .. } => Some(*taken),
        _ => None,
    });
    match (target, sampled) {
        (None, _) => absent("votes are held once in this session"),
        (Some(_), None) => absent("the votes were not all taken"),
        (Some(_), Some(None)) => absent("a model's answer came without its tokens"),
        (Some(target), Some(Some(taken))) => real(measures::ratio(taken, target.amount),
            "the other session took nothing",
        ),
    }
}

/// Whether an answer is right: its alternative, or its amount where that alone is decided; an empty alternative is nobody's choice.
pub(super) fn compared_with_key(
    picked: &Picked<'_>,
    alternative: &str,
    amount: Option<u64>,
) -> Worked {
    if let Some((right, said)) = right_amount(picked).filter(|_| picked.arm().alternatives.len() == 1) {
        let Some(amount) = amount else { return absent("no amount was named") };
        let (off, within) = ((i128::from(amount) - right).abs(), picked.arm().correct_within_ppm);
        let value = u8::from(off * 1_000_000 <= i128::from(within) * right);
        return worked(value);
    }
    let Some((right, said)) = right(picked) else {
        return match &picked.case.facts.item {
            Some(item) => absent(format!("the item {} has no key", item.id)),
            None => absent(
                "nobody knows which alternative is right: there are no items, and the scenario has no such truth",
            ),
        };
    };
    if alternative.is_empty() {
        return absent("nothing was decided for");
    }
    let value = u8::from(alternative == right.as_str());
    worked(value)
}

/// The right alternative and what says so: the item's key, or without items the truth of the scenario.
pub(super) fn right(picked: &Picked<'_>) -> Option<(AlternativeName, String)> {
    if let Some(item) = &picked.case.facts.item {
        let key = item.key.as_ref()?.alternative()?.clone();
        let said = format!("the key of the item {} is {key}", item.id);
        return Some((key, said));
    }
    picked.case.all.iter().find_map(|record| match &record.event {
        Event::Dealt { truth: Some(truth), .. } => {
            let right = truth.alternative()?.clone();
            let said = format!("{} says that {right} is right", named(record));
            Some((right, said))
        }
        _ => None,
    })
}

fn read(picked: &Picked<'_>, path: &str, otherwise: Option<&str>) -> Worked {
    let Some(record) = picked.last() else {
        return match otherwise {
            Some(value) => worked(value),
            None => absent(unrecorded(path)),
        };
    };
    match (field(record, path), otherwise) {
        (Some(value), _) => worked(cell(&value)),
        (None, Some(value)) => {
            worked(value)
        }
        (None, None) => absent(format!("{}: {}", named(record), left_out(path))),
    }
}

/// Why a row has no record to read a field of.
fn unrecorded(path: &str) -> String {
    match path {
        "event.stance" | "event.stance_amount" => "the seat declared no stance here".to_owned(),
        "event.opinion" => "the seat told no opinion here".to_owned(),
        "event.text" => "nothing of the kind was said or written here".to_owned(),
        "event.abstained" => "no vote was counted here".to_owned(),
        _ => "nothing of the kind happened in this row".to_owned(),
    }
}

/// What it means that a record leaves a field out, in words for readers who know no record.
fn left_out(path: &str) -> String {
    let words = match path {
        "event.given.usage.prompt_tokens" | "event.given.usage.completion_tokens" => {
            "no usage was reported with this answer; only model servers count tokens"
        }
        "event.given.usage.thinking_tokens" => "no model server told of thinking with this answer",
        "event.given.usage.cached_prompt_tokens" => "the model server reported no cached tokens with this answer",
        "event.given.model_served" => "no model server named a model for this answer",
        "event.urgency" => "the seat did not want to speak, or gave no valid answer",
        "event.fault" => "the answer counts, so there is no fault",
        "event.certainty" => "no certainty was given with it",
        "event.reasoning" => "no reasoning was given with it",
        "event.stance" => "no stance was declared in it",
        "event.stance_amount" => "no amount was declared in it",
        "event.opinion" => "no opinion was told with it",
        "event.decided.alternative" => "nothing was decided for",
        "event.decided.amount" => "no amount was decided for",
        "event.to" => "it was said to everyone",
        "seat" => "it is not the answer of a seat",
        _ => {
            let name = path.rsplit('.').next().unwrap_or(path);
            return format!("nothing is recorded as its {}", name.replace('_', " "));
        }
    };
    words.to_owned()
}

fn billionths(picked: &Picked<'_>, path: &str) -> Worked {
    let Some(record) = picked.last() else { return absent(unrecorded(path)) };
    let Some(written) = field(record, path).and_then(|value| value.as_u64()) else {
        return absent(format!("{}: {}", named(record), left_out(path)));
    };
    real(Some(written as f64 / 1e9), "")
}

fn joined(picked: &Picked<'_>, path: &str) -> Worked {
    let Some(record) = picked.last() else { return absent(unrecorded(path)) };
    let list = field(record, path);
    let names: Vec<String> = list.as_ref().and_then(Value::as_array).into_iter().flatten().map(cell).collect();
    if names.is_empty() {
        return absent(format!("{}: {}", named(record), left_out(path)));
    }
    worked(names.join("|"))
}

fn rounds(picked: &Picked<'_>) -> Worked {
    let rounds: BTreeSet<(&str, u32)> =
        picked.records.iter().map(|record| (record.at.phase.as_str(), record.at.round)).collect();
    let list: Vec<String> = rounds.iter().map(|(phase, round)| format!("{phase} {round}")).collect();
    worked(rounds.len())
}
