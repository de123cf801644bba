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
    use crate::domain::tests::{make_alternative, make_motion};
    use crate::domain::{Alternative, AlternativeId};

    const WAYS: [TieBreak; 4] = [TieBreak::Lot, TieBreak::AgendaOrder, TieBreak::StatusQuo, TieBreak::NoDecision];

    fn motion(status_quo: Option<u32>) -> Motion {
        let alternative = |place: u32| Alternative {
            status_quo: status_quo == Some(place),
            ..make_alternative(&format!("a{place}"), &format!("alternative {place}"))
        };
        make_motion("which?", (0..4).map(alternative).collect(), None)
    }

    fn ids(places: &[u32]) -> Vec<Choice> {
        places.iter().map(|place| AlternativeId(*place).into()).collect()
    }

    fn no_lot(_: u64) -> u64 {
        unreachable!("invariant: no lot is drawn here")
    }

    #[test]
    fn without_a_tie_no_way_of_breaking_one_matters() {
        for way in WAYS {
            assert_eq!(break_tie(way, &ids(&[2]), &motion(Some(1)), no_lot), Some(AlternativeId(2).into()));
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
    fn a_tie_is_broken_by_the_agenda_or_the_status_quo_or_stands() {
        for (way, tied, status_quo, chosen) in [
            (TieBreak::AgendaOrder, [1, 3], None, Some(1)),
            (TieBreak::StatusQuo, [1, 3], Some(3), Some(3)),
            (TieBreak::StatusQuo, [1, 3], Some(0), None),
            (TieBreak::StatusQuo, [1, 3], None, None),
            (TieBreak::NoDecision, [0, 1], Some(0), None),
        ] {
            let chosen = chosen.map(|place| AlternativeId(place).into());
            assert_eq!(break_tie(way, &ids(&tied), &motion(status_quo), no_lot), chosen, "{way:?} {status_quo:?}");
        }
    }
}
