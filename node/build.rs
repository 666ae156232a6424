//! Node's symbols are resolved when it loads the addon; the linker has to be told so.

fn main() {
    napi_build::setup();
}
