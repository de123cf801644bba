//! How the seats are spread over the alternatives, by one source of positions.

use crate::analysis::column::{columns, join_names};
use crate::analysis::counts::ChoiceCounts;
use crate::analysis::measures;
use crate::domain::AlternativeName;

columns! {
    /// How the seats are spread over the alternatives, by one source.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Spread as r {
        /// How many options the positions come to, and how many are right.
        pub diversity: Diversity,
    }

    /// seats with a position {what}; empty {empty}
    n: u64 => group, "{source}", unit: "seats";
    /// most frequent alternative {what}; several joined by | are tied, in the order of the alternatives; empty without a position and where an
    /// amount alone is decided, so that there is one alternative
    modal: Option<String> => group, "{source}";
    /// share of the most frequent alternative {what}; empty without a position and where there is one alternative
    modal_share: Option<f64> => group, "{source}", formula: "max c / {prefix}_n, c the count of an alternative";
    /// entropy of the positions {what} over its maximum; 0 unanimous, 1 uniform; empty without a position and where there is one alternative
    entropy_norm: Option<f64> => group, "{source}; Shannon 1948",
        formula: "-sum p ln p / ln K, p = c / {prefix}_n, K the number of alternatives offered";
    /// share of pairs of seats that agree {what}; empty below two seats and where there is one alternative
    pair_agreement: Option<f64> => group, "{source}", formula: "sum c (c - 1) / (n (n - 1)), n = {prefix}_n";
    /// share of pairs of seats that agree {what} on the alternative and on the amount; empty below two seats
    pair_agreement_exact: Option<f64> => group, "{source}",
        formula: "sum c (c - 1) / (n (n - 1)), c the count of an alternative with an amount, n = {prefix}_n";
}

columns! {
    /// How many options positions come to, and how many of them are right.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Diversity as r {}

    /// as many equally frequent alternatives would be as diverse as the positions {what}; 1 unanimous; empty without a position and where there is
    /// one alternative
    effective_options: Option<f64> => group, "{source}; Laakso and Taagepera 1979", unit: "alternatives",
        formula: "1 / sum p^2, p = c / {prefix}_n";
    /// share of positions {what} that are the key (of the item, or the truth of the scenario); empty without a position and where there is no
    /// key
    correct_share: Option<f64> => group, "{source} and the key", formula: "positions that are the key / {prefix}_n";
    /// 1 if the key is the single most frequent alternative {what}, 0 if it is tied or another is; empty without a position and where there is
    /// no key
    group_correct: Option<bool> => group, "{source} and the key";
}

impl Spread {
    /// The spread of what was counted over these alternatives, of which the one at this place is right.
    pub fn from_count(count: &ChoiceCounts, alternatives: &[AlternativeName], key: Option<usize>) -> Self {
        let (counts, exact) = (&count.counts, count.exact.values().copied().collect::<Vec<u32>>());
        let n = counts.iter().map(|count| u64::from(*count)).sum();
        let key = key.filter(|_| n > 0);
        // Where an amount alone is decided, all hold the same alternative: only amounts are compared.
        let offered = if alternatives.len() != 1 { counts.as_slice() } else { &[] };
        Self {
            n,
            modal: join_names(measures::modal_places(offered).map(|place| alternatives[place].as_str())),
            modal_share: measures::modal_share(offered),
            entropy_norm: measures::entropy_norm(counts),
            pair_agreement: measures::pair_agreement(offered),
            pair_agreement_exact: measures::pair_agreement(&exact),
            diversity: Diversity {
                effective_options: measures::effective_options(offered),
                correct_share: key.and_then(|key| measures::share_of(counts[key].into(), n)),
                group_correct: key.map(|key| measures::single_mode(counts) == Some(key)),
            },
        }
    }
}
