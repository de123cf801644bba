//! The content of an answer as a name and as a number: the cells `value` and `value_n` of the table of answers.

use std::borrow::Cow;

use crate::analysis::column::join_names;
use crate::domain::{AlternativeName, Event, FieldValue, Inquiry, Language, NamedValues};

/// The cells `value` and `value_n`; both empty if the answer does not count.
pub(in crate::analysis) fn answer_value(event: &Event) -> (Option<Cow<'_, str>>, Option<u64>) {
    let name = |name: &'_ AlternativeName| Some(Cow::Owned(name.as_str().to_owned()));
    let amount = |amount: &Option<u32>| amount.map(u64::from);
    let assent = |yes: bool| (Some(Cow::Borrowed(if yes { "yes" } else { "no" })), Some(u64::from(yes)));
    match event {
        Event::Spoke { stance, stance_amount, .. } => (stance.as_ref().and_then(name), amount(stance_amount)),
        Event::Passed { .. } => (Some(Cow::Borrowed("pass")), None),
        Event::Polled { alternative, amount: named, .. } | Event::Applied { alternative, amount: named, .. } => {
            (name(alternative), amount(named))
        }
        Event::Balloted { alternative, amount, .. } => (name(alternative), amount.map(u64::from)),
        Event::Voted { ballot, .. } => (Some(Cow::Owned(ballot.told(Language::En))), None),
        Event::Abstained { .. } => (Some(Cow::Borrowed(Language::En.abstain())), None),
        Event::AmountNamed { amount, .. } => (None, Some(u64::from(*amount))),
        Event::Ranked { order, certainty, .. } => {
            (join_names(order.iter().map(AlternativeName::as_str)).map(Cow::Owned), Some(u64::from(certainty.level())))
        }
        Event::Tested { correct, passed, .. } => {
            (Some(Cow::Borrowed(if *passed { "passed" } else { "failed" })), Some(u64::from(*correct)))
        }
        Event::Volunteered { urgency, .. } => {
            (Some(Cow::Borrowed(if urgency.is_some() { "yes" } else { "no" })), urgency.map(u64::from))
        }
        Event::CallAnswered { calls, .. } => assent(*calls),
        Event::Confirmed { agrees, .. } => assent(*agrees),
        Event::Reasoned { text, .. } | Event::Integrated { text, .. } | Event::Compressed { text, .. } => {
            (None, Some(text.chars().count() as u64))
        }
        Event::Inquired { inquiry, found, .. } => {
            let what = match inquiry {
                Inquiry::LookUp(_) => "look_up",
                Inquiry::Page(_) => "page",
            };
            (Some(Cow::Borrowed(what)), Some(found.len() as u64))
        }
        Event::Recognised { recognised, .. } => assent(*recognised),
        Event::Named { name, .. } => (Some(Cow::Borrowed(name)), None),
        Event::Noted { note, .. } => {
            let added = note.append.as_ref().map_or(0, |text| text.chars().count() as u64);
            (Some(Cow::Borrowed(if note.replace.is_some() { "replaced" } else { "added" })), Some(added))
        }
        Event::Answered { values, .. } => (describe_values(values), None),
        Event::Faulted { .. }
        | Event::SessionConvened { .. }
        | Event::Seated { .. }
        | Event::Networked { .. }
        | Event::NamesGiven { .. }
        | Event::NotesBrought { .. }
        | Event::PhaseOpened { .. }
        | Event::PhaseSkipped { .. }
        | Event::LoopEnded { .. }
        | Event::Instructed { .. }
        | Event::Reminded { .. }
        | Event::Marked { .. }
        | Event::Exhibited { .. }
        | Event::Dealt { .. }
        | Event::SituationOpened { .. }
        | Event::Paid { .. }
        | Event::Computed { .. }
        | Event::Kept { .. }
        | Event::Assigned { .. }
        | Event::PaidOut { .. }
        | Event::RoundOpened { .. }
        | Event::Sampled { .. }
        | Event::Tallied(_)
        | Event::Imposed { .. }
        | Event::RoundClosed { .. }
        | Event::Adjourned { .. } => (None, None),
    }
}

/// The values of a form, with their fields if there are several.
fn describe_values(values: &NamedValues) -> Option<Cow<'static, str>> {
    let told = |value: &Option<FieldValue>| value.as_ref().map(|value| value.told(Language::En));
    if let (1, Some((_, only))) = (values.len(), values.first()) {
        return told(only).map(Cow::Owned);
    }
    let all = values.iter().map(|(field, value)| format!("{field}: {}", told(value).unwrap_or_default()));
    Some(Cow::Owned(all.collect::<Vec<_>>().join("; ")))
}
