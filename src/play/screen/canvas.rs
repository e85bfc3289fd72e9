//! Pixels in a terminal: each character cell is two of them, one above the other, drawn as half
//! blocks. A pixel is about as high as it is wide.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

/// A rectangle of pixels; it may lie outside the canvas in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Area {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Area {
    fn contains(self, x: i32, y: i32) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }
}

/// Pixels, with nothing where the terminal's own background shows.
pub(super) struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<Option<Color>>,
}

impl Canvas {
    /// As wide as so many characters, and twice as high.
    pub(super) fn new(columns: u16, rows: u16) -> Canvas {
        let pixels = vec![None; usize::from(columns) * 2 * usize::from(rows)];
        Canvas { width: columns.into(), height: 2 * i32::from(rows), pixels }
    }

    pub(super) fn pixel(&self, x: i32, y: i32) -> Option<Color> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if inside { self.pixels[(y * self.width + x) as usize] } else { None }
    }

    /// Fills a rectangle, as far as it is inside another.
    pub(super) fn fill(&mut self, area: Area, clip: Area, colour: Color) {
        for y in area.y.max(0)..(area.y + area.height).min(self.height) {
            for x in area.x.max(0)..(area.x + area.width).min(self.width) {
                if clip.contains(x, y) {
                    self.pixels[(y * self.width + x) as usize] = Some(colour);
                }
            }
        }
    }

    /// Writes a number in digits of 3x5 pixels, each `scale` wide and high, around a centre.
    pub(super) fn number(
        &mut self,
        number: u16,
        scale: i32,
        centre: (i32, i32),
        clip: Area,
        ink: Color,
    ) {
        let digits = number.to_string();
        let width = (4 * digits.len() as i32 - 1) * scale;
        let (left, top) = (centre.0 - width / 2, centre.1 - 5 * scale / 2);
        for (at, digit) in digits.bytes().enumerate() {
            let rows = DIGITS[usize::from(digit - b'0')];
            for (y, row) in (0..).zip(rows) {
                for x in (0..3).filter(|x| row >> (2 - x) & 1 == 1) {
                    let x = left + (4 * at as i32 + x) * scale;
                    let dot = Area { x, y: top + y * scale, width: scale, height: scale };
                    self.fill(dot, clip, ink);
                }
            }
        }
    }

    /// Puts the pixels into a window's corner.
    pub(super) fn draw(&self, buffer: &mut Buffer, corner: Rect) {
        for row in 0..corner.height {
            for column in 0..corner.width {
                let (x, y) = (i32::from(column), 2 * i32::from(row));
                let Some(cell) = buffer.cell_mut((corner.x + column, corner.y + row)) else {
                    continue;
                };
                let (symbol, style) = match (self.pixel(x, y), self.pixel(x, y + 1)) {
                    (None, None) => continue,
                    // Where there are no colours, ink is what letters are made of.
                    (Some(Color::Reset), Some(Color::Reset)) => ("█", Style::new()),
                    (Some(both), Some(other)) if both == other => (" ", Style::new().bg(both)),
                    (Some(upper), None) => ("▀", Style::new().fg(upper)),
                    (None, Some(lower)) => ("▄", Style::new().fg(lower)),
                    (Some(upper), Some(lower)) => ("▀", Style::new().fg(upper).bg(lower)),
                };
                cell.set_symbol(symbol).set_style(style);
            }
        }
    }
}

/// Digits of 3x5 pixels, row by row.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];
