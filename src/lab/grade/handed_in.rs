//! What students hand in: files of one solution, files with one solution a line, the statistics
//! files of a course, and folders of all these.

use crate::lab::input::{InputError, natural_order, read_file};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Files of folders with these endings, or with none, are read.
pub const ENDINGS: [&str; 6] = ["txt", "out", "moves", "sol", "solution", "log"];

/// The most bytes that are read from standard input.
const MOST_BYTES: u64 = 1 << 30;

/// A solution before it is known of which board it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandedIn {
    /// The file.
    pub file: String,
    /// The line where the solution begins, from 1.
    pub line: usize,
    /// What the solution may be called after, the nearest first: the name on its line, that of its
    /// file, that of its folder.
    pub names: Vec<String>,
    /// Its number among the solutions of the file, from 0.
    pub number: usize,
    /// How many solutions the file has.
    pub of: usize,
    /// The moves, as they were written.
    pub moves: String,
    /// The length that is stated beside them.
    pub stated: Option<u64>,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Collected {
    /// The solutions, folders in natural order.
    pub solutions: Vec<HandedIn>,
    /// Files that could not be read, or hold nothing.
    pub faults: Vec<InputError>,
    /// Files of folders that were passed over because of their names.
    pub passed_over: Vec<PathBuf>,
}

impl Collected {
    /// Reads a file, or all files of a folder; `-` is standard input. `is_move` says whether a
    /// word is a single move.
    pub fn add(&mut self, path: &Path, is_move: &dyn Fn(&str) -> bool) {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            match io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes) {
                Ok(_) => {
                    let name = "standard input".to_owned();
                    self.add_text(&name, std::slice::from_ref(&name), &bytes, is_move);
                }
                Err(error) => self.faults.push(InputError::Io { path: path.into(), error }),
            }
        } else if path.is_dir() {
            self.add_folder(path, path, is_move);
        } else {
            // A folder that was not named may be that of a student all the same.
            let folder = path.parent().and_then(Path::file_name);
            self.add_file(path, folder.map(|name| name.to_string_lossy().into_owned()), is_move);
        }
    }

    fn add_folder(&mut self, folder: &Path, root: &Path, is_move: &dyn Fn(&str) -> bool) {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.faults.push(InputError::Io { path: folder.into(), error }),
        };
        entries.sort_by(|a, b| {
            natural_order(&a.file_name().to_string_lossy(), &b.file_name().to_string_lossy())
        });
        for entry in entries {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            // Links to folders are not followed: they may form a cycle.
            if path.is_dir() && !path.is_symlink() && !hidden {
                self.add_folder(&path, root, is_move);
            } else if path.is_file() && !hidden && has_known_ending(&path) {
                let name = folder.file_name().filter(|_| folder != root);
                self.add_file(&path, name.map(|name| name.to_string_lossy().into_owned()), is_move);
            } else {
                self.passed_over.push(path);
            }
        }
    }

    fn add_file(&mut self, path: &Path, folder: Option<String>, is_move: &dyn Fn(&str) -> bool) {
        match read_file(path) {
            Ok(bytes) => {
                let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let names: Vec<String> = stem.into_iter().chain(folder).collect();
                self.add_text(&path.to_string_lossy(), &names, &bytes, is_move);
            }
            Err(error) => self.faults.push(error),
        }
    }

    /// Reads the content of a file, which may also be called by these names.
    pub(crate) fn add_text(
        &mut self,
        file: &str,
        names: &[String],
        bytes: &[u8],
        is_move: &dyn Fn(&str) -> bool,
    ) {
        let parts = parts(&decoded(bytes), is_move);
        let of = parts.len();
        self.solutions.extend(parts.into_iter().enumerate().map(|(number, part)| {
            let Part { line, name, moves, stated } = part;
            let names =
                name.into_iter().chain(names.iter().cloned()).map(|name| clean(&name)).collect();
            HandedIn { file: file.to_owned(), line, names, number, of, moves, stated }
        }));
    }
}

fn has_known_ending(path: &Path) -> bool {
    path.extension()
        .is_none_or(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The text of a file in whichever encoding editors and shells choose: UTF-8, UTF-16 with its mark,
/// else one byte a character.
fn decoded(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        },
    }
}

/// A solution in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    line: usize,
    name: Option<String>,
    moves: String,
    stated: Option<u64>,
}

/// The solutions of a text. A text without content is one solution without moves.
fn parts(text: &str, is_move: &dyn Fn(&str) -> bool) -> Vec<Part> {
    let lines = logical_lines(text);
    if lines.iter().any(|(_, line)| course_field(line, "path_to_goal").is_some()) {
        return course_parts(&lines);
    }
    let one_move = |line: &str| is_move(line.trim_matches(|c: char| !c.is_alphanumeric()));
    let column_of_moves = lines.len() > 1 && lines.iter().all(|(_, line)| one_move(line));
    if lines.is_empty() || column_of_moves {
        let line = lines.first().map_or(1, |(number, _)| *number);
        let moves: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        return vec![Part { line, name: None, moves: moves.join(" "), stated: None }];
    }
    let mut parts: Vec<Part> = Vec::new();
    for (number, line) in lines {
        let (name, moves) = match line.rsplit_once(':') {
            Some((name, moves)) => (unquoted(name), moves.trim().to_owned()),
            None => (None, line.trim().to_owned()),
        };
        match parts.last_mut() {
            // A name on a line of its own, and the moves below it.
            Some(last) if name.is_none() && last.name.is_some() && last.moves.is_empty() => {
                last.moves = moves;
            }
            _ => parts.push(Part { line: number, name, moves, stated: None }),
        }
    }
    parts
}

/// The solutions of a course's files of statistics, one after the other.
fn course_parts(lines: &[(usize, String)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (number, line) in lines {
        if let Some(moves) = course_field(line, "path_to_goal") {
            let moves = moves.to_owned();
            parts.push(Part { line: *number, name: None, moves, stated: None });
        } else if let Some(cost) = course_field(line, "cost_of_path")
            && let Some(part) = parts.last_mut()
        {
            part.stated = cost.parse().ok();
        }
    }
    parts
}

/// What a line says of one of the course's fields.
fn course_field<'a>(line: &'a str, field: &str) -> Option<&'a str> {
    let (name, value) = line.split_once([':', '='])?;
    name.trim().eq_ignore_ascii_case(field).then_some(value.trim())
}

/// The lines with content, by number. A list in brackets that goes on over several lines is one.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    // A lone carriage return ends a line as well.
    for (index, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        match lines.last_mut() {
            Some((_, last)) if open => {
                last.push(' ');
                last.push_str(content);
            }
            _ => lines.push((index + 1, content.to_owned())),
        }
        for c in content.chars() {
            open = (open || c == '[' || c == '(') && c != ']' && c != ')';
        }
    }
    lines
}

/// A name that can be shown: not too long, and without what would control a terminal.
fn clean(name: &str) -> String {
    const LONGEST: usize = 80;
    name.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// A name without quotes and brackets around it; `None` if nothing is left.
fn unquoted(name: &str) -> Option<String> {
    let name = name.trim_matches(|c: char| c.is_whitespace() || "'\"`{}[](),".contains(c));
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Option<String>, String)> {
        let is_move = |word: &str| ["up", "left", "u", "l"].contains(&&*word.to_lowercase());
        parts(text, &is_move).into_iter().map(|part| (part.name, part.moves)).collect()
    }

    fn unnamed(moves: &str) -> (Option<String>, String) {
        (None, moves.to_owned())
    }

    fn named(name: &str, moves: &str) -> (Option<String>, String) {
        (Some(name.to_owned()), moves.to_owned())
    }

    #[test]
    fn a_solution_has_a_line_a_column_or_a_list_in_brackets() {
        assert_eq!(read("Up Left\n"), [unnamed("Up Left")]);
        assert_eq!(read("Up\r\nLeft\r\n\r\nUp\r\n"), [unnamed("Up Left Up")]);
        assert_eq!(read("'Up',\n'Left',\n"), [unnamed("'Up', 'Left',")]);
        assert_eq!(read("['Up',\n 'Left',\n]\n"), [unnamed("['Up', 'Left', ]")]);
        assert_eq!(read("ULU\nLLU # easy\n"), [unnamed("ULU"), unnamed("LLU")]);
        assert_eq!(read(""), [unnamed("")]);
        assert_eq!(read("# nothing\n"), [unnamed("")]);
    }

    #[test]
    fn names_come_before_a_colon() {
        let expected = [named("alice", "U L"), named("bob", "['Up']")];
        assert_eq!(
            read("alice: U L\n'bob': ['Up'],\n"),
            [expected[0].clone(), named("bob", "['Up'],")]
        );
        assert_eq!(read("alice:\nU L\nbob:\n['Up']"), expected);
        assert_eq!(read("C:\\alice.txt: U L"), [named("C:\\alice.txt", "U L")]);
        assert_eq!(read("alice:"), [named("alice", "")]);
    }

    #[test]
    fn the_file_of_a_course_has_its_moves_and_their_number() {
        let text = "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\nnodes_expanded: 10\n\
                    running_time: 0.00188750\n";
        let is_move = |_: &str| false;
        let expected = Part {
            line: 1,
            name: None,
            moves: "['Up', 'Left', 'Left']".to_owned(),
            stated: Some(3),
        };
        assert_eq!(parts(text, &is_move), [expected]);
        assert_eq!(parts(&text.repeat(3), &is_move).len(), 3);
    }

    #[test]
    fn encodings_of_all_systems_are_read() {
        let text = "zoë: U L";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little = [vec![0xff, 0xfe], units.iter().flat_map(|u| u.to_le_bytes()).collect()];
        let big = [vec![0xfe, 0xff], units.iter().flat_map(|u| u.to_be_bytes()).collect()];
        for bytes in [
            text.as_bytes().to_vec(),
            ["\u{feff}", text].concat().into_bytes(),
            little.concat(),
            big.concat(),
            text.chars().map(|c| c as u8).collect(),
        ] {
            assert_eq!(decoded(&bytes), text);
        }
        assert_eq!(decoded(&[0xff, 0xfe, 0x00]), "");
    }
}
