//! Assigns personas from pools and traits of minds to the seats of a session.
//!
//! Personas are drawn by replicate alone, so that arms whose seats draw from the same pools seat the same people.

use super::{Persona, PersonaPool, Plan, Sitter};
use crate::chance::{DrawPurpose, Draws, Pairing, session_seed};
use crate::domain::{Agent, Links, Moment, QuestionId, SeatId, SeatName, Seated, Step};

impl Plan {
    /// The persona drawn for each seat in a replicate, as a position in the seat's pool; `None` if none is drawn.
    ///
    /// Each pool's personas are put in random order, and its seats take them in the order of the plan. A seat added at the end
    /// changes no other seat's persona. A persona added at the end of the file does so only if its draw puts it before others.
    ///
    /// If a pool has strata, its seats are first apportioned to them (by largest remainders), and each stratum's personas are
    /// taken in the random order. The stratum of each seat is drawn, too, so that no seat is bound to a stratum. A seat added at
    /// the end then changes at most one other seat, and one more if a stratum loses a seat.
    pub fn draw_personas(&self, replicate: u32) -> Vec<Option<usize>> {
        let seed = session_seed(self.seed, self.drawn_replicate(replicate), Pairing::CommonRandomNumbers, "");
        let mut drawn = vec![None; self.seats.len()];
        for (place, pool) in self.pools.iter().enumerate() {
            let at = Moment::outside_phases(Step::Convening);
            // The pool's name takes the place of a seat's name: draws of pools are independent of their order in the config.
            let lots = QuestionId { at, seat: SeatName::new(&pool.name), attempt: 0 };
            let size = u32::try_from(pool.personas.len()).expect("invariant: a file holds fewer than 2³² rows");
            let order = seed.at_question(DrawPurpose::Persona, &lots, 0).draw_order(size);
            let drawing = self.seats.iter().enumerate().filter(|(_, seat)| seat.pool == Some(place));
            let drawing: Vec<usize> = drawing.map(|(seat, _)| seat).collect();
            let taken = match pool.strata.is_empty() {
                true => order.into_iter().map(|persona| persona as usize).take(drawing.len()).collect(),
                false => {
                    let streams = [1, 2].map(|item| seed.at_question(DrawPurpose::Persona, &lots, item));
                    by_strata(&pool.strata, &order, drawing.len(), streams)
                }
            };
            for (seat, persona) in drawing.into_iter().zip(taken) {
                drawn[seat] = Some(persona);
            }
        }
        drawn
    }

    /// The agents of a replicate, with the texts of drawn personas.
    pub fn agents(&self, replicate: u32) -> Vec<Agent> {
        let drawn = self.draw_personas(replicate);
        self.build_agents(|seat, pool| pool.personas.get(drawn[seat]?))
    }

    /// The agents with the longest personas that may be drawn.
    pub fn longest_agents(&self) -> Vec<Agent> {
        self.build_agents(|_, pool| pool.personas.iter().max_by_key(|persona| persona.text.len()))
    }

    /// The agents, with the persona that is picked for each seat from its pool, and with the instructions of their roles.
    fn build_agents<'p>(&'p self, pick: impl Fn(usize, &'p PersonaPool) -> Option<&'p Persona>) -> Vec<Agent> {
        let agents = self.seats.iter().enumerate().map(|(place, seat)| {
            let mut agent = seat.agent.clone();
            if let Some(pool) = seat.pool {
                agent.persona = pick(place, &self.pools[pool]).map(|persona| persona.text.clone());
            }
            seat.add_instructions(&mut agent);
            agent
        });
        agents.collect()
    }

    /// The seats of a replicate whose persona was drawn or whose mind has traits; with links, all seats, and whom they hear.
    pub fn seat_assignments(&self, replicate: u32, links: Option<&Links>) -> Vec<Seated> {
        let name = |seat: &SeatId| self.seats[seat.index()].name.clone();
        let seed = self.session_seed(replicate);
        let drawn = self.draw_personas(replicate);
        let seated = (0..).map(SeatId).zip(self.seats.iter().zip(drawn)).map(|(id, (seat, drawn))| Seated {
            seat: seat.name.clone(),
            persona: seat.pool.zip(drawn).map(|(pool, place)| self.pools[pool].personas[place].id.clone()),
            traits: match &seat.sitter {
                Sitter::Mind(mind) => mind.draw_traits(&seed, &seat.name),
                Sitter::Model(_) | Sitter::Person(_) => Vec::new(),
            },
            hears: links.map(|links| links.heard_by(id).iter().map(name).collect()),
            name: None,
        });
        let is_drawn =
            |seated: &Seated| seated.persona.is_some() || !seated.traits.is_empty() || seated.hears.is_some();
        seated.filter(is_drawn).collect()
    }
}

/// Draws a persona for each of `seats` seats, so that every stratum has its quota; `order` is the random order of all personas.
///
/// Seats are added one by one, each time with the quotas for the new number of seats. The new seat takes the stratum's gain, then
/// changes places with one drawn from all seats, including itself: the inside-out shuffle, Durstenfeld 1964, "Algorithm 235",
/// CACM 7(7). So every seat has the same probability of each stratum.
fn by_strata(strata: &[usize], order: &[u32], seats: usize, [mut ties, mut places]: [Draws; 2]) -> Vec<usize> {
    let mut lots: Vec<Vec<usize>> = vec![Vec::new(); strata.iter().max().map_or(0, |last| last + 1)];
    order.iter().for_each(|persona| lots[strata[*persona as usize]].push(*persona as usize));
    let sizes: Vec<u64> = lots.iter().map(|lots| lots.len() as u64).collect();
    let ties: Vec<u64> = sizes.iter().map(|_| ties.next_bits()).collect();
    let mut taken: Vec<usize> = Vec::with_capacity(seats);
    let mut before = vec![0; sizes.len()];
    for count in 1..=seats.min(order.len()) {
        let quotas = stratum_quotas(&sizes, count as u64, &ties);
        let gains = quotas.iter().zip(&before).enumerate();
        let mut gains: Vec<usize> =
            gains.flat_map(|(stratum, (now, was))| lots[stratum][(*was).min(*now)..*now].iter().copied()).collect();
        for (stratum, (now, was)) in quotas.iter().zip(&before).enumerate() {
            for lost in &lots[stratum][(*now).min(*was)..*was] {
                let seat = taken.iter().position(|persona| persona == lost);
                let gain = gains.pop().expect("invariant: one seat more is gained than lost");
                taken[seat.expect("invariant: what a stratum has is seated")] = gain;
            }
        }
        taken.push(gains.pop().expect("invariant: one seat more is gained than lost"));
        // `count` fits into 64 bits.
        taken.swap(places.draw_below(count as u64) as usize, count - 1);
        before = quotas;
    }
    taken
}

/// The number of `seats` seats for each stratum by the method of largest remainders (Hare and Niemeyer; Balinski and Young 1982,
/// "Fair Representation"): the stratum's share of all personas, rounded down. The remaining seats go to the strata with the
/// largest remainders; lower `ties` break ties. So every quota differs from the exact share by less than one seat, and no stratum
/// has more seats than personas.
fn stratum_quotas(sizes: &[u64], seats: u64, ties: &[u64]) -> Vec<usize> {
    let all: u64 = sizes.iter().sum();
    // There are fewer than 2³² personas and seats, so products do not overflow.
    let mut quotas: Vec<usize> = sizes.iter().map(|size| (size * seats / all) as usize).collect();
    let mut by_remainder: Vec<usize> = (0..sizes.len()).collect();
    by_remainder.sort_by_key(|stratum| (std::cmp::Reverse(sizes[*stratum] * seats % all), ties[*stratum], *stratum));
    let left = seats as usize - quotas.iter().sum::<usize>();
    by_remainder.into_iter().take(left).for_each(|stratum| quotas[stratum] += 1);
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawn(strata: &[usize], seats: usize, key: [u8; 32]) -> Vec<usize> {
        let stream = |item: u8| {
            let mut key = key;
            key[31] = item;
            Draws::from_key(key)
        };
        let order = stream(0).draw_order(strata.len() as u32);
        by_strata(strata, &order, seats, [stream(1), stream(2)])
    }

    fn key(number: u32) -> [u8; 32] {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&number.to_le_bytes());
        key
    }

    fn sizes(strata: &[usize]) -> Vec<u64> {
        let count = strata.iter().max().map_or(0, |last| last + 1);
        (0..count).map(|stratum| strata.iter().filter(|of| **of == stratum).count() as u64).collect()
    }

    /// Personas in up to five strata, none of them empty, and a number of seats that they can fill.
    fn pools() -> impl Strategy<Value = (Vec<usize>, usize)> {
        proptest::collection::vec(1usize..9, 1..6).prop_flat_map(|sizes| {
            let strata: Vec<usize> = sizes.iter().enumerate().flat_map(|(s, size)| vec![s; *size]).collect();
            let most = strata.len();
            (Just(strata).prop_shuffle(), 0..=most)
        })
    }

    #[test]
    fn quotas_are_those_of_the_alabama_paradox() {
        // The textbook case of the method of largest remainders: with one seat more, D and E lose one each.
        let (sizes, ties) = ([1500, 1500, 900, 500, 500, 200], [0; 6]);
        assert_eq!(stratum_quotas(&sizes, 25, &ties), [7, 7, 4, 3, 3, 1]);
        assert_eq!(stratum_quotas(&sizes, 26, &ties), [8, 8, 5, 2, 2, 1]);
    }

    #[test]
    fn equal_remainders_go_by_lot() {
        assert_eq!(stratum_quotas(&[2, 2], 1, &[7, 3]), [0, 1]);
        assert_eq!(stratum_quotas(&[2, 2], 3, &[3, 7]), [2, 1]);
    }

    #[test]
    fn every_persona_of_a_stratum_and_every_seat_has_the_same_chance() {
        let strata = [0, 1, 0, 1, 0, 0, 1, 0];
        let (mut personas, mut first_stratum) = ([0u32; 8], [0u32; 3]);
        for number in 0..6_000 {
            for (seat, persona) in drawn(&strata, 3, key(number)).into_iter().enumerate() {
                personas[persona] += 1;
                first_stratum[seat] += u32::from(strata[persona] == 0);
            }
        }
        // Two of five and one of three; a binomial share of 6 000 is within 0.04 of these but once in ten billion.
        for (persona, stratum) in strata.iter().enumerate() {
            let expected = [2_400, 2_000][*stratum];
            assert!(personas[persona].abs_diff(expected) < 240, "{personas:?}");
        }
        assert!(first_stratum.iter().all(|count| count.abs_diff(4_000) < 240), "{first_stratum:?}");
    }

    proptest! {
        #[test]
        fn every_stratum_has_its_share_rounded_and_no_persona_sits_twice((strata, seats) in pools(), key: [u8; 32]) {
            let drawn = drawn(&strata, seats, key);
            prop_assert_eq!(drawn.len(), seats);
            let mut once = drawn.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), seats);
            let sizes = sizes(&strata);
            let seated: Vec<u64> =
                (0..sizes.len()).map(|of| drawn.iter().filter(|persona| strata[**persona] == of).count() as u64).collect();
            let (all, seats) = (strata.len() as u64, seats as u64);
            for (size, seated) in sizes.iter().zip(&seated) {
                prop_assert!((seated * all).abs_diff(size * seats) < all);
                prop_assert!(seated <= size);
            }
            // Nobody who got a seat more than the share rounded down had a smaller remainder than somebody who did not.
            let remainder = |of: usize| sizes[of] * seats % all;
            let (more, less): (Vec<usize>, Vec<usize>) =
                (0..sizes.len()).partition(|of| seated[*of] > sizes[*of] * seats / all);
            prop_assert!(more.iter().all(|more| less.iter().all(|less| remainder(*more) >= remainder(*less))));
        }

        #[test]
        fn a_seat_more_moves_one_other_and_those_that_a_stratum_loses((strata, seats) in pools(), key: [u8; 32]) {
            prop_assume!(seats < strata.len());
            let (before, after) = (drawn(&strata, seats, key), drawn(&strata, seats + 1, key));
            let count = |drawn: &[usize], of: usize| drawn.iter().filter(|persona| strata[**persona] == of).count();
            let lost: usize =
                (0..sizes(&strata).len()).map(|of| count(&before, of).saturating_sub(count(&after, of))).sum();
            let moved = before.iter().zip(&after).filter(|(before, after)| before != after).count();
            prop_assert!(moved <= 1 + lost, "{before:?} {after:?}");
        }
    }
}
