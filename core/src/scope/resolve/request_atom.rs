//! An atom with its place in the request, so that errors name its fields.

use crate::error::{Error, ErrorKind, Result};
use crate::scope::language::ScopeAtom;
use crate::suggest::shorten;

/// An atom at its place in the request.
pub(super) struct RequestAtom<'a> {
    pub place: &'a str,
    pub atom: &'a ScopeAtom,
}

impl RequestAtom<'_> {
    pub(super) fn param(&self, field: &str) -> String {
        format!("{}.{field}", self.place)
    }

    pub(super) fn error(&self, param: &str, why: String) -> Error {
        Error::at_param(ErrorKind::InvalidParam, param, why)
    }

    /// Returns a field that atoms of this kind require.
    pub(super) fn required(&self, field: &str, value: &Option<String>) -> Result<String> {
        let value = value.as_ref().filter(|value| !value.is_empty());
        value.cloned().ok_or_else(|| {
            let param = self.param(field);
            let predicate = format!("is missing: {} needs it", self.atom.target.kind().code());
            Error::invalid_param(&param, predicate)
        })
    }

    /// Returns the name in the ref id, else in the field, with the parameter it came from.
    pub(super) fn named_by(
        &self,
        prefix: &str,
        field: &str,
        value: &Option<String>,
    ) -> Result<(String, String)> {
        match &self.atom.scope_ref_id {
            Some(ref_id) => {
                let param = self.param("scopeRefId");
                let rest = self.after(prefix, &param, ref_id)?.to_owned();
                Ok((param, rest))
            }
            None => Ok((self.param(field), self.required(field, value)?)),
        }
    }

    /// Returns the text after the prefix of a ref id, which must match the atom's kind.
    pub(super) fn after<'r>(&self, prefix: &str, param: &str, ref_id: &'r str) -> Result<&'r str> {
        ref_id.strip_prefix(prefix).ok_or_else(|| {
            let kind = self.atom.target.kind().code();
            let ref_id = shorten(ref_id);
            self.error(
                param,
                format!("a ref id of {kind} must begin with {prefix}, got '{ref_id}'"),
            )
        })
    }
}
