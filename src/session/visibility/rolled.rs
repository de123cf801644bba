//! The proof for roll calls: who voted for what, from the records of ballots alone. Without a roll call nobody hears more than
//! the count.

use super::Visibility;
use crate::domain::{Consequence, Event, InvalidBallots, NamedChoice, Record, Step, TallyReport, Voted};
use crate::memory::guidance;
use crate::plan::Plan;

/// The ballots of the vote under way.
#[derive(Debug, Clone)]
pub(super) struct BallotRoll {
    invalid: InvalidBallots,
    /// One entry a seat: `None` where it has not voted, and an invalid ballot where it chose nothing.
    ballots: Vec<Option<Option<Voted>>>,
}

impl BallotRoll {
    /// Nobody has voted; `None` where ballots are told to nobody.
    pub fn new(plan: &Plan) -> Option<Self> {
        plan.roll_call.then(|| Self { invalid: plan.decision.invalid, ballots: vec![None; plan.seats.len()] })
    }
}

impl Visibility {
    /// Takes a ballot down.
    pub(super) fn witness_ballot(&mut self, record: &Record, seat: Option<usize>) {
        let Some((roll, seat)) = self.roll.as_mut().zip(seat) else { return };
        match &record.event {
            Event::Balloted { alternative, amount, .. } => {
                let choice = NamedChoice { alternative: alternative.clone(), amount: *amount };
                roll.ballots[seat] = Some(Some(Voted::For(choice)));
            }
            Event::Voted { ballot, .. } => roll.ballots[seat] = Some(Some(Voted::Over(ballot.clone()))),
            Event::Abstained { .. } => roll.ballots[seat] = Some(Some(Voted::Abstained)),
            Event::AmountNamed { amount, .. } => {
                if let Some(Some(Voted::For(choice))) = &mut roll.ballots[seat] {
                    choice.amount = Some(*amount);
                }
            }
            Event::Faulted { then: Consequence::TriesUsedUp, .. }
                if matches!(record.at.step, Step::Ballot | Step::Amount) =>
            {
                roll.ballots[seat] = Some(None);
            }
            _ => {}
        }
    }

    /// What all hear of a count, with which the vote is over.
    pub(super) fn tally_text(&mut self, report: &TallyReport) -> String {
        let Some(roll) = &mut self.roll else { return guidance::tally_line(report, self.marks.motion().tongue()) };
        let cast: Vec<_> = roll.ballots.iter_mut().map(Option::take).collect();
        let named = self.public_names.iter().zip(cast).filter_map(|(name, ballot)| Some((name.as_str(), ballot?)));
        guidance::roll_call(report, roll.invalid, named, self.marks.motion().tongue())
    }
}
