//! The game in a real terminal: a pseudo-terminal whose screen is read back. Whatever ends the game,
//! the terminal is as it was, and what was played is counted.

use super::program::{CACHE, DATA, Folder, PROGRAM};
use permutile::play::screen::Screen;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program in a terminal of its own.
struct Player {
    child: Box<dyn Child + Send + Sync>,
    /// The other end of the terminal, until it hangs up.
    master: Option<(Box<dyn MasterPty + Send>, Box<dyn Write + Send>)>,
    hung_up: Arc<AtomicBool>,
    screen: Arc<Mutex<Terminal>>,
    /// How the terminal was set up before the program began.
    before: String,
}

/// What a terminal has received.
struct Terminal {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Player {
    fn start(folder: &Folder, arguments: &[&str], environment: &[(&str, &str)]) -> Player {
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env(CACHE, folder.path("cache"));
        command.env(DATA, folder.path("data"));
        for variable in ["NO_COLOR", "COLORTERM"] {
            command.env_remove(variable);
        }
        command.env("TERM", "xterm-256color");
        environment.iter().for_each(|(name, value)| command.env(name, value));
        Player::run(command)
    }

    fn run(command: CommandBuilder) -> Player {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(24, 80, 0);
        let screen = Arc::new(Mutex::new(Terminal { parser, bytes: Vec::new() }));
        let hung_up = Arc::new(AtomicBool::new(false));
        let (received, stop) = (Arc::clone(&screen), Arc::clone(&hung_up));
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut piece) {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let mut terminal = received.lock().unwrap();
                terminal.parser.process(&piece[..length]);
                terminal.bytes.extend(&piece[..length]);
            }
        });
        Player { child, master: Some((pair.master, keys)), hung_up, screen, before }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().parser.screen().contents()
    }

    fn received(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap().bytes).into_owned()
    }

    /// Waits until the screen has all of these.
    #[track_caller]
    fn shows(&self, words: &[&str]) -> &Player {
        let began = Instant::now();
        while !words.iter().all(|word| self.text().contains(word)) {
            assert!(began.elapsed() < PATIENCE, "expected {words:?}, not\n{}", self.text());
            thread::sleep(Duration::from_millis(20));
        }
        self
    }

    fn types(&mut self, keys: &str) -> &mut Player {
        let (_, writer) = self.master.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
        self
    }

    /// The terminal is gone, as when a connection breaks or a window is closed.
    fn hangs_up(&mut self) {
        self.hung_up.store(true, Ordering::SeqCst);
        self.master = None;
    }

    fn resizes(&self, cols: u16, rows: u16) -> &Player {
        // What is drawn for the new size is not taken in before the screen has it.
        let mut screen = self.screen.lock().unwrap();
        self.master.as_ref().unwrap().0.resize(size(cols, rows)).unwrap();
        screen.parser.screen_mut().set_size(rows, cols);
        drop(screen);
        self
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits for the end, and tells the code.
    #[track_caller]
    fn code(&mut self) -> u32 {
        let began = Instant::now();
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return status.exit_code(),
                None => assert!(began.elapsed() < PATIENCE, "it goes on:\n{}", self.text()),
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end: the code is this one, and the terminal is as it was.
    #[track_caller]
    fn ends(&mut self, code: u32) -> String {
        assert_eq!(self.code(), code, "{}", self.received());
        let (master, _) = self.master.as_ref().unwrap();
        assert_eq!(format!("{:?}", master.get_termios()), self.before);
        thread::sleep(Duration::from_millis(100));
        let terminal = self.screen.lock().unwrap();
        let screen = terminal.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        screen.contents()
    }
}

impl Drop for Player {
    /// A test that fails leaves nobody behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn figures(folder: &Folder) -> serde_json::Value {
    let value: serde_json::Value =
        serde_json::from_str(&folder.read("data/statistics.json")).unwrap();
    value["games"]["sliding3 blank-first depth:3"].clone()
}

const NEAR: &[&str] = &["play", "sliding3", "--exact-depth", "3", "--seed", "4"];

#[test]
fn a_game_is_played_and_left() {
    let folder = Folder::new();
    let mut player = Player::start(&folder, NEAR, &[]);
    player.shows(&["sliding3", "blank-first, depth:3", "seed 4", "shortest  3"]);
    player.types("d").shows(&["moves     1"]);
    player.types("u").shows(&["moves     0"]);
    player.types("r").shows(&["moves     1"]);
    // Up, as a terminal sends it.
    player.types("\x1b[A").shows(&["moves     2"]);
    player.types("i").shows(&["Hint: Left, tile 1 right (1 move to go"]);
    player.types("h").shows(&["Solved, with help!", "n new game"]);
    player.types("t").shows(&["Statistics", "with help   1"]);
    player.types(" e").shows(&["Share this game", "puzzle=sliding3"]);
    player.types(" q");
    let printed = player.ends(0);
    assert!(printed.contains("permutile play --replay 'permutile=1 puzzle=sliding3"), "{printed}");
    assert_eq!(figures(&folder)["solved_with_help"], 1);
}

#[test]
fn a_game_is_chosen_in_a_form() {
    let folder = Folder::new();
    let mut player = Player::start(&folder, &["play"], &[]);
    player.shows(&["puzzle", "sliding", "scramble", "Enter play"]);
    // To the next family, two fields on, three columns more.
    player.types("\x1b[C").shows(&["custom", "path to a .toml file"]);
    player.types("\x1b[C").shows(&["torus"]);
    player.types("\x1b[B\x1b[B\x1b[C").shows(&["◂ 5 ▸"]);
    player.types("\r").shows(&["torus:4x5", "moves     0"]);
    // A number before an arrow, and Shift for a column.
    player.types("3l").shows(&["moves     3"]);
    player.types("J").shows(&["moves     4"]);
    // A click selects, a drag moves: the board's first tiles are at its top left.
    player.types("\x1b[<0;8;4M\x1b[<32;18;4M\x1b[<0;18;4m").shows(&["moves     5"]);
    // The length falls while one watches; the best so far can be taken at any time.
    player.types("o").shows(&["solving", "at least"]);
    player.types("\r").shows(&["to go"]);
    player.types("\x1b").shows(&["i hint"]);
    player.types("n").shows(&["Enter play"]);
    player.types("\x1b").shows(&["torus:4x5"]);
    player.types("q").ends(0);
}

#[test]
fn the_board_follows_the_size_of_the_window() {
    let folder = Folder::new();
    let mut player = Player::start(&folder, &["play", "sliding10", "--seed", "1"], &[]);
    player.shows(&["sliding10", "arrows  move the blank"]);
    player.resizes(30, 8).shows(&["The window is too small"]);
    player.resizes(200, 60).shows(&["sliding10", "all keys, quit"]);
    player.resizes(44, 14).shows(&["sliding10 · moves 0"]);
    player.resizes(1, 1);
    player.resizes(80, 24).shows(&["sliding10", "arrows  move the blank"]);
    player.types("q");
    player.ends(0);
}

#[test]
fn without_colours_there_are_none() {
    let folder = Folder::new();
    let mut player =
        Player::start(&folder, &["play", "torus4", "--seed", "1"], &[("NO_COLOR", "1")]);
    player.shows(&["torus4", "╭────"]);
    player.types("\t\x1b[B").shows(&["moves     1"]);
    player.types("q");
    let received = player.received();
    player.ends(0);
    // Colours are 30 to 49 and 90 to 107; 39 and 49 are the terminal's own.
    for sequence in received.split("\x1b[").skip(1) {
        let Some((numbers, _)) = sequence.split_once('m') else { continue };
        if numbers.chars().all(|c| c.is_ascii_digit() || c == ';') {
            for number in numbers.split(';').filter_map(|number| number.parse::<u32>().ok()) {
                let colour = matches!(number, 30..=38 | 40..=48 | 90..=107);
                assert!(!colour, "{numbers:?}");
            }
        }
    }
}

#[test]
fn signals_end_the_game_in_order() {
    for (signal, code) in [("-TERM", 130), ("-HUP", 130), ("-INT", 130)] {
        let folder = Folder::new();
        let mut player = Player::start(&folder, NEAR, &[]);
        player.shows(&["moves     0"]);
        player.types("dw").shows(&["moves     2"]);
        player.signal(signal);
        let printed = player.ends(code);
        assert!(printed.contains("sliding3: left after 2 moves"), "{printed}");
        assert_eq!(figures(&folder)["started"], 1);
        assert_eq!(figures(&folder)["moves"], 2);
    }
    // Ctrl-C is a key there.
    let folder = Folder::new();
    let mut player = Player::start(&folder, NEAR, &[]);
    player.shows(&["moves     0"]);
    player.types("d").shows(&["moves     1"]);
    player.types("\x03");
    player.ends(130);
    assert_eq!(figures(&folder)["moves"], 1);
}

#[test]
fn a_terminal_that_is_gone_and_a_kill_lose_no_game() {
    let folder = Folder::new();
    let mut player = Player::start(&folder, NEAR, &[]);
    player.shows(&["moves     0"]);
    player.types("dw").shows(&["moves     2"]);
    player.hangs_up();
    player.code();
    assert_eq!(figures(&folder)["moves"], 2);

    let mut player = Player::start(&folder, NEAR, &[]);
    player.shows(&["moves     0"]);
    player.types("d").shows(&["moves     1"]);
    player.signal("-KILL");
    player.code();
    assert_eq!(figures(&folder)["started"], 2);
    assert_eq!(figures(&folder)["moves"], 3);
}

#[test]
fn a_panic_gives_the_terminal_back_first() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "play_terminal::panics_on_the_screen", "--ignored", "--nocapture"]);
    command.env("TERM", "xterm");
    command.env("RUST_BACKTRACE", "0");
    let mut player = Player::run(command);
    let began = Instant::now();
    while !player.received().contains("test result") {
        assert!(began.elapsed() < PATIENCE, "{}", player.received());
        thread::sleep(Duration::from_millis(20));
    }
    let received = player.received();
    player.ends(101);
    let (taken, panicked) = (received.find("\x1b[?1049h"), received.find("panicked at"));
    let given_back = received.find("\x1b[?1049l");
    assert!(taken < given_back && given_back < panicked && taken.is_some(), "{received:?}");
}

#[test]
#[ignore = "it panics, in a terminal that another test gives it"]
fn panics_on_the_screen() {
    let _screen = Screen::enter().unwrap();
    panic!("so that there is something to see");
}

#[test]
fn solve_asks_for_a_board() {
    let folder = Folder::new();
    let mut player = Player::start(&folder, &["solve"], &[("NO_COLOR", "1")]);
    player.shows(&["Puzzle or size"]);
    player.types("cube\r").shows(&["there is no puzzle \"cube\""]);
    player.types("3\r").shows(&["row 1 of 3"]);
    player.types("back\r").shows(&["row 1 of 3"]);
    player.types("3x3\r").shows(&["1 to 9, or 1 to 8 and 0 for the blank"]);
    player.types("1 2 5\r").shows(&["row 2 of 3"]);
    player.types("3 4 4\r").shows(&["tile 4 is in row 2 already"]);
    player.types("3 4 9\r").shows(&["row 3 of 3"]);
    player.types("back\r").types("3 4\r").shows(&["a row has 3 tiles, here are 2"]);
    player.types("3 4 0\r").shows(&["row 3 of 3 (left: 6 7 8)"]);
    player.types("6 7 8\r").shows(&["Where does the blank belong, first or last?"]);
    player.types("\r").shows(&["1. Up: tile 5 down", "3. Left: tile 1 right"]);
    player.ends(0);

    // A board that cannot be solved is told, and can be mended.
    let mut player = Player::start(&folder, &["solve", "--puzzle", "torus5"], &[("NO_COLOR", "1")]);
    player.shows(&["5x5: the tiles are 1 to 25.", "row 1 of 5"]);
    player.types("2 3 4 5 1\r6 7 8 9 10\r11 12 13 14 15\r16 17 18 19 20\r");
    player.types("22 21 23 24 25\r").shows(&["unsolvable: every move of torus5 is an even"]);
    player.types("21 22 23 24 25\r").shows(&["1 move (proven optimal)", "1. R1: row 1 right"]);
    player.ends(0);

    // Where one row is left, both ways to place the blank in it may be known to fail.
    let arguments = ["solve", "--puzzle", "sliding:3x2", "--goal", "blank-last"];
    let mut player = Player::start(&folder, &arguments, &[("NO_COLOR", "1")]);
    player.shows(&["row 1 of 3"]);
    player.types("1 2\r").shows(&["row 2 of 3"]);
    player.types("4 3\r").shows(&["unsolvable so far: however the tiles that are left"]);
    player.types("3 4\r").shows(&["row 3 of 3 (left: 0 5)"]);
    player.types("0 5\r").shows(&["1. Right: tile 5 left"]);
    player.ends(0);

    let mut player = Player::start(&folder, &["solve"], &[]);
    player.shows(&["Puzzle or size"]);
    player.types("quit\r");
    player.ends(0);
}

#[test]
fn a_solution_is_shown_as_a_film() {
    let folder = Folder::new();
    let arguments = ["solve", "1 2 5 3 4 0 6 7 8", "--animate"];
    let mut player = Player::start(&folder, &arguments, &[]);
    player.shows(&["sliding3", "3 moves (proven optimal)"]);
    player.types("++").shows(&["move      3 of 3", "Solved in 3 moves."]);
    player.types("\x1b[D").shows(&["move      2 of 3", "Left"]);
    player.types("q");
    let printed = player.ends(0);
    assert!(printed.contains("Up Left Left"), "{printed}");

    let line = "permutile=1 puzzle=torus3 start=2,3,1,4,5,6,7,8,9 moves=R1 seconds=1.5";
    let mut player = Player::start(&folder, &["play", "--replay", line], &[]);
    player.shows(&["torus3", "played in 1.5 s", "Solved in 1 move."]);
    player.types("q");
    player.ends(0);
}
