package bloomery

import (
	"encoding/binary"
	"math"
	"math/bits"

	"bloomery/internal/hash"
)

// quotientRuns are the rule of quotient filters: all remainders of one quotient lie side by side, as a run, at the slot that has the
// number of the quotient or behind it.
type quotientRuns struct {
	width     uint64 // bits of a remainder
	quotients uint64
	blocks    uint64 // of 64 slots
}

func newQuotientRuns(s Shape) quotientRuns {
	return quotientRuns{uint64(s.Hashes), s.Units, s.Parameters.Get(quotientBlocks)}
}

func (q quotientRuns) blockBytes() uint64 { return 8 * (q.width + 2) }
func (q quotientRuns) offsetsAt() uint64  { return q.blocks * q.blockBytes() }
func (q quotientRuns) size() uint64       { return q.offsetsAt() + (q.blocks+7)/8*8 }

// homes is the number of blocks that have a quotient.
func (q quotientRuns) homes() uint64 { return (q.quotients-1)/quotientSlotsOfBlock + 1 }

// of is the fingerprint of a key, its quotient and its remainder.
func (q quotientRuns) of(h uint64) (fingerprint, quotient, remainder uint64) {
	fingerprint = hash.MulHi(h, q.quotients<<q.width)
	return fingerprint, fingerprint >> q.width, fingerprint & (1<<q.width - 1)
}

// word is one of the integers of a block: occupieds, runends, then a column for each bit of the values.
func (q quotientRuns) word(b []byte, block, n uint64) uint64 {
	return binary.LittleEndian.Uint64(b[block*q.blockBytes()+8*n:])
}

func (q quotientRuns) occupieds(b []byte, block uint64) uint64 { return q.word(b, block, 0) }
func (q quotientRuns) runends(b []byte, block uint64) uint64   { return q.word(b, block, 1) }

// value is what a slot holds.
func (q quotientRuns) value(b []byte, slot uint64) (v uint64) {
	for j := uint64(0); j < q.width; j++ {
		v |= q.word(b, slot/64, 2+j) >> (slot % 64) & 1 << j
	}
	return v
}

// hurt reports whether one of the blocks from first to last has a byte in a damaged chunk.
func (q quotientRuns) hurt(a *array, first, last uint64) bool {
	return a.damage != nil && a.damage.touches(first*q.blockBytes(), (last-first+1)*q.blockBytes())
}

// offset is that of a block; not ok if it is damaged.
func (q quotientRuns) offset(a *array, block uint64) (n uint64, ok bool) {
	at := q.offsetsAt() + block
	if a.damage.touches(at, 1) {
		return 0, false
	}
	return uint64(a.bits[at]), true
}

// What a lookup goes through, whatever the bytes are (spec/filters.md 15.5).
const (
	maxLookupBlocks = 4096
	maxLookupRun    = 1024 // slots
)

// endOf is the block at which a lookup ends that began with a block.
func (q quotientRuns) endOf(from uint64) uint64 { return atMost(q.blocks, from+maxLookupBlocks) }

// A sight is what is seen of a run, or of a slot that is looked for.
type sight int

const (
	noRun   sight = iota
	seen          // and where it lies
	hidden        // a byte that tells it is damaged
	missing       // it would lie behind the last slot, or farther than a lookup goes
)

// end is the n-th slot from a slot on that is the last of a run, in a block before another. If it is not seen, the slot is where the
// search ended.
func (q quotientRuns) end(a *array, from uint64, n int, before uint64) (slot uint64, s sight) {
	for block := from / 64; block < before; block++ {
		if q.hurt(a, block, block) {
			return 64 * block, hidden
		}
		ends := q.runends(a.bits, block)
		if block == from/64 {
			ends &= math.MaxUint64 << (from % 64)
		}
		if found := bits.OnesCount64(ends); found < n {
			n -= found
			continue
		}
		for ; n > 1; n-- {
			ends &= ends - 1
		}
		return 64*block + uint64(bits.TrailingZeros64(ends)), seen
	}
	return 64 * before, missing
}

// run finds the run of a quotient, by the steps of spec/filters.md 15.5 and 15.8.
func (q quotientRuns) run(a *array, quotient uint64) (first, last uint64, s sight) {
	home := quotient / 64
	if q.hurt(a, home, home) {
		return 0, 0, hidden
	}
	upTo := q.occupieds(a.bits, home) << (63 - quotient%64) // those after it are gone, its own is the highest
	if upTo>>63 == 0 {
		return 0, 0, noRun
	}
	from, free, s := q.firstFree(a, home)
	if s != seen {
		return 0, 0, s
	}
	if before := bits.OnesCount64(upTo) - 1; before > 0 {
		if free, s = q.end(a, free, before, q.endOf(from)); s != seen {
			return 0, 0, s
		}
		free++
	}
	first = free
	if first < quotient {
		first = quotient
	}
	if last, s = q.end(a, first, 1, q.endOf(from)); s == seen && last-first >= maxLookupRun {
		s = missing
	}
	if s == seen && q.hurt(a, from, last/64) {
		s = hidden
	}
	return first, last, s
}

// firstFree is the first slot that runs of earlier blocks do not use, and the block from which on it was found: an offset that is
// saturated tells nothing, and an earlier one is followed from there.
func (q quotientRuns) firstFree(a *array, home uint64) (from, slot uint64, s sight) {
	for from = home; from > 0; from-- {
		n, ok := q.offset(a, from)
		if !ok {
			return 0, 0, hidden
		}
		if n != saturatedOffset {
			slot = 64*from + n
			break
		}
		if home-from == maxLookupBlocks-1 {
			return 0, 0, missing
		}
	}
	for block := from; block < home; block++ {
		if q.hurt(a, block, block) {
			return 0, 0, hidden
		}
		if n := bits.OnesCount64(q.occupieds(a.bits, block)); n > 0 {
			if slot, s = q.end(a, slot, n, q.endOf(from)); s != seen {
				return 0, 0, s
			}
			slot++
		}
		if slot < 64*(block+1) {
			slot = 64 * (block + 1)
		}
	}
	return from, slot, seen
}

// holds reports whether a run has a remainder. It is defined for any values: what follows three equal ones are the digits of a count.
func (q quotientRuns) holds(b []byte, first, last, remainder uint64) bool {
	more := uint64(1) << (q.width - 1) // in a digit: another follows
	for i := first; i <= last; {
		y, equal := q.value(b, i), 1
		if y == remainder {
			return true
		}
		for i++; equal < 3 && i <= last && q.value(b, i) == y; i++ {
			equal++
		}
		for digits := equal == 3; digits && i <= last; i++ {
			digits = q.value(b, i) >= more
		}
	}
	return false
}

func (q *quotientRuns) mayContain(a *array, h uint64) bool {
	_, quotient, remainder := q.of(h)
	switch first, last, s := q.run(a, quotient); s {
	case noRun:
		return false
	case seen:
		return q.holds(a.bits, first, last, remainder)
	}
	return true // a byte is damaged, or the bytes are not such as a writer makes
}
