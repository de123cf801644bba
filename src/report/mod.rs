//! What people read: the summary of a run and the transcript of a session. Strings only; printing is done elsewhere.

mod absent;
mod amounts;
mod arm;
mod chance;
mod comparison;
mod context;
mod definitions;
mod design;
mod diagnostic;
mod explanation;
mod findings;
mod follow;
mod items;
mod lines;
mod lots;
mod numbers;
pub mod page;
mod plain;
mod reliability;
mod render;
mod retally;
mod right;
mod secrets;
mod sheet;
mod summary;
mod told;
mod transcript;
mod typeset;
mod values;

pub use absent::{and_others, name_extra, name_missing};
pub use amounts::Amounts;
pub use arm::{arm_label, plan_in_words};
pub use chance::Chance;
pub use comparison::{AnalysisKind, BaselineFrom, Comparison, Metric, NullMeasure, capitalise};
pub use context::{
    Context, ContextUsage, CutShown, EntryShown, MessageShown, OmittedShown, RewritingShown, StandingShown,
};
pub use definitions::Method;
pub use design::{
    AlternativeShown, ArmDesign, Bill, Caution, Cost, Design, LINTS, LintContext, LintRule, PriceShown, QuestionShown,
    way_to_decide,
};
pub use diagnostic::{Diagnostic, diagnose, diagnoses_json, render_problems};
pub use explanation::{CallSummary, Explanation, ReadShown, RecordShown, SettingLine, wrapped};
pub use findings::{Finding, Findings, LineShown, WordFound};
pub use follow::Follow;
pub use items::{ConformedShare, CorrectShare, ItemReport, ItemsReport, MeanError};
pub use lots::Lots;
pub use numbers::{counted, grouped, size};
pub use plain::{block, escape_unseen, inert_json, inline, listed, quoted};
pub use render::render;
pub use retally::{
    ArmRecount, Depth, FewestShown, HangsOn, Question, Recounted, Retally, RuleCount, SessionElection, SharesShown,
    TermsShown, last_of_their_kind,
};
pub use right::{Correct, Right};
pub use secrets::cover_secrets_in_lines;
pub use sheet::{Sheet, Style};
pub use summary::{A_TEXT, ArmReport, ChoiceShare, Integrity, Report, StrawChange, Summary, TimeToDecision};
pub use told::{PlanWords, Reader, RecordAudience, RecordForm, RecordWording};
pub use transcript::{Filter, Transcript};
pub use typeset::typeset;
pub use values::ValueReport;
