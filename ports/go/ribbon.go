package bloomery

import (
	"math/bits"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	maxRibbonLastSlots = 8192
	ribbonLayers       = 4 // at most
	ribbonMix128       = 0xd6e8feb86659fd93
)

var (
	ribbonWidth   = parameter(KindRibbon, "width")
	ribbonSeed    = parameter(KindRibbon, "seed")
	ribbonKept    = parameter(KindRibbon, "kept")
	ribbonBuckets = [ribbonLayers - 1]Field{
		parameter(KindRibbon, "buckets_1"), parameter(KindRibbon, "buckets_2"), parameter(KindRibbon, "buckets_3"),
	}
	ribbonNarrow = parameter(KindRibbon, "narrow")
	ribbonRest   = parameter(KindRibbon, "rest")
)

// ribbonKind is its row in the table of kinds.
var ribbonKind = kindRow{
	lookup: newRibbon, check: checkRibbon, number: "columns",
	unitsFit:    func(i *Info) bool { return i.Units <= factsOf(KindRibbon).Max.N },
	payloadFits: func(i *Info) bool { return i.PayloadLength == newRibbonRule(shapeOf(i)).size },
}

// newRibbon is the rule of a filter that is the solution of linear equations, one for each bit of each key's fingerprint, over slots in
// a window of 64 or 128 (spec/filters.md 9). Such filters are the smallest, and built of all keys at once.
func newRibbon(s Shape, a *array) lookup {
	r := newRibbonRule(s)
	r.lastHurt = a.damage.touches(r.last, r.size-r.last)
	return r
}

// checkRibbon refuses parameters that cannot be, in the order of spec/container.md 8.
func checkRibbon(i *Info) error {
	p := &i.Parameters
	width, kept, rest := p.Get(ribbonWidth), p.Get(ribbonKept), p.Get(ribbonRest)
	switch {
	case width != 64 && width != 128:
		return fault.At(Corrupt, ribbonWidth.Offset, "a window of an impossible width")
	case p.Get(ribbonSeed) != 0 && (rest == 0 || kept == 1):
		return fault.At(Corrupt, ribbonSeed.Offset, "a seed of a layer that is not there")
	case kept > 1 || kept == 1 && rest == 0:
		return fault.At(Corrupt, ribbonKept.Offset, "an impossible form of the last part")
	}
	of := ribbonForms[width == 128]
	at, before := 24, uint64(1)
	for n, buckets := range ribbonBucketsOf(shapeOf(i)) {
		if buckets%of.segments(buckets) != 0 || buckets > 0 && before == 0 {
			return fault.At(Corrupt, at, "impossible number of buckets")
		}
		before = buckets
		if n < len(ribbonBuckets) {
			at = ribbonBuckets[n].Offset
		}
	}
	switch {
	case p.Get(ribbonNarrow) != 0 && i.Hashes == 1:
		return fault.At(Corrupt, ribbonNarrow.Offset, "slots without columns")
	case kept == 0 && rest > maxRibbonLastSlots:
		return fault.At(Corrupt, ribbonRest.Offset, "a last layer that is too large")
	}
	return nil
}

// ribbonBucketsOf are the buckets of each layer.
func ribbonBucketsOf(s Shape) (b [ribbonLayers]uint64) {
	b[0] = s.Units
	for n, f := range ribbonBuckets {
		b[n+1] = s.Parameters.Get(f)
	}
	return b
}

// A ribbonForm is what the width of a window determines.
type ribbonForm struct {
	width          uint64
	bucketSlots    uint64
	segmentBuckets uint64    // at least
	limits         [4]uint64 // by the threshold of a bucket: keys left of it are in the next layer
}

// ribbonForms are those of 64 and of 128 slots.
var ribbonForms = map[bool]*ribbonForm{
	false: {64, 128, 512, [4]uint64{0, 16, 40, 128}},
	true:  {128, 512, 256, [4]uint64{0, 40, 96, 512}},
}

// segments is how many segments a layer has.
func (of *ribbonForm) segments(buckets uint64) uint64 {
	if n := buckets / of.segmentBuckets; n > 0 {
		return n
	}
	return 1
}

// A ribbonLayer is where the slots of a layer lie.
type ribbonLayer struct {
	at           uint64 // in the payload
	bucket       uint64 // the number of its first bucket, among those of all layers
	segments     uint64
	segmentSlots uint64
	starts       uint64 // places of a segment where a window may begin
	narrow       uint64 // its first blocks, with a column less
	buckets      uint64
}

// A ribbonRule is the layout of a ribbon filter: its layers, the thresholds of their buckets, and the last part.
type ribbonRule struct {
	*ribbonForm
	columns    uint64
	layers     []ribbonLayer
	thresholds uint64 // where they begin in the payload
	last       uint64 // where the last part begins
	size       uint64

	rest       uint64 // slots of the last layer, or hashes
	kept       bool   // hashes
	seed       uint64
	lastStarts uint64
	lastNarrow uint64 // its first slots, with a column less
	lastHurt   bool   // a byte of the last part is damaged
}

func newRibbonRule(s Shape) *ribbonRule {
	p := &s.Parameters
	r := &ribbonRule{
		ribbonForm: ribbonForms[p.Get(ribbonWidth) == 128], columns: uint64(s.Hashes), rest: p.Get(ribbonRest), kept: p.Get(ribbonKept) != 0,
		seed: p.Get(ribbonSeed), lastStarts: 1,
	}
	// of starts, those in blocks or slots with a column less
	share := func(starts uint64) uint64 {
		high, low := bits.Mul64(starts, p.Get(ribbonNarrow))
		return high<<32 | low>>32
	}
	buckets := uint64(0)
	for _, b := range ribbonBucketsOf(s) {
		if b == 0 {
			break
		}
		l := ribbonLayer{at: r.thresholds, bucket: buckets, segments: r.segments(b), buckets: b}
		l.segmentSlots = b / l.segments * r.bucketSlots
		l.starts = l.segmentSlots - r.width + 1
		l.narrow = share(l.segments*l.starts) / r.width
		r.layers = append(r.layers, l)
		r.thresholds = l.at + r.blockAt(&l, b*r.bucketSlots/r.width)
		buckets += b
	}
	r.last = r.thresholds + (buckets+3)/4
	if r.kept {
		r.size = r.last + 8*r.rest
		return r
	}
	if r.rest >= 64 {
		r.lastStarts = r.rest - 63
	}
	r.lastNarrow = share(r.lastStarts)
	r.size = r.last + bytesFor(r.columns*r.rest-r.lastNarrow)
	return r
}

// blockAt is where a block begins in its layer.
func (r *ribbonRule) blockAt(l *ribbonLayer, block uint64) uint64 {
	narrow := block
	if narrow > l.narrow {
		narrow = l.narrow
	}
	return r.width / 8 * (block*r.columns - narrow)
}

// columnsOf is the columns of a block.
func (r *ribbonRule) columnsOf(l *ribbonLayer, block uint64) uint64 {
	if block < l.narrow {
		return r.columns - 1
	}
	return r.columns
}

// equation is what a key requires: the slots of its window whose bits in low and high are set add up to the fingerprint.
func (r *ribbonRule) equation(h, width uint64) (low, high, print uint64) {
	g := h * cuckooStep
	g ^= g >> 32
	high, low = bits.Mul64(g, bloomStep)
	if width == 128 {
		print = (g ^ g>>29) * ribbonMix128 >> 32
	} else {
		high, print = 0, high
	}
	return low | 1, high, print & (1<<r.columns - 1)
}

// slot is where the window of a key begins in a layer.
func (l *ribbonLayer) slot(h uint64) uint64 {
	segment, rest := bits.Mul64(h, l.segments)
	return segment*l.segmentSlots + hash.MulHi(rest, l.starts)
}

// limit is how many places at the left of a bucket are in the next layer; hurt: that is not known.
func (r *ribbonRule) limit(a *array, bucket uint64) (limit uint64, hurt bool) {
	at := r.thresholds + bucket/4
	if a.damage.touches(at, 1) {
		return 0, true
	}
	return r.limits[a.bits[at]>>(bucket%4*2)&3], false
}

func (r *ribbonRule) mayContain(a *array, h uint64) bool {
	for i := range r.layers {
		l := &r.layers[i]
		slot := l.slot(h)
		limit, hurt := r.limit(a, l.bucket+slot/r.bucketSlots)
		if hurt || slot%r.bucketSlots >= limit {
			return hurt || r.holds(a, l, slot, h)
		}
		h = hash.SplitMix64(h)
	}
	switch {
	case r.rest == 0:
		return false
	case r.kept:
		return r.lastHurt || isAmong(a.bits[r.last:], r.rest, h)
	}
	return r.holdsLast(a, hash.SplitMix64(h+r.seed))
}
