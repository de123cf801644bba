//! Open columns: one per factor, trait, attribute and alternative of any arm.

use crate::domain::{Holder, PhaseName};

/// The names behind the open columns of all tables. Each list has a fixed order and no duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnLayout {
    /// The factors of the design, in order: `arm_<factor>`.
    pub factors: Vec<String>,
    /// The traits of minds, in order of first use by arms and seats: `trait_<name>`.
    pub traits: Vec<String>,
    /// The attributes of personas, in order of first use by arms and pools: `attr_<name>`.
    pub attributes: Vec<String>,
    /// The alternatives, in order of first use by arms: `share_<name>` and the shares of the straw polls.
    pub alternatives: Vec<String>,
    /// The ranked alternatives, in order of first use by arms: `first_rank_<name>`, `last_rank_<name>`.
    pub ranked: Vec<String>,
    /// The fields of forms, in order of first use by arms: `ans_<phase>_<field>`.
    pub answers: Vec<AnswerColumn>,
    /// Those of them that have a right answer: `correct_<phase>_<field>`.
    pub keyed: Vec<AnswerColumn>,
    /// The variables, in order of first use by arms: `var_<name>`.
    pub variables: Vec<VariableColumn>,
}

/// The name of the column of a field; a `-` in the name of the phase is a `_`, as R would read it.
pub fn name_answer_column(phase: &str, field: &str) -> String {
    format!("ans_{}_{field}", phase.replace('-', "_"))
}

/// The name of the column that says whether the answer to a field is right.
pub fn name_correct_column(phase: &str, field: &str) -> String {
    format!("correct_{}_{field}", phase.replace('-', "_"))
}

/// The name of the column of a variable.
pub fn name_variable_column(name: &str) -> String {
    format!("var_{name}")
}

/// Which of several numbers a session has in the column of a variable or field that a repeated block sets or asks more than once.
pub fn describe_repeated_column(column: &str) -> &'static str {
    if column.starts_with(&name_variable_column("")) { "as last set" } else { "as last answered" }
}

/// A variable as a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableColumn {
    /// Its name.
    pub name: String,
    /// What has a value of it.
    pub of: Holder,
    /// Whether its values are numbers, or yes and no.
    pub is_number: bool,
}

impl VariableColumn {
    /// The name of the column.
    pub fn column_name(&self) -> String {
        name_variable_column(&self.name)
    }
}

/// A field of a form as a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerColumn {
    /// The phase that asks the form, as it is written.
    pub phase: String,
    /// The id of the field.
    pub field: String,
    /// Whether its answers are numbers, or yes and no.
    pub is_number: bool,
}

impl AnswerColumn {
    /// The name of the column.
    pub fn name(&self) -> String {
        name_answer_column(&self.phase, &self.field)
    }

    /// The name of the column that says whether the answer is right.
    pub fn correct_name(&self) -> String {
        name_correct_column(&self.phase, &self.field)
    }
}

impl ColumnLayout {
    /// The place of a field among the answers; `None` if there is no such column.
    pub fn find_answer(&self, phase: &PhaseName, field: &str) -> Option<usize> {
        self.answers.iter().position(|column| column.phase == phase.written() && column.field == field)
    }

    /// Appends the names that another arm adds.
    pub fn merge(&mut self, other: &ColumnLayout) {
        append_new(&mut self.factors, &other.factors);
        append_new(&mut self.traits, &other.traits);
        append_new(&mut self.attributes, &other.attributes);
        append_new(&mut self.alternatives, &other.alternatives);
        append_new(&mut self.ranked, &other.ranked);
        append_new(&mut self.answers, &other.answers);
        append_new(&mut self.keyed, &other.keyed);
        append_new(&mut self.variables, &other.variables);
    }
}

fn append_new<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_add_only_what_is_new() {
        let traits = |names: &[&str]| ColumnLayout {
            traits: names.iter().map(|name| (*name).to_owned()).collect(),
            ..ColumnLayout::default()
        };
        let mut layout = traits(&["fairness", "precision"]);
        layout.merge(&traits(&["copy", "precision"]));
        assert_eq!(layout, traits(&["fairness", "precision", "copy"]));
    }
}
