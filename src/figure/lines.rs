//! Lines over rounds or categories, in panels, with n under the axis.

use super::canvas::{Anchor, Canvas, LINE, SIZE, SMALL, at, text_width, wrap_label};
use super::model::{At, Axis, Colour, FigureMark, distinct};
use super::scale::{Scale, find_extent, nice_step};

const PLOT: f64 = 190.0;
const GAP: f64 = 22.0;
const LABEL_GAP: f64 = 15.0;
const TICK: f64 = 15.0;
/// Lines with more points than this have no point marks.
const POINTS_MAX: usize = 40;

/// The marks of one line.
struct LineSeries<'m> {
    name: &'m str,
    marks: Vec<(f64, &'m FigureMark)>,
}

/// What all panels share.
struct SharedScale<'a> {
    across: &'a Axis,
    categories: &'a [String],
    upwards: &'a Axis,
    /// The range of positions.
    positions: (f64, f64),
    /// The range of values.
    values: Vec<f64>,
}

/// Draws the panels: side by side if there is room, otherwise below each other.
pub(super) fn draw_lines(
    canvas: &mut Canvas,
    marks: &[FigureMark],
    across: &Axis,
    categories: &[String],
    upwards: &Axis,
) {
    let panels = distinct(marks, |mark| &mark.panel);
    let (first, last) = find_extent(marks.iter().filter_map(position));
    let pad = if categories.is_empty() { 0.0 } else { 0.5 };
    let shared = SharedScale {
        across,
        categories,
        upwards,
        positions: across.range.unwrap_or((first - pad, last.max(first + 1.0 - 2.0 * pad) + pad)),
        values: marks.iter().flat_map(|mark| [mark.value, mark.low, mark.high]).flatten().collect(),
    };
    let per_row = if canvas.is_narrow() || panels.len() == 1 { 1 } else { 2 };
    let width = (canvas.width - GAP * (per_row - 1) as f64) / per_row as f64;
    let mut top = 0.0;
    for row in panels.chunks(per_row) {
        let mut bottom: f64 = top;
        for (place, panel) in row.iter().enumerate() {
            let own: Vec<&FigureMark> = marks.iter().filter(|mark| mark.panel == *panel).collect();
            let left = place as f64 * (width + GAP);
            bottom = bottom.max(draw_panel(canvas, panel, &own, &shared, (left, top, width)));
        }
        top = bottom + 12.0;
    }
    canvas.height = top;
}

fn position(mark: &FigureMark) -> Option<f64> {
    match mark.at {
        At::Number(at) => Some(at + mark.beside),
        At::Nowhere | At::Name(_) => None,
    }
}

/// Draws a panel and returns its bottom.
fn draw_panel(
    canvas: &mut Canvas,
    panel: &str,
    marks: &[&FigureMark],
    shared: &SharedScale<'_>,
    (left, top, width): (f64, f64, f64),
) -> f64 {
    let series: Vec<LineSeries<'_>> = distinct(marks.iter().copied(), |mark| &mark.series)
        .into_iter()
        .map(|name| {
            let own = marks.iter().filter(|mark| mark.series == name);
            LineSeries { name, marks: own.filter_map(|mark| Some((position(mark)?, *mark))).collect() }
        })
        .collect();
    let mut y = top;
    if !panel.is_empty() {
        for line in wrap_label(panel, width, SIZE, 2) {
            y += SIZE * LINE;
            canvas.bold_text((left, y), Anchor::Start, SIZE, &line);
        }
        y += 4.0;
    }
    y += 4.0 + SMALL;
    canvas.text((left, y), Anchor::Start, SMALL, &shared.upwards.label);
    y += 6.0;
    let is_labelled = series.iter().any(|one| !one.name.is_empty());
    let labels = series.iter().map(|one| text_width(one.name, SMALL)).fold(0.0, f64::max) + 14.0;
    let beside = is_labelled && labels < 0.36 * width;
    if is_labelled && !beside {
        y = draw_legend(canvas, &series, (left, y, width));
    }
    let begin = left + 46.0;
    let end = left + width - if beside { labels } else { 10.0 };
    let vertical = Scale::new(shared.values.iter().copied(), shared.upwards.range, (y + PLOT, y + 6.0), 4.0);
    for tick in vertical.ticks() {
        let at = vertical.place(tick);
        canvas.grid_line((begin, at), (end, at));
        canvas.text((begin - 6.0, at + 4.0), Anchor::End, SMALL, &vertical.write(tick, shared.upwards.unit));
    }
    let (first, last) = shared.positions;
    let place = |position: f64| begin + 8.0 + (position - first) / (last - first) * (end - begin - 16.0);
    let bottom = y + PLOT;
    let soft = canvas.soft();
    canvas.line((begin, bottom), (end, bottom), &soft, 1.0);
    let mut y = bottom + TICK;
    let ticks = tick_positions(shared, end - begin);
    for (position, name) in &ticks {
        canvas.text((place(*position), y), Anchor::Middle, SMALL, name);
    }
    y = draw_counts(canvas, &series, &ticks, &place, (left, y));
    for one in &series {
        draw_series(canvas, one, &place, &vertical, shared.categories);
    }
    if beside {
        draw_labels(canvas, &series, &vertical, end + 10.0);
    }
    if !shared.across.label.is_empty() {
        y += SMALL * LINE;
        canvas.text((f64::midpoint(begin, end), y), Anchor::Middle, SMALL, &shared.across.label);
    }
    y + 4.0
}

/// The positions of the ticks with their names, as many as fit a width.
fn tick_positions(shared: &SharedScale<'_>, width: f64) -> Vec<(f64, String)> {
    if !shared.categories.is_empty() {
        return shared.categories.iter().enumerate().map(|(place, name)| (place as f64 + 1.0, name.clone())).collect();
    }
    let (first, last) = shared.positions;
    let step = nice_step((last - first) * 34.0 / width).max(1.0).ceil();
    let count = ((last - first) / step).floor() as u64;
    (0..=count).map(|tick| first + tick as f64 * step).map(|at| (at, format!("{at:.0}"))).collect()
}

/// Writes n under the ticks: one row if all series have the same numbers, otherwise one row for each.
fn draw_counts(
    canvas: &mut Canvas,
    series: &[LineSeries<'_>],
    ticks: &[(f64, String)],
    place: &impl Fn(f64) -> f64,
    (left, mut y): (f64, f64),
) -> f64 {
    let count = |one: &LineSeries<'_>, position: f64| {
        // Marks of categories stand beside their tick.
        one.marks.iter().find(|(at, _)| (at - position).abs() < 0.3).and_then(|(_, mark)| mark.n)
    };
    if series.iter().all(|one| one.marks.iter().all(|(_, mark)| mark.n.is_none())) {
        return y;
    }
    let is_equal = series
        .windows(2)
        .all(|pair| ticks.iter().all(|(position, _)| count(&pair[0], *position) == count(&pair[1], *position)));
    let shown = if is_equal { &series[..1] } else { series };
    for one in shown {
        y += SMALL * LINE;
        canvas.text((left + 14.0, y), Anchor::Start, SMALL, "n");
        if let Some((_, mark)) = one.marks.first().filter(|_| !is_equal) {
            canvas.point((left + 6.0, y - 4.0), mark.colour);
        }
        for (position, _) in ticks {
            let words = count(one, *position).map_or("–".to_owned(), |n| n.to_string());
            canvas.text((place(*position), y), Anchor::Middle, SMALL, &words);
        }
    }
    y
}

fn draw_series(
    canvas: &mut Canvas,
    series: &LineSeries<'_>,
    place: &impl Fn(f64) -> f64,
    vertical: &Scale,
    categories: &[String],
) {
    let Some((_, first)) = series.marks.first() else { return };
    let paint = canvas.paint(first.colour);
    let points: Vec<(f64, f64)> = series
        .marks
        .iter()
        .filter_map(|(position, mark)| Some((place(*position), vertical.place(mark.value?))))
        .collect();
    let path = |points: &[(f64, f64)]| -> String {
        let steps = points
            .iter()
            .enumerate()
            .map(|(step, (x, y))| format!("{}{} {}", if step == 0 { 'M' } else { 'L' }, at(*x), at(*y)));
        steps.collect()
    };
    let bounds: Vec<(f64, f64, f64)> = series
        .marks
        .iter()
        .filter_map(|(position, mark)| Some((place(*position), vertical.place(mark.low?), vertical.place(mark.high?))))
        .collect();
    if !categories.is_empty() {
        for (x, low, high) in &bounds {
            canvas.line((*x, *low), (*x, *high), &paint, 1.5);
        }
    } else if bounds.len() > 1 {
        let lows = bounds.iter().map(|(x, low, _)| (*x, *low));
        let outline: Vec<(f64, f64)> = lows.chain(bounds.iter().rev().map(|(x, _, high)| (*x, *high))).collect();
        let outline = path(&outline);
        canvas.push(format_args!("<path d=\"{outline}Z\" fill=\"{paint}\" fill-opacity=\"0.16\"/>"));
    }
    let (line, soft) = (path(&points), canvas.soft());
    let dash = match first.colour {
        Colour::Arm(place) | Colour::Choice(place) => ["", "7 3", "2 3", "9 3 2 3"][place % 4],
        Colour::Nothing => "1 3",
    };
    // Light colours of options need an outline on a light page.
    if matches!(first.colour, Colour::Choice(_)) {
        canvas.push(format_args!("<path d=\"{line}\" stroke=\"{soft}\" stroke-width=\"4\" fill=\"none\"/>"));
        canvas.push(format_args!("<path d=\"{line}\" stroke=\"{paint}\" stroke-width=\"2.6\" fill=\"none\"/>"));
    } else {
        canvas.push(format_args!(
            "<path d=\"{line}\" stroke=\"{paint}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\" fill=\"none\"/>"
        ));
    }
    if points.len() <= POINTS_MAX {
        points.into_iter().for_each(|point| canvas.point(point, first.colour));
    }
}

/// Writes the names at the right ends of the lines, apart from each other.
fn draw_labels(canvas: &mut Canvas, series: &[LineSeries<'_>], vertical: &Scale, x: f64) {
    let end =
        |one: &LineSeries<'_>| one.marks.iter().rev().find_map(|(_, mark)| mark.value).map(|end| vertical.place(end));
    let mut ends: Vec<(f64, &str)> = series.iter().filter_map(|one| Some((end(one)?, one.name))).collect();
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    for place in 1..ends.len() {
        ends[place].0 = ends[place].0.max(ends[place - 1].0 + LABEL_GAP);
    }
    let (top, bottom) = (vertical.place(f64::INFINITY), vertical.place(f64::NEG_INFINITY));
    let over = ends.last().map_or(0.0, |last| (last.0 - bottom).max(0.0));
    if let Some(last) = ends.last_mut() {
        last.0 -= over;
    }
    for place in (1..ends.len()).rev() {
        ends[place - 1].0 = ends[place - 1].0.min(ends[place].0 - LABEL_GAP);
    }
    if let Some(first) = ends.first_mut() {
        first.0 = first.0.max(top.min(bottom) - 4.0);
    }
    for (y, name) in ends {
        canvas.text((x, y + 4.0), Anchor::Start, SMALL, name);
    }
}

/// Writes the names with their marks above the plot and returns its top.
fn draw_legend(canvas: &mut Canvas, series: &[LineSeries<'_>], (left, mut y, width): (f64, f64, f64)) -> f64 {
    y += LINE * SMALL;
    let mut x = left;
    for one in series {
        let Some((_, first)) = one.marks.first() else { continue };
        let lines = wrap_label(one.name, width - 20.0, SMALL, 2);
        let own = lines.iter().map(|line| text_width(line, SMALL)).fold(0.0, f64::max) + 26.0;
        if x > left && x + own > left + width {
            x = left;
            y += LINE * SMALL + 3.0;
        }
        canvas.point((x + 6.0, y - 4.0), first.colour);
        for (place, line) in lines.iter().enumerate() {
            if place > 0 {
                y += LINE * SMALL;
            }
            canvas.text((x + 16.0, y), Anchor::Start, SMALL, line);
        }
        x += own;
    }
    y + 6.0
}
