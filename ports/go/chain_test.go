package bloomery_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"bloomery"
)

const line0 = "0008000000000000000000000000000000000080000200000000000000000000" +
	"0000000080000000004000000001000000000000000000008000000000010000" // "k0" in a block of the profile line: spec/filters.md 2.3

// The example of spec/filters.md 12.6: "k0" in level 1, and in each of the others.
func TestScalableExample(t *testing.T) {
	shape := bloomery.ScalableShape(1, 3, 0.01, 2, bloomery.GrowEqually, 3, 1, 2)
	f, _ := readHere(t, bloomery.KindScalable, shape, 0)
	levels := f.(*bloomery.Scalable).Levels()
	for n, want := range []bloomery.Level{{Profile: bloomery.HalfLine, Blocks: 2}, {Profile: bloomery.Line, Blocks: 2}, {Profile: bloomery.TwoLines, Blocks: 4}} {
		if levels[n] != want {
			t.Error(n, levels[n])
		}
	}
	middle := "0000000000000000000010000000001000400000004000000000000000000000" + "0000040000020000000000000000000000000000000000000000010000000040"
	first, last := blocksWith(t, bloomery.HalfLine, 2), blocksWith(t, bloomery.TwoLines, 4)
	if !strings.HasPrefix(first, strings.Repeat("00", 32)) || blocksWith(t, bloomery.Line, 2) != strings.Repeat("00", 64)+middle {
		t.Error(first)
	}
	for _, want := range []string{
		first + strings.Repeat("00", 384), strings.Repeat("00", 128) + middle + strings.Repeat("00", 256), strings.Repeat("00", 192) + last,
	} {
		c := decodePayload(t, f, want)
		if !c.Filter.MayContainString("k0") || c.Filter.MayContainString("k1") {
			t.Error(want)
		}
	}
}

// blocksWith is the payload of a block filter with the hash that the levels of a scalable filter see of "k0".
func blocksWith(t *testing.T, p bloomery.Profile, blocks uint64) string {
	f := made(t, block(p, blocks, bloomery.Hasher{}))
	f.InsertHash(0xb2ada4e90228966f)
	return payloadOf(t, f)
}

// The example of spec/filters.md 14.
func TestWindowExample(t *testing.T) {
	for keys, current := range []int{0, 0, 1, 0, 1} {
		f, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 2, 3, 1), keys)
		w := f.(*bloomery.Window)
		if w.Current() != current || keys > 0 && w.CurrentKeys() != 1 || w.Generations() != 2 || w.GenerationKeys() != 1 {
			t.Error(keys, w.Current(), w.CurrentKeys())
		}
		want := []string{"00000", "10000", "11000", "01100", "00110"}[keys]
		for n := 0; n < 5; n++ {
			if key := "k" + string(rune('0'+n)); f.MayContainString(key) != (want[n] == '1') {
				t.Error(keys, "keys:", key)
			}
		}
		if keys == 1 && payloadOf(t, f) != strings.Repeat("00", 128)+line0+strings.Repeat("00", 192) {
			t.Error(payloadOf(t, f))
		}
	}
}

// A chain is its parts: each a block filter, which all see the same hash.
func TestChainsAreBlockFilters(t *testing.T) {
	f, _ := readHere(t, bloomery.KindScalable, bloomery.ScalableShape(3, 4, 0.01, 4, bloomery.GrowGeometrically, 0, 2, 3), 1500)
	g, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.TwoLines, 5, 7, 100), 450)
	w, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.HalfLine, 3, 11, 100), 450)
	for _, c := range []struct {
		f     bloomery.Filter
		seen  func(h uint64) uint64
		parts []*bloomery.BlockBloom
	}{
		{f, splitmix, []*bloomery.BlockBloom{part(t, f, 0, 6, bloomery.HalfLine), part(t, f, 192, 24, bloomery.HalfLine), part(t, f, 960, 48, bloomery.Line), part(t, f, 4032, 192, bloomery.TwoLines)}},
		{g, func(h uint64) uint64 { return h }, []*bloomery.BlockBloom{
			part(t, g, 0, 7, bloomery.TwoLines), part(t, g, 448, 7, bloomery.TwoLines), part(t, g, 896, 7, bloomery.TwoLines),
			part(t, g, 1344, 7, bloomery.TwoLines), part(t, g, 1792, 7, bloomery.TwoLines),
		}},
		{w, func(h uint64) uint64 { return h }, []*bloomery.BlockBloom{part(t, w, 0, 11, bloomery.HalfLine), part(t, w, 352, 11, bloomery.HalfLine), part(t, w, 704, 11, bloomery.HalfLine)}},
	} {
		rate, keys, ones := rateOfAny(t, c.parts), 0.0, uint64(0)
		for _, p := range c.parts {
			keys, ones = keys+p.EstimatedKeys(), ones+p.Ones()
		}
		if math.Abs(c.f.RealisedFPR()-rate) > 1e-12 || c.f.EstimatedKeys() != keys || c.f.Ones() != ones || c.f.Fill() != float64(ones)/float64(c.f.Bits()) {
			t.Error(c.f, c.f.RealisedFPR(), rate, c.f.EstimatedKeys(), keys)
		}
		for n := uint64(0); n < 20000; n++ {
			h, want := bloomery.NewXXH3(6).Of(bloomery.Integers).HashUint64(n), false
			for _, p := range c.parts {
				want = want || p.MayContainHash(c.seen(h))
			}
			if c.f.MayContainHash(h) != want {
				t.Fatalf("%v: %016x", c.f, h)
			}
		}
	}
}

// part is the block filter that lies in the payload of another filter.
func part(t *testing.T, f bloomery.Filter, at int, blocks uint64, p bloomery.Profile) *bloomery.BlockBloom {
	t.Helper()
	g := made(t, block(p, blocks, bloomery.Hasher{}))
	text := payloadOf(t, f)[2*at:]
	return decodePayload(t, g, text[:2*g.SizeInBytes()]).Filter.(*bloomery.BlockBloom)
}

// decodePayload reads the container of a filter with another payload, in hexadecimal.
func decodePayload(t *testing.T, f bloomery.Filter, payload string) *bloomery.Container {
	t.Helper()
	c, err := bloomery.DecodeContainer(withPayload(t, f, payload), bloomery.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What headers of chains must be, field by field and in the order of spec/container.md 8.
func TestHeadersOfChains(t *testing.T) {
	f, _ := readHere(t, bloomery.KindScalable, bloomery.ScalableShape(1, 3, 0.01, 2, bloomery.GrowEqually, 5, 1, 2), 9)
	g, _ := readHere(t, bloomery.KindScalable, bloomery.ScalableShape(5, 1, 0.01, 16, bloomery.GrowGeometrically, 0, 0, 0), 9)
	w, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 3, 2, 4), 9)
	any, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 2, 1, 0), 9)
	refuseHeaders(t, []headerCase{
		{f, edits{}, -1}, {f, edits{11: 1, 20: 0}, 11}, {f, edits{20: 0, 107: 0xff}, 20}, {f, edits{20: 49}, 20}, {f, edits{20: 2}, 80}, {f, edits{20: 4}, 80},
		{f, edits{107: 0xff, 108: 3}, 100}, {f, edits{106: 0xf0, 107: 0x7f}, 100}, {f, edits{106: 0xf8, 107: 0x7f}, 100}, {f, edits{106: 0, 107: 0x40}, 100},
		{f, edits{100: 0, 101: 0, 102: 0, 103: 0, 104: 0, 105: 0, 106: 0xf0, 107: 0x3f}, 100}, {f, edits{100: 0, 101: 0, 102: 0, 103: 0, 104: 0, 105: 0, 106: 0, 107: 0}, 100},
		{f, edits{100: 1, 101: 0, 102: 0, 103: 0, 104: 0, 105: 0, 106: 0, 107: 0}, -1},
		{f, edits{108: 3, 109: 3}, 108}, {f, edits{108: 0}, 108}, {f, edits{108: 1}, 108}, {f, edits{108: 32}, 108}, {f, edits{108: 4}, 80},
		{f, edits{109: 3, 110: 99}, 109}, {f, edits{109: 1}, 110}, {f, edits{109: 2, 110: 0}, -1}, {f, edits{110: 2, 111: 99}, 110}, {f, edits{110: 3}, -1},
		{f, edits{110: 48}, -1}, {f, edits{110: 49}, 110}, {f, edits{111: 49, 112: 99}, 111}, {f, edits{111: 3, 24: 0}, 112}, {f, edits{111: 48, 112: 48}, -1},
		{f, edits{112: 49, 24: 0}, 112}, {f, edits{112: 48}, -1}, {f, edits{24: 0}, 24}, {f, edits{24: 2}, 80}, {f, edits{113: 1}, 100}, {f, edits{18: 1}, 0}, {f, edits{64: 1}, -1},
		{f, edits{20: 48, 110: 48}, 24}, // 2^48 - 1 lines
		{f, edits{20: 42, 110: 48}, 80}, // 2^42 - 1
		{f, edits{20: 43, 110: 48}, 24}, // 2^43 - 1
		{g, edits{24: 0, 29: 4}, 80},    // 2^42
		{g, edits{24: 1, 29: 4}, 24},    // and one more
		{g, edits{20: 48, 31: 0xff}, 24}, {g, edits{}, -1},
		{w, edits{}, -1}, {w, edits{11: 5, 20: 7}, 11}, {w, edits{11: 0}, 11}, {w, edits{20: 4, 24: 0}, 20}, {w, edits{11: 1, 20: 4, 24: 12}, -1}, {w, edits{11: 3, 20: 16}, -1},
		{w, edits{24: 0, 100: 0}, 24}, {w, edits{24: 1, 29: 4, 100: 1}, 24}, {w, edits{24: 0, 29: 4, 100: 1}, 100}, {w, edits{100: 1, 24: 5}, 100}, {w, edits{101: 4}, 100},
		{w, edits{100: 4, 104: 9}, 24}, {w, edits{100: 6}, -1}, {w, edits{100: 2}, 104}, {w, edits{100: 2, 104: 1}, -1}, {w, edits{24: 9, 104: 3}, 104}, {w, edits{104: 3, 116: 9}, 104}, {w, edits{107: 1}, 104},
		{w, edits{116: 5, 24: 9}, 116}, {w, edits{123: 1}, 116}, {w, edits{108: 0, 123: 1}, -1}, {w, edits{24: 9}, 80}, {w, edits{24: 3}, 80}, {w, edits{64: 1}, 64},
		{any, edits{104: 1, 123: 0xff}, -1}, {any, edits{100: 0}, 100},
	})
}

// Bits of a damaged chunk count as set, in whichever part they lie; the rate says so, and the filter is not written again.
func TestDamageOfChains(t *testing.T) {
	const asked = 200000
	for _, c := range []struct {
		kind bloomery.Kind
		s    bloomery.Shape
		keys int
	}{
		{bloomery.KindScalable, bloomery.ScalableShape(20, 5, 0.01, 2, bloomery.GrowEqually, 9, 1, 3), 8000},
		{bloomery.KindScalable, bloomery.ScalableShape(64, 2, 0.01, 8, bloomery.GrowDynamically, 0, 0, 1), 9000},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.HalfLine, 3, 2000, 15000), 50000},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.TwoLines, 2, 640, 9000), 30000},
	} {
		f, hashes := readHere(t, c.kind, c.s, c.keys)
		near := func(what string, got, want float64) {
			t.Helper()
			if deviation := 6*math.Sqrt(want*(1-want)/asked) + 1e-9; math.Abs(got-want) > deviation+0.03*want {
				t.Errorf("%s %v, %s: %v, not %v", c.kind, c.s, what, got, want)
			}
		}
		near("whole", passing(f, asked), f.RealisedFPR())
		b := encoded(t, f)
		i, _ := bloomery.Inspect(b, int64(len(b)))
		for _, chunk := range []uint64{0, 3, i.Chunks() - 1} {
			b[i.PayloadOffset+4096*chunk+7] ^= 0xa5
		}
		read, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil || read.Damaged != 3 {
			t.Fatal(c.kind, err)
		}
		for _, h := range hashes {
			if !f.MayContainHash(h) || !read.Filter.MayContainHash(h) {
				t.Fatalf("%s %v: %016x is denied", c.kind, c.s, h)
			}
		}
		if read.Filter.RealisedFPR() <= f.RealisedFPR() {
			t.Error(c.kind, c.s, "damage does not raise the rate")
		}
		near("damaged", passing(read.Filter, asked), read.Filter.RealisedFPR())
		if _, err := bloomery.EncodeContainer(read.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error(c.kind, "written as if it were whole:", err)
		}
		again, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
		if err != nil || !bloomery.Equal(again.Filter, f) || !bytes.Equal(encoded(t, again.Filter), encoded(t, f)) {
			t.Error(c.kind, "another filter comes back:", err)
		}
	}
}

// The rate of a window filter before it is filled is near the one that it gets, and stays from when the first generation is emptied.
func TestExpectedRatesOfWindows(t *testing.T) {
	for _, keys := range []int{0, 1, 4000, 8000, 8001, 28000, 32000, 32001, 63000} {
		f, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 4, 200, 8000), keys)
		got, want := f.RealisedFPR(), f.(*bloomery.Window).ExpectedFPR(uint64(keys))
		if math.Abs(got-want) > 0.15*want+1e-12 {
			t.Error(keys, got, want)
		}
	}
	f, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 4, 200, 8000), 0)
	if w := f.(*bloomery.Window); math.Abs(w.ExpectedFPR(32000)-w.ExpectedFPR(8000<<40)) > 1e-15 || w.ExpectedFPR(32001) >= w.ExpectedFPR(32000) {
		t.Error(w.ExpectedFPR(32000), w.ExpectedFPR(8000<<40))
	}
}

// withPayload is the container of a filter with another payload, in hexadecimal, and checksums that agree.
func withPayload(t *testing.T, f bloomery.Filter, payload string) []byte {
	t.Helper()
	b := encoded(t, f)
	i, err := bloomery.Inspect(b, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := hex.DecodeString(payload)
	if err != nil || uint64(len(bytes)) != i.PayloadLength {
		t.Fatal("another length than the payload has", err)
	}
	copy(b[i.PayloadOffset:], bytes)
	return resealed(b)
}

func hexOf(b []byte) string { return hex.EncodeToString(b) }
