//! A recursive-descent parser. One function parses all levels of the grammar that join two operands, because a function for each
//! level would need three times the stack.

use std::sync::Arc;

use super::function::Function;
use super::lexer::{Token, TokenKind, split_tokens};
use super::syntax::{Binding, Expr, ExprKind, ExpressionProblem, Name, Operator, Span, suggest_word};

/// The bytes that the text of an expression may have.
pub const TEXT_BYTES_MAX: usize = 4096;
/// How deep brackets, `not`, `-` and `else` may nest.
pub const NESTING_MAX: usize = 32;
/// How deep the syntax tree may be. A chain of n operators, attributes or positions is n deep.
pub const TREE_DEPTH_MAX: usize = 128;

/// The words that cannot be names.
pub const KEYWORDS: [&str; 10] = ["and", "or", "not", "in", "if", "else", "for", "true", "false", "missing"];

/// Parses the text of an expression.
///
/// # Errors
/// Every misspelt function, and the first place that breaks the grammar. The expression is also rejected if it is longer than
/// [`TEXT_BYTES_MAX`] or deeper than [`NESTING_MAX`] and [`TREE_DEPTH_MAX`] allow.
pub fn parse_expression(text: &str) -> Result<Expr, Vec<ExpressionProblem>> {
    if text.len() > TEXT_BYTES_MAX {
        let span = Span { start: 0, end: text.len() };
        let message = format!("the expression has {} bytes; at most {TEXT_BYTES_MAX} are possible", text.len());
        return Err(vec![ExpressionProblem { span, message }]);
    }
    let tokens = split_tokens(text).map_err(|problem| vec![problem])?;
    let mut parser = Parser { tokens, next: 0, nesting: 0, draws: 0, problems: Vec::new() };
    match parser.parse_whole() {
        Ok(expr) if parser.problems.is_empty() => Ok(*expr),
        Ok(_) | Err(Stopped) => Err(parser.problems),
    }
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    /// The index of the next token.
    next: usize,
    nesting: usize,
    /// The calls of draw functions so far.
    draws: u32,
    /// The misspelt functions so far, and last the problem that stopped the parser.
    problems: Vec<ExpressionProblem>,
}

/// The parser stopped, and its last problem says why.
struct Stopped;

/// A node in a box, because results that are moved through many levels of recursion have to be small.
type Parsed = Result<Box<Expr>, Stopped>;

impl<'a> Parser<'a> {
    fn parse_whole(&mut self) -> Parsed {
        let expr = self.parse_expr()?;
        if self.peek() != &TokenKind::End {
            return Err(self.stop_after_operand("an operator or the end"));
        }
        match find_too_deep(&expr) {
            None => Ok(expr),
            Some(span) => Err(self
                .stop_at(span, format!("the expression is deeper than {TREE_DEPTH_MAX} levels; compute it in steps"))),
        }
    }

    fn parse_expr(&mut self) -> Parsed {
        self.enter_level()?;
        let start = self.next_span();
        let mut expr = self.parse_operation(Binding::Or)?;
        if self.accept_word("if") {
            let condition = self.parse_operation(Binding::Or)?;
            self.require_word("else")?;
            let otherwise = self.parse_expr()?;
            expr = self.build_node(ExprKind::If { condition, chosen: expr, otherwise }, start);
        }
        self.nesting -= 1;
        Ok(expr)
    }

    /// Operands between operators that bind at least as closely as `loosest`, joined from the left.
    fn parse_operation(&mut self, loosest: Binding) -> Parsed {
        let start = self.next_span();
        let mut left = self.parse_prefix(loosest)?;
        let mut is_comparison = false;
        while let Some(operator) = self.find_operator().filter(|operator| operator.binding() >= loosest) {
            let binding = operator.binding();
            if is_comparison && binding == Binding::Comparison {
                let message = "comparisons cannot be chained; write `a < b and b < c`";
                return Err(self.stop_at(self.next_span(), message.to_owned()));
            }
            is_comparison = binding == Binding::Comparison;
            self.next += 1;
            if operator == Operator::NotIn {
                self.require_word("in")?;
            }
            let right = self.parse_operation(binding.next_closer())?;
            left = self.build_node(ExprKind::Binary { operator, left, right }, start);
        }
        Ok(left)
    }

    /// `not` or `-` and its operand where they bind closely enough, or a value with attributes and positions.
    fn parse_prefix(&mut self, loosest: Binding) -> Parsed {
        let start = self.next_span();
        let is_not = loosest <= Binding::Not && self.accept_word("not");
        if !is_not && !self.accept_symbol("-") {
            return self.parse_postfix();
        }
        self.enter_level()?;
        let operand = self.parse_operation(if is_not { Binding::Not } else { Binding::Unary })?;
        self.nesting -= 1;
        Ok(self.build_node(if is_not { ExprKind::Not(operand) } else { ExprKind::Negate(operand) }, start))
    }

    fn parse_postfix(&mut self) -> Parsed {
        let start = self.next_span();
        let mut expr = self.parse_atom()?;
        loop {
            if self.accept_symbol(".") {
                let name = self.require_name("the name of an attribute")?;
                expr = self.build_node(ExprKind::Attribute { base: expr, name }, start);
            } else if self.accept_symbol("[") {
                let position = self.parse_expr()?;
                self.require_symbol("]")?;
                expr = self.build_node(ExprKind::Index { base: expr, position }, start);
            } else {
                return Ok(expr);
            }
        }
    }

    fn parse_atom(&mut self) -> Parsed {
        let start = self.next_span();
        let kind = match self.peek() {
            TokenKind::Number(number) => ExprKind::Number(*number),
            TokenKind::Text(text) => ExprKind::Text(Arc::clone(text)),
            TokenKind::Word("true") => ExprKind::YesNo(true),
            TokenKind::Word("false") => ExprKind::YesNo(false),
            TokenKind::Word("missing") => ExprKind::Missing,
            TokenKind::Word(word) if !KEYWORDS.contains(word) => return self.parse_name_or_call(word),
            TokenKind::Symbol("(") => {
                self.next += 1;
                let expr = self.parse_expr()?;
                self.require_symbol(")")?;
                return Ok(expr);
            }
            TokenKind::Symbol("[") => {
                self.next += 1;
                let items = if self.accept_symbol("]") { Vec::new() } else { self.parse_expressions("]")? };
                return Ok(self.build_node(ExprKind::List(items), start));
            }
            TokenKind::Word(_) | TokenKind::Symbol(_) | TokenKind::End => {
                return Err(self.stop_at_unexpected("a value"));
            }
        };
        self.next += 1;
        Ok(self.build_node(kind, start))
    }

    fn parse_name_or_call(&mut self, word: &str) -> Parsed {
        let start = self.next_span();
        self.next += 1;
        if !self.accept_symbol("(") {
            return Ok(self.build_node(ExprKind::Name(word.to_owned()), start));
        }
        let function = self.find_function(word, start);
        let site = if function.is_draw() { self.draws } else { 0 };
        self.draws += u32::from(function.is_draw());
        let mut arguments = Vec::new();
        if !self.accept_symbol(")") {
            let first = self.parse_expr()?;
            if self.accept_word("for") {
                return self.parse_comprehension(function, first, site, start);
            }
            arguments.push(*first);
            if self.accept_symbol(",") {
                arguments.extend(self.parse_expressions(")")?);
            } else {
                self.require_symbol(")")?;
            }
        }
        Ok(self.build_node(ExprKind::Call { function, arguments, site }, start))
    }

    /// The function with a name. A misspelt name is a problem, but parsing goes on with a function that takes a list.
    fn find_function(&mut self, word: &str, span: Span) -> Function {
        Function::find_by_name(word).unwrap_or_else(|| {
            let hint = suggest_word(word, Function::ALL.iter().map(|function| function.as_str()));
            self.problems.push(ExpressionProblem { span, message: format!("there is no function `{word}`{hint}") });
            Function::Sum
        })
    }

    /// The rest of a call after `for`.
    fn parse_comprehension(&mut self, function: Function, element: Box<Expr>, site: u32, start: Span) -> Parsed {
        let variable = self.require_name("a name after `for`")?;
        self.require_word("in")?;
        let source = self.parse_operation(Binding::Or)?;
        let condition = if self.accept_word("if") { Some(self.parse_operation(Binding::Or)?) } else { None };
        self.require_symbol(")")?;
        Ok(self.build_node(ExprKind::Comprehension { function, element, variable, source, condition, site }, start))
    }

    /// At least one expression between commas, and the closing bracket.
    fn parse_expressions(&mut self, close: &'static str) -> Result<Vec<Expr>, Stopped> {
        let mut items = Vec::new();
        loop {
            items.push(*self.parse_expr()?);
            if !self.accept_symbol(",") {
                break;
            }
        }
        self.require_symbol(close)?;
        Ok(items)
    }

    /// The operator that the next token is or begins.
    fn find_operator(&self) -> Option<Operator> {
        let spelling = match self.peek() {
            TokenKind::Word("not") => return Some(Operator::NotIn),
            TokenKind::Word(spelling) | TokenKind::Symbol(spelling) => *spelling,
            _ => return None,
        };
        Operator::ALL.iter().copied().find(|operator| operator.as_str() == spelling)
    }

    /// Counts one more level of nesting.
    fn enter_level(&mut self) -> Result<(), Stopped> {
        self.nesting += 1;
        if self.nesting <= NESTING_MAX {
            return Ok(());
        }
        let message = format!("the expression nests deeper than {NESTING_MAX} levels; compute it in steps");
        Err(self.stop_at(self.next_span(), message))
    }

    /// A node from its first token to the token that was read last.
    fn build_node(&self, kind: ExprKind, start: Span) -> Box<Expr> {
        Box::new(Expr { kind, span: start.extend_to(self.last_span()) })
    }

    fn peek(&self) -> &TokenKind<'a> {
        &self.tokens[self.next].kind
    }

    fn next_span(&self) -> Span {
        self.tokens[self.next].span
    }

    /// The place of the token that was read last.
    fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), TokenKind::Word(next) if *next == word);
        self.next += usize::from(is_next);
        is_next
    }

    fn accept_symbol(&mut self, symbol: &str) -> bool {
        let is_next = matches!(self.peek(), TokenKind::Symbol(next) if *next == symbol);
        self.next += usize::from(is_next);
        is_next
    }

    fn require_word(&mut self, word: &str) -> Result<(), Stopped> {
        if self.accept_word(word) { Ok(()) } else { Err(self.stop_at_unexpected(&format!("`{word}`"))) }
    }

    fn require_symbol(&mut self, symbol: &str) -> Result<(), Stopped> {
        if self.accept_symbol(symbol) { Ok(()) } else { Err(self.stop_after_operand(&format!("`{symbol}`"))) }
    }

    fn require_name(&mut self, expected: &str) -> Result<Name, Stopped> {
        let Token { kind, span } = &self.tokens[self.next];
        match kind {
            TokenKind::Word(word) if !KEYWORDS.contains(word) => {
                let name = Name { text: (*word).to_owned(), span: *span };
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.stop_at_unexpected(expected)),
        }
    }

    fn stop_at(&mut self, span: Span, message: String) -> Stopped {
        self.problems.push(ExpressionProblem { span, message });
        Stopped
    }

    /// Stops because the next token is not what the grammar asks for.
    fn stop_at_unexpected(&mut self, expected: &str) -> Stopped {
        let message = format!("expected {expected}, found {}", self.describe_next());
        self.stop_at(self.next_span(), message)
    }

    /// Stops after an operand, where a name may be a misspelt keyword.
    fn stop_after_operand(&mut self, expected: &str) -> Stopped {
        let hint = match self.peek() {
            TokenKind::Word("for") => {
                let message = format!(
                    "expected {expected}, found `for`; only a function of one list goes through it, as `sum(s.c for s in group)`"
                );
                return self.stop_at(self.next_span(), message);
            }
            TokenKind::Word(word) if !KEYWORDS.contains(word) => {
                suggest_word(word, ["and", "or", "in", "not", "if", "for"])
            }
            _ => String::new(),
        };
        let message = format!("expected {expected}, found {}{hint}", self.describe_next());
        self.stop_at(self.next_span(), message)
    }

    fn describe_next(&self) -> String {
        match self.peek() {
            TokenKind::Number(number) => format!("the number {number}"),
            TokenKind::Text(_) => "a text".to_owned(),
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::End => "the end".to_owned(),
        }
    }
}

/// The first node that is too deep. It uses no stack, because a long chain is deep although it does not nest.
fn find_too_deep(expr: &Expr) -> Option<Span> {
    let mut waiting = vec![(expr, 1)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > TREE_DEPTH_MAX {
            return Some(node.span);
        }
        waiting.extend(node.children().into_iter().map(|child| (child, depth + 1)));
    }
    None
}
