//! Sentences in which minds say what they favour. Nothing is drawn.

use crate::domain::{AlternativeId, Choice, Language, Motion, Opinion};

/// Repeats a sentence until it has at least `chars_min` Unicode scalar values.
pub(super) fn at_length(sentence: String, chars_min: u32, language: Language) -> String {
    // A character has at most 4 bytes, so a text of this many bytes is long enough.
    if sentence.len() >= chars_min as usize * 4 {
        return sentence;
    }
    let again = language.pick([" Again: ", " De nuevo: ", "再说一遍："]);
    let length = sentence.chars().count();
    let mut left = (chars_min as usize).saturating_sub(length);
    let mut text = sentence.clone();
    while left > 0 {
        text.push_str(again);
        text.push_str(&sentence);
        left = left.saturating_sub(length + again.chars().count());
    }
    text
}

/// `I favour: the label.` in the motion's language, with the amount if there is one.
pub(super) fn favour_sentence(motion: &Motion, favoured: Choice) -> String {
    let label = motion.alternatives[favoured.alternative.index()].label.as_str();
    let (favour, at, stop) = match motion.language {
        Language::En => ("I favour: ", ", at ", "."),
        Language::Es => ("Prefiero: ", ", con ", "."),
        Language::Zh => ("我倾向于：", "，金额为", "。"),
    };
    let amount = favoured.amount.map_or(String::new(), |amount| format!("{at}{amount}"));
    format!("{favour}{label}{amount}{stop}")
}

/// How far a seat favours the first of two alternatives, rounded to hundredths; follows the favour sentence.
///
/// # Panics
/// If the motion has fewer than two alternatives.
pub(super) fn opinion_sentence(motion: &Motion, opinion: Opinion) -> String {
    let hundredths = (opinion.billionths() + 5_000_000) / 10_000_000;
    let [first, second] = [0, 1].map(|place| motion.said(AlternativeId(place)));
    match motion.language {
        Language::En => format!(" Between 0 ({second}) and 100 ({first}) I stand at {hundredths}."),
        Language::Es => format!(" Entre 0 ({second}) y 100 ({first}) estoy en {hundredths}."),
        Language::Zh => format!("在 0（{second}）与 100（{first}）之间，我的位置是 {hundredths}。"),
    }
}

/// Why a choice was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// Nothing is worth more.
    WorthMost,
    /// Something else is worth more, but others supported this.
    Heard,
    /// Something else is worth more.
    Unsure,
}

/// A reason's sentence; follows the favour sentence.
pub(super) fn reason_sentence(reason: Reason, language: Language) -> &'static str {
    match (language, reason) {
        (Language::En, Reason::WorthMost) => " In the situations I have seen, nothing on offer is worth more to me.",
        (Language::En, Reason::Heard) => {
            " By my own reckoning something else is worth more, but I have heard others speak for this."
        }
        (Language::En, Reason::Unsure) => " I am not certain of it: by my own reckoning something else is worth more.",
        (Language::Es, Reason::WorthMost) => {
            " En las situaciones que he visto, ninguna de las opciones vale más para mí."
        }
        (Language::Es, Reason::Heard) => {
            " Según mis propios cálculos otra opción vale más, pero he oído a otras personas hablar a favor de esta."
        }
        (Language::Es, Reason::Unsure) => " No tengo certeza: según mis propios cálculos otra opción vale más.",
        (Language::Zh, Reason::WorthMost) => "在我见过的情境中，没有哪个选项对我更有价值。",
        (Language::Zh, Reason::Heard) => "按我自己的计算，另一个选项更有价值，但我听到别人支持这个。",
        (Language::Zh, Reason::Unsure) => "我对此不确定：按我自己的计算，另一个选项更有价值。",
    }
}

/// The alternative worth most to a seat, and how many of the heard stances support it.
pub(super) fn thought_sentence(motion: &Motion, best: AlternativeId, (count, total): (u32, u32)) -> String {
    let label = &motion.alternatives[best.index()].label;
    match motion.language {
        Language::En => {
            format!("Nothing is worth more to me now than this: {label}. Stances heard: {total}; for it: {count}.")
        }
        Language::Es => {
            format!("Nada vale ahora más para mí que esto: {label}. Posturas oídas: {total}; a favor: {count}.")
        }
        Language::Zh => {
            format!("现在对我来说没有什么比这个更有价值：{label}。在听到的{total}个立场中，有{count}个支持它。")
        }
    }
}
