//! What is written reads back, whatever it holds.

use ekklesia::domain::{
    AlternativeName, Base, Consequence, Digest, Event, Fault, Given, MindState, Moment, PhaseKindName, PhaseName,
    Record, RuleKind, SeatName, Seq, Shown, Step, StopReason, TallyCount, TallyReport, TieBreak, Usage, Verdict,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn name() -> impl Strategy<Value = AlternativeName> {
    "[a-z_]{1,8}".prop_map(|text| AlternativeName::new(&text))
}

fn names() -> impl Strategy<Value = Vec<AlternativeName>> {
    proptest::collection::vec(name(), 0..4)
}

fn given() -> impl Strategy<Value = Given> {
    let usage = (any::<u64>(), any::<u64>())
        .prop_map(|(prompt_tokens, completion_tokens)| Usage { prompt_tokens, completion_tokens });
    let shown =
        (any::<[u32; 4]>(), any::<u32>()).prop_map(|([a, b, c, d], omitted)| Shown { floor: a..b, own: c..d, omitted });
    let state = proptest::collection::vec(any::<i64>(), 0..3).prop_map(MindState);
    (shown, option::of(usage), option::of(any::<String>()), state)
        .prop_map(|(shown, usage, model_served, state)| Given { shown, usage, model_served, state })
}

fn tally() -> impl Strategy<Value = TallyReport> {
    let counts = proptest::collection::vec((name(), any::<u32>()), 0..4);
    let rule = select(vec![RuleKind::Unanimity, RuleKind::Majority, RuleKind::Plurality]);
    let base = select(vec![Base::Members, Base::Valid]);
    let tie = select(vec![TieBreak::Lot, TieBreak::AgendaOrder, TieBreak::StatusQuo, TieBreak::NoDecision]);
    (rule, base, any::<[u32; 4]>(), option::of(any::<u32>()), counts, names(), option::of(tie), option::of(name()))
        .prop_map(
            |(rule, base, [eligible, valid, invalid, abstained], threshold, counts, winners, tie_break, decided)| {
                TallyReport {
                    rule,
                    base,
                    eligible,
                    valid,
                    invalid,
                    abstained,
                    threshold,
                    counts: counts.into_iter().map(|(alternative, count)| TallyCount { alternative, count }).collect(),
                    winners,
                    tie_break,
                    decided,
                }
            },
        )
}

const FAULTS: [Fault; 8] = [
    Fault::Unreadable,
    Fault::UnknownAlternative,
    Fault::Ambiguous,
    Fault::Empty,
    Fault::TooShort,
    Fault::Refused,
    Fault::CutByLength,
    Fault::ContextTooLong,
];

/// One strategy a kind of event. The match makes a new kind a compile error here.
fn event() -> impl Strategy<Value = Event> {
    let kinds = vec![PhaseKindName::Brief, PhaseKindName::Ask, PhaseKindName::Discussion, PhaseKindName::Ballot];
    let verdicts = vec![Verdict::Carried, Verdict::NoDecision, Verdict::NotApplicable];
    let stops = vec![StopReason::Decided, StopReason::RoundsUsedUp, StopReason::Undecided, StopReason::AgendaDone];
    let seats = proptest::collection::vec("\\PC{1,9}".prop_map(|text| SeatName::new(&text)), 0..5);
    prop_oneof![
        (any::<u32>(), any::<String>(), any::<u32>()).prop_map(|(format, arm, replicate)| {
            Event::SessionConvened { format, plan: Digest::of(arm.as_bytes()), arm, replicate }
        }),
        select(kinds).prop_map(|kind| Event::PhaseOpened { kind }),
        any::<String>().prop_map(|text| Event::Instructed { text }),
        seats.prop_map(|order| Event::RoundOpened { order }),
        (any::<String>(), option::of(name()), given()).prop_map(|(text, stance, given)| Event::Spoke {
            text,
            stance,
            given
        }),
        given().prop_map(|given| Event::Passed { given }),
        (name(), names(), any::<String>(), given()).prop_map(|(alternative, options, raw, given)| Event::Polled {
            alternative,
            options,
            raw,
            given
        }),
        (name(), names(), any::<String>(), given()).prop_map(|(alternative, options, raw, given)| Event::Balloted {
            alternative,
            options,
            raw,
            given
        }),
        (select(FAULTS.to_vec()), any::<bool>(), names(), any::<String>(), given()).prop_map(
            |(fault, last, options, raw, given)| {
                let then = if last { Consequence::TriesUsedUp } else { Consequence::AskedAgain };
                Event::Faulted { fault, then, options, raw, given }
            }
        ),
        tally().prop_map(Event::Tallied),
        (any::<u32>(), any::<u64>())
            .prop_map(|(dropped_remarks, dropped_chars)| Event::RoundClosed { dropped_remarks, dropped_chars }),
        (select(verdicts), select(stops), option::of(name())).prop_map(|(verdict, stop, decided)| Event::Adjourned {
            verdict,
            stop,
            decided
        }),
    ]
}

/// The position of an event's kind. A new kind does not compile until it stands here, and then must be generated too.
fn kind(event: &Event) -> usize {
    match event {
        Event::SessionConvened { .. } => 0,
        Event::PhaseOpened { .. } => 1,
        Event::Instructed { .. } => 2,
        Event::RoundOpened { .. } => 3,
        Event::Spoke { .. } => 4,
        Event::Passed { .. } => 5,
        Event::Polled { .. } => 6,
        Event::Balloted { .. } => 7,
        Event::Faulted { .. } => 8,
        Event::Tallied(_) => 9,
        Event::RoundClosed { .. } => 10,
        Event::Adjourned { .. } => 11,
    }
}

const STEPS: [Step; 10] = [
    Step::Convening,
    Step::Opening,
    Step::Brief,
    Step::Order,
    Step::Statement,
    Step::StrawPoll,
    Step::Ballot,
    Step::Tally,
    Step::Closing,
    Step::Adjournment,
];

fn record() -> impl Strategy<Value = Record> {
    let at = ("\\PC{1,9}", any::<u32>(), any::<u32>(), select(STEPS.to_vec()))
        .prop_map(|(phase, round, turn, step)| Moment { phase: PhaseName::new(&phase), round, turn, step });
    let seat = option::of("\\PC{1,9}".prop_map(|text| SeatName::new(&text)));
    (any::<u64>(), at, seat, option::of(any::<u8>()), event()).prop_map(|(seq, at, seat, attempt, event)| Record {
        seq: Seq(seq),
        at,
        seat,
        attempt,
        event,
    })
}

proptest! {
    #[test]
    fn every_kind_of_event_survives_a_round_trip(record in record()) {
        let line = serde_json::to_string(&record).expect("a record has a JSON form");
        prop_assert!(!line.contains('\n'), "a record is one line");
        let back: Record = serde_json::from_str(&line).expect("a line reads back");
        prop_assert_eq!(&back, &record);
        prop_assert_eq!(serde_json::to_string(&back).expect("a record has a JSON form"), line);
    }
}

#[test]
fn the_round_trip_visits_every_kind_of_event() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = [false; 12];
    for _ in 0..1000 {
        seen[kind(&event().new_tree(&mut runner).unwrap().current())] = true;
    }
    assert_eq!(seen, [true; 12]);
}

#[test]
fn a_field_that_no_record_has_is_refused() {
    let line = r#"{"seq":0,"at":{"phase":"p","round":0,"turn":0,"step":"opening"},"event":{"PhaseOpened":{"kind":"brief"}},"x":1}"#;
    assert!(serde_json::from_str::<Record>(line).is_err());
    assert!(serde_json::from_str::<Record>(&line.replace(",\"x\":1", "")).is_ok());
}
