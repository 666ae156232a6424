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

// check returns the error of a function that failed, and frees its report.
func check(status C.searchscope_status, report **C.searchscope_report) error {
	if status == C.SEARCHSCOPE_OK {
		return nil
	}
	failed := *report
	*report = nil
	return newError(status, failed)
}

// newError takes ownership of the report of a failure. Functions without an out_report pass nil.
func newError(status C.searchscope_status, report *C.searchscope_report) *Error {
	defer C.searchscope_report_free(report)
	if report == nil {
		code, known := codes[status]
		if !known {
			code = "internal"
		}
		return &Error{Code: code, Message: "the library returned no details"}
	}
	e := &Error{
		Code:    C.GoString(C.searchscope_report_code(report)),
		Message: C.GoString(C.searchscope_report_message(report)),
		Detail:  json.RawMessage(C.GoString(C.searchscope_report_bytes(report))),
	}
	var detail struct{ Param, Path string }
	// If this fails, Detail still has the whole error.
	if json.Unmarshal(e.Detail, &detail) == nil {
		e.Param, e.Path = detail.Param, detail.Path
	}
	return e
}

// codes names the statuses of functions that return no report.
var codes = map[C.searchscope_status]string{
	C.SEARCHSCOPE_NULL_ARGUMENT: "null_argument",
	C.SEARCHSCOPE_BAD_HANDLE:    "bad_handle",
	C.SEARCHSCOPE_PANIC:         "panic",
}
