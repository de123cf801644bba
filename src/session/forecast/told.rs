//! What prompts may hold of where the talk stands, beside what the courses show: who marks what and reacts to whom is known of no
//! course.

use std::collections::BTreeMap;

use super::{CONFIRMATION, JOINT, PromptError, QuestionWording};
use crate::domain::{Agent, Brief, Extent, Query, Remarks, Step, Stretch};
use crate::plan::{OpenAiModel, PhaseKind, Plan};
use crate::session::rehearsal::RehearsedQuestion;
use crate::text::{tokens_at_most, word_count};

/// Quotations, seats, closed proposals and names of those who react that the words hold at the most.
const MOST: [u64; 4] = [16, 12, 4, 12];
/// Tokens of what stands around them: of headings, and of a line without names, alternatives and quotations.
const AROUND: [u64; 2] = [90, 140];

/// How much more than in a course a prompt may hold: tokens, and remarks of whatever length.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PromptSurplus {
    pub tokens: u64,
    pub remarks: u64,
    /// Tokens of the words that the course itself holds.
    pub held: u64,
}

impl PromptSurplus {
    pub fn plus(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, remarks: self.remarks + other.remarks, held: self.held + other.held }
    }

    /// The same in tokens, where a remark has so many.
    pub fn in_tokens(self, remark: u64) -> u64 {
        self.tokens.saturating_add(self.remarks.saturating_mul(remark)).saturating_sub(self.held)
    }
}

/// The longest prompts of each seat that were no short briefs.
#[derive(Debug, Clone, Default)]
pub(super) struct OrdinaryPrompts(BTreeMap<u32, u64>);

impl OrdinaryPrompts {
    /// How much more a prompt of this length may hold.
    pub fn standing_surplus(&mut self, plan: &Plan, agents: &[Agent], query: &Query<'_>, tokens: u64) -> PromptSurplus {
        let tells = plan.memory.policy.terms().tells_standing();
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
        // Where nothing was proposed, the brief is the ordinary one: at the most a round, a digest and a few lines longer than
        // the one before.
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

/// Of the words of a prompt those that it need not have: of where the talk stands, and with a small question all that a short
/// brief leaves out.
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
    if !plan.memory.policy.terms().tells_standing() {
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
    let marks = |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(discussion) if discussion.proposals);
    plan.agenda.iter().any(|phase| marks(&phase.kind))
}
