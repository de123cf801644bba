//! `methods.md`: what was done and what was recorded, as a page for a paper. No date, no path: equal runs write equal pages.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::facts::{mind_word, policy_word, role_word};
use crate::chance::Pairing;
use crate::domain::{FORMAT_VERSION, Verdict};
use crate::mechanism::Average;
use crate::metrics::{AnswersBy, Determinism, Effort, Folded, Status};
use crate::plan::{
    Discussion, Experiment, Failing, OpenAiModel, OptionOrder, PhaseKind, Plan, RoundVotes, Seat, Sitter, SpeakingOrder,
};
use crate::prompt::{AnswerForm, Parameter};

const WROTE: &str = "invariant: a string takes every character";

const DETERMINISM: &str = "Every random draw follows from the seed, the replicate and the coordinate of the question it is for. A session whose seats \
are all simulated is *recomputed*: the same plan gives the same bytes on any machine. A session with language models is *recorded*: its record and \
its tables follow byte for byte from the recorded model calls, and the models themselves are not promised to answer the same again.";

const MINDS: &str = "Simulated minds are rules. They are neither people nor language models, and what they do is no evidence about either.";

const DEFINITIONS: &str = "\
A session is one group deliberating once; only completed sessions are measured, and a failed session never counts as disagreement.
The *group choice* is what the session decided for by its decision rule. The *modal share* is the share of the most frequent choice among those given.
An answer is *valid* when it can be read as what was asked for, strictly; else it is asked for again with the reason, and after the last try it is
*invalid*, or *refused* where the seat declined. No missing answer was imputed and no vote was guessed out of prose.
Every column of every table, with its unit, formula and source, is in `codebook.csv`.
";

/// What every arm of an experiment does: the part of the page that no session is needed for.
pub fn design(experiment: &Experiment) -> String {
    let mut out = format!("# Methods: {}\n\n## Design\n\n", code(&experiment.name));
    writeln!(out, "Run with ekklesia {}, record format {FORMAT_VERSION}.", env!("CARGO_PKG_VERSION")).expect(WROTE);
    if let Some(first) = experiment.arms.first() {
        let paired = match first.pairing {
            _ if experiment.arms.len() == 1 => "",
            Pairing::CommonRandomNumbers => {
                " The same replicate shares its draws in every arm (common random numbers), so arms are compared within replicates."
            }
            Pairing::Independent => " Every arm draws its own random numbers.",
        };
        writeln!(out, "Seed {}.{paired}", first.seed).expect(WROTE);
    }
    let replicates = experiment.replicates;
    let arms = experiment.arms.len();
    if !experiment.items.is_empty() {
        writeln!(out, "Items: {}; a session has one question.", experiment.items.len()).expect(WROTE);
    }
    writeln!(
        out,
        "Arms: {arms}; replicates of each: {replicates}; sessions planned: {}.\n",
        arms as u64 * u64::from(replicates) * experiment.items.len().max(1) as u64
    )
    .expect(WROTE);
    for plan in &experiment.arms {
        let levels: Vec<String> =
            plan.levels.iter().map(|level| format!("{} = {}", code(&level.factor), code(&level.label))).collect();
        let levels = if levels.is_empty() { "no factor varied".to_owned() } else { levels.join(", ") };
        writeln!(out, "- {}: {levels}; plan {}", code(&plan.arm), code(plan.digest.as_str())).expect(WROTE);
    }
    let arms: Vec<(&str, Vec<(&str, String)>)> =
        experiment.arms.iter().map(|plan| (plan.arm.as_str(), described(plan))).collect();
    let Some((_, first)) = arms.first() else { return out };
    for (place, (heading, text)) in first.iter().enumerate() {
        writeln!(out, "\n## {heading}\n").expect(WROTE);
        if arms.iter().all(|(_, parts)| parts[place].1 == *text) {
            out.push_str(text);
            continue;
        }
        for (arm, parts) in &arms {
            writeln!(out, "In arm {}:\n\n{}", code(arm), parts[place].1).expect(WROTE);
        }
    }
    out
}

/// One arm, part by part; the parts are the same for all arms.
fn described(plan: &Plan) -> Vec<(&'static str, String)> {
    vec![
        ("Motion and parameters", motion(plan)),
        ("Seats", seats(plan)),
        ("Agenda", agenda(plan)),
        ("Decision", decision(plan)),
        ("Memory", memory(plan)),
        ("Controls", controls(plan)),
    ]
}

fn motion(plan: &Plan) -> String {
    let mut out = String::from("What was decided:\n\n");
    plan.motion.text.lines().for_each(|line| writeln!(out, "    {}", inert(line)).expect(WROTE));
    out.push_str("\nAlternatives:\n\n");
    for alternative in &plan.motion.alternatives {
        let amount = if alternative.takes_amount { ", with an amount" } else { "" };
        let status_quo = if alternative.status_quo { ", the status quo" } else { "" };
        writeln!(out, "- {}{amount}{status_quo}", code(alternative.name.as_str())).expect(WROTE);
    }
    if !plan.parameters.is_empty() {
        out.push_str("\nParameters of the scenario:\n\n");
    }
    for (name, value) in &plan.parameters {
        let value = match value {
            Parameter::Bool(value) => value.to_string(),
            Parameter::Int(value) => value.to_string(),
            Parameter::Decimal(value) | Parameter::Text(value) => value.clone(),
        };
        writeln!(out, "- {}: {}", code(name), code(&value)).expect(WROTE);
    }
    out
}

fn seats(plan: &Plan) -> String {
    let mut out = format!("Seats: {}. The parameters of minds are in `plan.yaml`.\n\n", plan.seats.len());
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for seat in &plan.seats {
        let text = seated(plan, seat);
        match groups.iter_mut().find(|(other, _)| *other == text) {
            Some((_, names)) => names.push(seat.name.as_str()),
            None => groups.push((text, vec![seat.name.as_str()])),
        }
    }
    for (text, names) in groups {
        let shown: Vec<String> = match names[..] {
            [first, .., last] if names.len() > 12 => {
                vec![format!("{} to {} ({} seats)", code(first), code(last), names.len())]
            }
            _ => names.iter().map(|name| code(name)).collect(),
        };
        writeln!(out, "- {}: {text}", shown.join(", ")).expect(WROTE);
    }
    out
}

fn seated(plan: &Plan, seat: &Seat) -> String {
    let who = match &seat.sitter {
        Sitter::Mind(mind) => format!("simulated mind {}", code(mind_word(mind))),
        Sitter::Model(place) => model(&plan.models[*place]),
    };
    let persona = match (seat.pool, &seat.agent.persona) {
        (Some(pool), _) => format!("persona drawn from {} without replacement", code(&plan.pools[pool].name)),
        (None, Some(_)) => "a persona of its own".to_owned(),
        (None, None) => "no persona".to_owned(),
    };
    format!("{}, {who}; {persona}", role_word(seat.role))
}

fn model(model: &OpenAiModel) -> String {
    let temperature = model
        .temperature
        .map_or("the server's temperature".to_owned(), |temperature| format!("temperature {temperature}"));
    let answers = match model.answers {
        AnswerForm::JsonSchema => "answers as JSON under a schema",
        AnswerForm::Anchored => "answers as anchored lines",
    };
    format!(
        "language model {}, {temperature}, at most {} tokens a reply, {answers}",
        code(&model.model),
        model.max_tokens
    )
}

fn agenda(plan: &Plan) -> String {
    let mut out = String::new();
    for (phase, number) in plan.agenda.iter().zip(1..) {
        let text = match &phase.kind {
            PhaseKind::Brief { .. } => "the facilitator tells every seat something".to_owned(),
            PhaseKind::Ask { time } => format!("straw poll ({}), private and not binding", word(time)),
            PhaseKind::Ranking => "every seat ranks the alternatives and says how certain it is".to_owned(),
            PhaseKind::Comprehension(test) => format!(
                "comprehension test of {} questions, {} right answers pass, two tries at the most; failing twice {}",
                test.questions.len(),
                test.pass_mark,
                match test.failing {
                    Failing::Recorded => "is recorded",
                    Failing::Excludes => "excludes the seat",
                }
            ),
            PhaseKind::Applications => applications(plan),
            PhaseKind::Discussion(talk) => discussion(talk),
            PhaseKind::Ballot => "every seat votes once, secretly".to_owned(),
            PhaseKind::Settle => settlement(plan),
        };
        writeln!(out, "{number}. {}: {text}", code(phase.name.as_str())).expect(WROTE);
    }
    for intervention in &plan.interventions {
        let to: Vec<String> = intervention.to.iter().map(|name| code(name.as_str())).collect();
        let to = if to.is_empty() { "every seat".to_owned() } else { to.join(", ") };
        let (by, phase, round) = (word(&intervention.by), code(intervention.phase.as_str()), intervention.round);
        writeln!(out, "\nIntervention ({by}) in {phase}, round {round}, to {to}:\n").expect(WROTE);
        intervention.text.lines().for_each(|line| writeln!(out, "    {}", inert(line)).expect(WROTE));
    }
    out
}

fn applications(plan: &Plan) -> String {
    let Some(mechanism) = &plan.mechanism else { return "practice rounds".to_owned() };
    let names: Vec<String> = mechanism.applications.iter().map(|situation| code(&situation.name)).collect();
    let drawn = mechanism.drawn.map_or(String::new(), |drawn| {
        format!(
            ", every income of a round times one multiplier from {} to {}",
            thousandths(drawn.least),
            thousandths(drawn.greatest)
        )
    });
    let (rounds, cents) = (names.len(), mechanism.application_cents);
    format!(
        "{rounds} practice rounds (situations {}{drawn}), {cents} cents for 10 000 dollars of income",
        names.join(", ")
    )
}

fn settlement(plan: &Plan) -> String {
    let Some(mechanism) = &plan.mechanism else { return "payment".to_owned() };
    let mean = match mechanism.average {
        Average::Weighted => "weighted by the probability of each class",
        Average::Unweighted => "over the classes alike",
    };
    let (least, most) = (thousandths(mechanism.settlement.least), thousandths(mechanism.settlement.greatest));
    format!(
        "payment by the decision, or by a table drawn for each seat where there was none: situation {} times one multiplier from {least} to {most}, \
         {} cents for 10 000 dollars of income; mean incomes are taken {mean}",
        code(&mechanism.sample.name),
        mechanism.settlement_cents
    )
}

fn discussion(talk: &Discussion) -> String {
    let order = match talk.order {
        SpeakingOrder::Fixed => "in the author's order",
        SpeakingOrder::Random => "in an order drawn anew each round",
        SpeakingOrder::Rotating => "in the author's order, begun one seat later each round",
        SpeakingOrder::Williams => "in the orders of a Williams square",
        SpeakingOrder::Simultaneous => "all at once",
    };
    let votes = match talk.votes {
        RoundVotes::Never => "no vote in its rounds".to_owned(),
        RoundVotes::EveryRound => "a vote at the end of each round; a decision ends the talk".to_owned(),
        RoundVotes::OnCall { rounds_min, .. } => format!(
            "from round {rounds_min} on a vote in each round in which a seat calls for it and all others agree; a decision ends the talk"
        ),
    };
    let thinking = if talk.private_reasoning { ", after thinking privately" } else { "" };
    let poll = if talk.poll_each_round { "; a straw poll closes each round" } else { "" };
    format!("talk of at most {} rounds, {order}{thinking}; {votes}{poll}", talk.rounds)
}

fn decision(plan: &Plan) -> String {
    let rule = &plan.decision;
    if let Some(imposed) = plan.imposed {
        return format!("The decision is imposed: {}. Nobody votes.\n", code(&plan.motion.named(imposed).to_string()));
    }
    let share = rule.threshold.map_or(String::new(), |(part, whole)| format!(" (at least {part}/{whole})"));
    let same = match rule.amount_tolerance {
        0 => String::new(),
        most => format!(" Amounts that differ by at most {most} count as the same."),
    };
    format!(
        "Rule {}{share} of {}; an invalid ballot: {}; ties: {}.{same} A question is put {} times at the most.\n",
        code(&word(&rule.rule)),
        code(&word(&rule.base)),
        code(&word(&rule.invalid)),
        code(&word(&rule.tie_break)),
        plan.tries_max
    )
}

fn memory(plan: &Plan) -> String {
    let memory = &plan.memory;
    let cut = if memory.enable_truncation {
        format!(
            "statements are kept to {} characters and a seat's own reasoning to {}",
            memory.statement_max_length, memory.reasoning_max_length
        )
    } else {
        "statements and a seat's own reasoning are kept in full".to_owned()
    };
    format!(
        "Policy {}; a seat is shown {} characters at the most, the public history holds {}; {cut}. The record keeps every statement in full.\n",
        code(policy_word(memory.policy)),
        memory.memory_character_limit,
        memory.public_history_max_length
    )
}

fn controls(plan: &Plan) -> String {
    let names =
        if plan.controls.anonymous { "Seats see each other under numbers" } else { "Seats see each other's names" };
    let order = match plan.controls.option_order {
        OptionOrder::Fixed => "options are shown in the scenario's order",
        OptionOrder::Seeded => "options are shown in an order drawn for each question",
        OptionOrder::Latin => "options are rotated by one from seat to seat, from a seeded start",
    };
    format!("{names}; {order}. Prompts are in the language {}.\n", code(&plan.language))
}

/// The page while sessions are added.
pub(super) struct Methods {
    design: String,
    arms: Vec<Counted>,
}

/// What the sessions of an arm amount to.
#[derive(Default)]
struct Counted {
    arm: String,
    recorded: bool,
    simulated: bool,
    completed: u64,
    incomplete: u64,
    failed: u64,
    verdicts: [u64; 4],
    has_test: bool,
    seats_excluded: u64,
    effort: Effort,
    models: BTreeSet<String>,
}

impl Methods {
    pub(super) fn begin(design: String) -> Self {
        Self { design, arms: Vec::new() }
    }

    pub(super) fn add(&mut self, folded: &Folded) {
        let facts = &folded.facts.arm;
        let place = self.arms.iter().position(|arm| arm.arm == facts.arm).unwrap_or_else(|| {
            let recorded = facts.determinism == Determinism::Recorded;
            let simulated = facts.seats.iter().any(|seat| seat.answers_by == AnswersBy::Mind);
            let has_test = facts.has_test();
            self.arms.push(Counted { arm: facts.arm.clone(), recorded, simulated, has_test, ..Counted::default() });
            self.arms.len() - 1
        });
        let arm = &mut self.arms[place];
        match folded.session.status {
            Status::Completed => arm.completed += 1,
            Status::Incomplete => arm.incomplete += 1,
            Status::Failed(_) => arm.failed += 1,
        }
        if let Some(totals) = &folded.session.totals {
            arm.verdicts[totals.verdict as usize] += 1;
            arm.seats_excluded += totals.seats_excluded;
            arm.effort.join(&totals.effort);
            arm.models.extend(totals.models_served.iter().cloned());
        }
    }

    /// The page.
    pub(super) fn page(&self) -> String {
        let mut out = self.design.clone();
        write!(out, "\n## What is reported\n\n{DEFINITIONS}\n## What was recorded\n\n").expect(WROTE);
        out.push_str(
            "| arm | completed | incomplete | failed | carried | imposed | no decision | no vote on the agenda |\n",
        );
        out.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for arm in &self.arms {
            let of = |verdict: Verdict| arm.verdicts[verdict as usize];
            writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                code(&arm.arm).replace('|', "\\|"),
                arm.completed,
                arm.incomplete,
                arm.failed,
                of(Verdict::Carried),
                of(Verdict::Imposed),
                of(Verdict::NoDecision),
                of(Verdict::NotApplicable)
            )
            .expect(WROTE);
        }
        self.put_answers(&mut out);
        let promise = match self.arms.iter().filter(|arm| arm.recorded).count() {
            0 => "All sessions are recomputed.",
            n if n == self.arms.len() => "All sessions are recorded.",
            _ => "Some arms are recomputed, some recorded; the column `determinism` of `sessions.csv` tells.",
        };
        writeln!(out, "\n## Determinism\n\n{promise} {DETERMINISM}").expect(WROTE);
        if self.arms.iter().any(|arm| arm.simulated) {
            writeln!(out, "\n{MINDS}").expect(WROTE);
        }
        out
    }

    /// How answers came and what they took.
    fn put_answers(&self, out: &mut String) {
        let mut all = Effort::default();
        self.arms.iter().for_each(|arm| all.join(&arm.effort));
        writeln!(
            out,
            "\nQuestions settled: {}; valid at the first try {}, valid after being asked again {}, invalid {}, refused {}.",
            all.answers(),
            all.first_try,
            all.reasked,
            all.invalid,
            all.refused
        )
        .expect(WROTE);
        let tokens = match (all.calls, all.prompt_tokens(), all.completion_tokens()) {
            (0, ..) => String::new(),
            (_, Some(prompt), Some(reply)) => format!(
                "; tokens of prompts {prompt}, of replies {reply}, over the {} calls that reported them",
                all.reported
            ),
            _ => "; no call reported its tokens".to_owned(),
        };
        writeln!(out, "Model calls: {}{tokens}.", all.calls).expect(WROTE);
        if self.arms.iter().any(|arm| arm.has_test) {
            let excluded: u64 = self.arms.iter().map(|arm| arm.seats_excluded).sum();
            writeln!(out, "Seats excluded for failing the comprehension test: {excluded}.").expect(WROTE);
        }
        let models: BTreeSet<&String> = self.arms.iter().flat_map(|arm| &arm.models).collect();
        if !models.is_empty() {
            let models: Vec<String> = models.into_iter().map(|name| code(name)).collect();
            writeln!(out, "Models, as their services name them: {}.", models.join(", ")).expect(WROTE);
        }
    }
}

/// A number of thousandths as a decimal number.
fn thousandths(value: u32) -> String {
    let text = format!("{}.{:03}", value / 1000, value % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value of a closed set, as configs and the record spell it.
fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("invariant: a word has a JSON form");
    value.as_str().unwrap_or_default().to_owned()
}

/// A name as a span of code.
fn code(name: &str) -> String {
    format!("`{}`", inert(name).replace('`', "'"))
}

/// A line of text without what would act on a page or a terminal.
fn inert(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_are_written_without_needless_zeros() {
        assert_eq!([800, 1_250, 1_000, 2_005].map(thousandths), ["0.8", "1.25", "1", "2.005"]);
    }

    #[test]
    fn names_cannot_leave_their_span() {
        assert_eq!(code("a`b\nc"), "`a'b c`");
    }
}
