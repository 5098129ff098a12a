package bloomery_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"

	"bloomery"
)

// long is how many times longer than usual inputs are.
var long = func() int {
	if os.Getenv("BLOOMERY_TEST_FULL") == "1" {
		return 50
	}
	return 1
}()

// filter has what every kind of bits can do: laws are about those.
type filter interface {
	bloomery.Filter
	bloomery.Rated
	bloomery.Inserter
	bloomery.BatchInserter
	bloomery.AbsentInserter
	bloomery.Clearer
	bloomery.Merger
	bloomery.Intersecter
}

// A maker makes an empty filter; every law holds for all of them.
type maker struct {
	name string
	make func() (bloomery.Filter, error)
}

func portable(m uint64, k uint32) maker {
	return maker{fmt.Sprintf("portable %d bits %d hashes", m, k), func() (bloomery.Filter, error) {
		return bloomery.MakePortable(bloomery.PortableOptions{Bits: m, Hashes: k})
	}}
}

func block(p bloomery.Profile, n uint64, h bloomery.Hasher) maker {
	return maker{fmt.Sprintf("block %s %d %s", p, n, h.ID()), func() (bloomery.Filter, error) {
		return bloomery.MakeBlock(bloomery.BlockOptions{Profile: p, Blocks: n, Hasher: h})
	}}
}

func splitBlock(n uint64) maker {
	return maker{fmt.Sprintf("split-block %d", n), func() (bloomery.Filter, error) {
		return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: n})
	}}
}

func partitioned(slice uint64, k uint32, h bloomery.Hasher) maker {
	return maker{fmt.Sprintf("partitioned %d slices of %d bits %s", k, slice, h.ID()), func() (bloomery.Filter, error) {
		return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: slice, Hashes: k, Hasher: h})
	}}
}

var secret = [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

// makers are odd sizes, and of every kind in the table that takes all keys one small and one not so small, of every profile.
var makers = append(tableMakers(), oddMakers...)

func tableMakers() (makers []maker) {
	for _, kind := range bloomery.Kinds() {
		kind := kind
		facts, _ := kind.Facts()
		if len(facts.Can) == 0 || facts.Can[0] != "insert" {
			continue
		}
		for _, s := range smallShapes(facts) {
			for _, units := range []uint64{s.Units, 37 * s.Units} {
				s := s
				s.Units = units
				makers = append(makers, maker{fmt.Sprintf("%s %s %d", kind, s.Profile, units), func() (bloomery.Filter, error) {
					return bloomery.Make(kind, s, bloomery.Hasher{}, 0)
				}})
			}
		}
	}
	return makers
}

var oddMakers = []maker{
	portable(1, 1), portable(2, 3), portable(7, 2), portable(8, 8), portable(64, 5), portable(1009, 7), portable(13, 1<<32-1),
	portable(9586, 7), portable(1<<23, 3), portable(1<<23+1, 9),
	block(bloomery.HalfLine, 1, bloomery.Hasher{}), block(bloomery.HalfLine, 7, bloomery.NewXXH64(9)),
	block(bloomery.Line, 1, bloomery.Hasher{}), block(bloomery.Line, 20, bloomery.NewSipHash13(secret)),
	block(bloomery.Lanes16, 1, bloomery.Hasher{}), block(bloomery.Lanes16, 333, bloomery.NewXXH64(9)),
	block(bloomery.Line, 20000, bloomery.NewXXH3(5)), block(bloomery.TwoLines, 40, bloomery.NewFNVSplitMix()),
	splitBlock(50),
	{"bloom", func() (bloomery.Filter, error) {
		return bloomery.MakeBloom(bloomery.BloomOptions{Bits: 9587, Hashes: 7})
	}},
	partitioned(1, 64, bloomery.Hasher{}), partitioned(1<<20+7, 9, bloomery.NewXXH3(5)), partitioned(1373, 7, bloomery.NewFNVSplitMix()),
	{"bloom, one bit", func() (bloomery.Filter, error) {
		return bloomery.MakeBloom(bloomery.BloomOptions{Bits: 1, Hashes: 64})
	}},
}

func made(t testing.TB, m maker) filter {
	t.Helper()
	f, err := m.make()
	if err != nil {
		t.Fatal(m.name, err)
	}
	all, err := bloomery.As[filter](f)
	if err != nil {
		t.Fatal(m.name, err)
	}
	return all
}

// keysOf makes keys of every length from 0 to 40 and some long ones, all different.
func keysOf(prefix string, n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		k := fmt.Sprintf("%s%d", prefix, i)
		keys[i] = []byte(k + string(bytes.Repeat([]byte{byte(i)}, i%37)))
		if i%100 == 99 {
			keys[i] = append(keys[i], make([]byte, 5*i%3000)...)
		}
	}
	return keys
}

func encoded(t testing.TB, f bloomery.Filter) []byte {
	t.Helper()
	b, err := bloomery.EncodeContainer(f, bloomery.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// laws runs a law on every maker.
func laws(t *testing.T, law func(t *testing.T, m maker)) {
	for _, m := range makers {
		m := m
		t.Run(m.name, func(t *testing.T) { law(t, m) })
	}
}

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

// The rate that a filter says it has is the one that is found by asking.
func TestRealisedRateIsMeasured(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		asked := 40000 * long
		hits := 0
		h := f.Hasher().Of(bloomery.Integers)
		for i := uint64(0); i <= f.Bits()/20; i++ {
			f.InsertHash(h.HashUint64(i))
		}
		for i := uint64(0); i < uint64(asked); i++ {
			if f.MayContainHash(h.HashUint64(1<<40 + i)) {
				hits++
			}
		}
		p := f.RealisedFPR()
		mean := p * float64(asked)
		deviation := 6*sqrt(mean*(1-p)) + 4
		if d := float64(hits) - mean; d > deviation || d < -deviation {
			t.Errorf("%d of %d pass, %v were expected", hits, asked, mean)
		}
	})
}

// In a sparse filter keys that cannot be told from a stored one are nearly all that pass.
func TestRatesOfSparseFilters(t *testing.T) {
	const n, blocks = 1000, 1 << 14
	for _, m := range []maker{
		block(bloomery.HalfLine, blocks, bloomery.Hasher{}),
		block(bloomery.Line, blocks, bloomery.Hasher{}),
		block(bloomery.TwoLines, blocks, bloomery.Hasher{}),
		{"split", func() (bloomery.Filter, error) {
			return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: blocks})
		}},
		{"bloom", func() (bloomery.Filter, error) {
			return bloomery.MakeBloom(bloomery.BloomOptions{Bits: 1 << 22, Hashes: 20})
		}},
		{"partitioned", func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: 1 << 18, Hashes: 20})
		}},
	} {
		f := made(t, m)
		f.InsertMany(keysOf("k", n))
		realised, expected := f.RealisedFPR(), f.ExpectedFPR(n)
		if realised < 0.7*expected || realised > 1.3*expected {
			t.Errorf("%s: %v, %v was expected", m.name, realised, expected)
		}
		least := 0.99 * n / (blocks * float64(1<<32)) // of one line
		if m.name == "bloom" || m.name == "partitioned" {
			least = 0.99 * n / float64(1<<63)
		} else if f.Hashes() == 16 {
			least = 4 * least * least
		}
		if realised < least || expected < least {
			t.Errorf("%s: %v and %v are below %v", m.name, realised, expected, least)
		}
	}
}

func TestFoldedIsMadeSmaller(t *testing.T) {
	for _, p := range []bloomery.Profile{bloomery.HalfLine, bloomery.Line, bloomery.TwoLines, bloomery.Lanes16} {
		for _, groups := range []uint64{1, 2, 3, 4, 6, 12} {
			large := made(t, block(p, 12, bloomery.Hasher{})).(*bloomery.BlockBloom)
			small := made(t, block(p, 12/groups, bloomery.Hasher{})).(*bloomery.BlockBloom)
			merged := made(t, block(p, 12/groups, bloomery.Hasher{})).(*bloomery.BlockBloom)
			large.InsertMany(keysOf("k", 30))
			small.InsertMany(keysOf("k", 30))
			if err := merged.Merge(large); err != nil {
				t.Fatal(err)
			}
			if err := large.Fold(groups); err != nil {
				t.Fatal(err)
			}
			if !bloomery.Equal(large, small) || !bloomery.Equal(merged, small) {
				t.Errorf("%s folded by %d is another filter", p, groups)
			}
		}
	}
}

// Filters sized by a rate keep it.
func TestSizedByRateKeepsIt(t *testing.T) {
	const n = 20000
	for _, p := range []float64{0.05, 0.01, 0.001} {
		for _, m := range []maker{
			{"portable", func() (bloomery.Filter, error) {
				return bloomery.MakePortable(bloomery.PortableOptions{Keys: n, FPR: p})
			}},
			{"block", func() (bloomery.Filter, error) { return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: p}) }},
			{"two-lines", func() (bloomery.Filter, error) {
				return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: p, Profile: bloomery.TwoLines})
			}},
			{"lanes16", func() (bloomery.Filter, error) {
				return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: p, Profile: bloomery.Lanes16})
			}},
			{"split", func() (bloomery.Filter, error) {
				return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Keys: n, FPR: p})
			}},
			{"bloom", func() (bloomery.Filter, error) { return bloomery.MakeBloom(bloomery.BloomOptions{Keys: n, FPR: p}) }},
			{"partitioned", func() (bloomery.Filter, error) {
				return bloomery.MakePartitioned(bloomery.PartitionedOptions{Keys: n, FPR: p})
			}},
		} {
			f := made(t, m)
			for i := uint64(0); i < n; i++ {
				f.InsertHash(f.Hasher().Of(bloomery.Integers).HashUint64(i))
			}
			if r := f.RealisedFPR(); r > 1.15*p || r < 0.7*p {
				t.Errorf("%s for %v: %v", m.name, p, r)
			}
			if e := f.EstimatedKeys(); e < 0.97*n || e > 1.03*n {
				t.Errorf("%s: %v keys", m.name, e)
			}
			if f.Capacity() != n {
				t.Errorf("%s: capacity %d", m.name, f.Capacity())
			}
		}
	}
}

// Sizes that no filter has are refused, and soon.
func TestTooLarge(t *testing.T) {
	const n = 1 << 60
	for name, make := range map[string]func() (bloomery.Filter, error){
		"portable": func() (bloomery.Filter, error) {
			return bloomery.MakePortable(bloomery.PortableOptions{Keys: n, FPR: 0.01})
		},
		"block": func() (bloomery.Filter, error) {
			return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: 0.01})
		},
		"blocks": func() (bloomery.Filter, error) {
			return bloomery.MakeBlock(bloomery.BlockOptions{Profile: bloomery.Line, Blocks: 1<<42 + 1})
		},
		"split-block": func() (bloomery.Filter, error) {
			return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Keys: n, FPR: 0.01})
		},
		"bloom": func() (bloomery.Filter, error) {
			return bloomery.MakeBloom(bloomery.BloomOptions{Keys: n, FPR: 0.01})
		},
		"partitioned": func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Keys: n, FPR: 0.01})
		},
		"slices": func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: 1<<48/3 + 1, Hashes: 3})
		},
		"65 slices": func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: 1, Hashes: 65})
		},
	} {
		if _, err := make(); !errors.Is(err, bloomery.TooLarge) {
			t.Error(name, err)
		}
	}
}
