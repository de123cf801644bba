//! Renders the entries of a memory in the session's language. Limits count the rendered text.

use std::borrow::Cow;

use super::{RemarkHeader, notice};
use crate::domain::{
    Brief, GuidanceStyle, InvalidBallots, Language, Language::*, Motion, NamedChoice, Remark, TallyCount, TallyReport,
    TieBreak, Tongue, Voted,
};
use crate::text;

/// The part of a remark's text that memories keep, with the marker of a cut.
pub fn kept_text(remark: &Remark) -> Cow<'_, str> {
    let kept = remark.kept_bytes as usize;
    if kept == remark.text.len() {
        Cow::Borrowed(&remark.text)
    } else {
        Cow::Owned(format!("{}{}", &remark.text[..kept], text::MARKER))
    }
}

/// A remark's text in a brief: in full from the public history, else as memories keep it.
pub fn shown_text<'r>(remark: &'r Remark, brief: &Brief<'_>) -> Cow<'r, str> {
    if brief.shows_in_full(remark) { Cow::Borrowed(&remark.text) } else { kept_text(remark) }
}

/// A remark as others read it: `Alice (#2.3) said: "…"`, or
/// `Round: 2 | Speaker: Alice | Favours: for | Number: #2.3 | Statement: …`, without undeclared fields. An announcement is
/// `[FACILITATOR] …` in either style. The text cannot create a line, a quotation or a field of its own.
///
/// # Panics
/// If the remark declares an alternative that is not in the motion.
pub fn remark_line(
    (remark, text): (&Remark, &str),
    public_name: &str,
    style: GuidanceStyle,
    motion: &Motion,
) -> String {
    let said = RemarkHeader { seq: remark.seq, round: remark.round, turn: remark.turn, speaker: remark.speaker };
    let favours = remark.stance.map(|choice| motion.told(choice));
    render_remark_line(&said, public_name, favours.as_ref(), (style, motion.language), text)
}

/// The opening of a statement in one line, by which its own seat recognizes it.
pub fn statement_opening(remark: &Remark) -> String {
    /// Maximal length in characters.
    const CHARS_MAX: u32 = 40;
    let mut kept = kept_text(remark).into_owned();
    text::truncate_text(&kept.clone(), CHARS_MAX).apply(&mut kept);
    quote_words(&kept, GuidanceStyle::Narrative).into_owned()
}

/// An announcement as seats read it. Humans' texts and exhibits already have a mark.
pub fn announcement_text(remark: &Remark, language: Language) -> Cow<'_, str> {
    match kept_text(remark) {
        Cow::Borrowed(text) => read_aloud(text, language),
        Cow::Owned(text) => Cow::Owned(read_aloud(&text, language).into_owned()),
    }
}

/// The text of an announcement as seats read it.
pub fn read_aloud(text: &str, language: Language) -> Cow<'_, str> {
    if text.starts_with(notice::human_mark(language)) || text.starts_with(notice::exhibit_mark(language)) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{} {text}", notice::facilitator_mark(language)))
    }
}

/// The length of [`remark_line`] without the text, in characters.
pub fn frame_chars(
    said: &RemarkHeader,
    public_name: &str,
    favours: Option<&NamedChoice>,
    (style, language): (GuidanceStyle, Language),
) -> u64 {
    text::char_count(&render_remark_line(said, public_name, favours, (style, language), ""))
}

/// A seat's own ballot; `None` is invalid.
pub fn ballot_line(ballot: Option<&Voted>, tongue: Tongue<'_>) -> String {
    if ballot == Some(&Voted::Abstained) {
        return tongue.language.pick(["You abstained.", "Usted se abstuvo.", "你弃权了。"]).to_owned();
    }
    let choice = ballot.map(|ballot| ballot.told(tongue));
    match (tongue.language, choice) {
        (En, Some(choice)) => format!("You voted: {choice}"),
        (En, None) => "Your ballot was invalid.".to_owned(),
        (Es, Some(choice)) => format!("Usted votó: {choice}"),
        (Es, None) => "Su voto no fue válido.".to_owned(),
        (Zh, Some(choice)) => format!("你投票选择了：{choice}"),
        (Zh, None) => "你的选票无效。".to_owned(),
    }
}

/// The opening of a tally's announcement.
pub fn count_opening(language: Language) -> &'static str {
    language.pick(["The ballots were counted", "Se contaron los votos", "计票结果"])
}

/// The announcement of a tally.
pub fn tally_line(report: &TallyReport, tongue: Tongue<'_>) -> String {
    let language = tongue.language;
    let counts: Vec<String> = report.counts.iter().map(|count| count_line(count, tongue)).collect();
    let decided = report.decided.as_ref().map(|choice| tongue.choice(choice));
    let is_short = report.quorum_met == Some(false);
    let outcome = match (language, decided) {
        (En, None) if report.non_binding => "this vote is not binding".to_owned(),
        (Es, None) if report.non_binding => "esta votación no es vinculante".to_owned(),
        (Zh, None) if report.non_binding => "本次投票没有约束力".to_owned(),
        (En, None) if is_short => "too few valid ballots, no decision".to_owned(),
        (Es, None) if is_short => "muy pocos votos válidos, sin decisión".to_owned(),
        (Zh, None) if is_short => "有效票不足，没有作出决定".to_owned(),
        (En | Es, Some(choice)) => format!("{}: {choice}", decided_words(report, language)),
        (En, None) => "no decision".to_owned(),
        (Es, None) => "sin decisión".to_owned(),
        (Zh, Some(choice)) => format!("{}：{choice}", decided_words(report, language)),
        (Zh, None) => "没有作出决定".to_owned(),
    };
    let tied = match (report.tie_break, language) {
        (None, _) => "",
        (Some(_), En) => "tied; ",
        (Some(_), Es) => "empate; ",
        (Some(_), Zh) => "平局；",
    };
    let outcome = format!("{tied}{outcome}");
    let invalid = match (report.invalid, language) {
        (0, _) => String::new(),
        (invalid, En) => format!(", invalid {invalid}"),
        (invalid, Es) => format!(", no válidos {invalid}"),
        (invalid, Zh) => format!("，无效 {invalid}"),
    };
    let abstained = match (report.by_choice, language) {
        (0, _) => String::new(),
        (number, En) => format!(", abstentions {number}"),
        (number, Es) => format!(", abstenciones {number}"),
        (number, Zh) => format!("，弃权 {number}"),
    };
    let counted = count_opening(language);
    match language {
        En | Es => format!("{counted}: {}{abstained}{invalid}; {outcome}.", counts.join(", ")),
        Zh => format!("{counted}：{}{abstained}{invalid}；{outcome}。", counts.join("，")),
    }
}

/// How it is said that something was decided by default.
fn default_words(report: &TallyReport, language: Language) -> &'static str {
    match (language, report.quorum_met == Some(false)) {
        (En, false) => "no decision by ballots, decided by default",
        (En, true) => "too few valid ballots, decided by default",
        (Es, false) => "sin decisión por los votos, decidido por defecto",
        (Es, true) => "muy pocos votos válidos, decidido por defecto",
        (Zh, false) => "投票没有作出决定，按默认规则决定",
        (Zh, true) => "有效票不足，按默认规则决定",
    }
}

/// How it is said that something was decided; what broke a tie is named, if it was not the seats' own ballots.
fn decided_words(report: &TallyReport, language: Language) -> &'static str {
    match (report.tie_break, language) {
        _ if report.by_default => default_words(report, language),
        (Some(TieBreak::Lot), En) => "decided by lot",
        (Some(TieBreak::Lot), Es) => "decisión por sorteo",
        (Some(TieBreak::Lot), Zh) => "抽签决定",
        (Some(TieBreak::AgendaOrder), En) => "decided by the order of the options",
        (Some(TieBreak::AgendaOrder), Es) => "decisión por el orden de las opciones",
        (Some(TieBreak::AgendaOrder), Zh) => "按选项的顺序决定",
        (Some(TieBreak::Chair), En) => "decided by the chair's ballot",
        (Some(TieBreak::Chair), Es) => "decisión por el voto de la presidencia",
        (Some(TieBreak::Chair), Zh) => "由主席的选票决定",
        (Some(TieBreak::RandomBallot), En) => "decided by a ballot drawn by lot",
        (Some(TieBreak::RandomBallot), Es) => "decisión por un voto sorteado",
        (Some(TieBreak::RandomBallot), Zh) => "由抽中的选票决定",
        (Some(TieBreak::StatusQuo | TieBreak::NoDecision) | None, En) => "decided",
        (Some(TieBreak::StatusQuo | TieBreak::NoDecision) | None, Es) => "decisión",
        (Some(TieBreak::StatusQuo | TieBreak::NoDecision) | None, Zh) => "决定",
    }
}

/// The announcement of a tally with a roll call: one line per ballot, by public names, in order. `None` is an invalid ballot.
pub fn roll_call<'n>(
    report: &TallyReport,
    invalid: InvalidBallots,
    ballots: impl Iterator<Item = (&'n str, Option<Voted>)>,
    tongue: Tongue<'_>,
) -> String {
    let lines = ballots.map(|(name, ballot)| roll_line(name, ballot.as_ref(), invalid, tongue));
    std::iter::once(tally_line(report, tongue)).chain(lines).collect::<Vec<_>>().join("\n")
}

/// A ballot as all hear it: the choice, or the treatment of an invalid ballot.
pub fn roll_line(public_name: &str, ballot: Option<&Voted>, invalid: InvalidBallots, tongue: Tongue<'_>) -> String {
    let language = tongue.language;
    if ballot == Some(&Voted::Abstained) {
        return match language {
            En => format!("{public_name} abstained"),
            Es => format!("{public_name} se abstuvo"),
            Zh => format!("{public_name}弃权"),
        };
    }
    if let Some(choice) = ballot.map(|ballot| ballot.told(tongue)) {
        return match language {
            En => format!("{public_name} voted: {choice}"),
            Es => format!("{public_name} votó: {choice}"),
            Zh => format!("{public_name}投票选择了：{choice}"),
        };
    }
    let what = match (language, invalid) {
        (En, InvalidBallots::VoidRound) => "invalid ballot",
        (En, InvalidBallots::Abstain) => "abstention (invalid ballot)",
        (En, InvalidBallots::Exclude) => "not counted (invalid ballot)",
        (Es, InvalidBallots::VoidRound) => "voto no válido",
        (Es, InvalidBallots::Abstain) => "abstención (voto no válido)",
        (Es, InvalidBallots::Exclude) => "no contado (voto no válido)",
        (Zh, InvalidBallots::VoidRound) => "选票无效",
        (Zh, InvalidBallots::Abstain) => "弃权（选票无效）",
        (Zh, InvalidBallots::Exclude) => "不计入（选票无效）",
    };
    match language {
        En | Es => format!("{public_name}: {what}"),
        Zh => format!("{public_name}：{what}"),
    }
}

/// Quotes a seat's words, replacing every character that could end the quotation. Line breaks become blanks. `"` becomes `'` in
/// the narrative style, and `|` becomes `¦` in the structured style. The record keeps the original.
pub(super) fn quote_words(text: &str, style: GuidanceStyle) -> Cow<'_, str> {
    let shown = |c: char| match (c, style) {
        ('\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}', _) => ' ',
        ('"', GuidanceStyle::Narrative) => '\'',
        ('|', GuidanceStyle::Structured) => '¦',
        (other, _) => other,
    };
    if text.contains(|c| shown(c) != c) { Cow::Owned(text.chars().map(shown).collect()) } else { Cow::Borrowed(text) }
}

/// Renders a remark. Frames are measured by rendering an empty text. Alternatives have the names that seats use.
pub(super) fn render_remark_line(
    said: &RemarkHeader,
    public_name: &str,
    favours: Option<&NamedChoice>,
    (style, language): (GuidanceStyle, Language),
    text: &str,
) -> String {
    let RemarkHeader { round, turn, .. } = said;
    if said.speaker.is_none() {
        return read_aloud(text, language).into_owned();
    }
    let words = quote_words(text, style);
    if style == GuidanceStyle::Narrative {
        return match language {
            En => format!("{public_name} (#{round}.{turn}) said: \"{words}\""),
            Es => format!("{public_name} (#{round}.{turn}) dijo: \"{words}\""),
            Zh => format!("{public_name}（#{round}.{turn}）说：\"{words}\""),
        };
    }
    let favours = match (language, favours) {
        (_, None) => String::new(),
        (En, Some(choice)) => format!("Favours: {choice} | "),
        (Es, Some(choice)) => format!("Prefiere: {choice} | "),
        (Zh, Some(choice)) => format!("倾向：{choice} | "),
    };
    match language {
        En => {
            format!("Round: {round} | Speaker: {public_name} | {favours}Number: #{round}.{turn} | Statement: {words}")
        }
        Es => {
            format!("Ronda: {round} | Habla: {public_name} | {favours}Número: #{round}.{turn} | Intervención: {words}")
        }
        Zh => format!("轮次：{round} | 发言者：{public_name} | {favours}编号：#{round}.{turn} | 发言：{words}"),
    }
}

fn count_line(count: &TallyCount, tongue: Tongue<'_>) -> String {
    let name = tongue.alternative(&count.alternative);
    let got = count.points.map_or_else(|| count.count.to_string(), |points| points.to_string());
    match (count.amount, tongue.language) {
        (Some(amount), En | Es) => format!("{name} {amount}: {got}"),
        (Some(amount), Zh) => format!("{name} {amount}：{got}"),
        (None, En | Es) => format!("{name}: {got}"),
        (None, Zh) => format!("{name}：{got}"),
    }
}

#[cfg(test)]
mod tests;
