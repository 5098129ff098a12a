package bloomery

import (
	"bytes"
	"testing"

	"bloomery/internal/hash"
)

// The loops over lanes that are written out, beside laneBit, which is the definition: the same bits, and a key that lacks one of them is
// not there.
func TestLanesWrittenOut(t *testing.T) {
	for _, p := range []Profile{HalfLine, Line, Split, Lanes16} {
		s, _ := p.shape()
		for i := uint64(0); i < 2000; i++ {
			h := hash.SplitMix64(i)
			block, want := make([]byte, s.Lanes*s.Width/8), make([]byte, s.Lanes*s.Width/8)
			set, test := func() { setBlock(block, h, s.Lanes, s.Width) }, testBlock
			if p == Split {
				set, test = func() { setSplit((*[splitBlockBytes]byte)(block), uint32(h)) }, testSplit
			}
			if test(block, h) {
				t.Fatalf("%v: %016x is in an empty block", p, h)
			}
			set()
			for j := 0; j < s.Lanes; j++ {
				at, shift := laneBit(h, j, s.Lanes, s.Width)
				if p == Split {
					x := uint32(h) * salts[j]
					at, shift = 4*j+int(x>>30), uint(x>>27&7)
				}
				want[at] |= 1 << shift
				block[at] &^= 1 << shift
				if test(block, h) {
					t.Fatalf("%v: %016x is there without its bit in lane %d", p, h, j)
				}
				block[at] |= 1 << shift
			}
			if !bytes.Equal(block, want) || !test(block, h) {
				t.Fatalf("%v: %016x: %x, not %x", p, h, block, want)
			}
		}
	}
}
