package bloomery

import (
	"math"
	"math/bits"
)

// isSound reports whether the bytes of a filter that is not damaged are what its fingerprints make, to the bit (spec/filters.md 15.6).
func (q quotientRuns) isSound(payload []byte) bool {
	a := array{bits: payload}
	p := uint64(0) // the first slot that no run uses yet
	for block := uint64(0); block < q.blocks; block++ {
		if n, _ := q.offset(&a, block); n != atMost(saturatedOffset, p-64*block) {
			return false
		}
		for occupied := q.occupieds(payload, block); occupied != 0; occupied &= occupied - 1 {
			quotient := 64*block + uint64(bits.TrailingZeros64(occupied))
			first := p
			if first < quotient {
				first = quotient
			}
			last, s := q.end(&a, first, 1, q.blocks)
			if quotient >= q.quotients || !q.unused(payload, p, first) || s != seen || !q.isRun(payload, first, last) {
				return false
			}
			p = last + 1
		}
		if next := 64 * (block + 1); p < next {
			if !q.unused(payload, p, next) {
				return false
			}
			p = next
		}
	}
	return allZero(payload[q.offsetsAt()+q.blocks:])
}

func atMost(most, n uint64) uint64 {
	if n < most {
		return n
	}
	return most
}

// unused reports whether slots from one to before another hold nothing, and end no run.
func (q quotientRuns) unused(b []byte, from, to uint64) bool {
	for from < to {
		block, mask := from/64, uint64(math.MaxUint64)<<(from%64)
		if from = 64 * (block + 1); from > to {
			mask &= math.MaxUint64 >> (from - to)
		}
		for n := uint64(1); n < q.width+2; n++ {
			if q.word(b, block, n)&mask != 0 {
				return false
			}
		}
	}
	return true
}

// isRun reports whether the values of a run are groups of remainders that ascend, whole, and with counters that have as few digits as
// their copies need (spec/filters.md 15.4).
func (q quotientRuns) isRun(b []byte, first, last uint64) bool {
	more := uint64(1) << (q.width - 1)
	for i, least := first, uint64(0); i <= last; {
		y, equal := q.value(b, i), uint64(1)
		if y < least {
			return false
		}
		least = y + 1
		for i++; equal < 3 && i <= last && q.value(b, i) == y; i++ {
			equal++
		}
		if equal < 3 {
			continue
		}
		copies, digit := equal, more
		for shift := uint64(0); digit >= more; shift += q.width - 1 {
			if i > last {
				return false // the last digit is cut off
			}
			digit = q.value(b, i)
			i++
			if digit == 0 && shift > 0 || !addsUp(&copies, digit&(more-1), shift) {
				return false
			}
		}
	}
	return true
}

// addsUp adds a digit to the copies; not if they become more than there can be.
func addsUp(copies *uint64, digit, shift uint64) bool {
	if digit != 0 && (shift >= 48 || digit > (maxQuotientCopies-*copies)>>shift) {
		return false
	}
	if digit != 0 {
		*copies += digit << shift
	}
	return true
}
