//! Payoffs, what other choices would have paid, other rules, and the cost of answers.

use indexmap::{IndexMap, IndexSet};

use super::arms::{join_findings, mark_with_interval, name_prefix, name_row, series_of_arm, sessions_of};
use crate::analysis::statistics::mean;
use crate::figure::{At, Axis, Figure, FigureForm, FigureMark, ValueUnit};
use crate::report::numbers::sign_flip_interval;
use crate::report::page::course::{ComputedPay, Forgone, Paid};
use crate::report::page::gathered::Gathered;
use crate::report::{ArmRecount, counted};

/// The cells that a finding names.
const CELLS_NAMED: usize = 3;

/// What each other rule makes of the vote that gives the result of each session.
pub fn draw_rules(gathered: &Gathered<'_>) -> Vec<Figure> {
    let own: Vec<&ArmRecount> = gathered.recounts.iter().filter(|recount| recount.of_votes() > 0).collect();
    // Rules for choices say nothing about amounts of a single option.
    if own.is_empty() || gathered.has_one_alternative() {
        return Vec::new();
    }
    let columns: IndexSet<String> = own.iter().map(|recount| name_row(gathered, &recount.arm)).collect();
    let columns = Vec::from_iter(columns);
    let mut marks = Vec::new();
    // Of several votes in a session the last one decides.
    for recount in own.iter().rev() {
        let column = name_row(gathered, &recount.arm);
        let of_votes = recount.of_votes() - recount.refused;
        let rule = recount.rule.replace('_', " ");
        let series = recount.threshold.as_ref().map_or(rule.clone(), |share| format!("{rule} of {share}"));
        if of_votes == 0
            || marks.iter().any(|mark: &FigureMark| mark.series == series && mark.at == At::Name(column.clone()))
        {
            continue;
        }
        let share = (recount.same + recount.tied) as f64 / of_votes as f64;
        let tied = match recount.tied {
            0 => String::new(),
            tied => format!(" ({} tied)", ValueUnit::Percent.write(tied as f64 / of_votes as f64)),
        };
        marks.push(FigureMark {
            series,
            at: At::Name(column),
            value: Some(share),
            text: format!("{}{tied}", ValueUnit::Percent.write(share)),
            n: Some(of_votes),
            ..FigureMark::default()
        });
    }
    marks.reverse();
    let all: u64 = marks.iter().filter_map(|mark| mark.n).max().unwrap_or(0);
    let least = marks.iter().filter_map(|mark| mark.value).fold(1.0, f64::min);
    let finding = match least {
        1.0 if own.iter().all(|recount| recount.tied == 0) => {
            "Under every rule the results that the sessions decided win.".to_owned()
        }
        1.0 => "Under every rule the results that the sessions decided win or tie.".to_owned(),
        least => {
            let those = marks.iter().filter(|mark| mark.value == Some(least));
            let cells = those.map(|mark| match &mark.at {
                At::Name(arm) if columns.len() > 1 => format!("{} ({arm})", mark.series),
                _ => mark.series.clone(),
            });
            let cells: Vec<String> = cells.collect();
            let more = cells.len().saturating_sub(CELLS_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!(
                "Least agreement with the decisions, {}: {}{more}.",
                ValueUnit::Percent.write(least),
                cells[..cells.len().min(CELLS_NAMED)].join(", ")
            )
        }
    };
    vec![Figure {
        name: "rules".to_owned(),
        title: "Results under other rules".to_owned(),
        finding,
        reading: format!(
            "A cell is the share of up to {} in which the result that the session decided wins under a rule, applied to the same ballots \
             of the vote that gives the result, alone or tied with others; the share of ties is in brackets. Sessions that decided nothing are left out. Ballots \
             were cast under the session's own rule; under another one seats might have voted otherwise. ekklesia retally lists every \
             vote, tie and threshold.",
            counted(all, "session")
        ),
        form: FigureForm::Grid {
            columns,
            across: "arm".to_owned(),
            upwards: "rule".to_owned(),
            unit: ValueUnit::Percent,
            legend: Vec::new(),
        },
        marks,
    }]
}

/// Why no rule is compared with decisions although votes were held; empty if rules are compared, and without votes.
pub fn describe_no_decision(gathered: &Gathered<'_>) -> String {
    let is_undecided = !gathered.rule_results.is_empty() && gathered.recounts.is_empty();
    match is_undecided && !gathered.has_one_alternative() {
        true => "No session decided anything, so no rule can agree with a decision.".to_owned(),
        false => String::new(),
    }
}

/// What a seat was paid at a stage, in cents.
type PaidAt = fn(&Paid) -> Option<i64>;

/// What seats were paid.
pub fn draw_payoffs(gathered: &Gathered<'_>) -> Vec<Figure> {
    let stages: [(&str, PaidAt); 3] = [
        ("practice rounds", |paid| paid.applications),
        ("settlement", |paid| paid.settlement),
        ("in all", |paid| paid.applications.and(paid.settlement).and(paid.total)),
    ];
    let mut marks = Vec::new();
    for (stage, paid) in stages {
        for arm in gathered.arms() {
            let courses = sessions_of(gathered, arm);
            let seats = courses.iter().flat_map(|course| &course.seats);
            let dollars: Vec<f64> =
                seats.filter_map(|seat| paid(&seat.paid)).map(|cents| cents as f64 / 100.0).collect();
            let (_, colour) = series_of_arm(gathered, arm);
            marks.extend(mean(&dollars).map(|mean| FigureMark {
                panel: stage.to_owned(),
                series: gathered.labels.arm(arm).to_owned(),
                value: Some(mean),
                n: Some(dollars.len() as u64),
                colour,
                ..FigureMark::default()
            }));
        }
    }
    let total = marks.iter().find(|mark| mark.panel == "in all").or(marks.last());
    let finding = total.map_or(String::new(), |mark| {
        format!("{}: {} per seat ({}).", mark.series, ValueUnit::Dollars.write(mark.value.unwrap_or(0.0)), mark.panel)
    });
    vec![Figure {
        name: "payoffs".to_owned(),
        title: "What seats were paid".to_owned(),
        finding,
        reading: "Points are means over seats, n is the number of seats paid.".to_owned(),
        form: FigureForm::Dots { axis: Axis::new("mean payoff per seat", ValueUnit::Dollars), reference: None },
        marks,
    }]
}

/// The payments that expressions of the agenda compute, in a figure for each unit.
pub fn draw_computed_pay(gathered: &Gathered<'_>) -> Vec<Figure> {
    let units: IndexSet<&str> =
        gathered.complete().flat_map(|course| course.computed_pay.keys().map(String::as_str)).collect();
    let draw = |(place, unit): (usize, &str)| {
        let name = if place == 0 { "pay".to_owned() } else { format!("pay-{}", place + 1) };
        draw_pay_in_unit(gathered, unit, name)
    };
    units.into_iter().enumerate().map(draw).collect()
}

/// The mean payoff of a seat in a unit, over sessions.
fn draw_pay_in_unit(gathered: &Gathered<'_>, unit: &str, name: String) -> Figure {
    let mut marks = Vec::new();
    let mut told = Vec::new();
    let (mut missing, mut is_worth_money) = (0, false);
    for arm in gathered.arms() {
        let paid: Vec<&ComputedPay> =
            sessions_of(gathered, arm).into_iter().filter_map(|course| course.computed_pay.get(unit)).collect();
        missing += paid.iter().map(|pay| pay.missing).sum::<u64>();
        is_worth_money |= paid.iter().any(|pay| pay.is_worth_money);
        let means: Vec<f64> =
            paid.iter().filter_map(|pay| mean(&pay.seats.values().copied().collect::<Vec<_>>())).collect();
        let Some(value) = mean(&means) else { continue };
        let (series, colour) = series_of_arm(gathered, arm);
        told.push(format!("{}{}", name_prefix(&series), ValueUnit::write_plain(value)));
        marks.push(FigureMark {
            series: name_row(gathered, arm),
            value: Some(value),
            n: Some(means.len() as u64),
            colour,
            ..mark_with_interval(gathered.report.and_then(|report| sign_flip_interval(&means, report.seed)))
        });
    }
    let unit = if unit.is_empty() { "units" } else { unit };
    let missing = match missing {
        0 => String::new(),
        1 => " 1 payment has no value and is left out.".to_owned(),
        missing => format!(" {} have no value and are left out.", counted(missing, "payment")),
    };
    let money = match is_worth_money {
        true => " What the units are worth in money, with any fee, is in the column payoff_cents of payoffs.csv.",
        false => "",
    };
    Figure {
        name,
        title: format!("What seats were paid, in {unit}"),
        finding: format!("The mean payoff of a seat, in {unit}: {}.", join_findings(&told)),
        reading: format!(
            "Points are means over sessions of the mean payoff of a seat, which is the sum of its payments; bars are 95 % intervals by inverted \
             sign-flip tests over six sessions or more; n is the number of sessions.{money}{missing}"
        ),
        form: FigureForm::Dots {
            axis: Axis::new(format!("mean payoff of a seat, {unit}"), ValueUnit::Number),
            reference: None,
        },
        marks,
    }
}

/// What other choices would have paid the same seats.
pub fn draw_forgone(gathered: &Gathered<'_>) -> Vec<Figure> {
    let mut marks = Vec::new();
    let arms = gathered.arms();
    for arm in &arms {
        let (panel, _) = series_of_arm(gathered, arm);
        let mut all: IndexMap<(&str, &str), Forgone> = IndexMap::new();
        for one in sessions_of(gathered, arm).into_iter().flat_map(|course| &course.forgone) {
            let sum =
                all.entry((&one.stage, &one.principle)).or_insert_with(|| Forgone::new(&one.stage, &one.principle));
            sum.n += one.n;
            sum.cents = sum.cents.saturating_add(one.cents);
            sum.chosen += one.chosen;
        }
        for one in all.values().filter(|one| one.n > 0) {
            let stage = if one.stage == "application" { "practice rounds" } else { one.stage.as_str() };
            marks.push(FigureMark {
                panel: if panel.is_empty() { stage.to_owned() } else { format!("{panel}, {stage}") },
                series: gathered.labels.option(&one.principle),
                value: Some(one.cents as f64 / one.n as f64 / 100.0),
                text: format!("applied {} times", one.chosen),
                n: Some(one.n),
                colour: gathered.labels.option_colour(&one.principle),
                ..FigureMark::default()
            });
        }
    }
    let best = marks.iter().max_by(|one, other| one.value.unwrap_or(0.0).total_cmp(&other.value.unwrap_or(0.0)));
    let finding = best.map_or(String::new(), |best| {
        format!(
            "The choice that would have paid most: {} ({}, {}).",
            best.series,
            ValueUnit::Dollars.write(best.value.unwrap_or(0.0)),
            best.panel
        )
    });
    vec![Figure {
        name: "forgone".to_owned(),
        title: "What each choice would have paid".to_owned(),
        finding,
        reading: "Points are the mean payoff of a seat if the choice had been applied, computed from the same tables and the same income \
            classes that were drawn; n is the number of payments. What else a group would have done under another choice is not known."
            .to_owned(),
        form: FigureForm::Dots { axis: Axis::new("mean payoff per seat", ValueUnit::Dollars), reference: None },
        marks,
    }]
}

/// Tokens and dollars for each session, by arm.
pub fn draw_cost(gathered: &Gathered<'_>) -> Vec<Figure> {
    let Some(report) = gathered.report.filter(|report| report.arms.iter().any(|arm| arm.calls > 0)) else {
        return Vec::new();
    };
    let mut marks = Vec::new();
    for arm in report.arms.iter().filter(|arm| arm.completed > 0) {
        let tokens = arm.prompt_tokens.saturating_add(arm.completion_tokens);
        marks.push(FigureMark {
            series: gathered.labels.arm(&arm.arm).to_owned(),
            value: Some(tokens as f64 / arm.completed as f64),
            text: arm.cost_usd.map_or("cost not known".to_owned(), |cost| format!("{cost} in all")),
            n: Some(arm.completed),
            colour: gathered.labels.arm_colour(&arm.arm),
            ..FigureMark::default()
        });
    }
    let calls: u64 = report.arms.iter().map(|arm| arm.calls).sum();
    vec![Figure {
        name: "cost".to_owned(),
        title: "Tokens for each session".to_owned(),
        finding: format!("{} model calls in all.", ValueUnit::Count.write(calls as f64)),
        reading: "Points are tokens of prompts and replies for each complete session, as servers reported them; n is the number of sessions. \
            Attempts that brought no answer, and what they may have cost, are in experiment.json."
            .to_owned(),
        form: FigureForm::Dots { axis: Axis::new("tokens per session", ValueUnit::Count), reference: None },
        marks,
    }]
}
