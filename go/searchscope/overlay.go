package searchscope

// #include <searchscope.h>
// #include <stdlib.h>
import "C"

import (
	"encoding/json"
	"unsafe"
)

// WithOverlay returns a workspace whose tools answer as if each text were written to the file at its
// path, and as if each file with nil were removed. It writes nothing. The texts replace those of w; the
// new workspace shares options and index with w, and either may be closed first.
func (w *Workspace) WithOverlay(texts map[string]*string) (*Workspace, error) {
	if texts == nil {
		texts = map[string]*string{}
	}
	overlay, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	// JSON has no NUL, which would end the text in C.
	cOverlay := C.CString(string(overlay))
	defer C.free(unsafe.Pointer(cOverlay))
	var handle *C.searchscope_workspace
	var report *C.searchscope_report
	status := C.searchscope_workspace_with_overlay(w.handle, cOverlay, &handle, &report)
	if err := check(status, &report); err != nil {
		return nil, err
	}
	return &Workspace{handle}, nil
}
