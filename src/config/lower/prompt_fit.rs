//! Checks that the pinned parts of prompts fit: in the limits of memories, in token windows, and in the windows of models.
//!
//! Another module lists the pinned parts and their greatest lengths.

use crate::config::lower::exhibits::{self, ExhibitHandouts, ExhibitLoad};
use crate::config::problem::Problem;
use crate::config::tree::Node;
use crate::domain::{Agent, SeatId};
use crate::memory::RENDERED_LIMIT_MIN;
use crate::plan::pinned::{PinnedPart, Size, SizeCertainty, announcement_room, pinned_for_all, pinned_for_seat};
use crate::plan::statements::truncation_hint;
use crate::plan::{OpenAiModel, OverfullSeat, Plan, Seat, Sitter, known_window};
use crate::text;

/// Tokens that a chat template may add around the frame and around the message that contains the memory.
const AROUND: u64 = 2 * 8;
/// A description of the start of a seat's prompts.
const FRAME: &str = "who it is and the question";

/// The pinned parts of a seat's memory.
struct PinnedParts<'p> {
    seat: &'p Seat,
    parts: Vec<PinnedPart>,
}

/// Checks that the pinned parts fit.
///
/// # Errors
/// The first limit or window that is too small.
pub fn check_room(plan: &Plan, tree: &Node) -> Result<(), Problem> {
    let table = ExhibitHandouts { handed: &plan.exhibits, seats: &plan.seats };
    exhibits::check_windows(table, &plan.models, tree)?;
    check_exhibits(plan, table, tree)?;
    if let Some(most) = plan.memory.policy.terms().tokens_max() {
        check_tokens(plan, most, tree)?;
    }
    check_limit(plan, tree)?;
    too_full(plan).map_or(Ok(()), |full| Err(full.to_problem(tree)))
}

/// The first seat whose pinned parts exceed its model's window, as far as window and parts are known before a session.
pub fn too_full(plan: &Plan) -> Option<OverfullSeat> {
    let agents = plan.longest_agents();
    pinned_parts(plan).into_iter().enumerate().find_map(|(place, PinnedParts { seat, mut parts })| {
        let Sitter::Model(model) = seat.sitter else { return None };
        let model = &plan.models[model];
        parts.retain(|part| part.sure == SizeCertainty::Given);
        let always = Size::sum(parts.iter().map(|part| part.size)).tokens;
        let usable = usable_tokens(model).filter(|_| always > 0)?;
        let frame = AROUND + frame_tokens(plan, &agents, place);
        let reply = u64::from(model.max_tokens);
        (frame + always + reply > usable).then(|| {
            let told = describe_parts(&parts, |size| size.tokens, &[(frame, FRAME), (reply, "the reply")]);
            let message = format!(
                "what {} is always shown and the reply need up to {} tokens of the model's window, of which {usable} are \
                 used: {told}",
                seat.name,
                frame + always + reply
            );
            OverfullSeat { model: model.name.clone(), message }
        })
    })
}

impl OverfullSeat {
    /// Converts to a problem of the config.
    pub fn to_problem(&self, tree: &Node) -> Problem {
        let path = format!("models.{}", self.model);
        let hint = "give the seat a model with a greater window, or less that it is always shown";
        Problem::at_place(tree.key_place_of(&path), &path, &self.message).with_advice(hint)
    }
}

/// The usable tokens of a model's window, if it is known.
fn usable_tokens(model: &OpenAiModel) -> Option<u64> {
    let window = model.context_window.or_else(|| known_window(&model.model));
    OpenAiModel { context_window: window, ..model.clone() }.usable_window()
}

fn pinned_parts(plan: &Plan) -> Vec<PinnedParts<'_>> {
    let all = pinned_for_all(plan);
    let of_seats =
        plan.seats.iter().map(|seat| PinnedParts { seat, parts: [pinned_for_seat(plan, seat), all.clone()].concat() });
    of_seats.collect()
}

/// The tokens of the start of a seat's prompts.
fn frame_tokens(plan: &Plan, agents: &[Agent], seat: usize) -> u64 {
    let agents: Vec<&Agent> = agents.iter().collect();
    // The rehearsal of sessions reports templates that fail.
    let seat = SeatId(seat as u32);
    let frame = plan.prompts_for(seat).frame(plan.motion_for(seat), &agents, seat);
    frame.map_or(0, |frame| text::tokens_at_most(&frame))
}

/// A sum in words, greatest part first: `400 for exhibits, 300 for 2 results`.
fn describe_parts(parts: &[PinnedPart], length: fn(Size) -> u64, others: &[(u64, &str)]) -> String {
    let parts = parts.iter().map(|part| (length(part.size), part.words.as_str()));
    let mut all: Vec<(u64, &str)> = parts.chain(others.iter().copied()).filter(|(length, _)| *length > 0).collect();
    all.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    all.iter().map(|(length, words)| format!("{length} for {words}")).collect::<Vec<_>>().join(", ")
}

/// The first of the items with the greatest value.
fn first_of_most<T>(all: impl Iterator<Item = T>, much: impl Fn(&T) -> u64) -> Option<T> {
    all.reduce(|first, next| if much(&next) > much(&first) { next } else { first })
}

/// Checks that the pinned parts do not fill a window of tokens.
fn check_tokens(plan: &Plan, most: u64, tree: &Node) -> Result<(), Problem> {
    let agents = plan.longest_agents();
    let needs = pinned_parts(plan).into_iter().enumerate().map(|(place, shown)| {
        let frame = frame_tokens(plan, &agents, place);
        (frame + Size::sum(shown.parts.iter().map(|part| part.size)).tokens, frame, shown)
    });
    let Some((needed, frame, PinnedParts { seat, parts })) = first_of_most(needs, |(needed, ..)| *needed) else {
        return Ok(());
    };
    if needed <= most {
        return Ok(());
    }
    let told = describe_parts(&parts, |size| size.tokens, &[(frame, FRAME)]);
    let message =
        format!("what {} is always shown is in the window and needs up to {needed} tokens: {told}", seat.name);
    let hint =
        truncation_hint(plan).unwrap_or_else(|| format!("write tokens: {}", sufficient_limit(plan, seat, needed)));
    Err(tree.problem("memory.policy.window.tokens", message).with_advice(hint))
}

/// Checks that a memory's limit has room for the pinned parts and the longest announcement, or at least a minimum length.
fn check_limit(plan: &Plan, tree: &Node) -> Result<(), Problem> {
    let terms = plan.memory.policy.terms();
    if terms.keeps_nothing() || !terms.is_limited() {
        return Ok(());
    }
    let longest = announcement_room(plan);
    // The missing and the needed characters of each seat that exceeds its limit.
    let needs = pinned_parts(plan).into_iter().filter_map(|shown| {
        let pinned = Size::sum(shown.parts.iter().map(|part| part.size)).chars;
        let needed = pinned.saturating_add(longest.max(RENDERED_LIMIT_MIN));
        let missing = needed.saturating_sub(shown.seat.memory.memory_character_limit);
        (pinned > 0 && missing > 0).then_some((missing, needed, shown))
    });
    let Some((_, needed, PinnedParts { seat, parts })) = first_of_most(needs, |(missing, ..)| *missing) else {
        return Ok(());
    };
    let rest = if longest >= RENDERED_LIMIT_MIN { "the longest text that all are told" } else { "anything else" };
    let told = describe_parts(&parts, |size| size.chars, &[(longest.max(RENDERED_LIMIT_MIN), rest)]);
    let message = format!(
        "what is never cut or dropped of the memory of {} needs up to {needed} characters with what is read beside it: {told}",
        seat.name
    );
    let hint = truncation_hint(plan)
        .unwrap_or_else(|| format!("write memory_character_limit: {}", sufficient_limit(plan, seat, needed)));
    Err(tree.problem(&limit_path(plan, seat), message).with_advice(hint))
}

fn limit_path(plan: &Plan, seat: &Seat) -> String {
    match seat.memory.memory_character_limit == plan.memory.memory_character_limit {
        true => "memory.memory_character_limit".to_owned(),
        false => format!("seats.{}.memory.memory_character_limit", seat.name),
    }
}

/// Checks that the exhibits alone fit.
fn check_exhibits(plan: &Plan, table: ExhibitHandouts<'_>, tree: &Node) -> Result<(), Problem> {
    type Needed = fn(&ExhibitLoad) -> u64;
    let (most, terms) = (table.greatest_load(), plan.memory.policy.terms());
    let limits = plan.seats.iter().map(|seat| seat.memory.memory_character_limit);
    let limit = limits.min().unwrap_or(plan.memory.memory_character_limit);
    let (needed, unit, key, limit): (Needed, _, _, _) = match terms.tokens_max() {
        Some(limit) if most.tokens >= limit => (|most| most.tokens, "tokens", "memory.policy.window.tokens", limit),
        _ if terms.keeps_nothing() || !terms.is_limited() => return Ok(()),
        _ => (|most| most.chars, "characters", "memory.memory_character_limit", limit),
    };
    if needed(&most) < limit {
        return Ok(());
    }
    let message = format!(
        "exhibits are never cut and need {} {unit} of one seat, which leaves nothing of {key} ({limit})",
        needed(&most)
    );
    let hint = table.suggest_limit(|shorter| needed(&shorter.greatest_load()) < limit).unwrap_or_else(|| {
        let enough = with_room(needed(&most));
        format!("write {}: {enough}, or show each seat fewer or shorter ones", key.rsplit('.').next().unwrap_or(key))
    });
    Err(tree.problem(&format!("exhibits.{}", most.longest), message).with_advice(hint))
}

/// A sufficient limit. Notes may fill half of any limit.
fn sufficient_limit(plan: &Plan, seat: &Seat, needed: u64) -> u64 {
    with_room(if plan.notes.is_some() { 2 * needed.saturating_sub(seat.memory.notes_room()) } else { needed })
}

/// A rounded limit with room beside the pinned parts.
fn with_room(needed: u64) -> u64 {
    (needed.saturating_add(RENDERED_LIMIT_MIN)).div_ceil(100) * 100
}
