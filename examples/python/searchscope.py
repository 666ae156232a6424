"""A binding over the C library with ctypes: copy this file and extend it.

The library is the file that SEARCHSCOPE_LIBRARY names, or the one that the system's loader finds.
"""

import ctypes
import ctypes.util
import json
import os
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

ABI_MAJOR = 1
CONTINUE, STOP = 0, 1


class Error(Exception):
    """A failed call. `code` is a stable name such as "not_found"; `detail` is the error as a dictionary."""

    def __init__(self, detail):
        super().__init__(f"{detail['code']}: {detail['message']}")
        self.code = detail["code"]
        self.detail = detail


class _Text(ctypes.Structure):
    _fields_ = [("bytes", c_void_p), ("len", c_size_t)]

    def copy(self):
        return ctypes.string_at(self.bytes, self.len)


class _Match(ctypes.Structure):
    """The first fields of `searchscope_match`; every library of this ABI has them."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("path", _Text),
        ("n_matches", c_uint64),
        ("line", c_uint64),
        ("last_line", c_uint64),
        ("column", c_uint64),
        ("offset", c_uint64),
        ("text", _Text),
    ]


class _Request(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("args", c_char_p), ("args_len", c_size_t), ("cancel", c_void_p)]

    def __init__(self, args, cancel):
        args = json.dumps(args).encode()
        super().__init__(ctypes.sizeof(_Request), args, len(args), cancel and cancel._handle)


_ON_MATCH = CFUNCTYPE(c_int, c_void_p, POINTER(_Match))
_OUT = POINTER(c_void_p)
_CALL = [c_void_p, c_char_p, POINTER(_Request), _OUT]
_EACH = [c_void_p, POINTER(_Request), _ON_MATCH, c_void_p, _OUT]
_OPEN = [c_char_p, c_char_p, _OUT, _OUT]

# Each function with its result and its arguments. Without them ctypes would cut pointers to 32 bits.
_FUNCTIONS = {
    "abi_version": (c_uint32, []),
    "workspace_open": (c_int, _OPEN),
    "workspace_free": (c_int, [c_void_p]),
    "call": (c_int, _CALL),
    "call_text": (c_int, _CALL),
    "search_each": (c_int, _EACH),
    "report_bytes": (c_void_p, [c_void_p]),
    "report_len": (c_size_t, [c_void_p]),
    "report_free": (c_int, [c_void_p]),
    "cancel_new": (c_void_p, []),
    "cancel_trigger": (c_int, [c_void_p]),
    "cancel_free": (c_int, [c_void_p]),
}


def _load():
    file = os.environ.get("SEARCHSCOPE_LIBRARY") or ctypes.util.find_library("searchscope")
    if file is None:
        raise OSError("libsearchscope is not installed; SEARCHSCOPE_LIBRARY may name its file")
    library = ctypes.CDLL(file)
    functions = {}
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"searchscope_{name}")
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    if functions["abi_version"]() // 1000 != ABI_MAJOR:
        raise OSError(f"{file} has another ABI than {ABI_MAJOR}")
    return functions


_C = _load()


def _take(status, report):
    """Returns the text of a report, or raises the error in it; frees the report."""
    text = ctypes.string_at(_C["report_bytes"](report), _C["report_len"](report)).decode() if report else ""
    _C["report_free"](report)
    if status != 0:
        raise Error(json.loads(text) if text else {"code": "internal", "message": f"status {status}"})
    return text


class Cancel:
    """A token that ends the calls it was passed to, from any thread."""

    def __init__(self):
        self._handle = _C["cancel_new"]()

    def trigger(self):
        _C["cancel_trigger"](self._handle)

    def __del__(self):
        _C["cancel_free"](self._handle)


class Workspace:
    """A root directory. Any number of threads may use one at the same time: ctypes releases the GIL."""

    def __init__(self, root, **options):
        handle, report = c_void_p(), c_void_p()
        options = json.dumps(options).encode()
        _take(_C["workspace_open"](os.fsencode(root), options, byref(handle), byref(report)), report)
        self._handle = handle

    def close(self):
        """Frees the workspace; calls in other threads end normally."""
        handle, self._handle = self._handle, None
        _C["workspace_free"](handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, tool, cancel=None, **args):
        """Calls a tool and returns its reply as Python objects."""
        return json.loads(self._call("call", tool, cancel, args))

    def call_text(self, tool, cancel=None, **args):
        """Calls a tool and returns its reply as the text that agents read."""
        return self._call("call_text", tool, cancel, args)

    def _call(self, function, tool, cancel, args):
        report = c_void_p()
        request = _Request(args, cancel)
        return _take(_C[function](self._handle, tool.encode(), byref(request), byref(report)), report)

    def search_each(self, on_match, cancel=None, **args):
        """Passes the path, the line number and the text of each match to `on_match`, in the final order, until it
        returns False. Returns the report. An exception in `on_match` ends the search and is raised again."""
        raised = []

        def receive(_, match):
            try:
                match = match.contents
                text = match.text.copy().decode("utf-8", "replace")
                stop = on_match(os.fsdecode(match.path.copy()), match.line, text) is False
                return STOP if stop else CONTINUE
            except BaseException as exception:  # ctypes would print it and continue the search
                raised.append(exception)
                return STOP

        report = c_void_p()
        request = _Request(args, cancel)
        status = _C["search_each"](self._handle, byref(request), _ON_MATCH(receive), None, byref(report))
        report = _take(status, report)
        if raised:
            raise raised[0]
        return json.loads(report)
