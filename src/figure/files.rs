//! A figure's SVG as PNG and PDF, with an embedded font, so that files are equal on all machines.

use std::sync::{Arc, LazyLock};

use krilla::Document;
use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

/// The resolution of PNG files, in dots per inch.
const DOTS_PER_INCH: f32 = 300.0;
/// CSS pixels per inch.
const PIXELS_PER_INCH: f32 = 96.0;
/// Points of PDF per CSS pixel.
const POINTS_PER_PIXEL: f32 = 72.0 / PIXELS_PER_INCH;

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

/// Converts an SVG of this module to PDF, with its text as text. Equal input gives equal bytes.
///
/// # Panics
/// If the SVG is not a figure's.
pub fn convert_to_pdf(svg: &str) -> Vec<u8> {
    let tree = read_svg(svg);
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| side * POINTS_PER_PIXEL);
    let size = Size::from_wh(width, height).expect("invariant: a figure has a size");
    let mut document = Document::new();
    let mut page = document.start_page_with(PageSettings::new(size));
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default()).expect("invariant: a figure has nothing that PDF lacks");
    surface.finish();
    page.finish();
    document.finish().expect("invariant: a figure has nothing that PDF lacks")
}
