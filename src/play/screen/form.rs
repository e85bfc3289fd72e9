//! The form for a new game: which puzzle, how large, which board.

use super::board_view::{BoardLayout, BoardView, largest};
use super::palette::Palette;
use super::panel::wrapped;
use crate::board::{Board, Shape, Tile};
use crate::play::deal::{Deal, DealKind, FARTHEST, MOST_MOVES};
use crate::puzzle::registry::{self, FAMILIES};
use crate::puzzle::{Definition, Dynamics, Goal};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

/// The largest side of a board.
const LARGEST: usize = 16;

/// The width of the form itself; a picture of the goal is beside it.
const WIDTH: u16 = 46;

/// A game to begin.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Choice {
    /// The id of the puzzle, or the path of its file.
    pub puzzle: String,
    /// What is to be reached.
    pub goal: Goal,
    /// The board.
    pub deal: Deal,
}

/// What a key led to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Verdict {
    Stay,
    Leave,
    Play(Choice),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Puzzle,
    Rows,
    Columns,
    File,
    Goal,
    Scramble,
    Number,
    Seed,
    Play,
}

/// What is filled in so far.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// Which family; the one after the last is a file.
    family: usize,
    rows: usize,
    cols: usize,
    file: String,
    blank_last: bool,
    scramble: Scramble,
    number: String,
    seed: String,
    field: Field,
    /// What is wrong with it.
    pub error: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scramble {
    Uniform,
    Moves,
    Depth,
    Daily,
}

const SCRAMBLES: [Scramble; 4] =
    [Scramble::Uniform, Scramble::Moves, Scramble::Depth, Scramble::Daily];

impl Form {
    /// The 15-puzzle, to begin with.
    pub(super) fn new(kind: DealKind) -> Form {
        let sliding = FAMILIES.iter().position(|family| family.name == "sliding").unwrap_or(0);
        let (scramble, number) = match kind {
            DealKind::Uniform => (Scramble::Uniform, String::new()),
            DealKind::Daily => (Scramble::Daily, String::new()),
            DealKind::Moves(moves) => (Scramble::Moves, moves.to_string()),
            DealKind::ExactDepth(depth) => (Scramble::Depth, depth.to_string()),
        };
        Form {
            family: sliding,
            rows: 4,
            cols: 4,
            file: String::new(),
            blank_last: false,
            scramble,
            number,
            seed: String::new(),
            field: Field::Puzzle,
            error: None,
        }
    }

    /// As the game before it.
    pub(super) fn after(
        definition_id: &str,
        shape: Shape,
        blank_last: bool,
        kind: DealKind,
    ) -> Form {
        let family = FAMILIES.iter().position(|family| definition_id.starts_with(family.name));
        let is_named = registry::define(definition_id).is_ok();
        let family = family.filter(|_| is_named).unwrap_or(FAMILIES.len());
        let file = if is_named { String::new() } else { definition_id.to_owned() };
        let (rows, cols) = (shape.rows(), shape.cols());
        Form { family, rows, cols, file, blank_last, ..Form::new(kind) }
    }

    fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field::Puzzle];
        if self.family < FAMILIES.len() {
            fields.extend([Field::Rows, Field::Columns]);
        } else {
            fields.push(Field::File);
        }
        if self.has_blank() {
            fields.push(Field::Goal);
        }
        fields.push(Field::Scramble);
        if matches!(self.scramble, Scramble::Moves | Scramble::Depth) {
            fields.push(Field::Number);
        }
        if self.scramble != Scramble::Daily {
            fields.push(Field::Seed);
        }
        fields.push(Field::Play);
        fields
    }

    fn id(&self) -> String {
        match FAMILIES.get(self.family) {
            None => self.file.trim().to_owned(),
            Some(family) if self.rows == self.cols => format!("{}{}", family.name, self.rows),
            Some(family) => format!("{}:{}x{}", family.name, self.rows, self.cols),
        }
    }

    fn definition(&self) -> Option<Definition> {
        registry::define(&self.id()).ok()
    }

    fn has_blank(&self) -> bool {
        self.definition().is_some_and(|it| matches!(it.dynamics, Dynamics::Blank))
    }

    /// What is to be reached, as a picture.
    fn goal_board(&self) -> Option<Board> {
        let shape = self.definition()?.shape;
        if !self.has_blank() {
            return Some(Board::ordered(shape));
        }
        let mut tiles: Vec<Tile> = (0..shape.cells() as u16).map(Tile).collect();
        if self.blank_last {
            tiles.rotate_left(1);
        }
        Board::new(shape, tiles).ok()
    }

    /// Reads a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> Verdict {
        self.error = None;
        let fields = self.fields();
        let at = fields.iter().position(|&field| field == self.field).unwrap_or(0);
        let typed = match key.code {
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => Some(c),
            _ => None,
        };
        match (key.code, self.field) {
            (KeyCode::Esc, _) => return Verdict::Leave,
            (KeyCode::Enter, _) => return self.play(),
            (KeyCode::Up | KeyCode::BackTab, _) => {
                self.field = fields[(at + fields.len() - 1) % fields.len()];
            }
            (KeyCode::Down | KeyCode::Tab, _) => self.field = fields[(at + 1) % fields.len()],
            (KeyCode::Left, _) => self.change(-1),
            (KeyCode::Right, _) => self.change(1),
            (KeyCode::Backspace, Field::File) => drop(self.file.pop()),
            (KeyCode::Backspace, Field::Number) => drop(self.number.pop()),
            (KeyCode::Backspace, Field::Seed) => drop(self.seed.pop()),
            _ => match (typed, self.field) {
                (Some(c), Field::File) => self.file.push(c),
                (Some(c), Field::Number) if c.is_ascii_digit() => self.number.push(c),
                (Some(c), Field::Seed) if c.is_ascii_digit() => self.seed.push(c),
                (Some('q'), _) => return Verdict::Leave,
                (Some('k' | 'w'), _) => self.field = fields[(at + fields.len() - 1) % fields.len()],
                (Some('j' | 's'), _) => self.field = fields[(at + 1) % fields.len()],
                (Some('h' | 'a'), _) => self.change(-1),
                (Some('l' | 'd' | ' '), _) => self.change(1),
                _ => {}
            },
        }
        Verdict::Stay
    }

    /// The next or the previous value of a field.
    fn change(&mut self, by: isize) {
        let around = |at: usize, of: usize| (at as isize + by).rem_euclid(of as isize) as usize;
        let other_side = |side: usize| (2 + around(side - 2, LARGEST - 1)).min(LARGEST);
        match self.field {
            Field::Puzzle => {
                self.family = around(self.family, FAMILIES.len() + 1);
                self.shrink();
            }
            Field::Rows | Field::Columns => {
                // Sizes that the family does not have are passed over.
                for _ in 0..LARGEST {
                    if self.field == Field::Rows {
                        self.rows = other_side(self.rows);
                    } else {
                        self.cols = other_side(self.cols);
                    }
                    if self.definition().is_some() {
                        break;
                    }
                }
            }
            Field::Goal => self.blank_last = !self.blank_last,
            Field::Scramble => {
                let at = SCRAMBLES.iter().position(|&it| it == self.scramble).unwrap_or(0);
                self.scramble = SCRAMBLES[around(at, SCRAMBLES.len())];
            }
            Field::Number => {
                let number = self.number.parse::<u32>().unwrap_or(self.default_number());
                self.number = number.saturating_add_signed(by as i32).to_string();
            }
            Field::File | Field::Seed | Field::Play => {}
        }
    }

    /// To the largest size that the family has, if it has not this one.
    fn shrink(&mut self) {
        if self.family < FAMILIES.len() && self.definition().is_none() {
            let sides = (2..=LARGEST).rev();
            let fits = |&side: &usize| {
                let (rows, cols) = (self.rows.min(side).max(3), self.cols.min(side).max(3));
                Form { rows, cols, ..self.clone() }.definition().is_some()
            };
            if let Some(side) = sides.clone().find(fits) {
                (self.rows, self.cols) = (self.rows.min(side).max(3), self.cols.min(side).max(3));
            }
        }
    }

    fn default_number(&self) -> u32 {
        if self.scramble == Scramble::Depth { 5 } else { 20 }
    }

    fn kind(&self) -> Result<DealKind, String> {
        let number = |most: u32| {
            let text = self.number.trim();
            let number =
                if text.is_empty() { Some(self.default_number()) } else { text.parse().ok() };
            number.filter(|&n| n <= most).ok_or(format!("expected a number up to {most}"))
        };
        Ok(match self.scramble {
            Scramble::Uniform => DealKind::Uniform,
            Scramble::Daily => DealKind::Daily,
            Scramble::Moves => DealKind::Moves(number(MOST_MOVES)?),
            Scramble::Depth => DealKind::ExactDepth(number(FARTHEST)?),
        })
    }

    fn play(&mut self) -> Verdict {
        match self.choice() {
            Ok(choice) => Verdict::Play(choice),
            Err(error) => {
                self.error = Some(error);
                Verdict::Stay
            }
        }
    }

    fn choice(&self) -> Result<Choice, String> {
        let puzzle = self.id();
        if puzzle.is_empty() {
            return Err("type the path of a puzzle's file, as in puzzles/mine.toml".to_owned());
        }
        if self.family < FAMILIES.len() {
            registry::define(&puzzle).map_err(|error| error.to_string())?;
        }
        let random = Deal::random(self.kind()?);
        let seed = match self.seed.trim() {
            "" => random.seed,
            _ if self.scramble == Scramble::Daily => random.seed,
            digits => digits.parse().map_err(|_| "this seed is too large".to_owned())?,
        };
        let goal =
            if self.has_blank() && self.blank_last { Goal::BlankLast } else { Goal::Default };
        Ok(Choice { puzzle, goal, deal: Deal { seed, ..random } })
    }

    fn value(&self, field: Field) -> (&'static str, String) {
        let placeholder = |text: &str, otherwise: String| {
            if text.is_empty() { otherwise } else { text.to_owned() }
        };
        match field {
            Field::Puzzle => {
                let name = FAMILIES.get(self.family).map_or("custom", |family| family.name);
                ("puzzle", name.to_owned())
            }
            Field::Rows => ("rows", self.rows.to_string()),
            Field::Columns => ("columns", self.cols.to_string()),
            Field::File => ("file", placeholder(&self.file, "path to a .toml file".to_owned())),
            Field::Goal => {
                let goal = if self.blank_last { "1 2 3 … blank" } else { "blank 1 2 3 …" };
                ("goal", goal.to_owned())
            }
            Field::Scramble => {
                let scramble = match self.scramble {
                    Scramble::Uniform => "uniform: any board",
                    Scramble::Moves => "random moves",
                    Scramble::Depth => "exact distance",
                    Scramble::Daily => "board of the day",
                };
                ("scramble", scramble.to_owned())
            }
            Field::Number => {
                ("how many", placeholder(&self.number, self.default_number().to_string()))
            }
            Field::Seed => ("seed", placeholder(&self.seed, "random".to_owned())),
            Field::Play => ("", "Play".to_owned()),
        }
    }

    pub(super) fn draw(&self, window: Rect, palette: Palette, buffer: &mut Buffer) {
        let mut lines = vec![Line::styled("permutile", palette.strong()), Line::default()];
        for field in self.fields() {
            let (name, value) = self.value(field);
            let chosen = field == self.field;
            let style = if chosen { palette.strong() } else { palette.faint() };
            let style = if chosen { style.add_modifier(Modifier::REVERSED) } else { style };
            let typed = matches!(field, Field::File | Field::Seed);
            let value = match (chosen, typed || field == Field::Play) {
                (true, false) => format!(" ◂ {value} ▸ "),
                (true, true) => format!("   {value}   "),
                (false, _) => format!("   {value}   "),
            };
            let name = Span::styled(format!("{name:>9}  "), palette.faint());
            lines.push(Line::from(vec![name, Span::styled(value, style)]));
        }
        lines.push(Line::default());
        let summary = FAMILIES.get(self.family).map(|family| family.summary);
        let about = summary.unwrap_or("a grid and moves of your own, as cycles of cells");
        let beside = window.width >= WIDTH + 24;
        let width = WIDTH.min(window.width.saturating_sub(2));
        let wrapped = |text: &str, style| {
            let lines = wrapped(text, width.into());
            lines.into_iter().map(move |line| Line::styled(line, style))
        };
        lines.extend(wrapped(about, palette.faint()));
        if let Some(error) = &self.error {
            lines.push(Line::default());
            lines.extend(wrapped(error, palette.strong()));
        }
        let height = (lines.len() as u16).min(window.height);
        let text = Paragraph::new(lines);
        let y = window.y + window.height.saturating_sub(height + 1) / 2;
        text.render(Rect { x: window.x + 2, y, width, height }.intersection(window), buffer);
        let footer = Rect { y: window.bottom().saturating_sub(1), height: 1, ..window };
        let keys = "↑↓ choose   ←→ change   Enter play   Esc leave";
        Paragraph::new(Line::styled(keys, palette.faint()))
            .centered()
            .render(footer.intersection(window), buffer);
        if let (true, Some(goal)) = (beside, self.goal_board()) {
            let (x, width) = (window.x + WIDTH + 3, window.width - WIDTH - 5);
            let room = Rect { x, width, height: window.height.saturating_sub(1), ..window };
            let digits = largest(&goal).to_string().len() as u16;
            if let Some(layout) = BoardLayout::fit(goal.shape(), digits, room) {
                let view = BoardView {
                    board: &goal,
                    goal: &goal,
                    motion: None,
                    selected: &[],
                    hinted: &[],
                    palette,
                };
                view.draw(&layout, buffer);
            }
        }
    }
}
