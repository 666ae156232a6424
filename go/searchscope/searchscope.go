// Package searchscope searches text, files and documents beneath one directory, in this process.
//
// It is a thin layer over the C library libsearchscope and needs cgo. pkg-config finds the library: set
// PKG_CONFIG_PATH to the directory lib/pkgconfig of an installation or of an unpacked C package. Programs link
// with the shared library; with the build tag searchscope_static they contain the static one instead, and
// need no file of the library when they run.
//
// Tools take JSON and return JSON; Tools lists them. Strings are bytes as the file system and the files have
// them, usually UTF-8.
//
// A Workspace may be used by any number of goroutines at the same time.
package searchscope

/*
#include <searchscope.h>
#include <stdlib.h>

// The request is built here, because a struct in Go's memory must not point to it.
static searchscope_status call(const searchscope_workspace *workspace, const char *tool,
                               const char *args, size_t args_len, const searchscope_cancel *cancel,
                               searchscope_report **out_report)
{
    searchscope_request request = {sizeof request, args, args_len, cancel};
    return searchscope_call(workspace, tool, &request, out_report);
}
*/
import "C"

import (
	"context"
	"encoding/json"
	"strings"
	"unsafe"
)

// Options are the options of a workspace. The zero value is right for most programs;
// docs/workspace-options.md explains each.
type Options struct {
	Threads       int      `json:"threads,omitempty"`
	Deny          []string `json:"deny,omitempty"`
	DenySecrets   bool     `json:"deny_secrets,omitempty"`
	RequireGit    bool     `json:"require_git,omitempty"`
	DocsRoot      string   `json:"docs_root,omitempty"`
	Excludes      []string `json:"excludes,omitempty"`
	ReplyBytesMax int      `json:"reply_bytes_max,omitempty"`
	ArgsBytesMax  int      `json:"args_bytes_max,omitempty"`
	OutputDir     string   `json:"output_dir,omitempty"`
	// DocSuffixes are the file name suffixes of documents; ".md" if empty.
	DocSuffixes []string `json:"doc_suffixes,omitempty"`
	// Encodings are labels such as "utf-8" and "shift_jis" of the encodings that texts may have.
	Encodings []string `json:"encodings,omitempty"`

	// GitDirOutsideRoot allows reading changed files from git directories outside the root.
	GitDirOutsideRoot bool `json:"git_dir_outside_root,omitempty"`

	FrontMatterHyphensMin int `json:"front_matter_hyphens_min,omitempty"`

	// Index is "auto" for an index in memory, or "off", the default.
	Index string `json:"index,omitempty"`
	// MemoryBytesMax is the maximum size of the index in memory; 256 MiB unless set.
	MemoryBytesMax int `json:"memory_bytes_max,omitempty"`
}

// Workspace is one root directory and everything beneath it. Close it when it is no longer needed.
type Workspace struct {
	// A number that the library looks up, not an address.
	handle *C.searchscope_workspace
}

// Open opens the directory root.
func Open(root string, options Options) (*Workspace, error) {
	optionsJSON, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	cRoot, err := newCString("root", root)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(cRoot))
	cOptions, err := newCString("options", string(optionsJSON))
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(cOptions))
	var handle *C.searchscope_workspace
	var report *C.searchscope_report
	status := C.searchscope_workspace_open(cRoot, cOptions, &handle, &report)
	if err := check(status, &report); err != nil {
		return nil, err
	}
	return &Workspace{handle}, nil
}

// Close frees the workspace. Calls that are running in other goroutines end normally; later ones, and
// a second Close, fail with the code "bad_handle".
func (w *Workspace) Close() error {
	if status := C.searchscope_workspace_free(w.handle); status != C.SEARCHSCOPE_OK {
		return newError(status, nil)
	}
	return nil
}

// Call calls a tool. encoding/json encodes args; pass encoded JSON as a json.RawMessage. If ctx ends
// before the call does, the call is cancelled and its error wraps that of ctx.
func (w *Workspace) Call(ctx context.Context, tool string, args any) (json.RawMessage, error) {
	argsJSON, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	cTool, err := newCString("tool", tool)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(cTool))
	var report *C.searchscope_report
	err = cancellable(ctx, func(cancel *C.searchscope_cancel) error {
		bytes, length := cBytes(argsJSON)
		return check(C.call(w.handle, cTool, bytes, length, cancel, &report), &report)
	})
	if err != nil {
		return nil, err
	}
	return takeReply(report), nil
}

// Tools lists the tools as a JSON array of objects with "name", "description", "inputSchema",
// "listSchema" and "outputSchema".
func Tools() (json.RawMessage, error) {
	var report *C.searchscope_report
	if err := check(C.searchscope_tools(&report), &report); err != nil {
		return nil, err
	}
	return takeReply(report), nil
}

// Version returns the version of the library, such as "0.1.0".
func Version() string {
	return C.GoString(C.searchscope_version())
}

// newCString copies a text that the caller must free. It refuses a NUL inside, which would end the text in C.
func newCString(param, text string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, &Error{Code: "invalid_param", Message: param + ": must not contain a NUL", Param: param}
	}
	return C.CString(text), nil
}

// cBytes returns bytes for C, valid during one call.
func cBytes(bytes []byte) (*C.char, C.size_t) {
	if len(bytes) == 0 {
		return nil, 0
	}
	return (*C.char)(unsafe.Pointer(&bytes[0])), C.size_t(len(bytes))
}

// takeReply copies a reply and frees its report.
func takeReply(report *C.searchscope_report) json.RawMessage {
	defer C.searchscope_report_free(report)
	length := int(C.searchscope_report_len(report))
	bytes := (*byte)(unsafe.Pointer(C.searchscope_report_bytes(report)))
	return append(json.RawMessage(nil), unsafe.Slice(bytes, length)...)
}

// cancellable runs a call with a token that is triggered when ctx ends.
func cancellable(ctx context.Context, call func(*C.searchscope_cancel) error) error {
	if err := ctx.Err(); err != nil {
		return &Error{Code: "cancelled", Message: "the context has ended", cause: err}
	}
	if ctx.Done() == nil {
		return call(nil)
	}
	cancel := C.searchscope_cancel_new()
	if cancel == nil {
		return newError(C.SEARCHSCOPE_PANIC, nil)
	}
	defer C.searchscope_cancel_free(cancel)
	finished, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
			C.searchscope_cancel_trigger(cancel)
		case <-finished:
		}
	}()
	// Deferred, because panics of a callback pass through here.
	defer func() {
		close(finished)
		<-watched
	}()
	err := call(cancel)
	if failure, ok := err.(*Error); ok && failure.Code == "cancelled" {
		failure.cause = ctx.Err()
	}
	return err
}
