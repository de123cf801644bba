//! What a person types → the anchored form, by one rule. How a person is told to type stands elsewhere.
//!
//! What has a line with an anchor of the question is in the anchored form already and stays as it is. Anything else stands
//! for anchored lines in a fixed order: a number is the option of that number in the order shown, or the certainty of that
//! level; nothing else is changed, and everything is then read as a model's lines are. So a choice out of prose counts here
//! as little as there.

use crate::domain::{Ask, BallotForm, Certainty, Fault, Motion, Offer};
use crate::prompt::inquiry::keys;
use crate::prompt::parse::anchors::{anchors, behind, written};

/// The line that ends an answer of several lines, and alone is an empty answer.
pub const END_MARK: &str = ".";

/// The word by which a person lets others speak.
pub(super) const PASS: &str = "pass";

/// Where an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// With its first line.
    AtOnce,
    /// At a line that is empty or [`END_MARK`].
    AtAMark,
}

/// Where the answer to a question ends whose first line is this.
pub fn ends(offer: Offer, ask: &Ask, motion: &Motion, first: &str) -> Ends {
    let first = first.trim();
    let begins = |anchor: &str| behind(first, anchor, motion.language).is_some();
    if keys(offer).iter().any(|(_, anchor)| begins(anchor)) {
        return Ends::AtOnce;
    }
    let known = anchors(ask, motion);
    if known.iter().any(|anchor| begins(anchor)) {
        return if known.len() == 1 { Ends::AtOnce } else { Ends::AtAMark };
    }
    match ask {
        Ask::Statement { .. } if first == PASS => Ends::AtOnce,
        Ask::Statement { .. }
        | Ask::StrawPoll { opinion: true, .. }
        | Ask::Ranking { .. }
        | Ask::Application { .. }
        | Ask::Notes { .. }
        | Ask::Reasoning
        | Ask::Integration { .. }
        | Ask::Compression { .. } => Ends::AtAMark,
        Ask::Volunteer
        | Ask::StrawPoll { .. }
        | Ask::Ballot { .. }
        | Ask::Amount { .. }
        | Ask::Comprehension { .. }
        | Ask::VoteCall
        | Ask::Confirmation { .. }
        | Ask::Naming { .. } => Ends::AtOnce,
        Ask::Recognition if first == motion.language.no() => Ends::AtOnce,
        Ask::Recognition => Ends::AtAMark,
    }
}

/// What typed words stand for.
pub(super) enum Meant {
    /// The seat does not speak this time.
    Pass,
    /// An answer in the anchored form.
    Lines(String),
}

/// Brings what was typed into the anchored form.
///
/// # Errors
/// [`Fault::Unreadable`] when it has more lines than the answer to this question has.
pub(super) fn meant(ask: &Ask, motion: &Motion, raw: &str) -> Result<Meant, Fault> {
    let is_anchored = |line: &str| {
        anchors(ask, motion).iter().any(|anchor| behind(line.trim_start(), anchor, motion.language).is_some())
    };
    if raw.lines().any(is_anchored) {
        return Ok(Meant::Lines(raw.to_owned()));
    }
    let raw = raw.trim();
    if matches!(ask, Ask::Statement { .. }) && raw == PASS {
        return Ok(Meant::Pass);
    }
    let typed = Typed { ask, motion };
    let (first, rest) = raw.split_once('\n').unwrap_or((raw, ""));
    let one = |anchor: &str| if rest.is_empty() { Ok(typed.line(anchor, first)) } else { Err(Fault::Unreadable) };
    let is_amount_alone = motion.only().is_some();
    let lines = match ask {
        Ask::Statement { .. } if is_amount_alone => {
            vec![typed.line("AMOUNT:", first.trim()), typed.line("STATEMENT:", rest)]
        }
        Ask::StrawPoll { .. } | Ask::Ballot { .. } if is_amount_alone => vec![one("AMOUNT:")?],
        Ask::Ballot { form, .. } if form.says_more() && !rest.is_empty() => return Err(Fault::Unreadable),
        Ask::Ballot { form: BallotForm::Approval, .. } => vec![typed.line("APPROVES:", &typed.approvals(first))],
        Ask::Ballot { form: BallotForm::Ranking { .. }, .. } => vec![typed.line("RANKING:", &typed.ranking(first))],
        Ask::Ballot { form: BallotForm::Score { .. }, .. } => vec![typed.line("SCORES:", &typed.scores(first))],
        Ask::Statement { opinion: true, .. } => {
            let (second, words) = rest.split_once('\n').unwrap_or((rest, ""));
            vec![typed.choice("STANCE:", first), typed.line("OPINION:", second), typed.line("STATEMENT:", words)]
        }
        Ask::Statement { .. } => vec![typed.choice("STANCE:", first), typed.line("STATEMENT:", rest)],
        Ask::StrawPoll { opinion: true, .. } if rest.contains('\n') => return Err(Fault::Unreadable),
        Ask::StrawPoll { opinion: true, .. } => vec![typed.choice("CHOICE:", first), typed.line("OPINION:", rest)],
        Ask::StrawPoll { .. } | Ask::Ballot { .. } if rest.is_empty() => vec![typed.choice("CHOICE:", first)],
        Ask::StrawPoll { .. } | Ask::Ballot { .. } => return Err(Fault::Unreadable),
        Ask::Amount { .. } => vec![one("AMOUNT:")?],
        Ask::Ranking { .. } if rest.contains('\n') => return Err(Fault::Unreadable),
        Ask::Ranking { .. } => vec![typed.line("RANKING:", &typed.ranking(first)), typed.certainty(rest)],
        Ask::Comprehension { .. } => vec![one("ANSWERS:")?],
        Ask::Application { .. } => {
            let (second, why) = rest.split_once('\n').unwrap_or((rest, ""));
            vec![typed.choice("CHOICE:", first), typed.certainty(second), typed.line("REASONING:", why)]
        }
        Ask::Volunteer => vec![one("URGENCY:")?],
        Ask::VoteCall | Ask::Confirmation { .. } => vec![one("ANSWER:")?],
        Ask::Naming { .. } => vec![one("NAME:")?],
        Ask::Recognition => vec![typed.line("RECOGNISED:", first.trim()), typed.line("WHICH:", rest)],
        Ask::Notes { .. } => vec![typed.line("APPEND:", raw)],
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => vec![raw.to_owned()],
    };
    let lines = lines.join("\n");
    Ok(Meant::Lines(lines))
}

/// A question to which words were typed.
struct Typed<'a> {
    ask: &'a Ask,
    motion: &'a Motion,
}

impl Typed<'_> {
    /// A line behind its anchor in the session's language.
    fn line(&self, anchor: &str, words: &str) -> String {
        format!("{} {words}", written(anchor, self.motion.language))
    }

    /// An option and, where one may be named with it, an amount.
    fn choice(&self, anchor: &str, line: &str) -> String {
        let (option, amount) = self.split(line.trim());
        let amount = amount.map(|amount| format!("\n{}", self.line("AMOUNT:", amount)));
        self.line(anchor, self.option(option)) + &amount.unwrap_or_default()
    }

    /// The option of a line, and what stands behind it where an amount may.
    fn split<'w>(&self, line: &'w str) -> (&'w str, Option<&'w str>) {
        if matches!(self.ask, Ask::Ballot { .. }) || self.motion.amount_max.is_none() {
            return (line, None);
        }
        let apart = |option: &str| line.strip_prefix(option)?.strip_prefix(char::is_whitespace).map(str::trim);
        let number = line.split(char::is_whitespace).next().filter(|word| place(word).is_some());
        let name = || {
            let names = self.ask.options().iter().map(|id| self.motion.said(*id).as_str());
            names.filter(|name| apart(name).is_some()).max_by_key(|name| name.len())
        };
        match number.or_else(name) {
            Some(option) => (&line[..option.len()], apart(option)),
            None => (line, None),
        }
    }

    fn approvals(&self, line: &str) -> String {
        line.split([',', '，']).map(|one| self.option(one.trim())).collect::<Vec<&str>>().join(", ")
    }

    fn scores(&self, line: &str) -> String {
        let scored = |pair: &str| match pair.split_once(['=', '＝']) {
            Some((option, score)) => format!("{} = {}", self.option(option.trim()), score.trim()),
            None => pair.to_owned(),
        };
        line.split([',', '，']).map(scored).collect::<Vec<String>>().join(", ")
    }

    fn ranking(&self, line: &str) -> String {
        let tied = |piece: &str| piece.split('=').map(|one| self.option(one.trim())).collect::<Vec<&str>>().join(" = ");
        line.split('>').map(tied).collect::<Vec<String>>().join(" > ")
    }

    /// The name of the option of that number; what is no number of an option stays as it is.
    fn option<'w>(&'w self, typed: &'w str) -> &'w str {
        let place = place(typed).and_then(|place| self.ask.options().get(place));
        place.map_or(typed, |id| self.motion.said(*id).as_str())
    }

    /// The line of a certainty of that level; what is no level stays as it is.
    fn certainty(&self, typed: &str) -> String {
        let typed = typed.trim();
        let level = place(typed).and_then(|place| Certainty::ALL.get(place));
        self.line("CERTAINTY:", level.map_or(typed, |certainty| certainty.said(self.motion.language)))
    }
}

/// A number from 1 as a place from 0.
fn place(typed: &str) -> Option<usize> {
    let is_number = !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit());
    typed.parse::<usize>().ok().filter(|_| is_number)?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Alternative, AlternativeId, AlternativeName, BallotForm, Choice, Language, Reply};
    use crate::prompt::{AnswerForm, parse};

    fn motion(amount_max: Option<u32>) -> Motion {
        let alternative = |name: &str| Alternative {
            name: AlternativeName::new(name),
            said: None,
            label: String::new(),
            status_quo: false,
            takes_amount: name == "floor" && amount_max.is_some(),
        };
        Motion {
            text: String::new(),
            alternatives: ["for", "floor", "none_of_it"].map(alternative).to_vec(),
            amount_max,
            amount_min: 1,
            unit: None,
            language: Language::En,
        }
    }

    /// Shown in another order than the motion's.
    fn options() -> Vec<AlternativeId> {
        [2, 0, 1].map(AlternativeId).to_vec()
    }

    fn typed(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
        parse(ask, &motion(None), AnswerForm::Typed, raw)
    }

    fn priced(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
        parse(ask, &motion(Some(20_000)), AnswerForm::Typed, raw)
    }

    #[test]
    fn a_number_is_the_option_shown_there_and_nothing_is_guessed() {
        let ballot = Ask::Ballot { options: options(), form: BallotForm::Choice, may_abstain: false };
        let chose = |place| Ok(Reply::Choice(AlternativeId(place).into()));
        for (raw, reply) in [
            ("2", chose(0)),
            (" 1 ", chose(2)),
            ("floor", chose(1)),
            ("CHOICE: floor", chose(1)),
            ("CHOICE: 2", Err(Fault::UnknownAlternative)),
            ("0", Err(Fault::UnknownAlternative)),
            ("4", Err(Fault::UnknownAlternative)),
            ("+2", Err(Fault::UnknownAlternative)),
            ("99999999999999999999999999", Err(Fault::UnknownAlternative)),
            ("I am for it", Err(Fault::UnknownAlternative)),
            ("2 5", Err(Fault::UnknownAlternative)),
            ("2\n1", Err(Fault::Unreadable)),
            ("", Err(Fault::Empty)),
        ] {
            assert_eq!(typed(&ballot, raw), reply, "{raw:?}");
        }
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "3 13,000"), {
            Ok(Reply::Choice(Choice { alternative: AlternativeId(1), amount: Some(13_000) }))
        });
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "floor 13000"), {
            Ok(Reply::Choice(Choice { alternative: AlternativeId(1), amount: Some(13_000) }))
        });
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "2"), chose(0));
        // A straw poll may leave the amount out, whoever answers it.
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "3"), chose(1));
    }

    #[test]
    fn a_statement_is_a_stance_and_words_or_a_pass() {
        let ask = Ask::Statement { options: options(), chars_min: 0, chars_max: None, marks: false, opinion: false };
        let said = |text: &str, stance: Option<u32>| {
            Ok(Reply::Statement {
                text: text.to_owned(),
                stance: stance.map(|place| AlternativeId(place).into()),
                opinion: None,
            })
        };
        assert_eq!(typed(&ask, "2\nWe should.\n\nSoon."), said("We should.\n\nSoon.", Some(0)));
        assert_eq!(typed(&ask, "none\n2 of us doubt it."), said("2 of us doubt it.", None));
        assert_eq!(typed(&ask, "STANCE: for\nSTATEMENT: We should."), said("We should.", Some(0)));
        assert_eq!(typed(&ask, "pass"), Ok(Reply::Pass));
        assert_eq!(typed(&ask, "2"), Err(Fault::Empty));
        assert_eq!(typed(&ask, "We should."), Err(Fault::UnknownAlternative));
        assert_eq!(typed(&ask, "2\nSTANCE: for"), Err(Fault::Unreadable));
        let spanish = Motion { language: Language::Es, ..motion(None) };
        let in_spanish = |raw: &str| parse(&ask, &spanish, AnswerForm::Typed, raw);
        assert_eq!(in_spanish("ninguno\nNo sabemos."), said("No sabemos.", None));
        assert_eq!(in_spanish("POSTURA: for\nINTERVENCIÓN: Hagámoslo."), said("Hagámoslo.", Some(0)));
        assert_eq!(in_spanish("2\nHagámoslo."), said("Hagámoslo.", Some(0)));
    }

    #[test]
    fn numbers_rank_and_tell_how_certain_one_is() {
        let order = [0, 2, 1].map(AlternativeId).to_vec();
        let ranked = Ok(Reply::Ranking { order, certainty: Certainty::Sure });
        let ask = Ask::Ranking { options: options() };
        assert_eq!(typed(&ask, "2 > none_of_it>3\n4"), ranked);
        assert_eq!(typed(&ask, "2 > 1 > 3\nsure"), ranked);
        assert_eq!(typed(&ask, "2 > 1 = 3\n4"), Err(Fault::NotARanking));
        assert_eq!(typed(&ask, "2 > 1 > 3\n6"), Err(Fault::Unreadable));
        assert_eq!(typed(&ask, "2 > 1 > 3"), Err(Fault::Unreadable));
        assert_eq!(typed(&ask, "2 > 1 > 3\n4\nbecause"), Err(Fault::Unreadable));
    }

    #[test]
    fn an_answer_ends_where_it_must() {
        let motion = motion(None);
        let statement =
            Ask::Statement { options: options(), chars_min: 0, chars_max: None, marks: false, opinion: false };
        let ballot = Ask::Ballot { options: options(), form: BallotForm::Choice, may_abstain: false };
        let offer = Offer { look_up: true, page: false };
        for (ask, first, end) in [
            (&ballot, "2", Ends::AtOnce),
            (&ballot, "CHOICE: for", Ends::AtOnce),
            (&statement, "2", Ends::AtAMark),
            (&statement, "STANCE: for", Ends::AtAMark),
            (&statement, "pass", Ends::AtOnce),
            (&statement, "LOOK_UP: cost", Ends::AtOnce),
        ] {
            assert_eq!(ends(offer, ask, &motion, first), end, "{first}");
        }
        assert_eq!(ends(Offer::NONE, &statement, &motion, "LOOK_UP: cost"), Ends::AtAMark);
    }
}
