//! `context`: shows what a seat saw when it answered.

use std::io;

use super::arguments::ContextArguments;
use super::exit::{Ending, Refusal, refuse_needed, similar_name_hint};
use super::missing_sessions::note_sessions;
use super::other_format::refuse_other_format;
use super::output::{print_result, print_warning};
use super::{locate, output_style, prompt_preview};
use crate::domain::{Before, QuestionId, Record, SeatId, SeatName, Seq, Step};
use crate::engine::Deliberation;
use crate::plan::{OpenAiModel, Plan, PlannedSession};
use crate::report::{
    Context, ContextUsage, CutShown, EntryShown, LineShown, MessageShown, OmittedShown, RewritingShown, StandingShown,
};
use crate::service::{forms, windows};
use crate::session::{MemoryRewrite, Omission, OmissionReason, SeatView, SeatViewError, ShownEntry, build_seat_view};
use crate::store::fold::check_minutes;
use crate::store::inputs::Inputs;
use crate::store::needed::{self, NeededError, Trust};
use crate::store::results::ResultsFolder;

/// The most answers to list if none is at the requested place.
const ANSWERS_MAX: usize = 12;

/// Prints the context of a seat's answer.
///
/// # Errors
/// A [`Refusal`] when the session, seat or answer does not exist, or the minutes are inconsistent.
pub fn run_context(arguments: &ContextArguments) -> Result<Ending, Refusal> {
    let place = locate::find_session(&arguments.session)?;
    let folder = ResultsFolder::open_for_reading(&place.experiment, Some(&place.name))?;
    refuse_other_format(&folder, Some(&place.name), "show what its seats saw with that one")?;
    let inputs = Inputs::read_results(&place.experiment)?;
    let resolved = inputs.resolve()?;
    let session = PlannedSession::find_by_name(&resolved.experiment, &place.name)
        .ok_or_else(|| Refusal::wrong_input(format!("{}: not a session of its plan", place.name)))?;
    note_sessions(&folder, &inputs, &resolved.experiment)?;
    let minutes = folder.minutes(&place.name);
    let windows = windows::read_minuted_windows(&minutes)?.unwrap_or_default();
    let forms = forms::read_minuted_forms(&minutes)?.unwrap_or_default();
    let plan = &session.plan().with_learnt_windows(&windows).with_learnt_forms(&forms);
    let seats = || plan.seats.iter().map(|seat| seat.name.as_str());
    let seat = plan.seats.iter().find(|seat| seat.name.as_str() == arguments.seat).ok_or_else(|| {
        let there: Vec<&str> = seats().take(20).collect();
        let meant = similar_name_hint(&arguments.seat, seats());
        Refusal::wrong_input(format!(
            "no seat {:?} in this session; there are {}{meant}",
            arguments.seat,
            there.join(", ")
        ))
    })?;
    let records = read_records(&folder, &place.name)?;
    // Take the previous session's outcome from this session's records. Only `replay` checks it against that session.
    let with_before = Before::of(&records).map(|before| plan.with_previous_outcome(before));
    let plan = with_before.as_ref().unwrap_or(plan);
    let wanted = find_answer(&records, &seat.name, arguments.at.as_deref())?;
    let seat = plan.seats.iter().position(|other| other.name == seat.name).unwrap_or_default();
    let (model, reader) = prompt_preview::reader_at_step(plan, SeatId(seat as u32), records[wanted.0 as usize].at.step);
    let begun = convene_deliberation(&folder, plan, session.replicate)
        .map_err(|error| refuse_needed(&place.name, &error))?
        .within(windows)
        .phrased(forms);
    let seen = build_seat_view(begun, &records, wanted, &model).map_err(|error| match error {
        SeatViewError::Misfit(misfit) => Refusal::with_ending(Ending::Diverged, format!("{}: {misfit}", place.name)),
        other => Refusal::machine_failure(format!("{}: {other}", place.name)),
    })?;
    let mut shown = build_context(plan, &records, &seen, &model);
    (shown.session, shown.replicate, shown.simulated) =
        (place.name.clone(), session.replicate, reader == prompt_preview::PromptReader::Nobody);
    print_result(arguments.json.then_some(&shown), || {
        let columns = output_style::stream_sheet(&io::stdout()).for_reading().columns;
        shown.text(columns) + &prompt_preview::render_messages(&seen.wording)
    })?;
    Ok(Ending::Done)
}

/// A deliberation before its first record, with the inputs it takes from other sessions.
pub(super) fn convene_deliberation<'p>(
    folder: &ResultsFolder,
    plan: &'p Plan,
    replicate: u32,
) -> Result<Deliberation<'p>, NeededError> {
    let begun = Deliberation::convene(plan, replicate);
    let (donor, target, first) = needed::read_needed_inputs(folder, (plan, replicate), Trust::LastRecord)?;
    let begun = donor.into_iter().fold(begun, Deliberation::borrowing);
    let begun = first.into_iter().fold(begun, Deliberation::beginning);
    Ok(target.into_iter().fold(begun, Deliberation::matched))
}

/// Reads the complete records of a session. Leaves out a last line that was cut off.
pub(super) fn read_records(folder: &ResultsFolder, name: &str) -> Result<Vec<Record>, Refusal> {
    let file = folder.minutes(name);
    check_minutes(folder, name)?;
    let minutes = file.load()?;
    let whole = minutes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    if whole < minutes.len() {
        let bytes = minutes.len() - whole;
        print_warning(&format!("{name}: the last line is incomplete ({bytes} bytes) and is left out"));
    }
    let lines = minutes[..whole].split_inclusive(|byte| *byte == b'\n').zip(1..);
    lines
        .map(|(line, number): (&[u8], u64)| {
            let no_record = |error| Refusal::machine_failure(format!("{}:{number}: {error}", file.display()));
            serde_json::from_slice(line).map_err(no_record)
        })
        .collect()
}

/// Finds an answer by record number or by PHASE:ROUND:STEP, of which the end may be left out; by default the seat's last.
fn find_answer(records: &[Record], seat: &SeatName, at: Option<&str>) -> Result<Seq, Refusal> {
    let own = |record: &&Record| record.seat.as_ref() == Some(seat);
    let answers = || records.iter().filter(own);
    let Some(at) = at else {
        let last = answers().next_back().map(|record| record.seq);
        return last.ok_or_else(|| Refusal::wrong_input(format!("{seat} has answered nothing yet in this session")));
    };
    if let Ok(seq) = at.parse::<u64>() {
        return match records.get(usize::try_from(seq).unwrap_or(usize::MAX)) {
            Some(record) if own(&record) => Ok(record.seq),
            Some(record) => Err(Refusal::wrong_input(format!(
                "record {seq} is no answer of {seat}: it is {}; {seat} answers in records {}",
                LineShown::of(record).summary(),
                nearest_answers(answers(), seq)
            ))),
            None => {
                Err(Refusal::wrong_input(format!("there is no record {seq}: the session has {} so far", records.len())))
            }
        };
    }
    let coordinate = |record: &Record| LineShown::of(record).coordinate;
    let is_there =
        |written: &str| written.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    // A name without a pass is that of the phase in every pass.
    let is_asked_for = |record: &&Record| {
        let (phase, whole) = (&record.at.phase, coordinate(record));
        let rest = whole.strip_prefix(phase.as_str()).unwrap_or_default();
        is_there(&whole) || [phase.occurrence(), phase.written()].iter().any(|name| is_there(&format!("{name}{rest}")))
    };
    let found = answers().rfind(is_asked_for).map(|record| record.seq);
    found.ok_or_else(|| {
        let mut there: Vec<String> = answers().map(coordinate).collect();
        there.dedup();
        let meant = similar_name_hint(at, there.iter().map(String::as_str));
        let some: Vec<&str> = there.iter().take(ANSWERS_MAX).map(String::as_str).collect();
        let more = if there.len() > some.len() { ", …" } else { "" };
        Refusal::wrong_input(format!(
            "{seat} answers nothing at {at:?}, which is no PHASE:ROUND:STEP of its answers: {}{more}{meant}",
            some.join(", ")
        ))
    })
}

/// The numbers of the answers nearest to a record, in order.
fn nearest_answers<'r>(answers: impl Iterator<Item = &'r Record>, seq: u64) -> String {
    let mut near: Vec<u64> = answers.map(|record| record.seq.0).collect();
    near.sort_by_key(|other| other.abs_diff(seq));
    near.truncate(ANSWERS_MAX / 2);
    near.sort_unstable();
    let near: Vec<String> = near.iter().map(u64::to_string).collect();
    near.join(", ")
}

fn build_context(plan: &Plan, records: &[Record], seen: &SeatView, model: &OpenAiModel) -> Context {
    let record = |seq: Seq| &records[seq.0 as usize];
    // For borrowed statements, show the words that the group heard instead of its own.
    let said = |seq: Seq, is_lent: bool| {
        let own = LineShown::of(record(seq));
        match seen.lent.get(&seq).filter(|_| is_lent) {
            Some(text) => LineShown { text: text.clone(), ..own },
            None => own,
        }
    };
    let entry = |entry: &ShownEntry| EntryShown {
        record: said(entry.seq, seen.lent.contains_key(&entry.seq)),
        shown: entry.text.clone(),
        pinned: entry.is_pinned,
        history: entry.is_history,
        looked_up: entry.is_found,
        lent: seen.lent.contains_key(&entry.seq),
        cut: entry.cut.map(|(kept_chars, chars)| CutShown { kept_chars, chars }),
    };
    let omitted = |Omission { seq, why, is_lent }: &Omission| {
        let (why, by) = omission_reason(*why);
        OmittedShown { record: said(*seq, *is_lent), why, by, lent: *is_lent }
    };
    let answer = record(seen.seq);
    let tries_before = answer.tries_before().unwrap_or_default();
    let is_rewritten = !answer.event.is_faulted();
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
        usage: context_usage(plan, records, seen, model),
        standing: seen.standing.as_ref().map(|(extent, words)| StandingShown {
            extent: *extent,
            chars: crate::text::char_count(words),
            words: words.clone(),
        }),
        shown: seen.entries.iter().map(entry).collect(),
        omitted: seen.omitted.iter().map(omitted).collect(),
        rewriting: seen.rewritten.as_ref().map(|MemoryRewrite { before, after, rest }| RewritingShown {
            rewritten: is_rewritten,
            before: before.iter().map(entry).collect(),
            after: after.iter().map(entry).collect(),
            rest: rest.iter().map(entry).collect(),
        }),
        messages: seen.wording.messages.iter().map(message).collect(),
        schema: seen.wording.schema.clone(),
    }
}

/// The reason as a word, and the record that caused it.
fn omission_reason(why: OmissionReason) -> (&'static str, Option<u64>) {
    match why {
        OmissionReason::Policy => ("policy", None),
        OmissionReason::Routing => ("routing", None),
        OmissionReason::ShortBrief => ("short_brief", None),
        OmissionReason::Window => ("window", None),
        OmissionReason::HistoryLimit => ("history_limit", None),
        OmissionReason::MemoryLimit => ("memory_limit", None),
        OmissionReason::Replaced(by) => ("replaced", Some(by.0)),
        OmissionReason::Stays => ("stays", None),
        OmissionReason::Forgotten(by) => ("forgotten", Some(by.0)),
        OmissionReason::Unremembered => ("unremembered", None),
        OmissionReason::Lent => ("lent", None),
    }
}

fn context_usage(plan: &Plan, records: &[Record], seen: &SeatView, model: &OpenAiModel) -> ContextUsage {
    let numbers = |records: &[Seq]| records.iter().map(|seq| seq.0).collect();
    let seat = plan.seats.iter().find(|seat| seat.name == seen.question.seat);
    let memory = seat.map_or(&plan.memory, |seat| &seat.memory);
    let terms = memory.policy.terms();
    let (policy, is_limited) = (terms.word, terms.is_limited());
    let threshold_ppm = terms.rewrites.and_then(|rewrites| rewrites.threshold_ppm(memory.compression_threshold_ppm));
    let given = records[seen.seq.0 as usize].event.given();
    // If the model's window is too small, the memory holds less than the plan allows.
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
