package bloomery_test

import (
	"errors"
	"testing"

	"bloomery"
)

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

// What a header of these kinds must be, field by field and in the order of spec/container.md 8.
func TestHeadersOfKindsThatAreBuilt(t *testing.T) {
	ribbon, _ := readHere(t, bloomery.KindRibbon, bloomery.RibbonShape(64, 8, 0, [4]uint64{2, 1}, 70), 20)
	kept, _ := readHere(t, bloomery.KindRibbon, bloomery.KeepingShape(bloomery.RibbonShape(128, 1, 0, [4]uint64{1}, 5)), 20)
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

// What headers of chains must be, field by field and in the order of spec/container.md 8.
func TestHeadersOfChains(t *testing.T) {
	f, _ := readHere(t, bloomery.KindScalable, bloomery.ScalableShape(1, 3, 0.01, 2, 0, 5, 1, 2), 9)
	g, _ := readHere(t, bloomery.KindScalable, bloomery.ScalableShape(5, 1, 0.01, 16, 1, 0, 0, 0), 9)
	w, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 3, 2, 4).With(bloomery.KindWindow, "current", 2).With(bloomery.KindWindow, "count", 1), 9)
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

// What headers must be, field by field and in the order of spec/container.md 8.
func TestHeadersOfQuotientFilters(t *testing.T) {
	f, _ := readHere(t, bloomery.KindQuotient, bloomery.QuotientShape(100, 7, 3, 0), 9)
	refuseHeaders(t, []headerCase{
		{f, edits{}, -1}, {f, edits{11: 1, 20: 0}, 11}, {f, edits{20: 1, 24: 0}, 20}, {f, edits{20: 33}, 20}, {f, edits{20: 8}, 80}, {f, edits{24: 0, 108: 0}, 24},
		{f, edits{24: 1, 30: 0x20, 108: 0}, 24}, {f, edits{24: 0, 30: 0x20}, 108}, {f, edits{20: 2, 31: 4}, 24}, {f, edits{20: 2, 24: 0, 31: 4}, 108},
		{f, edits{24: 129, 108: 2}, 108}, {f, edits{24: 128, 108: 2}, 80}, {f, edits{108: 0}, 108}, {f, edits{108: 1}, 108}, {f, edits{108: 4}, 80}, {f, edits{24: 192}, -1},
		{f, edits{24: 193}, 108}, {f, edits{24: 1}, 128}, {f, edits{115: 0xff}, 108}, {f, edits{113: 0x80}, 108}, {f, edits{112: 0x60, 108: 0}, 80}, {f, edits{112: 0x67}, 108},
		{f, edits{100: 1, 107: 0xff}, -1}, {f, edits{116: 1}, 100}, {f, edits{18: 1}, 0}, {f, edits{64: 1}, 64},
	})
}
