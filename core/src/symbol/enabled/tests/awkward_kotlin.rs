//! Constructs of Kotlin that the grammar misreads.

use super::assert_outline;

const KOTLIN: &str = r#"package p

fun guarded(x: Any) = when (x) { is String if x.length > 1 -> 1; else -> 2 }
fun last() {}

context(scope: Scope, log: Logger)
fun withContext(a: Int): Int = a

context(scope: Scope)
val Scope.inContext: Int get() = 1

class Holder {
    val city: StateFlow<String>
        field = MutableStateFlow("")
    fun afterField() {}
}

val block = suspend { delay(1) }
fun afterSuspend() {}
private fun check(suspend: Boolean) {
    run(suspend = suspend)
}
fun afterName() {}

@Target(AnnotationTarget.CLASS)
@MustBeDocumented annotation class Checked
@Retention annotation class Other

@Preview
@Composable
private fun BackgroundPreview() {
    Box { fun inner() {} }
}
@Preview @Composable private fun OneLinePreview() { Box() }

fun literals() { take(["a", "b"]) }
fun afterLiterals() {}

public value class Result @PublishedApi internal constructor(@PublishedApi internal val holder: Any?) {
    val isOk: Boolean get() = holder !is Failed
    fun getOrNull(): Any? = if (holder !is Failed) holder else null
    internal open class Failed {
        override fun toString(): String = "fun no() { class No"
    }
    companion object {
        private val failed = Failed()
        fun <E> success(value: E): Result =
            Result(value)
    }
}

sealed interface Shape {
    data class Circle(val radius: Double) : Shape
    data object Nothing : Shape
    fun area(): Double = when (this) {
        is Circle if radius > 0 -> 1.0
        is Circle -> 0.0
        else -> 0.0
    }
}
/* fun commented() {} /* class Nested */ fun still() {} */
val text = """
fun inText() {}
"""
val template = "${ listOf("}").map { "fun x() {" } }"
fun `a name with spaces`() {}
fun <T : Any> List<T>.second(): T = this[1]
fun String?.orNone() = this ?: "none"
fun (suspend () -> Unit).start() {}
fun interface Action { fun act() }
enum class Level(val n: Int) {
    LOW(1), HIGH(2) { override fun name2() = "x" };
    abstract fun name2(): String
    fun bad(x: Any) = when (x) { is Int if x > 1 -> 1; else -> 2 }
}
typealias Handler = suspend (String) -> Unit
const val LIMIT = 10
inline fun <reified T> of(crossinline make: () -> T): T = make()
tailrec fun loop(n: Int): Int = if (n == 0) 0 else loop(n - 1)
operator fun Shape.plus(other: Shape): Shape = other
object Registry : Base() {
    init { register() }
    val items by lazy { listOf<Int>() }
    fun add(x: Any): Boolean = when {
        x is Int && x > 1 -> true
        else -> false
    }
}
class Annotated @Inject constructor(
    private val a: A,
    @Named("b") val b: B,
) : Base(a), Other by b {
    @Volatile private var state = 0
    override suspend fun run() = withContext(Dispatchers.IO) { state++ }
    inner class Inner { fun deep() {} }
}
fun end() = Unit
"#;

const KOTLIN_DEFINITIONS: &str = "
        Function p.guarded 3
        Function p.last 4
        Function p.withContext 7
        Variable p.Scope.inContext 10
        Class p.Holder 12
        Field p.Holder.city 13
        Method p.Holder.afterField 15
        Variable p.block 18
        Function p.afterSuspend 19
        Function p.check 20
        Function p.afterName 23
        Class p.Checked 26
        Class p.Other 27
        Function p.BackgroundPreview 31
        Function p.BackgroundPreview.inner 32
        Function p.OneLinePreview 34
        Function p.literals 36
        Function p.afterLiterals 37
        Class p.Result 39
        Field p.Result.holder 39
        Field p.Result.isOk 40
        Method p.Result.getOrNull 41
        Class p.Result.Failed 42
        Method p.Result.Failed.toString 43
        Field p.Result.failed 46
        Method p.Result.success 47
        Interface p.Shape 52
        Class p.Shape.Circle 53
        Field p.Shape.Circle.radius 53
        Class p.Shape.Nothing 54
        Method p.Shape.area 55
        Variable p.text 62
        Variable p.template 65
        Function p.a name with spaces 66
        Method p.List.second 67
        Method p.String.orNone 68
        Function p.start 69
        Interface p.Action 70
        Method p.Action.act 70
        Enum p.Level 71
        Field p.Level.n 71
        EnumMember p.Level.LOW 72
        EnumMember p.Level.HIGH 72
        Method p.Level.HIGH.name2 72
        Method p.Level.name2 73
        Method p.Level.bad 74
        Type p.Handler 76
        Constant p.LIMIT 77
        Function p.of 78
        Function p.loop 79
        Method p.Shape.plus 80
        Class p.Registry 81
        Field p.Registry.items 83
        Method p.Registry.add 84
        Class p.Annotated 89
        Field p.Annotated.a 90
        Field p.Annotated.b 91
        Field p.Annotated.state 93
        Method p.Annotated.run 94
        Class p.Annotated.Inner 95
        Method p.Annotated.Inner.deep 95
        Function p.end 97
    ";

#[test]
fn awkward_kotlin() {
    assert_outline("Kotlin", KOTLIN, KOTLIN_DEFINITIONS);
}
