module github.com/searchscope/searchscope/examples/go

go 1.19

require github.com/searchscope/searchscope/go v0.1.0

replace github.com/searchscope/searchscope/go => ../../go
