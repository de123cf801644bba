//! A remark on its way to the memories of those who hear it: who says it where, and how long it is.

use super::FloorEvent;
use crate::domain::{Remark, SeatId, Seq};

/// The coordinates and the speaker of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemarkHeader {
    /// The record.
    pub seq: Seq,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The turn; 0 for an announcement.
    pub turn: u32,
    /// The speaker; `None` is the facilitator.
    pub speaker: Option<SeatId>,
}

/// A remark with its kind and its lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedRemark {
    pub remark: Remark,
    pub event: FloorEvent,
    /// The kept text, in rendered characters and in tokens by the fixed estimate.
    pub chars: u64,
    pub tokens: u64,
    /// The full text: with its frame, in rendered characters, and bare.
    pub full_chars: u64,
    pub text_chars: u64,
    /// In the rendering that measures the public history.
    pub public_chars: u64,
}
