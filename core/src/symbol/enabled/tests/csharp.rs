use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn classes_and_their_members() {
    let text = r#"
#define TRACE
using System;
using Table = System.Collections.Generic.Dictionary<string, int>;
namespace Acme.Jobs
{
    [Serializable]
    public partial class Job<T> : Base, IRunner where T : class
    {
        public const int Max = 10, Min = 1;
        private static readonly string label = "x";
        int a, b;
        public event EventHandler Done, Failed;
        public event EventHandler Custom { add { } remove { } }
        public string Name { get; private set; } = "n";
        public int Size => a + b;
        public int this[int i] { get => i; }
        static Job() { }
        public Job(int a) : base(a) { this.a = a; }
        ~Job() { }
        public async Task<R> Run<R>(R r) { int local = 1; const int c = 2; int Twice(int x) => x * 2; return r; }
        public void Run() { Action f = () => { }; var x = new { Anonymous = 1 }; }
        void IRunner.Stop() { }
        public static Job<T> operator +(Job<T> l, Job<T> r) => l;
        public static implicit operator int(Job<T> job) => 1;
        public delegate void Handler(object sender);
        #region Nested "types"
        struct Point { public int X; }
        #endregion
    }
}
"#;
    let expected = "
        Macro TRACE 2
        Type Table 4
        Module Acme.Jobs 5
        Class Acme.Jobs.Job 8
        Constant Acme.Jobs.Job.Max 10
        Constant Acme.Jobs.Job.Min 10
        Field Acme.Jobs.Job.label 11
        Field Acme.Jobs.Job.a 12
        Field Acme.Jobs.Job.b 12
        Field Acme.Jobs.Job.Done 13
        Field Acme.Jobs.Job.Failed 13
        Field Acme.Jobs.Job.Custom 14
        Field Acme.Jobs.Job.Name 15
        Field Acme.Jobs.Job.Size 16
        Field Acme.Jobs.Job.this 17
        Method Acme.Jobs.Job.Job 18
        Method Acme.Jobs.Job.Job 19
        Method Acme.Jobs.Job.Job 20
        Method Acme.Jobs.Job.Run 21
        Function Acme.Jobs.Job.Run.Twice 21
        Method Acme.Jobs.Job.Run 22
        Method Acme.Jobs.Job.Stop 23
        Method Acme.Jobs.Job.+ 24
        Method Acme.Jobs.Job.operator 25
        Type Acme.Jobs.Job.Handler 26
        Struct Acme.Jobs.Job.Point 28
        Field Acme.Jobs.Job.Point.X 28";
    assert_outline("C#", text, expected);
    let around = r#"
        Serializable -> class Acme.Jobs.Job
        = 1; -> class Acme.Jobs.Job
        x * 2 -> function Acme.Jobs.Job.Run.Twice
        X; -> field Acme.Jobs.Job.Point.X
        "n" -> field Acme.Jobs.Job.Name"#;
    assert_enclosing("C#", text, around);
}

#[test]
fn a_namespace_of_the_whole_file_and_other_types() {
    let text = r#"
namespace Acme.Shapes;

public record Point(int X, int Y = 0) { public int Sum() => X + Y; }
public readonly record struct Size(double W);
public interface IShape<out T> { T Area { get; } void Draw(); event Action Moved; }
[Flags]
enum Kind : byte { None = 0, [Obsolete] Round, Square }
public class Service(ILogger log)
{
    class Inner { static void Deep() { } }
#if DEBUG
    void Debug() { }
#else
    void Release() { }
#endif
}
"#;
    let expected = "
        Struct Acme.Shapes.Point 4
        Field Acme.Shapes.Point.X 4
        Field Acme.Shapes.Point.Y 4
        Method Acme.Shapes.Point.Sum 4
        Struct Acme.Shapes.Size 5
        Field Acme.Shapes.Size.W 5
        Interface Acme.Shapes.IShape 6
        Field Acme.Shapes.IShape.Area 6
        Method Acme.Shapes.IShape.Draw 6
        Field Acme.Shapes.IShape.Moved 6
        Enum Acme.Shapes.Kind 8
        EnumMember Acme.Shapes.Kind.None 8
        EnumMember Acme.Shapes.Kind.Round 8
        EnumMember Acme.Shapes.Kind.Square 8
        Class Acme.Shapes.Service 9
        Class Acme.Shapes.Service.Inner 11
        Method Acme.Shapes.Service.Inner.Deep 11
        Method Acme.Shapes.Service.Debug 13
        Method Acme.Shapes.Service.Release 15";
    assert_outline("C#", text, expected);
    let around = "
        Obsolete -> enum member Kind.Round
        X + Y -> method Point.Sum
        Flags -> enum Kind";
    assert_enclosing("C#", text, around);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "class A {\n  void Before() {}\n  void Broken() { int x = ; f(; }\n  int After() { return 1; }\n}\nclass Last { int field; }\n";
    assert_defined(
        "C#",
        text,
        &["Method A.Before 2", "Method A.After 4", "Class Last 6", "Field Last.field 6"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "C#",
        r##"
// com "com
/// com <com>
#region kod's "kod"
class kod {
    /* com 'com // com */
    object kod = "str // str \" str" + kod; // com
    object kod = @"str ""str"" \" + kod + @"
// str";
    object kod = $"str {kod} str {kod("str"):N2} {{str}} str";
    object kod = $@"str {kod} \" + kod;
    object kod = """str "str" // str""" + kod;
    object kod = $"""str {kod} "str" """ + kod;
    char kod = '"', kod = '\'', kod = '/';
    byte[] kod = "str"u8;
}
#endregion
"##,
    );
}
