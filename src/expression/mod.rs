//! Expressions of an experiment: conditions, sets of seats, computed values and payoffs.
//!
//! [`parse_expression`] reads the text, [`check_types`] finds every mistake before anything runs, and [`evaluate`] computes the
//! value. [`list_names`] and [`find_missing`] list what an expression depends on. Names belong to two traits: [`Scope`] declares them
//! with their types, [`World`] supplies their values.
//!
//! # Numbers
//! A number is an exact [`Fraction`]. `0.4` is 2/5, and `0.1 + 0.2 == 0.3` holds. Only stored values are rounded
//! ([`Fraction::round_for_storage`]), and the results of `sqrt`, `exp`, `ln` and `sd`. `//` and `%` follow Python: the quotient is
//! rounded down and the remainder has the sign of the divisor.
//!
//! # Texts and names
//! A text is written in single or double quotes. There are no escapes: if a text contains one kind of quote, write it in the other. A name
//! begins with a letter or `_`; digits may follow. After a point, the name of a function is an ordinary attribute (`option.count`).
//!
//! # Missing
//! - Arithmetic and comparison with missing give missing. An attribute of missing is missing.
//! - `and` and `or` are three-valued and stop at the first operand that decides. `not missing` is missing.
//! - A missing condition counts as false: `a if missing else b` is `b`, and a comprehension leaves the element out.
//! - Functions of one list leave missing elements out, and so do `in`, `top`, `rank_of`, `draw_choice` and `draw_order`. Of nothing,
//!   `sum` and `count` are 0, lists are empty, and all others are missing. If the list itself is missing, the result is missing.
//! - `sd` of one number is missing.
//! - `min` and `max` with two or more arguments are arithmetic.
//!
//! # Lists
//! - Positions count from 0, as in templates, and negative positions from the end. Outside the list the element is missing.
//! - A list followed by `.x` is the list of the x of its elements.
//! - `top(list, n)` and `rank_of(value, list)` order numbers from the largest, and everything else as the list does. Ranks begin
//!   at 1. Equal numbers share the better rank. The number need not be in the list; anything else that is not has no rank.
//! - `sorted` orders numbers from the smallest and texts by code point. `share` is the share of true among conditions. `names` is the
//!   list of the `.name` of seats or options. `count` counts elements of any type.
//! - `==` compares single values. The order `<` compares numbers.
//!
//! # Passes
//! The argument of `previous`, `past`, `total`, `received` and `given` is a bare name, and they read for `seat` even inside a
//! comprehension. `past` has one element for each earlier pass, missing where the pass gave no value, and `previous` is its last.
//!
//! # Draws
//! `draw_integer` includes both bounds. `draw_uniform` draws low plus a multiple of 10^-6, both bounds included. If a bound is
//! missing or there is nothing to choose from, the result is missing and nothing is drawn. Each draw has a [`DrawPlace`], so that a
//! draw does not depend on the draws before it.
//!
//! # Bounds
//! The text has at most [`TEXT_BYTES_MAX`] bytes and nests at most [`NESTING_MAX`] levels, and an evaluation takes at most
//! [`STEPS_MAX`] steps. A missing value never fails an evaluation. Division by zero and overflow do, and so do arguments without
//! meaning: the root of a negative number, a quantile outside 0 to 1, a fraction as a position.

mod absence;
mod aggregate;
mod check;
mod constant;
mod evaluate;
mod failure;
mod formula;
mod function;
mod lexer;
mod number;
mod number_text;
mod parser;
mod reads;
#[cfg(test)]
mod sample;
mod syntax;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use absence::{MissingReach, ValuePresence, find_missing, list_needed_names};
pub use check::check_types;
pub use constant::{evaluate_constant, find_certain_failures};
pub use evaluate::{STEPS_MAX, evaluate};
pub use failure::{Failure, FailureCause};
pub use formula::{Formula, show_expression};
pub use function::{Function, Series};
pub use number::Fraction;
pub use number_text::NumberTextError;
pub use parser::{KEYWORDS, NESTING_MAX, TEXT_BYTES_MAX, TREE_DEPTH_MAX, parse_expression};
pub use reads::{NamePath, NameRead, list_names, list_written_texts, may_be};
pub use syntax::{Expr, ExprKind, ExpressionProblem, Name, Operator, Span};
pub use types::{Lookup, OptionType, PointsOptions, Scope, Type};
pub use value::{DrawPlace, OptionValue, RecordId, Value, World};
