//! An opinion in a reply: a whole number of hundredths, from 0 to 100, and nothing else.
//!
//! Where one is asked for it must be there, and where none is asked for there may be none.

use serde_json::Value;

use super::anchors::{Anchored, Extent};
use super::fixed::table_number;
use crate::domain::{Ask, Choice, Fault, Opinion, Reply};

/// Whether an opinion is asked for.
pub(in crate::prompt) fn is_asked(ask: &Ask) -> bool {
    matches!(ask, Ask::Statement { opinion: true, .. } | Ask::StrawPoll { opinion: true, .. })
}

/// The opinion of a JSON reply.
pub(super) fn of_json(ask: &Ask, written: Option<&Value>) -> Result<Option<Opinion>, Fault> {
    match (is_asked(ask), written) {
        (false, None) => Ok(None),
        (true, Some(written)) => {
            let hundredths = written.as_u64().and_then(|number| u32::try_from(number).ok());
            hundredths.and_then(Opinion::percent).map(Some).ok_or(Fault::Unreadable)
        }
        (false, Some(_)) | (true, None) => Err(Fault::Unreadable),
    }
}

/// The opinion of a reply in lines. Where none is asked for the line counts for nothing.
pub(super) fn of_lines(ask: &Ask, said: &Anchored<'_>) -> Result<Option<Opinion>, Fault> {
    if !is_asked(ask) {
        return Ok(None);
    }
    let hundredths = table_number(&said.one("OPINION:", Extent::Line)?)?;
    Opinion::percent(hundredths).map(Some).ok_or(Fault::Unreadable)
}

/// A choice, with the opinion told with it.
pub(super) fn with_choice(choice: Choice, opinion: Option<Opinion>) -> Reply {
    opinion.map_or(Reply::Choice(choice), |opinion| Reply::Opined(choice, opinion))
}
