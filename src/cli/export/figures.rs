//! Exports the figures of the report as files.

use super::{new_output_path, note_unverified};
use crate::cli::arguments::ExportArguments;
use crate::cli::exit::{Ending, Refusal};
use crate::cli::locate;
use crate::cli::other_format::refuse_other_format;
use crate::cli::output::print_text;
use crate::cli::report::draw_experiment_figures;
use crate::figure::{Figure, Ink, convert_to_pdf, render_png};
use crate::report::{counted, escape_unseen};
use crate::store::files::{file_error, write_whole};
use crate::store::results::ResultsFolder;
use crate::store::staging::Staging;

/// CSS pixels in a millimetre.
const PIXELS_PER_MM: f64 = 96.0 / 25.4;

/// Writes each figure as SVG, PDF, PNG and CSV, and `figures.csv` with their captions.
///
/// # Errors
/// A [`Refusal`] if there is no figure, or nothing can be written.
pub(super) fn export_figures(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    let out = new_output_path(arguments, "-figures")?;
    let figures = draw_experiment_figures(&arguments.path)?;
    let (root, session) = locate::find_experiment(&arguments.path)?;
    if figures.is_empty() {
        let folder = ResultsFolder::open_for_reading(&root, session.as_deref())?;
        refuse_other_format(&folder, session.as_deref(), "draw the figures with that one")?;
        let message = format!("{}: there is nothing to draw yet; no session is complete", arguments.path.display());
        return Err(Refusal::with_ending(Ending::Resumable, message));
    }
    note_unverified(&root);
    let staging = Staging::begin(&out)?;
    let place = staging.path();
    std::fs::create_dir_all(&place).map_err(|error| file_error(&place, &error))?;
    for figure in &figures {
        let svg = figure.draw(Ink::Document, f64::from(arguments.width) * PIXELS_PER_MM);
        let write = |end: &str, bytes: &[u8]| write_whole(&place.join(format!("{}.{end}", figure.name)), bytes);
        write("svg", svg.as_bytes())?;
        write("pdf", &convert_to_pdf(&svg))?;
        write("png", &render_png(&svg))?;
        write("csv", figure.csv().as_bytes())?;
    }
    write_whole(&place.join("figures.csv"), list_captions(&figures).as_bytes())?;
    staging.publish()?;
    let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
    let shown = escape_unseen(&out.display().to_string());
    print_text(&format!(
        "{shown}: {}, each as SVG, PDF, PNG and CSV: {}",
        counted(figures.len() as u64, "figure"),
        names.join(", ")
    ))?;
    Ok(Ending::Done)
}

fn list_captions(figures: &[Figure]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (place, figure) in figures.iter().enumerate() {
        let (names, cells): (Vec<&str>, Vec<String>) = figure.describe().into_iter().unzip();
        if place == 0 {
            writer.write_record(names).expect("invariant: memory takes what is written");
        }
        writer.write_record(cells).expect("invariant: memory takes what is written");
    }
    let bytes = writer.into_inner().expect("invariant: memory takes what is written");
    String::from_utf8(bytes).expect("invariant: CSV of texts is text")
}
