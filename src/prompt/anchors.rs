//! The anchored form: lines that begin with a word in capitals and a colon. The words are the session's; in Chinese the colon may be
//! of full or half width.

use crate::domain::Language;

/// The word by which a person lets others speak.
pub(super) const PASS: &str = "pass";

/// What stands behind an anchor, named by its English word, at the start of a line.
pub(super) fn behind<'l>(line: &'l str, anchor: &str, language: Language) -> Option<&'l str> {
    let rest = line.strip_prefix(word(anchor.trim_end_matches(':'), language))?;
    match language {
        Language::En | Language::Es => rest.strip_prefix(':'),
        Language::Zh => rest.strip_prefix([':', '：']),
    }
}

/// An anchor as it is written in a language, by its English words.
pub(super) fn written(anchor: &str, language: Language) -> String {
    format!("{}:", word(anchor.trim_end_matches(':'), language))
}

/// The word of an anchor, by its English one.
pub(super) fn word(english: &str, language: Language) -> &str {
    let [spanish, chinese] = match english {
        "STANCE" => ["POSTURA", "立场"],
        "AMOUNT" => ["CANTIDAD", "金额"],
        "OPINION" => ["OPINIÓN", "意见"],
        "STATEMENT" => ["INTERVENCIÓN", "发言"],
        "CHOICE" => ["ELECCIÓN", "选择"],
        "RANKING" => ["ORDEN", "排序"],
        "APPROVES" => ["APRUEBA", "赞成"],
        "SCORES" => ["NOTAS", "打分"],
        "POINTS" => ["PUNTOS", "分配"],
        "CERTAINTY" => ["CERTEZA", "确定程度"],
        "ANSWERS" => ["RESPUESTAS", "答案"],
        "REASONING" => ["RAZONES", "理由"],
        "URGENCY" => ["URGENCIA", "迫切程度"],
        "ANSWER" => ["RESPUESTA", "回答"],
        "NAME" => ["NOMBRE", "名字"],
        "RECOGNISED" => ["RECONOCIDO", "认出"],
        "WHICH" => ["CUÁL", "哪一个"],
        "APPEND" => ["AÑADIR", "添加"],
        "REPLACE" => ["REEMPLAZAR", "替换"],
        "WITH" => ["POR", "替换为"],
        "LOOK_UP" => ["BUSCAR", "查找"],
        "PAGE" => ["PÁGINA", "页面"],
        other => unreachable!("invariant: {other} is no anchor"),
    };
    language.pick([english, spanish, chinese])
}
