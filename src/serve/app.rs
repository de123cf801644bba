//! Which address is answered with what.

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
use super::guard::{Hosts, guarded};
use super::house::House;
use super::index::{self, Row};
use super::pages::{self, Served};
use super::print::Page;
use super::reading::Wanted;
use super::room::{Room, pause};
use super::survey::is_session_name;
use crate::store::files::FileError;

/// How long the list of experiments is not looked at again.
const LISTED_EVERY: Duration = Duration::from_secs(1);
/// A reader may have been told of so many sessions more than lie there now.
const GONE_MAX: usize = 10_000;

/// Everything that is answered.
pub fn app(house: Arc<House>, hosts: Hosts) -> Router {
    let file = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text) })
    };
    let script = "text/javascript; charset=utf-8";
    Router::new()
        .route("/", get(home))
        .route("/live", get(index_live))
        .route("/serve.css", file("text/css; charset=utf-8", include_str!("serve.css")))
        .route("/index.js", file(script, include_str!("index.js")))
        .route("/watch.js", file(script, include_str!("watch.js")))
        .route("/e/{name}", get(named))
        .route("/e/{name}/", get(report))
        .route("/e/{name}/s/{session}", get(session))
        .route("/e/{name}/watch", get(watch))
        .route("/e/{name}/live", get(live))
        .fallback(|| async { missing("There is no such page.") })
        .with_state(house)
        .layer(axum::middleware::from_fn_with_state(hosts, guarded))
}

/// What could not be answered.
enum Failed {
    /// There is no such thing.
    Missing(&'static str),
    /// The request is none of this server's.
    Wrong(String),
    /// Enough readers are there.
    Full,
    /// A file could not be read.
    File(FileError),
    /// The report's page cannot be made, for this reason.
    Unmade(String),
    /// The answer was not made: the server ends, or a page panicked.
    Broken,
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        match self {
            Failed::Missing(what) => missing(what),
            Failed::Wrong(why) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
            Failed::Full => (StatusCode::SERVICE_UNAVAILABLE, "too many streams are open\n").into_response(),
            Failed::Unmade(why) => (StatusCode::INTERNAL_SERVER_ERROR, Html(pages::unmade(&why))).into_response(),
            Failed::File(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
            Failed::Broken => (StatusCode::INTERNAL_SERVER_ERROR, "the page could not be made\n").into_response(),
        }
    }
}

impl From<FileError> for Failed {
    fn from(error: FileError) -> Self {
        Failed::File(error)
    }
}

fn missing(what: &str) -> Response {
    (StatusCode::NOT_FOUND, Html(pages::missing(what))).into_response()
}

/// Does what waits for files on a thread that may wait.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failed> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Failed::Broken)
}

/// The room of an experiment.
async fn room(house: &Arc<House>, name: &str) -> Result<Arc<Room>, Failed> {
    let (house, name) = (Arc::clone(house), name.to_owned());
    aside(move || house.room(&name)).await??.ok_or(Failed::Missing("There is no such experiment here."))
}

async fn home(State(house): State<Arc<House>>) -> Result<Response, Failed> {
    if let Some(only) = house.only() {
        return Ok(Redirect::to(&index::address(only)).into_response());
    }
    let listed = aside(move || Ok::<_, FileError>((house.name(), index::rows(&house)?, house.strays()?)));
    let (name, rows, left_out) = listed.await??;
    Ok(Html(pages::index(&name, &rows, &left_out)).into_response())
}

async fn named(State(house): State<Arc<House>>, Part(name): Part<String>) -> Result<Response, Failed> {
    room(&house, &name).await?;
    Ok(Redirect::to(&index::address(&name)).into_response())
}

/// The page of an experiment's report as it is now.
async fn printed(house: &Arc<House>, name: &str) -> Result<Arc<Page>, Failed> {
    let (room, press) = (room(house, name).await?, Arc::clone(&house.press));
    aside(move || room.print.page(&room, &press)).await?.map_err(Failed::Unmade)
}

async fn report(
    State(house): State<Arc<House>>,
    Part(name): Part<String>,
    headers: HeaderMap,
) -> Result<Response, Failed> {
    let page = printed(&house, &name).await?;
    let tag = [(header::ETAG, page.tag.clone())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == page.tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, tag).into_response());
    }
    let policy = format!("{}; frame-ancestors 'none'", page.printed.policy);
    Ok((tag, [(header::CONTENT_SECURITY_POLICY, policy)], Html(page.printed.html.clone())).into_response())
}

async fn session(
    State(house): State<Arc<House>>,
    Part((name, session)): Part<(String, String)>,
) -> Result<Response, Failed> {
    let page = printed(&house, &name).await?;
    let block = page.printed.sessions.get(&session).ok_or(Failed::Missing("There is no such session here."))?;
    Ok(Html(block.open()).into_response())
}

async fn watch(State(house): State<Arc<House>>, Part(name): Part<String>) -> Result<Response, Failed> {
    let room = room(&house, &name).await?;
    let served = if house.only().is_some() { Served::Alone } else { Served::AmongOthers };
    let page = aside(move || pages::watch(&name, &room.look(), served)).await?;
    Ok(Html(page).into_response())
}

async fn live(
    State(house): State<Arc<House>>,
    Part(name): Part<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Failed> {
    let room = room(&house, &name).await?;
    let (wanted, from) = asked(query.as_deref().unwrap_or_default()).map_err(Failed::Wrong)?;
    let last = headers.get("last-event-id").map(|last| last.to_str().unwrap_or_default().to_owned());
    let (from, known) = (last.or(from).unwrap_or_default(), Arc::clone(&room));
    let cursor = aside(move || match from.as_str() {
        "" => Ok(Cursor::default()),
        from => Cursor::parse(from, known.look().sessions.len() + GONE_MAX),
    });
    let cursor = cursor.await?.map_err(|error| Failed::Wrong(error.to_string()))?;
    let place = Arc::clone(&house.streams).try_acquire_owned().map_err(|_| Failed::Full)?;
    Ok(super::stream::stream(&room, wanted, cursor, place))
}

/// The sessions that a query names with `session=NAME`, all where it names none, and with `from=ID` where to go on.
fn asked(query: &str) -> Result<(Wanted, Option<String>), String> {
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
    Ok((wanted.map_or(Wanted::All, Wanted::These), from))
}

/// The list of experiments, told again whenever it changed.
async fn index_live(State(house): State<Arc<House>>) -> Result<Response, Failed> {
    let place = Arc::clone(&house.streams).try_acquire_owned().map_err(|_| Failed::Full)?;
    let events = stream::unfold((house, place, None, Duration::ZERO), |(house, place, told, took)| async move {
        let (mut told, mut took): (Option<Vec<Row>>, Duration) = (told, took);
        loop {
            if told.is_some() {
                tokio::time::sleep(pause(took, LISTED_EVERY)).await;
            }
            let (looking, begun) = (Arc::clone(&house), Instant::now());
            let listed = aside(move || index::rows(&looking)).await.ok()?;
            took = begun.elapsed();
            // A folder that cannot be listed for once is looked at again.
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
