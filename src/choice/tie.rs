//! Chooses one of several tied winners, after the count, so that the tie itself stays in the data.

use crate::domain::{Choice, Motion, TieBreak};

/// Chooses one of several tied winners; where ballots decide, `winners` are those that they left, see
/// [`highest_of`](crate::choice::highest_of), and the lot decides the rest. `lot` returns a number below its argument. `None` if
/// the tie remains, or nobody won.
///
/// A single winner is taken without a draw.
///
/// # Panics
/// If a winner is not of this motion, or `lot` returns a number that is not below its argument.
pub fn break_tie(
    tie_break: TieBreak,
    winners: &[Choice],
    motion: &Motion,
    lot: impl FnOnce(u64) -> u64,
) -> Option<Choice> {
    if let [] | [_] = winners {
        return winners.first().copied();
    }
    match tie_break {
        TieBreak::Lot | TieBreak::Chair | TieBreak::RandomBallot => Some(winners[lot(winners.len() as u64) as usize]),
        TieBreak::AgendaOrder => winners.iter().copied().min(),
        TieBreak::StatusQuo => {
            winners.iter().copied().find(|winner| motion.alternatives[winner.alternative.index()].status_quo)
        }
        TieBreak::NoDecision => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Alternative, AlternativeId, AlternativeName};

    const WAYS: [TieBreak; 4] = [TieBreak::Lot, TieBreak::AgendaOrder, TieBreak::StatusQuo, TieBreak::NoDecision];

    fn motion(status_quo: Option<u32>) -> Motion {
        let alternative = |place: u32| Alternative {
            name: AlternativeName::new(&format!("a{place}")),
            label: format!("alternative {place}"),
            status_quo: status_quo == Some(place),
            takes_amount: false,
            said: None,
        };
        Motion {
            text: "which?".to_owned(),
            alternatives: (0..4).map(alternative).collect(),
            amount_max: None,
            amount_min: 1,
            unit: None,
            language: Default::default(),
        }
    }

    fn ids(places: &[u32]) -> Vec<Choice> {
        places.iter().map(|place| AlternativeId(*place).into()).collect()
    }

    fn no_lot(_: u64) -> u64 {
        unreachable!("invariant: no lot is drawn here")
    }

    #[test]
    fn one_winner_is_taken_without_a_lot() {
        for way in WAYS {
            assert_eq!(break_tie(way, &ids(&[2]), &motion(Some(1)), no_lot), Some(AlternativeId(2).into()));
        }
    }

    #[test]
    fn where_nobody_won_there_is_nothing_to_choose() {
        for way in WAYS {
            assert_eq!(break_tie(way, &[], &motion(Some(1)), no_lot), None);
        }
    }

    #[test]
    fn a_lot_chooses_among_the_tied_only() {
        for place in 0..3 {
            let chosen = break_tie(TieBreak::Lot, &ids(&[0, 2, 3]), &motion(None), |n| {
                assert_eq!(n, 3);
                place
            });
            assert_eq!(chosen, Some(ids(&[0, 2, 3])[place as usize]));
        }
    }

    #[test]
    fn agenda_order_takes_the_first_of_the_scenario() {
        let chosen = break_tie(TieBreak::AgendaOrder, &ids(&[1, 3]), &motion(None), no_lot);
        assert_eq!(chosen, Some(AlternativeId(1).into()));
    }

    #[test]
    fn the_status_quo_is_taken_only_when_it_is_tied() {
        let chosen = |status_quo| break_tie(TieBreak::StatusQuo, &ids(&[1, 3]), &motion(status_quo), no_lot);
        assert_eq!(chosen(Some(3)), Some(AlternativeId(3).into()));
        assert_eq!(chosen(Some(0)), None);
        assert_eq!(chosen(None), None);
    }

    #[test]
    fn a_tie_may_stand() {
        assert_eq!(break_tie(TieBreak::NoDecision, &ids(&[0, 1]), &motion(Some(0)), no_lot), None);
    }
}
