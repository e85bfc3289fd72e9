//! Connections: so many at once, and none that is idle or slow for long.

use super::patient::Patient;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// The most connections at once; others wait to be accepted.
const MOST: usize = 512;

/// How long a client may take for the head of a request, stay without one, or read nothing of an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a connection may last; what it is about at that time is finished.
const LIFETIME: Duration = Duration::from_secs(15 * 60);

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Accepts connections until `stop` is set. A request may take as long as a search and a bit.
pub(super) async fn accept(
    listener: &TcpListener,
    app: Router,
    longest: Duration,
    stop: &AtomicBool,
) {
    let places = Arc::new(Semaphore::new(MOST));
    let stopped = async {
        while !stop.load(Ordering::SeqCst) {
            sleep(LOOK).await;
        }
    };
    let accepting = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let app = app.clone();
                    tokio::spawn(async move {
                        serve(stream, app, longest).await;
                        drop(place);
                    });
                }
                // The system has no more files, or the client has gone already.
                Err(_) => sleep(LOOK).await,
            }
        }
    };
    tokio::select! {
        () = stopped => {}
        () = accepting => {}
    }
}

async fn serve(stream: TcpStream, app: Router, longest: Duration) {
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(
            TokioIo::new(Patient::new(stream, PATIENCE)),
            TowerToHyperService::new(app),
        );
    let mut connection = pin!(connection);
    if timeout(LIFETIME, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(longest + PATIENCE, connection).await;
    }
}
