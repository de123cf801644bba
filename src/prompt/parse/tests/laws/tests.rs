//! Laws of reading: whatever is written, nothing panics; what the schema allows has a form that can be read.

use super::*;
use crate::domain::{Ballot, Opinion, Scored};
use crate::prompt::schema;

/// Says a ballot that says more than one choice.
fn render_ballot(ballot: &Ballot<String>, say: &mut dyn FnMut(&str, &str, Value, String)) {
    match ballot {
        Ballot::Approval(names) => {
            let word = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            say("approves", "APPROVES", names.clone().into(), word);
        }
        Ballot::Ranking(levels) => {
            let words: Vec<String> = levels.iter().map(|level| level.join(" = ")).collect();
            say("ranking", "RANKING", levels.clone().into(), words.join(" > "));
        }
        Ballot::Score(scores) => {
            let words: Vec<String> = scores.iter().map(|one| format!("{} = {}", one.alternative, one.score)).collect();
            let pairs = scores.iter().map(|one| (one.alternative.clone(), Value::from(one.score)));
            say("scores", "SCORES", Value::Object(pairs.collect()), words.join(", "));
        }
    }
}

fn render_abstention(ask: &Ask, say: &mut dyn FnMut(&str, &str, serde_json::Value, String)) {
    let (key, anchor) = crate::prompt::abstention::place(ask).unwrap();
    say(key, anchor.trim_end_matches(':'), "abstain".into(), "abstain".to_owned());
}

/// The reply in the words that a well-behaved model would use.
fn render(ask: &Ask, reply: &Reply, motion: &Motion, form: AnswerForm) -> String {
    let name = |id: AlternativeId| motion.name(id).to_string();
    let mut object = serde_json::Map::new();
    let mut lines = Vec::new();
    let mut say = |key: &str, anchor: &str, value: serde_json::Value, word: String| {
        object.insert(key.to_owned(), value);
        lines.push(format!("{anchor}: {word}"));
    };
    let amounts = motion.amount_max.is_some() && !matches!(ask, Ask::Ballot { .. });
    let amount_word = |amount: Option<u32>| amount.map_or("none".to_owned(), |amount| amount.to_string());
    match reply {
        Reply::Statement { text, stance, opinion } => {
            let word = stance.map_or("none".to_owned(), |stance| name(stance.alternative));
            say("stance", "STANCE", stance.map(|stance| name(stance.alternative)).into(), word);
            if amounts {
                let amount = stance.and_then(|stance| stance.amount);
                say("amount", "AMOUNT", amount.into(), amount_word(amount));
            }
            if let Some(opinion) = opinion {
                let hundredths = opinion.billionths() / 10_000_000;
                say("opinion", "OPINION", hundredths.into(), hundredths.to_string());
            }
            say("statement", "STATEMENT", text.as_str().into(), text.clone());
        }
        Reply::Choice(choice) | Reply::Opined(choice, _) => {
            say("choice", "CHOICE", name(choice.alternative).into(), name(choice.alternative));
            if amounts {
                say("amount", "AMOUNT", choice.amount.into(), amount_word(choice.amount));
            }
            if let Reply::Opined(_, opinion) = reply {
                let hundredths = opinion.billionths() / 10_000_000;
                say("opinion", "OPINION", hundredths.into(), hundredths.to_string());
            }
        }
        Reply::Ballot(ballot) => render_ballot(&ballot.map(|id| name(*id)), &mut say),
        Reply::Abstention => render_abstention(ask, &mut say),
        Reply::Amount(amount) => say("amount", "AMOUNT", (*amount).into(), amount.to_string()),
        Reply::Ranking { order, certainty } => {
            let names: Vec<String> = order.iter().map(|id| name(*id)).collect();
            say("ranking", "RANKING", names.clone().into(), names.join(" > "));
            say("certainty", "CERTAINTY", certainty.as_str().into(), certainty.as_str().to_owned());
        }
        Reply::Application { choice, certainty, reasoning } => {
            say("choice", "CHOICE", name(choice.alternative).into(), name(choice.alternative));
            say("amount", "AMOUNT", choice.amount.into(), amount_word(choice.amount));
            say("certainty", "CERTAINTY", certainty.as_str().into(), certainty.as_str().to_owned());
            say("reasoning", "REASONING", reasoning.as_str().into(), reasoning.clone());
        }
        Reply::Test(answers) => {
            let words = answers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            say("answers", "ANSWERS", answers.clone().into(), words);
        }
        Reply::Assent(yes) => say("answer", "ANSWER", yes_no(*yes).into(), yes_no(*yes).to_owned()),
        Reply::Urgency(urgency) => say("urgency", "URGENCY", (*urgency).into(), amount_word(*urgency)),
        Reply::Note(text) if form != AnswerForm::JsonSchema => return text.clone(),
        Reply::Note(text) => say("text", "", text.as_str().into(), String::new()),
        Reply::Name(name) => say("name", "NAME", name.as_str().into(), name.clone()),
        Reply::Recognition { recognised, recognised_as } => {
            say("recognised", "RECOGNISED", yes_no(*recognised).into(), yes_no(*recognised).to_owned());
            let which = recognised_as.clone();
            say("which", "WHICH", which.clone().into(), which.unwrap_or("none".to_owned()));
        }
        Reply::Notes(_) => unreachable!("notes have tests of their own"),
        Reply::Pass | Reply::Inquiry(_) => unreachable!("a model cannot pass, and there is nothing to look up"),
    }
    match form {
        AnswerForm::JsonSchema => serde_json::Value::Object(object).to_string(),
        AnswerForm::Anchored | AnswerForm::Typed => lines.join("\n"),
    }
}

fn yes_no(yes: impl Into<usize>) -> &'static str {
    ["no", "yes"][yes.into()]
}

fn forms() -> impl Strategy<Value = AnswerForm> {
    prop_oneof![Just(AnswerForm::JsonSchema), Just(AnswerForm::Anchored), Just(AnswerForm::Typed)]
}

fn asks() -> impl Strategy<Value = Ask> {
    prop::sample::select(every_ask())
}

/// Words that the anchored form can carry: no line looks like an anchor, and all lines end alike.
fn words() -> impl Strategy<Value = String> {
    any::<String>()
        .prop_map(|words| words.replace('\r', " ").replace(':', ";").trim().to_owned())
        .prop_filter("something is said", |words| !words.is_empty())
}

/// Choices with an amount where the alternative takes one, and perhaps without one even there.
fn choices(amount_max: u32, amounts: f64) -> impl Strategy<Value = Choice> {
    (0u32..4, 1..=amount_max, prop::bool::weighted(amounts)).prop_map(|(id, amount, given)| Choice {
        alternative: AlternativeId(id),
        amount: (given && id >= 2).then_some(amount),
    })
}

fn certainties() -> impl Strategy<Value = Certainty> {
    prop::sample::select(Certainty::ALL.to_vec())
}

/// Ballots that say more than one choice, each for a question that admits it.
fn ballots() -> impl Strategy<Value = (Ask, Reply)> {
    let with = |form: BallotForm| {
        move |ballot: Ballot<AlternativeId>| {
            (Ask::Ballot { options: all(), form, may_abstain: false }, Reply::Ballot(ballot))
        }
    };
    let in_order = |mut ids: Vec<AlternativeId>| {
        ids.sort_unstable();
        ids
    };
    let strict = Just(all()).prop_shuffle().prop_map(|order| order.into_iter().map(|one| vec![one]).collect());
    let weak = (Just(all()).prop_shuffle(), 1usize..=4, prop::collection::vec(1usize..=4, 4)).prop_map(
        |(mut order, ranked, cuts)| {
            order.truncate(ranked);
            let mut levels = Vec::new();
            for cut in cuts {
                let rest = order.split_off(cut.min(order.len()));
                levels.extend(Some(std::mem::replace(&mut order, rest)).filter(|level| !level.is_empty()));
            }
            levels
        },
    );
    let scores = prop::collection::vec(0u32..=5, 4).prop_map(move |scores| {
        let scored = in_order(all()).into_iter().zip(scores);
        Ballot::Score(scored.map(|(alternative, score)| Scored { alternative, score }).collect())
    });
    prop_oneof![
        prop::sample::subsequence(in_order(all()), 0..=4)
            .prop_map(Ballot::Approval)
            .prop_map(with(BallotForm::Approval)),
        strict.prop_map(Ballot::Ranking).prop_map(with(BallotForm::Ranking { ties: false, truncated: false })),
        weak.prop_map(Ballot::Ranking).prop_map(with(BallotForm::Ranking { ties: true, truncated: true })),
        scores.prop_map(with(BallotForm::Score { max: 5 })),
    ]
}

/// A question and an admissible reply to it.
fn answered() -> impl Strategy<Value = (Ask, Reply)> {
    let with = |ask: Ask| move |reply: Reply| (ask.clone(), reply);
    let statement = (words(), prop::option::of(choices(100_000, 0.5))).prop_map(|(text, stance)| Reply::Statement {
        text,
        stance,
        opinion: None,
    });
    let ranking =
        (Just(all()).prop_shuffle(), certainties()).prop_map(|(order, certainty)| Reply::Ranking { order, certainty });
    let application = (choices(32_000, 1.0), certainties(), words())
        .prop_map(|(choice, certainty, reasoning)| Reply::Application { choice, certainty, reasoning });
    let opinions = || (0u32..=100).prop_map(|hundredths| Opinion::percent(hundredths).unwrap());
    let opined = (words(), prop::option::of(choices(100_000, 0.5)), opinions())
        .prop_map(|(text, stance, opinion)| Reply::Statement { text, stance, opinion: Some(opinion) });
    let polled = (choices(100_000, 0.5), opinions()).prop_map(|(choice, opinion)| Reply::Opined(choice, opinion));
    prop_oneof![
        ballots(),
        opined.prop_map(with(Ask::Statement {
            options: all(),
            chars_min: 1,
            chars_max: None,
            marks: false,
            opinion: true
        })),
        polled.prop_map(with(Ask::StrawPoll { options: all(), opinion: true })),
        statement.prop_map(with(Ask::Statement {
            options: all(),
            chars_min: 1,
            chars_max: None,
            marks: false,
            opinion: false
        })),
        choices(100_000, 0.5).prop_map(Reply::Choice).prop_map(with(Ask::StrawPoll { options: all(), opinion: false })),
        (0u32..4).prop_map(|id| Reply::Choice(choice(id, None))).prop_map(with(Ask::Ballot {
            options: all(),
            form: BallotForm::Choice,
            may_abstain: false
        })),
        prop::sample::select(vec![
            BallotForm::Choice,
            BallotForm::Approval,
            BallotForm::Ranking { ties: false, truncated: false },
            BallotForm::Ranking { ties: true, truncated: true },
            BallotForm::Score { max: 5 },
        ])
        .prop_map(|form| (Ask::Ballot { options: all(), form, may_abstain: true }, Reply::Abstention)),
        (1u32..=100_000)
            .prop_map(Reply::Amount)
            .prop_map(with(Ask::Amount { alternative: AlternativeId(2), pool: None })),
        ranking.prop_map(with(Ask::Ranking { options: all() })),
        prop::collection::vec(1u32..=4, 3).prop_map(Reply::Test).prop_map(with(test_ask())),
        application.prop_map(with(application_ask())),
        prop::option::of(0u32..=10).prop_map(Reply::Urgency).prop_map(with(Ask::Volunteer)),
        any::<bool>().prop_map(Reply::Assent).prop_map(with(Ask::VoteCall)),
        words().prop_map(Reply::Note).prop_map(with(Ask::Reasoning)),
        (any::<bool>(), prop::option::of(words()))
            .prop_map(|(recognised, recognised_as)| Reply::Recognition { recognised, recognised_as })
            .prop_map(with(Ask::Recognition)),
    ]
}

/// A value that a schema of [`schema`] allows.
fn under(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(options) = schema["enum"].as_array() {
        return prop::sample::select(options.clone()).boxed();
    }
    let bound = |key: &str| schema[key].as_u64().unwrap_or(0) as usize;
    let or_null = schema["type"][0].as_str().map(|kind| format!("{kind} or null"));
    let kind = schema["type"].as_str().or(or_null.as_deref()).unwrap_or("no type");
    match kind {
        "string or null" => {
            let any = prop::collection::vec(any::<char>(), 0..=bound("maxLength"));
            prop_oneof![Just(Value::Null), any.prop_map(|chars| Value::from(String::from_iter(chars)))].boxed()
        }
        "string" => prop::collection::vec(any::<char>(), bound("minLength")..=bound("maxLength"))
            .prop_map(|chars| Value::from(String::from_iter(chars)))
            .boxed(),
        "integer" => (bound("minimum")..=bound("maximum")).prop_map(Value::from).boxed(),
        "integer or null" => {
            prop_oneof![Just(Value::Null), (bound("minimum")..=bound("maximum")).prop_map(Value::from)].boxed()
        }
        "array" => prop::collection::vec(under(&schema["items"]), bound("minItems")..=bound("maxItems"))
            .prop_map(Value::from)
            .boxed(),
        "object" => {
            let fields = schema["properties"].as_object().unwrap().clone();
            let values: Vec<_> = fields.iter().map(|(name, field)| (Just(name.clone()), under(field))).collect();
            values.prop_map(|values| Value::Object(values.into_iter().collect())).boxed()
        }
        other => panic!("{other} is in no schema"),
    }
}

fn replies_under_schema() -> impl Strategy<Value = (Ask, Value)> {
    asks().prop_flat_map(|ask| {
        let schema = schema(&ask, &principles(), 60);
        (Just(ask), under(&schema))
    })
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(ask in asks(), form in forms(), raw in any::<String>()) {
        let _ = parse(&ask, &principles(), form, &raw);
        let _ = parse(&ballot_ask(), &motion(), form, &raw);
    }

    #[test]
    fn no_text_near_the_form_makes_the_parser_panic(
        ask in asks(),
        form in forms(),
        raw in "(CHOICE:|STANCE:|STATEMENT:|AMOUNT:|RANKING:|CERTAINTY:|ANSWERS?:|REASONING:|[{}\\[\\]\":,=>$k0-9. \n]|statement|stance\
                |choice|amount|ranking|certainty|answers?|floor|average|sure|yes|é|null|none){0,20}",
    ) {
        let _ = parse(&ask, &principles(), form, &raw);
    }

    #[test]
    fn no_text_is_an_amount_but_figures(text in "[$ ]{0,2}[0-9]{0,3}[,.]?[0-9]{0,4}[kK]?[a-z ]{0,2}") {
        if let Ok(amount) = read_amount(&text, Default::default()) {
            let figures: String = text.chars().filter(char::is_ascii_digit).collect();
            let dot = text.contains('.');
            prop_assert!(!dot || text.trim().to_lowercase().ends_with('k'), "{} {}", text, amount);
            if !text.to_lowercase().contains('k') {
                prop_assert_eq!(figures.parse::<u32>().unwrap(), amount);
            }
        }
    }

    #[test]
    fn every_reply_survives_its_rendering((ask, reply) in answered(), form in forms()) {
        let raw = render(&ask, &reply, &principles(), form);
        prop_assert_eq!(parse(&ask, &principles(), form, &raw), Ok(reply), "{}", raw);
    }

    #[test]
    fn a_statement_without_amounts_survives_its_rendering(
        text in words(),
        stance in prop::option::of((0u32..2).prop_map(|id| choice(id, None))),
        form in forms(),
    ) {
        let ask = statement_ask(0);
        let reply = Reply::Statement { text, stance, opinion: None };
        let raw = render(&ask, &reply, &motion(), form);
        prop_assert_eq!(parse(&ask, &motion(), form, &raw), Ok(reply));
    }

    /// What the schema allows parses. It cannot tell which names take an amount, nor that a name stands twice, nor that
    /// all characters of a statement or note are blank; those are the faults that are left.
    #[test]
    fn a_reply_under_the_schema_is_readable((ask, value) in replies_under_schema()) {
        match (parse(&ask, &principles(), AnswerForm::JsonSchema, &value.to_string()), &ask) {
            (Ok(_), _) => {}
            (Err(Fault::NotARanking), Ask::Ranking { .. }) => {
                let mut names: Vec<_> = value["ranking"].as_array().unwrap().iter().map(Value::to_string).collect();
                names.sort();
                names.dedup();
                prop_assert!(names.len() < 4, "{}", value);
            }
            (Err(Fault::NotARanking), Ask::Ballot { form: BallotForm::Ranking { .. }, .. })
            | (Err(Fault::NamedTwice), Ask::Ballot { form: BallotForm::Approval, .. }) => {
                let levels = value["ranking"].as_array().or(value["approves"].as_array()).unwrap();
                let level = |level: &Value| level.as_array().cloned().unwrap_or_else(|| vec![level.clone()]);
                let mut names: Vec<String> = levels.iter().flat_map(level).map(|name| name.to_string()).collect();
                let named = names.len();
                names.sort();
                names.dedup();
                prop_assert!(names.len() < named, "{}", value);
            }
            (Err(Fault::AmountUncalledFor), Ask::Statement { .. } | Ask::StrawPoll { .. } | Ask::Application { .. }) => {
                let named = value["choice"].as_str().or(value["stance"].as_str()).unwrap_or("none");
                prop_assert!(value["amount"].is_number() && ["floor", "average", "none"].contains(&named), "{}", value);
            }
            (Err(Fault::AmountMissing), Ask::Application { .. }) => {
                prop_assert!(value["amount"].is_null() && value["choice"].as_str().unwrap().len() > 8, "{}", value);
            }
            (Err(Fault::Empty), Ask::Statement { .. }) => {
                prop_assert!(value["statement"].as_str().unwrap().trim().is_empty(), "{}", value);
            }
            (Err(Fault::Empty), ask) if is_note(ask) => {
                prop_assert!(value["text"].as_str().unwrap().trim().is_empty(), "{}", value);
            }
            (Err(fault), _) => prop_assert!(false, "{:?}: {}", fault, value),
        }
    }
}

/// Texts of a megabyte that are hard on a parser that looks twice, each made of one piece.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_megabyte_is_read_in_one_go() {
    let pieces = [
        "x",
        " ",
        "\n",
        "[",
        "{\"a\":",
        "CHOICE: floor\n",
        "AMOUNT: 1\n",
        "STATEMENT:\n",
        "STANCE: none\nSTATEMENT: x\n",
        "RANKING: floor > ",
        "floor>",
        "floor=",
        "1,",
        "9",
        "ANSWER: yes\n",
        "ANSWERS: 1,",
        "REASONING: x\n",
        "日本",
        "\u{301}",
    ];
    let starts = [
        "RANKING: ",
        "AMOUNT: ",
        "ANSWERS: ",
        "STANCE: none\nSTATEMENT: ",
        "{\"amount\": \"",
        "{\"ranking\": [\"floor\", \"",
    ];
    let read = |raw: &str| {
        for ask in every_ask() {
            for form in [AnswerForm::JsonSchema, AnswerForm::Anchored] {
                let _ = parse(&ask, &principles(), form, raw);
            }
        }
    };
    for piece in pieces {
        read(&piece.repeat(1_000_000 / piece.len()));
        for start in starts {
            read(&format!("{start}{}", piece.repeat(50_000 / piece.len())));
        }
    }
    let words = "word ".repeat(200_000);
    let ask = Ask::Statement { options: all(), chars_min: 10, chars_max: None, marks: false, opinion: false };
    let raw = serde_json::json!({ "statement": words, "stance": null, "amount": null }).to_string();
    let read = Ok(Reply::Statement { text: words.trim().to_owned(), stance: None, opinion: None });
    assert_eq!(parse(&ask, &principles(), AnswerForm::JsonSchema, &raw), read);
}
