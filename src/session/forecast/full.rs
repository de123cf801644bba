//! Finds seats whose pinned parts exceed their model's window: no shorter memory helps them.

use crate::memory::entry_tokens;
use crate::memory::guidance::announcement_text;
use crate::plan::{OpenAiModel, OverfullSeat, Plan};
use crate::session::rehearsal::RehearsedQuestion;
use crate::session::wording::FRAME;

/// Notes, once per model, a question that would exceed its window even if the prompt held only the seat's identity, the subject
/// of the deliberation and pinned parts.
pub(super) fn note_overfull_seat(found: &mut Vec<OverfullSeat>, plan: &Plan, put: &RehearsedQuestion<'_>) {
    let Some(place) = plan.model_asked(put.query.seat, put.query.id.at.step) else { return };
    let model = &plan.models[place];
    if found.iter().all(|full| full.model != model.name) {
        found.extend(find_overfull_seat(plan, put, model));
    }
}

fn find_overfull_seat(plan: &Plan, put: &RehearsedQuestion<'_>, model: &OpenAiModel) -> Option<OverfullSeat> {
    let (wording, usable) = put.wording.filter(|_| put.is_too_long).zip(model.usable_window())?;
    let brief = &put.query.brief;
    let language = plan.motion_for(put.query.seat).language;
    let heard =
        brief.remarks.pinned.iter().map(|place| announcement_text(&brief.remarks.floor[*place as usize], language));
    let own = brief.pinned.iter().map(|entry| entry_tokens(&entry.text));
    let always: u64 = heard.map(|line| entry_tokens(&line)).chain(own).sum();
    let frame = 2 * FRAME + wording.messages.first().map_or(0, |frame| frame.tokens_estimated());
    let reply = u64::from(model.max_tokens);
    let needed = frame + always + reply;
    (always > 0 && needed > usable).then(|| OverfullSeat {
        model: model.name.clone(),
        message: format!(
            "what {} is always shown and the reply need up to {needed} tokens of the model's window, of which {usable} are \
             used: {always} for what is never cut or dropped by the question {}, {frame} for who it is and what is \
             deliberated, {reply} for the reply",
            put.query.id.seat, put.query.id
        ),
    })
}
