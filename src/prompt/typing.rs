//! What a person reads about typing the answer to a question, in the session's language, and where the answer ends. What was typed
//! is not read here.

use crate::domain::{Ask, BallotForm, Field, FieldKind, Form, Language, Motion, Offer, Presence, Step};
use crate::prompt::AnswerForm;
use crate::prompt::anchors::{PASS, behind, written};
use crate::prompt::asked::describe_field;
use crate::prompt::asked::write_reply_form;
use crate::prompt::form::{TextRoom, build_form};
use crate::prompt::inquiry::keys;
use crate::prompt::{abstention, opinion};
use crate::question::begins_with_anchor;

/// The line that ends an answer of several lines, and alone is an empty answer.
pub const END_MARK: &str = ".";

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
    let form = build_form(ask, motion, TextRoom::Any);
    let is_one_line = match form.fields.as_slice() {
        [only] => !only.is_passage(),
        _ => false,
    };
    let asks_to_see = keys(offer).iter().any(|(_, anchor)| behind(first, anchor, motion.language).is_some());
    let is_whole = match ask.step() {
        Step::Statement => first == PASS,
        Step::Recognition => first == motion.language.no(),
        Step::Ballot => ask.may_abstain() && first == motion.language.abstain(),
        _ => false,
    };
    if asks_to_see || is_one_line || is_whole && !begins_with_anchor(&form, first) {
        Ends::AtOnce
    } else {
        Ends::AtAMark
    }
}

/// What a person is told besides a question, in one language.
pub struct Typing {
    /// What stands over how to type.
    pub here: &'static str,
    /// What stands over what the person said before.
    pub own_words: &'static str,
    /// What stands before the name of a session when it comes to the terminal.
    pub session: &'static str,
    /// What calls a seat to a terminal that several share.
    pub turn: &'static str,
    /// What somebody is told who types before anything was asked.
    pub unasked: &'static str,
    /// What stands before the name of a field, for a field on a line of its own and for a text.
    line: &'static str,
    then: &'static str,
    /// What stands between the name of a field and what to type.
    colon: &'static str,
    choice: &'static str,
    listed: &'static str,
    approval: &'static str,
    ranking: &'static str,
    tied: &'static str,
    score: &'static str,
    allocation: &'static str,
    number: &'static str,
    numbers: &'static str,
    text_line: &'static str,
    text: &'static str,
    or: &'static str,
    several: &'static str,
    pass: &'static str,
    inquiry: &'static str,
    inquired: &'static str,
}

const ENGLISH: Typing = Typing {
    here: "here you may simply type",
    own_words: "your own words:",
    session: "session",
    turn: "it is your turn. Press Enter when nobody else looks.",
    unasked: "nothing was asked yet, so that line counts for nothing. Press Enter.",
    line: "line {number}, ",
    then: "then ",
    colon: ": ",
    choice: "the number of an option",
    listed: "the number of one of these: {options}",
    approval: "the numbers of the options that you approve of, with commas between them, or {none}",
    ranking: "the numbers of the options, the best first, with > between them",
    tied: ", and = between those of one place",
    score: "the number of each option with its score from 0 to {max}, as in 1 = {max}, 2 = 0",
    allocation: "the number of each option with its points, as in 1 = {max}, 2 = 0; {max} in all",
    number: "a number from {min} to {max}",
    numbers: "{count} numbers from {min} to {max}, with commas between them",
    text_line: "your words, in one line",
    text: "your words, in as many lines as you like",
    or: " or ",
    several: "; end with an empty line or a line with {end} alone",
    pass: "or only {pass}, and you do not speak this time",
    inquiry: "or first, once, a line: ",
    inquired: " (what for)",
};

/// Not read by a native speaker.
const SPANISH: Typing = Typing {
    here: "aquí puede simplemente escribir",
    own_words: "sus propias palabras:",
    session: "sesión",
    turn: "es su turno. Pulse Intro cuando nadie más esté mirando.",
    unasked: "todavía no se ha preguntado nada, así que esa línea no cuenta. Pulse Intro.",
    line: "línea {number}, ",
    then: "después ",
    colon: ": ",
    choice: "el número de una opción",
    listed: "el número de una de estas: {options}",
    approval: "los números de las opciones que aprueba, con comas entre ellos, o {none}",
    ranking: "los números de las opciones, primero la mejor, con > entre ellos",
    tied: ", y = entre las de un mismo lugar",
    score: "el número de cada opción con su nota de 0 a {max}, como en 1 = {max}, 2 = 0",
    allocation: "el número de cada opción con sus puntos, como en 1 = {max}, 2 = 0; {max} puntos en total",
    number: "un número de {min} a {max}",
    numbers: "{count} números de {min} a {max}, con comas entre ellos",
    text_line: "sus palabras, en una línea",
    text: "sus palabras, en tantas líneas como quiera",
    or: " o ",
    several: "; termine con una línea vacía o con una línea que solo tenga {end}",
    pass: "o solo {pass}, y esta vez no habla",
    inquiry: "o primero, una vez, una línea: ",
    inquired: " (qué)",
};

/// Not read by a native speaker.
const CHINESE: Typing = Typing {
    here: "在这里可以直接输入",
    own_words: "你自己说过的话：",
    session: "会议",
    turn: "轮到你了。没有其他人在看时，请按回车键。",
    unasked: "还没有提出问题，这一行不算。请按回车键。",
    line: "第 {number} 行，",
    then: "然后是",
    colon: "：",
    choice: "一个选项的编号",
    listed: "其中一项的编号：{options}",
    approval: "你赞成的选项的编号，中间用逗号隔开，或 {none}",
    ranking: "选项的编号，最好的在前，中间用 > 隔开",
    tied: "，并列的用 = 连接",
    score: "每个选项的编号和它的分数（0 到 {max}），例如 1 = {max}, 2 = 0",
    allocation: "每个选项的编号和它的点数，例如 1 = {max}, 2 = 0；共 {max} 点",
    number: "{min} 到 {max} 的一个数",
    numbers: "{min} 到 {max} 的 {count} 个数，中间用逗号隔开",
    text_line: "你的话，写在一行里",
    text: "你的话，行数不限",
    or: " 或 ",
    several: "；以空行或只有 {end} 的一行结束",
    pass: "或只输入 {pass}，这次就不发言",
    inquiry: "或先写一行（只能一次）：",
    inquired: "（要查找的词）",
};

impl Typing {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &ENGLISH,
            Language::Es => &SPANISH,
            Language::Zh => &CHINESE,
        }
    }

    /// What to type for a field.
    fn describe_field(&self, field: &Field, shown: &[String], form: &Form) -> String {
        let bounds = |words: &str, min: &str, max: &str| words.replace("{min}", min).replace("{max}", max);
        let none = form.language.none();
        let what = match &field.kind {
            FieldKind::Choice { options } if options == shown => self.choice.to_owned(),
            FieldKind::Choice { options } => {
                let listed: Vec<String> =
                    options.iter().zip(1..).map(|(option, number): (_, u32)| format!("{number} {option}")).collect();
                self.listed.replace("{options}", &listed.join(", "))
            }
            FieldKind::Approval { .. } => self.approval.replace("{none}", none),
            FieldKind::Ranking { ties, .. } => format!("{}{}", self.ranking, if *ties { self.tied } else { "" }),
            FieldKind::Score { max, .. } => self.score.replace("{max}", &max.to_string()),
            FieldKind::Allocation { points, .. } => self.allocation.replace("{max}", &points.to_string()),
            FieldKind::Number { min, max, decimals } => {
                let [min, max] =
                    [min, max].map(|bound| crate::question::write_number(*bound, form.language, *decimals));
                bounds(self.number, &min, &max)
            }
            FieldKind::Numbers { min, max, count } => {
                bounds(self.numbers, &min.to_string(), &max.to_string()).replace("{count}", &count.to_string())
            }
            FieldKind::YesNo => format!("{}{}{}", form.language.yes(), self.or, form.language.no()),
            FieldKind::Text { one_line: true, .. } => self.text_line.to_owned(),
            FieldKind::Text { .. } => self.text.to_owned(),
            FieldKind::Texts { .. } => describe_field(field, form.language, AnswerForm::Anchored),
        };
        match field.presence {
            Presence::Required => what,
            Presence::MayBeNothing | Presence::MayBeLeftOut => format!("{what},{}{none}", self.or),
        }
    }
}

/// What a person is told of how to type the answer to a question: the options by number, then what to type, a line each.
pub fn how_to_type(offer: Offer, ask: &Ask, motion: &Motion) -> Vec<String> {
    let (language, told) = (motion.language, Typing::of(motion.language));
    let form = build_form(ask, motion, TextRoom::Any);
    let shown: Vec<String> = ask.options().iter().map(|id| motion.said(*id).to_string()).collect();
    let mut fields: Vec<&Field> = form.fields.iter().filter(|field| !field.is_passage()).collect();
    // A second text is typed by its anchor only.
    fields.extend(form.fields.iter().find(|field| field.is_passage()));
    let ends_at_a_mark = form.fields.len() > 1 || form.fields[0].is_passage();
    let mut how: Vec<String> = Vec::new();
    let texts = form.fields.iter().filter(|field| field.is_passage());
    if texts.skip(1).any(|text| text.presence != Presence::MayBeLeftOut) {
        // Texts that must be told apart are typed by their anchors.
        how.extend(write_reply_form(&form, AnswerForm::Anchored).lines().map(str::to_owned));
        let last = how.pop().unwrap_or_default();
        how.push(format!("{last}{}", told.several.replace("{end}", END_MARK)));
        fields.clear();
    }
    for (place, field) in fields.iter().enumerate() {
        let what = match field.id.as_str() {
            "opinion" if ask.asks_opinion() => opinion::meaning(motion),
            _ => told.describe_field(field, &shown, &form),
        };
        let name = match fields.len() {
            1 => String::new(),
            _ => {
                let before = if field.is_passage() { told.then } else { told.line };
                let before = before.replace("{number}", &(place + 1).to_string());
                format!("{before}{}{}", field.anchor.to_lowercase(), told.colon)
            }
        };
        let end = if ends_at_a_mark && place + 1 == fields.len() { told.several } else { "" };
        how.push(format!("{name}{what}{}", end.replace("{end}", END_MARK)));
    }
    if ask.step() == Step::Statement {
        how.push(told.pass.replace("{pass}", PASS));
    }
    how.extend(abstention::typing(ask, language));
    let is_amount_alone = motion.only().is_some() || ask.ballot_form() == Some(BallotForm::Amount);
    let options = if is_amount_alone { &[] } else { ask.options() };
    let numbered = options.iter().zip(1..).map(|(id, number): (_, u32)| {
        let alternative = &motion.alternatives[id.index()];
        let label = if alternative.label.is_empty() { String::new() } else { format!("  {}", alternative.label) };
        format!("{number:>3}  {}{label}", alternative.said())
    });
    let inquiries = keys(offer).into_iter();
    let first =
        inquiries.map(|(_, anchor)| format!("{}{}{}", told.inquiry, written(anchor, motion.language), told.inquired));
    numbered.chain(how).chain(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Alternative;
    use crate::domain::tests::{ask_ballot, ask_statement, make_alternative, make_motion};
    use crate::domain::{AlternativeId, BallotForm, Certainty, Choice, Fault, Reply};
    use crate::prompt::{AnswerForm, parse};

    fn motion(amount_max: Option<u32>) -> Motion {
        let alternatives = ["for", "floor", "none_of_it"].map(|name| Alternative {
            takes_amount: name == "floor" && amount_max.is_some(),
            ..make_alternative(name, "")
        });
        make_motion("", alternatives.to_vec(), amount_max)
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
        let ballot = ask_ballot(options(), BallotForm::Choice);
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
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "3\n13,000"), {
            Ok(Reply::Choice(Choice { alternative: AlternativeId(1), amount: Some(13_000) }))
        });
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "floor\n13000"), {
            Ok(Reply::Choice(Choice { alternative: AlternativeId(1), amount: Some(13_000) }))
        });
        let on_one_line = priced(&Ask::StrawPoll { options: options(), opinion: false }, "3 13000");
        assert_eq!(on_one_line, Err(Fault::UnknownAlternative));
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "2"), chose(0));
        // A straw poll may leave the amount out, whoever answers it.
        assert_eq!(priced(&Ask::StrawPoll { options: options(), opinion: false }, "3"), chose(1));
    }

    #[test]
    fn a_statement_is_a_stance_and_words_or_a_pass() {
        let ask = ask_statement(options(), 0);
        let said = |text: &str, stance: Option<u32>| {
            Ok(Reply::Statement {
                text: text.into(),
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
        assert_eq!(typed(&ask, "2 > 1 > 3\n6"), Err(Fault::UnknownAlternative));
        assert_eq!(typed(&ask, "2 > 1 > 3"), Err(Fault::Empty));
        assert_eq!(typed(&ask, "2 > 1 > 3\n4\nbecause"), Err(Fault::Unreadable));
    }

    #[test]
    fn an_answer_ends_where_it_must() {
        let motion = motion(None);
        let statement = ask_statement(options(), 0);
        let ballot = ask_ballot(options(), BallotForm::Choice);
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

    #[test]
    fn each_language_tells_how_to_type_in_its_own_words() {
        let options: Vec<AlternativeId> = Vec::new();
        let asks = [
            ask_statement(options.clone(), 0),
            Ask::Ranking { options: options.clone() },
            Ask::Volunteer,
            Ask::VoteCall,
            Ask::Reasoning,
        ];
        let motion = |language| Motion { language, ..make_motion("", Vec::new(), None) };
        let lines = |language, ask: &Ask| how_to_type(Offer { look_up: true, page: true }, ask, &motion(language));
        for ask in &asks {
            let english = lines(Language::En, ask);
            for language in [Language::Es, Language::Zh] {
                let told = lines(language, ask);
                assert_eq!(told.len(), english.len(), "{told:?}");
                for (told, english) in told.iter().zip(&english) {
                    assert_ne!(told, english);
                    assert!(!told.contains('{'), "{told}");
                    assert!(language == Language::Es || !told.contains(" the "), "{told}");
                }
            }
        }
        assert_eq!(lines(Language::En, &Ask::VoteCall)[0], "yes or no");
        assert_eq!(lines(Language::Es, &Ask::Volunteer)[0], "un número de 0 a 10, o ninguno");
    }
}
