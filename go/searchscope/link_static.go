//go:build searchscope_static

package searchscope

// #cgo pkg-config: searchscope-static
import "C"
