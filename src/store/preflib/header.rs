//! The header lines of a PrefLib file.

use std::collections::{BTreeMap, BTreeSet};

use super::{NO_HEADER, PrefLibKind};
use crate::choice::{TallyBallot, TallyForm};

const ALTERNATIVES_MAX: usize = 10_000;
const CATEGORIES_MAX: usize = 10_000;

/// The content of the lines that begin with `#`.
#[derive(Default)]
pub(super) struct Header {
    pub title: String,
    pub description: String,
    pub alternatives: Option<usize>,
    pub voters: Option<u64>,
    pub absent: u64,
    data_type: Option<String>,
    is_categorical: bool,
    is_choice: bool,
    names: Vec<Option<String>>,
    categories: Vec<Option<String>>,
}

impl Header {
    /// Parses a line after its `#`. Ignores unknown keys.
    pub fn add_line(&mut self, said: &str) -> Result<(), String> {
        let Some((key, value)) = said.split_once(':') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        let number = || value.parse::<u64>().map_err(|_| format!("`{key}` is to be a whole number, found {value:?}"));
        let some = |most: usize, what: &str| {
            let number = usize::try_from(number()?).unwrap_or(usize::MAX);
            let is_within = (1..=most).contains(&number);
            is_within.then_some(number).ok_or_else(|| format!("{number} {what} are outside 1 … {most}"))
        };
        match key {
            "TITLE" => self.title = value.to_owned(),
            "DESCRIPTION" => self.description = value.to_owned(),
            "DATA TYPE" => {
                self.is_categorical = value == "cat";
                self.data_type = Some(value.to_owned());
            }
            "BALLOT FORM" if value == "choice" => self.is_choice = true,
            "BALLOT FORM" => return Err(format!("`{key}` is `choice` or left out, found {value:?}")),
            "NUMBER ALTERNATIVES" => {
                let number = some(ALTERNATIVES_MAX, "alternatives")?;
                self.alternatives = Some(number);
                self.names = vec![None; number];
            }
            "NUMBER VOTERS" => self.voters = Some(number()?),
            "NUMBER ABSENT" => {
                self.absent = number()?;
                if self.absent >= super::BALLOTS_MAX {
                    return Err(format!("`{key}` is too many"));
                }
            }
            "NUMBER CATEGORIES" => {
                self.categories = vec![None; some(CATEGORIES_MAX, "categories")?];
                self.is_categorical = true;
            }
            _ => {
                for (of, names, what) in [
                    ("ALTERNATIVE NAME", &mut self.names, "alternative"),
                    ("CATEGORY NAME", &mut self.categories, "category"),
                ] {
                    let Some(place) = key.strip_prefix(of) else { continue };
                    let place = place.trim().parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                    let most = names.len();
                    let name = place.and_then(|place| names.get_mut(place));
                    let named = name.ok_or_else(|| format!("`{key}` names no {what} from 1 to {most}"))?;
                    *named = Some(value.to_owned()).filter(|value| !value.is_empty());
                }
            }
        }
        Ok(())
    }

    /// Checks that an order is as complete and strict as the data type requires or, without one, the file's extension.
    ///
    /// # Errors
    /// The alternatives that are left out or tied, and the data type that allows it.
    pub fn check_order(&self, levels: &[Vec<usize>], extension: &str) -> Result<(), String> {
        if self.is_choice {
            return Ok(());
        }
        let kind = self.data_type.as_deref().unwrap_or(extension);
        let (is_complete, is_strict) = match kind {
            "soc" => (true, true),
            "soi" => (false, true),
            "toc" => (true, false),
            _ => return Ok(()),
        };
        if is_strict && let Some(tied) = levels.iter().find(|level| level.len() != 1) {
            let names: Vec<String> = tied.iter().map(|place| self.alternative_name(*place)).collect();
            let allows = if is_complete { "toc" } else { "toi" };
            return Err(format!("the ballot ties {names:?}, but {kind} orders have no ties; {allows} allows them"));
        }
        let named: usize = levels.iter().map(Vec::len).sum();
        if !is_complete || named == self.names.len() {
            return Ok(());
        }
        let is_named = |place: &usize| levels.iter().any(|level| level.contains(place));
        let left_out = (0..self.names.len()).filter(|place| !is_named(place));
        let left_out: Vec<String> = left_out.map(|place| self.alternative_name(place)).collect();
        let allows = if is_strict { "soi" } else { "toi" };
        Err(format!(
            "the ballot leaves out {left_out:?}, but {kind} orders rank every alternative; {allows} allows gaps"
        ))
    }

    /// An alternative's name, or its number from 1 if it has none. `place` counts from 0.
    fn alternative_name(&self, place: usize) -> String {
        self.names[place].clone().unwrap_or_else(|| (place + 1).to_string())
    }

    /// The alternatives' names, or numbers. The number is added to a name that occurs more than once.
    ///
    /// # Errors
    /// When two names are equal nevertheless.
    pub fn alternative_names(&self) -> Result<Vec<String>, String> {
        let said: Vec<String> = (0..self.names.len()).map(|place| self.alternative_name(place)).collect();
        let mut bearers: BTreeMap<&str, u32> = BTreeMap::new();
        said.iter().for_each(|name| *bearers.entry(name).or_default() += 1);
        let told = |(number, name): (usize, &String)| match bearers[name.as_str()] {
            1 => name.clone(),
            _ => format!("{name} ({number})"),
        };
        let names: Vec<String> = (1..).zip(&said).map(told).collect();
        let mut seen = BTreeSet::new();
        match names.iter().find(|name| !seen.insert(name.as_str())) {
            Some(twice) => Err(format!("two alternatives are called {twice:?}")),
            None => Ok(names),
        }
    }

    /// The form of the ballots, and how to read their lines.
    pub fn ballot_form(&self) -> Result<(TallyForm, PrefLibKind), String> {
        if self.alternatives.is_none() {
            return Err(NO_HEADER.to_owned());
        }
        match (self.is_categorical, self.is_choice) {
            (false, false) => Ok((TallyForm::Ranking, PrefLibKind::Order)),
            (false, true) => Ok((TallyForm::Choice, PrefLibKind::First)),
            (true, _) => {
                let categories = PrefLibCategories::from_names(&self.categories)?;
                Ok((categories.form, PrefLibKind::Categories(categories)))
            }
        }
    }
}

/// The categories of a file with approvals or scores.
pub(super) struct PrefLibCategories {
    pub form: TallyForm,
    pub names: Vec<String>,
    scores: Vec<u32>,
}

impl PrefLibCategories {
    /// The categories that represent a form of ballots; `None` if it is written as orders.
    pub fn for_form(form: TallyForm) -> Option<Self> {
        match form {
            TallyForm::Choice | TallyForm::Ranking => None,
            TallyForm::Approval => {
                let names = ["approved", "not approved"].map(str::to_owned).to_vec();
                Some(Self { form, names, scores: vec![1, 0] })
            }
            TallyForm::Score(most) => {
                let scores: Vec<u32> = (0..=most).rev().collect();
                Some(Self { form, names: scores.iter().map(u32::to_string).collect(), scores })
            }
        }
    }

    /// Reads scores if all names are whole numbers; approvals if there are two names, the first for approval.
    fn from_names(names: &[Option<String>]) -> Result<Self, String> {
        let names: Option<Vec<String>> = names.iter().cloned().collect();
        let names = names.ok_or("a `CATEGORY NAME` is missing")?;
        let scores: Option<Vec<u32>> = names.iter().map(|name| name.parse().ok()).collect();
        match scores.filter(|scores| !scores.is_empty()) {
            Some(scores) => {
                let most = scores.iter().copied().max().unwrap_or(0);
                Ok(Self { form: TallyForm::Score(most), names, scores })
            }
            None if names.len() == 2 => Ok(Self { form: TallyForm::Approval, names, scores: vec![1, 0] }),
            None => Err(format!(
                "the categories are neither two, of which the first approves, nor numbers that are scores: {}",
                names.join(", ")
            )),
        }
    }

    /// Converts a line's categories to a ballot. An alternative in no category is not approved.
    pub fn to_ballot(
        &self,
        levels: &[Vec<usize>],
        (alternatives, header): (usize, &Header),
    ) -> Result<TallyBallot, String> {
        if levels.len() > self.scores.len() {
            return Err(format!("the ballot has {} categories, the header {}", levels.len(), self.scores.len()));
        }
        let mut scores = vec![None; alternatives];
        for (level, score) in levels.iter().zip(&self.scores) {
            level.iter().for_each(|one| scores[*one] = Some(*score));
        }
        match self.form {
            TallyForm::Approval => Ok(TallyBallot::Approval(scores.iter().map(|score| *score == Some(1)).collect())),
            TallyForm::Score(_) | TallyForm::Choice | TallyForm::Ranking => {
                let all: Option<Vec<u32>> = scores.iter().copied().collect();
                let left_out =
                    scores.iter().position(Option::is_none).map(|one| header.alternative_name(one)).unwrap_or_default();
                all.map(TallyBallot::Score).ok_or_else(|| format!("the ballot does not score {left_out:?}"))
            }
        }
    }
}
