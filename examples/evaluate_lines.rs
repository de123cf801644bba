//! Reads one expression a line and prints its exact value, or `error: ` and the reason. No names are in scope.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use ekklesia::expression::{
    DrawPlace, Function, Lookup, Scope, Series, Type, Value, World, check_types, evaluate, parse_expression,
};

struct Nothing;

impl Scope for Nothing {
    fn find_name(&self, _: &str) -> Lookup {
        Lookup::Unknown
    }

    fn find_attribute(&self, _: &Type, _: &str) -> Lookup {
        Lookup::Unknown
    }

    fn find_series(&self, _: Series, _: &str) -> Lookup {
        Lookup::Unknown
    }

    fn refuse_function(&self, function: Function) -> Option<String> {
        function.is_draw().then(|| "there are no draws".to_owned())
    }

    fn list_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn list_attributes(&self, _: Option<&str>, _: &Type) -> Vec<String> {
        Vec::new()
    }

    fn list_series(&self, _: Series) -> Vec<String> {
        Vec::new()
    }
}

impl World for Nothing {
    fn read_name(&self, _: &str) -> Option<Value> {
        None
    }

    fn read_attribute(&self, _: &Value, _: &str) -> Option<Value> {
        None
    }

    fn read_series(&self, _: Series, _: &str) -> Option<Arc<[Value]>> {
        None
    }

    fn draw_below(&mut self, _: DrawPlace, _: u64) -> u64 {
        0
    }
}

fn evaluate_line(line: &str) -> Result<String, String> {
    let expr = parse_expression(line).map_err(|problems| problems[0].message.clone())?;
    check_types(&expr, &Nothing).map_err(|problems| problems[0].message.clone())?;
    evaluate(&expr, &mut Nothing).map(|value| print_value(&value)).map_err(|failure| failure.to_string())
}

fn print_value(value: &Value) -> String {
    match value {
        Value::Missing => "missing".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::YesNo(value) => value.to_string(),
        Value::List(items) => format!("[{}]", items.iter().map(print_value).collect::<Vec<_>>().join(", ")),
        other => format!("{other:?}"),
    }
}

fn main() -> io::Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        match evaluate_line(&line?) {
            Ok(value) => writeln!(output, "{value}")?,
            Err(reason) => writeln!(output, "error: {reason}")?,
        }
    }
    output.flush()
}
