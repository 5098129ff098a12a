package conform

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzScript runs any text as a script. Lines that ask for much memory or time are left out: a script is written by somebody
// who wants it to run.
func FuzzScript(f *testing.F) {
	paths, _ := filepath.Glob(spec + "/scripts/*.script")
	for _, path := range paths {
		if b, err := os.ReadFile(path); err == nil && len(b) < 20000 {
			for _, part := range strings.SplitAfter(string(b), "\n#") {
				f.Add([]byte(part))
			}
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		var kept []string
		for _, line := range strings.Split(string(script), "\n") {
			if !costly(line) && len(kept) < 40 {
				kept = append(kept, line)
			}
		}
		_ = RunScript(bytes.NewReader([]byte(strings.Join(kept, "\n"))), io.Discard, "")
	})
}

// costly reports whether a line has a number of more than four digits, or asks for a rate, which takes long by design.
func costly(line string) bool {
	for _, slow := range []string{"rate", "expect", "promise", "fpr="} {
		if strings.Contains(line, slow) {
			return true
		}
	}
	run := 0
	for _, c := range line {
		if run++; c < '0' || c > '9' {
			run = 0
		}
		if run > 4 && !strings.Contains(line, "bytes") {
			return true
		}
	}
	return false
}
