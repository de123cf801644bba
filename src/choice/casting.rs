//! Applies a single ballot, a chair's or a drawn one, to tied winners.

use crate::domain::{AlternativeId, Ballot, Choice};

/// The tied winners that a ballot for one choice names: the bloc of its alternative with the nearest amount, within the
/// tolerance. All of them if it names none.
///
/// ```
/// use ekklesia::choice::named_of;
/// use ekklesia::domain::{AlternativeId, Choice};
///
/// let tied = [0, 2].map(|place| Choice::from(AlternativeId(place)));
/// assert_eq!(named_of(AlternativeId(2).into(), &tied, 0), tied[1..]);
/// assert_eq!(named_of(AlternativeId(1).into(), &tied, 0), tied);
/// ```
pub fn named_of(own: Choice, tied: &[Choice], tolerance: u32) -> Vec<Choice> {
    let apart = |one: &Choice| match (own.amount, one.amount) {
        (Some(own), Some(other)) => Some(own.abs_diff(other)).filter(|apart| *apart <= tolerance),
        (own, other) => (own == other).then_some(0),
    };
    let of_same = || tied.iter().copied().filter(|one| one.alternative == own.alternative);
    let nearest = of_same().filter_map(|one| apart(&one)).min();
    told_apart(of_same().filter(|one| nearest.is_some() && apart(one) == nearest).collect(), tied)
}

/// The tied winners that a ballot puts highest: that it approves of, ranks best or scores highest. All of them if it does not
/// distinguish them.
pub fn highest_of(ballot: &Ballot<AlternativeId>, tied: &[Choice]) -> Vec<Choice> {
    // Greater is better.
    let worth = |one: &Choice| match ballot {
        Ballot::Approval(_) => u32::from(ballot.approves(&one.alternative) == Some(true)),
        Ballot::Ranking(_) => ballot.rank(&one.alternative).map_or(0, |rank| u32::MAX - rank),
        Ballot::Score(_) => ballot.score(&one.alternative).unwrap_or(0),
    };
    let most = tied.iter().map(worth).max();
    told_apart(tied.iter().copied().filter(|one| Some(worth(one)) == most).collect(), tied)
}

fn told_apart(some: Vec<Choice>, tied: &[Choice]) -> Vec<Choice> {
    if some.is_empty() { tied.to_vec() } else { some }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Scored;

    fn ids(places: &[u32]) -> Vec<Choice> {
        places.iter().map(|place| AlternativeId(*place).into()).collect()
    }

    #[test]
    fn a_ballot_of_each_form_tells_apart_what_it_puts_higher() {
        let id = AlternativeId;
        let ranking = Ballot::Ranking(vec![vec![id(1)], vec![id(3), id(0)]]);
        assert_eq!(highest_of(&ranking, &ids(&[0, 2, 3])), ids(&[0, 3]));
        assert_eq!(highest_of(&ranking, &ids(&[2, 4])), ids(&[2, 4]));
        let approval = Ballot::Approval(vec![id(2)]);
        assert_eq!(
            (highest_of(&approval, &ids(&[0, 2])), highest_of(&approval, &ids(&[0, 1]))),
            (ids(&[2]), ids(&[0, 1]))
        );
        let score = Ballot::Score((0..3).map(|place| Scored { alternative: id(place), score: place / 2 }).collect());
        assert_eq!((highest_of(&score, &ids(&[0, 1])), highest_of(&score, &ids(&[1, 2]))), (ids(&[0, 1]), ids(&[2])));
    }

    #[test]
    fn a_choice_with_an_amount_names_the_nearest_bloc_within_the_tolerance() {
        let of = |amount| Choice { alternative: AlternativeId(1), amount: Some(amount) };
        let tied = [of(10), of(14), AlternativeId(0).into()];
        assert_eq!(named_of(of(11), &tied, 2), [of(10)]);
        assert_eq!(named_of(of(12), &tied, 2), [of(10), of(14)]);
        assert_eq!(named_of(of(20), &tied, 2), tied);
    }
}
