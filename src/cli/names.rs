//! Names that users type: what the shell completes them to, and what they may have meant.

use super::options::{parse_ratio, parse_weight, parse_width};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use permutile::lab::compare::{Entrant, Parameter};
use permutile::puzzle::registry::{self, FAMILIES};
use permutile::search::{Aim, AlgorithmChoice, HeuristicKind, Setting};
use std::ffi::OsStr;
use std::sync::OnceLock;

/// How much of a name must be right for it to be recognised.
const ALIKE: f64 = 0.6;

/// The name that is most like the one typed, if one is.
pub(super) fn closest<'a>(
    typed: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let mut best = (ALIKE, None);
    for name in names {
        let alike = strsim::normalized_damerau_levenshtein(&typed, name);
        if alike > best.0 {
            best = (alike, Some(name));
        }
    }
    best.1
}

/// The names of the built-in heuristics.
pub(super) fn heuristics() -> impl Iterator<Item = &'static str> {
    HeuristicKind::built_in().iter().map(HeuristicKind::name)
}

/// The ids of puzzles: square ones, and then others that are not too large. Those of the side 4
/// come first, so that a name without a number is taken for one of them.
pub(super) fn puzzles() -> impl Iterator<Item = &'static str> {
    static IDS: OnceLock<Vec<String>> = OnceLock::new();
    const SIDES: [usize; 9] = [4, 3, 5, 2, 6, 7, 8, 9, 10];
    let all = || {
        let square =
            FAMILIES.iter().flat_map(|family| SIDES.map(|side| format!("{}{side}", family.name)));
        let other = FAMILIES.iter().flat_map(|family| {
            let sides = (2..=6).flat_map(|rows| (2..=6).map(move |cols| (rows, cols)));
            sides.map(|(rows, cols)| format!("{}:{rows}x{cols}", family.name))
        });
        square.chain(other).filter(|id| registry::define(id).is_ok()).collect()
    };
    IDS.get_or_init(all).iter().map(String::as_str)
}

/// Those that the shell offers: one for each side.
fn square_puzzles() -> Vec<&'static str> {
    puzzles().filter(|id| !id.contains(':')).collect()
}

/// Reads any text, as the name may be that of a file; the shell completes the names that are known.
#[derive(Clone)]
pub(super) struct Name(fn() -> Vec<&'static str>);

/// Reads the id of a puzzle, or a path.
pub(super) const PUZZLE: Name = Name(square_puzzles);

/// Reads the name of a heuristic, possibly of a user's own.
pub(super) const HEURISTIC: Name = Name(|| heuristics().collect());

impl TypedValueParser for Name {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// Reads the name of an algorithm.
#[derive(Clone)]
pub(super) struct AlgorithmName;

impl TypedValueParser for AlgorithmName {
    type Value = AlgorithmChoice;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<AlgorithmChoice, clap::Error> {
        let name = StringValueParser::new().parse_ref(command, argument, value)?;
        name.parse().map_err(|_| {
            let names = || AlgorithmChoice::all().map(AlgorithmChoice::name);
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            if let Some(argument) = argument {
                let argument = ContextValue::String(argument.to_string());
                error.insert(ContextKind::InvalidArg, argument);
            }
            if let Some(meant) = closest(&name, names()) {
                let meant = ContextValue::String(meant.to_owned());
                error.insert(ContextKind::SuggestedValue, meant);
            }
            let valid = names().map(str::to_owned).collect();
            error.insert(ContextKind::ValidValue, ContextValue::Strings(valid));
            error.insert(ContextKind::InvalidValue, ContextValue::String(name));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = AlgorithmChoice::all().map(AlgorithmChoice::name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// Reads the name of an algorithm, with its parameter or without: `beam:1000`.
#[derive(Clone)]
pub(super) struct EntrantName;

impl TypedValueParser for EntrantName {
    type Value = Entrant;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Entrant, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text.as_str(), None),
        };
        let algorithm = AlgorithmName.parse_ref(command, argument, OsStr::new(name))?;
        let parameter = parameter.map(|parameter| parse_parameter(algorithm, parameter));
        let parameter = parameter.transpose().map_err(|why| {
            let option = argument.map_or(String::new(), |argument| format!(" for '{argument}'"));
            let message = format!("invalid value '{text}'{option}: {why}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })?;
        Ok(Entrant { algorithm, parameter })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = AlgorithmChoice::all().map(AlgorithmChoice::name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// Reads the parameter of an algorithm.
fn parse_parameter(algorithm: AlgorithmChoice, text: &str) -> Result<Parameter, String> {
    let aim = |text: &str| match text {
        "first" => Ok(Aim::First),
        "exact" => Ok(Aim::Proven),
        ratio => match parse_ratio(ratio) {
            Ok(ratio) => Ok(Aim::Within(ratio)),
            Err(why) => Err(format!("expected first, exact or a ratio; {why}")),
        },
    };
    if algorithm.follows(Setting::Width) {
        parse_width(text).map(Parameter::Width)
    } else if algorithm.follows(Setting::Weight) {
        parse_weight(text).map(Parameter::Weight)
    } else if algorithm.follows(Setting::Aim) {
        aim(text).map(Parameter::Aim)
    } else {
        let takes_one = |choice: &AlgorithmChoice| {
            [Setting::Width, Setting::Weight, Setting::Aim].iter().any(|&s| choice.follows(s))
        };
        let names: Vec<&str> =
            AlgorithmChoice::all().filter(takes_one).map(AlgorithmChoice::name).collect();
        Err(format!("{algorithm} takes no parameter; those that do are {}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let heuristic = |typed| closest(typed, heuristics());
        assert_eq!(heuristic("manhatten"), Some("manhattan"));
        assert_eq!(heuristic("Linear_Conflict"), Some("linear-conflict"));
        assert_eq!(heuristic("hunch"), None);
        let puzzle = |typed| closest(typed, puzzles());
        assert_eq!(puzzle("slidng3"), Some("sliding3"));
        assert_eq!(puzzle("sliding"), Some("sliding4"));
        assert_eq!(puzzle("sliding3x4"), Some("sliding:3x4"));
        assert_eq!(puzzle("Torus4"), Some("torus4"));
        assert_eq!(puzzle("cube"), None);
        assert_eq!(puzzle(""), None);
    }

    #[test]
    fn every_name_that_is_offered_is_one() {
        assert!(puzzles().all(|id| registry::define(id).is_ok()));
        assert!(square_puzzles().contains(&"rings5") && square_puzzles().len() < 30);
        assert!(heuristics().all(|name| name.parse::<HeuristicKind>().is_ok()));
    }
}
