package bloomery_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"bloomery"
)

// seeds adds every long hexadecimal text of a file of vectors.
func seeds(f *testing.F, names ...string) {
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join("..", "..", "spec", "vectors", name))
		if err != nil {
			continue
		}
		for _, text := range regexp.MustCompile(`"[0-9a-f]{24,}"`).FindAll(b, -1) {
			if seed, err := hex.DecodeString(string(text[1 : len(text)-1])); err == nil && len(seed) < 1<<14 {
				f.Add(seed)
			}
		}
	}
}

// exercise asks, changes and measures whatever was read.
func exercise(t *testing.T, f bloomery.Filter) {
	key := hashOf(f.Hasher(), 7)
	f.MayContainHash(key)
	if r, err := bloomery.As[bloomery.Rated](f); err == nil {
		if f.Bits() <= 1<<12 {
			r.RealisedFPR()
		}
		r.EstimatedKeys()
	}
	if in, err := bloomery.As[bloomery.Inserter](f); err == nil {
		in.InsertHash(key)
		if !f.MayContainHash(key) {
			t.Fatal("an inserted key is denied")
		}
	}
}

func FuzzDecodePortable(f *testing.F) {
	seeds(f, "portable_hostile.json", "portable_k10_n10_p0.01.json", "portable_key4_n4_p0.05.json", "portable_edge65_n65_p0.01.json")
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := bloomery.DecodePortable(b)
		h := new(bloomery.PortableBloom)
		_, err2 := h.ReadFrom(bytes.NewReader(b))
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%v from memory, %v from a stream", err, err2)
		}
		if err != nil {
			return
		}
		if again, _ := g.MarshalBinary(); !bytes.Equal(again, b) || !bloomery.Equal(g, h) {
			t.Fatal("other bytes come out")
		}
		exercise(t, g)
	})
}

func FuzzDecodeContainer(f *testing.F) {
	seeds(f, "containers.json", "container_hostile.json")
	for _, b := range smallContainers(f, 9) {
		f.Add(b)
	}
	for s := bloomery.Integers; s <= bloomery.UTF16; s++ {
		f.Add(encoded(f, filterOf(f, bloomery.KindBloom, s)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, sealed := range [][]byte{b, resealed(b)} {
			c, err := bloomery.DecodeContainer(sealed, bloomery.ReadOptions{Source: bloomery.AnySource})
			if err != nil {
				continue
			}
			switch {
			case c.Packed != nil:
				for m := uint64(0); m < c.Packed.Members() && m < 4; m++ {
					c.Packed.MayContainHash(m, 42)
				}
			case c.Foreign != nil:
				c.Foreign.MayContain([]byte("k0"))
			default:
				// Readers take sentinels in any order, writers do not.
				sentinels := bloomery.SentinelsOf(c.Sentinels)
				again, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{AskedFPR: c.Info.AskedFPR, Keys: c.Info.Keys,
					Sentinels: sentinels, Notes: c.Notes})
				if c.Damaged > 0 != (err != nil) {
					t.Fatal("damage is written, or what is whole is not:", err)
				}
				if err == nil && len(again) != len(sealed)-8*(len(c.Sentinels)-len(sentinels)) {
					t.Fatal("another length comes out")
				}
				exercise(t, c.Filter)
			}
		}
	})
}

// resealed gives bytes the checksums that they should have, so that the fuzzer gets past them.
func resealed(b []byte) []byte {
	b = append([]byte(nil), b...)
	if len(b) < 128 {
		return b
	}
	put := func(at uint64, sum uint32) {
		if at+4 <= uint64(len(b)) {
			b[at], b[at+1], b[at+2], b[at+3] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
		}
	}
	copy(b, "\x89BLM\r\n\x1a\n\x01\x00")
	put(124, bloomery.Checksum(b[:124]))
	i, err := bloomery.Inspect(b, int64(len(b)))
	if err != nil {
		return b
	}
	padded := (i.PayloadLength + 63) / 64 * 64
	tail := i.PayloadOffset + padded
	at := tail + 8*uint64(i.Sentinels)
	for from := i.PayloadOffset; from < tail; from, at = from+4096, at+4 {
		to := from + 4096
		if to > tail {
			to = tail
		}
		put(at, bloomery.Checksum(b[from:to]))
	}
	end := uint64(len(b)) - 4
	put(end, bloomery.Checksum(append(append([]byte(nil), b[128:i.PayloadOffset]...), b[tail:end]...)))
	return b
}
