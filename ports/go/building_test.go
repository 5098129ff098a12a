package bloomery

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"bloomery/internal/hash"
)

// Builders of the kinds that are built of all keys at once, for tests: plain elimination, whatever it costs.

// distinct sorts hashes, each once.
func distinct(hashes []uint64) (out []uint64) {
	sorted := append([]uint64(nil), hashes...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
	for i, h := range sorted {
		if i == 0 || h != sorted[i-1] {
			out = append(out, h)
		}
	}
	return out
}

// A sparse system of equations: sets of unknowns, with the exclusive or that they must have.
type system struct {
	rows map[int]*equation // by the first unknown
}

type equation struct {
	set   []uint64 // unknown i: bit i mod 64 of word i / 64
	value uint64
}

// add reports whether the equation can be true together with those before.
func (s *system) add(e *equation) bool {
	for word := range e.set {
		for e.set[word] != 0 {
			first := 64*word + bits.TrailingZeros64(e.set[word])
			row := s.rows[first]
			if row == nil {
				s.rows[first] = e
				return true
			}
			for i := range row.set {
				e.set[i] ^= row.set[i]
			}
			e.value ^= row.value
		}
	}
	return e.value == 0
}

// solve gives the unknowns that no equation determines the value 0.
func (s *system) solve(unknowns int) []uint64 {
	x := make([]uint64, unknowns)
	for first := unknowns - 1; first >= 0; first-- {
		row := s.rows[first]
		if row == nil {
			continue
		}
		v := row.value
		for word, w := range row.set {
			for ; w != 0; w &= w - 1 {
				if i := 64*word + bits.TrailingZeros64(w); i != first {
					v ^= x[i]
				}
			}
		}
		x[first] = v
	}
	return x
}

// build makes the payload of a fuse or xor filter, and returns the hashes that found a place. The smallest go to the residue.
func (s *slots) build(payload []byte, hashes []uint64) (went []uint64) {
	fill(payload, 0)
	all := distinct(hashes)
	if uint64(len(all)) < s.residue {
		return nil
	}
	for n, h := range all[:s.residue] {
		binary.LittleEndian.PutUint64(payload[s.residueAt()+8*uint64(n):], h)
	}
	went = append(went, all[:s.residue]...)
	of := map[uint64][]uint64{}
	for _, h := range all[s.residue:] {
		of[s.shard(h)] = append(of[s.shard(h)], h)
	}
	for shard := uint64(0); shard < s.shards && s.shardSlots > 0; shard++ {
		went = append(went, s.buildShard(payload, shard, of[shard], byte(101*shard+1))...)
	}
	return went
}

func (s *slots) buildShard(payload []byte, shard uint64, hashes []uint64, round byte) (went []uint64) {
	sys := system{map[int]*equation{}}
	for _, h := range hashes {
		print, at := s.of(h, round)
		e := &equation{make([]uint64, (s.shardSlots+63)/64), print}
		for _, slot := range at[:s.perKey()] {
			slot -= shard * s.shardSlots
			e.set[slot/64] ^= 1 << (slot % 64)
		}
		if sys.add(e) {
			went = append(went, h)
		}
	}
	payload[s.roundsAt()+shard] = round
	for slot, v := range sys.solve(int(s.shardSlots)) {
		putBits(payload, (shard*s.shardSlots+uint64(slot))*s.width, s.width, v)
	}
	return went
}

// putBits sets bits that are 0, one by one.
func putBits(b []byte, from, n, v uint64) {
	for j := uint64(0); j < n; j++ {
		b[(from+j)/8] |= byte(v>>j&1) << ((from + j) % 8)
	}
}

// A band is a system of windows, by their first slot. An equation that depends on others is refused.
type band struct {
	rows map[uint64]bandRow
}

type bandRow struct{ low, high, print uint64 }

// add returns where the equation went.
func (b *band) add(slot uint64, e bandRow) (at uint64, ok bool) {
	for e.low|e.high != 0 {
		for e.low&1 == 0 {
			e.low, e.high, slot = e.low>>1|e.high<<63, e.high>>1, slot+1
		}
		row, taken := b.rows[slot]
		if !taken {
			b.rows[slot] = e
			return slot, true
		}
		e.low, e.high, e.print = e.low^row.low, e.high^row.high, e.print^row.print
	}
	return 0, false
}

func (b *band) solve(slots uint64) []uint64 {
	x := make([]uint64, slots)
	for slot := slots; slot > 0; slot-- {
		row := b.rows[slot-1]
		v := row.print
		for j := uint64(1); j < 128 && row.low|row.high != 0; j++ {
			if row.low, row.high = row.low>>1|row.high<<63, row.high>>1; row.low&1 != 0 {
				v ^= x[slot-1+j]
			}
		}
		x[slot-1] = v
	}
	return x
}

// A ribbonKey is a key in a layer.
type ribbonKey struct {
	first   uint64 // its hash in the first layer
	h, slot uint64
	wide    bool
	bandRow
}

// solveKeys solves the equations of all keys, or of those that have the last column.
func solveKeys(keys []ribbonKey, slots uint64, wideOnly bool) []uint64 {
	b := band{map[uint64]bandRow{}}
	for _, k := range keys {
		if k.wide || !wideOnly {
			if _, ok := b.add(k.slot, k.bandRow); !ok {
				panic("equations that were independent are not")
			}
		}
	}
	return b.solve(slots)
}

// buildRibbon makes a filter of the shape of another, and returns the hashes that found a place. Buckets begin with thresholds of all
// sizes, so that keys are passed on however few there are; what is left is solved in the last layer, or kept if that has no slots.
func buildRibbon(f *Ribbon, hashes []uint64) (*Ribbon, []uint64) {
	shape := f.shape
	r := newRibbonRule(shape)
	payload := make([]byte, r.last)
	var went []uint64
	var left []ribbonKey
	for _, h := range distinct(hashes) {
		left = append(left, ribbonKey{first: h, h: h})
	}
	for i := range r.layers {
		var in []ribbonKey
		in, left = r.buildLayer(payload, &r.layers[i], left)
		went = append(went, firsts(in)...)
	}
	if r.rest == 0 && len(left) > 0 {
		shape.Parameters.Put(ribbonKept, 1)
		shape.Parameters.Put(ribbonRest, uint64(len(left)))
		sort.Slice(left, func(i, j int) bool { return left[i].h < left[j].h })
		for _, k := range left {
			payload = binary.LittleEndian.AppendUint64(payload, k.h)
		}
		went = append(went, firsts(left)...)
	} else if r.rest > 0 {
		payload = append(payload, make([]byte, r.size-r.last)...)
		r.seed = 77
		shape.Parameters.Put(ribbonSeed, r.seed)
		went = append(went, firsts(r.buildLast(payload[r.last:], left))...)
	}
	i := Info{Kind: KindRibbon, Hashes: shape.Hashes, Units: shape.Units, Capacity: f.capacity, Parameters: shape.Parameters}
	return openRibbon(&i, array{bits: payload}, f.hasher).(*Ribbon), went
}

func firsts(keys []ribbonKey) (hashes []uint64) {
	for _, k := range keys {
		hashes = append(hashes, k.first)
	}
	return hashes
}

// buildLayer returns the keys that it holds, and those that it passes on, with their next hashes.
func (r *ribbonRule) buildLayer(payload []byte, l *ribbonLayer, keys []ribbonKey) (in, next []ribbonKey) {
	buckets := make([][]ribbonKey, l.buckets)
	for _, k := range keys {
		k.slot = l.slot(k.h)
		k.low, k.high, k.print = r.equation(k.h, r.width)
		k.wide = r.columnsOf(l, k.slot/r.width) == r.columns
		buckets[k.slot/r.bucketSlots] = append(buckets[k.slot/r.bucketSlots], k)
	}
	b := band{map[uint64]bandRow{}}
	for n, keys := range buckets {
		t := (n + 2) % 3
		taken, passed, ok := r.tryBucket(&b, keys, r.limits[t])
		for ; !ok; taken, passed, ok = r.tryBucket(&b, keys, r.limits[t]) {
			t++ // the last threshold passes all
		}
		in = append(in, taken...)
		for _, k := range passed {
			next = append(next, ribbonKey{first: k.first, h: hash.SplitMix64(k.h)})
		}
		bucket := l.bucket + uint64(n)
		payload[r.thresholds+bucket/4] |= byte(t) << (bucket % 4 * 2)
	}
	all, wide := solveKeys(in, l.buckets*r.bucketSlots, false), solveKeys(in, l.buckets*r.bucketSlots, true)
	for slot := range all {
		block, at := uint64(slot)/r.width, uint64(slot)%r.width
		for j := uint64(0); j < r.columnsOf(l, block); j++ {
			v := all[slot]
			if j == r.columns-1 {
				v = wide[slot]
			}
			putBits(payload[l.at+r.blockAt(l, block):], j*r.width+at, 1, v>>j&1)
		}
	}
	return in, next
}

// tryBucket adds the keys of a bucket that are not left of a limit, or none.
func (r *ribbonRule) tryBucket(b *band, keys []ribbonKey, limit uint64) (taken, passed []ribbonKey, ok bool) {
	var undo []uint64
	for _, k := range keys {
		if k.slot%r.bucketSlots < limit {
			passed = append(passed, k)
			continue
		}
		at, ok := b.add(k.slot, k.bandRow)
		if !ok {
			for _, at := range undo {
				delete(b.rows, at)
			}
			return nil, nil, false
		}
		undo, taken = append(undo, at), append(taken, k)
	}
	return taken, passed, true
}

// buildLast returns the keys that found a place.
func (r *ribbonRule) buildLast(payload []byte, keys []ribbonKey) (in []ribbonKey) {
	b := band{map[uint64]bandRow{}}
	for _, k := range keys {
		h := hash.SplitMix64(k.h + r.seed)
		start, columns, slots := r.lastWindow(h)
		k.slot, k.wide = start, columns == r.columns
		k.low, _, k.print = r.equation(h, 64)
		k.low &= 1<<slots - 1
		if _, ok := b.add(k.slot, k.bandRow); ok {
			in = append(in, k)
		}
	}
	all, wide := solveKeys(in, r.rest, false), solveKeys(in, r.rest, true)
	for slot := uint64(0); slot < r.rest; slot++ {
		for j := uint64(0); j+1 < r.columns; j++ {
			putBits(payload, j*r.rest+slot, 1, all[slot]>>j&1)
		}
		if slot >= r.lastNarrow {
			putBits(payload, (r.columns-1)*r.rest+slot-r.lastNarrow, 1, wide[slot]>>(r.columns-1)&1)
		}
	}
	return in
}
