//! What a seat may ask to see before it answers, as a model is told it and as its reply says it.
//!
//! In JSON it is a field beside the others, `"look_up"` or `"page"`, which is `null` where nothing is asked for; in the anchored
//! form it is a line, `LOOK_UP: …` or `PAGE: …`. A reply that asks to see something is no answer, whatever else it says.

use serde_json::{Value, json};

use crate::domain::{Ask, Fault, Found, Inquiry, Language, Language::*, Motion, Offer, Reply};
use crate::memory::notice;
use crate::prompt::AnswerForm;
use crate::prompt::anchors::behind;
use crate::prompt::facts::Facts;
use crate::prompt::members::{Members, write_members};
use crate::prompt::parse::{UnfitReply, parse_by_field};
use crate::prompt::templates::form_word;
use crate::text::join_lines;

/// The longest that a model may ask for, in characters.
const CHARS_MAX: u32 = 200;

/// Reads a reply to a question at which a seat may ask to see something first.
///
/// # Errors
/// Those of [`parse`](super::parse), and [`Fault::Ambiguous`] where it asks for more than one thing.
pub fn read(offer: Offer, ask: &Ask, motion: &Motion, form: AnswerForm, raw: &str) -> Result<Reply, UnfitReply> {
    if offer == Offer::NONE || raw.trim().is_empty() {
        return parse_by_field(ask, motion, form, raw);
    }
    let (asked, rest) = match form {
        AnswerForm::JsonSchema => fields(offer, raw, motion.language).map_err(UnfitReply::of_whole)?,
        AnswerForm::Anchored | AnswerForm::Typed => lines(offer, raw, motion.language),
    };
    match asked.as_slice() {
        [] => parse_by_field(ask, motion, form, &rest),
        [one] => Ok(Reply::Inquiry(one.clone())),
        _ => Err(UnfitReply::of_whole(Fault::Ambiguous)),
    }
}

/// Lays what may be asked for into the schema of a reply, before all else: it is to be decided first.
pub fn offered(mut schema: Value, offer: Offer) -> Value {
    let keys = keys(offer);
    let may = || json!({ "type": ["string", "null"], "maxLength": CHARS_MAX });
    if let Some(properties) = schema["properties"].as_object_mut() {
        let others = std::mem::take(properties);
        properties.extend(keys.iter().map(|(key, _)| ((*key).to_owned(), may())));
        properties.extend(others);
    }
    if let Some(required) = schema["required"].as_array_mut() {
        required.splice(0..0, keys.iter().map(|(key, _)| Value::from(*key)));
    }
    schema
}

/// The heading of what a seat is shown because it asked to see it.
pub(super) fn heading(found: &Found<'_>, language: Language) -> String {
    let (Inquiry::LookUp(words) | Inquiry::Page(words)) = found.inquiry;
    let words = join_lines(words);
    match (found.inquiry, found.page) {
        (Inquiry::LookUp(_), _) if found.remarks.is_empty() => match language {
            En => format!("You looked up \"{words}\" and found nothing."),
            Es => format!("Usted buscó \"{words}\" y no encontró nada."),
            Zh => format!("你查找了“{words}”，没有找到任何内容。"),
        },
        (Inquiry::LookUp(_), _) => match language {
            En => format!("You looked up \"{words}\" and found:"),
            Es => format!("Usted buscó \"{words}\" y encontró:"),
            Zh => format!("你查找了“{words}”，找到："),
        },
        (Inquiry::Page(_), Some(page)) => notice::page_text(&words, page.trim_end(), language),
        (Inquiry::Page(_), None) => match language {
            En => format!("There is no page \"{words}\" to be shown."),
            Es => format!("No hay ninguna página \"{words}\" que mostrar."),
            Zh => format!("没有名为“{words}”的页面可以显示。"),
        },
    }
}

/// The template that tells a model what it may ask for; a pack need not have it.
pub(super) const TEMPLATE: &str = "look_up";

/// What a template is told of an offer.
pub(super) fn facts(facts: Facts, offer: Offer, form: AnswerForm) -> Facts {
    facts.with("form", form_word(form)).with("can_look_up", offer.look_up).with("can_page", offer.page)
}

/// What a model is told that it may ask for, where the pack has no words of its own.
pub(super) fn words(offer: Offer, form: AnswerForm, language: Language) -> String {
    let kinds = [(offer.look_up, "look_up"), (offer.page, "page")];
    let told = kinds.into_iter().filter(|(is_offered, _)| *is_offered).map(|(_, key)| {
        let (what, line, value) = kind_words(key, language);
        match (form, language) {
            (AnswerForm::JsonSchema, En) => format!(
                "Once, you may first {what}: give \"{key}\" {value}, and the rest of your reply does not count; else give it null."
            ),
            (AnswerForm::JsonSchema, Es) => format!(
                "Una vez puede usted primero {what}: ponga en \"{key}\" {value}, y el resto de su respuesta no cuenta; si no, ponga null."
            ),
            (AnswerForm::JsonSchema, Zh) => format!(
                "你可以先{what}，只限一次：在\"{key}\"中填写{value}，这时回复的其余部分不算；否则填 null。"
            ),
            (AnswerForm::Anchored | AnswerForm::Typed, En) => format!("Once, you may first {what}, with this line and no other:\n{line}"),
            (AnswerForm::Anchored | AnswerForm::Typed, Es) => {
                format!("Una vez puede usted primero {what}, con esta línea y ninguna otra:\n{line}")
            }
            (AnswerForm::Anchored | AnswerForm::Typed, Zh) => format!("你可以先{what}，只限一次，只写这一行：\n{line}"),
        }
    });
    told.collect::<Vec<String>>().join("\n")
}

/// What a seat may do with a key, the line that does it in the anchored form, and the value of the key.
fn kind_words(key: &str, language: Language) -> (&'static str, &'static str, &'static str) {
    match (key, language) {
        ("page", En) => ("read a page of an exhibit", "PAGE: (the name of the page)", "the name of the page"),
        ("page", Es) => {
            ("leer una página de un documento", "PÁGINA: (el nombre de la página)", "el nombre de la página")
        }
        ("page", Zh) => ("阅读一份资料的一个页面", "页面：（页面的名称）", "页面的名称"),
        (_, En) => ("look up what was said before", "LOOK_UP: (the words to look for)", "the words to look for"),
        (_, Es) => ("buscar lo que se dijo antes", "BUSCAR: (las palabras que busca)", "las palabras que busca"),
        (_, Zh) => ("查找以前说过的话", "查找：（要查找的词）", "要查找的词"),
    }
}

/// The keys and anchors of what is offered.
pub(super) fn keys(offer: Offer) -> Vec<(&'static str, &'static str)> {
    let all = [(offer.look_up, ("look_up", "LOOK_UP:")), (offer.page, ("page", "PAGE:"))];
    all.into_iter().filter(|(is_offered, _)| *is_offered).map(|(_, key)| key).collect()
}

fn inquiry(key: &str, words: &str, language: Language) -> Option<Inquiry> {
    let words = words.trim();
    let is_nothing = words.is_empty() || language.is_none(words);
    let asked = |words: &str| match key {
        "page" => Inquiry::Page(words.to_owned()),
        _ => Inquiry::LookUp(words.to_owned()),
    };
    (!is_nothing).then(|| asked(words))
}

/// What an object asks for, and the object without the keys for that.
fn fields(offer: Offer, raw: &str, language: Language) -> Result<(Vec<Inquiry>, String), Fault> {
    let Ok(Members(members)) = serde_json::from_str(raw) else {
        return Ok((Vec::new(), raw.to_owned()));
    };
    let (mut asked, mut rest, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    let keys = keys(offer);
    for (key, value) in members {
        if !keys.iter().any(|(known, _)| *known == key) {
            rest.push((key, value));
            continue;
        }
        match &value {
            _ if seen.contains(&key) => return Err(Fault::Unreadable),
            Value::Null => {}
            Value::String(words) => asked.extend(inquiry(&key, words, language)),
            _ => return Err(Fault::Unreadable),
        }
        seen.push(key);
    }
    Ok((asked, write_members(rest)))
}

/// What lines ask for, and the text without them.
fn lines(offer: Offer, raw: &str, language: Language) -> (Vec<Inquiry>, String) {
    let (mut asked, mut rest): (Vec<Inquiry>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in raw.lines() {
        let anchored =
            keys(offer).into_iter().find_map(|(key, anchor)| Some((key, behind(line.trim_start(), anchor, language)?)));
        match anchored {
            Some((key, words)) => asked.extend(inquiry(key, words, language).filter(|one| !asked.contains(one))),
            None => rest.push(line),
        }
    }
    (asked, rest.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::AlternativeId;
    use crate::domain::tests::{make_alternative, make_motion};

    const BOTH: Offer = Offer { look_up: true, page: true };

    fn motion() -> Motion {
        make_motion("", ["for", "against"].map(|name| make_alternative(name, "")).to_vec(), None)
    }

    fn told(offer: Offer, form: AnswerForm, raw: &str) -> Result<Reply, Fault> {
        let ask = Ask::StrawPoll { options: vec![AlternativeId(0), AlternativeId(1)], opinion: false };
        read(offer, &ask, &motion(), form, raw).map_err(|unfit| unfit.fault)
    }

    #[test]
    fn a_reply_that_asks_to_see_something_is_no_answer_and_one_that_asks_for_nothing_is() {
        let choice = || Ok(Reply::Choice(AlternativeId(0).into()));
        let words = |words: &str| Ok(Reply::Inquiry(Inquiry::LookUp(words.to_owned())));
        let page = || Ok(Reply::Inquiry(Inquiry::Page("report 3".to_owned())));
        let only_words = Offer { page: false, ..BOTH };
        let (json, anchored) = (AnswerForm::JsonSchema, AnswerForm::Anchored);
        for (offer, form, raw, reply) in [
            (BOTH, json, r#"{"look_up": null, "page": null, "choice": "for"}"#, choice()),
            (BOTH, json, r#"{"choice": "for"}"#, choice()),
            (BOTH, json, r#"{"look_up": " ", "choice": "for"}"#, choice()),
            (BOTH, json, r#"{"look_up": "the cost", "page": null, "choice": "for"}"#, words("the cost")),
            (BOTH, json, r#"{"look_up": "the cost"}"#, words("the cost")),
            (BOTH, json, r#"{"page": "report 3", "choice": "no such thing"}"#, page()),
            (BOTH, json, r#"{"page": "report 3", "look_up": "the cost"}"#, Err(Fault::Ambiguous)),
            (BOTH, json, r#"{"page": 3, "choice": "for"}"#, Err(Fault::Unreadable)),
            (BOTH, json, r#"{"look_up": null, "look_up": "x", "choice": "for"}"#, Err(Fault::Unreadable)),
            (BOTH, json, r#"{"choice": "for", "choice": "against"}"#, Err(Fault::Unreadable)),
            (only_words, json, r#"{"page": "report 3", "choice": "for"}"#, Err(Fault::Unreadable)),
            (Offer::NONE, json, r#"{"look_up": "the cost"}"#, Err(Fault::Unreadable)),
            (BOTH, json, "for", Err(Fault::Unreadable)),
            (BOTH, json, "", Err(Fault::Empty)),
            (BOTH, anchored, "LOOK_UP: the cost", words("the cost")),
            (BOTH, anchored, "LOOK_UP: none\nCHOICE: for", choice()),
            (BOTH, anchored, " PAGE: report 3 \nCHOICE: for", page()),
            (BOTH, anchored, "PAGE: report 3\nLOOK_UP: x", Err(Fault::Ambiguous)),
            (BOTH, anchored, "LOOK_UP: x\nLOOK_UP: x", words("x")),
            (Offer::NONE, anchored, "LOOK_UP: x\nCHOICE: for", choice()),
        ] {
            assert_eq!(told(offer, form, raw), reply, "{raw}");
        }
    }

    #[test]
    fn what_may_be_asked_for_stands_first_in_the_schema() {
        let ask = Ask::StrawPoll { options: vec![AlternativeId(0)], opinion: false };
        let schema = offered(super::super::schema(&ask, &motion(), 40), BOTH);
        assert_eq!(schema["required"], json!(["look_up", "page", "choice"]));
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["look_up", "page", "choice"]);
        assert_eq!(schema["properties"]["page"]["type"], json!(["string", "null"]));
    }
}
