//! The rounds of a session: agreement between seats, and the size of their memories.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analysis::statistics::mean;
use crate::report::page::cells::Row;

/// One round, or the part of a phase outside rounds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RoundShown {
    /// The phase.
    pub phase: String,
    /// The passes of the phase; empty outside repeated blocks.
    pub pass: String,
    /// The kind of the phase.
    pub kind: String,
    /// The round; 0 outside rounds.
    pub round: u64,
    /// The share of the most frequent stance; `None` without stances.
    pub stance: Option<f64>,
    /// The share of the most frequent choice in the straw poll; `None` without one.
    pub straw: Option<f64>,
    /// The share of the most frequent ballot; `None` without a vote.
    pub ballot: Option<f64>,
    /// The share of pairs of seats with the same stance and amount; `None` with fewer than two stances.
    pub stance_pairs: Option<f64>,
    /// The share of pairs of seats with the same choice and amount in the straw poll; `None` with fewer than two.
    pub straw_pairs: Option<f64>,
    /// The share of pairs of seats with the same ballot and amount; `None` with fewer than two.
    pub ballot_pairs: Option<f64>,
    /// The seats that called a vote.
    pub called_by: Vec<String>,
    /// The seats that did not agree to a called vote.
    pub declined_by: Vec<String>,
    /// The standard deviation of the opinions; `None` without opinions.
    pub opinion_sd: Option<f64>,
    /// The mean number of characters in the memories when the round closes; `None` if no round closed.
    pub memory_chars: Option<f64>,
    /// The mean number of characters of statements that the last prompts left out; `None` if no round closed.
    pub dropped_chars: Option<f64>,
}

/// Reads the rounds of a session, in order.
pub fn read_rounds(rows: &[Row<'_>], seat_rounds: &[Row<'_>]) -> Vec<RoundShown> {
    const KEY: [&str; 4] = ["phase", "pass", "group", "round"];
    let mut by_round: BTreeMap<[Option<&str>; 4], Vec<&Row<'_>>> = BTreeMap::new();
    for seat in seat_rounds {
        by_round.entry(KEY.map(|column| seat.text(column))).or_default().push(seat);
    }
    let of = |row: &Row<'_>| {
        let own = by_round.get(&KEY.map(|column| row.text(column)));
        read_round(row, own.map_or(&[], Vec::as_slice))
    };
    rows.iter().map(of).collect()
}

fn read_round(row: &Row<'_>, own: &[&Row<'_>]) -> RoundShown {
    let mean_of = |column: &str| mean(&own.iter().filter_map(|seat| seat.number(column)).collect::<Vec<_>>());
    RoundShown {
        called_by: row.list("called_by"),
        declined_by: row.list("declined_by"),
        phase: row.owned("phase").unwrap_or_default(),
        pass: row.owned("pass").unwrap_or_default(),
        kind: row.owned("phase_kind").unwrap_or_default(),
        round: row.count("round").unwrap_or(0),
        stance: row.number("stance_modal_share"),
        straw: row.number("straw_modal_share"),
        ballot: row.number("ballot_modal_share"),
        stance_pairs: row.number("stance_pair_agreement_exact"),
        straw_pairs: row.number("straw_pair_agreement_exact"),
        ballot_pairs: row.number("ballot_pair_agreement_exact"),
        opinion_sd: row.number("opinion_sd"),
        memory_chars: mean_of("memory_chars"),
        dropped_chars: mean_of("dropped_chars"),
    }
}
