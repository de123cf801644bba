//! What groups chose, the contrasts between arms, and the results item by item.

use indexmap::IndexSet;

use super::arms::{join_findings, mark_with_interval, name_row, series_of_arm, sessions_of};
use super::values::lead_values;
use crate::analysis::statistics::{Estimate, IntervalMethod, wilson_interval};
use crate::figure::{At, Axis, Colour, Figure, FigureForm, FigureMark, ValueUnit};
use crate::plan::NULL_FACTOR;
use crate::report::page::gathered::Gathered;
use crate::report::page::labels::NO_DECISION;
use crate::report::{A_TEXT, AnalysisKind, ArmReport, Comparison, ItemReport, capitalise, counted};

/// The items that a figure shows; `sessions.csv` has all.
const ITEMS_MAX: usize = 40;
/// Up to this number of arms, both of two results are drawn.
const ARMS_WITH_BOTH: usize = 4;
const WILSON: &str = "Bars are Wilson's 95 % intervals: how far chance alone may have moved a share of so many sessions, \
    not how far another model, scenario or wording would.";

/// The figures of the first screen: all arms on one axis, of a design without a vote what its values came to, and the contrasts between
/// arms.
pub fn lead_figures(gathered: &Gathered<'_>) -> Vec<Figure> {
    let contrasts = gathered.comparison.as_ref().ok().and_then(|comparison| draw_contrasts(gathered, comparison));
    let values = lead_values(gathered);
    match values.is_empty() {
        true => lead_figure(gathered).into_iter().chain(contrasts).collect(),
        false => values.into_iter().chain(contrasts).collect(),
    }
}

/// The first figure: all arms on one axis, by the primary metric or by the shares of the options.
fn lead_figure(gathered: &Gathered<'_>) -> Option<Figure> {
    let comparison = gathered.comparison.as_ref().ok();
    let is_announced = comparison.is_some_and(|comparison| comparison.analysis == AnalysisKind::Primary);
    let metric = || comparison.and_then(|comparison| draw_metric(gathered, comparison, 0));
    let shares = || match gathered.has_one_alternative() {
        true => draw_amounts(gathered),
        false => draw_shares(gathered),
    };
    let items = || draw_items(gathered).into_iter().next();
    let found = if is_announced { metric().or_else(shares) } else { shares().or_else(metric) };
    found.or_else(items).filter(|figure| !figure.marks.is_empty())
}

/// The finding in a sentence: direction, size, interval and n of the first contrast; without arms to compare, what groups chose.
pub fn describe_finding(gathered: &Gathered<'_>) -> String {
    let contrast = gathered.comparison.as_ref().ok().and_then(|comparison| {
        let found = comparison.compared.contrasts.first()?;
        describe_contrast(gathered, comparison, found)
    });
    if let Some(words) = contrast {
        return words;
    }
    let Some(report) = gathered.report else {
        return "The plan cannot be read, so there are no results. The sessions below are shown as recorded."
            .to_owned();
    };
    if let Some(figure) = lead_values(gathered).first() {
        let sessions = counted(report.completed, "session");
        return format!("{sessions} complete, without a vote. {}. {}", figure.title, figure.finding);
    }
    let arms = report.arms.iter().filter(|arm| arm.completed > 0);
    let described: Vec<String> = arms
        .take(3)
        .map(|arm| match report.arms.len() {
            1 => describe_arm(gathered, arm),
            _ => format!("{}: {}", gathered.labels.arm(&arm.arm), describe_arm(gathered, arm)),
        })
        .collect();
    if described.is_empty() { "No session is complete yet.".to_owned() } else { described.join(" ") }
}

/// What the groups of an arm chose most often.
fn describe_arm(gathered: &Gathered<'_>, arm: &ArmReport) -> String {
    let sessions = counted(arm.completed, "session");
    if let Some(imposed) = &arm.imposed {
        return format!("“{}” was imposed in all {sessions}.", gathered.labels.option(imposed));
    }
    if let Some(of) = arm.items.as_ref().and_then(|items| items.correct.as_ref()) {
        let interval = of
            .interval
            .map_or(String::new(), |interval| write_interval(ValueUnit::Percent, interval.low, interval.high));
        let share = of.share.map_or("–".to_owned(), |share| ValueUnit::Percent.write(share));
        return format!("{} of {} were right: {share}{interval}.", of.correct, counted(of.sessions, "decision"));
    }
    let most = arm
        .choices
        .iter()
        .filter(|choice| choice.sessions > 0)
        .reduce(|most, next| if next.sessions > most.sessions { next } else { most });
    match most {
        Some(choice) => {
            let chose = match &choice.alternative {
                Some(name) => format!("chose “{}”", gathered.labels.option(name)),
                None => "made no decision".to_owned(),
            };
            let amounts = choice.amounts.as_ref().map_or(String::new(), |amounts| {
                let [median, least, greatest] = [amounts.median, amounts.least.into(), amounts.greatest.into()]
                    .map(|of: f64| ValueUnit::Count.write(of));
                let unit = amounts.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
                format!(" The median amount was {median}{unit} ({least} to {greatest}).")
            });
            let right = arm.right.as_ref().map_or(String::new(), |right| format!(" {}.", capitalise(&right.words())));
            format!(
                "{} of {sessions} {chose}: {}{}.{amounts}{right}",
                choice.sessions,
                ValueUnit::Percent.write(choice.share),
                write_interval(ValueUnit::Percent, choice.interval.low, choice.interval.high)
            )
        }
        None => format!("{} complete, without a vote that gives the result.", counted(arm.completed, "session")),
    }
}

fn write_interval(unit: ValueUnit, low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(|value| unit.write(value));
    format!(" (95 % interval {} to {high})", low.trim_end_matches(" %"))
}

/// A contrast in a short sentence; `None` without a result.
fn describe_contrast(gathered: &Gathered<'_>, comparison: &Comparison, contrast: &Estimate) -> Option<String> {
    comparison.describe_contrast(contrast, &|arm| gathered.labels.arm(arm).to_owned())
}

/// The shares of the options in each arm, on one axis; `None` if nothing was voted on.
fn draw_shares(gathered: &Gathered<'_>) -> Option<Figure> {
    let arms: Vec<&ArmReport> = gathered.report?.arms.iter().filter(|arm| !arm.choices.is_empty()).collect();
    let has_several = arms.len() > 1;
    let choices = arms.iter().flat_map(|arm| &arm.choices);
    let mut names = Vec::from_iter(choices.map(|choice| choice.alternative.as_deref()).collect::<IndexSet<_>>());
    // No decision comes last.
    names.sort_by_key(Option::is_none);
    let is_chosen = |name: &Option<&str>| {
        arms.iter()
            .flat_map(|arm| &arm.choices)
            .any(|choice| choice.alternative.as_deref() == *name && choice.sessions > 0)
    };
    let label = |name: Option<&str>| name.map_or(capitalise(NO_DECISION), |name| gathered.labels.option(name));
    let mut marks = Vec::new();
    let mut shown: Vec<Option<&str>> = names.iter().copied().filter(is_chosen).collect();
    // Of two results, the second is what remains; many arms have no room for it on the first screen.
    let rest = if shown.len() == 2 && arms.len() > ARMS_WITH_BOTH { shown.pop() } else { None };
    for name in &shown {
        for arm in &arms {
            let Some(choice) = arm.choices.iter().find(|choice| choice.alternative.as_deref() == *name) else {
                continue;
            };
            let option = name.map_or(Colour::Nothing, |name| gathered.labels.option_colour(name));
            let (panel, series, colour) = match has_several {
                true => (label(*name), gathered.labels.arm(&arm.arm).to_owned(), gathered.labels.arm_colour(&arm.arm)),
                false => (String::new(), label(*name), option),
            };
            marks.push(FigureMark {
                panel,
                series,
                value: Some(choice.share),
                n: Some(arm.choices.iter().map(|choice| choice.sessions).sum()),
                colour,
                ..mark_with_interval(Some(choice.interval))
            });
        }
    }
    let never: Vec<String> =
        names.iter().filter(|name| name.is_some() && !is_chosen(name)).map(|name| label(*name)).collect();
    let never = match never.as_slice() {
        [] => String::new(),
        those => format!(" No session chose {}.", those.join(", ")),
    };
    let rest = rest.map_or(String::new(), |rest| format!(" All other sessions: {}.", label(rest)));
    let texts = match names.contains(&Some(A_TEXT)) {
        true => " Letters are each session's own texts, so they are not added up.",
        false => "",
    };
    (!marks.is_empty()).then(|| Figure {
        name: "choices".to_owned(),
        title: "What sessions chose".to_owned(),
        finding: describe_largest(gathered, &arms, &label),
        reading: format!(
            "Points are shares of the sessions that voted, n is their number.{rest}{texts} {WILSON}{never}"
        ),
        form: FigureForm::Dots { axis: Axis::of_shares("share of sessions"), reference: None },
        marks,
    })
}

/// The amounts that groups decided for, by option and arm: the median with the least and the greatest; `None` without amounts.
fn draw_amounts(gathered: &Gathered<'_>) -> Option<Figure> {
    let arms = &gathered.report?.arms;
    let mut marks = Vec::new();
    let mut units: Vec<&str> = Vec::new();
    for name in gathered.labels.options() {
        for arm in arms {
            let choice = arm.choices.iter().find(|choice| choice.alternative.as_deref() == Some(name));
            let Some(amounts) = choice.and_then(|choice| choice.amounts.as_ref()) else { continue };
            units.extend(amounts.unit.as_deref().filter(|unit| !units.contains(unit)));
            marks.push(FigureMark {
                panel: gathered.labels.option(name),
                series: name_row(gathered, &arm.arm),
                value: Some(amounts.median),
                low: Some(amounts.least.into()),
                high: Some(amounts.greatest.into()),
                n: Some(amounts.n),
                colour: gathered.labels.arm_colour(&arm.arm),
                ..FigureMark::default()
            });
        }
    }
    let right = arms
        .iter()
        .find_map(|arm| arm.right.as_ref())
        .map_or(String::new(), |right| format!(" {}.", capitalise(&right.words())));
    let first = marks.first()?;
    Some(Figure {
        name: "amounts".to_owned(),
        title: "The amounts that sessions decided for".to_owned(),
        finding: format!("Median in the first row: {}.{right}", ValueUnit::Count.write(first.value?)),
        reading: "Points are medians over the n sessions that decided for the option; bars run from the least to the greatest amount.".to_owned(),
        form: FigureForm::Dots { axis: Axis::new(format!("amount {}", units.join(", ")).trim_end(), ValueUnit::Count), reference: None },
        marks,
    })
}

/// The most frequent result of each arm, up to three arms; of equal ones all.
fn describe_largest(gathered: &Gathered<'_>, arms: &[&ArmReport], label: &dyn Fn(Option<&str>) -> String) -> String {
    let most = arms.iter().filter_map(|arm| {
        let most = arm.choices.iter().max_by_key(|choice| choice.sessions)?;
        let equal = arm.choices.iter().filter(|choice| choice.sessions == most.sessions);
        let names: Vec<String> = equal.map(|choice| label(choice.alternative.as_deref())).collect();
        let each = if names.len() > 1 { " each" } else { "" };
        let whose = if arms.len() > 1 { format!("{}: ", gathered.labels.arm(&arm.arm)) } else { String::new() };
        Some(format!("{whose}{} ({}{each})", names.join(" and "), ValueUnit::Percent.write(most.share)))
    });
    format!("The most frequent result: {}.", join_findings(&most.collect::<Vec<_>>()))
}

/// An axis of means; that of shares is from 0 to 100 %.
fn metric_axis(label: String, unit: ValueUnit) -> Axis {
    if unit == ValueUnit::Percent { Axis::of_shares(label) } else { Axis::new(label, unit) }
}

/// The means of one metric of the comparison, by arm.
fn draw_metric(gathered: &Gathered<'_>, comparison: &Comparison, place: usize) -> Option<Figure> {
    let metric = comparison.metrics.get(place)?;
    let (_, unit) = metric.units();
    let arms = comparison.compared.arms.iter().filter(|arm| arm.metric == metric.name);
    let marks = arms.filter(|arm| arm.mean.is_some()).map(|arm| FigureMark {
        series: gathered.labels.arm(&arm.arm).to_owned(),
        value: arm.mean,
        n: Some(arm.sessions.measured),
        colour: gathered.labels.arm_colour(&arm.arm),
        ..mark_with_interval(arm.interval)
    });
    let marks: Vec<FigureMark> = marks.collect();
    let chance = comparison.chance.filter(|_| metric.name == "correct");
    // Labels of whole columns name the unit.
    let label = match metric.label.contains(&metric.unit) {
        true => metric.label.clone(),
        false => format!("{} ({})", metric.label, metric.unit),
    };
    let found = comparison.compared.contrasts.iter().find(|contrast| contrast.metric == metric.name);
    (!marks.is_empty()).then(|| Figure {
        name: format!("metric-{}", metric.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-")),
        title: capitalise(&metric.label),
        finding: found.and_then(|found| describe_contrast(gathered, comparison, found)).unwrap_or_default(),
        reading: format!(
            "Points are means over sessions, n is the number of sessions with a value. Bars are {}. {}.",
            describe_intervals(comparison, &metric.name),
            capitalise(&metric.definition)
        ),
        form: FigureForm::Dots {
            axis: metric_axis(label, unit),
            reference: chance.map(|chance| (chance.level, "by lot".to_owned())),
        },
        marks,
    })
}

/// The intervals of the means of a metric: the method, and the unit that is independent.
fn describe_intervals(comparison: &Comparison, metric: &str) -> String {
    let mut arms = comparison.compared.arms.iter().filter(|arm| arm.metric == metric);
    match arms.any(|arm| arm.interval_method == IntervalMethod::Wilson) {
        true => "Wilson's 95 % intervals of a share of sessions".to_owned(),
        false => format!("95 % intervals by inverted sign-flip tests over {}s", comparison.unit.as_str()),
    }
}

/// The interaction, the metrics, the shares and the amounts.
pub fn draw_others(gathered: &Gathered<'_>) -> Vec<Figure> {
    let comparison = gathered.comparison.as_ref().ok();
    let mut figures = Vec::new();
    if let Some(comparison) = comparison {
        figures.extend(draw_interaction(gathered, comparison));
        figures.extend((0..comparison.metrics.len()).filter_map(|place| draw_metric(gathered, comparison, place)));
    }
    figures.extend(draw_shares(gathered));
    figures.extend(draw_amounts(gathered));
    figures
}

/// All contrasts on one axis.
fn draw_contrasts(gathered: &Gathered<'_>, comparison: &Comparison) -> Option<Figure> {
    let all = &comparison.compared.contrasts;
    let has_several = comparison.metrics.len() > 1;
    let unit = comparison.metric_of(all.first()?).map_or(ValueUnit::Difference, |metric| metric.units().0);
    let are_alike =
        all.iter().all(|contrast| comparison.metric_of(contrast).is_some_and(|metric| metric.units().0 == unit));
    let unit = if are_alike { unit } else { ValueUnit::Difference };
    let marks = all.iter().filter(|contrast| contrast.main.difference.is_some()).map(|contrast| {
        let (one, other) = comparison.sides_in_words(contrast, &|arm| gathered.labels.arm(arm).to_owned());
        let p = |p: f64| if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p:.3}") };
        let test = contrast.p_adjusted.or(contrast.main.test.map(|test| test.p)).map_or(String::new(), p);
        FigureMark {
            panel: if has_several {
                comparison.metric_of(contrast).map_or(String::new(), |metric| capitalise(&metric.label))
            } else {
                String::new()
            },
            series: format!("{one} − {other}"),
            value: contrast.main.difference,
            text: test,
            n: Some(contrast.main.blocks),
            colour: match contrast.factor {
                // Slate: no arm of a small design has it.
                Some(_) => Colour::Arm(7),
                None => gathered.labels.arm_colour(&contrast.first),
            },
            ..mark_with_interval(contrast.main.interval)
        }
    });
    let marks: Vec<FigureMark> = marks.collect();
    let label = match comparison.metrics.as_slice() {
        [metric] if unit == ValueUnit::Points => format!("difference in the {}, percentage points", metric.label),
        [metric] => format!("difference in the {}", metric.label),
        _ => "difference".to_owned(),
    };
    let is_adjusted = comparison.tests > 1 && all.iter().any(|contrast| contrast.p_adjusted.is_some());
    let (intervals, adjusted) = match is_adjusted {
        true => ("unadjusted 95 % intervals", format!(" p is Holm's, over {}.", counted(comparison.tests, "test"))),
        false => ("95 % intervals", String::new()),
    };
    let kind = match comparison.analysis {
        AnalysisKind::Primary => "This comparison was announced before the run.".to_owned(),
        AnalysisKind::Exploratory => {
            format!("This comparison is exploratory: {}.", comparison.exploratory_because.join("; "))
        }
    };
    (!marks.is_empty()).then(|| Figure {
        name: "contrasts".to_owned(),
        title: "Contrasts between arms".to_owned(),
        finding: all.first().and_then(|first| describe_contrast(gathered, comparison, first)).unwrap_or_default(),
        reading: format!(
            "Points are differences, the first side minus the second; bars are {intervals}; n is the number of blocks.{adjusted} {kind} \
             A contrast without a bar has too few or too equal blocks for an interval."
        ),
        form: FigureForm::Dots { axis: Axis::new(label, unit), reference: Some((0.0, "no difference".to_owned())) },
        marks,
    })
}

/// The means of the first metric by two factors; `None` for other designs.
fn draw_interaction(gathered: &Gathered<'_>, comparison: &Comparison) -> Option<Figure> {
    let experiment = gathered.experiment?;
    let factors: Vec<&String> = experiment.factors.iter().filter(|factor| *factor != NULL_FACTOR).collect();
    let [lines, across] = factors.as_slice() else { return None };
    let metric = comparison.metrics.first()?;
    let level = |arm: &str, factor: &str| {
        let plan = experiment.arms.iter().find(|plan| plan.arm == arm && plan.null.is_none())?;
        plan.levels.iter().find(|level| level.factor == factor).map(|level| level.label.replace('_', " "))
    };
    let list_levels = |factor: &str| {
        let found = comparison.compared.arms.iter().filter_map(|arm| level(&arm.arm, factor));
        Vec::from_iter(found.collect::<IndexSet<String>>())
    };
    let (categories, series) = (list_levels(across), list_levels(lines));
    let mut marks = Vec::new();
    for (place, name) in series.iter().enumerate() {
        for arm in comparison.compared.arms.iter().filter(|arm| arm.metric == metric.name) {
            if level(&arm.arm, lines).as_ref() != Some(name) {
                continue;
            }
            let category = level(&arm.arm, across)?;
            let position = categories.iter().position(|known| *known == category)? as f64 + 1.0;
            marks.push(FigureMark {
                series: format!("{}: {name}", lines.replace('_', " ")),
                at: At::Number(position),
                beside: 0.06 * (place as f64 - (series.len() - 1) as f64 / 2.0),
                value: arm.mean,
                text: category,
                n: Some(arm.sessions.measured),
                colour: Colour::Choice(place),
                ..mark_with_interval(arm.interval)
            });
        }
    }
    let (_, unit) = metric.units();
    (series.len() > 1 && categories.len() > 1).then(|| Figure {
        name: "interaction".to_owned(),
        title: format!("{} by {} and {}", capitalise(&metric.label), lines.replace('_', " "), across.replace('_', " ")),
        finding: format!("Each line is a level of {}; lines that are not parallel suggest an interaction.", lines.replace('_', " ")),
        reading: "Points are means over sessions, bars their 95 % intervals, n the number of sessions. Whether lines differ in slope by more \
            than chance is a question for ekklesia compare with two factors in --by."
            .to_owned(),
        form: FigureForm::Lines {
            across: Axis::new(across.replace('_', " "), ValueUnit::Number),
            categories,
            upwards: metric_axis(metric.label.clone(), unit),
        },
        marks,
    })
}

/// How private polls changed from before to after the talk.
pub fn draw_polls(gathered: &Gathered<'_>) -> Vec<Figure> {
    let Some(report) = gathered.report else { return Vec::new() };
    let arms = report.arms.iter().filter_map(|arm| Some((arm, arm.straw.as_ref()?)));
    let marks: Vec<FigureMark> = arms
        .clone()
        .map(|(arm, straw)| FigureMark {
            series: name_row(gathered, &arm.arm),
            value: Some(straw.change),
            text: format!(
                "{} before, {} after",
                ValueUnit::Percent.write(straw.before),
                ValueUnit::Percent.write(straw.after)
            ),
            n: Some(straw.n),
            colour: gathered.labels.arm_colour(&arm.arm),
            ..mark_with_interval(straw.interval)
        })
        .collect();
    let finding = arms.clone().next().map_or(String::new(), |(arm, straw)| {
        let under =
            if report.arms.len() > 1 { format!(" under {}", gathered.labels.arm(&arm.arm)) } else { String::new() };
        format!(
            "The largest option held {} of the seats before the talk{under} and {} after it.",
            ValueUnit::Percent.write(straw.before),
            ValueUnit::Percent.write(straw.after)
        )
    });
    vec![Figure {
        name: "polls".to_owned(),
        title: "Private polls, from before to after the talk".to_owned(),
        finding,
        reading: "Points are the change in the share of the most frequent answer, in percentage points, averaged over the n sessions with \
            both polls; bars are 95 % intervals by inverted sign flips. Becoming alike is not becoming right."
            .to_owned(),
        form: FigureForm::Dots {
            axis: Axis::new("change in the share of the largest option, percentage points", ValueUnit::Points),
            reference: Some((0.0, "no change".to_owned())),
        },
        marks,
    }]
}

/// The results item by item: share of right decisions, of decisions that conform, or the mean error of amounts.
pub fn draw_items(gathered: &Gathered<'_>) -> Vec<Figure> {
    let Some(report) = gathered.report else { return Vec::new() };
    let arms: Vec<&ArmReport> = report.arms.iter().filter(|arm| arm.items.is_some()).collect();
    let items = || arms.iter().filter_map(|arm| arm.items.as_ref()).flat_map(|items| &items.items);
    let measures = [
        ItemMeasure {
            name: "items-conformed",
            title: "Conformity, item by item",
            what: "share of decisions for the option that the majority pushes",
            count: |item| item.conformed,
        },
        ItemMeasure {
            name: "items-right",
            title: "Right decisions, item by item",
            what: "share of decisions that are right",
            count: |item| item.correct,
        },
    ];
    let measured = measures.iter().filter(|measure| items().any(|item| (measure.count)(item).is_some()));
    let errors = items().any(|item| item.error.is_some()).then(|| draw_item_errors(gathered, &arms));
    measured.map(|measure| draw_item_shares(gathered, &arms, measure)).chain(errors).collect()
}

/// A share that is measured for each item.
struct ItemMeasure {
    name: &'static str,
    title: &'static str,
    what: &'static str,
    count: fn(&ItemReport) -> Option<u64>,
}

fn draw_item_shares(gathered: &Gathered<'_>, arms: &[&ArmReport], measure: &ItemMeasure) -> Figure {
    let mut marks = Vec::new();
    let (mut all, mut of) = (0, 0);
    for arm in arms {
        let (panel, colour) = series_of_arm(gathered, &arm.arm);
        let items = arm.items.iter().flat_map(|items| &items.items).take(ITEMS_MAX);
        for (item, count) in items.filter_map(|item| Some((item, (measure.count)(item)?))) {
            let decided = item.with_decision();
            let interval = wilson_interval(count, decided);
            (all, of) = (all + count, of + decided);
            marks.push(FigureMark {
                panel: panel.clone(),
                series: name_item(item),
                text: list_decisions(item),
                value: (decided > 0).then(|| count as f64 / decided as f64),
                n: Some(decided),
                colour,
                ..mark_with_interval(interval)
            });
        }
    }
    let chance = gathered.report.and_then(|report| report.arms.first()?.items.as_ref()?.correct.as_ref());
    let chance =
        chance.filter(|_| measure.name == "items-right").map(|correct| (correct.chance.level, "by lot".to_owned()));
    Figure {
        name: measure.name.to_owned(),
        title: measure.title.to_owned(),
        finding: format!("{}: {all} of {of} over all items shown.", capitalise(measure.what)),
        reading: format!("A row is an item, n is the number of its decisions. {WILSON}{}", cut_items(arms)),
        form: FigureForm::Dots { axis: Axis::of_shares(measure.what), reference: chance },
        marks,
    }
}

/// An item with its right answer.
fn name_item(item: &ItemReport) -> String {
    item.key.as_ref().map_or_else(|| item.item.clone(), |key| format!("{}, right: {key}", item.item))
}

/// How often groups decided for what.
fn list_decisions(item: &ItemReport) -> String {
    let mut parts: Vec<String> = item.decided.iter().map(|(name, sessions)| format!("{name} {sessions}")).collect();
    if item.no_decision > 0 {
        parts.push(format!("{NO_DECISION} {}", item.no_decision));
    }
    parts.join(", ")
}

fn cut_items(arms: &[&ArmReport]) -> String {
    let most = arms.iter().filter_map(|arm| arm.items.as_ref()).map(|items| items.items.len()).max().unwrap_or(0);
    if most > ITEMS_MAX { format!(" The first {ITEMS_MAX} of {most} items are shown.") } else { String::new() }
}

fn draw_item_errors(gathered: &Gathered<'_>, arms: &[&ArmReport]) -> Figure {
    let mut marks = Vec::new();
    for arm in arms {
        let (panel, colour) = series_of_arm(gathered, &arm.arm);
        for item in arm.items.iter().flat_map(|items| &items.items).take(ITEMS_MAX) {
            marks.push(FigureMark {
                panel: panel.clone(),
                series: name_item(item),
                value: item.error,
                n: Some(sessions_of(gathered, &arm.arm).iter().filter(|course| course.item == item.item).count() as u64),
                colour,
                ..FigureMark::default()
            });
        }
    }
    let errors = arms.iter().filter_map(|arm| Some((arm, arm.items.as_ref()?.error.as_ref()?)));
    let told = errors.map(|(arm, error)| {
        let whose = if arms.len() > 1 { format!("{}: ", gathered.labels.arm(&arm.arm)) } else { String::new() };
        format!("{whose}{}", ValueUnit::Percent.write(error.mean))
    });
    Figure {
        name: "items-error".to_owned(),
        title: "Distance from the right amount, item by item".to_owned(),
        finding: format!("The decisions were off by, on average: {}.", told.collect::<Vec<_>>().join("; ")),
        reading: format!(
            "A row is an item: the distance of the decided amount from the right one, over the right one, averaged over n sessions.{}",
            cut_items(arms)
        ),
        form: FigureForm::Dots {
            axis: Axis::new("mean distance from the right amount", ValueUnit::Percent),
            reference: None,
        },
        marks,
    }
}
