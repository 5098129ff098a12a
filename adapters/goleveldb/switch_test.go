package leveldbfilter

import (
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

// lookAll looks keys up, of which the first n are there.
func lookAll(t *testing.T, db *leveldb.DB, n int) {
	t.Helper()
	for i := 0; i < 2*n; i++ {
		if _, ok := found(t, db, key(i)); ok != (i < n) {
			t.Fatalf("key %d: %t", i, ok)
		}
	}
}

// A database changes its filter both ways without a rebuild.
func TestFiltersAreSwitched(t *testing.T) {
	const n = 5000
	for _, c := range []struct {
		name          string
		before, after filter.Filter
		alt           []filter.Filter
		used, denied  bool // filters of before are used by after, and deny absent keys
	}{
		{"built-in to ours", builtIn(), New(10), nil, true, true},
		{"ours to built-in", New(10), builtIn(), nil, true, false},
		{"built-in to our own name", builtIn(), Named(10, Own), nil, false, false},
		{"our own name to built-in", Named(10, Own), builtIn(), nil, false, false},
		{"our own name to built-in, known", Named(10, Own), builtIn(), []filter.Filter{Named(10, Own)}, true, true},
		{"built-in to our own name, known", builtIn(), Named(10, Own), []filter.Filter{builtIn()}, true, true},
		{"fewer bits", New(20), New(5), nil, true, true},
		{"LevelDB's name", Named(10, LevelDB), New(10), []filter.Filter{Named(10, LevelDB)}, true, true},
	} {
		s := storage.NewMemStorage()
		db := open(t, s, options(c.before))
		load(t, db, 0, n)
		must(t, db.Close())
		count := &counting{Filter: c.after}
		alts := make([]filter.Filter, len(c.alt))
		var counted []*counting
		for i, f := range c.alt {
			counted = append(counted, &counting{Filter: f})
			alts[i] = counted[i]
		}
		counted = append(counted, count)
		db = open(t, s, options(count, alts...))
		lookAll(t, db, n)
		passed, denied := 0, 0
		for _, k := range counted {
			passed += k.passed
			denied += k.denied
		}
		if (passed > 0) != c.used || (denied > n*95/100) != c.denied {
			t.Errorf("%s: filters of before passed %d and denied %d lookups", c.name, passed, denied)
		}
		// New tables have the new filters.
		load(t, db, n, 2*n)
		lookAll(t, db, 2*n)
		must(t, db.Close())
	}
}
