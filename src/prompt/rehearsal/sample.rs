//! Agents and a situation to rehearse templates on: with and without what a scenario may leave out.

use crate::domain::{Agent, Situation};

/// The sample of the original experiment: five classes, four tables.
pub(in crate::prompt) fn situation() -> Situation {
    Situation {
        name: "sample".to_owned(),
        weights_ppm: [50_000, 100_000, 500_000, 250_000, 100_000],
        tables: vec![
            [32_000, 27_000, 24_000, 13_000, 12_000],
            [28_000, 22_000, 20_000, 17_000, 13_000],
            [31_000, 24_000, 21_000, 16_000, 14_000],
            [21_000, 20_000, 19_000, 16_000, 15_000],
        ],
        weights_shown: false,
    }
}

pub(in crate::prompt) fn agents() -> [Agent; 2] {
    [
        Agent { name: "Alice".to_owned(), public_name: "Alice".to_owned(), persona: None },
        Agent {
            name: "Bob".to_owned(),
            public_name: "Participant 2".to_owned(),
            persona: Some("A sample persona.".to_owned()),
        },
    ]
}
