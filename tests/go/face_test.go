// The Go binding, used correctly and incorrectly. The test runner of the repository describes the
// searches and their results in a file: cargo test -p searchscope-tests --test installed go.
package face

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/searchscope/searchscope/go/searchscope"
)

type args = map[string]any

var (
	background = context.Background()
	needle     = args{"patterns": []string{"needle"}}
	many       = args{"patterns": []string{"many"}}
)

// expected is the file that the test runner writes.
var expected struct {
	Root string
	// Calls are tools and arguments; the replies go to the file Replies.
	Calls          [][2]string
	Replies        string
	Needles, Paths []string
	NMany          int
}

func TestMain(m *testing.M) {
	text, err := os.ReadFile(os.Getenv("SEARCHSCOPE_EXPECTATIONS"))
	if err == nil {
		err = json.Unmarshal(text, &expected)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "run these tests by cargo:", err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

func open(t *testing.T) *searchscope.Workspace {
	t.Helper()
	workspace, err := searchscope.Open(expected.Root, searchscope.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { workspace.Close() })
	return workspace
}

// failure returns the error of the library, which must have this code.
func failure(t *testing.T, err error, code string) *searchscope.Error {
	t.Helper()
	var failed *searchscope.Error
	if !errors.As(err, &failed) || failed.Code != code {
		t.Fatalf("%v is not %s", err, code)
	}
	if failed.Message == "" || failed.Error() != "searchscope: "+code+": "+failed.Message {
		t.Errorf("%q does not describe the error", failed.Error())
	}
	return failed
}

func TestEveryTool(t *testing.T) {
	workspace := open(t)
	if len(expected.Calls) == 0 {
		t.Fatal("no calls")
	}
	var replies []string
	for _, call := range expected.Calls {
		reply, err := workspace.Call(background, call[0], json.RawMessage(call[1]))
		if err != nil {
			t.Errorf("%s: %v", call[0], err)
		}
		replies = append(replies, string(reply))
	}
	text, err := json.Marshal(replies)
	if err == nil {
		err = os.WriteFile(expected.Replies, text, 0o644)
	}
	if err != nil {
		t.Error(err)
	}
	var tools []struct{ Name string }
	list, err := searchscope.Tools()
	if err == nil {
		err = json.Unmarshal(list, &tools)
	}
	if err != nil || len(tools) != len(expected.Calls) {
		t.Errorf("%d tools, %v", len(tools), err)
	}
	if searchscope.Version() == "" {
		t.Error("no version")
	}
}

func TestStreamsAreTheReply(t *testing.T) {
	workspace := open(t)
	var needles, paths []string
	report, err := workspace.SearchEach(background, needle, func(match *searchscope.Match) bool {
		if len(match.Spans) != 1 || match.Text[match.Spans[0].Start:match.Spans[0].End] != "needle" {
			t.Errorf("%+v", match)
		}
		needles = append(needles, fmt.Sprintf("%s:%d:%d:%s", match.Path, match.Line, match.Column, match.Text))
		return true
	})
	if err != nil || !strings.Contains(string(report), `"total":2,`) {
		t.Errorf("%s %v", report, err)
	}
	if !reflect.DeepEqual(needles, expected.Needles) {
		t.Errorf("%q, not %q", needles, expected.Needles)
	}
	_, err = workspace.FindEach(background, args{"details": true}, func(file *searchscope.FoundFile) bool {
		if file.Details == nil || file.Details.Type != 'f' || file.Details.Size == 0 || file.Details.Modified.IsZero() {
			t.Errorf("%+v", file)
		}
		paths = append(paths, file.Path)
		return true
	})
	if err != nil || !reflect.DeepEqual(paths, expected.Paths) {
		t.Errorf("%q, not %q: %v", paths, expected.Paths, err)
	}
}

func TestAMatchHasWhatItWasAskedFor(t *testing.T) {
	workspace := open(t)
	first := func(args args) (found *searchscope.Match) {
		_, err := workspace.SearchEach(background, args, func(match *searchscope.Match) bool {
			found = match
			return false
		})
		if err != nil || found == nil {
			t.Fatalf("%v: %v", args, err)
		}
		return found
	}
	match := first(args{"patterns": []string{"main\\("}, "enclosing": true, "context_before": 2, "context_after": 1})
	if match.Path != "main.go" || match.Line != 3 || match.LastLine != 3 || match.LineBytes != 14 ||
		!reflect.DeepEqual(match.Before, []string{"package main", ""}) || len(match.After) != 0 ||
		match.Enclosing != "func main" {
		t.Errorf("%+v", match)
	}
	if match = first(args{"patterns": []string{"many"}, "mode": "count"}); match.Count != uint64(expected.NMany) || match.Line != 0 {
		t.Errorf("%+v", match)
	}
}

func TestAMatchNamesTheDeclaredEncodingOfItsFile(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"latin": "caf\xe9\n", "utf": "caf\u00e9\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	workspace, err := searchscope.Open(root, searchscope.Options{Encodings: []string{"utf-8", "windows-1252"}})
	if err != nil {
		t.Fatal(err)
	}
	defer workspace.Close()
	found := []string{}
	_, err = workspace.SearchEach(background, args{"patterns": []string{"caf\u00e9"}}, func(match *searchscope.Match) bool {
		found = append(found, match.Path+" "+match.Encoding)
		return true
	})
	if err != nil || !reflect.DeepEqual(found, []string{"latin windows-1252", "utf "}) {
		t.Errorf("%q: %v", found, err)
	}
}

func TestStopping(t *testing.T) {
	workspace := open(t)
	n := 0
	report, err := workspace.SearchEach(background, many, func(*searchscope.Match) bool {
		n++
		return n < 10
	})
	if err != nil || n != 10 || !strings.Contains(string(report), `"stopped":"limit"`) {
		t.Errorf("%d matches, %s %v", n, report, err)
	}
}

func TestErrors(t *testing.T) {
	_, err := searchscope.Open(expected.Root+"/no such", searchscope.Options{})
	failure(t, err, "not_found")
	_, err = searchscope.Open(expected.Root+"\x00", searchscope.Options{})
	failure(t, err, "invalid_param")
	_, err = searchscope.Open(expected.Root, searchscope.Options{Threads: -1})
	failure(t, err, "invalid_param")
	_, err = searchscope.Open("\xff", searchscope.Options{})
	failure(t, err, "invalid_utf8")

	workspace := open(t)
	call := func(tool string, args any) error {
		reply, err := workspace.Call(background, tool, args)
		if reply != nil {
			t.Errorf("%s: a reply beside an error", tool)
		}
		return err
	}
	failure(t, call("no_such_tool", args{}), "invalid_param")
	failure(t, call("search\x00", needle), "invalid_param")
	failure(t, call("search", nil), "invalid_param")
	failure(t, call("search", json.RawMessage("\"\xff\"")), "invalid_utf8")
	failed := failure(t, call("search_in_files", args{"query": "a(", "use_regex": true}), "pattern_syntax")
	if failed.Param != "query" || !strings.Contains(string(failed.Detail), `"span":{"start":`) {
		t.Errorf("%+v", failed)
	}
	failed = failure(t, call("search_in_files", args{"query": "a", "path": "no/such"}), "not_found")
	if failed.Path != "no/such" {
		t.Errorf("%+v", failed)
	}
	failure(t, call("search_in_files", args{"query": "a", "path": "../.."}), "access_denied")
	small, err := searchscope.Open(expected.Root, searchscope.Options{ReplyBytesMax: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	_, err = small.Call(background, "search_in_files", args{"query": "many"})
	failure(t, err, "result_too_large")
	if err = call("search", make(chan int)); err == nil {
		t.Error("a channel is not JSON")
	}
	_, err = workspace.SearchEach(background, args{"patterns": []string{"("}}, func(*searchscope.Match) bool { return true })
	failure(t, err, "pattern_syntax")
	if _, err = workspace.SearchEach(background, needle, nil); err == nil || !strings.Contains(err.Error(), "callback") {
		t.Errorf("a search without a callback: %v", err)
	}
	if _, err = workspace.FindEach(background, args{}, nil); err == nil {
		t.Error("a find without a callback passes")
	}

	if err = small.Close(); err != nil {
		t.Error(err)
	}
	failure(t, small.Close(), "bad_handle")
	_, err = small.Call(background, "search", needle)
	if failed = failure(t, err, "bad_handle"); failed.Param != "workspace" {
		t.Errorf("%+v", failed)
	}
}

func TestCancelling(t *testing.T) {
	workspace := open(t)
	ctx, cancel := context.WithCancel(background)
	n := 0
	_, err := workspace.SearchEach(ctx, many, func(*searchscope.Match) bool {
		if n++; n == 1 {
			go cancel()
			<-ctx.Done()
			// Gives the goroutine that triggers the token time to run.
			time.Sleep(50 * time.Millisecond)
		}
		return true
	})
	failure(t, err, "cancelled")
	if !errors.Is(err, context.Canceled) || n == 0 || n == expected.NMany {
		t.Errorf("%d matches, %v", n, err)
	}
	_, err = workspace.Call(ctx, "search", needle)
	failure(t, err, "cancelled")

	ctx, cancel = context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	_, err = workspace.SearchEach(ctx, many, func(*searchscope.Match) bool {
		<-ctx.Done()
		time.Sleep(10 * time.Millisecond)
		return true
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err = workspace.Call(background, "search", needle); err != nil {
		t.Error(err)
	}
}

func TestAPanicPassesByC(t *testing.T) {
	workspace := open(t)
	n := 0
	func() {
		defer func() {
			if thrown := recover(); thrown != "mine" {
				t.Errorf("%v", thrown)
			}
		}()
		workspace.SearchEach(background, many, func(*searchscope.Match) bool {
			n++
			panic("mine")
		})
		t.Error("it did not panic")
	}()
	if n != 1 {
		t.Errorf("called %d times", n)
	}
	if _, err := workspace.Call(background, "search", needle); err != nil {
		t.Error(err)
	}
}

func TestACallbackMayCall(t *testing.T) {
	workspace := open(t)
	n := 0
	_, err := workspace.SearchEach(background, needle, func(*searchscope.Match) bool {
		_, err := workspace.FindEach(background, args{}, func(*searchscope.FoundFile) bool {
			n++
			return true
		})
		return err == nil
	})
	if err != nil || n != 2*len(expected.Paths) {
		t.Errorf("%d, %v", n, err)
	}
}

// Searches from several goroutines at once, while the runtime collects garbage and preempts threads with
// SIGURG.
func TestGoroutinesAtOnce(t *testing.T) {
	const nGoroutines, nRounds = 8, 20
	workspace := open(t)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var searching sync.WaitGroup
	for g := 0; g < nGoroutines; g++ {
		searching.Add(1)
		go func(cancels bool) {
			defer searching.Done()
			for round := 0; round < nRounds; round++ {
				if err := searchOnce(workspace, cancels); err != nil {
					t.Error(err)
				}
			}
		}(g%2 == 0)
	}
	searching.Wait()
	close(ended)
}

func searchOnce(workspace *searchscope.Workspace, cancels bool) error {
	if _, err := workspace.Call(background, "search", needle); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	n, copies := 0, make([]string, 0)
	_, err := workspace.SearchEach(ctx, many, func(match *searchscope.Match) bool {
		n++
		copies = append(copies, match.Text)
		if cancels && n == 100 {
			cancel()
		}
		return true
	})
	for _, text := range copies {
		if text != "one of many" {
			return fmt.Errorf("a match became %q", text)
		}
	}
	// A search that ends before it sees the cancelled context is complete.
	switch {
	case cancels && errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return err
	case n != expected.NMany:
		return fmt.Errorf("%d matches", n)
	}
	return nil
}

func TestAnOverlay(t *testing.T) {
	workspace := open(t)
	text := "the unsaved needle\n"
	edited, err := workspace.WithOverlay(map[string]*string{"unsaved/new.txt": &text})
	if err != nil {
		t.Fatal(err)
	}
	query := args{"query": "unsaved needle"}
	found, err := edited.Call(background, "search_in_files", query)
	if err != nil || !strings.Contains(string(found), "unsaved/new.txt") {
		t.Errorf("%s: %v", found, err)
	}
	found, err = workspace.Call(background, "search_in_files", query)
	if err != nil || strings.Contains(string(found), "unsaved/new.txt") {
		t.Errorf("%s: %v", found, err)
	}
	if err = edited.Close(); err != nil {
		t.Error(err)
	}
	_, err = workspace.WithOverlay(map[string]*string{"../outside": &text})
	if failed := failure(t, err, "access_denied"); failed.Param != "overlay" {
		t.Errorf("%+v", failed)
	}
	_, err = edited.WithOverlay(nil)
	failure(t, err, "bad_handle")
}

func TestTheIndex(t *testing.T) {
	cold := open(t)
	status, err := cold.Warm(background)
	if err != nil || status != (searchscope.IndexStatus{State: "off"}) {
		t.Errorf("%+v %v", status, err)
	}
	options := searchscope.Options{Index: "auto", MemoryBytesMax: 1 << 20, DocSuffixes: []string{".rst"}}
	workspace, err := searchscope.Open(expected.Root, options)
	if err != nil {
		t.Fatal(err)
	}
	if status, err = workspace.IndexStatus(); err != nil || status.State != "cold" {
		t.Errorf("%+v %v", status, err)
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	if _, err = workspace.Warm(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	status, err = workspace.Warm(ctx)
	if err != nil || runtime.GOOS == "linux" && status.State != "ready" || status.LeftOut != 0 {
		t.Errorf("%+v %v", status, err)
	}
	if again, err := workspace.IndexStatus(); err != nil || again != status {
		t.Errorf("%+v, not %+v: %v", again, status, err)
	}
	query := args{"query": "needle"}
	before, _ := cold.Call(background, "search_in_files", query)
	after, err := workspace.Call(background, "search_in_files", query)
	if err != nil || len(after) == 0 || string(after) != string(before) {
		t.Errorf("%s, not %s: %v", after, before, err)
	}
	_, err = searchscope.Open(expected.Root, searchscope.Options{Index: "on"})
	if failed := failure(t, err, "invalid_param"); failed.Param != "index" {
		t.Errorf("%+v", failed)
	}
	_, err = searchscope.Open(expected.Root, searchscope.Options{MemoryBytesMax: 1})
	if failed := failure(t, err, "invalid_param"); failed.Param != "memory_bytes_max" {
		t.Errorf("%+v", failed)
	}
	if err = workspace.Close(); err != nil {
		t.Error(err)
	}
	_, err = workspace.Warm(background)
	failure(t, err, "bad_handle")
	_, err = workspace.IndexStatus()
	failure(t, err, "bad_handle")
}
