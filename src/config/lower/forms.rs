//! The forms that a scenario asks: their fields, checked and lowered.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::filling::FilledText;
use crate::config::lower::field_keys::lower_key;
use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::scope::{evaluate_fixed, is_value_name};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{FieldConfig, NumberConfig, PhaseConfig, ScenarioConfig};
use crate::domain::{Decimal, Field, FieldKind, Form, FormAsked, Language, Measure, POINTS_MAX, Presence};
use crate::expression::{Fraction, Value, show_expression};
use crate::plan::{BoundEnd, FormPlan, LiveBound, MissingBound, Pass, Phase, PhaseKind, Plan, Scalar};
use crate::prompt::LiveText;

/// The most fields of a form, and the most options of a field.
const MANY: usize = 100;
/// The longest text, in characters.
const CHARS_MAX: u32 = 100_000;
/// The most texts of one field.
const COUNT_MAX: u32 = 20;
/// Characters that are not allowed in options, because replies use them as separators.
const SEPARATORS: [char; 9] = ['>', '=', ',', '，', '＞', '＝', '"', '\n', '\r'];

/// Reports what is wrong with the fields of a form at a path. `list` is the list of fields.
pub fn check_fields(fields: &[FieldConfig], path: &str, list: &Node, problems: &mut Problems) {
    if fields.is_empty() || fields.len() > MANY {
        let message = format!("a form has 1 to {MANY} fields, this one has {}", fields.len());
        problems.push(Problem::at_place(&list.place, path, message));
    }
    let mut seen = BTreeSet::new();
    let is_about_seats = path.ends_with(".form");
    for (position, field) in fields.iter().enumerate() {
        let node = list.items().get(position).unwrap_or(list);
        let mut tell = |key: &str, message: String| {
            let path = format!("{path}.{position}{}{key}", if key.is_empty() { "" } else { "." });
            problems.push(Problem::at_place(node.place_of(key), path, message));
        };
        if !is_value_name(&field.id) {
            tell("id", format!("\"{}\" is no id: small letters, digits and `_`, a letter first", field.id));
        }
        let number = field.id.rsplit_once('_').map_or("", |(_, number)| number);
        if is_about_seats && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            tell("id", format!("\"{}\" ends like the number of a seat; choose another id", field.id));
        }
        if SEAT_WORDS.contains(&field.id.as_str()) {
            tell("id", format!("\"{}\" is what conditions call something else of a seat; choose another id", field.id));
        }
        if !seen.insert(&field.id) {
            tell("id", format!("the form has two fields \"{}\"", field.id));
        }
        if field.question.trim().is_empty() {
            tell("question", "the question is empty: seats would read nothing".to_owned());
        }
        match field.list_kinds().as_slice() {
            [kind] => {
                let mut is_sound = true;
                check_kind(field, kind, &mut |key, message| {
                    is_sound = false;
                    tell(key, message);
                });
                // The right answer is one that the field allows, so the field has to be sound.
                if is_sound && let Err(message) = lower_key(field, lower_kind(field)) {
                    tell("key", message);
                }
                if field.measures.is_some() && is_about_seats {
                    tell("measures", "what is asked about other seats measures nothing about the motion".to_owned());
                }
            }
            _ => tell("", format!("a field is exactly one of {}", FieldConfig::KINDS.join(", "))),
        }
    }
}

/// Reports the fields that cannot measure what they say about the motion. `list` is the list of fields.
pub fn check_measures(
    fields: &[FieldConfig],
    scenario: &ScenarioConfig,
    (path, list): (&str, &Node),
    problems: &mut Problems,
) {
    for (position, field) in fields.iter().enumerate() {
        if let Err(message) = check_measure(field, fields, scenario) {
            let node = list.items().get(position).unwrap_or(list);
            problems.push(Problem::at_place(node.place_of("measures"), format!("{path}.{position}.measures"), message));
        }
    }
}

/// Why a field cannot measure what it says about the motion.
fn check_measure(field: &FieldConfig, form: &[FieldConfig], scenario: &ScenarioConfig) -> Result<(), String> {
    let alternatives = scenario.alternatives.as_slice();
    let names: Vec<String> = alternatives.iter().map(|alternative| alternative.name.clone()).collect();
    let is_over_alternatives = |is_kind: bool, wanted: &str, elsewhere: &str| match field.written_options() {
        Some(SeatsConfig::Names(_)) if is_kind && !scenario.languages.is_empty() => {
            Err(format!("a scenario with `languages` has other alternatives in each: ask in a {elsewhere}"))
        }
        Some(SeatsConfig::Names(options)) if is_kind && names.len() > 1 && *options == names => Ok(()),
        _ => {
            let options = if names.len() > 1 { names.join(", ") } else { "…".to_owned() };
            Err(format!("{wanted}: {{ options: [{options}] }}"))
        }
    };
    let is_number = |bound: &Option<Scalar>| matches!(bound, Some(Scalar::Int(_) | Scalar::Real(_)));
    let is_fixed = field.scale.is_some()
        || field.number.as_ref().is_some_and(|number| is_number(&number.min) && is_number(&number.max));
    match field.measures {
        None => Ok(()),
        Some(Measure::Stance) => is_over_alternatives(
            field.choice.is_some(),
            "a stance is a choice among the alternatives: write choice",
            "straw poll",
        ),
        Some(Measure::Ranking) if field.optional => {
            Err("a ranking of the alternatives is always given: leave out `optional`".to_owned())
        }
        Some(Measure::Ranking) => is_over_alternatives(
            field.ranking.is_some(),
            "a ranking that measures something is over the alternatives: write ranking",
            "phase of its own, ask: { ranking: {} }",
        ),
        Some(Measure::Certainty) => {
            let is_of = |other: &FieldConfig| matches!(other.measures, Some(Measure::Stance | Measure::Ranking));
            match is_fixed {
                false => Err("a certainty is a scale, or a number from one written number to another".to_owned()),
                true if form.iter().any(is_of) => Ok(()),
                true => Err("a certainty is that of a stance or a ranking: add a field to the form with \
                             measures: stance or measures: ranking"
                    .to_owned()),
            }
        }
        Some(Measure::Opinion) => match alternatives {
            [_] if field.number.as_ref().is_some_and(|number| number.decimals == 0) => Ok(()),
            [_] => Err("where an amount alone is decided, the opinion is the amount: write number: { … }".to_owned()),
            [_, _] if is_fixed => Ok(()),
            [_, _] => Err("an opinion is a scale, or a number from one written number to another".to_owned()),
            _ => Err("an opinion is about two alternatives, or about an amount that alone is decided".to_owned()),
        },
    }
}

/// What conditions read of every seat.
const SEAT_WORDS: [&str; 3] = ["name", "index", "present"];

fn check_kind(field: &FieldConfig, kind: &str, tell: &mut impl FnMut(&str, String)) {
    if let Some(SeatsConfig::Names(options)) = field.written_options() {
        let least = if field.allocation.is_some() { 2 } else { 1 };
        if options.len() < least {
            tell(&format!("{kind}.options"), format!("a field has at least {least} options here"));
        }
        check_options(options, &format!("{kind}.options"), tell);
    }
    if field.has_item_options() && (field.score.is_some() || field.allocation.is_some()) {
        tell(
            &format!("{kind}.options"),
            "a choice, an approval or a ranking has the options of an item, and nothing else has".to_owned(),
        );
    }
    if let Some(scale) = &field.scale {
        if scale.from >= scale.to {
            tell("scale.to", format!("the greatest number {} is not above the least {}", scale.to, scale.from));
        }
        for number in scale.labels.keys() {
            let is_on = number.parse::<i64>().is_ok_and(|number| (scale.from..=scale.to).contains(&number));
            if !is_on {
                tell("scale.labels", format!("{number} is no number from {} to {}", scale.from, scale.to));
            }
        }
    }
    if let Some(number) = &field.number {
        match (number_bounds(number), &number.min, &number.max) {
            (Err((key, message)), ..) => tell(&format!("number.{key}"), message),
            (Ok((least, greatest)), Some(min), Some(max)) if least > greatest => {
                tell("number.max", format!("{} is below {}", write_scalar(max), write_scalar(min)))
            }
            (Ok(_), Some(_), Some(_)) => {}
            (Ok(_), None, None) if field.measures == Some(Measure::Opinion) => {}
            (Ok(_), ..) => tell("number", "write min and max".to_owned()),
        }
    }
    if let Some(text) = &field.text {
        let (least, most) = text.chars;
        if most == 0 || least > most || most > CHARS_MAX {
            tell(
                "text.chars",
                format!("[{least}, {most}] is no pair of lengths: at most {CHARS_MAX}, the least first"),
            );
        }
        if let Some((fewest, most)) = text.count {
            if fewest == 0 || fewest > most || most > COUNT_MAX {
                let message = format!("[{fewest}, {most}] is no pair of counts from 1 to {COUNT_MAX}, the least first");
                tell("text.count", message);
            } else if least == 0 {
                tell("text.chars", "of several texts each has at least one character: write [1, …]".to_owned());
            }
        }
    }
    if field.optional && field.approval.is_some() {
        tell("optional", "an approval may approve of nothing, so it is always answered".to_owned());
    }
}

fn check_options(options: &[String], path: &str, tell: &mut impl FnMut(&str, String)) {
    if options.len() > MANY {
        tell(path, format!("a field has at most {MANY} options"));
    }
    for (position, option) in options.iter().enumerate() {
        let is_word = Language::ALL.iter().any(|language| language.is_none(option));
        if option.is_empty() || option.trim() != option || option.contains(SEPARATORS) || is_word {
            let message = format!(
                "\"{option}\" is no option: it may not be empty, begin or end with a blank, hold > = , or \", or be a word for none"
            );
            tell(&format!("{path}.{position}"), message);
        }
        if options[..position].contains(option) {
            tell(&format!("{path}.{position}"), format!("the option \"{option}\" is listed twice"));
        }
    }
}

/// Gives the fields that have the options of an item those of the item that the passes take place for.
///
/// # Errors
/// The key of a field below the form, and a message, if the item has an option that is none of a form.
pub fn fill_item_options(form: &mut Form, fields: &[FieldConfig], passes: &[Pass]) -> Result<(), String> {
    let Some(item) = passes.iter().rev().find_map(Pass::item) else { return Ok(()) };
    for (field, _) in form.fields.iter_mut().zip(fields).filter(|(_, written)| written.has_item_options()) {
        if item.options.is_empty() {
            return Err(
                "options: item.options needs the column of options: name it in the config's items.options".to_owned()
            );
        }
        let mut wrong = Vec::new();
        check_options(&item.options, "", &mut |_, message| wrong.push(message));
        if let Some(message) = wrong.into_iter().next() {
            return Err(format!("the item {} has options that a field cannot have: {message}", item.id));
        }
        field.kind.set_options(item.options.clone());
    }
    Ok(())
}

/// Reports bounds of numbers that may be missing when the form is asked.
pub fn check_missing_bounds(plan: &Plan, scenario: &Scenario, problems: &mut Problems) {
    let has_bounds = |phase: &Phase| matches!(&phase.kind, PhaseKind::Form(form) if !form.bounds.is_empty());
    if !plan.agenda.iter().any(has_bounds) {
        return;
    }
    for MissingBound { phase, field, end, cause } in plan.find_missing_places().bounds {
        let asked = scenario.find_phase(&phase);
        let form = if asked.is_some_and(PhaseConfig::asks_about_seats) { ".form" } else { "" };
        let written = asked.and_then(|asked| asked.fields().get(field));
        let bounds = written.map(FieldConfig::list_bounds).unwrap_or_default();
        let key = bounds.iter().find(|(key, _)| name_end(key) == end).map_or("", |(key, _)| *key);
        let cause = show_expression(&cause);
        let message = format!("the bound may be missing, because `{cause}` may be, and the question needs it");
        let hint = format!("write default({cause}, …), with the number to take if it is missing");
        let path = format!("agenda.{phase}.ask{form}.{field}.{key}");
        problems.push(scenario.tree.problem(&path, message).with_advice(hint));
    }
}

/// Which bound a key of a form writes.
fn name_end(key: &str) -> BoundEnd {
    if key == "number.min" { BoundEnd::Min } else { BoundEnd::Max }
}

/// The bounds in units of the last decimal place.
///
/// # Errors
/// The key of a bound with too many digits or decimals, and a message.
fn number_bounds(number: &NumberConfig) -> Result<(i64, i64), (&'static str, String)> {
    let units = |key, bound: &Option<Scalar>| match bound {
        // An expression, which is looked at when the form is asked; or that of the motion's amounts.
        Some(Scalar::Text(_)) | None => Ok(None),
        Some(Scalar::Bool(yes)) => Err((key, format!("{yes} is no number"))),
        Some(bound @ (Scalar::Int(_) | Scalar::Real(_))) => {
            let bound = write_scalar(bound);
            let exact = Decimal::parse(&bound).and_then(|bound| bound.in_units(number.decimals));
            let fits = exact.filter(|units| units.abs() <= crate::domain::NUMBER_MAX);
            fits.map(Some).ok_or_else(|| {
                (key, format!("{bound} is no number with at most {} decimals and 15 digits", number.decimals))
            })
        }
    };
    let (min, max) = (units("min", &number.min)?, units("max", &number.max)?);
    Ok((min.unwrap_or(-crate::domain::NUMBER_MAX), max.unwrap_or(crate::domain::NUMBER_MAX)))
}

/// The form of valid fields. `fill` fills a text at a path below that of the form.
///
/// # Errors
/// Those of `fill`, and a bound that has no value.
pub fn lower_form(
    fields: &[FieldConfig],
    (language, parameters): (Language, &IndexMap<String, Scalar>),
    fill: &dyn Fn(&str, &str) -> Result<FilledText, Problem>,
) -> Result<FormPlan, Problem> {
    let is_only = fields.len() == 1;
    let (mut lowered, mut questions) = (Vec::new(), Vec::new());
    let (mut live, mut bounds, mut amounts, mut keys) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (position, field) in fields.iter().enumerate() {
        let (question, template) = lower_question(position, field, fill)?;
        live.extend(template.map(|template| (position, template)));
        questions.push(question);
        let mut kind = lower_kind(field);
        let key = lower_key(field, lower_kind(field)).expect("invariant: the right answer to a field was checked");
        keys.extend(key.map(|key| (field.id.clone(), key)));
        if field.number.as_ref().is_some_and(|number| number.min.is_none()) {
            amounts.push(position);
        }
        for (key, written) in field.list_bounds() {
            let Scalar::Text(_) = written else { continue };
            let end = name_end(key);
            let formula = lower_formula(written);
            match (evaluate_fixed(&formula, parameters), &mut kind) {
                (Some(Value::Number(number)), FieldKind::Number { min, max, .. }) => {
                    let bound = if end == BoundEnd::Min { min } else { max };
                    *bound = units_of_number(number, field, end);
                }
                _ => bounds.push(LiveBound { field: position, end, formula }),
            }
        }
        let is_text = matches!(kind, FieldKind::Text { .. } | FieldKind::Texts { .. });
        let anchor = if is_only && is_text { String::new() } else { field.id.to_uppercase().replace('_', " ") };
        let presence = if field.optional { Presence::MayBeLeftOut } else { Presence::Required };
        lowered.push(Field { id: field.id.clone(), anchor, kind, presence });
    }
    let measures = fields.iter().filter_map(|field| Some((field.id.clone(), field.measures?))).collect();
    let asked = FormAsked { form: Form { fields: lowered, language }, questions, measures };
    Ok(FormPlan {
        asked: Arc::new(asked),
        live,
        bounds,
        amounts,
        options: Vec::new(),
        per: None,
        kept: Vec::new(),
        keys,
        item_keys: Vec::new(),
    })
}

/// The words of a field's question, and their template if they print values of the session.
fn lower_question(
    position: usize,
    field: &FieldConfig,
    fill: &dyn Fn(&str, &str) -> Result<FilledText, Problem>,
) -> Result<(String, Option<LiveText>), Problem> {
    let labels = field.scale.iter().flat_map(|scale| &scale.labels);
    let labels: Vec<String> = labels.map(|(number, label)| format!("{number}: {label}")).collect();
    let labels = (!labels.is_empty()).then(|| format!(" ({})", labels.join(", ")));
    let unit = field.number.as_ref().and_then(|number| number.unit.as_ref()).map(|unit| format!(" ({unit})"));
    let ending: String = labels.into_iter().chain(unit).collect();
    let join = |question: &str, help: Option<&str>| {
        let help = help.map_or(String::new(), |help| format!("\n{}", help.trim()));
        format!("{}{help}{ending}", question.trim())
    };
    let question = fill(&field.question, &format!("{position}.question"))?;
    let help = field.help.as_ref().map(|help| fill(help, &format!("{position}.help"))).transpose()?;
    match (question, help) {
        (FilledText::Fixed(question), None) => Ok((join(&question, None), None)),
        (FilledText::Fixed(question), Some(FilledText::Fixed(help))) => Ok((join(&question, Some(&help)), None)),
        _ => {
            let source = join(&field.question, field.help.as_deref());
            match fill(&source, &format!("{position}.question"))? {
                FilledText::Fixed(text) => Ok((text, None)),
                FilledText::Live(live) => Ok((source, Some(live))),
            }
        }
    }
}

/// A bound in units of the last decimal place; one with more places is tightened.
fn units_of_number(number: Fraction, field: &FieldConfig, end: BoundEnd) -> i64 {
    let decimals = field.number.as_ref().map_or(0, |number| number.decimals);
    crate::plan::units_of_bound(number, decimals, end).unwrap_or(crate::domain::NUMBER_MAX)
}

/// A number of points; of an expression, which is looked at when the form is asked, the greatest there may be.
fn whole_number(written: &Scalar) -> u32 {
    match written {
        Scalar::Int(number) => u32::try_from(*number).expect("invariant: the schema bounds it"),
        _ => POINTS_MAX,
    }
}

/// The kind of answer to a field.
///
/// # Panics
/// If the field was reported as wrong.
fn lower_kind(field: &FieldConfig) -> FieldKind {
    let options = || match field.written_options() {
        Some(SeatsConfig::Names(options)) => options.clone(),
        Some(SeatsConfig::Expression(_)) | None => Vec::new(),
    };
    if field.choice.is_some() {
        FieldKind::Choice { options: options() }
    } else if field.approval.is_some() {
        FieldKind::Approval { options: options() }
    } else if field.ranking.is_some() {
        FieldKind::Ranking { options: options(), ties: false, truncated: false, top: None }
    } else if let Some(score) = &field.score {
        FieldKind::Score { options: options(), max: whole_number(&score.max) }
    } else if let Some(scale) = &field.scale {
        FieldKind::Number { min: scale.from, max: scale.to, decimals: 0 }
    } else if let Some(number) = &field.number {
        let (min, max) = number_bounds(number).expect("invariant: the bounds of a number were checked");
        FieldKind::Number { min, max, decimals: number.decimals }
    } else if let Some(allocation) = &field.allocation {
        FieldKind::Allocation { options: options(), points: whole_number(&allocation.points) }
    } else if let Some(text) = &field.text {
        let (chars_min, chars_max) = text.chars;
        match text.count {
            None => FieldKind::Text { chars_min, chars_max, one_line: false },
            Some((count_min, count_max)) => FieldKind::Texts { chars_min, chars_max, count_min, count_max },
        }
    } else {
        FieldKind::YesNo
    }
}
