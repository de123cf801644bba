//! A cache of an experiment's language packs: arms share a pack if no template can distinguish them.
//!
//! Trying a pack renders every template for every occasion, the slowest step of lowering an arm. If a setting differs from a
//! known one in a few values, only the templates that read them are tried.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::config::scenario::Soundness;
use crate::domain::Motion;
use crate::mechanism::IncomePrinciples;
use crate::prompt::{Pack, Parameter, Procedure, PromptError, Setting};

/// Arms that share a pack are close together in a design, so only the newest packs are searched.
const LOOKED_THROUGH: usize = 64;

/// The packs compiled so far.
#[derive(Debug, Default)]
pub struct PackCache(RefCell<Vec<(PackKey, CompiledPack)>>);

/// A pack, or all errors in its templates.
type CompiledPack = Result<Pack, Vec<PromptError>>;

/// Everything that a pack depends on.
#[derive(Debug, PartialEq)]
struct PackKey {
    soundness: Soundness,
    language: String,
    motion: Motion,
    parameters: Vec<(String, Parameter)>,
    procedure: Procedure,
    decided: Motion,
    mechanism: Option<IncomePrinciples>,
    needs: Vec<String>,
}

impl PackCache {
    /// The pack of these templates, identified by `language`, for a setting; if the setting is broken, it is only read.
    ///
    /// # Errors
    /// As for [`Pack::compile`] and [`Pack::read`].
    pub fn get_or_compile(
        &self,
        language: &str,
        templates: &BTreeMap<String, String>,
        setting: &Setting<'_>,
        soundness: Soundness,
    ) -> CompiledPack {
        let wanted = PackKey::for_setting(language, setting, soundness);
        let known = self.0.borrow();
        let newest = || known.iter().rev().take(LOOKED_THROUGH);
        if let Some((_, compiled)) = newest().find(|(key, _)| *key == wanted) {
            return compiled.clone();
        }
        let again = newest().find_map(|(key, compiled)| match (key.soundness, compiled) {
            (Soundness::Sound, Ok(pack)) if soundness == Soundness::Sound && key.language == language => {
                let needs: Vec<&str> = key.needs.iter().map(String::as_str).collect();
                pack.compile_again(&key.setting(&needs), setting)
            }
            _ => None,
        });
        drop(known);
        let compiled = again.unwrap_or_else(|| match soundness {
            Soundness::Sound => Pack::compile(templates, setting),
            Soundness::Broken => Pack::read(templates, setting),
        });
        self.0.borrow_mut().push((wanted, compiled.clone()));
        compiled
    }
}

impl PackKey {
    fn for_setting(language: &str, setting: &Setting<'_>, soundness: Soundness) -> Self {
        Self {
            soundness,
            language: language.to_owned(),
            motion: setting.motion.clone(),
            parameters: setting.parameters.to_vec(),
            procedure: setting.procedure,
            decided: setting.decided.clone(),
            mechanism: setting.mechanism.cloned(),
            needs: setting.needs.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// The setting of the pack; `needs` is the key's.
    fn setting<'k>(&'k self, needs: &'k [&'k str]) -> Setting<'k> {
        let Self { motion, parameters, procedure, decided, mechanism, .. } = self;
        Setting { motion, parameters, procedure: *procedure, decided, mechanism: mechanism.as_ref(), needs }
    }
}
