package bloomery_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bloomery"
)

const k0 = 0xbbb08e672f9190b3 // of the key "k0"

// builtShapes are filters of the kinds that are built, of several chunks, with the keys that they are built from.
var builtShapes = []struct {
	kind bloomery.Kind
	s    bloomery.Shape
	keys int
}{
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 4, 0x50000000, [4]uint64{1028, 96, 20, 3}, 900), 50000},
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 8, 0, [4]uint64{300}, 0), 30000},
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 1, 0, [4]uint64{700, 80}, 3000), 20000},
	{bloomery.KindRibbon, bloomery.RibbonShape(128, 3, 0xe0000000, [4]uint64{512, 33, 5, 1}, 1000), 20000},
	{bloomery.KindRibbon, bloomery.RibbonShape(128, 32, 1, [4]uint64{9, 2}, 8192), 4000},
	{bloomery.KindFuse, bloomery.SlotShape(3, 4, 60, 256, 8, 0), 10000},
	{bloomery.KindFuse, bloomery.SlotShape(4, 3, 50, 256, 13, 5), 10000},
	{bloomery.KindFuse, bloomery.SlotShape(0, 0, 5000, 12, 5, 0), 12000},
	{bloomery.KindFuse, bloomery.SlotShape(3, 0, 200, 100, 32, 700), 5000},
	{bloomery.KindXor, bloomery.SlotShape(3, 0, 64, 240, 9, 0), 11000},
	{bloomery.KindXor, bloomery.SlotShape(0, 0, 9000, 5, 6, 1), 7000},
}

// Every lookup answers as the page says, of a whole filter and of one with damaged chunks, owned and mapped; there are no false negatives.
func TestLookupsOfKindsThatAreBuilt(t *testing.T) {
	for _, c := range builtShapes {
		f, hashes := readHere(t, c.kind, c.s, c.keys)
		if len(hashes) < c.keys*85/100 {
			t.Errorf("%v: %d keys of %d", f, len(hashes), c.keys)
		}
		whole := encoded(t, f)
		i, err := bloomery.Inspect(whole, int64(len(whole)))
		if err != nil || i.Chunks() < 4 {
			t.Fatal(f, i.Chunks(), err)
		}
		payload := whole[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
		for _, hurt := range []map[uint64]bool{nil, {0: true}, {1: true, 3: true}, {i.Chunks() - 1: true}, {i.Chunks() / 2: true}} {
			b := append([]byte(nil), whole...)
			for chunk := range hurt {
				b[i.PayloadOffset+4096*chunk] ^= 0x40
			}
			path := filepath.Join(t.TempDir(), "built.bloom")
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			owned, err1 := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
			mapped, err2 := bloomery.Open(path, bloomery.ReadOptions{})
			if err1 != nil || err2 != nil || owned.Damaged != uint64(len(hurt)) || mapped.Damaged != owned.Damaged {
				t.Fatal(f, err1, err2)
			}
			for _, h := range hashes {
				if !owned.Filter.MayContainHash(h) || !mapped.Filter.MayContainHash(h) {
					t.Fatalf("%v, damaged %v: %016x is denied", f, hurt, h)
				}
			}
			p := page{kind: c.kind, s: f.Shape(), payload: payload}
			for n := uint64(0); n < 1000; n++ {
				h := bloomery.NewXXH3(11).Of(bloomery.Integers).HashUint64(n)
				if n%5 == 0 {
					h = hashes[n*uint64(len(hashes))/1000]
				}
				want := p.contains(h)
				want = want || p.readsAny(hurt)
				if owned.Filter.MayContainHash(h) != want || mapped.Filter.MayContainHash(h) != want {
					t.Fatalf("%v, damaged %v: %016x is not %v", f, hurt, h, want)
				}
			}
			_ = mapped.Close()
		}
	}
}

// The rate is that of the model, with damage and without; what is damaged is not written again.
func TestRatesOfKindsThatAreBuilt(t *testing.T) {
	const asked = 100000
	for _, c := range builtShapes {
		f, hashes := readHere(t, c.kind, c.s, c.keys)
		slots := c.kind != bloomery.KindRibbon
		near := func(what string, got, want float64) {
			t.Helper()
			if deviation := 6*math.Sqrt(want*(1-want)/asked) + 1e-9; math.Abs(got-want) > deviation+0.02*want {
				t.Errorf("%v, %s: %v, not %v", f, what, got, want)
			}
		}
		near("whole", passing(f, asked), f.RealisedFPR())
		if n := f.EstimatedKeys() / float64(len(hashes)); n < 0.95 || slots && n > 1.05 || !slots && n < 1 {
			t.Error(f, n, "of the keys")
		}
		b := encoded(t, f)
		i, _ := bloomery.Inspect(b, int64(len(b)))
		hurt := map[uint64]bool{0: true, 2: true}
		for chunk := range hurt {
			b[i.PayloadOffset+4096*chunk] ^= 0xa5
		}
		read, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil || read.Damaged != 2 {
			t.Fatal(f, err)
		}
		near("damaged", passing(read.Filter, asked), read.Filter.RealisedFPR())
		if slots {
			p := page{kind: c.kind, s: c.s, payload: b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]}
			if got, want := read.Filter.EstimatedKeys(), p.slotKeys(hurt); math.Abs(got-want) > 1e-6*want {
				t.Error(f, "damaged:", got, "keys, not", want)
			}
		}
		if read.Filter.RealisedFPR() <= f.RealisedFPR() {
			t.Error(f, "damage does not raise the rate")
		}
		if n := read.Filter.EstimatedKeys(); n < 0.9*float64(len(hashes)) {
			t.Error(f, n, "keys of", len(hashes))
		}
		if _, err := bloomery.EncodeContainer(read.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error(f, "written as if it were whole:", err)
		}
		again, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
		if err != nil || again.Verify() != nil || !bloomery.Equal(again.Filter, f) || !bytes.Equal(encoded(t, again.Filter), encoded(t, f)) {
			t.Error(f, "another filter comes back:", err)
		}
	}
}

// The examples of spec/filters.md 9.3.
func TestRibbonExamples(t *testing.T) {
	for _, c := range []struct {
		width, buckets, slot, print uint64
		coefficients                [2]uint64
	}{
		{64, 1024, 96067, 0x26, [2]uint64{0x7c46b53b3498ecef, 0}},
		{128, 512, 192135, 0x11, [2]uint64{0x7c46b53b3498ecef, 0x02c27a5d97457c26}},
	} {
		e := bloomery.RibbonEquationsOf(bloomery.RibbonShape(c.width, 8, 0, [4]uint64{c.buckets, 1}, 0), k0)
		if len(e) != 2 || e[0] != (bloomery.RibbonEquation{Hash: k0, Slot: c.slot, Columns: 8, Coefficients: c.coefficients, Fingerprint: c.print}) ||
			e[1].Hash != 0xb2ada4e90228966f {
			t.Errorf("%+v", e)
		}
	}
	f, _ := readHere(t, bloomery.KindRibbon, bloomery.RibbonShape(64, 8, 0, [4]uint64{}, 1), 0)
	b := encoded(t, f)
	b[101], b[128], b[88] = 0, 0x43, 3 // seed, payload, ones
	c, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
	if err != nil || c.Verify() != nil || !c.Filter.MayContainString("k0") || c.Filter.MayContainString("k1") || payloadOf(t, c.Filter) != "43" {
		t.Error(err)
	}
}

// The examples of spec/filters.md 10.6 and 11.
func TestSlotExamples(t *testing.T) {
	fuse, xor := bloomery.KindFuse, bloomery.KindXor
	for _, c := range []struct {
		kind                bloomery.Kind
		layout, log, shards uint64
		slots               uint64
		round               uint8
		want                []uint64
	}{
		{fuse, 0, 0, 1, 7, 0, []uint64{6, 1, 4, 3}}, {fuse, 0, 0, 1, 13, 0, []uint64{12, 2, 9, 6}},
		{fuse, 3, 3, 1, 64, 0, []uint64{23, 25, 39}}, {fuse, 3, 3, 1, 64, 1, []uint64{6, 12, 22}},
		{fuse, 3, 3, 2, 64, 0, []uint64{87, 89, 103}}, {fuse, 4, 3, 2, 64, 0, []uint64{83, 93, 99, 104}},
		{xor, 0, 0, 1, 7, 0, []uint64{6, 1, 4, 3}}, {xor, 3, 0, 1, 30, 0, []uint64{2, 16, 21}}, {xor, 3, 0, 2, 30, 0, []uint64{32, 46, 51}},
	} {
		for width, print := range map[uint32]uint64{8: []uint64{0x02, 0xfe}[c.round], 32: []uint64{0x02edccb9, 0xfe229172}[c.round]} {
			got, at := bloomery.SlotsOf(c.kind, bloomery.SlotShape(c.layout, c.log, c.shards, c.slots, width, 0), k0, c.round)
			if got != print || len(at) != len(c.want) {
				t.Fatal(c, got, at)
			}
			for n := range at {
				if at[n] != c.want[n] {
					t.Error(c, at)
				}
			}
		}
	}
	for _, want := range []string{"0000000000000200", "0002000000000000"} {
		f, _ := readHere(t, fuse, bloomery.SlotShape(0, 0, 1, 7, 8, 0), 0)
		b := encoded(t, f)
		b[134], b[129], b[135] = 0, 0, 0
		b[128+strings.Index(want, "02")/2] = 2
		c, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		if err != nil || !c.Filter.MayContainString("k0") || c.Filter.MayContainString("k1") || payloadOf(t, c.Filter) != want {
			t.Error(err)
		}
	}
	if _, at := bloomery.SlotsOf(fuse, bloomery.SlotShape(7, 0, 1, 7, 8, 0), k0, 0); at != nil {
		t.Error("slots of a layout that does not exist")
	}
}

// Filters of no keys: everything is denied, and the rate is 0.
func TestEmptyKindsThatAreBuilt(t *testing.T) {
	for kind, s := range map[bloomery.Kind]bloomery.Shape{
		bloomery.KindRibbon: bloomery.RibbonShape(64, 8, 0, [4]uint64{}, 0), bloomery.KindFuse: bloomery.SlotShape(0, 0, 1, 0, 8, 0),
		bloomery.KindXor: bloomery.SlotShape(0, 0, 1, 0, 8, 0),
	} {
		f, _ := readHere(t, kind, s, 0)
		want := map[bloomery.Kind]uint64{bloomery.KindRibbon: 0}
		if kind != bloomery.KindRibbon {
			want[kind] = 1
		}
		c, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
		if err != nil || c.Info.PayloadLength != want[kind] || !bloomery.Equal(c.Filter, f) {
			t.Fatal(kind, err)
		}
		if g := c.Filter; g.RealisedFPR() != 0 || g.EstimatedKeys() != 0 || g.Fill() != 0 || passing(g, 1000) != 0 || g.Bits() != 0 {
			t.Error(kind, g.RealisedFPR(), g.EstimatedKeys(), g.Fill())
		}
	}
	for _, f := range []bloomery.Filter{new(bloomery.Ribbon), new(bloomery.Fuse), new(bloomery.Xor)} {
		if _, err := bloomery.EncodeContainer(f, bloomery.Meta{}); !errors.Is(err, bloomery.InvalidArgument) {
			t.Errorf("%T: what was not made is written: %v", f, err)
		}
	}
}

// A copy shares no memory, and has the damage of what it was copied from.
func TestClonesOfKindsThatAreBuilt(t *testing.T) {
	clone := func(f bloomery.Filter) (g bloomery.Filter, err error) {
		switch f := f.(type) {
		case *bloomery.Ribbon:
			g, err = f.Clone()
		case *bloomery.Fuse:
			g, err = f.Clone()
		case *bloomery.Xor:
			g, err = f.Clone()
		}
		return g, err
	}
	for _, s := range filterSamples(t, 20) {
		if s.kind != bloomery.KindRibbon && s.kind != bloomery.KindFuse && s.kind != bloomery.KindXor {
			continue
		}
		for _, hurt := range []byte{0, 1} {
			b := append([]byte(nil), s.bytes...)
			b[128] ^= hurt
			c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
			if err != nil {
				t.Fatal(s.name, err)
			}
			f, err := clone(c.Filter)
			if err != nil || !bloomery.Equal(f, c.Filter) || f.RealisedFPR() != c.Filter.RealisedFPR() {
				t.Fatal(s.name, err)
			}
			text := fmt.Sprintf("%v", c.Filter)
			if fmt.Sprintf("%v", f) != text || !strings.HasPrefix(text, s.kind.String()+" filter: ") || strings.HasSuffix(text, "damaged") != (hurt != 0) {
				t.Error(text)
			}
			if text := fmt.Sprintf("%#v", f); !strings.HasPrefix(text, "bloomery.") || !strings.HasSuffix(text, ")") {
				t.Error(text)
			}
			_ = c.Close()
			if key := s.denied(&bloomery.Container{Filter: f}); key != "" {
				t.Error(s.name, key, "is denied")
			}
			if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.InvalidArgument) {
				t.Error(s.name, "a closed filter is written:", err)
			}
		}
	}
}

// A sentinel that is not found refuses the file, where it is stored; one whose bytes are damaged is found.
func TestSentinelsOfKindsThatAreBuilt(t *testing.T) {
	for _, kind := range []bloomery.Kind{bloomery.KindRibbon, bloomery.KindFuse, bloomery.KindXor} {
		facts, _ := kind.Facts()
		f, hashes := readHere(t, kind, smallShapes(facts)[0], 9)
		meta := bloomery.Meta{Keys: uint64(len(hashes)), Sentinels: bloomery.SentinelsOf(hashes)}
		b, err := bloomery.EncodeContainer(f, meta)
		if err != nil {
			t.Fatal(kind, err)
		}
		i, _ := bloomery.Inspect(b, int64(len(b)))
		if int(i.Keys) != len(hashes) || i.Sentinels != len(meta.Sentinels) {
			t.Error(kind, i)
		}
		hurt := append([]byte(nil), b...)
		for at := i.PayloadOffset; at < i.PayloadOffset+i.PayloadLength; at++ {
			hurt[at] ^= 0xff
		}
		if c, err := bloomery.DecodeContainer(hurt, bloomery.ReadOptions{}); err != nil || c.Damaged != 1 {
			t.Error(kind, "damaged:", err)
		}
		third := (i.PayloadOffset+i.PayloadLength+63)/64*64 + 16
		absent := uint64(1)
		for f.MayContainHash(absent) {
			absent++
		}
		for n := 0; n < 8; n++ {
			b[third+uint64(n)] = byte(absent >> (8 * n))
		}
		_, err = bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		var e *bloomery.Error
		if !errors.As(err, &e) || e.Code != bloomery.Corrupt || e.Offset != int64(third) {
			t.Error(kind, err)
		}
		meta.Sentinels = []uint64{absent}
		if _, err := bloomery.EncodeContainer(f, meta); !errors.Is(err, bloomery.InvalidArgument) {
			t.Error(kind, err)
		}
	}
}
