//! Gradle: the projects of settings scripts and the dependencies between them.
//!
//! Scripts are read but never run, so computed values are unknown.

mod lexer;
mod projects;
mod script;
mod set_modules;
mod source_sets;

pub(super) use projects::find;
