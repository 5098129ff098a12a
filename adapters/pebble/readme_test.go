package pebblefilter

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The program of the README is example/main.go, and prints what stands below it.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	program, err := os.ReadFile("example/main.go")
	must(t, err)
	out, err := exec.Command("go", "run", "./example").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shown := "```go\n" + string(program) + "```\n\n```\n" + string(out) + "```\n"
	if !strings.Contains(string(readme), shown) {
		t.Errorf("the README does not show this:\n%s", shown)
	}
}
