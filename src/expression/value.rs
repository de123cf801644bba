//! Values of expressions, and the world that supplies them.

use std::sync::Arc;

use super::function::Series;
use super::number::Fraction;

/// The value of an expression. Cloning is cheap: lists and texts are shared.
///
/// A number is exact. Whoever stores a value rounds it with [`Fraction::round_for_storage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nobody gave a value.
    Missing,
    /// A number.
    Number(Fraction),
    /// Yes or no.
    YesNo(bool),
    /// A text.
    Text(Arc<str>),
    /// An option of a vote or a field, or a text that a seat wrote.
    Option(OptionValue),
    /// A seat, by its index in the session.
    Seat(u32),
    /// Something that only has attributes. An expression never ends with it.
    Record(RecordId),
    /// Scores or points: each option, a text or a seat, with its number.
    Points(Arc<[(Value, Fraction)]>),
    /// Several values; some may be missing.
    List(Arc<[Value]>),
}

impl Value {
    /// The value where a number is needed: a number, or a text that reads as one, as the key of an item may.
    pub fn as_number(&self) -> Option<Fraction> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(text) => Fraction::parse(text).ok(),
            _ => None,
        }
    }

    /// The value where a condition is needed: yes or no, or a text that reads as one of them.
    pub fn as_truth(&self) -> Option<bool> {
        match self {
            Value::YesNo(yes) => Some(*yes),
            Value::Text(text) => match &**text {
                "yes" | "true" => Some(true),
                "no" | "false" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of an option among points; missing if it has none.
    pub fn find_points(points: &[(Value, Fraction)], option: &Value) -> Value {
        let found = points.iter().find(|(own, _)| own == option);
        found.map_or(Value::Missing, |(_, number)| Value::Number(*number))
    }
}

/// An option, and the vote through which the expression reached it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionValue {
    /// The number of the option in the session. Two options are equal in an expression if this number is.
    pub option: u32,
    /// The number of the vote that supplies attributes such as `.count` and `.score`; the world chooses it.
    pub vote: Option<u32>,
}

/// A record such as `pass`, `parameters` or the answers of a seat in a phase. The world chooses the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordId(pub u64);

/// The coordinate of a random draw within an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawPlace {
    /// The place of the call among the draws of the expression, from 0 in the order of the text.
    pub site: u32,
    /// How often the call was evaluated before, which happens in a comprehension.
    pub repetition: u32,
    /// The number of the draw within the call. Only `draw_order` draws more than once.
    pub step: u32,
}

/// What an expression reads while it is evaluated. It answers for one moment and, where a seat is concerned, for one `seat`.
///
/// The names, attributes and types must be those that the [`Scope`](super::types::Scope) of the expression declares. Missing values
/// are [`Value::Missing`]; `None` means that the world does not know the name, and fails the evaluation.
pub trait World {
    /// The value of a bare name.
    fn read_name(&self, name: &str) -> Option<Value>;

    /// The attribute of a bare name, where the world finds it without the value of the name: `parameters.endowment`, `group.pot`.
    /// After `None`, which is also the answer for the name of a comprehension, the evaluation reads the value of the name and then
    /// its attribute.
    fn read_member(&self, _name: &str, _attribute: &str) -> Option<Value> {
        None
    }

    /// The attribute of a seat, an option or a record.
    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value>;

    /// The values of a field or a variable for `seat`.
    fn read_series(&self, _series: Series, _name: &str) -> Option<Arc<[Value]>> {
        None
    }

    /// A random integer from 0 to `bound - 1`, all equally likely. `bound` is at least 1. The same place must give the same integer.
    ///
    /// # Panics
    /// In a world in which nothing is drawn.
    fn draw_below(&mut self, _place: DrawPlace, _bound: u64) -> u64 {
        unreachable!("invariant: what draws is evaluated in a world with draws")
    }
}
