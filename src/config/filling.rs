//! Fills in the variables of a scenario's texts, and reports the texts that fail.
//!
//! Other modules decide which texts exist and cache the results.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::config::lower::grouping;
use crate::config::lower::printable::{EXAMPLE_SEATS, PrintableNames};
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Scenario;
use crate::config::tree::{MapEntry, Node};
use crate::config::written::scenario::AlternativeConfig;
use crate::domain::{Alternative, AlternativeName, Language, Motion, SeatId};
use crate::expression::Function;
use crate::plan::{Origin, Scalar};
use crate::prompt::{Disclosure, LiveText, is_read_by_briefs, write_value};

/// What to do to tell seats the right answer.
const KEY_IS_COMPUTED: &str =
    "no question prints what is right; a brief after it prints a computed value: `compute: { right: item.key }`";
/// What to do to tell seats the truth.
const TRUTH_IS_COMPUTED: &str = "a brief prints a computed value: `compute: { right: truth }`";
/// What to do about a name of seats of other groups.
const WRITE_GROUP: &str = "other groups go on side by side with this one: write group";
/// What of the seat that a question is about it may print.
const OF_TARGET: &str = "of another seat a question prints only its name, index, role and whether it is present: tell the rest in a brief before";

/// What to do to tell seats the question and the options of their session's item.
const OF_ITEM_ANYWAY: &str =
    "the system prompt prints the question of the session's item with its options: leave this out";

/// The message for a text that prints nothing.
const EMPTY: &str = "the text is empty";
/// The only field of an item that a text may print.
const ITEM_TEXT: &str = "item.text";
/// Why other texts may not print an item.
const SAME_EVERYWHERE: &str =
    "only the motion and briefs print {{ item.text }}: this text is the same in the sessions of all items";
/// The limit on template steps: enough for any text, too few to hang.
const TEMPLATE_FUEL: u64 = 100_000;

/// A text as seats read it, or a template that is filled in when they do.
pub enum FilledText {
    /// The words.
    Fixed(String),
    /// The template.
    Live(LiveText),
}

/// Additional names that a text may print, with their values.
pub type ExtraNames<'a> = &'a [(&'a str, &'a str)];

/// The value of a group or a seat that has a name, as a text writes it.
fn find_member<'k>(name: &str, known: &'k [String]) -> Option<&'k String> {
    let is_member =
        |path: &&String| ["group", "seat"].iter().any(|holder| path.split_once('.') == Some((holder, name)));
    known.iter().find(is_member)
}

impl Scenario {
    /// The text at a path with its variables filled in.
    ///
    /// # Errors
    /// If the template is invalid, reads an unknown name, or prints nothing.
    pub fn fill_template(
        &self,
        (text, path): (&str, &str),
        parameters: &IndexMap<String, Scalar>,
        also: ExtraNames<'_>,
    ) -> Result<String, Problem> {
        let mut environment = minijinja::Environment::new();
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        environment.set_fuel(Some(TEMPLATE_FUEL));
        environment.set_formatter(write_value);
        environment.remove_global("debug");
        let known: Vec<String> = known_names(path, parameters, also).collect();
        self.check_names_read((text, path), &known, unknown_names(&environment, text, &known))?;
        let filled =
            environment.render_str(text.trim_end(), self.template_context(parameters, also)).map_err(|error| {
                let problem = self.template_problem((text, path), &error);
                let is_undefined = error.kind() == minijinja::ErrorKind::UndefinedError;
                match self.items.text.is_none() && is_undefined && text.contains("item.") {
                    true => problem.with_advice("the scenario asks about items: give the config `items`"),
                    false => problem,
                }
            })?;
        if filled.trim().is_empty() {
            let is_empty = |value: &Scalar| matches!(value, Scalar::Text(words) if words.trim().is_empty());
            let named = |name: &String| text.contains(&format!("parameters.{name}"));
            let empty = parameters.iter().find(|(name, value)| is_empty(value) && named(name));
            let hint = empty.map(|(name, _)| format!("the parameter {name} is empty: give it words"));
            return Err(self.tree.problem(path, EMPTY).with_hint(hint));
        }
        Ok(filled)
    }

    /// Checks that a text reads no names that are unknown.
    fn check_names_read(
        &self,
        (text, path): (&str, &str),
        known: &[String],
        mut unknown: Vec<String>,
    ) -> Result<(), Problem> {
        if unknown.is_empty() {
            return Ok(());
        }
        unknown.sort_by_cached_key(|name| (place_of_name(text, name), name.clone()));
        let is_of_item = |name: &str| name == "item" || name.starts_with("item.");
        let hints = unknown.iter().filter_map(|name| {
            let nearest = suggest_word(name, known.iter().map(String::as_str));
            let root = name.split('.').next().unwrap_or(name);
            let is_root = |known: &String| known.split('.').next() == Some(root);
            match name.split_once('.') {
                _ if is_of_item(name) && !asks_about_items(path) => Some(SAME_EVERYWHERE.to_string()),
                Some((_, "key")) => Some(KEY_IS_COMPUTED.to_string()),
                Some(("target", _)) if known.iter().any(|known| known == "target.name") => Some(OF_TARGET.to_string()),
                None if matches!(&**name, "seats" | "everyone") => Some(WRITE_GROUP.to_string()),
                None if name == "truth" => Some(TRUTH_IS_COMPUTED.to_string()),
                None if let Some(member) = find_member(name, known) => Some(format!("write {member}")),
                Some(("seat" | "me", part)) if grouping::makes_groups(self, part) => Some(format!(
                    "{part} makes groups: within them print {{{{ group.number }}}}; for other phases, compute it within them, as in compute: {{ seat.team: group.number }}, and print {{{{ seat.team }}}}"
                )),
                _ if is_read_by_briefs(root) && !known.iter().any(is_root) => match self.items.text {
                    None => Some(format!(
                        "{root} is read by templates: write the words to prompts/LANGUAGE/NAME.j2, as in prompts/en/opening.j2, and brief: {{ template: NAME }}"
                    )),
                    // Where sessions are about items, no brief is a template.
                    Some(_) if matches!(root, "motion" | "options") => Some(OF_ITEM_ANYWAY.to_owned()),
                    Some(_) => nearest,
                },
                Some((list, part)) if known.iter().any(|known| known == list) => Some(format!(
                    "{list} has no {part}; of a list, write {list}[0].{part}, or go through it with {{% for %}}"
                )),
                _ => nearest,
            }
        });
        let function = unknown.iter().find_map(|name| Function::find_by_name(name));
        let hints: BTreeSet<String> = match function {
            Some(function) => BTreeSet::from([explain_calculation(function)]),
            None => hints.collect(),
        };
        let hint = Some(hints.into_iter().collect::<Vec<_>>().join("; ")).filter(|hint| !hint.is_empty());
        let message = match &unknown[..] {
            [name] => format!("unknown variable {name}"),
            names => format!("unknown variables {}", names.join(", ")),
        };
        Err(self.tree.problem(path, message).with_hint(hint).with_words(&unknown[0]))
    }

    /// The text at a path, or the template of a text that prints values of the session, checked on examples.
    ///
    /// # Errors
    /// If it is not a valid template, prints what there is not or what seats may not read, or prints nothing.
    pub fn lower_text(
        &self,
        (text, path): (&str, &str),
        parameters: &IndexMap<String, Scalar>,
        (printable, disclosure): (&PrintableNames, Disclosure),
        language: Language,
    ) -> Result<FilledText, Problem> {
        let path = &*self.path_of(path);
        let Ok(mut live) = LiveText::compile(text, language) else {
            return self.fill_cached((text, path), parameters).map(FilledText::Fixed);
        };
        let known: Vec<String> = known_names(path, parameters, &[]).chain(printable.list_names()).collect();
        let is_unknown = |name: &String| !is_known_name(name, &known) && !live.is_global(name);
        let unknown = live.read_names().into_iter().filter(is_unknown).collect();
        self.check_names_read((text, path), &known, unknown)?;
        if !printable.is_read_by(&live) {
            return self.fill_cached((text, path), parameters).map(FilledText::Fixed);
        }
        printable.narrow(&mut live);
        // Each seat of an example reads it, so that a text is refused which only the first may read.
        let readers: &[Option<SeatId>] = if live.is_personal { &EXAMPLE_SEATS.map(Some) } else { &[None] };
        let scenes = printable.example_scenes(self, parameters, language).into_iter().enumerate();
        for ((position, scene), reader) in
            scenes.flat_map(|scene| readers.iter().map(move |reader| (scene.clone(), *reader)))
        {
            let target = EXAMPLE_SEATS.into_iter().rev().find(|seat| Some(*seat) != reader);
            let filled = live.fill(&scene, (reader, target), disclosure);
            let filled = filled.map_err(|error| self.template_problem((text, path), &error))?;
            // Where nobody gave anything, there may be nothing to say.
            if position == 0 && filled.trim().is_empty() {
                return Err(self.tree.problem(path, "the text is empty in an example of what may be said"));
            }
        }
        if let Some((name, message)) = printable.find_set_later(self, &live).into_iter().next() {
            return Err(self.tree.problem(path, message).with_words(&name));
        }
        Ok(FilledText::Live(live))
    }

    fn template_problem(&self, (text, path): (&str, &str), error: &minijinja::Error) -> Problem {
        self.tree.problem(path, template_message(text, error)).with_words(blamed_words(text, error))
    }

    /// The variables of texts and their values.
    fn template_context(&self, parameters: &IndexMap<String, Scalar>, also: ExtraNames<'_>) -> minijinja::Value {
        let values = parameters.iter().map(|(name, value)| (name.clone(), value.template_value()));
        let values = minijinja::Value::from_object(values.collect::<BTreeMap<_, _>>());
        // Without items, `item` is an empty object, so that a text can test for it.
        let item = self.items.text.iter().map(|text| ("text".to_string(), minijinja::Value::from(text.as_str())));
        let item = minijinja::Value::from_object(item.collect::<BTreeMap<_, _>>());
        let mut known = BTreeMap::from([("parameters".to_string(), values), ("item".to_string(), item)]);
        let mut sections: BTreeMap<String, BTreeMap<String, minijinja::Value>> = BTreeMap::new();
        for (name, words) in also {
            let words = minijinja::Value::from(*words);
            match name.split_once('.') {
                None => drop(known.insert((*name).to_string(), words)),
                Some((section, field)) => {
                    sections.entry(section.to_string()).or_default().insert(field.to_string(), words);
                }
            }
        }
        known.extend(sections.into_iter().map(|(name, fields)| (name, minijinja::Value::from_object(fields))));
        minijinja::Value::from_object(known)
    }
}

/// What to write in place of a function in a text.
fn explain_calculation(function: Function) -> String {
    if function == Function::Sorted {
        return "texts do not calculate, but filters sort, as in {{ others | map(attribute='x') | sort | join(', ') }}"
            .to_owned();
    }
    let (name, value) = (function.as_str(), if function.series().is_some() { "seat.x" } else { "x" });
    format!(
        "texts do not calculate: compute the value before, as in compute: {{ {value}: {name}(…) }}, and print {{{{ {value} }}}}"
    )
}

/// Moves a problem of a scenario's text to the parameter in the config that caused it by being empty.
pub fn blame_parameter(problem: Problem, text: &str, config: &Node) -> Problem {
    let parameters = config.entries_at("parameters");
    let is_empty = |entry: &&MapEntry| entry.node.as_text().is_some_and(|text| text.trim().is_empty());
    let is_said = |entry: &&MapEntry| entry.node.place.origin > Origin::Scenario;
    let is_printed = |entry: &&MapEntry| text.contains(&format!("parameters.{}", entry.key));
    match parameters.iter().filter(is_empty).filter(is_said).find(is_printed) {
        Some(entry) if problem.message == EMPTY => {
            let line = problem.line.map_or_else(String::new, |line| format!(":{line}"));
            let message = format!("empty, and so is {}, which prints it, in {}{line}", problem.path, problem.file);
            Problem::at_place(&entry.node.place, format!("parameters.{}", entry.key), message)
        }
        _ => problem,
    }
}

/// Whether the text at a path may print an item: the motion and the briefs.
fn asks_about_items(path: &str) -> bool {
    let of_language = path.strip_prefix("languages.").and_then(|path| path.split_once('.'));
    let path = of_language.map_or(path, |(_, path)| path);
    path == "motion.text" || path.starts_with("agenda.")
}

/// The names that the text at a path may print.
fn known_names<'a>(
    path: &str,
    parameters: &'a IndexMap<String, Scalar>,
    also: ExtraNames<'a>,
) -> impl Iterator<Item = String> + use<'a> {
    let of_parameters = parameters.keys().map(|name| format!("parameters.{name}"));
    let of_items = asks_about_items(path).then(|| ITEM_TEXT.to_string());
    of_parameters.chain(of_items).chain(also.iter().map(|(name, _)| (*name).to_string()))
}

/// The names that a text reads, in any branch, and that are not `known`; empty if the text is not a valid template.
fn unknown_names(environment: &minijinja::Environment<'_>, text: &str, known: &[String]) -> Vec<String> {
    let Ok(template) = environment.template_from_str(text) else { return Vec::new() };
    let is_global = |name: &str| environment.globals().any(|(global, _)| global == name);
    let named: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
    named.into_iter().filter(|name| !is_known_name(name, known) && !is_global(name)).collect()
}

/// Whether a name, with the field that follows it, is among the known ones.
fn is_known_name(name: &str, known: &[String]) -> bool {
    match name.split('.').collect::<Vec<_>>()[..] {
        [section] => section == "parameters" || known.iter().any(|known| known.split('.').next() == Some(section)),
        [section, field, ..] => known.iter().any(|known| *known == format!("{section}.{field}")),
        [] => true,
    }
}

/// The byte offset of a name's first occurrence as a complete name; the text's length if there is none.
fn place_of_name(text: &str, name: &str) -> usize {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole = |at: &usize| {
        !text[..*at].ends_with(|c| is_of_name(c) || c == '.') && !text[at + name.len()..].starts_with(is_of_name)
    };
    text.match_indices(name).map(|(at, _)| at).find(is_whole).unwrap_or(text.len())
}

/// The part of a template that an error is about: the rest of the line, or at the end of the text the unclosed tag.
fn blamed_words<'t>(text: &'t str, error: &minijinja::Error) -> &'t str {
    let start = error.range().map_or(0, |range| range.start);
    let rest = |from: usize| text.get(from..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim_end();
    match rest(start) {
        "" => text.rfind(['{']).map_or("", |at| rest(at.saturating_sub(usize::from(text[..at].ends_with('{'))))),
        words => words,
    }
}

/// Why a text could not be filled in.
fn template_message(text: &str, error: &minijinja::Error) -> String {
    let is_of_name = |sign: char| sign.is_alphanumeric() || "_.[]".contains(sign);
    let words = error.range().and_then(|range| {
        // The range of an attribute begins behind the first name.
        let before = text.get(..range.start)?.trim_end_matches(is_of_name).len();
        text.get(before..range.end).filter(|words| !words.is_empty())
    });
    if let (minijinja::ErrorKind::UndefinedError, Some(words)) = (error.kind(), words) {
        return format!("the template fails: there is no {words}");
    }
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("the template fails: {}{detail}", error.kind())
}

impl Scenario {
    /// The path of a text that seats read: in the language's section if it has one.
    pub fn path_of(&self, path: &str) -> String {
        let Some(language) = self.texts_of else { return path.to_string() };
        let path = path.strip_suffix(".brief.text").unwrap_or(path);
        format!("languages.{}.{path}", language.code())
    }

    /// The motion with its parameters filled in. A text that fails is reported and stays as written.
    pub fn fill_motion(&self, parameters: &IndexMap<String, Scalar>, config: &Node, problems: &mut Problems) -> Motion {
        let mut keep = |filled: Result<String, Problem>, text: &str| {
            problems
                .ok_or_report(filled.map_err(|problem| blame_parameter(problem, text, config)))
                .unwrap_or_else(|| text.to_owned())
        };
        let mut label = |alternative: &AlternativeConfig| {
            let path = format!("alternatives.{}.label", alternative.name);
            keep(self.printed_of(&alternative.label, &self.path_of(&path), parameters), &alternative.label)
        };
        let alternatives = self.written.alternatives.iter().map(|alternative| Alternative {
            name: AlternativeName::new(&alternative.name),
            label: label(alternative),
            status_quo: alternative.status_quo,
            takes_amount: alternative.takes_amount,
            said: alternative.said.as_deref().map(AlternativeName::new),
        });
        let alternatives = alternatives.collect();
        let text = &self.written.motion.text;
        let text = match text.is_empty() && self.tree.find("motion").is_none() {
            true => String::new(),
            false => keep(self.fill_text(text, "motion.text", parameters), text),
        };
        let unit = self.written.amount.as_ref().map(|amount| &amount.unit);
        let unit = unit.map(|unit| keep(self.printed_of(unit, "amount.unit", parameters), unit));
        Motion {
            text,
            alternatives,
            amount_max: self.written.amount.as_ref().map(|amount| amount.max),
            amount_min: self.written.amount.as_ref().map_or(1, |amount| amount.min),
            unit,
            language: Default::default(),
        }
    }

    /// A short text at a path with its parameters filled in. A text without template braces is returned unchanged.
    ///
    /// # Errors
    /// If it is not a valid template, or prints nothing.
    pub fn printed_of(&self, text: &str, path: &str, parameters: &IndexMap<String, Scalar>) -> Result<String, Problem> {
        match ["{{", "{%", "{#"].iter().any(|open| text.contains(open)) {
            false => Ok(text.to_owned()),
            true => self.fill_cached((text, path), parameters),
        }
    }

    /// A text with its parameters filled in.
    ///
    /// # Errors
    /// If it is not a valid template, or prints nothing.
    pub fn fill_text(&self, text: &str, path: &str, parameters: &IndexMap<String, Scalar>) -> Result<String, Problem> {
        self.fill_cached((text, &self.path_of(path)), parameters)
    }

    fn fill_cached(&self, at: (&str, &str), parameters: &IndexMap<String, Scalar>) -> Result<String, Problem> {
        self.texts.get_or_fill(at, parameters, || self.fill_template(at, parameters, &[]))
    }
}
