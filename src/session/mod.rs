//! The driver of a session. Live, resume, replay and fork are one function: they differ in what answers and in what the
//! minutes are compared with.

mod change;
mod conduct;
mod visibility;

pub use change::Changed;
pub use conduct::{Halt, conduct};
pub use visibility::{Leak, Visibility};
