//! Amounts: what counts as one in a reply, and with which alternatives one may, must or must not be named.

use crate::domain::{Ask, BallotForm, Choice, Fault, Language, Motion, Situation, Step};
use crate::question::{NumberFault, read_number};

/// Reads a whole amount, as [`read_number`] does, without a sign.
///
/// # Errors
/// * [`Fault::AmountUnreadable`]: it is not of this form.
/// * [`Fault::AmountOutOfRange`]: it is greater than any `u32`.
pub fn read_amount(text: &str, language: Language) -> Result<u32, Fault> {
    if text.trim_start().starts_with(['-', '−', '－']) {
        return Err(Fault::AmountUnreadable);
    }
    match read_number(text, language, 0) {
        Ok(amount) => u32::try_from(amount).map_err(|_| Fault::AmountOutOfRange),
        Err(NumberFault::TooLarge) => Err(Fault::AmountOutOfRange),
        Err(NumberFault::Unreadable) => Err(Fault::AmountUnreadable),
    }
}

/// Whether a choice may answer a question: it must be on offer, and its amount must be what this alternative takes here.
///
/// A ballot carries no amount, which is asked for afterwards; a statement and a straw poll may leave it out; a
/// practice round needs it. Where the motion has one alternative, an amount is all that there is to say, and nothing leaves it
/// out. Least and greatest amount are the motion's, in a practice round 1 and the situation's greatest income.
///
/// # Errors
/// [`Fault::UnknownAlternative`], [`Fault::AmountUncalledFor`], [`Fault::AmountMissing`], [`Fault::AmountOutOfRange`].
pub fn check_choice(motion: &Motion, ask: &Ask, choice: Choice) -> Result<Choice, Fault> {
    let offered = match ask.only_alternative() {
        Some(only) => choice.alternative == only,
        None => ask.options().contains(&choice.alternative),
    };
    let alternative = motion.alternatives.get(choice.alternative.index()).filter(|_| offered);
    let is_named_later = ask.ballot_form() == Some(BallotForm::Choice);
    let takes_amount = alternative.ok_or(Fault::UnknownAlternative)?.takes_amount && !is_named_later;
    let is_all = motion.only().is_some();
    let needs_amount = takes_amount && (is_all || matches!(ask.step(), Step::Amount | Step::Application));
    match choice.amount {
        None if needs_amount => Err(Fault::AmountMissing),
        None => Ok(choice),
        Some(_) if !takes_amount => Err(Fault::AmountUncalledFor),
        Some(amount) if (amount_min(motion, ask)..=amount_max(motion, ask)).contains(&amount) => Ok(choice),
        Some(_) => Err(Fault::AmountOutOfRange),
    }
}

/// The least amount that a reply to this question may name.
pub(super) fn amount_min(motion: &Motion, ask: &Ask) -> u32 {
    if ask.step() == Step::Application { 1 } else { motion.amount_min }
}

/// The greatest amount that a reply to this question may name; 0 where none may be named.
pub(super) fn amount_max(motion: &Motion, ask: &Ask) -> u32 {
    let situation = ask.situation().filter(|_| ask.step() == Step::Application);
    motion.amount_max.map_or(0, |greatest| situation.map_or(greatest, Situation::income_max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_they_are_written() {
        for (text, amount) in [
            ("15000", 15_000),
            (" 15000\n", 15_000),
            ("15,000", 15_000),
            ("$15,000", 15_000),
            (" $ 15000 ", 15_000),
            ("15k", 15_000),
            ("15K", 15_000),
            ("$15k", 15_000),
            ("12.5k", 12_500),
            ("12.25k", 12_250),
            ("12.50k", 12_500),
            ("0.5k", 500),
            ("1,234,567", 1_234_567),
            ("999", 999),
            ("0", 0),
            ("0k", 0),
            ("4294967295", u32::MAX),
        ] {
            assert_eq!(read_amount(text, Language::En), Ok(amount), "{text:?}");
        }
    }

    #[test]
    fn whatever_could_be_read_in_two_ways_or_is_no_figure_is_unreadable() {
        for text in [
            "",
            " ",
            "$",
            "k",
            "$k",
            ".",
            ",",
            "15.000",
            "15.000k",
            "15,00",
            "15,0000",
            "1500,000",
            "15,000k",
            ",150",
            "15,",
            "0,500",
            "015",
            "the third",
            "about 15k",
            "15000 dollars",
            "15 000",
            "15_000",
            "-15000",
            "+15000",
            "1e4",
            "15000.",
            "15000.0",
            ".5k",
            "12.k",
            "12.345k",
            "12.5",
            "15kk",
            "15 k",
            "15,000.00",
            "15000$",
            "$$15",
            "€15",
            "**15000**",
            "none",
            "null",
            "15k or 12k",
            "13000 > 12000",
            "１５０００",
            "fifteen",
            "0x10",
            "\u{a0}k",
        ] {
            assert_eq!(read_amount(text, Language::En), Err(Fault::AmountUnreadable), "{text:?}");
        }
    }

    #[test]
    fn a_number_that_no_income_reaches_is_out_of_range_however_long_it_is() {
        for text in ["4294967296".to_owned(), "9".repeat(1_000_000), "4294968k".to_owned()] {
            assert_eq!(read_amount(&text, Language::En), Err(Fault::AmountOutOfRange));
        }
    }

    #[test]
    fn each_language_has_its_own_figures_and_reads_no_others() {
        let read = |text: &str| Language::ALL.map(|language| read_amount(text, language).ok());
        for (text, amounts) in [
            ("15000", [Some(15_000), Some(15_000), Some(15_000)]),
            ("15,000", [Some(15_000), None, Some(15_000)]),
            ("15.000", [None, Some(15_000), None]),
            ("$1.234.567", [None, Some(1_234_567), None]),
            ("12,5 mil", [None, Some(12_500), None]),
            ("12,5k", [None, Some(12_500), None]),
            ("12.5k", [Some(12_500), None, None]),
            ("12.5 mil", [None, None, None]),
            ("15 mil", [None, Some(15_000), None]),
            ("12.000,50", [None, None, None]),
            ("1.5万", [None, None, Some(15_000)]),
            ("1.25万", [None, None, Some(12_500)]),
            ("1.256万", [None, None, None]),
            ("15千", [None, None, Some(15_000)]),
            ("１５０００", [None, None, Some(15_000)]),
            ("１５，０００", [None, None, Some(15_000)]),
            ("＄１．５万", [None, None, Some(15_000)]),
            ("一万五千", [None, None, None]),
            ("15000美元", [None, None, None]),
            ("mil", [None, None, None]),
            ("万", [None, None, None]),
        ] {
            assert_eq!(read(text), amounts, "{text:?}");
        }
    }
}
