//! How alike seats became from round to round: the spread over sessions, and each session by itself.

use super::{Absent, Gathered, first_arms, outcome};
use crate::analysis::statistics::quantile;
use crate::plot::{self, Chart, Curve, Scale, Spark};
use crate::report::counted;
use crate::report::page::course::{Course, RoundShown};
use crate::report::page::parts::{Cell, Leading, Part, Table};

/// Sessions of an arm that have a small picture; all are in the spread.
const SPARKS: usize = 24;
/// Rounds of a session whose values the table beside the small pictures has.
const ROUNDS: usize = 60;
/// Arms that have a figure.
const ARMS: usize = 12;

/// What can be followed from round to round.
struct Measure {
    name: &'static str,
    about: &'static str,
    /// Its column in rounds.csv.
    column: &'static str,
    scale: Scale,
    of: fn(&RoundShown) -> Option<f64>,
}

const OF_ALTERNATIVES: [Measure; 4] = [
    Measure {
        name: "share of the most frequent stance",
        about: "Of the stances that statements of a round declare, the share of the most frequent one: 100 % where all who declared \
                one favour the same.",
        column: "stance_modal_share",
        scale: Scale::Share,
        of: |round| round.stance,
    },
    Measure {
        name: "share of the most frequent choice in the private poll",
        about: "Of the valid answers to the private poll that closes a round, the share of the most frequent one.",
        column: "straw_modal_share",
        scale: Scale::Share,
        of: |round| round.straw,
    },
    Measure {
        name: "share of the most frequent ballot",
        about: "Of the valid ballots of the vote that closes a round, the share of the most frequent one.",
        column: "ballot_modal_share",
        scale: Scale::Share,
        of: |round| round.ballot,
    },
    OPINIONS,
];

const OPINIONS: Measure = Measure {
    name: "standard deviation of the opinions",
    about: "How far the opinions told in a round lie apart: 0 where all are the same, 0.5 at the most.",
    column: "opinion_sd",
    scale: Scale::FromZero,
    of: |round| round.opinion_sd,
};

/// The same where there is one alternative alone: of it everybody has the same share in favour, and amounts alone can differ.
const OF_AMOUNTS: [Measure; 4] = [
    Measure {
        name: "share of pairs of seats that name the same amount in statements",
        about: "There is one alternative alone, so that shares of alternatives tell nothing and are not drawn. Of all pairs of seats whose \
                statements of a round name an amount, the share that name the same one: 100 % where all do.",
        column: "stance_pair_agreement_exact",
        scale: Scale::Share,
        of: |round| round.stance_pairs,
    },
    Measure {
        name: "share of pairs of seats that name the same amount in the private poll",
        about: "There is one alternative alone, so that shares of alternatives tell nothing and are not drawn. Of all pairs of seats whose \
                answers to the private poll that closes a round are valid, the share that name the same amount: 100 % where all do.",
        column: "straw_pair_agreement_exact",
        scale: Scale::Share,
        of: |round| round.straw_pairs,
    },
    Measure {
        name: "share of pairs of seats that vote for the same amount",
        about: "There is one alternative alone, so that shares of alternatives tell nothing and are not drawn. Of all pairs of valid ballots \
                of the vote that closes a round, the share that name the same amount: 100 % where all do.",
        column: "ballot_pair_agreement_exact",
        scale: Scale::Share,
        of: |round| round.ballot_pairs,
    },
    OPINIONS,
];

impl Measure {
    /// What is measured upwards.
    fn upwards(&self) -> &'static str {
        match self.scale {
            Scale::Share => "share",
            Scale::FromZero => "standard deviation",
        }
    }

    /// A value in its unit.
    fn told(&self, value: f64) -> String {
        match self.scale {
            Scale::Share => format!("{:.0} %", 100.0 * value),
            Scale::FromZero => format!("{value:.2}"),
        }
    }

    /// From where to where small pictures go.
    fn reach(&self) -> &'static str {
        match self.scale {
            Scale::Share => "0 to 100 %",
            Scale::FromZero => "0 to 1",
        }
    }
}

/// A session's values, a round of talk each.
struct Series<'c> {
    course: &'c Course,
    values: Vec<Option<f64>>,
}

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let talked = || gathered.complete().filter(|course| course.rounds.iter().any(is_talk));
    if talked().next().is_none() {
        return Err(Absent("no complete session has a round of talk"));
    }
    let all = if gathered.has_one_alternative() { &OF_AMOUNTS } else { &OF_ALTERNATIVES };
    let measures = measured(all, talked().flat_map(|course| &course.rounds).filter(|round| is_talk(round)));
    if measures.is_empty() {
        return Err(Absent("no stance, poll, ballot or opinion was recorded in a round of talk"));
    }
    let about: Vec<&str> = measures.iter().map(|measure| measure.about).collect();
    let mut parts = vec![Part::words(format!(
        "{} Becoming alike is not becoming right, and seats that copy each other look the same as seats that convince each other.",
        about.join(" ")
    ))];
    let arms = gathered.arms();
    let most = talked().map(|course| course.rounds.iter().filter(|round| is_talk(round)).count()).max().unwrap_or(0);
    for (place, arm) in arms.iter().take(ARMS).enumerate() {
        let own: Vec<&Course> = talked().filter(|course| course.arm == *arm).collect();
        let mut figures = Vec::new();
        for measure in &measures {
            let values = |course: &Course| {
                course.rounds.iter().filter(|round| is_talk(round)).map(measure.of).collect::<Vec<_>>()
            };
            let series: Vec<Series<'_>> = own.iter().map(|course| Series { course, values: values(course) }).collect();
            if series.iter().any(|one| one.values.iter().any(Option::is_some)) {
                figures.extend(of_arm(arm, (place, most), measure, &series));
            }
        }
        if !figures.is_empty() {
            parts.push(Part::heading(outcome::named(gathered, arm)));
            parts.append(&mut figures);
        }
    }
    parts.extend(first_arms(ARMS, arms.len(), "rounds.csv").map(Part::words));
    Ok(parts)
}

/// What these rounds can be followed by: the first of the shares that they have, and the spread of opinions where some are told.
fn measured<'r>(
    all: &'static [Measure],
    rounds: impl Iterator<Item = &'r RoundShown> + Clone,
) -> Vec<&'static Measure> {
    let has = |measure: &&Measure| rounds.clone().any(|round| (measure.of)(round).is_some());
    let (shares, others): (Vec<&Measure>, Vec<&Measure>) =
        all.iter().filter(has).partition(|measure| measure.scale == Scale::Share);
    shares.into_iter().take(1).chain(others).collect()
}

fn is_talk(round: &RoundShown) -> bool {
    round.kind == "discussion" && round.round > 0
}

impl Series<'_> {
    /// The value in a round, from 0: where the session had none, or was over, its last one before.
    fn carried(&self, round: usize) -> Option<f64> {
        self.values.iter().take(round + 1).rev().find_map(|value| *value)
    }
}

fn of_arm(arm: &str, (place, most): (usize, usize), measure: &Measure, series: &[Series<'_>]) -> Vec<Part> {
    let rounds = series.iter().map(|one| one.values.len()).max().unwrap_or(0);
    let Measure { name, column, .. } = *measure;
    let head = ["round#", "n#", "still talking#", "least#", "lower quarter#", "median#", "upper quarter#", "greatest#"];
    let mut table =
        Table::new(format!("{name} in {arm}, over sessions, with the last value of those that ended"), &head);
    let (mut points, mut band, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        // Without the sessions that ended, the line would be of those that found it hard to agree.
        let mut values: Vec<f64> = series.iter().filter_map(|one| one.carried(round)).collect();
        values.sort_unstable_by(f64::total_cmp);
        let still_talking = series.iter().filter(|one| one.values.len() > round).count();
        let at = |probability: f64| quantile(&values, probability);
        let [least, lower, median, upper, greatest] = [0.0, 0.25, 0.5, 0.75, 1.0].map(at);
        if let (Some(median), Some(lower), Some(upper)) = (median, lower, upper) {
            points.push((round as f64 + 1.0, median));
            band.push((lower, upper));
        }
        counts.push(values.len() as u64);
        let told = |value: Option<f64>| Cell::number(value.map(|value| format!("{value:.3}")));
        let mut cells = [round + 1, values.len(), still_talking].map(|count| Cell::count(count as u64)).to_vec();
        cells.extend([least, lower, median, upper, greatest].map(told));
        table.row(cells);
    }
    let chart = Chart {
        title: format!("{name} by round in {arm}"),
        about: format!("Median over {} with the middle half as a band", counted(series.len() as u64, "session")),
        across: "round of talk",
        upwards: measure.upwards(),
        scale: measure.scale,
        last: most as f64,
        counts,
        curves: vec![Curve { colour: place, points, band }],
    };
    let caption = format!(
        "The {name} ({column} in rounds.csv): the median over {} as a line, the middle half as a band. A session that has ended keeps its last \
         value, so that later rounds are not of the slowest groups alone; n under each round is how many sessions have a value, and the \
         numbers say how many of them still talk.",
        counted(series.len() as u64, "session")
    );
    vec![
        Part::figure(plot::curves(&chart), "small", caption, table.shortened("rounds.csv")),
        sparks(place, measure, most, series),
    ]
}

fn sparks(place: usize, measure: &Measure, rounds: usize, series: &[Series<'_>]) -> Part {
    let picture = |one: &Series<'_>| {
        let last = one.values.iter().rev().find_map(|value| *value);
        let told = last.map_or("nothing declared".to_owned(), |value| format!("ends at {}", measure.told(value)));
        let title = format!("{} in {}, {told}", measure.name, one.course.name);
        let spark = Spark { title, values: one.values.clone(), rounds_max: rounds, colour: place };
        let ended = outcome::ended(one.course);
        let words = if ended.is_empty() { told } else { format!("{told}; {ended}") };
        Leading::new(&one.course.name, words, plot::spark(&spark))
    };
    let mut table =
        Table::new(format!("{} by session, round after round", measure.name), &["session", "in rounds 1, 2, …"]);
    for one in series.iter().take(SPARKS) {
        let told = |value: &Option<f64>| value.map_or("–".to_owned(), |value| measure.told(value));
        let mut values: Vec<String> = one.values.iter().take(ROUNDS).map(told).collect();
        if one.values.len() > ROUNDS {
            values.push(format!("… rounds.csv has all {}", one.values.len()));
        }
        table.row(vec![Cell::text(&one.course.name).to(&one.course.name), Cell::text(values.join(", "))]);
    }
    let of = match series.len() {
        all if all > SPARKS => format!("The first {SPARKS} of {all} sessions"),
        _ => "Each session".to_owned(),
    };
    Part::sparks(
        series.iter().take(SPARKS).map(picture).collect(),
        format!(
            "{of} by itself, from {}, a point a round; each leads to its session. Single groups move by chance, too.",
            measure.reach()
        ),
        table,
    )
}
