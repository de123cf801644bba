//! Derives session seeds and the random streams below them; nothing is stored between draws.

use std::sync::OnceLock;

use crate::chance::coordinate::{put_coordinate, put_name};
use crate::chance::{DrawPurpose, Draws};
use crate::domain::{Moment, QuestionId, Step};

/// The BLAKE3 context of session seeds.
const SESSION_CONTEXT: &str = "ekklesia session seed v1";

/// Marks an absent part of the key; 1 precedes a present part.
const ABSENT: u8 = 0;

/// Whether the arms of a design share their draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Pairing {
    /// A replicate has equal draws in every arm.
    CommonRandomNumbers,
    /// Every arm has its own draws.
    Independent,
}

/// The seed of one session.
///
/// Draws at the step `convening` use the seed of the panel's first session, so that its agents return in later waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionSeed {
    own: [u8; 32],
    convening: [u8; 32],
}

/// Derives the seed of a session from the experiment's seed, the replicate (from 1) and, with independent arms, the arm.
///
/// The key is BLAKE3 in key-derivation mode under the context `ekklesia session seed v1` of: the experiment's seed (`u64`), the
/// replicate (`u32`), the arm, the item, the wave and the branch; numbers little-endian. Each of the last four is the byte 0 if
/// absent, else the byte 1 and its value (for a name: its length as a `u32`, then its UTF-8). The arm is absent under
/// [`Pairing::CommonRandomNumbers`]. Only a [`SessionKey`] sets the item and the wave, and only [`SessionKey::branch_seed`]
/// the branch (`u32`).
///
/// ```
/// use ekklesia::chance::{Pairing, session_seed};
///
/// let paired = |arm| session_seed(42, 1, Pairing::CommonRandomNumbers, arm);
/// assert_eq!(paired("unanimity"), paired("majority"));
/// ```
pub fn session_seed(experiment: u64, replicate: u32, pairing: Pairing, arm: &str) -> SessionSeed {
    SessionKey { experiment, replicate, pairing, arm, item: None, wave: None }.seed()
}

/// The coordinates of a session, from which its seed derives.
#[derive(Debug, Clone, Copy)]
pub struct SessionKey<'a> {
    /// The experiment's seed.
    pub experiment: u64,
    /// The replicate, from 1.
    pub replicate: u32,
    /// Whether arms share their draws.
    pub pairing: Pairing,
    /// The arm.
    pub arm: &'a str,
    /// The item; `None` in an experiment without items.
    pub item: Option<&'a str>,
    /// The wave of a panel, from 1; `None` without a panel.
    pub wave: Option<u32>,
}

impl SessionKey<'_> {
    /// The seed of the session, see [`session_seed`]. The first wave has the seed of a session without a panel. In later waves, only
    /// draws at the step `convening` repeat those of the first wave.
    pub fn seed(&self) -> SessionSeed {
        let convening = self.derive_key(None, None);
        match self.wave {
            None | Some(0 | 1) => SessionSeed::from_key(convening),
            Some(_) => SessionSeed { own: self.derive_key(self.wave, None), convening },
        }
    }

    /// The seed of a branch of the session. Draws at the step `convening` are those of the session: its agents are the same.
    pub fn branch_seed(&self, branch: u32) -> SessionSeed {
        let wave = self.wave.filter(|wave| *wave > 1);
        SessionSeed { own: self.derive_key(wave, Some(branch)), convening: self.seed().convening }
    }

    fn derive_key(&self, wave: Option<u32>, branch: Option<u32>) -> [u8; 32] {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&self.experiment.to_le_bytes());
        bytes.extend_from_slice(&self.replicate.to_le_bytes());
        let arm = (self.pairing == Pairing::Independent).then_some(self.arm);
        for name in [arm, self.item] {
            match name {
                None => bytes.push(ABSENT),
                Some(name) => {
                    bytes.push(1);
                    put_name(name, &mut bytes);
                }
            }
        }
        for number in [wave, branch] {
            match number {
                None => bytes.push(ABSENT),
                Some(number) => {
                    bytes.push(1);
                    bytes.extend_from_slice(&number.to_le_bytes());
                }
            }
        }
        blake3::derive_key(SESSION_CONTEXT, &bytes)
    }
}

/// A stream that was opened.
#[derive(Debug, Clone, Copy)]
pub struct OpenedStream<'a> {
    /// The seed of the stream.
    pub seed: &'a [u8; 32],
    /// The stream's purpose.
    pub purpose: DrawPurpose,
    /// The moment.
    pub at: &'a Moment,
    /// The seat; empty if the draw belongs to no seat.
    pub seat: &'a str,
    /// The attempt of the question, from 0.
    pub attempt: u8,
    /// The item within the question.
    pub item: u32,
    /// The first 64 bits.
    pub first: u64,
}

static OBSERVER: OnceLock<fn(&OpenedStream<'_>)> = OnceLock::new();

/// Calls `observe` for every stream opened from now on, in any thread. The observer cannot change a draw. Only the first call in
/// a process has an effect.
pub fn observe_streams(observe: fn(&OpenedStream<'_>)) {
    OBSERVER.get_or_init(|| observe);
}

impl SessionSeed {
    fn from_key(key: [u8; 32]) -> Self {
        Self { own: key, convening: key }
    }

    /// Opens the stream for a purpose at a question, and an item within it. If the speaking order must not change the draw,
    /// the caller sets turn 0.
    ///
    /// The stream is ChaCha8 under the key BLAKE3(session seed; purpose ‖ canonical question id ‖ item): the purpose is its name
    /// after its length as a `u32`, and the item is a `u32`, little-endian.
    pub fn at_question(&self, purpose: DrawPurpose, question: &QuestionId, item: u32) -> Draws {
        self.open_stream(purpose, &question.at, question.seat.as_str(), question.attempt, item)
    }

    /// Opens the stream for a purpose at a moment, without a seat: its seat name is empty.
    pub fn at_moment(&self, purpose: DrawPurpose, moment: &Moment, item: u32) -> Draws {
        self.open_stream(purpose, moment, "", 0, item)
    }

    /// Draws a lot: the first 64 bits of the stream at item 0.
    ///
    /// If each thing draws a lot under its own name, adding one leaves the order of the others unchanged.
    pub fn draw_lot(&self, purpose: DrawPurpose, question: &QuestionId) -> u64 {
        self.at_question(purpose, question, 0).next_bits()
    }

    /// The seed as bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.own
    }

    fn open_stream(&self, purpose: DrawPurpose, at: &Moment, seat: &str, attempt: u8, item: u32) -> Draws {
        let key = if at.step == Step::Convening { &self.convening } else { &self.own };
        // One hash call: simulated sessions run this code most often.
        let mut bytes = Vec::with_capacity(128);
        put_name(purpose.as_str(), &mut bytes);
        put_coordinate(at, seat, attempt, &mut bytes);
        bytes.extend_from_slice(&item.to_le_bytes());
        let draws = Draws::from_key(*blake3::keyed_hash(key, &bytes).as_bytes());
        if let Some(observe) = OBSERVER.get() {
            observe(&OpenedStream { seed: key, purpose, at, seat, attempt, item, first: draws.clone().next_bits() });
        }
        draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::canonical_bytes;
    use crate::domain::{PhaseName, SeatName};
    use proptest::prelude::*;

    const BASELINE: SessionKey<'_> = SessionKey {
        experiment: 42,
        replicate: 7,
        pairing: Pairing::CommonRandomNumbers,
        arm: "baseline",
        item: None,
        wave: None,
    };

    fn question(phase: &str, round: u32, turn: u32, step: Step, seat: &str, attempt: u8) -> QuestionId {
        QuestionId {
            at: Moment { phase: PhaseName::new(phase), round, turn, step },
            seat: SeatName::new(seat),
            attempt,
        }
    }

    fn sample() -> QuestionId {
        question("discussion", 3, 2, Step::Statement, "Bob", 0)
    }

    #[test]
    fn a_session_seed_is_the_documented_key() {
        let mut key = Vec::new();
        key.extend(42u64.to_le_bytes());
        key.extend(7u32.to_le_bytes());
        key.extend([0; 4]);
        let shared = session_seed(42, 7, Pairing::CommonRandomNumbers, "baseline");
        assert_eq!(*shared.as_bytes(), blake3::derive_key("ekklesia session seed v1", &key));

        let mut key = key[..12].to_vec();
        let mut of_item = key.clone();
        of_item.extend(b"\0\x01\x02\0\0\0q1\0\0");
        let item = SessionKey { item: Some("q1"), ..BASELINE };
        assert_eq!(*item.seed().as_bytes(), blake3::derive_key("ekklesia session seed v1", &of_item));
        key.extend(b"\x01\x08\0\0\0baseline\0\0\0");
        let own = session_seed(42, 7, Pairing::Independent, "baseline");
        assert_eq!(*own.as_bytes(), blake3::derive_key("ekklesia session seed v1", &key));
    }

    #[test]
    fn waves_draw_apart_but_seats_come_with_the_same() {
        let [first, second] = [1, 2].map(|wave| SessionKey { wave: Some(wave), ..BASELINE }.seed());
        assert_eq!(first, BASELINE.seed());
        let mut key = Vec::new();
        key.extend(42u64.to_le_bytes());
        key.extend(7u32.to_le_bytes());
        key.extend(b"\0\0\x01\x02\0\0\0\0");
        assert_eq!(*second.as_bytes(), blake3::derive_key("ekklesia session seed v1", &key));
        let of_person = question("session", 0, 0, Step::Convening, "Bob", 0);
        assert_eq!(first.draw_lot(DrawPurpose::Choice, &of_person), second.draw_lot(DrawPurpose::Choice, &of_person));
        assert_ne!(first.draw_lot(DrawPurpose::Choice, &sample()), second.draw_lot(DrawPurpose::Choice, &sample()));
    }

    #[test]
    fn a_branch_draws_apart_but_for_who_its_agents_are() {
        let (own, second, third) = (BASELINE.seed(), BASELINE.branch_seed(2), BASELINE.branch_seed(3));
        let mut bytes = Vec::new();
        bytes.extend(42u64.to_le_bytes());
        bytes.extend(7u32.to_le_bytes());
        bytes.extend(b"\0\0\0\x01\x02\0\0\0");
        assert_eq!(*second.as_bytes(), blake3::derive_key("ekklesia session seed v1", &bytes));
        let of_person = question("session", 0, 0, Step::Convening, "Bob", 0);
        let firsts = |at: &QuestionId| [own, second, third].map(|seed| seed.draw_lot(DrawPurpose::Choice, at));
        let [a, b, c] = firsts(&of_person);
        assert!(a == b && b == c, "the same agents take part in every branch");
        let [a, b, c] = firsts(&sample());
        assert!(a != b && b != c && a != c);
        let later = SessionKey { wave: Some(3), ..BASELINE };
        assert_ne!(later.branch_seed(2).as_bytes(), second.as_bytes());
        assert_eq!(
            later.branch_seed(2).draw_lot(DrawPurpose::Trait, &of_person),
            own.draw_lot(DrawPurpose::Trait, &of_person)
        );
    }

    #[test]
    fn a_stream_is_the_documented_key() {
        let seed = session_seed(1, 1, Pairing::CommonRandomNumbers, "baseline");
        let mut key = b"\x06\0\0\0choice".to_vec();
        key.extend(canonical_bytes(&sample()));
        key.extend(5u32.to_le_bytes());
        let mut expected = Draws::from_key(*blake3::keyed_hash(seed.as_bytes(), &key).as_bytes());
        assert_eq!(seed.at_question(DrawPurpose::Choice, &sample(), 5).next_bits(), expected.next_bits());
    }

    #[test]
    fn a_lot_is_the_first_draw_of_its_stream() {
        let seed = session_seed(1, 1, Pairing::CommonRandomNumbers, "baseline");
        assert_eq!(
            seed.draw_lot(DrawPurpose::SpeakingOrder, &sample()),
            seed.at_question(DrawPurpose::SpeakingOrder, &sample(), 0).next_bits()
        );
    }

    #[test]
    fn a_moment_draws_as_a_seat_without_a_name() {
        let seed = session_seed(1, 1, Pairing::CommonRandomNumbers, "baseline");
        let nobody = question("vote", 0, 0, Step::Tally, "", 0);
        assert_eq!(
            seed.at_moment(DrawPurpose::TieBreak, &nobody.at, 4).next_bits(),
            seed.at_question(DrawPurpose::TieBreak, &nobody, 4).next_bits()
        );
    }

    #[test]
    fn every_part_of_a_coordinate_makes_another_stream() {
        let seed = session_seed(1, 1, Pairing::CommonRandomNumbers, "baseline");
        let mut firsts: Vec<u64> =
            DrawPurpose::ALL.iter().map(|p| seed.at_question(*p, &sample(), 0).next_bits()).collect();
        let others = [
            question("ballot", 3, 2, Step::Statement, "Bob", 0),
            question("discussion", 4, 2, Step::Statement, "Bob", 0),
            question("discussion", 3, 1, Step::Statement, "Bob", 0),
            question("discussion", 3, 2, Step::Ballot, "Bob", 0),
            question("discussion", 3, 2, Step::Statement, "Bo", 0),
            question("discussion", 3, 2, Step::Statement, "Bob", 1),
        ];
        firsts.extend(others.iter().map(|other| seed.at_question(DrawPurpose::Choice, other, 0).next_bits()));
        firsts.push(seed.at_question(DrawPurpose::Choice, &sample(), 1).next_bits());
        for other in [
            session_seed(2, 1, Pairing::CommonRandomNumbers, "baseline"),
            session_seed(1, 2, Pairing::CommonRandomNumbers, "baseline"),
            session_seed(1, 1, Pairing::Independent, "baseline"),
            session_seed(1, 1, Pairing::Independent, "other"),
        ] {
            firsts.push(other.at_question(DrawPurpose::Choice, &sample(), 0).next_bits());
        }
        let count = firsts.len();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), count);
    }

    proptest! {
        #[test]
        fn the_arm_moves_nothing_under_common_random_numbers(seed: u64, replicate: u32, a: String, b: String) {
            prop_assert_eq!(
                session_seed(seed, replicate, Pairing::CommonRandomNumbers, &a),
                session_seed(seed, replicate, Pairing::CommonRandomNumbers, &b)
            );
        }

        #[test]
        fn independent_arms_have_independent_seeds(seed: u64, replicate: u32, a: String, b: String) {
            let seed_of = |arm: &str| session_seed(seed, replicate, Pairing::Independent, arm);
            prop_assert_eq!(seed_of(&a) == seed_of(&b), a == b);
        }

        #[test]
        fn replicates_draw_apart(seed: u64, a: u32, b: u32) {
            prop_assume!(a != b);
            let first = |replicate| {
                session_seed(seed, replicate, Pairing::CommonRandomNumbers, "x").draw_lot(DrawPurpose::Choice, &sample())
            };
            prop_assert_ne!(first(a), first(b));
        }
    }
}
