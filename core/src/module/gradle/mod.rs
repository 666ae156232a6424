//! Gradle: the projects of settings scripts and the dependencies between them.
//!
//! Scripts are read and never run, so what they compute is not known.

mod lexer;
mod projects;
mod script;

pub(super) use projects::find;
