package bloomery_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bloomery"
	"bloomery/dialect"
)

// fixture reads a file that its owner wrote, if the collection is there.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "fixtures", filepath.FromSlash(name)))
	if err != nil {
		t.Skip("the collection of other systems' files is not beside this tree: ", name)
	}
	return b
}

func numbered(prefix string, n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = []byte(fmt.Sprintf("%s%d", prefix, i))
	}
	return keys
}

func TestPortableFixtures(t *testing.T) {
	for _, c := range []struct {
		file, prefix string
		n            int
		p            float64
		maybe        int // of x0 .. x9999; negative: not known
	}{
		{"k10_n10_p0.01", "k", 10, 0.01, 280}, {"k1000_n1000_p0.01", "k", 1000, 0.01, 94},
		{"k1000_n1000_p0.001", "k", 1000, 0.001, 9}, {"key1000_n1000_p0.01", "key", 1000, 0.01, -1},
	} {
		want := fixture(t, "db-lab/"+c.file+".bin")
		f, err := bloomery.BuildPortable(numbered(c.prefix, c.n), c.p)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := f.MarshalBinary()
		if !bytes.Equal(got, want) {
			t.Error(c.file, "differs")
		}
		if n := f.MayContainMany(numbered("x", 10000), make([]bool, 10000)); c.maybe >= 0 && n != c.maybe {
			t.Error(c.file, n, "possibly present")
		}
	}
}

func TestDialectFixtures(t *testing.T) {
	for _, c := range []struct {
		dialect, variant, file string
		keys                   [][]byte
		maybe                  int
	}{
		{"parquet", "", "parquet-sbbf/bloom_filter.xxhash.bin",
			[][]byte{[]byte("hello"), []byte("parquet"), []byte("bloom"), []byte("filter")}, 0},
		{"parquet", "bitset", "parquet-sbbf/k10_32bytes.bitset", numbered("k", 10), 0},
		{"parquet", "bitset", "parquet-sbbf/k1000_1024bytes.bitset", numbered("k", 1000), 289},
		{"parquet", "bitset", "parquet-sbbf/k1000_2048bytes.bitset", numbered("k", 1000), 10},
		{"parquet", "", "parquet-sbbf/data_index_bloom_encoding_stats.parquet", [][]byte{[]byte("Hello"), []byte("today")}, -1},
		{"parquet", "file", "parquet-sbbf/data_index_bloom_encoding_with_length.parquet", [][]byte{[]byte("Hello")}, -1},
	} {
		f, err := dialect.Read(c.dialect, fixture(t, c.file), dialect.Options{Variant: c.variant})
		if err != nil {
			t.Error(c.file, err)
			continue
		}
		for _, k := range c.keys {
			if !f.MayContain(k) {
				t.Errorf("%s: %q is denied", c.file, k)
			}
		}
		n := 0
		for _, k := range numbered("x", 10000) {
			if f.MayContain(k) {
				n++
			}
		}
		if c.maybe >= 0 && n != c.maybe {
			t.Error(c.file, n, "possibly present; its owner says", c.maybe)
		}
		if f.MayContain([]byte("NOT_EXISTS")) && c.maybe < 0 {
			t.Error(c.file, "contains what its owner says it does not")
		}
	}
}

func TestSplitBlockFixtures(t *testing.T) {
	for file, n := range map[string]int{"k10_32bytes": 10, "k1000_1024bytes": 1000, "k1000_2048bytes": 1000} {
		want := fixture(t, "parquet-sbbf/"+file+".bitset")
		f, err := bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: uint64(len(want) / 32)})
		if err != nil {
			t.Fatal(err)
		}
		f.InsertMany(numbered("k", n))
		if b := encoded(t, f); !bytes.Equal(b[128:128+len(want)], want) {
			t.Error(file, "differs")
		}
	}
}

// The hashes that their owners' programs printed, on 65 inputs.
func TestHashFixtures(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(fixture(t, "hashes/edge65_hash_vectors.tsv"))), "\n")
	columns := strings.Split(lines[0], "\t")
	compared := 0
	for n, text := range lines[1:] {
		key := make([]byte, n)
		for j := range key {
			key[j] = byte(31*n + 7*j + 128)
		}
		for i, value := range strings.Split(text, "\t") {
			var got uint64
			switch columns[i] {
			case "xxh64_s0":
				got = bloomery.NewXXH64(0).Hash(key)
			case "xxh64_s1":
				got = bloomery.NewXXH64(1).Hash(key)
			case "fnv1a64_splitmix64":
				got = bloomery.NewFNVSplitMix().Hash(key)
			case "siphash13_key000102..0f":
				got = bloomery.NewSipHash13([16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}).Hash(key)
			default:
				continue
			}
			want, err := strconv.ParseUint(value, 16, 64)
			if err != nil || got != want {
				t.Errorf("%s of %d bytes: %016x, not %s", columns[i], n, got, value)
			}
			compared++
		}
	}
	if compared != 4*65 {
		t.Error("only", compared, "hashes were compared")
	}
}
