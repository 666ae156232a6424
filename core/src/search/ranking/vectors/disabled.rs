//! The order by words stays as it is.

use super::{Access, ByWords};
use crate::error::Result;
use crate::search::Terms;

/// Returns no other order.
pub(in crate::search::ranking) fn reorder(
    _: &Terms,
    _: &[ByWords],
    _: Access<'_>,
) -> Result<Option<Vec<usize>>> {
    Ok(None)
}
