//! A figure's SVG as PNG and PDF, with an embedded font, so that files are equal on all machines.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

/// The resolution of PNG files, in dots per inch.
const DOTS_PER_INCH: f32 = 300.0;
/// CSS pixels per inch.
const PIXELS_PER_INCH: f32 = 96.0;

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

pub(super) fn read_svg(svg: &str) -> Tree {
    let options = Options { fontdb: Arc::clone(&FONTS), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    Tree::from_str(svg, &options).expect("invariant: a figure is an SVG document")
}

/// Renders an SVG of this module as PNG at 300 dots per inch.
///
/// # Panics
/// If the SVG is not a figure's.
pub fn render_png(svg: &str) -> Vec<u8> {
    let tree = read_svg(svg);
    let scale = DOTS_PER_INCH / PIXELS_PER_INCH;
    let size = tree.size().to_int_size().scale_by(scale).expect("invariant: a figure has a size");
    let mut pixels = Pixmap::new(size.width(), size.height()).expect("invariant: a figure has a size");
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().expect("invariant: pixels can be encoded")
}

/// Converts an SVG of this module to PDF, with its text as text.
///
/// # Panics
/// If the SVG is not a figure's.
pub fn convert_to_pdf(svg: &str) -> Vec<u8> {
    let page = svg2pdf::PageOptions { dpi: PIXELS_PER_INCH };
    svg2pdf::to_pdf(&read_svg(svg), svg2pdf::ConversionOptions::default(), page)
        .expect("invariant: a figure has nothing that PDF lacks")
}
