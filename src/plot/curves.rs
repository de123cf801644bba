//! Line charts over rounds with bands, drawn by `kuva`.

use std::sync::Arc;

use kuva::backend::svg::SvgBackend;
use kuva::plot::{BandPlot, LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use kuva::render::theme::Theme;

use super::{begin, colour, place};

/// The chart's width and height in pixels: small, so that a phone shows the text without scaling it down.
const SIZE: (f64, f64) = (380.0, 240.0);

const TICK_SIZE: u32 = 11;

/// Small enough for two-digit counts under ten ticks.
const COUNT_SIZE: u32 = 9;

const COUNTS_HEIGHT: f64 = 13.0;

/// Space for the last count, which extends beyond the axis.
const COUNTS_MARGIN: f64 = 10.0;

/// The maximum number of tick steps on an axis from zero.
const TICKS: u8 = 6;

/// A line chart over rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The accessible name.
    pub title: String,
    /// One sentence that describes the chart.
    pub about: String,
    /// The label of the x axis.
    pub across: &'static str,
    /// The label of the y axis.
    pub upwards: &'static str,
    /// The range of the y axis.
    pub scale: Scale,
    /// The end of the x axis; charts side by side share it.
    pub last: f64,
    /// The number of observations per round, from the first round on, printed under the ticks as `n=…`. If empty, nothing is
    /// printed.
    pub counts: Vec<u64>,
    /// The curves, bottom to top.
    pub curves: Vec<Curve>,
}

/// The range of the y axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From 0 to 1, in per cent.
    Share,
    /// From 0 to the greatest value.
    FromZero,
}

/// One curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// The colour's number.
    pub colour: usize,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The lower and upper bound at each point; empty without a band.
    pub band: Vec<(f64, f64)>,
}

/// Draws a chart as SVG.
pub fn curves(of: &Chart) -> String {
    let plots: Vec<Plot> = of.curves.iter().flat_map(drawn).collect();
    let mut layout = Layout::auto_from_plots(&plots)
        .with_width(SIZE.0)
        .with_height(SIZE.1)
        .with_x_label(of.across)
        .with_y_label(of.upwards)
        .with_theme(theme())
        .with_label_size(12)
        .with_tick_size(TICK_SIZE)
        .with_y_axis_min(0.0)
        .with_x_tick_format(TickFormat::Integer)
        .with_x_axis_min(0.0)
        .with_x_axis_max(of.last.max(1.0))
        .with_x_tick_step(step(of.last, most_ticks(&of.counts)))
        .with_x_label_offset(0.0, counts_height(of));
    let (top, step, format) = match of.scale {
        Scale::Share => (1.0, 0.25, per_cent()),
        Scale::FromZero => from_zero(of),
    };
    layout = layout.with_y_axis_max(top).with_y_tick_step(step).with_y_tick_format(TickFormat::Custom(format));
    let drawn = SvgBackend::new().render_scene(&render_multiple(plots, layout));
    dressed(&drawn, of)
}

fn drawn(curve: &Curve) -> Vec<Plot> {
    let colour = format!("var(--c{})", colour(curve.colour));
    let mut plots = Vec::new();
    if !curve.band.is_empty() {
        let (across, band) = (curve.points.iter().map(|point| point.0), curve.band.iter());
        let (low, high): (Vec<f64>, Vec<f64>) = band.copied().unzip();
        plots.push(Plot::Band(BandPlot::new(across, low, high).with_color(colour.as_str()).with_opacity(0.22)));
    }
    let (points, line) = (curve.points.clone(), LinePlot::new().with_data(curve.points.clone()));
    plots.push(Plot::Line(line.with_color(colour.as_str()).with_stroke_width(2.0)));
    plots.push(Plot::Scatter(ScatterPlot::new().with_data(points).with_color(colour).with_size(2.5)));
    plots
}

type Written = Arc<dyn Fn(f64) -> String + Send + Sync>;

/// The end, tick step and tick format of an axis from zero; all labels have the same number of decimals.
fn from_zero(of: &Chart) -> (f64, f64, Written) {
    let points = of.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let bands = of.curves.iter().flat_map(|curve| curve.band.iter().map(|band| band.1));
    let greatest = points.chain(bands).fold(0.0, f64::max);
    let steps = (-9..12_i32).flat_map(|power| ["1", "2", "5"].map(|first| (format!("{first}e{power}"), power)));
    let mut steps = steps.filter_map(|(step, power)| Some((step.parse::<f64>().ok()?, power)));
    let fits = |(step, _): &(f64, i32)| greatest > 0.0 && greatest / step <= f64::from(TICKS);
    let (step, power) = steps.find(fits).unwrap_or((1.0, 0));
    let decimals = usize::try_from(-power).unwrap_or(0);
    ((greatest / step).ceil().max(1.0) * step, step, Arc::new(move |value| format!("{value:.decimals$}")))
}

fn per_cent() -> Written {
    Arc::new(|share| format!("{:.0} %", 100.0 * share))
}

/// The number of rounds between ticks that gives at most `most` ticks.
fn step(rounds: f64, most: f64) -> f64 {
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].into_iter().find(|step| rounds / step <= most).unwrap_or(1000.0)
}

/// The number of ticks whose counts fit: ten for up to two digits, five for up to four, else three.
fn most_ticks(counts: &[u64]) -> f64 {
    match counts.iter().max() {
        Some(10_000..) => 3.0,
        Some(100..) => 5.0,
        Some(_) | None => 10.0,
    }
}

fn counts_height(of: &Chart) -> f64 {
    if of.counts.is_empty() { 0.0 } else { COUNTS_HEIGHT }
}

fn theme() -> Theme {
    let [ink, soft, grid] = ["currentColor", "var(--soft)", "var(--grid)"].map(str::to_owned);
    Theme {
        background: "none".to_owned(),
        axis_color: soft.clone(),
        grid_color: grid,
        tick_color: soft,
        text_color: ink,
        ..Theme::light()
    }
}

/// Replaces the SVG root: without a fixed size, with a title, for inline HTML.
fn dressed(drawn: &str, of: &Chart) -> String {
    let size = |name: &str| {
        let rest = drawn.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
        rest.split_once('"').and_then(|(number, _)| number.parse().ok())
    };
    let (width, height) = (size("width").unwrap_or(SIZE.0), size("height").unwrap_or(SIZE.1));
    let inner = drawn.split_once("-->").map_or(drawn, |(_, inner)| inner);
    let mut out = String::with_capacity(drawn.len() + 200);
    let margin = if of.counts.is_empty() { 0.0 } else { COUNTS_MARGIN };
    begin(&mut out, (width + margin, height + counts_height(of)), "img", (&of.title, &of.about));
    out.push_str(&counted(&unclipped(inner), &of.counts));
    out
}

/// Adds a count under the tick of each round. `kuva` does not break lines, so each count is a separate text. Only x-axis ticks
/// are centred at this text size.
fn counted(drawn: &str, counts: &[u64]) -> String {
    let is_tick = format!("font-size=\"{TICK_SIZE}\" text-anchor=\"middle\"");
    let under = |part: &str| -> Option<String> {
        let (tag, words) = part.rsplit_once("<text ")?.1.split_once('>')?;
        let round: usize = words.parse().ok()?;
        let count = counts.get(round.checked_sub(1)?).filter(|_| tag.contains(&is_tick))?;
        let at = |name: &str| tag.split_once(&format!("{name}=\""))?.1.split_once('"')?.0.parse::<f64>().ok();
        let (x, y) = (place(at("x")?), place(at("y")? + COUNTS_HEIGHT));
        Some(format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{COUNT_SIZE}\" text-anchor=\"middle\">n={count}</text>"))
    };
    let mut out = String::with_capacity(drawn.len());
    for part in drawn.split_inclusive("</text>") {
        out.push_str(part);
        out.extend(part.strip_suffix("</text>").and_then(under));
    }
    out
}

/// Removes the clip path. Nothing is drawn outside the axes, and `kuva` numbers clip paths per process, so equal charts would
/// differ.
fn unclipped(inner: &str) -> String {
    let (before, after) = inner.split_once("<defs>").unwrap_or((inner, ""));
    let after = after.split_once("</defs>").map_or(after, |(_, after)| after);
    let mut out = before.to_owned();
    let mut rest = after;
    while let Some((part, behind)) = rest.split_once("<g clip-path=\"") {
        out.push_str(part);
        out.push_str("<g>");
        rest = behind.split_once('>').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}
