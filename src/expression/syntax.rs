//! The syntax tree of an expression, and its text in the shortest form.

use std::fmt;
use std::sync::Arc;

use strum::VariantArray;

use super::function::Function;
use super::number::Fraction;
use crate::text::nearest_word;

/// A range of bytes in the text of an expression. Both ends are character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The range from the start of this one to the end of another.
    pub fn extend_to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

/// An error in an expression that its author can repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionProblem {
    /// The place. It is empty at the end of the text.
    pub span: Span,
    /// A lowercase fragment: the error, then the remedy.
    pub message: String,
}

/// The question whether another word was meant, as the end of a message; empty if no known word is near.
pub(super) fn suggest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest_word(word, known).map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"))
}

/// A node of the syntax tree. Two nodes are equal if their trees are; their places in the text do not count.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The operation and its operands.
    pub kind: ExprKind,
    /// The place in the text, with the parentheses of the first and the last operand but without those around the node itself.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// A name at its place. Two names are equal if their texts are.
#[derive(Debug, Clone)]
pub struct Name {
    /// The word.
    pub text: String,
    /// The place in the text of the expression.
    pub span: Span,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The operation of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `missing`.
    Missing,
    /// `true` or `false`.
    YesNo(bool),
    /// A number; it has no sign.
    Number(Fraction),
    /// A text in quotes. There are no escapes, so it contains at most one kind of quote.
    Text(Arc<str>),
    /// A bare name.
    Name(String),
    /// `base.name`.
    Attribute {
        /// The value that has the attribute.
        base: Box<Expr>,
        /// The attribute.
        name: Name,
    },
    /// `base[position]`.
    Index {
        /// The list.
        base: Box<Expr>,
        /// The position from 0; a negative position counts from the end.
        position: Box<Expr>,
    },
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `function(a, b)`.
    Call {
        /// The function.
        function: Function,
        /// The arguments.
        arguments: Vec<Expr>,
        /// The place of a draw among the draws of the expression, from 0 in the order of the text; 0 if the function does not draw.
        site: u32,
    },
    /// `function(element for variable in source if condition)`.
    Comprehension {
        /// The function.
        function: Function,
        /// The element of the list that the function is called with.
        element: Box<Expr>,
        /// The name that stands for each element of the source.
        variable: Name,
        /// The list that is gone through.
        source: Box<Expr>,
        /// The condition that an element of the source has to meet.
        condition: Option<Box<Expr>>,
        /// As for a call.
        site: u32,
    },
    /// `-a`.
    Negate(Box<Expr>),
    /// `not a`.
    Not(Box<Expr>),
    /// `left operator right`.
    Binary {
        /// The operator.
        operator: Operator,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `chosen if condition else otherwise`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// The value if the condition is true.
        chosen: Box<Expr>,
        /// The value if the condition is false or missing.
        otherwise: Box<Expr>,
    },
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Operator {
    /// `or`, three-valued.
    Or,
    /// `and`, three-valued.
    And,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `in`: an element of the list is equal.
    In,
    /// `not in`.
    NotIn,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, exact.
    Divide,
    /// `//`, rounded down.
    FloorDivide,
    /// `%`, with the sign of the divisor.
    Modulo,
}

impl Operator {
    /// Every operator once.
    pub(super) const ALL: &'static [Operator] = Self::VARIANTS;

    /// The spelling in an expression.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Or => "or",
            Operator::And => "and",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::In => "in",
            Operator::NotIn => "not in",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::FloorDivide => "//",
            Operator::Modulo => "%",
        }
    }

    /// How closely the operator binds its operands.
    pub(super) fn binding(self) -> Binding {
        match self {
            Operator::Or => Binding::Or,
            Operator::And => Binding::And,
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::In
            | Operator::NotIn => Binding::Comparison,
            Operator::Add | Operator::Subtract => Binding::Sum,
            Operator::Multiply | Operator::Divide | Operator::FloorDivide | Operator::Modulo => Binding::Product,
        }
    }
}

/// How closely an operation binds its operands, loosest first: the levels of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub(super) enum Binding {
    If,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Unary,
    /// A number: nothing can follow its digits directly, so `(5).x` keeps its parentheses.
    Digits,
    Postfix,
}

impl Binding {
    /// The level of the right operand of an operator, whose left operand has the level of the operator itself. Comparisons do not
    /// chain, so both of their operands have it.
    pub(super) fn next_closer(self) -> Self {
        Self::VARIANTS.get(self as usize + 1).copied().unwrap_or(Binding::Postfix)
    }
}

impl Expr {
    fn binding(&self) -> Binding {
        match &self.kind {
            ExprKind::If { .. } => Binding::If,
            ExprKind::Binary { operator, .. } => operator.binding(),
            ExprKind::Not(_) => Binding::Not,
            ExprKind::Negate(_) => Binding::Unary,
            ExprKind::Number(_) => Binding::Digits,
            ExprKind::Missing
            | ExprKind::YesNo(_)
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::Attribute { .. }
            | ExprKind::Index { .. }
            | ExprKind::List(_)
            | ExprKind::Call { .. }
            | ExprKind::Comprehension { .. } => Binding::Postfix,
        }
    }

    /// The subtrees, in the order of evaluation.
    pub(super) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Missing | ExprKind::YesNo(_) | ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Name(_) => {
                Vec::new()
            }
            ExprKind::Attribute { base: only, .. } | ExprKind::Negate(only) | ExprKind::Not(only) => vec![&**only],
            ExprKind::Index { base: first, position: second } | ExprKind::Binary { left: first, right: second, .. } => {
                vec![&**first, &**second]
            }
            ExprKind::List(items) | ExprKind::Call { arguments: items, .. } => items.iter().collect(),
            ExprKind::Comprehension { element, source, condition, .. } => {
                [&**source].into_iter().chain(condition.as_deref()).chain([&**element]).collect()
            }
            ExprKind::If { condition, chosen, otherwise } => vec![&**condition, &**chosen, &**otherwise],
        }
    }
}

impl fmt::Display for Expr {
    /// Prints the expression with the fewest parentheses. Parsing the output gives an equal expression.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Missing => f.write_str("missing"),
            ExprKind::YesNo(value) => write!(f, "{value}"),
            ExprKind::Number(number) => write!(f, "{number}"),
            ExprKind::Text(text) if text.contains('"') => write!(f, "'{text}'"),
            ExprKind::Text(text) => write!(f, "\"{text}\""),
            ExprKind::Name(name) => f.write_str(name),
            ExprKind::Attribute { base, name } => write!(f, "{}.{}", Operand(base, Binding::Postfix), name.text),
            ExprKind::Index { base, position } => write!(f, "{}[{position}]", Operand(base, Binding::Postfix)),
            ExprKind::List(items) => write!(f, "[{}]", join_expressions(items)),
            ExprKind::Call { function, arguments, .. } => {
                write!(f, "{}({})", function.as_str(), join_expressions(arguments))
            }
            ExprKind::Comprehension { function, element, variable, source, condition, .. } => {
                let source = Operand(source, Binding::Or);
                write!(f, "{}({element} for {} in {source}", function.as_str(), variable.text)?;
                if let Some(condition) = condition {
                    write!(f, " if {}", Operand(condition, Binding::Or))?;
                }
                f.write_str(")")
            }
            ExprKind::Negate(operand) => write!(f, "-{}", Operand(operand, Binding::Unary)),
            ExprKind::Not(operand) => write!(f, "not {}", Operand(operand, Binding::Not)),
            ExprKind::Binary { operator, left, right } => {
                let second = operator.binding().next_closer();
                let first = if operator.binding() == Binding::Comparison { second } else { operator.binding() };
                write!(f, "{} {} {}", Operand(left, first), operator.as_str(), Operand(right, second))
            }
            ExprKind::If { condition, chosen, otherwise } => {
                let (chosen, condition) = (Operand(chosen, Binding::Or), Operand(condition, Binding::Or));
                write!(f, "{chosen} if {condition} else {otherwise}")
            }
        }
    }
}

/// An operand, in parentheses if it binds its own operands more loosely than its place allows.
struct Operand<'a>(&'a Expr, Binding);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand(expr, loosest) = self;
        if expr.binding() < *loosest { write!(f, "({expr})") } else { write!(f, "{expr}") }
    }
}

fn join_expressions(items: &[Expr]) -> String {
    items.iter().map(Expr::to_string).collect::<Vec<_>>().join(", ")
}
