//! From ballots to a tally and its winners, with tie-breaking apart. Integers only.
//!
//! A rule never picks among equals: every alternative that meets it wins, and ties stay visible in the data. Ballots have weights
//! but no voters, so every rule is anonymous. The engine determines who may vote, and when.

mod approval;
mod ballots;
mod casting;
mod central;
mod options;
pub mod ranked;
mod recount;
mod rule;
mod score;
mod several;
pub mod stakes;
mod tally;
mod tie;
mod voted;

pub use approval::approval;
pub use ballots::{Ballots, Bundle, TallyBallot, TallyForm};
pub use casting::{highest_of, named_of};
pub use central::{mean, median};
pub use options::{OptionCount, count_options, place_ballots};
pub use recount::{CountTerms, RuleOutcome, UncountedReason, count_rankings, countable_rules, recount_ballots};
pub use rule::DecisionRule;
pub use score::score;
pub use several::{Elected, Money, OptionPoints, elect_by_equal_shares, elect_greedily, elect_number};
pub use tally::{BlankBallots, Tally, count_tally};
pub use tie::break_tie;
pub use voted::{bundle_ballot, form_of};
