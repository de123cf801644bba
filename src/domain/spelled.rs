//! How enums are spelt in files, and which values are left out there.

/// Gives enums that derive `strum::IntoStaticStr` an `as_str`: the spelling used in files, which is that of their variants in snake case.
macro_rules! spelled {
    ($($type:ty),+) => {$(
        impl $type {
            /// The spelling used in files.
            pub fn as_str(self) -> &'static str {
                self.into()
            }
        }
    )+};
}
pub(crate) use spelled;

/// Whether a field has its default value, with which it is left out of the minutes.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
