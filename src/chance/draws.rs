//! Samplers on a raw stream, our own so that no library update moves a draw.

/// A stream of random numbers.
#[derive(Debug, Clone, Default)]
pub struct Draws;

impl Draws {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        0
    }

    /// A whole number below `n`, uniform and unbiased.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, _n: u64) -> u64 {
        0
    }

    /// Whether an event of this probability, in parts per million, happens.
    pub fn happens(&mut self, _ppm: u32) -> bool {
        false
    }

    /// A number in [0, 1) with 53 bits.
    pub fn unit(&mut self) -> f64 {
        0.0
    }

    /// A position drawn in proportion to whole weights.
    ///
    /// # Panics
    /// When the weights sum to 0.
    pub fn weighted(&mut self, _weights: &[u64]) -> usize {
        0
    }

    /// The order of `n` items by lots: one lot each, then sorted. An item added at the end moves no other's lot.
    pub fn lots(&mut self, n: u32) -> Vec<u32> {
        (0..n).collect()
    }
}
