//! The mouse: clicks, drags and the wheel.

use super::App;
use crate::play::track::{TrackKind, blank_way};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

impl App<'_> {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let cell = self.layout.and_then(|layout| layout.cell_at(mouse.column, mouse.row));
        if self.overlay.is_some() {
            return;
        }
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.drag = cell;
                if let Some(cell) = cell {
                    self.click(cell);
                }
            }
            MouseEventKind::Down(_) => self.select_other_kind(true),
            MouseEventKind::Drag(MouseButton::Left) => {
                if let (Some(from), Some(to)) = (self.drag, cell) {
                    self.dragged(from, to);
                }
            }
            MouseEventKind::Up(_) => self.drag = None,
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                let forward = mouse.kind == MouseEventKind::ScrollDown;
                let m = self.held().and_then(|track| track.toward(forward));
                self.enqueue(m);
            }
            _ => {}
        }
    }

    pub(super) fn click(&mut self, cell: usize) {
        self.hold.cell = cell;
        if self.hold.kind == TrackKind::Loop {
            let mut loops = self.tracks.iter().filter(|track| track.kind == TrackKind::Loop);
            let number = loops.position(|track| track.cells.contains(&cell));
            self.hold.number = number.unwrap_or(self.hold.number);
        }
        let Some(session) = &self.session else { return };
        let (shape, blank) = (session.frame().shape(), session.game().board().blank());
        if let Some((direction, steps)) = blank.and_then(|blank| blank_way(shape, blank, cell)) {
            self.times = Some(steps);
            self.arrow(direction, false);
        }
    }

    /// A line follows the mouse, cell by cell.
    pub(super) fn dragged(&mut self, from: usize, to: usize) {
        let Some(session) = &self.session else { return };
        if session.game().board().blank().is_some() || from == to {
            return;
        }
        let Some((direction, steps)) = blank_way(session.frame().shape(), from, to) else { return };
        self.hold.cell = to;
        self.drag = Some(to);
        self.times = Some(steps);
        self.arrow(direction, true);
    }
}
