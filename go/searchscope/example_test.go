package searchscope_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/searchscope/searchscope/go/searchscope"
)

// tree makes a directory with two files.
func tree() string {
	root, err := os.MkdirTemp("", "searchscope-go-")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{"a.txt": "one needle\n", "b.txt": "hay\nthe needle\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	return root
}

func ExampleWorkspace_SearchEach() {
	root := tree()
	defer os.RemoveAll(root)
	workspace, err := searchscope.Open(root, searchscope.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer workspace.Close()
	args := map[string]any{"patterns": []string{"needle"}}
	_, err = workspace.SearchEach(context.Background(), args, func(match *searchscope.Match) bool {
		fmt.Printf("%s:%d:%s\n", match.Path, match.Line, match.Text)
		return true
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// a.txt:1:one needle
	// b.txt:2:the needle
}

func ExampleOpen_error() {
	root := tree()
	defer os.RemoveAll(root)
	_, err := searchscope.Open(filepath.Join(root, "missing"), searchscope.Options{})
	var failed *searchscope.Error
	if errors.As(err, &failed) {
		fmt.Println(failed.Code)
	}
	// Output: not_found
}
