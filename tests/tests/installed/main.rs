//! The C library as its users get it: installed by the documented command, then found by pkg-config,
//! make, CMake, cgo and a compiler, and used by programs in C, C++ and Go and by the examples.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test installs a library, builds programs and runs them"
)]

mod c_package;
mod calls;
mod cpp;
mod examples;
mod go;
mod layout;
mod prefix;
mod readme;
