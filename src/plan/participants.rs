//! Who takes part in a phase or block.

use super::known::KnownWorld;
use super::{
    ArmPlan, Discussion, Electorate, GroupRule, GroupSize, PhaseKind, Plan, Reach, Seat, SeatRule, SeatSet, Thing,
};
use crate::domain::{Agent, SeatId, SeatName, Step};

impl Seat {
    /// Whether it speaks in discussions.
    pub fn speaks(&self) -> bool {
        self.part.as_ref().is_none_or(|role| role.speaks)
    }

    /// Whether it votes.
    pub fn votes(&self) -> bool {
        self.part.as_ref().is_none_or(|role| role.votes)
    }

    /// Whether it thinks privately before it speaks in a discussion.
    pub fn thinks_before(&self, discussion: &Discussion) -> bool {
        self.private_reasoning.unwrap_or(discussion.private_reasoning)
    }

    /// Adds the instructions of its role to the persona of its agent.
    pub(super) fn add_instructions(&self, agent: &mut Agent) {
        let Some(instructions) = self.part.as_ref().and_then(|role| role.instructions.as_ref()) else { return };
        agent.persona = Some(match agent.persona.take() {
            Some(persona) => format!("{persona}\n\n{instructions}"),
            None => instructions.clone(),
        });
    }

    /// Whether it is asked at a step of a phase in which it takes part.
    pub fn is_asked_at(&self, step: Step) -> bool {
        match step {
            Step::Statement | Step::Reasoning | Step::Volunteer => self.speaks(),
            Step::StrawPoll | Step::Ballot | Step::Amount => self.votes(),
            Step::VoteCall | Step::Confirmation => self.speaks() && self.votes(),
            _ => true,
        }
    }
}

impl ArmPlan {
    /// All seats, in their order.
    pub fn seat_ids(&self) -> impl Iterator<Item = SeatId> + Clone + use<> {
        (0..self.seats.len() as u32).map(SeatId)
    }
}

impl Plan {
    /// What the phase at this place and the blocks around it say of who takes part.
    pub fn who(&self, place: usize) -> impl Iterator<Item = &SeatSet> {
        let phase = &self.agenda[place];
        let blocks = phase.within.iter().filter_map(|block| self.blocks[*block].who.as_ref());
        blocks.chain(&phase.who)
    }

    /// Of each seat whether it may take part in the phase at a place, as far as that follows from what is known before a session.
    pub fn find_possible_participants(&self, reach: &Reach, place: usize) -> Vec<bool> {
        self.select_participants(reach, place, |world, set, seat| world.may_select(set, seat))
    }

    /// Of each seat whether it certainly takes part in the phase at a place, if its group does.
    pub(super) fn find_sure_participants(&self, reach: &Reach, place: usize) -> Vec<bool> {
        if self.may_lose_seats() && self.who(place).next().is_some() {
            return vec![false; self.seats.len()];
        }
        self.select_participants(reach, place, |world, set, seat| world.must_select(set, seat))
    }

    fn select_participants(
        &self,
        reach: &Reach,
        place: usize,
        selects: impl Fn(&KnownWorld<'_>, &SeatSet, SeatId) -> bool,
    ) -> Vec<bool> {
        let phase = &self.agenda[place];
        let blocks = phase.within.iter().map(|block| &self.blocks[*block]);
        let of_blocks = blocks.filter_map(|block| {
            let own = phase.passes.get(block.around).is_some_and(|pass| pass.block == block.name);
            Some((block.around + usize::from(own), block.who.as_ref()?))
        });
        let sets = of_blocks.chain(phase.who.as_ref().map(|who| (phase.passes.len(), who)));
        let worlds = sets.map(|(passes, set)| (KnownWorld::new(self, reach, place).in_passes(passes), set));
        let worlds: Vec<(KnownWorld<'_>, &SeatSet)> = worlds.collect();
        let takes_part = |(position, seat): (u32, &Seat)| {
            self.has_part_in(place, seat) && worlds.iter().all(|(world, set)| selects(world, set, SeatId(position)))
        };
        (0..).zip(&self.seats).map(takes_part).collect()
    }

    /// Whether seats may be asked nothing more in the course of a session, because they fail a test.
    pub fn may_lose_seats(&self) -> bool {
        self.agenda.iter().any(|phase| phase.kind.may_exclude())
    }

    /// The total weight in an electorate of the ballots of the seats that vote in the phase at this place; `None` if an expression or a
    /// group decides which do.
    pub fn voting_weight_at(&self, place: usize, electorate: &Electorate) -> Option<u32> {
        let is_list = |set: &SeatSet| matches!(set.rule, SeatRule::Named(_));
        let is_known = self.agenda[place].group.is_none() && self.who(place).all(is_list);
        let votes = |seat: &Seat| seat.votes() && self.may_take_part(place, &seat.name);
        let voters = (0u32..).zip(&self.seats).filter(|(_, seat)| votes(seat));
        is_known.then(|| voters.map(|(place, _)| electorate.weight(SeatId(place))).sum())
    }

    /// Who takes part in the phase at this place by its own `who` and by roles, in words; `None` if neither leaves anyone out.
    pub fn describe_participants(&self, place: usize) -> Option<String> {
        let set = self.agenda[place].who.as_ref();
        let own = set.map(|set| set.text.clone());
        let has_part = |seat: &&Seat| self.has_part_in(place, seat);
        let is_left_out = |(id, seat): (SeatId, &Seat)| set.is_none_or(|set| set.may_hold(id)) && !has_part(&seat);
        if !self.seat_ids().zip(&self.seats).any(is_left_out) {
            return own;
        }
        let mut roles: Vec<&str> = Vec::new();
        for role in self.seats.iter().filter(has_part).filter_map(|seat| seat.part.as_ref()) {
            if !roles.contains(&role.name.as_str()) {
                roles.push(&role.name);
            }
        }
        Some(match own {
            Some(own) if roles.iter().all(|role| own.contains(role)) => own,
            Some(own) => format!("{own}, of the roles {}", roles.join(", ")),
            None => roles.join(", "),
        })
    }

    /// Whether the same seats are in the groups of an assignment in every session: no expression says which are put into them.
    pub fn has_known_members(&self, assignment: &str) -> bool {
        let rule = |place: usize| self.agenda[place].kind.group_rules().iter().find(|rule| rule.name == assignment);
        let is_list = |set: &SeatSet| matches!(set.rule, SeatRule::Named(_));
        let has_known =
            |place: usize, rule: &GroupRule| !matches!(rule.size, GroupSize::Joined(_)) && self.who(place).all(is_list);
        (0..self.agenda.len()).all(|place| rule(place).is_none_or(|rule| has_known(place, rule)))
    }

    /// Whether every seat that is present takes part in the phase at this place.
    pub fn takes_all(&self, place: usize) -> bool {
        self.agenda[place].group.is_none()
            && self.who(place).next().is_none()
            && self.seats.iter().all(|seat| self.has_part_in(place, seat))
    }

    /// Whether a seat's role has anything to do in the phase at this place.
    pub fn has_part_in(&self, place: usize, seat: &Seat) -> bool {
        match &self.agenda[place].kind {
            PhaseKind::Vote(_) | PhaseKind::Ask { .. } => seat.votes(),
            PhaseKind::Discussion(talk) => {
                let votes = talk.poll_each_round || talk.votes_in_rounds();
                seat.speaks() || votes && seat.votes()
            }
            _ => true,
        }
    }

    /// Whether answers decide if the phase at this place takes place, who takes part in it, or whether these have anything to choose from.
    pub fn depends_on_answers(&self, place: usize) -> bool {
        let phase = &self.agenda[place];
        let blocks = phase.within.iter().filter_map(|block| self.blocks[*block].when.as_ref());
        let mut conditions = blocks.chain(&phase.when);
        conditions.any(|when| !when.formula.is_fixed())
            || self.who(place).any(|set| !set.is_fixed())
            || phase.passes.iter().any(|pass| matches!(pass.thing, Some(Thing::Times { .. })))
            || phase.seat_sets().into_iter().any(|set| phase.group.is_some() || !set.is_fixed())
    }

    /// Whether a seat may take part in the phase at this place.
    pub fn may_take_part(&self, place: usize, seat: &SeatName) -> bool {
        let id = self.seats.iter().position(|own| own.name == *seat).map(|position| SeatId(position as u32));
        id.is_some_and(|id| {
            self.has_part_in(place, &self.seats[id.index()]) && self.who(place).all(|set| set.may_hold(id))
        })
    }
}
