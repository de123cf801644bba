//! The agreement of seats over the questions of an arm.
//!
//! A unit is a completed session; its ratings are the choices of its seats. Only experiments with items have several questions.

use serde::Serialize;

use crate::analysis::measures::{MeasurementLevel, fleiss_kappa, krippendorff_alpha};

/// The agreement of seats over sessions, for choices at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// The source of the choices: `straw_before`, `straw_after` or `final_ballot`.
    pub source: &'static str,
    /// Sessions with at least two valid choices.
    pub units: u64,
    /// Valid choices in them.
    pub ratings: u64,
    /// Krippendorff's alpha, nominal; `None` if all choices are equal.
    pub krippendorff_alpha: Option<f64>,
    /// Fleiss' kappa; `None` if all choices are equal, or if a session lacks a valid choice of a seat.
    pub fleiss_kappa: Option<f64>,
}

/// The sources, in the order of [`SessionTotals::chosen`](crate::analysis::SessionTotals::chosen).
const SOURCES: [&str; 3] = ["straw_before", "straw_after", "final_ballot"];

/// The agreement over the choices of `seats` seats in each session. Sources without a unit are left out.
pub fn reliability(chosen: &[Vec<Vec<u32>>; 3], seats: usize) -> Vec<Reliability> {
    let of = |(place, source): (usize, &'static str)| {
        let all = &chosen[place];
        let units: Vec<&Vec<u32>> = all.iter().filter(|unit| unit.len() > 1).collect();
        let alternatives = all.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let count = |unit: &Vec<u32>| {
            let of = |alternative: usize| unit.iter().filter(|chosen| **chosen as usize == alternative).count() as u32;
            (0..alternatives).map(of).collect::<Vec<u32>>()
        };
        let is_complete = all.iter().all(|unit| unit.len() == seats);
        (!units.is_empty()).then(|| Reliability {
            source,
            units: units.len() as u64,
            ratings: units.iter().map(|unit| unit.len() as u64).sum(),
            krippendorff_alpha: krippendorff_alpha(all, MeasurementLevel::Nominal),
            fleiss_kappa: fleiss_kappa(&all.iter().map(count).collect::<Vec<Vec<u32>>>()).filter(|_| is_complete),
        })
    };
    SOURCES.into_iter().enumerate().filter_map(of).collect()
}
