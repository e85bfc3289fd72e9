//! `permutile tables`: the lookup tables that are kept in the cache.

use super::columns::{Side, columns};
use super::exit::Exit;
use super::options::{LimitOptions, PuzzleArgument};
use super::output::{complaint, data, note};
use super::progress::Progress;
use super::quantity::parse_bytes;
use super::{Common, interrupt, names};
use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use permutile::Observer;
use permutile::format::{bytes, counted, duration, grouped};
use permutile::lab::solvers::load_definition;
use permutile::lab::tables::{PatternProof, Proof, ReachProof, Unproven, prove};
use permutile::puzzle::Goal;
use permutile::solver::{Prepared, Solver, TableSize, Unprepared};
use permutile::table::cache::{Cache, CacheEntry, Origin, VARIABLE};
use permutile::table::file::{Description, FileError, TableFile};
use std::time::{Instant, SystemTime};

/// List, build, verify and clear the cached lookup tables
///
/// Tables are built when a board proves hard, and kept in the user's cache folder (the
/// environment variable PERMUTILE_CACHE names another one), so that later runs need not build
/// them again.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile tables list\n  \
    permutile tables build torus4 --size large\n  \
    permutile tables verify all\n  \
    permutile tables clear --all")]
pub(super) struct Tables {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List the tables that are there
    #[command(after_help = "Examples:\n  permutile tables list\n  permutile tables list --json")]
    List,
    Build(Build),
    Verify(Verify),
    Clear(Clear),
}

/// Build a puzzle's table, unless it is there
///
/// `auto` uses the largest table that fits --max-memory.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile tables build torus4\n  \
    permutile tables build torus4 --size large\n  \
    permutile tables build rings5 --size large --max-memory 6GiB")]
struct Build {
    #[command(flatten)]
    puzzle: PuzzleArgument,
    /// How large it may become: small (8 MB), default (100 MB, built in a few seconds), medium (110
    /// MB, built in some ten seconds), large (2 GiB), or a size such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "default", value_parser = parse_size)]
    size: TableSize,
    #[command(flatten)]
    limits: LimitOptions,
}

/// Prove that tables are right
///
/// Checks the checksums, then looks up all boards near the goal, as many as the limits allow to
/// rebuild, and measures the rate of false positives.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile tables verify\n  \
    permutile tables verify torus4\n  \
    permutile tables verify torus4-reach-large --max-memory 4GiB")]
struct Verify {
    /// Names of tables, or how they begin, as in torus4 or torus4-reach-large [default: all]
    #[arg(value_name = "NAME", conflicts_with = "puzzle")]
    names: Vec<String>,
    /// The tables of this puzzle
    #[arg(long, value_name = "ID", value_parser = names::PUZZLE, hide_possible_values = true)]
    puzzle: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
}

/// Remove tables
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile tables clear torus4-reach-large\n  \
    permutile tables clear --all")]
#[command(group = clap::ArgGroup::new("which").required(true))]
struct Clear {
    /// Names of tables, or how they begin, as in torus4 or torus4-reach-large
    #[arg(value_name = "NAME", group = "which")]
    names: Vec<String>,
    /// The tables of this puzzle
    #[arg(long, value_name = "ID", group = "which", value_parser = names::PUZZLE, hide_possible_values = true)]
    puzzle: Option<String>,
    /// Remove everything that is in the cache
    #[arg(long, group = "which")]
    all: bool,
}

fn parse_size(text: &str) -> Result<TableSize, String> {
    match text {
        "small" => Ok(TableSize::Small),
        "default" => Ok(TableSize::Default),
        "medium" => Ok(TableSize::Medium),
        "large" => Ok(TableSize::Large),
        _ => parse_bytes(text).map(TableSize::Bytes).map_err(|_| {
            format!("\"{text}\" is not a size: write small, default, medium, large, or as in 500MB")
        }),
    }
}

pub(super) fn run(command: &Tables, common: &Common) -> anyhow::Result<Exit> {
    let Some(cache) = common.cache() else {
        if common.no_cache {
            bail!("--no-cache leaves nothing to do here: tables are kept in the cache");
        }
        bail!("there is no folder for tables: set {VARIABLE} to the path of one");
    };
    match &command.command {
        Command::List => list(&cache, common),
        Command::Build(command) => build(command, &cache, common),
        Command::Verify(command) => verify(command, &cache, common),
        Command::Clear(command) => clear(command, &cache, common),
    }
}

/// All tables in the folder.
fn entries(cache: &Cache) -> anyhow::Result<Vec<CacheEntry>> {
    cache.list().with_context(|| cache.folder().display().to_string())
}

/// Those that were named; each name must name one.
fn named(cache: &Cache, names: &[&String]) -> anyhow::Result<Vec<CacheEntry>> {
    let mut entries = entries(cache)?;
    for name in names {
        if !entries.iter().any(|entry| entry.is_called(name)) {
            bail!("there is no table \"{name}\": `permutile tables list` shows those that are");
        }
    }
    entries.retain(|entry| names.iter().any(|name| entry.is_called(name)));
    Ok(entries)
}

fn list(cache: &Cache, common: &Common) -> anyhow::Result<Exit> {
    let entries = entries(cache)?;
    let described: Vec<(CacheEntry, Result<Description, FileError>)> = entries
        .into_iter()
        .map(|entry| {
            let description = TableFile::open(&entry.path).map(|file| file.description().clone());
            (entry, description)
        })
        .collect();
    if common.json {
        return described
            .iter()
            .try_for_each(|(entry, described)| data(as_json(entry, described)))
            .map(|()| Exit::Success);
    }
    if described.is_empty() {
        note(format!("no tables in {}", cache.folder().display()));
        return Ok(Exit::Success);
    }
    let heading = [
        ("name", Side::Left),
        ("puzzle", Side::Left),
        ("kind", Side::Left),
        ("parameters", Side::Left),
        ("size", Side::Right),
        ("age", Side::Right),
        ("path", Side::Left),
    ];
    let rows: Vec<[String; 7]> = described.iter().map(|(entry, about)| row(entry, about)).collect();
    columns(heading, &rows).iter().try_for_each(data)?;
    Ok(Exit::Success)
}

fn row(entry: &CacheEntry, description: &Result<Description, FileError>) -> [String; 7] {
    let (puzzle, kind, parameters) = match description {
        Ok(Description { puzzle, kind, parameters, entries, .. }) => {
            (puzzle.clone(), kind.clone(), in_short(parameters, *entries))
        }
        Err(error) => ("?".to_owned(), "?".to_owned(), error.fault.to_string()),
    };
    let age = age(entry).map_or_else(|| "?".to_owned(), in_days);
    let path = entry.path.display().to_string();
    [entry.name.clone(), puzzle, kind, parameters, bytes(entry.bytes), age, path]
}

/// The parameters that fit a line: plain values, and how many entries there are.
fn in_short(parameters: &serde_json::Value, entries: u64) -> String {
    let plain = parameters.as_object().into_iter().flatten();
    let plain = plain.filter(|(_, value)| !value.is_array() && !value.is_object());
    let mut words: Vec<String> = plain.map(|(name, value)| format!("{name} {value}")).collect();
    words.push(format!("{} entries", grouped(entries)));
    words.join(", ")
}

fn as_json(entry: &CacheEntry, description: &Result<Description, FileError>) -> serde_json::Value {
    let about = description.as_ref().ok();
    serde_json::json!({
        "name": entry.name,
        "puzzle": about.map(|about| &about.puzzle),
        "kind": about.map(|about| &about.kind),
        "parameters": about.map(|about| &about.parameters),
        "entries": about.map(|about| about.entries),
        "bytes": entry.bytes,
        "age_seconds": age(entry),
        "path": entry.path,
        "error": description.as_ref().err().map(|error| error.fault.to_string()),
    })
}

/// How many seconds ago the file was written.
fn age(entry: &CacheEntry) -> Option<u64> {
    let age = SystemTime::now().duration_since(entry.written?).ok()?;
    Some(age.as_secs())
}

fn in_days(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Shows the progress of a table under its name.
struct Shown<'a>(&'a mut Progress, &'a str);

impl Observer for Shown<'_> {
    fn building_table(&mut self, moves: u32, share: f64) {
        let Shown(progress, name) = self;
        progress.show(|| format!("{name}: boards {moves} moves away, {:.0} %", 100.0 * share));
    }
}

fn build(command: &Build, cache: &Cache, common: &Common) -> anyhow::Result<Exit> {
    let began = Instant::now();
    let definition = load_definition(command.puzzle.id())?;
    let id = definition.id.clone();
    let solver = Solver::new(definition, Goal::Default, common.simd())?;
    let mut progress = Progress::new(common.quiet);
    let limits = command.limits.starting_now();
    let prepared = solver.prepare(cache, command.size, &limits, &mut Shown(&mut progress, &id));
    progress.clear();
    common.tell_notices();
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(why @ (Unprepared::Quick | Unprepared::FewBoards)) => {
            note(format!("{id}: {why}"));
            return Ok(Exit::Success);
        }
        Err(why @ Unprepared::Stopped(stop)) => {
            note(complaint(&anyhow!("{id}: {why}")));
            return Ok(stop.into());
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let built = prepared.iter().filter(|table| table.origin != Origin::Found).count();
    let took = match built {
        ..=1 => format!("built in {}", duration(seconds)),
        _ => format!("built in {}, {} tables in all", duration(seconds), built),
    };
    prepared.iter().try_for_each(|table| tell(table, &id, seconds, &took, common))?;
    match prepared.iter().find(|table| table.origin == Origin::InMemory) {
        Some(lost) => bail!("{}: the table could not be kept", lost.path.display()),
        None => Ok(Exit::Success),
    }
}

/// Says what was made, and how long all of it took.
fn tell(
    table: &Prepared,
    puzzle: &str,
    seconds: f64,
    took: &str,
    common: &Common,
) -> anyhow::Result<()> {
    let Prepared { name, path, parameters, entries, bytes: size, origin } = table;
    if common.json {
        data(serde_json::json!({
            "name": name, "puzzle": puzzle, "parameters": parameters, "entries": entries, "bytes": size,
            "seconds": seconds, "built": *origin != Origin::Found, "path": path,
        }))
    } else {
        let how = match origin {
            Origin::Found => "it is there already",
            Origin::Kept | Origin::InMemory => took,
        };
        data(format!(
            "{name}: {}, {}, {how}\n{}",
            in_short(parameters, *entries),
            bytes(*size),
            path.display()
        ))
    }
}

fn verify(command: &Verify, cache: &Cache, common: &Common) -> anyhow::Result<Exit> {
    let names: Vec<&String> = command.names.iter().chain(&command.puzzle).collect();
    let all = names.is_empty() || names == ["all"];
    let entries = if all { entries(cache)? } else { named(cache, &names)? };
    if entries.is_empty() {
        note(format!("no tables in {}", cache.folder().display()));
    }
    let mut worst = Exit::Success;
    for entry in &entries {
        let began = Instant::now();
        let mut progress = Progress::new(common.quiet);
        let name = &entry.name;
        let limits = command.limits.starting_now();
        let proof = prove(entry, &limits, common.simd(), &mut Shown(&mut progress, name));
        progress.clear();
        let seconds = began.elapsed().as_secs_f64();
        if common.json {
            data(verdict_as_json(entry, &proof, seconds)?)?;
        } else if let Ok(proof) = &proof {
            data(format!("{name}: {}; {}", in_words(proof), duration(seconds)))?;
        }
        let exit = match &proof {
            Ok(_) => Exit::Success,
            Err(Unproven::File(error)) if error.fault.is_corruption() => Exit::Internal,
            Err(
                Unproven::File(_)
                | Unproven::Missing { .. }
                | Unproven::Flawed(_)
                | Unproven::Differs { .. },
            ) => Exit::Refuted,
            Err(Unproven::Stopped(_)) => Exit::Limit,
            Err(Unproven::Puzzle(_) | Unproven::Kind(_)) => Exit::Usage,
            Err(Unproven::Interrupted) => Exit::Interrupted,
        };
        if let Err(error) = proof {
            let named = !matches!(error, Unproven::File(_));
            let error = anyhow::Error::from(error);
            note(complaint(&if named { anyhow!("{name}: {error}") } else { error }));
        }
        worst = worst.max(exit);
        if interrupt::is_set() {
            break;
        }
    }
    Ok(worst)
}

fn in_words(proof: &Proof) -> String {
    let proof = match proof {
        Proof::Reach(proof) => proof,
        Proof::Pattern(PatternProof { rule, entries, .. }) => {
            return format!("holds: {rule} ({} entries looked up)", grouped(*entries));
        }
    };
    let ReachProof { radius, proven, classes, walks, .. } = proof;
    let classes = grouped(*classes);
    let promise = if proof.is_complete() {
        format!("holds: no board within {radius} moves is missing ({classes} classes looked up)")
    } else {
        format!(
            "holds as far as the limits allow: no board within {proven} of {radius} moves is \
             missing ({classes} classes looked up)"
        )
    };
    let worst = proof.taken_for_near.iter().copied().fold(0.0, f64::max);
    let walks = grouped(*walks);
    format!(
        "{promise}, nor any after {walks} random walks; at most {:.1} % of random boards are taken \
         for near",
        100.0 * worst
    )
}

fn verdict_as_json(
    entry: &CacheEntry,
    proof: &Result<Proof, Unproven>,
    seconds: f64,
) -> anyhow::Result<serde_json::Value> {
    let mut object = match proof {
        Ok(proof) => serde_json::to_value(proof)?,
        Err(error) => serde_json::json!({ "error": error.to_string() }),
    };
    object["name"] = entry.name.as_str().into();
    object["holds"] = proof.is_ok().into();
    object["seconds"] = seconds.into();
    Ok(object)
}

fn clear(command: &Clear, cache: &Cache, common: &Common) -> anyhow::Result<Exit> {
    let names: Vec<&String> = command.names.iter().chain(&command.puzzle).collect();
    let entries = if command.all { entries(cache)? } else { named(cache, &names)? };
    let mut freed = 0;
    for entry in &entries {
        cache.remove(entry).with_context(|| entry.path.display().to_string())?;
        freed += entry.bytes;
        if common.json {
            data(serde_json::json!({ "removed": entry.name, "bytes": entry.bytes }))?;
        } else {
            data(format!("removed {}, {}", entry.name, bytes(entry.bytes)))?;
        }
    }
    if command.all {
        cache.sweep().with_context(|| cache.folder().display().to_string())?;
    }
    if !common.quiet {
        let tables = counted(entries.len() as u64, "table");
        note(format!("{tables} removed, {} freed", bytes(freed)));
    }
    Ok(Exit::Success)
}
