//! Inputs like the examples, but wrong somewhere.

use crate::lab::random::Random;

/// Longer inputs are cut off: they take longer and say no more.
const LONGEST: usize = 8192;

/// What parsers stumble over.
const TOKENS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "9",
    "255",
    "256",
    "257",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "nan",
    "inf",
    "0.5",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "/",
    ",",
    ";",
    ":",
    "#",
    "[",
    "]",
    "[[",
    "]]",
    "(",
    ")",
    "{",
    "}",
    "\"",
    "'",
    "=",
    "\u{feff}",
    "ä",
    "↑",
    "null",
    "true",
    "[]",
    "{}",
    "\0",
];

/// Makes inputs from examples: the same ones for a seed.
#[derive(Debug)]
pub struct Mutator {
    random: Random,
    examples: Vec<Vec<u8>>,
    input: Vec<u8>,
}

impl Mutator {
    /// With at least one example.
    pub fn new(seed: u64, examples: Vec<Vec<u8>>) -> Mutator {
        Mutator { random: Random::new(seed, 0), examples, input: Vec::new() }
    }

    /// The next input.
    pub fn next_input(&mut self) -> &[u8] {
        let example = self.below(self.examples.len());
        self.input.clone_from(&self.examples[example]);
        // Mostly little is wrong.
        for _ in 0..=self.below(4) {
            self.mutate();
        }
        self.input.truncate(LONGEST);
        &self.input
    }

    /// A number below the bound, or 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    /// Some of the input, seldom much of it.
    fn part(&mut self) -> std::ops::Range<usize> {
        let start = self.below(self.input.len() + 1);
        let most = if self.below(4) == 0 { self.input.len() } else { 8 };
        let length = self.below(most + 1).min(self.input.len() - start);
        start..start + length
    }

    fn mutate(&mut self) {
        let part = self.part();
        let at = part.start;
        match self.below(10) {
            0 if at < self.input.len() => self.input[at] ^= 1 << self.below(8),
            1 if at < self.input.len() => self.input[at] = self.below(256) as u8,
            2 => {
                let byte = self.below(256) as u8;
                self.input.insert(at, byte);
            }
            3 => _ = self.input.drain(part),
            4 => {
                let copy = self.input[part].to_vec();
                let to = self.below(self.input.len() + 1);
                self.input.splice(to..to, copy);
            }
            5 | 6 => {
                let token = TOKENS[self.below(TOKENS.len())].bytes();
                let end = if self.below(2) == 0 { at } else { part.end };
                self.input.splice(at..end, token);
            }
            // A number is replaced by another.
            7 => {
                let digits = |byte: &u8| byte.is_ascii_digit();
                let Some(from) = self.input[at..].iter().position(digits) else { return };
                let from = at + from;
                let length = self.input[from..].iter().take_while(|byte| digits(byte)).count();
                let number = self.below(30).to_string();
                self.input.splice(from..from + length, number.into_bytes());
            }
            // Something of another example.
            8 => {
                let other = self.below(self.examples.len());
                let other = &self.examples[other];
                let from = self.random.below(other.len() as u64 + 1) as usize;
                let to = from + self.random.below((other.len() - from) as u64 + 1) as usize;
                let piece = other[from..to].to_vec();
                self.input.splice(part, piece);
            }
            _ => self.input.truncate(at),
        }
    }
}
