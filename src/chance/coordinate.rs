//! The byte encoding of a random stream's coordinate.
//!
//! Every recorded result depends on these bytes. They therefore contain names as spelled in files, never enum positions.

use strum::VariantArray;

use crate::domain::{Moment, QuestionId, spelled};

/// What a stream is drawn for. Each purpose has its own streams, whose keys hold the name of the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum DrawPurpose {
    /// The speaking order.
    SpeakingOrder,
    /// The order of options in a question.
    OptionOrder,
    /// The winner of a tie.
    TieBreak,
    /// A mind's opinion before the session.
    Opinion,
    /// A mind's choice.
    Choice,
    /// Whether a reply is malformed.
    Malformed,
    /// The words of a simulated statement, for display only.
    Words,
    /// The persona of a seat.
    Persona,
    /// A trait of a mind.
    Trait,
    /// The rewired links of a network and their new ends.
    Network,
    /// The order in which seats are asked whether they call a vote.
    VoteCall,
    /// The multiplier of incomes.
    Multiplier,
    /// A seat's income class.
    Class,
    /// The table that pays a seat if the group decided nothing.
    Table,
    /// The correct answer.
    Truth,
    /// The alternative that a seat's private evidence supports.
    Signal,
    /// The distribution of facts among seats.
    Deal,
    /// Whether a mind abstains.
    Abstention,
    /// A draw of a computed value.
    Computed,
    /// The letters of texts.
    Letters,
    /// The order of the things that a block takes place for.
    Things,
    /// Which seats come together in a group.
    Grouping,
    /// The seed that a model's server samples a reply with.
    ModelSeed,
}

impl DrawPurpose {
    /// Every purpose once.
    pub const ALL: &'static [DrawPurpose] = Self::VARIANTS;
}

spelled!(DrawPurpose);

/// Encodes a question id as canonical bytes.
///
/// The order is: phase name, round, turn, step name, seat name, attempt. A name is its length in bytes as a `u32`, then its
/// UTF-8. A number is a `u32`, the attempt one byte. All numbers are little-endian. The encoding is injective.
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

/// Appends the canonical bytes of a coordinate. An empty seat name means "no seat".
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
/// If the name has 4 GiB or more, which no plan allows.
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
