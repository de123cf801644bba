//! Curves over rounds with bands around them, drawn by `kuva`.

use std::sync::Arc;

use kuva::backend::svg::SvgBackend;
use kuva::plot::{BandPlot, LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use kuva::render::theme::Theme;

use super::{begin, colour, place};

/// The room of the picture: small, so that its letters can be read on a telephone, where it is not made smaller.
const SIZE: (f64, f64) = (380.0, 240.0);

/// The size of the letters under an axis.
const TICK_SIZE: u32 = 11;

/// The size of the letters of counts under it: small, so that counts of two digits stand under ten ticks without touching.
const COUNT_SIZE: u32 = 9;

/// The height of the line of counts under an axis.
const COUNTS_HEIGHT: f64 = 13.0;

/// The room for the last count to the right of the axis.
const COUNTS_MARGIN: f64 = 10.0;

/// Steps between ticks of an axis from zero, at the most.
const TICKS: u8 = 6;

/// Curves over rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What the picture is read out as.
    pub title: String,
    /// What it shows, in a sentence.
    pub about: String,
    /// What is counted to the right.
    pub across: &'static str,
    /// What is measured upwards.
    pub upwards: &'static str,
    /// How it is measured.
    pub scale: Scale,
    /// The last round or month there is: charts that stand beside each other share it.
    pub last: f64,
    /// What each point is of, from the first round on, printed under the ticks as `n=…`; empty prints none.
    pub counts: Vec<u64>,
    /// The curves, the last one on top.
    pub curves: Vec<Curve>,
}

/// How a chart measures upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From 0 to 1.
    Share,
    /// From 0 to the greatest value.
    FromZero,
}

/// One curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// The number of its colour.
    pub colour: usize,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// What lies around it: for each point the least and the greatest; empty without a band.
    pub band: Vec<(f64, f64)>,
}

/// The picture.
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

/// How a tick is written.
type Written = Arc<dyn Fn(f64) -> String + Send + Sync>;

/// Where an axis from zero ends, how far its ticks are apart, and how they are written: all with as many decimals.
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

/// Shares as the page writes them.
fn per_cent() -> Written {
    Arc::new(|share| format!("{:.0} %", 100.0 * share))
}

/// Whole rounds between ticks, so that there are at most so many.
fn step(rounds: f64, most: f64) -> f64 {
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].into_iter().find(|step| rounds / step <= most).unwrap_or(1000.0)
}

/// As many ticks as have room for their counts: up to two digits ten, up to four five, beyond that three.
fn most_ticks(counts: &[u64]) -> f64 {
    match counts.iter().max() {
        Some(10_000..) => 3.0,
        Some(100..) => 5.0,
        Some(_) | None => 10.0,
    }
}

/// The room that counts take under an axis.
fn counts_height(of: &Chart) -> f64 {
    if of.counts.is_empty() { 0.0 } else { COUNTS_HEIGHT }
}

/// The page's colours.
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

/// The picture with a beginning of ours: it has no size of its own and a title, and stands in HTML.
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

/// The picture with a count under the tick of each round. `kuva` breaks no lines, so each tick gets a text of its own below it; of all
/// texts of that size only the ticks of this axis are centred.
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

/// The picture without the frame that cuts it: nothing lies outside the axes, and the frame's name counts the pictures that the
/// process has drawn, so that equal pictures would differ.
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
