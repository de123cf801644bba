//! The table of seats.

use std::sync::Arc;

use crate::analysis::column::{CellKind, ColumnSpec, CsvRow, columns, declare_column};
use crate::analysis::effort::{AnswerStatus, Effort};
use crate::analysis::facts::{ArmFacts, RightAnswer, SeatFacts};
use crate::analysis::layout::ColumnLayout;
use crate::analysis::measures::{self, share_of};
use crate::analysis::tables::values::{self, put_open_cell};
use crate::analysis::tables::variables;
use crate::analysis::why::{CellProvenance, RecordKind, RecordPick, RowReach};
use crate::domain::{AlternativeName, CLASS_NAMES, Certainty, FieldValue, Holder};

/// The status of the answer to the recognition probe and, if it is valid, whether the seat recognised the study, with its words.
pub type Recognition = (AnswerStatus, Option<(bool, Option<String>)>);

/// A seat's ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankingGiven {
    /// The rank of each alternative, from 1, in the scenario's order.
    pub ranks: Vec<u32>,
    /// The seat's certainty; `None` if a form that measures the ranking asks for none.
    pub certainty: Option<Certainty>,
}

columns! {
    /// One seat of one session.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SeatRow as r {
        /// The arm.
        pub arm: Arc<ArmFacts>,
        /// Its place in the plan, from 0.
        pub place: usize,
        /// The traits of its mind in this session, one entry a column.
        pub traits: Vec<Option<f64>>,
        /// What it said of recognising what it took part in; `None` where it was not asked.
        pub recognised: Option<Recognition>,
        /// How many others it hears, and how many hear it; `None` where everyone hears everyone.
        pub degrees: Option<[u64; 2]>,
        /// Last choices in the straw polls before and after the talk.
        pub straws: [Option<(AlternativeName, Option<u32>)>; 2],
        /// The last valid ballot.
        pub ballot: Option<(AlternativeName, Option<u32>)>,
        /// The first and the last ranking; both are the same where there was one.
        pub rankings: Option<[RankingGiven; 2]>,
        /// How many rankings it gave.
        pub ranked: u32,
        /// Class and income of the settlement.
        pub settled: Option<(u8, u32)>,
        /// What it was paid in all, in cents; `None` where it was paid no money.
        pub paid_total_cents: Option<i64>,
        /// What it was paid for practice rounds and for the settlement, in cents; `None` where it was not paid.
        pub paid_cents: [Option<u64>; 2],
        /// Its answers to forms, in the order of the columns; none where it answered none.
        pub answers: Vec<Option<FieldValue>>,
        /// Its values of variables, in the order of their columns; empty without one.
        pub variables: Vec<Option<FieldValue>>,
        /// Answers, calls, tokens.
        pub effort: Effort,
        /// Others' changes of stance to the one that it held, and all of them while it held one.
        pub influence: [u64; 2],
        /// What is right in the session; `None` where nobody knows.
        pub right: Option<RightAnswer>,
    }

    /// name of the seat
    seat: str = r.seat_facts().name.as_str() => plan(SeatName), "plan";
    /// its place at the table, from 1
    seat_index: u64 = r.place as u64 + 1 => plan(SeatIndex), "plan";
    /// its role in the scenario; without roles member, or manipulator: told privately to push what the others rank lowest
    role: str = r.seat_facts().role.as_str() => plan(Role), "plan";
    /// name of its model in the config
    model: str = r.seat_facts().model.as_str() => plan(Model), "plan";
    /// model the service says it used, several joined by |; empty where none was called or it did not say
    model_served: Option<String> => Seat[Call], "given.model_served";
    /// rule by which a simulated seat answers; empty where a language model answers
    mind: str = r.seat_facts().mind.as_deref() => plan(Mind), "plan";
    open list_traits, |r, out| r.arm.layout.traits.iter().enumerate().for_each(|(place, _)| put_open_cell(r.traits.get(place).copied().flatten(), out));
    /// id of the persona drawn from a pool; empty where it is fixed
    persona_id: Option<String> => Seat[Seated], "Seated";
    open list_attributes, |r, out| r.arm.layout.attributes.iter().for_each(|name| put_open_cell(r.attribute(name), out));
    /// language of its prompts
    language: str = r.seat_facts().language.as_str() => plan(Language), "plan";
    /// choice in the straw poll before the talk; empty without a valid one
    straw_before: str = r.straws[0].as_ref()?.0.as_str() => Seat[PollBefore], "straw_poll";
    /// choice in the straw poll after the talk; empty without a valid one
    straw_after: str = r.straws[1].as_ref()?.0.as_str() => Seat[PollAfter], "straw_poll";
    /// alternative that the seat's last valid ballot names alone, or alone approves of, ranks first or scores highest, in the phase and pass
    /// of the last vote, from which the result comes; empty without one, as where ballots approve of several or of none, or abstain:
    /// ballots.csv has a row for each alternative
    final_ballot: str = r.ballot.as_ref()?.0.as_str() => Seat[DecidingBallot] OfPass, "ballot";
    /// amount of that ballot; empty where the alternative takes none
    final_amount: u32 = r.ballot.as_ref()?.1 => Seat[DecidingBallot] OfPass, "amount", unit: "units of the scenario";
    open list_ranks, |r, out| [0, 1].iter().for_each(|which| r.arm.layout.ranked.iter().for_each(|name| put_open_cell(r.rank(*which, name), out)));
    /// certainty of the first ranking: very_unsure, unsure, no_opinion, sure or very_sure; of a form's scale the nearest of these five
    first_certainty: Certainty = r.certainty(0) => Seat[Ranked] First, "ranking";
    /// the same as a number, 1 very unsure to 5 very sure
    first_certainty_n: u8 = r.certainty(0)?.level() => Seat[Ranked] First, "ranking";
    /// certainty of the last ranking
    last_certainty: Certainty = r.certainty(1) => Seat[Ranked] Last, "ranking";
    /// the same as a number, 1 very unsure to 5 very sure
    last_certainty_n: u8 = r.certainty(1)?.level() => Seat[Ranked] Last, "ranking";
    /// how far the last ranking is from the first; 0 the same, floor(K K / 2) at the most for K alternatives; empty below two rankings
    rank_footrule: u64 = r.footrule() => Seat[Ranked] Ends, "ranking; Spearman 1906, Diaconis and Graham 1977", unit: "ranks",
        formula: "sum over alternatives of |last rank - first rank|";
    /// 1 if the stance declared last is another alternative than the one declared first, 0 if not; empty without a stance, and where an
    /// amount alone is decided
    switched: Option<bool> => Seat[Stance] Ends, "statement";
    /// income class drawn in the settlement; empty without one
    class: str = CLASS_NAMES.get(usize::from(r.settled?.0)).copied() => Seat[PaidSettlement] Last, "Paid";
    /// income in the settlement; empty without one
    income: u32 = r.settled?.1 => Seat[PaidSettlement] Last, "Paid", unit: "dollars a year";
    /// paid for practice rounds, over all of them; empty where the seat was paid for none
    payoff_applications_cents: u64 = r.paid_cents[0] => Seat[PaidApplication], "Paid", unit: "cents";
    /// paid in the settlement; empty where the seat was not
    payoff_settlement_cents: u64 = r.paid_cents[1] => Seat[PaidSettlement], "Paid", unit: "cents";
    /// paid in all, by the mechanism and by expressions; empty where the seat was paid no money
    payoff_total_cents: i64 = r.paid_total_cents => Seat[Paid], "Paid", unit: "cents",
        formula: "sum of payoff_cents";
    /// statements made
    statements: u64 => Seat[Spoke], "statement", unit: "statements";
    /// words on the floor, by Unicode's word boundaries
    words: u64 => Seat[Spoke], "statement; Unicode Standard Annex #29", unit: "words";
    /// the seat's share of the session's words; empty without words
    speaking_share: Option<f64> => Session[Spoke], "statement", formula: "words / words of all seats";
    /// rounds in which the seat called for a vote
    votes_called: u64 => Seat[Called], "vote_call", unit: "rounds";
    /// questions whose tries were used up, the last answer being faulty but no refusal; the recognition probe left out
    n_invalid: u64 = r.effort.invalid => Seat[Invalid], "Faulted", unit: "questions";
    /// questions whose tries were used up, the last answer being a refusal; the recognition probe left out
    n_refused: u64 = r.effort.refused => Seat[Refused], "Faulted", unit: "questions";
    /// tokens of prompts and replies over the seat's calls that reported them; empty when there were calls and none reported tokens
    tokens: u64 = r.effort.total_tokens() => Seat[Call], "given.usage", unit: "tokens";
    /// right answers at the seat's last try of the comprehension test; empty without a test or a valid answer to that try
    test_correct: Option<u32> => Seat[Tested] Last, "comprehension", unit: "questions";
    /// 1 if the seat failed a comprehension test that excludes who fails: from then on it was asked nothing, had no vote and was not paid;
    /// else 0
    excluded: bool => Seat[Tested] Last, "comprehension, Faulted";
    /// 1 if straw_before is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount
    /// alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a valid
    /// one, and where nobody knows
    straw_before_correct: bool = r.is_correct(r.straws[0].as_ref()) => Seat[PollBefore], "straw_poll, and the file of items or Convened";
    /// 1 if straw_after is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount
    /// alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a valid
    /// one, and where nobody knows
    straw_after_correct: bool = r.is_correct(r.straws[1].as_ref()) => Seat[PollAfter], "straw_poll, and the file of items or Convened";
    /// 1 if final_ballot is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount
    /// alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a valid
    /// one, and where nobody knows
    final_ballot_correct: bool = r.is_correct(r.ballot.as_ref()) => Seat[DecidingBallot] OfPass, "ballot, and the file of items or Convened";
    /// name by which the others know the seat, where it chose one; else empty
    chosen_name: Option<String> => Seat[Named] Last, "Seated";
    /// share of the others' switches of declared stance, while the seat held a stance, that went to that stance, in the order of the
    /// minutes; empty when influence_n is 0
    influence_in: f64 = share_of(r.influence[0], r.influence[1]) => Session[Stance], "statement",
        formula: "others' switches to the seat's stance / influence_n";
    /// switches of declared stance by others while the seat held a stance: the denominator of influence_in; empty where an amount alone is
    /// decided
    influence_n: u64 = Some(r.influence[1]).filter(|_| r.arm.offers_choice()) => Session[Stance], "statement", unit: "switches";
    /// how varied the seat's words are, whatever their number: different words over 50, from 0.02 to 1, mean over all windows of 50 words
    /// in a row, across its statements; empty below 50 words
    mattr_50: Option<f64> => Seat[Spoke], "statement; Covington and McFall 2010", formula: "mean over windows of (different words / 50)";
    /// how many other seats it hears; empty where everyone hears everyone
    degree_in: u64 = r.degrees?[0] => Seat[Seated] Last, "Seated";
    /// how many other seats hear it; empty where everyone hears everyone
    degree_out: u64 = r.degrees?[1] => Seat[Seated] Last, "Seated";
    /// alternative that the seat was told alone its evidence points to; empty where it was told none
    signal: Option<AlternativeName> => Seat[Case] Last, "Briefed";
    /// ids of the facts that the seat was told, those that every seat was told among them, joined by |; empty where it was told none
    facts: Option<String> => Seat[Case] Last, "Briefed";
    /// yes or no, said after everything else: whether the seat recognises what it took part in as a known study, experiment, benchmark or
    /// game; empty where it was not asked or gave no valid answer
    recognised: str = if r.recognised.as_ref()?.1.as_ref()?.0 { "yes" } else { "no" } => Seat[Recognised], "recognition";
    /// as what, in the words of the seat as it wrote them; empty where it wrote none
    recognised_as: str = r.recognised.as_ref()?.1.as_ref()?.1.as_deref() => Seat[Recognised], "recognition";
    /// valid; invalid or refused when the tries were used up and the last answer had a fault or declined; empty where it was not asked
    recognised_status: AnswerStatus = r.recognised.as_ref()?.0 => Seat[Probed], "recognition, Faulted";
    open values::list_seat_answers, |r, out| r.put_answers(out);
    open variables::list_seat_variables, |r, out| r.put_variables(out);
    open values::list_seat_keys, |r, out| r.put_keys(out);
}

impl SeatRow {
    /// Whether a choice of the seat, with its amount, is right.
    fn is_correct(&self, choice: Option<&(AlternativeName, Option<u32>)>) -> Option<bool> {
        let (alternative, amount) = choice?;
        self.right.as_ref()?.accepts_answer(alternative, *amount)
    }

    /// Spearman's footrule between its first and its last ranking; `None` for fewer than two rankings.
    pub fn footrule(&self) -> Option<u64> {
        let [first, last] = self.rankings.as_ref()?;
        (self.ranked > 1).then(|| measures::footrule(&first.ranks, &last.ranks))
    }

    fn put_answers(&self, out: &mut Vec<u8>) {
        for (place, column) in self.arm.layout.answers.iter().enumerate() {
            values::put_value(values::answer_kind(column), self.answers.get(place), out);
        }
    }

    fn put_keys(&self, out: &mut Vec<u8>) {
        for correct in values::mark_answers(&self.arm, &self.answers) {
            values::put_open_cell(correct, out);
        }
    }

    fn put_variables(&self, out: &mut Vec<u8>) {
        for (place, column) in self.arm.layout.variables.iter().enumerate() {
            if column.of == Holder::Seat {
                values::put_value(values::variable_kind(column), self.variables.get(place), out);
            }
        }
    }

    fn seat_facts(&self) -> &SeatFacts {
        &self.arm.seats[self.place]
    }

    fn certainty(&self, which: usize) -> Option<Certainty> {
        self.rankings.as_ref()?[which].certainty
    }

    /// Looks up an attribute by the name of its column.
    fn attribute(&self, name: &str) -> Option<&str> {
        let pool = self.arm.pools.get(self.arm.seats[self.place].pool?)?;
        let place = pool.attributes.iter().position(|attribute| attribute == name)?;
        let value = pool.personas.get(self.persona_id.as_ref()?)?.get(place)?;
        (!value.is_empty()).then_some(value)
    }

    fn rank(&self, which: usize, name: &str) -> Option<u64> {
        let place = self.arm.alternatives.iter().position(|alternative| alternative.as_str() == name)?;
        Some(u64::from(*self.rankings.as_ref()?[which].ranks.get(place)?))
    }
}

fn list_traits(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |name: &String| {
        let help = format!("trait {name} of the seat's mind in this session; empty for minds without it");
        declare_column(
            format!("trait_{name}"),
            CellKind::Real,
            help,
            "Seated",
            CellProvenance::from_records(RowReach::Seat, &[RecordKind::Seated]),
        )
    };
    layout.traits.iter().map(spec).collect()
}

fn list_attributes(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |name: &String| {
        let help = format!("attribute {name} of the drawn persona; empty where its file says nothing");
        let why = CellProvenance::from_records(RowReach::Seat, &[RecordKind::Seated]);
        declare_column(format!("attr_{name}"), CellKind::Text, help, "Seated and the file of personas", why)
    };
    layout.attributes.iter().map(spec).collect()
}

fn list_ranks(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |(which, take): (&str, RecordPick), name: &String| {
        let help = format!("rank of {name} in the seat's {which} ranking, 1 the best; empty without a ranking");
        let why = CellProvenance::from_records(RowReach::Seat, &[RecordKind::Ranked]).with_pick(take);
        declare_column(format!("{which}_rank_{name}"), CellKind::Count, help, "ranking", why)
    };
    let rankings = [("first", RecordPick::First), ("last", RecordPick::Last)];
    rankings.into_iter().flat_map(|ranking| layout.ranked.iter().map(move |name| spec(ranking, name))).collect()
}

impl CsvRow for SeatRow {
    const TABLE: &'static str = "seats";
    const ABOUT: &'static str = "one row a seat of a completed session";
}
