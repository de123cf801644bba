//! Averaging: each opinion becomes a weighted mean of the seat's own and those that it heard.
//!
//! Source: DeGroot 1974, "Reaching a consensus", Journal of the American Statistical Association 69(345). With x the opinions of
//! a round and W weights whose rows sum to 1, those of the next are W·x.
//!
//! In the model everybody hears everybody. Here the weight of a seat that is not heard falls to the own opinion if weights are
//! given by name; equal weights and those of a file of edges are shared out over the seats heard.

use std::collections::BTreeMap;

use super::heard::DeclaredPosition;

/// The weights of others in the mean.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum InfluenceWeights {
    /// The own opinion's remainder, in equal parts for those heard.
    Equal,
    /// Parts per million by seat, as places at the table; others have none. With the own weight they sum to a million.
    Named(Vec<(u32, u32)>),
    /// The own opinion's remainder, shared among those heard in proportion to a file of edges.
    Edges(EdgeWeights),
}

/// A seat's weights from a file of edges, in millionths; only their proportions count.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct EdgeWeights {
    /// The weight on itself; `None` if the file has no such row and the mind's own weight counts.
    pub own: Option<u64>,
    /// The weights on others, by place at the table; a missing seat has none.
    pub others: BTreeMap<u32, u64>,
}

impl EdgeWeights {
    /// The weight of each seat heard; all 0 if none has any.
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
    /// The weight of each seat heard, in their order, for a given own weight.
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

/// The weighted mean of opinions. The weights sum to at most 1; the own opinion gets the remainder.
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
