//! Link arguments of the shared library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[expect(clippy::disallowed_methods, reason = "this is how cargo speaks to a build script")]
    let target_os = std::env::var("CARGO_CFG_TARGET_OS");
    // Without a soname, a program would record the path it was linked with. The number is
    // SEARCHSCOPE_ABI_MAJOR, so that libraries of two majors can be installed side by side.
    match target_os.as_deref() {
        Ok("linux") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsearchscope.so.1");
            // Worker threads outlive a dlclose, so their code must stay mapped.
            println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        Ok("macos") => {
            let name = "@rpath/libsearchscope.1.dylib";
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        _ => (),
    }
}
