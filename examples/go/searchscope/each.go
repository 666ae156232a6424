package searchscope

/*
#include <searchscope.h>

// Written in Go, in callback.go.
extern int searchscopeGoOnMatch(uintptr_t, searchscope_match *);
extern int searchscopeGoOnFile(uintptr_t, searchscope_found_file *);

static int on_match(void *visitor, const searchscope_match *match)
{
    return searchscopeGoOnMatch((uintptr_t)visitor, (searchscope_match *)match);
}

static int on_file(void *visitor, const searchscope_found_file *file)
{
    return searchscopeGoOnFile((uintptr_t)visitor, (searchscope_found_file *)file);
}

// A cgo.Handle is a number, which Go must not turn into a pointer itself.
static int search_each(const searchscope_workspace *workspace, const char *args, size_t args_len,
                       const searchscope_cancel *cancel, uintptr_t visitor,
                       searchscope_reply **out_report, searchscope_error **out_error)
{
    return searchscope_search_each(workspace, args, args_len, cancel, on_match, (void *)visitor,
                                   out_report, out_error);
}

static int find_each(const searchscope_workspace *workspace, const char *args, size_t args_len,
                     const searchscope_cancel *cancel, uintptr_t visitor,
                     searchscope_reply **out_report, searchscope_error **out_error)
{
    return searchscope_find_each(workspace, args, args_len, cancel, on_file, (void *)visitor,
                                 out_report, out_error);
}
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/cgo"
	"time"
	"unsafe"
)

// Match is a result of SearchEach: a matching line, or with "mode": "files" or "count" a file.
type Match struct {
	// Path is relative to the root.
	Path string
	// Count is how many lines of the file match, with "mode": "count".
	Count uint64
	// Line is the number of the line, from 1; 0 in the modes without lines. LastLine is another one
	// where a match covers several lines.
	Line, LastLine uint64
	// Column is where the first match starts in the line, in bytes from 1.
	Column uint64
	// Offset is where the line starts in the file, in bytes from 0.
	Offset uint64
	// Text is the line without its line end, or a part of it: of LineBytes bytes that which begins
	// at TextStart.
	Text                 string
	TextStart, LineBytes int
	// Spans are the matches in the line, by start.
	Spans []Span
	// Enclosing is the definition around the first match, where "enclosing" asks for it.
	Enclosing string
	// Before and After are the lines around it, where "context_before" and "context_after" ask for
	// them.
	Before, After []string
}

// Span is one match in a line: bytes from Start to End of the line, by the pattern of this index.
type Span struct{ Start, End, Pattern int }

// FoundFile is a result of FindEach.
type FoundFile struct {
	// Path is relative to the root.
	Path string
	// Details is nil where "details" does not ask for it.
	Details *FileDetails
}

// FileDetails are what the file system knows of a file.
type FileDetails struct {
	// Type is 'f' for a regular file, 'd' for a directory, 'l' for a symbolic link.
	Type     byte
	Size     uint64
	Modified time.Time
}

// SearchEach searches as the tool "search" and calls onMatch for each match as soon as it is found, in
// the final order, on this goroutine. The search ends when onMatch returns false; that is no error. A
// panic of onMatch ends it too and goes on to the caller of SearchEach; runtime.Goexit, and so
// t.FailNow, must not be called in it. args and ctx are as for Call. Gives the report, which is the
// reply of the tool without what onMatch was given.
func (w *Workspace) SearchEach(ctx context.Context, args any, onMatch func(*Match) bool) (json.RawMessage, error) {
	if onMatch == nil {
		return nil, errNoCallback
	}
	return w.each(ctx, args, &visitor{onMatch: onMatch})
}

// FindEach finds as the tool "find" and calls onFile for each file; else as SearchEach.
func (w *Workspace) FindEach(ctx context.Context, args any, onFile func(*FoundFile) bool) (json.RawMessage, error) {
	if onFile == nil {
		return nil, errNoCallback
	}
	return w.each(ctx, args, &visitor{onFile: onFile})
}

var errNoCallback = errors.New("searchscope: there is no callback to give the results to")

// visitor is a callback on its way through C, and what it panicked with.
type visitor struct {
	onMatch  func(*Match) bool
	onFile   func(*FoundFile) bool
	panicked bool
	thrown   any
}

func (w *Workspace) each(ctx context.Context, args any, v *visitor) (json.RawMessage, error) {
	argsJSON, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	handle := cgo.NewHandle(v)
	defer handle.Delete()
	var report *C.searchscope_reply
	err = cancellable(ctx, func(cancel *C.searchscope_cancel) error {
		var failure *C.searchscope_error
		var status C.int
		bytes, length := cBytes(argsJSON)
		visitor := C.uintptr_t(handle)
		if v.onMatch != nil {
			status = C.search_each(w.handle, bytes, length, cancel, visitor, &report, &failure)
		} else {
			status = C.find_each(w.handle, bytes, length, cancel, visitor, &report, &failure)
		}
		if status != C.SEARCHSCOPE_OK {
			return newError(status, failure)
		}
		return nil
	})
	if v.panicked {
		C.searchscope_reply_free(report)
		panic(v.thrown)
	}
	if err != nil {
		return nil, err
	}
	return takeReply(report), nil
}

// visit calls a callback. No panic may pass through the frames of C and Rust above it.
func (v *visitor) visit(callback func() bool) (answer C.int) {
	answer = C.SEARCHSCOPE_STOP
	v.panicked = true
	defer func() {
		if v.panicked {
			v.thrown = recover()
		}
	}()
	goOn := callback()
	v.panicked = false
	if goOn {
		answer = C.SEARCHSCOPE_CONTINUE
	}
	return answer
}

func newMatch(match *C.searchscope_match) *Match {
	copied := &Match{
		Path:      text(match.path),
		Count:     uint64(match.n_matches),
		Line:      uint64(match.line),
		LastLine:  uint64(match.last_line),
		Column:    uint64(match.column),
		Offset:    uint64(match.offset),
		Text:      text(match.text),
		TextStart: int(match.text_start),
		LineBytes: int(match.line_bytes),
		Enclosing: text(match.enclosing),
		Before:    texts(match.before, match.n_before),
		After:     texts(match.after, match.n_after),
	}
	for _, span := range unsafe.Slice(match.spans, int(match.n_spans)) {
		copied.Spans = append(copied.Spans, Span{int(span.start), int(span.end), int(span.pattern)})
	}
	return copied
}

func newFoundFile(file *C.searchscope_found_file) *FoundFile {
	found := &FoundFile{Path: text(file.path)}
	if file.has_details != 0 {
		modified := time.Unix(0, int64(file.modified_ns))
		found.Details = &FileDetails{byte(file.file_type), uint64(file.size), modified}
	}
	return found
}

func text(borrowed C.searchscope_text) string {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(borrowed.bytes)), int(borrowed.len)))
}

func texts(borrowed *C.searchscope_text, n C.size_t) []string {
	var copied []string
	for _, line := range unsafe.Slice(borrowed, int(n)) {
		copied = append(copied, text(line))
	}
	return copied
}
