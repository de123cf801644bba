//! Counting answers: each answer heard adds to a belief.
//!
//! Source: Choi, Zhu and Li 2025, "Debate or vote: which yields better decisions in multi-agent large language models?". A belief
//! is a Dirichlet distribution; an answer is drawn from its mean; the answers heard and the own answer are added as counts. If
//! all concentrations are equal and everybody hears everybody, the mean belief of the group is a martingale: talk adds noise and
//! no knowledge.

/// The mean of a belief: the probability of each answer.
pub fn mean_belief(belief: &[f64]) -> Vec<f64> {
    let sum: f64 = belief.iter().sum();
    belief.iter().map(|count| count / sum).collect()
}

/// Adds answers to a belief, each as one count; answers outside the belief do not count.
pub fn add_answers(belief: &mut [f64], answers: &[u32]) {
    for (place, belief) in (0..).zip(belief) {
        // An integer count per place, so that no addition waits for another and several are made at once.
        let mut count = 0_u32;
        for answer in answers {
            count += u32::from(*answer == place);
        }
        *belief += f64::from(count);
    }
}
