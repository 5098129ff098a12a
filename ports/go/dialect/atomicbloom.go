package dialect

import (
	"encoding/binary"
	"math"
	"math/bits"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const atomicBloomHeader = 24

// An atomicBloom is spec/dialects/atomicbloom.md.
type atomicBloom struct {
	bitCells
	m, k  uint64
	cells []byte
}

func readAtomicBloom(b []byte, o Options) (*atomicBloom, error) {
	if o.Variant != "" && o.Variant != "words" {
		return nil, fault.New(fault.InvalidArgument, "atomicbloom has one variant, words")
	}
	if len(b) < atomicBloomHeader {
		return nil, fault.At(fault.Corrupt, len(b), "shorter than the header")
	}
	le := binary.LittleEndian
	m, k, words := le.Uint64(b), le.Uint64(b[8:]), le.Uint64(b[16:])
	want := m / 64
	if m%64 != 0 {
		want++
	}
	there := uint64(len(b)-atomicBloomHeader) / 8
	switch {
	case m == 0:
		return nil, fault.At(fault.Corrupt, 0, "no bits")
	case k == 0 || k > math.MaxUint32:
		return nil, fault.At(fault.Corrupt, 8, "no possible number of hashes")
	case words != want:
		return nil, fault.At(fault.Corrupt, 16, "the words do not agree with the bits")
	case there < words:
		return nil, fault.At(fault.Corrupt, len(b), "fewer words than the header says")
	case uint64(len(b)) != atomicBloomHeader+8*words:
		return nil, fault.At(fault.Corrupt, atomicBloomHeader+int(8*words), "bytes after the words")
	}
	return &atomicBloom{m: m, k: k, cells: b[atomicBloomHeader:]}, nil
}

func (f *atomicBloom) Dialect() string { return "atomicbloom" }
func (f *atomicBloom) Variant() string { return "words" }
func (f *atomicBloom) Bits() uint64    { return f.m }
func (f *atomicBloom) Hashes() uint32  { return uint32(f.k) }
func (f *atomicBloom) Parts() int      { return 1 }

func (f *atomicBloom) MayContain(key []byte) bool {
	h := hash.XXH64(key, 0)
	step := bits.RotateLeft64(h, -33)
	if step == 0 {
		step = 1
	}
	return probe(f.cells, f.m, f.k, h, step)
}

func (f *atomicBloom) layout() layout {
	return layout{
		form:  []Span{{0, atomicBloomHeader}},
		cells: []Span{{atomicBloomHeader, atomicBloomHeader + uint64(len(f.cells))}},
	}
}
