//! The parameter `fileMask`: a mask that narrows a scope.

use searchscope::toolkit::FileMask;
use searchscope::{PathFilter, Place, Result, Scope};

/// The files of a scope that match a mask.
pub(crate) struct Masked {
    scope: Scope,
    mask: FileMask,
}

impl Masked {
    pub(crate) fn new(scope: Scope, param: &str, text: &str) -> Result<Masked> {
        Ok(Masked { scope, mask: FileMask::new(param, text)? })
    }
}

impl PathFilter for Masked {
    fn matches(&self, place: &Place<'_>) -> bool {
        self.mask.matches(place.path().as_bytes()) && self.scope.matches(place)
    }

    fn visit(&self, dir: &Place<'_>) -> bool {
        self.scope.visit(dir)
    }

    fn judges_ignored(&self) -> bool {
        self.scope.judges_ignored()
    }

    fn judges_hidden(&self) -> bool {
        self.scope.judges_hidden()
    }
}
