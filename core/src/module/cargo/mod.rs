//! Cargo: packages, workspaces and dependencies by path.

mod manifest;
mod packages;

pub(super) use packages::find;
