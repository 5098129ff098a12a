package bloomery_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bloomery"
)

// The example of spec/filters.md 13.3.
func TestStableExample(t *testing.T) {
	shape := bloomery.StableShape(96, 7, 2, 3, 10, 1<<31).With(bloomery.KindStable, "seed", 0)
	f, _ := readHere(t, bloomery.KindStable, shape, 1)
	if got := payloadOf(t, f); got != "00303000000000003000000000030c000000000300000030" {
		t.Error(got)
	}
	if s := f.(*bloomery.Stable); !f.MayContainString("k0") || f.MayContainString("k1") || s.Inserts() != 1 || s.Cells() != 96 || s.CellBits() != 2 {
		t.Error(f)
	}
}

// Cells are not 0 or 0, whatever their width, and above Max too; bits after the last cell are nobody's.
func TestStableCells(t *testing.T) {
	for _, width := range []uint64{1, 2, 4} {
		f, _ := readHere(t, bloomery.KindStable, bloomery.StableShape(61, 7, width, 1, 5, 0), 0)
		c := decodePayload(t, f, strings.Repeat("ff", int(f.SizeInBytes())))
		if c.Filter.RealisedFPR() != 1 || c.Filter.Fill() != 1 || !math.IsInf(c.Filter.EstimatedKeys(), 1) || c.Filter.Ones() != 61*width {
			t.Error(width, c.Filter.RealisedFPR(), c.Filter.EstimatedKeys(), c.Filter.Ones())
		}
		for v := 0; v < 256; v++ {
			payload := make([]byte, f.SizeInBytes())
			for n := range payload {
				payload[n] = byte(v * (2*n + 1))
			}
			c := decodePayload(t, f, hexOf(payload))
			set := func(cell uint64) bool { return payload[cell*width/8]>>(cell*width%8)&(1<<width-1) != 0 }
			inUse := 0.0
			for cell := uint64(0); cell < 61; cell++ {
				if set(cell) {
					inUse++
				}
			}
			if c.Filter.Fill() != inUse/61 || math.Abs(c.Filter.RealisedFPR()-math.Pow(inUse/61, 7)) > 1e-15 {
				t.Error(width, v, c.Filter.Fill())
			}
			for n := uint64(0); n < 50; n++ {
				h, want := bloomery.NewXXH3(2).Of(bloomery.Integers).HashUint64(n), true
				for _, cell := range bloomery.Positions(bloomery.KindStable, f.Shape(), h) {
					want = want && set(cell)
				}
				if c.Filter.MayContainHash(h) != want {
					t.Fatal(width, v, h)
				}
			}
		}
	}
}

// What headers must be, field by field and in the order of spec/container.md 8.
func TestHeadersOfStableFilters(t *testing.T) {
	f, _ := readHere(t, bloomery.KindStable, bloomery.StableShape(100, 5, 2, 3, 10, 1<<31), 9)
	refuseHeaders(t, []headerCase{
		{f, edits{}, -1}, {f, edits{11: 1, 20: 0}, 11}, {f, edits{20: 0, 24: 0}, 20}, {f, edits{20: 65}, 20}, {f, edits{20: 64}, -1}, {f, edits{24: 0, 120: 0}, 24},
		{f, edits{24: 1, 29: 0x40, 120: 3}, 24}, {f, edits{24: 0, 29: 0x40}, 80}, {f, edits{24: 0, 29: 0x40, 120: 3}, 120}, {f, edits{120: 0}, 120}, {f, edits{120: 3, 121: 0}, 120},
		{f, edits{120: 8}, 120}, {f, edits{120: 1, 121: 1}, 80}, {f, edits{120: 4}, 80}, {f, edits{121: 0, 116: 200}, 121}, {f, edits{121: 4}, 121}, {f, edits{121: 1}, -1},
		{f, edits{120: 1, 121: 2}, 121}, {f, edits{120: 4, 121: 16}, 121}, {f, edits{120: 4, 121: 15}, 80}, {f, edits{116: 101, 24: 104}, 80}, {f, edits{116: 101}, 116},
		{f, edits{116: 100}, 116}, {f, edits{116: 100, 115: 0}, -1}, {f, edits{116: 99}, -1}, {f, edits{119: 1, 24: 90}, 116}, {f, edits{116: 0, 115: 0}, -1}, {f, edits{24: 97}, -1},
		{f, edits{24: 96}, 80}, {f, edits{122: 1}, 100}, {f, edits{18: 1}, 0}, {f, edits{64: 1}, 64}, {f, edits{100: 0xff, 107: 0xff, 108: 0xff}, -1},
	})
}

// The predicted rate and the predicted forgetting are near what filters do.
func TestStableRates(t *testing.T) {
	const inserted = 60000
	keys := numbered("k", inserted)
	for _, shape := range []bloomery.Shape{
		bloomery.StableShape(20000, 3, 1, 1, 30, 1<<31), bloomery.StableShape(20000, 4, 2, 3, 60, 0), bloomery.StableShape(10000, 2, 4, 10, 100, 1),
	} {
		f, _ := readHere(t, bloomery.KindStable, shape, inserted)
		s := f.(*bloomery.Stable)
		if got, want := f.RealisedFPR(), s.StableFPR(); math.Abs(got-want) > 0.1*want {
			t.Error(shape, "stable point:", got, want)
		}
		if got, want := passing(f, 200000), f.RealisedFPR(); math.Abs(got-want) > 6*math.Sqrt(want/200000) {
			t.Error(shape, "rate:", got, want)
		}
		if got, want := s.ExpectedFPR(uint64(inserted)), s.StableFPR(); math.Abs(got-want) > 1e-6*want {
			t.Error(shape, got, want)
		}
		for ages := 200; ages < 10000; ages *= 2 { // from as many to twice as many
			denied, predicted := 0.0, 0.0
			for age := ages; age < 2*ages; age++ {
				predicted += s.Forgetting(uint64(age))
				if !f.MayContain(keys[inserted-1-age]) {
					denied++
				}
			}
			if n := float64(ages); math.Abs(denied-predicted)/n > 3/math.Sqrt(n)+0.01 {
				t.Error(shape, "ages from", ages, "on:", denied/n, predicted/n)
			}
		}
		if s.Forgetting(0) != 0 || !f.MayContain(keys[inserted-1]) {
			t.Error("the last key is forgotten")
		}
		for g := uint64(1); g < 1<<40; g *= 3 {
			if p, q := s.Forgetting(g), s.Forgetting(3*g); !(0 <= p && p <= q && q <= 1-s.StableFPR()+1e-12) {
				t.Error(shape, g, p, q)
			}
			if p, q := s.ExpectedFPR(g), s.ExpectedFPR(3*g); !(0 <= p && p <= q+1e-15 && q <= s.StableFPR()+1e-12) {
				t.Error(shape, g, p, q)
			}
		}
	}
}

// A 0 in an intact chunk is still believed (spec/filters.md 13.4).
func TestDamagedStableFilters(t *testing.T) {
	for _, width := range []uint64{1, 2, 4} {
		cells := 3 * 4096 * 8 / width
		f, hashes := readHere(t, bloomery.KindStable, bloomery.StableShape(cells, 3, width, 1, 0, 0), int(cells/6))
		b := encoded(t, f)
		i, _ := bloomery.Inspect(b, int64(len(b)))
		b[i.PayloadOffset+4096+9] ^= 1
		c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil || c.Damaged != 1 {
			t.Fatal(err)
		}
		for _, h := range hashes {
			if !c.Filter.MayContainHash(h) {
				t.Fatal("denied")
			}
		}
		payload := b[i.PayloadOffset:]
		denied := 0
		for n := uint64(0); n < 20000; n++ {
			h, want := bloomery.NewXXH3(8).Of(bloomery.Integers).HashUint64(n), true
			for _, cell := range bloomery.Positions(bloomery.KindStable, f.Shape(), h) {
				if at := cell * width / 8; at/4096 != 1 && payload[at]>>(cell*width%8)&(1<<width-1) == 0 {
					want = false
				}
			}
			if c.Filter.MayContainHash(h) != want {
				t.Fatalf("%016x: not %v", h, want)
			}
			if !want {
				denied++
			}
		}
		if got, want := 1-float64(denied)/20000, c.Filter.RealisedFPR(); denied < 5000 || math.Abs(got-want) > 0.03 {
			t.Error(denied, got, want)
		}
		if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error("written as if it were whole:", err)
		}
	}
}

// A filter that forgets says so.
func TestForgetting(t *testing.T) {
	for _, kind := range bloomery.Kinds() {
		facts, _ := kind.Facts()
		if facts.Forgets != (kind == bloomery.KindStable || kind == bloomery.KindWindow) {
			t.Error(kind, facts.Forgets)
		}
		for _, s := range smallShapes(facts) {
			if !bloomery.IsFilter(kind) {
				continue
			}
			f, err := bloomery.MakeHere(kind, s, bloomery.Hasher{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if says := strings.Contains(f.(interface{ String() string }).String(), "forgets"); says != facts.Forgets {
				t.Error(f)
			}
		}
	}
}
