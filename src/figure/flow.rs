//! Ribbons between positions from stage to stage.

use super::canvas::{Anchor, Canvas, SIZE, SMALL, at, text_width, wrap_label};
use super::model::{At, Colour, FigureMark};

/// The height of a stage, without gaps.
const HEIGHT: f64 = 210.0;
const GAP: f64 = 8.0;
const NODE: f64 = 12.0;
/// The height of the stage names.
const HEAD: f64 = 32.0;

/// A position of a stage laid out.
#[derive(Clone, Copy)]
struct FlowNode {
    top: f64,
    seats: f64,
    /// The height that ribbons to the left and to the right use so far.
    used: [f64; 2],
}

/// Draws the stages and the ribbons between them. Positions that nobody holds at a stage are left out there.
pub(super) fn draw_flow(canvas: &mut Canvas, marks: &[FigureMark], stages: &[String], positions: &[(String, Colour)]) {
    let place_of = |name: &str| positions.iter().position(|(known, _)| known == name);
    let seats = |stage: usize, place: usize| -> f64 {
        let own = marks.iter().filter(|mark| match stage.checked_sub(1) {
            None => mark.panel == stages[0] && place_of(&mark.series) == Some(place),
            Some(before) => mark.panel == stages[before] && destination(mark).and_then(place_of) == Some(place),
        });
        own.filter_map(|mark| mark.value).sum()
    };
    let all: f64 = marks.iter().filter(|mark| Some(&mark.panel) == stages.first()).filter_map(|mark| mark.value).sum();
    let unit = if all > 0.0 { HEIGHT / all } else { 0.0 };
    let longest = positions.iter().map(|(name, _)| text_width(name, SMALL)).fold(0.0, f64::max) + 34.0;
    let side = longest.min(if canvas.is_narrow() { 96.0 } else { 200.0 });
    let mut nodes: Vec<Vec<FlowNode>> = Vec::new();
    let mut bottom: f64 = HEAD;
    for stage in 0..stages.len() {
        let mut top = HEAD;
        let mut own = Vec::new();
        for (place, (name, _)) in positions.iter().enumerate() {
            let seats = seats(stage, place);
            // A label is as high as its lines, however few seats hold the position.
            let is_outer = stage == 0 || stage + 1 == stages.len();
            let lines = wrap_label(&format!("{name} 000"), side - 6.0, SMALL, 3).len();
            let size = (seats * unit).max(1.0);
            let slot = if is_outer { size.max(13.0 * lines as f64) } else { size.max(13.0) };
            own.push(FlowNode { top: top + (slot - size) / 2.0, seats, used: [0.0; 2] });
            if seats > 0.0 {
                top += slot + GAP;
            }
        }
        bottom = bottom.max(top);
        nodes.push(own);
    }
    let steps = stages.len().saturating_sub(1).max(1) as f64;
    let x = |stage: usize| side + (canvas.width - 2.0 * side - NODE) * stage as f64 / steps;
    let left: Vec<f64> = (0..stages.len()).map(x).collect();
    for (stage, name) in stages.iter().enumerate().take(stages.len().saturating_sub(1)) {
        for mark in marks.iter().filter(|mark| mark.panel == *name) {
            let ends = place_of(&mark.series).zip(destination(mark).and_then(place_of));
            let (Some((from, to)), Some(count)) = (ends, mark.value) else { continue };
            let size = count * unit;
            let begin = nodes[stage][from].top + nodes[stage][from].used[1];
            let end = nodes[stage + 1][to].top + nodes[stage + 1][to].used[0];
            nodes[stage][from].used[1] += size;
            nodes[stage + 1][to].used[0] += size;
            draw_ribbon(canvas, mark, (left[stage] + NODE, left[stage + 1]), (begin, end, size), positions[from].1);
        }
    }
    let (ink, soft) = (canvas.ink(), canvas.soft());
    for (stage, name) in stages.iter().enumerate() {
        let is_last = stage + 1 == stages.len();
        let (x, anchor) = match (stage, is_last) {
            (0, _) => (0.0, Anchor::Start),
            (_, true) => (canvas.width, Anchor::End),
            _ => (left[stage] + NODE / 2.0, Anchor::Middle),
        };
        canvas.bold_text((x, 14.0), anchor, SIZE - 1.0, name);
        for (place, node) in nodes[stage].iter().enumerate().filter(|(_, node)| node.seats > 0.0) {
            let size = (node.seats * unit).max(1.0);
            let paint = format!("fill=\"{}\" stroke=\"{soft}\"", canvas.paint(positions[place].1));
            canvas.rect((left[stage], node.top), (NODE, size), &paint);
            let (x, anchor, words) = match (stage, is_last) {
                (0, _) => (left[stage] - 5.0, Anchor::End, format!("{} {}", positions[place].0, node.seats)),
                (_, true) => {
                    (left[stage] + NODE + 5.0, Anchor::Start, format!("{} {}", node.seats, positions[place].0))
                }
                _ => (left[stage] + NODE + 5.0, Anchor::Start, node.seats.to_string()),
            };
            let lines = wrap_label(&words, side - 6.0, SMALL, 3);
            let middle = node.top + size / 2.0 + 4.0 - (lines.len() - 1) as f64 * 6.5;
            for (line, words) in lines.iter().enumerate() {
                canvas.coloured_text((x, middle + line as f64 * 13.0), anchor, SMALL, words, &ink);
            }
        }
    }
    canvas.height = bottom + 14.0;
}

fn destination(mark: &FigureMark) -> Option<&str> {
    match &mark.at {
        At::Name(name) => Some(name),
        At::Nowhere | At::Number(_) => None,
    }
}

fn draw_ribbon(
    canvas: &mut Canvas,
    mark: &FigureMark,
    (near, far): (f64, f64),
    (begin, end, size): (f64, f64, f64),
    colour: Colour,
) {
    let middle = at(f64::midpoint(near, far));
    let path = format!(
        "M{near} {begin}C{middle} {begin} {middle} {end} {far} {end}V{low_end}C{middle} {low_end} {middle} {low} {near} {low}Z",
        near = at(near),
        far = at(far),
        begin = at(begin),
        end = at(end),
        low = at(begin + size),
        low_end = at(end + size),
    );
    let label = format!("{} to {}: {}", mark.series, destination(mark).unwrap_or_default(), mark.value.unwrap_or(0.0));
    let (fill, soft) = (canvas.paint(colour), canvas.soft());
    canvas.push(format_args!(
        "<path d=\"{path}\" fill=\"{fill}\" fill-opacity=\"0.5\" stroke=\"{soft}\" stroke-opacity=\"0.3\">"
    ));
    canvas.title(&label);
    canvas.push(format_args!("</path>"));
}
