//! What people would be asked, before they are.

use std::collections::BTreeMap;

use crate::domain::Digest;
use crate::plan::{Plan, Resolved, Respondent, Sitter};
use crate::report::grouped;
use crate::session::{Forecast, Span};

/// More questions than this to one seat are worth a warning.
const MANY: u64 = 60;

/// The questions of one session that are put to people.
pub(super) fn asked(plan: &Plan, forecast: &Forecast) -> Span {
    let steps = forecast.steps.iter();
    let of_people = steps.filter(|asked| matches!(plan.respondent(asked.seat, asked.step), Respondent::Person(_)));
    of_people.map(|asked| asked.questions).fold(Span::of(0), Span::plus)
}

/// The person who would be asked most over all sessions, where that is much.
pub(super) fn asked_much(resolved: &Resolved, forecasts: &BTreeMap<Digest, Forecast>) -> Option<String> {
    let sessions = resolved.experiment.sessions_an_arm();
    let mut seats: BTreeMap<&str, (Span, u64)> = BTreeMap::new();
    for plan in &resolved.experiment.arms {
        let Some(forecast) = forecasts.get(&plan.digest) else { continue };
        let people = plan.seats.iter().enumerate().filter(|(_, seat)| matches!(seat.sitter, Sitter::Person(_)));
        for (place, seat) in people {
            let of_seat = forecast.steps.iter().filter(|asked| asked.seat.index() == place);
            let questions = of_seat.map(|asked| asked.questions).fold(Span::of(0), Span::plus).times(sessions);
            let (all, count) = seats.entry(seat.name.as_str()).or_insert((Span::of(0), 0));
            (*all, *count) = (all.plus(questions), *count + sessions);
        }
    }
    let (seat, (questions, sessions)) = seats.into_iter().max_by_key(|(_, (questions, _))| questions.high)?;
    (questions.high > MANY).then(|| {
        format!(
            "seats.{seat}: a person is asked {} to {} questions at the terminal, over {} sessions, one after the other",
            grouped(questions.low),
            grouped(questions.high),
            grouped(sessions)
        )
    })
}
