//! The columns that an experiment decides: one for each factor, trait, attribute and alternative of any of its arms.

/// The names behind the open columns of all tables, each list in a fixed order and without doubles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnLayout {
    /// The factors of the design, in its order: `arm_<factor>`.
    pub factors: Vec<String>,
    /// The traits of minds, in the order in which arms and seats first name them: `trait_<name>`.
    pub traits: Vec<String>,
    /// The attributes of personas, in the order in which arms and pools first name them: `attr_<name>`.
    pub attributes: Vec<String>,
    /// The alternatives, in the order in which arms first name them: `share_<name>` and the shares of the straw polls.
    pub alternatives: Vec<String>,
    /// The alternatives that are ranked, in the order in which arms first name them: `first_rank_<name>`, `last_rank_<name>`.
    pub ranked: Vec<String>,
}

impl ColumnLayout {
    /// Takes in what another arm adds, after what is there.
    pub fn merge(&mut self, other: &ColumnLayout) {
        let lists = [
            (&mut self.factors, &other.factors),
            (&mut self.traits, &other.traits),
            (&mut self.attributes, &other.attributes),
            (&mut self.alternatives, &other.alternatives),
            (&mut self.ranked, &other.ranked),
        ];
        for (names, more) in lists {
            for name in more {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
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
