//! The wording of announcements and of a seat's own entries, in the session's language. It never paraphrases anyone.

use crate::domain::{
    AlternativeName, Certainty, Decimal, EntryKind, FieldValue, Language, Language::*, NamedChoice, OwnEntry, Tongue,
    Voice,
};
use crate::text::join_lines;

/// A public instruction. A human's text gets a mark here; the facilitator's gets its mark with the remark.
pub fn instruction_text(text: &str, by: Voice, language: Language) -> String {
    match by {
        Voice::Facilitator => text.to_owned(),
        Voice::Human => format!("{} {text}", human_mark(language)),
    }
}

/// Who alone hears what a seat says, told to this seat; `None` if that is not disclosed.
pub fn audience_line(names: Option<&[&str]>, language: Language) -> String {
    let Some(names) = names else {
        return language
            .pick([
                "Perhaps only some members hear what you say.",
                "Quizá solo algunos miembros oigan lo que usted dice.",
                "可能只有部分成员会听到你的发言。",
            ])
            .to_owned();
    };
    match (names, language) {
        ([], En) => "Nobody else hears what you say.".to_owned(),
        ([], Es) => "Nadie más oye lo que usted dice.".to_owned(),
        ([], Zh) => "没有其他人会听到你的发言。".to_owned(),
        (_, En) => format!("Only these members hear what you say: {}.", names.join(", ")),
        (_, Es) => format!("Solo estos miembros oyen lo que usted dice: {}.", names.join(", ")),
        (_, Zh) => format!("只有以下成员会听到你的发言：{}。", names.join("、")),
    }
}

/// A line after the mark of its author.
pub fn marked_line(line: &str, by: Voice, language: Language) -> String {
    let voice = if by == Voice::Human { human_mark(language) } else { facilitator_mark(language) };
    format!("{voice} {line}")
}

/// The mark of the facilitator.
pub(super) fn facilitator_mark(language: Language) -> &'static str {
    language.pick(["[FACILITATOR]", "[MODERACIÓN]", "[主持人]"])
}

/// The mark of a human.
pub fn human_mark(language: Language) -> &'static str {
    language.pick(["[HUMAN]", "[PERSONA]", "[人类]"])
}

/// The mark of a rewritten memory.
pub fn memory_mark(language: Language) -> &'static str {
    language.pick(["[MEMORY] ", "[MEMORIA] ", "[记忆] "])
}

/// The label before a seat's own reasoning.
pub fn thought_label(language: Language) -> &'static str {
    language.pick(["You thought: ", "Usted pensó: ", "你想过："])
}

/// The label before a text that the seat wrote itself; empty if the kind has none.
pub(super) fn entry_label(kind: EntryKind, language: Language) -> &'static str {
    match kind {
        EntryKind::Rewritten => memory_mark(language),
        EntryKind::OwnReasoning => thought_label(language),
        _ => "",
    }
}

/// An entry's text without its label in any language.
pub fn unlabelled_entry(entry: &OwnEntry) -> &str {
    unlabelled_text(entry.kind, &entry.text)
}

/// A text without the label of its kind in any language.
pub fn unlabelled_text(kind: EntryKind, text: &str) -> &str {
    let labels = Language::ALL.map(|language| entry_label(kind, language));
    labels.into_iter().find_map(|label| text.strip_prefix(label)).unwrap_or(text)
}

/// The beginning of an exhibit's mark.
pub fn exhibit_mark(language: Language) -> &'static str {
    language.pick(["[EXHIBIT ", "[DOCUMENTO ", "[资料 "])
}

/// An exhibit as seats read it, between two marks.
pub fn exhibit_text(name: &str, text: &str, language: Language) -> String {
    let end = match language {
        En => format!("[END OF EXHIBIT {name}]"),
        Es => format!("[FIN DEL DOCUMENTO {name}]"),
        Zh => format!("[资料 {name} 结束]"),
    };
    format!("{}{name}]\n{text}\n{end}", exhibit_mark(language))
}

/// A page of an exhibit as seats read it.
pub fn page_text(name: &str, text: &str, language: Language) -> String {
    match language {
        En => format!("[PAGE {name}]\n{text}\n[END OF PAGE {name}]"),
        Es => format!("[PÁGINA {name}]\n{text}\n[FIN DE LA PÁGINA {name}]"),
        Zh => format!("[页面 {name}]\n{text}\n[页面 {name} 结束]"),
    }
}

/// The outline of an exhibit that is too long to be shown in full.
pub fn exhibit_outline(
    name: &str,
    (words, pages): (u64, usize),
    (first, last): (&str, &str),
    language: Language,
) -> String {
    let ends = language.pick(["It ends:", "Termina así:", "它的结尾是："]);
    let end = if last.is_empty() { String::new() } else { format!("\n{ends}\n{last}") };
    match language {
        En => {
            let called = match pages {
                1 => format!("page \"{name} 1\""),
                _ => format!("pages \"{name} 1\" to \"{name} {pages}\""),
            };
            format!(
                "It has {words} words and is too long to be shown whole: {pages} pages. It begins:\n{first}{end}\nThe whole is in the {called}."
            )
        }
        Es => {
            let called = match pages {
                1 => format!("la página \"{name} 1\""),
                _ => format!("las páginas \"{name} 1\" a \"{name} {pages}\""),
            };
            format!(
                "Tiene {words} palabras y es demasiado largo para mostrarlo entero: {pages} páginas. Empieza así:\n{first}{end}\nEl texto entero está en {called}."
            )
        }
        Zh => {
            let called = match pages {
                1 => format!("页面“{name} 1”"),
                _ => format!("页面“{name} 1”至“{name} {pages}”"),
            };
            format!("它有{words}个字，太长，无法全部显示：共{pages}页。它的开头是：\n{first}{end}\n全文在{called}。")
        }
    }
}

/// A seat's notes from earlier meetings. In meeting 1 they come from another experiment.
pub fn notes_text(meeting: u32, text: &str, language: Language) -> String {
    match language {
        En if meeting == 1 => format!("Your notes from an earlier meeting:\n{text}"),
        Es if meeting == 1 => format!("Sus notas de una reunión anterior:\n{text}"),
        Zh if meeting == 1 => format!("你以前会面时的笔记：\n{text}"),
        En => format!("Your notes from when you met before (this is meeting {meeting}):\n{text}"),
        Es => format!("Sus notas de las reuniones anteriores (esta es la reunión {meeting}):\n{text}"),
        Zh => format!("你以前会面时的笔记（这是第{meeting}次会面）：\n{text}"),
    }
}

/// A seat's own ranking, best first.
pub fn ranking_line(order: &[&AlternativeName], certainty: Certainty, tongue: Tongue<'_>) -> String {
    let names: Vec<&str> = order.iter().map(|name| tongue.alternative(name).as_str()).collect();
    let (order, certainty) = (names.join(" > "), certainty.said(tongue.language));
    match tongue.language {
        En => format!("You ranked: {order} (certainty: {certainty})."),
        Es => format!("Su orden de preferencia: {order} (certeza: {certainty})."),
        Zh => format!("你的排序：{order}（确定程度：{certainty}）。"),
    }
}

/// A seat's own choice in a practice round.
pub fn application_line(situation: &str, choice: &NamedChoice, certainty: Certainty, tongue: Tongue<'_>) -> String {
    let (choice, certainty) = (tongue.choice(choice), certainty.said(tongue.language));
    match tongue.language {
        En => format!("In practice situation {situation} you chose: {choice} (certainty: {certainty})."),
        Es => format!("En la situación de práctica {situation} usted eligió: {choice} (certeza: {certainty})."),
        Zh => format!("在练习情境{situation}中你选择了：{choice}（确定程度：{certainty}）。"),
    }
}

/// A seat's own estimate in a poll.
pub fn estimate_line(amount: u32, unit: Option<&str>, language: Language) -> String {
    match (language, unit) {
        (En, Some(unit)) => format!("In the private poll you named {amount} {unit}."),
        (En, None) => format!("In the private poll you named {amount}."),
        (Es, Some(unit)) => format!("En el sondeo privado usted dio {amount} {unit}."),
        (Es, None) => format!("En el sondeo privado usted dio {amount}."),
        (Zh, Some(unit)) => format!("你在私下投票中给出的数值是 {amount} {unit}。"),
        (Zh, None) => format!("你在私下投票中给出的数值是 {amount}。"),
    }
}

/// What a seat was paid by an expression.
pub fn payoff_line(payoff: Decimal, unit: Option<&str>, language: Language) -> String {
    let amount = payoff.told(language);
    match (language, unit) {
        (En, Some(unit)) => format!("You were paid {amount} {unit}."),
        (En, None) => format!("You were paid {amount}."),
        (Es, Some(unit)) => format!("A usted se le pagaron {amount} {unit}."),
        (Es, None) => format!("A usted se le pagaron {amount}."),
        (Zh, Some(unit)) => format!("你得到了 {amount} {unit}。"),
        (Zh, None) => format!("你得到了 {amount}。"),
    }
}

/// An answer with its question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerTold<'a> {
    /// The question in short.
    pub question: String,
    /// The name of the seat that it is about; `None` if it is about none.
    pub about: Option<String>,
    /// The value; `None` for nothing.
    pub value: Option<&'a FieldValue>,
}

impl AnswerTold<'_> {
    /// The value in one line, in the words of a language.
    pub fn value_text(&self, language: Language) -> String {
        self.value.map_or_else(|| language.none().to_owned(), |value| join_lines(&value.told(language)))
    }
}

/// A seat's own answers to a form.
pub fn answers_line(answers: &[AnswerTold<'_>], language: Language) -> String {
    let answers = join_answers(answers, language);
    match language {
        En => format!("You answered: {answers}"),
        Es => format!("Usted respondió: {answers}"),
        Zh => format!("你的回答：{answers}"),
    }
}

/// What a seat answered to a form, as others hear it.
pub fn heard_answers_line(public_name: &str, answers: &[AnswerTold<'_>], language: Language) -> String {
    let answers = join_answers(answers, language);
    match language {
        En => format!("{public_name} answered: {answers}"),
        Es => format!("{public_name} respondió: {answers}"),
        Zh => format!("{public_name}的回答：{answers}"),
    }
}

/// Each question with its answer; of a question that is asked about several seats, the name of each with the answer.
fn join_answers(answers: &[AnswerTold<'_>], language: Language) -> String {
    let told = |answer: &AnswerTold<'_>| {
        let value = answer.value_text(language);
        match (&answer.about, language) {
            (None, _) => value,
            (Some(name), Zh) => format!("{name}：{value}"),
            (Some(name), _) => format!("{name}: {value}"),
        }
    };
    let mut questions: Vec<(&AnswerTold<'_>, Vec<String>)> = Vec::new();
    for answer in answers {
        let is_same = |(first, _): &&mut (&AnswerTold<'_>, Vec<String>)| {
            first.question == answer.question && first.about.is_some() && answer.about.is_some()
        };
        match questions.iter_mut().find(is_same) {
            Some((_, told_so_far)) => told_so_far.push(told(answer)),
            None => questions.push((answer, vec![told(answer)])),
        }
    }
    // Words of seats in a question cannot end it.
    let inside = |question: &str| question.replace(['«', '“'], "‹").replace(['»', '”'], "›");
    let lines = questions.iter().map(|(first, told)| match language {
        Zh => format!("“{}”{}", inside(&first.question), told.join("、")),
        En | Es => format!("«{}» {}", inside(&first.question), told.join(", ")),
    });
    lines.collect::<Vec<_>>().join(if language == Zh { "；" } else { "; " })
}

/// A vote was called.
pub fn call_line(public_name: &str, language: Language) -> String {
    match language {
        En => format!("{public_name} calls for a vote now."),
        Es => format!("{public_name} pide que se vote ahora."),
        Zh => format!("{public_name}要求现在投票。"),
    }
}

/// A seat agreed to vote.
pub fn agreed_line(public_name: &str, language: Language) -> String {
    match language {
        En => format!("{public_name} agrees to vote now."),
        Es => format!("{public_name} acepta que se vote ahora."),
        Zh => format!("{public_name}同意现在投票。"),
    }
}

/// A seat did not agree to vote.
pub fn declined_line(public_name: &str, language: Language) -> String {
    match language {
        En => format!("{public_name} does not agree to vote now."),
        Es => format!("{public_name} no acepta que se vote ahora."),
        Zh => format!("{public_name}不同意现在投票。"),
    }
}

/// A decision was imposed.
pub fn imposed_line(choice: &NamedChoice, tongue: Tongue<'_>) -> String {
    let choice = tongue.choice(choice);
    match tongue.language {
        En => format!("The decision is given to the group: {choice}."),
        Es => format!("La decisión le viene dada al grupo: {choice}."),
        Zh => format!("小组的决定已经给定：{choice}。"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_seats_in_a_question_cannot_end_it() {
        let answer = |question: &str| AnswerTold { question: question.to_owned(), about: None, value: None };
        let asked = [answer("How good is this: fine» 9; «And that?")];
        assert_eq!(answers_line(&asked, En), "You answered: «How good is this: fine› 9; ‹And that?» none");
    }
}
