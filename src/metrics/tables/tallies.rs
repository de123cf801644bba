//! Counts of straw polls and votes, alternative by alternative.

use crate::domain::{AlternativeName, Base, PhaseName, Ratio, RuleKind, TieBreak};
use crate::metrics::column::{Column, Row};
use crate::metrics::fold::Purpose;
use crate::metrics::spelling;
use crate::metrics::why::{Asked, Of, Plain, Reach, Tally, Vote, Working};

/// A column of this table.
type Col = Column<TallyRow>;

/// One alternative in one count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TallyRow {
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The number of the vote in the session, from 1; `None` for a straw poll.
    pub vote: Option<u32>,
    /// What was counted.
    pub purpose: Purpose,
    /// The rule and its base; `None` for a straw poll.
    pub rule: Option<(RuleKind, Base)>,
    /// Seats that could vote, after exclusions.
    pub eligible: u32,
    /// Valid ballots.
    pub valid: u32,
    /// Invalid ballots.
    pub invalid: u32,
    /// Abstentions, with those that invalid ballots became; `None` for a straw poll.
    pub abstained: Option<u32>,
    /// Those of them that are so by choice.
    pub by_choice: Option<u32>,
    /// The least count that wins.
    pub threshold: Option<u32>,
    /// Whether enough ballots were valid; `None` where any number will do.
    pub quorum_met: Option<bool>,
    /// The alternative.
    pub alternative: AlternativeName,
    /// The amount, where ballots name one.
    pub amount: Option<u32>,
    /// Its ballots.
    pub count: u32,
    /// What the rule gives it; `None` where it gives nothing beside the ballots.
    pub points: Option<Ratio>,
    /// The alternative that beats every other; `None` unless ballots are rankings and there is one.
    pub condorcet_winner: Option<AlternativeName>,
    /// Whether it is among the winners by the rule alone; `None` for a straw poll.
    pub is_winner: Option<bool>,
    /// The winners joined by `|`; `None` unless they are tied.
    pub tied_winners: Option<String>,
    /// The tie-break that decided.
    pub tie_break: Option<TieBreak>,
    /// Whose ballots were looked at to break the tie, joined by `|`.
    pub tie_ballots: Option<String>,
    /// Whether it is the one decided for; `None` for a straw poll.
    pub decided: Option<bool>,
    /// The greatest count less the second greatest.
    pub margin: Option<u32>,
    /// Whether an invalid ballot voided it; `None` for a straw poll.
    pub is_void: Option<bool>,
    /// What was decided for, with its amount; `None` where nothing was, and for a straw poll.
    pub decided_for: Option<String>,
}

impl Row for TallyRow {
    const TABLE: &'static str = "tallies";
    const ABOUT: &'static str = "one row an alternative and straw poll or vote; of an alternative that takes an amount, one a distinct amount or bloc of amounts; ballots of a vote count as often as their seats weigh";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Plain(Plain::Field("at.phase"))).last().source("at.phase"),
        Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Plain(Plain::Field("at.round"))).last()
            .source("at.round"),
        Col::count("vote", "number of the vote in the session, from 1; empty for straw polls", |r| {
            r.vote.map(u64::from)
        })
.why(Reach::VotesBefore, &[Of::Tallied], Working::Vote(Vote::Number))
        .source("Tallied"),
        Col::text("purpose", "straw_before, straw_round, straw_after or vote", |r| Some(r.purpose.as_str()))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Asked(Asked::Purpose)).last()
            .source("at.step and the agenda"),
        Col::text("rule", "the decision rule, such as majority or borda; empty for straw polls", |r| {
            r.rule.map(|(rule, _)| spelling::rule(rule))
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Rule)))
        .source("Tallied"),
        Col::text("base", "what the rule's shares are shares of: members or valid; empty for straw polls", |r| {
            r.rule.map(|(_, base)| spelling::base(base))
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Base)))
        .source("Tallied"),
        Col::count("eligible", "seats that could vote, after exclusions, in a vote each as often as its ballot counts; for straw polls the seats asked", |r| {
            Some(u64::from(r.eligible))
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Eligible)))
        .unit("seats")
        .source("Tallied"),
        Col::count("valid", "valid ballots", |r| Some(u64::from(r.valid)))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Valid))).unit("ballots").source("Tallied"),
        Col::count("invalid", "invalid ballots, refusals included, whatever follows from them", |r| {
            Some(u64::from(r.invalid))
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Invalid)))
        .unit("ballots")
        .source("Tallied"),
        Col::count("abstained", "abstentions: those by choice, and the invalid ballots where decision.invalid makes abstentions of them; empty for straw polls", |r| {
            r.abstained.map(u64::from)
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Abstained)))
        .unit("ballots")
        .formula("abstained_by_choice + invalid where decision.invalid is abstain, else abstained_by_choice")
        .source("Tallied"),
        Col::count("abstained_by_choice", "ballots of seats that chose to vote for nothing, which is valid and counts for no alternative; empty for straw polls", |r| {
            r.by_choice.map(u64::from)
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::ByChoice)))
        .unit("ballots")
        .source("Tallied"),
        Col::count("threshold", "least count that wins; empty where the rule has none", |r| r.threshold.map(u64::from))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Threshold)))
            .unit("ballots")
            .source("Tallied"),
        Col::flag("quorum_met", "1 if the share of members that decision.quorum asks for cast valid ballots, else 0; empty where it asks for none, and for straw polls", |r| r.quorum_met)
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Quorum)))
            .source("Tallied"),
        Col::text("alternative", "the alternative", |r| Some(r.alternative.as_str()))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Alternative))).source("Tallied, Polled"),
        Col::count("amount", "amount that these ballots name; with decision.amount_tolerance the lower median of a bloc: of the heaviest set of ballots whose amounts are no further apart, of several the one with the least, then the same among the ballots that are left; empty where the alternative takes none, and for a count of 0", |r| {
            r.amount.map(u64::from)
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Amount)))
        .unit("units of the scenario")
        .source("Tallied, Polled"),
        Col::count("count", "its ballots, those of this amount or bloc where there is one; of rankings and scores those that put it at the top, alone or with others, of approvals those that approve of it", |r| Some(u64::from(r.count)))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Count))).unit("ballots").source("Tallied"),
        Col::real("points", "what the rule gives it, each ballot as often as it weighs: first places under plurality, majority, supermajority, unanimity and random_ballot, under two_round those of the first round, under instant_runoff those among the last that stood; ballots that approve of it under approval; the sum of its scores under score; under borda on each ballot 1 for each alternative below it and 1/2 for each tied; under copeland 1 for each that it beats and 1/2 for each that it ties with; under minimax its greatest defeat, below 0; under kemeny_young the pairs of opinions that agree with the best order that begins with it; empty under schulze, ranked_pairs and amendment_agenda, for ballots of one choice and for straw polls", |r| r.points.map(|points| points.of as f64 / points.unit as f64))
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Points)))
            .source("Tallied"),
        Col::flag("is_winner", "1 if it wins by the rule alone, ties kept; 0 for all where an invalid ballot voids the vote; empty for straw polls", |r| r.is_winner)
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::IsWinner)))
            .source("Tallied"),
        Col::text("tied_winners", "the winners by the rule alone joined by |, an amount behind its alternative; empty unless they are several", |r| {
            r.tied_winners.as_deref()
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::TiedWinners)))
        .source("Tallied"),
        Col::text(
            "tie_break",
            "tie-break that decided: lot, agenda_order, status_quo, chair, random_ballot or no_decision; lot as well where the ballots that were to decide left several; empty where none was needed",
            |r| r.tie_break.map(spelling::tie_break),
        )
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::TieBreak)))
        .source("Tallied"),
        Col::text("tie_ballots", "seats whose ballots were looked at to break the tie, in this order, joined by |; empty where none was", |r| r.tie_ballots.as_deref())
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::TieBallots)))
        .source("Tallied"),
        Col::flag("decided", "1 if this alternative, with this amount, was decided for, else 0, as in every row where a mean or median is nobody's ballot; empty for straw polls", |r| r.decided)
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Decided)))
            .source("Tallied"),
        Col::count("margin", "the greatest count less the second greatest; the same in all rows of a count", |r| {
            r.margin.map(u64::from)
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Margin)))
        .unit("ballots")
        .formula("c(1) - c(2), counts in descending order")
        .source("Tallied"),
        Col::text("condorcet_winner", "the alternative that beats every other, one against one; the same in all rows of a count; empty where none does, and where ballots are no rankings", |r| {
            r.condorcet_winner.as_ref().map(AlternativeName::as_str)
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Condorcet)))
        .source("Tallied"),
        Col::flag("void", "1 if an invalid ballot voids the vote, as decision.invalid: void_round has it, so that nobody wins, else 0; the same in all rows of a count; empty for straw polls", |r| r.is_void)
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::Void)))
            .formula("invalid > 0 and eligible = valid + abstained_by_choice + invalid and abstained = abstained_by_choice: invalid ballots are eligible and no abstentions, which is so under no other treatment of them")
            .source("Tallied"),
        Col::text("decided_for", "what was decided for, an amount behind its alternative; the same in all rows of a count, also where a mean or median is nobody's ballot; empty where nothing was, and for straw polls", |r| {
            r.decided_for.as_deref()
        })
.why(Reach::Counted, &[Of::Tallied, Of::Ballot, Of::Poll], Working::Vote(Vote::Tally(Tally::DecidedFor)))
        .source("Tallied"),
    ]];
}
