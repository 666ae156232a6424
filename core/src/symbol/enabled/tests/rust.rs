use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn definitions_and_their_scopes() {
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
    let around = "
        root: -> field tests::Workspace::root
        LOCAL -> fn tests::Workspace::open::inner
        Workspace<'_, u8> -> impl tests::Workspace
        fn fmt(&self) {} -> fn tests::Workspace::fmt
        () => {} -> macro kinds";
    assert_enclosing("Rust", text, around);
}

#[test]
fn blocks_for_types_without_a_name_of_their_own() {
    let text = r#"
impl<T, const N: usize> Visit for [T; N] { const MAX: usize = N; type Out = T; fn a(&self) {} }
impl Visit for str { fn b() {} }
impl<'a> Visit for &'a mut [u8] { fn c() {} }
impl<A, B> Visit for (A, B) { fn d() {} }
impl dyn Any + Send { fn e() {} }
impl<T> Visit for *const T { fn f() {} }
impl<T> Visit for &Job<T> { fn g() {} }
impl Visit for fn(u8) -> u8 { fn h() {} }
impl<'a> From<&'a str> for crate::job::Job<'a> { fn from(_: &'a str) -> Self { Self } }
impl Visit for (
    A,
    B,
) { fn i() {} }
"#;
    let expected = "
        Impl [T; N] 2
        Constant [T; N]::MAX 2
        Type [T; N]::Out 2
        Method [T; N]::a 2
        Impl str 3
        Method str::b 3
        Impl [u8] 4
        Method [u8]::c 4
        Impl (A, B) 5
        Method (A, B)::d 5
        Impl Any 6
        Method Any::e 6
        Impl *const T 7
        Method *const T::f 7
        Impl Job 8
        Method Job::g 8
        Impl fn(u8) -> u8 9
        Method fn(u8) -> u8::h 9
        Impl Job 10
        Method Job::from 10
        Impl ( A, B, ) 11
        Method ( A, B, )::i 14";
    assert_outline("Rust", text, expected);
}

#[test]
fn definitions_in_extern_blocks_and_functions() {
    let text = r#"
extern "C" {
    fn strlen(text: *const c_char) -> usize;
    static mut environ: *const *const c_char;
    type FILE;
}
#[derive(Debug)]
pub(crate) struct Unit;
pub struct Pair(pub u8, u8);
fn outer() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    struct Inner { deep: u8 }
    impl Inner { fn get(&self) -> u8 { self.deep } }
    let closure = |x: u8| x;
}
pub const fn sized<const N: usize>() -> usize { N }
pub async unsafe fn waits() {}
mod elsewhere;
#[macro_export]
macro_rules! make { ($name:ident) => { fn $name() {} } }
make!(never_seen);
const _: () = assert!(true);
pub trait Named { const NAME: &'static str; fn r#type(&self); }
pub enum Code { Ok = 200, #[doc(hidden)] Other(u16) }
"#;
    let expected = "
        Function strlen 3
        Variable environ 4
        Type FILE 5
        Struct Unit 8
        Struct Pair 9
        Function outer 10
        Struct outer::Inner 12
        Field outer::Inner::deep 12
        Impl outer::Inner 13
        Method outer::Inner::get 13
        Function sized 16
        Function waits 17
        Module elsewhere 18
        Macro make 20
        Constant _ 22
        Trait Named 23
        Constant Named::NAME 23
        Method Named::r#type 23
        Enum Code 24
        EnumMember Code::Ok 24
        EnumMember Code::Other 24";
    assert_outline("Rust", text, expected);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text =
        "fn before() {}\nfn broken( { let x = ;\n}\nstruct After { field: u8 }\nfn after() {}\n";
    assert_defined("Rust", text, &["Function before 1", "Struct After 4", "Function after 5"]);
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Rust",
        r###"
// com "com
/// com `com` 'com
//! com
/* com /* com */ com " */
fn kod<'kod>() { let kod = "str \" str // str"; let kod = r#"str " str"#; let kod = b"str"; }
fn kod() { let kod = r##"str "# str"##; let kod = c"str"; let kod = br#"str"#; let kod = 's'; }
const QUOTE: char = '"'; fn kod() { '\''; "str"; "str \
    /* str"; kod!("str", kod, r"str\"); '\\'; /** com */ kod() }
"###,
    );
}
