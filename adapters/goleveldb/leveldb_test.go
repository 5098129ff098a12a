package leveldbfilter

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// A database that LevelDB in C++ wrote with our policy is read with its filters, and written on (testdata/README.md).
func TestTablesOfLevelDBInCpp(t *testing.T) {
	dir := t.TempDir()
	files, err := filepath.Glob("testdata/leveldb/*")
	must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o600))
	}
	for _, alternative := range []bool{false, true} {
		c := &counting{Filter: Named(10, LevelDB)}
		o := &opt.Options{Filter: c}
		if alternative {
			o.Filter, o.AltFilters = New(10), []filter.Filter{c}
		}
		db, err := leveldb.OpenFile(dir, o)
		must(t, err)
		for i := uint32(0); i < 1000; i++ {
			value, ok := found(t, db, []byte(fmt.Sprintf("key%04d", i*791%1000)))
			if want := fmt.Sprintf("%08x", i*2654435761); !ok || value != want {
				t.Fatalf("key %d: %q, not %q", i*791%1000, value, want)
			}
			if _, ok := found(t, db, []byte(fmt.Sprintf("key%04dx", i))); ok {
				t.Fatal("an absent key is found")
			}
		}
		if c.passed < 1000 || c.denied < 980 {
			t.Errorf("filters passed %d and denied %d of 1000 keys each", c.passed, c.denied)
		}
		must(t, db.Close())
	}
}
