package bloomery_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"bloomery"
)

const k0 = 0xbbb08e672f9190b3 // of the key "k0"

// readHere makes a filter of a kind that is only read, with some of the keys k0 .. of which so many, and returns the hashes of these.
func readHere(t testing.TB, kind bloomery.Kind, s bloomery.Shape, keys int) (*bloomery.ReadOnly, []uint64) {
	t.Helper()
	f, err := bloomery.MakeHere(kind, s, bloomery.Hasher{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	hashes := make([]uint64, keys)
	f.Hasher().HashMany(numbered("k", keys), hashes)
	return f.(*bloomery.ReadOnly), bloomery.FillHere(f, hashes)
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

// decodePayload reads the container of a filter with another payload, in hexadecimal.
func decodePayload(t *testing.T, f bloomery.Filter, payload string) *bloomery.Container {
	t.Helper()
	c, err := bloomery.DecodeContainer(withPayload(t, f, payload), bloomery.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
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

// The examples of spec/filters.md 7.2, 14 and 15.9: one key, or few, in a payload.
func TestExamplesOfKindsThatAreOnlyRead(t *testing.T) {
	zeros := func(n int) string { return strings.Repeat("00", n) }
	one := "0000000000080000"
	for _, c := range []struct {
		kind    bloomery.Kind
		s       bloomery.Shape
		payload string
	}{
		{bloomery.KindCuckoo, bloomery.CuckooShape(12, 6, 0), zeros(24) + "2f" + zeros(11)},
		{bloomery.KindCuckoo, bloomery.CuckooShape(9, 6, 0), zeros(18) + "06" + zeros(8)},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 2, 3, 1), zeros(128) + line0 + zeros(192)},
		{bloomery.KindQuotient, bloomery.QuotientShape(60, 7, 1, 0), one + one + zeros(8) + strings.Repeat(one, 6) + zeros(8)},
		{bloomery.KindQuotient, bloomery.QuotientShape(60, 7, 1, 0), one + "0000000000400000" + zeros(8) + strings.Repeat("0000000000380000", 6) + zeros(8)},
		{bloomery.KindRibbon, bloomery.RibbonShape(64, 8, 0, [4]uint64{}, 1), "43"},
		{bloomery.KindFuse, bloomery.SlotShape(0, 0, 1, 7, 8, 0), "0000000000000200"},
		{bloomery.KindFuse, bloomery.SlotShape(0, 0, 1, 7, 8, 0), "0002000000000000"},
	} {
		f, _ := readHere(t, c.kind, c.s, 0)
		g := decodePayload(t, f, c.payload)
		if !g.Filter.MayContainString("k0") || g.Filter.MayContainString("k1") || payloadOf(t, g.Filter) != c.payload {
			t.Error(f)
		}
	}
	for kind, want := range map[bloomery.Kind]string{bloomery.KindCuckoo: "[47 4 5]", bloomery.KindQuotient: "[5630 43 126]"} {
		s := map[bloomery.Kind]bloomery.Shape{
			bloomery.KindCuckoo: bloomery.CuckooShape(12, 6, 0), bloomery.KindQuotient: bloomery.QuotientShape(60, 7, 1, 0),
		}[kind]
		if got := fmt.Sprint(bloomery.Positions(kind, s, k0)); got != want {
			t.Error(kind, got)
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
	if _, at := bloomery.SlotsOf(fuse, bloomery.SlotShape(7, 0, 1, 7, 8, 0), k0, 0); at != nil {
		t.Error("slots of a layout that does not exist")
	}
}

const line0 = "0008000000000000000000000000000000000080000200000000000000000000" +
	"0000000080000000004000000001000000000000000000008000000000010000" // "k0" in a block of the profile line: spec/filters.md 2.3

// The example of spec/filters.md 12.6: "k0" in level 1, and in each of the others.
func TestScalableExample(t *testing.T) {
	shape := bloomery.ScalableShape(1, 3, 0.01, 2, 0, 3, 1, 2)
	f, _ := readHere(t, bloomery.KindScalable, shape, 0)
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

// A chain is its parts: each a block filter, which all see the same hash.
func TestChainsAreBlockFilters(t *testing.T) {
	f, _ := readHere(t, bloomery.KindScalable, bloomery.ScalableShape(3, 4, 0.01, 4, 1, 0, 2, 3), 1)
	g, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.TwoLines, 5, 7, 100), 1)
	w, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.HalfLine, 3, 11, 100), 1)
	itself := func(h uint64) uint64 { return h }
	for _, c := range []struct {
		f     *bloomery.ReadOnly
		seen  func(h uint64) uint64
		parts [][3]uint64 // place, blocks, profile
	}{
		{f, splitmix, [][3]uint64{{0, 6, 1}, {192, 24, 1}, {960, 48, 2}, {4032, 192, 3}}},
		{g, itself, [][3]uint64{{0, 7, 3}, {448, 7, 3}, {896, 7, 3}, {1344, 7, 3}, {1792, 7, 3}}},
		{w, itself, [][3]uint64{{0, 11, 1}, {352, 11, 1}, {704, 11, 1}}},
	} {
		answers := map[bool]int{}
		c.f.Draw(7, 3)
		var parts []*bloomery.BlockBloom
		for _, p := range c.parts {
			parts = append(parts, part(t, c.f, int(p[0]), p[1], bloomery.Profile(p[2])))
		}
		for n := uint64(0); n < 20000; n++ {
			h, want := bloomery.NewXXH3(6).Of(bloomery.Integers).HashUint64(n), false
			for _, p := range parts {
				want = want || p.MayContainHash(c.seen(h))
			}
			if answers[want]++; c.f.MayContainHash(h) != want {
				t.Fatalf("%v: %016x", c.f, h)
			}
		}
		if answers[true] < 10 || answers[false] < 10 {
			t.Error(c.f, answers)
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

// The tag of a key has two buckets that differ, for all widths and odd sizes; each is the other's other: a key is found in both.
func TestCuckooPlaces(t *testing.T) {
	for tagBits := uint32(6); tagBits <= 32; tagBits++ {
		for _, buckets := range []uint64{2, 4, 6, 10, 254, 1000} {
			s := bloomery.CuckooShape(tagBits, buckets, 0)
			f, _ := readHere(t, bloomery.KindCuckoo, s, 0)
			size := len(payloadOf(t, f)) / 2
			for n := uint64(0); n < 20; n++ {
				h := bloomery.NewXXH3(2).Of(bloomery.Integers).HashUint64(n)
				at := bloomery.Positions(bloomery.KindCuckoo, s, h)
				if at[0] == 0 || at[0]>>tagBits != 0 || at[1] == at[2] || at[1] >= buckets || at[2] >= buckets {
					t.Fatal(tagBits, buckets, at)
				}
				for _, bucket := range at[1:] {
					b := make([]byte, size)
					slot := 4*uint64(tagBits)*bucket + uint64(tagBits)*(n%4)
					for j := uint64(0); j < uint64(tagBits); j++ {
						b[(slot+j)/8] |= byte(at[0]>>j&1) << ((slot + j) % 8)
					}
					if !decodePayload(t, f, hex.EncodeToString(b)).Filter.MayContainHash(h) {
						t.Fatal(tagBits, buckets, at)
					}
				}
			}
		}
	}
}

// Filters of no keys: everything is denied.
func TestEmptyKindsThatAreBuilt(t *testing.T) {
	for kind, s := range map[bloomery.Kind]bloomery.Shape{
		bloomery.KindRibbon: bloomery.RibbonShape(64, 8, 0, [4]uint64{}, 0), bloomery.KindFuse: bloomery.SlotShape(0, 0, 1, 0, 8, 0),
		bloomery.KindXor: bloomery.SlotShape(0, 0, 1, 0, 8, 0),
	} {
		f, _ := readHere(t, kind, s, 0)
		want := uint64(1)
		if kind == bloomery.KindRibbon {
			want = 0
		}
		c, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
		if err != nil || c.Info.PayloadLength != want || !bloomery.Equal(c.Filter, f) || c.Filter.Bits() != 0 {
			t.Fatal(kind, err)
		}
		if n := c.Filter.MayContainMany(numbered("x", 1000), make([]bool, 1000)); n != 0 {
			t.Error(kind, n, "are found")
		}
	}
	if _, err := bloomery.EncodeContainer(new(bloomery.ReadOnly), bloomery.Meta{}); !errors.Is(err, bloomery.InvalidArgument) {
		t.Error("what was not made is written:", err)
	}
}

// A copy shares no memory, and has the damage of what it was copied from; what forgets says so.
func TestClonesOfKindsThatAreOnlyRead(t *testing.T) {
	for _, s := range filterSamples(t, 20) {
		facts, _ := s.kind.Facts()
		for _, hurt := range []byte{0, 1} {
			b := append([]byte(nil), s.bytes...)
			b[128] ^= hurt
			c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
			if err != nil {
				t.Fatal(s.name, err)
			}
			r, ok := c.Filter.(*bloomery.ReadOnly)
			if !ok {
				continue
			}
			f, err := r.Clone()
			if err != nil || !bloomery.Equal(f, r) {
				t.Fatal(s.name, err)
			}
			text := fmt.Sprintf("%v", r)
			if fmt.Sprintf("%v", f) != text || !strings.HasPrefix(text, s.kind.String()+" filter: ") || strings.HasSuffix(text, "damaged") != (hurt != 0) ||
				strings.Contains(text, "forgets") != facts.Forgets || fmt.Sprintf("%#v", f) != "bloomery.ReadOnly("+text+")" {
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
		last := (i.PayloadOffset+i.PayloadLength+63)/64*64 + 8*uint64(i.Sentinels-1)
		absent := uint64(1)
		for f.MayContainHash(absent) {
			absent++
		}
		for n := 0; n < 8; n++ {
			b[last+uint64(n)] = byte(absent >> (8 * n))
		}
		_, err = bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		var e *bloomery.Error
		if !errors.As(err, &e) || e.Code != bloomery.Corrupt || e.Offset != int64(last) {
			t.Error(kind, err)
		}
		meta.Sentinels = []uint64{absent}
		if _, err := bloomery.EncodeContainer(f, meta); !errors.Is(err, bloomery.InvalidArgument) {
			t.Error(kind, err)
		}
	}
}
