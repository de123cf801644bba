//! The table of tallies: counts of straw polls and votes, per alternative.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::purpose::ChoicePurpose;
use crate::domain::{AlternativeName, Base, PhaseName, Ratio, RuleKind, TieBreak};

columns! {
    /// One alternative in one count.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TallyRow as r {
        /// What the rule gives it; `None` where it gives nothing beside the ballots.
        pub ratio: Option<Ratio>,
    }

    /// phase, by its name in the agenda
    phase: PhaseName => Counted[Tallied, Ballot, Poll] Last, "at.phase";
    /// round of the phase, from 1; 0 outside rounds
    round: u32 => Counted[Tallied, Ballot, Poll] Last, "at.round";
    /// number of the vote in the session, from 1; empty for straw polls
    vote: Option<u32> => VotesBefore[Tallied], "Tallied";
    /// straw_before, straw_round, straw_after or vote
    purpose: ChoicePurpose => Counted[Tallied, Ballot, Poll] Last, "at.step and the agenda";
    /// the decision rule, such as majority or borda; empty for straw polls
    rule: Option<RuleKind> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// what the rule's shares are shares of: members or valid; empty for straw polls
    base: Option<Base> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// seats that could vote, after exclusions, in a vote each as often as its ballot counts; for straw polls the seats asked
    eligible: u32 => Counted[Tallied, Ballot, Poll], "Tallied", unit: "seats";
    /// valid ballots
    valid: u32 => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots";
    /// invalid ballots, refusals included, whatever follows from them
    invalid: u32 => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots";
    /// abstentions: those by choice, and the invalid ballots where decision.invalid makes abstentions of them; empty for straw polls
    abstained: Option<u32> => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots",
        formula: "abstained_by_choice + invalid where decision.invalid is abstain, else abstained_by_choice";
    /// ballots of seats that chose to vote for nothing, which is valid and counts for no alternative; empty for straw polls
    abstained_by_choice: Option<u32> => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots";
    /// least count that wins; empty where the rule has none
    threshold: Option<u32> => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots";
    /// 1 if the share of members that decision.quorum asks for cast valid ballots, else 0; empty where it asks for none, and for straw
    /// polls
    quorum_met: Option<bool> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// the alternative
    alternative: AlternativeName => Counted[Tallied, Ballot, Poll], "Tallied, straw_poll";
    /// amount that these ballots name; with decision.amount_tolerance the lower median of a bloc: of the heaviest set of ballots whose
    /// amounts are no further apart, of several the one with the least, then the same among the ballots that are left; empty where the
    /// alternative takes none, and for a count of 0
    amount: Option<u32> => Counted[Tallied, Ballot, Poll], "Tallied, straw_poll", unit: "units of the scenario";
    /// its ballots, those of this amount or bloc where there is one; of rankings and scores those that put it at the top, alone or with
    /// others, of approvals those that approve of it
    count: u32 => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots";
    /// what the rule gives it, each ballot as often as it weighs: first places under plurality, majority, supermajority, unanimity and
    /// random_ballot, under two_round those of the first round, under instant_runoff those among the last that stood; ballots that approve
    /// of it under approval; the sum of its scores under score; under borda on each ballot 1 for each alternative below it and 1/2 for each
    /// tied; under copeland 1 for each that it beats and 1/2 for each that it ties with; under minimax its greatest defeat, below 0; under
    /// kemeny_young the pairs of opinions that agree with the best order that begins with it; empty under schulze, ranked_pairs and
    /// amendment_agenda, for ballots of one choice and for straw polls
    points: f64 = r.ratio.map(|ratio| ratio.of as f64 / ratio.unit as f64) => Counted[Tallied, Ballot, Poll], "Tallied";
    /// 1 if it wins by the rule alone, ties kept; 0 for all where an invalid ballot voids the vote; empty for straw polls
    is_winner: Option<bool> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// the winners by the rule alone joined by |, an amount behind its alternative; empty unless they are several, tied or elected together
    tied_winners: Option<String> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// tie-break that decided: lot, agenda_order, status_quo, chair, random_ballot or no_decision; lot as well where the ballots that were
    /// to decide left several; empty where none was needed
    tie_break: Option<TieBreak> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// seats whose ballots were looked at to break the tie, in this order, joined by |; empty where none was
    tie_ballots: Option<String> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// 1 if this alternative, with this amount, was decided for, alone or as one of several winners, else 0, as in every row where a mean
    /// or median is nobody's ballot; empty for straw polls
    decided: Option<bool> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// the greatest count less the second greatest; the same in all rows of a count
    margin: Option<u32> => Counted[Tallied, Ballot, Poll], "Tallied", unit: "ballots",
        formula: "c(1) - c(2), counts in descending order";
    /// the alternative that beats every other, one against one; the same in all rows of a count; empty where none does, and where ballots
    /// are no rankings
    condorcet_winner: Option<AlternativeName> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// 1 if an invalid ballot voids the vote, as decision.invalid: void_round has it, so that nobody wins, else 0; the same in all rows of
    /// a count; empty for straw polls
    void: Option<bool> => Counted[Tallied, Ballot, Poll], "Tallied",
        formula: "invalid > 0 and eligible = valid + abstained_by_choice + invalid and abstained = abstained_by_choice: invalid ballots are eligible and no abstentions, which is so under no other treatment of them";
    /// what was decided for, an amount behind its alternative; the same in all rows of a count, also where a mean or median is nobody's
    /// ballot; empty where nothing was, and for straw polls
    decided_for: Option<String> => Counted[Tallied, Ballot, Poll], "Tallied";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Counted[Tallied, Ballot, Poll] Last, "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Counted[Tallied, Ballot, Poll] Last, "at.phase";
    /// 1 if decided_for was decided by default, as decision.otherwise has it, because the count reached no decision, else 0; the same in all
    /// rows of a count; empty for straw polls
    by_default: Option<bool> => Counted[Tallied, Ballot, Poll], "Tallied";
}

impl CsvRow for TallyRow {
    const TABLE: &'static str = "tallies";
    const ABOUT: &'static str = "one row an alternative and straw poll or vote; of an alternative that takes an amount, one a distinct amount or bloc of amounts; ballots of a vote count as often as their seats weigh";
}
