//! Seats of models and of people: questions, replies, servers that fail, and what it costs.

#[path = "../fixtures/mod.rs"]
mod fixtures;

mod budget;
mod costs;
mod crashes;
mod cut_replies;
mod faults;
mod forms;
mod human;
mod logs;
mod openai;
mod servers;
mod tokenizers;
