use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn classes_functions_and_their_scopes() {
    let text = r#"
import os, sys as system
from typing import Any as Anything

@dataclass(frozen=True)
class Job(Base, metaclass=Meta):
    """A job."""
    name: str
    count: int = 0
    first = second = None
    left, right = 1, 2

    class Meta:
        ordering = ["name"]

    def __init__(self, name):
        self.name = name
        local = 1

    @property
    @cached(lambda self: self.name)
    def label(self) -> str:
        def inner(x):
            y = x
        return inner(self)

    @staticmethod
    async def run(*args, **kwargs): pass

    if sys.version_info > (3, 8):
        extra = 1
        def late(self): pass

async def main[T](first: T, second=1):
    class Local(ctypes.Structure):
        _fields_ = []
        def method(self): pass
    for i in range(3):
        total = i
"#;
    let expected = "
        Class Job 6
        Field Job.name 8
        Field Job.count 9
        Field Job.first 10
        Field Job.second 10
        Field Job.left 11
        Field Job.right 11
        Class Job.Meta 13
        Field Job.Meta.ordering 14
        Method Job.__init__ 16
        Method Job.label 22
        Function Job.label.inner 23
        Method Job.run 28
        Field Job.extra 31
        Method Job.late 32
        Function main 34
        Class main.Local 35
        Field main.Local._fields_ 36
        Method main.Local.method 37";
    assert_outline("Python", text, expected);
    let around = "
        frozen -> class Job
        cached -> def Job.label
        y = x -> def Job.label.inner
        return inner -> def Job.label
        import os -> -";
    assert_enclosing("Python", text, around);
}

#[test]
fn variables_of_a_file() {
    let text = r#"
VERSION = "1"
MAX_SIZE: int = 1 << 10
__all__ = ["a"]
X = 1
a = b = c = 2
d, e = 1, 2
total += 1
os.environ["A"] = "b"
try:
    fallback = 1
except ImportError:
    fallback = None
square = lambda x: x
if (walrus := 1): pass
with open(a) as file:
    text = file.read()
type Pair = tuple[int, int]
type Tree[T] = dict[str, T]
"#;
    let expected = "
        Constant VERSION 2
        Constant MAX_SIZE 3
        Variable __all__ 4
        Variable X 5
        Variable a 6
        Variable b 6
        Variable c 6
        Variable d 7
        Variable e 7
        Variable fallback 11
        Variable fallback 13
        Variable square 14
        Variable text 17
        Type Pair 18
        Type Tree 19";
    assert_outline("Python", text, expected);
    let around = "
        ImportError -> -
        lambda -> var square";
    assert_enclosing("Python", text, around);
}

#[test]
fn a_decorator_is_in_its_definition() {
    let text = "@route('/jobs')\ndef jobs(): pass\n";
    let read = super::read("Python", text);
    let outline = read.outline.expect("requested");
    let label = |start, end| outline.enclosing(start, end).map(|one| outline.label(one));
    assert_eq!(label(1, 6).as_deref(), Some("def jobs"));
    assert_eq!(label(0, text.len() as u64 - 1).as_deref(), Some("def jobs"));
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "def before(): pass\n\ndef broken():\n    x = = 1\n    y = (1 +* 2)\n\nclass After:\n    def run(self): pass\n\ndef after(): pass\n";
    assert_defined(
        "Python",
        text,
        &["Function before 1", "Class After 7", "Method After.run 8", "Function after 10"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Python",
        r##"#!com
# com 'com
def kod():
    """str # str "str" 'str'"""
    kod = 'str # str' # com "com
    kod = r'str\' str' + kod + b"str" 'str'
    kod = f"str {kod} str {kod['str']:>{kod}} {{str}} str" + rb'''str
# str
'''
    kod = f'''str {f"str {kod(1)} str" + kod} str # str'''
    kod = "str \" str \\" + kod
"##,
    );
}
