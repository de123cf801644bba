//! Pictures are the same for the same numbers, well formed whatever the labels, and have no colour of their own.

use super::*;
use proptest::prelude::*;

fn chart(points: Vec<(f64, f64)>) -> Chart {
    let band = points.iter().map(|(_, y)| ((y - 0.1).max(0.0), (y + 0.1).min(1.0))).collect();
    Chart {
        title: "a <b> & \"c\"".to_owned(),
        about: "what it shows".to_owned(),
        across: "round",
        upwards: "share",
        scale: Scale::Share,
        last: points.len() as f64,
        counts: Vec::new(),
        curves: vec![Curve { colour: 0, points, band }],
    }
}

/// Whether every element is closed where it should be, and no text opens one.
#[track_caller]
fn assert_whole(svg: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("no end: {part}"));
        assert!(!text.contains('>'), "{part}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop().as_deref(), Some(name), "{svg}"),
            (false, false) => open.push(name.to_owned()),
            (false, true) => {}
        }
    }
    assert!(open.is_empty(), "{open:?} in {svg}");
}

#[test]
fn a_chart_has_a_title_no_size_and_the_pages_colours_alone() {
    let svg = curves(&chart(vec![(1.0, 0.4), (2.0, 0.6), (3.0, 1.0)]));
    assert!(svg.starts_with("<svg viewBox=\"0 0 "), "{svg}");
    assert!(svg.contains("<title>a &lt;b&gt; &amp; &quot;c&quot;</title><desc>what it shows</desc>"));
    for fixed in
        ["\"white\"", "\"black\"", "fill=\"#", "stroke=\"#", "url(", "id=", "style=", "<style", "rgb(", "<!--", "xmlns"]
    {
        assert!(!svg.contains(fixed), "{fixed} in {svg}");
    }
    assert!(svg.contains("var(--c0)") && svg.contains("100 %"), "{svg}");
    assert_whole(&svg);
}

#[test]
fn the_ticks_of_an_axis_from_zero_have_as_many_decimals_each_and_reach_over_what_is_drawn() {
    for (greatest, ticks) in [
        (0.012, vec!["0.000", "0.002", "0.004", "0.006", "0.008", "0.010", "0.012"]),
        (0.3, vec!["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]),
        (5.0, vec!["0", "1", "2", "3", "4", "5"]),
        (1234.0, vec!["0", "500", "1000", "1500"]),
        (0.0, vec!["0", "1"]),
    ] {
        let mut of = chart(vec![(1.0, greatest), (2.0, 0.0)]);
        of.scale = Scale::FromZero;
        of.curves[0].band = Vec::new();
        let svg = curves(&of);
        let texts: Vec<&str> = svg.split("</text>").filter_map(|part| Some(part.rsplit_once('>')?.1)).collect();
        for tick in &ticks {
            assert!(texts.contains(tick), "{tick} of {greatest}: {texts:?}");
        }
        let is_number = |text: &&&str| text.parse::<f64>().is_ok() && !["0", "1", "2"].contains(*text);
        let others: Vec<_> = texts.iter().filter(is_number).filter(|text| !ticks.contains(text)).collect();
        assert!(others.is_empty(), "{others:?} of {greatest}");
    }
}

#[test]
fn the_number_that_each_point_is_of_is_printed_under_each_tick() {
    for (rounds, count, ticks) in [(3, 7, vec![1, 2, 3]), (20, 24, vec![2, 4, 20]), (10, 1_000, vec![2, 4, 10])] {
        let mut of = chart((1..=rounds).map(|round| (f64::from(round), 0.5)).collect());
        of.counts = (0..rounds as u64).map(|round| count - round / 2).collect();
        let svg = curves(&of);
        assert_whole(&svg);
        for tick in ticks {
            let (before, after) = svg.split_once(&format!(">{tick}</text>")).unwrap_or_else(|| panic!("{tick}: {svg}"));
            let x = |text: &str| {
                text.rsplit_once("<text x=\"").and_then(|(_, tag)| tag.split_once('"')?.0.parse::<f64>().ok())
            };
            let (text, _) = after.split_once("</text>").expect("a text");
            let (tag, told) = text.split_once('>').expect("an element");
            assert_eq!(told, format!("n={}", of.counts[tick - 1]), "under {tick}");
            assert!((x(before).expect("a place") - x(tag).expect("a place")).abs() < 0.01, "{tag}");
        }
        assert_eq!(svg.matches(">n=").count(), svg.matches("text-anchor=\"middle\"").count() / 2 - 1, "{svg}");
        of.counts = Vec::new();
        assert!(!curves(&of).contains(">n="));
    }
}

#[test]
fn a_share_stands_within_its_bar_whatever_it_is() {
    let bar = share(2.0, Some((-1.0, 0.5)), 9);
    assert!(bar.contains("width=\"100\" height=\"7\" class=\"fx\"") && bar.contains("M0 5H50"), "{bar}");
    assert_whole(&bar);
}

#[test]
fn a_course_is_broken_where_a_round_has_no_value() {
    let of = Spark { values: vec![Some(0.0), None, Some(1.0), Some(1.0)], rounds_max: 4, ..Spark::default() };
    assert!(spark(&of).contains("d=\"M3 27M79 3L117 3\""), "{}", spark(&of));
}

proptest! {
    #[test]
    fn every_flow_is_well_formed_and_as_wide_as_it_is_many(names in prop::collection::vec("\\PC{0,30}", 1..5), counts in prop::collection::vec(1_u64..20, 1..5)) {
        let n = names.len().min(counts.len());
        let nodes: Vec<(String, usize, u64)> = (0..n).map(|at| (names[at].clone(), at, counts[at])).collect();
        let stages = vec![Stage { name: "first".to_owned(), nodes: nodes.clone() }, Stage { name: "last".to_owned(), nodes }];
        let ribbons = (0..n).map(|at| Ribbon { stage: 0, from: at, to: at, count: counts[at], address: "#x".to_owned() });
        let of = Flow { title: "t".to_owned(), about: String::new(), stages, ribbons: ribbons.collect() };
        let svg = flow(&of);
        assert_whole(&svg);
        prop_assert_eq!(&svg, &flow(&of));
        prop_assert_eq!(svg.matches("<a href").count(), n);
    }

    #[test]
    fn every_chart_is_well_formed(values in prop::collection::vec(0.0..1.0_f64, 1..30)) {
        let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(at, y)| (at as f64 + 1.0, *y)).collect();
        let svg = curves(&chart(points.clone()));
        assert_whole(&svg);
        prop_assert_eq!(svg, curves(&chart(points)));
    }
}
