package pebblefilter

import (
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// absentHits looks absent keys up and returns how many lookups filters answered.
func absentHits(t *testing.T, db *pebble.DB, keys int) int64 {
	t.Helper()
	before := db.Metrics().Filter.Hits
	for i := 0; i < keys; i++ {
		if _, ok := found(t, db, key(1<<40+i)); ok {
			t.Fatal("an absent key is found")
		}
	}
	return db.Metrics().Filter.Hits - before
}

func allFound(t *testing.T, db *pebble.DB, keys int) {
	t.Helper()
	for i := 0; i < keys; i++ {
		if _, ok := found(t, db, key(i)); !ok {
			t.Fatalf("key %d is not found", i)
		}
	}
}

// A database changes its policy both ways; the tables of before keep their filters, which are used where their policy is known, and
// ignored where not.
func TestPoliciesAreSwitched(t *testing.T) {
	const n, absent = 5000, 2000
	for _, c := range []struct{ before, after pebble.FilterPolicy }{{builtIn, Policy(10)}, {Policy(10), builtIn}} {
		fs := vfs.NewMem()
		db := open(t, unmoved(fs, c.before))
		load(t, db, 0, n)
		must(t, db.Close())

		// The old policy is not known: no filter is used, every key is found.
		db = open(t, unmoved(fs, c.after))
		allFound(t, db, n)
		if hits := absentHits(t, db, absent); hits != 0 {
			t.Errorf("%s answered %d lookups in tables of %s", c.after.Name(), hits, c.before.Name())
		}
		must(t, db.Close())

		// Both are known: new tables have the new filters, and both are used.
		db = open(t, unmoved(fs, c.after, c.before, c.after))
		load(t, db, n, 2*n)
		allFound(t, db, 2*n)
		hits := absentHits(t, db, absent)
		if hits < 2*absent*97/100 {
			t.Errorf("%d of %d lookups in the tables of both policies were answered by filters", hits, 2*absent)
		}
		names := map[string]int{}
		levels, err := db.SSTables(pebble.WithProperties())
		must(t, err)
		for _, level := range levels {
			for _, table := range level {
				names[table.Properties.FilterPolicyName]++
			}
		}
		if names[c.before.Name()] != 1 || names[c.after.Name()] != 1 {
			t.Errorf("tables by policy: %v", names)
		}
		must(t, db.Close())
	}
}

// Pebble does not ask the filters of the last level, whatever the policy.
func TestLastLevelIsNotAsked(t *testing.T) {
	o := unmoved(vfs.NewMem(), Policy(10))
	o.LBaseMaxBytes = 64 << 20
	db := open(t, o)
	defer db.Close()
	load(t, db, 0, 5000)
	if hits := absentHits(t, db, 500); hits < 400 {
		t.Fatalf("%d lookups in level 0 were answered by filters", hits)
	}
	compact(t, db)
	if hits := absentHits(t, db, 500); hits != 0 {
		t.Errorf("%d lookups in the last level were answered by filters: README.md says that they are not", hits)
	}
}
