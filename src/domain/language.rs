//! The language of a session: of its prompts, of the engine's own words in them, and of the replies to them.
//!
//! Tables, minutes and configs are in English whatever the language is: an alternative has one name there.

use serde::{Deserialize, Serialize};

/// A language that the engine has words in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
    /// Mandarin Chinese in simplified characters.
    Zh,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::En, Language::Es, Language::Zh];

    /// The English, Spanish or Chinese one of three.
    pub fn pick<T>(self, [english, spanish, chinese]: [T; 3]) -> T {
        match self {
            Language::En => english,
            Language::Es => spanish,
            Language::Zh => chinese,
        }
    }

    /// Its code, as configs and folders of prompts have it.
    pub fn code(self) -> &'static str {
        self.pick(["en", "es", "zh"])
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        self.pick(["English", "Spanish", "Mandarin Chinese"])
    }

    /// The language of a pack of prompts: its code, alone or before `_` and a word of the author's, as in `es_formal`.
    ///
    /// ```
    /// use ekklesia::domain::Language;
    ///
    /// assert_eq!(Language::of_pack("es_formal"), Some(Language::Es));
    /// assert_eq!(Language::of_pack("esp"), None);
    /// ```
    pub fn of_pack(pack: &str) -> Option<Self> {
        let code = pack.split_once('_').map_or(pack, |(code, _)| code);
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Whether a native speaker has read the engine's words and the shipped prompts.
    pub fn is_proofread(self) -> bool {
        self == Language::En
    }

    /// Whether words are written without blanks between them, so that a text of equal content has far fewer characters.
    pub fn is_written_without_blanks(self) -> bool {
        self == Language::Zh
    }

    /// What a seat writes where it names nothing.
    pub fn none(self) -> &'static str {
        self.pick(["none", "ninguno", "无"])
    }

    /// What is told of a value that nobody gave.
    pub fn no_answer(self) -> &'static str {
        self.pick(["no answer", "sin respuesta", "没有回答"])
    }

    /// What a seat writes that votes for nothing.
    pub fn abstain(self) -> &'static str {
        self.pick(["abstain", "abstención", "弃权"])
    }

    /// Whether a seat wrote that it names nothing. In Spanish the word follows the gender of what is not named.
    ///
    /// ```
    /// use ekklesia::domain::Language;
    ///
    /// assert!(Language::Es.is_none("ninguna") && Language::Es.is_none("ninguno"));
    /// assert!(!Language::En.is_none("ninguno"));
    /// ```
    pub fn is_none(self, words: &str) -> bool {
        words == self.none() || (self == Language::Es && words == "ninguna")
    }

    /// Who does something where it is not told who.
    pub fn somebody(self) -> &'static str {
        self.pick(["Somebody", "Alguien", "有人"])
    }

    /// Assent as a seat writes it.
    pub fn yes(self) -> &'static str {
        self.pick(["yes", "sí", "是"])
    }

    /// Dissent as a seat writes it.
    pub fn no(self) -> &'static str {
        self.pick(["no", "no", "否"])
    }
}
