use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn types_and_their_members() {
    let text = r#"
package com.example.jobs;

import java.util.List;

@Entity
public abstract class Job<T extends Comparable<T>> extends Base implements Runnable {
    public static final int MAX = 10, MIN = 1;
    private final List<T> items = new ArrayList<>();
    int a, b[] = {1};
    static { int local = 1; }

    public Job(int a) { this.a = a; }
    <R> Job() {}

    @Override
    public void run() { int local = 1; }
    public void run(int times) throws IOException { class Local { int x; void go() {} } }
    protected abstract <R> R map(Function<T, R> f);
    native int nat();

    Runnable task = new Runnable() {
        int count;
        @Override public void run() { Runnable r = () -> { int y = 1; }; }
    };

    static class Inner { class Deep { void deep() {} } }
    interface Callback { int LIMIT = 3; void done(int code); default void failed() {} }
}
"#;
    let expected = "
        Class com.example.jobs.Job 7
        Field com.example.jobs.Job.MAX 8
        Field com.example.jobs.Job.MIN 8
        Field com.example.jobs.Job.items 9
        Field com.example.jobs.Job.a 10
        Field com.example.jobs.Job.b 10
        Method com.example.jobs.Job.Job 13
        Method com.example.jobs.Job.Job 14
        Method com.example.jobs.Job.run 17
        Method com.example.jobs.Job.run 18
        Class com.example.jobs.Job.run.Local 18
        Field com.example.jobs.Job.run.Local.x 18
        Method com.example.jobs.Job.run.Local.go 18
        Method com.example.jobs.Job.map 19
        Method com.example.jobs.Job.nat 20
        Field com.example.jobs.Job.task 22
        Field com.example.jobs.Job.task.count 23
        Method com.example.jobs.Job.task.run 24
        Class com.example.jobs.Job.Inner 27
        Class com.example.jobs.Job.Inner.Deep 27
        Method com.example.jobs.Job.Inner.Deep.deep 27
        Interface com.example.jobs.Job.Callback 28
        Constant com.example.jobs.Job.Callback.LIMIT 28
        Method com.example.jobs.Job.Callback.done 28
        Method com.example.jobs.Job.Callback.failed 28";
    assert_outline("Java", text, expected);
    let around = "
        Entity -> class Job
        MIN = 1 -> field Job.MIN
        = 1; -> class Job
        Override -> method Job.run
        x; -> field Job.run.Local.x
        y = 1 -> method Job.task.run";
    assert_enclosing("Java", text, around);
}

#[test]
fn enums_records_annotations_and_modules() {
    let text = r#"
package one;
enum Kind implements Named {
    FILE, DIR("d") { @Override int depth() { return 1; } }, @Deprecated LINK;
    private final String label;
    Kind() {}
    int depth() { return 0; }
}
public record Point<T>(@NonNull T x, int... rest) implements Shape {
    static int count;
    public Point { if (x == null) throw new Error(); }
    T twice() { return x; }
}
@Retention(RUNTIME)
@interface Check { String value() default "x"; int[] groups() default {}; int MAX = 1; }
sealed interface Shape permits Point {}
"#;
    let expected = "
        Enum one.Kind 3
        EnumMember one.Kind.FILE 4
        EnumMember one.Kind.DIR 4
        Method one.Kind.DIR.depth 4
        EnumMember one.Kind.LINK 4
        Field one.Kind.label 5
        Method one.Kind.Kind 6
        Method one.Kind.depth 7
        Struct one.Point 9
        Field one.Point.x 9
        Field one.Point.rest 9
        Field one.Point.count 10
        Method one.Point.Point 11
        Method one.Point.twice 12
        Interface one.Check 15
        Method one.Check.value 15
        Method one.Check.groups 15
        Constant one.Check.MAX 15
        Interface one.Shape 16";
    assert_outline("Java", text, expected);
    assert_outline("Java", "module com.example { requires a.b; }", "Module com.example 1");
    let around = r#"
        "d") -> enum member Kind.DIR
        return 1 -> method Kind.DIR.depth
        throw new -> method Point.Point"#;
    assert_enclosing("Java", text, around);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "class A {\n  void before() {}\n  void broken( { int x = ; }\n  int after() { return 1; }\n}\nclass After { int field; }\n";
    assert_defined(
        "Java",
        text,
        &["Method A.before 2", "Method A.after 4", "Class After 6", "Field After.field 6"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Java",
        r#"
// com "com
/** com {@code com} 'com */
class kod {
    String kod = "str // str \" str /* str" + kod; // com
    char kod = '"', kod = '\'', kod = '/'; /* com // com */
    String kod = """
        str "str" // str \""" str
        """ + kod;
    @Kod("str") int kod;
}
"#,
    );
}
