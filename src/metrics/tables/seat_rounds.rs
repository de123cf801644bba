//! Seats, round by round.

use crate::domain::{AlternativeName, MemoryReport, Opinion, PhaseName, SeatName, StatementChars};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::Effort;
use crate::metrics::part::MarkCounts;
use crate::metrics::why::{Asked, Held, Marks, Of, OfSeat, Plain, Reach, Setting, Spread, Talk, Vote, Working};

/// What an opinion is, for the codebook.
pub(super) const OPINION: &str = "opinion declared with it, from 0 to 1: of two alternatives how far the first is favoured (0.5 is undecided), of more \
the weight on the alternative declared, of an amount its place between the least and the greatest; empty when none was";

/// An opinion as a number from 0 to 1.
pub(super) fn share(opinion: Opinion) -> f64 {
    f64::from(opinion.billionths()) / f64::from(Opinion::ONE)
}

/// A column of this table.
type Col = Column<SeatRoundRow>;

/// One seat in one round, or in a phase's part outside rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatRoundRow {
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// Who.
    pub seat: SeatName,
    /// The seat's place in the speaking order, from 1.
    pub position: Option<u32>,
    /// Statements, words and characters on the floor; `None` outside rounds of talk.
    pub talk: Option<[u64; 3]>,
    /// The seat's share of the round's words.
    pub speaking_share: Option<f64>,
    /// The stance declared in the round.
    pub stance: Option<(AlternativeName, Option<u32>)>,
    /// The opinion declared in the round.
    pub opinion: Option<Opinion>,
    /// The choice in the straw poll.
    pub straw: Option<AlternativeName>,
    /// The opinion told in the straw poll.
    pub straw_opinion: Option<Opinion>,
    /// Whether the declared stance is another than the one before.
    pub switched: Option<bool>,
    /// Whether it called a vote; `None` when it was not asked.
    pub called_vote: Option<bool>,
    /// Whether it wanted to speak, and how urgently; `None` where it was not asked.
    pub volunteered: Option<Option<u32>>,
    /// Whether it agreed to vote; `None` when it was not asked and for a caller.
    pub seconded: Option<bool>,
    /// The valid ballot.
    pub ballot: Option<(AlternativeName, Option<u32>)>,
    /// The memory policy.
    pub memory_policy: String,
    /// What its memory held when the round closed.
    pub memory: Option<MemoryReport>,
    /// Rewritings because the memory was nearly full.
    pub compressions: u64,
    /// Rewritings because something happened.
    pub integrations: u64,
    /// Rewritings of either kind that failed.
    pub integrations_failed: u64,
    /// Events that were appended without asking a model.
    pub calls_saved: u64,
    /// Times that it asked to see something before it answered.
    pub inquiries: u64,
    /// Answers, calls, tokens.
    pub effort: Effort,
    /// What statements were marked as by the end; `None` where no marks are read.
    pub marked: Option<MarkCounts>,
}

impl SeatRoundRow {
    /// The public statements in its last prompt of the round.
    fn statements(&self) -> Option<StatementChars> {
        self.memory.and_then(|memory| memory.statements)
    }
}

static TALK: &[Col] = &[
    Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
.why(Reach::Part, &[Of::Any], Working::Plain(Plain::Field("at.phase"))).first().source("at.phase"),
    Col::count("round", "round of the phase, from 1; 0 is the phase's part outside rounds", |r| Some(u64::from(r.round)))
.why(Reach::Part, &[Of::Any], Working::Plain(Plain::Field("at.round"))).first()
        .source("at.round"),
    Col::text("seat", "who", |r| Some(r.seat.as_str()))
.plan(Setting::SeatName).source("plan"),
    Col::count("position", "the seat's place in the round's speaking order, from 1; empty outside rounds of talk", |r| {
        r.position.map(u64::from)
    })
.why(Reach::Part, &[Of::RoundOpened], Working::Talk(Talk::Position))
    .source("RoundOpened"),
    Col::flag("spoke", "1 if the seat made a statement, 0 if not; empty outside rounds of talk", |r| {
        r.talk.map(|[statements, ..]| statements > 0)
    })
.why(Reach::SeatPart, &[Of::Spoke], Working::Plain(Plain::Any)).in_talk()
    .source("Spoke"),
    Col::count("words", "words of its statements, by Unicode's word boundaries; empty outside rounds of talk", |r| {
        r.talk.map(|[_, words, _]| words)
    })
.why(Reach::SeatPart, &[Of::Spoke], Working::Talk(Talk::Words)).in_talk()
    .unit("words")
    .source("Spoke; Unicode Standard Annex #29"),
    Col::count("chars", "length of its statements; empty outside rounds of talk", |r| r.talk.map(|[.., chars]| chars))
.why(Reach::SeatPart, &[Of::Spoke], Working::Talk(Talk::Chars)).in_talk()
        .unit("Unicode scalar values")
        .source("Spoke"),
    Col::real("speaking_share", "the seat's share of the round's words; empty without words", |r| r.speaking_share)
.why(Reach::Part, &[Of::Spoke], Working::Talk(Talk::Share)).in_talk()
        .formula("words / words of all seats in the round")
        .source("Spoke"),
    Col::text("stance", "alternative declared in this round's statement; empty when none was", |r| {
        r.stance.as_ref().map(|(name, _)| name.as_str())
    })
.why(Reach::SeatPart, &[Of::Stance], Working::Plain(Plain::Field("event.stance"))).last()
    .source("Spoke"),
    Col::count("stance_amount", "amount declared with it; empty when none was", |r| {
        r.stance.as_ref().and_then(|(_, amount)| amount.map(u64::from))
    })
.why(Reach::SeatPart, &[Of::Stance], Working::Plain(Plain::Field("event.stance_amount"))).last()
    .unit("units of the scenario")
    .source("Spoke"),
    Col::text("straw", "choice in this part's straw poll; empty without one", |r| {
        r.straw.as_ref().map(AlternativeName::as_str)
    })
.why(Reach::SeatPart, &[Of::Poll], Working::Spread(Spread::Alternative)).last()
    .source("Polled"),
    Col::flag(
        "switched",
        "1 if the declared stance is another alternative than the one declared last before, 0 if not; empty unless both were declared",
        |r| r.switched,
    )
.why(Reach::SeatSoFar, &[Of::Stance], Working::Talk(Talk::SwitchedHere))
    .source("Spoke"),
];

static VOTE: &[Col] = &[
    Col::flag(
        "called_vote",
        "1 if the seat called for a vote, 0 if it did not or had no valid answer; empty when not asked",
        |r| r.called_vote,
    )
.why(Reach::SeatPart, &[Of::CallAnswered], Working::Vote(Vote::Calls))
    .source("CallAnswered, Faulted"),
    Col::flag(
        "seconded",
        "1 if the seat agreed to vote, 0 if it did not or had no valid answer; empty when not asked and for a seat that called for the vote",
        |r| r.seconded,
    )
.why(Reach::SeatPart, &[Of::CallAnswered, Of::Confirmed], Working::Vote(Vote::Seconds))
    .source("Confirmed, Faulted"),
    Col::text("ballot", "alternative voted for; empty without a valid ballot", |r| {
        r.ballot.as_ref().map(|(name, _)| name.as_str())
    })
.why(Reach::SeatPart, &[Of::Ballot], Working::Spread(Spread::Alternative))
    .source("Balloted"),
    Col::count("ballot_amount", "amount voted for; empty where the alternative takes none", |r| {
        r.ballot.as_ref().and_then(|(_, amount)| amount.map(u64::from))
    })
.why(Reach::SeatPart, &[Of::Ballot], Working::Spread(Spread::Amount))
    .unit("units of the scenario")
    .source("AmountNamed"),
];

static VOLUNTEERS: &[Col] = &[
    Col::flag(
        "volunteered",
        "1 if the seat wanted to speak in the round, 0 if it did not or had no valid answer; empty when not asked",
        |r| r.volunteered.map(|urgency| urgency.is_some()),
    )
    .why(Reach::SeatPart, &[Of::Volunteered], Working::Talk(Talk::Volunteers))
    .source("Volunteered, Faulted"),
    Col::count("urgency", "how urgently, from 0 to 10; empty where it did not want to speak or was not asked", |r| {
        r.volunteered.flatten().map(u64::from)
    })
    .why(Reach::SeatPart, &[Of::Volunteered], Working::Plain(Plain::Field("event.urgency")))
    .last()
    .source("Volunteered"),
];

static MEMORY: &[Col] = &[
    Col::text("memory_policy", "memory policy of the arm", |r| Some(&r.memory_policy))
.plan(Setting::MemoryPolicy).source("plan"),
    Col::count("memory_entries", "entries of its memory that the seat would be shown when the round closed; empty where none closed", |r| {
        r.memory.map(|memory| u64::from(memory.entries))
    })
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Entries)))
    .unit("entries")
    .source("RoundClosed"),
    Col::count("memory_chars", "their length as rendered, with what the seat wrote itself and what a digest tells of where the talk stands, and without the public history beside its memory; empty where no round closed", |r| {
        r.memory.map(|memory| memory.chars)
    })
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Chars)))
    .unit("characters")
    .source("RoundClosed"),
    Col::count(
        "heard_chars",
        "length of all public statements that the seat could hear by its last prompt of the round, its own included, since the session \
began; prompts that rewrite a memory and short briefs do not count; empty if it had no prompt in the round or no round closed",
        |r| r.statements().map(|statements| statements.heard),
    )
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Heard)))
    .unit("characters")
    .source("RoundClosed"),
    Col::count("shown_chars", "of heard_chars, what that prompt showed in the statements' own words; empty like heard_chars", |r| {
        r.statements().map(|statements| statements.shown)
    })
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Shown)))
    .unit("characters")
    .source("RoundClosed"),
    Col::count("dropped_entries", "entries it had witnessed and would not be shown; empty where no round closed", |r| {
        r.memory.map(|memory| u64::from(memory.dropped_entries))
    })
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::DroppedEntries)))
    .unit("entries")
    .source("RoundClosed"),
    Col::count("dropped_chars", "of heard_chars, what that prompt lacked because a statement was left out; empty like heard_chars", |r| {
        r.statements().map(|statements| statements.dropped())
    })
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Dropped)))
    .unit("characters")
    .formula("heard_chars - shown_chars - cut_chars")
    .source("RoundClosed"),
    Col::count("compressions", "times the seat made its memory shorter, because it was nearly full or for a digest; every part counts", |r| Some(r.compressions))
.why(Reach::SeatPart, &[Of::Compressed], Working::Plain(Plain::Count))
        .unit("answers")
        .source("Compressed"),
    Col::count("integrations", "times the seat rewrote its memory because something had happened", |r| {
        Some(r.integrations)
    })
.why(Reach::SeatPart, &[Of::Integrated], Working::Plain(Plain::Count))
    .unit("answers")
    .source("Integrated"),
    Col::count(
        "integrations_failed",
        "rewritings of either kind whose tries were used up, so that the memory stayed as it was",
        |r| Some(r.integrations_failed),
    )
.why(Reach::SeatPart, &[Of::RewriteLost], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count(
        "model_calls_saved",
        "events of this part that went into the seat's memory as they are, by the routing or because the policy integrates nothing, \
instead of being integrated by a call: statements of all seats, what was told to it, votes called, agreed to or declined, counts, its own \
reasoning, ballot, ranking, test, practice choice and pay; counted of simulated seats, too, which would make no call, and 0 under the \
policy none",
        |r| Some(r.calls_saved),
    )
.why(Reach::Remembered, &[Of::Any], Working::Seat(OfSeat::CallsSaved))
    .unit("calls")
    .formula("one for each event that memory.routing sends direct; under policies other than selective for each that it does not skip")
    .source("Spoke, Instructed, CallAnswered, Confirmed, Tallied, Reasoned, Balloted, Ranked, Tested, Applied, Paid"),
    Col::count(
        "tokens",
        "tokens of prompts and replies over the seat's calls that reported them; empty when there were calls and none reported tokens",
        |r| r.effort.tokens(),
    )
.why(Reach::SeatPart, &[Of::Call], Working::Asked(Asked::Tokens))
    .unit("tokens")
    .source("given.usage"),
    Col::count("look_ups", "times the seat looked up what it had heard, or asked for a page of an exhibit, before it answered", |r| {
        Some(r.inquiries)
    })
.why(Reach::SeatPart, &[Of::Inquired], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Inquired"),
];

static STATE: &[Col] = &[
    Col::count(
        "memory_tokens",
        "length of the entries of memory_entries in tokens, by the fixed estimate, which errs high, with two for what stands between each and the next; empty where no round closed",
        |r| r.memory.map(|memory| memory.tokens),
    )
    .why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Tokens)))
    .unit("tokens")
    .formula("sum over entries of (estimate + 2)")
    .source("RoundClosed"),
    Col::count(
        "summaries",
        "texts among the entries of memory_entries that the seat, or the summary model for it, wrote when its memory was rewritten: digests, summaries, integrated memories; empty where no round closed",
        |r| r.memory.map(|memory| memory.summaries),
    )
    .why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Summaries)))
    .unit("entries")
    .source("RoundClosed"),
    Col::count(
        "decisions",
        "decisions that statements of the session stated by the end of the round, the same for every seat; empty outside rounds of talk and where no marks are read",
        |r| r.marked.map(|marked| marked.decisions),
    )
    .why(Reach::SoFar, &[Of::Marked], Working::Marks(Marks::Decisions))
    .in_marked_talk()
    .unit("decisions")
    .source("Spoke"),
    Col::count(
        "proposals_open",
        "proposals of the session that are active when the round ends, the same for every seat; empty outside rounds of talk and where no marks are read",
        |r| r.marked.map(|marked| marked.open),
    )
    .why(Reach::SoFar, &[Of::Marked, Of::Tested], Working::Marks(Marks::Open))
    .in_marked_talk()
    .unit("proposals")
    .source("Spoke"),
];

static OPINIONS: &[Col] = &[
    Col::real("opinion", OPINION, |r| r.opinion.map(share))
        .why(Reach::SeatPart, &[Of::Opinion], Working::Plain(Plain::Billionths("event.opinion")))
        .last()
        .source("Spoke"),
    Col::real("straw_opinion", "opinion told with that choice, from 0 to 1 like `opinion`; empty when none was", |r| {
        r.straw_opinion.map(share)
    })
    .why(Reach::SeatPart, &[Of::Poll], Working::Plain(Plain::Billionths("event.opinion")))
    .last()
    .source("Polled"),
];

static CUT: &[Col] = &[Col::count(
    "cut_chars",
    "of heard_chars, what that prompt lacked because a statement was shortened; empty like heard_chars",
    |r| r.statements().map(|statements| statements.cut),
)
.why(Reach::Part, &[Of::RoundClosed], Working::Seat(OfSeat::Memory(Held::Cut)))
.unit("characters")
.source("RoundClosed")];

impl Row for SeatRoundRow {
    const TABLE: &'static str = "seat_rounds";
    const ABOUT: &'static str = "one row a seat and round of any phase with rounds; round 0 is a phase's part outside rounds, with a row \
for each seat that answered something or was paid there";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[TALK, VOTE, MEMORY, VOLUNTEERS, STATE, OPINIONS, CUT];
}
