//! A design as text: plain, aligned by the width of characters on a terminal.

use indexmap::IndexMap;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::agenda::{CHOSEN_BY_MISSING, MAY_BE_MISSING};
use super::voted::listed;
use super::{AgendaLine, AlternativeShown, ArmDesign, Bill, Cost, Design, ValueLine};
use crate::plan::{FactorSetting, FactorSettings};
use crate::report::arm::words_beside_name;
use crate::report::lines::WIDTH;
use crate::report::plain::escape_unseen;
use crate::report::{counted, grouped};
use crate::session::CountBounds;
use crate::text::{put_line, wrap_words};

/// Columns of an arm's name, and of an alternative's at the most.
const NAME: usize = 24;
/// Columns of a level's value.
const VALUE: usize = 40;

/// The characters that stand for who answers beside the mark of the baseline, at the most.
const BY: usize = 80 - 18 - NAME - 12;
/// Columns of the questions of a phase.
const ASKED: usize = 12;
/// Arms shown at the beginning and at the end of a large design.
const SHOWN: usize = 6;
/// The share of the price that batch services charge: OpenAI, Anthropic, Google and Mistral half of it (2026-11).
const BATCH_PRICE: f64 = 0.5;

impl Design {
    /// The design as text, at most 80 columns wide where names allow.
    pub fn render(&self) -> String {
        let mut out = String::new();
        let arms = counted(self.arms.len() as u64, "arm");
        let (name, scenario) = (escape_unseen(&self.experiment), escape_unseen(&self.scenario));
        let sessions = counted(self.sessions, "session");
        let items = if self.items > 0 { format!("{} · ", counted(self.items, "item")) } else { String::new() };
        let (what, size) =
            (format!("{name} · scenario {scenario}"), format!("seed {} · {arms} · {items}{sessions}", self.seed));
        // Long names leave no room for numbers beside them.
        let between = if what.width() + " · ".width() + size.width() > WIDTH { "\n" } else { " · " };
        put_line!(out, "{what}{between}{size}");
        out.push_str("nothing is run and no model is asked; counts come from a rehearsal\n");
        questions(&mut out, self);
        put_alternatives(&mut out, self);
        arms_table(&mut out, self);
        factors_table(&mut out, self);
        out.push('\n');
        if self.arms.iter().any(|arm| !arm.roles.is_empty()) {
            for_arms(&mut out, self, "roles", |arm| arm.roles.join(" · "));
        }
        agenda_trees(&mut out, self);
        for_arms(&mut out, self, "decision", |arm| arm.decision.clone());
        forecast(&mut out, self);
        if !self.warnings.is_empty() {
            put_line!(out, "\n {}", counted(self.warnings.len() as u64, "warning"));
            for warning in &self.warnings {
                wrapped(&mut out, " ! ", &warning.to_string());
            }
        }
        out
    }
}

/// The first line of each question, cut to a line.
fn questions(out: &mut String, design: &Design) {
    let is_one = design.questions_in_all == 1 && design.items == 0;
    if is_one && design.questions.iter().all(|question| question.text.is_empty()) {
        return;
    }
    if !is_one {
        put_line!(out, "\n {}question", padded("asked in", NAME));
    }
    for question in &design.questions {
        let words = escape_unseen(question.text.trim().lines().next().unwrap_or_default());
        let lead = match is_one {
            true => "\n question: ".to_owned(),
            false => format!(" {}", padded(&escape_unseen(&question.of), NAME)),
        };
        let room = WIDTH - lead.trim_start_matches('\n').width();
        put_line!(out, "{lead}{}", padded(&words, room).trim_end());
        if shared(design).is_none() {
            let indent = " ".repeat(if is_one { 2 } else { NAME + 2 });
            wrapped(out, &indent, &listed(&question.alternatives));
        }
    }
    let more = design.questions_in_all - design.questions.len() as u64;
    if more > 0 {
        put_line!(out, " … {} …", counted(more, "more question"));
    }
}

/// The alternatives, each on a line; nothing where the questions do not share them.
fn put_alternatives(out: &mut String, design: &Design) {
    let Some(shared) = shared(design).filter(|shared| !shared.is_empty()) else { return };
    out.push_str("\n alternatives\n");
    let names = shared.iter().map(|alternative| escape_unseen(&alternative.name).width());
    let columns = names.max().unwrap_or(0).min(NAME);
    for alternative in shared {
        wrapped(
            out,
            &format!("   {}  ", padded(&escape_unseen(&alternative.name), columns)),
            &escape_unseen(&alternative.words()),
        );
    }
}

/// The alternatives that all questions share.
fn shared(design: &Design) -> Option<&[AlternativeShown]> {
    let first = &design.questions.first()?.alternatives;
    let are_shared = design.questions.iter().all(|question| question.alternatives == *first);
    are_shared.then_some(first.as_slice())
}

/// The arms that are shown: all of a small design, the first and last of a large one; `None` stands for those left out.
fn shown(design: &Design) -> Vec<Option<&ArmDesign>> {
    let arms = &design.arms;
    if arms.len() <= 2 * SHOWN + 1 {
        return arms.iter().map(Some).collect();
    }
    let first = arms[..SHOWN].iter().map(Some);
    first.chain([None]).chain(arms[arms.len() - SHOWN..].iter().map(Some)).collect()
}

fn left_out(out: &mut String, design: &Design) {
    put_line!(out, " … {} more arms …", grouped((design.arms.len() - 2 * SHOWN) as u64));
}

fn arms_table(out: &mut String, design: &Design) {
    put_line!(out, "\n {}sessions  seats  answered by", padded("arm", NAME));
    let mut below = design.baseline.as_ref().filter(|name| !design.arms.iter().any(|arm| arm.arm == **name));
    for arm in shown(design) {
        let Some(arm) = arm else {
            left_out(out, design);
            continue;
        };
        let by = arm.answered_by.iter().map(|(name, count)| format!("{count} × {}", escape_unseen(name)));
        let mut by = by.collect::<Vec<_>>().join(", ");
        // Where the line is full the baseline is told below.
        if arm.is_baseline && by.chars().count() <= BY {
            by.push_str("  (baseline)");
        } else if arm.is_baseline {
            below = Some(&arm.arm);
        }
        let (sessions, seats) = (grouped(arm.sessions), grouped(arm.seats));
        put_line!(out, " {}{sessions:>8}  {seats:>5}  {by}", padded(&escape_unseen(&arm.arm), NAME));
        if let Some(words) = words_beside_name(&arm.in_words, &arm.arm) {
            wrapped(out, "   ", &escape_unseen(words));
        }
    }
    if let Some(baseline) = below {
        put_line!(out, " compared with {}", escape_unseen(baseline));
    }
}

/// What each factor sets: the settings in which its levels differ, and the value of each level, cut to a few words.
fn factors_table(out: &mut String, design: &Design) {
    if design.factor_settings.is_empty() {
        return;
    }
    put_line!(out, "\n {}sets", padded("factor", NAME));
    for FactorSettings { factor, settings } in &design.factor_settings {
        let mut lead = format!(" {}", padded(&escape_unseen(factor), NAME));
        for FactorSetting { key, levels } in settings.iter().take(SHOWN) {
            let told = levels.iter().take(SHOWN).map(|(label, value)| {
                let value = value.as_deref().map_or("as in the config".to_owned(), |value| cut(&escape_unseen(value)));
                if value == *label { value } else { format!("{value} ({})", escape_unseen(label)) }
            });
            let mut told: Vec<String> = told.collect();
            if levels.len() > SHOWN {
                told.push(format!("{} more", levels.len() - SHOWN));
            }
            wrapped(out, &lead, &format!("{}: {}", escape_unseen(key), told.join(", ")));
            lead = format!(" {}", padded("", NAME));
        }
        if settings.len() > SHOWN {
            wrapped(out, &lead, &format!("… {} …", counted((settings.len() - SHOWN) as u64, "more setting")));
        }
    }
}

/// A value of a level, cut to so many columns as tell it from others.
fn cut(value: &str) -> String {
    padded(value, VALUE.min(value.width().max(1))).trim_end().to_owned()
}

/// What arms may differ in, such as their agenda: each once, with the arms that have it where they do not all have the same.
fn for_arms(out: &mut String, design: &Design, what: &str, words: impl Fn(&ArmDesign) -> String) {
    let mut different: IndexMap<String, Vec<&str>> = IndexMap::new();
    for arm in &design.arms {
        different.entry(words(arm)).or_default().push(&arm.arm);
    }
    let all = different.len() == 1;
    for (words, arms) in different.iter().take(SHOWN) {
        let of = if all { String::new() } else { name_arms(arms) };
        wrapped(out, " ", &format!("{what}{of}: {}", escape_unseen(words)));
    }
    if different.len() > SHOWN {
        put_line!(out, " … {} …", counted((different.len() - SHOWN) as u64, &format!("more {what}")));
    }
}

/// The arms that something is about, as in ` of talk and vote`.
fn name_arms(arms: &[&str]) -> String {
    match arms {
        [arm] => format!(" of {}", escape_unseen(arm)),
        [one, other] => format!(" of {} and {}", escape_unseen(one), escape_unseen(other)),
        [first, .., last] => format!(" of {} … {} ({} arms)", escape_unseen(first), escape_unseen(last), arms.len()),
        [] => String::new(),
    }
}

/// The agendas as trees, with the questions of a session and the values that they set: each once, with the arms that have it.
fn agenda_trees(out: &mut String, design: &Design) {
    let mut different: Vec<(ArmDesign, Vec<&str>)> = Vec::new();
    for arm in &design.arms {
        match different.iter_mut().find(|(other, _)| is_alike(&other.agenda, &arm.agenda) && has_same_notes(other, arm))
        {
            Some((other, arms)) => {
                merge_questions(&mut other.agenda, &arm.agenda);
                merge_readers(&mut other.values, &arm.values);
                arms.push(&arm.arm);
            }
            None => different.push((arm.clone(), vec![&arm.arm])),
        }
    }
    let all = different.len() == 1;
    for (arm, arms) in different.iter().take(SHOWN) {
        let of = if all { String::new() } else { name_arms(arms) };
        let lead = padded(&format!("agenda{of}"), WIDTH - 1 - ASKED);
        put_line!(out, " {lead}{:>ASKED$}", "questions");
        for line in &arm.agenda {
            agenda_line(out, line);
        }
        if !arm.values.is_empty() {
            put_line!(out, " {}set in → read in", padded("value", NAME));
        }
        for ValueLine { name, set_in, read_in, may_be_missing, may_be_chosen_by_missing } in &arm.values {
            let read = if read_in.is_empty() { "read nowhere".to_owned() } else { read_in.join(", ") };
            let missing = if *may_be_missing { MAY_BE_MISSING } else { "" };
            let chosen = if *may_be_chosen_by_missing { CHOSEN_BY_MISSING } else { "" };
            wrapped(out, &lead_line(name), &format!("{} → {read}{missing}{chosen}", set_in.join(", ")));
        }
        if !arm.disclosures.is_empty() {
            put_line!(out, " {}told to: what", padded("disclosure", NAME));
        }
        for disclosure in &arm.disclosures {
            let lead = lead_line(&escape_unseen(&disclosure.describe_part()));
            wrapped(out, &lead, &escape_unseen(&disclosure.describe_values()));
        }
        for part in &arm.unreachable {
            wrapped(out, "   ", &escape_unseen(&part.message));
        }
    }
    if different.len() > SHOWN {
        put_line!(out, " … {} …", counted((different.len() - SHOWN) as u64, "more agenda"));
    }
    out.push('\n');
}

/// The beginning of a line: a name in full, with a gap after it.
fn lead_line(name: &str) -> String {
    if name.width() > NAME - 4 { format!("   {name}  ") } else { format!("   {}", padded(name, NAME - 2)) }
}

/// Whether two arms set, tell and leave out the same.
fn has_same_notes(one: &ArmDesign, other: &ArmDesign) -> bool {
    let set = |line: &ValueLine| ValueLine { read_in: Vec::new(), ..line.clone() };
    one.values.iter().map(set).eq(other.values.iter().map(set))
        && one.disclosures == other.disclosures
        && one.unreachable == other.unreachable
}

/// Whether two agendas are the same but for the number of questions and what the minds of seats read.
fn is_alike(one: &[AgendaLine], other: &[AgendaLine]) -> bool {
    let without = |line: &AgendaLine| AgendaLine { questions: None, reads: Vec::new(), ..line.clone() };
    one.iter().map(without).eq(other.iter().map(without))
}

/// Widens the bounds of an agenda by those of another one that is alike.
fn merge_questions(agenda: &mut [AgendaLine], other: &[AgendaLine]) {
    for (line, other) in agenda.iter_mut().zip(other) {
        line.questions = match (line.questions, other.questions) {
            (Some(own), Some(other)) => Some(own.merge_bounds(other)),
            (own, other) => own.or(other),
        };
    }
}

/// Adds the readers of the same values in another arm.
fn merge_readers(values: &mut [ValueLine], other: &[ValueLine]) {
    for (line, other) in values.iter_mut().zip(other) {
        let more: Vec<String> = other.read_in.iter().filter(|phase| !line.read_in.contains(phase)).cloned().collect();
        line.read_in.extend(more);
    }
}

/// A block or phase, with its questions at the right.
fn agenda_line(out: &mut String, line: &AgendaLine) {
    let parts = [
        Some(line.does.clone()),
        line.who.as_ref().map(|who| format!("who {who}")),
        line.when.as_ref().map(|when| format!("if {when}")),
        line.heard_by.as_ref().map(|set| format!("heard_by {set}")),
    ];
    let does: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let lead = format!(" {}", "  ".repeat(line.depth + 1));
    let words = if does.is_empty() { line.name.clone() } else { format!("{}: {}", line.name, does.join(" · ")) };
    let words = escape_unseen(&words);
    let asked = line.questions.filter(|asked| asked.high > 0).map_or(String::new(), span);
    let wrapped = wrap_words(&words, WIDTH - ASKED, &lead, &format!("{lead}  "));
    let (first, others) = wrapped.split_once('\n').map_or((&*wrapped, None), |(first, others)| (first, Some(others)));
    put_line!(out, "{}", format!("{}{asked:>ASKED$}", padded(first, WIDTH - ASKED)).trim_end());
    if let Some(others) = others {
        put_line!(out, "{others}");
    }
}

fn forecast(out: &mut String, design: &Design) {
    let columns = ["asked of models", "prompt tokens", "reply tokens", "cost in $"];
    let [asked, prompt, reply, cost] = columns;
    put_line!(out, "\n {}{asked:>15}{prompt:>15} {reply:>13} {cost:>10}", padded("forecast", NAME));
    if design.arms.len() > 1 {
        for arm in shown(design) {
            match arm {
                Some(arm) => row(out, &arm.arm, &arm.forecast),
                None => left_out(out, design),
            }
        }
    }
    row(out, "all sessions", &design.forecast);
    let Bill { models, people, simulated, .. } = &design.forecast;
    if people.high > 0 {
        wrapped(out, " ", &format!("asked of people at the terminal: {}, one question after the other", span(*people)));
    }
    if simulated.high > 0 {
        wrapped(out, " ", &format!("asked of simulated seats: {}, which costs nothing", span(*simulated)));
    }
    if models.calls_at_most > 0 {
        let tokens = models.prompt_tokens_at_most.saturating_add(models.completion_tokens_at_most);
        let cost = design.forecast.cost_usd.map_or(String::new(), |cost| format!(", ${}", dollars(cost.at_most)));
        let most = format!(
            "at most, if every question had to be asked again as often as it may: {} calls, {} tokens{cost}",
            grouped(models.calls_at_most),
            ceiling(tokens)
        );
        wrapped(out, " ", &most);
        if models.full_statement_tokens > 0 {
            let cost =
                design.forecast.cost_usd.map_or(String::new(), |cost| format!(" (${})", dollars(cost.full_statements)));
            let tokens = ceiling(models.full_statement_tokens);
            let words =
                format!("statements are shown in full; cutting them would save up to {tokens} prompt tokens{cost}");
            wrapped(out, " ", &words);
        }
        wrapped(out, " ", &by_file(&design.forecast));
        wrapped(out, " ", "tokens are estimated, on the high side; low is one a word in the shortest course");
    }
    notes(out, design);
}

/// What it takes to put the questions by file.
fn by_file(bill: &Bill) -> String {
    let noun = if bill.batches == CountBounds::from_number(1) { "batch" } else { "batches" };
    let batches = format!("{} {noun}", span(bill.batches));
    let cost = bill.cost_usd.map_or(String::new(), |cost| {
        let [low, high] = [cost.low, cost.high].map(|usd| dollars(usd * BATCH_PRICE));
        format!(". All sessions cost ${low} – {high} at half the price, as usual for batches")
    });
    format!("by file (run --defer): {batches} a session, more if seats are asked again{cost}")
}

fn notes(out: &mut String, design: &Design) {
    for (name, price) in &design.prices {
        let from = price.as_of.map_or("from the config".to_owned(), |month| format!("as known in {month}"));
        let words = format!(
            "price of {name}, {from}: ${} a million tokens of prompt, ${} of reply",
            price.input_per_mtok, price.output_per_mtok
        );
        wrapped(out, " ", &escape_unseen(&words));
    }
    for name in &design.forecast.unpriced {
        let words = format!(
            "cost not known: models.{name} has no price; add price: {{ input_per_mtok: …, output_per_mtok: … }}"
        );
        wrapped(out, " ", &escape_unseen(&words));
    }
    if design.plans_rehearsed < design.plans {
        let words = format!(
            "{} of {} different plans were rehearsed; the others are taken to lie between these",
            design.plans_rehearsed, design.plans
        );
        wrapped(out, " ", &words);
    }
    if design.is_cut {
        let words = "some sessions were not rehearsed to their end, because they are too long, or because an expression has no value \
                     for the answers that are made up: upper bounds are too low";
        wrapped(out, " ", words);
    }
}

fn row(out: &mut String, name: &str, bill: &Bill) {
    let cost = match bill.cost_usd {
        None => "not known".to_owned(),
        Some(Cost { high: 0.0, .. }) => "0".to_owned(),
        Some(cost) => format!("{} – {}", dollars(cost.low), dollars(cost.high)),
    };
    let models = &bill.models;
    let columns = [span(models.questions), span(models.prompt_tokens), span(models.completion_tokens), cost];
    let [asked, prompt, reply, cost] = columns;
    put_line!(out, " {}{asked:>15}{prompt:>15} {reply:>13} {cost:>10}", padded(&escape_unseen(name), NAME));
}

/// Bounds, cut to figures that still hold the number: the lower is rounded down, the upper up.
pub(super) fn span(span: CountBounds) -> String {
    if span.low == span.high && span.high < 10_000 {
        return grouped(span.low);
    }
    match (floor(span.low), ceiling(span.high)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} – {high}"),
    }
}

fn floor(number: u64) -> String {
    let (unit, letter) = unit(number);
    format!("{}{letter}", grouped(number / unit))
}

fn ceiling(number: u64) -> String {
    let (unit, letter) = unit(number);
    format!("{}{letter}", grouped(number.div_ceil(unit)))
}

fn unit(number: u64) -> (u64, &'static str) {
    match number {
        0..10_000 => (1, ""),
        10_000..10_000_000 => (1_000, "k"),
        10_000_000..10_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "G"),
    }
}

/// Dollars with as many figures as one would pay by.
pub(super) fn dollars(amount: f64) -> String {
    match amount {
        _ if amount >= 1_000.0 => grouped(amount.ceil() as u64),
        _ if amount >= 10.0 => format!("{amount:.0}"),
        _ if amount >= 0.095 || amount == 0.0 => format!("{amount:.2}"),
        _ => format!("{amount:.4}"),
    }
}

/// A text of exactly this many columns, and a blank; what is too long ends in `…`.
fn padded(text: &str, columns: usize) -> String {
    let mut kept = String::new();
    let mut width = 0;
    let fits = text.width() <= columns;
    let room = if fits { columns } else { columns - 1 };
    for character in text.chars() {
        let more = character.width().unwrap_or(0);
        if width + more > room {
            break;
        }
        kept.push(character);
        width += more;
    }
    if !fits {
        kept.push('…');
        width += 1;
    }
    kept.push_str(&" ".repeat(columns - width));
    kept
}

/// A paragraph, its later lines indented as deep as the first one's words.
fn wrapped(out: &mut String, lead: &str, text: &str) {
    out.push_str(&wrap_words(text, WIDTH, lead, &" ".repeat(lead.width())));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_padded_text_has_the_width_it_is_given(text in "\\PC{0,40}") {
            prop_assert_eq!(padded(&escape_unseen(&text), 24).width(), 24);
        }

        #[test]
        fn figures_are_rounded_outwards(low in 0u64..1_000_000_000, more in 0u64..1_000_000_000) {
            let read = |text: &str| {
                let figures: String = text.chars().filter(char::is_ascii_digit).collect();
                let unit = match text.chars().last() { Some('k') => 1_000, Some('M') => 1_000_000, Some('G') => 1_000_000_000, _ => 1 };
                figures.parse::<u64>().unwrap() * unit
            };
            prop_assert!(read(&floor(low)) <= low);
            prop_assert!(read(&ceiling(low + more)) >= low + more);
        }

        #[test]
        fn lines_keep_within_the_width(words in prop::collection::vec("[a-z]{1,20}", 1..60)) {
            let mut out = String::new();
            wrapped(&mut out, " ! ", &words.join(" "));
            prop_assert!(out.lines().all(|line| line.width() <= WIDTH));
            prop_assert_eq!(out.split_whitespace().skip(1).collect::<Vec<_>>(), words);
        }
    }
}
