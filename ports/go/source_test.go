package bloomery_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bloomery"
)

var allSources = []bloomery.Source{bloomery.Bytes, bloomery.Integers, bloomery.Hashes, bloomery.Int32, bloomery.Int32BE,
	bloomery.Int64BE, bloomery.Float32, bloomery.Float64, bloomery.UTF16}

// hashOf is a key of a hasher's source.
func hashOf(h bloomery.Hasher, n uint64) uint64 {
	switch h.Source() {
	case bloomery.Integers:
		return h.HashUint64(n)
	case bloomery.Hashes:
		return h.FromHash(n * 0x9e3779b97f4a7c15)
	}
	return h.Hash(binary.LittleEndian.AppendUint64(nil, n))
}

// filterOf is a small filter of a kind with four keys of a source.
func filterOf(t testing.TB, kind bloomery.Kind, s bloomery.Source) bloomery.Filter {
	t.Helper()
	facts, _ := kind.Facts()
	f, err := bloomery.MakeHere(kind, smallShapes(facts)[0], bloomery.Hasher{}.Of(s), 4)
	if err != nil {
		t.Fatal(kind, s, err)
	}
	var hashes []uint64
	for n := uint64(0); n < 4; n++ {
		hashes = append(hashes, hashOf(f.Hasher(), n))
	}
	fillWith(t, f, hashes)
	return f
}

// everyKind calls for each kind of filter.
func everyKind(t *testing.T, test func(kind bloomery.Kind)) {
	for _, kind := range bloomery.Kinds() {
		if facts, _ := kind.Facts(); bloomery.IsFilter(kind) && smallShapes(facts) != nil {
			test(kind)
		}
	}
}

func panics(call func()) (sentence string) {
	defer func() {
		if p := recover(); p != nil {
			sentence = p.(string)
		}
	}()
	call()
	return ""
}

func TestSourcesAreThoseOfThePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "spec", "hash.md"))
	if err != nil {
		t.Skip("spec is not beside this module")
	}
	_, table, _ := strings.Cut(string(page), "| source | keys are |")
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 1 {
			for _, m := range regexp.MustCompile("`([a-z0-9]+)`").FindAllStringSubmatch(cells[1], -1) {
				names = append(names, m[1])
			}
		}
	}
	if len(names) != len(allSources) {
		t.Fatal(names)
	}
	for i, name := range names {
		if s, ok := bloomery.ParseSource(name); !ok || s != allSources[i] || s.String() != name {
			t.Error(name, s)
		}
	}
	if _, ok := bloomery.ParseSource("any"); ok || bloomery.AnySource.String() != "unknown" {
		t.Error("any is no source")
	}
}

// A key of another source than the hasher's is a mistake of the program, and ends the call with a sentence.
func TestKeysOfAnotherSource(t *testing.T) {
	for _, s := range allSources {
		h := bloomery.NewXXH64(3).Of(s)
		one := make([]uint64, 1)
		sorts := map[string]struct {
			own   bool
			calls []func()
		}{
			"bytes": {s != bloomery.Integers && s != bloomery.Hashes, []func(){
				func() { h.Hash(nil) }, func() { h.HashString("k") }, func() { h.HashMany([][]byte{nil}, one) },
				func() { h.HashManyStrings([]string{"k"}, one) }}},
			"integers": {s == bloomery.Integers, []func(){func() { h.HashUint64(42) }}},
			"hashes":   {s == bloomery.Hashes, []func(){func() { h.FromHash(42) }}},
		}
		for sort, c := range sorts {
			for i, call := range c.calls {
				said := panics(call)
				if (said == "") != c.own {
					t.Errorf("%s under %s, call %d: %q", sort, s, i, said)
				}
				if said != "" && !(strings.Contains(said, s.String()) && strings.Contains(said, sort)) {
					t.Errorf("%q does not name both", said)
				}
			}
		}
	}
	if panics(func() { bloomery.NewXXH3(0).Of(bloomery.AnySource) }) == "" {
		t.Error("any is no source of a hasher")
	}
}

func TestSourcesAreNotHashed(t *testing.T) {
	for _, h := range []bloomery.Hasher{{}, bloomery.NewXXH64(7), bloomery.NewFNVSplitMix(), bloomery.NewSipHash13([16]byte{1})} {
		for _, s := range allSources {
			if o := h.Of(s); o.Check() != h.Check() || o.Source() != s || (o == h) != (s == bloomery.Bytes) || o.Of(bloomery.Bytes) != h {
				t.Error(h.ID(), s)
			}
		}
		if h.Of(bloomery.UTF16).HashString("k") != h.HashString("k") || h.Of(bloomery.Hashes).FromHash(7) != 7 {
			t.Error(h.ID())
		}
	}
}

// Every way into a filter of integers, and out of it.
func TestIntegerCalls(t *testing.T) {
	h := bloomery.Hasher{}.Of(bloomery.Integers)
	everyKind(t, func(kind bloomery.Kind) {
		f := filterOf(t, kind, bloomery.Integers)
		if in, err := bloomery.As[bloomery.Inserter](f); err == nil {
			in.InsertUint64(42)
			if !f.MayContainUint64(42) || !f.MayContainHash(f.Hasher().HashUint64(42)) {
				t.Error(kind, "denies 42")
			}
			if panics(func() { in.Insert(nil) }) == "" || panics(func() { in.InsertString("k") }) == "" ||
				panics(func() { in.(bloomery.BatchInserter).InsertMany([][]byte{nil}) }) == "" ||
				panics(func() { in.(bloomery.AbsentInserter).InsertIfAbsent(nil) }) == "" {
				t.Error(kind, "takes bytes")
			}
		}
		if panics(func() { f.MayContain(nil) }) == "" || panics(func() { f.MayContainString("k") }) == "" ||
			panics(func() { f.MayContainMany([][]byte{nil}, make([]bool, 1)) }) == "" {
			t.Error(kind, "looks bytes up")
		}
		if panics(func() { filterOf(t, kind, bloomery.Bytes).MayContainUint64(42) }) == "" {
			t.Error(kind, "looks integers up in a filter of bytes")
		}
	})
	portable, err1 := bloomery.MakeAtomicPortable(bloomery.PortableOptions{Bits: 1000, Hashes: 4, Source: bloomery.Integers})
	block, err2 := bloomery.MakeAtomicBlock(bloomery.BlockOptions{Profile: bloomery.Line, Blocks: 4, Hasher: h})
	partitioned, err3 := bloomery.MakeAtomicPartitioned(bloomery.PartitionedOptions{Slice: 100, Hashes: 4, Hasher: h})
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	for _, f := range []interface {
		InsertUint64(uint64)
		MayContainUint64(uint64) bool
		MayContain([]byte) bool
		Insert([]byte)
	}{portable, block, partitioned} {
		f.InsertUint64(42)
		if !f.MayContainUint64(42) || panics(func() { f.MayContain(nil) }) == "" || panics(func() { f.Insert(nil) }) == "" {
			t.Errorf("%T", f)
		}
	}
	if s, err := portable.Snapshot(); err != nil || !s.MayContainUint64(42) || s.Hasher().Source() != bloomery.Integers {
		t.Error("the snapshot forgot what keys are:", err)
	}
}

func TestMixturesDoNotMerge(t *testing.T) {
	everyKind(t, func(kind bloomery.Kind) {
		f := filterOf(t, kind, bloomery.Integers)
		if _, err := bloomery.As[bloomery.Merger](f); err != nil {
			return
		}
		before := encoded(t, f)
		for _, s := range allSources {
			g := filterOf(t, kind, s)
			want := s != bloomery.Integers
			for _, err := range []error{bloomery.Merge(f, g), bloomery.Merge(g, f), bloomery.Intersect(f, g)} {
				if errors.Is(err, bloomery.Incompatible) != want || !want && err != nil {
					t.Error(kind, s, err)
				}
			}
			if bloomery.Equal(f, g) == want {
				t.Error(kind, s, "is equal")
			}
		}
		if !bytes.Equal(before, encoded(t, f)) {
			t.Error(kind, "a refused merge changed it")
		}
	})
}

// What was inserted is what is asked, or the file is refused.
func TestSourcesInFiles(t *testing.T) {
	everyKind(t, func(kind bloomery.Kind) {
		for _, s := range allSources {
			f := filterOf(t, kind, s)
			b := encoded(t, f)
			i, _ := bloomery.Inspect(b, int64(len(b)))
			if (i.NotesLength == 0) != (s == bloomery.Bytes) {
				t.Error(kind, s, "notes of", i.NotesLength, "bytes")
			}
			record := int64(len(b)) - 4 - int64(i.NotesLength)
			for _, asked := range append(allSources, bloomery.AnySource) {
				c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{Source: asked})
				if s != bloomery.Bytes && asked != s && asked != bloomery.AnySource {
					e, ok := err.(*bloomery.Error)
					if !ok || e.Code != bloomery.Incompatible || e.Offset != record ||
						!strings.Contains(e.What, s.String()) || !strings.Contains(e.What, asked.String()) {
						t.Errorf("%s of %s asked for %s: %v", kind, s, asked, err)
					}
					continue
				}
				want := asked
				if asked == bloomery.AnySource {
					want = s
				}
				if err != nil || c.Filter.Hasher() != f.Hasher().Of(want) {
					t.Fatal(kind, s, asked, err)
				}
				again, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{Notes: c.Notes})
				if err != nil || bytes.Equal(again, b) != (want == s) {
					t.Error(kind, s, asked, "other bytes come out:", err)
				}
				for n := uint64(0); want == s && n < 4; n++ {
					if f.MayContainHash(hashOf(f.Hasher(), n)) != c.Filter.MayContainHash(hashOf(c.Filter.Hasher(), n)) {
						t.Error(kind, s, "answers differ")
					}
				}
			}
		}
	})
	b := encoded(t, filterOf(t, bloomery.KindBloom, bloomery.Bytes))
	if _, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{Source: 77}); !errors.Is(err, bloomery.InvalidArgument) {
		t.Error("what is no source is asked for:", err)
	}
}

func TestBarePortableBytesAreOfBytes(t *testing.T) {
	f := filterOf(t, bloomery.KindPortable, bloomery.Integers).(*bloomery.PortableBloom)
	_, err1 := f.MarshalBinary()
	_, err2 := f.WriteTo(&bytes.Buffer{})
	_, err3 := f.AppendBinary(nil)
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, bloomery.Unsupported) {
			t.Error(err)
		}
	}
	g := filterOf(t, bloomery.KindPortable, bloomery.Bytes).(*bloomery.PortableBloom)
	b, err := g.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	c, err := bloomery.DecodePortableOf(b, bloomery.Integers)
	if err != nil || c.Hasher().Source() != bloomery.Integers || c.Ones() != g.Ones() {
		t.Error(err)
	}
	if err := c.UnmarshalBinary(b); err != nil || c.Hasher().Source() != bloomery.Bytes {
		t.Error("bare bytes are of bytes:", err)
	}
	if _, err := bloomery.DecodePortableOf(b, bloomery.AnySource); !errors.Is(err, bloomery.InvalidArgument) {
		t.Error(err)
	}
	for _, err := range []error{
		second(bloomery.MakePortable(bloomery.PortableOptions{Bits: 9, Hashes: 1, Source: bloomery.AnySource})),
		second(bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: 1, Source: 9})),
	} {
		if !errors.Is(err, bloomery.InvalidArgument) {
			t.Error(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A save that would leave a file which every reader refuses is refused itself, and the old file stays.
func TestSaveChecksWhatReadersWill(t *testing.T) {
	everyKind(t, func(kind bloomery.Kind) {
		facts, _ := kind.Facts()
		f := filterOf(t, kind, bloomery.Bytes)
		path := filepath.Join(t.TempDir(), "filter.bloom")
		if err := bloomery.Save(path, f, bloomery.Meta{}); err != nil {
			t.Fatal(kind, err)
		}
		before, _ := os.ReadFile(path)
		own := present(f, 2)
		stranger := uint64(1)
		for f.MayContainHash(stranger) {
			stranger += 0x9e3779b97f4a7c15
		}
		sorted := bloomery.SentinelsOf(own)
		for name, m := range map[string]bloomery.Meta{
			"a rate of 1": {AskedFPR: 1}, "a rate of 1.5": {AskedFPR: 1.5}, "a negative rate": {AskedFPR: -0.01},
			"no rate": {AskedFPR: math.NaN()}, "an infinite rate": {AskedFPR: math.Inf(1)},
			"a sentinel that is no key": {Sentinels: []uint64{stranger}},
			"one of two that is none":   {Sentinels: bloomery.SentinelsOf([]uint64{own[0], stranger})},
			"descending sentinels":      {Sentinels: []uint64{sorted[1], sorted[0]}},
			"a sentinel twice":          {Sentinels: []uint64{own[0], own[0]}},
			"nine":                      {Sentinels: make([]uint64, 9)},
		} {
			if err := bloomery.Save(path, f, m); !errors.Is(err, bloomery.InvalidArgument) {
				t.Errorf("%s, %s: %v", kind, name, err)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Fatal(kind, name, "the old file is gone:", err)
			}
		}
		good := bloomery.Meta{AskedFPR: 0.999}
		if facts.Sentinels {
			good.Sentinels = sorted
		}
		if err := bloomery.Save(path, f, good); err != nil {
			t.Fatal(kind, err)
		}
		if _, err := bloomery.Open(path, bloomery.ReadOptions{}); err != nil {
			t.Error(kind, err)
		}
		if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
			t.Error(kind, "temporary files are left:", files)
		}
	})
}
