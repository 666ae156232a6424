module github.com/searchscope/searchscope/examples/go

go 1.19
