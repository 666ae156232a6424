// Prints every line below a directory that matches a regex, as it is found. Ctrl-C ends the search.
//
//     cmake -S . -B build && cmake --build build && build/search 'fn \w+' path/to/project
//
// Exits with 0 if something matched, 1 if nothing did, 2 if the search failed or was cancelled.
#include <searchscope.hpp>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

namespace {

enum Outcome { found = 0, nothing = 1, failed = 2 };

std::string json_string(std::string_view text)
{
    std::string json = "\"";
    for (char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            json += escape;
        } else {
            if (c == '"' || c == '\\')
                json += '\\';
            json += c;
        }
    }
    return json + '"';
}

// Cancels on Ctrl-C during its lifetime. It blocks the signal and waits for it in a thread of its
// own: triggering a token takes a lock, which a signal handler must not do.
class CancelOnInterrupt {
public:
    explicit CancelOnInterrupt(const searchscope::CancelToken &cancel)
    {
        sigemptyset(&interrupt_);
        sigaddset(&interrupt_, SIGINT);
        pthread_sigmask(SIG_BLOCK, &interrupt_, nullptr);
        thread_ = std::thread([this, &cancel] {
            int number = 0;
            sigwait(&interrupt_, &number);
            cancel.cancel();
        });
    }

    ~CancelOnInterrupt()
    {
        pthread_kill(thread_.native_handle(), SIGINT);
        thread_.join();
    }

    CancelOnInterrupt(const CancelOnInterrupt &) = delete;
    CancelOnInterrupt &operator=(const CancelOnInterrupt &) = delete;

private:
    sigset_t interrupt_;
    std::thread thread_;
};

int search(const std::string &pattern, const std::string &root)
{
    const searchscope::CancelToken cancel;
    const CancelOnInterrupt watch(cancel);
    const searchscope::Workspace workspace(root);
    unsigned long n_lines = 0;
    const auto print = [&](const searchscope_match &match) {
        n_lines++;
        std::cout << searchscope::view(match.path) << ':' << match.line << ':'
                  << searchscope::view(match.text) << '\n';
        return std::cout.good();
    };
    const std::string args = "{\"patterns\":[" + json_string(pattern) + "]}";
    const std::string report = workspace.search_each(args, print, &cancel);
    std::cout.flush();
    std::cerr << report << '\n';
    return n_lines > 0 ? found : nothing;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::cerr << "usage: search REGEX [DIRECTORY]\n";
        return failed;
    }
    try {
        return search(argv[1], argc > 2 ? argv[2] : ".");
    } catch (const searchscope::Error &error) {
        std::cout.flush();
        std::cerr << error.code() << ": " << error.what() << '\n';
        return failed;
    }
}
