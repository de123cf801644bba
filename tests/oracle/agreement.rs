//! Cells about how far rankings agree, computed pair by pair.

use ekklesia::domain::{Record, Reply};

use super::{Cell, real, show};

/// The ranks of the alternatives in every ranking that gives each a place of its own.
fn list_rankings(cell: &Cell<'_>) -> Option<Vec<Vec<i64>>> {
    let alternatives = &cell.arm().alternatives;
    let of = |record: &Record| -> Option<Vec<i64>> {
        match record.reply()? {
            Reply::Ranking { order, .. } => {
                let rank = |name| order.iter().position(|other| other == name).map(|place| place as i64 + 1);
                alternatives.iter().map(rank).collect()
            }
            Reply::Ballot(ballot) => alternatives.iter().map(|name| ballot.rank(name).map(i64::from)).collect(),
            _ => None,
        }
    };
    let is_strict = |ranks: &Vec<i64>| (1..=ranks.len() as i64).all(|rank| ranks.contains(&rank));
    let rankings: Vec<_> = cell.records.iter().filter_map(|record| of(record)).filter(is_strict).collect();
    Some(rankings).filter(|rankings| !rankings.is_empty())
}

pub fn count_rankings(cell: &Cell<'_>) -> Option<String> {
    show(list_rankings(cell)?.len())
}

/// Kendall's W: the squared deviations of the sums of ranks over their maximum.
pub fn kendall_w(cell: &Cell<'_>) -> Option<String> {
    let rankings = list_rankings(cell)?;
    let (m, k) = (rankings.len(), rankings[0].len());
    if m < 2 || k < 2 {
        return None;
    }
    let mean = (m * (k + 1)) as f64 / 2.0;
    let sums = (0..k).map(|place| rankings.iter().map(|ranks| ranks[place]).sum::<i64>() as f64);
    let squares: f64 = sums.map(|sum| (sum - mean) * (sum - mean)).sum();
    real(12.0 * squares / (m * m * (k * k * k - k)) as f64)
}

/// The mean of Kendall's tau over pairs of rankings.
pub fn mean_kendall_tau(cell: &Cell<'_>) -> Option<String> {
    let rankings = list_rankings(cell)?;
    let (m, k) = (rankings.len(), rankings[0].len());
    if m < 2 || k < 2 {
        return None;
    }
    let mut sum = 0;
    for (place, one) in rankings.iter().enumerate() {
        for other in &rankings[place + 1..] {
            for a in 0..k {
                sum += (a + 1..k).map(|b| ((one[a] - one[b]) * (other[a] - other[b])).signum()).sum::<i64>();
            }
        }
    }
    real(sum as f64 / (m * (m - 1) / 2 * (k * (k - 1) / 2)) as f64)
}
