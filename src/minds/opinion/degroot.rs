//! Averaging: everybody's opinion becomes a weighted mean of what it heard and its own.
//!
//! Source: DeGroot 1974, "Reaching a consensus", Journal of the American Statistical Association 69(345). With x the opinions
//! of a round and W weights whose rows sum to 1, those of the next are W·x.
//!
//! The model has no moment at which one of the others is not heard. Here the weight of somebody who is not heard falls to the own
//! opinion where weights are written by name; where they are equal, or a file of edges says them, they are shared out over those who are
//! heard.

use std::collections::BTreeMap;

use super::heard::DeclaredPosition;

/// The weights of others in the mean.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum InfluenceWeights {
    /// What the own opinion leaves, in equal parts to those who are heard.
    Equal,
    /// Parts per million by seat, as places at the table; others have none. With the own weight they sum to a million.
    Named(Vec<(u32, u32)>),
    /// What a file of edges says: those who are heard share what the own opinion leaves in proportion to these.
    Edges(EdgeWeights),
}

/// What a file of edges says of how much a seat weighs others and itself, in millionths; only their proportions count.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct EdgeWeights {
    /// Its weight on itself; `None` where the file has no such row and the mind's own weight counts.
    pub own: Option<u64>,
    /// Its weights on others, by their places at the table; who is not here has none.
    pub others: BTreeMap<u32, u64>,
}

impl EdgeWeights {
    /// The weight of each of those who were heard; all 0 where none of them has any.
    fn heard_weights(&self, own: f64, heard: &[DeclaredPosition]) -> Vec<f64> {
        let weights: Vec<f64> =
            heard.iter().map(|said| self.others.get(&said.seat.0).map_or(0.0, |ppm| *ppm as f64)).collect();
        let sum: f64 = weights.iter().sum();
        if sum == 0.0 {
            return weights;
        }
        let part = match self.own {
            Some(own) => 1.0 / (sum + own as f64),
            None => (1.0 - own) / sum,
        };
        weights.iter().map(|weight| weight * part).collect()
    }
}

impl InfluenceWeights {
    /// The weight of each of those who were heard, in their order, where the own opinion has this weight.
    pub(super) fn heard_weights(&self, own: f64, heard: &[DeclaredPosition]) -> Vec<f64> {
        match self {
            InfluenceWeights::Equal => vec![(1.0 - own) / heard.len() as f64; heard.len()],
            InfluenceWeights::Named(named) => {
                let ppm = |said: &DeclaredPosition| {
                    named.iter().find(|(seat, _)| *seat == said.seat.0).map_or(0, |(_, ppm)| *ppm)
                };
                heard.iter().map(|said| f64::from(ppm(said)) * 1e-6).collect()
            }
            InfluenceWeights::Edges(edges) => edges.heard_weights(own, heard),
        }
    }
}

/// The weighted mean of opinions, whose weights are at most 1 in sum: what they lack of it is the weight of the own opinion.
///
/// ```
/// use ekklesia::minds::averaged_opinion;
/// assert_eq!(averaged_opinion(0.0, &[(0.5, 0.0), (0.25, 1.0)]), 0.25);
/// ```
pub fn averaged_opinion(own: f64, heard: &[(f64, f64)]) -> f64 {
    let (mut weights, mut sum) = (0.0, 0.0);
    for (weight, opinion) in heard {
        weights += weight;
        sum += weight * opinion;
    }
    (1.0 - weights) * own + sum
}
