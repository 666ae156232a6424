//! Cargo: packages, workspaces and path dependencies.

mod manifest;
mod packages;

pub(super) use packages::find;
