package bloomery_test

import (
	"fmt"
	"testing"

	"bloomery"
)

// TestAndAdd answers what a lookup before it would have, and inserts: in every kind, for keys that are new, old and false positives.
func TestTestAndAdd(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f, plain := made(t, m), made(t, m)
		adder, err := bloomery.As[bloomery.TestAdder](f)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 300; i++ {
			key := fmt.Sprintf("k%d", i%200)
			before := plain.MayContainString(key)
			plain.InsertString(key)
			var said bool
			if i%2 == 0 {
				said = adder.TestAndAdd([]byte(key))
			} else {
				said = adder.TestAndAddString(key)
			}
			if said != before {
				t.Fatalf("%s: %v, and a lookup before it %v", key, said, before)
			}
			if !f.MayContainString(key) {
				t.Fatal("not inserted:", key)
			}
		}
		if !bloomery.Equal(f, plain) {
			t.Error("other bits than by Insert")
		}
	})
}

// kindsOfIntegers has one filter of integers of each kind.
func kindsOfIntegers(t *testing.T) []ofIntegers {
	t.Helper()
	h := bloomery.NewXXH3(0).Of(bloomery.Integers)
	p, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 0.01, Source: bloomery.Integers})
	b, err2 := bloomery.MakeBlock(bloomery.BlockOptions{Keys: 1000, FPR: 0.01, Hasher: h})
	s, err3 := bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Keys: 1000, FPR: 0.01, Source: bloomery.Integers})
	c, err4 := bloomery.MakeBloom(bloomery.BloomOptions{Keys: 1000, FPR: 0.01, Hasher: h})
	q, err5 := bloomery.MakePartitioned(bloomery.PartitionedOptions{Keys: 1000, FPR: 0.01, Hasher: h})
	for _, err := range []error{err, err2, err3, err4, err5} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []ofIntegers{p, b, s, c, q}
}

type ofIntegers interface {
	bloomery.Filter
	bloomery.Inserter
	InsertIfAbsentUint64(x uint64) bool
	InsertManyUint64(keys []uint64)
	MayContainManyUint64(keys []uint64, out []bool) int
}

func TestBatchesOfIntegers(t *testing.T) {
	many, single, absent := kindsOfIntegers(t), kindsOfIntegers(t), kindsOfIntegers(t)
	keys := make([]uint64, 1000)
	for i := range keys {
		keys[i] = uint64(i * i)
	}
	for i := range many {
		kind := many[i].Kind()
		many[i].InsertManyUint64(keys[:500])
		for _, x := range keys[:500] {
			single[i].InsertUint64(x)
			if absent[i].MayContainUint64(x) == absent[i].InsertIfAbsentUint64(x) {
				t.Fatal(kind, "InsertIfAbsentUint64 contradicts the lookup before it:", x)
			}
		}
		if !bloomery.Equal(many[i], single[i]) || !bloomery.Equal(absent[i], single[i]) {
			t.Error(kind, "other bits than one by one")
		}
		out := make([]bool, len(keys))
		n := many[i].MayContainManyUint64(keys, out)
		for j, x := range keys {
			if out[j] != single[i].MayContainUint64(x) {
				t.Fatal(kind, "another answer than one by one:", x)
			}
			if out[j] {
				n--
			}
		}
		if n != 0 {
			t.Error(kind, "counted wrong by", n)
		}
	}
}

func TestBatchesOfStrings(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		type ofStrings interface {
			InsertManyStrings(keys []string)
			MayContainManyStrings(keys []string, out []bool) int
			InsertIfAbsentString(key string) bool
		}
		f, g, h := made(t, m), made(t, m), made(t, m)
		many, err := bloomery.As[ofStrings](f)
		if err != nil {
			t.Fatal(err)
		}
		absent, _ := bloomery.As[ofStrings](h)
		keys := keysOf("k", 150)
		texts := make([]string, len(keys))
		for i, k := range keys {
			texts[i] = string(k)
		}
		many.InsertManyStrings(texts[:100])
		g.InsertMany(keys[:100])
		for _, k := range texts[:100] {
			if h.MayContainString(k) == absent.InsertIfAbsentString(k) {
				t.Fatal("InsertIfAbsentString contradicts the lookup before it")
			}
		}
		if !bloomery.Equal(f, g) || !bloomery.Equal(h, g) {
			t.Error("other bits than from bytes")
		}
		a, b := make([]bool, 150), make([]bool, 150)
		if many.MayContainManyStrings(texts, a) != g.MayContainMany(keys, b) || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Error("other answers than to bytes")
		}
	})
}
