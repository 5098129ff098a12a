package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	spec  = "../../../../spec"
	level = 2 // of spec/conformance.md
)

// levelOf is the level that the first line of a script names (spec/conformance.md); a script of no level is above all.
func levelOf(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`^# (?:Level ([123])|All): `).FindSubmatch(b)
	switch {
	case words == nil:
		t.Fatal(path, "names no level in its first line")
	case len(words[1]) == 1:
		return int(words[1][0] - '0')
	}
	return 4
}

// Every script of the level of this port prints the trace beside it.
func TestScripts(t *testing.T) {
	scripts, _ := filepath.Glob(spec + "/scripts/*.script")
	if len(scripts) == 0 {
		t.Skip("spec/scripts is not beside this module")
	}
	for _, path := range scripts {
		if levelOf(t, path) > level {
			continue
		}
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
	// Rows above the level of this port are skipped, and no others.
	skipped := map[string]int{
		"container_hostile.json": 80, "containers.json": 1, "dialect_files.json": 15, "dialect_hostile.json": 70, "dialects.json": 60,
		"receipts.json": 170,
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got, err := runVectors(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("passed %d, skipped %d", got.passed, got.skipped)
			if got.passed+got.skipped == 0 || got.skipped != skipped[filepath.Base(path)] {
				t.Error("no cases, or others were skipped")
			}
			for _, f := range got.failures {
				t.Error(f)
			}
		})
	}
}

// A kind's script operations and vector files follow from the table: here those of the partitioned filter, with the examples of
// spec/filters.md 6.
func TestPartitioned(t *testing.T) {
	var trace bytes.Buffer
	err := RunScript(strings.NewReader(`make f partitioned slice=16 hashes=6
insert f t:k0
query f t:k0 t:x0
encode b f native
inspect b
decode g b native
equal f g
make f partitioned slice=0 hashes=6
make f partitioned slice=1 hashes=65
make f partitioned slice=281474976710656 hashes=2
`), &trace, "")
	want := `1 ok bits=96 hashes=6
2 ok
3 10
4 200 CRC
5 kind=partitioned hashes=6 units=16 payload=128+12 sentinels=0 notes=0 keys=0
6 ok kind=partitioned damaged=0
7 yes
8 error invalid_argument
9 error too_large
10 error too_large
`
	got := regexp.MustCompile(`(?m)^4 200 [0-9a-f]{8}$`).ReplaceAllString(trace.String(), "4 200 CRC")
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	passTwoOfThree(t, map[string]string{
		"partitioned_positions.json": `{"_comment": [], "cases": [
			{"text":"k0","hash":"bbb08e672f9190b3","slice":16,"hashes":6,"positions":[5,24,41,49,76,81]},
			{"text":"k0","hash":"bbb08e672f9190b3","slice":13,"hashes":7,"positions":[4,20,33,40,62,65,90]},
			{"hash":"bbb08e672f9190b3","slice":16,"hashes":6,"positions":[5,24,41,49,76,82]}]}`,
		// The example of spec/filters.md 2.7.
		"lanes16_positions.json": `{"_comment": [], "cases": [
			{"text":"k0","hash":"bbb08e672f9190b3","profile":"lanes16","blocks":3,"positions":[258,281,299,314,327,338,361,378]},
			{"hash":"bbb08e672f9190b3","profile":"lanes16","blocks":1,"positions":[2,25,43,58,71,82,105,122]},
			{"hash":"bbb08e672f9190b3","profile":"lanes16","blocks":1,"positions":[2,25,43,58,71,82,105,123]}]}`,
		"lanes16_filters.json": `{"_comment": [], "cases": [
			{"profile":"lanes16","blocks":3,"prefix":"k","inserted":1,"maybe":0,"ones":8,
			 "hex":"0000000000000000000000000000000000000000000000000000000000000000` + "04000002000800048000040000020004" + `"},
			{"profile":"lanes16","blocks":1,"prefix":"k","inserted":1,"maybe":0,"ones":8,"hex":"04000002000800048000040000020004"},
			{"profile":"lanes16","blocks":1,"prefix":"k","inserted":1,"maybe":0,"ones":8,"hex":"04000002000800048000040000020005"}]}`,
		"partitioned_filters.json": `{"_comment": [], "cases": [
			{"slice":16,"hashes":6,"prefix":"k","inserted":1,"maybe":0,"ones":6,"hex":"200000010002020000100200"},
			{"slice":13,"hashes":7,"prefix":"k","inserted":1,"maybe":0,"ones":7,"hex":"100010000201004002000004"},
			{"slice":13,"hashes":7,"prefix":"k","inserted":1,"maybe":0,"ones":7,"hex":"100010000201004002000005"}]}`,
	})
}

// The positions of kinds that are built of all keys at once have members of their kind: here the examples of spec/filters.md 9 to 11.
func TestBuiltPositions(t *testing.T) {
	passTwoOfThree(t, map[string]string{
		"fuse_positions.json": `{"_comment": [], "cases": [
			{"text":"k0","hash":"bbb08e672f9190b3","shards":2,"slots":128,"layout":4,"segment_log":3,"round":0,"fingerprint":49138873,"positions":[83,93,99,104]},
			{"hash":"bbb08e672f9190b3","shards":1,"slots":64,"layout":3,"segment_log":3,"round":1,"fingerprint":4263678322,"positions":[6,12,22]},
			{"hash":"bbb08e672f9190b3","shards":1,"slots":64,"layout":3,"segment_log":3,"round":1,"fingerprint":4263678323,"positions":[6,12,22]}]}`,
		"xor_positions.json": `{"_comment": [], "cases": [
			{"text":"k0","hash":"bbb08e672f9190b3","shards":2,"slots":60,"layout":3,"segment_log":0,"round":0,"fingerprint":49138873,"positions":[32,46,51]},
			{"hash":"bbb08e672f9190b3","shards":1,"slots":7,"layout":0,"segment_log":0,"round":0,"fingerprint":49138873,"positions":[6,1,4,3]},
			{"hash":"bbb08e672f9190b3","shards":1,"slots":7,"layout":0,"segment_log":0,"round":0,"fingerprint":49138873,"positions":[6,1,4,2]}]}`,
		"ribbon_positions.json": `{"_comment": [], "cases": [
			{"text":"k0","hash":"bbb08e672f9190b3","width":64,"columns":6,"narrow":0,"buckets":[1024,0,0,0],"rest":0,"seed":0,"kept":0,"layers":[
			 {"hash":"bbb08e672f9190b3","segment":1,"start":30531,"bucket":750,"position":67,"block":1501,"shift":3,"columns":6,
			  "coefficients":"7c46b53b3498ecef","fingerprint":2537913382}]},
			{"hash":"bbb08e672f9190b3","width":64,"columns":8,"narrow":0,"buckets":[0,0,0,0],"rest":1,"seed":0,"kept":0,"layers":[],
			 "last":{"hash":"b2ada4e90228966f","start":0,"columns":8,"coefficients":"0000000000000001","fingerprint":636030275}},
			{"hash":"bbb08e672f9190b3","width":64,"columns":8,"narrow":0,"buckets":[1024,0,0,0],"rest":0,"seed":0,"kept":0,"layers":[
			 {"hash":"bbb08e672f9190b3","segment":1,"start":30531,"bucket":750,"position":67,"block":1501,"shift":4,"columns":8,
			  "coefficients":"7c46b53b3498ecef","fingerprint":2537913382}]}]}`,
	})
}

// passTwoOfThree runs files of which two cases are right, and the third is not.
func passTwoOfThree(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := runVectors(path); err != nil || got.passed != 2 || len(got.failures) != 1 {
			t.Error(name, got, err)
		}
	}
}
