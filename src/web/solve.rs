//! `POST /api/solve`: a board in, its record out; or, for a client that accepts them, server-sent
//! events on the way there.

use super::Server;
use super::error::ApiError;
use super::layers::Layers;
use super::question::{BoardField, PuzzleFields};
use super::reply::{Body, json};
use super::work::{StopOnDrop, on_a_thread};
use crate::board::Board;
use crate::board::text::Entry;
use crate::lab::record::Record;
use crate::limits::{Limits, NodeCount, Observer};
use crate::search::{Aim, AlgorithmChoice, HeuristicKind, Optimality, SearchOptions};
use crate::solver::{SolveError, Solver};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// How long a board may take if the request does not say.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How often a stream tells how a search is getting on.
const INTERVAL: Duration = Duration::from_millis(80);

/// How many events may wait for a slow client, and how many of these are kept for what must not be
/// lost: shorter solutions and the end.
const EVENTS: usize = 256;
const RESERVED: usize = 128;

/// Up to how many nodes of deepening are counted by depth.
const MOST_COUNTED: u64 = 200_000;

/// The name of a board that comes with a request.
const NAME: &str = "request";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveRequest {
    puzzle: Option<String>,
    definition: Option<String>,
    goal: Option<BoardField>,
    board: BoardField,
    algorithm: Option<String>,
    heuristic: Option<String>,
    timeout_ms: Option<u64>,
    max_nodes: Option<u64>,
    threads: Option<usize>,
    /// `best`, `first` or `exact`.
    aim: Option<String>,
    /// For `wastar`.
    weight: Option<f64>,
    /// For `beam`.
    width: Option<usize>,
    /// Whether the events tell how the nodes are distributed.
    #[serde(default)]
    layers: bool,
}

/// What is to be done, with everything checked.
pub(super) struct Task {
    board: Board,
    solver: Arc<Solver>,
    options: SearchOptions<'static>,
    /// Whether the bound that a search tries is a lower bound of the length.
    is_bound: bool,
    layers: bool,
}

impl SolveRequest {
    pub(super) fn task(self, server: &Server) -> Result<Task, ApiError> {
        let fields =
            PuzzleFields { puzzle: self.puzzle, definition: self.definition, goal: self.goal };
        let (board, solver) = fields.board(server, &self.board)?;
        let algorithm: AlgorithmChoice = match &self.algorithm {
            Some(name) => name.parse().map_err(|error| ApiError::field("algorithm", &error))?,
            None => AlgorithmChoice::Auto,
        };
        let heuristic: Option<HeuristicKind> = match &self.heuristic {
            Some(name) => Some(name.parse().map_err(|error| ApiError::field("heuristic", &error))?),
            None => None,
        };
        let promise = heuristic.as_ref().map(|kind| solver.promise(kind)).transpose();
        let promise = promise.map_err(|error| ApiError::field("heuristic", &error))?;
        let is_bound = match algorithm.optimality() {
            Optimality::Always => true,
            Optimality::IfAdmissible => promise.is_none_or(|promise| promise.admissible),
            Optimality::Never => false,
        };
        let options = SearchOptions {
            algorithm,
            heuristic,
            timeout: Some(server.timeout(self.timeout_ms.map_or(TIMEOUT, Duration::from_millis))?),
            limits: Limits {
                bytes: Some(server.bytes),
                nodes: self.max_nodes,
                ..Limits::default()
            },
            threads: between("threads", self.threads.unwrap_or(1), 1, server.threads)?,
            weight: between("weight", self.weight.unwrap_or(2.0), 1.0, 1000.0)?,
            width: between("width", self.width.unwrap_or(1_000), 1, 1_000_000)?,
            aim: match self.aim.as_deref() {
                None | Some("best") => Aim::Best,
                Some("first") => Aim::First,
                Some("exact") => Aim::Proven,
                Some(_) => return Err(ApiError::field("aim", &"expected best, first or exact")),
            },
            ..SearchOptions::default()
        };
        Ok(Task { board, solver, options, is_bound, layers: self.layers })
    }
}

/// A number within its limits.
fn between<T: PartialOrd + Copy + std::fmt::Display>(
    field: &'static str,
    number: T,
    least: T,
    most: T,
) -> Result<T, ApiError> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(ApiError::field(field, &format!("{number} is out of range: expected {least} to {most}")))
}

impl Task {
    /// Solves the board.
    fn run(&self, cancelled: &AtomicBool, observer: &mut dyn Observer) -> Result<Record, ApiError> {
        let Task { board, solver, .. } = self;
        let options = self.options(cancelled);
        let began = Instant::now();
        let answer = solver.solve(board, &options, observer).map_err(|error| match error {
            SolveError::Request(error) => ApiError::field("heuristic", &error),
            SolveError::Internal(error) => ApiError::internal(&error),
        })?;
        let seconds = began.elapsed().as_secs_f64();
        let board = board.clone();
        let entry = Entry { name: None, line: 1, board, known_length: None, heading: None };
        let record = Record::from_answer(NAME.to_owned(), &entry, solver, answer, seconds);
        Ok(record)
    }

    /// The same with events.
    fn run_telling(&self, cancelled: &AtomicBool, teller: &mut Teller) -> Result<Record, ApiError> {
        let record = self.run(cancelled, teller)?;
        if self.layers && record.expanded <= MOST_COUNTED {
            // Deepening does not know how deep its nodes are: they are counted once more.
            let counts =
                self.solver.ida_counts(&self.board, &self.options(cancelled), MOST_COUNTED);
            let all = |counts: &[NodeCount]| counts.iter().map(|count| count.expanded).sum::<u64>();
            if let Some(counts) =
                counts.filter(|counts: &Vec<NodeCount>| all(counts) == record.expanded)
            {
                teller.layers.add(record.seconds, record.expanded, &counts);
            }
        }
        teller.tell_layers();
        Ok(record)
    }

    fn options<'a>(&self, cancelled: &'a AtomicBool) -> SearchOptions<'a> {
        let limits = Limits { cancelled: Some(cancelled), ..self.options.limits };
        SearchOptions { limits, ..self.options.clone() }
    }
}

/// Solves a board.
pub(super) async fn solve(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    Body(request): Body<SolveRequest>,
) -> Result<Response, ApiError> {
    let place = server.searches.queue()?;
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let (stop, flag) = StopOnDrop::new();
    if !accepted.is_some_and(|accepted| accepted.contains("text/event-stream")) {
        if request.layers {
            let message = "layers are told by events: send the header Accept: text/event-stream";
            return Err(ApiError::field("layers", &message));
        }
        let _stop = stop;
        let permit = place.turn().await?;
        let work = move || {
            let task = request.task(&server)?;
            task.run(&flag, &mut crate::limits::Silent)
        };
        return Ok(json(&on_a_thread(permit, work).await?));
    }
    let (sender, events) = mpsc::channel(EVENTS);
    let task = async move {
        tell(&sender, "waiting", &serde_json::json!({}));
        let begin = async {
            let permit = place.turn().await?;
            let told = sender.clone();
            let work = move || {
                let task = request.task(&server)?;
                let mut teller = Teller::new(told, &task);
                tell(&teller.sender, "started", &serde_json::json!({}));
                task.run_telling(&flag, &mut teller)
            };
            on_a_thread(permit, work).await
        };
        match begin.await {
            Ok(record) => tell(&sender, "record", &record),
            Err(error) => tell(&sender, "error", &error.body()),
        }
    };
    // A client that leaves while it waits leaves the queue; later, the flag stops the search.
    let task = tokio::spawn(task);
    let stream = EventStream { events, task, _stop: stop };
    Ok(Sse::new(stream)
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(5)))
        .into_response())
}

/// Hands an event over, if there is room.
fn tell(sender: &mpsc::Sender<Event>, name: &str, value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        let _ = sender.try_send(Event::default().event(name).data(text));
    }
}

/// The events of a search. When it is dropped, the search is stopped.
struct EventStream {
    events: mpsc::Receiver<Event>,
    task: tokio::task::JoinHandle<()>,
    _stop: StopOnDrop,
}

impl Stream for EventStream {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|event| event.map(Ok))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Tells a client how a search is getting on.
struct Teller {
    sender: mpsc::Sender<Event>,
    began: Instant,
    last: Option<Instant>,
    is_bound: bool,
    /// What is proven of the length.
    bound: Option<u32>,
    /// The nodes of earlier parts of the search, and of this one.
    nodes: (u64, u64),
    layers: Layers,
}

/// How a search is getting on.
#[derive(Serialize)]
struct Progress {
    seconds: f64,
    expanded: u64,
    /// No solution is shorter than this.
    bound: Option<u32>,
    /// The table that is being built: for which distance, and which share of that is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<(u32, f64)>,
}

impl Teller {
    fn new(sender: mpsc::Sender<Event>, task: &Task) -> Teller {
        let (began, is_bound) = (Instant::now(), task.is_bound);
        let layers = Layers::new(task.layers);
        Teller { sender, began, last: None, is_bound, bound: None, nodes: (0, 0), layers }
    }

    fn tell_layers(&mut self) {
        if let Some(views) = self.layers.take() {
            tell(&self.sender, "layers", &views);
        }
    }

    fn raise(&mut self, bound: u32) {
        if self.is_bound {
            self.bound = self.bound.max(Some(bound));
        }
    }

    fn show(&mut self, table: Option<(u32, f64)>) {
        let is_due = self.last.is_none_or(|last| last.elapsed() >= INTERVAL);
        if is_due && self.sender.capacity() > RESERVED {
            self.last = Some(Instant::now());
            let expanded = self.nodes.0 + self.nodes.1;
            let seconds = self.began.elapsed().as_secs_f64();
            tell(
                &self.sender,
                "progress",
                &Progress { seconds, expanded, bound: self.bound, table },
            );
            self.tell_layers();
        }
    }
}

impl Observer for Teller {
    fn progress(&mut self, bound: u32, expanded: u64) {
        let (before, now) = &mut self.nodes;
        // Each part of a search counts from 0.
        if expanded < *now {
            *before += *now;
        }
        *now = expanded;
        self.raise(bound);
        self.show(None);
    }

    fn nodes_until_counts(&self, expanded: u64) -> Option<u64> {
        self.layers.nodes_until_next(expanded)
    }

    fn node_counts(&mut self, expanded: u64, counts: &[NodeCount]) {
        self.layers.add(self.began.elapsed().as_secs_f64(), expanded, counts);
    }

    fn building_table(&mut self, distance: u32, share: f64) {
        self.show(Some((distance, share)));
    }

    fn improved(&mut self, length: u32, lower_bound: u32) {
        self.raise(lower_bound);
        let seconds = self.began.elapsed().as_secs_f64();
        let improved = serde_json::json!({
            "seconds": seconds, "length": length, "bound": self.bound,
        });
        tell(&self.sender, "improved", &improved);
    }
}
