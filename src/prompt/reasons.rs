//! How seats are asked for the reasons of a ballot: built-in words, behind whatever a pack says of the form of replies. The Spanish and
//! Chinese ones were not read by a native speaker.

use crate::domain::{Language::*, Motion};
use crate::prompt::AnswerForm;
use crate::prompt::anchors::written;

/// What a model is told to add to its ballot; `chars_max` is the most characters that the reasons may have.
pub(super) fn words(motion: &Motion, form: AnswerForm, chars_max: u64) -> String {
    let anchor = written("REASONING:", motion.language);
    match (form, motion.language) {
        (AnswerForm::JsonSchema, En) => {
            format!("Add \"reasoning\" to it: your reasons, in at most {chars_max} characters. Nobody else reads them.")
        }
        (AnswerForm::JsonSchema, Es) => {
            format!("Añádale \"reasoning\": sus razones, en {chars_max} caracteres como máximo. Nadie más las lee.")
        }
        (AnswerForm::JsonSchema, Zh) => {
            format!("并在其中加入 \"reasoning\"：你的理由，最多 {chars_max} 个字符。没有其他人会读到。")
        }
        (AnswerForm::Anchored | AnswerForm::Typed, En) => {
            format!(
                "Put one more line after it:\n{anchor} (your reasons, in at most {chars_max} characters)\nNobody else reads them."
            )
        }
        (AnswerForm::Anchored | AnswerForm::Typed, Es) => {
            format!(
                "Ponga una línea más después:\n{anchor} (sus razones, en {chars_max} caracteres como máximo)\nNadie más las lee."
            )
        }
        (AnswerForm::Anchored | AnswerForm::Typed, Zh) => {
            format!("在其后再加一行：\n{anchor}（你的理由，最多 {chars_max} 个字符）\n没有其他人会读到。")
        }
    }
}
