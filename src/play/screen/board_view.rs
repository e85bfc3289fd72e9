//! The board on the screen: how large its tiles can be, where each is while it moves, and what they
//! look like.

use super::canvas::{Area, Canvas};
use super::palette::Palette;
use crate::board::{Board, Shape, Tile};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// From this height on, in pixels, numbers are drawn instead of written.
const DRAWN_FROM: i32 = 9;

/// Where the tiles lie. A pitch is the distance from one tile to the next: in characters across, in
/// half characters down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardLayout {
    shape: Shape,
    /// The part of the window that the board fills.
    pub area: Rect,
    pitch_x: i32,
    pitch_y: i32,
}

impl BoardLayout {
    /// The largest that fits into a part of the window, in its middle.
    pub(super) fn fit(shape: Shape, digits: u16, window: Rect) -> Option<BoardLayout> {
        let (rows, cols) = (shape.rows() as i32, shape.cols() as i32);
        let (width, height) = (i32::from(window.width), 2 * i32::from(window.height));
        let digits = i32::from(digits);
        let highest = (height - 1) / rows / 2 * 2;
        // Numbers need room more than tiles need to be square.
        let sizes = (2..=highest.max(2)).rev().step_by(2).flat_map(|pitch_y| {
            let square = pitch_y.max(digits + 2);
            [(square + pitch_y / 8, pitch_y), (square, pitch_y)]
        });
        let narrow = [(digits + 2, 2), (digits + 1, 2)];
        let fits = |&(pitch_x, pitch_y): &(i32, i32)| {
            let extra = if pitch_y == 2 { 0 } else { 1 };
            cols * pitch_x < width && rows * pitch_y + extra <= height
        };
        let (pitch_x, pitch_y) = sizes.chain(narrow).find(fits)?;
        let (board_width, board_height) = (cols * pitch_x + 1, (rows * pitch_y + 2) / 2);
        let board_height = if pitch_y == 2 { rows } else { board_height };
        let (board_width, board_height) = (board_width as u16, board_height as u16);
        let area = Rect {
            x: window.x + (window.width - board_width) / 2,
            y: window.y + window.height.saturating_sub(board_height) / 2,
            width: board_width,
            height: board_height.min(window.height),
        };
        Some(BoardLayout { shape, area, pitch_x, pitch_y })
    }

    /// The same, so many columns farther to the right.
    pub(super) fn shifted(self, columns: u16) -> BoardLayout {
        BoardLayout { area: Rect { x: self.area.x + columns, ..self.area }, ..self }
    }

    /// How large a tile is.
    pub(super) fn tile_area(&self) -> i32 {
        self.pitch_x * self.pitch_y
    }

    /// The space between tiles, one above the other.
    fn gap(&self) -> i32 {
        if self.pitch_y == 2 { 0 } else { 1 }
    }

    fn tray(&self) -> Area {
        let (rows, cols) = (self.shape.rows() as i32, self.shape.cols() as i32);
        let height = rows * self.pitch_y + self.gap();
        Area { x: 0, y: 0, width: cols * self.pitch_x + 1, height }
    }

    /// The pixels of the tile in a cell, shifted by parts of a pitch.
    fn tile(&self, cell: usize, across: f64, down: f64) -> Area {
        let (row, col) = self.shape.row_col(cell);
        let shift = |pitch: i32, share: f64| (f64::from(pitch) * share).round() as i32;
        Area {
            x: 1 + col as i32 * self.pitch_x + shift(self.pitch_x, across),
            y: self.gap() + row as i32 * self.pitch_y + shift(self.pitch_y, down),
            width: self.pitch_x - 1,
            height: self.pitch_y - self.gap(),
        }
    }

    /// The cell at a place in the window.
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<usize> {
        let inside = x.checked_sub(self.area.x)?;
        let below = y.checked_sub(self.area.y)?;
        let col = i32::from(inside) / self.pitch_x;
        let row = 2 * i32::from(below) / self.pitch_y;
        let (row, col) = (row as usize, col as usize);
        (row < self.shape.rows() && col < self.shape.cols()).then(|| self.shape.cell(row, col))
    }
}

/// A move under way: the board before it, and which part of it is done.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub before: &'a Board,
    /// From 0 to 1.
    pub done: f64,
}

/// What is to be seen.
pub(super) struct BoardView<'a> {
    pub board: &'a Board,
    pub goal: &'a Board,
    pub motion: Option<Motion<'a>>,
    /// Cells that the player has hold of.
    pub selected: &'a [usize],
    /// Cells that a hint means.
    pub hinted: &'a [usize],
    pub palette: Palette,
}

/// A tile, from which cell it goes where, and how far it is.
struct Going {
    tile: Tile,
    to: usize,
    /// By how many cells it is shifted from where it goes.
    shift: (f64, f64),
    /// By how many cells it is shifted on its second picture: what goes over an edge comes back at
    /// the other.
    second: Option<(f64, f64)>,
}

impl BoardView<'_> {
    pub(super) fn draw(&self, layout: &BoardLayout, buffer: &mut Buffer) {
        if self.palette.has_colours() {
            self.draw_in_colour(layout, buffer);
        } else {
            self.draw_in_outline(layout, buffer);
        }
    }

    /// All tiles, those that move last.
    fn tiles(&self) -> Vec<Going> {
        let shape = self.board.shape();
        let mut going: Vec<Going> = Vec::new();
        for (to, &tile) in self.board.tiles().iter().enumerate() {
            let from = self
                .motion
                .as_ref()
                .and_then(|motion| motion.before.tiles().iter().position(|&before| before == tile));
            let left = 1.0 - self.motion.as_ref().map_or(1.0, |motion| motion.done);
            let (shift, second) = match from {
                Some(from) if from != to && left > 0.0 => shifts(shape, from, to, left),
                _ => ((0.0, 0.0), None),
            };
            if tile != Tile::BLANK {
                going.push(Going { tile, to, shift, second });
            }
        }
        going.sort_by_key(|it| it.shift != (0.0, 0.0));
        going
    }

    fn home(&self, tile: Tile) -> usize {
        self.goal.tiles().iter().position(|&goal| goal == tile).unwrap_or(0)
    }

    fn draw_in_colour(&self, layout: &BoardLayout, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(layout.area.width, layout.area.height);
        let tray = layout.tray();
        canvas.fill(tray, tray, self.palette.tray());
        let rims = [(self.selected, self.palette.selection()), (self.hinted, self.palette.hint())];
        for (cells, colour) in rims {
            for &cell in cells {
                let Area { x, y, width, height } = layout.tile(cell, 0.0, 0.0);
                let gap = layout.gap();
                let (width, height) = (width + 2, height + 2 * gap);
                canvas.fill(Area { x: x - 1, y: y - gap, width, height }, tray, colour);
            }
        }
        // A blank in the middle of what is selected is still blank.
        if let Some(blank) = self.board.blank() {
            canvas.fill(layout.tile(blank, 0.0, 0.0), tray, self.palette.tray());
        }
        let digits = largest(self.board).to_string().len() as i32;
        let scale = self.digit_scale(layout, digits);
        let mut written = Vec::new();
        for going in self.tiles() {
            let home = self.home(going.tile);
            let paint = self.palette.tile(self.board.shape(), home, home == going.to);
            for (across, down) in [Some(going.shift), going.second].into_iter().flatten() {
                let area = layout.tile(going.to, across, down);
                canvas.fill(area, tray, paint.fill);
                let centre = (area.x + area.width / 2, area.y + area.height / 2);
                match scale {
                    Some(scale) => canvas.number(going.tile.0, scale, centre, tray, paint.ink),
                    None => written.push((going.tile, area, paint, home == going.to)),
                }
            }
        }
        canvas.draw(buffer, layout.area);
        for (tile, area, paint, at_home) in written {
            // In narrow tiles, ones stand below ones.
            let width = if area.width <= digits + 2 { digits as usize } else { 0 };
            let text = format!("{:>width$}", tile.0);
            let x = area.x + (area.width - text.len() as i32 + 1) / 2;
            // The line of characters that is wholly within the tile and nearest to its middle.
            let y = (area.y + (area.height - 1) / 2) / 2;
            let y = if 2 * y < area.y { y + 1 } else { y };
            let inside = x >= 0 && x + text.len() as i32 <= tray.width && 2 * y + 1 < tray.height;
            if inside && y >= 0 {
                let style = Style::new().fg(paint.ink).bg(paint.fill);
                let style = if at_home { style.add_modifier(Modifier::BOLD) } else { style };
                let (x, y) = (layout.area.x + x as u16, layout.area.y + y as u16);
                buffer.set_string(x, y, text, style);
            }
        }
    }

    /// How large digits are drawn; `None` if they are written.
    fn digit_scale(&self, layout: &BoardLayout, digits: i32) -> Option<i32> {
        let tile = layout.tile(0, 0.0, 0.0);
        let scale = ((tile.width - 2) / (4 * digits - 1)).min((tile.height - 2) / 5);
        // Half of the tile is large enough.
        let scale = scale.min((tile.height / 10).max(1));
        (tile.height >= DRAWN_FROM && scale >= 1).then_some(scale)
    }

    /// Without colours: boxes of lines, and what is selected in reverse.
    fn draw_in_outline(&self, layout: &BoardLayout, buffer: &mut Buffer) {
        let digits = largest(self.board).to_string().len() as i32;
        let scale = self.digit_scale(layout, digits);
        let mut canvas = Canvas::new(layout.area.width, layout.area.height);
        let tray = layout.tray();
        for going in self.tiles() {
            let at_home = self.home(going.tile) == going.to;
            for (across, down) in [Some(going.shift), going.second].into_iter().flatten() {
                let area = layout.tile(going.to, across, down);
                let (left, right) = (area.x, area.x + area.width - 1);
                let (top, bottom) = (area.y.div_euclid(2), (area.y + area.height - 1) / 2);
                let rows = bottom - top + 1;
                let inside = left >= 0
                    && top >= 0
                    && right < i32::from(layout.area.width)
                    && bottom < i32::from(layout.area.height);
                if !inside {
                    continue;
                }
                let mut style = Style::new();
                if at_home {
                    style = style.add_modifier(Modifier::BOLD);
                }
                if self.selected.contains(&going.to) || self.hinted.contains(&going.to) {
                    style = style.add_modifier(Modifier::REVERSED);
                }
                let place = |x: i32, y: i32| (layout.area.x + x as u16, layout.area.y + y as u16);
                if rows >= 3 && area.width >= digits + 2 {
                    let bar = "─".repeat(area.width as usize - 2);
                    let space = " ".repeat(area.width as usize - 2);
                    for y in top..=bottom {
                        let line = match y {
                            y if y == top => format!("╭{bar}╮"),
                            y if y == bottom => format!("╰{bar}╯"),
                            _ => format!("│{space}│"),
                        };
                        let (x, y) = place(left, y);
                        buffer.set_string(x, y, line, style);
                    }
                }
                let centre = (area.x + area.width / 2, top + bottom + 1);
                if let Some(scale) = scale.filter(|_| self.motion.is_none()) {
                    canvas.number(going.tile.0, scale, centre, tray, ratatui::style::Color::Reset);
                } else {
                    let text = format!("{:>1$}", going.tile.0, digits as usize);
                    let (x, y) = place(left + (area.width - digits + 1) / 2, (top + bottom) / 2);
                    buffer.set_string(x, y, text, style);
                }
            }
        }
        canvas.draw(buffer, layout.area);
    }
}

/// The largest tile.
pub(super) fn largest(board: &Board) -> u16 {
    board.tiles().iter().map(|tile| tile.0).max().unwrap_or(0)
}

/// Where a tile is when part of its way is left, relative to where it goes. One that crosses the
/// whole grid along a line goes over the edge instead, and is seen at both.
fn shifts(shape: Shape, from: usize, to: usize, left: f64) -> ((f64, f64), Option<(f64, f64)>) {
    let ((from_row, from_col), (row, col)) = (shape.row_col(from), shape.row_col(to));
    let (across, down) = (from_col as f64 - col as f64, from_row as f64 - row as f64);
    let (cols, rows) = (shape.cols() as f64, shape.rows() as f64);
    if down == 0.0 && across.abs() == cols - 1.0 && cols > 2.0 {
        let step = -across.signum();
        return ((step * left, 0.0), Some((across.signum() * (cols - left), 0.0)));
    }
    if across == 0.0 && down.abs() == rows - 1.0 && rows > 2.0 {
        let step = -down.signum();
        return ((0.0, step * left), Some((0.0, down.signum() * (rows - left))));
    }
    ((across * left, down * left), None)
}
