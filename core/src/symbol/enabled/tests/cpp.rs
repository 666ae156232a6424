use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn classes_and_their_members() {
    let text = r#"
template <typename T, int N = 3>
class Queue final : public Base<T> {
 public:
  Queue() = default;
  explicit Queue(int size) : size_(size) {}
  Queue(const Queue&) = delete;
  virtual ~Queue() {}
  operator bool() const { return size_ > 0; }
  explicit operator int() const;
  bool operator==(const Queue& other) const { return size_ == other.size_; }
  Queue& operator=(const Queue& other);
  T* operator->() { return items_; }
  void *operator new(size_t size) { return nullptr; }
  virtual int run(int id) = 0;
  virtual const T& first() const = 0;
  void announced();
  template <class U> U get() const { return U(); }
  auto trailing() -> int { return 1; }
  friend class Other;
  friend void swap(Queue& a, Queue& b) {}
  using value_type = T;
  typedef T* pointer;
  enum class Kind : int { First, Second = 2 };
  struct Node { Node* next; void link(); };
  static constexpr int kMax = 4;
 private:
  mutable std::mutex lock_;
  T items_[N], *end_ = nullptr;
  T& ref_;
  std::function<void(int)> callback_;
  void (*hook_)(int);
  int size_{0};
};
"#;
    let expected = "
        Class Queue 3
        Method Queue::Queue 6
        Method Queue::~Queue 8
        Method Queue::operator bool 9
        Method Queue::operator== 11
        Method Queue::operator-> 13
        Method Queue::operator new 14
        Method Queue::run 15
        Method Queue::first 16
        Method Queue::get 18
        Method Queue::trailing 19
        Method Queue::swap 21
        Type Queue::value_type 22
        Type Queue::pointer 23
        Enum Queue::Kind 24
        EnumMember Queue::Kind::First 24
        EnumMember Queue::Kind::Second 24
        Struct Queue::Node 25
        Field Queue::Node::next 25
        Field Queue::kMax 26
        Field Queue::lock_ 28
        Field Queue::items_ 29
        Field Queue::end_ 29
        Field Queue::ref_ 30
        Field Queue::callback_ 31
        Field Queue::hook_ 32
        Field Queue::size_ 33";
    assert_outline("C++", text, expected);
    let around = "
        size_ == other -> method Queue::operator==
        next; -> field Queue::Node::next";
    assert_enclosing("C++", text, around);
}

#[test]
fn namespaces_and_definitions_outside_their_class() {
    let text = r#"
namespace app::io {
class Job;
int open(const char* path);
namespace { int hidden = 1; }
inline namespace v1 { struct Options { int depth; }; }
}
app::io::Job::Job(int id) : id_(id) { int local; }
app::io::Job::~Job() {}
const char* app::io::Job::name() const { return "x"; }
int Job::count = 0;
Job::Node::operator int() const { return 1; }
template <typename T, int N> void Queue<T, N>::announced() {
  struct Local { void call() {} };
  auto lambda = [](int x) { int y; return x; };
}
template <> struct std::hash<Job> { size_t operator()(const Job& j) const { return 0; } };
class Job::Inner { int a; };
std::ostream& operator<<(std::ostream& out, const Job& job) { return out; }
std::ostream& operator>>(std::ostream& out, const Job& job);
template <typename T> concept Small = sizeof(T) < 4;
template <typename T> constexpr bool is_small = Small<T>;
template <class T> using Vec = std::vector<T>;
extern "C" { int c_call(int a) { return a; } int c_proto(int); }
int operator""_km(unsigned long long n) { return n; }
void guarded(int a = 3) try { } catch (...) { }
auto handler = [](int x) { return x; };
"#;
    // Members of an anonymous namespace belong to the namespace around it.
    let expected = "
        Module app::io 2
        Variable app::io::hidden 5
        Module app::io::v1 6
        Struct app::io::v1::Options 6
        Field app::io::v1::Options::depth 6
        Method app::io::Job::Job 8
        Method app::io::Job::~Job 9
        Method app::io::Job::name 10
        Variable Job::count 11
        Method Job::Node::operator int 12
        Method Queue::announced 13
        Struct Queue::announced::Local 14
        Method Queue::announced::Local::call 14
        Struct std::hash 17
        Method std::hash::operator() 17
        Class Job::Inner 18
        Field Job::Inner::a 18
        Function operator<< 19
        Type Small 21
        Variable is_small 22
        Type Vec 23
        Function c_call 24
        Function operator\"\"_km 25
        Function guarded 26
        Variable handler 27";
    assert_outline("C++", text, expected);
    let around = r#"
        int y; -> method Queue::announced
        sizeof(T) -> type Small
        return out -> function operator<<
        "x" -> method app::io::Job::name"#;
    assert_enclosing("C++", text, around);
}

#[test]
fn macros_in_the_way() {
    let text = r#"
class API Exported : public Base { void run() {} };
class API Final API_FINAL : public Base { void stop() {} };
struct Iterator {
  iterator end() const NOEXCEPT_API
  { return 1; }
  ACCESSOR(size)
  int last;
};
TEST(QueueTest, IsEmpty) { EXPECT_EQ(1, 2); }
TEST_F(QueueTest, IsFull) { int local; }
namespace n VISIBILITY(default) { int inside; }
"#;
    let expected = "
        Class Exported 2
        Method Exported::run 2
        Class Final 3
        Method Final::stop 3
        Struct Iterator 4
        Method Iterator::end 5
        Field Iterator::last 8
        Method QueueTest::IsEmpty 10
        Method QueueTest::IsFull 11
        Module n 12
        Variable n::inside 12";
    assert_outline("C++", text, expected);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "class A { void f() {} };\nint broken() { = ; if (\n}\nclass B { int x; };\nvoid C::g() {}\nclass D {\n  int broken( { return ; }\n  int steady() { return 2; }\n};\nint last() { return 0; }\n";
    assert_defined(
        "C++",
        text,
        &[
            "Class A 1",
            "Class B 4",
            "Field B::x 4",
            "Method C::g 5",
            "Method D::steady 8",
            "Function last 10",
        ],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "C++",
        r####"
// com "com
auto kod = R"(str // str " str)"; auto kod = R"x(str )" str)x"; /* com */ auto kod = u8"str";
auto kod = "str"_kod; int kod = 1'000; char kod = '"'; // com
auto kod = LR"--(str
 /* str */ str)--"; auto kod = "str \" str" /* com */ "str";
"####,
    );
}
