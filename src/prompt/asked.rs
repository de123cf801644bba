//! The words that put a form to a seat, say how to reply, and say what was wrong with a reply, in the program's own words. The Spanish
//! and Chinese ones were not read by a native speaker.

use crate::domain::{Decimal, Fault, Field, FieldKind, Form, FormAsked, Language, Language::*, Presence};
use crate::prompt::AnswerForm;
use crate::prompt::voting::Hearers;

/// The questions of a form, numbered if there are several.
pub(super) fn write_questions(asked: &FormAsked) -> String {
    match asked.questions.as_slice() {
        [only] => only.clone(),
        several => {
            let numbered = several.iter().zip(1..).map(|(question, number)| format!("{number}. {question}"));
            numbered.collect::<Vec<_>>().join("\n")
        }
    }
}

/// Who hears the answers to a form; `None` if nobody does.
pub(super) fn write_answer_hearers(hearers: &Hearers<'_>, language: Language) -> Option<String> {
    Some(match (hearers, language) {
        (Hearers::Seats(names), _) if names.is_empty() => return None,
        (Hearers::Everyone, En) => "Everyone hears your answer.".to_owned(),
        (Hearers::Everyone, Es) => "Todos oyen su respuesta.".to_owned(),
        (Hearers::Everyone, Zh) => "所有人都会听到你的回答。".to_owned(),
        (Hearers::Seats(names), En) => format!("These members hear your answer: {}.", names.join(", ")),
        (Hearers::Seats(names), Es) => format!("Estos miembros oyen su respuesta: {}.", names.join(", ")),
        (Hearers::Seats(names), Zh) => format!("以下成员会听到你的回答：{}。", names.join("、")),
        (Hearers::Undisclosed, En) => "Perhaps some members hear your answer.".to_owned(),
        (Hearers::Undisclosed, Es) => "Quizá algunos miembros oigan su respuesta.".to_owned(),
        (Hearers::Undisclosed, Zh) => "可能有部分成员会听到你的回答。".to_owned(),
    })
}

/// How to reply to a form.
pub(super) fn write_reply_form(form: &Form, answer_form: AnswerForm) -> String {
    let language = form.language;
    let is_json = answer_form == AnswerForm::JsonSchema;
    let fields = form.fields.iter().map(|field| {
        let what = describe_field(field, language, answer_form);
        match (is_json, field.is_whole_reply()) {
            (true, _) => format!("\"{}\": {what}", field.id),
            (false, true) => what,
            (false, false) => format!("{}: ({what})", field.anchor),
        }
    });
    let fields = fields.collect::<Vec<_>>().join("\n");
    let how = match (is_json, form.fields.as_slice(), language) {
        (false, [only], En) if only.is_whole_reply() => "Reply with nothing but",
        (false, [only], Es) if only.is_whole_reply() => "Responda solo con",
        (false, [only], Zh) if only.is_whole_reply() => "只回复",
        (true, _, En) => "Reply in JSON, one object with",
        (true, _, Es) => "Responda en JSON, un objeto con",
        (true, _, Zh) => "请用 JSON 回复，一个对象，包含",
        (false, [_], En) => "Reply in one line",
        (false, [_], Es) => "Responda en una línea",
        (false, [_], Zh) => "请用一行回复",
        (false, _, En) => "Reply in these lines",
        (false, _, Es) => "Responda en estas líneas",
        (false, _, Zh) => "请用这几行回复",
    };
    format!("{how}{}\n{fields}", if language == Zh { "：" } else { ":" })
}

/// A number of points in English.
pub(super) fn count_points(points: u32) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// What a field asks for.
pub(super) fn describe_field(field: &Field, language: Language, answer_form: AnswerForm) -> String {
    let is_json = answer_form == AnswerForm::JsonSchema;
    let names = |options: &[String]| options.join(if language == Zh { "、" } else { ", " });
    let none = if is_json { "[]" } else { language.none() };
    let what = match (&field.kind, language) {
        (FieldKind::Choice { options }, En) => format!("one of {}", names(options)),
        (FieldKind::Choice { options }, Es) => format!("una de {}", names(options)),
        (FieldKind::Choice { options }, Zh) => format!("以下之一：{}", names(options)),
        (FieldKind::Approval { options }, En) if is_json => {
            format!("a list of those you approve of, among {}; {none} if of none", names(options))
        }
        (FieldKind::Approval { options }, En) => {
            format!("those you approve of, with commas between them, among {}; {none} if of none", names(options))
        }
        (FieldKind::Approval { options }, Es) if is_json => {
            format!("una lista de las que aprueba, entre {}; {none} si ninguna", names(options))
        }
        (FieldKind::Approval { options }, Es) => {
            format!("las que aprueba, con comas entre ellas, entre {}; {none} si ninguna", names(options))
        }
        (FieldKind::Approval { options }, Zh) if is_json => {
            format!("你赞成的选项的列表，从以下选择：{}；都不赞成则写 {none}", names(options))
        }
        (FieldKind::Approval { options }, Zh) => {
            format!("你赞成的选项，用逗号隔开，从以下选择：{}；都不赞成则写 {none}", names(options))
        }
        (FieldKind::Ranking { options, .. }, _) => {
            describe_ranking(&field.kind, &names(options), language, answer_form)
        }
        (FieldKind::Score { options, max }, En) => {
            format!("each of {} with a whole number from 0 to {max}{}", names(options), example(options, answer_form))
        }
        (FieldKind::Score { options, max }, Es) => {
            format!("cada una de {} con un número entero de 0 a {max}{}", names(options), example(options, answer_form))
        }
        (FieldKind::Score { options, max }, Zh) => {
            format!("{} 各写一个从 0 到 {max} 的整数{}", names(options), example(options, answer_form))
        }
        (FieldKind::Allocation { options, points }, En) => {
            let points = count_points(*points);
            format!("{points} in all, shared among {}{}", names(options), example(options, answer_form))
        }
        (FieldKind::Allocation { options, points }, Es) => {
            format!("{points} puntos en total, repartidos entre {}{}", names(options), example(options, answer_form))
        }
        (FieldKind::Allocation { options, points }, Zh) => {
            format!("把总共 {points} 分分给 {}{}", names(options), example(options, answer_form))
        }
        (FieldKind::Number { min, max, decimals }, _) => describe_number((*min, *max), *decimals, language),
        (FieldKind::Numbers { min, max, count }, En) => format!("{count} whole numbers from {min} to {max}"),
        (FieldKind::Numbers { min, max, count }, Es) => format!("{count} números enteros de {min} a {max}"),
        (FieldKind::Numbers { min, max, count }, Zh) => format!("{count} 个从 {min} 到 {max} 的整数"),
        (FieldKind::YesNo, En) => format!("{} or {}", En.yes(), En.no()),
        (FieldKind::YesNo, Es) => format!("{} o {}", Es.yes(), Es.no()),
        (FieldKind::YesNo, Zh) => format!("{}或{}", Zh.yes(), Zh.no()),
        (FieldKind::Text { .. }, _) => describe_text(&field.kind, language),
        (FieldKind::Texts { .. }, _) => describe_texts(&field.kind, language, answer_form),
    };
    let nothing = if is_json { "null" } else { language.none() };
    match (field.presence, language) {
        (Presence::Required, _) => what,
        (_, En) => format!("{what}; or {nothing}"),
        (_, Es) => format!("{what}; o {nothing}"),
        (_, Zh) => format!("{what}；或 {nothing}"),
    }
}

fn describe_ranking(kind: &FieldKind, names: &str, language: Language, answer_form: AnswerForm) -> String {
    let FieldKind::Ranking { ties, truncated, .. } = kind else { unreachable!("invariant: a ranking ranks") };
    let all = match (truncated, language) {
        (false, En) => format!("all of {names}, the best first"),
        (false, Es) => format!("todas: {names}, primero la mejor"),
        (false, Zh) => format!("全部：{names}，最好的在前"),
        (true, En) => format!("those you rank of {names}, the best first"),
        (true, Es) => format!("las que ordena de {names}, primero la mejor"),
        (true, Zh) => format!("你要排序的选项，从以下选择：{names}，最好的在前"),
    };
    let how = match (answer_form == AnswerForm::JsonSchema, ties) {
        (true, false) => r#"["…", "…"]"#,
        (true, true) => r#"[["…"], ["…", "…"]]"#,
        (false, false) => "… > …",
        (false, true) => "… > … = …",
    };
    format!("{all}: {how}")
}

/// How names are written with their numbers.
fn example(options: &[String], answer_form: AnswerForm) -> String {
    let is_json = answer_form == AnswerForm::JsonSchema;
    let pair = |name: &String| if is_json { format!("\"{name}\": …") } else { format!("{name} = …") };
    let pairs: Vec<String> = options.iter().take(2).map(pair).collect();
    let more = if options.len() > 2 { ", …" } else { "" };
    if is_json { format!(": {{{}{more}}}", pairs.join(", ")) } else { format!(": {}{more}", pairs.join(", ")) }
}

fn describe_number((min, max): (i64, i64), decimals: u8, language: Language) -> String {
    let [min, max] = [min, max].map(|bound| Decimal::new(bound, decimals).told(language));
    match (decimals, language) {
        (0, En) => format!("a whole number from {min} to {max}"),
        (0, Es) => format!("un número entero de {min} a {max}"),
        (0, Zh) => format!("一个从 {min} 到 {max} 的整数"),
        (1, En) => format!("a number from {min} to {max}, with at most one decimal"),
        (1, Es) => format!("un número de {min} a {max}, con un decimal como máximo"),
        (_, En) => format!("a number from {min} to {max}, with at most {decimals} decimals"),
        (_, Es) => format!("un número de {min} a {max}, con {decimals} decimales como máximo"),
        (_, Zh) => format!("一个从 {min} 到 {max} 的数，最多 {decimals} 位小数"),
    }
}

fn describe_text(kind: &FieldKind, language: Language) -> String {
    let FieldKind::Text { chars_min: least, chars_max: most, one_line } = kind else {
        unreachable!("invariant: a text is one")
    };
    let words = match (one_line, language) {
        (false, En) => "your words",
        (true, En) => "your words, in one line",
        (false, Es) => "sus palabras",
        (true, Es) => "sus palabras, en una línea",
        (false, Zh) => "你的话",
        (true, Zh) => "你的话，写在一行里",
    };
    match (least, language) {
        (..=1, En) => format!("{words}, at most {most} characters"),
        (..=1, Es) => format!("{words}, {most} caracteres como máximo"),
        (..=1, Zh) => format!("{words}，最多 {most} 个字符"),
        (_, En) => format!("{words}, {least} to {most} characters"),
        (_, Es) => format!("{words}, de {least} a {most} caracteres"),
        (_, Zh) => format!("{words}，{least} 到 {most} 个字符"),
    }
}

fn describe_texts(kind: &FieldKind, language: Language, answer_form: AnswerForm) -> String {
    let FieldKind::Texts { chars_min, chars_max, count_min: least, count_max: most } = kind else {
        unreachable!("invariant: several texts are such")
    };
    let each = FieldKind::Text { chars_min: *chars_min, chars_max: *chars_max, one_line: true };
    let each = describe_text(&each, language);
    let count = if least == most { least.to_string() } else { format!("{least}–{most}") };
    match (answer_form == AnswerForm::JsonSchema, language) {
        (true, En) => format!("a list of {count} texts; each: {each}"),
        (true, Es) => format!("una lista de {count} textos; cada uno: {each}"),
        (true, Zh) => format!("一个列表，{count} 条；每条：{each}"),
        (false, En) => format!("{count} texts in lines that begin with 1., 2. and so on; each: {each}"),
        (false, Es) => format!("{count} textos en líneas que empiecen por 1., 2., etc.; cada uno: {each}"),
        (false, Zh) => format!("{count} 条，每行以 1.、2. 等开头；每条：{each}"),
    }
}

/// What is said of a reply that does not count. A fault of a field names it.
pub(super) fn write_reask(form: &Form, fault: Fault, field: Option<&str>, answer_form: AnswerForm) -> String {
    let language = form.language;
    let field = form.fields.iter().find(|own| Some(own.id.as_str()) == field).filter(|own| !own.is_whole_reply());
    let field = field.map(|field| if answer_form == AnswerForm::JsonSchema { &field.id } else { &field.anchor });
    let reason = describe_fault(fault, language);
    match (language, field) {
        (En, Some(field)) => format!("Your last reply did not count. {field}: {reason}."),
        (En, None) => format!("Your last reply did not count: {reason}."),
        (Es, Some(field)) => format!("Su última respuesta no contó. {field}: {reason}."),
        (Es, None) => format!("Su última respuesta no contó: {reason}."),
        (Zh, Some(field)) => format!("你上次的回复不算。{field}：{reason}。"),
        (Zh, None) => format!("你上次的回复不算：{reason}。"),
    }
}

fn describe_fault(fault: Fault, language: Language) -> &'static str {
    language.pick(match fault {
        Fault::UnknownAlternative => {
            ["it names something that is not on offer", "nombra algo que no se ofrece", "其中有不在选项之列的内容"]
        }
        Fault::Ambiguous => ["it says two different things", "dice dos cosas distintas", "说了两种不同的内容"],
        Fault::NotARanking => {
            ["it is no ranking as it was asked for", "no es un orden como el que se pedía", "不是所要求的排序"]
        }
        Fault::NamedTwice => ["it names an option twice", "nombra dos veces una opción", "把一个选项写了两次"],
        Fault::NotScored => {
            ["it does not give every option one number", "no da un número a cada opción", "没有给每个选项写一个数"]
        }
        Fault::OutOfRange | Fault::ScoreOutOfRange | Fault::AmountOutOfRange => {
            ["a number is out of range", "un número está fuera de los límites", "数字超出范围"]
        }
        Fault::WrongTotal => ["the points do not add up", "los puntos no dan el total", "总分不对"],
        Fault::Empty => ["there is no answer", "no hay respuesta", "没有回答"],
        Fault::TooShort => ["the text is too short", "el texto es demasiado corto", "文字太短"],
        Fault::TooLong => ["the text is too long", "el texto es demasiado largo", "文字太长"],
        Fault::Refused => ["you declined to answer", "usted no quiso responder", "你拒绝回答"],
        Fault::CutByLength => ["it was cut off: it was too long", "se cortó por ser demasiado larga", "太长，被截断"],
        Fault::Unreadable
        | Fault::AmountMissing
        | Fault::AmountUnreadable
        | Fault::AmountUncalledFor
        | Fault::UnfitName
        | Fault::NameTaken
        | Fault::NotOnce
        | Fault::ContextTooLong => {
            ["it does not have the form asked for", "no tiene la forma que se pedía", "不符合所要求的格式"]
        }
    })
}
