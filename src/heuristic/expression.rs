//! Arithmetic expressions of `dx` and `dy`, as users write them in heuristic files.
//!
//! `+`, `-`, `*`, `/`, `%` and `^` have their usual precedence; `^` binds to the right, and more
//! tightly than a sign before it. An error says at which byte of the text it is, so that a file's
//! error can name the column.

use std::f64::consts;
use std::fmt::{self, Display, Formatter};

/// The longest text that is read.
const LONGEST: usize = 1000;

/// How deep parentheses, calls, signs and powers may be nested: the parser calls itself.
const DEEPEST: usize = 100;

/// A function of one number.
type Unary = fn(f64) -> f64;

/// A function of two.
type Binary = fn(f64, f64) -> f64;

/// An expression of `dx` and `dy`.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(f64),
    Dx,
    Dy,
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<[Expression; 2]>),
}

/// What is wrong with the text of an expression, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ExpressionError {
    /// The byte at which it is.
    pub(super) offset: usize,
    problem: String,
}

impl Display for ExpressionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// If the text is none.
    pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
        if text.len() > LONGEST {
            let problem = format!("a formula has at most {LONGEST} characters");
            return Err(ExpressionError { offset: 0, problem });
        }
        let mut parser = Parser { text, offset: 0, depth: 0 };
        let expression = parser.sum()?;
        match parser.peek() {
            None => Ok(expression),
            Some(')') => Err(parser.error("no \"(\" before this \")\"".to_owned())),
            Some(_) => Err(parser.unexpected("an operator (+ - * / % ^) or the end")),
        }
    }

    /// The value for a tile that is so many columns and rows from its goal.
    pub(super) fn value(&self, dx: f64, dy: f64) -> f64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Dx => dx,
            Expression::Dy => dy,
            Expression::Unary(function, operand) => function(operand.value(dx, dy)),
            Expression::Binary(function, operands) => {
                let [left, right] = &**operands;
                function(left.value(dx, dy), right.value(dx, dy))
            }
        }
    }
}

/// What can be called with one argument.
const UNARY: &[(&str, Unary)] = &[
    ("abs", f64::abs),
    ("sqrt", f64::sqrt),
    ("cbrt", f64::cbrt),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("floor", f64::floor),
    ("ceil", f64::ceil),
    ("round", f64::round),
    ("trunc", f64::trunc),
    ("fract", f64::fract),
    ("signum", f64::signum),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
];

/// What can be called with two arguments or more, from the left.
const BINARY: &[(&str, Binary)] =
    &[("min", f64::min), ("max", f64::max), ("hypot", f64::hypot), ("atan2", f64::atan2)];

/// Names of numbers.
const CONSTANTS: &[(&str, f64)] = &[
    ("pi", consts::PI),
    ("PI", consts::PI),
    ("tau", consts::TAU),
    ("TAU", consts::TAU),
    ("e", consts::E),
    ("E", consts::E),
];

/// What a name stands for in one of these lists.
fn lookup<T: Copy>(list: &[(&str, T)], name: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == name).map(|&(_, meaning)| meaning)
}

/// Reads a text from left to right.
struct Parser<'a> {
    text: &'a str,
    offset: usize,
    depth: usize,
}

impl Parser<'_> {
    /// Terms that are added and subtracted.
    fn sum(&mut self) -> Result<Expression, ExpressionError> {
        let mut left = self.product()?;
        loop {
            let function: Binary = match self.peek() {
                Some('+') => |a, b| a + b,
                Some('-') => |a, b| a - b,
                _ => return Ok(left),
            };
            self.offset += 1;
            left = Expression::Binary(function, Box::new([left, self.product()?]));
        }
    }

    /// Factors that are multiplied and divided.
    fn product(&mut self) -> Result<Expression, ExpressionError> {
        let mut left = self.signed()?;
        loop {
            let function: Binary = match self.peek() {
                Some('*') => |a, b| a * b,
                Some('/') => |a, b| a / b,
                Some('%') => |a, b| a % b,
                _ => return Ok(left),
            };
            self.offset += 1;
            left = Expression::Binary(function, Box::new([left, self.signed()?]));
        }
    }

    /// A power, with any signs before it.
    fn signed(&mut self) -> Result<Expression, ExpressionError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("a formula is nested at most {DEEPEST} deep")));
        }
        self.depth += 1;
        let expression = match self.peek() {
            Some('-') => {
                self.offset += 1;
                Expression::Unary(|a| -a, Box::new(self.signed()?))
            }
            Some('+') => {
                self.offset += 1;
                self.signed()?
            }
            _ => self.power()?,
        };
        self.depth -= 1;
        Ok(expression)
    }

    /// An operand, raised to a power if one follows.
    fn power(&mut self) -> Result<Expression, ExpressionError> {
        let base = self.operand()?;
        if self.peek() != Some('^') {
            return Ok(base);
        }
        self.offset += 1;
        Ok(Expression::Binary(f64::powf, Box::new([base, self.signed()?])))
    }

    /// A number, a name, a call, or an expression in parentheses.
    fn operand(&mut self) -> Result<Expression, ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.offset += 1;
                let inner = self.sum()?;
                self.close()?;
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.named(),
            _ => Err(self.unexpected("a number, dx, dy, a function or \"(\"")),
        }
    }

    fn number(&mut self) -> Result<Expression, ExpressionError> {
        let rest = &self.text[self.offset..];
        let mut end = digits_and_point(rest);
        // An exponent, if there are digits after the e: otherwise it is something else.
        if let Some(exponent) = rest[end..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['+', '-']));
            let digits = exponent[sign..].bytes().take_while(u8::is_ascii_digit).count();
            end += if digits > 0 { 1 + sign + digits } else { 0 };
        }
        let number = rest[..end].parse().ok().filter(|number: &f64| number.is_finite());
        let number =
            number.ok_or_else(|| self.error(format!("\"{}\" is not a number", &rest[..end])))?;
        self.offset += end;
        Ok(Expression::Number(number))
    }

    /// What a name stands for: a variable, a number or a call.
    fn named(&mut self) -> Result<Expression, ExpressionError> {
        let start = self.offset;
        let rest = &self.text[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        self.offset += end;
        if let Some(number) = lookup(CONSTANTS, name) {
            return Ok(Expression::Number(number));
        }
        if let Some(function) = lookup(UNARY, name) {
            self.open(name)?;
            let argument = self.sum()?;
            self.close()?;
            return Ok(Expression::Unary(function, Box::new(argument)));
        }
        if let Some(function) = lookup(BINARY, name) {
            return self.call(name, function);
        }
        match name {
            "dx" => Ok(Expression::Dx),
            "dy" => Ok(Expression::Dy),
            _ => Err(ExpressionError {
                offset: start,
                problem: format!(
                    "there is no \"{name}\": a formula is of dx and dy, numbers, and functions \
                    such as max(dx, dy) and sqrt(dx)"
                ),
            }),
        }
    }

    /// The arguments of a function of two or more.
    fn call(&mut self, name: &str, function: Binary) -> Result<Expression, ExpressionError> {
        self.open(name)?;
        let mut left = self.sum()?;
        if self.peek() != Some(',') {
            return Err(self.unexpected(&format!("\",\" and a second argument of {name}")));
        }
        while self.peek() == Some(',') {
            self.offset += 1;
            left = Expression::Binary(function, Box::new([left, self.sum()?]));
        }
        self.close()?;
        Ok(left)
    }

    fn open(&mut self, name: &str) -> Result<(), ExpressionError> {
        if self.peek() != Some('(') {
            return Err(self.unexpected(&format!("\"(\" after {name}")));
        }
        self.offset += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        if self.peek() != Some(')') {
            return Err(self.unexpected("an operator (+ - * / % ^) or \")\""));
        }
        self.offset += 1;
        Ok(())
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.offset..];
        self.offset += rest.len() - rest.trim_start().len();
        self.text[self.offset..].chars().next()
    }

    /// That something else stands here than was expected.
    fn unexpected(&mut self, expected: &str) -> ExpressionError {
        let found = match self.peek() {
            None => "the formula ends here".to_owned(),
            Some(c) => format!("found \"{c}\""),
        };
        self.error(format!("{found}: expected {expected}"))
    }

    fn error(&self, problem: String) -> ExpressionError {
        ExpressionError { offset: self.offset, problem }
    }
}

/// How many bytes the digits at the beginning take, with a point among them or not.
fn digits_and_point(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        Expression::parse(text).unwrap().value(3.0, 2.0)
    }

    #[test]
    fn operators_have_their_usual_precedence() {
        for (text, expected) in [
            ("dx", 3.0),
            (" dx + dy ", 5.0),
            ("1 + 2 * dx", 7.0),
            ("(1 + 2) * dx", 9.0),
            ("10 - 2 - 3", 5.0),
            ("12 / 2 / 3 * 5 % 3", 1.0),
            ("2 ^ dx ^ dy", 512.0),
            ("-dx ^ 2", -9.0),
            ("2 ^ -1", 0.5),
            ("2 * -dx", -6.0),
            ("- - + dx", 3.0),
            ("max(dx, dy)", 3.0),
            ("min(dx, dy, 1, 0.5)", 0.5),
            ("sqrt(dx*dx + 16)", 5.0),
            ("hypot(3, 4) + floor(1.9) + abs(-1)", 7.0),
            ("1e2 + .5 + 1.", 101.5),
            ("ln(e)", 1.0),
            ("2*pi/tau", 1.0),
        ] {
            assert!((value(text) - expected).abs() < 1e-12, "{text} = {}", value(text));
        }
    }

    #[test]
    fn errors_are_about_the_formula_and_say_where() {
        let error = |text: &str| {
            let error = Expression::parse(text).unwrap_err();
            (error.offset, error.to_string())
        };
        for (text, offset, part) in [
            ("", 0, "the formula ends here: expected a number, dx, dy"),
            ("dx +", 4, "the formula ends here"),
            ("dx + * dy", 5, "found \"*\""),
            ("dx dy", 3, "expected an operator"),
            ("dx + z", 5, "there is no \"z\""),
            ("(dx + dy", 8, "or \")\""),
            ("dx)", 2, "no \"(\" before"),
            ("max(dx)", 6, "second argument of max"),
            ("max dx", 4, "\"(\" after max"),
            ("sqrt(dx, dy)", 7, "or \")\""),
            ("1.2.3", 0, "\"1.2.3\" is not a number"),
            ("1e999", 0, "is not a number"),
            ("dx ² 2", 3, "found \"²\""),
            ("2e", 1, "found \"e\""),
        ] {
            let (at, problem) = error(text);
            assert!(at == offset && problem.contains(part), "{text}: {at}: {problem}");
        }
        assert!(error(&"(".repeat(900)).1.contains("nested"));
        assert!(error(&"-".repeat(900)).1.contains("nested"));
        assert!(error(&"2^".repeat(400)).1.contains("nested"));
        assert!(error(&"1+".repeat(600)).1.contains("at most 1000"));
        assert!(Expression::parse(&vec!["1"; 500].join("+")).is_ok());
    }
}
