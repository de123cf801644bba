//! What seats learn of each other otherwise than by what is said and counted.

use super::{Phase, PhaseKind, Plan, Thing};
use crate::domain::PhaseName;
use crate::prompt::{LiveText, PUBLIC};

impl Plan {
    /// The first phase in which seats learn of each other otherwise than by statements, counts and polls, and how; `None` if there is none.
    pub fn find_other_words(&self) -> Option<(&PhaseName, &'static str)> {
        let names_others = |phase: &Phase, live: &LiveText| {
            let is_word = |name: &String| {
                let things = phase.passes.iter().filter_map(|pass| pass.thing.as_ref());
                things.into_iter().any(|thing| matches!(thing, Thing::Word { name: word, .. } if word == name))
            };
            live.names.iter().any(|name| !is_word(name))
        };
        let others = |phase: &Phase, live: &LiveText| {
            names_others(phase, live)
                || !live.group_values.is_empty()
                || live.attributes.iter().any(|attribute| !PUBLIC.contains(&attribute.as_str()))
        };
        self.agenda.iter().find_map(|phase| {
            let how = match &phase.kind {
                PhaseKind::Brief { live: Some(live), .. } if others(phase, live) => {
                    "the brief prints values of the session"
                }
                PhaseKind::Form(_) if phase.heard_by.is_some() => "others hear the answers",
                PhaseKind::Form(form) if !form.kept.is_empty() => "others read the texts that are kept",
                PhaseKind::Form(form) if form.live.iter().any(|(_, live)| names_others(phase, live)) => {
                    "the question prints values of the session"
                }
                _ => return None,
            };
            Some((&phase.name, how))
        })
    }
}
