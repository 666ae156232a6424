//! `go.mod`, `go.work` and `vendor`.

use super::{assert_found, found};

#[test]
fn modules_of_a_workspace() {
    let vendored = "# b.org/y v1.0.0 => b.org/z v1\n## explicit\nb.org/y/sub\n# b.org/x v1.2.0\n";
    assert_found(
        &found(&[
            ("go.work", "go 1.22\nuse (\n\t./a\n\t./far/1/2/3/b // comment\n\t../out\n)\n"),
            ("vendor/modules.txt", vendored),
            ("a/go.mod", "module a.org/a\nrequire a.org/b v0.0.0\nrequire b.org/x v1.2.0\n"),
            ("a/vendor/x.go", ""),
            (
                "far/1/2/3/b/go.mod",
                "module a.org/b\nrequire a.org/c v1.0.0\n\
                                     replace a.org/c => ../c\n",
            ),
            ("far/1/2/3/c/go.mod", "module \"a.org/c\"\r\n"),
            ("testdata/go.mod", "// nothing\n"),
        ]),
        &[
            "a.org/a a: +a (Go) > a.org/b exported, \
             <GoVendor(b.org/x b.org/y) vendor> exported",
            "a.org/b far/1/2/3/b: +far/1/2/3/b (Go) > a.org/c exported, \
             <GoVendor(b.org/x b.org/y) vendor> exported",
            "a.org/c far/1/2/3/c: +far/1/2/3/c (Go)",
            "library GoVendor(b.org/x b.org/y): vendor / ",
            "! go.work: '../out' is outside the root, and not followed",
            "! testdata/go.mod: '' is not a valid name",
        ],
    );
}

#[test]
fn one_module_with_vendor() {
    assert_found(
        &found(&[("go.mod", "module m\n"), ("vendor/modules.txt", "# x v1\n"), ("m_test.go", "")]),
        &["m .: +. ~vendor (Go) > <GoVendor(x) vendor> exported", "library GoVendor(x): vendor / "],
    );
}
