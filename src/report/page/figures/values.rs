//! The answers to forms and the values of variables: by arm, and over the occasions on which they are asked or computed.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::arms::{join_findings, join_names, name_greatest, name_prefix, name_row, names_with_value, series_of_arm};
use super::collected::{Collected, collect_readings, question_of};
use super::value_figure::{Prominence, ValueFigure};
use crate::analysis::statistics::{Interval, Unit, mean, quantile, wilson_interval};
use crate::analysis::{name_answer_column, name_correct_column, name_variable_column};
use crate::figure::{At, Axis, Colour, Figure, FigureForm, FigureMark, ValueUnit};
use crate::report::numbers::sign_flip_interval;
use crate::report::page::course::{Reading, ReadingMeasure, SubjectOwner};
use crate::report::page::gathered::Gathered;
use crate::report::{counted, grouped};

/// The marks of a figure that can have intervals; of more, drawing them would take too long.
const INTERVALS_MAX: usize = 60;
/// The characters of the names of occasions that have room under an axis.
const NAMES_MAX: usize = 40;
/// The names of occasions that a caption lists.
const NAMED_MAX: usize = 12;
/// The figures of answers and values on the first screen.
const LEADS_MAX: usize = 2;

/// The figures of answers and values.
pub fn draw_values(gathered: &Gathered<'_>) -> Vec<Figure> {
    drawn(gathered).iter().map(|drawn| drawn.figure.clone()).collect()
}

/// The figures for the first screen of a design that decides nothing: what the config announces, else variables of the session, else
/// the numbers of the last form.
pub fn lead_values(gathered: &Gathered<'_>) -> Vec<Figure> {
    if !gathered.decides_nothing() {
        return Vec::new();
    }
    let all = drawn(gathered);
    let Some(first) = all.iter().map(|drawn| drawn.prominence).min() else { return Vec::new() };
    let leads = all.iter().filter(|drawn| drawn.prominence == first).take(LEADS_MAX);
    leads.map(|drawn| drawn.figure.clone()).collect()
}

/// The variables that never differ, with their values, in a sentence; empty without any.
pub fn describe_constants(gathered: &Gathered<'_>) -> String {
    let constant = |of: &Collected<'_>| {
        let value = match (of.subject.measure, of.constant()?) {
            (ReadingMeasure::YesNo, yes) => if yes == 1.0 { "yes" } else { "no" }.to_owned(),
            (_, number) => ValueUnit::write_plain(number),
        };
        let whose = match of.subject.of {
            SubjectOwner::Seat => " of seats",
            SubjectOwner::Group => " of groups",
            _ => "",
        };
        let missing = if of.missing > 0 { format!(" ({} missing)", grouped(of.missing)) } else { String::new() };
        Some(format!("{}{whose}: {value}{missing}", of.subject.name))
    };
    let told: Vec<String> = collect_readings(gathered).iter().filter_map(constant).collect();
    if told.is_empty() {
        return String::new();
    }
    format!("Variables without a figure, because they have no more than one value: {}.", told.join("; "))
}

/// The figures, drawn once.
fn drawn<'d>(gathered: &'d Gathered<'_>) -> &'d [ValueFigure] {
    gathered.value_figures.get_or_init(|| {
        let collected = collect_readings(gathered);
        let prominent = LastForm::of(&collected);
        let mut figures: Vec<ValueFigure> = Vec::new();
        for of in collected.iter().filter(|of| of.constant().is_none()) {
            let Some(figure) = draw_subject(gathered, of) else { continue };
            let mut drawn = ValueFigure { figure, columns: list_columns(of), prominence: Prominence::Other };
            drawn.prominence = rank(gathered, &drawn.columns, of, prominent);
            let taken = figures.iter().filter(|other| other.figure.name == drawn.figure.name).count();
            if taken > 0 {
                drawn.figure.name = format!("{}-{}", drawn.figure.name, figures.len() + 1);
            }
            figures.push(drawn);
        }
        figures
    })
}

/// The last form that asks for a number: its place in the agenda and whose fields count.
#[derive(Clone, Copy)]
struct LastForm {
    place: usize,
    of: SubjectOwner,
}

impl LastForm {
    /// The last of those that are about nobody else; without any, the last of the others.
    fn of(collected: &[Collected<'_>]) -> Option<Self> {
        let last = |of: SubjectOwner| {
            let own = collected.iter().filter(|one| one.subject.of == of && is_number(one.subject.measure));
            own.map(|one| one.last_place).max().map(|place| LastForm { place, of })
        };
        last(SubjectOwner::Form).or_else(|| last(SubjectOwner::FormAboutSeats))
    }
}

fn is_number(measure: ReadingMeasure) -> bool {
    matches!(measure, ReadingMeasure::Number | ReadingMeasure::YesNo)
}

fn rank(gathered: &Gathered<'_>, columns: &[String], of: &Collected<'_>, last: Option<LastForm>) -> Prominence {
    let primary = gathered.experiment.and_then(|experiment| experiment.primary.as_ref());
    let is_announced = primary.is_some_and(|primary| primary.metrics.iter().any(|metric| columns.contains(metric)));
    let is_last = last
        .is_some_and(|last| of.subject.of == last.of && of.last_place == last.place && is_number(of.subject.measure));
    match of.subject.of {
        _ if is_announced => Prominence::Announced,
        SubjectOwner::Session => Prominence::SessionVariable,
        _ if is_last => Prominence::LastForm,
        _ => Prominence::Other,
    }
}

/// The columns of `sessions.csv` about the same field or variable.
fn list_columns(of: &Collected<'_>) -> Vec<String> {
    let name = &of.subject.name;
    match of.subject.of.is_form() {
        true => of
            .phases()
            .into_iter()
            .flat_map(|phase| [name_answer_column(phase, name), name_correct_column(phase, name)])
            .collect(),
        false => vec![name_variable_column(name)],
    }
}

/// The value of some sessions on one occasion.
struct Point {
    value: f64,
    bounds: Option<(f64, f64)>,
    n: u64,
    text: String,
}

impl Point {
    /// The value of these readings, at most one a session; `None` without an answer. Without a seed a mean has no interval.
    fn of(measure: ReadingMeasure, readings: &[&Reading], option: Option<&str>, seed: Option<u64>) -> Option<Self> {
        match measure {
            ReadingMeasure::Words => Self::of_words(readings),
            _ => Self::of_sessions(readings, option, seed),
        }
    }

    /// The median words of all answers, between their quartiles; `None` without an answer.
    fn of_words(readings: &[&Reading]) -> Option<Self> {
        let words = sorted_numbers(readings);
        let at = |share: f64| quantile(&words, share);
        let text = format!("{}, {} to {} words", counted(words.len() as u64, "answer"), words.first()?, words.last()?);
        let bounds = at(0.25).zip(at(0.75)).filter(|_| words.len() > 1);
        Some(Self { value: at(0.5)?, bounds, n: words.len() as u64, text })
    }

    /// The mean over sessions of a session's mean, for one option or of numbers; `None` without an answer.
    fn of_sessions(readings: &[&Reading], option: Option<&str>, seed: Option<u64>) -> Option<Self> {
        let values: Vec<f64> = readings.iter().filter_map(|reading| reading.mean_of(option)).collect();
        let value = mean(&values)?;
        let is_share = readings.first().is_some_and(|reading| reading.subject.is_flag_of_session());
        let interval = match is_share {
            true => wilson_interval(values.iter().filter(|value| **value == 1.0).count() as u64, values.len() as u64),
            false => seed.filter(|_| values.len() > 1).and_then(|seed| sign_flip_interval(&values, seed)),
        };
        let bounds = interval.map(|Interval { low, high }| (low, high));
        Some(Self { value, bounds, n: values.len() as u64, text: describe_spread(readings, option) })
    }
}

fn sorted_numbers(readings: &[&Reading]) -> Vec<f64> {
    let mut numbers: Vec<f64> = readings.iter().flat_map(|reading| &reading.numbers).copied().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers
}

/// What single answers were: of numbers their range and quartiles, of choices how many.
fn describe_spread(readings: &[&Reading], option: Option<&str>) -> String {
    let given: u64 = readings.iter().map(|reading| reading.given).sum();
    let sum = |option: &str| {
        readings.iter().filter_map(|reading| reading.sums.get(option)).fold(0.0, |sum, share| sum + share)
    };
    match (readings.first().map(|reading| reading.subject.measure), option) {
        (Some(ReadingMeasure::Number), _) => {
            let numbers = sorted_numbers(readings);
            let at = |share: f64| quantile(&numbers, share).map_or(String::new(), ValueUnit::write_plain);
            format!("{} to {}, quartiles {}, {}, {}", at(0.0), at(1.0), at(0.25), at(0.5), at(0.75))
        }
        (Some(ReadingMeasure::YesNo), _) => {
            format!("{} of {given} yes", sorted_numbers(readings).into_iter().fold(0.0, |sum, yes| sum + yes))
        }
        (Some(ReadingMeasure::Options), Some(option)) => format!("{} of {}", sum(option), counted(given, "answer")),
        _ => String::new(),
    }
}

/// The occasions of a figure on its axis.
struct Occasions {
    across: Axis,
    categories: Vec<String>,
    /// The place of each occasion on the axis, and its name where the axis does not say it.
    places: Vec<(f64, String)>,
    /// The names of numbered occasions, for the caption.
    note: String,
}

impl Occasions {
    /// By the number of the pass of a single phase, else by name, or numbered where names have no room.
    fn of(of: &Collected<'_>) -> Self {
        let has_one = of.phases().len() == 1;
        let passes: Option<Vec<u32>> = of.occasions.iter().map(|((_, pass), _)| pass.parse().ok()).collect();
        if let Some(passes) = passes.filter(|_| has_one) {
            let places = passes.into_iter().map(|pass| (f64::from(pass), String::new())).collect();
            return Self {
                across: Axis::new("pass", ValueUnit::Count),
                categories: Vec::new(),
                places,
                note: String::new(),
            };
        }
        let name = |(phase, pass): &(String, String)| match (has_one, pass.as_str()) {
            (true, pass) if !pass.is_empty() => pass.to_owned(),
            (_, "") => phase.replace('_', " "),
            (_, pass) => format!("{} {pass}", phase.replace('_', " ")),
        };
        let names: Vec<String> = of.occasions.iter().map(|(occasion, _)| name(occasion)).collect();
        let places = names.iter().enumerate().map(|(place, name)| (place as f64 + 1.0, name.clone())).collect();
        if names.iter().map(|name| name.chars().count() + 2).sum::<usize>() <= NAMES_MAX {
            let across = Axis::new(
                if of.subject.of.is_form() { "when it was asked" } else { "when it was computed" },
                ValueUnit::Count,
            );
            return Self { across, categories: names, places, note: String::new() };
        }
        let (what, all) = if has_one { ("pass", "passes") } else { ("occasion", "occasions") };
        let listed = names.iter().take(NAMED_MAX).enumerate().map(|(place, name)| format!("{} {name}", place + 1));
        let more = if names.len() > NAMED_MAX { " and so on, as the numbers list them" } else { "" };
        let note = format!(" The {all} are numbered in order: {}{more}.", listed.collect::<Vec<_>>().join(", "));
        Self { across: Axis::new(format!("{what}, in order"), ValueUnit::Count), categories: Vec::new(), places, note }
    }
}

fn draw_subject(gathered: &Gathered<'_>, of: &Collected<'_>) -> Option<Figure> {
    let measure = of.subject.measure;
    let (options, left_out) = if measure.has_options() { of.options(gathered.experiment) } else { (Vec::new(), 0) };
    let panels: Vec<Option<&str>> = match measure.has_options() {
        true => options.iter().map(|option| Some(*option)).collect(),
        false => vec![None],
    };
    let arms = gathered.arms();
    let several = of.occasions.len() > 1;
    let occasions = Occasions::of(of);
    let is_few = panels.len() * arms.len() * of.occasions.len() <= INTERVALS_MAX;
    let seed = gathered.report.map(|report| report.seed).filter(|_| is_few);
    let step = 0.06_f64.min(0.5 / arms.len() as f64);
    let mut marks = Vec::new();
    for (panel, option) in panels.iter().enumerate() {
        for (place, arm) in arms.iter().enumerate() {
            let (series, colour) = series_of_arm(gathered, arm);
            for ((_, readings), (at, name)) in of.occasions.iter().zip(&occasions.places) {
                let Some(point) = Point::of(measure, &readings[place], *option, seed) else { continue };
                let beside =
                    if occasions.categories.is_empty() { 0.0 } else { place as f64 - (arms.len() - 1) as f64 / 2.0 };
                let named = [name.as_str(), &point.text].into_iter().filter(|part| !part.is_empty() && several);
                marks.push(FigureMark {
                    panel: option.filter(|_| several || arms.len() > 1).unwrap_or_default().to_owned(),
                    series: match option {
                        _ if several => series.clone(),
                        Some(option) if arms.len() == 1 => (*option).to_owned(),
                        _ => name_row(gathered, arm),
                    },
                    at: if several { At::Number(*at) } else { At::Nowhere },
                    beside: step * beside,
                    value: Some(point.value),
                    low: point.bounds.map(|(low, _)| low),
                    high: point.bounds.map(|(_, high)| high),
                    n: Some(point.n),
                    text: if several { named.collect::<Vec<_>>().join(": ") } else { point.text.clone() },
                    colour: match option {
                        Some(_) if arms.len() == 1 => Colour::Choice(panel),
                        _ => colour,
                    },
                    ..FigureMark::default()
                });
            }
        }
    }
    let axis = name_axis(of);
    Some(Figure {
        name: name_figure(of),
        title: name_subject(of),
        finding: describe_finding(gathered, of, &options, axis.unit),
        reading: describe_reading(gathered, of, seed, left_out, &occasions.note),
        form: match several {
            true => FigureForm::Lines { across: occasions.across, categories: occasions.categories, upwards: axis },
            false => FigureForm::Dots { axis, reference: None },
        },
        marks,
    })
    .filter(|figure| !figure.marks.is_empty())
}

fn name_figure(of: &Collected<'_>) -> String {
    let what = if of.subject.of.is_form() { "answers" } else { "variable" };
    let name: String = of.subject.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{what}-{}", name.to_lowercase())
}

fn name_subject(of: &Collected<'_>) -> String {
    let name = &of.subject.name;
    let asked = match of.phases().as_slice() {
        [phase] => format!(", asked in {phase}"),
        _ => String::new(),
    };
    match of.subject.of {
        SubjectOwner::Form => format!("Answers to {name}{asked}"),
        SubjectOwner::FormAboutSeats => format!("Answers to {name} about other seats{asked}"),
        SubjectOwner::Session => format!("The variable {name}"),
        SubjectOwner::Seat => format!("The variable {name} of seats"),
        SubjectOwner::Group => format!("The variable {name} of groups"),
    }
}

fn name_axis(of: &Collected<'_>) -> Axis {
    let what = if of.subject.of.is_form() { "answer" } else { "value" };
    match of.subject.measure {
        ReadingMeasure::Number => Axis::new(format!("mean {what}"), ValueUnit::Number),
        ReadingMeasure::YesNo => Axis::of_shares("share of yes"),
        ReadingMeasure::Options => Axis::of_shares("share of answers"),
        ReadingMeasure::FirstPlace => Axis::of_shares("share of first places"),
        ReadingMeasure::Points => Axis::new("mean points", ValueUnit::Number),
        ReadingMeasure::Places => Axis::new("mean number", ValueUnit::Number),
        ReadingMeasure::Words => Axis::new("words", ValueUnit::Count),
    }
}

/// Where each arm ended, and of several occasions where it began; of items the least and the greatest.
fn describe_finding(gathered: &Gathered<'_>, of: &Collected<'_>, options: &[&str], unit: ValueUnit) -> String {
    let is_by_item = !of.items.is_empty();
    let write = |value: f64| match unit {
        ValueUnit::Number => ValueUnit::write_plain(value),
        unit => unit.write(value),
    };
    let describe_arm = |(arm, sessions): (&str, &Vec<Vec<&Reading>>)| {
        let (series, _) = series_of_arm(gathered, arm);
        let told = match is_by_item {
            true => describe_items(of, sessions, options, &write),
            false => describe_ends(of, sessions, options, &write),
        };
        told.map(|told| format!("{}{told}", name_prefix(&series)))
    };
    let told: Vec<String> = gathered.arms().into_iter().zip(&of.sessions).filter_map(describe_arm).collect();
    let lead = match (of.subject.measure.has_options(), of.subject.measure) {
        (true, _) => "The greatest",
        (false, ReadingMeasure::Words) => "Median words",
        (false, ReadingMeasure::YesNo) => "Yes",
        (false, _) => "The mean",
    };
    let when = match (is_by_item, of.occasions.len() > 1, of.subject.measure.has_options()) {
        (true, _, true) => " over all items",
        (true, _, false) => " by item, from the least to the greatest",
        (false, false, _) => "",
        (false, true, true) => " on each session's last occasion",
        (false, true, false) => " from each session's first to its last occasion",
    };
    format!("{lead}{when}: {}.", join_findings(&told))
}

/// Where the sessions of an arm ended and, if there are several occasions, where they began. Each session counts on its own first and last
/// occasion, because later occasions are those of the slowest sessions alone. `None` without a session.
fn describe_ends(
    of: &Collected<'_>,
    sessions: &[Vec<&Reading>],
    options: &[&str],
    write: &dyn Fn(f64) -> String,
) -> Option<String> {
    let measure = of.subject.measure;
    let value_of = |readings: &[&Reading], option: Option<&str>| {
        Point::of(measure, readings, option, None).map(|point| point.value)
    };
    let last: Vec<&Reading> = sessions.iter().filter_map(|own| own.last().copied()).collect();
    if measure.has_options() {
        let named = |option: &&str| Some(((*option).to_owned(), value_of(&last, Some(*option))?));
        let values: Vec<(String, f64)> = options.iter().filter_map(named).collect();
        return name_greatest(&values, write);
    }
    let ended = write(value_of(&last, None)?);
    if of.occasions.len() == 1 {
        return Some(ended);
    }
    let first: Vec<&Reading> = sessions.iter().filter_map(|own| own.first().copied()).collect();
    Some(format!("{} to {ended}", write(value_of(&first, None)?)))
}

/// The least and the greatest value of an arm over items, which may be measured in unlike units, so that they have no course. Of several
/// occasions for an item each session counts on its last. `None` without a session.
fn describe_items(
    of: &Collected<'_>,
    sessions: &[Vec<&Reading>],
    options: &[&str],
    write: &dyn Fn(f64) -> String,
) -> Option<String> {
    let measure = of.subject.measure;
    let mut by_item: IndexMap<&str, Vec<&Reading>> = IndexMap::new();
    for own in sessions {
        let name = |reading: &Reading| of.items.get(&reading.occasion).map_or("no item", String::as_str);
        let last: IndexMap<&str, &Reading> = own.iter().map(|&reading| (name(reading), reading)).collect();
        for (item, reading) in last {
            by_item.entry(item).or_default().push(reading);
        }
    }
    let panels: Vec<Option<&str>> = match measure.has_options() {
        true => options.iter().copied().map(Some).collect(),
        false => vec![None],
    };
    let mut values: Vec<(String, f64)> = Vec::new();
    for (item, readings) in &by_item {
        for option in &panels {
            let name = option.map_or((*item).to_owned(), |option| format!("{option} ({item})"));
            values.extend(Point::of(measure, readings, *option, None).map(|point| (name, point.value)));
        }
    }
    if measure.has_options() {
        return name_greatest(&values, write);
    }
    let least = values.iter().map(|(_, value)| *value).min_by(f64::total_cmp)?;
    let greatest = values.iter().map(|(_, value)| *value).max_by(f64::total_cmp)?;
    let told = |value: f64| format!("{} ({})", write(value), join_names(&names_with_value(&values, value)));
    Some(match least == greatest {
        true => told(least),
        false => format!("{} to {}", told(least), told(greatest)),
    })
}

/// Which sessions the points of several occasions have, and which ones the headline takes.
fn describe_occasions(of: &Collected<'_>) -> &'static str {
    match (of.occasions.len() > 1, of.items.is_empty(), of.subject.measure.has_options()) {
        (false, _, _) => "",
        (true, false, _) => {
            " A point has the sessions that came to it; the headline takes each session on its last occasion for each item."
        }
        (true, true, true) => {
            " A session that ended earlier is in no later point; the headline takes each session on its own last occasion."
        }
        (true, true, false) => {
            " A session that ended earlier is in no later point; the headline takes each session on its own first and last occasion."
        }
    }
}

/// How to read the figure, and what is left out. Without a seed there are no intervals.
fn describe_reading(
    gathered: &Gathered<'_>,
    of: &Collected<'_>,
    seed: Option<u64>,
    left_out: usize,
    note: &str,
) -> String {
    let (what, a_what) = if of.subject.of.is_form() { ("answer", "an answer") } else { ("value", "a value") };
    let marks = if of.occasions.len() > 1 { "Lines" } else { "Points" };
    let asked = question_of(of.subject, gathered.experiment).filter(|_| of.subject.of.is_form());
    let asked = asked.map_or(String::new(), |question| format!("The question was: “{}” ", question.trim()));
    let each = match of.subject.measure {
        ReadingMeasure::Number => format!("of the mean {what} of a session; least, greatest and quartiles are of all {what}s"),
        ReadingMeasure::YesNo if of.subject.is_flag_of_session() => format!("of the share of yes among the {what}s of a session"),
        ReadingMeasure::YesNo => {
            format!("of the share of yes among the {what}s of a session; counts are of the {what}s of all sessions, so their share can differ")
        }
        ReadingMeasure::Options => {
            "of the share of a session's answers that name the option; counts are of the answers of all sessions, so their share can differ"
                .to_owned()
        }
        ReadingMeasure::FirstPlace => {
            "of the share of a session's rankings that put the option first; options that share the first place share the ranking"
                .to_owned()
        }
        ReadingMeasure::Points => "of the mean points that the option got from an answer of a session".to_owned(),
        ReadingMeasure::Places => "of the mean number at each place of the answers of a session".to_owned(),
        ReadingMeasure::Words => String::new(),
    };
    let reached = describe_occasions(of);
    let how = match of.subject.measure {
        ReadingMeasure::Words => {
            format!(
                "{marks} are the median length of all answers in words, bars and bands the middle half; n is the number of answers."
            )
        }
        _ => {
            let intervals = match (of.subject.is_flag_of_session(), seed) {
                (true, _) => "bars and bands are Wilson's 95 % intervals of a share of sessions",
                (false, Some(_)) => {
                    "bars and bands are 95 % intervals by inverted sign-flip tests over six sessions or more"
                }
                (false, None) => "there are too many points for intervals",
            };
            let unit = gathered.comparison.as_ref().map_or(Unit::Session, |comparison| comparison.unit);
            let other_unit = match unit {
                Unit::Session => String::new(),
                unit => {
                    format!(" ekklesia compare takes {}s as independent, so its intervals may differ.", unit.as_str())
                }
            };
            format!(
                "{marks} are means over sessions {each}; {intervals}; n is the number of sessions with {a_what}.{reached}{other_unit}"
            )
        }
    };
    let missing = match of.missing {
        0 => String::new(),
        1 => format!(" 1 {what} is missing and left out."),
        missing => format!(" {} are missing and left out.", counted(missing, what)),
    };
    let roles: BTreeSet<&String> = of.readings().flat_map(|reading| &reading.roles).collect();
    let roles: Vec<&str> = roles.into_iter().map(String::as_str).collect();
    let roles = match roles.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!(" Seats of the roles {} and {last} are taken together.", others.join(", "))
        }
        _ => String::new(),
    };
    let left_empty = match of.left_empty {
        0 => String::new(),
        1 => " 1 answer was left empty, as this optional field allows.".to_owned(),
        left_empty => format!(" {} were left empty, as this optional field allows.", counted(left_empty, "answer")),
    };
    let left_out = match left_out {
        0 => String::new(),
        left_out => format!(" {} named least are left out.", counted(left_out as u64, "option")),
    };
    format!("{asked}{how}{roles}{missing}{left_empty}{left_out}{note}")
}
