//! `search`: finds what was said and shown.

use std::sync::atomic::AtomicBool;

use super::arguments::SearchArguments;
use super::exit::{Ending, Refusal};
use super::gone::{extra, gone};
use super::planned::list_planned;
use super::say::{note, say, say_json};
use super::{locate, look, pool};
use crate::analysis::search::{Index, Question, Ranked, ShownTexts, Sieve};
use crate::config::did_you_mean;
use crate::plan::Experiment;
use crate::report::{Finding, Findings, LineShown, WordFound, and_others, visible};
use crate::store::archive::{Archive, Around};
use crate::store::fold::{FoldError, check_minutes};
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// Words that are told near one that no record holds.
const NEAR_MAX: usize = 3;
/// Names that are told where one is wrong.
const NAMES_MAX: usize = 20;

/// Finds what was said.
///
/// # Errors
/// A [`Refusal`] when there is nothing to search, minutes were changed, the query holds no word, or a filter names what is not there.
pub fn search(arguments: &SearchArguments) -> Result<Ending, Refusal> {
    let question = Question::read(&arguments.query).map_err(|error| Refusal::wrong(error.to_string()))?;
    let (root, session) = locate::experiment(&arguments.path)?;
    let folder = ResultsFolder::read(&root, None)?;
    check_records(&folder, session.as_deref())?;
    let inputs = Inputs::read_results(folder.root()).and_then(|inputs| Ok((inputs.resolve()?, inputs)));
    let texts = match &inputs {
        Ok((resolved, inputs)) => inputs.shown_texts(&resolved.experiment),
        Err(_) => ShownTexts::default(),
    };
    let mut archive = Archive::open(&folder, &texts)?;
    match &inputs {
        Ok((resolved, inputs)) if session.is_none() => {
            archive.notes.extend(missing_and_extra(&folder, inputs, &resolved.experiment)?);
        }
        Ok(_) => {}
        Err(problems) => archive.notes.extend(
            problems
                .iter()
                .next()
                .map(|problem| format!("not searched: exhibits and items, since the inputs cannot be read: {problem}")),
        ),
    }
    let sieve = sieve(arguments, archive.index(), session)?;
    let (ranked, found) = archive.find(&question, &sieve, (arguments.top as usize, arguments.context as usize))?;
    let findings = findings(arguments, &question, (&archive, &texts), ranked, found);
    if arguments.json {
        say_json(&findings)?;
    } else {
        findings.notes.iter().for_each(|note| note!("ekklesia: {}", visible(note)));
        say(&findings.text(look::sheet(&std::io::stdout()).for_reading()))?;
    }
    Ok(Ending::Done)
}

/// Sessions of the plan that have no folder to be searched, unless a run is still at work on them, and folders that are searched and not
/// in the plan.
fn missing_and_extra(folder: &ResultsFolder, inputs: &Inputs, experiment: &Experiment) -> Result<Vec<String>, Refusal> {
    let planned = list_planned(folder, inputs, experiment)?;
    let missing = if folder.is_written_to() { None } else { gone(folder, &planned)? };
    let missing = missing.map(|missing| format!("not searched: {missing}"));
    let extra = extra(folder, experiment)?.map(|extra| format!("searched although not in the plan: {extra}"));
    Ok(missing.into_iter().chain(extra).collect())
}

/// Checks that the minutes to be searched are what their sessions wrote.
fn check_records(folder: &ResultsFolder, session: Option<&str>) -> Result<(), Refusal> {
    let names = match session {
        Some(name) => vec![name.to_owned()],
        None => folder.session_names()?,
    };
    let names: Vec<String> = names.into_iter().filter(|name| folder.minutes(name).exists()).collect();
    let mut changed: Vec<(usize, FoldError)> = Vec::new();
    let check = |name: &String| check_minutes(folder, name).err();
    let done = |place, error: Option<FoldError>| changed.extend(error.map(|error| (place, error)));
    pool::each(&names, pool::cores(), &AtomicBool::new(false), check, done, || ());
    changed.sort_by_key(|(place, _)| *place);
    let others = changed.len().saturating_sub(1);
    match changed.into_iter().next() {
        None => Ok(()),
        Some((_, error)) => {
            let refusal = Refusal::from(error);
            Err(Refusal { message: format!("{}{}", refusal.message, and_others(others)), ..refusal })
        }
    }
}

/// The filters, each of which must name something that is there.
fn sieve(arguments: &SearchArguments, index: &Index, session: Option<String>) -> Result<Sieve, Refusal> {
    let known = |what: &str, name: &Option<String>, names: &[String]| match name {
        Some(name) if !names.contains(name) => {
            let there: Vec<&str> = names.iter().take(NAMES_MAX).map(String::as_str).collect();
            let more = if names.len() > there.len() { ", …" } else { "" };
            let meant =
                did_you_mean(name, names.iter().map(String::as_str)).map_or(String::new(), |hint| format!("; {hint}"));
            Err(Refusal::wrong(format!(
                "no {what} {name:?} said anything; there are {}{more}{meant}",
                there.join(", ")
            )))
        }
        _ => Ok(()),
    };
    let mut arms: Vec<String> = index.sessions.iter().map(|session| session.arm.clone()).collect();
    arms.sort();
    arms.dedup();
    known("seat", &arguments.seat, &index.seats)?;
    known("phase", &arguments.phase, &index.phases)?;
    known("arm", &arguments.arm, &arms)?;
    let mut items: Vec<String> = index.sessions.iter().filter_map(|s| s.item()).map(str::to_owned).collect();
    items.sort();
    items.dedup();
    match &arguments.item {
        Some(item) if items.is_empty() => {
            return Err(Refusal::wrong(format!("--item {item}: the experiment has no items; leave --item out")));
        }
        item => known("item", item, &items)?,
    }
    if let Some(name) = &session
        && !index.sessions.iter().any(|indexed| indexed.name == *name)
    {
        return Err(Refusal::wrong(format!("{name}: it has no minutes to search")));
    }
    Ok(Sieve {
        session,
        arm: arguments.arm.clone(),
        item: arguments.item.clone(),
        seat: arguments.seat.clone(),
        phase: arguments.phase.clone(),
        rounds: arguments.round.clone(),
        kind: arguments.kind.clone(),
        last: arguments.last,
    })
}

fn findings(
    arguments: &SearchArguments,
    question: &Question,
    (archive, texts): (&Archive<'_>, &ShownTexts),
    ranked: Ranked,
    found: Vec<Around>,
) -> Findings {
    let words = question.words.iter().zip(&ranked.records_with);
    let near = |word: &str| archive.index().near(word, NEAR_MAX).unwrap_or_default();
    let hits = ranked.hits.iter().zip(found).zip(1..);
    Findings {
        query: arguments.query.clone(),
        words: words
            .map(|(word, records)| WordFound {
                word: word.clone(),
                records: *records,
                near: if *records == 0 { near(word) } else { Vec::new() },
            })
            .collect(),
        searched: ranked.searched,
        sessions: ranked.sessions,
        found: ranked.found,
        found_without_filters: ranked.found_anywhere,
        hits: hits
            .map(|((hit, around), rank)| {
                let shown = texts.find(&around.record, &around.session);
                let line = match shown {
                    Some(shown) => LineShown::with_text(&around.record, shown),
                    None => LineShown::of(&around.record),
                };
                let matches = question.matches(&line.text);
                let first = matches.first().map_or(0, |place| place.start);
                let lines = |records: &[_]| records.iter().map(LineShown::of).collect();
                Finding {
                    rank,
                    score: hit.score as f64 / 1e6,
                    place: shown.map(|shown| shown.place(first)),
                    matches: matches.into_iter().map(|place| (place.start, place.end)).collect(),
                    before: lines(&around.before),
                    after: lines(&around.after),
                    session: around.session,
                    arm: around.arm,
                    record: line,
                }
            })
            .collect(),
        notes: archive.notes.clone(),
    }
}
