package bloomery

import "bloomery/internal/fault"

const (
	maxFingerprints      = 1 << 60 // quotients times remainders
	maxQuotientWords     = 1 << 42 // blocks, times their words and one more
	maxQuotientCopies    = 1<<48 - 1
	saturatedOffset      = 255
	quotientSlotsOfBlock = 64
)

var quotientBlocks = parameter(KindQuotient, "blocks")

// quotientKind is its row in the table of kinds.
var quotientKind = kindRow{
	lookup: newQuotient, positions: quotientPositions, check: checkQuotient, number: "bits per remainder",
	unitsFit:    func(i *Info) bool { return 1 <= i.Units && i.Units <= maxFingerprints>>i.Hashes },
	payloadFits: func(i *Info) bool { return i.PayloadLength == newQuotientRuns(shapeOf(i)).size() },
	isSound:     func(i *Info, payload []byte) bool { return newQuotientRuns(shapeOf(i)).isSound(payload) },
}

// newQuotient is the rule of a filter that keeps a fingerprint of each key, in ascending order, with the number of its copies
// (spec/filters.md 15).
func newQuotient(s Shape, _ *array) lookup {
	q := newQuotientRuns(s)
	return &q
}

// checkQuotient refuses a number of blocks that cannot be.
func checkQuotient(i *Info) error {
	blocks := i.Parameters.Get(quotientBlocks)
	if blocks < newQuotientRuns(shapeOf(i)).homes() || blocks > maxQuotientWords/uint64(i.Hashes+3) {
		return fault.At(Corrupt, quotientBlocks.Offset, "an impossible number of blocks")
	}
	return nil
}

// quotientPositions are the fingerprint of a key, its quotient and its remainder.
func quotientPositions(s Shape, h uint64) []uint64 {
	f, quotient, remainder := newQuotientRuns(s).of(h)
	return []uint64{f, quotient, remainder}
}
