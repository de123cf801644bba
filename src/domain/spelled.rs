//! How enums are spelt in files.

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
