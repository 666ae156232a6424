module github.com/searchscope/searchscope/go

go 1.19
