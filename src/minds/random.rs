//! The mind without an opinion: uniform choices, and texts of every kind that could break a program.
//!
//! It is a null model and a test of everything behind it; it hears nothing and keeps nothing.

use crate::chance::{Draws, Purpose, SessionSeed};
use crate::domain::{AlternativeId, Answer, Ask, Fault, MindState, Motion, Query};
use crate::minds::{choice, noise_at, simulated, statement};

/// The longest text, in Unicode scalar values, unless a longer one is asked for.
const CHARS_MAX: u32 = 2_000;

/// What texts are made of: words, Chinese, Japanese and Korean, emoji joined and alone, flags, combining marks, an Indic cluster,
/// right-to-left words, markup and quotes. No piece ends in a blank, so no text does.
const PIECES: [&str; 24] = [
    " we",
    " should",
    " consider",
    " the costs",
    ", and",
    ". However",
    "\nSecondly",
    " 公平",
    "我们应该",
    "費用を分担",
    " 합의",
    " 👩\u{200d}🚀",
    "👨\u{200d}👩\u{200d}👧\u{200d}👦",
    " 🤝🏽",
    "🇨🇭",
    " e\u{301}galite\u{301}",
    "a\u{308}\u{323}",
    " क्षि",
    " שלום",
    " مرحبا",
    " <b>",
    " \"quoted\"",
    ",;\t|",
    " 3.50 %",
];

/// Answers a query; with probability `malformed_ppm` in a way that cannot be read.
pub(super) fn answer(malformed_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    let id = noise_at(query);
    let mut malformed = seed.at(Purpose::Malformed, &id, 0);
    if malformed.happens(malformed_ppm) {
        return unusable(&mut malformed, motion, query);
    }
    let chosen = uniform(&mut seed.at(Purpose::Choice, &id, 0), query.ask.options());
    match &query.ask {
        Ask::Statement { chars_min, .. } => {
            let text = words(&mut seed.at(Purpose::Words, &id, 0), *chars_min);
            statement(query, text, Some(chosen), MindState::default())
        }
        _ => choice(motion, query, chosen, MindState::default()),
    }
}

/// One of the options, found in the scenario's order, so that the order in which they are shown moves no choice.
fn uniform(draws: &mut Draws, options: &[AlternativeId]) -> AlternativeId {
    let mut offered = options.to_vec();
    offered.sort_unstable();
    offered[draws.below(offered.len() as u64) as usize]
}

/// A text of 1 to [`CHARS_MAX`] characters, and of at least `chars_min`, that begins with a letter.
fn words(draws: &mut Draws, chars_min: u32) -> String {
    let least = u64::from(chars_min.max(1));
    let most = u64::from(CHARS_MAX).max(least);
    let mut left = least + draws.below(most - least + 1) - 1;
    let mut text = String::from("I");
    while left > 0 {
        let piece = PIECES[draws.below(PIECES.len() as u64) as usize];
        let length = piece.chars().count() as u64;
        if length > left {
            text.extend((0..left).map(|_| '.'));
            break;
        }
        text.push_str(piece);
        left -= length;
    }
    text
}

/// A reply with something wrong, and what is wrong with it.
fn unusable(draws: &mut Draws, motion: &Motion, query: &Query<'_>) -> Answer {
    let (raw, fault) = match draws.below(4) {
        0 => (format!("{{\"{:x}\": ", draws.bits()), Fault::Unreadable),
        1 => (unknown_name(motion), Fault::UnknownAlternative),
        2 => (every_option(motion, query), Fault::Ambiguous),
        _ => (String::new(), Fault::Empty),
    };
    simulated(raw, Err(fault), MindState::default())
}

/// A name that no alternative of the motion has.
fn unknown_name(motion: &Motion) -> String {
    let mut name = String::from("none_of_these");
    while motion.find(&name).is_some() {
        name.push('_');
    }
    name
}

/// The names of all options, in the order in which they are shown.
fn every_option(motion: &Motion, query: &Query<'_>) -> String {
    let names: Vec<&str> = query.ask.options().iter().map(|id| motion.name(*id).as_str()).collect();
    names.join(" or ")
}
