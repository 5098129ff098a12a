package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"bloomery"
)

// kindVectors is what runs the positions or the whole filters of one kind, by the name of the file: that of the kind, or of a profile
// that was added later.
func kindVectors(name string) (run func([]byte, *tally) error, known bool) {
	for _, kind := range bloomery.Kinds() {
		kind := kind
		names := []string{strings.ReplaceAll(kind.String(), "-", "_")}
		if kind == bloomery.KindBlock {
			names = append(names, bloomery.Lanes16.String())
		}
		for _, stem := range names {
			switch name {
			case stem + "_positions.json":
				if run := builtPositions(kind); run != nil {
					return run, true
				}
				return func(data []byte, t *tally) error { return positionVectors(kind, data, t) }, true
			case stem + "_filters.json":
				return func(data []byte, t *tally) error { return filterVectors(kind, data, t) }, true
			}
		}
	}
	return nil, false
}

// A shapeRow is the shape of a filter in a file of vectors. What the size is called depends on the kind: bits, blocks.
type shapeRow map[string]json.RawMessage

// take removes a member of a row and decodes it.
func (r shapeRow) take(name string, into interface{}) error {
	value, ok := r[name]
	if !ok {
		return nil
	}
	delete(r, name)
	return json.Unmarshal(value, into)
}

// shape takes the shape of a filter of a kind from a row, of which nothing may be left then.
func (r shapeRow) shape(kind bloomery.Kind) (s bloomery.Shape, err error) {
	facts, _ := kind.Facts()
	if err := r.unpack(sizeOption(facts)); err != nil {
		return s, err
	}
	var profile string
	for name, into := range map[string]interface{}{"profile": &profile, sizeOption(facts): &s.Units, hashesOption(facts): &s.Hashes} {
		if err := r.take(name, into); err != nil {
			return s, err
		}
	}
	for _, field := range facts.Parameters {
		var v uint64
		if err := r.take(field.Name, &v); err != nil {
			return s, err
		}
		s.Parameters.Put(field, v)
	}
	for name := range r {
		return s, fmt.Errorf("a member that is not expected: %s", name)
	}
	var known bool
	if s.Profile, known = profileNamed(facts, profile); !known {
		return s, fmt.Errorf("no such profile: %s", profile)
	}
	return s, nil
}

// rows decodes a file of cases that begin with a shape.
func rows(data []byte) ([]shapeRow, error) {
	var file struct {
		comment
		Cases []shapeRow `json:"cases"`
	}
	err := strict(data, &file)
	return file.Cases, err
}

// payload is the bytes of a filter, taken from its container.
func payload(f bloomery.Filter) []byte {
	b, err := bloomery.EncodeContainer(f, bloomery.Meta{})
	if err != nil {
		return nil
	}
	i, err := bloomery.Inspect(b, int64(len(b)))
	if err != nil {
		return nil
	}
	return b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
}

// positionVectors asks where a key's bits lie; if the filter is not too large, a key is inserted, and exactly those bits are
// set.
func positionVectors(kind bloomery.Kind, data []byte, t *tally) error {
	cases, err := rows(data)
	if err != nil {
		return err
	}
	for n, c := range cases {
		if err := c.plain(kind); err != nil {
			return err
		}
		if !made(kind) {
			c.leaveOut()
		}
		var text *string
		var hash string
		var want []uint64
		for name, into := range map[string]interface{}{"text": &text, "hash": &hash, "positions": &want} {
			if err := c.take(name, into); err != nil {
				return err
			}
		}
		for _, name := range []string{"tag", "first", "second"} {
			var place *uint64
			if err := c.take(name, &place); err != nil {
				return err
			}
			if place != nil {
				want = append(want, *place)
			}
		}
		h, err := strconv.ParseUint(hash, 16, 64)
		if err != nil {
			return err
		}
		s, err := c.shape(kind)
		if err != nil {
			return err
		}
		got, agrees, err := positionsOf(kind, s, text, h)
		t.expect(err == nil && agrees && fmt.Sprint(got) == fmt.Sprint(want),
			"case %d: %v, hash of the text agrees: %v, %v", n, got, agrees, err)
	}
	return nil
}

// positionsOf asks the module where a key's bits lie, and whether its hash is that of a text.
func positionsOf(kind bloomery.Kind, s bloomery.Shape, text *string, h uint64) ([]uint64, bool, error) {
	positions := bloomery.Positions(kind, s, h)
	if !made(kind) {
		return positions, text == nil || bloomery.Hasher{}.HashString(*text) == h, nil
	}
	small := s
	if s.Units > 1<<17 { // the rule alone: no array of that size is needed
		small.Units = 1
	}
	f, err := bloomery.Make(kind, small, bloomery.Hasher{}, 0)
	if err != nil {
		return nil, false, err
	}
	agrees := text == nil || f.Hasher().HashString(*text) == h
	if small != s {
		return positions, agrees, nil
	}
	in, err := bloomery.As[bloomery.Inserter](f)
	if err != nil {
		return nil, false, err
	}
	in.InsertHash(h)
	want := make([]byte, f.SizeInBytes())
	for _, p := range positions {
		want[p/8] |= 1 << (p % 8)
	}
	if !bytes.Equal(want, payload(f)) {
		return positions, agrees, fmt.Errorf("insertion sets other bits")
	}
	return positions, agrees, nil
}

// filterVectors runs whole filters.
func filterVectors(kind bloomery.Kind, data []byte, t *tally) error {
	cases, err := rows(data)
	if err != nil {
		return err
	}
	if !made(kind) {
		return readVectors(kind, cases, t)
	}
	for n, c := range cases {
		var prefix string
		var inserted, maybe int
		var ones uint64
		var want hexBytes
		for name, into := range map[string]interface{}{
			"prefix": &prefix, "inserted": &inserted, "maybe": &maybe, "ones": &ones, "hex": &want,
		} {
			if err := c.take(name, into); err != nil {
				return err
			}
		}
		s, err := c.shape(kind)
		if err != nil {
			return err
		}
		f, err := bloomery.Make(kind, s, bloomery.Hasher{}, 0)
		if err != nil {
			return err
		}
		if err := insertMany(f, texts(prefix, inserted)); err != nil {
			return err
		}
		absent, _ := byteKeys(texts("x", 1000))
		found := f.MayContainMany(absent, make([]bool, len(absent)))
		t.expect(bytes.Equal(payload(f), want) && found == maybe && f.Ones() == ones,
			"case %d: %d possibly present, %d ones, %x", n, found, f.Ones(), payload(f))
	}
	return nil
}
