//! `search`: finds what was said.

use super::arguments::SearchArguments;
use super::exit::{Ending, Refusal};
use super::gone::gone;
use super::say::{say, say_json};
use super::{export, locate, look};
use crate::adapters::archive::{Archive, Around};
use crate::adapters::inputs::Inputs;
use crate::adapters::results::ResultsFolder;
use crate::plan::did_you_mean;
use crate::report::{Finding, Findings, LineShown, WordFound, visible};
use crate::search::{Index, Question, Ranked, Sieve};

/// Words that are told near one that no record holds.
const NEAR_MAX: usize = 3;
/// Names that are told where one is wrong.
const NAMES_MAX: usize = 20;

/// Finds what was said.
///
/// # Errors
/// A [`Refusal`] when there is nothing to search, the query holds no word, or a filter names what is not there.
pub fn search(arguments: &SearchArguments) -> Result<Ending, Refusal> {
    let question = Question::read(&arguments.query).map_err(|error| Refusal::wrong(error.to_string()))?;
    let (root, session) = locate::experiment(&arguments.path)?;
    let folder = ResultsFolder::read(&root, None)?;
    let mut archive = Archive::open(&folder)?;
    if session.is_none() {
        archive.notes.extend(not_there(&folder));
    }
    let sieve = sieve(arguments, archive.index(), session)?;
    let (ranked, found) = archive.find(&question, &sieve, (arguments.top as usize, arguments.context as usize))?;
    let findings = findings(arguments, &question, &archive, ranked, found);
    if arguments.json {
        say_json(&findings)?;
    } else {
        findings.notes.iter().for_each(|note| eprintln!("ekklesia: {}", visible(note)));
        say(&findings.text(look::sheet(&std::io::stdout()).for_reading()))?;
    }
    Ok(Ending::Done)
}

/// That sessions of the plan have no folder to be searched; `None` where none is missing, a run is still at work on them, or the plan
/// cannot be read.
fn not_there(folder: &ResultsFolder) -> Option<String> {
    let inputs = Inputs::read_results(folder.root()).ok().filter(|_| !folder.is_written_to())?;
    let planned = export::planned(folder, &inputs, &inputs.resolve().ok()?.experiment).ok()?;
    gone(folder, &planned).map(|gone| format!("not searched: {gone}"))
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
    archive: &Archive<'_>,
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
                let line = LineShown::of(&around.record);
                let lines = |records: &[_]| records.iter().map(LineShown::of).collect();
                Finding {
                    rank,
                    score: hit.score as f64 / 1e6,
                    matches: question.matches(&line.text).into_iter().map(|place| (place.start, place.end)).collect(),
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
