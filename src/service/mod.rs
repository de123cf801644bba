//! What answers: model servers, people at the console, files of questions, and the sessions that ask them.

pub mod deferred;
pub mod desk;
pub mod forms;
pub mod models;
pub mod openai;
pub mod seating;
pub mod sessions;
pub mod stopwatch;
pub mod windows;
