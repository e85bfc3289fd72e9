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
    ("/js/main.js", SCRIPT, include_str!("page/js/main.js")),
];

/// The routes of all files.
pub(super) fn routes() -> Router<Arc<Server>> {
    FILES.iter().fold(Router::new(), |router, &(path, kind, content)| {
        router.route(path, get(async move || ([(header::CONTENT_TYPE, kind)], content)))
    })
}
