//! The columns of `sessions` and `seats` about the facts of the case. One seat's facts are what it was
//! told, those that every seat was told among them.

use crate::domain::AlternativeName;
use crate::metrics::column::Column;
use crate::metrics::tables::{SeatRow, SessionRow};
use crate::metrics::why::{Of, Reach, Told, Working};

/// A column of `sessions`.
type SessionCol = Column<SessionRow>;
/// A column of `seats`.
type SeatCol = Column<SeatRow>;

/// What was said of the facts of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cited {
    /// Facts that any seat was told.
    pub facts: u64,
    /// How many that every seat was told were cited, and how many of the others.
    pub mentioned: [u64; 2],
    /// How often facts that every seat was told were cited, and how often others: a statement cites a fact once at the most.
    pub mentions: [u64; 2],
}

fn cited(row: &SessionRow) -> Option<Cited> {
    row.totals.as_ref()?.cited
}

const ENTER: &[Of] = &[Of::Dealt, Of::Spoke];

/// Of `sessions`.
pub(super) static OF_SESSION: &[SessionCol] = &[
    SessionCol::count("n_facts", "facts of the case that any seat was told; empty where none was", |r| Some(cited(r)?.facts))
        .why(Reach::Session, ENTER, Working::Told(Told::Facts))
        .unit("facts")
        .source("Dealt"),
    SessionCol::count(
        "n_facts_mentioned",
        "facts told whose id stands in a statement as a whole word; empty where no seat was told any",
        |r| Some(cited(r)?.mentioned.iter().sum()),
    )
    .why(Reach::Session, ENTER, Working::Told(Told::Mentioned))
    .unit("facts")
    .source("Dealt, Spoke"),
    SessionCol::count(
        "n_shared_mentioned",
        "facts mentioned that every seat was told; empty where no seat was told any",
        |r| Some(cited(r)?.mentioned[0]),
    )
    .why(Reach::Session, ENTER, Working::Told(Told::SharedMentioned))
    .unit("facts")
    .source("Dealt, Spoke"),
    SessionCol::count(
        "n_unshared_mentioned",
        "facts mentioned that not every seat was told; empty where no seat was told any",
        |r| Some(cited(r)?.mentioned[1]),
    )
    .why(Reach::Session, ENTER, Working::Told(Told::UnsharedMentioned))
    .unit("facts")
    .source("Dealt, Spoke"),
    SessionCol::real(
        "unshared_mention_share",
        "share of facts that not every seat was told among all mentions; a statement mentions a fact once at the most; empty without a mention",
        |r| {
            let [shared, unshared] = cited(r)?.mentions;
            (shared + unshared > 0).then(|| unshared as f64 / (shared + unshared) as f64)
        },
    )
    .why(Reach::Session, ENTER, Working::Told(Told::UnsharedShare))
    .formula("mentions of unshared facts / mentions")
    .source("Dealt, Spoke; Stasser and Titus 1985"),
];

/// Of `seats`.
pub(super) static OF_SEAT: &[SeatCol] = &[
    SeatCol::text(
        "signal",
        "alternative that the seat was told alone its evidence points to; empty where it was told none",
        |r| r.signal.as_ref().map(AlternativeName::as_str),
    )
    .why(Reach::Session, &[Of::Dealt], Working::Told(Told::Signal))
    .source("Dealt"),
    SeatCol::text(
        "facts",
        "ids of the facts that the seat was told, those that every seat was told among them, joined by |; empty where it was told none",
        |r| r.facts.as_deref(),
    )
    .why(Reach::Session, &[Of::Dealt], Working::Told(Told::Held))
    .source("Dealt"),
];
