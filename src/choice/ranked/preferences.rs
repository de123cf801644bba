//! The preferences of voters as ranked ballots; equal ballots are merged.

/// The place of an alternative that a ballot leaves out: below all others, and tied with the others left out.
pub const UNRANKED: u16 = u16::MAX;

/// A ranked ballot: the place of each alternative, 0 for the best, equal for ties, [`UNRANKED`] for those left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ranking(Vec<u16>);

/// Ranked ballots over the same alternatives, equal ones merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    alternatives: usize,
    ballots: Vec<(Ranking, u64)>,
}

impl Ranking {
    /// A ballot over so many alternatives from its levels, best first; alternatives in no level are unranked.
    ///
    /// # Panics
    /// If a level names an alternative that does not exist, or one is named twice.
    pub fn of_levels<L: AsRef<[usize]>>(alternatives: usize, levels: &[L]) -> Self {
        let mut places = vec![UNRANKED; alternatives];
        for (place, level) in levels.iter().filter(|level| !level.as_ref().is_empty()).enumerate() {
            for alternative in level.as_ref() {
                assert!(places[*alternative] == UNRANKED, "invariant: a ballot names an alternative once");
                places[*alternative] =
                    u16::try_from(place).expect("invariant: there are fewer places than alternatives");
            }
        }
        Self(places)
    }

    /// The number of alternatives.
    pub fn alternative_count(&self) -> usize {
        self.0.len()
    }

    /// The place of an alternative; a lower one is better.
    pub fn place(&self, alternative: usize) -> u16 {
        self.0[alternative]
    }

    /// Whether the ballot puts one alternative above another.
    pub fn prefers(&self, one: usize, other: usize) -> bool {
        self.0[one] < self.0[other]
    }

    /// Writes the best of some alternatives into `top`: several if they tie, none if the ballot ranks none of them.
    pub fn best_of(&self, among: &[usize], top: &mut Vec<usize>) {
        top.clear();
        let best = among.iter().map(|alternative| self.0[*alternative]).min().unwrap_or(UNRANKED);
        if best != UNRANKED {
            top.extend(among.iter().copied().filter(|alternative| self.0[*alternative] == best));
        }
    }

    /// The ranked alternatives, level by level, best first.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        let mut placed: Vec<(u16, usize)> =
            self.0.iter().copied().enumerate().map(|(one, place)| (place, one)).collect();
        placed.retain(|(place, _)| *place != UNRANKED);
        placed.sort_unstable();
        placed
            .chunk_by(|one, other| one.0 == other.0)
            .map(|level| level.iter().map(|(_, one)| *one).collect())
            .collect()
    }
}

impl Preferences {
    /// The preferences of voters; a ballot's weight is how many voters cast it. Ballots without weight are left out.
    ///
    /// # Panics
    /// If a ballot has another number of alternatives, or equal ballots together weigh 2⁶⁴ or more.
    pub fn new(alternatives: usize, ballots: impl IntoIterator<Item = (Ranking, u64)>) -> Self {
        let mut ballots: Vec<(Ranking, u64)> = ballots.into_iter().filter(|(_, weight)| *weight > 0).collect();
        let is_over_these = |(ballot, _): &(Ranking, u64)| ballot.0.len() == alternatives;
        assert!(ballots.iter().all(is_over_these), "invariant: all ballots are over the same alternatives");
        ballots.sort_unstable();
        ballots.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.checked_add(next.1).expect("invariant: ballots weigh less than 2⁶⁴ together");
            }
            is_same
        });
        Self { alternatives, ballots }
    }

    /// All alternatives, in order.
    pub fn all_alternatives(&self) -> Vec<usize> {
        (0..self.alternatives).collect()
    }

    /// The number of alternatives.
    pub fn alternative_count(&self) -> usize {
        self.alternatives
    }

    /// The distinct ballots with their weights, in a fixed order.
    pub fn ballots(&self) -> &[(Ranking, u64)] {
        &self.ballots
    }

    /// The weight of all ballots.
    pub fn weight(&self) -> u64 {
        let sum = self.ballots.iter().try_fold(0_u64, |sum, (_, weight)| sum.checked_add(*weight));
        sum.expect("invariant: ballots weigh less than 2⁶⁴ together")
    }
}
