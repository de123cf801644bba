//! Parts of a transcript that are more than a line: counts, payments, faults, the end.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::choice::ranked::Strength;
use crate::domain::{
    AlternativeName, Base, CLASS_NAMES, Consequence, Fault, Harvest, NamedChoice, PaymentStage, Payoff, Record,
    RuleKind, Step, StopReason, TallyCount, TallyReport, Truth, Verdict,
};
use crate::report::plain::{block, inline, quoted};
use crate::report::render::grouped;
use crate::report::told::kept;

const WROTE: &str = "invariant: a string takes every character";

/// An answer that does not count.
pub(super) fn faulted(record: &Record, seat: &str, fault: Fault, then: Consequence, raw: &str) -> String {
    let then = consequence(then, record.at.step);
    let step = record.at.step.as_str().replace('_', " ");
    let attempt = u32::from(record.tries_before().unwrap_or(0)) + 1;
    let fault = fault.as_str().replace('_', " ");
    let label = kept(record).words();
    format!("\n*{label}* **{seat}** {step}, try {attempt}: {fault}; {then} [{}]\n\n{}", record.seq.0, block(raw))
}

/// What follows from an answer that does not count, in words.
pub(super) fn consequence(then: Consequence, step: Step) -> &'static str {
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
        (Consequence::TriesUsedUp, Step::Recognition) => "tries used up, nothing is known of it",
        (Consequence::TriesUsedUp, Step::Harvest) => "tries used up, it takes nothing",
        (Consequence::TriesUsedUp, Step::Application) => "tries used up, nothing is paid",
        (Consequence::TriesUsedUp, _) => "tries used up",
    }
}

/// What seats were paid, as a table; empty when it shows nobody.
pub(super) fn paid<'a>(
    seq: u64,
    (stage, situation, multiplier): (PaymentStage, &str, Option<u32>),
    payoffs: impl Iterator<Item = &'a Payoff>,
) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for payoff in payoffs {
        let by = payoff.alternative.as_ref().map_or("by lot".to_owned(), |name| choice(name, payoff.amount));
        let class = CLASS_NAMES.get(usize::from(payoff.class)).copied().unwrap_or_default().replace('_', " ");
        rows.push(vec![
            inline(payoff.seat.as_str()),
            by,
            payoff.table.to_string(),
            class,
            grouped(u64::from(payoff.income)),
            dollars(payoff.payoff_cents),
            dollars(payoff.balance_cents),
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let what = match stage {
        PaymentStage::Application => "practice round",
        PaymentStage::Settlement => "settlement",
    };
    let times = multiplier.map_or(String::new(), |times| format!(", incomes × {}", thousandths(times)));
    let head = ["seat", "choice", "table", "class", "income, dollars a year", "paid, dollars", "balance, dollars"];
    let table = table(&head, &[2, 4, 5, 6], &rows);
    format!(
        "\n*private, to each seat its own line* **Payment**, {what}, situation {}{times} [{seq}]\n\n{table}",
        inline(situation)
    )
}

/// What was taken from a common stock, and what became of it. What of that seats are told, the facilitator says.
pub(super) fn harvested<'a>(
    seq: u64,
    (stock, left, grown): (u32, u32, u32),
    harvests: impl Iterator<Item = &'a Harvest>,
) -> String {
    let row = |harvest: &Harvest| {
        let asked = harvest.asked.map_or("no answer".to_owned(), |asked| grouped(u64::from(asked)));
        vec![inline(harvest.seat.as_str()), asked, grouped(u64::from(harvest.got))]
    };
    let rows: Vec<Vec<String>> = harvests.map(row).collect();
    let [stock, left, grown] = [stock, left, grown].map(|units| grouped(u64::from(units)));
    let table = table(&["seat", "asked for", "got"], &[1, 2], &rows);
    format!("\n**Harvest** of {stock} [{seq}]\n\n{table}\n{left} left; next there are {grown}\n")
}

/// A table whose columns stand one under the other as it is; those of these places hold numbers.
fn table(head: &[&str], numbers: &[usize], rows: &[Vec<String>]) -> String {
    let wide =
        |column: usize| rows.iter().map(|row| row[column].width()).chain([head[column].width(), 4]).max().unwrap_or(4);
    let columns: Vec<usize> = (0..head.len()).map(wide).collect();
    let cell = |(column, text): (usize, &str)| {
        let blank = " ".repeat(columns[column] - text.width());
        if numbers.contains(&column) { format!(" {blank}{text} |") } else { format!(" {text}{blank} |") }
    };
    let line =
        |cells: &mut dyn Iterator<Item = &str>| format!("|{}\n", cells.enumerate().map(cell).collect::<String>());
    let rule = |column: usize| {
        let dashes = "-".repeat(columns[column] - 1);
        if numbers.contains(&column) { format!(" {dashes}: |") } else { format!(" {dashes}- |") }
    };
    let mut out = line(&mut head.iter().copied());
    writeln!(out, "|{}", (0..head.len()).map(rule).collect::<String>()).expect(WROTE);
    rows.iter().for_each(|row| out.push_str(&line(&mut row.iter().map(String::as_str))));
    out
}

/// A count of ballots, with the rule by which it decided and how strong a win is there.
pub(super) fn tallied(seq: u64, report: &TallyReport, strength: Option<Strength>) -> String {
    let has_points = report.counts.iter().any(|count| count.points.is_some());
    let row = |count: &TallyCount| {
        let points = count.points.map_or(String::new(), |points| points.to_string());
        let cells = [choice(&count.alternative, count.amount), count.count.to_string(), points];
        cells.into_iter().take(if has_points { 3 } else { 2 }).collect()
    };
    let head = ["alternative", "ballots", "points"];
    let head = if has_points { &head[..] } else { &head[..2] };
    let counts = table(head, &[1, 2], &report.counts.iter().map(row).collect::<Vec<Vec<String>>>());
    let mut out = format!("\n**Count** {} [{seq}]\n\n{counts}", by_rule(report, strength));
    let named = |named: &NamedChoice| said(&named.alternative, named.amount);
    let winners: Vec<String> = report.winners.iter().map(named).collect();
    let tie_break = report.tie_break.map_or(String::new(), |by| {
        let of: Vec<String> = report.tie_ballots.iter().map(|seat| inline(seat.as_str())).collect();
        let ballots = if of.is_empty() { String::new() } else { format!(", the ballots of {}", of.join(", ")) };
        format!("; tie-break: {}{ballots}", by.as_str().replace('_', " "))
    });
    writeln!(
        out,
        "\n{} eligible, {} valid, {} invalid{}, {} abstained{}{}{}{}; winners: {}{tie_break}; decided: {}",
        report.eligible,
        report.valid,
        report.invalid,
        if report.abstained > report.by_choice { " and counted as abstentions" } else { "" },
        report.by_choice,
        report.threshold.map(|threshold| format!(", {threshold} needed")).unwrap_or_default(),
        if report.quorum_met == Some(false) { "; no quorum" } else { "" },
        if report.is_void() { "; an invalid ballot voids the vote" } else { "" },
        report.uncounted.as_ref().map(|why| format!("; not counted: {}", inline(why))).unwrap_or_default(),
        if winners.is_empty() { "none".to_owned() } else { winners.join(", ") },
        report.decided.as_ref().map_or("nothing".to_owned(), named),
    )
    .expect(WROTE);
    out
}

/// By which rule a count decided: `by majority of members`, `by ranked pairs, strength winning votes`.
fn by_rule(report: &TallyReport, strength: Option<Strength>) -> String {
    let rule = report.rule.as_str().replace('_', " ");
    match report.rule {
        RuleKind::Majority | RuleKind::Supermajority | RuleKind::Unanimity => match report.base {
            Base::Members => format!("by {rule} of members"),
            Base::Valid => format!("by {rule} of valid ballots"),
        },
        rule_kind => match strength.filter(|_| weighs_wins(rule_kind)) {
            Some(strength) => format!("by {rule}, strength {}", strength.as_str().replace('_', " ")),
            None => format!("by {rule}"),
        },
    }
}

/// Whether a rule weighs how strongly an alternative beats another.
pub(super) fn weighs_wins(rule: RuleKind) -> bool {
    matches!(rule, RuleKind::Minimax | RuleKind::Schulze | RuleKind::RankedPairs)
}

/// The end of a session.
pub(super) fn adjourned(
    seq: u64,
    (verdict, stop): (Verdict, StopReason),
    decided: Option<&NamedChoice>,
    right: Option<&Truth>,
) -> String {
    let named = decided.map(|named| said(&named.alternative, named.amount));
    let (outcome, why) = (outcome((verdict, stop), named), why_ended(stop));
    let right = right.map_or(String::new(), |right| format!("; right is {}", right_one(right)));
    format!("\n## Outcome [{seq}]\n\n{outcome} ({why}){right}\n")
}

/// What is right.
pub(super) fn right_one(truth: &Truth) -> String {
    match truth {
        Truth::Alternative(name) => said(name, None),
        Truth::Amount(amount) => grouped(u64::from(*amount)),
    }
}

/// What a session came to, with what was decided for where something was.
pub(super) fn outcome((verdict, stop): (Verdict, StopReason), decided: Option<String>) -> String {
    match (verdict, decided) {
        (Verdict::Carried, Some(name)) => format!("carried: {name}"),
        (Verdict::Carried, None) => "carried".to_owned(),
        (Verdict::Imposed, Some(name)) => format!("imposed: {name}"),
        (Verdict::Imposed, None) => "imposed".to_owned(),
        (Verdict::NoDecision, _) => "no decision".to_owned(),
        (Verdict::NoQuorum, _) => "no decision, for want of valid ballots".to_owned(),
        // There may have been votes while there were seats.
        (Verdict::NotApplicable, _) if stop == StopReason::NobodyLeft => "nobody was left to decide".to_owned(),
        (Verdict::NotApplicable, _) => "no vote was held".to_owned(),
    }
}

/// Why a session ended.
pub(super) fn why_ended(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Decided => "a vote decided",
        StopReason::RoundsUsedUp => "all rounds were used up",
        StopReason::Undecided => "the vote decided nothing",
        StopReason::Imposed => "the decision was imposed",
        StopReason::Converged => "statements had become alike, which ended the talk",
        StopReason::Collapsed => "the common stock was gone",
        StopReason::NobodyLeft => "every seat was excluded",
        StopReason::AgendaDone => "the agenda is at its end",
    }
}

/// An alternative, and its amount where there is one.
pub(super) fn choice(name: &AlternativeName, amount: Option<u32>) -> String {
    let amount = amount.map_or(String::new(), |amount| format!(" {}", grouped(u64::from(amount))));
    inline(name.as_str()) + &amount
}

/// The same in a sentence, where a name such as `for` may be taken for a word.
pub(super) fn said(name: &AlternativeName, amount: Option<u32>) -> String {
    quoted(&choice(name, amount))
}

/// Names joined by commas.
pub(super) fn names(names: &[AlternativeName]) -> String {
    let names: Vec<String> = names.iter().map(|name| inline(name.as_str())).collect();
    names.join(", ")
}

/// A number of thousandths as a decimal number.
pub(super) fn thousandths(value: u32) -> String {
    let text = format!("{}.{:03}", value / 1000, value % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Cents as dollars.
pub(super) fn dollars(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_of_a_table_stand_one_under_the_other_in_whatever_script(
            names in prop::collection::vec("(.|[一-龠]|\u{301}|👩‍🚀){0,12}", 1..5),
            number in 0u32..100_000,
        ) {
            let rows: Vec<Vec<String>> = names.iter().map(|name| vec![inline(name), number.to_string()]).collect();
            let table = table(&["alternative", "ballots"], &[1], &rows);
            let widths: Vec<usize> = table.lines().map(UnicodeWidthStr::width).collect();
            prop_assert_eq!(widths.len(), rows.len() + 2);
            prop_assert!(widths.iter().all(|width| *width == widths[0]), "{}", table);
        }
    }
}
