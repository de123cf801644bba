//! The answers of seats, in words.

use super::{Form, Heard, PlanWords, Told, consequence_words, later_audience, spell_out};
use crate::domain::{
    AlternativeName, Event, Fault, FieldValue, Inquiry, Language, Marked, NamedValues, NoteTaken, Opinion, Record,
};
use crate::report::quoted;
use crate::report::render::grouped;

/// Words an answer. `floor` is the audience of statements.
pub(super) fn word_answer(record: &Record, floor: Heard, plan: &PlanWords) -> Told {
    let at = &record.at;
    match &record.event {
        Event::Spoke { text, stance, stance_amount, opinion, marks, .. } => {
            let stance = stance.as_ref().map_or("declares no favourite".to_owned(), |name| {
                format!("favours {}", quoted(&plan.word_choice(name, *stance_amount)))
            });
            let told = Told::new(Form::Speech, floor, stance).saying(text);
            told.noting(opinion.iter().map(|opinion| opinion_words(*opinion)).chain(marks.iter().map(mark_words)))
        }
        Event::Passed { .. } => Told::new(Form::Speech, floor, "passes"),
        Event::Reasoned { text, .. } => alone(record, "thinks", text),
        Event::Polled { alternative, amount, opinion, options, raw, .. } => {
            let told = alone(
                record,
                format!("chooses {} in the straw poll", quoted(&plan.word_choice(alternative, *amount))),
                raw,
            );
            told.noting(opinion.iter().map(|opinion| opinion_words(*opinion)).chain([order_shown(options, plan)]))
        }
        Event::Balloted { alternative, amount, options, raw, .. } => {
            alone(record, format!("votes for {}", quoted(&plan.word_choice(alternative, *amount))), raw)
                .noting([order_shown(options, plan)])
        }
        Event::Voted { ballot, options, raw, .. } => {
            alone(record, format!("votes {}", ballot.map(|name| plan.word_option(name)).told(Language::En)), raw)
                .noting([order_shown(options, plan)])
        }
        Event::Abstained { options, raw, .. } => alone(record, "abstains", raw).noting([order_shown(options, plan)]),
        Event::AmountNamed { amount, raw, .. } => {
            alone(record, format!("names the amount {}", grouped(u64::from(*amount))), raw)
        }
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
        Event::Faulted { fault, field, then, raw, .. } => {
            let attempt = u32::from(record.tries_before().unwrap_or(0)) + 1;
            let field = field.as_ref().map_or(String::new(), |field| format!("{field} "));
            let what = format!("{}, try {attempt}: {field}{}", spell_out(at.step.as_str()), spell_out(fault.as_str()));
            let told = Told::new(Form::Fault, later_audience(record), what).saying(raw);
            told.noting([consequence_words(*then, at.step).to_owned()]).noting(unput_note(*fault, raw))
        }
        _ => word_other_answer(record, plan),
    }
}

/// Words an answer that no other seat hears.
fn alone(record: &Record, what: impl Into<String>, words: &str) -> Told {
    Told::new(Form::Aside, later_audience(record), what).saying(words)
}

/// Words an answer outside discussion and votes.
fn word_other_answer(record: &Record, plan: &PlanWords) -> Told {
    match &record.event {
        Event::Ranked { order, certainty, options, raw, .. } => {
            let order: Vec<String> = order.iter().map(|name| plan.word_option(name)).collect();
            let told = alone(record, format!("ranks {}", order.join(" › ")), raw);
            told.noting([spell_out(certainty.as_str()), order_shown(options, plan)])
        }
        Event::Tested { answers, correct, passed, raw, .. } => {
            let tables: Vec<String> = answers.iter().map(u32::to_string).collect();
            let passed = if *passed { "passes" } else { "fails" };
            let what = format!("{passed} the test, try {}: {correct} of {} right", record.at.round, answers.len());
            alone(record, what, raw).noting([format!("tables {}", tables.join(", "))])
        }
        Event::Applied { alternative, amount, certainty, reasoning, options, .. } => {
            let told = alone(record, format!("applies {}", quoted(&plan.word_choice(alternative, *amount))), reasoning);
            told.noting([spell_out(certainty.as_str()), order_shown(options, plan)])
        }
        Event::Inquired { inquiry, found, .. } => {
            let found: Vec<String> = found.iter().map(|seq| format!("record {}", seq.0)).collect();
            let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
            match inquiry {
                Inquiry::LookUp(words) => alone(record, format!("looks up, and finds {found}"), words),
                Inquiry::Page(name) => alone(record, format!("asks for a page, and finds {found}"), name),
            }
        }
        Event::Answered { values, raw, .. } => alone(record, word_values(values), raw),
        Event::Named { name, raw, .. } => alone(record, format!("wants to be called {name}"), raw),
        Event::Noted { note, .. } => word_notes(record, note),
        Event::Recognised { recognised: true, recognised_as, .. } => {
            alone(record, "recognises what it took part in", recognised_as.as_deref().unwrap_or_default())
        }
        Event::Recognised { recognised: false, .. } => alone(record, "recognises nothing in what it took part in", ""),
        _ => alone(record, "stands in a record of a kind that no seat answers", ""),
    }
}

/// Words the values of a form.
fn word_values(values: &NamedValues) -> String {
    let told = |value: &Option<FieldValue>| {
        value.as_ref().map_or("nothing".to_owned(), |value| quoted(&value.told(Language::En)))
    };
    let answers: Vec<String> = values.iter().map(|(field, value)| format!("{field}: {}", told(value))).collect();
    format!("answers {}", answers.join(", "))
}

/// Words what a seat did to its notes.
fn word_notes(record: &Record, note: &NoteTaken) -> Told {
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
