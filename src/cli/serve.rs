//! `permutile serve`: the local page.

use super::Common;
use super::exit::Exit;
use super::interrupt;
use super::options::MemoryOption;
use super::output::{data, note, yellow};
use super::quantity::parse_duration;
use anyhow::{Context, bail};
use clap::Args;
use permutile::lab::{journal, report};
use permutile::web::{self, OpenJournal, OpenReport, Settings};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Serve a page to play, solve, watch and race, for a browser on this machine
///
/// The page and its solver are in this program: nothing is loaded from elsewhere. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile serve --open\n  \
    permutile serve --port 8000 --journal results.jsonl\n  \
    permutile serve --listen 0.0.0.0 --port 8000 --token SECRET")]
pub(super) struct Serve {
    /// The port [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Show the records of a journal of `batch`, each of which plays
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Show the report that `compare --report` wrote: its folder or its file
    #[arg(long, value_name = "PATH")]
    report: Option<PathBuf>,
    /// The address to listen on; one that others can reach needs --token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Answer only clients that know this word: 8 letters, digits, - or _, or more
    #[arg(long, value_name = "TOKEN", value_parser = parse_token)]
    token: Option<String>,
    /// The longest time that a search may be asked for
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    max_timeout: Duration,
    #[command(flatten)]
    memory: MemoryOption,
}

/// Fewer searches at once than this would make contenders of a race wait for each other.
const LEAST_SEARCHES: usize = 4;

pub(super) fn run(command: &Serve, common: &Common) -> anyhow::Result<Exit> {
    let is_local = command.listen.is_loopback();
    if !is_local && command.token.is_none() {
        bail!(
            "with --listen {}, others can reach this server: add --token WORD, which they will need",
            command.listen
        );
    }
    let journal = command.journal.as_deref().map(open_journal).transpose()?;
    let report = command.report.as_deref().map(open_report).transpose()?;
    let address = SocketAddr::new(command.listen, command.port);
    let listener =
        TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
    let address = listener.local_addr().context("the address of the server")?;
    let threads = rayon::current_num_threads();
    let settings = Settings {
        token: command.token.clone(),
        journal,
        report,
        cache: common.cache(),
        simd: common.simd(),
        threads,
        searches: threads.max(LEAST_SEARCHES),
        bytes: command.memory.bytes(),
        longest: command.max_timeout,
    };
    if !is_local && !common.quiet {
        note(format!(
            "{} others on the network can reach this server; whoever reads along sees the token, as \
             there is no encryption",
            yellow("warning:")
        ));
    }
    let page = page_address(address, command.token.as_deref());
    if common.json {
        data(serde_json::json!({ "address": page, "port": address.port() }))?;
    } else {
        data(&page)?;
    }
    if !common.quiet {
        note("Ctrl-C ends it");
    }
    if command.open {
        open_in_browser(&page);
    }
    web::serve(listener, settings, interrupt::flag()).context("the server")?;
    Ok(Exit::Success)
}

/// Where a browser finds the page.
fn page_address(listening: SocketAddr, token: Option<&str>) -> String {
    // Nothing can be asked for at the address that stands for all of them.
    let host = match listening.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let address = SocketAddr::new(host, listening.port());
    let token = token.map_or(String::new(), |token| format!("?token={token}"));
    format!("http://{address}/{token}")
}

fn open_journal(path: &Path) -> anyhow::Result<OpenJournal> {
    let records = journal::read(path)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(OpenJournal { name, records })
}

/// The largest report that is shown.
const MOST_REPORT_BYTES: u64 = 64 << 20;

/// What only pages that this program wrote have.
const GENERATOR: &str = "<meta name=\"generator\" content=\"permutile ";

fn open_report(path: &Path) -> anyhow::Result<OpenReport> {
    let file = if path.is_dir() { path.join(report::PAGE) } else { path.to_owned() };
    let bytes = file.metadata().with_context(|| format!("cannot read {}", file.display()))?.len();
    if bytes > MOST_REPORT_BYTES {
        bail!("{} is too large for a report: {bytes} bytes", file.display());
    }
    let html = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let html = String::from_utf8(html).ok().filter(|html| html.contains(GENERATOR));
    let html = html.with_context(|| {
        format!("{} is no report: permutile compare BOARDS --report DIR writes one", file.display())
    })?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(OpenReport { name, html: html.into() })
}

/// Tokens travel in addresses and cookies as they are.
fn parse_token(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if text.len() >= 8 && text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err("a token has at least 8 letters, digits, - or _".to_owned())
}

/// Asks the system to open an address. Where it cannot, the address has been printed.
fn open_in_browser(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started =
        Command::new(program).arg(address).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        note(format!("{} {program} cannot be started: {error}", yellow("warning:")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_page_can_be_opened() {
        let address = |text: &str, token| page_address(text.parse().unwrap(), token);
        assert_eq!(address("127.0.0.1:80", None), "http://127.0.0.1:80/");
        assert_eq!(address("[::1]:81", None), "http://[::1]:81/");
        assert_eq!(address("0.0.0.0:82", Some("abc")), "http://127.0.0.1:82/?token=abc");
    }

    #[test]
    fn tokens_need_no_escaping() {
        assert!(parse_token("abc-DEF_123").is_ok());
        for text in ["short", "with space", "with;semicolon", "with&ampersand", "prüfung-123"] {
            assert!(parse_token(text).is_err(), "{text}");
        }
    }
}
