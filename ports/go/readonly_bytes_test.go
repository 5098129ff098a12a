package bloomery_test

import (
	"bytes"
	"errors"
	"testing"

	"bloomery"
)

// builtShapes are filters of the kinds that are built, of several chunks.
var builtShapes = []struct {
	kind bloomery.Kind
	s    bloomery.Shape
}{
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 4, 0x50000000, [4]uint64{1028, 96, 20, 3}, 900)},
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 8, 0, [4]uint64{300}, 0)},
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 1, 0, [4]uint64{700, 80}, 3000)},
	{bloomery.KindRibbon, bloomery.KeepingShape(bloomery.RibbonShape(128, 3, 0xe0000000, [4]uint64{512, 33, 5, 1}, 1000))},
	{bloomery.KindRibbon, bloomery.RibbonShape(128, 32, 1, [4]uint64{9, 2}, 8192)},
	{bloomery.KindFuse, bloomery.SlotShape(3, 4, 60, 256, 8, 0)}, {bloomery.KindFuse, bloomery.SlotShape(4, 3, 50, 256, 13, 5)},
	{bloomery.KindFuse, bloomery.SlotShape(0, 0, 5000, 12, 5, 0)}, {bloomery.KindFuse, bloomery.SlotShape(3, 0, 200, 100, 8, 700)},
	{bloomery.KindXor, bloomery.SlotShape(3, 0, 64, 240, 9, 0)}, {bloomery.KindXor, bloomery.SlotShape(0, 0, 9000, 5, 6, 1)},
}

// damaged is the container of a filter with damaged chunks, read.
func damaged(t *testing.T, b []byte, chunks ...uint64) bloomery.Filter {
	t.Helper()
	b = append([]byte(nil), b...)
	i, _ := bloomery.Inspect(b, int64(len(b)))
	for _, chunk := range chunks {
		b[i.PayloadOffset+4096*chunk] ^= 0x40
	}
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Damaged != uint64(len(chunks)) {
		t.Fatal(i.Kind, err)
	}
	if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); len(chunks) > 0 && !errors.Is(err, bloomery.Corrupt) {
		t.Error(i.Kind, "written as if it were whole:", err)
	}
	return c.Filter
}

// Every lookup answers as the page says, of a whole filter and of one with damaged chunks.
func TestLookupsOfKindsThatAreBuilt(t *testing.T) {
	for _, c := range builtShapes {
		f, _ := readHere(t, c.kind, c.s, 0)
		f.Draw(3, 2)
		whole := encoded(t, f)
		i, err := bloomery.Inspect(whole, int64(len(whole)))
		if err != nil || i.Chunks() < 4 {
			t.Fatal(f, i.Chunks(), err)
		}
		p := page{kind: c.kind, s: f.Shape(), payload: whole[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]}
		for _, hurt := range [][]uint64{nil, {0}, {1, 3}, {i.Chunks() - 1}, {i.Chunks() / 2}} {
			read := damaged(t, whole, hurt...)
			set := map[uint64]bool{}
			for _, chunk := range hurt {
				set[chunk] = true
			}
			for n := uint64(0); n < 1000; n++ {
				h := bloomery.NewXXH3(11).Of(bloomery.Integers).HashUint64(n)
				want := p.contains(h)
				want = want || p.readsAny(set)
				if read.MayContainHash(h) != want {
					t.Fatalf("%v, damaged %v: %016x is not %v", f, hurt, h, want)
				}
			}
		}
	}
}

// manyChunks are filters of several chunks of every kind whose payload may be any bytes, and how dense they are drawn.
var manyChunks = []struct {
	kind    bloomery.Kind
	s       bloomery.Shape
	density uint64
}{
	{bloomery.KindCuckoo, bloomery.CuckooShape(8, 8192, 1), 2}, {bloomery.KindCuckoo, bloomery.CuckooShape(13, 5042, 1), 2},
	{bloomery.KindCuckoo, bloomery.CuckooShape(6, 10922, 1), 2}, {bloomery.KindCuckoo, bloomery.CuckooShape(32, 2048, 1), 2},
	{bloomery.KindCounting, bloomery.CountingShape(true, 4, 128*512, 8, 1), 1}, {bloomery.KindCounting, bloomery.CountingShape(true, 8, 128*256, 8, 1), 1},
	{bloomery.KindCounting, bloomery.CountingShape(true, 32, 128*64, 8, 1), 0}, {bloomery.KindCounting, bloomery.CountingShape(false, 4, 65537, 3, 1), 1},
	{bloomery.KindCounting, bloomery.CountingShape(false, 8, 32767, 5, 1), 1}, {bloomery.KindCounting, bloomery.CountingShape(false, 32, 8192, 2, 1), 0},
	{bloomery.KindStable, bloomery.StableShape(200000, 3, 1, 1, 0, 0), 2}, {bloomery.KindStable, bloomery.StableShape(100001, 4, 2, 3, 0, 0), 1},
	{bloomery.KindStable, bloomery.StableShape(50000, 2, 4, 15, 0, 0), 1},
	{bloomery.KindScalable, bloomery.ScalableShape(20, 5, 0.01, 2, 0, 9, 1, 3), 1}, {bloomery.KindScalable, bloomery.ScalableShape(64, 2, 0.01, 8, 2, 0, 0, 1), 1},
	{bloomery.KindWindow, bloomery.WindowShape(bloomery.HalfLine, 3, 2000, 15000), 1}, {bloomery.KindWindow, bloomery.WindowShape(bloomery.TwoLines, 2, 640, 9000), 1},
	{bloomery.KindRibbon, bloomery.RibbonShape(64, 4, 0x50000000, [4]uint64{1028, 96, 20, 3}, 900), 2},
	{bloomery.KindFuse, bloomery.SlotShape(4, 3, 50, 256, 13, 5), 2}, {bloomery.KindXor, bloomery.SlotShape(3, 0, 64, 240, 9, 0), 2},
}

// Whatever a damaged chunk held, no key that a filter with these bytes has is denied; and not every key is passed because of it.
func TestDamageOfKindsThatAreOnlyRead(t *testing.T) {
	const asked = 20000
	for _, c := range manyChunks {
		f, _ := readHere(t, c.kind, c.s, 0)
		f.Draw(1, c.density)
		whole := encoded(t, f)
		again, err := bloomery.DecodeContainer(whole, bloomery.ReadOptions{})
		if err != nil || again.Verify() != nil || !bloomery.Equal(again.Filter, f) || !bytes.Equal(encoded(t, again.Filter), whole) {
			t.Fatal(f, "another filter comes back:", err)
		}
		i, _ := bloomery.Inspect(whole, int64(len(whole)))
		hurt := []uint64{0, 2, i.Chunks() - 1}
		switch facts, _ := c.kind.Facts(); {
		case facts.Built:
			hurt = hurt[:2] // every lookup reads the last
		case c.kind == bloomery.KindScalable:
			hurt = hurt[2:] // the first has the whole of a level, which then passes every key
		}
		read, denied := damaged(t, whole, hurt...), 0
		for n := uint64(0); n < asked; n++ {
			if !read.MayContainHash(bloomery.NewXXH3(9).Of(bloomery.Integers).HashUint64(n)) {
				denied++
			}
		}
		if denied < asked/20 || denied == asked {
			t.Error(f, denied, "denied of", asked)
		}
		for seed := uint64(0); seed < 8; seed++ {
			b := append([]byte(nil), whole...)
			for _, chunk := range hurt {
				for at := i.PayloadOffset + 4096*chunk; at < i.PayloadOffset+4096*(chunk+1) && at < i.PayloadOffset+i.PayloadLength; at++ {
					switch b[at] = byte(splitmix(seed<<32 + at)); {
					case seed == 6:
						b[at] = 0
					case seed == 7:
						b[at] = 0xff
					}
				}
			}
			other, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
			if err != nil {
				t.Fatal(f, err)
			}
			for n := uint64(0); n < asked/8; n++ {
				h := bloomery.NewXXH3(9).Of(bloomery.Integers).HashUint64(n)
				if other.Filter.MayContainHash(h) && !read.MayContainHash(h) {
					t.Fatalf("%v: %016x is denied", f, h)
				}
			}
		}
	}
}

// Any bytes of the right length are a filter: lookups answer as the page says, hashes that do not ascend included, and rates end.
func TestAnyBytesAreAFilterThatIsBuilt(t *testing.T) {
	for kind, shapes := range map[bloomery.Kind][]bloomery.Shape{
		bloomery.KindRibbon: append(ribbonShapes(), bloomery.RibbonShape(64, 2, 0xffffffff, [4]uint64{1024}, 8192)),
		bloomery.KindFuse: {
			bloomery.SlotShape(3, 0, 1, 3, 1, 0), bloomery.SlotShape(4, 0, 1, 4, 31, 3), bloomery.SlotShape(0, 0, 7, 1, 3, 0),
			bloomery.SlotShape(3, 16, 1, 3<<16, 2, 1), bloomery.SlotShape(0, 0, 3, 0, 5, 2),
		},
		bloomery.KindXor: {bloomery.SlotShape(3, 0, 1, 3, 32, 0), bloomery.SlotShape(3, 0, 5, 15, 7, 4)},
	} {
		for _, s := range shapes {
			anyBytesOf(t, kind, s)
		}
	}
}

func ribbonShapes() (shapes []bloomery.Shape) {
	for _, width := range []uint64{64, 128} {
		for _, columns := range []uint32{1, 2, 7, 32} {
			narrow := uint64(0x9abcdef0)
			if columns == 1 {
				narrow = 0
			}
			for _, rest := range []uint64{0, 1, 2, 63, 64, 65, 200} {
				shapes = append(shapes, bloomery.RibbonShape(width, columns, narrow, [4]uint64{}, rest), bloomery.RibbonShape(width, columns, narrow, [4]uint64{3, 2, 1, 1}, rest))
			}
			shapes = append(shapes, bloomery.KeepingShape(bloomery.RibbonShape(width, columns, narrow, [4]uint64{2}, 5)))
		}
	}
	return shapes
}

func anyBytesOf(t *testing.T, kind bloomery.Kind, s bloomery.Shape) {
	t.Helper()
	f, err := bloomery.MakeHere(kind, s, bloomery.Hasher{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := encoded(t, f)
	i, _ := bloomery.Inspect(b, int64(len(b)))
	payload := b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
	for draw := uint64(0); draw < 4; draw++ {
		for n := range payload {
			payload[n] = byte(bloomery.NewXXH3(draw).Of(bloomery.Integers).HashUint64(uint64(n)))
		}
		c, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		if err != nil {
			t.Fatal(kind, s, err)
		}
		p := page{kind: kind, s: s, payload: payload}
		for n := uint64(0); n < 60; n++ {
			h := bloomery.NewXXH3(5).Of(bloomery.Integers).HashUint64(n)
			if n == 0 || n == 1 {
				h = -n
			}
			if c.Filter.MayContainHash(h) != p.contains(h) {
				t.Errorf("%s %v: %016x is not as the page says", kind, s, h)
			}
		}
	}
}

// Any bytes of the right length are a filter: lookups end, in the array, and one by one or many at once answer the same.
func TestAnyBytesAreAFilter(t *testing.T) {
	var shapes []bloomery.Shape
	for tagBits := uint32(6); tagBits <= 32; tagBits++ {
		shapes = append(shapes, bloomery.CuckooShape(tagBits, 6, 0))
	}
	for _, width := range []uint64{4, 8, 32} {
		shapes = append(shapes, bloomery.CountingShape(true, width, 128, 8, 0), bloomery.CountingShape(false, width, 7, 64, 0))
	}
	hashes := []uint64{0, 1, 1<<64 - 1, k0}
	for n, s := range shapes {
		kind := bloomery.KindCounting
		if n < 27 {
			kind = bloomery.KindCuckoo
		}
		f, _ := readHere(t, kind, s, 0)
		for seed := uint64(0); seed < 200; seed++ {
			f.Draw(seed<<32, seed%5)
			out := make([]bool, len(hashes))
			f.MayContainManyHashes(hashes, out)
			for i, h := range hashes {
				if f.MayContainHash(h) != out[i] {
					t.Fatal(f, h)
				}
			}
		}
	}
}
