//! Lets the linker leave Node's symbols undefined: Node resolves them when it loads the addon.

fn main() {
    napi_build::setup();
}
