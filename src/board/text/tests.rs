use proptest::prelude::*;

use super::super::MAX_CELLS;
use super::*;

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

/// Reads a single board, named `t`.
fn one(text: impl AsRef<[u8]>) -> Result<Entry, ParseError> {
    parse_one("t", text.as_ref(), None)
}

fn shaped(text: &str, wanted: &str) -> Result<Entry, ParseError> {
    parse_one("t", text.as_bytes(), Some(shape(wanted)))
}

fn many(text: impl AsRef<[u8]>, form: Form) -> Vec<Result<Entry, ParseError>> {
    parse("t", text.as_ref(), &TextOptions { shape: None, form })
}

/// A board's shape and tiles, for short assertions.
fn show(entry: &Entry) -> String {
    format!("{}: {}", entry.board.shape(), entry.board)
}

fn assert_reads(text: impl AsRef<[u8]>, expected: &str) {
    let text = text.as_ref();
    let entry = one(text).unwrap_or_else(|error| panic!("{}: {error}", text.escape_ascii()));
    assert_eq!(show(&entry), expected, "{}", text.escape_ascii());
}

/// The message, without the name of the text.
fn message(result: Result<Entry, ParseError>) -> String {
    result.unwrap_err().to_string().strip_prefix("t:").unwrap().to_owned()
}

#[test]
fn layouts_of_a_single_board() {
    let square = "3x3: 5 3 8 0 2 4 1 7 6";
    for text in [
        "5 3 8\n0 2 4\n1 7 6\n",
        "5 3 8\n0 2 4\n1 7 6",
        "5 3 8/0 2 4/1 7 6",
        "5 3 8 /\n 0 2 4 /\n 1 7 6 /\n",
        "5 3 8 / 0 2 4\n1 7 6",
        "5 3 8 0 2 4 1 7 6",
        "5,3,8,0,2,4,1,7,6",
        "5;3;8;0;2;4;1;7;6;",
        "5, 3,, 8,\n,0;2 4\n1,7,6,\n",
        "5\t3\t8\r\n0\t2\t4\r\n1\t7\t6\r\n",
        "5 3 8\r0 2 4\r1 7 6\r",
        "\u{feff}5 3 8\n0 2 4\n1 7 6\n",
        "\n\n  5  3 8  \n\n 0 2 4\n \t \n1 7 6 \n\n\n",
        "# a title\n5 3 8 # the top row\n0 2 4\n#\n1 7 6\n# the end",
        "05 03 08\n00 02 04\n01 07 06",
        "+5 3 8 0 2 4 1 7 6",
        "[[5, 3, 8], [0, 2, 4], [1, 7, 6]]",
        "[[5, 3, 8],\n [0, 2, 4],\n [1, 7, 6]]\n",
        "[[5 3 8]\n [0 2 4]\n [1 7 6]]\n",
        "[5,3,8,0,2,4,1,7,6]",
        "[\n  [5, 3, 8],\n  [0, 2, 4],\n  [1, 7, 6]\n]\n",
        "5\n3\n8\n0\n2\n4\n1\n7\n6\n",
        "5\u{a0}3\u{a0}8\n0 2 4\n\u{feff}1 7 6",
        "(5, 3, 8, 0, 2, 4, 1, 7, 6)",
        "((5, 3, 8), (0, 2, 4), (1, 7, 6))",
        "[(5, 3, 8),\n (0, 2, 4),\n (1, 7, 6)]",
        "['5', '3', '8', '0', '2', '4', '1', '7', '6']",
        "538024176",
        "\u{feff} 538024176\r\n",
        "[538024176]",
        "538/024/176",
        "538\n024\n176\n",
        "050308000204010706",
        "050308/000204/010706",
        "3\n5 3 8\n0 2 4\n1 7 6",
        "3\n\n5 3 8 0 2 4 1 7 6\n",
    ] {
        assert_reads(text, square);
    }
    assert_reads("1 2 3\n4 5 6", "2x3: 1 2 3 / 4 5 6");
    assert_reads("1 2/3 4/5 0", "3x2: 1 2 / 3 4 / 5 0");
    assert_reads("[[1,2,3],[4,5,6]]", "2x3: 1 2 3 / 4 5 6");
}

#[test]
fn a_shape_settles_a_list() {
    assert_eq!(show(&shaped("1 2 3 4 5 6", "2x3").unwrap()), "2x3: 1 2 3 / 4 5 6");
    assert_eq!(show(&shaped("1 2 3 4 5 6", "3x2").unwrap()), "3x2: 1 2 / 3 4 / 5 6");
    let sixteen = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    assert_eq!(shaped(sixteen, "2x8").unwrap().board.shape(), shape("2x8"));
    assert_eq!(shaped("1 2 3 / 4 5 6", "2x3").unwrap().board.shape(), shape("2x3"));
}

#[test]
fn comments_need_no_encoding() {
    assert_reads(b"1 2 # caf\xe9 \x80\n3 4 # \xff", "2x2: 1 2 3 4");
}

#[test]
fn lengths_of_a_single_board() {
    let lengths = |text: &str| {
        let entry = one(text).unwrap();
        let allowed = match entry.heading {
            Some(Heading::AllowedLength(length)) => Some(length),
            Some(Heading::Size) | None => None,
        };
        (entry.line, entry.known_length, allowed)
    };
    assert_eq!(lengths("1 2\n3 4"), (1, None, None));
    assert_eq!(lengths("# x\n\n1 2\n3 4 # 12"), (3, Some(12), None));
    assert_eq!(lengths("1 2 # 1\n3 4 #2\n # 7\n"), (1, Some(2), None));
    assert_eq!(lengths("1 2 # 12\n3 4"), (1, None, None));
    assert_eq!(lengths("1 2 3 4 # 12 moves"), (1, None, None));
    assert_eq!(lengths("1 2 3 4 # -1"), (1, None, None));
    assert_eq!(lengths("1 2 3 4 # 99999999999"), (1, None, None));
    assert_eq!(lengths("11\n1 2\n3 4"), (2, None, Some(11)));
    assert_eq!(lengths("11\n\n1 2 3 4 # 9"), (3, Some(9), Some(11)));
    assert_eq!(lengths("0\n1 2 / 3 4"), (2, None, Some(0)));
    assert_eq!(lengths("1\n2\n3\n4"), (1, None, None));
    assert_eq!(
        message(one("-7\n1 2\n3 4")),
        "1:1: -7 stands alone before the board; \
         expected its size or the allowed number of moves there"
    );
}

/// The number before a board is its size if that fits, else how many moves are allowed.
#[test]
fn a_number_before_the_board() {
    let heading = |text: &str| one(text).unwrap().heading;
    assert_eq!(heading("2\n1 2\n3 4"), Some(Heading::Size));
    assert_eq!(heading("02\n1 2 / 3 4"), Some(Heading::Size));
    assert_eq!(heading("3\n1 2\n3 4"), Some(Heading::AllowedLength(3)));
    // No number alone is the size of a board that is not square.
    assert_eq!(heading("2\n1 2 3\n4 5 6"), Some(Heading::AllowedLength(2)));
    assert_eq!(heading("1 2\n3 4"), None);
    // Also without spaces.
    assert_eq!(heading("3\n102\n345\n678"), Some(Heading::Size));
    assert_eq!(heading("3\n102345678"), Some(Heading::Size));
    assert_eq!(heading("31\n102345678"), Some(Heading::AllowedLength(31)));
    assert_eq!(heading("5\nABCDE/FGHIJ/KLMNO/PQRST/UVWXY"), Some(Heading::Size));
    assert_eq!(heading("12\n30"), None);
    assert_eq!(one("3\n\n102\n345\n678 # 1").unwrap().line, 3);
    assert_eq!(one("3\n\n102\n345\n678 # 1").unwrap().known_length, Some(1));
    // Even one that would be a board by itself.
    let both = many("3120\n1 2 3 0\n", Form::Sniff);
    assert_eq!(both.len(), 1);
    assert_eq!(both[0].as_ref().unwrap().heading, Some(Heading::AllowedLength(3120)));
}

#[test]
fn digits_without_spaces() {
    assert_reads("102345678", "3x3: 1 0 2 3 4 5 6 7 8");
    assert_reads("012345678", "3x3: 0 1 2 3 4 5 6 7 8");
    assert_reads("987654321", "3x3: 9 8 7 6 5 4 3 2 1");
    assert_reads("3120", "2x2: 3 1 2 0");
    assert_reads("03010200", "2x2: 3 1 2 0");
    assert_reads("0301\n0200", "2x2: 3 1 2 0");
    assert_reads("102/345", "2x3: 1 0 2 / 3 4 5");
    assert_reads("1023\n4567", "2x4: 1 0 2 3 / 4 5 6 7");
    let fifteen = "00010203040506070809101112131415";
    assert_reads(fifteen, "4x4: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    assert_eq!(show(&shaped(fifteen, "2x8").unwrap()).split(':').next(), Some("2x8"));
    assert_reads("00010203/04050607/08091011/12131415", &show(&one(fifteen).unwrap()));
    assert_eq!(show(&shaped("102345", "3x2").unwrap()), "3x2: 1 0 / 2 3 / 4 5");
    assert_eq!(one("# x\n102345678 # 12").unwrap().known_length, Some(12));
    assert_eq!(one("# x\n102345678 # 12").unwrap().line, 2);
    let hundred: String = (0..100).map(|tile| format!("{tile:02}")).collect();
    assert_eq!(one(hundred).unwrap().board.shape(), shape("10x10"));
    // One board a line.
    assert_eq!(many("102345678\n012345678 # 0\n", Form::Sniff).len(), 2);
    assert_eq!(many("a: 102345678 # 1", Form::Collection)[0].as_ref().unwrap().line, 1);
}

#[test]
fn digits_without_spaces_that_make_no_board() {
    assert_eq!(
        message(one("102345677")),
        "1:9: tile 7 is here again after line 1, column 8; \
         expected each tile once, and tile 8 is missing"
    );
    assert_eq!(
        message(one("102345679")),
        "1:9: 9 is out of range; a 3x3 board with a blank 0 has tiles up to 8"
    );
    assert_eq!(
        message(one("10234567")),
        "1:9: tile 8 is missing; expected 9 numbers for a 3x3 board"
    );
    assert_eq!(
        message(one("05040203")),
        "1:1: 05 is out of range; a 2x2 board without a blank has tiles 1 to 4"
    );
    assert_eq!(
        message(one("1023456789012345")),
        "1:1: found 16 digits without spaces; \
         expected one for each tile of a square (4 or 9), or two (8, 18, 32, 50, …)"
    );
    assert_eq!(
        message(shaped("1023456789012345", "4x4")),
        "1:1: found 16 digits without spaces; expected 32 for a 4x4 board, two for each tile"
    );
    assert_eq!(message(shaped("10234", "3x3")), "1:6: found 5 numbers; expected 9 for a 3x3 board");
    assert_eq!(
        message(shaped("102345678012", "3x3")),
        "1:1: found 12 digits without spaces; \
         expected 9 or 18 for a 3x3 board, one or two for each tile"
    );
    assert_eq!(
        message(one("102\n345\n677")),
        "3:3: tile 7 is here again after line 3, column 2; \
         expected each tile once, and tile 8 is missing"
    );
    // As numbers, this is nearer to a board.
    assert!(message(one("10\n11\n12\n13")).starts_with("1:1: 10 is out of range"));
    assert!(message(one("102\n34\n567")).contains("found 3 numbers"));
    assert!(message(one("123")).contains("found 1 number"));
    assert!(matches!(
        one("9".repeat(1_000_000)).unwrap_err().kind,
        ParseErrorKind::WrongCount { .. }
    ));
}

#[test]
fn letters() {
    let solved = "5x5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25";
    for text in [
        "ABCDEFGHIJKLMNOPQRSTUVWXY",
        "ABCDE\nFGHIJ\nKLMNO\nPQRST\nUVWXY\n",
        "ABCDE/FGHIJ/KLMNO/PQRST/UVWXY",
        "A B C D E\nF G H I J\nK L M N O\nP Q R S T\nU V W X Y",
        "abcde/fghij/klmno/pqrst/uvwxy",
        "['A', 'B', 'C', 'D', 'E'], ['F', 'G', 'H', 'I', 'J'], ['K', 'L', 'M', 'N', 'O'], \
         ['P', 'Q', 'R', 'S', 'T'], ['U', 'V', 'W', 'X', 'Y']",
    ] {
        assert_reads(text, solved);
    }
    assert_reads("BACD", "2x2: 2 1 3 4");
    assert_reads("PONMLKJIHGFEDCBA", "4x4: 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1");
    assert_reads("ABC/DEF", "2x3: 1 2 3 / 4 5 6");
    assert_eq!(many("ABCD\nDCBA", Form::Sniff).len(), 2);
    assert_eq!(
        message(one("ABCDE/FGHIJ/KLMNO/PQRST/UVWXX")),
        "1:29: tile 24 is here again after line 1, column 28; \
         expected each tile once, and tile 25 is missing"
    );
    assert_eq!(
        message(one("ABCDEFGHIJKLMNOPQRSTUVWXZ")),
        "1:25: Z is out of range; a 5x5 board without a blank has tiles 1 to 25"
    );
    assert!(message(one("ABCDEFGHIJKLMNOPQRSTUVWX")).contains("is missing"));
    assert!(message(one("ABCDE/FGHI/KLMNO")).contains("row 2 has 4 numbers"));
    for word in ["what", "ABCE", "x", "board", "é"] {
        let error = one(word).unwrap_err();
        assert!(matches!(error.kind, ParseErrorKind::NotANumber { .. }), "{word}: {error}");
    }
}

#[test]
fn boards_between_empty_lines() {
    let shown = |text: &str| -> Vec<String> {
        let told = |result: &Result<Entry, ParseError>| match result {
            Ok(entry) => format!("{} {}", entry.line, show(entry)),
            Err(error) => error.to_string(),
        };
        many(text, Form::Sniff).iter().map(told).collect()
    };
    let two = ["2 2x2: 1 2 3 0", "5 2x2: 3 1 2 0"];
    assert_eq!(shown("# first\n1 2\n3 0\n\n3 1\n2 0"), two);
    assert_eq!(shown("\r\n1 2\r\n3 0\r\n \t\r\n3 1\r\n2 0\r\n\r\n"), two);
    assert_eq!(shown("\n12\n30\n\n3120\n"), two);
    assert_eq!(
        shown("2\n1 2\n3 0\n\n7\n3 1\n2 0 # 5\n\n\nABCD\n"),
        ["2 2x2: 1 2 3 0", "6 2x2: 3 1 2 0", "10 2x2: 1 2 3 4"]
    );
    // A bad one hides no other.
    assert_eq!(
        shown("1 2\n3 x\n\n3 1\n2 0\n\n1 2 3\n"),
        [
            "t:2:3: \"x\" is not a number; expected an integer",
            "4 2x2: 3 1 2 0",
            "t:7:6: 0 or 4 is missing; expected 4 numbers for a 2x2 board",
        ]
    );
    // One board whose rows are far apart, with or without a mistake.
    assert_eq!(shown("1 2\n\n3 0\n"), ["1 2x2: 1 2 3 0"]);
    let far = "1 2 3 4\n\n5 6 7 8\n\n9 10 11 12\n\n13 14 15 ";
    assert_eq!(many(format!("{far}0"), Form::Sniff).len(), 1);
    assert_eq!(
        shown(&format!("{far}1")),
        ["t:7:10: tile 1 is here again after line 1, column 1; \
          expected each tile once, and tile 16 is missing"]
    );
    assert_eq!(many("1 2\n3 0\n\n3 1\n2 0", Form::Single).len(), 1);
    // More lines than any board has.
    let long = many(format!("{}\n3 1\n2 0", "1 2\n".repeat(100_000)), Form::Sniff);
    assert_eq!(long.len(), 2);
    assert_eq!(long[0].as_ref().unwrap_err().kind, ParseErrorKind::TooLarge);
}

#[test]
fn not_a_number() {
    let error = one("1 2 3\n4 _ 6\n7 8 0").unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::NotANumber { found: "_".to_owned() });
    assert_eq!(error.position(), Position { line: 2, column: 3 });
    assert_eq!(error.to_string(), "t:2:3: \"_\" is not a number; expected an integer");
    assert_eq!(error.help(), "if this is the blank, write it as 0");
    assert_eq!(error.snippet().unwrap(), "4 _ 6\n  ^");
    for blank in [".", "x", "X", "-", "blank"] {
        assert!(one(format!("1 2 {blank} 3")).unwrap_err().help().ends_with("write it as 0"));
    }
    for word in ["1.0", "--1", "1-2", "0x1", "٣", "1e1", "one", "+", "1\0"] {
        let error = one(format!("1 2 3\n\t{word}")).unwrap_err();
        assert!(matches!(error.kind, ParseErrorKind::NotANumber { .. }), "{word}");
        assert_eq!(error.position(), Position { line: 2, column: 2 });
    }
    assert!(one("a: 1 2 3 4").unwrap_err().help().contains("*.boards"));
    // Columns are characters, not bytes, and a byte-order mark is none.
    assert_eq!(message(one("\u{feff}é")), "1:1: \"é\" is not a number; expected an integer");
    assert_eq!(one("\u{a0}\u{a0}é").unwrap_err().position().column, 3);
    assert_eq!(one("1 2\r\n3 4\rz").unwrap_err().position(), Position { line: 3, column: 1 });
}

#[test]
fn control_characters_are_not_passed_on() {
    let error = one("1 \u{1b}[31m").unwrap_err();
    assert_eq!(error.to_string(), "t:1:3: \"\\u{1b}\" is not a number; expected an integer");
    assert_eq!(error.snippet().unwrap(), "1 \u{fffd}[31m\n  ^");
}

#[test]
fn out_of_range() {
    let error = one("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 17").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t:4:10: 17 is out of range; a 4x4 board without a blank has tiles 1 to 16"
    );
    let error = one("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 16").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t:4:9: 16 is out of range; a 4x4 board with a blank 0 has tiles up to 15"
    );
    assert_eq!(
        error.help(),
        "the tiles of a 4x4 board are 1 to 15 and a blank 0, or 1 to 16 without a 0"
    );
    for number in ["-1", "-0", "5", "65535", "65536", "99999999999999999999999999999999999"] {
        let error = one(format!("1 2\n3 {number}")).unwrap_err();
        assert_eq!(error.position(), Position { line: 2, column: 3 });
        assert!(matches!(error.kind, ParseErrorKind::OutOfRange { .. }), "{number}");
    }
}

#[test]
fn twice() {
    let error = one("1 2\n2 4").unwrap_err();
    let kind = ParseErrorKind::Twice {
        tile: super::super::Tile(2),
        first: Position { line: 1, column: 3 },
        missing: Some(super::super::Tile(3)),
    };
    assert_eq!(error.kind, kind);
    assert_eq!(
        error.to_string(),
        "t:2:1: tile 2 is here again after line 1, column 3; \
         expected each tile once, and tile 3 is missing"
    );
    assert_eq!(error.help(), "is one of the two meant to be 3?");
}

#[test]
fn two_blanks() {
    assert_eq!(
        message(one("0 1 / 2 0")),
        "1:9: a second blank 0 after the one at line 1, column 1; expected at most one"
    );
}

#[test]
fn missing() {
    let found = |text: &str| message(one(text));
    assert_eq!(
        found("0 1 2 3 4 5 6 8"),
        "1:16: tile 7 is missing; expected 9 numbers for a 3x3 board"
    );
    assert_eq!(
        found("9 1 2 3 4 5 6 8"),
        "1:16: tile 7 is missing; expected 9 numbers for a 3x3 board"
    );
    assert_eq!(
        found("1 2 3 4 5 6 7 8"),
        "1:16: 0 or 9 is missing; expected 9 numbers for a 3x3 board"
    );
    assert_eq!(
        one("1 2 3").unwrap_err().help(),
        "add the blank as 0, or 4 if the board has no blank"
    );
    assert_eq!(
        message(shaped("0 1 2 4 5", "2x3")),
        "1:10: tile 3 is missing; expected 6 numbers for a 2x3 board"
    );
    // More than one thing is wrong: only the count is certain.
    assert!(matches!(one("1 1 2").unwrap_err().kind, ParseErrorKind::WrongCount { .. }));
    assert!(matches!(one("0 1 4").unwrap_err().kind, ParseErrorKind::WrongCount { .. }));
}

#[test]
fn ragged() {
    let error = one("1 2 3\n4 5\n6 7 8").unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::Ragged { row: 2, found: 2, first: 3 });
    assert_eq!(error.to_string(), "t:2:4: row 2 has 2 numbers; expected 3 as in row 1");
    assert_eq!(error.snippet().unwrap(), "4 5\n   ^");
    assert_eq!(message(one("1 2\n3 4 5\n")), "2:5: row 2 has 3 numbers; expected 2 as in row 1");
    assert_eq!(message(one("1 2\n3 4\n5")), "3:2: row 3 has 1 number; expected 2 as in row 1");
    // The allowed length has a line of its own, and is no row.
    assert_eq!(message(one("5 / 1 2 / 3 4")), "1:7: row 2 has 2 numbers; expected 1 as in row 1");
    assert_eq!(message(one("7\n1 2\n3")), "3:2: row 2 has 1 number; expected 2 as in row 1");
}

#[test]
fn wrong_count() {
    let error = one("1 2 3 4 5 6").unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::WrongCount { found: 6, shape: None });
    assert_eq!(
        error.to_string(),
        "t:1:12: found 6 numbers; expected rows, or a square number from 4 on"
    );
    assert_eq!(error.help(), "write one row a line, separate rows by /, or give the shape");
    assert_eq!(
        message(one("1")),
        "1:2: found 1 number; expected rows, or a square number from 4 on"
    );
    assert_eq!(
        message(shaped("1 2 3 4", "2x3")),
        "1:8: found 4 numbers; expected 6 for a 2x3 board"
    );
    assert_eq!(
        message(shaped("1 2 3 4 5 6 7 8 9", "2x3")),
        "1:13: found 9 numbers; expected 6 for a 2x3 board"
    );
}

#[test]
fn shape_mismatch() {
    let error = shaped("# 3x2\n 1 2\n3 4\n5 6", "2x3").unwrap_err();
    assert_eq!(error.to_string(), "t:2:2: found a 3x2 board; expected 2x3");
    assert_eq!(error.help(), "give the shape 3x2, or none: the rows tell the shape");
    assert_eq!(message(shaped("1 2 / 3 4", "2x3")), "1:1: found a 2x2 board; expected 2x3");
}

#[test]
fn too_large() {
    let list = |count: usize| (1..=count).map(|n| format!("{n} ")).collect::<String>();
    assert_eq!(one(list(MAX_CELLS)).unwrap().board.shape(), shape("16x16"));
    let error = one(list(MAX_CELLS + 1)).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooLarge);
    assert_eq!(error.position(), Position { line: 1, column: 9 * 2 + 90 * 3 + 157 * 4 + 1 });
    assert_eq!(
        one(format!("7\n{}", list(MAX_CELLS))).unwrap().heading,
        Some(Heading::AllowedLength(7))
    );
    assert_eq!(one(format!("7\n{}", list(MAX_CELLS + 1))).unwrap_err().position().line, 2);
    assert_eq!(
        one("1 2\n".repeat(1_000_000)).unwrap_err().position(),
        Position { line: 129, column: 1 }
    );
    assert_eq!(
        many("1 ".repeat(1_000_000), Form::Collection)[0].as_ref().unwrap_err().kind,
        ParseErrorKind::TooLarge
    );
}

#[test]
fn empty() {
    for text in ["", "\n", "\u{feff}", "# only this\n\n", " , ; \n[[]]\n/\n", "\r\r\n"] {
        for form in [Form::Single, Form::Collection, Form::Sniff] {
            let results = many(text, form);
            let [Err(error)] = &results[..] else { panic!("{text:?}: {results:?}") };
            assert_eq!(error.to_string(), "t:1:1: found no numbers; expected a board");
        }
    }
    assert_eq!(one("").unwrap_err().snippet(), None);
    assert_eq!(many("a: # 7", Form::Collection)[0].as_ref().unwrap_err().position().column, 4);
}

#[test]
fn not_utf8() {
    let error = one(b"1 2\n\xc3\xa9\xe9 4").unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::NotUtf8 { byte: 0xe9 });
    assert_eq!(
        error.to_string(),
        "t:2:2: found the byte 0xE9, which is not UTF-8; expected plain text"
    );
    // UTF-16 with its byte-order mark.
    assert_eq!(one(b"\xff\xfe1\0 \0").unwrap_err().position(), Position { line: 1, column: 1 });
}

#[test]
fn long_lines_are_cut_around_the_caret() {
    let text = format!("{}x {}", "1 ".repeat(100), "2 ".repeat(100));
    let error = one(&text).unwrap_err();
    assert_eq!(error.position().column, 201);
    let snippet = error.snippet().unwrap();
    let (line, caret) = snippet.split_once('\n').unwrap();
    assert_eq!(line.chars().count(), 78);
    assert!(line.starts_with('…') && line.ends_with('…'));
    assert_eq!(line.chars().nth(caret.len() - 1), Some('x'));
    let word = "y".repeat(100_000);
    assert_eq!(
        message(one(word)),
        format!("1:1: \"{}…\" is not a number; expected an integer", "y".repeat(24))
    );
    // A caret behind the end of a long line.
    let snippet = one("1 ".repeat(99)).unwrap_err().snippet().unwrap();
    let (line, caret) = snippet.split_once('\n').unwrap();
    assert_eq!(caret.chars().count(), line.chars().count() + 1);
}

#[test]
fn collections() {
    let text = "\u{feff}# boards\r\n\r\na: 1 2 3 4 # 12\r\nthe second one : 1,2;3,0 # 7 proven\r\n\
                4 3 / 2 1 # easy\r\nC:\\b: [[1,2,3],[4,5,6]] # 12a\r\n 3 2 1 0";
    let entries: Vec<Entry> =
        many(text, Form::Collection).into_iter().map(Result::unwrap).collect();
    let lines: Vec<(usize, String)> =
        entries.iter().map(|entry| (entry.line, entry.to_string())).collect();
    let expected = [
        (3, "a: 1 2 3 4 # 12"),
        (4, "the second one: 1 2 3 0 # 7"),
        (5, "4 3 2 1"),
        (6, "C:\\b: 1 2 3 / 4 5 6"),
        (7, "3 2 1 0"),
    ];
    assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
    assert!(entries.iter().all(|entry| entry.heading.is_none()));
    assert_eq!(many(text, Form::Sniff).len(), 5);
}

#[test]
fn a_bad_line_does_not_hide_the_others() {
    let text =
        b"a: 1 2 3 4\nb: 1 2 3 3\nc\xff: 1 2 3 4\nd: 1 2 3 4 5 6\ne: 4 3 2 1\nf: 1 2\n: 0 1 2 3";
    let results = many(text, Form::Collection);
    let places: Vec<Result<usize, Position>> = results
        .iter()
        .map(|result| result.as_ref().map(|e| e.line).map_err(ParseError::position))
        .collect();
    let at = |line, column| Err(Position { line, column });
    assert_eq!(places, [Ok(1), at(2, 10), at(3, 2), at(4, 15), Ok(5), at(6, 7), Ok(7)]);
    assert_eq!(results[6].as_ref().unwrap().name, None);
    let error = results[3].as_ref().unwrap_err();
    assert_eq!(error.help(), "write one row a line, separate rows by /, or give the shape");
    let options = TextOptions { shape: Some(shape("2x3")), form: Form::Collection };
    let results = parse("t", text, &options);
    assert_eq!(show(results[3].as_ref().unwrap()), "2x3: 1 2 3 / 4 5 6");
}

#[test]
fn sniffing() {
    let kinds =
        |text: &str| -> Vec<bool> { many(text, Form::Sniff).iter().map(Result::is_ok).collect() };
    // A name makes a collection, whatever follows.
    assert_eq!(kinds("# x\na: 1 2 3 4\n1 2 3 4\nwhat"), [true, true, false]);
    assert_eq!(kinds("a: 1 2 3 4"), [true]);
    // Boards line by line.
    assert_eq!(kinds("1 2 3 4\n\n4 3 2 1\n3 4/1 2"), [true, true, true]);
    // One board: the first row alone would be a board of 2x2.
    assert_eq!(kinds("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0"), [true]);
    assert_eq!(kinds("9\n1 2 3 4"), [true]);
    assert_eq!(kinds("1 2 3 4"), [true]);
    assert_eq!(kinds("1 2 3 4\n1 2 3 4\n1 2 3 5"), [false]);
    assert_eq!(kinds("1 2 # a: b\n3 4"), [true]);
}

#[test]
fn names_that_could_not_be_read_back() {
    let mut entry = one("1 2 3 4").unwrap();
    for (name, line) in [
        ("a#b\nc", "a_b_c: 1 2 3 4"),
        ("a:b", "a:b: 1 2 3 4"),
        ("  ", "1 2 3 4"),
        (" a ", "a: 1 2 3 4"),
    ] {
        entry.name = Some(name.to_owned());
        assert_eq!(entry.to_string(), line);
    }
}

/// Everything that an error can be asked for.
fn exercise(bytes: &[u8], shape: Option<Shape>) {
    for form in [Form::Single, Form::Collection, Form::Sniff] {
        let results = parse("t", bytes, &TextOptions { shape, form });
        assert!(!results.is_empty());
        for error in results.into_iter().filter_map(Result::err) {
            assert!(!error.to_string().contains('\n'));
            assert!(!error.help().is_empty());
            assert!(error.snippet().is_none_or(|snippet| snippet.lines().count() == 2));
            assert!(error.position().line >= 1 && error.position().column >= 1);
        }
    }
}

proptest! {
    #[test]
    fn lines_are_counted_as_they_are_read(text in "[a\r\n]{0,40}") {
        let read = lines(text.as_bytes()).count();
        prop_assert_eq!(line_ends(text.as_bytes()), read - 1);
    }

    #[test]
    fn never_panics_on_bytes(bytes: Vec<u8>) {
        exercise(&bytes, None);
    }

    #[test]
    fn never_panics_on_board_like_text(
        text in "([0-9]{1,2}|[-+]?[0-9]{1,6}|[A-Ya-d]{1,6}|[ ,;/:#\n\r\t._x\u{feff}é()'\"]|\\[|\\]|\r\n|\n\n){0,80}",
        rows in 2..4_usize,
        with_shape: bool,
    ) {
        exercise(text.as_bytes(), with_shape.then(|| Shape::new(rows, 3).unwrap()));
    }

    #[test]
    fn small_texts_without_spaces(text in "([0-4A-D]{1,4}[ /\n]){1,5}", with_shape: bool) {
        exercise(text.as_bytes(), with_shape.then(|| shape("2x2")));
        if let Ok(entry) = one(&text) {
            prop_assert_eq!(one(entry.board.to_string()).unwrap().board, entry.board);
        }
    }

    #[test]
    fn small_texts_of_small_numbers(text in "([0-5][ /\n]){3,9}") {
        exercise(text.as_bytes(), None);
        if let Ok(entry) = one(&text) {
            prop_assert_eq!(one(entry.board.to_string()).unwrap().board, entry.board);
        }
    }
}
