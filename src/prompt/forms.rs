//! How to reply, in the program's own words, where a scenario's template cannot know: to a form, and to what is asked of a motion of
//! which an amount alone is decided. The templates `form_json` and `form_anchored` say the rest.

use crate::domain::{Ask, Language, Motion, Step};
use crate::prompt::AnswerForm;
use crate::prompt::anchors::written;
use crate::prompt::asked::write_reply_form;
use crate::prompt::form::{TextRoom, build_form};

/// How to reply to a question in a form; `None` where the scenario's template says it. Texts are told to fit into the room.
pub(super) fn built_in(ask: &Ask, motion: &Motion, (form, room): (AnswerForm, TextRoom)) -> Option<String> {
    if ask.form_asked().is_some() {
        return Some(write_reply_form(&build_form(ask, motion, room), form));
    }
    motion.only()?;
    let (language, is_json) = (motion.language, form == AnswerForm::JsonSchema);
    match ask.step() {
        Step::Statement if ask.options().is_empty() => None,
        Step::Statement if is_json => {
            let (form, also) = statement_in_json(language);
            Some(format!("{form}{}", if ask.reads_marks() { also } else { "" }))
        }
        Step::Statement => Some(statement_in_lines(language)),
        Step::StrawPoll | Step::Ballot | Step::Amount if is_json => Some(match language {
            Language::En => r#"Reply in JSON: {"amount": …}, a whole number."#.to_owned(),
            Language::Es => r#"Responda en JSON: {"amount": …}; un número entero."#.to_owned(),
            Language::Zh => r#"请用 JSON 回复：{"amount": …}，填一个整数。"#.to_owned(),
        }),
        Step::StrawPoll | Step::Ballot | Step::Amount => {
            let anchor = written("AMOUNT:", language);
            Some(match language {
                Language::En => format!("Reply in one line:\n{anchor} (a whole number)"),
                Language::Es => format!("Responda en una línea:\n{anchor} (un número entero)"),
                Language::Zh => format!("请用一行回复：\n{anchor}（一个整数）"),
            })
        }
        _ => None,
    }
}

/// How a statement is replied, and how its marks are.
fn statement_in_json(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::En => (
            r#"Reply in JSON: {"statement": "…", "amount": …}, the amount being the whole number you favour or null"#,
            r##"; and, if you like, "marks": [{"mark": "support", "to": "#2.1"}], a mark being proposal, support, oppose or decision, and "to" a number or null"##,
        ),
        Language::Es => (
            r#"Responda en JSON: {"statement": "…", "amount": …}; "statement" son sus palabras y "amount" es el número entero que prefiere o null"#,
            r##"; y, si quiere, "marks": [{"mark": "apoyo", "to": "#2.1"}], donde una marca es propuesta, apoyo, rechazo o decisión, y "to" es un número o null"##,
        ),
        Language::Zh => (
            r#"请用 JSON 回复：{"statement": "…", "amount": …}，"statement" 是你的话，"amount" 是你倾向的整数或 null"#,
            r##"；如果你愿意，还可以写 "marks": [{"mark": "支持", "to": "#2.1"}]，标记是提案、支持、反对或决定，"to" 是编号或 null"##,
        ),
    }
}

fn statement_in_lines(language: Language) -> String {
    let (amount, words) = (written("AMOUNT:", language), written("STATEMENT:", language));
    match language {
        Language::En => {
            format!("Reply in two lines:\n{amount} (the whole number you favour, or none)\n{words} (your words)")
        }
        Language::Es => format!(
            "Responda en dos líneas:\n{amount} (el número entero que prefiere, o ninguno)\n{words} (sus palabras)"
        ),
        Language::Zh => format!("请用两行回复：\n{amount}（你倾向的整数，或写 无）\n{words}（你的话）"),
    }
}
