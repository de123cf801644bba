//! How a mind that favours something answers whatever it is asked: one rule for all models that know a favourite and no more.
//!
//! What is favoured is declared, polled and voted for; with it goes the amount that was heard last with it, else one the seat came
//! with. Rankings follow the mind's own order. Understanding and certainty are no part of such models: tests are answered right, and
//! there is no opinion on certainty. What a seat was told to push it declares, polls and votes for instead; it neither ranks nor
//! applies it.

use super::{marks, reply, words};
use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{
    AlternativeId, Answer, Ask, Certainty, Choice, MindState, Motion, Opinion, Query, Reply, SeatName,
};
use crate::minds::coordinates::convening_question;

/// Amounts that seats come with are whole multiples of this where the motion admits that many.
const AMOUNT_STEP: u32 = 1_000;

/// What a mind favours now.
pub(super) struct Favour {
    /// The alternatives, the best first.
    pub order: Vec<AlternativeId>,
    /// How far, where the model says so.
    pub opinion: Option<Opinion>,
    /// The amount it stands for, where that is what is talked about.
    pub amount: Option<u32>,
    /// Whether it would vote now.
    pub is_ready: VoteReadiness,
    /// What it says before it declares anything, with a blank behind it; empty for nothing.
    pub preface: String,
    /// What each alternative is worth to it, in the scenario's order; `None` where it knows no more than an order.
    pub worth: Option<Vec<f64>>,
    /// Whether it votes where it may abstain.
    pub turnout: Turnout,
}

/// Whether a mind votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turnout {
    /// It does.
    Votes,
    /// It abstains where it may.
    Abstains,
}

/// Whether a mind would vote now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VoteReadiness {
    /// Nothing that it heard speaks against what it favours.
    Yes,
    /// Something does, or nothing was heard.
    No,
}

/// Answers a query; of those for notes none comes here.
pub(super) fn answer_from_favour(
    favour: &Favour,
    motion: &Motion,
    seed: &SessionSeed,
    query: &Query<'_>,
    state: MindState,
) -> Answer {
    let held = favour.order[0];
    let favoured = query.pushes.unwrap_or(held);
    let with_amount = |alternative| {
        let own = favour.amount.filter(|_| motion.alternatives[AlternativeId::index(alternative)].takes_amount);
        Choice { alternative, amount: own.or_else(|| current_amount(motion, seed, query, alternative)) }
    };
    // A mind that is told to push something else says nothing of how far it favours what it does.
    let opinion = favour.opinion.filter(|_| favoured == held);
    match &query.ask {
        Ask::Statement { chars_min, marks, .. } => {
            let choice = with_amount(favoured);
            let mut text = favour.preface.clone() + &words::favour_sentence(motion, choice);
            if let Some(opinion) = opinion.filter(|_| motion.alternatives.len() == 2) {
                text.push_str(&words::opinion_sentence(motion, opinion));
            }
            let text = words::at_length(text, *chars_min, motion.language);
            let text = if *marks { marks::mark_statement(motion, query, choice, text) } else { text };
            reply::answer_with_opinion(motion, query, text, (Some(choice), opinion), state)
        }
        Ask::StrawPoll { .. } => reply::answer_with_poll(motion, query, (with_amount(favoured), opinion), state),
        Ask::Ballot { may_abstain: true, .. } if favour.turnout == Turnout::Abstains && favoured == held => {
            reply::answer_with_abstention(query, state)
        }
        Ask::Ballot { options, form, .. } if form.says_more() => {
            let others = favour.order.iter().copied().filter(|id| *id != favoured);
            let order: Vec<AlternativeId> =
                std::iter::once(favoured).chain(others).filter(|id| options.contains(id)).collect();
            match &favour.worth {
                Some(worth) if favoured == held => reply::answer_by_worth(motion, query, (&order, worth), state),
                _ => reply::answer_by_order(motion, query, &order, state),
            }
        }
        // Where it is asked for afterwards a ballot names no amount.
        Ask::Ballot { .. } => reply::answer_with_choice(motion, query, with_amount(favoured), state),
        Ask::Amount { alternative, .. } => {
            let amount = with_amount(*alternative).amount;
            let amount = amount.expect("invariant: an amount is asked of what takes one");
            reply::answer_with_amount(motion, query, reply::at_most(query, amount), state)
        }
        Ask::Ranking { options } => {
            let order = favour.order.iter().copied().filter(|id| options.contains(id)).collect();
            reply::answer_with_ranking(motion, query, order, Certainty::NoOpinion, state)
        }
        Ask::Comprehension { questions, .. } => {
            reply::answer_with_test(query, questions.iter().map(|question| question.answer).collect(), state)
        }
        Ask::Application { situation, .. } => {
            let Choice { alternative, amount } = with_amount(held);
            let choice = Choice { alternative, amount: amount.map(|amount| amount.min(situation.income_max())) };
            let applied = (choice, Certainty::NoOpinion, words::favour_sentence(motion, choice));
            reply::answer_with_application(motion, query, applied, state)
        }
        Ask::Volunteer => reply::answer_with_urgency(marks::speaking_urgency(motion, query, Some(favoured)), state),
        Ask::Reasoning => reply::answer_with_note(words::favour_sentence(motion, with_amount(held)), state),
        Ask::VoteCall => reply::answer_with_assent(Reply::Assent(favour.is_ready == VoteReadiness::Yes), state),
        Ask::Confirmation { .. } => reply::answer_with_assent(Reply::Assent(true), state),
        Ask::Integration { .. } | Ask::Compression { .. } | Ask::Notes { .. } => {
            unreachable!("invariant: notes were answered before")
        }
        Ask::Recognition => reply::answer_with_recognition(None, state),
        Ask::Naming { .. } => unreachable!("invariant: no mind but a script chooses a name"),
    }
}

/// The amount that goes with an alternative: the one heard last, else the one the seat came with; `None` where it takes none.
fn current_amount(motion: &Motion, seed: &SessionSeed, query: &Query<'_>, alternative: AlternativeId) -> Option<u32> {
    motion.alternatives[alternative.index()].takes_amount.then(|| {
        let heard = query.brief.heard.amount(alternative);
        heard.unwrap_or_else(|| first_amount(motion, seed, &query.id.seat, alternative))
    })
}

/// The amount a seat comes with for an alternative: uniform over whole thousands where the motion admits one, else over all.
fn first_amount(motion: &Motion, seed: &SessionSeed, seat: &SeatName, alternative: AlternativeId) -> u32 {
    // The first item of the stream is the opinion.
    reply::whole_amount(
        motion,
        AMOUNT_STEP,
        &mut seed.at_question(DrawPurpose::Opinion, &convening_question(seat), alternative.0 + 1),
    )
}
