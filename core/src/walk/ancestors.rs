//! The directories above one, by which a walk that follows links recognises loops.

use std::sync::Arc;

/// The identities of the directories above; kept where links are followed, because those may form loops.
pub(super) struct Ancestor {
    pub(super) id: (u64, u64),
    pub(super) above: Option<Arc<Ancestor>>,
}

impl Ancestor {
    /// Returns whether a directory with this identity is among them, so that entering it again would be a loop.
    pub(super) fn is_among(mut nearest: Option<&Ancestor>, id: (u64, u64)) -> bool {
        while let Some(ancestor) = nearest {
            if ancestor.id == id && id != (0, 0) {
                return true;
            }
            nearest = ancestor.above.as_deref();
        }
        false
    }
}
