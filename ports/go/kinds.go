package bloomery

import "bloomery/internal/fault"

// A Kind is the number of a kind of filter in containers. Numbers are never reused.
type Kind uint8

// The kinds of spec/container.md 3.
const (
	KindPortable   Kind = 1
	KindBlock      Kind = 2
	KindSplitBlock Kind = 3
	KindBloom      Kind = 4
	KindForeign    Kind = 128 // another system's bytes
	KindPacked     Kind = 129 // many small filters
)

// A kindRow is all that the rest of the package knows of a kind. check refuses a header that contradicts the kind; open makes
// the filter of a header that was checked and an array as long as it says; positions are the bits of a key. The last two
// are nil where a container does not hold a Filter.
type kindRow struct {
	name      string
	check     func(*Info) error
	open      func(*Info, array, Hasher) Filter
	positions func(shape, uint64) []uint64
}

// kindTable has every kind that containers hold. A new kind is a file of its own, like bloom.go, and a row here.
func kindTable(k Kind) (row kindRow, ok bool) {
	switch k {
	case KindPortable:
		return kindRow{"portable", checkPortable, openPortable, portablePositions}, true
	case KindBlock:
		return kindRow{"block", checkBlock, openBlock, blockPositions}, true
	case KindSplitBlock:
		return kindRow{"split-block", checkSplitBlock, openSplitBlock, splitBlockPositions}, true
	case KindBloom:
		return kindRow{"bloom", checkBloom, openBloom, bloomPositions}, true
	case KindForeign:
		return kindRow{"foreign", checkForeign, nil, nil}, true
	case KindPacked:
		return kindRow{"packed", checkPacked, nil, nil}, true
	}
	return kindRow{}, false
}

// String returns the name of the kind.
func (k Kind) String() string {
	if row, ok := kindTable(k); ok {
		return row.name
	}
	return "unknown"
}

// fits is what a kind says of its header's fields, in the order in which they are blamed.
type fits struct{ hash, seed, profile, hashes, units, payload bool }

func (f fits) check() error {
	switch {
	case !f.hash:
		return fault.At(Corrupt, 16, "another hash than the kind has")
	case !f.seed:
		return fault.At(Corrupt, 32, "a seed where there is none")
	case !f.profile:
		return fault.At(Corrupt, 11, "a profile that the kind does not have")
	case !f.hashes:
		return fault.At(Corrupt, 20, "a number of hashes that the kind does not have")
	case !f.units:
		return fault.At(Corrupt, 24, "impossible number of units")
	case !f.payload:
		return fault.At(Corrupt, 80, "the payload's length contradicts its units")
	}
	return nil
}

// seedFits tells whether the seed is 0 where the hash takes none.
func (i *Info) seedFits() bool {
	return i.Seed == 0 || i.Hash == XXH3 || i.Hash == XXH64
}
