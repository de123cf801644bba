//! Who moved from what to what, who had spoken for it before, and who spoke how much.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::arms::{join_findings, name_prefix, series_of_arm, sessions_of, shown_arms};
use crate::analysis::statistics::mean;
use crate::figure::{At, Axis, Colour, Figure, FigureForm, FigureMark, ValueUnit};
use crate::report::counted;
use crate::report::page::course::{SeatShown, SessionCourse, StanceCell, StanceStep, strip_amount};
use crate::report::page::gathered::Gathered;

/// The seats of the pooled influence matrix and of the shares of words.
const SEATS_MAX: usize = 20;
/// A seat without a position.
const NONE: &str = "no position";

/// A moment at which seats have a position.
type PositionMoment = (&'static str, fn(&SeatShown) -> &str);

/// The moments in the order in which they can come; of rankings and stances the first and the last.
const MOMENTS: [PositionMoment; 7] = [
    ("poll before", |seat| &seat.before),
    ("first ranking", |seat| &seat.ranked_first),
    ("first stance", |seat| strip_amount(&seat.first)),
    ("last stance", |seat| strip_amount(&seat.last)),
    ("poll after", |seat| &seat.after),
    ("last ranking", |seat| &seat.ranked_last),
    ("last ballot", |seat| &seat.ballot_for),
];

/// From the first to the last position, a figure for each arm.
pub fn draw_flows(gathered: &Gathered<'_>) -> Vec<Figure> {
    if gathered.has_one_alternative() || gathered.has_own_options() {
        return Vec::new();
    }
    let (arms, note) = shown_arms(gathered);
    let mut figures: Vec<Figure> = arms.into_iter().filter_map(|arm| draw_flow(gathered, arm)).collect();
    if let Some(last) = figures.last_mut() {
        last.reading.push_str(&note);
    }
    figures
}

/// The first and the last moment at which seats have a position. If the last is a ballot, the poll after the talk or the last stance
/// stands between them.
fn choose_moments(courses: &[&SessionCourse]) -> Vec<PositionMoment> {
    let seats = || courses.iter().flat_map(|course| &course.seats);
    let there: Vec<PositionMoment> =
        MOMENTS.into_iter().filter(|moment| seats().any(|seat| !moment.1(seat).is_empty())).collect();
    match there.as_slice() {
        [] | [_] => Vec::new(),
        [first, last] => vec![*first, *last],
        [first, between @ .., last] => {
            let middle =
                ["poll after", "last stance"].into_iter().find_map(|name| between.iter().find(|one| one.0 == name));
            [Some(*first), middle.copied(), Some(*last)].into_iter().flatten().collect()
        }
    }
}

fn draw_flow(gathered: &Gathered<'_>, arm: &str) -> Option<Figure> {
    let courses = sessions_of(gathered, arm);
    let moments = choose_moments(&courses);
    let (first, last) = (moments.first()?, moments.last()?);
    let label = |name: &str| if name.is_empty() { NONE.to_owned() } else { gathered.labels.option(name) };
    let seats = || courses.iter().flat_map(|course| &course.seats);
    let mut positions: Vec<(String, Colour)> = gathered
        .labels
        .options()
        .map(|name| (gathered.labels.option(name), gathered.labels.option_colour(name)))
        .collect();
    for name in moments.iter().flat_map(|moment| seats().map(|seat| label(moment.1(seat)))) {
        if !positions.iter().any(|(known, _)| *known == name) {
            positions.push((name, Colour::Nothing));
        }
    }
    let place = |name: &str| positions.iter().position(|(known, _)| known == name);
    let mut marks = Vec::new();
    for pair in moments.windows(2) {
        let mut ways: BTreeMap<_, u64> = BTreeMap::new();
        for seat in seats() {
            let (from, to) = (label(pair[0].1(seat)), label(pair[1].1(seat)));
            *ways.entry((place(&from), place(&to), from, to)).or_default() += 1;
        }
        marks.extend(ways.into_iter().map(|((from, _, series, to), count)| FigureMark {
            panel: pair[0].0.to_owned(),
            series,
            at: At::Name(to),
            value: Some(count as f64),
            colour: from.map_or(Colour::Nothing, |from| positions[from].1),
            ..FigureMark::default()
        }));
    }
    let has_both = |seat: &&SeatShown| !first.1(seat).is_empty() && !last.1(seat).is_empty();
    let all = seats().filter(has_both).count() as u64;
    let moved = seats().filter(has_both).filter(|seat| first.1(seat) != last.1(seat)).count();
    let without = seats().count() as u64 - all;
    let without =
        if without > 0 { format!(" {} lack one of the two.", counted(without, "seat")) } else { String::new() };
    let (name, _) = series_of_arm(gathered, arm);
    let of = if name.is_empty() { String::new() } else { format!(", {name}") };
    Some(Figure {
        name: if name.is_empty() { "flow".to_owned() } else { format!("flow-{}", arm.to_lowercase().replace('_', "-")) },
        title: format!("From first to last position{of}"),
        finding: format!("{moved} of {} ended elsewhere than they began ({} to {}).{without}", counted(all, "seat"), first.0, last.0),
        reading: "The width of a ribbon is the number of seats, over all complete sessions. The figure shows that seats moved, not why; a \
            seat that moved and came back is where it was."
            .to_owned(),
        form: FigureForm::Flow { stages: moments.iter().map(|moment| moment.0.to_owned()).collect(), positions },
        marks,
    })
}

/// Seats by steps, for a page about a single session.
pub fn draw_stance_grid(gathered: &Gathered<'_>) -> Vec<Figure> {
    let [course] = gathered.courses else { return Vec::new() };
    let grid = &course.stances;
    let is_single = grid.options.len() == 1;
    let columns: Vec<String> = grid.steps.iter().map(StanceStep::describe).collect();
    let cell = |((step, seat), cell): (&(usize, usize), &StanceCell)| {
        let option = grid.options[cell.option].as_str();
        FigureMark {
            series: course.seats[*seat].seat.clone(),
            at: At::Name(columns[*step].clone()),
            text: grid.word_cell(cell, &gathered.labels),
            colour: if is_single { Colour::Nothing } else { gathered.labels.option_colour(option) },
            is_marked: cell.is_move,
            ..FigureMark::default()
        }
    };
    let marks: Vec<FigureMark> = grid.cells.iter().map(cell).collect();
    let legend = grid.options.iter().map(|name| {
        (
            format!("{}  {}", gathered.labels.letter(name), gathered.labels.option(name)),
            gathered.labels.option_colour(name),
        )
    });
    vec![Figure {
        name: "grid".to_owned(),
        title: format!("Positions in {}", course.name),
        finding: format!("{} in {}.", counted(course.moves.len() as u64, "move"), counted(course.rounds_used, "round")),
        reading: "A cell is the position of a seat at a step; a heavy edge marks a move.".to_owned(),
        form: FigureForm::Grid {
            columns,
            across: "step".to_owned(),
            upwards: "seat".to_owned(),
            unit: ValueUnit::Count,
            legend: legend.collect(),
        },
        marks,
    }]
}

/// Who had spoken for a position before others moved to it, pooled over all sessions.
pub fn draw_influence(gathered: &Gathered<'_>) -> Vec<Figure> {
    let seats = gathered.complete().flat_map(|course| &course.seats);
    let mut names: IndexSet<&str> = seats.map(|seat| seat.seat.as_str()).collect();
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut moves = 0_u64;
    for moved in gathered.complete().flat_map(|course| &course.moves) {
        moves += 1;
        for voice in &moved.after {
            *counts.entry((&voice.seat, &moved.seat)).or_default() += 1;
        }
    }
    if counts.is_empty() {
        return Vec::new();
    }
    let mut spoken_before: BTreeMap<&str, u64> = BTreeMap::new();
    for ((voice, _), count) in &counts {
        *spoken_before.entry(voice).or_default() += count;
    }
    let spoken = |name: &str| spoken_before.get(name).copied().unwrap_or(0);
    let left_out = match names.len().checked_sub(SEATS_MAX).filter(|left_out| *left_out > 0) {
        Some(left_out) => {
            format!(
                " Shown are the {SEATS_MAX} seats that had spoken before most moves; {left_out} seats are left out, with their moves."
            )
        }
        None => String::new(),
    };
    let mut shown = Vec::from_iter(names.iter().copied());
    shown.sort_by_key(|name| std::cmp::Reverse(spoken(name)));
    names.retain(|name| shown.iter().take(SEATS_MAX).any(|other| other == name));
    let most = names.iter().copied().max_by_key(|name| spoken(name)).unwrap_or_default();
    let mut marks = Vec::new();
    for voice in &names {
        for mover in names.iter().filter(|mover| *mover != voice) {
            marks.push(FigureMark {
                series: (*voice).to_owned(),
                at: At::Name((*mover).to_owned()),
                value: Some(counts.get(&(*voice, *mover)).copied().unwrap_or(0) as f64),
                ..FigureMark::default()
            });
        }
    }
    vec![Figure {
        name: "influence".to_owned(),
        title: "Who spoke before whose moves".to_owned(),
        finding: format!(
            "{} in {}; {most} spoke for the new position before {} of them.",
            counted(moves, "move"),
            counted(gathered.complete().count() as u64, "session"),
            spoken(most)
        ),
        reading: "A cell counts the moves of a seat (column) for whose new position another seat (row) had spoken within its hearing, since \
            its own last words. One move counts for every seat that had spoken. That one came after the other does not show that it came of it: \
            who speaks more, or earlier, stands before more moves."
            .to_owned()
            + &left_out,
        form: FigureForm::Grid {
            columns: names.iter().map(|name| (*name).to_owned()).collect(),
            across: "moved".to_owned(),
            upwards: "spoke before".to_owned(),
            unit: ValueUnit::Count,
            legend: Vec::new(),
        },
        marks,
    }]
}

/// Each seat's share of the words of its session.
pub fn draw_speaking(gathered: &Gathered<'_>) -> Vec<Figure> {
    let mut marks = Vec::new();
    let mut told = Vec::new();
    let (arms, note) = shown_arms(gathered);
    for arm in arms {
        let courses: Vec<&SessionCourse> =
            sessions_of(gathered, arm).into_iter().filter(|course| course.statements > 0).collect();
        let (panel, colour) = series_of_arm(gathered, arm);
        let seats = courses.iter().flat_map(|course| &course.seats);
        let names: IndexSet<&str> = seats.map(|seat| seat.seat.as_str()).collect();
        for name in names.into_iter().take(SEATS_MAX) {
            let own = courses.iter().flat_map(|course| &course.seats).filter(|seat| seat.seat == name);
            let shares: Vec<f64> = own.filter_map(|seat| seat.share).collect();
            let extreme = |pick: fn(f64, f64) -> f64| shares.iter().copied().reduce(pick);
            marks.push(FigureMark {
                panel: panel.clone(),
                series: name.to_owned(),
                value: mean(&shares),
                low: extreme(f64::min).filter(|_| shares.len() > 1),
                high: extreme(f64::max).filter(|_| shares.len() > 1),
                n: Some(shares.len() as u64),
                colour,
                ..FigureMark::default()
            });
        }
        let gini = mean(&courses.iter().filter_map(|course| course.speaking_gini).collect::<Vec<_>>());
        let whose = name_prefix(&panel);
        told.extend(gini.map(|gini| format!("{whose}{gini:.2}")));
    }
    let seats = gathered.complete().map(|course| course.seats.len()).max().unwrap_or(0);
    let are_alike = gathered.complete().all(|course| course.seats.len() == seats) && seats > 0;
    vec![Figure {
        name: "speaking".to_owned(),
        title: "Who spoke how much".to_owned(),
        finding: format!("The Gini coefficient of words, averaged over sessions: {}.", join_findings(&told)),
        reading: format!(
            "Points are a seat's mean share of the words of its sessions, bars run from its least to its greatest share, n is the number of \
             sessions. Speaking much is not being followed.{note}"
        ),
        form: FigureForm::Dots {
            axis: Axis::new("share of words", ValueUnit::Percent),
            reference: are_alike.then(|| (1.0 / seats as f64, "equal shares".to_owned())),
        },
        marks,
    }]
}
