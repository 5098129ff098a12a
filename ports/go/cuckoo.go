package bloomery

import (
	"encoding/binary"

	"bloomery/internal/hash"
)

const (
	cuckooSlots = 4
	cuckooStep  = 0x9e3779b97f4a7c15
)

// cuckooKind is its row in the table of kinds.
var cuckooKind = kindRow{
	lookup: newCuckoo, positions: cuckooPositions, number: "bits per tag",
	unitsFit: func(i *Info) bool { return i.Units%2 == 0 },
}

// A cuckoo filter keeps a tag of some bits of each key, in one of two buckets (spec/filters.md 7).
type cuckoo struct {
	buckets uint64
	tagBits uint32
}

func newCuckoo(s Shape, _ *array) lookup { return &cuckoo{s.Units, s.Hashes} }

// tags is how many different tags there are.
func (c *cuckoo) tags() uint64 { return 1<<c.tagBits - 1 }

// places are the tag of a key and its two buckets, which are never the same.
func (c *cuckoo) places(h uint64) (tag, first, second uint64) {
	tag = 1 + hash.MulHi(h*cuckooStep, c.tags())
	first = hash.MulHi(h, c.buckets)
	return tag, first, c.other(first, tag)
}

// other is the second bucket of a tag that has this one.
func (c *cuckoo) other(bucket, tag uint64) uint64 {
	x := tag * bloomStep
	x = (x ^ x>>32) * cuckooStep
	d := 2*hash.MulHi(x, c.buckets/2) + 1
	if bucket <= d {
		return d - bucket
	}
	return d + c.buckets - bucket
}

// span is the bytes that a bucket lies in, and the bit of the first where it begins: 0 or 4.
func (c *cuckoo) span(bucket uint64) (at, n uint64, shift uint) {
	width := uint64(c.tagBits)
	at, shift = bucket*width/2, uint(bucket&width&1)*4
	return at, (uint64(shift) + cuckooSlots*width + 7) / 8, shift
}

// wordAt is the 8 bytes from a place on; those after the array are 0.
func wordAt(b []byte, at uint64) uint64 {
	if at+8 <= uint64(len(b)) {
		return binary.LittleEndian.Uint64(b[at:])
	}
	var last [8]byte
	if at < uint64(len(b)) {
		copy(last[:], b[at:])
	}
	return binary.LittleEndian.Uint64(last[:])
}

// holds reports whether a slot of a bucket has a tag; it counts a damaged bucket as one that does.
func (c *cuckoo) holds(a *array, bucket, tag uint64) bool {
	at, n, shift := c.span(bucket)
	if a.damage != nil && a.damage.touches(at, n) {
		return true
	}
	low, high := wordAt(a.bits, at), uint64(0)
	if n > 8 {
		high = wordAt(a.bits, at+8)
	}
	low, high = low>>shift|high<<1<<(63-shift), high>>shift
	width, mask := uint(c.tagBits), c.tags()
	upper := low>>(2*width) | high<<(64-2*width)
	return low&mask == tag || low>>width&mask == tag || upper&mask == tag || upper>>width&mask == tag
}

func (c *cuckoo) mayContain(a *array, h uint64) bool {
	tag, first, second := c.places(h)
	return c.holds(a, first, tag) || c.holds(a, second, tag)
}

// cuckooPositions are the tag of a key and its two buckets.
func cuckooPositions(s Shape, h uint64) []uint64 {
	tag, first, second := (&cuckoo{s.Units, s.Hashes}).places(h)
	return []uint64{tag, first, second}
}
