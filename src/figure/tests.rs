//! Figures are equal for equal input, well formed whatever the labels, and inside their frame at every width.

use proptest::prelude::*;
use resvg::usvg;

use super::*;

fn mark(panel: &str, series: &str, at: At, value: f64, place: usize) -> FigureMark {
    FigureMark {
        panel: panel.to_owned(),
        series: series.to_owned(),
        at,
        value: Some(value),
        low: Some((value - 0.1).max(0.0)),
        high: Some((value + 0.1).min(1.0)),
        n: Some(12),
        colour: Colour::Arm(place),
        ..FigureMark::default()
    }
}

fn figure(form: FigureForm, marks: Vec<FigureMark>) -> Figure {
    Figure {
        name: "test".to_owned(),
        title: "a <b> & \"c\"".to_owned(),
        finding: "What was found.".to_owned(),
        reading: "How to read it.".to_owned(),
        form,
        marks,
    }
}

/// A figure of each form with these labels.
fn of_each_form(labels: &[String]) -> Vec<Figure> {
    let shares = || Axis::of_shares("share of groups");
    let dots = labels.iter().enumerate().map(|(place, label)| mark(label, label, At::Nowhere, 0.4, place)).collect();
    let lines = labels.iter().enumerate().flat_map(|(place, label)| {
        (0..12).map(move |round| mark("", label, At::Number(f64::from(round)), f64::from(round) / 12.0, place))
    });
    let bars = labels.iter().enumerate().flat_map(|(place, label)| {
        (1..=2).map(move |position| mark("", label, At::Number(f64::from(position)), 0.5, place))
    });
    let cells =
        labels.iter().flat_map(|row| labels.iter().map(move |column| mark("", row, At::Name(column.clone()), 3.0, 0)));
    let ways =
        labels.iter().flat_map(|from| labels.iter().map(move |to| mark("first", from, At::Name(to.clone()), 2.0, 0)));
    let positions = labels.iter().enumerate().map(|(place, label)| (label.clone(), Colour::Choice(place)));
    vec![
        figure(FigureForm::Dots { axis: shares(), reference: Some((0.5, "by lot".to_owned())) }, dots),
        figure(
            FigureForm::Lines {
                across: Axis::new("round", ValueUnit::Count),
                categories: Vec::new(),
                upwards: shares(),
            },
            lines.collect(),
        ),
        figure(
            FigureForm::Lines {
                across: Axis::new("rule", ValueUnit::Count),
                categories: labels.iter().take(2).cloned().collect(),
                upwards: shares(),
            },
            bars.collect(),
        ),
        figure(
            FigureForm::Grid {
                columns: labels.to_vec(),
                across: "moved".to_owned(),
                upwards: "spoke".to_owned(),
                unit: ValueUnit::Count,
                legend: Vec::new(),
            },
            cells.collect(),
        ),
        figure(
            FigureForm::Flow { stages: vec!["first".to_owned(), "last".to_owned()], positions: positions.collect() },
            ways.collect(),
        ),
    ]
}

/// The right and bottom edges of what is drawn, with texts measured in the embedded font.
#[track_caller]
fn assert_inside(svg: &str, width: f64) {
    let tree = files::read_svg(svg);
    let drawn = tree.root().abs_stroke_bounding_box();
    let (right, bottom) = (f64::from(drawn.right()), f64::from(drawn.bottom()));
    assert!(f64::from(drawn.left()) >= -3.0 && right <= width + 3.0, "{drawn:?} in {width}: {svg}");
    assert!(bottom <= f64::from(tree.size().height()) + 3.0, "{drawn:?} in {:?}: {svg}", tree.size());
}

#[test]
fn nothing_is_cut_at_any_width() {
    let labels = [
        "memory: selective, rule: unanimity",
        "For the motion",
        "The highest average income with at least an amount for the low class",
    ];
    for figure in of_each_form(&labels.map(str::to_owned)) {
        for width in [NARROW, WIDE, 360.0, 1200.0] {
            assert_inside(&figure.draw(Ink::Document, width), width);
        }
    }
}

/// The texts with their boxes, and the boxes of upright lines.
#[derive(Default)]
struct Drawn {
    texts: Vec<(String, usvg::Rect)>,
    uprights: Vec<usvg::Rect>,
}

fn find_texts_and_uprights(svg: &str) -> Drawn {
    fn gather(group: &usvg::Group, found: &mut Drawn) {
        for node in group.children() {
            match node {
                usvg::Node::Text(text) => {
                    let words = text.chunks().iter().map(usvg::TextChunk::text).collect();
                    found.texts.push((words, text.abs_bounding_box()));
                }
                usvg::Node::Path(path) if path.abs_stroke_bounding_box().width() < 3.0 => {
                    found.uprights.push(path.abs_stroke_bounding_box());
                }
                usvg::Node::Group(group) => gather(group, found),
                _ => {}
            }
        }
    }
    let mut found = Drawn::default();
    gather(files::read_svg(svg).root(), &mut found);
    found
}

fn overlap(one: &usvg::Rect, other: &usvg::Rect) -> bool {
    let along = one.right().min(other.right()) - one.left().max(other.left());
    let down = one.bottom().min(other.bottom()) - one.top().max(other.top());
    along > 0.5 && down > 2.0
}

#[test]
fn names_of_seats_do_not_collide_or_break_inside_a_word_and_no_line_crosses_a_number_on_a_phone() {
    let labels = ["Alexandria", "Bartholomew", "Participant 3", "Konstantin", "Fisher 2"].map(str::to_owned);
    let figures = of_each_form(&labels);
    // The axes are named, and every cell holds a 3.
    let known: Vec<&str> =
        labels.iter().flat_map(|label| label.split_whitespace()).chain(["moved", "spoke", "3"]).collect();
    for width in [NARROW, 321.0, 360.0, WIDE] {
        let Drawn { texts, .. } = find_texts_and_uprights(&figures[3].draw(Ink::Document, width));
        for (place, (words, one)) in texts.iter().enumerate() {
            assert!(texts[..place].iter().all(|(_, other)| !overlap(one, other)), "{words} at {width}");
            assert!(words.split_whitespace().all(|word| known.contains(&word)), "{words} at {width}");
        }
    }
    let Drawn { texts, uprights } = find_texts_and_uprights(&figures[0].draw(Ink::Document, NARROW));
    assert!(uprights.len() > labels.len(), "the reference crosses every row");
    for (words, text) in &texts {
        assert!(uprights.iter().all(|line| !overlap(text, line)), "{words}");
    }
}

#[test]
fn a_page_gives_the_colours_and_a_file_has_its_own() {
    for figure in of_each_form(&["one".to_owned(), "two".to_owned()]) {
        let (page, file) = (figure.draw(Ink::Page, WIDE), figure.draw(Ink::Document, WIDE));
        assert!(page.contains("var(--") && !page.contains("xmlns"), "{page}");
        assert!(!file.contains("var(") && file.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{file}");
    }
}

#[test]
fn every_number_of_a_figure_is_in_its_csv() {
    let of = &of_each_form(&["one".to_owned(), "two".to_owned()])[0];
    assert_eq!(
        of.csv(),
        "panel,series,value,low,high,n,colour\none,one,0.4,0.30000000000000004,0.5,12,#0b6bb0\ntwo,two,0.4,0.30000000000000004,0.5,12,#b84a00\n"
    );
}

#[test]
fn marks_that_are_drawn_beside_their_position_have_the_position_in_the_csv() {
    let aside = |beside: f64| {
        let marks = ["one", "two"].map(|label| FigureMark { beside, ..mark("", label, At::Number(1.0), 0.5, 0) });
        let form = FigureForm::Lines {
            across: Axis::new("rule", ValueUnit::Count),
            categories: vec!["first".to_owned(), "second".to_owned()],
            upwards: Axis::of_shares("share of groups"),
        };
        figure(form, marks.into())
    };
    let (at, beside) = (aside(0.0), aside(0.06));
    assert_eq!(at.csv(), beside.csv());
    assert!(beside.csv().contains("\none,1,0.5,"), "{}", beside.csv());
    assert_ne!(at.draw(Ink::Document, WIDE), beside.draw(Ink::Document, WIDE));
}

#[test]
fn values_are_written_in_their_unit() {
    for (unit, value, written) in [
        (ValueUnit::Percent, 0.456, "46 %"),
        (ValueUnit::Points, -0.25, "−25"),
        (ValueUnit::Points, 0.001, "+0.1"),
        (ValueUnit::Difference, 0.1234, "+0.123"),
        (ValueUnit::Number, 1234.5, "1\u{202f}234"),
        (ValueUnit::Percent, 0.525, "53 %"),
        (ValueUnit::Count, 12.5, "12.5"),
        (ValueUnit::Number, 12_345.0, "12\u{202f}345"),
        (ValueUnit::Dollars, 12_345.5, "$12\u{202f}345.50"),
        (ValueUnit::Count, 3.0, "3"),
    ] {
        assert_eq!(unit.write(value), written);
    }
}

#[test]
fn a_number_and_a_difference_read_as_zero_only_if_they_are_zero() {
    for (unit, value, written) in [
        (ValueUnit::Points, 5.56e-5, "+0.006"),
        (ValueUnit::Points, -0.004, "−0.4"),
        (ValueUnit::Points, 0.0, "0"),
        (ValueUnit::Points, 0.812, "+81"),
        (ValueUnit::Difference, -5.56e-5, "−0.00006"),
        (ValueUnit::Difference, 5e-17, "0.000"),
        (ValueUnit::Difference, 12.34, "+12.3"),
        (ValueUnit::Number, -4.16e-5, "−0.00004"),
        (ValueUnit::Number, -5e-17, "0.000"),
        (ValueUnit::Number, -1234.5, "−1\u{202f}234"),
        (ValueUnit::Percent, 0.001, "0 %"),
    ] {
        assert_eq!(unit.write(value), written);
    }
}

#[test]
fn ticks_are_round_numbers_that_cover_the_values() {
    for (values, ticks) in [
        (vec![0.0, 1.0], vec![0.0, 0.25, 0.5, 0.75, 1.0]),
        (vec![3.0, 97.0], vec![0.0, 25.0, 50.0, 75.0, 100.0]),
        (vec![-0.4, 0.2], vec![-0.4, -0.2, 0.0, 0.2]),
        (vec![5.0, 5.0], vec![0.0, 2.0, 4.0, 6.0]),
    ] {
        let scale = scale::Scale::new(values.iter().copied(), None, (0.0, 100.0), 4.0);
        let found = scale.ticks();
        assert_eq!(found.len(), ticks.len(), "{found:?}");
        assert!(found.iter().zip(&ticks).all(|(one, other)| (one - other).abs() < 1e-9), "{found:?}");
        assert!(values.iter().all(|value| scale.includes(*value)));
    }
}

#[test]
fn files_are_png_and_pdf_with_their_text() {
    let svg = of_each_form(&["one".to_owned()])[0].draw(Ink::Document, WIDE);
    let png = render_png(&svg);
    assert!(png.starts_with(b"\x89PNG\r\n") && png.len() > 4_000);
    let pdf = convert_to_pdf(&svg);
    assert!(pdf.starts_with(b"%PDF-") && pdf.windows(8).any(|part| part == b"/FontFil" || part == b"DejaVuSa"));
}

#[test]
fn a_figure_is_the_same_pdf_each_time() {
    let labels = ["one", "two", "three", "four"].map(str::to_owned);
    for figure in of_each_form(&labels) {
        let svg = figure.draw(Ink::Document, WIDE);
        let first = convert_to_pdf(&svg);
        for _ in 0..8 {
            assert!(convert_to_pdf(&svg) == first, "two PDFs of one figure differ");
        }
    }
}

proptest! {
    #[test]
    fn whatever_the_labels_a_figure_is_well_formed(labels in prop::collection::btree_set("(\\PC|[<>&\"'\u{202e}]){1,40}", 1..5)) {
        let labels: Vec<String> = labels.into_iter().collect();
        for figure in of_each_form(&labels) {
            let svg = figure.draw(Ink::Document, NARROW);
            prop_assert!(usvg::roxmltree::Document::parse(&svg).is_ok(), "{svg}");
            prop_assert_eq!(svg, figure.draw(Ink::Document, NARROW));
        }
    }
}
