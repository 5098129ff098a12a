package bloomery

import (
	"encoding/binary"
	"runtime"
)

// A lookup is how filters of a kind that is only read answer. It returns true if a byte that it needs is damaged.
type lookup interface {
	mayContain(a *array, h uint64) bool
}

// A ReadOnly filter is one of a kind that other programs make: every kind but the five Bloom filters that this package fills. It comes
// out of a container, answers lookups, and is written again as it was read. Its kind decides what it holds (spec/filters.md); rates,
// copies of keys and lists of fingerprints are not offered here.
type ReadOnly struct {
	array
	kind     Kind
	shape    Shape
	capacity uint64
	hasher   Hasher
	lookup   lookup
}

func (r *kindRow) openReadOnly(i *Info, a array, h Hasher) Filter {
	s := shapeOf(i)
	return &ReadOnly{a, i.Kind, s, i.Capacity, h, r.lookup(s, &a)}
}

// shapeOf is the shape that a header has.
func shapeOf(i *Info) Shape {
	return Shape{Profile: i.Profile, Hashes: i.Hashes, Units: i.Units, Parameters: i.Parameters}
}

// MayContainHash answers false only if the key with these 64 bits is definitely not present.
func (f *ReadOnly) MayContainHash(h uint64) bool {
	hit := f.lookup.mayContain(&f.array, h)
	runtime.KeepAlive(f)
	return hit
}

// MayContain answers false only if the key is definitely not present.
func (f *ReadOnly) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *ReadOnly) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}

// MayContainUint64 answers false only if the integer is definitely not present.
func (f *ReadOnly) MayContainUint64(x uint64) bool {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	return f.MayContainHash(v)
}

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *ReadOnly) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *ReadOnly) MayContainManyHashes(hashes []uint64, out []bool) int {
	out = out[:len(hashes)]
	n, l := 0, f.lookup
	for i, h := range hashes {
		hit := l.mayContain(&f.array, h)
		out[i] = hit
		if hit {
			n++
		}
	}
	runtime.KeepAlive(f)
	return n
}

// Kind returns the kind of the filter.
func (f *ReadOnly) Kind() Kind { return f.kind }

// Hasher returns the hasher that makes keys of bytes.
func (f *ReadOnly) Hasher() Hasher { return f.hasher }

// Shape returns profile, hashes, units and parameters, as containers have them.
func (f *ReadOnly) Shape() Shape { return f.shape }

// Bits returns the number of bits of all units or, where units are not all that the array has, of all its bytes.
func (f *ReadOnly) Bits() uint64 {
	row := rowOf(f.kind)
	switch {
	case row.unitBits != nil:
		return f.shape.Units * row.unitBits(&Info{Profile: f.shape.Profile, Hashes: f.shape.Hashes, Parameters: f.shape.Parameters})
	case row.Payload == "slots":
		return f.shape.Units * uint64(f.shape.Hashes)
	}
	return 8 * uint64(len(f.bits))
}

// Hashes returns what containers keep as the number of hashes: of kinds that compare fingerprints, the bits of one.
func (f *ReadOnly) Hashes() uint32 { return f.shape.Hashes }

// Capacity returns the number of keys the filter was sized for; 0 if that is not known.
func (f *ReadOnly) Capacity() uint64 { return f.capacity }

// Ones returns the number of set bits of the array.
func (f *ReadOnly) Ones() uint64 {
	bits := 8 * uint64(len(f.bits))
	if rowOf(f.kind).unitBits != nil {
		bits = f.Bits()
	}
	n := onesBelow(f.bits, bits)
	runtime.KeepAlive(f)
	return n
}

// Clone returns a copy that shares no memory with f.
func (f *ReadOnly) Clone() (*ReadOnly, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// String returns a short description.
func (f *ReadOnly) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *ReadOnly) GoString() string { return "bloomery.ReadOnly(" + f.String() + ")" }

// bitsAt is n bits, at most 64, of an array from a bit on; those after its end are 0.
func bitsAt(b []byte, from, n uint64) uint64 {
	var near [16]byte
	copy(near[:], b[from/8:])
	shift := from % 8
	v := binary.LittleEndian.Uint64(near[:])>>shift | binary.LittleEndian.Uint64(near[8:])<<1<<(63-shift)
	return v & (1<<n - 1)
}

// isAmong searches n hashes of 8 bytes. Where they do not ascend, the steps of the search decide (spec/filters.md 9.3 and 10.3).
func isAmong(b []byte, n, h uint64) bool {
	at := func(i uint64) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	low, high := uint64(0), n
	for low < high {
		if mid := (low + high) / 2; at(mid) < h {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < n && at(low) == h
}
