//! Evaluates an expression.

use std::sync::Arc;

use super::aggregate::{add_numbers, apply_to_list, are_equal, list_given, quantile_of_list, rank_in_list, take_top};
use super::failure::{Failure, FailureCause};
use super::function::{Function, Series};
use super::number::Fraction;
use super::syntax::{Expr, ExprKind, Operator, Span};
use super::value::{DrawPlace, Value, World};

/// The steps that one evaluation may take: one for each node, each time it is evaluated, and one for each element that a function,
/// an attribute or a comprehension goes through.
pub const STEPS_MAX: u32 = 1_000_000;

/// The value of an expression in a world.
///
/// The value has the type that [`check_types`](super::check::check_types) found, or is missing. If part of the expression has no type
/// that is known, like the key of an item, it may be a text that reads as a value of that type.
///
/// # Errors
/// Division by zero, a number that does not fit, an argument outside the domain of its function, more than [`STEPS_MAX`] steps; and
/// [`FailureCause::Unchecked`], which cannot happen if the expression was checked with a scope that agrees with the world.
pub fn evaluate<W: World + ?Sized>(expr: &Expr, world: &mut W) -> Result<Value, Failure> {
    Evaluator { world, locals: Vec::new(), steps: 0, repetitions: Vec::new() }.evaluate_node(expr)
}

struct Evaluator<'a, W: ?Sized> {
    world: &'a mut W,
    /// The names of comprehensions, innermost last.
    locals: Vec<(&'a str, Value)>,
    steps: u32,
    /// How often each draw was evaluated.
    repetitions: Vec<u32>,
}

impl<'a, W: World + ?Sized> Evaluator<'a, W> {
    fn evaluate_node(&mut self, expr: &'a Expr) -> Result<Value, Failure> {
        self.count_steps(1, expr.span)?;
        match &expr.kind {
            ExprKind::Missing => Ok(Value::Missing),
            ExprKind::YesNo(value) => Ok(Value::YesNo(*value)),
            ExprKind::Number(number) => Ok(Value::Number(*number)),
            ExprKind::Text(text) => Ok(Value::Text(Arc::clone(text))),
            ExprKind::Name(name) => {
                let local = self.locals.iter().rev().find(|(local, _)| local == name);
                let value = local.map(|(_, value)| value.clone()).or_else(|| self.world.read_name(name));
                value.ok_or(unchecked_at(expr.span))
            }
            ExprKind::Attribute { base, name } => self.evaluate_attribute(base, &name.text, expr.span),
            ExprKind::Index { base, position } => self.evaluate_index(base, position),
            ExprKind::List(items) => {
                let values = items.iter().map(|item| self.evaluate_node(item));
                Ok(Value::List(values.collect::<Result<_, _>>()?))
            }
            ExprKind::Call { function, arguments, site } => self.evaluate_call(*function, arguments, *site, expr.span),
            ExprKind::Comprehension { .. } => self.evaluate_comprehension(expr),
            ExprKind::Negate(operand) => {
                Ok(self.evaluate_number(operand)?.map_or(Value::Missing, |number| Value::Number(number.negate())))
            }
            ExprKind::Not(operand) => Ok(from_truth(self.evaluate_truth(operand)?.map(|value| !value))),
            ExprKind::Binary { operator, left, right } => self.evaluate_binary(*operator, left, right, expr.span),
            ExprKind::If { condition, chosen, otherwise } => match self.evaluate_truth(condition)? {
                Some(true) => self.evaluate_node(chosen),
                Some(false) | None => self.evaluate_node(otherwise),
            },
        }
    }

    fn evaluate_comprehension(&mut self, expr: &'a Expr) -> Result<Value, Failure> {
        let ExprKind::Comprehension { function, element, variable, source, condition, site } = &expr.kind else {
            return Err(unchecked_at(expr.span));
        };
        let Some(source) = self.evaluate_list(source)? else { return Ok(Value::Missing) };
        let mut items = Vec::new();
        for item in source.iter() {
            self.locals.push((&variable.text, item.clone()));
            let is_kept = match condition {
                Some(condition) => self.evaluate_truth(condition)? == Some(true),
                None => true,
            };
            if is_kept {
                items.push(self.evaluate_node(element)?);
            }
            self.locals.pop();
        }
        self.call_with_list(*function, &items, *site, expr.span)
    }

    fn evaluate_attribute(&mut self, base: &'a Expr, attribute: &str, span: Span) -> Result<Value, Failure> {
        if let ExprKind::Name(name) = &base.kind
            && let Some(value) = self.world.read_member(name, attribute)
        {
            return Ok(value);
        }
        match self.evaluate_node(base)? {
            Value::Missing => Ok(Value::Missing),
            Value::List(items) => {
                self.count_steps(items.len(), span)?;
                let values = items.iter().map(|item| self.read_attribute(item, attribute, span));
                Ok(Value::List(values.collect::<Result<_, _>>()?))
            }
            holder => self.read_attribute(&holder, attribute, span),
        }
    }

    fn read_attribute(&self, holder: &Value, attribute: &str, span: Span) -> Result<Value, Failure> {
        match holder {
            Value::Missing => Ok(Value::Missing),
            Value::Seat(_) | Value::Option(_) | Value::Record(_) => {
                self.world.read_attribute(holder, attribute).ok_or(unchecked_at(span))
            }
            Value::Points(points) => Ok(Value::find_points(points, &Value::Text(attribute.into()))),
            Value::Number(_) | Value::YesNo(_) | Value::Text(_) | Value::List(_) => Err(unchecked_at(span)),
        }
    }

    fn evaluate_index(&mut self, base: &'a Expr, position: &'a Expr) -> Result<Value, Failure> {
        let list = match self.evaluate_node(base)? {
            Value::Points(points) => return Ok(Value::find_points(&points, &self.evaluate_node(position)?)),
            Value::Missing => return Ok(Value::Missing),
            Value::List(list) => list,
            _ => return Err(unchecked_at(base.span)),
        };
        let Some(number) = self.evaluate_number(position)? else { return Ok(Value::Missing) };
        let Some(place) = number.to_integer() else {
            let cause = FailureCause::Undefined("a position is not a whole number");
            return Err(Failure { span: position.span, cause });
        };
        let length = i128::try_from(list.len()).expect("invariant: a list has fewer than 2^127 elements");
        let from_start = if place < 0 { place + length } else { place };
        Ok(usize::try_from(from_start).ok().and_then(|place| list.get(place).cloned()).unwrap_or(Value::Missing))
    }

    fn evaluate_binary(
        &mut self,
        operator: Operator,
        left: &'a Expr,
        right: &'a Expr,
        span: Span,
    ) -> Result<Value, Failure> {
        match operator {
            Operator::And | Operator::Or => self.evaluate_logic(operator, left, right),
            Operator::Equal | Operator::NotEqual => {
                let (first, second) = (self.evaluate_node(left)?, self.evaluate_node(right)?);
                if first == Value::Missing || second == Value::Missing {
                    return Ok(Value::Missing);
                }
                let is_equal = are_equal(&first, &second).map_err(locate_failure(span))?;
                Ok(Value::YesNo(is_equal == (operator == Operator::Equal)))
            }
            Operator::In | Operator::NotIn => {
                let (wanted, list) = (self.evaluate_node(left)?, self.evaluate_list(right)?);
                let Some(list) = list.filter(|_| wanted != Value::Missing) else { return Ok(Value::Missing) };
                for item in list_given(&list) {
                    if are_equal(&wanted, item).map_err(locate_failure(span))? {
                        return Ok(Value::YesNo(operator == Operator::In));
                    }
                }
                Ok(Value::YesNo(operator == Operator::NotIn))
            }
            _ => {
                let numbers = self.evaluate_number(left)?.zip(self.evaluate_number(right)?);
                let Some((first, second)) = numbers else { return Ok(Value::Missing) };
                calculate(operator, first, second).map_err(locate_failure(span))
            }
        }
    }

    fn evaluate_logic(&mut self, operator: Operator, left: &'a Expr, right: &'a Expr) -> Result<Value, Failure> {
        let decisive = Some(operator == Operator::Or);
        let first = self.evaluate_truth(left)?;
        if first == decisive {
            return Ok(from_truth(decisive));
        }
        let second = self.evaluate_truth(right)?;
        Ok(from_truth(if second == decisive { decisive } else { first.and(second) }))
    }

    fn evaluate_call(
        &mut self,
        function: Function,
        arguments: &'a [Expr],
        site: u32,
        span: Span,
    ) -> Result<Value, Failure> {
        if !function.accepts_arguments(arguments.len()) {
            return Err(unchecked_at(span));
        }
        if let Some(series) = function.series() {
            return self.read_series(function, series, &arguments[0], span);
        }
        let first = &arguments[0];
        match function {
            Function::Default => match self.evaluate_node(first)? {
                Value::Missing => self.evaluate_node(&arguments[1]),
                value => Ok(value),
            },
            Function::IsMissing => Ok(Value::YesNo(self.evaluate_node(first)? == Value::Missing)),
            Function::Min | Function::Max if arguments.len() > 1 => {
                let numbers = self.evaluate_numbers(arguments)?.unwrap_or_default().into_iter();
                let extreme = if function == Function::Min { numbers.min() } else { numbers.max() };
                Ok(extreme.map_or(Value::Missing, Value::Number))
            }
            Function::Quantile | Function::Top => {
                let (list, number) = (self.evaluate_list(first)?, self.evaluate_number(&arguments[1])?);
                let Some((list, number)) = list.zip(number) else { return Ok(Value::Missing) };
                let apply = if function == Function::Top { take_top } else { quantile_of_list };
                apply(&list, number).map_err(locate_failure(span))
            }
            Function::RankOf => {
                let (value, list) = (self.evaluate_node(first)?, self.evaluate_list(&arguments[1])?);
                match list {
                    Some(list) if value != Value::Missing => rank_in_list(&value, &list).map_err(locate_failure(span)),
                    _ => Ok(Value::Missing),
                }
            }
            Function::Clamp => match self.evaluate_numbers(arguments)?.as_deref() {
                Some(&[number, low, high]) => Ok(Value::Number(number.max(low).min(high))),
                _ => Ok(Value::Missing),
            },
            Function::Round => match self.evaluate_numbers(arguments)?.as_deref() {
                Some(&[number, ref decimals @ ..]) => {
                    // What is not a whole number is rejected like too many decimals.
                    let places = decimals.first().map_or(Some(0), |decimals| decimals.to_integer());
                    let places = places.and_then(|places| i8::try_from(places).ok()).unwrap_or(i8::MAX);
                    number.round_half_even(places).map(Value::Number).map_err(locate_failure(span))
                }
                _ => Ok(Value::Missing),
            },
            Function::DrawUniform | Function::DrawInteger => {
                let place = self.find_draw_place(site);
                match self.evaluate_numbers(arguments)?.as_deref() {
                    Some(&[low, high]) => self.draw_number(function, low, high, place).map_err(locate_failure(span)),
                    _ => Ok(Value::Missing),
                }
            }
            _ if function.accepts_comprehension() => match self.evaluate_list(first)? {
                Some(list) => self.call_with_list(function, &list, site, span),
                None => Ok(Value::Missing),
            },
            _ => {
                let Some(number) = self.evaluate_number(first)? else { return Ok(Value::Missing) };
                apply_to_number(function, number).map(Value::Number).map_err(locate_failure(span))
            }
        }
    }

    /// The value of a function of one list.
    fn call_with_list(&mut self, function: Function, items: &[Value], site: u32, span: Span) -> Result<Value, Failure> {
        self.count_steps(items.len(), span)?;
        match function {
            Function::Names => {
                let names = list_given(items).map(|item| self.read_attribute(item, "name", span));
                Ok(Value::List(names.collect::<Result<_, _>>()?))
            }
            Function::DrawChoice => {
                let place = self.find_draw_place(site);
                let items: Vec<&Value> = list_given(items).collect();
                if items.is_empty() {
                    return Ok(Value::Missing);
                }
                Ok(items[self.draw_index(place, items.len())].clone())
            }
            Function::DrawOrder => {
                let place = self.find_draw_place(site);
                let mut items: Vec<Value> = list_given(items).cloned().collect();
                // Fisher and Yates: the last open position gets one of the elements that are left.
                for (step, open) in (0..).zip((2..=items.len()).rev()) {
                    items.swap(open - 1, self.draw_index(DrawPlace { step, ..place }, open));
                }
                Ok(Value::List(items.into()))
            }
            _ => apply_to_list(function, items).map_err(locate_failure(span)),
        }
    }

    fn read_series(
        &mut self,
        function: Function,
        series: Series,
        argument: &'a Expr,
        span: Span,
    ) -> Result<Value, Failure> {
        let ExprKind::Name(name) = &argument.kind else { return Err(unchecked_at(span)) };
        let values = self.world.read_series(series, name).ok_or(unchecked_at(span))?;
        self.count_steps(values.len(), span)?;
        match function {
            Function::Previous => Ok(values.last().cloned().unwrap_or(Value::Missing)),
            Function::Past => Ok(Value::List(values)),
            _ => add_numbers(&values).map(Value::Number).map_err(locate_failure(span)),
        }
    }

    /// The coordinate of a call of a draw function, each time it is evaluated.
    fn find_draw_place(&mut self, site: u32) -> DrawPlace {
        let index = usize::try_from(site).expect("invariant: an expression has few draws");
        if self.repetitions.len() <= index {
            self.repetitions.resize(index + 1, 0);
        }
        let repetition = self.repetitions[index];
        self.repetitions[index] += 1;
        DrawPlace { site, repetition, step: 0 }
    }

    fn draw_index(&mut self, place: DrawPlace, length: usize) -> usize {
        let bound = u64::try_from(length).expect("invariant: a list has fewer than 2^64 elements");
        let drawn = self.world.draw_below(place, bound);
        usize::try_from(drawn).expect("invariant: a draw is below its bound")
    }

    /// A number from low to high, both included: a whole number, or low plus a multiple of 10^-6.
    fn draw_number(
        &mut self,
        function: Function,
        low: Fraction,
        high: Fraction,
        place: DrawPlace,
    ) -> Result<Value, FailureCause> {
        if high < low {
            return Err(FailureCause::Undefined("the lowest number of a draw is above the highest"));
        }
        let unit = if function == Function::DrawInteger {
            if low.to_integer().is_none() || high.to_integer().is_none() {
                return Err(FailureCause::Undefined("the bounds of `draw_integer` are not whole numbers"));
            }
            Fraction::ONE
        } else {
            Fraction::from_fraction(1, 1_000_000)?
        };
        let steps = high.checked_sub(low)?.floor_div(unit)?.checked_add(Fraction::ONE)?;
        let bound = u64::try_from(steps.numerator()).map_err(|_| FailureCause::Overflow)?;
        let drawn = Fraction::from(self.world.draw_below(place, bound));
        Ok(Value::Number(low.checked_add(drawn.checked_mul(unit)?)?))
    }

    fn evaluate_number(&mut self, expr: &'a Expr) -> Result<Option<Fraction>, Failure> {
        match self.evaluate_node(expr)? {
            Value::Missing => Ok(None),
            value => value.as_number().map(Some).ok_or(unchecked_at(expr.span)),
        }
    }

    /// The values of all arguments; `None` if one of them is missing.
    fn evaluate_numbers(&mut self, arguments: &'a [Expr]) -> Result<Option<Vec<Fraction>>, Failure> {
        let numbers = arguments.iter().map(|argument| self.evaluate_number(argument));
        Ok(numbers.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
    }

    fn evaluate_truth(&mut self, expr: &'a Expr) -> Result<Option<bool>, Failure> {
        match self.evaluate_node(expr)? {
            Value::Missing => Ok(None),
            value => value.as_truth().map(Some).ok_or(unchecked_at(expr.span)),
        }
    }

    /// The elements of a list; `None` if the list itself is missing.
    fn evaluate_list(&mut self, expr: &'a Expr) -> Result<Option<Arc<[Value]>>, Failure> {
        match self.evaluate_node(expr)? {
            Value::List(items) => {
                self.count_steps(items.len(), expr.span)?;
                Ok(Some(items))
            }
            Value::Missing => Ok(None),
            _ => Err(unchecked_at(expr.span)),
        }
    }

    fn count_steps(&mut self, steps: usize, span: Span) -> Result<(), Failure> {
        self.steps = self.steps.saturating_add(u32::try_from(steps).unwrap_or(u32::MAX));
        if self.steps > STEPS_MAX { Err(Failure { span, cause: FailureCause::TooManySteps }) } else { Ok(()) }
    }
}

/// The value of a comparison or of arithmetic.
fn calculate(operator: Operator, first: Fraction, second: Fraction) -> Result<Value, FailureCause> {
    let number = match operator {
        Operator::Less => return Ok(Value::YesNo(first < second)),
        Operator::LessOrEqual => return Ok(Value::YesNo(first <= second)),
        Operator::Greater => return Ok(Value::YesNo(first > second)),
        Operator::GreaterOrEqual => return Ok(Value::YesNo(first >= second)),
        Operator::Add => first.checked_add(second),
        Operator::Subtract => first.checked_sub(second),
        Operator::Multiply => first.checked_mul(second),
        Operator::Divide => first.checked_div(second),
        Operator::FloorDivide => first.floor_div(second),
        Operator::Modulo => first.floor_mod(second),
        _ => Err(FailureCause::Unchecked),
    };
    number.map(Value::Number)
}

fn apply_to_number(function: Function, number: Fraction) -> Result<Fraction, FailureCause> {
    match function {
        Function::Abs => Ok(number.absolute()),
        Function::Floor => Ok(number.floor()),
        Function::Ceil => Ok(number.ceiling()),
        Function::Sqrt => number.square_root(),
        Function::Exp => number.exponential(),
        Function::Ln => number.natural_logarithm(),
        _ => Err(FailureCause::Unchecked),
    }
}

fn from_truth(truth: Option<bool>) -> Value {
    truth.map_or(Value::Missing, Value::YesNo)
}

fn locate_failure(span: Span) -> impl Fn(FailureCause) -> Failure {
    move |cause| Failure { span, cause }
}

fn unchecked_at(span: Span) -> Failure {
    Failure { span, cause: FailureCause::Unchecked }
}
