package searchscope

// #include <searchscope.h>
import "C"

import "runtime/cgo"

// cgo allows only C declarations in a file with exported functions; the C definitions are in each.go.

//export searchscopeGoOnMatch
func searchscopeGoOnMatch(handle C.uintptr_t, match *C.searchscope_match) C.int {
	v := cgo.Handle(handle).Value().(*visitor)
	return v.visit(func() bool { return v.onMatch(newMatch(match)) })
}

//export searchscopeGoOnFile
func searchscopeGoOnFile(handle C.uintptr_t, file *C.searchscope_found_file) C.int {
	v := cgo.Handle(handle).Value().(*visitor)
	return v.visit(func() bool { return v.onFile(newFoundFile(file)) })
}
