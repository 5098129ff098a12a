package bloomery_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"bloomery"
)

func sqrt(x float64) float64 { return math.Sqrt(x) }

// smallContainers are one of each kind of filter, with everything a container can carry.
func smallContainers(t testing.TB, keys int) map[string][]byte {
	out := map[string][]byte{}
	for _, s := range filterSamples(t, keys) {
		out[s.name] = s.bytes
	}
	return out
}

func TestEveryTruncation(t *testing.T) {
	for name, b := range smallContainers(t, 9) {
		for n := range b {
			if _, err := bloomery.DecodeContainer(b[:n], bloomery.ReadOptions{}); !errors.Is(err, bloomery.Corrupt) {
				t.Fatalf("%s cut to %d bytes: %v", name, n, err)
			}
		}
		if _, err := bloomery.DecodeContainer(append(b, 0), bloomery.ReadOptions{}); !errors.Is(err, bloomery.Corrupt) {
			t.Errorf("%s with a byte more: %v", name, err)
		}
	}
}

// Several chunks: only the damaged one answers "possibly present", the rate says so, and the filter is not written as if it were whole.
func TestDamagedChunks(t *testing.T) {
	f := made(t, block(bloomery.Line, 1000, bloomery.Hasher{}))
	keys := keysOf("k", 3000)
	f.InsertMany(keys)
	b := encoded(t, f)
	i, err := bloomery.Inspect(b, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if i.Chunks() != 16 || i.PayloadOffset != 128 {
		t.Fatal(i)
	}
	b[i.PayloadOffset+5000] ^= 16
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Damaged != 1 {
		t.Fatal(err, c)
	}
	for _, k := range keys {
		if !c.Filter.MayContain(k) {
			t.Fatalf("%q is denied", k)
		}
	}
	// The damaged bits are taken for keys too, whose low bits others have.
	hurt := c.Filter.(bloomery.Rated)
	more := f.RealisedFPR() + hurt.EstimatedKeys()/1000/(1<<32)
	if r := hurt.RealisedFPR(); r < 4096/64000.0 || r > 4096/64000.0+more {
		t.Errorf("the rate %v does not tell of the damage", r)
	}
	if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
		t.Error("written as if it were whole:", err)
	}
	whole := made(t, block(bloomery.Line, 1000, bloomery.Hasher{}))
	if err := bloomery.Merge(whole, c.Filter); err != nil {
		t.Fatal(err)
	}
	if _, err := bloomery.EncodeContainer(whole, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
		t.Error("its union is written as if it were whole:", err)
	}
	c.Filter.(*bloomery.BlockBloom).Clear()
	if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); err != nil {
		t.Error("a cleared filter has no damage:", err)
	}
}

// A damaged portable filter is not written bare either.
func TestDamagedPortableIsNotWrittenBare(t *testing.T) {
	b := encoded(t, made(t, portable(96, 7)))
	b[130] ^= 1
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Damaged != 1 {
		t.Fatal(err)
	}
	f := c.Filter.(*bloomery.PortableBloom)
	if _, err := f.MarshalBinary(); !errors.Is(err, bloomery.Corrupt) {
		t.Error(err)
	}
	if _, err := f.WriteTo(&bytes.Buffer{}); !errors.Is(err, bloomery.Corrupt) {
		t.Error(err)
	}
}

func TestNotesAndSentinelsComeBack(t *testing.T) {
	for name, b := range smallContainers(t, 20) {
		c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		if len(c.Notes) != 2 || c.Notes[0].Tag != 7 || string(c.Notes[0].Data) != "note" || c.Notes[1].Tag != 9 {
			t.Error(name, "other notes:", c.Notes)
		}
		sentinels, keys := 8, uint64(20)
		if facts, _ := c.Info.Kind.Facts(); !facts.Sentinels {
			sentinels, keys = 0, 0
		}
		if len(c.Sentinels) != sentinels || c.Info.Keys != keys || c.Info.AskedFPR != 0.01 {
			t.Error(name, c.Info)
		}
		again, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{AskedFPR: c.Info.AskedFPR, Keys: c.Info.Keys,
			Sentinels: c.Sentinels, Notes: c.Notes})
		if err != nil || !bytes.Equal(again, b) {
			t.Error(name, "not the same bytes again:", err)
		}
	}
}

// Reading believes the number of ones; verifying does not.
func TestVerify(t *testing.T) {
	for name, b := range smallContainers(t, 9) {
		c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil || c.Verify() != nil {
			t.Fatal(name, err, c.Verify())
		}
		b[88]--
		if c, err = bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{}); err != nil {
			t.Fatal(name, err)
		}
		if e, ok := c.Verify().(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != 88 {
			t.Error(name, e)
		}
	}
}

func TestBadMeta(t *testing.T) {
	f := made(t, portable(100, 3))
	for name, m := range map[string]bloomery.Meta{
		"a rate of 1":       {AskedFPR: 1},
		"no rate":           {AskedFPR: math.NaN()},
		"nine sentinels":    {Sentinels: make([]uint64, 9)},
		"a note twice":      {Notes: []bloomery.Note{{Tag: 1}, {Tag: 1}}},
		"a critical note":   {Notes: []bloomery.Note{{Tag: 0x8000}}},
		"another dialect's": {Notes: []bloomery.Note{{Tag: 0x8001, Data: []byte("nori")}}},
		"another source":    {Notes: []bloomery.Note{{Tag: 0x8002, Data: []byte("integers")}}},
		"a source, bytes":   {Notes: []bloomery.Note{{Tag: 0x8002, Data: []byte("bytes")}}},
	} {
		if _, err := bloomery.EncodeContainer(f, m); !errors.Is(err, bloomery.InvalidArgument) {
			t.Error(name, err)
		}
	}
}

func TestExpectedKind(t *testing.T) {
	b := encoded(t, made(t, portable(100, 3)))
	if _, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{Expect: bloomery.KindPortable}); err != nil {
		t.Error(err)
	}
	_, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{Expect: bloomery.KindBlock})
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Incompatible || e.Offset != 10 {
		t.Error(err)
	}
}

// A header that promises 2^60 bytes costs nothing.
func TestNothingIsAllocatedOnAHeadersWord(t *testing.T) {
	b := encoded(t, made(t, portable(100, 3)))
	for _, field := range []int{24, 80} {
		c := append([]byte(nil), b...)
		c[field+7] = 0x10
		sum := bloomery.Checksum(c[:124])
		c[124], c[125], c[126], c[127] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
		if _, err := bloomery.DecodeContainer(c, bloomery.ReadOptions{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error(err)
		}
		if _, err := bloomery.ReadContainer(bytes.NewReader(c), bloomery.ReadOptions{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error(err)
		}
	}
}
