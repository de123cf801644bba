//! The table of rounds and of the parts of phases outside rounds.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::counts::Stances;
use crate::analysis::effort::Effort;
use crate::analysis::measures::share_of;
use crate::analysis::tables::Estimates;
use crate::domain::{PhaseKindName, PhaseName};

mod language;
mod opinions;
mod rankings;
mod spread;

pub use language::RoundLanguage;
pub use opinions::Opinions;
pub use rankings::Rankings;
pub use spread::{Diversity, Spread};

/// Changes of declared stance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// Counts of changes.
    pub stances: Stances,
    /// Whether the right alternative is known.
    pub has_key: bool,
    /// Switches to and from the majority at the start of the round; `None` without a majority.
    pub majority: Option<(u64, u64)>,
}

columns! {
    /// One round, or a phase's part outside rounds.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RoundRow as r {
        /// Statements, passes and forfeits; `None` outside rounds of talk.
        pub turns: Option<[u64; 3]>,
        /// Stances declared in statements; `None` outside rounds of talk.
        pub stance: Option<Spread>,
        /// Straw poll; `None` when none was held.
        pub straw: Option<Spread>,
        /// Vote; `None` when none was held.
        pub ballot: Option<Spread>,
        /// Changes of stance; `None` outside rounds of talk.
        pub switches: Option<Switches>,
        /// Answers, calls, tokens.
        pub effort: Effort,
        /// Seats that made a statement; `None` outside rounds of talk.
        pub spoke: Option<u64>,
        /// What was said; `None` outside rounds of talk.
        pub language: Option<RoundLanguage>,
        /// Proposals made and decisions stated; `None` where no marks are read.
        pub proposed: Option<[u64; 2]>,
        /// Rankings; `None` without one.
        pub rankings: Option<Rankings>,
        /// Opinions; `None` without one.
        pub opinions: Option<Opinions>,
        /// Amounts declared in statements, named in the straw poll and in the vote; `None` without one, and where there is something to
        /// choose.
        pub estimates: [Option<Estimates>; 3],
    }

    /// phase, by its name in the agenda
    phase: PhaseName => Part[Any] First, "at.phase";
    /// kind of the phase: brief, ask, ranking, comprehension, applications, discussion, vote, compute or pay
    phase_kind: PhaseKindName => Phase[PhaseOpened] First, "plan";
    /// round of the phase, from 1; 0 is the phase's part outside rounds
    round: u32 => Part[Any] First, "at.round";
    /// seats that take part in the phase, with those that a test excluded; in a round of talk those of them whose role speaks
    seats: u64 => Phase[PhaseOpened], "PhaseOpened and the plan", unit: "seats";
    /// statements made; empty outside rounds of talk
    statements: u64 = r.turns?[0] => Part[Spoke], "statement", unit: "statements";
    /// turns passed; empty outside rounds of talk
    passes: u64 = r.turns?[1] => Part[Passed], "statement", unit: "turns";
    /// turns lost because the tries were used up; empty outside rounds of talk
    forfeits: u64 = r.turns?[2] => Part[Forfeit], "Faulted", unit: "turns";
    /// words on the floor, by Unicode's word boundaries; empty outside rounds of talk
    words: Option<u64> => Part[Spoke], "statement; Unicode Standard Annex #29", unit: "words";
    group "stance" Spread = r.stance.as_ref() => Part[Stance], what: "among stances declared in this round's statements", empty: "outside rounds of talk", source: "statement";
    group "straw" Spread = r.straw.as_ref() => Part[Poll], what: "in the private straw poll", empty: "where none was taken", source: "straw_poll";
    group "ballot" Spread = r.ballot.as_ref() => Part[AlternativesBallot], what: "in the vote", empty: "without one; the position of a ballot that ranks, scores or approves is what stands at its top alone, if anything does; each seat counts once, whatever it weighs", source: "ballot";
    /// seats that declared another stance than they had declared last in the session, in whichever pass; empty outside rounds of talk, and
    /// where an amount alone is decided, so that there is one alternative to declare
    n_switch: u64 = r.switches?.stances.switched => SoFar[Stance], "statement", unit: "seats";
    /// seats that declared a stance and had declared one before: the denominator of n_switch; empty where n_switch is
    switch_n: u64 = r.switches?.stances.n => SoFar[Stance], "statement", unit: "seats";
    /// switches to the majority: the single most frequent of all seats' last declared stances at the start of the round; empty when none is
    /// the single most frequent
    to_majority_switches: u64 = r.switches?.majority?.0 => SoFar[Stance], "statement", unit: "seats";
    /// switches away from the majority as defined for to_majority_switches; empty when there is none
    from_majority_switches: u64 = r.switches?.majority?.1 => SoFar[Stance], "statement", unit: "seats";
    /// 1 if a seat called for a vote, 0 if none that was asked did; empty where none was asked
    vote_called: Option<bool> => Part[CallAnswered], "vote_call, Faulted";
    /// seats that called for a vote, joined by | in the order of their answers; empty without a call
    called_by: Option<String> => Part[Called], "vote_call";
    /// seats that did not agree to vote, or had no valid answer, joined by |; a vote is held only if there are none
    declined_by: Option<String> => Part[Confirmed], "confirmation, Faulted";
    /// 1 if a vote was counted, else 0
    vote_held: bool => Part[Tallied], "Tallied";
    /// 1 if the vote decided, 0 if it did not; empty without a vote
    decided: Option<bool> => Part[Tallied], "Tallied";
    /// how unequally this round's words are spread over the seats that seats counts, silent ones included; 0 equal, (n-1)/n one seat spoke;
    /// empty without words
    speaking_gini: Option<f64> => OpenedPart[Spoke, PhaseOpened], "statement; Gini 1912",
        formula: "sum_i sum_j |w_i - w_j| / (2 n sum w), w words, n seats";
    /// how evenly this round's statements are spread over the seats that seats counts; 1 when each made as many; empty without statements
    /// or with one seat
    turn_entropy_norm: Option<f64> => OpenedPart[Spoke, PhaseOpened], "statement; Shannon 1948",
        formula: "-sum s ln s / ln n, s a seat's share of statements, n seats";
    /// questions answered validly after at least one re-ask
    n_reasked: u64 = r.effort.reasked => Part[Reasked], "every answer", unit: "questions";
    /// questions whose tries were used up, the last answer being faulty but no refusal
    n_invalid: u64 = r.effort.invalid => Part[Invalid], "Faulted", unit: "questions";
    /// questions whose tries were used up, the last answer being a refusal
    n_refused: u64 = r.effort.refused => Part[Refused], "Faulted", unit: "questions";
    /// abstentions, with those that invalid ballots became, each as often as its seat's ballots count; empty without a vote
    n_abstain: Option<u64> => Part[Tallied], "Tallied", unit: "ballots";
    /// tokens of prompts over the calls that reported them; empty when there were calls and none reported tokens
    prompt_tokens: u64 = r.effort.prompt_tokens() => Part[Call], "given.usage", unit: "tokens";
    /// tokens of replies over the calls that reported them; empty when there were calls and none reported tokens
    completion_tokens: u64 = r.effort.completion_tokens() => Part[Call], "given.usage", unit: "tokens";
    /// answers given by language models, those that did not count included
    calls: u64 = r.effort.calls => Part[Call], "every answer", unit: "calls";
    /// proposals of the session that are active when the round ends; empty outside rounds of talk and where no marks are read
    proposals_open: Option<u64> => SoFar[Marked, Tested, LimitedPhase], "statement", unit: "proposals";
    group "stance" Diversity = Some(&r.stance.as_ref()?.diversity) => Part[Stance], what: "among stances declared in this round's statements", source: "statement";
    group "straw" Diversity = Some(&r.straw.as_ref()?.diversity) => Part[Poll], what: "in the private straw poll", source: "straw_poll";
    group "ballot" Diversity = Some(&r.ballot.as_ref()?.diversity) => Part[AlternativesBallot], what: "in the vote", source: "ballot";
    /// share of the seats that declared a stance and had declared one before that declared another one; empty when switch_n is 0
    switch_rate: f64 = r.switches?.stances.change_rate() => SoFar[Stance], "statement", formula: "n_switch / switch_n";
    /// seats that had declared the key last and declared another alternative in this round; empty outside rounds of talk and where there is
    /// no key
    flip_cw: u64 = r.key_flips()?.from_right[0] => SoFar[Stance], "statement and the key", unit: "seats";
    /// seats that had declared the key last and declared a stance in this round: the denominator of flip_cw
    flip_cw_n: u64 = r.key_flips()?.from_right[1] => SoFar[Stance], "statement and the key", unit: "seats";
    /// seats that had declared another alternative than the key last and declared the key in this round; empty outside rounds of talk and
    /// where there is no key
    flip_wc: u64 = r.key_flips()?.to_right[0] => SoFar[Stance], "statement and the key", unit: "seats";
    /// seats that had declared another alternative than the key last and declared a stance in this round: the denominator of flip_wc
    flip_wc_n: u64 = r.key_flips()?.to_right[1] => SoFar[Stance], "statement and the key", unit: "seats";
    /// share of the seats that made a statement; empty outside rounds of talk
    participation_rate: f64 = share_of(r.spoke?, r.seats) => OpenedPart[Spoke, PhaseOpened], "statement", formula: "seats with a statement / seats";
    /// proposals made in the round; empty outside rounds of talk and where no marks are read
    n_proposals: u64 = r.proposed?[0] => Part[Marked], "statement", unit: "proposals";
    /// decisions stated in the round; empty outside rounds of talk and where no marks are read
    n_decisions: u64 = r.proposed?[1] => Part[Marked], "statement", unit: "decisions";
    group RoundLanguage = r.language.as_ref();
    group Rankings = r.rankings.as_ref();
    group Opinions = r.opinions.as_ref();
    group "stance" Estimates = r.estimates[0].as_ref() => Part[Stance], n: "stance_n", what: "declared in this round's statements", source: "statement";
    group "straw" Estimates = r.estimates[1].as_ref() => Part[Poll], n: "straw_n", what: "named in the private straw poll", source: "straw_poll";
    group "ballot" Estimates = r.estimates[2].as_ref() => Part[AlternativesBallot], n: "ballot_n", what: "named in the vote", source: "ballot";
    /// tokens of prompts that services had kept from earlier ones, counted among prompt_tokens, over the calls that reported them; empty
    /// when there were calls and none reported any
    cached_prompt_tokens: u64 = r.effort.cached_prompt_tokens() => Part[Call], "given.usage", unit: "tokens";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Part[Any] First, "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Part[Any] First, "at.phase";
}

impl RoundRow {
    /// Changes from and to the right alternative; `None` if it is unknown, and outside rounds of talk.
    fn key_flips(&self) -> Option<Stances> {
        self.switches.filter(|switches| switches.has_key).map(|switches| switches.stances)
    }
}

impl CsvRow for RoundRow {
    const TABLE: &'static str = "rounds";
    const ABOUT: &'static str =
        "one row a round; round 0 is a phase's part outside rounds, if a question was asked there";
}
