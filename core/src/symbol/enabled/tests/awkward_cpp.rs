//! Macros and constructs of C and C++ that the grammars misread.

use super::{assert_outline, assert_regions};

const CPP: &str = r#"#define VERSION 1 // TODO
ABSL_NAMESPACE_BEGIN
namespace lib {
class MY_API A : public B {
 public:
  int size() const API_NOEXCEPT { return 1; }
  int count MY_GUARDED_BY(mutex_);
  const Node* absl_nonnull next_;
};
template <typename T>
class MY_OWNER flat_map : public Base<T> {
  using Key = T;
  void insert(T value) MY_LOCKS(mutex_) { values.push_back(value); }
  bool operator==(const flat_map& other) const { return true; }
};
struct MY_ALIGNED(64) State { int x; };
union MY_PACKED Word { int i; float f; };
class MY_LOCKABLE MY_UNUSED Mutex final { void lock() MY_LOCK() {} };
enum class MY_ENUM Level : int { LOW, HIGH };
MY_EXPORT template <typename Char> class basic_context {
  Char value;
};
MY_EXPORT_DECL class [[nodiscard]] Cleanup { int c; };
static void GCC_FMT_ATTR(1, 2) log_line(const char* text, ...) {}
Node * CALLCONV find_node(int id) { return nullptr; }
DWORD WINAPI ThreadProc(void* data) { return 0; }
STATIC_INLINE static HANDLE handle_of(int fd) { return 0; }
class MY_API Forward;
class Plain { int p; };
template <> class MY_API Matcher<const std::string&> : public Base<int> { int m; };
}  // namespace lib
ABSL_NAMESPACE_END
QT_BEGIN_NAMESPACE
class Q_SVG_EXPORT Widget : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(int width READ width WRITE setWidth)
public:
    explicit Widget(QWidget *parent = nullptr);
    int width() const { return w; }
signals:
    void changed();
private:
    int w;
};
UCLASS(BlueprintType, meta = (DisplayName = "x"))
class GAME_API UThing : public UObject
{
    GENERATED_BODY()
public:
    UPROPERTY(EditAnywhere)
    float Speed = 1.0f;
    UFUNCTION()
    void Tick() { Speed += 1; }
};
UENUM()
enum class EKind : uint8
{
    First UMETA(DisplayName = "First"),
    Second UMETA(DisplayName = "Second"),
};
QT_END_NAMESPACE
void Widget::paint() { if (a) {
#if DEBUG
    if (b) {
#else
    if (c) {
#endif
    } }
}
int after_branches() { return 1; }
"#;

const CPP_DEFINITIONS: &str = "
        Macro VERSION 1
        Module lib 3
        Class lib::A 4
        Method lib::A::size 6
        Field lib::A::count 7
        Field lib::A::next_ 8
        Class lib::flat_map 11
        Type lib::flat_map::Key 12
        Method lib::flat_map::insert 13
        Method lib::flat_map::operator== 14
        Struct lib::State 16
        Field lib::State::x 16
        Union lib::Word 17
        Field lib::Word::i 17
        Field lib::Word::f 17
        Class lib::Mutex 18
        Method lib::Mutex::lock 18
        Enum lib::Level 19
        EnumMember lib::Level::LOW 19
        EnumMember lib::Level::HIGH 19
        Class lib::basic_context 20
        Field lib::basic_context::value 21
        Class lib::Cleanup 23
        Field lib::Cleanup::c 23
        Function lib::log_line 24
        Function lib::find_node 25
        Function lib::ThreadProc 26
        Function lib::handle_of 27
        Class lib::Plain 29
        Field lib::Plain::p 29
        Class lib::Matcher 30
        Field lib::Matcher::m 30
        Class Widget 34
        Method Widget::width 40
        Field Widget::w 44
        Class UThing 47
        Field UThing::Speed 52
        Method UThing::Tick 54
        Enum EKind 57
        EnumMember EKind::First 59
        EnumMember EKind::Second 60
        Method Widget::paint 63
        Function after_branches 71
    ";

#[test]
fn awkward_cpp() {
    assert_outline("C++", CPP, CPP_DEFINITIONS);
}

#[test]
fn modules_of_cpp() {
    let text = r#"module;
#include <a.h>
export module lib.core;
import std;
export import :part;
export class Exported { public: void run() {} };
export template <typename T> struct Box { T value; };
export namespace inner { int f() { return 1; } }
export int g() { return 2; }
module :private;
int hidden() { return 3; }
"#;
    let expected = "
        Class Exported 6
        Method Exported::run 6
        Struct Box 7
        Field Box::value 7
        Module inner 8
        Function inner::f 8
        Function g 9
        Function hidden 11
    ";
    assert_outline("C++", text, expected);
}

#[test]
fn awkward_c() {
    let text = r#"
__BEGIN_DECLS
struct first { int a; };
struct PACKED second { int b; };
API_EXTERN int declared(const char *name);
static void GCC_FMT_ATTR(1, 2) say(const char *text, ...) { }
char * CALLCONV text_of(int id) { return 0; }
typedef struct third { int c; } third_t;
static YYSIZE_T
old_length (const char *text)
{
  return 0;
}
TEST_IMPL(tcp_open) {
  RETURN_OK();
}
typedef union YYSTYPE YYSTYPE;
int last(void) { return 0; }
__END_DECLS
"#;
    let expected = "
        Struct first 3
        Field first::a 3
        Struct second 4
        Field second::b 4
        Function say 6
        Function text_of 7
        Struct third 8
        Field third::c 8
        Type third_t 8
        Function old_length 10
        Function tcp_open 14
        Type YYSTYPE 17
        Function last 18
    ";
    assert_outline("C", text, expected);
}

#[test]
fn directives_have_comments_and_strings() {
    for language in ["C", "C++"] {
        let text = "#define A 1 // com\n#define B \"str\" /* com */\n#undef C // com\n\
            #pragma once // com\n#define D(kod) 'x' // com\nint kod; // com\n\
            #if kod // com\n#endif // com\n#define E kod \\\n  \"str\" // com\n";
        assert_regions(language, text);
    }
    // The parser does not see the string in a macro that is blanked.
    assert_regions("C++", "class DEPRECATED(\"str\") kod { int kod; /* com */ };\n");
    assert_regions("C++", "class kod : { \"str\" // com\n int kod( = ; /* com */ 'x' \"str\"\n");
}
