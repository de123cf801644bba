//! The router: which handler serves each address.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path as Part, RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use futures::stream;
use percent_encoding::percent_decode_str;
use tokio::time::Instant;

use super::cursor::Cursor;
use super::folder_watcher::is_session_name;
use super::guard::{Hosts, guard_request};
use super::index::{self, IndexRow};
use super::page_cache::ServedPage;
use super::pages::{self, ServedScope};
use super::reading::SessionFilter;
use super::served_folder::ServedFolder;
use super::watched_experiment::{WatchedExperiment, pause_after_look};
use crate::store::files::FileError;

/// The minimum time between two listings of the experiments.
const LISTED_EVERY: Duration = Duration::from_secs(1);
/// A cursor may name this many sessions more than exist now.
const GONE_MAX: usize = 10_000;

/// Builds the routes and their guard.
pub fn build_router(house: Arc<ServedFolder>, hosts: Hosts) -> Router {
    let file = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text) })
    };
    let script = "text/javascript; charset=utf-8";
    Router::new()
        .route("/", get(serve_home))
        .route("/live", get(serve_index_live))
        .route("/serve.css", file("text/css; charset=utf-8", include_str!("serve.css")))
        .route("/index.js", file(script, include_str!("index.js")))
        .route("/watch.js", file(script, include_str!("watch.js")))
        .route("/e/{name}", get(redirect_to_experiment))
        .route("/e/{name}/", get(serve_report))
        .route("/e/{name}/s/{session}", get(serve_session))
        .route("/e/{name}/watch", get(serve_watch))
        .route("/e/{name}/live", get(serve_live))
        .fallback(|| async { missing_response("There is no such page.") })
        .with_state(house)
        .layer(axum::middleware::from_fn_with_state(hosts, guard_request))
}

enum ResponseError {
    Missing(&'static str),
    /// The query is invalid.
    Wrong(String),
    /// Too many streams are open.
    Full,
    File(FileError),
    /// Why the report page cannot be made.
    Unmade(String),
    /// The handler's thread panicked, or the server is shutting down.
    Broken,
}

impl IntoResponse for ResponseError {
    fn into_response(self) -> Response {
        match self {
            ResponseError::Missing(what) => missing_response(what),
            ResponseError::Wrong(why) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
            ResponseError::Full => (StatusCode::SERVICE_UNAVAILABLE, "too many streams are open\n").into_response(),
            ResponseError::Unmade(why) => {
                (StatusCode::INTERNAL_SERVER_ERROR, Html(pages::render_unmade(&why))).into_response()
            }
            ResponseError::File(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
            ResponseError::Broken => {
                (StatusCode::INTERNAL_SERVER_ERROR, "the page could not be made\n").into_response()
            }
        }
    }
}

impl From<FileError> for ResponseError {
    fn from(error: FileError) -> Self {
        ResponseError::File(error)
    }
}

fn missing_response(what: &str) -> Response {
    (StatusCode::NOT_FOUND, Html(pages::render_missing(what))).into_response()
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ResponseError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ResponseError::Broken)
}

async fn find_experiment(house: &Arc<ServedFolder>, name: &str) -> Result<Arc<WatchedExperiment>, ResponseError> {
    let (house, name) = (Arc::clone(house), name.to_owned());
    run_blocking(move || house.find_experiment(&name))
        .await??
        .ok_or(ResponseError::Missing("There is no such experiment here."))
}

async fn serve_home(State(house): State<Arc<ServedFolder>>) -> Result<Response, ResponseError> {
    if let Some(only) = house.single_name() {
        return Ok(Redirect::to(&index::page_address(only)).into_response());
    }
    let listed =
        run_blocking(move || Ok::<_, FileError>((house.name(), index::build_rows(&house)?, house.stray_links()?)));
    let (name, rows, left_out) = listed.await??;
    Ok(Html(pages::render_index(&name, &rows, &left_out)).into_response())
}

async fn redirect_to_experiment(
    State(house): State<Arc<ServedFolder>>,
    Part(name): Part<String>,
) -> Result<Response, ResponseError> {
    find_experiment(&house, &name).await?;
    Ok(Redirect::to(&index::page_address(&name)).into_response())
}

async fn report_page(house: &Arc<ServedFolder>, name: &str) -> Result<Arc<ServedPage>, ResponseError> {
    let (room, press) = (find_experiment(house, name).await?, Arc::clone(&house.press));
    run_blocking(move || room.print.current_page(&room, &press)).await?.map_err(ResponseError::Unmade)
}

async fn serve_report(
    State(house): State<Arc<ServedFolder>>,
    Part(name): Part<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ResponseError> {
    // A running experiment opens live; the live view leads to the report.
    if query.as_deref() != Some("report") {
        let room = find_experiment(&house, &name).await?;
        if run_blocking(move || room.refresh_state().is_running).await? {
            return Ok(Redirect::temporary("watch").into_response());
        }
    }
    let page = report_page(&house, &name).await?;
    let tag = [(header::ETAG, page.tag.clone())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == page.tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, tag).into_response());
    }
    let policy = format!("{}; frame-ancestors 'none'", page.printed.policy);
    Ok((tag, [(header::CONTENT_SECURITY_POLICY, policy)], Html(page.printed.html.clone())).into_response())
}

async fn serve_session(
    State(house): State<Arc<ServedFolder>>,
    Part((name, session)): Part<(String, String)>,
) -> Result<Response, ResponseError> {
    let page = report_page(&house, &name).await?;
    let block = page.printed.sessions.get(&session).ok_or(ResponseError::Missing("There is no such session here."))?;
    Ok(Html(block.open()).into_response())
}

async fn serve_watch(
    State(house): State<Arc<ServedFolder>>,
    Part(name): Part<String>,
) -> Result<Response, ResponseError> {
    let room = find_experiment(&house, &name).await?;
    let served = if house.single_name().is_some() { ServedScope::Alone } else { ServedScope::AmongOthers };
    let page = run_blocking(move || pages::render_watch(&name, &room.refresh_state(), served)).await?;
    Ok(Html(page).into_response())
}

async fn serve_live(
    State(house): State<Arc<ServedFolder>>,
    Part(name): Part<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ResponseError> {
    let room = find_experiment(&house, &name).await?;
    let (wanted, from) = parse_stream_query(query.as_deref().unwrap_or_default()).map_err(ResponseError::Wrong)?;
    let last = headers.get("last-event-id").map(|last| last.to_str().unwrap_or_default().to_owned());
    let (from, known) = (last.or(from).unwrap_or_default(), Arc::clone(&room));
    let cursor = run_blocking(move || {
        // The first state that is sent is one of now, also if nobody watched before.
        let state = known.refresh_state();
        match from.as_str() {
            "" => Ok(Cursor::default()),
            from => Cursor::parse(from, state.sessions.len() + GONE_MAX),
        }
    });
    let cursor = cursor.await?.map_err(|error| ResponseError::Wrong(error.to_string()))?;
    let place = Arc::clone(&house.streams).try_acquire_owned().map_err(|_| ResponseError::Full)?;
    Ok(super::stream::stream_response(&room, wanted, cursor, place))
}

/// Parses `session=NAME` (repeatable; none means all sessions) and `from=ID`, the position to resume from.
fn parse_stream_query(query: &str) -> Result<(SessionFilter, Option<String>), String> {
    let (mut wanted, mut from) = (None, None);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_decode_str(value).decode_utf8().map_err(|_| "the query is no text".to_owned())?;
        match key {
            "session" if value.is_empty() || is_session_name(&value) => {
                wanted.get_or_insert_with(BTreeSet::new).extend((!value.is_empty()).then(|| value.into_owned()));
            }
            "session" => return Err("no session has such a name".to_owned()),
            "from" => from = Some(value.into_owned()),
            _ => return Err("the query may hold session=NAME and from=ID".to_owned()),
        }
    }
    Ok((wanted.map_or(SessionFilter::All, SessionFilter::These), from))
}

/// Streams the list of experiments whenever it changes.
async fn serve_index_live(State(house): State<Arc<ServedFolder>>) -> Result<Response, ResponseError> {
    let place = Arc::clone(&house.streams).try_acquire_owned().map_err(|_| ResponseError::Full)?;
    let events = stream::unfold((house, place, None, Duration::ZERO), |(house, place, told, took)| async move {
        let (mut told, mut took): (Option<Vec<IndexRow>>, Duration) = (told, took);
        loop {
            if told.is_some() {
                tokio::time::sleep(pause_after_look(took, LISTED_EVERY)).await;
            }
            let (looking, begun) = (Arc::clone(&house), Instant::now());
            let listed = run_blocking(move || index::build_rows(&looking)).await.ok()?;
            took = begun.elapsed();
            // A failed listing is retried.
            if let Ok(rows) = listed
                && told.as_ref() != Some(&rows)
            {
                let data = serde_json::to_string(&rows).expect("invariant: a list of experiments has a JSON form");
                told = Some(rows);
                let event = Event::default().event("rows").data(data);
                return Some((Ok::<_, std::convert::Infallible>(event), (house, place, told, took)));
            }
            told = told.or(Some(Vec::new()));
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new()).into_response())
}
