// Prints every line below a directory that matches a regex, as it is found. Ctrl-C ends the search.
//
//	go run . 'fn \w+' path/to/project
//
// If the library is not in a standard location, set PKG_CONFIG_PATH for the compiler and LD_LIBRARY_PATH
// for the program.
//
// Exits with 0 if something matched, 1 if nothing did, 2 if the search failed or was cancelled.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/searchscope/searchscope/go/searchscope"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: search REGEX [DIRECTORY]")
		os.Exit(2)
	}
	root := "."
	if len(os.Args) > 2 {
		root = os.Args[2]
	}
	nLines, err := search(os.Args[1], root)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case nLines == 0:
		os.Exit(1)
	}
}

func search(pattern, root string) (nLines int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	workspace, err := searchscope.Open(root, searchscope.Options{})
	if err != nil {
		return 0, err
	}
	defer workspace.Close()

	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	args := map[string]any{"patterns": []string{pattern}}
	report, err := workspace.SearchEach(ctx, args, func(match *searchscope.Match) bool {
		nLines++
		_, failure := fmt.Fprintf(out, "%s:%d:%s\n", match.Path, match.Line, match.Text)
		return failure == nil
	})
	if err == nil {
		fmt.Fprintf(os.Stderr, "%s\n", report)
	}
	return nLines, err
}
