/*
 * searchscope for C++17: searchscope.h with owners, exceptions and callables. Header-only; link with
 * libsearchscope as a C program does. The manual is searchscope.h; this file documents the differences.
 *
 *     try {
 *         searchscope::Workspace workspace("/path/to/project");
 *         workspace.search_each(R"({"patterns": ["TODO"]})", [](const searchscope_match &match) {
 *             std::cout << searchscope::view(match.path) << ':' << match.line << '\n';
 *         });
 *     } catch (const searchscope::Error &error) {
 *         std::cerr << error.code() << ": " << error.what() << '\n';
 *         return 1;
 *     }
 *
 * OWNERSHIP: Workspace and CancelToken own their handle and free it. They can be moved but not copied; a
 * moved-from object may only be destroyed or assigned to. Replies are strings that you own.
 *
 * THREADS: const member functions may be called from any number of threads at the same time.
 *
 * ERRORS: a failed call throws searchscope::Error. A root, options, overlay or tool name that contains a NUL
 * throws std::invalid_argument. std::bad_alloc is possible. If your callable throws, the search ends and the
 * function that you passed it to rethrows the exception.
 */
#ifndef SEARCHSCOPE_HPP
#define SEARCHSCOPE_HPP

#include "searchscope.h"

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace searchscope {

namespace detail {

struct Free {
    void operator()(searchscope_workspace *workspace) const noexcept { searchscope_workspace_free(workspace); }
    void operator()(searchscope_cancel *cancel) const noexcept { searchscope_cancel_free(cancel); }
    void operator()(searchscope_report *report) const noexcept { searchscope_report_free(report); }
};

template <class Handle> using Owned = std::unique_ptr<Handle, Free>;

} // namespace detail

/* The reason why a call failed. Copies share the texts. */
class Error : public std::exception {
public:
    /* Takes ownership of the report; NULL if the library did not write one. */
    explicit Error(searchscope_status status, searchscope_report *report = nullptr)
        : status_(status), report_(report, detail::Free())
    {
    }

    /* Returns the status of the function that failed. */
    searchscope_status status() const noexcept { return status_; }
    /* Returns its name, such as "not_found"; "" without a report, as for the next two. */
    const char *code() const noexcept { return text(searchscope_report_code); }
    /* Returns a message for people. */
    const char *what() const noexcept override { return text(searchscope_report_message); }
    /* Returns all of it as JSON: "code", "message", and where known "param", "path", "span", "near". */
    const char *detail() const noexcept { return text(searchscope_report_bytes); }

private:
    const char *text(const char *(*accessor)(const searchscope_report *)) const noexcept
    {
        return report_ == nullptr ? "" : accessor(report_.get());
    }

    searchscope_status status_;
    std::shared_ptr<searchscope_report> report_;
};

namespace detail {

/* Returns the text as a C string; refuses a NUL inside, which would end it early. */
inline const char *c_text(const std::string &text)
{
    if (text.find('\0') != std::string::npos)
        throw std::invalid_argument("a text with a NUL inside");
    return text.c_str();
}

inline searchscope_request request(std::string_view args, const searchscope_cancel *cancel) noexcept
{
    return {sizeof(searchscope_request), args.data(), args.size(), cancel};
}

/* Calls a C function whose last two parameters take a workspace and its report. Returns the workspace. */
template <class Function, class... Args> Owned<searchscope_workspace> opened(Function *function, Args... args)
{
    searchscope_workspace *workspace = nullptr;
    searchscope_report *report = nullptr;
    const searchscope_status status = function(args..., &workspace, &report);
    if (status != SEARCHSCOPE_OK)
        throw Error(status, report);
    return Owned<searchscope_workspace>(workspace);
}

/* Takes ownership of the report of a function. Returns its reply. */
inline std::string reply_of(searchscope_status status, searchscope_report *report)
{
    if (status != SEARCHSCOPE_OK)
        throw Error(status, report);
    const Owned<searchscope_report> owned(report);
    return std::string(searchscope_report_bytes(report), searchscope_report_len(report));
}

/* Calls a C function whose last parameter takes its report. Returns the reply. */
template <class Function, class... Args> std::string reply(Function *function, Args... args)
{
    searchscope_report *report = nullptr;
    const searchscope_status status = function(args..., &report);
    return reply_of(status, report);
}

/* The caller's callable on its way through C, and the exception that it threw. */
template <class Callable, class Item> struct Callback {
    using Answer = std::invoke_result_t<Callable &, const Item &>;
    /* int is refused: 0 means "continue" in C but would convert to false, which means "stop". */
    static_assert(std::is_void_v<Answer> || std::is_same_v<Answer, bool>, "return bool (true continues) or void");

    Callable &callable;
    std::exception_ptr thrown;

    static int call(void *user_data, const Item *item) noexcept
    {
        auto *self = static_cast<Callback *>(user_data);
        try {
            if constexpr (std::is_void_v<Answer>) {
                self->callable(*item);
                return SEARCHSCOPE_CONTINUE;
            } else {
                return self->callable(*item) ? SEARCHSCOPE_CONTINUE : SEARCHSCOPE_STOP;
            }
        } catch (...) {
            self->thrown = std::current_exception();
            return SEARCHSCOPE_STOP;
        }
    }
};

} // namespace detail

/* Returns a view of a borrowed text, valid as long as the text. Empty for an absent one. */
inline std::string_view view(const searchscope_text &text) noexcept
{
    return text.bytes == nullptr ? std::string_view() : std::string_view(text.bytes, text.len);
}

/* A token that ends the calls it was passed to. Any thread may cancel at any time. */
class CancelToken {
public:
    CancelToken() : handle_(searchscope_cancel_new())
    {
        if (handle_ == nullptr)
            throw Error(SEARCHSCOPE_PANIC);
    }

    /* Makes every current and future call with this token soon throw SEARCHSCOPE_CANCELLED. Takes a lock:
       do not call it from a signal handler. */
    void cancel() const noexcept { searchscope_cancel_trigger(handle_.get()); }

    /* Returns the handle, still owned by this object. */
    const searchscope_cancel *get() const noexcept { return handle_.get(); }

private:
    detail::Owned<searchscope_cancel> handle_;
};

/* An opened root directory with its options. */
class Workspace {
public:
    /* Opens a directory; options as JSON, as documented at searchscope_workspace_open. */
    explicit Workspace(const std::string &root, const std::string &options = "{}")
        : handle_(detail::opened(searchscope_workspace_open, detail::c_text(root), detail::c_text(options)))
    {
    }

    /* Returns a workspace with unsaved texts over this one, from a JSON object of texts by path, as
       searchscope_workspace_with_overlay does. */
    Workspace with_overlay(const std::string &overlay) const
    {
        return Workspace(
            detail::opened(searchscope_workspace_with_overlay, handle_.get(), detail::c_text(overlay)));
    }

    /* Calls a tool with one JSON object and returns its JSON reply. */
    std::string call(const std::string &tool, std::string_view args, const CancelToken *cancel = nullptr) const
    {
        const searchscope_request request = detail::request(args, handle(cancel));
        return detail::reply(searchscope_call, handle_.get(), detail::c_text(tool), &request);
    }

    /* Searches as the tool "search" and calls on_match(const searchscope_match &) for each match, in the
       final order, on this thread. The match is borrowed until on_match returns. The search continues if
       it returns true or nothing, and ends if it returns false or throws; an exception is rethrown here.
       Returns the report as JSON. */
    template <class OnMatch>
    std::string search_each(std::string_view args, OnMatch &&on_match, const CancelToken *cancel = nullptr) const
    {
        return each<searchscope_match>(searchscope_search_each, args, on_match, cancel);
    }

    /* Finds as the tool "find" and calls on_file(const searchscope_found_file &) for each file; otherwise
       as search_each. */
    template <class OnFile>
    std::string find_each(std::string_view args, OnFile &&on_file, const CancelToken *cancel = nullptr) const
    {
        return each<searchscope_found_file>(searchscope_find_each, args, on_file, cancel);
    }

    /* Builds the index now, as searchscope_warm does. Returns its state as JSON. */
    std::string warm(const CancelToken *cancel = nullptr) const
    {
        return detail::reply(searchscope_warm, handle_.get(), handle(cancel));
    }

    /* Returns the state of the index as JSON, as searchscope_index_status does. */
    std::string index_status() const
    {
        return detail::reply(searchscope_index_status, handle_.get());
    }

    /* Returns the handle, still owned by this object. */
    const searchscope_workspace *get() const noexcept { return handle_.get(); }

private:
    explicit Workspace(detail::Owned<searchscope_workspace> handle) noexcept : handle_(std::move(handle)) {}

    static const searchscope_cancel *handle(const CancelToken *cancel) noexcept
    {
        return cancel == nullptr ? nullptr : cancel->get();
    }

    template <class Item, class Each, class Callable>
    std::string each(Each *c_each, std::string_view args, Callable &callable, const CancelToken *cancel) const
    {
        using Callback = detail::Callback<Callable, Item>;
        Callback callback{callable, nullptr};
        const searchscope_request request = detail::request(args, handle(cancel));
        searchscope_report *report = nullptr;
        const searchscope_status status = c_each(handle_.get(), &request, Callback::call, &callback, &report);
        if (callback.thrown) {
            searchscope_report_free(report);
            std::rethrow_exception(callback.thrown);
        }
        return detail::reply_of(status, report);
    }

    detail::Owned<searchscope_workspace> handle_;
};

/* Lists the tools as a JSON array: "name", "description", "inputSchema", "listSchema", "outputSchema". */
inline std::string tools()
{
    return detail::reply(searchscope_tools);
}

} // namespace searchscope

#endif /* SEARCHSCOPE_HPP */
