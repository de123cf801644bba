//! What a reader sees: the page, the live view, the terminal.

mod attacks;
mod context;
mod damage;
mod decides;
mod follow;
mod happened;
mod heard;
mod labels;
mod live;
mod outside;
mod plainly;
mod report;
mod right;
mod serve;
mod starter;
mod talk;
mod width;
