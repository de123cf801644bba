//! What a seat answered, in words.

use super::{Form, Heard, Told, choice, consequence, kept, plain};
use crate::domain::{AlternativeName, Event, Fault, Inquiry, Language, Marked, NoteTaken, Opinion, Record};
use crate::report::quoted;
use crate::report::render::grouped;

/// An answer; `floor` is who hears what is said on the floor.
pub(super) fn told(record: &Record, floor: Heard) -> Told {
    let at = &record.at;
    match &record.event {
        Event::Spoke { text, stance, stance_amount, opinion, marks, .. } => {
            let stance = stance.as_ref().map_or("declares no favourite".to_owned(), |name| {
                format!("favours {}", quoted(&choice(name, *stance_amount)))
            });
            let told = Told::new(Form::Speech, floor, stance).saying(text);
            told.noting(opinion.iter().map(|opinion| of(*opinion)).chain(marks.iter().map(mark)))
        }
        Event::Passed { .. } => Told::new(Form::Speech, floor, "passes"),
        Event::Reasoned { text, .. } => alone(record, "thinks", text),
        Event::Polled { alternative, amount, opinion, options, raw, .. } => {
            let told =
                alone(record, format!("chooses {} in the straw poll", quoted(&choice(alternative, *amount))), raw);
            told.noting(opinion.iter().map(|opinion| of(*opinion)).chain([shown(options)]))
        }
        Event::Balloted { alternative, amount, options, raw, .. } => {
            alone(record, format!("votes for {}", quoted(&choice(alternative, *amount))), raw).noting([shown(options)])
        }
        Event::Voted { ballot, options, raw, .. } => {
            alone(record, format!("votes {}", ballot.told(Language::En)), raw).noting([shown(options)])
        }
        Event::Abstained { options, raw, .. } => alone(record, "abstains", raw).noting([shown(options)]),
        Event::AmountNamed { amount, raw, .. } => {
            alone(record, format!("names the amount {}", grouped(u64::from(*amount))), raw)
        }
        Event::HarvestAsked { amount, raw, .. } => alone(record, format!("asks for {amount} of the stock"), raw),
        Event::Volunteered { urgency: Some(urgency), raw, .. } => {
            alone(record, format!("wants to speak, urgency {urgency} of 10"), raw)
        }
        Event::Volunteered { urgency: None, raw, .. } => alone(record, "does not want to speak", raw),
        Event::CallAnswered { calls: true, raw, .. } => {
            Told::new(Form::Procedure, Heard::Everyone, "calls a vote").saying(raw)
        }
        Event::CallAnswered { calls: false, raw, .. } => alone(record, "does not call a vote", raw),
        Event::Confirmed { agrees, raw, .. } => {
            let what = if *agrees { "agrees to vote now" } else { "does not agree to vote now" };
            Told::new(Form::Procedure, Heard::Everyone, what).saying(raw)
        }
        Event::Integrated { text, .. } => alone(record, "rewrites its memory, given what happened", text),
        Event::Compressed { text, .. } => alone(record, "makes its memory shorter", text),
        Event::Faulted { fault, then, raw, .. } => {
            let attempt = u32::from(record.tries_before().unwrap_or(0)) + 1;
            let what = format!("{}, try {attempt}: {}", plain(at.step.as_str()), plain(fault.as_str()));
            let told = Told::new(Form::Fault, kept(record), what).saying(raw);
            told.noting([consequence(*then, at.step).to_owned()]).noting(unput(*fault, raw))
        }
        _ => elsewhere(record),
    }
}

/// What no other seat hears.
fn alone(record: &Record, what: impl Into<String>, words: &str) -> Told {
    Told::new(Form::Aside, kept(record), what).saying(words)
}

/// An answer outside talk and votes.
fn elsewhere(record: &Record) -> Told {
    match &record.event {
        Event::Ranked { order, certainty, options, raw, .. } => {
            let order: Vec<&str> = order.iter().map(AlternativeName::as_str).collect();
            let told = alone(record, format!("ranks {}", order.join(" › ")), raw);
            told.noting([plain(certainty.as_str()), shown(options)])
        }
        Event::Tested { answers, correct, passed, raw, .. } => {
            let tables: Vec<String> = answers.iter().map(u32::to_string).collect();
            let passed = if *passed { "passes" } else { "fails" };
            let what = format!("{passed} the test, try {}: {correct} of {} right", record.at.round, answers.len());
            alone(record, what, raw).noting([format!("tables {}", tables.join(", "))])
        }
        Event::Applied { alternative, amount, certainty, reasoning, options, .. } => {
            let told = alone(record, format!("applies {}", quoted(&choice(alternative, *amount))), reasoning);
            told.noting([plain(certainty.as_str()), shown(options)])
        }
        Event::Inquired { inquiry, found, .. } => {
            let found: Vec<String> = found.iter().map(|seq| format!("record {}", seq.0)).collect();
            let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
            match inquiry {
                Inquiry::LookUp(words) => alone(record, format!("looks up, and finds {found}"), words),
                Inquiry::Page(name) => alone(record, format!("asks for a page, and finds {found}"), name),
            }
        }
        Event::Named { name, raw, .. } => alone(record, format!("wants to be called {name}"), raw),
        Event::Noted { note, .. } => noted(record, note),
        Event::Recognised { recognised: true, recognised_as, .. } => {
            alone(record, "recognises what it took part in", recognised_as.as_deref().unwrap_or_default())
        }
        Event::Recognised { recognised: false, .. } => alone(record, "recognises nothing in what it took part in", ""),
        _ => alone(record, "stands in a record of a kind that no seat answers", ""),
    }
}

/// What a seat did to its notes.
fn noted(record: &Record, note: &NoteTaken) -> Told {
    let mut words: Vec<&str> = Vec::new();
    let what = match (&note.replace, &note.append) {
        (None, None) => "notes nothing",
        (None, Some(text)) => {
            words.push(text);
            "notes"
        }
        (Some(replaced), appended) => {
            words.extend([replaced.old.as_str(), "→", replaced.new.as_str()]);
            words.extend(appended.as_deref());
            "replaces in its notes"
        }
    };
    alone(record, what, &words.join("\n"))
}

/// What a mark says of its statement.
fn mark(mark: &Marked) -> String {
    let of = mark.of.map_or(String::new(), |of| format!(" of record {}", of.0));
    let ignored = mark.ignored.map_or(String::new(), |why| format!(" (counts for nothing: {})", plain(why.as_str())));
    format!("mark: {}{of}{ignored}", mark.sign.as_str())
}

fn of(opinion: Opinion) -> String {
    format!("opinion {:.3}", f64::from(opinion.billionths()) / f64::from(Opinion::ONE))
}

fn shown(options: &[AlternativeName]) -> String {
    let names: Vec<&str> = options.iter().map(AlternativeName::as_str).collect();
    format!("shown in the order {}", names.join(", "))
}

/// A reply that is no reply: the question was not put.
fn unput(fault: Fault, raw: &str) -> Option<String> {
    let is_unput = fault == Fault::ContextTooLong && raw.is_empty();
    is_unput.then(|| "not put: by the estimate it could not fit".to_owned())
}
