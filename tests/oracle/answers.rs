//! Cells about answers: what was said, whether it counts, how often it was asked for, what the calls used.

use ekklesia::analysis::why::RecordKind;
use ekklesia::analysis::{VoteFacts, VoteForce};
use ekklesia::domain::{
    AlternativeName, Answered, Ballot, Certainty, Dollars, Event, Fault, Faulted, Inquired, Inquiry, Language,
    PollTime, Record, Reply, Step, Usage,
};

use super::positions::list_positions;
use super::{Cell, flag, is_by, list, show};

/// An answer: of a ballot whose amount is asked for separately, its choice and its last record, else the same record twice.
struct Answer<'c> {
    choice: &'c Record,
    last: &'c Record,
}

impl<'c> Cell<'c> {
    fn answer(&self) -> Option<Answer<'c>> {
        Some(Answer { choice: self.records.first()?, last: self.last()? })
    }

    fn valid_answer(&self) -> Option<Answer<'c>> {
        self.answer().filter(|answer| answer.last.final_fault().is_none())
    }

    /// Sums the tokens of the calls that reported them; `None` where none of the calls did.
    pub(super) fn sum_tokens(&self, read: fn(Usage) -> Option<u64>) -> Option<String> {
        let usage = |record: &&Record| read(record.event.given()?.usage?);
        let reported: Vec<u64> = self.records.iter().filter_map(usage).collect();
        if reported.is_empty() && !self.records.is_empty() { None } else { show(reported.iter().sum::<u64>()) }
    }
}

/// What answers cost; `None` where the cost of one is not known. A question that was too long is not charged for.
pub fn sum_cost(cell: &Cell<'_>) -> Option<String> {
    let mut femto = 0;
    for record in cell.records.iter().filter(|record| RecordKind::Call.matches_record(record, cell.arm())) {
        let is_too_long = matches!(record.event, Event::Faulted(Faulted { fault: Fault::ContextTooLong, .. }));
        let Some(usage) = record.event.given()?.usage else { if is_too_long { continue } else { return None } };
        let seat = cell.seat_names().iter().position(|name| is_by(record, name))?;
        let tariff = cell.arm().seat_tariff(seat, &record.at)?;
        let cached = usage.cached_prompt_tokens.unwrap_or(0).min(usage.prompt_tokens);
        let input = tariff.input_nano_per_mtok;
        for (tokens, nano) in [
            (usage.prompt_tokens - cached, input),
            (cached, tariff.cached_input_nano_per_mtok.unwrap_or(input)),
            (usage.completion_tokens, tariff.output_nano_per_mtok),
        ] {
            // A billionth of a dollar for a million tokens is a millionth of a billionth for one.
            femto += u128::from(tokens) * u128::from(nano);
        }
    }
    show(Dollars::of_femto(femto).exact())
}

pub fn count_settled(cell: &Cell<'_>) -> Option<String> {
    let kinds = [RecordKind::FirstTry, RecordKind::Reasked, RecordKind::Invalid, RecordKind::Refused];
    let count = |kind: RecordKind| cell.records.iter().filter(|record| kind.matches_record(record, cell.arm())).count();
    show(kinds.map(count).iter().sum::<usize>())
}

pub fn read_status(cell: &Cell<'_>) -> Option<String> {
    let last = cell.last()?;
    show(match last.event {
        Event::Inquired(_) => "inquiry",
        Event::Answered(_) if last.reply() == Some(Reply::Abstention) => "abstained",
        Event::Answered(_) if last.cut_chars() > 0 => "cut",
        Event::Faulted(Faulted { fault: Fault::Refused, .. }) => "refused",
        Event::Faulted(_) => "invalid",
        _ => "valid",
    })
}

/// The reasons of a ballot or a practice choice, also of a ballot whose amount was named later.
pub fn read_reasoning(cell: &Cell<'_>) -> Option<String> {
    read_values(cell.answer()?.choice)?["reasoning"].as_str().and_then(show)
}

/// How often a question was put, not counting inquiries and the first question for an amount.
pub fn count_tries(cell: &Cell<'_>) -> Option<u32> {
    let answer = cell.answer()?;
    let is_inquiry = answer.last.event.is_inquired();
    let own = u32::from(answer.last.tries_before().filter(|_| !is_inquiry)?);
    let is_amount = answer.choice.seq != answer.last.seq;
    Some(own + 1 + if is_amount { u32::from(answer.choice.tries_before()?) } else { 0 })
}

/// Whether the answer came at the first try.
pub fn read_origin(cell: &Cell<'_>) -> Option<String> {
    show(if count_tries(cell)? == 1 { "first_try" } else { "reasked" })
}

pub fn read_values(record: &Record) -> Option<serde_json::Value> {
    match &record.event {
        Event::Answered(Answered { values, .. }) => Some(serde_json::to_value(values).unwrap()),
        _ => None,
    }
}

/// What an answer says, as a word and as a number.
pub fn value_of(record: &Record) -> (Option<String>, Option<u64>) {
    let yes_or_no = |yes: bool| (show(if yes { "yes" } else { "no" }), Some(u64::from(yes)));
    let length = |text: &str| text.chars().count() as u64;
    if let Event::Inquired(Inquired { inquiry, found, .. }) = &record.event {
        let word = if matches!(inquiry, Inquiry::LookUp(_)) { "look_up" } else { "page" };
        return (show(word), Some(found.len() as u64));
    }
    let Some(values) = read_values(record) else { return (None, None) };
    let number = |name: &str| values[name].as_u64();
    let word = |name: &str| values[name].as_str().and_then(show);
    match record.at.step {
        Step::Statement if values["statement"].is_null() => (show("pass"), None),
        Step::Statement => (word("stance"), number("amount")),
        Step::StrawPoll | Step::Application => (word("choice"), number("amount")),
        Step::Ballot => match record.reply() {
            Some(Reply::Ballot(ballot)) => (show(ballot.told(Language::En)), None),
            Some(Reply::Abstention) => (show("abstain"), None),
            _ => (word("choice"), number("amount")),
        },
        Step::Amount => (None, number("amount")),
        Step::Ranking => {
            let order = values["ranking"].as_array().unwrap().iter().map(|rank| rank[0].as_str().unwrap());
            let level = Certainty::ALL.iter().position(|one| Some(one.as_str()) == values["certainty"].as_str());
            (list(order), level.map(|place| place as u64 + 1))
        }
        Step::Comprehension => (show(if values["passed"] == true { "passed" } else { "failed" }), number("correct")),
        Step::Volunteer => (yes_or_no(!values["urgency"].is_null()).0, number("urgency")),
        Step::VoteCall | Step::Confirmation => yes_or_no(values["answer"] == true),
        Step::Recognition => yes_or_no(values["recognised"] == true),
        Step::Reasoning | Step::Integration | Step::Compression => (None, values["text"].as_str().map(length)),
        Step::Naming => (word("name"), None),
        Step::Notes => {
            let word = if values["replace"].is_null() { "added" } else { "replaced" };
            (show(word), Some(values["append"].as_str().map_or(0, length)))
        }
        Step::Ask => (super::values::word_all(&values), None),
        _ => (None, None),
    }
}

pub fn find_purpose(cell: &Cell<'_>) -> Option<&'static str> {
    let at = &cell.last()?.at;
    let phase = cell.arm().phases.iter().find(|phase| phase.name == at.phase);
    Some(match (at.step, phase.and_then(|phase| phase.poll)) {
        (Step::Ballot | Step::Amount | Step::Tally, _) => "vote",
        (Step::Ranking, _) => "ranking",
        (Step::Application, _) => "application",
        (_, Some(PollTime::Before)) => "straw_before",
        (_, Some(PollTime::After)) => "straw_after",
        _ => "straw_round",
    })
}

/// How many ballots the seat's ballot counts for.
pub fn read_weight(cell: &Cell<'_>) -> Option<String> {
    let last = cell.last()?;
    let place = cell.arm().seats.iter().position(|seat| is_by(last, seat.name.as_str()))?;
    show(find_vote(cell)?.weights.get(place).copied().unwrap_or(1))
}

/// The terms of the vote that the row is about; `None` if it is about no vote.
fn find_vote<'c>(cell: &Cell<'c>) -> Option<&'c VoteFacts> {
    let at = &cell.last().filter(|_| find_purpose(cell) == Some("vote"))?.at;
    cell.arm().phases.iter().find(|phase| phase.name == at.phase)?.vote.as_ref()
}

pub fn is_binding(cell: &Cell<'_>) -> Option<String> {
    let binds = find_vote(cell).is_some_and(|vote| vote.force != VoteForce::NonBinding);
    flag(binds || find_purpose(cell)? == "application")
}

/// Whether the row is about a vote over options that are no alternatives.
fn is_over_own_options(cell: &Cell<'_>) -> bool {
    find_vote(cell).is_some_and(|vote| vote.options.is_some())
}

/// What is asked for: a choice, an amount, a ranking, or another form of ballot.
pub fn read_form(cell: &Cell<'_>) -> Option<String> {
    show(match find_purpose(cell)? {
        "ranking" => "ranking",
        "vote" => find_vote(cell)?.ballot.as_str(),
        _ if cell.arm().alternatives.len() == 1 => "amount",
        _ => "choice",
    })
}

/// The options of an answer as they were shown, and its words.
fn read_options(record: &Record) -> Option<(&[AlternativeName], &str)> {
    match &record.event {
        Event::Answered(Answered { options, raw, .. }) | Event::Faulted(Faulted { options, raw, .. }) => {
            Some((options, raw))
        }
        _ => None,
    }
}

pub fn list_options(cell: &Cell<'_>) -> Option<String> {
    list(read_options(cell.answer()?.choice)?.0)
}

pub fn read_raw(cell: &Cell<'_>) -> Option<String> {
    show(read_options(cell.answer()?.choice)?.1)
}

/// The words of the amount, if it was asked for separately.
pub fn read_amount_raw(cell: &Cell<'_>) -> Option<String> {
    match &cell.last()?.event {
        Event::Answered(Answered { raw, .. }) | Event::Faulted(Faulted { raw, .. })
            if cell.last()?.at.step == Step::Amount =>
        {
            show(raw)
        }
        _ => None,
    }
}

/// The ballot of an answer that says more than one choice, and the row's alternative.
fn read_ballot(cell: &Cell<'_>) -> Option<(Ballot<AlternativeName>, AlternativeName)> {
    match cell.valid_answer()?.choice.reply()? {
        Reply::Ballot(ballot) => Some((ballot, AlternativeName::new(cell.row.cell_text("alternative")?))),
        _ => None,
    }
}

fn row_rank(cell: &Cell<'_>) -> Option<usize> {
    let choice = cell.valid_answer()?.choice;
    cell.row.cell_number("rank").filter(|_| choice.at.step == Step::Ranking)
}

/// The alternative that the row is about, and its amount.
fn read_choice(cell: &Cell<'_>) -> Option<(AlternativeName, Option<u32>)> {
    let answer = cell.valid_answer()?;
    match (answer.choice.reply()?, answer.last.reply()?) {
        (Reply::Ranking { order, .. }, _) => Some((order.get(row_rank(cell)?.checked_sub(1)?)?.clone(), None)),
        (Reply::Choice(choice), Reply::Amount(amount)) => Some((choice.alternative, Some(amount))),
        (Reply::Choice(choice) | Reply::Opined(choice, _) | Reply::Application { choice, .. }, _) => {
            Some((choice.alternative, choice.amount))
        }
        _ => None,
    }
}

fn find_alternative(cell: &Cell<'_>) -> Option<AlternativeName> {
    read_ballot(cell).map(|(_, name)| name).or_else(|| read_choice(cell).map(|(name, _)| name))
}

pub fn read_alternative(cell: &Cell<'_>) -> Option<String> {
    show(find_alternative(cell)?)
}

pub fn read_amount(cell: &Cell<'_>) -> Option<String> {
    show(read_choice(cell)?.1?)
}

pub fn is_correct(cell: &Cell<'_>) -> Option<String> {
    let (alternative, amount) = read_choice(cell).filter(|_| row_rank(cell).is_none() && !is_over_own_options(cell))?;
    flag(cell.is_right(&alternative, amount)?)
}

pub fn read_rank(cell: &Cell<'_>) -> Option<String> {
    match read_ballot(cell) {
        Some((ballot, name)) => show(ballot.rank(&name)?),
        None => show(row_rank(cell)?),
    }
}

pub fn read_score(cell: &Cell<'_>) -> Option<String> {
    let (ballot, name) = read_ballot(cell)?;
    show(ballot.score(&name)?)
}

pub fn is_approved(cell: &Cell<'_>) -> Option<String> {
    let (ballot, name) = read_ballot(cell)?;
    flag(ballot.approves(&name)?)
}

/// The alternative's place among the options as they were shown.
pub fn find_shown_position(cell: &Cell<'_>) -> Option<String> {
    let (options, _) = read_options(cell.answer()?.choice)?;
    let alternative = find_alternative(cell)?;
    show(options.iter().position(|option| *option == alternative)? + 1)
}

/// Whether the choice is the stance that the seat had declared last.
pub fn matches_stance(cell: &Cell<'_>) -> Option<String> {
    cell.choices()?;
    let last = cell.valid_answer().filter(|_| !is_over_own_options(cell))?.last;
    if matches!(last.reply(), Some(Reply::Ballot(_))) || matches!(last.at.step, Step::Ranking | Step::Application) {
        return None;
    }
    let is_stance = |record: &&Record| matches!(record.reply(), Some(Reply::Statement { .. }));
    let (stances, choices): (Vec<&Record>, Vec<&Record>) = cell.records.iter().copied().partition(is_stance);
    let [declared, chosen] = [stances, choices]
        .map(|records| list_positions(&records, cell.arm()).valid.last().map(|position| position.alternative.clone()));
    flag(declared? == chosen?)
}
