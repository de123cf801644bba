//! The questions for ballots that say more than one choice, how to reply to them, and what is said of a reply that does not count:
//! in the program's own words. The Spanish and Chinese ones were not read by a native speaker.
//!
//! A scenario's template `ballot` asks for one option, so it is not shown where more is asked for; it may have another for each form.

use crate::domain::{Ask, BallotForm, Fault, Language, Language::*, Motion, OpenBallots, RuleTold};
use crate::prompt::AnswerForm;
use crate::prompt::anchors::written;
use crate::prompt::asked::count_points;

/// The template by which a scenario puts the question in words of its own; `None` where one choice is asked for, or an amount.
pub(super) fn template(ask: &Ask) -> Option<&'static str> {
    match ask.ballot_form()? {
        BallotForm::Choice | BallotForm::Amount => None,
        BallotForm::Approval => Some("ballot_approval"),
        BallotForm::Ranking { .. } => Some("ballot_ranking"),
        BallotForm::Score { .. } => Some("ballot_score"),
        BallotForm::Allocation { .. } => Some("ballot_allocation"),
    }
}

/// The question; `None` where the scenario's template `ballot` puts it.
pub(super) fn question(ask: &Ask, motion: &Motion, vote: Option<&RuleTold>) -> Option<String> {
    let form = ask.ballot_form()?;
    let language = motion.language;
    let names: Vec<&str> = ask.options().iter().map(|id| motion.said(*id).as_str()).collect();
    let names = names.join(if language == Zh { "、" } else { ", " });
    let asked = match (form, language) {
        (BallotForm::Choice | BallotForm::Amount, _) => return None,
        (BallotForm::Approval, En) => format!("Name every option that you approve of, as many as you like ({names})."),
        (BallotForm::Approval, Es) => format!("Nombre todas las opciones que aprueba, tantas como quiera ({names})."),
        (BallotForm::Approval, Zh) => format!("请写出你赞成的所有选项，数量不限（{names}）。"),
        (BallotForm::Ranking { .. }, En) => {
            format!("Rank the options, the best first ({names}).{}", leeway(form, language))
        }
        (BallotForm::Ranking { .. }, Es) => {
            format!("Ordene las opciones, primero la mejor ({names}).{}", leeway(form, language))
        }
        (BallotForm::Ranking { .. }, Zh) => format!("请给选项排序，最好的在前（{names}）。{}", leeway(form, language)),
        (BallotForm::Score { max }, En) => {
            format!("Give every option a score from 0, the worst, to {max}, the best ({names}).")
        }
        (BallotForm::Score { max }, Es) => {
            format!("Dé a cada opción una nota de 0, la peor, a {max}, la mejor ({names}).")
        }
        (BallotForm::Score { max }, Zh) => format!("请给每个选项打分，从 0（最差）到 {max}（最好）（{names}）。"),
        (BallotForm::Allocation { points }, En) => {
            format!("Share {} among the options, all of them ({names}).", count_points(points))
        }
        (BallotForm::Allocation { points }, Es) => {
            format!("Reparta {points} puntos entre las opciones, todos ({names}).")
        }
        (BallotForm::Allocation { points }, Zh) => format!("请把 {points} 分全部分给各选项（{names}）。"),
    };
    Some(format!("{}{asked}", open_vote(vote, language)))
}

/// Who votes now, and whether that decides nothing; as the template `ballot` says it.
fn open_vote(vote: Option<&RuleTold>, language: Language) -> String {
    let who = match (vote.map_or(0, |vote| vote.seats), language) {
        (1, En) => "You vote now.",
        (1, Es) => "Usted vota ahora.",
        (1, Zh) => "你现在投票。",
        (_, En) => "The group votes now.",
        (_, Es) => "El grupo vota ahora.",
        (_, Zh) => "小组现在投票。",
    };
    let nothing = match language {
        _ if vote.is_none_or(|vote| vote.is_binding) => "",
        En => "This vote decides nothing.",
        Es => "Esta votación no decide nada.",
        Zh => "本次投票不作出决定。",
    };
    let space = if language == Zh { "" } else { " " };
    let sentences = [who, nothing].into_iter().filter(|sentence| !sentence.is_empty());
    sentences.map(|sentence| format!("{sentence}{space}")).collect()
}

/// Who hears an open ballot, told to the seat that casts it behind the question; empty if nobody hears it. Nobody hears its reason.
pub(super) fn open_ballot_words(ask: &Ask, open: OpenBallots, hearers: &Hearers<'_>, language: Language) -> String {
    let (names, more) = match hearers {
        Hearers::Seats(names) if names.is_empty() => return String::new(),
        Hearers::Seats(names) => {
            (names.join(if language == Zh { "、" } else { ", " }), if language == Zh { "：" } else { ": " })
        }
        Hearers::Everyone | Hearers::Undisclosed => (String::new(), ""),
    };
    let (opening, [everyone, these, some], what) = match (open, language) {
        (OpenBallots::Never, _) => return String::new(),
        (OpenBallots::Announced, En) => (
            "When the ballots are counted, ",
            ["everyone hears", "these members hear", "some members may hear"],
            " who voted for what",
        ),
        (OpenBallots::Announced, Es) => (
            "Cuando se cuenten los votos, ",
            ["todos oirán", "estos miembros oirán", "es posible que algunos miembros oigan"],
            " quién votó por qué",
        ),
        (OpenBallots::Announced, Zh) => {
            ("计票时，", ["所有人都会听到", "以下成员会听到", "可能有部分成员会听到"], "谁投票选择了什么")
        }
        (OpenBallots::InTurn, En) => (
            "The members vote one after the other, and ",
            ["everyone hears", "these members hear", "some members may hear"],
            " your ballot, with your name, as soon as you have cast it",
        ),
        (OpenBallots::InTurn, Es) => (
            "Los miembros votan uno tras otro, y ",
            ["todos oyen", "estos miembros oyen", "es posible que algunos miembros oigan"],
            " su voto, con su nombre, en cuanto usted lo emite",
        ),
        (OpenBallots::InTurn, Zh) => (
            "成员依次投票，你一投票，",
            ["所有人就会听到", "以下成员就会听到", "可能有部分成员会听到"],
            "你的名字和你的选择",
        ),
    };
    let hear = match hearers {
        Hearers::Everyone => everyone,
        Hearers::Seats(_) => these,
        Hearers::Undisclosed => some,
    };
    let reason = match language {
        _ if !ask.asks_reasons() => "",
        En => " Nobody hears your reason.",
        Es => " Nadie oye su razón.",
        Zh => "没有人会听到你的理由。",
    };
    let (before, end) = if language == Zh { ("", "。") } else { (" ", ".") };
    format!("{before}{opening}{hear}{what}{more}{names}{end}{reason}")
}

/// Who hears an open ballot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hearers<'n> {
    /// Every seat.
    Everyone,
    /// These seats alone, by their public names.
    Seats(Vec<&'n str>),
    /// Those whom a condition selects, who are not disclosed.
    Undisclosed,
}

/// What a ranking may do beside ranking every option on a place of its own.
fn leeway(form: BallotForm, language: Language) -> String {
    let BallotForm::Ranking { ties, truncated, top } = form else { return String::new() };
    let ties = match (ties, language) {
        (false, _) => "",
        (true, En) => " Options may share a place.",
        (true, Es) => " Varias opciones pueden compartir un lugar.",
        (true, Zh) => "选项可以并列。",
    };
    let truncated = match (truncated, language) {
        (false, _) => "",
        (true, En) => " You may leave options out; they stand below all that you rank.",
        (true, Es) => " Puede omitir opciones; quedan por debajo de todas las que ordene.",
        (true, Zh) => "你可以不写某些选项，它们排在你写出的所有选项之后。",
    };
    let top = match (top, language) {
        (None, _) => String::new(),
        (Some(top), En) => format!(" Rank at most {top}."),
        (Some(top), Es) => format!(" Ordene {top} como máximo."),
        (Some(top), Zh) => format!("最多排 {top} 个。"),
    };
    format!("{ties}{truncated}{top}")
}

/// How to reply in a form; `None` where the scenario's template says it.
pub(super) fn form(ask: &Ask, language: Language, form: AnswerForm) -> Option<String> {
    let ballot = ask.ballot_form()?;
    let is_tied = matches!(ballot, BallotForm::Ranking { ties: true, .. });
    let (json, anchor, line) = match ballot {
        BallotForm::Choice | BallotForm::Amount => return None,
        BallotForm::Approval => (r#"{"approves": ["…", "…"]}"#, "APPROVES:", "…, …"),
        BallotForm::Ranking { .. } if is_tied => (r#"{"ranking": [["…"], ["…", "…"]]}"#, "RANKING:", "… > … = …"),
        BallotForm::Ranking { .. } => (r#"{"ranking": ["…", "…"]}"#, "RANKING:", "… > …"),
        BallotForm::Allocation { .. } => (r#"{"points": {"…": 0, "…": 0}}"#, "POINTS:", "… = 0, … = 0"),
        BallotForm::Score { .. } => (r#"{"scores": {"…": 0, "…": 0}}"#, "SCORES:", "… = 0, … = 0"),
    };
    let means = |none: &str| match (ballot, language) {
        (BallotForm::Approval, En) => format!("the names of the options; {none} if you approve of none"),
        (BallotForm::Approval, Es) => format!("los nombres de las opciones; {none} si no aprueba ninguna"),
        (BallotForm::Approval, Zh) => format!("写选项的名称；都不赞成则写 {none}"),
        (BallotForm::Ranking { .. }, En) if is_tied => "names of options, those of one place together".to_owned(),
        (BallotForm::Ranking { .. }, Es) if is_tied => "nombres de opciones, juntas las de un lugar".to_owned(),
        (BallotForm::Ranking { .. }, Zh) if is_tied => "写选项的名称，并列的写在一起".to_owned(),
        (BallotForm::Ranking { .. }, En) => "names of options, the best first".to_owned(),
        (BallotForm::Ranking { .. }, Es) => "nombres de opciones, primero la mejor".to_owned(),
        (BallotForm::Ranking { .. }, Zh) => "写选项的名称，最好的在前".to_owned(),
        (BallotForm::Allocation { .. }, En) => "the name of each option with its points".to_owned(),
        (BallotForm::Allocation { .. }, Es) => "el nombre de cada opción con sus puntos".to_owned(),
        (BallotForm::Allocation { .. }, Zh) => "写每个选项的名称和分数".to_owned(),
        (_, En) => "the name of each option with its score".to_owned(),
        (_, Es) => "el nombre de cada opción con su nota".to_owned(),
        (_, Zh) => "写每个选项的名称和分数".to_owned(),
    };
    Some(match (form, language) {
        (AnswerForm::JsonSchema, En) => format!("Reply in JSON: {json}, {}.", means("[]")),
        (AnswerForm::JsonSchema, Es) => format!("Responda en JSON: {json}, {}.", means("[]")),
        (AnswerForm::JsonSchema, Zh) => format!("请用 JSON 回复：{json}，{}。", means("[]")),
        (_, En) => format!("Reply in one line:\n{} {line} ({})", written(anchor, En), means(En.none())),
        (_, Es) => format!("Responda en una línea:\n{} {line} ({})", written(anchor, Es), means(Es.none())),
        (_, Zh) => format!("请用一行回复：\n{} {line}（{}）", written(anchor, Zh), means(Zh.none())),
    })
}

/// What is said of a ballot that does not count; `None` where the scenario's template says it.
pub(super) fn reask(ask: &Ask, fault: Fault, language: Language) -> Option<String> {
    let form = ask.ballot_form()?;
    let words = match (fault, form) {
        (Fault::NamedTwice, _) => [
            "Your last reply named an option twice.",
            "Su última respuesta nombró dos veces una opción.",
            "你上次的回复把一个选项写了两次。",
        ],
        (Fault::NotScored, _) => [
            "Your last reply did not give every option one score.",
            "Su última respuesta no dio una nota a cada opción.",
            "你上次的回复没有给每个选项打一个分数。",
        ],
        (Fault::ScoreOutOfRange, _) => [
            "A score in your last reply was too great.",
            "Una nota de su última respuesta era demasiado alta.",
            "你上次的回复中有一个分数太高。",
        ],
        (Fault::WrongTotal, _) => [
            "The points in your last reply did not add up.",
            "Los puntos de su última respuesta no daban el total.",
            "你上次的回复中分数的总和不对。",
        ],
        (Fault::NotARanking, BallotForm::Ranking { .. }) => [
            "Your last reply was no ranking as it was asked for.",
            "Su última respuesta no era un orden como el que se pedía.",
            "你上次的回复不是所要求的排序。",
        ],
        _ => return None,
    };
    Some(language.pick(words).to_owned())
}
