//! `context`: what a seat had before it when it answered.

use std::io;

use super::arguments::ContextArguments;
use super::exit::{Ending, Refusal};
use super::gone::note_sessions;
use super::say::{note, say, say_json};
use super::{locate, look, prompted};
use crate::config::did_you_mean;
use crate::domain::{Before, QuestionId, Record, SeatId, SeatName, Seq, Step};
use crate::engine::Deliberation;
use crate::plan::{OpenAiModel, Plan, Planned};
use crate::report::{
    Context, ContextUsage, CutShown, EntryShown, LineShown, MessageShown, OmittedShown, RewritingShown, StandingShown,
    visible,
};
use crate::service::{forms, windows};
use crate::session::{Entry, Glimpse, NoGlimpse, Omitted, Rewritten, Why, glimpse};
use crate::store::files::file_error;
use crate::store::fold::check_minutes;
use crate::store::inputs::Inputs;
use crate::store::needed::{self, NeededError, Trust};
use crate::store::results::ResultsFolder;

/// Answers of a seat that are told where none stands at the place named.
const ANSWERS_MAX: usize = 12;

/// Tells what a seat had before it when it answered.
///
/// # Errors
/// A [`Refusal`] when there is no such session, seat or answer, or the minutes do not hold together.
pub fn context(arguments: &ContextArguments) -> Result<Ending, Refusal> {
    let place = locate::session(&arguments.session)?;
    let folder = ResultsFolder::read(&place.experiment, Some(&place.name))?;
    let inputs = Inputs::read_results(&place.experiment)?;
    let resolved = inputs.resolve()?;
    let session = Planned::find(&resolved.experiment, &place.name)
        .ok_or_else(|| Refusal::wrong(format!("{}: not a session of its plan", place.name)))?;
    note_sessions(&folder, &inputs, &resolved.experiment)?;
    let minutes = folder.minutes(&place.name);
    let windows = windows::told(&minutes)?.unwrap_or_default();
    let forms = forms::told(&minutes)?.unwrap_or_default();
    let plan = &session.plan().within(&windows).phrased(&forms);
    let seats = || plan.seats.iter().map(|seat| seat.name.as_str());
    let seat = plan.seats.iter().find(|seat| seat.name.as_str() == arguments.seat).ok_or_else(|| {
        let there: Vec<&str> = seats().take(20).collect();
        let meant = did_you_mean(&arguments.seat, seats()).map_or(String::new(), |hint| format!("; {hint}"));
        Refusal::wrong(format!("no seat {:?} in this session; there are {}{meant}", arguments.seat, there.join(", ")))
    })?;
    let records = records(&folder, &place.name)?;
    // What it began with is in its own records; whether it is what came of the session before is for a replay to prove.
    let with_before = Before::of(&records).map(|before| plan.after(before));
    let plan = with_before.as_ref().unwrap_or(plan);
    let wanted = wanted(&records, &seat.name, arguments.at.as_deref())?;
    let seat = plan.seats.iter().position(|other| other.name == seat.name).unwrap_or_default();
    let (model, reader) = prompted::reader(plan, SeatId(seat as u32), records[wanted.0 as usize].at.step);
    let begun = begun(&folder, plan, session.replicate)?.within(windows).phrased(forms);
    let seen = glimpse(begun, &records, wanted, &model).map_err(|error| match error {
        NoGlimpse::Misfit(misfit) => Refusal::ends(Ending::Diverged, format!("{}: {misfit}", place.name)),
        other => Refusal::failed(format!("{}: {other}", place.name)),
    })?;
    let mut shown = shown(plan, &records, &seen, &model);
    (shown.session, shown.replicate, shown.simulated) =
        (place.name.clone(), session.replicate, reader == prompted::Reader::Nobody);
    if arguments.json {
        say_json(&shown)?
    } else {
        let columns = look::sheet(&io::stdout()).for_reading().columns;
        say(&(shown.text(columns) + &prompted::messages(&seen.wording)))?
    }
    Ok(Ending::Done)
}

/// A session with nothing minuted yet, and what it shows of another.
fn begun<'p>(folder: &ResultsFolder, plan: &'p Plan, replicate: u32) -> Result<Deliberation<'p>, Refusal> {
    let begun = Deliberation::convene(plan, replicate);
    let refused = |error: NeededError| {
        let ending = if error.is_divergence() { Ending::Diverged } else { Ending::Failed };
        Refusal::ends(ending, format!("{}: {error}", plan.session_name(replicate)))
    };
    let others = needed::others(folder, (plan, replicate), Trust::LastRecord);
    let (donor, target, first) = others.map_err(refused)?;
    let begun = donor.into_iter().fold(begun, Deliberation::borrowing);
    let begun = first.into_iter().fold(begun, Deliberation::beginning);
    Ok(target.into_iter().fold(begun, Deliberation::matched))
}

/// The records of a session as far as they are whole.
fn records(folder: &ResultsFolder, name: &str) -> Result<Vec<Record>, Refusal> {
    let file = folder.minutes(name);
    check_minutes(folder, name)?;
    let minutes = file.read_whole().map_err(|error| file_error(file.path(), &error))?;
    let whole = minutes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    if whole < minutes.len() {
        let bytes = minutes.len() - whole;
        note!("ekklesia: {}", visible(&format!("{name}: the last line is incomplete ({bytes} bytes) and is left out")));
    }
    let lines = minutes[..whole].split_inclusive(|byte| *byte == b'\n').zip(1..);
    lines
        .map(|(line, number): (&[u8], u64)| {
            let no_record = |error| Refusal::failed(format!("{}:{number}: {error}", file.display()));
            serde_json::from_slice(line).map_err(no_record)
        })
        .collect()
}

/// The answer that is meant: by its number, by phase, round and step, or the seat's last.
fn wanted(records: &[Record], seat: &SeatName, at: Option<&str>) -> Result<Seq, Refusal> {
    let own = |record: &&Record| record.seat.as_ref() == Some(seat);
    let answers = || records.iter().filter(own);
    let Some(at) = at else {
        let last = answers().next_back().map(|record| record.seq);
        return last.ok_or_else(|| Refusal::wrong(format!("{seat} has answered nothing yet in this session")));
    };
    if let Ok(seq) = at.parse::<u64>() {
        return match records.get(usize::try_from(seq).unwrap_or(usize::MAX)) {
            Some(record) if own(&record) => Ok(record.seq),
            Some(record) => Err(Refusal::wrong(format!(
                "record {seq} is no answer of {seat}: it is {}; {seat} answers in records {}",
                LineShown::of(record).summary(),
                nearest(answers(), seq)
            ))),
            None => Err(Refusal::wrong(format!("there is no record {seq}: the session has {} so far", records.len()))),
        };
    }
    let coordinate = |record: &Record| LineShown::of(record).coordinate;
    let found = answers().rfind(|record| coordinate(record) == at).map(|record| record.seq);
    found.ok_or_else(|| {
        let mut there: Vec<String> = answers().map(coordinate).collect();
        there.dedup();
        let meant =
            did_you_mean(at, there.iter().map(String::as_str)).map_or(String::new(), |hint| format!("; {hint}"));
        let some: Vec<&str> = there.iter().take(ANSWERS_MAX).map(String::as_str).collect();
        let more = if there.len() > some.len() { ", …" } else { "" };
        Refusal::wrong(format!(
            "{seat} answers nothing at {at:?}, which is no PHASE:ROUND:STEP of its answers: {}{more}{meant}",
            some.join(", ")
        ))
    })
}

/// The numbers of the answers nearest to a record.
fn nearest<'r>(answers: impl Iterator<Item = &'r Record>, seq: u64) -> String {
    let mut near: Vec<u64> = answers.map(|record| record.seq.0).collect();
    near.sort_by_key(|other| other.abs_diff(seq));
    near.truncate(ANSWERS_MAX / 2);
    near.sort_unstable();
    let near: Vec<String> = near.iter().map(u64::to_string).collect();
    near.join(", ")
}

fn shown(plan: &Plan, records: &[Record], seen: &Glimpse, model: &OpenAiModel) -> Context {
    let record = |seq: Seq| &records[seq.0 as usize];
    // What another group said has the words that were heard, not those in whose place they stand.
    let said = |seq: Seq, is_lent: bool| {
        let own = LineShown::of(record(seq));
        match seen.lent.get(&seq).filter(|_| is_lent) {
            Some(text) => LineShown { text: text.clone(), ..own },
            None => own,
        }
    };
    let entry = |entry: &Entry| EntryShown {
        record: said(entry.seq, seen.lent.contains_key(&entry.seq)),
        shown: entry.text.clone(),
        pinned: entry.is_pinned,
        history: entry.is_history,
        looked_up: entry.is_found,
        lent: seen.lent.contains_key(&entry.seq),
        cut: entry.cut.map(|(kept_chars, chars)| CutShown { kept_chars, chars }),
    };
    let omitted = |Omitted { seq, why, is_lent }: &Omitted| {
        let (why, by) = reason(*why);
        OmittedShown { record: said(*seq, *is_lent), why, by, lent: *is_lent }
    };
    let answer = record(seen.seq);
    let tries_before = answer.tries_before().unwrap_or_default();
    let is_rewritten = !matches!(answer.event, crate::domain::Event::Faulted { .. });
    let message =
        |message: &crate::prompt::Message| MessageShown { role: message.role.as_str(), content: message.content() };
    Context {
        session: String::new(),
        arm: plan.arm.clone(),
        replicate: 0,
        lender: seen.lender.clone(),
        answer: LineShown::of(answer),
        attempt: u32::from(tries_before) + 1,
        inquired: answer.event.given().is_some_and(|given| given.shown.inquired),
        question: QuestionId { attempt: 0, ..seen.question.clone() }.to_string(),
        model: model.name.clone(),
        simulated: false,
        usage: usage(plan, records, seen, model),
        standing: seen.standing.as_ref().map(|(extent, words)| StandingShown {
            extent: *extent,
            chars: crate::text::chars(words),
            words: words.clone(),
        }),
        shown: seen.entries.iter().map(entry).collect(),
        omitted: seen.omitted.iter().map(omitted).collect(),
        rewriting: seen.rewritten.as_ref().map(|Rewritten { before, after, rest }| RewritingShown {
            rewritten: is_rewritten,
            before: before.iter().map(entry).collect(),
            after: after.iter().map(entry).collect(),
            rest: rest.iter().map(entry).collect(),
        }),
        messages: seen.wording.messages.iter().map(message).collect(),
        schema: seen.wording.schema.clone(),
    }
}

/// A reason in a word, and the record that it names.
fn reason(why: Why) -> (&'static str, Option<u64>) {
    match why {
        Why::Policy => ("policy", None),
        Why::Routing => ("routing", None),
        Why::ShortBrief => ("short_brief", None),
        Why::Window => ("window", None),
        Why::HistoryLimit => ("history_limit", None),
        Why::MemoryLimit => ("memory_limit", None),
        Why::Replaced(by) => ("replaced", Some(by.0)),
        Why::Stays => ("stays", None),
        Why::Forgotten(by) => ("forgotten", Some(by.0)),
        Why::Unremembered => ("unremembered", None),
        Why::Lent => ("lent", None),
    }
}

fn usage(plan: &Plan, records: &[Record], seen: &Glimpse, model: &OpenAiModel) -> ContextUsage {
    let numbers = |records: &[Seq]| records.iter().map(|seq| seq.0).collect();
    let seat = plan.seats.iter().find(|seat| seat.name == seen.question.seat);
    let memory = seat.map_or(&plan.memory, |seat| &seat.memory);
    let terms = memory.policy.terms();
    let (policy, is_limited) = (terms.word, terms.is_limited());
    let threshold_ppm = terms.rewrites.and_then(|rewrites| rewrites.threshold_ppm(memory.compression_threshold_ppm));
    let given = records[seen.seq.0 as usize].event.given();
    // Where its model could not take more, the memory holds less than the plan allows.
    let limit = is_limited.then_some(memory.memory_character_limit).into_iter().chain(seen.allowance).min();
    ContextUsage {
        prompt_tokens_at_most: seen.wording.tokens_at_most(),
        counted_by: model.tokenizer.map(|tokenizer| tokenizer.as_str().to_owned()),
        prompt_tokens: given.and_then(|given| given.usage).map(|usage| usage.prompt_tokens),
        reply_tokens: u64::from(seen.wording.reply_tokens_max),
        window_tokens: model.context_window.map(u64::from),
        usable_tokens: model.usable_window(),
        policy: policy.to_owned(),
        memory_entries: u64::from(seen.memory.entries),
        memory_chars: seen.memory.chars,
        memory_limit_chars: limit,
        compressed_above_chars: threshold_ppm.map(|ppm| {
            let share = u128::from(limit.unwrap_or(u64::MAX)) * u128::from(ppm);
            u64::try_from(share / 1_000_000).unwrap_or(u64::MAX)
        }),
        history_remarks: seen.history.0,
        history_chars: seen.history.1,
        history_limit_chars: is_limited.then_some(memory.public_history_max_length),
        integrations: numbers(&seen.rewritings.0),
        compressions: numbers(&seen.rewritings.1),
        refused_as_too_long: numbers(&seen.refusals.0),
        estimated_too_long: numbers(&seen.refusals.1),
        shown_at_most_chars: match seen.question.at.step {
            Step::Compression => seen.allowance_to_write,
            _ => seen.allowance,
        },
        records_before: seen.seq.0,
        records: records.len() as u64,
    }
}
