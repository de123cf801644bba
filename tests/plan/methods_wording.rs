//! The page of methods has words for every variant of what it words: a variant without any is an error, and none is silent.
//!
//! The lists below are exhaustive: a new variant does not compile until it stands here, and fails until a template words it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::desk::{BASE, Desk};
use ekklesia::analysis::statistics::Unit;
use ekklesia::chance::Pairing;
use ekklesia::domain::{
    AlternativeId, BallotForm, Base, Choice, Field, FieldKind, Form, FormAsked, Holder, InvalidBallots, Language,
    MatchUnit, MemoryAct, Number, PhaseName, PollTime, Presence, RuleKind, SeatId, TieBreak,
};
use ekklesia::expression::parse_expression;
use ekklesia::mechanism::{Average, IncomePrinciples};
use ekklesia::memory::{CompactPolicy, DigestPolicy, HistoryInBrief, MemoryPolicy, Window};
use ekklesia::minds::{
    ArgumentSource, EdgeWeights, InfluenceWeights, Justice, Mind, OpinionRule, Opinionated, QuestionRule, Scheme,
    Script, TraitValue,
};
use ekklesia::plan::{
    Answers, ArmPlan, Assignment, Comprehension, Convergence, ConvergenceAction, Correction, Deed, Discussion,
    Experiment, FormPlan, Formula, GroupRule, GroupSize, Grouping, LendingArm, MatchedArm, Network, OptionOrder,
    PayRule, Person, PhaseKind, Plan, PrimaryComparison, RoleSeats, RoundVotes, SeatRole, SharedFacts, Sitter,
    SpeakingOrder, SummaryModel, TestFailurePolicy, TruthRule, Variable, VariableKind, VoteCall,
};
use ekklesia::store::inputs::{Inputs, Overrides};
use ekklesia::store::tables::{ResultsScope, render_design};

/// A value of every variant of a type.
macro_rules! every {
    ($type:ty: $($pattern:pat => $value:expr),+ $(,)?) => {{
        let exhaustive = |value: &$type| match value { $($pattern => ()),+ };
        let all: Vec<$type> = vec![$($value),+];
        all.iter().for_each(exhaustive);
        all
    }};
}

/// A resolved experiment, of which one setting at a time is changed.
struct Setting(Experiment);

impl Setting {
    fn of(body: &str) -> Self {
        Self(Desk::new().resolve(&format!("{BASE}{body}\n")).unwrap().experiment)
    }

    fn shipped(name: &str) -> Self {
        let path = format!("configs/{name}.yaml");
        Self(Inputs::read_config(Path::new(&path), Overrides::default()).unwrap().resolve().unwrap().experiment)
    }

    /// Fails unless each value gives a page of its own; `alike` are how many say nothing, or the same as another.
    fn words<T>(&self, values: Vec<T>, alike: usize, set: impl Fn(&mut Plan, T)) {
        let (count, kind) = (values.len(), std::any::type_name::<T>());
        let pages: BTreeSet<String> = values.into_iter().map(|value| self.page(|plan| set(plan, value))).collect();
        assert_eq!(pages.len(), count - alike, "{kind}");
    }

    fn page(&self, set: impl FnOnce(&mut Plan)) -> String {
        let mut experiment = self.0.clone();
        let plan = Arc::make_mut(&mut experiment.arms[0]);
        let common = plan.decision;
        set(plan);
        // Votes without a rule of their own follow the common one.
        let decision = plan.decision;
        for phase in &mut plan.agenda {
            if let PhaseKind::Vote(vote) = &mut phase.kind
                && vote.decision == common
            {
                Arc::make_mut(vote).decision = decision;
            }
        }
        render_design(&experiment, &ResultsScope::Whole)
    }

    /// The same for what all sessions of an arm share.
    fn shared<T>(&self, values: Vec<T>, alike: usize, set: impl Fn(&mut ArmPlan, T)) {
        self.words(values, alike, |plan, value| set(Arc::make_mut(&mut plan.shared), value));
    }

    fn talk<T>(&self, values: Vec<T>, alike: usize, set: impl Fn(&mut Discussion, T)) {
        self.words(values, alike, |plan, value| {
            let talk = plan.agenda.iter_mut().find_map(|phase| match &mut phase.kind {
                PhaseKind::Discussion(talk) => Some(talk),
                _ => None,
            });
            set(talk.unwrap(), value);
        });
    }
}

#[test]
fn every_memory_policy_and_what_goes_with_it_has_words() {
    let setting = Setting::of("");
    let policies = every!(MemoryPolicy:
        MemoryPolicy::Selective => MemoryPolicy::Selective,
        MemoryPolicy::Full => MemoryPolicy::Full,
        MemoryPolicy::None => MemoryPolicy::None,
        MemoryPolicy::Window(_) => MemoryPolicy::Window(Window::Statements(3)),
        MemoryPolicy::Compact(_) => MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 900_000, keep: 2 }),
        MemoryPolicy::Digest(_) => MemoryPolicy::Digest(DigestPolicy { every: 5, words: 50, keep: 2 }),
        MemoryPolicy::Shuffled => MemoryPolicy::Shuffled,
    );
    setting.shared(policies, 0, |plan, policy| {
        plan.lender = Some(LendingArm { name: "full".to_owned(), is_simulated: true, apart_in: Vec::new() });
        plan.memory.policy = policy;
    });
    let windows =
        every!(Window: Window::Statements(_) => Window::Statements(3), Window::Tokens(_) => Window::Tokens(3));
    setting.shared(windows, 0, |plan, window| plan.memory.policy = MemoryPolicy::Window(window));
    let histories = every!(HistoryInBrief:
        HistoryInBrief::Full => HistoryInBrief::Full,
        HistoryInBrief::CurrentRound => HistoryInBrief::CurrentRound,
        HistoryInBrief::None => HistoryInBrief::None,
    );
    setting.shared(histories, 0, |plan, history| plan.memory.history = history);
    let writers = every!(SummaryModel:
        SummaryModel::Seat => SummaryModel::Seat,
        SummaryModel::Rule => SummaryModel::Rule,
        SummaryModel::Model(_) => SummaryModel::Model(0),
    );
    setting.shared(writers, 0, |plan, writer| plan.summary_model = writer);
}

#[test]
fn every_way_to_talk_has_words() {
    let setting = Setting::of("discussion: { rounds: 3 }");
    let orders = every!(SpeakingOrder:
        SpeakingOrder::Fixed => SpeakingOrder::Fixed,
        SpeakingOrder::Random => SpeakingOrder::Random,
        SpeakingOrder::Rotating => SpeakingOrder::Rotating,
        SpeakingOrder::Williams => SpeakingOrder::Williams,
        SpeakingOrder::Simultaneous => SpeakingOrder::Simultaneous,
        SpeakingOrder::Volunteer => SpeakingOrder::Volunteer,
    );
    setting.talk(orders, 0, |talk, order| talk.order = order);
    let votes = every!(RoundVotes:
        RoundVotes::Never => RoundVotes::Never,
        RoundVotes::EveryRound => RoundVotes::EveryRound,
        RoundVotes::OnCall { .. } => RoundVotes::OnCall { rounds_min: 2, call: VoteCall::Sequential },
    );
    setting.talk(votes, 0, |talk, votes| talk.votes = votes);
    let calls = every!(VoteCall: VoteCall::Sequential => VoteCall::Sequential, VoteCall::Simultaneous => VoteCall::Simultaneous);
    setting.talk(calls, 0, |talk, call| talk.votes = RoundVotes::OnCall { rounds_min: 2, call });
    let actions = every!(ConvergenceAction:
        ConvergenceAction::Stop => ConvergenceAction::Stop,
        ConvergenceAction::Warn => ConvergenceAction::Warn,
        ConvergenceAction::Continue => ConvergenceAction::Continue,
    );
    setting.talk(actions, 0, |talk, action| {
        talk.convergence = Some(Convergence { profile: Default::default(), threshold: 800_000, action });
    });
    let networks = every!(Network:
        Network::Complete => Network::Complete,
        Network::Alone => Network::Alone,
        Network::Ring => Network::Ring,
        Network::Star { .. } => Network::Star { hub: SeatId(1) },
        Network::SmallWorld { .. } => Network::SmallWorld { neighbours: 2, rewired_ppm: 100_000 },
        Network::Edges(_) => Network::Edges(Vec::new()),
    );
    setting.shared(networks, 0, |plan, network| plan.network = network);
    let polls = every!(PollTime:
        PollTime::Before => PollTime::Before,
        PollTime::EachRound => PollTime::EachRound,
        PollTime::After => PollTime::After,
    );
    setting.words(polls, 0, |plan, time| plan.agenda[1].kind = PhaseKind::Ask { time });
}

fn vote(setting: &Setting) -> PhaseKind {
    let agenda = &setting.0.arms[0].agenda;
    agenda.iter().find(|phase| matches!(phase.kind, PhaseKind::Vote(_))).unwrap().kind.clone()
}

fn formula(text: &str) -> Formula {
    Formula { text: text.to_owned(), expression: Arc::new(parse_expression(text).unwrap()) }
}

fn form(kinds: Vec<FieldKind>) -> PhaseKind {
    let field = |kind| Field { id: "one".to_owned(), anchor: "ONE".to_owned(), kind, presence: Presence::Required };
    let fields: Vec<Field> = kinds.into_iter().map(field).collect();
    let questions = fields.iter().map(|_| "What?".to_owned()).collect();
    let asked = Arc::new(FormAsked { form: Form { fields, language: Language::En }, questions, measures: Vec::new() });
    PhaseKind::Form(Arc::new(FormPlan {
        asked,
        live: Vec::new(),
        bounds: Vec::new(),
        amounts: Vec::new(),
        options: Vec::new(),
        per: None,
        kept: Vec::new(),
        keys: Vec::new(),
        item_keys: Vec::new(),
    }))
}

#[test]
fn every_phase_and_what_is_paid_has_words() {
    let setting = Setting::shipped("justice");
    let test = |failing| PhaseKind::Comprehension(Comprehension { questions: Arc::new([]), pass_mark: 1, failing });
    let talk = setting.0.arms[0].agenda.iter().find(|phase| matches!(phase.kind, PhaseKind::Discussion(_))).unwrap();
    let kinds = every!(PhaseKind:
        PhaseKind::Brief { .. } => PhaseKind::Brief { text: "Some words.".to_owned(), live: None, opinion: Some(formula("middle")) },
        PhaseKind::Ask { .. } => PhaseKind::Ask { time: PollTime::After },
        PhaseKind::Form(_) => form(vec![FieldKind::YesNo]),
        PhaseKind::Ranking => PhaseKind::Ranking,
        PhaseKind::Comprehension(_) => test(TestFailurePolicy::Recorded),
        PhaseKind::Applications => PhaseKind::Applications,
        PhaseKind::Discussion(_) => talk.kind.clone(),
        PhaseKind::Vote(_) => vote(&Setting::shipped("first")),
        PhaseKind::Settle => PhaseKind::Settle,
        PhaseKind::Compute(_) => PhaseKind::Compute(Arc::new([Assignment {
            variable: 0,
            written: "pot".to_owned(),
            formula: formula("1 + 1"),
        }])),
        PhaseKind::Pay(_) => PhaseKind::Pay(Arc::new(PayRule {
            payoff: formula("2"),
            unit: Some("tokens".to_owned()),
            rate: Some(formula("0.1")),
            fee: Some(formula("3")),
        })),
        PhaseKind::Assign(_) => PhaseKind::Assign(Arc::new([group_rule(Grouping::Lot)])),
    );
    let pot = Variable { name: "pot".to_owned(), of: Holder::Session, kind: VariableKind::Number, start: Vec::new() };
    setting.words(kinds, 0, |plan, kind| {
        plan.variables = Arc::new([pot.clone()]);
        plan.agenda[0].kind = kind;
    });
    let failing = every!(TestFailurePolicy: TestFailurePolicy::Recorded => TestFailurePolicy::Recorded, TestFailurePolicy::Excludes => TestFailurePolicy::Excludes);
    setting.words(failing, 0, |plan, failing| plan.agenda[0].kind = test(failing));
    let units = every!(MatchUnit:
        MatchUnit::TotalTokens => MatchUnit::TotalTokens,
        MatchUnit::CompletionTokens => MatchUnit::CompletionTokens,
        MatchUnit::Calls => MatchUnit::Calls,
    );
    let ballot = vote(&Setting::shipped("first"));
    setting.words(units, 0, |plan, unit| {
        plan.agenda[0].kind = ballot.clone();
        let matched = Some(MatchedArm { unit, plan: Arc::new(plan.clone()) });
        Arc::make_mut(&mut plan.shared).matched = matched;
    });
    let means = every!(Average: Average::Weighted => Average::Weighted, Average::Unweighted => Average::Unweighted);
    setting.shared(means, 0, |plan, average| {
        let income = plan.mechanism.as_mut().expect("justice pays incomes");
        Arc::make_mut(income).average = average;
    });
    let (focus, phase) = (Some("this".to_owned()), Some(PhaseName::new("discussion")));
    let acts = every!(MemoryAct:
        MemoryAct::Compact { focus: None } => MemoryAct::Compact { focus: None },
        MemoryAct::Compact { focus: Some(_) } => MemoryAct::Compact { focus },
        MemoryAct::Forget { phase: None } => MemoryAct::Forget { phase: None },
        MemoryAct::Forget { phase: Some(_) } => MemoryAct::Forget { phase },
    );
    let deeds = every!(Deed:
        Deed::Told(_) => Deed::Told("Hello.".to_owned()),
        Deed::Reminded(_) => Deed::Reminded(MemoryAct::Forget { phase: None }),
        Deed::Marked { .. } => Deed::Marked { phase: PhaseName::new("discussion"), statement: Number { round: 1, turn: 1 } },
    );
    let told = Setting::of("interventions: [{ at: { phase: discussion, round: 2 }, text: Hello }]");
    told.shared(acts, 0, |plan, act| plan.interventions[0].deed = Deed::Reminded(act));
    told.shared(deeds, 0, |plan, deed| plan.interventions[0].deed = deed);
}

#[test]
fn every_assignment_and_field_of_a_form_has_words() {
    let setting = Setting::shipped("justice");
    let groupings = every!(Grouping:
        Grouping::Lot => Grouping::Lot,
        Grouping::Rotation => Grouping::Rotation,
        Grouping::Value(_) => Grouping::Value(formula("seat.index")),
    );
    setting.words(groupings, 0, |plan, by| plan.agenda[0].kind = PhaseKind::Assign(Arc::new([group_rule(by)])));
    let sizes = every!(GroupSize:
        GroupSize::Seats(_) => GroupSize::Seats(2),
        GroupSize::Groups(_) => GroupSize::Groups(2),
        GroupSize::Joined(_) => GroupSize::Joined(2),
        GroupSize::Roles(_) => GroupSize::Roles(vec![RoleSeats { name: "wolf".to_owned(), seats: None }]),
    );
    setting.words(sizes, 0, |plan, size| {
        plan.agenda[0].kind = PhaseKind::Assign(Arc::new([GroupRule { size, ..group_rule(Grouping::Lot) }]));
    });
    let options = || vec!["a".to_owned(), "b".to_owned()];
    let fields = every!(FieldKind:
        FieldKind::Choice { .. } => FieldKind::Choice { options: options() },
        FieldKind::Approval { .. } => FieldKind::Approval { options: options() },
        FieldKind::Ranking { .. } => FieldKind::Ranking { options: options(), ties: true, truncated: true, top: None },
        FieldKind::Score { .. } => FieldKind::Score { options: options(), max: 5 },
        FieldKind::Allocation { .. } => FieldKind::Allocation { options: options(), points: 10 },
        FieldKind::Number { .. } => FieldKind::Number { min: -25, max: 25, decimals: 1 },
        FieldKind::Numbers { .. } => FieldKind::Numbers { min: 1, max: 4, count: 3 },
        FieldKind::YesNo => FieldKind::YesNo,
        FieldKind::Text { .. } => FieldKind::Text { chars_min: 1, chars_max: 20, one_line: true },
        FieldKind::Texts { .. } => FieldKind::Texts { chars_min: 1, chars_max: 20, count_min: 1, count_max: 4 },
    );
    setting.words(fields, 0, |plan, kind| plan.agenda[0].kind = form(vec![kind]));
}

#[test]
fn every_way_to_decide_has_words() {
    let setting = Setting::of("");
    let rules = every!(RuleKind:
        RuleKind::Unanimity => RuleKind::Unanimity,
        RuleKind::Majority => RuleKind::Majority,
        RuleKind::Supermajority => RuleKind::Supermajority,
        RuleKind::Plurality => RuleKind::Plurality,
        RuleKind::Approval => RuleKind::Approval,
        RuleKind::Score => RuleKind::Score,
        RuleKind::Borda => RuleKind::Borda,
        RuleKind::Copeland => RuleKind::Copeland,
        RuleKind::Minimax => RuleKind::Minimax,
        RuleKind::Schulze => RuleKind::Schulze,
        RuleKind::RankedPairs => RuleKind::RankedPairs,
        RuleKind::KemenyYoung => RuleKind::KemenyYoung,
        RuleKind::InstantRunoff => RuleKind::InstantRunoff,
        RuleKind::TwoRound => RuleKind::TwoRound,
        RuleKind::RandomBallot => RuleKind::RandomBallot,
        RuleKind::AmendmentAgenda => RuleKind::AmendmentAgenda,
        RuleKind::Stv => RuleKind::Stv,
        RuleKind::Mean => RuleKind::Mean,
        RuleKind::Median => RuleKind::Median,
        RuleKind::Imposed => RuleKind::Imposed,
    );
    setting.shared(rules, 0, |plan, rule| {
        (plan.decision.rule, plan.decision.threshold) = (rule, Some((2, 3)));
        plan.imposed = (rule == RuleKind::Imposed).then_some(Choice { alternative: AlternativeId(0), amount: None });
    });
    let bases = every!(Base: Base::Members => Base::Members, Base::Valid => Base::Valid);
    setting.shared(bases, 0, |plan, base| (plan.decision.rule, plan.decision.base) = (RuleKind::Majority, base));
    let invalid = every!(InvalidBallots:
        InvalidBallots::VoidRound => InvalidBallots::VoidRound,
        InvalidBallots::Abstain => InvalidBallots::Abstain,
        InvalidBallots::Exclude => InvalidBallots::Exclude,
    );
    setting.shared(invalid, 0, |plan, invalid| plan.decision.invalid = invalid);
    let ties = every!(TieBreak:
        TieBreak::Lot => TieBreak::Lot,
        TieBreak::AgendaOrder => TieBreak::AgendaOrder,
        TieBreak::StatusQuo => TieBreak::StatusQuo,
        TieBreak::NoDecision => TieBreak::NoDecision,
        TieBreak::Chair => TieBreak::Chair,
        TieBreak::RandomBallot => TieBreak::RandomBallot,
    );
    setting.shared(ties, 0, |plan, tie| (plan.decision.rule, plan.decision.tie_break) = (RuleKind::Plurality, tie));
    let forms = every!(BallotForm:
        BallotForm::Choice => BallotForm::Choice,
        BallotForm::Amount => BallotForm::Amount,
        BallotForm::Approval => BallotForm::Approval,
        BallotForm::Ranking { .. } => BallotForm::Ranking { ties: false, truncated: false, top: None },
        BallotForm::Score { .. } => BallotForm::Score { max: 5 },
        BallotForm::Allocation { .. } => BallotForm::Allocation { points: 10 },
    );
    setting.shared(forms, 0, |plan, form| plan.voting.form = form);
    let orders = every!(OptionOrder:
        OptionOrder::Fixed => OptionOrder::Fixed,
        OptionOrder::Seeded => OptionOrder::Seeded,
        OptionOrder::Latin => OptionOrder::Latin,
    );
    setting.shared(orders, 0, |plan, order| plan.controls.option_order = order);
}

#[test]
fn every_case_has_words() {
    let setting = Setting::shipped("hidden_profile");
    let truths = every!(TruthRule:
        TruthRule::Alternative(_) => TruthRule::Alternative(AlternativeId(0)),
        TruthRule::Drawn(_) => TruthRule::Drawn(vec![500_000, 500_000]),
        TruthRule::Amount(_) => TruthRule::Amount(7),
    );
    setting.shared(truths, 0, |plan, truth| Arc::make_mut(plan.evidence.as_mut().unwrap()).truth = Some(truth));
    let shared = every!(SharedFacts: SharedFacts::Named(_) => SharedFacts::Named(vec![0, 2]), SharedFacts::Count(_) => SharedFacts::Count(2));
    setting.shared(shared, 0, |plan, shared| Arc::make_mut(plan.evidence.as_mut().unwrap()).shared = shared);
}

/// The income principles of the shipped experiment.
fn income() -> Arc<IncomePrinciples> {
    let setting = Setting::shipped("justice");
    Arc::clone(setting.0.arms[0].income_principles().unwrap())
}

#[test]
fn everyone_who_may_sit_there_has_words() {
    let setting = Setting::of("");
    let one = TraitValue::Fixed(1_000_000);
    let opinionated = |rule| Mind::Opinionated(Opinionated { opinion: None, indifference: None, rule });
    let minds = every!(Mind:
        Mind::Random { .. } => Mind::Random { malformed_ppm: 0, abstain_ppm: 0 },
        Mind::Voter { .. } => Mind::Voter { copy_ppm: 0 },
        Mind::Justice(_) => Mind::Justice(Justice::of_pay(one, income())),
        Mind::Opinionated(_) => opinionated(OpinionRule::Juror),
        Mind::Scripted(_) => Mind::Scripted(Script::List(Vec::new())),
        Mind::Tallying { .. } => Mind::Tallying { cites: 1 },
        Mind::Rule(_) => Mind::Rule(vec![QuestionRule { answers: "c".to_owned(), formula: Formula::never() }]),
        Mind::Silent => Mind::Silent,
    );
    let seat = |plan: &mut ArmPlan, mind| plan.seats[0].sitter = Sitter::Mind(mind);
    setting.shared(minds, 0, seat);
    let scripts =
        every!(Script: Script::List(_) => Script::List(Vec::new()), Script::Table(_) => Script::Table(Vec::new()));
    setting.shared(scripts, 0, |plan, script| seat(plan, Mind::Scripted(script)));
    let values = every!(TraitValue: TraitValue::Fixed(_) => one, TraitValue::Uniform { .. } => TraitValue::Uniform { least: 0, greatest: 1 });
    setting.shared(values, 0, |plan, one| seat(plan, Mind::Justice(Justice::of_pay(one, income()))));
    let rules = every!(OpinionRule:
        OpinionRule::Degroot { .. } => OpinionRule::Degroot { self_weight: one, weights: InfluenceWeights::Equal },
        OpinionRule::FriedkinJohnsen { .. } => OpinionRule::FriedkinJohnsen { stubbornness: one, self_weight: one, weights: InfluenceWeights::Equal, attractor: one, pull: one },
        OpinionRule::HegselmannKrause { .. } => OpinionRule::HegselmannKrause { confidence: one },
        OpinionRule::Deffuant { .. } => OpinionRule::Deffuant { confidence: one, convergence: one },
        OpinionRule::QVoter { .. } => OpinionRule::QVoter { q: 2, noise: one },
        OpinionRule::Majority { .. } => OpinionRule::Majority { group: 3 },
        OpinionRule::ArgumentExchange { .. } => OpinionRule::ArgumentExchange { arguments: 3, source: ArgumentSource::Facts, homophily: one },
        OpinionRule::SocialDecisionScheme(_) => OpinionRule::SocialDecisionScheme(Scheme::MajorityElseProportional),
        OpinionRule::QuantalResponse { .. } => OpinionRule::QuantalResponse { precision: one, utilities: vec![1] },
        OpinionRule::Polya { .. } => OpinionRule::Polya { concentration: one },
        OpinionRule::Juror => OpinionRule::Juror,
    );
    setting.shared(rules, 0, |plan, rule| seat(plan, opinionated(rule)));
    let weights = every!(InfluenceWeights:
        InfluenceWeights::Equal => InfluenceWeights::Equal,
        InfluenceWeights::Named(_) => InfluenceWeights::Named(Vec::new()),
        InfluenceWeights::Edges(EdgeWeights { own: None, .. }) => InfluenceWeights::Edges(EdgeWeights::default()),
        InfluenceWeights::Edges(EdgeWeights { own: Some(_), .. }) => InfluenceWeights::Edges(EdgeWeights { own: Some(1), ..EdgeWeights::default() }),
    );
    setting.shared(weights, 0, |plan, weights| {
        seat(plan, opinionated(OpinionRule::Degroot { self_weight: one, weights }))
    });
    let sources = every!(ArgumentSource: ArgumentSource::Pool { .. } => ArgumentSource::Pool { each: 3 }, ArgumentSource::Facts => ArgumentSource::Facts);
    setting.shared(sources, 0, |plan, source| {
        seat(plan, opinionated(OpinionRule::ArgumentExchange { arguments: 3, source, homophily: one }));
    });
    let sitters = every!(Sitter:
        Sitter::Mind(_) => Sitter::Mind(Mind::Silent),
        Sitter::Model(_) => Sitter::Model(0),
        Sitter::Person(_) => Sitter::Person(Person { name: "person".to_owned(), id: None }),
    );
    setting.shared(sitters, 0, |plan, sitter| plan.seats[0].sitter = sitter);
    let roles = every!(SeatRole: SeatRole::Member => SeatRole::Member, SeatRole::Manipulator => SeatRole::Manipulator);
    setting.shared(roles, 0, |plan, role| plan.seats[0].role = role);
    let answers = every!(Answers: Answers::JsonSchema => Answers::JsonSchema, Answers::Anchored => Answers::Anchored, Answers::Auto => Answers::Auto);
    setting.shared(answers, 0, |plan, answers| plan.models[0].answers = answers);
}

#[test]
fn every_design_has_words() {
    let setting = Setting::of("design: { factors: { rule: { key: decision.rule, levels: [majority, unanimity] } } }");
    let pairings = every!(Pairing: Pairing::CommonRandomNumbers => Pairing::CommonRandomNumbers, Pairing::Independent => Pairing::Independent);
    setting.shared(pairings, 0, |plan, pairing| plan.pairing = pairing);
    let pages = |units: Vec<(Correction, Unit)>| -> BTreeSet<String> {
        let primary = |(correction, unit)| PrimaryComparison {
            metrics: vec!["carried".to_owned()],
            contrast: None,
            correction,
            unit,
            replicates: None,
        };
        let page =
            |primary| render_design(&Experiment { primary: Some(primary), ..setting.0.clone() }, &ResultsScope::Whole);
        units.into_iter().map(primary).map(page).collect()
    };
    let corrections = every!(Correction: Correction::Holm => Correction::Holm, Correction::None => Correction::None);
    assert_eq!(pages(corrections.into_iter().map(|correction| (correction, Unit::Session)).collect()).len(), 2);
    let units = every!(Unit:
        Unit::Session => Unit::Session,
        Unit::Replicate => Unit::Replicate,
        Unit::Panel => Unit::Panel,
        Unit::Item => Unit::Item,
    );
    assert_eq!(pages(units.into_iter().map(|unit| (Correction::Holm, unit)).collect()).len(), 4);
}

fn group_rule(by: Grouping) -> GroupRule {
    GroupRule { name: "team".to_owned(), size: GroupSize::Seats(2), by, mix: None }
}
