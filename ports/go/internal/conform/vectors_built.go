package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"bloomery"
)

// builtPositions is what runs the positions of a kind that is built of all keys at once; nil for others.
func builtPositions(kind bloomery.Kind) func([]byte, *tally) error {
	switch kind {
	case bloomery.KindRibbon:
		return ribbonPositionVectors
	case bloomery.KindFuse, bloomery.KindXor:
		return func(data []byte, t *tally) error { return slotPositionVectors(kind, data, t) }
	}
	return nil
}

// unpack makes members NAME, NAME_1 .. of a list: the sizes of layers, of which the first are the units and the others parameters.
func (r shapeRow) unpack(name string) error {
	if !bytes.HasPrefix(r[name], []byte("[")) {
		return nil
	}
	var list []json.RawMessage
	if err := r.take(name, &list); err != nil {
		return err
	}
	for n, value := range list {
		if n == 0 {
			r[name] = value
		} else {
			r[fmt.Sprintf("%s_%d", name, n)] = value
		}
	}
	return nil
}

// hashOf takes the hash of a row, and reports whether it is that of its text.
func (r shapeRow) hashOf() (h uint64, agrees bool, err error) {
	var text *string
	var hash string
	if err := r.take("text", &text); err != nil {
		return 0, false, err
	}
	if err := r.take("hash", &hash); err != nil {
		return 0, false, err
	}
	h, err = strconv.ParseUint(hash, 16, 64)
	return h, text == nil || bloomery.Hasher{}.HashString(*text) == h, err
}

// slotPositionVectors asks for the fingerprint and the slots of a key. The fingerprint is that of 32 bits; those of fewer are its
// upper bits.
func slotPositionVectors(kind bloomery.Kind, data []byte, t *tally) error {
	cases, err := rows(data)
	if err != nil {
		return err
	}
	for n, c := range cases {
		var round uint8
		var print uint64
		var want []uint64
		h, agrees, err := c.hashOf()
		if err != nil {
			return err
		}
		for name, into := range map[string]interface{}{"round": &round, "fingerprint": &print, "positions": &want} {
			if err := c.take(name, into); err != nil {
				return err
			}
		}
		s, err := c.shape(kind)
		if err != nil {
			return err
		}
		t.row(func(r *tally) {
			r.expect(agrees, "case %d: another hash of the text", n)
			for width := uint32(1); width <= 32; width++ {
				s.Hashes = width
				got, at := bloomery.SlotsOf(kind, s, h, round)
				r.expect(got == print>>(32-width) && fmt.Sprint(at) == fmt.Sprint(want), "case %d, %d bits: %x %v", n, width, got, at)
			}
		})
	}
	return nil
}

// A ribbonLayer is an equation of a key as the vectors have it.
type ribbonLayer struct {
	Hash         string `json:"hash"`
	Segment      uint64 `json:"segment"`
	Start        uint64 `json:"start"`
	Bucket       uint64 `json:"bucket"`
	Position     uint64 `json:"position"`
	Block        uint64 `json:"block"`
	Shift        uint64 `json:"shift"`
	Columns      uint64 `json:"columns"`
	Coefficients string `json:"coefficients"`
	Fingerprint  uint64 `json:"fingerprint"`
}

// ribbonPositionVectors asks for the equations of a key in each layer, and in the last one.
func ribbonPositionVectors(data []byte, t *tally) error {
	cases, err := rows(data)
	if err != nil {
		return err
	}
	for n, c := range cases {
		var layers []json.RawMessage
		var last json.RawMessage
		h, agrees, err := c.hashOf()
		if err != nil {
			return err
		}
		if err := c.take("layers", &layers); err != nil {
			return err
		}
		if err := c.take("last", &last); err != nil {
			return err
		}
		var buckets []uint64
		if err := json.Unmarshal(c["buckets"], &buckets); err != nil {
			return err
		}
		s, err := c.shape(bloomery.KindRibbon)
		if err != nil {
			return err
		}
		if last != nil {
			layers = append(layers, last)
		}
		var wants []ribbonLayer
		for _, text := range layers {
			var want ribbonLayer
			if err := strict(text, &want); err != nil {
				return err
			}
			wants = append(wants, want)
		}
		t.row(func(r *tally) {
			got := bloomery.RibbonEquationsOf(s, h)
			r.expect(agrees && len(got) == len(wants), "case %d: %d layers, hash of the text agrees: %v", n, len(got), agrees)
			if len(got) != len(wants) {
				return
			}
			for i, want := range wants {
				// The columns of the shape do not change where a key lies: of 32, all bits of the fingerprint are compared.
				whole := s
				whole.Hashes = 32
				full := bloomery.RibbonEquationsOf(whole, h)[i]
				r.expect(full.Fingerprint == want.Fingerprint && got[i].Fingerprint == want.Fingerprint&(1<<s.Hashes-1),
					"case %d, layer %d: fingerprint %x", n, i, full.Fingerprint)
				isLast := last != nil && i == len(wants)-1
				want.Fingerprint = 0
				r.expect(asVector(got[i], s, buckets, i, isLast) == want, "case %d, layer %d: %+v", n, i, got[i])
			}
		})
	}
	return nil
}

// asVector is an equation as the vectors have it, by the sizes of spec/filters.md 9.1. The fingerprint has been compared.
func asVector(e bloomery.RibbonEquation, s bloomery.Shape, buckets []uint64, layer int, last bool) ribbonLayer {
	out := ribbonLayer{Hash: fmt.Sprintf("%016x", e.Hash), Columns: e.Columns, Coefficients: fmt.Sprintf("%016x", e.Coefficients[0])}
	if last {
		out.Start = e.Slot
		return out
	}
	width, bucketSlots, segmentBuckets := uint64(64), uint64(128), uint64(512)
	if s.Parameters[0] == 128 {
		width, bucketSlots, segmentBuckets = 128, 512, 256
		out.Coefficients = fmt.Sprintf("%016x", e.Coefficients[1]) + out.Coefficients
	}
	segments := buckets[layer] / segmentBuckets
	if segments == 0 {
		segments = 1
	}
	perSegment := buckets[layer] / segments * bucketSlots
	out.Segment, out.Start = e.Slot/perSegment, e.Slot%perSegment
	out.Bucket, out.Position = e.Slot/bucketSlots, e.Slot%bucketSlots
	out.Block, out.Shift = e.Slot/width, e.Slot%width
	return out
}
