//! The functions of expressions: names, arguments and kinds.

use strum::VariantArray;

/// A function that an expression can call. Functions of a list leave missing elements out. Of nothing they are missing, unless the table says
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Function {
    /// The sum of a list; 0 of nothing.
    Sum,
    /// The mean of a list.
    Mean,
    /// The median of a list; the mean of the middle two if the count is even.
    Median,
    /// The quantile of a list at a share from 0 to 1, of type 7 (Hyndman and Fan 1996), the default of R and NumPy.
    Quantile,
    /// The standard deviation of a sample: the sum of squares is divided by n − 1. Missing for one number. Rounded to 6 decimals.
    Sd,
    /// The smallest number of a list, or of two or more arguments.
    Min,
    /// The largest number of a list, or of two or more arguments.
    Max,
    /// How many elements of a list are not missing; 0 of nothing.
    Count,
    /// The share of true among the conditions of a list.
    Share,
    /// The rank of a value in a list, from 1. A number has 1 plus the count of larger numbers; anything else has its place in the list.
    RankOf,
    /// The n largest numbers of a list, largest first; of anything else, the first n elements.
    Top,
    /// The numbers of a list from the smallest, or its texts by code point.
    Sorted,
    /// The distance from 0.
    Abs,
    /// The nearest number with so many decimals, 0 by default; half goes to even.
    Round,
    /// The largest whole number that is at most the argument.
    Floor,
    /// The smallest whole number that is at least the argument.
    Ceil,
    /// The first argument, but at least `low` and at most `high`.
    Clamp,
    /// The square root, rounded to 6 decimals.
    Sqrt,
    /// e to the power of the argument, rounded to 6 decimals.
    Exp,
    /// The natural logarithm, rounded to 6 decimals.
    Ln,
    /// The first argument, or the second if the first is missing.
    Default,
    /// Whether the argument is missing.
    IsMissing,
    /// Of a field or a computed value, for the seat or the session: its value in the pass before, of the innermost repeated block in
    /// which it is set. Only in repeated blocks.
    Previous,
    /// The list of its values in all earlier passes of that block, oldest first. Only in repeated blocks.
    Past,
    /// The sum of a field or a computed value over all passes so far, and after the block over all passes; 0 of nothing.
    Total,
    /// Of a field in a form about other seats, or of one with points for seats: the sum of what the others answered about the seat in this
    /// pass, or after the block in the last. Answers about oneself do not count. 0 of nothing.
    Received,
    /// The sum of what the seat answered about the others, likewise.
    Given,
    /// The list of the names of seats or options.
    Names,
    /// A random number from `low` to `high`, both included, with 6 decimals. Draws are only in `compute` and in rules of minds.
    DrawUniform,
    /// A random whole number from `low` to `high`, both included.
    DrawInteger,
    /// A random element of a list.
    DrawChoice,
    /// The elements of a list in random order.
    DrawOrder,
}

/// The values of a field or variable that a function reads for `seat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Series {
    /// One value for each pass before the current one, of the innermost loop in which the name is set, oldest first: `previous` and
    /// `past`. A pass without a value counts as missing.
    Past,
    /// The values of all passes so far, the current one included: `total`.
    AllPasses,
    /// The values that the other seats gave about this seat in the current pass, or in the last pass after the loop: `received`.
    Received,
    /// The values that this seat gave about the other seats in that pass: `given`.
    Given,
}

/// The name of a function and the arguments that it takes.
struct Signature {
    name: &'static str,
    usage: &'static str,
    fewest: usize,
    most: usize,
}

impl Function {
    /// Every function once.
    pub const ALL: &'static [Function] = Self::VARIANTS;

    fn signature(self) -> Signature {
        let call = |name, usage, fewest, most| Signature { name, usage, fewest, most };
        match self {
            Function::Sum => call("sum", "sum(numbers)", 1, 1),
            Function::Mean => call("mean", "mean(numbers)", 1, 1),
            Function::Median => call("median", "median(numbers)", 1, 1),
            Function::Quantile => call("quantile", "quantile(numbers, share)", 2, 2),
            Function::Sd => call("sd", "sd(numbers)", 1, 1),
            Function::Min => call("min", "min(numbers) or min(a, b)", 1, usize::MAX),
            Function::Max => call("max", "max(numbers) or max(a, b)", 1, usize::MAX),
            Function::Count => call("count", "count(list)", 1, 1),
            Function::Share => call("share", "share(conditions)", 1, 1),
            Function::RankOf => call("rank_of", "rank_of(value, list)", 2, 2),
            Function::Top => call("top", "top(list, n)", 2, 2),
            Function::Sorted => call("sorted", "sorted(list)", 1, 1),
            Function::Abs => call("abs", "abs(x)", 1, 1),
            Function::Round => call("round", "round(x) or round(x, decimals)", 1, 2),
            Function::Floor => call("floor", "floor(x)", 1, 1),
            Function::Ceil => call("ceil", "ceil(x)", 1, 1),
            Function::Clamp => call("clamp", "clamp(x, low, high)", 3, 3),
            Function::Sqrt => call("sqrt", "sqrt(x)", 1, 1),
            Function::Exp => call("exp", "exp(x)", 1, 1),
            Function::Ln => call("ln", "ln(x)", 1, 1),
            Function::Default => call("default", "default(x, replacement)", 2, 2),
            Function::IsMissing => call("is_missing", "is_missing(x)", 1, 1),
            Function::Previous => call("previous", "previous(NAME)", 1, 1),
            Function::Past => call("past", "past(NAME)", 1, 1),
            Function::Total => call("total", "total(NAME)", 1, 1),
            Function::Received => call("received", "received(NAME)", 1, 1),
            Function::Given => call("given", "given(NAME)", 1, 1),
            Function::Names => call("names", "names(list)", 1, 1),
            Function::DrawUniform => call("draw_uniform", "draw_uniform(low, high)", 2, 2),
            Function::DrawInteger => call("draw_integer", "draw_integer(low, high)", 2, 2),
            Function::DrawChoice => call("draw_choice", "draw_choice(list)", 1, 1),
            Function::DrawOrder => call("draw_order", "draw_order(list)", 1, 1),
        }
    }

    /// The function with this name.
    pub fn find_by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|function| function.as_str() == name)
    }

    /// The name, which nothing else in a scenario may have.
    pub fn as_str(self) -> &'static str {
        self.signature().name
    }

    /// The forms of a call.
    pub fn usage(self) -> &'static str {
        self.signature().usage
    }

    /// Whether a call may have so many arguments.
    pub fn accepts_arguments(self, count: usize) -> bool {
        let Signature { fewest, most, .. } = self.signature();
        (fewest..=most).contains(&count)
    }

    /// Whether the function can be called with one list and so also with `x for NAME in list`.
    pub fn accepts_comprehension(self) -> bool {
        matches!(
            self,
            Function::Sum
                | Function::Mean
                | Function::Median
                | Function::Sd
                | Function::Min
                | Function::Max
                | Function::Count
                | Function::Share
                | Function::Sorted
                | Function::Names
                | Function::DrawChoice
                | Function::DrawOrder
        )
    }

    /// Whether a call with so many arguments is missing as soon as one of them is.
    pub fn needs_arguments(self, arguments: usize) -> bool {
        match self {
            Function::Abs | Function::Round | Function::Floor | Function::Ceil | Function::Clamp => true,
            Function::Sqrt | Function::Exp | Function::Ln | Function::Previous => true,
            Function::Min | Function::Max => arguments > 1,
            _ => false,
        }
    }

    /// Whether the function draws at random.
    pub fn is_draw(self) -> bool {
        matches!(self, Function::DrawUniform | Function::DrawInteger | Function::DrawChoice | Function::DrawOrder)
    }

    /// The values that the function reads, if its argument is the bare name of a field or variable.
    pub fn series(self) -> Option<Series> {
        match self {
            Function::Previous | Function::Past => Some(Series::Past),
            Function::Total => Some(Series::AllPasses),
            Function::Received => Some(Series::Received),
            Function::Given => Some(Series::Given),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_its_own_name() {
        for &function in Function::ALL {
            let (name, usage) = (function.as_str(), function.usage());
            assert_eq!(Function::find_by_name(name), Some(function));
            assert!(usage.starts_with(&format!("{name}(")), "{usage}");
        }
        assert_eq!(Function::find_by_name("Sum"), None);
    }

    #[test]
    fn comprehensions_replace_a_single_list() {
        for function in Function::ALL.iter().filter(|function| function.accepts_comprehension()) {
            assert!(function.accepts_arguments(1), "{}", function.as_str());
            assert_eq!(function.series(), None, "{}", function.as_str());
        }
    }
}
