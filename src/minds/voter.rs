//! The voter model: everybody holds one alternative, and now and then copies what was heard.
//!
//! Source: Clifford and Sudbury 1973, "A model for spatial conflict", Biometrika 60(3); Holley and Liggett 1975, "Ergodic
//! theorems for weakly interacting infinite systems and the voter model", Annals of Probability 3(4). Here the neighbours are the
//! speakers of the brief, each as often as it was heard, and the moment of copying is the own turn to speak.

use crate::chance::{Purpose, SessionSeed};
use crate::domain::{
    AlternativeId, Answer, Ask, MindState, Moment, Motion, PhaseName, Query, QuestionId, SeatName, Step,
};
use crate::minds::{choice, noise_at, statement};

/// Answers a query. The state is one number: the alternative held.
pub(super) fn answer(copy_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    let held = held(motion, query.state).unwrap_or_else(|| first_opinion(motion, seed, &query.id.seat));
    match &query.ask {
        Ask::Statement { chars_min, .. } => {
            let held = copied(copy_ppm, motion, seed, query).unwrap_or(held);
            statement(query, words(motion, held, *chars_min), Some(held), kept(held))
        }
        _ => choice(motion, query, held, kept(held)),
    }
}

/// The alternative held so far; `None` before the first question.
fn held(motion: &Motion, state: &MindState) -> Option<AlternativeId> {
    let place = u32::try_from(*state.0.first()?).ok()?;
    (AlternativeId(place).index() < motion.alternatives.len()).then_some(AlternativeId(place))
}

fn kept(held: AlternativeId) -> MindState {
    MindState(vec![i64::from(held.0)])
}

/// The opinion a seat comes with. It is drawn at the moment of convening, so it is the same whichever question comes first.
fn first_opinion(motion: &Motion, seed: &SessionSeed, seat: &SeatName) -> AlternativeId {
    let convening = QuestionId {
        at: Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Convening },
        seat: seat.clone(),
        attempt: 0,
    };
    let place = seed.at(Purpose::Opinion, &convening, 0).below(motion.alternatives.len() as u64);
    AlternativeId(place as u32)
}

/// The heard stance that is adopted; `None` when nothing is copied or nothing was heard.
fn copied(copy_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Option<AlternativeId> {
    let mut draws = seed.at(Purpose::Choice, &noise_at(query), 0);
    if !draws.happens(copy_ppm) {
        return None;
    }
    let alternatives = 0..motion.alternatives.len() as u32;
    let heard: Vec<u64> = alternatives.map(|place| u64::from(query.brief.heard.count(AlternativeId(place)))).collect();
    heard.iter().any(|count| *count > 0).then(|| AlternativeId(draws.weighted(&heard) as u32))
}

/// Says what is held, as often as the least length asks for.
fn words(motion: &Motion, held: AlternativeId, chars_min: u32) -> String {
    let label = motion.alternatives[held.index()].label.as_str();
    let mut text = String::with_capacity(label.len() + 32);
    text.push_str("I favour: ");
    text.push_str(label);
    text.push('.');
    if text.len() < chars_min as usize * 4 {
        let sentence = text.clone();
        let mut left = (chars_min as usize).saturating_sub(text.chars().count());
        while left > 0 {
            text.push_str(" Again: ");
            text.push_str(&sentence);
            left = left.saturating_sub(sentence.chars().count() + 8);
        }
    }
    text
}
