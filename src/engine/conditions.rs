//! Conditions of phases and blocks: what follows from them.

use super::deliberation::Deliberation;
use super::stage::Stage;
use super::world::SessionWorld;
use crate::plan::{BlockSpan, Condition};

impl Deliberation<'_> {
    /// What a condition calls for before the phase of this place: that a block ends, or that a phase or block is left out. `Ok(None)`
    /// if the phase opens.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn check_gates(&self, place: usize) -> Result<Option<Stage>, String> {
        let blocks = &self.plan.blocks;
        // The blocks around groups go on when the last group is done, and those within groups in each.
        let is_here = |block: &BlockSpan| block.group == self.current_group();
        let held_by = |place: usize| {
            let held = self.plan.agenda[place].within.iter().map(|block| (*block, &blocks[*block]));
            held.filter(|(_, block)| is_here(block)).collect::<Vec<_>>()
        };
        let world = |place: usize, passes| {
            let phase = &self.plan.agenda[place];
            let group = phase.group.as_ref().filter(|_| self.side.is_some());
            SessionWorld { passes: &phase.passes[..passes], group, ..self.world_at(place) }
        };
        if let Some(last) = place.checked_sub(1) {
            for (position, block) in held_by(last).into_iter().rev().filter(|(_, block)| place < block.end) {
                if let Some(until) = &block.until
                    && self.holds(until, world(last, block.around + 1))?
                {
                    return Ok(Some(Stage::EndingLoop(last, position)));
                }
            }
        }
        let Some(phase) = self.plan.agenda.get(place) else { return Ok(None) };
        for (position, block) in held_by(place) {
            let pass = phase.passes.get(block.around).filter(|pass| pass.block == block.name);
            match pass.filter(|pass| pass.number > self.count_passes(pass)) {
                Some(_) if block.start == place => return Ok(Some(Stage::Skipping(place, block.end, Some(position)))),
                Some(_) => return Ok(Some(Stage::EndingLoop(place - 1, position))),
                None => {}
            }
            if let Some(when) = block.when.as_ref().filter(|_| block.start == place)
                && !self.holds(when, world(place, block.around))?
            {
                return Ok(Some(Stage::Skipping(place, block.end, Some(position))));
            }
        }
        if self.region_at(place).is_some() {
            return Ok(None);
        }
        match &phase.when {
            Some(when) if !self.holds(when, self.world_at(place))? => Ok(Some(Stage::Skipping(place, place + 1, None))),
            _ => {
                let is_empty = self.find_participants(place)?.is_some_and(|seats| seats.is_empty());
                Ok(is_empty.then_some(Stage::SkippingForNobody(place)))
            }
        }
    }

    /// Whether a discussion ends after a round because its condition holds.
    ///
    /// # Errors
    /// A message, if the condition has no value.
    pub(super) fn ends_after(&self, place: usize, round: u32) -> Result<bool, String> {
        match &self.discussion(place).until {
            Some(until) => self.holds(until, SessionWorld { round: Some(round), ..self.world_at(place) }),
            None => Ok(false),
        }
    }

    /// Whether a condition holds. A missing one does not.
    fn holds(&self, condition: &Condition, world: SessionWorld<'_, '_>) -> Result<bool, String> {
        match condition.assumed {
            Some(assumed) if self.may_be_set(condition) => Ok(assumed),
            _ => Ok(world.evaluate(&condition.formula)?.as_truth() == Some(true)),
        }
    }

    /// Whether something that a condition reads may have been set.
    fn may_be_set(&self, condition: &Condition) -> bool {
        let is_visited = |place: &usize| self.visited.binary_search(place).is_ok();
        condition.set_at.as_ref().is_none_or(|places| places.iter().any(is_visited))
    }
}
