//! Reads the uses of names from a tree.
//!
//! A walk from the root to the leaves gives each node a role: the use that a name in its place has. The rules of
//! the language decide about a node by its parent, its field there and its kind. Without a rule a node has no
//! role, so an unknown construct makes its names `Other`. Only an import passes its role on to everything
//! in it, because an import contains nothing but names.
//!
//! Queries were rejected: a name may be several levels below the node that decides, as `m::Base<T>` in a list
//! of base classes, and each combination would be a pattern of its own.

mod by_text;
mod roles;
pub(super) mod tables;
mod walk;

pub(super) use roles::{Roles, Table};
pub(super) use walk::names;
