//! `permutile play`: the game, in the whole window or line by line.

use super::exit::Exit;
use super::options::{GoalOption, MemoryOption, OptionalPuzzle};
use super::output::{data_lines, note};
#[cfg(feature = "play")]
use super::screen;
use super::{Common, interrupt, steps};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use permutile::board::check::replay;
use permutile::lab::solvers::load_definition;
use permutile::play::Session;
use permutile::play::background::Means;
use permutile::play::deal::{Deal, DealKind, FARTHEST, MOST_MOVES};
use permutile::play::game::Game;
use permutile::play::line_mode::{self, Console};
use permutile::play::shared_game::SharedGame;
use permutile::play::statistics::Book;
use permutile::{Limits, Solver};
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// Play in the terminal, with hints, solutions, statistics and personal bests
///
/// Arrows, WASD or hjkl move, a number before an arrow moves that far, ? shows all keys. Without a
/// terminal, or with --plain, it is played line by line. Statistics are kept in the user's data
/// folder, or in the one that the environment variable PERMUTILE_DATA names.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile play\n  \
    permutile play sliding4 --goal blank-last\n  \
    permutile play rings5 --moves 6\n  \
    permutile play torus4 --daily\n  \
    permutile play sliding3 --plain --seed 7\n  \
    permutile play --replay 'permutile=1 puzzle=torus3 start=2,3,1,4,5,6,7,8,9 moves=R1'")]
#[command(group = clap::ArgGroup::new("kind"))]
pub(super) struct Play {
    #[command(flatten)]
    puzzle: OptionalPuzzle,
    #[command(flatten)]
    goal: GoalOption,
    /// Each solvable board equally likely; this is the default
    #[arg(long, group = "kind")]
    uniform: bool,
    /// A board after this many random moves from the goal
    #[arg(long, value_name = "K", group = "kind", value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_MOVES)))]
    moves: Option<u32>,
    /// A board at this distance from the goal
    #[arg(long, value_name = "D", group = "kind", value_parser = clap::value_parser!(u32).range(..=i64::from(FARTHEST)))]
    exact_depth: Option<u32>,
    /// The board of the day, the same for everybody
    #[arg(long, group = "kind", conflicts_with = "seed")]
    daily: bool,
    /// Where the random numbers start [default: a random one, which is shown]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Play line by line, as pipes and screen readers like it
    #[arg(long)]
    plain: bool,
    /// Show a game that somebody shared
    #[arg(long, value_name = "LINE", conflicts_with_all = ["position", "option", "goal", "kind", "seed"])]
    replay: Option<String>,
    #[command(flatten)]
    memory: MemoryOption,
}

pub(super) fn run(command: &Play, common: &Common) -> anyhow::Result<Exit> {
    if common.json {
        bail!("play is for people, and has no records: leave --json out");
    }
    if let Some(line) = &command.replay {
        return command.replay(line, common);
    }
    #[cfg(feature = "play")]
    if !command.plain && screen::is_possible() {
        return command.play_on_screen(common);
    }
    command.play_in_lines(common)
}

impl Play {
    fn kind(&self) -> DealKind {
        match (self.moves, self.exact_depth) {
            (Some(moves), _) => DealKind::Moves(moves),
            (_, Some(depth)) => DealKind::ExactDepth(depth),
            _ if self.daily => DealKind::Daily,
            _ => DealKind::Uniform,
        }
    }

    fn deal(&self) -> Deal {
        let random = Deal::random(self.kind());
        Deal { seed: self.seed.unwrap_or(random.seed), ..random }
    }

    fn means(&self) -> Means {
        Means { bytes: self.memory.bytes(), threads: rayon::current_num_threads() }
    }

    #[cfg(feature = "play")]
    fn play_on_screen(&self, common: &Common) -> anyhow::Result<Exit> {
        use super::output::data;
        use permutile::play::screen::{App, Settings};

        let make_solver = |id: &str, goal| {
            let made = load_definition(id).map_err(|error| error.to_string())?;
            let mut solver =
                Solver::new(made, goal, common.simd()).map_err(|error| error.to_string())?;
            common.cache().into_iter().for_each(|cache| solver.use_cache(cache));
            Ok(solver)
        };
        let settings = Settings {
            palette: screen::palette(),
            means: self.means(),
            book: Book::for_user(),
            make_solver: &make_solver,
            kind: self.kind(),
        };
        let mut app = App::new(settings);
        if let Some(id) = self.puzzle.id() {
            app.deal(Arc::new(self.goal.solver(id, common)?), self.deal());
        }
        let ending = screen::with(|screen| app.run(screen, interrupt::flag()))?;
        ending.lines.iter().try_for_each(data)?;
        Ok(if ending.interrupted { Exit::Interrupted } else { Exit::Success })
    }

    fn play_in_lines(&self, common: &Common) -> anyhow::Result<Exit> {
        let mut read = || interrupt::while_waiting(read_line);
        let id = match self.puzzle.id() {
            Some(id) => id.to_owned(),
            None => {
                note(
                    "Which puzzle? sliding4, torus4, rings5, sliding:3x4, a path to a .toml file, ...",
                );
                let line = read().context("standard input")?.unwrap_or_default();
                let id = line.trim().to_owned();
                if id.is_empty() {
                    return Err(anyhow!(
                        "there is no puzzle: name one, as in permutile play sliding4"
                    ));
                }
                id
            }
        };
        let solver = Arc::new(self.goal.solver(&id, common)?);
        let (deal, means) = (self.deal(), self.means());
        let limits = Limits {
            bytes: Some(means.bytes),
            cancelled: Some(interrupt::flag()),
            ..Limits::default()
        };
        let board = deal.board(&solver, &limits)?;
        let game = Game::new(solver, board, Some(deal));
        let mut session = Session::new(game, means, Book::for_user());
        let mut out = io::stdout().lock();
        let mut console =
            Console { read: &mut read, out: &mut out, interrupted: interrupt::flag() };
        line_mode::play(&mut session, &mut console).context("standard input or output")?;
        Ok(if interrupt::is_set() { Exit::Interrupted } else { Exit::Success })
    }

    /// Shows a game that was shared.
    fn replay(&self, line: &str, common: &Common) -> anyhow::Result<Exit> {
        let shared: SharedGame = line.parse().context("--replay")?;
        let definition = load_definition(&shared.puzzle)?;
        let goal = shared.goal(definition.shape).context("--replay")?;
        let solver = Solver::new(definition, goal, common.simd())?;
        let frame = solver.frame();
        let (start, moves) = shared.read(frame).context("--replay")?;
        frame.encode(&start).context("--replay")?;
        replay(frame.rules(), &start, &moves).context("--replay")?;
        #[cfg(feature = "play")]
        if !self.plain && screen::is_possible() {
            let time = shared.seconds.map(|seconds| format!("played in {seconds:.1} s"));
            let deal = shared.deal.map(|deal| format!("{}, seed {}", deal.kind, deal.seed));
            let remarks = deal.into_iter().chain(time).collect();
            return screen::show(frame, &start, &moves, remarks);
        }
        let text = steps::with_boards(frame.rules(), &start, &moves, false)?;
        data_lines(format!("{}\n{}\n{text}", frame.id(), start.grid()).as_bytes())?;
        Ok(Exit::Success)
    }
}

/// So many bytes are a line, however many come without an end of one.
const LONGEST_LINE: u64 = 1 << 16;

/// The next line of standard input; `None` at its end.
pub(super) fn read_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    // Whatever is pasted is a line, if not one that means anything.
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
