//! `permutile grade`: students' lists of moves against the boards that they are of.

use super::columns::{Side, columns};
use super::exit::Exit;
use super::options::{PuzzleOptions, default_memory};
use super::output::{complaint, data, data_lines, is_standard_output, note, refuse_to_overwrite};
use super::progress::Progress;
use super::quantity::{Timeout, parse_bytes, parse_timeout};
use super::remarks::read_all;
use super::sources::sources;
use super::{Common, interrupt};
use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use permutile::board::check::Rules;
use permutile::board::move_list::{Reading, Spellings};
use permutile::format::{counted, grouped};
use permutile::lab::files::Files;
use permutile::lab::grade::{Collected, ENDINGS, Grade, GradeRecord, Grading, Shortest, Verdict};
use permutile::lab::input::Item;
use permutile::lab::solvers::Solvers;
use permutile::search::{Limits, Observer, SearchOptions};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Check students' lists of moves against the boards: legal, solved, shortest, how many over
///
/// Moves are read however they are written: ['Up', 'Left'], up left, UL, U2L, L1 R2, Oc, or the
/// file of statistics that a course asks for. A solution is of the board that its line, its file or
/// its folder is named after (`board3: U L`, board3.txt, `alice board3: U L`, alice_board3.txt,
/// alice/board3.txt), else of the only board; or a file has as many solutions as there are boards,
/// in the same order. Ends with exit code 1 if a solution does not hold.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile grade handed-in/ --boards boards/\n  \
    permutile grade alice/output.txt --boards 1,2,5,3,4,0,6,7,8\n  \
    permutile grade class.txt --boards week3.boards --csv grades.csv\n  \
    permutile grade handed-in/ --boards boards/ --require-shortest --timeout 1m --json")]
pub(super) struct GradeCommand {
    /// Files and folders of solutions, or `-`
    #[arg(required = true, value_name = "SOLUTIONS")]
    solutions: Vec<PathBuf>,
    /// The boards: files, folders, or a board itself
    #[arg(long, required = true, value_name = "PATH")]
    boards: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleOptions,
    /// What Up, U and so on say on a sliding puzzle: where the blank goes, or where a tile goes
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    reading: ReadingChoice,
    /// Solutions that are longer than needed fail too
    #[arg(long)]
    require_shortest: bool,
    /// How long to look for the shortest solution of each board (500ms, 10s, 2m, none)
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_timeout)]
    timeout: Timeout,
    /// How much memory to use for that (64MB, 2GiB) [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,
    /// Write a table for spreadsheets; - is standard output, instead of the table for people
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Overwrite a file that is there
    #[arg(long, requires = "csv")]
    force: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ReadingChoice {
    /// Whichever solves the board; each result says which it was
    Auto,
    /// Where the blank goes
    Blank,
    /// Where a tile goes, as players write
    Tile,
}

pub(super) fn run(command: &GradeCommand, common: &Common) -> anyhow::Result<Exit> {
    let csv = command.csv_output(common)?;
    let solvers = command.puzzle.solvers(common)?;
    let boards = command.read_boards(&solvers, common)?;
    let collected = command.collect(&boards, &solvers);
    let mut exit = Exit::Success;
    for error in boards.iter().filter_map(|item| item.entry.as_ref().err()) {
        note(complaint(&anyhow!("{error}")));
        exit = Exit::Usage;
    }
    for error in collected.faults {
        note(complaint(&error.into()));
        exit = Exit::Usage;
    }
    if !collected.passed_over.is_empty() && !common.quiet {
        note(passed_over(&collected.passed_over));
    }
    if collected.solutions.is_empty() {
        bail!("there are no solutions to grade");
    }
    let options = SearchOptions {
        timeout: command.timeout.limit(),
        limits: Limits {
            bytes: Some(command.max_memory.unwrap_or_else(default_memory)),
            cancelled: Some(interrupt::flag()),
            ..Limits::default()
        },
        threads: rayon::current_num_threads(),
        ..SearchOptions::default()
    };
    let mut grading = Grading::new(&boards, &solvers, &options);
    grading.reading = match command.reading {
        ReadingChoice::Auto => None,
        ReadingChoice::Blank => Some(Reading::Blank),
        ReadingChoice::Tile => Some(Reading::Tile),
    };
    let mut progress = Progress::new(common.quiet);
    let mut grades = Vec::new();
    let total = collected.solutions.len();
    for handed_in in &collected.solutions {
        if interrupt::is_set() {
            break;
        }
        let mut watcher = Watcher { progress: &mut progress, done: grades.len(), total };
        let grade = grading.grade(handed_in, &mut watcher)?;
        exit = exit.max(command.exit(grade.verdict()));
        if common.json {
            progress.clear();
            data(serde_json::to_string(&GradeRecord::from(&grade))?)?;
        }
        grades.push(grade);
    }
    progress.clear();
    common.tell_notices();
    match &csv {
        Some(CsvTarget::Standard) => data_lines(&as_csv(&grades)?)?,
        Some(CsvTarget::File(path)) => {
            std::fs::write(path, as_csv(&grades)?).with_context(|| path.display().to_string())?;
        }
        None => {}
    }
    if !common.json && !matches!(csv, Some(CsvTarget::Standard)) {
        table(&grades).iter().try_for_each(data)?;
    }
    if !common.quiet {
        note(in_short(&grades));
    }
    if interrupt::is_set() {
        exit = exit.max(Exit::Interrupted);
        note(format!("interrupted: {} of {total} solutions graded", grades.len()));
    }
    Ok(exit)
}

enum CsvTarget {
    Standard,
    File(PathBuf),
}

impl GradeCommand {
    fn csv_output(&self, common: &Common) -> anyhow::Result<Option<CsvTarget>> {
        match &self.csv {
            Some(path) if is_standard_output(path) => {
                if common.json {
                    bail!("--csv - and --json would both go to standard output: choose one");
                }
                Ok(Some(CsvTarget::Standard))
            }
            Some(path) => {
                refuse_to_overwrite(path, self.force)?;
                let solutions: Vec<&Path> = self.solutions.iter().map(PathBuf::as_path).collect();
                let (sources, include) = (sources(&self.boards)?, |_: &Path| true);
                let others = &solutions;
                Files { outputs: &[path], sources: &sources, include: &include, others }.check()?;
                Ok(Some(CsvTarget::File(path.clone())))
            }
            None => Ok(None),
        }
    }

    /// The boards, some of which may be no boards; at least one is.
    fn read_boards(&self, solvers: &Solvers, common: &Common) -> anyhow::Result<Vec<Item>> {
        let mut boards = read_all(&sources(&self.boards)?, self.puzzle.shape(solvers), common);
        if boards.iter().all(|item| item.entry.is_err())
            && let Some(Err(error)) = boards.drain(..).map(|item| item.entry).next()
        {
            return Err(anyhow::Error::from(error).context("--boards"));
        }
        Ok(boards)
    }

    fn collect(&self, boards: &[Item], solvers: &Solvers) -> Collected {
        let entries = boards.iter().filter_map(|item| item.entry.as_ref().ok());
        let solvers = entries.filter_map(|entry| solvers.for_board(&entry.board).ok());
        let mut seen = HashSet::new();
        let rules: Vec<(&Rules, Vec<String>)> = solvers
            .filter(|solver| seen.insert(solver.frame().id()))
            .map(|solver| (solver.frame().rules(), solver.frame().rules().move_names()))
            .collect();
        let spellings: Vec<Spellings<'_>> = rules
            .iter()
            .map(|(rules, names)| Spellings::new(rules, names, Reading::Blank))
            .collect();
        let is_move = |word: &str| spellings.iter().any(|spellings| spellings.is_move(word));
        let mut collected = Collected::default();
        self.solutions.iter().for_each(|path| collected.add(path, &is_move));
        collected
    }

    fn exit(&self, verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Shortest => Exit::Success,
            Verdict::Longer if self.require_shortest => Exit::Refuted,
            Verdict::Solves if self.require_shortest => Exit::Limit,
            Verdict::Longer | Verdict::Solves => Exit::Success,
            Verdict::NotTheGoal | Verdict::Illegal => Exit::Refuted,
            Verdict::NoBoard => Exit::Usage,
        }
    }
}

fn passed_over(paths: &[PathBuf]) -> String {
    const NAMED: usize = 5;
    let names: Vec<String> =
        paths.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    let more = if paths.len() > NAMED { ", …" } else { "" };
    let files = counted(paths.len() as u64, "file");
    let endings: Vec<String> = ENDINGS.iter().map(|ending| format!(".{ending}")).collect();
    format!(
        "{files} passed over: {}{more} (files that end in {}, or in nothing, are read)",
        names.join(", "),
        endings.join(", ")
    )
}

fn as_csv(grades: &[Grade]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for grade in grades {
        writer.serialize(GradeRecord::from(grade))?;
    }
    writer.into_inner().map_err(|error| anyhow!("{error}"))
}

fn table(grades: &[Grade]) -> Vec<String> {
    let heading = [
        ("student", Side::Left),
        ("board", Side::Left),
        ("moves", Side::Right),
        ("shortest", Side::Right),
        ("over", Side::Right),
        ("read as", Side::Left),
        ("result", Side::Left),
    ];
    let rows: Vec<[String; 7]> = grades.iter().map(row).collect();
    columns(heading, &rows)
}

fn row(grade: &Grade) -> [String; 7] {
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), grouped);
    let reading = match grade.reading {
        None => "-",
        Some(Reading::Blank) => "blank",
        Some(Reading::Tile) => "tile",
    };
    [
        grade.student.clone(),
        grade.board.clone().unwrap_or_else(|| "?".to_owned()),
        number(grade.length.map(|length| length as u64)),
        number(grade.shortest_length().map(u64::from)),
        number(grade.excess().map(|excess| excess as u64)),
        reading.to_owned(),
        result(grade),
    ]
}

/// What a solution is worth, in words.
fn result(grade: &Grade) -> String {
    let mut text = match (grade.verdict(), &grade.shortest, &grade.fault) {
        (Verdict::Shortest, Some(Shortest::Unsolvable(_)), _) => {
            "right: it cannot be solved".to_owned()
        }
        (Verdict::Shortest, ..) => "shortest".to_owned(),
        (Verdict::Longer, ..) => match grade.shorter_length() {
            Some(shorter) => format!("solves it; {} suffice", counted(shorter.into(), "move")),
            None => "solves it".to_owned(),
        },
        (Verdict::Solves, Some(Shortest::Between { at_least, .. }), _) => {
            format!(
                "solves it; the shortest was not found in time, it has at least {}",
                counted((*at_least).into(), "move")
            )
        }
        (Verdict::Solves, ..) => "solves it".to_owned(),
        (Verdict::NotTheGoal, ..) if grade.length == Some(0) => "there are no moves".to_owned(),
        (Verdict::NotTheGoal, ..) if grade.length.is_some() => "does not reach the goal".to_owned(),
        (_, _, Some(fault)) => fault.to_string(),
        (_, _, None) => grade.verdict().name().to_owned(),
    };
    if let Some(stated) = grade.misstated {
        text += &format!("; states {}", counted(stated, "move"));
    }
    text
}

/// All grades in one line.
fn in_short(grades: &[Grade]) -> String {
    let students: HashSet<&str> = grades.iter().map(|grade| grade.student.as_str()).collect();
    let with = |verdicts: &[Verdict]| {
        grades.iter().filter(|grade| verdicts.contains(&grade.verdict())).count() as u64
    };
    let mut text = format!(
        "{} of {}: {} right ({} shortest)",
        counted(grades.len() as u64, "solution"),
        counted(students.len() as u64, "student"),
        grouped(with(&[Verdict::Shortest, Verdict::Longer, Verdict::Solves])),
        grouped(with(&[Verdict::Shortest])),
    );
    for (verdict, what) in [
        (Verdict::NotTheGoal, "not at the goal"),
        (Verdict::Illegal, "with an illegal move"),
        (Verdict::NoBoard, "without a board"),
    ] {
        let count = with(&[verdict]);
        if count > 0 {
            text += &format!(", {} {what}", grouped(count));
        }
    }
    text
}

/// Shows a search for a shortest solution.
struct Watcher<'a> {
    progress: &'a mut Progress,
    done: usize,
    total: usize,
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, bound: u32, expanded: u64) {
        let Watcher { done, total, .. } = self;
        self.progress.show(|| {
            format!(
                "{done}/{total} solutions: is there one of {bound} moves? {} nodes",
                grouped(expanded)
            )
        });
    }

    fn building_table(&mut self, distance: u32, share: f64) {
        let Watcher { done, total, .. } = self;
        self.progress.show(|| {
            let share = 100.0 * share;
            format!("{done}/{total} solutions: making a table, distance {distance}, {share:.0} %")
        });
    }
}
