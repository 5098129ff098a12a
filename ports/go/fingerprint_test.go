package bloomery

import (
	"encoding/binary"
	"math"
	"testing"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

// KindFingerprint is a kind that only tests have: 16-bit fingerprints, each in one of two slots. It stands for all kinds that are
// not bits: it has parameters, fills up, erases, and its damaged chunks are under the rule DamagePerhaps.
const KindFingerprint Kind = 250

var fingerprintWidth, fingerprintSalt = Field{"width", 100, 1}, Field{"salt", 104, 4}

var fingerprintKind = kindRow{
	Facts: Facts{
		Kind: KindFingerprint, Name: "fingerprint", Hashers: anyHash, Seed: true, Profiles: []Profile{0}, K: KRange{Min: 2, Max: 2},
		Units: "slots", Max: Limit{"units", 1 << 40}, Payload: "slots", Parameters: []Field{fingerprintWidth, fingerprintSalt},
		Damage: DamagePerhaps,
	},
	filter: (*Fingerprint)(nil), open: openFingerprint, unitBits: func(i *Info) uint64 { return i.Parameters.Get(fingerprintWidth) },
	check: func(i *Info) error {
		if i.Parameters.Get(fingerprintWidth) != 16 {
			return fault.At(Corrupt, fingerprintWidth.Offset, "another width than 16")
		}
		return nil
	},
	make: func(s Shape, h Hasher, capacity uint64) (Filter, error) {
		a, err := newArray(2 * s.Units)
		return &Fingerprint{a, s.Units, s.Parameters.Get(fingerprintSalt), capacity, h}, err
	},
}

// WithFingerprintKind adds the kind to the table for one test.
func WithFingerprintKind(t *testing.T) {
	addKind(&fingerprintKind)
	t.Cleanup(func() { kindTable[KindFingerprint] = nil })
}

// FingerprintShape is so many slots with a salt.
func FingerprintShape(slots, salt uint64) Shape {
	s := Shape{Hashes: 2, Units: slots}
	s.Parameters.Put(fingerprintWidth, 16)
	s.Parameters.Put(fingerprintSalt, salt)
	return s
}

// A Fingerprint filter keeps 16 bits of a key, 0 for none, in slot a or b.
type Fingerprint struct {
	array
	slots, salt, capacity uint64
	hasher                Hasher
}

func openFingerprint(i *Info, a array, h Hasher) Filter {
	return &Fingerprint{a, i.Units, i.Parameters.Get(fingerprintSalt), i.Capacity, h}
}

func (f *Fingerprint) places(h uint64) (a, b uint64, print uint16) {
	h = hash.SplitMix64(h ^ f.salt)
	if print = uint16(h); print == 0 {
		print = 1
	}
	return 2 * hash.MulHi(h, f.slots), 2 * hash.MulHi(hash.SplitMix64(h), f.slots), print
}

func (f *Fingerprint) at(place uint64) uint16 { return binary.LittleEndian.Uint16(f.bits[place:]) }

func (f *Fingerprint) put(place uint64, print uint16) {
	binary.LittleEndian.PutUint16(f.bits[place:], print)
}

func (f *Fingerprint) MayContainHash(h uint64) bool {
	a, b, print := f.places(h)
	return f.damage.touches(a, 2) || f.damage.touches(b, 2) || f.at(a) == print || f.at(b) == print
}

func (f *Fingerprint) mayChangeBoth(a, b uint64) error {
	if err := f.mayChange(a, 2); err != nil {
		return err
	}
	return f.mayChange(b, 2)
}

func (f *Fingerprint) TryInsertHash(h uint64) error {
	a, b, print := f.places(h)
	if err := f.mayChangeBoth(a, b); err != nil {
		return err
	}
	switch {
	case f.at(a) == 0:
		f.put(a, print)
	case f.at(b) == 0:
		f.put(b, print)
	case f.at(a) == print && f.at(b) == print:
		return fault.New(TooManyCopies, "both slots of the key have it")
	default:
		return fault.New(Full, "both slots of the key are taken")
	}
	return nil
}

func (f *Fingerprint) EraseHash(h uint64) error {
	a, b, print := f.places(h)
	if err := f.mayChangeBoth(a, b); err != nil {
		return err
	}
	switch {
	case f.at(b) == print:
		f.put(b, 0)
	case f.at(a) == print:
		f.put(a, 0)
	default:
		return fault.New(NotPresent, "neither slot of the key has it")
	}
	return nil
}

// RealisedFPR is 1 - (1 - p)^2, p being the chance that a slot says yes: a damaged one always, a taken one once in 65535.
func (f *Fingerprint) RealisedFPR() float64 {
	sum := 0.0
	for s := uint64(0); s < f.slots; s++ {
		switch {
		case f.damage.touches(2*s, 2):
			sum++
		case f.at(2*s) != 0:
			sum += 1.0 / 65535
		}
	}
	miss := 1 - sum/float64(f.slots)
	return 1 - miss*miss
}

func (f *Fingerprint) Kind() Kind     { return KindFingerprint }
func (f *Fingerprint) Hasher() Hasher { return f.hasher }
func (f *Fingerprint) Shape() Shape   { return FingerprintShape(f.slots, f.salt) }

func (f *Fingerprint) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }
func (f *Fingerprint) MayContainUint64(x uint64) bool {
	return f.MayContainHash(f.hasher.HashUint64(x))
}
func (f *Fingerprint) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}
func (f *Fingerprint) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}
func (f *Fingerprint) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}
func (f *Fingerprint) TryInsert(key []byte) error { return f.TryInsertHash(f.hasher.Hash(key)) }
func (f *Fingerprint) Erase(key []byte) error     { return f.EraseHash(f.hasher.Hash(key)) }
func (f *Fingerprint) TryInsertManyHashes(hashes []uint64) (int, error) {
	for n, h := range hashes {
		if err := f.TryInsertHash(h); err != nil {
			return n, err
		}
	}
	return len(hashes), nil
}

func (f *Fingerprint) Bits() uint64           { return 16 * f.slots }
func (f *Fingerprint) Hashes() uint32         { return 2 }
func (f *Fingerprint) Capacity() uint64       { return f.capacity }
func (f *Fingerprint) Ones() uint64           { return onesIn(f.bits) }
func (f *Fingerprint) Fill() float64          { return f.EstimatedKeys() / float64(f.slots) }
func (f *Fingerprint) Clear()                 { f.zero() }
func (f *Fingerprint) EstimatedKeys() float64 { return math.NaN() }

func TestDamageMap(t *testing.T) {
	var intact *damageMap
	if intact.touches(0, 1<<20) || intact.has(3) || intact.spans() != nil {
		t.Error("no damage, and yet some")
	}
	d := newDamageMap(70*chunkBytes+10, 71)
	d.add(2)
	d.add(64)
	d.add(70)
	for _, c := range []struct {
		at, n uint64
		want  bool
	}{
		{0, 2 * chunkBytes, false}, {0, 2*chunkBytes + 1, true}, {2 * chunkBytes, 0, false}, {2 * chunkBytes, 1, true},
		{3*chunkBytes - 1, 1, true}, {3 * chunkBytes, 8, false}, {3*chunkBytes - 1, 2, true}, {chunkBytes, 5 * chunkBytes, true},
		{64*chunkBytes - 2, 2, false}, {64*chunkBytes - 2, 4, true}, {70*chunkBytes + 9, 1, true}, {69 * chunkBytes, chunkBytes, false},
	} {
		if got := d.touches(c.at, c.n); got != c.want {
			t.Errorf("%d bytes from %d: %v", c.n, c.at, got)
		}
	}
	spans := d.spans()
	if len(spans) != 3 || spans[0].From != 2*chunkBytes || spans[2].To != 70*chunkBytes+10 || d.count != 3 {
		t.Error(spans)
	}
}
