//! The values of an answer by their names.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::FieldValue;

/// The name of a value: the id of a field.
pub type ValueName = Cow<'static, str>;

/// Values by the names of their fields, in order; `None` for a field without a value. Answers have few, so a name is looked for from
/// the first to the last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedValues(Vec<(ValueName, Option<FieldValue>)>);

impl NamedValues {
    /// Adds a value, whose name is none of those before.
    pub fn add(&mut self, name: impl Into<ValueName>, value: Option<FieldValue>) {
        self.0.push((name.into(), value));
    }

    /// The value of this name: `None` if there is none, and `Some(None)` if its field has no value.
    pub fn find(&self, name: &str) -> Option<Option<&FieldValue>> {
        self.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// The names and values, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Option<&FieldValue>)> {
        self.0.iter().map(|(name, value)| (&**name, value.as_ref()))
    }
}

impl FromIterator<(String, Option<FieldValue>)> for NamedValues {
    fn from_iter<I: IntoIterator<Item = (String, Option<FieldValue>)>>(values: I) -> Self {
        Self(values.into_iter().map(|(name, value)| (Cow::Owned(name), value)).collect())
    }
}

impl Extend<(ValueName, Option<FieldValue>)> for NamedValues {
    fn extend<I: IntoIterator<Item = (ValueName, Option<FieldValue>)>>(&mut self, values: I) {
        self.0.extend(values);
    }
}

impl IntoIterator for NamedValues {
    type Item = (ValueName, Option<FieldValue>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Serialize for NamedValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for NamedValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByName;

        impl<'de> Visitor<'de> for ByName {
            type Value = NamedValues;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NamedValues, A::Error> {
                let mut values = NamedValues::default();
                while let Some((name, value)) = map.next_entry::<String, _>()? {
                    if values.find(&name).is_some() {
                        return Err(A::Error::custom(format!("{name} has two values")));
                    }
                    values.add(name, value);
                }
                Ok(values)
            }
        }

        deserializer.deserialize_map(ByName)
    }
}
