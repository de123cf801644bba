//! Laws of the memory: what a seat is shown is within its limits, newest first, and counted truly.

use ekklesia::domain::{Alternative, AlternativeId, AlternativeName, Keepsake, Motion, PhaseName, SeatId, Seq};
use ekklesia::memory::{Memory, MemoryLimits, RENDERED_LIMIT_MIN, Said, guidance};
use proptest::prelude::*;

const SEATS: usize = 3;
const NAMES: [&str; SEATS] = ["Alice", "Bob", "Čeněk"];

#[derive(Debug, Clone)]
enum Happening {
    Said { speaker: usize, text: String, stance: Option<u32> },
    Announced(String),
    Voted { seat: usize, choice: Option<u32> },
}

fn motion() -> Motion {
    let alternative =
        |name: &str| Alternative { name: AlternativeName::new(name), label: name.to_owned(), status_quo: false };
    Motion { text: "Yes or no?".to_owned(), alternatives: vec![alternative("for"), alternative("against")] }
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let text = prop_oneof!["\\PC{1,40}", "[a-z ]{1,600}", "(👨‍👩‍👧|é|漢字 ){1,80}"];
    let one = prop_oneof![
        4 => (0..SEATS, text.clone(), proptest::option::of(0..2u32))
            .prop_map(|(speaker, text, stance)| Happening::Said { speaker, text, stance }),
        1 => text.prop_map(Happening::Announced),
        2 => (0..SEATS, proptest::option::of(0..2u32)).prop_map(|(seat, choice)| Happening::Voted { seat, choice }),
    ];
    proptest::collection::vec(one, 0..60)
}

fn limits() -> impl Strategy<Value = MemoryLimits> {
    (4..400u32, any::<bool>(), RENDERED_LIMIT_MIN..2000, RENDERED_LIMIT_MIN..3000).prop_map(
        |(statement_max_length, enable_truncation, memory_character_limit, public_history_max_length)| MemoryLimits {
            statement_max_length,
            enable_truncation,
            memory_character_limit,
            public_history_max_length,
        },
    )
}

fn happen(memory: &mut Memory, number: usize, happening: &Happening, motion: &Motion) {
    let seq = Seq(number as u64);
    let (round, turn) = (number as u32 / 7, number as u32 % 7 + 1);
    match happening {
        Happening::Said { speaker, text, stance } => memory.witness(
            Said { seq, round, turn, speaker: Some(SeatId(*speaker as u32)) },
            NAMES[*speaker],
            text,
            stance.map(AlternativeId),
        ),
        Happening::Announced(text) => {
            memory.witness(Said { seq, round, turn: 0, speaker: None }, "", text, None);
        }
        Happening::Voted { seat, choice } => {
            let what = Keepsake::Ballot(choice.map(AlternativeId));
            memory.keep(SeatId(*seat as u32), (seq, &PhaseName::new("vote"), round), what, motion);
        }
    }
}

fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

proptest! {
    #[test]
    fn what_is_shown_keeps_every_limit_after_every_event(limits in limits(), events in happenings()) {
        let motion = motion();
        let mut memory = Memory::new(limits, SEATS, 2);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening, &motion);
            for seat in 0..SEATS {
                let (brief, shown) = memory.recall(SeatId(seat as u32));
                let floor: u64 = brief.remarks.iter()
                    .map(|remark| chars(&guidance::remark_line(remark, remark.speaker.map_or("", |s| NAMES[s.index()]))))
                    .sum();
                let own: u64 = brief.own.iter().map(|entry| chars(&guidance::own_line(entry, &motion))).sum();
                prop_assert!(floor <= limits.public_history_max_length, "{floor} on the floor");
                prop_assert!(floor + own <= limits.memory_character_limit, "{floor} + {own} in all");
                prop_assert_eq!(shown.floor.len(), brief.remarks.len());
                prop_assert_eq!(shown.own.len(), brief.own.len());
                prop_assert_eq!(shown.omitted, shown.floor.start + shown.own.start);
            }
        }
    }

    #[test]
    fn the_newest_thing_a_seat_witnessed_is_always_shown(limits in limits(), events in happenings()) {
        let motion = motion();
        let mut memory = Memory::new(limits, SEATS, 2);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening, &motion);
            let seq = Seq(number as u64);
            match happening {
                Happening::Voted { seat, .. } => {
                    let (brief, _) = memory.recall(SeatId(*seat as u32));
                    prop_assert_eq!(brief.own.last().map(|entry| entry.seq), Some(seq));
                }
                _ => for seat in 0..SEATS {
                    let (brief, _) = memory.recall(SeatId(seat as u32));
                    prop_assert_eq!(brief.remarks.last().map(|remark| remark.seq), Some(seq));
                }
            }
        }
    }

    #[test]
    fn nothing_is_left_out_that_would_still_fit(limits in limits(), events in happenings()) {
        let motion = motion();
        let mut memory = Memory::new(limits, SEATS, 2);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening, &motion);
        }
        let (brief, shown) = memory.recall(SeatId(0));
        let line = |place: usize| {
            let remark = &memory.remarks()[place];
            chars(&guidance::remark_line(remark, remark.speaker.map_or("", |s| NAMES[s.index()])))
        };
        let used: u64 = (shown.floor.start..shown.floor.end).map(|place| line(place as usize)).sum::<u64>()
            + brief.own.iter().map(|entry| chars(&guidance::own_line(entry, &motion))).sum::<u64>();
        let (dropped, _) = memory.dropped();
        // The newest thing left out of this seat's brief, among what the public history still holds.
        let newest_out = (shown.floor.start > dropped).then(|| shown.floor.start as usize - 1);
        if let Some(place) = newest_out && shown.own.start == 0 {
            prop_assert!(used + line(place) > limits.memory_character_limit);
        }
    }

    #[test]
    fn a_seat_whose_model_cannot_take_more_is_shown_half(limits in limits(), events in happenings()) {
        let motion = motion();
        let mut memory = Memory::new(limits, SEATS, 2);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening, &motion);
        }
        let shown = |memory: &Memory, seat: u32| -> u64 {
            let (brief, _) = memory.recall(SeatId(seat));
            let name = |speaker: Option<SeatId>| speaker.map_or("", |speaker| NAMES[speaker.index()]);
            let floor = brief.remarks.iter().map(|remark| chars(&guidance::remark_line(remark, name(remark.speaker))));
            let own = brief.own.iter().map(|entry| chars(&guidance::own_line(entry, &motion)));
            floor.sum::<u64>() + own.sum::<u64>()
        };
        let (before, others) = (shown(&memory, 0), shown(&memory, 1));
        memory.halve(SeatId(0));
        prop_assert!(shown(&memory, 0) <= (before / 2).max(RENDERED_LIMIT_MIN));
        prop_assert_eq!(shown(&memory, 1), others, "nobody else is shown less");
    }

    #[test]
    fn heard_stances_are_those_of_others_in_what_is_shown(limits in limits(), events in happenings()) {
        let motion = motion();
        let mut memory = Memory::new(limits, SEATS, 2);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening, &motion);
        }
        for seat in (0..SEATS as u32).map(SeatId) {
            let (brief, _) = memory.recall(seat);
            for alternative in (0..2).map(AlternativeId) {
                let counted = brief.remarks.iter()
                    .filter(|remark| remark.speaker != Some(seat) && remark.stance == Some(alternative))
                    .count();
                prop_assert_eq!(brief.heard.count(alternative) as usize, counted);
            }
        }
    }
}
