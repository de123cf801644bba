//! The bytes under which a stream is found.
//!
//! They are part of every result ever drawn, so they name things by their spelling in files and never by a position in an enum.

use crate::domain::{Moment, QuestionId};

/// What a stream is drawn for. A purpose never reads another's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawPurpose {
    /// Who speaks when.
    SpeakingOrder,
    /// In which order options are shown.
    OptionOrder,
    /// Which of tied winners is taken.
    TieBreak,
    /// What a mind thinks before the session.
    Opinion,
    /// What a mind chooses.
    Choice,
    /// Whether a reply is malformed.
    Malformed,
    /// The words of a simulated statement: display only.
    Words,
    /// Which persona sits on a seat.
    Persona,
    /// A trait of a mind.
    Trait,
    /// Which links of a network are moved, and whereto.
    Network,
    /// In which order seats are asked whether they call a vote.
    VoteCall,
    /// What incomes are multiplied with.
    Multiplier,
    /// Which income class a seat finds itself in.
    Class,
    /// Which table a seat is paid from where nothing was decided.
    Table,
    /// Which answer is right.
    Truth,
    /// Which alternative a seat's private evidence points to.
    Signal,
    /// Which seat holds which fact.
    Deal,
    /// Who gets what rounding leaves of a common stock.
    Ration,
    /// Whether a mind abstains.
    Abstention,
    /// By what a model's server draws the words of a reply.
    ModelSeed,
}

impl DrawPurpose {
    /// Every purpose, each once.
    pub const ALL: [DrawPurpose; 20] = [
        DrawPurpose::SpeakingOrder,
        DrawPurpose::OptionOrder,
        DrawPurpose::TieBreak,
        DrawPurpose::Opinion,
        DrawPurpose::Choice,
        DrawPurpose::Malformed,
        DrawPurpose::Words,
        DrawPurpose::Persona,
        DrawPurpose::Trait,
        DrawPurpose::Network,
        DrawPurpose::VoteCall,
        DrawPurpose::Multiplier,
        DrawPurpose::Class,
        DrawPurpose::Table,
        DrawPurpose::Truth,
        DrawPurpose::Signal,
        DrawPurpose::Deal,
        DrawPurpose::Ration,
        DrawPurpose::Abstention,
        DrawPurpose::ModelSeed,
    ];

    /// The name under which its streams are keyed.
    pub fn as_str(self) -> &'static str {
        match self {
            DrawPurpose::SpeakingOrder => "speaking_order",
            DrawPurpose::OptionOrder => "option_order",
            DrawPurpose::TieBreak => "tie_break",
            DrawPurpose::Opinion => "opinion",
            DrawPurpose::Choice => "choice",
            DrawPurpose::Malformed => "malformed",
            DrawPurpose::Words => "words",
            DrawPurpose::Persona => "persona",
            DrawPurpose::Trait => "trait",
            DrawPurpose::Network => "network",
            DrawPurpose::VoteCall => "vote_call",
            DrawPurpose::Multiplier => "multiplier",
            DrawPurpose::Class => "class",
            DrawPurpose::Table => "table",
            DrawPurpose::Truth => "truth",
            DrawPurpose::Signal => "signal",
            DrawPurpose::Deal => "deal",
            DrawPurpose::Ration => "ration",
            DrawPurpose::Abstention => "abstention",
            DrawPurpose::ModelSeed => "model_seed",
        }
    }
}

/// The canonical bytes of a question id.
///
/// In this order: phase name, round, turn, step name, seat name, attempt. A name is its length in bytes as a `u32`, then its
/// UTF-8; a number is a `u32`, the attempt one byte; all little-endian. Every field tells where it ends, so two ids have the
/// same bytes only when they are equal.
///
/// ```
/// use ekklesia::chance::canonical_bytes;
/// use ekklesia::domain::{Moment, PhaseName, QuestionId, SeatName, Step};
///
/// let at = Moment { phase: PhaseName::new("vote"), round: 1, turn: 0, step: Step::Ballot };
/// let bytes = canonical_bytes(&QuestionId { at, seat: SeatName::new("Bob"), attempt: 2 });
/// assert_eq!(bytes, b"\x04\0\0\0vote\x01\0\0\0\0\0\0\0\x06\0\0\0ballot\x03\0\0\0Bob\x02");
/// ```
pub fn canonical_bytes(question: &QuestionId) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_coordinate(&question.at, question.seat.as_str(), question.attempt, &mut bytes);
    bytes
}

/// Appends the canonical bytes of a coordinate. The empty seat name stands for "no seat": no seat has it.
pub(super) fn put_coordinate(at: &Moment, seat: &str, attempt: u8, bytes: &mut Vec<u8>) {
    put_name(at.phase.as_str(), bytes);
    bytes.extend_from_slice(&at.round.to_le_bytes());
    bytes.extend_from_slice(&at.turn.to_le_bytes());
    put_name(at.step.as_str(), bytes);
    put_name(seat, bytes);
    bytes.push(attempt);
}

/// Appends a name after its length.
///
/// # Panics
/// When the name is 4 GiB or longer, which no plan admits.
pub(super) fn put_name(name: &str, bytes: &mut Vec<u8>) {
    let length = u32::try_from(name.len()).expect("invariant: a name is shorter than 4 GiB");
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(name.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{PhaseName, SeatName, Step};
    use proptest::prelude::*;

    fn id(phase: &str, round: u32, turn: u32, step: Step, seat: &str, attempt: u8) -> QuestionId {
        QuestionId {
            at: Moment { phase: PhaseName::new(phase), round, turn, step },
            seat: SeatName::new(seat),
            attempt,
        }
    }

    fn any_step() -> impl Strategy<Value = Step> {
        prop::sample::select(vec![Step::Convening, Step::Order, Step::Statement, Step::StrawPoll, Step::Ballot])
    }

    proptest! {
        #[test]
        fn equal_canonical_bytes_mean_equal_ids(
            // Few letters and small numbers, so that near collisions are common.
            a in ("[ab\\x00]{0,3}", 0u32..3, 0u32..3, any_step(), "[ab\\x00]{0,3}", 0u8..3),
            b in ("[ab\\x00]{0,3}", 0u32..3, 0u32..3, any_step(), "[ab\\x00]{0,3}", 0u8..3),
        ) {
            let a = id(&a.0, a.1, a.2, a.3, &a.4, a.5);
            let b = id(&b.0, b.1, b.2, b.3, &b.4, b.5);
            prop_assert_eq!(canonical_bytes(&a) == canonical_bytes(&b), a == b);
        }
    }

    #[test]
    fn every_purpose_has_its_own_name() {
        let mut names: Vec<_> = DrawPurpose::ALL.iter().map(|purpose| purpose.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DrawPurpose::ALL.len());
    }
}
