//! Replies and errors as JSON.

use super::REPLY_BYTES_MAX;
use crate::error::{Error, ErrorKind, Result};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Writes a reply.
///
/// # Errors
///
/// `result_too_large` past the maximum size of a reply.
pub(super) fn encode(reply: &impl Serialize, bytes_max: usize) -> Result<Vec<u8>> {
    let bytes = to_json(reply)?;
    if bytes.len() > bytes_max { Err(too_large()) } else { Ok(bytes) }
}

/// Writes a value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value)
        .map_err(|error| Error::new(ErrorKind::Internal, format!("the reply: {error}")))
}

/// A part of a reply that is JSON already, so that its size is known and it is written once.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Json(Box<RawValue>);

impl Json {
    pub(super) fn of(value: &impl Serialize) -> Result<Json> {
        let raw = serde_json::value::to_raw_value(value)
            .map_err(|error| Error::new(ErrorKind::Internal, format!("the reply: {error}")))?;
        Ok(Json(raw))
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        self.0.get().len()
    }
}

/// The error for a reply past its maximum size.
pub(super) fn too_large() -> Error {
    let mib = REPLY_BYTES_MAX / (1024 * 1024);
    let message = format!(
        "the result is larger than {mib} MiB; narrow the query, the path or the file pattern"
    );
    Error::new(ErrorKind::ResultTooLarge, message)
}

/// An error as a JSON object: `{code, message, param?, path?, span?: {start, end}}`.
pub fn error_json(error: &Error) -> Vec<u8> {
    let mut object = Map::new();
    object.insert("code".into(), error.code().into());
    object.insert("message".into(), error.message().into());
    if let Some(param) = error.param() {
        object.insert("param".into(), param.into());
    }
    if let Some(path) = error.path() {
        object.insert("path".into(), path.into());
    }
    if let Some(span) = error.span() {
        object.insert("span".into(), serde_json::json!({ "start": span.start, "end": span.end }));
    }
    Value::Object(object).to_string().into_bytes()
}
