package leveldbfilter

import (
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

// Beside goleveldb's own at 10 bits per key: no more bytes, and at most a third of its rate.
func TestRateBesideTheBuiltIn(t *testing.T) {
	n, absent := 50_000, 100_000
	if full() {
		n, absent = 1_000_000, 1_000_000
	}
	for _, f := range []filter.Filter{builtIn(), New(10), New(8)} {
		c := &counting{Filter: f}
		o := options(c)
		o.WriteBuffer = 64 << 20 // every key is in one table, and one filter
		db := open(t, storage.NewMemStorage(), o)
		load(t, db, 0, n)
		c.denied, c.passed = 0, 0
		for i := 0; i < absent; i++ {
			if _, ok := found(t, db, key(1<<40+i)); ok {
				t.Fatal("an absent key is found")
			}
		}
		rate, bits := float64(c.passed)/float64(c.passed+c.denied), 8*float64(c.bytes)/float64(c.keys)
		t.Logf("%T: %.3f %% false positives, %.2f bits per key, %.0f keys per filter", f, 100*rate, bits,
			float64(c.keys)/float64(c.filters))
		if p, ok := f.(*policy); ok && p.bitsPerKey == 10 && (rate > 0.0033 || bits > 10.36) {
			t.Errorf("%.4f, %.2f bits per key", rate, bits)
		}
		must(t, db.Close())
	}
	t.Logf("cases: goleveldb_absent %d", absent)
}

// LevelDB's published bounds for its own filter hold: of every size from 1 to 10,000 keys the rate is at most 2 %, and above 1.25 %
// for at most a fifth of them; n keys take at most 1.25 n + 40 bytes.
func TestLevelDBsBounds(t *testing.T) {
	f := New(10)
	mediocre, sizes := 0, 0
	for n := 1; n <= 10_000; n += 1 + n/10 {
		g := f.NewGenerator()
		for i := 0; i < n; i++ {
			g.Add(key(i))
		}
		var b buffer
		g.Generate(&b)
		if float64(len(b)) > 1.25*float64(n)+40 {
			t.Errorf("%d keys: %d bytes", n, len(b))
		}
		for i := 0; i < n; i++ {
			if !f.Contains(b, key(i)) {
				t.Fatalf("%d keys: key %d is denied", n, i)
			}
		}
		passed := 0
		for i := 0; i < 10_000; i++ {
			if f.Contains(b, key(1<<40+i)) {
				passed++
			}
		}
		if passed > 200 {
			t.Errorf("%d keys: rate %d in 10,000", n, passed)
		}
		if passed > 125 {
			mediocre++
		}
		sizes++
	}
	if mediocre > sizes/5 {
		t.Errorf("%d of %d sizes are above 1.25 %%", mediocre, sizes)
	}
}

// A buffer is goleveldb's interface over bytes.
type buffer []byte

func (b *buffer) Alloc(n int) []byte {
	*b = append(*b, make([]byte, n)...)
	return (*b)[len(*b)-n:]
}
func (b *buffer) Write(p []byte) (int, error) { *b = append(*b, p...); return len(p), nil }
func (b *buffer) WriteByte(c byte) error      { *b = append(*b, c); return nil }
