package bloomery

import (
	"runtime"

	"bloomery/internal/hash"
)

// An AtomicBlock is a BlockBloom that any number of goroutines may insert into and query at once, without locks, under the
// promises of AtomicPortable.
type AtomicBlock struct {
	sharedBits
	rule BlockBloom // without bits
}

// MakeAtomicBlock makes an empty filter, as MakeBlock does.
func MakeAtomicBlock(o BlockOptions) (*AtomicBlock, error) {
	f, err := MakeBlock(o)
	if err != nil {
		return nil, err
	}
	return ShareBlock(f)
}

// ShareBlock copies a filter into one that goroutines can share.
func ShareBlock(f *BlockBloom) (*AtomicBlock, error) {
	s, err := share(&f.array)
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(f)
	a := &AtomicBlock{sharedBits: s, rule: *f}
	a.rule.array = array{damaged: f.damaged, noted: f.noted}
	return a, nil
}

// bit is the place of lane j's bit in the whole array.
func (f *AtomicBlock) bit(h uint64, j int) uint64 {
	at, shift := laneBit(h, j, f.rule.lanes, f.rule.width)
	return hash.MulHi(h, f.rule.count)*f.rule.blockBytes()*8 + 8*uint64(at) + uint64(shift)
}

// InsertHash inserts a key by its 64 bits under the filter's hasher.
func (f *AtomicBlock) InsertHash(h uint64) {
	for line := 0; line < f.rule.lines; line++ {
		for j := 0; j < f.rule.lanes; j++ {
			f.set(f.bit(h, j))
		}
		h = hash.SplitMix64(h)
	}
	runtime.KeepAlive(f)
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *AtomicBlock) MayContainHash(h uint64) bool {
	hit := true
	for line := 0; line < f.rule.lines && hit; line++ {
		for j := 0; j < f.rule.lanes && hit; j++ {
			hit = f.test(f.bit(h, j))
		}
		h = hash.SplitMix64(h)
	}
	runtime.KeepAlive(f)
	return hit
}

// Insert inserts a key.
func (f *AtomicBlock) Insert(key []byte) { f.InsertHash(f.rule.hasher.Hash(key)) }

// InsertString inserts a key.
func (f *AtomicBlock) InsertString(key string) { f.InsertHash(f.rule.hasher.HashString(key)) }

// MayContain answers false only if the key was definitely not inserted.
func (f *AtomicBlock) MayContain(key []byte) bool { return f.MayContainHash(f.rule.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *AtomicBlock) MayContainString(key string) bool {
	return f.MayContainHash(f.rule.hasher.HashString(key))
}

// Snapshot copies the filter into one that can be written, measured and merged, while others go on inserting. It has every
// key whose insertion had returned when it began.
func (f *AtomicBlock) Snapshot() (*BlockBloom, error) {
	a, err := f.snapshot()
	if err != nil {
		return nil, err
	}
	a.damaged, a.noted = f.rule.damaged, f.rule.noted
	s := f.rule
	s.array = a
	return &s, nil
}
