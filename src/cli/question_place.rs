//! The place of a question as a user writes it: `SEAT:PHASE@PASS:ROUND:STEP`.

use std::collections::BTreeSet;

use super::exit::Refusal;
use crate::config::{did_you_mean, suggest_word};
use crate::domain::{Moment, PhaseName, SeatId};
use crate::plan::Plan;

/// The form of a place, for messages.
const FORM: &str = "SEAT:PHASE@PASS:ROUND:STEP, in which all but the seat may be left out, such as Alice:ballot, \
                    Alice:talk:2:statement, Alice:guess@2 and Alice:ballot#2";

/// How many questions a message lists at most.
const LISTED_MAX: usize = 24;

/// The place of a question. What is `None` may be anything.
pub struct QuestionPlace {
    pub seat: SeatId,
    /// A phase or a step, written without the other.
    name: Option<String>,
    phase: Option<String>,
    round: Option<u32>,
    step: Option<String>,
    /// The number of the matching question, from 1.
    pub number: u32,
    /// The place as it was written.
    pub written: String,
}

impl QuestionPlace {
    /// Reads a place.
    ///
    /// # Errors
    /// A [`Refusal`] if the text has another form or names no seat.
    pub fn parse(plan: &Plan, text: &str) -> Result<Self, Refusal> {
        let refused = |reason: String| Refusal::wrong_input(format!("--show {text}: {reason}"));
        let Some((seat, rest)) = text.split_once(':') else { return Err(refused(format!("expected {FORM}"))) };
        let place = plan.seats.iter().position(|other| other.name.as_str() == seat).ok_or_else(|| {
            let names = || plan.seats.iter().map(|seat| seat.name.as_str());
            let all = names().take(20).collect::<Vec<_>>().join(", ");
            let hint = suggest_word(seat, names()).unwrap_or(format!("the seats are {all}"));
            refused(format!("no seat \"{seat}\"; {hint}"))
        })?;
        let (rest, number) = match rest.rsplit_once('#').filter(|(_, number)| !number.contains(':')) {
            None => (rest, 1),
            Some((rest, number)) => match number.parse() {
                Ok(number) if number > 0 => (rest, number),
                _ => return Err(refused(format!("{number:?} is not the number of a question, from 1"))),
            },
        };
        let mut place = Self {
            seat: SeatId(place as u32),
            name: None,
            phase: None,
            round: None,
            step: None,
            number,
            written: text.to_owned(),
        };
        let parts: Vec<&str> = rest.split(':').collect();
        let round = parts.iter().position(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(at) = round {
            let number = parts[at].parse();
            place.round = Some(number.map_err(|_| refused(format!("{:?} is not the number of a round", parts[at])))?);
        }
        let part = |text: &str| Some(text.to_owned());
        match (&parts[..], round) {
            ([phase, step], None) | ([phase, _, step], Some(1)) => {
                (place.phase, place.step) = (part(phase), part(step))
            }
            ([_, step], Some(0)) => place.step = part(step),
            ([name], None) | ([name, _], Some(1)) => place.name = part(name),
            ([_], Some(0)) => {}
            _ => return Err(refused(format!("expected {FORM}"))),
        }
        if parts.contains(&"") {
            return Err(refused(format!("expected {FORM}")));
        }
        Ok(place)
    }

    /// Whether a moment of the seat is at this place.
    pub fn matches_moment(&self, at: &Moment) -> bool {
        let is_name = |name: &String| is_phase(name, &at.phase) || is_step(name, at);
        self.name.as_ref().is_none_or(is_name)
            && self.phase.as_ref().is_none_or(|phase| is_phase(phase, &at.phase))
            && self.round.is_none_or(|round| round == at.round)
            && self.step.as_ref().is_none_or(|step| step == at.step.as_str())
    }

    /// Whether the place names another pass of a phase with numbered passes, by no number.
    pub fn names_other_pass_of(&self, phase: &PhaseName) -> bool {
        let is_number = |name: &PhaseName| name.pass().is_some_and(|pass| pass.parse::<u32>().is_ok());
        let named = self.phase.as_ref().or(self.name.as_ref()).map(|name| PhaseName::new(name));
        named.is_some_and(|named| named.is_other_pass_of(phase) && is_number(phase) && !is_number(&named))
    }

    /// The questions to choose from if there is none at this place: those at its phase, else at its step, else all.
    pub fn list_questions(&self, asked: &[Moment]) -> String {
        let name = self.phase.as_ref().or(self.name.as_ref());
        let written = name.map(|name| PhaseName::new(name).written().to_owned());
        let ways: [&dyn Fn(&Moment) -> bool; 4] = [
            &|at| name.is_some_and(|name| is_phase(name, &at.phase)),
            &|at| written.as_ref().is_some_and(|written| is_phase(written, &at.phase)),
            &|at| self.step.as_ref().or(written.as_ref()).is_some_and(|step| is_step(step, at)),
            &|_| true,
        ];
        let near = ways.into_iter().map(|fits| asked.iter().filter(|at| fits(at)).collect::<Vec<_>>());
        let near = near.into_iter().find(|near| !near.is_empty()).unwrap_or_default();
        let mut seen = BTreeSet::new();
        let mut all: Vec<String> = near.into_iter().map(write_moment).filter(|at| seen.insert(at.clone())).collect();
        let more = all.len().saturating_sub(LISTED_MAX);
        all.truncate(LISTED_MAX);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        all.join(", ") + &more
    }

    /// The names that a misspelt one may be meant for.
    pub fn suggest_name(&self, asked: &[Moment]) -> Option<String> {
        let phases = || asked.iter().flat_map(|at| [at.phase.occurrence(), at.phase.written()]);
        let steps = || asked.iter().map(|at| at.step.as_str());
        let is_known = |name: &str| {
            let written = PhaseName::new(name).written().to_owned();
            phases().chain(steps()).any(|known| known == written)
        };
        let suggest = |name: &Option<String>, known: &[&str]| {
            let name = name.as_ref().filter(|name| !is_known(name))?;
            did_you_mean(name, known.iter().copied())
        };
        let (phases, steps): (Vec<&str>, Vec<&str>) = (phases().collect(), steps().collect());
        suggest(&self.phase, &phases)
            .or_else(|| suggest(&self.step, &steps))
            .or_else(|| suggest(&self.name, &[phases, steps].concat()))
    }
}

/// Whether a name is that of the phase: of this occurrence, or of all of them.
fn is_phase(name: &str, phase: &PhaseName) -> bool {
    [phase.as_str(), phase.occurrence(), phase.written()].contains(&name)
}

/// Whether a name is that of the step, alone or with the round: `statement@2`.
fn is_step(name: &str, at: &Moment) -> bool {
    let (step, round) = name.split_once('@').map_or((name, None), |(step, round)| (step, Some(round)));
    step == at.step.as_str() && round.is_none_or(|round| round == at.round.to_string())
}

/// The place of a question without the seat, as a user would write it.
fn write_moment(at: &Moment) -> String {
    let phase = at.phase.occurrence();
    if at.round > 0 {
        format!("{phase}:{}:{}", at.round, at.step.as_str())
    } else {
        format!("{phase}:{}", at.step.as_str())
    }
}
