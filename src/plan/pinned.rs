//! Upper bounds on the pinned parts of a seat's memory, computed from the plan alone. Another module checks that they fit.

use std::collections::BTreeMap;

use super::statements::{self, Statements, marked_statements};
use super::{
    COUNTDOWN, Deed, Discussion, FormPlan, Intervention, PhaseKind, Plan, QUESTION_CHARS_MAX, RoundVotes, Seat,
    SeatRole, TEST_TRIES, VoteCall, VoteTerms,
};
use crate::domain::{
    Ballot, Base, CLASSES, Certainty, Choice, EntryKind, Field, Motion, NAME_CHARS_MAX, NamedChoice, OpenBallots,
    PaymentStage, RuleKind, SeatId, Situation, TallyCount, TallyReport, TieBreak, Voice, Voted, join_choices,
};
use crate::mechanism::{Counterfactual, Multiplier, income_ranges, multiply_incomes, pay_cents};
use crate::memory::{FloorEvent, Strategy, entry_tokens, guidance, notice};
use crate::prompt::{CounterfactualFacts, PaymentFacts, TestFacts};
use crate::question::{AnswerLength, build_extreme_values};
use crate::text;

/// The multiplier of incomes if none is drawn, in thousandths.
const ONCE: Multiplier = Multiplier { least: 1_000, greatest: 1_000 };
/// Space for the heading of a seat's notes, in characters.
const NOTES_HEADING: u64 = 100;

/// A length in two units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Characters as rendered.
    pub chars: u64,
    /// Tokens, by the estimate that errs high.
    pub tokens: u64,
}

/// Pinned parts of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedPart {
    /// A description with their number.
    pub words: String,
    /// An upper bound on their total size.
    pub size: Size,
    /// Whether the size is exact or a bound.
    pub sure: SizeCertainty,
}

/// How certain a size is before a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeCertainty {
    /// Every session has exactly these texts.
    Given,
    /// Sessions may have less.
    AtMost,
}

impl Size {
    fn from_line(line: &str) -> Self {
        Self { chars: text::char_count(line), tokens: entry_tokens(line) }
    }

    /// The total size.
    pub fn sum(sizes: impl Iterator<Item = Size>) -> Self {
        sizes.fold(Self::default(), |sum, size| Self {
            chars: sum.chars.saturating_add(size.chars),
            tokens: sum.tokens.saturating_add(size.tokens),
        })
    }

    /// The greatest length of the lines, for each unit.
    fn longest_line(lines: impl Iterator<Item = String>) -> Self {
        lines.map(|line| Self::from_line(&line)).fold(Self::default(), Self::longest)
    }

    /// The greater length, for each unit.
    fn longest(self, other: Self) -> Self {
        Self { chars: self.chars.max(other.chars), tokens: self.tokens.max(other.tokens) }
    }

    fn times(self, count: u64) -> Self {
        Self { chars: self.chars.saturating_mul(count), tokens: self.tokens.saturating_mul(count) }
    }
}

/// The pinned parts that all seats share, by kind; under a policy that keeps nothing, none.
pub fn pinned_for_all(plan: &Plan) -> Vec<PinnedPart> {
    if plan.memory.policy.terms().keeps_nothing() {
        return Vec::new();
    }
    let votes = VoteBounds::from_plan(plan);
    drop_empty_parts(vec![
        announcements_part(plan),
        Some(results_part(plan)),
        vote_calls_part(plan),
        call_answers_part(plan),
        ballots_part(plan, &votes),
        Some(tallies_part(plan, &votes)),
        rankings_part(plan),
        applications_part(plan),
        answers_part(plan),
    ])
}

/// The pinned parts of one seat's memory; under a policy that keeps nothing, only exhibits.
pub fn pinned_for_seat(plan: &Plan, seat: &Seat) -> Vec<PinnedPart> {
    let exhibits = Some(exhibits_part(plan, seat));
    match plan.memory.policy.terms().keeps_nothing() {
        true => drop_empty_parts(vec![exhibits]),
        false => drop_empty_parts(vec![
            exhibits,
            instructions_part(plan, seat),
            hand_part(plan),
            notes_part(plan, seat),
            Some(statements_part(statements::pinnable_statements(plan, seat), "that may be marked")),
            Some(statements_part(marked_statements(plan, seat), "that interventions mark")),
        ]),
    }
}

/// The greatest space in characters that an unpinned announcement needs beside the pinned parts: it is dropped later, but must be
/// read first. Results of later phases do not count.
pub fn announcement_room(plan: &Plan) -> u64 {
    if is_pinned(plan, FloorEvent::Instruction) {
        return 0;
    }
    let results = results_by_phase(plan);
    let later =
        |place: usize| -> u64 { results.iter().filter(|(phase, _)| *phase >= place).map(|(_, size)| size.chars).sum() };
    let needs = list_announcements(plan).map(|(place, text)| text::char_count(&text).saturating_sub(later(place)));
    needs.max().unwrap_or(0)
}

fn drop_empty_parts(parts: Vec<Option<PinnedPart>>) -> Vec<PinnedPart> {
    parts.into_iter().flatten().filter(|part| part.size != Size::default()).collect()
}

/// Whether an event of the floor is pinned.
fn is_pinned(plan: &Plan, event: FloorEvent) -> bool {
    plan.memory.routing.of_floor(event) != Strategy::Skip && plan.memory.pin.hold_remark(event)
}

/// Whether an entry of one seat's memory is pinned.
fn is_kept(plan: &Plan, kind: EntryKind) -> bool {
    plan.memory.routing.of_entry(kind) != Strategy::Skip && plan.memory.pins_entry(kind)
}

/// A part of `count` entries with a maximum size each.
fn counted_part(count: u64, (one, several): (&str, &str), size: Size) -> PinnedPart {
    sized_part(count, (one, several), size.times(count))
}

/// A part of `count` entries with a maximum total size.
fn sized_part(count: u64, (one, several): (&str, &str), size: Size) -> PinnedPart {
    let words = if count == 1 { format!("1 {one}") } else { format!("{count} {several}") };
    PinnedPart { words, size, sure: SizeCertainty::AtMost }
}

/// The part of pinned statements; `which` describes them.
fn statements_part(all: Statements, which: &str) -> PinnedPart {
    let words = if all.count == 1 { "statement" } else { "statements" };
    let size = Size { chars: all.all_chars(), tokens: all.all_tokens() };
    PinnedPart { words: format!("{} {words} {which}", all.count), size, sure: SizeCertainty::AtMost }
}

/// A part with known texts.
fn text_part(words: &str, lines: impl Iterator<Item = String>) -> PinnedPart {
    PinnedPart {
        words: words.to_owned(),
        size: Size::sum(lines.map(|line| Size::from_line(&line))),
        sure: SizeCertainty::Given,
    }
}

/// A message of the facilitator to one seat.
fn private_line(plan: &Plan, text: &str) -> String {
    notice::marked_line(text, Voice::Facilitator, plan.motion.language)
}

/// Whether an intervention happens in groups, where each member is told in a message of her own.
fn is_in_groups(plan: &Plan, told: &Intervention) -> bool {
    plan.agenda.iter().any(|phase| phase.group.is_some() && told.is_in(phase))
}

fn exhibits_part(plan: &Plan, seat: &Seat) -> PinnedPart {
    let own = plan.exhibits.iter().filter(|handed| handed.is_shown_to(&seat.name));
    text_part("exhibits", own.map(|handed| handed.exhibit.shown_text().to_owned()))
}

/// Private instructions: interventions, and the target of a manipulator.
fn instructions_part(plan: &Plan, seat: &Seat) -> Option<PinnedPart> {
    if !is_kept(plan, EntryKind::Instruction) {
        return None;
    }
    let is_own = |told: &&Intervention| told.to.contains(&seat.name) || told.to.is_empty() && is_in_groups(plan, told);
    let own = plan.interventions.iter().filter(is_own);
    let told = own.filter_map(|told| Some(notice::marked_line(told.text()?, told.by, plan.motion.language)));
    let ranks = plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Ranking));
    let pushed = (seat.role == SeatRole::Manipulator && ranks).then(|| {
        let targets = plan.motion.alternative_ids().filter_map(|id| plan.prompts.manipulation(&plan.motion, id).ok());
        let longest = targets.max_by_key(|text| text.len()).unwrap_or_default();
        std::iter::repeat_n(private_line(plan, &longest), plan.discussions().count())
    });
    let own = text_part("what it is told alone", told.chain(pushed.into_iter().flatten()));
    let size = Size::sum(private_briefs(plan, seat).into_values().chain([own.size]));
    let is_bound = plan
        .agenda
        .iter()
        .any(|phase| matches!(phase.kind, PhaseKind::Brief { .. }) && (phase.who.is_some() || phase.group.is_some()));
    Some(PinnedPart { size, sure: if is_bound { SizeCertainty::AtMost } else { own.sure }, ..own })
}

/// By the name of its phase, the size of each brief that a seat may be told alone: of passes the longest, because only the newest
/// is pinned, unless `pin` has instructions.
fn private_briefs(plan: &Plan, seat: &Seat) -> BTreeMap<String, Size> {
    let mut sizes = BTreeMap::<String, Size>::new();
    for (place, phase) in plan.agenda.iter().enumerate() {
        let PhaseKind::Brief { text, .. } = &phase.kind else { continue };
        if plan.takes_all(place) || !phase.is_in_first_group() || !plan.may_take_part(place, &seat.name) {
            continue;
        }
        let told = Size::from_line(&private_line(plan, text));
        let pinned_beside = match plan.memory.pins_newest_pass(EntryKind::Instruction) {
            true => phase.name.written(),
            false => phase.name.occurrence(),
        };
        let size = sizes.entry(pinned_beside.to_owned()).or_default();
        *size = size.longest(told);
    }
    sizes
}

/// The private evidence of a seat.
fn hand_part(plan: &Plan) -> Option<PinnedPart> {
    let hand = plan.longest_hand().filter(|_| is_kept(plan, EntryKind::Dealt))?;
    let part = text_part("its signal and facts", std::iter::once(private_line(plan, &hand)));
    Some(PinnedPart { sure: SizeCertainty::AtMost, ..part })
}

fn announcements_part(plan: &Plan) -> Option<PinnedPart> {
    is_pinned(plan, FloorEvent::Instruction)
        .then(|| text_part("what all are told", list_announcements(plan).map(|(_, text)| text)))
}

/// All announcements as rendered, with the positions of their phases in the agenda.
fn list_announcements(plan: &Plan) -> impl Iterator<Item = (usize, String)> {
    let phases = || plan.agenda.iter().enumerate();
    let briefs = phases().filter_map(|(place, phase)| match &phase.kind {
        // Where answers decide who takes part, it may be everyone.
        PhaseKind::Brief { text, .. }
            if phase.group.is_none() && plan.seats.iter().all(|seat| plan.may_take_part(place, &seat.name)) =>
        {
            Some((place, text.clone()))
        }
        _ => None,
    });
    let to_all = plan.interventions.iter().filter(move |told| told.to.is_empty() && !is_in_groups(plan, told));
    let said = to_all.filter_map(move |told| match &told.deed {
        Deed::Told(text) => {
            // If the arm leaves the phase out, assume that no result follows.
            let place = phases().find(|(_, phase)| told.is_in(phase)).map_or(usize::MAX, |(place, _)| place);
            Some((place, notice::instruction_text(text, told.by, plan.motion.language)))
        }
        Deed::Reminded(_) | Deed::Marked { .. } => None,
    });
    let counted = phases().filter_map(|(place, phase)| match &phase.kind {
        PhaseKind::Discussion(talk)
            if phase.is_in_first_group() && talk.announce_end && talk.rounds.get() >= COUNTDOWN =>
        {
            Some((place, plan.prompts.notice("countdown", COUNTDOWN).ok()?))
        }
        _ => None,
    });
    let all = briefs.chain(said).chain(counted);
    all.map(|(place, text)| (place, guidance::read_aloud(&text, plan.motion.language).into_owned()))
}

fn results_part(plan: &Plan) -> PinnedPart {
    let sizes = results_by_phase(plan);
    let size = Size::sum(sizes.iter().map(|(_, size)| *size));
    sized_part(sizes.len() as u64, ("result", "results"), size)
}

/// The results of pay that a seat reads after each practice round and the settlement, with the positions of the phases.
fn results_by_phase(plan: &Plan) -> Vec<(usize, Size)> {
    let Some(income) = plan.income_principles().filter(|_| is_kept(plan, EntryKind::Results)) else {
        return Vec::new();
    };
    let richest = |situation: &Situation| u64::from(situation.income_max());
    let practice = income.drawn.unwrap_or(ONCE);
    let payments: Vec<(usize, (PaymentStage, Multiplier, Situation))> = plan
        .agenda
        .iter()
        .enumerate()
        .flat_map(|(place, phase)| match phase.kind {
            PhaseKind::Applications => {
                let situations = income.applications.iter();
                let drawn = |one: &Situation| multiply_incomes(one, practice.greatest, &one.name);
                situations.map(|one| (place, (PaymentStage::Application, practice, drawn(one)))).collect()
            }
            PhaseKind::Settle => {
                let sample = &income.sample;
                let drawn = multiply_incomes(sample, income.settlement.greatest, &sample.name);
                vec![(place, (PaymentStage::Settlement, income.settlement, drawn))]
            }
            _ => Vec::new(),
        })
        .collect();
    let rate = |stage| income.rate_cents(stage);
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

/// An upper bound on the text about one payment; `situation` has the greatest possible incomes.
fn longest_result(
    plan: &Plan,
    (stage, rate): (PaymentStage, u32),
    (drawn, situation): (Multiplier, &Situation),
    balance: u64,
) -> Size {
    let others = |class: usize| {
        let found =
            plan.income_principles().map(|income| income.counterfactuals(situation, class as u8)).unwrap_or_default();
        let told = found.into_iter().map(|Counterfactual { choice, table, income }| CounterfactualFacts {
            choice,
            table: table as u32 + 1,
            income,
            payoff_cents: pay_cents(income, rate),
        });
        told.collect::<Vec<_>>()
    };
    let amount_max = plan.motion.amount_max.unwrap_or(u32::MAX);
    let chosen = plan.motion.alternative_ids().map(|alternative| {
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
    let longest = Size::longest_line(texts);
    if drawn == ONCE {
        return longest;
    }
    // Incomes are rounded down. Another multiplier may separate equal ranges, which adds a line each, or add a digit.
    let tables = situation.tables.len();
    let lines = others(0).len();
    let more = tables.saturating_sub(income_ranges(situation).len());
    let a_line = |size: u64| size.div_ceil(lines.max(1) as u64);
    Size {
        chars: longest.chars + more as u64 * a_line(longest.chars) + lines as u64,
        tokens: longest.tokens + more as u64 * a_line(longest.tokens) + lines as u64,
    }
}

/// A seat's notes; at most one token per character.
fn notes_part(plan: &Plan, seat: &Seat) -> Option<PinnedPart> {
    if plan.notes.is_none() || !plan.memory.policy.terms().is_limited() {
        return None;
    }
    let chars = seat.memory.notes_room() + NOTES_HEADING;
    Some(PinnedPart { words: "notes".to_owned(), size: Size { chars, tokens: chars }, sure: SizeCertainty::AtMost })
}

/// Calls for a vote; in simultaneous calls each seat may call.
fn vote_calls_part(plan: &Plan) -> Option<PinnedPart> {
    let seats = plan.seats.len() as u64;
    let called = vote_call_rounds(plan).map(|(rounds, call)| match call {
        VoteCall::Sequential => rounds,
        VoteCall::Simultaneous => rounds * seats,
    });
    is_pinned(plan, FloorEvent::VoteCalled).then(|| {
        let call = longest_name_line(plan, |name| notice::call_line(name, plan.motion.language));
        counted_part(called.sum(), ("call for a vote", "calls for a vote"), call)
    })
}

fn call_answers_part(plan: &Plan) -> Option<PinnedPart> {
    if !is_pinned(plan, FloorEvent::VoteAnswered) {
        return None;
    }
    let seats = plan.seats.len() as u64;
    let rounds: u64 = vote_call_rounds(plan).map(|(rounds, _)| rounds).sum();
    let answers = longest_name_line(plan, |name| notice::declined_line(name, plan.motion.language));
    let in_turn = plan.all_vote_terms().filter(|terms| terms.open == OpenBallots::InTurn);
    // A seat hears all ballots but its own.
    let ballots: Vec<Size> =
        in_turn.map(|terms| Size::longest_line(longest_roll(plan, &terms).into_iter()).times(seats - 1)).collect();
    let count = (rounds + ballots.len() as u64) * (seats - 1);
    let size = Size::sum(ballots.into_iter().chain([answers.times(rounds * (seats - 1))]));
    Some(sized_part(count, ("answer to a call", "answers to calls"), size))
}

fn ballots_part(plan: &Plan, votes: &VoteBounds) -> Option<PinnedPart> {
    let terms: Vec<VoteTerms<'_>> = plan.all_vote_terms().collect();
    let line = |terms: &VoteTerms<'_>, ballot: &Voted| guidance::ballot_line(Some(ballot), terms.motion.tongue());
    let lines = terms.iter().flat_map(|terms| possible_ballots(terms).map(|ballot| line(terms, &ballot)));
    is_kept(plan, EntryKind::OwnBallot).then(|| {
        let longest = Size::longest_line(lines.chain([guidance::ballot_line(None, plan.motion.tongue())]));
        counted_part(votes.held, ("ballot", "ballots"), longest)
    })
}

/// Tallies: each leaves the vote open or decides it, and in rounds the first decision ends the discussion.
fn tallies_part(plan: &Plan, votes: &VoteBounds) -> PinnedPart {
    let open = is_pinned(plan, FloorEvent::TallyOpen);
    let decided = is_pinned(plan, FloorEvent::TallyDecided);
    let count = match (open, decided) {
        (false, false) => 0,
        (true, false) => votes.held,
        (false, true) => votes.parts + votes.imposed,
        (true, true) => votes.held + votes.imposed,
    };
    let most = Size::longest_line(plan.all_vote_terms().map(|terms| longest_tally(plan, &terms)));
    counted_part(count, ("count of ballots", "counts of ballots"), most)
}

fn rankings_part(plan: &Plan) -> Option<PinnedPart> {
    let held = plan.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Ranking)).count() as u64;
    let order: Vec<_> = plan.motion.alternatives.iter().map(|alternative| &alternative.name).collect();
    let tongue = plan.motion.tongue();
    let lines = Certainty::ALL.into_iter().map(|certainty| notice::ranking_line(&order, certainty, tongue));
    is_kept(plan, EntryKind::OwnRanking).then(|| counted_part(held, ("ranking", "rankings"), Size::longest_line(lines)))
}

/// Amounts that the seat named in polls, and its answers to forms.
fn answers_part(plan: &Plan) -> Option<PinnedPart> {
    if !is_kept(plan, EntryKind::OwnAnswer) {
        return None;
    }
    let (motion, amount) = (&plan.motion, plan.motion.amount_max.unwrap_or(u32::MAX));
    let asked = plan.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Ask { .. })).count() as u64;
    let rounds = |talk: &Discussion| u64::from(talk.rounds.get());
    let in_rounds: u64 = plan.discussions().filter(|talk| talk.poll_each_round).map(rounds).sum();
    let estimate = notice::estimate_line(amount, motion.unit.as_deref(), motion.language);
    let polls = if motion.only().is_some() { asked + in_rounds } else { 0 };
    let name = plan.seats.iter().flat_map(possible_names).max_by_key(String::len).unwrap_or_default();
    let longest = |form: &FormPlan| {
        let words = |_: &Field, _: u32, most: u32| "\u{1d49c}".repeat(most as usize);
        let asked = form.at_most(plan.seats.len());
        let values = asked.form.name_values(build_extreme_values(&asked.form, AnswerLength::Most, &words));
        let question = |field: usize, target: Option<SeatId>| {
            let fixed = form.fixed_question(field, motion.unit.as_deref());
            // Questions about several seats may differ.
            let longest = "\u{1d49c}".repeat(QUESTION_CHARS_MAX as usize);
            fixed.unwrap_or_else(|| target.map_or(longest.clone(), |seat| format!("{longest}{}", seat.0)))
        };
        let answers = form.list_answers(&values, question, |_| name.clone());
        Size::from_line(&notice::answers_line(&answers, motion.language))
    };
    // A seat is in one group.
    let own = plan.agenda.iter().filter(|phase| phase.is_in_first_group());
    let forms: Vec<Size> = own.filter_map(|phase| Some(longest(phase.kind.as_form()?))).collect();
    let amounts = Size::from_line(&estimate).times(polls);
    let count = polls + forms.len() as u64;
    let size = Size::sum(forms.into_iter().chain([amounts]));
    Some(sized_part(count, ("own answer", "own answers"), size))
}

/// Choices in practice rounds, and results of tests.
fn applications_part(plan: &Plan) -> Option<PinnedPart> {
    if !is_kept(plan, EntryKind::OwnApplication) {
        return None;
    }
    let line = |name: &str, choice: &NamedChoice| {
        let tongue = plan.motion.tongue();
        let lines = Certainty::ALL.into_iter();
        let lines = lines.map(|certainty| notice::application_line(name, choice, certainty, tongue));
        lines.max_by_key(String::len).unwrap_or_default()
    };
    let practised = plan.income_principles().into_iter().flat_map(|income| &income.applications);
    let practised = practised.map(|situation| {
        Size::longest_line(greatest_choices(&plan.motion).map(|choice| line(&situation.name, &choice)))
    });
    let rounds: Vec<Size> = practised.collect();
    let sizes = plan.agenda.iter().flat_map(|phase| match &phase.kind {
        PhaseKind::Applications => rounds.clone(),
        PhaseKind::Comprehension(test) => vec![test_result(plan, test.questions.len() as u32); TEST_TRIES as usize],
        _ => Vec::new(),
    });
    let sizes: Vec<Size> = sizes.collect();
    let count = sizes.len() as u64;
    let size = Size::sum(sizes.into_iter());
    Some(sized_part(count, ("practice choice or test", "practice choices and tests"), size))
}

/// An upper bound on the result of a test with `of` questions.
fn test_result(plan: &Plan, of: u32) -> Size {
    let tried = [false, true].into_iter().flat_map(|passed| [false, true].map(|last_try| (passed, last_try)));
    let facts = tried.flat_map(|(passed, last_try)| [0, of].map(|correct| TestFacts { correct, of, passed, last_try }));
    Size::longest_line(facts.filter_map(|facts| plan.prompts.test_result(&facts).ok()))
}

/// The number of rounds with possible calls, and the kind of call, for each discussion with votes on call.
fn vote_call_rounds(plan: &Plan) -> impl Iterator<Item = (u64, VoteCall)> {
    plan.discussions().filter_map(|talk| match talk.votes {
        RoundVotes::OnCall { call, .. } => Some((votes_in(talk), call)),
        RoundVotes::Never | RoundVotes::EveryRound => None,
    })
}

/// The maximum number of votes in the rounds of a discussion.
fn votes_in(talk: &Discussion) -> u64 {
    let rounds = u64::from(talk.rounds.get());
    match talk.votes {
        RoundVotes::Never => 0,
        RoundVotes::EveryRound => rounds,
        RoundVotes::OnCall { rounds_min, .. } => (rounds + 1).saturating_sub(rounds_min.into()),
    }
}

/// The maximum number of votes in a session.
struct VoteBounds {
    held: u64,
    /// Phases with votes.
    parts: u64,
    imposed: u64,
}

impl VoteBounds {
    fn from_plan(plan: &Plan) -> Self {
        // A seat is in one group.
        let ballots = plan.vote_phases().filter(|(place, _)| plan.agenda[*place].is_in_first_group()).count() as u64;
        let voting = plan.discussions().filter(|talk| talk.votes_in_rounds()).count() as u64;
        let in_rounds: u64 = plan.discussions().map(votes_in).sum();
        Self { held: in_rounds + ballots, parts: ballots + voting, imposed: plan.imposed.is_some().into() }
    }
}

/// Every alternative, with the greatest amount if it takes one.
fn greatest_choices(motion: &Motion) -> impl Iterator<Item = NamedChoice> {
    motion.alternative_ids().map(|alternative| {
        let takes_amount = motion.alternatives[alternative.index()].takes_amount;
        let amount = takes_amount.then_some(motion.amount_max.unwrap_or(u32::MAX));
        motion.named(Choice { alternative, amount })
    })
}

fn longest_name_line(plan: &Plan, line: impl Fn(&str) -> String) -> Size {
    Size::longest_line(plan.seats.iter().flat_map(possible_names).map(|name| line(&name)))
}

/// The possible names of a seat. A name still to be chosen has the maximum number of the longest characters.
fn possible_names(seat: &Seat) -> Vec<String> {
    let chosen = seat.chooses_name().then(|| "\u{1d49c}".repeat(NAME_CHARS_MAX as usize));
    std::iter::once(seat.agent.public_name.clone()).chain(chosen).collect()
}

/// The ballots to consider: one for each choice, or the longest and the shortest.
fn possible_ballots(terms: &VoteTerms<'_>) -> impl Iterator<Item = Voted> + use<> {
    let fullest = terms.fullest_ballot();
    let empty = fullest.is_some().then(|| Voted::Over(Ballot::Approval(Vec::new())));
    let choices: Vec<Voted> = match fullest {
        Some(_) => Vec::new(),
        None => greatest_choices(terms.motion).map(Voted::For).collect(),
    };
    choices.into_iter().chain(fullest).chain(empty)
}

/// A tally in which every alternative has all ballots, and each seat named a different amount.
pub fn longest_tally(plan: &Plan, terms: &VoteTerms<'_>) -> String {
    let seats = plan.seats.len() as u32;
    let weight = terms.electorate.total_weight(seats);
    let tongue = terms.motion.tongue();
    let entry = |choice: NamedChoice| TallyCount {
        alternative: choice.alternative,
        amount: choice.amount,
        count: weight,
        points: terms.voting.points_at_most(weight, terms.motion.alternatives.len()),
    };
    let widest = greatest_choices(terms.motion).max_by_key(|choice| choice.to_string().len());
    let amounts = widest.clone().filter(|_| greatest_choices(terms.motion).any(|choice| choice.amount.is_some()));
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
        counts: greatest_choices(terms.motion).chain(amounts).map(entry).collect(),
        winners: Vec::new(),
        quorum_met: None,
        condorcet_winner: None,
        uncounted: None,
        tie_break: None,
        tie_ballots: Vec::new(),
        decided: match terms.elects_several {
            true => Some(join_choices(&greatest_choices(terms.motion).collect::<Vec<NamedChoice>>())),
            false => widest.clone(),
        },
        by_default: false,
        non_binding: false,
        sampled: None,
        elects_several: terms.elects_several,
    };
    let length = |report: &TallyReport| guidance::tally_line(report, tongue).len();
    let of_tie = |tie_break: TieBreak| TallyReport { tie_break: Some(tie_break), ..report.clone() };
    let tied = [terms.decision.tie_break, TieBreak::Lot].map(of_tie);
    let report = tied.into_iter().max_by_key(length).unwrap_or(report.clone());
    let by_default = |tie_break: TieBreak, quorum_met: Option<bool>| TallyReport {
        by_default: true,
        tie_break: Some(tie_break),
        quorum_met,
        decided: widest.clone(),
        ..report.clone()
    };
    let others = [
        (terms.electorate.quorum.is_some(), TallyReport { quorum_met: Some(false), decided: None, ..report.clone() }),
        (terms.electorate.otherwise.is_some(), by_default(TieBreak::Lot, None)),
        (terms.electorate.otherwise.is_some(), by_default(TieBreak::Lot, Some(false))),
        (!terms.is_binding, TallyReport { non_binding: true, decided: None, ..report.clone() }),
    ];
    let other = others.into_iter().filter(|(may_be, other)| *may_be && length(other) > length(&report));
    let report = other.map(|(_, other)| other).max_by_key(length).unwrap_or(report);
    if terms.open != OpenBallots::Announced {
        return guidance::tally_line(&report, tongue);
    }
    let lines = longest_roll(plan, terms);
    std::iter::once(guidance::tally_line(&report, tongue)).chain(lines).collect::<Vec<_>>().join("\n")
}

/// For each seat the longest line of its ballot that all may hear.
pub fn longest_roll(plan: &Plan, terms: &VoteTerms<'_>) -> Vec<String> {
    let invalid = terms.decision.invalid;
    let line = |name: &str, ballot: Option<&Voted>| guidance::roll_line(name, ballot, invalid, terms.motion.tongue());
    let of_seat = |seat: &Seat| {
        let name = possible_names(seat).into_iter().max_by_key(String::len).unwrap_or_default();
        let ballots = std::iter::once(None).chain(possible_ballots(terms).map(Some));
        ballots.map(|ballot| line(&name, ballot.as_ref())).max_by_key(String::len).unwrap_or_default()
    };
    plan.seats.iter().map(of_seat).collect()
}
