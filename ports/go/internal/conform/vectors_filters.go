package conform

import (
	"bytes"
	"fmt"
	"strconv"

	"bloomery"
)

// A shapeRow names a filter in the files of positions and of whole filters; hashes alone with bits is portable or classic.
type shapeRow struct {
	Profile string `json:"profile"`
	Blocks  uint64 `json:"blocks"`
	Bits    uint64 `json:"bits"`
	Hashes  uint32 `json:"hashes"`
}

// empty makes the filter of a row. Files of portable filters say so with a flag.
func (s shapeRow) empty(portable bool) (bloomery.Filter, error) {
	switch s.Profile {
	case "half-line", "line", "two-lines":
		p := map[string]bloomery.Profile{"half-line": bloomery.HalfLine, "line": bloomery.Line, "two-lines": bloomery.TwoLines}
		return orNothing(bloomery.MakeBlock(bloomery.BlockOptions{Profile: p[s.Profile], Blocks: s.Blocks}))
	case "split":
		return orNothing(bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: s.Blocks}))
	}
	switch {
	case s.Bits == 0:
		return orNothing(bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: s.Blocks}))
	case portable:
		return orNothing(bloomery.MakePortable(bloomery.PortableOptions{Bits: s.Bits, Hashes: s.Hashes}))
	}
	return orNothing(bloomery.MakeBloom(bloomery.BloomOptions{Bits: s.Bits, Hashes: s.Hashes}))
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
func positionVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Cases []struct {
			shapeRow
			Text      *string  `json:"text"`
			Hash      string   `json:"hash"`
			Positions []uint64 `json:"positions"`
		} `json:"cases"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	portable := bytes.Contains(data, []byte("in a portable filter"))
	for n, c := range file.Cases {
		h, err := strconv.ParseUint(c.Hash, 16, 64)
		if err != nil {
			return err
		}
		got, text, err := positionsOf(c.shapeRow, portable, c.Text, h)
		same := err == nil && text && fmt.Sprint(got) == fmt.Sprint(c.Positions)
		t.expect(same, "case %d: %v, hash of the text agrees: %v, %v", n, got, text, err)
	}
	return nil
}

// positionsOf asks the module where a key's bits lie, and whether its hash is that of a text.
func positionsOf(s shapeRow, portable bool, text *string, h uint64) ([]uint64, bool, error) {
	agrees := func(hasher bloomery.Hasher) bool { return text == nil || hasher.HashString(*text) == h }
	small := s
	if s.Bits > 1<<20 { // the rule alone: no array of that size is needed
		small.Bits = 64
	}
	if s.Blocks > 1<<15 {
		small.Blocks = 1
	}
	f, err := small.empty(portable)
	if err != nil {
		return nil, false, err
	}
	var profile bloomery.Profile
	if b, ok := f.(*bloomery.BlockBloom); ok {
		profile = b.Profile()
	}
	positions := bloomery.Positions(f.Kind(), profile, s.Bits+s.Blocks, s.Hashes, h)
	if small != s {
		return positions, agrees(f.Hasher()), nil
	}
	f.InsertHash(h)
	want := make([]byte, f.SizeInBytes())
	for _, p := range positions {
		want[p/8] |= 1 << (p % 8)
	}
	if !bytes.Equal(want, payload(f)) {
		return positions, false, fmt.Errorf("insertion sets other bits")
	}
	return positions, agrees(f.Hasher()), nil
}

// filterVectors runs whole filters.
func filterVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Cases []struct {
			shapeRow
			Prefix   string   `json:"prefix"`
			Inserted int      `json:"inserted"`
			Maybe    int      `json:"maybe"`
			Ones     uint64   `json:"ones"`
			Hex      hexBytes `json:"hex"`
		} `json:"cases"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for n, c := range file.Cases {
		f, err := c.empty(false)
		if err != nil {
			return err
		}
		keys, _ := byteKeys(texts(c.Prefix, c.Inserted))
		f.InsertMany(keys)
		absent, _ := byteKeys(texts("x", 1000))
		maybe := f.MayContainMany(absent, make([]bool, len(absent)))
		t.expect(bytes.Equal(payload(f), c.Hex) && maybe == c.Maybe && f.Ones() == c.Ones,
			"case %d: %d perhaps, %d ones, %x", n, maybe, f.Ones(), payload(f))
	}
	return nil
}
