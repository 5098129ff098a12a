package bloomery_test

import (
	"testing"

	"bloomery"
)

// Blocks that the caller keeps have the bits, and give the answers, of a filter of the same profile.
func TestBareBlocksAreAFilters(t *testing.T) {
	h := bloomery.NewXXH3(0)
	for _, p := range []bloomery.Profile{bloomery.HalfLine, bloomery.Line, bloomery.TwoLines, bloomery.Lanes16} {
		for _, blocks := range []int{1, 2, 3, 61} {
			f, err := bloomery.MakeBlock(bloomery.BlockOptions{Profile: p, Blocks: uint64(blocks)})
			if err != nil {
				t.Fatal(err)
			}
			bare := make([]byte, blocks*p.BlockBytes())
			over, err := bloomery.OverBlocks(p, bare, h)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < 20*blocks; i++ {
				key := h.Hash([]byte{byte(i), byte(i >> 8)})
				f.InsertHash(key)
				p.Insert(bare, key)
			}
			if !bloomery.Equal(over, f) {
				t.Errorf("%v, %d blocks: other bits", p, blocks)
			}
			for i := uint64(0); i < 4000; i++ {
				key := i * 0x9e3779b97f4a7c15
				if p.MayContain(bare, key) != f.MayContainHash(key) {
					t.Fatalf("%v, %d blocks: another answer", p, blocks)
				}
			}
			if over.RealisedFPR() != f.RealisedFPR() {
				t.Errorf("%v, %d blocks: another rate", p, blocks)
			}
		}
	}
}

// Bytes that are not whole blocks are refused, or a caller's bug.
func TestBareBlocksAreWhole(t *testing.T) {
	for _, c := range []struct {
		p bloomery.Profile
		n int
	}{{bloomery.Line, 0}, {bloomery.Line, 63}, {bloomery.Line, 65}, {bloomery.Split, 64}, {0, 64}, {77, 64}, {bloomery.HalfLine, 48}} {
		if _, err := bloomery.OverBlocks(c.p, make([]byte, c.n), bloomery.Hasher{}); err == nil {
			t.Errorf("%v, %d bytes: taken", c.p, c.n)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	bloomery.Line.MayContain(make([]byte, 63), 1)
}

func TestBareLookupsDoNotAllocate(t *testing.T) {
	bits := make([]byte, 640)
	if n := testing.AllocsPerRun(100, func() { bloomery.TwoLines.MayContain(bits, 7) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
