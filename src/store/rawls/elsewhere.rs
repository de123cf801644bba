//! The framework's keys without a counterpart here: which values match our behaviour, which do not, and why.

use super::reading::{Ledger, RawlsSection, RawlsValue};
use crate::config::Problem;

#[derive(Clone, Copy)]
enum RawlsKeyForm {
    Truth,
    Text,
    Whole,
    Number,
    Word(&'static [&'static str]),
}

struct UnmatchedKey {
    key: &'static str,
    form: RawlsKeyForm,
    /// The value, as JSON, that matches our behaviour.
    same: &'static str,
    reason: &'static str,
}

const fn unmatched_key(
    key: &'static str,
    form: RawlsKeyForm,
    same: &'static str,
    reason: &'static str,
) -> UnmatchedKey {
    UnmatchedKey { key, form, same, reason }
}

const READER: &str = "replies have a fixed form and are read by rule; no model reads them";
const SCREEN: &str = "the program prints one line of progress and a summary";
const RECORD: &str = "every prompt can be shown and every reply is kept, always";
const TRIES: &str = "every question is put three times at the most";
const RETRY: &str = "a seat whose reply cannot be used is told why and asked again";
const RESULTS: &str = "results show class, payoff and what each principle would have paid";
const TIME: &str = "here a model's `timeout_s` limits each of its calls, whatever is asked";
const MEMORY: &str = "which events a model writes into memory and which go in as they are is `memory.routing` here";
const AMOUNT: &str = "any whole amount above 0 is accepted";
const EXPLAIN: &str = "what prompts explain is in the scenario's prompts";
const VOTE: &str = "a principle is chosen first, then its amount";

const WHOLE_FILE: &[UnmatchedKey] = &[
    unmatched_key("utility_agent_model", RawlsKeyForm::Text, "", READER),
    unmatched_key("utility_agent_temperature", RawlsKeyForm::Number, "", READER),
    unmatched_key(
        "voting_detection_mode",
        RawlsKeyForm::Word(&["simple", "complex"]),
        "\"complex\"",
        "votes are called, confirmed and secret",
    ),
    unmatched_key("include_experiment_explanation", RawlsKeyForm::Truth, "", EXPLAIN),
    unmatched_key("include_experiment_explanation_each_turn", RawlsKeyForm::Truth, "", EXPLAIN),
    unmatched_key(
        "phase2_include_internal_reasoning_in_memory",
        RawlsKeyForm::Truth,
        "true",
        "here a seat remembers what it reasoned, shortened",
    ),
    unmatched_key("memory_update_threshold", RawlsKeyForm::Word(&["minimal", "moderate", "comprehensive"]), "", MEMORY),
    unmatched_key("batch_simple_events", RawlsKeyForm::Truth, "false", "simple events go into memory one by one"),
    unmatched_key("enable_intelligent_retries", RawlsKeyForm::Truth, "true", RETRY),
    unmatched_key("max_participant_retries", RawlsKeyForm::Whole, "2", TRIES),
    unmatched_key("enable_progressive_guidance", RawlsKeyForm::Truth, "", RETRY),
    unmatched_key(
        "memory_update_on_retry",
        RawlsKeyForm::Truth,
        "false",
        "failed tries are in the record, not in memories",
    ),
    unmatched_key("retry_feedback_detail", RawlsKeyForm::Word(&["concise", "detailed"]), "", RETRY),
];

const ORIGINAL_VALUES: &[UnmatchedKey] = &[unmatched_key(
    "situation",
    RawlsKeyForm::Text,
    "\"sample\"",
    "the sample explains, and the situations A to D are applied in turn",
)];

const TRANSPARENCY: &[UnmatchedKey] = &[
    unmatched_key("enabled", RawlsKeyForm::Truth, "true", RESULTS),
    unmatched_key("detail_level", RawlsKeyForm::Word(&["basic", "enhanced", "full"]), "\"full\"", RESULTS),
    unmatched_key("include_counterfactuals", RawlsKeyForm::Truth, "true", RESULTS),
    unmatched_key("include_class_assignment", RawlsKeyForm::Truth, "true", RESULTS),
    unmatched_key("include_insights", RawlsKeyForm::Truth, "false", "results are shown without comment"),
];

const LOGGING: &[UnmatchedKey] = &[
    unmatched_key("verbosity_level", RawlsKeyForm::Word(&["minimal", "standard", "detailed", "debug"]), "", SCREEN),
    unmatched_key("use_colors", RawlsKeyForm::Truth, "", SCREEN),
    unmatched_key("show_progress_bars", RawlsKeyForm::Truth, "", SCREEN),
];

const TRANSCRIPT: &[UnmatchedKey] = &[
    unmatched_key("enabled", RawlsKeyForm::Truth, "true", RECORD),
    unmatched_key("output_path", RawlsKeyForm::Text, "", "records are in the session's folder"),
    unmatched_key("include_memory_updates", RawlsKeyForm::Truth, "true", RECORD),
    unmatched_key("include_instructions", RawlsKeyForm::Truth, "true", RECORD),
    unmatched_key("include_input_prompts", RawlsKeyForm::Truth, "true", RECORD),
    unmatched_key("include_agent_responses", RawlsKeyForm::Truth, "true", RECORD),
];

const PHASE_2: &[UnmatchedKey] = &[
    unmatched_key("max_statement_retries", RawlsKeyForm::Whole, "3", TRIES),
    unmatched_key("max_memory_retries", RawlsKeyForm::Whole, "3", TRIES),
    unmatched_key("reasoning_max_retries", RawlsKeyForm::Whole, "3", TRIES),
    unmatched_key("two_stage_max_retries", RawlsKeyForm::Whole, "3", TRIES),
    unmatched_key("max_constraint_correction_attempts", RawlsKeyForm::Whole, "3", TRIES),
    unmatched_key(
        "retry_backoff_factor",
        RawlsKeyForm::Number,
        "",
        "a seat is asked again at once; a server that failed after 0.5, 1 and 2 s",
    ),
    unmatched_key("statement_timeout_seconds", RawlsKeyForm::Number, "", TIME),
    unmatched_key("confirmation_timeout_seconds", RawlsKeyForm::Number, "", TIME),
    unmatched_key("ballot_timeout_seconds", RawlsKeyForm::Number, "", TIME),
    unmatched_key("reasoning_timeout_seconds", RawlsKeyForm::Number, "", TIME),
    unmatched_key("constraint_correction_timeout_seconds", RawlsKeyForm::Number, "", TIME),
    unmatched_key("two_stage_timeout_seconds", RawlsKeyForm::Number, "", TIME),
    unmatched_key(
        "memory_validation_strict",
        RawlsKeyForm::Truth,
        "",
        "an update that fails is put in as it is, and the record says so",
    ),
    unmatched_key(
        "quarantine_failed_responses",
        RawlsKeyForm::Truth,
        "true",
        "a reply that cannot be used is heard by nobody",
    ),
    unmatched_key("min_agents_for_experiment", RawlsKeyForm::Whole, "2", "the framework warns below it and goes on"),
    unmatched_key(
        "constraint_correction_enabled",
        RawlsKeyForm::Truth,
        "true",
        "an amount that cannot be used is asked for again",
    ),
    unmatched_key("two_stage_voting_enabled", RawlsKeyForm::Truth, "true", VOTE),
    unmatched_key("amount_range_validation", RawlsKeyForm::Truth, "false", AMOUNT),
    unmatched_key("amount_min_reasonable", RawlsKeyForm::Whole, "1", AMOUNT),
    unmatched_key("amount_max_reasonable", RawlsKeyForm::Whole, "", AMOUNT),
    unmatched_key("prompt_based_voting", RawlsKeyForm::Truth, "true", "seats are asked in turn whether to vote"),
    unmatched_key("log_statement_preview_length", RawlsKeyForm::Whole, "", SCREEN),
];

/// Accounts for all keys without a counterpart.
///
/// # Errors
/// The first value of a wrong type.
pub fn account_unmatched_keys(file: &RawlsSection<'_>, ledger: &mut Ledger) -> Result<(), Problem> {
    account_for(file, WHOLE_FILE, ledger)?;
    let sections = [
        ("original_values_mode", ORIGINAL_VALUES),
        ("phase2_enhanced_transparency", TRANSPARENCY),
        ("logging", LOGGING),
        ("transcript_logging", TRANSCRIPT),
        ("phase2_settings", PHASE_2),
    ];
    for (key, keys) in sections {
        if let Some(section) = file.section(key, ledger)? {
            account_for(&section, keys, ledger)?;
        }
    }
    if file.get("phase2_include_internal_reasoning_in_memory", ledger).is_none() {
        ledger.add_own_default(
            "memory.routing.own_reasoning",
            "here a seat remembers what it reasoned, shortened; there it does not, by default",
        );
    }
    Ok(())
}

fn account_for(section: &RawlsSection<'_>, keys: &[UnmatchedKey], ledger: &mut Ledger) -> Result<(), Problem> {
    for UnmatchedKey { key, form, same, reason } in keys {
        let Some(given) = section.get(key, ledger) else { continue };
        match canonical_json(&given, *form)? == *same {
            true => ledger.account_same(&given, reason),
            false => ledger.not_carried(&given, *reason),
        }
    }
    Ok(())
}

/// The value as JSON, in one canonical spelling.
fn canonical_json(given: &RawlsValue<'_>, form: RawlsKeyForm) -> Result<String, Problem> {
    match form {
        RawlsKeyForm::Truth => return Ok(given.as_truth()?.to_string()),
        RawlsKeyForm::Whole => return Ok(given.as_whole_number(i64::MIN, i64::MAX)?.to_string()),
        RawlsKeyForm::Text => drop(given.as_text()?),
        RawlsKeyForm::Number => drop(given.as_number(f64::MIN, f64::MAX)?),
        RawlsKeyForm::Word(words) => drop(given.as_word(words)?),
    }
    Ok(given.to_json())
}
