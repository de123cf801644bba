//! When a template is rendered, and so what it may read.

use std::collections::BTreeSet;

use crate::prompt::setting::Setting;
use crate::prompt::templates::{OPTIONAL, PART, TEMPLATES};

/// What may be read on every occasion.
const OF_SETTING: [&str; 4] = ["parameters", "pay", "rounds", "vote"];
/// What may be read wherever the motion is known.
const OF_MOTION: [&str; 5] = ["amount_max", "amount_min", "motion", "options", "unit"];
/// What may be read beside them in whatever belongs to a question.
const OF_QUESTION: [&str; 30] = [
    "alternative",
    "ask",
    "caller",
    "can_look_up",
    "can_page",
    "certainties",
    "chars_max",
    "chars_min",
    "fault",
    "focus",
    "form",
    "left_out",
    "marks",
    "name",
    "news",
    "notes",
    "own_proposals",
    "persona",
    "phase",
    "public_name",
    "questions",
    "round",
    "score_max",
    "situation",
    "taken",
    "talk",
    "ties",
    "truncated",
    "urgency_max",
    "words_max",
];
/// What the templates of a payment may read beside the motion and the setting.
const OF_PAYMENT: [&str; 8] = ["balance", "best", "choice", "class", "counterfactuals", "decided", "paid", "situation"];
/// What `test_result` may read beside the setting.
const OF_TEST: [&str; 4] = ["correct", "last_try", "of", "passed"];
/// What `countdown` may read beside the setting.
const OF_NOTICE: [&str; 1] = ["rounds_left"];
/// What `manipulation` may read beside the motion and the setting.
const OF_MANIPULATION: [&str; 1] = ["target"];
/// What a brief may read beside the motion and the setting.
const OF_BRIEF: [&str; 2] = ["picks", "situation"];

/// What templates may read of variables that are no plain values; of `parameters` it is what the scenario declares.
const FIELDS: [(&str, &[&str]); 8] = [
    ("alternative", &OPTION_FIELDS),
    ("best", &["income_shown", "pay"]),
    ("choice", &CHOICE_FIELDS),
    ("paid", &["income_shown", "lost", "pay", "shortfall_shown", "table"]),
    ("pay", &["application", "average", "settlement"]),
    ("situation", &["name", "tables", "weights", "weights_shown"]),
    ("target", &OPTION_FIELDS),
    (
        "vote",
        &[
            "ballots",
            "binding",
            "decides",
            "needed",
            "open",
            "otherwise",
            "roll_call",
            "rounds_min",
            "rule",
            "seats",
            "tolerance",
            "when",
        ],
    ),
];
const OPTION_FIELDS: [&str; 6] = ["id", "label", "name", "number", "status_quo", "takes_amount"];
const CHOICE_FIELDS: [&str; 8] =
    ["amount", "amount_shown", "id", "label", "name", "number", "status_quo", "takes_amount"];

/// When a template is rendered, and so what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// A question is put.
    Question,
    /// A seat was paid.
    Payment,
    /// A seat was tested.
    Test,
    /// Rounds run out.
    Notice,
    /// A seat is privately told what to push.
    Manipulation,
    /// The facilitator speaks.
    Brief,
    /// Another template includes it.
    Part,
}

impl Occasion {
    pub(super) fn of(template: &str) -> Self {
        match template {
            "payment" | "settlement" => Occasion::Payment,
            "test_result" => Occasion::Test,
            "countdown" => Occasion::Notice,
            "manipulation" => Occasion::Manipulation,
            part if part.starts_with(PART) => Occasion::Part,
            known if TEMPLATES.contains(&known) || OPTIONAL.contains(&known) => Occasion::Question,
            _ => Occasion::Brief,
        }
    }

    /// What templates may read on this occasion, in order. A part may read whatever some occasion has: what is missing
    /// where it is included, the rehearsal finds.
    pub(super) fn variables(self) -> Vec<&'static str> {
        let own: &[&[&str]] = match self {
            Occasion::Question => &[&OF_MOTION, &OF_QUESTION],
            Occasion::Payment => &[&OF_MOTION, &OF_PAYMENT],
            Occasion::Test => &[&OF_TEST],
            Occasion::Notice => &[&OF_NOTICE],
            Occasion::Manipulation => &[&OF_MOTION, &OF_MANIPULATION],
            Occasion::Brief => &[&OF_MOTION, &OF_BRIEF],
            Occasion::Part => {
                &[&OF_MOTION, &OF_QUESTION, &OF_PAYMENT, &OF_TEST, &OF_NOTICE, &OF_MANIPULATION, &OF_BRIEF]
            }
        };
        let all: BTreeSet<&str> = own.iter().copied().flatten().chain(&OF_SETTING).copied().collect();
        Vec::from_iter(all)
    }
}

/// Whether a template of a brief may read a variable.
pub fn is_read_by_briefs(variable: &str) -> bool {
    Occasion::Brief.variables().contains(&variable)
}

/// The fields of a variable that is no plain value.
pub(super) fn fields<'a>(variable: &str, setting: &Setting<'a>) -> Option<Vec<&'a str>> {
    if variable == "parameters" {
        return Some(setting.parameters.iter().map(|(name, _)| name.as_str()).collect());
    }
    FIELDS.iter().find(|(name, _)| *name == variable).map(|(_, fields)| fields.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_lists_every_variable() {
        let reference = include_str!("../../docs/src/reference/scenario.md");
        let (_, reference) = reference.split_once("Every template may read").unwrap();
        let all = OF_SETTING.iter().chain(&OF_MOTION).chain(&OF_QUESTION).chain(&OF_PAYMENT).chain(&OF_TEST);
        let all = all.chain(&OF_NOTICE).chain(&OF_MANIPULATION).chain(&OF_BRIEF);
        let missing: Vec<&&str> = all.filter(|name| !reference.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
