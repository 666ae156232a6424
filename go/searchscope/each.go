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

// The request is built here, because a struct in Go's memory must not point to it. A cgo.Handle is a
// number, which Go must not turn into a pointer itself.
static searchscope_status search_each(const searchscope_workspace *workspace, const char *args,
                                      size_t args_len, const searchscope_cancel *cancel,
                                      uintptr_t visitor, searchscope_report **out_report)
{
    searchscope_request request = {sizeof request, args, args_len, cancel};
    return searchscope_search_each(workspace, &request, on_match, (void *)visitor, out_report);
}

static searchscope_status find_each(const searchscope_workspace *workspace, const char *args,
                                    size_t args_len, const searchscope_cancel *cancel,
                                    uintptr_t visitor, searchscope_report **out_report)
{
    searchscope_request request = {sizeof request, args, args_len, cancel};
    return searchscope_find_each(workspace, &request, on_file, (void *)visitor, out_report);
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

// Match is a result of SearchEach: a matching line, or a file in the modes "files" and "count".
type Match struct {
	// Path is relative to the root.
	Path string
	// Count is the number of matching lines in the file, in the mode "count".
	Count uint64
	// Line is the line number, from 1; 0 in the modes without lines. LastLine differs from it if a match
	// spans several lines.
	Line, LastLine uint64
	// Column is the byte column of the first match, from 1.
	Column uint64
	// Offset is the byte offset of the line in the file, from 0.
	Offset uint64
	// Text is the line without its line end, or the part of it that begins at byte TextStart. LineBytes is
	// the length of the whole line.
	Text                 string
	TextStart, LineBytes int
	// Spans are the matches in the line, ordered by start.
	Spans []Span
	// Enclosing is the definition around the first match, if "enclosing" is set.
	Enclosing string
	// Encoding is the encoding of the file, such as "utf-16le", if it is one of "encodings" and not UTF-8.
	Encoding string
	// Before and After are the lines around it, if "context_before" and "context_after" are set.
	Before, After []string
}

// Span is one match in a line: the bytes from Start to End, matched by the pattern with this index.
type Span struct{ Start, End, Pattern int }

// FoundFile is a result of FindEach.
type FoundFile struct {
	// Path is relative to the root.
	Path string
	// Details is nil unless "details" is set.
	Details *FileDetails
}

// FileDetails is the metadata of a file.
type FileDetails struct {
	// Type is 'f' for a regular file, 'd' for a directory, 'l' for a symbolic link.
	Type     byte
	Size     uint64
	Modified time.Time
}

// SearchEach searches as the tool "search" and calls onMatch for each match as soon as it is found, in
// the final order, on this goroutine. The search ends without an error when onMatch returns false. A
// panic in onMatch ends it too and propagates to the caller of SearchEach; onMatch must not call
// runtime.Goexit, and therefore not t.FailNow. args and ctx are as for Call. SearchEach returns the
// report: the reply of the tool without the results that onMatch received.
func (w *Workspace) SearchEach(ctx context.Context, args any, onMatch func(*Match) bool) (json.RawMessage, error) {
	if onMatch == nil {
		return nil, errNoCallback
	}
	return w.each(ctx, args, &visitor{onMatch: onMatch})
}

// FindEach finds as the tool "find" and calls onFile for each file; otherwise it behaves as SearchEach.
func (w *Workspace) FindEach(ctx context.Context, args any, onFile func(*FoundFile) bool) (json.RawMessage, error) {
	if onFile == nil {
		return nil, errNoCallback
	}
	return w.each(ctx, args, &visitor{onFile: onFile})
}

var errNoCallback = errors.New("searchscope: the callback is nil")

// visitor is a callback on its way through C, with the value that it panicked with.
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
	var report *C.searchscope_report
	err = cancellable(ctx, func(cancel *C.searchscope_cancel) error {
		var status C.searchscope_status
		bytes, length := cBytes(argsJSON)
		visitor := C.uintptr_t(handle)
		if v.onMatch != nil {
			status = C.search_each(w.handle, bytes, length, cancel, visitor, &report)
		} else {
			status = C.find_each(w.handle, bytes, length, cancel, visitor, &report)
		}
		return check(status, &report)
	})
	if v.panicked {
		C.searchscope_report_free(report)
		panic(v.thrown)
	}
	if err != nil {
		return nil, err
	}
	return takeReply(report), nil
}

// visit runs a callback. A panic must not cross the C and Rust frames above it.
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
		Encoding:  text(match.encoding),
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
