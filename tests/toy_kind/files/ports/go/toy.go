package bloomery

import (
	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const maxToyStride = 16

var toyStride = parameter(KindToy, "stride")

// toyKind is its row in the table of kinds.
var toyKind = kindRow{lookup: newToy, positions: toyPositions, check: checkToy}

// A toy filter is a classic one that uses every stride-th number of its generator: a kind of the tests.
type toy struct{ shape Shape }

func newToy(s Shape, _ *array) lookup { return &toy{s} }

func checkToy(i *Info) error {
	if s := i.Parameters.Get(toyStride); s < 1 || s > maxToyStride {
		return fault.At(Corrupt, toyStride.Offset, "impossible stride")
	}
	return nil
}

func (t *toy) mayContain(a *array, h uint64) bool {
	for _, at := range toyPositions(t.shape, h) {
		if a.bits[at>>3]>>(at&7)&1 == 0 {
			return false
		}
	}
	return true
}

func toyPositions(s Shape, h uint64) (out []uint64) {
	x := h | 1
	for i := uint32(0); i < s.Hashes; i++ {
		for n := s.Parameters.Get(toyStride); n > 0; n-- {
			x *= bloomStep
		}
		out = append(out, hash.MulHi(x, s.Units))
	}
	return out
}
