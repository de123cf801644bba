//! A session of the scenario `justice`, written by hand: three seats, one practice round, three rounds of talk, a settlement.

use std::sync::Arc;

use ekklesia::domain::*;
use ekklesia::mechanism::{Average, IncomePrinciples, Multiplier, Principle};
use ekklesia::metrics::*;

use crate::minuted::{Minutes, arm, name, names, phase};

/// The alternatives, in the scenario's order.
pub const PRINCIPLES: [&str; 4] = ["floor", "average", "average_floor", "average_range"];

/// An answer of a service that counts its tokens.
pub fn given() -> Given {
    Given { usage: Some(Usage { prompt_tokens: 10, completion_tokens: 1, thinking_tokens: None }), ..Given::default() }
}

fn situation(name: &str, weights_ppm: [u32; 5], thousands: [[u32; 5]; 4]) -> Arc<Situation> {
    let tables = thousands.map(|table| table.map(|income| income * 1000)).to_vec();
    Arc::new(Situation { name: name.to_owned(), weights_ppm, tables, weights_shown: false })
}

/// The published sample and situation A, a dollar for 10 000 in practice and five in the settlement.
pub fn mechanism() -> IncomePrinciples {
    let sample = [[32, 27, 24, 13, 12], [28, 22, 20, 17, 13], [31, 24, 21, 16, 14], [21, 20, 19, 16, 15]];
    let a = [[28, 25, 20, 15, 12], [35, 30, 25, 15, 10], [30, 29, 28, 27, 6], [25, 22, 19, 16, 13]];
    IncomePrinciples {
        principles: vec![Principle::Floor, Principle::Average, Principle::AverageFloor, Principle::AverageRange],
        average: Average::Weighted,
        sample: situation("sample", [50_000, 100_000, 500_000, 250_000, 100_000], sample),
        applications: vec![situation("A", [100_000, 200_000, 400_000, 200_000, 100_000], a)],
        drawn: None,
        settlement: Multiplier { least: 800, greatest: 1250 },
        application_cents: 100,
        settlement_cents: 500,
    }
}

/// What is known of the session before its first record.
pub fn facts() -> SessionFacts {
    let phases = vec![
        phase("ranking_1", PhaseKindName::Ranking, None, 0, Votes::None),
        phase("applications", PhaseKindName::Applications, None, 0, Votes::None),
        phase("talk", PhaseKindName::Discussion, None, 4, Votes::OnCall),
        phase("settlement", PhaseKindName::Settle, None, 0, Votes::None),
        phase("ranking_2", PhaseKindName::Ranking, None, 0, Votes::None),
    ];
    let mut arm = arm(&["Ann", "Bob", "Cy"], phases);
    arm.alternatives = names(&PRINCIPLES);
    arm.takes_amount = vec![false, false, true, true];
    arm.mechanism = Some(Arc::new(mechanism()));
    arm.seats[0].pool = Some(0);
    arm.seats[2].role = "manipulator";
    arm.pools = vec![PoolFacts {
        attributes: vec!["ideology".to_owned(), "age".to_owned()],
        personas: [("p2".to_owned(), vec!["left, \"mostly\"".to_owned(), String::new()])].into(),
    }];
    let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    arm.layout = Arc::new(Layout {
        factors: all(&["talk"]),
        traits: all(&["risk_aversion", "fairness"]),
        attributes: all(&["ideology", "age"]),
        ranked: all(&PRINCIPLES),
    });
    SessionFacts { arm: Arc::new(arm), replicate: 1, session: "short-r000001".to_owned(), item: None, panel: None }
}

impl Minutes {
    pub fn rank(&mut self, phase: &str, seat: &str, order: [usize; 4], certainty: Certainty) {
        let event = Event::Ranked {
            order: order.map(|place| name(PRINCIPLES[place])).to_vec(),
            certainty,
            options: names(&PRINCIPLES),
            raw: "1, 2, 3, 4".to_owned(),
            given: given(),
        };
        self.put((phase, 0, 0, Step::Ranking), Some((seat, 0)), event);
    }

    fn apply(&mut self, seat: &str, alternative: &str, amount: Option<u32>) {
        let event = Event::Applied {
            alternative: name(alternative),
            amount,
            certainty: Certainty::Sure,
            reasoning: "Because,\nI think.".to_owned(),
            options: names(&PRINCIPLES),
            raw: "{}".to_owned(),
            given: given(),
        };
        self.put(("applications", 1, 0, Step::Application), Some((seat, 0)), event);
    }

    pub fn call(&mut self, round: u32, seat: &str, answer: &str) {
        let event = Event::CallAnswered { calls: answer == "yes", raw: answer.to_owned(), given: given() };
        self.put(("talk", round, 0, Step::VoteCall), Some((seat, 0)), event);
    }

    pub fn confirm(&mut self, round: u32, seat: &str, answer: &str) {
        let event = Event::Confirmed { agrees: answer == "yes", raw: answer.to_owned(), given: given() };
        self.put(("talk", round, 0, Step::Confirmation), Some((seat, 0)), event);
    }

    /// A ballot of each seat and its amount; Cy names his at the second try.
    pub fn vote(&mut self, round: u32, amounts: [u32; 3]) {
        let seats = ["Ann", "Bob", "Cy"];
        for seat in seats {
            let event = Event::Balloted {
                alternative: name("average_floor"),
                amount: None,
                options: names(&PRINCIPLES),
                raw: "3".to_owned(),
                given: given(),
            };
            self.put(("talk", round, 0, Step::Ballot), Some((seat, 0)), event);
        }
        let at = ("talk", round, 0, Step::Amount);
        self.fault(at, ("Cy", 0), Fault::AmountUnreadable, Consequence::AskedAgain);
        for (seat, amount) in seats.into_iter().zip(amounts) {
            let attempt = u8::from(seat == "Cy");
            let event = Event::AmountNamed { amount, raw: format!("${amount}"), given: given() };
            self.put(at, Some((seat, attempt)), event);
        }
        self.count(round, amounts);
    }

    fn count(&mut self, round: u32, amounts: [u32; 3]) {
        let mut distinct: Vec<u32> = amounts.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let of = |alternative: &str, amount, count| TallyCount {
            alternative: name(alternative),
            amount,
            count,
            points: None,
        };
        let mut counts = vec![of("floor", None, 0), of("average", None, 0)];
        counts.extend(distinct.iter().map(|amount| {
            of("average_floor", Some(*amount), amounts.iter().filter(|other| *other == amount).count() as u32)
        }));
        counts.push(of("average_range", None, 0));
        let decided = NamedChoice { alternative: name("average_floor"), amount: Some(amounts[0]) };
        let decided = (distinct.len() == 1).then_some(decided);
        let report = TallyReport {
            rule: RuleKind::Unanimity,
            base: Base::Members,
            eligible: 3,
            valid: 3,
            invalid: 0,
            abstained: 0,
            by_choice: 0,
            threshold: Some(3),
            counts,
            winners: decided.clone().into_iter().collect(),
            quorum_met: None,
            tie_ballots: Vec::new(),
            condorcet_winner: None,
            uncounted: None,
            tie_break: None,
            decided,
        };
        self.put(("talk", round, 0, Step::Tally), None, Event::Tallied(report));
    }

    fn close(&mut self, round: u32) {
        let report = |chars| MemoryReport {
            entries: 3,
            chars,
            shown_chars: chars,
            rewritten_chars: 0,
            standing_chars: 0,
            heard_chars: 500,
            dropped_entries: 2,
            tokens: 120,
            summaries: 1,
        };
        let memory = vec![report(400), report(500), report(600)];
        let event = Event::RoundClosed { dropped_remarks: 1, dropped_chars: 77, memory, convergence: None };
        self.put(("talk", round, 0, Step::Closing), None, event);
    }
}

/// A payment; the balance is not what is tested.
pub fn payoff(seat: &str, choice: Option<(&str, Option<u32>)>, table: u32, class: u8, paid: (u32, u64)) -> Payoff {
    Payoff {
        seat: SeatName::new(seat),
        alternative: choice.map(|(alternative, _)| name(alternative)),
        amount: choice.and_then(|(_, amount)| amount),
        table,
        class,
        income: paid.0,
        payoff_cents: paid.1,
        balance_cents: paid.1,
    }
}

/// Round 1: Ann calls, Cy has no valid answer to it. Round 2: Cy calls, 12 000 twice and 13 000. Round 3: all 13 000.
pub fn minutes() -> Vec<Record> {
    let mut m = Minutes::default();
    begin(&mut m);
    let order = |list: [&str; 3]| Event::RoundOpened { order: list.map(SeatName::new).to_vec() };
    let told = Event::Instructed {
        text: "Think of the poor.".to_owned(),
        to: vec![SeatName::new("Ann")],
        by: Voice::Human,
        pushes: None,
        group: None,
    };
    m.put(("talk", 1, 0, Step::Order), None, order(["Ann", "Bob", "Cy"]));
    m.put(("talk", 1, 0, Step::Brief), None, told);
    let thought = Event::Reasoned { text: "Hm, \"12\".".to_owned(), given: given() };
    m.put(("talk", 1, 1, Step::Reasoning), Some(("Ann", 0)), thought);
    m.say_amount(1, 1, "Ann", "one two three", Some(("average_floor", Some(12_000))));
    m.say_amount(1, 2, "Bob", "one", Some(("average_floor", Some(13_000))));
    m.say_amount(1, 3, "Cy", "", Some(("floor", None)));
    m.call(1, "Bob", "no");
    m.call(1, "Ann", "yes");
    m.confirm(1, "Bob", "yes");
    m.fault(("talk", 1, 0, Step::Confirmation), ("Cy", 0), Fault::Unreadable, Consequence::TriesUsedUp);
    m.close(1);
    for (round, amounts) in [(2, [12_000, 12_000, 13_000]), (3, [13_000; 3])] {
        m.put(("talk", round, 0, Step::Order), None, order(["Cy", "Bob", "Ann"]));
        m.say_amount(round, 1, "Cy", "so be it", Some(("average_floor", Some(13_000))));
        m.call(round, "Cy", "yes");
        m.confirm(round, "Ann", "yes");
        m.confirm(round, "Bob", "yes");
        m.vote(round, amounts);
        if round == 3 {
            let event = Event::Integrated { text: "We agreed.".to_owned(), given: given() };
            m.put(("talk", round, 0, Step::Integration), Some(("Ann", 0)), event);
            let at = ("talk", round, 0, Step::Compression);
            m.fault(at, ("Cy", 0), Fault::Empty, Consequence::TriesUsedUp);
        }
        m.close(round);
    }
    end(&mut m);
    m.0
}

fn begin(m: &mut Minutes) {
    let convened = Event::SessionConvened {
        format: FORMAT_VERSION,
        plan: Digest::of(b"plan"),
        arm: "short".to_owned(),
        replicate: 1,
        lender: None,
        windows: Vec::new(),
        forms: Vec::new(),
        before: None,
        target: None,
        first: None,
    };
    m.put(("session", 0, 0, Step::Convening), None, convened);
    let risk = |millionths| vec![Trait { name: "risk_aversion".to_owned(), millionths }];
    let seats = vec![
        Seated { seat: SeatName::new("Ann"), persona: Some("p2".to_owned()), traits: risk(2_500_000) },
        Seated { seat: SeatName::new("Bob"), persona: None, traits: risk(-250_000) },
    ];
    m.put(("session", 0, 0, Step::Convening), None, Event::Seated { seats });
    m.rank("ranking_1", "Ann", [0, 1, 2, 3], Certainty::VeryUnsure);
    m.rank("ranking_1", "Bob", [2, 0, 1, 3], Certainty::Sure);
    m.rank("ranking_1", "Cy", [0, 1, 2, 3], Certainty::NoOpinion);
    let opened = Event::SituationOpened { situation: "A".to_owned(), multiplier: None };
    m.put(("applications", 1, 0, Step::Situation), None, opened);
    m.apply("Ann", "average_floor", Some(12_000));
    m.apply("Bob", "average", None);
    m.fault(("applications", 1, 0, Step::Application), ("Cy", 0), Fault::AmountMissing, Consequence::TriesUsedUp);
    let paid = Event::Paid {
        stage: PaymentStage::Application,
        situation: "A".to_owned(),
        multiplier: None,
        payoffs: vec![
            payoff("Ann", Some(("average_floor", Some(12_000))), 1, 4, (12_000, 120)),
            payoff("Bob", Some(("average", None)), 3, 4, (6_000, 60)),
        ],
    };
    m.put(("applications", 1, 0, Step::Payment), None, paid);
    m.put(("talk", 0, 0, Step::Opening), None, Event::PhaseOpened { kind: PhaseKindName::Discussion });
}

/// The settlement: with 1.25 times the sample's incomes no low income is below 13 000, so that the floor binds nothing.
fn end(m: &mut Minutes) {
    let decided = Some(("average_floor", Some(13_000)));
    let paid = Event::Paid {
        stage: PaymentStage::Settlement,
        situation: "sample".to_owned(),
        multiplier: Some(1250),
        payoffs: vec![
            payoff("Ann", decided, 1, 4, (15_000, 750)),
            payoff("Bob", decided, 1, 0, (40_000, 2000)),
            payoff("Cy", decided, 1, 2, (30_000, 1500)),
        ],
    };
    m.put(("settlement", 0, 0, Step::Payment), None, paid);
    m.rank("ranking_2", "Ann", [3, 2, 1, 0], Certainty::VerySure);
    m.rank("ranking_2", "Bob", [2, 0, 1, 3], Certainty::VerySure);
    m.fault(("ranking_2", 0, 0, Step::Ranking), ("Cy", 0), Fault::NotARanking, Consequence::TriesUsedUp);
    let adjourned = Event::Adjourned {
        verdict: Verdict::Carried,
        stop: StopReason::Decided,
        decided: Some(NamedChoice { alternative: name("average_floor"), amount: Some(13_000) }),
    };
    m.put(("session", 0, 0, Step::Adjournment), None, adjourned);
}
