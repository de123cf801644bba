//! The value that was probably meant by one of another type: a number with a comma, a yes, a text without quotes.
//!
//! What is wrong with the value is told elsewhere.

use super::declared::Declared;
use super::hints::outside;
use super::tree::{Node, Value};
use super::{names, schema};

/// How to write a value of the type that is wanted.
pub fn wrong_type(types: &[&str], declared: Declared, node: &Node, path: &str) -> Option<String> {
    match (types, &node.value) {
        (["object" | "array"], Value::Null) => Some(empty(types, path)),
        (_, Value::Null) => Some("its value is missing behind the colon".to_string()),
        (["string" | "integer" | "number" | "boolean"], Value::List(_)) => several(path),
        (["string"], value) => text_meant(value, path),
        (["integer" | "number"], Value::Text(text)) => number_in_place(types, declared, text),
        (["integer"], Value::Real(number)) if number.fract() == 0.0 => {
            Some(format!("write {number}, without a decimal point"))
        }
        (["boolean"], value) => truth_meant(value),
        (["array"], value) => list_meant(declared, value, path),
        (["object"], Value::Text(text)) => mapping_meant(declared, text),
        (["object"], Value::List(_)) => Some(match path {
            "design.factors" => {
                "write factors: { NAME: { key: decision.rule, levels: [majority, unanimity] } }".to_string()
            }
            _ if path.starts_with("design.factors.") => {
                "write { key: decision.rule, levels: [majority, unanimity] }".to_string()
            }
            _ if declared.of_any_key().is_some() => "write NAME: value, without `- `".to_string(),
            _ => "write key: value, without `- `".to_string(),
        }),
        _ => None,
    }
}

/// What belongs into a section or list that is empty.
fn empty(types: &[&str], path: &str) -> String {
    let belongs = match types {
        ["array"] => "write its items under it, each begun with `- `",
        _ => "indent its keys under it",
    };
    let can_go = !path.contains('.') && !Declared::whole(schema::of_config()).required().contains(&path);
    format!("{belongs}{}", if can_go { ", or leave it out" } else { "" })
}

/// How several values of one key are compared.
fn several(path: &str) -> Option<String> {
    let comparable = ["decision.", "discussion.", "memory."].iter().any(|section| path.starts_with(section));
    let hint =
        || format!("to compare several, write design: {{ factors: {{ NAME: {{ key: {path}, levels: [… , …] }} }} }}");
    comparable.then(hint)
}

fn text_meant(value: &Value, path: &str) -> Option<String> {
    let is_name = path == "experiment" || path.ends_with(".name") || path.starts_with("alternatives.");
    let hint = match value {
        Value::Int(number) if is_name => format!("a name holds a letter: write n{}", number.unsigned_abs()),
        Value::Real(_) if is_name => "a name holds a letter and no point".to_string(),
        Value::Inexact(_) if is_name => "a name holds a letter".to_string(),
        Value::Bool(_) if is_name => "tables would take it for a truth value: choose another name".to_string(),
        Value::Int(_) | Value::Real(_) | Value::Inexact(_) | Value::Bool(_) => "put it in quotes".to_string(),
        Value::Map(_) => "put a text that holds `: ` in quotes".to_string(),
        _ => return None,
    };
    Some(hint)
}

fn truth_meant(value: &Value) -> Option<String> {
    let word = match value {
        Value::Text(text) => text.trim().to_lowercase(),
        Value::Int(number) => number.to_string(),
        _ => return None,
    };
    match word.as_str() {
        "yes" | "on" | "y" | "true" | "1" | "ja" | "wahr" | "oui" | "vrai" => Some("write true".to_string()),
        "no" | "off" | "n" | "false" | "0" | "nein" | "falsch" | "non" | "faux" => Some("write false".to_string()),
        _ => None,
    }
}

fn list_meant(declared: Declared, value: &Value, path: &str) -> Option<String> {
    let is_of_mappings = declared.item(0).is_some_and(|item| item.types().any(|kind| kind == "object"));
    match value {
        Value::Text(text) if !is_of_mappings => Some(format!("write [{text}]")),
        Value::Text(_) => Some("write each on a line of its own, as - name: NAME".to_string()),
        Value::Map(_) if is_of_mappings => Some("begin each item with `- `".to_string()),
        Value::Int(number) if path == "seats" && *number > 0 => Some(format!("write [{{ count: {number} }}]")),
        _ => None,
    }
}

/// A line that lacks its colon, or a name alone.
fn mapping_meant(declared: Declared, text: &str) -> Option<String> {
    let (word, value) = text.split_once([' ', '=', '：']).unwrap_or((text, ""));
    let value = value.trim_start_matches([' ', '=', '：']);
    if declared.property(word).is_some() && !value.is_empty() && !value.contains(' ') {
        return Some(format!("write {word}: {value}"));
    }
    let is_named = declared.property("name").is_some() && names::check_seat_name(text).is_ok();
    is_named.then(|| format!("write {{ name: {text} }}"))
}

fn number_in_place(types: &[&str], declared: Declared, text: &str) -> Option<String> {
    if text.trim().parse::<f64>().is_ok() {
        return Some("leave the quotes out".to_string());
    }
    if text.contains(" //") {
        return Some("a comment begins with ` #`".to_string());
    }
    let number = number_meant(text)?;
    let fits = (types != ["integer"] || number.fract() == 0.0) && outside(declared, number, "").is_none();
    fits.then(|| format!("write {number}"))
}

/// The number that is meant by a text such as `50%`, `0,5`, `1_000`, `1/2` or a date.
fn number_meant(text: &str) -> Option<f64> {
    let plain: String = text.trim().trim_end_matches([',', ';']).chars().map(plain_digit).collect();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let is_date = plain.len() == 10 && plain.split('-').map(str::len).eq([4, 2, 2]);
    if is_date {
        return number(&plain.replace('-', ""));
    }
    if let Some(percent) = plain.strip_suffix('%') {
        return number(&percent.replace(',', ".")).map(|percent| (percent * 1e6).round() / 1e8);
    }
    if let Some((share, whole)) = plain.split_once('/') {
        let share = number(share)? / number(whole).filter(|whole| *whole != 0.0)?;
        return Some((share * 1e3).round() / 1e3);
    }
    let groups: Vec<&str> = plain.split([',', '_', '\'', ' ']).collect();
    let are_thousands = groups.len() > 1 && groups[0] != "0" && groups.iter().skip(1).all(|group| group.len() == 3);
    if are_thousands {
        return number(&groups.concat());
    }
    number(&plain.replace('_', "").replacen(',', ".", 1))
}

/// A digit or sign of another width, or a typographic minus, as the keyboard has it.
fn plain_digit(character: char) -> char {
    match character {
        '−' | '–' => '-',
        '．' => '.',
        '％' => '%',
        '０'..='９' => char::from_u32(u32::from(character) - u32::from('０') + u32::from('0')).unwrap_or(character),
        other => other,
    }
}
