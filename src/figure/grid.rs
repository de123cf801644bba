//! Cells in rows and columns: a colour and a short text, or a shade and a number.

use super::canvas::{Anchor, Canvas, LINE, SIZE, SMALL, text_width, wrap_label};
use super::model::{At, Colour, FigureMark, distinct};

/// The height of a cell and the bounds of its width, in CSS pixels.
const CELL: f64 = 24.0;
const CELL_WIDTH_MAX: f64 = 130.0;
const CELL_WIDTH_MIN: f64 = 30.0;

/// Draws the cells. Columns that do not fit beside each other continue below.
pub(super) fn draw_grid(
    canvas: &mut Canvas,
    marks: &[FigureMark],
    columns: &[String],
    (across, upwards): (&str, &str),
    legend: &[(String, Colour)],
) {
    let mut top = 0.0;
    for panel in distinct(marks, |mark| &mark.panel) {
        let own: Vec<&FigureMark> = marks.iter().filter(|mark| mark.panel == panel).collect();
        if !panel.is_empty() {
            top += SIZE * LINE;
            canvas.bold_text((0.0, top), Anchor::Start, SIZE, panel);
            top += 6.0;
        }
        top = draw_block(canvas, &own, columns, (across, upwards), (top, legend.is_empty())) + 8.0;
    }
    canvas.height = draw_legend(canvas, legend, top);
}

/// Draws the cells of one panel below `top`, and returns their bottom. Without a legend, cells are shaded by their value.
fn draw_block(
    canvas: &mut Canvas,
    marks: &[&FigureMark],
    columns: &[String],
    (across, upwards): (&str, &str),
    (mut top, is_shaded): (f64, bool),
) -> f64 {
    let rows = distinct(marks.iter().copied(), |mark| &mark.series);
    let longest = rows.iter().map(|row| text_width(row, SMALL)).fold(text_width(upwards, SMALL), f64::max);
    let label = longest.min(0.3 * canvas.width) + 8.0;
    let widest_text = marks.iter().map(|mark| text_width(&mark.text, SMALL)).fold(0.0, f64::max) + 8.0;
    let head = columns.iter().map(|column| text_width(column, SMALL)).fold(0.0, f64::max) + 8.0;
    let room = ((canvas.width - label) / columns.len().max(1) as f64).clamp(CELL_WIDTH_MIN, CELL_WIDTH_MAX);
    // Heads are broken between words only.
    let words = columns.iter().flat_map(|column| column.split_whitespace());
    let word = words.map(|word| text_width(word, SMALL)).fold(0.0, f64::max) + 8.0;
    let cell = widest_text.max(head.min(room)).max(word).clamp(CELL_WIDTH_MIN, CELL_WIDTH_MAX);
    let capacity = (((canvas.width - label) / cell) as usize).max(1);
    let greatest = marks.iter().filter_map(|mark| mark.value).fold(0.0, f64::max);
    for chunk in columns.chunks(capacity) {
        top += SMALL * LINE;
        canvas.text((label, top), Anchor::Start, SMALL, across);
        let heads: Vec<Vec<String>> = chunk.iter().map(|column| wrap_label(column, cell, SMALL, 3)).collect();
        let lines = heads.iter().map(Vec::len).max().unwrap_or(1);
        top += 4.0;
        for (place, head) in heads.iter().enumerate() {
            let x = label + (place as f64 + 0.5) * cell;
            for (line, words) in head.iter().enumerate() {
                let down = (lines - head.len() + line + 1) as f64 * SMALL * LINE;
                canvas.text((x, top + down), Anchor::Middle, SMALL, words);
            }
        }
        canvas.text((0.0, top + lines as f64 * SMALL * LINE), Anchor::Start, SMALL, upwards);
        top += lines as f64 * SMALL * LINE + 5.0;
        for (down, row) in rows.iter().enumerate() {
            let y = top + down as f64 * CELL;
            let name = wrap_label(row, label - 6.0, SMALL, 1).concat();
            canvas.coloured_text((0.0, y + 16.0), Anchor::Start, SMALL, &name, &canvas.ink());
            for (right, column) in chunk.iter().enumerate() {
                let is_here = |mark: &&&FigureMark| mark.series == *row && mark.at == At::Name(column.clone());
                if let Some(mark) = marks.iter().find(is_here) {
                    draw_cell(canvas, mark, (label + right as f64 * cell, y, cell), (is_shaded, greatest));
                }
            }
        }
        top += rows.len() as f64 * CELL + 4.0;
    }
    top
}

fn draw_cell(
    canvas: &mut Canvas,
    mark: &FigureMark,
    (x, y, width): (f64, f64, f64),
    (is_shaded, greatest): (bool, f64),
) {
    let words = match (mark.text.as_str(), mark.value) {
        ("", Some(value)) => format!("{value:.0}"),
        (text, _) => text.to_owned(),
    };
    let size = (width - 2.0, CELL - 2.0);
    let (paint, text) = match is_shaded {
        true => {
            let share = mark.value.filter(|_| greatest > 0.0).map_or(0.0, |value| value / greatest);
            let fill = canvas.paint(Colour::Arm(0));
            (format!("fill=\"{fill}\" fill-opacity=\"{:.2}\"", 0.45 * share), canvas.ink())
        }
        false => (format!("fill=\"{}\"", canvas.paint(mark.colour)), canvas.paint_on(mark.colour)),
    };
    let edge = match mark.is_marked {
        true => format!(" stroke=\"{}\" stroke-width=\"2.5\"", canvas.ink()),
        false => format!(" stroke=\"{}\" stroke-opacity=\"0.35\"", canvas.soft()),
    };
    canvas.rect((x + 1.0, y + 1.0), size, &(paint + &edge));
    let fitting = wrap_label(&words, width - 4.0, SMALL, 1).concat();
    canvas.coloured_text((x + width / 2.0, y + CELL / 2.0 + 4.0), Anchor::Middle, SMALL, &fitting, &text);
}

/// Draws the meaning of the colours below `top`, and returns the bottom.
fn draw_legend(canvas: &mut Canvas, legend: &[(String, Colour)], top: f64) -> f64 {
    let (mut x, mut y) = (0.0, top + 6.0);
    if legend.is_empty() {
        return top;
    }
    for (name, colour) in legend {
        let words = wrap_label(name, canvas.width - 24.0, SMALL, 1).concat();
        let width = 20.0 + text_width(&words, SMALL) + 14.0;
        if x > 0.0 && x + width > canvas.width {
            x = 0.0;
            y += 18.0;
        }
        let paint = format!("fill=\"{}\" stroke=\"{}\" stroke-opacity=\"0.35\"", canvas.paint(*colour), canvas.soft());
        canvas.rect((x, y), (14.0, 14.0), &paint);
        canvas.text((x + 20.0, y + 11.0), Anchor::Start, SMALL, &words);
        x += width;
    }
    y + 20.0
}
