package bloomery

import "math"

// The rate of a ribbon filter follows from its thresholds and its shape: all places where a window may begin are equally likely
// (spec/model.md 10).

// ribbonPlaces counts the places of a layer by what becomes of a key there.
type ribbonPlaces struct {
	passed uint64 // it is in the next layer
	narrow uint64 // equations of a column less
	wide   uint64
	hurt   uint64 // possibly present, because of damage
}

func (r *ribbonRule) places(a *array, l *ribbonLayer) (n ribbonPlaces) {
	for first := uint64(0); first < l.buckets*r.bucketSlots; first += r.bucketSlots {
		end := l.starts - first%l.segmentSlots // of the segment
		if end > r.bucketSlots {
			end = r.bucketSlots
		}
		limit, hurt := r.limit(a, l.bucket+first/r.bucketSlots)
		if hurt {
			n.hurt += end
			continue
		}
		if limit > end {
			limit = end
		}
		n.passed += limit
		for at := first + limit; at < first+end; {
			next := at - at%r.width + r.width
			if next > first+end {
				next = first + end
			}
			r.taken(a, l, at, next, &n)
			at = next
		}
	}
	return n
}

// taken counts the places of one block from at up to end, of which the first may read less than the others.
func (r *ribbonRule) taken(a *array, l *ribbonLayer, at, end uint64, n *ribbonPlaces) {
	good := &n.wide
	if at/r.width < l.narrow {
		good = &n.narrow
	}
	count := func(slot, places uint64) {
		if r.hurt(a, l, slot) {
			n.hurt += places
		} else {
			*good += places
		}
	}
	count(at, 1)
	if at+1 < end {
		count(at+1, end-at-1)
	}
}

func (r *ribbonRule) realised(a *array) float64 {
	wide := math.Exp2(-float64(r.columns))
	narrow := 2 * wide
	reach, rate := 1.0, 0.0
	for i := range r.layers {
		l := &r.layers[i]
		n, all := r.places(a, l), float64(l.segments)*float64(l.starts)
		rate += reach * (float64(n.narrow)*narrow + float64(n.wide)*wide + float64(n.hurt)) / all
		reach *= float64(n.passed) / all
	}
	switch {
	case r.lastHurt:
		rate += reach
	case r.rest > 0 && !r.kept:
		share := float64(r.lastNarrow) / float64(r.lastStarts)
		rate += reach * (share*narrow + (1-share)*wide)
	}
	return math.Min(1, rate+r.keys(a)/math.Exp2(64))
}

// keys is the number of slots, and of hashes: at most half a percent more than keys, where there are many.
func (r *ribbonRule) keys(*array) float64 {
	n := float64(r.rest)
	for _, l := range r.layers {
		n += float64(l.buckets * r.bucketSlots)
	}
	return n
}

func (r *ribbonRule) fill(a *array) float64 { return math.Min(1, r.keys(a)) }
