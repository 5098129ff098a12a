package pebblefilter

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand"
	"os"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Databases of the tests lie in memory.

type quiet struct{}

func (quiet) Infof(string, ...interface{})  {}
func (quiet) Errorf(string, ...interface{}) {}
func (quiet) Fatalf(format string, args ...interface{}) {
	panic(format)
}

// builtIn is pebble's Bloom filter.
const builtIn = bloom.FilterPolicy(10)

// options are those of a database whose tables are small, so that there are many, on several levels.
func options(fs vfs.FS, p pebble.FilterPolicy, known ...pebble.FilterPolicy) *pebble.Options {
	o := &pebble.Options{
		FS: fs, Logger: quiet{}, MemTableSize: 256 << 10, L0CompactionThreshold: 2, LBaseMaxBytes: 128 << 10,
		FormatMajorVersion: pebble.FormatNewest, Filters: Readable(known...),
	}
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = p
		o.TargetFileSizes[i] = 32 << 10
	}
	return o
}

func open(t testing.TB, o *pebble.Options) *pebble.DB {
	t.Helper()
	db, err := pebble.Open("db", o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// found is whether a key is in the database, or in one of its snapshots, and its value.
func found(t testing.TB, r pebble.Reader, key []byte) (string, bool) {
	t.Helper()
	value, closer, err := r.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return "", false
	}
	must(t, err)
	defer closer.Close()
	return string(value), true
}

// key is the i-th key: of several lengths, none the prefix of another.
func key(i int) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15)
	return append(b, make([]byte, i%17)...)
}

// load writes keys from..to-1 as tables of their own in level 0, where Gets ask their filters.
func load(t testing.TB, db *pebble.DB, from, to int) {
	t.Helper()
	value := make([]byte, 100)
	r := rand.New(rand.NewSource(int64(from)))
	for i := from; i < to; i++ {
		r.Read(value)
		must(t, db.Set(key(i), value, pebble.NoSync))
	}
	must(t, db.Flush())
}

// unmoved are options under which tables stay where they are written.
func unmoved(fs vfs.FS, p pebble.FilterPolicy, known ...pebble.FilterPolicy) *pebble.Options {
	o := options(fs, p, known...)
	o.DisableAutomaticCompactions = true
	o.L0StopWritesThreshold = 1 << 20
	o.MemTableSize = 64 << 20
	o.TargetFileSizes[0] = 64 << 20
	return o
}

// filterBytes is the size of the filters of all tables, and the keys in these.
func filterBytes(t testing.TB, db *pebble.DB) (bytes, entries uint64) {
	t.Helper()
	levels, err := db.SSTables(pebble.WithProperties())
	must(t, err)
	for _, level := range levels {
		for _, table := range level {
			bytes += table.Properties.FilterSize
			entries += table.Properties.NumEntries
		}
	}
	return bytes, entries
}

func compact(t testing.TB, db *pebble.DB) {
	t.Helper()
	must(t, db.Compact(context.Background(), []byte{0}, []byte{255, 255}, false))
}

// full is whether tests take the sizes of make test-full.
func full() bool { return os.Getenv("BLOOMERY_TEST_FULL") == "1" }
