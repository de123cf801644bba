//! Numbers as people write them: in words, with a comma, in per cent, as a range.
//!
//! Where a number is wanted, and which, is not known here.

use super::tree::{Node, Value};

/// The least and the greatest of a range such as `0-4`, `0..4` or `0 to 4`.
pub fn range(text: &str) -> Option<(f64, f64)> {
    let number = |text: &str| text.trim().replacen(',', ".", 1).parse::<f64>().ok().filter(|number| number.is_finite());
    let marks = ["...", "..", "…", " to ", " bis ", " à ", "–", "—", "-", ":", ";", ","];
    marks.iter().find_map(|mark| {
        let (least, greatest) = text.split_once(mark)?;
        Some((number(least)?, number(greatest)?)).filter(|(least, greatest)| least <= greatest)
    })
}

/// The least and the greatest that a text, a list of two or a mapping of two numbers means.
pub fn bounds(node: &Node) -> Option<(f64, f64)> {
    let number = |node: &Node| match node.value {
        Value::Int(number) => Some(number as f64),
        Value::Real(number) => Some(number),
        _ => None,
    };
    match &node.value {
        Value::Text(text) => range(text),
        Value::List(items) if items.len() == 2 => Some((number(&items[0])?, number(&items[1])?)),
        Value::Map(entries) if entries.len() == 2 => Some((number(&entries[0].node)?, number(&entries[1].node)?)),
        _ => None,
    }
}

/// The number that a word or the beginning of a text says: `three`, `4 rounds`, `50k`.
pub fn spelt(text: &str) -> Option<f64> {
    const WORDS: [[&str; 13]; 3] = [
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"],
        ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"],
    ];
    let lower = text.trim().to_lowercase();
    let word = |words: &[&str; 13]| words.iter().position(|word| *word == lower);
    if let Some(number) = WORDS.iter().find_map(word) {
        return Some(number as f64);
    }
    let end = lower.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let number = lower[..end].parse::<f64>().ok()?;
    match lower[end..].trim() {
        "k" | "tsd" => Some(number * 1e3),
        unit if unit.chars().all(char::is_alphabetic) && unit != "e" => Some(number),
        _ => None,
    }
}

/// The number that is meant by a text such as `50%`, `0,5`, `1_000`, `1/2` or a date.
pub fn number_meant(text: &str) -> Option<f64> {
    let plain: String = text.trim().trim_end_matches([',', ';']).chars().map(plain_digit).collect();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let is_date = plain.len() == 10 && plain.split('-').map(str::len).eq([4, 2, 2]);
    if is_date {
        return number(&plain.replace('-', ""));
    }
    let is_turned_date = plain.len() == 10 && plain.split('.').map(str::len).eq([2, 2, 4]);
    if is_turned_date {
        return number(&plain.split('.').rev().collect::<String>());
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
