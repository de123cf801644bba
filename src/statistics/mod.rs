//! Intervals for shares and means.

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Wilson's 95 % interval of a share.
pub fn wilson(successes: u64, n: u64) -> Interval {
    let (z, n) = (1.959_963_984_540_054_f64, n as f64);
    let p = successes as f64 / n;
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * libm::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
    Interval {
        low: centre - half,
        high: centre + half,
    }
}

/// Stand-in for the bootstrap.
pub fn bootstrap_mean(_values: &[f64], _seed: u64) -> Option<Interval> {
    None
}

/// The median.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    (n > 0).then(|| (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0)
}
