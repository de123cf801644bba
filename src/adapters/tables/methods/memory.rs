//! What memories held, and how, in words: policy, limits, what stood beside the memory, who rewrote it, notes between meetings.

use super::seats;
use super::words::{block, code, count, inert, list, millionths};
use crate::memory::{HistoryInBrief, Keeps, MemoryPolicy, Window};
use crate::plan::{Plan, Seat, SummaryModel};

/// What memories held, and how.
pub(super) fn memory(plan: &Plan) -> String {
    let mut sentences = vec![format!("The memory policy was {}", code(plan.memory.policy.word())) + &policy(plan)];
    sentences.extend([kept(plan), limits(plan), describe_seat_limits(plan), history(plan)].into_iter().flatten());
    sentences.extend([recalled(plan), looked_up(plan)].into_iter().flatten());
    let noted = notes(plan).map_or(String::new(), |notes| format!("\n{notes}\n"));
    format!("{}\n{}{}{noted}", sentences.join(" "), focus(plan), writer(plan))
}

/// What the policy keeps: the rest of the first sentence, and what follows from it.
fn policy(plan: &Plan) -> String {
    let memory = &plan.memory;
    let limit = |ppm: u32| millionths(i64::from(ppm));
    match memory.policy {
        MemoryPolicy::None if memory.history == HistoryInBrief::None => {
            ": a seat was shown who it is and the question, and nothing of what happened before.".to_owned()
        }
        MemoryPolicy::None => ": a seat remembered nothing of what happened before.".to_owned(),
        MemoryPolicy::Full => {
            ": seats remembered everything, uncut, and no limit held but that of their models.".to_owned()
        }
        MemoryPolicy::Window(window) => {
            let newest = match window {
                Window::Statements(most) => count(u64::from(most), "statement"),
                Window::Tokens(most) => {
                    format!(
                        "statements of {} together, by an estimate that errs high, and one at the least",
                        count(most, "token")
                    )
                }
            };
            format!(": seats remembered the newest {newest}, and what happened since the first of them.")
        }
        MemoryPolicy::Compact(compact) => format!(
            ". From {} of its limit on, a seat wrote one text of at most {} of it in the place of all but {} and what happened since.",
            limit(compact.threshold_ppm),
            limit(memory.compression_target_ppm),
            count(u64::from(compact.keep), "newest statement")
        ),
        MemoryPolicy::Digest(digest) => format!(
            ". Whenever {} stood in no digest yet, the newest {} not counted, a seat wrote a digest of them of at most {}, which \
             took their place; no digest was made of another.",
            count(u64::from(digest.every), "statement"),
            digest.keep,
            count(u64::from(digest.words), "word")
        ),
        MemoryPolicy::Shuffled => format!(": {}.", lent(plan)),
        MemoryPolicy::Selective => format!(
            ". From {} of its limit on a memory was rewritten by its seat to {} of it; the events that a seat works into its memory \
             itself, and those appended as they are, are told by `memory.routing` in `plan.yaml`.",
            limit(memory.compression_threshold_ppm),
            limit(memory.compression_target_ppm)
        ),
    }
}

/// What is cut of what memories keep; nothing where they keep all or nothing.
fn kept(plan: &Plan) -> Option<String> {
    let memory = &plan.memory;
    let terms = memory.policy.terms();
    if terms.keeps_nothing() || !terms.is_limited() {
        return None;
    }
    Some(match memory.enable_truncation {
        true => format!(
            "A seat's memory cut a statement to {} and the seat's own reasoning to {}. The record keeps both in full.",
            count(u64::from(memory.statement_max_length), "character"),
            count(u64::from(memory.reasoning_max_length), "character")
        ),
        false => "Statements and a seat's own reasoning were remembered in full.".to_owned(),
    })
}

/// How long a memory and the history beside it can be; nothing where no limit holds.
fn limits(plan: &Plan) -> Option<String> {
    let memory = &plan.memory;
    let remembered = format!(
        "A prompt showed a seat {} at the most of what it remembers",
        count(memory.memory_character_limit, "character")
    );
    let common =
        format!("the history common to all held {} at the most", count(memory.public_history_max_length, "character"));
    let terms = memory.policy.terms();
    let limits = match (terms.keeps, memory.history) {
        _ if !terms.is_limited() => return None,
        (Keeps::Nothing, HistoryInBrief::None) => return None,
        (Keeps::Nothing, _) => format!("Of what happened before {common}"),
        (Keeps::AsItComes | Keeps::Routed, HistoryInBrief::None) => remembered,
        (Keeps::AsItComes | Keeps::Routed, _) => format!("{remembered}, and {common}"),
    };
    Some(format!("{limits}; what was left out is told in the record of each answer."))
}

/// The seats whose memories have limits of their own, and these limits by their keys.
fn describe_seat_limits(plan: &Plan) -> Option<String> {
    let of_seat = |seat: &Seat| {
        let (own, all) = (&seat.memory, &plan.memory);
        let limits = [
            ("statement_max_length", own.statement_max_length.to_string(), all.statement_max_length.to_string()),
            ("reasoning_max_length", own.reasoning_max_length.to_string(), all.reasoning_max_length.to_string()),
            ("enable_truncation", own.enable_truncation.to_string(), all.enable_truncation.to_string()),
            ("memory_character_limit", own.memory_character_limit.to_string(), all.memory_character_limit.to_string()),
            (
                "public_history_max_length",
                own.public_history_max_length.to_string(),
                all.public_history_max_length.to_string(),
            ),
            (
                "memory_compression_threshold",
                millionths(own.compression_threshold_ppm.into()),
                millionths(all.compression_threshold_ppm.into()),
            ),
            (
                "memory_compression_target",
                millionths(own.compression_target_ppm.into()),
                millionths(all.compression_target_ppm.into()),
            ),
        ];
        let different = limits.into_iter().filter(|(_, own, all)| own != all);
        let limits: Vec<String> = different.map(|(key, own, _)| format!("{} {own}", code(key))).collect();
        (!limits.is_empty()).then(|| format!("{} ({})", inert(seat.name.as_str()), limits.join(", ")))
    };
    let seats: Vec<String> = plan.seats.iter().filter_map(of_seat).collect();
    (!seats.is_empty()).then(|| format!("Other limits held for {}.", list(&seats)))
}

/// What of the history common to all stands beside the memory, where a policy does not say so already.
fn history(plan: &Plan) -> Option<String> {
    let terms = plan.memory.policy.terms();
    let is_told = terms.keeps_nothing() || !terms.is_limited();
    match (is_told, plan.memory.history) {
        (true, HistoryInBrief::None) => None,
        (_, HistoryInBrief::Full) => {
            Some("Beside the memory stood the history common to all, with statements in full.".to_owned())
        }
        (_, HistoryInBrief::CurrentRound) => {
            Some("Beside the memory stood the statements of the round under way, in full.".to_owned())
        }
        (false, HistoryInBrief::None) => {
            Some("Nothing of the history common to all stood beside the memory.".to_owned())
        }
    }
}

/// What older statements are shown without being asked for.
fn recalled(plan: &Plan) -> Option<String> {
    let most = plan.memory.recall?;
    let what = if most == 1 {
        "that one of the older statements".to_owned()
    } else {
        format!("those {most} of the older statements")
    };
    Some(format!(
        "Every prompt showed, besides, {what} that shared the most telling words with the motion and the newest statement (BM25), \
         as far as they were not shown anyway and had room within the memory's limit once more."
    ))
}

fn looked_up(plan: &Plan) -> Option<String> {
    plan.memory.look_up.then(|| {
        "At each question a seat could once, before it answered, look up what it had heard, and was then shown at most five \
         statements with the same question; that counted as a call and not as a try."
            .to_owned()
    })
}

/// What the texts that take the place of memories are to keep.
fn focus(plan: &Plan) -> String {
    let told = |focus: &str| {
        format!("\nWho made its memory shorter was told to keep above all:\n\n{}\n", block(focus).trim_end())
    };
    plan.memory_focus.as_deref().map_or_else(String::new, told)
}

/// What seats bring from another experiment, and keep from one meeting to the next.
fn notes(plan: &Plan) -> Option<String> {
    let notes = plan.notes.as_ref()?;
    let lines = count(u64::from(notes.lines), "line");
    let imported = notes.imported.as_ref().map(|imported| {
        format!(
            "Every seat began with the notes that the seat of its name had taken in {}, a session of another experiment; its prompts held \
             the newest {lines} of them.",
            code(&imported.from.session)
        )
    });
    let taken = notes.are_taken.then(|| {
        format!(
            "When a meeting was over every seat could add to its notes, or replace words that stood in them once; at the next meeting its \
             prompts held the newest {lines} of them."
        )
    });
    Some(imported.into_iter().chain(taken).collect::<Vec<_>>().join(" "))
}

/// Who wrote the texts that took the place of memories, where seats did not.
fn writer(plan: &Plan) -> String {
    let by = match plan.summary_model {
        _ if !plan.memory.policy.rewrites() => return String::new(),
        SummaryModel::Seat => return String::new(),
        SummaryModel::Rule => {
            "the rule by which simulated seats do: the newest lines that fit, in their own words".to_owned()
        }
        SummaryModel::Model(place) => seats::model(&plan.models[place]),
    };
    format!("\nSeats did not rewrite their memories themselves; for all of them that was done by {by}.\n")
}

/// What a group was shown in the place of its own statements.
fn lent(plan: &Plan) -> String {
    format!(
        "in the place of its own group's statements a seat was shown those of another group, the session of the arm {} of the \
         partner replicate (1 and 2, 3 and 4, …), each at the same round and turn, under the name of who spoke here, and cut or \
         repeated to the length of what was said here",
        code(plan.lender.as_ref().map_or("", |lender| &lender.name))
    )
}
