package bloomery_test

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"bloomery"
)

// inBytes is what filters have for encoding/gob, streams and so on.
type inBytes interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	io.WriterTo
	io.ReaderFrom
	AppendBinary(b []byte) ([]byte, error)
}

// emptyLike is the zero value of the type of a filter.
func emptyLike(f any) any { return reflect.New(reflect.TypeOf(f).Elem()).Interface() }

func TestMarshalledIsUnmarshalled(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		f.InsertMany(keysOf("k", 100))
		b, err := f.(inBytes).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if f.Kind() != bloomery.KindPortable && !bytes.Equal(b, encoded(t, f)) {
			t.Error("not the container")
		}
		if appended, err := f.(inBytes).AppendBinary([]byte("x")); err != nil || !bytes.Equal(appended, append([]byte("x"), b...)) {
			t.Error("appended:", err)
		}
		var stream bytes.Buffer
		if n, err := f.(inBytes).WriteTo(&stream); err != nil || n != int64(len(b)) || !bytes.Equal(stream.Bytes(), b) {
			t.Error("written:", n, err)
		}
		g, h := emptyLike(f).(inBytes), emptyLike(f).(inBytes)
		if f.Hasher().ID() == bloomery.SipHash13 {
			if err := g.UnmarshalBinary(b); !errors.Is(err, bloomery.Incompatible) {
				t.Error("read without the secret:", err)
			}
			g, h = made(t, m).(inBytes), made(t, m).(inBytes)
		}
		if err := g.UnmarshalBinary(b); err != nil || !bloomery.Equal(g.(bloomery.Filter), f) {
			t.Error("unmarshalled:", err)
		}
		if n, err := h.ReadFrom(&stream); err != nil || n != int64(len(b)) || !bloomery.Equal(h.(bloomery.Filter), f) {
			t.Error("read:", n, err)
		}
	})
}

// Bytes that are refused leave the reader as it was; another kind's are refused.
func TestUnmarshalRefuses(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		f.InsertMany(keysOf("k", 10))
		good, _ := f.(inBytes).MarshalBinary()
		g := made(t, m)
		g.Insert([]byte("mine"))
		before, _ := g.(inBytes).MarshalBinary()
		another, _ := bloomery.MakeBloom(bloomery.BloomOptions{Bits: 77, Hashes: 3})
		if f.Kind() == bloomery.KindBloom {
			another = nil
		}
		bad := [][]byte{nil, good[:len(good)-1], append(append([]byte{}, good...), 0)}
		if another != nil {
			b, _ := another.MarshalBinary()
			bad = append(bad, b)
		}
		for i, b := range bad {
			var e *bloomery.Error
			if err := g.(inBytes).UnmarshalBinary(b); !errors.As(err, &e) {
				t.Error(i, "taken:", err)
			}
			if _, err := g.(inBytes).ReadFrom(bytes.NewReader(b)); !errors.As(err, &e) {
				t.Error(i, "read:", err)
			}
		}
		if after, _ := g.(inBytes).MarshalBinary(); !bytes.Equal(after, before) {
			t.Error("a refusal changed the filter")
		}
	})
}

// A filter of integers comes back as one; a damaged one denies nothing and is not written again.
func TestUnmarshalFollowsTheRecord(t *testing.T) {
	f, _ := bloomery.New(1000, 0.01, bloomery.WithSource(bloomery.Integers))
	f.InsertManyUint64([]uint64{1, 2, 3})
	b, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var g bloomery.BlockBloom
	if err := g.UnmarshalBinary(b); err != nil || g.Hasher().Source() != bloomery.Integers || !g.MayContainUint64(3) {
		t.Error("another source:", err)
	}
	b[200] ^= 1
	if err := g.UnmarshalBinary(b); err != nil || !g.MayContainUint64(3) || !g.MayContainUint64(4) {
		t.Error("a damaged chunk denies a key:", err)
	}
	if _, err := g.MarshalBinary(); !errors.Is(err, bloomery.Corrupt) {
		t.Error("damage is written as if whole:", err)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		f.InsertMany(keysOf("k", 50))
		before := encoded(t, f)
		var g filter
		var err error
		switch f := f.(type) {
		case *bloomery.PortableBloom:
			g, err = f.Clone()
		case *bloomery.BlockBloom:
			g, err = f.Clone()
		case *bloomery.SplitBlockBloom:
			g, err = f.Clone()
		case *bloomery.Bloom:
			g, err = f.Clone()
		case *bloomery.PartitionedBloom:
			g, err = f.Clone()
		}
		if err != nil || !bytes.Equal(encoded(t, g), before) {
			t.Fatal("not the same filter", err)
		}
		g.InsertMany(keysOf("other", 500))
		if !bytes.Equal(encoded(t, f), before) {
			t.Error("an insertion into the copy changed the original")
		}
		f.Clear()
		for _, k := range keysOf("k", 50) {
			if !g.MayContain(k) {
				t.Fatal("the copy forgot a key when the original was cleared")
			}
		}
	})
}

// Filters go through encoding/gob, here as a field.
func ExampleBlockBloom_MarshalBinary() {
	type Shard struct {
		Name  string
		Users *bloomery.BlockBloom
	}
	f, _ := bloomery.New(1000, 0.01)
	f.InsertString("alice")
	var wire bytes.Buffer
	if err := gob.NewEncoder(&wire).Encode(Shard{"eu", f}); err != nil {
		fmt.Println(err)
	}
	var got Shard
	if err := gob.NewDecoder(&wire).Decode(&got); err != nil {
		fmt.Println(err)
	}
	fmt.Println(got.Users.MayContainString("alice"), got.Users)
	// Output: true block filter: line, 10240 bits, 8 hashes, xxh3, sized for 1000 keys
}
