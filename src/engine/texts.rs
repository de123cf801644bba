//! Texts that seats wrote and that are kept under a name: their letters and versions.

use super::deliberation::{Deliberation, Supposed};
use super::stage::Stage;
use super::text_pool::TextState;
use crate::chance::DrawPurpose;
use crate::domain::{
    Computed, ComputedValues, Event, FieldValue, FieldValues, KeptText, Language, Moment, SeatId, Step, TextId,
};
use crate::plan::KeptField;
use crate::question::number_lines;
use crate::text::{join_lines, quote_lines};

impl Deliberation<'_> {
    /// Minutes the texts of the next field from this position on that changed, or goes on.
    pub(super) fn keep_from(&mut self, place: usize, position: usize) {
        let fields = self.kept_fields(place);
        match (position..fields.len()).find(|next| !self.find_changed(place, *next).is_empty()) {
            Some(next) => self.course.stage = Stage::Keeping(place, next),
            None => self.finish(place, 0),
        }
    }

    /// The number of the group in which texts are kept at a place; 0 outside groups.
    fn keeping_group(&self, place: usize) -> u32 {
        self.phase(place).group.as_ref().map_or(0, |group| group.number)
    }

    fn kept_fields(&self, place: usize) -> &[KeptField] {
        self.phase(place).kind.as_form().map_or(&[], |form| &form.kept)
    }

    /// The moment and the record of the texts of a field.
    pub(super) fn keep_texts(&self, place: usize, position: usize) -> (Moment, Event) {
        let name = self.kept_fields(place)[position].name.clone();
        let texts = self.find_changed(place, position);
        (self.keeping_moment(place, position), Event::Computed(Computed { name, values: ComputedValues::Texts(texts) }))
    }

    fn keeping_moment(&self, place: usize, position: usize) -> Moment {
        Moment { turn: position as u32 + 1, ..self.moment(place, 0, Step::Compute) }
    }

    /// The texts that a form's answers changed: new ones and new versions in the order of seats and places, and those withdrawn.
    fn find_changed(&self, place: usize, position: usize) -> Vec<KeptText> {
        let KeptField { field, pool, .. } = &self.kept_fields(place)[position];
        let (pool, group) = (&self.texts[*pool], self.keeping_group(place));
        let before: Vec<(TextId, &TextState)> = pool.list_group(group).collect();
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (seat, standing) in (0..).map(SeatId).zip(&self.standing) {
            let answered = standing.answers.get(&place).and_then(|answers: &FieldValues| answers.get(*field)?.as_ref());
            let texts: Vec<&str> = match answered {
                Some(FieldValue::Words(text)) => vec![text],
                Some(FieldValue::Options(texts)) => texts.iter().map(String::as_str).collect(),
                _ => continue,
            };
            let own = || before.iter().filter(|(_, state)| state.author == seat);
            let last = own().map(|(_, state)| state.place).max();
            for place in 1..=last.unwrap_or(0).max(texts.len() as u32) {
                let text = texts.get(place as usize - 1).filter(|text| !text.is_empty());
                let kept = |letter, version| KeptText {
                    letter,
                    author: self.seat_name(seat).clone(),
                    place,
                    version,
                    text: text.map(|text| (*text).to_owned()),
                };
                match own().find(|(_, state)| state.place == place) {
                    Some((_, state)) if state.text.as_deref() == text.copied() => {}
                    Some((id, state)) => {
                        let version = state.version + u32::from(text.is_some());
                        changed.push(kept(id.letter(), version));
                    }
                    None if text.is_some() => {
                        new.push(changed.len());
                        changed.push(kept(String::new(), 1));
                    }
                    None => {}
                }
            }
        }
        let at = self.keeping_moment(place, position);
        let lots = self.seed.at_moment(DrawPurpose::Letters, &at, 0).draw_order(new.len() as u32);
        for (text, lot) in new.into_iter().zip(lots) {
            changed[text].letter = TextId { group, number: before.len() as u32 + lot }.letter();
        }
        changed
    }

    /// Texts are kept from now on, and the next field's are.
    pub(super) fn kept(&mut self, place: usize, position: usize, texts: &[KeptText]) {
        let pool = self.kept_fields(place)[position].pool;
        let mut sorted: Vec<(TextId, &KeptText)> =
            texts.iter().filter_map(|text| Some((TextId::of_letter(&text.letter)?, text))).collect();
        sorted.sort_by_key(|(id, _)| *id);
        for (id, text) in sorted {
            let state = TextState {
                author: self.seat_id(&text.author),
                place: text.place,
                version: text.version,
                text: text.text.as_deref().map(Into::into),
            };
            self.texts[pool].set_text(id, state);
        }
        self.keep_from(place, position + 1);
    }

    /// What is added to the question of a field whose author has texts already; `None` for nothing.
    pub(super) fn own_texts_line(
        &self,
        (seat, place): (SeatId, usize),
        kept: &KeptField,
        language: Language,
    ) -> Option<String> {
        let own = self.texts[kept.pool].list_live_of(seat, self.keeping_group(place));
        if let [only] = own.as_slice()
            && (self.supposed == Some(Supposed::Long) || only.trim_end().contains('\n'))
        {
            let lines = quote_lines(&self.suppose_lines(only.as_str().into()));
            return Some(format!("{}\n{lines}", name_last_version(language)));
        }
        let own: Vec<String> = own.iter().map(|text| join_lines(text)).collect();
        let words = match own.as_slice() {
            [] => return None,
            [only] => only.clone(),
            several => format!("\n{}", number_lines(several)),
        };
        let words = if words.starts_with('\n') || language == Language::Zh { words } else { format!(" {words}") };
        Some(format!("{}{words}", name_last_version(language)))
    }
}

/// What stands before the texts that an answer replaces.
fn name_last_version(language: Language) -> &'static str {
    match language {
        Language::En => "Your last version, which your answer replaces:",
        Language::Es => "Su última versión, que su respuesta sustituye:",
        Language::Zh => "你上次的版本，将被你的回答取代：",
    }
}
