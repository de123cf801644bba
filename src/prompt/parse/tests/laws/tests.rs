//! Laws of reading: whatever is written, nothing panics; what the form or the schema allows can be read.

use serde_json::Value;

use super::*;
use crate::prompt::{read_amount, schema};
use crate::question::tests::{draw_values, write_json, write_typed};
use crate::question::write_lines;

fn forms() -> impl Strategy<Value = AnswerForm> {
    prop_oneof![Just(AnswerForm::JsonSchema), Just(AnswerForm::Anchored), Just(AnswerForm::Typed)]
}

fn asks() -> impl Strategy<Value = Ask> {
    prop::sample::select(every_ask())
}

/// A value that a schema of [`schema`] allows.
fn under(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(options) = schema["enum"].as_array() {
        return prop::sample::select(options.clone()).boxed();
    }
    if let Some(either) = schema["anyOf"].as_array() {
        return prop::strategy::Union::new(either.iter().map(under)).boxed();
    }
    let bound = |key: &str| schema[key].as_u64().unwrap_or(0) as usize;
    let or_null = schema["type"][0].as_str().map(|kind| format!("{kind} or null"));
    let kind = schema["type"].as_str().or(or_null.as_deref()).unwrap_or("no type");
    match kind {
        "null" => Just(Value::Null).boxed(),
        "string or null" => {
            let any = prop::collection::vec(any::<char>(), 0..=bound("maxLength"));
            prop_oneof![Just(Value::Null), any.prop_map(|chars| Value::from(String::from_iter(chars)))].boxed()
        }
        "string" => prop::collection::vec(any::<char>(), bound("minLength")..=bound("maxLength"))
            .prop_map(|chars| Value::from(String::from_iter(chars)))
            .boxed(),
        "integer" => (bound("minimum")..=bound("maximum")).prop_map(Value::from).boxed(),
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
    fn what_a_form_allows_means_the_same_in_all_three_ways(ask in asks(), lots in prop::collection::vec(any::<u64>(), 4)) {
        let form = build_form(&ask, &principles(), TextRoom::Tokens(60));
        let values = draw_values(&form, &lots);
        let written = write_json(&form, &values);
        let reply = parse(&ask, &principles(), AnswerForm::JsonSchema, &written);
        let is_amount = |fault: &Fault| matches!(fault, Fault::AmountMissing | Fault::AmountUncalledFor);
        prop_assert!(reply.is_ok() || reply.as_ref().is_err_and(is_amount), "{}: {:?}", &written, &reply);
        for (form, written) in [
            (AnswerForm::Anchored, write_lines(&form, &values)),
            (AnswerForm::Typed, write_typed(&form, &values)),
        ] {
            prop_assert_eq!(&parse(&ask, &principles(), form, &written), &reply, "{}", &written);
        }
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
            (Err(Fault::WrongTotal), Ask::Ballot { form: BallotForm::Allocation { points }, .. }) => {
                let total: u64 = value["points"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
                prop_assert!(total != u64::from(*points), "{}", value);
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
    let read = Ok(Reply::Statement { text: words.trim().into(), stance: None, opinion: None });
    assert_eq!(parse(&ask, &principles(), AnswerForm::JsonSchema, &raw), read);
}
