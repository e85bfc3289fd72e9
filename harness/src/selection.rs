//! Which benches are asked for, known before anything is prepared for them.

use regex::Regex;

/// The benches that criterion will run or list. Criterion keeps that to itself until it is handed
/// the bench, and by then a bench may have been prepared for longer than it takes to run.
pub enum Selection {
    /// All of them.
    All,
    /// Those whose ids match.
    Matching(Regex),
    /// The one of this id.
    Exactly(String),
}

/// Criterion's options that take no value. What follows any other may be its value.
const FLAGS: &[&str] = &[
    "--bench",
    "--discard-baseline",
    "--exact",
    "--ignored",
    "--include-ignored",
    "--list",
    "--nocapture",
    "--noplot",
    "-n",
    "--quick",
    "--quiet",
    "--show-output",
    "--test",
    "--verbose",
    "-v",
];

impl Selection {
    /// What the arguments of this process ask for; everything, if they are not understood.
    pub fn from_arguments() -> Selection {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let Some(filter) = filter(&arguments) else { return Selection::All };
        if arguments.iter().any(|argument| argument == "--exact") {
            return Selection::Exactly(filter.to_owned());
        }
        // What is wrong with an expression is criterion's to say.
        Regex::new(filter).map_or(Selection::All, Selection::Matching)
    }

    /// Whether the bench of this id is one of them.
    pub fn includes(&self, id: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::Matching(pattern) => pattern.is_match(id),
            Selection::Exactly(wanted) => id == wanted,
        }
    }
}

/// The argument that is neither an option nor the value of one.
fn filter(arguments: &[String]) -> Option<&str> {
    let takes_no_value = |argument: &str| {
        !argument.starts_with('-') || argument.contains('=') || FLAGS.contains(&argument)
    };
    let mut before = "";
    arguments.iter().map(String::as_str).find(|argument| {
        let before = std::mem::replace(&mut before, argument);
        !argument.starts_with('-') && takes_no_value(before)
    })
}
