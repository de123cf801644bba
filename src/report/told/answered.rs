//! The answers of seats, in words.

use super::phrases::{consequence_words, spell_out};
use super::plan_words::PlanWords;
use super::telling::{RecordAudience, RecordForm, RecordWording};
use crate::domain::{
    AlternativeName, Fault, Faulted, FieldValue, Inquired, Inquiry, Language, Marked, NamedChoice, NamedValues,
    NoteTaken, OpenBallots, Opinion, Record, Reply, Step,
};
use crate::report::numbers::grouped;
use crate::report::quoted;

/// Who may know a private answer later: only its own seat, or nobody. All texts take this label from here.
fn later_audience(record: &Record) -> RecordAudience {
    let is_kept = match record.at.step {
        _ if record.event.is_inquired() => true,
        // A seat remembers that its ballot did not count.
        step if record.event.is_faulted() => {
            record.final_fault().is_some() && matches!(step, Step::Ballot | Step::Amount)
        }
        step => match step {
            Step::Reasoning
            | Step::Ballot
            | Step::Amount
            | Step::Ranking
            | Step::Comprehension
            | Step::Application
            | Step::Integration
            | Step::Compression
            | Step::Notes => record.reply().is_some(),
            _ => record.is_own_answer(),
        },
    };
    if is_kept { RecordAudience::Itself } else { RecordAudience::Nobody }
}

/// Words an answer. `floor` is the audience of statements.
pub(super) fn word_answer(record: &Record, floor: RecordAudience, plan: &PlanWords) -> RecordWording {
    let raw = record.event.raw();
    if let Some(Inquired { inquiry, found, .. }) = record.event.inquired() {
        let found: Vec<String> = found.iter().map(|seq| format!("record {}", seq.0)).collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        return match inquiry {
            Inquiry::LookUp(words) => alone(record, format!("looks up, and finds {found}"), words),
            Inquiry::Page(name) => alone(record, format!("asks for a page, and finds {found}"), name),
        };
    }
    match record.event.faulted() {
        Some(Faulted { fault, field, then, .. }) => {
            let attempt = u32::from(record.tries_before().unwrap_or(0)) + 1;
            let step = record.at.step;
            let field = field.as_ref().map_or(String::new(), |field| format!("{field} "));
            let what = format!("{}, try {attempt}: {field}{}", spell_out(step.as_str()), spell_out(fault.as_str()));
            let told = RecordWording::new(RecordForm::Fault, later_audience(record), what).saying(raw);
            told.noting([consequence_words(*then, step).to_owned()]).noting(unput_note(*fault, raw))
        }
        _ => match record.reply() {
            Some(reply) => word_reply(record, reply, floor, plan),
            None => alone(record, "stands in a record of a kind that no seat answers", ""),
        },
    }
}

/// Words an answer that no other seat hears.
fn alone(record: &Record, what: impl Into<String>, words: &str) -> RecordWording {
    RecordWording::new(RecordForm::Aside, later_audience(record), what).saying(words)
}

/// Words a valid answer.
fn word_reply(
    record: &Record,
    reply: Reply<AlternativeName>,
    floor: RecordAudience,
    plan: &PlanWords,
) -> RecordWording {
    let (step, raw) = (record.at.step, record.event.raw());
    let choice = |choice: &NamedChoice| quoted(&plan.word_named_choice(choice));
    let shown = || order_shown(record.event.options(), plan);
    // Of a ballot with reasons these are its words, as of a choice in a practice round.
    let ballot = |what: String| {
        let reason = record.ballot_reasoning();
        let open = plan.open_ballots(&record.at.phase);
        let private = reason.filter(|_| open != OpenBallots::Never).map(|_| "nobody hears its reason".to_owned());
        alone(record, what, reason.unwrap_or(raw)).heard_as_ballot(open).noting(private)
    };
    match reply {
        Reply::Statement { text, stance, opinion } => {
            let favours = |stance: NamedChoice| format!("favours {}", choice(&stance));
            let what = stance.map_or("declares no favourite".to_owned(), favours);
            let marks = record.event.marks().iter().map(mark_words);
            RecordWording::new(RecordForm::Speech, floor, what)
                .saying(&text)
                .noting(opinion.map(opinion_words).into_iter().chain(marks))
        }
        Reply::Pass => RecordWording::new(RecordForm::Speech, floor, "passes"),
        Reply::Note(text) => {
            let what = match step {
                Step::Integration => "rewrites its memory, given what happened",
                Step::Compression => "makes its memory shorter",
                _ => "thinks",
            };
            alone(record, what, &text)
        }
        Reply::Choice(_) | Reply::Opined(..) if step == Step::StrawPoll => {
            let (chosen, opinion) = reply.choice().expect("invariant: it is a choice");
            let told = alone(record, format!("chooses {} in the straw poll", choice(chosen)), raw);
            told.noting(opinion.map(opinion_words).into_iter().chain([shown()]))
        }
        Reply::Choice(chosen) | Reply::Opined(chosen, _) => {
            ballot(format!("votes for {}", choice(&chosen))).noting([shown()])
        }
        Reply::Ballot(cast) => {
            let words = cast.map(|name| plan.word_option(name)).told(Language::En);
            ballot(format!("votes {words}")).noting([shown()])
        }
        Reply::Abstention => ballot("abstains".to_owned()).noting([shown()]),
        Reply::Reasoned { ballot, .. } => word_reply(record, *ballot, floor, plan),
        Reply::Amount(amount) => {
            let told = alone(record, format!("names the amount {}", grouped(u64::from(amount))), raw);
            told.heard_as_ballot(plan.open_ballots(&record.at.phase))
        }
        Reply::Ranking { order, certainty } => {
            let order: Vec<String> = order.iter().map(|name| plan.word_option(name)).collect();
            let told = alone(record, format!("ranks {}", order.join(" › ")), raw);
            told.noting([spell_out(certainty.as_str()), shown()])
        }
        Reply::Application { choice: chosen, certainty, reasoning } => {
            let told = alone(record, format!("applies {}", choice(&chosen)), &reasoning);
            told.noting([spell_out(certainty.as_str()), shown()])
        }
        Reply::Test(answers) => word_test(record, &answers),
        Reply::Urgency(Some(urgency)) => alone(record, format!("wants to speak, urgency {urgency} of 10"), raw),
        Reply::Urgency(None) => alone(record, "does not want to speak", raw),
        Reply::Assent(yes) => {
            let what = match (step, yes) {
                (Step::VoteCall, false) => return alone(record, "does not call a vote", raw),
                (Step::VoteCall, true) => "calls a vote",
                (_, true) => "agrees to vote now",
                (_, false) => "does not agree to vote now",
            };
            RecordWording::new(RecordForm::Procedure, RecordAudience::Everyone, what).saying(raw)
        }
        Reply::Form(_) => alone(record, record.form_values().map(word_values).unwrap_or_default(), raw),
        Reply::Name(name) => alone(record, format!("wants to be called {name}"), raw),
        Reply::Notes(note) => word_notes(record, &note),
        Reply::Recognition { recognised: true, recognised_as } => {
            alone(record, "recognises what it took part in", recognised_as.as_deref().unwrap_or_default())
        }
        Reply::Recognition { recognised: false, .. } => alone(record, "recognises nothing in what it took part in", ""),
        Reply::Inquiry(_) => unreachable!("invariant: what a seat asks to see is no answer"),
    }
}

/// Words the answers to a comprehension test.
fn word_test(record: &Record, answers: &[u32]) -> RecordWording {
    let (correct, passed) = record.test_result().unwrap_or_default();
    let tables: Vec<String> = answers.iter().map(u32::to_string).collect();
    let passed = if passed { "passes" } else { "fails" };
    let what = format!("{passed} the test, try {}: {correct} of {} right", record.at.round, answers.len());
    alone(record, what, record.event.raw()).noting([format!("tables {}", tables.join(", "))])
}

/// Words the values of a form.
fn word_values(values: &NamedValues) -> String {
    let told =
        |value: Option<&FieldValue>| value.map_or("nothing".to_owned(), |value| quoted(&value.told(Language::En)));
    let answers: Vec<String> = values.iter().map(|(field, value)| format!("{field}: {}", told(value))).collect();
    format!("answers {}", answers.join(", "))
}

/// Words what a seat did to its notes.
fn word_notes(record: &Record, note: &NoteTaken) -> RecordWording {
    let mut words: Vec<&str> = Vec::new();
    let what = match (&note.replace, &note.append) {
        (None, None) => "notes nothing",
        (None, Some(text)) => {
            words.push(text);
            "notes"
        }
        (Some(replaced), appended) => {
            words.extend([&*replaced.old, "→", &*replaced.new]);
            words.extend(appended.as_deref());
            "replaces in its notes"
        }
    };
    alone(record, what, &words.join("\n"))
}

fn mark_words(mark: &Marked) -> String {
    let of = mark.of.map_or(String::new(), |of| format!(" of record {}", of.0));
    let ignored =
        mark.ignored.map_or(String::new(), |why| format!(" (counts for nothing: {})", spell_out(why.as_str())));
    format!("mark: {}{of}{ignored}", mark.sign.as_str())
}

fn opinion_words(opinion: Opinion) -> String {
    format!("opinion {:.3}", f64::from(opinion.billionths()) / f64::from(Opinion::ONE))
}

fn order_shown(options: &[AlternativeName], plan: &PlanWords) -> String {
    let names: Vec<String> = options.iter().map(|name| plan.word_option(name)).collect();
    format!("shown in the order {}", names.join(", "))
}

/// A note for a fault without a reply: the question was never put to the model.
fn unput_note(fault: Fault, raw: &str) -> Option<String> {
    let is_unput = fault == Fault::ContextTooLong && raw.is_empty();
    is_unput.then(|| "not put: by the estimate it could not fit".to_owned())
}
