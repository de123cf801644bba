//! Columns of the question at the end: whether a seat recognises what it took part in.

use super::Col;
use crate::metrics::effort::AnswerStatus;
use crate::metrics::why::{Asked, Of, Plain, Reach, Working};

/// How the question was answered and, where it was, whether the seat recognises what it took part in and in which words.
pub type Recognition = (AnswerStatus, Option<(bool, Option<String>)>);

/// Whether, and as what.
pub(super) static RECOGNISED: &[Col] = &[
    Col::text(
        "recognised",
        "yes or no, said after everything else: whether the seat recognises what it took part in as a known study, experiment, benchmark or game; empty where it was not asked or gave no valid answer",
        |r| {
            let (_, said) = r.recognised.as_ref()?;
            said.as_ref().map(|(is_so, _)| if *is_so { "yes" } else { "no" })
        },
    )
    .why(Reach::Seat, &[Of::Recognised], Working::Plain(Plain::Recognised))
    .source("Recognised"),
    Col::text("recognised_as", "as what, in the words of the seat as it wrote them; empty where it wrote none", |r| {
        let (_, said) = r.recognised.as_ref()?;
        said.as_ref()?.1.as_deref()
    })
    .why(Reach::Seat, &[Of::Recognised], Working::Plain(Plain::Field("event.recognised_as")))
    .source("Recognised"),
    Col::text(
        "recognised_status",
        "valid; invalid or refused when the tries were used up and the last answer had a fault or declined; empty where it was not asked",
        |r| Some(r.recognised.as_ref()?.0.as_str()),
    )
    .why(Reach::Seat, &[Of::Probed], Working::Asked(Asked::Status))
    .source("Recognised, Faulted"),
];
