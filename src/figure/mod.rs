//! Figures: tidy rows with a caption, drawn as SVG for a page and for files.
//!
//! A [`Figure`] holds everything about one figure. Its marks are the rows of its table and of its CSV file, so a figure cannot show
//! a number that its table lacks. Four forms draw all figures: intervals on one axis, lines, a grid of cells and a flow.
//!
//! Labels are escaped. Equal input gives equal SVG.

mod canvas;
mod dots;
#[cfg(feature = "cli")]
mod files;
mod flow;
mod grid;
mod lines;
mod model;
mod scale;

use canvas::Canvas;

pub use canvas::{Ink, page_colours};
#[cfg(feature = "cli")]
pub use files::{convert_to_pdf, render_png};
pub use model::{At, Axis, Colour, Figure, FigureForm, FigureMark, PALETTE_SIZE};
pub use scale::ValueUnit;

/// The width of a figure on a wide screen, on paper and in files, in CSS pixels.
pub const WIDE: f64 = 620.0;
/// The width of a figure on a phone, in CSS pixels.
pub const NARROW: f64 = 328.0;

impl Figure {
    /// Draws the figure at a width in CSS pixels. `Ink` says whether it stands in a page or in a file of its own.
    pub fn draw(&self, ink: Ink, width: f64) -> String {
        let mut canvas = Canvas::new(ink, width);
        match &self.form {
            FigureForm::Dots { axis, reference } => dots::draw_dots(&mut canvas, &self.marks, axis, reference.as_ref()),
            FigureForm::Lines { across, categories, upwards } => {
                lines::draw_lines(&mut canvas, &self.marks, across, categories, upwards);
            }
            FigureForm::Grid { columns, across, upwards, legend, .. } => {
                grid::draw_grid(&mut canvas, &self.marks, columns, (across, upwards), legend);
            }
            FigureForm::Flow { stages, positions } => flow::draw_flow(&mut canvas, &self.marks, stages, positions),
        }
        canvas.finish(&self.title, &self.finding)
    }
}

#[cfg(test)]
mod tests;
