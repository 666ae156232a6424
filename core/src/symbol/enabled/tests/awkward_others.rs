//! Constructs of other languages that the grammars misread, and definitions around syntax errors.

use super::{assert_outline, read};

#[test]
fn flow_in_javascript() {
    let text = r#"// @flow strict
import type {Path} from './types';
export type Options = {|
  +root: string,
  -cache?: ?Cache,
  ...
|};
export opaque type Id: string = string;
type Maybe = ?string;
class Graph<T> {
  +nodes: Map<string, T>;
  _root: ?Path = null;
  constructor(root: Path) { this._root = root; }
  find(id: ?Id): ?T { return this.nodes.get((id: any)); }
}
export async function build<T>(entry: string, ...rest: Array<T>): Promise<Graph<T>> {
  return new Graph(entry);
}
const size = (graph: Graph<mixed>): number => graph.nodes.size;
export default class Server extends Base<Options> { +start: () => void; stop(): void {} }
"#;
    let expected = "
        Type Options 3
        Field Options.root 4
        Field Options.cache 5
        Type Id 8
        Type Maybe 9
        Class Graph 10
        Field Graph.nodes 11
        Field Graph._root 12
        Method Graph.constructor 13
        Method Graph.find 14
        Function build 16
        Function size 19
        Class Server 20
        Field Server.start 20
        Method Server.stop 20
    ";
    assert_outline("JavaScript", text, expected);
}

#[test]
fn extension_blocks_of_csharp() {
    let text = r#"namespace N;
public static class Extensions
{
    extension(string text)
    {
        public int Words => text.Length;
        public bool IsBlank() => text == "";
    }
    extension<T>(IEnumerable<T> source) where T : class
    {
        public T First() { return source.First(); }
    }
    public static void Set(Order a, int c) { a?.Total = c; a?.Items[0] = c; }
    public static int After() => 1;
}
public class Next { public int Value { get; set; } }
"#;
    let expected = "
        Class N.Extensions 2
        Field N.Extensions.Words 6
        Method N.Extensions.IsBlank 7
        Method N.Extensions.First 11
        Method N.Extensions.Set 13
        Method N.Extensions.After 14
        Class N.Next 16
        Field N.Next.Value 16
    ";
    assert_outline("C#", text, expected);
}

/// A construct that a grammar does not know hides none of the definitions after it.
#[test]
fn definitions_after_an_error_are_found() {
    for (language, text, names) in [
        (
            "Java",
            "class A { void f( { } }\nclass B {\n  int @@ x;\n  void g() { }\n}\nenum C { X }",
            "A B g C X",
        ),
        (
            "Go",
            "func a() { x := := }\ntype T struct { )\n}\nfunc (t *T) m() {}\nfunc last() {}",
            "a T m last",
        ),
        (
            "Rust",
            "fn a() { let = ; }\nstruct S { x: }\nmod m { fn b( {} }\nfn last() {}",
            "a S m b last",
        ),
        (
            "PHP",
            "<?php class A { function f( { } }\nclass B { function g() { } }\nfunction last() {}",
            "A f B g last",
        ),
        (
            "TypeScript",
            "class A { f( { } }\ninterface B { x: @@; }\nfunction last() {}",
            "A B last",
        ),
        (
            "Python",
            "class A:\n  def f(self:\n    pass\nclass B:\n  def g(self): pass\ndef last(): pass",
            "A f B g last",
        ),
        (
            "Ruby",
            "class A\n  def f(\n  end\nend\nmodule M\n  def g; end\nend\ndef last; end",
            "A f M g last",
        ),
        ("Kotlin", "class A { fun f( { } }\nobject B { val x = }\nfun last() {}", "A f B last"),
    ] {
        let outline = read(language, text).outline.expect("requested");
        let found: Vec<&str> = outline.symbols().iter().map(|symbol| symbol.name()).collect();
        for name in names.split(' ') {
            assert!(found.contains(&name), "{language}: {name} is not in {found:?}");
        }
    }
}

#[test]
fn recovered_definitions_and_unread_lines_are_marked() {
    let text = "fun good() {}\nfun guarded(x: Any) = when (x) { is A if b -> 1; else -> 2 }\n";
    let outline = read("Kotlin", text).outline.expect("requested");
    let marks: Vec<_> =
        outline.symbols().iter().map(|one| (one.name(), one.is_recovered())).collect();
    assert_eq!(marks, [("good", false), ("guarded", true)]);
    assert_eq!(outline.unread_lines().count(), 0);

    let text = "class A {\n  fun f() {}\n  strange thing {\n    call()\n  }\n  )\n}\n";
    let outline = read("Kotlin", text).outline.expect("requested");
    let unread: Vec<_> = outline.unread_lines().collect();
    assert_eq!(unread, [3..=5]);
    let remark = outline.unread_remark();
    assert_eq!(remark.as_deref(), Some("syntax errors hide possible definitions in lines 3-5"));
}
