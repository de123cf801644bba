//! The things for each of which a block takes place: words, or the texts that are live or the seats that are selected when it begins.

use std::sync::Arc;

use super::deliberation::Deliberation;
use super::order::{williams_row, williams_rows};
use super::world::SessionWorld;
use crate::chance::DrawPurpose;
use crate::domain::{SeatId, Step, TextId};
use crate::plan::{Formula, Pass, PassOrder, Thing};

impl Deliberation<'_> {
    /// Fixes the things of the blocks that begin at a place, in the order of their passes.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn fix_things(&mut self, place: usize) -> Result<(), String> {
        let Some(phase) = self.plan.agenda.get(place) else { return Ok(()) };
        for block in phase.within.iter().map(|block| &self.plan.blocks[*block]).filter(|block| block.start == place) {
            let Some(pass) = phase.passes.get(block.around).filter(|pass| pass.block == block.name) else { continue };
            let Some(thing) = &pass.thing else { continue };
            let (all, order): (Vec<u32>, PassOrder) = match thing {
                Thing::Times { times, assumed } => {
                    let world = SessionWorld { passes: &phase.passes[..block.around], ..self.world_at(place) };
                    let number = match assumed {
                        Some(number) => *number,
                        None => read_times(times, &world)?.min(pass.of),
                    };
                    ((0..number).collect(), PassOrder::Fixed)
                }
                Thing::Text { pool, order, .. } => {
                    let live = self.texts[*pool].list_live(phase.group.as_ref().map(|group| group.number));
                    (live.into_iter().map(|(id, _)| id.code()).collect(), *order)
                }
                Thing::Word { words, order, .. } => ((0..words.len() as u32).collect(), *order),
                Thing::Item { items, order, .. } => ((0..items.len() as u32).collect(), *order),
                Thing::Seat { seats, order, .. } => {
                    let mut selected = self.gathered_at(place);
                    // The pass is that of the blocks around.
                    let world = SessionWorld { passes: &phase.passes[..block.around], ..self.world_at(place) };
                    self.select_seats(seats, world, &mut selected)?;
                    (selected.into_iter().map(|seat| seat.0).collect(), *order)
                }
            };
            let at = self.moment(place, 0, Step::Order);
            let places: Vec<u32> = match order {
                PassOrder::Fixed => (0..all.len() as u32).collect(),
                PassOrder::Lot => self.seed.at_moment(DrawPurpose::Things, &at, 0).draw_order(all.len() as u32),
                PassOrder::Latin => {
                    let row = (self.replicate as usize - 1) % williams_rows(all.len());
                    williams_row(all.len(), row).into_iter().map(|place| place as u32).collect()
                }
            };
            let things = places.into_iter().map(|place| all[place as usize]).collect();
            self.things.insert(block.name.clone(), things);
        }
        Ok(())
    }

    /// The number of passes of a block that is known when it begins.
    pub(super) fn count_passes(&self, pass: &Pass) -> u32 {
        match &pass.thing {
            None => pass.of,
            Some(_) => self.things.get(&pass.block).map_or(pass.of, |things| things.len() as u32),
        }
    }

    /// The number of the thing of a pass: the code of a text, the position of a word, or a seat's.
    pub(super) fn thing_of(&self, pass: &Pass) -> Option<u32> {
        self.things.get(&pass.block)?.get(pass.number as usize - 1).copied()
    }

    /// What the passes of a phase take place for, outer ones first, except those that its name has; `None` if that is nothing.
    pub(super) fn name_thing(&self, place: usize) -> Option<String> {
        let unnamed = self.plan.agenda[place].passes.iter().filter(|pass| pass.label() == pass.number.to_string());
        let things = unnamed.filter_map(|pass| {
            let number = self.thing_of(pass)?;
            Some(match pass.thing.as_ref()? {
                Thing::Times { .. } => return None,
                Thing::Word { words, .. } => words[number as usize].clone(),
                Thing::Item { items, .. } => items[number as usize].id.clone(),
                Thing::Text { .. } => TextId::of_code(number).letter(),
                Thing::Seat { .. } => self.seat_name(SeatId(number)).to_string(),
            })
        });
        let things: Vec<String> = things.collect();
        (!things.is_empty()).then(|| things.join("."))
    }

    /// The word of a pass.
    pub(super) fn word_of(&self, pass: &Pass) -> Option<Arc<str>> {
        let Some(Thing::Word { words, .. }) = &pass.thing else { return None };
        words.get(self.thing_of(pass)? as usize).map(|word| word.as_str().into())
    }
}

/// The number of passes that an expression has; 0 if it is missing or negative.
fn read_times(times: &Formula, world: &SessionWorld<'_, '_>) -> Result<u32, String> {
    match world.evaluate(times)?.as_number() {
        Some(number) if number.is_negative() => Ok(0),
        Some(number) => match number.to_integer() {
            Some(whole) => Ok(u32::try_from(whole).unwrap_or(u32::MAX)),
            None => Err(format!("{number} is no number of passes, in `{}`", times.text)),
        },
        None => Ok(0),
    }
}
