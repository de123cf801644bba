//! Motions and questions that unit tests of several modules share.

use super::*;

pub(crate) fn make_alternative(name: &str, label: &str) -> Alternative {
    let (name, label) = (AlternativeName::new(name), label.to_owned());
    Alternative { name, label, status_quo: false, takes_amount: false, said: None }
}

/// A motion in English, with amounts from 1 to the last argument.
pub(crate) fn make_motion(text: &str, alternatives: Vec<Alternative>, amount_max: Option<u32>) -> Motion {
    let (text, language) = (text.to_owned(), Language::En);
    Motion { text, alternatives, amount_max, amount_min: 1, unit: None, language }
}

/// A statement without marks and opinions.
pub(crate) fn ask_statement(options: Vec<AlternativeId>, chars_min: u32) -> Ask {
    Ask::Statement { options, chars_min, chars_max: None, marks: false, opinion: false }
}

/// A ballot without reasons from a seat that may not abstain.
pub(crate) fn ask_ballot(options: Vec<AlternativeId>, form: BallotForm) -> Ask {
    Ask::Ballot { options, form, may_abstain: false, asks_reasons: false }
}

/// A first question in phase `at` to Bob, the second seat, who heard nothing.
pub(crate) fn make_query<'a>(at: (&str, u32, u32), ask: Ask, state: &'a MindState) -> Query<'a> {
    let (phase, round, turn) = at;
    let step = ask.step();
    Query {
        id: QuestionId {
            at: Moment { phase: PhaseName::new(phase), round, turn, step },
            seat: SeatName::new("Bob"),
            attempt: 0,
        },
        seat: SeatId(1),
        ask,
        motion: None,
        offer: Offer::NONE,
        retry: None,
        retry_field: None,
        room: Room::Planned,
        brief: Brief {
            style: GuidanceStyle::Narrative,
            seat: SeatId(1),
            remarks: Remarks::default(),
            summaries: Stretch::default(),
            since: Vec::new(),
            standing: None,
            pinned: &[],
            own: Stretch::default(),
            heard: Heard {
                all: (&[], &[]),
                own: (&[], &[]),
                amounts: [].as_slice().into(),
                from: 0,
                ..Heard::default()
            },
            recalled: Vec::new(),
            found: None,
            signal: None,
            facts: &[],
            case: &[],
            is_cut: false,
            full_from: None,
        },
        shown: Shown::default(),
        pushes: None,
        first: First::Own,
        truth: None,
        sample: 0,
        audience: None,
        open: OpenBallots::Never,
        rule: None,
        ruled: Default::default(),
        departed: false,
        state,
        chosen: &[],
    }
}
