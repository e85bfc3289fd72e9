//! Whatever is read as text.

use crate::board::check::replay;
use crate::board::move_list::{Reading, Spellings};
use crate::board::text::{
    Form, ParseError, TextOptions, has_no_content, line_ends, looks_compact, names, parse,
    parse_lines, parse_one,
};
use crate::board::{Board, Shape, notation};
use crate::heuristic::formula::Formula;
use crate::heuristic::user_partition::UserPartition;
use crate::lab::grade::Collected;
use crate::lab::journal::to_line;
use crate::lab::record::Record;
use crate::lab::verify::verify_journal;
use crate::play::shared_game::SharedGame;
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, Dynamics, Frame, Goal, custom, registry};
use std::sync::LazyLock;

fn owned(examples: &[&str]) -> Vec<Vec<u8>> {
    examples.iter().map(|example| example.as_bytes().to_vec()).collect()
}

/// The first byte chooses, the rest is the text.
fn chosen<'a, T: Copy>(bytes: &'a [u8], choices: &[T]) -> Option<(T, &'a [u8])> {
    let (&first, rest) = bytes.split_first()?;
    Some((choices[usize::from(first) % choices.len()], rest))
}

pub(super) fn board_examples() -> Vec<Vec<u8>> {
    owned(&[
        "\x001 2 3\n4 5 6\n7 8 0\n",
        "\x005 3 8/0 2 4/1 7 6 # 20",
        "\x00102345678",
        "\x00[[1,2,0],[3,4,5],[6,7,8]]",
        "\x00('1', '2', '0', '3')",
        "\x00ABCDE/FGHIJ/KLMNO/PQRST/UVWXY",
        "\x0000010203040506070809101112131415",
        "\x003\n1 2 3\n4 5 6\n7 8 0\n",
        "\x001 2\n3 4\n\n2 1\n4 3\n",
        "\x012 1 3 4 5",
        "\x021 2 3 4 5 6 7 8 9 10",
        "\x03a: 1 2 3 0 # 4\nb: 2/1",
        "\u{feff}1 2\r3 0\r",
    ])
}

/// Boards in all forms: errors have a place and a text, and what is read is read again.
pub(super) fn boards(bytes: &[u8]) {
    let shapes = [None, Shape::new(1, 5).ok(), Shape::new(2, 5).ok(), Shape::new(4, 4).ok()];
    let Some((shape, text)) = chosen(bytes, &shapes) else { return };
    for form in [Form::Sniff, Form::Single, Form::Collection] {
        let entries = parse("fuzz", text, &TextOptions { shape, form });
        assert!(!entries.is_empty());
        for entry in entries {
            match entry {
                Ok(entry) => is_read_again(&entry.board),
                Err(error) => has_words(&error),
            }
        }
    }
    if let Ok(text) = std::str::from_utf8(text) {
        looks_compact(text);
    }
}

fn has_words(error: &ParseError) {
    assert!(error.position().line >= 1 && error.position().column >= 1, "{error}");
    let words = [error.to_string(), error.help(), error.snippet().unwrap_or_default()];
    assert!(!words[0].is_empty());
}

fn is_read_again(board: &Board) {
    let shape = Some(board.shape());
    for text in [board.to_string(), board.grid().to_string(), board.line().to_string()] {
        let again = parse_one("again", text.as_bytes(), shape).map(|entry| entry.board);
        assert_eq!(again.as_ref(), Ok(board), "{text}");
    }
}

pub(super) fn collection_examples() -> Vec<Vec<u8>> {
    owned(&[
        "\x08# a comment\n\neasy: 1 2 0 3 4 5 6 7 8 # 2\n3 1 2/0 4 5/6 7 8 # 1 by hand\n",
        "\x0aa: 1 0 2 3 # 1\r\nb: 1 0 2\r\nc: 1 1 2 3\r\n: 2 1 0 3\r\n",
        "\x201 2 3 4\n2 1 3 4\n\n4 3 2 1",
        "\x03x:y: ABCD\n\u{feff}z: 0123\n",
    ])
}

/// A collection that is read in two pieces has the same boards as in one.
pub(super) fn collections(bytes: &[u8]) {
    let Some((&first, text)) = bytes.split_first() else { return };
    names(text).for_each(drop);
    let all = parse_lines("fuzz", text, None, 0);
    assert_eq!(has_no_content(text), all.is_empty());
    let feeds: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b'\n').collect();
    let cut = if feeds.is_empty() { 0 } else { feeds[usize::from(first) % feeds.len()] + 1 };
    let (before, after) = text.split_at(cut);
    let mut pieces = parse_lines("fuzz", before, None, 0);
    pieces.extend(parse_lines("fuzz", after, None, line_ends(before)));
    // At the very beginning, a byte-order mark is none of the text.
    if cut > 0 {
        assert_eq!(pieces, all);
    }
    all.iter().flat_map(|entry| entry.as_ref().err()).for_each(has_words);
}

pub(super) fn puzzle_examples() -> Vec<Vec<u8>> {
    owned(&[
        include_str!("../../data/puzzles/top-spin-2x5.toml"),
        include_str!("../../data/puzzles/one-way-4x5.toml"),
        "shape = \"2x2\"\n[[move]]\nname = \"a\"\ncycles = [[1, 2], [3, 4]]\n[[move]]\nname = \"b\"\n\
         cycles = [[1, 3, 4]]\ninverse = \"c\"\n",
        "shape = \"1x3\"\nmove = [{ name = \"x\", cycles = [[1, 2]] }]\n",
    ])
}

/// The most cells of a puzzle whose tables are made here: that takes longer the more there are.
const MOST_CELLS: usize = 12;

/// Custom puzzles: what is a puzzle has the moves that its rules say.
pub(super) fn puzzles(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let definition = match custom::define("fuzz.toml", text) {
        Ok(definition) => definition,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let Dynamics::Permutations(moves) = &definition.dynamics else { panic!("it has no blank") };
    assert!((1..=64).contains(&moves.len()));
    // That takes as long as reading dozens of files.
    if definition.shape.cells() > MOST_CELLS || moves.len() > 6 || !bytes.len().is_multiple_of(16) {
        return;
    }
    let puzzle = AnyPuzzle::new(definition, Goal::Default, Simd::detect()).expect("the usual goal");
    puzzle.visit(super::laws::MovesFollowRules { start: None, moves: &[0, 1, 2, 3, 4, 5, 0, 2] });
}

pub(super) fn formula_examples() -> Vec<Vec<u8>> {
    owned(&[
        include_str!("../../data/heuristics/larger-side.toml"),
        "name = \"x\"\nformula = \"min(dx, 3) + hypot(dx, dy)^2 / (1 + abs(dx - dy)) % 7\"\n",
        "name = \"table\"\ntable = [[0, 1, 2], [1, 2, 3], [2, 3, 4]]\ndivisor = 2\nwrap = true\n",
        "name = \"f\"\nformula = \"floor(sqrt(dx)) * ln(1 + dy) + e - pi * sin(0)\"\ndivisor = 0.5\n",
        "1,2,3/4,5,6/7,8",
        "0,1,1,1,2,2,2,3,3",
    ])
}

/// Heuristics in files, and partitions of pattern databases.
pub(super) fn formulas(bytes: &[u8]) {
    static FRAMES: LazyLock<[Frame; 2]> = LazyLock::new(|| ["sliding3", "torus:2x3"].map(frame));
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Formula::parse("fuzz.toml", text) {
        Ok(formula) => FRAMES.iter().for_each(|frame| _ = formula.build(frame)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(partition) = UserPartition::parse(text, &Goal::Default) {
        let again =
            UserPartition::parse(partition.name().trim_start_matches("pdb:"), &Goal::Default);
        assert_eq!(again.map(|again| again.name().to_owned()), Ok(partition.name().to_owned()));
        let _ = partition.partition(&FRAMES[0]);
    }
}

fn frame(id: &str) -> Frame {
    let definition = registry::define(id).expect("the id of a puzzle");
    Frame::new(definition, Goal::Default, Simd::detect()).expect("the usual goal")
}

pub(super) fn move_examples() -> Vec<Vec<u8>> {
    owned(&[
        "\0['Up', 'Left', 'Left']",
        "\0D2L3U999R",
        "\0↑←↓→ up, down; LEFT",
        "\x01L1 R2 u3D4",
        "\x02OcOccIcIcc l5",
        "permutile=1 puzzle=sliding3 start=1,4,2,0,3,5,6,7,8 moves=Right,Up seconds=9.5 \
         scramble=depth:3 seed=4",
    ])
}

/// The rules of some puzzles, with the names of their moves and how these are spelled.
struct Spelled {
    frame: &'static Frame,
    names: &'static [String],
    readings: [Spellings<'static>; 2],
}

static SPELLED: LazyLock<[Spelled; 3]> = LazyLock::new(|| {
    ["sliding3", "torus4", "rings5"].map(|id| {
        let frame: &Frame = Box::leak(Box::new(frame(id)));
        let names: &[String] = frame.rules().move_names().leak();
        let spelled = |reading| Spellings::new(frame.rules(), names, reading);
        Spelled { frame, names, readings: [Reading::Blank, Reading::Tile].map(spelled) }
    })
});

/// Lists of moves, in every reading; the players' notation; and games as lines.
pub(super) fn moves(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let Spelled { frame, names, readings } = &SPELLED[usize::from(first) % SPELLED.len()];
    let listed = String::from_utf8_lossy(rest);
    for spellings in readings {
        match spellings.read(&listed) {
            Ok(moves) => {
                assert!(moves.iter().all(|&read| names.iter().any(|name| name == read)));
                let few = &moves[..moves.len().min(50)];
                let _ = replay(frame.rules(), frame.goal(), few);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(moves) = notation::from_short(&listed)
        && moves.len() < 10_000
    {
        let short = notation::to_short(&moves).expect("these are moves of a blank");
        assert_eq!(notation::from_short(&short), Ok(moves));
    }
    if let Ok(game) = String::from_utf8_lossy(bytes).parse::<SharedGame>() {
        // Times are written in tenths of seconds.
        let line = game.to_string();
        let again: SharedGame = line.parse().expect("what was written is read");
        assert_eq!(again.to_string(), line);
        let _ = game.read(SPELLED[0].frame);
    }
}

pub(super) fn solution_examples() -> Vec<Vec<u8>> {
    let mut examples = owned(&[
        "alice: U L L\nbob: ['Up',\n 'Left']\n# none\nno solution\n",
        "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\nnodes_expanded: 10\n",
        "Up\nLeft\nLeft\n",
        "board3_alice:\nD2L3\r\nboard4: impossible\r",
    ]);
    let wide = "U L L\n".encode_utf16().flat_map(u16::to_le_bytes);
    examples.push([0xff, 0xfe].into_iter().chain(wide).collect());
    examples
}

/// What students hand in.
pub(super) fn solutions(bytes: &[u8]) {
    let [_, spellings] = &SPELLED[0].readings;
    let mut collected = Collected::default();
    collected.add_text("fuzz", &["fuzz".to_owned()], bytes, &|word| spellings.is_move(word));
    assert!(!collected.solutions.is_empty());
    for solution in &collected.solutions {
        assert!(solution.line >= 1 && solution.number < solution.of);
        let _ = spellings.read(&solution.moves);
    }
}

pub(super) fn journal_examples() -> Vec<Vec<u8>> {
    owned(&[
        "{\"schema\":1,\"board\":\"a\",\"puzzle\":\"sliding3\",\"goal\":\"blank-first\",\
         \"start\":[1,2,5,3,4,0,6,7,8],\"status\":\"solved\",\"length\":3,\
         \"moves\":[\"Up\",\"Left\",\"Left\"],\"optimal\":true,\"lower_bound\":3,\
         \"algorithm\":\"ida\",\"heuristic\":\"pdb\",\"threads\":1,\"expanded\":3,\"generated\":3,\
         \"max_depth\":3,\"seconds\":0.014,\"peak_bytes\":45672,\"plan\":\"x; timeout 10s\",\
         \"improvements\":[[0.1,5],[0.2,3]]}\n",
        "{\"schema\":1,\"board\":\"b\",\"puzzle\":\"torus:2x3\",\"goal\":[2,1,3,4,5,6],\
         \"start\":[3,1,2,4,5,6],\"status\":\"unsolvable\",\"length\":null,\"moves\":null,\
         \"optimal\":false,\"lower_bound\":null,\"algorithm\":null,\"heuristic\":null,\
         \"threads\":0,\"expanded\":0,\"generated\":0,\"max_depth\":0,\"seconds\":0,\
         \"peak_bytes\":0,\"error\":\"parity\"}\n",
        "{\"schema\":1,\"board\":\"c\",\"status\":\"invalid\",\"length\":null,\"moves\":null,\
         \"optimal\":false,\"lower_bound\":null,\"algorithm\":null,\"heuristic\":null,\
         \"threads\":0,\"expanded\":0,\"generated\":0,\"max_depth\":0,\"seconds\":0.0,\
         \"peak_bytes\":0,\"location\":{\"file\":\"x\",\"line\":2,\"column\":3},\"error\":\"no\"}\n",
    ])
}

/// Journals are verified line by line, and each record is written as it is read.
pub(super) fn journals(bytes: &[u8]) {
    let verdict = verify_journal(bytes, None, |line, violation| {
        assert!(line >= 1 && !violation.to_string().is_empty());
    });
    let verdict = verdict.expect("bytes can be read");
    assert!(verdict.solutions + verdict.violations <= verdict.records);
    for line in bytes.split(|&byte| byte == b'\n') {
        let Ok(record) = serde_json::from_slice::<Record>(line) else { continue };
        let written = to_line(&record);
        let again: Record = serde_json::from_slice(&written).expect("what was written is read");
        assert_eq!(again, record);
        let _ = again.with_better_of(&record);
    }
}

pub(super) fn list_examples() -> Vec<Vec<u8>> {
    owned(&[
        "version = 1\n\n[[board]]\nname = \"a\"\npuzzle = \"sliding:2x3\"\n\
         goal = \"blank-first\"\nstart = \"3 1 2/4 5 0\"\nlength = 3\nlower_bound = 3\n\
         moves = \"Left Left Up\"\n",
        "# A remark.\nversion = 1\nboard = []\n",
        "version = 1\n[[board]]\nname = \"b\"\npuzzle = \"torus:2x3\"\ngoal = \"ordered\"\n\
         start = \"2 3 1/4 5 6\"\nlength = 1\nlower_bound = 1\nmoves = \"R1\"\n\
         [[board]]\nname = \"b\"\npuzzle = \"torus:2x3\"\ngoal = \"2 3 1/4 5 6\"\n\
         start = \"2 3 1/4 5 6\"\nlength = 0\nlower_bound = 0\nmoves = \"\"\"\n\"\"\"\n",
    ])
}

/// Lists of best-known solutions.
pub(super) fn lists(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        crate::lab::best_known::survive(text);
    }
}

#[cfg(feature = "web")]
pub(super) fn request_examples() -> Vec<Vec<u8>> {
    owned(&[
        "{\"board\":\"5 3 8/0 2 4/1 7 6\",\"goal\":\"blank-last\",\"algorithm\":\"ida\",\
         \"heuristic\":\"manhattan\",\"timeout_ms\":500,\"threads\":1,\"aim\":\"exact\"}",
        "{\"puzzle\":\"torus:2x3\",\"board\":[3,1,2,4,5,6],\"goal\":[1,2,3,4,5,6],\
         \"max_nodes\":10,\"weight\":2.5,\"width\":10}",
        "{\"puzzle\":\"x\",\"definition\":\"shape = \\\"1x3\\\"\\n[[move]]\\nname = \\\"a\\\"\\n\
         cycles = [[1, 2]]\\n\",\"board\":\"2 1 3\",\"text\":\"a\",\"moves\":[\"a\"]}",
        "{\"puzzle\":\"sliding3\",\"moves\":5,\"seed\":7}",
        "{\"text\":\"1 2 0/3 4 5/6 7 8\",\"puzzle\":\"sliding3\"}",
        "{\"puzzle\":\"sliding3\",\"board\":\"102345678\",\"text\":\"L\"}",
        "{\"puzzle\":\"sliding3\",\"board\":\"102345678\",\"moves\":[\"Left\"],\
         \"heuristics\":[\"manhattan\"]}",
    ])
}
