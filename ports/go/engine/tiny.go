package engine

import (
	"encoding/binary"
	"math"
	"math/bits"

	"bloomery/internal/hash"
)

// Tiny filters (spec/tiny_filter.md): sets of tens to thousands of keys in bare bytes with a tail of five, for engines that keep a
// filter for every few kilobytes of data, as LevelDB does. A key is an equation over the bits of at most 56 neighbouring slots, of
// which so many systems as there are columns are stored side by side: rate 2^-columns, 1.0 to 1.05 slots per key.
// Building takes some 150 ns per key. "Definitely not" is answered only by bytes whose checksum is right, so a lookup of an absent key
// reads the whole filter.

// The bounds of the number of columns.
const (
	MinColumns = 1
	MaxColumns = 27
)

const (
	tinySeeds  = 8
	markOfNone = 224 // LevelDB's numbers of hashes are 0 to 30: three bits of every mark differ from them
	widest     = 56  // slots of a window
	tinyTail   = 5   // seed, checksum and mark
)

// tinyShape is what the bytes of a tiny filter say.
type tinyShape struct {
	columns, seed int
	slots         int
	window        int // the slots that a key's equation covers
}

func newShape(columns, seed, cells int) tinyShape {
	s := tinyShape{columns, seed, 8 * cells / columns, widest}
	if s.slots < widest {
		s.window = s.slots
	}
	return s
}

// tinyShapeOf is no columns where the bytes are not a tiny filter.
func tinyShapeOf(filter []byte) tinyShape {
	if len(filter) <= tinyTail {
		return tinyShape{}
	}
	columns, cells := int(filter[len(filter)-1])-markOfNone, len(filter)-tinyTail
	if columns < MinColumns || columns > MaxColumns || 8*cells < columns {
		return tinyShape{}
	}
	return newShape(columns, int(filter[cells])%tinySeeds, cells)
}

// check is the four bytes behind the columns: the seed in the lowest three bits, a checksum above.
func (s tinyShape) check(cells []byte) uint32 {
	sum := uint32(hash.XXH3(cells, 0)) + 0x9e3779b1*uint32(tinySeeds*s.columns+s.seed)
	return sum&^(tinySeeds-1) | uint32(s.seed)
}

// isIntact is whether the bytes are as they were written.
func (s tinyShape) isIntact(filter []byte) bool {
	cells := len(filter) - tinyTail
	return s.columns != 0 && s.check(filter[:cells]) == binary.LittleEndian.Uint32(filter[cells:])
}

// equation is what must hold for a key: the parity of the slots of row, from slot start of each column on, is bit c of answer in
// column c.
func (s tinyShape) equation(h uint64) (row uint64, start int, answer uint32) {
	x := hash.Fmix64(h + uint64(s.seed)*0x9e3779b97f4a7c15)
	y := x * 0xbf58476d1ce4e5b9
	starts := uint64(s.slots - s.window + 1)
	return (y ^ y>>32) & (1<<uint(s.window) - 1), int(x >> 32 * starts >> 32), uint32(x * 0x94d049bb133111eb >> 37)
}

// MayContainTiny answers false only if the key was definitely not added: true for every key where the bytes are no tiny filter, or not
// as they were written.
func MayContainTiny(filter, key []byte) bool {
	s := tinyShapeOf(filter)
	if s.columns == 0 {
		return true
	}
	row, at, answer := s.equation(hasher.Hash(key))
	c := 0
	// Four columns at a time: an absent key passes them once in 16 times, and how it fails need not be guessed.
	for ; c+4 <= s.columns; c += 4 {
		differ := (parity(wordAt(filter, at)&row) ^ answer) |
			(parity(wordAt(filter, at+s.slots)&row) ^ answer>>1) |
			(parity(wordAt(filter, at+2*s.slots)&row) ^ answer>>2) |
			(parity(wordAt(filter, at+3*s.slots)&row) ^ answer>>3)
		if differ&1 != 0 {
			return !s.isIntact(filter)
		}
		at += 4 * s.slots
		answer >>= 4
	}
	for ; c < s.columns; c++ {
		if (parity(wordAt(filter, at)&row)^answer)&1 != 0 {
			return !s.isIntact(filter)
		}
		at += s.slots
		answer >>= 1
	}
	return true
}

// parity is in the lowest bit.
func parity(word uint64) uint32 { return uint32(bits.OnesCount64(word)) }

// wordAt is the bits from bit on, at least 57 of them, as a little-endian number; what lies behind the filter's end is 0.
func wordAt(filter []byte, bit int) uint64 {
	at, shift := bit/8, uint(bit%8)
	if at+8 <= len(filter) {
		return binary.LittleEndian.Uint64(filter[at:]) >> shift
	}
	var word [8]byte
	copy(word[:], filter[at:])
	return binary.LittleEndian.Uint64(word[:]) >> shift
}

// TinyRate is the rate of a tiny filter, 2^-columns; 1 where the bytes are none, or not as they were written.
func TinyRate(filter []byte) float64 {
	s := tinyShapeOf(filter)
	if !s.isIntact(filter) {
		return 1
	}
	return 1 / float64(uint64(1)<<uint(s.columns))
}

// TinyColumnsWithin is the most columns that a filter of so many distinct keys has in so many bytes, unless its equations need a
// second size, which is rare; 0 where that is not one.
func TinyColumnsWithin(keys, bytes int) int {
	if keys <= 0 || bytes <= tinyTail {
		return 0
	}
	return atMost(8*(bytes-tinyTail)/slotsFor(keys), MaxColumns)
}

func atMost(n, bound int) int {
	if n > bound {
		return bound
	}
	return n
}

// A TinyWriter collects the keys of one tiny filter after another.
type TinyWriter struct {
	columns func(keys int) (columns, bytes int)
	hashes  []uint64
	rows    []uint64
	answers []uint32
}

// NewTinyWriter makes filters of so many columns; what is outside MinColumns and MaxColumns counts as the nearer bound.
func NewTinyWriter(columns int) *TinyWriter {
	return NewTinyWriterFor(func(int) (int, int) { return columns, math.MaxInt32 })
}

// NewTinyWriterFor makes filters whose number of columns depends on that of their keys. If a filter takes more than so many bytes, as
// its equations needed a second size, it has one column fewer.
func NewTinyWriterFor(columns func(keys int) (columns, bytes int)) *TinyWriter {
	return &TinyWriter{columns: columns}
}

// Add takes a key. Versions of a key that follow each other count once.
func (w *TinyWriter) Add(key []byte) {
	h := hasher.Hash(key)
	if n := len(w.hashes); n == 0 || w.hashes[n-1] != h {
		w.hashes = append(w.hashes, h)
	}
}

// Bytes is the filter of the keys added since the last call, which are forgotten; nil where there are none, or where no equations of
// any size can be solved, which only keys that were chosen for it can bring about.
func (w *TinyWriter) Bytes() (filter []byte, keys int) {
	keys = len(w.hashes)
	defer func() { w.hashes = w.hashes[:0] }()
	if keys == 0 {
		return nil, 0
	}
	columns, bytes := w.columns(keys)
	columns = atMost(max1(columns), MaxColumns)
	if filter = w.build(columns); len(filter) > bytes && columns > MinColumns {
		filter = w.build(columns - 1)
	}
	return filter, keys
}

func (w *TinyWriter) build(columns int) (filter []byte) {
	first := slotsFor(len(w.hashes))
	for wanted := first; wanted <= 2*first+128; {
		cells := (columns*wanted + 7) / 8
		for seed := 0; seed < tinySeeds; seed++ {
			s := newShape(columns, seed, cells)
			if w.eliminate(s) {
				filter = make([]byte, cells+tinyTail)
				w.substitute(s, filter)
				binary.LittleEndian.PutUint32(filter[cells:], s.check(filter[:cells]))
				filter[cells+4] = byte(markOfNone + columns)
				return filter
			}
		}
		slots := 8 * cells / columns
		wanted = slots + max1(slots/64)
	}
	return nil
}

func max1(n int) int {
	if n < 1 {
		return 1
	}
	return n
}

// slotsFor is the slots that so many equations need, more as the windows become a smaller part of them.
func slotsFor(keys int) int {
	if keys <= widest {
		return keys
	}
	return keys + (keys-40)*(bits.Len(uint(keys))+3)/400
}

// eliminate brings the equations into echelon form, where row i is 0 or begins at slot i, and reports whether no key contradicts
// those before it.
func (w *TinyWriter) eliminate(s tinyShape) bool {
	if cap(w.rows) < s.slots {
		w.rows, w.answers = make([]uint64, s.slots), make([]uint32, s.slots)
	} else {
		w.rows, w.answers = w.rows[:s.slots], w.answers[:s.slots]
	}
	for i := range w.rows {
		w.rows[i] = 0
	}
	for _, h := range w.hashes {
		row, start, answer := s.equation(h)
		for slot := start; ; {
			if row == 0 {
				if answer != 0 {
					return false
				}
				break
			}
			zeros := bits.TrailingZeros64(row)
			slot += zeros
			row >>= uint(zeros)
			if w.rows[slot] == 0 {
				w.rows[slot], w.answers[slot] = row, answer
				break
			}
			row ^= w.rows[slot]
			answer ^= w.answers[slot]
		}
	}
	return true
}

// substitute solves the equations from the last slot to the first; slots that no row begins at are 0.
func (w *TinyWriter) substitute(s tinyShape, filter []byte) {
	for c := 0; c < s.columns; c++ {
		behind := uint64(0) // the slots from this one on
		for i := len(w.rows) - 1; i >= 0; i-- {
			behind <<= 1
			if row := w.rows[i]; row != 0 {
				behind |= uint64(bits.OnesCount64(behind&row)&1) ^ uint64(w.answers[i]>>uint(c)&1)
			}
			bit := c*s.slots + i
			filter[bit/8] |= byte(behind&1) << uint(bit%8)
		}
	}
}
