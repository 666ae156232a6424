package searchscope

// #include <searchscope.h>
import "C"

import "encoding/json"

// Error is the reason for a failed call.
type Error struct {
	// Code is the name of the status, such as "not_found": the same in every language.
	Code string
	// Message is a sentence for people; its wording may change.
	Message string
	// Param names the argument at fault, and Path the file or directory, if there is one.
	Param, Path string
	// Detail is the whole error as JSON; it adds "span" and "near" to the fields above.
	Detail json.RawMessage

	cause error
}

func (e *Error) Error() string {
	return "searchscope: " + e.Code + ": " + e.Message
}

// Unwrap returns the context error that ended the call, if one did.
func (e *Error) Unwrap() error {
	return e.cause
}

// newError takes ownership of an error of the library. Functions without an out_error pass nil.
func newError(status C.searchscope_status, failure *C.searchscope_error) *Error {
	defer C.searchscope_error_free(failure)
	if failure == nil {
		code, known := codes[status]
		if !known {
			code = "internal"
		}
		return &Error{Code: code, Message: "the library returned no details"}
	}
	e := &Error{
		Code:    C.GoString(C.searchscope_error_code(failure)),
		Message: C.GoString(C.searchscope_error_message(failure)),
		Detail:  json.RawMessage(C.GoString(C.searchscope_error_detail(failure))),
	}
	var detail struct{ Param, Path string }
	// If this fails, Detail still has the whole error.
	if json.Unmarshal(e.Detail, &detail) == nil {
		e.Param, e.Path = detail.Param, detail.Path
	}
	return e
}

// codes names the statuses of functions that return no error object.
var codes = map[C.searchscope_status]string{
	C.SEARCHSCOPE_NULL_ARGUMENT: "null_argument",
	C.SEARCHSCOPE_BAD_HANDLE:    "bad_handle",
	C.SEARCHSCOPE_PANIC:         "panic",
}
