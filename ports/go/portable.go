package bloomery

import (
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

// portableKind is its row in the table of kinds.
var portableKind = kindRow{
	filter: (*PortableBloom)(nil), make: makePortable, open: openPortable, positions: portablePositions,
}

// A PortableBloom is the filter whose bits and file other programs share (spec/filters.md 1, spec/dialects.md 1): any
// number of bits, double hashing over FNV-1a. Lookups may run concurrently; an insertion needs exclusive access
// (except in AtomicPortable). The zero value is only good for UnmarshalBinary and ReadFrom; it answers true for every key.
type PortableBloom struct {
	bitArray
	steps    uint64 // min(k, m): further positions repeat (spec/filters.md 1.2)
	inverse  uint64 // ceil(2^64 / m), or 0 where halves need no reduction
	promised Promise
}

var portableHasher = NewFNVSplitMix()

// PortableOptions say how large a portable filter is to be: Keys with one of FPR, BitsPerKey and Bytes; or Bits and
// Hashes outright.
type PortableOptions struct {
	Keys       uint64
	FPR        float64
	BitsPerKey float64
	Bytes      uint64
	Bits       uint64
	Hashes     uint32
	Source     Source // what keys are; bytes by default
	Force      bool   // make it even if its rate is far above the requested one, and do not compute that now
}

// MakePortable makes an empty filter. Where the format cannot deliver the requested rate, it refuses (Unattainable)
// if the true rate is above four times as much, unless forced; Promise reports the rate to expect.
func MakePortable(o PortableOptions) (*PortableBloom, error) {
	if err := o.Source.known(); err != nil {
		return nil, err
	}
	given := 0
	for _, set := range [...]bool{o.FPR != 0, o.BitsPerKey != 0, o.Bytes != 0, o.Bits != 0 || o.Hashes != 0} {
		if set {
			given++
		}
	}
	if given != 1 {
		return nil, fault.New(InvalidArgument, "one of FPR, BitsPerKey, Bytes, or Bits with Hashes is needed")
	}
	promised := Promise{Keys: o.Keys}
	var err error
	switch {
	case o.FPR != 0 && o.Force:
		promised.Asked = o.FPR
		promised.Bits, promised.Hashes, err = SizePortableByRate(o.Keys, o.FPR)
	case o.FPR != 0:
		promised, err = PromisePortable(o.Keys, o.FPR)
		if err == nil && promised.Verdict == Refused {
			err = promised.refusal()
		}
	case o.BitsPerKey != 0:
		promised.Bits, promised.Hashes, err = SizePortableByBitsPerKey(o.Keys, o.BitsPerKey)
	case o.Bytes != 0:
		promised.Bits, promised.Hashes, err = SizePortableByMemory(o.Keys, o.Bytes)
	default:
		promised.Bits, promised.Hashes = o.Bits, o.Hashes
	}
	if err != nil {
		return nil, err
	}
	f, err := emptyPortable(promised.Bits, promised.Hashes)
	if err == nil {
		f.asked = o.FPR
		f.promised, f.capacity, f.hasher = promised, promised.Keys, f.hasher.Of(o.Source)
	}
	return f, err
}

func makePortable(s Shape, h Hasher, capacity uint64) (Filter, error) {
	return orNothing(MakePortable(PortableOptions{Bits: s.Units, Hashes: s.Hashes, Keys: capacity, Source: h.source}))
}

// BuildPortable makes a filter of all keys at a rate.
func BuildPortable(keys [][]byte, fpr float64) (*PortableBloom, error) {
	n := uint64(len(keys))
	if n == 0 {
		n = 1
	}
	f, err := MakePortable(PortableOptions{Keys: n, FPR: fpr})
	if err == nil {
		f.InsertMany(keys)
	}
	return f, err
}

func emptyPortable(m uint64, k uint32) (*PortableBloom, error) {
	if m == 0 || k == 0 {
		return nil, fault.New(InvalidArgument, "a filter has at least one bit and one hash")
	}
	if m > maxPortableBits {
		return nil, fault.New(TooLarge, "a portable filter has at most 2^63 bits")
	}
	a, err := newArray(bytesFor(m))
	if err != nil {
		return nil, err
	}
	return portableOf(a, m, k), nil
}

// portableOf makes a filter of an array that fits m.
func portableOf(a array, m uint64, k uint32) *PortableBloom {
	f := &PortableBloom{bitArray: bitArray{array: a, m: m, k: k, hasher: portableHasher}, steps: uint64(k)}
	if f.steps > m {
		f.steps = m
	}
	if m < 1<<32 && m > 1 {
		f.inverse = ^uint64(0)/m + 1
	}
	return f
}

// start returns the first position of a key and the step to the next, both reduced modulo m without a division
// (spec/filters.md 1.3).
func (f *PortableBloom) start(h uint64) (x, step uint64) {
	x, step = h&0xffffffff, h>>32
	if f.m < 1<<32 {
		x, step = hash.MulHi(f.inverse*x, f.m), hash.MulHi(f.inverse*step, f.m)
	}
	return x, step
}

// InsertHash inserts a key by its 64 bits under fnv1a-splitmix.
func (f *PortableBloom) InsertHash(h uint64) {
	x, step := f.start(h)
	back := step - f.m
	for i := f.steps; i > 0; i-- {
		f.bits[x>>3] |= 1 << (x & 7)
		x = advance(x, back, f.m)
	}
	runtime.KeepAlive(f)
}

// hash is the hash of a key of bytes.
func (f *PortableBloom) hash(key []byte) uint64 {
	f.hasher.source.mustBeBytes()
	return hash.FNVSplitMix(key)
}

// Insert inserts a key.
func (f *PortableBloom) Insert(key []byte) { f.InsertHash(f.hash(key)) }

// InsertString inserts a key.
func (f *PortableBloom) InsertString(key string) { f.InsertHash(f.hash(view(key))) }

// InsertIfAbsent inserts a key unless it is possibly present, and returns whether it inserted it.
func (f *PortableBloom) InsertIfAbsent(key []byte) bool {
	return insertIfAbsent(f, f.hash(key))
}

// InsertIfAbsentHash is InsertIfAbsent by the 64 bits of a key.
func (f *PortableBloom) InsertIfAbsentHash(h uint64) bool { return insertIfAbsent(f, h) }

// MayContain answers false only if the key was definitely not inserted.
func (f *PortableBloom) MayContain(key []byte) bool {
	f.hasher.source.mustBeBytes()
	return f.MayContainHash(hash.FNVSplitMix(key))
}

// MayContainString is MayContain for a string. It does not allocate.
func (f *PortableBloom) MayContainString(key string) bool {
	f.hasher.source.mustBeBytes()
	return f.MayContainHash(hash.FNVSplitMix(view(key)))
}

// advance is (x + step) mod m for x < m, given back = step - m: without a branch, which would be guessed wrong every
// other time. x + back is negative, as a signed number, exactly if x + step < m, because m is at most 2^63.
func advance(x, back, m uint64) uint64 {
	x += back
	return x + m&uint64(int64(x)>>63)
}

// MayContainHash is MayContain by the 64 bits of a key. Four positions are looked at before the first decision: they do
// not depend on each other, so that their cache misses overlap and the processor guesses right more often.
func (f *PortableBloom) MayContainHash(h uint64) bool {
	x, step := f.start(h)
	bits, m, i := f.bits, f.m, f.steps
	back := step - m
	for ; i >= 4; i -= 4 {
		hit := bits[x>>3] >> (x & 7)
		x = advance(x, back, m)
		hit &= bits[x>>3] >> (x & 7)
		x = advance(x, back, m)
		hit &= bits[x>>3] >> (x & 7)
		x = advance(x, back, m)
		hit &= bits[x>>3] >> (x & 7)
		x = advance(x, back, m)
		if hit&1 == 0 {
			return false
		}
	}
	hit := byte(1)
	for ; i > 0; i-- {
		hit &= bits[x>>3] >> (x & 7)
		x = advance(x, back, m)
	}
	runtime.KeepAlive(f)
	return hit&1 != 0
}

// Kind returns KindPortable.
func (f *PortableBloom) Kind() Kind { return KindPortable }

// Shape returns the number of hashes and bits.
func (f *PortableBloom) Shape() Shape { return Shape{Hashes: f.k, Units: f.m} }

// Hasher returns the hasher of all portable filters, with the source of this one.
func (f *PortableBloom) Hasher() Hasher { return portableHasher.Of(f.hasher.source) }

// Merge inserts all keys of another filter with as many bits and hashes; others are refused (Incompatible).
func (f *PortableBloom) Merge(other Filter) error { return f.with(other, orInto) }

// Intersect keeps the bits that another filter has too, under the conditions of Merge.
func (f *PortableBloom) Intersect(other Filter) error { return f.with(other, andInto) }

func (f *PortableBloom) with(other Filter, into func(dst, src []byte)) error {
	g, err := sameKind[*PortableBloom](other)
	if err != nil {
		return err
	}
	return f.combine(&g.bitArray, into)
}

func openPortable(i *Info, a array, h Hasher) Filter {
	f := portableOf(a, i.Units, i.Hashes)
	f.promised.Keys, f.capacity, f.hasher = i.Capacity, i.Capacity, h
	return f
}

func portablePositions(s Shape, h uint64) (out []uint64) {
	f := portableOf(array{}, s.Units, s.Hashes)
	x, step := f.start(h)
	for i := uint32(0); i < s.Hashes; i++ {
		out = append(out, x)
		x = advance(x, step-f.m, f.m)
	}
	return out
}
