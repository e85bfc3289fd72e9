//! What is seen of the game: the board, the panel beside it, and boxes over it.

use super::keys::HELP;
use super::{App, Overlay, Purpose, SPEEDS, Search, keys_in_short};
use crate::board::steps::steps;
use crate::play::clock::in_words;
use crate::play::line_mode::in_lines;
use crate::play::screen::board_view::{BoardView, Motion, largest};
use crate::play::screen::panel::{self, Division, Entry};
use crate::play::session::Session;
use ratatui::buffer::Buffer;
use std::time::{Duration, Instant};

impl App<'_> {
    pub(super) fn draw(&mut self, buffer: &mut Buffer, now: Instant) {
        let (window, palette) = (buffer.area, self.settings.palette);
        if let Some(Overlay::New(form)) = &self.overlay {
            return form.draw(window, palette, buffer);
        }
        if self.session.is_some() {
            self.draw_game(buffer, now);
        }
        let lines = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let (title, lines) = match &self.overlay {
            _ if self.dealing.is_some() => {
                ("Dealing", lines(&["A board is being dealt ...", "", "Esc  another one"]))
            }
            None | Some(Overlay::New(_)) => return,
            Some(Overlay::Help) => ("Keys", lines(HELP)),
            Some(Overlay::Statistics) => ("Statistics", self.statistics()),
            Some(Overlay::Share(line)) => {
                let text = ["It is printed again when you leave.", "", line];
                ("Share this game", lines(&text))
            }
        };
        panel::boxed(title, &lines, window, palette, buffer);
    }

    fn statistics(&mut self) -> Vec<String> {
        let Some(session) = &mut self.session else { return Vec::new() };
        let name = session.discipline().map(|it| it.name().to_owned());
        let figures = session.figures();
        let mut lines = vec![name.unwrap_or_default(), String::new()];
        match figures {
            Some(figures) => lines.extend(in_lines(&figures)),
            None => lines.push("no games yet".to_owned()),
        }
        lines
    }

    fn draw_game(&mut self, buffer: &mut Buffer, now: Instant) {
        let palette = self.settings.palette;
        let entries = self.entries(now);
        let Some(session) = &self.session else { return };
        let (frame, board) = (session.frame(), session.game().board());
        let digits = largest(board).to_string().len() as u16;
        let division = Division::new(frame.shape(), digits, buffer.area);
        self.layout = division.board;
        let Some(layout) = division.board else {
            return panel::too_small(buffer.area, palette, buffer);
        };
        let motion = self.moving.as_ref().map(|moving| {
            let passed = now.saturating_duration_since(moving.began).as_secs_f64();
            let part = (passed / moving.time.as_secs_f64().max(0.001)).min(1.0);
            // Quick at first, slow at last.
            Motion { before: &moving.before, done: 1.0 - (1.0 - part).powi(2) }
        });
        let solved = session.game().is_solved();
        let held = self.held().filter(|_| !solved && self.showing.is_none());
        let selected = held.map_or(&[][..], |track| &track.cells[..]);
        let hinted = self.hinted();
        let view =
            BoardView { board, goal: frame.goal(), motion, selected, hinted: &hinted, palette };
        view.draw(&layout, buffer);
        if division.beside {
            panel::beside(&entries, division.panel, palette, buffer);
        } else {
            panel::below(&entries, division.panel, palette, buffer);
        }
        let (text, style) = match (&self.message, self.times) {
            (_, Some(times)) => (format!("{times} ×"), palette.strong()),
            (Some(message), None) => (message.clone(), palette.strong()),
            (None, None) => (self.keys_now(), palette.faint()),
        };
        panel::footer(&text, style, division.footer, buffer);
    }

    /// The cells that a hint means: the tile that moves, or the line that is shifted.
    fn hinted(&self) -> Vec<usize> {
        let (Some(session), Some(hint)) = (&self.session, self.hint) else { return Vec::new() };
        let (frame, board) = (session.frame(), session.game().board());
        match frame.moves().permutation(hint) {
            Some(permutation) => permutation.moved().collect(),
            None => {
                let step = steps(frame.rules(), board, &[frame.moves().name(hint)]).next();
                step.and_then(Result::ok).and_then(|step| step.board.blank()).into_iter().collect()
            }
        }
    }

    fn keys_now(&self) -> String {
        let searching =
            self.thinking.as_ref().is_some_and(|search| search.purpose == Purpose::Solution);
        let solved = self.session.as_ref().is_some_and(|session| session.game().is_solved());
        keys_in_short(if searching {
            &[("Enter", "show the best so far"), ("Esc", "cancel")]
        } else if self.showing.is_some() {
            &[("space", "pause"), ("+-", "speed"), ("Esc", "stop")]
        } else if solved {
            &[("n", "new game"), ("b", "again"), ("e", "share"), ("t", "statistics"), ("q", "quit")]
        } else if self.tracks.is_empty() {
            &[("arrows", "move"), ("u", "undo"), ("i", "hint"), ("o", "solve"), ("?", "all keys")]
        } else {
            &[
                ("arrows", "move, select"),
                ("Tab", "rows, columns, rings"),
                ("i", "hint"),
                ("o", "solve"),
                ("?", "all keys"),
            ]
        })
    }

    fn entries(&mut self, now: Instant) -> Vec<Entry> {
        let figures = self.session.as_mut().and_then(Session::figures);
        let Some(session) = &self.session else { return Vec::new() };
        let (game, frame) = (session.game(), session.frame());
        let mut entries = vec![Entry::Title(frame.id().to_owned())];
        if let Some(deal) = game.deal() {
            let goal = frame.goal_name().filter(|_| frame.blank_label().is_some());
            let goal = goal.map_or(String::new(), |goal| format!("{goal}, "));
            entries.push(Entry::Remark(format!("{goal}{}", deal.kind)));
            entries.push(Entry::Remark(format!("seed {}", deal.seed)));
        }
        entries.push(Entry::Space);
        entries.push(Entry::Value("moves", game.moves().len().to_string()));
        entries.push(Entry::Value("time", in_words(game.elapsed(now))));
        entries.extend(game.shortest().map(|length| Entry::Value("shortest", length.to_string())));
        if game.is_paused() {
            entries.push(Entry::News("paused".to_owned()));
        }
        if let Some(search) = &self.thinking {
            entries.push(Entry::Space);
            entries.extend(search_entries(search, now));
        }
        if self.showing.is_some() {
            let left = session.known_solution().map_or(0, |(left, _)| left.len());
            entries.push(Entry::Space);
            entries.push(Entry::Value("solution", format!("{left} to go")));
            entries.push(Entry::Value("speed", format!("{} a second", SPEEDS[self.speed])));
            if self.paused {
                entries.push(Entry::News("paused".to_owned()));
            }
        }
        if game.is_solved() {
            entries.push(Entry::Space);
            let help = if game.is_helped() { ", with help" } else { "" };
            entries.push(Entry::News(format!("Solved{help}!")));
            let new = session.new_bests();
            let best = [(new.moves, "fewest moves so far"), (new.time, "shortest time so far")];
            let best = best.into_iter().filter(|(is_new, _)| *is_new);
            entries.extend(best.map(|(_, text)| Entry::News(text.to_owned())));
        }
        if let Some(figures) = figures {
            entries.push(Entry::Space);
            let bests = [("best", &figures.fewest_moves), ("quickest", &figures.quickest)];
            for (name, finish) in bests {
                entries.extend(finish.iter().map(|finish| {
                    let time = Duration::try_from_secs_f64(finish.seconds).unwrap_or_default();
                    let text = format!("{name}: {} moves, {}", finish.moves, in_words(time));
                    Entry::Remark(text)
                }));
            }
            let (solved, started) = (figures.solved, figures.started);
            entries.push(Entry::Remark(format!("solved {solved} of {started}")));
        }
        let move_keys = if self.tracks.is_empty() {
            &[("arrows", "move the blank")][..]
        } else {
            &[("arrows", "move, select"), ("Tab", "row, column, ring")][..]
        };
        let others = [
            ("u r", "undo, redo"),
            ("i", "hint"),
            ("o", "solve"),
            ("n b", "new, again"),
            ("t e", "statistics, share"),
            ("? q", "all keys, quit"),
        ];
        entries.extend(move_keys.iter().chain(&others).map(|(key, what)| Entry::Key(key, what)));
        entries
    }
}

/// How a search is getting on: the length falls while one watches.
fn search_entries(search: &Search, now: Instant) -> Vec<Entry> {
    let time = in_words(now.saturating_duration_since(search.began));
    match search.purpose {
        Purpose::Hint => vec![Entry::News("thinking ...".to_owned())],
        Purpose::Review => vec![Entry::Remark("looking for the fewest moves ...".to_owned())],
        Purpose::Solution => {
            let mut entries = vec![Entry::Value("solving", time)];
            if let Some(best) = search.lengths.last() {
                entries.push(Entry::Value("best", format!("{best} moves")));
                entries.push(Entry::Value("at least", search.at_least.to_string()));
                let last: Vec<String> =
                    search.lengths.iter().rev().take(12).rev().map(ToString::to_string).collect();
                entries.push(Entry::Remark(last.join(" → ")));
            }
            entries
        }
    }
}
