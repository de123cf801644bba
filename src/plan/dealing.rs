//! Draws the case of a session (truth, signals and facts) from its seed.
//!
//! With common random numbers all arms draw the same case, and a signal that is right at one accuracy is right at every greater
//! one. Each draw is keyed by its own seat or fact, so adding one changes no other's draw. Only the number of facts per seat is
//! balanced over the table.

use std::collections::BTreeSet;

use super::{Evidence, Plan, SharedFacts, Signals, TruthRule, Version};
use crate::chance::{DrawPurpose, Draws, SessionSeed};
use crate::domain::{
    AlternativeId, Briefing, CaseFact, FactId, Matter, Moment, Motion, QuestionId, SeatName, Step, Truth,
};

/// The case of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DealtCase {
    /// The right answer; `None` if it is unknown, or if items have keys and no signal depends on them.
    pub truth: Option<Truth>,
    /// The private evidence of each seat that gets any, in the plan's order.
    pub hands: Vec<Briefing>,
    /// All facts that at least one seat gets.
    pub case: Vec<CaseFact>,
}

impl Plan {
    /// The case of a replicate's session.
    pub fn deal_case(&self, replicate: u32) -> DealtCase {
        let Some(evidence) = self.evidence.as_deref() else { return DealtCase::default() };
        let seed = self.session_seed(replicate);
        let truth = self.determine_truth(evidence, &seed);
        let right = truth.as_ref().and_then(Truth::alternative).and_then(|name| self.motion.find(name.as_str()));
        let names: Vec<&SeatName> = self.seats.iter().map(|seat| &seat.name).collect();
        let held = deal_facts(evidence, &seed, &names);
        let withheld: BTreeSet<&FactId> = evidence.withheld.iter().collect();
        let is_told = |fact: &usize| !withheld.contains(&evidence.facts[*fact].id);
        let hand = |(seat, facts): (&&SeatName, Vec<usize>)| {
            let signal = evidence.signals.as_ref().zip(right);
            let signal = signal.map(|(signals, right)| drawn_signal(signals, &self.motion, right, (&seed, seat)));
            let facts: Vec<usize> = facts.into_iter().filter(is_told).collect();
            let what = Matter::Case {
                signal: signal.map(|signal| self.motion.name(signal).clone()),
                facts: facts.iter().map(|fact| evidence.facts[*fact].id.clone()).collect(),
            };
            let text = hand_text(evidence, &self.motion, signal, (&facts, right));
            let is_any = signal.is_some() || !facts.is_empty();
            is_any.then(|| Briefing { what, ..Briefing::new(text, vec![(*seat).clone()]) })
        };
        let hands = names.iter().zip(held).filter_map(hand);
        let case = (0..evidence.facts.len()).filter(is_told).map(|fact| &evidence.facts[fact]);
        let case = case.map(|fact| CaseFact { id: fact.id.clone(), favours: fact.version_for_truth(right).favours });
        DealtCase { truth, hands: hands.collect(), case: case.collect() }
    }

    /// The case with the longest text that a seat may get, for estimates.
    pub fn deal_longest_case(&self) -> DealtCase {
        let mut dealt = self.deal_case(1);
        let Some(longest) = self.longest_hand() else { return dealt };
        dealt.hands.iter_mut().for_each(|hand| hand.text.clone_from(&longest));
        dealt
    }

    /// The longest private text that a seat may get about the case; `None` if seats get none.
    pub fn longest_hand(&self) -> Option<String> {
        self.extreme_hand(&|texts| texts.sort_by_key(|text| std::cmp::Reverse(text.len())))
    }

    /// The shortest private text.
    pub fn shortest_hand(&self) -> Option<String> {
        self.extreme_hand(&|texts| texts.sort_by_key(String::len))
    }

    /// A text with the greatest number of facts per seat and a signal; each is the first after `sort`. Where a seat may have
    /// fewer facts, or facts are withheld, the shortest uses empty texts.
    fn extreme_hand(&self, sort: &dyn Fn(&mut Vec<String>)) -> Option<String> {
        let evidence = self.evidence.as_deref()?;
        let mut signals: Vec<String> = match &evidence.signals {
            Some(signals) => self.motion.alternative_ids().map(|id| signals.signal_text(&self.motion, id)).collect(),
            None => Vec::new(),
        };
        let mut facts: Vec<String> = evidence
            .facts
            .iter()
            .flat_map(|fact| {
                let line = |version: &Version| fact_line(fact.id.as_str(), &version.text);
                let mut lines: Vec<String> = fact.versions.iter().map(line).collect();
                sort(&mut lines);
                lines.into_iter().next()
            })
            .collect();
        sort(&mut signals);
        let (least, most) = self.held_between(evidence);
        facts.extend((0..most - least).map(|_| String::new()));
        sort(&mut facts);
        facts.truncate(most);
        if signals.is_empty() && facts.iter().all(String::is_empty) {
            return None;
        }
        let intro = evidence.intro.iter().filter(|_| !evidence.facts.is_empty()).cloned();
        let all = signals.into_iter().take(1).chain(intro).chain(facts.into_iter().filter(|fact| !fact.is_empty()));
        Some(all.collect::<Vec<_>>().join("\n"))
    }

    /// The least and greatest number of facts per seat.
    fn held_between(&self, evidence: &Evidence) -> (usize, usize) {
        let (seats, facts) = (self.seats.len(), evidence.facts.len());
        let shared = match &evidence.shared {
            SharedFacts::Named(places) => places.len().min(facts),
            SharedFacts::Count(count) => (*count as usize).min(facts),
        };
        let others = (facts - shared) * evidence.held_by as usize;
        let least = shared + others / seats;
        (least.saturating_sub(evidence.withheld.len()), shared + others.div_ceil(seats))
    }

    /// The right answer. An item's key is recorded only if signals depend on it.
    fn determine_truth(&self, evidence: &Evidence, seed: &SessionSeed) -> Option<Truth> {
        if let Some(item) = &self.item {
            return item.key.clone().filter(|_| evidence.signals.is_some());
        }
        let named = |id: AlternativeId| Truth::Alternative(self.motion.name(id).clone());
        Some(match evidence.truth.as_ref()? {
            TruthRule::Alternative(id) => named(*id),
            TruthRule::Amount(amount) => Truth::Amount(*amount),
            TruthRule::Drawn(shares) => {
                let shares: Vec<u64> = shares.iter().map(|share| u64::from(*share)).collect();
                let place = seed.at_moment(DrawPurpose::Truth, &before_the_talk(), 0).draw_weighted(&shares);
                named(AlternativeId(place as u32))
            }
        })
    }
}

/// The moment that keys the draws of a case. It does not carry over in a panel: each wave draws its own case.
fn before_the_talk() -> Moment {
    Moment::outside_phases(Step::Brief)
}

fn draw_key(name: &str) -> QuestionId {
    QuestionId { at: before_the_talk(), seat: SeatName::new(name), attempt: 0 }
}

/// The alternative that a seat's signal supports.
fn drawn_signal(
    signals: &Signals,
    motion: &Motion,
    right: AlternativeId,
    (seed, seat): (&SessionSeed, &SeatName),
) -> AlternativeId {
    let question = draw_key(seat.as_str());
    if seed.at_question(DrawPurpose::Signal, &question, 0).draw_event(signals.accuracy_ppm) {
        return right;
    }
    let others = motion.alternatives.len() as u64 - 1;
    let place = seed.at_question(DrawPurpose::Signal, &question, 1).draw_below(others.max(1)) as u32;
    AlternativeId(if place >= right.0 && others > 0 { place + 1 } else { place })
}

/// The facts that each seat gets, as ascending positions.
///
/// Facts and seats are put in random order. All seats get equally many unshared facts; any remainder goes to the first seats, one
/// each. Facts are dealt in order, each to seats drawn with a probability proportional to the number of facts they still need. A
/// seat that needs all remaining facts gets each of them.
fn deal_facts(evidence: &Evidence, seed: &SessionSeed, seats: &[&SeatName]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..evidence.facts.len()).collect();
    // Facts draw item 0 and seats item 1 of their streams, because a seat and a fact may have the same name.
    order.sort_by_key(|fact| {
        (seed.at_question(DrawPurpose::Deal, &draw_key(evidence.facts[*fact].id.as_str()), 0).next_bits(), *fact)
    });
    let mut table: Vec<usize> = (0..seats.len()).collect();
    table.sort_by_key(|seat| {
        (seed.at_question(DrawPurpose::Deal, &draw_key(seats[*seat].as_str()), 1).next_bits(), *seat)
    });
    let shared: Vec<usize> = match &evidence.shared {
        SharedFacts::Named(places) => places.clone(),
        SharedFacts::Count(count) => order.iter().copied().take(*count as usize).collect(),
    };
    let known_to_all: BTreeSet<usize> = shared.iter().copied().collect();
    let dealt: Vec<usize> = order.iter().copied().filter(|fact| !known_to_all.contains(fact)).collect();
    let holders = evidence.held_by as usize;
    let (each, more) = (dealt.len() * holders / seats.len(), dealt.len() * holders % seats.len());
    let mut open = vec![each as u64; seats.len()];
    table.iter().take(more).for_each(|seat| open[*seat] += 1);
    let mut held: Vec<Vec<usize>> = vec![shared; seats.len()];
    for (place, fact) in dealt.iter().enumerate() {
        let draws = seed.at_question(DrawPurpose::Deal, &draw_key(evidence.facts[*fact].id.as_str()), 2);
        for seat in dealt_to(&open, (dealt.len() - place) as u64, holders, draws) {
            open[seat] -= 1;
            held[seat].push(*fact);
        }
    }
    held.iter_mut().for_each(|facts| facts.sort_unstable());
    held
}

/// The seats that get a fact; `open` counts the facts each still needs, `left` the facts remaining.
fn dealt_to(open: &[u64], left: u64, holders: usize, mut draws: Draws) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..open.len()).filter(|seat| open[*seat] == left).collect();
    let mut weights = open.to_vec();
    chosen.iter().for_each(|seat| weights[*seat] = 0);
    while chosen.len() < holders {
        let seat = draws.draw_weighted(&weights);
        weights[seat] = 0;
        chosen.push(seat);
    }
    chosen
}

/// The private text of a seat: its signal, then its facts with their ids.
fn hand_text(
    evidence: &Evidence,
    motion: &Motion,
    signal: Option<AlternativeId>,
    (facts, right): (&[usize], Option<AlternativeId>),
) -> String {
    let signal = evidence.signals.as_ref().zip(signal).map(|(signals, signal)| signals.signal_text(motion, signal));
    let intro = evidence.intro.iter().filter(|_| !facts.is_empty()).cloned();
    let facts = facts.iter().map(|fact| {
        let fact = &evidence.facts[*fact];
        fact_line(fact.id.as_str(), &fact.version_for_truth(right).text)
    });
    signal.into_iter().chain(intro).chain(facts).collect::<Vec<_>>().join("\n")
}

fn fact_line(id: &str, text: &str) -> String {
    format!("{id}: {text}")
}
