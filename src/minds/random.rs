//! The mind without an opinion: uniform choices, and texts of every kind that could break a program.
//!
//! It is a null model and a test of the code behind it; it ignores the talk. All rankings, certainties, test answers, and yes and
//! no are equally likely. An amount in a practice round is one of the situation's distinct low incomes and ranges; a take is any
//! part of the stock; other amounts are drawn by `whole_amount`.

use crate::chance::{DrawPurpose, Draws, SessionSeed};
use crate::domain::{
    AlternativeId, Answer, Ask, Ballot, BallotForm, Certainty, Choice, Fault, First, Mark, MindState, Motion, Named,
    Number, Query, QuestionId, Reply, Scored, Sign, Situation, URGENCY_MAX,
};
use crate::mechanism::{income_ranges, low_incomes};
use crate::minds::coordinates::{noise_at, sort_options};
use crate::minds::{form, marks, reply};
use crate::text::SIGNS;

/// The longest text, in Unicode scalar values, unless the question asks for a longer one.
const CHARS_MAX: u32 = 2_000;

/// The pieces of texts: words, Chinese, Japanese and Korean, emoji joined and alone, flags, combining marks, an Indic cluster,
/// right-to-left words, markup and quotes. No piece ends in a blank, so no text does.
const PIECES: [&str; 24] = [
    " we",
    " should",
    " consider",
    " the costs",
    ", and",
    ". However",
    "\nSecondly",
    " 公平",
    "我们应该",
    "費用を分担",
    " 합의",
    " 👩\u{200d}🚀",
    "👨\u{200d}👩\u{200d}👧\u{200d}👦",
    " 🤝🏽",
    "🇨🇭",
    " e\u{301}galite\u{301}",
    "a\u{308}\u{323}",
    " क्षि",
    " שלום",
    " مرحبا",
    " <b>",
    " \"quoted\"",
    ",;\t|",
    " 3.50 %",
];

/// Draws whether a reply is invalid, with probability `malformed_ppm`, and which it is then.
pub(super) fn draw_malformed_reply(
    malformed_ppm: u32,
    motion: &Motion,
    seed: &SessionSeed,
    query: &Query<'_>,
) -> Option<Answer> {
    let mut draws = seed.at_question(DrawPurpose::Malformed, &noise_at(query), 0);
    draws.draw_event(malformed_ppm).then(|| draw_faulty_reply(&mut draws, motion, query))
}

/// Answers a query by a valid reply; with probability `abstain_ppm` by an abstention, where it may.
pub(super) fn answer_query(abstain_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    let id = noise_at(query);
    // The state only records that the seat has declared its given first choice.
    let state = query.state.clone();
    if query.ask.may_abstain() && seed.at_question(DrawPurpose::Abstention, &id, 0).draw_event(abstain_ppm) {
        return reply::answer_with(motion, Reply::Abstention, state);
    }
    let mut draws = seed.at_question(DrawPurpose::Choice, &id, 0);
    let text = |chars_min| draw_words(&mut seed.at_question(DrawPurpose::Words, &id, 0), chars_min, CHARS_MAX);
    let reply = match &query.ask {
        Ask::Statement { chars_min, options, marks, .. } => {
            let stance = (!options.is_empty()).then(|| draw_choice(&mut draws, motion, options, None));
            let made =
                if *marks { any_marks(&mut seed.at_question(DrawPurpose::Words, &id, 1), &id) } else { Vec::new() };
            let text = marks::prefix_marks(motion, &made, text(*chars_min)).into();
            Reply::Statement { text, stance, opinion: None }
        }
        Ask::StrawPoll { options, .. } => match query.first {
            First::Told { choice, .. } if state.is_empty() => {
                return reply::answer_with(motion, Reply::Choice(choice), MindState(vec![1]));
            }
            _ => Reply::Choice(draw_choice(&mut draws, motion, options, None)),
        },
        Ask::Ballot { options, form, .. } if form.says_more() => Reply::Ballot(any_ballot(&mut draws, options, *form)),
        Ask::Ballot { options, form: BallotForm::Amount, .. } => {
            Reply::Choice(draw_choice(&mut draws, motion, options, None))
        }
        Ask::Ballot { options, .. } => Reply::Choice(draw_option(&mut draws, options).into()),
        Ask::Amount { .. } => Reply::Amount(draw_amount(&mut draws, motion, None)),
        Ask::Ranking { options } => {
            Reply::Ranking { order: draw_ranking(&mut draws, options), certainty: draw_certainty(&mut draws) }
        }
        Ask::Comprehension { situation, questions } => {
            let tables = situation.tables.len() as u64;
            Reply::Test(questions.iter().map(|_| draws.draw_below(tables) as u32 + 1).collect())
        }
        Ask::Application { options, situation } => {
            let choice = draw_choice(&mut draws, motion, options, Some(situation));
            Reply::Application { choice, certainty: draw_certainty(&mut draws), reasoning: text(0).into() }
        }
        Ask::Volunteer => {
            let drawn = draws.draw_below(u64::from(URGENCY_MAX) + 2) as u32;
            Reply::Urgency(Some(drawn).filter(|urgency| *urgency <= URGENCY_MAX))
        }
        Ask::Reasoning => Reply::Note(text(0).into()),
        Ask::VoteCall | Ask::Confirmation { .. } => Reply::Assent(draws.draw_below(2) == 1),
        Ask::Form { asked } => return form::answer_at_random(&asked.form, seed, query),
        other => unreachable!("invariant: {other:?} is answered by a common rule, or by scripts alone"),
    };
    reply::answer_with(motion, reply, state)
}

/// A ballot that says more than one choice; all complete strict ones, and all splits of points, are equally likely.
fn any_ballot(draws: &mut Draws, options: &[AlternativeId], form: BallotForm) -> Ballot<AlternativeId> {
    let offered = sort_options(options);
    match form {
        BallotForm::Choice | BallotForm::Amount => unreachable!("invariant: such ballots name one choice"),
        BallotForm::Approval => Ballot::Approval(offered.into_iter().filter(|_| draws.draw_below(2) == 1).collect()),
        BallotForm::Ranking { top, .. } => {
            let order = draw_ranking(draws, options).into_iter();
            Ballot::Ranking(order.take(top.map_or(usize::MAX, |top| top as usize)).map(|one| vec![one]).collect())
        }
        BallotForm::Score { max } => {
            let scored = |alternative| Scored { alternative, score: draws.draw_below(u64::from(max) + 1) as u32 };
            Ballot::Score(offered.into_iter().map(scored).collect())
        }
        BallotForm::Allocation { points } => {
            let shared = offered.iter().copied().zip(draws.draw_split(points, offered.len()));
            Ballot::Score(shared.map(|(alternative, score)| Scored { alternative, score }).collect())
        }
    }
}

/// Up to two marks of any sign, which may name any statement of the rounds so far, or none.
fn any_marks(draws: &mut Draws, id: &QuestionId) -> Vec<Mark> {
    let count = draws.draw_below(3);
    let any_mark = |_| {
        let sign = SIGNS[draws.draw_below(SIGNS.len() as u64) as usize];
        let round = draws.draw_below(u64::from(id.at.round.max(1))) as u32 + 1;
        let number = Number { round, turn: draws.draw_below(4) as u32 + 1 };
        let is_named = matches!(sign, Sign::Support | Sign::Oppose) || draws.draw_below(2) == 1;
        Mark { sign, names: if is_named { Named::Number(number) } else { Named::Nothing } }
    };
    (0..count).map(any_mark).collect()
}

/// An option, with an amount if it takes one.
fn draw_choice(draws: &mut Draws, motion: &Motion, options: &[AlternativeId], situation: Option<&Situation>) -> Choice {
    let alternative = draw_option(draws, options);
    let takes_amount = motion.alternatives[alternative.index()].takes_amount;
    Choice { alternative, amount: takes_amount.then(|| draw_amount(draws, motion, situation)) }
}

/// An amount, by one draw.
fn draw_amount(draws: &mut Draws, motion: &Motion, situation: Option<&Situation>) -> u32 {
    if let Some(situation) = situation {
        let mut amounts = low_incomes(situation);
        amounts.extend(income_ranges(situation));
        amounts.sort_unstable();
        amounts.dedup();
        return match amounts.len() {
            // All incomes are 0, and no amount makes a difference.
            0 => 1,
            n => amounts[draws.draw_below(n as u64) as usize],
        };
    }
    reply::whole_amount(motion, draws)
}

fn draw_certainty(draws: &mut Draws) -> Certainty {
    Certainty::ALL[draws.draw_below(Certainty::ALL.len() as u64) as usize]
}

fn draw_option(draws: &mut Draws, options: &[AlternativeId]) -> AlternativeId {
    sort_options(options)[draws.draw_below(options.len() as u64) as usize]
}

/// All options in a random order.
fn draw_ranking(draws: &mut Draws, options: &[AlternativeId]) -> Vec<AlternativeId> {
    let offered = sort_options(options);
    draws.draw_order(offered.len() as u32).into_iter().map(|place| offered[place as usize]).collect()
}

/// A text of 1 to [`CHARS_MAX`] characters, and of `chars_min` to `chars_max`, that begins with a letter.
pub(super) fn draw_words(draws: &mut Draws, chars_min: u32, chars_max: u32) -> String {
    let least = u64::from(chars_min.max(1));
    let most = u64::from(chars_max.min(CHARS_MAX)).max(least);
    let mut left = least + draws.draw_below(most - least + 1) - 1;
    let mut text = String::from("I");
    while left > 0 {
        let piece = PIECES[draws.draw_below(PIECES.len() as u64) as usize];
        let length = piece.chars().count() as u64;
        if length > left {
            text.extend((0..left).map(|_| '.'));
            break;
        }
        text.push_str(piece);
        left -= length;
    }
    text
}

/// An invalid reply and its fault.
fn draw_faulty_reply(draws: &mut Draws, motion: &Motion, query: &Query<'_>) -> Answer {
    let faults = possible_faults(motion, &query.ask);
    let fault = faults[draws.draw_below(faults.len() as u64) as usize];
    let options = sort_options(query.ask.options());
    let first_named = |takes_amount: bool| {
        let is_meant = |id: &&AlternativeId| !takes_amount || motion.alternatives[id.index()].takes_amount;
        options.iter().find(is_meant).map_or("", |id| motion.name(*id).as_str())
    };
    let raw = match fault {
        Fault::UnknownAlternative => unknown_name(motion),
        Fault::Ambiguous if options.is_empty() => "yes or no".to_owned(),
        Fault::Ambiguous => {
            let names: Vec<&str> = query.ask.options().iter().map(|id| motion.name(*id).as_str()).collect();
            names.join(" or ")
        }
        Fault::AmountMissing => first_named(true).to_owned(),
        Fault::AmountOutOfRange => {
            let outside = motion.amount_min.checked_sub(1).map_or(u64::from(reply::amount_max(motion)) + 1, u64::from);
            format!("{} {outside}", first_named(true)).trim_start().to_owned()
        }
        Fault::NotARanking => [first_named(false); 2].join(" > "),
        Fault::Empty => String::new(),
        _ => format!("{{\"{:x}\": ", draws.next_bits()),
    };
    reply::simulated_answer(raw, Err(fault), MindState::default())
}

/// The possible faults of a reply to a question, each equally likely.
fn possible_faults(motion: &Motion, ask: &Ask) -> &'static [Fault] {
    const CHOICE: [Fault; 6] = [
        Fault::Unreadable,
        Fault::UnknownAlternative,
        Fault::Ambiguous,
        Fault::Empty,
        Fault::AmountMissing,
        Fault::AmountOutOfRange,
    ];
    let takes_amount = |id: &AlternativeId| motion.alternatives[id.index()].takes_amount;
    match ask {
        Ask::StrawPoll { .. } | Ask::Ballot { .. } if motion.only().is_some() => {
            &[Fault::Unreadable, Fault::AmountOutOfRange, Fault::Empty]
        }
        Ask::StrawPoll { options, .. } | Ask::Application { options, .. } if options.iter().any(takes_amount) => {
            &CHOICE
        }
        Ask::Statement { .. } | Ask::StrawPoll { .. } | Ask::Ballot { .. } | Ask::Application { .. } => &CHOICE[..4],
        Ask::Ranking { .. } => &[Fault::Unreadable, Fault::UnknownAlternative, Fault::NotARanking, Fault::Empty],
        Ask::Amount { .. } => &[Fault::Unreadable, Fault::AmountOutOfRange, Fault::Empty],
        Ask::VoteCall | Ask::Confirmation { .. } => &[Fault::Unreadable, Fault::Ambiguous, Fault::Empty],
        _ => &[Fault::Unreadable, Fault::Empty],
    }
}

fn unknown_name(motion: &Motion) -> String {
    let mut name = String::from("none_of_these");
    while motion.find(&name).is_some() {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests;
