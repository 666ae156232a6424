// Uses the C++ wrapper correctly and incorrectly. Usage: face ROOT [TOOL ARGS]…
//
// ROOT contains the tree of the test runner. Standard output: the reply of each tool, one per line;
// then every match of a search for "needle" as path:line:column:text, and every path of a find.
#include "searchscope.hpp"

#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>
#ifdef TEST_HOOKS
extern "C" {
#include "../c/hooks.h"
}
#endif

using searchscope::CancelToken;
using searchscope::Error;
using searchscope::Workspace;
using searchscope::view;

namespace {

int failures = 0;

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            std::fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, __LINE__, __func__,  \
                         #condition);                                                        \
            failures++;                                                                      \
        }                                                                                    \
    } while (0)

const char needle[] = R"({"patterns":["needle"]})";
// The number of matches that the runner puts into many.log.
const char many[] = R"({"patterns":["many"]})";
const int n_many = 5000;

static_assert(!std::is_copy_constructible_v<Workspace> && !std::is_copy_assignable_v<Workspace>);
static_assert(std::is_nothrow_move_constructible_v<Workspace> && std::is_nothrow_move_assignable_v<Workspace>);
static_assert(!std::is_copy_constructible_v<CancelToken> && std::is_nothrow_move_constructible_v<CancelToken>);
static_assert(std::is_nothrow_copy_constructible_v<Error> && std::is_nothrow_copy_assignable_v<Error>);
static_assert(std::is_base_of_v<std::exception, Error>);

bool has(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

// Runs a failing call and checks every field of its error.
template <class Call> void check_error(searchscope_status status, const char *code, const char *part, Call &&call)
{
    try {
        call();
        std::fprintf(stderr, "%s: did not fail\n", code);
        failures++;
    } catch (const Error &error) {
        const Error copy = error;
        CHECK(copy.status() == status);
        CHECK(std::strcmp(copy.code(), code) == 0);
        CHECK(std::strlen(copy.what()) > 0);
        CHECK(has(copy.detail(), (std::string("{\"code\":\"") + code + "\",\"message\":\"").c_str()));
        CHECK(has(copy.detail(), part));
    }
}

void errors(const std::string &root)
{
    const Workspace workspace(root);
    const char *tool = "search_in_files";
    const auto call = [&](const char *args) { return [&workspace, tool, args] { workspace.call(tool, args); }; };

    check_error(SEARCHSCOPE_NOT_FOUND, "not_found", "", [&] { Workspace(root + "/no such"); });
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "colour", [&] { Workspace(root, R"({"colour":1})"); });
    check_error(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "root", [&] { Workspace("a\xff"); });
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "nothing", [&] { workspace.call("nothing", "{}"); });
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", call(""));
    check_error(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "args", call("{\"query\":\"\xf0\x9f\"}"));
    check_error(SEARCHSCOPE_PATTERN_SYNTAX, "pattern_syntax", "\"span\":{\"start\":",
                call(R"({"query":"a(","use_regex":true})"));
    check_error(SEARCHSCOPE_ACCESS_DENIED, "access_denied", "", call(R"({"query":"a","path":"../.."})"));
    check_error(SEARCHSCOPE_NOT_FOUND, "not_found", "\"path\":", call(R"({"query":"a","path":"no/such"})"));
    check_error(SEARCHSCOPE_RESULT_TOO_LARGE, "result_too_large", "", [&] {
        Workspace(root, R"({"reply_bytes_max":65536})").call(tool, R"({"query":"many"})");
    });
    check_error(SEARCHSCOPE_PATTERN_SYNTAX, "pattern_syntax", "",
                [&] { workspace.search_each(R"({"patterns":["("]})", [](const searchscope_match &) {}); });
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "",
                [&] { workspace.find_each("[]", [](const searchscope_found_file &) {}); });

    const Error bare(SEARCHSCOPE_PANIC);
    CHECK(bare.status() == SEARCHSCOPE_PANIC);
    CHECK(std::strcmp(bare.code(), "") == 0 && std::strcmp(bare.what(), "") == 0);
}

void texts_with_a_nul(const std::string &root)
{
    using namespace std::string_literals;
    const Workspace workspace(root);
    const std::vector<std::function<void()>> calls = {
        [&] { Workspace("/\0etc"s); },
        [&] { Workspace(root, "{}\0"s); },
        [&] { workspace.call("search\0"s, "{}"); },
        [&] { workspace.with_overlay("{}\0"s); },
    };
    for (const auto &call : calls) {
        bool refused = false;
        try {
            call();
        } catch (const std::invalid_argument &) {
            refused = true;
        }
        CHECK(refused);
    }
}

void moving(const std::string &root)
{
    Workspace first(root);
    const searchscope_workspace *handle = first.get();
    Workspace second(std::move(first));
    CHECK(first.get() == nullptr && second.get() == handle);
    check_error(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "workspace",
                [&] { first.call("search_in_files", needle); });
    first = std::move(second);
    CHECK(first.get() == handle);
    CHECK(has(first.call("search", needle), "\"complete\":true"));

    // A handle freed without the knowledge of its owner.
    Workspace stale(root);
    searchscope_workspace_free(const_cast<searchscope_workspace *>(stale.get()));
    check_error(SEARCHSCOPE_BAD_HANDLE, "bad_handle", "workspace", [&] { stale.call("search", needle); });
}

void stopping(const std::string &root)
{
    const Workspace workspace(root);
    int n_seen = 0;
    const auto ten = [&](const searchscope_match &) { return ++n_seen < 10; };
    const std::string report = workspace.search_each(many, ten);
    CHECK(n_seen == 10);
    CHECK(has(report, "\"stopped\":\"limit\"") && has(report, "\"cursor\":"));

    n_seen = 0;
    std::function<void(const searchscope_match &)> all = [&](const searchscope_match &) { n_seen++; };
    CHECK(has(workspace.search_each(many, all), "\"stopped\":\"none\""));
    CHECK(n_seen == n_many);

    n_seen = 0;
    workspace.find_each("{}", [&](const searchscope_found_file &) {
        n_seen++;
        return false;
    });
    CHECK(n_seen == 1);
}

// A callable with state that cannot be copied; it must be called in place.
struct Counter {
    std::unique_ptr<int> n_seen = std::make_unique<int>(0);
    void operator()(const searchscope_match &match) { *n_seen += static_cast<int>(match.n_spans); }
};

void callables(const std::string &root)
{
    const Workspace workspace(root);
    Counter counter;
    workspace.search_each(many, counter);
    CHECK(*counter.n_seen == n_many);
    workspace.search_each(many, Counter());

    int n_inner = 0;
    workspace.search_each(needle, [&](const searchscope_match &) {
        workspace.search_each(needle, [&](const searchscope_match &) { n_inner++; });
    });
    CHECK(n_inner == 4);
}

struct Thrown {
    int at;
};

void throwing(const std::string &root)
{
    const Workspace workspace(root);
    int n_seen = 0;
    try {
        workspace.search_each(many, [&](const searchscope_match &) {
            if (++n_seen == 3)
                throw Thrown{n_seen};
        });
        CHECK(!"this threw");
    } catch (const Thrown &thrown) {
        CHECK(thrown.at == 3 && n_seen == 3);
    }
    try {
        workspace.find_each("{}", [](const searchscope_found_file &) -> bool { throw std::runtime_error("mine"); });
        CHECK(!"this threw");
    } catch (const std::runtime_error &thrown) {
        CHECK(std::strcmp(thrown.what(), "mine") == 0);
    }
    // An error of the library inside a callback propagates like any other.
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", [&] {
        workspace.search_each(needle, [&](const searchscope_match &) { workspace.call("nothing", "{}"); });
    });
    CHECK(has(workspace.call("search", needle), "\"complete\":true"));
}

void cancelling(const std::string &root)
{
    const Workspace workspace(root);
    CancelToken token;
    int n_seen = 0;
    check_error(SEARCHSCOPE_CANCELLED, "cancelled", "", [&] {
        workspace.search_each(
            many,
            [&](const searchscope_match &) {
                if (n_seen++ == 0)
                    std::thread([&] { token.cancel(); }).join();
            },
            &token);
    });
    CHECK(n_seen > 0 && n_seen < n_many);
    const CancelToken moved(std::move(token));
    check_error(SEARCHSCOPE_CANCELLED, "cancelled", "", [&] { workspace.call("search", needle, &moved); });
    const CancelToken fresh;
    CHECK(has(workspace.call("search", needle, &fresh), "\"complete\":true"));
}

void sharing(const std::string &root)
{
    const Workspace workspace(root);
    const char *tool = "search_in_files", *args = R"({"query":"needle"})";
    const std::string expected = workspace.call(tool, args);
    std::vector<std::future<bool>> calls;
    for (int n = 0; n < 4; n++)
        calls.push_back(std::async(std::launch::async, [&] {
            int n_seen = 0;
            workspace.search_each(needle, [&](const searchscope_match &) { n_seen++; });
            return n_seen == 2 && workspace.call(tool, args) == expected;
        }));
    for (auto &call : calls)
        CHECK(call.get());
}

void unsaved(const std::string &root)
{
    const char *tool = "search_in_files", *args = R"({"query":"an unsaved text"})";
    const Workspace workspace(root);
    const Workspace edited = workspace.with_overlay(R"({"unsaved/new.txt":"an unsaved text"})");
    CHECK(has(edited.call(tool, args), "unsaved/new.txt") && !has(workspace.call(tool, args), "unsaved/new.txt"));
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "overlay", [&] { workspace.with_overlay("[]"); });
}

void indexing(const std::string &root)
{
    const Workspace cold(root);
    CHECK(has(cold.warm(), "{\"state\":\"off\",") && has(cold.index_status(), "{\"state\":\"off\","));

    Workspace workspace(root, R"({"index":"auto","memory_bytes_max":1048576})");
    CHECK(has(workspace.index_status(), "{\"state\":\"cold\","));
    CancelToken token;
    token.cancel();
    check_error(SEARCHSCOPE_CANCELLED, "cancelled", "", [&] { workspace.warm(&token); });
    const CancelToken fresh;
    const std::string status = workspace.warm(&fresh);
#ifdef __linux__
    CHECK(has(status, "{\"state\":\"ready\",") && has(workspace.index_status(), "{\"state\":\"ready\","));
#else
    CHECK(has(status, "{\"state\":\""));
#endif
    const char *tool = "search_in_files", *args = R"({"query":"needle"})";
    CHECK(workspace.call(tool, args) == cold.call(tool, args));

    const Workspace moved(std::move(workspace));
    CHECK(has(moved.warm(), "\"left_out\":0,"));
    check_error(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "workspace", [&] { workspace.warm(); });
    check_error(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "workspace", [&] { workspace.index_status(); });
    check_error(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "index", [&] { Workspace(root, R"({"index":"on"})"); });
}

void print(const std::string &root, int n_words, char **words)
{
    const Workspace workspace(root);
    for (int n = 0; n + 1 < n_words; n += 2)
        std::cout << workspace.call(words[n], words[n + 1]) << '\n';
    workspace.search_each(needle, [](const searchscope_match &match) {
        CHECK(match.struct_size == sizeof match && match.n_spans == 1 && match.spans[0].end > match.spans[0].start);
        CHECK(view(match.enclosing).empty() && view(match.enclosing).data() == nullptr);
        std::cout << view(match.path) << ':' << match.line << ':' << match.column << ':' << view(match.text) << '\n';
    });
    workspace.find_each(R"({"details":true})", [](const searchscope_found_file &file) {
        CHECK(file.struct_size == sizeof file && file.has_details && file.file_type == 'f');
        std::cout << view(file.path) << '\n';
    });
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    // A hang is a failure; valgrind and a loaded machine need some room.
    alarm(240);
    const std::string root = argv[1];
    CHECK(has(searchscope::tools(), "\"name\":\"search_in_files\""));
    errors(root);
    texts_with_a_nul(root);
    moving(root);
    stopping(root);
    callables(root);
    throwing(root);
    cancelling(root);
    sharing(root);
    unsaved(root);
    indexing(root);
    print(root, argc - 2, argv + 2);
    std::cout.flush();
#ifdef TEST_HOOKS
    // The library tracks its handles, so a leak checker does not report them as lost.
    CHECK(searchscope_test_live_handles() == 0);
#endif
    return failures == 0 ? 0 : 1;
}
