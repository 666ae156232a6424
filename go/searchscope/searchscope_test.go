package searchscope_test

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"

	"github.com/searchscope/searchscope/go/searchscope"
)

// Goroutines share a workspace, its calls and a callback's results; the race detector watches them.
func TestGoroutinesShareAWorkspace(t *testing.T) {
	root := tree()
	defer os.RemoveAll(root)
	workspace, err := searchscope.Open(root, searchscope.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer workspace.Close()
	args := map[string]any{"patterns": []string{"needle"}}
	var mutex sync.Mutex
	lines := 0
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			_, err := workspace.SearchEach(ctx, args, func(*searchscope.Match) bool {
				mutex.Lock()
				lines++
				mutex.Unlock()
				return true
			})
			if err != nil {
				t.Error(err)
			}
			if _, err := workspace.Call(ctx, "search", args); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	if lines != 16 {
		t.Errorf("%d lines, not 16", lines)
	}
}

func TestTheToolsAreJSON(t *testing.T) {
	reply, err := searchscope.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var tools []struct{ Name string }
	if err := json.Unmarshal(reply, &tools); err != nil || len(tools) == 0 || tools[0].Name == "" {
		t.Errorf("%v %v", tools, err)
	}
	if searchscope.Version() == "" {
		t.Error("the version is empty")
	}
}
