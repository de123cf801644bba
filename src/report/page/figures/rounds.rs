//! Series over rounds and waves. In those of opinions a session that has ended keeps its last value, so that later rounds are not those of
//! the slowest groups alone.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use super::arms::{join_findings, name_greatest, name_prefix, series_of_arm, sessions_of, shown_arms};
use crate::analysis::statistics::{mean, quantile};
use crate::figure::{At, Axis, Colour, Figure, FigureForm, FigureMark, ValueUnit};
use crate::report::counted;
use crate::report::page::course::{RoundShown, SessionCourse, StepKind};
use crate::report::page::gathered::Gathered;
use crate::report::page::labels::NO_DECISION;

const CARRIED: &str = "A session that has ended, or has no value in a round, keeps its last value, so that later rounds are not those of the slowest sessions alone.";

/// A value of a round of talk.
struct RoundMeasure {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    unit: ValueUnit,
    value: RoundValue,
}

type RoundValue = fn(&RoundShown) -> Option<f64>;

const fn agreement(title: &'static str, about: &'static str, value: RoundValue) -> RoundMeasure {
    RoundMeasure { name: "agreement", title, about, unit: ValueUnit::Percent, value }
}

const OF_OPTIONS: [RoundMeasure; 3] = [
    agreement(
        "Agreement in statements",
        "the share of the most frequent stance among the stances that a round declares",
        |round| round.stance,
    ),
    agreement(
        "Agreement in the private polls",
        "the share of the most frequent answer to the private poll that closes a round",
        |round| round.straw,
    ),
    agreement("Agreement in votes", "the share of the most frequent ballot of the vote that closes a round", |round| {
        round.ballot
    }),
];

/// With one alternative every stance is for it, so only amounts can differ.
const OF_AMOUNTS: [RoundMeasure; 3] = [
    agreement(
        "Agreement on the amount, in statements",
        "the share of pairs of seats whose statements in a round name the same amount",
        |round| round.stance_pairs,
    ),
    agreement(
        "Agreement on the amount, in the private polls",
        "the share of pairs of seats that name the same amount in the private poll that closes a round",
        |round| round.straw_pairs,
    ),
    agreement(
        "Agreement on the amount, in votes",
        "the share of pairs of ballots of the vote that closes a round that name the same amount",
        |round| round.ballot_pairs,
    ),
];

const OPINIONS: RoundMeasure = RoundMeasure {
    name: "opinions",
    title: "Spread of opinions",
    about: "the standard deviation of the opinions given in a round: 0 if all are equal, at most 0.5",
    unit: ValueUnit::Number,
    value: |round| round.opinion_sd,
};

fn lines_over(across: &str, upwards: Axis) -> FigureForm {
    FigureForm::Lines { across: Axis::new(across, ValueUnit::Count), categories: Vec::new(), upwards }
}

fn is_talk(round: &RoundShown) -> bool {
    round.kind == "discussion" && round.round > 0
}

/// The values of a session by round of talk; of groups side by side, which hold the same rounds, the means.
fn values_of(course: &SessionCourse, value: RoundValue) -> Vec<Option<f64>> {
    let mut rounds: IndexMap<(&str, &str, u64), Vec<f64>> = IndexMap::new();
    for round in course.rounds.iter().filter(|round| is_talk(round)) {
        rounds.entry((&round.phase, &round.pass, round.round)).or_default().extend(value(round));
    }
    rounds.values().map(|of_groups| mean(of_groups)).collect()
}

/// The values of each session of an arm.
fn values_of_arm(gathered: &Gathered<'_>, arm: &str, measure: &RoundMeasure) -> Vec<Vec<Option<f64>>> {
    sessions_of(gathered, arm).into_iter().map(|course| values_of(course, measure.value)).collect()
}

/// The rounds that the sessions of an arm can have.
fn rounds_of(gathered: &Gathered<'_>, arm: &str) -> usize {
    let most = sessions_of(gathered, arm).into_iter().map(|course| course.rounds_max).max();
    usize::try_from(most.unwrap_or(0)).unwrap_or(usize::MAX)
}

/// The value in a round, from 0: if the round has none or the session has ended, the last one before it.
fn carried(values: &[Option<f64>], round: usize) -> Option<f64> {
    values.iter().take(round + 1).rev().find_map(|value| *value)
}

/// The share of sessions that have decided, by round.
pub fn draw_decided(gathered: &Gathered<'_>) -> Vec<Figure> {
    let mut marks = Vec::new();
    let mut told = Vec::new();
    for arm in gathered.arms() {
        let votes_in_rounds =
            |course: &&SessionCourse| course.votes.iter().any(|vote| vote.purpose == "vote" && vote.round > 0);
        let all = sessions_of(gathered, arm);
        if !all.iter().any(votes_in_rounds) {
            continue;
        }
        let (series, colour) = series_of_arm(gathered, arm);
        let last = all.iter().map(|course| course.rounds_max).max().unwrap_or(0);
        let decided =
            |round: u64| all.iter().filter(|course| course.outcome == "carried" && course.rounds_used <= round).count();
        for round in 0..=last {
            let share = if round == 0 { 0.0 } else { decided(round) as f64 / all.len() as f64 };
            marks.push(FigureMark {
                series: series.clone(),
                at: At::Number(round as f64),
                value: Some(share),
                n: Some(all.len() as u64),
                colour,
                ..FigureMark::default()
            });
        }
        let whose = name_prefix(&series);
        told.push(format!("{whose}{} of {} decided", decided(last), all.len()));
    }
    vec![Figure {
        name: "decided".to_owned(),
        title: "Sessions that have decided, by round".to_owned(),
        finding: format!("{}.", join_findings(&told)),
        reading: "A line rises when sessions decide by vote; n is the number of complete sessions, all of which count in every round. A line \
            that ends below 100 % belongs to sessions that used up their rounds."
            .to_owned(),
        form: lines_over("round of talk", Axis::of_shares("share of sessions that have decided")),
        marks,
    }]
}

/// The shares of the stances by round, in a panel for each arm.
pub fn draw_stances(gathered: &Gathered<'_>) -> Vec<Figure> {
    if gathered.has_one_alternative() || gathered.has_own_options() {
        return Vec::new();
    }
    let (arms, note) = shown_arms(gathered);
    let mut marks = Vec::new();
    let mut told = Vec::new();
    for arm in arms {
        let (panel, _) = series_of_arm(gathered, arm);
        let sessions: Vec<Vec<BTreeMap<&str, f64>>> =
            sessions_of(gathered, arm).into_iter().map(stances_by_round).filter(|rounds| rounds.len() > 1).collect();
        let last = if sessions.is_empty() { 0 } else { rounds_of(gathered, arm) + 1 };
        let at_round = |round: usize| sessions.iter().filter_map(move |rounds| rounds.get(round).or(rounds.last()));
        let is_held = |name: &&str| sessions.iter().flatten().any(|shares| shares.contains_key(*name));
        let names: Vec<&str> = gathered.labels.options().filter(is_held).collect();
        for name in &names {
            for round in 0..last {
                let shares: Vec<f64> = at_round(round)
                    .filter(|shares| !shares.is_empty())
                    .map(|shares| shares.get(name).copied().unwrap_or(0.0))
                    .collect();
                let Some(share) = mean(&shares) else { continue };
                marks.push(FigureMark {
                    panel: panel.clone(),
                    series: gathered.labels.option(name),
                    at: At::Number(round as f64),
                    value: Some(share),
                    n: Some(shares.len() as u64),
                    colour: gathered.labels.option_colour(name),
                    ..FigureMark::default()
                });
            }
        }
        let own =
            marks.iter().filter(|mark| mark.panel == panel && mark.at == At::Number(last.saturating_sub(1) as f64));
        let shares: Vec<(String, f64)> = own.filter_map(|mark| Some((mark.series.clone(), mark.value?))).collect();
        let largest = name_greatest(&shares, &|share| ValueUnit::Percent.write(share));
        told.extend(largest.map(|largest| format!("{}{largest}", name_prefix(&panel))));
    }
    vec![Figure {
        name: "stances".to_owned(),
        title: "Stances by round".to_owned(),
        finding: format!("The largest stance after the last round: {}.", join_findings(&told)),
        reading: format!(
            "Lines are the mean share of the seats whose last statement declares an option; round 0 is the private poll before the talk, if \
             there is one; n is the number of sessions with a stance. {CARRIED}{note}"
        ),
        form: lines_over("round of talk", Axis::of_shares("share of seats")),
        marks,
    }]
}

/// The share of the seats with a stance that hold each option, after each round of talk of the session; at 0 in the poll before the talk.
/// Empty in the rounds before the first stance.
fn stances_by_round(course: &SessionCourse) -> Vec<BTreeMap<&str, f64>> {
    let grid = &course.stances;
    let talk: IndexSet<(&str, &str, u64)> =
        course.rounds.iter().filter(|round| is_talk(round)).map(|of| (&*of.phase, &*of.pass, of.round)).collect();
    let talk = Vec::from_iter(talk);
    let mut held: BTreeMap<usize, usize> = BTreeMap::new();
    let shares = |held: &BTreeMap<usize, usize>| {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        for option in held.values() {
            *counts.entry(grid.options[*option].as_str()).or_default() += 1.0 / held.len() as f64;
        }
        counts
    };
    let mut rounds = vec![BTreeMap::new()];
    for (place, step) in grid.steps.iter().enumerate() {
        let cells = grid.cells.range((place, 0)..(place + 1, 0)).map(|((_, seat), cell)| (*seat, cell.option));
        match step.kind {
            StepKind::PollBefore => rounds[0] = shares(&cells.collect()),
            StepKind::Statement if step.round > 0 => {
                // A round without a stance keeps the shares before it, of statements alone.
                let before = shares(&held);
                held.extend(cells);
                let later = talk.get(rounds.len() - 1..).unwrap_or_default();
                let skipped = later.iter().position(|(phase, _, round)| *phase == step.phase && *round == step.round);
                rounds.resize(rounds.len() + skipped.unwrap_or(0), before);
                rounds.push(shares(&held));
            }
            _ => {}
        }
    }
    rounds
}

/// How alike seats were, by round: the median over sessions with its quartiles.
pub fn draw_agreement(gathered: &Gathered<'_>) -> Vec<Figure> {
    let all = if gathered.has_one_alternative() { &OF_AMOUNTS } else { &OF_OPTIONS };
    let rounds = || gathered.complete().flat_map(|course| &course.rounds).filter(|round| is_talk(round));
    let has = |measure: &&RoundMeasure| rounds().any(|round| (measure.value)(round).is_some());
    // Statements, polls and votes measure the same thing: the first that exists is drawn.
    let drawn = all.iter().find(has).into_iter().chain([&OPINIONS].into_iter().filter(has));
    drawn.map(|measure| draw_quartiles(gathered, measure)).collect()
}

fn draw_quartiles(gathered: &Gathered<'_>, measure: &RoundMeasure) -> Figure {
    let mut marks = Vec::new();
    let mut told = Vec::new();
    for arm in gathered.arms() {
        let (series, colour) = series_of_arm(gathered, arm);
        let own = values_of_arm(gathered, arm, measure);
        let lines = quartiles(&own, rounds_of(gathered, arm), &series, colour);
        if let (Some(first), Some(last)) =
            (lines.first().and_then(|mark| mark.value), lines.last().and_then(|mark| mark.value))
        {
            let whose = name_prefix(&series);
            told.push(format!("{whose}{} to {}", measure.unit.write(first), measure.unit.write(last)));
        }
        marks.extend(lines);
    }
    let upwards = match measure.unit {
        ValueUnit::Percent => Axis::of_shares("median over sessions"),
        unit => Axis::new("median over sessions", unit),
    };
    Figure {
        name: measure.name.to_owned(),
        title: measure.title.to_owned(),
        finding: format!("The median from the first to the last round: {}.", join_findings(&told)),
        reading: format!(
            "The value is {}. Lines are the median over sessions, bands the middle half, n the number of sessions with a value. {CARRIED} \
             Becoming alike is not becoming right, and seats that copy each other look like seats that convince each other.",
            measure.about
        ),
        form: lines_over("round of talk", upwards),
        marks,
    }
}

/// The median and the quartiles over sessions by round, with values carried forward.
fn quartiles(sessions: &[Vec<Option<f64>>], rounds: usize, series: &str, colour: Colour) -> Vec<FigureMark> {
    let at_round = |round: usize| {
        let mut values: Vec<f64> = sessions.iter().filter_map(|values| carried(values, round)).collect();
        values.sort_unstable_by(f64::total_cmp);
        Some(FigureMark {
            series: series.to_owned(),
            at: At::Number(round as f64 + 1.0),
            value: Some(quantile(&values, 0.5)?),
            low: quantile(&values, 0.25),
            high: quantile(&values, 0.75),
            n: Some(values.len() as u64),
            colour,
            ..FigureMark::default()
        })
    };
    (0..rounds).filter_map(at_round).collect()
}

/// What groups of a panel chose, wave by wave.
pub fn draw_waves(gathered: &Gathered<'_>) -> Vec<Figure> {
    if gathered.experiment.is_none_or(|experiment| experiment.waves.is_none()) || gathered.has_own_options() {
        return Vec::new();
    }
    let (arms, note) = shown_arms(gathered);
    let mut marks = Vec::new();
    for arm in arms {
        let (panel, _) = series_of_arm(gathered, arm);
        let own: Vec<&SessionCourse> =
            sessions_of(gathered, arm).into_iter().filter(|course| course.outcome != "not_applicable").collect();
        let waves: BTreeMap<u64, u64> =
            own.iter().filter_map(|course| course.wave).fold(BTreeMap::new(), |mut counts, wave| {
                *counts.entry(wave).or_default() += 1;
                counts
            });
        let chosen = own.iter().map(|course| course.alternative.as_str());
        let options = gathered.labels.options().chain([""]).filter(|name| chosen.clone().any(|chosen| chosen == *name));
        for name in options {
            for (wave, n) in &waves {
                let here = own.iter().filter(|course| course.wave == Some(*wave) && course.alternative == name).count();
                let (series, colour) = match name {
                    "" => (NO_DECISION.to_owned(), Colour::Nothing),
                    name => (gathered.labels.option(name), gathered.labels.option_colour(name)),
                };
                marks.push(FigureMark {
                    panel: panel.clone(),
                    series,
                    at: At::Number(*wave as f64),
                    value: Some(here as f64 / *n as f64),
                    n: Some(*n),
                    colour,
                    ..FigureMark::default()
                });
            }
        }
    }
    let waves = gathered.experiment.and_then(|experiment| experiment.waves).unwrap_or(0);
    vec![Figure {
        name: "waves".to_owned(),
        title: "What sessions chose, wave by wave".to_owned(),
        finding: format!("The same agents met in {}.", counted(u64::from(waves), "wave")),
        reading: format!(
            "Lines are shares of the complete sessions of a wave, n is their number. Waves of one panel are not independent.{note}"
        ),
        form: lines_over("wave", Axis::of_shares("share of sessions")),
        marks,
    }]
}

/// What memories hold and what prompts leave out, by round.
pub fn draw_memory(gathered: &Gathered<'_>) -> Vec<Figure> {
    let held = RoundMeasure {
        name: "memory",
        title: "What memories hold",
        about: "the characters that a memory holds when a round closes",
        unit: ValueUnit::Count,
        value: |round| round.memory_chars,
    };
    let left_out = RoundMeasure {
        name: "left-out",
        title: "What prompts leave out",
        about: "the characters of public statements that the last prompt of a round leaves out",
        unit: ValueUnit::Count,
        value: |round| round.dropped_chars,
    };
    [held, left_out].iter().filter_map(|measure| draw_means(gathered, measure)).collect()
}

/// Means over seats and sessions by round; `None` if no session has a value above zero.
fn draw_means(gathered: &Gathered<'_>, measure: &RoundMeasure) -> Option<Figure> {
    let mut marks = Vec::new();
    let mut told = Vec::new();
    for arm in gathered.arms() {
        let (series, colour) = series_of_arm(gathered, arm);
        let own = values_of_arm(gathered, arm, measure);
        let last: Vec<f64> = own.iter().filter_map(|values| values.iter().rev().find_map(|value| *value)).collect();
        for round in 0..rounds_of(gathered, arm) {
            let values: Vec<f64> = own.iter().filter_map(|values| *values.get(round)?).collect();
            let Some(mean) = mean(&values) else { continue };
            marks.push(FigureMark {
                series: series.clone(),
                at: At::Number(round as f64 + 1.0),
                value: Some(mean),
                n: Some(values.len() as u64),
                colour,
                ..FigureMark::default()
            });
        }
        let whose = name_prefix(&series);
        told.extend(mean(&last).map(|mean| format!("{whose}{}", ValueUnit::Count.write(mean))));
    }
    let is_any = marks.iter().any(|mark| mark.value > Some(0.0));
    is_any.then(|| Figure {
        name: measure.name.to_owned(),
        title: measure.title.to_owned(),
        finding: format!("Characters after each session's own last round: {}.", join_findings(&told)),
        reading: format!(
            "Lines are the mean over seats and sessions of {}; n is the number of sessions. A session that ended earlier is in no later \
             point, so later points are those of the slowest sessions. The headline counts each session once, in its own last round. \
             Holding more is not remembering better.",
            measure.about
        ),
        form: lines_over("round of talk", Axis::new("characters, mean over seats", ValueUnit::Count)),
        marks,
    })
}
