//! What became of a common stock, month by month.

use super::{Absent, Gathered, first_arms, outcome};
use crate::analysis::statistics::{mean, quantile};
use crate::plot::{self, Chart, Curve, Scale, Spark};
use crate::report::page::course::{Course, Month};
use crate::report::page::parts::{Cell, Leading, Part, Table};
use crate::report::page::stock::is_cut;
use crate::report::{counted, grouped};

/// Sessions of an arm that have a small picture; the table has all.
const SPARKS: usize = 24;
/// Arms that have figures.
const ARMS: usize = 12;

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let mut parts = Vec::new();
    let months = gathered.complete().map(|course| course.months.len()).max().unwrap_or(0);
    let most = gathered.complete().flat_map(|course| &course.months).map(|month| month.stock.max(month.grown)).max();
    let arms = gathered.arms();
    for (place, arm) in arms.iter().copied().take(ARMS).enumerate() {
        let own: Vec<&Course> =
            gathered.complete().filter(|course| course.arm == arm && !course.months.is_empty()).collect();
        if !own.is_empty() {
            parts.push(Part::heading(outcome::named(gathered, arm)));
            parts.push(stock(arm, (place, months), &own));
            parts.push(sparks(place, (months, most.unwrap_or(0)), &own));
            parts.push(Part::table(sessions(arm, &own)));
        }
    }
    if parts.is_empty() {
        return Err(Absent("there is no common stock"));
    }
    parts.extend(first_arms(ARMS, arms.len(), "harvests.csv").map(Part::words));
    Ok(parts)
}

/// The stock before each month's harvest, over sessions; after it was gone there is none.
fn stock(arm: &str, (place, months): (usize, usize), courses: &[&Course]) -> Part {
    let mut table = Table::new(
        format!("The stock of {arm} at the beginning of each month, over sessions"),
        &["month#", "sessions with a stock#", "mean taken#", "lower quarter#", "median stock#", "upper quarter#"],
    );
    let (mut points, mut band) = (Vec::new(), Vec::new());
    for month in 0..months {
        let there: Vec<&Month> = courses.iter().filter_map(|course| course.months.get(month)).collect();
        // A stock that is gone counts as nothing from then on, or the curve would be of the survivors alone.
        let mut stocks: Vec<f64> = there.iter().map(|month| month.stock as f64).collect();
        stocks.resize(courses.len(), 0.0);
        stocks.sort_unstable_by(f64::total_cmp);
        let [lower, median, upper] = [0.25, 0.5, 0.75].map(|probability| quantile(&stocks, probability));
        if let (Some(lower), Some(median), Some(upper)) = (lower, median, upper) {
            points.push((month as f64 + 1.0, median));
            band.push((lower, upper));
        }
        let told = |value: Option<f64>| Cell::number(value.map(|value| format!("{value:.1}")));
        table.row(vec![
            Cell::count(month as u64 + 1),
            Cell::count(there.len() as u64),
            told(mean(&there.iter().map(|month| month.taken as f64).collect::<Vec<_>>())),
            told(lower),
            told(median),
            told(upper),
        ]);
    }
    let chart = Chart {
        title: format!("The stock of {arm} by month"),
        about: "Median over sessions with the middle half as a band".to_owned(),
        across: "month",
        upwards: "stock",
        scale: Scale::FromZero,
        last: months as f64,
        counts: Vec::new(),
        curves: vec![Curve { colour: place, points, band }],
    };
    let caption = format!(
        "The stock before each month's harvest: the median over {} as a line, the middle half as a band. A stock that is gone counts as \
         nothing from then on.",
        counted(courses.len() as u64, "session")
    );
    Part::figure(plot::curves(&chart), "small", caption, table.shortened("harvests.csv"))
}

/// The stock of each session by itself, month after month; the last point is what was left of it and grew back.
fn sparks(place: usize, (months, most): (usize, u64), courses: &[&Course]) -> Part {
    let stocks = |course: &Course| -> Vec<u64> {
        let grown = course.months.last().map(|month| month.grown);
        course.months.iter().map(|month| month.stock).chain(grown).collect()
    };
    let picture = |course: &&Course| {
        let told = course.months.last().map_or(String::new(), |last| match course.is_collapsed {
            Some(true) => format!("gone in month {}", last.round),
            _ => format!("{} left after month {}", grouped(last.left), last.round),
        });
        let share = |stock: u64| Some(if most > 0 { stock as f64 / most as f64 } else { 0.0 });
        let title = format!("Stock of {} by month, {told}", course.name);
        let values = stocks(course).into_iter().map(share).collect();
        let spark = Spark { title, values, rounds_max: months + 1, colour: place };
        Leading::new(&course.name, told, plot::spark(&spark))
    };
    let mut table = Table::new(
        "Stock by session, month after month",
        &["session", "at the beginning of months 1, 2, … and at last"],
    );
    for course in courses.iter().take(SPARKS) {
        let told: Vec<String> = stocks(course).into_iter().map(grouped).collect();
        table.row(vec![Cell::text(&course.name).to(&course.name), Cell::text(told.join(", "))]);
    }
    let of = match courses.len() {
        all if all > SPARKS => format!("The first {SPARKS} of {all} sessions"),
        _ => "Each session".to_owned(),
    };
    let caption = format!(
        "{of} by itself: the stock at the beginning of each month, and at last what had grown back, from 0 to {}; each leads to its session. A \
         stock that is gone ends its line at 0.",
        grouped(most)
    );
    Part::sparks(courses.iter().take(SPARKS).map(picture).collect(), caption, table)
}

fn sessions(arm: &str, courses: &[&Course]) -> Table {
    let mut table = Table::new(
        format!("{arm}: how each stock fared"),
        &["session", "months#", "how it ended", "taken in all#", "left at the end#", "harvests above a seat's part#"],
    );
    for course in courses {
        let last = course.months.last();
        let left = Cell::count(last.map_or(0, |month| month.left));
        table.row(vec![
            Cell::text(&course.name).to(&course.name),
            Cell::count(course.months.len() as u64),
            Cell::text(match course.is_collapsed {
                Some(true) => "gone",
                _ if is_cut(course) => "still there",
                _ => "lasted",
            }),
            Cell::count(course.months.iter().fold(0, |taken, month| taken.saturating_add(month.taken))),
            last.map_or(left.clone(), |month| left.at(&course.name, month.seq)),
            Cell::count(course.months.iter().map(|month| month.over).sum()),
        ]);
    }
    table.shortened("sessions.csv")
}
