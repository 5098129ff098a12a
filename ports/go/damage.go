package bloomery

import "bloomery/dialect"

// A DamageRule says what a damaged chunk of a container, one whose checksum differs, means to lookups (spec/container.md 4).
type DamageRule string

// No rule allows a false negative because of a damaged byte.
const (
	DamageOnes            DamageRule = "ones"             // every bit of the chunk counts as set: for bits that only insertion sets
	DamagePossiblyPresent DamageRule = "possibly-present" // a lookup that reads a byte of the chunk answers true: for all other cells
	DamageDialect         DamageRule = "dialect"          // as the dialect of foreign bytes says
)

// A damageMap is the set of damaged chunks of a payload; nil is that of an intact one. Filters under DamagePossiblyPresent check it before
// they believe a byte, filters under DamageOnes never need it.
type damageMap struct {
	chunks []uint64 // bit i mod 64 of word i / 64: chunk i
	count  uint64
	length uint64 // of the payload
}

func newDamageMap(length, chunks uint64) *damageMap {
	return &damageMap{chunks: make([]uint64, (chunks+63)/64), length: length}
}

func (d *damageMap) add(chunk uint64) {
	d.chunks[chunk/64] |= 1 << (chunk % 64)
	d.count++
}

func (d *damageMap) has(chunk uint64) bool {
	return d != nil && d.chunks[chunk/64]>>(chunk%64)&1 != 0
}

// touches reports whether any of n bytes of the payload, from at on, lies in a damaged chunk. They must lie in the payload.
func (d *damageMap) touches(at, n uint64) bool {
	if d == nil || n == 0 {
		return false
	}
	for chunk := at / chunkBytes; chunk <= (at+n-1)/chunkBytes; chunk++ {
		if d.has(chunk) {
			return true
		}
	}
	return false
}

// spans are the bytes of damaged chunks, up to the end of the payload, in ascending order.
func (d *damageMap) spans() (spans []dialect.Span) {
	if d == nil {
		return nil
	}
	for from := uint64(0); from < d.length; from += chunkBytes {
		if !d.has(from / chunkBytes) {
			continue
		}
		to := from + chunkBytes
		if to > d.length {
			to = d.length
		}
		spans = append(spans, dialect.Span{From: from, To: to})
	}
	return spans
}
