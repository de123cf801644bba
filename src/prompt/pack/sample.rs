//! A motion and agents to rehearse templates on: with and without what a scenario may leave out.

use crate::domain::{Agent, Alternative, AlternativeName, Motion};

pub(super) fn motion() -> Motion {
    let alternative = |name: &str, status_quo| Alternative {
        name: AlternativeName::new(name),
        label: format!("the label of {name}"),
        status_quo,
        takes_amount: false,
    };
    Motion {
        text: "a sample question?".to_owned(),
        alternatives: vec![alternative("for", false), alternative("against", true)],
        amount_max: None,
    }
}

pub(super) fn agents() -> [Agent; 2] {
    [
        Agent { name: "Alice".to_owned(), public_name: "Alice".to_owned(), persona: None },
        Agent {
            name: "Bob".to_owned(),
            public_name: "Participant 2".to_owned(),
            persona: Some("A sample persona.".to_owned()),
        },
    ]
}
