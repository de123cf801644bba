//! Intervals on one axis: a row for each mark, in panels.

use super::canvas::{Anchor, Canvas, LINE, SIZE, SMALL, text_width, wrap_label};
use super::model::{Axis, FigureMark, distinct};
use super::scale::Scale;

const ROW: f64 = 22.0;
/// The height of an interval below its label.
const BAND: f64 = 18.0;
const PANEL: f64 = 24.0;
const LABEL_LINES: usize = 3;
/// Up to so many rows, the axis has more room than their labels.
const FEW_ROWS: usize = 4;

/// A row laid out.
struct DotRow<'m> {
    mark: &'m FigureMark,
    numbers: String,
    label: Vec<String>,
    top: f64,
    height: f64,
}

/// Draws the rows, the axis below them and the reference line behind them.
pub(super) fn draw_dots(canvas: &mut Canvas, marks: &[FigureMark], axis: &Axis, reference: Option<&(f64, String)>) {
    let is_narrow = canvas.is_narrow();
    let write = |mark: &FigureMark, shows_text: bool| match mark.text.as_str() {
        text if shows_text && !text.is_empty() => format!("{}, {text}", write_numbers(mark, axis)),
        _ => write_numbers(mark, axis),
    };
    let width_of = |shows_text: bool| {
        marks.iter().map(|mark| text_width(&write(mark, shows_text), SMALL)).fold(0.0, f64::max) + 8.0
    };
    // Long texts are in the table only.
    let shows_text = width_of(true) < if is_narrow { 0.7 } else { 0.36 } * canvas.width;
    let numbers_width = width_of(shows_text);
    let widest = marks.iter().map(|mark| text_width(&mark.series, SIZE)).fold(0.0, f64::max);
    // On a phone labels and numbers stand above their row, so that the axis has the full width.
    let label_share = if distinct(marks, |mark| &mark.series).len() > FEW_ROWS { 0.46 } else { 0.34 };
    let label_width = if is_narrow { canvas.width - numbers_width } else { widest.min(label_share * canvas.width) };
    let (left, right) = match is_narrow {
        true => (14.0, canvas.width - 18.0),
        false => (label_width + 16.0, canvas.width - numbers_width - 12.0),
    };
    let panels = distinct(marks, |mark| &mark.panel);
    let mut rows: Vec<DotRow<'_>> = Vec::new();
    let mut heads: Vec<(f64, Vec<String>)> = Vec::new();
    let mut y = if reference.is_some() { 18.0 } else { 4.0 };
    for panel in &panels {
        if !panel.is_empty() {
            let head = wrap_label(panel, canvas.width, SIZE, 2);
            heads.push((y + 15.0, head.clone()));
            y += PANEL + (head.len() - 1) as f64 * SIZE * LINE;
        }
        for mark in marks.iter().filter(|mark| mark.panel == *panel) {
            let label = wrap_label(&mark.series, label_width, SIZE, LABEL_LINES);
            let lines = label.len() as f64 * SIZE * LINE;
            let height = if is_narrow { lines + BAND } else { (lines + 4.0).max(ROW) };
            rows.push(DotRow { mark, numbers: write(mark, shows_text), label, top: y, height });
            y += height;
        }
        y += 6.0;
    }
    let values = marks.iter().flat_map(|mark| [mark.value, mark.low, mark.high]).flatten();
    let values: Vec<f64> = values.chain(reference.map(|(value, _)| *value)).collect();
    let lay_out = |ticks: f64| Scale::new(values.iter().copied(), axis.range, (left, right), ticks);
    // As many ticks as have room for their labels.
    let fits = |scale: &Scale| {
        let labels = scale.ticks().into_iter().map(|tick| text_width(&scale.write(tick, axis.unit), SMALL) + 8.0);
        labels.sum::<f64>() <= right - left + 20.0
    };
    let scale = [6.0, 4.0, 3.0, 2.0].into_iter().map(lay_out).find(fits).unwrap_or_else(|| lay_out(1.0));
    let top = rows.first().map_or(0.0, |row| row.top);
    // Where labels and numbers stand above their row, lines cross the rows only.
    let spans: Vec<(f64, f64)> = match is_narrow {
        true => rows.iter().map(|row| (row.top + row.height - BAND, row.top + row.height)).collect(),
        false => vec![(top, y)],
    };
    for tick in scale.ticks() {
        let x = scale.place(tick);
        spans.iter().for_each(|(from, to)| canvas.grid_line((x, *from), (x, *to)));
        let words = scale.write(tick, axis.unit);
        let half = text_width(&words, SMALL) / 2.0;
        canvas.text((x.clamp(half, canvas.width - half), y + 14.0), Anchor::Middle, SMALL, &words);
    }
    if let Some((value, name)) = reference.filter(|(value, _)| scale.includes(*value)) {
        let x = scale.place(*value);
        spans.iter().for_each(|(from, to)| canvas.dashed((x, *from), (x, *to)));
        let half = text_width(name, SMALL) / 2.0;
        canvas.text((x.clamp(half, canvas.width - half), 12.0), Anchor::Middle, SMALL, name);
    }
    let soft = canvas.soft();
    canvas.line((left, y), (right, y), &soft, 1.0);
    for (baseline, lines) in heads {
        for (place, line) in lines.iter().enumerate() {
            canvas.bold_text((0.0, baseline + place as f64 * SIZE * LINE), Anchor::Start, SIZE, line);
        }
    }
    for row in &rows {
        draw_row(canvas, row, &scale, label_width);
    }
    let mut bottom = y + 20.0;
    if !axis.label.is_empty() {
        for line in wrap_label(&axis.label, canvas.width - 8.0, SMALL, 2) {
            bottom += SMALL * LINE;
            canvas.text((f64::midpoint(left, right), bottom), Anchor::Middle, SMALL, &line);
        }
    }
    canvas.height = bottom + 6.0;
}

fn draw_row(canvas: &mut Canvas, row: &DotRow<'_>, scale: &Scale, label_width: f64) {
    let mark = row.mark;
    let is_narrow = canvas.is_narrow();
    for (place, line) in row.label.iter().enumerate() {
        let baseline = row.top + 14.0 + place as f64 * SIZE * LINE;
        match is_narrow {
            true => canvas.text((0.0, baseline), Anchor::Start, SIZE, line),
            false => canvas.text((label_width + 4.0, baseline), Anchor::End, SIZE, line),
        }
    }
    canvas.text((canvas.width, row.top + 14.0), Anchor::End, SMALL, &row.numbers);
    let y = if is_narrow { row.top + row.height - 8.0 } else { row.top + 10.0 };
    let stroke = canvas.paint_outline(mark.colour);
    if let (Some(low), Some(high)) = (mark.low, mark.high) {
        let (low, high) = (scale.place(low), scale.place(high));
        canvas.line((low, y), (high, y), &stroke, 2.0);
        for x in [low, high] {
            canvas.line((x, y - 4.0), (x, y + 4.0), &stroke, 2.0);
        }
    }
    if let Some(value) = mark.value {
        canvas.point((scale.place(value), y), mark.colour);
    }
}

/// The value, its interval and n.
fn write_numbers(mark: &FigureMark, axis: &Axis) -> String {
    let value = mark.value.map_or("–".to_owned(), |value| axis.unit.write(value));
    let interval = match (mark.low, mark.high) {
        (Some(low), Some(high)) => {
            let [low, high] = [low, high].map(|bound| axis.unit.write(bound).trim_end_matches(" %").to_owned());
            format!(" ({low} to {high})")
        }
        _ => String::new(),
    };
    let n = mark.n.map_or(String::new(), |n| format!(", n = {n}"));
    format!("{value}{interval}{n}")
}
