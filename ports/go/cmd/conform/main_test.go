package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The exit status is 0, or 1 if a case failed, or 2 if it could not run.
func TestExitStatus(t *testing.T) {
	empty, unknown, wrong := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, unknown, "something_new.json", "{}")
	write(t, wrong, "portable_k1_n1_p0.01.json", `{"sized_for":{"keys":1,"fpr":0.01},"inserted":1,"bits":10,"hashes":7,"ones":1,"hex":"00"}`)
	good := write(t, empty, "good.script", "# nothing\ncheck xxh3\nmake f portable bits=0 hashes=1\n")
	bad := write(t, empty, "bad.script", "check xxh3\nquery f t:a\n")
	for _, c := range []struct {
		args string
		want int
	}{
		{"", 2}, {"vectors", 2}, {"vectors " + empty, 2}, {"vectors " + unknown, 1}, {"vectors " + wrong, 1}, {"script " + good, 0},
		{"script " + bad, 2}, {"script " + empty + "/none", 2}, {"script " + good + " --files " + empty, 0}, {"else " + good, 2},
	} {
		if got := run(strings.Fields(c.args), io.Discard, io.Discard); got != c.want {
			t.Errorf("conform %s: %d, not %d", c.args, got, c.want)
		}
	}
}
