"""Prints every line below a directory that matches a regex, as it is found. Ctrl-C ends the search.

    SEARCHSCOPE_LIBRARY=~/.local/lib/libsearchscope.so python3 search.py 'fn \\w+' path/to/project

Exits with 0 if something matched, 1 if nothing did, 2 if the search failed or was cancelled.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from searchscope import Cancel, Error, Workspace


def search(pattern, root, cancel):
    n_lines = 0

    def show(path, line, text):
        nonlocal n_lines
        n_lines += 1
        print(f"{path}:{line}:{text}")

    with Workspace(root) as workspace:
        report = workspace.search_each(show, cancel, patterns=[pattern])
    sys.stdout.flush()
    print(json.dumps(report), file=sys.stderr)
    return n_lines


def main():
    if len(sys.argv) < 2:
        print("usage: search.py REGEX [DIRECTORY]", file=sys.stderr)
        return 2
    pattern, root = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."
    cancel = Cancel()
    # Python handles Ctrl-C only between two steps of its main thread, so another thread is inside the library.
    with ThreadPoolExecutor(1) as executor:
        found = executor.submit(search, pattern, root, cancel)
        try:
            return 0 if found.result() > 0 else 1
        except KeyboardInterrupt:
            cancel.trigger()
        except Error as error:
            print(error, file=sys.stderr)
            return 2
        try:
            found.result()
        except Error as error:
            print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
