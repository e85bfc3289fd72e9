//! The local page: a server for one user or a classroom, and the page that it serves.
//!
//! Everything that the page needs is in the program. The server keeps nothing on disk but tables of
//! the usual puzzles, in the user's cache. What a client may ask for is bounded: connections, the
//! size of bodies and boards, searches at once, their time, threads and memory. A search is stopped
//! when its client has gone.

mod api;
mod connections;
mod error;
mod estimates;
mod guard;
mod journal;
mod layers;
mod lists;
mod page;
mod patient;
mod question;
mod reply;
mod report;
mod scramble;
mod solve;
mod solver_shelf;
mod texts;
mod work;

pub use journal::OpenJournal;
pub use report::OpenReport;

use crate::puzzle::arch::Simd;
use crate::table::cache::Cache;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use error::ApiError;
use solver_shelf::SolverShelf;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use work::Workplace;

/// How many searches wait for their turn; more are turned away.
const MOST_WAITING: usize = 256;

/// How many short questions are answered at once.
const QUICK: usize = 2;

/// What threads that search may put on their stacks.
const STACK_BYTES: usize = 8 << 20;

/// How a server is run.
#[derive(Debug)]
pub struct Settings {
    /// What clients have to know, if not everybody may ask.
    pub token: Option<String>,
    /// A journal to look at.
    pub journal: Option<OpenJournal>,
    /// A report to look at.
    pub report: Option<OpenReport>,
    /// Where tables are kept.
    pub cache: Option<Cache>,
    /// Which instructions may be used.
    pub simd: Simd,
    /// How many threads a search may use.
    pub threads: usize,
    /// How many searches are run at once.
    pub searches: usize,
    /// How many bytes all searches and their tables may hold.
    pub bytes: u64,
    /// The longest time that a search may take.
    pub longest: Duration,
}

/// What all requests share.
struct Server {
    port: u16,
    token: Option<String>,
    journal: Option<OpenJournal>,
    report: Option<OpenReport>,
    solvers: SolverShelf,
    /// Where boards are solved.
    searches: Workplace,
    /// Where short questions are answered, which need not wait for searches.
    quick: Workplace,
    threads: usize,
    /// What one search may hold.
    bytes: u64,
    longest: Duration,
}

impl Server {
    /// How long a search may take.
    fn timeout(&self, wanted: Duration) -> Result<Duration, ApiError> {
        if wanted <= self.longest {
            return Ok(wanted);
        }
        let most = self.longest.as_millis();
        Err(ApiError::field("timeout_ms", &format!("a search may take at most {most} ms here")))
    }
}

/// Answers requests until `stop` is set.
///
/// # Errors
/// If the system does not let it listen.
pub fn serve(listener: TcpListener, settings: Settings, stop: &AtomicBool) -> io::Result<()> {
    let Settings { token, journal, report, cache, simd, threads, searches, bytes, longest } =
        settings;
    let server = Arc::new(Server {
        port: listener.local_addr()?.port(),
        token,
        journal,
        report,
        // Half for the tables that are kept, half for the searches.
        solvers: SolverShelf::new(bytes / 2, cache, simd),
        searches: Workplace::new(searches, MOST_WAITING),
        quick: Workplace::new(QUICK, MOST_WAITING),
        threads,
        bytes: bytes / 2 / searches.max(1) as u64,
        longest,
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(searches + QUICK)
        .thread_stack_size(STACK_BYTES)
        .build()?;
    let app = app(Arc::clone(&server));
    let served = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        connections::accept(&listener, app, longest, stop).await;
        Ok(())
    });
    runtime.shutdown_background();
    served
}

fn app(server: Arc<Server>) -> Router {
    page::routes()
        .merge(api::routes())
        .merge(report::routes())
        .fallback(api::unknown)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(DefaultBodyLimit::max(reply::MOST_BYTES))
        .layer(from_fn_with_state(Arc::clone(&server), guard::guard))
        .with_state(server)
}

/// Reads any bytes as the body of each request, as far as it goes without a search.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn survive(body: &[u8]) {
    static SERVER: std::sync::LazyLock<Server> = std::sync::LazyLock::new(|| Server {
        port: 0,
        token: None,
        journal: None,
        report: None,
        solvers: SolverShelf::new(1 << 30, None, Simd::detect()),
        searches: Workplace::new(1, 1),
        quick: Workplace::new(1, 1),
        threads: 2,
        bytes: 1 << 30,
        longest: Duration::from_secs(60),
    });
    if let Ok(request) = serde_json::from_slice::<solve::SolveRequest>(body) {
        let _ = request.task(&SERVER);
    }
    if let Ok(request) = serde_json::from_slice(body) {
        let _ = texts::boards(request);
    }
    if let Ok(request) = serde_json::from_slice(body) {
        let _ = texts::understand(&SERVER, request);
    }
    if let Ok(request) = serde_json::from_slice(body) {
        // Tables that take longer than a moment are not built.
        let _ = estimates::ask(&SERVER, request, &AtomicBool::new(true));
    }
}
