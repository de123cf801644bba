//! The wording of the summary of a talk, by language.

use crate::domain::{Language, Language::*, ProposalStatus};

/// The words of one language.
pub(super) struct StandingWords {
    language: Language,
    /// The heading of the summary.
    pub heading: &'static str,
    /// Headings of the sections: stated decisions, open and closed proposals, and seats.
    pub decisions: &'static str,
    pub open: &'static str,
    pub closed: &'static str,
    pub seats: &'static str,
    /// Labels of favoured alternatives, supporters, opponents and contributions.
    pub favours: &'static str,
    pub supported: &'static str,
    pub opposed: &'static str,
    pub contributed: &'static str,
    pub nobody: &'static str,
    /// Separators, with a blank after them if the language writes one.
    pub colon: &'static str,
    pub semicolon: &'static str,
    pub comma: &'static str,
}

impl StandingWords {
    /// The words of a language.
    pub fn for_language(language: Language) -> Self {
        match language {
            En => Self {
                language,
                heading: "Where the talk stands (statements by their numbers):",
                decisions: "Decisions stated:",
                open: "Open proposals:",
                closed: "Closed proposals:",
                seats: "Seats heard last:",
                favours: "favours ",
                supported: "supported by ",
                opposed: "opposed by ",
                contributed: "proposals, decisions and changes of position: ",
                nobody: "nobody",
                colon: ": ",
                semicolon: "; ",
                comma: ", ",
            },
            Es => Self {
                language,
                heading: "Estado de la conversación (las intervenciones por su número):",
                decisions: "Decisiones enunciadas:",
                open: "Propuestas abiertas:",
                closed: "Propuestas cerradas:",
                seats: "Últimas personas en hablar:",
                favours: "prefiere ",
                supported: "apoyada por ",
                opposed: "rechazada por ",
                contributed: "propuestas, decisiones y cambios de posición: ",
                nobody: "nadie",
                colon: ": ",
                semicolon: "; ",
                comma: ", ",
            },
            Zh => Self {
                language,
                heading: "讨论的现状（发言以编号表示）：",
                decisions: "已陈述的决定：",
                open: "未决的提案：",
                closed: "已结束的提案：",
                seats: "最近发言的成员：",
                favours: "倾向",
                supported: "支持者：",
                opposed: "反对者：",
                contributed: "提案、决定和立场变化：",
                nobody: "无人",
                colon: "：",
                semicolon: "；",
                comma: "，",
            },
        }
    }

    /// Words in brackets after a name.
    pub fn in_brackets(&self, words: &str) -> String {
        match self.language {
            En | Es => format!(" ({words})"),
            Zh => format!("（{words}）"),
        }
    }

    /// The label of the statement that settled a proposal, or opened it.
    pub fn status_phrase(&self, status: ProposalStatus) -> &'static str {
        match (self.language, status) {
            (En, ProposalStatus::Active) => "open since ",
            (En, ProposalStatus::Accepted) => "accepted by ",
            (En, ProposalStatus::Rejected) => "rejected by ",
            (En, ProposalStatus::Modified) => "modified by ",
            (Es, ProposalStatus::Active) => "abierta desde ",
            (Es, ProposalStatus::Accepted) => "aceptada con ",
            (Es, ProposalStatus::Rejected) => "rechazada con ",
            (Es, ProposalStatus::Modified) => "modificada con ",
            (Zh, ProposalStatus::Active) => "未决，始于",
            (Zh, ProposalStatus::Accepted) => "已接受，见",
            (Zh, ProposalStatus::Rejected) => "已否决，见",
            (Zh, ProposalStatus::Modified) => "已修改，见",
        }
    }

    /// The number of statements, in words.
    pub fn statement_count(&self, count: u32) -> String {
        match (self.language, count) {
            (En, 1) => "1 statement".to_owned(),
            (En, count) => format!("{count} statements"),
            (Es, 1) => "1 intervención".to_owned(),
            (Es, count) => format!("{count} intervenciones"),
            (Zh, count) => format!("{count}次发言"),
        }
    }

    /// The number of earlier items omitted from a list.
    fn and_earlier(&self, earlier: usize) -> String {
        match (self.language, earlier) {
            (En, earlier) => format!("and {earlier} earlier"),
            (Es, 1) => "y 1 anterior".to_owned(),
            (Es, earlier) => format!("y {earlier} anteriores"),
            (Zh, earlier) => format!("以及更早的{earlier}个"),
        }
    }

    /// The same at the end of a list within a line.
    pub fn after_list(&self, earlier: usize) -> String {
        let separator = if self.language == Zh { "，" } else { " " };
        format!("{separator}{}", self.and_earlier(earlier))
    }

    /// Some names and the number of others, at least one.
    pub fn names_and_others(&self, named: &str, others: usize) -> String {
        match (self.language, others) {
            (En, 1) => format!("{named} and 1 other"),
            (En, others) => format!("{named} and {others} others"),
            (Es, 1) => format!("{named} y 1 más"),
            (Es, others) => format!("{named} y {others} más"),
            (Zh, others) => format!("{named}以及另外{others}人"),
        }
    }

    /// A heading, its lines, and the number of earlier ones; empty if there is no line.
    pub fn render_section(&self, heading: &str, lines: impl Iterator<Item = String>, earlier: usize) -> String {
        let mut lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            return String::new();
        }
        if earlier > 0 {
            lines.insert(0, format!("- {}", self.and_earlier(earlier)));
        }
        format!("\n{heading}\n{}", lines.join("\n"))
    }
}
