package pebblefilter

import (
	"bytes"
	"fmt"
	"math/rand"
	"sort"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A model is a database beside a map that says what is in it.
type model struct {
	t       *testing.T
	r       *rand.Rand
	fs      vfs.FS
	policy  pebble.FilterPolicy
	db      *pebble.DB
	holds   map[int]string
	old     *pebble.Snapshot
	oldHeld map[int]string
	gets    int
	hits    int64 // lookups that filters answered with "definitely not present"
}

const modelKeys = 3000 // indices of keys; as many more are never written

func (m *model) reopen() {
	if m.old != nil {
		must(m.t, m.old.Close())
		m.old = nil
	}
	if m.db != nil {
		m.hits += m.db.Metrics().Filter.Hits
		must(m.t, m.db.Close())
	}
	m.db = open(m.t, options(m.fs, m.policy))
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

// deleteRange removes the keys whose bytes lie between those of two of them.
func (m *model) deleteRange(i, j int) {
	from, to := key(i), key(j)
	if bytes.Compare(from, to) > 0 {
		from, to = to, from
	}
	must(m.t, m.db.DeleteRange(from, to, pebble.NoSync))
	for k := range m.holds {
		if b := key(k); bytes.Compare(b, from) >= 0 && bytes.Compare(b, to) < 0 {
			delete(m.holds, k)
		}
	}
}

// seek looks a key up by an iterator, which asks filters by prefix: here the whole key.
func (m *model) seek(i int) {
	it, err := m.db.NewIter(&pebble.IterOptions{UseL6Filters: true})
	must(m.t, err)
	ok := it.SeekPrefixGE(key(i)) && bytes.Equal(it.Key(), key(i))
	must(m.t, it.Close())
	if _, held := m.holds[i]; ok != held {
		m.t.Fatalf("SeekPrefixGE of key %d: %t, held %t", i, ok, held)
	}
}

func (m *model) step() {
	i := m.r.Intn(modelKeys)
	switch p := m.r.Intn(10000); {
	case p < 5000:
		value := fmt.Sprintf("%x", m.r.Int63())
		must(m.t, m.db.Set(key(i), []byte(value), pebble.NoSync))
		m.holds[i] = value
	case p < 6500:
		must(m.t, m.db.Delete(key(i), pebble.NoSync))
		delete(m.holds, i)
	case p < 9800:
		m.check(m.r.Intn(2 * modelKeys))
	case p < 9900:
		m.seek(m.r.Intn(2 * modelKeys))
	case p < 9950:
		must(m.t, m.db.Flush())
	case p < 9970:
		if m.old != nil {
			must(m.t, m.old.Close())
		}
		m.old, m.oldHeld = m.db.NewSnapshot(), make(map[int]string, len(m.holds))
		for k, v := range m.holds {
			m.oldHeld[k] = v
		}
	case p < 9975:
		near := i + 1 + m.r.Intn(20)
		m.deleteRange(i, near)
	case p < 9990:
		compact(m.t, m.db)
	default:
		m.reopen()
	}
}

// run does random operations, then looks every key up and lists the database.
func (m *model) run(steps int) {
	m.reopen()
	for s := 0; s < steps; s++ {
		m.step()
	}
	for i := 0; i < 2*modelKeys; i++ {
		m.check(i)
	}
	m.list()
	m.reopen()
	for i := 0; i < 2*modelKeys; i++ {
		m.check(i)
	}
	m.hits += m.db.Metrics().Filter.Hits
	if m.old != nil {
		must(m.t, m.old.Close())
	}
	must(m.t, m.db.Close())
}

// list compares all keys of the database with the map.
func (m *model) list() {
	var want []string
	for i := range m.holds {
		want = append(want, string(key(i)))
	}
	sort.Strings(want)
	it, err := m.db.NewIter(nil)
	must(m.t, err)
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n >= len(want) || string(it.Key()) != want[n] {
			m.t.Fatalf("the %d-th key is another one", n)
		}
		n++
	}
	must(m.t, it.Close())
	if n != len(want) {
		m.t.Fatalf("%d keys, not %d", n, len(want))
	}
}

func modelSteps() int {
	if full() {
		return 1_000_000
	}
	return 334_000 // a million over three policies
}

// No Get is wrong: random operations, and a map that says what must be found.
func TestRandomOperations(t *testing.T) {
	for _, p := range []pebble.FilterPolicy{Policy(10), Policy(4), Policy(20)} {
		m := &model{t: t, r: rand.New(rand.NewSource(31)), fs: vfs.NewMem(), policy: p, holds: map[int]string{}}
		m.run(modelSteps())
		if m.hits == 0 {
			t.Errorf("%v: no lookup was answered by a filter", p)
		}
		t.Logf("cases: pebble_operations %d", modelSteps())
		t.Logf("%v bits per key: %d Gets checked, %d lookups answered by filters", p, m.gets, m.hits)
	}
}
