//! Types of expressions, and the scope that declares the names.

use std::fmt;
use std::sync::Arc;

use super::function::{Function, Series};

/// The type of an expression. A value of every type can be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// An exact number.
    Number,
    /// Yes or no.
    YesNo,
    /// A text.
    Text,
    /// An option, or a text that a seat wrote.
    Option(OptionType),
    /// A seat.
    Seat,
    /// Something that only has attributes, such as `pass`. The scope chooses the number.
    Record(u32),
    /// Scores or points of options.
    Points(PointsOptions),
    /// Values of one type.
    List(Box<Type>),
    /// Any type: `missing`, the elements of `[]`, and the result of a part that has a problem.
    Unknown,
}

/// The type of an option. The scope chooses the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionType {
    /// The set that the option belongs to: the alternatives, or the texts of one name. Options of different sets cannot be compared.
    pub set: u32,
    /// The vote through which the expression reached the option. It adds attributes such as `.count` and `.score`.
    pub vote: Option<u32>,
}

/// The options that have scores or points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PointsOptions {
    /// These words.
    Words(Arc<[String]>),
    /// Seats.
    Seats,
}

impl Type {
    /// The type of a list.
    pub fn list_of(element: Type) -> Type {
        Type::List(Box::new(element))
    }

    /// The type that both values have; `None` if there is none.
    pub(super) fn unify(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::Unknown, known) | (known, Type::Unknown) => Some(known.clone()),
            (Type::List(left), Type::List(right)) => left.unify(right).map(Type::list_of),
            (Type::Option(left), Type::Option(right)) if left.set == right.set => {
                let vote = left.vote.filter(|_| left.vote == right.vote);
                Some(Type::Option(OptionType { set: left.set, vote }))
            }
            _ if self == other => Some(self.clone()),
            _ => None,
        }
    }

    /// Whether `==` can compare the two.
    pub(super) fn is_same_kind_as(&self, other: &Type) -> bool {
        self.unify(other).is_some()
    }

    /// The other type, described for a problem that says that the two differ.
    pub(super) fn describe_other(&self, other: &Type) -> String {
        match (self, other) {
            (Type::Option(_), Type::Option(_)) => "an option of another kind".to_owned(),
            (Type::Option(_), Type::List(element)) if matches!(**element, Type::Option(_)) => {
                "a list of options of another kind".to_owned()
            }
            _ => other.to_string(),
        }
    }

    fn plural(&self) -> &'static str {
        match self {
            Type::Number => "numbers",
            Type::YesNo => "yes/no values",
            Type::Text => "texts",
            Type::Option(_) => "options",
            Type::Seat => "seats",
            Type::Record(_) => "records",
            Type::Points(_) => "points of options",
            Type::List(_) => "lists",
            Type::Unknown => "values",
        }
    }
}

impl fmt::Display for Type {
    /// Prints the type with its article, as problems use it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Number => f.write_str("a number"),
            Type::YesNo => f.write_str("yes or no"),
            Type::Text => f.write_str("a text"),
            Type::Option(_) => f.write_str("an option"),
            Type::Seat => f.write_str("a seat"),
            Type::Record(_) => f.write_str("a record"),
            Type::Points(_) => f.write_str("points of options"),
            Type::List(element) => write!(f, "a list of {}", element.plural()),
            Type::Unknown => f.write_str("a value"),
        }
    }
}

/// What a scope knows about a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The name exists and has this type.
    Found(Type),
    /// The name does not exist. The problem suggests the nearest name that does.
    Unknown,
    /// The name cannot be used here, for this reason: a lowercase fragment with a remedy, which becomes the problem.
    Refused(String),
}

/// The names that an expression may use, with their types.
///
/// A name that means two things is the scope's problem: it answers with one type.
pub trait Scope {
    /// The type of a bare name.
    fn find_name(&self, name: &str) -> Lookup;

    /// The type of an attribute of a bare name that has it apart from its type: the variables of `group`. After
    /// [`Lookup::Unknown`], the attribute is looked up by the type of the name.
    fn find_member(&self, _name: &str, _attribute: &str) -> Lookup {
        Lookup::Unknown
    }

    /// The type of an attribute of a seat, an option or a record.
    fn find_attribute(&self, holder: &Type, attribute: &str) -> Lookup;

    /// Every text that a bare name can be, or an attribute of a seat or a record; `None` if it can be any.
    fn list_words(&self, _holder: Option<&Type>, _name: &str) -> Option<Vec<String>> {
        None
    }

    /// Every text that an attribute of an option of a vote can be; `None` if it can be any.
    fn list_option_words(&self, _vote: &str, _attribute: &str) -> Option<Vec<String>> {
        None
    }

    /// The type of one value of a field or variable that `previous`, `past`, `total`, `received` and `given` can read. The last two
    /// read only fields that are asked for each target.
    fn find_series(&self, series: Series, name: &str) -> Lookup;

    /// The reason why a function cannot be called here; `None` if it can. Draws belong in `compute` only.
    fn refuse_function(&self, function: Function) -> Option<String>;

    /// Every bare name, for suggestions.
    fn list_names(&self) -> Vec<String>;

    /// Every attribute of a type, and of a bare name if the attribute follows one, for suggestions.
    fn list_attributes(&self, name: Option<&str>, holder: &Type) -> Vec<String>;

    /// Every name that [`Scope::find_series`] finds, for suggestions.
    fn list_series(&self, series: Series) -> Vec<String>;
}
