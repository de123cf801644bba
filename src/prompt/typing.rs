//! How a person is told to type the answer to a question, in the session's language. What was typed is not read here.

use crate::domain::{Ask, Certainty, Language, Motion, Offer, URGENCY_MAX};
use crate::prompt::inquiry::keys;
use crate::prompt::opinion;
use crate::prompt::parse::anchors::written;
use crate::prompt::typed::{END_MARK, PASS};
use crate::prompt::{abstention, voting};

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
    with_amount: &'static str,
    several: &'static str,
    stance: &'static str,
    words: &'static str,
    pass: &'static str,
    choice: &'static str,
    first_choice: &'static str,
    amount: &'static str,
    ranking: &'static str,
    second: &'static str,
    certainty: &'static str,
    answers: &'static str,
    reasons: &'static str,
    urgency: &'static str,
    or: &'static str,
    name: &'static str,
    notes: &'static str,
    recognition: &'static str,
    which: &'static str,
    text: &'static str,
    inquiry: &'static str,
    inquired: &'static str,
}

const ENGLISH: Typing = Typing {
    here: "here you may simply type",
    own_words: "your own words:",
    session: "session",
    turn: "it is your turn. Press Enter when nobody else looks.",
    unasked: "nothing was asked yet, so that line counts for nothing. Press Enter.",
    with_amount: ", and behind it the amount that belongs to it",
    several: "; end with an empty line or a line with {end} alone",
    stance: "first line: the number of the option you favour, or {none}",
    words: "then your words, in as many lines as you like",
    pass: "or only {pass}, and you do not speak this time",
    choice: "the number of your choice",
    first_choice: "first line: the number of your choice",
    amount: "the amount",
    ranking: "first line: all numbers, the best first, with > between them",
    second: "second line: ",
    certainty: "second line: how certain you are, 1 ({low}) to {levels} ({high})",
    answers: "the number of a table for each question, with commas between them",
    reasons: "then why, in as many lines as you like",
    urgency: "how urgently you want to speak, 0 to {most}, or {none}",
    or: " or ",
    name: "the name",
    notes: "what you want to add to your notes, or {none}",
    recognition: "first line: ",
    which: "after a {yes}, which one, in as many lines as you like",
    text: "your words, in as many lines as you like",
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
    with_amount: ", y detrás la cantidad que le corresponde",
    several: "; termine con una línea vacía o con una línea que solo tenga {end}",
    stance: "primera línea: el número de la opción que prefiere, o {none}",
    words: "después sus palabras, en tantas líneas como quiera",
    pass: "o solo {pass}, y esta vez no habla",
    choice: "el número de lo que elige",
    first_choice: "primera línea: el número de lo que elige",
    amount: "la cantidad",
    ranking: "primera línea: todos los números, primero el mejor, con > entre ellos",
    second: "segunda línea: ",
    certainty: "segunda línea: qué certeza tiene, de 1 ({low}) a {levels} ({high})",
    answers: "el número de una tabla para cada pregunta, con comas entre ellos",
    reasons: "después por qué, en tantas líneas como quiera",
    urgency: "con qué urgencia quiere hablar, de 0 a {most}, o {none}",
    or: " o ",
    name: "el nombre",
    notes: "lo que quiere añadir a sus notas, o {none}",
    recognition: "primera línea: ",
    which: "tras un {yes}, cuál, en tantas líneas como quiera",
    text: "sus palabras, en tantas líneas como quiera",
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
    with_amount: "，后面写上与它相应的金额",
    several: "；以空行或只有 {end} 的一行结束",
    stance: "第一行：你倾向的选项的编号，或 {none}",
    words: "然后是你的发言，行数不限",
    pass: "或只输入 {pass}，这次就不发言",
    choice: "你选择的选项的编号",
    first_choice: "第一行：你选择的选项的编号",
    amount: "金额",
    ranking: "第一行：全部编号，最好的在前，中间用 > 隔开",
    second: "第二行：",
    certainty: "第二行：你有多确定，从 1（{low}）到 {levels}（{high}）",
    answers: "每个问题写一个表格的编号，中间用逗号隔开",
    reasons: "然后写明理由，行数不限",
    urgency: "你有多迫切地想发言，0 到 {most}，或 {none}",
    or: " 或 ",
    name: "名字",
    notes: "你想在笔记中添加的内容，或 {none}",
    recognition: "第一行：",
    which: "若写 {yes}，再写明是哪一个，行数不限",
    text: "你的话，行数不限",
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
}

/// What a person is told of how to type the answer to a question: the options by number, then what to type, a line each.
pub fn how_to_type(offer: Offer, ask: &Ask, motion: &Motion) -> Vec<String> {
    let (language, told) = (motion.language, Typing::of(motion.language));
    let (yes, no) = (language.yes(), language.no());
    let with = |words: String| if motion.amount_max.is_some() { words + told.with_amount } else { words };
    let several = |words: &str| words.replace("{none}", language.none()) + &told.several.replace("{end}", END_MARK);
    let [lowest, .., highest] = Certainty::ALL;
    let certainty = told
        .certainty
        .replace("{low}", lowest.said(language))
        .replace("{levels}", &Certainty::ALL.len().to_string())
        .replace("{high}", highest.said(language));
    let opinion = || format!("{}{}", told.second, opinion::meaning(motion));
    let is_amount_alone = motion.only().is_some();
    let how = match ask {
        Ask::Ballot { form, .. } if form.says_more() => {
            voting::typing(ask, language).into_iter().chain(abstention::typing(ask, language)).collect()
        }
        Ask::Statement { .. } if is_amount_alone => vec![
            format!("{}{}{}", told.amount, told.or, language.none()),
            several(told.words),
            told.pass.replace("{pass}", PASS),
        ],
        Ask::StrawPoll { .. } | Ask::Ballot { .. } if is_amount_alone => {
            std::iter::once(told.amount.to_owned()).chain(abstention::typing(ask, language)).collect()
        }
        Ask::Statement { opinion: true, .. } => vec![
            with(told.stance.replace("{none}", language.none())),
            opinion(),
            several(told.words),
            told.pass.replace("{pass}", PASS),
        ],
        Ask::StrawPoll { opinion: true, .. } => vec![with(told.first_choice.to_owned()), several(&opinion())],
        Ask::Statement { .. } => vec![
            with(told.stance.replace("{none}", language.none())),
            several(told.words),
            told.pass.replace("{pass}", PASS),
        ],
        Ask::StrawPoll { .. } => vec![with(told.choice.to_owned())],
        Ask::Ballot { .. } => {
            std::iter::once(told.choice.to_owned()).chain(abstention::typing(ask, language)).collect()
        }
        Ask::Amount { .. } => vec![told.amount.to_owned()],
        Ask::Ranking { .. } => vec![told.ranking.to_owned(), several(&certainty)],
        Ask::Comprehension { .. } => vec![told.answers.to_owned()],
        Ask::Application { .. } => {
            vec![with(told.first_choice.to_owned()), certainty, several(told.reasons)]
        }
        Ask::Volunteer => {
            let urgency = told.urgency.replace("{most}", &URGENCY_MAX.to_string());
            vec![urgency.replace("{none}", language.none())]
        }
        Ask::VoteCall | Ask::Confirmation { .. } => vec![format!("{yes}{}{no}", told.or)],
        Ask::Naming { .. } => vec![told.name.to_owned()],
        Ask::Notes { .. } => vec![several(told.notes)],
        Ask::Recognition => {
            vec![format!("{}{yes}{}{no}", told.recognition, told.or), several(&told.which.replace("{yes}", yes))]
        }
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => vec![several(told.text)],
    };
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
    use crate::domain::AlternativeId;

    #[test]
    fn each_language_tells_how_to_type_in_its_own_words() {
        let options: Vec<AlternativeId> = Vec::new();
        let asks = [
            Ask::Statement { options: options.clone(), chars_min: 0, chars_max: None, marks: false, opinion: false },
            Ask::Ranking { options: options.clone() },
            Ask::Volunteer,
            Ask::VoteCall,
            Ask::Reasoning,
        ];
        let motion = |language| Motion {
            text: String::new(),
            alternatives: Vec::new(),
            amount_max: None,
            amount_min: 1,
            unit: None,
            language,
        };
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
        assert_eq!(lines(Language::Es, &Ask::Volunteer)[0], "con qué urgencia quiere hablar, de 0 a 10, o ninguno");
    }
}
