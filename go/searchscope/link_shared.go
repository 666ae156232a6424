//go:build !searchscope_static

package searchscope

// #cgo pkg-config: searchscope
import "C"
