//! The driver of a session. One function runs live sessions, resumes, replays and forks. They differ in the backend, and in the
//! minutes that the records are compared with.
//!
//! A resume does not fold the minutes into a state. It conducts the session again from the first record and compares line by line
//! until the lines end. This is cheap, needs no second code path, and rejects minutes that this version does not reproduce before
//! it adds to them.

mod change;
mod conduct;
mod course;
mod forecast;
mod rehearsal;
mod retrace;
mod seat_view;
mod simulated;
mod visibility;
mod witnessed;
mod wording;

pub use change::{ChangedBackend, check_fields, find_steps_asked};
pub use conduct::{Halt, conduct_deliberation};
pub use course::{
    BallotPattern, CallPattern, Disagreement, Player, RehearsalCourse, RehearsedAgreement, ReplyLength, TestPattern,
};
pub use forecast::{CountBounds, Forecast, Load, Spans, StatementsShown, TightestPrompt, forecast_session};
pub use rehearsal::{QUESTIONS_MAX, RehearsalEnd, RehearsedQuestion, rehearse_session};
pub use retrace::{RetraceError, TracedRecord, retrace_session};
pub use seat_view::{
    MemoryRewrite, Omission, OmissionReason, Prompts, SeatSight, SeatSights, SeatView, SeatViewError, ShownEntry,
    build_seat_view, collect_sights,
};
pub use simulated::{SimulatedSeats, play_session, run_simulated};
pub use visibility::{Leak, Visibility};
pub use wording::QuestionWording;
