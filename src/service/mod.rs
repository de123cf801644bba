//! Answers from outside: model servers, people at the console and question files, and the sessions that use them.

pub mod deferred;
pub mod forms;
pub mod human_console;
pub mod models;
pub mod openai;
pub mod seating;
pub mod sessions;
pub mod stopwatch;
pub mod windows;
