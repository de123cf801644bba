//! Converts everything about the procedure: parameters, language, discussion, decision and memory.

use super::people::{MEMORY_MIN, People};
use super::reading::{Ledger, RawlsSection, RawlsValue, Sourced, read_truth, read_whole_number};
use super::writing::{YamlDraft, decimal_text, quote_yaml};
use crate::config::Problem;

/// The framework's names of income classes, in the order of our `sample_weights`.
const CLASSES: [&str; 5] = ["high", "medium_high", "medium", "medium_low", "low"];
/// The framework's weights of classes that `income_class_probabilities` omits.
const CLASS_DEFAULTS: [f64; 5] = [0.05, 0.10, 0.50, 0.25, 0.10];
/// The weights without `income_class_probabilities`, and the sample's own weights.
const EQUAL: [f64; 5] = [0.2; 5];
/// The framework's default range of multipliers, in both phases.
const MULTIPLIERS: (f64, f64) = (0.5, 2.0);
/// The range of multipliers that this program accepts.
const MULTIPLIER_BOUNDS: (f64, f64) = (0.001, 1_000.0);
/// The framework's default share of the limit at which it compresses a memory, and our default share after compression.
const COMPRESSION_THRESHOLD: f64 = 0.9;
const COMPRESSION_TARGET: f64 = 0.6;
/// The largest number of rounds, and the largest minimum length of a statement, that this program accepts.
const ROUNDS_MAX: i64 = 1_000_000;
const STATEMENT_MAX: i64 = 100_000;
/// The comment of what both programs do alike.
const THEIRS: &str = "# as the framework does";

/// The procedure of the sessions.
pub struct RawlsProcedure {
    language: Sourced<&'static str>,
    applications: Sourced<&'static str>,
    first_range: Sourced<(f64, f64)>,
    second_range: Sourced<(f64, f64)>,
    weights: ClassWeights,
    rounds: Sourced<i64>,
    order: Sourced<&'static str>,
    reasoning: Sourced<bool>,
    statement_min: Sourced<i64>,
    tolerance: Sourced<i64>,
    memory: RawlsMemory,
}

/// The probabilities of the income classes, in millionths.
struct ClassWeights {
    ppm: Sourced<[i64; 5]>,
    /// The classes that the file omits.
    unsaid: Vec<&'static str>,
}

struct RawlsMemory {
    selective: Sourced<bool>,
    limit: Sourced<i64>,
    style: Sourced<&'static str>,
    truncation: Sourced<bool>,
    history_max: Option<Sourced<i64>>,
    threshold: Option<Sourced<f64>>,
    target: Option<Sourced<f64>>,
}

/// Reads everything except agents, manipulator and seed.
///
/// # Errors
/// The first error.
pub fn read_procedure(
    file: &RawlsSection<'_>,
    people: &mut People,
    ledger: &mut Ledger,
) -> Result<RawlsProcedure, Problem> {
    let settings = file.section("phase2_settings", ledger)?;
    let settings = settings.as_ref();
    let language = read_language(file, people, ledger)?;
    let applications = read_applications(file, ledger)?;
    Ok(RawlsProcedure {
        weights: read_weights(file, applications.value, ledger)?,
        first_range: read_multipliers(file, "distribution_range_phase1", ledger)?,
        second_range: read_multipliers(file, "distribution_range_phase2", ledger)?,
        rounds: read_whole_number(Some(file), "phase2_rounds", 1, ROUNDS_MAX, ledger)?
            .unwrap_or(Sourced::default_of(10)),
        order: read_speaking_order(file, ledger)?,
        reasoning: read_reasoning(settings, people, ledger)?,
        statement_min: read_statement_min(settings, language.value, ledger)?,
        tolerance: read_whole_number(settings, "constraint_tolerance", 0, i64::MAX, ledger)?
            .unwrap_or(Sourced::default_of(0)),
        memory: read_memory(file, settings, people, ledger)?,
        language,
        applications,
    })
}

/// Reads the language of the session, and those of agents that differ.
fn read_language(
    file: &RawlsSection<'_>,
    people: &mut People,
    ledger: &mut Ledger,
) -> Result<Sourced<&'static str>, Problem> {
    let mut language = Sourced::default_of("en");
    if let Some(given) = file.get("language", ledger) {
        language = ledger.account_used(&given, language_code(&given)?);
        if language.value != "en" {
            ledger
                .in_part(&given, "the words are other ones than the framework's, and no native speaker has read them");
        }
    }
    for (place, agent) in file.get_required("agents")?.to_sections()?.into_iter().enumerate() {
        let Some(given) = agent.get("language", ledger) else { continue };
        match language_code(&given)? {
            own if own == language.value => ledger.account_same(&given, "the language of all"),
            own => {
                let reason =
                    "in this language are its questions and replies; what all hear is in the language of the session";
                ledger.in_part(&given, reason);
                people.set_language(place, ledger.account_used(&given, own));
            }
        }
    }
    Ok(language)
}

fn language_code(given: &RawlsValue<'_>) -> Result<&'static str, Problem> {
    let word = given.as_text()?;
    match word.to_lowercase().as_str() {
        "english" => Ok("en"),
        "spanish" => Ok("es"),
        "mandarin" | "chinese" => Ok("zh"),
        _ => Err(given.problem(format!("expected English, Spanish or Mandarin, found {word:?}"))),
    }
}

fn read_applications(file: &RawlsSection<'_>, ledger: &mut Ledger) -> Result<Sourced<&'static str>, Problem> {
    let section = file.section("original_values_mode", ledger)?;
    let enabled = read_truth(section.as_ref(), "enabled", ledger)?.unwrap_or(Sourced::default_of(false));
    Ok(Sourced { value: if enabled.value { "original" } else { "drawn" }, from: enabled.from })
}

fn read_multipliers(file: &RawlsSection<'_>, key: &str, ledger: &mut Ledger) -> Result<Sourced<(f64, f64)>, Problem> {
    let Some(given) = file.get(key, ledger) else { return Ok(Sourced::default_of(MULTIPLIERS)) };
    let (least, most) = given.as_multipliers()?;
    if least < MULTIPLIER_BOUNDS.0 || most > MULTIPLIER_BOUNDS.1 {
        return Err(given.problem("a multiplier is from 0.001 to 1000"));
    }
    let thousandths = |number: f64| (number * 1e3).round() / 1e3;
    let rounded = (thousandths(least), thousandths(most));
    let range = ledger.account_used(&given, rounded);
    if rounded != (least, most) {
        ledger.in_part(&given, "multipliers have at most three decimals: rounded");
    }
    Ok(range)
}

/// The weights of the classes. The framework uses them for the settlement, and for the explanation unless the original situations
/// are on. Our sample weights serve both.
fn read_weights(file: &RawlsSection<'_>, applications: &str, ledger: &mut Ledger) -> Result<ClassWeights, Problem> {
    let Some(given) = file.get("income_class_probabilities", ledger) else {
        if applications == "original" {
            let equal = EQUAL.to_vec().into();
            ledger.in_part_or_default(file, "income_class_probabilities", equal, WEIGHTS_OF_THE_EXPLANATION);
        }
        return Ok(ClassWeights { ppm: Sourced::default_of(to_millionths(EQUAL)), unsaid: Vec::new() });
    };
    let whole = given.to_section()?;
    let mut weights = CLASS_DEFAULTS;
    let (mut from, mut unsaid) = (Vec::new(), Vec::new());
    for (class, weight) in CLASSES.into_iter().zip(&mut weights) {
        match whole.get(class, ledger) {
            Some(given) => {
                let said = ledger.account_used(&given, given.as_number(0.0, 1.0)?);
                *weight = said.value;
                from.extend(said.from);
            }
            None => unsaid.push(class),
        }
    }
    let sum: f64 = weights.iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        return Err(given.problem(format!("the probabilities add up to {}, not to 1", (sum * 1e9).round() / 1e9)));
    }
    let ppm = to_millionths(weights);
    if ppm.iter().zip(weights).any(|(ppm, weight)| *ppm as f64 / 1e6 != weight) {
        ledger.part_of_it(&given, "probabilities have at most six decimals: rounded, and the greatest makes up for it");
    }
    if applications == "original" && weights != CLASS_DEFAULTS {
        ledger.part_of_it(&given, WEIGHTS_OF_THE_EXPLANATION);
    }
    Ok(ClassWeights { ppm: Sourced { value: ppm, from }, unsaid })
}

/// Converts weights to millionths that sum to one million. The largest weight absorbs the rounding error.
fn to_millionths(weights: [f64; 5]) -> [i64; 5] {
    let mut ppm = weights.map(|weight| (weight * 1e6).round() as i64);
    let left = 1_000_000 - ppm.iter().sum::<i64>();
    if let Some(greatest) = ppm.iter_mut().max() {
        *greatest += left;
    }
    ppm
}

const WEIGHTS_OF_THE_EXPLANATION: &str = "with the original situations the framework explains with the sample's own weights and settles with these; here these do both";

/// The order of speaking. In the framework, `randomize_speaking_order` takes precedence. Its fixed order starts one agent later
/// in each round, which is `rotating` here.
fn read_speaking_order(file: &RawlsSection<'_>, ledger: &mut Ledger) -> Result<Sourced<&'static str>, Problem> {
    let randomize = read_truth(Some(file), "randomize_speaking_order", ledger)?;
    let mut order = Sourced::default_of("random");
    if let Some(given) = file.get("speaking_order_strategy", ledger) {
        let word = given.as_word(&["random", "fixed", "conversational"])?;
        order = ledger.account_used(&given, if word == "fixed" { "rotating" } else { "random" });
        if word == "conversational" {
            let reason = "by lot, as with random; in both, whoever spoke last does not open the next round";
            ledger.in_part(&given, reason);
        }
    }
    if let Some(Sourced { value: randomize, from }) = randomize {
        order.from.extend(from);
        if !randomize {
            order.value = "rotating";
        }
    }
    Ok(order)
}

/// Whether most seats reason before they speak: only if both the phase and the agents say so.
fn read_reasoning(
    settings: Option<&RawlsSection<'_>>,
    people: &mut People,
    ledger: &mut Ledger,
) -> Result<Sourced<bool>, Problem> {
    let mut reasoning = people.reasoning.clone();
    if let Some(phase) = read_truth(settings, "reasoning_enabled", ledger)? {
        reasoning.value &= phase.value;
        if !phase.value {
            people.silence_reasoning();
        }
        reasoning.from.extend(phase.from);
    }
    Ok(reasoning)
}

/// The minimum length of a statement, from the key for the language's script.
fn read_statement_min(
    settings: Option<&RawlsSection<'_>>,
    language: &str,
    ledger: &mut Ledger,
) -> Result<Sourced<i64>, Problem> {
    let (key, other, default) = match language {
        "zh" => ("min_statement_length_cjk", "min_statement_length", 5),
        _ => ("min_statement_length", "min_statement_length_cjk", 10),
    };
    if let Some(given) = settings.and_then(|settings| settings.get(other, ledger)) {
        given.as_whole_number(1, i64::MAX)?;
        ledger.not_carried(&given, "for another script than that of the file's language");
    }
    Ok(read_whole_number(settings, key, 1, STATEMENT_MAX, ledger)?.unwrap_or(Sourced::default_of(default)))
}

fn read_memory(
    file: &RawlsSection<'_>,
    settings: Option<&RawlsSection<'_>>,
    people: &People,
    ledger: &mut Ledger,
) -> Result<RawlsMemory, Problem> {
    let nested = settings.map(|settings| settings.section("memory_management", ledger)).transpose()?.flatten();
    let nested = nested.as_ref();
    let (threshold, target) = read_compression(settings, ledger)?;
    let memory = RawlsMemory {
        selective: read_selective(file, ledger)?,
        limit: people.memory.clone(),
        style: read_guidance_style(file, nested, ledger)?,
        truncation: read_truncation(nested, ledger)?,
        history_max: read_whole_number(settings, "public_history_max_length", MEMORY_MIN, i64::MAX, ledger)?,
        threshold,
        target,
    };
    if memory.history_max.is_none() {
        ledger.add_own_default("memory.public_history_max_length", "versions of the framework differ: 50000 or 100000");
    }
    Ok(memory)
}

/// Whether memories cut statements and reasoning: never, because the framework ignores its keys for this.
fn read_truncation(nested: Option<&RawlsSection<'_>>, ledger: &mut Ledger) -> Result<Sourced<bool>, Problem> {
    const REASON: &str = "the framework cuts nothing, whatever this key says";
    let mut truncation = Sourced::default_of(false);
    let Some(nested) = nested else { return Ok(truncation) };
    for key in ["statement_max_length", "reasoning_max_length"] {
        if let Some(given) = nested.get(key, ledger) {
            ledger.not_carried(&given, REASON);
        }
    }
    if let Some(given) = nested.get("enable_truncation", ledger) {
        match given.as_truth()? {
            true => ledger.not_carried(&given, REASON),
            false => truncation = ledger.account_used(&given, false),
        }
    }
    Ok(truncation)
}

/// Whether a model writes only some events into memory.
fn read_selective(file: &RawlsSection<'_>, ledger: &mut Ledger) -> Result<Sourced<bool>, Problem> {
    let selective = read_truth(Some(file), "selective_memory_updates", ledger)?.unwrap_or(Sourced::default_of(true));
    let reason = match selective.value {
        true => {
            "a model writes statements, results, rankings and practice rounds into memory in both, votes go in as they are; here once at the end of a round or phase; what the facilitator says goes in as it is here"
        }
        false => {
            "a model writes every event into memory; here once at the end of a round or phase; versions of the framework differ in whether the discussion heeds this"
        }
    };
    ledger.in_part_or_default(file, "selective_memory_updates", selective.value.into(), reason);
    Ok(selective)
}

type LimitShare = Option<Sourced<f64>>;

/// The shares of the limit at which a memory is compressed, and to which. `None` replaces a share that we cannot express,
/// because the second must be less than the first.
fn read_compression(
    settings: Option<&RawlsSection<'_>>,
    ledger: &mut Ledger,
) -> Result<(LimitShare, LimitShare), Problem> {
    let mut share = |key: &str| -> Result<Option<(RawlsValue<'_>, f64)>, Problem> {
        let given = settings.and_then(|settings| settings.get(key, ledger));
        given.map(|given| given.as_number(0.0, 1.0).map(|share| (given, share))).transpose()
    };
    let (threshold, target) = (share("memory_compression_threshold")?, share("memory_compression_target")?);
    let from = threshold.as_ref().map_or(COMPRESSION_THRESHOLD, |(_, share)| *share);
    let target = match target {
        Some((given, share)) if share <= 0.0 || share >= from => {
            let reason =
                format!("memories are compressed from {from} of their limit on, and only to more than 0 and less");
            ledger.not_carried(&given, reason);
            None
        }
        Some((given, share)) => Some(ledger.account_used(&given, share)),
        None => None,
    };
    let to = target.as_ref().map_or(COMPRESSION_TARGET, |target| target.value);
    let threshold = match threshold {
        Some((given, share)) if share <= to => {
            let reason = format!("memories are compressed to {to} of their limit, so they cannot begin to be at less");
            ledger.not_carried(&given, reason);
            None
        }
        Some((given, share)) => Some(ledger.account_used(&given, share)),
        None => Some(Sourced::default_of(COMPRESSION_THRESHOLD)),
    };
    Ok((threshold, target))
}

/// The style of memory guidance. The key under `phase2_settings` takes precedence.
fn read_guidance_style(
    file: &RawlsSection<'_>,
    nested: Option<&RawlsSection<'_>>,
    ledger: &mut Ledger,
) -> Result<Sourced<&'static str>, Problem> {
    const STYLES: [&str; 2] = ["narrative", "structured"];
    let whole = file.get("memory_guidance_style", ledger);
    let near = nested.and_then(|nested| nested.get("guidance_style", ledger));
    let whole = whole.map(|given| given.as_word(&STYLES).map(|word| (given, word))).transpose()?;
    let near = near.map(|given| given.as_word(&STYLES).map(|word| (given, word))).transpose()?;
    match (near, whole) {
        (None, None) => Ok(Sourced::default_of("structured")),
        (None, Some((given, word))) | (Some((given, word)), None) => Ok(ledger.account_used(&given, word)),
        (Some((near, word)), Some((whole, other))) => {
            let mut style = ledger.account_used(&near, word);
            match word == other {
                true => style.from.extend(ledger.account_used(&whole, other).from),
                false => ledger.not_carried(&whole, "phase2_settings.memory_management.guidance_style says otherwise"),
            }
            Ok(style)
        }
    }
}

impl RawlsProcedure {
    /// Writes `parameters`.
    pub fn write_parameters(&self, draft: &mut YamlDraft) {
        draft.open_section(0, "parameters");
        draft.write_line(1, "protocol", "rawls_v3", THEIRS);
        draft.write_line(1, "class_weights", "shown", THEIRS);
        draft.write_line(1, "average", "weighted", THEIRS);
        draft.write_line(1, "comprehension", "none", THEIRS);
        draft.write_sourced(1, "applications", &self.applications);
        for (stage, range) in [("application", &self.first_range), ("settlement", &self.second_range)] {
            let (least, most) = range.value;
            draft.write_line(1, &format!("{stage}_multiplier_min"), &decimal_text(least), &range.origin());
            draft.write_line(1, &format!("{stage}_multiplier_max"), &decimal_text(most), &range.origin());
        }
        self.weights.write(draft);
    }

    /// Writes `language`.
    pub fn write_language(&self, draft: &mut YamlDraft) {
        draft.write_sourced(0, "language", &self.language);
    }

    /// Writes `discussion`, `decision` and `memory`.
    pub fn write_sections(&self, draft: &mut YamlDraft) {
        draft.open_section(0, "discussion");
        draft.write_sourced(1, "rounds", &self.rounds);
        draft.write_sourced(1, "order", &self.order);
        draft.write_sourced(1, "private_reasoning", &self.reasoning);
        draft.write_line(1, "vote", "on_call", THEIRS);
        draft.write_line(1, "rounds_min", "1", THEIRS);
        draft.write_line(1, "vote_call", "sequential", THEIRS);
        draft.write_sourced(1, "statement_min_length", &self.statement_min);
        draft.open_section(0, "decision");
        draft.write_line(1, "rule", "unanimity", THEIRS);
        draft.write_line(1, "invalid", "void_round", THEIRS);
        draft.write_sourced(1, "amount_tolerance", &self.tolerance);
        self.memory.write(draft);
    }
}

impl ClassWeights {
    fn write(&self, draft: &mut YamlDraft) {
        if !self.unsaid.is_empty() && !self.ppm.from.is_empty() {
            draft.write_comment(1, &format!("The framework's default for {}:", self.unsaid.join(", ")));
        }
        let text: Vec<String> = self.ppm.value.iter().map(|ppm| decimal_text(*ppm as f64 / 1e6)).collect();
        draft.write_line(1, "sample_weights", &quote_yaml(&text.join("/")), &self.ppm.origin());
    }
}

impl RawlsMemory {
    fn write(&self, draft: &mut YamlDraft) {
        /// All events that a memory routes.
        const EVENTS: [&str; 11] = [
            "statement",
            "own_reasoning",
            "vote_called",
            "vote_answered",
            "own_ballot",
            "tally_open",
            "tally_decided",
            "results",
            "instruction",
            "own_ranking",
            "own_application",
        ];
        draft.open_section(0, "memory");
        draft.write_line(1, "policy", "selective", THEIRS);
        draft.open_section(1, "routing");
        let integrated = if self.selective.value { &EVENTS[..1] } else { &EVENTS[..] };
        for event in integrated {
            draft.write_line(2, event, "integrated", &self.selective.origin());
        }
        draft.write_sourced(1, "guidance_style", &self.style);
        draft.write_sourced(1, "memory_character_limit", &self.limit);
        if let Some(number) = &self.history_max {
            draft.write_sourced(1, "public_history_max_length", number);
        }
        draft.write_sourced(1, "enable_truncation", &self.truncation);
        if let Some(threshold) = &self.threshold {
            draft.write_line(1, "memory_compression_threshold", &decimal_text(threshold.value), &threshold.origin());
        }
        if let Some(target) = &self.target {
            draft.write_line(1, "memory_compression_target", &decimal_text(target.value), &target.origin());
        }
    }
}
