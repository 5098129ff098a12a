package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const spec = "../../../../spec"

// Every script prints the trace beside it.
func TestScripts(t *testing.T) {
	scripts, _ := filepath.Glob(spec + "/scripts/*.script")
	if len(scripts) == 0 {
		t.Skip("spec/scripts is not beside this module")
	}
	for _, path := range scripts {
		t.Run(filepath.Base(path), func(t *testing.T) { runScript(t, path, "") })
	}
}

// What this module writes, it reads.
func TestExchange(t *testing.T) {
	if _, err := os.Stat(spec + "/scripts/exchange"); err != nil {
		t.Skip("spec/scripts is not beside this module")
	}
	dir := t.TempDir()
	runScript(t, spec+"/scripts/exchange/write.script", dir)
	runScript(t, spec+"/scripts/exchange/read.script", dir)
}

func runScript(t *testing.T, path, dir string) {
	t.Helper()
	script, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer script.Close()
	want, err := os.ReadFile(strings.TrimSuffix(path, ".script") + ".trace")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := RunScript(script, &got, dir); err != nil {
		t.Error(err)
	}
	g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range w {
		if i >= len(g) || g[i] != w[i] {
			line := "nothing"
			if i < len(g) {
				line = g[i]
			}
			t.Errorf("got  %.200s\nwant %.200s", line, w[i])
		}
	}
}

// Every vector is met; no file is unknown.
func TestVectors(t *testing.T) {
	paths, _ := filepath.Glob(spec + "/vectors/*.json")
	if len(paths) == 0 {
		t.Skip("spec/vectors is not beside this module")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got, err := runVectors(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("passed %d, skipped %d", got.passed, got.skipped)
			if got.passed+got.skipped == 0 {
				t.Error("no cases")
			}
			for _, f := range got.failures {
				t.Error(f)
			}
		})
	}
}
