//! Cells about answers: what was said, whether it counts, how often it was asked, what the calls used.

use ekklesia::domain::{AlternativeName, Ballot, Dollars, Event, Fault, Language, PollTime, Record, Step};
use ekklesia::metrics::AnswerStatus;
use ekklesia::metrics::fold::{Purpose, value};
use super::fields::compared_with_key;
use ekklesia::metrics::why::{Of, lost};
use super::spread::positions;
use super::{Picked, Worked, absent, named, worked};

/// A cell about answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Questions settled, by how.
    Answers,
    /// Tokens of prompts.
    PromptTokens,
    /// Tokens of replies.
    CompletionTokens,
    /// Tokens that models thought with.
    ThinkingTokens,
    /// Tokens of prompts that services had kept.
    CachedPromptTokens,
    /// What answers cost.
    Cost,
    /// Tokens of both.
    Tokens,
    /// Whether the answer counts.
    Status,
    /// First try or re-asked.
    Origin,
    /// How often the question was put.
    Tries,
    /// What was answered, as a name.
    Value,
    /// What was answered, as a number.
    Number,
    /// What the answer is for.
    Purpose,
    /// Whether something follows from it.
    Binding,
    /// A choice or a ranking.
    Form,
    /// The choice, or the alternative ranked.
    Alternative,
    /// Its amount.
    Amount,
    /// How many ballots it counts for.
    Weight,
    /// Its rank.
    Rank,
    /// Its score.
    Score,
    /// Whether it is approved of.
    Chosen,
    /// Its place among the options.
    ShownPosition,
    /// The options as shown.
    OptionsShown,
    /// Whether the choice is the stance declared last.
    MatchesStance,
    /// Whether the choice is the item's key.
    Correct,
    /// The words of the choice.
    Raw,
    /// The words of the amount.
    AmountRaw,
}

/// The fault of an answer that does not count, whether it is asked again or not.
fn fault(record: &Record) -> Option<Fault> {
    match record.event {
        Event::Faulted { fault, .. } => Some(fault),
        _ => None,
    }
}

/// How an answer counts.
fn status(record: &Record) -> AnswerStatus {
    match record.event {
        Event::Inquired { .. } => AnswerStatus::Inquiry,
        Event::Abstained { .. } => AnswerStatus::Abstained,
        Event::Integrated { cut_chars: 1.., .. } | Event::Compressed { cut_chars: 1.., .. } => AnswerStatus::Cut,
        _ => AnswerStatus::of(fault(record)),
    }
}

/// The options and the words of an answer to a question with options.
fn shown(record: &Record) -> Option<(Vec<&str>, &str)> {
    match &record.event {
        Event::Polled { options, raw, .. }
        | Event::Balloted { options, raw, .. }
        | Event::Voted { options, raw, .. }
        | Event::Abstained { options, raw, .. }
        | Event::Ranked { options, raw, .. }
        | Event::Applied { options, raw, .. }
        | Event::Faulted { options, raw, .. } => Some((options.iter().map(|name| name.as_str()).collect(), raw)),
        _ => None,
    }
}

impl Asked {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Asked::Answers => answers(picked),
            Asked::PromptTokens
            | Asked::CompletionTokens
            | Asked::ThinkingTokens
            | Asked::CachedPromptTokens
            | Asked::Tokens => self.tokens(picked),
            Asked::Cost => cost(picked),
            _ => match picked.records.as_slice() {
                [] => absent("nothing of the kind happened in this row"),
                [first, .., last] => self.answer(picked, first, last),
                [only] => self.answer(picked, only, only),
            },
        }
    }

    fn tokens(self, picked: &Picked<'_>) -> Worked {
        let usages: Vec<(u64, u64)> = picked
            .records
            .iter()
            .filter_map(|record| {
                let usage = record.event.given()?.usage?;
                let tokens = match self {
                    Asked::PromptTokens => usage.prompt_tokens,
                    Asked::CompletionTokens => usage.completion_tokens,
                    Asked::ThinkingTokens => usage.thinking_tokens?,
                    Asked::CachedPromptTokens => usage.cached_prompt_tokens?,
                    _ => usage.prompt_tokens + usage.completion_tokens,
                };
                Some((record.seq.0, tokens))
            })
            .collect();
        let calls = picked.records.len();
        if calls > 0 && usages.is_empty() {
            return Err("there were calls, and none reported tokens".to_owned());
        }
        let mut total = 0;
        for (seq, tokens) in usages {
            total += tokens;
            terms.push(format!("{tokens} (record {seq})"));
        }
        worked(total)
    }

    /// A cell about one answer; `choice` is the ballot whose amount `last` names, else the same record.
    fn answer(self, picked: &Picked<'_>, choice: &Record, last: &Record) -> Worked {
        let (tries, asked) = tries(choice, last);
        match self {
            Asked::Status => {
                let word = status(last).as_str();
                let why = match last.event {
                    Event::Inquired { .. } => "the seat asks to see something first",
                    Event::Integrated { cut_chars: 1.., .. } | Event::Compressed { cut_chars: 1.., .. } => {
                        "the text is longer than was allowed, and its end was left out"
                    }
                    _ => fault(last).map_or("no fault", Fault::as_str),
                };
                worked(word)
            }
            Asked::Origin | Asked::Tries if status(last) == AnswerStatus::Inquiry => {
                absent("the seat asked to see something first, which is no try")
            }
            Asked::Origin if last.attempt.is_none() => absent("nobody was asked: it is no answer"),
            Asked::Tries if last.attempt.is_none() => absent("nobody was asked: it is no answer"),
            Asked::Origin => worked(origin(tries - 1)),
            Asked::Tries => worked(tries),
            Asked::Value => match value(&last.event).0 {
                Some(value) => worked(value),
                None => absent(format!("{} is an answer that names no alternative", named(last))),
            },
            Asked::Number => match value(&last.event).1 {
                Some(value) => worked(value),
                None => absent(format!("{} is an answer without a number", named(last))),
            },
            Asked::Purpose | Asked::Binding | Asked::Form | Asked::Weight => self.purpose(picked, last),
            Asked::MatchesStance => matches_stance(picked, last),
            Asked::Raw => match shown(choice) {
                Some((_, raw)) => worked(raw),
                None => absent("the answer has no words"),
            },
            Asked::AmountRaw => match &last.event {
                Event::AmountNamed { raw, .. } | Event::Faulted { raw, .. } if last.at.step == Step::Amount => {
                    worked(raw)
                }
                _ => absent("no amount was asked for"),
            },
            _ => self.choice(picked, choice, last),
        }
    }

    fn purpose(self, picked: &Picked<'_>, last: &Record) -> Worked {
        let phase = picked.arm().phases.iter().find(|phase| phase.name == last.at.phase);
        let word = match (last.at.step, phase.and_then(|phase| phase.poll)) {
            (Step::Ballot | Step::Amount | Step::Tally, _) => "vote",
            (Step::Ranking, _) => "ranking",
            (Step::Application, _) => "application",
            (_, Some(PollTime::Before)) => "straw_before",
            (_, Some(PollTime::After)) => "straw_after",
            _ => "straw_round",
        };
        match self {
            Asked::Weight if word == "vote" => {
                let weight = picked.arm().weight(last.seat.as_ref());
                worked(weight)
            }
            Asked::Weight => Err("this is no vote".to_owned()),
            Asked::Binding => worked(u8::from(matches!(word, "vote" | "application"))),
            Asked::Form if word == "ranking" => worked(word),
            Asked::Form if word == "vote" => worked(picked.arm().form(Purpose::Vote)),
            Asked::Form => worked(if picked.arm().alternatives.len() == 1 { "amount" } else { "choice" }),
            _ => worked(word),
        }
    }

    /// A cell about the alternative chosen or ranked.
    fn choice(self, picked: &Picked<'_>, choice: &Record, last: &Record) -> Worked {
        let Some((options, _)) = shown(choice) else { return absent("the question has no options") };
        if self == Asked::OptionsShown {
            return worked(options.join("|"));
        }
        if let Some(fault) = lost(last) {
            return absent(format!("{} does not count: {}", named(last), fault.as_str()));
        }
        if let Event::Voted { ballot, .. } = &choice.event {
            return self.over(picked, choice, ballot, &options);
        }
        let rank: Option<usize> = picked.case.scope.number("rank");
        let (alternative, amount) = match (&choice.event, &last.event) {
            (Event::Ranked { order, .. }, _) => (rank.and_then(|rank| order.get(rank.checked_sub(1)?)), None),
            (Event::Balloted { alternative, .. }, Event::AmountNamed { amount, .. }) => {
                (Some(alternative), Some(*amount))
            }
            (Event::Balloted { alternative, amount, .. }, _) => (Some(alternative), *amount),
            (Event::Polled { alternative, amount, .. } | Event::Applied { alternative, amount, .. }, _) => {
                (Some(alternative), *amount)
            }
            _ => (None, None),
        };
        let Some(alternative) = alternative else { return absent("the answer names no alternative") };
        let at_rank = rank.map_or(String::new(), |rank| format!(", at rank {rank}"));
        let missing = |why: &str| Err(why.to_owned());
        match self {
            Asked::Alternative => worked(alternative),
            Asked::Correct if matches!(choice.event, Event::Ranked { .. }) => missing("a ranking is no choice"),
            Asked::Correct => compared_with_key(picked, alternative.as_str(), amount.map(u64::from)),
            Asked::Rank => match rank.filter(|_| matches!(choice.event, Event::Ranked { .. })) {
                Some(rank) => worked(rank),
                None => missing("a choice has no ranks"),
            },
            Asked::Score | Asked::Chosen => missing("nothing is scored or approved of"),
            Asked::Amount => match amount {
                Some(amount) => worked(amount),
                None => missing("the alternative takes no amount, or it is ranked only"),
            },
            _ => {
                let place = options.iter().position(|option| *option == alternative.as_str());
                match place {
                    Some(place) => worked(place + 1),
                    None => missing("it was not among the options shown"),
                }
            }
        }
    }
}

impl Asked {
    /// A cell about an alternative of a ballot that says more than one choice.
    fn over(self, picked: &Picked<'_>, record: &Record, ballot: &Ballot<AlternativeName>, options: &[&str]) -> Worked {
        let Some(name) = picked.case.scope.text("alternative") else { return absent("the row has no alternative") };
        let alternative = AlternativeName::new(name);
        let said = ballot.told(Language::En);
        let cell =
            |value: Option<String>, why: &str| value.ok_or(why.to_owned());
        match self {
            Asked::Alternative => cell(Some(name.to_owned()), ""),
            Asked::Rank => cell(ballot.rank(&alternative).map(|rank| rank.to_string()), "the ballot does not rank it"),
            Asked::Score => cell(ballot.score(&alternative).map(|score| score.to_string()), "the ballot has no scores"),
            Asked::Chosen => cell(
                ballot.approves(&alternative).map(|is_approved| u8::from(is_approved).to_string()),
                "the ballot does not say what it approves of",
            ),
            Asked::ShownPosition => {
                let place = options.iter().position(|option| *option == name);
                cell(place.map(|place| (place + 1).to_string()), "it was not among the options shown")
            }
            _ => cell(None, "a ballot that says more is no choice"),
        }
    }
}

/// How often a question was put, an amount's first question not counted, in number and words.
fn tries(choice: &Record, last: &Record) -> (u32, String) {
    let before = |record: &Record| u32::from(record.tries_before().unwrap_or(0));
    // The attempt, and that a question put again after an inquiry is no re-ask.
    let attempt = |record: &Record| {
        let attempt = record.attempt.unwrap_or(0);
        if u32::from(attempt) == before(record) { attempt.to_string() } else { format!("{attempt} - 1") }
    };
    let inquired = |record: &Record| u32::from(record.attempt.unwrap_or(0)) != before(record);
    if choice.seq == last.seq {
        let (tries, less) = (before(last) + 1, if inquired(last) { ", less 1 after an inquiry" } else { "" });
        return (tries, format!("attempt + 1{less} = {} + 1 = {tries}", attempt(last)));
    }
    let tries = before(choice) + 1 + before(last);
    let less = if inquired(choice) || inquired(last) { ", each less 1 after an inquiry" } else { "" };
    let words = format!(
        "attempt of the choice + 1 + re-asks for the amount{less} = {} + 1 + {} = {tries}",
        attempt(choice),
        attempt(last)
    );
    (tries, words)
}

/// What answers cost, one after the other.
fn cost(picked: &Picked<'_>) -> Worked {
    let (arm, names) = (picked.arm(), picked.seat_names());
    let mut total = Dollars::NONE;
    for record in &picked.records {
        let seat = record.seq.0;
        let place = record.seat.as_ref().and_then(|seat| names.iter().position(|name| *name == seat.as_str()));
        let (Some(place), Some(given)) = (place, record.event.given()) else { return absent("it is no answer") };
        let tariff = arm.tariff(place, record.at.step);
        let step = match (given.usage, tariff) {
            _ if !Of::Call.fits(record, arm) => format!("0 (record {seat}: no model was called)"),
            (None, _) if fault(record) == Some(Fault::ContextTooLong) => {
                format!("0 (record {seat}: a question that is too long is not charged for)")
            }
            (None, _) => return absent(format!("{}: the service did not say what it used", named(record))),
            (_, None) => return absent(format!("{}: the price of its model is not known", named(record))),
            (Some(usage), Some(tariff)) => {
                let cost = tariff.of(usage);
                total = total.plus(cost);
                let exact = |nano: u64| Dollars::of_femto(u128::from(nano) * 1_000_000).exact();
                let [input, output] = [tariff.input_nano_per_mtok, tariff.output_nano_per_mtok].map(exact);
                let (prompt, reply) = (usage.prompt_tokens, usage.completion_tokens);
                let cached = usage.cached_prompt_tokens.unwrap_or(0).min(prompt);
                let prompts = match tariff.cached_input_nano_per_mtok.filter(|_| cached > 0) {
                    Some(nano) => format!("{} × {input} + {cached} × {}", prompt - cached, exact(nano)),
                    None => format!("{prompt} × {input}"),
                };
                format!("({prompts} + {reply} × {output}) / 10^6 = {} (record {seat})", cost.exact())
            }
        };
    }
    worked(total.exact())
}

fn answers(picked: &Picked<'_>) -> Worked {
    let count = |kind: Of| picked.records.iter().filter(|record| kind.fits(record, picked.arm())).count();
    let [first, again, invalid, refused] = [Of::FirstTry, Of::Reasked, Of::Invalid, Of::Refused].map(count);
    let sum = first + again + invalid + refused;
    worked(sum)
}

fn matches_stance(picked: &Picked<'_>, last: &Record) -> Worked {
    if matches!(last.event, Event::Voted { .. }) {
        return absent("a ballot that says more than a choice is not compared with stances");
    }
    if matches!(last.at.step, Step::Ranking | Step::Application) {
        return absent("rankings and practice choices are not compared with stances");
    }
    if let Some(fault) = lost(last) {
        return absent(format!("{} does not count: {}", named(last), fault.as_str()));
    }
    let is_stance = |record: &&Record| matches!(record.event, Event::Spoke { .. });
    let (stances, choices): (Vec<&Record>, Vec<&Record>) = picked.records.iter().copied().partition(is_stance);
    let (held, _) = positions(&choices, picked.arm());
    let (declared, _) = positions(&stances, picked.arm());
    match (declared.last(), held.last()) {
        (Some(declared), Some(chosen)) => {
            let flag = u8::from(declared.alternative == chosen.alternative);
            let words = format!(
                "declared last: {}; chosen: {}; 1 if they are the same: {flag}",
                declared.alternative, chosen.alternative
            );
            worked(flag)
        }
        (None, _) => absent("the seat had declared no stance by then"),
        (_, None) => absent("the answer names no alternative"),
    }
}
