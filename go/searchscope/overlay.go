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
	bytes := C.CBytes(overlay)
	defer C.free(unsafe.Pointer(bytes))
	var handle *C.searchscope_workspace
	var failure *C.searchscope_error
	status := C.searchscope_workspace_with_overlay(
		w.handle, (*C.char)(bytes), C.size_t(len(overlay)), &handle, &failure)
	if status != C.SEARCHSCOPE_OK {
		return nil, newError(status, failure)
	}
	return &Workspace{handle}, nil
}
