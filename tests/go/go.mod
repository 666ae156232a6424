module github.com/searchscope/searchscope/tests/go

go 1.19

require github.com/searchscope/searchscope/examples/go v0.0.0

replace github.com/searchscope/searchscope/examples/go => ../../examples/go
