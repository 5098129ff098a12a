package bloomery_test

import (
	"bytes"
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
