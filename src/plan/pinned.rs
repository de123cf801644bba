//! What of a seat's memory is never cut, dropped or replaced, and how much room it takes at the most: a bound from the plan
//! alone, kind by kind. Whether there is so much room is checked elsewhere.

use super::statements::{self, Statements, marked};
use super::{COUNTDOWN, Deed, Discussion, PhaseKind, Plan, RoundVotes, Seat, SeatRole, TEST_TRIES, VoteCall};
use crate::domain::{
    AlternativeId, Ballot, Base, CLASSES, Certainty, Choice, EntryKind, NAME_CHARS_MAX, NamedChoice, PaymentStage,
    RuleKind, Situation, TallyCount, TallyReport, Voted,
};
use crate::mechanism::{Counterfactual, Multiplier, multiplied, pay_cents, ranges};
use crate::memory::{FloorEvent, Strategy, entry_tokens, guidance, notice};
use crate::prompt::{CounterfactualFacts, PaymentFacts, TestFacts};
use crate::text;

/// What incomes are multiplied with where no number is drawn, in thousandths.
const ONCE: Multiplier = Multiplier { least: 1_000, greatest: 1_000 };
/// Room for what stands before a seat's notes, in characters.
const NOTES_HEADING: u64 = 100;

/// A length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// In characters as rendered.
    pub chars: u64,
    /// In tokens, by the estimate that errs high.
    pub tokens: u64,
}

/// Things of one kind that are never cut or dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What they are, with their number.
    pub words: String,
    /// How long they are together, at the most.
    pub size: Size,
    /// Whether every session has them, in these very words.
    pub sure: Sure,
}

/// Whether something is known before a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sure {
    /// Every session has it so.
    Given,
    /// There may be less of it.
    AtMost,
}

impl Size {
    fn of(line: &str) -> Self {
        Self { chars: text::chars(line), tokens: entry_tokens(line) }
    }

    /// The sum of all.
    pub fn sum(sizes: impl Iterator<Item = Size>) -> Self {
        sizes.fold(Self::default(), |sum, size| Self {
            chars: sum.chars.saturating_add(size.chars),
            tokens: sum.tokens.saturating_add(size.tokens),
        })
    }

    /// Of these lines the greatest length, in either unit.
    fn longest(lines: impl Iterator<Item = String>) -> Self {
        let sizes = lines.map(|line| Self::of(&line));
        sizes.fold(Self::default(), |most, size| Self {
            chars: most.chars.max(size.chars),
            tokens: most.tokens.max(size.tokens),
        })
    }

    fn times(self, count: u64) -> Self {
        Self { chars: self.chars.saturating_mul(count), tokens: self.tokens.saturating_mul(count) }
    }
}

/// What is never cut, dropped or replaced of any seat's memory, by kinds. Under a policy that keeps nothing only exhibits are
/// shown.
pub fn of_all(plan: &Plan) -> Vec<Part> {
    if plan.memory.policy.terms().keeps_nothing() {
        return Vec::new();
    }
    let votes = Votes::of(plan);
    some(vec![
        told_to_all(plan),
        results(plan),
        calls(plan),
        answers(plan),
        ballots(plan, &votes),
        tallies(plan, &votes),
        rankings(plan),
        applications(plan),
    ])
}

/// The same of one seat's memory alone.
pub fn of_seat(plan: &Plan, seat: &Seat) -> Vec<Part> {
    let exhibits = handed(plan, seat);
    match plan.memory.policy.terms().keeps_nothing() {
        true => some(vec![exhibits]),
        false => some(vec![
            exhibits,
            told_alone(plan, seat),
            dealt(plan),
            notes(plan, seat),
            statements(statements::pinned(plan, seat), "that may be marked"),
            statements(marked(plan, seat), "that interventions mark"),
        ]),
    }
}

/// The most characters that a text which everyone is told and that is not pinned needs beside all that is: it is dropped when
/// it is old, and has to be read before. Results that are paid after it are not there yet.
pub fn told_beside(plan: &Plan) -> u64 {
    if is_pinned(plan, FloorEvent::Instruction) {
        return 0;
    }
    let results = results_by_phase(plan);
    let later =
        |place: usize| -> u64 { results.iter().filter(|(phase, _)| *phase >= place).map(|(_, size)| size.chars).sum() };
    let needs = announcements(plan).map(|(place, text)| text::chars(&text).saturating_sub(later(place)));
    needs.max().unwrap_or(0)
}

fn some(parts: Vec<Part>) -> Vec<Part> {
    parts.into_iter().filter(|part| part.size != Size::default()).collect()
}

/// Whether something on the floor is never dropped.
fn is_pinned(plan: &Plan, event: FloorEvent) -> bool {
    plan.memory.routing.of_floor(event) != Strategy::Skip && plan.memory.pin.hold_remark(event)
}

/// Whether something that one seat remembers is never dropped.
fn is_kept(plan: &Plan, kind: EntryKind) -> bool {
    plan.memory.routing.of_entry(kind) != Strategy::Skip && plan.memory.pins(kind)
}

/// So many of one kind, named as one and as several, each this long at the most.
fn many(count: u64, (one, several): (&str, &str), size: Size) -> Part {
    let words = if count == 1 { format!("1 {one}") } else { format!("{count} {several}") };
    Part { words, size: size.times(count), sure: Sure::AtMost }
}

/// Statements that are never dropped, and which.
fn statements(all: Statements, which: &str) -> Part {
    let words = if all.count == 1 { "statement" } else { "statements" };
    let size = Size { chars: all.all_chars(), tokens: all.all_tokens() };
    Part { words: format!("{} {words} {which}", all.count), size, sure: Sure::AtMost }
}

/// The same, where none is pinned.
fn none() -> Part {
    Part { words: String::new(), size: Size::default(), sure: Sure::AtMost }
}

/// Texts that are known.
fn given(words: &str, lines: impl Iterator<Item = String>) -> Part {
    Part { words: words.to_owned(), size: Size::sum(lines.map(|line| Size::of(&line))), sure: Sure::Given }
}

fn handed(plan: &Plan, seat: &Seat) -> Part {
    let own = plan.exhibits.iter().filter(|handed| handed.is_for(&seat.name));
    given("exhibits", own.map(|handed| handed.exhibit.shown().to_owned()))
}

/// What the seat alone is told: by interventions, and what a manipulator is to push.
fn told_alone(plan: &Plan, seat: &Seat) -> Part {
    if !is_kept(plan, EntryKind::Instruction) {
        return none();
    }
    let own = plan.interventions.iter().filter(|told| told.to.contains(&seat.name));
    let told = own.filter_map(|told| Some(notice::told_alone(told.text()?, told.by, plan.motion.language)));
    let ranks = plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Ranking));
    let pushed = (seat.role == SeatRole::Manipulator && ranks).then(|| {
        let targets = alternatives(plan).filter_map(|id| plan.prompts.manipulation(&plan.motion, id).ok());
        let longest = targets.max_by_key(|text| text.len()).unwrap_or_default();
        let told = notice::told_alone(&longest, crate::domain::Voice::Facilitator, plan.motion.language);
        std::iter::repeat_n(told, talks(plan).count())
    });
    given("what it is told alone", told.chain(pushed.into_iter().flatten()))
}

/// What a seat is told alone of the case.
fn dealt(plan: &Plan) -> Part {
    match is_kept(plan, EntryKind::Dealt) {
        true => {
            let told = plan.longest_hand().map(|text| notice::dealt(&text, plan.motion.language));
            Part { sure: Sure::AtMost, ..given("its signal and facts", told.into_iter()) }
        }
        false => none(),
    }
}

fn told_to_all(plan: &Plan) -> Part {
    match is_pinned(plan, FloorEvent::Instruction) {
        true => given("what all are told", announcements(plan).map(|(_, text)| text)),
        false => none(),
    }
}

/// All that everyone is told, as it is read, each with the place of its phase in the agenda.
fn announcements(plan: &Plan) -> impl Iterator<Item = (usize, String)> {
    let phases = || plan.agenda.iter().enumerate();
    let briefs = phases().filter_map(|(place, phase)| match &phase.kind {
        PhaseKind::Brief { text } => Some((place, text.clone())),
        _ => None,
    });
    let to_all = plan.interventions.iter().filter(|told| told.to.is_empty());
    let said = to_all.filter_map(move |told| match &told.deed {
        Deed::Told(text) => {
            // After a phase that is not held no result is taken to come.
            let place = phases().find(|(_, phase)| phase.name == told.phase).map_or(usize::MAX, |(place, _)| place);
            Some((place, notice::told(text, told.by, plan.motion.language)))
        }
        Deed::Reminded(_) | Deed::Marked { .. } => None,
    });
    let counted = phases().filter_map(|(place, phase)| match &phase.kind {
        PhaseKind::Discussion(talk) if talk.announce_end && talk.rounds.get() >= COUNTDOWN => {
            Some((place, plan.prompts.notice("countdown", COUNTDOWN).ok()?))
        }
        _ => None,
    });
    let all = briefs.chain(said).chain(counted);
    all.map(|(place, text)| (place, guidance::read_aloud(&text, plan.motion.language).into_owned()))
}

/// What a seat reads about its pay.
fn results(plan: &Plan) -> Part {
    let sizes = results_by_phase(plan);
    let size = Size::sum(sizes.iter().map(|(_, size)| *size));
    Part { size, ..many(sizes.len() as u64, ("result", "results"), Size::default()) }
}

/// What a seat reads about its pay, after each practice round and after the settlement, with the place of the phase.
fn results_by_phase(plan: &Plan) -> Vec<(usize, Size)> {
    let Some(income) = plan.income().filter(|_| is_kept(plan, EntryKind::Results)) else { return Vec::new() };
    let richest = |situation: &Situation| u64::from(situation.income_max());
    let practice = income.drawn.unwrap_or(ONCE);
    let payments: Vec<(usize, (PaymentStage, Multiplier, Situation))> = plan
        .agenda
        .iter()
        .enumerate()
        .flat_map(|(place, phase)| match phase.kind {
            PhaseKind::Applications => {
                let situations = income.applications.iter();
                let drawn = |one: &Situation| multiplied(one, practice.greatest, &one.name);
                situations.map(|one| (place, (PaymentStage::Application, practice, drawn(one)))).collect()
            }
            PhaseKind::Settle => {
                let sample = &income.sample;
                let drawn = multiplied(sample, income.settlement.greatest, &sample.name);
                vec![(place, (PaymentStage::Settlement, income.settlement, drawn))]
            }
            _ => Vec::new(),
        })
        .collect();
    let rate = |stage| match stage {
        PaymentStage::Application => income.application_cents,
        PaymentStage::Settlement => income.settlement_cents,
    };
    let balance: u64 =
        payments.iter().map(|(_, (stage, _, one))| richest(one) * u64::from(rate(*stage)) / 10_000 + 1).sum();
    let mut sizes: Vec<(usize, Size)> = Vec::new();
    for (number, (place, payment)) in payments.iter().enumerate() {
        let known = payments[..number].iter().position(|(_, earlier)| earlier == payment);
        let (stage, drawn, situation) = payment;
        let size = known.map(|earlier| sizes[earlier].1);
        let longest = || longest_result(plan, (*stage, rate(*stage)), (*drawn, situation), balance);
        sizes.push((*place, size.unwrap_or_else(longest)));
    }
    sizes
}

/// The longest that a seat can be told about one payment from these tables, which have the greatest incomes that can be drawn.
fn longest_result(
    plan: &Plan,
    (stage, rate): (PaymentStage, u32),
    (drawn, situation): (Multiplier, &Situation),
    balance: u64,
) -> Size {
    let others = |class: usize| {
        let found = plan.income().map(|income| income.counterfactuals(situation, class as u8)).unwrap_or_default();
        let told = found.into_iter().map(|Counterfactual { choice, table, income }| CounterfactualFacts {
            choice,
            table: table as u32 + 1,
            income,
            payoff_cents: pay_cents(income, rate),
        });
        told.collect::<Vec<_>>()
    };
    let amount_max = plan.motion.amount_max.unwrap_or(u32::MAX);
    let chosen = alternatives(plan).map(|alternative| {
        let named = &plan.motion.alternatives[alternative.index()];
        let choice = Choice { alternative, amount: named.takes_amount.then_some(amount_max) };
        (named.label.len() + plan.motion.named(choice).to_string().len(), choice)
    });
    let chosen = [chosen.max_by_key(|(length, _)| *length).map(|(_, choice)| choice), None];
    let texts = (0..CLASSES).flat_map(|class| {
        let counterfactuals = others(class);
        let incomes = || situation.tables.iter().map(|table| table[class]);
        let extremes: Vec<u32> = incomes().min().into_iter().chain(incomes().max()).collect();
        let told = chosen.iter().flat_map(|choice| extremes.iter().map(move |income| (choice, *income)));
        let texts = told.filter_map(|(choice, income)| {
            let facts = PaymentFacts {
                motion: &plan.motion,
                situation,
                stage,
                choice: *choice,
                decided: choice.is_some(),
                table: 1,
                class: class as u8,
                income,
                payoff_cents: pay_cents(income, rate),
                balance_cents: balance,
                counterfactuals: counterfactuals.clone(),
            };
            plan.prompts.payment(&facts).ok()
        });
        texts.collect::<Vec<_>>()
    });
    let longest = Size::longest(texts);
    if drawn == ONCE {
        return longest;
    }
    // Incomes are cut to whole dollars: by another multiplier ranges may differ that are equal here, which is a line more each,
    // and a difference may have one figure more.
    let tables = situation.tables.len();
    let lines = others(0).len();
    let more = tables.saturating_sub(ranges(situation).len());
    let a_line = |size: u64| size.div_ceil(lines.max(1) as u64);
    Size {
        chars: longest.chars + more as u64 * a_line(longest.chars) + lines as u64,
        tokens: longest.tokens + more as u64 * a_line(longest.tokens) + lines as u64,
    }
}

/// A seat's notes: a token for each character, as in figures.
fn notes(plan: &Plan, seat: &Seat) -> Part {
    if plan.notes.is_none() || !plan.memory.policy.terms().is_limited() {
        return none();
    }
    let chars = seat.memory.notes_room() + NOTES_HEADING;
    Part { words: "notes".to_owned(), size: Size { chars, tokens: chars }, sure: Sure::AtMost }
}

/// Calls for a vote; where all are asked at once, each may call.
fn calls(plan: &Plan) -> Part {
    let seats = plan.seats.len() as u64;
    let called = called(plan).map(|(rounds, call)| match call {
        VoteCall::Sequential => rounds,
        VoteCall::Simultaneous => rounds * seats,
    });
    match is_pinned(plan, FloorEvent::VoteCalled) {
        true => many(
            called.sum(),
            ("call for a vote", "calls for a vote"),
            of_names(plan, |name| notice::call_line(name, plan.motion.language)),
        ),
        false => none(),
    }
}

fn answers(plan: &Plan) -> Part {
    let others = plan.seats.len() as u64 - 1;
    let rounds: u64 = called(plan).map(|(rounds, _)| rounds).sum();
    match is_pinned(plan, FloorEvent::VoteAnswered) {
        true => many(
            rounds * others,
            ("answer to a call", "answers to calls"),
            of_names(plan, |name| notice::declined_line(name, plan.motion.language)),
        ),
        false => none(),
    }
}

fn ballots(plan: &Plan, votes: &Votes) -> Part {
    let lines = voted(plan).map(|ballot| guidance::ballot_line(Some(&ballot), plan.motion.tongue()));
    match is_kept(plan, EntryKind::OwnBallot) {
        true => many(
            votes.held,
            ("ballot", "ballots"),
            Size::longest(lines.chain([guidance::ballot_line(None, plan.motion.tongue())])),
        ),
        false => none(),
    }
}

/// Counts of ballots: each is open or decides, and in rounds the first that decides ends the talk.
fn tallies(plan: &Plan, votes: &Votes) -> Part {
    let open = is_pinned(plan, FloorEvent::TallyOpen);
    let decided = is_pinned(plan, FloorEvent::TallyDecided);
    let count = match (open, decided) {
        (false, false) => 0,
        (true, false) => votes.held,
        (false, true) => votes.parts + votes.imposed,
        (true, true) => votes.held + votes.imposed,
    };
    let most = Size::of(&longest_tally(plan));
    many(count, ("count of ballots", "counts of ballots"), most)
}

fn rankings(plan: &Plan) -> Part {
    let held = plan.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Ranking)).count() as u64;
    let order: Vec<_> = plan.motion.alternatives.iter().map(|alternative| &alternative.name).collect();
    let tongue = plan.motion.tongue();
    let lines = Certainty::ALL.into_iter().map(|certainty| notice::ranking_line(&order, certainty, tongue));
    match is_kept(plan, EntryKind::OwnRanking) {
        true => many(held, ("ranking", "rankings"), Size::longest(lines)),
        false => none(),
    }
}

/// Choices in practice rounds, and how tests went.
fn applications(plan: &Plan) -> Part {
    if !is_kept(plan, EntryKind::OwnApplication) {
        return none();
    }
    let line = |name: &str, choice: &NamedChoice| {
        let tongue = plan.motion.tongue();
        let lines = Certainty::ALL.into_iter();
        let lines = lines.map(|certainty| notice::application_line(name, choice, certainty, tongue));
        lines.max_by_key(String::len).unwrap_or_default()
    };
    let practised = plan.income().into_iter().flat_map(|income| &income.applications);
    let practised =
        practised.map(|situation| Size::longest(choices(plan).map(|choice| line(&situation.name, &choice))));
    let rounds: Vec<Size> = practised.collect();
    let sizes = plan.agenda.iter().flat_map(|phase| match &phase.kind {
        PhaseKind::Applications => rounds.clone(),
        PhaseKind::Comprehension(test) => vec![test_result(plan, test.questions.len() as u32); TEST_TRIES as usize],
        _ => Vec::new(),
    });
    let sizes: Vec<Size> = sizes.collect();
    let count = sizes.len() as u64;
    Part {
        size: Size::sum(sizes.into_iter()),
        ..many(count, ("practice choice or test", "practice choices and tests"), Size::default())
    }
}

/// What a seat is told at the most of a test with so many questions.
fn test_result(plan: &Plan, of: u32) -> Size {
    let tried = [false, true].into_iter().flat_map(|passed| [false, true].map(|last_try| (passed, last_try)));
    let facts = tried.flat_map(|(passed, last_try)| [0, of].map(|correct| TestFacts { correct, of, passed, last_try }));
    Size::longest(facts.filter_map(|facts| plan.prompts.test_result(&facts).ok()))
}

/// The discussions of a plan.
pub fn talks(plan: &Plan) -> impl Iterator<Item = &Discussion> {
    plan.agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Discussion(talk) => Some(talk),
        _ => None,
    })
}

/// For each discussion in which votes may be called, in how many rounds, and how seats are asked.
fn called(plan: &Plan) -> impl Iterator<Item = (u64, VoteCall)> {
    talks(plan).filter_map(|talk| match talk.votes {
        RoundVotes::OnCall { call, .. } => Some((votes_in(talk), call)),
        RoundVotes::Never | RoundVotes::EveryRound => None,
    })
}

/// How many votes the rounds of a discussion may have.
fn votes_in(talk: &Discussion) -> u64 {
    let rounds = u64::from(talk.rounds.get());
    match talk.votes {
        RoundVotes::Never => 0,
        RoundVotes::EveryRound => rounds,
        RoundVotes::OnCall { rounds_min, .. } => (rounds + 1).saturating_sub(rounds_min.into()),
    }
}

/// How often a session may vote.
struct Votes {
    held: u64,
    /// Phases that vote.
    parts: u64,
    imposed: u64,
}

impl Votes {
    fn of(plan: &Plan) -> Self {
        let ballots = plan.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Ballot)).count() as u64;
        let voting = talks(plan).filter(|talk| talk.votes_in_rounds()).count() as u64;
        let in_rounds: u64 = talks(plan).map(votes_in).sum();
        Self { held: in_rounds + ballots, parts: ballots + voting, imposed: plan.imposed.is_some().into() }
    }
}

fn alternatives(plan: &Plan) -> impl Iterator<Item = AlternativeId> {
    (0..plan.motion.alternatives.len() as u32).map(AlternativeId)
}

/// Every alternative, with the greatest amount where it takes one.
fn choices(plan: &Plan) -> impl Iterator<Item = NamedChoice> {
    alternatives(plan).map(|alternative| {
        let takes_amount = plan.motion.alternatives[alternative.index()].takes_amount;
        let amount = takes_amount.then_some(plan.motion.amount_max.unwrap_or(u32::MAX));
        plan.motion.named(Choice { alternative, amount })
    })
}

/// The longest of the lines that name a seat.
fn of_names(plan: &Plan, line: impl Fn(&str) -> String) -> Size {
    Size::longest(plan.seats.iter().flat_map(names).map(|name| line(&name)))
}

/// The names that a seat may go by. One that is still to be chosen has as many letters as it may, of the longest.
fn names(seat: &Seat) -> Vec<String> {
    let chosen = seat.chooses_name().then(|| "\u{1d49c}".repeat(NAME_CHARS_MAX as usize));
    std::iter::once(seat.agent.public_name.clone()).chain(chosen).collect()
}

/// The ballots that may be cast: for each choice, or the one with the most words and that with the least.
fn voted(plan: &Plan) -> impl Iterator<Item = Voted> {
    let fullest = plan.fullest_ballot();
    let empty = fullest.is_some().then(|| Voted::Over(Ballot::Approval(Vec::new())));
    let choices: Vec<Voted> = match fullest {
        Some(_) => Vec::new(),
        None => choices(plan).map(Voted::For).collect(),
    };
    choices.into_iter().chain(fullest).chain(empty)
}

/// A count of ballots in which every alternative has all of them, and each seat named another amount.
fn longest_tally(plan: &Plan) -> String {
    let seats = plan.seats.len() as u32;
    let weight = plan.electorate.total(seats);
    let entry = |choice: NamedChoice| TallyCount {
        alternative: choice.alternative,
        amount: choice.amount,
        count: weight,
        points: plan.voting.points_at_most(weight, plan.motion.alternatives.len()),
    };
    let widest = choices(plan).max_by_key(|choice| choice.to_string().len());
    let amounts = widest.clone().filter(|_| choices(plan).any(|choice| choice.amount.is_some()));
    let amounts = amounts.into_iter().flat_map(|choice| vec![choice; seats as usize]);
    let report = TallyReport {
        rule: RuleKind::Plurality,
        base: Base::Valid,
        eligible: weight,
        valid: weight,
        invalid: weight,
        abstained: weight,
        by_choice: 0,
        threshold: None,
        counts: choices(plan).chain(amounts).map(entry).collect(),
        winners: Vec::new(),
        quorum_met: None,
        condorcet_winner: None,
        uncounted: None,
        tie_break: None,
        tie_ballots: Vec::new(),
        decided: widest.clone(),
    };
    let missed = TallyReport { quorum_met: Some(false), decided: None, ..report.clone() };
    let length = |report: &TallyReport| guidance::tally_line(report, plan.motion.tongue()).len();
    let is_missed = plan.electorate.quorum.is_some() && length(&missed) > length(&report);
    let report = if is_missed { missed } else { report };
    if !plan.roll_call {
        return guidance::tally_line(&report, plan.motion.tongue());
    }
    let invalid = plan.decision.invalid;
    let ballots = plan.seats.iter().map(|seat| {
        let name = names(seat).into_iter().max_by_key(String::len).unwrap_or_default();
        let length = |ballot: Option<&Voted>| guidance::roll_line(&name, ballot, invalid, plan.motion.tongue()).len();
        let ballot = voted(plan).max_by_key(|ballot| length(Some(ballot)));
        let ballot = ballot.filter(|widest| length(Some(widest)) >= length(None));
        (name, ballot)
    });
    let ballots: Vec<(String, Option<Voted>)> = ballots.collect();
    let ballots = ballots.iter().map(|(name, ballot)| (name.as_str(), ballot.clone()));
    guidance::roll_call(&report, invalid, ballots, plan.motion.tongue())
}
