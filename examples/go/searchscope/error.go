package searchscope

// #include <searchscope.h>
import "C"

import "encoding/json"

// Error is why a call failed.
type Error struct {
	// Code is the name of the status, such as "not_found": the same in every language.
	Code string
	// Message is a sentence for people; its wording may change.
	Message string
	// Param names the argument that is wrong, and Path the file or directory, where there is one.
	Param, Path string
	// Detail is all of it as JSON; beside the above "span" and "near".
	Detail json.RawMessage

	cause error
}

func (e *Error) Error() string {
	return "searchscope: " + e.Code + ": " + e.Message
}

// Unwrap gives the error of the context that ended the call, if one did.
func (e *Error) Unwrap() error {
	return e.cause
}

// newError takes an error of the library over. A nil one is what functions without an out_error give.
func newError(status C.int, failure *C.searchscope_error) *Error {
	defer C.searchscope_error_free(failure)
	if failure == nil {
		code, known := codes[status]
		if !known {
			code = "internal"
		}
		return &Error{Code: code, Message: "the library tells no more"}
	}
	e := &Error{
		Code:    C.GoString(C.searchscope_error_code(failure)),
		Message: C.GoString(C.searchscope_error_message(failure)),
		Detail:  json.RawMessage(C.GoString(C.searchscope_error_detail(failure))),
	}
	var detail struct{ Param, Path string }
	// Without these two an error still says everything, in Detail.
	if json.Unmarshal(e.Detail, &detail) == nil {
		e.Param, e.Path = detail.Param, detail.Path
	}
	return e
}

// codes names the statuses of functions that give no error object.
var codes = map[C.int]string{
	C.SEARCHSCOPE_NULL_ARGUMENT: "null_argument",
	C.SEARCHSCOPE_BAD_HANDLE:    "bad_handle",
	C.SEARCHSCOPE_PANIC:         "panic",
}
