//! The command line: arguments, printing, exit codes. One file per command.
//!
//! It is a part of the library for the sake of `permutile-mpi`, which has the same options, and no
//! interface for other crates.

mod ask;
mod audit;
mod batch;
mod batch_progress;
mod bench;
mod cite;
mod cluster;
mod columns;
mod compare;
mod count;
mod course_file;
mod exit;
mod goal_hint;
mod grade;
mod info;
mod interrupt;
mod launcher;
mod list;
mod merge;
mod names;
mod npuzzle;
mod options;
mod output;
mod play;
mod progress;
mod quantity;
mod records;
mod remarks;
mod scramble;
#[cfg(feature = "play")]
mod screen;
mod search_options;
#[cfg(feature = "web")]
mod serve;
mod shell;
mod solve;
mod sources;
mod steps;
mod summary;
mod tables;
mod threads;
mod verify;

pub use cluster::run_rank;
pub use exit::Exit;

use clap::{Args, Parser, Subcommand};
use output::note;
use permutile::puzzle::arch::Simd;
use permutile::table::cache::Cache;
use std::sync::OnceLock;

/// Solves and measures puzzles in which numbered tiles are rearranged on a grid.
#[derive(Parser, Debug)]
#[command(
    name = "permutile",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        permutile solve 0,8,7,6,5,4,3,2,1\n  \
        permutile batch boards/ --out results.jsonl\n  \
        permutile grade handed-in/ --boards boards/\n  \
        permutile scramble torus4 --moves 8 --count 3 --seed 1\n  \
        permutile play sliding4\n  \
        permutile count torus3\n  \
        permutile info rings5\n  \
        permutile serve --open\n  \
        permutile tables list\n\n\
        Exit codes: 0 all solved or true; 1 unsolvable, or a check failed; 2 bad input or usage;\n\
        3 a limit was hit; 4 internal error; 130 interrupted."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
struct Common {
    /// Print results only: no progress, no summary
    #[arg(short, long, global = true, display_order = 900)]
    quiet: bool,
    /// Print records as JSON, one object a line
    #[arg(long, global = true, display_order = 901)]
    json: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, global = true, display_order = 902, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Whether to use the processor's SIMD instructions
    ///
    /// Results do not depend on it.
    #[arg(
        long,
        global = true,
        display_order = 903,
        value_name = "WHEN",
        default_value = "auto",
        hide_short_help = true
    )]
    simd: SimdChoice,
    /// Keep tables in memory: neither read nor write those in the cache
    ///
    /// The environment variable PERMUTILE_CACHE names another folder for them.
    #[arg(long, global = true, display_order = 904, hide_short_help = true)]
    no_cache: bool,
    /// The folder of tables, looked up once, so that all notices about tables are collected in one
    /// place.
    #[arg(skip)]
    cache: OnceLock<Option<Cache>>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SimdChoice {
    /// What the processor has
    Auto,
    /// The scalar code everywhere
    Off,
}

impl Common {
    fn simd(&self) -> Simd {
        match self.simd {
            SimdChoice::Auto => Simd::detect(),
            SimdChoice::Off => Simd::off(),
        }
    }

    /// The cache of tables; none if the user disabled it or has no cache folder.
    fn cache(&self) -> Option<Cache> {
        self.cache.get_or_init(|| self.find_cache()).clone()
    }

    /// For one of several processes on a machine: has the cache share its tables with the others.
    fn share_tables(&self, processes: usize) {
        self.cache.get_or_init(|| self.find_cache().map(|cache| cache.shared(processes)));
    }

    fn find_cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { Cache::for_user() }
    }

    /// Prints the notices about tables that have not been printed.
    fn tell_notices(&self) {
        let cache = self.cache.get().and_then(Option::as_ref);
        for notice in cache.into_iter().flat_map(Cache::take_notices) {
            note(format!("{} {notice}", output::yellow("warning:")));
        }
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::Solve),
    Batch(batch::BatchCommand),
    Merge(merge::Merge),
    Verify(verify::Verify),
    Records(records::Records),
    Grade(grade::GradeCommand),
    Scramble(scramble::Scramble),
    Count(count::Count),
    Compare(compare::Compare),
    Audit(audit::AuditCommand),
    #[cfg(feature = "web")]
    Serve(serve::Serve),
    Info(info::Info),
    Play(play::Play),
    #[command(name = "npuzzle")]
    NPuzzle(npuzzle::NPuzzle),
    Tables(tables::Tables),
    Bench(bench::Bench),
    /// List the heuristics, what each promises, and how strong each is
    #[command(
        after_help = "Examples:\n  permutile heuristics\n  permutile heuristics --puzzle torus4 --json\n  \
        permutile heuristics --puzzle sliding4 --sample 1000000"
    )]
    Heuristics(list::Heuristics),
    /// List the search algorithms
    #[command(after_help = "Examples:\n  permutile algorithms\n  permutile algorithms --json")]
    Algorithms,
    Cite(cite::Cite),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// Runs the command. Errors are printed here, in one place.
pub fn run(arguments: Arguments) -> Exit {
    let Arguments { command, common } = arguments;
    let does_it_all = match &command {
        Command::Batch(command) => !command.is_slice(),
        command => matches!(command, Command::Solve(_)),
    };
    if does_it_all && let Some(exit) = launcher::refuse_copies() {
        return exit;
    }
    threads::start(threads::wanted(common.threads), note);
    interrupt::listen();
    let result = match command {
        Command::Solve(command) => solve::run(command, &common),
        Command::Batch(command) => batch::run(&command, &common),
        Command::Merge(command) => merge::run(&command, &common),
        Command::Verify(command) => verify::run(&command, &common),
        Command::Records(command) => records::run(&command, &common),
        Command::Grade(command) => grade::run(&command, &common),
        Command::Scramble(command) => scramble::run(&command, &common),
        Command::Count(command) => count::run(&command, &common),
        Command::Compare(command) => compare::run(&command, &common),
        Command::Audit(command) => audit::run(&command, &common),
        #[cfg(feature = "web")]
        Command::Serve(command) => serve::run(&command, &common),
        Command::Info(command) => info::run(&command, &common),
        Command::Play(command) => play::run(&command, &common),
        Command::NPuzzle(command) => npuzzle::run(&command, &common),
        Command::Tables(command) => tables::run(&command, &common),
        Command::Bench(_) => bench::run(&common),
        Command::Heuristics(command) => list::heuristics(&command, &common),
        Command::Algorithms => list::algorithms(&common),
        Command::Cite(command) => cite::run(&command, &common),
        Command::Completions(command) => shell::completions(&command),
        Command::Man(command) => shell::man(&command),
    };
    common.tell_notices();
    result.unwrap_or_else(|error| output::report_failure(&error))
}
