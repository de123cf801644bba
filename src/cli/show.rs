//! `show`: a session as a readable transcript.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};

use super::arguments::ShowArguments;
use super::exit::{Ending, Refusal};
use super::{locate, run};
use crate::adapters::inputs::Inputs;
use crate::adapters::results::{ResultsFolder, file_error};
