//! The answers of minds: the words of each kind of reply, and whether it is one that the question allows.

use crate::chance::Draws;
use crate::domain::{
    AlternativeId, Answer, Ask, Ballot, BallotForm, Certainty, Choice, Fault, Language, MindState, Motion, NoteTaken,
    Opinion, Query, Reply, Scored, URGENCY_MAX, check_ballot,
};

/// Assent as a seat writes it.
pub(super) const YES: &str = "yes";
/// Dissent as a seat writes it.
pub(super) const NO: &str = "no";

/// An answer for which no service was called.
pub(super) fn simulated_answer(raw: String, parsed: Result<Reply, Fault>, state: MindState) -> Answer {
    Answer { raw, parsed, usage: None, model_served: None, state }
}

/// A statement as an answer, which it is only if what it declares was on offer.
pub(super) fn answer_with_statement(
    motion: &Motion,
    query: &Query<'_>,
    text: String,
    stance: Option<Choice>,
    state: MindState,
) -> Answer {
    answer_with_opinion(motion, query, text, (stance, None), state)
}

/// The same with an opinion.
pub(super) fn answer_with_opinion(
    motion: &Motion,
    query: &Query<'_>,
    text: String,
    (stance, opinion): (Option<Choice>, Option<Opinion>),
    state: MindState,
) -> Answer {
    let parsed = match stance.map_or(Ok(()), |stance| check_offered_choice(motion, query, stance)) {
        Ok(()) => Ok(Reply::Statement { text: text.clone(), stance, opinion }),
        Err(fault) => Err(fault),
    };
    simulated_answer(text, parsed, state)
}

/// A choice in a poll, with an opinion where there is one.
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

/// The same answer with an opinion, where it is a statement or a choice in a poll; ballots tell none.
pub(super) fn add_opinion(query: &Query<'_>, answer: Answer, opinion: Opinion) -> Answer {
    let parsed = match (answer.parsed, &query.ask) {
        (Ok(Reply::Choice(choice)), Ask::StrawPoll { .. }) => Ok(Reply::Opined(choice, opinion)),
        (Ok(Reply::Statement { text, stance, .. }), _) => Ok(Reply::Statement { text, stance, opinion: Some(opinion) }),
        (parsed, _) => parsed,
    };
    Answer { parsed, ..answer }
}

/// A choice in a poll or ballot. A ballot names no amount: it is asked for afterwards. Where a ballot says more, it says as little
/// as it may: the choice first, alone approved of, scored highest, and the others as [`over`] has them that are no better.
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

/// A ballot that says more than one choice, from the options that a mind tells apart, the best first. The first alone is approved
/// of; scores fall evenly from the greatest to 0 for the last; options that the mind does not tell apart are ranked as they
/// stand in the scenario.
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
        BallotForm::Ranking { ties, truncated } => {
            let mut levels: Vec<Vec<AlternativeId>> = all.iter().map(|one| vec![*one]).collect();
            // What is not told apart is left out or tied where that is admitted.
            if *ties || *truncated {
                let rest: Vec<AlternativeId> = levels.split_off(told_apart as usize).into_iter().flatten().collect();
                levels.extend((!truncated && !rest.is_empty()).then_some(rest));
            }
            Ballot::Ranking(levels)
        }
        BallotForm::Score { max } => {
            // Those that are not told apart share what is below the last that is.
            let steps = if (told_apart as usize) < all.len() { told_apart } else { told_apart.saturating_sub(1) };
            let score = |place: u32| match steps {
                0 => *max,
                steps => (u64::from(*max) * u64::from(steps - place.min(steps)) / u64::from(steps)) as u32,
            };
            let scored =
                all.into_iter().zip(0..).map(|(alternative, place)| Scored { alternative, score: score(place) });
            Ballot::Score(scored.collect())
        }
    };
    answer_with_ballot(motion, query, ballot, state)
}

/// A vote for nothing, where the seat may abstain.
pub(super) fn answer_with_abstention(query: &Query<'_>, state: MindState) -> Answer {
    let may = matches!(query.ask, Ask::Ballot { may_abstain: true, .. });
    let parsed = if may { Ok(Reply::Abstention) } else { Err(Fault::UnknownAlternative) };
    simulated_answer(Language::En.abstain().to_owned(), parsed, state)
}

/// A ballot by what each alternative is worth to a mind, which is the scenario's order of numbers; the order tells which is put first
/// where several are worth as much. Approved of is the first, and all that is worth more than the mean: what is best for who knows
/// nothing of the other ballots (Merrill 1979, "Approval voting: a 'best buy' method for multi-candidate elections?", Mathematics
/// Magazine 52(2)). Scores fall evenly with what it is worth, from the greatest for the best to 0 for the worst, half a point up;
/// where all is worth the same each has the greatest.
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
        BallotForm::Choice | BallotForm::Amount | BallotForm::Ranking { .. } => {
            return answer_by_order(motion, query, order, state);
        }
    };
    answer_with_ballot(motion, query, ballot, state)
}

/// A ballot that says more than one choice, which it is only if the question allows it.
pub(super) fn answer_with_ballot(
    motion: &Motion,
    query: &Query<'_>,
    ballot: Ballot<AlternativeId>,
    state: MindState,
) -> Answer {
    let raw = ballot.map(|id| motion.name(*id).clone()).told(Language::En);
    simulated_answer(raw, check_ballot(&query.ask, ballot).map(Reply::Ballot), state)
}

/// As much of an amount as there is, where it is taken from a common stock.
pub(super) fn at_most(query: &Query<'_>, amount: u32) -> u32 {
    match query.ask {
        Ask::Amount { pool: Some(pool), .. } => amount.min(pool.stock),
        _ => amount,
    }
}

/// An amount alone.
pub(super) fn answer_with_amount(motion: &Motion, query: &Query<'_>, amount: u32, state: MindState) -> Answer {
    let is_within = motion.amounts().contains(&amount) && at_most(query, amount) == amount;
    let parsed = if is_within { Ok(Reply::Amount(amount)) } else { Err(Fault::AmountOutOfRange) };
    simulated_answer(amount.to_string(), parsed, state)
}

/// A ranking, which it is only if every option has one rank.
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

/// A choice in a practice round.
pub(super) fn answer_with_application(
    motion: &Motion,
    query: &Query<'_>,
    (choice, certainty, reasoning): (Choice, Certainty, String),
    state: MindState,
) -> Answer {
    let raw = write_application(motion, choice, certainty, &reasoning);
    let parsed =
        check_offered_choice(motion, query, choice).map(|()| Reply::Application { choice, certainty, reasoning });
    simulated_answer(raw, parsed, state)
}

/// Answers to a comprehension test, which they are only if each question has one and each is a table.
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

/// Yes or no, as the reply says.
pub(super) fn answer_with_assent(reply: Reply, state: MindState) -> Answer {
    let raw = if reply == Reply::Assent(true) { YES } else { NO };
    simulated_answer(raw.to_owned(), Ok(reply), state)
}

/// How urgently the seat wants to speak, as it writes it; `none` where it does not.
pub(super) fn answer_with_urgency(urgency: Option<u32>, state: MindState) -> Answer {
    let raw = urgency.map_or_else(|| "none".to_owned(), |urgency| urgency.to_string());
    let parsed = match urgency {
        Some(urgency) if urgency > URGENCY_MAX => Err(Fault::Unreadable),
        urgency => Ok(Reply::Urgency(urgency)),
    };
    simulated_answer(raw, parsed, state)
}

/// Words for the seat itself.
pub(super) fn answer_with_note(text: String, state: MindState) -> Answer {
    let parsed = if text.trim().is_empty() { Err(Fault::Empty) } else { Ok(Reply::Note(text.clone())) };
    simulated_answer(text, parsed, state)
}

/// What a seat does to its notes; whether they can be changed so is found where they are.
pub(super) fn answer_with_note_change(note: NoteTaken, state: MindState) -> Answer {
    simulated_answer(write_note_change(&note), Ok(Reply::Notes(note)), state)
}

/// Yes and what a seat recognises, or that it recognises nothing.
pub(super) fn answer_with_recognition(recognised_as: Option<String>, state: MindState) -> Answer {
    let raw = recognised_as.as_ref().map_or_else(|| NO.to_owned(), |words| format!("{YES}: {words}"));
    simulated_answer(raw, Ok(Reply::Recognition { recognised: recognised_as.is_some(), recognised_as }), state)
}

/// That a seat recognises something and cannot name it.
pub(super) fn answer_unnamed_recognition(state: MindState) -> Answer {
    simulated_answer(YES.to_owned(), Ok(Reply::Recognition { recognised: true, recognised_as: None }), state)
}

/// What a seat does to its notes as it writes it.
pub(super) fn write_note_change(note: &NoteTaken) -> String {
    let replace = note.replace.iter().flat_map(|it| [format!("replace: {}", it.old), format!("with: {}", it.new)]);
    let append = note.append.iter().map(|text| format!("append: {text}"));
    let lines: Vec<String> = replace.chain(append).collect();
    lines.join("\n")
}

/// A choice as a seat writes it.
pub(super) fn write_choice(motion: &Motion, choice: Choice) -> String {
    let name = motion.name(choice.alternative).as_str();
    choice.amount.map_or_else(|| name.to_owned(), |amount| format!("{name} {amount}"))
}

/// A ranking as a seat writes it.
pub(super) fn write_ranking(motion: &Motion, order: &[AlternativeId], certainty: Certainty) -> String {
    let names: Vec<&str> = order.iter().map(|id| motion.name(*id).as_str()).collect();
    format!("{} ({})", names.join(" > "), certainty.as_str())
}

/// An application as a seat writes it.
pub(super) fn write_application(motion: &Motion, choice: Choice, certainty: Certainty, reasoning: &str) -> String {
    let mut raw = format!("{} ({})", write_choice(motion, choice), certainty.as_str());
    if !reasoning.is_empty() {
        raw.push_str(": ");
        raw.push_str(reasoning);
    }
    raw
}

/// The answers of a test as a seat writes them.
pub(super) fn write_test_answers(answers: &[u32]) -> String {
    let answers: Vec<String> = answers.iter().map(u32::to_string).collect();
    answers.join(", ")
}

/// The least amount that may be named.
pub(super) fn amount_min(motion: &Motion) -> u32 {
    motion.amount_min
}

/// The greatest amount that may be named in the talk or a vote.
pub(super) fn amount_max(motion: &Motion) -> u32 {
    motion.amount_max.expect("invariant: a motion with amounts says how great they may be")
}

/// An amount that may be named in the talk or a vote, each equally likely: of the whole multiples of a step where no unit is named
/// (amounts are then incomes) and the motion admits some, else of all.
pub(super) fn whole_amount(motion: &Motion, step: u32, draws: &mut Draws) -> u32 {
    let (least, most) = (motion.amount_min, amount_max(motion));
    let step = if motion.unit.is_none() && least.div_ceil(step) <= most / step { step } else { 1 };
    let first = least.div_ceil(step);
    (first + draws.draw_below(u64::from(most / step - first) + 1) as u32) * step
}

/// Whether a choice was on offer, and has an amount where it must.
///
/// # Errors
/// The [`Fault`] that it is otherwise. A statement may leave its amount out; so does every ballot.
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
