//! The files of the page, all in the program.

use super::Server;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use std::sync::Arc;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Address, type and content of each.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("page/index.html")),
    ("/style.css", CSS, include_str!("page/style.css")),
    ("/icon.svg", SVG, include_str!("page/icon.svg")),
    ("/js/api.js", SCRIPT, include_str!("page/js/api.js")),
    ("/js/board.js", SCRIPT, include_str!("page/js/board.js")),
    ("/js/chart.js", SCRIPT, include_str!("page/js/chart.js")),
    ("/js/dom.js", SCRIPT, include_str!("page/js/dom.js")),
    ("/js/film.js", SCRIPT, include_str!("page/js/film.js")),
    ("/js/game.js", SCRIPT, include_str!("page/js/game.js")),
    ("/js/gestures.js", SCRIPT, include_str!("page/js/gestures.js")),
    ("/js/hint.js", SCRIPT, include_str!("page/js/hint.js")),
    ("/js/journal.js", SCRIPT, include_str!("page/js/journal.js")),
    ("/js/keys.js", SCRIPT, include_str!("page/js/keys.js")),
    ("/js/layers.js", SCRIPT, include_str!("page/js/layers.js")),
    ("/js/main.js", SCRIPT, include_str!("page/js/main.js")),
    ("/js/play.js", SCRIPT, include_str!("page/js/play.js")),
    ("/js/player.js", SCRIPT, include_str!("page/js/player.js")),
    ("/js/puzzle.js", SCRIPT, include_str!("page/js/puzzle.js")),
    ("/js/race.js", SCRIPT, include_str!("page/js/race.js")),
    ("/js/records.js", SCRIPT, include_str!("page/js/records.js")),
    ("/js/share.js", SCRIPT, include_str!("page/js/share.js")),
    ("/js/solve.js", SCRIPT, include_str!("page/js/solve.js")),
];

/// The routes of all files.
pub(super) fn routes() -> Router<Arc<Server>> {
    FILES.iter().fold(Router::new(), |router, &(path, kind, content)| {
        router.route(path, get(async move || ([(header::CONTENT_TYPE, kind)], content)))
    })
}
