//! Formulas from counts, ranks, numbers or words to a number. An undefined result is `None`, never zero.
//!
//! Pure functions. Moments are those of the population, logarithms and powers come from `libm`, and sums run in index order.

mod bags;
mod convergence;
mod crowd;
mod esteban_ray;
mod fleiss;
mod gini;
mod kendall;
mod krippendorff;
mod mattr;
mod numbers;
mod phrases;
mod ranks;
mod shares;
mod van_der_eijk;

pub use bags::{Bag, jaccard_pair, jsd_speakers, similarity_pair};
pub use convergence::{Components, ConvergenceProfile, SeatSpeech, measure_convergence};
pub use crowd::{Crowd, crowd_errors};
pub use esteban_ray::esteban_ray;
pub use fleiss::fleiss_kappa;
pub use gini::gini;
pub use kendall::{kendall_w, mean_kendall_tau};
pub use krippendorff::{MeasurementLevel, krippendorff_alpha};
pub use mattr::{Mattr, WINDOW};
pub use numbers::{mean, mean_of, median_of, variance};
pub use phrases::{PHRASE, Phrases};
pub use ranks::footrule;
pub use shares::{
    absolute_majority, effective_options, entropy_norm, modal_places, modal_share, pair_agreement, share_of,
    single_mode, winning_margin,
};
pub use van_der_eijk::vdeijk_a;
