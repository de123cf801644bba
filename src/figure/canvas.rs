//! Writes SVG: texts, lines, areas and point marks in the colours of a page or of a file.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::model::{ARMS, CHOICES, Colour, NOTHING, PALETTE_SIZE};
use crate::text::escape_html;

/// Where a figure stands, which decides how its colours are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// In a page, whose style defines the colours for light, dark and print.
    Page,
    /// In a file of its own, for light ground.
    Document,
}

/// The colours of arms on dark ground.
const ARMS_ON_DARK: [&str; PALETTE_SIZE] =
    ["#56a8e6", "#f0924e", "#4fc39a", "#e38bc3", "#d3bc4a", "#9aa0f2", "#f08c8c", "#9fb4c0"];
/// The colours of text on the options' colours.
const ON_CHOICES: [&str; PALETTE_SIZE] =
    ["#ffffff", "#1b1f24", "#ffffff", "#1b1f24", "#ffffff", "#1b1f24", "#ffffff", "#1b1f24"];
const INK: &str = "#1b1f24";
const SOFT: &str = "#545b66";
const GRID: &str = "#dde1e6";
const PAGE: &str = "#ffffff";

/// The font of files; a page has its own.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// The height of a line of text over its size.
pub(super) const LINE: f64 = 1.25;
/// The size of labels, in CSS pixels.
pub(super) const SIZE: f64 = 13.0;
/// The size of ticks and notes, in CSS pixels.
pub(super) const SMALL: f64 = 11.5;

/// The definitions of the palette as CSS custom properties, for light and for dark ground.
pub fn page_colours() -> (String, String) {
    let properties = |prefix: &str, colours: &[&str]| -> String {
        colours.iter().enumerate().map(|(place, colour)| format!("--{prefix}{place}: {colour}; ")).collect()
    };
    let light = properties("arm", &ARMS) + &properties("choice", &CHOICES) + &properties("on", &ON_CHOICES);
    (format!("{light}--nothing: {NOTHING};"), properties("arm", &ARMS_ON_DARK) + "--nothing: #6b727c;")
}

/// Where a text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG document that is being drawn. Coordinates are in CSS pixels from its top left corner.
#[derive(Debug)]
pub(super) struct Canvas {
    ink: Ink,
    out: String,
    pub width: f64,
    /// The bottom of the drawing; the forms set it at their end.
    pub height: f64,
}

impl Canvas {
    pub fn new(ink: Ink, width: f64) -> Self {
        Self { ink, out: String::new(), width, height: 0.0 }
    }

    /// Whether the canvas is as narrow as a phone.
    pub fn is_narrow(&self) -> bool {
        self.width < 500.0
    }

    fn named(&self, property: &str, colour: &str) -> String {
        match self.ink {
            Ink::Page => format!("var(--{property})"),
            Ink::Document => colour.to_owned(),
        }
    }

    /// The fill or stroke of a colour. Colours beyond the palette begin again; labels and point marks tell them apart.
    pub fn paint(&self, colour: Colour) -> String {
        match colour {
            Colour::Arm(place) => self.named(&format!("arm{}", place % PALETTE_SIZE), colour.hex()),
            Colour::Choice(place) => self.named(&format!("choice{}", place % PALETTE_SIZE), colour.hex()),
            Colour::Nothing => self.named("nothing", NOTHING),
        }
    }

    /// The colour of text on a colour.
    pub fn paint_on(&self, colour: Colour) -> String {
        match colour {
            Colour::Choice(place) => {
                self.named(&format!("on{}", place % PALETTE_SIZE), ON_CHOICES[place % PALETTE_SIZE])
            }
            Colour::Arm(_) | Colour::Nothing => INK.to_owned(),
        }
    }

    /// The stroke of a mark. Light colours of options need a dark outline on a light page.
    pub fn paint_outline(&self, colour: Colour) -> String {
        if matches!(colour, Colour::Choice(_)) { self.soft() } else { self.paint(colour) }
    }

    /// The colour of labels.
    pub fn ink(&self) -> String {
        self.named("ink", INK)
    }

    /// The colour of ticks, notes and axes.
    pub fn soft(&self) -> String {
        self.named("soft", SOFT)
    }

    pub fn push(&mut self, svg: std::fmt::Arguments<'_>) {
        self.out.write_fmt(svg).expect("invariant: a string takes what is written");
    }

    /// Writes a label in bold on its baseline.
    pub fn bold_text(&mut self, place: (f64, f64), anchor: Anchor, size: f64, words: &str) {
        let ink = self.ink();
        self.push(format_args!("<g font-weight=\"600\">"));
        self.coloured_text(place, anchor, size, words, &ink);
        self.push(format_args!("</g>"));
    }

    /// Writes a text on its baseline: labels in the colour of ink, smaller texts in the soft one.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, words: &str) {
        let fill = if size < SIZE { self.soft() } else { self.ink() };
        self.coloured_text((x, y), anchor, size, words, &fill);
    }

    pub fn coloured_text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, words: &str, fill: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, words) = (at(x), at(y), escape_html(words));
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{words}</text>"
        ));
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let path = format!("M{} {}L{} {}", at(from.0), at(from.1), at(to.0), at(to.1));
        self.push(format_args!("<path d=\"{path}\" stroke=\"{stroke}\" stroke-width=\"{width}\" fill=\"none\"/>"));
    }

    pub fn dashed(&mut self, from: (f64, f64), to: (f64, f64)) {
        let path = format!("M{} {}L{} {}", at(from.0), at(from.1), at(to.0), at(to.1));
        let stroke = self.soft();
        self.push(format_args!(
            "<path d=\"{path}\" stroke=\"{stroke}\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\" fill=\"none\"/>"
        ));
    }

    pub fn grid_line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let grid = self.named("grid", GRID);
        self.line(from, to, &grid, 1.0);
    }

    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), paint: &str) {
        let (x, y, width, height) = (at(x), at(y), at(width), at(height));
        self.push(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {paint}/>"));
    }

    /// Draws a point mark. Its shape follows from the colour, so that marks stay apart in greyscale.
    pub fn point(&mut self, (x, y): (f64, f64), colour: Colour) {
        let (fill, stroke) = (self.paint(colour), self.paint_outline(colour));
        let shape = match colour {
            Colour::Nothing => 0,
            Colour::Arm(place) | Colour::Choice(place) => place,
        };
        let points: &[(f64, f64)] = match shape % 8 {
            1 => &[(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)],
            2 => &[(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)],
            3 => &[(0.0, -5.5), (5.5, 4.5), (-5.5, 4.5)],
            4 => &[(0.0, 5.5), (5.5, -4.5), (-5.5, -4.5)],
            5 => &[(-5.5, -2.0), (5.5, -2.0), (5.5, 2.0), (-5.5, 2.0)],
            6 => &[(-2.0, -5.5), (2.0, -5.5), (2.0, 5.5), (-2.0, 5.5)],
            7 => &[(-5.5, 0.0), (-2.5, -5.0), (2.5, -5.0), (5.5, 0.0), (2.5, 5.0), (-2.5, 5.0)],
            _ => {
                let (x, y) = (at(x), at(y));
                return self
                    .push(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{fill}\" stroke=\"{stroke}\"/>"));
            }
        };
        let points: Vec<String> =
            points.iter().map(|(right, down)| format!("{},{}", at(x + right), at(y + down))).collect();
        self.push(format_args!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\"/>", points.join(" ")));
    }

    pub fn title(&mut self, words: &str) {
        let words = escape_html(words);
        self.push(format_args!("<title>{words}</title>"));
    }

    /// The complete SVG, with an accessible name and a description.
    pub fn finish(self, name: &str, about: &str) -> String {
        let [name, about] = [name, about].map(escape_html);
        let (width, height) = (at(self.width), at(self.height.max(1.0)));
        let (head, ground) = match self.ink {
            Ink::Page => (String::new(), String::new()),
            Ink::Document => (
                format!(" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{FONT}\""),
                format!("<rect width=\"{width}\" height=\"{height}\" fill=\"{PAGE}\"/>"),
            ),
        };
        let open = format!(
            "<svg{head} viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{name}\">"
        );
        format!("{open}<title>{name}</title><desc>{about}</desc>{ground}{}</svg>\n", self.out)
    }
}

/// Writes a coordinate with at most one decimal.
pub(super) fn at(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The width of a text in CSS pixels, estimated generously: no font is measured, so that files are equal on all machines.
pub(super) fn text_width(words: &str, size: f64) -> f64 {
    words.width() as f64 * size * 0.6
}

/// Breaks a label into at most `lines_max` lines of a width in CSS pixels. If it does not fit, the last line ends with `…`.
pub(super) fn wrap_label(words: &str, width: f64, size: f64, lines_max: usize) -> Vec<String> {
    let columns = ((width / (size * 0.6)) as usize).max(3);
    // A level stays with its factor if there is room for both.
    let glued = words.replace(": ", ":\u{a0}");
    let fits = glued.split(' ').all(|word| word.width() <= columns);
    let words = if fits { glued } else { words.to_owned() };
    let mut lines: Vec<String> = textwrap::wrap(&words, columns).into_iter().map(|line| line.into_owned()).collect();
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            while last.width() >= columns && last.pop().is_some() {}
            last.push('…');
        }
    }
    lines
}
