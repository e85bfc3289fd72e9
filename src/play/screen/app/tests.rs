//! What is drawn, and what keys do, without a terminal.

use super::*;
use crate::play::screen::palette::ColourDepth;
use crate::puzzle::arch::Simd;
use crate::puzzle::registry;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::Color;

const MEANS: Means = Means { bytes: 1 << 28, threads: 1 };

fn make_solver(id: &str, goal: Goal) -> Result<Solver, String> {
    let definition = registry::define(id).map_err(|error| error.to_string())?;
    Solver::new(definition, goal, Simd::detect()).map_err(|error| error.to_string())
}

fn app(id: &str, depth: ColourDepth, kind: DealKind) -> App<'static> {
    let palette = Palette::new(depth);
    let make_solver = &make_solver;
    let mut app = App::new(Settings { palette, means: MEANS, book: None, make_solver, kind });
    let solver = Arc::new(make_solver(id, Goal::Default).unwrap());
    app.deal(solver, Deal { kind, seed: 7 });
    while app.session.is_none() {
        app.look_at_dealing().unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    app
}

fn press(app: &mut App<'_>, code: KeyCode) {
    app.key(KeyEvent::new(code, KeyModifiers::NONE), Instant::now());
    // Long enough for every move to be seen.
    for later in 1..2_000 {
        app.tick(Instant::now() + MOTION * later).unwrap();
        if app.queue.is_empty() && app.moving.is_none() {
            break;
        }
    }
}

fn drawn(app: &mut App<'_>, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let now = Instant::now();
    terminal.draw(|frame| app.draw(frame.buffer_mut(), now)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let rows = buffer.content.chunks(usize::from(buffer.area.width).max(1));
    rows.map(|row| row.iter().map(Cell::symbol).collect::<String>() + "\n").collect()
}

fn moves(app: &App<'_>) -> usize {
    app.session.as_ref().unwrap().game().moves().len()
}

#[test]
fn every_board_is_drawn_in_every_window() {
    let ids = ["sliding2", "sliding:2x9", "sliding16", "torus4", "torus10", "rings5", "rings:9x4"];
    for id in ids {
        for depth in [ColourDepth::None, ColourDepth::Sixteen, ColourDepth::Indexed] {
            let mut app = app(id, depth, DealKind::Moves(9));
            for (width, height) in [(1, 1), (3, 40), (20, 5), (80, 24), (132, 43), (200, 60)] {
                let window = drawn(&mut app, width, height);
                let shows_board = app.layout.is_some();
                if (width, height) == (200, 60) || ((width, height) == (80, 24) && id != "torus10")
                {
                    assert!(shows_board, "{id} in {width}x{height}");
                    assert!(text(&window).contains(id), "{id} in {width}x{height}");
                }
                app.key(KeyEvent::new(KeyCode::Right, KeyModifiers::NONE), Instant::now());
                drawn(&mut app, width, height);
            }
        }
    }
}

#[test]
fn tiles_are_where_the_mouse_finds_them_and_home_is_bright() {
    let mut app = app("rings5", ColourDepth::Sixteen, DealKind::Moves(1));
    let window = drawn(&mut app, 80, 24);
    let layout = app.layout.unwrap();
    let board = app.session.as_ref().unwrap().game().board().clone();
    for y in layout.area.top()..layout.area.bottom() {
        for x in layout.area.left()..layout.area.right() {
            let (Some(cell), symbol) = (layout.cell_at(x, y), window[(x, y)].symbol()) else {
                continue;
            };
            if symbol.chars().all(|c| c.is_ascii_digit()) {
                let number = board.tiles()[cell].to_string();
                assert!(number.contains(symbol), "{symbol} at {x}, {y} for {number}");
                let is_bright = matches!(
                    window[(x, y)].bg,
                    Color::LightRed
                        | Color::LightYellow
                        | Color::LightGreen
                        | Color::LightCyan
                        | Color::LightBlue
                );
                assert_eq!(is_bright, usize::from(board.tiles()[cell].0) == cell + 1);
            }
        }
    }
}

#[test]
fn without_colours_numbers_stand_in_boxes() {
    let mut app = app("torus3", ColourDepth::None, DealKind::Moves(3));
    let window = drawn(&mut app, 60, 14);
    assert!(window.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    let text = text(&window);
    assert!(text.contains("╭──────") && text.contains("torus3"), "{text}");
}

#[test]
fn arrows_move_the_blank_that_far() {
    let mut app = app("sliding4", ColourDepth::True, DealKind::Moves(0));
    // The board is the goal, so that nothing is left to do.
    press(&mut app, KeyCode::Right);
    assert_eq!(moves(&app), 0);
    let mut app = self::app("sliding4", ColourDepth::True, DealKind::Moves(40));
    let blank = |app: &App<'_>| app.session.as_ref().unwrap().game().board().blank().unwrap();
    for (code, edge) in [(KeyCode::Left, 0), (KeyCode::Char('d'), 3), (KeyCode::Char('h'), 0)] {
        press(&mut app, KeyCode::Char('9'));
        press(&mut app, code);
        assert_eq!(blank(&app) % 4, edge);
    }
    let made = moves(&app);
    press(&mut app, KeyCode::Char('u'));
    assert_eq!(moves(&app), made - 1);
    press(&mut app, KeyCode::Char('r'));
    press(&mut app, KeyCode::Char('b'));
    assert_eq!(moves(&app), 0);
}

#[test]
fn lines_and_rings_are_selected_and_moved() {
    let mut app = app("rings5", ColourDepth::True, DealKind::Uniform);
    let names = |app: &App<'_>| -> Vec<String> {
        let game = app.session.as_ref().unwrap().game();
        game.moves().map(|m| game.frame().moves().name(m).to_owned()).collect()
    };
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Char('l'));
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Char('3'));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Char('w'));
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Char('2'));
    press(&mut app, KeyCode::Char('d'));
    press(&mut app, KeyCode::Char('H'));
    assert_eq!(names(&app), ["R2", "U4", "Occ", "Ic", "Ic", "L2"]);
}

#[test]
fn the_mouse_clicks_drags_and_turns() {
    let mut app = app("rings5", ColourDepth::True, DealKind::Uniform);
    drawn(&mut app, 80, 24);
    let mouse = |app: &mut App<'_>, kind: MouseEventKind, cell: usize| {
        let area = app.layout.unwrap().area;
        let places =
            area.positions().find(|at| app.layout.unwrap().cell_at(at.x, at.y) == Some(cell));
        let at = places.expect("the cell is seen");
        let modifiers = KeyModifiers::NONE;
        app.mouse(MouseEvent { kind, column: at.x, row: at.y, modifiers });
        app.finish_queue();
    };
    let (press, drag) =
        (MouseEventKind::Down(MouseButton::Left), MouseEventKind::Drag(MouseButton::Left));
    let (release, other) =
        (MouseEventKind::Up(MouseButton::Left), MouseEventKind::Down(MouseButton::Right));
    // The wheel moves the row of the tile that was clicked.
    mouse(&mut app, press, 11);
    mouse(&mut app, release, 11);
    mouse(&mut app, MouseEventKind::ScrollDown, 11);
    mouse(&mut app, MouseEventKind::ScrollUp, 11);
    // The other button goes on to columns and to rings.
    mouse(&mut app, other, 11);
    mouse(&mut app, MouseEventKind::ScrollDown, 11);
    mouse(&mut app, other, 11);
    mouse(&mut app, press, 6);
    mouse(&mut app, release, 6);
    mouse(&mut app, MouseEventKind::ScrollDown, 6);
    // A line follows the mouse.
    mouse(&mut app, press, 5);
    mouse(&mut app, drag, 7);
    mouse(&mut app, drag, 2);
    mouse(&mut app, release, 2);
    mouse(&mut app, drag, 3);
    let game = app.session.as_ref().unwrap().game();
    let names: Vec<&str> = game.moves().map(|m| game.frame().moves().name(m)).collect();
    assert_eq!(names, ["R3", "L3", "D2", "Ic", "R2", "R2", "U3"]);
}

#[test]
fn a_click_slides_all_tiles_up_to_the_blank() {
    let mut app = app("sliding4", ColourDepth::True, DealKind::Moves(0));
    let solver = Arc::new(make_solver("sliding4", Goal::Default).unwrap());
    app.begin(solver, "1 2 3 0 4 5 6 7 8 9 10 11 12 13 14 15".parse().unwrap(), None);
    app.click(0);
    app.finish_queue();
    assert_eq!(moves(&app), 3);
    assert!(app.session.as_ref().unwrap().game().is_solved());
    // Cells that are not in a line with it do nothing.
    app.click(5);
    assert_eq!(moves(&app), 3);
}

#[test]
fn a_solution_is_found_and_shown_to_its_end() {
    let mut app = app("torus3", ColourDepth::True, DealKind::ExactDepth(4));
    app.letter('o', Instant::now());
    let began = Instant::now();
    let mut now = began;
    while !app.session.as_ref().unwrap().game().is_solved() {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
        now += Duration::from_secs(1);
        app.tick(now).unwrap();
        drawn(&mut app, 80, 24);
    }
    assert_eq!(moves(&app), 4);
    let text = text(&drawn(&mut app, 80, 24));
    assert!(text.contains("Solved, with help!") && text.contains("shortest  4"), "{text}");
}
