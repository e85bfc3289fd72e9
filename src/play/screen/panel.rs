//! What is written beside or below the board, and over it.

use super::board_view::BoardLayout;
use super::palette::Palette;
use crate::board::Shape;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Widget};

/// The width of a panel beside the board.
const WIDTH: u16 = 28;

/// The space between the two.
const GAP: u16 = 3;

/// How the window is divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    /// The board; none if the window is too small for it.
    pub board: Option<BoardLayout>,
    /// The panel.
    pub panel: Rect,
    /// Whether the panel is beside the board, and has lines for everything.
    pub beside: bool,
    /// The line at the bottom.
    pub footer: Rect,
}

impl Division {
    /// The panel is beside the board, unless that would make the tiles much smaller.
    pub(super) fn new(shape: Shape, digits: u16, window: Rect) -> Division {
        let footer_height = window.height.min(1);
        let above = Rect { height: window.height - footer_height, ..window };
        let footer = Rect { y: window.y + above.height, height: footer_height, ..window };
        let beside = above.width.checked_sub(WIDTH + GAP).map(|width| Rect { width, ..above });
        let panel_height = above.height.min(1);
        let below =
            Rect { y: window.y + above.height - panel_height, height: panel_height, ..above };
        let over = Rect { height: above.height - panel_height, ..above };
        let fit = |window| BoardLayout::fit(shape, digits, window);
        let board_over = fit(over);
        match beside.and_then(fit) {
            Some(layout)
                if board_over.is_none_or(|over| 5 * layout.tile_area() >= 3 * over.tile_area()) =>
            {
                // Board and panel are in the middle together.
                let left = (above.width - WIDTH - GAP - layout.area.width) / 2;
                let layout = layout.shifted(window.x + left - layout.area.x);
                let x = layout.area.right() + GAP;
                let area = layout.area;
                let height = above.bottom() - area.y;
                let panel = Rect { x, y: area.y, width: WIDTH, height };
                Division { board: Some(layout), panel, beside: true, footer }
            }
            _ => Division { board: board_over, panel: below, beside: false, footer },
        }
    }
}

/// A line of the panel.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// What it is all about.
    Title(String),
    /// Something that has a value.
    Value(&'static str, String),
    /// News.
    News(String),
    /// What matters less; not shown below a board.
    Remark(String),
    /// A key, and what it does; not shown below a board.
    Key(&'static str, &'static str),
    /// Some space.
    Space,
}

/// Writes the lines beside the board, keys at the bottom.
pub(super) fn beside(entries: &[Entry], area: Rect, palette: Palette, buffer: &mut Buffer) {
    let is_key = |entry: &&Entry| matches!(entry, Entry::Key(..));
    let lines = |entry| lines(entry, area.width, palette);
    let keys: Vec<Line<'_>> = entries.iter().filter(is_key).flat_map(lines).collect();
    let others: Vec<Line<'_>> = entries.iter().filter(|e| !is_key(e)).flat_map(lines).collect();
    let used = others.len() as u16;
    Paragraph::new(others).render(area, buffer);
    let room = area.height.saturating_sub(used + 1);
    let shown = (keys.len() as u16).min(room);
    let below = Rect { y: area.y + area.height - shown, height: shown, ..area };
    Paragraph::new(keys).render(below, buffer);
}

/// Writes the most important of it in one line.
pub(super) fn below(entries: &[Entry], area: Rect, palette: Palette, buffer: &mut Buffer) {
    let mut spans: Vec<Span<'_>> = Vec::new();
    for entry in entries {
        let span = match entry {
            Entry::Title(text) => Span::styled(text.clone(), palette.strong()),
            Entry::Value(name, value) => Span::raw(format!("{name} {value}")),
            Entry::News(text) => Span::styled(text.clone(), palette.good()),
            Entry::Remark(_) | Entry::Key(..) | Entry::Space => continue,
        };
        if !spans.is_empty() {
            spans.push(Span::styled(" · ", palette.faint()));
        }
        spans.push(span);
    }
    Paragraph::new(Line::from(spans)).centered().render(area, buffer);
}

fn lines(entry: &Entry, width: u16, palette: Palette) -> Vec<Line<'_>> {
    let in_style = |text: &str, style: Style| -> Vec<Line<'_>> {
        wrapped(text, width.into()).into_iter().map(|line| Line::styled(line, style)).collect()
    };
    match entry {
        Entry::Title(text) => in_style(text, palette.strong()),
        Entry::Value(name, value) => vec![Line::from(vec![
            Span::styled(format!("{name:<10}"), palette.faint()),
            Span::styled(value.as_str(), palette.strong()),
        ])],
        Entry::News(text) => in_style(text, palette.good()),
        Entry::Remark(text) => in_style(text, palette.faint()),
        Entry::Key(key, what) => vec![Line::from(vec![
            Span::styled(format!("{key:>9}  "), palette.strong()),
            Span::styled(*what, palette.faint()),
        ])],
        Entry::Space => vec![Line::default()],
    }
}

/// A text in lines of at most this many characters, broken between words where there are any.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut room = width;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if length > room && room < width {
            lines.push(String::new());
            room = width;
        }
        for c in word.chars() {
            if room == 0 {
                lines.push(String::new());
                room = width;
                if c == ' ' {
                    continue;
                }
            }
            lines.last_mut().expect("there is one").push(c);
            room -= 1;
        }
    }
    lines
}

/// One line at the bottom.
pub(super) fn footer(text: &str, style: Style, area: Rect, buffer: &mut Buffer) {
    Paragraph::new(Line::styled(text, style)).centered().render(area, buffer);
}

/// A box over the board.
pub(super) fn boxed(
    title: &str,
    lines: &[String],
    window: Rect,
    palette: Palette,
    buffer: &mut Buffer,
) {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = (longest.clamp(20, 76) as u16 + 6).min(window.width);
    let inside = usize::from(width.saturating_sub(6));
    let lines: Vec<Line<'_>> =
        lines.iter().flat_map(|line| wrapped(line, inside)).map(Line::raw).collect();
    let height = (lines.len() as u16 + 4).min(window.height);
    let area = Rect {
        x: window.x + (window.width - width) / 2,
        y: window.y + (window.height - height) / 2,
        width,
        height,
    };
    Clear.render(area, buffer);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .padding(Padding::symmetric(2, 1))
        .title(Line::styled(format!(" {title} "), palette.strong()));
    Paragraph::new(lines).block(block).render(area, buffer);
}

/// What is said in a window that is too small.
pub(super) fn too_small(window: Rect, palette: Palette, buffer: &mut Buffer) {
    let text = "The window is too small for this board: enlarge it, or press n for another.";
    let lines = wrapped(text, window.width.into());
    let lines: Vec<Line<'_>> =
        lines.into_iter().map(|line| Line::styled(line, palette.strong())).collect();
    let y = window.y + window.height.saturating_sub(lines.len() as u16) / 2;
    let area = Rect { y, ..window }.intersection(window);
    Paragraph::new(lines).centered().render(area, buffer);
}
