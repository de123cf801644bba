//! What is true of the mind that weighs risk, the worst off and what it hears.

use proptest::prelude::*;

use super::*;
use crate::domain::tests::{ask_ballot, ask_statement};
use crate::domain::{BallotForm, CLASSES, Fault, MindState, Reply, SeatId, TestQuestion};
use crate::mechanism::tests::{published, situation};
use crate::mechanism::{income_ranges, low_incomes};
use crate::minds::Mind;
use crate::minds::tests::{options, principles, query, seed};

const FLOOR: AlternativeId = AlternativeId(0);
const AVERAGE: AlternativeId = AlternativeId(1);
const AVERAGE_FLOOR: AlternativeId = AlternativeId(2);
const AVERAGE_RANGE: AlternativeId = AlternativeId(3);

const MILLION: i64 = 1_000_000;

/// Fixed traits: risk aversion, fairness, precision, persuasion.
fn justice(traits: [f64; 4]) -> Justice {
    let [risk_aversion, fairness, precision, persuasion] =
        traits.map(|value| TraitValue::Fixed((value * 1e6).round() as i64));
    let (counts, practised) = (JusticeScope::Everything, Arc::new(published()));
    Justice { risk_aversion, fairness, precision, persuasion, counts, practised }
}

/// The mind that is called `quantal_response` answers as `justice` does without any taste, and is told by its precision alone.
#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn who_goes_by_pay_alone_chooses_as_often_as_the_mean_pay_says() {
    let pay = Justice::of_pay(TraitValue::Fixed(4 * MILLION), Arc::new(published()));
    let plain = justice([0.0, 0.0, 4.0, 0.0]);
    let empty = MindState::default();
    let asks = [
        poll(),
        speak(),
        Ask::Ranking { options: options() },
        Ask::Application { options: options(), situation: Arc::new(situation("A")) },
    ];
    let mut counts = [0_u32; 4];
    let sessions = 8_000;
    for replicate in 0..sessions {
        for ask in asks.iter().take(if replicate < 100 { 4 } else { 1 }) {
            let query = query(ask.clone(), &empty, &[]);
            let answer = say(&pay, replicate, &query);
            assert_eq!(answer, say(&plain, replicate, &query));
            if *ask == asks[0] {
                counts[chosen(&answer).alternative.index()] += 1;
            }
        }
    }
    let expected = quantal_shares(&rescale_values(&mean_pay()), 4.0);
    for (count, share) in counts.iter().zip(expected) {
        let error = 4.0 * (share * (1.0 - share) / f64::from(sessions)).sqrt();
        assert!((f64::from(*count) / f64::from(sessions) - share).abs() < error, "{counts:?} {share}");
    }
    let traits = Mind::Justice(pay.clone()).draw_traits(&seed(1), &SeatName::new("Bob"));
    assert_eq!((pay.name(), traits.len(), traits[0].name.as_str()), ("quantal_response", 1, "precision"));
}

/// What each principle pays on average over the practised situations, each class counted by its probability, with the amount that
/// pays most in each.
fn mean_pay() -> Vec<f64> {
    let practised = published();
    let mean = |table: &[u32; CLASSES], situation: &Situation| {
        let paid = table.iter().zip(&situation.weights_ppm).map(|(income, ppm)| f64::from(*income) * f64::from(*ppm));
        paid.sum::<f64>() / 1e6
    };
    let pays = |principle: usize| {
        let in_situation = |situation: &Arc<Situation>| {
            let amounts: Vec<Option<u32>> = match principle {
                0 | 1 => vec![None],
                2 => low_incomes(situation).into_iter().map(Some).collect(),
                _ => income_ranges(situation).into_iter().map(Some).collect(),
            };
            let pay = |amount: &Option<u32>| {
                let choice = Choice { alternative: AlternativeId(principle as u32), amount: *amount };
                mean(&situation.tables[practised.pick_table(choice, situation).table], situation)
            };
            amounts.iter().map(pay).fold(f64::MIN, f64::max)
        };
        practised.applications.iter().map(in_situation).sum::<f64>() / practised.applications.len() as f64
    };
    (0..4).map(pays).collect()
}

fn say(justice: &Justice, replicate: u32, query: &Query<'_>) -> Answer {
    justice.answer(&principles(), &seed(replicate), query)
}

fn poll() -> Ask {
    Ask::StrawPoll { options: options(), opinion: false }
}

fn speak() -> Ask {
    ask_statement(options(), 10)
}

fn chosen(answer: &Answer) -> Choice {
    match &answer.parsed {
        Ok(
            Reply::Choice(choice) | Reply::Statement { stance: Some(choice), .. } | Reply::Application { choice, .. },
        ) => *choice,
        other => panic!("{other:?} is no choice"),
    }
}

fn assents(answer: &Answer) -> bool {
    match answer.parsed {
        Ok(Reply::Assent(assents)) => assents,
        ref other => panic!("{other:?} is no assent"),
    }
}

/// The state of a seat that stands for an alternative.
fn standing(justice: &Justice, choice: Choice) -> MindState {
    let mut held = justice.initial_state(&seed(1), &SeatName::new("Bob"));
    held.set_standing_choice(choice);
    held.into_state()
}

fn preferred(name: &str, risk_aversion: f64) -> usize {
    let situation = situation(name);
    let worth = |t: &[u32; CLASSES]| certainty_equivalent(t, &situation.weights_ppm, risk_aversion);
    let worths: Vec<f64> = situation.tables.iter().map(worth).collect();
    (0..worths.len()).max_by(|a, b| worths[*a].total_cmp(&worths[*b])).unwrap() + 1
}

#[test]
fn the_preferred_table_moves_from_the_highest_mean_to_the_highest_floor_as_risk_aversion_grows() {
    for (name, cases) in [
        ("sample", vec![(0.0, 1), (0.5, 1), (1.0, 1), (2.0, 3), (5.0, 3), (8.0, 3), (12.0, 4)]),
        ("A", vec![(0.0, 3), (1.0, 3), (2.0, 3), (3.0, 2), (5.0, 4), (12.0, 4)]),
        ("D", vec![(0.0, 2), (1.0, 2), (2.0, 2), (3.0, 2), (5.0, 4), (12.0, 4)]),
    ] {
        for (risk_aversion, table) in cases {
            assert_eq!(preferred(name, risk_aversion), table, "{name} at {risk_aversion}");
        }
    }
}

#[test]
fn the_tables_of_the_sample_situation_are_chosen_with_the_published_shares() {
    let sample = situation("sample");
    let worth = |table: &[u32; CLASSES]| certainty_equivalent(table, &sample.weights_ppm, 2.0);
    let worths: Vec<f64> = sample.tables.iter().map(worth).collect();
    let shares = quantal_shares(&rescale_values(&worths), 4.0);
    let thousandths: Vec<u32> = shares.iter().map(|share| (share * 1_000.0).round() as u32).collect();
    assert_eq!(thousandths, [154, 143, 691, 13]);
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn first_choices_of_twenty_thousand_seats_have_the_computed_shares() {
    let mind = justice([2.0, 0.0, 4.0, 0.0]);
    let expected = principle_shares(&mind.practised, 2.0, 0.0, 4.0);
    let state = MindState::default();
    let (mut polled, mut ranked) = ([0u32; 4], [0u32; 4]);
    for replicate in 0..20_000 {
        polled[chosen(&say(&mind, replicate, &query(poll(), &state, &[]))).alternative.index()] += 1;
        let ranking = say(&mind, replicate, &query(Ask::Ranking { options: options() }, &state, &[]));
        let Ok(Reply::Ranking { order, .. }) = ranking.parsed else { panic!("no ranking") };
        ranked[order[0].index()] += 1;
    }
    for counts in [polled, ranked] {
        for (count, p) in counts.iter().zip(&expected) {
            let error = (p * (1.0 - p) / 20_000.0).sqrt();
            assert!((f64::from(*count) / 20_000.0 - p).abs() < 4.0 * error, "{counts:?} for {expected:?}");
        }
    }
}

/// The shares were computed by another program, too, from the definition alone.
#[test]
fn a_mind_that_heard_nobody_chooses_principles_with_these_shares() {
    for (risk_aversion, expected) in [
        (0.0, "0.006 0.331 0.331 0.331"),
        (1.0, "0.006 0.331 0.331 0.331"),
        (2.0, "0.006 0.324 0.335 0.335"),
        (5.0, "0.167 0.008 0.413 0.413"),
    ] {
        let shares = principle_shares(&published(), risk_aversion, 0.0, 4.0);
        let shares: Vec<String> = shares.iter().map(|share| format!("{share:.3}")).collect();
        assert_eq!(shares.join(" "), expected, "at {risk_aversion}");
    }
}

#[test]
fn no_risk_aversion_takes_the_average_and_much_of_it_or_fairness_the_floor() {
    let best = |risk_aversion, fairness| {
        let taste = Taste { risk_aversion, fairness };
        let (values, amounts) = taste.of_principles(&published(), valued_situations(&published()));
        (rescale_values(&values), amounts)
    };
    let (indifferent, _) = best(0.0, 0.0);
    assert_eq!((indifferent[AVERAGE.index()], indifferent[FLOOR.index()]), (1.0, 0.0));
    for (risk_aversion, fairness) in [(60.0, 0.0), (0.0, 1.0)] {
        let (values, _) = best(risk_aversion, fairness);
        assert_eq!((values[AVERAGE.index()], values[FLOOR.index()]), (0.0, 1.0));
    }
}

#[test]
fn an_amount_can_be_chosen_so_that_a_constraint_is_worth_no_less_than_the_average() {
    for risk_aversion in [0.0, 0.7, 1.0, 2.0, 4.0, 12.0] {
        let taste = Taste { risk_aversion, fairness: 0.0 };
        let (values, amounts) = taste.of_principles(&published(), valued_situations(&published()));
        assert!(values[2] >= values[1] && values[3] >= values[1], "{values:?}");
        assert!(amounts[0].is_empty() && amounts[1].is_empty());
        let all =
            |of: fn(&Situation) -> Vec<u32>| -> Vec<u32> { valued_situations(&published()).flat_map(of).collect() };
        assert!(!amounts[2].is_empty() && amounts[2].iter().all(|amount| all(low_incomes).contains(amount)));
        assert!(!amounts[3].is_empty() && amounts[3].iter().all(|amount| all(income_ranges).contains(amount)));
    }
}

#[test]
fn without_practice_the_sample_gives_the_values() {
    let unpractised = IncomePrinciples { applications: Vec::new(), ..published() };
    let sample_only = IncomePrinciples { applications: vec![Arc::new(situation("sample"))], ..published() };
    assert_eq!(principle_shares(&unpractised, 2.0, 0.0, 4.0), principle_shares(&sample_only, 2.0, 0.0, 4.0));
}

#[test]
fn a_state_is_the_same_whichever_question_comes_first_and_stays_so() {
    let uniform = TraitValue::Uniform { least: 0, greatest: 3 * MILLION };
    let mind = Justice { risk_aversion: uniform, precision: uniform, ..justice([0.0, 0.2, 0.0, 0.5]) };
    let empty = MindState::default();
    for replicate in 1..20 {
        let first = say(&mind, replicate, &query(poll(), &empty, &[])).state;
        for ask in [Ask::VoteCall, Ask::Ranking { options: options() }, Ask::Reasoning] {
            let answer = say(&mind, replicate, &query(ask.clone(), &empty, &[]));
            assert_eq!(answer.state, first);
            assert_eq!(say(&mind, replicate, &query(ask, &first, &[])), answer);
        }
        let traits = Mind::Justice(mind.clone()).draw_traits(&seed(replicate), &SeatName::new("Bob"));
        let names: Vec<&str> = traits.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["risk_aversion", "fairness", "precision", "persuasion"]);
        assert!((0..=3 * MILLION).contains(&traits[0].millionths));
        assert_eq!((traits[1].millionths, traits[3].millionths), (200_000, 500_000));
        assert_eq!(traits[2].millionths, first.0[0]);
    }
}

#[test]
fn what_was_said_stands_in_polls_and_ballots_and_names_its_amount() {
    let mind = justice([2.0, 0.0, 1.0, 0.5]);
    let empty = MindState::default();
    for replicate in 0..200 {
        let spoken = say(&mind, replicate, &query(speak(), &empty, &[]));
        let stance = chosen(&spoken);
        assert_eq!(stance.amount.is_some(), stance.alternative.0 >= 2);
        assert_eq!(chosen(&say(&mind, replicate, &query(poll(), &spoken.state, &[9, 9, 9, 9]))), stance);
        let ballot = say(&mind, replicate, &query(ask_ballot(options(), BallotForm::Choice), &spoken.state, &[]));
        assert_eq!(chosen(&ballot), stance.alternative.into());
        if let Some(amount) = stance.amount {
            let ask = Ask::Amount { alternative: stance.alternative };
            assert_eq!(say(&mind, replicate, &query(ask, &spoken.state, &[])).parsed, Ok(Reply::Amount(amount)));
        }
    }
}

#[test]
fn the_amount_heard_last_is_adopted() {
    let mind = justice([2.0, 0.0, 4.0, 0.0]);
    let state = standing(&mind, Choice { alternative: AVERAGE_FLOOR, amount: Some(12_000) });
    let mut question = query(Ask::Amount { alternative: AVERAGE_FLOOR }, &state, &[]);
    assert_eq!(say(&mind, 1, &question).parsed, Ok(Reply::Amount(12_000)));
    question.brief.heard.amounts = vec![None, None, Some((13_500, 4)), Some((9_000, 2))].into();
    assert_eq!(say(&mind, 1, &question).parsed, Ok(Reply::Amount(13_500)));
    question.ask = Ask::Amount { alternative: AVERAGE_RANGE };
    assert_eq!(say(&mind, 1, &question).parsed, Ok(Reply::Amount(9_000)));
    question.brief.heard.from = 5;
    question.ask = Ask::Amount { alternative: AVERAGE_FLOOR };
    assert_eq!(say(&mind, 1, &question).parsed, Ok(Reply::Amount(12_000)));
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn what_is_heard_moves_choices_and_what_is_not_believed_does_not() {
    let favour = |persuasion, heard: &[u32]| {
        let (mind, state) = (justice([2.0, 0.0, 4.0, persuasion]), MindState::default());
        (0..2_000).filter(|r| chosen(&say(&mind, *r, &query(poll(), &state, heard))).alternative == FLOOR).count()
    };
    let (alone, told, deaf) = (favour(1.0, &[]), favour(1.0, &[40, 0, 0, 0]), favour(0.0, &[40, 0, 0, 0]));
    assert_eq!(alone, deaf);
    assert!(told > 4 * alone.max(100), "{told} of 2 000, and {alone} alone");
}

#[test]
fn a_vote_is_called_when_the_most_heard_is_ones_own_and_at_least_half() {
    let mind = justice([2.0, 0.0, 4.0, 0.5]);
    let state = standing(&mind, AVERAGE.into());
    let calls = |state: &MindState, heard: &[u32]| assents(&say(&mind, 1, &query(Ask::VoteCall, state, heard)));
    assert!(calls(&state, &[0, 3, 0, 0]) && calls(&state, &[1, 2, 1, 0]));
    for heard in [[0, 0, 0, 0], [0, 2, 2, 0], [2, 3, 2, 0], [0, 1, 4, 0]] {
        assert!(!calls(&state, &heard), "{heard:?}");
    }
    assert!(!calls(&MindState::default(), &[0, 3, 0, 0]));
}

#[test]
fn a_vote_is_agreed_to_when_the_most_heard_is_ones_own_and_else_in_one_case_of_four() {
    let mind = justice([2.0, 0.0, 4.0, 0.5]);
    let state = standing(&mind, AVERAGE.into());
    let agree = |heard: &[u32]| {
        let ask = || Ask::Confirmation { caller: Some(SeatId(0)) };
        (0..2_000).filter(|replicate| assents(&say(&mind, *replicate, &query(ask(), &state, heard)))).count()
    };
    assert_eq!(agree(&[1, 2, 0, 0]), 2_000);
    assert!((420..580).contains(&agree(&[3, 2, 0, 0])));
}

#[test]
fn a_manipulator_declares_and_votes_what_it_pushes_and_ranks_honestly() {
    let mind = justice([0.0, 0.0, 40.0, 0.0]);
    let state = MindState::default();
    for (ask, is_pushed) in [
        (speak(), true),
        (poll(), true),
        (ask_ballot(options(), BallotForm::Choice), true),
        (Ask::Ranking { options: options() }, false),
    ] {
        let mut question = query(ask, &state, &[]);
        question.pushes = Some(FLOOR);
        let answer = say(&mind, 1, &question);
        let first = match &answer.parsed {
            Ok(Reply::Ranking { order, .. }) => order[0],
            _ => chosen(&answer).alternative,
        };
        assert_eq!(first == FLOOR, is_pushed, "{first:?}");
    }
}

#[test]
fn tests_are_answered_right() {
    let sample = Arc::new(situation("sample"));
    let question = |alternative, amount| TestQuestion { alternative, amount, answer: 1 };
    let questions = Arc::from([
        question(FLOOR, None),
        question(AVERAGE_FLOOR, Some(13_000)),
        question(AVERAGE_RANGE, Some(15_000)),
    ]);
    let state = MindState::default();
    let answer = say(
        &justice([2.0, 0.0, 4.0, 0.5]),
        1,
        &query(Ask::Comprehension { situation: sample, questions }, &state, &[]),
    );
    assert_eq!((answer.raw.as_str(), answer.parsed), ("4, 3, 2", Ok(Reply::Test(vec![4, 3, 2]))));
}

#[test]
fn a_practice_round_is_chosen_for_by_its_own_tables_and_by_nobody_else() {
    let mind = justice([0.0, 0.0, 1e6, 1.0]);
    let state = MindState::default();
    for name in ["sample", "A", "B", "C", "D"] {
        let ask = || Ask::Application { options: options(), situation: Arc::new(situation(name)) };
        for replicate in 0..20 {
            let answer = say(&mind, replicate, &query(ask(), &state, &[50, 0, 0, 0]));
            assert_eq!(answer.parsed, say(&mind, replicate, &query(ask(), &state, &[])).parsed);
            // Without risk aversion the highest mean is best, and with this precision nothing else is chosen.
            assert!(
                mind.practised.pick_table(chosen(&answer), &situation(name)).same_as_average,
                "{name}: {}",
                answer.raw
            );
        }
    }
}

#[test]
fn certainty_is_the_probability_of_the_first_choice() {
    use Certainty::{NoOpinion, Sure, Unsure, VerySure, VeryUnsure};
    for (probability, expected) in [
        (0.0, VeryUnsure),
        (0.299, VeryUnsure),
        (0.3, Unsure),
        (0.45, NoOpinion),
        (0.6, Sure),
        (0.799, Sure),
        (0.8, VerySure),
        (1.0, VerySure),
    ] {
        assert_eq!(choice_certainty(probability), expected);
    }
}

#[test]
fn words_are_as_long_as_asked_for_and_short_by_themselves() {
    let mind = justice([2.0, 0.0, 1.0, 0.5]);
    let state = MindState::default();
    for replicate in 0..50 {
        for chars_min in [0, 10, 299, 1_000] {
            let ask = ask_statement(options(), chars_min);
            let length = crate::text::char_count(&say(&mind, replicate, &query(ask, &state, &[3, 0, 0, 0])).raw);
            assert!(length >= u64::from(chars_min));
            assert!(chars_min > 10 || length <= 300, "{length}");
        }
        let thought = say(&mind, replicate, &query(Ask::Reasoning, &state, &[3, 0, 0, 0]));
        assert!(crate::text::char_count(&thought.raw) <= 300);
        assert_ne!(thought.parsed, Err(Fault::Empty));
    }
}

/// Positive incomes from the highest, and weights that sum to one million.
fn lotteries() -> impl Strategy<Value = ([u32; CLASSES], [u32; CLASSES])> {
    let table = prop::array::uniform5(1u32..200_000);
    let weights = prop::array::uniform4(1u32..=250_000 - 1);
    (table, weights.prop_map(|[a, b, c, d]| [a, b, c, d, 1_000_000 - a - b - c - d]))
}

proptest! {
    #[test]
    fn a_certainty_equivalent_lies_between_the_least_and_the_mean((table, weights) in lotteries(), risk in 0.0f64..60.0) {
        let worth = certainty_equivalent(&table, &weights, risk);
        let mean = certainty_equivalent(&table, &weights, 0.0);
        let least = f64::from(*table.iter().min().unwrap());
        prop_assert!(worth >= least * (1.0 - 1e-9) && worth <= mean * (1.0 + 1e-9), "{} {} {}", least, worth, mean);
    }

    #[test]
    fn more_risk_aversion_is_never_worth_more((table, weights) in lotteries(), risk in 0.0f64..40.0, more in 0.001f64..5.0) {
        let worth = |risk| certainty_equivalent(&table, &weights, risk);
        prop_assert!(worth(risk + more) <= worth(risk) * (1.0 + 1e-9));
    }

    #[test]
    fn incomes_times_ten_are_worth_ten_times_as_much((table, weights) in lotteries(), risk in 0.0f64..20.0) {
        let tenfold = certainty_equivalent(&table.map(|income| income * 10), &weights, risk);
        let once = certainty_equivalent(&table, &weights, risk);
        prop_assert!((tenfold / once - 10.0).abs() < 1e-6);
    }

    #[test]
    fn logarithmic_utility_is_the_limit_from_both_sides((table, weights) in lotteries()) {
        let worth = |risk| certainty_equivalent(&table, &weights, risk);
        prop_assert!((worth(1.0 - 1e-6) / worth(1.0) - 1.0).abs() < 1e-4);
        prop_assert!((worth(1.0 + 1e-6) / worth(1.0) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn shares_sum_to_one_and_follow_utility(utilities in prop::collection::vec(0.0f64..1.0, 1..6), precision in 0.0f64..50.0) {
        let shares = quantal_shares(&utilities, precision);
        prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for (a, share_a) in utilities.iter().zip(&shares) {
            for (b, share_b) in utilities.iter().zip(&shares) {
                prop_assert!(a > b || share_a <= share_b);
            }
        }
    }
}
