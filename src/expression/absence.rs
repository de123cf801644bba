//! Finds where missing values can reach the result of an expression.
//!
//! The analysis is cautious: it may report an expression that is never missing, but not the other way round.

use super::function::Function;
use super::number::Fraction;
use super::reads::{NamePath, NameRead};
use super::syntax::{Expr, ExprKind, Operator, Span};

/// How far a value is sure to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValuePresence {
    /// The value is never missing. A list has at least one element, and no element is missing.
    Given,
    /// The value is a list that is always there, but it can be empty or have missing elements.
    Gaps,
    /// The value itself can be missing.
    Missing,
}

impl From<bool> for ValuePresence {
    /// The presence of a value that is not a list, by whether it is certainly given.
    fn from(is_given: bool) -> Self {
        if is_given { ValuePresence::Given } else { ValuePresence::Missing }
    }
}

/// What missing values can do to an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingReach {
    /// The presence of the result.
    pub presence: ValuePresence,
    /// The parts in which a missing value arises that reaches the result: a name that can be missing, a position in a list, the mean
    /// of a list that can be empty. There are none unless the presence is [`ValuePresence::Missing`].
    pub causes: Vec<Span>,
    /// The conditions of `if` that can be missing. They count as false, so a missing value selects a value silently.
    pub conditions: Vec<Span>,
}

/// Finds where missing values can reach the result of an expression that was checked.
///
/// `presence_of` says how far a name with its attributes is sure to be there. It is asked about each part of a path: about `rank` and
/// `rank.winner` for `rank.winner`. `group.c` has gaps if the `c` of a seat can be missing. It is not asked about the arguments of
/// `previous`, `past`, `total`, `received` and `given`: there is nothing before the first pass, and the last three are sums.
pub fn find_missing(expr: &Expr, presence_of: &dyn Fn(&NameRead) -> ValuePresence) -> MissingReach {
    let mut analysis = Analysis { presence_of, locals: Vec::new(), conditions: Vec::new() };
    let PartPresence { presence, causes } = analysis.analyse_node(expr);
    MissingReach { presence, causes, conditions: analysis.conditions }
}

/// Lists names without which an expression is missing: those that only arithmetic, comparisons and functions of numbers lead to. Of a value
/// of the seat or group itself it lists the name alone, and of any other attribute nothing.
pub fn list_needed_names(expr: &Expr) -> Vec<&str> {
    match &expr.kind {
        ExprKind::Name(name) => vec![name],
        ExprKind::Attribute { base, name } => match &base.kind {
            ExprKind::Name(holder) if ["seat", "me", "group"].contains(&holder.as_str()) => vec![&name.text],
            _ => Vec::new(),
        },
        ExprKind::Negate(operand) | ExprKind::Not(operand) => list_needed_names(operand),
        ExprKind::Binary { operator: Operator::And | Operator::Or, .. } => Vec::new(),
        // Whether a list holds a value is known, whatever else is missing in it.
        ExprKind::Binary { operator: Operator::In | Operator::NotIn, left, .. } => list_needed_names(left),
        ExprKind::Binary { left, right, .. } => [list_needed_names(left), list_needed_names(right)].concat(),
        ExprKind::Call { function, arguments, .. } if function.needs_arguments(arguments.len()) => {
            arguments.iter().flat_map(list_needed_names).collect()
        }
        _ => Vec::new(),
    }
}

/// The presence of a part, with causes if it can be missing.
#[derive(Debug, Clone)]
struct PartPresence {
    presence: ValuePresence,
    causes: Vec<Span>,
}

impl PartPresence {
    const GIVEN: PartPresence = PartPresence { presence: ValuePresence::Given, causes: Vec::new() };

    /// A part that has this presence on its own account.
    fn from_presence(presence: ValuePresence, span: Span) -> Self {
        let causes = if presence == ValuePresence::Missing { vec![span] } else { Vec::new() };
        Self { presence, causes }
    }

    /// A part that can be missing for the reasons of either of two parts.
    fn join(mut self, other: PartPresence) -> Self {
        self.presence = self.presence.max(other.presence);
        self.causes.extend(other.causes);
        self
    }

    /// A value that is computed from this one, and that is missing only if this one is.
    fn into_single_value(self) -> Self {
        if self.presence == ValuePresence::Missing { self } else { Self::GIVEN }
    }
}

struct Local<'a> {
    name: &'a str,
    /// The list that the name goes through, or an unnamed path if it is computed.
    path: NamePath,
    presence: ValuePresence,
}

struct Analysis<'a> {
    presence_of: &'a dyn Fn(&NameRead) -> ValuePresence,
    /// The names of comprehensions, innermost last.
    locals: Vec<Local<'a>>,
    conditions: Vec<Span>,
}

impl<'a> Analysis<'a> {
    fn analyse_node(&mut self, expr: &'a Expr) -> PartPresence {
        match &expr.kind {
            ExprKind::Missing => PartPresence::from_presence(ValuePresence::Missing, expr.span),
            ExprKind::YesNo(_) | ExprKind::Number(_) | ExprKind::Text(_) => PartPresence::GIVEN,
            ExprKind::Name(name) => match self.find_local(name) {
                Some(local) => PartPresence::from_presence(local.presence, expr.span),
                None => PartPresence::from_presence(
                    (self.presence_of)(&NamePath::from_name(name).read_at(expr.span)),
                    expr.span,
                ),
            },
            ExprKind::Attribute { base, .. } => {
                let holder = self.analyse_node(base);
                if holder.presence == ValuePresence::Missing {
                    return holder;
                }
                PartPresence::from_presence(self.ask_about(expr).max(holder.presence), expr.span)
            }
            ExprKind::Index { base, position } => {
                self.analyse_node(base);
                self.analyse_node(position);
                PartPresence::from_presence(ValuePresence::Missing, expr.span)
            }
            ExprKind::List(items) => {
                let is_given = !items.is_empty() && items.iter().all(|item| self.is_given(item));
                PartPresence::from_presence(
                    if is_given { ValuePresence::Given } else { ValuePresence::Gaps },
                    expr.span,
                )
            }
            ExprKind::Call { function, arguments, .. } => self.analyse_call(*function, arguments, expr.span),
            ExprKind::Comprehension { function, element, variable, source, condition, .. } => {
                let list = self.analyse_node(source);
                let path = self.find_path(source).unwrap_or_default();
                let presence =
                    if list.presence == ValuePresence::Given { ValuePresence::Given } else { ValuePresence::Missing };
                self.locals.push(Local { name: &variable.text, path, presence });
                if let Some(condition) = condition {
                    self.analyse_condition(condition);
                }
                let is_given = self.is_given(element) && condition.is_none() && list.presence == ValuePresence::Given;
                self.locals.pop();
                if list.presence == ValuePresence::Missing {
                    return list;
                }
                apply_to_list(*function, if is_given { ValuePresence::Given } else { ValuePresence::Gaps }, expr.span)
            }
            ExprKind::Negate(operand) | ExprKind::Not(operand) => self.analyse_node(operand).into_single_value(),
            ExprKind::Binary { left, right, .. } => {
                self.analyse_node(left).join(self.analyse_node(right)).into_single_value()
            }
            ExprKind::If { condition, chosen, otherwise } => {
                self.analyse_condition(condition);
                self.analyse_node(chosen).join(self.analyse_node(otherwise))
            }
        }
    }

    fn analyse_call(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> PartPresence {
        match function {
            Function::Previous => return PartPresence::from_presence(ValuePresence::Missing, span),
            Function::Past => return PartPresence::from_presence(ValuePresence::Gaps, span),
            Function::Total | Function::Received | Function::Given => return PartPresence::GIVEN,
            _ => {}
        }
        let mut found = arguments.iter().map(|argument| self.analyse_node(argument)).collect::<Vec<_>>().into_iter();
        let first = found.next().unwrap_or(PartPresence::GIVEN);
        let others = found.fold(PartPresence::GIVEN, PartPresence::join);
        match function {
            Function::IsMissing => PartPresence::GIVEN,
            Function::Default if first.presence == ValuePresence::Missing => others,
            Function::Default => first,
            // A value that is not in the list has no rank.
            Function::RankOf => PartPresence::from_presence(ValuePresence::Missing, span),
            Function::Top | Function::Quantile if first.presence.max(others.presence) == ValuePresence::Missing => {
                first.join(others)
            }
            Function::Top => {
                let takes_some =
                    arguments.get(1).is_some_and(|n| matches!(n.kind, ExprKind::Number(n) if n >= Fraction::ONE));
                if takes_some { first } else { PartPresence::from_presence(ValuePresence::Gaps, span) }
            }
            Function::Quantile => apply_to_list(function, first.presence, span),
            _ if function.accepts_comprehension() && arguments.len() == 1 => match first.presence {
                ValuePresence::Missing => first,
                presence => apply_to_list(function, presence, span),
            },
            _ => first.join(others).into_single_value(),
        }
    }

    fn analyse_condition(&mut self, condition: &'a Expr) {
        if !self.is_given(condition) {
            self.conditions.push(condition.span);
        }
    }

    /// Whether a part that is not a list is never missing.
    fn is_given(&mut self, expr: &'a Expr) -> bool {
        self.analyse_node(expr).presence != ValuePresence::Missing
    }

    /// The presence of an attribute by itself, as the caller knows it.
    fn ask_about(&self, expr: &'a Expr) -> ValuePresence {
        let path = self.find_path(expr).unwrap_or_default();
        let is_computed = path.name.is_none();
        let presence = (self.presence_of)(&path.read_at(expr.span));
        // The path of a comprehension's name is that of its list, and the gaps of a list are missing elements. A computed value may
        // be one of these elements.
        let is_element = is_computed || self.starts_with_local(expr);
        if presence == ValuePresence::Gaps && is_element { ValuePresence::Missing } else { presence }
    }

    fn find_path(&self, expr: &'a Expr) -> Option<NamePath> {
        match &expr.kind {
            ExprKind::Name(name) => {
                Some(self.find_local(name).map_or_else(|| NamePath::from_name(name), |local| local.path.clone()))
            }
            ExprKind::Attribute { base, name } => Some(self.find_path(base).unwrap_or_default().join(&name.text)),
            ExprKind::Index { base, .. } => self.find_path(base),
            _ => None,
        }
    }

    fn starts_with_local(&self, expr: &'a Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.find_local(name).is_some(),
            ExprKind::Attribute { base, .. } | ExprKind::Index { base, .. } => self.starts_with_local(base),
            _ => false,
        }
    }

    fn find_local(&self, name: &str) -> Option<&Local<'a>> {
        self.locals.iter().rev().find(|local| local.name == name)
    }
}

/// The presence of a function of a list that is there.
fn apply_to_list(function: Function, list: ValuePresence, span: Span) -> PartPresence {
    let presence = match function {
        Function::Sum | Function::Count => ValuePresence::Given,
        Function::Sorted | Function::Names | Function::DrawOrder => list,
        // One number has no standard deviation.
        Function::Sd => ValuePresence::Missing,
        _ if list == ValuePresence::Gaps => ValuePresence::Missing,
        _ => ValuePresence::Given,
    };
    PartPresence::from_presence(presence, span)
}
