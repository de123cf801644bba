//! How a mind with a favourite answers each question; shared by the voter and opinion models and by tallying.
//!
//! It declares, polls and votes for the favourite, with its own amount, else the one last heard, else an initial one. It ranks in
//! its own order. The models do not cover understanding or certainty: tests are answered correctly, and there is no opinion on
//! certainty. A seat that was instructed to push an alternative declares, polls and votes for it, but ranks and applies its own.

use super::form::Measured;
use super::{form, marks, reply, words};
use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{
    AlternativeId, Answer, Ask, Certainty, Choice, MindState, Motion, Opinion, Query, Reply, SeatName,
};
use crate::minds::coordinates::convening_question;

/// The step of initial amounts, where the motion admits multiples of it.
const AMOUNT_STEP: u32 = 1_000;

/// What a mind favours now.
pub(super) struct Favour {
    /// The alternatives, best first.
    pub order: Vec<AlternativeId>,
    /// How far it favours the first, if the model says so.
    pub opinion: Option<Opinion>,
    /// Its own amount, if its model has one.
    pub amount: Option<u32>,
    pub is_ready: VoteReadiness,
    /// Text before the declaration, with a trailing blank; may be empty.
    pub preface: String,
    /// Text behind the declaration, with a leading blank; may be empty.
    pub citations: String,
    /// The worth of each alternative, in the scenario's order; `None` if the mind knows only an order.
    pub worth: Option<Vec<f64>>,
    pub turnout: Turnout,
}

impl Favour {
    /// What a mind favours if it knows only an order, the best first. It is ready to vote if all stances that it heard are for the
    /// alternative that it would vote for.
    pub(super) fn from_order(order: Vec<AlternativeId>, motion: &Motion, query: &Query<'_>) -> Self {
        let favoured = query.pushes.unwrap_or(order[0]);
        let heard = |id: &AlternativeId| query.brief.heard.count(*id) > 0;
        let alternatives = (0..motion.alternatives.len() as u32).map(AlternativeId);
        let is_ready = match alternatives.filter(heard).eq([favoured]) {
            true => VoteReadiness::Yes,
            false => VoteReadiness::No,
        };
        Self {
            order,
            opinion: None,
            amount: None,
            is_ready,
            preface: String::new(),
            citations: String::new(),
            worth: None,
            turnout: Turnout::Votes,
        }
    }
}

/// Whether a mind votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turnout {
    Votes,
    /// Abstains where it may.
    Abstains,
}

/// Whether a mind would vote now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VoteReadiness {
    /// Everything that it heard agrees with its favourite.
    Yes,
    /// Something disagrees, or it heard nothing.
    No,
}

/// Answers a query that minds answer each in their own way.
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
    // A seat that pushes something else does not report how far it favours its own.
    let opinion = favour.opinion.filter(|_| favoured == held);
    let reply = match &query.ask {
        Ask::Statement { chars_min, marks, .. } => {
            let choice = with_amount(favoured);
            let mut text = favour.preface.clone() + &words::favour_sentence(motion, choice) + &favour.citations;
            if let Some(opinion) = opinion.filter(|_| motion.alternatives.len() == 2) {
                text.push_str(&words::opinion_sentence(motion, opinion));
            }
            let text = words::at_length(text, *chars_min, motion.language);
            let text = if *marks { marks::mark_statement(motion, query, choice, text) } else { text };
            reply::build_statement(motion, query, text, (Some(choice), opinion))
        }
        Ask::StrawPoll { .. } => reply::build_poll(with_amount(favoured), opinion),
        Ask::Ballot { may_abstain: true, .. } if favour.turnout == Turnout::Abstains && favoured == held => {
            Reply::Abstention
        }
        Ask::Ballot { options, form, .. } if form.says_more() => {
            let others = favour.order.iter().copied().filter(|id| *id != favoured);
            let order: Vec<AlternativeId> =
                std::iter::once(favoured).chain(others).filter(|id| options.contains(id)).collect();
            match &favour.worth {
                Some(worth) if favoured == held => reply::build_ballot_by_worth(query, (&order, worth)),
                _ => reply::build_ballot_by_order(query, &order),
            }
        }
        // A ballot for one choice names no amount: a later question asks for it.
        Ask::Ballot { .. } => reply::build_choice(query, with_amount(favoured)),
        Ask::Amount { alternative, .. } => {
            let amount = with_amount(*alternative).amount;
            Reply::Amount(amount.expect("invariant: an amount is asked of what takes one"))
        }
        Ask::Ranking { options } => {
            let order = favour.order.iter().copied().filter(|id| options.contains(id)).collect();
            Reply::Ranking { order, certainty: Certainty::NoOpinion }
        }
        Ask::Comprehension { questions, .. } => Reply::Test(questions.iter().map(|question| question.answer).collect()),
        Ask::Application { situation, .. } => {
            let Choice { alternative, amount } = with_amount(held);
            let choice = Choice { alternative, amount: amount.map(|amount| amount.min(situation.income_max())) };
            let reasoning = words::favour_sentence(motion, choice).into();
            Reply::Application { choice, certainty: Certainty::NoOpinion, reasoning }
        }
        Ask::Volunteer => Reply::Urgency(marks::speaking_urgency(motion, query, Some(favoured))),
        Ask::Reasoning => Reply::Note(words::favour_sentence(motion, with_amount(held)).into()),
        Ask::VoteCall => Reply::Assent(favour.is_ready == VoteReadiness::Yes),
        Ask::Confirmation { .. } => Reply::Assent(true),
        Ask::Form { asked } => {
            let measured = Measured { choice: with_amount(favoured), opinion, order: &favour.order, motion };
            return form::answer_measures(asked, &measured, seed, query, state);
        }
        other => unreachable!("invariant: {other:?} is answered by a common rule, or by scripts alone"),
    };
    reply::answer_with(motion, reply, state)
}

/// The amount last heard with an alternative, else the initial one; `None` if it takes none.
fn current_amount(motion: &Motion, seed: &SessionSeed, query: &Query<'_>, alternative: AlternativeId) -> Option<u32> {
    motion.alternatives[alternative.index()].takes_amount.then(|| {
        let heard = query.brief.heard.amount(alternative);
        heard.unwrap_or_else(|| first_amount(motion, seed, &query.id.seat, alternative))
    })
}

/// A seat's initial amount for an alternative; see `whole_amount`.
fn first_amount(motion: &Motion, seed: &SessionSeed, seat: &SeatName, alternative: AlternativeId) -> u32 {
    // Item 0 of the stream is the opinion.
    reply::whole_amount(
        motion,
        AMOUNT_STEP,
        &mut seed.at_question(DrawPurpose::Opinion, &convening_question(seat), alternative.0 + 1),
    )
}
