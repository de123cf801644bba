//! Builds the answers of minds: the words of each kind of reply, and a fault if the question does not allow it.

use std::sync::Arc;

use crate::chance::Draws;
use crate::domain::{
    AlternativeId, Answer, Ask, Ballot, BallotForm, Certainty, Choice, Fault, Language, MindState, Motion, NoteTaken,
    Opinion, Query, Reply, Scored, URGENCY_MAX, check_ballot,
};

pub(super) const YES: &str = "yes";
pub(super) const NO: &str = "no";

/// An answer without a call to a service.
pub(super) fn simulated_answer(raw: String, parsed: Result<Reply, Fault>, state: MindState) -> Answer {
    Answer { raw, parsed, field: None, usage: None, model_served: None, state }
}

/// A statement; a fault if its stance is not on offer.
pub(super) fn answer_with_statement(
    motion: &Motion,
    query: &Query<'_>,
    text: String,
    stance: Option<Choice>,
    state: MindState,
) -> Answer {
    answer_with_opinion(motion, query, text, (stance, None), state)
}

/// A statement with an opinion.
pub(super) fn answer_with_opinion(
    motion: &Motion,
    query: &Query<'_>,
    text: String,
    (stance, opinion): (Option<Choice>, Option<Opinion>),
    state: MindState,
) -> Answer {
    // Where no stance is asked for, none is declared.
    let is_asked = !query.ask.options().is_empty() || motion.alternatives.is_empty();
    let (stance, opinion) = if is_asked { (stance, opinion) } else { (None, None) };
    let parsed = match stance.map_or(Ok(()), |stance| check_offered_choice(motion, query, stance)) {
        Ok(()) => Ok(Reply::Statement { text: text.as_str().into(), stance, opinion }),
        Err(fault) => Err(fault),
    };
    simulated_answer(text, parsed, state)
}

/// A choice in a poll, with an opinion if there is one.
pub(super) fn answer_with_poll(
    motion: &Motion,
    query: &Query<'_>,
    (chosen, opinion): (Choice, Option<Opinion>),
    state: MindState,
) -> Answer {
    let answer = answer_with_choice(motion, query, chosen, state);
    match opinion {
        Some(opinion) => add_opinion(query, answer, opinion),
        None => answer,
    }
}

/// Adds an opinion to a statement or to a choice in a poll; other replies stay unchanged.
pub(super) fn add_opinion(query: &Query<'_>, answer: Answer, opinion: Opinion) -> Answer {
    let parsed = match (answer.parsed, &query.ask) {
        (Ok(Reply::Choice(choice)), Ask::StrawPoll { .. }) => Ok(Reply::Opined(choice, opinion)),
        (Ok(Reply::Statement { text, stance, .. }), _) => Ok(Reply::Statement { text, stance, opinion: Some(opinion) }),
        (parsed, _) => parsed,
    };
    Answer { parsed, ..answer }
}

/// A choice in a poll or ballot. A ballot for one choice drops the amount, which a later question asks for. A ballot form that
/// says more is filled in by `answer_by_order`.
pub(super) fn answer_with_choice(motion: &Motion, query: &Query<'_>, chosen: Choice, state: MindState) -> Answer {
    if let Ask::Ballot { form, .. } = query.ask
        && form.says_more()
    {
        return answer_by_order(motion, query, &[chosen.alternative], state);
    }
    let amount = if matches!(query.ask, Ask::Ballot { form: BallotForm::Choice, .. }) { None } else { chosen.amount };
    let chosen = Choice { amount, ..chosen };
    let parsed = check_offered_choice(motion, query, chosen).map(|()| Reply::Choice(chosen));
    simulated_answer(write_choice(motion, chosen), parsed, state)
}

/// A ballot that says more than one choice. `order` holds the options that a mind distinguishes, best first. Only the first is
/// approved. Scores fall evenly from the greatest to 0; all other options score 0. A ranking leaves out or ties the other options
/// if it may, else it lists them in the scenario's order.
pub(super) fn answer_by_order(motion: &Motion, query: &Query<'_>, order: &[AlternativeId], state: MindState) -> Answer {
    let Ask::Ballot { options, form, .. } = &query.ask else {
        unreachable!("invariant: only a ballot is answered by one")
    };
    let mut all = order.to_vec();
    let mut others: Vec<AlternativeId> = options.iter().copied().filter(|id| !order.contains(id)).collect();
    others.sort_unstable();
    let told_apart = all.len() as u32;
    all.append(&mut others);
    let ballot = match form {
        BallotForm::Choice | BallotForm::Amount => unreachable!("invariant: such ballots name one choice"),
        BallotForm::Approval => Ballot::Approval(order.iter().take(1).copied().collect()),
        BallotForm::Ranking { ties, truncated, top } => {
            let mut levels: Vec<Vec<AlternativeId>> = all.iter().map(|one| vec![*one]).collect();
            if *ties || *truncated {
                let rest: Vec<AlternativeId> = levels.split_off(told_apart as usize).into_iter().flatten().collect();
                levels.extend((!truncated && !rest.is_empty()).then_some(rest));
            }
            levels.truncate(top.map_or(usize::MAX, |top| top as usize));
            Ballot::Ranking(levels)
        }
        BallotForm::Score { max } => {
            // The options outside `order` need a step of their own, at score 0.
            let steps = if (told_apart as usize) < all.len() { told_apart } else { told_apart.saturating_sub(1) };
            let score = |place: u32| match steps {
                0 => *max,
                steps => (u64::from(*max) * u64::from(steps - place.min(steps)) / u64::from(steps)) as u32,
            };
            let scored =
                all.into_iter().zip(0..).map(|(alternative, place)| Scored { alternative, score: score(place) });
            Ballot::Score(scored.collect())
        }
        // All points for the first.
        BallotForm::Allocation { points } => {
            let share = |place: usize| if place == 0 { *points } else { 0 };
            let shared = all.into_iter().enumerate();
            Ballot::Score(shared.map(|(place, alternative)| Scored { alternative, score: share(place) }).collect())
        }
    };
    answer_with_ballot(motion, query, ballot, state)
}

/// An abstention; a fault if the seat may not abstain.
pub(super) fn answer_with_abstention(query: &Query<'_>, state: MindState) -> Answer {
    let may = matches!(query.ask, Ask::Ballot { may_abstain: true, .. });
    let parsed = if may { Ok(Reply::Abstention) } else { Err(Fault::UnknownAlternative) };
    simulated_answer(Language::En.abstain().to_owned(), parsed, state)
}

/// A ballot by worth, indexed in the scenario's order; `order` breaks ties. It approves the first and all that are worth more
/// than the mean, which is best for a voter who knows nothing about the other ballots (Merrill 1979, "Approval voting: a 'best
/// buy' method for multi-candidate elections?", Mathematics Magazine 52(2)). Scores rise linearly with worth from 0 to the
/// greatest, rounded half up; options of equal worth all get the greatest.
pub(super) fn answer_by_worth(
    motion: &Motion,
    query: &Query<'_>,
    (order, worth): (&[AlternativeId], &[f64]),
    state: MindState,
) -> Answer {
    let Ask::Ballot { form, .. } = &query.ask else { unreachable!("invariant: only a ballot is answered by one") };
    let of = |id: &AlternativeId| worth[id.index()];
    let least = order.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = order.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let ballot = match form {
        BallotForm::Approval => {
            let mean = order.iter().map(of).sum::<f64>() / order.len() as f64;
            let approves = |(place, id): &(usize, &AlternativeId)| *place == 0 || of(id) > mean;
            Ballot::Approval(order.iter().enumerate().filter(approves).map(|(_, id)| *id).collect())
        }
        BallotForm::Score { max } => {
            let part = |worth: f64| if most > least { (worth - least) / (most - least) } else { 1.0 };
            let score = |id: &AlternativeId| (part(of(id)) * f64::from(*max) + 0.5) as u32;
            Ballot::Score(order.iter().map(|id| Scored { alternative: *id, score: score(id) }).collect())
        }
        BallotForm::Choice | BallotForm::Amount | BallotForm::Ranking { .. } | BallotForm::Allocation { .. } => {
            return answer_by_order(motion, query, order, state);
        }
    };
    answer_with_ballot(motion, query, ballot, state)
}

/// A ballot that says more than one choice; a fault if the question does not allow it.
pub(super) fn answer_with_ballot(
    motion: &Motion,
    query: &Query<'_>,
    ballot: Ballot<AlternativeId>,
    state: MindState,
) -> Answer {
    let raw = ballot.map(|id| motion.name(*id).clone()).told(Language::En);
    simulated_answer(raw, check_ballot(&query.ask, ballot).map(Reply::Ballot), state)
}

/// An amount alone; a fault if it is out of range.
pub(super) fn answer_with_amount(motion: &Motion, amount: u32, state: MindState) -> Answer {
    let parsed =
        if motion.amounts().contains(&amount) { Ok(Reply::Amount(amount)) } else { Err(Fault::AmountOutOfRange) };
    simulated_answer(amount.to_string(), parsed, state)
}

/// A ranking; a fault unless every option has one rank.
pub(super) fn answer_with_ranking(
    motion: &Motion,
    query: &Query<'_>,
    order: Vec<AlternativeId>,
    certainty: Certainty,
    state: MindState,
) -> Answer {
    let raw = write_ranking(motion, &order, certainty);
    let options = query.ask.options();
    let is_unknown = order.iter().any(|id| !options.contains(id));
    let is_whole = order.len() == options.len() && options.iter().all(|id| order.contains(id));
    let parsed = match (is_unknown, is_whole) {
        (true, _) => Err(Fault::UnknownAlternative),
        (false, false) => Err(Fault::NotARanking),
        (false, true) => Ok(Reply::Ranking { order, certainty }),
    };
    simulated_answer(raw, parsed, state)
}

/// A choice in a practice round; a fault if it is not on offer.
pub(super) fn answer_with_application(
    motion: &Motion,
    query: &Query<'_>,
    (choice, certainty, reasoning): (Choice, Certainty, String),
    state: MindState,
) -> Answer {
    let raw = write_application(motion, choice, certainty, &reasoning);
    let parsed = check_offered_choice(motion, query, choice).map(|()| Reply::Application {
        choice,
        certainty,
        reasoning: reasoning.into(),
    });
    simulated_answer(raw, parsed, state)
}

/// Answers to a comprehension test; a fault unless each question has one and each is a table.
pub(super) fn answer_with_test(query: &Query<'_>, answers: Vec<u32>, state: MindState) -> Answer {
    let is_answered = match &query.ask {
        Ask::Comprehension { situation, questions } => {
            let is_table = |answer: &u32| (1..=situation.tables.len()).contains(&(*answer as usize));
            answers.len() == questions.len() && answers.iter().all(is_table)
        }
        _ => false,
    };
    let raw = write_test_answers(&answers);
    simulated_answer(raw, if is_answered { Ok(Reply::Test(answers)) } else { Err(Fault::Unreadable) }, state)
}

/// Yes or no.
pub(super) fn answer_with_assent(reply: Reply, state: MindState) -> Answer {
    let raw = if reply == Reply::Assent(true) { YES } else { NO };
    simulated_answer(raw.to_owned(), Ok(reply), state)
}

/// The urgency to speak; a seat without any writes `none`.
pub(super) fn answer_with_urgency(urgency: Option<u32>, state: MindState) -> Answer {
    let raw = urgency.map_or_else(|| "none".to_owned(), |urgency| urgency.to_string());
    let parsed = match urgency {
        Some(urgency) if urgency > URGENCY_MAX => Err(Fault::Unreadable),
        urgency => Ok(Reply::Urgency(urgency)),
    };
    simulated_answer(raw, parsed, state)
}

/// A note to oneself; a fault if it is blank.
pub(super) fn answer_with_note(text: String, state: MindState) -> Answer {
    let parsed = if text.trim().is_empty() { Err(Fault::Empty) } else { Ok(Reply::Note(text.as_str().into())) };
    simulated_answer(text, parsed, state)
}

/// A change to the notes. It is not checked here.
pub(super) fn answer_with_note_change(note: NoteTaken, state: MindState) -> Answer {
    simulated_answer(write_note_change(&note), Ok(Reply::Notes(note)), state)
}

/// What a seat recognises, or that it recognises nothing.
pub(super) fn answer_with_recognition(recognised_as: Option<String>, state: MindState) -> Answer {
    let raw = recognised_as.as_ref().map_or_else(|| NO.to_owned(), |words| format!("{YES}: {words}"));
    simulated_answer(
        raw,
        Ok(Reply::Recognition { recognised: recognised_as.is_some(), recognised_as: recognised_as.map(Arc::from) }),
        state,
    )
}

/// A recognition without a name.
pub(super) fn answer_unnamed_recognition(state: MindState) -> Answer {
    simulated_answer(YES.to_owned(), Ok(Reply::Recognition { recognised: true, recognised_as: None }), state)
}

pub(super) fn write_note_change(note: &NoteTaken) -> String {
    let replace = note.replace.iter().flat_map(|it| [format!("replace: {}", it.old), format!("with: {}", it.new)]);
    let append = note.append.iter().map(|text| format!("append: {text}"));
    let lines: Vec<String> = replace.chain(append).collect();
    lines.join("\n")
}

pub(super) fn write_choice(motion: &Motion, choice: Choice) -> String {
    let name = motion.name(choice.alternative).as_str();
    choice.amount.map_or_else(|| name.to_owned(), |amount| format!("{name} {amount}"))
}

pub(super) fn write_ranking(motion: &Motion, order: &[AlternativeId], certainty: Certainty) -> String {
    let names: Vec<&str> = order.iter().map(|id| motion.name(*id).as_str()).collect();
    format!("{} ({})", names.join(" > "), certainty.as_str())
}

pub(super) fn write_application(motion: &Motion, choice: Choice, certainty: Certainty, reasoning: &str) -> String {
    let mut raw = format!("{} ({})", write_choice(motion, choice), certainty.as_str());
    if !reasoning.is_empty() {
        raw.push_str(": ");
        raw.push_str(reasoning);
    }
    raw
}

pub(super) fn write_test_answers(answers: &[u32]) -> String {
    let answers: Vec<String> = answers.iter().map(u32::to_string).collect();
    answers.join(", ")
}

pub(super) fn amount_min(motion: &Motion) -> u32 {
    motion.amount_min
}

/// The greatest amount that talk or a vote may name.
pub(super) fn amount_max(motion: &Motion) -> u32 {
    motion.amount_max.expect("invariant: a motion with amounts says how great they may be")
}

/// A uniformly drawn amount that talk or a vote may name: a multiple of `step` if the motion names no unit (amounts are then
/// incomes) and admits one, else any.
pub(super) fn whole_amount(motion: &Motion, step: u32, draws: &mut Draws) -> u32 {
    let (least, most) = (motion.amount_min, amount_max(motion));
    let step = if motion.unit.is_none() && least.div_ceil(step) <= most / step { step } else { 1 };
    let first = least.div_ceil(step);
    (first + draws.draw_below(u64::from(most / step - first) + 1) as u32) * step
}

/// Checks that a choice is on offer, and has an amount if it needs one.
///
/// # Errors
/// The [`Fault`] of the choice. A statement or ballot may omit the amount unless an amount alone is decided.
fn check_offered_choice(motion: &Motion, query: &Query<'_>, choice: Choice) -> Result<(), Fault> {
    if !query.ask.options().contains(&choice.alternative) {
        return Err(Fault::UnknownAlternative);
    }
    let takes_amount = motion.alternatives[choice.alternative.index()].takes_amount;
    match (choice.amount, takes_amount) {
        (None, false) => Ok(()),
        (None, true) if motion.only().is_some() => Err(Fault::AmountMissing),
        (None, true) if matches!(query.ask, Ask::Statement { .. } | Ask::Ballot { .. }) => Ok(()),
        (None, true) => Err(Fault::AmountMissing),
        (Some(_), false) => Err(Fault::AmountUncalledFor),
        (Some(amount), true) => {
            let within = match &query.ask {
                Ask::Application { situation, .. } => 1..=situation.income_max(),
                _ => motion.amounts(),
            };
            if within.contains(&amount) { Ok(()) } else { Err(Fault::AmountOutOfRange) }
        }
    }
}
