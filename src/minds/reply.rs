//! Builds the answers of minds: replies, and their words. The engine checks whether a question allows a reply.

use crate::chance::Draws;
use crate::domain::{
    AlternativeId, Answer, Ballot, BallotForm, Choice, Fault, Inquiry, Language, MindState, Motion, NoteTaken, Opinion,
    Query, Reply, Scored,
};
use crate::minds::coordinates::sort_options;

/// The step of drawn amounts, if the motion admits multiples of it.
const AMOUNT_STEP: u32 = 1_000;

/// An answer without a call to a service.
pub(super) fn simulated_answer(raw: String, parsed: Result<Reply, Fault>, state: MindState) -> Answer {
    Answer { raw, parsed, field: None, usage: None, model_served: None, state }
}

/// A simulated answer with this reply and its words.
///
/// # Panics
/// If the reply holds the values of a form, which have words of their own.
pub(super) fn answer_with(motion: &Motion, reply: Reply, state: MindState) -> Answer {
    simulated_answer(write_reply(motion, &reply), Ok(reply), state)
}

/// A statement. It declares nothing if the question asks for no stance.
pub(super) fn build_statement(
    motion: &Motion,
    query: &Query<'_>,
    text: String,
    (stance, opinion): (Option<Choice>, Option<Opinion>),
) -> Reply {
    let is_asked = !query.ask.options().is_empty() || motion.alternatives.is_empty();
    let (stance, opinion) = if is_asked { (stance, opinion) } else { (None, None) };
    Reply::Statement { text: text.into(), stance, opinion }
}

/// A choice in a poll, with an opinion if there is one.
pub(super) fn build_poll(chosen: Choice, opinion: Option<Opinion>) -> Reply {
    opinion.map_or(Reply::Choice(chosen), |opinion| Reply::Opined(chosen, opinion))
}

/// A choice in a poll or ballot. A ballot for one choice drops the amount, which a later question asks for. A ballot form that
/// says more is filled in by `build_ballot_by_order`.
pub(super) fn build_choice(query: &Query<'_>, chosen: Choice) -> Reply {
    match query.ask.ballot_form() {
        Some(form) if form.says_more() => build_ballot_by_order(query, &[chosen.alternative]),
        Some(BallotForm::Choice) => Reply::Choice(Choice { amount: None, ..chosen }),
        _ => Reply::Choice(chosen),
    }
}

/// A ballot that says more than one choice. `order` holds the options that a mind distinguishes, best first. Only the first is
/// approved. Scores fall evenly from the greatest to 0; all other options score 0. A ranking leaves out or ties the other options
/// if it may, else it lists them in the scenario's order.
pub(super) fn build_ballot_by_order(query: &Query<'_>, order: &[AlternativeId]) -> Reply {
    let others = sort_options(query.ask.options()).into_iter().filter(|id| !order.contains(id));
    let all: Vec<AlternativeId> = order.iter().copied().chain(others).collect();
    let told_apart = order.len() as u32;
    Reply::Ballot(match ballot_form(query) {
        BallotForm::Choice | BallotForm::Amount => unreachable!("invariant: such ballots name one choice"),
        BallotForm::Approval => Ballot::Approval(order.iter().take(1).copied().collect()),
        BallotForm::Ranking { ties, truncated, top } => {
            let mut levels: Vec<Vec<AlternativeId>> = all.iter().map(|one| vec![*one]).collect();
            if ties || truncated {
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
                0 => max,
                steps => (u64::from(max) * u64::from(steps - place.min(steps)) / u64::from(steps)) as u32,
            };
            let scored =
                all.into_iter().zip(0..).map(|(alternative, place)| Scored { alternative, score: score(place) });
            Ballot::Score(scored.collect())
        }
        // All points for the first.
        BallotForm::Allocation { points } => {
            let share = |place: usize| if place == 0 { points } else { 0 };
            let shared = all.into_iter().enumerate();
            Ballot::Score(shared.map(|(place, alternative)| Scored { alternative, score: share(place) }).collect())
        }
    })
}

/// A ballot by worth, indexed in the scenario's order; `order` breaks ties. It approves the first and all that are worth more
/// than the mean, which is best for a voter who knows nothing about the other ballots (Merrill 1979, "Approval voting: a 'best
/// buy' method for multi-candidate elections?", Mathematics Magazine 52(2)). Scores rise linearly with worth from 0 to the
/// greatest, rounded half up; options of equal worth all get the greatest.
pub(super) fn build_ballot_by_worth(query: &Query<'_>, (order, worth): (&[AlternativeId], &[f64])) -> Reply {
    let of = |id: &AlternativeId| worth[id.index()];
    let least = order.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = order.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    Reply::Ballot(match ballot_form(query) {
        BallotForm::Approval => {
            let mean = order.iter().map(of).sum::<f64>() / order.len() as f64;
            let approves = |(place, id): &(usize, &AlternativeId)| *place == 0 || of(id) > mean;
            Ballot::Approval(order.iter().enumerate().filter(approves).map(|(_, id)| *id).collect())
        }
        BallotForm::Score { max } => {
            let part = |worth: f64| if most > least { (worth - least) / (most - least) } else { 1.0 };
            let score = |id: &AlternativeId| (part(of(id)) * f64::from(max) + 0.5) as u32;
            Ballot::Score(order.iter().map(|id| Scored { alternative: *id, score: score(id) }).collect())
        }
        BallotForm::Choice | BallotForm::Amount | BallotForm::Ranking { .. } | BallotForm::Allocation { .. } => {
            return build_ballot_by_order(query, order);
        }
    })
}

fn ballot_form(query: &Query<'_>) -> BallotForm {
    query.ask.ballot_form().expect("invariant: only a ballot is answered by one")
}

/// The words of a reply.
///
/// # Panics
/// If the reply holds the values of a form, which have words of their own.
pub(super) fn write_reply(motion: &Motion, reply: &Reply) -> String {
    let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    match reply {
        Reply::Statement { text, .. } | Reply::Note(text) | Reply::Name(text) => text.to_string(),
        Reply::Pass => String::new(),
        Reply::Choice(choice) | Reply::Opined(choice, _) => write_choice(motion, *choice),
        Reply::Ballot(ballot) => ballot.map(|id| motion.name(*id).clone()).told(Language::En),
        Reply::Abstention => Language::En.abstain().to_owned(),
        Reply::Reasoned { ballot, reasoning } => format!("{}: {reasoning}", write_reply(motion, ballot)),
        Reply::Amount(amount) => amount.to_string(),
        Reply::Ranking { order, certainty } => {
            let names: Vec<&str> = order.iter().map(|id| motion.name(*id).as_str()).collect();
            format!("{} ({})", names.join(" > "), certainty.as_str())
        }
        Reply::Application { choice, certainty, reasoning } => {
            let reasoning = if reasoning.is_empty() { String::new() } else { format!(": {reasoning}") };
            format!("{} ({}){reasoning}", write_choice(motion, *choice), certainty.as_str())
        }
        Reply::Test(answers) => answers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        Reply::Assent(yes) => yes_or_no(*yes),
        Reply::Urgency(urgency) => urgency.map_or_else(|| "none".to_owned(), |urgency| urgency.to_string()),
        Reply::Inquiry(Inquiry::LookUp(words)) => format!("LOOK_UP: {words}"),
        Reply::Inquiry(Inquiry::Page(name)) => format!("PAGE: {name}"),
        Reply::Notes(NoteTaken { append, replace }) => {
            let replace = replace.iter().flat_map(|it| [format!("replace: {}", it.old), format!("with: {}", it.new)]);
            let append = append.iter().map(|text| format!("append: {text}"));
            replace.chain(append).collect::<Vec<_>>().join("\n")
        }
        Reply::Recognition { recognised, recognised_as } => {
            let words = recognised_as.as_ref().map_or_else(String::new, |words| format!(": {words}"));
            format!("{}{words}", yes_or_no(*recognised))
        }
        Reply::Form(_) => unreachable!("invariant: a form has words of its own"),
    }
}

fn write_choice(motion: &Motion, choice: Choice) -> String {
    let name = motion.name(choice.alternative).as_str();
    choice.amount.map_or_else(|| name.to_owned(), |amount| format!("{name} {amount}"))
}

/// The greatest amount that talk or a vote may name.
pub(super) fn amount_max(motion: &Motion) -> u32 {
    motion.amount_max.expect("invariant: a motion with amounts says how great they may be")
}

/// A uniformly drawn amount that talk or a vote may name: a multiple of 1000 if the motion names no unit (amounts are then incomes) and
/// admits one, else any.
pub(super) fn whole_amount(motion: &Motion, draws: &mut Draws) -> u32 {
    let (least, most) = (motion.amount_min, amount_max(motion));
    let admits_steps = motion.unit.is_none() && least.div_ceil(AMOUNT_STEP) <= most / AMOUNT_STEP;
    let step = if admits_steps { AMOUNT_STEP } else { 1 };
    let first = least.div_ceil(step);
    (first + draws.draw_below(u64::from(most / step - first) + 1) as u32) * step
}
