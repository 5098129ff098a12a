package conform

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bloomery"
)

// An operation has a least number of arguments; of some, a refusal tells the offset.
type operation struct {
	args        int
	tellsOffset bool
	run         func(*machine, line) (string, error)
}

var operations map[string]operation

func init() {
	operations = map[string]operation{
		"hash":         {2, false, (*machine).hash},
		"check":        {1, false, (*machine).check},
		"size":         {0, false, (*machine).size},
		"promise":      {0, false, (*machine).promise},
		"make":         {2, false, (*machine).make},
		"insert":       {2, false, (*machine).insert},
		"insert-batch": {2, false, (*machine).insert},
		"query":        {2, false, (*machine).query},
		"query-batch":  {2, false, (*machine).query},
		"count":        {2, false, (*machine).query},
		"info":         {1, false, (*machine).info},
		"rate":         {1, false, (*machine).rate},
		"expect":       {2, false, (*machine).expect},
		"merge":        {2, false, (*machine).merge},
		"fold":         {2, false, (*machine).fold},
		"clear":        {1, false, (*machine).clear},
		"equal":        {2, false, (*machine).equal},
		"encode":       {3, false, (*machine).encode},
		"decode":       {3, true, (*machine).decode},
		"inspect":      {1, true, (*machine).inspect},
		"bytes":        {2, false, (*machine).edit},
		"show":         {1, false, (*machine).show},
		"flip":         {2, false, (*machine).edit},
		"put":          {3, false, (*machine).edit},
		"cut":          {2, false, (*machine).edit},
		"add":          {2, false, (*machine).edit},
		"write":        {2, false, (*machine).write},
		"read":         {2, false, (*machine).read},
	}
}

func (m *machine) hash(l line) (string, error) {
	h, err := parseHasher(l.args[0])
	if err != nil {
		return "", errScript{err.Error()}
	}
	keys, err := l.keys(1)
	if err != nil {
		return "", err
	}
	var out []string
	for _, k := range keys {
		if k.sort == 'h' {
			return "", errScript{"a hashed key is not hashed again"}
		}
		out = append(out, fmt.Sprintf("%016x", k.hash(h)))
	}
	return strings.Join(out, " "), nil
}

func (m *machine) check(l line) (string, error) {
	h, err := parseHasher(l.args[0])
	if err != nil {
		return "", errScript{err.Error()}
	}
	return fmt.Sprintf("%016x", h.Check()), nil
}

func (m *machine) size(l line) (string, error) {
	n, err := l.number("keys")
	if err != nil {
		return "", err
	}
	var bits uint64
	var k uint32
	switch {
	case l.options["fpr"] != "":
		var p float64
		if p, err = l.real("fpr"); err == nil {
			bits, k, err = bloomery.SizePortableByRate(n, p)
		}
	case l.options["bits-per-key"] != "":
		var b float64
		if b, err = l.real("bits-per-key"); err == nil {
			bits, k, err = bloomery.SizePortableByBitsPerKey(n, b)
		}
	case l.options["memory"] != "":
		var c uint64
		if c, err = l.number("memory"); err == nil {
			bits, k, err = bloomery.SizePortableByMemory(n, c)
		}
	default:
		err = errScript{"size: by what?"}
	}
	return fmt.Sprintf("bits=%d hashes=%d", bits, k), err
}

func (m *machine) promise(l line) (string, error) {
	n, err1 := l.number("keys")
	p, err2 := l.real("fpr")
	if err1 != nil || err2 != nil {
		return "", errScript{"promise: not a number"}
	}
	promise, err := bloomery.PromisePortable(n, p)
	return fmt.Sprintf("%s %s", promise.Verdict, real(promise.FPR)), err
}

func (m *machine) make(l line) (string, error) {
	var numbers [5]uint64
	var err error
	for i, name := range [...]string{"keys", "bits", "hashes", "blocks", "capacity"} {
		if numbers[i], err = l.number(name); err != nil {
			return "", err
		}
	}
	keys, bits, hashes, blocks, capacity := numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
	fpr, err := l.real("fpr")
	if err != nil {
		return "", err
	}
	var hasher bloomery.Hasher
	if text, ok := l.options["hash"]; ok {
		if hasher, err = parseHasher(text); err != nil {
			return "", errScript{err.Error()}
		}
	}
	if hashes > math.MaxUint32 {
		return "", &bloomery.Error{Code: bloomery.TooLarge, Offset: bloomery.NoOffset, What: "too many hashes"}
	}
	var f bloomery.Filter
	switch l.args[1] {
	case "portable":
		o := bloomery.PortableOptions{Keys: keys, FPR: fpr, Bits: bits, Hashes: uint32(hashes), Force: l.options["force"] == "1"}
		if _, byRate := l.options["fpr"]; !byRate {
			o.Keys = capacity
		}
		f, err = orNothing(bloomery.MakePortable(o))
	case "block":
		var p bloomery.Profile
		for _, c := range [...]bloomery.Profile{bloomery.HalfLine, bloomery.Line, bloomery.TwoLines} {
			if c.String() == l.options["profile"] {
				p = c
			}
		}
		if p == 0 {
			return "", errScript{"no such profile"}
		}
		f, err = orNothing(bloomery.MakeBlock(bloomery.BlockOptions{Profile: p, Blocks: blocks, Keys: capacity, Hasher: hasher}))
	case "split-block":
		f, err = orNothing(bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: blocks, Keys: capacity}))
	case "bloom":
		f, err = orNothing(bloomery.MakeBloom(bloomery.BloomOptions{Bits: bits, Hashes: uint32(hashes), Keys: capacity, Hasher: hasher}))
	default:
		return "", errScript{"no such kind: " + l.args[1]}
	}
	if err != nil {
		return "", err
	}
	m.vars[l.args[0]] = f
	return fmt.Sprintf("ok bits=%d hashes=%d", f.Bits(), f.Hashes()), nil
}

// orNothing makes a typed nil an untyped one.
func orNothing[F bloomery.Filter](f F, err error) (bloomery.Filter, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (m *machine) info(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("kind=%s bits=%d hashes=%d capacity=%d ones=%d bytes=%d hash=%s check=%016x", f.Kind(), f.Bits(), f.Hashes(),
		f.Capacity(), f.Ones(), f.SizeInBytes(), f.Hasher().ID(), f.Hasher().Check()), nil
}

func (m *machine) rate(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	return "realised=" + real(f.RealisedFPR()) + " keys=" + real(f.EstimatedKeys()), nil
}

func (m *machine) expect(l line) (string, error) {
	f, ok := m.vars[l.args[0]].(*bloomery.PortableBloom)
	n, err := strconv.ParseUint(l.args[1], 10, 64)
	if !ok || err != nil {
		return "", errScript{"expect: a portable filter and a number"}
	}
	return real(f.ExpectedFPR(n)), nil
}

func (m *machine) merge(l line) (string, error) {
	f, err1 := m.filter(l.args[0])
	g, err2 := m.filter(l.args[1])
	if err1 != nil || err2 != nil {
		return "", errScript{"merge: two filters"}
	}
	return "ok", bloomery.Merge(f, g)
}

func (m *machine) fold(l line) (string, error) {
	f, ok := m.vars[l.args[0]].(interface {
		Fold(uint64) error
		Blocks() uint64
	})
	n, err := strconv.ParseUint(l.args[1], 10, 64)
	if !ok || err != nil {
		return "", errScript{"fold: a filter of blocks and a number"}
	}
	err = f.Fold(n)
	return fmt.Sprintf("ok blocks=%d", f.Blocks()), err
}

func (m *machine) clear(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	f.Clear()
	return "ok", nil
}

func (m *machine) equal(l line) (string, error) {
	f, err1 := m.filter(l.args[0])
	g, err2 := m.filter(l.args[1])
	switch {
	case err1 != nil || err2 != nil:
		return "", errScript{"equal: two filters"}
	case bloomery.Equal(f, g):
		return "yes", nil
	}
	return "no", nil
}
