package bloomery

import (
	"math"
	"runtime"

	"bloomery/internal/fault"
)

const (
	minRemainderBits     = 2
	maxFingerprints      = 1 << 60 // quotients times remainders
	maxQuotientWords     = 1 << 42 // blocks, times their words and one more
	maxQuotientCopies    = 1<<48 - 1
	saturatedOffset      = 255
	quotientSlotsOfBlock = 64
)

var quotientIdentity, quotientBlocks = Field{"identity", 100, 8}, Field{"blocks", 108, 8}

// quotientKind is its row in the table of kinds.
var quotientKind = kindRow{
	Facts: Facts{
		Kind: KindQuotient, Name: "quotient", Hashers: anyHash, Seed: true, Profiles: []Profile{0},
		K: KRange{Min: minRemainderBits, Max: maxFingerprintBits}, Units: "quotients",
		Max: Limit{"units", maxFingerprints >> minRemainderBits}, Payload: "quotient",
		Parameters: []Field{quotientIdentity, quotientBlocks}, Damage: DamagePerhaps,
	},
	filter: (*Quotient)(nil), open: openQuotient, positions: quotientPositions, check: checkQuotient,
	unitsFit:    func(i *Info) bool { return 1 <= i.Units && i.Units <= maxFingerprints>>i.Hashes },
	payloadFits: func(i *Info) bool { return i.PayloadLength == newQuotientRuns(shapeOf(i)).size() },
	isSound:     func(i *Info, payload []byte) bool { return newQuotientRuns(shapeOf(i)).isSound(payload) },
}

// A Quotient filter keeps a fingerprint of each key, in ascending order, with the number of its copies (spec/filters.md 15). It comes
// out of a container, and is read here: keys are inserted, erased, merged and doubled by the program that made it.
type Quotient struct {
	readOnly
	runs quotientRuns
}

func openQuotient(i *Info, a array, h Hasher) Filter {
	q := newQuotientRuns(shapeOf(i))
	return &Quotient{openReadOnly(i, a, h, q), q}
}

// checkQuotient refuses a number of blocks that cannot be.
func checkQuotient(i *Info) error {
	blocks := i.Parameters.Get(quotientBlocks)
	if blocks < newQuotientRuns(shapeOf(i)).homes() || blocks > maxQuotientWords/uint64(i.Hashes+3) {
		return fault.At(Corrupt, quotientBlocks.Offset, "an impossible number of blocks")
	}
	return nil
}

// CountHash is Count by the 64 bits of a key.
func (f *Quotient) CountHash(h uint64) uint64 {
	n := f.runs.count(&f.array, h)
	runtime.KeepAlive(f)
	return n
}

// Count returns how many copies of a key there are, or more; 2^64 - 1 if that is not known, because its part of the filter is damaged.
func (f *Quotient) Count(key []byte) uint64 { return f.CountHash(f.hasher.Hash(key)) }

// Range hands out the fingerprints, each once, in ascending order, until yield returns false. That of a key is the upper part of the
// product of its 64 bits and Fingerprints(). What damage hides is left out.
func (f *Quotient) Range(yield func(fingerprint uint64) bool) {
	f.RangeCounts(func(fingerprint, _ uint64) bool { return yield(fingerprint) })
}

// RangeCounts is Range with the number of copies of each.
func (f *Quotient) RangeCounts(yield func(fingerprint, copies uint64) bool) {
	f.runs.list(&f.array, yield)
	runtime.KeepAlive(f)
}

// Fingerprints returns how many different fingerprints there are.
func (f *Quotient) Fingerprints() uint64 { return f.runs.quotients << f.runs.width }

// Quotients returns the number of quotients.
func (f *Quotient) Quotients() uint64 { return f.runs.quotients }

// RemainderBits returns the bits of a remainder.
func (f *Quotient) RemainderBits() uint32 { return f.Hashes() }

// SlotsInUse returns the number of slots that runs take. What damage hides is left out.
func (f *Quotient) SlotsInUse() uint64 {
	n := f.runs.census(&f.array).slots
	runtime.KeepAlive(f)
	return n
}

// Identity returns the number that its maker chose to tell filters of one shape apart; 0 if none.
func (f *Quotient) Identity() uint64 { return f.shape.Parameters.Get(quotientIdentity) }

// ExpectedFPR returns the rate of a filter of this shape that holds n keys.
func (f *Quotient) ExpectedFPR(n uint64) float64 {
	return -math.Expm1(float64(n) * math.Log1p(-1/float64(f.Fingerprints())))
}

// Clone returns a copy that shares no memory with f.
func (f *Quotient) Clone() (*Quotient, error) {
	b, err := f.cloned()
	if err != nil {
		return nil, err
	}
	return &Quotient{b, f.runs}, nil
}

// String returns a short description.
func (f *Quotient) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Quotient) GoString() string { return "bloomery.Quotient(" + f.String() + ")" }

// quotientPositions are the fingerprint of a key, its quotient and its remainder.
func quotientPositions(s Shape, h uint64) []uint64 {
	f, quotient, remainder := newQuotientRuns(s).of(h)
	return []uint64{f, quotient, remainder}
}
