package bloomery_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"bloomery"
	"bloomery/dialect"
)

// A sample is a small container and the lookups that must stay true, whatever happens to its bytes.
type sample struct {
	name   string
	kind   bloomery.Kind
	bytes  []byte
	denied func(c *bloomery.Container) string // the first key that is denied; empty: none
}

// smallShapes are small filters of a kind, one of each profile.
func smallShapes(facts bloomery.Facts) (shapes []bloomery.Shape) {
	switch facts.Kind {
	case bloomery.KindCuckoo:
		return []bloomery.Shape{bloomery.CuckooShape(12, 10, 7), bloomery.CuckooShape(9, 14, 0), bloomery.CuckooShape(16, 10, 1<<63)}
	case bloomery.KindCounting:
		return []bloomery.Shape{
			bloomery.CountingShape(true, 4, 256, 8, 9), bloomery.CountingShape(false, 4, 101, 5, 0), bloomery.CountingShape(false, 8, 101, 5, 0),
			bloomery.CountingShape(false, 32, 61, 3, 1<<63), bloomery.CountingShape(true, 32, 128, 8, 0),
		}
	case bloomery.KindRibbon:
		return []bloomery.Shape{
			bloomery.RibbonShape(64, 8, 0, [4]uint64{1}, 70), bloomery.RibbonShape(64, 5, 0xb0000000, [4]uint64{2, 1, 1, 1}, 30),
			bloomery.RibbonShape(128, 3, 0x60000000, [4]uint64{1}, 0), bloomery.RibbonShape(64, 10, 0xffffffff, [4]uint64{}, 90),
		}
	case bloomery.KindFuse:
		return []bloomery.Shape{
			bloomery.SlotShape(3, 3, 1, 64, 8, 0), bloomery.SlotShape(4, 2, 2, 32, 13, 2), bloomery.SlotShape(0, 0, 1, 47, 7, 0),
		}
	case bloomery.KindXor:
		return []bloomery.Shape{bloomery.SlotShape(3, 0, 1, 60, 10, 0), bloomery.SlotShape(3, 0, 3, 33, 9, 1), bloomery.SlotShape(0, 0, 2, 30, 5, 3)}
	case bloomery.KindScalable:
		return []bloomery.Shape{
			bloomery.ScalableShape(1, 3, 0.01, 2, 0, 5, 1, 2), bloomery.ScalableShape(2, 2, 0.5, 4, 1, 0, 0, 48),
			bloomery.ScalableShape(1, 1, 1e-9, 16, 2, 0, 0, 0), bloomery.ScalableShape(1, 2, 0.1, 8, 0, 2, 48, 48),
		}
	case bloomery.KindStable:
		return []bloomery.Shape{
			bloomery.StableShape(101, 5, 2, 3, 3, 1<<31), bloomery.StableShape(61, 3, 1, 1, 0, 1<<30), bloomery.StableShape(67, 4, 4, 15, 67, 0),
			bloomery.StableShape(60, 3, 4, 9, 0, 0),
		}
	case bloomery.KindWindow:
		return []bloomery.Shape{
			bloomery.WindowShape(bloomery.HalfLine, 2, 3, 4), bloomery.WindowShape(bloomery.Line, 2, 1, 0), bloomery.WindowShape(bloomery.TwoLines, 4, 1, 2),
		}
	case bloomery.KindQuotient:
		return []bloomery.Shape{
			bloomery.QuotientShape(60, 7, 1, 0), bloomery.QuotientShape(1, 2, 1, 5), bloomery.QuotientShape(130, 32, 4, 1<<63), bloomery.QuotientShape(65, 3, 2, 0),
		}
	}
	if len(facts.Can) == 0 {
		return nil // a set, foreign bytes, or a kind whose own test has its shapes
	}
	for _, p := range facts.Profiles {
		s := bloomery.Shape{Profile: p, Units: 61}
		if facts.Units == "blocks" {
			s.Units = 2
		}
		if s.Hashes = 5; facts.K.Max < 5 {
			s.Hashes = facts.K.Max
		}
		shapes = append(shapes, s)
	}
	return shapes
}

// fillWith inserts hashed keys into a filter of any kind; it returns those that went in.
func fillWith(t testing.TB, f bloomery.Filter, hashes []uint64) []uint64 {
	t.Helper()
	if in, err := bloomery.As[bloomery.BatchInserter](f); err == nil {
		in.InsertManyHashes(hashes)
		return hashes
	}
	return bloomery.FillHere(f, hashes)
}

// present are keys that a filter has, by their hashes, ascending.
func present(f bloomery.Filter, keys int) (hashes []uint64) {
	for n := uint64(0); len(hashes) < keys && n < 1<<20; n++ {
		if h := hashOf(f.Hasher(), n); f.MayContainHash(h) {
			hashes = append(hashes, h)
		}
	}
	return hashes
}

// filterSamples are one container of each kind of filter in the table, and of each profile, with everything it can carry.
func filterSamples(t testing.TB, keys int) (samples []sample) {
	t.Helper()
	for _, kind := range bloomery.Kinds() {
		facts, _ := kind.Facts()
		for _, s := range smallShapes(facts) {
			if !bloomery.IsFilter(kind) {
				continue // packed sets and foreign bytes have samples of their own
			}
			f, err := bloomery.MakeHere(kind, s, bloomery.Hasher{}, 9)
			if err != nil {
				t.Fatal(kind, err)
			}
			hashes := make([]uint64, keys)
			f.Hasher().HashMany(keysOf("k", keys), hashes)
			if went := fillWith(t, f, hashes); len(went) < keys { // of bytes that were drawn, those that they have
				hashes = present(f, keys)
			}
			if len(hashes) < keys {
				t.Fatal(kind, "has too few keys")
			}
			meta := bloomery.Meta{AskedFPR: 0.01, Notes: []bloomery.Note{{Tag: 7, Data: []byte("note")}, {Tag: 9}}}
			if facts.Keys {
				meta.Keys = uint64(keys)
			}
			if facts.Sentinels {
				meta.Sentinels = bloomery.SentinelsOf(hashes)
			}
			b, err := bloomery.EncodeContainer(f, meta)
			if err != nil {
				t.Fatal(kind, err)
			}
			samples = append(samples, sample{fmt.Sprintf("%s %s %d", kind, s.Profile, len(samples)), kind, b, func(c *bloomery.Container) string {
				for _, h := range hashes {
					if !c.Filter.MayContainHash(h) {
						return fmt.Sprintf("%016x", h)
					}
				}
				return ""
			}})
		}
	}
	return samples
}

// packedSamples are packed sets of each kind that can be a member.
func packedSamples(t testing.TB) (samples []sample) {
	const members = 6
	for _, m := range []maker{block(bloomery.HalfLine, 1, bloomery.Hasher{}), block(bloomery.TwoLines, 1, bloomery.NewXXH64(3)), splitBlock(1)} {
		samples = append(samples, sample{"packed " + m.name, bloomery.KindPacked, packedFile(t, m, members), func(c *bloomery.Container) string {
			for i := 0; i < members; i++ {
				if key := fmt.Sprint("k", i); i%3 != 2 && !c.Packed.MayContain(uint64(i), []byte(key)) {
					return key
				}
			}
			return ""
		}})
	}
	return samples
}

// foreignSamples are the files of other systems in the vectors that are read here.
func foreignSamples(t testing.TB) (samples []sample) {
	for _, name := range []string{"dialects.json", "dialect_files.json"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "spec", "vectors", name))
		if err != nil {
			t.Skip("spec/vectors is not beside this module")
		}
		var file struct {
			Cases []struct {
				Dialect, What, Variant, Image, Error string
				Read                                 map[string]interface{}
			}
		}
		if err := json.Unmarshal(b, &file); err != nil {
			t.Fatal(err)
		}
		for n, c := range file.Cases {
			if !dialect.Known(c.Dialect) || c.Error != "" {
				continue
			}
			var o dialect.Options
			o.Variant, _ = c.Read["variant"].(string)
			if text, ok := c.Read["part"].(string); ok {
				part, _ := strconv.ParseUint(text, 10, 64)
				o.Part = &part
			}
			if c.Read["form"] == "integer" {
				o.Form = dialect.Integer
			}
			image, _ := hex.DecodeString(c.Image)
			b, err := bloomery.EncodeForeign(c.Dialect, image, o)
			if err != nil {
				t.Fatal(c.Dialect, c.What, err)
			}
			samples = append(samples, foreignSample(t, fmt.Sprintf("%s case %d, %s %s%s", name, n, c.Dialect, c.Variant, c.What), b))
		}
	}
	return samples
}

// foreignSample takes the keys that the container has for those that it must not deny.
func foreignSample(t testing.TB, name string, b []byte) sample {
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil {
		t.Fatal(name, err)
	}
	var present [][]byte
	for _, prefix := range []string{"k", "key", "x", ""} {
		for _, key := range numbered(prefix, 40) {
			if c.Foreign.MayContain(key) {
				present = append(present, key)
			}
		}
	}
	return sample{name, bloomery.KindForeign, b, func(c *bloomery.Container) string {
		for _, key := range present {
			if !c.Foreign.MayContain(key) {
				return string(key)
			}
		}
		return ""
	}}
}

// samples are all of them. Every kind of the table has one, or the test that asks fails.
func samples(t testing.TB) []sample {
	t.Helper()
	all := append(filterSamples(t, 9), packedSamples(t)...)
	all = append(all, staticSamples(t)...)
	all = append(all, foreignSamples(t)...)
	seen := map[bloomery.Kind]bool{}
	for _, s := range all {
		seen[s.kind] = true
	}
	for _, kind := range bloomery.Kinds() {
		if facts, _ := kind.Facts(); !seen[kind] && (smallShapes(facts) != nil || !bloomery.IsFilter(kind)) {
			t.Errorf("no sample of the kind %s", kind)
		}
	}
	return all
}
