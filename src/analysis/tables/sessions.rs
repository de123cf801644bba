//! The table of sessions.

use std::sync::Arc;

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::counts::{MarkCounts, Stances};
use crate::analysis::effort::Effort;
use crate::analysis::facts::{ArmFacts, RightAnswer};
use crate::analysis::layout::VariableColumn;
use crate::analysis::measures::{mean_of, share_of};
use crate::analysis::tables::values::put_open_cell;
use crate::analysis::tables::{CitationTotals, Estimates, values, variables};
use crate::domain::{
    AlternativeName, ContextWindow, Digest, Dollars, FieldValue, Holder, LearntForm, NamedChoice, StopReason, TieBreak,
    Verdict,
};

mod matched;
mod options;

pub use matched::VoteMatching;
pub use options::{OptionCounts, is_share_column, option_of_share};

/// The status of a session.
#[derive(Debug, Clone, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    /// It completed.
    Completed,
    /// It was stopped and can be resumed.
    Incomplete,
    /// It failed, for this reason in one word.
    Failed(String),
}

impl Status {
    /// The reason of a failure.
    fn fault(&self) -> Option<&str> {
        match self {
            Status::Failed(fault) => Some(fault),
            Status::Completed | Status::Incomplete => None,
        }
    }
}

columns! {
    /// One session.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SessionRow as r {
        /// How far it got.
        pub status: Status,
        /// What all sessions of its arm and item have in common.
        pub arm: Arc<ArmFacts>,
        /// The right alternative; `None` where the session has no item, or nobody knows.
        pub key: Option<AlternativeName>,
        /// What is right, amounts with what counts as right around them; `None` where nobody knows.
        pub right: Option<RightAnswer>,
        /// The wrong alternatives that the item names for scripts, whether or not they speak in this arm; empty where it names none.
        pub misleading: Vec<AlternativeName>,
        /// What was measured; `None` unless it is completed.
        pub totals: Option<SessionTotals>,
    }

    /// completed; incomplete: stopped and resumable; failed. Only completed sessions have measurements, here and in other tables
    status: str = <&str>::from(&r.status) => Session[], "run";
    /// why a failed session could not go on; empty otherwise
    fault: str = r.status.fault() => Session[], "run";
    /// carried: one alternative was decided for by vote; by_default: no vote decided, and what decision.otherwise says was decided for; imposed: the decision was given; no_decision; no_quorum: no decision, and too few
    /// ballots of the last vote were valid; not_applicable: no vote gives the result, or the common stock was gone before it, or
    /// every seat was excluded
    outcome: Verdict = r.totals()?.verdict => Session[Adjourned], "Adjourned";
    /// alternative decided for; empty without a decision
    result: str = r.decided_choice()?.alternative.as_str() => Session[Adjourned], "Adjourned";
    /// amount decided for; empty without a decision, and where the alternative takes none
    amount: u32 = r.decided_choice()?.amount => Session[Adjourned], "Adjourned", unit: "units of the scenario";
    /// 1 if what was decided for is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an
    /// amount alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a
    /// decision, and where nobody knows
    correct: bool = r.right.as_ref()?.accepts_answer(&r.decided_choice()?.alternative, r.decided_choice()?.amount)
        => Session[Adjourned], "Adjourned, and the file of items or Convened";
    /// 1 if the group decided by vote (outcome is carried), 0 if not (by_default, no_decision or no_quorum); else empty
    carried: bool = r.totals()?.verdict.is_carried() => Session[Adjourned], "Adjourned";
    /// 1 if all valid answers to the straw poll before the talk said the same: the same alternative, and the same amount where one is
    /// named; empty without that poll or a valid answer
    trivial_consensus: bool = r.totals()?.trivial_consensus => Session[PollBefore], "straw_poll";
    /// rounds of talk at the most, over all phases
    rounds_max: u32 = r.arm.rounds_max() => plan(RoundsMax), "plan", unit: "rounds", formula: "the sum over phases and passes; of groups side by side, the greatest";
    /// rounds of talk that were opened
    rounds_used: u64 = r.totals()?.rounds_used => Session[RoundOpened], "RoundOpened", unit: "rounds",
        formula: "the sum over phases and passes; of groups side by side, the greatest";
    /// 1 if no vote decided although votes are held in rounds (at their end or on call), 0 if one did; empty where
    /// no vote is held in a round
    censored: bool = r.totals()?.censored => Session[Adjourned], "Adjourned";
    /// rounds used when the decision fell; empty when censored and where no vote is held in a round
    time_to_decision: u64 = r.totals()?.time_to_decision
        => Session[RoundOpened, Adjourned], "RoundOpened, Adjourned", unit: "rounds";
    /// rounds in which a seat called for a vote
    votes_called: u64 = r.totals()?.votes_called => Session[Called], "vote_call", unit: "rounds";
    /// votes that were counted; straw polls are not
    votes_held: u64 = r.totals()?.votes_held => Session[Tallied], "Tallied", unit: "votes";
    /// why it ended: decided, rounds_used_up, undecided, imposed, converged (statements had become alike, which ended the talk, and no
    /// vote decided), nobody_left (every seat was excluded) or agenda_done
    stop_reason: StopReason = r.totals()?.stop => Session[Adjourned], "Adjourned";
    /// share of the most frequent alternative in the straw poll before the talk, of its valid answers; empty without it, and where an amount
    /// alone is decided, so that there is one alternative
    straw_before_modal_share: f64 = r.totals()?.straw_before_modal_share => Session[PollBefore], "straw_poll", formula: "max c / n";
    /// share of the most frequent alternative in the straw poll after the talk, of its valid answers; empty without it, and where an amount
    /// alone is decided, so that there is one alternative
    straw_after_modal_share: f64 = r.totals()?.straw_after_modal_share => Session[PollAfter], "straw_poll", formula: "max c / n";
    /// alternative that more than half of the valid ballots of the first vote count for, by count and valid in tallies, whatever the
    /// amount; only votes count that decide, in the phase and pass of the last of them, from which the result comes; empty when none is,
    /// when several are, as ballots that rank, score or approve allow, without a vote, and where an amount alone is decided
    first_ballot_majority: str = r.totals()?.first_ballot_majority.as_ref().map(AlternativeName::as_str)
        => Session[DecidingTally] FirstOfPass, "Tallied; Kalven and Zeisel 1966";
    /// 1 if the alternative with a majority in the first vote (first_ballot_majority) was decided for in the end, 0 if another or none was;
    /// empty without such an alternative
    fbm_matches_final: bool = r.totals()?.fbm_matches_final => Session[DecidingTally, Adjourned] EndsOfPass, "Tallied, Adjourned";
    /// mean over seats with two rankings or more of how far the last is from the first; 0 the same, floor(K K / 2) at the most for K
    /// alternatives
    rank_footrule_mean: f64 = r.totals()?.rank_footrule_mean
        => Session[Ranked], "ranking; Spearman 1906, Diaconis and Graham 1977", unit: "ranks",
        formula: "mean of rank_footrule in seats";
    /// share of seats whose last straw-poll choice differs from the stance they had declared last by then; empty when public_private_n is 0
    public_private_gap: f64 = share_of(r.private_gap()?.0, r.private_gap()?.1) => Session[Stance, Poll], "statement, straw_poll",
        formula: "differing seats / public_private_n";
    /// inequality of the session's words over all seats, silent ones included; 0 equal, (n-1)/n one seat spoke; empty without words
    speaking_gini: f64 = r.totals()?.speaking_gini => Session[Spoke], "statement; Gini 1912",
        formula: "sum_i sum_j |w_i - w_j| / (2 n sum w), w words, n seats";
    /// mean over the seats that were paid for practice rounds of what each was paid for them; empty where none was
    payoff_applications_cents_mean: f64 = r.totals()?.paid_cents_mean[0] => Session[PaidApplication], "Paid", unit: "cents",
        formula: "sum of payoff_cents of stage application / seats with such a payoff";
    /// mean over the seats that were paid in the settlement of what each was paid; empty where none was
    payoff_settlement_cents_mean: f64 = r.totals()?.paid_cents_mean[1] => Session[PaidSettlement], "Paid", unit: "cents",
        formula: "sum of payoff_cents of stage settlement / seats with such a payoff";
    /// 1 if the amount decided for removed at least one of the settlement's tables, 0 if it removed none; empty where nothing with an
    /// amount was decided and paid
    binding: bool = r.totals()?.settlement?.0
        => Session[PaidSettlement], "Paid and the settlement's tables; Frohlich and Oppenheimer 1992";
    /// 1 if the highest mean income picks the same of the settlement's tables as what was decided; empty where nothing was decided and paid
    same_as_average: bool = r.totals()?.settlement?.1 => Session[PaidSettlement], "Paid and the settlement's tables";
    /// seats of the session
    seats: u64 = r.seat_count() => plan(Seats), "plan", unit: "seats";
    /// statements made
    statements: u64 = r.totals()?.statements => Session[Spoke], "statement", unit: "statements";
    /// words on the floor, by Unicode's word boundaries
    words: u64 = r.totals()?.words => Session[Spoke], "statement; Unicode Standard Annex #29", unit: "words";
    /// questions settled, however often each was put; the recognition probe left out
    answers: u64 = r.totals()?.effort.settled_questions() => Session[Settled], "every answer", unit: "questions",
        formula: "n_first_try + n_reasked + n_invalid + n_refused";
    /// questions answered validly at the first try; the recognition probe left out
    n_first_try: u64 = r.totals()?.effort.first_try => Session[FirstTry], "every answer", unit: "questions";
    /// questions answered validly after at least one re-ask; the recognition probe left out
    n_reasked: u64 = r.totals()?.effort.reasked => Session[Reasked], "every answer", unit: "questions";
    /// questions left with a faulty answer: the tries were used up, and the last answer was no refusal; the recognition probe left out
    n_invalid: u64 = r.totals()?.effort.invalid => Session[Invalid], "Faulted", unit: "questions";
    /// questions left with a refusal: the tries were used up, and the last answer was one; the recognition probe left out
    n_refused: u64 = r.totals()?.effort.refused => Session[Refused], "Faulted", unit: "questions";
    /// turns lost because the tries were used up; also in n_invalid or n_refused
    n_forfeit: u64 = r.totals()?.forfeits => Session[Forfeit], "Faulted", unit: "turns";
    /// 1 if no other completed session of the arm has the same transcript (the same statements by the same seats in the same order); empty
    /// where nobody spoke
    distinct_transcript: Option<bool> => Session[Spoke], "statement, over the sessions of the arm";
    /// calls that language models answered, those that did not count included
    calls: u64 = r.totals()?.effort.calls => Session[Call], "every answer", unit: "calls";
    /// tokens of prompts over the calls that reported them; empty when there were calls and none reported tokens
    prompt_tokens: u64 = r.totals()?.effort.prompt_tokens() => Session[Call], "given.usage", unit: "tokens";
    /// tokens of replies over the calls that reported them; empty when there were calls and none reported tokens
    completion_tokens: u64 = r.totals()?.effort.completion_tokens() => Session[Call], "given.usage", unit: "tokens";
    /// characters that seats' last prompts of the rounds lacked because statements were left out: the sum of seat_rounds.dropped_chars
    memory_dropped_chars: u64 = r.totals()?.dropped_chars => Session[RoundClosed], "RoundClosed", unit: "characters";
    /// answers that rewrote the memory of a seat: integrations and compressions
    memory_rewrites: u64 = r.totals()?.rewrites => Session[Integrated, Compressed], "integration, compression", unit: "answers",
        formula: "sum of integrations and compressions in seat_rounds";
    /// recomputed: all seats are simulated, the same bytes on any machine; recorded: the same bytes from the recorded model calls
    determinism: str = r.arm.determinism.as_str() => plan(Determinism), "plan";
    /// BLAKE3 digest of the session's own plan
    plan_digest: Digest = &r.arm.plan_digest => plan(PlanDigest), "plan";
    /// BLAKE3 digest of the session's minutes
    minutes_digest: Digest = &r.totals()?.minutes_digest => Session[Any] Ends, "minutes";
    /// seats with a stance and a later straw-poll choice: the denominator of public_private_gap; empty where an amount alone is decided
    public_private_n: u64 = r.private_gap()?.1 => Session[Stance, Poll], "statement, straw_poll", unit: "seats";
    /// seats excluded because they failed the comprehension test
    seats_excluded: u64 = r.totals()?.seats_excluded => Session[Tested], "comprehension, Faulted", unit: "seats",
        formula: "sum of excluded in seats";
    /// share of seats whose stance declared last is the alternative decided for, whatever the amount, of the seats that declared one: do
    /// the final statements favour what was decided; empty without a decision or a stance, and where an amount alone is decided
    final_stance_share: f64 = share_of(r.totals()?.final_stance?.0, r.totals()?.final_stance?.1)
        => Session[Stance, Adjourned], "statement, Adjourned", formula: "favouring seats / seats that declared a stance";
    /// tokens that models thought with, counted among completion_tokens, over the calls that reported them; empty when there were calls and
    /// none reported any
    thinking_tokens: u64 = r.totals()?.effort.thinking_tokens() => Session[Call], "given.usage", unit: "tokens";
    /// cost of the answers by the prices that plan.yaml has for their models; empty when that of one is not known. Attempts that brought no
    /// answer are in experiment.json
    cost_usd: Dollars = r.totals()?.effort.cost() => Session[Call], "given.usage, plan", unit: "USD",
        formula: "sum of cost_usd in answers";
    /// session that the votes of this one are matched to; empty where votes are held once
    match_to: str = r.vote_matching()?.target.as_ref()?.of.session.as_str() => Session[Convened], "Convened";
    /// what is made equal: total_tokens or completion_tokens as model servers count them, or calls: answers, those that did not count
    /// included
    match_unit: str = r.vote_matching()?.target.as_ref()?.unit.as_str() => Session[Convened], "Convened";
    /// samples of the vote of every seat; empty where votes are held once
    match_samples: u32 = r.vote_matching()?.sampled?.samples => Session[Sampled], "Tallied", unit: "samples";
    /// consumption of the session (in match_unit) as a share of that of the other session (match_to); empty where an answer did not tell
    /// it, and where votes are held once
    match_ratio: f64 = share_of(r.vote_matching()?.sampled?.taken?, r.vote_matching()?.target.as_ref()?.amount)
        => Session[Convened, Sampled], "Convened, Tallied", formula: "taken / amount of match_to";
    /// stances declared in rounds of talk that are another than the seat had declared last, in whichever pass; empty where an amount alone is
    /// decided, so that there is one alternative to declare
    n_switch: u64 = r.stance_switches()?.switched => Session[Stance], "statement", unit: "stances", formula: "sum of n_switch in rounds";
    /// stances declared by seats that had declared one before: the denominator of n_switch; empty where n_switch is
    switch_n: u64 = r.stance_switches()?.n => Session[Stance], "statement", unit: "stances", formula: "sum of switch_n in rounds";
    /// share of stances declared after one before that are another one; empty when switch_n is 0
    switch_rate: f64 = r.stance_switches()?.change_rate() => Session[Stance], "statement", formula: "n_switch / switch_n";
    /// seats that chose the key in the straw poll before the talk and another alternative in that after it; empty without both polls and
    /// where there is no key
    flip_cw: u64 = r.poll_flips()?.from_right[0] => Session[PollBefore, PollAfter], "straw_poll and the key", unit: "seats";
    /// seats that chose the key before the talk and chose validly after it: the denominator of flip_cw
    flip_cw_n: u64 = r.poll_flips()?.from_right[1] => Session[PollBefore, PollAfter], "straw_poll and the key", unit: "seats";
    /// seats that chose another alternative than the key in the straw poll before the talk and the key in that after it; empty without both
    /// polls and where there is no key
    flip_wc: u64 = r.poll_flips()?.to_right[0] => Session[PollBefore, PollAfter], "straw_poll and the key", unit: "seats";
    /// seats that chose another alternative than the key before the talk and chose validly after it: the denominator of flip_wc
    flip_wc_n: u64 = r.poll_flips()?.to_right[1] => Session[PollBefore, PollAfter], "straw_poll and the key", unit: "seats";
    /// share of the seats that made a statement
    participation_rate: f64 = share_of(r.totals()?.spoke, r.seat_count()) => Session[Spoke], "statement",
        formula: "seats with a statement / seats";
    /// valid ballots, each as often as it counts, over all votes; empty without a vote
    n_ballots: u64 = r.totals()?.ballots?[0] => Session[Tallied], "Tallied", unit: "ballots";
    /// abstentions, with those that invalid ballots became, each as often as its seat's ballots count, over all votes; empty without a vote
    n_abstain: u64 = r.totals()?.ballots?[1] => Session[Tallied], "Tallied", unit: "ballots";
    /// proposals made; empty where no marks are read
    n_proposals: u64 = r.totals()?.marks?.made => Session[Marked], "statement", unit: "proposals";
    /// decisions stated; empty where no marks are read
    n_decisions: u64 = r.totals()?.marks?.decisions => Session[Marked], "statement", unit: "decisions";
    /// first round of talk whose convergence reached the threshold of discussion.convergence; empty where none did, and where that is not
    /// set
    converged_round: u32 = r.totals()?.converged_round => Session[RoundClosed], "RoundClosed";
    group CitationTotals = r.totals()?.cited.as_ref();
    /// number decided for: the amount, where the motion is one about an amount with a unit
    result_value: u32 = r.arm.unit.as_ref().and(r.decided_choice()?.amount)
        => Session[Adjourned], "Adjourned", unit: "units of the scenario";
    /// what result_value is counted in; empty where there is none
    result_unit: str = r.decided_choice()?.amount.and(r.arm.unit.as_deref()) => Session[Adjourned], "the scenario, and Adjourned";
    /// seats that named an amount in the straw poll before the talk; of several the last; empty without one, and where an alternative is
    /// chosen with it
    straw_before_estimates_n: u64 = r.totals()?.estimates[0]?.n => Session[PollBefore], "straw_poll", unit: "seats";
    group "straw_before" Estimates = r.totals()?.estimates[0].as_ref() => Session[PollBefore], n: "straw_before_estimates_n", what: "named in the straw poll before the talk", source: "straw_poll";
    /// seats that named an amount in the straw poll after the talk; of several the last; empty without one, and where an alternative is
    /// chosen with it
    straw_after_estimates_n: u64 = r.totals()?.estimates[1]?.n => Session[PollAfter], "straw_poll", unit: "seats";
    group "straw_after" Estimates = r.totals()?.estimates[1].as_ref() => Session[PollAfter], n: "straw_after_estimates_n", what: "named in the straw poll after the talk", source: "straw_poll";
    /// squared error of the amount decided for; empty without a decision, where an alternative is chosen with it, and where nobody knows
    /// the right amount
    result_error: f64 = r.totals()?.result_error => Session[Adjourned], "Adjourned and Convened", unit: "squared units of the scenario",
        formula: "(x - t)^2, x the amount decided for, t the right one";
    /// seats with an opinion in the straw polls before and after the talk, of several the last: the denominator of straw_shift_net; empty
    /// without one, and where there are more than two alternatives
    straw_shift_n: u64 = Some(r.totals()?.straw_shifts.len() as u64).filter(|n| *n > 0)
        => Session[PollBefore, PollAfter], "straw_poll", unit: "seats";
    /// mean change of opinion from the straw poll before the talk to the one after it, from -1 to 1, like opinion_mean; empty without a
    /// seat that answered both
    straw_shift_net: f64 = mean_of(&r.totals()?.straw_shifts)
        => Session[PollBefore, PollAfter], "straw_poll; Stoner 1961, Moscovici and Zavalloni 1969 on shifts of groups",
        formula: "sum (x after - x before) / straw_shift_n";
    /// variant of the prompts that controls.prompts names; scenario: the scenario's own
    prompts: str = r.arm.wording.as_str() => plan(Prompts), "plan";
    /// BLAKE3 digest of the names and texts of all templates in the session's language, a variant's in the place of the scenario's
    prompts_digest: Digest = &r.arm.prompts_digest => plan(PromptsDigest), "plan";
    /// distance of the amount decided for from the right one, over the right one: it has no unit, so that items of several units can be
    /// averaged; empty as result_error is, and where 0 is right
    result_relative_error: f64 = r.totals()?.relative_error()
        => Session[Adjourned], "Adjourned and Convened; Hyndman and Koehler 2006 on percentage errors",
        formula: "|x - t| / t, x the amount decided for, t the right one";
    /// 1 if what was decided for is a wrong option that the item names for scripts (items.columns), whether or not they speak in this arm,
    /// 0 if it is another; empty without a decision, and where the item names no wrong option: only the others are critical trials
    conformed: bool = r.has_conformed() => Session[Adjourned], "Adjourned, and the file of items; Asch 1956";
    /// characters that seats' last prompts of the rounds lacked because statements were shortened: the sum of seat_rounds.cut_chars
    memory_cut_chars: u64 = r.totals()?.cut_chars => Session[RoundClosed], "RoundClosed", unit: "characters";
    open options::list_shares, options::put_shares;
    /// tokens of prompts that services had kept from earlier ones, counted among prompt_tokens, over the calls that reported them; empty
    /// when there were calls and none reported any
    cached_prompt_tokens: u64 = r.totals()?.effort.cached_prompt_tokens() => Session[Call], "given.usage", unit: "tokens";
    open values::list_session_answers, |r, out| r.put_answers(out);
    open variables::list_session_variables, |r, out| r.put_variables(out);
    open values::list_session_keys, |r, out| r.put_keys(out);
}

/// The measurements of a completed session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionTotals {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason for the end.
    pub stop: StopReason,
    /// The decision.
    pub result: Option<NamedChoice>,
    /// The tie-break of the deciding vote; `None` without one.
    pub tie_break: Option<TieBreak>,
    /// Whether the poll before the talk was unanimous; `None` without one.
    pub trivial_consensus: Option<bool>,
    /// Rounds opened.
    pub rounds_used: u64,
    /// Whether the session ended without a decision although votes are held in rounds; `None` without such votes.
    pub censored: Option<bool>,
    /// Rounds until the decision; `None` if censored or without votes in rounds.
    pub time_to_decision: Option<u64>,
    /// Rounds in which a vote was called.
    pub votes_called: u64,
    /// Votes tallied.
    pub votes_held: u64,
    /// Passes of the phase that decides in which a vote was counted; the result is that of the last.
    pub deciding_passes: u32,
    /// Whether invalid ballots voided the last count that could decide.
    pub is_last_count_void: bool,
    /// The means of answers to forms, in the order of their columns.
    pub answer_means: Vec<Option<f64>>,
    /// The shares of right answers to forms, in the order of their columns.
    pub correct_shares: Vec<Option<f64>>,
    /// The values of variables of the session, in the order of the columns of all.
    pub variables: Vec<Option<FieldValue>>,
    /// The means of variables of seats, in the order of the columns of all.
    pub variable_means: Vec<Option<f64>>,
    /// The modal share of the poll before the talk.
    pub straw_before_modal_share: Option<f64>,
    /// The modal share of the poll after the talk.
    pub straw_after_modal_share: Option<f64>,
    /// Counts per alternative: ballots of the last vote, choices in the straw polls before and after the talk.
    pub option_counts: [OptionCounts; 3],
    /// The shifts from −1 to 1 of the seats that answered the straw polls before and after the talk.
    pub straw_shifts: Vec<f64>,
    /// The only alternative with more than half of the valid ballots of the first vote.
    pub first_ballot_majority: Option<AlternativeName>,
    /// Whether that alternative was decided for.
    pub fbm_matches_final: Option<bool>,
    /// Seats whose last poll answer differs from their stance at that time, and seats with both.
    pub private_gap: (u64, u64),
    /// The mean footrule between seats' first and last rankings.
    pub rank_footrule_mean: Option<f64>,
    /// Mean cents paid for practice rounds and in the settlement, over the seats that were paid.
    pub paid_cents_mean: [Option<f64>; 2],
    /// Whether the decided amount removed a table of the settlement, and whether the highest mean picks the table of the
    /// decision; `None` if nothing was decided or paid.
    pub settlement: Option<(Option<bool>, bool)>,
    /// Gini's coefficient of words over seats.
    pub speaking_gini: Option<f64>,
    /// Statements made.
    pub statements: u64,
    /// Words on the floor.
    pub words: u64,
    /// Forfeited turns.
    pub forfeits: u64,
    /// Characters of public statements that prompts lacked because statements were shortened, summed over seats and rounds.
    pub cut_chars: u64,
    /// Characters of public statements that prompts lacked because statements were left out, summed over seats and rounds.
    pub dropped_chars: u64,
    /// Memory rewrites.
    pub rewrites: u64,
    /// Answers, calls, tokens.
    pub effort: Effort,
    /// The models that services reported, sorted.
    pub models_served: Vec<String>,
    /// The context windows known at the start.
    pub windows: Vec<ContextWindow>,
    /// The reply formats known at the start.
    pub forms: Vec<LearntForm>,
    /// The matching of its votes.
    pub matched: VoteMatching,
    /// Seats excluded by a failed test.
    pub seats_excluded: u64,
    /// Seats whose last declared stance is the decision, and seats that declared one; `None` without a decision.
    pub final_stance: Option<(u64, u64)>,
    /// The first round of talk whose convergence reached the threshold.
    pub converged_round: Option<u32>,
    /// Changes of declared stance.
    pub switches: Stances,
    /// Changes from the straw poll before the talk to the one after it; `None` if the right alternative is unknown.
    pub polls: Option<Stances>,
    /// The alternatives of the seats' valid choices in the straw polls before and after the talk and in their last ballots; empty
    /// without an item.
    pub chosen: [Vec<u32>; 3],
    /// Seats that made a statement.
    pub spoke: u64,
    /// Valid ballots and abstentions over all votes; `None` without a vote.
    pub ballots: Option<[u64; 2]>,
    /// Amounts in the straw polls before and after the talk; `None` without one, and if there are alternatives to choose from.
    pub estimates: [Option<Estimates>; 2],
    /// The squared error of the decided amount.
    pub result_error: Option<f64>,
    /// The right amount; `None` if unknown or if an alternative is right.
    pub right_amount: Option<u32>,
    /// Proposals and decisions; `None` if marks are not read.
    pub marks: Option<MarkCounts>,
    /// Citations of the case's facts; `None` if no seat was dealt any.
    pub cited: Option<CitationTotals>,
    /// The digest of all statements and their speakers.
    pub transcript: Digest,
    /// The digest of the minutes.
    pub minutes_digest: Digest,
}

/// The number of a session in an open column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnNumber {
    /// The column of `sessions.csv`.
    pub column: String,
    /// The number.
    pub number: f64,
    /// Whether it is a yes, 1, or a no, 0, of the session.
    pub is_flag: bool,
}

impl ColumnNumber {
    fn from_mean(column: String, mean: Option<f64>) -> Option<Self> {
        Some(Self { column, number: mean?, is_flag: false })
    }
}

impl SessionRow {
    /// The numbers that answers to forms and variables of the session came to, by column; those that are missing are left out.
    pub fn list_numbers(&self) -> Vec<ColumnNumber> {
        let Some(totals) = &self.totals else { return Vec::new() };
        let layout = &self.arm.layout;
        let fields = layout.answers.iter().filter(|column| column.is_number).zip(&totals.answer_means);
        let fields = fields.filter_map(|(column, mean)| ColumnNumber::from_mean(column.name(), *mean));
        let is_own = |column: &VariableColumn| column.of == Holder::Session && column.is_number;
        let variables = layout.variables.iter().zip(&totals.variables).filter(|(column, _)| is_own(column));
        let variables = variables.filter_map(|(column, value)| {
            let value = value.as_ref()?;
            let is_flag = matches!(value, FieldValue::YesNo(_));
            Some(ColumnNumber { column: column.column_name(), number: values::number_of(value)?, is_flag })
        });
        fields.chain(variables).collect()
    }

    /// The means of variables of seats and the shares of right answers, likewise.
    pub fn list_announceable_numbers(&self) -> Vec<ColumnNumber> {
        let Some(totals) = &self.totals else { return Vec::new() };
        let layout = &self.arm.layout;
        let seats = layout.variables.iter().zip(&totals.variable_means).filter(|(column, _)| column.of == Holder::Seat);
        let seats = seats.filter_map(|(column, mean)| ColumnNumber::from_mean(column.column_name(), *mean));
        let right = layout.keyed.iter().zip(&totals.correct_shares);
        seats
            .chain(right.filter_map(|(column, share)| ColumnNumber::from_mean(column.correct_name(), *share)))
            .collect()
    }

    fn put_answers(&self, out: &mut Vec<u8>) {
        let means = self.totals.as_ref().map_or(&[][..], |totals| &totals.answer_means);
        let numbers = self.arm.layout.answers.iter().filter(|column| column.is_number).count();
        for place in 0..numbers {
            put_open_cell(means.get(place).copied().flatten(), out);
        }
    }

    fn put_keys(&self, out: &mut Vec<u8>) {
        for place in 0..self.arm.layout.keyed.len() {
            put_open_cell(self.totals().and_then(|totals| totals.correct_shares.get(place).copied().flatten()), out);
        }
    }

    fn put_variables(&self, out: &mut Vec<u8>) {
        for (place, column) in self.arm.layout.variables.iter().enumerate() {
            match column.of {
                Holder::Session => {
                    let value = self.totals().and_then(|totals| totals.variables.get(place));
                    values::put_value(values::variable_kind(column), value, out);
                }
                Holder::Seat if column.is_number => {
                    let mean = self.totals().and_then(|totals| totals.variable_means.get(place).copied().flatten());
                    put_open_cell(mean, out);
                }
                Holder::Seat | Holder::Group => {}
            }
        }
    }

    fn totals(&self) -> Option<&SessionTotals> {
        self.totals.as_ref()
    }

    fn seat_count(&self) -> u64 {
        self.arm.seats.len() as u64
    }

    fn decided_choice(&self) -> Option<&NamedChoice> {
        self.totals()?.result.as_ref()
    }

    /// Changes of stance; `None` where an amount alone is decided.
    fn stance_switches(&self) -> Option<Stances> {
        self.totals().filter(|_| self.arm.offers_choice()).map(|totals| totals.switches)
    }

    /// Seats whose last poll answer differs from their stance at that time, and seats with both; `None` where an amount alone is decided.
    fn private_gap(&self) -> Option<(u64, u64)> {
        self.totals().filter(|_| self.arm.offers_choice()).map(|totals| totals.private_gap)
    }

    fn vote_matching(&self) -> Option<&VoteMatching> {
        Some(&self.totals()?.matched)
    }

    /// Changes from and to the right alternative between the polls; `None` if it is unknown or no seat chose in both.
    fn poll_flips(&self) -> Option<Stances> {
        self.totals()?.polls.filter(|polls| polls.n > 0)
    }

    /// Whether a misleading alternative was decided for; `None` without a decision or a misleading alternative.
    fn has_conformed(&self) -> Option<bool> {
        let decided = &self.decided_choice()?.alternative;
        (!self.misleading.is_empty()).then(|| self.misleading.contains(decided))
    }
}

impl SessionTotals {
    /// The distance of the decided amount from the right one, divided by the right one. `None` without a decision, if
    /// alternatives are chosen, if the right amount is unknown, and if it is 0.
    pub fn relative_error(&self) -> Option<f64> {
        let (amount, right) = (self.result.as_ref()?.amount?, self.right_amount?);
        let is_told = self.result_error.is_some() && right > 0;
        is_told.then(|| f64::from(amount.abs_diff(right)) / f64::from(right))
    }
}

impl CsvRow for SessionRow {
    const TABLE: &'static str = "sessions";
    const ABOUT: &'static str = "one row a session, completed or not";
}
