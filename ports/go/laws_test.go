package bloomery_test

import (
	"bytes"
	"errors"
	"testing"

	"bloomery"
)

func TestNoKeyIsDenied(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		for i, k := range keysOf("k", 1000*long) {
			switch i % 3 {
			case 0:
				f.Insert(k)
			case 1:
				f.InsertString(string(k))
			case 2:
				f.InsertHash(f.Hasher().Hash(k))
			}
			if !f.MayContain(k) || !f.MayContainString(string(k)) || !f.MayContainHash(f.Hasher().Hash(k)) {
				t.Fatalf("%q is denied", k)
			}
		}
		for _, k := range keysOf("k", 1000*long) {
			if !f.MayContain(k) {
				t.Fatalf("%q is denied later", k)
			}
		}
	})
}

func TestBatchesAreSingles(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		for _, n := range []int{0, 1, 3, 4, 5, 63, 64, 65, 300} {
			single, batch := made(t, m), made(t, m)
			keys := keysOf("k", n)
			for _, k := range keys {
				single.Insert(k)
			}
			batch.InsertMany(keys)
			if !bloomery.Equal(single, batch) {
				t.Fatalf("%d keys in a batch set other bits", n)
			}
			asked := append(keys, keysOf("x", n)...)
			out, hashed := make([]bool, len(asked)), make([]bool, len(asked))
			hashes := make([]uint64, len(asked))
			f := batch
			f.Hasher().HashMany(asked, hashes)
			found := f.MayContainMany(asked, out)
			if f.MayContainManyHashes(hashes, hashed) != found {
				t.Error("counts differ")
			}
			for i, k := range asked {
				if out[i] != f.MayContain(k) || hashed[i] != out[i] {
					t.Fatalf("key %d of %d: another answer in a batch", i, len(asked))
				}
				if out[i] {
					found--
				}
			}
			if found != 0 {
				t.Error("the count is not that of the answers")
			}
		}
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		a, b := made(t, m), made(t, m)
		keys := keysOf("k", 200*long)
		for i := range keys {
			a.Insert(keys[i])
			b.Insert(keys[len(keys)-1-i])
			b.Insert(keys[i])
		}
		if !bytes.Equal(encoded(t, a), encoded(t, b)) {
			t.Error("another order, or a second time, gives other bytes")
		}
	})
}

func TestMergeIsUnion(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		a, b, both := made(t, m), made(t, m), made(t, m)
		a.InsertMany(keysOf("a", 100))
		b.InsertMany(keysOf("b", 100))
		both.InsertMany(append(keysOf("a", 100), keysOf("b", 100)...))
		if err := bloomery.Merge(a, b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encoded(t, a), encoded(t, both)) {
			t.Error("the union is not the filter of both sets")
		}
		for _, other := range makers {
			if g := made(t, other); !sameShape(a, g) {
				if err := bloomery.Merge(a, g); !errors.Is(err, bloomery.Incompatible) {
					t.Errorf("merged with %s: %v", other.name, err)
				}
			}
		}
		if !bloomery.Equal(a, both) {
			t.Error("a refusal changed the filter")
		}
	})
}

// The intersection contains every key of both sets, and no bit that one of the two does not have.
func TestIntersectionHasTheCommonKeys(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		a, b, was := made(t, m), made(t, m), made(t, m)
		common := keysOf("c", 20)
		a.InsertMany(append(keysOf("a", 30), common...))
		b.InsertMany(append(keysOf("b", 30), common...))
		was.InsertMany(append(keysOf("a", 30), common...))
		if err := bloomery.Intersect(a, b); err != nil {
			t.Fatal(err)
		}
		for _, k := range common {
			if !a.MayContain(k) {
				t.Fatalf("%q is in both, and denied", k)
			}
		}
		for _, k := range keysOf("x", 2000) {
			if a.MayContain(k) && !(was.MayContain(k) && b.MayContain(k)) {
				t.Fatalf("%q passes, and one of the two denies it", k)
			}
		}
		if a.Ones() > b.Ones() || a.Ones() > was.Ones() {
			t.Error("more bits than before")
		}
		both := append([]byte(nil), encoded(t, a)...)
		for _, other := range makers {
			g := made(t, other)
			if same := a.Kind() == g.Kind() && a.Shape() == g.Shape() && a.Hasher() == g.Hasher(); !same {
				if err := a.Intersect(g); !errors.Is(err, bloomery.Incompatible) {
					t.Errorf("intersected with %s: %v", other.name, err)
				}
			}
		}
		if !bytes.Equal(both, encoded(t, a)) {
			t.Error("a refusal changed the filter")
		}
	})
}

// What is inserted if absent is what a lookup denied; the bits are those of plain insertions.
func TestInsertIfAbsent(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		a, b := made(t, m), made(t, m)
		inserted := 0
		for i, k := range keysOf("k", 300) {
			b.Insert(k)
			denied := !a.MayContain(k)
			var went bool
			if i%2 == 0 {
				went = a.InsertIfAbsent(k)
			} else {
				went = a.InsertIfAbsentHash(a.Hasher().Hash(k))
			}
			if went != denied {
				t.Fatalf("%q: denied %v, inserted %v", k, denied, went)
			}
			if a.InsertIfAbsent(k) {
				t.Fatalf("%q is inserted twice", k)
			}
			if went {
				inserted++
			}
		}
		if inserted == 0 || !bloomery.Equal(a, b) {
			t.Error(inserted, "keys inserted; not the bits of plain insertions")
		}
	})
}

// sameShape reports whether filters may be merged: equal, or blocks that are a multiple.
func sameShape(a, b bloomery.Filter) bool {
	if a.Kind() != b.Kind() || a.Hasher() != b.Hasher() || a.Hashes() != b.Hashes() {
		return false
	}
	_, folds := a.(bloomery.Folder)
	return a.Bits() == b.Bits() || folds && b.Bits()%a.Bits() == 0
}

func TestEncodedIsDecoded(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		f.InsertMany(keysOf("k", 50))
		b := encoded(t, f)
		o := bloomery.ReadOptions{}
		if f.Hasher().ID() == bloomery.SipHash13 {
			o.Secret = &secret
		}
		for name, read := range map[string]func() (*bloomery.Container, error){
			"memory": func() (*bloomery.Container, error) { return bloomery.DecodeContainer(b, o) },
			"stream": func() (*bloomery.Container, error) { return bloomery.ReadContainer(bytes.NewReader(b), o) },
		} {
			c, err := read()
			if err != nil {
				t.Fatal(name, err)
			}
			if !bloomery.Equal(f, c.Filter) || !bytes.Equal(encoded(t, c.Filter), b) {
				t.Error(name, "another filter comes back")
			}
		}
	})
}

func TestClearForgets(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		f.InsertMany(keysOf("k", 50))
		f.Clear()
		if !bloomery.Equal(f, made(t, m)) || f.Ones() != 0 || f.RealisedFPR() != 0 || f.EstimatedKeys() != 0 {
			t.Error("something is left")
		}
		if f.MayContainString("k") {
			t.Error("an empty filter contains something")
		}
	})
}

func TestLookupsDoNotAllocate(t *testing.T) {
	key, text := []byte("some key of some length"), "another key"
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		if n := testing.AllocsPerRun(100, func() {
			f.Insert(key)
			f.InsertString(text)
			f.InsertIfAbsent(key)
			f.MayContain(key)
			f.MayContainString(text)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
		keys, out := keysOf("k", 100), make([]bool, 100)
		if n := testing.AllocsPerRun(100, func() { f.InsertMany(keys); f.MayContainMany(keys, out) }); n > 1 {
			t.Errorf("%v allocations for a batch", n)
		}
	})
}
