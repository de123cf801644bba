//! Phrases and numbers that several wordings share.

use super::plan_words::PlanWords;
use crate::domain::{Consequence, RuleKind, SeatName, Step, StopReason, Truth, Verdict};
use crate::report::numbers::{grouped, trim_zeros};
use crate::report::quoted;

pub(super) fn right_words(truth: &Truth, plan: &PlanWords) -> String {
    match truth {
        Truth::Alternative(name) => format!("right is {}", quoted(&plan.word_option(name))),
        Truth::Amount(amount) => format!("right is {}", grouped(u64::from(*amount))),
    }
}

pub(super) fn join_names<'n>(names: impl IntoIterator<Item = &'n SeatName>) -> String {
    names.into_iter().map(SeatName::as_str).collect::<Vec<_>>().join(", ")
}

/// Replaces underscores with blanks.
pub(in crate::report) fn spell_out(word: &str) -> String {
    word.replace('_', " ")
}

/// The consequence of an answer that does not count, in words.
pub(super) fn consequence_words(then: Consequence, step: Step) -> &'static str {
    match (then, step) {
        (Consequence::AskedAgain, _) => "asked again",
        (Consequence::TriesUsedUp, Step::Ballot | Step::Amount) => "tries used up, the ballot is invalid",
        (Consequence::TriesUsedUp, Step::StrawPoll) => "tries used up, the poll stays unanswered",
        (Consequence::TriesUsedUp, Step::Statement) => "tries used up, the turn is forfeited",
        (Consequence::TriesUsedUp, Step::VoteCall) => "tries used up, no vote is called",
        (Consequence::TriesUsedUp, Step::Confirmation) => "tries used up, it counts as a no",
        (Consequence::TriesUsedUp, Step::Volunteer) => "tries used up, the seat does not speak in this round",
        (Consequence::TriesUsedUp, Step::Integration | Step::Compression) => "tries used up, the memory stays as it is",
        (Consequence::TriesUsedUp, Step::Naming) => "tries used up, it keeps the name of its seat",
        (Consequence::TriesUsedUp, Step::Notes) => "tries used up, its notes stay as they are",
        (Consequence::TriesUsedUp, Step::Ask) => "tries used up, the form stays unanswered",
        (Consequence::TriesUsedUp, Step::Recognition) => "tries used up, nothing is known of it",
        (Consequence::TriesUsedUp, Step::Application) => "tries used up, nothing is paid",
        (Consequence::TriesUsedUp, _) => "tries used up",
    }
}

/// The outcome of a session in words, with the decision if there is one.
pub(super) fn outcome_words((verdict, stop): (Verdict, StopReason), decided: Option<String>, votes: u32) -> String {
    let what = match verdict {
        Verdict::Carried => "carried",
        Verdict::ByDefault => "decided by default",
        Verdict::Imposed => "imposed",
        Verdict::NoDecision => "no decision",
        Verdict::NoQuorum => "no decision, for want of valid ballots",
        // Earlier votes are possible here.
        Verdict::NotApplicable if stop == StopReason::NobodyLeft => "nobody was left to decide",
        // A vote of each group decides nothing for the session, and neither does one that is not binding.
        Verdict::NotApplicable if votes > 0 => "no vote was to decide the session",
        Verdict::NotApplicable => "no vote was held",
    };
    match (verdict, decided) {
        (Verdict::Carried | Verdict::ByDefault | Verdict::Imposed, Some(name)) => format!("{what}: {name}"),
        _ => what.to_owned(),
    }
}

/// The reason for the end of a session, in words.
pub(super) fn stop_words(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Decided => "a vote decided",
        StopReason::RoundsUsedUp => "all rounds were used up",
        StopReason::Undecided => "the vote decided nothing",
        StopReason::Imposed => "the decision was imposed",
        StopReason::Converged => "statements had become alike, which ended the talk",
        StopReason::NobodyLeft => "every seat was excluded",
        StopReason::AgendaDone => "the agenda is at its end",
    }
}

/// Whether a rule weighs how strongly an alternative beats another.
pub(in crate::report) fn weighs_wins(rule: RuleKind) -> bool {
    matches!(rule, RuleKind::Minimax | RuleKind::Schulze | RuleKind::RankedPairs)
}

/// Formats thousandths as a decimal number.
pub(super) fn format_thousandths(value: u32) -> String {
    trim_zeros(&format!("{}.{:03}", value / 1000, value % 1000)).to_owned()
}

/// Formats cents as dollars.
pub(in crate::report) fn format_dollars(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
