package bloomery_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"bloomery"
)

// readHere makes a filter of a kind that is only read, with as many of the keys k0 .. as find room, and returns their hashes.
func readHere(t *testing.T, kind bloomery.Kind, s bloomery.Shape, keys int) (bloomery.Filter, []uint64) {
	t.Helper()
	f, err := bloomery.MakeHere(kind, s, bloomery.Hasher{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	hashes := make([]uint64, keys)
	f.Hasher().HashMany(numbered("k", keys), hashes)
	return f, bloomery.FillHere(f, hashes)
}

// payloadOf is the bytes of a filter in its container, in hexadecimal.
func payloadOf(t *testing.T, f bloomery.Filter) string {
	t.Helper()
	b := encoded(t, f)
	i, err := bloomery.Inspect(b, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength])
}

// The examples of spec/filters.md 7.2.
func TestCuckooExamples(t *testing.T) {
	for _, c := range []struct {
		tagBits            uint32
		tag, first, second uint64
		want               string
	}{
		{12, 47, 4, 5, strings.Repeat("00", 24) + "2f" + strings.Repeat("00", 11)},
		{9, 6, 4, 1, strings.Repeat("00", 18) + "06" + strings.Repeat("00", 8)},
	} {
		f, _ := readHere(t, bloomery.KindCuckoo, bloomery.CuckooShape(c.tagBits, 6, 0), 1)
		tag, first, second := f.(*bloomery.Cuckoo).Places(0xbbb08e672f9190b3)
		if tag != c.tag || first != c.first || second != c.second || payloadOf(t, f) != c.want {
			t.Error(tag, first, second, payloadOf(t, f))
		}
		if n := f.(*bloomery.Cuckoo).Count([]byte("k0")); n != 1 || !f.MayContainString("k0") || f.MayContainString("k1") {
			t.Error(n, "copies")
		}
	}
}

// A tag's two buckets differ, and each is the other's other, for all widths and odd sizes.
func TestCuckooPlaces(t *testing.T) {
	for tagBits := uint32(6); tagBits <= 32; tagBits++ {
		for _, buckets := range []uint64{2, 4, 6, 10, 254, 1000} {
			f, hashes := readHere(t, bloomery.KindCuckoo, bloomery.CuckooShape(tagBits, buckets, 0), int(2*buckets))
			if len(hashes) < int(buckets) {
				t.Fatal(tagBits, buckets, len(hashes), "keys found room")
			}
			copies := map[string]uint64{}
			for _, h := range hashes {
				tag, first, second := f.(*bloomery.Cuckoo).Places(h)
				if tag == 0 || tag>>tagBits != 0 || first == second || first >= buckets || second >= buckets {
					t.Fatal(tagBits, buckets, tag, first, second)
				}
				if first > second {
					first, second = second, first
				}
				copies[fmt.Sprint(tag, first, second)]++
			}
			for _, h := range hashes {
				tag, first, second := f.(*bloomery.Cuckoo).Places(h)
				if first > second {
					first, second = second, first
				}
				if n := f.(*bloomery.Cuckoo).CountHash(h); n != copies[fmt.Sprint(tag, first, second)] || !f.MayContainHash(h) {
					t.Fatal(tagBits, buckets, n, "copies")
				}
			}
			if n := f.EstimatedKeys(); n != float64(len(hashes)) {
				t.Error(n, "of", len(hashes))
			}
		}
	}
}

// passing is the share of random keys that a filter passes.
func passing(f bloomery.Filter, asked uint64) (hits float64) {
	for n := uint64(0); n < asked; n++ {
		if f.MayContainHash(bloomery.NewXXH3(9).Of(bloomery.Integers).HashUint64(n)) {
			hits++
		}
	}
	return hits / float64(asked)
}

// The rate is that of the tags, with damage and without; keys that are in are never denied; nothing is written again.
func TestDamageOfKindsThatAreOnlyRead(t *testing.T) {
	const asked = 200000
	for _, c := range []struct {
		kind bloomery.Kind
		s    bloomery.Shape
		keys int
	}{
		{bloomery.KindCuckoo, bloomery.CuckooShape(8, 8192, 1), 20000}, {bloomery.KindCuckoo, bloomery.CuckooShape(13, 5042, 1), 12000},
		{bloomery.KindCuckoo, bloomery.CuckooShape(6, 10922, 1), 20000}, {bloomery.KindCuckoo, bloomery.CuckooShape(32, 2048, 1), 4000},
		{bloomery.KindCounting, bloomery.CountingShape(true, 4, 128*512, 8, 1), 6000},
		{bloomery.KindCounting, bloomery.CountingShape(true, 8, 128*256, 8, 1), 3000},
		{bloomery.KindCounting, bloomery.CountingShape(true, 32, 128*64, 8, 1), 1000},
		{bloomery.KindCounting, bloomery.CountingShape(false, 4, 65537, 3, 1), 20000},
		{bloomery.KindCounting, bloomery.CountingShape(false, 8, 32767, 5, 1), 5000},
		{bloomery.KindCounting, bloomery.CountingShape(false, 32, 8192, 2, 1), 4000},
	} {
		f, hashes := readHere(t, c.kind, c.s, c.keys)
		near := func(what string, got, want float64) {
			t.Helper()
			if deviation := 6*math.Sqrt(want*(1-want)/asked) + 1e-9; math.Abs(got-want) > deviation+0.02*want {
				t.Errorf("%s %v, %s: %v, not %v", c.kind, c.s, what, got, want)
			}
		}
		near("whole", passing(f, asked), f.RealisedFPR())
		b := encoded(t, f)
		i, _ := bloomery.Inspect(b, int64(len(b)))
		for _, chunk := range []uint64{0, 3, 6} {
			b[i.PayloadOffset+4096*chunk+77] ^= 0xa5
		}
		read, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil || read.Damaged != 3 {
			t.Fatal(c.kind, err)
		}
		for _, h := range hashes {
			if !read.Filter.MayContainHash(h) || read.Filter.(bloomery.Counter).CountHash(h) == 0 {
				t.Fatalf("%s %v: %016x is denied", c.kind, c.s, h)
			}
		}
		share := passing(read.Filter, asked)
		if share < passing(f, asked) {
			t.Error(c.kind, c.s, "damage lowers the rate")
		}
		near("damaged", share, read.Filter.RealisedFPR())
		if n := read.Filter.EstimatedKeys(); n < 0.9*float64(len(hashes)) {
			t.Error(c.kind, n, "keys of", len(hashes))
		}
		if _, err := bloomery.EncodeContainer(read.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error(c.kind, "written as if it were whole:", err)
		}
		again, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
		if err != nil || !bloomery.Equal(again.Filter, f) || !bytes.Equal(encoded(t, again.Filter), encoded(t, f)) {
			t.Error(c.kind, "another filter comes back:", err)
		}
	}
}

// What a header of these kinds must be, beside what every kind's must.
func TestHeadersOfKindsThatAreOnlyRead(t *testing.T) {
	cuckoo, _ := readHere(t, bloomery.KindCuckoo, bloomery.CuckooShape(12, 10, 0), 9)
	line, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(true, 4, 256, 8, 0), 9)
	flat, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(false, 4, 100, 5, 0), 9)
	refuseHeaders(t, []headerCase{
		{cuckoo, edits{20: 5}, 20}, {cuckoo, edits{20: 33}, 20}, {cuckoo, edits{20: 14}, 80},
		{cuckoo, edits{24: 9}, 24}, {cuckoo, edits{24: 0}, 24}, {cuckoo, edits{24: 12}, 80},
		{cuckoo, edits{29: 0x20}, 24}, // 2^45 and 10
		{cuckoo, edits{108: 1}, 100}, {cuckoo, edits{18: 1}, 0}, {cuckoo, edits{64: 1}, 64},
		{line, edits{20: 7}, 20}, {line, edits{11: 0, 20: 7}, -1}, {line, edits{11: 2}, 11},
		{line, edits{24: 129}, 24}, {line, edits{108: 5}, 108}, {line, edits{108: 8}, 80},
		{line, edits{109: 1}, 100}, {line, edits{30: 0x40}, 24}, {line, edits{24: 129, 108: 5}, 24},
		{flat, edits{20: 0}, 20}, {flat, edits{20: 65}, 20}, {flat, edits{20: 64}, -1},
		{flat, edits{24: 99}, -1}, {flat, edits{24: 98}, 80}, {flat, edits{11: 5, 20: 8}, 24},
		{flat, edits{107: 0xff}, -1}, {flat, edits{64: 1}, 64},
	})
}

type edits map[int]byte

// A headerCase is a filter whose header is edited: refused as corrupt at an offset, at any if that is 0, or accepted if it is negative.
type headerCase struct {
	f      bloomery.Filter
	edits  edits
	offset int64
}

func refuseHeaders(t *testing.T, cases []headerCase) {
	t.Helper()
	for _, c := range cases {
		b := encoded(t, c.f)
		for at, v := range c.edits {
			b[at] = v
		}
		read, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		var e *bloomery.Error
		switch {
		case c.offset < 0 && err != nil, c.offset >= 0 && err == nil:
			t.Error(c.f, c.edits, c.offset, err)
		case c.offset >= 0 && (!errors.As(err, &e) || e.Code != bloomery.Corrupt || c.offset > 0 && e.Offset != c.offset):
			t.Error(c.f, c.edits, c.offset, err)
		case c.offset < 0:
			read.Filter.MayContainString("k0")
		}
	}
}

// Any bytes of the right length are a filter: lookups, counts and rates end, in the array.
func TestAnyBytesAreAFilter(t *testing.T) {
	for tagBits := uint32(6); tagBits <= 32; tagBits++ {
		f, _ := readHere(t, bloomery.KindCuckoo, bloomery.CuckooShape(tagBits, 6, 0), 0)
		anyBytes(t, f)
	}
	for _, width := range []uint64{4, 8, 32} {
		f, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(true, width, 128, 8, 0), 0)
		anyBytes(t, f)
		f, _ = readHere(t, bloomery.KindCounting, bloomery.CountingShape(false, width, 7, 64, 0), 0)
		anyBytes(t, f)
	}
}

func anyBytes(t *testing.T, f bloomery.Filter) {
	t.Helper()
	b := encoded(t, f)
	for v := 0; v < 256; v++ {
		for n := uint64(0); n < f.SizeInBytes(); n++ {
			b[128+n] = byte(v * int(2*n+1))
		}
		b[88], b[89], b[90] = 0, 0, 0
		c, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []uint64{0, 1, math.MaxUint64, 0xbbb08e672f9190b3} {
			if c.Filter.MayContainHash(h) != (c.Filter.(bloomery.Counter).CountHash(h) > 0) {
				t.Error(f, "counts what it denies")
			}
		}
		if p := c.Filter.RealisedFPR(); !(p >= 0 && p <= 1) || !(c.Filter.Fill() <= 1) || !(c.Filter.EstimatedKeys() >= 0) {
			t.Error(f, p, c.Filter.Fill(), c.Filter.EstimatedKeys())
		}
	}
}
