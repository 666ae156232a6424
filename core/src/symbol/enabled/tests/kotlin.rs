use super::{assert_defined, assert_enclosing, assert_outline, assert_regions, outline};

#[test]
fn classes_and_their_members() {
    let text = r#"
package com.example.jobs

import kotlin.io.path as p

@Serializable
data class Job<T : Any>(val name: String = DEFAULT, private var count: Int, plain: Int) : Base(plain) {
    constructor(name: String) : this(name, 0, 1) {
        val local = 1
    }

    init {
        val local = 2
    }

    val size: Int
        get() = count
    lateinit var next: Job<T>
    val lazy by lazy {
        val local = 3
        local
    }
    override suspend fun <R> run(block: (T) -> R): R {
        fun inner() = 1
        return block(inner())
    }

    inner class Deep {
        fun deep() = size
    }

    companion object {
        const val DEFAULT = "x"
        @JvmStatic
        fun of(name: String) = Job<Any>(name)
    }
}
"#;
    let expected = "
        Class com.example.jobs.Job 7
        Field com.example.jobs.Job.name 7
        Field com.example.jobs.Job.count 7
        Method com.example.jobs.Job.constructor 8
        Field com.example.jobs.Job.size 16
        Field com.example.jobs.Job.next 18
        Field com.example.jobs.Job.lazy 19
        Method com.example.jobs.Job.run 23
        Function com.example.jobs.Job.run.inner 24
        Class com.example.jobs.Job.Deep 28
        Method com.example.jobs.Job.Deep.deep 29
        Constant com.example.jobs.Job.DEFAULT 33
        Method com.example.jobs.Job.of 35";
    assert_outline("Kotlin", text, expected);
    let around = "
        Serializable -> class Job
        = count -> field Job.size
        block(inner -> fun Job.run
        local = 2 -> class Job";
    assert_enclosing("Kotlin", text, around);
}

#[test]
fn interfaces_and_classes_without_a_body() {
    let text = r#"
interface Visit {
    val depth: Int
    fun visit(n: Int)
}

fun interface Done {
    fun done()
}
annotation class Check(val value: String)
@JvmInline
value class Id(val raw: Long)
"#;
    let expected = "
        Interface Visit 2
        Field Visit.depth 3
        Method Visit.visit 4
        Interface Done 7
        Method Done.done 8
        Class Check 10
        Field Check.value 10
        Class Id 12
        Field Id.raw 12";
    assert_outline("Kotlin", text, expected);
}

#[test]
fn enums_and_objects() {
    let text = r#"
enum class Kind(val label: String) {
    FILE("f"),
    DIR("d") {
        override fun depth() = 1
    };

    open fun depth() = 0
    val known = true
}
sealed class Result {
    data class Ok(val value: Int) : Result()
    object Failed : Result()
}
object Registry : Base() {
    private val jobs = mutableListOf<Job>()
    fun add(job: Job) = jobs.add(job)
}
class Named {
    companion object Factory {
        fun make() = Named()
    }
}
"#;
    let expected = "
        Enum Kind 2
        Field Kind.label 2
        EnumMember Kind.FILE 3
        EnumMember Kind.DIR 4
        Method Kind.DIR.depth 5
        Method Kind.depth 8
        Field Kind.known 9
        Class Result 11
        Class Result.Ok 12
        Field Result.Ok.value 12
        Class Result.Failed 13
        Class Registry 15
        Field Registry.jobs 16
        Method Registry.add 17
        Class Named 19
        Class Named.Factory 20
        Method Named.Factory.make 21";
    assert_outline("Kotlin", text, expected);
    let around = r#"
        "d") -> enum member Kind.DIR
        = 1 -> fun Kind.DIR.depth"#;
    assert_enclosing("Kotlin", text, around);
}

#[test]
fn top_level_declarations() {
    let text = r#"
typealias Handler<T> = (T) -> Unit
const val MAX = 10
private val cache by lazy { mapOf<String, Int>() }
var total = 0
val String.shout: String get() = uppercase()
fun String.twice(): String = this + this
fun <K, V> Map.Entry<K, V>?.pair(): Pair<K, V>? = null
infix fun List<Int>.plus(other: Int): List<Int> = this
operator fun Job.invoke() = Unit
fun main(args: Array<String>) {
    val local = object : Runnable {
        val field = 1
        override fun run() {}
    }
    val (a, b) = 1 to 2
}
"#;
    let expected = "
        Type Handler 2
        Constant MAX 3
        Variable cache 4
        Variable total 5
        Variable String.shout 6
        Method String.twice 7
        Method Entry.pair 8
        Method List.plus 9
        Method Job.invoke 10
        Function main 11
        Field main.field 13
        Method main.run 14";
    assert_outline("Kotlin", text, expected);
    let around = "
        this + this -> fun String.twice";
    assert_enclosing("Kotlin", text, around);
}

#[test]
fn classes_of_one_line() {
    let text = r#"
class Job(val name: String) { val size = 1 }
interface Visit { fun visit(n: Int) } // com }
object All { const val MAX = "str }" }
class Outer {
    class Inner { fun run() {} }
    companion object { fun make() = Outer() }
}
fun after() = listOf(1).map { it }
"#;
    let expected = "
        Class Job 2
        Field Job.name 2
        Field Job.size 2
        Interface Visit 3
        Method Visit.visit 3
        Class All 4
        Constant All.MAX 4
        Class Outer 5
        Class Outer.Inner 6
        Method Outer.Inner.run 6
        Method Outer.make 7
        Function after 9";
    assert_outline("Kotlin", text, expected);
    let broken = format!("class Bad {{ val x = ; fun f() {{}} }}\n{text}");
    let found = outline("Kotlin", &broken);
    assert!(found.iter().any(|line| line == "Function after 10"), "{found:?}");
    let text_and_comments =
        "class A { val x = \"str }\" } // com }\nclass B { fun kod() {} } /* com } */";
    assert_regions("Kotlin", text_and_comments);
    let carriage_returns = text.replace('\n', "\r\n");
    assert_outline("Kotlin", &carriage_returns, expected);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "class A {\n    fun before() {}\n    fun broken() { val x = ; }\n    fun after() = 1\n}\n\nclass After {\n    val field = 1\n}\n";
    assert_defined(
        "Kotlin",
        text,
        &["Method A.before 2", "Method A.after 4", "Class After 7", "Field After.field 8"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Kotlin",
        r##"#!com
// com "com
/* com /* com */ com 'com */
val kod = "str // str \" str ${kod + "str ${kod} str"} str" // com
val kod = '"' + '\'' + kod
val kod = """str " \ str // str
  ${kod("str")} str $kod
""" + kod
fun `kod`() = kod
"##,
    );
}
