//! The questions that programs ask, and their description as OpenAPI.

#![allow(unused_qualifications, reason = "utoipa spells out the paths of types")]

use super::desk::Desk;
use super::failure::{Failure, Refusal};
use super::shapes::{Answer, Document, Health, Page, PlaceNode, Places};
use super::wishes::{Format, Wishes};
use super::word::{Word, number, said};
use crate::commands::{geoparse, search};
use ::search::index::Index;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use page::url::CanonicalUrl;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{IntoParams, Modify, OpenApi};

/// Bytes of a question that is posted: a polygon of 64 KiB, written as text.
const MAX_QUESTION: usize = 192 << 10;

/// Bytes of a text that is posted.
const MAX_DOCUMENT: usize = 1 << 20;

/// Levels of the tree of places that are sent at once.
const MAX_DEPTH: u64 = 3;

/// How long the tree may take: each of its places is counted anew.
const TREE_TIME: Duration = Duration::from_secs(4);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "locavore",
        description = "Searches one crawl by words and places. Any request may also be answered \
                       401 or 403 (who asks may not), 408 (it took more than 5 seconds), 413 (the \
                       answer has more than 32 MiB) or 503 (too many at once; see Retry-After). \
                       Who does not take an answer is hung up on."
    ),
    paths(
        ask,
        ask_posted,
        places,
        page,
        crawl,
        geoparse_document,
        openapi,
        healthz
    ),
    modifiers(&Token),
    security((), ("token" = []), ("password" = []))
)]
struct Description;

/// Says that every request may have to bring a word, be it as a password.
struct Token;

impl Modify for Token {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let components = description.components.get_or_insert_default();
        for (name, scheme) in [
            ("token", HttpAuthScheme::Bearer),
            ("password", HttpAuthScheme::Basic),
        ] {
            let scheme = SecurityScheme::Http(Http::new(scheme));
            components.add_security_scheme(name, scheme);
        }
    }
}

/// Everything under `/api`, and whether there is anybody.
pub(super) fn routes() -> Router<Arc<Desk>> {
    let search = get(ask)
        .post(ask_posted)
        .layer(DefaultBodyLimit::max(MAX_QUESTION));
    let geoparse = post(geoparse_document).layer(DefaultBodyLimit::max(MAX_DOCUMENT));
    Router::new()
        .route("/api/search", search)
        .route("/api/places", get(places))
        .route("/api/page", get(page))
        .route("/api/crawl", get(crawl))
        .route("/api/geoparse", geoparse)
        .route("/api/openapi.json", get(openapi))
        .route("/healthz", get(healthz))
}

/// What stands behind the question mark.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Failure))]
pub(super) struct Asked<T>(pub(super) T);

/// A body of JSON.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Failure))]
struct Posted<T>(T);

/// Pages by words and places
#[utoipa::path(get, path = "/api/search", params(Wishes), responses(
    (status = 200, description = "the best pages", content(
        (Answer = "application/json"),
        (Object = "application/geo+json"),
    )),
    (status = 400, description = "a value makes no sense", body = Refusal),
))]
async fn ask(
    State(desk): State<Arc<Desk>>,
    Asked(wishes): Asked<Wishes>,
) -> Result<Response, Failure> {
    answer(desk, wishes).await
}

/// The same, with room for a polygon
#[utoipa::path(post, path = "/api/search", request_body = Wishes, responses(
    (status = 200, description = "the best pages", content(
        (Answer = "application/json"),
        (Object = "application/geo+json"),
    )),
    (status = 400, description = "a value makes no sense", body = Refusal),
    (status = 413, description = "more than 192 KiB", body = Refusal),
    (status = 415, description = "not sent as application/json", body = Refusal),
))]
async fn ask_posted(
    State(desk): State<Arc<Desk>>,
    Posted(wishes): Posted<Wishes>,
) -> Result<Response, Failure> {
    answer(desk, wishes).await
}

async fn answer(desk: Arc<Desk>, wishes: Wishes) -> Result<Response, Failure> {
    let work = move |desk: &Desk| {
        let index = desk.index();
        let ask = wishes.ask(&|place| index.n_pages_within(place))?;
        let format = wishes.format()?;
        let answer = index.ask_or_recall(&ask).map_err(Failure::ours)?;
        Ok(match format {
            Format::Json => Json(Answer::from(Arc::unwrap_or_clone(answer))).into_response(),
            Format::GeoJson => {
                let kind = [(header::CONTENT_TYPE, "application/geo+json")];
                (kind, search::geojson(&answer).to_string()).into_response()
            }
        })
    };
    desk.work(work).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Under {
    /// A path such as `/Earth/US`; all places unless given.
    #[param(value_type = Option<String>)]
    under: Option<Word>,
    /// Levels of the tree; one unless given.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 3)]
    depth: Option<Word>,
}

/// The tree of places that pages are filed in
#[utoipa::path(get, path = "/api/places", params(Under), responses(
    (status = 200, description = "places with pages, most first", body = Places),
    (status = 400, description = "a value makes no sense", body = Refusal),
))]
async fn places(
    State(desk): State<Arc<Desk>>,
    Asked(asked): Asked<Under>,
) -> Result<Json<Places>, Failure> {
    let work = move |desk: &Desk| {
        let path = said(&asked.under).unwrap_or("/Earth").trim_end_matches('/');
        if path != "/Earth" && !path.starts_with("/Earth/") {
            let message = "`under` is a path that begins with `/Earth`, such as `/Earth/US`";
            return Err(Failure::bad(message));
        }
        let depth = number("depth", &asked.depth, 1..=MAX_DEPTH)?.unwrap_or(1);
        let end = Instant::now() + TREE_TIME;
        Ok(Json(Places {
            places: tree(&desk.index(), path, depth, end)?,
            path: path.to_owned(),
        }))
    };
    desk.work(work).await
}

fn tree(index: &Index, under: &str, depth: u64, end: Instant) -> Result<Vec<PlaceNode>, Failure> {
    if Instant::now() > end {
        let message = "so many places take too long: ask for less `depth`, or `under` one of them";
        return Err(Failure::bad(message));
    }
    let places = index.places(under).map_err(Failure::ours)?;
    let nodes = places.into_iter().map(|place| {
        let places = match depth > 1 {
            true => tree(index, &place.path, depth - 1, end)?,
            false => Vec::new(),
        };
        Ok(PlaceNode {
            path: place.path,
            pages: place.n_pages,
            places,
        })
    });
    nodes.collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct OnePage {
    /// Its address.
    url: String,
}

/// What is known of one page
#[utoipa::path(get, path = "/api/page", params(OnePage), responses(
    (status = 200, description = "the page, with its text", body = Page),
    (status = 400, description = "not a URL", body = Refusal),
    (status = 404, description = "not in the index", body = Refusal),
))]
async fn page(
    State(desk): State<Arc<Desk>>,
    Asked(OnePage { url }): Asked<OnePage>,
) -> Result<Json<Page>, Failure> {
    let work = move |desk: &Desk| {
        let canonical = CanonicalUrl::parse(&url)
            .map_err(|error| Failure::bad(format!("`url` is no URL: {error}")))?;
        let found = desk.index().page(canonical.as_str());
        let found = found.map_err(Failure::ours)?;
        let missing = || Failure::missing(format!("the index has no page `{canonical}`"));
        found.map(|page| Json(page.into())).ok_or_else(missing)
    };
    desk.work(work).await
}

/// How the crawl stands, as `locavore status --json` tells it
#[utoipa::path(get, path = "/api/crawl", responses(
    (status = 200, description = "as of a few seconds ago", body = Object),
))]
async fn crawl(State(desk): State<Arc<Desk>>) -> Json<Value> {
    Json(desk.crawl().as_ref().clone())
}

/// What of a document could be read.
#[derive(Deserialize)]
struct TextAndHtml {
    text: Option<IgnoredAny>,
    html: Option<IgnoredAny>,
}

/// The addresses and places of a text, as `locavore geoparse --jsonl` finds them
#[utoipa::path(post, path = "/api/geoparse", request_body = Document, responses(
    (status = 200, description = "what was found", body = geoparse::Line),
    (status = 400, description = "neither text nor HTML, or both", body = Refusal),
    (status = 408, description = "too much for 5 seconds", body = Refusal),
    (status = 413, description = "more than 1 MiB", body = Refusal),
))]
async fn geoparse_document(
    State(desk): State<Arc<Desk>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failure> {
    let body = body.map_err(|rejection| Failure::new(rejection.status(), rejection.body_text()))?;
    let work = move |desk: &Desk| {
        let both = serde_json::from_slice::<TextAndHtml>(&body);
        if both.is_ok_and(|both| both.text.is_some() && both.html.is_some()) {
            return Err(Failure::bad("send `text` or `html`, not both"));
        }
        let found = geoparse::answer_line(desk.geoparser(), body.into());
        let kind = [(header::CONTENT_TYPE, "application/json")];
        let found = found.map_err(Failure::bad)?;
        Ok((kind, found).into_response())
    };
    desk.work_hard(work).await
}

/// This description
#[utoipa::path(get, path = "/api/openapi.json", responses(
    (status = 200, description = "OpenAPI 3.1", body = Object),
))]
async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}

/// Whether there is anybody
#[utoipa::path(get, path = "/healthz", responses(
    (status = 200, description = "there is", body = Health),
))]
async fn healthz(State(desk): State<Arc<Desk>>) -> Json<Health> {
    let index = desk.index();
    Json(Health {
        status: "ok",
        pages: index.n_pages(),
        visits: index.n_visits(),
    })
}

pub(super) async fn no_such(uri: axum::http::Uri) -> Failure {
    Failure::missing(format!(
        "there is no `{}`: `/api/openapi.json` lists what there is",
        uri.path()
    ))
}

pub(super) async fn no_such_method(method: axum::http::Method, uri: axum::http::Uri) -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("`{method}` is not answered at `{}`", uri.path()),
    )
}
