package bloomery_test

import (
	"bytes"
	"crypto/md5"
	"encoding"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"bloomery"
)

var (
	_ encoding.BinaryMarshaler   = (*bloomery.PortableBloom)(nil)
	_ encoding.BinaryUnmarshaler = (*bloomery.PortableBloom)(nil)
	_ io.WriterTo                = (*bloomery.PortableBloom)(nil)
	_ io.ReaderFrom              = (*bloomery.PortableBloom)(nil)
)

func thousand(t testing.TB) *bloomery.PortableBloom {
	t.Helper()
	f, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 1000; i++ {
		f.InsertString(fmt.Sprintf("k%d", i))
	}
	return f
}

// The file that every implementation writes.
func TestTheFileOfAThousandKeys(t *testing.T) {
	b, err := thousand(t).MarshalBinary()
	if sum := fmt.Sprintf("%x", md5.Sum(b)); err != nil || sum != "fb729f785324c844e71b38967a0bf88b" {
		t.Error(sum, err)
	}
}

func TestStreams(t *testing.T) {
	for _, m := range []uint64{1, 100, 1 << 19, 1<<19 + 1, 1<<20 - 3, 1 << 24} {
		f := made(t, portable(m, 5)).(*bloomery.PortableBloom)
		f.InsertMany(keysOf("k", 100))
		var b bytes.Buffer
		n, err := f.WriteTo(&b)
		if err != nil || n != int64(b.Len()) {
			t.Fatal(n, err)
		}
		whole, _ := f.MarshalBinary()
		if !bytes.Equal(whole, b.Bytes()) {
			t.Error("WriteTo writes something else")
		}
		g := new(bloomery.PortableBloom)
		if n, err := g.ReadFrom(iotest.HalfReader(&b)); err != nil || n != int64(len(whole)) || !bloomery.Equal(f, g) {
			t.Errorf("%d bits: %d bytes read, %v", m, n, err)
		}
		if _, err := g.ReadFrom(iotest.TimeoutReader(bytes.NewReader(whole))); m > 100 && !errors.Is(err, bloomery.IO) {
			t.Error("a broken stream:", err)
		}
		if !bloomery.Equal(f, g) {
			t.Error("a refusal changed the filter")
		}
	}
}

// A header of 2^62 bits in front of a long stream is believed only as far as bytes arrive.
func TestStreamsGrowWithTheirBytes(t *testing.T) {
	head := []byte{7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40}
	r := io.MultiReader(bytes.NewReader(head), io.LimitReader(zeros{}, 1<<20))
	n, err := new(bloomery.PortableBloom).ReadFrom(r)
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != 12+1<<20 || n != 12+1<<20 {
		t.Error(n, err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

func TestBuildOfAllKeys(t *testing.T) {
	keys := keysOf("k", 500)
	f, err := bloomery.BuildPortable(keys, 0.01)
	if err != nil || f.Capacity() != 500 {
		t.Fatal(err)
	}
	if n := f.MayContainMany(keys, make([]bool, 500)); n != 500 {
		t.Error(n)
	}
	if f, err = bloomery.BuildPortable(nil, 0.01); err != nil || f.MayContainString("") {
		t.Error("of no keys:", err)
	}
}

func TestAttainableRates(t *testing.T) {
	_, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 1e-9})
	if !errors.Is(err, bloomery.Unattainable) {
		t.Error(err)
	}
	f, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 1e-9, Force: true})
	if err != nil || f.Promise().Verdict != bloomery.Refused || f.Promise().Warning() == "" {
		t.Error(err)
	}
	f, err = bloomery.MakePortable(bloomery.PortableOptions{Keys: 10, FPR: 0.01})
	if err != nil || f.Promise().Verdict != bloomery.Warned || f.Promise().Warning() == "" {
		t.Error(err)
	}
	if w := thousand(t).Promise().Warning(); w != "" {
		t.Error(w)
	}
}

// A promise that is asked for again is the same.
func TestPromisesAreKept(t *testing.T) {
	for _, n := range []uint64{10, 10, 100, 10, 1000} {
		p, err := bloomery.PromisePortable(n, 0.01)
		if err != nil || p.Keys != n || p.FPR != bloomery.ExpectedPortableFPR(p.Bits, p.Hashes, n) {
			t.Error(n, p, err)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []bloomery.PortableOptions{
		{}, {Keys: 10}, {FPR: 0.01}, {Keys: 10, FPR: 2}, {Keys: 10, FPR: -1}, {Keys: 10, FPR: 0.01, Bytes: 8}, {Bits: 8}, {Hashes: 1},
		{Keys: 10, BitsPerKey: -1}, {BitsPerKey: 8}, {Bytes: 8},
	} {
		if _, err := bloomery.MakePortable(o); !errors.Is(err, bloomery.InvalidArgument) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := bloomery.MakePortable(bloomery.PortableOptions{Bits: 1<<63 + 1, Hashes: 1}); !errors.Is(err, bloomery.TooLarge) {
		t.Error(err)
	}
	if _, err := bloomery.MakePortable(bloomery.PortableOptions{Bits: 1 << 63, Hashes: 1}); !errors.Is(err, bloomery.OutOfMemory) {
		t.Error(err)
	}
}

func TestPaddingIsKeptAndIgnored(t *testing.T) {
	data := []byte{2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe}
	f, err := bloomery.DecodePortable(data)
	if err != nil || f.Ones() != 0 || f.PaddingIsClear() || f.RealisedFPR() != 0 {
		t.Fatal(err)
	}
	if again, _ := f.MarshalBinary(); !bytes.Equal(again, data) {
		t.Errorf("%x", again)
	}
	data[13] = 0
	if g, err := bloomery.DecodePortable(data); err != nil || !bloomery.Equal(f, g) {
		t.Error("padding tells filters apart")
	}
}
