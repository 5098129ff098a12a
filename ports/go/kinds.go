package bloomery

import (
	"encoding/binary"

	"bloomery/internal/fault"
	"bloomery/internal/model"
)

// A Kind is the number of a kind of filter in containers. Numbers are never reused.
type Kind uint8

// The table of kinds: kinds_table.go is made from spec/kinds.json, each row stands in the file of its kind. It is filled here, not by an
// initializer: rows name functions that read the table.
func init() {
	for n, row := range kindRows {
		row.Facts = kindFacts[n]
		addKind(row)
	}
}

// Facts are what the specification says of a kind (spec/kinds.json). The slices are shared: they must not be written to.
type Facts struct {
	Kind       Kind
	Name       string
	Hashers    []HashID   // hashes that its keys may have
	Seed       bool       // whether they may have a seed, those that take one
	Profiles   []Profile  // what the header's profile may be
	K          KRange     // number of hashes
	Units      string     // what the header's units count, such as bits or blocks; "none": nothing
	Max        Limit      // of the units
	Payload    string     // how the payload's length follows, such as from bits or blocks; "file": another system's
	Parameters []Field    // what lies in the header's parameters
	Damage     DamageRule // what a damaged chunk means
	Sentinels  bool       // whether its files carry sentinels
	Keys       bool       // whether its files carry the number of distinct keys
	Forgets    bool       // whether it keeps recent keys only: then a key that it denies may have been inserted
	Built      bool       // whether it is built of all its keys at once
	Can        []string   // calls that this package has beside those of Filter, by the names of spec/kinds.json
}

// A KRange is the smallest and the largest number of hashes of a kind, where the profile does not decide. The zero KRange is that of a kind
// without hashes.
type KRange struct {
	Min, Max  uint32
	ByProfile bool
}

// A Limit is the largest size of a kind: so many units, bits, or bytes of payload. N is 0 where only the length of the file
// bounds it.
type Limit struct {
	Of string // "units", "bits" or "payload"
	N  uint64
}

// Parameters are bytes 100 .. 123 of the header: what a kind needs beyond profile, k and units.
type Parameters [parameterBytes]byte

// A Field is a little-endian number in the parameters.
type Field struct {
	Name   string
	Offset int // in the header, from 100 on
	Size   int // bytes: 1, 2, 4 or 8
}

// Get returns the number that the parameters have in a field.
func (p *Parameters) Get(f Field) uint64 {
	var b [8]byte
	copy(b[:f.Size], p[f.Offset-parametersAt:])
	return binary.LittleEndian.Uint64(b[:])
}

// Put sets the number of a field.
func (p *Parameters) Put(f Field, v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(p[f.Offset-parametersAt:], b[:f.Size])
}

// A kindRow is all that the rest of the package knows of a kind. What a kind does not have is left out. A kind that is only read has
// lookup, and what else its header needs; filter, make and open are of kinds that are filled here.
type kindRow struct {
	Facts
	filter    Filter                                            // a nil pointer of its type, which says what it can do
	make      func(Shape, Hasher, uint64) (Filter, error)       // an empty filter with that capacity
	open      func(*Info, array, Hasher) Filter                 // the filter of a header that was checked and its payload
	lookup    func(Shape, *array) lookup                        // how a filter that is only read answers
	positions func(Shape, uint64) []uint64                      // the bits of a key
	unitBits  func(*Info) uint64                                // payload bits of a unit, once profile and k are checked; unitRules
	hashesFit func(*Info) bool                                  // beside K, where that is not all
	check     func(*Info) error                                 // parameters that are impossible, with the byte offset
	member    func([]byte, uint64, model.Shape, uint64) bool    // looks a hash up in so many blocks of a packed set
	isSound   func(*Info, []byte) bool                          // whether an undamaged payload is one that a writer makes; nil: any is
	number    string                                            // what the number is that headers have as that of hashes, if it is none
	load      func(*Container, array, Hasher, *damageMap) error // what a container holds that is no Filter

	unitsFit, payloadFits func(*Info) bool       // beside unitBits, or in place of it
	packs                 bool                   // hash, seed, profile and k are those of the members' kind
	holds                 func(*kindRow) bool    // whether members may be of that kind
	streamed              bool                   // written before its length is known: begins at 4096, ones may be anything
	notes                 []uint16               // tags of notes that must be understood, and are, beside that of the source
	readNotes             func(*Container) error // refuses them
}

// unitRules are the payload rules of spec/kinds.json under which every unit has as many bits.
var unitRules = map[string]func(r *kindRow) func(*Info) uint64{
	"bits":   func(*kindRow) func(*Info) uint64 { return func(*Info) uint64 { return 1 } },
	"blocks": func(*kindRow) func(*Info) uint64 { return blockBits },
	"slices": func(*kindRow) func(*Info) uint64 { return func(i *Info) uint64 { return uint64(i.Hashes) } },
	"buckets": func(*kindRow) func(*Info) uint64 {
		return func(i *Info) uint64 { return cuckooSlots * uint64(i.Hashes) }
	},
	"cells": func(r *kindRow) func(*Info) uint64 {
		width := parameter(r.Kind, "cell_bits")
		return func(i *Info) uint64 { return i.Parameters.Get(width) }
	},
}

// kindTable has every kind by its number; nil: not known.
var kindTable [256]*kindRow

func addKind(row *kindRow) {
	if kindTable[row.Kind] != nil {
		panic("bloomery: two kinds with the number of " + row.Name)
	}
	if rule := unitRules[row.Payload]; rule != nil && row.unitBits == nil {
		row.unitBits = rule(row)
	}
	if row.lookup != nil {
		row.filter, row.open = (*ReadOnly)(nil), row.openReadOnly
	}
	kindTable[row.Kind] = row
}

// factsOf is what spec/kinds.json says of a kind.
func factsOf(kind Kind) *Facts {
	for n := range kindFacts {
		if kindFacts[n].Kind == kind {
			return &kindFacts[n]
		}
	}
	panic("bloomery: no such kind")
}

// parameter is a field of the header's parameters by its name.
func parameter(kind Kind, name string) Field {
	for _, f := range factsOf(kind).Parameters {
		if f.Name == name {
			return f
		}
	}
	panic("bloomery: no such parameter: " + name)
}

func rowOf(k Kind) *kindRow { return kindTable[k] }

// Kinds returns every kind that containers hold, by number.
func Kinds() (kinds []Kind) {
	for _, row := range kindTable {
		if row != nil {
			kinds = append(kinds, row.Kind)
		}
	}
	return kinds
}

// ParseKind returns the kind of a name.
func ParseKind(name string) (Kind, bool) {
	for _, row := range kindTable {
		if row != nil && row.Name == name {
			return row.Kind, true
		}
	}
	return 0, false
}

// Facts returns what is known of the kind; ok is false if it is not known.
func (k Kind) Facts() (facts Facts, ok bool) {
	if row := rowOf(k); row != nil {
		return row.Facts, true
	}
	return Facts{}, false
}

// String returns the name of the kind.
func (k Kind) String() string {
	if row := rowOf(k); row != nil {
		return row.Name
	}
	return "unknown"
}

// fits refuses a header that contradicts its kind, in the order of spec/container.md 8.
func (r *kindRow) fits(i *Info) error {
	keys := r
	if r.packs {
		keys = rowOf(i.Members)
	}
	switch {
	case i.Sentinels != 0 && !r.Sentinels:
		return fault.At(Corrupt, 18, "sentinels, which the kind does not have")
	case i.Keys != 0 && !r.Keys:
		return fault.At(Corrupt, 64, "a number of distinct keys, which the kind does not have")
	case !contains(keys.Hashers, i.Hash):
		return fault.At(Corrupt, 16, "another hash than the kind has")
	case !keys.hasherFits(i.Hash, i.Seed):
		return fault.At(Corrupt, 32, "a seed where there is none")
	case !contains(keys.Profiles, i.Profile) || !contains(r.Profiles, i.Profile):
		return fault.At(Corrupt, 11, "a profile that the kind does not have")
	case !keys.K.has(i.Hashes, i.Profile) || r.hashesFit != nil && !r.hashesFit(i):
		return fault.At(Corrupt, 20, "a number of hashes that the kind does not have")
	case !r.unitsAre(i):
		return fault.At(Corrupt, 24, "impossible number of units")
	}
	if r.check != nil {
		if err := r.check(i); err != nil {
			return err
		}
	}
	if !r.payloadIs(i) {
		return fault.At(Corrupt, 80, "the payload's length contradicts its units")
	}
	return nil
}

// hasherFits reports whether the kind may have a hash with a seed. SipHash, which has a secret, and FNV-1a have none.
func (r *kindRow) hasherFits(id HashID, seed uint64) bool {
	return contains(r.Hashers, id) && (seed == 0 || r.Seed && (id == XXH3 || id == XXH64))
}

func (k KRange) has(hashes uint32, p Profile) bool {
	if k.ByProfile {
		s, ok := p.shape()
		return ok && hashes == uint32(s.Lanes*s.Lines)
	}
	return k.Min <= hashes && hashes <= k.Max
}

func (r *kindRow) unitsAre(i *Info) bool {
	if r.unitsFit != nil && !r.unitsFit(i) {
		return false
	}
	if r.unitBits == nil {
		return true
	}
	max := r.Max.N
	switch r.Max.Of {
	case "bits":
		max = r.Max.N / r.unitBits(i)
	case "payload":
		max = 8 * r.Max.N / r.unitBits(i)
	}
	return 1 <= i.Units && i.Units <= max
}

func (r *kindRow) payloadIs(i *Info) bool {
	if r.unitBits == nil {
		return r.payloadFits(i)
	}
	return i.PayloadLength == bytesFor(i.Units*r.unitBits(i))
}

// understands reports whether a note of this tag is known in files of the kind. Foreign bytes bring their own keys.
func (r *kindRow) understands(tag uint16) bool {
	return tag == sourceTag && r.Kind != KindForeign || contains(r.notes, tag)
}

// usesOnly reports whether the bytes of the parameters that the kind does not use are zero.
func (r *kindRow) usesOnly(p Parameters) bool {
	for _, f := range r.Parameters {
		p.Put(f, 0)
	}
	return p == Parameters{}
}

func contains[T comparable](list []T, v T) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
