//! Splits the text of an expression into tokens.

use std::sync::Arc;

use super::number::Fraction;
use super::number_text::NumberTextError;
use super::syntax::{ExpressionProblem, Span};

/// A token at its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub kind: TokenKind<'a>,
    pub span: Span,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind<'a> {
    Number(Fraction),
    Text(Arc<str>),
    /// A name or a keyword.
    Word(&'a str),
    /// An operator, a bracket, a comma or a point.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// The symbols; one that begins with another comes before it.
const SYMBOLS: [&str; 20] =
    ["==", "!=", "<=", ">=", "//", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", ".", "{", "}"];
/// Spellings of other languages, with ours.
const FOREIGN_SYMBOLS: [(&str, &str); 10] = [
    ("{{", "the expression without braces"),
    ("=>", "`>=`"),
    ("=<", "`<=`"),
    ("&&", "`and`"),
    ("||", "`or`"),
    ("**", "a product"),
    ("^", "a product"),
    ("=", "`==` to compare"),
    ("!", "`not`"),
    ("<>", "`!=`"),
];

/// The tokens of a text, the last of which is its end.
///
/// # Errors
/// The first place that begins no token.
pub(super) fn split_tokens(text: &str) -> Result<Vec<Token<'_>>, ExpressionProblem> {
    let mut tokens = Vec::new();
    let mut start = 0;
    loop {
        let rest = &text[start..];
        start += rest.len() - rest.trim_start().len();
        let Some(token) = read_token(text, start)? else { break };
        start = token.span.end;
        tokens.push(token);
    }
    tokens.push(Token { kind: TokenKind::End, span: Span { start: text.len(), end: text.len() } });
    Ok(tokens)
}

/// The token that begins at a byte; `None` at the end of the text.
fn read_token(text: &str, start: usize) -> Result<Option<Token<'_>>, ExpressionProblem> {
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else { return Ok(None) };
    let spanned = |length: usize| Span { start, end: start + length };
    if first.is_alphabetic() || first == '_' {
        let length = rest.find(|letter| !is_word_character(letter)).unwrap_or(rest.len());
        return Ok(Some(Token { kind: TokenKind::Word(&rest[..length]), span: spanned(length) }));
    }
    if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit()) {
        let length = measure_number(rest);
        let (digits, span) = (&rest[..length], spanned(length));
        let kind = Fraction::parse(digits).map(TokenKind::Number);
        let kind = kind.map_err(|error| ExpressionProblem { span, message: describe_number_error(digits, error) })?;
        return Ok(Some(Token { kind, span }));
    }
    if first == '"' || first == '\'' {
        let Some(length) = rest[1..].find(first) else {
            return Err(ExpressionProblem {
                span: spanned(rest.len()),
                message: format!("the text is not closed; add {first}"),
            });
        };
        let kind = TokenKind::Text(rest[1..=length].into());
        return Ok(Some(Token { kind, span: spanned(length + 2) }));
    }
    if let Some((foreign, ours)) = FOREIGN_SYMBOLS.iter().find(|(foreign, _)| is_foreign(rest, foreign)) {
        let is_power = ["**", "^"].contains(foreign);
        let is_fixed = rest[foreign.len()..].trim_start().starts_with(|next: char| next.is_ascii_digit());
        let ours = match is_power && !is_fixed {
            true => "a value of each pass, as in x * 0.8 with a start in `variables`",
            false => ours,
        };
        let message = format!("`{foreign}` is not an operator; write {ours}");
        return Err(ExpressionProblem { span: spanned(foreign.len()), message });
    }
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
        return Ok(Some(Token { kind: TokenKind::Symbol(symbol), span: spanned(symbol.len()) }));
    }
    let message = match first {
        '“' | '”' | '‘' | '’' | '„' | '«' | '»' => format!("`{first}` is not a quote; write \" or '"),
        '−' | '–' | '—' => format!("`{first}` is not an operator; write -"),
        _ => format!("`{first}` has no meaning here"),
    };
    Err(ExpressionProblem { span: spanned(first.len_utf8()), message })
}

fn is_word_character(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a text begins with a foreign symbol and not with one of ours: `=` but not `==`, `!` but not `!=`.
fn is_foreign(rest: &str, foreign: &str) -> bool {
    rest.starts_with(foreign) && !SYMBOLS.iter().any(|symbol| symbol.len() > foreign.len() && rest.starts_with(symbol))
}

/// The bytes of the number that a text begins with, and of whatever letters, digits and points follow directly: `1.5.2` and `2x` are
/// malformed numbers and not two tokens.
fn measure_number(rest: &str) -> usize {
    let mut end = 0;
    let mut before = ' ';
    for letter in rest.chars() {
        let is_sign_of_exponent = matches!(letter, '+' | '-')
            && matches!(before, 'e' | 'E')
            && rest[..end - 1].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !(is_word_character(letter) || letter == '.' || is_sign_of_exponent) {
            break;
        }
        end += letter.len_utf8();
        before = letter;
    }
    end
}

fn describe_number_error(digits: &str, error: NumberTextError) -> String {
    match error {
        NumberTextError::Malformed => format!("`{digits}` is not a number; write digits, as in 12 or 0.5"),
        NumberTextError::TooLarge => format!("`{digits}` has too many digits; at most 38 are possible"),
    }
}
