//! The summary as text, no wider than what it is written on: a bar for each share from 80 columns on, and none on less.

use crate::text::{extend_decimals, put_line};
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use crate::analysis::statistics::Interval;
use crate::domain::Dollars;
use crate::report::arm::words_beside_name;
use crate::report::lines::{hanging, padded, wrapped_on};
use crate::report::numbers::{counted, grouped};
use crate::report::plain::on_line;
use crate::report::right::Right;
use crate::report::sheet::{Sheet, Tone};
use crate::report::summary::{A_TEXT, ArmReport, ChoiceShare, Converged, Integrity, Report};

mod columns;
mod items;
mod values;

use columns::{NAME, in_words, line, named};

/// Columns of a bar on a page; the last of them is the page's eightieth.
const BAR: usize = 25;
/// Columns of a bar at the most, however wide the terminal is.
const BAR_MAX: usize = 51;
/// Columns of the words behind a name.
const WORDS: usize = 55;

/// The arms that have a block of their own; of more arms each has two or three lines, so that the summary fits one screen.
const BLOCKS_MAX: usize = 2;

/// Lays the numbers of a run out as text. `wall` is its duration, `contrast` the first contrast in a sentence. Headings stand out on
/// a terminal with colours.
pub fn render(report: &Report, wall: Duration, contrast: Option<&str>, sheet: Sheet) -> String {
    let mut out = String::new();
    let seats = report.count_seats();
    let promise = match (report.determinism, report.human_seats) {
        ("recomputed", _) => "recomputed: same bytes on any machine",
        (_, (0, 0)) => "recorded: same bytes from the recorded model calls",
        _ => "recorded: same bytes from the recorded answers",
    };
    put_line!(
        out,
        "{} · {} of {} sessions completed · {seats} · seed {}",
        on_line(&report.experiment),
        grouped(report.completed),
        grouped(report.sessions),
        report.seed,
    );
    let people = match report.human_seats {
        (0, 0) => String::new(),
        (least, most) if least == most => format!("human seats: {most}"),
        (least, most) => format!("human seats: {least} to {most}"),
    };
    let minds = match (report.simulated_minds, report.minds_alone) {
        (false, _) => "",
        (true, true) => "simulated minds: rules, not people and not language models",
        (true, false) => "some seats are simulated minds: rules, not people and not language models",
    };
    let second = [people.as_str(), minds].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · ");
    if !second.is_empty() {
        put_line!(out, "{second}");
    }
    put_line!(out, "{promise} · {:.1} s", wall.as_secs_f64());
    let are_shared = report.arms.windows(2).all(|arms| arms[0].labels == arms[1].labels);
    report
        .arms
        .iter()
        .filter(|arm| are_shared && !arm.choices.is_empty())
        .take(1)
        .for_each(|arm| labels(&mut out, arm));
    for (place, arm) in report.arms.iter().enumerate() {
        if place == 0 || report.arms.len() <= BLOCKS_MAX {
            out.push('\n');
        }
        if report.arms.len() > 1 {
            heading(&mut out, arm, sheet);
        }
        if !are_shared {
            labels(&mut out, arm);
        }
        match report.arms.len() > BLOCKS_MAX {
            true => put_in_short(&mut out, arm),
            false => block(&mut out, arm, sheet),
        }
    }
    if report.arms.len() > BLOCKS_MAX {
        put_totals(&mut out, report);
    }
    values::put_values(&mut out, report);
    if report.count_unfinished() > 0 {
        let left = counted(report.count_unfinished(), "unfinished session");
        line(&mut out, "not counted", &format!("answers, calls and cost of {left}"));
    }
    if let Some(contrast) = contrast {
        out.push('\n');
        hanging(&mut out, " ", contrast, Sheet::PAGE.columns);
    }
    if sheet.columns < Sheet::PAGE.columns { narrowed(&out, sheet.columns) } else { out }
}

/// What the arm is, and its name, which is that of its folders.
fn heading(out: &mut String, arm: &ArmReport, sheet: Sheet) {
    let title = match words_beside_name(&arm.levels, &arm.arm) {
        Some(levels) => format!("{levels} ({})", arm.arm),
        None if arm.levels.is_empty() => arm.arm.clone(),
        None => arm.levels.clone(),
    };
    let (on, off) = sheet.style.tone_codes(Tone::Strong);
    let mut lines = String::new();
    hanging(&mut lines, "", &title, sheet.columns.min(Sheet::PAGE.columns));
    lines.lines().for_each(|line| put_line!(out, "{on}{line}{off}"));
}

/// What the names of the alternatives stand for, a line each.
fn labels(out: &mut String, arm: &ArmReport) {
    if arm.choices.is_empty() || arm.labels.is_empty() {
        return;
    }
    out.push_str("\n alternatives\n");
    let names: Vec<String> = arm.labels.iter().map(|(name, _)| on_line(name)).collect();
    let columns = names.iter().map(|name| name.width()).max().unwrap_or(0).min(NAME);
    for (name, (_, label)) in names.iter().zip(&arm.labels) {
        let lead = format!("   {}  ", padded(name, columns));
        let room = Sheet::PAGE.columns - lead.width() - " …".len();
        wrapped_on(out, &lead, (label, &[]), room, Sheet::PAGE);
    }
}

/// The same on less than a page: what is too wide goes on below, behind its name where it has one. Headings stay as they are.
fn narrowed(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.width() <= columns || line.contains('\u{1b}') {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let behind = line.char_indices().map(|(at, _)| at).find(|at| line[..*at].width() == NAME + 2);
        match behind.filter(|at| line.starts_with(' ') && line[..*at].ends_with(' ')) {
            Some(at) => hanging(&mut out, &line[..at], &line[at..], columns),
            None => hanging(&mut out, "", line, columns),
        }
    }
    out
}

/// In how many sessions statements became alike, and when.
fn converged(of: &Converged, sessions: u64) -> String {
    let first = of.median_round.map_or(String::new(), |round| format!(", first in round {round} (median)"));
    let ends = if of.ends_talk && of.sessions > 0 { "; it ended their talk" } else { "" };
    format!("{} of {} at {} {}{first}{ends}", of.sessions, counted(sessions, "session"), of.threshold, of.profile)
}

/// Which of several votes gives the results, by the least and the greatest number of them: `the last of 3 – 15 votes`.
fn last_of([least, most]: [u32; 2]) -> String {
    if least == most { format!("the last of {most} votes") } else { format!("the last of {least} – {most} votes") }
}

/// How questions were settled.
fn answers(kept: &Integrity) -> String {
    format!(
        "{} answers: {} first try · {} re-asked · {} invalid",
        grouped(kept.answers),
        grouped(kept.first_try),
        grouped(kept.reasked),
        grouped(kept.invalid),
    )
}

/// The sessions that were decided by default, with those among them that followed a void vote; `None` if there were none.
fn describe_defaults(arm: &ArmReport, cause: &str) -> Option<String> {
    let sessions = counted(arm.by_default?, "session");
    let words = |of: u64| format!(", {} of them after a vote that invalid ballots made void", grouped(of));
    Some(format!("{sessions}{cause}{}", arm.void_before_default.map_or(String::new(), words)))
}

fn block(out: &mut String, arm: &ArmReport, sheet: Sheet) {
    if let Some(imposed) = &arm.imposed {
        put_line!(out, " imposed: {}\n", on_line(imposed));
    }
    if !arm.choices.is_empty() {
        let (name, bar) = ("group choice", bar_columns(sheet));
        let axis = bar.map_or(String::new(), axis);
        put_line!(out, " {name:<NAME$}sessions  share  95 % interval{axis}");
        arm.choices.iter().for_each(|choice| row(out, choice, bar));
        if arm.choices.iter().any(|choice| choice.alternative.as_deref() == Some(A_TEXT)) {
            out.push_str(" letters are each session's own texts, so they are not added up\n");
        }
        out.push('\n');
    }
    arm.items.iter().for_each(|of| items::put(out, of));
    if let Some(of) = &arm.right {
        right(out, of);
    }
    if let Some(votes) = arm.last_of_votes {
        line(out, "result", &format!("that of {}", last_of(votes)));
    }
    if let Some(sessions) = describe_defaults(arm, ": no vote decided") {
        hanging(out, &format!(" {:<24}", "decided by default"), &sessions, Sheet::PAGE.columns);
    }
    arm.by_lot.iter().for_each(|of| line(out, "tie broken by lot", &of.words()));
    if let Some(straw) = &arm.straw {
        let bound = |points: f64| format!("{points:+.*}", extend_decimals(points, 0));
        let interval = straw.interval.map_or(String::new(), |Interval { low, high }| {
            format!(" (95 % {} – {})", bound(100.0 * low), bound(100.0 * high))
        });
        let (before, after, change) = (100.0 * straw.before, 100.0 * straw.after, 100.0 * straw.change);
        let change = match extend_decimals(change, 0) {
            // Adding zero makes a negative zero positive.
            0 => format!("{:+.0}", change.round() + 0.0),
            decimals => format!("{change:+.decimals$}"),
        };
        line(
            out,
            "polls, largest option",
            &format!("before {before:.0} %  after {after:.0} %: {change} points{interval}"),
        );
    }
    let (alike, polled) = (arm.integrity.trivial_consensus, arm.integrity.polled_before);
    if polled > 0 {
        let polled = counted(polled, "session");
        line(out, "poll before the talk", &format!("all answered alike in {} of {polled}", grouped(alike)));
    }
    if let Some(time) = &arm.time_to_decision {
        let median = time.median.map_or(format!("median above {}", time.rounds_max), |median| {
            format!("median {median} of {}", time.rounds_max)
        });
        let cut = format!("; {} cut off at round {}", counted(time.censored, "session"), time.rounds_max);
        line(out, "rounds to a decision", &(median + if time.censored > 0 { &cut } else { "" }));
    }
    if let Some(of) = &arm.converged {
        line(out, "converged", &converged(of, arm.completed));
    }
    line(out, "integrity", &answers(&arm.integrity));
    let kept = &arm.integrity;
    let failed = counted(kept.failed_sessions, "failed session");
    line(out, "", &format!("{} refused · {failed}", grouped(kept.refused)));
    let cost = match (arm.cost_usd, arm.cost_untold_usd_at_most) {
        (Some(cost), _) => cost.to_string(),
        // The prices are known, and how many tokens some answer took is not.
        (None, Some(_)) => "not all costs known".to_owned(),
        (None, None) => "price not known".to_owned(),
    };
    put_cost(out, arm.calls, arm.prompt_tokens + arm.completion_tokens, &cost);
    if arm.attempts_untold > 0 {
        let attempts = counted(arm.attempts_untold, "attempt");
        let most = arm.cost_untold_usd_at_most.map_or(String::new(), |most| format!(", {most} at most"));
        line(out, "", &format!("{attempts} with no answer, or none that tells its tokens{most}"));
    }
}

fn put_cost(out: &mut String, calls: u64, tokens: u64, cost: &str) {
    let words = format!("{} · {} · {cost}", counted(calls, "model call"), counted(tokens, "token"));
    line(out, "cost", if calls == 0 { "0 model calls · $0.00" } else { &words });
}

/// An arm in two or three lines: the results with their shares and intervals, then what else a reader must know.
fn put_in_short(out: &mut String, arm: &ArmReport) {
    let mut parts: Vec<String> = Vec::new();
    if let Some(imposed) = &arm.imposed {
        parts.push(format!("imposed: {}", on_line(imposed)));
    }
    for choice in arm.choices.iter().filter(|choice| choice.sessions > 0) {
        let name = choice.alternative.as_deref().map_or("no decision".to_owned(), on_line);
        let Interval { low, high } = choice.interval;
        let amounts = choice.amounts.as_ref().map_or(String::new(), |amounts| format!(", {}", in_words(amounts)));
        parts.push(format!("{name} {:.0} % ({:.0} – {:.0}){amounts}", 100.0 * choice.share, 100.0 * low, 100.0 * high));
    }
    if let Some(items) = &arm.items {
        match (&items.conformed, &items.correct) {
            (Some(of), _) => {
                parts.push(format!("conformed {} in {}", of.words(), of.critical()));
                parts.push(format!("correct {}", of.right_words()));
            }
            (None, Some(of)) => {
                parts.push(format!("correct {} of {}", grouped(of.correct), counted(of.sessions, "decision")))
            }
            (None, None) => {}
        }
        let error = items.error.as_ref();
        parts.extend(error.map(|of| {
            let (items, decisions) = (counted(of.items, "item"), counted(of.sessions, "decision"));
            format!("{:.1} % off what is right (mean over {items}, {decisions})", 100.0 * of.mean)
        }));
    }
    // Without anything before it, what is right would read as the number of sessions that were right.
    if parts.is_empty() && arm.right.as_ref().is_some_and(|of| of.correct.is_none()) {
        parts.push("without a group decision".to_owned());
    }
    parts.extend(arm.right.as_ref().map(|of| match of.correct {
        Some(_) => format!("correct {}", on_line(&of.words())),
        None => on_line(&of.words()),
    }));
    parts.extend(arm.last_of_votes.map(|votes| format!("result of {}", last_of(votes))));
    parts.extend(describe_defaults(arm, "").map(|sessions| format!("decided by default: {sessions}")));
    parts.extend(arm.by_lot.as_ref().map(|of| format!("tie broken by lot: {}", of.words())));
    let (alike, polled) = (arm.integrity.trivial_consensus, arm.integrity.polled_before);
    if alike > 0 {
        parts.push(format!("all answered alike before the talk in {} of {}", grouped(alike), grouped(polled)));
    }
    if let Some(time) = &arm.time_to_decision {
        parts.push(
            time.median
                .map_or(format!("median round above {}", time.rounds_max), |median| format!("median round {median}")),
        );
    }
    let lost = arm.integrity.invalid + arm.integrity.refused;
    if lost > 0 {
        parts.push(format!("{} without a valid answer", counted(lost, "question")));
    }
    if arm.integrity.failed_sessions > 0 {
        parts.push(counted(arm.integrity.failed_sessions, "failed session"));
    }
    let sessions = format!("   {:<10} ", counted(arm.completed, "session"));
    hanging(out, &sessions, &parts.join(" · "), Sheet::PAGE.columns);
}

/// How questions were settled and what they cost, over all arms.
fn put_totals(out: &mut String, report: &Report) {
    let sum = |of: fn(&ArmReport) -> u64| report.arms.iter().map(of).sum::<u64>();
    let all = Integrity {
        answers: sum(|arm| arm.integrity.answers),
        first_try: sum(|arm| arm.integrity.first_try),
        reasked: sum(|arm| arm.integrity.reasked),
        invalid: sum(|arm| arm.integrity.invalid),
        ..Integrity::default()
    };
    out.push('\n');
    line(out, "integrity", &answers(&all));
    let refused = grouped(sum(|arm| arm.integrity.refused));
    let failed = counted(sum(|arm| arm.integrity.failed_sessions), "failed session");
    line(out, "", &format!("{refused} refused · {failed}"));
    let calls = sum(|arm| arm.calls);
    let cost = report.arms.iter().map(|arm| arm.cost_usd).try_fold(Dollars::NONE, |sum, cost| Some(sum.plus(cost?)));
    let cost = cost.map_or("not all costs known".to_owned(), |cost| cost.to_string());
    let tokens = sum(|arm| arm.prompt_tokens + arm.completion_tokens);
    put_cost(out, calls, tokens, &cost);
}

/// How many were right, and what is: on one line, where there is room.
fn right(out: &mut String, of: &Right) {
    let is = on_line(&of.is_words());
    let Some(correct) = &of.correct else { return line(out, "amount", &is) };
    let (words, left_out) = (correct.words(), correct.left_out());
    let whole = format!("{words}; {is}");
    match left_out.is_none() && whole.width() <= WORDS {
        true => line(out, "correct", &whole),
        false => {
            line(out, "correct", &words);
            left_out.iter().chain([&is]).for_each(|words| line(out, "", words));
        }
    }
}

fn row(out: &mut String, choice: &ChoiceShare, bar_columns: Option<usize>) {
    let name = named(choice.alternative.as_deref().unwrap_or("no decision"));
    let Interval { low, high } = choice.interval;
    let (share, low_pc, high_pc) = (100.0 * choice.share, 100.0 * low, 100.0 * high);
    let bar = bar_columns.map_or(String::new(), |columns| format!("  {}", bar((low, choice.share, high), columns)));
    let sessions = grouped(choice.sessions);
    put_line!(out, " {name}{sessions:>8} {share:>4.0} %   {low_pc:>3.0} – {high_pc:>3.0} %{bar}");
    if let Some(amounts) = &choice.amounts {
        hanging(out, &format!("   {:<22}", "amount"), &in_words(amounts), Sheet::PAGE.columns);
    }
}

/// Columns of a bar: there is room for one from a page's width on. An odd number, so that the half has a place of its own.
fn bar_columns(sheet: Sheet) -> Option<usize> {
    let more = sheet.columns.checked_sub(Sheet::PAGE.columns)?;
    Some((BAR + more / 2 * 2).min(BAR_MAX))
}

/// What stands over bars.
fn axis(columns: usize) -> String {
    let half = format!("{:>width$}", "50 %", width = columns / 2 - 1);
    format!(" 0 %{half}{:>width$}", "100 %", width = columns - columns / 2 - 2)
}

/// An interval and its centre on a line from 0 to 100 %.
fn bar((low, share, high): (f64, f64, f64), columns: usize) -> String {
    let place = |value: f64| (value.clamp(0.0, 1.0) * (columns - 1) as f64).round() as usize;
    let (low, share, high) = (place(low), place(share), place(high));
    let cell = |at: usize| match at {
        at if at == share => '█',
        at if at == low => '├',
        at if at == high => '┤',
        at if at > low && at < high => '─',
        _ => ' ',
    };
    (0..columns).map(cell).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sheet::Style;

    #[test]
    fn a_bar_never_leaves_its_line() {
        for columns in [BAR, BAR + 2, BAR_MAX] {
            assert_eq!(bar((0.8, 1.0, 1.0), columns).chars().count(), columns);
        }
        assert_eq!(bar((0.0, 0.0, 0.2), BAR), "█────┤");
        assert_eq!(axis(BAR), " 0 %       50 %      100 %");
        assert_eq!(axis(BAR_MAX).len(), " 0 %       50 %      100 %".len() + BAR_MAX - BAR);
    }

    #[test]
    fn on_a_narrow_terminal_what_is_too_wide_goes_on_below_and_no_word_is_lost() {
        let text = format!(
            " integrity               42 answers: 32 first try · 6 re-asked · 4 invalid\n\n plain words {}\n short\n",
            "that go on ".repeat(9)
        );
        for columns in 48..80 {
            let set = narrowed(&text, columns);
            assert!(set.lines().all(|line| line.width() <= columns), "{set}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&set), words(&text));
        }
        let set = narrowed(&text, 60);
        assert!(
            set.starts_with(" integrity               42 answers: 32 first try · 6\n                         re-asked"),
            "{set}"
        );
    }

    #[test]
    fn a_row_has_its_columns_whatever_script_its_name_is_in_and_a_bar_only_where_there_is_room() {
        let sheet = |columns| Sheet { columns, style: Style::Plain };
        let choice = |name: &str| ChoiceShare {
            alternative: Some(name.to_owned()),
            sessions: 7,
            share: 0.5,
            interval: Interval { low: 0.2, high: 0.8 },
            amounts: None,
        };
        let line = |name: &str, columns| {
            let mut out = String::new();
            row(&mut out, &choice(name), bar_columns(sheet(columns)));
            out
        };
        for name in ["floor", "最低收入", "e\u{301}galite\u{301}", "❤️ 👩‍🚀", &"长".repeat(40), &"x".repeat(40)]
        {
            let before = line(name, 80).split(" 50 %").next().unwrap_or_default().width();
            assert_eq!(before, line("floor", 80).split(" 50 %").next().unwrap_or_default().width(), "{name}");
            assert!(line(name, 80).trim_end().width() <= 80 && line(name, 79).trim_end().width() <= 55, "{name}");
            assert!(line(name, 80).contains('█') && !line(name, 79).contains('█'), "{name}");
        }
    }
}
