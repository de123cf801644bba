//! Who sits where in a session: personas drawn from pools, and traits drawn for minds.
//!
//! Personas are drawn by replicate alone, so that every arm seats the same people.

use super::{Plan, Sitter};
use crate::chance::{Pairing, Purpose, session_seed};
use crate::domain::{Agent, Moment, PhaseName, QuestionId, SeatName, Seated, Step};

impl Plan {
    /// For each seat the persona drawn for a replicate, as a position in the seat's pool; `None` where none is drawn.
    ///
    /// Each pool's personas are put in an order by lot; its drawing seats take them in the order of the plan. A seat added at
    /// the end moves no other seat's persona, and neither does a persona added at the end of the file unless its lot is lower.
    pub fn personas(&self, replicate: u32) -> Vec<Option<usize>> {
        let seed = session_seed(self.seed, replicate, Pairing::CommonRandomNumbers, "");
        let mut drawn = vec![None; self.seats.len()];
        for (place, pool) in self.pools.iter().enumerate() {
            let at = Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Convening };
            // The pool stands where a seat's name would: pools draw apart, whatever their order in the config.
            let lots = QuestionId { at, seat: SeatName::new(&pool.name), attempt: 0 };
            let size = u32::try_from(pool.personas.len()).expect("invariant: a file holds fewer than 2³² rows");
            let order = seed.at(Purpose::Persona, &lots, 0).lots(size);
            let drawing = self.seats.iter().enumerate().filter(|(_, seat)| seat.pool == Some(place));
            for ((seat, _), persona) in drawing.zip(order) {
                drawn[seat] = Some(persona as usize);
            }
        }
        drawn
    }

    /// Who sits on each seat in a replicate, with the words of drawn personas.
    pub fn agents(&self, replicate: u32) -> Vec<Agent> {
        let drawn = self.personas(replicate);
        let agents = self.seats.iter().zip(drawn).map(|(seat, drawn)| {
            let mut agent = seat.agent.clone();
            if let (Some(pool), Some(persona)) = (seat.pool, drawn) {
                agent.persona = Some(self.pools[pool].personas[persona].text.clone());
            }
            agent
        });
        agents.collect()
    }

    /// Every seat of a replicate whose persona was drawn or whose mind has traits.
    pub fn seated(&self, replicate: u32) -> Vec<Seated> {
        let seed = session_seed(self.seed, replicate, self.pairing, &self.arm);
        let drawn = self.personas(replicate);
        let seated = self.seats.iter().zip(drawn).map(|(seat, drawn)| Seated {
            seat: seat.name.clone(),
            persona: seat.pool.zip(drawn).map(|(pool, place)| self.pools[pool].personas[place].id.clone()),
            traits: match &seat.sitter {
                Sitter::Mind(mind) => mind.traits(&seed, &seat.name),
                Sitter::Model(_) => Vec::new(),
            },
        });
        seated.filter(|seated| seated.persona.is_some() || !seated.traits.is_empty()).collect()
    }
}
