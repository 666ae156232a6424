package searchscope

// #include <searchscope.h>
import "C"

import (
	"context"
	"encoding/json"
)

// IndexStatus is the state of the index of a workspace.
type IndexStatus struct {
	// State is "off", "cold" (nothing is indexed yet), "building" or "ready".
	State string `json:"state"`
	// Directories is the number of indexed directories, Files the number of files with indexed contents.
	Directories uint64 `json:"directories"`
	Files       uint64 `json:"files"`
	// MemoryBytes is the approximate size of the index in memory.
	MemoryBytes uint64 `json:"memory_bytes"`
	// LeftOut is the number of directories whose contents do not fit into memory.
	LeftOut uint64 `json:"left_out"`
	// Waiting is the number of directories whose contents the next search or Warm adds.
	Waiting uint64 `json:"waiting"`
	// NotWatched is the reason why each call checks for changes; empty if events report all of them.
	NotWatched string `json:"not_watched"`
}

// Warm builds the index of a workspace that was opened with Options.Index "auto", and returns its state
// once it is built. It does nothing if the workspace has no index. If ctx ends first, the part built so
// far stays, and the error wraps that of ctx.
func (w *Workspace) Warm(ctx context.Context) (IndexStatus, error) {
	var report *C.searchscope_report
	err := cancellable(ctx, func(cancel *C.searchscope_cancel) error {
		return check(C.searchscope_warm(w.handle, cancel, &report), &report)
	})
	if err != nil {
		return IndexStatus{}, err
	}
	return indexStatus(report)
}

// IndexStatus returns the state of the index.
func (w *Workspace) IndexStatus() (IndexStatus, error) {
	var report *C.searchscope_report
	if err := check(C.searchscope_index_status(w.handle, &report), &report); err != nil {
		return IndexStatus{}, err
	}
	return indexStatus(report)
}

// indexStatus parses a reply and frees its report.
func indexStatus(report *C.searchscope_report) (IndexStatus, error) {
	var status IndexStatus
	err := json.Unmarshal(takeReply(report), &status)
	return status, err
}
