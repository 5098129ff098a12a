package bloomery

import (
	"runtime"

	"bloomery/internal/hash"
)

// An AtomicPartitioned is a PartitionedBloom that any number of goroutines may insert into and query at once, without locks, under
// the promises of AtomicPortable.
type AtomicPartitioned struct {
	sharedBits
	rule PartitionedBloom // without bits
}

// MakeAtomicPartitioned makes an empty filter, as MakePartitioned does.
func MakeAtomicPartitioned(o PartitionedOptions) (*AtomicPartitioned, error) {
	f, err := MakePartitioned(o)
	if err != nil {
		return nil, err
	}
	return SharePartitioned(f)
}

// SharePartitioned copies a filter into one that goroutines can share.
func SharePartitioned(f *PartitionedBloom) (*AtomicPartitioned, error) {
	s, err := share(&f.array)
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(f)
	a := &AtomicPartitioned{sharedBits: s, rule: *f}
	a.rule.array = array{damaged: f.damaged, noted: f.noted}
	return a, nil
}

// InsertHash inserts a key by its 64 bits under the filter's hasher.
func (f *AtomicPartitioned) InsertHash(h uint64) {
	x := h | 1
	for from := uint64(0); from < f.rule.m; from += f.rule.slice {
		x *= bloomStep
		f.set(from + hash.MulHi(x, f.rule.slice))
	}
	runtime.KeepAlive(f)
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *AtomicPartitioned) MayContainHash(h uint64) bool {
	x := h | 1
	hit := true
	for from := uint64(0); from < f.rule.m && hit; from += f.rule.slice {
		x *= bloomStep
		hit = f.test(from + hash.MulHi(x, f.rule.slice))
	}
	runtime.KeepAlive(f)
	return hit
}

// Insert inserts a key.
func (f *AtomicPartitioned) Insert(key []byte) { f.InsertHash(f.rule.hasher.Hash(key)) }

// InsertString inserts a key.
func (f *AtomicPartitioned) InsertString(key string) { f.InsertHash(f.rule.hasher.HashString(key)) }

// MayContain answers false only if the key was definitely not inserted.
func (f *AtomicPartitioned) MayContain(key []byte) bool {
	return f.MayContainHash(f.rule.hasher.Hash(key))
}

// MayContainString is MayContain for a string. It does not allocate.
func (f *AtomicPartitioned) MayContainString(key string) bool {
	return f.MayContainHash(f.rule.hasher.HashString(key))
}

// Snapshot copies the filter into one that can be written, measured and merged, while others go on inserting. It has every
// key whose insertion had returned when it began.
func (f *AtomicPartitioned) Snapshot() (*PartitionedBloom, error) {
	a, err := f.snapshot()
	if err != nil {
		return nil, err
	}
	a.damaged, a.noted = f.rule.damaged, f.rule.noted
	s := f.rule
	s.array = a
	return &s, nil
}
