use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn types_and_their_members() {
    let text = r#"
package jobs

import str "strings"

// Job is generic.
type Job[T any, K comparable] struct {
	name, label string `json:"name"`
	next  *Job[T, K]
	_     [0]func()
	opts  struct { depth int; wide bool }
	*io.Reader
	sync.Mutex
	Base
	List[T]
}

type (
	Runner interface {
		Run(ctx context.Context) error
		fmt.Stringer
	}
	Number interface { ~int | ~float64 }
	Visit func(n int) bool
	Alias = Runner
)
type ID uint64
type Entry = struct { Path string }
"#;
    let expected = "
        Struct jobs.Job 7
        Field jobs.Job.name 8
        Field jobs.Job.label 8
        Field jobs.Job.next 9
        Field jobs.Job.opts 11
        Field jobs.Job.opts.depth 11
        Field jobs.Job.opts.wide 11
        Field jobs.Job.Reader 12
        Field jobs.Job.Mutex 13
        Field jobs.Job.Base 14
        Field jobs.Job.List 15
        Interface jobs.Runner 19
        Method jobs.Runner.Run 20
        Interface jobs.Number 23
        Type jobs.Visit 24
        Type jobs.Alias 25
        Type jobs.ID 27
        Type jobs.Entry 28
        Field jobs.Entry.Path 28";
    assert_outline("Go", text, expected);
    let around = "
        json: -> struct Job
        Stringer -> interface Runner
        depth -> field Job.opts.depth";
    assert_enclosing("Go", text, around);
}

#[test]
fn functions_methods_constants_and_variables() {
    let text = r#"
package main

const Max, Min = 10, 1
const (
	A = iota
	B
	_
	C, D = iota, "x"
)
var x, y int
var _ Runner = (*Job)(nil)
var (
	z = func() { const inner = 1; var local int }
	v, w = f()
)
func Map[T, U any](in []T, f func(T) U) (out []U) {
	type pair struct { a, b int }
	var local = 1
	const deep = 2
	tests := []struct{ want int }{{1}}
	return
}
func (j *Job[T, K]) Run(ctx context.Context) error { return nil }
func (j Job[T, K]) Name() string
func (ID) String() string { label: return "" }
func (*ID) Set(s string) {}
func init() {}
"#;
    let expected = "
        Constant main.Max 4
        Constant main.Min 4
        Constant main.A 6
        Constant main.B 7
        Constant main.C 9
        Constant main.D 9
        Variable main.x 11
        Variable main.y 11
        Variable main.z 14
        Variable main.v 15
        Variable main.w 15
        Function main.Map 17
        Struct main.Map.pair 18
        Field main.Map.pair.a 18
        Field main.Map.pair.b 18
        Method main.Job.Run 24
        Method main.Job.Name 25
        Method main.ID.String 26
        Method main.ID.Set 27
        Function main.init 28";
    assert_outline("Go", text, expected);
    let around = "
        = iota -> const A
        a, b int -> struct Map.pair
        local = 1 -> func Map
        return nil -> func Job.Run
        label: -> func ID.String";
    assert_enclosing("Go", text, around);
}

#[test]
fn the_keyword_belongs_to_a_single_declaration() {
    let text = "package p\ntype ID uint64\nconst Max = 1\ntype (\n\tA int\n\tB int\n)\n";
    let around = "
        type ID -> type ID
        const Max -> const Max
        B int -> type B
        type ( -> -";
    assert_enclosing("Go", text, around);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "package p\nfunc before() {}\nfunc broken( {\n\tx := \n}\ntype After struct { field int }\nfunc after() {}\n";
    assert_defined("Go", text, &["Function p.before 2", "Struct p.After 6", "Function p.after 7"]);
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Go",
        r#"
// com "com
package kod
/* com 'com
// com */
var kod = "str // str \" str" + kod
var kod = `str " \` + kod + `
/* str */`
var kod = 'x' + '\'' + '"' // com
type kod interface{} // com
func kod() { kod(`str`, 'x', "str") }
"#,
    );
}
