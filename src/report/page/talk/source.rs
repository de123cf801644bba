//! What the transcript of a session is made from: records, what seats were shown, and the calls behind their answers.

use std::collections::{BTreeMap, BTreeSet};

use super::call::CallShown;
use crate::domain::{Record, Seq};
use crate::report::page::labels::Labels;
use crate::report::told::PlanWords;
use crate::session::SeatSights;

/// A session and everything its transcript needs.
#[derive(Debug)]
pub struct Talk<'t> {
    /// The session's name, the first part of each record's address.
    pub name: &'t str,
    /// The readable records.
    pub records: &'t [Record],
    /// The names of the seats, in the plan's order.
    pub seats: Vec<&'t str>,
    /// What each seat was shown.
    pub sights: &'t SeatSights,
    /// The calls behind the answers, by the record of the answer.
    pub calls: &'t BTreeMap<Seq, CallShown>,
    /// What the plan adds to the wording.
    pub plan: PlanWords,
    /// The records in which a seat changed its position.
    pub moves: BTreeSet<u64>,
    /// The labels and colours of the options.
    pub labels: &'t Labels,
    /// Further remarks about the transcript, one line each.
    pub notes: Vec<String>,
}
