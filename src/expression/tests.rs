//! Cases from `cases.txt`, and laws that hold for every expression.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::aggregate::{apply_to_list, are_equal};
use super::sample::Sample;
use super::*;

const CASES: &str = include_str!("cases.txt");

/// The expressions of a section, with the expected output.
fn section(title: &str) -> Vec<(&'static str, &'static str)> {
    let (_, rest) = CASES.split_once(&format!("\n## {title}\n")).expect("the section exists");
    let lines = rest.split("\n## ").next().expect("a split has a first part").lines();
    let cases = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    cases.map(|line| line.split_once(" => ").unwrap_or_else(|| panic!("no `=>` in: {line}"))).collect()
}

/// Compares what a function prints for each expression of a section, and shows every difference at once.
fn assert_section(title: &str, print: impl Fn(&str) -> String) {
    let wrong = section(title).into_iter().filter_map(|(text, expected)| {
        let found = print(text);
        (found != expected).then(|| format!("{text}\n  expected {expected}\n  found    {found}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn parse(text: &str) -> Expr {
    parse_expression(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn evaluate_in_sample(text: &str) -> Result<Value, Failure> {
    let expr = parse(text);
    check_types(&expr, &Sample::default()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    evaluate(&expr, &mut Sample::default())
}

fn print_value(value: &Value) -> String {
    match value {
        Value::Missing => "missing".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::YesNo(value) => value.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Option(option) => {
            "ABC.......KL".chars().nth(option.option as usize).expect("a known option").to_string()
        }
        Value::Seat(index) => ["Ann", "Bob", "Cam", "Dan"][*index as usize].to_owned(),
        Value::Record(record) => format!("{record:?}"),
        Value::Points(points) => {
            let each = points.iter().map(|(option, number)| format!("{}: {number}", print_value(option)));
            format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(print_value).collect::<Vec<_>>().join(", ")),
    }
}

fn print_problems(text: &str, problems: Vec<ExpressionProblem>) -> String {
    let lines = problems
        .into_iter()
        .map(|ExpressionProblem { span, message }| format!("`{}`: {message}", &text[span.start..span.end]));
    lines.collect::<Vec<_>>().join(" | ")
}

fn print_spans(text: &str, spans: &[Span]) -> String {
    spans.iter().map(|span| format!("`{}`", &text[span.start..span.end])).collect::<Vec<_>>().join(", ")
}

#[test]
fn values_are_as_listed() {
    assert_section("values", |text| {
        evaluate_in_sample(text).map_or_else(|failure| format!("{failure:?}"), |value| print_value(&value))
    });
}

#[test]
fn the_listed_values_cover_every_function() {
    let called: BTreeSet<&str> =
        section("values").iter().flat_map(|(text, _)| text.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
    let left_out: Vec<&str> =
        Function::ALL.iter().map(|function| function.as_str()).filter(|name| !called.contains(name)).collect();
    assert_eq!(left_out, Vec::<&str>::new());
}

#[test]
fn types_are_as_listed() {
    assert_section("types", |text| {
        check_types(&parse(text), &Sample::default())
            .map_or_else(|problems| print_problems(text, problems), |found| found.to_string())
    });
}

#[test]
fn failures_name_their_place() {
    assert_section("failures", |text| match evaluate_in_sample(text) {
        Ok(value) => print_value(&value),
        Err(failure) => format!("`{}`: {failure}", &text[failure.span.start..failure.span.end]),
    });
}

#[test]
fn parts_that_always_fail_are_found_without_a_session() {
    assert_section("certain failures", |text| {
        let failures = find_certain_failures(&parse(text)).into_iter();
        let lines: Vec<String> =
            failures.map(|failure| format!("`{}`: {failure}", &text[failure.span.start..failure.span.end])).collect();
        if lines.is_empty() { "none".to_owned() } else { lines.join(" | ") }
    });
}

#[test]
fn every_problem_is_reported_with_its_place() {
    let print = |text: &str, scope: &Sample| match check_types(&parse(text), scope) {
        Ok(found) => found.to_string(),
        Err(problems) => print_problems(text, problems),
    };
    assert_section("problems", |text| print(text, &Sample::default()));
    assert_section("refused draws", |text| print(text, &Sample { refuses_draws: true, ..Sample::default() }));
}

#[test]
fn grammar_errors_say_what_was_expected() {
    assert_section("syntax", |text| match parse_expression(text) {
        Ok(expr) => expr.to_string(),
        Err(problems) => print_problems(text, problems),
    });
}

#[test]
fn expressions_print_with_the_fewest_parentheses() {
    assert_section("printed", |text| parse(text).to_string());
}

#[test]
fn reads_are_listed_with_their_attributes() {
    assert_section("reads", |text| {
        let reads = list_names(&parse(text)).into_iter().map(|read| {
            let series = match read.series {
                None => "",
                Some(Series::Past) => "past ",
                Some(Series::AllPasses) => "all ",
                Some(Series::Received) => "received ",
                Some(Series::Given) => "given ",
            };
            let names = std::iter::once(read.name.unwrap_or_else(|| "?".to_owned())).chain(read.attributes);
            format!("{series}{}", names.collect::<Vec<_>>().join("."))
        });
        let reads: Vec<String> = reads.collect();
        if reads.is_empty() { "nothing".to_owned() } else { reads.join(", ") }
    });
}

#[test]
fn missing_values_are_traced_to_their_causes() {
    assert_section("absence", |text| {
        let expr = parse(text);
        check_types(&expr, &Sample::default()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let MissingReach { presence, causes, conditions } = find_missing(&expr, &Sample::presence_of);
        let mut line = match presence {
            ValuePresence::Given => "given".to_owned(),
            ValuePresence::Gaps => "gaps".to_owned(),
            ValuePresence::Missing => format!("missing from {}", print_spans(text, &causes)),
        };
        if !conditions.is_empty() {
            line.push_str(&format!(", conditions {}", print_spans(text, &conditions)));
        }
        line
    });
}

#[test]
fn draws_are_found_by_site_repetition_and_step() {
    let cases: [(&str, &[&str]); 4] = [
        ("draw_integer(1, 6) if false else draw_integer(1, 10)", &["draw 1.0.0 below 10"]),
        ("sum(draw_integer(0, 1) for s in others)", &["draw 0.0.0 below 2", "draw 0.1.0 below 2"]),
        ("draw_order([1, 2, 3])", &["draw 0.0.0 below 3", "draw 0.0.1 below 2"]),
        ("draw_uniform(0, 0.5)", &["draw 0.0.0 below 500001"]),
    ];
    for (text, expected) in cases {
        let mut sample = Sample::default();
        evaluate(&parse(text), &mut sample).unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
        let draws: Vec<String> = sample.log.take().into_iter().filter(|line| line.starts_with("draw ")).collect();
        assert_eq!(draws, expected, "{text}");
    }
}

#[test]
fn length_nesting_and_depth_are_bounded() {
    let nested = |open: &str, close: &str, count: usize| format!("{}1{}", open.repeat(count), close.repeat(count));
    // One level is the expression itself.
    for (open, close) in [("(", ")"), ("[", "]"), ("sum(", ")")] {
        assert!(parse_expression(&nested(open, close, NESTING_MAX - 1)).is_ok(), "{open}");
        assert!(parse_expression(&nested(open, close, NESTING_MAX)).is_err(), "{open}");
    }
    for prefix in ["- ", "not ", "1 if true else "] {
        assert!(parse_expression(&nested(prefix, "", NESTING_MAX - 1)).is_ok(), "{prefix}");
        assert!(parse_expression(&nested(prefix, "", NESTING_MAX)).is_err(), "{prefix}");
    }
    for link in ["+1", ".a", "[0]", " or 1"] {
        let chain = |count: usize| parse_expression(&format!("a{}", link.repeat(count)));
        assert!(chain(TREE_DEPTH_MAX - 1).is_ok(), "{link}");
        let problems = chain(TREE_DEPTH_MAX).expect_err(link);
        assert_eq!(
            problems[0].message,
            format!("the expression is deeper than {TREE_DEPTH_MAX} levels; compute it in steps")
        );
    }
    let wide = |length: usize| parse_expression(&" ".repeat(length - 1).replacen(' ', "1 ", 1));
    assert!(wide(TEXT_BYTES_MAX).is_ok());
    assert!(wide(TEXT_BYTES_MAX + 1).is_err());
}

/// Runs a test with a quarter of the stack that a thread has by default.
fn with_small_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(test).expect("a thread starts");
    thread.join().expect("the test passes");
}

#[test]
fn the_deepest_expressions_fit_a_small_stack() {
    with_small_stack(|| {
        let levels = NESTING_MAX - 2;
        let chain = format!("0{}", "+1".repeat(TREE_DEPTH_MAX - 1));
        let texts = [
            (chain.clone(), "127"),
            (format!("count({}{})", "[".repeat(levels), "]".repeat(levels)), "1"),
            (format!("{}1{}", "2 - 1 * (".repeat(levels), ")".repeat(levels)), "1"),
            (format!("{}1 < 2{}", "false or true and 1 + 1 in [2 if ".repeat(15), " else 3]".repeat(15)), "true"),
            (format!("{}1{}", "sum(x for x in [".repeat(levels / 2), "])".repeat(levels / 2)), "1"),
            (format!("{}2.5{}", "round(".repeat(levels), ", 0)".repeat(levels)), "2"),
            (format!("{}1{}", "max(0, 1 * ".repeat(levels), ")".repeat(levels)), "1"),
        ];
        for (text, expected) in texts {
            let expr = parse(&text);
            assert_eq!(list_names(&expr).into_iter().filter(|read| read.name.is_some()).count(), 0, "{text}");
            assert_eq!(find_missing(&expr, &|_| ValuePresence::Missing).causes, Vec::new(), "{text}");
            assert_eq!(check_types(&expr, &Sample::default()).map_err(|problems| problems.len()).err(), None, "{text}");
            let value = evaluate(&expr, &mut Sample::default());
            assert_eq!(value.map(|value| print_value(&value)), Ok(expected.to_owned()), "{text}");
            assert_eq!(parse_expression(&expr.to_string()), Ok(expr));
        }
        // A long chain is built before it is found to be too deep.
        assert!(parse_expression(&format!("a{}", ".a".repeat(TEXT_BYTES_MAX / 2 - 1))).is_err());
    });
}

#[test]
fn endless_work_ends_at_the_limit() {
    let digits = format!("[{}]", vec!["0"; 60].join(","));
    let text = format!("sum(sum(sum(sum(1 for d in {digits}) for c in {digits}) for b in {digits}) for a in {digits})");
    assert_eq!(evaluate_in_sample(&text).map_err(|failure| failure.cause), Err(FailureCause::TooManySteps));
    // Few elements, but many nodes for each.
    let element = "+1".repeat(100);
    let text = format!("sum(sum(sum(1{element} for c in {digits}) for b in {digits}) for a in {digits})");
    assert_eq!(evaluate_in_sample(&text).map_err(|failure| failure.cause), Err(FailureCause::TooManySteps));
    let text = format!("sum(sum(1{element} for b in {digits}) for a in {digits})");
    assert_eq!(evaluate_in_sample(&text).map(|value| print_value(&value)), Ok((60 * 60 * 101).to_string()));
}

#[test]
fn an_expression_that_was_not_checked_fails_without_a_panic() {
    for text in [
        "unheard",
        "seat.unheard",
        "1 + 'a'",
        "not 1",
        "sum(1)",
        "seat < me",
        "[1] == [1]",
        "total(unheard)",
        "sum()",
        "(1).x",
    ] {
        let failure = evaluate(&parse(text), &mut Sample::default()).expect_err(text);
        assert_eq!(failure.cause, FailureCause::Unchecked, "{text}");
    }
}

#[test]
fn a_text_equals_the_number_or_the_yes_or_no_that_it_reads_as() {
    let text = |words: &str| Value::Text(words.into());
    let number = |number: i32| Value::Number(Fraction::from(number));
    for (words, read) in [("yes", Value::YesNo(true)), ("no", Value::YesNo(false)), ("12", number(12))] {
        assert_eq!((text(words).as_truth(), text(words).as_number()), (read.as_truth(), read.as_number()));
        assert_eq!(
            [(&text(words), &read), (&read, &text(words))].map(|(one, other)| are_equal(one, other)),
            [Ok(true); 2]
        );
    }
    assert_eq!(are_equal(&text("tax"), &Value::YesNo(true)), Ok(false));
    assert_eq!(are_equal(&text("12"), &text("12.0")), Ok(false));
    let mixed = [text("10"), number(9)];
    let sorted = Ok(Value::List([number(9), number(10)].into()));
    assert_eq!(apply_to_list(Function::Sorted, &mixed), sorted);
    assert_eq!(apply_to_list(Function::Max, &mixed), Ok(number(10)));
}

#[test]
fn three_valued_logic_keeps_its_laws() {
    let truth =
        |text: String| print_value(&evaluate_in_sample(&text).unwrap_or_else(|failure| panic!("{text}: {failure:?}")));
    let assert_equal =
        |left: String, right: String| assert_eq!(truth(left.clone()), truth(right.clone()), "{left} is {right}");
    let all = ["true", "false", "missing"];
    for a in all {
        assert_equal(format!("not not {a}"), a.to_owned());
        assert_equal(format!("{a} and {a}"), a.to_owned());
        assert_equal(format!("{a} or {a}"), a.to_owned());
        for b in all {
            assert_equal(format!("not ({a} and {b})"), format!("not {a} or not {b}"));
            assert_equal(format!("not ({a} or {b})"), format!("not {a} and not {b}"));
            assert_equal(format!("{a} and {b}"), format!("{b} and {a}"));
            assert_equal(format!("{a} or {b}"), format!("{b} or {a}"));
            assert_equal(format!("{a} or {a} and {b}"), a.to_owned());
            for c in all {
                assert_equal(format!("{a} and ({b} and {c})"), format!("({a} and {b}) and {c}"));
                assert_equal(format!("{a} or ({b} or {c})"), format!("({a} or {b}) or {c}"));
                assert_equal(format!("{a} and ({b} or {c})"), format!("{a} and {b} or {a} and {c}"));
                assert_equal(format!("{a} or ({b} and {c})"), format!("({a} or {b}) and ({a} or {c})"));
            }
        }
    }
}

/// Choices that shape a random expression; the simplest once they are used up.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn pick<'b>(&mut self, from: &[&'b str]) -> &'b str {
        from[self.below(from.len())]
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % bound
    }

    /// An expression of type number, and so on below, that nests at most so deep.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            let leaves = [
                "1",
                "0",
                "2.5",
                "seat.c",
                "me.gave",
                "parameters.mpcr",
                "missing",
                "wave",
                "item.key",
                "group.pot",
                "this.amount",
            ];
            return self.pick(&leaves).to_owned();
        }
        let inner = depth - 1;
        match self.below(14) {
            0 => self.number(0),
            1..4 => {
                let operator = self.pick(&["+", "-", "*", "/", "//", "%"]);
                format!("({} {operator} {})", self.number(inner), self.number(inner))
            }
            4 => format!("-{}", self.number(inner)),
            5 => format!("({} if {} else {})", self.number(inner), self.yes_no(inner), self.number(inner)),
            6 => format!("default({}, {})", self.number(inner), self.number(inner)),
            7 => format!(
                "{}({})",
                self.pick(&["sum", "mean", "median", "sd", "min", "max", "count", "draw_choice"]),
                self.numbers(inner)
            ),
            8 => {
                let function = self.pick(&["sum", "mean", "count", "max"]);
                let local = format!("s{depth}");
                let element = self.number(inner).replacen("seat.c", &format!("{local}.c"), 1);
                let (source, condition) = (self.seats(inner), self.yes_no(inner));
                let condition =
                    if self.below(2) == 0 { format!(" if {condition} or {local}.alive") } else { String::new() };
                format!("{function}({element} + default({local}.c, 1) for {local} in {source}{condition})")
            }
            9 => format!("{}({}, {})", self.pick(&["min", "max"]), self.number(inner), self.number(inner)),
            10 => format!(
                "{}({})",
                self.pick(&["abs", "round", "floor", "ceil", "sqrt", "exp", "ln"]),
                self.number(inner)
            ),
            11 => format!("{}({})", self.pick(&["previous", "total"]), self.pick(&["c", "net", "never"])),
            12 => format!("{}[{}]", self.numbers(inner), self.number(0)),
            _ => format!("share({} for s{depth} in {})", self.yes_no(inner), self.seats(inner)),
        }
    }

    fn yes_no(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .pick(&["true", "false", "missing", "seat.alive", "me.agree", "rank.decided", "lost.decided"])
                .to_owned();
        }
        let inner = depth - 1;
        match self.below(7) {
            0 => self.yes_no(0),
            1 => format!("not ({})", self.yes_no(inner)),
            2 => format!("({} {} {})", self.yes_no(inner), self.pick(&["and", "or"]), self.yes_no(inner)),
            3 => format!("({} + 0 {} {})", self.number(inner), self.pick(&["<", "<=", "==", "!="]), "seat.c"),
            4 => format!("(seat.c {} {})", self.pick(&["in", "not in"]), self.numbers(inner)),
            5 => format!("({} in {})", self.pick(&["seat", "me", "group[0]", "this.author"]), self.seats(inner)),
            _ => format!("is_missing({})", self.number(inner)),
        }
    }

    fn numbers(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "[]",
                    "group.c",
                    "seats.index",
                    "nobody.c",
                    "past(net)",
                    "candidate.amount",
                    "rank.options.count",
                ])
                .to_owned();
        }
        let inner = depth - 1;
        match self.below(5) {
            0 => self.numbers(0),
            1 => format!("[{}, {}]", self.number(inner), self.number(inner)),
            2 => format!("top({}, {})", self.numbers(inner), self.pick(&["1", "0", "wave", "9"])),
            3 => format!("{}({})", self.pick(&["sorted", "draw_order"]), self.numbers(inner)),
            _ => format!("{}.c", self.seats(inner)),
        }
    }

    fn seats(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["group", "seats", "others", "nobody", "citizen"]).to_owned();
        }
        match self.below(4) {
            0 => self.seats(0),
            1 => format!("[{}, {}]", self.pick(&["seat", "me"]), self.pick(&["trustee", "this.author", "group[4]"])),
            2 => format!("({} if {} else {})", self.seats(0), self.yes_no(depth - 1), self.seats(depth - 1)),
            _ => format!("draw_order({})", self.seats(depth - 1)),
        }
    }

    /// Any tree of the grammar, whatever its types.
    fn tree(&mut self, depth: usize) -> Expr {
        let kind = if depth == 0 { self.below(5) } else { self.below(17) };
        let mut child = || Box::new(self.tree(depth.saturating_sub(1)));
        let kind = match kind {
            0 => ExprKind::Name(self.pick(&["a", "seat", "_x1", "ñandú", "iffy", "sum"]).to_owned()),
            1 => {
                ExprKind::Number(Fraction::parse(self.pick(&["0", "1.5", "20", "0.000001", "1e20"])).expect("a number"))
            }
            2 => ExprKind::Text(Arc::from(self.pick(&["", "a b", "it's", "say \"a\"", "日本"]))),
            3 => ExprKind::YesNo(self.below(2) == 0),
            4 => ExprKind::Missing,
            5 => ExprKind::Not(child()),
            6 => ExprKind::Negate(child()),
            7 => ExprKind::If { condition: child(), chosen: child(), otherwise: child() },
            8 => ExprKind::Index { base: child(), position: child() },
            9 => ExprKind::Attribute { base: child(), name: self.attribute() },
            10 => ExprKind::List(vec![*child(), *child()]),
            11 => ExprKind::Call { function: Function::Clamp, arguments: vec![*child(), *child(), *child()], site: 0 },
            12 => {
                let (element, source, condition) = (child(), child(), child());
                let condition = Some(condition).filter(|_| self.below(2) == 0);
                ExprKind::Comprehension {
                    function: Function::Mean,
                    element,
                    variable: self.attribute(),
                    source,
                    condition,
                    site: 0,
                }
            }
            _ => {
                let (left, right) = (child(), child());
                ExprKind::Binary { operator: Operator::ALL[self.below(Operator::ALL.len())], left, right }
            }
        };
        Expr { kind, span: Span { start: 0, end: 0 } }
    }

    fn attribute(&mut self) -> Name {
        Name { text: self.pick(&["x", "name", "max", "y2"]).to_owned(), span: Span { start: 0, end: 0 } }
    }
}

fn is_of_type(value: &Value, wanted: &Type) -> bool {
    match (value, wanted) {
        (Value::Missing, _)
        | (Value::Number(_), Type::Number)
        | (Value::YesNo(_), Type::YesNo)
        | (Value::Text(_), Type::Text)
        | (Value::Option(_), Type::Option(_))
        | (Value::Seat(_), Type::Seat)
        | (Value::Points(_), Type::Points(_)) => true,
        (Value::List(items), Type::List(element)) => items.iter().all(|item| is_of_type(item, element)),
        _ => false,
    }
}

fn is_inside(span: Span, text: &str) -> bool {
    span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end)
}

#[test]
fn listed_values_have_the_type_that_was_checked() {
    for (text, _) in section("values") {
        let found =
            check_types(&parse(text), &Sample::default()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let value = evaluate_in_sample(text).unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
        assert!(is_of_type(&value, &found), "{text} is {found} and gave {value:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn a_printed_expression_parses_to_itself(choices in prop::collection::vec(any::<u8>(), 0..80)) {
        let expr = Choices(choices.iter()).tree(5);
        let text = expr.to_string();
        prop_assert_eq!(parse_expression(&text), Ok(expr), "{}", text);
    }

    #[test]
    fn parsing_never_panics_and_places_every_error(text in "\\PC{0,60}") {
        if let Err(problems) = parse_expression(&text) {
            prop_assert!(problems.iter().all(|problem| is_inside(problem.span, &text)), "{:?}", problems);
        }
    }

    #[test]
    fn words_of_the_grammar_in_any_order_give_placed_errors(
        words in prop::collection::vec(prop::sample::select(vec![
            "seat", "seats", ".", ".c", "sum", "(", ")", "[", "]", ",", "for s in ", "if ", "else ", "not ", "in ", "1", "-", "+", "==",
            "and ", "'a'", "smu(", "goup", "total(", "missing", "日",
        ]), 0..14),
    ) {
        let text = words.concat();
        let problems = match parse_expression(&text) {
            Ok(expr) => {
                let mut spans = vec![expr.span];
                spans.extend(list_names(&expr).into_iter().map(|read| read.span));
                let reach = find_missing(&expr, &Sample::presence_of);
                spans.extend(reach.causes.into_iter().chain(reach.conditions));
                spans.extend(evaluate(&expr, &mut Sample::default()).err().map(|failure| failure.span));
                prop_assert!(spans.iter().all(|span| is_inside(*span, &text)), "{}: {:?}", text, spans);
                check_types(&expr, &Sample::default()).err().unwrap_or_default()
            }
            Err(problems) => problems,
        };
        prop_assert!(problems.iter().all(|problem| is_inside(problem.span, &text)), "{}: {:?}", text, problems);
    }

    #[test]
    fn a_checked_expression_gives_its_type_and_reads_what_is_listed(choices in prop::collection::vec(any::<u8>(), 0..60)) {
        let mut choices = Choices(choices.iter());
        let text = match choices.below(3) {
            0 => choices.number(4),
            1 => choices.yes_no(4),
            _ => choices.numbers(4),
        };
        let expr = parse(&text);
        let found = check_types(&expr, &Sample::default());
        prop_assert!(found.is_ok(), "{}: {:?}", text, found);
        let mut sample = Sample::default();
        let result = evaluate(&expr, &mut sample);
        let names: BTreeSet<String> = list_names(&expr).into_iter().filter_map(|read| read.name).collect();
        let log = sample.log.take();
        prop_assert!(log.iter().all(|line| line.starts_with("draw ") || names.contains(line)), "{}: {:?}", text, log);
        let value = match result {
            Ok(value) => value,
            Err(failure) => {
                prop_assert_ne!(failure.cause, FailureCause::Unchecked, "{}", text);
                return Ok(());
            }
        };
        prop_assert!(is_of_type(&value, &found.unwrap_or(Type::Unknown)), "{}: {:?}", text, value);
        let reach = find_missing(&expr, &Sample::presence_of);
        prop_assert_eq!(reach.causes.is_empty(), reach.presence != ValuePresence::Missing);
        if reach.presence != ValuePresence::Missing {
            prop_assert_ne!(&value, &Value::Missing, "{}", text);
        }
        if let (ValuePresence::Given, Value::List(items)) = (reach.presence, &value) {
            prop_assert!(!items.is_empty() && !items.contains(&Value::Missing), "{}: {:?}", text, value);
        }
    }

    #[test]
    fn functions_of_lists_leave_missing_out(
        numbers in prop::collection::vec(-1000_i32..1000, 0..8),
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        function in prop::sample::select(vec!["sum", "mean", "median", "sd", "min", "max", "count", "sorted"]),
    ) {
        let plain: Vec<String> = numbers.iter().map(|number| format!("{number} / 8")).collect();
        let mut mixed = plain.clone();
        for place in places {
            mixed.insert(place.index(mixed.len() + 1), "missing".to_owned());
        }
        for call in ["F(L)", "F(x for x in L)", "F(x for x in L if not is_missing(x))", "quantile(L, 0.3)", "top(L, 2)", "rank_of(0, L)"] {
            let call = call.replace('F', function);
            let evaluate_call = |items: &[String]| evaluate_in_sample(&call.replace('L', &format!("[{}]", items.join(", "))));
            prop_assert_eq!(evaluate_call(&plain), evaluate_call(&mixed), "{}", call);
        }
    }
}
