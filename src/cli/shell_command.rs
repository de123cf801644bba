//! Shell words and commands that a user can type again.

use super::arguments::RunArguments;
use super::served_models::ModelChange;
use crate::report::escape_unseen;

/// A word for a POSIX shell, quoted if necessary.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:=@%+,-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { shell_quoted(text) }
}

/// A word in single quotes.
pub fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The command that repeats a run, without its number of replicates.
pub fn run_command(arguments: &RunArguments) -> String {
    let mut command = format!("ekklesia run {}", shell_word(&arguments.config.display().to_string()));
    for set in &arguments.set {
        command.push_str(&format!(" --set {}", shell_quoted(set)));
    }
    if let Some(seed) = arguments.seed {
        command.push_str(&format!(" --seed {seed}"));
    }
    if let Some(usd) = arguments.budget_usd {
        command.push_str(&format!(" --budget-usd {usd}"));
    }
    if let Some(tokens) = arguments.budget_tokens {
        command.push_str(&format!(" --budget-tokens {tokens}"));
    }
    if arguments.on_model_change == ModelChange::Stop {
        command.push_str(" --on-model-change stop");
    }
    if let Some(folder) = &arguments.by_file.defer {
        command.push_str(&format!(" --defer {}", shell_word(&folder.display().to_string())));
    }
    if let Some(out) = &arguments.out {
        command.push_str(&format!(" --out {}", shell_word(&out.display().to_string())));
    }
    escape_unseen(&command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_take_it_apart() {
        let cases = [
            ("results/my-exp", "results/my-exp"),
            ("Übung", "Übung"),
            ("my exp", "'my exp'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("", "''"),
        ];
        cases.into_iter().for_each(|(text, typed)| assert_eq!(shell_word(text), typed));
    }
}
