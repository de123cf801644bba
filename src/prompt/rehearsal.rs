//! Renders every template of a pack once for every occasion it has, so that none fails or comes out empty in a session.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::{Value, context};

use crate::domain::{
    Agent, AlternativeId, Ask, BallotForm, CLASSES, Choice, Fault, Motion, Offer, PaymentStage, SeatId, Seq, Situation,
    TestQuestion,
};
use crate::prompt::anchors::written;
use crate::prompt::facts::Facts;
use crate::prompt::form::{TextRoom, is_note};
use crate::prompt::forms::built_in;
use crate::prompt::inquiry;
use crate::prompt::occasion::Occasion;
use crate::prompt::schema::schema;
use crate::prompt::telling::payment_template;
use crate::prompt::templates::{form_template, form_word, is_reasked, question_template, says_form};
use crate::prompt::voting;
use crate::prompt::{
    AnswerForm, CounterfactualFacts, Pack, PaymentFacts, PickFacts, PromptError, Setting, TEMPLATES, TestFacts,
};

pub(super) mod sample;

pub(super) const FAULTS: [Fault; 16] = [
    Fault::Unreadable,
    Fault::UnknownAlternative,
    Fault::Ambiguous,
    Fault::AmountMissing,
    Fault::AmountUnreadable,
    Fault::AmountOutOfRange,
    Fault::AmountUncalledFor,
    Fault::NotARanking,
    Fault::Empty,
    Fault::TooShort,
    Fault::UnfitName,
    Fault::NameTaken,
    Fault::NotOnce,
    Fault::Refused,
    Fault::CutByLength,
    Fault::ContextTooLong,
];

/// What failed, once for each line of each template.
type Failures = BTreeMap<(String, usize), PromptError>;

/// What each template was rendered with so far, as far as it reads it: the same again gives the same words.
struct Tried<'a> {
    pack: &'a Pack,
    /// Which templates are to be rendered at all.
    wanted: &'a dyn Fn(&str) -> bool,
    seen: BTreeMap<&'static str, Seen>,
    failures: Failures,
}

/// The paths that a template reads, and their values in each rendering; `None` where it is not known what it reads.
type Seen = Option<(Vec<String>, Vec<Vec<Value>>)>;

impl Tried<'_> {
    /// Renders a template of questions, unless it was with facts that are the same to it.
    fn render(&mut self, template: &'static str, fault: Option<Fault>, facts: &Facts) {
        if !(self.wanted)(template) {
            return;
        }
        let pack = self.pack;
        let seen = self.seen.entry(template).or_insert_with(|| Some((pack.reads(template)?, Vec::new())));
        if let Some((paths, seen)) = seen {
            let values: Vec<Value> = paths.iter().map(|path| facts.at(path)).collect();
            if seen.contains(&values) {
                return;
            }
            seen.push(values);
        }
        words(template, fault, pack.render(template, facts), &mut self.failures);
    }

    /// How to reply to a question must name each part of the reply that has a name.
    fn names_its_parts(&mut self, form: AnswerForm, ask: &Ask, motion: &Motion, facts: &Facts) {
        let template = form_template(form);
        if !(self.wanted)(template) || built_in(ask, motion, (form, TextRoom::Any)).is_some() {
            return;
        }
        let Ok(words) = self.pack.render(template, facts) else { return };
        let missing: Vec<String> = parts(ask, motion, form).into_iter().filter(|part| !words.contains(part)).collect();
        if !words.is_empty() && !missing.is_empty() {
            let kind = question_template(ask);
            let error = PromptError {
                hint: Some(format!("give it words of its own behind {{% elif ask == \"{kind}\" %}}")),
                ..PromptError::whole(
                    template,
                    format!(
                        "does not say how to reply to a question of kind {kind}: it names no {}",
                        missing.join(" and no ")
                    ),
                )
            };
            self.failures.entry((template.to_owned(), 0)).or_insert(error);
        }
    }

    /// Renders a template, if the pack has it and it is wanted.
    fn say(&mut self, template: &str, render: impl FnOnce(&Pack) -> Result<String, PromptError>) {
        if self.is_wanted(template) {
            words(template, None, render(self.pack), &mut self.failures);
        }
    }

    fn is_wanted(&self, template: &str) -> bool {
        (self.wanted)(template) && self.pack.has(template)
    }
}

/// Renders every template that is wanted, also those that this arm will not use, and tells all that fail.
pub(super) fn rehearse(pack: &Pack, setting: &Setting<'_>, wanted: &dyn Fn(&str) -> bool) -> Vec<PromptError> {
    let motion = setting.motion;
    let mut tried = Tried { pack, wanted, seen: BTreeMap::new(), failures: Failures::new() };
    for (place, situation) in situations(setting).iter().enumerate() {
        let asks = questions(motion, situation);
        // What does not tell of a situation is rehearsed with the first.
        let asked = |ask: &&Ask| place == 0 || ask.situation().is_some();
        for ask in asks.iter().filter(asked).filter(|ask| pack.has(question_template(ask))) {
            let kind = question_template(ask);
            let is_asked = TEMPLATES.contains(&kind) || setting.needs.contains(&kind);
            question(&mut tried, motion, ask, if is_asked { Use::Asked } else { Use::There });
        }
        for stage in [PaymentStage::Application, PaymentStage::Settlement] {
            payment(&mut tried, motion, situation, stage);
        }
    }
    ballots(&mut tried, motion);
    for correct in [0, 1, 2] {
        for (passed, last_try) in [(false, false), (false, true), (true, false), (true, true)] {
            let facts = TestFacts { correct, of: 2, passed, last_try };
            tried.say("test_result", |pack| pack.test_result(&facts));
        }
    }
    for rounds_left in 1..=setting.procedure.rounds.clamp(2, 10) {
        tried.say("countdown", |pack| pack.notice("countdown", rounds_left));
    }
    for target in all(motion) {
        tried.say("manipulation", |pack| pack.manipulation(motion, target));
    }
    for template in setting.needs.iter().filter(|name| Occasion::of(name) == Occasion::Brief) {
        brief(&mut tried, template, setting);
    }
    tried.failures.into_values().collect()
}

/// The sample, with its weights told and untold, and the situations of the scenario.
fn situations(setting: &Setting<'_>) -> Vec<Arc<Situation>> {
    let told = |weights_shown| Arc::new(Situation { weights_shown, ..sample::situation() });
    let mut situations = vec![told(true), told(false)];
    if let Some(mechanism) = setting.mechanism {
        situations.push(mechanism.sample.clone());
        situations.extend(mechanism.applications.iter().cloned());
    }
    situations
}

/// A question of every kind.
fn questions(motion: &Motion, situation: &Arc<Situation>) -> Vec<Ask> {
    let options: Vec<AlternativeId> = all(motion).rev().collect();
    let test =
        all(motion).map(|alternative| TestQuestion { alternative, amount: amount(motion, alternative), answer: 1 });
    let ballot = if motion.only().is_some() { BallotForm::Amount } else { BallotForm::Choice };
    let mut asks = vec![
        Ask::Statement { options: options.clone(), chars_min: 0, chars_max: None, marks: false, opinion: false },
        Ask::Statement { options: options.clone(), chars_min: 20, chars_max: None, marks: false, opinion: false },
        Ask::Statement { options: options.clone(), chars_min: 20, chars_max: None, marks: true, opinion: false },
        Ask::StrawPoll { options: options.clone(), opinion: false },
        Ask::Ballot { options: options.clone(), form: ballot, may_abstain: false, asks_reasons: false },
        Ask::Ranking { options: options.clone() },
        Ask::Comprehension { situation: situation.clone(), questions: test.collect() },
        Ask::Application { options, situation: situation.clone() },
        Ask::Volunteer,
        Ask::Reasoning,
        Ask::VoteCall,
        Ask::Confirmation { caller: Some(SeatId(0)) },
        Ask::Recognition,
        Ask::Integration { news_from: Seq(1), chars_max: 2_000 },
        Ask::Compression { chars_max: 2_000, words_max: None, focus: None },
        Ask::Compression { chars_max: 2_000, words_max: Some(200), focus: Some("what was agreed".into()) },
    ];
    if motion.alternatives.is_empty() {
        asks.retain(|ask| !needs_options(ask));
    }
    asks.extend([[].as_slice(), &["Ann".to_owned()]].map(|taken| Ask::Naming { taken: taken.into() }));
    asks.extend(["", "We met."].map(|notes| Ask::Notes { notes: notes.into() }));
    asks.extend(all(motion).map(|alternative| Ask::Amount { alternative }));
    asks
}

/// Whether it is a question about alternatives.
fn needs_options(ask: &Ask) -> bool {
    matches!(
        ask,
        Ask::StrawPoll { .. }
            | Ask::Ballot { .. }
            | Ask::Ranking { .. }
            | Ask::Comprehension { .. }
            | Ask::Application { .. }
    )
}

/// Whether the scenario asks a question, or only has words for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Asked,
    There,
}

fn question(tried: &mut Tried<'_>, motion: &Motion, ask: &Ask, in_use: Use) {
    let own = ["system", "history", "reask", question_template(ask)];
    let forms = [AnswerForm::JsonSchema, AnswerForm::Anchored].map(form_template);
    if !own.into_iter().chain(forms).any(|template| (tried.wanted)(template)) {
        return;
    }
    let agents = sample::agents();
    let agents: Vec<&Agent> = agents.iter().collect();
    for seat in [SeatId(0), SeatId(1)] {
        for round in [0, 1] {
            let facts = Facts::of_question(tried.pack.known(), motion, &agents, seat, ask, round);
            for template in ["system", "history", question_template(ask)] {
                tried.render(template, None, &facts);
            }
            tried.render("history", None, &facts.clone().with("news", true));
            for left_out in ["earlier", "all"] {
                tried.render("history", None, &facts.clone().with("left_out", left_out));
            }
            // Under a schema words are no longer than it allows.
            tried.render(question_template(ask), None, &facts.clone().with("chars_max", 700));
            if ask.reads_marks() && tried.pack.has("proposals") {
                tried.render("proposals", None, &facts);
                tried.render("proposals", None, &facts.clone().with("own_proposals", own_proposals()));
            }
            for form in [AnswerForm::JsonSchema, AnswerForm::Anchored] {
                if says_form(ask) {
                    let facts = facts.clone().with("form", form_word(form));
                    tried.render(question_template(ask), None, &facts);
                    for fault in FAULTS {
                        tried.render(question_template(ask), Some(fault), &facts.clone().after(fault));
                    }
                } else if form == AnswerForm::JsonSchema || !is_note(ask) {
                    tried.render(form_template(form), None, &facts);
                    if in_use == Use::Asked {
                        tried.names_its_parts(form, ask, motion, &facts);
                    }
                }
            }
            for form in
                [AnswerForm::JsonSchema, AnswerForm::Anchored].into_iter().filter(|_| tried.pack.has(inquiry::TEMPLATE))
            {
                for (look_up, page) in [(true, false), (false, true), (true, true)] {
                    tried.render(
                        inquiry::TEMPLATE,
                        None,
                        &inquiry::facts(facts.clone(), Offer { look_up, page }, form),
                    );
                }
            }
            for fault in FAULTS.into_iter().filter(|fault| round == 1 && is_reasked(*fault)) {
                tried.render("reask", Some(fault), &facts.clone().after(fault));
            }
        }
    }
}

/// The questions for ballots that say more than one choice, where the scenario has words of its own for them.
fn ballots(tried: &mut Tried<'_>, motion: &Motion) {
    let rankings = [(false, false), (true, false), (false, true), (true, true)];
    let rankings = rankings.map(|(ties, truncated)| BallotForm::Ranking { ties, truncated, top: None });
    let forms = rankings.into_iter().chain([
        BallotForm::Approval,
        BallotForm::Score { max: 5 },
        BallotForm::Allocation { points: 10 },
    ]);
    let agents = sample::agents();
    let agents: Vec<&Agent> = agents.iter().collect();
    for form in forms {
        let ask = Ask::Ballot { options: all(motion).rev().collect(), form, may_abstain: false, asks_reasons: false };
        let Some(template) = voting::template(&ask).filter(|template| tried.pack.has(template)) else { continue };
        for (seat, round) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let facts = Facts::of_question(tried.pack.known(), motion, &agents, SeatId(seat), &ask, round);
            tried.render(template, None, &facts);
        }
    }
}

/// What the parts of a reply are called in a form. Free words in lines have no name, and marks and opinions may be left out.
fn parts(ask: &Ask, motion: &Motion, form: AnswerForm) -> Vec<String> {
    let schema = schema(ask, motion, 1_000);
    let keys = schema["properties"].as_object().expect("invariant: a reply is an object").keys();
    let keys = keys.filter(|key| !["marks", "opinion"].contains(&key.as_str()));
    match form {
        AnswerForm::JsonSchema => keys.cloned().collect(),
        AnswerForm::Anchored => keys
            .filter(|key| *key != "text")
            .map(|key| written(&key.to_uppercase(), motion.language).trim_end_matches(':').to_owned())
            .collect(),
        AnswerForm::Typed => Vec::new(),
    }
}

fn own_proposals() -> Vec<Value> {
    let own = [("#2.1", "Let us close it."), ("#3.2", "Let us wait...")];
    own.map(|(number, words)| context! { number => number, words => words }).to_vec()
}

fn payment(tried: &mut Tried<'_>, motion: &Motion, situation: &Situation, stage: PaymentStage) {
    let template = payment_template(stage);
    if !tried.is_wanted(template) {
        return;
    }
    let chosen = all(motion).map(|alternative| Some(Choice { alternative, amount: amount(motion, alternative) }));
    for choice in chosen.chain([None]) {
        for class in [0, CLASSES - 1] {
            for told in [true, false] {
                let income = situation.tables[0][class];
                let others = all(motion).filter(|_| told).map(|alternative| CounterfactualFacts {
                    choice: Choice { alternative, amount: amount(motion, alternative) },
                    table: 1,
                    income,
                    payoff_cents: 130,
                });
                let facts = PaymentFacts {
                    motion,
                    situation,
                    stage,
                    choice,
                    decided: choice.is_some(),
                    table: 1,
                    class: class as u8,
                    income,
                    payoff_cents: 120,
                    balance_cents: 250,
                    counterfactuals: others.collect(),
                };
                tried.say(template, |pack| pack.payment(&facts));
            }
        }
    }
}

fn brief(tried: &mut Tried<'_>, template: &str, setting: &Setting<'_>) {
    let motion = setting.motion;
    let picks: Vec<PickFacts> = all(motion)
        .map(|alternative| PickFacts { alternative, amount: amount(motion, alternative), table: 1 })
        .collect();
    let sample = setting.mechanism.map(|mechanism| (&*mechanism.sample, picks.as_slice()));
    tried.say(template, |pack| pack.brief(template, motion, sample));
}

/// Tells what failed, or came out empty.
fn words(template: &str, fault: Option<Fault>, rendered: Result<String, PromptError>, failures: &mut Failures) {
    let error = match rendered {
        Ok(words) if !words.is_empty() => return,
        Ok(_) => {
            let of = fault.map_or(String::new(), |fault| format!(" for the fault {}", fault.as_str()));
            PromptError::whole(template, format!("renders to nothing{of}"))
        }
        Err(error) => error,
    };
    failures.entry((error.template.clone(), error.line)).or_insert(error);
}

fn all(motion: &Motion) -> impl DoubleEndedIterator<Item = AlternativeId> + use<> {
    (0..motion.alternatives.len() as u32).map(AlternativeId)
}

fn amount(motion: &Motion, alternative: AlternativeId) -> Option<u32> {
    motion.alternatives[alternative.index()].takes_amount.then_some(1_500)
}
