//! Lists the names and attributes that an expression reads.

use super::constant::draws;
use super::function::{Function, Series};
use super::syntax::{Binding, Expr, ExprKind, Span};

/// A name that an expression reads, with the attributes that follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameRead {
    /// The bare name. `None` if the attributes are read from a value that the expression computes, such as an element of
    /// `sorted(…)`; it may then be any value that has these attributes.
    pub name: Option<String>,
    /// The attributes, outermost last. A position and a name of a comprehension count as the list that they come from:
    /// `sum(s.c for s in group)` and `group[0].c` both read `group.c`.
    pub attributes: Vec<String>,
    /// The values that are read, if the name is the argument of `previous`, `past`, `total`, `received` or `given`.
    pub series: Option<Series>,
    /// The place in the text of the expression.
    pub span: Span,
}

/// The names that an expression reads, in the order of evaluation, once for each place. Names that comprehensions introduce are
/// replaced by what they stand for.
pub fn list_names(expr: &Expr) -> Vec<NameRead> {
    let mut lister = Lister { locals: Vec::new(), reads: Vec::new() };
    lister.visit_node(expr);
    lister.reads
}

/// Whether the value of an expression may be, or contain, the value of a name that `is_it` accepts. What only follows from such a value,
/// by a comparison or a calculation with other values, does not count.
pub fn may_be(expr: &Expr, is_it: &dyn Fn(&NameRead) -> bool) -> bool {
    use Function::{Clamp, Default, DrawChoice, DrawOrder, Max, Median, Min, Past, Previous, Round, Sorted, Top};
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Attribute { .. } => list_names(expr).last().is_some_and(is_it),
        ExprKind::Index { base, .. } => may_be(base, is_it),
        ExprKind::List(elements) => elements.iter().any(|element| may_be(element, is_it)),
        // Evidence that chance makes right or wrong is not what is right.
        ExprKind::If { condition, .. } if draws(condition) => false,
        ExprKind::If { chosen, otherwise, .. } => may_be(chosen, is_it) || may_be(otherwise, is_it),
        ExprKind::Comprehension { element, source, .. } => may_be(element, is_it) || may_be(source, is_it),
        ExprKind::Call { function, arguments, .. } => {
            let passes_on =
                [Clamp, Default, DrawChoice, DrawOrder, Max, Median, Min, Past, Previous, Round, Sorted, Top];
            passes_on.contains(function) && arguments.iter().any(|argument| may_be(argument, is_it))
        }
        ExprKind::Negate(value) => may_be(value, is_it),
        // With a constant, a calculation only writes the value otherwise.
        ExprKind::Binary { operator, left, right } if operator.binding() >= Binding::Sum => {
            let writes = |value: &Expr, other: &Expr| list_names(other).is_empty() && may_be(value, is_it);
            writes(left, right) || writes(right, left)
        }
        ExprKind::Missing
        | ExprKind::YesNo(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Not(_)
        | ExprKind::Binary { .. } => false,
    }
}

/// The texts in quotes that the value of an expression may be, or be a list with.
pub fn list_written_texts(expr: &Expr) -> Vec<&str> {
    match &expr.kind {
        ExprKind::Text(text) => vec![text],
        ExprKind::If { chosen, otherwise, .. } => [list_written_texts(chosen), list_written_texts(otherwise)].concat(),
        ExprKind::List(elements) => elements.iter().flat_map(list_written_texts).collect(),
        ExprKind::Index { base, .. } => list_written_texts(base),
        ExprKind::Call {
            function: Function::Default | Function::DrawChoice | Function::DrawOrder, arguments, ..
        } => arguments.iter().flat_map(list_written_texts).collect(),
        _ => Vec::new(),
    }
}

/// A name and the attributes after it.
#[derive(Debug, Clone, Default)]
pub struct NamePath {
    /// The bare name; `None` for a computed value.
    pub name: Option<String>,
    /// The attributes, outermost last.
    pub attributes: Vec<String>,
}

impl NamePath {
    /// The path of a bare name.
    pub fn from_name(name: &str) -> Self {
        Self { name: Some(name.to_owned()), attributes: Vec::new() }
    }

    /// The path followed by one more attribute.
    pub fn join(mut self, attribute: &str) -> Self {
        self.attributes.push(attribute.to_owned());
        self
    }

    /// The read of this path at a place.
    pub fn read_at(self, span: Span) -> NameRead {
        NameRead { name: self.name, attributes: self.attributes, series: None, span }
    }
}

struct Lister<'a> {
    /// The names of comprehensions and what they stand for, innermost last.
    locals: Vec<(&'a str, NamePath)>,
    reads: Vec<NameRead>,
}

impl<'a> Lister<'a> {
    /// Lists everything that an expression reads, and returns the path that it is.
    fn visit_node(&mut self, expr: &'a Expr) -> NamePath {
        let Some(path) = self.trace_path(expr) else { return NamePath::default() };
        if path.name.is_some() || !path.attributes.is_empty() {
            self.reads.push(path.clone().read_at(expr.span));
        }
        path
    }

    /// The path that an expression is. Lists what its parts read, but not the path itself.
    fn trace_path(&mut self, expr: &'a Expr) -> Option<NamePath> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let local = self.locals.iter().rev().find(|(local, _)| local == name);
                Some(local.map_or_else(|| NamePath::from_name(name), |(_, path)| path.clone()))
            }
            ExprKind::Attribute { base, name } => Some(self.trace_path(base).unwrap_or_default().join(&name.text)),
            ExprKind::Index { base, position } => {
                self.visit_node(position);
                self.trace_path(base)
            }
            ExprKind::Call { function, arguments, .. } => {
                for argument in arguments {
                    self.visit_argument(function.series(), argument);
                }
                None
            }
            ExprKind::Comprehension { element, variable, source, condition, .. } => {
                let path = self.visit_node(source);
                self.locals.push((&variable.text, path));
                for part in condition.as_deref().into_iter().chain([&**element]) {
                    self.visit_node(part);
                }
                self.locals.pop();
                None
            }
            _ => {
                for child in expr.children() {
                    self.visit_node(child);
                }
                None
            }
        }
    }

    fn visit_argument(&mut self, series: Option<Series>, argument: &'a Expr) {
        match &argument.kind {
            ExprKind::Name(name) if series.is_some() => {
                self.reads.push(NameRead { series, ..NamePath::from_name(name).read_at(argument.span) });
            }
            _ => {
                self.visit_node(argument);
            }
        }
    }
}
