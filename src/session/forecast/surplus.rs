//! How much longer and shorter prompts may be than in a rehearsed course, where votes, marks, recalled statements and inquiries
//! are not known.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::CountBounds;
use crate::domain::{
    Agent, Brief, EntryKind, Extent, Field, Moment, NamedChoice, OpenBallots, OwnEntry, PhaseName, Query, Remarks,
    Step, Stretch, Voted,
};
use crate::memory::guidance::{count_opening, kept_text, remark_line, roll_line, statement_opening};
use crate::memory::{entry_tokens, notice};
use crate::plan::pinned::longest_tally;
use crate::plan::{Deed, Intervention, OpenAiModel, Plan, VoteTerms};
use crate::prompt::PromptError;
use crate::question::{AnswerLength, build_extreme_values};
use crate::session::rehearsal::RehearsedQuestion;
use crate::session::wording::QuestionWording;
use crate::text::{char_count, tokens_at_most, word_count};

/// Tokens between two remarks.
pub(super) const JOINT: u64 = 2;
/// The most tokens by which a confirmation is longer than the question whether a seat calls a vote, the call included.
pub(super) const CONFIRMATION: u64 = 100;

/// The fewest words of a line: a name and two more.
const LINE_WORDS: u64 = 3;

/// The words by which a prompt may be shorter than in a course, and the tokens by which it may be longer, if a remark has
/// `remark` tokens: for roll calls, recalled and marked statements, open proposals, private parts of the case, own amounts, the
/// window, and the summary of the talk.
///
/// # Errors
/// When a template fails.
pub(super) fn prompt_slack(
    plan: &Plan,
    agents: &[Agent],
    put: &RehearsedQuestion<'_>,
    (model, remark): (&OpenAiModel, u64),
) -> Result<CountBounds, PromptError> {
    let query = put.query;
    let found = CountBounds { low: recalled_words(plan, agents, query), high: recalled_more(plan, query, remark) };
    let told = CountBounds { low: words_less(plan, agents, put, model)?, high: room_in_window(plan, query) };
    let marked = CountBounds { low: marked_words(query), high: proposal_surplus(query) };
    let dealt = CountBounds { low: dealt_less(plan, query), high: 0 };
    let named = CountBounds { low: 0, high: own_amount_surplus(plan, query) + own_form_surplus(plan, query) };
    Ok(roll_call_slack(plan, agents, query)
        .plus(announced_slack(plan, agents, query))
        .plus(found)
        .plus(told)
        .plus(marked)
        .plus(dealt)
        .plus(named))
}

/// The tokens by which the seat's own amounts may be longer than in a course: each may be the greatest.
fn own_amount_surplus(plan: &Plan, query: &Query<'_>) -> u64 {
    let greatest = plan.motion.amount_max.unwrap_or(0);
    own_entries(query, EntryKind::OwnAnswer).count() as u64 * tokens_at_most(&greatest.to_string())
}

/// The seat's own entries of a kind.
fn own_entries<'q>(query: &'q Query<'_>, kind: EntryKind) -> impl Iterator<Item = &'q OwnEntry> {
    query.brief.own.iter().chain(query.brief.pinned).filter(move |entry| entry.kind == kind)
}

/// What a prompt holds of announcements.
fn kept_announcements<'q>(query: &'q Query<'_>) -> impl Iterator<Item = &'q str> {
    let announced = query.brief.remarks.iter().filter(|remark| remark.speaker.is_none());
    announced.map(|remark| &remark.text[..remark.kept_bytes as usize])
}

/// The tokens by which a memory that leaves something out may hold more of the seat's own answers to forms than in a course: shorter
/// answers leave room for others, and a character of theirs may take more tokens.
fn own_form_surplus(plan: &Plan, query: &Query<'_>) -> u64 {
    let limit = plan.seats[query.seat.index()].memory.character_limit();
    if query.shown.omitted == 0 || limit == u64::MAX {
        return 0;
    }
    let words = |_: &Field, least: u32, _: u32| "a".repeat(least as usize);
    let lines = plan.agenda.iter().filter_map(|phase| phase.kind.as_form()).map(|form| {
        [AnswerLength::Least, AnswerLength::Most].map(|extent| {
            let asked = form.at_most(plan.seats.len());
            let values = asked.form.name_values(build_extreme_values(&asked.form, extent, &words));
            let answers =
                plan.list_heard_answers(form, &values, |seat| plan.seats[seat.index()].agent.public_name.clone());
            notice::answers_line(&answers, plan.motion.language)
        })
    });
    let filled = |line: String| limit.saturating_mul(entry_tokens(&line)).div_ceil(char_count(&line).max(1));
    let most = lines.flatten().map(filled).max().unwrap_or(0);
    let own = own_entries(query, EntryKind::OwnAnswer);
    most.saturating_sub(own.map(|entry| entry_tokens(&entry.text)).sum())
}

/// The words by which the roll calls in a prompt may be shorter, and the tokens by which they may be longer.
fn roll_call_slack(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> CountBounds {
    if plan.all_vote_terms().all(|terms| terms.open != OpenBallots::Announced) {
        return CountBounds::default();
    }
    let rolls = kept_announcements(query).filter_map(|text| {
        text.starts_with(count_opening(plan.motion.language)).then(|| text.split_once('\n')).flatten()
    });
    let most = longest_roll_tokens(plan, agents, query);
    let of = |(_, roll): (&str, &str)| CountBounds {
        low: word_count(roll).saturating_sub(LINE_WORDS * roll.lines().count() as u64),
        high: most.saturating_sub(tokens_at_most(roll)),
    };
    rolls.map(of).fold(CountBounds::default(), CountBounds::plus)
}

/// The words by which what is heard of several votes may be shorter, and the tokens by which it may be longer: of each vote it may be
/// decided or not, and where seats vote in turn each ballot may be any.
fn announced_slack(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> CountBounds {
    let terms: Vec<VoteTerms<'_>> = plan.all_vote_terms().collect();
    let are_in_turn = terms.iter().any(|terms| terms.open == OpenBallots::InTurn);
    if terms.len() < 2 && !are_in_turn {
        return CountBounds::default();
    }
    let tallies = terms.iter().map(|terms| VoteTerms { open: OpenBallots::Never, ..*terms });
    let tally = tallies.map(|terms| tokens_at_most(&longest_tally(plan, &terms))).max().unwrap_or(0) + JOINT;
    let ballot = if are_in_turn { longest_roll_tokens(plan, agents, query) } else { 0 };
    let of = |text: &str| {
        let line = text.lines().next().unwrap_or_default();
        let is_count = line.starts_with(count_opening(plan.motion.language));
        let most = if is_count { tally } else { ballot };
        CountBounds {
            low: word_count(line).saturating_sub(LINE_WORDS),
            high: most.saturating_sub(tokens_at_most(line)),
        }
    };
    let own = own_entries(query, EntryKind::OwnBallot).map(|entry| CountBounds {
        low: word_count(&entry.text).saturating_sub(LINE_WORDS),
        high: longest_roll_tokens(plan, agents, query).saturating_sub(tokens_at_most(&entry.text)),
    });
    kept_announcements(query).map(of).chain(own).fold(CountBounds::default(), CountBounds::plus)
}

/// The most tokens of the lines of all seats.
fn longest_roll_tokens(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> u64 {
    plan.all_vote_terms().map(|terms| longest_roll_of(&terms, agents, query)).max().unwrap_or(0)
}

fn longest_roll_of(terms: &VoteTerms<'_>, agents: &[Agent], query: &Query<'_>) -> u64 {
    let motion = terms.motion;
    let amount = |takes_amount: bool| takes_amount.then(|| motion.amount_max.unwrap_or(u32::MAX));
    let alternatives = motion.alternatives.iter();
    let choices = alternatives
        .map(|other| Voted::For(NamedChoice { alternative: other.name.clone(), amount: amount(other.takes_amount) }));
    let ballots: Vec<Option<Voted>> = choices.chain(terms.fullest_ballot()).map(Some).chain([None]).collect();
    let names = agents.iter().enumerate().map(|(seat, agent)| {
        let chosen = query.chosen.get(seat).and_then(Option::as_deref);
        chosen.unwrap_or(&agent.public_name)
    });
    let lines = names.map(|name| {
        let line = |ballot: &Option<Voted>| {
            tokens_at_most(&roll_line(name, ballot.as_ref(), terms.decision.invalid, motion.tongue()))
        };
        ballots.iter().map(line).max().unwrap_or(0) + JOINT
    });
    lines.sum()
}

/// The words by which a prompt may be shorter because of the seat's private part of the case: in a course, every seat has the
/// longest.
fn dealt_less(plan: &Plan, query: &Query<'_>) -> u64 {
    let is_shown = query.brief.pinned.iter().any(|entry| entry.kind == EntryKind::Dealt);
    let (Some(longest), Some(shortest), true) = (plan.longest_hand(), plan.shortest_hand(), is_shown) else { return 0 };
    word_count(&longest).saturating_sub(word_count(&shortest))
}

/// The most quotations, seats, closed proposals and reacting seats in the summary of the talk.
const MOST: [u64; 4] = [16, 12, 4, 12];
/// Tokens of the summary's headings, and of a line without names, alternatives and quotations.
const AROUND: [u64; 2] = [90, 140];

/// How much more a prompt may hold than in a course: tokens, and remarks of any length.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PromptSurplus {
    pub tokens: u64,
    pub remarks: u64,
    /// Tokens of this kind that the course itself holds.
    pub held: u64,
}

impl PromptSurplus {
    pub fn plus(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, remarks: self.remarks + other.remarks, held: self.held + other.held }
    }

    /// The surplus in tokens, if a remark has `remark` tokens.
    pub fn in_tokens(self, remark: u64) -> u64 {
        self.tokens.saturating_add(self.remarks.saturating_mul(remark)).saturating_sub(self.held)
    }
}

/// For each seat, the tokens of its longest prompt that was not a short brief.
#[derive(Debug, Clone, Default)]
pub(super) struct OrdinaryPrompts(BTreeMap<u32, u64>);

impl OrdinaryPrompts {
    /// The surplus of a prompt of this length for the summary of the talk.
    pub fn standing_surplus(&mut self, plan: &Plan, agents: &[Agent], query: &Query<'_>, tokens: u64) -> PromptSurplus {
        let tells = plan.memory.policy.terms().tells_standing;
        let step = query.id.at.step;
        let can_be_told = query.brief.remarks.floor.iter().any(|remark| remark.speaker.is_some())
            || matches!(step, Step::Statement | Step::Reasoning);
        if !tells || step == Step::Compression || !can_be_told {
            return PromptSurplus::default();
        }
        let more = max_standing_surplus(plan, agents, query);
        let told = query.brief.standing.as_ref();
        if told.is_none_or(|told| told.extent == Extent::Whole) {
            let before = self.0.entry(query.seat.0).or_default();
            *before = tokens.max(*before);
            return more;
        }
        // Without proposals, the brief is an ordinary one: longer than the one before by at most a round, a digest and a few
        // lines.
        let before = self.0.get(&query.seat.0).copied().unwrap_or(0);
        let digest = plan.models.iter().map(|model| u64::from(model.max_tokens)).max().unwrap_or(0);
        let ordinary = (before + digest + 3 * CONFIRMATION).saturating_sub(tokens);
        PromptSurplus {
            tokens: more.tokens + ordinary,
            remarks: more.remarks + plan.seats.len() as u64,
            held: more.held,
        }
    }
}

fn max_standing_surplus(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> PromptSurplus {
    let longest = |texts: &mut dyn Iterator<Item = &str>| texts.map(tokens_at_most).max().unwrap_or(0) + JOINT;
    let given = agents.iter().map(|agent| agent.public_name.as_str());
    let name = longest(&mut given.chain(query.chosen.iter().flatten().map(String::as_str)));
    let alternative = longest(&mut plan.motion.alternatives.iter().map(|other| other.name.as_str()));
    let seats = plan.seats.len() as u64;
    let said = query.brief.remarks.floor.len() as u64 + seats;
    let [quotes, speakers, closed, reacting] = MOST;
    let quotes = if are_marks_read(plan) { quotes.min(2 * said) } else { 0 };
    let closed = if are_marks_read(plan) { closed.min(said) } else { 0 };
    let [heading, line] = AROUND;
    let around = line + name + alternative;
    let tokens =
        heading + speakers.min(seats) * around + quotes * (around + reacting.min(seats) * name) + closed * around;
    let held = query.brief.standing.as_ref().map_or(0, |told| tokens_at_most(&told.words));
    PromptSurplus { tokens, remarks: quotes, held }
}

/// The words that a prompt need not have: the summary of the talk, and for a small question everything that a short brief leaves
/// out.
///
/// # Errors
/// When a template fails.
pub(super) fn words_less(
    plan: &Plan,
    agents: &[Agent],
    put: &RehearsedQuestion<'_>,
    model: &OpenAiModel,
) -> Result<u64, PromptError> {
    let query = put.query;
    if !plan.memory.policy.terms().tells_standing {
        return Ok(0);
    }
    if !query.id.at.step.is_small() || !are_marks_read(plan) {
        return Ok(query.brief.standing.as_ref().map_or(0, |told| word_count(&told.words)));
    }
    let remarks =
        Remarks { pinned: query.brief.remarks.pinned, floor: query.brief.remarks.floor, ..Remarks::default() };
    let bare = Brief {
        remarks,
        summaries: Stretch::default(),
        own: Stretch::default(),
        standing: None,
        recalled: Vec::new(),
        ..query.brief.clone()
    };
    let bare = QuestionWording::with_lines(put.lines, (plan, agents), &Query { brief: bare, ..query.clone() }, model)?;
    let whole = QuestionWording::with_lines(put.lines, (plan, agents), query, model)?;
    Ok(whole.tokens_at_least().saturating_sub(bare.tokens_at_least()))
}

fn are_marks_read(plan: &Plan) -> bool {
    plan.discussions().any(|talk| talk.proposals)
}

/// Tokens before a marked statement.
const VOICE: u64 = 8;

/// The surplus for statements that may be marked by the question's phase.
pub(super) fn marked_surplus(plan: &Plan, query: &Query<'_>) -> PromptSurplus {
    if plan.memory.policy.terms().keeps_nothing() {
        return PromptSurplus::default();
    }
    let (seat, here) = (&plan.seats[query.seat.index()].name, &query.id.at.phase);
    let now = plan.agenda.iter().position(|phase| phase.name == *here);
    let place = |told: &Intervention| plan.agenda.iter().position(|phase| told.is_in(phase));
    let is_told = |told: &&Intervention| {
        matches!(told.deed, Deed::Marked { .. }) && told.is_for(seat) && (now.is_none() || place(told) <= now)
    };
    let remarks = plan.interventions.iter().filter(is_told).count() as u64;
    PromptSurplus { tokens: remarks * (VOICE + JOINT), remarks, held: marked_texts(query).map(tokens_at_most).sum() }
}

pub(super) fn marked_words(query: &Query<'_>) -> u64 {
    marked_texts(query).map(word_count).sum()
}

fn marked_texts<'q>(query: &'q Query<'_>) -> impl Iterator<Item = &'q str> {
    let marked = query.brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Marked);
    marked.map(|entry| entry.text.as_str())
}

/// Tokens of a proposal's number and of the text around the proposal.
const PROPOSAL_FRAME: u64 = 16;

/// The tokens that a question may gain if each of the seat's statements in it is an open proposal.
pub(super) fn proposal_surplus(query: &Query<'_>) -> u64 {
    if !query.ask.reads_marks() {
        return 0;
    }
    let own = query.brief.all_remarks().filter(|remark| remark.speaker == Some(query.seat));
    let each = own.map(|remark| PROPOSAL_FRAME + tokens_at_most(&statement_opening(remark)));
    let most = each.sum::<u64>();
    if most > 0 { most + PROPOSAL_FRAME } else { 0 }
}

/// The tokens that recalled statements may add in another session, if a remark has `remark` tokens.
pub(super) fn recalled_more(plan: &Plan, query: &Query<'_>, remark: u64) -> u64 {
    let recalled = query.brief.recalled.len() as u64;
    let most = u64::from(plan.memory.recall.unwrap_or(0)).min(u64::from(query.shown.omitted) + recalled);
    most.saturating_sub(recalled).saturating_mul(remark)
}

/// The words of statements that are recalled in this course, and perhaps in no other session.
pub(super) fn recalled_words(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> u64 {
    let lines = query.brief.recalled.iter().map(|place| {
        let remark = &query.brief.remarks.floor[*place as usize];
        let name = remark.speaker.map_or("", |seat| agents[seat.index()].public_name.as_str());
        word_count(&remark_line((remark, &kept_text(remark)), name, query.brief.style, plan.motion_for(query.seat)))
    });
    lines.sum()
}

/// How often the seats of a model may make an inquiry.
#[derive(Debug, Clone, Default)]
pub(super) struct Inquiries {
    /// One entry per model.
    counts: Vec<u64>,
    /// The turns with a look-up, by seat, phase and round.
    turns: BTreeSet<(u32, PhaseName, u32)>,
}

impl Inquiries {
    /// Counts the offer of a question to a model: a page with every question, a look-up once per turn.
    pub fn count_offer(&mut self, query: &Query<'_>, model: usize) {
        let Moment { phase, round, step, .. } = &query.id.at;
        let turn = || (query.seat.0, phase.clone(), *round);
        let looks_up = query.offer.look_up && (!step.is_of_a_turn() || self.turns.insert(turn()));
        if self.counts.len() <= model {
            self.counts.resize(model + 1, 0);
        }
        self.counts[model] += u64::from(looks_up || query.offer.page);
    }

    /// The most inquiries to a model that may get `spared` questions more than in this course. These fall into turns that were
    /// counted, but each may bring a request for a page.
    pub fn count_for_model(&self, plan: &Plan, model: usize, spared: u64) -> u64 {
        let more = if plan.exhibits.iter().any(|handed| handed.exhibit.page_count() > 0) { spared } else { 0 };
        self.counts.get(model).map_or(0, |count| count + more)
    }
}

/// The inquiries per question, 0 or 1, and the most tokens that one finds, if a remark has `remark` tokens.
pub(super) fn inquiry_bounds(plan: &Plan, remark: u64) -> (u64, u64) {
    /// The most statements that a look-up finds, and the tokens of a heading.
    const FOUND: (u64, u64) = (5, 300);
    let exhibits = plan.exhibits.iter().map(|handed| &handed.exhibit);
    let pages = exhibits.flat_map(|exhibit| (1..=exhibit.page_count()).filter_map(|page| exhibit.page(page)));
    let page = pages.map(tokens_at_most).max();
    let statements = || remark.saturating_mul(FOUND.0);
    let found = page.into_iter().chain(plan.memory.look_up.then(statements)).max();
    (u64::from(found.is_some()), found.map_or(0, |found| found + FOUND.1))
}

/// The tokens that a window may hold more if others say less: it drops complete turns, and long ones sooner.
fn room_in_window(plan: &Plan, query: &Query<'_>) -> u64 {
    let Some(most) = plan.memory.policy.terms().tokens_max() else { return 0 };
    if query.shown.omitted == 0 {
        return 0;
    }
    let said = query.brief.remarks.iter().map(|remark| tokens_at_most(&remark.text[..remark.kept_bytes as usize]));
    let own = query.brief.own.iter().chain(query.brief.pinned).map(|entry| tokens_at_most(&entry.text));
    most.saturating_sub(said.chain(own).sum())
}
