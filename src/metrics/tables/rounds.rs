//! Rounds, and the parts of phases outside rounds.

use crate::domain::{AlternativeName, PhaseKindName, PhaseName};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::Effort;
use crate::metrics::part::{Count, Stances};
use crate::metrics::tables::Estimates;
use crate::metrics::why::{Asked, Marks, Of, Plain, Reach, Setting, Spread as Positions, Talk, Vote, Working};
use crate::metrics::{measures, spelling};

mod diversity;
mod estimates;
mod flips;
mod language;
mod opinions;
mod rankings;

pub use language::Language;
pub use opinions::Opinions;
pub use rankings::Rankings;

/// A column of this table.
type Col = Column<RoundRow>;

/// How the seats are spread over the alternatives, by one source.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Seats with a position.
    pub n: u64,
    /// The most frequent alternatives joined by `|`; `None` when there is no position.
    pub modal: Option<String>,
    /// The share of the most frequent.
    pub modal_share: Option<f64>,
    /// Entropy over its maximum.
    pub entropy_norm: Option<f64>,
    /// The share of pairs that agree on the alternative.
    pub pair_agreement: Option<f64>,
    /// The share of pairs that agree on the alternative and the amount.
    pub pair_agreement_exact: Option<f64>,
    /// As many equally frequent alternatives would be as diverse.
    pub effective_options: Option<f64>,
    /// The share of the right alternative, and whether it alone is the most frequent; `None` where nobody knows it.
    pub correct: Option<(f64, bool)>,
}

/// Changes of declared stance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// How many there are, and of how many seats.
    pub stances: Stances,
    /// Whether somebody knows what is right.
    pub has_key: bool,
    /// Switches to and from the majority at the start of the round; `None` when there was none.
    pub majority: Option<(u64, u64)>,
}

/// One round, or a phase's part outside rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundRow {
    /// The phase.
    pub phase: PhaseName,
    /// Its kind.
    pub kind: PhaseKindName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// Seats of the session.
    pub seats: u64,
    /// Statements, passes and forfeits; `None` outside rounds of talk.
    pub turns: Option<[u64; 3]>,
    /// Words on the floor; `None` outside rounds of talk.
    pub words: Option<u64>,
    /// Stances declared in statements; `None` outside rounds of talk.
    pub stance: Option<Spread>,
    /// Straw poll; `None` when none was held.
    pub straw: Option<Spread>,
    /// Vote; `None` when none was held.
    pub ballot: Option<Spread>,
    /// Changes of stance; `None` outside rounds of talk.
    pub switches: Option<Switches>,
    /// Whether a seat called a vote; `None` when none was asked.
    pub vote_called: Option<bool>,
    /// The seats that called the vote, joined by `|`.
    pub called_by: Option<String>,
    /// The seats that did not agree to vote, joined by `|`.
    pub declined_by: Option<String>,
    /// Whether a vote was held.
    pub vote_held: bool,
    /// Whether it decided; `None` without a vote.
    pub decided: Option<bool>,
    /// How unequally words are spread over seats.
    pub speaking_gini: Option<f64>,
    /// How evenly statements are spread over seats.
    pub turn_entropy_norm: Option<f64>,
    /// Abstentions; `None` without a vote.
    pub abstained: Option<u64>,
    /// Proposals that are active when it ends; `None` where no marks are read.
    pub proposals_open: Option<u64>,
    /// Answers, calls, tokens.
    pub effort: Effort,
    /// Seats that made a statement; `None` outside rounds of talk.
    pub spoke: Option<u64>,
    /// What was said; `None` outside rounds of talk.
    pub language: Option<Language>,
    /// Proposals made and decisions stated; `None` where no marks are read.
    pub proposed: Option<[u64; 2]>,
    /// Rankings; `None` without one.
    pub rankings: Option<Rankings>,
    /// Opinions; `None` without one.
    pub opinions: Option<Opinions>,
    /// Amounts declared in statements, named in the straw poll and in the vote; `None` without one, and where there is something to choose.
    pub estimates: [Option<Estimates>; 3],
}

impl Spread {
    /// The spread of what was counted over these alternatives, of which the one at this place is right.
    pub fn of(count: &Count, alternatives: &[AlternativeName], key: Option<usize>) -> Self {
        let total: u32 = count.counts.iter().sum();
        let right = key.filter(|_| total > 0).map(|key| {
            (f64::from(count.counts[key]) / f64::from(total), measures::single_mode(&count.counts) == Some(key))
        });
        let (counts, exact) = (&count.counts, count.exact.values().copied().collect::<Vec<u32>>());
        Self {
            n: counts.iter().map(|count| u64::from(*count)).sum(),
            modal: joined(measures::modes(counts).map(|place| alternatives[place].as_str())),
            modal_share: measures::modal_share(counts),
            entropy_norm: measures::entropy_norm(counts),
            pair_agreement: measures::pair_agreement(counts),
            pair_agreement_exact: measures::pair_agreement(&exact),
            effective_options: measures::effective_options(counts),
            correct: right,
        }
    }
}

/// Names joined by `|`; `None` when there are none.
pub(in crate::metrics) fn joined<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    names.fold(None, |all: Option<String>, name| match all {
        None => Some(name.to_owned()),
        Some(all) => Some(all + "|" + name),
    })
}

/// The six columns of one source of positions.
macro_rules! spread_columns {
    ($columns:ident, $prefix:literal, $field:ident, $what:literal, $empty:literal, $source:literal, $of:expr, $n:expr) => {
        static $columns: &[Col] = &[
            Col::count(concat!($prefix, "_n"), concat!("seats with a position ", $what, "; empty ", $empty), |r| {
                r.$field.as_ref().map(|spread| spread.n)
            })
            .unit("seats")
            .why(Reach::Part, $of, Working::Spread($n))
            .source($source),
            Col::text(
                concat!($prefix, "_modal"),
                concat!(
                    "most frequent alternative ",
                    $what,
                    "; several joined by | are tied, in the order of the alternatives; empty without a position"
                ),
                |r| r.$field.as_ref().and_then(|spread| spread.modal.as_deref()),
            )
            .why(Reach::Part, $of, Working::Spread(Positions::Modal))
            .source($source),
            Col::real(
                concat!($prefix, "_modal_share"),
                concat!("share of the most frequent alternative ", $what, "; empty without a position"),
                |r| r.$field.as_ref().and_then(|spread| spread.modal_share),
            )
            .formula(concat!("max c / ", $prefix, "_n, c the count of an alternative"))
            .why(Reach::Part, $of, Working::Spread(Positions::ModalShare))
            .source($source),
            Col::real(
                concat!($prefix, "_entropy_norm"),
                concat!(
                    "entropy of the positions ",
                    $what,
                    " over its maximum; 0 unanimous, 1 uniform; empty without a position and where there is one alternative"
                ),
                |r| r.$field.as_ref().and_then(|spread| spread.entropy_norm),
            )
            .formula(concat!("-sum p ln p / ln K, p = c / ", $prefix, "_n, K the number of alternatives offered"))
            .why(Reach::Part, $of, Working::Spread(Positions::EntropyNorm))
            .source(concat!($source, "; Shannon 1948")),
            Col::real(
                concat!($prefix, "_pair_agreement"),
                concat!("share of pairs of seats that agree ", $what, "; empty below two seats"),
                |r| r.$field.as_ref().and_then(|spread| spread.pair_agreement),
            )
            .formula(concat!("sum c (c - 1) / (n (n - 1)), n = ", $prefix, "_n"))
            .why(Reach::Part, $of, Working::Spread(Positions::PairAgreement))
            .source($source),
            Col::real(
                concat!($prefix, "_pair_agreement_exact"),
                concat!(
                    "share of pairs of seats that agree ",
                    $what,
                    " on the alternative and on the amount; empty below two seats"
                ),
                |r| r.$field.as_ref().and_then(|spread| spread.pair_agreement_exact),
            )
            .formula(concat!(
                "sum c (c - 1) / (n (n - 1)), c the count of an alternative with an amount, n = ",
                $prefix,
                "_n"
            ))
            .why(Reach::Part, $of, Working::Spread(Positions::PairAgreementExact))
            .source($source),
        ];
    };
}

spread_columns!(
    STANCE,
    "stance",
    stance,
    "among stances declared in this round's statements",
    "outside rounds of talk",
    "Spoke",
    &[Of::Stance],
    Positions::Declared
);
spread_columns!(
    STRAW,
    "straw",
    straw,
    "in the private straw poll",
    "where none was taken",
    "Polled",
    &[Of::Poll],
    Positions::N
);
spread_columns!(
    BALLOT,
    "ballot",
    ballot,
    "in the vote",
    "without one; the position of a ballot that ranks, scores or approves is what stands at its top alone, if anything does; each seat counts once, whatever it weighs",
    "Balloted, Voted",
    &[Of::Ballot],
    Positions::N
);

static PART: &[Col] = &[
    Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
        .why(Reach::Part, &[Of::Any], Working::Plain(Plain::Field("at.phase")))
        .first()
        .source("at.phase"),
    Col::text(
        "phase_kind",
        "kind of the phase: ask, ranking, comprehension, applications, discussion, ballot or settle",
        |r| Some(spelling::phase_kind(r.kind)),
    )
    .why(Reach::Phase, &[Of::PhaseOpened], Working::Plain(Plain::Field("event.kind")))
    .first()
    .source("plan"),
    Col::count("round", "round of the phase, from 1; 0 is the phase's part outside rounds", |r| {
        Some(u64::from(r.round))
    })
    .why(Reach::Part, &[Of::Any], Working::Plain(Plain::Field("at.round")))
    .first()
    .source("at.round"),
    Col::count("seats", "seats of the session", |r| Some(r.seats)).plan(Setting::Seats).unit("seats").source("plan"),
    Col::count("statements", "statements made; empty outside rounds of talk", |r| r.turns.map(|turns| turns[0]))
        .why(Reach::Part, &[Of::Spoke], Working::Plain(Plain::Count))
        .in_talk()
        .unit("statements")
        .source("Spoke"),
    Col::count("passes", "turns passed; empty outside rounds of talk", |r| r.turns.map(|turns| turns[1]))
        .why(Reach::Part, &[Of::Passed], Working::Plain(Plain::Count))
        .in_talk()
        .unit("turns")
        .source("Passed"),
    Col::count("forfeits", "turns lost because the tries were used up; empty outside rounds of talk", |r| {
        r.turns.map(|turns| turns[2])
    })
    .why(Reach::Part, &[Of::Forfeit], Working::Plain(Plain::Count))
    .in_talk()
    .unit("turns")
    .source("Faulted"),
    Col::count("words", "words on the floor, by Unicode's word boundaries; empty outside rounds of talk", |r| r.words)
        .why(Reach::Part, &[Of::Spoke], Working::Talk(Talk::Words))
        .in_talk()
        .unit("words")
        .source("Spoke; Unicode Standard Annex #29"),
];

static TALK: &[Col] = &[
    Col::count("n_switch", "seats that declared another stance than they had declared last in the session; empty outside rounds of talk", |r| {
        r.switches.map(|switches| switches.stances.switched)
    })
.why(Reach::SoFar, &[Of::Stance], Working::Talk(Talk::Switched)).in_talk()
    .unit("seats")
    .source("Spoke"),
    Col::count("switch_n", "seats that declared a stance and had declared one before: the denominator of n_switch; empty outside rounds of talk", |r| {
        r.switches.map(|switches| switches.stances.n)
    })
.why(Reach::SoFar, &[Of::Stance], Working::Talk(Talk::Switchers)).in_talk()
    .unit("seats")
    .source("Spoke"),
    Col::count(
        "to_majority_switches",
        "switches to the majority: the single most frequent of all seats' last declared stances at the start of the round; empty when none is the single most frequent",
        |r| r.switches.and_then(|switches| switches.majority).map(|(to, _)| to),
    )
.why(Reach::SoFar, &[Of::Stance], Working::Talk(Talk::ToMajority)).in_talk()
    .unit("seats")
    .source("Spoke"),
    Col::count(
        "from_majority_switches",
        "switches away from the majority as defined for to_majority_switches; empty when there is none",
        |r| r.switches.and_then(|switches| switches.majority).map(|(_, from)| from),
    )
.why(Reach::SoFar, &[Of::Stance], Working::Talk(Talk::FromMajority)).in_talk()
    .unit("seats")
    .source("Spoke"),
    Col::flag("vote_called", "1 if a seat called for a vote, 0 if none that was asked did; empty where none was asked", |r| r.vote_called)
.why(Reach::Part, &[Of::CallAnswered], Working::Vote(Vote::IsCalled))
        .source("CallAnswered, Faulted"),
    Col::text("called_by", "seats that called for a vote, joined by | in the order of their answers; empty without a call", |r| {
        r.called_by.as_deref()
    })
.why(Reach::Part, &[Of::Called], Working::Vote(Vote::CalledBy))
    .source("CallAnswered"),
    Col::text("declined_by", "seats that did not agree to vote, or had no valid answer, joined by |; a vote is held only if there are none", |r| {
        r.declined_by.as_deref()
    })
.why(Reach::Part, &[Of::Confirmed], Working::Vote(Vote::DeclinedBy))
    .source("Confirmed, Faulted"),
    Col::flag("vote_held", "1 if a vote was counted, else 0", |r| Some(r.vote_held))
.why(Reach::Part, &[Of::Tallied], Working::Plain(Plain::Any)).source("Tallied"),
    Col::flag("decided", "1 if the vote decided, 0 if it did not; empty without a vote", |r| r.decided)
.why(Reach::Part, &[Of::Tallied], Working::Vote(Vote::Decides))
        .source("Tallied"),
    Col::real(
        "speaking_gini",
        "how unequally this round's words are spread over all seats, silent ones included; 0 equal, (n-1)/n one seat spoke; empty without words",
        |r| r.speaking_gini,
    )
.why(Reach::Part, &[Of::Spoke], Working::Talk(Talk::Gini))
    .formula("sum_i sum_j |w_i - w_j| / (2 n sum w), w words, n seats")
    .source("Spoke; Gini 1912"),
    Col::real(
        "turn_entropy_norm",
        "how evenly this round's statements are spread over all seats; 1 when each made as many; empty without statements or with one seat",
        |r| r.turn_entropy_norm,
    )
.why(Reach::Part, &[Of::Spoke], Working::Talk(Talk::TurnEntropy))
    .formula("-sum s ln s / ln n, s a seat's share of statements, n seats")
    .source("Spoke; Shannon 1948"),
];

static EFFORT: &[Col] = &[
    Col::count("n_reasked", "questions answered validly after at least one re-ask", |r| Some(r.effort.reasked))
        .why(Reach::Part, &[Of::Reasked], Working::Plain(Plain::Count))
        .unit("questions")
        .source("every answer"),
    Col::count("n_invalid", "questions whose tries were used up, the last answer being faulty but no refusal", |r| {
        Some(r.effort.invalid)
    })
    .why(Reach::Part, &[Of::Invalid], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count("n_refused", "questions whose tries were used up, the last answer being a refusal", |r| {
        Some(r.effort.refused)
    })
    .why(Reach::Part, &[Of::Refused], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count("n_abstain", "abstentions, with those that invalid ballots became, each as often as its seat's ballots count; empty without a vote", |r| {
        r.abstained
    })
    .why(Reach::Part, &[Of::Tallied], Working::Plain(Plain::Field("event.abstained")))
    .unit("ballots")
    .source("Tallied"),
    Col::count(
        "prompt_tokens",
        "tokens of prompts over the calls that reported them; empty when there were calls and none reported tokens",
        |r| r.effort.prompt_tokens(),
    )
    .why(Reach::Part, &[Of::Call], Working::Asked(Asked::PromptTokens))
    .unit("tokens")
    .source("given.usage"),
    Col::count(
        "completion_tokens",
        "tokens of replies over the calls that reported them; empty when there were calls and none reported tokens",
        |r| r.effort.completion_tokens(),
    )
    .why(Reach::Part, &[Of::Call], Working::Asked(Asked::CompletionTokens))
    .unit("tokens")
    .source("given.usage"),
    Col::count("calls", "answers given by language models, those that did not count included", |r| {
        Some(r.effort.calls)
    })
    .why(Reach::Part, &[Of::Call], Working::Plain(Plain::Count))
    .unit("calls")
    .source("every answer"),
    Col::count(
        "proposals_open",
        "proposals of the session that are active when the round ends; empty outside rounds of talk and where no marks are read",
        |r| r.proposals_open,
    )
    .why(Reach::SoFar, &[Of::Marked, Of::Tested], Working::Marks(Marks::Open))
    .in_marked_talk()
    .unit("proposals")
    .source("Spoke"),
];

/// Behind all others, so that no column moved when it came.
const CACHED: &[Column<RoundRow>] = &[
    Col::count(
        "cached_prompt_tokens",
        "tokens of prompts that services had kept from earlier ones, counted among prompt_tokens, over the calls that reported them; empty when there were calls and none reported any",
        |r| r.effort.cached_prompt_tokens(),
    )
    .why(Reach::Part, &[Of::Call], Working::Asked(Asked::CachedPromptTokens))
    .unit("tokens")
    .source("given.usage"),
];

impl Row for RoundRow {
    const TABLE: &'static str = "rounds";
    const ABOUT: &'static str =
        "one row a round; round 0 is a phase's part outside rounds, if a question was asked there";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[
        PART,
        STANCE,
        STRAW,
        BALLOT,
        TALK,
        EFFORT,
        diversity::STANCE,
        diversity::STRAW,
        diversity::BALLOT,
        flips::FLIPS,
        language::LANGUAGE,
        rankings::RANKINGS,
        opinions::OPINIONS,
        estimates::STANCE,
        estimates::STRAW,
        estimates::BALLOT,
        CACHED,
    ];
}
