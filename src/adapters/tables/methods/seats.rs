//! Who sat at the table, in words: names, roles, personas, and the minds or models that answered.

use std::fmt::Write as _;

use super::words::{WROTE, code, count, list, millionths};
use crate::adapters::tables::facts::{mind_word, role_word};
use crate::minds::{Counts, Mind, Opinionated, Rule, Script, Source, TraitValue, Weights};
use crate::plan::{Answers, OpenAiModel, Plan, Seat, SeatRole, Sitter};

/// More names than this are given by the first and the last.
const NAMES_MAX: usize = 12;

/// The seats of a plan, those alike together.
pub(super) fn seats(plan: &Plan) -> String {
    let by = answered_by(plan);
    let mut out = format!("Each group had {}. {by}\n\n", count(plan.seats.len() as u64, "seat"));
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for seat in &plan.seats {
        let text = seated(plan, seat);
        match groups.iter_mut().find(|(other, _)| *other == text) {
            Some((_, names)) => names.push(seat.name.as_str()),
            None => groups.push((text, vec![seat.name.as_str()])),
        }
    }
    for (text, names) in groups {
        let names: Vec<String> = names.into_iter().map(code).collect();
        let shown = match names.as_slice() {
            [first, .., last] if names.len() > NAMES_MAX => format!("{first} to {last} ({} seats)", names.len()),
            names => list(names),
        };
        writeln!(out, "- {shown}: {text}.").expect(WROTE);
    }
    let pools: Vec<String> = plan
        .pools
        .iter()
        .enumerate()
        .filter(|(place, _)| plan.seats.iter().any(|seat| seat.pool == Some(*place)))
        .map(|(_, pool)| {
            let strata = match pool.strata.iter().max() {
                None => String::new(),
                Some(last) => format!(
                    " in {}, among which its seats were divided in proportion to their sizes by largest remainders",
                    if *last == 0 { "one stratum".to_owned() } else { format!("{} strata", last + 1) }
                ),
            };
            format!("{} held {}{strata}", code(&pool.name), count(pool.personas.len() as u64, "persona"))
        })
        .collect();
    if !pools.is_empty() {
        writeln!(
            out,
            "\nThe pool {}. Personas were drawn by lot for each replicate, without replacement, and were the same in every arm.",
            list(&pools)
        )
        .expect(WROTE);
    }
    out
}

/// What answered for the seats, in a sentence or two.
fn answered_by(plan: &Plan) -> String {
    let simulated = plan.seats.iter().filter(|seat| matches!(seat.sitter, Sitter::Mind(_))).count();
    let (seats, people) = (plan.seats.len(), plan.people());
    let models = seats - simulated - people;
    let of_people = match people {
        0 => String::new(),
        all if all == seats => "People answered for all of them".to_owned(),
        some => format!("People answered for {some} of them"),
    };
    let of_others = match (simulated, models) {
        (0, 0) => String::new(),
        (_, 0) if people == 0 => {
            "All were simulated: a mind is a rule that answers, neither a person nor a language model.".to_owned()
        }
        (0, _) if people == 0 => "Language models answered for all of them.".to_owned(),
        (0, some) => format!(" Language models answered for {some}."),
        (some, 0) => format!(" {some} were simulated, by a rule that is neither a person nor a language model."),
        (some, others) => format!(
            "{}{some} of them were simulated, by a rule that is neither a person nor a language model; language models answered for {others}.",
            if people == 0 { "" } else { " " }
        ),
    };
    let typed = ": they were shown, at a terminal, the very words that a language model in their place would have been sent, and \
                 typed their answers, without a limit of time.";
    format!("{of_people}{}{of_others}", if people == 0 { "" } else { typed })
}

fn seated(plan: &Plan, seat: &Seat) -> String {
    let who = match &seat.sitter {
        Sitter::Mind(mind) => simulated(mind),
        Sitter::Model(place) => model(&plan.models[*place]),
        Sitter::Person(_) => "a person at a terminal".to_owned(),
    };
    let persona = match (seat.pool, &seat.agent.persona) {
        (Some(pool), _) => format!("persona drawn from the pool {}", code(&plan.pools[pool].name)),
        (None, Some(persona)) => format!("persona {}", code(persona)),
        (None, None) => "no persona".to_owned(),
    };
    let role = match seat.role {
        SeatRole::Member => role_word(seat.role).to_owned(),
        SeatRole::Manipulator => {
            format!("{}, told privately to push what the others rank lowest", role_word(seat.role))
        }
    };
    format!("{role}; {who}; {persona}")
}

fn simulated(mind: &Mind) -> String {
    let about = match mind {
        Mind::Random { malformed_ppm, abstain_ppm } => {
            let [malformed, abstain] = [malformed_ppm, abstain_ppm].map(|ppm| millionths(i64::from(*ppm)));
            let abstains = if *abstain_ppm > 0 { format!(", `abstain` {abstain}") } else { String::new() };
            format!("uniform choices; `malformed` {malformed}{abstains}")
        }
        Mind::Voter { copy_ppm } => format!("`copy` {}", millionths(i64::from(*copy_ppm))),
        Mind::Justice(justice) => {
            let worth = match justice.counts {
                Counts::Everything => "",
                Counts::PayAlone => ", each alternative worth what it pays on average, moved and scaled to 0 … 1",
            };
            format!("{}{worth}", traits(&justice.own()))
        }
        Mind::Opinionated(mind) => opinionated(mind),
        Mind::Harvester(mind) => traits(&mind.own()),
        Mind::Scripted(Script::List(lines)) => format!("a list of {}", count(lines.len() as u64, "line")),
        Mind::Scripted(Script::Table(lines)) => format!("a table of {}", count(lines.len() as u64, "line")),
        Mind::Tallying { cites } => format!("counts the facts that it knows; `cites` {cites}"),
        Mind::Silent => "says and chooses nothing".to_owned(),
    };
    format!("simulated mind {} ({about})", code(mind_word(mind)))
}

/// The settings of a model of opinions.
fn opinionated(mind: &Opinionated) -> String {
    let opinion = match mind.opinion {
        Some(value) => traits(&[("opinion", value)]),
        None => format!("{} drawn uniformly", code("opinion")),
    };
    let named = |weights: &Weights| match weights {
        Weights::Equal => "equal weights of all who are heard".to_owned(),
        Weights::Named(_) => "weights written for each seat".to_owned(),
        Weights::Edges(edges) if edges.own.is_some() => "weights of the network's file, that on itself, too".to_owned(),
        Weights::Edges(_) => "weights of the network's file".to_owned(),
    };
    let more = match &mind.rule {
        Rule::Degroot { weights, .. } | Rule::FriedkinJohnsen { weights, .. } => named(weights),
        Rule::QVoter { q, .. } => format!("{} {q}", code("q")),
        Rule::Majority { group } => format!("{} {group}", code("group")),
        Rule::ArgumentExchange { arguments, source: Source::Pool { each }, .. } => {
            format!("{} {arguments}, {} {each}", code("arguments"), code("pool"))
        }
        Rule::ArgumentExchange { arguments, source: Source::Facts, .. } => {
            format!("at most {arguments} of the facts of the case as its {}", code("arguments"))
        }
        Rule::SocialDecisionScheme(scheme) => format!("{} {}", code("scheme"), scheme.as_str()),
        Rule::QuantalResponse { utilities, .. } => {
            let told: Vec<String> = utilities.iter().map(|utility| millionths(*utility)).collect();
            format!("{} {} in the order of the alternatives", code("utilities"), told.join(", "))
        }
        Rule::Juror => "holds what its signal points to".to_owned(),
        Rule::HegselmannKrause { .. } | Rule::Deffuant { .. } | Rule::Polya { .. } => String::new(),
    };
    let opinion = if mind.rule.has_opinion() { opinion } else { String::new() };
    let indifference = mind.indifference.map(|value| traits(&[("indifference", value)])).unwrap_or_default();
    let told = [opinion, traits(&mind.rule.traits()), indifference, more];
    told.into_iter().filter(|words| !words.is_empty()).collect::<Vec<String>>().join(", ")
}

fn traits(named: &[(&str, TraitValue)]) -> String {
    let told: Vec<String> = named
        .iter()
        .map(|(name, value)| match *value {
            TraitValue::Fixed(value) => format!("{} {}", code(name), millionths(value)),
            TraitValue::Uniform { least, greatest } => format!(
                "{} drawn uniformly from {} to {} for each seat and replicate",
                code(name),
                millionths(least),
                millionths(greatest)
            ),
        })
        .collect();
    told.join(", ")
}

/// The sampling settings beside the temperature, each behind a comma.
fn sampled(model: &OpenAiModel) -> String {
    let sampling = &model.sampling;
    let mut words = Vec::new();
    words.extend(sampling.top_p.map(|top_p| format!("top_p {top_p}")));
    words.extend(sampling.reasoning_effort.map(|effort| format!("reasoning effort {}", effort.as_str())));
    words.extend(sampling.thinking_budget.map(|tokens| format!("at most {tokens} tokens of thinking")));
    words.extend(sampling.seed.then(|| "a seed drawn for each question".to_owned()));
    let extra = (!sampling.extra.is_empty()).then(|| serde_json::Value::Object(sampling.extra.clone()).to_string());
    words.extend(extra.map(|extra| format!("further fields of requests {}", code(&extra))));
    words.into_iter().map(|word| format!(", {word}")).collect()
}

pub(super) fn model(model: &OpenAiModel) -> String {
    let temperature =
        model.temperature.map_or("the server's own temperature".to_owned(), |t| format!("temperature {t}"));
    let answers = match model.answers {
        Answers::JsonSchema => "answers as JSON under a schema",
        Answers::Anchored => "answers as anchored lines",
        Answers::Auto => "answers as JSON under a schema or as anchored lines, as was found when a session began",
    };
    let share = millionths(i64::from(model.context_margin_ppm));
    let window = match model.context_window {
        Some(tokens) => format!("context window {tokens} tokens, of which prompt and reply filled {share} at the most"),
        None => {
            format!("prompt and reply within {share} of its context window, where one was learnt when a session began")
        }
    };
    let counted = match model.tokenizer {
        Some(tokenizer) => format!("tokens as {} counts them", tokenizer.as_str()),
        None => "tokens by an estimate that errs high".to_owned(),
    };
    format!(
        "language model {}, {temperature}{}, at most {} tokens a reply, {window} ({counted}), {answers}",
        code(&model.model),
        sampled(model),
        model.max_tokens
    )
}
