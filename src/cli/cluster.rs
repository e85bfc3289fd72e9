//! `permutile-mpi`: `batch` and `solve` by all ranks of a job. Only rank 0 reads boards and prints.

use super::batch::{self, BatchCommand};
use super::exit::Exit;
use super::output::{note, parse_file, report_failure, yellow};
use super::solve::{self, Solve};
use super::{Common, interrupt, options, threads};
use clap::{Args, Parser, Subcommand};
use permutile::cluster::batch::{Dispatcher, assist, dismiss};
use permutile::cluster::hello::{Introduction, JobError, Team, introduce};
use permutile::cluster::ida::{Leader, follow};
use permutile::cluster::post::Post;
use permutile::cluster::transport::Transport;
use permutile::lab::batch::Delegate;
use permutile::lab::bound_journal::BoundJournal;
use permutile::lab::plan::Plan;
use permutile::lab::solvers::Solvers;
use permutile::search::{Aim, AlgorithmChoice, Crew, SearchOptions};
use std::path::PathBuf;

/// Solves boards on several machines: one command, started by mpirun or srun, one process a node.
#[derive(Parser, Debug)]
#[command(
    name = "permutile-mpi",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        mpirun -n 16 --map-by ppr:1:node --bind-to none permutile-mpi batch boards/ --out all.jsonl --resume\n  \
        mpirun -n 16 --map-by ppr:1:node --bind-to none permutile-mpi solve board.txt --exact --bounds proven.jsonl\n\n\
        Only the first process reads boards and writes files; options and exit codes are those of\n\
        permutile. docs/cluster.md has scripts for Slurm."
)]
struct ClusterArguments {
    #[command(subcommand)]
    command: ClusterCommand,
    #[command(flatten)]
    common: Common,
}

#[derive(Subcommand, Debug)]
enum ClusterCommand {
    /// Solve every board in files and folders into a journal of records
    ///
    /// As permutile batch, by all processes: boards are handed out as they are needed. With
    /// --parallel within, all processes are on each board in turn.
    #[command(after_help = "Examples:\n  \
        mpirun -n 16 --map-by ppr:1:node --bind-to none permutile-mpi batch boards/ --out all.jsonl --resume\n  \
        mpirun -n 4 permutile-mpi batch hard.boards --parallel within --exact --out hard.jsonl")]
    Batch(Box<BatchCommand>),
    /// Solve boards one after the other, each by all processes
    ///
    /// As permutile solve. The proof is shared by all processes (distributed IDA*); unless --exact is
    /// given, one of them looks for solutions meanwhile.
    #[command(after_help = "Examples:\n  \
        mpirun -n 16 --map-by ppr:1:node --bind-to none permutile-mpi solve board.txt --timeout 1h\n  \
        mpirun -n 16 --map-by ppr:1:node --bind-to none permutile-mpi solve board.txt --exact --bounds proven.jsonl")]
    Solve(Box<ClusterSolve>),
}

#[derive(Args, Debug)]
struct ClusterSolve {
    #[command(flatten)]
    solve: Solve,
    /// Keep what is proven in a journal, and go on from what it says
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    bounds: Option<PathBuf>,
    /// Cut the search into so many packets at least; node counts depend on it, and on nothing else
    /// [default: 256 a thread]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    packets: Option<u32>,
}

/// Does the part of one process in a job.
pub fn run_rank(transport: impl Transport) -> Exit {
    Post::serve(transport, |post| {
        let is_first = post.rank() == 0;
        match ClusterArguments::try_parse() {
            Ok(arguments) => Rank { post, arguments }.run(),
            Err(error) => {
                if is_first {
                    // If that cannot be printed, there is nowhere to report it.
                    let _ = error.print();
                }
                call_off(post, error.to_string());
                if error.use_stderr() { Exit::Usage } else { Exit::Success }
            }
        }
    })
}

/// Tells the other ranks that this one cannot do its part.
fn call_off(post: &Post, reason: String) {
    let _ = introduce(post, introduction(Err(reason), 0));
}

fn introduction(plan: Result<String, String>, threads: usize) -> Introduction {
    Introduction { version: env!("CARGO_PKG_VERSION").to_owned(), plan, threads }
}

/// One process of a job.
struct Rank<'a> {
    post: &'a Post,
    arguments: ClusterArguments,
}

/// What a rank has prepared, and what all agree on.
enum Prepared<'a> {
    Batch(&'a BatchCommand, batch::Prepared),
    Solve(&'a ClusterSolve, solve::Prepared),
}

impl Prepared<'_> {
    fn solvers(&self) -> &Solvers {
        match self {
            Prepared::Batch(_, prepared) => &prepared.solvers,
            Prepared::Solve(_, prepared) => &prepared.solvers,
        }
    }

    fn options(&self) -> &SearchOptions<'static> {
        match self {
            Prepared::Batch(_, prepared) => &prepared.options,
            Prepared::Solve(_, prepared) => &prepared.options,
        }
    }

    /// Whether all ranks are on one board.
    fn shares_boards(&self) -> bool {
        match self {
            Prepared::Batch(command, _) => command.is_within(),
            Prepared::Solve(..) => true,
        }
    }

    /// How many packets there are, if the user said so.
    fn packets(&self) -> Option<usize> {
        match self {
            Prepared::Batch(..) => None,
            Prepared::Solve(command, _) => command.packets.map(|packets| packets as usize),
        }
    }

    /// What all ranks have to agree on, in words.
    fn plan(&self) -> String {
        let what = match self {
            Prepared::Batch(..) if self.shares_boards() => "batch within".to_owned(),
            Prepared::Batch(..) => "batch".to_owned(),
            Prepared::Solve(command, _) => match command.packets {
                Some(packets) => format!("solve in {packets} packets"),
                None => "solve".to_owned(),
            },
        };
        format!("{what}: {}", Plan::new(self.options(), self.solvers()).in_words())
    }

    /// The rank that looks for solutions while the others prove, if there is one to spare.
    fn improver(&self, team: &Team) -> Option<usize> {
        let options = self.options();
        let improves = options.algorithm == AlgorithmChoice::Auto && options.aim != Aim::Proven;
        let last = team.threads.len() - 1;
        (improves && last > 0).then_some(last)
    }
}

impl Rank<'_> {
    fn run(&self) -> Exit {
        let Rank { post, arguments: ClusterArguments { command, common } } = self;
        let is_first = post.rank() == 0;
        let wanted = threads::wanted_by_one_of(post.neighbours(), common.threads);
        threads::start(wanted, if is_first { |text| note(text) } else { drop });
        options::share_memory(post.neighbours());
        interrupt::listen();
        if post.neighbours() > 1 {
            common.share_tables(post.neighbours());
        }
        let prepared = match prepare(command, common) {
            Ok(prepared) => prepared,
            Err(error) => {
                call_off(post, format!("{error:#}"));
                return if is_first { report_failure(&error) } else { Exit::Usage };
            }
        };
        let own = introduction(Ok(prepared.plan()), rayon::current_num_threads());
        let ended = match introduce(post, own) {
            Ok(team) if is_first => self.lead(&prepared, &team),
            Ok(team) => match self.assist(&prepared, &team) {
                // Rank 0 says what came of it.
                Ok(()) if interrupt::is_set() => Ok(Exit::Interrupted),
                Ok(()) => Ok(Exit::Success),
                Err(error) => Err(error.into()),
            },
            Err(JobError::CalledOff) => return Exit::Usage,
            Err(error) => Err(error.into()),
        };
        if is_first {
            common.tell_notices();
        }
        match ended {
            Ok(exit) => exit,
            // Rank 0 prints what others have told it.
            Err(_) if !is_first => Exit::Usage,
            Err(error) => report_failure(&error),
        }
    }

    /// The part of rank 0.
    fn lead(&self, prepared: &Prepared<'_>, team: &Team) -> anyhow::Result<Exit> {
        let Rank { post, arguments: ClusterArguments { common, .. } } = self;
        if let Prepared::Batch(command, ready) = prepared
            && !prepared.shares_boards()
        {
            let mut dispatcher = Dispatcher::new(post, team);
            let delegate: Option<&mut dyn Delegate> =
                if post.size() > 1 { Some(&mut dispatcher) } else { None };
            let ended = batch::run_prepared(command, common, ready, delegate, None);
            dismiss(post);
            return ended;
        }
        let leader = Leader::new(post, team, prepared.packets(), prepared.improver(team));
        let ended = self.lead_searches(prepared, &leader);
        leader.dismiss();
        leader.check()?;
        for rank in leader.left_out() {
            let warning = yellow("warning:");
            note(format!(
                "{warning} rank {rank} has taken no part in a search: it has other tables, or no \
                 memory for them"
            ));
        }
        ended
    }

    /// Solves boards together with the others.
    fn lead_searches(&self, prepared: &Prepared<'_>, leader: &Leader<'_>) -> anyhow::Result<Exit> {
        let common = &self.arguments.common;
        // The first solution comes before a search is worth sharing.
        let crew: Option<&dyn Crew> =
            if prepared.options().aim == Aim::First { None } else { Some(leader) };
        match prepared {
            Prepared::Batch(command, ready) => {
                batch::run_prepared(command, common, ready, None, crew)
            }
            Prepared::Solve(command, ready) => {
                let open =
                    |path: &PathBuf| BoundJournal::open(path, &ready.options, &ready.solvers);
                let mut bounds = command.bounds.as_ref().map(open).transpose()?;
                let solved =
                    solve::run_prepared(&command.solve, common, ready, crew, bounds.as_mut());
                bounds.map_or(Ok(()), BoundJournal::close)?;
                solved
            }
        }
    }

    /// The part of another rank.
    fn assist(&self, prepared: &Prepared<'_>, team: &Team) -> Result<(), JobError> {
        let (post, solvers, options) = (self.post, prepared.solvers(), prepared.options());
        if prepared.shares_boards() {
            let (packets, improver) = (prepared.packets(), prepared.improver(team));
            return follow(post, team, packets, improver, solvers, options);
        }
        assist(post, team, solvers, options)
    }
}

/// Solvers and options of a command.
fn prepare<'a>(command: &'a ClusterCommand, common: &Common) -> anyhow::Result<Prepared<'a>> {
    Ok(match command {
        ClusterCommand::Batch(command) => Prepared::Batch(command, command.prepare(common)?),
        ClusterCommand::Solve(command) => {
            command.solve.expect_shared_search()?;
            Prepared::Solve(command, command.solve.prepare(common)?)
        }
    })
}
