use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn variables_functions_and_forward_declarations() {
    let text = r#"
#include <linux/module.h>
#define VERSION "1.0"
#define max(a, b) \
	((a) > (b) ? (a) : (b))
struct device;
extern int announced;
int prototype(int a, char *b);
static int a, *b, c[3] = { 1, 2, 3 }, (*handler)(int);
static const char *const names[] = { "a", "b" };
static int ***deep(void)
{
	#define LOCAL 1
	int local, *other = NULL;
	static int counter;
	for (int i = 0; i < 3; i++) { int inner = i; }
	struct on_stack { int x; } s;
}
static inline void (*signal(int number, void (*action)(int)))(int) { return action; }
int (parenthesised)(int x) { return x; }
int old_style(x, y)
	int x;
	char *y;
{
	return x;
}
main() { return 0; }
void noreturn_one(void) __attribute__((noreturn));
static void __attribute__((cold)) cold_one(void) { }
#ifdef DEBUG
void dump(void) { print("a" "b"); }
#endif
"#;
    let expected = "
        Macro VERSION 3
        Macro max 4
        Variable a 9
        Variable b 9
        Variable c 9
        Variable handler 9
        Variable names 10
        Function deep 11
        Macro deep::LOCAL 13
        Struct deep::on_stack 17
        Field deep::on_stack::x 17
        Function signal 19
        Function parenthesised 20
        Function old_style 21
        Function main 27
        Function cold_one 29
        Function dump 31";
    assert_outline("C", text, expected);
    let around = "
        ((a) > (b) -> macro max
        *b, c -> var a
        c[3] -> var c
        int inner -> function deep
        return action -> function signal
        print( -> function dump
        prototype -> -";
    assert_enclosing("C", text, around);
}

#[test]
fn types_and_their_members() {
    let text = r#"
struct job {
	struct list_head list;
	unsigned int state : 3, flags : 5;
	int (*run)(struct job *job, void *data);
	char *names[8], **rest;
	union { u32 raw; struct { u16 low, high; }; };
	struct { int x, y; } at, *before;
	enum { IDLE, BUSY = 4 } what;
#ifdef CONFIG_DEBUG
	int traced;
#else
	int untraced;
#endif
};
"#;
    let expected = "
        Struct job 2
        Field job::list 3
        Field job::state 4
        Field job::flags 4
        Field job::run 5
        Field job::names 6
        Field job::rest 6
        Field job::raw 7
        Field job::low 7
        Field job::high 7
        Field job::at 8
        Field job::before 8
        Field job::at::x 8
        Field job::at::y 8
        Field job::what 9
        EnumMember job::what::IDLE 9
        EnumMember job::what::BUSY 9
        Field job::traced 11
        Field job::untraced 13";
    assert_outline("C", text, expected);
    let around = "
        void *data -> field job::run
        raw; -> field job::raw
        low, -> field job::low
        high; -> field job::high
        y; -> field job::at::y
        BUSY = 4 -> enum member job::what::BUSY";
    assert_enclosing("C", text, around);
}

#[test]
fn types_and_their_other_names() {
    let text = r#"
typedef struct { int q; } job_t, *job_p;
typedef struct node { struct node *next; } node_t;
typedef union { int i; float f; } number;
typedef enum { RED, GREEN } colour;
typedef int (*compare_fn)(const void *, const void *);
typedef unsigned long ulong_t, pages_t[4];
typedef struct job job_alias;
union both { int i; };
enum kind {
	FIRST = 1,
	SECOND,
#ifdef X
	THIRD
#endif
};
static struct table { int size; } first_table, *second_table;
"#;
    let expected = "
        Struct job_t 2
        Type job_p 2
        Field job_t::q 2
        Struct node 3
        Field node::next 3
        Type node_t 3
        Union number 4
        Field number::i 4
        Field number::f 4
        Enum colour 5
        EnumMember colour::RED 5
        EnumMember colour::GREEN 5
        Type compare_fn 6
        Type ulong_t 7
        Type pages_t 7
        Type job_alias 8
        Union both 9
        Field both::i 9
        Enum kind 10
        EnumMember kind::FIRST 11
        EnumMember kind::SECOND 12
        EnumMember kind::THIRD 14
        Struct table 17
        Field table::size 17
        Variable first_table 17
        Variable second_table 17";
    assert_outline("C", text, expected);
}

#[test]
fn attributes_that_are_macros_do_not_take_the_place_of_names() {
    let text = r#"
static int __init ring_init(void) { return 0; }
static int __maybe_unused ring_suspend(struct device *dev) { return 0; }
int __must_check ring_register(void)
{
	return 0;
}
static const struct of_device_id ring_ids[] __initconst = { { .x = 1 }, {} };
static struct workqueue_struct *ring_wq __read_mostly;
static unsigned int ring_size __read_mostly = 4;
static struct mdio_device_id __maybe_unused ring_tbl[] = { { 1 }, };
struct packet {
	u8 data[4] __aligned(4);
	__le16 length __packed;
	struct { int a; } __packed head;
	__be32 __reserved[2];
} __packed;
struct layout { int a; } __randomize_layout;
typedef u32 __bitwise ring_flags;
static DEFINE_MUTEX(ring_mutex);
static LIST_HEAD(ring_list);
module_init(ring_init);
MODULE_LICENSE("GPL");
EXPORT_SYMBOL(ring_register);
"#;
    let expected = "
        Function ring_init 2
        Function ring_suspend 3
        Function ring_register 4
        Variable ring_ids 8
        Variable ring_wq 9
        Variable ring_size 10
        Variable ring_tbl 11
        Struct packet 12
        Field packet::data 13
        Field packet::length 14
        Field packet::head 15
        Field packet::head::a 15
        Field packet::__reserved 16
        Struct layout 18
        Field layout::a 18
        Type ring_flags 19
        Variable ring_mutex 20
        Variable ring_list 21";
    assert_outline("C", text, expected);
}

#[test]
fn macros_with_blocks() {
    let text = r#"
SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)
{
	int local = 1;
	return local;
}
DEFINE_HANDLER(interrupt)
{
	ack();
}
static void each(void)
{
	for_each_cpu(cpu) { stop(cpu); }
	for_each_node(node, mask) { stop(node); }
	list_for_each_entry(entry, &list, node)
		drop(entry);
#ifdef CONFIG_CPUS
	for_each_possible_cpu(i) {
		start(i);
	}
#endif
}
main(argc) { return 0; }
"#;
    let expected = "Function read 2\nFunction interrupt 7\nFunction each 11\nFunction main 23";
    assert_outline("C", text, expected);
}

#[test]
fn braces_that_an_if_of_the_preprocessor_opens_twice() {
    let text = r#"
static int before(void) { return 0; }
static struct node *repair(struct table *table, int n)
{
	int children;
	struct node *child;

	for (;;) {
		if (children == 3
#ifdef CONFIG_SUBTREES
		    || (n && child)) {
#else
		    || n) {
#endif
			int lost = 1;
			return child;
		}
	}
}
static int after(struct table *t)
{
	int local = 0;
	return local;
}
struct last { int x; };
"#;
    let found = super::outline("C", text);
    for name in ["Function before 2", "Function repair 3", "Function after 20"] {
        assert!(found.iter().any(|line| line == name), "{name}: {found:?}");
    }
    assert!(!found.iter().any(|line| line.starts_with("Variable")), "{found:?}");
}

#[test]
fn lines_that_are_macros_without_a_semicolon() {
    let text = r#"
DECLARE_FUNCTIONS(JOB)
typedef struct job_st JOB;
DECLARE_STACK(A, B, C)
#define sk_first(x) 1
DECLARE_FUNCTIONS(NODE)
struct node { int x; };
static DECLARE_FUNCTIONS(TREE)
# define TREE_MAX 1
PyAPI_DATA(PyTypeObject) Ellipsis_Type;
PyAPI_FUNC(int) Foo_New(int a);
enum registers {
	RegStatus = 0x000,
#define STATUS_EVENT	0x040
#define STATUS_MASK	0x83ff
	RegMask = 0x004,
#define MASK_ERROR(x) \
	((x) | 1)
};
/*
#define COMMENT 1
*/
"#;
    let found = super::outline("C", text);
    for name in [
        "Type JOB 3",
        "Macro sk_first 5",
        "Struct node 7",
        "Macro TREE_MAX 9",
        "Variable Ellipsis_Type 10",
        "EnumMember registers::RegStatus 13",
        "Macro registers::STATUS_EVENT 14",
        "Macro registers::STATUS_MASK 15",
        "Macro registers::MASK_ERROR 17",
    ] {
        assert!(found.iter().any(|line| line == name), "{name}: {found:?}");
    }
    assert!(!found.iter().any(|line| line.contains("COMMENT")), "{found:?}");
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "int before(void) { return 1; }\n\nint broken(int a {\n\treturn a +;\n}\n\n/* after it */\nstruct after { int x; };\nint last(void) { return f(\"x\"); }\n";
    assert_defined(
        "C",
        text,
        &["Function before 1", "Struct after 8", "Field after::x 8", "Function last 9"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "C",
        r#"
#include <str.h> // com
#include "str.h" /* com "com */
char *kod = "str /* str */ // str", kod = 's', *kod = L"str" "str";
int kod = '"'; /* com ' com */ int kod = '\''; // com \
   com
char *kod = "str \" str \
  str"; int kod /* com // com */ = 3;
"#,
    );
}

#[test]
fn one_declaration_of_many_names_is_read_in_one_go() {
    read_one_declaration(4_000);
}

/// A parser that starts over at each name would exceed the time limit of the text.
#[test]
fn long_run_one_declaration_of_many_names_is_read_in_one_go() {
    read_one_declaration(20_000);
}

fn read_one_declaration(n_names: usize) {
    let names: Vec<String> = (0..n_names).map(|n| format!("__x{n}")).collect();
    let text = format!("int {};\nstruct s {{ int {}; }};\n", names.join(", "), names.join(", "));
    for language in ["C", "C++"] {
        assert_eq!(super::outline(language, &text).len(), 2 * names.len() + 1, "{language}");
    }
}

#[test]
fn attributes_by_macros_hide_no_declaration() {
    let text = r#"
static __always_inline __alloc_size(1) void *kmalloc(size_t size, gfp_t flags)
{
	return __kmalloc(size, flags);
}
void *__kmalloc(size_t size, gfp_t flags) __assume_kmalloc_alignment __alloc_size(1);
__printf(1, 2) int say(const char *format, ...)
{
	return __call(1) * __other(2);
}
static int table[] __section(".init.data") = { 1 };
int last(void) __must_hold(lock)
{
	return 0;
}
"#;
    assert_outline(
        "C",
        text,
        "
        Function kmalloc 2
        Function say 7
        Variable table 11
        Function last 12",
    );
}
