//! Seats of models and of people: questions, replies, servers that fail, and what it costs.

mod budget;
mod costs;
mod counts;
mod crashes;
mod cut_replies;
mod deferred;
mod faults;
mod forms;
mod human;
mod logs;
mod openai;
mod servers;
mod tls;
mod tokenizers;
