//! How seats are told to put their opinion into a number: built-in words, behind whatever a pack says of the form of replies.
//!
//! The number is of the first of two alternatives in the scenario's order, whatever the order in which they are shown.

use crate::domain::{AlternativeId, Language::*, Motion};
use crate::prompt::AnswerForm;
use crate::prompt::anchors::written;

/// What the number means.
///
/// # Panics
/// When the motion has not two alternatives.
pub(super) fn meaning(motion: &Motion) -> String {
    let [first, second] = [0, 1].map(|place| motion.said(AlternativeId(place)));
    match motion.language {
        En => format!(
            "a whole number from 0 to 100 that says where you stand: 100 is wholly for \"{first}\", 0 wholly for \"{second}\", 50 undecided"
        ),
        Es => format!(
            "un número entero de 0 a 100 que indica su posición: 100 es totalmente a favor de «{first}», 0 totalmente a favor de «{second}», 50 indeciso"
        ),
        Zh => format!(
            "一个 0 到 100 的整数，表示你的立场：100 表示完全支持“{first}”，0 表示完全支持“{second}”，50 表示未决定"
        ),
    }
}

/// What a model is told to add to its reply.
///
/// # Panics
/// As [`meaning`].
pub(super) fn words(motion: &Motion, form: AnswerForm) -> String {
    let meaning = meaning(motion);
    let anchor = written("OPINION:", motion.language);
    match (form, motion.language) {
        (AnswerForm::JsonSchema, En) => format!("Add \"opinion\" to it: {meaning}."),
        (AnswerForm::JsonSchema, Es) => format!("Añádale \"opinion\": {meaning}."),
        (AnswerForm::JsonSchema, Zh) => format!("并在其中加入 \"opinion\"：{meaning}。"),
        (AnswerForm::Anchored | AnswerForm::Typed, En) => {
            format!("Put one more line before any other:\n{anchor} (a whole number from 0 to 100)\nIt is {meaning}.")
        }
        (AnswerForm::Anchored | AnswerForm::Typed, Es) => {
            format!("Ponga una línea más antes de las demás:\n{anchor} (un número entero de 0 a 100)\nEs {meaning}.")
        }
        (AnswerForm::Anchored | AnswerForm::Typed, Zh) => {
            format!("在其他各行之前再加一行：\n{anchor}（0 到 100 的整数）\n它是{meaning}。")
        }
    }
}
