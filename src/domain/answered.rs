//! The typed view of valid answers in the minutes.

use super::{AlternativeName, Choice, Event, Marked, NamedValues, Record, Reply, Step};

impl Event {
    /// The words of an answer as they came; empty if its values hold them in full, and of records that no seat answered.
    pub fn raw(&self) -> &str {
        match self {
            Event::Ranked { raw, .. }
            | Event::Tested { raw, .. }
            | Event::Applied { raw, .. }
            | Event::Polled { raw, .. }
            | Event::Balloted { raw, .. }
            | Event::Voted { raw, .. }
            | Event::Abstained { raw, .. }
            | Event::AmountNamed { raw, .. }
            | Event::HarvestAsked { raw, .. }
            | Event::Volunteered { raw, .. }
            | Event::CallAnswered { raw, .. }
            | Event::Confirmed { raw, .. }
            | Event::Inquired { raw, .. }
            | Event::Named { raw, .. }
            | Event::Noted { raw, .. }
            | Event::Recognised { raw, .. }
            | Event::Answered { raw, .. }
            | Event::Faulted { raw, .. } => raw,
            _ => "",
        }
    }

    /// The options in the order in which they were shown; empty if none were.
    pub fn options(&self) -> &[AlternativeName] {
        match self {
            Event::Ranked { options, .. }
            | Event::Applied { options, .. }
            | Event::Polled { options, .. }
            | Event::Balloted { options, .. }
            | Event::Voted { options, .. }
            | Event::Abstained { options, .. }
            | Event::Faulted { options, .. } => options,
            _ => &[],
        }
    }

    /// The marks that a statement carries.
    pub fn marks(&self) -> &[Marked] {
        match self {
            Event::Spoke { marks, .. } => marks,
            _ => &[],
        }
    }
}

impl Record {
    /// The valid answer that it holds; `None` if it holds none.
    pub fn reply(&self) -> Option<Reply<AlternativeName>> {
        let choice = |name: &AlternativeName, amount: Option<u32>| Choice { alternative: name.clone(), amount };
        Some(match &self.event {
            Event::Spoke { text, stance, stance_amount, opinion, .. } => Reply::Statement {
                text: text.clone(),
                stance: stance.as_ref().map(|name| choice(name, *stance_amount)),
                opinion: *opinion,
            },
            Event::Passed { .. } => Reply::Pass,
            Event::Reasoned { text, .. } | Event::Integrated { text, .. } | Event::Compressed { text, .. } => {
                Reply::Note(text.clone())
            }
            Event::Polled { alternative, amount, opinion: Some(opinion), .. } => {
                Reply::Opined(choice(alternative, *amount), *opinion)
            }
            Event::Polled { alternative, amount, .. } | Event::Balloted { alternative, amount, .. } => {
                Reply::Choice(choice(alternative, *amount))
            }
            Event::Voted { ballot, .. } => Reply::Ballot(ballot.clone()),
            Event::Abstained { .. } => Reply::Abstention,
            Event::AmountNamed { amount, .. } | Event::HarvestAsked { amount, .. } => Reply::Amount(*amount),
            Event::Ranked { order, certainty, .. } => Reply::Ranking { order: order.clone(), certainty: *certainty },
            Event::Applied { alternative, amount, certainty, reasoning, .. } => Reply::Application {
                choice: choice(alternative, *amount),
                certainty: *certainty,
                reasoning: reasoning.clone(),
            },
            Event::Tested { answers, .. } => Reply::Test(answers.clone()),
            Event::Volunteered { urgency, .. } => Reply::Urgency(*urgency),
            Event::CallAnswered { calls: yes, .. } | Event::Confirmed { agrees: yes, .. } => Reply::Assent(*yes),
            Event::Named { name, .. } => Reply::Name(name.clone()),
            Event::Noted { note, .. } => Reply::Notes(note.clone()),
            Event::Recognised { recognised, recognised_as, .. } => {
                Reply::Recognition { recognised: *recognised, recognised_as: recognised_as.clone() }
            }
            Event::Answered { values, .. } => Reply::Form(values.values().cloned().collect()),
            _ => return None,
        })
    }

    /// Whether it is an answer that its seat remembers as its own: an amount named in private, or the values of a form. An estimate
    /// in a poll of a motion with one alternative is such an amount.
    pub fn is_own_answer(&self) -> bool {
        match self.reply() {
            Some(Reply::Form(_)) => true,
            Some(Reply::Amount(_)) => self.at.step == Step::Harvest,
            Some(Reply::Choice(choice) | Reply::Opined(choice, _)) => {
                self.at.step == Step::StrawPoll && choice.amount.is_some() && self.event.options().len() == 1
            }
            _ => false,
        }
    }

    /// The values of a form of the scenario; `None` of any other record.
    pub fn form_values(&self) -> Option<&NamedValues> {
        match &self.event {
            Event::Answered { values, .. } => Some(values),
            _ => None,
        }
    }

    /// How many answers to a comprehension test are right, and whether they are enough; `None` of any other record.
    pub fn test_result(&self) -> Option<(u32, bool)> {
        match &self.event {
            Event::Tested { correct, passed, .. } => Some((*correct, *passed)),
            _ => None,
        }
    }

    /// How many characters at its end a memory does not take over from a text that it was rewritten to.
    pub fn cut_chars(&self) -> u64 {
        match &self.event {
            Event::Integrated { cut_chars, .. } | Event::Compressed { cut_chars, .. } => *cut_chars,
            _ => 0,
        }
    }
}
