//! The content of an answer as a name and as a number: the cells `value` and `value_n` of the table of answers.

use crate::analysis::column::join_names;
use crate::domain::{AlternativeName, FieldValue, Inquired, Inquiry, Language, NamedValues, Record, Reply};

/// The cells `value` and `value_n` of a record with this valid answer, if any; both empty if the answer does not count.
pub(in crate::analysis) fn answer_value(
    record: &Record,
    reply: Option<&Reply<AlternativeName>>,
) -> (Option<String>, Option<u64>) {
    let yes_or_no = |yes: bool| Some(if yes { "yes" } else { "no" }.to_owned());
    let length = |text: &str| text.chars().count() as u64;
    if let Some(Inquired { inquiry, found, .. }) = record.event.inquired() {
        let what = match inquiry {
            Inquiry::LookUp(_) => "look_up",
            Inquiry::Page(_) => "page",
        };
        return (Some(what.to_owned()), Some(found.len() as u64));
    }
    let Some(reply) = reply else { return (None, None) };
    match reply {
        Reply::Statement { stance: None, .. } => (None, None),
        Reply::Statement { stance: Some(choice), .. }
        | Reply::Choice(choice)
        | Reply::Opined(choice, _)
        | Reply::Application { choice, .. } => (Some(choice.alternative.to_string()), choice.amount.map(u64::from)),
        Reply::Pass => (Some("pass".to_owned()), None),
        Reply::Ballot(ballot) => (Some(ballot.told(Language::En)), None),
        Reply::Abstention => (Some(Language::En.abstain().to_owned()), None),
        Reply::Reasoned { ballot, .. } => answer_value(record, Some(ballot)),
        Reply::Amount(amount) => (None, Some((*amount).into())),
        Reply::Ranking { order, certainty } => {
            (join_names(order.iter().map(AlternativeName::as_str)), Some(certainty.level().into()))
        }
        Reply::Test(_) => record.test_result().map_or((None, None), |(correct, passed)| {
            (Some(if passed { "passed" } else { "failed" }.to_owned()), Some(correct.into()))
        }),
        Reply::Urgency(urgency) => (yes_or_no(urgency.is_some()), urgency.map(u64::from)),
        Reply::Assent(yes) | Reply::Recognition { recognised: yes, .. } => (yes_or_no(*yes), Some((*yes).into())),
        Reply::Note(text) => (None, Some(length(text))),
        Reply::Name(name) => (Some(name.to_string()), None),
        Reply::Notes(note) => {
            let what = if note.replace.is_some() { "replaced" } else { "added" };
            (Some(what.to_owned()), Some(note.append.as_deref().map_or(0, length)))
        }
        Reply::Form(_) => (record.form_values().and_then(describe_values), None),
        Reply::Inquiry(_) => (None, None),
    }
}

/// The values of a form, with their fields if there are several.
fn describe_values(values: &NamedValues) -> Option<String> {
    let told = |value: Option<&FieldValue>| value.map(|value| value.told(Language::En));
    if let (1, Some((_, only))) = (values.iter().len(), values.iter().next()) {
        return told(only);
    }
    let all = values.iter().map(|(field, value)| format!("{field}: {}", told(value).unwrap_or_default()));
    Some(all.collect::<Vec<_>>().join("; "))
}
