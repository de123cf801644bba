//! What a run leaves: folders, tables, forks, and what is worked out from them.

mod accounts;
mod branches;
mod compare;
mod coverage;
mod export;
mod folder;
mod folders;
mod forged;
mod fork;
mod fork_memory;
mod justice_folder;
mod justice_fork;
mod kill;
mod measures;
mod packs;
mod pay_tables;
mod proposed;
mod replay;
mod retally;
mod search;
mod shards;
mod slurm;
mod statistics;
mod tables;
mod unfinished_exports;
mod why;
