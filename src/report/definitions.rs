//! What each number of a comparison is, and whose method: for the reader of its JSON.

use serde::Serialize;

/// A method by its name, with what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Method {
    /// The field it belongs to.
    pub field: &'static str,
    /// What it is.
    pub definition: &'static str,
}

/// What each number of a comparison is, under this pairing.
pub fn methods(pairing: &str) -> Vec<Method> {
    let shared = [
        (
            "chance",
            "the mean over the items with a key of one by the number of options; null for other metrics than correct; described, not \
tested",
        ),
        (
            "arms.interval",
            "Wilson's 95 % score interval of a share of sessions; else the means that the sign-flip test of the sessions, or of the \
replicates or items that are the unit, does not reject at .05; null for fewer than six and where all are equal",
        ),
        (
            "pair_differences",
            "the difference of each of pairs, whose mean a contrast of levels is; the warning opposite_pairs is given where two of them \
lie on different sides of 0, each by more than two standard errors",
        ),
        (
            "p_adjusted",
            "Holm 1979 over the contrasts of this comparison; null where the config says correction: none or there is no p; intervals are \
unadjusted",
        ),
        (
            "other_rules",
            "all_available: arms as independent samples; without_invalid: sessions with an answer that stayed invalid or refused left \
out; missing_lowest, missing_highest: failed, incomplete and undefined sessions count as the ends of range; least_difference, \
greatest_difference: as the ends that make the difference least and greatest",
        ),
        (
            "range",
            "0 and 1 for flags; else the least and greatest number of any arm, and for time_to_decision at least the rounds there were",
        ),
        (
            "draws",
            "ChaCha8 streams keyed by BLAKE3 from the seed and the piece of 256 resamples: the same for every metric, arm and contrast, and for \
any number of threads",
        ),
    ];
    let all = shared.into_iter().chain(of_design(pairing));
    all.map(|(field, definition)| Method { field, definition }).collect()
}

/// Those that are others where arms are paired than where they draw apart.
fn of_design(pairing: &str) -> [(&'static str, &'static str); 6] {
    match pairing {
        "common_random_numbers" => [
            (
                "main.interval",
                "of flags Newcombe's for paired shares (1998, method 10); else the differences that the test of main.test does not reject \
at .05 (Hartigan 1969), so that 0 lies outside exactly where p < .05; null where no_interval says why",
            ),
            (
                "main.rule",
                "complete_pairs: blocks in which every arm of both sides has a number; where a block is several sessions (--unit \
replicate or item), the mean over those that have one in every arm of both sides, and without such a session the block is left out",
            ),
            (
                "main.test",
                "of flags McNemar's exact test; else the sign-flip permutation test of the mean difference, two-sided (Fisher 1935): all \
different patterns of signs when there are at most 65 536, else (b + 1) / (m + 1) of m random ones (Phipson and Smyth 2010)",
            ),
            (
                "flags",
                "McNemar's exact p (two-sided binomial) and Newcombe's interval for paired shares (1998, method 10)",
            ),
            ("effect_size", "Cohen's d_z: mean of differences over their standard deviation (n - 1)"),
            ("correlation", "Pearson's, of both sides over blocks with a number on both"),
        ],
        _ => [
            (
                "main.interval",
                "of flags Newcombe's for independent shares (1998, method 10); else the differences that the test of main.test does not \
reject at .05 (Lehmann 1963), so that 0 lies outside exactly where p < .05; null where no_interval says why",
            ),
            ("main.rule", "all_available: every session that has a number"),
            (
                "main.test",
                "of flags Fisher's exact test; else the permutation test of labels, two-sided (Pitman 1937), within each pair of arms: \
(b + 1) / (m + 1) of m random ones",
            ),
            ("flags", "Fisher's exact p and Newcombe's interval for independent shares (1998, method 10)"),
            ("effect_size", "Cohen's d: difference over the standard deviation pooled within arms"),
            ("correlation", "none: sessions of different arms share nothing"),
        ],
    }
}
