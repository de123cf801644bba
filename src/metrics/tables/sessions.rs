//! Sessions: how each ended, and what it took.

use std::sync::Arc;

use crate::domain::{AlternativeName, ContextWindow, Digest, LearntForm, NamedChoice, StopReason, TieBreak, Verdict};
use crate::metrics::column::{Column, ColumnSpec, Row};
use crate::metrics::effort::Effort;
use crate::metrics::facts::{ArmFacts, Determinism, RightAnswer};
use crate::metrics::layout::Layout;
use crate::metrics::part::{MarkCounts, Stances};
use crate::metrics::spelling;
use crate::metrics::tables::cited::{Cited, OF_SESSION};
use crate::metrics::tables::{Estimates, HarvestTotals, harvests};
use crate::metrics::why::{Asked, Held, Of, OfSeat, Plain, Reach, Setting, Spread, Talk, Vote, Working};

mod conduct;
mod estimates;
mod matched;
mod options;
mod pay;
mod result;
mod shift;
mod status;
mod worded;

pub use matched::Matched;
pub use options::{OptionCounts, option_of_share};
pub use status::Status;

/// A column of this table.
type Col = Column<SessionRow>;

/// One session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRow {
    /// How far it got.
    pub status: Status,
    /// What all sessions of its arm and item have in common.
    pub arm: Arc<ArmFacts>,
    /// Seats of the session.
    pub seats: u64,
    /// Rounds of talk at the most.
    pub rounds_max: u64,
    /// What can be promised about running it again.
    pub determinism: Determinism,
    /// The digest of its plan.
    pub plan_digest: Digest,
    /// What amounts are counted in; `None` where the scenario does not say.
    pub unit: Option<String>,
    /// The variant of its prompts, and their digest.
    pub prompts: (String, Digest),
    /// The right alternative; `None` where the session has no item, or nobody knows.
    pub key: Option<AlternativeName>,
    /// What is right, amounts with what counts as right around them; `None` where nobody knows.
    pub right: Option<RightAnswer>,
    /// The wrong alternatives that the item names for scripts, whether or not they speak in this arm; empty where it names none.
    pub misleading: Vec<AlternativeName>,
    /// What was measured; `None` unless it is completed.
    pub totals: Option<SessionTotals>,
    /// Whether no other completed session of the arm has the same statements; `None` until all are known.
    pub distinct_transcript: Option<bool>,
}

/// What a completed session amounts to.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionTotals {
    /// How it ended.
    pub verdict: Verdict,
    /// Why it ended.
    pub stop: StopReason,
    /// What was decided for.
    pub result: Option<NamedChoice>,
    /// How the tie was broken of the vote that decided; `None` where there was none.
    pub tie_break: Option<TieBreak>,
    /// Whether the poll before the talk was unanimous; `None` without one.
    pub trivial_consensus: Option<bool>,
    /// Rounds that were opened.
    pub rounds_used: u64,
    /// Whether no decision was reached though votes were held in rounds; `None` without such votes.
    pub censored: Option<bool>,
    /// Rounds until the decision; `None` when censored or without votes in rounds.
    pub time_to_decision: Option<u64>,
    /// Rounds in which a vote was called.
    pub votes_called: u64,
    /// Votes counted.
    pub votes_held: u64,
    /// The modal share of the poll before the talk.
    pub straw_before_modal_share: Option<f64>,
    /// The modal share of the poll after the talk.
    pub straw_after_modal_share: Option<f64>,
    /// The ballots of the last vote and the choices of the straw polls before and after the talk, by alternative.
    pub option_counts: [OptionCounts; 3],
    /// How far the seats that answered the polls before and after the talk moved from one to the other, from −1 to 1.
    pub straw_shifts: Vec<f64>,
    /// The only alternative that more than half of the valid ballots of the first vote count for.
    pub first_ballot_majority: Option<AlternativeName>,
    /// Whether it was decided for in the end.
    pub fbm_matches_final: Option<bool>,
    /// Seats whose last poll differs from their stance then, and seats with both.
    pub private_gap: (u64, u64),
    /// The mean footrule between the seats' first and last rankings.
    pub rank_footrule_mean: Option<f64>,
    /// The mean over the seats that were paid of what was paid for practice rounds and for the settlement, in cents.
    pub paid_cents_mean: [Option<f64>; 2],
    /// Whether the amount decided for removed a table from the settlement's, and whether the highest mean picks the same; `None` where
    /// nothing was decided or paid.
    pub settlement: Option<(Option<bool>, bool)>,
    /// How unequally words are spread over seats.
    pub speaking_gini: Option<f64>,
    /// Statements made.
    pub statements: u64,
    /// Words on the floor.
    pub words: u64,
    /// Turns lost.
    pub forfeits: u64,
    /// What prompts lacked of public statements because these were shortened, summed over seats and rounds, in characters.
    pub cut_chars: u64,
    /// The same because statements were left out.
    pub dropped_chars: u64,
    /// Memories rewritten.
    pub rewrites: u64,
    /// Answers, calls, tokens.
    pub effort: Effort,
    /// The models that services say they used, sorted.
    pub models_served: Vec<String>,
    /// The context windows that were learnt when it began.
    pub windows: Vec<ContextWindow>,
    /// The forms of replies that were learnt when it began.
    pub forms: Vec<LearntForm>,
    /// What its votes are matched to.
    pub matched: Matched,
    /// Seats excluded because they failed a test.
    pub seats_excluded: u64,
    /// Seats whose last declared stance is what was decided, and seats that declared one; `None` without a decision.
    pub final_stance: Option<(u64, u64)>,
    /// The first round of talk whose convergence reached the threshold.
    pub converged_round: Option<u32>,
    /// Changes of declared stance.
    pub switches: Stances,
    /// Changes from the straw poll before the talk to that after it; `None` where nobody knows what is right.
    pub polls: Option<Stances>,
    /// The alternatives of the seats' valid choices in the straw polls before and after the talk and in their last ballots; only where
    /// the session has an item.
    pub chosen: [Vec<u32>; 3],
    /// Seats that made a statement.
    pub spoke: u64,
    /// Valid ballots and abstentions, over all votes; `None` without a vote.
    pub ballots: Option<[u64; 2]>,
    /// Amounts in the straw polls before and after the talk; `None` without one, and where there is something to choose.
    pub estimates: [Option<Estimates>; 2],
    /// The squared error of the amount decided for.
    pub result_error: Option<f64>,
    /// The right amount; `None` where nobody knows, or an alternative is right.
    pub right_amount: Option<u32>,
    /// Proposals and decisions; `None` where no marks are read.
    pub marks: Option<MarkCounts>,
    /// What was said of the facts of the case; `None` where no seat was told any.
    pub cited: Option<Cited>,
    /// What the harvests of a common stock come to; `None` where there is none.
    pub harvests: Option<HarvestTotals>,
    /// The digest of all statements with their speakers.
    pub transcript: Digest,
    /// The digest of the minutes.
    pub minutes_digest: Digest,
}

impl SessionRow {
    /// The group's choice: `Some(1)` carried, `Some(0)` no decision, `None` where the agenda holds no vote or it is not completed.
    fn carried(&self) -> Option<bool> {
        match self.totals.as_ref()?.verdict {
            Verdict::Carried => Some(true),
            Verdict::NoDecision | Verdict::NoQuorum => Some(false),
            Verdict::NotApplicable | Verdict::Imposed => None,
        }
    }
}

static OUTCOME: &[Col] = &[
    Col::text(
        "status",
        "completed; incomplete: stopped and resumable; failed. Only completed sessions have measurements, here and in other tables",
        |r| {
            Some(match r.status {
                Status::Completed => "completed",
                Status::Incomplete => "incomplete",
                Status::Failed(_) => "failed",
            })
        },
    )
.why(Reach::Session, &[], Working::Plain(Plain::Status))
    .source("run"),
    Col::text("fault", "why a failed session could not go on; empty otherwise", |r| match &r.status {
        Status::Failed(fault) => Some(fault),
        Status::Completed | Status::Incomplete => None,
    })
.why(Reach::Session, &[], Working::Plain(Plain::Fault))
    .source("run"),
    Col::text(
        "outcome",
        "carried: one alternative was decided for by vote; imposed: the decision was given; no_decision; no_quorum: no decision, and too few ballots of the last vote were valid; not_applicable: no vote was held, for the agenda holds none or the common stock was gone before, or every seat was excluded",
        |r| {
            r.totals.as_ref().map(|t| match t.verdict {
                Verdict::Carried => "carried",
                Verdict::Imposed => "imposed",
                Verdict::NoDecision => "no_decision",
                Verdict::NoQuorum => "no_quorum",
                Verdict::NotApplicable => "not_applicable",
            })
        },
    )
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Field("event.verdict")))
    .source("Adjourned"),
    Col::text("result", "alternative decided for; empty without a decision", |r| {
        r.totals.as_ref()?.result.as_ref().map(|choice| choice.alternative.as_str())
    })
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Field("event.decided.alternative")))
    .source("Adjourned"),
    Col::count("amount", "amount decided for with it; empty where the alternative takes none", |r| {
        r.totals.as_ref()?.result.as_ref()?.amount.map(u64::from)
    })
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Field("event.decided.amount")))
    .unit("units of the scenario")
    .source("Adjourned"),
    Col::flag(
        "correct",
        "1 if what was decided for is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a decision, and where nobody knows",
        |r| {
            let result = r.totals.as_ref()?.result.as_ref()?;
            r.right.as_ref()?.is_given_by(&result.alternative, result.amount)
        },
    )
    .why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Correct))
    .source("Adjourned, and the file of items or Dealt"),
    Col::flag("carried", "1 if the group decided by vote (outcome is carried), 0 if not (no_decision or no_quorum); else empty", SessionRow::carried)
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Carried)).source("Adjourned"),
    Col::flag(
        "trivial_consensus",
        "1 if all valid answers to the straw poll before the talk said the same: the same alternative, and the same amount where one is named; empty without that poll or a valid answer",
        |r| r.totals.as_ref()?.trivial_consensus,
    )
.why(Reach::Session, &[Of::PollBefore], Working::Spread(Spread::Trivial))
    .source("Polled"),
    Col::count("rounds_max", "rounds of talk at the most, over all phases", |r| Some(r.rounds_max))
.plan(Setting::RoundsMax)
        .unit("rounds")
        .source("plan"),
    Col::count("rounds_used", "rounds of talk that were opened", |r| r.totals.as_ref().map(|t| t.rounds_used))
.why(Reach::Session, &[Of::RoundOpened], Working::Plain(Plain::Count))
        .unit("rounds")
        .source("RoundOpened"),
    Col::flag(
        "censored",
        "1 if the session ended without a decision although votes are held in rounds (at their end or on call), 0 if it decided; empty where no vote is held in a round",
        |r| r.totals.as_ref()?.censored,
    )
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Censored))
    .source("Adjourned"),
    Col::count(
        "time_to_decision",
        "rounds used when the decision fell; empty when censored and where no vote is held in a round",
        |r| r.totals.as_ref()?.time_to_decision,
    )
.why(Reach::Session, &[Of::RoundOpened, Of::Adjourned], Working::Plain(Plain::TimeToDecision))
    .unit("rounds")
    .source("RoundOpened, Adjourned"),
    Col::count("votes_called", "rounds in which a seat called for a vote", |r| r.totals.as_ref().map(|t| t.votes_called))
.why(Reach::Session, &[Of::Called], Working::Plain(Plain::Rounds))
        .unit("rounds")
        .source("CallAnswered"),
    Col::count("votes_held", "votes that were counted; straw polls are not", |r| {
        r.totals.as_ref().map(|t| t.votes_held)
    })
.why(Reach::Session, &[Of::Tallied], Working::Plain(Plain::Count))
    .unit("votes")
    .source("Tallied"),
    Col::text("stop_reason", "why it ended: decided, rounds_used_up, undecided, imposed, converged (statements had become alike, which ended the talk, and nothing was decided), nobody_left (every seat was excluded), collapsed (the common stock was gone) or agenda_done", |r| {
        r.totals.as_ref().map(|t| spelling::stop(t.stop))
    })
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Field("event.stop")))
    .source("Adjourned"),
];

static POSITIONS: &[Col] = &[
    Col::real(
        "straw_before_modal_share",
        "share of the most frequent alternative in the straw poll before the talk, of its valid answers; empty without it",
        |r| r.totals.as_ref()?.straw_before_modal_share,
    )
.why(Reach::Session, &[Of::PollBefore], Working::Spread(Spread::ModalShare))
    .formula("max c / n")
    .source("Polled"),
    Col::real(
        "straw_after_modal_share",
        "share of the most frequent alternative in the straw poll after the talk, of its valid answers; empty without it",
        |r| r.totals.as_ref()?.straw_after_modal_share,
    )
.why(Reach::Session, &[Of::PollAfter], Working::Spread(Spread::ModalShare))
    .formula("max c / n")
    .source("Polled"),
    Col::text(
        "first_ballot_majority",
        "alternative that more than half of the valid ballots of the first vote count for, by count and valid in tallies, whatever the amount; empty when none is, when several are, as ballots that rank, score or approve allow, and without a vote",
        |r| r.totals.as_ref()?.first_ballot_majority.as_ref().map(AlternativeName::as_str),
    )
.why(Reach::Session, &[Of::Tallied], Working::Vote(Vote::FirstMajority)).first()
    .source("Tallied; Kalven and Zeisel 1966"),
    Col::flag(
        "fbm_matches_final",
        "1 if the alternative with a majority in the first vote (first_ballot_majority) was decided for in the end, 0 if another or none was; empty without such an alternative",
        |r| r.totals.as_ref()?.fbm_matches_final,
    )
.why(Reach::Session, &[Of::Tallied, Of::Adjourned], Working::Vote(Vote::FirstMatches)).ends()
    .source("Tallied, Adjourned"),
    Col::real(
        "rank_footrule_mean",
        "mean over seats with two rankings or more of how far the last is from the first; 0 the same, floor(K K / 2) at the most for K alternatives",
        |r| r.totals.as_ref()?.rank_footrule_mean,
    )
.why(Reach::Session, &[Of::Ranked], Working::Seat(OfSeat::FootruleMean))
    .unit("ranks")
    .formula("mean of rank_footrule in seats")
    .source("Ranked; Spearman 1906, Diaconis and Graham 1977"),
    Col::real(
        "public_private_gap",
        "share of seats whose last straw-poll choice differs from the stance they had declared last by then; empty when public_private_n is 0",
        |r| {
            let (differing, n) = r.totals.as_ref()?.private_gap;
            (n > 0).then(|| differing as f64 / n as f64)
        },
    )
.why(Reach::Session, &[Of::Stance, Of::Poll], Working::Talk(Talk::PrivateGap))
    .formula("differing seats / public_private_n")
    .source("Spoke, Polled"),
    Col::real(
        "speaking_gini",
        "inequality of the session's words over all seats, silent ones included; 0 equal, (n-1)/n one seat spoke; empty without words",
        |r| r.totals.as_ref()?.speaking_gini,
    )
.why(Reach::Session, &[Of::Spoke], Working::Talk(Talk::Gini))
    .formula("sum_i sum_j |w_i - w_j| / (2 n sum w), w words, n seats")
    .source("Spoke; Gini 1912"),
];

static EFFORT: &[Col] = &[
    Col::count("seats", "seats of the session", |r| Some(r.seats))
.plan(Setting::Seats).unit("seats").source("plan"),
    Col::count("statements", "statements made", |r| r.totals.as_ref().map(|t| t.statements))
.why(Reach::Session, &[Of::Spoke], Working::Plain(Plain::Count))
        .unit("statements")
        .source("Spoke"),
    Col::count("words", "words on the floor, by Unicode's word boundaries", |r| r.totals.as_ref().map(|t| t.words))
.why(Reach::Session, &[Of::Spoke], Working::Talk(Talk::Words))
        .unit("words")
        .source("Spoke; Unicode Standard Annex #29"),
    Col::count("answers", "questions settled, however often each was put; the recognition probe left out", |r| {
        r.totals.as_ref().map(|t| t.effort.answers())
    })
.why(Reach::Session, &[Of::Settled], Working::Asked(Asked::Answers))
    .unit("questions")
    .formula("n_first_try + n_reasked + n_invalid + n_refused")
    .source("every answer"),
    Col::count("n_first_try", "questions answered validly at the first try; the recognition probe left out", |r| {
        r.totals.as_ref().map(|t| t.effort.first_try)
    })
.why(Reach::Session, &[Of::FirstTry], Working::Plain(Plain::Count))
    .unit("questions")
    .source("every answer"),
    Col::count("n_reasked", "questions answered validly after at least one re-ask; the recognition probe left out", |r| {
        r.totals.as_ref().map(|t| t.effort.reasked)
    })
.why(Reach::Session, &[Of::Reasked], Working::Plain(Plain::Count))
    .unit("questions")
    .source("every answer"),
    Col::count("n_invalid", "questions left with a faulty answer: the tries were used up, and the last answer was no refusal; the recognition probe left out", |r| {
        r.totals.as_ref().map(|t| t.effort.invalid)
    })
.why(Reach::Session, &[Of::Invalid], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count("n_refused", "questions left with a refusal: the tries were used up, and the last answer was one; the recognition probe left out", |r| {
        r.totals.as_ref().map(|t| t.effort.refused)
    })
.why(Reach::Session, &[Of::Refused], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count("n_forfeit", "turns lost because the tries were used up; also in n_invalid or n_refused", |r| {
        r.totals.as_ref().map(|t| t.forfeits)
    })
.why(Reach::Session, &[Of::Forfeit], Working::Plain(Plain::Count))
    .unit("turns")
    .source("Faulted"),
    Col::flag(
        "distinct_transcript",
        "1 if no other completed session of the arm has the same transcript (the same statements by the same seats in the same order); empty where nobody spoke",
        |r| r.distinct_transcript,
    )
.why(Reach::Session, &[Of::Spoke], Working::Talk(Talk::Distinct))
    .source("Spoke, over the sessions of the arm"),
    Col::count("calls", "calls that language models answered, those that did not count included", |r| {
        r.totals.as_ref().map(|t| t.effort.calls)
    })
.why(Reach::Session, &[Of::Call], Working::Plain(Plain::Count))
    .unit("calls")
    .source("every answer"),
    Col::count(
        "prompt_tokens",
        "tokens of prompts over the calls that reported them; empty when there were calls and none reported tokens",
        |r| r.totals.as_ref()?.effort.prompt_tokens(),
    )
.why(Reach::Session, &[Of::Call], Working::Asked(Asked::PromptTokens))
    .unit("tokens")
    .source("given.usage"),
    Col::count(
        "completion_tokens",
        "tokens of replies over the calls that reported them; empty when there were calls and none reported tokens",
        |r| r.totals.as_ref()?.effort.completion_tokens(),
    )
.why(Reach::Session, &[Of::Call], Working::Asked(Asked::CompletionTokens))
    .unit("tokens")
    .source("given.usage"),
    Col::count(
        "memory_dropped_chars",
        "characters that seats' last prompts of the rounds lacked because statements were left out: the sum of seat_rounds.dropped_chars",
        |r| r.totals.as_ref().map(|t| t.dropped_chars),
    )
.why(Reach::Session, &[Of::RoundClosed], Working::Seat(OfSeat::MemorySum(Held::Dropped)))
    .unit("characters")
    .source("RoundClosed"),
    Col::count("memory_rewrites", "answers that rewrote the memory of a seat: integrations and compressions", |r| {
        r.totals.as_ref().map(|t| t.rewrites)
    })
.why(Reach::Session, &[Of::Integrated, Of::Compressed], Working::Plain(Plain::Count))
    .unit("answers")
    .formula("sum of integrations and compressions in seat_rounds")
    .source("Integrated, Compressed"),
    Col::text(
        "determinism",
        "recomputed: all seats are simulated, the same bytes on any machine; recorded: the same bytes from the recorded model calls",
        |r| Some(r.determinism.as_str()),
    )
.plan(Setting::Determinism)
    .source("plan"),
    Col::text("plan_digest", "BLAKE3 digest of the session's own plan", |r| Some(r.plan_digest.as_str()))
.plan(Setting::PlanDigest).source("plan"),
    Col::text("minutes_digest", "BLAKE3 digest of the session's minutes", |r| {
        r.totals.as_ref().map(|t| t.minutes_digest.as_str())
    })
.why(Reach::Session, &[Of::Any], Working::Plain(Plain::MinutesDigest)).ends()
    .source("minutes"),
    Col::count("public_private_n", "seats with a stance and a later straw-poll choice: the denominator of public_private_gap", |r| {
        r.totals.as_ref().map(|t| t.private_gap.1)
    })
.why(Reach::Session, &[Of::Stance, Of::Poll], Working::Talk(Talk::PrivateN))
    .unit("seats")
    .source("Spoke, Polled"),
    Col::count("seats_excluded", "seats excluded because they failed the comprehension test", |r| {
        r.totals.as_ref().map(|t| t.seats_excluded)
    })
.why(Reach::Session, &[Of::Tested], Working::Seat(OfSeat::ExcludedSeats))
    .unit("seats")
    .formula("sum of excluded in seats")
    .source("Tested, Faulted"),
    Col::real(
        "final_stance_share",
        "share of seats whose stance declared last is the alternative decided for, whatever the amount, of the seats that declared one: \
do the final statements favour what was decided; empty without a decision or a stance",
        |r| {
            let (favouring, n) = r.totals.as_ref()?.final_stance?;
            (n > 0).then(|| favouring as f64 / n as f64)
        },
    )
.why(Reach::Session, &[Of::Stance, Of::Adjourned], Working::Vote(Vote::FinalStance))
    .formula("favouring seats / seats that declared a stance")
    .source("Spoke, Adjourned"),
    Col::count(
        "thinking_tokens",
        "tokens that models thought with, counted among completion_tokens, over the calls that reported them; empty when there were calls and none reported any",
        |r| r.totals.as_ref()?.effort.thinking_tokens(),
    )
.why(Reach::Session, &[Of::Call], Working::Asked(Asked::ThinkingTokens))
    .unit("tokens")
    .source("given.usage"),
    Col::money(
        "cost_usd",
        "cost of the answers by the prices that plan.yaml has for their models; empty when that of one is not known. Attempts that brought no answer are in experiment.json",
        |r| r.totals.as_ref()?.effort.cost(),
    )
.why(Reach::Session, &[Of::Call], Working::Asked(Asked::Cost))
    .formula("sum of cost_usd in answers")
    .source("given.usage, plan"),
];

static CUT: &[Col] = &[Col::count(
    "memory_cut_chars",
    "characters that seats' last prompts of the rounds lacked because statements were shortened: the sum of seat_rounds.cut_chars",
    |r| r.totals.as_ref().map(|t| t.cut_chars),
)
.why(Reach::Session, &[Of::RoundClosed], Working::Seat(OfSeat::MemorySum(Held::Cut)))
.unit("characters")
.source("RoundClosed")];

/// The group of columns behind which those of the alternatives stand.
const OPEN_GROUP: usize = SessionRow::COLUMNS.len() - 2;

/// Behind all others, so that no column moved when it came.
const CACHED: &[Column<SessionRow>] = &[
    Col::count(
        "cached_prompt_tokens",
        "tokens of prompts that services had kept from earlier ones, counted among prompt_tokens, over the calls that reported them; empty when there were calls and none reported any",
        |r| r.totals.as_ref()?.effort.cached_prompt_tokens(),
    )
    .why(Reach::Session, &[Of::Call], Working::Asked(Asked::CachedPromptTokens))
    .unit("tokens")
    .source("given.usage"),
];

impl Row for SessionRow {
    const TABLE: &'static str = "sessions";
    const ABOUT: &'static str = "one row a session, completed or not";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[
        OUTCOME,
        POSITIONS,
        pay::PAY,
        EFFORT,
        matched::MATCHED,
        conduct::CONDUCT,
        OF_SESSION,
        result::RESULT,
        estimates::BEFORE,
        estimates::AFTER,
        estimates::RESULT,
        shift::SHIFT,
        worded::ALL,
        harvests::OF_SESSION,
        estimates::RELATIVE,
        result::CONFORMED,
        CUT,
        CACHED,
    ];

    fn open_specs(group: usize, layout: &Layout) -> Vec<ColumnSpec> {
        if group == OPEN_GROUP { options::specs(layout) } else { Vec::new() }
    }

    fn put_open(&self, group: usize, out: &mut Vec<u8>) {
        if group == OPEN_GROUP {
            options::put(self, out);
        }
    }
}
