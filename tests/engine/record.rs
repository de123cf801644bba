//! What is written reads back, whatever it holds.

mod deeds;
mod votes;

use crate::fixtures::sample::law_cases;
use deeds::{acts, spared};
use ekklesia::domain::*;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use votes::{tally, voted};

fn name() -> impl Strategy<Value = AlternativeName> {
    "[a-z_]{1,8}".prop_map(|text| AlternativeName::new(&text))
}

fn names() -> impl Strategy<Value = Vec<AlternativeName>> {
    proptest::collection::vec(name(), 0..4)
}

fn amount() -> impl Strategy<Value = Option<u32>> {
    option::of(any::<u32>())
}

fn choice() -> impl Strategy<Value = NamedChoice> {
    (name(), amount()).prop_map(|(alternative, amount)| NamedChoice { alternative, amount })
}

fn certainty() -> impl Strategy<Value = Certainty> {
    select(Certainty::ALL.to_vec())
}

fn seat() -> impl Strategy<Value = SeatName> {
    "\\PC{1,9}".prop_map(|text| SeatName::new(&text))
}

fn seats() -> impl Strategy<Value = Vec<SeatName>> {
    proptest::collection::vec(seat(), 0..5)
}

fn given() -> impl Strategy<Value = Given> {
    let usage = (any::<u64>(), any::<u64>(), any::<Option<u64>>(), any::<Option<u64>>()).prop_map(
        |(prompt_tokens, completion_tokens, thinking_tokens, cached_prompt_tokens)| Usage {
            prompt_tokens,
            completion_tokens,
            thinking_tokens,
            cached_prompt_tokens,
        },
    );
    let shown = (any::<[u32; 11]>(), any::<bool>()).prop_map(
        |([a, b, c, d, e, f, g, pinned_remarks, more, pinned, omitted], apart)| Shown {
            floor: a..b,
            notices: apart.then_some(e..f),
            history: apart.then_some(g),
            pinned_remarks,
            summaries: if more > 0 { g.min(u32::MAX - 1)..u32::MAX } else { 0..0 },
            pinned,
            own: c..d,
            forgotten: match apart {
                true => Forgotten { statements: vec![a..b, c..d], ..Forgotten::default() },
                false => Forgotten::default(),
            },
            standing: apart.then_some(if more > 0 { Extent::Whole } else { Extent::Short }),
            omitted,
            recalled: if apart { vec![a, b] } else { Vec::new() },
            inquired: more > 0,
            found: if more > 0 { vec![c, d] } else { Vec::new() },
            page: apart.then(|| PageShown { exhibit: "report".to_owned(), page: e }),
        },
    );
    let state = proptest::collection::vec(any::<i64>(), 0..3).prop_map(MindState);
    (shown, option::of(usage), option::of(any::<String>()), state)
        .prop_map(|(shown, usage, model_served, state)| Given { shown, usage, model_served, state })
}

const FAULTS: [Fault; 22] = [
    Fault::TooLong,
    Fault::OutOfRange,
    Fault::WrongTotal,
    Fault::NamedTwice,
    Fault::NotScored,
    Fault::ScoreOutOfRange,
    Fault::Unreadable,
    Fault::UnknownAlternative,
    Fault::Ambiguous,
    Fault::AmountMissing,
    Fault::AmountUnreadable,
    Fault::AmountOutOfRange,
    Fault::AmountUncalledFor,
    Fault::NotARanking,
    Fault::Empty,
    Fault::TooShort,
    Fault::UnfitName,
    Fault::NameTaken,
    Fault::NotOnce,
    Fault::Refused,
    Fault::CutByLength,
    Fault::ContextTooLong,
];

fn marks() -> impl Strategy<Value = Vec<Marked>> {
    let named = prop_oneof![
        Just(Named::Nothing),
        any::<[u32; 2]>().prop_map(|[round, turn]| Named::Number(Number { round, turn })),
        Just(Named::Unreadable),
    ];
    let signs = vec![Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision];
    let reasons = vec![Ignored::Unnamed, Ignored::Unknown, Ignored::Own, Ignored::NotOwn, Ignored::Repeated];
    let mark = (select(signs), named, option::of(any::<u64>()), option::of(select(reasons)))
        .prop_map(|(sign, names, of, ignored)| Marked { sign, names, of: of.map(Seq), ignored });
    proptest::collection::vec(mark, 0..3)
}

fn opinion() -> impl Strategy<Value = Option<Opinion>> {
    option::of(
        (0..=Opinion::ONE).prop_map(|billionths| Opinion::new(billionths).expect("invariant: it is at most one")),
    )
}

/// Replies to every question but forms, each with its step.
fn reply() -> impl Strategy<Value = (Step, Reply<AlternativeName>)> {
    let words = any::<String>;
    let at = |step: Step| move |reply: Reply<AlternativeName>| (step, reply);
    let statement = (words(), option::of(choice()), opinion()).prop_map(|(text, stance, opinion)| Reply::Statement {
        text: text.into(),
        stance,
        opinion,
    });
    let polled = (choice(), opinion())
        .prop_map(|(choice, opinion)| opinion.map_or(Reply::Choice(choice.clone()), |o| Reply::Opined(choice, o)));
    let ranked = (names(), certainty()).prop_map(|(order, certainty)| Reply::Ranking { order, certainty });
    let applied = (choice(), certainty(), words()).prop_map(|(choice, certainty, reasoning)| Reply::Application {
        choice,
        certainty,
        reasoning: reasoning.into(),
    });
    let noted = (option::of(words()), option::of((words(), words()))).prop_map(|(append, replace)| {
        let replace = replace.map(|(old, new)| Replacement { old: old.into(), new: new.into() });
        Reply::Notes(NoteTaken { append: append.map(Into::into), replace })
    });
    let recognised = (any::<bool>(), option::of(words())).prop_map(|(recognised, recognised_as)| Reply::Recognition {
        recognised,
        recognised_as: recognised_as.map(Into::into),
    });
    prop_oneof![
        statement.prop_map(at(Step::Statement)),
        Just((Step::Statement, Reply::Pass)),
        option::of(any::<u32>()).prop_map(|urgency| (Step::Volunteer, Reply::Urgency(urgency))),
        polled.prop_map(at(Step::StrawPoll)),
        choice().prop_map(|choice| (Step::Ballot, Reply::Choice(choice))),
        voted().prop_map(at(Step::Ballot)),
        any::<u32>().prop_map(|amount| (Step::Amount, Reply::Amount(amount))),
        ranked.prop_map(at(Step::Ranking)),
        applied.prop_map(at(Step::Application)),
        proptest::collection::vec(any::<u32>(), 1..4).prop_map(|answers| (Step::Comprehension, Reply::Test(answers))),
        (select(vec![Step::Reasoning, Step::Integration, Step::Compression]), words())
            .prop_map(|(step, text)| (step, Reply::Note(text.into()))),
        (select(vec![Step::VoteCall, Step::Confirmation]), any::<bool>())
            .prop_map(|(step, yes)| (step, Reply::Assent(yes))),
        words().prop_map(|name| (Step::Naming, Reply::Name(name.into()))),
        noted.prop_map(at(Step::Notes)),
        recognised.prop_map(at(Step::Recognition)),
    ]
}

/// Valid answers to every question, each with its step.
fn answered() -> impl Strategy<Value = (Step, Answered)> {
    let found = prop_oneof![(any::<u32>(), any::<bool>()).prop_map(test_values), (0u64..3).prop_map(cut_values),];
    let values = (reply(), found).prop_map(|((step, reply), found)| {
        let mut values = reply.into_values();
        let names = step.value_names().expect("only forms have names of their own");
        values.extend(found.into_iter().filter(|(name, _)| names.contains(&&**name)));
        (step, values)
    });
    let form = proptest::collection::vec((any::<String>(), option::of(value())), 0..4)
        .prop_map(|values| (Step::Ask, values.into_iter().collect()));
    (prop_oneof![8 => values, 1 => form], marks(), names(), any::<String>(), given()).prop_map(
        |((step, values), marks, options, raw, given)| (step, Answered { values, marks, options, raw, given }),
    )
}

/// Answers that do not count, and inquiries.
fn answers() -> impl Strategy<Value = Event> {
    let words = any::<String>;
    prop_oneof![
        answered().prop_map(|(_, answered)| Event::Answered(answered)),
        (any::<bool>(), words(), proptest::collection::vec(any::<u64>(), 0..4), words(), given()).prop_map(
            |(is_page, asked, found, raw, given)| {
                let inquiry = if is_page { Inquiry::Page(asked) } else { Inquiry::LookUp(asked) };
                Event::Inquired(Inquired { inquiry, found: found.into_iter().map(Seq).collect(), raw, given })
            }
        ),
        (select(FAULTS.to_vec()), option::of(words()), any::<bool>(), names(), words(), given()).prop_map(
            |(fault, field, last, options, raw, given)| {
                let then = if last { Consequence::TriesUsedUp } else { Consequence::AskedAgain };
                Event::Faulted(Faulted { fault, field, then, options, raw, given })
            }
        ),
    ]
}

fn kept_text() -> impl Strategy<Value = KeptText> {
    let parts = ("[A-Z]{1,2}", seat(), any::<u32>(), any::<u32>(), option::of(any::<String>()));
    parts.prop_map(|(letter, author, place, version, text)| KeptText { letter, author, place, version, text })
}

fn computed() -> impl Strategy<Value = ComputedValues> {
    let of_seats = proptest::collection::vec((seat(), option::of(value())), 0..3);
    prop_oneof![
        option::of(value()).prop_map(ComputedValues::Session),
        of_seats.prop_map(|values| ComputedValues::Seats(values.into_iter().collect())),
        proptest::collection::vec(kept_text(), 0..3).prop_map(ComputedValues::Texts),
    ]
}

fn value() -> impl Strategy<Value = FieldValue> {
    use proptest::collection::vec;
    let words = any::<String>;
    let units = -999_999_999_999_999_i64..=999_999_999_999_999;
    prop_oneof![
        any::<bool>().prop_map(FieldValue::YesNo),
        (units, 0_u8..=15).prop_map(|(units, places)| FieldValue::Number(Decimal::new(units, places))),
        words().prop_map(|words| FieldValue::Words(words.into())),
        vec(words(), 0..4).prop_map(FieldValue::Options),
        vec(vec(words(), 1..3), 1..4).prop_map(FieldValue::Ranks),
        vec(any::<i64>(), 1..4).prop_map(FieldValue::Numbers),
        vec((words(), any::<u32>()), 0..4).prop_map(|shares| FieldValue::Shares(shares.into_iter().collect())),
    ]
}

fn payoff() -> impl Strategy<Value = Payoff> {
    let amount = option::of((-999_999_i64..999_999, 0_u8..7).prop_map(|(units, places)| Decimal::new(units, places)));
    let numbers = (any::<[u32; 2]>(), any::<u8>(), any::<u64>());
    let income =
        (option::of(choice()), numbers).prop_map(|(choice, ([table, income], class, balance_cents))| PaidIncome {
            amount: choice.as_ref().and_then(|choice| choice.amount),
            alternative: choice.map(|choice| choice.alternative),
            table,
            class,
            income,
            balance_cents,
        });
    (seat(), amount, option::of(any::<i64>()), option::of(income))
        .prop_map(|(seat, payoff, payoff_cents, income)| Payoff { seat, payoff, payoff_cents, income })
}

fn seated() -> impl Strategy<Value = Seated> {
    let traits = (any::<String>(), any::<i64>()).prop_map(|(name, millionths)| Trait { name, millionths });
    (
        seat(),
        option::of(any::<String>()),
        proptest::collection::vec(traits, 0..3),
        option::of(seats()),
        option::of(any::<String>()),
    )
        .prop_map(|(seat, persona, traits, hears, name)| Seated { seat, persona, traits, hears, name })
}

fn memory() -> impl Strategy<Value = MemoryReport> {
    let statements = option::of(any::<[u64; 3]>().prop_map(|[heard, shown, cut]| StatementChars { heard, shown, cut }));
    (any::<([u32; 2], [u64; 3])>(), statements).prop_map(
        |(([entries, dropped_entries], [chars, tokens, summaries]), statements)| MemoryReport {
            entries,
            chars,
            dropped_entries,
            tokens,
            summaries,
            statements,
        },
    )
}

/// One strategy a kind of event. The match in [`kind`] makes a new kind a compile error here.
fn event() -> impl Strategy<Value = Event> {
    prop_oneof![answers(), declarations()]
}

/// What seats begin with, told with and without its parts.
fn first_opinions(replicate: u32) -> Vec<FirstOpinion> {
    let opinion = |place: u32| Opinion::new(place * 7 % Opinion::ONE).filter(|_| place.is_multiple_of(2));
    let of = |place: u32| FirstOpinion {
        seat: SeatName::new(&format!("Seat {place}")),
        seq: Seq(place.into()),
        alternative: AlternativeName::new("for"),
        amount: place.is_multiple_of(3).then_some(place),
        opinion: opinion(place),
    };
    (replicate % 4..4).map(of).collect()
}

/// What procedure declares before the first phase.
fn openings() -> impl Strategy<Value = Event> {
    prop_oneof![
        (
            (any::<u32>(), any::<String>(), any::<u32>()),
            option::of(any::<String>()),
            option::of(any::<u32>()),
            option::of(any::<String>()),
            option::of(truth())
        )
            .prop_map(|((format, arm, replicate), lender, tokens, before, truth)| {
                let form = if replicate % 3 == 0 { ReplyForm::JsonSchema } else { ReplyForm::Anchored };
                let found =
                    [FormSource::ServerKind, FormSource::Probe, FormSource::UnclearProbe][replicate as usize % 3];
                let learnt = |_| LearntForm { model: arm.clone(), form, source: found };
                let forms = tokens.map(learnt).into_iter().collect();
                let source = if replicate % 2 == 0 { WindowSource::Server } else { WindowSource::Table };
                let window = |tokens| ContextWindow { model: arm.clone(), tokens, source };
                let windows = tokens.map(window).into_iter().collect();
                let lender = lender.map(|session| Needed { minutes: Digest::of(session.as_bytes()), session });
                let plan = Digest::of(arm.as_bytes());
                let before = before.map(|session| Needed { session, minutes: plan.clone() });
                let unit =
                    [MatchUnit::TotalTokens, MatchUnit::CompletionTokens, MatchUnit::Calls][replicate as usize % 3];
                let target = lender.clone().map(|of| Target { of, unit, amount: replicate.into() });
                let first = before.clone().map(|of| FirstOpinions { of, seats: first_opinions(replicate) });
                Event::Convened(Convened {
                    format,
                    plan,
                    arm,
                    replicate,
                    lender,
                    windows,
                    forms,
                    before,
                    target,
                    first,
                    truth,
                })
            }),
        proptest::collection::vec(seated(), 0..3).prop_map(|seats| Event::Seated { seats }),
    ]
}

fn truth() -> impl Strategy<Value = Truth> {
    prop_oneof![name().prop_map(Truth::Alternative), any::<u32>().prop_map(Truth::Amount)]
}

fn matter() -> impl Strategy<Value = Matter> {
    let facts = proptest::collection::vec(any::<String>().prop_map(|id| FactId::new(&id)), 0..3);
    let needed = |session: String| Needed { minutes: Digest::of(session.as_bytes()), session };
    prop_oneof![
        (option::of(name()), opinion()).prop_map(|(pushes, group)| Matter::Instruction { pushes, group }),
        (any::<String>(), any::<u32>()).prop_map(|(name, pages)| Matter::Exhibit {
            digest: Digest::of(name.as_bytes()),
            name,
            pages
        }),
        (option::of(name()), facts).prop_map(|(signal, facts)| Matter::Case { signal, facts }),
        option::of(any::<String>().prop_map(needed)).prop_map(|from| Matter::Notes { from }),
    ]
}

fn declarations() -> impl Strategy<Value = Event> {
    let kinds = vec![
        PhaseKindName::Brief,
        PhaseKindName::Ask,
        PhaseKindName::Ranking,
        PhaseKindName::Comprehension,
        PhaseKindName::Applications,
        PhaseKindName::Discussion,
        PhaseKindName::Vote,
    ];
    let verdicts = vec![Verdict::Carried, Verdict::Imposed, Verdict::NoDecision, Verdict::NotApplicable];
    let stops = vec![
        StopReason::Decided,
        StopReason::RoundsUsedUp,
        StopReason::Undecided,
        StopReason::Imposed,
        StopReason::Converged,
        StopReason::NobodyLeft,
        StopReason::AgendaDone,
    ];
    let voice = select(vec![Voice::Facilitator, Voice::Human]);
    let stage = select(vec![PaymentStage::Application, PaymentStage::Settlement]);
    let tables = (stage, any::<String>(), amount()).prop_map(|(stage, situation, multiplier)| PaymentTables {
        stage,
        situation,
        multiplier,
    });
    prop_oneof![
        openings(),
        (
            select(kinds),
            seats(),
            prop::option::of(seats()),
            prop::option::of((seats(), seats())),
            option::of(any::<String>())
        )
            .prop_map(|(kind, who, heard_by, linked, thing)| {
                let hears = linked.map(|(all, others)| all.into_iter().map(|seat| (seat, others.clone())).collect());
                Event::PhaseOpened(PhaseOpened { kind, who, heard_by, hears, thing })
            }),
        (option::of(any::<String>()), any::<bool>())
            .prop_map(|(block, nobody)| Event::PhaseSkipped(PhaseSkipped { block, nobody })),
        any::<String>().prop_map(|block| Event::LoopEnded(LoopEnded { block })),
        (any::<String>(), computed()).prop_map(|(name, values)| Event::Computed(Computed { name, values })),
        (any::<String>(), proptest::collection::vec(seats(), 0..3), proptest::collection::vec(any::<String>(), 0..3))
            .prop_map(|(name, groups, roles)| Event::Assigned(Assigned { name, groups, roles })),
        (seats(), acts(), spared()).prop_map(|(to, act, spared)| Event::Reminded(Reminded { to, act, spared })),
        (seats(), voice.clone(), "[a-z]{1,9}", [any::<u32>(), any::<u32>()], option::of(any::<u64>())).prop_map(
            |(to, by, phase, [round, turn], of)| Event::Marked {
                to,
                by,
                phase: PhaseName::new(&phase),
                statement: Number { round, turn },
                of: of.map(Seq),
            }
        ),
        (matter(), any::<String>(), seats(), voice).prop_map(|(what, text, to, by)| Event::Briefed(Briefing {
            what,
            text,
            to,
            by
        })),
        (option::of(tables), option::of(any::<String>()), proptest::collection::vec(payoff(), 0..3))
            .prop_map(|(tables, unit, payoffs)| Event::Paid(Payment { tables, unit, payoffs })),
        (seats(), option::of(any::<String>()), amount()).prop_map(|(order, situation, multiplier)| {
            Event::RoundOpened(RoundOpened { order, situation, multiplier })
        }),
        tally().prop_map(Event::Tallied),
        (any::<u32>(), any::<u64>(), proptest::collection::vec(memory(), 0..3), option::of(any::<u32>())).prop_map(
            |(dropped_remarks, dropped_chars, memory, convergence)| Event::RoundClosed(RoundClosed {
                dropped_remarks,
                dropped_chars,
                memory,
                convergence,
            })
        ),
        (select(verdicts), select(stops), option::of(choice()))
            .prop_map(|(verdict, stop, decided)| Event::Adjourned(Adjourned { verdict, stop, decided })),
    ]
}

/// The position of an event's kind. A new kind does not compile until it stands here, and then must be generated too.
fn kind(event: &Event) -> usize {
    match event {
        Event::Convened(_) => 0,
        Event::Seated { .. } => 1,
        Event::PhaseOpened(_) => 2,
        Event::Briefed(_) => 3,
        Event::Paid(_) => 5,
        Event::RoundOpened(_) => 6,
        Event::Faulted(_) => 7,
        Event::Tallied(_) => 8,
        Event::RoundClosed(_) => 10,
        Event::Adjourned(_) => 11,
        Event::Reminded(_) => 12,
        Event::Marked { .. } => 13,
        Event::Inquired(_) => 15,
        Event::Answered(_) => 4,
        Event::PhaseSkipped(_) => 9,
        Event::LoopEnded(_) => 16,
        Event::Computed(_) => 14,
        Event::Assigned(_) => 17,
    }
}

const STEPS: [Step; 29] = [
    Step::Assignment,
    Step::Compute,
    Step::Ask,
    Step::Recognition,
    Step::Volunteer,
    Step::Convening,
    Step::Naming,
    Step::Notes,
    Step::Opening,
    Step::Brief,
    Step::Ranking,
    Step::Comprehension,
    Step::Situation,
    Step::Application,
    Step::Payment,
    Step::Order,
    Step::Reasoning,
    Step::Statement,
    Step::VoteCall,
    Step::Confirmation,
    Step::StrawPoll,
    Step::Ballot,
    Step::Amount,
    Step::Tally,
    Step::Imposition,
    Step::Integration,
    Step::Compression,
    Step::Closing,
    Step::Adjournment,
];

fn record() -> impl Strategy<Value = Record> {
    let at = ("\\PC{1,9}", any::<u32>(), any::<u32>(), select(STEPS.to_vec()))
        .prop_map(|(phase, round, turn, step)| Moment { phase: PhaseName::new(&phase), round, turn, step });
    let seat = option::of("\\PC{1,9}".prop_map(|text| SeatName::new(&text)));
    let other = event().prop_filter("its step is its own", |event| event.answered().is_none());
    let with = prop_oneof![
        other.prop_map(|event| (None, event)),
        answered().prop_map(|(step, answered)| (Some(step), Event::Answered(answered))),
    ];
    (any::<u64>(), at, seat, option::of(any::<u8>()), with).prop_map(|(seq, at, seat, attempt, (step, event))| Record {
        seq: Seq(seq),
        at: Moment { step: step.unwrap_or(at.step), ..at },
        seat,
        attempt,
        event,
    })
}

proptest! {
    #![proptest_config(law_cases(64))]

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
    let mut seen = [false; 18];
    (0..4000).for_each(|_| seen[kind(&event().new_tree(&mut runner).unwrap().current())] = true);
    assert_eq!(seen, [true; 18]);
}

#[test]
fn values_of_another_question_are_refused() {
    let line = |step: &str, values: &str| {
        format!(
            r#"{{"seq":0,"at":{{"phase":"p","round":0,"turn":0,"step":"{step}"}},"seat":"Ann","attempt":0,"event":{{"Answered":{{"values":{values},"given":{{"shown":{{"floor":{{"start":0,"end":0}},"own":{{"start":0,"end":0}},"omitted":0}}}}}}}}}}"#
        )
    };
    let read = |step: &str, values: &str| serde_json::from_str::<Record>(&line(step, values));
    for (step, values) in [
        ("ballot", r#"{"choice":"for"}"#),
        ("ballot", r#"{"choice":null}"#),
        ("ballot", r#"{"ranking":[["a","b"],["c"]]}"#),
        ("volunteer", r#"{"urgency":null}"#),
        ("ask", r#"{"anything":[1,2]}"#),
    ] {
        assert!(read(step, values).unwrap().reply().is_some(), "{step} {values}");
    }
    for (step, values) in [
        ("ballot", r#"{"choice":3}"#),
        ("ballot", r#"{"choice":"for","statement":"x"}"#),
        ("ballot", r#"{"approves":["a"],"scores":{"a":1}}"#),
        ("vote_call", r#"{"agrees":true}"#),
        ("statement", r#"{}"#),
        ("statement", r#"{"statement":"x","opinion":1000000001}"#),
        ("ranking", r#"{"ranking":[["a","b"]],"certainty":"sure"}"#),
        ("opening", r#"{"text":"x"}"#),
    ] {
        let error = read(step, values).unwrap_err().to_string();
        assert!(error.contains(&format!("not those of an answer at the step {step}")), "{error}");
    }
}

#[test]
fn a_field_that_no_record_has_is_refused() {
    let line = r#"{"seq":0,"at":{"phase":"p","round":0,"turn":0,"step":"opening"},"event":{"PhaseOpened":{"kind":"brief"}},"x":1}"#;
    assert!(serde_json::from_str::<Record>(line).is_err());
    assert!(serde_json::from_str::<Record>(&line.replace(",\"x\":1", "")).is_ok());
}
