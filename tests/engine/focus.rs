//! What a seat is told to keep when it makes its memory shorter: the policy's focus, or that of the intervention which has it done.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::{Arc, Mutex};

use crate::fixtures::trial::{Kept, go_on_with, plan};
use ekklesia::adapters::seating::Seating;
use ekklesia::domain::{Answer, Ask, Outage, Query};
use ekklesia::engine::Deliberation;
use ekklesia::ports::Backend;
use futures::FutureExt;
use futures::future::BoxFuture;

/// Minds, and by round what each was told to keep.
struct Heard<'m> {
    minds: &'m Seating,
    told: Mutex<Vec<(u32, Option<String>)>>,
}

impl Backend for Heard<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        if let Ask::Compression { focus, .. } = &query.ask {
            self.told.lock().unwrap().push((query.id.at.round, focus.as_ref().map(ToString::to_string)));
        }
        self.minds.answer(query).boxed()
    }
}

/// What the seats of four rounds of talk were told to keep, with the round.
fn told(policy: &str, limit: u32, more: &str) -> Vec<(u32, Option<String>)> {
    let plan = plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 4, order: fixed, vote: at_end }}
memory: {{ policy: {policy}, memory_character_limit: {limit}, history_in_brief: none }}
{more}
"
    ));
    let mut deliberation = Deliberation::convene(&plan, 1);
    let minds = Seating::new(Arc::clone(&plan), *deliberation.seed(), None);
    let heard = Heard { minds: &minds, told: Mutex::default() };
    go_on_with(&mut deliberation, &heard, &mut Kept::default()).unwrap();
    heard.told.into_inner().unwrap()
}

#[test]
fn every_policy_that_makes_memories_shorter_tells_its_focus_and_no_other() {
    for (policy, focus) in [
        ("selective", None),
        ("{ selective: {} }", None),
        ("{ selective: { focus: \" who pays \" } }", Some("who pays")),
        ("{ compact: { focus: who pays } }", Some("who pays")),
        ("{ compact: {} }", None),
        ("{ digest: { every: 3, focus: who pays } }", Some("who pays")),
        ("{ digest: { every: 3 } }", None),
    ] {
        let told = told(policy, 400, "");
        assert!(!told.is_empty(), "{policy}");
        assert!(told.iter().all(|(_, heard)| heard.as_deref() == focus), "{policy}: {told:?}");
    }
}

#[test]
fn a_facilitators_focus_stands_in_the_place_of_the_policys_for_once() {
    let compact = "interventions: [{ at: { phase: discussion, round: 3 }, compact: { focus: who promised } }]";
    let told = told("{ selective: { focus: who pays } }", 900, compact);
    let promised: Vec<u32> =
        told.iter().filter(|(_, focus)| focus.as_deref() == Some("who promised")).map(|(round, _)| *round).collect();
    assert_eq!(promised, [3, 3, 3], "{told:?}");
    assert!(told.len() > 3 && told.iter().all(|(_, focus)| focus.is_some()), "{told:?}");
}
