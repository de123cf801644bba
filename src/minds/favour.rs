//! How a mind with a favourite answers each question; shared by the voter and opinion models and by tallying.
//!
//! It declares, polls and votes for the favourite, with its own amount, else the one last heard, else an initial one. It ranks in
//! its own order. The models do not cover understanding or certainty: the mind answers tests correctly and has no opinion on
//! certainty. A seat that was instructed to push an alternative declares, polls and votes for it, but ranks and applies its own.

use super::form::Measured;
use super::{form, marks, reply, words};
use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, Answer, Ask, Certainty, Choice, MindState, Motion, Opinion, Query, Reply};
use crate::minds::coordinates::convening_question;

/// What a mind favours now.
pub(super) struct Favour {
    /// The alternatives, best first.
    pub order: Vec<AlternativeId>,
    /// The weight of the first of two alternatives, or of the favourite among more, or the place of an amount between the least and the
    /// greatest; `None` if the model has none.
    pub opinion: Option<Opinion>,
    /// Its own amount, if its model has one.
    pub amount: Option<u32>,
    /// Whether it would vote now: it heard something, and all of it agrees with its favourite.
    pub is_ready: bool,
    /// Text before the declaration, with a trailing blank; may be empty.
    pub preface: String,
    /// Text behind the declaration, with a leading blank; may be empty.
    pub citations: String,
    /// The worth of each alternative, in the scenario's order; `None` if the mind knows only an order.
    pub worth: Option<Vec<f64>>,
    /// Whether it abstains where it may.
    pub abstains: bool,
}

impl Favour {
    /// What a mind favours if it knows only an order, the best first. It is ready to vote if all stances that it heard are for the
    /// alternative that it would vote for.
    pub(super) fn from_order(order: Vec<AlternativeId>, motion: &Motion, query: &Query<'_>) -> Self {
        let favoured = query.pushes.unwrap_or(order[0]);
        let heard = |id: &AlternativeId| query.brief.heard.count(*id) > 0;
        Self {
            order,
            opinion: None,
            amount: None,
            is_ready: motion.alternative_ids().filter(heard).eq([favoured]),
            preface: String::new(),
            citations: String::new(),
            worth: None,
            abstains: false,
        }
    }
}

/// Answers a query for which minds have no common rule.
///
/// # Panics
/// If the query is one that all minds answer by a common rule, or that only scripts answer.
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
        Ask::Ballot { may_abstain: true, .. } if favour.abstains && favoured == held => Reply::Abstention,
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
        Ask::VoteCall => Reply::Assent(favour.is_ready),
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
        query.brief.heard.amount(alternative).unwrap_or_else(|| {
            let at = convening_question(&query.id.seat);
            // Item 0 of the stream is the opinion.
            reply::whole_amount(motion, &mut seed.at_question(DrawPurpose::Opinion, &at, alternative.0 + 1))
        })
    })
}
