//! Seats: who sat there, what each held, and what it got.

use std::sync::Arc;

use crate::domain::{AlternativeName, CLASS_NAMES, Certainty, SeatName};
use crate::metrics::column::{Column, ColumnSpec, Kind, Row, put_count, put_real, put_text};
use crate::metrics::effort::Effort;
use crate::metrics::facts::{ArmFacts, RightAnswer};
use crate::metrics::layout::Layout;
use crate::metrics::measures;
use crate::metrics::tables::cited::OF_SEAT;
use crate::metrics::tables::harvests;
use crate::metrics::why::{
    Asked, Language, Of, OfSeat, Pay, Plain, Reach, Setting, Spread, Stances, Take, Talk, Why, Working,
};

mod recognised;

use recognised::RECOGNISED;
pub use recognised::Recognition;

/// A column of this table.
type Col = Column<SeatRow>;

/// One ranking by one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankingGiven {
    /// The rank of each alternative, from 1, in the scenario's order.
    pub ranks: Vec<u32>,
    /// How certain the seat was of it.
    pub certainty: Certainty,
}

/// One seat of one session.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatRow {
    /// The arm.
    pub arm: Arc<ArmFacts>,
    /// Its place in the plan, from 0.
    pub place: usize,
    /// The models that services say they used, joined by `|`.
    pub model_served: Option<String>,
    /// The traits of its mind in this session, one entry a column.
    pub traits: Vec<Option<f64>>,
    /// The id of its drawn persona.
    pub persona_id: Option<String>,
    /// The name that it chose.
    pub chosen_name: Option<String>,
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
    /// Whether its last stance is another than its first.
    pub switched: Option<bool>,
    /// Class and income of the settlement.
    pub settled: Option<(u8, u32)>,
    /// What it was paid for practice rounds and for the settlement, in cents; `None` where it was not paid.
    pub paid_cents: [Option<u64>; 2],
    /// Statements made.
    pub statements: u64,
    /// Words on the floor.
    pub words: u64,
    /// Its share of all words.
    pub speaking_share: Option<f64>,
    /// Votes it called for.
    pub votes_called: u64,
    /// Answers, calls, tokens.
    pub effort: Effort,
    /// Right answers at its last try of the test; `None` without a valid answer to it.
    pub test_correct: Option<u32>,
    /// Whether it failed a test that excludes who fails.
    pub is_excluded: bool,
    /// How varied its words are.
    pub mattr: Option<f64>,
    /// Others' changes of stance to the one that it held, and all of them while it held one.
    pub influence: [u64; 2],
    /// The alternative that its evidence points to; `None` where it was told none.
    pub signal: Option<AlternativeName>,
    /// What it took from a common stock; `None` where there is none.
    pub gain: Option<u64>,
    /// The facts that it was told, those that every seat was told among them, joined by `|`; `None` where it was told none.
    pub facts: Option<String>,
    /// What is right in the session; `None` where nobody knows.
    pub right: Option<RightAnswer>,
}

impl SeatRow {
    /// Whether a choice of the seat, with its amount, is right.
    fn is_correct(&self, choice: Option<&(AlternativeName, Option<u32>)>) -> Option<bool> {
        let (alternative, amount) = choice?;
        self.right.as_ref()?.is_given_by(alternative, *amount)
    }

    /// Spearman's footrule between its first and its last ranking; `None` below two rankings.
    pub fn footrule(&self) -> Option<u64> {
        let [first, last] = self.rankings.as_ref()?;
        (self.ranked > 1).then(|| measures::footrule(&first.ranks, &last.ranks))
    }

    fn name(&self) -> &SeatName {
        &self.arm.seats[self.place].name
    }

    fn certainty(&self, which: usize) -> Option<Certainty> {
        Some(self.rankings.as_ref()?[which].certainty)
    }

    /// A trait, attribute or rank is looked up by the name of its column.
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

static WHO: &[Col] = &[
    Col::text("seat", "name of the seat", |r| Some(r.name().as_str())).plan(Setting::SeatName).source("plan"),
    Col::count("seat_index", "its place at the table, from 1", |r| Some(r.place as u64 + 1))
        .plan(Setting::SeatIndex)
        .source("plan"),
    Col::text(
        "role",
        "what it is there for: member; manipulator: told privately to push what the others rank lowest",
        |r| Some(r.arm.seats[r.place].role),
    )
    .plan(Setting::Role)
    .source("plan"),
    Col::text("model", "name of its model in the config", |r| Some(&r.arm.seats[r.place].model))
        .plan(Setting::Model)
        .source("plan"),
    Col::text(
        "model_served",
        "model the service says it used, several joined by |; empty where none was called or it did not say",
        |r| r.model_served.as_deref(),
    )
    .why(Reach::Seat, &[Of::Call], Working::Seat(OfSeat::ModelsServed))
    .source("given.model_served"),
    Col::text("mind", "rule by which a simulated seat answers; empty where a language model answers", |r| {
        r.arm.seats[r.place].mind.as_deref()
    })
    .plan(Setting::Mind)
    .source("plan"),
];

static PERSONA: &[Col] =
    &[Col::text("persona_id", "id of the persona drawn from a pool; empty where it is fixed", |r| {
        r.persona_id.as_deref()
    })
    .why(Reach::Seat, &[Of::Seated], Working::Seat(OfSeat::Persona))
    .source("Seated")];

static POSITIONS: &[Col] = &[
    Col::text("language", "language of its prompts", |r| Some(&r.arm.seats[r.place].language))
        .plan(Setting::Language)
        .source("plan"),
    Col::text("straw_before", "choice in the straw poll before the talk; empty without a valid one", |r| {
        r.straws[0].as_ref().map(|(name, _)| name.as_str())
    })
    .why(Reach::Seat, &[Of::PollBefore], Working::Spread(Spread::Alternative))
    .source("Polled"),
    Col::text("straw_after", "choice in the straw poll after the talk; empty without a valid one", |r| {
        r.straws[1].as_ref().map(|(name, _)| name.as_str())
    })
    .why(Reach::Seat, &[Of::PollAfter], Working::Spread(Spread::Alternative))
    .source("Polled"),
    Col::text("final_ballot", "alternative of the seat's last valid ballot; empty without one", |r| {
        r.ballot.as_ref().map(|(name, _)| name.as_str())
    })
    .why(Reach::Seat, &[Of::Ballot], Working::Spread(Spread::Alternative))
    .source("Balloted"),
    Col::count("final_amount", "amount of that ballot; empty where the alternative takes none", |r| {
        r.ballot.as_ref().and_then(|(_, amount)| amount.map(u64::from))
    })
    .why(Reach::Seat, &[Of::Ballot], Working::Spread(Spread::Amount))
    .unit("units of the scenario")
    .source("AmountNamed"),
];

static CERTAINTY: &[Col] = &[
    Col::text("first_certainty", "certainty of the first ranking: very_unsure, unsure, no_opinion, sure or very_sure", |r| {
        r.certainty(0).map(Certainty::as_str)
    })
.why(Reach::Seat, &[Of::Ranked], Working::Seat(OfSeat::Certainty)).first()
    .source("Ranked"),
    Col::count("first_certainty_n", "the same as a number, 1 very unsure to 5 very sure", |r| {
        r.certainty(0).map(|certainty| u64::from(certainty.level()))
    })
.why(Reach::Seat, &[Of::Ranked], Working::Seat(OfSeat::CertaintyLevel)).first()
    .source("Ranked"),
    Col::text("last_certainty", "certainty of the last ranking", |r| r.certainty(1).map(Certainty::as_str))
.why(Reach::Seat, &[Of::Ranked], Working::Seat(OfSeat::Certainty)).last().source("Ranked"),
    Col::count("last_certainty_n", "the same as a number, 1 very unsure to 5 very sure", |r| {
        r.certainty(1).map(|certainty| u64::from(certainty.level()))
    })
.why(Reach::Seat, &[Of::Ranked], Working::Seat(OfSeat::CertaintyLevel)).last()
    .source("Ranked"),
    Col::count(
        "rank_footrule",
        "how far the last ranking is from the first; 0 the same, floor(K K / 2) at the most for K alternatives; empty below two rankings",
        SeatRow::footrule,
    )
.why(Reach::Seat, &[Of::Ranked], Working::Seat(OfSeat::Footrule)).ends()
    .unit("ranks")
    .formula("sum over alternatives of |last rank - first rank|")
    .source("Ranked; Spearman 1906, Diaconis and Graham 1977"),
];

static EARNED: &[Col] = &[
    Col::flag(
        "switched",
        "1 if the stance declared last is another alternative than the one declared first, 0 if not; empty without a stance",
        |r| r.switched,
    )
.why(Reach::Seat, &[Of::Stance], Working::Talk(Talk::SwitchedEver)).ends()
    .source("Spoke"),
    Col::text("class", "income class drawn in the settlement; empty without one", |r| {
        r.settled.and_then(|(class, _)| CLASS_NAMES.get(usize::from(class)).copied())
    })
.why(Reach::Seat, &[Of::PaidSettlement], Working::Pay(Pay::Class)).last()
    .source("Paid"),
    Col::count("income", "income in the settlement; empty without one", |r| r.settled.map(|(_, income)| u64::from(income)))
.why(Reach::Seat, &[Of::PaidSettlement], Working::Pay(Pay::Income)).last()
        .unit("dollars a year")
        .source("Paid"),
    Col::count("payoff_applications_cents", "paid for practice rounds, over all of them; empty where the seat was paid for none", |r| {
        r.paid_cents[0]
    })
.why(Reach::Seat, &[Of::PaidApplication], Working::Pay(Pay::Sum))
    .unit("cents")
    .source("Paid"),
    Col::count("payoff_settlement_cents", "paid in the settlement; empty where the seat was not", |r| r.paid_cents[1])
.why(Reach::Seat, &[Of::PaidSettlement], Working::Pay(Pay::Sum))
        .unit("cents")
        .source("Paid"),
    Col::count("payoff_total_cents", "paid in all; empty where the seat was paid neither", |r| match r.paid_cents {
        [None, None] => None,
        [applications, settlement] => Some(applications.unwrap_or(0).saturating_add(settlement.unwrap_or(0))),
    })
.why(Reach::Seat, &[Of::Paid], Working::Pay(Pay::Sum))
    .unit("cents")
    .formula("payoff_applications_cents + payoff_settlement_cents")
    .source("Paid"),
    Col::count("statements", "statements made", |r| Some(r.statements))
.why(Reach::Seat, &[Of::Spoke], Working::Plain(Plain::Count)).unit("statements").source("Spoke"),
    Col::count("words", "words on the floor, by Unicode's word boundaries", |r| Some(r.words))
.why(Reach::Seat, &[Of::Spoke], Working::Talk(Talk::Words))
        .unit("words")
        .source("Spoke; Unicode Standard Annex #29"),
    Col::real("speaking_share", "the seat's share of the session's words; empty without words", |r| r.speaking_share)
.why(Reach::Session, &[Of::Spoke], Working::Talk(Talk::Share))
        .formula("words / words of all seats")
        .source("Spoke"),
    Col::count("votes_called", "rounds in which the seat called for a vote", |r| Some(r.votes_called))
.why(Reach::Seat, &[Of::Called], Working::Plain(Plain::Count))
        .unit("rounds")
        .source("CallAnswered"),
    Col::count("n_invalid", "questions whose tries were used up, the last answer being faulty but no refusal; the recognition probe left out", |r| {
        Some(r.effort.invalid)
    })
.why(Reach::Seat, &[Of::Invalid], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count("n_refused", "questions whose tries were used up, the last answer being a refusal; the recognition probe left out", |r| {
        Some(r.effort.refused)
    })
.why(Reach::Seat, &[Of::Refused], Working::Plain(Plain::Count))
    .unit("questions")
    .source("Faulted"),
    Col::count(
        "tokens",
        "tokens of prompts and replies over the seat's calls that reported them; empty when there were calls and none reported tokens",
        |r| r.effort.tokens(),
    )
.why(Reach::Seat, &[Of::Call], Working::Asked(Asked::Tokens))
    .unit("tokens")
    .source("given.usage"),
    Col::count(
        "test_correct",
        "right answers at the seat's last try of the comprehension test; empty without a test or a valid answer to that try",
        |r| r.test_correct.map(u64::from),
    )
.why(Reach::Seat, &[Of::Tested], Working::Seat(OfSeat::TestCorrect)).last()
    .unit("questions")
    .source("Tested"),
    Col::flag(
        "excluded",
        "1 if the seat failed a comprehension test that excludes who fails: from then on it was asked nothing, had no vote and was not paid; else 0",
        |r| Some(r.is_excluded),
    )
.why(Reach::Seat, &[Of::Tested], Working::Seat(OfSeat::Excluded)).last()
    .source("Tested, Faulted"),
    Col::flag(
        "straw_before_correct",
        "1 if straw_before is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a valid one, and where nobody knows",
        |r| r.is_correct(r.straws[0].as_ref()),
    )
.why(Reach::Seat, &[Of::PollBefore], Working::Spread(Spread::Correct))
    .source("Polled, and the file of items or Dealt"),
    Col::flag(
        "straw_after_correct",
        "1 if straw_after is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a valid one, and where nobody knows",
        |r| r.is_correct(r.straws[1].as_ref()),
    )
.why(Reach::Seat, &[Of::PollAfter], Working::Spread(Spread::Correct))
    .source("Polled, and the file of items or Dealt"),
    Col::flag(
        "final_ballot_correct",
        "1 if final_ballot is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty without a valid one, and where nobody knows",
        |r| r.is_correct(r.ballot.as_ref()),
    )
.why(Reach::Seat, &[Of::Ballot], Working::Spread(Spread::Correct))
    .source("Balloted, and the file of items or Dealt"),
    Col::text("chosen_name", "name by which the others know the seat, where it chose one; else empty", |r| {
        r.chosen_name.as_deref()
    })
    .why(Reach::Seat, &[Of::NamesGiven], Working::Seat(OfSeat::ChosenName)).last()
    .source("NamesGiven"),
    Col::real(
        "influence_in",
        "share of the others' switches of declared stance, while the seat held a stance, that went to that stance, in the order of the minutes; empty when influence_n is 0",
        |r| {
            let [toward, all] = r.influence;
            (all > 0).then(|| toward as f64 / all as f64)
        },
    )
    .why(Reach::Session, &[Of::Stance], Working::Stances(Stances::InfluenceShare))
    .formula("others' switches to the seat's stance / influence_n")
    .source("Spoke"),
    Col::count("influence_n", "switches of declared stance by others while the seat held a stance: the denominator of influence_in", |r| {
        Some(r.influence[1])
    })
    .why(Reach::Session, &[Of::Stance], Working::Stances(Stances::InfluenceN))
    .unit("switches")
    .source("Spoke"),
    Col::real("mattr_50", "how varied the seat's words are, whatever their number: different words over 50, from 0.02 to 1, mean over all windows of 50 words in a row, across its statements; empty below 50 words", |r| r.mattr)
    .why(Reach::Seat, &[Of::Spoke], Working::Language(Language::Mattr))
    .formula("mean over windows of (different words / 50)")
    .source("Spoke; Covington and McFall 2010"),
    Col::count("degree_in", "how many other seats it hears; empty where everyone hears everyone", |r| {
        r.degrees.map(|[hears, _]| hears)
    })
    .why(Reach::Seat, &[Of::Networked], Working::Seat(OfSeat::DegreeIn)).last()
    .source("Networked"),
    Col::count("degree_out", "how many other seats hear it; empty where everyone hears everyone", |r| {
        r.degrees.map(|[_, heard]| heard)
    })
    .why(Reach::Seat, &[Of::Networked], Working::Seat(OfSeat::DegreeOut)).last()
    .source("Networked"),
];

/// Both rankings, by the beginnings of their columns' names.
const RANKINGS: [&str; 2] = ["first_rank", "last_rank"];

impl Row for SeatRow {
    const TABLE: &'static str = "seats";
    const ABOUT: &'static str = "one row a seat of a completed session";
    const COLUMNS: &'static [&'static [Column<Self>]] =
        &[WHO, PERSONA, POSITIONS, CERTAINTY, EARNED, OF_SEAT, RECOGNISED, harvests::OF_SEAT];

    fn open_specs(group: usize, layout: &Layout) -> Vec<ColumnSpec> {
        let open = |name: String, kind, help: String, source: &str, why: Why| ColumnSpec {
            why: Some(why),
            name,
            kind,
            unit: String::new(),
            help,
            formula: String::new(),
            source: source.to_owned(),
        };
        match group {
            0 => layout
                .traits
                .iter()
                .map(|name| {
                    let help = format!("trait {name} of the seat's mind in this session; empty for minds without it");
                    open(
                        format!("trait_{name}"),
                        Kind::Real,
                        help,
                        "Seated",
                        Why::of(Reach::Seat, &[Of::Seated], Working::Seat(OfSeat::Trait)),
                    )
                })
                .collect(),
            1 => layout
                .attributes
                .iter()
                .map(|name| {
                    let help = format!("attribute {name} of the drawn persona; empty where its file says nothing");
                    open(
                        format!("attr_{name}"),
                        Kind::Text,
                        help,
                        "Seated and the file of personas",
                        Why::of(Reach::Seat, &[Of::Seated], Working::Seat(OfSeat::Attribute)),
                    )
                })
                .collect(),
            2 => RANKINGS
                .iter()
                .zip([("first", Take::First), ("last", Take::Last)])
                .flat_map(|(start, which)| layout.ranked.iter().map(move |name| (start, which, name)))
                .map(|(start, (which, take), name)| {
                    let help =
                        format!("rank of {name} in the seat's {which} ranking, 1 the best; empty without a ranking");
                    open(
                        format!("{start}_{name}"),
                        Kind::Count,
                        help,
                        "Ranked",
                        Why::of(Reach::Seat, &[Of::Ranked], Working::Seat(OfSeat::Rank)).take(take),
                    )
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    fn put_open(&self, group: usize, out: &mut Vec<u8>) {
        let layout = &self.arm.layout;
        match group {
            0 => (0..layout.traits.len()).for_each(|place| {
                out.push(b',');
                put_real(self.traits.get(place).copied().flatten(), out);
            }),
            1 => layout.attributes.iter().for_each(|name| {
                out.push(b',');
                put_text(self.attribute(name).unwrap_or_default(), out);
            }),
            2 => (0..RANKINGS.len()).flat_map(|which| layout.ranked.iter().map(move |name| (which, name))).for_each(
                |(which, name)| {
                    out.push(b',');
                    put_count(self.rank(which, name), out);
                },
            ),
            _ => {}
        }
    }
}
