//! The bundle's `README.txt` and the script that repeats the experiment, from the templates in this folder.

const README: &str = include_str!("README.txt");
const AGAIN: &str = include_str!("again.sh");

/// The facts that the texts of a bundle state.
#[derive(Debug, Clone)]
pub struct BundleFacts {
    /// The experiment's name.
    pub experiment: String,
    /// The numbers of completed and of planned sessions.
    pub sessions: (u64, u64),
    /// Each arm and the digest of its plan, in the order of the design.
    pub plans: Vec<(String, String)>,
    /// The program versions that wrote the sessions, sorted.
    pub versions: Vec<String>,
    /// The models that answered, sorted; empty if every seat was simulated or a person.
    pub models: Vec<String>,
    /// Whether people answered for a seat.
    pub people: bool,
    /// How much of the experiment can be repeated.
    pub wholeness: Wholeness,
    /// The program, if the bundle contains it.
    pub program: Option<Program>,
}

/// How much of an experiment can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wholeness {
    /// Everything.
    Whole,
    /// Sessions are missing. The script compares what exists and runs nothing anew.
    Incomplete,
    /// A fork. The script compares it and does not run it anew.
    Fork,
}

/// The program in the bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The platform it runs on, such as `x86_64-linux`.
    pub platform: String,
}

impl Program {
    /// Its path in the bundle.
    pub fn path(&self) -> String {
        format!("bin/{}/ekklesia", self.platform)
    }
}

/// Renders `README.txt`.
pub fn render_readme(about: &BundleFacts) -> String {
    let (complete, planned) = about.sessions;
    let program = match &about.program {
        Some(program) => format!(
            "The program is in it: {}, for {} machines whose C library is not older than\nthat of the machine it was built on. On any other machine build it, see below, and put it on your PATH.",
            program.path(),
            program.platform
        ),
        None => "The program is not in it. Build it, see below, and put it on your PATH.".to_owned(),
    };
    let whole = match about.wholeness {
        Wholeness::Whole => "All planned sessions ran to their end.",
        Wholeness::Incomplete => {
            "Some planned sessions did not run to their end. What is there is compared as far as it goes; it is not run anew."
        }
        Wholeness::Fork => {
            "It is a fork: what branched off one session with one thing changed. It is compared, and not run anew."
        }
    };
    let asked = match about.models.as_slice() {
        [] if about.people => {
            "People answered, and no language model. Their answers as they typed them are in calls.jsonl of each\n\
                               session, and are read again; nobody is asked."
                .to_owned()
        }
        [] => "Every seat was simulated: a rule answered, neither a person nor a language model. Such a session is\n\
               computed again, to the same bytes, on any machine."
            .to_owned(),
        models => format!(
            "Language models answered: {}{}. Their answers as they came are in calls.jsonl of each\nsession, and are read again; nobody is asked.",
            models.join(", "),
            if about.people { "; and people" } else { "" }
        ),
    };
    let plans: Vec<String> = about.plans.iter().map(|(arm, digest)| format!("  {arm}: {digest}")).collect();
    README
        .replace("{experiment}", &about.experiment)
        .replace("{sessions}", &format!("{complete} of {planned}"))
        .replace("{whole}", whole)
        .replace("{asked}", &asked)
        .replace("{program}", &program)
        .replace("{show}", &about.program.as_ref().map_or_else(|| "ekklesia".to_owned(), Program::path))
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{versions}", &about.versions.join(", "))
        .replace("{plans}", &plans.join("\n"))
}

/// Renders `again.sh`, which compares the results and repeats the experiment.
pub fn render_again_script(about: &BundleFacts) -> String {
    let wholeness = match about.wholeness {
        Wholeness::Whole => "whole",
        Wholeness::Incomplete => "incomplete",
        Wholeness::Fork => "fork",
    };
    let program = about.program.as_ref().map(Program::path).unwrap_or_default();
    AGAIN
        .replace("{program}", &program)
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{wholeness}", wholeness)
}
