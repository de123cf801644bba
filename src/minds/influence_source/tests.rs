//! No mind reacts to what its rule is said not to heed, and each reacts to what it is said to heed.

use std::sync::Arc;

use super::*;
use crate::domain::tests::ask_ballot;
use crate::domain::{
    AlternativeId, Answer, Ask, BallotForm, CaseFact, Choice, FactId, MindState, Outage, Places, Query, Remark, Reply,
    SeatId, Seq,
};
use crate::minds::Script;
use crate::minds::tests::{DEAF, every_ask, everybody, motion, principles, query, seed, speak};

/// What can change around a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    /// What the others favour in the round under way, with the amounts.
    Stances,
    /// What they favoured in the round before.
    Earlier,
    /// Which facts they cite.
    Facts,
}

const THINGS: [Thing; 3] = [Thing::Stances, Thing::Earlier, Thing::Facts];

impl InfluenceSource {
    /// Whether a choice may depend on this. What is said in a round is an earlier one's as soon as it is over.
    fn may_depend_on(self, thing: Thing) -> bool {
        match self {
            InfluenceSource::Nothing => false,
            InfluenceSource::Facts => thing == Thing::Facts,
            // Arguments are words that are cited.
            InfluenceSource::EarlierRounds => matches!(thing, Thing::Earlier | Thing::Facts),
            InfluenceSource::Stances => true,
        }
    }

    /// What moves whoever heeds this.
    fn moved_by(self) -> Option<Thing> {
        match self {
            InfluenceSource::Nothing => None,
            InfluenceSource::Facts => Some(Thing::Facts),
            InfluenceSource::EarlierRounds => Some(Thing::Earlier),
            InfluenceSource::Stances => Some(Thing::Stances),
        }
    }
}

/// What was said and done around the seat, of which one thing may be another.
struct World {
    floor: Vec<Remark>,
    places: Places,
    heard: Vec<u32>,
    amounts: Vec<Option<(u32, u32)>>,
    case: Vec<CaseFact>,
}

impl World {
    fn new(motion: &Motion, changed: Option<Thing>) -> Self {
        let alternatives = motion.alternatives.len() as u32;
        let is = |thing| changed == Some(thing);
        let (mut heard, mut amounts) = (vec![0; alternatives as usize], vec![None; alternatives as usize]);
        let mut floor = Vec::new();
        for (round, thing) in [(1, Thing::Earlier), (2, Thing::Stances)] {
            for (turn, speaker) in [(1, 0), (2, 2), (3, 3)] {
                let place = floor.len() as u32;
                // The last alternative, which takes an amount where any does, or the one before it.
                let favoured = AlternativeId(alternatives - if is(thing) && alternatives > 1 { 2 } else { 1 });
                let takes_amount = motion.alternatives[favoured.index()].takes_amount;
                let amount = takes_amount.then_some(if is(thing) { 40 } else { 11 + place });
                heard[favoured.index()] += 1;
                if let Some(amount) = amount {
                    amounts[favoured.index()] = Some((amount, place));
                }
                let (facts, argument) = (if is(Thing::Facts) { "F2 and F3" } else { "F1" }, u32::from(is(thing)));
                let text: Arc<str> = Arc::from(format!("[A{argument}] By {facts} I am sure."));
                floor.push(Remark {
                    seq: Seq(10 + u64::from(place)),
                    round,
                    turn,
                    speaker: Some(SeatId(speaker)),
                    kept_bytes: text.len() as u32,
                    text,
                    stance: Some(Choice { alternative: favoured, amount }),
                    opinion: None,
                });
            }
        }
        let fact = |number: u32| CaseFact {
            id: FactId::new(&format!("F{number}")),
            favours: Some(AlternativeId(if number == 1 { 0 } else { alternatives - 1 })),
        };
        Self { places: Places::of(&floor), floor, heard, amounts, case: (1..=3).map(fact).collect() }
    }

    /// A question in the second round, after all of this.
    fn question<'a>(&'a self, ask: Ask, state: &'a MindState) -> Query<'a> {
        let mut query = query(ask, state, &self.heard);
        query.id.at.round = 2;
        query.id.at.turn = 4;
        query.brief.remarks = self.places.over(&self.floor);
        query.brief.heard.amounts = self.amounts.as_slice().into();
        query.brief.heard.round_from = 3;
        query.brief.case = &self.case;
        query.brief.facts = &self.case[..1];
        query
    }
}

/// The choices of an answer: what is favoured, with the amount, and no words about it.
fn choices(answer: Result<Answer, Outage>) -> Option<Reply> {
    match answer.expect("a script with a line for each question").parsed {
        Ok(Reply::Statement { stance, opinion, .. }) => Some(Reply::Statement { text: "".into(), stance, opinion }),
        Ok(Reply::Application { choice, certainty, .. }) => {
            Some(Reply::Application { choice, certainty, reasoning: "".into() })
        }
        // Whether to speak or to vote now, and notes, are no choices among alternatives.
        Ok(Reply::Urgency(_) | Reply::Assent(_) | Reply::Note(_) | Reply::Notes(_) | Reply::Recognition { .. }) => None,
        Ok(reply) => Some(reply),
        Err(_) => None,
    }
}

/// What confederates say to each question of a choice.
fn confederate() -> Mind {
    let statement = Reply::Statement { text: "So be it.".into(), stance: Some(AlternativeId(0).into()), opinion: None };
    let row = |step, line: Reply| (crate::domain::PhaseName::new("discussion"), 2, step, line.into());
    Mind::Scripted(Script::Table(vec![
        row(crate::domain::Step::Statement, statement),
        row(crate::domain::Step::StrawPoll, Reply::Choice(AlternativeId(0).into())),
        row(crate::domain::Step::Ballot, Reply::Choice(AlternativeId(0).into())),
    ]))
}

/// Each motion with the minds that can sit over it and the questions that are put.
fn grounds() -> Vec<(&'static str, Motion, Vec<Mind>, Vec<Ask>)> {
    let of_two = |mind: Mind| match mind {
        Mind::Opinionated(Opinionated {
            rule: OpinionRule::QuantalResponse { precision, utilities },
            opinion,
            indifference,
        }) => {
            let rule = OpinionRule::QuantalResponse { precision, utilities: utilities[..2].to_vec() };
            Mind::Opinionated(Opinionated { rule, opinion, indifference })
        }
        other => other,
    };
    let two = [AlternativeId(0), AlternativeId(1)].to_vec();
    let asks_of_two = vec![
        speak(1),
        Ask::StrawPoll { options: two.clone(), opinion: false },
        ask_ballot(two.clone(), BallotForm::Choice),
    ];
    let mut of_principles = everybody();
    of_principles.extend([DEAF, Mind::Silent]);
    let mut others: Vec<Mind> =
        of_principles.iter().filter(|mind| !matches!(mind, Mind::Justice(_))).cloned().map(of_two).collect();
    others.push(confederate());
    vec![
        ("two alternatives", motion(), others, asks_of_two),
        ("alternatives with amounts", principles(), of_principles, every_ask()),
    ]
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_mind_reacts_to_what_its_rule_is_said_to_heed_and_to_nothing_else() {
    for (name, motion, minds, asks) in grounds() {
        let worlds = THINGS.map(|thing| (thing, World::new(&motion, Some(thing))));
        let world = World::new(&motion, None);
        for mind in minds {
            let heeds = mind.influence_source(&motion);
            let mut moves = Vec::new();
            for ask in &asks {
                // A round is over as soon as a question outside its turns is put.
                let is_of_a_turn = matches!(ask, Ask::Statement { .. });
                for replicate in 0..40 {
                    let answer = |world: &World, state: &MindState| {
                        mind.answer(&motion, &seed(replicate), &world.question(ask.clone(), state))
                    };
                    let as_it_is = choices(answer(&world, &MindState::default()));
                    for (thing, world) in &worlds {
                        let is_other = choices(answer(world, &MindState::default())) != as_it_is;
                        let is_over =
                            *thing == Thing::Stances && !is_of_a_turn && heeds == InfluenceSource::EarlierRounds;
                        let may = heeds.may_depend_on(*thing) || is_over;
                        assert!(!is_other || may, "{name}: {mind:?} heeds {heeds:?} and reacts to {thing:?}: {ask:?}");
                        if is_other {
                            moves.push(if is_over { Thing::Earlier } else { *thing });
                        }
                    }
                }
            }
            if let Some(thing) = heeds.moved_by() {
                assert!(moves.contains(&thing), "{name}: {mind:?} is said to heed {heeds:?} and never reacts to it");
            }
        }
    }
}
