package bloomery_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program of the README compiles as it stands there, and prints what stands below it.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\npackage main\n")
	program, rest, _ := strings.Cut(rest, "```\n")
	_, rest, _ = strings.Cut(rest, "```\n")
	want, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("the README does not begin with a program and its output")
	}
	dir := t.TempDir()
	here, _ := os.Getwd()
	module := "module readme\n\ngo 1.19\n\nrequire bloomery v0.1.0\n\nreplace bloomery => " + here + "\n"
	for name, text := range map[string]string{"go.mod": module, "main.go": "package main\n" + program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := run.CombinedOutput()
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
}
