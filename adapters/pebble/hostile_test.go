package pebblefilter

import (
	"bytes"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A forger writes other bytes in place of a policy's filters, under checksums of pebble that fit.
type forger struct {
	Policy
	forge func(filter []byte) []byte
}

type forgingWriter struct {
	pebble.FilterWriter
	forge func(filter []byte) []byte
}

func (f forger) NewWriter(t pebble.FilterType) pebble.FilterWriter {
	return forgingWriter{f.Policy.NewWriter(t), f.forge}
}

func (w forgingWriter) Finish(dst []byte) []byte {
	return append(dst, w.forge(w.FilterWriter.Finish(nil))...)
}

// builtInNamed writes filters of pebble's own under our name.
type builtInNamed struct{ Policy }

func (builtInNamed) NewWriter(t pebble.FilterType) pebble.FilterWriter { return builtIn.NewWriter(t) }

// No Get is wrong while filters are random or truncated bytes, or those of another policy.
func TestHostileFilters(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	forgers := map[string]pebble.FilterPolicy{
		"random": forger{10, func(f []byte) []byte { r.Read(f); return f }},
		"random, any length": forger{10, func([]byte) []byte {
			b := make([]byte, r.Intn(2000))
			r.Read(b)
			return b
		}},
		"cut":      forger{10, func(f []byte) []byte { return f[:r.Intn(len(f))] }},
		"beheaded": forger{10, func(f []byte) []byte { return f[1+r.Intn(len(f)-1):] }},
		"empty":    forger{10, func([]byte) []byte { return nil }},
		"built-in": builtInNamed{10},
	}
	for name, p := range forgers {
		t.Run(name, func(t *testing.T) {
			m := &model{t: t, r: rand.New(rand.NewSource(7)), fs: vfs.NewMem(), policy: p, holds: map[int]string{}}
			m.run(modelSteps() / 5)
			if m.hits != 0 {
				t.Errorf("%d lookups were answered by forged filters", m.hits)
			}
			t.Logf("cases: pebble_hostile %d", modelSteps()/5)
		})
	}
}

// Our bytes under the name of pebble's own filter are "possibly present" to it: a mistake costs time, no key.
type oursNamed struct{ pebble.FilterPolicy }

func (oursNamed) NewWriter(t pebble.FilterType) pebble.FilterWriter { return Policy(10).NewWriter(t) }

func TestBuiltInLetsOursPass(t *testing.T) {
	m := &model{t: t, r: rand.New(rand.NewSource(8)), fs: vfs.NewMem(), policy: oursNamed{builtIn}, holds: map[int]string{}}
	m.run(modelSteps() / 10)
	if m.hits != 0 {
		t.Errorf("%d lookups were answered by filters of another policy", m.hits)
	}
}

// A changed bit of a filter in a file is found by pebble's checksum, and the Get says so.
func TestChangedBitsAreCorruption(t *testing.T) {
	fs := vfs.NewMem()
	db := open(t, unmoved(fs, Policy(10)))
	load(t, db, 0, 5000)
	must(t, db.Close())
	names, err := fs.List("db")
	must(t, err)
	changed := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".sst") {
			changed += changeFilter(t, fs, "db/"+name)
		}
	}
	if changed != 1 {
		t.Fatalf("%d filters were found in the tables", changed)
	}
	// By default pebble ends the process on corruption.
	reported := 0
	o := unmoved(fs, Policy(10))
	o.EventListener = &pebble.EventListener{DataCorruption: func(pebble.DataCorruptionInfo) { reported++ }}
	db = open(t, o)
	defer db.Close()
	_, _, err = db.Get(key(1))
	if !pebble.IsCorruptionError(err) || reported == 0 {
		t.Errorf("Get: %v, %d events", err, reported)
	}
}

// changeFilter flips a bit of the filter in a table's file, and returns how many filters it found.
func changeFilter(t *testing.T, fs vfs.FS, path string) int {
	f, err := fs.Open(path)
	must(t, err)
	data, err := io.ReadAll(f)
	must(t, err)
	must(t, f.Close())
	at := bytes.Index(data, []byte("\x00\x02blm"))
	if at < 100 {
		return 0
	}
	data[at-100] ^= 4
	w, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return 1
}

// Lookups in random bytes do not panic, whatever the filter type.
func TestRandomBytesArePossiblyPresent(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	for i := 0; i < 100_000; i++ {
		b := make([]byte, r.Intn(200))
		r.Read(b)
		if !Policy(10).MayContain(pebble.TableFilter, b, key(i)) {
			t.Fatalf("%x: a false negative", b)
		}
	}
	t.Log("cases: pebble_random_bytes 100000")
}
