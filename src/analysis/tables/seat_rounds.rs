//! The table of seats per round.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::counts::MarkCounts;
use crate::analysis::effort::Effort;
use crate::domain::{AlternativeName, MemoryReport, Opinion, PhaseName, SeatName, StatementChars};

columns! {
    /// One seat in one round, or in a phase's part outside rounds.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SeatRoundRow as r {
        /// Statements, words and characters on the floor; `None` outside rounds of talk.
        pub talk: Option<[u64; 3]>,
        /// Whether it wanted to speak, and how urgently; `None` where it was not asked.
        pub volunteered: Option<Option<u32>>,
        /// What its memory held when the round closed.
        pub memory: Option<MemoryReport>,
        /// Answers, calls, tokens.
        pub effort: Effort,
        /// What statements were marked as by the end; `None` where no marks are read.
        pub marked: Option<MarkCounts>,
    }

    /// phase, by its name in the agenda
    phase: PhaseName => Part[Any] First, "at.phase";
    /// round of the phase, from 1; 0 is the phase's part outside rounds
    round: u32 => Part[Any] First, "at.round";
    /// who
    seat: SeatName => plan(SeatName), "plan";
    /// the seat's place in the round's speaking order, from 1; empty outside rounds of talk
    position: Option<u32> => Part[RoundOpened], "RoundOpened";
    /// 1 if the seat made a statement, 0 if not; empty outside rounds of talk
    spoke: bool = r.talk?[0] > 0 => SeatPart[Spoke], "statement";
    /// words of its statements, by Unicode's word boundaries; empty outside rounds of talk
    words: u64 = r.talk?[1] => SeatPart[Spoke], "statement; Unicode Standard Annex #29", unit: "words";
    /// length of its statements; empty outside rounds of talk
    chars: u64 = r.talk?[2] => SeatPart[Spoke], "statement", unit: "Unicode scalar values";
    /// the seat's share of the round's words; empty without words
    speaking_share: Option<f64> => Part[Spoke], "statement", formula: "words / words of all seats in the round";
    /// alternative declared in this round's statement; empty when none was
    stance: Option<AlternativeName> => SeatPart[Stance] Last, "statement";
    /// amount declared with it; empty when none was
    stance_amount: Option<u32> => SeatPart[Stance] Last, "statement", unit: "units of the scenario";
    /// choice in this part's straw poll; empty without one
    straw: Option<AlternativeName> => SeatPart[Poll] Last, "straw_poll";
    /// 1 if the declared stance is another alternative than the one declared last before, 0 if not; empty unless both were declared
    switched: Option<bool> => SeatSoFar[Stance], "statement";
    /// 1 if the seat called for a vote, 0 if it did not or had no valid answer; empty when not asked
    called_vote: Option<bool> => SeatPart[CallAnswered], "vote_call, Faulted";
    /// 1 if the seat agreed to vote, 0 if it did not or had no valid answer; empty when not asked and for a seat that called for the vote
    seconded: Option<bool> => SeatPart[CallAnswered, Confirmed], "confirmation, Faulted";
    /// alternative voted for; empty without a valid ballot
    ballot: Option<AlternativeName> => SeatPart[AlternativesBallot], "ballot";
    /// amount voted for; empty where the alternative takes none
    ballot_amount: Option<u32> => SeatPart[AlternativesBallot], "amount", unit: "units of the scenario";
    /// memory policy of the arm
    memory_policy: String => plan(MemoryPolicy), "plan";
    /// entries of its memory that the seat would be shown when the round closed; empty where none closed
    memory_entries: u32 = r.memory?.entries => Part[RoundClosed], "RoundClosed", unit: "entries";
    /// their length as rendered, with what the seat wrote itself and what a digest tells of where the talk stands, and without the public
    /// history beside its memory; empty where no round closed
    memory_chars: u64 = r.memory?.chars => Part[RoundClosed], "RoundClosed", unit: "characters";
    /// length of all public statements that the seat could hear by its last prompt of the round, its own included, since the session began;
    /// prompts that rewrite a memory and short briefs do not count; empty if it had no prompt in the round or no round closed
    heard_chars: u64 = r.statement_chars()?.heard => Part[RoundClosed], "RoundClosed", unit: "characters";
    /// of heard_chars, what that prompt showed in the statements' own words; empty like heard_chars
    shown_chars: u64 = r.statement_chars()?.shown => Part[RoundClosed], "RoundClosed", unit: "characters";
    /// entries it had witnessed and would not be shown; empty where no round closed
    dropped_entries: u32 = r.memory?.dropped_entries => Part[RoundClosed], "RoundClosed", unit: "entries";
    /// of heard_chars, what that prompt lacked because a statement was left out; empty like heard_chars
    dropped_chars: u64 = r.statement_chars()?.dropped() => Part[RoundClosed], "RoundClosed", unit: "characters",
        formula: "heard_chars - shown_chars - cut_chars";
    /// times the seat made its memory shorter, because it was nearly full or for a digest; every part counts
    compressions: u64 => SeatPart[Compressed], "compression", unit: "answers";
    /// times the seat rewrote its memory because something had happened
    integrations: u64 => SeatPart[Integrated], "integration", unit: "answers";
    /// rewritings of either kind whose tries were used up, so that the memory stayed as it was
    integrations_failed: u64 => SeatPart[RewriteLost], "Faulted", unit: "questions";
    /// events of this part that went into the seat's memory as they are, by the routing or because the policy integrates nothing, instead
    /// of being integrated by a call: statements of all seats, what was told to it, votes called, agreed to or declined, counts, its own
    /// reasoning, ballot, ranking, test, practice choice and pay; counted of simulated seats, too, which would make no call, and 0 under
    /// the policy none
    model_calls_saved: u64
        => Remembered[Any], "statement, Briefed, vote_call, confirmation, Tallied, reasoning, ballot, ranking, comprehension, application, Paid", unit: "calls",
        formula: "one for each event that memory.routing sends direct; under policies other than selective for each that it does not skip";
    /// tokens of prompts and replies over the seat's calls that reported them; empty when there were calls and none reported tokens
    tokens: u64 = r.effort.total_tokens() => SeatPart[Call], "given.usage", unit: "tokens";
    /// times the seat looked up what it had heard, or asked for a page of an exhibit, before it answered
    look_ups: u64 => SeatPart[Inquired], "Inquired", unit: "questions";
    /// 1 if the seat wanted to speak in the round, 0 if it did not or had no valid answer; empty when not asked
    volunteered: bool = r.volunteered?.is_some() => SeatPart[Volunteered], "volunteer, Faulted";
    /// how urgently, from 0 to 10; empty where it did not want to speak or was not asked
    urgency: u32 = r.volunteered?? => SeatPart[Volunteered] Last, "volunteer";
    /// length of the entries of memory_entries in tokens, by the fixed estimate, which errs high, with two for what stands between each and
    /// the next; empty where no round closed
    memory_tokens: u64 = r.memory?.tokens => Part[RoundClosed], "RoundClosed", unit: "tokens",
        formula: "sum over entries of (estimate + 2)";
    /// texts among the entries of memory_entries that the seat, or the summary model for it, wrote when its memory was rewritten: digests,
    /// summaries, integrated memories; empty where no round closed
    summaries: u64 = r.memory?.summaries => Part[RoundClosed], "RoundClosed", unit: "entries";
    /// decisions that statements of the session stated by the end of the round, the same for every seat; empty outside rounds of talk and
    /// where no marks are read
    decisions: u64 = r.marked?.decisions => SoFar[Marked], "statement", unit: "decisions";
    /// proposals of the session that are active when the round ends, the same for every seat; empty outside rounds of talk and where no
    /// marks are read
    proposals_open: u64 = r.marked?.open => SoFar[Marked, Tested, LimitedPhase], "statement", unit: "proposals";
    /// opinion declared with it, from 0 to 1: of two alternatives how far the first is favoured (0.5 is undecided), of more the weight on
    /// the alternative declared, of an amount its place between the least and the greatest; empty when none was
    opinion: Option<Opinion> => SeatPart[Opinion] Last, "statement";
    /// opinion told with that choice, from 0 to 1 like `opinion`; empty when none was
    straw_opinion: Option<Opinion> => SeatPart[Poll] Last, "straw_poll";
    /// of heard_chars, what that prompt lacked because a statement was shortened; empty like heard_chars
    cut_chars: u64 = r.statement_chars()?.cut => Part[RoundClosed], "RoundClosed", unit: "characters";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Part[Any] First, "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Part[Any] First, "at.phase";
}

impl SeatRoundRow {
    /// The statements in its last prompt of the round.
    fn statement_chars(&self) -> Option<StatementChars> {
        self.memory.and_then(|memory| memory.statements)
    }
}

impl CsvRow for SeatRoundRow {
    const TABLE: &'static str = "seat_rounds";
    const ABOUT: &'static str = "one row a seat and round of any phase with rounds; round 0 is a phase's part outside rounds, with a row \
for each seat that answered something or was paid there";
}
