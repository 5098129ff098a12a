package leveldbfilter

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// A model is a database beside a map that says what is in it.
type model struct {
	t       *testing.T
	r       *rand.Rand
	storage storage.Storage
	filter  filter.Filter
	db      *leveldb.DB
	holds   map[int]string
	old     *leveldb.Snapshot
	oldHeld map[int]string
	gets    int
}

const modelKeys = 3000 // indices of keys; as many more are never written

func (m *model) reopen() {
	m.forgetSnapshot()
	if m.db != nil {
		must(m.t, m.db.Close())
	}
	m.db = open(m.t, m.storage, options(m.filter))
}

func (m *model) forgetSnapshot() {
	if m.old != nil {
		m.old.Release()
		m.old = nil
	}
}

func (m *model) check(i int) {
	m.gets++
	value, ok := found(m.t, m.db, key(i))
	want, held := m.holds[i]
	if ok != held || value != want {
		m.t.Fatalf("Get of key %d: %t, held %t", i, ok, held)
	}
	if m.old != nil {
		value, ok = found(m.t, m.old, key(i))
		if want, held = m.oldHeld[i]; ok != held || value != want {
			m.t.Fatalf("Get of key %d from the snapshot: %t, held %t", i, ok, held)
		}
	}
}

func (m *model) step() {
	i := m.r.Intn(modelKeys)
	switch p := m.r.Intn(10000); {
	case p < 5000:
		value := fmt.Sprintf("%x%s", m.r.Int63(), make([]byte, m.r.Intn(100)))
		must(m.t, m.db.Put(key(i), []byte(value), nil))
		m.holds[i] = value
	case p < 6500:
		must(m.t, m.db.Delete(key(i), nil))
		delete(m.holds, i)
	case p < 9960:
		m.check(m.r.Intn(2 * modelKeys))
	case p < 9980:
		m.forgetSnapshot()
		var err error
		m.old, err = m.db.GetSnapshot()
		must(m.t, err)
		m.oldHeld = make(map[int]string, len(m.holds))
		for k, v := range m.holds {
			m.oldHeld[k] = v
		}
	case p < 9990:
		must(m.t, m.db.CompactRange(util.Range{}))
	default:
		m.reopen()
	}
}

// run does random operations, then looks every key up and counts those of the database.
func (m *model) run(steps int) {
	m.reopen()
	for s := 0; s < steps; s++ {
		m.step()
	}
	for round := 0; round < 2; round++ {
		for i := 0; i < 2*modelKeys; i++ {
			m.check(i)
		}
		it, n := m.db.NewIterator(nil, nil), 0
		for it.Next() {
			n++
		}
		it.Release()
		must(m.t, it.Error())
		if n != len(m.holds) {
			m.t.Fatalf("%d keys, not %d", n, len(m.holds))
		}
		m.reopen()
	}
	must(m.t, m.db.Close())
}

func modelSteps() int {
	if full() {
		return 1_000_000
	}
	return 334_000 // a million over three policies
}

func runModel(t *testing.T, f filter.Filter, steps int) *model {
	m := &model{t: t, r: rand.New(rand.NewSource(31)), storage: storage.NewMemStorage(), filter: f, holds: map[int]string{}}
	m.run(steps)
	return m
}

// No Get is wrong: random operations, and a map that says what must be found.
func TestRandomOperations(t *testing.T) {
	for _, f := range []filter.Filter{New(10), New(2), Named(20, Own)} {
		c := &counting{Filter: f}
		m := runModel(t, c, modelSteps())
		if c.denied == 0 || c.filters == 0 {
			t.Errorf("%s: no lookup was answered by a filter", f.Name())
		}
		t.Logf("cases: goleveldb_operations %d", modelSteps())
		t.Logf("%d Gets checked, %d lookups answered by filters, %d filters of %.1f keys", m.gets, c.denied, c.filters,
			float64(c.keys)/float64(c.filters))
	}
}
