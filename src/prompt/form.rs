//! The form of each question: its fields, with their keys in JSON and their anchors in lines.

use crate::domain::{
    Ask, BallotForm, Certainty, Field, FieldKind, Form, Language, Motion, NAME_CHARS_MAX, Presence, URGENCY_MAX,
};
use crate::prompt::amount::{amount_max, amount_min};
use crate::prompt::anchors::word;
use Presence::{MayBeLeftOut, MayBeNothing, Required};

/// Tokens that the braces, keys and the stance of a statement's JSON may take, with the blank space some servers allow.
const FRAME_TOKENS: u32 = 20;

/// The same of an amount.
const AMOUNT_TOKENS: u32 = 12;

/// The same of a certainty.
const CERTAINTY_TOKENS: u32 = 10;

/// The same of an opinion.
const OPINION_TOKENS: u32 = 10;

/// The same of typed marks.
const MARKS_TOKENS: u32 = 60;

/// The same of an option that a ballot names, with its score.
const NAMED_OPTION_TOKENS: u32 = 10;

/// How long the reasons of a ballot may be, in characters: a model is told so, and held to it where its server can. Longer ones
/// count all the same.
const REASONS_CHARS_MAX: u64 = 300;

/// Characters a token of words is expected to hold, in halves. English has about four characters a token; the
/// estimate errs low, so that words of the greatest length seldom run into `max_tokens`.
const HALF_CHARS_PER_TOKEN: u32 = 5;

/// The least that a statement or reasoning may always hold, in characters, however small `max_tokens` is.
const WORDS_FLOOR: u32 = 24;

/// How long the texts of a reply may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextRoom {
    /// Of any length: a reply is read whole.
    Any,
    /// What a server holds a model to that may use so many tokens.
    Tokens(u32),
}

/// The form of the reply to a question, its options in the order in which they are shown. Which alternatives take an amount is not
/// part of it: the amount may then be missing or too much, which [`check_choice`](super::check_choice) finds.
pub(super) fn build_form(ask: &Ask, motion: &Motion, room: TextRoom) -> Form {
    if let Some(asked) = ask.form_asked() {
        return limit_texts(asked.form.clone(), room);
    }
    let language = motion.language;
    let options = || ask.options().iter().map(|id| motion.said(*id).to_string()).collect::<Vec<String>>();
    let field = |id: &str, anchor: &str, presence, kind| {
        let anchor = if anchor.is_empty() { String::new() } else { word(anchor, language).to_owned() };
        Field { id: id.to_owned(), anchor, kind, presence }
    };
    let amount = |presence| {
        let [min, max] = [amount_min(motion, ask), amount_max(motion, ask)].map(i64::from);
        field("amount", "AMOUNT", presence, FieldKind::Number { min, max, decimals: 0 })
    };
    let maybe_amount = || motion.amount_max.map(|_| amount(MayBeLeftOut));
    let opinion = || {
        let kind = FieldKind::Number { min: 0, max: 100, decimals: 0 };
        ask.asks_opinion().then(|| field("opinion", "OPINION", Required, kind))
    };
    let shares = |id: &str, kind| field(id, &id.to_uppercase(), Required, kind);
    let choice =
        |id: &str, anchor: &str, presence| field(id, anchor, presence, FieldKind::Choice { options: options() });
    let certainty = || field("certainty", "CERTAINTY", Required, list_certainties(language));
    let words = |id: &str, anchor: &str, presence| {
        let (chars_min, most) = bound_words(ask, motion, room);
        let chars_max = u32::try_from(most).unwrap_or(u32::MAX);
        let one_line = matches!(ask, Ask::Naming { .. });
        field(id, anchor, presence, FieldKind::Text { chars_min, chars_max, one_line })
    };
    let ranking = |ties, truncated, top| {
        let kind = FieldKind::Ranking { options: options(), ties, truncated, top };
        field("ranking", "RANKING", Required, kind)
    };
    let mut fields = match ask {
        Ask::Statement { options, .. } if options.is_empty() => vec![words("statement", "STATEMENT", Required)],
        Ask::Statement { .. } if motion.only().is_some() => {
            vec![words("statement", "STATEMENT", Required), amount(MayBeNothing)]
        }
        Ask::Statement { .. } => {
            let said = [words("statement", "STATEMENT", Required), choice("stance", "STANCE", MayBeNothing)];
            said.into_iter().chain(maybe_amount()).chain(opinion()).collect()
        }
        Ask::StrawPoll { .. } if motion.only().is_some() => vec![amount(Required)],
        Ask::StrawPoll { .. } => {
            [choice("choice", "CHOICE", Required)].into_iter().chain(maybe_amount()).chain(opinion()).collect()
        }
        Ask::Ballot { form, .. } => vec![match *form {
            BallotForm::Choice => choice("choice", "CHOICE", Required),
            BallotForm::Amount => amount(Required),
            BallotForm::Approval => field("approves", "APPROVES", Required, FieldKind::Approval { options: options() }),
            BallotForm::Ranking { ties, truncated, top } => ranking(ties, truncated, top),
            BallotForm::Allocation { points } => shares("points", FieldKind::Allocation { options: options(), points }),
            BallotForm::Score { max } => shares("scores", FieldKind::Score { options: options(), max }),
        }],
        Ask::Amount { .. } => vec![amount(Required)],
        Ask::Ranking { .. } => vec![ranking(false, false, None), certainty()],
        Ask::Comprehension { situation, questions } => {
            let (max, count) = (situation.tables.len() as u32, questions.len() as u32);
            vec![field("answers", "ANSWERS", Required, FieldKind::Numbers { min: 1, max, count })]
        }
        Ask::Application { .. } => {
            let rest = [certainty(), words("reasoning", "REASONING", Required)];
            [choice("choice", "CHOICE", Required)].into_iter().chain(maybe_amount()).chain(rest).collect()
        }
        Ask::Volunteer => {
            let kind = FieldKind::Number { min: 0, max: URGENCY_MAX.into(), decimals: 0 };
            vec![field("urgency", "URGENCY", MayBeNothing, kind)]
        }
        Ask::VoteCall | Ask::Confirmation { .. } => vec![field("answer", "ANSWER", Required, FieldKind::YesNo)],
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => vec![words("text", "", Required)],
        Ask::Naming { .. } => vec![words("name", "NAME", Required)],
        Ask::Form { .. } => unreachable!("invariant: a form that is asked is its own"),
        Ask::Recognition => {
            vec![field("recognised", "RECOGNISED", Required, FieldKind::YesNo), words("which", "WHICH", MayBeLeftOut)]
        }
        Ask::Notes { .. } => {
            let mut new = words("with", "WITH", MayBeLeftOut);
            if let FieldKind::Text { chars_min, .. } = &mut new.kind {
                // What is replaced may be replaced by nothing.
                *chars_min = 0;
            }
            vec![words("append", "APPEND", MayBeNothing), words("replace", "REPLACE", MayBeLeftOut), new]
        }
    };
    fields.extend(ask.asks_reasons().then(|| words("reasoning", "REASONING", MayBeLeftOut)));
    Form { fields, language }
}

fn list_certainties(language: Language) -> FieldKind {
    FieldKind::Choice { options: Certainty::ALL.map(|certainty| certainty.said(language).to_owned()).to_vec() }
}

/// The same form with texts that fit into the room, which they share; none is held below its least length.
fn limit_texts(mut form: Form, room: TextRoom) -> Form {
    let TextRoom::Tokens(tokens) = room else { return form };
    let most = room_for_texts(&form, tokens);
    for field in &mut form.fields {
        if let FieldKind::Text { chars_min, chars_max, .. } | FieldKind::Texts { chars_min, chars_max, .. } =
            &mut field.kind
        {
            *chars_max = u32::try_from(most).unwrap_or(u32::MAX).min(*chars_max).max(*chars_min);
        }
    }
    form
}

/// The most characters of each text of a form whose answer has so many tokens.
fn room_for_texts(form: &Form, tokens: u32) -> u64 {
    count_chars(tokens / count_texts(form), FRAME_TOKENS)
}

/// The most texts that an answer to a form has; 1 if it has none.
fn count_texts(form: &Form) -> u32 {
    let count = |field: &Field| match field.kind {
        FieldKind::Text { .. } => 1,
        FieldKind::Texts { count_max, .. } => count_max,
        _ => 0,
    };
    form.fields.iter().map(count).sum::<u32>().max(1)
}

/// The text of a form that a model's `max_tokens` hold shortest: the field, the greatest length in characters that the form allows and
/// that the prompt then allows, and the `max_tokens` that leave room for it; `None` if all have room.
pub fn find_held_text(form: &Form, max_tokens: u32) -> Option<(&str, u32, u64, u32)> {
    let room = room_for_texts(form, max_tokens);
    let lengths = form.fields.iter().filter_map(|field| match field.kind {
        FieldKind::Text { chars_max, .. } | FieldKind::Texts { chars_max, .. } => Some((field.id.as_str(), chars_max)),
        _ => None,
    });
    let (field, longest) = lengths.max_by_key(|(_, length)| *length).filter(|(_, length)| u64::from(*length) > room)?;
    let needed = longest.saturating_mul(2).div_ceil(HALF_CHARS_PER_TOKEN).saturating_add(FRAME_TOKENS);
    Some((field, longest, room, needed.saturating_mul(count_texts(form))))
}

/// Whether the reply to a question is words and nothing else. In lines these come as plain text.
pub(super) fn is_note(ask: &Ask) -> bool {
    matches!(ask, Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. })
}

/// The least and the greatest length that the words of a reply may have, in characters. Where a server holds a model to it, the
/// greatest is 2.5 characters for each of the tokens that remain of `max_tokens` beside the frame (20, and 12 for an amount, 10 for a
/// certainty and 10 for an opinion), but never below 24 or the question's own minimum. A model that is held to it closes its JSON
/// before the limit cuts it off; a script with less than 2.5 characters a token may still be cut, which is a fault like any other.
fn bound_words(ask: &Ask, motion: &Motion, room: TextRoom) -> (u32, u64) {
    let amount_tokens = if motion.amount_max.is_some() { AMOUNT_TOKENS } else { 0 };
    let (least, frame_tokens, most) = match ask {
        Ask::Statement { chars_min, marks, opinion, .. } => {
            let marks_tokens = if *marks { MARKS_TOKENS } else { 0 };
            let opinion_tokens = if *opinion { OPINION_TOKENS } else { 0 };
            ((*chars_min).max(1), FRAME_TOKENS + amount_tokens + opinion_tokens + marks_tokens, u64::MAX)
        }
        Ask::Application { .. } => (0, FRAME_TOKENS + amount_tokens + CERTAINTY_TOKENS, u64::MAX),
        Ask::Ballot { options, .. } => {
            let named_tokens = NAMED_OPTION_TOKENS.saturating_mul(options.len() as u32);
            (1, FRAME_TOKENS.saturating_add(named_tokens), REASONS_CHARS_MAX)
        }
        Ask::Integration { chars_max, .. } | Ask::Compression { chars_max, .. } => (1, FRAME_TOKENS, *chars_max),
        Ask::Naming { .. } => (1, FRAME_TOKENS, NAME_CHARS_MAX.into()),
        Ask::Notes { .. } => (1, FRAME_TOKENS / 2, u64::MAX),
        _ => (1, FRAME_TOKENS, u64::MAX),
    };
    match (room, ask) {
        (TextRoom::Any, _) => (least, u64::MAX),
        (TextRoom::Tokens(_), Ask::Naming { .. }) => (least, most),
        // The parts share the room: what is replaced, what takes its place, and what is added.
        (TextRoom::Tokens(tokens), Ask::Notes { .. }) => (least, count_chars(tokens / 3, frame_tokens)),
        (TextRoom::Tokens(tokens), _) => (least, count_chars(tokens, frame_tokens).min(most).max(least.into())),
    }
}

/// The most characters that a prompt allows for the words of a reply; `None` where it names no limit.
pub(super) fn find_words_max(ask: &Ask, motion: &Motion, max_tokens: u32) -> Option<u64> {
    let is_told = matches!(ask, Ask::Statement { .. } | Ask::Application { .. }) || is_note(ask) || ask.asks_reasons();
    is_told.then(|| bound_words(ask, motion, TextRoom::Tokens(max_tokens)).1)
}

/// The characters that words may have beside a frame of so many tokens.
fn count_chars(max_tokens: u32, frame_tokens: u32) -> u64 {
    let chars = max_tokens.saturating_sub(frame_tokens).saturating_mul(HALF_CHARS_PER_TOKEN) / 2;
    chars.max(WORDS_FLOOR).into()
}
