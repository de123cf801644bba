//! Objects in JSON, member by member, so that some can be taken out before the rest is read.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// An object of these members.
pub(super) fn write_members(members: Vec<(String, Value)>) -> String {
    let members: Vec<String> =
        members.into_iter().map(|(key, value)| format!("{}:{value}", Value::from(key))).collect();
    format!("{{{}}}", members.join(","))
}

/// The members of an object in their order, a key that stands twice as well.
pub(super) struct Members(pub(super) Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Gather;
        impl<'de> Visitor<'de> for Gather {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let members = std::iter::from_fn(|| map.next_entry().transpose());
                members.collect::<Result<_, _>>().map(Members)
            }
        }
        deserializer.deserialize_map(Gather)
    }
}
