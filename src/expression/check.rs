//! Checks the types of an expression and reports every problem.

use indexmap::IndexSet;

use super::formula::show_expression;
use super::function::{Function, Series};
use super::syntax::{Binding, Expr, ExprKind, ExpressionProblem, Name, Operator, Span, suggest_word};
use super::types::{Lookup, PointsOptions, Scope, Type};

/// The most attributes that a problem lists.
const LISTED_MAX: usize = 24;

/// The type of an expression.
///
/// # Errors
/// Every problem, in the order of the text: names, attributes and functions that the scope does not have; operands and arguments of
/// the wrong type or number; comparisons of different types or with `missing`; a name of a comprehension that already means
/// something; a record where a value is needed.
pub fn check_types(expr: &Expr, scope: &dyn Scope) -> Result<Type, Vec<ExpressionProblem>> {
    let mut checker = Checker { scope, locals: Vec::new(), problems: Vec::new() };
    let found = checker.check_value(expr);
    if checker.problems.is_empty() {
        return Ok(found);
    }
    checker.problems.sort_by_key(|problem| problem.span);
    Err(checker.problems)
}

struct Checker<'a> {
    scope: &'a dyn Scope,
    /// The names of comprehensions, innermost last.
    locals: Vec<(&'a str, Type)>,
    problems: Vec<ExpressionProblem>,
}

impl<'a> Checker<'a> {
    fn report_problem(&mut self, span: Span, message: String) -> Type {
        self.problems.push(ExpressionProblem { span, message });
        Type::Unknown
    }

    /// The type of an expression that has to have a value.
    fn check_value(&mut self, expr: &'a Expr) -> Type {
        match self.check_node(expr) {
            record @ Type::Record(_) => {
                let attributes = list_few(&self.scope.list_attributes(None, &record));
                let attributes = attributes.map_or(String::new(), |few| format!(": {few}"));
                let written = expr.to_string();
                let written = show_expression(&written);
                self.report_problem(expr.span, format!("`{written}` is a record; add `.` and an attribute{attributes}"))
            }
            found => found,
        }
    }

    /// The type of an expression, which may be a record.
    fn check_node(&mut self, expr: &'a Expr) -> Type {
        match &expr.kind {
            ExprKind::Missing => Type::Unknown,
            ExprKind::YesNo(_) => Type::YesNo,
            ExprKind::Number(_) => Type::Number,
            ExprKind::Text(_) => Type::Text,
            ExprKind::Name(name) => self.check_name(name, expr.span),
            ExprKind::Attribute { base, name } => self.check_attribute(base, name),
            ExprKind::Index { base, position } => self.check_index(base, position),
            ExprKind::List(items) => Type::list_of(self.check_same(items.iter(), "the elements of a list")),
            ExprKind::Call { function, arguments, .. } => self.check_call(*function, arguments, expr.span),
            ExprKind::Comprehension { function, element, variable, source, condition, .. } => {
                let found = self.check_comprehension(element, variable, source, condition.as_deref());
                self.check_refusal(*function, expr.span);
                if function.accepts_comprehension() {
                    return self.check_list_function(*function, found, element.span);
                }
                let usage = function.usage();
                let message = format!("`{}` does not take `for`; write `{usage}`", function.as_str());
                self.report_problem(expr.span, message)
            }
            ExprKind::Negate(operand) => self.require_type(operand, &Type::Number, "`-`"),
            ExprKind::Not(operand) => self.require_type(operand, &Type::YesNo, "`not`"),
            ExprKind::Binary { operator, left, right } => self.check_binary(*operator, left, right, expr.span),
            ExprKind::If { condition, chosen, otherwise } => {
                self.require_type(condition, &Type::YesNo, "a condition");
                self.check_same([&**chosen, &**otherwise].into_iter(), "the values before `if` and after `else`")
            }
        }
    }

    fn check_name(&mut self, name: &str, span: Span) -> Type {
        if let Some((_, found)) = self.locals.iter().rev().find(|(local, _)| *local == name) {
            return found.clone();
        }
        let problem = match self.scope.find_name(name) {
            Lookup::Found(found) => return found,
            Lookup::Refused(reason) => reason,
            Lookup::Unknown => match Function::find_by_name(name) {
                Some(function) => format!("`{name}` is a function; write `{}`", function.usage()),
                None => {
                    let mut known = self.scope.list_names();
                    known.extend(self.locals.iter().map(|(local, _)| (*local).to_owned()));
                    known.extend(["true", "false", "missing"].map(str::to_owned));
                    format!("there is no name `{name}`{}", suggest_word(name, known.iter().map(String::as_str)))
                }
            },
        };
        self.report_problem(span, problem)
    }

    fn check_attribute(&mut self, base: &'a Expr, name: &'a Name) -> Type {
        let bare = self.find_bare_name(base);
        if let Some(bare) = bare {
            match self.scope.find_member(bare, &name.text) {
                Lookup::Found(found) => return found,
                Lookup::Refused(reason) => return self.report_problem(name.span, reason),
                Lookup::Unknown => {}
            }
        }
        let holder = self.check_node(base);
        let (element, is_list) = match &holder {
            Type::List(element) => (&**element, true),
            other => (other, false),
        };
        let lookup = match element {
            Type::Unknown => return Type::Unknown,
            Type::Seat | Type::Option(_) | Type::Record(_) => self.scope.find_attribute(element, &name.text),
            Type::Points(PointsOptions::Words(words)) if words.contains(&name.text) => Lookup::Found(Type::Number),
            Type::Points(options) => {
                let reason = refuse_points(options, base, &name.text);
                return self.report_problem(name.span, reason);
            }
            Type::Number | Type::YesNo | Type::Text | Type::List(_) => {
                return self.report_problem(name.span, format!("`{base}` is {holder} and has no attributes"));
            }
        };
        match lookup {
            Lookup::Found(found) if is_list => Type::list_of(found),
            Lookup::Found(found) => found,
            Lookup::Refused(reason) => self.report_problem(name.span, reason),
            Lookup::Unknown => {
                let known = self.scope.list_attributes(bare, element);
                let hint = match (suggest_word(&name.text, known.iter().map(String::as_str)), list_few(&known)) {
                    (near, Some(few)) if near.is_empty() => format!("; it has {few}"),
                    (near, _) => near,
                };
                self.report_problem(name.span, format!("`{base}` has no attribute `{}`{hint}", name.text))
            }
        }
    }

    fn check_index(&mut self, base: &'a Expr, position: &'a Expr) -> Type {
        match (self.check_value(base), &position.kind) {
            (Type::Points(PointsOptions::Words(words)), ExprKind::Text(word)) => {
                if !words.iter().any(|own| **own == **word) {
                    let reason = refuse_points(&PointsOptions::Words(words), base, word);
                    self.report_problem(position.span, reason);
                }
                Type::Number
            }
            (Type::Points(options), _) => {
                let wanted = if options == PointsOptions::Seats { Type::Seat } else { Type::Text };
                self.require_type(position, &wanted, "the option");
                Type::Number
            }
            (found, _) => {
                self.require_type(position, &Type::Number, "a position");
                match found {
                    Type::List(element) => *element,
                    Type::Unknown => Type::Unknown,
                    found => self.report_problem(base.span, format!("positions are for lists, and this is {found}")),
                }
            }
        }
    }

    /// The name, if an expression is nothing else and no comprehension introduced it.
    fn find_bare_name(&self, expr: &'a Expr) -> Option<&'a str> {
        match &expr.kind {
            ExprKind::Name(name) if !self.locals.iter().any(|(local, _)| local == name) => Some(name),
            _ => None,
        }
    }

    fn check_binary(&mut self, operator: Operator, left: &'a Expr, right: &'a Expr, span: Span) -> Type {
        let symbol = format!("`{}`", operator.as_str());
        match operator {
            Operator::Equal | Operator::NotEqual => {
                self.refuse_missing(left, right, span);
                let (first, second) = (self.check_value(left), self.check_value(right));
                self.refuse_misspelt_text(left, right);
                self.refuse_misspelt_text(right, left);
                if let Some(list) = [&first, &second].into_iter().find(|side| matches!(side, Type::List(_))) {
                    self.report_problem(span, format!("{symbol} cannot compare {list}; compare single values"));
                } else if !first.is_same_kind_as(&second) {
                    let second = first.describe_other(&second);
                    self.report_problem(
                        span,
                        format!("{symbol} compares {first} with {second}; compare values of one type"),
                    );
                }
                Type::YesNo
            }
            Operator::In | Operator::NotIn => {
                self.refuse_missing(left, right, span);
                let first = self.check_value(left);
                let element = self.check_list(right, &format!("{symbol} looks in a list"));
                self.refuse_misspelt_text(right, left);
                if let ExprKind::List(words) = &right.kind {
                    words.iter().for_each(|word| self.refuse_misspelt_text(left, word));
                }
                if matches!(first, Type::List(_)) {
                    self.report_problem(left.span, format!("{symbol} looks for a single value, and this is {first}"));
                } else if !first.is_same_kind_as(&element) {
                    let list = first.describe_other(&Type::list_of(element));
                    self.report_problem(
                        span,
                        format!("{symbol} looks for {first} in {list}; compare values of one type"),
                    );
                }
                Type::YesNo
            }
            _ => {
                let is_logic = matches!(operator, Operator::Or | Operator::And);
                let wanted = if is_logic { Type::YesNo } else { Type::Number };
                self.require_type(left, &wanted, &symbol);
                self.require_type(right, &wanted, &symbol);
                if operator.binding() == Binding::Comparison { Type::YesNo } else { wanted }
            }
        }
    }

    /// Reports a text in quotes that a value, or an element of a list, can never be.
    fn refuse_misspelt_text(&mut self, value: &'a Expr, text: &'a Expr) {
        let (ExprKind::Text(said), Some(words)) = (&text.kind, self.list_words(value)) else { return };
        if words.iter().any(|word| **word == **said) {
            return;
        }
        let hint = suggest_word(said, words.iter().map(String::as_str));
        let (value, words) = (value.to_string(), words.join(", "));
        let message = format!("`{}` is never \"{said}\", only one of: {words}{hint}", show_expression(&value));
        self.report_problem(text.span, message);
    }

    /// Every text that an expression, or an element of it, can be; `None` if it can be any.
    fn list_words(&self, expr: &'a Expr) -> Option<Vec<String>> {
        match &expr.kind {
            ExprKind::Name(name) if !self.locals.iter().any(|(local, _)| local == name) => {
                self.scope.list_words(None, name)
            }
            ExprKind::Attribute { base, name } => {
                let of_option = find_option_of(base).and_then(|vote| self.scope.list_option_words(vote, &name.text));
                of_option.or_else(|| {
                    let mut unheard = Checker { scope: self.scope, locals: self.locals.clone(), problems: Vec::new() };
                    let holder = match unheard.check_node(base) {
                        Type::List(element) => *element,
                        holder => holder,
                    };
                    self.scope.list_words(Some(&holder), &name.text)
                })
            }
            _ => None,
        }
    }

    /// Reports a comparison with the word `missing`, whose result is always missing.
    fn refuse_missing(&mut self, left: &Expr, right: &Expr, span: Span) {
        let other = match (&left.kind, &right.kind) {
            (_, ExprKind::Missing) => left,
            (ExprKind::Missing, _) => right,
            _ => return,
        };
        self.report_problem(span, format!("a comparison with missing is always missing; write `is_missing({other})`"));
    }

    fn check_comprehension(
        &mut self,
        element: &'a Expr,
        variable: &'a Name,
        source: &'a Expr,
        condition: Option<&'a Expr>,
    ) -> Type {
        let name = variable.text.as_str();
        let item = self.check_list(source, "`for` goes through a list");
        let is_taken = self.locals.iter().any(|(local, _)| *local == name)
            || Function::find_by_name(name).is_some()
            || !matches!(self.scope.find_name(name), Lookup::Unknown);
        if is_taken {
            self.report_problem(variable.span, format!("`{name}` already means something; choose another name"));
        }
        self.locals.push((name, item));
        if let Some(condition) = condition {
            self.require_type(condition, &Type::YesNo, "a condition");
        }
        let found = self.check_value(element);
        self.locals.pop();
        found
    }

    fn check_refusal(&mut self, function: Function, span: Span) {
        if let Some(reason) = self.scope.refuse_function(function) {
            self.report_problem(span, reason);
        }
    }

    fn check_call(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Type {
        self.check_refusal(function, span);
        if !function.accepts_arguments(arguments.len()) {
            let count = arguments.len();
            let plural = if count == 1 { "" } else { "s" };
            let (name, usage) = (function.as_str(), function.usage());
            let message = format!("`{name}` is called with {count} argument{plural}; write `{usage}`");
            for argument in arguments.iter().filter(|_| function.series().is_none()) {
                self.check_node(argument);
            }
            return self.report_problem(span, message);
        }
        if let Some(series) = function.series() {
            return self.check_series(function, series, &arguments[0]);
        }
        let context = format!("`{}`", function.as_str());
        match function {
            Function::Min | Function::Max if arguments.len() > 1 => {
                self.require_types(arguments, &Type::Number, &context);
                Type::Number
            }
            Function::Quantile => {
                let element = self.check_list(&arguments[0], &format!("{context} needs a list"));
                self.require_type(&arguments[1], &Type::Number, &context);
                self.check_list_function(Function::Quantile, element, arguments[0].span)
            }
            Function::Top => {
                let element = self.check_list(&arguments[0], &format!("{context} needs a list"));
                self.require_type(&arguments[1], &Type::Number, &context);
                Type::list_of(element)
            }
            Function::RankOf => {
                let value = self.check_value(&arguments[0]);
                let element = self.check_list(&arguments[1], &format!("{context} looks in a list"));
                if matches!(value, Type::List(_)) || !value.is_same_kind_as(&element) {
                    let list = value.describe_other(&Type::list_of(element));
                    self.report_problem(span, format!("{context} looks for {value} in {list}; use values of one type"));
                }
                Type::Number
            }
            Function::Default => self.check_same(arguments.iter(), "the arguments of `default`"),
            Function::IsMissing => {
                self.check_value(&arguments[0]);
                Type::YesNo
            }
            _ if function.accepts_comprehension() => {
                let element = self.check_list(&arguments[0], &format!("{context} needs a list"));
                self.check_list_function(function, element, arguments[0].span)
            }
            _ => {
                self.require_types(arguments, &Type::Number, &context);
                Type::Number
            }
        }
    }

    /// The result of a function of one list with elements of a type.
    fn check_list_function(&mut self, function: Function, element: Type, span: Span) -> Type {
        let is_one_of = |types: &[Type]| element == Type::Unknown || types.contains(&element);
        let (wanted, is_fitting) = match function {
            Function::Count | Function::DrawChoice | Function::DrawOrder => ("", true),
            Function::Share => ("conditions", is_one_of(&[Type::YesNo])),
            Function::Sorted => ("numbers or texts", is_one_of(&[Type::Number, Type::Text])),
            Function::Names => {
                let is_named = match &element {
                    Type::Seat | Type::Option(_) => {
                        self.scope.find_attribute(&element, "name") == Lookup::Found(Type::Text)
                    }
                    other => *other == Type::Unknown,
                };
                ("seats or options", is_named)
            }
            _ => ("numbers", is_one_of(&[Type::Number])),
        };
        if !is_fitting {
            let (name, list) = (function.as_str(), Type::list_of(element.clone()));
            self.report_problem(span, format!("`{name}` needs {wanted}, and this is {list}"));
        }
        match function {
            Function::DrawChoice => element,
            Function::DrawOrder => Type::list_of(element),
            Function::Names => Type::list_of(Type::Text),
            Function::Sorted if is_fitting => Type::list_of(element),
            _ if is_fitting => Type::Number,
            _ => Type::Unknown,
        }
    }

    fn check_series(&mut self, function: Function, series: Series, argument: &'a Expr) -> Type {
        let name = function.as_str();
        let ExprKind::Name(field) = &argument.kind else {
            return self.report_problem(argument.span, format!("`{name}` takes the bare name of a field or variable"));
        };
        let found = match self.scope.find_series(series, field) {
            Lookup::Found(found) => found,
            Lookup::Refused(reason) => return self.report_problem(argument.span, reason),
            Lookup::Unknown => {
                let hint = suggest_word(field, self.scope.list_series(series).iter().map(String::as_str));
                return self
                    .report_problem(argument.span, format!("`{name}` finds no field or variable `{field}`{hint}"));
            }
        };
        match function {
            Function::Previous => found,
            Function::Past => Type::list_of(found),
            _ if matches!(found, Type::Number | Type::Unknown) => Type::Number,
            _ => self.report_problem(argument.span, format!("`{name}` adds numbers, and `{field}` is {found}")),
        }
    }

    /// Checks that an expression has a type, and returns that type.
    fn require_type(&mut self, expr: &'a Expr, wanted: &Type, context: &str) -> Type {
        let found = self.check_value(expr);
        if found != Type::Unknown && found != *wanted {
            self.report_problem(expr.span, format!("{context} needs {wanted}, and this is {found}"));
        }
        wanted.clone()
    }

    fn require_types(&mut self, arguments: &'a [Expr], wanted: &Type, context: &str) {
        for argument in arguments {
            self.require_type(argument, wanted, context);
        }
    }

    /// The type of the elements of a list.
    fn check_list(&mut self, expr: &'a Expr, context: &str) -> Type {
        match self.check_value(expr) {
            Type::List(element) => *element,
            Type::Unknown => Type::Unknown,
            found => self.report_problem(expr.span, format!("{context}, and this is {found}")),
        }
    }

    /// The type that all of some expressions have.
    fn check_same(&mut self, exprs: impl Iterator<Item = &'a Expr>, context: &str) -> Type {
        let mut common = Type::Unknown;
        for expr in exprs {
            let found = self.check_value(expr);
            common = match common.unify(&found) {
                Some(common) => common,
                None => {
                    let found = common.describe_other(&found);
                    self.report_problem(
                        expr.span,
                        format!("{context} need one type, and this is {found} after {common}"),
                    );
                    return Type::Unknown;
                }
            };
        }
        common
    }
}

/// Why points have nothing of that name.
fn refuse_points(options: &PointsOptions, base: &Expr, name: &str) -> String {
    match options {
        PointsOptions::Words(words) => {
            format!("`{base}` has no option `{name}`{}", suggest_word(name, words.iter().map(String::as_str)))
        }
        PointsOptions::Seats => format!("`{base}` has points for seats: write {base}[seat]"),
    }
}

/// Names in a row; `None` if there are none or too many to read.
fn list_few(names: &[String]) -> Option<String> {
    let few: IndexSet<&str> = names.iter().map(String::as_str).collect();
    (1..=LISTED_MAX).contains(&few.len()).then(|| Vec::from_iter(few).join(", "))
}

/// The vote of which an expression is an option: the name of its phase.
fn find_option_of(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Attribute { base, name } => match &base.kind {
            ExprKind::Name(vote) if ["winner", "winners", "options"].contains(&&*name.text) => Some(vote),
            // A seat's own ballot has the name of the vote.
            _ => Some(&name.text),
        },
        ExprKind::Index { base, .. } => find_option_of(base),
        _ => None,
    }
}
