//! Rules of ignore files: in the walked directories, above them, kept for the next walk; and worktrees of git.

pub(super) mod above;
pub(super) mod ignore_rules;
pub(super) mod kept_verdicts;
pub(super) mod worktree;

pub(crate) use above::Admission;
