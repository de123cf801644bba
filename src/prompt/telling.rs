//! What a pack puts into memories in its own words: what was paid, how a test went, notices and explanations.
//!
//! A pack rehearses all of it when it is compiled, so that nothing here fails in a session.

use minijinja::{Value, context};

use crate::domain::{AlternativeId, CLASS_NAMES, Choice, Motion, PaymentStage, Situation};
use crate::prompt::facts::{Facts, choice_value, option_value, situation_value};
use crate::prompt::numbers::{dollars_and_cents, thousands};
use crate::prompt::{Pack, PromptError};

/// What a seat was paid, and what it would have been paid.
#[derive(Debug, Clone)]
pub struct PaymentFacts<'a> {
    /// The motion.
    pub motion: &'a Motion,
    /// The tables that were used, with the incomes that were drawn for them.
    pub situation: &'a Situation,
    /// What the payment is for.
    pub stage: PaymentStage,
    /// What picked the table; `None` where it was drawn by lot.
    pub choice: Option<Choice>,
    /// Whether the group decided, or a decision was imposed on it; true of a practice round.
    pub decided: bool,
    /// The table, from 1.
    pub table: u32,
    /// The class drawn, as a position in [`CLASS_NAMES`].
    pub class: u8,
    /// The income of that class in that table, in dollars a year.
    pub income: u32,
    /// What is paid for it, in cents.
    pub payoff_cents: u64,
    /// What the seat owns now, in cents.
    pub balance_cents: u64,
    /// What other choices would have paid the same class, in the order in which they are told.
    pub counterfactuals: Vec<CounterfactualFacts>,
}

/// What a choice would have paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterfactualFacts {
    /// The choice.
    pub choice: Choice,
    /// The table it picks, from 1.
    pub table: u32,
    /// The income, in dollars a year.
    pub income: u32,
    /// What would be paid for it, in cents.
    pub payoff_cents: u64,
}

/// How a seat did in the comprehension test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestFacts {
    /// Right answers.
    pub correct: u32,
    /// Questions.
    pub of: u32,
    /// Whether the right answers were enough.
    pub passed: bool,
    /// Whether there is no further try.
    pub last_try: bool,
}

/// The table that an alternative picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PickFacts {
    /// The alternative.
    pub alternative: AlternativeId,
    /// Its amount, where it takes one.
    pub amount: Option<u32>,
    /// The table, from 1.
    pub table: u32,
}

impl Pack {
    /// What a seat is told of its pay: the template `payment` after a practice round, `settlement` at the end.
    ///
    /// # Panics
    /// When the class is none, or an alternative is not of the motion.
    pub fn payment(&self, facts: &PaymentFacts<'_>) -> Result<String, PromptError> {
        let PaymentFacts { motion, situation, stage, .. } = facts;
        let known = self.known();
        let language = known.language;
        let class = usize::from(facts.class);
        let best = situation.tables.iter().map(|table| table[class]).max().unwrap_or(facts.income);
        let best_cents = known.cents(*stage, best);
        let paid = |table: u32, income: u32, cents: u64| {
            context! {
                table => table,
                income_shown => thousands(income, language),
                pay => dollars_and_cents(cents, language),
                shortfall_shown => thousands(best.saturating_sub(income), language),
                lost => dollars_and_cents(best_cents.saturating_sub(cents), language),
            }
        };
        let counterfactuals = facts.counterfactuals.iter().map(|other| {
            context! {
                ..paid(other.table, other.income, other.payoff_cents),
                ..choice_value(motion, other.choice)
            }
        });
        let told = Facts::of_motion(known, motion)
            .with("balance", dollars_and_cents(facts.balance_cents, language))
            .with(
                "best",
                context! { income_shown => thousands(best, language), pay => dollars_and_cents(best_cents, language) },
            )
            .with("choice", facts.choice.map_or(Value::from(()), |choice| choice_value(motion, choice)))
            .with("class", CLASS_NAMES[class])
            .with("counterfactuals", counterfactuals.collect::<Vec<Value>>())
            .with("decided", facts.decided)
            .with("paid", paid(facts.table, facts.income, facts.payoff_cents))
            .with("situation", situation_value(situation, known));
        self.render(payment_template(*stage), &told)
    }

    /// What a seat is told of its comprehension test: the template `test_result`.
    pub fn test_result(&self, facts: &TestFacts) -> Result<String, PromptError> {
        let told = Facts::of_setting(self.known())
            .with("correct", facts.correct)
            .with("of", facts.of)
            .with("passed", facts.passed)
            .with("last_try", facts.last_try);
        self.render("test_result", &told)
    }

    /// A notice to all seats: the template `countdown`, when so many rounds remain.
    pub fn notice(&self, template: &str, rounds_left: u32) -> Result<String, PromptError> {
        self.render(template, &Facts::of_setting(self.known()).with("rounds_left", rounds_left))
    }

    /// What a manipulator is privately told to push: the template `manipulation`.
    ///
    /// # Panics
    /// When the target is not of the motion.
    pub fn manipulation(&self, motion: &Motion, target: AlternativeId) -> Result<String, PromptError> {
        let told = Facts::of_motion(self.known(), motion).with("target", option_value(motion, target));
        self.render("manipulation", &told)
    }

    /// What the facilitator says in a phase that names a template. With a mechanism there is a sample: the situation that
    /// is explained, and which table each alternative picks in it; without one there is none.
    ///
    /// # Panics
    /// When an alternative is not of the motion.
    pub fn brief(
        &self,
        template: &str,
        motion: &Motion,
        sample: Option<(&Situation, &[PickFacts])>,
    ) -> Result<String, PromptError> {
        let known = self.known();
        let (situation, picks) = match sample {
            None => (Value::from(()), Vec::new()),
            Some((situation, picks)) => {
                let picks = picks.iter().map(|pick| {
                    let choice = Choice { alternative: pick.alternative, amount: pick.amount };
                    context! { table => pick.table, ..choice_value(motion, choice) }
                });
                (situation_value(situation, known), picks.collect::<Vec<Value>>())
            }
        };
        self.render(template, &Facts::of_motion(known, motion).with("situation", situation).with("picks", picks))
    }
}

/// The template that tells of a payment.
pub(super) fn payment_template(stage: PaymentStage) -> &'static str {
    match stage {
        PaymentStage::Application => "payment",
        PaymentStage::Settlement => "settlement",
    }
}
