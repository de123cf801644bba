//! Texts that are kept under a name.

use crate::config::written::scenario::{FieldConfig, PhaseConfig, fields_of};
use crate::plan::KeptField;

/// The names of kept texts, in the order in which they are first written.
pub fn list_texts(agenda: &[PhaseConfig]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (_, field) in fields_of(agenda) {
        if let Some(name) = field.keep_as.as_deref()
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// The position of a name among those of kept texts.
pub fn find_texts(agenda: &[PhaseConfig], name: &str) -> Option<usize> {
    list_texts(agenda).iter().position(|own| *own == name)
}

/// The most texts of one author under a name.
pub fn count_at_most(agenda: &[PhaseConfig], name: &str) -> u32 {
    let kept = fields_of(agenda).filter(|(_, field)| field.keep_as.as_deref() == Some(name));
    let count = |field: &FieldConfig| field.text.as_ref().and_then(|text| text.count).map_or(1, |(_, most)| most);
    kept.map(|(_, field)| count(field)).max().unwrap_or(0)
}

/// Whether a phase keeps texts under a name.
pub fn keeps_texts(phase: &PhaseConfig, name: &str) -> bool {
    phase.ask.iter().flat_map(|ask| ask.fields()).any(|field| field.keep_as.as_deref() == Some(name))
}

/// The fields of a form whose texts are kept.
pub fn lower_kept(fields: &[FieldConfig], agenda: &[PhaseConfig]) -> Vec<KeptField> {
    let kept = fields.iter().enumerate().filter_map(|(field, written)| {
        let name = written.keep_as.clone()?;
        let pool = find_texts(agenda, &name)?;
        Some(KeptField { field, name, pool })
    });
    kept.collect()
}
