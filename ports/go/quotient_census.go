package bloomery

import (
	"math"
	"math/bits"
)

// A quotientFollower goes through the blocks of quotients one by one, and finds all runs of each. Where bytes are damaged, those that
// are left need not fit together; every slot is read once all the same.
type quotientFollower struct {
	quotientRuns
	a      *array
	free   uint64 // the first slot that runs of earlier blocks do not use, if it is known
	known  bool
	done   uint64    // where the last run that was found ends: none begins before it
	intact uint64    // the blocks before it, from the one that is looked at on, are not damaged
	barren [2]uint64 // between these slots no run ends
	found  []quotientRun
}

type quotientRun struct{ quotient, first, last uint64 }

// in finds the runs of a block, and returns how many of its quotients have one that cannot be followed without a damaged byte. Of a
// block that is damaged itself none can.
func (f *quotientFollower) in(block uint64) (lost uint64) {
	f.found = f.found[:0]
	if f.hurt(f.a, block, block) {
		f.known = false
		return atMost(64, f.quotients-64*block)
	}
	if f.intact <= block {
		f.intact = block + 1
	}
	f.begin(block)
	for occupied := f.occupieds(f.a.bits, block); occupied != 0; occupied &= occupied - 1 {
		quotient := 64*block + uint64(bits.TrailingZeros64(occupied))
		f.known = f.known && f.one(quotient)
		if !f.known && quotient < f.quotients {
			lost++
		}
	}
	return lost
}

// begin finds where the runs of a block begin: by its offset or, if that is saturated, where those of the block before ended.
func (f *quotientFollower) begin(block uint64) {
	if block == 0 {
		f.free, f.known = 0, true
		return
	}
	switch n, ok := f.offset(f.a, block); {
	case !ok:
		f.known = false
	case n != saturatedOffset:
		f.free, f.known = 64*block+n, true
	case f.free < 64*block:
		f.free = 64 * block
	}
}

// one finds the run of a quotient from the first slot that is free; it returns false if it does not see all of it.
func (f *quotientFollower) one(quotient uint64) bool {
	r := quotientRun{quotient: quotient, first: f.free}
	if r.first < quotient {
		r.first = quotient
	}
	if r.first < f.done || f.barren[0] <= r.first && r.first < f.barren[1] {
		return false
	}
	var s sight
	if r.last, s = f.end(f.a, r.first, 1); s != seen {
		f.barren = [2]uint64{r.first, r.last}
		return false
	}
	for ; f.intact <= r.last/64; f.intact++ {
		if f.hurt(f.a, f.intact, f.intact) {
			return false
		}
	}
	f.found = append(f.found, r)
	f.free, f.done = r.last+1, r.last+1
	return true
}

// follow hands out all runs that can be followed, until yield returns false, and returns how many quotients have one that cannot.
func (q quotientRuns) follow(a *array, yield func(r quotientRun) bool) (lost uint64) {
	f := quotientFollower{quotientRuns: q, a: a}
	for block := uint64(0); block < q.homes(); block++ {
		lost += f.in(block)
		for _, r := range f.found {
			if r.quotient < q.quotients && !yield(r) {
				return lost
			}
		}
	}
	return lost
}

// list hands out fingerprints and their copies.
func (q quotientRuns) list(a *array, yield func(fingerprint, copies uint64) bool) {
	q.follow(a, func(r quotientRun) (more bool) {
		q.groups(a.bits, r.first, r.last, func(remainder, copies uint64) bool {
			more = yield(r.quotient<<q.width|remainder, copies)
			return more
		})
		return more
	})
}

// A quotientCensus is what all runs together show (spec/model.md 15).
type quotientCensus struct {
	fingerprints, slots uint64  // different ones; in use
	copies              float64 // of all fingerprints
	lost                float64 // the share of the quotients for which a lookup reads a damaged byte
}

func (q quotientRuns) census(a *array) (c quotientCensus) {
	lost := q.follow(a, func(r quotientRun) bool {
		c.slots += r.last - r.first + 1
		q.groups(a.bits, r.first, r.last, func(_, copies uint64) bool {
			c.fingerprints++
			c.copies += float64(copies)
			return true
		})
		return true
	})
	c.lost = float64(lost) / float64(q.quotients)
	return c
}

func (q quotientRuns) keys(a *array) float64 {
	c := q.census(a)
	if c.lost == 1 {
		return math.Inf(1)
	}
	return c.copies / (1 - c.lost)
}

// fill counts what is lost as filled like the rest.
func (q quotientRuns) fill(a *array) float64 {
	c := q.census(a)
	if c.lost == 1 {
		return 1
	}
	return math.Min(1, float64(c.slots)/(1-c.lost)/float64(q.quotients))
}

func (q quotientRuns) realised(a *array) float64 {
	c := q.census(a)
	return math.Min(1, c.lost+float64(c.fingerprints)/float64(q.quotients<<q.width))
}
