//! Cells about how far rankings agree, worked out pair by pair.

use ekklesia::domain::Event;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rankings {
    /// How many there are.
    N,
    /// Kendall's W.
    W,
    /// The mean of Kendall's tau over pairs.
    Tau,
}

impl Rankings {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        let alternatives = &picked.arm().alternatives;
        let (mut steps, mut rankings): (Vec<String>, Vec<Vec<i64>>) = (Vec::new(), Vec::new());
        for record in &picked.records {
            let ranks: Option<Vec<i64>> = match &record.event {
                Event::Ranked { order, .. } => {
                    let place = |name| order.iter().position(|other| other == name).map(|place| place as i64 + 1);
                    alternatives.iter().map(place).collect()
                }
                Event::Voted { ballot, .. } => {
                    alternatives.iter().map(|name| ballot.rank(name).map(i64::from)).collect()
                }
                _ => continue,
            };
            // Ranks without ties and gaps are each number once.
            let is_strict = |ranks: &Vec<i64>| (1..=ranks.len() as i64).all(|rank| ranks.contains(&rank));
            let Some(ranks) = ranks.filter(is_strict) else {
                continue;
            };
            rankings.push(ranks);
        }
        let (m, k) = (rankings.len() as i64, alternatives.len() as i64);
        match self {
            _ if m == 0 => absent("nobody ranked all alternatives here, each on a place of its own"),
            Rankings::N => worked(m),
            _ if m < 2 || k < 2 => Err("there are fewer than two rankings".to_owned()),
            Rankings::W => {
                let sums: Vec<i64> =
                    (0..k as usize).map(|place| rankings.iter().map(|ranks| ranks[place]).sum()).collect();
                let mean = (m * (k + 1)) as f64 / 2.0;
                let spread: f64 = sums.iter().map(|sum| (*sum as f64 - mean) * (*sum as f64 - mean)).sum();
                real(Some(12.0 * spread / (m * m * (k * k * k - k)) as f64), "")
            }
            Rankings::Tau => {
                let mut taus = Vec::new();
                for (place, one) in rankings.iter().enumerate() {
                    taus.extend(rankings[place + 1..].iter().map(|other| tau(one, other)));
                }
                real(Some(taus.iter().sum::<f64>() / taus.len() as f64), "")
            }
        }
    }
}

/// Kendall's tau of two rankings without ties.
fn tau(one: &[i64], other: &[i64]) -> f64 {
    let k = one.len();
    let mut sum = 0;
    for a in 0..k {
        sum += (a + 1..k).map(|b| ((one[a] - one[b]) * (other[a] - other[b])).signum()).sum::<i64>();
    }
    sum as f64 / (k * (k - 1) / 2) as f64
}
