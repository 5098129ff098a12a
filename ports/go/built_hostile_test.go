package bloomery_test

import (
	"math"
	"testing"

	"bloomery"
)

// What a header of these kinds must be, field by field and in the order of spec/container.md 8.
func TestHeadersOfKindsThatAreBuilt(t *testing.T) {
	ribbon, _ := readHere(t, bloomery.KindRibbon, bloomery.RibbonShape(64, 8, 0, [4]uint64{2, 1}, 70), 20)
	kept, _ := readHere(t, bloomery.KindRibbon, bloomery.RibbonShape(128, 1, 0, [4]uint64{1}, 0), 20)
	fuse, _ := readHere(t, bloomery.KindFuse, bloomery.SlotShape(3, 3, 2, 64, 8, 2), 20)
	dense, _ := readHere(t, bloomery.KindFuse, bloomery.SlotShape(0, 0, 1, 40, 8, 0), 20)
	xor, _ := readHere(t, bloomery.KindXor, bloomery.SlotShape(3, 0, 2, 33, 8, 0), 20)
	refuseHeaders(t, []headerCase{
		{ribbon, edits{}, -1}, {ribbon, edits{20: 0}, 20}, {ribbon, edits{20: 33, 28: 1}, 20}, {ribbon, edits{28: 1, 100: 5}, 24},
		{ribbon, edits{100: 63, 101: 0}, 100}, {ribbon, edits{100: 0}, 100}, {ribbon, edits{100: 128}, 80},
		{ribbon, edits{101: 9}, -1}, {ribbon, edits{101: 9, 102: 1}, 101}, {ribbon, edits{101: 9, 120: 0}, 101},
		{ribbon, edits{101: 9, 102: 2}, 102}, {ribbon, edits{101: 0, 102: 1}, 80}, {ribbon, edits{101: 0, 102: 1, 120: 0}, 102},
		{ribbon, edits{103: 1}, 102}, {ribbon, edits{24: 1, 25: 4, 102: 2}, 102}, {ribbon, edits{24: 1, 25: 4, 104: 0, 108: 1}, 24},
		{ribbon, edits{24: 0, 25: 4}, 80}, {ribbon, edits{24: 0}, 104}, {ribbon, edits{24: 0, 104: 0, 112: 1}, 112},
		{ribbon, edits{104: 1, 105: 4, 112: 1}, 104}, {ribbon, edits{104: 0, 108: 1}, 108}, {ribbon, edits{112: 1, 119: 1}, 112},
		{ribbon, edits{108: 1}, 80}, {ribbon, edits{108: 3, 109: 4}, 108}, {ribbon, edits{108: 1, 112: 3, 113: 4}, 112},
		{ribbon, edits{119: 0x80}, 80}, {ribbon, edits{116: 1}, -1}, {ribbon, edits{121: 0x20}, 120}, {ribbon, edits{120: 0, 121: 0x20}, 80},
		{ribbon, edits{120: 71}, 80}, {ribbon, edits{123: 1}, 120}, {ribbon, edits{18: 1}, 0}, {ribbon, edits{64: 1}, -1},
		{kept, edits{}, -1}, {kept, edits{116: 1}, 116}, {kept, edits{101: 1}, 101}, {kept, edits{102: 0}, 80}, {kept, edits{100: 64}, 80},
		{kept, edits{123: 1}, 80}, {kept, edits{102: 0, 123: 1}, 120},
		{fuse, edits{}, -1}, {fuse, edits{20: 0, 100: 0}, 20}, {fuse, edits{20: 33}, 20}, {fuse, edits{100: 0, 112: 1}, 100},
		{fuse, edits{112: 1, 113: 99}, 112}, {fuse, edits{112: 5}, 112}, {fuse, edits{113: 17, 24: 3}, 113}, {fuse, edits{113: 16}, 24},
		{fuse, edits{100: 3}, 24}, {fuse, edits{24: 127}, 24}, {fuse, edits{24: 16}, 24}, {fuse, edits{24: 32}, 24}, {fuse, edits{24: 48}, 80},
		{fuse, edits{24: 48, 112: 4}, 24}, {fuse, edits{24: 64, 112: 4}, 80}, {fuse, edits{112: 4}, -1}, {fuse, edits{24: 0}, 24},
		{fuse, edits{29: 0x10}, 80}, {fuse, edits{29: 0x20}, 24}, {fuse, edits{24: 8, 29: 0x10}, 24}, {fuse, edits{29: 0x10, 112: 0, 113: 0}, 24}, {fuse, edits{112: 0}, 113},
		{fuse, edits{112: 0, 113: 0}, -1}, {fuse, edits{109: 1, 104: 1}, 104}, {fuse, edits{109: 1, 104: 0}, 80}, {fuse, edits{104: 3}, 80},
		{fuse, edits{114: 1}, 100}, {fuse, edits{123: 1, 100: 0}, 100}, {fuse, edits{64: 1}, -1}, {fuse, edits{113: 2}, -1},
		{dense, edits{}, -1}, {dense, edits{113: 1}, 113}, {dense, edits{24: 0}, 80}, {dense, edits{26: 1, 24: 1}, 24},
		{dense, edits{26: 1, 24: 0}, 80}, {dense, edits{100: 2}, 80}, {dense, edits{100: 3}, 24},
		{xor, edits{}, -1}, {xor, edits{112: 4}, 112}, {xor, edits{113: 1}, 113}, {xor, edits{24: 64}, 24}, {xor, edits{24: 0}, 24},
		{xor, edits{112: 0}, -1}, {xor, edits{24: 72}, 80}, {xor, edits{100: 1}, 80}, {xor, edits{100: 22}, 80}, {xor, edits{100: 33}, 24},
		{xor, edits{28: 6, 24: 0xfa, 25: 0xff, 26: 0xff, 27: 0xff, 100: 2}, 24}, // 3 (2^32 - 1) slots of a shard, and 3 more
	})
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
		if r := c.Filter.RealisedFPR(); !(r >= 0 && r <= 1) || !(c.Filter.Fill() <= 1) || !(c.Filter.EstimatedKeys() < math.Inf(1)) {
			t.Error(kind, s, r, c.Filter.Fill(), c.Filter.EstimatedKeys())
		}
	}
}
