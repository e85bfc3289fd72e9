//! The game line by line, for pipes and screen readers: a command in, a few lines out.

use super::background::{Background, News};
use super::clock::in_words;
use super::deal::{Deal, DealKind};
use super::game::Game;
use super::session::{Session, Thinking};
use super::statistics::{Figures, Finish};
use crate::board::Board;
use crate::board::move_list::{Reading, Spellings};
use crate::board::steps::steps;
use crate::format::counted;
use crate::puzzle::Move;
use crate::solver::{Answer, Solution};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is looked whether the player has interrupted a search.
const LOOK: Duration = Duration::from_millis(50);

/// How long a solution is looked for.
const SOLVE_TIME: Duration = Duration::from_secs(10);

/// The most times that a command is repeated.
const MOST_REPETITIONS: usize = 999;

const HELP: &str = "\
a move        as the puzzle names it, or several: L3, Oc, up, up up left, 3 R1
hint          the next move of a short solution
solve         the shortest solution that is found in 10 seconds
shortest      the fewest moves from the first board on
undo [N]      take moves back        redo [N]   make them again
restart       the same board from its beginning
new [KIND]    another board: uniform, daily, moves K, depth D; with `seed S`, that one
board         show it                statistics  of games like this one
share         the seed, and a line that `permutile play --replay` shows again
moves         what the puzzle's moves are called
quit          leave";

/// Where commands come from, and where answers go.
pub struct Console<'a> {
    /// The next line; `None` at the end.
    pub read: &'a mut dyn FnMut() -> io::Result<Option<String>>,
    /// What the player reads.
    pub out: &'a mut dyn Write,
    /// Set when the player wants to leave: a search under way ends with the best solution so far.
    pub interrupted: &'a AtomicBool,
}

/// Plays until the player leaves or the input ends.
///
/// # Errors
/// If the console fails.
pub fn play(session: &mut Session, console: &mut Console<'_>) -> io::Result<()> {
    let mut mode = LineMode { session, console };
    mode.greet()?;
    while let Some(line) = (mode.console.read)()? {
        let leaves = mode.obey(line.trim())?;
        if leaves || mode.console.interrupted.load(Ordering::Relaxed) {
            break;
        }
        mode.session.save(Instant::now());
        mode.tell_notices()?;
        mode.console.out.flush()?;
    }
    mode.session.save(Instant::now());
    mode.tell_notices()
}

struct LineMode<'a, 'c> {
    session: &'a mut Session,
    console: &'a mut Console<'c>,
}

impl LineMode<'_, '_> {
    fn say(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.console.out, "{text}")
    }

    fn tell_notices(&mut self) -> io::Result<()> {
        let notices = self.session.take_notices();
        notices.into_iter().try_for_each(|notice| self.say(format!("note: {notice}")))
    }

    fn greet(&mut self) -> io::Result<()> {
        let game = self.session.game();
        let frame = game.frame();
        let goal = frame.goal_name().map_or_else(|| frame.goal().to_string(), str::to_owned);
        let deal = game.deal().map(|deal| format!(", scramble {}, seed {}", deal.kind, deal.seed));
        let text = format!("{}, goal {goal}{}", frame.id(), deal.unwrap_or_default());
        self.say(text)?;
        self.show()?;
        self.say("Type a move, or help.")?;
        self.console.out.flush()
    }

    fn show(&mut self) -> io::Result<()> {
        let grid = self.session.game().board().grid().to_string();
        self.say(grid)
    }

    /// Does what a line says; whether the player leaves.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if self.is_move(word) {
            self.moves(line)?;
            return Ok(false);
        }
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(true),
            "help" | "?" => self.say(HELP)?,
            "board" => self.show()?,
            "hint" => self.hint()?,
            "solve" => self.solve()?,
            "shortest" => self.shortest()?,
            "undo" => self.again(rest, "undo", Session::undo)?,
            "redo" => self.again(rest, "redo", |session| session.redo(Instant::now()))?,
            "restart" => {
                self.session.restart(Instant::now());
                self.show()?;
            }
            "new" => self.deal(rest)?,
            "statistics" | "stats" => self.statistics()?,
            "share" => self.share()?,
            "moves" => {
                let names = self.session.frame().rules().move_names().join(" ");
                self.say(names)?;
            }
            _ => self.moves(line)?,
        }
        Ok(false)
    }

    fn is_move(&self, word: &str) -> bool {
        let rules = self.session.frame().rules();
        let names = rules.move_names();
        Spellings::new(rules, &names, Reading::Blank).is_move(word)
    }

    /// Makes the moves of a line, up to the first that cannot be made.
    fn moves(&mut self, line: &str) -> io::Result<()> {
        let frame = self.session.frame();
        let names = frame.rules().move_names();
        let spellings = Spellings::new(frame.rules(), &names, Reading::Blank);
        let (times, list) = match line.split_once(char::is_whitespace) {
            Some((number, list)) => match number.parse::<usize>() {
                Ok(times) => (times, list),
                Err(_) => (1, line),
            },
            None => (1, line),
        };
        if !(1..=MOST_REPETITIONS).contains(&times) {
            return self.say(format!("A move is repeated 1 to {MOST_REPETITIONS} times."));
        }
        let moves: Vec<Move> = match spellings.read(list) {
            Ok(read) => read.into_iter().filter_map(|name| frame.moves().by_name(name)).collect(),
            Err(error) => return self.say(format!("{error}; type moves or help")),
        };
        if moves.is_empty() {
            return self.say("There is no move in this line; type help.");
        }
        for m in moves.iter().copied().cycle().take(times * moves.len()) {
            let name = self.session.frame().moves().name(m).to_owned();
            if let Err(error) = self.session.make(m, Instant::now()) {
                self.say(format!("{name} was not made: {error}"))?;
                break;
            }
            if self.session.game().is_solved() {
                break;
            }
        }
        self.after_moves()
    }

    fn after_moves(&mut self) -> io::Result<()> {
        self.show()?;
        let (now, game) = (Instant::now(), self.session.game());
        let (moves, time) =
            (counted(game.moves().len() as u64, "move"), in_words(game.elapsed(now)));
        if !game.is_solved() {
            return self.say(format!("{moves}, {time}"));
        }
        let help = if game.is_helped() { ", with help" } else { "" };
        let shortest = game.shortest().map(|length| format!("; the fewest possible are {length}"));
        self.say(format!("Solved in {moves}, {time}{help}{}.", shortest.unwrap_or_default()))?;
        let new = self.session.new_bests();
        match (new.moves, new.time) {
            (true, true) => self.say("Fewest moves and shortest time so far.")?,
            (true, false) => self.say("Fewest moves so far.")?,
            (false, true) => self.say("Shortest time so far.")?,
            (false, false) => {}
        }
        self.say("Type new, restart, share or quit.")
    }

    fn again(
        &mut self,
        times: &str,
        what: &str,
        step: impl Fn(&mut Session) -> Option<Move>,
    ) -> io::Result<()> {
        let number = if times.is_empty() { Some(1) } else { times.parse::<usize>().ok() };
        let Some(number) = number.filter(|number| (1..=MOST_REPETITIONS).contains(number)) else {
            return self.say(format!("Expected {what} or {what} N, as in {what} 3."));
        };
        let done = (0..number).map_while(|_| step(self.session)).count();
        if done == 0 {
            return self.say(format!("There is nothing to {what}."));
        }
        self.after_moves()
    }

    /// Waits for a search; improvements are told if somebody waits for them.
    fn wait(&mut self, thinking: &Thinking, tell: bool) -> io::Result<Option<Solution>> {
        loop {
            if self.console.interrupted.load(Ordering::Relaxed) {
                thinking.stop();
            }
            match thinking.wait(LOOK) {
                None => {}
                Some(News::Found { length, at_least }) if tell => {
                    let moves = counted(length.into(), "move");
                    self.say(format!("{moves}, at least {at_least} ..."))?;
                    self.console.out.flush()?;
                }
                Some(News::Found { .. }) => {}
                Some(News::Done(Ok(Answer::Searched(report)))) => {
                    if report.solution.is_none() {
                        self.say("No solution was found in this time.")?;
                    }
                    return Ok(report.solution);
                }
                Some(News::Done(Ok(Answer::Unsolvable(reason)))) => {
                    self.say(format!("It cannot be solved: {reason}"))?;
                    return Ok(None);
                }
                Some(News::Done(Err(error))) => {
                    self.say(error)?;
                    return Ok(None);
                }
                Some(News::Lost) => {
                    self.say("The search ended unexpectedly.")?;
                    return Ok(None);
                }
            }
        }
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.session.game().is_solved() {
            return self.say("It is solved.");
        }
        let known = match self.session.known_hint() {
            Some(hint) => Some(hint),
            None => {
                let board = self.session.game().board().clone();
                let thinking = self.session.think_of_hint();
                let solution = self.wait(&thinking, false)?;
                solution.iter().for_each(|solution| self.session.follow(&board, solution));
                self.session.known_hint()
            }
        };
        let Some(hint) = known else { return Ok(()) };
        let frame = self.session.frame();
        let (name, board) = (frame.moves().name(hint), self.session.game().board());
        let mut text = format!("Hint: {name}");
        if let Some(Ok(step)) = steps(frame.rules(), board, &[name]).next()
            && !step.words.is_empty()
        {
            text += &format!(" ({})", step.words);
        }
        if let Some((left, is_shortest)) = self.session.known_solution() {
            let proven = if is_shortest { ", the fewest possible" } else { "" };
            text += &format!("; {} to go{proven}", counted(left.len() as u64, "move"));
        }
        self.say(text)
    }

    fn solve(&mut self) -> io::Result<()> {
        if self.session.game().is_solved() {
            return self.say("It is solved.");
        }
        let board = self.session.game().board().clone();
        let thinking = self.session.think_of_solution(SOLVE_TIME);
        let Some(solution) = self.wait(&thinking, true)? else { return Ok(()) };
        self.session.follow(&board, &solution);
        let proven = if solution.is_optimal() { "proven shortest" } else { "not proven shortest" };
        let moves = counted(solution.len() as u64, "move");
        self.say(format!("{moves} ({proven}): {}", solution.names().join(" ")))
    }

    fn shortest(&mut self) -> io::Result<()> {
        if self.session.game().shortest().is_none() {
            let start = self.session.game().start().clone();
            let thinking = self.session.think_of_shortest();
            let solution = self.wait(&thinking, false)?;
            solution.iter().for_each(|solution| self.session.learn(&start, solution));
        }
        match self.session.game().shortest() {
            Some(length) => {
                let moves = counted(length.into(), "move");
                self.say(format!("The first board takes {moves}, and no fewer."))
            }
            None => self.say("The fewest moves are not known: a proof would take longer."),
        }
    }

    fn deal(&mut self, text: &str) -> io::Result<()> {
        let kind_now = self.session.game().deal().map_or(DealKind::Uniform, |deal| deal.kind);
        let (kind, seed) = match text.split_once("seed") {
            Some((kind, seed)) => (kind.trim(), Some(seed.trim_matches([' ', ':', '=']))),
            None => (text, None),
        };
        let kind = if kind.is_empty() { Ok(kind_now) } else { kind.parse::<DealKind>() };
        let kind = match kind {
            Ok(kind) => kind,
            Err(error) => return self.say(error),
        };
        let deal = match seed.map(str::parse::<u64>) {
            None => Deal::random(kind),
            Some(Ok(seed)) => Deal { kind, seed },
            Some(Err(_)) => return self.say("A seed is a whole number, as in new seed 7."),
        };
        let dealing = self.session.dealing(deal);
        let Some(board) = self.dealt(&dealing)? else { return Ok(()) };
        let solver = Arc::clone(self.session.game().solver());
        self.session.begin(Game::new(solver, board, Some(deal)), Instant::now());
        self.greet()
    }

    fn dealt<E: std::fmt::Display + Send + 'static>(
        &mut self,
        dealing: &Background<Result<Board, E>>,
    ) -> io::Result<Option<Board>> {
        loop {
            if self.console.interrupted.load(Ordering::Relaxed) {
                dealing.stop();
            }
            match dealing.wait(LOOK) {
                None | Some(News::Found { .. }) => {}
                Some(News::Done(Ok(board))) => return Ok(Some(board)),
                Some(News::Done(Err(error))) => {
                    self.say(error)?;
                    return Ok(None);
                }
                Some(News::Lost) => {
                    self.say("The deal ended unexpectedly.")?;
                    return Ok(None);
                }
            }
        }
    }

    fn statistics(&mut self) -> io::Result<()> {
        self.session.save(Instant::now());
        let Some(discipline) = self.session.discipline() else {
            return self.say("This board was not dealt, and is not counted.");
        };
        match self.session.figures() {
            None => self.say(format!("{}: no games yet", discipline.name())),
            Some(figures) => {
                let lines = in_lines(&figures).join("\n");
                self.say(format!("{}\n{lines}", discipline.name()))
            }
        }
    }

    fn share(&mut self) -> io::Result<()> {
        if let Some(deal) = self.session.game().deal() {
            self.say(format!("scramble {}, seed {}", deal.kind, deal.seed))?;
        }
        let line = self.session.share(Instant::now());
        self.say(format!("permutile play --replay '{line}'"))
    }
}

/// Figures as lines for people.
pub fn in_lines(figures: &Figures) -> Vec<String> {
    let best = |finish: &Finish| {
        let time = in_words(Duration::try_from_secs_f64(finish.seconds).unwrap_or_default());
        format!("{} in {time}, seed {}", counted(finish.moves, "move"), finish.seed)
    };
    let total = in_words(Duration::try_from_secs_f64(figures.seconds).unwrap_or_default());
    let mut lines = vec![
        format!("games       {}", figures.started),
        format!("solved      {}", figures.solved),
        format!("with help   {}", figures.solved_with_help),
        format!("moves made  {}", figures.moves),
        format!("time        {total}"),
    ];
    lines.extend(figures.fewest_moves.as_ref().map(|it| format!("fewest      {}", best(it))));
    lines.extend(figures.quickest.as_ref().map(|it| format!("quickest    {}", best(it))));
    lines
}
