//! Keys of the framework that ours has no key for: what is the same here all the same, and what is not, with the reason.

use super::reading::{Given, Ledger, Section};
use crate::config::Problem;

/// What kind of value a key takes.
#[derive(Clone, Copy)]
enum Form {
    Truth,
    Text,
    Whole,
    Number,
    Word(&'static [&'static str]),
}

/// A key without a counterpart.
struct Known {
    key: &'static str,
    form: Form,
    /// The value, as JSON, that ours does without a key.
    same: &'static str,
    reason: &'static str,
}

const fn known(key: &'static str, form: Form, same: &'static str, reason: &'static str) -> Known {
    Known { key, form, same, reason }
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

const WHOLE_FILE: &[Known] = &[
    known("utility_agent_model", Form::Text, "", READER),
    known("utility_agent_temperature", Form::Number, "", READER),
    known(
        "voting_detection_mode",
        Form::Word(&["simple", "complex"]),
        "\"complex\"",
        "votes are called, confirmed and secret",
    ),
    known("include_experiment_explanation", Form::Truth, "", EXPLAIN),
    known("include_experiment_explanation_each_turn", Form::Truth, "", EXPLAIN),
    known(
        "phase2_include_internal_reasoning_in_memory",
        Form::Truth,
        "true",
        "here a seat remembers what it reasoned, shortened",
    ),
    known("memory_update_threshold", Form::Word(&["minimal", "moderate", "comprehensive"]), "", MEMORY),
    known("batch_simple_events", Form::Truth, "false", "simple events go into memory one by one"),
    known("enable_intelligent_retries", Form::Truth, "true", RETRY),
    known("max_participant_retries", Form::Whole, "2", TRIES),
    known("enable_progressive_guidance", Form::Truth, "", RETRY),
    known("memory_update_on_retry", Form::Truth, "false", "failed tries are in the record, not in memories"),
    known("retry_feedback_detail", Form::Word(&["concise", "detailed"]), "", RETRY),
];

const ORIGINAL_VALUES: &[Known] = &[known(
    "situation",
    Form::Text,
    "\"sample\"",
    "the sample explains, and the situations A to D are applied in turn",
)];

const TRANSPARENCY: &[Known] = &[
    known("enabled", Form::Truth, "true", RESULTS),
    known("detail_level", Form::Word(&["basic", "enhanced", "full"]), "\"full\"", RESULTS),
    known("include_counterfactuals", Form::Truth, "true", RESULTS),
    known("include_class_assignment", Form::Truth, "true", RESULTS),
    known("include_insights", Form::Truth, "false", "results are shown without comment"),
];

const LOGGING: &[Known] = &[
    known("verbosity_level", Form::Word(&["minimal", "standard", "detailed", "debug"]), "", SCREEN),
    known("use_colors", Form::Truth, "", SCREEN),
    known("show_progress_bars", Form::Truth, "", SCREEN),
];

const TRANSCRIPT: &[Known] = &[
    known("enabled", Form::Truth, "true", RECORD),
    known("output_path", Form::Text, "", "records are in the session's folder"),
    known("include_memory_updates", Form::Truth, "true", RECORD),
    known("include_instructions", Form::Truth, "true", RECORD),
    known("include_input_prompts", Form::Truth, "true", RECORD),
    known("include_agent_responses", Form::Truth, "true", RECORD),
];

const PHASE_2: &[Known] = &[
    known("max_statement_retries", Form::Whole, "3", TRIES),
    known("max_memory_retries", Form::Whole, "3", TRIES),
    known("reasoning_max_retries", Form::Whole, "3", TRIES),
    known("two_stage_max_retries", Form::Whole, "3", TRIES),
    known("max_constraint_correction_attempts", Form::Whole, "3", TRIES),
    known(
        "retry_backoff_factor",
        Form::Number,
        "",
        "a seat is asked again at once; a server that failed after 0.5, 1 and 2 s",
    ),
    known("statement_timeout_seconds", Form::Number, "", TIME),
    known("confirmation_timeout_seconds", Form::Number, "", TIME),
    known("ballot_timeout_seconds", Form::Number, "", TIME),
    known("reasoning_timeout_seconds", Form::Number, "", TIME),
    known("constraint_correction_timeout_seconds", Form::Number, "", TIME),
    known("two_stage_timeout_seconds", Form::Number, "", TIME),
    known(
        "memory_validation_strict",
        Form::Truth,
        "",
        "an update that fails is put in as it is, and the record says so",
    ),
    known("quarantine_failed_responses", Form::Truth, "true", "a reply that cannot be used is heard by nobody"),
    known("min_agents_for_experiment", Form::Whole, "2", "the framework warns below it and goes on"),
    known("constraint_correction_enabled", Form::Truth, "true", "an amount that cannot be used is asked for again"),
    known("two_stage_voting_enabled", Form::Truth, "true", VOTE),
    known("amount_range_validation", Form::Truth, "false", AMOUNT),
    known("amount_min_reasonable", Form::Whole, "1", AMOUNT),
    known("amount_max_reasonable", Form::Whole, "", AMOUNT),
    known("prompt_based_voting", Form::Truth, "true", "seats are asked in turn whether to vote"),
    known("log_statement_preview_length", Form::Whole, "", SCREEN),
];

/// Accounts for the keys without a counterpart.
///
/// # Errors
/// The first whose value is not of its kind.
pub fn account(file: &Section<'_>, ledger: &mut Ledger) -> Result<(), Problem> {
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
        ledger.ours(
            "memory.routing.own_reasoning",
            "here a seat remembers what it reasoned, shortened; there it does not, by default",
        );
    }
    Ok(())
}

fn account_for(section: &Section<'_>, keys: &[Known], ledger: &mut Ledger) -> Result<(), Problem> {
    for Known { key, form, same, reason } in keys {
        let Some(given) = section.get(key, ledger) else { continue };
        match canonical(&given, *form)? == *same {
            true => ledger.same(&given, reason),
            false => ledger.not_carried(&given, *reason),
        }
    }
    Ok(())
}

/// The value as JSON, however its file spells it.
fn canonical(given: &Given<'_>, form: Form) -> Result<String, Problem> {
    match form {
        Form::Truth => return Ok(given.truth()?.to_string()),
        Form::Whole => return Ok(given.whole(i64::MIN, i64::MAX)?.to_string()),
        Form::Text => drop(given.text()?),
        Form::Number => drop(given.number(f64::MIN, f64::MAX)?),
        Form::Word(words) => drop(given.word(words)?),
    }
    Ok(given.json())
}
