//! Parts of events: what is done to memories.

use ekklesia::domain::*;
use proptest::option;
use proptest::prelude::*;

/// What is done to memories.
pub fn spared() -> impl Strategy<Value = Vec<Spared>> {
    let why = [SparedBecause::NothingToReplace, SparedBecause::ShortAlready, SparedBecause::FailedBefore];
    let one = (super::seat(), proptest::sample::select(why.to_vec())).prop_map(|(seat, why)| Spared { seat, why });
    proptest::collection::vec(one, 0..3)
}

pub fn acts() -> impl Strategy<Value = MemoryAct> {
    prop_oneof![
        option::of(any::<String>()).prop_map(|focus| MemoryAct::Compact { focus }),
        option::of("[a-z]{1,9}").prop_map(|phase| MemoryAct::Forget { phase: phase.map(|name| PhaseName::new(&name)) }),
    ]
}
