use super::{assert_outline, assert_regions, outline};

#[test]
fn definitions_and_what_they_lie_in() {
    let text = r#"
mod tests {
    pub struct Workspace<'a, T: Clone> { root: &'a T, deny: Vec<u8> }
    impl<'a, T: Clone> Workspace<'a, T> {
        const MAX: usize = 3;
        pub fn open(self) { fn inner() { const LOCAL: u8 = 1; } }
    }
    impl fmt::Debug for Workspace<'_, u8> { fn fmt(&self) {} }
}
pub trait Visit { type Out; fn visit(&self) -> Self::Out; fn done(&self) {} }
enum Kind { File, Dir(u8), Link { to: u8 } }
union Both { a: u8, b: i8 }
type Result<T> = std::result::Result<T, Error>;
static GLOBAL: u8 = 1;
macro_rules! kinds { () => {} }
impl std::ops::Drop for Kind { fn drop(&mut self) {} }
"#;
    let expected = "
        Module tests 2
        Struct tests::Workspace 3
        Field tests::Workspace::root 3
        Field tests::Workspace::deny 3
        Impl tests::Workspace 4
        Constant tests::Workspace::MAX 5
        Method tests::Workspace::open 6
        Function tests::Workspace::open::inner 6
        Impl tests::Workspace 8
        Method tests::Workspace::fmt 8
        Trait Visit 10
        Type Visit::Out 10
        Method Visit::visit 10
        Method Visit::done 10
        Enum Kind 11
        EnumMember Kind::File 11
        EnumMember Kind::Dir 11
        EnumMember Kind::Link 11
        Field Kind::Link::to 11
        Union Both 12
        Field Both::a 12
        Field Both::b 12
        Type Result 13
        Variable GLOBAL 14
        Macro kinds 15
        Impl Kind 16
        Method Kind::drop 16";
    assert_outline("Rust", text, expected);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text =
        "fn before() {}\nfn broken( { let x = ;\n}\nstruct After { field: u8 }\nfn after() {}\n";
    let found = outline("Rust", text);
    for name in ["Function before 1", "Struct After 4", "Function after 5"] {
        assert!(found.iter().any(|line| line == name), "{name}: {found:?}");
    }
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Rust",
        r##"
// com
/// com `com`
/* com /* com */ com */
fn kod() { let kod = "str \" str"; let kod = r#"str " str"#; let kod = b"str"; }
"##,
    );
}
