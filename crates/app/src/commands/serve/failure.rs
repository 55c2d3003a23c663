//! Why a request is not answered, as JSON that names the thing.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::fmt::Display;
use utoipa::ToSchema;

/// Seconds after which somebody who was turned away may ask again.
const RETRY_AFTER: &str = "1";

/// A request that is not answered.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) message: String,
}

/// What is sent instead of an answer.
#[derive(Serialize, ToSchema)]
pub(super) struct Refusal {
    /// What is wrong, and with what.
    error: String,
}

impl Failure {
    pub(super) fn new(status: StatusCode, message: impl Display) -> Failure {
        Failure {
            status,
            message: message.to_string(),
        }
    }

    /// The request makes no sense.
    pub(super) fn bad(message: impl Display) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn missing(message: impl Display) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    /// The answer is one that nobody should have to hold.
    pub(super) fn too_large(n_bytes: usize) -> Failure {
        let message = format!(
            "the answer has {} MB: ask for less at once",
            n_bytes / 1_000_000
        );
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// It may be answered later.
    pub(super) fn busy() -> Failure {
        let message = "too many requests at once: ask again in a moment";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The disk fails, or we were wrong: nothing the request could help.
    pub(super) fn ours(error: impl Display) -> Failure {
        tracing::error!(%error, "a request could not be answered");
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let refusal = Refusal {
            error: self.message,
        };
        let mut response = (self.status, Json(refusal)).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<QueryRejection> for Failure {
    fn from(rejection: QueryRejection) -> Failure {
        let text = rejection.body_text();
        // What follows names the value.
        let named = text.strip_prefix("Failed to deserialize query string: ");
        Failure::bad(named.unwrap_or(&text))
    }
}

impl From<JsonRejection> for Failure {
    fn from(rejection: JsonRejection) -> Failure {
        let status = match rejection.status() {
            // One word for everything that is no such object.
            StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
            status => status,
        };
        Failure::new(status, rejection.body_text())
    }
}
