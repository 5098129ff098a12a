package bloomery

import "bloomery/internal/fault"

// A Filter answers whether a key is possibly present or definitely not. It has no false negatives; only kinds that forget old keys by
// design (Facts.Forgets) may deny a key that was inserted. These are the methods that every kind has; those of only some kinds (Inserter,
// Merger, Rated and so on) come with As. Lookups may run concurrently; a call that changes a filter needs exclusive access.
type Filter interface {
	Kind() Kind
	Hasher() Hasher
	Shape() Shape

	MayContain(key []byte) bool
	MayContainString(key string) bool
	MayContainUint64(x uint64) bool // of a filter of integers
	MayContainHash(h uint64) bool
	MayContainMany(keys [][]byte, out []bool) int
	MayContainManyHashes(hashes []uint64, out []bool) int

	Bits() uint64        // of the whole array
	Hashes() uint32      // k: cells that a key has
	SizeInBytes() uint64 // of the array
	Capacity() uint64    // keys it was sized for; 0: not known
	Ones() uint64        // set bits of the array

	Close() error

	// contents are the bytes of the filter. The method keeps other packages from adding kinds, whose numbers are the
	// specification's to give.
	contents() *array
}

// A Shape is the size of a filter, as the header of a container has it.
type Shape struct {
	Profile    Profile // of kinds of blocks
	Hashes     uint32  // k; kinds of blocks take it from the profile
	Units      uint64  // what they are, bits or blocks, is Facts.Units of the kind
	Parameters Parameters
}

// Make makes an empty filter of a kind and shape. The zero Hasher, also after Of, stands for the kind's default.
func Make(kind Kind, s Shape, h Hasher, capacity uint64) (Filter, error) {
	row := rowOf(kind)
	if row == nil || row.make == nil {
		return nil, fault.New(Unsupported, "filters of the kind "+kind.String()+" cannot be made empty")
	}
	if h.Of(Bytes) != (Hasher{}) && !row.hasherFits(h.ID(), h.Seed()) {
		return nil, fault.New(InvalidArgument, "a "+row.Name+" filter does not take that hasher")
	}
	return row.make(s, h, capacity)
}

// orNothing makes a typed nil an untyped one.
func orNothing[F Filter](f F, err error) (Filter, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (a *array) contents() *array { return a }

func countMany(look func(uint64) bool, hashes []uint64, out []bool) int {
	out = out[:len(hashes)]
	n := 0
	for i, h := range hashes {
		hit := look(h)
		out[i] = hit
		if hit {
			n++
		}
	}
	return n
}

// insertIfAbsent inserts a key unless it is possibly present. For kinds of bits that is all there is to do: a key that is
// possibly present has all its bits.
func insertIfAbsent(f interface {
	MayContainHash(uint64) bool
	InsertHash(uint64)
}, h uint64) bool {
	if f.MayContainHash(h) {
		return false
	}
	f.InsertHash(h)
	return true
}
