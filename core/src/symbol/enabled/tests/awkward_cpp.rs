//! Macros and constructs of C and C++ that the grammars misread.

use super::{assert_outline, assert_regions};

#[test]
fn awkward_cpp() {
    let text = r#"#define VERSION 1 // TODO
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
    assert_outline("C++", text, "");
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
    assert_outline("C++", text, "");
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
    assert_outline("C", text, "");
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
