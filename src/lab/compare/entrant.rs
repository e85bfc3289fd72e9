//! What is entered for a comparison: an algorithm, and its parameter where one is given.

use crate::search::{Aim, AlgorithmChoice, SearchOptions};
use std::fmt;

/// An algorithm, and what tells it from others of the same kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entrant {
    /// The algorithm.
    pub algorithm: AlgorithmChoice,
    /// Its parameter; that of the options if not given.
    pub parameter: Option<Parameter>,
}

/// The parameter of an algorithm that has one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Parameter {
    /// [`SearchOptions::weight`].
    Weight(f64),
    /// [`SearchOptions::width`].
    Width(usize),
    /// [`SearchOptions::aim`].
    Aim(Aim),
}

impl Entrant {
    /// The options with which it is run.
    pub(super) fn on<'a>(&self, options: &SearchOptions<'a>) -> SearchOptions<'a> {
        let options = SearchOptions { algorithm: self.algorithm, ..options.clone() };
        match self.parameter {
            None => options,
            Some(Parameter::Weight(weight)) => SearchOptions { weight, ..options },
            Some(Parameter::Width(width)) => SearchOptions { width, ..options },
            Some(Parameter::Aim(aim)) => SearchOptions { aim, ..options },
        }
    }
}

impl<A: Into<AlgorithmChoice>> From<A> for Entrant {
    fn from(algorithm: A) -> Entrant {
        Entrant { algorithm: algorithm.into(), parameter: None }
    }
}

impl fmt::Display for Entrant {
    /// As in `wastar:1.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.algorithm)?;
        match self.parameter {
            None => Ok(()),
            Some(Parameter::Weight(weight)) => write!(f, ":{weight}"),
            Some(Parameter::Width(width)) => write!(f, ":{width}"),
            Some(Parameter::Aim(Aim::Best)) => write!(f, ":best"),
            Some(Parameter::Aim(Aim::First)) => write!(f, ":first"),
            Some(Parameter::Aim(Aim::Within(ratio))) => write!(f, ":{ratio}"),
            Some(Parameter::Aim(Aim::Proven)) => write!(f, ":exact"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::weighted_astar::WEIGHTED_ASTAR;

    #[test]
    fn a_parameter_is_that_of_the_entrant_or_of_the_options() {
        let options = SearchOptions { weight: 3.0, ..SearchOptions::default() };
        let plain = Entrant::from(&WEIGHTED_ASTAR);
        assert_eq!((plain.on(&options).weight, plain.to_string()), (3.0, "wastar".to_owned()));
        let own = Entrant { parameter: Some(Parameter::Weight(1.5)), ..plain };
        assert_eq!((own.on(&options).weight, own.to_string()), (1.5, "wastar:1.5".to_owned()));
        let aim = Some(Parameter::Aim(Aim::Within(1.05)));
        let auto = Entrant { algorithm: AlgorithmChoice::Auto, parameter: aim };
        assert_eq!(auto.to_string(), "auto:1.05");
        assert_eq!(auto.on(&options).aim, Aim::Within(1.05));
    }
}
