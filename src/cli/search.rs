//! `search`: searches the records and the texts that seats were shown.

use indexmap::IndexSet;

use super::arguments::SearchArguments;
use super::exit::{Ending, Refusal, similar_name_hint};
use super::missing_sessions::{describe_extra_sessions, describe_missing_sessions};
use super::other_format::refuse_other_format;
use super::output::{print_json, print_text, print_warning};
use super::planned::list_planned;
use super::{locate, output_style, pool};
use crate::analysis::search::{SearchHits, SearchIndex, SearchQuestion, ShownTexts, Sieve};
use crate::plan::Experiment;
use crate::report::{Finding, Findings, LineShown, WordFound, and_others};
use crate::store::archive::{Archive, RecordContext};
use crate::store::fold::{FoldError, check_minutes};
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// The most similar words to suggest for a word without hits.
const NEAR_MAX: usize = 3;
/// The most names to list after an unknown one.
const NAMES_MAX: usize = 20;

/// Searches and prints the hits.
///
/// # Errors
/// A [`Refusal`] when there is nothing to search, minutes were changed, the query holds no word, or a filter matches nothing.
pub fn run_search(arguments: &SearchArguments) -> Result<Ending, Refusal> {
    let question = SearchQuestion::parse(&arguments.query).map_err(Refusal::wrong_input)?;
    let (root, session) = locate::find_experiment(&arguments.path)?;
    let folder = ResultsFolder::open_for_reading(&root, None)?;
    refuse_other_format(&folder, session.as_deref(), "search with that one")?;
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
    let sieve = build_sieve(arguments, &archive.index, session)?;
    let (ranked, found) =
        archive.find_records(&question, &sieve, (arguments.top as usize, arguments.context as usize))?;
    let findings = build_findings(arguments, &question, (&archive, &texts), ranked, found);
    if arguments.json {
        print_json(&findings)?;
    } else {
        findings.notes.iter().for_each(|note| print_warning(note));
        print_text(&findings.text(output_style::stream_sheet(&std::io::stdout()).for_reading()))?;
    }
    Ok(Ending::Done)
}

/// Notes on planned sessions without a folder and on folders outside the plan. While a run is writing, no session counts as
/// missing.
fn missing_and_extra(folder: &ResultsFolder, inputs: &Inputs, experiment: &Experiment) -> Result<Vec<String>, Refusal> {
    let planned = list_planned(folder, inputs, experiment)?;
    let missing = if folder.is_written_to() { None } else { describe_missing_sessions(folder, &planned)? };
    let missing = missing.map(|missing| format!("not searched: {missing}"));
    let extra =
        describe_extra_sessions(folder, experiment)?.map(|extra| format!("searched although not in the plan: {extra}"));
    Ok(missing.into_iter().chain(extra).collect())
}

/// Checks that no minutes to be searched were changed.
fn check_records(folder: &ResultsFolder, session: Option<&str>) -> Result<(), Refusal> {
    let names = match session {
        Some(name) => vec![name.to_owned()],
        None => folder.session_names()?,
    };
    let names: Vec<String> = names.into_iter().filter(|name| folder.minutes(name).exists()).collect();
    let checks = pool::map_items(&names, pool::core_count(), |name| check_minutes(folder, name).err());
    let changed: Vec<FoldError> = checks.into_iter().flatten().collect();
    let others = changed.len().saturating_sub(1);
    match changed.into_iter().next() {
        None => Ok(()),
        Some(error) => {
            let refusal = Refusal::from(error);
            Err(Refusal { message: format!("{}{}", refusal.message, and_others(others)), ..refusal })
        }
    }
}

/// The filters. Each must name something that exists.
fn build_sieve(arguments: &SearchArguments, index: &SearchIndex, session: Option<String>) -> Result<Sieve, Refusal> {
    let known = |what: &str, name: &Option<String>, names: &IndexSet<String>| match name {
        Some(name) if !names.contains(name) => {
            let there: Vec<&str> = names.iter().take(NAMES_MAX).map(String::as_str).collect();
            let more = if names.len() > there.len() { ", …" } else { "" };
            let meant = similar_name_hint(name, names.iter().map(String::as_str));
            Err(Refusal::wrong_input(format!(
                "no {what} {name:?} said anything; there are {}{more}{meant}",
                there.join(", ")
            )))
        }
        _ => Ok(()),
    };
    let mut arms: IndexSet<String> = index.sessions.iter().map(|session| session.arm.clone()).collect();
    arms.sort();
    known("seat", &arguments.seat, &index.seats)?;
    known("phase", &arguments.phase, &index.phases)?;
    known("arm", &arguments.arm, &arms)?;
    let mut items: IndexSet<String> = index.sessions.iter().filter_map(|s| s.item()).map(str::to_owned).collect();
    items.sort();
    match &arguments.item {
        Some(item) if items.is_empty() => {
            return Err(Refusal::wrong_input(format!("--item {item}: the experiment has no items; leave --item out")));
        }
        item => known("item", item, &items)?,
    }
    if let Some(name) = &session
        && !index.sessions.iter().any(|indexed| indexed.name == *name)
    {
        return Err(Refusal::wrong_input(format!("{name}: it has no minutes to search")));
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

fn build_findings(
    arguments: &SearchArguments,
    question: &SearchQuestion,
    (archive, texts): (&Archive, &ShownTexts),
    ranked: SearchHits,
    found: Vec<RecordContext>,
) -> Findings {
    let words = question.words.iter().zip(&ranked.records_with);
    let near = |word: &str| archive.index.near_words(word, NEAR_MAX);
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
                let shown = texts.find_text(&around.record, &around.session);
                let line = match shown {
                    Some(shown) => LineShown::with_text(&around.record, shown),
                    None => LineShown::of(&around.record),
                };
                let matches = question.find_matches(&line.text);
                let first = matches.first().map_or(0, |place| place.start);
                let lines = |records: &[_]| records.iter().map(LineShown::of).collect();
                Finding {
                    rank,
                    score: hit.score as f64 / 1e6,
                    place: shown.map(|shown| shown.locate_byte(first)),
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
