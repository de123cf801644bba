//! The framework's keys without a counterpart here: which values match our behaviour, which do not, and why.

use self::RawlsKeyForm::{Number, Text, Truth, Whole, Word};
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

/// A key, the form of its value, the value (as JSON) that matches our behaviour, and the reason.
type UnmatchedKey = (&'static str, RawlsKeyForm, &'static str, &'static str);

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
    ("utility_agent_model", Text, "", READER),
    ("utility_agent_temperature", Number, "", READER),
    ("voting_detection_mode", Word(&["simple", "complex"]), "\"complex\"", "votes are called, confirmed and secret"),
    ("include_experiment_explanation", Truth, "", EXPLAIN),
    ("include_experiment_explanation_each_turn", Truth, "", EXPLAIN),
    ("phase2_include_internal_reasoning_in_memory", Truth, "true", "here a seat remembers what it reasoned, shortened"),
    ("memory_update_threshold", Word(&["minimal", "moderate", "comprehensive"]), "", MEMORY),
    ("batch_simple_events", Truth, "false", "simple events go into memory one by one"),
    ("enable_intelligent_retries", Truth, "true", RETRY),
    ("max_participant_retries", Whole, "2", TRIES),
    ("enable_progressive_guidance", Truth, "", RETRY),
    ("memory_update_on_retry", Truth, "false", "failed tries are in the record, not in memories"),
    ("retry_feedback_detail", Word(&["concise", "detailed"]), "", RETRY),
];

const ORIGINAL_VALUES: &[UnmatchedKey] =
    &[("situation", Text, "\"sample\"", "the sample explains, and the situations A to D are applied in turn")];

const TRANSPARENCY: &[UnmatchedKey] = &[
    ("enabled", Truth, "true", RESULTS),
    ("detail_level", Word(&["basic", "enhanced", "full"]), "\"full\"", RESULTS),
    ("include_counterfactuals", Truth, "true", RESULTS),
    ("include_class_assignment", Truth, "true", RESULTS),
    ("include_insights", Truth, "false", "results are shown without comment"),
];

const LOGGING: &[UnmatchedKey] = &[
    ("verbosity_level", Word(&["minimal", "standard", "detailed", "debug"]), "", SCREEN),
    ("use_colors", Truth, "", SCREEN),
    ("show_progress_bars", Truth, "", SCREEN),
];

const TRANSCRIPT: &[UnmatchedKey] = &[
    ("enabled", Truth, "true", RECORD),
    ("output_path", Text, "", "records are in the session's folder"),
    ("include_memory_updates", Truth, "true", RECORD),
    ("include_instructions", Truth, "true", RECORD),
    ("include_input_prompts", Truth, "true", RECORD),
    ("include_agent_responses", Truth, "true", RECORD),
];

const PHASE_2: &[UnmatchedKey] = &[
    ("max_statement_retries", Whole, "3", TRIES),
    ("max_memory_retries", Whole, "3", TRIES),
    ("reasoning_max_retries", Whole, "3", TRIES),
    ("two_stage_max_retries", Whole, "3", TRIES),
    ("max_constraint_correction_attempts", Whole, "3", TRIES),
    ("retry_backoff_factor", Number, "", "a seat is asked again at once; a server that failed after 0.5, 1 and 2 s"),
    ("statement_timeout_seconds", Number, "", TIME),
    ("confirmation_timeout_seconds", Number, "", TIME),
    ("ballot_timeout_seconds", Number, "", TIME),
    ("reasoning_timeout_seconds", Number, "", TIME),
    ("constraint_correction_timeout_seconds", Number, "", TIME),
    ("two_stage_timeout_seconds", Number, "", TIME),
    ("memory_validation_strict", Truth, "", "an update that fails is put in as it is, and the record says so"),
    ("quarantine_failed_responses", Truth, "true", "a reply that cannot be used is heard by nobody"),
    ("min_agents_for_experiment", Whole, "2", "the framework warns below it and goes on"),
    ("constraint_correction_enabled", Truth, "true", "an amount that cannot be used is asked for again"),
    ("two_stage_voting_enabled", Truth, "true", VOTE),
    ("amount_range_validation", Truth, "false", AMOUNT),
    ("amount_min_reasonable", Whole, "1", AMOUNT),
    ("amount_max_reasonable", Whole, "", AMOUNT),
    ("prompt_based_voting", Truth, "true", "seats are asked in turn whether to vote"),
    ("log_statement_preview_length", Whole, "", SCREEN),
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
    for (key, form, same, reason) in keys {
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
        Truth => return Ok(given.as_truth()?.to_string()),
        Whole => return Ok(given.as_whole_number(i64::MIN, i64::MAX)?.to_string()),
        Text => drop(given.as_text()?),
        Number => drop(given.as_number(f64::MIN, f64::MAX)?),
        Word(words) => drop(given.as_word(words)?),
    }
    Ok(given.to_json())
}
