//! The anchored form: lines that begin with a word in capitals and a colon. The words are the session's; in Chinese the colon may be
//! of full or half width.

use crate::domain::{Ask, BallotForm, Fault, Language, Motion};

/// How far an anchor reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::prompt) enum Extent {
    /// To the end of its line.
    Line,
    /// To the next anchor or the end of the text.
    Passage,
}

/// The anchors of the replies to a question, by their English words; none where the reply is plain text.
pub(in crate::prompt) fn anchors(ask: &Ask, motion: &Motion) -> &'static [&'static str] {
    let amounts = motion.amount_max.is_some();
    match ask {
        Ask::Statement { .. } if motion.only().is_some() => &["AMOUNT:", "STATEMENT:"],
        Ask::StrawPoll { .. } if motion.only().is_some() => &["AMOUNT:"],
        Ask::Ballot { form: BallotForm::Amount, .. } => &["AMOUNT:"],
        Ask::Ballot { form: BallotForm::Approval, .. } => &["APPROVES:"],
        Ask::Ballot { form: BallotForm::Ranking { .. }, .. } => &["RANKING:"],
        Ask::Ballot { form: BallotForm::Score { .. }, .. } => &["SCORES:"],
        Ask::Statement { opinion: true, .. } if amounts => &["STANCE:", "AMOUNT:", "OPINION:", "STATEMENT:"],
        Ask::Statement { opinion: true, .. } => &["STANCE:", "OPINION:", "STATEMENT:"],
        Ask::Statement { .. } if amounts => &["STANCE:", "AMOUNT:", "STATEMENT:"],
        Ask::Statement { .. } => &["STANCE:", "STATEMENT:"],
        Ask::StrawPoll { opinion: true, .. } if amounts => &["CHOICE:", "AMOUNT:", "OPINION:"],
        Ask::StrawPoll { opinion: true, .. } => &["CHOICE:", "OPINION:"],
        Ask::StrawPoll { .. } if amounts => &["CHOICE:", "AMOUNT:"],
        Ask::StrawPoll { .. } | Ask::Ballot { .. } => &["CHOICE:"],
        Ask::Amount { .. } => &["AMOUNT:"],
        Ask::Ranking { .. } => &["RANKING:", "CERTAINTY:"],
        Ask::Comprehension { .. } => &["ANSWERS:"],
        Ask::Application { .. } => &["CHOICE:", "AMOUNT:", "CERTAINTY:", "REASONING:"],
        Ask::Volunteer => &["URGENCY:"],
        Ask::VoteCall | Ask::Confirmation { .. } => &["ANSWER:"],
        Ask::Naming { .. } => &["NAME:"],
        Ask::Recognition => &["RECOGNISED:", "WHICH:"],
        Ask::Notes { .. } => &["APPEND:", "REPLACE:", "WITH:"],
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => &[],
    }
}

/// What stands behind an anchor, named by its English word, at the start of a line.
pub(in crate::prompt) fn behind<'l>(line: &'l str, anchor: &str, language: Language) -> Option<&'l str> {
    let rest = line.strip_prefix(word(anchor.trim_end_matches(':'), language))?;
    match language {
        Language::En | Language::Es => rest.strip_prefix(':'),
        Language::Zh => rest.strip_prefix([':', '：']),
    }
}

/// An anchor as it is written in a language, by its English words.
pub(in crate::prompt) fn written(anchor: &str, language: Language) -> String {
    format!("{}:", word(anchor.trim_end_matches(':'), language))
}

/// The word of an anchor, by its English one.
pub(in crate::prompt) fn word(english: &str, language: Language) -> &str {
    let (spanish, chinese) = match english {
        "STANCE" => ("POSTURA", "立场"),
        "AMOUNT" => ("CANTIDAD", "金额"),
        "OPINION" => ("OPINIÓN", "意见"),
        "STATEMENT" => ("INTERVENCIÓN", "发言"),
        "CHOICE" => ("ELECCIÓN", "选择"),
        "RANKING" => ("ORDEN", "排序"),
        "APPROVES" => ("APRUEBA", "赞成"),
        "SCORES" => ("NOTAS", "打分"),
        "CERTAINTY" => ("CERTEZA", "确定程度"),
        "ANSWERS" => ("RESPUESTAS", "答案"),
        "REASONING" => ("RAZONES", "理由"),
        "URGENCY" => ("URGENCIA", "迫切程度"),
        "ANSWER" => ("RESPUESTA", "回答"),
        "NAME" => ("NOMBRE", "名字"),
        "RECOGNISED" => ("RECONOCIDO", "认出"),
        "WHICH" => ("CUÁL", "哪一个"),
        "APPEND" => ("AÑADIR", "添加"),
        "REPLACE" => ("REEMPLAZAR", "替换"),
        "WITH" => ("POR", "替换为"),
        "LOOK_UP" => ("BUSCAR", "查找"),
        "PAGE" => ("PÁGINA", "页面"),
        other => unreachable!("invariant: {other} is no anchor"),
    };
    match language {
        Language::En => english,
        Language::Es => spanish,
        Language::Zh => chinese,
    }
}

/// A reply in the anchored form.
pub(super) struct Anchored<'a> {
    pub(super) raw: &'a str,
    anchors: &'static [&'static str],
    language: Language,
}

impl<'a> Anchored<'a> {
    pub(super) fn new(raw: &'a str, anchors: &'static [&'static str], language: Language) -> Self {
        Self { raw, anchors, language }
    }

    /// What stands behind an anchor that must be there, without the blank space around it.
    pub(super) fn one(&self, anchor: &str, extent: Extent) -> Result<String, Fault> {
        self.at_most_one(anchor, extent)?.ok_or(Fault::Unreadable)
    }

    /// What stands behind an anchor, without the blank space around it; `None` where it does not stand.
    pub(super) fn at_most_one(&self, anchor: &str, extent: Extent) -> Result<Option<String>, Fault> {
        let mut found: Vec<String> = Vec::new();
        let mut open = false;
        for line in self.raw.lines() {
            let words = line.trim_start();
            if let Some(rest) = behind(words, anchor, self.language) {
                found.push(rest.to_owned());
                open = extent == Extent::Passage;
            } else if self.anchors.iter().any(|other| behind(words, other, self.language).is_some()) {
                open = false;
            } else if open && let Some(passage) = found.last_mut() {
                passage.push('\n');
                passage.push_str(line);
            }
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.trim().to_owned())),
            [first, others @ ..] if others.iter().all(|other| other.trim() == first.trim()) => Err(Fault::Unreadable),
            _ => Err(Fault::Ambiguous),
        }
    }
}
