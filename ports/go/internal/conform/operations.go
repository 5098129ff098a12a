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
		"source":       {1, false, (*machine).source},
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
	kind, ok := bloomery.ParseKind(l.args[1])
	if !ok {
		return "", errScript{"no such kind: " + l.args[1]}
	}
	f, err := makeFilter(l, kind)
	if err != nil {
		return "", err
	}
	m.vars[l.args[0]] = f
	return fmt.Sprintf("ok bits=%d hashes=%d", f.Bits(), f.Hashes()), nil
}

// makeFilter makes an empty filter of a kind by the options that spec/kinds.json gives it: its units, hashes and profile. A
// portable filter may be made by a rate.
func makeFilter(l line, kind bloomery.Kind) (bloomery.Filter, error) {
	source, err := parseSource(l.options, false)
	if err != nil {
		return nil, err
	}
	if _, byRate := l.options["fpr"]; byRate && kind == bloomery.KindPortable {
		keys, err1 := l.number("keys")
		fpr, err2 := l.real("fpr")
		if err1 != nil || err2 != nil {
			return nil, errScript{"make: not a number"}
		}
		f, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: keys, FPR: fpr, Force: l.options["force"] == "1", Source: source})
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	facts, _ := kind.Facts()
	units, err1 := l.number(sizeOption(facts))
	hashes, err2 := l.number("hashes")
	capacity, err3 := l.number("capacity")
	profile, known := profileNamed(facts, l.options["profile"])
	if err1 != nil || err2 != nil || err3 != nil || !known {
		return nil, errScript{"make: not a number, or no such profile"}
	}
	if hashes > math.MaxUint32 {
		return nil, &bloomery.Error{Code: bloomery.TooLarge, Offset: bloomery.NoOffset, What: "too many hashes"}
	}
	var hasher bloomery.Hasher
	if text, ok := l.options["hash"]; ok {
		var err error
		if hasher, err = parseHasher(text); err != nil {
			return nil, errScript{err.Error()}
		}
	}
	return bloomery.Make(kind, bloomery.Shape{Profile: profile, Hashes: uint32(hashes), Units: units}, hasher.Of(source), capacity)
}

// sizeOption is the name that scripts and vectors have for the size of a kind: the first word of its units.
func sizeOption(facts bloomery.Facts) string {
	name, _, _ := strings.Cut(facts.Units, " ")
	return name
}

// hashesOption is the name that they have for what a header keeps in the place of a number of hashes.
func hashesOption(facts bloomery.Facts) string {
	names := map[bloomery.Kind]string{
		bloomery.KindCuckoo: "tag_bits", bloomery.KindRibbon: "columns", bloomery.KindFuse: "width", bloomery.KindXor: "width",
		bloomery.KindScalable: "levels", bloomery.KindQuotient: "remainder_bits",
	}
	if name, ok := names[facts.Kind]; ok {
		return name
	}
	return "hashes"
}

// profileNamed is the profile of a name; that of a kind with one only need not be named.
func profileNamed(facts bloomery.Facts, name string) (bloomery.Profile, bool) {
	if facts.Kind == bloomery.KindCounting { // layouts have names of their own
		p, known := map[string]bloomery.Profile{"line": bloomery.Lanes16, "flat": 0}[name]
		return p, known
	}
	for _, p := range facts.Profiles {
		if p.String() == name || name == "" && len(facts.Profiles) == 1 {
			return p, true
		}
	}
	return 0, false
}

func (m *machine) info(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("kind=%s bits=%d hashes=%d capacity=%d ones=%d bytes=%d hash=%s check=%016x", f.Kind(), f.Bits(), f.Hashes(),
		f.Capacity(), f.Ones(), f.SizeInBytes(), f.Hasher().ID(), f.Hasher().Check()), nil
}

func (m *machine) source(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	return f.Hasher().Source().String(), nil
}

func (m *machine) rate(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	rated, err := as[bloomery.Rated](f)
	if err != nil {
		return "", err
	}
	return "realised=" + real(rated.RealisedFPR()) + " keys=" + real(rated.EstimatedKeys()), nil
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
	to, err := as[bloomery.Merger](f)
	if err != nil {
		return "", err
	}
	return "ok", to.Merge(g)
}

func (m *machine) fold(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	n, err := strconv.ParseUint(l.args[1], 10, 64)
	if err != nil {
		return "", errScript{"fold: not a number: " + l.args[1]}
	}
	folder, err := as[bloomery.Folder](f)
	if err != nil {
		return "", err
	}
	err = folder.Fold(n)
	return fmt.Sprintf("ok blocks=%d", f.Shape().Units), err
}

// as is a filter that has calls which not all kinds have. A script that needs them of another does not parse.
func as[C any](f bloomery.Filter) (C, error) {
	c, err := bloomery.As[C](f)
	if err != nil {
		return c, errScript{err.Error()}
	}
	return c, nil
}

func (m *machine) clear(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	c, err := as[bloomery.Clearer](f)
	if err != nil {
		return "", err
	}
	c.Clear()
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
