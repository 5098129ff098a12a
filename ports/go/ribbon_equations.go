package bloomery

import (
	"encoding/binary"
	"math/bits"

	"bloomery/internal/hash"
)

// spread are coefficients as those of the slots of two blocks, of which the window begins in the first.
func spread(low, high, from uint64) (words [4]uint64) {
	n, shift := from/64, from%64
	words[n] = low << shift
	words[n+1] = low>>(64-shift) | high<<shift
	words[n+2] = high >> (64 - shift)
	return words
}

// hurt reports whether a window that begins there reads a damaged byte: of its block, and of the next if it reaches into it.
func (r *ribbonRule) hurt(a *array, l *ribbonLayer, slot uint64) bool {
	if a.damage == nil {
		return false
	}
	block := slot / r.width
	n := r.width / 8 * r.columnsOf(l, block)
	return a.damage.touches(l.at+r.blockAt(l, block), n) || slot%r.width != 0 && a.damage.touches(l.at+r.blockAt(l, block+1), n)
}

// holds reports whether the equations of a key hold in a layer.
func (r *ribbonRule) holds(a *array, l *ribbonLayer, slot, h uint64) bool {
	if r.hurt(a, l, slot) {
		return true
	}
	low, high, print := r.equation(h, r.width)
	block, from, perColumn := slot/r.width, slot%r.width, r.width/64
	c := spread(low, high, from)
	here, next := a.bits[l.at+r.blockAt(l, block):], []byte(nil)
	if from != 0 {
		next = a.bits[l.at+r.blockAt(l, block+1):]
	}
	for j := uint64(0); j < r.columnsOf(l, block); j++ {
		sum := print >> j & 1
		for word := uint64(0); word < perColumn; word++ {
			at := 8 * (j*perColumn + word)
			sum += ones(binary.LittleEndian.Uint64(here[at:]) & c[word])
			if next != nil {
				sum += ones(binary.LittleEndian.Uint64(next[at:]) & c[perColumn+word])
			}
		}
		if sum%2 != 0 {
			return false
		}
	}
	return true
}

func ones(v uint64) uint64 { return uint64(bits.OnesCount64(v)) }

// lastBits are where the window of a column lies in the last layer, as bits of the last part.
func (r *ribbonRule) lastBits(column, start uint64) uint64 {
	if column == r.columns-1 {
		start -= r.lastNarrow // this column begins with the first slot that has it
	}
	return column*r.rest + start
}

// lastWindow is where the window of a key begins in the last layer, and the columns there. Its slots are all, if those are fewer than 64.
func (r *ribbonRule) lastWindow(h uint64) (start, columns, slots uint64) {
	start, columns, slots = hash.MulHi(h, r.lastStarts), r.columns, 64
	if start < r.lastNarrow {
		columns--
	}
	if r.rest < slots {
		slots = r.rest
	}
	return start, columns, slots
}

// holdsLast reports whether the equations of a key hold in the last layer.
func (r *ribbonRule) holdsLast(a *array, h uint64) bool {
	start, columns, slots := r.lastWindow(h)
	for j := uint64(0); r.lastHurt && j < columns; j++ {
		first := r.lastBits(j, start)
		if from, to := first/8, (first+slots-1)/8; a.damage.touches(r.last+from, to-from+1) {
			return true
		}
	}
	c, _, print := r.equation(h, 64)
	for j := uint64(0); j < columns; j++ { // bits are 0 where there is no slot
		if (ones(bitsAt(a.bits[r.last:], r.lastBits(j, start), slots)&c)+print>>j)&1 != 0 {
			return false
		}
	}
	return true
}

// A RibbonEquation is what a key requires in one layer of a ribbon filter.
type RibbonEquation struct {
	Hash         uint64    // of the key in this layer
	Slot         uint64    // where its window begins, counted over the layer
	Columns      uint64    // of the slots there
	Coefficients [2]uint64 // of the slots of the window, the lower 64 first
	Fingerprint  uint64    // the sums that they must have, column by column
}

// RibbonEquationsOf returns the equations of a key, given by its 64 bits, in each layer of a ribbon filter of a shape, as if those before
// it passed the key on; that of the last layer, if there is one, comes last. It is for tests, and for writing another implementation.
func RibbonEquationsOf(s Shape, h uint64) (out []RibbonEquation) {
	r := newRibbonRule(s)
	for i := range r.layers {
		l := &r.layers[i]
		slot := l.slot(h)
		low, high, print := r.equation(h, r.width)
		out = append(out, RibbonEquation{h, slot, r.columnsOf(l, slot/r.width), [2]uint64{low, high}, print})
		h = hash.SplitMix64(h)
	}
	if r.kept || r.rest == 0 {
		return out
	}
	h = hash.SplitMix64(h + r.seed)
	start, columns, slots := r.lastWindow(h)
	c, _, print := r.equation(h, 64)
	return append(out, RibbonEquation{h, start, columns, [2]uint64{c & (1<<slots - 1), 0}, print})
}
