//! Rules for names: tables keep them as text, and paths need no quotes.

/// Spellings that programs read as missing or truth values in tables.
const READ_AS_SOMETHING_ELSE: [&str; 12] =
    ["NA", "NaN", "nan", "NULL", "None", "null", "T", "F", "TRUE", "FALSE", "n/a", "N/A"];
const LENGTH_MAX: usize = 80;
/// Every integer with this many digits is exact as a double.
const DIGITS_MAX: usize = 15;
/// Reserved words of R or Python: `d$if` and `d.lambda` are syntax errors.
const RESERVED: [&str; 41] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "false", "finally", "for", "from", "function", "global", "if", "import", "in", "inf", "is", "lambda", "na", "next",
    "none", "nonlocal", "not", "or", "pass", "raise", "repeat", "return", "true", "try", "while", "with", "yield",
    "nan",
];

/// Checks the name of an experiment, which becomes the name of a folder.
///
/// # Errors
/// A message about what is wrong.
pub fn check_folder_name(name: &str) -> Result<(), String> {
    check_table_name(name)?;
    is_plain(name, "_.-").then_some(()).ok_or_else(|| {
        format!(
            "\"{name}\" is no name for a folder: letters A-Z a-z, digits, `_`, `.` and `-`, a letter or digit first"
        )
    })
}

/// Whether a name begins with a letter or digit, and has no others but these signs.
fn is_plain(name: &str, signs: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
}

/// Checks the name of a phase, an alternative or a model.
///
/// # Errors
/// A message about what is wrong.
pub fn check_name(name: &str) -> Result<(), String> {
    check_table_name(name)?;
    is_plain(name, "_-")
        .then_some(())
        .ok_or_else(|| format!("\"{name}\" is no name: letters A-Z a-z, digits, `_` and `-`, a letter or digit first"))
}

/// Checks the name of an alternative, which becomes part of a column's name.
///
/// # Errors
/// A message about what is wrong.
pub fn check_alternative(name: &str) -> Result<(), String> {
    check_name(name)?;
    match name.contains('-') {
        true => Err(format!(
            "\"{name}\" becomes part of a column's name, where R turns `-` into `.`; use `_` instead of `-`"
        )),
        false => Ok(()),
    }
}

/// Checks the name of a factor, a parameter or an attribute, which becomes part of a column's name or a template.
///
/// # Errors
/// A message about what is wrong.
pub fn check_word(name: &str) -> Result<(), String> {
    check_table_name(name)?;
    let sound = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !sound {
        return Err(format!("\"{name}\" is no name: only letters A-Z a-z, digits and `_`"));
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(format!("\"{name}\" begins with no letter: R and Python would not take it for a name"));
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(format!("\"{name}\" is a word that R or Python keeps for itself; choose another name"));
    }
    Ok(())
}

/// The nearest name that `check_word` accepts: `_` replaces invalid characters. `None` if there is none.
pub fn as_word(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let word = words.join("_");
    let is_negative = name.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let word = if is_negative {
        format!("minus_{word}")
    } else if word.starts_with(|c: char| c.is_ascii_digit()) {
        format!("v{word}")
    } else {
        word
    };
    (word != name && check_word(&word).is_ok()).then_some(word)
}

/// Checks that a name does not differ from earlier ones only in case.
///
/// # Errors
/// A message that names the other.
pub fn check_apart(name: &str, earlier: &[&str]) -> Result<(), String> {
    let other = earlier.iter().find(|other| **other != name && other.eq_ignore_ascii_case(name));
    match other {
        Some(other) => {
            Err(format!("\"{name}\" and \"{other}\" differ only in upper and lower case; choose another name"))
        }
        None => Ok(()),
    }
}

/// Checks the label of a level. Only-digit labels are allowed if they are read back as the same number.
///
/// # Errors
/// A message about what is wrong.
pub fn check_label(label: &str) -> Result<(), String> {
    if READ_AS_SOMETHING_ELSE.contains(&label) {
        return Err(format!("\"{label}\" means something else to programs that read tables; give the level a label"));
    }
    if is_respelt(label) {
        return Err(format!("{}; give the level a label", respelt_message(label)));
    }
    let sound =
        !label.is_empty() && label.len() <= LENGTH_MAX && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    sound.then_some(()).ok_or_else(|| format!("\"{label}\" is no label: only letters A-Z a-z, digits and `_`"))
}

/// Checks the id of an item, which becomes part of a folder's name. Only-digit ids are allowed if they read back unchanged.
///
/// # Errors
/// A message about what is wrong.
pub fn check_item_id(id: &str) -> Result<(), String> {
    if READ_AS_SOMETHING_ELSE.contains(&id) {
        return Err(format!("\"{id}\" means something else to programs that read tables; choose another id"));
    }
    if is_respelt(id) {
        return Err(format!("{}; put a letter in front", respelt_message(id)));
    }
    let sound = !id.is_empty() && id.len() <= LENGTH_MAX && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    sound
        .then_some(())
        .ok_or_else(|| format!("{id:?} is no id of an item: 1 to {LENGTH_MAX} letters A-Z a-z, digits and `_`"))
}

/// Checks the name of a seat, which may be a person's name in any script.
///
/// # Errors
/// A message about what is wrong.
pub fn check_seat_name(name: &str) -> Result<(), String> {
    check_table_name(name)?;
    let sound = name.chars().all(|c| c.is_alphanumeric() || " _-'".contains(c))
        && name.chars().next().is_some_and(char::is_alphanumeric)
        && !name.ends_with(' ');
    sound.then_some(()).ok_or_else(|| {
        format!("{name:?} is no name for a seat: letters, digits, spaces, `_`, `-` and `'`, a letter or digit first")
    })
}

/// Whether programs that read tables respell a word as a number: `007`, `1e3`, `0x1F`, and integers beyond a double.
fn is_respelt(word: &str) -> bool {
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let power = word.split_once(['e', 'E']).is_some_and(|(digits, power)| are_digits(digits) && are_digits(power));
    let hex = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let is_hex = hex.is_some_and(|hex| !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit()));
    let digits = are_digits(word) && ((word.starts_with('0') && word.len() > 1) || word.len() > DIGITS_MAX);
    power || is_hex || digits
}

fn respelt_message(word: &str) -> String {
    format!("programs that read tables take \"{word}\" for a number and write it otherwise")
}

fn check_table_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("a name is not empty".to_string());
    }
    if name.len() > LENGTH_MAX {
        return Err(format!("the name is longer than {LENGTH_MAX} bytes"));
    }
    if name.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("\"{name}\" is all digits; a name holds a letter"));
    }
    if READ_AS_SOMETHING_ELSE.contains(&name) {
        return Err(format!("\"{name}\" means something else to programs that read tables; choose another name"));
    }
    Ok(())
}
