package bloomery_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bloomery"
)

// filesOf are containers of a kind, without notes and sentinels.
func filesOf(t *testing.T, kind bloomery.Kind) (files [][]byte) {
	t.Helper()
	for _, s := range filterSamples(t, 10) {
		if s.kind != kind {
			continue
		}
		c, err := bloomery.DecodeContainer(s.bytes, bloomery.ReadOptions{Source: bloomery.AnySource})
		if err != nil {
			t.Fatal(err)
		}
		b, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{AskedFPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	return files
}

// withNote is a container of a payload of few bytes that has one note, with right checksums.
func withNote(t *testing.T, file []byte, n bloomery.Note) []byte {
	t.Helper()
	i, err := bloomery.Inspect(file, int64(len(file)))
	if err != nil || i.NotesLength != 0 || i.PayloadOffset != 128 {
		t.Fatal(i, err)
	}
	le := binary.LittleEndian
	b := append([]byte(nil), file[:len(file)-4]...)
	b = le.AppendUint16(b, n.Tag)
	b = le.AppendUint16(b, 0)
	b = append(le.AppendUint32(b, uint32(len(n.Data))), n.Data...)
	le.PutUint32(b[96:], uint32(8+len(n.Data)))
	le.PutUint32(b[124:], bloomery.Checksum(b[:124]))
	return le.AppendUint32(b, bloomery.Checksum(b[128+(i.PayloadLength+63)/64*64:]))
}

// Files of kinds that erase keys have a record of the receipts that were used; it is kept through every way of writing them again.
func TestReceiptsAreKept(t *testing.T) {
	used := make([]byte, 24) // 9 issued, 3 and 4 used
	for i, n := range []uint64{9, 3, 5} {
		binary.LittleEndian.PutUint64(used[8*i:], n)
	}
	record := bloomery.Note{Tag: 3, Data: used}
	kept := 0
	for _, kind := range []bloomery.Kind{bloomery.KindCuckoo, bloomery.KindCounting, bloomery.KindQuotient} {
		for _, base := range filesOf(t, kind) {
			c, err := bloomery.DecodeContainer(base, bloomery.ReadOptions{Source: bloomery.AnySource})
			if err != nil || c.Damaged > 0 {
				continue
			}
			if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{Notes: []bloomery.Note{record}}); err == nil {
				t.Errorf("%v: a record that is not the filter's is written", kind)
			}
			file := withNote(t, base, record)
			c, err = bloomery.DecodeContainer(file, bloomery.ReadOptions{Source: bloomery.AnySource})
			if err != nil {
				continue // the file has no identity
			}
			kept++
			clone, err := c.Filter.(*bloomery.ReadOnly).Clone()
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "again")
			if err := bloomery.Save(path, clone, bloomery.Meta{}); err != nil {
				t.Fatal(err)
			}
			for name, write := range map[string]func() ([]byte, error){
				"encoded": func() ([]byte, error) {
					return bloomery.EncodeContainer(c.Filter, bloomery.Meta{AskedFPR: c.Info.AskedFPR})
				},
				"with its notes": func() ([]byte, error) {
					return bloomery.EncodeContainer(c.Filter, bloomery.Meta{AskedFPR: c.Info.AskedFPR, Notes: c.Notes})
				},
				"saved": func() ([]byte, error) { return os.ReadFile(path) },
			} {
				if again, err := write(); err != nil || !bytes.Equal(again, file) {
					t.Errorf("%v: %s: not the same file: %v", kind, name, err)
				}
			}
		}
	}
	if kept < 3 {
		t.Error("only", kept, "files had an identity")
	}
}

func TestSaveKeepsTheAskedRate(t *testing.T) {
	block, err := bloomery.New(100, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	classic, _ := bloomery.MakeBloom(bloomery.BloomOptions{Keys: 100, FPR: 0.02})
	partitioned, _ := bloomery.MakePartitioned(bloomery.PartitionedOptions{Keys: 100, FPR: 0.02})
	split, _ := bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Keys: 100, FPR: 0.02})
	portable, _ := bloomery.MakePortable(bloomery.PortableOptions{Keys: 100, FPR: 0.02})
	shared, _ := bloomery.ShareBlock(block)
	copied, _ := shared.Snapshot()
	folded, _ := block.Clone()
	if err := folded.Fold(folded.Shape().Units); err != nil {
		t.Fatal(err)
	}
	exact, _ := bloomery.MakeBloom(bloomery.BloomOptions{Bits: 1000, Hashes: 7})
	for i, f := range []bloomery.Filter{block, classic, partitioned, split, portable, copied, folded, exact} {
		want := 0.02
		if f == bloomery.Filter(exact) {
			want = 0
		}
		path := filepath.Join(t.TempDir(), "f")
		for _, round := range []string{"made", "read"} { // and saved again
			if err := bloomery.Save(path, f, bloomery.Meta{}); err != nil {
				t.Fatal(err)
			}
			c, err := bloomery.Open(path, bloomery.ReadOptions{})
			if err != nil || c.Info.AskedFPR != want || bloomery.MetaOf(c.Filter).AskedFPR != want {
				t.Fatalf("filter %d, %s: %v, %v", i, round, c.Info.AskedFPR, err)
			}
			f = c.Filter
		}
		if err := bloomery.Save(path, f, bloomery.Meta{AskedFPR: 0.5}); err != nil {
			t.Fatal(err)
		}
		if c, err := bloomery.Open(path, bloomery.ReadOptions{}); err != nil || c.Info.AskedFPR != 0.5 {
			t.Error("a rate that is given is written:", err)
		}
	}
}

// The number that headers have in the place of hashes is called what it is.
func TestNumbersAreCalledWhatTheyAre(t *testing.T) {
	for kind, name := range map[bloomery.Kind]string{
		bloomery.KindBloom: "hashes", bloomery.KindCounting: "hashes", bloomery.KindCuckoo: "bits per tag", bloomery.KindRibbon: "columns",
		bloomery.KindFuse: "bits per slot", bloomery.KindXor: "bits per slot", bloomery.KindQuotient: "bits per remainder",
		bloomery.KindScalable: "levels",
	} {
		c, err := bloomery.DecodeContainer(filesOf(t, kind)[0], bloomery.ReadOptions{Source: bloomery.AnySource})
		if err != nil {
			t.Fatal(kind, err)
		}
		if s := c.String(); !strings.Contains(s, " "+name+", ") {
			t.Errorf("%v: %s", kind, s)
		}
	}
}

func TestRefusalsNameBothKinds(t *testing.T) {
	_, err := bloomery.DecodeContainer(filesOf(t, bloomery.KindCuckoo)[0], bloomery.ReadOptions{Expect: bloomery.KindBlock})
	if err == nil || !strings.Contains(err.Error(), "cuckoo") || !strings.Contains(err.Error(), "block") {
		t.Error(err)
	}
}
