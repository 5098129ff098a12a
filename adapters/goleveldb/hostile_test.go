package leveldbfilter

import (
	"encoding/binary"
	"io"
	"math/rand"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// A forger writes other bytes in place of a filter's, under checksums of goleveldb that fit.
type forger struct {
	filter.Filter
	forge func(bytes []byte) []byte
}

type forgingGenerator struct {
	filter.FilterGenerator
	forge func(bytes []byte) []byte
}

func (f forger) NewGenerator() filter.FilterGenerator {
	return forgingGenerator{f.Filter.NewGenerator(), f.forge}
}

func (g forgingGenerator) Generate(b filter.Buffer) {
	var inner util.Buffer
	g.FilterGenerator.Generate(&inner)
	forged := g.forge(inner.Bytes())
	copy(b.Alloc(len(forged)), forged)
}

// foreign makes bytes that the built-in does not take as its own by a last byte of 1 to 30: filters of the built-in have no checksum,
// so under its name what ends like one cannot be known from one.
func foreign(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] <= maxHashes {
		b[n-1] |= 32
	}
	return b
}

// No Get is wrong while filters are other bytes, all of them random, of random length, of one byte, or with one bit changed.
func TestHostileFilters(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for name, forge := range map[string]func([]byte) []byte{
		"random": func(f []byte) []byte { r.Read(f); return foreign(f) },
		"random, any length": func([]byte) []byte {
			b := make([]byte, 1+r.Intn(300)) // no bytes are "no keys" to goleveldb itself
			r.Read(b)
			return foreign(b)
		},
		"of the form of a filter": func(f []byte) []byte { r.Read(f[:len(f)-1]); return f },
		"one bit":                 func(f []byte) []byte { f[r.Intn(len(f))] ^= 1 << uint(r.Intn(8)); return foreign(f) },
		"one byte":                func([]byte) []byte { return []byte{byte(r.Intn(256))} },
	} {
		t.Run(name, func(t *testing.T) {
			for _, policy := range []filter.Filter{New(10), Named(10, Own)} {
				c := &counting{Filter: forger{policy, forge}}
				runModel(t, c, modelSteps()/10)
				if c.denied != 0 || c.passed == 0 {
					t.Errorf("%d lookups were answered by forged filters, %d passed", c.denied, c.passed)
				}
				t.Logf("cases: goleveldb_hostile %d", modelSteps()/10)
			}
		})
	}
}

// Under our own name bytes of the built-in's form are no filter either.
func TestBuiltInsFormIsNotOursUnderOwnName(t *testing.T) {
	f := forger{Named(10, Own), func(b []byte) []byte { b[len(b)-1] &= 15; return b }}
	c := &counting{Filter: f}
	runModel(t, c, modelSteps()/10)
	if c.denied != 0 || c.passed == 0 {
		t.Errorf("%d lookups were answered by filters of another form", c.denied)
	}
}

// Any bytes at all, cut filters among them, end no process, and under our own name none of them has a false negative.
func TestAnyBytesDoNotPanic(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	p, own := New(10), Named(10, Own)
	for i := 0; i < 200_000; i++ {
		b := make([]byte, r.Intn(100))
		r.Read(b)
		p.Contains(b, key(i))
		if !own.Contains(b, key(i)) {
			t.Fatalf("%x: a false negative", b)
		}
	}
	g := p.NewGenerator()
	for i := 0; i < 165; i++ {
		g.Add(key(i))
	}
	var whole util.Buffer
	g.Generate(&whole)
	for n := 0; n <= whole.Len(); n++ {
		p.Contains(whole.Bytes()[:n], key(1))
	}
	t.Log("cases: goleveldb_any_bytes 200000")
}

// goleveldb answers from tables without their filters if these do not have their checksum: no key is lost, and no Get fails.
func TestChangedBitsCostTheFilters(t *testing.T) {
	s := storage.NewMemStorage()
	const n = 5000
	c := &counting{Filter: New(10)}
	db := open(t, s, options(c))
	load(t, db, 0, n)
	must(t, db.Close())
	tables, err := s.List(storage.TypeTable)
	must(t, err)
	for _, fd := range tables {
		changeFilter(t, s, fd)
	}
	db = open(t, s, options(c))
	defer db.Close()
	c.denied, c.passed = 0, 0
	for i := 0; i < 2*n; i++ {
		if _, ok := found(t, db, key(i)); ok != (i < n) {
			t.Fatalf("key %d: %t", i, ok)
		}
	}
	if c.denied+c.passed != 0 {
		t.Errorf("%d lookups in damaged filters", c.denied+c.passed)
	}
}

// changeFilter flips a bit of the filter block, which ends where the metaindex begins.
func changeFilter(t *testing.T, s storage.Storage, fd storage.FileDesc) {
	r, err := s.Open(fd)
	must(t, err)
	data, err := io.ReadAll(r)
	must(t, err)
	must(t, r.Close())
	meta, _ := binary.Uvarint(data[len(data)-48:])
	data[meta-40] ^= 4
	w, err := s.Create(fd)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
}
